//! Damaged parameters: a wrong separator, no value, missing or unclosed quotes, parentheses that are not
//! a comment, text that is not a parameter.
//!
//! The grammar is tried first ([`parameter`](super::parameter)). Every repair here is reported.

use std::borrow::Cow;

use memchr::memchr;

use super::classes::{ESCAPE, is_blank, is_token};
use super::encoded_word::encoded_word;
use super::one_parameter::{RawParameter, ValueForm};
use super::token::{
    FieldReader, QuotedString, escape_run, name_with_blanks, quoted_string, slice, token, trim_end,
    trim_start, unfold, unquoted,
};
use crate::report::Kind;
use crate::work::work;

/// Maximum look-ahead into a file name in octets: file systems allow 255. Keeps parsing linear.
const MAX_NAME: usize = 255;

/// Parses a damaged parameter: a wrong separator, no value, missing or unclosed quotes. If there is no
/// parameter, skips the text; the error holds the octets after it.
pub(super) fn loose_parameter<'a>(
    field: &mut FieldReader<'a>,
    input: &'a [u8],
) -> Result<RawParameter<'a>, &'a [u8]> {
    let name = name_with_blanks(input).or_else(|| token(input).ok());
    let Some((after_name, attribute)) = name else {
        return Err(skip_text(field, input));
    };
    let at = field.offset(input);
    let after = field.skip_cfws(after_name);
    if matches!(after.first(), None | Some(b';')) {
        let detail = "a parameter without an equals sign";
        field.add(Kind::MissingValue, at, attribute.len(), detail);
        return Err(after);
    }
    let Some(after) = separator(field, after, attribute) else {
        return Err(skip_text(field, input));
    };
    let start = trim_start(after);
    let value = if opens_name(field, start, attribute) {
        start
    } else {
        field.skip_cfws(start)
    };
    if matches!(value.first(), None | Some(b';')) {
        let length = input.len() - value.len();
        field.add(
            Kind::MissingValue,
            at,
            length,
            "a parameter without a value",
        );
        return Err(value);
    }
    let (rest, value, form) = if value.first() == Some(&b'"') {
        let (rest, octets) = loose_quoted_string(field, value);
        (rest, octets, ValueForm::QuotedString)
    } else {
        let (rest, octets) = unquoted_value(field, value, attribute);
        (rest, octets, ValueForm::Loose)
    };
    let rest = if ends_value(field, rest, false) || next_is_parameter(rest) {
        rest
    } else {
        skip_text(field, rest)
    };
    Ok(RawParameter {
        attribute,
        value,
        form,
        input,
        rest,
    })
}

/// Skips the separator of name and value: `=`, or `:` or `==` as templates of mass mailers write it.
///
/// Further equals signs are skipped too, unless they may begin the value: in `boundary==x` the second one
/// is kept, and in `==?utf-8?` it begins an encoded word.
fn separator<'a>(
    field: &mut FieldReader<'a>,
    input: &'a [u8],
    attribute: &[u8],
) -> Option<&'a [u8]> {
    let rest = match input {
        [b'=', rest @ ..] => rest,
        [b':', rest @ ..] => rest.strip_prefix(b"=").unwrap_or(rest),
        _ => return None,
    };
    let keeps_equals_signs = attribute.eq_ignore_ascii_case(b"boundary");
    let mut rest = rest;
    while let [b'=', after @ ..] = rest {
        if keeps_equals_signs || after.first() == Some(&b'?') {
            break;
        }
        rest = after;
    }
    let length = input.len() - rest.len();
    work(length);
    if length > 1 || input.first() == Some(&b':') {
        let at = field.offset(input);
        let detail = "not exactly one equals sign after a name";
        field.add(Kind::WrongSeparator, at, length, detail);
    }
    Some(rest)
}

