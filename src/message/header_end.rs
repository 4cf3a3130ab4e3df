//! Finds the end of a damaged header: decides which lines without a field name belong to it, and which
//! begin the body (RFC 5322, section 2.1; RFC 7103, section 7).

use memchr::memchr;

use super::line::{field_name, is_blank, is_name, line_end_after, trim_end_blanks};

/// Maximum number of consecutive lines without a field name that do not end a header.
const MAX_LOST: usize = 8;
/// The number of octets that are searched for the blank line at the end of a header.
const MAX_LOOKAHEAD: usize = 32 << 10;

/// Fields that show that a header continues: first those of the message, then those of its content.
/// The masks below depend on this order.
const KNOWN: [&[u8]; 13] = [
    b"From",
    b"Date",
    b"Subject",
    b"To",
    b"Message-ID",
    b"MIME-Version",
    b"Content-Type",
    b"Content-Transfer-Encoding",
    b"Content-Disposition",
    b"Content-ID",
    b"Content-Description",
    b"Content-Language",
    b"Content-Location",
];
/// The byte order mark in UTF-8 (RFC 3629, section 6).
pub(super) const BOM: &[u8] = b"\xEF\xBB\xBF";

/// Bit masks: fields that a quoted message repeats, and fields of the content.
const QUOTED_FIELDS: u32 = 0b111;
const CONTENT_FIELDS: u32 = !0b11_1111;
/// Not a field: set if the transfer encoding is base64 or quoted-printable.
const ENCODED: u32 = 1 << KNOWN.len();

/// A header line that is not a field.
pub(super) enum NonField {
    /// Blank: the header ends with it.
    Blank(usize),
    /// All lines up to this offset belong to the header, including lines without a field name: the
    /// separator line of an mbox, or lines before a field, such as a fold that lost its blank.
    Lost(usize),
    /// The body begins here, without a blank line before it (RFC 7103, section 7.2).
    Body,
}

/// Classifies the non-field line at `at` of a header that begins at `start`. The header's lines end in
/// CR CR LF if `doubles_cr`.
#[inline(never)]
pub(super) fn classify_non_field(
    source: &[u8],
    start: usize,
    at: usize,
    line_end: u8,
    doubles_cr: bool,
) -> NonField {
    if let Some(end) = blank_line(source, at, line_end, doubles_cr) {
        return NonField::Blank(end);
    }
    let rest = source.get(at..).unwrap_or_default();
    let end = line_end_after(source, at, line_end);
    let stays = (at == start && is_separator(rest))
        || rest.first().is_some_and(|&octet| is_blank(octet))
        || field_name(source.get(end..).unwrap_or_default()).is_some();
    if stays {
        return NonField::Lost(end);
    }
    let before = source.get(start..at).unwrap_or_default();
    match Lookahead::of(source, at, line_end, known_fields(before, line_end)) {
        Some(ahead) if ahead.continues_header(at > start) => NonField::Lost(ahead.blank),
        _ => NonField::Body,
    }
}

/// The offset of the first field of a message that begins at `start`, if an editor or a mail store
/// wrote a byte order mark or blank lines before it. `None` if the message begins with its header.
pub(super) fn first_field(source: &[u8], start: usize, line_end: u8) -> Option<usize> {
    let rest = source.get(start..)?;
    let marked = rest.strip_prefix(BOM).unwrap_or(rest);
    let mut at = source.len() - marked.len();
    for _ in 0..MAX_LOST {
        match blank_line(source, at, line_end, true) {
            Some(end) => at = end,
            None => break,
        }
    }
    if at == source.len() - marked.len() {
        let is_header = is_separator(marked) || field_name(marked).is_some();
        return (at > start && is_header).then_some(at);
    }
    let first = if is_separator(source.get(at..)?) {
        line_end_after(source, at, line_end)
    } else {
        at
    };
    is_header(source, first, line_end).then_some(at)
}

/// Whether octets begin with the header of a message, with any line ending.
pub(super) fn is_message_header(octets: &[u8]) -> bool {
    let line_end = if memchr(b'\n', octets).is_some() {
        b'\n'
    } else {
        b'\r'
    };
    is_header(octets, 0, line_end)
}

/// Whether a message header begins at `at` and consists only of fields.
fn is_header(source: &[u8], at: usize, line_end: u8) -> bool {
    let ahead = Lookahead::of(source, at, line_end, 0);
    ahead.is_some_and(|ahead| ahead.others == 0 && ahead.names_message())
}

/// Whether a line is an mbox separator, which may be quoted.
fn is_separator(line: &[u8]) -> bool {
    line.starts_with(b"From ") || line.starts_with(b">From ")
}

/// The end of the blank line at `at`, which may be CR CR LF if `doubles_cr`.
fn blank_line(source: &[u8], at: usize, line_end: u8, doubles_cr: bool) -> Option<usize> {
    match source.get(at..)? {
        [end, ..] if *end == line_end => Some(at + 1),
        [b'\r', end, ..] if *end == line_end => Some(at + 2),
        [b'\r'] => Some(at + 1),
        [b'\r', b'\r', b'\n', ..] if doubles_cr => Some(at + 3),
        _ => None,
    }
}

