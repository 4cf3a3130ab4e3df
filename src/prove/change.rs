//! The list of changes that a conversion gives out and a proof takes.

use std::ops::Range;
use std::sync::Arc;

use crate::charset::Charset;
use crate::label::Label;
use crate::report::{Report, Source};

/// One range of octets that was changed, and why.
///
/// ```
/// use mime_charset::convert::{Conversion, convert};
///
/// let source = b"Content-Type: text/plain; charset=KOI8-R\n\n\xF0";
/// let converted = convert(source, &Conversion::new());
/// let body = converted.changes().last().unwrap();
/// assert_eq!((body.section(), body.field()), ("1", None));
/// assert_eq!(body.label().unwrap().as_bytes(), b"KOI8-R");
/// assert_eq!(body.before(), source.len() - 1..source.len());
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    pub(crate) before: Range<usize>,
    pub(crate) after: Range<usize>,
    pub(crate) checksum: u64,
    /// `None` where a report told of it. A message may be one change after another: what
    /// neighbours have in common is shared.
    pub(crate) what: Option<Arc<What>>,
}

/// What was changed, and how it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct What {
    pub(crate) section: Arc<str>,
    pub(crate) field: Option<Arc<str>>,
    pub(crate) reading: Reading,
}

impl Change {
    /// A change, from its numbers in a report. [`verify`](crate::convert::verify) refuses one that does
    /// not fit the two messages.
    ///
    /// Findings are not needed to verify, and are empty here.
    ///
    /// ```
    /// use mime_charset::convert::{Change, Conversion, convert, verify};
    ///
    /// let source = b"X: =?latin1?Q?=E9?=\n\n";
    /// let converted = convert(source, &Conversion::new());
    /// let told = &converted.changes()[0];
    /// let changes = [Change::new(told.before(), told.after(), told.checksum())];
    /// assert!(verify(source, converted.as_bytes(), &changes, &Conversion::new()).is_ok());
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

    /// The same, with the charset that the report says the text was in; [`verify`](crate::convert::verify) refuses a
    /// change of text in another.
    ///
    /// ```
    /// use mime_charset::Charset;
    /// use mime_charset::convert::{Change, Conversion, convert, verify};
    ///
    /// let source = b"X: =?latin1?Q?=E9?=\n\n";
    /// let converted = convert(source, &Conversion::new());
    /// let told = &converted.changes()[0];
    /// let holds = |label| {
    ///     let change = Change::new(told.before(), told.after(), told.checksum());
    ///     let changes = [change.of_charset(Charset::for_label(label).unwrap())];
    ///     verify(source, converted.as_bytes(), &changes, &Conversion::new()).is_ok()
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

    pub(super) fn reading(&self) -> Option<&Reading> {
        self.what.as_ref().map(|what| &what.reading)
    }

    /// The section number of the part that the body or the field is of, as
    /// [`Part::section`](crate::message::Part::section) gives it.
    ///
    /// ```
    /// use mime_charset::convert::{Conversion, convert};
    ///
    /// let converted = convert(b"X: =?latin1?Q?=E9?=\n\n", &Conversion::new());
    /// assert_eq!(converted.changes()[0].section(), "1");
    /// ```
    #[must_use]
    pub fn section(&self) -> &str {
        self.what.as_ref().map_or("", |what| &what.section)
    }

    /// The name of the field that was changed or added; `None` where it is the body.
    ///
    /// ```
    /// use mime_charset::convert::{Conversion, convert};
    ///
    /// let converted = convert(b"X: =?latin1?Q?=E9?=\n\n", &Conversion::new());
    /// assert_eq!(converted.changes()[0].field(), Some("X"));
    /// ```
    #[must_use]
    pub fn field(&self) -> Option<&str> {
        self.what.as_ref()?.field.as_deref()
    }

    /// The charset's label as it was written, `None` where there was none.
    ///
    /// ```
    /// use mime_charset::convert::{Conversion, convert};
    ///
    /// let converted = convert(b"X: =?latin1?Q?=E9?=\n\n", &Conversion::new());
    /// assert_eq!(converted.changes()[0].label().unwrap().as_bytes(), b"latin1");
    /// ```
    #[must_use]
    pub fn label(&self) -> Option<&Label<'static>> {
        self.reading()?.label.as_deref()
    }

    /// The charset the text was in.
    ///
    /// ```
    /// use mime_charset::convert::{Conversion, convert};
    ///
    /// let converted = convert(b"X: =?latin1?Q?=E9?=\n\n", &Conversion::new());
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
    /// use mime_charset::convert::{Conversion, convert};
    ///
    /// let converted = convert(b"X: =?latin1?Q?=E9?=\n\n", &Conversion::new());
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
    /// use mime_charset::{Kind, convert::{Conversion, convert}};
    ///
    /// let converted = convert(b"X: =?latin1?Q?=E9\n\n", &Conversion::new());
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
    /// use mime_charset::convert::{Conversion, convert};
    ///
    /// let converted = convert(b"X: =?latin1?Q?=E9?=\n\n", &Conversion::new());
    /// assert_eq!(converted.changes()[0].before(), 3..19);
    /// ```
    #[must_use]
    pub fn before(&self) -> Range<usize> {
        self.before.clone()
    }

    /// Which octets of the result stand in their place.
    ///
    /// ```
    /// use mime_charset::convert::{Conversion, convert};
    ///
    /// let converted = convert(b"X: =?latin1?Q?=E9?=\n\n", &Conversion::new());
    /// assert_eq!(converted.as_bytes()[converted.changes()[0].after()], *b"=?UTF-8?B?w6k=?=");
    /// ```
    #[must_use]
    pub fn after(&self) -> Range<usize> {
        self.after.clone()
    }

    /// The CRC-64 of the octets that stand there now (ECMA-182, as the XZ format computes
    /// it), by which damage to them is found.
    ///
    /// ```
    /// use mime_charset::convert::{Conversion, convert};
    ///
    /// let converted = convert(b"X: =?latin1?Q?=E9?=\n\n", &Conversion::new());
    /// let sum = converted.changes()[0].checksum();
    /// assert_eq!(sum, 0x4091_58D0_3A94_DC9D);
    /// ```
    #[must_use]
    pub fn checksum(&self) -> u64 {
        self.checksum
    }
}

/// How old octets were read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Reading {
    pub(crate) label: Option<Arc<Label<'static>>>,
    pub(crate) charset: Charset,
    pub(crate) source: Source,
    /// `None` where nothing was found.
    pub(crate) report: Option<Arc<Report>>,
}

impl Reading {
    pub(crate) fn report_of(mut report: Report) -> Option<Arc<Report>> {
        report.shrink();
        (report != Report::new()).then(|| Arc::new(report))
    }

    pub(crate) fn without_report(&self) -> Reading {
        Reading {
            report: None,
            ..self.clone()
        }
    }
}
