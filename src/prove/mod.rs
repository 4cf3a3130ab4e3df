//! The proof of a conversion: only the listed changes were made, and the mail means the same.
//!
//! The proof takes only two things from the conversion: its list of [`Change`]s, and the options
//! that allowed them. It parses both messages again and checks that
//!
//! - octets outside the changes are equal, one by one;
//! - octets inside a change have its checksum, which also locates a single damaged octet;
//! - each change is in a field body or in a text part (`places.rs`), and breaks no rule about what
//!   must not change (`rules.rs` for parts, `edited.rs` for fields);
//! - both messages have the same structure, and each changed field (`fields.rs`) and part
//!   (`bodies.rs`) means the same;
//! - unchanged text whose charset is inferred from the rest of the message is decoded as before
//!   (`kept.rs`);
//! - with the feature `mailparse`, that library decodes the same text in the changed fields and parts
//!   of the result, if it decodes such mail as this library does (`second.rs`).
//!
//! Text is compared octet by octet, including line endings. The exception is text that moved from 7bit,
//! 8bit or binary to base64, where CRLF replaces the line endings of the message.
//!
//! # Independence
//!
//! The proof does not call [`convert`](crate::convert). Both use [`message`](crate::message),
//! [`header`](crate::header), [`transfer`](crate::transfer), [`decode`](crate::decode) and
//! [`charset`](crate::charset): a bug there affects both, and mailparse may find it. The conversion
//! calls two parts of the proof: the rules about what must not change, and the comparison of a
//! field before and after an edit. A bug in a rule could let both accept a change that should not
//! be made. Such a bug could not hide a changed text.

use crate::decode::{TextForm, TextToCompare};
use crate::error::Error;
use crate::label::Label;
use crate::message::{Message, Part};

mod bodies;
mod change;
mod changed;
pub(crate) mod checksum;
mod edited;
mod fields;
mod kept;
mod mime_field;
mod openpgp;
mod options;
mod places;
mod ranges;
mod rules;
mod second;

use bodies::difference;
pub use change::Change;
pub(crate) use change::{ChangedText, TextReading};
pub(crate) use edited::has_foreign_word;
use fields::HeaderPair;
pub use fields::MAX_FIELD;
pub(crate) use fields::{has_same_meaning, has_same_meaning_in_utf_8};
pub(crate) use mime_field::{MimeField, range_of};
pub(crate) use openpgp::OpenPgpSearch;
pub use options::{Conversion, Headers, OnMalformed};
use places::Places;
pub(crate) use ranges::{joined, touches};
pub(crate) use rules::{
    BodyFacts, LeaveReason, Protection, is_guess, is_header_guess, is_utf_8, is_utf_8_label,
    reason_in_body, reason_in_header,
};
use second::{SecondReadings, read_with_mailparse};

/// What [`verify`](crate::convert::verify) compared and found equal.
///
/// ```
/// use mime_charset::convert::{Conversion, Verification, convert, verify};
///
/// let source = b"X: =?latin1?Q?=E9?=\nContent-Type: text/plain; charset=latin1\n\n\xE9\n";
/// let converted = convert(source, &Conversion::new());
/// let (octets, changes) = (converted.as_bytes(), &converted.changes);
/// let proof: Verification = verify(source, octets, changes, &Conversion::new()).unwrap();
/// // The word, the charset parameter, and the Content-Transfer-Encoding that was added.
/// assert_eq!((proof.fields, proof.parts, proof.relabelled), (3, 1, 0));
/// assert_eq!(proof.unchanged, source.len() - 16 - 14 - 2);
/// assert!(proof.second_readings <= 2);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Verification {
    /// Number of octets outside the changes.
    pub unchanged: usize,
    /// Number of fields that were changed or added and mean the same.
    pub fields: usize,
    /// Number of bodies with changed octets and the same text.
    pub parts: usize,
    /// Number of bodies with the same octets under another label, and the same text.
    pub relabelled: usize,
    /// Number of the fields and bodies counted above that mailparse decodes in the same way; 0
    /// without the feature.
    ///
    /// mailparse is skipped where it is known to decode differently: encoded words that name a language
    /// or that no blank separates from other text, and messages in which it finds different parts than
    /// this library. It is limited to bodies of 256 KiB, to the first 16,384 fields and bodies, to 2
    /// MiB of their text, and to messages that it parses quickly. In all it parses at most eight times
    /// the octets of the message.
    pub second_readings: usize,
}

