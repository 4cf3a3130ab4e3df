//! Parameters (RFC 2045, section 5.1) with the sections, languages and charsets of
//! RFC 2231.
//!
//! A parameter is tried by the grammar first, then by [`loose_parameter`] and what it
//! allows. Values come out as octets: quotes, quoted pairs, folds, percent signs and sections
//! are undone, the charset is not. Joining is done on octets because mailers split
//! characters between sections.

use std::borrow::Cow;

use memchr::{memchr, memchr2};
use nom::bytes::complete::{tag, take_while};
use nom::{IResult, Parser};

use super::encoded_word::encoded_word;
use super::token::{
    ESCAPE, Field, Token, blanks, escape_run, is_blank, is_token, quoted, quoted_string, slice,
    token, unquoted,
};
use super::{Pieces, parameter_pieces};
use crate::label::Label;
use crate::report::Kind;
use crate::work::work;

/// A parameter of Content-Type or Content-Disposition (RFC 2045, section 5.1; RFC 2231).
///
/// ```
/// use mime_charset::header::content_disposition;
///
/// let field = content_disposition(b"attachment; filename*=utf-8'nb'J%C3%B8rn.txt");
/// let filename = field.parameter("filename").unwrap();
/// assert_eq!((filename.name(), filename.is_extended()), ("filename", true));
/// assert_eq!(filename.octets(), b"J\xC3\xB8rn.txt");
/// assert_eq!(filename.label().unwrap().as_bytes(), b"utf-8");
/// assert_eq!(filename.language(), Some(&b"nb"[..]));
/// assert_eq!((filename.offset(), filename.length()), (12, 32));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameter<'a> {
    /// In lower case; ASCII, since it is a token.
    name: Cow<'a, [u8]>,
    octets: Cow<'a, [u8]>,
    label: Option<Label<'a>>,
    language: Option<Cow<'a, [u8]>>,
    extended: bool,
    /// The plain value that stands beside an extended one.
    plain: Option<Cow<'a, [u8]>>,
    offset: usize,
    length: usize,
}

impl<'a> Parameter<'a> {
    /// How many parameters of one field are read; what lies beyond is reported
    /// ([`Kind::LimitReached`]).
    ///
    /// ```
    /// use mime_charset::header::{Parameter, content_type};
    ///
    /// let many: String = (0..200).map(|number| format!("; p{number}=x")).collect();
    /// let field = format!("text/plain{many}");
    /// let field = content_type(field.as_bytes());
    /// assert_eq!(field.parameters().len(), Parameter::MAX_COUNT);
    /// ```
    pub const MAX_COUNT: usize = 128;

    /// The highest section number that is read (RFC 2231, section 3); sections beyond it are
    /// reported ([`Kind::LimitReached`]).
    ///
    /// ```
    /// use mime_charset::{Kind, header::{Parameter, content_type}};
    ///
    /// let field = format!("text/plain; name*0=a; name*{}=b", Parameter::MAX_SECTION + 1);
    /// let field = content_type(field.as_bytes());
    /// assert_eq!(field.parameter("name").unwrap().octets(), b"a");
    /// assert!(field.report().has(Kind::LimitReached));
    /// ```
    pub const MAX_SECTION: usize = 9999;

    /// The name in lower case, without a section number and the star of an extended value.
    #[must_use]
    pub fn name(&self) -> &str {
        std::str::from_utf8(&self.name).unwrap_or_default()
    }

    /// Whether that is its name, in any case.
    pub(super) fn is_named(&self, name: &str) -> bool {
        is_name_of(&self.name, name)
    }

    /// The value: without quotes, quoted pairs, folds and percent signs, all sections joined.
    #[must_use]
    pub fn octets(&self) -> &[u8] {
        &self.octets
    }

    /// The charset that an extended value names; `None` where it names none and for every
    /// other value, which is US-ASCII by the standards.
    #[must_use]
    pub fn label(&self) -> Option<&Label<'a>> {
        self.label.as_ref()
    }

    /// The language tag that an extended value names (RFC 2231, section 4), as it is written.
    #[must_use]
    pub fn language(&self) -> Option<&[u8]> {
        self.language.as_deref()
    }

    /// Whether any part of the value was written with a star after its name
    /// (RFC 2231, section 4).
    #[must_use]
    pub fn is_extended(&self) -> bool {
        self.extended
    }

    /// How many octets of the field body lie before the parameter, or before the first of
    /// its sections as they are written.
    #[must_use]
    pub fn offset(&self) -> usize {
        self.offset
    }

    /// How many octets the parameter takes in the field body, name and quotes included; of
    /// sections the range from the first to the last.
    #[must_use]
    pub fn length(&self) -> usize {
        self.length
    }

    /// The value where it stands in the field body as it is.
    pub(crate) fn source_octets(&self) -> Option<&'a [u8]> {
        match self.octets {
            Cow::Borrowed(octets) => Some(octets),
            Cow::Owned(_) => None,
        }
    }

    fn into_value(self) -> Value<'a> {
        Value {
            octets: self.octets,
            offset: self.offset,
            length: self.length,
        }
    }

    /// The plain value that stands beside this extended one, for readers who cannot read that.
    pub(crate) fn plain(&self) -> Option<&[u8]> {
        self.plain.as_deref()
    }

    /// A copy of the value, which borrows where it does.
    pub(super) fn value(&self) -> Value<'a> {
        Value {
            octets: self.octets.clone(),
            offset: self.offset,
            length: self.length,
        }
    }

    /// The value as text and encoded words, where there is something like one in it.
    ///
    /// RFC 2047, section 5, forbids encoded words in parameters and many mailers write
    /// them; each is in the report. Offsets count octets of the value.
    ///
    /// ```
    /// use mime_charset::header::{Piece, content_type};
    ///
    /// let field = content_type(b"image/png; name=\"=?utf-8?B?w7g=?=.png\"");
    /// let words = field.parameter("name").unwrap().words().unwrap();
    /// assert!(matches!(&words.pieces()[0], Piece::Word(word) if word.encoded_text() == b"w7g="));
    /// ```
    #[must_use]
    pub fn words(&self) -> Option<Pieces<'_>> {
        parameter_pieces(&self.octets)
    }
}

