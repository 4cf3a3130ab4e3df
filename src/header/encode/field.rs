//! Whole fields (RFC 5322, section 2.2).

use super::lines::{FoldedLines, LINE};
use super::mailbox::{MailboxOrGroup, addresses, mailboxes};
use super::parameter::append_parameter;
use super::text::{phrases, unstructured};
use crate::error::Error;
use crate::header::classes::is_token;
use crate::header::syntax::{Syntax, syntax};

/// Maximum length of a line without its line ending (RFC 5322, section 2.1.1).
const MAX_LINE: usize = 998;

/// The value of a field for [`field`].
///
/// ```
/// use mime_charset::header::encode::{self, Value};
///
/// let id = encode::field("Message-ID", Value::Written("<1@example.org>"))?;
/// assert_eq!(id, "Message-ID: <1@example.org>\r\n");
/// let keywords = encode::field("Keywords", Value::Phrases(&["Größe", "a, b"]))?;
/// assert_eq!(keywords, "Keywords: =?UTF-8?B?R3LDtsOfZQ==?=, \"a, b\"\r\n");
/// # Ok::<(), mime_charset::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Value<'a> {
    /// Unstructured text, as in Subject: [`unstructured`].
    Text(&'a str),
    /// Display names and addresses, as in To: [`mailboxes`].
    Mailboxes(&'a [(&'a str, &'a str)]),
    /// Mailboxes and groups, as in To: [`addresses`].
    Addresses(&'a [MailboxOrGroup<'a>]),
    /// Phrases, as in Keywords: [`phrases`].
    Phrases(&'a [&'a str]),
    /// A media type or a token, and parameters with their names and values, as in Content-Type:
    /// [`parameter`](super::parameter()).
    Parameters(&'a str, &'a [(&'a str, &'a str)]),
    /// A body already in the syntax of its field, such as a date or a message identifier. It may have
    /// printable US-ASCII, blanks and tabs. Lines longer than 76 characters are folded at blanks; blanks
    /// at the ends are trimmed.
    Written(&'a str),
}

/// Writes a field: its name, its body and CRLF (RFC 5322, section 2.2), folded (section 2.2.3).
///
/// Lines have at most 76 characters if they can be folded, and never more than 998 (section 2.1.1). The
/// value is always the body of this one field: text in it cannot begin another field or end the header.
///
/// # Errors
///
/// - A `name` that is empty, has a colon or any character other than printable US-ASCII (section 3.6.8),
///   has more than 996 characters, or begins like an encoded word (RFC 2047, section 2). The offset is
///   into the name.
/// - A value that the field with this name cannot have. A field whose
///   [`syntax`](crate::header::syntax()) is addresses takes mailboxes and groups, a field of phrases
///   takes phrases, and so on. An unstructured field takes any value, and every field takes a
///   [written](Value::Written) value.
/// - A value that [`addresses`] or [`parameter`](super::parameter()) rejects; a parameter that occurs
///   twice (RFC 2045, section 5.1); a first value, before the parameters, that is not a token or, in
///   Content-Type, not two tokens separated by a slash.
/// - An empty list of mailboxes or addresses in a field other than Bcc, and an empty list of phrases (RFC
///   5322, section 3.6).
/// - A written body with an octet that is not printable US-ASCII or a blank, or with too few blanks to
///   fold it into lines of at most 998 characters. The offset is into the rejected value.
///
/// ```
/// use mime_charset::header::encode::{self, Value};
///
/// let subject = encode::field("Subject", Value::Text("Grüße\r\nBcc: x@example.org"))?;
/// assert_eq!(subject, "Subject: =?UTF-8?B?R3LDvMOfZQ0KQmNjOg==?= x@example.org\r\n");
/// let to = encode::field("To", Value::Mailboxes(&[("", "用户@例子.广告")]))?;
/// // Such a message is sent by SMTPUTF8 (RFC 6531).
/// assert_eq!((to.as_str(), to.is_ascii()), ("To: 用户@例子.广告\r\n", false));
///
/// let error = encode::field("X\r\nBcc", Value::Text("x@example.org")).unwrap_err();
/// assert_eq!(error.offset(), Some(1));
/// assert!(encode::field("To", Value::Text("Zoë")).is_err());
/// # Ok::<(), mime_charset::Error>(())
/// ```
pub fn field(name: &str, value: Value<'_>) -> Result<String, Error> {
    check_name(name)?;
    check_syntax(name, value)?;
    let start = format!("{name}: ");
    let column = start.len();
    let body = match value {
        Value::Text(text) => unstructured(text, column),
        Value::Mailboxes([]) | Value::Addresses([]) if !is_bcc(name) => {
            return Err(Error::new(format!(
                "expected a mailbox for {name}, found none"
            )));
        }
        Value::Mailboxes(list) => mailboxes(list.iter().copied(), column)?,
        Value::Addresses(list) => addresses(list.iter().copied(), column)?,
        Value::Phrases([]) => {
            return Err(Error::new(format!(
                "expected a phrase for {name}, found none"
            )));
        }
        Value::Phrases(list) => phrases(list.iter().copied(), column),
        Value::Parameters(value, parameters) => with_parameters(name, value, parameters, column)?,
        Value::Written(body) => fold_body(body.trim_matches([' ', '\t']), column)
            .map_err(|at| invalid_body(body, at))?,
    };
    Ok(start + &body + "\r\n")
}

