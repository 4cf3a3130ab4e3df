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
//! - a message in which something broken would be read otherwise once the rest is in UTF-8. Where a
//!   field is broken, or was left for another reason, the conversion is proved and made a second
//!   time before it is given out.
//!
//! The last two of these are findings of kind [`Kind::Unconverted`]; what would have changed
//! under a signature is one of kind [`Kind::SignedContent`].
//!
//! A charset was guessed if its [`Source`] is `Detected`, or `Default` with octets above 7F.
//! A label, a byte order mark, a declaration in the document, and octets that leave no other
//! reading are no guesses; nor is, for raw text in a header, the charset that the message
//! declares for its text, where that fits.
//!
//! Text keeps its line ends. Only text that has to move from 7bit, 8bit or binary to base64
//! gets CRLF for the line ends of a message that has LF, since RFC 2045, section 6.8, has
//! CRLF under base64.
//!
//! ```
//! use mime_charset::convert::{Options, convert, verify};
//!
//! let source = b"Content-Type: text/plain; charset=koi8-r\n\n\xF0\xD2\xC9\n";
//! let converted = convert(source, &Options::new());
//! let proof = verify(source, converted.octets(), converted.changes(), &Options::new());
//! assert_eq!(proof.unwrap().parts(), 1);
//! ```

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use crate::charset::{self, Charset};
use crate::error::Error;
use crate::label::Label;
use crate::message::{MAX_HEADER, Message, Part};
use crate::report::{Kind, Report, Source};
use crate::transfer::{self, TransferEncoding};

mod body;
mod checksum;
mod field;
mod pieces;
mod scope;
mod verify;
mod written;

use verify::verify_own;
pub use verify::{Verification, verify};
use written::Later;

/// How to convert. Built by value:
///
/// ```
/// use mime_charset::convert::{Headers, OnMalformed, Options};
///
/// let options = Options::new()
///     .headers(Headers::Utf8)
///     .on_malformed(OnMalformed::Replace)
///     .attachments(true)
///     .guessed(Some(90));
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct Options {
    reading: charset::Options,
    headers: Headers,
    on_malformed: OnMalformed,
    attachments: bool,
    fix_declarations: bool,
    guessed: Option<u8>,
}

impl Options {
    /// The defaults: encoded words in headers, what is malformed stays, attachments,
    /// declarations in documents and guesses are left alone.
    #[must_use]
    pub const fn new() -> Self {
        Options {
            reading: charset::Options::new(),
            headers: Headers::Words,
            on_malformed: OnMalformed::Keep,
            attachments: false,
            fix_declarations: false,
            guessed: None,
        }
    }

    /// How to read the octets of the source. Whatever is asked, a byte order mark stays, and
    /// what is labelled UTF-8 is not read as Unicode 1.1: nothing in the result would tell
    /// that it is not any more.
    ///
    /// ```
    /// use mime_charset::convert::{Options, convert};
    ///
    /// // Old Hangul under its label, kept where it was.
    /// let reading = mime_charset::Options::new().hangul(mime_charset::hangul::HangulPolicy::Never);
    /// let source = "Subject: =?unicode-1-1-utf-8?Q?=E3=90=80?=\n\n".as_bytes();
    /// let converted = convert(source, &Options::new().reading(reading));
    /// assert_eq!(converted.octets(), b"Subject: =?UTF-8?B?45CA?=\n\n");
    /// ```
    #[must_use]
    pub const fn reading(mut self, reading: charset::Options) -> Self {
        self.reading = reading;
        self
    }

    /// How text above US-ASCII stands in header fields.
    ///
    /// ```
    /// use mime_charset::convert::{Headers, Options, convert};
    ///
    /// let options = Options::new().headers(Headers::Utf8);
    /// let converted = convert(b"Subject: =?koi8-r?Q?=F0?=\n\n", &options);
    /// assert_eq!(converted.octets(), "Subject: П\n\n".as_bytes());
    /// ```
    #[must_use]
    pub const fn headers(mut self, headers: Headers) -> Self {
        self.headers = headers;
        self
    }

    /// What becomes of text that cannot be decoded without loss.
    ///
    /// ```
    /// use mime_charset::convert::{OnMalformed, Options, convert};
    ///
    /// let options = Options::new().on_malformed(OnMalformed::Replace);
    /// let converted = convert(b"Subject: =?euc-kr?Q?a=FF?=\n\n", &options);
    /// assert_eq!(converted.octets(), b"Subject: =?UTF-8?B?Ye+/vQ==?=\n\n");
    /// assert_eq!(converted.changes()[0].report().replacements(), 1);
    /// ```
    #[must_use]
    pub const fn on_malformed(mut self, on_malformed: OnMalformed) -> Self {
        self.on_malformed = on_malformed;
        self
    }

    /// Whether text parts that are attachments are converted too: those with a
    /// Content-Disposition other than `inline` (RFC 2183, section 2.8).
    ///
    /// ```
    /// use mime_charset::convert::{Options, convert};
    ///
    /// let source = b"Content-Type: text/plain; charset=koi8-r\nContent-Disposition: attachment\n\n\xF0";
    /// assert!(convert(source, &Options::new()).changes().is_empty());
    /// let converted = convert(source, &Options::new().attachments(true));
    /// assert!(converted.octets().ends_with("П".as_bytes()));
    /// ```
    #[must_use]
    pub const fn attachments(mut self, convert: bool) -> Self {
        self.attachments = convert;
        self
    }

