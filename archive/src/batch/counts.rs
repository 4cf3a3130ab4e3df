//! What a survey counts: rows of tables, each with the years it was met in and some examples.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use serde::{Serialize, Serializer};

use super::summary::Summary;

/// What was counted of an archive; [`Survey::run`](super::Survey::run) gives it. Its memory does not
/// grow with the archive: a table has at most [`MAX_ROWS`](Counts::MAX_ROWS) rows, and a row at most
/// [`MAX_EXAMPLES`](Counts::MAX_EXAMPLES) examples.
///
/// With serde it is the object that `survey --json` prints.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use std::sync::atomic::AtomicBool;
/// use mime_charset_archive::{Counts, Subject, Survey};
///
/// # let folder = tempfile::tempdir()?;
/// let path = folder.path().join("one.eml");
/// let mail = "Date: 3 Jan 1996 01:05 +0900\nContent-Type: text/plain; charset=euc-kr\n\n";
/// std::fs::write(&path, mail)?;
/// let counts = Survey::new(&[&path]).run(&AtomicBool::new(false), |_| ());
/// assert_eq!((counts.messages(), counts.octets()), (1, mail.len() as u64));
/// assert_eq!((counts.fields(), counts.parts(), counts.text_parts()), (2, 1, 1));
/// assert_eq!((counts.losses(), counts.others(Subject::Labels)), (0, 0));
/// assert!(counts.rows(Subject::Labels).len() <= Counts::MAX_ROWS);
///
/// let (name, row) = counts.rows(Subject::Labels)[0];
/// assert_eq!((name, row.count(), row.detail()), ("euc-kr → EUC-KR", 1, None));
/// assert_eq!(row.years().get(&1996), Some(&1));
/// let example = &row.examples()[0];
/// assert!(row.examples().len() <= Counts::MAX_EXAMPLES);
/// assert_eq!((example.path(), example.index()), (path.to_str().unwrap(), 0));
/// assert_eq!((example.place(), example.offset(), example.text()), ("1", None, "euc-kr"));
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    pub(super) messages: u64,
    pub(super) octets: u64,
    pub(super) fields: u64,
    pub(super) parts: u64,
    pub(super) text_parts: u64,
    pub(super) losses: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) summary: Option<Summary>,
    pub(super) tables: Tables,
}

/// The tables in the order in which they are shown.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Tables([Table; Subject::ALL.len()]);

/// What the rows of a table of [`Counts`] are.
///
/// ```
/// use mime_charset_archive::Subject;
///
/// assert_eq!(Subject::ALL[0], Subject::Charsets);
/// assert_eq!(Subject::FieldCharsets.key(), "field_charsets");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Subject {
    /// Charsets that text parts were read in.
    Charsets,
    /// Charsets of the text parts after a conversion, of which a report was surveyed.
    CharsetsAfter,
    /// Charsets that words and raw octets of fields were read in.
    FieldCharsets,
    /// Labels as they are written, and what text under them was read in.
    Labels,
    /// On whose word the charsets of text parts were chosen.
    Sources,
    /// How sure the guesses were.
    Confidence,
    /// Kinds of findings.
    Findings,
    /// What a conversion would do.
    Conversion,
    /// The programs that wrote the messages.
    Programs,
    /// The years of the messages.
    Years,
}

impl Subject {
    /// Every subject, in the order in which tables are shown.
    pub const ALL: [Subject; 10] = [
        Subject::Charsets,
        Subject::CharsetsAfter,
        Subject::FieldCharsets,
        Subject::Labels,
        Subject::Sources,
        Subject::Confidence,
        Subject::Findings,
        Subject::Conversion,
        Subject::Programs,
        Subject::Years,
    ];

    /// The key of the table in JSON.
    #[must_use]
    pub fn key(self) -> &'static str {
        match self {
            Subject::Charsets => "charsets",
            Subject::CharsetsAfter => "charsets_after",
            Subject::FieldCharsets => "field_charsets",
            Subject::Labels => "labels",
            Subject::Sources => "sources",
            Subject::Confidence => "confidence",
            Subject::Findings => "findings",
            Subject::Conversion => "conversion",
            Subject::Programs => "programs",
            Subject::Years => "years",
        }
    }

    /// Whether the rows have an order of their own, and not that of their numbers.
    fn is_ordered(self) -> bool {
        matches!(self, Subject::Confidence | Subject::Years)
    }
}

