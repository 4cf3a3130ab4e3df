//! A body decoded a piece at a time, for bodies whose octets would take too much memory at once.

use memchr::{memchr, memrchr};

use super::quoted_printable::equals_sign;
use super::{DEPARTURES, Findings, Kind, Report, TransferEncoding, Transferred};
use super::{base64, is_blank, quoted_printable};
use crate::work::work;

/// The octets of a body in pieces.
///
/// ```text
/// "=E2=82=" + "AC"   a piece never ends inside an escape or a group
/// ```
pub(crate) struct Pieces<'b> {
    body: &'b [u8],
    encoding: TransferEncoding,
    at: usize,
    /// Up to where blanks are known not to end a line.
    literal: usize,
    octets: Vec<u8>,
    found: Found,
}

/// What departs from the encoding.
#[derive(Default)]
struct Found {
    findings: Findings,
    /// Whether an equals sign has ended a group.
    is_padded: bool,
    /// Whether base64 is not all whole groups in whole lines.
    is_odd: bool,
}

/// About how many octets a piece has.
const LENGTH: usize = 64 << 10;

/// How many octets of a body are undone at once: letters of base64 for a piece.
const AT_ONCE: usize = LENGTH / 3 * 4;

impl<'b> Pieces<'b> {
    pub(crate) fn new(body: &'b [u8], encoding: TransferEncoding) -> Self {
        Pieces {
            body,
            encoding,
            at: 0,
            literal: 0,
            octets: Vec::new(),
            found: Found::default(),
        }
    }

    /// The next piece; `None` behind the last.
    pub(crate) fn next(&mut self) -> Option<&[u8]> {
        if self.at >= self.body.len() {
            return None;
        }
        let start = self.at;
        self.octets.clear();
        match self.encoding {
            TransferEncoding::Base64 => {
                if !self.lines() {
                    self.base64();
                }
            }
            TransferEncoding::QuotedPrintable => {
                if !self.lines() {
                    self.quoted_printable();
                }
            }
            _ => {
                self.at = self.body.len().min(start + LENGTH);
                work(self.at - start);
                return self.body.get(start..self.at);
            }
        }
        work(self.at - start);
        Some(&self.octets)
    }

    /// What was found so far, of each kind that [`decode`](super::decode) finds at least one;
    /// but for octets and lines that stay as they are.
    pub(crate) fn into_report(self) -> Report {
        self.found.findings.into_report()
    }

    /// Whole lines, or all that is left: what is undone of them does not depend on what is around
    /// them, but for base64 that does not keep to groups. Whether there were any.
    fn lines(&mut self) -> bool {
        let rest = self.body.get(self.at..).unwrap_or_default();
        let end = if rest.len() <= AT_ONCE {
            Some(rest.len())
        } else {
            let window = rest.get(..AT_ONCE).unwrap_or_default();
            memrchr(b'\n', window).map(|at| at + 1)
        };
        let Some(lines) = end.and_then(|end| rest.get(..end)) else {
            return false;
        };
        let decoded = if self.encoding == TransferEncoding::Base64 {
            let is_last = lines.len() == rest.len();
            let decoded = (!self.found.is_padded && !self.found.is_odd)
                .then(|| base64(lines))
                .filter(|decoded| is_last || is_in_groups(lines, decoded));
            let Some(decoded) = decoded else {
                self.found.is_odd = true;
                return false;
            };
            decoded
        } else {
            quoted_printable(lines)
        };
        for kind in DEPARTURES {
            if decoded.report().has(kind) {
                self.found.add(kind, self.at, "");
            }
        }
        self.at += lines.len();
        self.octets = decoded.into_octets().into_owned();
        true
    }

    /// Whole groups of letters. What stands among them is no part of any, and the padding
    /// behind a group begins another.
    fn base64(&mut self) {
        let mut letters = Vec::with_capacity(LENGTH + 4);
        let mut in_group = 0;
        let start = self.at;
        while let Some(&octet) = self.body.get(self.at) {
            let is_enough = letters.len() >= LENGTH && !letters.ends_with(b"=")
                || letters.len() >= 2 * LENGTH
                || self.at - start >= 16 * LENGTH;
            if is_enough && in_group == 0 {
                break;
            }
            self.at += 1;
            match octet {
                b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'+' | b'/' => {
                    if self.found.is_padded {
                        let detail = "data behind the padding";
                        self.found.add(Kind::Base64AfterPadding, self.at, detail);
                    }
                    letters.push(octet);
                    in_group = (in_group + 1) % 4;
                }
                b'=' => {
                    self.found.is_padded |= in_group > 1;
                    letters.push(octet);
                    in_group = 0;
                }
                b' ' | b'\t' | b'\r' | b'\n' => {}
                _ => {
                    let detail = "octets that are not base64";
                    self.found.add(Kind::Base64Skipped, self.at, detail);
                }
            }
        }
        let decoded = base64(&letters);
        for finding in decoded.report().findings() {
            if matches!(finding.kind(), Kind::Base64Padding | Kind::Base64Truncated) {
                self.found.add(finding.kind(), self.at, "");
            }
        }
        self.octets = decoded.into_octets().into_owned();
    }

