//! Exact text out of mail: every field and every text part as Unicode, with the charset it
//! was in, on whose word that was decided, and what was assumed, repaired or lost.
//!
//! Mail may name its charset wrongly, in a damaged word, or not at all, and the charset that it
//! names may be forgotten. This library knows every charset of the IANA registry, and those that
//! mail uses beside it. It weighs each label against what the octets prove. No message makes it
//! fail, panic or hang, and it reports every octet that it leaves out. An empty [`Report`] means
//! that the input kept every rule and that the text is exactly what was sent. The rules of charsets with
//! several octets for a character, such as `Shift_JIS`, are those of practice ([`Report`]).
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
//! // The label says Latin-1; the octets are UTF-8, and the report says so.
//! let part = message.parts().next().unwrap();
//! let decoded = part.text();
//! assert_eq!(decoded.as_str(), "café\r\n");
//! assert_eq!((decoded.charset().name(), decoded.source()), ("UTF-8", Source::Evidence));
//! assert!(decoded.report().has(Kind::LabelOverridden) && !decoded.report().has_loss());
//! ```
//!
//! From a header alone, before there is a body:
//!
//! ```
//! use mime_charset::{charset, header};
//!
//! let field = header::content_type(b"text/plain; charset=\"ks_c_5601-1987\"");
//! // `None` where there is no label: US-ASCII, says RFC 2045, section 5.2.
//! let label = field.charset().expect("a label");
//! // `None` where the label names no charset.
//! let charset = charset::resolve(label).charset.expect("a charset");
//! assert_eq!(charset.name(), "KS_C_5601-1987");
//! // The registry names a set of characters; this is what octets under the label are in.
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
//! - [`header`]: field bodies to structure (RFC 2045, RFC 2047, RFC 2183, RFC 2231, RFC 5322),
//!   and text to field bodies ([`header::encode`]);
//! - [`transfer`]: base64, quoted-printable, and the B and Q of encoded words;
//! - [`charset`]: labels to charsets, octets to text; in it [`utf8`] (RFC 2044, RFC 2279, RFC
//!   3629) and [`hangul`], as Unicode 1.1 coded it, and the names of
//!   mailboxes in IMAP ([`charset::mailbox_name`]);
//! - [`detect`]: what octets without a label are likely to be in;
//! - [`decode`]: which charset, on whose word; then the text;
//! - [`Report`], and [`Error`] for what people and programs get wrong.
//!
//! *Charset* means the way from octets to characters (RFC 2978). *Encoding* means base64,
//! quoted-printable, B and Q, and nothing else. Offsets and lengths count octets, from 0;
//! [`Finding::within`] says which octets. Where a standard leaves something open, or mail gets
//! something wrong, a [`Finding`] says so. A `Result` is only for what people and programs get
//! wrong, such as a file or a name ([`Error`]).
//!
//! # Scope
//!
//! Reading: any message, field, part or run of octets. Writing: header fields in UTF-8.
//! Sending, storing, signing, decrypting and showing mail are for others.
//!
//! # Known limits
//!
//! - Multiparts and messages are entered [`message::MAX_DEPTH`] deep, those under a transfer
//!   encoding [`message::MAX_ENCODED_DEPTH`] deep; [`message::MAX_PARTS`] entities are told
//!   apart; a header may have [`message::MAX_HEADER`] octets and a field
//!   [`header::Parameter::MAX_COUNT`] parameters and [`header::Pieces::MAX_COUNT`] pieces. What
//!   lies beyond is kept as octets and reported.
//! - Where nothing tells the charset of parts, detection guesses it: for each of the first
//!   [`message::MAX_GUESSED`] from its own octets, for all later ones together. The confidence of a
//!   guess for many parts together is at most 50 percent.
//! - A report keeps [`Report::MAX_FINDINGS`] findings, among them the first of each kind, and counts
//!   the rest.
//! - Text is neither normalized nor reordered: text in visual order comes out in visual order
//!   ([`Charset::direction`]).
//! - A few registered charsets were never published as tables; they are known by name and
//!   [not decoded](Charset::is_decoded).
//! - RTF names its charset in its own control words, which its octets have to match: `text/rtf` is
//!   read as its label says; a conversion leaves it as it is, and reports it where it is not
//!   US-ASCII.
//! - uuencode and yEnc are not undone.
//!
//! # Features
//!
//! `detect`, `legacy` and `simd` are default features. The sizes are what a feature adds to a program that
//! prints the text of messages, built with opt-level "z" and fat LTO, measured by
//! `tests/bench/build-cost`.
//!
//! - `detect`: guessing, with its tables of 42 languages; 180 KB. Without it a charset is still known
//!   by its label, by a byte order mark, by what a document declares, by what the octets prove (UTF-8,
//!   whole or damaged, UTF-16, escapes), and by what the caller or the rest of the message names.
//!   Where nothing of this tells, octets above 7F are windows-1252, with [`Source::Default`] and the
//!   finding [`Kind::DefaultCharset`].
//! - `legacy`: charsets that hardly any mail is in: EBCDIC, the national sets of ISO 646, those of DOS
//!   and of the Macintosh but for the most frequent, ISCII, TSCII, VISCII, VIQR, TCVN, VPS, JOHAB,
//!   T.61 and ISO 6937, GB 12345, SCSU, BOCU-1, UTF-1; 60 KB. Those of the Encoding Standard stay, and so do
//!   UTF-7, CESU-8, HZ, EUC-TW, JIS X 0213, all of ISO 2022, and Unicode 1.1 with old Hangul. Without it the
//!   labels are known all the same: [`Charset::is_decoded`] is false, and what is not ASCII in text under
//!   them is U+FFFD with the finding [`Kind::Undecoded`].
//! - `convert`: the module `convert`, and crc64fast.
//! - `mailparse`: the module `for_mailparse`, the same text from the values of the crate mailparse.
//! - `serde`: charsets, findings, reports, decisions, evidence, texts of fields and the
//!   words for them as data, and whole messages in the module `serialize`, in the shapes that the command
//!   prints with `--json`; names are read back too.
//! - `simd`: header fields, quoted-printable, damaged UTF-8, old Hangul and charsets of one
//!   octet in vectors, on x86-64 processors that have AVX2 and what came with it (BMI1, LZCNT, POPCNT),
//!   and on 64-bit ARM processors; 24 KB.
//!   Its module has `unsafe` code; without the feature there is none.
//!
//! # Rust
//!
//! Rust 1.88 or later, for let chains (`if let … && …`). It builds for any processor that has the
//! standard library, WebAssembly among them (`wasm32-unknown-unknown`); where there are no such vectors the
//! safe code does the same.

#![cfg_attr(not(feature = "simd"), forbid(unsafe_code))]
#![cfg_attr(docsrs, feature(doc_cfg))]
// Code that only one feature calls is not compiled out without it; with all features nothing is unused.
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
#[cfg(all(feature = "simd", any(target_arch = "x86_64", target_arch = "aarch64")))]
mod vector;
mod work;

pub use charset::{Charset, Decoded, Decoder, Options, hangul, utf8};
pub use error::Error;
pub use label::Label;
pub use message::Message;
pub use report::{Effect, Finding, Kind, Report, Source, Within};

/// Holds the examples of the README to what the library does.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
