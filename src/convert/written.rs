//! What stands for a body in UTF-8: under which transfer encoding, made at once or a piece at a
//! time.

use std::borrow::Cow;

use memchr::{memchr, memchr_iter, memmem, memrchr};

use super::pieces::{self, How, Measure, Octets, Text};
use crate::charset::{self, Charset};
use crate::message::Part;
use crate::transfer::{self, Base64Writer, QuotedPrintableWriter, TransferEncoding};

/// The octets of a body.
#[derive(Debug)]
pub(super) enum Written {
    Made(Vec<u8>),
    /// They are made where they are to stand, once there is room for all of them.
    Later(Later),
}

/// How the octets of a large body are made.
#[derive(Debug)]
pub(super) struct Later {
    how: How,
    pub(super) encoding: TransferEncoding,
    /// Whether LF becomes CRLF.
    is_canonical: bool,
    line_end: &'static str,
    /// What stands behind the last line of base64.
    tail: &'static str,
    /// How many octets they are.
    pub(super) length: usize,
}

/// The longest line of 8bit data, without its line end (RFC 2045, section 2.8).
pub(super) const LONGEST_LINE: usize = 998;

/// Under what a text is to be put.
#[derive(Debug, Clone, Copy)]
enum Target {
    /// Nothing that changes its octets.
    Identity(TransferEncoding),
    QuotedPrintable,
    /// Whether LF becomes CRLF.
    Base64 {
        is_canonical: bool,
    },
    /// Base64, or quoted-printable where that is not longer.
    Shorter {
        is_canonical: bool,
    },
}

/// What a transfer encoding is chosen by.
trait Facts {
    fn is_ascii(&self) -> bool;
    fn has_line_feed(&self) -> bool;
    fn has_cr(&self) -> bool;
    /// Whether a line begins with two hyphens.
    fn has_hyphens(&self) -> bool;
    fn has_long_line(&self) -> bool;
}

impl Facts for &str {
    fn is_ascii(&self) -> bool {
        str::is_ascii(self)
    }

    fn has_line_feed(&self) -> bool {
        memchr(b'\n', self.as_bytes()).is_some()
    }

    fn has_cr(&self) -> bool {
        memchr(b'\r', self.as_bytes()).is_some()
    }

    fn has_hyphens(&self) -> bool {
        begins_line(self.as_bytes(), "--")
    }

    fn has_long_line(&self) -> bool {
        has_long_line(self.as_bytes())
    }
}

impl Facts for Measure {
    fn is_ascii(&self) -> bool {
        self.above == 0
    }

    fn has_line_feed(&self) -> bool {
        self.line_feeds > 0
    }

    fn has_cr(&self) -> bool {
        self.has_cr
    }

    fn has_hyphens(&self) -> bool {
        self.has_hyphens
    }

    fn has_long_line(&self) -> bool {
        self.lines.have_long()
    }
}

impl Target {
    /// The transfer encoding that the body has, or one under which the text is legal; `is_ascii`
    /// and `has_long_line` are asked of the octets that the text was read from.
    fn of(
        part: Part<'_>,
        charset: Charset,
        is_ascii: bool,
        has_long_line: impl FnOnce() -> bool,
        text: &impl Facts,
    ) -> Target {
        let line_end = part.line_end(part.body());
        let old = part.transfer_encoding();
        match old {
            TransferEncoding::Base64 => {
                return Target::Base64 {
                    is_canonical: false,
                };
            }
            TransferEncoding::QuotedPrintable => return Target::QuotedPrintable,
            _ => {}
        }
        // A line that only now begins with two hyphens could be a delimiter, and the first LF of
        // a message whose lines end in CR makes other lines of all of it.
        let may_be_cut = !charset.keeps_ascii()
            && (text.has_hyphens() || (line_end == "\r" && text.has_line_feed()));
        let is_too_long =
            old != TransferEncoding::Binary && text.has_long_line() && !has_long_line();
        let is_raw = old == TransferEncoding::SevenBit && !text.is_ascii();
        if !(may_be_cut || is_too_long || (is_raw && is_ascii)) {
            return Target::Identity(if is_raw {
                TransferEncoding::EightBit
            } else {
                old
            });
        }
        // Under base64 lines end in CRLF (RFC 2045, section 6.8). Text with line ends of several
        // kinds cannot be told so, and goes where they can stay.
        match line_end {
            "\r\n" => Target::Shorter {
                is_canonical: false,
            },
            "\n" if !text.has_cr() => Target::Shorter { is_canonical: true },
            _ => Target::QuotedPrintable,
        }
    }
}

/// The text under the transfer encoding that [`Target`] says.
pub(super) fn encoded(
    part: Part<'_>,
    text: String,
    octets: &[u8],
    charset: Charset,
) -> (Vec<u8>, TransferEncoding) {
    let body = part.body();
    let line_end = part.line_end(body);
    let has_long_line = || has_long_line(octets);
    let target = Target::of(part, charset, octets.is_ascii(), has_long_line, &&*text);
    let base64 = |is_canonical: bool| {
        let text = if is_canonical {
            Cow::Owned(with_crlf(&text))
        } else {
            Cow::Borrowed(&*text)
        };
        let mut encoded = transfer::encode_base64(text.as_bytes(), line_end);
        if !encoded.is_empty() && body.ends_with(line_end.as_bytes()) {
            encoded.extend_from_slice(line_end.as_bytes());
        }
        (encoded, TransferEncoding::Base64)
    };
    let quoted_printable = || {
        let encoded = transfer::encode_quoted_printable(&text, line_end);
        (encoded, TransferEncoding::QuotedPrintable)
    };
    match target {
        Target::Identity(encoding) => (text.into_bytes(), encoding),
        Target::QuotedPrintable => quoted_printable(),
        Target::Base64 { is_canonical } => base64(is_canonical),
        Target::Shorter { is_canonical } => {
            let base64 = base64(is_canonical);
            let above = charset::count_of(text.as_bytes(), |octet| !octet.is_ascii());
            if least_quoted(text.len(), above) > base64.0.len() {
                return base64;
            }
            let quoted_printable = quoted_printable();
            if quoted_printable.0.len() <= base64.0.len() {
                quoted_printable
            } else {
                base64
            }
        }
    }
}

