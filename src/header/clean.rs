//! Fields that keep every rule (RFC 5322, section 2.2.1; RFC 2047, sections 2 and 5), which
//! most subjects do, and lists of addresses of the most common shape.
//!
//! What is read here are the pieces that [`pieces`](super::pieces) gives, one by one instead
//! of in a list. Where the field first departs from the rules the reading ends, so that
//! whoever has read to the end knows that there is nothing to report.

use memchr::memchr2;

use super::Syntax;
use super::encoded_word::{
    MAX_WORD, Place, WordEncoding, encoded_word, may_be_in_phrase, misplaced,
};
use super::token::{is_atom, is_blank, line_ends, opening, slice};
use crate::report::{Kind, Report};
use crate::work::work;

/// A part of a field that keeps the rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CleanPiece<'a> {
    /// Printable ASCII, blanks and tabs.
    Text(&'a str),
    /// An encoded word.
    Word(CleanWord<'a>),
}

/// An encoded word by the letter of the grammar, with white space or nothing on either side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CleanWord<'a> {
    pub(crate) label: &'a [u8],
    pub(crate) encoding: WordEncoding,
    pub(crate) encoded_text: &'a [u8],
    pub(crate) offset: usize,
    pub(crate) length: usize,
}

impl CleanWord<'_> {
    /// Reports what RFC 2047, section 5, has against its place in the display name of `body`.
    pub(crate) fn report_place(&self, body: &[u8], report: &mut Report) {
        let end = self.offset + self.length;
        if let Some(detail) = misplaced(body, self.offset, end, Place::Phrase) {
            report.add(Kind::EncodedWordPlace, self.offset, self.length, detail);
        }
    }
}

/// The field departs from the rules here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Departure;

/// Reads the pieces of an unstructured field body; after a [`Departure`] there are no more.
#[derive(Debug)]
pub(crate) struct CleanPieces<'a> {
    body: &'a [u8],
    /// The body; nothing where it is not ASCII.
    text: &'a str,
    at: usize,
}

impl<'a> CleanPieces<'a> {
    pub(crate) fn new(body: &'a [u8]) -> Self {
        // Once for all pieces: of a few octets at a time it takes as long as of all of them.
        let text = std::str::from_utf8(body).unwrap_or_default();
        CleanPieces { body, text, at: 0 }
    }

    /// The text up to a fold or a word, or up to what is neither.
    fn text(&mut self, rest: &'a [u8]) -> Result<CleanPiece<'a>, Departure> {
        let start = self.at;
        self.at += text_length(rest);
        match self.text.get(start..self.at) {
            None | Some("") => Err(Departure),
            Some(text) => Ok(CleanPiece::Text(text)),
        }
    }

    /// The encoded word that comes next.
    fn word(&mut self) -> Result<CleanPiece<'a>, Departure> {
        let word = word_at(self.body, self.at, is_blank)?;
        self.at += word.length;
        Ok(CleanPiece::Word(word))
    }
}

/// The encoded word at `offset` of a field body; behind it may stand what `may_follow` says.
fn word_at(
    body: &[u8],
    offset: usize,
    may_follow: impl Fn(u8) -> bool,
) -> Result<CleanWord<'_>, Departure> {
    let before = offset.checked_sub(1).and_then(|at| body.get(at));
    let rest = slice(body, offset, body.len());
    let (after, word) = encoded_word(rest).map_err(|_| Departure)?;
    let length = rest.len() - after.len();
    let is_parted = before.is_none_or(|&octet| is_blank(octet))
        && after.first().is_none_or(|&octet| may_follow(octet));
    let label = word.charset();
    // A star is of RFC 2231, section 5, and an equals sign at the end of Q is no part of the text.
    let is_padded = word.encoding() == WordEncoding::Q && word.text().ends_with(b"=");
    if length > MAX_WORD || !is_parted || is_padded || label.contains(&b'*') {
        return Err(Departure);
    }
    Ok(CleanWord {
        label,
        encoding: word.encoding(),
        encoded_text: word.text(),
        offset,
        length,
    })
}

