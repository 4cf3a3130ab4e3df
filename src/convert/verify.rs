//! The proof that a conversion changed what it says, and nothing in what the mail says.
//!
//! Nothing is taken from the conversion but the list of its changes. Both messages are read
//! anew:
//!
//! - octets outside the changed ranges are compared one by one;
//! - octets inside them have to have the checksum of their change, which names a damaged
//!   octet too;
//! - each change has to lie in a field or in a text part, and in nothing that a conversion has
//!   to leave alone;
//! - each changed field and part has to say what it said, and the structure of the message
//!   has to be the same;
//! - with the feature `mailparse`, that library reads the changed parts and fields of the
//!   result, and has to find the same text wherever it reads the mail as this library does.
//!
//! Text is compared octet for octet, line ends too, but for text that went from 7bit, 8bit
//! or binary to base64: there CRLF stands for the line ends of the message.

use std::borrow::Cow;
use std::collections::HashMap;
use std::iter;
use std::ops::Range;

use super::pieces::{self, Text};
use super::scope::{self, Edited, Places, ReadAs};
use super::{Change, MAX_FIELD, Options, body, checksum, field};
use crate::charset::{self, Charset};
use crate::error::Error;
use crate::header::{self, Syntax};
#[cfg(feature = "mailparse")]
use crate::mailparse::{Reading, What, agrees};
use crate::message::{Field, Message, Part};
use crate::report::{Finding, Kind, Report};
use crate::transfer::{DEPARTURES, TransferEncoding};

/// What was compared, and found to be the same.
///
/// ```
/// use mime_charset::convert::{Options, Verification, convert, verify};
///
/// let source = b"Subject: plain\n\n";
/// let proof: Verification = verify(source, source, &[], &Options::new()).unwrap();
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
    /// use mime_charset::convert::{Options, convert, verify};
    ///
    /// let source = b"X: =?latin1?Q?=E9?=\nContent-Type: text/plain; charset=latin1\n\n\xE9\n";
    /// let converted = convert(source, &Options::new());
    /// let (octets, changes) = (converted.octets(), converted.changes());
    /// let proof = verify(source, octets, changes, &Options::new()).unwrap();
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
    /// use mime_charset::convert::{Options, convert, verify};
    ///
    /// let source = b"X: =?latin1?Q?=E9?=\nContent-Type: text/plain; charset=latin1\n\n\xE9\n";
    /// let converted = convert(source, &Options::new());
    /// let (octets, changes) = (converted.octets(), converted.changes());
    /// let proof = verify(source, octets, changes, &Options::new()).unwrap();
    /// assert_eq!(proof.fields(), 3);
    /// ```
    #[must_use]
    pub fn fields(&self) -> usize {
        self.fields
    }

    /// How many bodies have other octets and the same text.
    ///
    /// ```
    /// use mime_charset::convert::{Options, convert, verify};
    ///
    /// let source = b"X: =?latin1?Q?=E9?=\nContent-Type: text/plain; charset=latin1\n\n\xE9\n";
    /// let converted = convert(source, &Options::new());
    /// let (octets, changes) = (converted.octets(), converted.changes());
    /// let proof = verify(source, octets, changes, &Options::new()).unwrap();
    /// assert_eq!(proof.parts(), 1);
    /// ```
    #[must_use]
    pub fn parts(&self) -> usize {
        self.parts
    }

    /// How many bodies have the same octets under another label, and the same text.
    ///
    /// ```
    /// use mime_charset::convert::{Options, convert, verify};
    ///
    /// let source = b"Content-Type: text/plain; charset=latin1\n\ne\n";
    /// let converted = convert(source, &Options::new());
    /// let (octets, changes) = (converted.octets(), converted.changes());
    /// let proof = verify(source, octets, changes, &Options::new()).unwrap();
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
    /// use mime_charset::convert::{Options, convert, verify};
    ///
    /// let source = b"X: =?latin1?Q?=E9?=\nContent-Type: text/plain; charset=latin1\n\n\xE9\n";
    /// let converted = convert(source, &Options::new());
    /// let (octets, changes) = (converted.octets(), converted.changes());
    /// let proof = verify(source, octets, changes, &Options::new()).unwrap();
    /// assert!(proof.second_readings() <= 2);
    /// ```
    #[must_use]
    pub fn second_readings(&self) -> usize {
        self.second_readings
    }
}

