//! Text to header fields in UTF-8: encoded words (RFC 2047), parameters (RFC 2231), and addresses
//! (RFC 5322, section 3.4; RFC 6532, section 3.2).
//!
//! [`field`] writes a whole field, its name and its line end; the other functions write its body.
//!
//! What these functions write, any mail reader of the last decades reads, and gets back
//! exactly the text that went in:
//!
//! - only US-ASCII comes out, but where an address is an internationalized one, which has no
//!   other form: `is_ascii` of what was written says whether the message has to be sent by
//!   SMTPUTF8 (RFC 6531, section 3.4);
//! - no control of the text reaches a line: neither a line end, which would begin another field,
//!   nor NUL, nor any other; what has no encoding, such as a name, is refused with one in it;
//! - encoded words have at most 75 characters and hold whole characters; lines have at most
//!   76 characters (RFC 2047, section 2), and so stay below the 78 of RFC 5322, section 2.1.1;
//!   an address too long for that stands alone in its line, which stays below 998;
//! - Q or B is chosen by length, Q where they are equal;
//! - words that ASCII can hold stay readable. One blank between two words is left to the
//!   line, where it may become a fold; runs of blanks and blanks at the ends, which readers
//!   and relays like to trim, go into encoded words;
//! - text that looks like an encoded word is encoded, so that it comes back as it looks.
//!
//! Folds are CRLF and a blank. Each function takes a `column`: how many characters already
//! stand in the line, such as 9 behind `Subject: `. A body begins with a fold where its first word
//! does not fit into the line; that of an unstructured field only where fewer than 36 characters
//! are left.
//!
//! Left out: charsets other than UTF-8, language tags, raw UTF-8 where ASCII will do, domains in
//! Punycode (RFC 5891) and normalization: an address is written as it is given.
//!
//! ```
//! use mime_charset::header::encode;
//!
//! use mime_charset::header::encode::Value;
//!
//! let mailboxes = [("Zoë", "zoe@example.org")];
//! let parameters = [("filename", "naïve.txt")];
//! let header = [
//!     encode::field("To", Value::Mailboxes(&mailboxes))?,
//!     encode::field("Subject", Value::Text("Grüße"))?,
//!     encode::field("Content-Disposition", Value::Parameters("inline", &parameters))?,
//! ];
//! assert_eq!(
//!     header.concat(),
//!     "To: =?UTF-8?Q?Zo=C3=AB?= <zoe@example.org>\r\n\
//!      Subject: =?UTF-8?B?R3LDvMOfZQ==?=\r\n\
//!      Content-Disposition: inline; filename*=UTF-8''na%C3%AFve.txt\r\n"
//! );
//! # Ok::<(), mime_charset::Error>(())
//! ```

use std::borrow::Cow;

use crate::error::Error;

mod addr_spec;
mod field;

pub use field::{Value, field};

/// The longest line: what RFC 2047, section 2, allows where there is an encoded word.
const LINE: usize = 76;

/// The longest encoded word (RFC 2047, section 2).
const WORD: usize = 75;

/// What an encoded word has around its encoded text: `=?UTF-8?Q?` and `?=`.
const AROUND: usize = 12;

/// A line with fewer characters left than this stays as it is: a word that began there would have to
/// continue in the next line.
const LEAST: usize = AROUND + 24;

/// The body of an unstructured field, such as Subject, or Comments (RFC 2047, section 5,
/// rule 1).
///
/// Every text has such a body; an empty text has an empty one.
///
/// ```
/// use mime_charset::header::encode;
///
/// assert_eq!(encode::unstructured("Plain text", 9), "Plain text");
/// assert_eq!(encode::unstructured("Das Café macht auf", 9), "Das =?UTF-8?B?Q2Fmw6k=?= macht auf");
/// assert_eq!(encode::unstructured("Öffnungszeiten", 9), "=?UTF-8?Q?=C3=96ffnungszeiten?=");
/// assert_eq!(encode::unstructured("invoice\r\nBcc: two", 9), "=?UTF-8?Q?invoice=0D=0ABcc:?= two");
/// assert_eq!(encode::unstructured("=?UTF-8?Q?x?=", 9), "=?UTF-8?B?PT9VVEYtOD9RP3g/PQ==?=");
/// ```
#[must_use]
pub fn unstructured(text: &str, column: usize) -> String {
    // Some readers take a fold before the first word for a blank of the text. A first word that does
    // not fit behind the field name is encoded, so that it can continue in the next line.
    let begins_here = column <= 1 || column + LEAST > LINE;
    let width = if begins_here { LINE } else { LINE - column };
    written(text, column, |lines| {
        lines.pieces(pieces(text, &UNSTRUCTURED, width), &UNSTRUCTURED, 0);
    })
}

