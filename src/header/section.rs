//! Sections and extended values of parameters (RFC 2231, sections 3 and 4).
//!
//! Values are octets: percent encoding is decoded and sections are joined, but the charset is not
//! decoded. Sections are joined before the charset is decoded, because mailers split characters between
//! sections.

use std::borrow::Cow;
use std::iter::{once, once_with};
use std::ops::Range;

use memchr::memchr_iter;

use super::classes::is_token;
use super::one_parameter::{Parameter, RawParameter, ValueForm, is_name_of};
use super::opening::has_opening;
use super::token::{FieldReader, slice, split_at_star, trim};
use crate::label::Label;
use crate::report::Kind;
use crate::transfer::{percent_decode, two_hexadecimal};
use crate::work::work;

/// A section or an extended value: a parameter with a star in its name.
#[derive(Debug)]
pub(super) struct Section<'a> {
    pub(super) name: Cow<'a, [u8]>,
    /// `None` for the value of `name*`.
    pub(super) number: Option<usize>,
    pub(super) extended: bool,
    pub(super) value: Cow<'a, [u8]>,
    pub(super) offset: usize,
    pub(super) length: usize,
    /// The index of `name` among the distinct names of the field.
    pub(super) group: usize,
}

impl Section<'_> {
    /// Appends the decoded octets of `text`, which is the value of the section or a suffix of the value.
    ///
    /// > ext-octet := "%" 2(DIGIT / "A" / "B" / "C" / "D" / "E" / "F")
    ///
    /// Digits in lower case are accepted. Any other percent sign is literal, since some mailers do not
    /// encode percent signs.
    fn append(&self, field: &mut FieldReader<'_>, text: &[u8], value: &mut Vec<u8>) {
        if !self.extended {
            value.extend_from_slice(text);
        } else if percent_decode(text, value) {
            let detail = "a percent sign without two hexadecimal digits";
            field.add(Kind::BadPercent, self.offset, self.length, detail);
        }
    }
}

/// Adds sections and extended values to `list`. They replace a plain value of the same name, which
/// senders add for older mailers. If the first section is missing, the sections are used only if there is
/// no plain value (RFC 2231, section 3).
pub(super) fn join_sections<'a>(
    field: &mut FieldReader<'a>,
    sections: &mut Vec<Section<'a>>,
    list: &mut Vec<Parameter<'a>>,
) {
    sort_sections(field, sections);
    for parts in sections.chunk_by(|one, next| one.group == next.group) {
        let Some((first, others)) = parts.split_first() else {
            continue;
        };
        let Some(plain) = list.iter_mut().find(|plain| plain.name == first.name) else {
            // Built in place, to avoid a copy.
            list.extend(once_with(|| sections_in_order(field, first, others)));
            continue;
        };
        if is_fragment(first) {
            let detail = "sections without the first; the plain value is used";
            let (at, length) = (first.offset, first.length);
            field.add(Kind::SectionGap, at, length, detail);
            continue;
        }
        let parameter = sections_in_order(field, first, others);
        let detail = "a plain value; an extended value or sections of the same name are used";
        let (at, length) = (plain.offset, plain.length);
        field.add(Kind::DuplicateParameter, at, length, detail);
        let octets = std::mem::take(&mut plain.octets);
        *plain = parameter;
        plain.plain = plain.extended.then_some(octets);
    }
}

/// Whether the lowest-numbered section of a name is not number 0.
fn is_fragment(first: &Section<'_>) -> bool {
    first.number.is_some_and(|number| number > 0)
}

/// Groups sections by name, in the order of the field, and sorts each group by number. Sections beyond
/// the limits are reported and skipped.
fn sort_sections<'a>(field: &mut FieldReader<'a>, sections: &mut Vec<Section<'a>>) {
    let mut names: Vec<Cow<'a, [u8]>> = Vec::new();
    sections.retain_mut(|section| {
        let known = names.iter().position(|name| *name == section.name);
        let detail = if section.number > Some(Parameter::MAX_SECTION) {
            "a section number above 9999"
        } else if known.is_none() && names.len() == Parameter::MAX_COUNT {
            "more parameters than this library reads"
        } else {
            section.group = known.unwrap_or(names.len());
            if known.is_none() {
                names.push(section.name.clone());
            }
            return true;
        };
        let (at, length) = (section.offset, section.length);
        field.add(Kind::LimitReached, at, length, detail);
        false
    });
    sections.sort_by_key(|section| (section.group, section.number));
}

