//! Handles Ctrl-C and other signals: a run ends after the current message and leaves no incomplete
//! file.

use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::Stop;

/// The flag that cancels a run.
pub(super) struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Handles SIGINT, SIGTERM and SIGHUP. A second signal exits at once.
    pub(super) fn listen() -> Result<Self, Stop> {
        let interrupted = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&interrupted);
        ctrlc::set_handler(move || {
            if flag.swap(true, Ordering::Relaxed) {
                process::exit(130);
            }
        })
        .map_err(|error| Stop::Sentence(format!("cannot handle signals: {error}")))?;
        Ok(Interrupt(interrupted))
    }

    /// The flag that cancels a run.
    pub(super) fn flag(&self) -> &AtomicBool {
        &self.0
    }

    /// Requests the run to end.
    pub(super) fn request(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
