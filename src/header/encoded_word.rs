//! Encoded words (RFC 2047, section 2, with the language of RFC 2231, section 5).
//!
//! What is found is the word as it is written: which label, which encoding, which encoded
//! text. `decode/field_decoder.rs` undoes the encoding and the charset, and drops the blank between two
//! words (section 6.2). Decoding is another module, so that decoded text can never be taken for syntax.
//!
//! A word is tried by the grammar first, then by [`loose_word`] and what it allows.

use std::borrow::Cow;

use memchr::{memchr, memchr2, memmem};
use nom::bytes::complete::{tag, take_while, take_while1};
use nom::error::ErrorKind;
use nom::sequence::delimited;
use nom::{IResult, Parser};

use super::token::{
    is_blank, line_ends, lines, may_be_in_phrase, no_match, opening, slice, token, trim_end,
    trim_start,
};
use crate::label::Label;
use crate::report::{Kind, Report};
use crate::work::work;

/// An encoded word, not decoded (RFC 2047, section 2).
///
/// ```
/// use mime_charset::header::{self, Piece, Place, Syntax, WordEncoding};
///
/// let pieces = header::pieces(b"By =?US-ASCII*EN?Q?Keith_Moore?=", Syntax::Unstructured);
/// let Piece::Word(word) = &pieces.as_slice()[1] else { unreachable!() };
/// assert_eq!(word.label().as_bytes(), b"US-ASCII");
/// assert_eq!(word.language(), Some(&b"EN"[..]));
/// assert_eq!(word.encoding(), WordEncoding::Q);
/// assert_eq!(*word.encoded_text(), *b"Keith_Moore");
/// assert_eq!(word.place(), Place::Text);
/// assert_eq!(word.source(), b"=?US-ASCII*EN?Q?Keith_Moore?=");
/// assert_eq!((word.offset(), word.length()), (3, 29));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EncodedWord<'a> {
    source: &'a [u8],
    offset: usize,
    /// The range of the label and the language in `source`.
    charset: Span,
    encoding: WordEncoding,
    /// The range of the encoded text, with its folds.
    text: Span,
    form: Form,
    place: Place,
    /// Whether quotes surround it, also in a parameter.
    in_quotes: bool,
}

/// How an encoded word departs from the grammar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// Not at all (RFC 2047, section 2).
    Strict,
    Loose,
    /// White space surrounds its charset or its encoding.
    Spaced,
    /// Its last `?=` is missing.
    Unclosed,
}

/// A range of octets, half as large as that of `usize`: a field may have many words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Span {
    start: u32,
    end: u32,
}

impl Span {
    /// The range of `part`, a slice of `whole`.
    fn of(part: &[u8], whole: &[u8]) -> Self {
        let start = part.as_ptr().addr() - whole.as_ptr().addr();
        // A word that is longer is not read.
        let offset = |at| u32::try_from(at).unwrap_or(u32::MAX);
        Span {
            start: offset(start),
            end: offset(start + part.len()),
        }
    }

    fn octets(self, whole: &[u8]) -> &[u8] {
        slice(whole, self.start as usize, self.end as usize)
    }
}

impl<'a> EncodedWord<'a> {
    /// The longest word that is read, in octets. RFC 2047, section 2, allows 75; longer
    /// ones are reported, and those beyond this are left as text.
    ///
    /// ```
    /// use mime_charset::{Kind, header::{EncodedWord, Piece, Syntax, pieces}};
    ///
    /// let subject = format!("=?utf-8?Q?{}?=", "x".repeat(EncodedWord::MAX_LENGTH));
    /// let subject = pieces(subject.as_bytes(), Syntax::Unstructured);
    /// assert!(matches!(subject.as_slice(), [Piece::Text(_)]));
    /// assert!(subject.report().has(Kind::EncodedWordKept));
    /// ```
    pub const MAX_LENGTH: usize = 8192;