/// Joins the sections of one name in the order of their numbers, whatever their order in the field
/// (RFC 2231, section 3):
///
/// > The count starts at 0 and increments by 1 for each subsequent section of the parameter value.
/// > Decimal values are used and neither leading zeroes nor gaps in the sequence are allowed.
/// >
/// > The original parameter value is recovered by concatenating the various sections of the
/// > parameter, in order.
///
/// Violations are reported. Numbers may start above 0. If two sections have one number, the first is
/// used. Sections after a gap are skipped. An extended value without a number overrides all sections.
#[inline]
fn sections_in_order<'a>(
    field: &mut FieldReader<'a>,
    first: &Section<'a>,
    others: &[Section<'a>],
) -> Parameter<'a> {
    let lengths = others.iter().map(|part| part.value.len());
    let length = first.value.len() + lengths.sum::<usize>();
    let (label, language, text) = if first.extended {
        extended_initial_value(field, first)
    } else {
        (None, None, first.value.clone())
    };
    let before = first.value.len() - text.len();
    let is_whole = others.is_empty() && !(first.extended && text.contains(&b'%'));
    let mut value = if is_whole {
        text
    } else {
        let mut value = Vec::with_capacity(length);
        first.append(field, &text, &mut value);
        Cow::Owned(value)
    };
    if is_fragment(first) {
        let detail = "sections that do not begin with 0";
        field.add(Kind::SectionGap, first.offset, first.length, detail);
    }
    let (mut start, mut end) = (first.offset, first.offset + first.length);
    let mut extended = first.extended;
    let mut last = first.number;
    for part in others {
        let (at, length) = (part.offset, part.length);
        if last.is_none() {
            let detail = "a section; an extended value of the same name is used";
            field.add(Kind::DuplicateParameter, at, length, detail);
            continue;
        }
        if part.number == last {
            let detail = "a repeated section; the first is used";
            field.add(Kind::DuplicateSection, at, length, detail);
            continue;
        }
        if part.number != last.map(|last| last + 1) {
            let detail = "a section after a gap in the numbers";
            field.add(Kind::SectionGap, at, length, detail);
            break;
        }
        last = part.number;
        if part.extended {
            if !extended {
                let detail = "an extended section without a charset in the first section";
                field.add(Kind::ExtendedSyntax, at, length, detail);
            }
            extended = true;
        }
        part.append(field, &part.value, value.to_mut());
        (start, end) = (start.min(at), end.max(at + length));
    }
    let literal = (extended && !is_whole).then(|| {
        // A value without `=?` has no encoded words, so the ranges are not needed.
        if !has_opening(&value) {
            return Box::default();
        }
        let text = slice(&first.value, before, first.value.len());
        literal_ranges(once((first.extended, text)).chain(joined_sections(first, others, last)))
    });
    Parameter {
        label,
        language,
        extended,
        literal,
        ..Parameter::new(first.name.clone(), value, start, end - start)
    }
}

/// The sections after `first`, up to the number `last`, one per number. Yields whether the section is
/// extended, and its value.
fn joined_sections<'s>(
    first: &Section<'_>,
    others: &'s [Section<'_>],
    last: Option<usize>,
) -> impl Iterator<Item = (bool, &'s [u8])> {
    let number = first.number;
    let numbers = others.chunk_by(|one, next| one.number == next.number);
    numbers
        .filter_map(<[_]>::first)
        .filter(move |part| number < part.number && part.number <= last)
        .map(|part| (part.extended, &*part.value))
}

/// The name of a section or an extended value, its section number, and whether the value is extended.
type ExtendedName<'a> = (&'a [u8], Option<usize>, bool);

