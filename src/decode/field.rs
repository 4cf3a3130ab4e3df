//! Header fields and their parameters to text (RFC 2047, RFC 2231, RFC 6532).

use super::assembly::{Assembly, Quoting, length_of, text_of_pieces};
use super::characters::{is_printable, plain_text};
use super::field_text::{CharsetUse, FieldText};
use super::quoting::{is_blank, joins_beside};
use super::raw_octets::{BLANKS, raw_charset, without_folds_in_characters};
use super::strict_text::StrictText;
use super::words::decode_word;
use crate::charset::{Charset, Options};
use crate::header::{self, EncodedWord, MAX_WORD, Piece, Place, StrictPiece, Syntax, Word};
use crate::report::{Kind, Report, Source};

/// The text of a field body, unfolded, its encoded words decoded (RFC 2047, section 6;
/// RFC 6532, section 3.2).
///
/// `body` is what stands behind the colon. Words are decoded only where `syntax` allows
/// them. Their text is quoted where it could be taken for syntax: an encoded word makes no address,
/// no parameter and no further field.
///
/// The charset of a word is decided as that of a body is ([`decide`](super::decide)): its label is
/// believed unless the octets prove it wrong, and a label that is unknown or declares nothing leaves
/// the choice to the octets. A word in a charset that has no decoder stays as it is written.
///
/// Raw octets are read as UTF-8 if they are well-formed, or if what is well-formed outweighs the
/// damage; otherwise in the [`hint`](Options::hint), if they can be in it; otherwise in windows-1252.
/// A character that a fold cuts in two is read as one. Offsets of findings count octets of `body`.
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

/// A field body, and how much of it was looked at.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FieldBody<'a> {
    octets: &'a [u8],
    /// How many octets of text it begins with.
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

    /// What [`field`] gives of a body that is its own text, whatever the syntax and the options.
    ///
    /// Most fields are printable ASCII on one line; so are those without a body, of which a header
    /// may have a quarter of a million.
    #[inline]
    pub(crate) fn as_written(self) -> Option<FieldText<'a>> {
        if self.plain < self.octets.len() {
            return None;
        }
        let text = std::str::from_utf8(self.octets).ok();
        text.map(FieldText::plain)
    }

    /// What [`field`] gives of any other.
    #[inline]
    pub(crate) fn decoded(self, syntax: Syntax, options: &Options) -> FieldText<'a> {
        let strict = strict_field(self.octets, self.plain, syntax, options);
        strict.unwrap_or_else(|| any_field(self.octets, syntax, options))
    }

    pub(crate) fn length(self) -> usize {
        self.octets.len()
    }

    /// What stands behind the text that it begins with.
    #[inline]
    pub(crate) fn rest(self) -> &'a [u8] {
        self.octets.get(self.plain..).unwrap_or_default()
    }
}

/// The text of any field body.
fn any_field<'a>(body: &'a [u8], syntax: Syntax, options: &Options) -> FieldText<'a> {
    let mut assembly = Assembly::new(body, Quoting::WherePlaced(syntax), body.len(), options);
    assembly.is_printable = is_printable(body);
    let read = header::read(body, syntax, &mut assembly);
    let text = assembly.finish(read.report);
    if !assembly.is_misread() {
        return text;
    }
    let mut assembly = assembly.begun_again();
    let read = header::read(body, syntax, &mut assembly);
    assembly.finish(read.report)
}

/// The text of a field body of which there is nothing to report and in which nothing is quoted;
/// `None` for any other. It begins with `plain` octets of text.
fn strict_field<'a>(
    body: &'a [u8],
    plain: usize,
    syntax: Syntax,
    options: &Options,
) -> Option<FieldText<'a>> {
    match body.get(plain) {
        Some(0x80..) => return None,
        Some(b'=') if syntax == Syntax::Addresses => return strict_list(body, plain, options),
        _ => {}
    }
    let mut strict = StrictText::new(body, body.len(), options);
    for piece in header::StrictPieces::new(body, plain) {
        match piece.ok()? {
            StrictPiece::Text(text) => strict.push_text(text),
            StrictPiece::Word(word) if syntax == Syntax::Unstructured => strict.push_word(&word)?,
            StrictPiece::Word(_) if syntax == Syntax::Addresses => {
                return strict_list(body, plain, options);
            }
            StrictPiece::Word(_) => return None,
        }
    }
    strict.finish()
}

/// The same for a list of addresses, which may have encoded words in it.
fn strict_list<'a>(body: &'a [u8], plain: usize, options: &Options) -> Option<FieldText<'a>> {
    if !is_printable(body.get(plain..)?) {
        return None;
    }
    let mut strict = StrictText::new(body, body.len(), options);
    let read = header::read(body, Syntax::Addresses, &mut strict);
    if read.report.is_empty() {
        strict.finish()
    } else {
        None
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
    strict_phrase(pieces, options).unwrap_or_else(|| any_phrase(pieces, options))
}