    /// The charset as the word names it, without its language; empty if it names none.
    #[must_use]
    pub fn label(&self) -> Label<'a> {
        Label::new(self.label_octets())
    }

    /// The label and the language, as they are written.
    fn charset(&self) -> &'a [u8] {
        self.charset.octets(self.source)
    }

    /// The encoded text with its folds.
    fn text(&self) -> &'a [u8] {
        self.text.octets(self.source)
    }

    pub(crate) fn label_octets(&self) -> &'a [u8] {
        label_and_language(self.charset()).0
    }

    /// The language tag (RFC 2231, section 5), as it is written.
    #[must_use]
    pub fn language(&self) -> Option<&'a [u8]> {
        label_and_language(self.charset()).1
    }

    /// How the text is encoded.
    #[must_use]
    pub fn encoding(&self) -> WordEncoding {
        self.encoding
    }

    /// The encoded text, without what folding put into it.
    #[must_use]
    pub fn encoded_text(&self) -> Cow<'a, [u8]> {
        let text = self.text_without_padding();
        match self.form {
            Form::Strict => Cow::Borrowed(text),
            _ => without_folds(text, self.encoding),
        }
    }

    /// The encoded text if the word keeps the grammar.
    pub(crate) fn strict_text(&self) -> Option<&'a [u8]> {
        (self.form == Form::Strict).then(|| self.text_without_padding())
    }

    /// Whether quotes surround the word.
    pub(crate) fn is_in_quotes(&self) -> bool {
        self.in_quotes
    }

    /// The same word at an offset; `None` if it is too long.
    pub(super) fn at(self, offset: usize) -> Option<Self> {
        (self.source.len() <= Self::MAX_LENGTH).then_some(EncodedWord { offset, ..self })
    }

    /// The same word in its place.
    pub(super) fn placed(self, place: Place, in_quotes: bool) -> Self {
        EncodedWord {
            place,
            in_quotes: in_quotes || place == Place::QuotedString,
            ..self
        }
    }

    /// Whether the text of a Q word ends in an equals sign that begins no escape: scripts that pad as
    /// base64 is padded, and soft line breaks of quoted-printable (RFC 2045, section 6.7, rule 5),
    /// which mean nothing in a word.
    fn ends_in_equals_sign(&self) -> bool {
        self.encoding == WordEncoding::Q && matches!(self.text(), [_, .., b'='])
    }

    /// The encoded text without such an equals sign.
    fn text_without_padding(&self) -> &'a [u8] {
        match self.text().split_last() {
            Some((_, text)) if self.ends_in_equals_sign() => text,
            _ => self.text(),
        }
    }

    /// The whole word as it is written.
    #[must_use]
    pub fn source(&self) -> &'a [u8] {
        self.source
    }

    /// How many octets of the field body lie before the word.
    #[must_use]
    pub fn offset(&self) -> usize {
        self.offset
    }

    /// How many octets of the field body the word takes.
    #[must_use]
    pub fn length(&self) -> usize {
        self.source.len()
    }

    /// Where in the field's grammar the word stands.
    #[must_use]
    pub fn place(&self) -> Place {
        self.place
    }
}

/// The encoding of an encoded word (RFC 2047, section 4).
///
/// ```
/// use mime_charset::{header::{Piece, Syntax, WordEncoding, pieces}, transfer};
///
/// let subject = pieces(b"=?utf-8?b?w6k=?=", Syntax::Unstructured);
/// let Piece::Word(word) = &subject.as_slice()[0] else { unreachable!() };
/// assert_eq!(word.encoding(), WordEncoding::B);
/// assert_eq!(transfer::b(&word.encoded_text()).as_bytes(), "é".as_bytes());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum WordEncoding {
    /// Base64.
    B,
    /// Like quoted-printable, with `_` for octet 20.
    Q,
}

/// Where an encoded word stands.
///
/// Whoever writes what a word says back into a field has to quote it by the rules of its
/// place: decoded text is never syntax (RFC 2047, section 6.2).
///
/// ```
/// use mime_charset::header::{Piece, Place, Syntax, pieces};
///
/// let from = pieces(b"=?utf-8?Q?a?= <a@example.org> (=?utf-8?Q?b?=)", Syntax::Addresses);
/// let places: Vec<_> = from
///     .as_slice()
///     .iter()
///     .filter_map(|piece| match piece {
///         Piece::Word(word) => Some(word.place()),
///         _ => None,
///     })
///     .collect();
/// assert_eq!(places, [Place::Phrase, Place::Comment]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Place {
    /// In an unstructured field (RFC 2047, section 5, rule 1).
    Text,
    /// In a comment (rule 2).
    Comment,
    /// In a phrase, such as a display name (rule 3).
    Phrase,
    /// In a quoted string, where none may stand and many do.
    QuotedString,
    /// In a parameter's value, where none may stand and many do.
    Parameter,
}

/// The encoded word at `at`, if there is one that ends at or before `end`; what only looks like one
/// goes to `report`.
#[inline]
pub(super) fn word_at<'a>(
    body: &'a [u8],
    at: usize,
    end: usize,
    report: &mut Report,
) -> Option<EncodedWord<'a>> {
    let input = slice(body, at, end);
    let word = if let Ok((rest, word)) = encoded_word(input) {
        question_mark_before_escape(input, rest, &word).unwrap_or(word)
    } else if !may_open(input) {
        return None;
    } else if let Ok((_, word)) = loose_word(input) {
        word
    } else {
        report_unread(input, at, report);
        return None;
    };
    let length = word.length();
    let word = word.at(at);
    if word.is_none() {
        let detail = "an encoded word of more than 8192 octets";
        report.add(Kind::EncodedWordKept, at, length, detail);
    }
    word
}

/// > encoded-word = "=?" charset "?" encoding "?" encoded-text "?="
///
/// > charset = token
///
/// > encoded-text = 1*<Any printable ASCII character other than "?" or SPACE>
#[inline]
pub(super) fn encoded_word(input: &[u8]) -> IResult<&[u8], EncodedWord<'_>> {
    let (rest, _) = tag("=?")(input)?;
    let (rest, charset) = word_token(rest)?;
    let (rest, encoding) = encoding(rest)?;
    let (rest, text) = encoded_text(rest)?;
    let (rest, _) = tag("?=")(rest)?;
    Ok((
        rest,
        word(input, rest, charset, encoding, text, Form::Strict),
    ))
}

