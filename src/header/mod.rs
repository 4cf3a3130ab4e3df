//! Field bodies to structure.
//!
//! A field body is what stands between the colon and the last line end of a field, folds
//! and all. What is found in it is handed out as it was written, with the label of the
//! charset it is in: this module knows the syntax of mail and no charset, but that the octets of
//! ISO-2022-JP may look like syntax. Nothing fails;
//! what a body has that the standards do not allow is in the report of the result, and
//! offsets there count octets from the start of the body.
//!
//! - [`content_type`], [`content_disposition`] and [`content_transfer_encoding`] read the
//!   fields of MIME (RFC 2045, RFC 2183, RFC 2231);
//! - [`addresses`] reads lists of addresses (RFC 5322, section 3.4);
//! - [`pieces`] gives any field as text and encoded words (RFC 2047), for display.
//!
//! Structured fields are taken apart before any encoded word in them is looked at, and a
//! word is handed out as one [`Piece`]: it can hold no address, parameter, field or line.
//!
//! Each strict rule stands before the lenient ones that mail in the wild needs. Left out:
//! dates, message identifiers and traces, which hold no text but in their comments.
//!
//! ```
//! use mime_charset::header;
//!
//! let field = header::content_type(b" text/plain; charset=KOI8-R (Russian)");
//! assert_eq!(field.media_type(), "text/plain");
//! assert_eq!(field.charset().unwrap().as_bytes(), b"KOI8-R");
//!
//! let field = header::content_type(b" text/plain charset=koi8-r");
//! assert_eq!(field.charset().unwrap().as_bytes(), b"koi8-r");
//! let finding = &field.report().findings()[0];
//! assert_eq!(finding.to_string(), "missing-semicolon at 12: a parameter without a semicolon before it");
//! ```

use std::borrow::Cow;
use std::ops::Range;

use memchr::{memchr, memchr2, memchr3};

use crate::report::{Kind, Report};

mod address;
mod content_disposition;
mod content_transfer_encoding;
mod content_type;
mod damaged_parameter;
pub mod encode;
mod encoded_word;
mod language;
mod lexeme;
mod parameter;
mod section;
mod strict;
mod token;

pub use address::{Address, AddressList, Group, Mailbox, Mailboxes, addresses};
pub use content_disposition::{ContentDisposition, content_disposition};
pub use content_transfer_encoding::{ContentTransferEncoding, content_transfer_encoding};
pub use content_type::{ContentType, content_type};
pub(crate) use content_type::{type_and_boundary, type_and_charset};
pub use encoded_word::{EncodedWord, Place, WordEncoding};
pub(crate) use encoded_word::{Found, MAX_WORD, Word};
pub(crate) use language::language_tags;
pub(crate) use parameter::may_have as may_have_parameter;
pub use parameter::{Parameter, Parameters};
pub(crate) use strict::{StrictPiece, StrictPieces};
pub use token::unfold;

use crate::work::work;
use encoded_word::{encoded_word, word_at};
use lexeme::{Class, Lexeme, Lexemes};
pub(crate) use token::{has_opening, text_length, trim};
use token::{is_blank, line_ends, opening, slice};

/// What grammar a field body follows, as far as encoded words need to know
/// (RFC 2047, section 5).
///
/// ```
/// use mime_charset::header::{Piece, Syntax, pieces};
///
/// let words = |syntax| {
///     let body = pieces(b"=?utf-8?Q?a?= <=?utf-8?Q?b?=>", syntax);
///     body.as_slice().iter().filter(|piece| matches!(piece, Piece::Word(_))).count()
/// };
/// assert_eq!(words(Syntax::Unstructured), 2);
/// // Not in the address.
/// assert_eq!(words(Syntax::Addresses), 1);
/// assert_eq!(words(Syntax::Opaque), 0);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Syntax {
    /// Text without structure: encoded words anywhere.
    Unstructured,
    /// Addresses: encoded words in display names, group names and comments.
    Addresses,
    /// Phrases between commas, as in Keywords.
    Phrases,
    /// A value and parameters: encoded words in comments, and against the rule in values.
    Parameters,
    /// Message identifiers, dates, traces and the like: encoded words in comments alone.
    Opaque,
}

