//! Octets of one kind, reported in one finding per body.

use std::ops::Range;

use super::between;
use crate::charset::count_of;
use crate::report::{Kind, Report};

/// The range and number of the octets of one kind in a body.
#[derive(Debug, Default)]
pub(super) struct Extent {
    range: Range<usize>,
    count: usize,
}

impl Extent {
    /// Adds the octets of this kind in the next piece of the body, which begins at `offset`.
    pub(super) fn add(&mut self, kind: Kind, piece: &[u8], offset: usize) {
        let matches_kind: fn(u8) -> bool = match kind {
            Kind::Control => is_control,
            _ => |octet| !octet.is_ascii(),
        };
        if kind == Kind::EightBitData && piece.is_ascii() {
            return;
        }
        let first = piece.iter().position(|&octet| matches_kind(octet));
        let last = piece.iter().rposition(|&octet| matches_kind(octet));
        let (Some(first), Some(last)) = (first, last) else {
            return;
        };
        let all = between(piece, first, last + 1);
        if self.count == 0 {
            self.range.start = offset + first;
        }
        self.range.end = offset + last + 1;
        self.count += match kind {
            Kind::Control => count_of(all, is_control),
            _ => count_of(all, |octet| !octet.is_ascii()),
        };
    }

    pub(super) fn report(self, kind: Kind, report: &mut Report) {
        let what = match kind {
            Kind::Control => "control characters",
            _ => "octets above 7F",
        };
        if self.count > 0 {
            let detail = format!("{what}: {}", self.count);
            report.add(kind, self.range.start, self.range.len(), detail);
        }
    }
}

fn is_control(octet: u8) -> bool {
    octet.is_ascii_control() && !matches!(octet, b'\t' | b'\r' | b'\n')
}