    /// Whether a declaration inside a document (HTML `meta`, XML, CSS) that names the old
    /// charset is rewritten. It is part of the text, and so is left alone otherwise.
    ///
    /// ```
    /// use mime_charset::convert::{Options, convert};
    ///
    /// let source = b"Content-Type: text/html; charset=koi8-r\n\n<meta charset=koi8-r>\xF0";
    /// let converted = convert(source, &Options::new().fix_declarations(true));
    /// assert!(converted.octets().ends_with("<meta charset=UTF-8>П".as_bytes()));
    /// ```
    #[must_use]
    pub const fn fix_declarations(mut self, fix: bool) -> Self {
        self.fix_declarations = fix;
        self
    }

    /// From which confidence on, in percent, a guess is converted; `None` for never.
    ///
    /// A guess leans on what the rest of the message says, and a conversion changes that. Where
    /// a second conversion would read otherwise what the first left, guesses are left alone.
    ///
    /// ```
    /// use mime_charset::convert::{Options, convert};
    ///
    /// let source = b"Subject: x\n\ncaf\xE9 au lait";
    /// assert!(convert(source, &Options::new()).changes().is_empty());
    /// let converted = convert(source, &Options::new().guessed(Some(1)));
    /// assert!(converted.octets().ends_with("café au lait".as_bytes()));
    /// ```
    #[must_use]
    pub const fn guessed(mut self, confidence: Option<u8>) -> Self {
        self.guessed = confidence;
        self
    }

    /// Whether a charset found so may be relied on.
    fn relies_on(&self, source: Source, confidence: u8) -> bool {
        !matches!(source, Source::Detected | Source::Default)
            || self.guessed.is_some_and(|least| confidence >= least)
    }
}

/// How text above US-ASCII stands in header fields.
///
/// ```
/// use mime_charset::convert::Headers;
///
/// assert_eq!(Headers::default(), Headers::Words);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Headers {
    /// As encoded words and extended parameters, which every mail program reads (RFC 2047,
    /// RFC 2231). Raw UTF-8 becomes words too.
    #[default]
    Words,
    /// As raw UTF-8 (RFC 6532) where that says the same. Words that already are UTF-8 stay
    /// words, and so do those next to them; parameters become extended ones.
    Utf8,
}

/// What becomes of text that cannot be decoded without loss.
///
/// ```
/// use mime_charset::convert::OnMalformed;
///
/// assert_eq!(OnMalformed::default(), OnMalformed::Keep);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum OnMalformed {
    /// It stays as it is, and is reported.
    #[default]
    Keep,
    /// U+FFFD takes the place of what is malformed, and is counted in the change.
    Replace,
    /// The whole message stays as it is; [`Converted::failure`] says why.
    Fail,
}

/// A message in UTF-8, and what was changed to get there.
///
/// ```
/// use mime_charset::convert::{Options, convert};
///
/// let converted = convert(b"Subject: plain\n\ntext\n", &Options::new());
/// assert!(converted.changes().is_empty() && converted.report().is_empty());
/// ```
#[derive(Debug, Clone)]
#[must_use]
pub struct Converted<'a> {
    octets: Cow<'a, [u8]>,
    changes: Vec<Change>,
    report: Report,
    failure: Option<Error>,
    message_id: Option<&'a [u8]>,
    parts: usize,
    changed: Counts,
    charsets: Vec<Charset>,
    /// Whether it has to be proved, as [`Draft::is_odd`] says.
    is_odd: bool,
}

impl<'a> Converted<'a> {
    /// The octets of the message.
    ///
    /// ```
    /// use mime_charset::convert::{Options, convert};
    ///
    /// let converted = convert(b"X: =?latin1?Q?=E9?=\n\n", &Options::new());
    /// assert_eq!(converted.octets(), b"X: =?UTF-8?B?w6k=?=\n\n");
    /// ```
    #[must_use]
    pub fn octets(&self) -> &[u8] {
        &self.octets
    }

