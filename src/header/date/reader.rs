//! The grammar of a date: the rules of RFC 5322, each extended to other forms in use.

use super::names::{self, Named};
use super::value::Date;
use crate::header::classes::is_blank;
use crate::header::token::{FieldReader, comment, trim, trim_start};
use crate::report::{Kind, Report};
use crate::work::work;

/// A field body, and the rest of it that is not parsed yet.
pub(super) struct DateReader<'a> {
    field: FieldReader<'a>,
    rest: &'a [u8],
}

/// > zone = (FWS ( "+" / "-" ) 4DIGIT) / obs-zone
///
/// `None` if the offset is unknown.
struct Zone(Option<i16>);

/// Words after the first name of a zone of Windows, such as `GMT Daylight Time`.
const SEASONS: [&[u8]; 3] = [b"Daylight", b"Standard", b"Summer"];

/// A run of at most nine digits.
#[derive(Clone, Copy)]
struct Number {
    value: u32,
    digits: usize,
}

impl<'a> DateReader<'a> {
    pub(super) fn new(body: &'a [u8]) -> Self {
        DateReader {
            field: FieldReader::new(body),
            rest: body,
        }
    }

    /// > date-time = `[ day-of-week "," ]` date time `[CFWS]`
    ///
    /// In asctime the year follows the time. Its zone is before the year, after the year, or missing.
    pub(super) fn date_time(mut self) -> Option<Date> {
        let start = self.skip();
        let weekday = self.day_of_week();
        // In the basic format of ISO 8601, neither date nor time has separators.
        let digits = self
            .skip()
            .iter()
            .take(9)
            .take_while(|octet| octet.is_ascii_digit());
        let is_basic = digits.count() == 8;
        let (year, month, day) = self.date()?;
        let [hour, minute, second] = self.time_of_day(is_basic)?;
        let year_follows = year.is_none();
        let mut zone = self.zone(year_follows);
        let year = match year {
            Some(year) => year,
            None => self.year()?,
        };
        if year_follows && zone.is_none() {
            zone = self.zone(false);
        }
        if zone.is_none() {
            self.note(Kind::DateSyntax, self.rest, "a date without a zone");
        }
        let mut date = Date {
            year,
            month,
            day,
            hour,
            minute,
            second,
            offset: zone.and_then(|Zone(offset)| offset),
            weekday,
            report: Report::new(),
        };
        if !date.is_valid() {
            return None;
        }
        if weekday.is_some_and(|weekday| i64::from(weekday) != date.calculated_weekday()) {
            let detail = "a day of the week that contradicts the date, which is used";
            self.note(Kind::DateAssumed, start, detail);
        }
        self.skip_text();
        date.report = self.field.report;
        Some(date)
    }

    /// > day-of-week = (`[FWS]` day-name) / obs-day-of-week
    ///
    /// Also accepts a name in another language, with a full stop, or without a comma. Skips an unknown
    /// name. `mar` is Tuesday (French, Italian, Spanish) if a comma, or a day and a month, follow;
    /// otherwise it is a month.
    fn day_of_week(&mut self) -> Option<u8> {
        let start = self.skip();
        let word = self.word();
        let has_stop = self.skip_octet(b'.');
        let has_comma = self.skip_octet(b',');
        if word.is_empty() && !has_stop {
            if has_comma {
                self.note(Kind::DateSyntax, start, "a comma without a day of the week");
            }
            return None;
        }
        if !has_comma && names::month(word).is_some() && !self.is_before_day_and_month() {
            self.rest = start;
            return None;
        }
        let Some(Named { value, is_standard }) = names::weekday(word) else {
            self.note(Kind::SkippedText, start, "text before a date, skipped");
            return None;
        };
        if !is_standard || has_stop || !has_comma {
            let detail = "a day of the week that is not three letters and a comma";
            self.note(Kind::DateSyntax, start, detail);
        }
        Some(value)
    }

    fn is_before_day_and_month(&self) -> bool {
        let mut words = self
            .rest
            .split(u8::is_ascii_whitespace)
            .filter(|word| !word.is_empty());
        let day = words.next().unwrap_or_default();
        let is_day = matches!(day, [b'0'..=b'9'] | [b'0'..=b'9', b'0'..=b'9']);
        is_day
            && words
                .next()
                .is_some_and(|word| names::month(word).is_some())
    }