/// The text of pieces of which there is nothing to report; `None` for any other.
///
/// With it, messages with an encoded word in each display name take 9 per cent fewer instructions
/// for their addresses, and real mail 2.
fn strict_phrase<'a>(pieces: &[Piece<'a>], options: &Options) -> Option<FieldText<'a>> {
    let mut strict = StrictText::new(b"", length_of(pieces), options);
    for piece in pieces {
        match piece {
            Piece::Text(text) if text.between_words() => {}
            Piece::Text(text) => strict.push_text(plain_text(text.octets())?),
            Piece::Word(word) => strict.push_word(&Word::of(word))?,
        }
    }
    strict.finish()
}

/// The text of any pieces.
fn any_phrase<'a>(pieces: &[Piece<'a>], options: &Options) -> FieldText<'a> {
    let raw = raw_octets(pieces);
    text_of_pieces(pieces, Report::new(), &raw, Quoting::Never, options)
}

/// All that stands between the words, if it may be in another charset than US-ASCII: its charset is
/// asked of all of it together.
fn raw_octets(pieces: &[Piece<'_>]) -> Vec<u8> {
    let texts = || {
        pieces.iter().filter_map(|piece| match piece {
            Piece::Text(text) => Some(text.octets()),
            _ => None,
        })
    };
    if texts().all(is_printable) {
        return Vec::new();
    }
    let raw = texts().collect::<Vec<_>>().concat();
    without_folds_in_characters(&raw, BLANKS).into_owned()
}

/// What [`field`] reads the raw text of a field body in that has these pieces, if it has some.
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
    // A word that is left as it is written is raw text too.
    let all = field(body, syntax, options);
    let raw = raw_charset(body, options);
    let is_raw = |used: &CharsetUse| {
        let octets = body.get(used.offset()..used.offset() + used.length());
        (used.charset(), used.source()) == raw && octets.is_some_and(|octets| !octets.is_ascii())
    };
    all.charsets().iter().any(is_raw).then_some(raw)
}

/// What [`field`] reads the escapes of ISO 2022 in raw text of a field in, where that is one charset.
fn charset_of_escapes(body: &[u8], syntax: Syntax, options: &Options) -> Option<(Charset, Source)> {
    memchr::memchr(0x1B, body)?;
    let all = field(body, syntax, options);
    let has_escape = |used: &&CharsetUse| {
        let octets = body.get(used.offset()..used.offset() + used.length());
        octets.is_some_and(|octets| memchr::memchr(0x1B, octets).is_some())
    };
    let mut raw = all.charsets().iter().filter(has_escape);
    let found = raw.next().map(|used| (used.charset(), used.source()))?;
    raw.all(|used| (used.charset(), used.source()) == found)
        .then_some(found)
}

