//! Parameters (RFC 2231).

use super::lines::{
    FoldedLines, LINE, QUOTED, escaped, is_attribute_char, is_plain, percent, quoted_pair,
    split_to_fit,
};
use crate::error::Error;
use crate::header::one_parameter::Parameter;
use crate::header::section::is_extended_value;

/// A parameter of Content-Type or Content-Disposition, with the semicolon before it
/// (RFC 2045, section 5.1; RFC 2231, sections 3 and 4).
///
/// An ASCII value is written as a token or a quoted string. A non-ASCII value, and an ASCII value that
/// looks like an encoded word or an extended value, is written as an extended value. A value too long for
/// a line is written in sections, which never split a character. `column` is the column of the semicolon.
///
/// # Errors
///
/// Fails if `name` is not an attribute (RFC 2231, section 7) or has more than 48 characters; the offset
/// is into the name. Fails if `value` needs more sections than
/// [`Parameter::MAX_SECTION`](Parameter::MAX_SECTION) allows; 40 KB of text always fit.
///
/// ```
/// use mime_charset::header::encode;
///
/// let disposition = |name| format!("attachment{}", encode::parameter("filename", name, 31).unwrap());
/// assert_eq!(disposition("a.txt"), "attachment; filename=a.txt");
/// assert_eq!(disposition("a b.txt"), "attachment; filename=\"a b.txt\"");
/// assert_eq!(disposition("Größe.txt"), "attachment; filename*=UTF-8''Gr%C3%B6%C3%9Fe.txt");
/// ```
pub fn parameter(name: &str, value: &str, column: usize) -> Result<String, Error> {
    parameter_in(name, value, "", column)
}

/// Like [`parameter`], with a language tag for an extended value (RFC 2231, section 4).
pub(crate) fn parameter_in(
    name: &str,
    value: &str,
    language: &str,
    column: usize,
) -> Result<String, Error> {
    let mut lines = FoldedLines::new(column);
    append_parameter(&mut lines, name, value, language)?;
    Ok(lines.written)
}

/// Appends a semicolon and the parameter.
pub(super) fn append_parameter(
    lines: &mut FoldedLines,
    name: &str,
    value: &str,
    language: &str,
) -> Result<(), Error> {
    const MAX_NAME: usize = 48;
    let wrong = name.bytes().position(|octet| !is_attribute_char(octet));
    let is_too_long = (name.len() > MAX_NAME).then_some(MAX_NAME);
    if let Some(at) = wrong.or(is_too_long).or(name.is_empty().then_some(0)) {
        let sentence = format!("expected the name of a parameter, found {name:?}");
        return Err(Error::at(at, sentence));
    }
    // Readers would decode a literal value that looks encoded.
    let seems_encoded = value.contains("=?") || is_extended_value(value.as_bytes());
    let plain = is_plain(value) && !seems_encoded;
    // A token may contain `*`, `'` and `%` too, but Python's parser loses such values.
    let whole = if value.len() >= LINE {
        // A long value is split anyway: encoding it here would waste three times its memory.
        None
    } else if plain && !value.is_empty() && value.bytes().all(is_attribute_char) {
        Some(format!("{name}={value}"))
    } else if plain {
        Some(format!("{name}=\"{}\"", escaped(value, QUOTED)))
    } else {
        let value: String = value.chars().map(percent).collect();
        Some(format!("{name}*=UTF-8'{language}'{value}"))
    };
    lines.put(";");
    // Leaves room for the semicolon of the next parameter.
    if let Some(whole) = whole.filter(|whole| 1 + whole.len() < LINE) {
        lines.separate(whole.len(), 1);
        lines.put(&whole);
        return Ok(());
    }
    // Growth by doubling would take twice the memory. Three of four octets in a line are text.
    let length = |octet: u8| {
        if plain || is_attribute_char(octet) {
            1
        } else {
            3
        }
    };
    let length: usize = value.bytes().map(length).sum();
    let most = LINE * (Parameter::MAX_SECTION + 2);
    lines.written.reserve((length + length / 3).min(most));
    let mut rest = value;
    let mut number = 0_usize;
    while !rest.is_empty() {
        if number > Parameter::MAX_SECTION {
            return Err(Error::new(format!(
                "expected the value of a parameter, found one of {} octets",
                value.len()
            )));
        }
        let (open, close) = match (plain, number) {
            (true, _) => (format!("{name}*{number}=\""), "\""),
            (false, 0) => (format!("{name}*0*=UTF-8'{language}'"), ""),
            (false, _) => (format!("{name}*{number}*="), ""),
        };
        let write = if plain { quoted_pair } else { percent };
        let width = LINE - 2 - open.len() - close.len();
        let (section, remaining) = split_to_fit(rest, width, |c| write(c).len());
        if number > 0 {
            lines.put(";");
        }
        lines.fold();
        lines.put(&open);
        for c in section.chars() {
            lines.put(&write(c));
        }
        lines.put(close);
        rest = remaining;
        number += 1;
    }
    Ok(())
}