impl<'a> Iterator for CleanPieces<'a> {
    type Item = Result<CleanPiece<'a>, Departure>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut rest = slice(self.body, self.at, self.body.len());
        if let [b'\r' | b'\n', ..] = rest {
            let (after, ends) = line_ends(rest)?;
            self.at += ends.len();
            if !matches!(after.first(), Some(b' ' | b'\t')) {
                return Some(Err(Departure));
            }
            rest = after;
        }
        match rest {
            [] => None,
            [b'=', b'?', ..] => Some(self.word()),
            _ => Some(self.text(rest)),
        }
    }
}

/// Reads the words of a field body on one line, and the octets around them, whatever they are.
///
/// No two of the words are neighbours. In a list of addresses they are in display names
/// ([`PlainAddresses`]), and an address may touch them. After a [`Departure`] there are no more.
#[derive(Debug)]
pub(crate) struct LoneWords<'a> {
    body: &'a [u8],
    at: usize,
    is_over: bool,
    addresses: Option<PlainAddresses>,
}

impl<'a> LoneWords<'a> {
    /// What is longer has limits to be looked after.
    const MAX_LENGTH: usize = 4096;

    /// `None` where the field is no such, or of another syntax than these two.
    pub(crate) fn new(body: &'a [u8], syntax: Syntax) -> Option<Self> {
        let addresses = match syntax {
            Syntax::Unstructured => None,
            Syntax::Addresses => Some(PlainAddresses::Name),
            _ => return None,
        };
        let is_short = body.len() <= Self::MAX_LENGTH;
        (is_short && memchr2(b'\r', b'\n', body).is_none()).then_some(LoneWords {
            body,
            at: 0,
            is_over: false,
            addresses,
        })
    }

    /// The octets up to the word that comes next, and the word; all that is left and no word
    /// where there is no other.
    fn item(&mut self) -> Result<(&'a [u8], Option<CleanWord<'a>>), Departure> {
        let rest = slice(self.body, self.at, self.body.len());
        let length = opening(rest);
        let before = slice(rest, 0, length.unwrap_or(rest.len()));
        self.is_over = length.is_none();
        if self.at > 0 && !self.is_over && before.iter().copied().all(is_blank) {
            return Err(Departure);
        }
        let offset = self.at + before.len();
        let may_touch = self.addresses.is_some();
        let may_follow = |octet| is_blank(octet) || may_touch && octet == b'<';
        let word = match length {
            Some(_) => Some(word_at(self.body, offset, may_follow)?),
            None => None,
        };
        if let Some(addresses) = self.addresses {
            let addresses = addresses.text(before);
            let addresses = word.map_or(addresses, |word| addresses.word(&word));
            let is_wrong = match word {
                Some(_) => addresses == PlainAddresses::Other,
                None => addresses != PlainAddresses::Over,
            };
            if is_wrong {
                return Err(Departure);
            }
            self.addresses = Some(addresses);
        }
        self.at = word.map_or(self.body.len(), |word| word.offset + word.length);
        Ok((before, word))
    }
}

impl<'a> Iterator for LoneWords<'a> {
    type Item = Result<(&'a [u8], Option<CleanWord<'a>>), Departure>;

    fn next(&mut self) -> Option<Self::Item> {
        (!self.is_over).then(|| {
            let item = self.item();
            self.is_over |= item.is_err();
            item
        })
    }
}

/// Follows the pieces of a list of addresses, as long as each encoded word in it is part of a
/// display name beyond doubt: `Name <local@domain>, Name <local@domain>`, without quotes,
/// comments and groups (RFC 5322, section 3.4).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PlainAddresses {
    /// In a display name, where words may stand.
    Name,
    /// Behind the angle bracket that closes.
    Over,
    /// The list is of another shape.
    Other,
}