/// All parameters in `input`, which is what a field has behind its first value. `separated` says
/// that no semicolon need come first.
pub(super) fn parameters<'a>(
    field: &mut Field<'a>,
    input: &'a [u8],
    separated: bool,
) -> Vec<Parameter<'a>> {
    /// Most fields have no more.
    const FEW: usize = 4;
    let mut list: Vec<Parameter<'a>> = if input.is_empty() {
        Vec::new()
    } else {
        Vec::with_capacity(FEW)
    };
    let mut all = Parameters::new(field, input, separated);
    while let Some(written) = all.next() {
        push_first(all.field, &mut list, written);
    }
    let sections = all.sections;
    if !sections.is_empty() {
        join_sections(field, sections, &mut list);
    }
    list
}

/// The value of the one parameter of that name, which is in lower case, by the same reading but
/// without a list of the others; and where the parameter stands.
pub(super) fn value_named<'a>(
    field: &mut Field<'a>,
    input: &'a [u8],
    separated: bool,
    name: &str,
) -> Option<Value<'a>> {
    let mut all = Parameters::new(field, input, separated);
    let mut found: Option<Written<'a>> = None;
    while let Some(written) = all.next() {
        if found.is_none() && is_name_of(written.attribute.octets, name) {
            found = Some(written);
        }
    }
    let sections = all.sections;
    if sections.is_empty() {
        return found.map(|written| Value {
            offset: field.offset(written.input),
            length: written.length(),
            octets: written.value,
        });
    }
    let found = found.map(|written| written.into_parameter(field));
    let mut list = Vec::from_iter(found);
    join_sections(field, sections, &mut list);
    let is_named = |parameter: &Parameter<'_>| parameter.is_named(name);
    list.into_iter().find(is_named).map(Parameter::into_value)
}

/// The value of a parameter, and where the parameter stands in the field body.
#[derive(Debug)]
pub(super) struct Value<'a> {
    pub(super) octets: Cow<'a, [u8]>,
    pub(super) offset: usize,
    pub(super) length: usize,
}

/// Whether `octets` are that name, which is in lower case, in any case.
fn is_name_of(octets: &[u8], name: &str) -> bool {
    // It is nearly always written in lower case.
    *octets == *name.as_bytes() || octets.eq_ignore_ascii_case(name.as_bytes())
}

/// Reads the parameters of a field one by one. Sections and extended values are set aside until all
/// are read, since the order of parameters means nothing (RFC 2045, section 5).
#[derive(Debug)]
struct Parameters<'f, 'a> {
    field: &'f mut Field<'a>,
    input: &'a [u8],
    /// Whether the next parameter needs no semicolon before it.
    separated: bool,
    /// How many parameters without a star in their name were read.
    count: usize,
    sections: Vec<Section<'a>>,
}

impl<'f, 'a> Parameters<'f, 'a> {
    fn new(field: &'f mut Field<'a>, input: &'a [u8], separated: bool) -> Self {
        Parameters {
            field,
            input,
            separated,
            count: 0,
            sections: Vec::new(),
        }
    }

    /// The next parameter that is neither a section nor an extended value.
    #[expect(
        clippy::inline_always,
        reason = "called, it costs a list of parameters a tenth of its time"
    )]
    #[inline(always)]
    fn next(&mut self) -> Option<Written<'a>> {
        while self.comes_next() {
            let input = self.input;
            let written = match parameter(self.field, input) {
                Some(written) if matches!(written.rest, [] | [b';', ..]) => written,
                written => match self.whole_or_loose(written) {
                    Some(written) => written,
                    None => continue,
                },
            };
            self.input = written.rest;
            if !std::mem::take(&mut self.separated) {
                let detail = "a parameter without a semicolon before it";
                self.field.note(Kind::MissingSemicolon, input, 0, detail);
            }
            if written.form != Form::Token && !written.value.is_ascii() {
                let detail = "octets above 7F in a value";
                self.field
                    .note(Kind::RawOctets, input, written.length(), detail);
            }
            if !(written.attribute.has_star() && self.is_section(&written)) {
                self.count += 1;
                return Some(written);
            }
        }
        None
    }

    /// Passes over semicolons, comments and white space. Whether a parameter comes next, and may
    /// be read.
    #[expect(
        clippy::inline_always,
        reason = "part of `next`, which is measured as one"
    )]
    #[inline(always)]
    fn comes_next(&mut self) -> bool {
        self.input = self.field.skip_cfws(self.input);
        loop {
            match self.input {
                [] => return false,
                [b';', rest @ ..] => {
                    let after = self.field.skip_cfws(rest);
                    if matches!(after, [] | [b';', ..]) {
                        let detail = "a semicolon too many";
                        self.field.note(Kind::EmptyParameter, self.input, 1, detail);
                    }
                    (self.input, self.separated) = (after, true);
                }
                [b'(', ..] => self.skip_open_parentheses(),
                _ => return !self.is_at_limit(),
            }
        }
    }

    /// Passes over parentheses that nothing closes.
    fn skip_open_parentheses(&mut self) {
        self.input = self.field.skip_open_parentheses(self.input);
        let is_over = matches!(self.input, [] | [b';', ..]);
        if !is_over && !next_is_parameter(self.input) {
            self.input = skip_text(self.field, self.input);
        }
        self.input = self.field.skip_cfws(self.input);
    }

    /// Whether as many parameters were read as may be, of which there are more.
    fn is_at_limit(&mut self) -> bool {
        if self.count < Parameter::MAX_COUNT && self.sections.len() <= Parameter::MAX_SECTION {
            return false;
        }
        let detail = "more parameters than this library reads";
        self.field
            .note(Kind::LimitReached, self.input, self.input.len(), detail);
        true
    }

    /// A parameter behind which neither a semicolon nor the end follows at once: itself, if it is
    /// whole; else what [`loose_parameter`] makes of it. Where that is nothing, it is passed over.
    #[inline(never)]
    fn whole_or_loose(&mut self, written: Option<Written<'a>>) -> Option<Written<'a>> {
        let is_whole = |written: &Written<'a>| {
            let is_name = written.form == Form::Token && is_name(written.attribute.octets);
            ends_value(self.field, written.rest, is_name)
        };
        if let Some(written) = written.filter(is_whole) {
            return Some(written);
        }
        match loose_parameter(self.field, self.input) {
            Ok(written) => Some(written),
            Err(rest) => {
                (self.input, self.separated) = (rest, false);
                None
            }
        }
    }

    /// Whether a parameter with a star in its name is a section or an extended value. It is set
    /// aside.
    #[inline(never)]
    fn is_section(&mut self, written: &Written<'a>) -> bool {
        let section = extended_name(self.field, written);
        let is_section = section.is_some();
        self.sections.extend(section);
        is_section
    }
}

