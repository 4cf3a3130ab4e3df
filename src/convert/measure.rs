//! Measures a text, or the octets from which it was decoded, to choose its transfer encoding.

use memchr::{memchr, memchr_iter, memmem, memrchr};

use crate::charset::{self, Charset};
use crate::decode::{PieceSearch, begins_line};
use crate::transfer::TransferEncoding;

/// The longest line of 8bit data, without its line ending (RFC 2045, section 2.8).
const LONGEST_LINE: usize = 998;

/// Measurements of a text, taken piece by piece.
#[derive(Debug, Default)]
pub(super) struct Measure {
    pub(super) length: usize,
    /// Measurements of a text under an identity encoding; other text keeps its encoding.
    pub(super) raw: Option<Raw>,
}

/// Measurements of a text that is not encoded.
#[derive(Debug, Default)]
pub(super) struct Raw {
    /// Whether the old charset of the text is an ASCII superset.
    pub(super) kept_ascii: bool,
    /// The number of octets above 7F, if it is needed.
    pub(super) above: Option<usize>,
    pub(super) line_feeds: usize,
    pub(super) has_cr: bool,
    pub(super) lines: LineLengths,
    /// Whether a line begins with two hyphens, if that is needed.
    pub(super) has_hyphens: bool,
    hyphens: Option<PieceSearch<8>>,
}

impl Measure {
    /// Measures a text that was in `charset`, under `encoding`.
    pub(super) fn new(encoding: TransferEncoding, charset: Charset) -> Self {
        let raw = || {
            let kept_ascii = charset.keeps_ascii();
            Raw {
                kept_ascii,
                // Text for which this count is not needed is encoded only if a line is too long.
                above: (encoding == TransferEncoding::SevenBit || !kept_ascii).then_some(0),
                // If the charset keeps US-ASCII, a line that begins with hyphens did so before the
                // conversion too.
                hyphens: (!kept_ascii).then(PieceSearch::default),
                ..Raw::default()
            }
        };
        Measure {
            length: 0,
            raw: (!encoding.is_encoded()).then(raw),
        }
    }

    pub(super) fn look(&mut self, text: &str) {
        let octets = text.as_bytes();
        self.length += octets.len();
        let Some(raw) = &mut self.raw else {
            return;
        };
        if let Some(above) = &mut raw.above {
            *above += charset::count_of(octets, |octet| !octet.is_ascii());
        }
        raw.line_feeds += memchr_iter(b'\n', octets).count();
        raw.has_cr = raw.has_cr || memchr(b'\r', octets).is_some();
        raw.lines.look(octets);
        if let Some(search) = &mut raw.hyphens {
            raw.has_hyphens |= search.look(octets, begins_line_with_hyphens);
        }
    }
}

/// Whether a line of `octets`, which follow the octet `before`, begins with two hyphens.
fn begins_line_with_hyphens(before: Option<u8>, octets: &[u8]) -> bool {
    memmem::find_iter(octets, "--").any(|at| begins_line(before, octets, at))
}

/// Finds a line longer than [`LONGEST_LINE`], not counting its line ending.
#[derive(Debug, Default)]
pub(super) struct LineLengths {
    /// The length so far of the last line.
    length: usize,
    ends_in_cr: bool,
    is_long: bool,
}

impl LineLengths {
    pub(super) fn look(&mut self, octets: &[u8]) {
        let Some(first) = memchr(b'\n', octets) else {
            self.add(octets);
            return;
        };
        let last = memrchr(b'\n', octets).unwrap_or(first);
        self.add(octets.get(..first).unwrap_or_default());
        self.is_long =
            self.have_long() || has_long_line(octets.get(first + 1..last).unwrap_or_default());
        self.length = 0;
        self.ends_in_cr = false;
        self.add(octets.get(last + 1..).unwrap_or_default());
    }

    /// Whether a line so far is too long.
    pub(super) fn have_long(&self) -> bool {
        let open = self.length - usize::from(self.ends_in_cr);
        self.is_long || open > LONGEST_LINE
    }

    fn add(&mut self, octets: &[u8]) {
        self.length += octets.len();
        if let Some(last) = octets.last() {
            self.ends_in_cr = *last == b'\r';
        }
    }
}

/// Whether any of several complete lines is too long. Most lines are short, so the search for the last
/// line ending within the limit skips the lines before it.
fn has_long_line(lines: &[u8]) -> bool {
    let mut rest = lines;
    while rest.len() > LONGEST_LINE {
        let near = rest.get(..=LONGEST_LINE).unwrap_or(rest);
        let end = memrchr(b'\n', near).unwrap_or_else(|| memchr(b'\n', rest).unwrap_or(rest.len()));
        let line = rest.get(..end).unwrap_or(rest);
        if end > LONGEST_LINE && line.strip_suffix(b"\r").unwrap_or(line).len() > LONGEST_LINE {
            return true;
        }
        rest = rest.get(end + 1..).unwrap_or_default();
    }
    false
}

#[cfg(test)]
mod tests {
    use super::{LineLengths, Measure};
    use crate::charset::Charset;
    use crate::transfer::TransferEncoding;

    /// The answer does not depend on where pieces end.
    fn has_long_line(octets: &[u8]) -> bool {
        let found = |size| {
            let mut lines = LineLengths::default();
            octets.chunks(size).for_each(|piece| lines.look(piece));
            lines.have_long()
        };
        let whole = found(octets.len().max(1));
        for size in (1..130).chain(990..1010) {
            assert_eq!(found(size), whole, "{size}");
        }
        whole
    }

    /// RFC 5322, section 2.1.1: no more than 998 characters, excluding the CRLF.
    #[test]
    fn lines_of_998_octets_are_not_too_long() {
        for line_end in ["", "\n", "\r\n"] {
            for before in ["", "a\n", "a\r\n\r\n"] {
                for behind in ["", "b", "b\r\nc"] {
                    let of = |length| format!("{before}{}{line_end}{behind}", "x".repeat(length));
                    let more = if line_end.is_empty() {
                        behind.find('\r').unwrap_or(behind.len())
                    } else {
                        0
                    };
                    assert!(
                        !has_long_line(of(998 - more).as_bytes()),
                        "{line_end:?} {before:?} {behind:?}"
                    );
                    assert!(
                        has_long_line(of(999 - more).as_bytes()),
                        "{line_end:?} {before:?} {behind:?}"
                    );
                }
            }
        }
        assert!(has_long_line(
            format!("a\n{}\ry", "x".repeat(997)).as_bytes()
        ));
    }

    #[test]
    fn hyphens_that_begin_a_line_are_found() {
        let utf_16 = Charset::for_label("utf-16").unwrap();
        let has_hyphens = |text: &str, size: usize| {
            let mut measure = Measure::new(TransferEncoding::EightBit, utf_16);
            for piece in text.as_bytes().chunks(size) {
                measure.look(std::str::from_utf8(piece).unwrap());
            }
            measure.raw.unwrap().has_hyphens
        };
        let line = format!("ab{}\r\n", "-".repeat(60));
        for size in 1..70 {
            for text in ["--", "--a", "a\n--", "a\r--b", "---", "a--\r\n-- "] {
                assert!(has_hyphens(text, size), "{text:?} {size}");
            }
            for text in ["", "-", "a--", " --", "-\n-", "-\r\n-a--", &line] {
                assert!(!has_hyphens(text, size), "{text:?} {size}");
            }
        }
    }
}
