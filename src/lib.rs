//! Exact text from mail: every field and every text part as Unicode, with its charset, the source of
//! that decision, and everything assumed, repaired or lost.
//!
//! Mail may label its charset wrongly, in a damaged form, or not at all, and some charsets are
//! known to few programs today. This library knows every charset of the IANA registry, and others
//! used in mail. It checks each label against the octets. It never fails, panics or hangs on a
//! message, and reports every octet that it omits. An empty [`Report`] means that the input
//! followed every rule and that the text is exactly what was sent. For multi-byte charsets such as
//! `Shift_JIS`, the rules are those used in practice ([`Report`]).
//!
//! ```
//! use mime_charset::{Kind, Message, Source};
//!
//! let message = Message::parse(
//!     b"Subject: =?euc-kr?B?x9Gxub7u?=\r\n\
//!       Content-Type: text/plain; charset=iso-8859-1\r\n\
//!       \r\n\
//!       caf\xC3\xA9\r\n",
//! );
//! assert_eq!(message.field("Subject").unwrap().text().as_str(), "한국어");
//!
//! // The label is Latin-1; the octets are UTF-8, and the report has a finding.
//! let part = message.parts().next().unwrap();
//! let decoded = part.text();
//! assert_eq!(decoded.as_str(), "café\r\n");
//! assert_eq!((decoded.charset().name(), decoded.source()), ("UTF-8", Source::Evidence));
//! assert!(decoded.report().has(Kind::LabelOverridden) && !decoded.report().has_loss());
//! ```
//!
//! From a header alone, without a body:
//!
//! ```
//! use mime_charset::{charset, header};
//!
//! let field = header::content_type(b"text/plain; charset=\"ks_c_5601-1987\"");
//! // `None` without a label: then the charset is US-ASCII (RFC 2045, section 5.2).
//! let label = field.charset().expect("a label");
//! // `None` if the label names no charset.
//! let charset = charset::resolve(label).charset.expect("a charset");
//! assert_eq!(charset.name(), "KS_C_5601-1987");
//! // The registry means a set of characters; mail means this charset.
//! assert_eq!(charset.as_practised().name(), "EUC-KR");
//! ```
//!
//! # The map
//!
//! ```text
//! field body ─header─▶ ContentType ─▶ Label ─charset─▶ Charset ─┐
//!                                                               ├─decode─▶ Decoded { text, charset, report }
//! part text ─transfer─▶ octets ─detect─▶ Guess ─────────────────┘
//! octets ─message─▶ Message: its Fields and its Parts, by all of the above
//! ```
//!
//! - [`message`]: a message and its parts, as ranges of its octets (RFC 5322, RFC 2045, RFC
//!   2046); mailboxes, Maildirs and whole archives are in the crate `mime-charset-archive`;
//! - [`header`]: field bodies to structure, including dates and identifiers (RFC 2045, RFC 2047, RFC
//!   2183, RFC 2231, RFC 5322), and text to field bodies ([`header::encode`]);
//! - [`transfer`]: base64, quoted-printable, uuencode, and the B and Q of encoded words;
//! - [`charset`]: labels to charsets, octets to text; includes [`utf8`] (RFC 2044, RFC 2279, RFC
//!   3629), [`hangul`] as coded in Unicode 1.1, and IMAP mailbox names ([`charset::mailbox_name`]);
//! - [`detect`]: the likely charset of octets without a label;
//! - [`decode`]: the charset and its source, then the text, exact or for reading
//!   ([`decode::reading_text`]);
//! - [`Report`], and [`Error`] for caller mistakes.
//!
//! A *charset* maps octets to characters (RFC 2978). The *encoding* of a part or word is base64,
//! quoted-printable, uuencode, B or Q. Offsets and lengths count octets, from 0; [`Finding::within`]
//! says in which octets. If a standard leaves something open, or mail breaks a rule, there is a
//! [`Finding`]. Only caller mistakes, such as a wrong file or name, and a failed proof return an
//! [`Error`].
//!
//! # Scope
//!
//! Decoding: any message, field, part or run of octets. Encoding: header fields in UTF-8. Sending,
//! storing, signing, decrypting and displaying mail are out of scope.
//!
//! # Known limits
//!
//! - Multiparts and messages are parsed to a depth of [`message::MAX_DEPTH`], messages under a
//!   transfer encoding to a depth of [`message::MAX_ENCODED_DEPTH`]. A message may have
//!   [`message::MAX_PARTS`] entities. A header may have [`message::MAX_HEADER`] octets. A field may
//!   have [`header::Parameter::MAX_COUNT`] parameters and [`header::Pieces::MAX_COUNT`] pieces.
//!   Anything beyond is kept as octets and reported.
//! - If nothing declares the charset of a part, it is detected: separately for each of the first
//!   [`message::MAX_GUESSED`] parts and multiparts, jointly for all later parts. The confidence of
//!   a joint guess is at most 50 percent.
//! - A report keeps [`Report::MAX_FINDINGS`] findings, among them the first of each kind, and counts
//!   the rest.
//! - Text is neither normalized nor reordered: text in visual order stays in visual order
//!   ([`Charset::direction`]).
//! - A few registered charsets were never published as tables; they have names but are [not
//!   decoded](Charset::is_decoded).
//! - RTF declares its charset in control words, which are not read: `text/rtf` is decoded by its
//!   label. A conversion leaves it unchanged, since its octets must match the control words, and
//!   reports it if it is not US-ASCII.
//! - S/MIME, TNEF (`winmail.dat`), `BinHex` and yEnc are not opened; a finding says so
//!   ([`Kind::ClosedContent`]).
//!
//! # Features
//!
//! `detect`, `legacy` and `simd` are default features. Each size below is what the feature adds to
//! a program that prints the text of messages, built with opt-level "z" and fat LTO (measured by
//! `tests/bench/build-cost`).
//!
//! - `detect`: detection, with its tables of 42 languages; 290 KB. Without it a charset is still
//!   known by its label, a byte order mark, the document's declaration, the evidence of the octets
//!   (UTF-8, whole or damaged, UTF-16, escapes), or a hint from the caller or the rest of the
//!   message. Otherwise octets above 7F are decoded as windows-1252, with [`Source::Default`] and
//!   the finding [`Kind::DefaultCharset`].
//! - `legacy`: rare charsets: EBCDIC, the national sets of ISO 646, the charsets of DOS and the
//!   Macintosh (except the most frequent), ISCII, TSCII, VISCII, VIQR, TCVN, VPS, JOHAB, T.61 and
//!   ISO 6937, GB 12345, SCSU, BOCU-1, UTF-1; 80 KB. The feature does not include the charsets of
//!   the Encoding Standard, UTF-7, CESU-8, HZ, EUC-TW, JIS X 0213, all of ISO 2022, and Unicode 1.1
//!   with old Hangul. Without the feature the labels of its charsets are still known:
//!   [`Charset::is_decoded`] is false, and everything but ASCII in their text is U+FFFD with the
//!   finding [`Kind::Undecoded`].
//! - `convert`: the module `convert`, and crc64fast.
//! - `mailparse`: the module `for_mailparse`, the same text from values of the crate mailparse.
//! - `serde`: serializes charsets, findings, reports, decisions, evidence, texts of fields, their
//!   names, and whole messages (module `serialize`), as the command does with `--json`. Charsets,
//!   kinds, effects and sources can also be deserialized, from their names.
//! - `simd`: vector code for header fields, quoted-printable, damaged UTF-8, old Hangul and
//!   single-byte charsets, on x86-64 processors with AVX2 and its companions (BMI1, LZCNT, POPCNT),
//!   and on 64-bit ARM processors; 15 KB. Its module has `unsafe` code; without the feature the
//!   library has no `unsafe` code.
//!
//! # Rust
//!
//! Rust 1.88 or later, for let chains (`if let … && …`). The library builds for any target with the
//! standard library, including WebAssembly (`wasm32-unknown-unknown`). Without vector instructions
//! the safe code gives the same results.

#![cfg_attr(not(feature = "simd"), forbid(unsafe_code))]
#![cfg_attr(docsrs, feature(doc_cfg))]
// Code for a feature is also compiled without the feature, and is then unused.
#![cfg_attr(
    not(all(
        feature = "convert",
        feature = "detect",
        feature = "legacy",
        feature = "serde"
    )),
    allow(dead_code, unused_imports)
)]
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
#[cfg(feature = "convert")]
pub mod convert;
pub mod decode;
pub mod detect;
mod error;
#[cfg(feature = "mailparse")]
pub mod for_mailparse;
pub mod header;
mod label;
pub mod message;
#[cfg(feature = "convert")]
mod prove;
mod report;
#[cfg(feature = "serde")]
pub mod serialize;
pub mod transfer;
mod vector;
mod work;

pub use charset::{Charset, Decoded, Decoder, Options, hangul, utf8};
pub use error::Error;
pub use label::Label;
pub use message::Message;
pub use report::{Effect, Finding, Kind, Report, Source, Within};

/// Tests the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// Tests the example of the page for authors of mail clients.
#[cfg(doctest)]
#[doc = include_str!("../docs/clients.md")]
struct Clients;