/// A phrase: a display name, or a keyword (RFC 5322, section 3.2.5; RFC 2047, section 5,
/// rule 3).
///
/// ASCII text stays as atoms or becomes a quoted string; other text becomes encoded words,
/// with atoms between them where there are such. An empty text is the quoted string `""`.
///
/// ```
/// use mime_charset::header::encode;
///
/// assert_eq!(encode::phrase("Mary Smith", 6), "Mary Smith");
/// assert_eq!(encode::phrase("Smith, Mary \"May\"", 6), r#""Smith, Mary \"May\"""#);
/// assert_eq!(encode::phrase("Jürgensen Peter", 6), "=?UTF-8?Q?J=C3=BCrgensen?= Peter");
/// ```
#[must_use]
pub fn phrase(text: &str, column: usize) -> String {
    written(text, column, |lines| lines.phrase(text, 0))
}

/// A comment in parentheses (RFC 5322, section 3.2.2; RFC 2047, section 5, rule 2).
///
/// Every text has such a comment; parentheses and backslashes in it become quoted pairs.
///
/// ```
/// use mime_charset::header::encode;
///
/// assert_eq!(encode::comment("Central European Time", 37), "(Central European Time)");
/// assert_eq!(encode::comment("a (b)", 0), r"(a \(b\))");
/// assert_eq!(encode::comment("Größe", 0), "(=?UTF-8?B?R3LDtsOfZQ==?=)");
/// ```
#[must_use]
pub fn comment(text: &str, column: usize) -> String {
    let pieces = pieces(text, &COMMENT, LINE);
    let mut starts = pieces.clone();
    let first = match (starts.next(), starts.next()) {
        (None, _) => 1,
        (Some(Piece::Plain(plain)), None) => escaped(plain, COMMENT.escaped).len() + 1,
        (Some(Piece::Plain(plain)), Some(_)) => escaped(plain, COMMENT.escaped).len(),
        (Some(Piece::Encoded(text)), _) => {
            Encoding::of(text, &COMMENT)
                .length(text, &COMMENT)
                .min(LEAST)
                + 1
        }
    };
    written(text, column, |lines| {
        // Behind the parenthesis a fold would be read as a blank of the text.
        lines.make_room(1 + first, 0);
        lines.put("(");
        lines.can_fold = false;
        lines.pieces(pieces.clone(), &COMMENT, 1);
        lines.put(")");
    })
}

/// A mailbox: a display name and an address in angle brackets, or the address alone where
/// the name is empty (RFC 5322, section 3.4).
///
/// The address is written as it is given; it may not be anything but an address. One that is
/// not in US-ASCII stays in UTF-8 (RFC 6532, section 3.2), and the message that it stands in
/// has to be sent by SMTPUTF8 (RFC 6531).
///
/// # Errors
///
/// An `addr_spec` that is not a local part, `@` and a domain (RFC 5322, section 3.4.1; RFC 6532,
/// section 3.2), with controls or white space outside US-ASCII in it, which some readers take for
/// the end of a line, or of 900 octets and more. Its offset counts octets of the address. Dots that
/// stand side by side or at an end are let pass, as there are such mailboxes.
///
/// ```
/// use mime_charset::header::encode;
///
/// let to = encode::mailbox("Søndergaard", "soren@example.org", 4).unwrap();
/// assert_eq!(to, "=?UTF-8?Q?S=C3=B8ndergaard?= <soren@example.org>");
/// assert_eq!(encode::mailbox("", "soren@example.org", 4).unwrap(), "soren@example.org");
/// assert_eq!(encode::mailbox("", "jøran@blåbærsyltetøy.example", 4).unwrap(), "jøran@blåbærsyltetøy.example");
///
/// let error = encode::mailbox("", "a@example.org\r\nBcc: b@example.org", 4).unwrap_err();
/// assert_eq!(error.to_string(), "expected an address as RFC 5322 has it, found \"a@example.org\\r\\nBcc: b@example.org\"");
/// assert_eq!(error.offset(), Some(1));
/// ```
pub fn mailbox(display_name: &str, addr_spec: &str, column: usize) -> Result<String, Error> {
    mailboxes([(display_name, addr_spec)], column)
}