/// Proves that `result` is `source` with these changes, made with these options, and says
/// the same.
///
/// # Errors
///
/// The first thing that does not hold; its offset counts octets of `result`. A single
/// damaged octet is named by it.
///
/// ```
/// use mime_charset::convert::{Options, convert, verify};
///
/// let source = b"Subject: =?koi8-r?B?8NLJ18XU?=\n\n";
/// let converted = convert(source, &Options::new());
/// let proof = verify(source, converted.octets(), converted.changes(), &Options::new());
/// assert_eq!(proof.unwrap().fields(), 1);
///
/// let mut damaged = converted.octets().to_vec();
/// damaged[20] ^= 1;
/// let error = verify(source, &damaged, converted.changes(), &Options::new()).unwrap_err();
/// assert_eq!(error.offset(), Some(20));
/// ```
pub fn verify(
    source: &[u8],
    result: &[u8],
    changes: &[Change],
    options: &Options,
) -> Result<Verification, Error> {
    prove(source, result, &Changed::new(changes), options)
}

/// [`verify`] for the changes of a conversion that was just made with these options. What a
/// field says is not asked a second time where the conversion asked it of the same octets.
pub(super) fn verify_own(
    source: &[u8],
    result: &[u8],
    changes: &[Change],
    options: &Options,
) -> Result<Verification, Error> {
    let own = Changed {
        are_own: true,
        ..Changed::new(changes)
    };
    prove(source, result, &own, options)
}