/// A parameter as it is written.
#[derive(Debug)]
struct Written<'a> {
    attribute: Token<'a>,
    value: Cow<'a, [u8]>,
    form: Form,
    /// What the field has from here on.
    input: &'a [u8],
    /// What it has behind the parameter.
    rest: &'a [u8],
}

/// How a value is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Token,
    QuotedString,
    /// Without the quotes that it needs.
    Loose,
}

impl<'a> Written<'a> {
    /// How many octets of the field body it takes.
    fn length(&self) -> usize {
        self.input.len() - self.rest.len()
    }

    fn into_parameter(self, field: &Field<'_>) -> Parameter<'a> {
        let (offset, length) = (field.offset(self.input), self.length());
        Parameter {
            name: self.attribute.in_lower_case(),
            octets: self.value,
            label: None,
            language: None,
            extended: false,
            plain: None,
            offset,
            length,
        }
    }
}

/// > parameter := attribute "=" value
///
/// > value := token / quoted-string
///
/// with comments and white space between any two of these (RFC 2045, section 5.1).
#[expect(
    clippy::inline_always,
    reason = "part of `next`, which is measured as one"
)]
#[inline(always)]
fn parameter<'a>(field: &mut Field<'a>, input: &'a [u8]) -> Option<Written<'a>> {
    let (rest, attribute) = Token::read(input)?;
    let rest = match rest {
        [b'=', rest @ ..] => rest,
        _ => field.skip_cfws(rest).strip_prefix(b"=")?,
    };
    let rest = match rest {
        [octet, ..] if *octet == b'(' || is_blank(*octet) => {
            let after = blanks(rest).map_or(rest, |(after, _)| after);
            if opens_name(field, after, attribute.octets) {
                return None;
            }
            field.skip_cfws(after)
        }
        _ => rest,
    };
    let (rest, value, form) = if let [b'"', ..] = rest {
        let (rest, quoted) = quoted(rest)?;
        if is_path(quoted.content) {
            return None;
        }
        (rest, quoted.meaning(), Form::QuotedString)
    } else {
        let (rest, value) = Token::read(rest)?;
        (rest, Cow::Borrowed(value.octets), Form::Token)
    };
    Some(Written {
        attribute,
        value,
        form,
        input,
        rest,
    })
}

/// Whether a field may have a parameter whose name has `part` in it, which is in lower case. One
/// that does not need not be read for it.
pub(crate) fn may_have(body: &[u8], part: [u8; 4]) -> bool {
    let [first, ..] = part;
    let Some(from) = memchr2(first, first.to_ascii_uppercase(), body) else {
        work(body.len());
        return false;
    };
    let name = u32::from_le_bytes(part);
    let rest = body.get(from..).unwrap_or_default();
    work(body.len());
    // A letter that is one in lower case with this bit set is that letter.
    let is_part = |four: &[u8]| {
        four.first_chunk()
            .is_some_and(|four| u32::from_le_bytes(*four) | 0x2020_2020 == name)
    };
    rest.windows(part.len()).any(is_part)
}

/// Whether nothing of a value before `rest` is left: the field ends, a semicolon follows, or a
/// parenthesis that is none of the value.
fn ends_value<'a>(field: &mut Field<'a>, rest: &'a [u8], is_name: bool) -> bool {
    let after = blanks(rest).map_or(rest, |(after, _)| after);
    let is_attached = after.len() == rest.len();
    match after.first() {
        Some(b'(') if is_attached || is_name => after_parentheses(field, after, is_name).is_none(),
        None | Some(b';' | b'(') => true,
        _ => false,
    }
}

/// Whether the value of a parameter is a name of a file, which people write, with blanks and
/// parentheses.
fn is_name(attribute: &[u8]) -> bool {
    let base = attribute.split(|&octet| octet == b'*').next();
    let base = base.unwrap_or_default();
    [b"name".as_slice(), b"filename"]
        .iter()
        .any(|name| base.eq_ignore_ascii_case(name))
}

/// Whether the parenthesis at the start of `input` is the first octet of an unquoted name.
///
/// `filename=(1).pdf` has a comment and a name by the grammar; nobody who wrote it meant that.
/// Where nothing else is the name, what stands in the parentheses is.
fn opens_name<'a>(field: &mut Field<'a>, input: &'a [u8], attribute: &[u8]) -> bool {
    if input.first() != Some(&b'(') || !is_name(attribute) {
        return false;
    }
    let Some(after) = after_comments(field, input) else {
        return true;
    };
    let after = blanks(after).map_or(after, |(after, _)| after);
    after.first() != Some(&b'"') && !next_is_parameter(after)
}

/// What follows the comments at the start of `input`, with the white space between them; `None`
/// where the first of them never closes.
fn after_comments<'a>(field: &mut Field<'a>, input: &'a [u8]) -> Option<&'a [u8]> {
    let mut rest = field.after_comment(input)?;
    loop {
        let after = blanks(rest).map_or(rest, |(after, _)| after);
        match field.after_comment(after) {
            Some(behind) => rest = behind,
            None => return Some(rest),
        }
    }
}

