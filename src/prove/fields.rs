//! What the fields of a header say, before and after they were changed.

use std::ops::Range;
use std::sync::LazyLock;

use memchr::memmem::Finder;

use super::allowed::Allowed;
use super::change::Change;
use super::changed::Changed;
use super::scope::{Edited, Places, names_utf_8, places_of};
use super::second::{Read, Second, Seconds};
use crate::charset::{Charset, Options};
use crate::decode;
use crate::error::Error;
use crate::header::{self, ContentType, Parameter, Syntax};
use crate::message::{Field, Part};
use crate::report::{Finding, Kind, Report};
use crate::transfer::TransferEncoding;

/// How many octets the body of a field may have to be changed; a longer one stays as it is,
/// which is a [`Kind::Unconverted`].
///
/// ```
/// use mime_charset::{Kind, convert::{MAX_FIELD, Conversion, convert}};
///
/// let word = " =?koi8-r?Q?=F0?=";
/// let message = |body: usize| format!("X:{}{word}\n\n", " ".repeat(body - word.len()));
/// let (least, most) = (message(MAX_FIELD + 1), message(MAX_FIELD));
/// assert_eq!(convert(most.as_bytes(), &Conversion::new()).changes().len(), 1);
/// let converted = convert(least.as_bytes(), &Conversion::new());
/// assert!(converted.changes().is_empty() && converted.report().has(Kind::Unconverted));
/// ```
pub const MAX_FIELD: usize = 1 << 20;

/// Compares the fields of two headers; gives how many were changed or added.
pub(super) fn same_fields<'m>(
    before: Part<'_>,
    after: Part<'m>,
    is_relabelled: bool,
    changed: &Changed<'_>,
    allowed: &Allowed,
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
        let says_the_same =
            || is_asked || says_the_same(&old, new.body(), syntax, &allowed.reading);
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
        if let Some(what) = edited.stays(allowed, &mut charsets) {
            return Err(wrong(&format!("{what} to stay")));
        }
        places.name_charsets(edited.changes, &charsets);
        read_again(&new, syntax, allowed, seconds);
    }
    if old.next().is_some() {
        let at = after.header_range().map_or(0, |range| range.end);
        let sentence = "expected the fields of the source, found fewer";
        return Err(Error::at(at, sentence));
    }
    Ok(count)
}

/// Notes a field of the result that is to be read a second time, by another reader.
fn read_again<'m>(new: &Field<'m>, syntax: Syntax, allowed: &Allowed, seconds: &mut Seconds<'m>) {
    if let (Some(range), Syntax::Unstructured | Syntax::Addresses) = (new.body_range(), syntax)
        // Of raw text there is something to report.
        && new.body().is_ascii()
        && seconds.can_grow()
    {
        let text = new.text_with(&allowed.reading);
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
            field.media_type() == "text/plain" && field.charset().is_some_and(names_utf_8)
        }
        b"content-transfer-encoding" => {
            header::content_transfer_encoding(body).encoding() != TransferEncoding::Unknown
        }
        b"mime-version" => body == b" 1.0",
        _ => false,
    }
}

/// Whether a field says the same as before; of a charset parameter, whatever it says.
pub(crate) fn says_the_same(
    field: &Field<'_>,
    new: &[u8],
    syntax: Syntax,
    options: &Options,
) -> bool {
    let old = field.body();
    if decode::differ_in_words_alone(old, new, syntax, options) {
        return true;
    }
    let options = &reading(field, new, options);
    say_the_same(field.name(), [old, new], syntax, [options; 2])
}

/// Whether two bodies of a field say the same, each read with its own options.
pub(super) fn say_the_same(
    name: &[u8],
    bodies: [&[u8]; 2],
    syntax: Syntax,
    options: [&Options; 2],
) -> bool {
    let ([old, new], [before, after]) = (bodies, options);
    if syntax == Syntax::Parameters {
        return parameters_of(name, old, before) == parameters_of(name, new, after);
    }
    let one = decode::field(old.trim_ascii_start(), syntax, before);
    let other = decode::field(new.trim_ascii_start(), syntax, after);
    if syntax == Syntax::Addresses {
        bare(one.as_str()).eq(bare(other.as_str())) && same_names_and_addresses(bodies, options)
    } else {
        one.as_str() == other.as_str()
    }
}

