//! The body of a text part, and what its header has to say of it afterwards.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::{Arc, LazyLock};

use memchr::memmem::{self, Finder};
use memchr::{memchr, memchr_iter, memrchr};

use super::pieces::{self, How, Measure, Text};
use super::{Draft, Options, Reading};
use crate::charset::{self, Charset, Decoded, Matched};
use crate::decode;
use crate::label::Label;
use crate::message::Part;
use crate::report::{Kind, Report, Source};
use crate::transfer::{self, Base64Writer, Pieces, QuotedPrintableWriter, TransferEncoding};

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
    encoding: TransferEncoding,
    /// Whether LF becomes CRLF.
    is_canonical: bool,
    line_end: &'static str,
    /// What stands behind the last line of base64.
    tail: &'static str,
    /// How many octets they are.
    pub(super) length: usize,
}

/// A body of more octets is read a piece at a time, twice: its text and what stands for it would
/// take more memory than it has.
pub(super) const LARGE: usize = 256 << 10;

/// The longest line of 8bit data, without its line end (RFC 2045, section 2.8).
pub(super) const LONGEST_LINE: usize = 998;

/// What a part needs to be in UTF-8; `None` where it is, where it is not for us to touch, or
/// where it stays as it is for a reason that `draft` reports.
#[expect(
    clippy::too_many_lines,
    reason = "one question after the other, in the order in which they are reported"
)]
pub(super) fn plan(part: Part<'_>, options: &Options, draft: &mut Draft) -> Option<Plan> {
    let range = part.body_range()?;
    if !part.is_text() {
        return None;
    }
    let content_type = part.content_type();
    // RTF names its charset in its own control words, which the octets have to match.
    if content_type.media_type() == "text/rtf" || (!options.attachments && is_attachment(part)) {
        return None;
    }
    let label = content_type.charset();
    if let Some(charset) = labelled_utf_8(part, label, options) {
        draft.charsets.push(charset);
        return None;
    }
    if draft.is_large(part.body().len()) {
        return plan_in_pieces(part, range, options, draft);
    }
    let encoding = part.transfer_encoding();
    let (octets, transfer_report) = part.octets().into_parts();
    let skips = transfer_report.has(Kind::Base64Skipped);
    let mut decoded = without_order(part.text_of(
        &octets,
        transfer_report,
        &content_type,
        &options.reading,
        None,
    ));
    let (charset, source) = (decoded.charset(), decoded.source());
    draft.charsets.push(charset);
    if is_utf_8(charset) && (octets.is_ascii() || label.is_some_and(names_utf_8)) {
        return None;
    }
    let reading = |report: Report| Reading {
        label: label.map(|label| Arc::new(label.clone().into_owned())),
        charset,
        source,
        report: Reading::report_of(report),
    };
    if encoding == TransferEncoding::Unknown {
        draft.leave(&range, "an unknown transfer encoding");
        return None;
    }
    if has_openpgp(&octets) {
        let detail = "a block of OpenPGP, left as it is";
        draft
            .report
            .add(Kind::SignedContent, range.start, range.len(), detail);
        return None;
    }
    if matches!(source, Source::Detected | Source::Default) && !octets.is_ascii() {
        decoded = match relied_on(part, decoded, options) {
            Ok(decoded) => decoded,
            Err(confidence) => {
                let detail = format!("{charset}, {confidence}%, is only a guess");
                draft.leave(&range, detail);
                return None;
            }
        };
    }
    if skips {
        draft.leave(&range, "octets among the base64 that are not base64");
        return None;
    }
    if !draft.allows_loss(&range, decoded.report(), options) {
        return None;
    }
    let report = decoded.report().clone();
    if charset == Charset::UTF_8 && report.replacements() == 0 {
        // Only the label is missing or wrong.
        let raw = encoding == TransferEncoding::SevenBit && !part.body().is_ascii();
        return Some(Plan {
            body: None,
            encoding: raw.then_some(TransferEncoding::EightBit),
            conflict: None,
            reading: reading(report),
        });
    }
    let mut text = decoded.into_text().into_owned();
    let conflict = find_or_fix_declaration(&mut text, content_type.media_type(), options);
    let (body, new_encoding) = if text.as_bytes() == &*octets {
        (part.body().to_vec(), encoding)
    } else {
        encoded(part, text, &octets, charset, encoding)
    };
    let may_be_header = match new_encoding {
        TransferEncoding::Base64 => false,
        TransferEncoding::QuotedPrintable => true,
        _ => !charset.is_ascii_superset(),
    };
    if body != part.body() && may_be_header && !part.has_blank_line() {
        draft.leave(&range, "text that no blank line parts from the header");
        return None;
    }
    let body = (body != part.body()).then(|| Body {
        range,
        octets: Written::Made(body),
        reading: reading(report),
    });
    Some(Plan {
        body,
        encoding: (new_encoding != encoding).then_some(new_encoding),
        conflict,
        reading: reading(Report::new()),
    })
}