/// The word between `input` and `rest`.
fn word<'a>(
    input: &'a [u8],
    rest: &[u8],
    charset: &'a [u8],
    encoding: WordEncoding,
    text: &'a [u8],
    form: Form,
) -> EncodedWord<'a> {
    let source = slice(input, 0, input.len() - rest.len());
    EncodedWord {
        source,
        offset: 0,
        charset: Span::of(charset, source),
        encoding,
        text: Span::of(text, source),
        form,
        place: Place::Text,
        in_quotes: false,
    }
}

/// > token = 1*<Any CHAR except SPACE, CTLs, and especials>
fn word_token(input: &[u8]) -> IResult<&[u8], &[u8]> {
    let (rest, found) = take_while1(is_word_token)(input)?;
    work(found.len());
    Ok((rest, found))
}

/// > `especials = "(" / ")" / "<" / ">" / "@" / "," / ";" / ":" / "\" / <"> / "/" / "[" /
/// > "]" / "?" / "." / "="`
fn is_word_token(octet: u8) -> bool {
    super::token::is_token(octet) && octet != b'.'
}

/// > encoding = token
///
/// of which there are two (RFC 2047, section 4), here with the question marks around it.
fn encoding(input: &[u8]) -> IResult<&[u8], WordEncoding> {
    match input {
        [b'?', b'B' | b'b', b'?', rest @ ..] => Ok((rest, WordEncoding::B)),
        [b'?', b'Q' | b'q', b'?', rest @ ..] => Ok((rest, WordEncoding::Q)),
        _ => Err(no_match(input, ErrorKind::OneOf)),
    }
}

fn encoded_text(input: &[u8]) -> IResult<&[u8], &[u8]> {
    // What follows is nearly always the end of the word, so that where it stands is looked for
    // first, and then, without a way out in the middle, at all that lies before it.
    let end = memchr(b'?', input).unwrap_or(input.len());
    let text = slice(input, 0, end);
    work(end);
    if end > 0
        && text
            .iter()
            .fold(true, |all, &octet| all & is_encoded_text(octet))
    {
        return Ok((input.get(end..).unwrap_or_default(), text));
    }
    let (rest, found) = take_while1(is_encoded_text)(input)?;
    work(found.len());
    Ok((rest, found))
}

fn is_encoded_text(octet: u8) -> bool {
    octet.is_ascii_graphic() && octet != b'?'
}

/// A word that its first `?=` does not end, because two hexadecimal digits follow: a bare
/// question mark before an escape, as in `=?utf-8?Q?Why?=3F?=`.
///
/// PHP scripts that write Q text by hand leave the question mark as it is. Only where no
/// white space lies before the later `?=`: after white space the word is over.
fn question_mark_before_escape<'a>(
    input: &'a [u8],
    rest: &'a [u8],
    strict: &EncodedWord<'a>,
) -> Option<EncodedWord<'a>> {
    if strict.encoding != WordEncoding::Q || !opens_with_hex(rest) {
        return None;
    }
    let (_, longer) = loose_word(input).ok()?;
    let plain = longer.form != Form::Unclosed && longer.text().len() > strict.text().len();
    (plain && !longer.text().iter().copied().any(is_blank)).then_some(longer)
}

/// An encoded word as mailers get it wrong, ended by its `?=`, at the latest where the next
/// word begins.
///
/// White space and question marks in Q text, raw octets above 7F, a fold in the middle,
/// nothing at all between the last question marks: mailers that put the subject between
/// `=?utf-8?Q?` and `?=` without encoding it, and relays that fold what they should not.
fn loose_word(input: &[u8]) -> IResult<&[u8], EncodedWord<'_>> {
    let (after_opening, opening) = loose_opening(input)?;
    let Opening {
        charset,
        encoding,
        spaced,
    } = opening;
    let form = if spaced { Form::Spaced } else { Form::Loose };
    let (region, is_last) = before_next_word(after_opening);
    let (text, length, form) = if let Some(length) = closing(region, encoding) {
        (slice(region, 0, length), length + 2, form)
    } else if let Some((text, length)) = parted_closing(region) {
        (text, length, form)
    } else if let Some(text) = unclosed_text(region, encoding).filter(|_| is_last && !spaced) {
        (text, trim_end(region).len(), Form::Unclosed)
    } else {
        return Err(no_match(input, ErrorKind::Tag));
    };
    let rest = after_opening.get(length..).unwrap_or_default();
    Ok((rest, word(input, rest, charset, encoding, text, form)))
}

