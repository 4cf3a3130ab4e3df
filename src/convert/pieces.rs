//! The text of a part a piece at a time: that of a large one, and what is put in its place,
//! have no room beside each other.

use memchr::{memchr_iter, memmem};

use super::body;
use super::written::{self, LONGEST_LINE};
use crate::charset::hangul::{self, HangulPolicy};
use crate::charset::{self, Charset, Decoder};
use crate::decode::Unneeded;
use crate::message::Part;
use crate::report::Report;
use crate::transfer::{Pieces, TransferEncoding};

/// How the octets of a body become text.
#[derive(Debug, Clone)]
pub(super) struct How {
    pub(super) encoding: TransferEncoding,
    pub(super) charset: Charset,
    pub(super) options: charset::Options,
    /// The media type of a document whose declaration is to name UTF-8.
    pub(super) fixed: Option<String>,
}

/// The text of a body, piece by piece.
pub(super) struct Text<'b> {
    how: How,
    octets: Pieces<'b>,
    decoder: Option<Decoder>,
    unneeded: Unneeded,
    seen: Octets,
    /// The piece at hand, and how much of it was taken.
    piece: String,
    taken: usize,
    is_first: bool,
    report: Report,
}

/// What was seen of the octets under a transfer encoding.
#[derive(Debug, Default)]
pub(super) struct Octets {
    pub(super) is_not_ascii: bool,
    pub(super) has_openpgp: bool,
    pub(super) lines: Lines,
    seam: Seam<48>,
}

/// All that is to be known once a text is read.
pub(super) struct Known {
    /// The charset that they were read in.
    pub(super) charset: Charset,
    pub(super) octets: Octets,
    /// Of the charset, and of the text.
    pub(super) report: Report,
    /// Of the transfer encoding, one finding of each kind that matters.
    pub(super) transfer: Report,
}

/// More than a declaration may lie behind; it is looked for in the first piece.
const START: usize = 8 << 10;

impl<'b> Text<'b> {
    pub(super) fn new(body: &'b [u8], how: How) -> Self {
        Text {
            octets: Pieces::new(body, how.encoding),
            decoder: Some(Decoder::with_options(how.charset, &how.options)),
            how,
            unneeded: Unneeded::default(),
            seen: Octets::default(),
            piece: String::new(),
            taken: 0,
            is_first: true,
            report: Report::new(),
        }
    }

    /// What is left of the piece at hand, or the next one; empty at the end.
    pub(super) fn piece(&mut self) -> &str {
        while self.taken >= self.piece.len() && self.decoder.is_some() {
            self.piece.clear();
            self.taken = 0;
            self.read();
            if std::mem::take(&mut self.is_first) {
                while self.piece.len() < START && self.decoder.is_some() {
                    self.read();
                }
                if body::says_order(self.how.charset) && self.piece.starts_with('\u{FEFF}') {
                    self.piece.drain(..'\u{FEFF}'.len_utf8());
                }
                if let Some(media_type) = &self.how.fixed {
                    body::fix_declaration(&mut self.piece, media_type);
                }
            }
        }
        self.piece.get(self.taken..).unwrap_or_default()
    }

    /// Takes so many octets of the piece.
    pub(super) fn take(&mut self, length: usize) {
        self.taken += length;
    }

    /// Reads what is left, and says what is known then.
    pub(super) fn finish(mut self) -> Known {
        loop {
            let length = self.piece().len();
            if length == 0 {
                break;
            }
            self.take(length);
        }
        self.unneeded.into_report(&mut self.report);
        Known {
            charset: self.how.charset,
            octets: self.seen,
            report: self.report,
            transfer: self.octets.into_report(),
        }
    }

    /// Adds the text of the next octets to the piece.
    fn read(&mut self) {
        let Some(decoder) = &mut self.decoder else {
            return;
        };
        let start = self.piece.len();
        if let Some(octets) = self.octets.next() {
            self.seen.look(octets);
            self.piece.push_str(decoder.push(octets));
        } else if let Some(decoder) = self.decoder.take() {
            let mut rest = decoder.finish();
            self.report = std::mem::take(&mut rest.report);
            self.how.charset = rest.charset();
            if self.piece.is_empty() {
                self.piece = rest.into_text().into_owned();
            } else {
                self.piece.push_str(rest.text());
            }
        }
        self.unneeded
            .look(self.piece.get(start..).unwrap_or_default(), false);
    }
}

impl Octets {
    fn look(&mut self, octets: &[u8]) {
        self.is_not_ascii |= !octets.is_ascii();
        self.lines.look(octets);
        self.has_openpgp |= self.seam.look(octets, body::has_openpgp);
    }
}

/// How a part is to be read, without its text: [`body::text`] in pieces.
pub(super) fn how(part: Part<'_>, charset: Charset, options: &super::Options) -> How {
    How {
        encoding: part.transfer_encoding(),
        charset,
        options: options.reading,
        fixed: None,
    }
}

