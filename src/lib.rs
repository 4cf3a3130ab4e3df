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

pub mod archive;
pub mod charset;
pub mod decode;
pub mod detect;
mod error;
pub mod header;
mod label;
#[cfg(feature = "mailparse")]
pub mod mailparse;
pub mod message;
mod report;
pub mod transfer;
mod work;

pub use charset::{Bom, Charset, Decoded, Decoder, Options, Reading, Trust, hangul, utf8};
pub use error::Error;
pub use label::Label;
pub use message::Message;
pub use report::{Effect, Finding, Kind, Report, Source, Within};
