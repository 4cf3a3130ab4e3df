//! Dates (RFC 5322, sections 3.3 and 4.3), and the other forms that programs write.

mod names;
mod reader;
mod value;

use super::received::received;
use reader::DateReader;
pub use value::Date;

/// Parses a date, the body of a Date or Resent-Date field (RFC 5322, sections 3.3 and 4.3).
///
/// Other forms are accepted with a finding: asctime, RFC 850, ISO 8601 and JavaScript, the month first or
/// as a name in another language, a twelve-hour clock, zones by name, and text after the date. Two-digit
/// years are 1950 to 2049, and 1900 is added to three-digit years (section 4.3). Years 19100 to 19140,
/// which programs wrote for a while, are 2000 to 2040. A numeric offset is preferred to a zone name; in
/// `MET-1`, the form of the POSIX variable `TZ`, the number counts west.
///
/// `None` if the date or the time of day is missing, if the date is not in the calendar, and for years
/// before 1900. The order of day and month is never guessed: `4/3/1999` is `None`.
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

/// The date in the body of a Received field ([`received`]).
pub(crate) fn received_date(body: &[u8]) -> Option<Date> {
    let range = received(body).date?;
    let start = range.start;
    let mut date = date(body.get(range)?)?;
    date.report.shift(start);
    Some(date)
}
