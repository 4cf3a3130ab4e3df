//! Dates of RFC 5322, and of other formats in use.
//!
//! The seconds since 1970 are from GNU date 9.1 (`date -u -d '21 Nov 1997 09:55:06 -0600' +%s`),
//! the names in other languages from CLDR (by Babel 2.19.0).

use mime_charset::header::{self, Date};
use mime_charset::{Finding, Kind, Message};
use proptest::prelude::*;

fn read(body: &str) -> Date {
    header::date(body.as_bytes()).unwrap_or_else(|| panic!("no date in {body:?}"))
}

/// The kinds of the findings, without duplicates.
fn kinds(date: &Date) -> Vec<&'static str> {
    let mut kinds: Vec<_> = date.report.iter().map(|it| it.kind().name()).collect();
    kinds.sort_unstable();
    kinds.dedup();
    kinds
}

const SYNTAX: &[&str] = &["date-syntax"];
const ASSUMED: &[&str] = &["date-assumed"];
const BOTH: &[&str] = &["date-assumed", "date-syntax"];
const MORE: &[&str] = &["date-assumed", "skipped-text"];
const SKIPPED: &[&str] = &["skipped-text"];

#[track_caller]
fn assert_date(body: &str, shown: &str, seconds: i64, findings: &[&str]) {
    let date = read(body);
    let found = (date.to_string(), date.unix_seconds(), kinds(&date));
    let expected = (shown.to_owned(), seconds, findings.to_vec());
    assert_eq!(found, expected, "{body:?}");
}

/// Times with full stops, as in Italian and Finnish mail, `p.m.`, a year after the time, and a
/// Tuesday in French. 3 January 2000 is 10,959 days after the epoch, 3 March 2020 18,324. Python
/// reads the forms of 3 January except `p.m.`.
#[test]
fn times_and_years_of_other_programs() {
    let day = 10_959 * 86_400;
    let shown = "2000-01-03T13:30:00+00:00";
    assert_date(
        "Mon, 3 Jan 2000 1:30 p.m. +0000",
        shown,
        day + 13 * 3600 + 1800,
        SYNTAX,
    );
    let shown = "2000-01-03T10:00:00+01:00";
    assert_date(
        "Mon, 3 Jan 2000 10.00.00 +0100",
        shown,
        day + 9 * 3600,
        SYNTAX,
    );
    assert_date("Mon, 3 Jan 2000 10.00 +0100", shown, day + 9 * 3600, SYNTAX);
    let shown = "2000-01-03T10:00:00-00:00";
    assert_date("Mon, 3 Jan 10:00:00 2000", shown, day + 10 * 3600, SYNTAX);
    let day = 18_324 * 86_400;
    for weekday in ["mar.", "mar", "mar.,"] {
        let body = format!("{weekday} 3 mars 2020 10:00:00 +0100");
        assert_date(&body, "2020-03-03T10:00:00+01:00", day + 9 * 3600, SYNTAX);
        assert_eq!(read(&body).weekday, Some(2), "{body}");
    }
}

/// RFC 5322, appendix A.
#[test]
fn examples_of_rfc_5322() {
    let a_1_1 = "1997-11-21T09:55:06-06:00";
    assert_date(" Fri, 21 Nov 1997 09:55:06 -0600", a_1_1, 880_127_706, &[]);
    let a_1_2 = "2003-07-01T10:52:37+02:00";
    assert_date(" Tue, 1 Jul 2003 10:52:37 +0200", a_1_2, 1_057_049_557, &[]);
    let a_1_3 = "1969-02-13T23:32:54-03:30";
    assert_date(" Thu, 13 Feb 1969 23:32:54 -0330", a_1_3, -27_723_426, &[]);
    let a_5 = " Thu,\r\n      13\r\n        Feb\r\n          1969\r\n      23:32\r\n               \
               -0330 (Newfoundland Time)";
    assert_date(a_5, "1969-02-13T23:32:00-03:30", -27_723_480, &[]);
    let a_6_2 = "1997-11-21T09:55:06+00:00";
    assert_date(" 21 Nov 97 09:55:06 GMT", a_6_2, 880_106_106, SYNTAX);
    let a_6_3 = " Fri, 21 Nov 1997 09(comment):   55  :  06 -0600";
    assert_date(a_6_3, a_1_1, 880_127_706, &[]);
}

