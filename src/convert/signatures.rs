//! Reports header signatures and digests that a conversion breaks: DKIM, ARC, `DomainKeys` and
//! Content-MD5. Signed parts are kept.

use std::ops::Range;

use crate::message::Message;
use crate::prove::Change;
use crate::report::{Kind, Report};

/// Reports the signatures and digests that the changes break.
///
/// DKIM names the signed fields in `h=` and signs the whole body (RFC 6376, section 3.5). ARC does
/// the same (RFC 8617, section 4.1.2). `DomainKeys` without `h=` signs every later field (RFC 4870,
/// section 3.2). Content-MD5 is the digest of one body (RFC 1864).
pub(super) fn report_broken(message: &Message<'_>, changes: &[Change], report: &mut Report) {
    if changes.is_empty() {
        return;
    }
    let mut ranges: Vec<_> = changes.iter().map(|change| &change.before).collect();
    ranges.sort_by_key(|range| range.start);
    let has_changes = |within: &Range<usize>| {
        let first = ranges.partition_point(|range| range.start < within.start);
        ranges
            .get(first)
            .is_some_and(|range| range.start < within.end)
    };
    let mut entities = message.entities().peekable();
    let Some(top) = entities.peek().and_then(|top| top.header_range()) else {
        return;
    };
    let mut names: Vec<String> = changes
        .iter()
        .filter(|change| change.before.start < top.end)
        .filter_map(|change| Some(change.field()?.to_ascii_lowercase()))
        .collect();
    names.sort_unstable();
    names.dedup();
    for entity in entities {
        let Some(body) = entity.body_range() else {
            continue;
        };
        let is_top = entity.parent().is_none();
        for field in entity.fields() {
            let breaks = if is_top && is_signature(field.name()) {
                has_changes(&body) || signs_any(field.body(), &names)
            } else {
                field.name().eq_ignore_ascii_case(b"Content-MD5") && has_changes(&body)
            };
            if let Some(range) = field.range().filter(|_| breaks) {
                let name = String::from_utf8_lossy(field.name());
                let detail = format!("{name:.64} is no longer valid");
                report.add(Kind::SignedContent, range.start, range.len(), detail);
            }
        }
    }
}

fn is_signature(name: &[u8]) -> bool {
    const DKIM: &[u8] = b"DKIM-Signature";
    // X-Google-DKIM-Signature and similar fields too.
    let end = name.get(name.len().saturating_sub(DKIM.len())..);
    end.is_some_and(|end| end.eq_ignore_ascii_case(DKIM))
        || name.eq_ignore_ascii_case(b"ARC-Message-Signature")
        || name.eq_ignore_ascii_case(b"DomainKey-Signature")
}

/// Whether a signature covers one of the changed fields, whose names are sorted and in lower case.
/// A signature covers the fields in its `h=` tag. Without that tag it covers any field.
fn signs_any(signature: &[u8], changed: &[String]) -> bool {
    let signature = String::from_utf8_lossy(signature);
    let names = signature
        .split(';')
        .find_map(|tag| tag.trim().strip_prefix("h")?.trim_start().strip_prefix("="));
    match names {
        None => !changed.is_empty(),
        Some(names) => names.split(':').any(|name| {
            changed
                .binary_search(&name.trim().to_ascii_lowercase())
                .is_ok()
        }),
    }
}
