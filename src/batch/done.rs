//! What a run notes of each source that is done.

use serde_json::{Value, json};

use super::report::SourceLines;
use super::summary::Summary;

/// What a run notes of a source for one that goes on.
pub(super) struct Done {
    /// Where its lines are in the report, if there is one.
    pub(super) report: Option<SourceLines>,
    pub(super) summary: Summary,
}

impl Done {
    pub(super) fn note(report: Option<&SourceLines>, summary: &Summary) -> String {
        let report = report.map(SourceLines::to_json);
        json!({ "report": report, "tally": summary.to_json() }).to_string()
    }

    /// The same note, its lines so many octets further on.
    pub(super) fn moved(note: &str, by: u64) -> Option<String> {
        let done = Done::read(note)?;
        let report = done.report.map(|lines| lines.moved(by));
        Some(Done::note(report.as_ref(), &done.summary))
    }

    pub(super) fn read(note: &str) -> Option<Done> {
        let note: Value = serde_json::from_str(note).ok()?;
        Some(Done {
            report: SourceLines::from_json(note.get("report")?),
            summary: Summary::from_json(note.get("tally")?)?,
        })
    }
}
