//! Which charset, and on whose word; then the text.
//!
//! [`decide`] weighs what a label says against what the octets prove, and shows its evidence;
//! [`decode`] reads a body as decided. [`field`] is for header fields, [`parameter`] for the
//! values of their parameters, [`phrase`] for display names. Syntax comes from
//! [`header`](crate::header), meaning from [`charset`](crate::charset).
//!
//! RFC 2045, section 5.2, RFC 2046, section 4.1.2, RFC 6657 and RFC 7303, section 3, say what
//! a label and its absence mean, RFC 7103, section 7.6, when not to believe one. What a
//! document says of itself is read as the HTML standard's prescan, XML and CSS have it. Left
//! out: the code page of an RTF document, and languages.
//!
//! ```
//! use mime_charset::{Options, decode, header};
//!
//! let options = Options::new();
//! let content_type = header::content_type(b"text/plain; charset=us-ascii; name*=''%C3%A9.txt");
//! let body = decode::decode(b"caf\xC3\xA9", content_type.charset(), &options);
//! assert_eq!(body.text(), "café");
//! let name = decode::parameter(content_type.parameter("name").unwrap(), &options);
//! assert_eq!(name.text(), "é.txt");
//! ```

use std::borrow::Cow;
use std::ops::Range;

use memchr::memmem;

use crate::charset::{Bom, Charset, Decoded, Options};
use crate::label::Label;
use crate::report::{Kind, Report};

mod decision;
mod document;
mod field;

use decision::Hearing;
pub use decision::{Context, Decision, Evidence, Stance, Witness, decide};
pub(crate) use decision::{
    Rest, choose_by_start, choose_in, decide_by_start, decide_in, decide_utf8, needed_of_utf8,
    origin,
};
pub use field::{CharsetUse, FieldText, field, parameter, phrase};
pub(crate) use field::{
    charset_of_label, charset_of_raw_text, differ_in_words_alone, may_be_guessed,
};

/// The text of a body: `octets` as they are when the transfer encoding is undone.
///
/// `label` is the value of the charset parameter, if there is one. [`decide`] says in which
/// order a charset is looked for and what may override the label; [`decode_in`] takes more to
/// go by than a label. A byte order mark at the start is left out of the text and reported,
/// unless [`Options::bom`] keeps it.
///
/// ```
/// use mime_charset::{Label, Options, Source, decode};
///
/// let label = Label::new("ks_c_5601-1987");
/// let decoded = decode::decode(b"\xC7\xD1\xB1\xB9", Some(&label), &Options::new());
/// assert_eq!(decoded.text(), "한국");
/// assert_eq!(decoded.source(), Source::Declared);
///
/// // The label says Latin-1, the octets say otherwise.
/// let label = Label::new("iso-8859-1");
/// let decoded = decode::decode("한국".as_bytes(), Some(&label), &Options::new());
/// assert_eq!(decoded.text(), "한국");
/// assert_eq!(decoded.source(), Source::Evidence);
/// ```
#[must_use]
pub fn decode<'a>(octets: &'a [u8], label: Option<&Label<'_>>, options: &Options) -> Decoded<'a> {
    decode_in(octets, &Context::new().label(label).options(*options))
}

/// The text of a body, with everything around it that bears on its charset.
///
/// The charset is the one that [`decide`] chooses; the findings are those of the decision,
/// then those of the text, and count `octets`.
///
/// ```
/// use mime_charset::decode::{self, Context};
///
/// let page = b"<meta charset=euc-kr><p>\xC7\xD1\xB1\xB9";
/// let context = Context::new().media_type(Some("text/html"));
/// assert!(decode::decode_in(page, &context).text().ends_with("한국"));
/// ```
#[must_use]
pub fn decode_in<'a>(octets: &'a [u8], context: &Context<'_>) -> Decoded<'a> {
    read(octets, context, None, None)
}

/// [`decode_in`] for callers who read millions of texts: the text is in `buffers` where it is
/// not the octets themselves, so that no memory is taken for it once they have grown.
///
/// ```
/// use mime_charset::decode::{self, Buffers, Context};
/// use mime_charset::Label;
///
/// let label = Label::new("koi8-r");
/// let context = Context::new().label(Some(&label));
/// let mut buffers = Buffers::new();
/// let mut letters = 0;
/// for octets in [b"\xF0\xD2\xC9", b"\xD7\xC5\xD4"] {
///     letters += decode::decode_into(octets, &context, &mut buffers).text().chars().count();
/// }
/// assert_eq!(letters, 6);
/// ```
#[must_use]
pub fn decode_into<'b>(
    octets: &'b [u8],
    context: &Context<'_>,
    buffers: &'b mut Buffers,
) -> Decoded<'b> {
    read(octets, context, None, Some(&mut buffers.text))
}

