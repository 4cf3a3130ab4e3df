//! The tables of a survey: rows with counts, years and examples.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use serde::{Serialize, Serializer};

use super::duplicates::Duplicates;
use super::summary::Summary;

/// The counts of an archive, from [`Survey::run`](super::Survey::run). Their memory does not grow with
/// the archive: a table has at most [`MAX_ROWS`](Counts::MAX_ROWS) rows, a row at most
/// [`MAX_EXAMPLES`](Counts::MAX_EXAMPLES) examples, and at most [`MAX_FILES`](Counts::MAX_FILES) files are
/// named.
///
/// Serialized with serde, it is the object that `survey --json` prints.
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
/// assert_eq!((counts.messages, counts.octets), (1, mail.len() as u64));
/// assert_eq!((counts.fields, counts.parts, counts.text_parts), (2, 1, 1));
/// assert_eq!((counts.losses, counts.others(Subject::Labels)), (0, 0));
/// assert_eq!((counts.duplicates.octets, counts.other_files), (0, 0));
/// assert!(counts.files.len() <= Counts::MAX_FILES);
/// assert!(counts.rows(Subject::Labels).len() <= Counts::MAX_ROWS);
///
/// let (name, row) = counts.rows(Subject::Labels)[0];
/// assert_eq!((name, row.count, row.detail), ("euc-kr → EUC-KR", 1, None));
/// assert_eq!(row.years.get(&1996), Some(&1));
/// let example = &row.examples[0];
/// assert!(row.examples.len() <= Counts::MAX_EXAMPLES);
/// assert_eq!((&*example.path, example.index), (path.to_str().unwrap(), 0));
/// assert_eq!((&*example.place, example.offset, &*example.text), ("1", None, "euc-kr"));
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Counts {
    /// The number of messages read.
    pub messages: u64,
    /// The number of octets in these messages.
    pub octets: u64,
    /// The number of header fields, including those of forwarded messages; 0 for a report, which
    /// does not have this number.
    pub fields: u64,
    /// The number of parts.
    pub parts: u64,
    /// The number of parts that are text.
    pub text_parts: u64,
    /// The number of fields, parts and structures that lost text.
    pub losses: u64,
    /// The numbers of the conversion, if its report was surveyed.
    ///
    /// ```
    /// use mime_charset_archive::Survey;
    ///
    /// let counts = Survey::new(&["../corpus/mail"]).run(&false.into(), |_| ());
    /// assert!(counts.summary.is_none());
    /// ```
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary: Option<Summary>,
    /// The messages that repeat an earlier one.
    pub duplicates: Duplicates,
    /// The files without mail, in order: unreadable, not mail, or left out.
    pub files: Vec<FileOutcome>,
    /// The number of such files beyond [`MAX_FILES`](Counts::MAX_FILES).
    pub other_files: u64,
    tables: Tables,
}

/// A file without mail, or whose mail could not all be read.
///
/// ```
/// use mime_charset_archive::{FileOutcome, Survey};
///
/// # let folder = tempfile::tempdir().unwrap();
/// # let folder = folder.path();
/// std::fs::write(folder.join("note.txt"), "no mail").unwrap();
/// let counts = Survey::new(&[folder]).run(&false.into(), |_| ());
/// let file: &FileOutcome = &counts.files[0];
/// assert_eq!(file.path.as_deref(), folder.join("note.txt").to_str());
/// assert_eq!(file.outcome, "no-mail");
/// assert_eq!(file.detail, "it begins with neither a separator line nor header fields");
/// assert_eq!(counts.other_files, 0);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct FileOutcome {
    /// The path; `None` if the detail names the file.
    pub path: Option<String>,
    /// `failed`, `unread`, `no-mail`, `undelivered` or `excluded`, as in a report.
    pub outcome: String,
    /// The reason.
    pub detail: String,
}

/// The subject of a table of [`Counts`].
///
/// ```
/// use mime_charset_archive::Subject;
///
/// assert_eq!(Subject::ALL[0], Subject::Charsets);
/// assert_eq!(Subject::FieldCharsets.key(), "field_charsets");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Subject {
    /// Charsets in which text parts were decoded.
    Charsets,
    /// Charsets of text parts after a conversion, from its report.
    CharsetsAfter,
    /// Charsets in which encoded words and raw octets of fields were decoded.
    FieldCharsets,
    /// Labels as written, with the charset their text was decoded in.
    Labels,
    /// Sources of the decisions about text parts.
    Sources,
    /// Confidence of guesses.
    Confidence,
    /// Kinds of findings.
    Findings,
    /// Effects of a conversion.
    Conversion,
    /// The programs that wrote the messages.
    Programs,
    /// The years of the messages.
    Years,
    /// Flags set by mail stores; not in a report.
    Flags,
    /// Gmail labels; not in a report.
    StoreLabels,
}

