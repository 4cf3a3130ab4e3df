//! Compares a message of the source with its result.

use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use super::proof::Proof;
use super::record;
use super::recorded::Record;
use super::stored_form::{NewLength, stored_form};
use crate::format::Format;
use crate::mbox::{self, Dialect, Stored};
use crate::store::MailSource;
use mime_charset::convert::{self, Conversion};

/// A source message and the corresponding entry at the destination.
pub(super) struct Pair {
    pub(super) source: Arc<MailSource>,
    pub(super) stored: Stored,
    /// The entry as stored at the destination, with the octets before it.
    pub(super) octets: Vec<u8>,
    pub(super) offset: u64,
    /// Line endings allowed between this entry and the next.
    pub(super) between: Vec<&'static [u8]>,
    pub(super) recorded: Option<Record>,
}

/// The number of octets of the source message, and the result.
pub(super) type CheckedPair = (u64, Result<Proof, Difference>);

impl Pair {
    pub(super) fn check(&self, options: &Conversion) -> CheckedPair {
        let proof = self.prove(options);
        let result = proof.map_err(|(offset, sentence)| Difference {
            ordinal: self.stored.ordinal(),
            offset: offset.map(|offset| self.offset + offset as u64),
            is_of_separator: offset == Some(0) && self.has_recorded_message(),
            sentence,
        });
        (self.stored.octets().len() as u64, result)
    }

    /// The error has the offset of the difference in the entry; `None` if the source differs from the
    /// one recorded in the report.
    fn prove(&self, options: &Conversion) -> Result<Proof, (Option<usize>, String)> {
        if let Some(recorded) = &self.recorded
            && record::sha256(self.stored.as_stored()) != recorded.source_sum
        {
            let sentence = "the source differs from the one recorded in the report";
            return Err((None, sentence.to_owned()));
        }
        let source = self.stored.message();
        let changes = match &self.recorded {
            Some(recorded) => recorded.changes.clone(),
            None => self.stored.converted(&source, options).changes,
        };
        let grown: usize = changes.iter().map(|change| change.after.len()).sum();
        let shrunk: usize = changes.iter().map(|change| change.before.len()).sum();
        let length = (source.len() + grown).saturating_sub(shrunk);
        let before = &*self.stored.before_message_of(length);
        let Some(rest) = self.octets.strip_prefix(before) else {
            return Err((Some(0), "expected the separator of the source".to_owned()));
        };
        let written_in = self.written_in();
        let Some(found) = self.find_message(rest, &source, length) else {
            let sentence =
                format!("expected a message of {length} octets, found a different length");
            return Err((Some(before.len()), sentence));
        };
        let FoundMessage {
            quoted,
            original,
            digits,
        } = found;
        let proof = convert::verify(&source, &original, &changes, options).map_err(|error| {
            let mut at = error.offset().unwrap_or_default();
            if let Some((old, new)) = &digits
                && at >= new.start + old.len()
            {
                at = at + new.len() - old.len();
            }
            let at = written_in.place(quoted, at);
            (Some(before.len() + at), error.to_string())
        })?;
        let (stored, length) = stored_form(self.source.format(), &self.stored, &original);
        if *stored != *quoted {
            let sentence = match written_in {
                Dialect::Babyl => "expected the visible header of the source",
                Dialect::Mboxrd | Dialect::MboxrdCr => "expected mboxrd",
                _ => "expected the message unchanged",
            };
            let at = before.len() + common_prefix(&stored, quoted);
            return Err((Some(at), sentence.to_owned()));
        }
        self.is_recorded_result(quoted, length.as_ref())
            .map_err(|sentence| (Some(before.len()), sentence.to_owned()))?;
        Ok(Proof {
            messages: u64::from(!self.stored.is_no_message()),
            unchanged: (proof.unchanged + before.len() + self.stored.after().len()) as u64,
            fields: proof.fields as u64,
            parts: proof.parts as u64,
            relabelled: proof.relabelled as u64,
            second_readings: proof.second_readings as u64,
            ..Proof::default()
        })
    }

    /// The dialect in which the destination quotes the message. Message files quote nothing, like mboxcl2.
    fn written_in(&self) -> Dialect {
        match self.stored.entry().dialect() {
            _ if self.source.format() != Format::Mbox => Dialect::Mboxcl2,
            Dialect::Mboxo | Dialect::Mboxcl | Dialect::Mboxcl2 => Dialect::Mboxrd,
            other => other,
        }
    }