/// Room for octets and text that is kept from one text to the next; it grows to what the
/// longest needs.
///
/// [`decode_into`] and [`Part::text_into`](crate::message::Part::text_into) lend a text from
/// it, until the next.
///
/// ```
/// use mime_charset::{Message, Options, decode::Buffers};
///
/// let mut buffers = Buffers::new();
/// for source in [&b"Subject: 1\n\none"[..], b"Content-Transfer-Encoding: base64\n\ndHdv"] {
///     let message = Message::parse(source);
///     for part in message.parts() {
///         let decoded = part.text_into(&Options::new(), &mut buffers);
///         assert!(["one", "two"].contains(&decoded.text()));
///     }
/// }
/// ```
#[derive(Debug, Clone, Default)]
pub struct Buffers {
    pub(crate) octets: Vec<u8>,
    pub(crate) text: String,
}

impl Buffers {
    /// Buffers that have no room yet.
    ///
    /// ```
    /// use mime_charset::decode::{self, Buffers, Context};
    ///
    /// let mut buffers = Buffers::new();
    /// let decoded = decode::decode_into(b"caf\xC3\xA9", &Context::new(), &mut buffers);
    /// assert_eq!(decoded.text(), "café");
    /// ```
    #[must_use]
    pub const fn new() -> Self {
        Buffers {
            octets: Vec::new(),
            text: String::new(),
        }
    }
}

/// [`decode_in`], with a message to ask about what the context leaves out, and with room for
/// the text.
pub(crate) fn read<'a>(
    octets: &'a [u8],
    context: &Context<'_>,
    rest: Option<&dyn Rest>,
    room: Option<&'a mut String>,
) -> Decoded<'a> {
    let mut hearing = Hearing::new(octets, context, rest);
    let (charset, source, _) = hearing.decide();
    let options = context.settings();
    let (skipped, body) = match options.bom {
        Bom::Strip => skip_bom(octets, charset),
        Bom::Keep => (0, octets),
    };
    // What the decision has validated is text already.
    let text = if charset == Charset::UTF_8 && !options.remaps(charset) {
        hearing.utf8().and_then(|text| text.get(skipped..))
    } else {
        None
    };
    let mut decoded = match (text, room) {
        (Some(text), _) => Decoded::borrowed(text, charset),
        (None, Some(room)) => charset.decode_into(body, options, room),
        (None, None) => charset.decode_with(body, options),
    };
    decoded.source = source;
    let mut report = hearing.report;
    if skipped > 0 {
        report.add_in_octets(Kind::BomRemoved, 0, skipped, "");
    }
    report.absorb_octets(std::mem::take(&mut decoded.report), skipped);
    // Text that is the octets is ASCII where they are.
    let is_ascii = hearing.is_ascii && matches!(decoded.text, Cow::Borrowed(_));
    let mut unneeded = Unneeded::default();
    unneeded.look(&decoded.text, is_ascii);
    unneeded.into_report(&mut report);
    decoded.report = report;
    decoded
}

/// One needs no list: most fields with words in them have a stretch in one charset, and most
/// labels are all there is to be heard.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
enum Few<T> {
    #[default]
    None,
    One(T),
    Many(Vec<T>),
}

impl<T> Few<T> {
    fn push(&mut self, next: T) {
        *self = match std::mem::take(self) {
            Few::None => Few::One(next),
            Few::One(first) => Few::Many(vec![first, next]),
            Few::Many(mut all) => {
                all.push(next);
                Few::Many(all)
            }
        };
    }

    fn as_slice(&self) -> &[T] {
        match self {
            Few::None => &[],
            Few::One(only) => std::slice::from_ref(only),
            Few::Many(all) => all,
        }
    }

    fn as_mut_slice(&mut self) -> &mut [T] {
        match self {
            Few::None => &mut [],
            Few::One(only) => std::slice::from_mut(only),
            Few::Many(all) => all,
        }
    }
}

/// Where a document declares its own charset, and what the declaration says.
pub(crate) fn declaration(
    octets: &[u8],
    media_type: &str,
) -> Option<(Range<usize>, Label<'static>)> {
    let found = document::declaration(octets, media_type)?;
    let range = found.offset..found.offset + found.length;
    Some((range, found.label.into_owned()))
}

/// The byte order mark that a body in `charset` begins with: how many octets it has, and
/// what is behind it. UTF-16 and UTF-32 without a fixed order read theirs themselves.
fn skip_bom(octets: &[u8], charset: Charset) -> (usize, &[u8]) {
    // What none begins with no mark begins with.
    if !matches!(octets.first(), Some(0xEF | 0xFE | 0xFF | 0x00)) {
        return (0, octets);
    }
    let mark: &[u8] = match charset.name() {
        "UTF-8" | "UNICODE-1-1-UTF-8" | "CESU-8" => b"\xEF\xBB\xBF",
        "UTF-16BE" => b"\xFE\xFF",
        "UTF-16LE" => b"\xFF\xFE",
        "UTF-32BE" => b"\x00\x00\xFE\xFF",
        "UTF-32LE" => b"\xFF\xFE\x00\x00",
        _ => return (0, octets),
    };
    octets
        .strip_prefix(mark)
        .map_or((0, octets), |body| (mark.len(), body))
}

