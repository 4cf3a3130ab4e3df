//! The body of a text part, and what its header has to say of it afterwards.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use super::draft::Draft;
use super::leave::{self, Found, is_utf_8};
use super::measure::{Lines, Measure};
use super::options::Conversion;
use super::written::{Again, Was, Written};
use crate::charset::Charset;
use crate::decode::{Before, How, Observer, TextPieces};
use crate::header::ContentType;
use crate::label::Label;
use crate::message::Part;
use crate::prove::{Armour, Reading, contradiction, names_utf_8};
use crate::report::{Report, Source};
use crate::transfer::{Pieces, TransferEncoding};

/// What becomes of a part.
#[derive(Debug)]
pub(super) struct Plan {
    /// What stands in the place of the body; `None` where its octets are UTF-8 as they are.
    pub(super) body: Option<Body>,
    /// The transfer encoding that the header has to name, where that is another.
    pub(super) encoding: Option<TransferEncoding>,
    /// The label in the document that is wrong once the text is in UTF-8.
    pub(super) conflict: Option<Label<'static>>,
    pub(super) reading: Reading,
}

/// A body in UTF-8.
#[derive(Debug)]
pub(super) struct Body {
    pub(super) range: Range<usize>,
    pub(super) octets: Written,
    pub(super) reading: Reading,
}

/// What a part needs to be in UTF-8; `None` where it is, where it is not for us to touch, or
/// where it stays as it is for a reason that `draft` reports.
///
/// The body is read once, piece by piece, to know what its text is; a small body is one piece. The
/// octets in its place are made from that piece, or from a second reading once the result is put
/// together.
pub(super) fn plan(part: Part<'_>, options: &Conversion, draft: &mut Draft) -> Option<Plan> {
    let range = part.body_range()?;
    let content_type = leave::unless_by_header(part, &range, options, draft)?;
    let label = content_type.charset();
    let body = part.body();
    let encoding = part.transfer_encoding();
    let Opened {
        mut text,
        how,
        source,
        confidence,
        is_ascii,
        is_octets,
    } = open(part, &content_type, options, draft.is_large(body.len()));
    if is_utf_8(how.charset) && is_ascii.unwrap_or_else(|| part.has_ascii_alone()) {
        draft.charsets.push(how.charset);
        return None;
    }
    let mut declared = contradiction(text.piece(), content_type.media_type());
    let fixed = declared
        .take_if(|_| options.fix_declarations)
        .map(|(place, _)| place);
    if let Some(place) = &fixed {
        text.replace(place.clone(), "UTF-8");
    }
    let mut measure = Measure::new(encoding, how.charset);
    let mut same = Same::new(body, encoding);
    loop {
        let piece = text.piece();
        let length = piece.len();
        if length == 0 {
            break;
        }
        measure.look(piece);
        if is_octets.is_none() {
            same.compare(piece.as_bytes());
        }
        text.take(length);
    }
    let known = text.finish();
    let is_same = fixed.is_none() && is_octets.unwrap_or_else(|| same.finish());
    let found = Found {
        charset: known.charset,
        source,
        is_ascii: !known.observer.is_not_ascii,
        has_openpgp: known.observer.armour.is_found(),
        confidence,
        report: &known.report,
    };
    draft.charsets.push(found.charset);
    if found.is_utf_8(label) || leave::by_text(part, &range, &found, options, draft) {
        return None;
    }
    if found.charset == Charset::UTF_8 && known.report.replacements() == 0 {
        return Some(found.label_alone(part, label));
    }
    let conflict = declared.map(|(_, label)| label);
    let labelled = found.reading(label, Report::new());
    if is_same {
        return Some(Plan {
            body: None,
            encoding: None,
            conflict,
            reading: labelled,
        });
    }
    let again = Again { how, fixed };
    let was = Was {
        is_ascii: found.is_ascii,
        has_long_line: known.observer.lines.is_some_and(|lines| lines.have_long()),
    };
    let octets = Written::new(part, known.text.as_deref(), &again, &measure, was);
    let new_encoding = octets.encoding;
    if leave::by_result(part, &range, found.charset, &octets, draft) {
        return None;
    }
    let reading = found.reading(label, known.report.clone());
    Some(Plan {
        body: Some(Body {
            range,
            octets,
            reading,
        }),
        encoding: (new_encoding != encoding).then_some(new_encoding),
        conflict,
        reading: labelled,
    })
}

