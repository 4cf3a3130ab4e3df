//! A body decoded a piece at a time, for bodies whose octets would take too much memory at once.

use memchr::memrchr;

use super::quoted_printable::{equals_sign, report_of_whole};
use super::{Base64Reader, Findings, Kind, Report, TransferEncoding};
use super::{is_blank, quoted_printable, report_all};
use crate::work::work;

/// The octets of a body in pieces.
///
/// ```text
/// "=E2=82=" + "AC"   a piece never ends inside an escape or a group
/// ```
pub(crate) struct Pieces<'b> {
    body: &'b [u8],
    at: usize,
    reader: Reader,
}

/// What undoes the encoding of a piece.
enum Reader {
    Base64(Base64Reader),
    QuotedPrintable(QuotedPrintable),
    Identity(TransferEncoding),
}

/// Quoted-printable decoded a piece at a time.
#[derive(Default)]
struct QuotedPrintable {
    octets: Vec<u8>,
    /// Up to where blanks are known not to end a line.
    literal: usize,
    findings: Findings,
    /// Whether something may be found that is one finding for all of a body.
    has_of_whole: bool,
}

/// What is one finding for all of a body under quoted-printable.
const OF_WHOLE: [Kind; 3] = [Kind::EightBitData, Kind::Control, Kind::LineLength];

/// About how many octets a piece has.
const LENGTH: usize = 64 << 10;

/// How many octets of quoted-printable are undone at once.
const AT_ONCE: usize = LENGTH / 3 * 4;

impl<'b> Pieces<'b> {
    pub(crate) fn new(body: &'b [u8], encoding: TransferEncoding) -> Self {
        Pieces {
            body,
            at: 0,
            reader: match encoding {
                TransferEncoding::Base64 => Reader::Base64(Base64Reader::new()),
                TransferEncoding::QuotedPrintable => {
                    Reader::QuotedPrintable(QuotedPrintable::default())
                }
                encoding => Reader::Identity(encoding),
            },
        }
    }

    /// The next piece; `None` behind the last.
    pub(crate) fn next(&mut self) -> Option<&[u8]> {
        if self.at >= self.body.len() {
            return None;
        }
        let start = self.at;
        let octets = match &mut self.reader {
            Reader::Base64(reader) => {
                self.at = reader.read(self.body, start, LENGTH);
                reader.octets()
            }
            Reader::QuotedPrintable(reader) => {
                self.at = reader.read(self.body, start);
                &reader.octets
            }
            Reader::Identity(_) => {
                self.at = self.body.len().min(start + LENGTH);
                self.body.get(start..self.at).unwrap_or_default()
            }
        };
        work(self.at - start);
        Some(octets)
    }

    /// What was found, once all pieces were read: what [`decode`](super::decode) finds.
    pub(crate) fn into_report(self) -> Report {
        let mut report = Report::new();
        match self.reader {
            Reader::Base64(reader) => return reader.into_report(),
            Reader::QuotedPrintable(reader) => {
                if reader.has_of_whole {
                    report = report_of_whole(self.body, false, true);
                }
                report.absorb(reader.findings.into_report(), 0);
            }
            Reader::Identity(TransferEncoding::SevenBit) => {
                report_all(&mut report, self.body, Kind::EightBitData);
            }
            Reader::Identity(_) => {}
        }
        report
    }
}

impl QuotedPrintable {
    /// Decodes a piece of `body` from `at` on; says where to go on.
    fn read(&mut self, body: &[u8], at: usize) -> usize {
        self.octets.clear();
        self.lines(body, at)
            .unwrap_or_else(|| self.one_by_one(body, at))
    }

    /// Whole lines, or all that is left: what is undone of them does not depend on what is around
    /// them. `None` where a line is too long.
    fn lines(&mut self, body: &[u8], at: usize) -> Option<usize> {
        let rest = body.get(at..).unwrap_or_default();
        let lines = if rest.len() <= AT_ONCE {
            rest
        } else {
            let window = rest.get(..AT_ONCE)?;
            window.get(..=memrchr(b'\n', window)?)?
        };
        let (octets, mut report) = quoted_printable(lines).into_parts();
        self.has_of_whole |= OF_WHOLE.iter().any(|kind| report.has(*kind));
        report.leave_out(&OF_WHOLE);
        self.findings.absorb(report, at);
        self.octets = octets.into_owned();
        Some(at + lines.len())
    }

    fn one_by_one(&mut self, body: &[u8], mut at: usize) -> usize {
        self.has_of_whole = true;
        while self.octets.len() < LENGTH
            && let Some(&octet) = body.get(at)
        {
            if octet == b'=' {
                let (octet, next) = equals_sign(body, at, &mut self.findings);
                self.octets.extend(octet);
                at = next;
            } else if is_blank(octet) && at >= self.literal {
                let rest = body.get(at..).unwrap_or_default();
                let length = rest.iter().take_while(|octet| is_blank(**octet)).count();
                let end = at + length;
                if let None | Some(b'\r' | b'\n') = rest.get(length) {
                    self.findings.blanks(at..end);
                    at = end;
                } else {
                    self.literal = end;
                }
            } else {
                self.octets.push(octet);
                at += 1;
            }
        }
        at
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::{Kind, Report, TransferEncoding, decode};
    use super::{LENGTH, Pieces};

    /// The octets and the findings are those of the whole.
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
        assert!(octets == whole.as_bytes(), "{encoding} {name:?}");
        let report = pieces.into_report();
        assert_eq!(found(&report), found(whole.report()), "{encoding} {name:?}");
    }

    /// What is found where. Findings that touch are one, where no piece ends between them; and of
    /// more than a report keeps, the kinds are known.
    fn found(report: &Report) -> Vec<(Kind, usize, usize)> {
        let mut found: Vec<(Kind, usize, usize)> = Vec::new();
        for finding in report.findings() {
            let (kind, start) = (finding.kind(), finding.offset());
            match found.last_mut() {
                Some((last, _, end)) if *last == kind && *end == start => *end += finding.length(),
                _ => found.push((kind, start, start + finding.length())),
            }
        }
        if report.omitted() > 0 {
            found.sort_by_key(|(kind, _, _)| kind.name());
            found.dedup_by_key(|(kind, _, _)| *kind);
            for (_, start, end) in &mut found {
                (*start, *end) = (0, 0);
            }
        }
        found
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
        check(body, TransferEncoding::SevenBit);
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