    /// The octets by value, borrowed from the source where nothing had to change.
    ///
    /// ```
    /// use std::borrow::Cow;
    /// use mime_charset::convert::{Options, convert};
    ///
    /// let octets = convert(b"Subject: plain\n\n", &Options::new()).into_octets();
    /// assert!(matches!(octets, Cow::Borrowed(_)));
    /// ```
    #[must_use]
    pub fn into_octets(self) -> Cow<'a, [u8]> {
        self.octets
    }

    /// The changed ranges, in the order of the message.
    ///
    /// ```
    /// use mime_charset::convert::{Options, convert};
    ///
    /// let converted = convert(b"X: =?latin1?Q?=E9?=\n\n", &Options::new());
    /// assert_eq!(converted.changes()[0].before(), 3..19);
    /// assert_eq!(converted.changes()[0].after(), 3..19);
    /// ```
    #[must_use]
    pub fn changes(&self) -> &[Change] {
        &self.changes
    }

    /// What was left alone and why, and what the changes break; offsets count octets of the
    /// source.
    ///
    /// ```
    /// use mime_charset::{Kind, convert::{Options, convert}};
    ///
    /// let converted = convert(b"\n\ncaf\xE9", &Options::new());
    /// assert!(converted.report().has(Kind::Unconverted));
    /// ```
    #[must_use]
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// The body of the source's first Message-ID field, as it stands there (RFC 5322, section
    /// 3.6.4).
    ///
    /// ```
    /// use mime_charset::convert::{Options, convert};
    ///
    /// let converted = convert(b"Message-ID: <1@example.org>\n\n", &Options::new());
    /// assert_eq!(converted.message_id(), Some(&b" <1@example.org>"[..]));
    /// ```
    #[must_use]
    pub fn message_id(&self) -> Option<&'a [u8]> {
        self.message_id
    }

    /// How many parts the message has that are no multiparts.
    ///
    /// ```
    /// use mime_charset::convert::{Options, convert};
    ///
    /// assert_eq!(convert(b"Subject: plain\n\ntext\n", &Options::new()).parts(), 1);
    /// ```
    #[must_use]
    pub fn parts(&self) -> usize {
        self.parts
    }

    /// How many fields were changed or added, each counted once however many
    /// [changes](Converted::changes) are in it: what [`Verification::fields`] counts.
    ///
    /// ```
    /// use mime_charset::convert::{Options, convert};
    ///
    /// let source = b"X: =?latin1?Q?=E9?= and =?koi8-r?Q?=F0?=\n\n";
    /// let converted = convert(source, &Options::new());
    /// assert_eq!((converted.changes().len(), converted.changed_fields()), (2, 1));
    /// ```
    #[must_use]
    pub fn changed_fields(&self) -> usize {
        self.changed.fields
    }

    /// How many parts have a body of other octets: what [`Verification::parts`] counts.
    ///
    /// ```
    /// use mime_charset::convert::{Options, convert};
    ///
    /// let converted = convert(b"Content-Type: text/plain; charset=latin1\n\n\xE9\n", &Options::new());
    /// assert_eq!(converted.changed_parts(), 1);
    /// ```
    #[must_use]
    pub fn changed_parts(&self) -> usize {
        self.changed.parts
    }

    /// How many parts have a body of the same octets under another label: what
    /// [`Verification::relabelled`] counts.
    ///
    /// ```
    /// use mime_charset::convert::{Options, convert};
    ///
    /// // In US-ASCII, as its octets are, and UTF-8 has the same.
    /// let converted = convert(b"Content-Type: text/plain; charset=latin1\n\ne\n", &Options::new());
    /// assert_eq!((converted.changed_parts(), converted.relabelled_parts()), (0, 1));
    /// ```
    #[must_use]
    pub fn relabelled_parts(&self) -> usize {
        self.changed.labels
    }

    /// The charset of the source of each text part that was looked at, in their order.
    ///
    /// ```
    /// use mime_charset::{Charset, convert::{Options, convert}};
    ///
    /// let converted = convert(b"Content-Type: text/plain; charset=koi8-r\n\n\xF0", &Options::new());
    /// assert_eq!(converted.charsets()[0].name(), "KOI8-R");
    /// ```
    #[must_use]
    pub fn charsets(&self) -> &[Charset] {
        &self.charsets
    }

    /// Why the message was left as it is, under [`OnMalformed::Fail`].
    ///
    /// ```
    /// use mime_charset::convert::{OnMalformed, Options, convert};
    ///
    /// let options = Options::new().on_malformed(OnMalformed::Fail);
    /// let converted = convert(b"X: =?euc-kr?Q?=FF?=\n\n", &options);
    /// assert_eq!(converted.failure().unwrap().offset(), Some(3));
    /// ```
    #[must_use]
    pub fn failure(&self) -> Option<&Error> {
        self.failure.as_ref()
    }
}

/// How much of a message was changed.
#[derive(Debug, Clone, Copy, Default)]
struct Counts {
    fields: usize,
    /// Those whose octets were.
    parts: usize,
    /// Those that were labelled anew and nothing else.
    labels: usize,
}

/// One range of octets that was changed, and why.
///
/// ```
/// use mime_charset::convert::{Options, convert};
///
/// let source = b"Content-Type: text/plain; charset=KOI8-R\n\n\xF0";
/// let converted = convert(source, &Options::new());
/// let body = converted.changes().last().unwrap();
/// assert_eq!((body.section(), body.field()), ("1", None));
/// assert_eq!(body.label().unwrap().as_bytes(), b"KOI8-R");
/// assert_eq!(body.before(), source.len() - 1..source.len());
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    before: Range<usize>,
    after: Range<usize>,
    checksum: u64,
    /// `None` where a report told of it. A message may be one change after another: what
    /// neighbours have in common is shared.
    what: Option<Arc<What>>,
}

/// What was changed, and how it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
struct What {
    section: Arc<str>,
    field: Option<Arc<str>>,
    reading: Reading,
}

impl Change {
    /// A change as a report tells of it; [`verify`] refuses one that is not so.
    ///
    /// Findings are not needed to verify, and are empty here.
    ///
    /// ```
    /// use mime_charset::convert::{Change, Options, convert, verify};
    ///
    /// let source = b"X: =?latin1?Q?=E9?=\n\n";
    /// let converted = convert(source, &Options::new());
    /// let told = &converted.changes()[0];
    /// let changes = [Change::new(told.before(), told.after(), told.checksum())];
    /// assert!(verify(source, converted.octets(), &changes, &Options::new()).is_ok());
    /// ```
    #[must_use]
    pub fn new(before: Range<usize>, after: Range<usize>, checksum: u64) -> Self {
        Change {
            before,
            after,
            checksum,
            what: None,
        }
    }

