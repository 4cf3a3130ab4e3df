//! One message in, the same message in UTF-8 out.
//!
//! [`convert`] changes what has to change and nothing else: the octets of text parts in
//! another charset, the label and the transfer encoding that these need, and the words of
//! header fields that are in another charset. Every other octet of the result is that of the
//! source, in its place; each changed range is a [`Change`]. [`verify`] proves it from the
//! two messages and the list of changes.
//!
//! What is left alone, on purpose:
//!
//! - text in UTF-8 or US-ASCII, and encoded words and parameters in these;
//! - everything under `multipart/signed` and `multipart/encrypted` (RFC 1847), text with a
//!   block of `OpenPGP` in it (RFC 9580, section 6.2), and parts that are not text, S/MIME among
//!   them;
//! - attachments, unless asked for: who saved the file wants the file;
//! - what cannot be decoded without loss, and what only a guess could decode. An archive is
//!   read by people who can guess again, with more to go by; what a wrong guess has
//!   overwritten they cannot;
//! - a message with something in it that would be read in another way once the rest is in UTF-8: a
//!   broken field, or raw text and a body without a label, which are read by what stands around
//!   them. Where there is such a thing, or something is left alone for another reason, the result is
//!   proved before it is given to the caller; where the proof fails, the message stays as it is.
//!
//! The last two of these are findings of kind [`Kind::Unconverted`]. A change that a signature forbids
//! is a finding of kind [`Kind::SignedContent`].
//!
//! A charset was guessed if its [`Source`](crate::Source) is `Detected`, or `Default` with octets
//! above 7F. A label, a byte order mark, a declaration in the document, and octets that leave no
//! other reading are no guesses. For raw text in a header there is one more charset that is no
//! guess: the one that the message declares for its text, where the raw text can be read in it.
//!
//! Text keeps its line ends. Only text that has to move from 7bit, 8bit or binary to base64
//! gets CRLF for the line ends of a message that has LF, since RFC 2045, section 6.8, has
//! CRLF under base64.
//!
//! ```
//! use mime_charset::convert::{Conversion, convert, verify};
//!
//! let source = b"Content-Type: text/plain; charset=koi8-r\n\n\xF0\xD2\xC9\n";
//! let converted = convert(source, &Conversion::new());
//! let proof = verify(source, converted.as_bytes(), converted.changes(), &Conversion::new());
//! assert_eq!(proof.unwrap().parts(), 1);
//! ```

use std::borrow::Cow;
use std::ops::Range;

use crate::error::Error;
use crate::message::{Message, Part};
use crate::prove::{self, is_security_multipart};
use crate::report::Kind;
use crate::transfer::{self, TransferEncoding};

mod body;
mod converted;
mod draft;
mod edit;
mod field;
mod header;
mod label;
mod leave;
mod measure;
mod options;
mod segment;
mod signatures;
mod written;

pub use crate::prove::{Change, MAX_FIELD, Verification};
pub use converted::Converted;
use draft::{Draft, SPARE};
pub use draft::{MAX_CHANGES, MAX_WRITTEN};
pub use options::{Conversion, Headers, OnMalformed};

/// The same message in UTF-8.
///
/// Any octets are a message. Messages in UTF-8 and US-ASCII are borrowed, and so is what a
/// conversion gave: converting twice changes nothing more.
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
/// assert_eq!(converted.changes().len(), 3);
/// ```
pub fn convert<'a>(source: &'a [u8], options: &Conversion) -> Converted<'a> {
    let options = options.of_source();
    let converted = convert_inside(source, &options, Extent::WHOLE);
    let is_guess = options.guessed.is_some();
    let needs_proof = converted.needs_proof || has_bare_cr(source);
    if !(is_guess || needs_proof) || holds(source, &converted, &options) {
        return converted;
    }
    drop(converted);
    let certain = options.guessed(None);
    let without_guesses = is_guess
        .then(|| convert_inside(source, &certain, Extent::WHOLE))
        .filter(|converted| holds(source, converted, &options));
    let (mut converted, detail) = match without_guesses {
        Some(converted) => (
            converted,
            "guesses that would be others once the rest is in UTF-8",
        ),
        None => (
            convert_inside(source, &certain, Extent::NOTHING),
            "what would be read otherwise once the rest is in UTF-8",
        ),
    };
    let report = &mut converted.report;
    report.add(Kind::Unconverted, 0, source.len(), detail);
    converted
}

