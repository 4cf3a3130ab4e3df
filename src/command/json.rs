//! What the JSON of several commands has in common.

use std::borrow::Cow;

use mime_charset::Report;
use mime_charset::decode::FieldText;
use serde::{Serialize, Serializer};

/// A field: its name, and what its text is written as.
#[derive(Serialize)]
pub(super) struct FieldJson<'f> {
    pub(super) name: Option<Cow<'f, str>>,
    #[serde(flatten)]
    pub(super) text: FieldText<'f>,
}

/// The findings of several reports, one after the other, each written as it is: a hostile message
/// has tens of thousands.
pub(super) struct Findings<'r>(pub(super) Vec<&'r Report>);

impl<'r> Serialize for Findings<'r> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let written = |report: &'r Report| {
            let kept = report.iter().map(Cow::Borrowed);
            kept.chain(report.omitted_finding().map(Cow::Owned))
        };
        serializer.collect_seq(self.0.iter().copied().flat_map(written))
    }
}