/// RFC 5322, appendix A.4, and dates within other Received fields.
#[test]
fn a_received_date_follows_the_last_semicolon() {
    let a_4 = "Received: from x.y.test\r\n   by example.net\r\n   via TCP\r\n   with ESMTP\r\n   \
               id ABC12345\r\n   for <mary@example.net>;  21 Nov 1997 10:05:43 -0600\r\n";
    let below = "Received: from node.example by x.y.test; 21 Nov 1997 10:01:22 -0600\r\n\
                 Date: Fri, 21 Nov 1997 09:55:06 -0600\r\n\r\n";
    let source = format!("{a_4}{below}");
    let message = Message::parse(source.as_bytes());
    assert_eq!(message.received_date().unwrap().unix_seconds(), 880_128_343);
    assert_eq!(message.date().unwrap().unix_seconds(), 880_127_706);
    for (before, is_read) in [
        ("by a (b; c) ; ", true),
        ("by a; b; ", true),
        ("by a (; ", true),
        ("by a (b (c;) \\) d) id \"e;f\"; ", true),
        ("by a ", false),
    ] {
        for after in ["", " (UTC; PDT)", " (envelope-from <a@example.org>)"] {
            let source = format!("Received: {before}1 Jan 2000 10:00:00 GMT{after}\n{below}");
            let message = Message::parse(source.as_bytes());
            let found = message.received_date().map(|date| {
                let finding = &date.report.findings()[0];
                let end = finding.offset() + finding.length();
                assert_eq!(&source[finding.offset()..end], "GMT");
                date.unix_seconds()
            });
            assert_eq!(found, is_read.then_some(946_720_800), "{source:?}");
        }
    }
    let none = Message::parse(
        b"Received: by a; Thu, 4 Mar 1999\nReceived: by b; 1 Jan 2000 10:00 GMT\n\n",
    );
    assert_eq!(none.received_date(), None);
}

/// Section 4.3: 00 to 49 are 20xx; 50 to 99 and three digits are years after 1900. 19100 is from
/// programs that write 19 before the years since 1900.
#[test]
fn years_without_four_digits() {
    for (written, year) in [
        ("00", 2000),
        ("49", 2049),
        ("50", 1950),
        ("99", 1999),
        ("000", 1900),
        ("099", 1999),
        ("100", 2000),
        ("999", 2899),
        ("19100", 2000),
        ("19104", 2004),
        ("19140", 2040),
    ] {
        let date = read(&format!("1 Jan {written} 10:00:00 +0000"));
        assert_eq!(
            (date.year, kinds(&date)),
            (year, SYNTAX.to_vec()),
            "{written}"
        );
    }
    for written in ["1900", "2000", "9999"] {
        let date = read(&format!("1 Jan {written} 10:00:00 +0000"));
        assert_eq!(
            (date.year.to_string(), kinds(&date)),
            (written.to_owned(), vec![])
        );
    }
    for written in [
        "0",
        "9",
        "0000",
        "0001",
        "1899",
        "19099",
        "19141",
        "10000",
        "4294969296",
        "-1",
    ] {
        let body = format!("1 Jan {written} 10:00:00 +0000");
        assert_eq!(header::date(body.as_bytes()), None, "{body}");
    }
}