fn prove(
    source: &[u8],
    result: &[u8],
    ranges: &Changed<'_>,
    options: &Options,
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
    let options = options.of_source();
    let (old, new) = (Message::parse(source), Message::parse(result));
    let mut seconds = Seconds::default();
    let mut places = Places::new(changes, result);
    // Whether what stands in each entity is signed or encrypted.
    let mut seals = Vec::new();
    let mut entities = old.entities();
    for after in new.entities() {
        let at = after.header_range().map_or(0, |range| range.start);
        let before = entities
            .next()
            .filter(|before| is_same_entity(*before, after))
            .ok_or_else(|| Error::at(at, "expected the parts of the source, found others"))?;
        let parent = before.parent().and_then(|parent| seals.get(parent.index()));
        let is_sealed = parent == Some(&true);
        seals.push(is_sealed || scope::is_seal(before));
        let (Some(header), Some(body)) = (after.header_range(), after.body_range()) else {
            continue;
        };
        // What is changed under a seal has no place.
        if is_sealed || (!ranges.touches(&header) && !ranges.touches(&body)) {
            continue;
        }
        let is_relabelled = is_relabelled(before, after);
        if is_relabelled && !after.is_text() {
            let at = header.start;
            let sentence =
                format!("expected the label of what is no text, found another (at {at})");
            return Err(Error::at(at, sentence));
        }
        verification.fields += same_fields(
            before,
            after,
            is_relabelled,
            ranges,
            &options,
            &mut places,
            &mut seconds,
        )?;
        if after.is_text() && (is_relabelled || before.body() != after.body()) {
            let (text, charset) = same_text(before, after, &options)?;
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

impl Options {
    /// As [`convert`](super::convert) reads.
    pub(super) fn of_source(&self) -> Options {
        let reading = self.reading.bom(charset::Bom::Keep);
        self.reading(reading.assume_pre_amendment5(false))
    }
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

/// Where two runs of octets differ first, of those that both have.
fn difference(one: &[u8], other: &[u8]) -> Option<usize> {
    let length = one.len().min(other.len());
    // All at once, and one by one where something is other.
    if one.get(..length) == other.get(..length) {
        return None;
    }
    one.iter().zip(other).position(|(one, other)| one != other)
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
    let sentence = format!("expected another octet in a change, found damage (at {at})");
    Err(Error::at(at, sentence))
}

/// Which octets of the result are not those of the source.
struct Changed<'c> {
    changes: &'c [Change],
    /// In order, without overlaps.
    ranges: Vec<Range<usize>>,
    /// Where something was added to nothing, by its start.
    added: HashMap<usize, Range<usize>>,
    /// Whether they are those of a conversion that was just made.
    are_own: bool,
}

impl<'c> Changed<'c> {
    fn new(changes: &'c [Change]) -> Self {
        let added = changes
            .iter()
            .filter(|change| change.before.is_empty())
            .map(|change| (change.after.start, change.after()))
            .collect();
        Changed {
            changes,
            ranges: changes.iter().map(Change::after).collect(),
            added,
            are_own: false,
        }
    }

    /// Whether a change lies in the range or at its ends.
    fn touches(&self, range: &Range<usize>) -> bool {
        let first = self.ranges.partition_point(|known| known.end < range.start);
        self.ranges
            .get(first)
            .is_some_and(|known| known.start <= range.end)
    }

    fn is_added(&self, field: &Range<usize>) -> bool {
        self.added
            .get(&field.start)
            .is_some_and(|added| added.end >= field.end)
    }
}

fn is_same_entity(before: Part<'_>, after: Part<'_>) -> bool {
    let parent = |part: Part<'_>| part.parent().map(Part::index);
    parent(before) == parent(after)
        && before.is_message() == after.is_message()
        && before.is_text() == after.is_text()
        && before.header_range().is_some() == after.header_range().is_some()
        && before.content_type().media_type() == after.content_type().media_type()
}

/// Whether the header says other things of the octets of a body. The same octets under the same
/// label are the same text, whatever else in a message a guess may go by.
fn is_relabelled(before: Part<'_>, after: Part<'_>) -> bool {
    let label = |part: Part<'_>| {
        let content_type = part.content_type();
        content_type
            .charset()
            .map(|label| label.as_bytes().to_vec())
    };
    before.transfer_encoding() != after.transfer_encoding() || label(before) != label(after)
}

/// Compares the fields of two headers; gives how many were changed or added.
fn same_fields<'m>(
    before: Part<'_>,
    after: Part<'m>,
    is_relabelled: bool,
    changed: &Changed<'_>,
    options: &Options,
    places: &mut Places<'_>,
    seconds: &mut Seconds<'m>,
) -> Result<usize, Error> {
    let mut count = 0;
    let mut old = before.fields();
    for new in after.fields() {
        let Some(range) = new.range() else {
            continue;
        };
        let wrong = |what: &str| {
            let name = String::from_utf8_lossy(new.name()).into_owned();
            let start = range.start;
            let sentence = format!("expected {what}, found another {name:.64} (at {start})");
            Error::at(start, sentence)
        };
        if changed.is_added(&range) {
            if !is_relabelled || !may_be_added(&new) {
                return Err(wrong("fields of MIME to be added"));
            }
            places.find_added(&range);
            count += 1;
            continue;
        }
        let old = old.next().filter(|old| old.name() == new.name());
        let old = old.ok_or_else(|| wrong("the fields of the source"))?;
        if old.body() == new.body() {
            continue;
        }
        count += 1;
        if old.body().len() > MAX_FIELD {
            return Err(wrong("a field of so many octets to stay"));
        }
        let syntax = header::syntax(new.name());
        let is_encoding = new
            .name()
            .eq_ignore_ascii_case(b"Content-Transfer-Encoding");
        let is_encoded_anew = before.transfer_encoding() != after.transfer_encoding();
        let was = old.body_range().unwrap_or_default();
        let is = new.body_range().unwrap_or_default();
        let edits = places.find(&was, &is);
        // What a body is in is said by one that the conversion has asked otherwise.
        let is_asked = changed.are_own
            && syntax != Syntax::Parameters
            && places.next_start().is_none_or(|next| was.end <= next)
            && are_all(edits, &was, &is);
        let says_the_same = || is_asked || field::says_the_same(&old, new.body(), syntax, options);
        if !(is_encoding && is_encoded_anew || says_the_same()) {
            return Err(wrong("a field that says the same"));
        }
        if syntax == Syntax::Parameters && breaks_rules(&old, &new) {
            return Err(wrong("a field that keeps the same rules"));
        }
        let edited = Edited {
            part: before,
            changes: edits,
            result: places.result(),
            is_of_body: if is_encoding {
                is_encoded_anew
            } else {
                is_relabelled
            },
            field: old,
        };
        let mut charsets = Vec::new();
        if let Some(what) = edited.stays(options, &mut charsets) {
            return Err(wrong(&format!("{what} to stay")));
        }
        places.name_charsets(edited.changes, &charsets);
        if let (Some(range), Syntax::Unstructured | Syntax::Addresses) = (new.body_range(), syntax)
            // Of raw text there is something to report.
            && new.body().is_ascii()
            && seconds.have_room()
        {
            let text = new.text_with(&options.reading);
            // What the source has wrong about words is read by each in its own way.
            if text.report().is_empty() {
                seconds.add(Second {
                    range,
                    text: text.into_text(),
                    what: Read::Field(syntax),
                });
            }
        }
    }
    if old.next().is_some() {
        let at = after.header_range().map_or(0, |range| range.end);
        let sentence = "expected the fields of the source, found fewer";
        return Err(Error::at(at, sentence));
    }
    Ok(count)
}

/// Whether octets of the source with these changes in them are those of the result, where nothing
/// is another outside of changes.
fn are_all(changes: &[Change], was: &Range<usize>, is: &Range<usize>) -> bool {
    let gone: usize = changes.iter().map(|change| change.before.len()).sum();
    let more: usize = changes.iter().map(|change| change.after.len()).sum();
    let is_first_in_place = changes.first().is_some_and(|first| {
        first.before.start.checked_sub(was.start) == first.after.start.checked_sub(is.start)
    });
    is_first_in_place && was.len() + more == is.len() + gone
}

/// Whether a field that says what the body is has something wrong that it had not before.
fn breaks_rules(old: &Field<'_>, new: &Field<'_>) -> bool {
    let report = |field: &Field<'_>| match &*field.name().to_ascii_lowercase() {
        b"content-type" => header::content_type(field.body()).report().clone(),
        b"content-transfer-encoding" => {
            let encoding = header::content_transfer_encoding(field.body());
            encoding.report().clone()
        }
        _ => Report::new(),
    };
    let (old, new) = (report(old), report(new));
    // Sections that stand again become parameters that do, of which too many may be shown.
    let may_be_new = [Kind::DuplicateParameter, Kind::LimitReached];
    // Text in the place of a type may have a fold now, and what is behind it is skipped.
    let is_type = !old.has(Kind::InvalidMediaType);
    let mut kinds = new.findings().iter().map(Finding::kind);
    kinds.any(|kind| {
        !(old.has(kind) || may_be_new.contains(&kind) || kind == Kind::SkippedText && !is_type)
    })
}