/// An encoded word at the start of a phrase that holds what a phrase may not: quotes,
/// commas, parentheses, white space.
///
/// Scripts that put a name between `=?utf-8?Q?` and `?=` as it is write
/// `=?utf-8?Q?"Doe, Joe"?= <joe@example.org>`. What could be an address or a group is in no
/// such word, and it ends where a word of a phrase ends.
pub(super) fn loose_phrase_word(input: &[u8]) -> IResult<&[u8], ()> {
    let (region, Opening { encoding, .. }) = loose_opening(input)?;
    let (near, _) = before_next_word(region);
    let is_syntax = |octet: &u8| matches!(octet, b'<' | b'>' | b'@' | b':' | b';');
    let end = near.iter().position(is_syntax).unwrap_or(near.len());
    let length = closing(slice(near, 0, end), encoding).map(|length| length + 2);
    let rest = length.and_then(|length| region.get(length..));
    let parts = |octet: &u8| is_blank(*octet) || matches!(octet, b'<' | b'(' | b',');
    match rest {
        Some(rest) if rest.first().is_none_or(parts) => Ok((rest, ())),
        _ => Err(no_match(input, ErrorKind::Tag)),
    }
}

/// Whether what begins with `=?` goes on as the most careless of words does.
pub(super) fn may_open(input: &[u8]) -> bool {
    match input {
        // Another beginning, unless the equals sign is the charset.
        [b'=', b'?', b'=', rest @ ..] if rest.starts_with(b"?") => encoding(rest).is_ok(),
        [b'=', b'?', next, ..] if is_blank(*next) => spaced_opening(input).is_ok(),
        [b'=', b'?', next, ..] => *next > b' ' && *next != 0x7F,
        _ => false,
    }
}

/// `=?charset?encoding?` with any charset: none at all, one in quotes, one with characters
/// that RFC 2047, section 2, keeps out.
///
/// `ANSI_X3.4-1968` is what glibc calls US-ASCII and cron puts into subjects; its full stop
/// is not allowed. Old PHP mailers leave the charset empty.
fn loose_opening(input: &[u8]) -> IResult<&[u8], Opening<'_>> {
    let (rest, _) = tag("=?")(input)?;
    let (rest, charset) =
        take_while(|octet: u8| octet > b' ' && octet != 0x7F && octet != b'?')(rest)?;
    work(charset.len());
    let Ok((rest, encoding)) = encoding(rest) else {
        return spaced_opening(input);
    };
    let opening = Opening {
        charset,
        encoding,
        spaced: false,
    };
    Ok((rest, opening))
}

/// What a word says before its text.
struct Opening<'a> {
    charset: &'a [u8],
    encoding: WordEncoding,
    spaced: bool,
}

/// The same with blanks or folds around the charset or the encoding: templates put them there,
/// and so do relays that fold at any question mark. The charset has to look like one, since
/// prose has question marks and single letters too.
fn spaced_opening(input: &[u8]) -> IResult<&[u8], Opening<'_>> {
    let blanks = |input| take_while(is_blank)(input);
    let (rest, _) = tag("=?")(input)?;
    let (rest, before) = blanks(rest)?;
    let (rest, charset) = word_token(rest)?;
    let (rest, behind) = blanks(rest)?;
    work(before.len() + behind.len());
    let looks_like_charset = |octet: &u8| octet.is_ascii_digit() || *octet == b'-';
    if !charset.iter().any(looks_like_charset) {
        return Err(no_match(input, ErrorKind::Verify));
    }
    let (rest, _) = tag("?")(rest)?;
    let (rest, before) = blanks(rest)?;
    let (letter, behind) = match rest {
        [letter, behind @ ..] => (*letter, behind),
        [] => return Err(no_match(input, ErrorKind::OneOf)),
    };
    let (rest, behind) = blanks(behind)?;
    work(before.len() + behind.len());
    let (rest, _) = tag("?")(rest)?;
    let encoding = match letter {
        b'B' | b'b' => WordEncoding::B,
        b'Q' | b'q' => WordEncoding::Q,
        _ => return Err(no_match(input, ErrorKind::OneOf)),
    };
    let opening = Opening {
        charset,
        encoding,
        spaced: true,
    };
    Ok((rest, opening))
}

/// What lies before the next `=?charset?encoding?`, and whether there is none.
fn before_next_word(region: &[u8]) -> (&[u8], bool) {
    let mut from = 0;
    while let Some(at) = opening(region.get(from..).unwrap_or_default()) {
        let at = from + at;
        if loose_opening(region.get(at..).unwrap_or_default()).is_ok() {
            return (slice(region, 0, at), false);
        }
        from = at + 2;
    }
    (region, true)
}

/// Where the `?=` that ends a word stands: the first one, but for Q the first that no
/// escape follows, since `?=E4` may as well be a bare question mark before an escape.
fn closing(region: &[u8], encoding: WordEncoding) -> Option<usize> {
    work(region.len());
    let mut last = None;
    let mut from = 0;
    // To prepare a search for both octets takes longer than most words are.
    while let Some(found) = memchr(b'?', region.get(from..).unwrap_or_default()) {
        let at = from + found;
        from = at + 1;
        if region.get(from) != Some(&b'=') {
            continue;
        }
        last = Some(at);
        let after = region.get(at + 2..).unwrap_or_default();
        if encoding == WordEncoding::B || !opens_with_hex(after) {
            break;
        }
    }
    last
}