/// Parses a quoted string, which may have unescaped quotes inside or no closing quote.
fn loose_quoted_string<'a>(
    field: &mut FieldReader<'a>,
    input: &'a [u8],
) -> (&'a [u8], Cow<'a, [u8]>) {
    let Some(QuotedString { rest, content, .. }) = quoted_string(input) else {
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
    field.add(Kind::UnquotedSpecial, at, length, detail);
    (rest, unquoted(slice(input, 1, length - 1)))
}

/// Skips a value with quotes inside, such as `"the "best" file.txt"`, up to the last quote before the
/// next semicolon. Web mailers do not escape quotes in file names. `None` if the value does not end at
/// that quote.
fn after_inner_quotes<'a>(field: &mut FieldReader<'a>, rest: &'a [u8]) -> Option<&'a [u8]> {
    let near = slice(rest, 0, MAX_NAME.min(rest.len()));
    let line = memchr(b';', near).map_or(near, |end| slice(near, 0, end));
    work(line.len());
    let last = memchr::memrchr(b'"', line)?;
    let after = rest.get(last + 1..)?;
    ends_value(field, after, false).then_some(after)
}

/// Parses a quoted string without a closing quote. It ends at a semicolon followed by a parameter, or at
/// the end of the field. If it ends in `\"`, both octets are removed: mailers that do not escape
/// backslashes write `"C:\temp\"`.
fn unclosed_quoted_string<'a>(
    field: &mut FieldReader<'a>,
    input: &'a [u8],
) -> (&'a [u8], Cow<'a, [u8]>) {
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
    field.add(Kind::Unterminated, at, end + 1, detail);
    let value = slice(content, 0, end);
    let value = value.strip_suffix(b"\\\"").unwrap_or(value);
    (
        content.get(end..).unwrap_or_default(),
        quoted_path(field, input, value),
    )
}

/// Removes the quoted pairs of a value. Keeps the backslashes of a DOS or Windows path such as
/// `"C:\TEMP\logo.png"`: mailers for these systems did not double them.
fn quoted_path<'a>(
    field: &mut FieldReader<'a>,
    input: &'a [u8],
    content: &'a [u8],
) -> Cow<'a, [u8]> {
    if !is_path(content) {
        return unquoted(content);
    }
    let detail = "a path whose backslashes should have been doubled";
    let at = field.offset(input);
    field.add(Kind::UnquotedSpecial, at, content.len() + 1, detail);
    unfold(content)
}

/// Whether a value begins with a drive letter, a colon and a backslash that is not followed by a quote or
/// a backslash.
pub(super) fn is_path(content: &[u8]) -> bool {
    match content {
        [drive, b':', b'\\', next, ..] => {
            drive.is_ascii_alphabetic() && !matches!(next, b'\\' | b'"')
        }
        _ => false,
    }
}

/// Parses a value without the quotes it needs, up to white space or a semicolon. A file name may have
/// white space and parentheses; a label may have white space in a few forms ([`label_continues`]).
///
/// Examples are file names with blanks, `ISO_8859-1:1987` and encoded words. Apostrophes stay in the
/// value: RFC 2045, section 5.1, allows them in tokens, and file names have them.
/// [`resolve`](crate::charset::resolve) removes apostrophes around a label.
fn unquoted_value<'a>(
    field: &mut FieldReader<'a>,
    input: &'a [u8],
    attribute: &[u8],
) -> (&'a [u8], Cow<'a, [u8]>) {
    let is_name = is_name(attribute);
    let mut rest = input;
    // A parenthesis at the start is part of the value, not a comment.
    if input.first() == Some(&b'(') {
        rest = after_comments(field, input).unwrap_or_else(|| slice(input, 1, input.len()));
        let after = trim_start(rest);
        if is_name && !matches!(after.first(), None | Some(b';')) && !next_is_parameter(after) {
            rest = after;
        }
    }
    let is_label = attribute.eq_ignore_ascii_case(b"charset");
    loop {
        let start = rest;
        rest = value_word(field, rest, is_name);
        let after = trim_start(rest);
        if after.len() == rest.len() || matches!(after.first(), None | Some(b';')) {
            break;
        }
        if after.first() == Some(&b'(') {
            match after_parentheses(field, after, is_name) {
                Some(following) if is_name => rest = following,
                _ => break,
            }
            continue;
        }
        let word = slice(start, 0, start.len() - rest.len());
        let is_first = start.len() == input.len();
        let continues = is_name || is_label && label_continues(input, word, is_first, after);
        if !(continues || encoded_word(after).is_ok()) || next_is_parameter(after) {
            break;
        }
        rest = after;
    }
    let octets = slice(input, 0, input.len() - rest.len());
    work(octets.len());
    let at = field.offset(input);
    if !octets.iter().copied().all(is_token) {
        let detail = "a value with characters that need quotes";
        field.add(Kind::UnquotedSpecial, at, octets.len(), detail);
    }
    (rest, unfold(octets))
}