#[test]
fn formats_of_other_programs() {
    // asctime (ISO C, section 7.29.3.1), also with zones, as in date(1) and in mailboxes.
    let asctime = "1999-03-04T10:00:00-00:00";
    assert_date("Thu Mar  4 10:00:00 1999", asctime, 920_541_600, SYNTAX);
    let pdt = "1993-09-17T23:15:43-07:00";
    assert_date("Fri Sep 17 23:15:43 PDT 1993", pdt, 748_332_943, SYNTAX);
    assert_date("Fri Sep 17 23:15:43 1993 PDT", pdt, 748_332_943, SYNTAX);
    assert_date("Fri Sep 17 23:15:43 1993 -0700", pdt, 748_332_943, SYNTAX);
    let est = "1988-01-25T09:00:00-05:00";
    assert_date("Mon Jan 25 09:00:00 EST 1988", est, 570_117_600, SYNTAX);
    let dst = "1996-01-03T01:05:34+02:00";
    assert_date("Wed Jan  3 01:05:34 MET DST 1996", dst, 820_623_934, BOTH);
    let unknown = "1999-03-04T10:00:00-00:00";
    assert_date(
        "Thu Mar  4 10:00:00 Pacific Daylight 1999",
        unknown,
        920_541_600,
        BOTH,
    );
    for zone in [
        "W. Europe",
        "EST5EDT",
        "[GMT]",
        "GMT Standard",
        "W. Europe Standard Time",
    ] {
        let body = format!("Thu Mar  4 10:00:00 {zone} 1999");
        assert_date(&body, unknown, 920_541_600, BOTH);
    }
    // RFC 850, section 2.1.4, and the same date in the three formats of RFC 9110, section 5.6.7.
    let http = "1994-11-06T08:49:37+00:00";
    assert_date("Sunday, 06-Nov-94 08:49:37 GMT", http, 784_111_777, SYNTAX);
    assert_date("Sun, 06 Nov 1994 08:49:37 GMT", http, 784_111_777, SYNTAX);
    assert_date(
        "Sun Nov  6 08:49:37 1994",
        "1994-11-06T08:49:37-00:00",
        784_111_777,
        SYNTAX,
    );
    // Date.prototype.toString (ECMAScript, section 21.4.4.41).
    let js = "2023-10-16T16:18:56-07:00";
    assert_date(
        "Mon Oct 16 2023 16:18:56 GMT-0700 (PDT)",
        js,
        1_697_498_336,
        SYNTAX,
    );
    assert_date(
        "Mon Oct 16 2023 16:18:56 GMT-0700",
        js,
        1_697_498_336,
        SYNTAX,
    );
    // ISO 8601 and RFC 3339.
    assert_date("2023-10-16T16:18:56-07:00", js, 1_697_498_336, SYNTAX);
    assert_date("2023-10-16 16:18:56 -0700", js, 1_697_498_336, SYNTAX);
    assert_date("20231016T161856-0700", js, 1_697_498_336, SYNTAX);
    assert_date(
        "2023-10-16T23:18:56Z",
        "2023-10-16T23:18:56+00:00",
        1_697_498_336,
        SYNTAX,
    );
    let fraction = "2023-10-16T16:18:56.789-07:00";
    assert_date(
        fraction,
        js,
        1_697_498_336,
        &["date-syntax", "skipped-text"],
    );
    let slashes = "1999-01-31T10:00:00-00:00";
    assert_date("1999/01/31 10:00", slashes, 917_776_800, SYNTAX);
    // Other formats in mail.
    assert_date("31.01.1999 10:00", slashes, 917_776_800, SYNTAX);
    assert_date("Jan 31, 1999 10:00 AM", slashes, 917_776_800, SYNTAX);
    assert_date(
        "31 January 1999 at 10:00:00 GMT+1",
        "1999-01-31T10:00:00+01:00",
        917_773_200,
        SYNTAX,
    );
    assert_date(
        "1 Jan 19100 10:00:00 +0000",
        "2000-01-01T10:00:00+00:00",
        946_720_800,
        SYNTAX,
    );
    let swedish = "1999-05-28T10:00:00+02:00";
    assert_date(
        "fre, 28 maj 1999 10:00:00 +0200",
        swedish,
        927_878_400,
        SYNTAX,
    );
    let skipped = "Fri, 28 May 1999 10:00:00 +0200, Fri, 28 May 1999";
    assert_date(skipped, swedish, 927_878_400, SKIPPED);
}

