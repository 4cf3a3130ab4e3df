//! The proof of a conversion: it changed only what its list of changes names, and the mail still says
//! the same.
//!
//! Nothing is taken from the conversion but the list of its [`Change`]s and what it was [`Allowed`]
//! to do. Both messages are read anew:
//!
//! - octets outside the changed ranges are compared one by one;
//! - octets inside them have to have the checksum of their change, which names a damaged
//!   octet too;
//! - each change has to lie in a field or in a text part, and in nothing that a conversion has
//!   to leave alone (`scope.rs`);
//! - each changed field (`fields.rs`) and part (`bodies.rs`) has to say what it said, and the
//!   structure of the message has to be the same;
//! - what was left alone and is read by what stands around it has to say what it said (`kept.rs`);
//! - with the feature `mailparse`, that library reads the changed parts and fields of the
//!   result, and has to find the same text wherever it reads the mail as this library does
//!   (`second.rs`).
//!
//! Text is compared octet for octet, line ends too, but for text that went from 7bit, 8bit
//! or binary to base64: there CRLF stands for the line ends of the message.
//!
//! # How far the two are independent
//!
//! The proof calls nothing of [`convert`](crate::convert). Both read messages by
//! [`message`](crate::message), [`header`](crate::header), [`transfer`](crate::transfer), [`decode`](crate::decode)
//! and [`charset`]: a slip in one of these would be shared, and mailparse is there to find it. The
//! conversion in its turn asks the proof. A field that it has written has to say the same by
//! [`says_the_same`]; what an attachment, a signed part, an armoured block and an exact label are
//! is defined here for both. A slip in one of those would let both agree on a change that should
//! not be, but could not hide a text that became another.

use crate::error::Error;
use crate::message::{Message, Part};

mod allowed;
mod bodies;
mod change;
mod changed;
pub(crate) mod checksum;
mod fields;
mod kept;
mod openpgp;
mod ranges;
mod scope;
mod second;

pub(crate) use allowed::Allowed;
pub(crate) use bodies::contradiction;
use bodies::difference;
pub use change::Change;
pub(crate) use change::{Reading, What};
use changed::Changed;
pub use fields::MAX_FIELD;
pub(crate) use fields::{says_the_same, says_the_same_in_utf_8};
pub(crate) use openpgp::Armour;
pub(crate) use ranges::{joined, touches};
use scope::Places;
pub(crate) use scope::{is_again, is_attachment, is_security_multipart, names_utf_8};
use second::{Read, Second, Seconds, read_again};

/// What was compared, and found to be the same.
///
/// ```
/// use mime_charset::convert::{Conversion, Verification, convert, verify};
///
/// let source = b"Subject: plain\n\n";
/// let proof: Verification = verify(source, source, &[], &Conversion::new()).unwrap();
/// assert_eq!(proof.unchanged(), source.len());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Verification {
    unchanged: usize,
    fields: usize,
    parts: usize,
    relabelled: usize,
    second_readings: usize,
}

impl Verification {
    /// How many octets stand outside the changes.
    ///
    /// ```
    /// use mime_charset::convert::{Conversion, convert, verify};
    ///
    /// let source = b"X: =?latin1?Q?=E9?=\nContent-Type: text/plain; charset=latin1\n\n\xE9\n";
    /// let converted = convert(source, &Conversion::new());
    /// let (octets, changes) = (converted.as_bytes(), converted.changes());
    /// let proof = verify(source, octets, changes, &Conversion::new()).unwrap();
    /// // All but the word, the charset parameter and the body.
    /// assert_eq!(proof.unchanged(), source.len() - 16 - 14 - 2);
    /// ```
    #[must_use]
    pub fn unchanged(&self) -> usize {
        self.unchanged
    }

    /// How many fields were changed and say the same.
    ///
    /// ```
    /// use mime_charset::convert::{Conversion, convert, verify};
    ///
    /// let source = b"X: =?latin1?Q?=E9?=\nContent-Type: text/plain; charset=latin1\n\n\xE9\n";
    /// let converted = convert(source, &Conversion::new());
    /// let (octets, changes) = (converted.as_bytes(), converted.changes());
    /// let proof = verify(source, octets, changes, &Conversion::new()).unwrap();
    /// assert_eq!(proof.fields(), 3);
    /// ```
    #[must_use]
    pub fn fields(&self) -> usize {
        self.fields
    }

