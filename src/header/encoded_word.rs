//! Encoded words (RFC 2047, section 2, with the language of RFC 2231, section 5).
//!
//! A parsed word holds its label, encoding and encoded text verbatim. `decode/field_decoder.rs` decodes
//! words, and drops the white space between two words (section 6.2). Decoding is a separate module, so
//! that decoded text is never parsed as syntax.
//!
//! This file parses words that follow the grammar; `loose_word.rs` parses other words.

use std::borrow::Cow;

use memchr::{memchr, memchr_iter, memchr2, memmem};
use nom::bytes::complete::{tag, take_while1};
use nom::error::ErrorKind;
use nom::sequence::delimited;
use nom::{IResult, Parser};

use super::classes::is_blank;
use super::token::{lines, no_match, slice, trim_start};
use crate::charset;
use crate::label::Label;
use crate::transfer;
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
    /// The label and the language, verbatim.
    pub(super) charset: &'a [u8],
    pub(super) encoding: WordEncoding,
    /// The encoded text, including folds.
    pub(super) text: &'a [u8],
    pub(super) form: WordForm,
    place: Place,
    /// Whether the word is inside quotes, including those of a parameter value.
    pub(crate) in_quotes: bool,
    /// Whether the last character of its text is the closing quote of the quoted string around it.
    pub(crate) closes_quotes: bool,
}

/// Whether and how an encoded word departs from the grammar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WordForm {
    /// Follows the grammar of RFC 2047, section 2.
    Strict,
    Loose,
    /// White space surrounds its charset or its encoding.
    Spaced,
    /// The final `?=` is missing.
    Unclosed,
}

impl<'a> EncodedWord<'a> {
    /// Maximum length of a word in octets. RFC 2047, section 2, allows 75: longer words are reported,
    /// and words beyond this limit are kept as text.
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

    /// The charset that the word names, without the language; empty if the word names no charset.
    #[must_use]
    pub fn label(&self) -> Label<'a> {
        Label::new(self.label_octets())
    }

    /// Whether the encoding is a name such as `base64` instead of one letter.
    pub(super) fn has_encoding_name(&self) -> bool {
        // =? charset ? letter ?
        let after_letter = "=??B".len() + self.charset.len();
        self.form != WordForm::Spaced && self.source.get(after_letter) != Some(&b'?')
    }

    pub(crate) fn label_octets(&self) -> &'a [u8] {
        label_and_language(self.charset).0
    }

    /// The language tag (RFC 2231, section 5), verbatim.
    #[must_use]
    pub fn language(&self) -> Option<&'a [u8]> {
        label_and_language(self.charset).1
    }

    /// The encoding of the text.
    #[must_use]
    pub fn encoding(&self) -> WordEncoding {
        self.encoding
    }

    /// The encoded text, unfolded.
    #[must_use]
    pub fn encoded_text(&self) -> Cow<'a, [u8]> {
        let text = self.text_without_padding();
        match self.form {
            WordForm::Strict => Cow::Borrowed(text),
            _ => without_folds(text, self.encoding, self.place),
        }
    }

    /// The encoded text, including a trailing equals sign.
    pub(crate) fn text_to_join(&self) -> Cow<'a, [u8]> {
        match self.form {
            WordForm::Strict => Cow::Borrowed(self.text),
            _ => without_folds(self.text, self.encoding, self.place),
        }
    }

    /// The encoded text, if the word follows the grammar and has no trailing equals sign.
    pub(crate) fn strict_text(&self) -> Option<&'a [u8]> {
        let is_strict = self.form == WordForm::Strict && !self.ends_in_equals_sign();
        is_strict.then_some(self.text)
    }

    /// The octets of the word, without findings.
    pub(crate) fn octets(&self) -> Vec<u8> {
        let text = self.encoded_text();
        match self.encoding {
            WordEncoding::B => transfer::b(&text).into_octets().into_owned(),
            WordEncoding::Q => transfer::q(&text).into_octets().into_owned(),
        }
    }

    /// The text of the word, decoded without its neighbours; `None` if the label declares nothing.
    pub(super) fn lone_text(&self) -> Option<String> {
        let charset = charset::resolve(&self.label()).charset?;
        Some(charset.decode(&self.octets()).into_text().into_owned())
    }

    /// The same word at an offset; `None` if it is too long.
    pub(super) fn at(self, offset: usize) -> Option<Self> {
        (self.source.len() <= Self::MAX_LENGTH).then_some(EncodedWord { offset, ..self })
    }

    /// The same word, with its place.
    pub(super) fn with_place(self, place: Place, in_quotes: bool) -> Self {
        EncodedWord {
            place,
            in_quotes: in_quotes || place == Place::QuotedString,
            ..self
        }
    }

    /// Whether a Q word ends in an equals sign that begins no escape. Some scripts add the sign
    /// like base64 padding. Others add it as a soft line break of quoted-printable (RFC 2045,
    /// section 6.7, rule 5), which has no meaning in a word. If a mailer split an escape between
    /// words, the next word has the digits.
    pub(crate) fn ends_in_equals_sign(&self) -> bool {
        self.encoding == WordEncoding::Q && matches!(self.text, [_, .., b'='])
    }

    /// The encoded text without a [trailing equals sign](Self::ends_in_equals_sign).
    fn text_without_padding(&self) -> &'a [u8] {
        match self.text.split_last() {
            Some((_, text)) if self.ends_in_equals_sign() => text,
            _ => self.text,
        }
    }

    /// The whole word, verbatim.
    #[must_use]
    pub fn source(&self) -> &'a [u8] {
        self.source
    }

    /// The offset of the word in the field body.
    #[must_use]
    pub fn offset(&self) -> usize {
        self.offset
    }

    /// The length of the word in octets.
    #[must_use]
    pub fn length(&self) -> usize {
        self.source.len()
    }

    /// The place of the word in the grammar of the field.
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