/// The rows of one table, by name.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Table {
    rows: BTreeMap<String, Row>,
    /// What was counted of rows for which there was no space.
    others: u64,
}

/// One row of a table: how often something was met, when, and where for example.
///
/// ```
/// # fn main() -> Result<(), mime_charset_archive::Error> {
/// use std::{path::Path, sync::atomic::AtomicBool};
/// use mime_charset_archive::{Limits, Row, Subject, Survey, stream};
///
/// let mail = &b"Date: 3 Jan 1996 01:05 +0900\nSubject: =?koi8-r?Q?=F0?=\n\n"[..];
/// let found = stream(mail, Path::new("-"), Limits::new())?;
/// let counts = Survey::new(&[""; 0]).stream(found).run(&AtomicBool::new(false), |_| ());
/// let (name, row): (&str, &Row) = counts.rows(Subject::FieldCharsets)[0];
/// assert_eq!((name, row.count(), row.detail()), ("KOI8-R", 1, None));
/// assert_eq!((row.years().get(&1996), row.examples().len()), (Some(&1), 1));
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Default, Clone, PartialEq, Eq, Serialize)]
pub struct Row {
    pub(super) count: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) detail: Option<&'static str>,
    pub(super) years: BTreeMap<u16, u64>,
    pub(super) examples: Vec<Example>,
}

impl Row {
    /// How often it was met.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.count
    }

    /// What more there is to say of it: of a kind of finding, the name of its effect.
    #[must_use]
    pub fn detail(&self) -> Option<&'static str> {
        self.detail
    }

    /// How often it was met in each year that a Date field names.
    #[must_use]
    pub fn years(&self) -> &BTreeMap<u16, u64> {
        &self.years
    }

    /// Where it was met first.
    #[must_use]
    pub fn examples(&self) -> &[Example] {
        &self.examples
    }
}

/// Where something was met.
///
/// ```
/// # fn main() -> Result<(), mime_charset_archive::Error> {
/// use std::{path::Path, sync::atomic::AtomicBool};
/// use mime_charset_archive::{Limits, Example, Subject, Survey, stream};
///
/// let mail = &b"Date: 3 Jan 1996 01:05 +0900\nSubject: =?koi8-r?Q?=F0?=\n\n"[..];
/// let found = stream(mail, Path::new("-"), Limits::new())?;
/// let counts = Survey::new(&[""; 0]).stream(found).run(&AtomicBool::new(false), |_| ());
/// let example: &Example = &counts.rows(Subject::FieldCharsets)[0].1.examples()[0];
/// assert_eq!((example.path(), example.index(), example.place()), ("-", 0, "Subject"));
/// // `Date: 3 Jan 1996 01:05 +0900` and its line feed, and `Subject: `.
/// assert_eq!((example.offset(), example.text()), (Some(29 + 9), "П"));
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Example {
    pub(super) path: String,
    pub(super) index: u64,
    #[serde(rename = "in")]
    pub(super) place: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) offset: Option<usize>,
    pub(super) text: String,
}

impl Example {
    /// The file.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The number of the message in its file, from 0.
    #[must_use]
    pub fn index(&self) -> u64 {
        self.index
    }

    /// The name of the field, the section of the part, or what else of the message it is about.
    #[must_use]
    pub fn place(&self) -> &str {
        &self.place
    }

    /// How many octets lie before it, where one place is meant; counted as the offset of a
    /// [`Finding`](mime_charset::Finding) there.
    #[must_use]
    pub fn offset(&self) -> Option<usize> {
        self.offset
    }

    /// The finding, the label or the charset, at most 120 characters of it.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }
}