/// Mailboxes with commas between them: the body of To, Cc, From or Reply-To (RFC 5322,
/// section 3.4). Each is a display name and an address, as [`mailbox`] takes them.
///
/// # Errors
///
/// As for [`mailbox`].
///
/// ```
/// use mime_charset::header::encode;
///
/// let to = encode::mailboxes([("Zoë", "z@example.org"), ("A. B.", "b@example.org")], 4).unwrap();
/// assert_eq!(to, "=?UTF-8?Q?Zo=C3=AB?= <z@example.org>, \"A. B.\" <b@example.org>");
/// ```
pub fn mailboxes<'a>(
    mailboxes: impl IntoIterator<Item = (&'a str, &'a str)>,
    column: usize,
) -> Result<String, Error> {
    let mut lines = Lines::new(column);
    for (index, (display_name, addr_spec)) in mailboxes.into_iter().enumerate() {
        addr_spec::check(addr_spec)?;
        if index > 0 {
            lines.comma(|lines| lines.mailbox(display_name, addr_spec));
        }
        lines.mailbox(display_name, addr_spec);
    }
    Ok(lines.written)
}

/// Phrases with commas between them: the body of Keywords (RFC 5322, section 3.6.5). Each is
/// written as [`phrase`] does.
///
/// ```
/// use mime_charset::header::encode;
///
/// let keywords = encode::phrases(["Größe", "a, b", "plain"], "Keywords: ".len());
/// assert_eq!(keywords, "=?UTF-8?B?R3LDtsOfZQ==?=, \"a, b\", plain");
/// ```
#[must_use]
pub fn phrases<'a>(phrases: impl IntoIterator<Item = &'a str>, column: usize) -> String {
    let mut lines = Lines::new(column);
    for (index, phrase) in phrases.into_iter().enumerate() {
        if index > 0 {
            lines.comma(|lines| lines.phrase(phrase, 1));
        }
        lines.phrase(phrase, 1);
    }
    lines.written
}

/// A parameter of Content-Type or Content-Disposition, from the semicolon in front of it on
/// (RFC 2045, section 5.1; RFC 2231, sections 3 and 4).
///
/// ASCII values are a token or a quoted string, all others an extended value; what is too
/// long for a line is written in sections, which never split a character. `column` is where
/// the semicolon goes.
///
/// # Errors
///
/// A `name` that is not an attribute (RFC 2231, section 7) or has more than 48 characters, with
/// the offset in it; a
/// `value` that needs more sections than [`Parameter::MAX_SECTION`](super::Parameter::MAX_SECTION)
/// numbers, which is at least 40 KB of text.
///
/// ```
/// use mime_charset::header::encode;
///
/// let disposition = |name| format!("attachment{}", encode::parameter("filename", name, 31).unwrap());
/// assert_eq!(disposition("a.txt"), "attachment; filename=a.txt");
/// assert_eq!(disposition("a b.txt"), "attachment; filename=\"a b.txt\"");
/// assert_eq!(disposition("Größe.txt"), "attachment; filename*=UTF-8''Gr%C3%B6%C3%9Fe.txt");
/// ```
pub fn parameter(name: &str, value: &str, column: usize) -> Result<String, Error> {
    parameter_in(name, value, "", column)
}

