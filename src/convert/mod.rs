//! Converts a message to the same message in UTF-8.
//!
//! [`convert`] changes only what has to change: the octets of text parts in another charset, their
//! label and transfer encoding, and the words of header fields in another charset. All other octets of
//! the source are kept in place. Each changed range is a [`Change`], and [`verify`] proves the
//! conversion from the two messages and the list of changes.
//!
//! Kept on purpose:
//!
//! - text, encoded words and parameters in UTF-8 or US-ASCII;
//! - everything under `multipart/signed` and `multipart/encrypted` (RFC 1847), text with an `OpenPGP`
//!   block (RFC 9580, section 6.2), and parts that are not text, including S/MIME;
//! - attachments, unless the caller asks for them: recipients expect the file that was sent;
//! - text that cannot be decoded without loss, or only by a guess. Readers of an archive can guess
//!   again with more evidence, but cannot recover what a wrong guess has overwritten;
//! - a message whose unconverted text would be decoded differently once the rest is in UTF-8. Such
//!   text is a damaged field, or raw text or an unlabelled body, whose charset depends on the rest
//!   of the message. If a message contains text of this kind, or something was kept, the result is
//!   proved before it is returned. If the proof fails, the message is kept as it is.
//!
//! The last two cases are findings of kind [`Kind::Unconverted`]; a change that a signature forbids
//! is a finding of kind [`Kind::SignedContent`].
//!
//! A charset is a guess if its [`Source`](crate::Source) is `Detected`, or `Default` with octets above
//! 7F. A charset from a label, a byte order mark, a declaration in the document, or octets that allow
//! no other reading is not a guess. For raw header text, the charset that the message declares for its
//! text is not a guess either, if the raw text is valid in it.
//!
//! Text keeps its line endings. The exception is text that moves from 7bit, 8bit or binary to base64 in
//! a message with LF: it gets CRLF, as base64 requires (RFC 2045, section 6.8).
//!
//! ```
//! use mime_charset::convert::{Conversion, convert, verify};
//!
//! let source = b"Content-Type: text/plain; charset=koi8-r\n\n\xF0\xD2\xC9\n";
//! let converted = convert(source, &Conversion::new());
//! let proof = verify(source, converted.as_bytes(), &converted.changes, &Conversion::new());
//! assert_eq!(proof.unwrap().parts, 1);
//! ```

use crate::error::Error;
use crate::prove;
use crate::report::{Kind, Report};

mod body;
mod converted;
mod draft;
mod edit;
mod field;
mod header;
mod label;
mod leave;
mod measure;
mod parameters;
mod plan;
mod raw_text;
mod segment;
mod signatures;
mod words;
mod written;

pub use crate::prove::{Change, Conversion, Headers, MAX_FIELD, OnMalformed, Verification};
pub use converted::Converted;
pub use draft::{MAX_CHANGES, MAX_WRITTEN};
use plan::Plan;

/// Converts a message to UTF-8.
///
/// Accepts any octets. The result is borrowed for messages in UTF-8 and US-ASCII, and for the result of
/// an earlier conversion: converting twice changes nothing more.
///
/// ```
/// use mime_charset::convert::{Conversion, convert};
///
/// let source = b"Subject: =?euc-kr?B?x9Gxub7u?=\r\n\
///     Content-Type: text/plain; charset=euc-kr\r\n\
///     Content-Transfer-Encoding: 8bit\r\n\r\n\xC7\xD1\xB1\xB9\xBE\xEE\r\n";
/// let converted = convert(source, &Conversion::new());
/// assert_eq!(
///     converted.as_bytes(),
///     "Subject: =?UTF-8?B?7ZWc6rWt7Ja0?=\r\n\
///      Content-Type: text/plain; charset=UTF-8\r\n\
///      Content-Transfer-Encoding: 8bit\r\n\r\n한국어\r\n".as_bytes()
/// );
/// assert_eq!(converted.changes.len(), 3);
/// ```
pub fn convert<'a>(source: &'a [u8], options: &Conversion) -> Converted<'a> {
    convert_unless(source, options, |_| None)
}