/// Proves that `result` is `source` with these changes, made with these options, and says
/// the same.
///
/// # Errors
///
/// The first thing that does not hold; its offset counts octets of `result`. A single
/// damaged octet is named by it.
///
/// ```
/// use mime_charset::convert::{Conversion, convert, verify};
///
/// let source = b"Subject: =?koi8-r?B?8NLJ18XU?=\n\n";
/// let converted = convert(source, &Conversion::new());
/// let proof = verify(source, converted.as_bytes(), converted.changes(), &Conversion::new());
/// assert_eq!(proof.unwrap().fields(), 1);
///
/// let mut damaged = converted.as_bytes().to_vec();
/// damaged[20] ^= 1;
/// let error = verify(source, &damaged, converted.changes(), &Conversion::new()).unwrap_err();
/// assert_eq!(error.offset(), Some(20));
/// ```
pub fn verify(
    source: &[u8],
    result: &[u8],
    changes: &[Change],
    options: &Conversion,
) -> Result<Verification, Error> {
    prove::verify(source, result, changes, &options.allowed())
}

/// Whether a conversion can be proved, and another one would change nothing more.
fn holds(source: &[u8], converted: &Converted<'_>, options: &Conversion) -> bool {
    let (octets, changes) = (converted.as_bytes(), converted.changes());
    changes.is_empty()
        || (prove::verify_own(source, octets, changes, &options.allowed()).is_ok()
            && convert_inside(octets, options, Extent::WHOLE)
                .changes
                .is_empty())
}

/// Whether there is a CR that is not of a CRLF: what ends lines is then told by what is there.
fn has_bare_cr(source: &[u8]) -> bool {
    let mut found = memchr::memchr_iter(b'\r', source);
    found.any(|at| source.get(at + 1) != Some(&b'\n'))
}

/// How deep messages under a transfer encoding are looked into.
const LOOKED_INTO: usize = 3;

fn convert_inside<'a>(source: &'a [u8], options: &Conversion, extent: Extent) -> Converted<'a> {
    convert_to(source, options, 0, extent)
}

/// How far a conversion goes.
#[derive(Debug, Clone, Copy)]
struct Extent {
    /// How many octets for bodies are kept until the result is put together; those of further
    /// ones are made then.
    kept: usize,
    /// Whether nothing is changed after all: then nothing breaks by it either.
    leaves_all: bool,
}

impl Extent {
    const WHOLE: Extent = Extent {
        kept: 2 << 20,
        leaves_all: false,
    };
    const NOTHING: Extent = Extent {
        leaves_all: true,
        ..Extent::WHOLE
    };
}

fn convert_to<'a>(
    source: &'a [u8],
    options: &Conversion,
    depth: usize,
    extent: Extent,
) -> Converted<'a> {
    let mut message = Message::parse(source);
    let mut encoded = Vec::new();
    if depth < LOOKED_INTO {
        let bodies: Vec<_> = message.entities().filter_map(encoded_message).collect();
        if !bodies.is_empty() {
            // What they hold is decoded once, and not beside what all messages in them hold.
            drop(message);
            encoded = would_change(bodies, source, options, depth, extent);
            message = Message::parse(source);
        }
    }
    let mut draft = Draft {
        most_kept: extent.kept,
        most: source.len().saturating_mul(3).saturating_add(SPARE),
        before: source.len(),
        ..Draft::default()
    };
    // Where delimiters were looked for, what is put in could be taken for one.
    draft.needs_proof |= message.report().has(Kind::MissingBoundary);
    // Whether what stands in each entity is signed or encrypted (RFC 1847, section 2).
    let mut protected = Vec::new();
    for entity in message.entities() {
        let parent = entity
            .parent()
            .and_then(|parent| protected.get(parent.index()));
        let is_protected = parent == Some(&true);
        protected.push(is_protected || is_security_multipart(entity));
        let Some(header) = entity.header_range() else {
            // What is under a transfer encoding stays, raw text among it.
            draft.needs_proof = true;
            continue;
        };
        let mut own = draft.of_entity();
        convert_entity(entity, options, &mut own);
        own.keep_within_limit(&header);
        if is_protected {
            own.keep_signed(header);
        }
        if encoded.binary_search(&entity.index()).is_ok() {
            leave::encoded_message(entity, &mut own.report);
        }
        draft.take(own);
        if draft.changes.len() > MAX_CHANGES || draft.has_written_much() {
            let detail = if draft.has_written_much() {
                format!("its fields need more than {MAX_WRITTEN} octets")
            } else {
                format!("it needs more than {MAX_CHANGES} changes")
            };
            draft.leave(&(0..source.len()), detail);
            draft.take_back();
            break;
        }
    }
    if draft.failure.is_some() || extent.leaves_all {
        draft.take_back();
    } else {
        draft.report_broken_signatures(&message);
        draft.report_conflicts();
    }
    let message_id = message.field("Message-ID");
    let message_id = message_id.and_then(|field| source.get(field.body_range()?));
    let header = message.root().header_range().and_then(|it| source.get(it));
    let octets = if depth == 0 {
        draft.apply(source)
    } else {
        // Only what there is to report is asked for.
        Cow::Borrowed(source)
    };
    Converted {
        octets,
        changes: draft.changes,
        report: draft.report,
        failure: draft.failure,
        header: header.unwrap_or_default(),
        message_id,
        parts: message.parts().count(),
        changed: draft.changed,
        charsets: draft.charsets,
        needs_proof: draft.needs_proof,
    }
}