/// What follows the parenthesis at the start of `input`, or what it holds, where that is part of
/// an unquoted value: it never closes, or more of the value follows, as in `photo(1).jpg` and, of
/// a file's name, in `photo (1).jpg`. `None` where it is a comment: the value ends there, or
/// another parameter follows.
fn after_parentheses<'a>(
    field: &mut Field<'a>,
    input: &'a [u8],
    is_name: bool,
) -> Option<&'a [u8]> {
    let Some(rest) = after_comments(field, input) else {
        // One that does close behind it at once is of the value too.
        let run = input.iter().take_while(|&&octet| octet == b'(').count();
        work(run);
        return input.get(run..);
    };
    let after = blanks(rest).map_or(rest, |(after, _)| after);
    let is_attached = after.len() == rest.len();
    match after.first() {
        None | Some(b';') => None,
        _ if is_attached => Some(rest),
        _ => (is_name && !next_is_parameter(after)).then_some(after),
    }
}

/// How far a file name is looked into, in octets: file systems take 255. A bound keeps
/// looking ahead from costing more than the field is long.
const LONGEST_NAME: usize = 255;

/// A parameter as mailers get it wrong: another separator, no value, no quotes where there
/// should be, quotes that do not close. Where there is none, the error has what follows the text
/// that is passed over.
fn loose_parameter<'a>(field: &mut Field<'a>, input: &'a [u8]) -> Result<Written<'a>, &'a [u8]> {
    let Some((after_name, attribute)) = Token::read(input) else {
        return Err(skip_text(field, input));
    };
    let at = field.offset(input);
    let after = field.skip_cfws(after_name);
    if matches!(after.first(), None | Some(b';')) {
        let detail = "a parameter without an equals sign";
        field
            .report
            .add(Kind::MissingValue, at, attribute.octets.len(), detail);
        return Err(after);
    }
    let Some(after) = separator(field, after, attribute.octets) else {
        return Err(skip_text(field, input));
    };
    let start = blanks(after).map_or(after, |(after, _)| after);
    let value = if opens_name(field, start, attribute.octets) {
        start
    } else {
        field.skip_cfws(start)
    };
    if matches!(value.first(), None | Some(b';')) {
        let length = input.len() - value.len();
        field.report.add(
            Kind::MissingValue,
            at,
            length,
            "a parameter without a value",
        );
        return Err(value);
    }
    let (rest, value, form) = if value.first() == Some(&b'"') {
        let (rest, octets) = loose_quoted_string(field, value);
        (rest, octets, Form::QuotedString)
    } else {
        let (rest, octets) = unquoted_value(field, value, attribute.octets);
        (rest, octets, Form::Loose)
    };
    let rest = if ends_value(field, rest, false) || next_is_parameter(rest) {
        rest
    } else {
        skip_text(field, rest)
    };
    Ok(Written {
        attribute,
        value,
        form,
        input,
        rest,
    })
}

/// What separates name from value: `:` for `=`, `==` for `=`. Mass mailers with templates
/// of their own write both.
///
/// A boundary may begin with an equals sign, and an encoded word does.
fn separator<'a>(field: &mut Field<'a>, input: &'a [u8], attribute: &[u8]) -> Option<&'a [u8]> {
    let rest = match input {
        [b'=', rest @ ..] => rest,
        [b':', rest @ ..] => rest.strip_prefix(b"=").unwrap_or(rest),
        _ => return None,
    };
    let keeps = attribute.eq_ignore_ascii_case(b"boundary");
    let mut rest = rest;
    while let [b'=', after @ ..] = rest {
        if keeps || after.first() == Some(&b'?') {
            break;
        }
        rest = after;
    }
    let length = input.len() - rest.len();
    work(length);
    if length > 1 || input.first() == Some(&b':') {
        let at = field.offset(input);
        let detail = "something else than one equals sign after a name";
        field.report.add(Kind::WrongSeparator, at, length, detail);
    }
    Some(rest)
}

/// A quoted string that does not end where its second quote stands, or not at all.
fn loose_quoted_string<'a>(field: &mut Field<'a>, input: &'a [u8]) -> (&'a [u8], Cow<'a, [u8]>) {
    let Ok((rest, content)) = quoted_string(input) else {
        return unclosed_quoted_string(field, input);
    };
    if ends_value(field, rest, false) || next_is_parameter(rest) {
        return (rest, quoted_path(field, input, content));
    }
    let Some(rest) = after_inner_quotes(field, rest) else {
        return (rest, unquoted(content));
    };
    let at = field.offset(input);
    let length = input.len() - rest.len();
    let detail = "quotes inside a quoted value";
    field.report.add(Kind::UnquotedSpecial, at, length, detail);
    (rest, unquoted(slice(input, 1, length - 1)))
}

/// What follows the quote that really ends a value like `"the "best" file.txt"`, before the
/// next semicolon: web mailers quote file names without looking into them.
fn after_inner_quotes<'a>(field: &mut Field<'a>, rest: &'a [u8]) -> Option<&'a [u8]> {
    let near = slice(rest, 0, LONGEST_NAME.min(rest.len()));
    let line = memchr(b';', near).map_or(near, |end| slice(near, 0, end));
    work(line.len());
    let last = memchr::memrchr(b'"', line)?;
    let after = rest.get(last + 1..)?;
    ends_value(field, after, false).then_some(after)
}

/// A quoted string without its second quote: it ends with the field, or before a semicolon
/// behind which a parameter stands. A quoted pair at the end was the second quote:
/// `"C:\temp\"` comes from mailers that quote without escaping.
fn unclosed_quoted_string<'a>(field: &mut Field<'a>, input: &'a [u8]) -> (&'a [u8], Cow<'a, [u8]>) {
    let at = field.offset(input);
    let content = input.get(1..).unwrap_or_default();
    let mut end = content.len();
    let mut from = 0;
    while let Some(found) = memchr(b';', content.get(from..).unwrap_or_default()) {
        let semicolon = from + found;
        from = semicolon + 1;
        work(found + 1);
        if next_is_parameter(content.get(from..).unwrap_or_default()) {
            end = semicolon;
            break;
        }
    }
    let detail = "a quoted value without its second quote";
    field.report.add(Kind::Unterminated, at, end + 1, detail);
    let value = slice(content, 0, end);
    let value = value.strip_suffix(b"\\\"").unwrap_or(value);
    (
        content.get(end..).unwrap_or_default(),
        quoted_path(field, input, value),
    )
}

