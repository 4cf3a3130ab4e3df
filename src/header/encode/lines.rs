//! Writes the lines of a field, with encoded words (RFC 2047, section 2).

use std::borrow::Cow;

use crate::header::classes::is_token;
use crate::header::encoded_word::WordEncoding;
use crate::transfer::base64_letters;

/// Maximum length of a line with an encoded word (RFC 2047, section 2).
pub(crate) const LINE: usize = 76;

/// Maximum length of an encoded word (RFC 2047, section 2).
const WORD: usize = 75;

/// The length of an encoded word without its text: `=?UTF-8?Q?` and `?=`.
const DELIMITERS: usize = 12;

/// Minimum room in a line for an encoded word to begin in it. With less room, the word begins in the next
/// line.
pub(crate) const MIN_WORD: usize = DELIMITERS + 24;

/// The rules for words in a place of a header.
pub(super) struct PlaceRules {
    /// Characters literal outside encoded words.
    pub(super) plain: fn(u8) -> bool,
    /// Characters that need a backslash outside encoded words.
    pub(super) escaped: fn(char) -> bool,
    /// Characters literal in the Q encoding.
    pub(super) q: fn(u8) -> bool,
}

pub(super) const UNSTRUCTURED: PlaceRules = PlaceRules {
    plain: |octet| octet.is_ascii_graphic(),
    escaped: |_| false,
    q: |octet| octet.is_ascii_graphic() && !matches!(octet, b'=' | b'?' | b'_'),
};

pub(super) const PHRASE: PlaceRules = PlaceRules {
    plain: is_atext,
    escaped: |_| false,
    q: is_q_in_phrase,
};

/// Comments use the Q encoding of phrases, which leaves no parentheses, backslashes or quotation marks.
pub(super) const COMMENT: PlaceRules = PlaceRules {
    plain: |octet| octet.is_ascii_graphic(),
    escaped: |c| matches!(c, '(' | ')' | '\\'),
    q: is_q_in_phrase,
};

/// A part of a text. Parts are separated by single blanks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TextPiece<'t> {
    Plain(&'t str),
    /// Text for one or more encoded words. Single blanks in it are encoded, since blanks between encoded
    /// words are not text (RFC 2047, section 6.2).
    Encoded(&'t str),
}

impl TextPiece<'_> {
    /// The minimum room in a line for the piece: an encoded piece may continue on the next line.
    pub(super) fn room(self, place: &PlaceRules) -> usize {
        match self {
            TextPiece::Plain(plain) => escaped(plain, place.escaped).len(),
            TextPiece::Encoded(text) => {
                let length = WordEncoding::of(text, place).length(text, place);
                length.min(MIN_WORD)
            }
        }
    }
}

/// Splits text into pieces. A first word of more than `width` characters is encoded.
pub(super) fn pieces<'t>(text: &'t str, place: &'t PlaceRules, width: usize) -> SplitText<'t> {
    SplitText {
        text,
        place,
        width,
        start: Some(0),
    }
}

/// Yields the pieces one by one: a list would take many times the memory of the text.
#[derive(Clone)]
pub(super) struct SplitText<'t> {
    text: &'t str,
    place: &'t PlaceRules,
    width: usize,
    /// The offset of the next piece; `None` after the last.
    start: Option<usize>,
}

impl<'t> Iterator for SplitText<'t> {
    type Item = TextPiece<'t>;

    fn next(&mut self) -> Option<TextPiece<'t>> {
        let piece = |start: usize, end: usize| self.text.get(start..end).unwrap_or_default();
        // The start of the current text for encoded words.
        let mut encoded: Option<usize> = None;
        while let Some(start) = self.start {
            let blank = lone_blank(self.text, start);
            let word = piece(start, blank.unwrap_or(self.text.len()));
            let fits = start > 0 || word.len() <= self.width;
            let is_plain = fits && is_plain_word(word, self.place);
            if let Some(from) = encoded.filter(|_| is_plain) {
                return Some(TextPiece::Encoded(piece(from, start - 1)));
            }
            self.start = blank.map(|blank| blank + 1);
            if is_plain {
                return Some(TextPiece::Plain(word));
            }
            if !word.is_empty() {
                encoded.get_or_insert(start);
            }
        }
        encoded.map(|from| TextPiece::Encoded(piece(from, self.text.len())))
    }
}

