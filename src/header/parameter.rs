//! Parameters (RFC 2045, section 5.1).
//!
//! A parameter is parsed by the grammar first, then by the rules for damaged parameters
//! ([`damaged_parameter`](super::damaged_parameter)). Sections and extended values are joined last
//! ([`section`](super::section)). Values are octets without quotes, quoted pairs and folds.

use super::classes::is_blank;
use super::damaged_parameter::{
    ends_value, is_name, is_path, loose_parameter, next_is_parameter, opens_name, skip_text,
};
use super::one_parameter::{Parameter, RawParameter, ValueForm, is_name_of};
use super::section::{Section, extended_name, join_sections, name_without_star};
use super::token::{FieldReader, lower_case, quoted_string, slice, token, trim_start, unquoted};
use crate::report::Kind;
use crate::work::work;
use memchr::{memchr, memchr2_iter};
use std::borrow::Cow;
use std::iter::once_with;
use std::ops::{ControlFlow, Range};

/// All parameters in `input`, the field body after its first value. If `separated`, the first parameter
/// needs no semicolon before it.
pub(super) fn parameters<'a>(
    field: &mut FieldReader<'a>,
    input: &'a [u8],
    separated: bool,
) -> Vec<Parameter<'a>> {
    // Most fields have at most four parameters; growing an empty list takes 70 more instructions.
    let mut list = Vec::with_capacity(if input.is_empty() { 0 } else { 4 });
    let mut all = ParameterReader::new(field, input, separated);
    all.parse_all(&mut list);
    let mut sections = all.sections;
    if !sections.is_empty() {
        join_sections(field, &mut sections, &mut list);
        // Joined sections were appended at the end; restore the order of the field.
        list.sort_by_key(|parameter| parameter.offset);
    }
    list
}

/// The value of the parameter with this lower-case name, and the range of the parameter. The parser makes
/// no list, and stops as soon as the value is known; later parts of the field have no findings.
pub(super) fn value_named<'a>(
    field: &mut FieldReader<'a>,
    input: &'a [u8],
    separated: bool,
    name: &str,
) -> Option<(Cow<'a, [u8]>, Range<usize>)> {
    let mut all = ParameterReader::new(field, input, separated);
    let mut named = Named::after(0, name);
    all.parse_all(&mut named);
    let mut sections = all.sections;
    if sections.is_empty() {
        let found = named.found?;
        let start = field.offset(found.input);
        let range = start..start + found.length();
        return Some((found.value, range));
    }
    let mut list = Vec::from_iter(named.found.map(|written| written.into_parameter(field)));
    join_sections(field, &mut sections, &mut list);
    let found = list
        .into_iter()
        .find(|parameter| parameter.is_named(name))?;
    Some((found.octets, found.offset..found.offset + found.length))
}

/// The value of the second parameter with this lower-case name, if any.
pub(super) fn second_value_named<'a>(
    field: &mut FieldReader<'a>,
    input: &'a [u8],
    separated: bool,
    name: &str,
) -> Option<Cow<'a, [u8]>> {
    let mut all = ParameterReader::new(field, input, separated);
    let mut second = Named::after(1, name);
    all.parse_all(&mut second);
    second.found.map(|written| written.value)
}

/// Receives the parameters of a field.
trait ParameterSink<'a> {
    /// Adds the next parameter. Breaks when no more parameters are needed.
    fn add(&mut self, field: &mut FieldReader<'a>, written: RawParameter<'a>) -> ControlFlow<()>;
}

/// Keeps the first parameter of each name.
impl<'a> ParameterSink<'a> for Vec<Parameter<'a>> {
    #[expect(clippy::inline_always, reason = "measured as part of `parse_all`")]
    #[inline(always)]
    fn add(&mut self, field: &mut FieldReader<'a>, written: RawParameter<'a>) -> ControlFlow<()> {
        let parameter = written.into_parameter(field);
        if self.iter().any(|first| first.name == parameter.name) {
            let detail = "a repeated parameter; the first is used";
            let (at, length) = (parameter.offset, parameter.length);
            field.add(Kind::DuplicateParameter, at, length, detail);
        } else {
            self.push(parameter);
        }
        ControlFlow::Continue(())
    }
}

/// Keeps one parameter with this lower-case name, after skipping the first `skip`.
struct Named<'n, 'a> {
    name: &'n str,
    skip: usize,
    found: Option<RawParameter<'a>>,
}

impl<'n> Named<'n, '_> {
    fn after(skip: usize, name: &'n str) -> Self {
        let found = None;
        Named { name, skip, found }
    }
}