/// Whether a label continues after the blank between this word and `after`. It does if the label begins
/// with an apostrophe that this word does not close (`'Windows 1251'`), if a number follows (`iso 8859
/// 2`), or after a first word without a digit (`shift jis`).
fn label_continues(label: &[u8], word: &[u8], is_first: bool, after: &[u8]) -> bool {
    /// Maximum length of a word of a label.
    const MAX_WORD: usize = 16;
    let is_quote = |octet: &u8| matches!(octet, b'\'' | b'`');
    work(word.len() + MAX_WORD);
    if label.first().is_some_and(is_quote) {
        return !word.last().is_some_and(is_quote);
    }
    let ends = |octet: &u8| is_blank(*octet) || *octet == b';';
    let next = after.get(..=MAX_WORD).unwrap_or(after);
    let end = next.iter().position(ends);
    let next = match end {
        Some(end) => next.get(..end).unwrap_or_default(),
        None if next.len() > MAX_WORD => return false,
        None => next,
    };
    next.iter().all(u8::is_ascii_digit) || is_first && !word.iter().any(u8::is_ascii_digit)
}

/// Skips one word of a value, up to white space, a semicolon or a comment. Encoded words, parentheses and
/// ISO 2022 runs in the word may contain white space and semicolons.
fn value_word<'a>(field: &mut FieldReader<'a>, input: &'a [u8], is_name: bool) -> &'a [u8] {
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
        let ends = |&octet: &u8| is_blank(octet) || matches!(octet, b';' | b'=' | b'(' | ESCAPE);
        let length = after.iter().position(ends).unwrap_or(after.len());
        work(length + 1);
        rest = slice(after, length, after.len());
    }
}

/// Whether a value ends before `rest`: the field ends, or a semicolon or a comment follows.
pub(super) fn ends_value<'a>(field: &mut FieldReader<'a>, rest: &'a [u8], is_name: bool) -> bool {
    let after = trim_start(rest);
    let is_attached = after.len() == rest.len();
    match after.first() {
        Some(b'(') if is_attached || is_name => after_parentheses(field, after, is_name).is_none(),
        None | Some(b';' | b'(') => true,
        _ => false,
    }
}

/// Whether the value of a parameter is a file name, which may have blanks and parentheses.
pub(super) fn is_name(attribute: &[u8]) -> bool {
    let base = attribute.split(|&octet| octet == b'*').next();
    let base = trim_end(base.unwrap_or_default());
    [b"name".as_slice(), b"filename"]
        .iter()
        .any(|name| base.eq_ignore_ascii_case(name))
}

/// Whether the parenthesis at the start of `input` begins an unquoted name.
///
/// By the grammar, `filename=(1).pdf` is a comment and the name `.pdf`, but the mailer meant `(1).pdf`.
/// Text in parentheses alone is the name too.
pub(super) fn opens_name<'a>(
    field: &mut FieldReader<'a>,
    input: &'a [u8],
    attribute: &[u8],
) -> bool {
    if input.first() != Some(&b'(') || !is_name(attribute) {
        return false;
    }
    let Some(after) = after_comments(field, input) else {
        return true;
    };
    let after = trim_start(after);
    after.first() != Some(&b'"') && !next_is_parameter(after)
}