/// RFC 5322, sections 3.3 and 4.3; other zones if their name is unambiguous.
#[test]
fn zones() {
    for (written, offset, findings) in [
        ("+0000", Some(0), [].as_slice()),
        ("-0000", None, &[]),
        ("+0530", Some(330), &[]),
        ("-0330", Some(-210), &[]),
        ("+1400", Some(840), &[]),
        // The number is preferred to the name.
        ("-0800 (EST)", Some(-480), &[]),
        ("GMT+0200", Some(120), SYNTAX),
        ("EST-0800", Some(-480), SYNTAX),
        ("+0100 CET", Some(60), SKIPPED),
        ("UT", Some(0), SYNTAX),
        ("gmt", Some(0), SYNTAX),
        ("UTC", Some(0), SYNTAX),
        ("Z", Some(0), SYNTAX),
        ("EST", Some(-300), SYNTAX),
        ("EDT", Some(-240), SYNTAX),
        ("CST", Some(-360), SYNTAX),
        ("CDT", Some(-300), SYNTAX),
        ("MST", Some(-420), SYNTAX),
        ("MDT", Some(-360), SYNTAX),
        ("PST", Some(-480), SYNTAX),
        ("PDT", Some(-420), SYNTAX),
        ("KST", Some(540), ASSUMED),
        ("JST", Some(540), ASSUMED),
        ("HKT", Some(480), ASSUMED),
        ("MSK", Some(180), ASSUMED),
        ("EET", Some(120), ASSUMED),
        ("CET", Some(60), ASSUMED),
        ("CEST", Some(120), ASSUMED),
        ("MET", Some(60), ASSUMED),
        ("MEST", Some(120), ASSUMED),
        ("MET DST", Some(120), ASSUMED),
        ("AEST", Some(600), ASSUMED),
        ("NZST", Some(720), ASSUMED),
        ("(CET)", Some(60), ASSUMED),
        // Ambiguous, military and unknown names (section 4.3).
        ("BST", None, ASSUMED),
        ("IST", None, ASSUMED),
        ("A", None, ASSUMED),
        ("XYZ", None, ASSUMED),
        ("(Central Europe)", None, SYNTAX),
        ("", None, SYNTAX),
        ("+01:00", Some(60), SYNTAX),
        ("-3", Some(-180), SYNTAX),
        ("+530", Some(330), SYNTAX),
        ("0530", Some(330), SYNTAX),
        // Invalid offsets.
        ("+0060", None, ASSUMED),
        ("+2400", None, ASSUMED),
        ("-9959", None, ASSUMED),
    ] {
        let date = read(&format!("4 Mar 1999 10:00:00 {written}"));
        assert_eq!(date.offset, offset, "{written}");
        assert_eq!(kinds(&date), findings, "{written}");
        assert_eq!(
            date.unix_seconds(),
            920_541_600 - i64::from(offset.unwrap_or(0)) * 60
        );
    }
}

#[test]
fn invalid_dates_are_rejected() {
    for body in [
        "",
        " ",
        "(invalid)",
        "yesterday",
        "%date_raw_header%",
        "this is text and looks like a date",
        "31 Feb 1999 10:00:00 +0000",
        "29 Feb 1900 10:00:00 +0000",
        "31 Jun 1999 10:00:00 +0000",
        "0 Jan 1999 10:00:00 +0000",
        "32 Jan 1999 10:00:00 +0000",
        "1999-13-01T10:00:00Z",
        "1999-00-01T10:00:00Z",
        "4 Mar 1999 24:00:00 +0000",
        "4 Mar 1999 25:00:00 +0000",
        "4 Mar 1999 10:60:00 +0000",
        "4 Mar 1999 10:00:61 +0000",
        "4 Mar 1999 10 +0000",
        // No time of day, but a number that could be one.
        "4 Mar 1999 1030",
        "4 Mar 1999 2000 people",
        "1999-03-04 1030",
        // No time of day.
        "4 Mar 1999",
        "Thu, 4 Mar 1999 +0100",
        "4 10:00:00 1999",
        // Ambiguous order of day and month.
        "4/3/1999 10:00",
        "4-3-1999 10:00",
        "Mon Jan 00 00:00:00 0000",
    ] {
        assert_eq!(header::date(body.as_bytes()), None, "{body:?}");
    }
    // A leap second (section 3.3), and a leap day: 2000 is divisible by 400.
    let leap = "31 Dec 2016 23:59:60 +0000";
    assert_date(leap, "2016-12-31T23:59:60+00:00", 1_483_228_799 + 1, &[]);
    assert_date(
        "29 Feb 2000 00:00:00 +0000",
        "2000-02-29T00:00:00+00:00",
        951_782_400,
        &[],
    );
}

/// 4 March 1999 was a Thursday.
#[test]
fn a_contradicting_weekday_is_reported() {
    let days = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
    for (day, number) in days.into_iter().zip(1..) {
        let body = format!(" {day}, 4 Mar 1999 10:00:00 +0100");
        let date = read(&body);
        assert_eq!((date.day, date.weekday), (4, Some(number)));
        assert_eq!(date.report.has(Kind::DateAssumed), day != "Thu", "{body}");
        let offsets = date.report.iter().map(Finding::offset);
        assert!(offsets.eq((day != "Thu").then_some(1)));
    }
    // An unknown name contradicts nothing.
    let date = read("Xyz, 4 Mar 1999 10:00:00 +0100");
    assert_eq!((date.weekday, kinds(&date)), (None, SKIPPED.to_vec()));
}

