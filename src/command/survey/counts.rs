//! What a survey counts: rows of tables, each with the years it was met in and some examples.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use serde::{Serialize, Serializer};

/// What was counted of an archive. Its memory does not grow with the archive: each table has a
/// limited number of rows, and each row a limited number of examples.
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
pub(super) struct Survey {
    pub(super) messages: u64,
    /// Octets of the messages.
    pub(super) octets: u64,
    pub(super) fields: u64,
    pub(super) parts: u64,
    pub(super) text_parts: u64,
    /// How often text in a field or a part was lost.
    pub(super) losses: u64,
    pub(super) tables: Tables,
}

/// The tables in the order in which they are shown.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Tables([Table; Subject::ALL.len()]);

/// What the rows of a table are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Subject {
    /// Charsets that text parts were read in.
    Charsets,
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
    pub(super) const ALL: [Subject; 9] = [
        Subject::Charsets,
        Subject::FieldCharsets,
        Subject::Labels,
        Subject::Sources,
        Subject::Confidence,
        Subject::Findings,
        Subject::Conversion,
        Subject::Programs,
        Subject::Years,
    ];

    /// The key in JSON.
    pub(super) fn key(self) -> &'static str {
        match self {
            Subject::Charsets => "charsets",
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

    /// The heading for people, and what is counted.
    pub(super) fn heading(self) -> (&'static str, &'static str) {
        match self {
            Subject::Charsets => ("Charsets of text parts", "parts"),
            Subject::FieldCharsets => ("Charsets in header fields", "uses"),
            Subject::Labels => ("Labels, and what was read under them", "parts"),
            Subject::Sources => ("On whose word", "parts"),
            Subject::Confidence => ("How sure the guesses are", "parts"),
            Subject::Findings => ("Findings", "findings"),
            Subject::Conversion => ("What a conversion would do", "messages, fields or parts"),
            Subject::Programs => ("Programs that wrote the mail", "messages"),
            Subject::Years => ("Years", "messages"),
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

/// One row: how often something was met, when, and where for example.
#[derive(Debug, Default, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Row {
    pub(super) count: u64,
    /// What more there is to say of it, such as the effect of a kind of finding.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) detail: Option<&'static str>,
    /// How often in each year.
    pub(super) years: BTreeMap<u16, u64>,
    pub(super) examples: Vec<Example>,
}

/// Where something was met.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Example {
    pub(super) path: String,
    /// The number of the message in its file, from 0.
    pub(super) index: u64,
    /// The field, or the section of the part.
    #[serde(rename = "in")]
    pub(super) place: String,
    /// Octets before it, of what `place` names or of the message.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) offset: Option<usize>,
    /// The sentence of the finding, or the label, where there is one.
    pub(super) text: String,
}

impl Table {
    /// How many rows a table has at most: there are more labels than charsets, and a hostile archive
    /// has as many as it likes.
    const MAX_ROWS: usize = 1000;

    fn row(&mut self, name: &str) -> Option<&mut Row> {
        let is_full = self.rows.len() >= Self::MAX_ROWS;
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
            let free = Row::MAX_EXAMPLES - row.examples.len().min(Row::MAX_EXAMPLES);
            row.examples.extend(more.examples.into_iter().take(free));
        }
    }
}

impl Row {
    /// How many examples a row keeps: the first.
    const MAX_EXAMPLES: usize = 5;
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
        if table.rows.len() >= Table::MAX_ROWS && !table.rows.contains_key(name) {
            table.others += 1;
            return None;
        }
        let row = table.row(name)?;
        row.count += 1;
        if let Some(year) = year {
            *row.years.entry(year).or_default() += 1;
        }
        if row.examples.len() < Row::MAX_EXAMPLES {
            row.examples.push(example());
        }
        Some(row)
    }

    /// The rows of a table: the most frequent first, or in their own order where they have one.
    pub(super) fn rows(&self, subject: Subject) -> Vec<(&str, &Row)> {
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
    pub(super) fn others(&self, subject: Subject) -> u64 {
        self.of(subject).map_or(0, |table| table.others)
    }
}

impl Survey {
    /// Adds what was counted of later messages.
    pub(super) fn merge(&mut self, other: Survey) {
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
    use super::{Example, Row, Subject, Survey, Table};

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
        let mut survey = Survey::default();
        for number in 0..Table::MAX_ROWS + 7 {
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
        assert_eq!(survey.tables.rows(Subject::Labels).len(), Table::MAX_ROWS);
        assert_eq!(survey.tables.others(Subject::Labels), 7);
        let (name, first) = survey.tables.rows(Subject::Labels)[0];
        assert_eq!((name, first.count, first.years[&1998]), ("x-00000", 21, 20));
        assert_eq!(first.examples.len(), Row::MAX_EXAMPLES);
    }

    /// What two threads have counted is what one would have.
    #[test]
    fn surveys_are_added() {
        let count = |names: &[&str]| {
            let mut survey = Survey::default();
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
