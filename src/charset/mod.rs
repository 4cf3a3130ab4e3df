//! Decodes octets in a charset to text.
//!
//! A [`Charset`] is found by a label ([`Charset::for_label`], [`resolve()`]) and decodes octets, whole
//! ([`Charset::decode`]) or in slices ([`Decoder`]). Decoding is total: any octets give text, and the
//! report lists every octet that was not decoded.
//!
//! The names are those of the IANA Character Sets registry (RFC 2978), the Encoding Standard, and mail
//! itself. The web's charsets are decoded as in the Encoding Standard if mail agrees with it. Charsets
//! that the standard maps to `replacement`, and charsets older than the web, have their own decoders. A
//! charset that no source defines has a name but no decoder ([`Charset::undecoded_reason`] names the
//! missing table). `x-user-defined` is decoded only if the caller names it; as a label in mail it is
//! ignored. Not implemented: encoders for charsets other than UTF-8 (except mailbox names,
//! [`mailbox_name`]), normalization, and reordering of visual text.
//!
//! Each charset family has its own file. `registry.rs` explains how to add a charset, and
//! `tables/charsets.txt` names each charset's decoder.
//!
//! ```
//! use mime_charset::{Kind, Label, charset};
//!
//! let resolved = charset::resolve(&Label::new("ISO 2022 KR"));
//! let charset = resolved.charset.unwrap();
//! assert_eq!(charset.name(), "ISO-2022-KR");
//! let decoded = charset.decode(b"\x1B$)C\x0EGQ19>n\x0F A\xFF");
//! assert_eq!(decoded.as_str(), "한국어 A\u{FFFD}");
//! assert!(decoded.report().has(Kind::Malformed));
//! ```

mod big5;
#[cfg(feature = "legacy")]
mod bocu1;
mod cesu8;
mod codec;
mod damage;
mod decoded;
mod decoder;
#[cfg(feature = "legacy")]
mod emacs_mule;
mod euc_jp;
mod euc_kr;
mod euc_tw;
mod families;
mod gb;
pub mod hangul;
mod hz;
#[cfg(feature = "legacy")]
mod iscii;
mod iso2022;
#[cfg(feature = "legacy")]
mod iso6937;
mod jisx0213;
#[cfg(feature = "legacy")]
mod johab;
mod labels;
mod language;
#[cfg(feature = "legacy")]
mod mac_hebrew;
pub mod mailbox_name;
mod octet_order;
mod options;
mod pair_table;
mod pairs;
mod registry;
mod repair;
mod resolve;
#[cfg(feature = "legacy")]
mod scsu;
mod sets;
mod shift_jis;
mod single_byte;
mod tables;
#[cfg(feature = "legacy")]
mod tscii;
mod unicode11;
mod usage;
#[cfg(feature = "legacy")]
mod utf1;
mod utf16;
mod utf32;
mod utf7;
pub mod utf8;
mod utf8_codec;
mod value;
#[cfg(feature = "legacy")]
mod viqr;
mod web;
mod whole;

pub use decoded::Decoded;
pub use decoder::Decoder;
pub(crate) use language::{Languages, Origin, Program};
pub use options::Options;
pub use resolve::{Matched, Resolved, resolve};
pub(crate) use single_byte::windows_1252_octet;
pub(crate) use utf7::{NO_LETTER, sextet};
pub(crate) use utf8_codec::unfinished as unfinished_utf8;
pub use value::Charset;
pub(crate) use whole::{count_of, has_any};
