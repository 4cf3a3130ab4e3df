//! Decodes header fields and phrases to text (RFC 2047, RFC 6532).

use std::iter;

use super::characters::{is_printable, plain_text};
use super::field_decoder::{FieldPieces, Quoting};
use super::field_text::{CharsetUse, FieldText};
use super::quoting::{Neighbours, is_blank};
use super::raw_octets::{BLANKS, raw_charset, without_folds_in_characters};
use super::weighing::may_have_escapes;
use super::words::decode_strict_words;
use crate::charset::{Charset, Options};
use crate::header::{self, EncodedWord, MAX_WORD, Piece, Place, Syntax};
use crate::report::{Kind, Report, Source};

/// The text of a field body, unfolded and with its encoded words decoded (RFC 2047, section 6; RFC 6532,
/// section 3.2).
///
/// `body` is the octets after the colon. Encoded words are decoded only where `syntax` allows them. Their
/// text is quoted if it could be parsed as syntax: an encoded word cannot add an address, a parameter or
/// a field.
///
/// The charset of a word is decided like that of a body ([`decide`](super::decide)): its label is used
/// unless the octets disprove it. If the label is unknown or declares nothing, the octets decide. A word
/// in a charset without a decoder is kept as written.
///
/// Raw octets are decoded as UTF-8 if they are well-formed or the well-formed part outweighs the damage;
/// otherwise in the [`hint`](Options::hint), if it can decode them; otherwise in windows-1252. The halves
/// of a character split by a fold are joined. Offsets of findings are into `body`.
///
/// ```
/// use mime_charset::{Options, decode, header::Syntax};
///
/// let body = b"=?utf-8?Q?Kim=2C?= <kim@example.org>";
/// let text = decode::field(body, Syntax::Addresses, &Options::new());
/// assert_eq!(text.as_str(), "\"Kim,\" <kim@example.org>");
/// ```
#[must_use]
#[inline]
pub fn field<'a>(body: &'a [u8], syntax: Syntax, options: &Options) -> FieldText<'a> {
    let body = FieldBody::new(body);
    if let Some(text) = body.as_written() {
        return text;
    }
    body.decoded(syntax, options)
}

/// A field body, and the length of its plain prefix.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FieldBody<'a> {
    octets: &'a [u8],
    /// The number of octets of plain text at its start.
    plain: usize,
}

impl<'a> FieldBody<'a> {
    #[inline]
    pub(crate) fn new(octets: &'a [u8]) -> Self {
        FieldBody {
            octets,
            plain: header::text_length(octets),
        }
    }

    /// The result of [`field`] for a body that needs no decoding, whatever the syntax and the options.
    ///
    /// Most fields are printable ASCII on one line. Empty fields are too, and a header may have a quarter
    /// of a million of them.
    #[inline]
    pub(crate) fn as_written(self) -> Option<FieldText<'a>> {
        if self.plain < self.octets.len() {
            return None;
        }
        let text = std::str::from_utf8(self.octets).ok();
        text.map(FieldText::plain)
    }

    /// The result of [`field`] for any other body.
    #[inline]
    pub(crate) fn decoded(self, syntax: Syntax, options: &Options) -> FieldText<'a> {
        self.unfolded()
            .unwrap_or_else(|| self.decode_lexed(syntax, options))
    }

    fn decode_lexed(self, syntax: Syntax, options: &Options) -> FieldText<'a> {
        let read = header::pieces(self.octets, syntax);
        let quoting = Quoting::InField {
            syntax,
            has_open_quote: read.has_open_quote,
        };
        let (pieces, report) = read.into_list();
        let field = FieldPieces {
            pieces: pieces.as_slice(),
            body: self.octets,
            quoting,
        };
        field.decode(report, options)
    }

    /// The text of a body that is printable ASCII on several lines, without encoded words; `None` for any
    /// other body.
    fn unfolded(self) -> Option<FieldText<'a>> {
        let is_line_end = |octet: &u8| matches!(octet, b'\r' | b'\n');
        let first = self.octets.get(self.plain)?;
        let rest = self.rest();
        if !is_line_end(first)
            || !is_printable(rest)
            || header::has_opening(rest)
            || may_have_escapes(rest)
        {
            return None;
        }
        let text = header::unfold(self.octets);
        // Line endings that are not folds are reported.
        let is_text = !text.iter().any(is_line_end);
        let text = String::from_utf8(text.into_owned()).ok();
        text.filter(|_| is_text).map(FieldText::owned)
    }

    pub(crate) fn length(self) -> usize {
        self.octets.len()
    }

    /// The octets after the plain prefix.
    #[inline]
    pub(crate) fn rest(self) -> &'a [u8] {
        self.octets.get(self.plain..).unwrap_or_default()
    }
}