/// The same with a language where the value is an extended one (RFC 2231, section 4).
pub(crate) fn parameter_in(
    name: &str,
    value: &str,
    language: &str,
    column: usize,
) -> Result<String, Error> {
    const LONGEST_NAME: usize = 48;
    let wrong = name.bytes().position(|octet| !is_attribute_char(octet));
    let is_too_long = (name.len() > LONGEST_NAME).then_some(LONGEST_NAME);
    if let Some(at) = wrong.or(is_too_long).or(name.is_empty().then_some(0)) {
        let sentence = format!("expected the name of a parameter, found {name:?}");
        return Err(Error::at(at, sentence));
    }
    let plain = is_plain(value) && !value.contains("=?");
    // A token may hold `*`, `'` and `%` too, but Python's reader loses values that do.
    let whole = if value.len() >= LINE {
        // Three times the value, only to be cut.
        None
    } else if plain && !value.is_empty() && value.bytes().all(is_attribute_char) {
        Some(format!("{name}={value}"))
    } else if plain {
        Some(format!("{name}=\"{}\"", escaped(value, QUOTED)))
    } else {
        let value: String = value.chars().map(percent).collect();
        Some(format!("{name}*=UTF-8'{language}'{value}"))
    };
    let mut lines = Lines::new(column);
    lines.put(";");
    // One character is left for the semicolon of a parameter that may follow.
    if let Some(whole) = whole.filter(|whole| 1 + whole.len() < LINE) {
        lines.separate(whole.len(), 1);
        lines.put(&whole);
        return Ok(lines.written);
    }
    // To grow by doubling would take twice the memory. Three octets of four in a line are text.
    let length = |octet: u8| {
        if plain || is_attribute_char(octet) {
            1
        } else {
            3
        }
    };
    let length: usize = value.bytes().map(length).sum();
    let most = LINE * (super::Parameter::MAX_SECTION + 2);
    lines.written.reserve((length + length / 3).min(most));
    let mut rest = value;
    let mut number = 0_usize;
    while !rest.is_empty() {
        if number > super::Parameter::MAX_SECTION {
            return Err(Error::new(format!(
                "expected the value of a parameter, found one of {} octets",
                value.len()
            )));
        }
        let (open, close) = match (plain, number) {
            (true, _) => (format!("{name}*{number}=\""), "\""),
            (false, 0) => (format!("{name}*0*=UTF-8'{language}'"), ""),
            (false, _) => (format!("{name}*{number}*="), ""),
        };
        let write = if plain { quoted_pair } else { percent };
        let width = LINE - 2 - open.len() - close.len();
        let (section, further) = split_to_fit(rest, width, |c| write(c).len());
        if number > 0 {
            lines.put(";");
        }
        lines.fold();
        lines.put(&open);
        for c in section.chars() {
            lines.put(&write(c));
        }
        lines.put(close);
        rest = further;
        number += 1;
    }
    Ok(lines.written)
}

/// Encoded words alone, for text whose surroundings stand: the first begins at `column`,
/// the others in lines of their own. They name `language` where it is not empty (RFC 2231,
/// section 5).
///
/// A column behind which no word fits gets a short one all the same: the caller folds first where
/// there is a blank.
pub(crate) fn words(text: &str, place: super::Place, language: &str, column: usize) -> String {
    let place = match place {
        super::Place::Text => &UNSTRUCTURED,
        _ => &PHRASE,
    };
    let starred = match language {
        "" => String::new(),
        language => format!("*{language}"),
    };
    let encoding = Encoding::of(text, place);
    // To grow by doubling would take twice the memory. Two octets of three in a line are text.
    let length = encoding.length(text, place);
    let mut written = String::with_capacity(length + length / 3);
    let (mut column, mut rest) = (column, text);
    while !rest.is_empty() {
        let width = LINE.saturating_sub(column).min(WORD);
        let (head, further) = encoding.split(rest, width.saturating_sub(starred.len()), place);
        let word = encoding.word(head, place);
        let (charset, encoded) = word.split_at(7);
        written.extend([charset, &starred, encoded]);
        if !further.is_empty() {
            written.push_str("\r\n ");
        }
        (column, rest) = (1, further);
    }
    written
}

/// How many characters of a line a short encoded word needs.
pub(crate) const LEAST_WORD: usize = LEAST;

/// The longest line that is written here.
pub(crate) const LONGEST_LINE: usize = LINE;

/// What a place in a header asks of the words in it.
struct Place {
    /// Characters that stand for themselves outside encoded words.
    plain: fn(u8) -> bool,
    /// Characters outside encoded words that need a backslash in front of them.
    escaped: fn(char) -> bool,
    /// Characters that stand for themselves in the Q encoding.
    q: fn(u8) -> bool,
}