/// Whether a field is one that a part may need for its text to be UTF-8.
fn may_be_added(field: &Field<'_>) -> bool {
    let body = field.body();
    match &*field.name().to_ascii_lowercase() {
        b"content-type" => {
            let field = header::content_type(body);
            field.media_type() == "text/plain" && field.charset().is_some_and(body::names_utf_8)
        }
        b"content-transfer-encoding" => {
            header::content_transfer_encoding(body).encoding() != TransferEncoding::Unknown
        }
        b"mime-version" => body == b" 1.0",
        _ => false,
    }
}

/// Compares the text of two parts; gives it, unless it is a large one, and the charset it was in.
fn same_text<'m>(
    before: Part<'_>,
    after: Part<'m>,
    options: &Options,
) -> Result<(Option<Cow<'m, str>>, Charset), Error> {
    if before.body().len().max(after.body().len()) > body::LARGE {
        let charset = same_text_in_pieces(before, after, options)?;
        return Ok((None, charset));
    }
    let (old, new) = (body::text(before, options), body::text(after, options));
    let octets = before.octets();
    let octets = octets.octets();
    let read = ReadAs {
        charset: old.charset(),
        source: old.source(),
        report: old.report(),
        is_ascii: octets.is_ascii(),
    };
    may_be_changed(before, after, &read, || body::has_openpgp(octets), options)?;
    is_encoded_and_labelled(before, after, new.report())?;
    // A damaged U+FFFD would be read as one.
    let is_utf_8 = new.report().replacements() == 0;
    let charset = old.charset();
    let mut expected = old.into_text();
    if is_fixed(before, after, options) {
        let content_type = before.content_type();
        body::fix_declaration(expected.to_mut(), content_type.media_type());
    }
    let found = new.into_text();
    let same = if goes_to_base64(before, after) {
        without_cr(&expected).eq(without_cr(&found))
    } else {
        expected == found
    };
    if same && is_utf_8 {
        return Ok((Some(found), charset));
    }
    let place = expected
        .chars()
        .zip(found.chars())
        .take_while(|(old, new)| old == new)
        .count();
    Err(other_text(after, place))
}