/// The text of a word with a fold or a blank inside of its `?=`, and how many octets it takes with
/// that: relays fold anywhere. The text has to be one by the grammar, since prose has question marks
/// and equals signs too.
fn parted_closing(region: &[u8]) -> Option<(&[u8], usize)> {
    let (rest, text) = encoded_text(region).ok()?;
    let behind = rest.strip_prefix(b"?")?;
    let after = trim_start(behind).strip_prefix(b"=")?;
    let is_parted = behind.first().copied().is_some_and(is_blank);
    (is_parted && !opens_with_hex(after)).then_some((text, region.len() - after.len()))
}

/// The text of a word whose `?=` was cut off, with half of it perhaps left: mailers that
/// shorten subjects do that. Q text with white space in it, folded or not, may be prose and is none.
fn unclosed_text(region: &[u8], encoding: WordEncoding) -> Option<&[u8]> {
    work(region.len());
    let text = trim_end(region);
    let text = text.strip_suffix(b"?").unwrap_or(text);
    let unfolded = |(at, line)| match encoding {
        WordEncoding::B if at > 0 => trim_start(line),
        _ => line,
    };
    let prose = text.is_empty() || lines(text).map(unfolded).any(has_blank);
    (!prose).then_some(text)
}

/// The encoded text without what folding put into it.
///
/// The line end never belongs to the text. The blank after it does where the text has its
/// blanks as they are; where it writes them `_` or `=20`, or is base64, the blank came with
/// the fold, and so it did inside an escape.
fn without_folds(text: &[u8], encoding: WordEncoding) -> Cow<'_, [u8]> {
    let has_blanks = encoding == WordEncoding::Q && has_blank(text);
    if let Some(whole) = has_blanks.then(|| with_whole_escapes(text)).flatten() {
        return Cow::Owned(without_line_ends(&whole, encoding).into_owned());
    }
    without_line_ends(text, encoding)
}

/// The text without the blanks and folds inside of its escapes (RFC 2047, section 4.2): `=C3=`, a
/// fold, and `B5`. `None` where there are none.
///
/// A fold was put there by who counted octets alone. Blanks without one may be prose, such as
/// `x = 95 or so`, so that what they cut has to be an octet above 7F with another escape beside it.
fn with_whole_escapes(text: &[u8]) -> Option<Vec<u8>> {
    work(text.len());
    let mut octets: Vec<u8> = Vec::new();
    // Up to where the text is in `octets`.
    let mut from = 0;
    let mut at = 0;
    while let Some(found) = memchr(b'=', text.get(at..).unwrap_or_default()) {
        let start = at + found;
        at = start + 1;
        let Some((digits, length)) = cut_escape(text.get(at..).unwrap_or_default()) else {
            continue;
        };
        let end = at + length;
        let cut = slice(text, at, end);
        let is_escape = |text: &[u8]| match text {
            [b'=', behind @ ..] => opens_with_hex(behind) || cut_escape(behind).is_some(),
            _ => false,
        };
        let before = start.checked_sub(3).and_then(|before| text.get(before..));
        let has_neighbour = (from == start && from > 0)
            || before.is_some_and(is_escape)
            || text.get(end..).is_some_and(is_escape);
        let is_high = digits
            .first()
            .is_some_and(|digit| !matches!(digit, b'0'..=b'7'));
        let is_folded = memchr2(b'\r', b'\n', cut).is_some();
        if is_folded || is_high && has_neighbour {
            octets.extend_from_slice(slice(text, from, start + 1));
            octets.extend_from_slice(&digits);
            (from, at) = (end, end);
        }
    }
    (from > 0).then(|| {
        octets.extend_from_slice(text.get(from..).unwrap_or_default());
        octets
    })
}

/// The two hexadecimal digits of an escape that has blanks behind its equals sign or between them,
/// and how many octets they take.
fn cut_escape(behind: &[u8]) -> Option<([u8; 2], usize)> {
    let blanks = |text: &[u8]| text.iter().take_while(|octet| is_blank(**octet)).count();
    let before = blanks(behind);
    let first = *behind.get(before)?;
    let after = behind.get(before + 1..).unwrap_or_default();
    let between = blanks(after);
    work(before + between + 1);
    let second = *after.get(between)?;
    let is_cut = before + between > 0 && opens_with_hex(&[first, second]);
    is_cut.then_some(([first, second], before + between + 2))
}

fn without_line_ends(text: &[u8], encoding: WordEncoding) -> Cow<'_, [u8]> {
    if memchr2(b'\r', b'\n', text).is_none() {
        return Cow::Borrowed(text);
    }
    work(text.len());
    let encodes_blanks = encoding == WordEncoding::B
        || memchr(b'_', text).is_some()
        || memmem::find(text, b"=20").is_some();
    let mut octets = Vec::with_capacity(text.len());
    for (at, line) in lines(text) {
        let folded = at > 0 && encodes_blanks;
        octets.extend_from_slice(if folded { trim_start(line) } else { line });
    }
    Cow::Owned(octets)
}