impl Found<'_> {
    /// Whether it is in UTF-8, and says so or need not.
    fn is_utf_8(self, label: Option<&Label<'_>>) -> bool {
        is_utf_8(self.charset) && (self.is_ascii || label.is_some_and(names_utf_8))
    }

    fn reading(self, label: Option<&Label<'_>>, report: Report) -> Reading {
        Reading {
            label: label.map(|label| Arc::new(label.clone().into_owned())),
            charset: self.charset,
            source: self.source,
            report: Reading::report_of(report),
        }
    }

    /// What a part needs whose octets are UTF-8: only the label is missing or wrong.
    fn label_alone(self, part: Part<'_>, label: Option<&Label<'_>>) -> Plan {
        let is_raw = part.transfer_encoding() == TransferEncoding::SevenBit;
        Plan {
            body: None,
            encoding: (is_raw && !part.body().is_ascii()).then_some(TransferEncoding::EightBit),
            conflict: None,
            reading: self.reading(label, self.report.clone()),
        }
    }
}

/// A body that is to be read.
struct Opened<'m> {
    text: TextPieces<'m, Seen>,
    how: How,
    source: Source,
    confidence: Option<u8>,
    /// Whether the octets are US-ASCII, and whether they are the text, where that is known.
    is_ascii: Option<bool>,
    is_octets: Option<bool>,
}

/// What is looked for in the octets of a body.
struct Seen {
    is_not_ascii: bool,
    armour: Armour,
    /// Where lines may become too long: those of text that no transfer encoding changes.
    lines: Option<Lines>,
}

impl Observer for Seen {
    fn look(&mut self, octets: &[u8]) {
        self.is_not_ascii |= !octets.is_ascii();
        self.armour.look(octets);
        if let Some(lines) = &mut self.lines {
            lines.look(octets);
        }
    }
}

/// Opens a body. All of a small one is read now.
fn open<'m>(
    part: Part<'m>,
    content_type: &ContentType<'_>,
    options: &Conversion,
    is_large: bool,
) -> Opened<'m> {
    let encoding = part.transfer_encoding();
    let options = &options.reading;
    let seen = Seen {
        is_not_ascii: false,
        armour: Armour::default(),
        lines: encoding.is_identity().then(Lines::default),
    };
    let of = |charset| How {
        encoding,
        charset,
        options: *options,
    };
    if is_large {
        let decision = part.decide(options);
        let how = of(decision.charset());
        let before = Before {
            decision: decision.report().clone(),
            start: part.body_range().map_or(0, |range| range.start),
        };
        return Opened {
            text: TextPieces::new(part.body(), how, before, seen),
            how,
            source: decision.source(),
            confidence: Some(decision.confidence()),
            is_ascii: None,
            is_octets: None,
        };
    }
    let (octets, report) = part.octets().into_parts();
    let decoded = match octets {
        Cow::Borrowed(octets) => part.text_of(octets, report, content_type, options, None),
        Cow::Owned(ref octets) => part
            .text_of(octets, report, content_type, options, None)
            .into_owned(),
    };
    let (how, source) = (of(decoded.charset()), decoded.source());
    let mut text = TextPieces::whole(&octets, decoded, seen);
    Opened {
        how,
        source,
        confidence: None,
        is_ascii: Some(octets.is_ascii()),
        is_octets: Some(text.piece().as_bytes() == &*octets),
        text,
    }
}

/// Whether a text is the octets it was read from.
struct Same<'b> {
    octets: Pieces<'b>,
    /// Those of a piece that are still to be compared.
    rest: Vec<u8>,
    so_far: bool,
}

impl<'b> Same<'b> {
    fn new(body: &'b [u8], encoding: TransferEncoding) -> Self {
        Same {
            octets: Pieces::new(body, encoding),
            rest: Vec::new(),
            so_far: true,
        }
    }

    fn compare(&mut self, mut text: &[u8]) {
        while self.so_far && !text.is_empty() {
            if self.rest.is_empty() {
                match self.octets.next() {
                    Some(piece) => self.rest.extend_from_slice(piece),
                    None => self.so_far = false,
                }
            }
            let length = self.rest.len().min(text.len());
            let (now, behind) = text.split_at(length);
            self.so_far &= self.rest.starts_with(now);
            self.rest.drain(..length);
            text = behind;
        }
    }

    fn finish(mut self) -> bool {
        while self.so_far && self.rest.is_empty() {
            match self.octets.next() {
                Some(piece) => self.rest.extend_from_slice(piece),
                None => return true,
            }
        }
        false
    }
}