    /// The same, with the charset that the report says the text was in; [`verify`] refuses a
    /// change of text in another.
    ///
    /// ```
    /// use mime_charset::Charset;
    /// use mime_charset::convert::{Change, Options, convert, verify};
    ///
    /// let source = b"X: =?latin1?Q?=E9?=\n\n";
    /// let converted = convert(source, &Options::new());
    /// let told = &converted.changes()[0];
    /// let holds = |label| {
    ///     let change = Change::new(told.before(), told.after(), told.checksum());
    ///     let changes = [change.of_charset(Charset::for_label(label).unwrap())];
    ///     verify(source, converted.octets(), &changes, &Options::new()).is_ok()
    /// };
    /// assert!(holds("iso-8859-1") && !holds("big5"));
    /// ```
    #[must_use]
    pub fn of_charset(mut self, charset: Charset) -> Self {
        let reading = Reading {
            label: None,
            charset,
            source: Source::Declared,
            report: None,
        };
        self.what = Some(Arc::new(What {
            section: Arc::from(""),
            field: None,
            reading,
        }));
        self
    }

    fn reading(&self) -> Option<&Reading> {
        self.what.as_ref().map(|what| &what.reading)
    }

    /// The section number of the part that the body or the field is of, as
    /// [`Part::section`] gives it.
    ///
    /// ```
    /// use mime_charset::convert::{Options, convert};
    ///
    /// let converted = convert(b"X: =?latin1?Q?=E9?=\n\n", &Options::new());
    /// assert_eq!(converted.changes()[0].section(), "1");
    /// ```
    #[must_use]
    pub fn section(&self) -> &str {
        self.what.as_ref().map_or("", |what| &what.section)
    }

    /// The name of the field that was changed or added; `None` where it is the body.
    ///
    /// ```
    /// use mime_charset::convert::{Options, convert};
    ///
    /// let converted = convert(b"X: =?latin1?Q?=E9?=\n\n", &Options::new());
    /// assert_eq!(converted.changes()[0].field(), Some("X"));
    /// ```
    #[must_use]
    pub fn field(&self) -> Option<&str> {
        self.what.as_ref()?.field.as_deref()
    }

    /// The charset's label as it was written, `None` where there was none.
    ///
    /// ```
    /// use mime_charset::convert::{Options, convert};
    ///
    /// let converted = convert(b"X: =?latin1?Q?=E9?=\n\n", &Options::new());
    /// assert_eq!(converted.changes()[0].label().unwrap().as_bytes(), b"latin1");
    /// ```
    #[must_use]
    pub fn label(&self) -> Option<&Label<'static>> {
        self.reading()?.label.as_deref()
    }

    /// The charset the text was in.
    ///
    /// ```
    /// use mime_charset::convert::{Options, convert};
    ///
    /// let converted = convert(b"X: =?latin1?Q?=E9?=\n\n", &Options::new());
    /// assert_eq!(converted.changes()[0].charset().name(), "ISO-8859-1");
    /// ```
    #[must_use]
    pub fn charset(&self) -> Charset {
        self.reading()
            .map_or(Charset::UTF_8, |reading| reading.charset)
    }

    /// On whose word.
    ///
    /// ```
    /// use mime_charset::convert::{Options, convert};
    ///
    /// let converted = convert(b"X: =?latin1?Q?=E9?=\n\n", &Options::new());
    /// assert_eq!(converted.changes()[0].source(), mime_charset::Source::Declared);
    /// ```
    #[must_use]
    pub fn source(&self) -> Source {
        self.reading()
            .map_or(Source::Declared, |reading| reading.source)
    }

    /// What was found while the old octets were read, with the number of U+FFFD that
    /// replaced something. Offsets count octets of the source message, or those of the text
    /// as [`Within`](crate::Within) says.
    ///
    /// ```
    /// use mime_charset::{Kind, convert::{Options, convert}};
    ///
    /// let converted = convert(b"X: =?latin1?Q?=E9\n\n", &Options::new());
    /// assert!(!converted.changes()[0].report().has_loss());
    /// ```
    #[must_use]
    pub fn report(&self) -> &Report {
        static EMPTY: Report = Report::new();
        let report = self.reading().and_then(|reading| reading.report.as_deref());
        report.unwrap_or(&EMPTY)
    }

    /// Which octets of the source were changed; empty where something was added.
    ///
    /// ```
    /// use mime_charset::convert::{Options, convert};
    ///
    /// let converted = convert(b"X: =?latin1?Q?=E9?=\n\n", &Options::new());
    /// assert_eq!(converted.changes()[0].before(), 3..19);
    /// ```
    #[must_use]
    pub fn before(&self) -> Range<usize> {
        self.before.clone()
    }

    /// Which octets of the result stand in their place.
    ///
    /// ```
    /// use mime_charset::convert::{Options, convert};
    ///
    /// let converted = convert(b"X: =?latin1?Q?=E9?=\n\n", &Options::new());
    /// assert_eq!(converted.octets()[converted.changes()[0].after()], *b"=?UTF-8?B?w6k=?=");
    /// ```
    #[must_use]
    pub fn after(&self) -> Range<usize> {
        self.after.clone()
    }

    /// The CRC-64 of the octets that stand there now (ECMA-182, as the XZ format computes
    /// it), by which damage to them is found.
    ///
    /// ```
    /// use mime_charset::convert::{Options, convert};
    ///
    /// let converted = convert(b"X: =?latin1?Q?=E9?=\n\n", &Options::new());
    /// let sum = converted.changes()[0].checksum();
    /// assert_eq!(sum, 0x4091_58D0_3A94_DC9D);
    /// ```
    #[must_use]
    pub fn checksum(&self) -> u64 {
        self.checksum
    }
}

