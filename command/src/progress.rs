//! Progress of a run on a terminal.

use std::io::{self, IsTerminal};

use indicatif::{ProgressBar, ProgressStyle};

use super::complain;
use super::summary::counted;

/// A progress line on standard error, if that is a terminal.
pub(super) struct Progress {
    is_shown: bool,
    bar: Option<ProgressBar>,
}

impl Progress {
    pub(super) fn new(quiet: bool) -> Self {
        Progress {
            is_shown: !quiet && io::stderr().is_terminal(),
            bar: None,
        }
    }

    /// Shows the progress.
    pub(super) fn show(&mut self, done: &mime_charset_archive::Progress) {
        if !self.is_shown {
            return;
        }
        let bar = self.bar.get_or_insert_with(|| {
            let bar = ProgressBar::new(done.total_octets().unwrap_or_default());
            let template = "{bar:24} {msg}, {bytes} of {total_bytes}, {bytes_per_sec}, {eta} left";
            if let Ok(style) = ProgressStyle::with_template(template) {
                bar.set_style(style);
            }
            bar
        });
        bar.set_position(done.octets);
        let messages = counted(done.messages, "message");
        let problems = counted(done.problems, "problem");
        bar.set_message(format!("{messages}, {problems}"));
    }

    /// Prints a sentence above the progress line.
    pub(super) fn tell(&self, sentence: &str) {
        match &self.bar {
            Some(bar) => bar.suspend(|| complain(sentence)),
            None => complain(sentence),
        }
    }

    pub(super) fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
