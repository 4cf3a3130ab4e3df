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
    /// Adds the octets of `piece` for which `is_one` is true. The piece begins at `offset`.
    pub(super) fn add(&mut self, piece: &[u8], offset: usize, is_one: impl Fn(u8) -> bool) {
        let first = piece.iter().position(|&octet| is_one(octet));
        let last = piece.iter().rposition(|&octet| is_one(octet));
        if let (Some(first), Some(last)) = (first, last) {
            if self.count == 0 {
                self.range.start = offset + first;
            }
            self.range.end = offset + last + 1;
            self.count += count_of(between(piece, first, last + 1), is_one);
        }
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

pub(super) fn is_control(octet: u8) -> bool {
    octet.is_ascii_control() && !matches!(octet, b'\t' | b'\r' | b'\n')
}

pub(super) fn is_eight_bit(octet: u8) -> bool {
    !octet.is_ascii()
}