/// The place of an encoded word in a field.
///
/// A caller that writes the text of a word back into a field must quote it by the rules of its place:
/// decoded text is never syntax (RFC 2047, section 6.2).
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
    /// In a quoted string: forbidden, but common.
    QuotedString,
    /// In the value of a parameter: forbidden, but common.
    Parameter,
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
        word(input, rest, charset, encoding, text, WordForm::Strict),
    ))
}

/// The word between `input` and `rest`.
pub(super) fn word<'a>(
    input: &'a [u8],
    rest: &[u8],
    charset: &'a [u8],
    encoding: WordEncoding,
    text: &'a [u8],
    form: WordForm,
) -> EncodedWord<'a> {
    let source = slice(input, 0, input.len() - rest.len());
    EncodedWord {
        source,
        offset: 0,
        charset,
        encoding,
        text,
        form,
        place: Place::Text,
        in_quotes: false,
        closes_quotes: false,
    }
}

/// > token = 1*<Any CHAR except SPACE, CTLs, and especials>
pub(super) fn word_token(input: &[u8]) -> IResult<&[u8], &[u8]> {
    let (rest, found) = take_while1(is_word_token)(input)?;
    work(found.len());
    Ok((rest, found))
}

/// > `especials = "(" / ")" / "<" / ">" / "@" / "," / ";" / ":" / "\" / <"> / "/" / "[" /
/// > "]" / "?" / "." / "="`
pub(super) fn is_word_token(octet: u8) -> bool {
    super::classes::is_token(octet) && octet != b'.'
}

/// > encoding = token
///
/// The only encodings are B and Q (RFC 2047, section 4). Also consumes the question marks around the
/// encoding.
pub(super) fn encoding(input: &[u8]) -> IResult<&[u8], WordEncoding> {
    match input {
        [b'?', b'B' | b'b', b'?', rest @ ..] => Ok((rest, WordEncoding::B)),
        [b'?', b'Q' | b'q', b'?', rest @ ..] => Ok((rest, WordEncoding::Q)),
        _ => Err(no_match(input, ErrorKind::OneOf)),
    }
}