impl Subject {
    /// Every subject, in the order in which tables are shown.
    pub const ALL: [Subject; 12] = [
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
        Subject::Flags,
        Subject::StoreLabels,
    ];

    /// The table's key in JSON.
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
            Subject::Flags => "flags",
            Subject::StoreLabels => "store_labels",
        }
    }
}

#[derive(Debug, Default, PartialEq, Eq)]
struct Tables(BTreeMap<Subject, Table>);

/// The rows of one table, by name.
#[derive(Debug, Default, PartialEq, Eq)]
struct Table {
    rows: BTreeMap<String, Row>,
    /// The number of occurrences whose rows did not fit in the table.
    others: u64,
}

/// One row of a table: a count, the years, and examples.
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
/// assert_eq!((name, row.count, row.detail), ("KOI8-R", 1, None));
/// assert_eq!((row.years.get(&1996), row.examples.len()), (Some(&1), 1));
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Default, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Row {
    /// The number of occurrences.
    pub count: u64,
    /// The name of the effect of a kind of finding.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<&'static str>,
    /// The number of occurrences per year in the Date field.
    pub years: BTreeMap<u16, u64>,
    /// The first occurrences.
    pub examples: Vec<Example>,
}

/// One occurrence.
///
/// ```
/// # fn main() -> Result<(), mime_charset_archive::Error> {
/// use std::{path::Path, sync::atomic::AtomicBool};
/// use mime_charset_archive::{Limits, Example, Subject, Survey, stream};
///
/// let mail = &b"Date: 3 Jan 1996 01:05 +0900\nSubject: =?koi8-r?Q?=F0?=\n\n"[..];
/// let found = stream(mail, Path::new("-"), Limits::new())?;
/// let counts = Survey::new(&[""; 0]).stream(found).run(&AtomicBool::new(false), |_| ());
/// let example: &Example = &counts.rows(Subject::FieldCharsets)[0].1.examples[0];
/// assert_eq!((&*example.path, example.index, &*example.place), ("-", 0, "Subject"));
/// // `Date: 3 Jan 1996 01:05 +0900` and its line feed, and `Subject: `.
/// assert_eq!((example.offset, &*example.text), (Some(29 + 9), "П"));
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Example {
    /// The file.
    pub path: String,
    /// The index of the message in its file, from 0.
    pub index: u64,
    /// The field name, the section of the part, or another place in the message.
    #[serde(rename = "in")]
    pub place: String,
    /// The offset, if the example has a single place. It counts the same octets as the offset of a
    /// [`Finding`](mime_charset::Finding) in this place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub offset: Option<usize>,
    /// The finding, label or charset, truncated to 120 characters.
    pub text: String,
}

impl Counts {
    /// Maximum number of rows in a table: a hostile archive can have any number of labels.
    pub const MAX_ROWS: usize = 1000;

    /// Maximum number of examples per row.
    pub const MAX_EXAMPLES: usize = 5;

    /// Maximum number of named files.
    pub const MAX_FILES: usize = 10_000;

    /// The rows of a table with their names, most frequent first; years and confidence steps are in
    /// ascending order.
    #[must_use]
    pub fn rows(&self, subject: Subject) -> Vec<(&str, &Row)> {
        self.tables.rows(subject)
    }

    /// The number of occurrences without a row, because the table is full.
    #[must_use]
    pub fn others(&self, subject: Subject) -> u64 {
        self.tables.others(subject)
    }

    /// Counts one occurrence; returns `None` if the table is full.
    pub(super) fn count(
        &mut self,
        subject: Subject,
        name: &str,
        year: Option<u16>,
        example: impl FnOnce() -> Example,
    ) -> Option<&mut Row> {
        let row = self.tables.0.entry(subject).or_default().add(name, 1)?;
        if let Some(year) = year {
            *row.years.entry(year).or_default() += 1;
        }
        if row.examples.len() < Counts::MAX_EXAMPLES {
            row.examples.push(example());
        }
        Some(row)
    }

    /// Records a file without mail.
    pub(super) fn file(&mut self, path: Option<&str>, outcome: &str, detail: &str) {
        if self.files.len() < Counts::MAX_FILES {
            self.files.push(FileOutcome {
                path: path.map(str::to_owned),
                outcome: outcome.to_owned(),
                detail: detail.to_owned(),
            });
        } else {
            self.other_files += 1;
        }
    }