/// A quoted value that may be a path of DOS or Windows, whose backslashes quote nothing:
/// `"C:\TEMP\logo.png"`, which mailers for these systems wrote without doubling them.
fn quoted_path<'a>(field: &mut Field<'a>, input: &'a [u8], content: &'a [u8]) -> Cow<'a, [u8]> {
    if !is_path(content) {
        return unquoted(content);
    }
    let detail = "a path whose backslashes should have been doubled";
    let at = field.offset(input);
    field
        .report
        .add(Kind::UnquotedSpecial, at, content.len() + 1, detail);
    super::unfold(content)
}

/// Whether a value begins with a drive letter and one backslash that quotes neither a quote
/// nor itself.
fn is_path(content: &[u8]) -> bool {
    match content {
        [drive, b':', b'\\', next, ..] => {
            drive.is_ascii_alphabetic() && !matches!(next, b'\\' | b'"')
        }
        _ => false,
    }
}

/// A value that should have been quoted: up to white space or a semicolon, and of a name
/// also over white space; over parentheses that are no comment.
///
/// Unquoted file names with blanks, `ISO_8859-1:1987` and encoded words need it.
fn unquoted_value<'a>(
    field: &mut Field<'a>,
    input: &'a [u8],
    attribute: &[u8],
) -> (&'a [u8], Cow<'a, [u8]>) {
    let is_name = is_name(attribute);
    let mut rest = input;
    // What a value begins with is no comment.
    if input.first() == Some(&b'(') {
        rest = after_comments(field, input).unwrap_or_else(|| slice(input, 1, input.len()));
        let after = blanks(rest).map_or(rest, |(after, _)| after);
        if is_name && !matches!(after.first(), None | Some(b';')) && !next_is_parameter(after) {
            rest = after;
        }
    }
    loop {
        rest = value_word(field, rest, is_name);
        let after = blanks(rest).map_or(rest, |(after, _)| after);
        if after.len() == rest.len() || matches!(after.first(), None | Some(b';')) {
            break;
        }
        if after.first() == Some(&b'(') {
            match after_parentheses(field, after, is_name) {
                Some(behind) if is_name => rest = behind,
                _ => break,
            }
            continue;
        }
        let word_follows = encoded_word(after).is_ok();
        if !(is_name || word_follows) || next_is_parameter(after) {
            break;
        }
        rest = after;
    }
    let octets = slice(input, 0, input.len() - rest.len());
    work(octets.len());
    let at = field.offset(input);
    if !octets.iter().copied().all(is_token) {
        let detail = "a value with characters that need quotes";
        field
            .report
            .add(Kind::UnquotedSpecial, at, octets.len(), detail);
    }
    (rest, super::unfold(octets))
}

/// What follows a run of anything but white space and semicolons, or of encoded words, parentheses
/// and runs of ISO 2022, which may hold both; before what is a comment behind the value.
fn value_word<'a>(field: &mut Field<'a>, input: &'a [u8], is_name: bool) -> &'a [u8] {
    let mut rest = input;
    loop {
        if let Ok((after, _)) = encoded_word(rest) {
            rest = after;
            continue;
        }
        let Some((first, after)) = rest.split_first() else {
            return rest;
        };
        if is_blank(*first) || *first == b';' {
            return rest;
        }
        if *first == b'(' {
            match after_parentheses(field, rest, is_name) {
                Some(after) => rest = after,
                None => return rest,
            }
            continue;
        }
        if *first == ESCAPE
            && let Some(run) = escape_run(rest)
        {
            rest = rest.get(run..).unwrap_or_default();
            continue;
        }
        rest = plain_run(after).map_or(after, |(after, _)| after);
    }
}

fn plain_run(input: &[u8]) -> IResult<&[u8], &[u8]> {
    let is_plain = |octet| !is_blank(octet) && !matches!(octet, b';' | b'=' | b'(' | ESCAPE);
    let (rest, run) = take_while(is_plain)(input)?;
    work(run.len() + 1);
    Ok((rest, run))
}

/// Whether a name and an equals sign come next, as where a semicolon was forgotten.
fn next_is_parameter(input: &[u8]) -> bool {
    let name = (blanks, token, blanks, tag("=")).parse(input);
    // `=?` opens an encoded word and `==` ends base64.
    name.is_ok_and(|(rest, _)| !matches!(rest.first(), Some(b'=')))
}

/// Passes over text that is no parameter: up to a semicolon, or to where a parameter seems
/// to begin behind white space or a comma.
fn skip_text<'a>(field: &mut Field<'a>, input: &'a [u8]) -> &'a [u8] {
    let is_gap = |octet| is_blank(octet) || octet == b',';
    let mut rest = input;
    while !matches!(rest.first(), None | Some(b';')) {
        let word = rest
            .iter()
            .position(|&octet| is_gap(octet) || octet == b';')
            .unwrap_or(rest.len());
        rest = rest.get(word..).unwrap_or_default();
        let gap = rest
            .iter()
            .position(|&octet| !is_gap(octet))
            .unwrap_or(rest.len());
        rest = rest.get(gap..).unwrap_or_default();
        work(word + gap + 1);
        // Most words that are none begin otherwise.
        let begins_name = rest.first().is_some_and(|&octet| is_token(octet));
        if gap > 0 && begins_name && next_is_parameter(rest) {
            break;
        }
    }
    let at = field.offset(input);
    let length = input.len() - rest.len();
    field
        .report
        .add(Kind::SkippedText, at, length, "text that is no parameter");
    rest
}

/// Takes a parameter into `list` if it is the first of its name.
#[inline]
fn push_first<'a>(field: &mut Field<'a>, list: &mut Vec<Parameter<'a>>, written: Written<'a>) {
    let parameter = written.into_parameter(field);
    if list.iter().any(|first| first.name == parameter.name) {
        let detail = "a parameter that stands again; the first is used";
        let (at, length) = (parameter.offset, parameter.length);
        field
            .report
            .add(Kind::DuplicateParameter, at, length, detail);
    } else {
        list.push(parameter);
    }
}

