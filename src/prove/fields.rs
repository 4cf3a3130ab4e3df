//! Proves that each changed field means the same as before.

use std::ops::Range;

use memchr::memmem;

use super::change::Change;
use super::changed;
use super::edited::EditedField;
use super::mime_field::MimeField;
use super::options::Conversion;
use super::places::Places;
use super::rules::is_utf_8_label;
use super::second::SecondReadings;
use crate::charset::{Charset, Options, utf8};
use crate::decode::{self, Addresses, FieldText, TextForm, TextToCompare};
use crate::error::Error;
use crate::header::{self, Syntax};
use crate::message::{Field, Part};
use crate::report::{Finding, Kind};
use crate::transfer::TransferEncoding;

/// Maximum length in octets of a field body that is changed. A longer field is kept, with a finding of
/// kind [`Kind::Unconverted`].
///
/// ```
/// use mime_charset::{Kind, convert::{MAX_FIELD, Conversion, convert}};
///
/// let word = " =?koi8-r?Q?=F0?=";
/// let message = |body: usize| format!("X:{}{word}\n\n", " ".repeat(body - word.len()));
/// let (least, most) = (message(MAX_FIELD + 1), message(MAX_FIELD));
/// assert_eq!(convert(most.as_bytes(), &Conversion::new()).changes.len(), 1);
/// let converted = convert(least.as_bytes(), &Conversion::new());
/// assert!(converted.changes.is_empty() && converted.report.has(Kind::Unconverted));
/// ```
pub const MAX_FIELD: usize = 1 << 20;

/// The header of an entity in the source and in the result.
pub(super) struct HeaderPair<'p, 'm> {
    pub(super) before: Part<'p>,
    pub(super) after: Part<'m>,
    /// Whether the label or the transfer encoding of the body differs.
    pub(super) is_relabelled: bool,
    pub(super) changes: &'p [Change],
    /// Whether `convert` itself has just made these changes.
    pub(super) are_own: bool,
    pub(super) options: &'p Conversion,
}

impl<'m> HeaderPair<'_, 'm> {
    /// Compares the fields. Returns the number of changed or added ones.
    pub(super) fn compare(
        &self,
        places: &mut Places<'_>,
        readings: &mut SecondReadings<'m>,
    ) -> Result<usize, Error> {
        let mut count = 0;
        let mut old = self.before.fields();
        for new in self.after.fields() {
            let Some(range) = new.range() else {
                continue;
            };
            if changed::is_added(self.changes, &range) {
                if !self.is_relabelled || !may_be_added(&new) {
                    return Err(wrong(&new, "only MIME fields to be added"));
                }
                places.find_added(&range);
                count += 1;
                continue;
            }
            let old = old.next().filter(|old| old.name() == new.name());
            let old = old.ok_or_else(|| wrong(&new, "the fields of the source"))?;
            if old.body() != new.body() {
                count += 1;
                self.compare_field(old, &new, places)?;
                self.queue_reading(&new, readings);
            }
        }
        if old.next().is_some() {
            let at = self.after.header_range().map_or(0, |range| range.end);
            let sentence = "expected the fields of the source, found fewer";
            return Err(Error::at(at, sentence));
        }
        Ok(count)
    }

    fn compare_field(
        &self,
        old: Field<'_>,
        new: &Field<'_>,
        places: &mut Places<'_>,
    ) -> Result<(), Error> {
        let (before, after) = (self.before, self.after);
        if old.body().len() > MAX_FIELD {
            return Err(wrong(new, "a field of more than 1 MiB to be unchanged"));
        }
        let syntax = header::syntax(new.name());
        let names_encoding = new
            .name()
            .eq_ignore_ascii_case(b"Content-Transfer-Encoding");
        let has_new_encoding = before.transfer_encoding() != after.transfer_encoding();
        let old_range = old.body_range().unwrap_or_default();
        let new_range = new.body_range().unwrap_or_default();
        let changes = places.find(&old_range, &new_range);
        // `convert` has already compared the meaning of these octets. Fields with parameters are compared
        // again, since `convert` compares Content-Type by other rules.
        let is_compared = self.are_own
            && syntax != Syntax::Parameters
            && places.next_start().is_none_or(|next| old_range.end <= next)
            && are_all_differences(changes, &old_range, &new_range);
        let is_same =
            || is_compared || has_same_meaning(&old, new.body(), syntax, &self.options.decoding);
        if !(names_encoding && has_new_encoding || is_same()) {
            return Err(wrong(new, "a field with the same text"));
        }
        if syntax == Syntax::Parameters && breaks_rules(&old, new) {
            return Err(wrong(new, "a field that breaks no further rule"));
        }
        let edited = EditedField {
            part: before,
            field: old,
            changes,
            result: places.result(),
            describes_body: if names_encoding {
                has_new_encoding
            } else {
                self.is_relabelled
            },
        };
        let (violation, charsets) = edited.violation(self.options);
        if let Some(violation) = violation {
            return Err(wrong(new, &format!("{violation} to be unchanged")));
        }
        places.note_charsets(changes, &charsets);
        Ok(())
    }

    /// Queues a field of the result for mailparse.
    fn queue_reading(&self, new: &Field<'m>, readings: &mut SecondReadings<'m>) {
        let syntax = header::syntax(new.name());
        if let (Some(range), Syntax::Unstructured | Syntax::Addresses) = (new.body_range(), syntax)
            // Raw text always has findings.
            && new.body().is_ascii()
            && readings.can_grow()
        {
            let text = new.text_with(&self.options.decoding);
            // Each reader repairs broken words in its own way.
            if text.report().is_empty() {
                readings.add(TextToCompare {
                    range,
                    text: text.into_text(),
                    form: TextForm::Field(syntax),
                });
            }
        }
    }
}

