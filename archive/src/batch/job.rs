//! The settings of a run.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use crate::store::{
    self, Existing, Limits, MailSource, MailSources, Piece, Selection, UnreadSource,
};
use mime_charset::convert::Conversion;

/// The settings of a conversion or a comparison.
#[derive(Debug, Clone)]
pub(super) struct Job {
    pub(super) source: PathBuf,
    pub(super) destination: PathBuf,
    pub(super) report: Option<PathBuf>,
    pub(super) options: Conversion,
    pub(super) existing: Existing,
    pub(super) is_dry: bool,
    pub(super) selection: Selection,
    /// Whether a run counts as complete even if some files cannot be read.
    pub(super) accepts_unread: bool,
    pub(super) limits: Limits,
    pub(super) threads: Option<NonZeroUsize>,
    /// The files of a share, if several processes share a run.
    pub(super) pieces: Option<Vec<Piece>>,
    /// The name of a share of a conversion.
    pub(super) share: Option<String>,
}

impl Job {
    pub(super) fn new(source: &Path, destination: &Path) -> Self {
        Job {
            source: source.to_path_buf(),
            destination: destination.to_path_buf(),
            report: None,
            options: Conversion::new(),
            existing: Existing::Refuse,
            is_dry: false,
            selection: Selection::new(),
            accepts_unread: false,
            limits: Limits::new(),
            threads: None,
            pieces: None,
            share: None,
        }
    }

    /// The sources of a run or of a share.
    pub(super) fn sources(
        &self,
    ) -> Box<dyn Iterator<Item = Result<MailSource, UnreadSource>> + '_> {
        let all = |sources: MailSources| sources.select(&self.selection).or_unread();
        let Some(pieces) = &self.pieces else {
            return Box::new(all(store::sources(&self.source, self.limits)));
        };
        let whole = pieces.iter().filter(|piece| piece.is_whole());
        Box::new(whole.flat_map(move |piece| all(piece.sources_below(&self.source, self.limits))))
    }
}

/// Removes the options for reading octets, which a report does not record.
pub(super) fn without_decoding(options: Conversion) -> Conversion {
    Conversion {
        decoding: mime_charset::Options::new(),
        ..options
    }
}
