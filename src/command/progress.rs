//! How far a run has come, on a terminal.

use std::io::{self, IsTerminal};
use std::path::Path;

use indicatif::{ProgressBar, ProgressStyle};
use mime_charset::archive;

use super::complain;
use super::summary::counted;

/// A line on standard error, where that is a terminal.
pub(super) struct Progress {
    bar: Option<ProgressBar>,
    messages: u64,
    problems: u64,
}

impl Progress {
    pub(super) fn new(sources: &[impl AsRef<Path>], quiet: bool) -> Self {
        let bar = (!quiet && io::stderr().is_terminal()).then(|| {
            let octets = sources
                .iter()
                .flat_map(|source| archive::files(source.as_ref()))
                .flatten()
                .filter_map(|file| file.metadata().ok())
                .map(|metadata| metadata.len())
                .sum();
            let bar = ProgressBar::new(octets);
            let template = "{bar:24} {msg}, {bytes} of {total_bytes}, {bytes_per_sec}, {eta} left";
            if let Ok(style) = ProgressStyle::with_template(template) {
                bar.set_style(style);
            }
            bar
        });
        Progress {
            bar,
            messages: 0,
            problems: 0,
        }
    }

    /// So much more is done, with so many things that a person should look at.
    pub(super) fn add(&mut self, messages: u64, octets: u64, problems: u64) {
        self.messages += messages;
        self.problems += problems;
        if let Some(bar) = &self.bar {
            bar.inc(octets);
            let messages = counted(self.messages, "message");
            bar.set_message(format!("{messages}, {}", counted(self.problems, "problem")));
        }
    }

    /// A sentence above the line.
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