const UNSTRUCTURED: Place = Place {
    plain: |octet| octet.is_ascii_graphic(),
    escaped: |_| false,
    q: |octet| octet.is_ascii_graphic() && !matches!(octet, b'=' | b'?' | b'_'),
};

const PHRASE: Place = Place {
    plain: is_atext,
    escaped: |_| false,
    q: is_q_in_phrase,
};

/// The Q encoding of phrases serves here too, as it has no parentheses, backslashes or
/// quotation marks.
const COMMENT: Place = Place {
    plain: |octet| octet.is_ascii_graphic(),
    escaped: |c| matches!(c, '(' | ')' | '\\'),
    q: is_q_in_phrase,
};

/// The text between two lone blanks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Piece<'t> {
    Plain(&'t str),
    /// Text for one or more encoded words, lone blanks in it among them: blanks between
    /// encoded words are not text (RFC 2047, section 6.2).
    Encoded(&'t str),
}

/// Takes text apart; a first word of more than `width` characters is no plain one.
fn pieces<'t>(text: &'t str, place: &'t Place, width: usize) -> Pieces<'t> {
    Pieces {
        text,
        place,
        width,
        start: Some(0),
    }
}

/// The pieces one by one: a list of them would take many times the memory of their text.
#[derive(Clone)]
struct Pieces<'t> {
    text: &'t str,
    place: &'t Place,
    width: usize,
    /// Where the next piece begins; `None` behind the last.
    start: Option<usize>,
}

impl<'t> Iterator for Pieces<'t> {
    type Item = Piece<'t>;

    fn next(&mut self) -> Option<Piece<'t>> {
        let piece = |start: usize, end: usize| self.text.get(start..end).unwrap_or_default();
        // Where the text of encoded words begins.
        let mut encoded: Option<usize> = None;
        while let Some(start) = self.start {
            let blank = lone_blank(self.text, start);
            let word = piece(start, blank.unwrap_or(self.text.len()));
            let fits = start > 0 || word.len() <= self.width;
            let is_plain = fits && is_plain_word(word, self.place);
            if let Some(from) = encoded.filter(|_| is_plain) {
                return Some(Piece::Encoded(piece(from, start - 1)));
            }
            self.start = blank.map(|blank| blank + 1);
            if is_plain {
                return Some(Piece::Plain(word));
            }
            if !word.is_empty() {
                encoded.get_or_insert(start);
            }
        }
        encoded.map(|from| Piece::Encoded(piece(from, self.text.len())))
    }
}

/// Where the next blank stands that has a word on each side, and so may become a fold.
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

/// Whether a word may stand as it is: it has only characters that the place
/// allows, fits into a line even with two parentheses, and holds nothing that a reader
/// would take for the start of an encoded word.
fn is_plain_word(word: &str, place: &Place) -> bool {
    !word.is_empty()
        && word.bytes().all(place.plain)
        && !word.contains("=?")
        && escaped(word, place.escaped).len() + 3 <= LINE
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Encoding {
    B,
    Q,
}

impl Encoding {
    /// The one in which the text is shorter.
    fn of(text: &str, place: &Place) -> Self {
        if Encoding::Q.length(text, place) <= Encoding::B.length(text, place) {
            Encoding::Q
        } else {
            Encoding::B
        }
    }

    /// How long the text would be as one encoded word.
    fn length(self, text: &str, place: &Place) -> usize {
        AROUND
            + match self {
                Encoding::B => text.len().div_ceil(3) * 4,
                Encoding::Q => text.chars().map(|c| q_length(c, place)).sum(),
            }
    }

    /// The longest start of the text that is an encoded word of `width` characters, and the rest.
    fn split<'t>(self, text: &'t str, width: usize, place: &Place) -> (&'t str, &'t str) {
        let width = width.saturating_sub(AROUND);
        match self {
            Encoding::B => split_to_fit(text, width / 4 * 3, char::len_utf8),
            Encoding::Q => split_to_fit(text, width, |c| q_length(c, place)),
        }
    }

    fn word(self, text: &str, place: &Place) -> String {
        match self {
            Encoding::B => format!("=?UTF-8?B?{}?=", base64(text.as_bytes())),
            Encoding::Q => format!("=?UTF-8?Q?{}?=", q(text, place)),
        }
    }
}