    /// > date = day month year
    ///
    /// Returns year, month and day. Also accepts the orders year, month, day, as in ISO 8601, and month, day,
    /// year. In asctime the year follows the time and is returned as `None`.
    fn date(&mut self) -> Option<(Option<u16>, u8, u8)> {
        let start = self.skip();
        let Some(first) = self.number() else {
            let month = self.month(false)?;
            self.separator();
            let day = self.number()?.as_two_digits()?;
            let year = if self.is_before_time() {
                None
            } else {
                self.separator();
                Some(self.year()?)
            };
            self.note(Kind::DateSyntax, start, "a month before the day");
            return Some((year, month, day));
        };
        if first.digits <= 2 {
            let day = first.as_two_digits()?;
            // Only full stops between numbers imply that the day precedes the month.
            let is_dotted = self.separator() == Some(b'.');
            let month = self.month(is_dotted)?;
            let year = if self.is_before_time() {
                self.note(Kind::DateSyntax, start, "a year after the time");
                None
            } else {
                self.separator();
                Some(self.year()?)
            };
            return Some((year, month, day));
        }
        let date = self.year_month_day(first);
        self.note(Kind::DateSyntax, start, "a year before the month");
        date
    }

    /// An ISO 8601 date, extended (`1999-01-31`, also with slashes) or basic (`19990131`).
    fn year_month_day(&mut self, first: Number) -> Option<(Option<u16>, u8, u8)> {
        let (year, month, day) = if first.digits == 8 {
            let [month, day] = [first.value / 100 % 100, first.value % 100];
            let [month, day] = [u8::try_from(month).ok()?, u8::try_from(day).ok()?];
            (first.value / 10_000, month, day)
        } else {
            self.separator();
            let month = self.month(true)?;
            self.separator();
            (first.value, month, self.number()?.as_two_digits()?)
        };
        let year = u16::try_from(year).ok();
        let is_year = |year: &u16| (1900..=9999).contains(year);
        Some((Some(year.filter(is_year)?), month, day))
    }

    /// > month-name = "Jan" / "Feb" / "Mar" / "Apr" / "May" / "Jun" / "Jul" / "Aug" / "Sep" / "Oct" /
    /// > "Nov" / "Dec"
    ///
    /// Also accepts the whole name, a name in another language, and, if `may_be_number`, a number.
    fn month(&mut self, may_be_number: bool) -> Option<u8> {
        let start = self.skip();
        let word = self.word();
        if word.is_empty() && may_be_number {
            return self.number()?.as_two_digits();
        }
        let found = names::month(word)?;
        let has_stop = self.skip_octet(b'.');
        if !found.is_standard || has_stop {
            let detail = "a month not written as its three-letter English name";
            self.note(Kind::DateSyntax, start, detail);
        }
        Some(found.value)
    }

    /// > obs-year = `[CFWS]` 2*DIGIT `[CFWS]`
    ///
    /// Completes years of two and three digits by section 4.3. Some programs wrote 19100 for 2000: `19`
    /// and the number of years since 1900.
    fn year(&mut self) -> Option<u16> {
        let start = self.skip();
        let number = self.number()?;
        let written = u16::try_from(number.value).ok()?;
        let year = match (number.digits, written) {
            (2, 0..50) => written + 2000,
            (2 | 3, _) => written + 1900,
            (4, 1900..) => return Some(written),
            (5, 19_100..=19_140) => written - 19_100 + 2000,
            _ => return None,
        };
        self.note(Kind::DateSyntax, start, "a year that is not four digits");
        Some(year)
    }