/// The offset of the next single blank between two words. A fold may replace it.
fn lone_blank(text: &str, start: usize) -> Option<usize> {
    let is_word = |at: Option<usize>| {
        at.and_then(|at| text.as_bytes().get(at))
            .is_some_and(|octet| !matches!(octet, b' ' | b'\t'))
    };
    let rest = text.as_bytes().get(start..)?;
    memchr::memchr_iter(b' ', rest)
        .map(|at| start + at)
        .find(|at| is_word(at.checked_sub(1)) && is_word(at.checked_add(1)))
}

/// Whether a word may be written literally. It must have only characters allowed in the place, fit into a
/// line even with two parentheses, and have nothing that readers could take for an encoded word.
pub(super) fn is_plain_word(word: &str, place: &PlaceRules) -> bool {
    !word.is_empty()
        && word.bytes().all(place.plain)
        && !word.contains("=?")
        && escaped(word, place.escaped).len() + 3 <= LINE
}

impl WordEncoding {
    /// The encoding in which the text is shorter.
    pub(super) fn of(text: &str, place: &PlaceRules) -> Self {
        if WordEncoding::Q.length(text, place) <= WordEncoding::B.length(text, place) {
            WordEncoding::Q
        } else {
            WordEncoding::B
        }
    }

    /// The length of the text as one encoded word.
    pub(super) fn length(self, text: &str, place: &PlaceRules) -> usize {
        DELIMITERS
            + match self {
                WordEncoding::B => text.len().div_ceil(3) * 4,
                WordEncoding::Q => text.chars().map(|c| q_length(c, place)).sum(),
            }
    }

    /// Splits text into the longest prefix that fits into an encoded word of `width` characters, and the
    /// rest.
    fn split<'t>(self, text: &'t str, width: usize, place: &PlaceRules) -> (&'t str, &'t str) {
        let width = width.saturating_sub(DELIMITERS);
        match self {
            WordEncoding::B => split_to_fit(text, width / 4 * 3, char::len_utf8),
            WordEncoding::Q => split_to_fit(text, width, |c| q_length(c, place)),
        }
    }

    /// The text as one encoded word. `language` is empty, or a star and a language tag (RFC 2231, section
    /// 5).
    fn word(self, text: &str, place: &PlaceRules, language: &str) -> String {
        match self {
            WordEncoding::B => {
                let letters = base64_letters(text.as_bytes());
                format!("=?UTF-8{language}?B?{letters}?=")
            }
            WordEncoding::Q => format!("=?UTF-8{language}?Q?{}?=", q(text, place)),
        }
    }
}

/// The output of `write`. For a long text, counts the length of the output first: growth by doubling
/// would take twice the memory.
pub(super) fn written(text: &str, column: usize, write: impl Fn(&mut FoldedLines)) -> String {
    const LONG: usize = 256 << 10;
    let mut lines = FoldedLines::new(column);
    if text.len() > LONG {
        lines.is_counted = true;
        write(&mut lines);
        let length = lines.length;
        lines = FoldedLines::new(column);
        lines.written.reserve_exact(length);
    }
    write(&mut lines);
    lines.written
}

/// The lines written so far, and the current column.
pub(super) struct FoldedLines {
    pub(super) written: String,
    /// Whether only the length is counted and nothing is written.
    pub(super) is_counted: bool,
    pub(super) length: usize,
    pub(super) column: usize,
    /// Whether the line may be folded here: it has words, so a fold leaves no blank line.
    pub(super) can_fold: bool,
}

impl FoldedLines {
    pub(super) fn new(column: usize) -> Self {
        FoldedLines {
            written: String::new(),
            is_counted: false,
            length: 0,
            column,
            can_fold: column > 1,
        }
    }

