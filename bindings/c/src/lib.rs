//! The C interface of mime-charset: `mime_charset.h`.
//!
//! Every function catches panics and returns [`status::MIME_CHARSET_PANIC`] or an empty result. The
//! arguments must be as the header requires; each function's Safety section lists the requirements.
//! Functions called from C take C's pointers, which is always `unsafe`; they pass them to
//! `border.rs`, which converts them to references and handles. In addition, `decoder.rs` writes to
//! the caller's buffer, `options.rs` reads a structure whose size the caller states, and a message
//! keeps fields that borrow from itself (`message.rs`).
//!
//! Functions that read a handle may be called from several threads at once, except those of a
//! decoder.

#![deny(unsafe_op_in_unsafe_fn)]

mod addresses;
mod border;
mod change;
mod charset;
mod date;
mod decoder;
mod evidence;
mod field;
mod functions;
mod message;
mod options;
mod part;
pub mod status;
mod text;
mod uuencoded;

pub use addresses::*;
pub use border::{Octets, Utf8};
pub use change::*;
pub use charset::*;
pub use date::*;
pub use decoder::*;
pub use evidence::*;
pub use field::*;
pub use functions::*;
pub use message::*;
pub use options::*;
pub use part::*;
pub use text::*;
pub use uuencoded::*;