/// What no text needs, of one that may come in pieces.
#[derive(Debug, Default)]
pub(crate) struct Unneeded {
    /// How many octets of text were looked at.
    length: usize,
    /// How many there are, and how many octets lie before the first.
    nuls: Option<(usize, usize)>,
    noncharacters: Option<(usize, usize)>,
}

impl Unneeded {
    /// Looks at text, of which it may be known that it is ASCII.
    #[inline]
    pub(crate) fn look(&mut self, text: &str, is_ascii: bool) {
        let before = self.length;
        let with = |known: Option<(usize, usize)>, count, first| {
            let (counted, first) = known.unwrap_or((0, before + first));
            Some((counted + count, first))
        };
        if let Some(first) = memchr::memchr(0, text.as_bytes()) {
            let count = memchr::memchr_iter(0, text.as_bytes()).count();
            self.nuls = with(self.nuls, count, first);
        }
        // How U+FDD0 begins; nothing below it is a noncharacter. Without a branch for each octet
        // this compiles to vector instructions.
        if !is_ascii
            && text.bytes().fold(0, u8::max) >= 0xEF
            && let Some((count, first)) = noncharacters(text)
        {
            self.noncharacters = with(self.noncharacters, count, first);
        }
        self.length += text.len();
    }

    /// NUL stays in the text, since what is exact leaves nothing out, and is reported once with
    /// its number (RFC 5322, section 4; RFC 7103, section 7.6). Noncharacters are characters to
    /// UTF-8 and stay (RFC 3629, section 4); what they are for, no mail needs (Unicode Standard,
    /// section 23.7). They are reported once with their number too.
    #[inline]
    pub(crate) fn into_report(self, report: &mut Report) {
        for (kind, found) in [
            (Kind::Nul, self.nuls),
            (Kind::Noncharacter, self.noncharacters),
        ] {
            if let Some((count, first)) = found {
                let detail =
                    format!("{count} of them, the first behind {first} octets of the text");
                report.add_in_octets(kind, 0, 0, detail);
            }
        }
    }
}

/// How many noncharacters there are, and how many octets lie before the first.
fn noncharacters(text: &str) -> Option<(usize, usize)> {
    // How U+FDD0 to U+FDEF begin, and how U+nFFFE and U+nFFFF end; either may be in other
    // characters too.
    let octets: [&[u8]; 3] = [b"\xEF\xB7", b"\xBF\xBE", b"\xBF\xBF"];
    let (mut count, mut first) = (0, usize::MAX);
    for octets in octets {
        let finder = memmem::Finder::new(octets);
        let mut from = 0;
        while let Some(found) = text
            .as_bytes()
            .get(from..)
            .and_then(|rest| finder.find(rest))
        {
            let (mut start, mut end) = (from + found, from + found + 1);
            while !text.is_char_boundary(start) {
                start -= 1;
            }
            while !text.is_char_boundary(end) {
                end += 1;
            }
            let character = text.get(start..end).unwrap_or_default();
            let is_whole =
                character.as_bytes().starts_with(octets) || character.as_bytes().ends_with(octets);
            if is_whole && character.chars().all(is_noncharacter) {
                count += 1;
                first = first.min(start);
            }
            from = end;
        }
    }
    (count > 0).then_some((count, first))
}

/// One of the 66 noncharacters (Unicode Standard, section 23.7).
fn is_noncharacter(character: char) -> bool {
    let value = u32::from(character);
    matches!(value, 0xFDD0..=0xFDEF) || value & 0xFFFE == 0xFFFE
}

#[cfg(test)]
mod tests {
    use super::{is_noncharacter, noncharacters};

    /// U+FDD0 to U+FDEF, and the last two code points of each of 17 planes.
    #[test]
    fn there_are_66_noncharacters() {
        let all = || '\0'..=char::MAX;
        let text: String = all().collect();
        // 128 scalar values of one octet, 1,920 of two, and of three those up to U+FDCF
        // without the 2,048 surrogates.
        let first = 128 + 2 * 1920 + 3 * (0xFDD0 - 0x800 - 2048);
        assert_eq!(noncharacters(&text), Some((32 + 2 * 17, first)));
        let others: String = all().filter(|&c| !is_noncharacter(c)).collect();
        assert_eq!(noncharacters(&others), None);
        for character in all().filter(|&c| is_noncharacter(c)) {
            let text = format!("é\u{BFFF}{character}{character}\u{3FFFD}");
            assert_eq!(noncharacters(&text), Some((2, 5)), "{character:?}");
        }
    }
}