    pub(super) fn put(&mut self, ascii: &str) {
        self.write(ascii);
        self.column += ascii.len();
        self.can_fold |= !ascii.is_empty();
    }

    pub(super) fn fold(&mut self) {
        self.write("\r\n ");
        self.column = 1;
        self.can_fold = false;
    }

    pub(super) fn write(&mut self, ascii: &str) {
        if self.is_counted {
            self.length += ascii.len();
        } else {
            self.written.push_str(ascii);
        }
    }

    /// Folds if `length` characters and `tail` more do not fit into the line.
    pub(super) fn make_room(&mut self, length: usize, tail: usize) {
        if self.can_fold && self.column + length + tail > LINE {
            self.fold();
        }
    }

    /// Appends a blank, or a fold if `length` characters and `tail` more would not fit after the blank.
    pub(super) fn separate(&mut self, length: usize, tail: usize) {
        if self.column + 1 + length + tail > LINE {
            self.fold();
        } else {
            self.put(" ");
        }
    }

    /// Appends pieces, separated by one blank or fold. Leaves room for `tail` characters after the last
    /// piece.
    pub(super) fn pieces(&mut self, pieces: SplitText<'_>, place: &PlaceRules, tail: usize) {
        let mut pieces = pieces.enumerate().peekable();
        while let Some((index, piece)) = pieces.next() {
            let tail = if pieces.peek().is_none() { tail } else { 0 };
            if index > 0 {
                self.separate(piece.room(place), tail);
            } else {
                self.make_room(piece.room(place), tail);
            }
            match piece {
                TextPiece::Plain(plain) => self.put(&escaped(plain, place.escaped)),
                TextPiece::Encoded(text) => self.encoded_words(text, place, "", tail),
            }
        }
    }

    /// Appends text as encoded words. Each word after the first begins a new line. `language` is empty, or a
    /// star and a language tag.
    pub(super) fn encoded_words(
        &mut self,
        text: &str,
        place: &PlaceRules,
        language: &str,
        tail: usize,
    ) {
        let encoding = WordEncoding::of(text, place);
        let mut rest = text;
        while !rest.is_empty() {
            if rest.len() < text.len() {
                self.fold();
            }
            let width = LINE.saturating_sub(self.column + tail).min(WORD);
            let width = width.saturating_sub(language.len());
            let (head, remaining) = encoding.split(rest, width, place);
            self.put(&encoding.word(head, place, language));
            rest = remaining;
        }
    }

    pub(super) fn phrase(&mut self, text: &str, tail: usize) {
        // Runs of blanks and blanks at the ends are separate pieces.
        let is_encoded = |piece| matches!(piece, TextPiece::Encoded(_));
        let blanks = || pieces(text, &UNSTRUCTURED, LINE).any(is_encoded);
        let atoms = || !pieces(text, &PHRASE, LINE).any(is_encoded);
        let quoted = (text.len() < LINE).then(|| format!("\"{}\"", escaped(text, QUOTED)));
        let fits = |quoted: &String| {
            text.is_empty() || (1 + quoted.len() + tail <= LINE && !blanks() && !atoms())
        };
        if let Some(quoted) = quoted.filter(fits) {
            self.make_room(quoted.len(), tail);
            self.put(&quoted);
        } else {
            self.pieces(pieces(text, &PHRASE, LINE), &PHRASE, tail);
        }
    }

    /// Appends a mark, a blank and the output of `write`. If the output does not fit into the line, a
    /// fold replaces the blank. Leaves room for `tail` characters after the output.
    pub(super) fn append_after(
        &mut self,
        mark: &str,
        tail: usize,
        write: impl Fn(&mut FoldedLines),
    ) {
        self.put(mark);
        let mut alone = FoldedLines::new(1);
        write(&mut alone);
        self.separate(alone.written.len(), tail);
        write(self);
    }