/// [`plan`] of a large body, whose text is never there as a whole.
#[expect(
    clippy::too_many_lines,
    reason = "one question after the other, in the order in which they are reported"
)]
fn plan_in_pieces(
    part: Part<'_>,
    range: Range<usize>,
    options: &Options,
    draft: &mut Draft,
) -> Option<Plan> {
    let content_type = part.content_type();
    let label = content_type.charset();
    let body = part.body();
    let encoding = part.transfer_encoding();
    let decision = part.decide(&options.reading);
    let source = decision.source();
    let mut how = pieces::how(part, decision.charset(), options);
    how.fixed = options
        .fix_declarations
        .then(|| content_type.media_type().to_owned());
    let mut text = Text::new(body, how.clone());
    let conflict = match how.fixed {
        Some(_) => None,
        None => contradiction(text.piece(), content_type.media_type()).map(|(_, label)| label),
    };
    let mut measure = Measure::default();
    let mut octets = Same::new(body, encoding);
    loop {
        let piece = text.piece();
        if piece.is_empty() {
            break;
        }
        measure.look(piece);
        octets.compare(piece.as_bytes());
        let length = piece.len();
        text.take(length);
    }
    let is_same = octets.finish();
    let mut known = text.finish();
    let charset = known.charset;
    draft.charsets.push(charset);
    if is_utf_8(charset) && (!known.octets.is_not_ascii || label.is_some_and(names_utf_8)) {
        return None;
    }
    let reading = |report: Report| Reading {
        label: label.map(|label| Arc::new(label.clone().into_owned())),
        charset,
        source,
        report: Reading::report_of(report),
    };
    if encoding == TransferEncoding::Unknown {
        draft.leave(&range, "an unknown transfer encoding");
        return None;
    }
    if known.octets.has_openpgp {
        let detail = "a block of OpenPGP, left as it is";
        draft
            .report
            .add(Kind::SignedContent, range.start, range.len(), detail);
        return None;
    }
    let confidence = decision.confidence();
    if matches!(source, Source::Detected | Source::Default)
        && known.octets.is_not_ascii
        && !options.relies_on(source, confidence)
    {
        let detail = format!("{charset}, {confidence}%, is only a guess");
        draft.leave(&range, detail);
        return None;
    }
    if known.transfer.has(Kind::Base64Skipped) {
        draft.leave(&range, "octets among the base64 that are not base64");
        return None;
    }
    let mut report = Report::new();
    report.absorb(part.octets().into_parts().1, range.start);
    report.absorb(decision.report().clone(), 0);
    report.absorb(known.report, 0);
    if !draft.allows_loss(&range, &report, options) {
        return None;
    }
    if charset == Charset::UTF_8 && report.replacements() == 0 {
        // Only the label is missing or wrong.
        let raw = encoding == TransferEncoding::SevenBit && !body.is_ascii();
        return Some(Plan {
            body: None,
            encoding: raw.then_some(TransferEncoding::EightBit),
            conflict: None,
            reading: reading(report),
        });
    }
    if is_same {
        return Some(Plan {
            body: None,
            encoding: None,
            conflict,
            reading: reading(Report::new()),
        });
    }
    let has_long_line = known.octets.lines.have_long();
    let is_ascii = !known.octets.is_not_ascii;
    let later = Later::new(part, how, &mut measure, is_ascii, has_long_line);
    let may_be_header = match later.encoding {
        TransferEncoding::Base64 => false,
        TransferEncoding::QuotedPrintable => true,
        _ => !charset.is_ascii_superset(),
    };
    if may_be_header && !part.has_blank_line() {
        draft.leave(&range, "text that no blank line parts from the header");
        return None;
    }
    // To decide about it again takes all of its octets.
    let beside = match encoding {
        TransferEncoding::Base64 => body.len() / 4 * 3,
        TransferEncoding::QuotedPrintable => body.len(),
        _ => 0,
    };
    if !draft.has_room(&range, later.length + beside) {
        draft.leave(
            &range,
            "text that would become more than three times as long",
        );
        return None;
    }
    Some(Plan {
        encoding: (later.encoding != encoding).then_some(later.encoding),
        body: Some(Body {
            range,
            octets: Written::Later(later),
            reading: reading(report),
        }),
        conflict,
        reading: reading(Report::new()),
    })
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

impl Later {
    /// Under the transfer encoding of the part, or under the one that stays legal, as
    /// [`encoded`] chooses it.
    fn new(
        part: Part<'_>,
        how: How,
        text: &mut Measure,
        is_ascii: bool,
        has_long_line: bool,
    ) -> Self {
        let body = part.body();
        let line_end = part.line_end(body);
        let old = how.encoding;
        let charset = how.charset;
        let ends_line = body.ends_with(line_end.as_bytes());
        let mut later = Later {
            how,
            encoding: old,
            is_canonical: false,
            line_end,
            tail: if ends_line { line_end } else { "" },
            length: text.length,
        };
        let quoted_printable = |mut later: Later| {
            later.encoding = TransferEncoding::QuotedPrintable;
            later.is_canonical = false;
            later.length = 0;
            let mut length = 0;
            later.write(body, &mut |octets| length += octets.len());
            later.length = length;
            later
        };
        let tail = later.tail.len();
        let base64_length = |length: usize| {
            let tail = if length > 0 { tail } else { 0 };
            transfer::base64_length(length, line_end) + tail
        };
        match old {
            TransferEncoding::Base64 => {
                later.length = base64_length(text.length);
                return later;
            }
            TransferEncoding::QuotedPrintable => return quoted_printable(later),
            _ => {}
        }
        let may_be_cut = !charset.is_ascii_superset()
            && (text.has_hyphens || (line_end == "\r" && text.line_feeds > 0));
        let too_long = old != TransferEncoding::Binary && text.lines.have_long() && !has_long_line;
        let needs_8bit = old == TransferEncoding::SevenBit && is_ascii;
        if !(may_be_cut || too_long || (needs_8bit && text.above > 0)) {
            if old == TransferEncoding::SevenBit && text.above > 0 {
                later.encoding = TransferEncoding::EightBit;
            }
            return later;
        }
        later.is_canonical = match line_end {
            "\r\n" => false,
            "\n" if !text.has_cr => true,
            _ => return quoted_printable(later),
        };
        let line_feeds = if later.is_canonical {
            text.line_feeds
        } else {
            0
        };
        let length = base64_length(text.length + line_feeds);
        let least_quoted = text.length + 2 * text.above;
        later.encoding = TransferEncoding::Base64;
        later.length = length;
        if least_quoted > length {
            return later;
        }
        let other = quoted_printable(Later {
            how: later.how.clone(),
            ..later
        });
        if other.length <= length { other } else { later }
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

/// Text in a charset that was guessed, or how sure that is where it is not enough.
fn relied_on<'t>(part: Part<'_>, text: Decoded<'t>, options: &Options) -> Result<Decoded<'t>, u8> {
    let source = text.source();
    // Where guesses are left alone nobody needs the text, and guessing takes memory too.
    let text = options.guessed.is_some().then_some(text);
    let confidence = part.decide(&options.reading).confidence();
    text.filter(|_| options.relies_on(source, confidence))
        .ok_or(confidence)
}

pub(super) fn is_attachment(part: Part<'_>) -> bool {
    part.content_disposition()
        .is_some_and(|disposition| disposition.disposition() != "inline")
}

/// The text of a part, a byte order mark included where it is a character: at the start of
/// UTF-16 and UTF-32 without a fixed order it only says which order that is (RFC 2781,
/// section 3.2), and means nothing any more.
pub(super) fn text<'m>(part: Part<'m>, options: &Options) -> Decoded<'m> {
    without_order(part.text_with(&options.reading))
}

fn without_order(mut decoded: Decoded<'_>) -> Decoded<'_> {
    if says_order(decoded.charset())
        && let Some(rest) = decoded.text.strip_prefix('\u{FEFF}')
    {
        decoded.text = Cow::Owned(rest.to_owned());
    }
    decoded
}

/// Whether a byte order mark at the start of a text in this charset is no character.
pub(super) fn says_order(charset: Charset) -> bool {
    matches!(
        charset.name(),
        "UTF-16" | "UTF-32" | "ISO-10646-UCS-2" | "ISO-10646-UCS-4"
    )
}

/// The charset of a part that is in UTF-8 as its label says by the letter: nothing of it has to
/// change, whatever its text is.
fn labelled_utf_8(part: Part<'_>, label: Option<&Label<'_>>, options: &Options) -> Option<Charset> {
    label.filter(|label| names_utf_8(label))?;
    let (charset, _) = part.charset(&options.reading);
    is_utf_8(charset).then_some(charset)
}

fn is_utf_8(charset: Charset) -> bool {
    charset == Charset::UTF_8 || charset == Charset::US_ASCII
}

/// Whether a label names UTF-8 exactly. One that only resembles it is no use to programs
/// that take labels by the letter.
pub(super) fn names_utf_8(label: &Label<'_>) -> bool {
    let resolved = charset::resolve(label);
    resolved.charset() == Some(Charset::UTF_8) && resolved.matched() == Matched::Exact
}

/// Whether a line opens a block of `OpenPGP` (RFC 9580, section 6.2.1), whose armour or
/// signature a change would break, and whose `Charset:` speaks of what is inside.
pub(super) fn has_openpgp(octets: &[u8]) -> bool {
    static OPENING: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("-----BEGIN PGP "));
    OPENING.find_iter(octets).any(|at| {
        let before = at.checked_sub(1).and_then(|before| octets.get(before));
        let rest = octets
            .get(at + OPENING.needle().len()..)
            .unwrap_or_default();
        matches!(before, None | Some(b'\n' | b'\r'))
            && ["SIGNED MESSAGE-----", "MESSAGE-----", "MESSAGE, PART "]
                .iter()
                .any(|kind| rest.starts_with(kind.as_bytes()))
    })
}

/// Looks for a declaration in the document that names another charset than UTF-8, and gives it
/// where it stays.
fn find_or_fix_declaration(
    text: &mut String,
    media_type: &str,
    options: &Options,
) -> Option<Label<'static>> {
    if options.fix_declarations {
        fix_declaration(text, media_type);
        return None;
    }
    contradiction(text, media_type).map(|(_, label)| label)
}