/// The same reading of a body where it does not wait for the end: what all of a text in Unicode
/// 1.1 says of old Hangul is asked beforehand.
pub(super) fn settled(body: &[u8], mut how: How) -> How {
    if how.options.hangul != HangulPolicy::Auto || !how.options.remaps(how.charset) {
        return how;
    }
    how.options.hangul = HangulPolicy::Never;
    let mut text = Text::new(body, how.clone());
    loop {
        let piece = text.piece();
        if piece.is_empty() {
            how.options.hangul = HangulPolicy::Always;
            return how;
        }
        if hangul::census(piece).is_contradicted() {
            return how;
        }
        let length = piece.len();
        text.take(length);
    }
}

/// Whether a line is longer than [`LONGEST_LINE`], its line end aside.
#[derive(Debug, Default)]
pub(super) struct Lines {
    length: usize,
    ends_in_cr: bool,
    is_long: bool,
}

impl Lines {
    pub(super) fn look(&mut self, octets: &[u8]) {
        let mut from = 0;
        for end in memchr_iter(b'\n', octets) {
            self.add(octets.get(from..end).unwrap_or_default());
            self.end();
            from = end + 1;
        }
        self.add(octets.get(from..).unwrap_or_default());
    }

    /// Whether one is, of those up to here.
    pub(super) fn have_long(&self) -> bool {
        let open = self.length - usize::from(self.ends_in_cr);
        self.is_long || open > LONGEST_LINE
    }

    fn add(&mut self, octets: &[u8]) {
        self.length += octets.len();
        if let Some(last) = octets.last() {
            self.ends_in_cr = *last == b'\r';
        }
    }

    fn end(&mut self) {
        self.is_long = self.have_long();
        self.length = 0;
        self.ends_in_cr = false;
    }
}

/// The end of the piece before, `N` octets of it, for what lies across.
#[derive(Debug)]
pub(super) struct Seam<const N: usize> {
    /// The end of what came, behind an octet that ends no line unless it is all of it.
    joined: Vec<u8>,
}

impl<const N: usize> Default for Seam<N> {
    fn default() -> Self {
        Seam { joined: Vec::new() }
    }
}

impl<const N: usize> Seam<N> {
    /// Whether `has` finds something in the octets, or across from those before them.
    pub(super) fn look(&mut self, octets: &[u8], has: impl Fn(&[u8]) -> bool) -> bool {
        self.joined.extend_from_slice(octets);
        let found = has(&self.joined);
        if self.joined.len() > N {
            self.joined.drain(..self.joined.len() - N);
            // It may have been anything: what begins with it was found already.
            if let Some(first) = self.joined.first_mut()
                && !matches!(first, b'\r' | b'\n')
            {
                *first = b'x';
            }
        }
        found
    }
}

/// What has to be known of a text to choose its transfer encoding.
#[derive(Debug, Default)]
pub(super) struct Measure {
    pub(super) length: usize,
    pub(super) above: usize,
    pub(super) line_feeds: usize,
    pub(super) has_cr: bool,
    pub(super) has_hyphens: bool,
    pub(super) lines: Lines,
    seam: Seam<8>,
}

impl Measure {
    pub(super) fn look(&mut self, text: &str) {
        let octets = text.as_bytes();
        self.length += octets.len();
        self.above += charset::count_of(octets, |octet| !octet.is_ascii());
        self.line_feeds += memchr_iter(b'\n', octets).count();
        self.has_cr |= memmem::find(octets, b"\r").is_some();
        self.lines.look(octets);
        let begins = |octets: &[u8]| written::begins_line(octets, "--");
        self.has_hyphens |= self.seam.look(octets, begins);
    }
}

#[cfg(test)]
mod tests {
    use super::{Lines, Seam};
    use crate::convert::body::has_openpgp;
    use crate::convert::written::{begins_line, has_long_line};

    /// However it is cut, the answer is that about the whole.
    #[test]
    fn cuts_change_no_answer() {
        let long = "x".repeat(998);
        let texts = [
            "--".to_owned(),
            "a--\r\n".to_owned(),
            "a\n--b".to_owned(),
            "a\r--b\n".to_owned(),
            format!("ab{}\r\n", "-".repeat(60)),
            "-----BEGIN PGP MESSAGE-----\n".to_owned(),
            "a-----BEGIN PGP MESSAGE-----\n".to_owned(),
            format!("{}\n-----BEGIN PGP SIGNED MESSAGE-----\n", "a".repeat(90)),
            format!("{}-----BEGIN PGP SIGNED MESSAGE-----\n", "a".repeat(90)),
            long.clone(),
            format!("{long}\r\n{long}\n"),
            format!("{long}y\r\n"),
            format!("a\n{long}\ry"),
            format!("a\n{long}y"),
        ];
        for text in texts {
            let octets = text.as_bytes();
            for size in 1..130 {
                let (mut lines, mut hyphens, mut armour) = (
                    Lines::default(),
                    Seam::<8>::default(),
                    Seam::<48>::default(),
                );
                let (mut has_hyphens, mut has_armour) = (false, false);
                for piece in octets.chunks(size) {
                    lines.look(piece);
                    has_hyphens |= hyphens.look(piece, |octets| begins_line(octets, "--"));
                    has_armour |= armour.look(piece, has_openpgp);
                }
                assert_eq!(lines.have_long(), has_long_line(octets), "{size} {text}");
                assert_eq!(has_hyphens, begins_line(octets, "--"), "{size} {text}");
                assert_eq!(has_armour, has_openpgp(octets), "{size} {text}");
            }
        }
    }
}
