//! A field body as text and encoded words.

use super::encoded_word::EncodedWord;
use super::few::Few;
use crate::report::Report;

/// A field body as text and encoded words, from [`pieces()`](super::pieces).
///
/// ```
/// use mime_charset::{Kind, header::{Piece, Syntax, pieces}};
///
/// let subject = pieces(b"Re: =?utf-8?Q?Gr=C3=B6=C3=9Fe=3F_?", Syntax::Unstructured);
/// let [Piece::Text(re), Piece::Word(word)] = subject.as_slice() else { unreachable!() };
/// assert_eq!((re.octets(), &*word.encoded_text()), (&b"Re: "[..], &b"Gr=C3=B6=C3=9Fe=3F_"[..]));
/// assert!(subject.report().has(Kind::EncodedWordSyntax));
/// assert_eq!(subject.iter().count(), 2);
/// let (pieces, report) = subject.into_parts();
/// assert_eq!((pieces.len(), report.findings()[0].offset()), (2, 4));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pieces<'a> {
    pub(super) list: Few<Piece<'a>>,
    pub(super) report: Report,
    /// Whether a quotation mark, a bracket or a parenthesis is not closed.
    pub(crate) has_open_quote: bool,
}

impl<'p, 'a> IntoIterator for &'p Pieces<'a> {
    type Item = &'p Piece<'a>;
    type IntoIter = std::slice::Iter<'p, Piece<'a>>;

    fn into_iter(self) -> Self::IntoIter {
        self.as_slice().iter()
    }
}

impl<'a> Pieces<'a> {
    /// Maximum number of pieces of a field. The rest of the field is skipped and reported as
    /// [`Kind::LimitReached`](crate::Kind::LimitReached).
    ///
    /// ```
    /// use mime_charset::{Kind, header::{Pieces, Syntax, pieces}};
    ///
    /// let body = "=?utf-8?Q?a?=".repeat(Pieces::MAX_COUNT + 1);
    /// let read = pieces(body.as_bytes(), Syntax::Unstructured);
    /// assert_eq!(read.as_slice().len(), Pieces::MAX_COUNT);
    /// assert!(read.report().has(Kind::LimitReached));
    /// ```
    pub const MAX_COUNT: usize = 131_072;

    /// The pieces, in the order of the field.
    #[must_use]
    pub fn as_slice(&self) -> &[Piece<'a>] {
        self.list.as_slice()
    }

    /// Iterates over the pieces, in the order of the field.
    pub fn iter(&self) -> std::slice::Iter<'_, Piece<'a>> {
        self.as_slice().iter()
    }

    /// Findings about encoded words that depart from RFC 2047, or that are kept as text. Offsets are into
    /// the field body.
    #[must_use]
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// The list and the report, by value.
    pub(crate) fn into_list(self) -> (Few<Piece<'a>>, Report) {
        (self.list, self.report)
    }

    /// The pieces and the report, by value.
    #[must_use]
    pub fn into_parts(self) -> (Vec<Piece<'a>>, Report) {
        (self.list.into_vec(), self.report)
    }
}

/// A part of a field body.
///
/// ```
/// use mime_charset::header::{Piece, Syntax, pieces};
///
/// let subject = pieces(b"a =?utf-8?Q?b?=", Syntax::Unstructured);
/// assert!(matches!(subject.as_slice(), [Piece::Text(_), Piece::Word(_)]));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Piece<'a> {
    /// Octets outside encoded words.
    Text(Text<'a>),
    /// An encoded word.
    Word(EncodedWord<'a>),
}

/// Octets of a field body outside encoded words.
///
/// The line ending of a fold is not part of a text; it separates two texts.
///
/// ```
/// use mime_charset::header::{Piece, Syntax, pieces};
///
/// let subject = pieces(b"one\r\n two =?utf-8?Q?three?= =?utf-8?Q?four?=", Syntax::Unstructured);
/// let texts: Vec<_> = subject
///     .as_slice()
///     .iter()
///     .filter_map(|piece| match piece {
///         Piece::Text(text) => Some((text.octets(), text.offset(), text.between_words())),
///         _ => None,
///     })
///     .collect();
/// assert_eq!(texts, [(&b"one"[..], 0, false), (b" two ", 5, false), (b" ", 27, true)]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Text<'a> {
    pub(super) octets: &'a [u8],
    pub(super) offset: usize,
    pub(super) between_words: bool,
}

impl<'a> Text<'a> {
    /// The octets, verbatim: US-ASCII, if the field follows the standards.
    #[must_use]
    pub fn octets(&self) -> &'a [u8] {
        self.octets
    }

    /// The offset of the text in the field body.
    #[must_use]
    pub fn offset(&self) -> usize {
        self.offset
    }

    /// Whether this is the white space between two encoded words. It is not displayed if both words are
    /// decoded (RFC 2047, section 6.2).
    #[must_use]
    pub fn between_words(&self) -> bool {
        self.between_words
    }
}

impl<'a> Piece<'a> {
    /// The octets of the piece in the field body.
    pub(crate) fn source(&self) -> &'a [u8] {
        match self {
            Piece::Text(text) => text.octets,
            Piece::Word(word) => word.source(),
        }
    }
}
