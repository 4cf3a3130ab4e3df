//! The journal's note for a finished source.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::place::below;
use super::report::{Leftover, SourceLines};
use super::summary::Summary;
use crate::store::{Finished, MailSource};

/// The journal's note for a finished source, read by a run that resumes.
#[derive(Serialize, Deserialize)]
pub(super) struct Done {
    /// The source, by [`name_of`]: several sources may share one place at the destination.
    pub(super) source: String,
    /// The lines of the source in the report, if there is one.
    pub(super) report: Option<SourceLines>,
    #[serde(rename = "tally")]
    pub(super) summary: Summary,
}

impl Done {
    pub(super) fn note(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// The same note, for lines that moved `by` octets further into the report.
    pub(super) fn moved(note: &str, by: u64) -> Option<String> {
        let mut done = Done::read(note)?;
        done.report = done.report.map(|lines| lines.moved(by));
        Some(done.note())
    }

    pub(super) fn read(note: &str) -> Option<Done> {
        serde_json::from_str(note).ok()
    }
}

/// The work of an interrupted run.
pub(super) struct Interrupted {
    pub(super) files: Finished,
    /// The lines of the interrupted run's report, if there is one.
    pub(super) lines: Option<Leftover>,
}

impl Interrupted {
    /// The note of a source that need not be converted again.
    pub(super) fn done(&mut self, source: &MailSource, named: &Path) -> Option<Done> {
        self.files.mark_seen(source.relative());
        let done = Done::read(self.files.note(source.relative())?)?;
        // Two sources may have the same place. Only one of them was converted.
        if done.source != name_of(source, named) {
            return None;
        }
        // A system crash may have lost part of the report.
        let lines = done.report.as_ref();
        let has = |left: &mut Leftover| lines.is_some_and(|lines| left.has(lines));
        self.lines.as_mut().is_none_or(has).then_some(done)
    }
}

/// The path of a source relative to the given path; for a member, prefixed with the member name.
pub(super) fn name_of(source: &MailSource, named: &Path) -> String {
    let (member, below) = below(source, named);
    format!("{member}{}", below.display())
}
