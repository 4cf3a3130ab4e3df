//! The laws of `tests/it/laws/`, built once for all targets.

#![expect(clippy::missing_panics_doc, reason = "a law that does not hold panics")]

#[path = "../../archive/tests/it/law.rs"]
mod archive;
#[path = "../it/laws/mod.rs"]
mod laws;

pub use archive::mbox;
pub use laws::*;