/// Whether two bodies of a field say the same beyond doubt: both have the same octets around words
/// that keep the rules and have no neighbours, in a list of addresses but for blanks, and each word
/// says the same. Raw octets are not read for that: in either body they stand between the same.
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
        let word = Word::of(word);
        let mut text = String::with_capacity(MAX_WORD);
        let charset = Charset::for_label(word.label_octets());
        let charset = charset.filter(|charset| charset.is_declarable())?;
        decode_word(&word, charset, options, &mut text, &mut Report::new()).then_some(text)
    };
    let is_same = |pair: (&Piece<'_>, &Piece<'_>)| match pair {
        // A phrase does not count blanks.
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

/// The pieces of a field on one line in which all words keep the rules, have no neighbours and, in a
/// list of addresses, stand in display names that nothing joins them to.
fn lone_words(body: &[u8], syntax: Syntax) -> Option<Vec<Piece<'_>>> {
    /// What is longer has limits to be looked after.
    const MOST: usize = 4096;
    let place = match syntax {
        Syntax::Unstructured => Place::Text,
        Syntax::Addresses => Place::Phrase,
        _ => return None,
    };
    if body.len() > MOST || memchr::memchr2(b'\r', b'\n', body).is_some() {
        return None;
    }
    let mut pieces = Vec::new();
    let read = header::read(body, syntax, &mut pieces);
    // An address may touch a name.
    let is_allowed = |kind| place == Place::Phrase && kind == Kind::EncodedWordPlace;
    let is_apart = |word: &EncodedWord<'_>| {
        let (offset, end) = (word.offset(), word.offset() + word.length());
        let before = offset.checked_sub(1).and_then(|at| body.get(at));
        let behind = body.get(end);
        word.place() == place
            && before.is_none_or(|&octet| is_blank(octet))
            && behind.is_none_or(|&octet| is_blank(octet) || octet == b'<')
            && !(place == Place::Phrase && joins_beside(body, offset, end))
    };
    let is_lone = |piece: &Piece<'_>| match piece {
        Piece::Text(text) => !text.between_words() && !header::has_opening(text.octets()),
        Piece::Word(word) => is_apart(word),
    };
    let mut findings = read.report.findings().iter();
    let are_lone = findings.all(|finding| is_allowed(finding.kind()))
        && !read.has_open_quote
        && pieces.iter().all(is_lone);
    are_lone.then_some(pieces)
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use proptest::prelude::{Strategy, any, prop, prop_oneof};
    use proptest::proptest;

    use super::{
        FieldText, any_field, any_phrase, differ_in_words_alone, field, strict_field, strict_phrase,
    };
    use crate::charset::{Charset, Options};
    use crate::decode;
    use crate::header::{self, Entry, Name, Piece, Syntax};
    use crate::work::work_of;

    /// Time is linear: what stands beside a word is not looked for up to the end of the field.
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

    /// Whether white space between words is shown is asked of each line of it.
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

    const ALL: [Syntax; 5] = [
        Syntax::Unstructured,
        Syntax::Addresses,
        Syntax::Phrases,
        Syntax::Parameters,
        Syntax::Opaque,
    ];

    fn strict<'a>(body: &'a [u8], syntax: Syntax, options: &Options) -> Option<FieldText<'a>> {
        strict_field(body, header::text_length(body), syntax, options)
    }

    /// Whatever the fast paths read they read as the others do, and how many of these there are.
    fn compare(body: &[u8], options: &Options) -> usize {
        let mut clean = 0;
        for syntax in ALL {
            if let Some(strict) = strict(body, syntax, options) {
                let any = any_field(body, syntax, options);
                assert_eq!(strict, any, "{syntax:?} {:?}", body.escape_ascii());
                clean += 1;
            }
        }
        let mut names = vec![header::pieces(body, Syntax::Unstructured).into_parts().0];
        header::read_addresses(body, |entry| {
            if let Entry::Mailbox(mailbox) = entry {
                names.push(match mailbox.name {
                    Name::Literal(text) => vec![Piece::Text(text)],
                    Name::Pieces(pieces) => pieces,
                });
            }
            ControlFlow::Continue(())
        });
        for pieces in names {
            if let Some(strict) = strict_phrase(&pieces, options) {
                assert_eq!(
                    strict,
                    any_phrase(&pieces, options),
                    "{:?}",
                    body.escape_ascii()
                );
                clean += 1;
            }
        }
        clean
    }

    /// Every field of every message in the corpus.
    #[test]
    fn the_corpus_is_read_the_same_either_way() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/corpus/mail");
        let (mut fields, mut clean) = (0, 0);
        for file in std::fs::read_dir(folder).unwrap() {
            let octets = std::fs::read(file.unwrap().path()).unwrap();
            let header = octets.split(|&octet| octet == b'\n');
            let mut body: Vec<u8> = Vec::new();
            for line in header {
                if !line.starts_with(b" ") && !line.starts_with(b"\t") {
                    fields += 1;
                    clean += usize::from(compare(&body, &Options::new()) > 0);
                    body.clear();
                    let colon = line.iter().position(|&octet| octet == b':');
                    body.extend(&line[colon.map_or(0, |colon| colon + 1)..]);
                } else {
                    body.push(b'\n');
                    body.extend(line);
                }
            }
        }
        assert!(fields > 1000 && clean > fields / 2, "{clean} of {fields}");
    }

    /// Words whole and broken, in charsets with and without states, between all there is to be
    /// met between words.
    fn body() -> impl Strategy<Value = Vec<u8>> {
        let piece = prop_oneof![
            4 => prop::sample::select(vec![
                &b"=?utf-8?Q?caf=C3=A9?="[..], b"=?UTF-8?b?7ZWc7Ja0?=", b"=?euc-kr?B?x9Gxub7u?=",
                b"=?iso-2022-jp?B?GyRCOGwbKEI=?=", b"=?iso-2022-jp?B?GyRCOGw=?=",
                b"=?iso-2022-jp?Q?=1B$B8l?=", b"=?iso-8859-1?Q?=E9=80?=", b"=?us-ascii?Q?a_b?=",
                b"=?utf-8?Q?=E2=80=AE?=", b"=?utf-8?Q?=00=01?=", b"=?utf-8?B?7ZWc7J?=",
                b"=?utf-8?B?+A==?=", b"=?utf-7?Q?+rB0-?=", b"=?hz-gb-2312?Q?~{VPND~}?=",
                b"=?hz-gb-2312?Q?~{VP?=", b"=?utf-16?B?/v8A6Q==?=", b"=?utf-16le?Q?a=00?=",
                b"=?ks_c_5601-1987?Q?=C7=D1?=", b"=?UNICODE-1-1-UTF-8?B?47Ki?=",
                b"=?utf-8*en?Q?a?=", b"=?unknown-8bit?Q?=E9?=", b"=?utf-8?Q?a b?=",
                b"=?iso-2022-kr?B?GyQpQw5HUA8=?=", b"=?nothing?Q?a?=", b"=?utf-8?Q?=EF=BF=BE?=",
            ]),
            4 => prop::sample::select(vec![
                &b" "[..], b"\r\n ", b"\n\t", b"a", b" b ", b"\r\n", b"\t", b"=", b"=?", b"?=",
                b"\x08", b"\xC3\xA9", b"\xE9", b"\"", b"(", b")", b",", b"<a@b.c>", b";", b"; c=",
                b" <a@b.c>", b" <a@b>, ", b"@", b".", b"<", b">", b":", b" <a@[b]>", b"<@a:b@c>",
                b"a/b", b"; d*=utf-8''%C3%A9", b"; e*0*=iso-2022-jp''%1B$B8l", b"\\", b"\x7F",
                b"the quick brown fox jumps over the lazy dog",
            ]),
            1 => prop::collection::vec(any::<u8>(), 0..6).prop_map(|octets| octets.leak() as &[u8]),
        ];
        prop::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #[test]
        fn any_field_is_read_the_same_either_way(body in body()) {
            compare(&body, &Options::new());
            compare(&body, &Options::new().assume_pre_amendment5(true));
            compare(&body, &Options::new().reading(crate::charset::Reading::AsRegistered));
        }
    }

    /// Names, addresses and what stands between them, in every order that is one of a few steps
    /// away from a list of mailboxes.
    #[test]
    fn lists_of_addresses_are_read_the_same_either_way() {
        let steps: [&[u8]; 12] = [
            b"=?utf-8?Q?caf=C3=A9?=",
            b"=?utf-8?B?YS5i?=",
            b"=?utf-8?B?YSxi?=",
            b"=?utf-8?Q?.?=",
            b"=?utf-8?Q?_?=",
            b"=?utf-8?Q?a.b?=",
            b" <a@b.c>",
            b" ",
            b",",
            b"a",
            b".",
            b"@",
        ];
        let (count, mut clean) = (steps.len(), 0);
        for number in 0..count.pow(4) {
            let of = |place: u32| steps[number / count.pow(place) % count];
            let start = [of(0), of(1), of(2), of(3)].concat();
            for body in [&start[..], &[&start[..], b" <a@b.c>"].concat()] {
                compare(body, &Options::new());
                let fast = strict(body, Syntax::Addresses, &Options::new());
                clean += usize::from(fast.is_some_and(|fast| !fast.charsets().is_empty()));
            }
        }
        assert!(clean > 50, "{clean}");
    }

    /// Fields that differ in words alone say the same, and have the same names and addresses.
    #[test]
    fn what_differs_in_words_alone_says_the_same() {
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
        // A phrase does not count blanks.
        let said = |text: &str, syntax| match syntax {
            Syntax::Addresses => text.replace(' ', ""),
            _ => text.to_owned(),
        };
        let text = |body: &[u8], syntax| said(field(body, syntax, &options).as_str(), syntax);
        let names = |body: &[u8]| -> Vec<_> {
            let list = decode::addresses(body);
            let name = |it: &decode::Mailbox<'_>| {
                (it.octets().to_vec(), said(it.name(), Syntax::Addresses))
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

    /// What most mail consists of is for the fast path.
    #[test]
    fn what_is_common_is_strict() {
        let options = Options::new();
        let bodies = [
            "a long subject\r\n that is folded",
            " =?utf-8?Q?Caf=C3=A9?=",
            "[list] =?iso-8859-1?Q?Caf=E9?= notes",
            "=?utf-8?B?7ZWc?=\r\n =?utf-8?B?7Ja0?=",
            "=?euc-kr?B?x9Gxub7u?=",
            "=?iso-2022-jp?B?GyRCOGwbKEI=?= =?iso-2022-jp?B?GyRCOGwbKEI=?=",
        ];
        for body in bodies {
            let fast = strict(body.as_bytes(), Syntax::Unstructured, &options);
            assert!(fast.is_some(), "{body:?}");
        }
        let lists = [
            "a@example.org, \"b, c\" <d@example.org>",
            "=?utf-8?B?7ZWc?= <a.b@example.org>",
            "Kim =?utf-8?Q?Caf=C3=A9?=\r\n =?utf-8?Q?bar?= <a@b>,\r\n\t=?euc-kr?B?x9Gxub7u?= <c@d>",
        ];
        for list in lists {
            let fast = strict(list.as_bytes(), Syntax::Addresses, &options);
            assert!(fast.is_some(), "{list:?}");
        }
    }
}