/// Whether a document may name UTF-8 now: one whose octets stay keeps what it says.
fn is_fixed(before: Part<'_>, after: Part<'_>, options: &Options) -> bool {
    options.fix_declarations && before.body() != after.body()
}

/// [`same_text`] where neither of the texts is ever there as a whole.
fn same_text_in_pieces(
    before: Part<'_>,
    after: Part<'_>,
    options: &Options,
) -> Result<Charset, Error> {
    let decision = before.decide(&options.reading);
    let mut how = pieces::how(before, decision.charset(), options);
    if is_fixed(before, after, options) {
        how.fixed = Some(before.content_type().media_type().to_owned());
    }
    let how = pieces::settled(before.body(), how);
    let is_canonical = goes_to_base64(before, after);
    let mut old = Compared::new(Text::new(before.body(), how), is_canonical);
    // It has to be labelled so.
    let how = pieces::how(after, Charset::UTF_8, options);
    let mut new = Compared::new(Text::new(after.body(), how), is_canonical);
    let mut characters = 0;
    let is_same = loop {
        let (expected, found) = (old.octets(), new.octets());
        let length = expected.len().min(found.len());
        let same = difference(expected, found).unwrap_or(length);
        let is_start = |octet: u8| octet & 0xC0 != 0x80;
        let common = expected.get(..same).unwrap_or_default();
        characters += charset::count_of(common, is_start);
        if length == 0 || same < length {
            break expected.is_empty() && found.is_empty();
        }
        old.take(length);
        new.take(length);
    };
    let (old, new) = (old.text.finish(), new.text.finish());
    let mut report = old.transfer;
    report.absorb(decision.report().clone(), 0);
    report.absorb(old.report, 0);
    let charset = old.charset;
    let read = ReadAs {
        charset,
        source: decision.source(),
        report: &report,
        is_ascii: !old.octets.is_not_ascii,
    };
    may_be_changed(before, after, &read, || old.octets.has_openpgp, options)?;
    is_encoded_and_labelled(before, after, &new.transfer)?;
    if is_same && new.report.replacements() == 0 {
        Ok(charset)
    } else {
        Err(other_text(after, characters))
    }
}

/// A text as it is compared, piece by piece.
struct Compared<'b> {
    text: Text<'b>,
    /// Whether CRLF counts as LF.
    is_canonical: bool,
    room: Vec<u8>,
    taken: usize,
    /// Whether a CR came last, which LF may follow.
    has_cr: bool,
}

impl<'b> Compared<'b> {
    fn new(text: Text<'b>, is_canonical: bool) -> Self {
        Compared {
            text,
            is_canonical,
            room: Vec::new(),
            taken: 0,
            has_cr: false,
        }
    }