impl Later {
    /// Under the transfer encoding that [`Target`] says.
    pub(super) fn new(part: Part<'_>, how: How, text: &Measure, octets: &Octets) -> Self {
        let body = part.body();
        let line_end = part.line_end(body);
        let has_long_line = || octets.lines.have_long();
        let target = Target::of(part, how.charset, !octets.is_not_ascii, has_long_line, text);
        let ends_line = body.ends_with(line_end.as_bytes());
        let tail = if ends_line { line_end } else { "" };
        let identity = Later {
            encoding: how.encoding,
            how,
            is_canonical: false,
            line_end,
            tail,
            length: text.length,
        };
        let base64 = |is_canonical: bool, later: Later| {
            let line_feeds = if is_canonical { text.line_feeds } else { 0 };
            let length = text.length + line_feeds;
            let tail = if length > 0 { tail.len() } else { 0 };
            Later {
                encoding: TransferEncoding::Base64,
                is_canonical,
                length: transfer::base64_length(length, line_end) + tail,
                ..later
            }
        };
        let quoted_printable = |later: Later| {
            let mut later = Later {
                encoding: TransferEncoding::QuotedPrintable,
                ..later
            };
            let mut length = 0;
            later.write(body, &mut |octets| length += octets.len());
            later.length = length;
            later
        };
        match target {
            Target::Identity(encoding) => Later {
                encoding,
                ..identity
            },
            Target::QuotedPrintable => quoted_printable(identity),
            Target::Base64 { is_canonical } => base64(is_canonical, identity),
            Target::Shorter { is_canonical } => {
                let how = identity.how.clone();
                let base64 = base64(is_canonical, Later { how, ..identity });
                if least_quoted(text.length, text.above) > base64.length {
                    return base64;
                }
                let quoted_printable = quoted_printable(identity);
                if quoted_printable.length <= base64.length {
                    quoted_printable
                } else {
                    base64
                }
            }
        }
    }

    /// Makes the octets from those of the old body, a piece at a time.
    pub(super) fn write(&self, body: &[u8], put: &mut impl FnMut(&[u8])) {
        let mut base64 = Base64Writer::new(self.line_end);
        let mut quoted_printable = QuotedPrintableWriter::new(self.line_end);
        let mut room = Vec::new();
        let mut text = Text::new(body, pieces::settled(body, self.how.clone()));
        let mut is_empty = true;
        loop {
            let piece = text.piece();
            let length = piece.len();
            if length == 0 {
                break;
            }
            is_empty = false;
            match self.encoding {
                TransferEncoding::Base64 if self.is_canonical => {
                    put(&base64.push(with_crlf(piece).as_bytes()));
                }
                TransferEncoding::Base64 => put(&base64.push(piece.as_bytes())),
                TransferEncoding::QuotedPrintable => {
                    room.clear();
                    quoted_printable.push(piece, &mut room);
                    put(&room);
                }
                _ => put(piece.as_bytes()),
            }
            text.take(length);
        }
        match self.encoding {
            TransferEncoding::Base64 => {
                put(&base64.finish());
                if !is_empty {
                    put(self.tail.as_bytes());
                }
            }
            TransferEncoding::QuotedPrintable => {
                room.clear();
                quoted_printable.finish(&mut room);
                put(&room);
            }
            _ => {}
        }
    }
}

/// How many octets of quoted-printable a text takes at least: three for each octet above 7F.
fn least_quoted(length: usize, above: usize) -> usize {
    length + 2 * above
}

/// The text with CRLF for each LF.
fn with_crlf(text: &str) -> String {
    let lines = memchr_iter(b'\n', text.as_bytes()).count();
    let mut canonical = String::with_capacity(text.len() + lines);
    let mut from = 0;
    for end in memchr_iter(b'\n', text.as_bytes()) {
        canonical.push_str(text.get(from..end).unwrap_or_default());
        canonical.push_str("\r\n");
        from = end + 1;
    }
    canonical.push_str(text.get(from..).unwrap_or_default());
    canonical
}

pub(super) fn begins_line(octets: &[u8], start: &str) -> bool {
    memmem::find_iter(octets, start).any(|at| {
        let before = at.checked_sub(1).and_then(|at| octets.get(at));
        matches!(before, None | Some(b'\r' | b'\n'))
    })
}

/// Whether a line is longer than [`LONGEST_LINE`], its line end aside. The lines of most text
/// are short, and the last end of one in so many octets is found without looking at the others.
pub(super) fn has_long_line(octets: &[u8]) -> bool {
    let mut rest = octets;
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
    use super::{begins_line, has_long_line};

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
    }

    #[test]
    fn hyphens_that_begin_a_line_are_found() {
        for text in ["--", "--a", "a\n--", "a\r--b", "---", "a--\r\n-- "] {
            assert!(begins_line(text.as_bytes(), "--"), "{text:?}");
        }
        for text in ["", "-", "a--", " --", "-\n-", "-\r\n-a--"] {
            assert!(!begins_line(text.as_bytes(), "--"), "{text:?}");
        }
    }
}