/// The same message in UTF-8.
///
/// Any octets are a message. Messages in UTF-8 and US-ASCII are borrowed, and so is what a
/// conversion gave: converting twice changes nothing more.
///
/// ```
/// use mime_charset::convert::{Options, convert};
///
/// let source = b"Subject: =?euc-kr?B?x9Gxub7u?=\r\n\
///     Content-Type: text/plain; charset=euc-kr\r\n\
///     Content-Transfer-Encoding: 8bit\r\n\r\n\xC7\xD1\xB1\xB9\xBE\xEE\r\n";
/// let converted = convert(source, &Options::new());
/// assert_eq!(
///     converted.octets(),
///     "Subject: =?UTF-8?B?7ZWc6rWt7Ja0?=\r\n\
///      Content-Type: text/plain; charset=UTF-8\r\n\
///      Content-Transfer-Encoding: 8bit\r\n\r\n한국어\r\n".as_bytes()
/// );
/// assert_eq!(converted.changes().len(), 3);
/// ```
pub fn convert<'a>(source: &'a [u8], options: &Options) -> Converted<'a> {
    let options = options.of_source();
    let converted = convert_inside(source, &options, Extent::WHOLE);
    let is_guess = options.guessed.is_some();
    let is_odd = converted.is_odd || has_bare_cr(source);
    if !(is_guess || is_odd) || holds(source, &converted, &options) {
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

/// Whether a conversion can be proved, and another one would change nothing more.
fn holds(source: &[u8], converted: &Converted<'_>, options: &Options) -> bool {
    let (octets, changes) = (converted.octets(), converted.changes());
    changes.is_empty()
        || (verify_own(source, octets, changes, options).is_ok()
            && convert_inside(octets, options, Extent::WHOLE)
                .changes
                .is_empty())
}

/// Whether there is a CR that is not of a CRLF: what ends lines is then told by what is there.
fn has_bare_cr(source: &[u8]) -> bool {
    let mut found = memchr::memchr_iter(b'\r', source);
    found.any(|at| source.get(at + 1) != Some(&b'\n'))
}

/// How many changes a message may need; one that needs more stays as it is, which is an
/// [`Kind::Unconverted`].
///
/// ```
/// use mime_charset::{Kind, convert::{MAX_CHANGES, Options, convert}};
///
/// let words = |count| "X: =?koi8-r?Q?=F0?=\n".repeat(count) + "\n";
/// let message = words(MAX_CHANGES + 1);
/// let converted = convert(message.as_bytes(), &Options::new());
/// assert!(converted.changes().is_empty() && converted.report().has(Kind::Unconverted));
/// ```
pub const MAX_CHANGES: usize = 65_536;

/// How many octets the body of a field may have to be changed; a longer one stays as it is,
/// which is a [`Kind::Unconverted`].
///
/// ```
/// use mime_charset::{Kind, convert::{MAX_FIELD, Options, convert}};
///
/// let word = " =?koi8-r?Q?=F0?=";
/// let message = |body: usize| format!("X:{}{word}\n\n", " ".repeat(body - word.len()));
/// let (least, most) = (message(MAX_FIELD + 1), message(MAX_FIELD));
/// assert_eq!(convert(most.as_bytes(), &Options::new()).changes().len(), 1);
/// let converted = convert(least.as_bytes(), &Options::new());
/// assert!(converted.changes().is_empty() && converted.report().has(Kind::Unconverted));
/// ```
pub const MAX_FIELD: usize = 1 << 20;

/// How many octets the changed stretches of all fields may have; a message that needs more
/// stays as it is, which is a [`Kind::Unconverted`].
///
/// ```
/// use mime_charset::{Kind, convert::{MAX_WRITTEN, Options, convert}};
///
/// let word = format!("=?koi8-r?Q?{}?=\n", "=F0".repeat(20));
/// let field = format!("X:{}", format!(" {word}").repeat(10_000));
/// let message = field.repeat(MAX_WRITTEN / 500_000) + "\n";
/// let converted = convert(message.as_bytes(), &Options::new());
/// assert!(converted.changes().is_empty() && converted.report().has(Kind::Unconverted));
/// ```
pub const MAX_WRITTEN: usize = 4 << 20;

/// How deep messages under a transfer encoding are looked into.
const LOOKED_INTO: usize = 3;

fn convert_inside<'a>(source: &'a [u8], options: &Options, extent: Extent) -> Converted<'a> {
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
    options: &Options,
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
            let inside = |(index, range, encoding): (usize, Range<usize>, _)| {
                let body = source.get(range).unwrap_or_default();
                let octets = transfer::decode(body, encoding).into_octets();
                let whole = Extent {
                    leaves_all: false,
                    ..extent
                };
                let inner = convert_to(&octets, options, depth + 1, whole);
                (!inner.changes.is_empty() || !inner.report.is_empty()).then_some(index)
            };
            encoded = bodies.into_iter().filter_map(inside).collect();
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
    draft.is_odd |= message.report().has(Kind::MissingBoundary);
    // Whether what stands in each entity is signed or encrypted (RFC 1847, section 2).
    let mut seals = Vec::new();
    for entity in message.entities() {
        let parent = entity.parent().and_then(|parent| seals.get(parent.index()));
        let is_sealed = parent == Some(&true);
        let seal = entity.is_multipart()
            && matches!(
                entity.content_type().media_type(),
                "multipart/signed" | "multipart/encrypted"
            );
        seals.push(is_sealed || seal);
        let Some(header) = entity.header_range() else {
            continue;
        };
        let mut own = draft.of_entity();
        convert_entity(entity, options, &mut own);
        own.keep_within_limit(&header);
        if is_sealed {
            own.keep_signed(header);
        }
        if encoded.binary_search(&entity.index()).is_ok() {
            report_encoded_message(entity, &mut own.report);
        }
        draft.take(own);
        if draft.changes.len() > MAX_CHANGES || draft.needs_much_room() {
            let detail = if draft.needs_much_room() {
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
        message_id,
        parts: message.parts().count(),
        changed: draft.changed,
        charsets: draft.charsets,
        is_odd: draft.is_odd,
    }
}

fn convert_entity(entity: Part<'_>, options: &Options, draft: &mut Draft) {
    let body = body::plan(entity, options, draft);
    field::convert(entity, body, options, draft);
}

/// A message under a transfer encoding, which RFC 2045, section 6.4, forbids, stays: to write
/// it anew would be more than a change of charset.
fn report_encoded_message(entity: Part<'_>, report: &mut Report) {
    let Some(body) = entity.body_range() else {
        return;
    };
    let detail = format!("a message under {}", entity.transfer_encoding());
    report.add(Kind::Unconverted, body.start, body.len(), detail);
}

/// The place of an entity that is a message under a transfer encoding, and of its body.
fn encoded_message(entity: Part<'_>) -> Option<(usize, Range<usize>, TransferEncoding)> {
    let is_encoded = |inner: &Part<'_>| inner.header_range().is_none();
    entity.inner().filter(is_encoded)?;
    let range = entity.body_range()?;
    Some((entity.index(), range, entity.transfer_encoding()))
}

/// How old octets were read.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Reading {
    label: Option<Arc<Label<'static>>>,
    charset: Charset,
    source: Source,
    /// `None` where nothing was found.
    report: Option<Arc<Report>>,
}

