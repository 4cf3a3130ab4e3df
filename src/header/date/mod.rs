//! Dates (RFC 5322, sections 3.3 and 4.3), also in the other forms that programs write.

mod names;
mod reader;
mod value;

use super::token::offset;
use crate::work::work;
use reader::DateReader;
pub use value::Date;

/// Parses a date, the body of a Date or Resent-Date field (RFC 5322, sections 3.3 and 4.3).
///
/// Other forms are read with a finding: those of asctime, of RFC 850, of ISO 8601 and of JavaScript, the
/// month first or as a name in another language, a clock of twelve hours, zones by name, and text after the
/// date. A year of two digits is from 1950 to 2049, and one of three digits is 1900 more (section 4.3);
/// 19100 to 19140 are 2000 to 2040, which programs wrote for a while. An offset by number is preferred to
/// any name.
///
/// `None` if there is no date with a time of day, if the calendar does not have it, or if its year is before
/// 1900. Order of day and month is never guessed: `4/3/1999` is none.
///
/// ```
/// use mime_charset::{Kind, header};
///
/// let date = header::date(b" Fri, 21 Nov 1997 09:55:06 -0600").unwrap();
/// assert_eq!(date.to_string(), "1997-11-21T09:55:06-06:00");
///
/// let date = header::date(b"fre, 28 maj 1999 10:00:00 CEST").unwrap();
/// assert_eq!(date.to_string(), "1999-05-28T10:00:00+02:00");
/// assert!(date.report.has(Kind::DateSyntax) && date.report.has(Kind::DateAssumed));
///
/// assert_eq!(header::date(b"31 Feb 1999 10:00:00 +0000"), None);
/// ```
#[must_use]
pub fn date(body: &[u8]) -> Option<Date> {
    DateReader::new(body).date_time()
}

/// The date in the body of a Received field, after its last semicolon outside comments:
///
/// > received = "Received:" \*received-token ";" date-time CRLF
pub(crate) fn received_date(body: &[u8]) -> Option<Date> {
    /// Maximum depth of comments that is followed.
    const DEEPEST: usize = 100;
    work(body.len());
    // For each open comment what was found before it. One that never closes is none.
    let mut open = Vec::new();
    let (mut found, mut rest) = (None, body);
    while let [octet, after @ ..] = rest {
        rest = after;
        match octet {
            b'\\' if !open.is_empty() => rest = after.get(1..).unwrap_or_default(),
            b'(' if open.len() < DEEPEST => open.push(found),
            b')' => found = open.pop().unwrap_or(found),
            b';' => found = Some(after),
            _ => {}
        }
    }
    let found = found?;
    let mut date = date(found)?;
    date.report.shift(offset(body, found));
    Some(date)
}