    fn quoted_printable(&mut self) {
        while self.octets.len() < LENGTH
            && let Some(&octet) = self.body.get(self.at)
        {
            if octet == b'=' {
                let findings = &mut self.found.findings;
                let (octet, next) = equals_sign(self.body, self.at, findings);
                self.octets.extend(octet);
                self.at = next;
            } else if is_blank(octet) && self.at >= self.literal {
                let rest = self.body.get(self.at..).unwrap_or_default();
                let length = rest.iter().take_while(|octet| is_blank(**octet)).count();
                let end = self.at + length;
                if let None | Some(b'\r' | b'\n') = rest.get(length) {
                    self.found.findings.blanks(self.at..end);
                    self.at = end;
                } else {
                    self.literal = end;
                }
            } else {
                self.octets.push(octet);
                self.at += 1;
            }
        }
    }
}

/// Whether lines of base64 are whole groups of letters and nothing else.
fn is_in_groups(lines: &[u8], decoded: &Transferred<'_>) -> bool {
    let is_odd = |kind: &Kind| decoded.report().has(*kind);
    decoded.octets().len().is_multiple_of(3)
        && memchr(b'=', lines).is_none()
        && !DEPARTURES.iter().any(is_odd)
}

impl Found {
    fn add(&mut self, kind: Kind, at: usize, detail: &'static str) {
        if !self.findings.report.has(kind) {
            self.findings.report.add(kind, at, 1, detail);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::{DEPARTURES, TransferEncoding, decode};
    use super::{LENGTH, Pieces};

    /// The octets, and which of these kinds are found, are those of the whole.
    #[track_caller]
    fn check(body: &[u8], encoding: TransferEncoding) {
        let mut pieces = Pieces::new(body, encoding);
        let mut octets = Vec::new();
        while let Some(piece) = pieces.next() {
            assert!(piece.len() <= 2 * LENGTH);
            octets.extend_from_slice(piece);
        }
        let whole = decode(body, encoding);
        let name = String::from_utf8_lossy(body.get(..90).unwrap_or(body));
        assert!(octets == whole.octets(), "{encoding} {name:?}");
        let report = pieces.into_report();
        for kind in DEPARTURES {
            let (found, expected) = (report.has(kind), whole.report().has(kind));
            assert_eq!(found, expected, "{kind} {encoding} {name:?}");
        }
    }

    /// Long enough for several pieces, whose ends come at every place of the pattern.
    #[test]
    fn pieces_are_the_whole() {
        let patterns: [&[u8]; 26] = [
            b"TWFu",
            b"TWFu\r\n",
            b"TWF u\n",
            b"TWFuT",
            b"TQ==",
            b"TWE=TQ==\r\n",
            b"=",
            b"\n",
            b"!TWFu",
            b"TWFuTWFuTWFuTWFuTWFuTWFuTWFuTWFuTWFuTWFuTWFuTWFuTWFuTWFuTWFuTWFuTWFuTWFuTWFu\r\n",
            b"=E9",
            b"=e9a",
            b"=\n",
            b"a=\r\n",
            b"= ",
            b"= \n",
            b" ",
            b" \t\n",
            b"a \r\n",
            b"a  b",
            b"=X",
            b"==41",
            b"caf=C3=A9 au lait\r\n",
            b"\r",
            b"\xE9=\r",
            b"=4",
        ];
        for pattern in patterns {
            for encoding in [TransferEncoding::Base64, TransferEncoding::QuotedPrintable] {
                check(pattern, encoding);
                for cut in 0..pattern.len().min(5) {
                    let mut body = pattern.repeat(5 * LENGTH / 2 / pattern.len());
                    body.drain(..cut);
                    check(&body, encoding);
                }
            }
        }
    }

    fn tokens() -> impl Strategy<Value = Vec<&'static str>> {
        let all = [
            "TWFu", "TQ==", "T", "=", " ", "\r\n", "\n", "!", "=E9", "x", "=\r\n",
        ];
        prop::collection::vec(prop::sample::select(all.to_vec()), 0..60)
    }

    fn check_all(body: &[u8]) {
        check(body, TransferEncoding::Base64);
        check(body, TransferEncoding::QuotedPrintable);
        check(body, TransferEncoding::EightBit);
    }

    proptest! {
        #[test]
        fn any_body(tokens in tokens()) {
            check_all(tokens.concat().as_bytes());
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]

        /// What is drawn stands where pieces end.
        #[test]
        fn any_body_of_several_pieces(tokens in tokens(), before in 0..40_usize) {
            let drawn = tokens.concat();
            let filler = |groups: usize| "TWFu".repeat(groups);
            let ends = [filler(LENGTH / 4 - before), filler(LENGTH / 4)];
            let body = ends.map(|filler| filler + &drawn).concat();
            check_all(body.as_bytes());
        }
    }
}