/// Like [`convert`], but keeps a message that would change if `refuse` returns a reason against the
/// converted octets. The reason becomes the detail of a finding of kind [`Kind::Unconverted`].
///
/// Call it for messages in a container that cannot hold all octets. Otherwise call [`convert`].
///
/// ```
/// use mime_charset::Kind;
/// use mime_charset::convert::{Conversion, convert_unless};
///
/// let source = b"Subject: =?koi8-r?Q?=F0?=\n\n";
/// let is_long = |octets: &[u8]| (octets.len() > 20).then_some("text longer than 20 octets");
/// let kept = convert_unless(source, &Conversion::new(), is_long);
/// assert_eq!(kept.as_bytes(), source);
/// assert!(kept.report.has(Kind::Unconverted));
/// ```
pub fn convert_unless<'a>(
    source: &'a [u8],
    options: &Conversion,
    refuse: impl FnOnce(&[u8]) -> Option<&'static str>,
) -> Converted<'a> {
    const DEPENDS: &str = "text that would be read differently once the rest is in UTF-8";
    let options = options.effective();
    let has_guesses = options.guessed.is_some();
    let mut attempt = Attempt::new(source, &options);
    if (has_guesses || attempt.needs_proof) && !attempt.holds(source, &options) {
        if !has_guesses {
            return attempt.leave_all(source, DEPENDS);
        }
        // A guess may depend on text that this conversion changes. Try again without guesses.
        drop(attempt);
        let without_guesses = Conversion {
            guessed: None,
            ..options
        };
        attempt = Attempt::new(source, &without_guesses);
        if !attempt.holds(source, &options) {
            return attempt.leave_all(source, DEPENDS);
        }
        let detail = "guesses that would change once the rest is in UTF-8";
        let report = &mut attempt.consequences;
        report.add(Kind::Unconverted, 0, source.len(), detail);
    }
    if attempt.converted.changes.is_empty() {
        return attempt.accept();
    }
    match refuse(attempt.converted.as_bytes()) {
        Some(why) => attempt.leave_all(source, why),
        None => attempt.accept(),
    }
}

/// Proves that `result` is `source` with these changes, made with these options, and means the same.
///
/// # Errors
///
/// The first violation. Its offset counts octets of `result`. If only one octet is damaged, the
/// offset is that of the octet.
///
/// ```
/// use mime_charset::convert::{Conversion, convert, verify};
///
/// let source = b"Subject: =?koi8-r?Q?=F0?=\n\n";
/// let converted = convert(source, &Conversion::new());
/// let proof = verify(source, converted.as_bytes(), &converted.changes, &Conversion::new());
/// assert_eq!(proof.unwrap().fields, 1);
///
/// let mut damaged = converted.as_bytes().to_vec();
/// damaged[20] ^= 1;
/// let error = verify(source, &damaged, &converted.changes, &Conversion::new()).unwrap_err();
/// assert_eq!(error.offset(), Some(20));
/// ```
pub fn verify(
    source: &[u8],
    result: &[u8],
    changes: &[Change],
    options: &Conversion,
) -> Result<Verification, Error> {
    prove::verify(source, result, changes, &options.effective(), false)
}

/// Maximum number of octets of new bodies to keep until the result is written.
const MAX_KEPT: usize = 2 << 20;

/// A conversion that may need a proof before it is returned.
struct Attempt<'a> {
    converted: Converted<'a>,
    /// Findings about signatures, digests and document declarations that the changes make wrong, and
    /// about guesses.
    consequences: Report,
    needs_proof: bool,
}

impl<'a> Attempt<'a> {
    fn new(source: &'a [u8], options: &Conversion) -> Self {
        let mut plan = Plan::new(source, options, MAX_KEPT);
        Attempt {
            consequences: std::mem::take(&mut plan.consequences),
            needs_proof: plan.needs_proof() || has_bare_cr(source),
            converted: plan.write(),
        }
    }

    /// Whether the proof accepts the result, and converting it again would change nothing more.
    fn holds(&self, source: &[u8], options: &Conversion) -> bool {
        let (octets, changes) = (self.converted.as_bytes(), &self.converted.changes);
        changes.is_empty()
            || (prove::verify(source, octets, changes, options, true).is_ok()
                && Plan::new(octets, options, MAX_KEPT).is_empty())
    }

    fn accept(self) -> Converted<'a> {
        let mut converted = self.converted;
        converted.report.absorb(self.consequences, 0);
        converted
    }

    /// Reverts all changes for a reason.
    fn leave_all(self, source: &'a [u8], detail: &'static str) -> Converted<'a> {
        let mut converted = self.converted;
        converted.revert(source);
        let report = &mut converted.report;
        report.add(Kind::Unconverted, 0, source.len(), detail);
        converted
    }
}