/// What `write` writes of a text. What a long one needs is counted first: to grow by doubling
/// would take twice the memory.
fn written(text: &str, column: usize, write: impl Fn(&mut Lines)) -> String {
    const LONG: usize = 256 << 10;
    let mut lines = Lines::new(column);
    if text.len() > LONG {
        lines.is_counted = true;
        write(&mut lines);
        let length = lines.length;
        lines = Lines::new(column);
        lines.written.reserve_exact(length);
    }
    write(&mut lines);
    lines.written
}

/// The text as far as it is written, and how far the last line is.
struct Lines {
    written: String,
    /// Whether nothing is written, and how long it would be is counted.
    is_counted: bool,
    length: usize,
    column: usize,
    /// Whether a fold here would leave words behind it, and so no line of blanks alone.
    can_fold: bool,
}

impl Lines {
    fn new(column: usize) -> Self {
        Lines {
            written: String::new(),
            is_counted: false,
            length: 0,
            column,
            can_fold: column > 1,
        }
    }

    fn put(&mut self, ascii: &str) {
        self.write(ascii);
        self.column += ascii.len();
        self.can_fold |= !ascii.is_empty();
    }

    fn fold(&mut self) {
        self.write("\r\n ");
        self.column = 1;
        self.can_fold = false;
    }

    fn write(&mut self, ascii: &str) {
        if self.is_counted {
            self.length += ascii.len();
        } else {
            self.written.push_str(ascii);
        }
    }

    /// A fold if `length` characters and then `tail` more do not fit into the line.
    fn make_room(&mut self, length: usize, tail: usize) {
        if self.can_fold && self.column + length + tail > LINE {
            self.fold();
        }
    }

    /// A blank, or a fold if `length` characters and then `tail` more would not fit
    /// behind the blank.
    fn separate(&mut self, length: usize, tail: usize) {
        if self.column + 1 + length + tail > LINE {
            self.fold();
        } else {
            self.put(" ");
        }
    }

    fn text(&mut self, text: &str, place: &Place, tail: usize) {
        self.pieces(pieces(text, place, LINE), place, tail);
    }

    /// Words with one blank or fold between them; behind the last, `tail` characters fit.
    fn pieces(&mut self, pieces: Pieces<'_>, place: &Place, tail: usize) {
        let mut pieces = pieces.enumerate().peekable();
        while let Some((index, piece)) = pieces.next() {
            let tail = if pieces.peek().is_none() { tail } else { 0 };
            match piece {
                Piece::Plain(plain) => {
                    let plain = escaped(plain, place.escaped);
                    if index > 0 {
                        self.separate(plain.len(), tail);
                    } else {
                        self.make_room(plain.len(), tail);
                    }
                    self.put(&plain);
                }
                Piece::Encoded(text) => {
                    let encoding = Encoding::of(text, place);
                    let least = encoding.length(text, place).min(LEAST);
                    if index > 0 {
                        self.separate(least, tail);
                    } else {
                        self.make_room(least, tail);
                    }
                    self.encoded_words(text, encoding, place, tail);
                }
            }
        }
    }

    fn encoded_words(&mut self, text: &str, encoding: Encoding, place: &Place, tail: usize) {
        let mut rest = text;
        while !rest.is_empty() {
            if rest.len() < text.len() {
                self.fold();
            }
            let width = LINE.saturating_sub(self.column + tail).min(WORD);
            let (head, further) = encoding.split(rest, width, place);
            self.put(&encoding.word(head, place));
            rest = further;
        }
    }