/// The charset and the language of `charset*language` (RFC 2231, section 5), quotes around
/// the charset left out.
fn label_and_language(charset: &[u8]) -> (&[u8], Option<&[u8]>) {
    let charset = match charset {
        [b'"', ..] => quoted_charset(charset).map_or(charset, |(_, bare)| bare),
        _ => charset,
    };
    match charset.iter().position(|&octet| octet == b'*') {
        Some(star) => {
            let language = charset.get(star + 1..).filter(|tag| !tag.is_empty());
            (slice(charset, 0, star), language)
        }
        None => (charset, None),
    }
}

/// A charset in quotes, copied with them from a Content-Type.
fn quoted_charset(input: &[u8]) -> IResult<&[u8], &[u8]> {
    delimited(tag("\""), word_token, tag("\"")).parse(input)
}

/// Reports what is clearly meant as an encoded word and cannot be read as one.
fn report_unread(input: &[u8], at: usize, report: &mut Report) {
    if let Ok((rest, _)) = loose_opening(input) {
        let length = input.len() - rest.len();
        let detail = "an encoded word that does not end";
        report.add(Kind::EncodedWordKept, at, length, detail);
    } else if let Ok((rest, ())) = unknown_encoding(input) {
        let length = input.len() - rest.len();
        let detail = "an encoded word with an encoding other than B and Q";
        report.add(Kind::EncodedWordKept, at, length, detail);
    } else if let Ok((rest, ())) = folded_charset(input) {
        let length = input.len() - rest.len();
        let detail = "an encoded word with a fold in its charset";
        report.add(Kind::EncodedWordKept, at, length, detail);
    }
}

/// The opening of an encoded word whose charset has a fold in it, so that it names none.
fn folded_charset(input: &[u8]) -> IResult<&[u8], ()> {
    let (input, _) = tag("=?")(input)?;
    let (input, _) = word_token(input)?;
    let (rest, _) = line_ends(input).ok_or_else(|| no_match(input, ErrorKind::CrLf))?;
    let (rest, _) = take_while1(is_blank)(rest)?;
    let (rest, _) = word_token(rest)?;
    let (rest, _) = encoding(rest)?;
    Ok((rest, ()))
}

/// An encoded word of another encoding than the two there are (RFC 2047, section 6.2, has
/// it shown as it is).
fn unknown_encoding(input: &[u8]) -> IResult<&[u8], ()> {
    let (input, _) = tag("=?")(input)?;
    let (input, _) = word_token(input)?;
    let (input, _) = delimited(tag("?"), token, tag("?")).parse(input)?;
    let (input, _) = encoded_text(input)?;
    let (input, _) = tag("?=")(input)?;
    Ok((input, ()))
}

impl EncodedWord<'_> {
    /// Reports where the word departs from RFC 2047 in its place.
    #[inline]
    pub(super) fn report(&self, body: &[u8], report: &mut Report) {
        let mut add = |kind, detail| report.add(kind, self.offset, self.length(), detail);
        if let Some(detail) = misplaced(body, self.offset, self.offset + self.length(), self.place)
        {
            add(Kind::EncodedWordPlace, detail);
        }
        let is_strict = self.form == Form::Strict;
        if !is_strict || self.charset().contains(&b'*') {
            for detail in charset_violations(self.charset()) {
                add(Kind::EncodedWordSyntax, detail);
            }
        }
        if !is_strict {
            for detail in text_violations(self) {
                add(Kind::EncodedWordSyntax, detail);
            }
        }
        if self.ends_in_equals_sign() {
            let detail = "an equals sign at its end that begins no escape, left out";
            add(Kind::EncodedWordSyntax, detail);
        }
        let mut octets = self.text().iter().copied();
        let must_be_encoded = self.encoding == WordEncoding::Q
            && match self.place {
                Place::Comment => octets.any(|octet| matches!(octet, b'(' | b')' | b'\\')),
                Place::Phrase if is_strict => !octets.all(may_be_in_phrase),
                Place::Phrase => {
                    octets.any(|octet| is_encoded_text(octet) && !may_be_in_phrase(octet))
                }
                _ => false,
            };
        if must_be_encoded {
            let detail = "characters that must be encoded in this place";
            add(Kind::EncodedWordSyntax, detail);
        }
        if self.length() > MAX_WORD {
            add(Kind::EncodedWordLength, "more than 75 characters");
        }
    }
}

/// The most octets an encoded word may have (RFC 2047, section 2).
pub(crate) const MAX_WORD: usize = 75;