fn wrong(new: &Field<'_>, expected: &str) -> Error {
    let name = String::from_utf8_lossy(new.name());
    let at = new.range().map_or(0, |range| range.start);
    let sentence = format!("expected {expected}, found another {name:.64} (at {at})");
    Error::at(at, sentence)
}

/// Whether `changes` are the only differences between the octets at `old_range` in the source and those at
/// `new_range` in the result. Octets outside all changes are known to be equal.
fn are_all_differences(
    changes: &[Change],
    old_range: &Range<usize>,
    new_range: &Range<usize>,
) -> bool {
    let removed: usize = changes.iter().map(|change| change.before.len()).sum();
    let added: usize = changes.iter().map(|change| change.after.len()).sum();
    let is_first_in_place = changes.first().is_some_and(|first| {
        first.before.start.checked_sub(old_range.start)
            == first.after.start.checked_sub(new_range.start)
    });
    is_first_in_place && old_range.len() + added == new_range.len() + removed
}

/// Whether a field that describes the body has a new fault.
fn breaks_rules(old: &Field<'_>, new: &Field<'_>) -> bool {
    let old = MimeField::parse(old.name(), old.body());
    let new = MimeField::parse(new.name(), new.body());
    if matches!(new, MimeField::Disposition(_)) {
        return false;
    }
    // The edit turns repeated sections into repeated parameters, and their number may exceed the limit.
    let may_be_new = [Kind::DuplicateParameter, Kind::LimitReached];
    // After a new fold in an invalid type, the rest of the type is skipped.
    let has_type = !old.report().has(Kind::InvalidMediaType);
    let mut kinds = new.report().iter().map(Finding::kind);
    kinds.any(|kind| {
        !(old.report().has(kind)
            || may_be_new.contains(&kind)
            || kind == Kind::SkippedText && !has_type)
    })
}

/// Whether a field may be added to label a part as UTF-8.
fn may_be_added(field: &Field<'_>) -> bool {
    let body = field.body();
    match &*field.name().to_ascii_lowercase() {
        b"content-type" => {
            let field = header::content_type(body);
            field.media_type() == "text/plain" && field.charset().is_some_and(is_utf_8_label)
        }
        b"content-transfer-encoding" => {
            let encoding = header::content_transfer_encoding(body).encoding();
            !matches!(
                encoding,
                TransferEncoding::Uuencode | TransferEncoding::Unknown
            )
        }
        b"mime-version" => body == b" 1.0",
        _ => false,
    }
}

/// Whether a field means the same with the body `new`, ignoring its charset parameter.
pub(crate) fn has_same_meaning(
    field: &Field<'_>,
    new: &[u8],
    syntax: Syntax,
    options: &Options,
) -> bool {
    let old = field.body();
    if decode::differ_in_words_alone(old, new, syntax, options) {
        return true;
    }
    let reading = &FieldReading {
        options,
        hinted: options_for(field, new, options),
    };
    have_same_meaning(field.name(), [old, new], syntax, [reading; 2])
}

/// Whether a Content-Type with the body `new` names UTF-8 and otherwise means the same.
pub(crate) fn has_same_meaning_in_utf_8(field: &Field<'_>, new: &[u8], options: &Options) -> bool {
    let content_type = header::content_type(new);
    content_type.charset().is_some_and(is_utf_8_label)
        && has_same_meaning(field, new, Syntax::Parameters, options)
}

/// How a field is decoded: raw octets and guesses with the hint of the message.
pub(super) struct FieldReading<'o> {
    pub(super) options: &'o Options,
    pub(super) hinted: Options,
}

impl FieldReading<'_> {
    /// Decodes with the options that a reader uses for this text of `octets`.
    fn read<'t>(&self, octets: &[u8], decode: impl Fn(&Options) -> FieldText<'t>) -> FieldText<'t> {
        if utf8::well_formed(octets).is_some() {
            let text = decode(self.options);
            if !text.is_guessed() {
                return text;
            }
        }
        decode(&self.hinted)
    }

    fn addresses<'a>(&self, body: &'a [u8]) -> Addresses<'a> {
        if utf8::well_formed(body).is_some() {
            let list = decode::addresses_with(body, self.options);
            if !list.mailboxes().any(|mailbox| mailbox.name.is_guessed()) {
                return list;
            }
        }
        decode::addresses_with(body, &self.hinted)
    }
}