pub(super) fn encoded_text(input: &[u8]) -> IResult<&[u8], &[u8]> {
    // The next question mark nearly always ends the word. The text before it is checked without an
    // early exit, which compiles to vector instructions.
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

pub(super) fn is_encoded_text(octet: u8) -> bool {
    octet.is_ascii_graphic() && octet != b'?'
}

/// The encoded text, unfolded.
///
/// The line ending of a fold is never text. The blank after it is text if the word has literal blanks
/// elsewhere. In four cases the fold added the blank, so it is removed: in base64, in a word that
/// writes blanks as `_` or `=20`, inside an escape, and after a soft line break.
fn without_folds(text: &[u8], encoding: WordEncoding, place: Place) -> Cow<'_, [u8]> {
    let has_blanks = encoding == WordEncoding::Q && has_blank(text);
    let whole = has_blanks.then(|| join_split_escapes(text, place));
    if let Some(whole) = whole.flatten() {
        return Cow::Owned(without_line_ends(&whole, encoding).into_owned());
    }
    without_line_ends(text, encoding)
}

/// Removes blanks and folds inside escapes (`=C3=`, a fold, and `B5`; RFC 2047, section 4.2), and soft
/// line breaks (RFC 2045, section 6.7, rule 5). `None` if the text has neither.
///
/// Relays fold inside escapes. The quoted-printable functions of PHP and Python write soft line breaks,
/// which have no meaning in a word.
fn join_split_escapes(text: &[u8], place: Place) -> Option<Vec<u8>> {
    work(2 * text.len());
    let has_escape = text.windows(3).any(|three| escape(three).is_some());
    let signs = memchr_iter(b'=', text).count();
    let has_literal = 3 * signs < text.iter().filter(|octet| !is_blank(**octet)).count();
    let mut octets: Vec<u8> = Vec::new();
    // Text before this offset is already in `octets`.
    let mut from = 0;
    let mut at = 0;
    while let Some(found) = memchr(b'=', text.get(at..).unwrap_or_default()) {
        let start = at + found;
        at = start + 1;
        let following = text.get(at..).unwrap_or_default();
        // If the preceding escape was split too, its digits are only in `octets`.
        let before = if from == start {
            &*octets
        } else {
            slice(text, 0, start)
        };
        let cut = split_escape(following).filter(|(digits, length)| {
            let (cut, after) = following.split_at_checked(*length).unwrap_or_default();
            let is_split = cut.first().is_some_and(u8::is_ascii_hexdigit) && has_line_end(cut);
            let is_whole = !has_literal && (has_escape || has_line_end(cut));
            is_split || is_whole || is_next_to_escape(before, *digits, after)
        });
        let end = if let Some((digits, length)) = cut {
            octets.extend_from_slice(slice(text, from, start + 1));
            octets.extend_from_slice(&digits);
            at + length
        } else if let Some(length) = soft_break(before, following, place, has_escape) {
            octets.extend_from_slice(slice(text, from, start));
            at + length
        } else {
            continue;
        };
        (from, at) = (end, end);
    }
    (from > 0).then(|| {
        octets.extend_from_slice(text.get(from..).unwrap_or_default());
        octets
    })
}

/// Parses the rest of a split escape: two hexadecimal digits, with blanks before or between them. Returns
/// the digits, and the length including the blanks.
fn split_escape(following: &[u8]) -> Option<([u8; 2], usize)> {
    let before = blanks_at_start(following);
    let first = *following.get(before)?;
    let after = following.get(before + 1..).unwrap_or_default();
    let between = blanks_at_start(after);
    work(before + between + 1);
    let second = *after.get(between)?;
    let is_cut = before + between > 0 && transfer::two_hexadecimal(&[first, second]).is_some();
    is_cut.then_some(([first, second], before + between + 2))
}