/// > regular-parameter-name := attribute `[section]`
///
/// > section := "\*0" / "\*" NZDIGIT \*DIGIT
///
/// followed by a star for an extended value (RFC 2231, section 7). `None` for a name without a star,
/// or with a star that has no meaning.
#[expect(
    clippy::inline_always,
    reason = "not inlined, it costs four sections a tenth of their time"
)]
#[inline(always)]
pub(super) fn extended_name<'a>(
    field: &mut FieldReader<'a>,
    written: &RawParameter<'a>,
) -> Option<ExtendedName<'a>> {
    let (name, tail) = split_at_star(written.attribute)?;
    let offset = field.offset(written.input);
    let (digits, extended) = match tail.strip_suffix(b"*") {
        Some(digits) => (digits, true),
        None => (tail, tail.is_empty()),
    };
    let number = if tail.is_empty() {
        None
    } else {
        let length = written.attribute.len();
        Some(section_number(field, trim(digits), offset, length)?)
    };
    if extended && written.form == ValueForm::QuotedString {
        let detail = "an extended value in quotes";
        field.add(Kind::ExtendedSyntax, offset, written.length(), detail);
    }
    Some((name, number, extended))
}

/// The name of an extended value without a star; reports the missing star.
#[expect(
    clippy::inline_always,
    reason = "not inlined, it costs a parameter a twentieth of its time"
)]
#[inline(always)]
pub(super) fn name_without_star<'a>(
    field: &mut FieldReader<'a>,
    written: &RawParameter<'a>,
) -> Option<ExtendedName<'a>> {
    let name = written.attribute;
    let is_name = is_name_of(name, "filename") || is_name_of(name, "name");
    (is_name && is_extended_value(&written.value)).then(|| {
        let detail = "an extended value without a star in its name";
        field.note(
            Kind::ExtendedSyntax,
            written.input,
            written.length(),
            detail,
        );
        (name, None, true)
    })
}

/// Parses a section number; `None` if there is none. Some mailers pad numbers with leading zeros. These
/// are accepted, with a finding at the name.
fn section_number(
    field: &mut FieldReader<'_>,
    digits: &[u8],
    offset: usize,
    length: usize,
) -> Option<usize> {
    work(digits.len());
    let number = digits.iter().try_fold(0_usize, |number, digit| {
        let value = digit.wrapping_sub(b'0');
        let next = number.saturating_mul(10).saturating_add(value.into());
        (value < 10).then_some(next)
    });
    if digits.is_empty() || number.is_none() {
        let detail = "a star in a name that no section number follows";
        field.add(Kind::SectionNumber, offset, length, detail);
        return None;
    }
    if matches!(digits, [b'0', _, ..]) {
        let detail = "a section number with a leading zero";
        field.add(Kind::SectionNumber, offset, length, detail);
    }
    number
}

/// The charset and the language of an extended value, if any, and the encoded text.
type ExtendedValue<'a> = (Option<Label<'a>>, Option<Cow<'a, [u8]>>, Cow<'a, [u8]>);

/// > `extended-initial-value := [charset] "'" [language] "'" extended-other-values`
fn extended_initial_value<'a>(
    field: &mut FieldReader<'a>,
    part: &Section<'a>,
) -> ExtendedValue<'a> {
    let value = &part.value;
    let end = value.len();
    let mut apostrophes = value
        .iter()
        .enumerate()
        .filter_map(|(at, &octet)| (octet == b'\'').then_some(at));
    let (first, second) = (apostrophes.next(), apostrophes.next());
    work(end);
    let some = |from, to| Some(range(value, from, to)).filter(|octets| !octets.is_empty());
    if let (Some(first), Some(second)) = (first, second)
        && encloses_language(value, first, second)
    {
        let label = some(0, first).map(Label::from);
        return (
            label,
            some(first + 1, second),
            range(value, second + 1, end),
        );
    }
    let detail = match second {
        Some(_) => "an extended value whose apostrophes enclose no language",
        None => "an extended value without both its apostrophes",
    };
    field.add(Kind::ExtendedSyntax, part.offset, part.length, detail);
    let lone = first.filter(|_| second.is_none());
    match lone.filter(|&first| is_label(slice(value, 0, first))) {
        Some(first) => (
            some(0, first).map(Label::from),
            None,
            range(value, first + 1, end),
        ),
        None => (None, None, value.clone()),
    }
}