    /// What is to be compared next; empty at the end.
    fn octets(&mut self) -> &[u8] {
        while self.taken >= self.room.len() {
            self.room.clear();
            self.taken = 0;
            let piece = self.text.piece();
            if piece.is_empty() {
                if std::mem::take(&mut self.has_cr) {
                    self.room.push(b'\r');
                }
                break;
            }
            if self.is_canonical {
                if std::mem::take(&mut self.has_cr) && !piece.starts_with('\n') {
                    self.room.push(b'\r');
                }
                let whole = piece.strip_suffix('\r');
                self.has_cr = whole.is_some();
                self.room.extend(without_cr(whole.unwrap_or(piece)));
            } else {
                self.room.extend_from_slice(piece.as_bytes());
            }
            let length = piece.len();
            self.text.take(length);
        }
        self.room.get(self.taken..).unwrap_or_default()
    }

    fn take(&mut self, length: usize) {
        self.taken += length;
    }
}

/// Whether a part may be changed as it is.
fn may_be_changed(
    before: Part<'_>,
    after: Part<'_>,
    read: &ReadAs<'_>,
    has_openpgp: impl FnOnce() -> bool,
    options: &Options,
) -> Result<(), Error> {
    let encoding = before.transfer_encoding();
    let stays = scope::stays(before, read, has_openpgp, options)
        .or_else(|| {
            let is_other = before.body() != after.body();
            (is_other && scope::needs_label_alone(read)).then_some("the octets of UTF-8")
        })
        .or_else(|| {
            let is_other = encoding != after.transfer_encoding();
            let may_be = encoding.is_identity() && is_new_encoding(after.transfer_encoding());
            (is_other && !may_be).then_some("the transfer encoding")
        });
    let Some(what) = stays else { return Ok(()) };
    let (section, at) = (after.section(), start_of(after));
    let sentence = format!("expected {what} to stay in part {section}, found a change (at {at})");
    Err(Error::at(at, sentence))
}

/// Whether a part is encoded by the rules, where it is another, and says UTF-8.
fn is_encoded_and_labelled(
    before: Part<'_>,
    after: Part<'_>,
    report: &Report,
) -> Result<(), Error> {
    let (section, at) = (after.section(), start_of(after));
    let is_odd = |kind: &Kind| report.has(*kind);
    if before.body() != after.body() && DEPARTURES.iter().any(is_odd) {
        let sentence = format!("expected part {section} to be encoded by the rules (at {at})");
        return Err(Error::at(at, sentence));
    }
    let content_type = after.content_type();
    if content_type.charset().is_some_and(body::names_utf_8) {
        return Ok(());
    }
    let sentence = format!("expected part {section} to say UTF-8, found another label (at {at})");
    Err(Error::at(at, sentence))
}

fn other_text(part: Part<'_>, place: usize) -> Error {
    let (section, at) = (part.section(), start_of(part));
    let sentence = format!(
        "expected part {section} (at {at}) to say the same, found another text from character {place} on"
    );
    Error::at(at, sentence)
}

fn start_of(part: Part<'_>) -> usize {
    part.body_range().map_or(0, |range| range.start)
}

/// Under base64 lines end in CRLF, whatever they did before.
fn goes_to_base64(before: Part<'_>, after: Part<'_>) -> bool {
    before.transfer_encoding().is_identity()
        && after.transfer_encoding() == TransferEncoding::Base64
}

/// Whether text in UTF-8 may be put under an encoding that it was not under.
fn is_new_encoding(encoding: TransferEncoding) -> bool {
    matches!(
        encoding,
        TransferEncoding::EightBit | TransferEncoding::QuotedPrintable | TransferEncoding::Base64
    )
}

/// The octets with LF for CRLF.
fn without_cr(text: &str) -> impl Iterator<Item = u8> {
    let mut octets = text.bytes().peekable();
    iter::from_fn(move || {
        octets.next().map(|octet| match (octet, octets.peek()) {
            (b'\r', Some(b'\n')) => octets.next().unwrap_or(octet),
            _ => octet,
        })
    })
}

/// How many texts a second reader is asked about: they are kept until it is.
const MOST_SECONDS: usize = 16_384;

/// How many octets these may have together.
const MOST_SECOND_OCTETS: usize = 2 << 20;

/// What a second reader is asked about, until it is.
#[derive(Default)]
struct Seconds<'m> {
    list: Vec<Second<'m>>,
    octets: usize,
}

