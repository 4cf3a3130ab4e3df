//! The command, run as a stranger runs it.

mod command;
mod convert;
#[cfg(target_os = "linux")]
mod export;
mod faults;
mod schema;
mod security;
mod suite;
mod survey;