impl PlainAddresses {
    /// Goes on over text between words, in which every address is whole.
    pub(crate) fn text(self, text: &[u8]) -> Self {
        let of_name = |&octet: &u8| is_blank(octet) || (is_atom(octet) && octet != b'.');
        let (mut place, mut rest) = (self, text);
        loop {
            let length = match place {
                Self::Name => rest.iter().take_while(|octet| of_name(octet)).count(),
                Self::Over => rest.iter().take_while(|octet| is_blank(**octet)).count(),
                Self::Other => return Self::Other,
            };
            rest = rest.get(length..).unwrap_or_default();
            (place, rest) = match (place, rest) {
                (_, []) => return place,
                (Self::Name, [b'<', behind @ ..]) => match plain_address(behind) {
                    Some(behind) => (Self::Over, behind),
                    None => return Self::Other,
                },
                (Self::Over, [b',', behind @ ..]) => (Self::Name, behind),
                _ => return Self::Other,
            };
        }
    }

    /// Goes on over a word; one that writes specials as they are is for the grammar to read
    /// (RFC 2047, section 5, rule 3).
    pub(crate) fn word(self, word: &CleanWord<'_>) -> Self {
        let plain = word.encoding == WordEncoding::B
            || word.encoded_text.iter().copied().all(may_be_in_phrase);
        match self {
            Self::Name if plain => Self::Name,
            _ => Self::Other,
        }
    }
}

/// What follows `local@domain>` at the start, each of the two made of atoms and full stops.
fn plain_address(text: &[u8]) -> Option<&[u8]> {
    let atoms = |text: &[u8]| text.iter().take_while(|octet| is_atom(**octet)).count();
    let (local, rest) = text.split_at_checked(atoms(text))?;
    let rest = rest.strip_prefix(b"@")?;
    let (domain, rest) = rest.split_at_checked(atoms(rest))?;
    let rest = rest.strip_prefix(b">")?;
    (!local.is_empty() && !domain.is_empty()).then_some(rest)
}