/// What RFC 2047, section 5, has against a word from `at` to `end` of the field.
fn misplaced(body: &[u8], at: usize, end: usize, place: Place) -> Option<&'static str> {
    let in_comment = place == Place::Comment;
    match place {
        Place::QuotedString => return Some("an encoded word in a quoted string"),
        Place::Parameter => return Some("an encoded word in a parameter"),
        Place::Text | Place::Comment | Place::Phrase => {}
    }
    let before = at.checked_sub(1).and_then(|before| body.get(before));
    let after = body.get(end);
    let parts = |octet: Option<&u8>, parenthesis: u8| {
        octet.is_none_or(|&octet| is_blank(octet) || (in_comment && octet == parenthesis))
    };
    if !parts(before, b'(') {
        Some("no white space before an encoded word")
    } else if !parts(after, b')') {
        Some("no white space after an encoded word")
    } else {
        None
    }
}

fn charset_violations(charset: &[u8]) -> impl Iterator<Item = &'static str> {
    let (label, language) = label_and_language(charset);
    let has_star = charset.contains(&b'*');
    [
        (quoted_charset(charset).is_ok()).then_some("a charset in quotes"),
        label
            .is_empty()
            .then_some("an encoded word without a charset"),
        (!label.iter().copied().all(is_word_token))
            .then_some("a charset with characters that an encoded word may not have"),
        (has_star && language.is_none()).then_some("a star without a language"),
    ]
    .into_iter()
    .flatten()
}