/// The fields among [`KNOWN`] in these lines, as bits.
fn known_fields(lines: &[u8], line_end: u8) -> u32 {
    let mut found = 0;
    let mut at = 0;
    while let Some(line @ [_, ..]) = lines.get(at..) {
        found |= known_field(line);
        at = line_end_after(lines, at, line_end);
    }
    found
}

/// The bit of the field that begins here, or 0.
fn known_field(line: &[u8]) -> u32 {
    let Some((length, colon)) = field_name(line) else {
        return 0;
    };
    let (name, body) = (line.get(..length), line.get(colon + 1..));
    let of = |name| KNOWN.iter().position(|known| is_name(name, known));
    let Some(bit) = name.and_then(of) else {
        return 0;
    };
    let is_transfer_encoding = KNOWN.get(bit) == Some(&&b"Content-Transfer-Encoding"[..]);
    let first = body.unwrap_or_default().trim_ascii_start().first();
    let is_encoded = is_transfer_encoding && matches!(first, Some(b'b' | b'B' | b'q' | b'Q'));
    1 << bit | if is_encoded { ENCODED } else { 0 }
}

/// Lines that may continue the header, up to the next blank line.
struct Lookahead {
    /// Fields before these lines, and in them, as bits of [`KNOWN`].
    before: u32,
    found: u32,
    /// The number of lines that are neither fields nor folds nor [spaced fields](is_spaced_field).
    others: usize,
    ends_in_other: bool,
    /// The offset of the blank line.
    blank: usize,
}

impl Lookahead {
    /// Scans the lines from `at` to the next blank line. `None` if that is too far away, if a line is
    /// quoted text or a delimiter, or if more than [`MAX_LOST`] consecutive lines have no field name.
    fn of(source: &[u8], at: usize, line_end: u8, before: u32) -> Option<Lookahead> {
        let source = source.get(..source.len().min(at.saturating_add(MAX_LOOKAHEAD)))?;
        let mut ahead = Lookahead {
            before,
            found: 0,
            others: 0,
            ends_in_other: false,
            blank: at,
        };
        let mut in_row = 0;
        let mut in_field = false;
        while blank_line(source, ahead.blank, line_end, true).is_none() {
            let end = line_end_after(source, ahead.blank, line_end);
            let line = source.get(ahead.blank..end)?;
            let first = line.first()?;
            ahead.blank = end;
            if is_blank(*first) && in_field {
                continue;
            }
            in_field = field_name(line).is_some() || is_spaced_field(line, before);
            if in_field {
                ahead.found |= known_field(line);
                in_row = 0;
                continue;
            }
            ahead.others += 1;
            in_row += 1;
            if in_row > MAX_LOST || line.starts_with(b">") || line.starts_with(b"--") {
                return None;
            }
        }
        ahead.ends_in_other = in_row > 0;
        Some(ahead)
    }

    /// Whether the lines continue the header before them, which has fields if `has_begun`.
    ///
    /// The lines do if each is a field or a [spaced field](is_spaced_field). Otherwise the lines
    /// must include a known field that is new to this header. A second From, Date or Subject
    /// belongs to a message quoted in the body. In the header of a part, only Content- fields
    /// count.
    fn continues_header(&self, has_begun: bool) -> bool {
        let is_part = self.before & CONTENT_FIELDS != 0 && self.before & !CONTENT_FIELDS == 0;
        let wanted = if is_part { CONTENT_FIELDS } else { u32::MAX };
        if self.ends_in_other || self.before & self.found & QUOTED_FIELDS != 0 {
            false
        } else if !has_begun {
            self.names_message()
        } else if self.others == 0 {
            true
        } else {
            self.found & !self.before & wanted != 0
        }
    }

    /// Whether the lines are the header of a message, not a text whose first line has a colon.
    fn names_message(&self) -> bool {
        self.found.count_ones() >= 2
    }
}

/// Whether a line is a field with blanks in its name, such as `X Mailer: x`. `Dear Bob:` does not
/// count: it has no body.
///
/// A sentence may look like such a field. So the name must have at most three words, each with a
/// capital, and a blank must follow the colon. If the body is base64 or quoted-printable, any name
/// is accepted, since the line would damage the body.
fn is_spaced_field(line: &[u8], before: u32) -> bool {
    /// Field names in use are shorter.
    const LONGEST: usize = 76;
    let near = line.get(..LONGEST).unwrap_or(line);
    let Some(colon) = near.iter().position(|&octet| octet == b':') else {
        return false;
    };
    let (name, body) = line.split_at_checked(colon).unwrap_or_default();
    let mut words = name
        .split(|&octet| is_blank(octet))
        .filter(|word| !word.is_empty());
    let is_capital = |word: &[u8]| {
        matches!(word, [b'A'..=b'Z' | b'0'..=b'9', ..])
            && word
                .iter()
                .all(|&octet| octet.is_ascii_alphanumeric() || b"-_".contains(&octet))
    };
    let is_name = if before & ENCODED != 0 {
        words.all(|word| word.iter().all(u8::is_ascii_graphic))
    } else {
        let is_short = words.clone().nth(3).is_none();
        is_short && matches!(body, [_, b' ' | b'\t', ..]) && words.all(is_capital)
    };
    is_name
        && name.first().is_some_and(u8::is_ascii_alphanumeric)
        && trim_end_blanks(body).len() > 1
}