impl Reading {
    fn report_of(mut report: Report) -> Option<Arc<Report>> {
        report.shrink();
        (report != Report::new()).then(|| Arc::new(report))
    }

    fn without_report(&self) -> Reading {
        Reading {
            report: None,
            ..self.clone()
        }
    }
}

/// A conversion while it is made.
#[derive(Debug, Default)]
struct Draft {
    /// What they put in is in `octets`, which their [`after`](Change::after) counts until they
    /// are applied.
    changes: Vec<Change>,
    octets: Vec<u8>,
    /// Documents that say otherwise than their text is going to be, and what they say.
    conflicts: Vec<(Range<usize>, Label<'static>)>,
    report: Report,
    failure: Option<Error>,
    charsets: Vec<Charset>,
    /// Where bodies begin whose octets are made when they are put in.
    later: Vec<(usize, Later)>,
    /// How many octets of bodies may be kept here.
    most_kept: usize,
    /// How long the message may become, and how long it was before these changes.
    most: usize,
    before: usize,
    /// How many octets these changes put in, and how many they take out.
    more: usize,
    gone: usize,
    /// How many octets of those put in are of fields.
    written: usize,
    changed: Counts,
    /// Whether a field is broken, or something was left as it is: what is read of it leans on what
    /// stands around it, and may be something else once that is in UTF-8.
    is_odd: bool,
}

/// How much longer than three times its length a message may become. With the message itself, and
/// what is kept of its changes, that is four times its length and 16 MiB.
const SPARE: usize = 4 << 20;

impl Draft {
    /// One for the changes of an entity, which this one is going to take.
    fn of_entity(&self) -> Draft {
        Draft {
            most_kept: self.most_kept.saturating_sub(self.octets.len()),
            most: self.most,
            before: (self.before + self.more).saturating_sub(self.gone),
            ..Draft::default()
        }
    }

    /// Whether a body of so many octets takes too much room to be made at once.
    fn is_large(&self, length: usize) -> bool {
        length > body::LARGE.min(self.most_kept)
    }

    /// Whether there is room for so many octets in the place of `range`.
    fn has_room(&self, range: &Range<usize>, octets: usize) -> bool {
        let length = self.before + self.more + octets;
        length.saturating_sub(self.gone + range.len()) <= self.most
    }

    fn needs_much_room(&self) -> bool {
        self.written > MAX_WRITTEN
    }

    /// A body whose octets are made when they are put in.
    fn change_later(&mut self, range: Range<usize>, later: Later, what: What) {
        let start = self.octets.len();
        self.more += later.length;
        self.gone += range.len();
        self.later.push((range.start, later));
        self.push(range, start, what);
    }