fn text_violations(word: &EncodedWord<'_>) -> impl Iterator<Item = &'static str> {
    let (text, form) = (word.text(), word.form);
    // There may be blanks inside its `?=` too.
    let whole = if form == Form::Spaced {
        text
    } else {
        word.source
    };
    let has_blank = |of: fn(u8) -> bool| whole.iter().copied().any(of);
    let has = |of: fn(u8) -> bool| text.iter().copied().any(of);
    let is_line_end = |octet: u8| matches!(octet, b'\r' | b'\n');
    let is_white = |octet: u8| matches!(octet, b' ' | b'\t');
    let is_odd = |octet: u8| octet >= 0x7F || (octet < b' ' && !is_blank(octet));
    let folded = has_blank(is_line_end);
    [
        text.is_empty().then_some("an encoded word without text"),
        folded.then_some("a fold inside an encoded word"),
        (!folded && has_blank(is_white)).then_some("white space inside an encoded word"),
        has(|octet| octet == b'?').then_some("a question mark inside an encoded word"),
        has(is_odd).then_some("octets inside an encoded word that are not printable ASCII"),
        (form == Form::Spaced).then_some("white space around the charset or the encoding"),
        (form == Form::Unclosed).then_some("an encoded word without its last ?="),
    ]
    .into_iter()
    .flatten()
}

fn opens_with_hex(octets: &[u8]) -> bool {
    matches!(octets, [a, b, ..] if a.is_ascii_hexdigit() && b.is_ascii_hexdigit())
}

fn has_blank(octets: &[u8]) -> bool {
    octets.iter().copied().any(is_blank)
}

#[cfg(test)]
mod tests {
    use super::EncodedWord;
    use crate::header::tests::{kinds, shown};
    use crate::header::{Piece, Syntax, pieces};

    #[track_caller]
    fn read(body: &str, expected: &str, findings: &str) {
        let found = pieces(body.as_bytes(), Syntax::Unstructured);
        assert_eq!(shown(found.as_slice()), expected);
        assert_eq!(kinds(found.report()), findings);
    }

    #[test]
    fn letters_of_either_case() {
        read(
            "=?UTF-8?b?YQ==?= =?utf-8?q?a?=",
            "{Text UTF-8 B YQ==}~ {Text utf-8 Q a}",
            "",
        );
    }

    #[test]
    fn no_white_space_around() {
        read(
            "a=?utf-8?Q?b?=c",
            "a{Text utf-8 Q b}c",
            "encoded-word-place",
        );
        read(
            "=?utf-8?Q?a?==?utf-8?Q?b?=",
            "{Text utf-8 Q a}{Text utf-8 Q b}",
            "encoded-word-place encoded-word-place",
        );
    }

    #[test]
    fn empty_encoded_text() {
        read("=?utf-8?Q??= a", "{Text utf-8 Q } a", "encoded-word-syntax");
        read("=?utf-8?B??=", "{Text utf-8 B }", "encoded-word-syntax");
    }

    #[test]
    fn white_space_and_question_marks_in_the_text() {
        read(
            "=?utf-8?Q?a b?= c",
            "{Text utf-8 Q a b} c",
            "encoded-word-syntax",
        );
        read(
            "=?utf-8?Q?a?b?= c",
            "{Text utf-8 Q a?b} c",
            "encoded-word-syntax",
        );
        read(
            "=?utf-8?Q?a??= c",
            "{Text utf-8 Q a?} c",
            "encoded-word-syntax",
        );
        let both = "encoded-word-syntax encoded-word-syntax";
        read("=?utf-8?Q?Who? Me?=", "{Text utf-8 Q Who? Me}", both);
        read(
            "=?utf-8?Q?a b?= =?utf-8?Q?c d?=",
            "{Text utf-8 Q a b}~ {Text utf-8 Q c d}",
            both,
        );
    }

    #[test]
    fn question_mark_before_an_escape() {
        read(
            "=?utf-8?Q?Why?=3F?= a",
            "{Text utf-8 Q Why?=3F} a",
            "encoded-word-syntax",
        );
        // White space ends the word: what follows is text.
        read(
            "=?utf-8?Q?a?=20 b?=",
            "{Text utf-8 Q a}20 b?=",
            "encoded-word-place",
        );
        read(
            "=?utf-8?Q?a?=20",
            "{Text utf-8 Q a}20",
            "encoded-word-place",
        );
    }

    #[test]
    fn last_question_mark_and_equals_sign_cut_off() {
        read("=?utf-8?Q?abc", "{Text utf-8 Q abc}", "encoded-word-syntax");
        read(
            "=?utf-8?B?YWJj?",
            "{Text utf-8 B YWJj}",
            "encoded-word-syntax",
        );
        read(
            "=?utf-8?B?YW\r\n Jj",
            "{Text utf-8 B YWJj}",
            "encoded-word-syntax encoded-word-syntax",
        );
        read(
            "=?utf-8?Q?is how words begin",
            "=?utf-8?Q?is how words begin",
            "encoded-word-kept",
        );
        read("=?utf-8?Q?", "=?utf-8?Q?", "encoded-word-kept");
    }

    #[test]
    fn folded_in_the_middle() {
        read(
            "=?utf-8?B?YW\r\n Jj?=",
            "{Text utf-8 B YWJj}",
            "encoded-word-syntax",
        );
        read(
            "=?utf-8?Q?a_b\r\n\tc?=",
            "{Text utf-8 Q a_bc}",
            "encoded-word-syntax",
        );
        read(
            "=?utf-8?Q?a b\r\n c?=",
            "{Text utf-8 Q a b c}",
            "encoded-word-syntax",
        );
    }

    #[test]
    fn raw_octets_in_the_text() {
        read(
            "=?utf-8?Q?\u{e9}?=",
            "{Text utf-8 Q \\xc3\\xa9}",
            "encoded-word-syntax",
        );
    }

    #[test]
    fn charsets_that_no_word_may_have() {
        read(
            "=?\"utf-8\"?Q?a?=",
            "{Text utf-8 Q a}",
            "encoded-word-syntax",
        );
        read("=??Q?a?=", "{Text  Q a}", "encoded-word-syntax");
        read(
            "=?ANSI_X3.4-1968?Q?a?=",
            "{Text ANSI_X3.4-1968 Q a}",
            "encoded-word-syntax",
        );
        read(
            "=?ISO_8859-1:1987?Q?a?=",
            "{Text ISO_8859-1:1987 Q a}",
            "encoded-word-syntax",
        );
        read("=?utf-8*?Q?a?=", "{Text utf-8 Q a}", "encoded-word-syntax");
    }

    #[test]
    fn what_only_looks_like_a_word_stays() {
        for text in ["=?", "=? =?", "a =?= b", "=?utf-8?=", "=?utf-8?a?=", "1=?2"] {
            read(text, text, "");
        }
        read("=?utf-8?X?a?=", "=?utf-8?X?a?=", "encoded-word-kept");
    }

    #[test]
    fn words_of_any_length_up_to_the_limit() {
        let word = |length: usize| format!("=?utf-8?Q?{}?=", "a".repeat(length - 12));
        read(
            &word(75),
            &format!("{{Text utf-8 Q {}}}", "a".repeat(63)),
            "",
        );
        read(
            &word(76),
            &format!("{{Text utf-8 Q {}}}", "a".repeat(64)),
            "encoded-word-length",
        );
        let longest = word(EncodedWord::MAX_LENGTH);
        let found = pieces(longest.as_bytes(), Syntax::Unstructured);
        assert!(matches!(found.as_slice(), [Piece::Word(word)] if word.length() == 8192));
        let longer = word(EncodedWord::MAX_LENGTH + 1);
        read(&longer, &longer, "encoded-word-kept");
    }

    #[test]
    fn a_word_knows_its_source() {
        let body = b"one\r\n =?utf-8*en?q?t=77o?= three";
        let found = pieces(body, Syntax::Unstructured);
        let [
            Piece::Text(one),
            Piece::Text(blank),
            Piece::Word(two),
            Piece::Text(three),
        ] = found.as_slice()
        else {
            panic!("{found:?}");
        };
        assert_eq!((one.octets(), one.offset()), (&b"one"[..], 0));
        assert_eq!((blank.octets(), blank.offset()), (&b" "[..], 5));
        assert_eq!(
            (two.source(), two.offset()),
            (&b"=?utf-8*en?q?t=77o?="[..], 6)
        );
        assert_eq!((two.language(), two.length()), (Some(&b"en"[..]), 20));
        assert_eq!((three.octets(), three.offset()), (&b" three"[..], 26));
    }
}
