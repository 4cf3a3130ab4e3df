//! What a run is to do.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::thread;

use crate::archive::{Existing, Limits, Piece};
use crate::convert::Conversion;

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
    pub(super) share: Option<Share>,
}

/// What one of many processes does of a run.
#[derive(Debug, Clone)]
pub(super) struct Share {
    pub(super) name: String,
    pub(super) pieces: Vec<Piece>,
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
            share: None,
        }
    }

    /// How many messages are worked on at once.
    pub(super) fn workers(&self) -> NonZeroUsize {
        let cores = || thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        self.threads.unwrap_or_else(cores)
    }
}

/// How octets are read has no words in a report: it is as by default.
pub(super) fn without_reading(options: Conversion) -> Conversion {
    options.reading(crate::charset::Options::new())
}