    /// Appends a mailbox, with room for `tail` characters after it.
    pub(super) fn mailbox(&mut self, display_name: &str, addr_spec: &str, tail: usize) {
        // Without brackets, readers would decode text in the address that looks like an encoded word.
        if display_name.is_empty() && !addr_spec.contains("=?") {
            self.make_room(addr_spec.len(), tail);
            self.put(addr_spec);
        } else {
            if display_name.is_empty() {
                self.make_room(addr_spec.len() + 2, tail);
            } else {
                self.phrase(display_name, 0);
                self.separate(addr_spec.len() + 2, tail);
            }
            self.put("<");
            self.put(addr_spec);
            self.put(">");
        }
    }
}

/// Splits text after the longest prefix whose characters cost at most `width` in total. The prefix has at
/// least one character.
pub(super) fn split_to_fit(text: &str, width: usize, cost: impl Fn(char) -> usize) -> (&str, &str) {
    let mut sum = 0;
    let end = text
        .char_indices()
        .find(|&(at, c)| {
            sum += cost(c);
            at > 0 && sum > width
        })
        .map_or(text.len(), |(at, _)| at);
    text.split_at_checked(end).unwrap_or((text, ""))
}

/// Whether the text has only printable US-ASCII and blanks.
pub(super) fn is_plain(text: &str) -> bool {
    text.bytes()
        .all(|octet| octet.is_ascii_graphic() || octet == b' ')
}

pub(crate) const QUOTED: fn(char) -> bool = |c| matches!(c, '"' | '\\');

pub(crate) fn escaped(text: &str, special: fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(special) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        if special(c) {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    Cow::Owned(escaped)
}

pub(super) fn quoted_pair(c: char) -> String {
    if QUOTED(c) {
        format!("\\{c}")
    } else {
        c.to_string()
    }
}

/// > ext-octet := "%" 2(DIGIT / "A" / "B" / "C" / "D" / "E" / "F")
///
/// for each octet of a character that is not an attribute-char (RFC 2231, section 7).
pub(super) fn percent(c: char) -> String {
    let mut buffer = [0; 4];
    let mut written = String::new();
    for &octet in c.encode_utf8(&mut buffer).as_bytes() {
        if is_attribute_char(octet) {
            written.push(char::from(octet));
        } else {
            write_hexadecimal(&mut written, '%', octet);
        }
    }
    written
}

fn q_length(c: char, place: &PlaceRules) -> usize {
    let is_literal = c == ' ' || (c.is_ascii() && u8::try_from(c).is_ok_and(place.q));
    if is_literal { 1 } else { 3 * c.len_utf8() }
}

/// The Q encoding (RFC 2047, section 4.2).
fn q(text: &str, place: &PlaceRules) -> String {
    let mut written = String::new();
    for octet in text.bytes() {
        match octet {
            b' ' => written.push('_'),
            _ if (place.q)(octet) => written.push(char::from(octet)),
            _ => write_hexadecimal(&mut written, '=', octet),
        }
    }
    written
}

fn write_hexadecimal(written: &mut String, mark: char, octet: u8) {
    written.push(mark);
    for digit in [octet >> 4, octet & 0xF] {
        let digit = char::from_digit(u32::from(digit), 16).unwrap_or('0');
        written.push(digit.to_ascii_uppercase());
    }
}

/// > In this case the set of characters that may be used in a 'Q'-encoded 'encoded-word' is
/// > restricted to: <upper and lower case ASCII letters, decimal digits, "!", "*", "+", "-",
/// > "/", "=", and "_">
///
/// except `=` and `_`, which are special (RFC 2047, section 5, rule 3).
fn is_q_in_phrase(octet: u8) -> bool {
    octet.is_ascii_alphanumeric() || matches!(octet, b'!' | b'*' | b'+' | b'-' | b'/')
}

/// The atext of RFC 5322, section 3.2.3: letters, digits, and the listed specials.
pub(super) fn is_atext(octet: u8) -> bool {
    octet.is_ascii_alphanumeric() || b"!#$%&'*+-/=?^_`{|}~".contains(&octet)
}

/// > attribute-char := <any (US-ASCII) CHAR except SPACE, CTLs, "*", "'", "%", or tspecials>
pub(super) fn is_attribute_char(octet: u8) -> bool {
    is_token(octet) && !matches!(octet, b'*' | b'\'' | b'%')
}