/// Whether the field may be empty (RFC 5322, sections 3.6.3 and 3.6.6).
fn is_bcc(name: &str) -> bool {
    ["bcc", "resent-bcc"]
        .iter()
        .any(|bcc| name.eq_ignore_ascii_case(bcc))
}

/// > field-name = 1*ftext
/// > ftext = %d33-57 / %d59-126
fn check_name(name: &str) -> Result<(), Error> {
    let is_ftext = |octet: u8| octet.is_ascii_graphic() && octet != b':';
    let wrong = name.bytes().position(|octet| !is_ftext(octet));
    let longest = MAX_LINE - ": ".len();
    let is_too_long = (name.len() > longest).then_some(longest);
    // Readers would parse a line with such a beginning as a continuation of the previous field.
    let is_word = name.starts_with("=?") || name.is_empty();
    match wrong.or(is_too_long).or(is_word.then_some(0)) {
        None => Ok(()),
        Some(at) => {
            let sentence = format!("expected the name of a field, found {name:?}");
            Err(Error::at(at, sentence))
        }
    }
}

fn check_syntax(name: &str, value: Value<'_>) -> Result<(), Error> {
    let expected = match (syntax(name.as_bytes()), value) {
        (Syntax::Unstructured, _)
        | (_, Value::Written(_))
        | (Syntax::Addresses, Value::Mailboxes(_) | Value::Addresses(_))
        | (Syntax::Phrases, Value::Phrases(_))
        | (Syntax::Parameters, Value::Parameters(..)) => return Ok(()),
        (Syntax::Addresses, _) => "mailboxes",
        (Syntax::Phrases, _) => "phrases",
        (Syntax::Parameters, _) => "a value with parameters",
        (Syntax::Opaque, _) => "a written body",
    };
    Err(Error::new(format!(
        "expected {expected} for {name}, found {value:?}"
    )))
}

/// Writes the first value of a field, then the parameters.
fn with_parameters(
    name: &str,
    value: &str,
    parameters: &[(&str, &str)],
    column: usize,
) -> Result<String, Error> {
    let is_type = name.eq_ignore_ascii_case("content-type");
    if let Some(at) = wrong_in_value(value, is_type) {
        let expected = if is_type { "a media type" } else { "a token" };
        let sentence = format!("expected {expected} for {name}, found {value:?}");
        return Err(Error::at(at, sentence));
    }
    let mut lines = FoldedLines::new(column);
    // Leave room for a semicolon.
    lines.make_room(value.len(), 1);
    lines.put(value);
    for (index, (attribute, text)) in parameters.iter().enumerate() {
        let mut before = parameters.iter().take(index);
        if before.any(|(other, _)| other.eq_ignore_ascii_case(attribute)) {
            let sentence = format!("expected each parameter once, found {attribute:?} again");
            return Err(Error::new(sentence));
        }
        append_parameter(&mut lines, attribute, text, "")?;
    }
    Ok(lines.written)
}

/// The first offset at which a value is neither a token nor two tokens separated by a slash. A media type
/// must be two tokens.
fn wrong_in_value(value: &str, is_type: bool) -> Option<usize> {
    const MAX_VALUE: usize = 900;
    let is_wrong = |octet: u8| !is_token(octet) && octet != b'/';
    let wrong = value.bytes().position(is_wrong);
    let slash = value.find('/');
    let second = slash.and_then(|first| {
        let following = value.get(first + 1..)?;
        following.find('/').map(|at| first + 1 + at)
    });
    let ends = value.is_empty() || value.ends_with('/') || (is_type && slash.is_none());
    let at_start = value.starts_with('/').then_some(0);
    let is_too_long = (value.len() > MAX_VALUE).then_some(MAX_VALUE);
    let at_end = ends.then_some(value.len());
    wrong.or(at_start).or(second).or(is_too_long).or(at_end)
}

/// Folds the body at blanks. Fails with the offset of the first forbidden octet, or of the end of the
/// first line that would be too long.
fn fold_body(body: &str, column: usize) -> Result<String, usize> {
    let is_blank = |c: char| matches!(c, ' ' | '\t');
    if let Some(at) = body.find(|c: char| !(c.is_ascii_graphic() || is_blank(c))) {
        return Err(at);
    }
    let mut lines = FoldedLines::new(column);
    let mut at = 0;
    while let Some(rest) = body.get(at..).filter(|rest| !rest.is_empty()) {
        let blanks = rest.find(|c| !is_blank(c)).unwrap_or(rest.len());
        let word = rest.get(blanks..).unwrap_or_default();
        let length = blanks + word.find(is_blank).unwrap_or(word.len());
        let chunk = rest.get(..length).unwrap_or_default();
        if blanks == 0 {
            lines.make_room(length, 0);
        } else if lines.column + length > LINE {
            // The blanks follow the line ending and so complete the fold.
            lines.write("\r\n");
            lines.column = 0;
        }
        if lines.column + length > MAX_LINE {
            return Err(at + MAX_LINE - lines.column);
        }
        lines.put(chunk);
        at += length;
    }
    Ok(lines.written)
}

fn invalid_body(body: &str, at: usize) -> Error {
    let left_out = body.len() - body.trim_start_matches([' ', '\t']).len();
    let sentence = format!("expected the body of a field in printable US-ASCII, found {body:?}");
    Error::at(left_out + at, sentence)
}