/// Whether two bodies of a field mean the same, each in its own reading.
pub(super) fn have_same_meaning(
    name: &[u8],
    bodies: [&[u8]; 2],
    syntax: Syntax,
    readings: [&FieldReading<'_>; 2],
) -> bool {
    let ([old, new], [before, after]) = (bodies, readings);
    if syntax == Syntax::Parameters {
        let of = |body, reading| Meaning::of(&MimeField::parse(name, body), body, reading);
        return of(old, before) == of(new, after);
    }
    let text = |body: &[u8], reading: &FieldReading<'_>| {
        let decode = |options: &Options| {
            let body = body.trim_ascii_start();
            decode::field(body, syntax, options).into_owned()
        };
        reading.read(body, decode)
    };
    let (one, other) = (text(old, before), text(new, after));
    if syntax == Syntax::Addresses {
        // An encoded word may touch the bracket after it: ignore a blank before `<`.
        let [one, other] =
            [one, other].map(|text| without_quoting(text.as_str()).replace(" <", "<"));
        one == other && have_same_mailboxes(bodies, readings)
    } else {
        one.as_str() == other.as_str()
    }
}

/// The options for decoding a field before and after its edits.
fn options_for(field: &Field<'_>, new: &[u8], options: &Options) -> Options {
    let old = field.body();
    let is_ascii = old.is_ascii() && new.is_ascii();
    if is_ascii && decode::may_be_guessed(old) {
        return field.hinted(options);
    }
    if is_ascii || raw_octets(old).eq(raw_octets(new)) {
        // No raw text was converted. windows-1252 decodes any octets, so the raw text is decoded alike
        // whatever surrounds it.
        options.hint(Some(Charset::WINDOWS_1252))
    } else {
        field.reading(options)
    }
}

fn raw_octets(body: &[u8]) -> impl Iterator<Item = u8> {
    body.iter().copied().filter(|octet| !octet.is_ascii())
}

/// The meaning of a field with parameters.
#[derive(PartialEq, Eq)]
struct Meaning {
    value: String,
    /// Name and text of each parameter except the charset, sorted.
    parameters: Vec<(String, String)>,
    /// The text outside the parameters, without white space and semicolons.
    rest: String,
}

impl Meaning {
    fn of(field: &MimeField<'_>, body: &[u8], reading: &FieldReading<'_>) -> Meaning {
        let mut parameters: Vec<_> = field
            .parameters()
            .iter()
            .filter(|parameter| parameter.name() != "charset")
            .map(|parameter| {
                let text = reading.read(body, |options| parameter.text_with(options));
                (parameter.name().to_owned(), text.into_text().into_owned())
            })
            .collect();
        parameters.sort();
        Meaning {
            value: field.value().to_owned(),
            parameters,
            rest: outside_parameters(field, body, reading),
        }
    }
}

fn outside_parameters(field: &MimeField<'_>, body: &[u8], reading: &FieldReading<'_>) -> String {
    let mut rest = Vec::with_capacity(body.len());
    let mut at = 0;
    for range in field.parameter_ranges() {
        rest.extend_from_slice(body.get(at..range.start).unwrap_or_default());
        at = range.end;
    }
    rest.extend_from_slice(body.get(at..).unwrap_or_default());
    let is_plain = rest.is_ascii() && memmem::find(&rest, b"=?").is_none();
    let mut text = if is_plain {
        String::from_utf8_lossy(&rest).into_owned()
    } else {
        let decode = |options: &Options| decode::field(&rest, Syntax::Parameters, options);
        reading.read(&rest, decode).into_text().into_owned()
    };
    text.retain(|character| !character.is_ascii_whitespace() && character != ';');
    text
}

fn have_same_mailboxes([old, new]: [&[u8]; 2], [before, after]: [&FieldReading<'_>; 2]) -> bool {
    let (old, new) = (before.addresses(old), after.addresses(new));
    let mut others = new.mailboxes();
    old.mailboxes().all(|mailbox| {
        others.next().is_some_and(|other| {
            mailbox.octets() == other.octets()
                && without_quoting(mailbox.name.as_str()) == without_quoting(other.name.as_str())
        })
    }) && others.next().is_none()
}

/// A phrase without quotes and backslashes, with one blank for each run of white space.
fn without_quoting(text: &str) -> String {
    let mut phrase = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '"' | '\\' => {}
            ' ' | '\t' if phrase.is_empty() || phrase.ends_with(' ') => {}
            ' ' | '\t' => phrase.push(' '),
            _ => phrase.push(character),
        }
    }
    phrase.truncate(phrase.trim_end_matches(' ').len());
    phrase
}