/// The text of a display name or another phrase, without quotes (RFC 2047, section 6.2).
pub(crate) fn phrase<'a>(pieces: &[Piece<'a>], options: &Options) -> FieldText<'a> {
    match pieces {
        // Many mailboxes have no name.
        [] => return FieldText::plain(""),
        [Piece::Text(only)] => {
            if let Some(text) = plain_text(only.octets()) {
                return FieldText::plain(text);
            }
        }
        _ => {}
    }
    let raw = if pieces.iter().all(|piece| piece.source().is_ascii()) {
        Vec::new()
    } else {
        raw_octets(pieces)
    };
    let name = FieldPieces {
        pieces,
        body: &raw,
        quoting: Quoting::Never,
    };
    name.decode(Report::new(), options)
}

/// The octets of all text pieces, joined. Together they decide the charset of the text.
fn raw_octets(pieces: &[Piece<'_>]) -> Vec<u8> {
    let texts = pieces.iter().filter_map(|piece| match piece {
        Piece::Text(text) => Some(text.octets()),
        Piece::Word(_) => None,
    });
    let raw = texts.collect::<Vec<_>>().concat();
    without_folds_in_characters(&raw, BLANKS).into_owned()
}

/// The charset in which [`field`] decodes the raw text in these pieces of a field body, if any.
pub(crate) fn charset_of_raw_text(
    body: &[u8],
    syntax: Syntax,
    pieces: &[Piece<'_>],
    options: &Options,
) -> Option<(Charset, Source)> {
    let is_raw = |piece: &Piece<'_>| match piece {
        Piece::Text(text) => !text.octets().is_ascii(),
        Piece::Word(_) => false,
    };
    if pieces.iter().any(is_raw) {
        return Some(raw_charset(body, options));
    }
    if body.is_ascii() {
        return charset_of_escapes(body, syntax, options);
    }
    // A word kept as written counts as raw text.
    let all = field(body, syntax, options);
    let raw = raw_charset(body, options);
    let is_raw = |used: &CharsetUse| {
        let octets = body.get(used.offset..used.offset + used.length);
        (used.charset, used.source) == raw && octets.is_some_and(|octets| !octets.is_ascii())
    };
    all.charsets().iter().any(is_raw).then_some(raw)
}

/// The charset in which [`field`] decodes the ISO 2022 escapes in the raw text of a field; `None` if
/// there are several.
fn charset_of_escapes(body: &[u8], syntax: Syntax, options: &Options) -> Option<(Charset, Source)> {
    memchr::memchr(0x1B, body)?;
    let all = field(body, syntax, options);
    let has_escape = |used: &&CharsetUse| {
        let octets = body.get(used.offset..used.offset + used.length);
        octets.is_some_and(|octets| memchr::memchr(0x1B, octets).is_some())
    };
    let mut raw = all.charsets().iter().filter(has_escape);
    let found = raw.next().map(|used| (used.charset, used.source))?;
    raw.all(|used| (used.charset, used.source) == found)
        .then_some(found)
}

/// Whether two field bodies certainly mean the same. The octets around their words must be equal (in an
/// address list, ignoring blanks). Corresponding words must have the same text, follow the grammar and
/// have no adjacent words. Raw octets need no decoding, since they are equal in both bodies.
pub(crate) fn differ_in_words_alone(
    one: &[u8],
    other: &[u8],
    syntax: Syntax,
    options: &Options,
) -> bool {
    let (Some(ones), Some(others)) = (lone_words(one, syntax), lone_words(other, syntax)) else {
        return false;
    };
    let text_of = |word: &EncodedWord<'_>| {
        let mut text = String::with_capacity(MAX_WORD);
        let charset = Charset::for_label_octets(word.label_octets());
        let charset = charset.filter(|charset| charset.is_declarable())?;
        let word = iter::once(word);
        decode_strict_words(word, charset, options, &mut text).then_some(text)
    };
    let is_same = |pair: (&Piece<'_>, &Piece<'_>)| match pair {
        // Blanks do not matter in a phrase.
        (Piece::Text(text), Piece::Text(other)) if syntax == Syntax::Addresses => {
            header::trim(text.octets()) == header::trim(other.octets())
        }
        (Piece::Text(text), Piece::Text(other)) => text.octets() == other.octets(),
        (Piece::Word(word), Piece::Word(other)) => {
            let text = text_of(word);
            text.is_some() && text == text_of(other)
        }
        _ => false,
    };
    ones.len() == others.len() && ones.iter().zip(&others).all(is_same)
}