/// A part of a parameter's value with a star in its name.
#[derive(Debug)]
struct Section<'a> {
    name: Cow<'a, [u8]>,
    /// `None` for the one part of `name*`.
    number: Option<usize>,
    extended: bool,
    value: Cow<'a, [u8]>,
    offset: usize,
    length: usize,
}

/// > regular-parameter-name := attribute `[section]`
///
/// > section := "\*0" / "\*" NZDIGIT \*DIGIT
///
/// with a star behind it for an extended value (RFC 2231, section 7). `None` for a name without a star, and for one whose star
/// means nothing.
fn extended_name<'a>(field: &mut Field<'a>, written: &Written<'a>) -> Option<Section<'a>> {
    let (offset, length) = (field.offset(written.input), written.length());
    let attribute = written.attribute.octets;
    let star = attribute.iter().position(|&octet| octet == b'*');
    let star = star.filter(|&star| star > 0)?;
    let name = slice(attribute, 0, star);
    let tail = attribute.get(star + 1..)?;
    let (digits, extended) = match tail.strip_suffix(b"*") {
        Some(digits) => (digits, true),
        None => (tail, tail.is_empty()),
    };
    let number = if tail.is_empty() {
        None
    } else {
        Some(section_number(field, digits, offset)?)
    };
    if extended && written.form == Form::QuotedString {
        let detail = "an extended value in quotes";
        field
            .report
            .add(Kind::ExtendedSyntax, offset, length, detail);
    }
    Some(Section {
        name: lower_case_octets(name),
        number,
        extended,
        value: written.value.clone(),
        offset,
        length,
    })
}

/// A section number; leading zeros are passed over, since mailers that pad their numbers
/// mean no other order. `None` where there is no number.
fn section_number(field: &mut Field<'_>, digits: &[u8], offset: usize) -> Option<usize> {
    let is_number = !digits.is_empty() && digits.iter().all(u8::is_ascii_digit);
    if !is_number {
        let detail = "a star in a name that no section number follows";
        field.report.add(Kind::SectionNumber, offset, 0, detail);
        return None;
    }
    if digits.len() > 1 && digits.first() == Some(&b'0') {
        let detail = "a section number with a leading zero";
        field.report.add(Kind::SectionNumber, offset, 0, detail);
    }
    work(digits.len());
    let number = digits.iter().fold(0_usize, |number, digit| {
        number
            .saturating_mul(10)
            .saturating_add(usize::from(digit - b'0'))
    });
    Some(number)
}

/// Joins sections to values and puts them into `list`: an extended value wins over a plain
/// one of the same name, which older mailers were to see.
fn join_sections<'a>(
    field: &mut Field<'a>,
    mut sections: Vec<Section<'a>>,
    list: &mut Vec<Parameter<'a>>,
) {
    let is_of_first = |section: &Section<'_>| {
        let is_read = section
            .number
            .is_none_or(|number| number <= Parameter::MAX_SECTION);
        is_read
            && sections
                .first()
                .is_some_and(|first| first.name == section.name)
    };
    // A long file name and nothing else.
    if sections.iter().all(is_of_first) {
        join_group(field, &mut sections, list);
        return;
    }
    for mut parts in by_name(field, sections) {
        join_group(field, &mut parts, list);
    }
}

/// Joins the sections of one name.
fn join_group<'a>(field: &mut Field<'a>, parts: &mut [Section<'a>], list: &mut Vec<Parameter<'a>>) {
    parts.sort_by_key(|part| part.number);
    let Some(parameter) = joined(field, parts) else {
        return;
    };
    match list.iter_mut().find(|plain| plain.name == parameter.name) {
        Some(plain) => {
            let detail = "a plain value beside an extended value or sections, which come first";
            let (at, length) = (plain.offset, plain.length);
            field
                .report
                .add(Kind::DuplicateParameter, at, length, detail);
            let octets = std::mem::take(&mut plain.octets);
            *plain = parameter;
            plain.plain = plain.extended.then_some(octets);
        }
        None => list.push(parameter),
    }
}

/// The sections of each name, in the order of the field; sections beyond the limits are
/// reported and left out.
fn by_name<'a>(field: &mut Field<'a>, sections: Vec<Section<'a>>) -> Vec<Vec<Section<'a>>> {
    let mut groups: Vec<Vec<Section<'a>>> = Vec::new();
    for section in sections {
        let (at, length) = (section.offset, section.length);
        if section
            .number
            .is_some_and(|number| number > Parameter::MAX_SECTION)
        {
            let detail = "a section number above 9999";
            field.report.add(Kind::LimitReached, at, length, detail);
            continue;
        }
        let same_name = |group: &&mut Vec<Section<'a>>| {
            group
                .first()
                .is_some_and(|first| first.name == section.name)
        };
        if let Some(group) = groups.iter_mut().find(same_name) {
            group.push(section);
        } else if groups.len() < Parameter::MAX_COUNT {
            groups.push(vec![section]);
        } else {
            let detail = "more parameters than this library reads";
            field.report.add(Kind::LimitReached, at, length, detail);
        }
    }
    groups
}

