//! The notation of test data, and subjects that other programs encoded.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use mime_charset::Charset;
#[cfg(feature = "convert")]
use mime_charset::convert::{self, convert, verify};

/// Octets in hexadecimal digits, with or without white space between them.
pub(crate) fn hex(text: &str) -> Vec<u8> {
    let digits: String = text.split_whitespace().collect();
    (0..digits.len())
        .step_by(2)
        .map(|at| u8::from_str_radix(&digits[at..at + 2], 16).unwrap())
        .collect()
}

/// A scalar value in hexadecimal digits.
pub(crate) fn scalar(digits: &str) -> char {
    char::from_u32(u32::from_str_radix(digits, 16).unwrap()).unwrap()
}

#[track_caller]
pub(crate) fn charset(label: &str) -> Charset {
    Charset::for_label(label).unwrap_or_else(|| panic!("{label}"))
}

/// Base64 with padding (RFC 4648, section 4).
pub(crate) fn base64(octets: &[u8]) -> String {
    STANDARD.encode(octets)
}

/// Reproducible random numbers (Knuth's MMIX generator).
pub(crate) struct Draw(u64);

impl Draw {
    pub(crate) fn new(seed: u64) -> Self {
        // Similar seeds begin far apart.
        Draw(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15))
    }

    /// A number below `limit`, which is not 0.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % limit
    }

    pub(crate) fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }
}

/// A line of `corpus/detect/subjects.tsv`: octets written by another program, and their text.
pub(crate) struct Subject {
    #[cfg_attr(
        not(all(feature = "detect", feature = "legacy")),
        allow(dead_code, reason = "only tests of detection read it")
    )]
    pub(crate) language: String,
    pub(crate) charset: Charset,
    pub(crate) octets: Vec<u8>,
    pub(crate) text: String,
}

pub(crate) fn subjects() -> Vec<Subject> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/corpus/detect/subjects.tsv");
    let file = std::fs::read_to_string(path).unwrap();
    let lines = file.lines().filter(|line| !line.starts_with('#'));
    lines
        .map(|line| {
            let fields: Vec<_> = line.split('\t').collect();
            let [language, charset, octets, text] = fields[..] else {
                panic!("{line}")
            };
            Subject {
                language: language.to_owned(),
                charset: charset.parse().unwrap(),
                octets: hex(octets),
                text: text.to_owned(),
            }
        })
        .collect()
}

/// Converts and verifies; a second conversion must change nothing.
#[cfg(feature = "convert")]
#[track_caller]
pub(crate) fn convert_and_verify(source: &[u8]) -> Vec<u8> {
    let options = convert::Conversion::new();
    let converted = convert(source, &options);
    let verified = verify(source, converted.as_bytes(), &converted.changes, &options);
    assert!(verified.is_ok(), "{verified:?}\n{}", source.escape_ascii());
    let again = convert(converted.as_bytes(), &options);
    assert!(again.changes.is_empty(), "{}", source.escape_ascii());
    converted.as_bytes().to_vec()
}