/// The syntax of the field of that name, which is given without its colon and compared
/// without regard to ASCII case.
///
/// Fields that no standard gives a structure are [`Syntax::Unstructured`], all of `X-` among
/// them.
///
/// ```
/// use mime_charset::header::{Syntax, syntax};
///
/// assert_eq!(syntax(b"Subject"), Syntax::Unstructured);
/// assert_eq!(syntax(b"RESENT-TO"), Syntax::Addresses);
/// assert_eq!(syntax(b"Message-ID"), Syntax::Opaque);
/// ```
#[must_use]
pub fn syntax(field_name: &[u8]) -> Syntax {
    // The longest name below has 27 octets.
    let mut buffer = [0; 32];
    let Some(lower) = buffer.get_mut(..field_name.len()) else {
        return Syntax::Unstructured;
    };
    lower.copy_from_slice(field_name);
    lower.make_ascii_lowercase();
    match &*lower {
        // RFC 5322, sections 3.6.2, 3.6.3, 3.6.6 and 3.6.7; RFC 3798; RFC 2919, section 3,
        // whose identifier stands in angle brackets behind a phrase; and fields in use.
        b"from"
        | b"sender"
        | b"reply-to"
        | b"to"
        | b"cc"
        | b"bcc"
        | b"resent-from"
        | b"resent-sender"
        | b"resent-reply-to"
        | b"resent-to"
        | b"resent-cc"
        | b"resent-bcc"
        | b"return-path"
        | b"disposition-notification-to"
        | b"return-receipt-to"
        | b"mail-followup-to"
        | b"mail-reply-to"
        | b"errors-to"
        | b"apparently-to"
        | b"delivered-to"
        | b"envelope-to"
        | b"original-sender"
        | b"list-id" => Syntax::Addresses,
        b"keywords" => Syntax::Phrases,
        b"content-type" | b"content-disposition" | b"content-transfer-encoding" => {
            Syntax::Parameters
        }
        // RFC 5322, sections 3.6.1, 3.6.4 and 3.6.7; RFC 2045, sections 4 and 7; RFC 1864;
        // RFC 3282; RFC 2369; RFC 8601; RFC 7208; RFC 6376; RFC 8617; RFC 5536; RFC 3464.
        b"date"
        | b"resent-date"
        | b"delivery-date"
        | b"expires"
        | b"expiry-date"
        | b"message-id"
        | b"resent-message-id"
        | b"in-reply-to"
        | b"references"
        | b"supersedes"
        | b"received"
        | b"mime-version"
        | b"content-id"
        | b"content-base"
        | b"content-location"
        | b"content-md5"
        | b"content-language"
        | b"content-duration"
        | b"content-features"
        | b"accept-language"
        | b"list-help"
        | b"list-unsubscribe"
        | b"list-unsubscribe-post"
        | b"list-subscribe"
        | b"list-post"
        | b"list-owner"
        | b"list-archive"
        | b"authentication-results"
        | b"received-spf"
        | b"dkim-signature"
        | b"domainkey-signature"
        | b"arc-seal"
        | b"arc-message-signature"
        | b"arc-authentication-results"
        | b"autocrypt"
        | b"newsgroups"
        | b"followup-to"
        | b"path"
        | b"xref"
        | b"lines"
        | b"control"
        | b"original-recipient"
        | b"final-recipient"
        | b"reporting-mta" => Syntax::Opaque,
        _ => Syntax::Unstructured,
    }
}

/// A field body as text and encoded words: what [`pieces()`] gives.
///
/// ```
/// use mime_charset::{Kind, header::{Piece, Syntax, pieces}};
///
/// let subject = pieces(b"Re: =?utf-8?Q?Gr=C3=B6=C3=9Fe=3F_?", Syntax::Unstructured);
/// let [Piece::Text(re), Piece::Word(word)] = subject.as_slice() else { unreachable!() };
/// assert_eq!((re.octets(), word.encoded_text()), (&b"Re: "[..], &b"Gr=C3=B6=C3=9Fe=3F_"[..]));
/// assert!(subject.report().has(Kind::EncodedWordSyntax));
/// assert_eq!(subject.iter().count(), 2);
/// let (pieces, report) = subject.into_parts();
/// assert_eq!((pieces.len(), report.findings()[0].offset()), (2, 4));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pieces<'a> {
    pieces: Store<'a>,
    report: Report,
}

