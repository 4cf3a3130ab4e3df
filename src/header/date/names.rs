//! Names of months, days and zones.

use std::ops::RangeInclusive;
use std::sync::LazyLock;

use crate::work::work;

/// The months in English, then in Swedish, Danish, Norwegian, German, Dutch, French, Spanish,
/// Portuguese, Italian, Finnish, Polish and Russian, as in CLDR, and without accents.
const MONTHS: [&str; 12] = [
    "january januari janvier janeiro enero gennaio tammikuuta stycznia января",
    "february februari febrero febbraio février fevrier fevereiro helmikuuta lutego февраля",
    "march mars marts märz maerz mrz maart mrt marzo março marco maaliskuuta marca марта",
    "april avril abril aprile huhtikuuta kwietnia апреля",
    "may maj mai mei mayo maio maggio toukokuuta maja мая май",
    "june juni juin junio junho giugno kesäkuuta czerwca июня",
    "july juli juillet julio julho luglio heinäkuuta lipca июля",
    "august augusti augustus août aout agosto elokuuta sierpnia августа",
    "september septembre septiembre setembro settembre syyskuuta września wrzesnia сентября",
    "october oktober octobre octubre outubro ottobre lokakuuta października pazdziernika октября",
    "november novembre noviembre novembro marraskuuta listopada ноября",
    "december desember dezember décembre diciembre dezembro dicembre joulukuuta grudnia декабря",
];

/// The days of the week in the same languages, and their two-letter abbreviations.
const DAYS: [&str; 7] = [
    "monday mandag måndag montag maandag maanantaina lundi lunes lunedì segunda poniedziałek \
     понедельник mo ma pn пн",
    "tuesday tirsdag tisdag dienstag dinsdag tiistaina mardi martes martedì terça terca wtorek \
     вторник di ti wt вт",
    "wednesday onsdag mittwoch woensdag keskiviikkona mercredi mercoledì miércoles miercoles quarta \
     środa sroda среда mi wo ke śr ср",
    "thursday torsdag torstaina donnerstag donderdag jeudi jueves giovedì quinta czwartek четверг \
     do to чт",
    "friday fredag freitag vrijdag perjantaina vendredi viernes venerdì sexta piątek piatek пятница \
     fr vr pe pt пт",
    "saturday lördag lørdag samstag zaterdag lauantaina samedi sábado sabato sobota суббота \
     sa za la сб",
    "sunday söndag søndag sonntag zondag sunnuntaina dimanche domingo domenica niedziela \
     воскресенье so zo su вс",
];

/// Zone names with their offsets in minutes east of UTC: the names in RFC 5322, section 4.3, `UTC`, and
/// the `Z` of ISO 8601.
const STANDARD: [(&str, i16); 12] = [
    ("UT", 0),
    ("GMT", 0),
    ("EST", -5 * 60),
    ("EDT", -4 * 60),
    ("CST", -6 * 60),
    ("CDT", -5 * 60),
    ("MST", -7 * 60),
    ("MDT", -6 * 60),
    ("PST", -8 * 60),
    ("PDT", -7 * 60),
    ("UTC", 0),
    ("Z", 0),
];

/// Unambiguous zone names that no mail standard defines. `IST`, `BST` and `AST` are excluded: each is
/// used in two parts of the world.
const ASSUMED: [(&str, i16); 15] = [
    ("KST", 9 * 60),
    ("JST", 9 * 60),
    ("HKT", 8 * 60),
    ("MSK", 3 * 60),
    ("EET", 2 * 60),
    ("EEST", 3 * 60),
    ("CET", 60),
    ("CEST", 2 * 60),
    ("MET", 60),
    ("MEST", 2 * 60),
    ("AEST", 10 * 60),
    ("AEDT", 11 * 60),
    ("NZST", 12 * 60),
    ("NZDT", 13 * 60),
    ("WEST", 60),
];

/// The number that a name stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Named<T> {
    pub(super) value: T,
    /// Whether RFC 5322, section 3.3 or 4.3, defines the name.
    pub(super) is_standard: bool,
}

/// The month with this name, from 1. The name may be non-ASCII, in any case, and truncated after its
/// third letter.
pub(super) fn month(word: &[u8]) -> Option<Named<u8>> {
    static NAMES: LazyLock<SortedNames> = LazyLock::new(|| sorted(&MONTHS));
    number_of(word, &MONTHS, &NAMES)
}

/// The day of the week with this name, from 1 for Monday (ISO 8601).
pub(super) fn weekday(word: &[u8]) -> Option<Named<u8>> {
    static NAMES: LazyLock<SortedNames> = LazyLock::new(|| sorted(&DAYS));
    number_of(word, &DAYS, &NAMES)
}

/// The offset of the zone with this name, in minutes east of UTC.
pub(super) fn zone(word: &[u8]) -> Option<Named<i16>> {
    let in_table = |table: &[(&str, i16)], is_standard| {
        let mut rows = table.iter();
        let row = rows.find(|(name, _)| name.as_bytes().eq_ignore_ascii_case(word));
        row.map(|&(_, value)| Named { value, is_standard })
    };
    in_table(&STANDARD, true).or_else(|| in_table(&ASSUMED, false))
}

/// Sorted names, each with its number.
type SortedNames = Vec<(&'static str, u8)>;

fn sorted(rows: &[&'static str]) -> SortedNames {
    let rows = rows.iter().zip(1..);
    let mut names: SortedNames = rows
        .flat_map(|(names, number)| names.split(' ').map(move |name| (name, number)))
        .collect();
    names.sort_unstable();
    names
}

fn number_of(word: &[u8], rows: &[&str], names: &SortedNames) -> Option<Named<u8>> {
    work(word.len());
    let is_english = |row: &&str| {
        let name = row.as_bytes().get(..3);
        name.is_some_and(|name| name.eq_ignore_ascii_case(word))
    };
    if let Some(row) = rows.iter().position(is_english) {
        return Some(Named {
            value: u8::try_from(row + 1).ok()?,
            is_standard: true,
        });
    }
    Some(Named {
        value: number_by_name(word, names)?,
        is_standard: false,
    })
}

fn number_by_name(word: &[u8], names: &SortedNames) -> Option<u8> {
    /// Possible lengths of a name in octets. The longest name, `понедельник`, has 22.
    const LENGTHS: RangeInclusive<usize> = 2..=32;
    if !LENGTHS.contains(&word.len()) {
        return None;
    }
    // If the word is not UTF-8, it is taken as ISO-8859-1, whose octets are the first code points of
    // Unicode.
    let latin = || word.iter().map(|&octet| char::from(octet)).collect();
    let text: String = std::str::from_utf8(word).map_or_else(|_| latin(), str::to_owned);
    let text = text.to_lowercase();
    let at = names.partition_point(|&(name, _)| name < text.as_str());
    let &(name, number) = names.get(at)?;
    let may_be_cut = text.chars().count() >= 3;
    (name == text || may_be_cut && name.starts_with(&text)).then_some(number)
}