/// How a field is read before and after its edits.
fn reading(field: &Field<'_>, new: &[u8], options: &Options) -> Options {
    let old = field.body();
    let is_ascii = old.is_ascii() && new.is_ascii();
    if is_ascii && decode::may_be_guessed(old) {
        return field.hinted(options);
    }
    if is_ascii || raw_octets(old).eq(raw_octets(new)) {
        // No raw text was converted. A charset that reads any octets then keeps what is around
        // raw text from having a say in how it is read.
        options.hint(Some(Charset::WINDOWS_1252))
    } else {
        field.reading(options)
    }
}

fn raw_octets(body: &[u8]) -> impl Iterator<Item = u8> {
    body.iter().copied().filter(|octet| !octet.is_ascii())
}

/// What a field with parameters says.
#[derive(PartialEq, Eq)]
struct Said {
    value: String,
    /// All but the charset, by name.
    parameters: Vec<(String, String)>,
    /// What stands outside of them, without white space and separators.
    rest: String,
}

fn parameters_of(name: &[u8], body: &[u8], options: &Options) -> Said {
    if name.eq_ignore_ascii_case(b"Content-Type") {
        content_type_says(&header::content_type(body), body, options)
    } else if name.eq_ignore_ascii_case(b"Content-Disposition") {
        let field = header::content_disposition(body);
        Said {
            value: field.disposition().to_owned(),
            parameters: texts(field.parameters(), options),
            rest: outside(field.parameters(), field.report(), body, options),
        }
    } else {
        let field = header::content_transfer_encoding(body);
        Said {
            value: field.encoding().to_string(),
            parameters: Vec::new(),
            rest: outside(&[], field.report(), body, options),
        }
    }
}

fn content_type_says(field: &ContentType<'_>, body: &[u8], options: &Options) -> Said {
    Said {
        value: field.media_type().to_owned(),
        parameters: texts(field.parameters(), options),
        rest: outside(field.parameters(), field.report(), body, options),
    }
}

fn texts(parameters: &[Parameter<'_>], options: &Options) -> Vec<(String, String)> {
    let others = parameters.iter().filter(|one| one.name() != "charset");
    let mut texts: Vec<_> = others
        .map(|one| (one.name().to_owned(), one.text_with(options).into()))
        .collect();
    texts.sort();
    texts
}

/// The text of a body without its parameters, those that stand again among them.
fn outside(
    parameters: &[Parameter<'_>],
    report: &Report,
    body: &[u8],
    options: &Options,
) -> String {
    let text_of = |octets: &[u8]| {
        let text = decode::field(octets, Syntax::Parameters, options);
        text.into_text().into_owned()
    };
    let mut left = Vec::with_capacity(body.len());
    let mut at = 0;
    for place in places_of(parameters, report) {
        left.extend_from_slice(body.get(at..place.start).unwrap_or_default());
        at = place.end;
    }
    left.extend_from_slice(body.get(at..).unwrap_or_default());
    let is_plain = left.is_ascii() && WORD.find(&left).is_none();
    let mut text = match String::from_utf8(left) {
        Ok(text) if is_plain => text,
        Ok(text) => text_of(text.as_bytes()),
        Err(other) => text_of(other.as_bytes()),
    };
    text.retain(|character| !character.is_ascii_whitespace() && character != ';');
    text
}

fn same_names_and_addresses([old, new]: [&[u8]; 2], [before, after]: [&Options; 2]) -> bool {
    let old = decode::addresses_with(old, before);
    let new = decode::addresses_with(new, after);
    let mut others = new.mailboxes();
    old.mailboxes().all(|mailbox| {
        others.next().is_some_and(|other| {
            mailbox.octets() == other.octets() && bare(mailbox.name()).eq(bare(other.name()))
        })
    }) && others.next().is_none()
}

/// Without what quoting adds and without white space, which a phrase does not count.
fn bare(text: &str) -> impl Iterator<Item = u8> {
    text.bytes()
        .filter(|octet| !matches!(octet, b'"' | b'\\' | b' ' | b'\t'))
}

/// Whether a Content-Type names UTF-8 now, and says what it said otherwise.
pub(crate) fn says_the_same_in_utf_8(field: &Field<'_>, new: &[u8], options: &Options) -> bool {
    let reading = reading(field, new, options);
    let old = content_type_says(&header::content_type(field.body()), field.body(), &reading);
    let named = header::content_type(new);
    named.charset().is_some_and(names_utf_8) && content_type_says(&named, new, &reading) == old
}

/// What an encoded word begins with.
static WORD: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("=?"));