/// One piece needs no list: most fields and names are plain text on one line.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Store<'a> {
    One(Piece<'a>),
    /// Any other number of them.
    Many(Vec<Piece<'a>>),
}

impl<'a> Store<'a> {
    const NOTHING: Self = Store::Many(Vec::new());

    fn of(mut pieces: Vec<Piece<'a>>) -> Self {
        if pieces.len() > 1 {
            return Store::Many(pieces);
        }
        pieces.pop().map_or(Store::NOTHING, Store::One)
    }

    fn push(&mut self, piece: Piece<'a>) {
        match self {
            Store::Many(pieces) if pieces.is_empty() => *self = Store::One(piece),
            Store::Many(pieces) => pieces.push(piece),
            Store::One(_) => {
                if let Store::One(first) = std::mem::replace(self, Store::NOTHING) {
                    *self = Store::Many(vec![first, piece]);
                }
            }
        }
    }

    fn as_slice(&self) -> &[Piece<'a>] {
        match self {
            Store::One(piece) => std::slice::from_ref(piece),
            Store::Many(pieces) => pieces,
        }
    }
}

impl<'p, 'a> IntoIterator for &'p Pieces<'a> {
    type Item = &'p Piece<'a>;
    type IntoIter = std::slice::Iter<'p, Piece<'a>>;

    fn into_iter(self) -> Self::IntoIter {
        self.as_slice().iter()
    }
}

impl<'a> Pieces<'a> {
    /// How many pieces of a field are read; the rest of the field is left out, and is a
    /// [`Kind::LimitReached`]. The encoded words there are not looked at.
    ///
    /// ```
    /// use mime_charset::{Kind, header::{Pieces, Syntax, pieces}};
    ///
    /// let body = "=?utf-8?Q?a?=".repeat(Pieces::MAX_COUNT + 1);
    /// let read = pieces(body.as_bytes(), Syntax::Unstructured);
    /// assert_eq!(read.as_slice().len(), Pieces::MAX_COUNT);
    /// assert!(read.report().has(Kind::LimitReached));
    /// ```
    pub const MAX_COUNT: usize = 16_384;

    /// The pieces, in the order of the field.
    #[must_use]
    pub fn as_slice(&self) -> &[Piece<'a>] {
        self.pieces.as_slice()
    }

    /// The pieces one after another.
    pub fn iter(&self) -> std::slice::Iter<'_, Piece<'a>> {
        self.as_slice().iter()
    }

    /// Where the encoded words depart from RFC 2047, and what was left as text; offsets count
    /// octets of the field body.
    #[must_use]
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// The pieces and the report, by value.
    #[must_use]
    pub fn into_parts(self) -> (Vec<Piece<'a>>, Report) {
        let pieces = match self.pieces {
            Store::One(piece) => vec![piece],
            Store::Many(pieces) => pieces,
        };
        (pieces, self.report)
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
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Piece<'a> {
    /// Octets that stand for themselves.
    Text(Text<'a>),
    /// An encoded word.
    Word(EncodedWord<'a>),
}

/// Octets of a field body that stand for themselves.
///
/// The line end of a fold is in no text: it parts two of them.
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
    octets: &'a [u8],
    offset: usize,
    between_words: bool,
}

impl<'a> Text<'a> {
    /// The octets as they are written, US-ASCII where the field keeps to the standards.
    #[must_use]
    pub fn octets(&self) -> &'a [u8] {
        self.octets
    }

    /// How many octets of the field body lie before the text.
    #[must_use]
    pub fn offset(&self) -> usize {
        self.offset
    }

    /// Whether this is the white space between two encoded words, which is not shown if
    /// both are decoded (RFC 2047, section 6.2).
    #[must_use]
    pub fn between_words(&self) -> bool {
        self.between_words
    }
}

/// A whole field body as text and encoded words, on one line.
///
/// Put together, the texts and the sources of the words are the body without the line ends
/// of its folds: the white space after the colon, quotes, comments and addresses are all in
/// it. Encoded words are found where RFC 2047, section 5, allows them in a field of that
/// syntax, and with a finding in quoted strings, parameters and without white space around
/// them; anywhere else they are text. Any octets are a field body.
///
/// ```
/// use mime_charset::header::{Piece, Place, Syntax, pieces};
///
/// let from = pieces(b" =?utf-8?Q?J=C3=B8rn?= <joern@example.org>", Syntax::Addresses);
/// let Piece::Word(word) = &from.as_slice()[1] else { unreachable!() };
/// assert_eq!((word.place(), word.encoded_text()), (Place::Phrase, &b"J=C3=B8rn"[..]));
/// let Piece::Text(text) = &from.as_slice()[2] else { unreachable!() };
/// assert_eq!(text.octets(), b" <joern@example.org>");
/// assert!(from.report().is_empty());
/// ```
#[must_use]
pub fn pieces(body: &[u8], syntax: Syntax) -> Pieces<'_> {
    let mut builder = Builder::new(body, Vec::new());
    builder.words_of(syntax);
    builder.finish()
}

/// Takes the pieces of a field body one after the other, while the body is read.
pub(crate) trait PieceSink<'a> {
    /// Takes octets that stand for themselves.
    fn text(&mut self, text: Text<'a>);
    /// Takes an encoded word, and whether quotes stand around it.
    fn word(&mut self, word: &Found<'a>, place: Place, in_quotes: bool);
}

impl<'a> PieceSink<'a> for Vec<Piece<'a>> {
    fn text(&mut self, text: Text<'a>) {
        self.push(Piece::Text(text));
    }

    fn word(&mut self, word: &Found<'a>, place: Place, in_quotes: bool) {
        self.push(Piece::Word(word.into_word(place, in_quotes)));
    }
}

impl<'a> PieceSink<'a> for Store<'a> {
    fn text(&mut self, text: Text<'a>) {
        self.push(Piece::Text(text));
    }

    fn word(&mut self, word: &Found<'a>, place: Place, in_quotes: bool) {
        self.push(Piece::Word(word.into_word(place, in_quotes)));
    }
}

impl<'a, S: PieceSink<'a>> PieceSink<'a> for &mut S {
    #[inline]
    fn text(&mut self, text: Text<'a>) {
        (**self).text(text);
    }

    #[inline]
    fn word(&mut self, word: &Found<'a>, place: Place, in_quotes: bool) {
        (**self).word(word, place, in_quotes);
    }
}

/// Hands the pieces of a field body to `sink`: those that [`pieces`] gives, without a list of them.
pub(crate) fn read<'a>(body: &'a [u8], syntax: Syntax, sink: &mut impl PieceSink<'a>) -> Reading {
    let mut builder = Builder::new(body, sink);
    builder.words_of(syntax);
    builder.text(body.len(), false);
    Reading {
        report: builder.report,
        has_open_quote: builder.has_open_quote,
    }
}

/// What is known of a field body when all of it has been read.
pub(crate) struct Reading {
    /// The report of [`Pieces`].
    pub(crate) report: Report,
    /// Whether a quotation mark, a bracket or a parenthesis stands open in the field.
    pub(crate) has_open_quote: bool,
}

/// Whether octets may be text in another charset than US-ASCII: above 7F, or with an escape of ISO
/// 2022.
fn is_foreign(octets: &[u8]) -> bool {
    !octets.is_ascii() || memchr(0x1B, octets).is_some()
}

/// A range of a field body with octets above 7F or an escape of ISO 2022 in it, as far as it has to go to be
/// written as encoded words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RawText<'a> {
    /// Where it stands in the body.
    pub(crate) range: Range<usize>,
    /// Which kind of words may stand there; `None` where none may.
    pub(crate) place: Option<Place>,
    /// What it says: without folds, quotes and quoted pairs.
    pub(crate) octets: Cow<'a, [u8]>,
}