    /// > time-of-day = hour ":" minute `[ ":" second ]`
    ///
    /// Also accepts single digits, a fraction of a second, `AM` or `PM`, a time without colons as in
    /// basic ISO 8601, and a comma or a word before the time, such as the `T` of ISO 8601. Returns the
    /// hour, the minute and the second.
    fn time_of_day(&mut self, may_be_basic: bool) -> Option<[u8; 3]> {
        let start = self.skip();
        let has_comma = self.skip_octet(b',');
        let word = self.word();
        if has_comma || !word.is_empty() {
            let detail = "a comma or a word before the time, skipped";
            self.note(Kind::DateSyntax, start, detail);
        }
        let start = self.skip();
        let first = self.number()?;
        let mut digits = [first.digits, 2, 2];
        let is_basic = may_be_basic && matches!(first.digits, 4 | 6);
        let [hour, minute, second] = if is_basic {
            let whole = first.value * if first.digits == 4 { 100 } else { 1 };
            [whole / 10_000, whole / 100 % 100, whole % 100]
        } else {
            let mut parts = [first.value, 0, 0];
            // Some programs write `10.00.00`.
            let dotted = matches!(self.rest, [b'.', b'0'..=b'9', b'0'..=b'9', ..]);
            if dotted {
                self.note(Kind::DateSyntax, start, "a time with full stops");
            }
            for at in 1..parts.len() {
                if !self.skip_octet(if dotted { b'.' } else { b':' }) {
                    // An hour without minutes is not a time.
                    (at > 1).then_some(())?;
                    break;
                }
                let number = self.number()?;
                *parts.get_mut(at)? = number.value;
                *digits.get_mut(at)? = number.digits;
            }
            parts
        };
        if digits != [2, 2, 2] {
            (is_basic || digits.iter().all(|&digits| digits <= 2)).then_some(())?;
            self.note(
                Kind::DateSyntax,
                start,
                "a time that is not in pairs of digits",
            );
        }
        self.fraction();
        let [hour, minute, second] =
            [self.hour_of_day(hour), minute, second].map(|part| u8::try_from(part).ok());
        Some([hour?, minute?, second?])
    }

    /// Skips a decimal fraction of a second (ISO 8601).
    fn fraction(&mut self) {
        let start = self.rest;
        if let [b'.' | b',', b'0'..=b'9', ..] = start {
            self.rest = start.get(1..).unwrap_or_default();
            self.digits();
            let detail = "a fraction of a second, skipped";
            self.note(Kind::SkippedText, start, detail);
        }
    }

    /// The hour of the day, adjusted if `AM` or `PM` follows.
    fn hour_of_day(&mut self, hour: u32) -> u32 {
        let before = self.rest;
        let start = self.skip();
        let word = self.word();
        // `p.m.` is accepted too.
        let has_stops =
            word.len() == 1 && self.skip_octet(b'.') && self.word().eq_ignore_ascii_case(b"m");
        let is_half = has_stops || matches!(word, [_, b'M' | b'm']);
        let is_pm = is_half && matches!(word, [b'P' | b'p', ..]);
        let is_morning = is_half && matches!(word, [b'A' | b'a', ..]);
        if !(is_morning || is_pm) {
            self.rest = before;
            return hour;
        }
        if has_stops {
            self.skip_octet(b'.');
        }
        self.note(Kind::DateSyntax, start, "a clock of twelve hours");
        match hour {
            12 if !is_pm => 0,
            1..=11 if is_pm => hour + 12,
            _ => hour,
        }
    }

    /// > zone = (FWS ( "+" / "-" ) 4DIGIT) / obs-zone
    ///
    /// Also accepts a number without a sign, unless `year_follows`; a number with a colon or fewer
    /// digits; a number after a name, as in `GMT-0700`; and, as a last resort, a name in a comment. A
    /// number overrides a name, unless both are the variable `TZ` of POSIX.
    fn zone(&mut self, year_follows: bool) -> Option<Zone> {
        let before = self.rest;
        let start = self.skip();
        let word = self.word();
        let after_word = self.rest;
        let is_west = self.skip_octet(b'-');
        let has_sign = is_west || self.skip_octet(b'+');
        let may_be_number = has_sign || word.is_empty() && !year_follows;
        let number = if may_be_number { self.number() } else { None };
        if let Some(number) = number.filter(|it| has_sign || it.digits == 4) {
            let named = names::zone(word).filter(|_| !self.rest.starts_with(b":"));
            if let Some(zone) = named.filter(|it| is_reversed(it.value, number, is_west)) {
                return Some(self.zone_of_posix(start, zone.value));
            }
            let is_standard = has_sign && number.digits == 4 && word.is_empty();
            return Some(self.zone_by_number(start, number, is_west, is_standard));
        }
        self.rest = after_word;
        let is_other = self.rest.first().is_some_and(|it| !it.is_ascii_digit());
        if !word.is_empty() || year_follows && is_other {
            return Some(self.zone_by_name(start, word, year_follows));
        }
        let (_, comment) = comment(trim_start(before)).ok()?;
        let zone = names::zone(trim(comment.content))?;
        let detail = "a zone in a comment only";
        self.note(Kind::DateAssumed, before, detail);
        Some(Zone(Some(zone.value)))
    }

