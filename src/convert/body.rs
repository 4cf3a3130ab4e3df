//! The body of a text part, and what its header has to say of it afterwards.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::{Arc, LazyLock};

use memchr::memmem::{self, Finder};
use memchr::{memchr, memchr_iter, memrchr};

use super::{Draft, Options, Reading};
use crate::charset::{self, Charset, Decoded, Matched};
use crate::decode;
use crate::label::Label;
use crate::message::Part;
use crate::report::{Kind, Report, Source};
use crate::transfer::{self, TransferEncoding};

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
    pub(super) octets: Vec<u8>,
    pub(super) reading: Reading,
}

/// The longest line of 8bit data, without its line end (RFC 2045, section 2.8).
const LONGEST_LINE: usize = 998;

/// What a part needs to be in UTF-8; `None` where it is, where it is not for us to touch, or
/// where it stays as it is for a reason that `draft` reports.
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
        octets: body,
        reading: reading(report),
    });
    Some(Plan {
        body,
        encoding: (new_encoding != encoding).then_some(new_encoding),
        conflict,
        reading: reading(Report::new()),
    })
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
    let says_order = matches!(
        decoded.charset().name(),
        "UTF-16" | "UTF-32" | "ISO-10646-UCS-2" | "ISO-10646-UCS-4"
    );
    if says_order && let Some(rest) = decoded.text.strip_prefix('\u{FEFF}') {
        decoded.text = Cow::Owned(rest.to_owned());
    }
    decoded
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
        && (begins_line(&text, "--") || (line_end == "\r" && text.contains('\n')));
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

fn begins_line(text: &str, start: &str) -> bool {
    memmem::find_iter(text.as_bytes(), start).any(|at| {
        let before = at.checked_sub(1).and_then(|at| text.as_bytes().get(at));
        matches!(before, None | Some(b'\r' | b'\n'))
    })
}

/// Whether a line is longer than [`LONGEST_LINE`], its line end aside. The lines of most text
/// are short, and the last end of one in so many octets is found without looking at the others.
fn has_long_line(octets: &[u8]) -> bool {
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
            assert!(begins_line(text, "--"), "{text:?}");
        }
        for text in ["", "-", "a--", " --", "-\n-", "-\r\n-a--"] {
            assert!(!begins_line(text, "--"), "{text:?}");
        }
    }
}