/// The ranges of a field body with octets above 7F (RFC 2047, section 5, says what may
/// become encoded words). Between any two there is more than white space, unless one holds
/// one of the encoded `words` of the body, which are in order. Parameters are not among them.
pub(crate) fn raw_texts<'a>(
    body: &'a [u8],
    syntax: Syntax,
    words: &[Range<usize>],
) -> Vec<RawText<'a>> {
    let mut found = RawTexts {
        words,
        texts: Vec::new(),
    };
    if !is_foreign(body) {
        return found.texts;
    }
    let lexemes: &mut dyn Iterator<Item = _> = match syntax {
        Syntax::Unstructured => {
            raw_words(body, 0, body.len(), Place::Text, &mut found);
            return found.texts;
        }
        Syntax::Addresses => &mut address::raw_places(body),
        Syntax::Phrases | Syntax::Parameters | Syntax::Opaque => {
            let phrase = (syntax == Syntax::Phrases).then_some(Place::Phrase);
            let quoted = phrase.map(|_| Place::QuotedString);
            let mut lexemes = Lexemes::new(body);
            lexemes.words = phrase.is_some();
            lexemes.parameters = syntax == Syntax::Parameters;
            &mut lexemes.map(move |lexeme| match lexeme.class {
                Class::Comment => (lexeme, Some(Place::Comment)),
                Class::Quoted => (lexeme, quoted),
                _ => (lexeme, phrase),
            })
        }
    };
    for (lexeme, place) in lexemes {
        if found.texts.len() > Pieces::MAX_COUNT {
            break;
        }
        let octets = slice(body, lexeme.start, lexeme.end);
        if !is_foreign(octets) {
            continue;
        }
        match (lexeme.class, place) {
            (Class::Comment, _) => {
                let (start, end) = lexeme.inner;
                raw_words(body, start, end, Place::Comment, &mut found);
            }
            (_, None) if syntax == Syntax::Parameters => {}
            (Class::Quoted, _) => {
                let (start, end) = lexeme.inner;
                let text = token::unquoted(slice(body, start, end));
                let place = place.map(|_| Place::Phrase);
                found.push(body, lexeme.start..lexeme.end, place, text);
            }
            _ => {
                let text = Cow::Borrowed(octets);
                found.push(body, lexeme.start..lexeme.end, place, text);
            }
        }
    }
    found.texts
}

/// Raw texts while they are found.
struct RawTexts<'w, 'a> {
    words: &'w [Range<usize>],
    texts: Vec<RawText<'a>>,
}

/// The words from `start` to `end`, between white space and parentheses, with octets above
/// 7F.
fn raw_words<'a>(
    body: &'a [u8],
    start: usize,
    end: usize,
    place: Place,
    found: &mut RawTexts<'_, 'a>,
) {
    let parts = |octet: u8| is_blank(octet) || (place == Place::Comment && b"()".contains(&octet));
    let mut at = start;
    while at < end {
        let rest = slice(body, at, end);
        let mut length = 0;
        while let Some(&octet) = rest.get(length) {
            // What a backslash stands before is text.
            let quotes = place == Place::Comment && octet == b'\\';
            if !quotes && parts(octet) {
                break;
            }
            length += match octet {
                token::ESCAPE => token::escaped(rest.get(length..).unwrap_or_default()),
                _ => 1 + usize::from(quotes),
            };
        }
        let length = length.min(rest.len());
        let word = slice(rest, 0, length);
        if is_foreign(word) {
            let text = match place {
                Place::Comment => token::unquoted(word),
                _ => Cow::Borrowed(word),
            };
            found.push(body, at..at + length, Some(place), text);
        }
        work(length + 1);
        at += length + 1;
    }
}

impl<'a> RawTexts<'_, 'a> {
    fn holds_word(&self, range: &Range<usize>) -> bool {
        let first = self.words.partition_point(|word| word.end <= range.start);
        self.words
            .get(first)
            .is_some_and(|word| word.start < range.end)
    }

    /// Takes a range, together with the one before it if there is only white space between.
    fn push(
        &mut self,
        body: &'a [u8],
        range: Range<usize>,
        place: Option<Place>,
        octets: Cow<'a, [u8]>,
    ) {
        if self.texts.len() > Pieces::MAX_COUNT {
            return;
        }
        let last = self.texts.last().map(|last| last.range.clone());
        if let Some(last) = last
            && let Some(between) = body.get(last.end..range.start)
            && between.iter().copied().all(is_blank)
            && !self.holds_word(&last)
            && !self.holds_word(&range)
            && let Some(last) = self.texts.last_mut()
            && last.place == place
            && place.is_some()
        {
            let joined = last.octets.to_mut();
            joined.extend(between.iter().filter(|octet| !b"\r\n".contains(octet)));
            joined.extend_from_slice(&octets);
            last.range.end = range.end;
            return;
        }
        self.texts.push(RawText {
            range,
            place,
            octets,
        });
    }
}

/// The encoded words of a parameter's value, where none may stand.
fn parameter_pieces(value: &[u8]) -> Option<Pieces<'_>> {
    has_opening(value).then(|| {
        let mut builder = Builder::new(value, Vec::new());
        // The folds are gone: line ends in a value stood in it as `%0D%0A`.
        builder.unfolds = false;
        builder.words_in(0, value.len(), Place::Parameter);
        builder.finish()
    })
}

/// Finds the encoded words of a structured field other than an address list.
fn structured_words<'a>(
    body: &'a [u8],
    syntax: Syntax,
    builder: &mut Builder<'a, impl PieceSink<'a>>,
) {
    let (quoted, atoms) = match syntax {
        Syntax::Phrases => (Some(Place::QuotedString), Some(Place::Phrase)),
        Syntax::Parameters => (Some(Place::Parameter), Some(Place::Parameter)),
        _ => (None, None),
    };
    let mut lexemes = Lexemes::new(body);
    lexemes.words = atoms.is_some();
    lexemes.parameters = syntax == Syntax::Parameters;
    // Atoms and the white space between them.
    let mut run = (0, 0);
    // Behind the name of a parameter, where an equals sign begins no word.
    let mut names = false;
    builder.value = (syntax == Syntax::Parameters).then_some(0);
    while let Some(lexeme) = lexemes.next() {
        if names
            && matches!(lexeme.class, Class::Atom | Class::Word)
            && let Some(found) = memchr(b'=', slice(body, lexeme.start, lexeme.end))
        {
            names = false;
            let value = lexeme.start + found + 1;
            builder.value = Some(value);
            run = (value, value);
            lexemes.go_on_at(slice(body, value, body.len()));
            continue;
        }
        names |= syntax == Syntax::Parameters && lexeme.class == Class::Special(b';');
        if matches!(lexeme.class, Class::Atom | Class::Word | Class::Blank) {
            run.1 = lexeme.end;
            continue;
        }
        builder.words_or_text(run.0, run.1, atoms);
        run = (lexeme.end, lexeme.end);
        match lexeme.class {
            Class::Comment => builder.words_in(lexeme.inner.0, lexeme.inner.1, Place::Comment),
            Class::Quoted => {
                builder.in_quotes = true;
                builder.words_or_text(lexeme.inner.0, lexeme.inner.1, quoted);
                builder.in_quotes = false;
            }
            _ => {}
        }
    }
    builder.words_or_text(run.0, run.1, atoms);
    builder.notice(&lexemes.field.report);
}