/// Which of these entities, by index, hold a message that would change or have a finding. They stay
/// as they are: a message under a transfer encoding (RFC 2046, section 5.2.1) is not written anew.
fn would_change(
    bodies: Vec<(usize, Range<usize>, TransferEncoding)>,
    source: &[u8],
    options: &Conversion,
    depth: usize,
    extent: Extent,
) -> Vec<usize> {
    let whole = Extent {
        leaves_all: false,
        ..extent
    };
    let would_change = |(index, range, encoding)| {
        let body = source.get::<Range<usize>>(range).unwrap_or_default();
        let octets = transfer::decode(body, encoding).into_octets();
        let inner = convert_to(&octets, options, depth + 1, whole);
        (!inner.changes.is_empty() || !inner.report.is_empty()).then_some(index)
    };
    bodies.into_iter().filter_map(would_change).collect()
}

fn convert_entity(entity: Part<'_>, options: &Conversion, draft: &mut Draft) {
    let body = body::plan(entity, options, draft);
    header::convert(entity, body, options, draft);
}

/// The place of an entity that is a message under a transfer encoding, and of its body.
fn encoded_message(entity: Part<'_>) -> Option<(usize, Range<usize>, TransferEncoding)> {
    let is_encoded = |inner: &Part<'_>| inner.header_range().is_none();
    entity.inner().filter(is_encoded)?;
    let range = entity.body_range()?;
    Some((entity.index(), range, entity.transfer_encoding()))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{Conversion, Extent, Headers, OnMalformed, convert, convert_inside, verify};
    use crate::transfer::Base64Writer;
    use crate::work::work_of;

    /// Whether bodies are made at once or a piece at a time makes no difference to anything.
    #[test]
    fn bodies_in_pieces_are_those_at_once() {
        let mut messages: Vec<Vec<u8>> = Vec::new();
        for folder in ["corpus/mail", "corpus/malformed"] {
            let files = fs::read_dir(folder).unwrap();
            messages.extend(files.map(|file| fs::read(file.unwrap().path()).unwrap()));
        }
        // All octets, and lines of all kinds, under each encoding and in charsets of each kind.
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
        let all = [
            Conversion::new(),
            Conversion::new().guessed(Some(1)).attachments(true),
            Conversion::new()
                .on_malformed(OnMalformed::Replace)
                .fix_declarations(true),
            Conversion::new()
                .headers(Headers::Utf8)
                .on_malformed(OnMalformed::Fail),
        ];
        let mut changed = 0;
        for options in all.map(|options| options.guessed(options.guessed)) {
            let options = options.of_source();
            for message in &messages {
                let keeping = |kept| Extent {
                    kept,
                    ..Extent::WHOLE
                };
                let once = convert_inside(message, &options, keeping(usize::MAX));
                let pieces = convert_inside(message, &options, keeping(0));
                let name = String::from_utf8_lossy(message);
                assert_eq!(once.as_bytes(), pieces.as_bytes(), "{name}");
                assert_eq!(once.changes(), pieces.changes(), "{name}");
                assert_eq!(once.report(), pieces.report(), "{name}");
                assert_eq!(once.charsets(), pieces.charsets(), "{name}");
                assert_eq!(
                    once.failure().is_some(),
                    pieces.failure().is_some(),
                    "{name}"
                );
                changed += pieces
                    .changes()
                    .iter()
                    .filter(|change| change.field().is_none())
                    .count();
            }
        }
        assert!(changed > 300, "{changed}");
    }

    /// Large bodies are proved a piece at a time, and refused where they were altered.
    #[test]
    fn large_bodies_are_proved() {
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
            let proof = verify(&source, octets, converted.changes(), &Conversion::new());
            assert_eq!(proof.unwrap().parts(), 1);
            // Another letter in the middle, with the checksum that it has.
            let change = converted.changes().last().unwrap();
            let range = change.after();
            let mut altered = octets.to_vec();
            let middle = range.start + range.len() / 2;
            let behind = &altered[middle..range.end];
            let letter = behind.iter().position(u8::is_ascii_uppercase);
            let end = behind.iter().position(|octet| *octet == b'\n');
            let at = middle + letter.or(end).unwrap();
            altered[at] = if altered[at] == b'A' { b'B' } else { b'A' };
            let mut changes = converted.changes().to_vec();
            let sum = crate::prove::checksum::of(&altered[range.clone()]);
            *changes.last_mut().unwrap() = super::Change::new(change.before(), range, sum);
            let proof = verify(&source, &altered, &changes, &Conversion::new());
            assert!(proof.is_err(), "{label} {encoding}");
        }
    }

    /// Time is linear: for twice the message little more than twice the octets are looked at.
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
                    let (octets, changes) = (converted.as_bytes(), converted.changes());
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