    /// Takes the changes back if they would make more of a header than is read of one, or if no
    /// more of it was read.
    fn keep_within_limit(&mut self, header: &Range<usize>) {
        let fields = || {
            self.changes
                .iter()
                .filter(|change| change.field().is_some())
        };
        let gone: usize = fields().map(|change| change.before.len()).sum();
        let more: usize = fields().map(|change| change.after.len()).sum();
        let length = header.len().max((header.len() + more).saturating_sub(gone));
        if !self.changes.is_empty() && length >= MAX_HEADER {
            self.take_back();
            self.leave(header, "a header that would take more than is read of one");
        }
    }

    /// Takes all changes back.
    fn take_back(&mut self) {
        self.changes.clear();
        self.conflicts.clear();
        self.octets.clear();
        self.later.clear();
        (self.more, self.gone, self.written) = (0, 0, 0);
        self.changed = Counts::default();
    }

    /// Takes `octets` for those in `range`.
    fn change(&mut self, range: Range<usize>, octets: &[u8], what: What) {
        let start = self.octets.len();
        self.octets.extend_from_slice(octets);
        self.add(range, start, what);
    }

    /// The same of many octets, which are not copied if they are the first.
    fn change_body(&mut self, range: Range<usize>, octets: Vec<u8>, what: What) {
        if self.octets.is_empty() {
            self.octets = octets;
            self.add(range, 0, what);
        } else {
            self.change(range, &octets, what);
        }
    }

    fn add(&mut self, before: Range<usize>, start: usize, what: What) {
        let length = self.octets.len().saturating_sub(start);
        self.more += length;
        self.gone += before.len();
        if what.field.is_some() {
            self.written += length;
        }
        self.push(before, start, what);
    }

    fn push(&mut self, before: Range<usize>, start: usize, what: What) {
        let last = self.changes.last().and_then(|last| last.what.as_ref());
        let what = match last.filter(|last| ***last == what) {
            Some(last) => Arc::clone(last),
            None => Arc::new(what),
        };
        let octets = self.octets.get(start..).unwrap_or_default();
        self.changes.push(Change {
            before,
            after: start..self.octets.len(),
            checksum: checksum::of(octets),
            what: Some(what),
        });
    }

    fn take(&mut self, other: Draft) {
        self.more += other.more;
        self.gone += other.gone;
        self.written += other.written;
        self.changed.fields += other.changed.fields;
        self.changed.parts += other.changed.parts;
        self.changed.labels += other.changed.labels;
        self.later.extend(other.later);
        if self.changes.is_empty() {
            (self.changes, self.octets) = (other.changes, other.octets);
        } else {
            let by = self.octets.len();
            self.octets.extend_from_slice(&other.octets);
            self.changes
                .extend(other.changes.into_iter().map(|change| Change {
                    after: change.after.start + by..change.after.end + by,
                    ..change
                }));
        }
        self.conflicts.extend(other.conflicts);
        self.report.absorb(other.report, 0);
        self.failure = self.failure.take().or(other.failure);
        self.charsets.extend(other.charsets);
        self.is_odd |= other.is_odd;
    }

    /// Says that something stays as it is.
    fn leave(&mut self, range: &Range<usize>, detail: impl Into<Cow<'static, str>>) {
        self.is_odd = true;
        self.report
            .add(Kind::Unconverted, range.start, range.len(), detail);
    }

    /// Whether text that `report` says is not whole is converted all the same; if not, says
    /// what is the matter.
    fn allows_loss(&mut self, range: &Range<usize>, report: &Report, options: &Options) -> bool {
        let lost = report
            .findings()
            .iter()
            .find(|finding| finding.kind().effect() == crate::report::Effect::Lost);
        let detail = match lost {
            Some(finding) => format!("{}: {}", finding.kind(), finding.detail()),
            None if report.has_loss() => "more findings than are kept".to_owned(),
            None => return true,
        };
        match options.on_malformed {
            OnMalformed::Replace => return true,
            OnMalformed::Keep => {}
            OnMalformed::Fail => {
                let sentence = format!(
                    "expected text that can be decoded without loss, found {detail} (at {})",
                    range.start
                );
                self.failure
                    .get_or_insert_with(|| Error::at(range.start, sentence));
            }
        }
        self.leave(range, detail);
        false
    }

    /// Takes the changes back, as what they would change is signed or encrypted.
    fn keep_signed(&mut self, header: Range<usize>) {
        self.failure = None;
        if !self.changes.is_empty() {
            self.take_back();
            let detail = "signed or encrypted, left as it is";
            self.report
                .add(Kind::SignedContent, header.start, header.len(), detail);
        }
    }