    /// Finds the result in `rest`; its original is `length` octets long.
    fn find_message<'p>(
        &self,
        rest: &'p [u8],
        source: &[u8],
        length: usize,
    ) -> Option<FoundMessage<'p>> {
        self.between.iter().find_map(|line_ends| {
            let quoted = rest.strip_suffix(*line_ends)?;
            let quoted = quoted.strip_suffix(self.stored.after())?;
            let message = self.written_in().unquote(quoted);
            let digits = self.new_digits(source, &message);
            let mut original = message.to_vec();
            if let Some((old, new)) = &digits {
                original.splice(new.clone(), source.get(old.clone())?.iter().copied());
            }
            (original.len() == length).then_some(FoundMessage {
                quoted,
                original,
                digits,
            })
        })
    }

    /// Whether the result has the recorded message at the recorded place, after other octets.
    fn has_recorded_message(&self) -> bool {
        let has = |recorded: &Record| {
            let (start, length) = recorded.result;
            let start = usize::try_from(start.checked_sub(self.offset)?).ok()?;
            let end = start.checked_add(usize::try_from(length).ok()?)?;
            let message = self.octets.get(start..end)?;
            Some(start > 0 && record::sha256(message) == recorded.result_sum)
        };
        self.recorded.as_ref().and_then(has).unwrap_or_default()
    }

    /// Whether the result has the range, octets and new Content-Length recorded in the report.
    fn is_recorded_result(
        &self,
        quoted: &[u8],
        length: Option<&NewLength>,
    ) -> Result<(), &'static str> {
        let Some(recorded) = &self.recorded else {
            return Ok(());
        };
        let before = self.stored.before_message_of(quoted.len());
        let start = self.offset + before.len() as u64;
        if recorded.result != (start, quoted.len() as u64) {
            return Err("the result is not at the offset recorded in the report");
        }
        if record::sha256(quoted) != recorded.result_sum {
            return Err("the result differs from the one recorded in the report");
        }
        if recorded.new_length.as_ref() != length {
            return Err("the report has another change of the Content-Length");
        }
        Ok(())
    }

    /// The ranges of the Content-Length digits in source and result, if they had to change.
    fn new_digits(&self, source: &[u8], result: &[u8]) -> Option<(Range<usize>, Range<usize>)> {
        let dialect = self.stored.entry().dialect();
        let was_right = matches!(dialect, Dialect::Mboxcl | Dialect::Mboxcl2);
        if self.source.format() != Format::Mbox || !was_right {
            return None;
        }
        let (old, was) = mbox::content_length(source)?;
        let (new, is) = mbox::content_length(result)?;
        (was != is).then_some((old, new))
    }
}

/// A message at the destination.
struct FoundMessage<'p> {
    /// As stored in the file.
    quoted: &'p [u8],
    /// The message with the Content-Length of the source.
    original: Vec<u8>,
    /// The ranges of the Content-Length digits in source and result, if they changed.
    digits: Option<(Range<usize>, Range<usize>)>,
}

/// Finds the first octet of a file that differs from the converted source.
pub(super) fn locate(
    source: &MailSource,
    place: &Path,
    options: &Conversion,
) -> Option<Difference> {
    let file = File::open(place).ok()?;
    let mut writer = mbox::Writer::new(Compare {
        file: BufReader::new(file),
        offset: 0,
        wrong: None,
    });
    let mut ordinal = 0;
    for stored in source.entries().ok()? {
        let stored = stored.ok()?;
        ordinal = stored.ordinal();
        let message = stored.message();
        let converted = stored.converted(&message, options);
        let (result, _) = stored_form(source.format(), &stored, converted.as_bytes());
        if writer.write_quoted(&stored, &result).is_err() {
            break;
        }
    }
    let mut compare = writer.into_inner();
    let mut more = [0];
    if compare.wrong.is_none() && compare.file.read(&mut more).ok()? > 0 {
        let sentence = format!("expected the end, found 0x{:02X}", more[0]);
        compare.wrong = Some((compare.offset, sentence));
    }
    let (offset, sentence) = compare.wrong?;
    Some(Difference {
        ordinal,
        offset: Some(offset),
        is_of_separator: false,
        sentence,
    })
}

/// The length of the common prefix.
fn common_prefix(one: &[u8], other: &[u8]) -> usize {
    let pairs = one.iter().zip(other);
    pairs.take_while(|(one, other)| one == other).count()
}

/// Compares written octets with a file; fails at the first difference.
struct Compare {
    file: BufReader<File>,
    offset: u64,
    wrong: Option<(u64, String)>,
}

impl Write for Compare {
    fn write(&mut self, expected: &[u8]) -> io::Result<usize> {
        let mut found = Vec::new();
        let length = expected.len() as u64;
        self.file.by_ref().take(length).read_to_end(&mut found)?;
        let same = common_prefix(expected, &found);
        if same < expected.len() {
            let expected = expected.get(same).copied().unwrap_or_default();
            let found = match found.get(same) {
                Some(octet) => format!("0x{octet:02X}"),
                None => "the end".to_owned(),
            };
            let sentence = format!("expected 0x{expected:02X}, found {found}");
            self.wrong = Some((self.offset + same as u64, sentence));
            return Err(io::Error::other("another octet"));
        }
        self.offset += length;
        Ok(expected.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// How a message differs from the expected one.
pub(super) struct Difference {
    pub(super) ordinal: u64,
    /// The offset in the destination file; `None` if the report describes another source.
    pub(super) offset: Option<u64>,
    /// Whether only the separators differ: source and result have the message as recorded.
    pub(super) is_of_separator: bool,
    pub(super) sentence: String,
}