/// Abbreviated and full names of months and days, from January and from Monday (CLDR).
const LANGUAGES: [(&str, &str, &str, &str, &str); 12] = [
    (
        "da",
        "jan. feb. mar. apr. maj jun. jul. aug. sep. okt. nov. dec.",
        "man. tirs. ons. tors. fre. lør. søn.",
        "januar februar marts april maj juni juli august september oktober november december",
        "mandag tirsdag onsdag torsdag fredag lørdag søndag",
    ),
    (
        "de",
        "Jan. Feb. März Apr. Mai Juni Juli Aug. Sept. Okt. Nov. Dez.",
        "Mo. Di. Mi. Do. Fr. Sa. So.",
        "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
        "Montag Dienstag Mittwoch Donnerstag Freitag Samstag Sonntag",
    ),
    (
        "es",
        "ene feb mar abr may jun jul ago sept oct nov dic",
        "lun mar mié jue vie sáb dom",
        "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
        "lunes martes miércoles jueves viernes sábado domingo",
    ),
    (
        "fi",
        "tammi helmi maalis huhti touko kesä heinä elo syys loka marras joulu",
        "ma ti ke to pe la su",
        "tammikuuta helmikuuta maaliskuuta huhtikuuta toukokuuta kesäkuuta heinäkuuta elokuuta syyskuuta lokakuuta marraskuuta joulukuuta",
        "maanantaina tiistaina keskiviikkona torstaina perjantaina lauantaina sunnuntaina",
    ),
    (
        "fr",
        "janv. févr. mars avr. mai juin juil. août sept. oct. nov. déc.",
        "lun. mar. mer. jeu. ven. sam. dim.",
        "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
        "lundi mardi mercredi jeudi vendredi samedi dimanche",
    ),
    (
        "it",
        "gen feb mar apr mag giu lug ago set ott nov dic",
        "lun mar mer gio ven sab dom",
        "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
        "lunedì martedì mercoledì giovedì venerdì sabato domenica",
    ),
    (
        "nb",
        "jan. feb. mars apr. mai juni juli aug. sep. okt. nov. des.",
        "man. tir. ons. tor. fre. lør. søn.",
        "januar februar mars april mai juni juli august september oktober november desember",
        "mandag tirsdag onsdag torsdag fredag lørdag søndag",
    ),
    (
        "nl",
        "jan feb mrt apr mei jun jul aug sep okt nov dec",
        "ma di wo do vr za zo",
        "januari februari maart april mei juni juli augustus september oktober november december",
        "maandag dinsdag woensdag donderdag vrijdag zaterdag zondag",
    ),
    (
        "pl",
        "sty lut mar kwi maj cze lip sie wrz paź lis gru",
        "pon. wt. śr. czw. pt. sob. niedz.",
        "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia",
        "poniedziałek wtorek środa czwartek piątek sobota niedziela",
    ),
    (
        "pt",
        "jan. fev. mar. abr. mai. jun. jul. ago. set. out. nov. dez.",
        "seg. ter. qua. qui. sex. sáb. dom.",
        "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
        "segunda terça quarta quinta sexta sábado domingo",
    ),
    (
        "ru",
        "янв. февр. мар. апр. мая июн. июл. авг. сент. окт. нояб. дек.",
        "пн вт ср чт пт сб вс",
        "января февраля марта апреля мая июня июля августа сентября октября ноября декабря",
        "понедельник вторник среда четверг пятница суббота воскресенье",
    ),
    (
        "sv",
        "jan. feb. mars apr. maj juni juli aug. sep. okt. nov. dec.",
        "mån tis ons tors fre lör sön",
        "januari februari mars april maj juni juli augusti september oktober november december",
        "måndag tisdag onsdag torsdag fredag lördag söndag",
    ),
];

#[test]
fn names_in_other_languages() {
    // 3 May 1999 was a Monday, and 1 January a Friday.
    for (language, months, days, whole_months, whole_days) in LANGUAGES {
        let of_month = |names: &str, day: &str| {
            for (name, number) in names.split(' ').zip(1..) {
                for name in [name.to_owned(), name.to_uppercase()] {
                    let body = format!("{day}, 1 {name} 1999 10:00:00 +0000");
                    assert_eq!(read(&body).month, number, "{language}: {body}");
                }
            }
        };
        of_month(months, "Fri");
        of_month(whole_months, "Fri");
        for names in [days, whole_days] {
            for (name, number) in names.split(' ').zip(1..) {
                let body = format!("{name}, {} May 1999 10:00:00 +0000", number + 2);
                let date = read(&body);
                assert_eq!(date.weekday, Some(number), "{language}: {body}");
                assert_eq!(kinds(&date), SYNTAX);
                // In ISO-8859-1, as contemporary programs wrote them.
                let octets = body.chars().map(u8::try_from);
                if let Ok(octets) = octets.collect::<Result<Vec<_>, _>>() {
                    let weekday = header::date(&octets).unwrap().weekday;
                    assert_eq!(weekday, Some(number), "{language}: {body}");
                }
            }
        }
    }
}