    /// > obs-zone = "UT" / "GMT" / "EST" / "EDT" / "CST" / "CDT" / "MST" / "MDT" / "PST" / "PDT" /
    /// > %d65-73 / %d75-90 / %d97-105 / %d107-122
    ///
    /// Other names "SHOULD be considered equivalent to -0000 unless there is out-of-band information
    /// confirming their meaning" (section 4.3). `DST` after a name adds an hour of summer time. If
    /// `year_follows`, the name may have up to four words of any octets, as in `W. Europe Standard Time`.
    /// The first name of a longer one, such as `EST5EDT` or `GMT Daylight Time`, is not known.
    fn zone_by_name(&mut self, start: &'a [u8], word: &[u8], year_follows: bool) -> Zone {
        let is_word_octet = |octet: u8| year_follows && !is_blank(octet);
        let tail = self.take_while(is_word_octet);
        let after_first = self.rest;
        let is_joined = matches!(after_first, [b'0'..=b'9' | b'+' | b'-' | b'/' | b'_', ..]);
        let mut second = &[][..];
        let mut has_more = false;
        for number in 2..=if year_follows { 4 } else { 2 } {
            let word = match self.skip().first() {
                None | Some(b'0'..=b'9') => break,
                _ if year_follows => self.take_while(is_word_octet),
                _ => self.word(),
            };
            match number {
                2 => second = word,
                _ => has_more = true,
            }
        }
        let is_summer = second.eq_ignore_ascii_case(b"DST");
        if !is_summer && !year_follows {
            self.rest = after_first;
        }
        let is_alone = if year_follows {
            tail.is_empty() && !has_more && (second.is_empty() || is_summer)
        } else {
            !is_joined && !SEASONS.iter().any(|it| it.eq_ignore_ascii_case(second))
        };
        let known = names::zone(word).filter(|_| is_alone);
        let (kind, detail) = match known {
            Some(zone) if zone.is_standard => (Kind::DateSyntax, "a zone by name"),
            Some(_) => (
                Kind::DateAssumed,
                "a zone name that no mail standard defines",
            ),
            None => (
                Kind::DateAssumed,
                "an unknown zone name, its offset unknown",
            ),
        };
        self.note(kind, start, detail);
        let summer = if is_summer { 60 } else { 0 };
        Zone(known.map(|zone| zone.value + summer))
    }

    /// The zone of the variable `TZ` (POSIX, section 8.3), in which `MET-1` is an hour east. Its offset is
    /// unknown if the name of a summer time follows.
    fn zone_of_posix(&mut self, start: &'a [u8], east: i16) -> Zone {
        let mut has_summer = !self.word().is_empty();
        let before = self.rest;
        self.skip();
        let word = self.word();
        if word.to_ascii_uppercase().ends_with(b"DST") || names::zone(word).is_some() {
            has_summer = true;
        } else {
            self.rest = before;
        }
        self.note(Kind::DateAssumed, start, "a zone as in the variable TZ");
        Zone(Some(east).filter(|_| !has_summer))
    }