    /// Sets the count of a row, or deletes the row if the count is 0. Returns `None` if there is no
    /// row.
    pub(super) fn set(&mut self, subject: Subject, name: &str, count: u64) -> Option<&mut Row> {
        let table = self.tables.0.entry(subject).or_default();
        if count == 0 {
            table.rows.remove(name);
            return None;
        }
        if let Some(row) = table.rows.get_mut(name) {
            row.count = 0;
        }
        table.add(name, count)
    }

    /// Adds the counts of later messages.
    pub(super) fn merge(&mut self, other: Counts) {
        self.messages += other.messages;
        self.octets += other.octets;
        self.fields += other.fields;
        self.parts += other.parts;
        self.text_parts += other.text_parts;
        self.losses += other.losses;
        self.duplicates.merge(other.duplicates);
        for (subject, more) in other.tables.0 {
            self.tables.0.entry(subject).or_default().merge(more);
        }
    }
}

impl Tables {
    fn rows(&self, subject: Subject) -> Vec<(&str, &Row)> {
        let rows = self
            .0
            .get(&subject)
            .into_iter()
            .flat_map(|table| &table.rows);
        let mut rows: Vec<_> = rows.map(|(name, row)| (name.as_str(), row)).collect();
        if !matches!(subject, Subject::Confidence | Subject::Years) {
            rows.sort_by_key(|(_, row)| Reverse(row.count));
        }
        rows
    }

    fn others(&self, subject: Subject) -> u64 {
        self.0.get(&subject).map_or(0, |table| table.others)
    }
}

/// Writes every table under its key, even if it has no rows, and each row with its name.
impl Serialize for Tables {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct RowJson<'s> {
            name: &'s str,
            #[serde(flatten)]
            row: &'s Row,
        }
        #[derive(Serialize)]
        struct TableJson<'s> {
            rows: Vec<RowJson<'s>>,
            others: u64,
        }
        serializer.collect_map(Subject::ALL.map(|subject| {
            let rows = self.rows(subject).into_iter();
            let rows = rows.map(|(name, row)| RowJson { name, row }).collect();
            let others = self.others(subject);
            (subject.key(), TableJson { rows, others })
        }))
    }
}

impl Table {
    /// Adds to the row of this name, or to `others` if the table is full.
    fn add(&mut self, name: &str, count: u64) -> Option<&mut Row> {
        if self.rows.len() >= Counts::MAX_ROWS && !self.rows.contains_key(name) {
            self.others += count;
            return None;
        }
        let row = self.rows.entry(name.to_owned()).or_default();
        row.count += count;
        Some(row)
    }

    fn merge(&mut self, other: Table) {
        self.others += other.others;
        for (name, more) in other.rows {
            let Some(row) = self.add(&name, more.count) else {
                continue;
            };
            row.detail = row.detail.or(more.detail);
            for (year, count) in more.years {
                *row.years.entry(year).or_default() += count;
            }
            row.examples.extend(more.examples);
            row.examples.truncate(Counts::MAX_EXAMPLES);
        }
    }
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

    /// A survey stays small for any archive, and counts the rows it omits.
    #[test]
    fn a_survey_has_limits() {
        let mut survey = Counts::default();
        for number in 0..Counts::MAX_ROWS + 7 {
            let name = format!("x-{number:05}");
            survey.count(Subject::Labels, &name, None, || example(&name));
        }
        for number in 0..20 {
            let text = number.to_string();
            survey.count(Subject::Labels, "x-00000", Some(1998), || example(&text));
        }
        assert_eq!(survey.rows(Subject::Labels).len(), Counts::MAX_ROWS);
        assert_eq!(survey.others(Subject::Labels), 7);
        let (name, first) = survey.rows(Subject::Labels)[0];
        assert_eq!((name, first.count, first.years[&1998]), ("x-00000", 21, 20));
        assert_eq!(first.examples.len(), Counts::MAX_EXAMPLES);
    }

    /// Merging two surveys equals counting in one.
    #[test]
    fn merged_surveys_equal_one_survey() {
        let count = |names: &[&str]| {
            let mut survey = Counts::default();
            for name in names {
                survey.messages += 1;
                survey.count(Subject::Charsets, name, Some(2001), || example(name));
            }
            survey
        };
        let mut sum = count(&["UTF-8", "EUC-KR"]);
        sum.merge(count(&["UTF-8", "KOI8-R", "UTF-8"]));
        assert_eq!(sum, count(&["UTF-8", "EUC-KR", "UTF-8", "KOI8-R", "UTF-8"]));
    }
}