    /// How many bodies have other octets and the same text.
    ///
    /// ```
    /// use mime_charset::convert::{Conversion, convert, verify};
    ///
    /// let source = b"X: =?latin1?Q?=E9?=\nContent-Type: text/plain; charset=latin1\n\n\xE9\n";
    /// let converted = convert(source, &Conversion::new());
    /// let (octets, changes) = (converted.as_bytes(), converted.changes());
    /// let proof = verify(source, octets, changes, &Conversion::new()).unwrap();
    /// assert_eq!(proof.parts(), 1);
    /// ```
    #[must_use]
    pub fn parts(&self) -> usize {
        self.parts
    }

    /// How many bodies have the same octets under another label, and the same text.
    ///
    /// ```
    /// use mime_charset::convert::{Conversion, convert, verify};
    ///
    /// let source = b"Content-Type: text/plain; charset=latin1\n\ne\n";
    /// let converted = convert(source, &Conversion::new());
    /// let (octets, changes) = (converted.as_bytes(), converted.changes());
    /// let proof = verify(source, octets, changes, &Conversion::new()).unwrap();
    /// assert_eq!((proof.parts(), proof.relabelled()), (0, 1));
    /// ```
    #[must_use]
    pub fn relabelled(&self) -> usize {
        self.relabelled
    }

    /// How many of these fields and bodies mailparse reads in the same way; 0 without it.
    ///
    /// It is not asked where its reading of the mail differs for other reasons: inside words
    /// that name a language, or that touch other text; where it finds other parts. Nor is it
    /// asked about bodies of more than 256 KiB, about more than the first 16,384 fields and
    /// bodies or 2 MiB of their text, about messages that take it long, or for more than eight
    /// times the octets of a message.
    ///
    /// ```
    /// use mime_charset::convert::{Conversion, convert, verify};
    ///
    /// let source = b"X: =?latin1?Q?=E9?=\nContent-Type: text/plain; charset=latin1\n\n\xE9\n";
    /// let converted = convert(source, &Conversion::new());
    /// let (octets, changes) = (converted.as_bytes(), converted.changes());
    /// let proof = verify(source, octets, changes, &Conversion::new()).unwrap();
    /// assert!(proof.second_readings() <= 2);
    /// ```
    #[must_use]
    pub fn second_readings(&self) -> usize {
        self.second_readings
    }
}

/// Proves that `result` is `source` with these changes, and says the same.
pub(crate) fn verify(
    source: &[u8],
    result: &[u8],
    changes: &[Change],
    allowed: &Allowed,
) -> Result<Verification, Error> {
    prove(source, result, &Changed::new(changes), allowed)
}

/// [`verify`] for the changes of a conversion that was just made. What a field says is not asked
/// a second time where the conversion asked it of the same octets.
pub(crate) fn verify_own(
    source: &[u8],
    result: &[u8],
    changes: &[Change],
    allowed: &Allowed,
) -> Result<Verification, Error> {
    let own = Changed::own(changes);
    prove(source, result, &own, allowed)
}