/// Whether a message has a CR without LF. Its line ending is then inferred from its content.
fn has_bare_cr(source: &[u8]) -> bool {
    let mut found = memchr::memchr_iter(b'\r', source);
    found.any(|at| source.get(at + 1) != Some(&b'\n'))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{Conversion, Headers, OnMalformed, Plan, convert, verify};
    use crate::transfer::Base64Writer;
    use crate::work::work_of;

    /// The corpus, all octets, and all kinds of lines under each encoding and in each kind of
    /// charset.
    fn messages_of_all_kinds() -> Vec<Vec<u8>> {
        let mut messages: Vec<Vec<u8>> = Vec::new();
        for folder in ["corpus/mail", "corpus/malformed"] {
            let files = fs::read_dir(folder).unwrap();
            messages.extend(files.map(|file| fs::read(file.unwrap().path()).unwrap()));
        }
        let all: Vec<u8> = (0..=255).collect();
        let long = "=1B$B8l=1B(B caf=E9 ".repeat(90);
        let bodies: [&[u8]; 13] = [
            b"\x1B$B8l\x1B(B\n--\nFrom \x1B$B8l\x1B(B.\n.\n",
            b"\x1B$B8l\x1B(B\r\n\x1B$B8l\x1B(B \r\n",
            b"\x1B$B8l\x1B(B\rx",
            b"caf\xE9 au lait\r\n-----BEGIN PGP MESSAGE-----\r\n",
            b"\xF0\xD2\xC9\n-- \n\xED\xA0\x80\xEF\xBF\xBE\0",
            b"\xFE\xFF\0a\0\n\xAC\x00",
            b"<meta charset=koi8-r>\xF0 +AOk- \xEF\xBB\xBF",
            b"8NLJ18XU\r\n8NLJ\r\n",
            b"8NLJ!18XU====",
            &all,
            long.as_bytes(),
            b"\xEF\xBB\xBFx \xE3\xB4\xAE",
            b"<meta charset=koi8-r>\xC3\xA9",
        ];
        let labels = [
            "",
            "utf-8",
            "utf8",
            "koi8-r",
            "iso-2022-jp",
            "utf-7",
            "utf-16",
            "euc-kr",
            "us-ascii",
            "cesu-8",
            "unicode-1-1-utf-8",
            "ibm037",
            "unknown-8bit",
        ];
        for encoding in [
            "7bit",
            "8bit",
            "binary",
            "base64",
            "quoted-printable",
            "x-odd",
        ] {
            for label in labels {
                for body in bodies {
                    let header = format!(
                        "Content-Type: text/html; charset={label}\n\
                         Content-Transfer-Encoding: {encoding}\n\n"
                    );
                    messages.push([header.as_bytes(), body].concat());
                }
            }
        }
        messages
    }

    /// The result is the same whether bodies are encoded at once or in pieces.
    #[test]
    fn bodies_in_pieces_equal_whole_bodies() {
        let all = [
            Conversion::new(),
            Conversion {
                guessed: Some(1),
                attachments: true,
                ..Conversion::new()
            },
            Conversion {
                on_malformed: OnMalformed::Replace,
                keep_declarations: false,
                ..Conversion::new()
            },
            Conversion {
                headers: Headers::Utf8,
                on_malformed: OnMalformed::Fail,
                ..Conversion::new()
            },
        ];
        let mut changed = 0;
        for options in all {
            let options = options.effective();
            for message in &messages_of_all_kinds() {
                let once = Plan::new(message, &options, usize::MAX).write();
                let pieces = Plan::new(message, &options, 0).write();
                let name = String::from_utf8_lossy(message);
                assert_eq!(once.as_bytes(), pieces.as_bytes(), "{name}");
                assert_eq!(once.changes, pieces.changes, "{name}");
                assert_eq!(once.report, pieces.report, "{name}");
                assert_eq!(once.charsets, pieces.charsets, "{name}");
                assert_eq!(once.failure.is_some(), pieces.failure.is_some(), "{name}");
                changed += pieces
                    .changes
                    .iter()
                    .filter(|change| change.field().is_none())
                    .count();
            }
        }
        assert!(changed > 300, "{changed}");
    }

    /// Large bodies are verified in pieces, and rejected if altered.
    #[test]
    fn large_bodies_are_verified() {
        let lines = |text: &[u8]| text.repeat((300 << 10) / text.len());
        let base64 = |octets: &[u8]| {
            let mut writer = Base64Writer::new("\n");
            [writer.push(octets), writer.finish()].concat()
        };
        let bodies = [
            ("koi8-r", "8bit", lines(b"\xF0\xD2\xC9\xD7\xC5\xD4\n")),
            ("iso-2022-jp", "7bit", lines(b"\x1B$B8l\x1B(B abc\n")),
            ("koi8-r", "base64", base64(&lines(b"\xF0\xD2\xC9\xD7\r\n"))),
            ("koi8-r", "quoted-printable", lines(b"=F0=D2 =C9=\n=D7\n")),
        ];
        for (label, encoding, body) in bodies {
            let header = format!(
                "Content-Type: text/plain; charset={label}\n\
                 Content-Transfer-Encoding: {encoding}\n\n"
            );
            let source = [header.as_bytes(), &body].concat();
            let converted = convert(&source, &Conversion::new());
            let octets = converted.as_bytes();
            let proof = verify(&source, octets, &converted.changes, &Conversion::new());
            assert_eq!(proof.unwrap().parts, 1);
            // Another letter in the middle, with a matching checksum.
            let change = converted.changes.last().unwrap();
            let range = &change.after;
            let mut altered = octets.to_vec();
            let middle = range.start + range.len() / 2;
            let behind = &altered[middle..range.end];
            let letter = behind.iter().position(u8::is_ascii_uppercase);
            let end = behind.iter().position(|octet| *octet == b'\n');
            let at = middle + letter.or(end).unwrap();
            altered[at] = if altered[at] == b'A' { b'B' } else { b'A' };
            let mut changes = converted.changes.clone();
            let sum = crate::prove::checksum::of(&altered[range.clone()]);
            *changes.last_mut().unwrap() =
                super::Change::new(change.before.clone(), range.clone(), sum);
            let proof = verify(&source, &altered, &changes, &Conversion::new());
            assert!(proof.is_err(), "{label} {encoding}");
        }
    }

    /// Time is linear: doubling the message about doubles the work.
    #[test]
    fn the_work_of_hostile_messages_doubles_with_their_size() {
        let nested = "Content-Type: multipart/mixed; boundary=b\n\n--b\n";
        let shapes = [
            ("Subject: ", "=?koi8-r?Q?=F0?= ", "\n\n"),
            ("Subject: ", "=?koi8-r?Q?=F0?= =?utf-8?Q?a?= ", "\n\n"),
            ("Subject: ", "\u{e9} =?utf-8?Q?a?= ", "\n\n"),
            ("Subject: ", "\u{e9} a ", "\n\n"),
            ("From: ", "=?koi8-r?Q?=F0?= <a@b>, ", "\n\n"),
            ("From: ", "\"\u{e9}\" (\u{e9}) <a@b>, ", "\n\n"),
            ("Content-Type: text/plain; ", "a*=koi8-r''%F0; ", "\n\n"),
            ("Content-Type: text/plain; ", "charset=koi8-r; ", "\n\na"),
            ("To: =?koi8-r?Q?=F0?=\nX: ", "*=utf-8''", "\n\n"),
            ("To: =?koi8-r?Q?=F0?=\nX: ", "*=utf-8''a ", "\n\n"),
            ("To: =?koi8-r?Q?=F0?=\nX: ", "=?utf-8?Q?", "\n\n"),
            ("To: =?koi8-r?Q?=F0?=\nX: ", "=?utf-8?Q?a b?=", "\n\n"),
            ("", "Subject: =?koi8-r?Q?=F0?=\n", "\n"),
            ("Subject: \u{e9}\n", "DKIM-Signature: h=subject\n", "\n"),
            (nested, "--b\n\n\u{e9}\n", ""),
            (nested, "--b\nSubject: \u{e9}\n\n\u{e9}\n", ""),
            (
                "Content-Type: text/plain; charset=koi8-r\n\n",
                "\u{e9}\n",
                "",
            ),
            ("Content-Type: text/plain; charset=utf-7\n\n", "+AOk-\n", ""),
            ("", nested, ""),
            ("", "Content-Type: message/rfc822\n\n", "\u{e9}"),
        ];
        for (start, shape, end) in shapes {
            let of = |length: usize| {
                let message = format!("{start}{}{end}", shape.repeat(length / shape.len()));
                work_of(|| {
                    let converted = convert(message.as_bytes(), &Conversion::new());
                    let (octets, changes) = (converted.as_bytes(), &converted.changes);
                    let proof = verify(message.as_bytes(), octets, changes, &Conversion::new());
                    assert_eq!(proof.err(), None, "{start:?} {shape:?}");
                })
            };
            let (small, large) = (of(32 << 10), of(64 << 10));
            assert!(
                large <= small * 9 / 4 + 16384,
                "{start:?} {shape:?}: {small}, then {large}"
            );
        }
    }
}