impl<'a> ParameterSink<'a> for Named<'_, 'a> {
    #[inline]
    fn add(&mut self, _: &mut FieldReader<'a>, written: RawParameter<'a>) -> ControlFlow<()> {
        if self.found.is_some() || !is_name_of(written.attribute, self.name) {
            return ControlFlow::Continue(());
        }
        if self.skip > 0 {
            self.skip -= 1;
            return ControlFlow::Continue(());
        }
        let rest = written.rest;
        self.found = Some(written);
        // The first parameter of a name is used, unless the name has sections or an extended value. A
        // star in the rest of the field may belong to either.
        match memchr(b'*', rest) {
            Some(_) => ControlFlow::Continue(()),
            None => ControlFlow::Break(()),
        }
    }
}

/// Parses the parameters of a field one by one. Sections and extended values are buffered until the end of
/// the field, since the order of parameters has no meaning (RFC 2045, section 5).
#[derive(Debug)]
struct ParameterReader<'f, 'a> {
    field: &'f mut FieldReader<'a>,
    input: &'a [u8],
    /// Whether the next parameter needs no semicolon before it.
    separated: bool,
    /// The number of parameters so far whose name has no star.
    count: usize,
    sections: Vec<Section<'a>>,
}

impl<'f, 'a> ParameterReader<'f, 'a> {
    fn new(field: &'f mut FieldReader<'a>, input: &'a [u8], separated: bool) -> Self {
        ParameterReader {
            field,
            input,
            separated,
            count: 0,
            sections: Vec::new(),
        }
    }

    /// Passes each parameter that is neither a section nor an extended value to `sink`, until `sink`
    /// breaks.
    ///
    /// Parameters that follow the grammar are passed in a separate call, which saves a tenth of the time.
    #[expect(
        clippy::inline_always,
        reason = "not inlined, the charset of a field costs a third more"
    )]
    #[inline(always)]
    fn parse_all(&mut self, sink: &mut impl ParameterSink<'a>) {
        while self.has_next() {
            let flow = match parameter(self.field, self.input) {
                Some(written) if is_whole(self.field, &written) => self.emit(written, sink),
                _ => self.parse_loose(sink),
            };
            if flow.is_break() {
                break;
            }
        }
    }

    /// Passes a parameter to `sink`, or buffers it if it is a section or an extended value.
    #[expect(
        clippy::inline_always,
        reason = "not inlined, it costs a parameter list a tenth of its time"
    )]
    #[inline(always)]
    fn emit(
        &mut self,
        written: RawParameter<'a>,
        sink: &mut impl ParameterSink<'a>,
    ) -> ControlFlow<()> {
        let input = self.input;
        self.input = written.rest;
        if !std::mem::take(&mut self.separated) {
            let detail = "a parameter without a semicolon before it";
            self.field.note(Kind::MissingSemicolon, input, 0, detail);
        }
        if written.form != ValueForm::Token && !written.value.is_ascii() {
            let (kind, detail) = match std::str::from_utf8(&written.value) {
                Ok(_) => (Kind::RawUtf8, ""),
                Err(_) => (Kind::RawOctets, "octets above 7F in a value"),
            };
            self.field.note(kind, input, written.length(), detail);
        }
        let name = match extended_name(self.field, &written) {
            None => name_without_star(self.field, &written),
            name => name,
        };
        if let Some((name, number, extended)) = name {
            let (offset, length) = (self.field.offset(input), written.length());
            // Built in place: a copy would be slow, since it would wait for the stores to the original.
            self.sections.extend(once_with(|| Section {
                name: lower_case(name),
                number,
                extended,
                offset,
                length,
                value: written.value,
                group: 0,
            }));
            return ControlFlow::Continue(());
        }
        self.count += 1;
        sink.add(self.field, written)
    }

    /// Parses the next parameter with [`loose_parameter`] and passes it to `sink`, or skips text that is
    /// not a parameter.
    #[inline(never)]
    fn parse_loose(&mut self, sink: &mut impl ParameterSink<'a>) -> ControlFlow<()> {
        match loose_parameter(self.field, self.input) {
            Ok(written) => self.emit(written, sink),
            Err(rest) => {
                (self.input, self.separated) = (rest, false);
                ControlFlow::Continue(())
            }
        }
    }

    /// Skips semicolons, comments and white space. Returns whether a parameter within the limits follows.
    #[expect(clippy::inline_always, reason = "measured as part of `parse_all`")]
    #[inline(always)]
    fn has_next(&mut self) -> bool {
        self.input = self.field.skip_cfws(self.input);
        loop {
            match self.input {
                [] => return false,
                [b';', rest @ ..] => {
                    let after = self.field.skip_cfws(rest);
                    if matches!(after, [] | [b';', ..]) {
                        let detail = "an extra semicolon";
                        self.field.note(Kind::EmptyParameter, self.input, 1, detail);
                    }
                    (self.input, self.separated) = (after, true);
                }
                [b'(', ..] => self.skip_open_parentheses(),
                _ => return !self.is_at_limit(),
            }
        }
    }

    fn skip_open_parentheses(&mut self) {
        self.input = self.field.skip_open_parentheses(self.input);
        let is_at_end = matches!(self.input, [] | [b';', ..]);
        if !is_at_end && !next_is_parameter(self.input) {
            self.input = skip_text(self.field, self.input);
        }
        self.input = self.field.skip_cfws(self.input);
    }

    /// Whether more parameters follow than the limit allows.
    fn is_at_limit(&mut self) -> bool {
        if self.count < Parameter::MAX_COUNT && self.sections.len() <= Parameter::MAX_SECTION {
            return false;
        }
        let detail = "more parameters than this library reads";
        self.field
            .note(Kind::LimitReached, self.input, self.input.len(), detail);
        true
    }
}