fn prove(
    source: &[u8],
    result: &[u8],
    ranges: &Changed<'_>,
    allowed: &Allowed,
) -> Result<Verification, Error> {
    let changes = ranges.changes;
    let mut verification = Verification {
        unchanged: same_outside(source, result, changes)?,
        ..Verification::default()
    };
    for change in changes {
        intact(result, change)?;
    }
    if changes.is_empty() {
        return Ok(verification);
    }
    let (old, new) = (Message::parse(source), Message::parse(result));
    let mut seconds = Seconds::default();
    let mut places = Places::new(changes, result);
    // Whether what stands in each entity is signed or encrypted.
    let mut protected = Vec::new();
    let mut entities = old.entities();
    for after in new.entities() {
        let at = after.header_range().map_or(0, |range| range.start);
        let before = entities
            .next()
            .filter(|before| is_same_entity(*before, after))
            .ok_or_else(|| Error::at(at, "expected the parts of the source, found others"))?;
        let parent = before
            .parent()
            .and_then(|parent| protected.get(parent.index()));
        let is_protected = parent == Some(&true);
        protected.push(is_protected || is_security_multipart(before));
        kept::fields_say_the_same(before, after, ranges, allowed)?;
        let is_relabelled = is_relabelled(before, after);
        if after.is_text() && !is_relabelled && before.body() == after.body() {
            kept::body_says_the_same(before, after, allowed)?;
        }
        let (Some(header), Some(body)) = (after.header_range(), after.body_range()) else {
            continue;
        };
        // What is changed in a signed or encrypted entity has no place.
        if is_protected || (!ranges.touches(&header) && !ranges.touches(&body)) {
            continue;
        }
        if is_relabelled && !after.is_text() {
            let at = header.start;
            let sentence =
                format!("expected the label of what is no text, found another (at {at})");
            return Err(Error::at(at, sentence));
        }
        verification.fields += fields::same_fields(
            before,
            after,
            is_relabelled,
            ranges,
            allowed,
            &mut places,
            &mut seconds,
        )?;
        if after.is_text() && (is_relabelled || before.body() != after.body()) {
            let (text, charset) = bodies::same_text(before, after, allowed)?;
            let changes = places.find(&before.body_range().unwrap_or_default(), &body);
            places.name_body(changes, Some(charset))?;
            if before.body() == after.body() {
                verification.relabelled += 1;
            } else {
                verification.parts += 1;
            }
            // What the source has wrong about an encoding is read by each in its own way.
            let is_shared =
                before.body() != after.body() || after.transfer_encoding().is_identity();
            if let Some(text) = text.filter(|_| is_shared) {
                seconds.add(Second {
                    range: body,
                    text,
                    what: Read::Body(after.transfer_encoding()),
                });
            }
        } else {
            places.name_body(&[], None)?;
        }
    }
    if entities.next().is_some() {
        let sentence = "expected the parts of the source, found fewer";
        return Err(Error::at(result.len(), sentence));
    }
    places.finish()?;
    verification.second_readings = read_again(&new, &mut seconds.list)?;
    Ok(verification)
}

/// Compares what stands outside the changes; gives its length.
fn same_outside(source: &[u8], result: &[u8], changes: &[Change]) -> Result<usize, Error> {
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

/// Compares the octets of a change with its checksum.
fn intact(result: &[u8], change: &Change) -> Result<(), Error> {
    let range = change.after();
    let Some(octets) = result.get(range.clone()) else {
        let sentence = format!("expected a change up to {}, found the end", range.end);
        return Err(Error::at(result.len(), sentence));
    };
    if checksum::of(octets) == change.checksum {
        return Ok(());
    }
    let Some(at) = checksum::damaged(octets, change.checksum) else {
        let sentence = format!(
            "expected the octets of a change, found more than one other from {} to {}",
            range.start, range.end
        );
        return Err(Error::at(range.start, sentence));
    };
    let at = range.start + at;
    let sentence = format!("expected the octets of a change, found one other (at {at})");
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

/// Whether the header says other things of the octets of a body.
fn is_relabelled(before: Part<'_>, after: Part<'_>) -> bool {
    let label = |part: Part<'_>| {
        let content_type = part.content_type();
        content_type
            .charset()
            .map(|label| label.as_bytes().to_vec())
    };
    before.transfer_encoding() != after.transfer_encoding() || label(before) != label(after)
}

#[cfg(test)]
mod tests {
    use super::{Allowed, Change, checksum, verify};
    use crate::charset::Options;

    /// RFC 2046, section 4.1.2: the label says what the octets are in. Those of another charset are
    /// not in UTF-8 because they are read in spite of their label.
    #[test]
    fn a_label_alone_makes_no_utf_8() {
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
        let allowed = Allowed {
            reading: Options::new(),
            attachments: false,
            declarations: false,
            loss: false,
            guessed: None,
        };
        let error = verify(&source, &result, &[change], &allowed).unwrap_err();
        assert!(error.to_string().contains("to say the same"), "{error}");
    }
}
