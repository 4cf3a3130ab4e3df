//! What stands for a body in UTF-8: under which transfer encoding, made at once or a piece at a
//! time.

use std::ops::Range;

use memchr::memchr_iter;

use super::measure::Measure;
use crate::charset;
use crate::decode::{BodyFormat, TextPieces};
use crate::message::Part;
use crate::report::Report;
use crate::transfer::{self, Base64Writer, QuotedPrintableWriter, TransferEncoding};

/// The octets of a body, and the transfer encoding that they are under.
#[derive(Debug)]
pub(super) struct Written {
    pub(super) encoding: TransferEncoding,
    pub(super) octets: Octets,
    /// How many they are.
    pub(super) length: usize,
}

#[derive(Debug)]
pub(super) enum Octets {
    Made(Vec<u8>),
    /// They are made where they are to stand, once there is memory for all of them.
    Later(Later),
}

/// How the octets of a large body are made.
#[derive(Debug)]
pub(super) struct Later {
    again: Again,
    form: Form,
    pub(super) length: usize,
}

/// How a text is read again.
#[derive(Debug, Clone)]
pub(super) struct Again {
    pub(super) format: BodyFormat,
    /// The place of a declaration that is to name UTF-8.
    pub(super) fixed: Option<Range<usize>>,
}

/// What the octets were that the text was read from.
#[derive(Debug, Clone, Copy)]
pub(super) struct Was {
    pub(super) is_ascii: bool,
    pub(super) has_long_line: bool,
}

/// How a text is written.
#[derive(Debug, Clone, Copy)]
struct Form {
    encoding: TransferEncoding,
    /// Whether LF becomes CRLF.
    is_canonical: bool,
    line_end: &'static str,
    /// What stands behind the last line of base64.
    tail: &'static str,
}

/// Under what a text is to be put.
#[derive(Debug, Clone, Copy)]
enum Target {
    /// Nothing that changes its octets.
    Identity(TransferEncoding),
    QuotedPrintable,
    Base64,
    /// Base64, or quoted-printable where that is not longer.
    Shorter {
        /// Whether LF becomes CRLF under base64.
        is_canonical: bool,
    },
}

impl Target {
    /// The transfer encoding that the body has, or one under which the text is legal.
    fn of(part: Part<'_>, was: Was, text: &Measure) -> Target {
        let line_end = part.line_end(part.body());
        let old = part.transfer_encoding();
        let Some(raw) = &text.raw else {
            return match old {
                TransferEncoding::Base64 => Target::Base64,
                _ => Target::QuotedPrintable,
            };
        };
        // A line that only now begins with two hyphens could be a delimiter, and the first LF of
        // a message whose lines end in CR makes other lines of all of it.
        let may_be_cut =
            !raw.kept_ascii && (raw.has_hyphens || (line_end == "\r" && raw.line_feeds > 0));
        let is_too_long =
            old != TransferEncoding::Binary && raw.lines.have_long() && !was.has_long_line;
        let is_raw = old == TransferEncoding::SevenBit && raw.above.is_some_and(|above| above > 0);
        if !(may_be_cut || is_too_long || (is_raw && was.is_ascii)) {
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
            "\n" if !raw.has_cr => Target::Shorter { is_canonical: true },
            _ => Target::QuotedPrintable,
        }
    }
}

impl Written {
    /// The text under the transfer encoding that [`Target`] says: from `text`, where that is there
    /// as a whole, and else from a second reading, later.
    pub(super) fn new(
        part: Part<'_>,
        text: Option<&str>,
        again: &Again,
        measure: &Measure,
        was: Was,
    ) -> Self {
        let body = part.body();
        let line_end = part.line_end(body);
        let ends_line = body.ends_with(line_end.as_bytes());
        let form = |encoding, is_canonical| Form {
            encoding,
            is_canonical,
            line_end,
            tail: if ends_line { line_end } else { "" },
        };
        let quoted_printable = form(TransferEncoding::QuotedPrintable, false);
        let make = |form: Form| form.write(body, text, again, measure);
        match Target::of(part, was, measure) {
            Target::Identity(encoding) => make(form(encoding, false)),
            Target::QuotedPrintable => make(quoted_printable),
            Target::Base64 => make(form(TransferEncoding::Base64, false)),
            Target::Shorter { is_canonical } => {
                let base64 = form(TransferEncoding::Base64, is_canonical);
                let longest = base64.length(measure).unwrap_or_default();
                if least_quoted(measure) > longest {
                    return make(base64);
                }
                let written = make(quoted_printable);
                if written.length <= longest {
                    written
                } else {
                    make(base64)
                }
            }
        }
    }
}