/// Whether two apostrophes delimit a charset and a language, and not text as in `Rock'n'Roll`. A language
/// has at least two letters (RFC 5646, section 2.1). Since a word may look like a language, the charset
/// must also look like a label or be empty, or percent-encoded octets must follow.
fn encloses_language(value: &[u8], first: usize, second: usize) -> bool {
    let (label, language) = (slice(value, 0, first), slice(value, first + 1, second));
    let is_named = label.iter().all(|&octet| is_token(octet) && octet != b'%');
    // Locales use an underscore.
    let mut subtags = language.split(|octet| matches!(octet, b'-' | b'_'));
    let primary = subtags.next().unwrap_or_default();
    // `x-` and `i-` begin tags of several subtags.
    let is_private = matches!(language, [b'x' | b'X' | b'i' | b'I', b'-', _, ..]);
    let is_tag = (is_private || matches!(primary.len(), 2..=8))
        && primary.iter().all(u8::is_ascii_alphabetic)
        && subtags.all(|subtag| {
            matches!(subtag.len(), 1..=8) && subtag.iter().all(u8::is_ascii_alphanumeric)
        });
    let is_encoded = || has_percent(slice(value, second, value.len()));
    let is_charset = label.is_empty() || is_label(label) || is_common_label(label);
    is_named && (language.is_empty() || is_tag && (is_charset || is_encoded()))
}

/// Whether any octet is percent-encoded.
fn has_percent(text: &[u8]) -> bool {
    work(text.len());
    text.windows(3)
        .any(|three| matches!(three, [b'%', digits @ ..] if two_hexadecimal(digits).is_some()))
}

/// Whether a plain value of `filename` or `name` is really an extended value whose name lacks the star.
/// It begins with a charset, an apostrophe, a language and an apostrophe, and percent-encoded octets must
/// follow. After `UTF-8''`, which every writer of extended values supports (RFC 8187, section
/// 3.2.1), the percent-encoded octets may be absent.
#[inline(never)]
pub(super) fn is_extended_value(value: &[u8]) -> bool {
    let mut apostrophes = memchr_iter(b'\'', value);
    let (Some(first), Some(second)) = (apostrophes.next(), apostrophes.next()) else {
        return false;
    };
    let label = slice(value, 0, first);
    let is_plain = label.eq_ignore_ascii_case(b"utf-8") && second == first + 1;
    has_charset_prefix(label)
        && encloses_language(value, first, second)
        && (is_plain || has_percent(slice(value, second, value.len())))
}

/// Whether a label begins with a prefix that is common among charsets and begins no ordinary word.
fn has_charset_prefix(label: &[u8]) -> bool {
    const STARTS: [&str; 10] = [
        "utf-", "iso-", "iso_", "windows-", "us-ascii", "koi8-", "gb", "big5", "shift_", "euc-",
    ];
    let begins = |start: &str| {
        let begin = label.get(..start.len());
        begin.is_some_and(|begin| begin.eq_ignore_ascii_case(start.as_bytes()))
    };
    is_label(label) && STARTS.iter().any(|start| begins(start))
}

/// Whether this is a common label without a digit, hyphen or underscore.
fn is_common_label(label: &[u8]) -> bool {
    const PLAIN: [&str; 10] = [
        "ascii",
        "gbk",
        "macintosh",
        "euckr",
        "eucjp",
        "sjis",
        "johab",
        "viscii",
        "unicode",
        "unknown",
    ];
    PLAIN
        .iter()
        .any(|name| label.eq_ignore_ascii_case(name.as_bytes()))
}

/// Whether the text before a single apostrophe is a charset, and not the start of a value such as
/// `John's%20file`: nearly all labels in use have a digit, a hyphen or an underscore.
fn is_label(octets: &[u8]) -> bool {
    let marks = |octet: u8| octet.is_ascii_digit() || octet == b'-' || octet == b'_';
    octets.iter().copied().any(marks)
        && octets.iter().all(|&octet| is_token(octet) && octet != b'%')
}

/// A range of a value, borrowed if the value is.
fn range<'a>(value: &Cow<'a, [u8]>, from: usize, to: usize) -> Cow<'a, [u8]> {
    match value {
        Cow::Borrowed(octets) => Cow::Borrowed(slice(octets, from, to)),
        Cow::Owned(octets) => Cow::Owned(slice(octets, from, to).to_vec()),
    }
}

/// The ranges of a value that are not percent-encoded. Each item is one section: whether it is extended,
/// and its value before percent decoding.
fn literal_ranges<'p>(parts: impl Iterator<Item = (bool, &'p [u8])>) -> Box<[Range<usize>]> {
    let mut ranges: Vec<Range<usize>> = Vec::new();
    let mut at = 0;
    for (extended, text) in parts {
        work(text.len());
        let mut rest = text;
        while let [first, after @ ..] = rest {
            let escape = Some(after).filter(|_| extended && *first == b'%');
            if let Some((_, following)) = escape.and_then(two_hexadecimal) {
                rest = following;
            } else {
                match ranges.last_mut().filter(|last| last.end == at) {
                    Some(last) => last.end += 1,
                    None => ranges.push(at..at + 1),
                }
                rest = after;
            }
            at += 1;
        }
    }
    ranges.into()
}