/// The pieces of a one-line field; `None` unless all words follow the grammar and no two are adjacent. In
/// an address list, the words must be in display names, separated from other atoms.
fn lone_words(body: &[u8], syntax: Syntax) -> Option<Vec<Piece<'_>>> {
    /// Longer fields can reach limits.
    const MAX_LENGTH: usize = 4096;
    let place = match syntax {
        Syntax::Unstructured => Place::Text,
        Syntax::Addresses => Place::Phrase,
        _ => return None,
    };
    if body.len() > MAX_LENGTH || memchr::memchr2(b'\r', b'\n', body).is_some() {
        return None;
    }
    let read = header::pieces(body, syntax);
    // An address may touch a name.
    let is_allowed = |kind| place == Place::Phrase && kind == Kind::EncodedWordPlace;
    let is_separate = |word: &EncodedWord<'_>| {
        let (offset, end) = (word.offset(), word.offset() + word.length());
        let before = offset.checked_sub(1).and_then(|at| body.get(at));
        let following = body.get(end);
        word.place() == place
            && before.is_none_or(|&octet| is_blank(octet))
            && following.is_none_or(|&octet| is_blank(octet) || octet == b'<')
            && !(place == Place::Phrase && Neighbours::of(body, offset, end, body.len()).joins)
    };
    let is_lone = |piece: &Piece<'_>| match piece {
        Piece::Text(text) => !text.between_words() && !header::has_opening(text.octets()),
        Piece::Word(word) => is_separate(word),
    };
    let mut findings = read.report().findings().iter();
    let are_lone = findings.all(|finding| is_allowed(finding.kind()))
        && !read.has_open_quote
        && read.iter().all(is_lone);
    are_lone.then(|| read.into_parts().0)
}

#[cfg(test)]
mod tests {

    use proptest::proptest;

    use super::{FieldBody, FieldText, differ_in_words_alone, field};
    use crate::charset::{Charset, Options};
    use crate::decode;
    use crate::header::{self, Parameter, Syntax};
    use crate::work::work_of;

    /// Time is linear: the search for the neighbours of a word stops before the end of the field.
    #[test]
    fn the_work_of_words_doubles_with_their_number() {
        let shapes = [
            "(=?latin1?Q?=E9?= ",
            "(=?latin1?Q?\"=E9?= ",
            "\"=?latin1?Q?=E9?= ( ",
            "=?latin1?Q?=E9?= (( ",
            "=?latin1?Q?=E9?= (a) ",
        ];
        for syntax in ALL {
            for shape in shapes {
                // An odd number of quotes leaves one of them open.
                for odd in [0, 1] {
                    let of = |length: usize| {
                        let body = shape.repeat(length / shape.len() / 2 * 2 + odd);
                        work_of(|| drop(field(body.as_bytes(), syntax, &Options::new())))
                    };
                    let (small, large) = (of(64 << 10), of(128 << 10));
                    assert!(
                        large <= small * 9 / 4 + 16384,
                        "{shape:?} {syntax:?} {odd}: {small}, then {large}"
                    );
                }
            }
        }
    }

    /// White space between words is shown or hidden line by line.
    #[test]
    fn the_work_of_folds_between_words_doubles_with_their_number() {
        let options = Options::new();
        let of = |folds: usize| {
            let body = format!("=?latin1?Q?=E9?={}=?latin1?Q?=E9?=", "\n ".repeat(folds));
            work_of(|| drop(field(body.as_bytes(), Syntax::Unstructured, &options)))
        };
        let (small, large) = (of(4 << 10), of(8 << 10));
        assert!(large <= small * 9 / 4, "{small}, then {large}");
    }