    /// Reports the signatures and digests in headers that the changes break.
    ///
    /// RFC 6376, section 3.5, names the signed fields in `h=` and signs the whole body; RFC
    /// 8617, section 4.1.2, does the same; RFC 4870, section 3.2, signs every field behind
    /// its own where it names none. RFC 1864 is the digest of one body.
    fn report_broken_signatures(&mut self, message: &Message<'_>) {
        if self.changes.is_empty() {
            return;
        }
        let mut ranges: Vec<_> = self.changes.iter().map(Change::before).collect();
        ranges.sort_by_key(|range| range.start);
        let has_changes = |within: &Range<usize>| {
            let first = ranges.partition_point(|range| range.start < within.start);
            ranges
                .get(first)
                .is_some_and(|range| range.start < within.end)
        };
        let mut entities = message.entities().peekable();
        let Some(top) = entities.peek().and_then(|top| top.header_range()) else {
            return;
        };
        let mut changed: Vec<String> = self
            .changes
            .iter()
            .filter(|change| change.before.start < top.end)
            .filter_map(|change| Some(change.field()?.to_ascii_lowercase()))
            .collect();
        changed.sort_unstable();
        changed.dedup();
        for entity in entities {
            let Some(body) = entity.body_range() else {
                continue;
            };
            let is_top = entity.parent().is_none();
            for field in entity.fields() {
                let breaks = if is_top && is_signature(field.name()) {
                    has_changes(&body) || breaks_signature(field.body(), &changed)
                } else {
                    field.name().eq_ignore_ascii_case(b"Content-MD5") && has_changes(&body)
                };
                if let Some(range) = field.range().filter(|_| breaks) {
                    let name = String::from_utf8_lossy(field.name());
                    let detail = format!("{name:.64} no longer holds");
                    self.report
                        .add(Kind::SignedContent, range.start, range.len(), detail);
                }
            }
        }
    }

    /// Reports the documents that name another charset than their text is in now.
    fn report_conflicts(&mut self) {
        for (range, label) in std::mem::take(&mut self.conflicts) {
            let detail = format!("the document says {label:.64}, its text is now in UTF-8");
            self.report
                .add(Kind::DocumentConflict, range.start, range.len(), detail);
        }
    }

    /// The source with the changes, if there are some.
    fn apply<'a>(&mut self, source: &'a [u8]) -> Cow<'a, [u8]> {
        if self.changes.is_empty() {
            return Cow::Borrowed(source);
        }
        // Stable, so that what is added in one place stays in its order, and what it is added
        // to comes behind it.
        let place = |change: &Change| (change.before.start, change.before.end);
        if !self.changes.is_sorted_by_key(place) {
            self.changes.sort_by_key(place);
        }
        self.changes.shrink_to_fit();
        Cow::Owned(self.put_in(source))
    }

    /// The source with the changes, which are in order; they count its octets then.
    fn put_in(&mut self, source: &[u8]) -> Vec<u8> {
        let gone: usize = self.changes.iter().map(|change| change.before.len()).sum();
        let later: usize = self.later.iter().map(|(_, later)| later.length).sum();
        let length = (source.len() + self.octets.len() + later).saturating_sub(gone);
        self.later.sort_by_key(|(start, _)| *start);
        let mut later = self.later.iter().peekable();
        let mut octets = Vec::with_capacity(length);
        let mut at = 0;
        for change in &mut self.changes {
            octets.extend_from_slice(source.get(at..change.before.start).unwrap_or_default());
            at = change.before.end;
            let start = octets.len();
            let is_body = change.field().is_none();
            let own = later.next_if(|(start, _)| is_body && *start == change.before.start);
            if let Some((_, later)) = own {
                let body = source.get(change.before.clone()).unwrap_or_default();
                later.write(body, &mut |piece| octets.extend_from_slice(piece));
                change.checksum = checksum::of(octets.get(start..).unwrap_or_default());
            } else {
                octets.extend_from_slice(self.octets.get(change.after.clone()).unwrap_or_default());
            }
            change.after = start..octets.len();
        }
        octets.extend_from_slice(source.get(at..).unwrap_or_default());
        octets
    }
}

fn is_signature(name: &[u8]) -> bool {
    const DKIM: &[u8] = b"DKIM-Signature";
    // X-Google-DKIM-Signature and its like too.
    let end = name.get(name.len().saturating_sub(DKIM.len())..);
    end.is_some_and(|end| end.eq_ignore_ascii_case(DKIM))
        || name.eq_ignore_ascii_case(b"ARC-Message-Signature")
        || name.eq_ignore_ascii_case(b"DomainKey-Signature")
}

/// Whether a signature is over one of the changed fields, whose names are sorted and in lower
/// case: one
/// that its `h=` tag names, or any where it names none.
fn breaks_signature(signature: &[u8], changed: &[String]) -> bool {
    let signature = String::from_utf8_lossy(signature);
    let names = signature
        .split(';')
        .find_map(|tag| tag.trim().strip_prefix("h")?.trim_start().strip_prefix("="));
    match names {
        None => !changed.is_empty(),
        Some(names) => names.split(':').any(|name| {
            changed
                .binary_search(&name.trim().to_ascii_lowercase())
                .is_ok()
        }),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{Extent, Headers, OnMalformed, Options, convert, convert_inside, verify};
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
            Options::new(),
            Options::new().guessed(Some(1)).attachments(true),
            Options::new()
                .on_malformed(OnMalformed::Replace)
                .fix_declarations(true),
            Options::new()
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
                assert_eq!(once.octets(), pieces.octets(), "{name}");
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
        let base64 = |octets: &[u8]| crate::transfer::encode_base64(octets, "\n");
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
            let converted = convert(&source, &Options::new());
            let octets = converted.octets();
            let proof = verify(&source, octets, converted.changes(), &Options::new());
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
            let sum = super::checksum::of(&altered[range.clone()]);
            *changes.last_mut().unwrap() = super::Change::new(change.before(), range, sum);
            let proof = verify(&source, &altered, &changes, &Options::new());
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
                    let converted = convert(message.as_bytes(), &Options::new());
                    let (octets, changes) = (converted.octets(), converted.changes());
                    let proof = verify(message.as_bytes(), octets, changes, &Options::new());
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
