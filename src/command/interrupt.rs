//! Ctrl-C and its like: a run ends behind the message it is at, and leaves no half file.

use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::Stop;

/// Whether somebody asked the run to end.
#[derive(Clone)]
pub(super) struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Listens to SIGINT, SIGTERM and SIGHUP. Who asks twice does not wait.
    pub(super) fn listen() -> Result<Self, Stop> {
        let asked = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&asked);
        ctrlc::set_handler(move || {
            if flag.swap(true, Ordering::Relaxed) {
                process::exit(130);
            }
        })
        .map_err(|error| Stop::Sentence(format!("cannot listen to signals: {error}")))?;
        Ok(Interrupt(asked))
    }

    pub(super) fn is_asked(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