/// Whether as many comments end in `octets`, a part of one, as begin there.
fn is_balanced(octets: &[u8]) -> bool {
    work(octets.len());
    let mut depth = 0_usize;
    let mut is_quoted = false;
    for octet in octets {
        match octet {
            _ if is_quoted => is_quoted = false,
            b'\\' => is_quoted = true,
            b'(' => depth += 1,
            b')' if depth == 0 => return false,
            b')' => depth -= 1,
            _ => {}
        }
    }
    depth == 0
}

/// Puts pieces together from left to right.
#[derive(Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is another thing that the reader of a place knows about it"
)]
struct Builder<'a, S> {
    body: &'a [u8],
    /// Up to where the body is in pieces.
    from: usize,
    after_word: bool,
    /// Whether the backslashes of quoted pairs are left out.
    unescapes: bool,
    /// Whether line ends with a blank behind them are left out.
    unfolds: bool,
    /// Whether quotes stand around what is read.
    in_quotes: bool,
    /// In a list of parameters, where the value begins that was last seen to.
    value: Option<usize>,
    /// A range of a value, by where it begins and how far it was looked at, and whether
    /// anything but blanks was in it.
    before_word: (usize, usize, bool),
    sink: S,
    /// How many pieces the sink was given.
    count: usize,
    /// Where the body is that was left out because there are too many pieces.
    left_out: Option<usize>,
    /// Whether the lexer met a quotation mark, a bracket or a parenthesis that nothing closes.
    has_open_quote: bool,
    report: Report,
}

