//! The list of changes that a conversion returns and a proof checks.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use crate::charset::Charset;
use crate::label::Label;
use crate::report::{Report, Source};

/// One changed range of a message, and how its text was decoded.
///
/// ```
/// use mime_charset::Source;
/// use mime_charset::convert::{Conversion, convert};
///
/// let source = b"X: =?latin1?Q?=E9?=\n\n";
/// let converted = convert(source, &Conversion::new());
/// let change = &converted.changes[0];
/// assert_eq!((change.section(), change.field()), ("1", Some("X")));
/// assert_eq!(change.label().unwrap().as_bytes(), b"latin1");
/// assert_eq!((change.charset().name(), change.source()), ("ISO-8859-1", Source::Declared));
/// assert!(change.report().is_empty());
/// assert_eq!(source[change.before.clone()], *b"=?latin1?Q?=E9?=");
/// assert_eq!(converted.as_bytes()[change.after.clone()], *b"=?UTF-8?B?w6k=?=");
/// assert_eq!(change.checksum, 0x4091_58D0_3A94_DC9D);
/// ```
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Change {
    /// The range of the source that was replaced, in octets; empty if something was added.
    pub before: Range<usize>,
    /// The range of the result that replaces it, in octets.
    pub after: Range<usize>,
    /// The CRC-64 of the new octets (ECMA-182, as in the XZ format), which detects damage.
    pub checksum: u64,
    /// The text of the change. Neighbouring changes share it, since a message may have tens of
    /// thousands of changes. `None` for a change read from a report without a charset.
    pub(crate) text: Option<Arc<ChangedText>>,
}

/// The text of a change: its place, and how it was decoded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ChangedText {
    pub(crate) section: Arc<str>,
    pub(crate) field: Option<Arc<str>>,
    pub(crate) reading: TextReading,
}

impl Change {
    /// A change from the numbers in a report. [`verify`](crate::convert::verify) rejects it if it
    /// does not match the two messages. It has no findings; `verify` needs none.
    ///
    /// ```
    /// use mime_charset::convert::{Change, Conversion, convert, verify};
    ///
    /// let source = b"X: =?latin1?Q?=E9?=\n\n";
    /// let converted = convert(source, &Conversion::new());
    /// let change = &converted.changes[0];
    /// let changes = [Change::new(change.before.clone(), change.after.clone(), change.checksum)];
    /// assert!(verify(source, converted.as_bytes(), &changes, &Conversion::new()).is_ok());
    /// ```
    #[must_use]
    pub fn new(before: Range<usize>, after: Range<usize>, checksum: u64) -> Self {
        Change {
            before,
            after,
            checksum,
            text: None,
        }
    }

    /// Adds the charset that the report names. [`verify`](crate::convert::verify) then rejects the
    /// change if the text was in another charset.
    ///
    /// ```
    /// use mime_charset::Charset;
    /// use mime_charset::convert::{Change, Conversion, convert, verify};
    ///
    /// let source = b"X: =?latin1?Q?=E9?=\n\n";
    /// let converted = convert(source, &Conversion::new());
    /// let change = &converted.changes[0];
    /// let is_proved = |label| {
    ///     let change = Change::new(change.before.clone(), change.after.clone(), change.checksum);
    ///     let changes = [change.of_charset(Charset::for_label(label).unwrap())];
    ///     verify(source, converted.as_bytes(), &changes, &Conversion::new()).is_ok()
    /// };
    /// assert!(is_proved("iso-8859-1") && !is_proved("big5"));
    /// ```
    #[must_use]
    pub fn of_charset(mut self, charset: Charset) -> Self {
        let reading = TextReading::new(None, charset, Source::Declared, Report::new());
        self.text = Some(Arc::new(ChangedText {
            section: Arc::from(""),
            field: None,
            reading,
        }));
        self
    }

    pub(super) fn reading(&self) -> Option<&TextReading> {
        self.text.as_ref().map(|text| &text.reading)
    }

    /// The section number of the part whose body or header was changed, as in
    /// [`Part::section`](crate::message::Part::section).
    #[must_use]
    pub fn section(&self) -> &str {
        self.text.as_ref().map_or("", |text| &text.section)
    }

    /// The name of the field that was changed or added; `None` for a body.
    #[must_use]
    pub fn field(&self) -> Option<&str> {
        self.text.as_ref()?.field.as_deref()
    }

    /// The charset label as written, if there was one.
    #[must_use]
    pub fn label(&self) -> Option<&Label<'static>> {
        self.reading()?.label.as_deref()
    }

    /// The charset of the text in the source.
    #[must_use]
    pub fn charset(&self) -> Charset {
        self.reading()
            .map_or(Charset::UTF_8, |reading| reading.charset)
    }

    /// The source of that charset.
    #[must_use]
    pub fn source(&self) -> Source {
        self.reading()
            .map_or(Source::Declared, |reading| reading.source)
    }

    /// The findings about decoding the old octets, and the number of U+FFFD in the new ones. Offsets
    /// count octets of the source message, or of the text: see [`Within`](crate::Within).
    #[must_use]
    pub fn report(&self) -> &Report {
        static EMPTY: Report = Report::new();
        let report = self.reading().and_then(|reading| reading.report.as_deref());
        report.unwrap_or(&EMPTY)
    }
}

impl fmt::Debug for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Change")
            .field("section", &self.section())
            .field("field", &self.field())
            .field("label", &self.label())
            .field("charset", &self.charset())
            .field("source", &self.source())
            .field("before", &self.before)
            .field("after", &self.after)
            .field("checksum", &format_args!("{:016x}", self.checksum))
            .field("report", self.report())
            .finish_non_exhaustive()
    }
}

/// How the old octets of a change were decoded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TextReading {
    pub(crate) label: Option<Arc<Label<'static>>>,
    pub(crate) charset: Charset,
    pub(crate) source: Source,
    /// `None` if it would be empty.
    pub(crate) report: Option<Arc<Report>>,
}

impl TextReading {
    pub(crate) fn new(
        label: Option<Arc<Label<'static>>>,
        charset: Charset,
        source: Source,
        mut report: Report,
    ) -> Self {
        report.shrink();
        TextReading {
            label,
            charset,
            source,
            report: (report != Report::new()).then(|| Arc::new(report)),
        }
    }

    pub(crate) fn without_report(&self) -> TextReading {
        TextReading {
            report: None,
            ..self.clone()
        }
    }
}