/// Makes a document that names its charset name UTF-8.
pub(super) fn fix_declaration(text: &mut String, media_type: &str) {
    if let Some((place, _)) = contradiction(text, media_type)
        && text.is_char_boundary(place.start)
        && text.is_char_boundary(place.end)
    {
        text.replace_range(place, "UTF-8");
    }
}

fn contradiction(text: &str, media_type: &str) -> Option<(Range<usize>, Label<'static>)> {
    let (place, label) = decode::declaration(text.as_bytes(), media_type)?;
    let written = text.as_bytes().get(place.clone())?;
    // What a declaration in octets of ASCII says of UTF-16 means UTF-8, but is not it.
    let is_utf_8 = charset::resolve(&Label::new(written.trim_ascii())).charset();
    (is_utf_8 != Some(Charset::UTF_8)).then_some((place, label))
}

/// The text under the transfer encoding of the part, or under the one that stays legal.
fn encoded(
    part: Part<'_>,
    text: String,
    octets: &[u8],
    charset: Charset,
    encoding: TransferEncoding,
) -> (Vec<u8>, TransferEncoding) {
    let body = part.body();
    let line_end = part.line_end(body);
    let tail = if body.ends_with(line_end.as_bytes()) {
        line_end
    } else {
        ""
    };
    let base64 = |octets: &[u8]| {
        let mut encoded = transfer::encode_base64(octets, line_end);
        if !encoded.is_empty() {
            encoded.extend_from_slice(tail.as_bytes());
        }
        (encoded, TransferEncoding::Base64)
    };
    let quoted_printable = || {
        let encoded = transfer::encode_quoted_printable(&text, line_end);
        (encoded, TransferEncoding::QuotedPrintable)
    };
    // Three octets for each above 7F, and no octet for none.
    let least_quoted = || {
        let above = text.bytes().filter(|octet| !octet.is_ascii()).count();
        text.len() + 2 * above
    };
    match encoding {
        TransferEncoding::Base64 => return base64(text.as_bytes()),
        TransferEncoding::QuotedPrintable => return quoted_printable(),
        _ => {}
    }
    // A line that only now begins with two hyphens could be a delimiter, and the first LF of
    // a message whose lines end in CR makes other lines of all of it.
    let may_be_cut = !charset.is_ascii_superset()
        && (begins_line(text.as_bytes(), "--") || (line_end == "\r" && text.contains('\n')));
    let too_long = encoding != TransferEncoding::Binary
        && has_long_line(text.as_bytes())
        && !has_long_line(octets);
    let needs_8bit = encoding == TransferEncoding::SevenBit && octets.is_ascii();
    if !(may_be_cut || too_long || (needs_8bit && !text.is_ascii())) {
        let raw = encoding == TransferEncoding::SevenBit && !text.is_ascii();
        let encoding = if raw {
            TransferEncoding::EightBit
        } else {
            encoding
        };
        return (text.into_bytes(), encoding);
    }
    // Under base64 lines end in CRLF (RFC 2045, section 6.8). Text with line ends of several
    // kinds cannot be told so, and goes where they can stay.
    let canonical = match line_end {
        "\r\n" => Some(Cow::Borrowed(&*text)),
        "\n" if memchr(b'\r', text.as_bytes()).is_none() => Some(Cow::Owned(with_crlf(&text))),
        _ => None,
    };
    let Some(canonical) = canonical else {
        return quoted_printable();
    };
    let base64 = base64(canonical.as_bytes());
    if least_quoted() > base64.0.len() {
        return base64;
    }
    let quoted_printable = quoted_printable();
    if quoted_printable.0.len() <= base64.0.len() {
        quoted_printable
    } else {
        base64
    }
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