/// The day of the week by Zeller's congruence: Monday is 1.
fn weekday(year: u16, month: u8, day: u8) -> usize {
    let (year, month) = match month {
        1 | 2 => (usize::from(year) - 1, usize::from(month) + 12),
        _ => (usize::from(year), usize::from(month)),
    };
    let saturday_is_0 =
        usize::from(day) + 13 * (month + 1) / 5 + year + year / 4 - year / 100 + year / 400;
    (saturday_is_0 + 5) % 7 + 1
}

const MONTHS: [&str; 12] = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
];
const DAYS: [&str; 7] = [
    "Monday",
    "Tuesday",
    "Wednesday",
    "Thursday",
    "Friday",
    "Saturday",
    "Sunday",
];

proptest! {
    /// Any date in any format round-trips, and one in RFC 5322's format has no finding.
    #[test]
    fn a_date_in_any_format_round_trips(
        (year, month, day) in (1900..=9999_u16, 1..=12_u8, 1..=28_u8),
        (hour, minute, second) in (0..24_u8, 0..60_u8, 0..=60_u8),
        east in -1439..1440_i16,
        language in 0..LANGUAGES.len(),
    ) {
        let number = weekday(year, month, day);
        let (whole, name) = (DAYS[number - 1], MONTHS[usize::from(month) - 1]);
        let short = &whole[..3];
        let time = format!("{hour:02}:{minute:02}:{second:02}");
        let sign = if east < 0 { '-' } else { '+' };
        let (hours, minutes) = (east.unsigned_abs() / 60, east.unsigned_abs() % 60);
        let zone = format!("{sign}{hours:02}{minutes:02}");
        let (pm, twelve) = (hour / 12, (hour + 11) % 12 + 1);
        let half = ["AM", "PM"][usize::from(pm)];
        let (_, months, days, _, _) = LANGUAGES[language];
        let other = months.split(' ').nth(usize::from(month) - 1).unwrap();
        let other_day = days.split(' ').nth(number - 1).unwrap();
        let (weekday, some) = (u8::try_from(number).ok(), Some(east));
        let standard = format!("{short}, {day} {name} {year} {time} {zone}");
        let mut forms = vec![
            (format!("{standard} (a (b) \\) c)"), weekday, some),
            (standard.replace(' ', "\r\n\t").replace(':', " (:) : "), weekday, some),
            (format!("{short} {name} {day:>2} {time} {year}"), weekday, None),
            (format!("{short} {name} {day:>2} {time} {zone} {year}"), weekday, some),
            (format!("{short} {name} {day:>2} {time} {year} {zone}"), weekday, some),
            (format!("{short} {name} {day:02} {year} {time} GMT{zone} (X)"), weekday, some),
            (format!("{whole}, {day:02}-{name}-{year} {time} GMT"), weekday, Some(0)),
            (format!("{year}-{month:02}-{day:02}T{time}{sign}{hours:02}:{minutes:02}"), None, some),
            (format!("{year}{month:02}{day:02}T{hour:02}{minute:02}{second:02}{zone}"), None, some),
            (format!("{year}/{month:02}/{day:02} {time}"), None, None),
            (format!("{day}.{month}.{year} {time} {zone}"), None, some),
            (format!("{name} {day}, {year} {twelve}:{minute:02}:{second:02} {half}"), None, None),
            (format!("{other_day}, {day} {other} {year} {time} {zone}"), weekday, some),
            (format!("{day} {name} {year} {time} KST"), None, Some(540)),
        ];
        if (1950..2050).contains(&year) {
            let two = year % 100;
            forms.push((format!("{whole}, {day:02}-{name}-{two:02} {time} GMT"), weekday, Some(0)));
        }
        if (2000..=2040).contains(&year) {
            let since = year - 1900;
            forms.push((format!("{day} {name} 19{since} {time} {zone}"), None, some));
        }
        let strict = read(&standard);
        prop_assert!(strict.report.is_empty() || zone == "-0000", "{:?}", strict.report);
        forms.push((standard, weekday, some));
        for (body, weekday, offset) in forms {
            let date = read(&body);
            let found = (date.year, date.month, date.day, date.hour, date.minute, date.second);
            prop_assert_eq!(found, (year, month, day, hour, minute, second), "{}", &body);
            // Only `-0000` is unknown, and it is not written here.
            prop_assert_eq!((date.weekday, date.offset), (weekday, offset), "{}", &body);
            let again = read(&date.to_string());
            prop_assert_eq!(again.unix_seconds(), date.unix_seconds());
            prop_assert_eq!(again.offset, date.offset);
        }
    }

    /// The next day is 86,400 seconds later, across the end of each month and year.
    #[test]
    fn consecutive_days_differ_by_86400_seconds(year in 1900..9999_u16, month in 1..=12_u8) {
        let (next_year, next_month) = if month == 12 { (year + 1, 1) } else { (year, month + 1) };
        let at = |year: u16, month: u8, day: u8| {
            let month = MONTHS[usize::from(month) - 1];
            header::date(format!("{day} {month} {year} 00:00 +0000").as_bytes())
        };
        let seconds: Vec<_> = (1..=32).map_while(|day| at(year, month, day)).collect();
        let next = at(next_year, next_month, 1).unwrap();
        let seconds = seconds.iter().chain([&next]).map(Date::unix_seconds);
        let seconds: Vec<_> = seconds.collect();
        prop_assert!(seconds.windows(2).all(|pair| pair[1] - pair[0] == 86_400));
        prop_assert!((29..=32).contains(&seconds.len()));
    }
}

