//! A date and time of day as plain data.

use std::fmt;

use crate::report::Report;

/// A date and time of day, as written (RFC 5322, section 3.3).
///
/// Two dates are equal if they have the same numbers, as written, and the same findings. To compare
/// instants, compare [`unix_seconds`](Date::unix_seconds). With jiff, the instant is
/// `jiff::Timestamp::from_second(date.unix_seconds())?`, and with chrono
/// `chrono::DateTime::from_timestamp(date.unix_seconds(), 0)`.
///
/// Displayed in the format of RFC 3339, with `-00:00` for an unknown offset (RFC 3339, section 4.3).
///
/// ```
/// use mime_charset::header;
///
/// let mut dates = ["Tue, 1 Jul 2003 10:52:37 +0200", "1 Jul 2003 09:00:00 GMT", "Tue Jul  1 08:00:00 2003"]
///     .map(|body| header::date(body.as_bytes()).unwrap());
/// dates.sort_by_key(header::Date::unix_seconds);
/// let dates = dates.map(|date| date.to_string());
/// assert_eq!(dates, ["2003-07-01T08:00:00-00:00", "2003-07-01T10:52:37+02:00", "2003-07-01T09:00:00+00:00"]);
///
/// let date = header::date(b" Fri, 21 Nov 1997 09:55:06 -0600").unwrap();
/// assert_eq!((date.year, date.month, date.day), (1997, 11, 21));
/// assert_eq!((date.hour, date.minute, date.second), (9, 55, 6));
/// assert_eq!((date.offset, date.weekday), (Some(-6 * 60), Some(5)));
/// assert!(date.report.is_empty());
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Date {
    /// The year, from 1900 to 9999; two- and three-digit years are completed.
    pub year: u16,
    /// The month, from 1 to 12.
    pub month: u8,
    /// The day of the month, from 1 to 31, valid for the month.
    pub day: u8,
    /// The hour, from 0 to 23.
    pub hour: u8,
    /// The minute, from 0 to 59.
    pub minute: u8,
    /// The second, from 0 to 59, or 60 for a leap second. 0 if not written.
    pub second: u8,
    /// The offset of the zone in minutes east of UTC, less than a day. `None` if the offset is unknown:
    /// written as `-0000`, as an ambiguous name, or not at all.
    pub offset: Option<i16>,
    /// The day of the week as written, from 1 for Monday to 7 for Sunday (ISO 8601). `None` if it is
    /// missing or unknown.
    pub weekday: Option<u8>,
    /// Departures from RFC 5322, section 3.3, and assumptions; comments and white space are not
    /// departures. Offsets are into the field body, or into the message if the date comes from one.
    pub report: Report,
}

impl Date {
    /// The seconds since 1 January 1970, 00:00 UTC, without leap seconds (POSIX): second 60 is the first
    /// of the next minute. An unknown offset counts as UTC, as `-0000` does in RFC 5322, section 3.3.
    ///
    /// ```
    /// use mime_charset::header;
    ///
    /// // 1,000,000,000 seconds after the epoch.
    /// let date = header::date(b"Sun, 9 Sep 2001 03:46:40 +0200").unwrap();
    /// assert_eq!(date.unix_seconds(), 1_000_000_000);
    /// ```
    #[must_use]
    pub fn unix_seconds(&self) -> i64 {
        let minutes = self.days() * 24 * 60 + i64::from(self.hour) * 60 + i64::from(self.minute);
        let minutes = minutes - i64::from(self.offset.unwrap_or(0));
        minutes * 60 + i64::from(self.second)
    }

    /// The days from 1 January 1970 to the written day.
    fn days(&self) -> i64 {
        // Years begin in March, so that a leap day is the last day of a year.
        let is_early = self.month <= 2;
        let year = i64::from(self.year) - i64::from(is_early);
        let month = i64::from(self.month) + if is_early { 9 } else { -3 };
        // Each five months from March have 31 + 30 + 31 + 30 + 31 = 153 days.
        let day = (153 * month + 2) / 5 + i64::from(self.day);
        // 1 January 1970 is day 719,469 of this count.
        365 * year + year / 4 - year / 100 + year / 400 + day - 719_469
    }

    /// The day of the week of the written day, from 1 for Monday.
    pub(super) fn calculated_weekday(&self) -> i64 {
        // 1 January 1970 was a Thursday.
        (self.days() + 3).rem_euclid(7) + 1
    }

    /// Whether the date and the time are valid.
    pub(super) fn is_valid(&self) -> bool {
        let is_leap = self.year.is_multiple_of(4)
            && (!self.year.is_multiple_of(100) || self.year.is_multiple_of(400));
        let length = match self.month {
            2 if is_leap => 29,
            2 => 28,
            4 | 6 | 9 | 11 => 30,
            1..=12 => 31,
            _ => 0,
        };
        let has_day = (1..=length).contains(&self.day);
        has_day && self.hour < 24 && self.minute < 60 && self.second <= 60
    }
}

/// The date in the format of RFC 3339, with the written offset.
impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day) = (self.year, self.month, self.day);
        let (hour, minute, second) = (self.hour, self.minute, self.second);
        let sign = if self.offset.is_some_and(|offset| offset >= 0) {
            '+'
        } else {
            '-'
        };
        let offset = self.offset.unwrap_or(0).unsigned_abs();
        write!(
            f,
            "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}{sign}{:02}:{:02}",
            offset / 60,
            offset % 60
        )
    }
}
