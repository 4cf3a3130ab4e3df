//! The C interface of mime-charset: `mime_charset.h`.
//!
//! Every function catches panics and tells them as [`status::MIME_CHARSET_PANIC`] or as nothing.
//! What C hands over is believed as the header asks for it, and each function says in its Safety section
//! what that is. A function that C calls takes C's pointers, which is `unsafe` wherever it stands; it
//! hands them to `border.rs`, which makes references and handles of them. Besides, `decoder.rs` writes
//! to the caller's buffer, `options.rs` reads a structure whose size the caller says, and a message
//! keeps fields that borrow from itself (`message.rs`).
//!
//! Functions that read a handle may be called from several threads at once, but for those of a
//! decoder.

#![deny(unsafe_op_in_unsafe_fn)]

mod addresses;
mod border;
mod change;
mod charset;
mod decoder;
mod evidence;
mod field;
mod functions;
mod message;
mod options;
mod part;
pub mod status;
mod text;

pub use addresses::*;
pub use border::{Octets, Utf8};
pub use change::*;
pub use charset::*;
pub use decoder::*;
pub use evidence::*;
pub use field::*;
pub use functions::*;
pub use message::*;
pub use options::*;
pub use part::*;
pub use text::*;