impl Table {
    fn row(&mut self, name: &str) -> Option<&mut Row> {
        let is_full = self.rows.len() >= Counts::MAX_ROWS;
        match self.rows.entry(name.to_owned()) {
            Entry::Occupied(row) => Some(row.into_mut()),
            Entry::Vacant(_) if is_full => None,
            Entry::Vacant(place) => Some(place.insert(Row::default())),
        }
    }

    fn merge(&mut self, other: Table) {
        self.others += other.others;
        for (name, more) in other.rows {
            let Some(row) = self.row(&name) else {
                self.others += more.count;
                continue;
            };
            row.count += more.count;
            row.detail = row.detail.or(more.detail);
            for (year, count) in more.years {
                *row.years.entry(year).or_default() += count;
            }
            let free = Counts::MAX_EXAMPLES - row.examples.len().min(Counts::MAX_EXAMPLES);
            row.examples.extend(more.examples.into_iter().take(free));
        }
    }
}

impl Default for Tables {
    fn default() -> Self {
        Tables(std::array::from_fn(|_| Table::default()))
    }
}

impl Tables {
    fn of(&self, subject: Subject) -> Option<&Table> {
        self.0.get(subject as usize)
    }

    /// Counts something once.
    pub(super) fn count(
        &mut self,
        subject: Subject,
        name: &str,
        year: Option<u16>,
        example: impl FnOnce() -> Example,
    ) -> Option<&mut Row> {
        let table = self.0.get_mut(subject as usize)?;
        if table.rows.len() >= Counts::MAX_ROWS && !table.rows.contains_key(name) {
            table.others += 1;
            return None;
        }
        let row = table.row(name)?;
        row.count += 1;
        if let Some(year) = year {
            *row.years.entry(year).or_default() += 1;
        }
        if row.examples.len() < Counts::MAX_EXAMPLES {
            row.examples.push(example());
        }
        Some(row)
    }

    /// Sets how often something was met; what never was has no row.
    pub(super) fn set(&mut self, subject: Subject, name: &str, count: u64) {
        let Some(table) = self.0.get_mut(subject as usize) else {
            return;
        };
        if count == 0 {
            table.rows.remove(name);
        } else if let Some(row) = table.row(name) {
            row.count = count;
        } else {
            table.others += count;
        }
    }

    /// Gives a row its examples.
    pub(super) fn exemplify(&mut self, subject: Subject, name: &str, examples: Vec<Example>) {
        let table = self.0.get_mut(subject as usize);
        if let Some(row) = table.and_then(|table| table.rows.get_mut(name)) {
            row.examples = examples;
        }
    }

    /// The rows of a table: the most frequent first, or in their own order where they have one.
    fn rows(&self, subject: Subject) -> Vec<(&str, &Row)> {
        let table = self.of(subject);
        let mut rows: Vec<_> = table
            .into_iter()
            .flat_map(|table| &table.rows)
            .map(|(name, row)| (name.as_str(), row))
            .collect();
        if !subject.is_ordered() {
            rows.sort_by_key(|(_, row)| std::cmp::Reverse(row.count));
        }
        rows
    }

    /// What was counted beyond the rows of a table.
    fn others(&self, subject: Subject) -> u64 {
        self.of(subject).map_or(0, |table| table.others)
    }
}

impl Counts {
    /// How many rows a table has at most: a hostile archive has as many labels as it likes.
    pub const MAX_ROWS: usize = 1000;

    /// How many examples a row has at most.
    pub const MAX_EXAMPLES: usize = 5;

    /// How many messages were read.
    #[must_use]
    pub fn messages(&self) -> u64 {
        self.messages
    }

    /// How many octets the messages have.
    #[must_use]
    pub fn octets(&self) -> u64 {
        self.octets
    }

    /// How many header fields they have, those of forwarded messages among them; 0 of a report, which
    /// does not tell.
    #[must_use]
    pub fn fields(&self) -> u64 {
        self.fields
    }

    /// How many parts they have.
    #[must_use]
    pub fn parts(&self) -> u64 {
        self.parts
    }

    /// How many of the parts are text.
    #[must_use]
    pub fn text_parts(&self) -> u64 {
        self.text_parts
    }