/// How many octets of printable ASCII, blanks and tabs come first, without any `=?`.
pub(crate) fn text_length(octets: &[u8]) -> usize {
    /// So many octets are looked at together.
    const BLOCK: usize = 16;
    #[expect(
        clippy::needless_bitwise_bool,
        reason = "without branches, a block is one step of vector code"
    )]
    let is_plain = |octet: u8| (octet.wrapping_sub(b' ') <= b'~' - b' ') & (octet != b'=');
    let mut length = 0;
    if octets.len() < BLOCK {
        // A name is half a block, and another that overlaps it, or less.
        let halves = (octets.first_chunk::<8>(), octets.last_chunk::<8>());
        let is_all = match halves {
            (Some(first), Some(last)) => {
                let both = first.iter().zip(last);
                both.fold(true, |all, (&a, &b)| all & is_plain(a) & is_plain(b))
            }
            _ => octets.iter().fold(true, |all, &o| all & is_plain(o)),
        };
        if is_all {
            work(octets.len());
            return octets.len();
        }
    }
    loop {
        let rest = octets.get(length..).unwrap_or_default();
        let (blocks, _) = rest.as_chunks::<BLOCK>();
        let plain = |block: &&[u8; BLOCK]| block.iter().fold(true, |all, &o| all & is_plain(o));
        let skipped = BLOCK * blocks.iter().take_while(plain).count();
        // The last block may overlap the one before, which saves going through what is left.
        if skipped + BLOCK > rest.len() && rest.last_chunk().is_some_and(|last| plain(&last)) {
            work(rest.len());
            return octets.len();
        }
        let rest = rest.get(skipped..).unwrap_or_default();
        let found = rest.iter().position(|&octet| !is_plain(octet));
        length += skipped + found.unwrap_or(rest.len());
        work(skipped + found.unwrap_or(rest.len()) + 1);
        match octets.get(length..).unwrap_or_default() {
            [b'=', b'?', ..] => return length,
            [b'=' | b'\t', ..] => length += 1,
            _ => return length,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{CleanPiece, CleanPieces, text_length};
    use crate::header::{Piece, Syntax, pieces};

    /// What is read is what `pieces` reads, without a finding; `None` where it is not read
    /// to the end.
    #[track_caller]
    fn read(body: &str) -> Option<String> {
        let mut all = String::new();
        let mut given = Vec::new();
        for piece in CleanPieces::new(body.as_bytes()) {
            let (octets, offset) = match piece.ok()? {
                CleanPiece::Text(text) => (text.as_bytes(), None),
                CleanPiece::Word(word) => {
                    let end = word.offset + word.length;
                    (&body.as_bytes()[word.offset..end], Some(word.offset))
                }
            };
            all.extend(["[", &octets.escape_ascii().to_string(), "]"]);
            given.push((octets, offset));
        }
        let general = pieces(body.as_bytes(), Syntax::Unstructured);
        assert!(general.report().is_empty(), "{body:?}");
        let general: Vec<_> = general
            .pieces()
            .iter()
            .map(|piece| match piece {
                Piece::Text(text) => (text.octets(), None),
                Piece::Word(word) => (word.source(), Some(word.offset())),
            })
            .collect();
        assert_eq!(given, general, "{body:?}");
        Some(all)
    }

    #[test]
    fn what_keeps_the_rules() {
        let of = |body, expected: &str| assert_eq!(read(body).as_deref(), Some(expected));
        of("", "");
        of(" ", "[ ]");
        of("a = b\tc=", "[a = b\\tc=]");
        of(
            "one\r\n two\n\tthree\r\n\r\n four",
            "[one][ two][\\tthree][ four]",
        );
        of(" =?utf-8?Q?a?= b", "[ ][=?utf-8?Q?a?=][ b]");
        of(
            "a =?utf-8?q?b?=\r\n =?EUC-KR?B?xw==?=",
            "[a ][=?utf-8?q?b?=][ ][=?EUC-KR?B?xw==?=]",
        );
        let longest = format!("=?utf-8?Q?{}?=", "a".repeat(63));
        of(&longest, &format!("[{longest}]"));
    }

    #[test]
    fn what_departs_from_them() {
        let bodies = [
            "a\r\nb",
            "a\r\n",
            "a\x08",
            "a\x7F",
            "caf\u{e9}",
            "a=?utf-8?Q?b?=",
            "=?utf-8?Q?a?=b",
            "=?utf-8?Q?a b?=",
            "=?utf-8?Q??=",
            "=?utf-8*en?Q?a?=",
            "=?a.b?Q?a?=",
            "=?utf-8?X?a?=",
            "=?",
            "=?utf-8?Q?a?=\x0C",
            "=?utf-8?Q?a?==?utf-8?Q?a?=",
            "=?utf-8?Q?a?=\r\n",
        ];
        for body in bodies {
            assert_eq!(read(body), None, "{body:?}");
        }
        let too_long = format!("=?utf-8?Q?{}?=", "a".repeat(64));
        assert_eq!(read(&too_long), None);
    }

    #[test]
    fn text_ends_at_what_is_none() {
        for length in 0..70 {
            for (stop, is_text) in [
                ("\t", true),
                ("==?", true),
                ("=a", true),
                ("=?", false),
                ("\r", false),
                ("\n", false),
                ("\0", false),
                ("\x1F", false),
                ("\x7F", false),
                ("\u{e9}", false),
            ] {
                let text = format!("{}{stop}{}", "~".repeat(length), " ".repeat(40));
                let expected = match stop {
                    "==?" => length + 1,
                    _ if is_text => text.len(),
                    _ => length,
                };
                assert_eq!(text_length(text.as_bytes()), expected, "{text:?}");
            }
        }
    }
}
