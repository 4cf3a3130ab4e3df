//! What a run is to do.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::thread;

use crate::error::Error;
use crate::store::{self, Existing, Limits, MailSource, Piece};
use mime_charset::convert::Conversion;

/// What a run is to do, with what, and how.
#[derive(Debug, Clone)]
pub(super) struct Job {
    pub(super) source: PathBuf,
    pub(super) destination: PathBuf,
    pub(super) report: Option<PathBuf>,
    pub(super) options: Conversion,
    pub(super) existing: Existing,
    pub(super) is_dry: bool,
    pub(super) limits: Limits,
    pub(super) threads: Option<NonZeroUsize>,
    /// The files that one of many processes does of a run.
    pub(super) pieces: Option<Vec<Piece>>,
    /// What its share of a conversion is called.
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
            limits: Limits::new(),
            threads: None,
            pieces: None,
            share: None,
        }
    }

    /// The sources of a run, or of a share of it.
    pub(super) fn sources(&self) -> Box<dyn Iterator<Item = Result<MailSource, Error>> + '_> {
        let Some(pieces) = &self.pieces else {
            return Box::new(store::sources(&self.source, self.limits));
        };
        let whole = pieces.iter().filter(|piece| piece.is_whole());
        Box::new(whole.flat_map(|piece| piece.sources_below(&self.source, self.limits)))
    }

    /// How many messages are worked on at once.
    pub(super) fn workers(&self) -> NonZeroUsize {
        let cores = || thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        self.threads.unwrap_or_else(cores)
    }
}

/// How octets are read has no words in a report: it is as by default.
pub(super) fn without_reading(options: Conversion) -> Conversion {
    options.decoding(mime_charset::Options::new())
}
