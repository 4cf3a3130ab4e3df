//! Reports unsafe characters in a field, with the offsets of their octets.

use crate::charset::has_any;
use crate::header;
use crate::report::{Kind, Report, Within};
use crate::work::work;

/// Whether octets are printable US-ASCII, blanks, tabs and line endings. In such text only the line
/// endings can have findings.
pub(super) fn is_printable(octets: &[u8]) -> bool {
    #[expect(
        clippy::needless_bitwise_bool,
        reason = "without branches, sixteen octets are tested at a time"
    )]
    let is_plain = |octet: u8| {
        (octet.wrapping_sub(b' ') <= b'~' - b' ')
            | (octet == b'\t')
            | (octet == b'\r')
            | (octet == b'\n')
    };
    work(octets.len());
    !has_any(octets, |octet| !is_plain(octet))
}

/// The octets as text, if they are printable ASCII, blanks and tabs without encoded words, `$B` and `$@`.
pub(super) fn plain_text(octets: &[u8]) -> Option<&str> {
    if header::text_length(octets) < octets.len() {
        return None;
    }
    std::str::from_utf8(octets).ok()
}

/// Adds findings about decoded octets, with the offset and length of the encoded text in the field.
pub(super) fn place_at(found: &Report, offset: usize, length: usize, report: &mut Report) {
    if found.worst().is_none() {
        return;
    }
    for finding in found {
        let counts_octets = finding.within() == Within::Octets && finding.length() > 0;
        if counts_octets && report.keeps(finding.kind()) {
            let detail = format!("octet {} of it: {}", finding.offset(), finding.detail());
            report.add(finding.kind(), offset, length, detail);
        } else {
            report.add_moved(finding, offset, length);
        }
    }
    report.absorb_counts(found);
}

/// Reports characters that can disguise a header; they stay in the text.
pub(super) fn flag_characters(text: &str, offset: usize, length: usize, report: &mut Report) {
    // Controls, bidirectional controls and noncharacters begin with one of these octets in
    // UTF-8.
    #[expect(
        clippy::needless_bitwise_bool,
        reason = "without branches, sixteen octets are tested at a time"
    )]
    let may_matter = |octet: u8| {
        (octet < b' ') & (octet != b'\t')
            | (octet == 0x7F)
            | (octet == 0xC2)
            | (octet == 0xD8)
            | (octet == 0xE2)
            | (octet >= 0xEF)
    };
    work(text.len());
    if !has_any(text.as_bytes(), may_matter) {
        return;
    }
    let kinds = [
        Kind::Nul,
        Kind::Control,
        Kind::BidiControl,
        Kind::Noncharacter,
    ];
    let mut found = kinds.map(|kind| (kind, None));
    for character in text.chars() {
        let Some(kind) = kind_of(character) else {
            continue;
        };
        if let Some((_, first)) = found.iter_mut().find(|(of, _)| *of == kind) {
            first.get_or_insert(character);
        }
    }
    for (kind, first) in found {
        if let Some(first) = first {
            let detail = format!("U+{:04X}", u32::from(first));
            report.add(kind, offset, length, detail);
        }
    }
}

/// The kind of finding for a character in a header, if any.
fn kind_of(character: char) -> Option<Kind> {
    match character {
        '\t' | ' '..='~' => None,
        '\0' => Some(Kind::Nul),
        '\u{200E}'
        | '\u{200F}'
        | '\u{061C}'
        | '\u{202A}'..='\u{202E}'
        | '\u{2066}'..='\u{2069}' => Some(Kind::BidiControl),
        _ if character.is_control() => Some(Kind::Control),
        _ if super::unneeded::is_noncharacter(character) => Some(Kind::Noncharacter),
        _ => None,
    }
}