/// Whether two digits after an equals sign and white space are a split escape, and not text after a soft
/// line break, such as `eder` after `Mitgli=`. All of these must hold: the digits stand for an octet
/// above 7F; an adjacent escape does too, with digits of the same case; no letter of that case follows.
fn is_next_to_escape(before: &[u8], digits: [u8; 2], after: &[u8]) -> bool {
    let last = before.len().checked_sub(3).and_then(|at| before.get(at..));
    let beside = [last.and_then(escape), next_escape(after)];
    let is_lower = |digits: [u8; 2]| digits.iter().any(u8::is_ascii_lowercase);
    let is_high = |digits: [u8; 2]| !matches!(digits, [b'0'..=b'7', _]);
    let is_like = |other: [u8; 2]| is_high(other) && (!is_lower(digits) || is_lower(other));
    let is_same_case = if is_lower(digits) {
        u8::is_ascii_lowercase
    } else {
        u8::is_ascii_uppercase
    };
    let continues = after.first().is_some_and(is_same_case);
    is_high(digits) && !continues && beside.into_iter().flatten().any(is_like)
}

/// The two digits of an escape.
fn escape(octets: &[u8]) -> Option<[u8; 2]> {
    match octets {
        [b'=', digits @ ..] if transfer::two_hexadecimal(digits).is_some() => {
            digits.try_into().ok()
        }
        _ => None,
    }
}

/// The digits of the escape at the start of `octets`, which may be split.
fn next_escape(octets: &[u8]) -> Option<[u8; 2]> {
    let whole = octets.get(..3).and_then(escape);
    let following = octets.strip_prefix(b"=");
    whole.or_else(|| following.and_then(split_escape).map(|(digits, _)| digits))
}

/// The length of a soft line break, without its equals sign; `None` if the equals sign begins no soft
/// line break.
///
/// Three things after an equals sign make a soft line break: a fold, whose blank belongs to it except in
/// a parameter value (RFC 5322, section 3.2.4); two blanks, since PHP replaces line endings by them; and
/// a single blank, if the word has escapes, since its writer would have encoded a literal equals sign as
/// `=3D`.
fn soft_break(before: &[u8], following: &[u8], place: Place, has_escape: bool) -> Option<usize> {
    let gap = slice(following, 0, blanks_at_start(following));
    let is_line_end = |octet: &u8| matches!(octet, b'\r' | b'\n');
    let line_end = gap.iter().rposition(is_line_end);
    let blanks = gap.iter().filter(|octet| !is_line_end(octet)).count();
    match (line_end.filter(|_| place != Place::Parameter), blanks) {
        (Some(end), _) => Some(gap.len().min(end + 2)),
        (None, 2) if has_escape && !matches!(before.last(), None | Some(b' ' | b'\t' | b'=')) => {
            Some(gap.len())
        }
        _ if !ends_in_letter(before) => None,
        (None, 2) => Some(gap.len()),
        (None, 1) if has_escape => Some(gap.len() - 1),
        _ => None,
    }
}

/// Whether a text ends in a letter or an escape. An equals sign after a digit or a symbol is probably
/// text.
fn ends_in_letter(text: &[u8]) -> bool {
    let last = text.len().checked_sub(3).and_then(|at| text.get(at..));
    last.and_then(escape).is_some()
        || matches!(text.last(), Some(octet) if octet.is_ascii_alphabetic() || !octet.is_ascii())
}

fn blanks_at_start(text: &[u8]) -> usize {
    let length = text.iter().take_while(|octet| is_blank(**octet)).count();
    work(length);
    length
}

fn has_line_end(text: &[u8]) -> bool {
    memchr2(b'\r', b'\n', text).is_some()
}

fn without_line_ends(text: &[u8], encoding: WordEncoding) -> Cow<'_, [u8]> {
    if !has_line_end(text) {
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

/// Splits `charset*language` (RFC 2231, section 5) into charset and language, and removes quotes around
/// the charset.
pub(super) fn label_and_language(charset: &[u8]) -> (&[u8], Option<&[u8]>) {
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

/// A charset in quotes, copied verbatim from a Content-Type.
pub(super) fn quoted_charset(input: &[u8]) -> IResult<&[u8], &[u8]> {
    delimited(tag("\""), word_token, tag("\"")).parse(input)
}

pub(super) fn has_blank(octets: &[u8]) -> bool {
    octets.iter().copied().any(is_blank)
}
