//! What a run notes of each source that is done.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::place::below;
use super::report::SourceLines;
use super::summary::Summary;
use crate::store::MailSource;

/// The note that the journal keeps of a finished source, for a run that resumes.
#[derive(Serialize, Deserialize)]
pub(super) struct Done {
    /// The source, as [`name_of`] has it: several may have one place at the destination.
    pub(super) source: String,
    /// Its lines in the report, if there is one.
    pub(super) report: Option<SourceLines>,
    #[serde(rename = "tally")]
    pub(super) summary: Summary,
}

impl Done {
    pub(super) fn note(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// The same note with its lines `by` octets further into the report.
    pub(super) fn moved(note: &str, by: u64) -> Option<String> {
        let mut done = Done::read(note)?;
        done.report = done.report.map(|lines| lines.moved(by));
        Some(done.note())
    }

    pub(super) fn read(note: &str) -> Option<Done> {
        serde_json::from_str(note).ok()
    }
}

/// What a source is called below the path that was named, with the name of the member before it if it
/// is one.
pub(super) fn name_of(source: &MailSource, named: &Path) -> String {
    let (member, below) = below(source, named);
    format!("{member}{}", below.display())
}
