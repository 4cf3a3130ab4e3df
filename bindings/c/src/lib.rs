//! The C interface of mime-charset: `mime_charset.h`.
//!
//! Every function catches panics and tells them as [`status::MIME_CHARSET_PANIC`] or as nothing.
//! What C hands over is believed as the header asks for it; all that is done with its pointers is in
//! `border.rs`, and each function says in its Safety section what it asks for.
//!
//! Functions that read a handle may be called from several threads at once, but for those of a
//! decoder.

#![deny(unsafe_op_in_unsafe_fn)]

mod addresses;
mod border;
mod charset;
mod decoder;
mod field;
mod functions;
mod message;
mod options;
mod part;
pub mod status;
mod text;

pub use addresses::*;
pub use border::{Octets, Utf8};
pub use charset::*;
pub use decoder::*;
pub use field::*;
pub use functions::*;
pub use message::*;
pub use options::Options;
pub use part::*;
pub use text::*;
