//! Runs the command as a user would.

mod command;
mod convert;
#[cfg(target_os = "linux")]
mod export;
mod faults;
mod schema;
mod security;
mod suite;
mod survey;
