//! The resources that a process needs to read mail.

#[cfg(feature = "convert")]
mod stack;
