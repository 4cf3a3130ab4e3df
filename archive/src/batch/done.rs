//! What a run notes of each source that is done.

use std::path::Path;

use serde_json::{Value, json};

use super::place::below;
use super::report::SourceLines;
use super::summary::Summary;
use crate::store::MailSource;

/// What a run notes of a source for one that goes on.
pub(super) struct Done {
    /// Which of the sources that could have this place, as [`name_of`] has it.
    source: String,
    /// Where its lines are in the report, if there is one.
    pub(super) report: Option<SourceLines>,
    pub(super) summary: Summary,
}

impl Done {
    pub(super) fn note(source: &str, report: Option<&SourceLines>, summary: &Summary) -> String {
        let report = report.map(SourceLines::to_json);
        json!({ "source": source, "report": report, "tally": summary.to_json() }).to_string()
    }

    /// Whether it is this source that was done.
    pub(super) fn is_of(&self, source: &str) -> bool {
        self.source == source
    }

    /// The same note, its lines so many octets further on.
    pub(super) fn moved(note: &str, by: u64) -> Option<String> {
        let done = Done::read(note)?;
        let report = done.report.map(|lines| lines.moved(by));
        Some(Done::note(&done.source, report.as_ref(), &done.summary))
    }

    pub(super) fn read(note: &str) -> Option<Done> {
        let note: Value = serde_json::from_str(note).ok()?;
        Some(Done {
            source: note.get("source")?.as_str()?.to_owned(),
            report: SourceLines::from_json(note.get("report")?),
            summary: Summary::from_json(note.get("tally")?)?,
        })
    }
}

/// What a source is called below the path that was named, with the name of the member before it if it
/// is one.
pub(super) fn name_of(source: &MailSource, named: &Path) -> String {
    let (member, below) = below(source, named);
    format!("{member}{}", below.display())
}