#[cfg(test)]
mod tests {
    use crate::header::parameter::tests::read;

    #[test]
    fn sections_in_any_order() {
        read("a*1=c; a*0=b; a*2=d", "a=bcd", "");
        read(
            "a*2*=%20d; b=x; a*0*=utf-8'en'b; a*1=\"c%20\"",
            "a=bc%20 d <utf-8> 'en'; b=x",
            "",
        );
        let eleven: Vec<_> = (0..11)
            .rev()
            .map(|number| format!("a*{number}={number};"))
            .collect();
        read(eleven.concat().trim_end_matches(';'), "a=012345678910", "");
    }

    #[test]
    fn characters_split_between_sections_are_octets() {
        read(
            "a*0*=utf-8''%E2%98; a*1*=%83",
            r"a=\xe2\x98\x83 <utf-8>",
            "",
        );
    }

    #[test]
    fn gaps_end_the_value() {
        read("a*0=b; a*2=d; a*3=e", "a=b", "section-gap");
        read("a*1=c; a*2=d", "a=cd", "section-gap");
    }

    #[test]
    fn leading_zeros() {
        read("a*00=b; a*01=c", "a=bc", "section-number section-number");
    }

    #[test]
    fn duplicate_sections() {
        read("a*0=b; a*0=x; a*1=c", "a=bc", "duplicate-section");
        read(
            "a*=utf-8''b; a*=utf-8''c",
            "a=b <utf-8>",
            "duplicate-parameter",
        );
        read("a*0=b; a*=utf-8''c", "a=c <utf-8>", "duplicate-parameter");
    }

    #[test]
    fn extended_values_win() {
        read(
            "a=x; a*=utf-8''b; c=d",
            "a=b <utf-8>; c=d",
            "duplicate-parameter",
        );
        read("a*=utf-8''b; a=x", "a=b <utf-8>", "duplicate-parameter");
    }

    #[test]
    fn charset_and_language_may_be_empty() {
        read("a*=''b%20c", "a=b c", "");
        read("a*=utf-8''b", "a=b <utf-8>", "");
        read("a*='en'b", "a=b 'en'", "");
        read("a*=utf-8'en'it's", "a=it\\'s <utf-8> 'en'", "");
    }

    #[test]
    fn extended_values_in_quotes() {
        read("a*=\"utf-8''b%20c\"", "a=b c <utf-8>", "extended-syntax");
    }

    #[test]
    fn apostrophes_missing() {
        read("a*=utf-8'b%20c", "a=b c <utf-8>", "extended-syntax");
        read("a*=b%20c", "a=b c", "extended-syntax");
        read("a*=John's%20c", "a=John\\'s c", "extended-syntax");
    }

    #[test]
    fn extended_sections_after_a_plain_one() {
        read(
            "a*0=\"b\"; a*1*=%C3%B8; a*2*=%20",
            r"a=b\xc3\xb8 ",
            "extended-syntax",
        );
    }

    #[test]
    fn bad_percent_signs_are_kept() {
        read(
            "a*=utf-8''100%; b*=utf-8''%zz%4",
            "a=100% <utf-8>; b=%zz%4 <utf-8>",
            "bad-percent bad-percent",
        );
        read("a=%41", "a=%41", "");
        read("a*=utf-8''%c3%B8", r"a=\xc3\xb8 <utf-8>", "");
    }

    #[test]
    fn raw_octets_in_extended_values() {
        read(
            "a*=utf-8''\u{f8}",
            r"a=\xc3\xb8 <utf-8>",
            "unquoted-special raw-utf8",
        );
    }

    #[test]
    fn invalid_stars() {
        read("a*b=c", "a*b=c", "section-number");
        read("a**=c", "a**=c", "section-number");
    }

    #[test]
    fn sections_up_to_the_limit() {
        read("a*9999=b", "a=b", "section-gap");
        read("a*10000=b", "", "limit-reached");
        read("a*99999999999999999999999=b", "", "limit-reached");
    }
}
