//! Decodes a body incrementally: its transfer encoding, then its charset.

use std::borrow::Cow;

use super::byte_order_mark::{LONGEST_MARK, skip_bom};
use super::unneeded::Unneeded;
use super::weighing::Choice;
use crate::charset::{Charset, Decoded, Decoder, Options};
use crate::report::{Kind, Report};
use crate::transfer::{TransferDecoder, TransferEncoding};

/// Decodes a body to text, pushed in chunks. The text does not depend on where the chunks end.
///
/// ```text
/// body ─TransferDecoder─▶ octets ─Decoder─▶ text
/// ```
pub(crate) struct BodyDecoder {
    transfer: TransferDecoder,
    text: TextDecoder,
}

/// The charset of a decoded body, and the findings.
pub(crate) struct DecodedBody {
    /// The charset that decoded the octets.
    pub(crate) charset: Charset,
    /// The findings in the transfer encoding; offsets are into the encoded octets.
    pub(crate) transfer: Report,
    /// The findings in the text; offsets are into the decoded octets.
    pub(crate) text: Report,
}

/// Decodes the octets of a body, pushed in chunks. Removes a byte order mark at the start.
struct TextDecoder {
    charset: Charset,
    decoder: Decoder,
    is_partial: bool,
    /// Buffers the first octets until there are enough to check for a byte order mark.
    start: Option<Vec<u8>>,
    /// The length of the removed byte order mark.
    skipped: usize,
    unneeded: Unneeded,
}

impl BodyDecoder {
    pub(crate) fn new(encoding: TransferEncoding, charset: Charset, options: &Options) -> Self {
        BodyDecoder {
            transfer: TransferDecoder::new(encoding, options.partial),
            text: TextDecoder::new(charset, options),
        }
    }

    /// Appends the text of the next octets of the body. Passes the octets, without their transfer
    /// encoding, to `observe`.
    pub(crate) fn push(&mut self, encoded: &[u8], text: &mut String, observe: impl FnOnce(&[u8])) {
        let octets = self.transfer.push(encoded);
        observe(&octets);
        self.text.push(&octets, text);
    }

    /// Appends the text at the end of the body.
    pub(crate) fn finish(mut self, text: &mut String, observe: impl FnOnce(&[u8])) -> DecodedBody {
        let octets = self.transfer.finish();
        observe(&octets);
        self.text.push(&octets, text);
        drop(octets);
        let (charset, report) = self.text.finish(text);
        DecodedBody {
            charset,
            transfer: self.transfer.into_report(),
            text: report,
        }
    }
}

impl TextDecoder {
    fn new(charset: Charset, options: &Options) -> Self {
        TextDecoder {
            charset,
            decoder: Decoder::with_options(charset, options),
            is_partial: options.partial,
            start: (!options.keeps_bom).then(Vec::new),
            skipped: 0,
            unneeded: Unneeded::default(),
        }
    }

    /// Appends the text of the next octets.
    fn push(&mut self, octets: &[u8], text: &mut String) {
        let Some(start) = &mut self.start else {
            return self.append(octets, text);
        };
        start.extend_from_slice(octets);
        if start.len() >= LONGEST_MARK {
            self.append_start(text);
        }
    }

    /// Appends the text at the end. Returns the charset that decoded the octets, and the findings. If the
    /// octets are partial, decoding ends after the last whole character, and a finding reports the rest.
    fn finish(mut self, text: &mut String) -> (Charset, Report) {
        self.append_start(text);
        let (rest, unread) = if self.is_partial {
            let (rest, unread) = self.decoder.finish_partial();
            (rest, Some(unread))
        } else {
            (self.decoder.finish(), None)
        };
        self.unneeded.add(rest.as_str(), false);
        text.push_str(rest.as_str());
        let mut report = Report::new();
        add_findings(&mut report, self.skipped, rest.report);
        if let Some(unread) = unread {
            let offset = self.skipped + unread.start;
            report.add_in_octets(Kind::Partial, offset, unread.len(), "");
        }
        self.unneeded.into_report(&mut report);
        (rest.charset, report)
    }

    /// Appends the text of the buffered first octets, without a byte order mark.
    fn append_start(&mut self, text: &mut String) {
        if let Some(start) = self.start.take() {
            let (skipped, octets) = skip_bom(&start, self.charset);
            self.skipped = skipped;
            self.append(octets, text);
        }
    }

    fn append(&mut self, octets: &[u8], text: &mut String) {
        let new = self.decoder.push(octets);
        self.unneeded.add(new, false);
        text.push_str(new);
    }
}

/// Decodes a prefix of a text in a charset chosen from a longer prefix. Adds the findings to `report`.
pub(crate) fn read_start(
    octets: &[u8],
    choice: Choice,
    mut report: Report,
    options: &Options,
) -> Decoded<'static> {
    let mut text = String::new();
    let mut decoder = TextDecoder::new(choice.charset, &options.partial(true));
    decoder.push(octets, &mut text);
    let (charset, found) = decoder.finish(&mut text);
    report.absorb(found, 0);
    Decoded {
        text: Cow::Owned(text),
        charset,
        source: choice.source,
        report,
    }
}

/// Adds the finding about the removed byte order mark, and the findings in the octets after it.
pub(super) fn add_findings(report: &mut Report, skipped: usize, found: Report) {
    if skipped > 0 {
        report.add_in_octets(Kind::BomRemoved, 0, skipped, "");
    }
    if !found.is_empty() {
        report.absorb_octets(found, skipped);
    }
}