impl<'a, S: PieceSink<'a>> Builder<'a, S> {
    fn new(body: &'a [u8], sink: S) -> Self {
        Builder::from(body, 0, sink)
    }

    fn from(body: &'a [u8], from: usize, sink: S) -> Self {
        Builder {
            body,
            from,
            after_word: false,
            unescapes: false,
            unfolds: true,
            in_quotes: false,
            value: None,
            before_word: (0, 0, false),
            sink,
            count: 0,
            left_out: None,
            has_open_quote: false,
            report: Report::new(),
        }
    }

    /// Takes the encoded words of the whole body, a field of that syntax, and the text before each.
    fn words_of(&mut self, syntax: Syntax) {
        match syntax {
            Syntax::Unstructured => self.words_in(0, self.body.len(), Place::Text),
            _ if !has_opening(self.body) => {}
            Syntax::Addresses => address::words(self.body, self),
            Syntax::Phrases | Syntax::Parameters | Syntax::Opaque => {
                structured_words(self.body, syntax, self);
            }
        }
    }

    /// Takes the encoded words from `start` to `end`; what lies between them is text.
    ///
    /// What lies beyond the pieces that are read is not looked at.
    fn words_in(&mut self, start: usize, end: usize, place: Place) {
        let mut at = start;
        while at < end && self.left_out.is_none() {
            let found = match slice(self.body, at, end) {
                [b'=', b'?', ..] => 0,
                rest => match opening(rest) {
                    Some(found) => found,
                    None => break,
                },
            };
            at += found;
            let Some(found) = word_at(self.body, at, end, &mut self.report) else {
                at += 2;
                continue;
            };
            if self.is_structure(&found, place) {
                self.kept(at, found.length());
                at += 2;
                continue;
            }
            found.report(self.body, place, &mut self.report);
            at += found.length();
            self.word(&found, place);
        }
    }

    /// Whether the field around a word would be another with its text in its place.
    fn is_structure(&mut self, word: &Found<'_>, place: Place) -> bool {
        match (place, self.value) {
            // Quotes stand around its text, and are quotes at the beginning of a value alone.
            (Place::Parameter, Some(value)) if !self.in_quotes => {
                let from = if self.after_word { self.from } else { value };
                self.has_text_between(from.max(value), word.offset())
            }
            // Its parentheses begin and end comments (RFC 2047, section 5, rule 2).
            (Place::Comment, _) => !is_balanced(word.source()),
            _ => false,
        }
    }

    /// Whether anything but blanks is there. Asked again and again about a range that grows, it
    /// looks at each octet once.
    fn has_text_between(&mut self, start: usize, end: usize) -> bool {
        let (before, seen, mut has_text) = self.before_word;
        let seen = if before == start { seen } else { start };
        has_text &= before == start;
        if !has_text {
            work(end.saturating_sub(seen));
            has_text = !slice(self.body, seen, end).iter().copied().all(is_blank);
        }
        self.before_word = (start, end, has_text);
        has_text
    }

    fn kept(&mut self, at: usize, length: usize) {
        let detail = "an encoded word where none may stand";
        self.report.add(Kind::EncodedWordKept, at, length, detail);
    }

    fn words_or_text(&mut self, start: usize, end: usize, place: Option<Place>) {
        match place {
            Some(place) => self.words_in(start, end, place),
            None => self.kept_in(start, end),
        }
    }

    /// Leaves the encoded words from `start` to `end` as text: none may stand there, and
    /// what they say must not become an address or an identifier (RFC 2047, section 5).
    fn kept_in(&mut self, start: usize, end: usize) {
        let mut at = start;
        while self.left_out.is_none()
            && let Some(found) = opening(slice(self.body, at, end))
        {
            at += found;
            let input = slice(self.body, at, end);
            let Ok((rest, _)) = encoded_word(input) else {
                at += 2;
                continue;
            };
            let length = input.len() - rest.len();
            self.kept(at, length);
            at += length;
        }
    }

    #[inline]
    fn word(&mut self, word: &Found<'a>, place: Place) {
        let between = slice(self.body, self.from, word.offset());
        let between_words = self.after_word && between.iter().copied().all(is_blank);
        self.text(word.offset(), between_words);
        self.from = word.offset() + word.length();
        self.after_word = true;
        if !self.has_room(word.offset()) {
            return;
        }
        self.sink.word(word, place, self.in_quotes);
    }

    /// Whether a piece that begins at `offset` is not one too many.
    #[inline]
    fn has_room(&mut self, offset: usize) -> bool {
        let has_room = self.count < Pieces::MAX_COUNT;
        self.count += 1;
        if !has_room && self.left_out.is_none() {
            self.left_out = Some(offset);
            let detail = "more pieces than this library reads";
            let rest = self.body.len() - offset;
            self.report.add(Kind::LimitReached, offset, rest, detail);
        }
        has_room
    }

    /// Takes what a quoted string means.
    fn unquoted(&mut self, lexeme: &Lexeme, place: Place) {
        let (start, end) = lexeme.inner;
        self.without(lexeme.start, start);
        self.unescapes = true;
        self.words_in(start, end, place);
        self.text(end, false);
        self.unescapes = false;
        self.from = lexeme.end;
    }

    /// Takes the text up to `start` and leaves out what lies between it and `end`.
    fn without(&mut self, start: usize, end: usize) {
        self.text(start, false);
        self.from = end;
    }

    /// Takes the text up to `end`, a piece for each line of it.
    #[inline]
    fn text(&mut self, end: usize, between_words: bool) {
        let mut from = self.from;
        self.from = end;
        if from >= end {
            return;
        }
        let mut search = from;
        while let Some(found) = self.next_left_out(search, end) {
            let at = search + found;
            let Some((_, ends)) = line_ends(slice(self.body, at, end)) else {
                // A backslash, and behind it the octet that it quotes.
                self.push_text(from, at, between_words);
                from = (at + 1).min(end);
                search = (at + 2).min(end);
                continue;
            };
            search = at + ends.len();
            work(found + ends.len());
            if self.body.get(search).copied().is_some_and(is_blank) {
                self.push_text(from, at, between_words);
                from = search;
            } else {
                let detail = "a line end that is no fold";
                self.report.add(Kind::BareLineEnd, at, ends.len(), detail);
            }
        }
        work(end.saturating_sub(search));
        self.push_text(from, end, between_words);
    }

    fn next_left_out(&self, from: usize, to: usize) -> Option<usize> {
        /// So short a text is looked through sooner than a search is prepared.
        const SHORT: usize = 16;
        let text = slice(self.body, from, to);
        match (self.unfolds, self.unescapes) {
            (true, false) if text.len() < SHORT => {
                let is_line_end = |octet: &u8| matches!(octet, b'\r' | b'\n');
                text.iter().position(is_line_end)
            }
            (true, true) => token::next_left_out(text, |text| memchr3(b'\r', b'\n', b'\\', text)),
            (true, false) => memchr2(b'\r', b'\n', text),
            (false, true) => token::next_left_out(text, |text| memchr(b'\\', text)),
            (false, false) => None,
        }
    }

    #[inline]
    fn push_text(&mut self, from: usize, to: usize, between_words: bool) {
        if from < to {
            self.after_word = between_words;
            if !self.has_room(from) {
                return;
            }
            self.sink.text(Text {
                octets: slice(self.body, from, to),
                offset: from,
                between_words,
            });
        }
    }

    /// Takes over what a lexer has noticed.
    fn notice(&mut self, noticed: &Report) {
        self.has_open_quote |= noticed.has(Kind::Unterminated);
    }

    /// What took the pieces, when it has those up to `end`; findings go to `report`.
    fn into_sink(mut self, end: usize, report: &mut Report) -> S {
        self.text(end, false);
        if !self.report.is_empty() {
            report.absorb(self.report, 0);
        }
        self.sink
    }
}

