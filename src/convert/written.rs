//! The new octets of a body in UTF-8: their transfer encoding, and how they are encoded, at once or
//! piece by piece.

use std::ops::Range;

use super::measure::Measure;
use crate::decode::{BodyFormat, TextPieces};
use crate::message::Part;
use crate::report::Report;
use crate::transfer::{self, Base64Writer, QuotedPrintableWriter, TransferEncoding};

/// The new octets of a body, and their transfer encoding.
#[derive(Debug)]
pub(super) struct EncodedBody {
    pub(super) encoding: TransferEncoding,
    pub(super) octets: BodyOctets,
    pub(super) length: usize,
}

#[derive(Debug)]
pub(super) enum BodyOctets {
    Encoded(Vec<u8>),
    /// Octets that are encoded directly into the result, once it is allocated.
    Deferred(DeferredBody),
}

/// A large body whose octets are encoded when the result is written.
#[derive(Debug)]
pub(super) struct DeferredBody {
    pass: SecondPass,
    form: BodyForm,
    pub(super) length: usize,
}

/// How to decode a body a second time.
#[derive(Debug, Clone)]
pub(super) struct SecondPass {
    pub(super) format: BodyFormat,
    /// The range of a declaration that has to name UTF-8.
    pub(super) fixed: Option<Range<usize>>,
}

/// Facts about the decoded octets of the old body.
#[derive(Debug, Clone, Copy)]
pub(super) struct OldBody {
    pub(super) is_ascii: bool,
    pub(super) has_long_line: bool,
}

/// How a text is encoded.
#[derive(Debug, Clone, Copy)]
struct BodyForm {
    encoding: TransferEncoding,
    /// Whether LF becomes CRLF.
    is_canonical: bool,
    line_end: &'static str,
    /// The octets after the last line of base64.
    tail: &'static str,
}

impl EncodedBody {
    /// Encodes a text: at once if all of it is in `text`, otherwise when the result is written. Keeps the
    /// transfer encoding of the old body if the text is valid under it, and otherwise chooses another.
    pub(super) fn new(
        part: Part<'_>,
        text: Option<&str>,
        pass: &SecondPass,
        measure: &Measure,
        old: OldBody,
    ) -> Self {
        let body = part.body();
        let line_end = part.line_end(body);
        let ends_line = body.ends_with(line_end.as_bytes());
        let form = |encoding, is_canonical| BodyForm {
            encoding,
            is_canonical,
            line_end,
            tail: if ends_line { line_end } else { "" },
        };
        let make = |form: BodyForm| form.write(body, text, pass, measure);
        let old_encoding = part.transfer_encoding();
        let Some(raw) = &measure.raw else {
            return make(form(old_encoding, false));
        };
        // A new line that begins with two hyphens could be a delimiter. The first LF in a message whose
        // lines end in CR would change how the whole message is split into lines.
        let may_be_cut =
            !raw.kept_ascii && (raw.has_hyphens || (line_end == "\r" && raw.line_feeds > 0));
        let is_too_long =
            old_encoding != TransferEncoding::Binary && raw.lines.have_long() && !old.has_long_line;
        let above = raw.above.unwrap_or_default();
        let is_raw = old_encoding == TransferEncoding::SevenBit && above > 0;
        if !(may_be_cut || is_too_long || (is_raw && old.is_ascii)) {
            let eight_bit = is_raw.then_some(TransferEncoding::EightBit);
            return make(form(eight_bit.unwrap_or(old_encoding), false));
        }
        // In base64, lines end in CRLF (RFC 2045, section 6.8). Text with mixed line endings gets
        // quoted-printable, which keeps them. Other text gets base64 if that is shorter.
        let may_be_base64 = line_end == "\r\n" || (line_end == "\n" && !raw.has_cr);
        let base64 = form(TransferEncoding::Base64, line_end == "\n");
        let longest = base64.length(measure).unwrap_or_default();
        // Quoted-printable has three octets for each octet above 7F.
        if may_be_base64 && measure.length + 2 * above > longest {
            return make(base64);
        }
        let quoted_printable = make(form(TransferEncoding::QuotedPrintable, false));
        if may_be_base64 && quoted_printable.length > longest {
            return make(base64);
        }
        quoted_printable
    }
}

impl BodyForm {
    fn write(
        self,
        body: &[u8],
        text: Option<&str>,
        pass: &SecondPass,
        measure: &Measure,
    ) -> EncodedBody {
        let known = self.length(measure);
        if let Some(text) = text {
            let about = text.len() + text.len() / 2;
            let mut octets = Vec::with_capacity(known.unwrap_or(about));
            let mut writer = Writer::new(self);
            writer.push(text, &mut octets);
            writer.finish(&mut octets);
            return EncodedBody {
                encoding: self.encoding,
                length: octets.len(),
                octets: BodyOctets::Encoded(octets),
            };
        }
        let mut later = DeferredBody {
            pass: pass.clone(),
            form: self,
            length: 0,
        };
        later.length = known.unwrap_or_else(|| {
            let mut length = 0;
            later.write(body, &mut |octets| length += octets.len());
            length
        });
        EncodedBody {
            encoding: self.encoding,
            length: later.length,
            octets: BodyOctets::Deferred(later),
        }
    }

    /// The length of a text under this encoding, if known without encoding it.
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

impl DeferredBody {
    /// Encodes the old body again, piece by piece.
    pub(super) fn write(&self, body: &[u8], put: &mut impl FnMut(&[u8])) {
        let format = self.pass.format.settled(body);
        let mut text = TextPieces::new(body, 0, format, Report::new(), ());
        let mut writer = Writer::new(self.form);
        let mut octets = Vec::new();
        if let Some(place) = &self.pass.fixed {
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

/// Encodes a text piece by piece.
struct Writer {
    form: BodyForm,
    base64: Base64Writer,
    quoted_printable: QuotedPrintableWriter,
    is_empty: bool,
}

impl Writer {
    fn new(form: BodyForm) -> Self {
        Writer {
            form,
            base64: Base64Writer::new(form.line_end),
            quoted_printable: QuotedPrintableWriter::new(form.line_end),
            is_empty: true,
        }
    }

    /// Appends the octets of a piece that are final.
    fn push(&mut self, text: &str, octets: &mut Vec<u8>) {
        self.is_empty &= text.is_empty();
        match self.form.encoding {
            TransferEncoding::Base64 if self.form.is_canonical => {
                octets.extend_from_slice(&self.base64.push(text.replace('\n', "\r\n").as_bytes()));
            }
            TransferEncoding::Base64 => {
                octets.extend_from_slice(&self.base64.push(text.as_bytes()));
            }
            TransferEncoding::QuotedPrintable => self.quoted_printable.push(text, octets),
            _ => octets.extend_from_slice(text.as_bytes()),
        }
    }

    /// Appends the pending octets.
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