    /// A zone given as hours and minutes. The offset of `-0000` is unknown (section 3.3).
    fn zone_by_number(
        &mut self,
        start: &'a [u8],
        number: Number,
        is_west: bool,
        is_standard: bool,
    ) -> Zone {
        let (mut hours, mut minutes) = (number.value / 100, number.value % 100);
        if number.digits <= 2 {
            (hours, minutes) = (number.value, 0);
            if self.skip_octet(b':') {
                minutes = self.number().map_or(0, |number| number.value);
            }
        }
        if !is_standard {
            let detail = "a zone that is not a sign and four digits";
            self.note(Kind::DateSyntax, start, detail);
        }
        if number.digits > 4 || hours >= 24 || minutes >= 60 {
            let detail = "an offset that no zone has, taken as unknown";
            self.note(Kind::DateAssumed, start, detail);
            return Zone(None);
        }
        let east = i16::try_from(hours * 60 + minutes).unwrap_or(0);
        Zone(match east {
            0 if is_west => None,
            east => Some(if is_west { -east } else { east }),
        })
    }

    fn skip_text(&mut self) {
        self.rest = self.field.skip_cfws(self.rest);
        self.rest = self.field.skip_open_parentheses(self.rest);
        if !self.rest.is_empty() {
            work(self.rest.len());
            let detail = "text after a date, skipped";
            let length = self.rest.len();
            self.field
                .note(Kind::SkippedText, self.rest, length, detail);
        }
    }

    /// A separator between day, month and year. RFC 5322 allows no such separator.
    fn separator(&mut self) -> Option<u8> {
        let start = self.skip();
        let marks = [b'-', b'/', b'.', b','];
        let found = marks.into_iter().find(|&mark| self.skip_octet(mark))?;
        self.note(
            Kind::DateSyntax,
            start,
            "a mark between day, month and year",
        );
        Some(found)
    }

    /// Whether digits and a colon follow.
    fn is_before_time(&mut self) -> bool {
        let start = self.skip();
        let is_time = self.number().is_some() && self.rest.starts_with(b":");
        self.rest = start;
        is_time
    }

    /// Skips white space and comments. Returns the rest.
    fn skip(&mut self) -> &'a [u8] {
        self.rest = self.field.skip_cfws(self.rest);
        self.rest
    }

    /// Skips white space, comments and this octet, if the octet is next after them. Returns whether it
    /// was skipped.
    fn skip_octet(&mut self, octet: u8) -> bool {
        let after = self.field.skip_cfws(self.rest);
        let Some(rest) = after.strip_prefix(&[octet]) else {
            return false;
        };
        self.rest = rest;
        true
    }

    /// The next letters, ASCII or not. May be empty.
    fn word(&mut self) -> &'a [u8] {
        let is_letter = |octet: u8| octet.is_ascii_alphabetic() || !octet.is_ascii();
        self.take_while(is_letter)
    }

    /// The next digits, after white space and comments; `None` if there are no digits, or more than
    /// nine.
    fn number(&mut self) -> Option<Number> {
        self.skip();
        let digits = self.digits();
        if !(1..=9).contains(&digits.len()) {
            return None;
        }
        let value = digits.iter().fold(0, |value, digit| {
            value * 10 + u32::from(digit.saturating_sub(b'0'))
        });
        Some(Number {
            value,
            digits: digits.len(),
        })
    }

    fn digits(&mut self) -> &'a [u8] {
        self.take_while(|octet| octet.is_ascii_digit())
    }

    fn take_while(&mut self, belongs: impl Fn(u8) -> bool) -> &'a [u8] {
        let length = self
            .rest
            .iter()
            .take_while(|&&octet| belongs(octet))
            .count();
        work(length + 1);
        let (taken, rest) = self.rest.split_at_checked(length).unwrap_or_default();
        self.rest = rest;
        taken
    }

    /// Reports the octets from `start` to the current position.
    fn note(&mut self, kind: Kind, start: &'a [u8], detail: &'static str) {
        let length = start.len().saturating_sub(self.rest.len());
        self.field.note(kind, start, length, detail);
    }
}

/// Whether a number of hours after a zone name is the opposite of the offset of that name.
fn is_reversed(east: i16, number: Number, is_west: bool) -> bool {
    let hours = number.as_two_digits().map_or(0, i16::from);
    hours != 0 && east == if is_west { hours * 60 } else { -hours * 60 }
}

impl Number {
    /// The value of a number of one or two digits.
    fn as_two_digits(self) -> Option<u8> {
        u8::try_from(self.value).ok().filter(|_| self.digits <= 2)
    }
}