/// Whether the parameter ends where its parsed value does.
#[expect(clippy::inline_always, reason = "measured as part of `parse_all`")]
#[inline(always)]
fn is_whole<'a>(field: &mut FieldReader<'a>, written: &RawParameter<'a>) -> bool {
    let may_be_name = written.form == ValueForm::Token;
    matches!(written.rest, [] | [b';', ..])
        || ends_value(
            field,
            written.rest,
            may_be_name && is_name(written.attribute),
        )
}

/// > parameter := attribute "=" value
///
/// > value := token / quoted-string
///
/// with comments and white space between any two of these (RFC 2045, section 5.1).
#[expect(clippy::inline_always, reason = "measured as part of `parse_all`")]
#[inline(always)]
fn parameter<'a>(field: &mut FieldReader<'a>, input: &'a [u8]) -> Option<RawParameter<'a>> {
    let (rest, attribute) = token(input).ok()?;
    let rest = match rest {
        [b'=', rest @ ..] => rest,
        _ => field.skip_cfws(rest).strip_prefix(b"=")?,
    };
    let rest = match rest {
        [octet, ..] if *octet == b'(' || is_blank(*octet) => {
            let after = trim_start(rest);
            if opens_name(field, after, attribute) {
                return None;
            }
            field.skip_cfws(after)
        }
        _ => rest,
    };
    let (rest, value, form) = if let [b'"', ..] = rest {
        let string = quoted_string(rest)?;
        if is_path(string.content) {
            return None;
        }
        let value = if string.is_literal {
            Cow::Borrowed(string.content)
        } else {
            unquoted(string.content)
        };
        (string.rest, value, ValueForm::QuotedString)
    } else {
        let (rest, value) = token(rest).ok()?;
        (rest, Cow::Borrowed(value), ValueForm::Token)
    };
    Some(RawParameter {
        attribute,
        value,
        form,
        input,
        rest,
    })
}

/// Whether `rest` begins with an equals sign, so that the octets before it are the name of a parameter.
pub(super) fn opens_value(rest: &[u8]) -> bool {
    FieldReader::new(rest).skip_cfws(rest).starts_with(b"=")
}

/// Whether a field may have a parameter whose name contains `part`, given in lower case. If not, the
/// caller need not parse the field.
pub(crate) fn may_have(body: &[u8], part: [u8; 4]) -> bool {
    work(body.len());
    let [first, ..] = part;
    let is_part = |at: usize| {
        let found = slice(body, at, at + part.len());
        found.eq_ignore_ascii_case(&part)
    };
    memchr2_iter(first, first.to_ascii_uppercase(), body).any(is_part)
}

#[cfg(test)]
pub(super) mod tests {
    use super::Parameter;
    use crate::header::tests::{kinds, shown};
    use crate::header::{content_disposition, content_type};

    /// Each parameter as `name=octets <label> 'language'`, and the kinds of the findings.
    #[track_caller]
    pub(crate) fn read(parameters: &str, expected: &str, findings: &str) {
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
    fn quoted_pairs_and_folds() {
        read("a=\"b\\\"c\\\\d\r\n e\"", r#"a=b\"c\\d e"#, "");
    }

    #[test]
    fn encoded_words_in_values_are_read() {
        let field = content_type(b"a/b; name=\"=?utf-8?Q?a?=\r\n =?utf-8?Q?b?=\"; x=y; z*=''=?q?");
        let words = field.parameter("name").unwrap().words().unwrap();
        assert_eq!(
            shown(words.as_slice()),
            "{Parameter utf-8 Q a}~ {Parameter utf-8 Q b}"
        );
        assert_eq!(
            kinds(words.report()),
            "encoded-word-place encoded-word-place"
        );
        assert!(field.parameter("x").unwrap().words().is_none());
        let nothing = field.parameter("z").unwrap().words().unwrap();
        assert_eq!(shown(nothing.as_slice()), "=?q?");
    }

    #[test]
    fn parameters_have_their_offset_and_length() {
        let field = content_type(b"a/b; x = \"y\" ; z*1=2;z*0=1 ");
        let place = |name| {
            let parameter = field.parameter(name).unwrap();
            (parameter.offset(), parameter.length())
        };
        assert_eq!(place("x"), (5, 7));
        assert_eq!(place("z"), (15, 11));
    }

    #[test]
    fn the_number_of_parameters_is_limited() {
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
}
