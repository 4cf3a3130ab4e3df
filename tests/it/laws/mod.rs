//! Laws for any input, written once: `tests/it/properties.rs` checks them for random cases,
//! `tests/fuzz/` for a fuzzer's inputs.
//!
//! A law takes octets. The first octets make its choices (a charset, an option, where to split),
//! and the rest are the input; any octets are a case.

use mime_charset::{Charset, Finding, Kind, Report, Within};

mod charset;
mod decode;
mod header;
mod message;
mod reading;
mod transfer;
mod uuencode;

pub use charset::{charset, encoding_rs, label, utf8};
pub use decode::{decide, detect};
pub use header::{addresses, content_type, date, encode, field, identifiers};
#[cfg(feature = "mailparse")]
pub use message::mailparse;
pub use message::{convert, message};
pub use reading::reading;
pub use transfer::transfer;
pub use uuencode::{uuencode, uuencoded_lines};

/// The maximum length of the text of `octets` octets.
///
/// A replacement character is three octets, as is the longest character of one octet. A pair of
/// Big5 is at most two characters, and an accented letter at most three octets and a mark. An octet
/// of TSCII is at most four letters, and a pair of ISCII at most three.
fn most_text(charset: Charset, octets: usize) -> usize {
    let most = match charset.name() {
        "TSCII" => 12,
        name if name.starts_with("x-iscii") => 5,
        _ => 4,
    };
    most * octets + 4
}

/// Choices made by the first octets.
struct Choices<'a>(&'a [u8]);

impl<'a> Choices<'a> {
    fn new(octets: &'a [u8]) -> Self {
        Choices(octets)
    }

    /// The next octet; 0 after the last.
    fn octet(&mut self) -> u8 {
        let Some((&first, rest)) = self.0.split_first() else {
            return 0;
        };
        self.0 = rest;
        first
    }

    fn is(&mut self) -> bool {
        self.octet() & 1 == 1
    }

    fn number(&mut self) -> usize {
        usize::from(self.octet()) << 8 | usize::from(self.octet())
    }

    fn of<T: Copy>(&mut self, among: &[T]) -> T {
        among[self.number() % among.len()]
    }

    fn rest(self) -> &'a [u8] {
        self.0
    }
}

/// Pseudo-random numbers from a seed.
struct Drawn(u64);

impl Drawn {
    /// A number below `limit`, which is not 0 (Knuth's MMIX generator).
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % limit
    }
}

/// Checks that findings are in range: of the `source` octets, or of the `octets` after transfer
/// decoding. Those of malformed characters must be in order.
#[track_caller]
fn assert_in_range(report: &Report, source: usize, octets: usize) {
    let mut reached = 0;
    for finding in report.findings() {
        let length = match finding.within() {
            Within::Source => source,
            _ => octets,
        };
        let end = finding.offset() + finding.length();
        assert!(end <= length, "{finding:?} beyond {length}");
        if finding.kind() == Kind::Malformed && finding.within() == Within::Octets {
            assert!(finding.offset() >= reached, "{finding:?} before {reached}");
            reached = finding.offset();
        }
    }
}

/// Checks that no octet is malformed twice.
fn assert_no_overlap(report: &Report) {
    let mut reached = 0;
    let is_malformed = |finding: &&Finding| finding.kind() == Kind::Malformed;
    for finding in report.findings().iter().filter(is_malformed) {
        assert!(finding.offset() >= reached, "{finding:?} before {reached}");
        reached = finding.offset() + finding.length();
    }
}