/// Proves that `result` is `source` with these changes and means the same. `are_own` means that `convert`
/// has just made the changes and compared their fields, so the fields are not compared again.
pub(crate) fn verify(
    source: &[u8],
    result: &[u8],
    changes: &[Change],
    options: &Conversion,
    are_own: bool,
) -> Result<Verification, Error> {
    let unchanged = compare_outside(source, result, changes)?;
    for change in changes {
        check_checksum(result, change)?;
    }
    let verification = Verification {
        unchanged,
        ..Verification::default()
    };
    if changes.is_empty() {
        return Ok(verification);
    }
    let (old, new) = (Message::parse(source), Message::parse(result));
    let mut proof = Proof {
        changes,
        are_own,
        options,
        places: Places::new(changes, result),
        readings: SecondReadings::default(),
        verification,
    };
    let mut protection = Protection::default();
    let mut entities = old.entities();
    for after in new.entities() {
        let at = after.header_range().map_or(0, |range| range.start);
        let before = entities
            .next()
            .filter(|before| is_same_entity(*before, after))
            .ok_or_else(|| Error::at(at, "expected the parts of the source, found others"))?;
        proof.compare_entity(before, after, protection.covers(before))?;
    }
    if entities.next().is_some() {
        let sentence = "expected the parts of the source, found fewer";
        return Err(Error::at(result.len(), sentence));
    }
    proof.places.finish()?;
    proof.verification.second_readings = read_with_mailparse(&new, &mut proof.readings.list)?;
    Ok(proof.verification)
}

/// A proof in progress.
struct Proof<'p, 'm> {
    changes: &'p [Change],
    are_own: bool,
    options: &'p Conversion,
    places: Places<'p>,
    readings: SecondReadings<'m>,
    verification: Verification,
}

impl<'m> Proof<'_, 'm> {
    fn compare_entity(
        &mut self,
        before: Part<'_>,
        after: Part<'m>,
        is_protected: bool,
    ) -> Result<(), Error> {
        let (changes, options) = (self.changes, self.options);
        kept::check_fields_decode_alike(before, after, changes, options)?;
        let is_relabelled = is_relabelled(before, after);
        let has_new_body = before.body() != after.body();
        if after.is_text() && !is_relabelled && !has_new_body {
            kept::check_body_decodes_alike(before, after, options)?;
        }
        let (Some(header), Some(body)) = (after.header_range(), after.body_range()) else {
            return Ok(());
        };
        // A change in a protected entity gets no place, so `Places::finish` reports it.
        if is_protected || !(changed::touches(changes, &header) || changed::touches(changes, &body))
        {
            return Ok(());
        }
        if is_relabelled && !after.is_text() {
            let at = header.start;
            let sentence = format!("expected the same label on a part that is not text (at {at})");
            return Err(Error::at(at, sentence));
        }
        let headers = HeaderPair {
            before,
            after,
            is_relabelled,
            changes,
            are_own: self.are_own,
            options,
        };
        self.verification.fields += headers.compare(&mut self.places, &mut self.readings)?;
        if !(after.is_text() && (is_relabelled || has_new_body)) {
            return self.places.check_charsets(&[], None);
        }
        let (text, charset) = bodies::same_text(before, after, options)?;
        let old_body = before.body_range().unwrap_or_default();
        let found = self.places.find(&old_body, &body);
        self.places.check_charsets(found, Some(charset))?;
        if has_new_body {
            self.verification.parts += 1;
        } else {
            self.verification.relabelled += 1;
        }
        // Each reader repairs a broken transfer encoding in its own way.
        let is_shared = has_new_body || after.transfer_encoding().is_identity();
        if let Some(text) = text.filter(|_| is_shared) {
            self.readings.add(TextToCompare {
                range: body,
                text,
                form: TextForm::Body(after.transfer_encoding()),
            });
        }
        Ok(())
    }
}