/// POSIX.1-2017, Base Definitions, section 8.3: in the variable `TZ` a number is positive west of
/// Greenwich, and the name of a summer time may follow. Mercury and Pegasus Mail wrote it. 30 August
/// 2001 is 11,564 days after the epoch: 31 years, 8 leap days, 241 days.
#[test]
fn a_zone_in_the_form_of_posix_is_not_reversed() {
    let reversed = [
        ("MET-1", "+01:00", 11),
        ("CET-1", "+01:00", 11),
        ("JST-9", "+09:00", 3),
        ("KST-09", "+09:00", 3),
        ("EST+5", "-05:00", 17),
        ("MET-1MEST", "-00:00", 12),
        ("MET-1METDST", "-00:00", 12),
        ("MET-1 METDST", "-00:00", 12),
        ("MET-1 DST", "-00:00", 12),
    ];
    // Other numbers after a name count east.
    let east = [
        ("GMT+1", "+01:00", 11),
        ("MET+1", "+01:00", 11),
        ("EST-5", "-05:00", 17),
        ("EST-0500", "-05:00", 17),
        ("MET-0100", "-01:00", 13),
        ("MET-1:00", "-01:00", 13),
        ("XYZ-2", "-02:00", 14),
    ];
    for (zones, findings) in [(&reversed[..], ASSUMED), (&east, SYNTAX)] {
        for (zone, offset, hour) in zones {
            let body = format!("Thu, 30 Aug 2001 12:00:00 {zone}");
            let shown = format!("2001-08-30T12:00:00{offset}");
            assert_date(&body, &shown, 11_564 * 86_400 + hour * 3600, findings);
        }
    }
}

/// RFC 5322, section 4.3: zone names other than its own are -0000. These begin like one of its own.
#[test]
fn longer_zone_names_are_unknown() {
    let unknown = "1997-07-21T09:55:06-00:00";
    for zone in [
        "EST5EDT", "PST8PDT", "EST/EDT", "GMT/BST", "GMT0BST", "GMT_BST", "EST-EDT",
    ] {
        let body = format!("Mon, 21 Jul 1997 09:55:06 {zone}");
        assert_date(&body, unknown, 869_478_906, MORE);
        let body = format!("Mon Jul 21 09:55:06 {zone} 1997");
        assert_date(&body, unknown, 869_478_906, BOTH);
    }
    for zone in ["GMT Daylight Time", "GMT Standard Time", "CET Summer Time"] {
        let body = format!("Mon, 21 Jul 1997 09:55:06 {zone}");
        assert_date(&body, unknown, 869_478_906, MORE);
    }
}