/// Skips the comments at the start of `input` and the white space between them. `None` if the first
/// comment is not closed.
fn after_comments<'a>(field: &mut FieldReader<'a>, input: &'a [u8]) -> Option<&'a [u8]> {
    let (mut rest, _) = field.after_comment(input)?;
    while let Some((after, _)) = field.after_comment(trim_start(rest)) {
        rest = after;
    }
    Some(rest)
}

/// Skips the parenthesized text at the start of `input` if it is part of an unquoted value. It is part of
/// the value if more of the value follows: `photo(1).jpg` or, in a file name, `photo (1).jpg`. An
/// unclosed parenthesis is part of the value too. `None` for a comment: the value ends there, or another
/// parameter follows.
fn after_parentheses<'a>(
    field: &mut FieldReader<'a>,
    input: &'a [u8],
    is_name: bool,
) -> Option<&'a [u8]> {
    let Some(rest) = after_comments(field, input) else {
        // Skips all adjacent opening parentheses, even if one of them is closed.
        let run = input.iter().take_while(|&&octet| octet == b'(').count();
        work(run);
        return input.get(run..);
    };
    let after = trim_start(rest);
    let is_attached = after.len() == rest.len();
    match after.first() {
        None | Some(b';') => None,
        _ if is_attached => Some(rest),
        _ => (is_name && !next_is_parameter(after)).then_some(after),
    }
}

/// Whether `input` begins with a name and an equals sign, as after a missing semicolon.
pub(super) fn next_is_parameter(input: &[u8]) -> bool {
    let name = token(trim_start(input)).ok();
    let value = name.and_then(|(rest, _)| trim_start(rest).strip_prefix(b"="));
    // `==` is the end of base64, not a separator.
    value.is_some_and(|value| !value.starts_with(b"="))
}

/// Skips text that is not a parameter. Stops at a semicolon, or after white space or a comma if a likely
/// parameter follows.
pub(super) fn skip_text<'a>(field: &mut FieldReader<'a>, input: &'a [u8]) -> &'a [u8] {
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
        // Cheap check first: most words do not begin a name.
        let begins_name = rest.first().is_some_and(|&octet| is_token(octet));
        if gap > 0 && begins_name && next_is_parameter(rest) {
            break;
        }
    }
    let at = field.offset(input);
    let length = input.len() - rest.len();
    let detail = "text that is not a parameter";
    field.add(Kind::SkippedText, at, length, detail);
    rest
}

#[cfg(test)]
mod tests {
    use crate::header::parameter::tests::read;

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

    /// A label may be a name and a number separated by a blank, or be in apostrophes. In file names
    /// both are kept.
    #[test]
    fn labels_with_blanks() {
        let special = "unquoted-special";
        for label in [
            "Windows 1251",
            "ISO Latin 1",
            "iso 8859 2",
            "'Windows 1251'",
            "`koi8 r`",
            "'Windows 1251",
        ] {
            let shown = label.escape_default();
            let whole = format!("charset={shown}; a=b");
            let alone = format!("charset={shown}");
            read(&format!("charset={label}; a=b"), &whole, special);
            read(&format!("charset={label}"), &alone, special);
            let missing = "unquoted-special missing-semicolon";
            read(&format!("charset={label} a=b"), &whole, missing);
        }
        read("charset=Windows 1251 (c)", "charset=Windows 1251", special);
        read("charset=utf-8 or so", "charset=utf-8", "skipped-text");
        let skipped = "skipped-text";
        for rest in ["or so", "some text 1"] {
            let written = format!("charset=utf-8 {rest}");
            read(&written, "charset=utf-8", skipped);
        }
        // One more word, and none longer than a word of a label.
        let both = "unquoted-special skipped-text";
        read("charset=macintosh or so", "charset=macintosh or", both);
        let long = format!("charset=macintosh {}", "x".repeat(300));
        read(&long, "charset=macintosh", skipped);
        read("charset=`utf-8` or so", "charset=`utf-8`", "skipped-text");
        read("charset=utf-8 (c)", "charset=utf-8", "");
        read("a=b c", "a=b", "skipped-text");
        read("name='a b.pdf'", r"name=\'a b.pdf\'", special);
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
}