/// Compares the octets outside the changes. Returns their number.
fn compare_outside(source: &[u8], result: &[u8], changes: &[Change]) -> Result<usize, Error> {
    let (mut before, mut after, mut unchanged) = (0, 0, 0);
    let end = [(source.len()..source.len(), result.len()..result.len())];
    let ranges = changes
        .iter()
        .map(|change| (change.before.clone(), change.after.clone()))
        .chain(end);
    for (old, new) in ranges {
        let (Some(kept), Some(found)) = (
            source.get(before..old.start),
            result.get(after..new.start.min(result.len())),
        ) else {
            let sentence = "expected changes in the order of the message, found others";
            return Err(Error::at(after, sentence));
        };
        if let Some(at) = difference(kept, found) {
            let (old, new) = (kept.get(at), found.get(at));
            let sentence = format!(
                "expected 0x{:02X} as in the source, found 0x{:02X} (at {})",
                old.copied().unwrap_or_default(),
                new.copied().unwrap_or_default(),
                after + at
            );
            return Err(Error::at(after + at, sentence));
        }
        if kept.len() != found.len() {
            let at = after + kept.len().min(found.len());
            let sentence = format!(
                "expected {} octets as in the source, found {} (at {at})",
                kept.len(),
                found.len()
            );
            return Err(Error::at(at, sentence));
        }
        unchanged += kept.len();
        (before, after) = (old.end, new.end);
    }
    Ok(unchanged)
}

/// Checks the octets of a change against its checksum.
fn check_checksum(result: &[u8], change: &Change) -> Result<(), Error> {
    let range = &change.after;
    let Some(octets) = result.get(range.clone()) else {
        let sentence = format!("expected a change up to {}, found the end", range.end);
        return Err(Error::at(result.len(), sentence));
    };
    if checksum::of(octets) == change.checksum {
        return Ok(());
    }
    let Some(at) = checksum::damaged_offset(octets, change.checksum) else {
        let sentence = format!(
            "expected the octets of a change, found several different ones from {} to {}",
            range.start, range.end
        );
        return Err(Error::at(range.start, sentence));
    };
    let at = range.start + at;
    let sentence = format!("expected the octets of a change, found one different octet (at {at})");
    Err(Error::at(at, sentence))
}

fn is_same_entity(before: Part<'_>, after: Part<'_>) -> bool {
    let parent = |part: Part<'_>| part.parent().map(Part::index);
    parent(before) == parent(after)
        && before.is_message() == after.is_message()
        && before.is_text() == after.is_text()
        && before.header_range().is_some() == after.header_range().is_some()
        && before.content_type().media_type() == after.content_type().media_type()
}

/// Whether the header names another charset or transfer encoding for the body.
fn is_relabelled(before: Part<'_>, after: Part<'_>) -> bool {
    let [old, new] = [before, after].map(Part::content_type);
    let [old, new] = [&old, &new].map(|field| field.charset().map(Label::as_bytes));
    before.transfer_encoding() != after.transfer_encoding() || old != new
}

#[cfg(test)]
mod tests {
    use super::{Change, Conversion, checksum, verify};

    /// RFC 2046, section 4.1.2: the label names the charset of the octets. Octets of another
    /// charset under the label UTF-8 are not UTF-8, even if a reader guesses their charset.
    #[test]
    fn a_label_alone_is_not_proof_of_utf_8() {
        let text = b"\xC7\xD1\xB1\xB9\xBE\xEE ".repeat(20);
        let of = |parameter: &str| {
            let header = format!("Content-Type: text/plain; {parameter}\n\n");
            [header.as_bytes(), &text].concat()
        };
        let (old, new) = ("charset=euc-kr", "charset=utf-8");
        let (source, result) = (of(old), of(new));
        let start = "Content-Type: text/plain; ".len();
        let sum = checksum::of(new.as_bytes());
        let change = Change::new(start..start + old.len(), start..start + new.len(), sum);
        let options = Conversion {
            keep_declarations: true,
            ..Conversion::new()
        };
        let error = verify(&source, &result, &[change], &options, false).unwrap_err();
        assert!(
            error.to_string().contains("expected the same text"),
            "{error}"
        );
    }
}
