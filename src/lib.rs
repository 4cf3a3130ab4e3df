//! Exact text out of mail.

#![cfg_attr(
    not(test),
    warn(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing,
        clippy::print_stdout,
        clippy::print_stderr
    )
)]

pub mod charset;
mod error;
pub mod header;
mod label;
mod report;
pub mod transfer;

pub use charset::{Bom, Charset, Decoded, Decoder, Options, Reading, Trust, hangul, utf8};
pub use error::Error;
pub use label::Label;
pub use report::{Effect, Finding, Kind, Report, Source, Within};