    fn phrase(&mut self, text: &str, tail: usize) {
        // Runs of blanks and blanks at the ends stand in pieces of their own.
        let is_encoded = |piece| matches!(piece, Piece::Encoded(_));
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
            self.text(text, &PHRASE, tail);
        }
    }

    /// A comma, and behind it a blank, or a fold where what `write` writes alone does not fit into
    /// the rest of the line: that goes into a line of its own.
    fn comma(&mut self, write: impl Fn(&mut Lines)) {
        self.put(",");
        let mut alone = Lines::new(1);
        write(&mut alone);
        self.separate(alone.written.len(), 1);
    }

    /// A mailbox, behind which a comma fits.
    fn mailbox(&mut self, display_name: &str, addr_spec: &str) {
        // Alone, what looks like an encoded word would be read as one.
        if display_name.is_empty() && !addr_spec.contains("=?") {
            self.make_room(addr_spec.len(), 1);
            self.put(addr_spec);
        } else {
            if display_name.is_empty() {
                self.make_room(addr_spec.len() + 2, 1);
            } else {
                self.phrase(display_name, 0);
                self.separate(addr_spec.len() + 2, 1);
            }
            self.put("<");
            self.put(addr_spec);
            self.put(">");
        }
    }
}

/// The longest start of the text whose characters together cost at most `width`, but at least
/// one character; and the rest.
fn split_to_fit(text: &str, width: usize, cost: impl Fn(char) -> usize) -> (&str, &str) {
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

/// Whether it has nothing but printable US-ASCII and blanks.
fn is_plain(text: &str) -> bool {
    text.bytes()
        .all(|octet| octet.is_ascii_graphic() || octet == b' ')
}

const QUOTED: fn(char) -> bool = |c| matches!(c, '"' | '\\');

fn escaped(text: &str, special: fn(char) -> bool) -> Cow<'_, str> {
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

fn quoted_pair(c: char) -> String {
    if QUOTED(c) {
        format!("\\{c}")
    } else {
        c.to_string()
    }
}

/// > ext-octet := "%" 2(DIGIT / "A" / "B" / "C" / "D" / "E" / "F")
///
/// for each octet of a character that is no attribute-char (RFC 2231, section 7).
fn percent(c: char) -> String {
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

fn q_length(c: char, place: &Place) -> usize {
    let is_literal = c == ' ' || (c.is_ascii() && u8::try_from(c).is_ok_and(place.q));
    if is_literal { 1 } else { 3 * c.len_utf8() }
}

/// The Q encoding (RFC 2047, section 4.2).
fn q(text: &str, place: &Place) -> String {
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

/// The B encoding (RFC 2047, section 4.1; RFC 2045, section 6.8).
fn base64(octets: &[u8]) -> String {
    let mut written = String::with_capacity(octets.len().div_ceil(3) * 4);
    for group in octets.chunks(3) {
        let at = |index| group.get(index).map_or(0, |&octet| u32::from(octet));
        let bits = at(0) << 16 | at(1) << 8 | at(2);
        for index in 0..4 {
            written.push(if index > group.len() {
                '='
            } else {
                base64_digit(bits >> (18 - 6 * index) & 0x3F)
            });
        }
    }
    written
}

/// The digit for a value below 64 (RFC 2045, section 6.8, table 1).
fn base64_digit(value: u32) -> char {
    let (base, above) = match value {
        0..26 => ('A', value),
        26..52 => ('a', value - 26),
        52..62 => ('0', value - 52),
        62 => ('+', 0),
        _ => ('/', 0),
    };
    char::from_u32(u32::from(base) + above).unwrap_or('/')
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
/// of which `=` and `_` have a meaning of their own (RFC 2047, section 5, rule 3).
fn is_q_in_phrase(octet: u8) -> bool {
    octet.is_ascii_alphanumeric() || matches!(octet, b'!' | b'*' | b'+' | b'-' | b'/')
}

/// The atext of RFC 5322, section 3.2.3: letters, digits, and what is in the list.
fn is_atext(octet: u8) -> bool {
    octet.is_ascii_alphanumeric() || b"!#$%&'*+-/=?^_`{|}~".contains(&octet)
}

/// > token := 1*<any (US-ASCII) CHAR except SPACE, CTLs, or tspecials>
fn is_token_char(octet: u8) -> bool {
    octet.is_ascii_graphic() && !b"()<>@,;:\\\"/[]?=".contains(&octet)
}

/// > attribute-char := <any (US-ASCII) CHAR except SPACE, CTLs, "*", "'", "%", or tspecials>
fn is_attribute_char(octet: u8) -> bool {
    is_token_char(octet) && !matches!(octet, b'*' | b'\'' | b'%')
}