    /// The numbers of the conversion, where its report was surveyed.
    ///
    /// ```
    /// use mime_charset_archive::Survey;
    ///
    /// let counts = Survey::new(&["../corpus/mail"]).run(&false.into(), |_| ());
    /// assert!(counts.summary().is_none());
    /// ```
    #[must_use]
    pub fn summary(&self) -> Option<&Summary> {
        self.summary.as_ref()
    }

    /// How many fields, parts and structures have lost text.
    #[must_use]
    pub fn losses(&self) -> u64 {
        self.losses
    }

    /// The rows of a table with their names: the most frequent first; years and steps of confidence
    /// in their own order.
    #[must_use]
    pub fn rows(&self, subject: Subject) -> Vec<(&str, &Row)> {
        self.tables.rows(subject)
    }

    /// What was counted beyond the rows that a table has.
    #[must_use]
    pub fn others(&self, subject: Subject) -> u64 {
        self.tables.others(subject)
    }

    /// Adds what was counted of later messages.
    pub(super) fn merge(&mut self, other: Counts) {
        self.messages += other.messages;
        self.octets += other.octets;
        self.fields += other.fields;
        self.parts += other.parts;
        self.text_parts += other.text_parts;
        self.losses += other.losses;
        for (table, more) in self.tables.0.iter_mut().zip(other.tables.0) {
            table.merge(more);
        }
    }
}

impl Serialize for Tables {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(Subject::ALL.map(|subject| {
            let table = Rows {
                rows: self.rows(subject),
                others: self.others(subject),
            };
            (subject.key(), table)
        }))
    }
}

/// A table as it is written.
#[derive(Serialize)]
struct Rows<'s> {
    #[serde(serialize_with = "named")]
    rows: Vec<(&'s str, &'s Row)>,
    others: u64,
}

/// Rows in their order, each with its name.
fn named<S: Serializer>(rows: &[(&str, &Row)], serializer: S) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    struct Named<'s> {
        name: &'s str,
        #[serde(flatten)]
        row: &'s Row,
    }
    serializer.collect_seq(rows.iter().map(|&(name, row)| Named { name, row }))
}

#[cfg(test)]
mod tests {
    use super::{Counts, Example, Subject};

    fn example(text: &str) -> Example {
        Example {
            path: "a".to_owned(),
            index: 0,
            place: "1".to_owned(),
            offset: None,
            text: text.to_owned(),
        }
    }

    /// However much there is, the survey stays small, and what it leaves out is counted.
    #[test]
    fn a_survey_has_limits() {
        let mut survey = Counts::default();
        for number in 0..Counts::MAX_ROWS + 7 {
            let name = format!("x-{number:05}");
            survey
                .tables
                .count(Subject::Labels, &name, None, || example(&name));
        }
        for number in 0..20 {
            let text = number.to_string();
            survey
                .tables
                .count(Subject::Labels, "x-00000", Some(1998), || example(&text));
        }
        assert_eq!(survey.tables.rows(Subject::Labels).len(), Counts::MAX_ROWS);
        assert_eq!(survey.tables.others(Subject::Labels), 7);
        let (name, first) = survey.tables.rows(Subject::Labels)[0];
        assert_eq!((name, first.count, first.years[&1998]), ("x-00000", 21, 20));
        assert_eq!(first.examples.len(), Counts::MAX_EXAMPLES);
    }

    /// What two threads have counted is what one would have.
    #[test]
    fn surveys_are_added() {
        let count = |names: &[&str]| {
            let mut survey = Counts::default();
            for name in names {
                survey.messages += 1;
                survey
                    .tables
                    .count(Subject::Charsets, name, Some(2001), || example(name));
            }
            survey
        };
        let mut sum = count(&["UTF-8", "EUC-KR"]);
        sum.merge(count(&["UTF-8", "KOI8-R", "UTF-8"]));
        assert_eq!(sum, count(&["UTF-8", "EUC-KR", "UTF-8", "KOI8-R", "UTF-8"]));
    }
}