/// One value out of its parts, which are sorted by number.
fn joined<'a>(field: &mut Field<'a>, parts: &[Section<'a>]) -> Option<Parameter<'a>> {
    let first = parts.first()?;
    let mut value = Vec::with_capacity(parts.iter().map(|part| part.value.len()).sum());
    let (label, language) = if first.extended {
        let (label, language, text) = extended_initial_value(field, first);
        percent_decoded(field, first, &text, &mut value);
        (label, language)
    } else {
        value.extend_from_slice(&first.value);
        (None, None)
    };
    if first.number.is_some_and(|number| number > 0) {
        let detail = "sections that do not begin with 0";
        field
            .report
            .add(Kind::SectionNumber, first.offset, first.length, detail);
    }
    let (mut start, mut end) = (first.offset, first.offset + first.length);
    let mut extended = first.extended;
    let mut last = first.number;
    for part in parts.get(1..).unwrap_or_default() {
        let (at, length) = (part.offset, part.length);
        if last.is_none() {
            let detail = "sections beside an extended value, which is used";
            field
                .report
                .add(Kind::DuplicateParameter, at, length, detail);
            continue;
        }
        if part.number == last {
            let detail = "a section that stands again; the first is used";
            field.report.add(Kind::DuplicateSection, at, length, detail);
            continue;
        }
        if part.number != last.map(|last| last + 1) {
            let detail = "a section behind a gap in the numbers";
            field.report.add(Kind::SectionGap, at, length, detail);
            // What follows lies behind the same gap.
            break;
        }
        last = part.number;
        if part.extended {
            if !extended {
                let detail = "an extended section without a charset in the first section";
                field.report.add(Kind::ExtendedSyntax, at, length, detail);
            }
            percent_decoded(field, part, &part.value, &mut value);
            extended = true;
        } else {
            value.extend_from_slice(&part.value);
        }
        (start, end) = (start.min(at), end.max(at + length));
    }
    Some(Parameter {
        name: first.name.clone(),
        octets: Cow::Owned(value),
        label,
        language,
        extended,
        plain: None,
        offset: start,
        length: end - start,
    })
}

/// A charset and a language, where there are any, and the rest of an extended value.
type ExtendedValue<'a> = (Option<Label<'a>>, Option<Cow<'a, [u8]>>, Cow<'a, [u8]>);

/// > `extended-initial-value := [charset] "'" [language] "'" extended-other-values`
fn extended_initial_value<'a>(field: &mut Field<'a>, part: &Section<'a>) -> ExtendedValue<'a> {
    let value = &part.value;
    let end = value.len();
    let mut apostrophes = value
        .iter()
        .enumerate()
        .filter_map(|(at, &octet)| (octet == b'\'').then_some(at));
    let (first, second) = (apostrophes.next(), apostrophes.next());
    work(end);
    let some = |from, to| Some(range(value, from, to)).filter(|octets| !octets.is_empty());
    if let (Some(first), Some(second)) = (first, second) {
        let label = some(0, first).map(Label::from);
        return (
            label,
            some(first + 1, second),
            range(value, second + 1, end),
        );
    }
    let detail = "an extended value without both its apostrophes";
    field
        .report
        .add(Kind::ExtendedSyntax, part.offset, part.length, detail);
    match first.filter(|&first| is_label(slice(value, 0, first))) {
        Some(first) => (
            some(0, first).map(Label::from),
            None,
            range(value, first + 1, end),
        ),
        None => (None, None, value.clone()),
    }
}

/// Whether what stands before a lone apostrophe is a charset and not half of a value such
/// as `John's%20file`: charsets in use have a digit, a hyphen or a low line in their name.
fn is_label(octets: &[u8]) -> bool {
    let marks = |octet: u8| octet.is_ascii_digit() || octet == b'-' || octet == b'_';
    octets.iter().copied().any(marks)
        && octets.iter().all(|&octet| is_token(octet) && octet != b'%')
}

/// A part of a value, borrowed where the value is.
fn range<'a>(value: &Cow<'a, [u8]>, from: usize, to: usize) -> Cow<'a, [u8]> {
    match value {
        Cow::Borrowed(octets) => Cow::Borrowed(slice(octets, from, to)),
        Cow::Owned(octets) => Cow::Owned(slice(octets, from, to).to_vec()),
    }
}

/// > ext-octet := "%" 2(DIGIT / "A" / "B" / "C" / "D" / "E" / "F")
///
/// and in lower case. Any other percent sign stands for itself: mailers that forget to
/// encode it mean one.
fn percent_decoded(field: &mut Field<'_>, part: &Section<'_>, text: &[u8], value: &mut Vec<u8>) {
    work(text.len());
    let mut rest = text;
    let mut is_bad = false;
    while let Some((&first, after)) = rest.split_first() {
        rest = after;
        if first != b'%' {
            value.push(first);
            continue;
        }
        let digits = match after {
            [high, low, after @ ..] => hexadecimal(*high).zip(hexadecimal(*low)).zip(Some(after)),
            _ => None,
        };
        if let Some(((high, low), after)) = digits {
            value.push(high << 4 | low);
            rest = after;
        } else {
            value.push(b'%');
            is_bad = true;
        }
    }
    if is_bad {
        let detail = "a percent sign without two hexadecimal digits";
        field
            .report
            .add(Kind::BadPercent, part.offset, part.length, detail);
    }
}

fn hexadecimal(digit: u8) -> Option<u8> {
    const NONE: u8 = 0xFF;
    const VALUES: [u8; 256] = values();
    #[expect(
        clippy::indexing_slicing,
        reason = "runs when compiling, where a slip is a build error"
    )]
    const fn values() -> [u8; 256] {
        let mut values = [NONE; 256];
        let mut value = 0;
        while value < 16 {
            values[b"0123456789abcdef"[value as usize] as usize] = value;
            values[b"0123456789ABCDEF"[value as usize] as usize] = value;
            value += 1;
        }
        values
    }
    let value = VALUES.get(usize::from(digit)).copied();
    value.filter(|&value| value != NONE)
}

/// A name in lower case, borrowed where it is.
fn lower_case_octets(token: &[u8]) -> Cow<'_, [u8]> {
    work(token.len());
    if token.iter().any(u8::is_ascii_uppercase) {
        Cow::Owned(token.to_ascii_lowercase())
    } else {
        Cow::Borrowed(token)
    }
}

/// A name in lower case, borrowed where it is.
///
/// Callers give tokens, which are ASCII.
pub(super) fn lower_case(token: &[u8]) -> Cow<'_, str> {
    /// What most fields say, without a further look at it.
    const COMMON: [&str; 8] = [
        "text/plain",
        "text/html",
        "multipart/alternative",
        "multipart/mixed",
        "multipart/related",
        "application/pdf",
        "attachment",
        "inline",
    ];
    work(token.len());
    let is_token = |common: &&&str| common.as_bytes() == token;
    if let Some(common) = COMMON.iter().find(is_token) {
        return Cow::Borrowed(common);
    }
    let name = std::str::from_utf8(token).unwrap_or_default();
    if name.bytes().any(|octet| octet.is_ascii_uppercase()) {
        Cow::Owned(name.to_ascii_lowercase())
    } else {
        Cow::Borrowed(name)
    }
}

