//! The laws of `tests/laws/`, built once for all targets.

#[path = "../laws/mod.rs"]
mod laws;

pub use laws::*;