    /// A fold may be inside a character, so raw octets before white space are examined.
    #[test]
    fn the_work_of_white_space_after_raw_octets_doubles_with_its_length() {
        for blanks in [" ", "\t", "\n ", "\r\n\t"] {
            let of = |count: usize| {
                let blanks = blanks.repeat(count);
                let body = [b"text/plain; name=\"\xE9", blanks.as_bytes(), b"\""].concat();
                work_of(|| {
                    drop(field(&body, Syntax::Addresses, &Options::new()));
                    let field = header::content_type(&body);
                    drop(field.parameter("name").map(Parameter::text));
                })
            };
            let (small, large) = (of(4 << 10), of(8 << 10));
            assert!(large <= small * 9 / 4, "{blanks:?}: {small}, then {large}");
        }
    }

    const ALL: [Syntax; 5] = [
        Syntax::Unstructured,
        Syntax::Addresses,
        Syntax::Phrases,
        Syntax::Parameters,
        Syntax::Opaque,
    ];

    /// The text without the fast path that skips the lexer.
    fn lexed<'a>(body: &'a [u8], syntax: Syntax, options: &Options) -> FieldText<'a> {
        FieldBody::new(body).decode_lexed(syntax, options)
    }

    proptest! {
        /// Folded text reads the same with and without the lexer.
        #[test]
        fn folded_text_is_the_same_without_the_lexer(
            body in "([ -~]{0,6}(\r\n|\n|\r|\r\n\r\n)?[ \t]?){0,6}",
        ) {
            for syntax in ALL {
                let options = Options::new();
                let body = body.as_bytes();
                assert_eq!(field(body, syntax, &options), lexed(body, syntax, &options), "{syntax:?}");
            }
        }
    }

    /// Fields that differ only in their words have the same text, names and addresses.
    #[test]
    fn fields_that_differ_only_in_words_read_the_same() {
        let pieces: [[&[u8]; 2]; 17] = [
            [b"=?gbk?B?sKE=?=", b"=?UTF-8?B?5ZWK?="],
            [b"=?gbk?B?sKE=?=<", b"=?UTF-8?B?5ZWK?= <"],
            [b"=?gbk?Q?=B0=A1?=", b"=?utf-8?Q?=E5=95=8A?="],
            [b"=?latin1?Q?=E9=2C?=", b"=?UTF-8?Q?=C3=A9=2C?="],
            [b"=?latin1?Q?a.?=", b"=?utf-8?Q?a.?="],
            [b"=?latin1?Q?a,?=", b"=?utf-8?Q?a,?="],
            [b"=?latin1?Q?=E9?=", b"=?UTF-8?Q?e?="],
            [b" "; 2],
            [b"\xE9"; 2],
            [b"a"; 2],
            [b"<a@b>"; 2],
            [b", "; 2],
            [b"."; 2],
            [b"\""; 2],
            [b"("; 2],
            [b"?="; 2],
            [b" :;"; 2],
        ];
        let options = Options::new().hint(Some(Charset::WINDOWS_1252));
        // Blanks in a phrase do not matter.
        let said = |text: &str, syntax| match syntax {
            Syntax::Addresses => text.replace(' ', ""),
            _ => text.to_owned(),
        };
        let text = |body: &[u8], syntax| said(field(body, syntax, &options).as_str(), syntax);
        let names = |body: &[u8]| -> Vec<_> {
            let list = decode::addresses(body);
            let name = |it: &decode::Mailbox<'_>| {
                (
                    it.octets().to_vec(),
                    said(it.name.as_str(), Syntax::Addresses),
                )
            };
            list.mailboxes().map(name).collect()
        };
        for syntax in [Syntax::Unstructured, Syntax::Addresses] {
            let (mut same, mut with_words) = (0, 0);
            for number in 0..pieces.len().pow(4) {
                let body = |column: usize| -> Vec<u8> {
                    let piece = |place| pieces[number / pieces.len().pow(place) % pieces.len()];
                    let pieces = (0..4).flat_map(|place| piece(place)[column]);
                    let end: &[u8] = match syntax {
                        Syntax::Addresses => b"<c@d>",
                        _ => b"",
                    };
                    pieces.chain(end).copied().collect()
                };
                let (one, other) = (body(0), body(1));
                if !differ_in_words_alone(&one, &other, syntax, &options) {
                    continue;
                }
                let shown = one.escape_ascii();
                assert_eq!(text(&one, syntax), text(&other, syntax), "{shown}");
                assert!(
                    syntax != Syntax::Addresses || names(&one) == names(&other),
                    "{shown}"
                );
                same += 1;
                with_words += usize::from(one != other);
            }
            assert!(same > 400 && with_words > 100, "{same}, {with_words}");
        }
    }
}