impl<'m> Seconds<'m> {
    fn have_room(&self) -> bool {
        self.list.len() < MOST_SECONDS && self.octets < MOST_SECOND_OCTETS
    }

    fn add(&mut self, second: Second<'m>) {
        if self.have_room() && second.text.len() <= MOST_SECOND_OCTETS - self.octets {
            self.octets += second.text.len();
            self.list.push(second);
        }
    }
}

/// Something for a second reader to read.
#[cfg_attr(
    not(feature = "mailparse"),
    expect(dead_code, reason = "the second reader is mailparse")
)]
struct Second<'m> {
    /// Where it stands in the result: a body, or the body of a field.
    range: Range<usize>,
    text: Cow<'m, str>,
    what: Read,
}

/// What was read: a body under this encoding, or a field of this syntax.
#[cfg_attr(
    not(feature = "mailparse"),
    expect(dead_code, reason = "the second reader is mailparse")
)]
enum Read {
    Body(TransferEncoding),
    Field(Syntax),
}

#[cfg(feature = "mailparse")]
impl Second<'_> {
    /// As it stands in a message that starts at `start`.
    fn reading(&self, start: usize) -> Reading<'_> {
        Reading {
            range: self.range.start - start..self.range.end - start,
            text: &self.text,
            what: match self.what {
                Read::Body(encoding) => What::Body(encoding),
                Read::Field(syntax) => What::Field(syntax),
            },
        }
    }
}

#[cfg(not(feature = "mailparse"))]
#[expect(clippy::unnecessary_wraps, reason = "the other one can fail")]
fn read_again(_: &Message<'_>, _: &mut [Second<'_>]) -> Result<usize, Error> {
    Ok(0)
}

/// How many times its length mailparse may read of a message: once for each message around a
/// text would be a hundred times.
#[cfg(feature = "mailparse")]
const MOST_TIMES: usize = 8;

/// Has mailparse read what was changed, in the innermost message around it: it looks into no
/// message that is inside another.
#[cfg(feature = "mailparse")]
fn read_again(message: &Message<'_>, seconds: &mut [Second<'_>]) -> Result<usize, Error> {
    seconds.sort_by_key(|second| second.range.start);
    let mut is_read = vec![false; seconds.len()];
    let mut room = MOST_TIMES.saturating_mul(message.source().len());
    let (mut count, mut first_other) = (0, None);
    let is_root = |part: &Part<'_>| part.parent().is_none_or(Part::is_message);
    let roots: Vec<_> = message.entities().filter(is_root).collect();
    // Inner messages stand behind those that they are in.
    for root in roots.into_iter().rev() {
        let (Some(header), Some(body)) = (root.header_range(), root.body_range()) else {
            continue;
        };
        let first = seconds.partition_point(|second| second.range.start < header.start);
        let (Some(behind), Some(is_read)) = (seconds.get(first..), is_read.get_mut(first..)) else {
            continue;
        };
        let own: Vec<_> = behind
            .iter()
            .zip(is_read)
            .take_while(|(second, _)| second.range.start <= body.end)
            .filter_map(|(second, is_read)| (!std::mem::replace(is_read, true)).then_some(second))
            .collect();
        let Some(last) = own.last() else {
            continue;
        };
        // Fields of its own are read without what is behind them.
        let end = if last.range.end <= header.end {
            header.end
        } else {
            body.end
        };
        let octets = message.source().get(header.start..end).unwrap_or_default();
        if octets.len() > room {
            continue;
        }
        room -= octets.len();
        let readings: Vec<_> = own.iter().map(|own| own.reading(header.start)).collect();
        for (own, agrees) in own.iter().zip(agrees(octets, &readings)) {
            count += usize::from(agrees == Some(true));
            if agrees == Some(false) {
                let at = own.range.start;
                first_other = Some(first_other.map_or(at, |first: usize| first.min(at)));
            }
        }
    }
    let Some(at) = first_other else {
        return Ok(count);
    };
    let sentence = format!("expected mailparse to read the same, found another text (at {at})");
    Err(Error::at(at, sentence))
}