impl Form {
    fn write(self, body: &[u8], text: Option<&str>, again: &Again, measure: &Measure) -> Written {
        let known = self.length(measure);
        if let Some(text) = text {
            let about = text.len() + text.len() / 2;
            let mut octets = Vec::with_capacity(known.unwrap_or(about));
            let mut writer = Writer::new(self);
            writer.push(text, &mut octets);
            writer.finish(&mut octets);
            return Written {
                encoding: self.encoding,
                length: octets.len(),
                octets: Octets::Made(octets),
            };
        }
        let mut later = Later {
            again: again.clone(),
            form: self,
            length: 0,
        };
        later.length = known.unwrap_or_else(|| {
            let mut length = 0;
            later.write(body, &mut |octets| length += octets.len());
            length
        });
        Written {
            encoding: self.encoding,
            length: later.length,
            octets: Octets::Later(later),
        }
    }

    /// How long a text becomes, where that is known before it is written.
    fn length(self, text: &Measure) -> Option<usize> {
        match self.encoding {
            TransferEncoding::QuotedPrintable => None,
            TransferEncoding::Base64 => {
                let line_feeds = text.raw.as_ref().filter(|_| self.is_canonical);
                let length = text.length + line_feeds.map_or(0, |raw| raw.line_feeds);
                let tail = if length > 0 { self.tail.len() } else { 0 };
                Some(transfer::base64_length(length, self.line_end) + tail)
            }
            _ => Some(text.length),
        }
    }
}

impl Later {
    /// Makes the octets from those of the old body, a piece at a time.
    pub(super) fn write(&self, body: &[u8], put: &mut impl FnMut(&[u8])) {
        let format = self.again.format.settled(body);
        let mut text = TextPieces::new(body, 0, format, Report::new(), ());
        let mut writer = Writer::new(self.form);
        let mut octets = Vec::new();
        if let Some(place) = &self.again.fixed {
            text.piece();
            text.replace(place.clone(), "UTF-8");
        }
        while let Some((piece, ())) = text.next() {
            octets.clear();
            writer.push(piece, &mut octets);
            put(&octets);
        }
        octets.clear();
        writer.finish(&mut octets);
        put(&octets);
    }
}

/// A text while it is written.
struct Writer {
    form: Form,
    base64: Base64Writer,
    quoted_printable: QuotedPrintableWriter,
    is_empty: bool,
}

impl Writer {
    fn new(form: Form) -> Self {
        Writer {
            form,
            base64: Base64Writer::new(form.line_end),
            quoted_printable: QuotedPrintableWriter::new(form.line_end),
            is_empty: true,
        }
    }

    /// Takes a piece, and appends what it decides.
    fn push(&mut self, text: &str, octets: &mut Vec<u8>) {
        self.is_empty &= text.is_empty();
        match self.form.encoding {
            TransferEncoding::Base64 if self.form.is_canonical => {
                octets.extend_from_slice(&self.base64.push(with_crlf(text).as_bytes()));
            }
            TransferEncoding::Base64 => {
                octets.extend_from_slice(&self.base64.push(text.as_bytes()));
            }
            TransferEncoding::QuotedPrintable => self.quoted_printable.push(text, octets),
            _ => octets.extend_from_slice(text.as_bytes()),
        }
    }

    /// Appends what is left.
    fn finish(self, octets: &mut Vec<u8>) {
        match self.form.encoding {
            TransferEncoding::Base64 => {
                octets.extend_from_slice(&self.base64.finish());
                if !self.is_empty {
                    octets.extend_from_slice(self.form.tail.as_bytes());
                }
            }
            TransferEncoding::QuotedPrintable => self.quoted_printable.finish(octets),
            _ => {}
        }
    }
}

/// How many octets of quoted-printable a text takes at least: three for each octet above 7F that
/// was counted.
fn least_quoted(text: &Measure) -> usize {
    let above = text.raw.as_ref().and_then(|raw| raw.above);
    text.length + 2 * above.unwrap_or_default()
}

/// The text with CRLF for each LF.
fn with_crlf(text: &str) -> String {
    let line_feeds = charset::count_of(text.as_bytes(), |octet| octet == b'\n');
    let mut canonical = String::with_capacity(text.len() + line_feeds);
    let mut from = 0;
    for end in memchr_iter(b'\n', text.as_bytes()) {
        canonical.push_str(text.get(from..end).unwrap_or_default());
        canonical.push_str("\r\n");
        from = end + 1;
    }
    canonical.push_str(text.get(from..).unwrap_or_default());
    canonical
}