impl<'a> Builder<'a, Vec<Piece<'a>>> {
    fn finish(mut self) -> Pieces<'a> {
        if self.from == 0 && memchr2(b'\r', b'\n', self.body).is_none() {
            if self.body.is_empty() {
                return Pieces {
                    pieces: Store::NOTHING,
                    report: self.report,
                };
            }
            return Pieces {
                pieces: Store::One(Piece::Text(Text {
                    octets: self.body,
                    offset: 0,
                    between_words: false,
                })),
                report: self.report,
            };
        }
        self.text(self.body.len(), false);
        Pieces {
            pieces: Store::of(self.sink),
            report: self.report,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{
        Piece, Syntax, addresses, content_transfer_encoding, content_type, pieces, syntax,
    };
    use crate::report::Report;
    use crate::work::work_of;

    /// Pieces in one line: texts as they are, words in braces, `~` before white space
    /// between words.
    pub(super) fn shown(pieces: &[Piece<'_>]) -> String {
        let one = |piece: &Piece<'_>| match piece {
            Piece::Text(text) => {
                let mark = if text.between_words() { "~" } else { "" };
                format!("{mark}{}", String::from_utf8_lossy(text.octets()))
            }
            Piece::Word(word) => {
                let text = word.encoded_text().escape_ascii();
                format!(
                    "{{{:?} {} {:?} {text}}}",
                    word.place(),
                    word.label(),
                    word.encoding()
                )
            }
        };
        pieces.iter().map(one).collect()
    }

    /// The kinds of the findings, in their order.
    pub(super) fn kinds(report: &Report) -> String {
        let kinds: Vec<_> = report
            .findings()
            .iter()
            .map(|finding| finding.kind().name())
            .collect();
        kinds.join(" ")
    }

    #[track_caller]
    fn read(body: &str, syntax: Syntax, expected: &str, findings: &str) {
        let found = pieces(body.as_bytes(), syntax);
        assert_eq!(shown(found.as_slice()), expected);
        assert_eq!(kinds(found.report()), findings);
    }

    const ALL: [Syntax; 5] = [
        Syntax::Unstructured,
        Syntax::Addresses,
        Syntax::Phrases,
        Syntax::Parameters,
        Syntax::Opaque,
    ];

    #[test]
    fn names_of_fields() {
        let of = |names: &[&str], expected| {
            for name in names {
                assert_eq!(syntax(name.as_bytes()), expected, "{name}");
            }
        };
        of(
            &[
                "Subject",
                "Comments",
                "Content-Description",
                "X-To",
                "",
                "Organization",
            ],
            Syntax::Unstructured,
        );
        let long = "x".repeat(100);
        of(&[&long], Syntax::Unstructured);
        of(
            &[
                "From",
                "SENDER",
                "reply-to",
                "To",
                "Cc",
                "Bcc",
                "Resent-From",
                "Return-Path",
            ],
            Syntax::Addresses,
        );
        of(
            &[
                "Disposition-Notification-To",
                "Errors-To",
                "Delivered-To",
                "Apparently-To",
            ],
            Syntax::Addresses,
        );
        of(&["Keywords"], Syntax::Phrases);
        of(
            &[
                "Content-Type",
                "Content-Disposition",
                "Content-Transfer-Encoding",
            ],
            Syntax::Parameters,
        );
        of(
            &[
                "Date",
                "Message-ID",
                "References",
                "Received",
                "MIME-Version",
                "Content-ID",
            ],
            Syntax::Opaque,
        );
    }

    #[test]
    fn plain_text_is_one_piece_of_any_syntax() {
        for syntax in ALL {
            read(
                " a \"b\" <c@d.test> (e); f=g",
                syntax,
                " a \"b\" <c@d.test> (e); f=g",
                "",
            );
            let found = pieces(b" plain", syntax);
            assert!(matches!(found.pieces, super::Store::One(_)));
            assert!(pieces(b"", syntax).as_slice().is_empty());
        }
    }

    #[test]
    fn folds_part_texts() {
        for ends in ["\r\n", "\n", "\r", "\r\r\n", "\r\n\r\n"] {
            let body = format!(" a{ends} b{ends}\tc");
            for syntax in ALL {
                let found = pieces(body.as_bytes(), syntax);
                assert_eq!(found.as_slice().len(), 3, "{body:?}");
                assert_eq!(shown(found.as_slice()), " a b\tc");
                assert!(found.report().is_empty());
            }
            assert_eq!(*super::unfold(body.as_bytes()), *b" a b\tc");
        }
    }

    #[test]
    fn line_ends_that_are_no_folds_stay() {
        read(
            "a\rb\n c\r",
            Syntax::Unstructured,
            "a\rb c\r",
            "bare-line-end bare-line-end",
        );
        assert_eq!(*super::unfold(b"a\rb\n c\r"), *b"a\rb c\r");
    }

    #[test]
    fn all_of_an_address_list_is_in_its_pieces() {
        read(
            " =?utf-8?Q?a?= (=?utf-8?Q?b?=) <=?utf-8?Q?c?=@d.test>,\r\n \"=?utf-8?Q?e?=\" <f@d.test>",
            Syntax::Addresses,
            " {Phrase utf-8 Q a} ({Comment utf-8 Q b}) <=?utf-8?Q?c?=@d.test>, \
             \"{QuotedString utf-8 Q e}\" <f@d.test>",
            "encoded-word-kept encoded-word-place",
        );
        read(
            "=?utf-8?Q?a?=@d.test, b =?utf-8?Q?c?= d@d.test",
            Syntax::Addresses,
            "=?utf-8?Q?a?=@d.test, b {Phrase utf-8 Q c} d@d.test",
            "encoded-word-kept",
        );
        read(
            "\"=?utf-8?Q?a?=\"@d.test",
            Syntax::Addresses,
            "\"=?utf-8?Q?a?=\"@d.test",
            "encoded-word-kept",
        );
    }

    #[test]
    fn words_behind_the_last_piece_have_no_findings() {
        let word = "=?utf-8?Q??=";
        let count = super::Pieces::MAX_COUNT;
        let body = word.repeat(count + 1000);
        let found = pieces(body.as_bytes(), Syntax::Unstructured);
        assert_eq!(found.as_slice().len(), count);
        let last = found.report().findings().last().unwrap();
        assert_eq!(last.kind(), crate::Kind::LimitReached);
        assert_eq!(last.offset(), count * word.len());
        assert_eq!(last.length(), 1000 * word.len());
    }

    #[test]
    fn phrases_between_commas() {
        read(
            "=?utf-8?Q?a?= b, \"=?utf-8?Q?c?=\" (=?utf-8?Q?d?=)",
            Syntax::Phrases,
            "{Phrase utf-8 Q a} b, \"{QuotedString utf-8 Q c}\" ({Comment utf-8 Q d})",
            "encoded-word-place",
        );
    }

    #[test]
    fn parameters_hold_words_against_the_rule() {
        read(
            "a/b; c=\"=?utf-8?Q?d?=\"; e==?utf-8?Q?f?=; (=?utf-8?Q?g?=)",
            Syntax::Parameters,
            "a/b; c=\"{Parameter utf-8 Q d}\"; e={Parameter utf-8 Q f}; ({Comment utf-8 Q g})",
            "encoded-word-place encoded-word-place",
        );
    }

    #[test]
    fn opaque_fields_hold_words_in_comments_alone() {
        read(
            "<=?utf-8?Q?a?=@d.test> \"=?utf-8?Q?b?=\" (=?utf-8?Q?c?= (=?utf-8?Q?d?=))",
            Syntax::Opaque,
            "<=?utf-8?Q?a?=@d.test> \"=?utf-8?Q?b?=\" ({Comment utf-8 Q c} ({Comment utf-8 Q d}))",
            "encoded-word-kept encoded-word-kept",
        );
    }

    /// Put together, pieces are the field without the line ends of its folds.
    #[test]
    fn nothing_is_lost_or_doubled() {
        let bodies = [
            "",
            " ",
            "=?",
            "=?a?Q?b?=",
            "=?a?Q?b?= =?a?B?c?=",
            "\"=?a?Q?b?=\" <a@b>, c",
            "((=?a?Q?b?=",
            "\"=?a?Q?b",
            "a/b; c=\"=?a?Q?b?=; d",
            "\\\"=?a?Q?b?=",
            "<=?a?Q?b>?=>",
            "[=?a?Q?b?=",
            "=?a?Q?b c?= d\r\n e",
            ":;,<>@=?a?Q?b?=;:",
            "=?a?Q?,<?=@x",
            "a=?a?Q?(?=b(c)",
        ];
        for body in bodies {
            for syntax in ALL {
                let found = pieces(body.as_bytes(), syntax);
                let source = |piece: &Piece<'_>| match piece {
                    Piece::Text(text) => text.octets().to_vec(),
                    Piece::Word(word) => word.source().to_vec(),
                };
                let all: Vec<u8> = found.as_slice().iter().flat_map(source).collect();
                assert_eq!(all, *super::unfold(body.as_bytes()), "{body:?} {syntax:?}");
            }
        }
    }

    type Reading<'r> = &'r dyn Fn(&[u8]);

    /// What hostile fields consist of.
    const SHAPES: [&str; 69] = [
        "=? ",
        "=?utf-8?Q?",
        "=?utf-8?Q?a?=",
        "=?utf-8?Q?a b ",
        "=?utf-8?Q?a?=20",
        "=?a",
        "=",
        "=?utf-8?X?a",
        "?=",
        "(",
        ")",
        "()",
        "(\\",
        "\"",
        "\"\"",
        "\"\\",
        "\\\"",
        "\"(",
        "(\"",
        ";",
        ";;\"",
        "a*0*=",
        "a*9999=x;",
        "a=x;",
        "a*1=b(c ",
        "a*1=\"b\"c ",
        "a=\"b\"c ",
        "a=\"b\";",
        "a*0=b ",
        "<",
        ">",
        "<>",
        "<a>",
        ",",
        "<@,",
        ":;",
        ":",
        "@",
        "a@",
        ".@",
        "a ",
        "a\r\n ",
        "\r\n",
        "\r",
        " ",
        "[",
        "[]",
        "\"[",
        "=?a?Q?\\?= \"",
        "y =?a?Q?b?=",
        "(a) ",
        "a:",
        "a@b:",
        "<a> b ",
        "=?a?Q?b?=@",
        "=?a?Q?b?= @",
        "*",
        "a**=",
        "'",
        "%",
        "a*=''%;",
        "a=",
        "a:",
        "/",
        "a/b;",
        "a(",
        "a=(",
        "\0",
        "\u{e9}",
    ];

    /// Time is linear: for twice the field little more than twice the octets are looked at,
    /// and each at most a hundred times by everything here together.
    #[test]
    fn hostile_fields_cost_their_length() {
        let text = |body: &[u8]| {
            for syntax in ALL {
                drop(pieces(body, syntax));
            }
            drop((addresses(body), super::unfold(body)));
        };
        let parameters = |body: &[u8]| {
            drop((content_type(body), content_transfer_encoding(body)));
            drop(super::parameter_pieces(body));
        };
        // What half the field is in front of a shape, if it is not all of that: what was walked
        // over once is not walked over again.
        let alone = [""].as_slice();
        let behind = ["", " ", "a ", "("].as_slice();
        let readings: [(&str, &[&str], Reading<'_>); 7] = [
            ("", behind, &text),
            ("=?utf-8?Q?", alone, &text),
            ("<@", alone, &text),
            ("a/b; c=", behind, &text),
            ("a/b; ", alone, &parameters),
            ("a/b; c=\"", alone, &parameters),
            ("a/b; c*0*=", alone, &parameters),
        ];
        for (opening, all_before, read) in readings {
            for (before, shape) in all_before
                .iter()
                .flat_map(|it| SHAPES.map(|shape| (it, shape)))
            {
                let of = |length: usize| {
                    let (first, second) = match before.len() {
                        0 => (0, length),
                        _ => (length / 2 / before.len(), length / 2),
                    };
                    let second = shape.repeat(second / shape.len());
                    let body = format!("{opening}{}{second}", before.repeat(first));
                    work_of(|| read(body.as_bytes()))
                };
                // Beyond the longest word, so that both sizes go the same way.
                let (small, large) = (of(9 << 10), of(18 << 10));
                let message = format!("{opening:?} {before:?} {shape:?}: {small}, then {large}");
                assert!(large <= small * 9 / 4 + 4096, "{message}");
                assert!(large <= (18 << 10) * 100, "{message}");
            }
        }
    }
}