#[cfg(test)]
mod tests {
    use super::Parameter;
    use crate::header::tests::{kinds, shown};
    use crate::header::{content_disposition, content_type};

    /// Each parameter as `name=octets <label> 'language'`, and the kinds of the findings.
    #[track_caller]
    fn read(parameters: &str, expected: &str, findings: &str) {
        let body = format!("attachment; {parameters}");
        let field = content_disposition(body.as_bytes());
        let one = |parameter: &Parameter<'_>| {
            let octets = parameter.octets().escape_ascii();
            let label = parameter.label().map(|label| format!(" <{label}>"));
            let language = parameter
                .language()
                .map(|tag| format!(" '{}'", tag.escape_ascii()));
            let name = parameter.name();
            format!(
                "{name}={octets}{}{}",
                label.unwrap_or_default(),
                language.unwrap_or_default()
            )
        };
        let all: Vec<_> = field.parameters().iter().map(one).collect();
        assert_eq!(all.join("; "), expected);
        assert_eq!(kinds(field.report()), findings);
    }

    #[test]
    fn sections_in_any_order() {
        read("a*1=c; a*0=b; a*2=d", "a=bcd", "");
        read(
            "a*2*=%20d; b=x; a*0*=utf-8'en'b; a*1=\"c%20\"",
            "b=x; a=bc%20 d <utf-8> 'en'",
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
        read("a*1=c; a*2=d", "a=cd", "section-number");
    }

    #[test]
    fn leading_zeros() {
        read("a*00=b; a*01=c", "a=bc", "section-number section-number");
    }

    #[test]
    fn sections_that_stand_twice() {
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
    fn extended_sections_behind_a_plain_one() {
        read(
            "a*0=\"b\"; a*1*=%C3%B8; a*2*=%20",
            r"a=b\xc3\xb8 ",
            "extended-syntax",
        );
    }

    #[test]
    fn bad_percent_signs_stay() {
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
            "unquoted-special raw-octets",
        );
    }

    #[test]
    fn stars_that_mean_nothing() {
        read("a*b=c", "a*b=c", "section-number");
        read("a**=c", "a**=c", "section-number");
    }

    #[test]
    fn quoted_pairs_and_folds() {
        read("a=\"b\\\"c\\\\d\r\n e\"", r#"a=b\"c\\d e"#, "");
    }

    #[test]
    fn file_names_that_need_quotes() {
        read(
            "filename=my file.txt; a=b",
            "filename=my file.txt; a=b",
            "unquoted-special",
        );
        read(
            "filename=photo(1).jpg",
            "filename=photo(1).jpg",
            "unquoted-special",
        );
        read("filename=photo(1)", "filename=photo", "");
        read("filename=a=b.txt", "filename=a=b.txt", "unquoted-special");
    }

    #[test]
    fn paths_with_single_backslashes() {
        let special = "unquoted-special";
        read(
            r#"filename="C:\TEMP\a.png"; a=b"#,
            r"filename=C:\\TEMP\\a.png; a=b",
            special,
        );
        read(
            r#"filename="C:\\TEMP\\a.png""#,
            r"filename=C:\\TEMP\\a.png",
            "",
        );
        let both = "unterminated unquoted-special";
        read(r#"filename="C:\TEMP\""#, r"filename=C:\\TEMP", both);
    }

    #[test]
    fn quotes_inside_quotes() {
        read(
            "filename=\"the \"best\" file.txt\"; a=b",
            r#"filename=the \"best\" file.txt; a=b"#,
            "unquoted-special",
        );
        read("filename=\"a\"b; a=c", "filename=a; a=c", "skipped-text");
    }

    #[test]
    fn encoded_words_without_quotes() {
        read(
            "filename==?utf-8?Q?a;b?=\r\n =?utf-8?Q?c?=; a=b",
            "filename==?utf-8?Q?a;b?= =?utf-8?Q?c?=; a=b",
            "unquoted-special",
        );
    }

    #[test]
    fn encoded_words_are_given_leniently() {
        let field = content_type(b"a/b; name=\"=?utf-8?Q?a?=\r\n =?utf-8?Q?b?=\"; x=y; z*=''=?q?");
        let words = field.parameter("name").unwrap().words().unwrap();
        assert_eq!(
            shown(words.pieces()),
            "{Parameter utf-8 Q a}~ {Parameter utf-8 Q b}"
        );
        assert_eq!(
            kinds(words.report()),
            "encoded-word-place encoded-word-place"
        );
        assert!(field.parameter("x").unwrap().words().is_none());
        let nothing = field.parameter("z").unwrap().words().unwrap();
        assert_eq!(shown(nothing.pieces()), "=?q?");
    }

    #[test]
    fn where_a_parameter_stands() {
        let field = content_type(b"a/b; x = \"y\" ; z*1=2;z*0=1 ");
        let place = |name| {
            let parameter = field.parameter(name).unwrap();
            (parameter.offset(), parameter.length())
        };
        assert_eq!(place("x"), (5, 7));
        assert_eq!(place("z"), (15, 11));
    }

    #[test]
    fn as_many_as_the_limit() {
        let limit = Parameter::MAX_COUNT;
        let body = |count: usize| {
            let all: Vec<_> = (0..count).map(|number| format!("p{number}=x")).collect();
            format!("a/b; {}", all.join("; "))
        };
        let at_limit = body(limit);
        assert_eq!(kinds(content_type(at_limit.as_bytes()).report()), "");
        let beyond = body(limit + 2);
        let field = content_type(beyond.as_bytes());
        assert_eq!(
            (field.parameters().len(), kinds(field.report())),
            (limit, "limit-reached".into())
        );
    }

    #[test]
    fn sections_up_to_the_limit() {
        read("a*9999=b", "a=b", "section-number");
        read("a*10000=b", "", "limit-reached");
        read("a*99999999999999999999999=b", "", "limit-reached");
    }
}
