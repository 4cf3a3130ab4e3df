//! `convert`: archives to UTF-8.

use std::path::{Path, PathBuf};

use clap::Args;
use mime_charset_archive::{Convert, Event, Existing, Outcome};

use super::how::{Effort, How};
use super::interrupt::Interrupt;
use super::progress::Progress;
use super::summary::{COMPLAINTS, Summary};
use super::{End, Stop, complain, output};

#[derive(Args)]
pub(crate) struct Arguments {
    /// A message, a mailbox, a Maildir, one of these compressed, or a folder of them
    source: PathBuf,
    /// Where the same is to be in UTF-8: a file or folder that is not the source nor in it
    destination: PathBuf,
    /// Write what was decided and changed, message by message, as JSON Lines; the schema is
    /// schema/report.schema.json in the repository
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    #[command(flatten)]
    how: How,
    /// Replace files that are there already
    #[arg(long, conflicts_with = "resume")]
    force: bool,
    /// Go on where a run with the same arguments was interrupted
    #[arg(long)]
    resume: bool,
    /// Write nothing but the report
    #[arg(long, conflicts_with_all = ["force", "resume"])]
    dry_run: bool,
    #[command(flatten)]
    effort: Effort,
}

impl Arguments {
    fn conversion(&self) -> Convert {
        let existing = match (self.force, self.resume) {
            (true, _) => Existing::Replace,
            (_, true) => Existing::Resume,
            _ => Existing::Refuse,
        };
        let mut conversion = Convert::new(&self.source, &self.destination)
            .options(self.how.options())
            .existing(existing)
            .dry_run(self.dry_run);
        if let Some(path) = &self.report {
            conversion = conversion.report(path);
        }
        match self.effort.jobs {
            Some(jobs) => conversion.threads(jobs),
            None => conversion,
        }
    }
}

pub(crate) fn convert(arguments: &Arguments) -> Result<End, Stop> {
    are_files(&arguments.source, &arguments.destination)?;
    let interrupt = Interrupt::listen()?;
    let mut progress = Progress::new(arguments.effort.quiet);
    let mut complaints = 0;
    let outcome = arguments
        .conversion()
        .run(interrupt.flag(), |event| match event {
            Event::Progress(done) => progress.show(done),
            Event::Failed(sentence) if complaints < COMPLAINTS => {
                complaints += 1;
                progress.tell(sentence);
            }
            Event::Malformed(sentence) => {
                progress.finish();
                complain(sentence);
            }
            _ => {}
        });
    progress.finish();
    let outcome = outcome?;
    let end = match outcome.end {
        mime_charset_archive::End::Done => End::Done,
        mime_charset_archive::End::NothingLeft => {
            if !arguments.effort.quiet {
                let what = "nothing is left to do: the report says that all is converted";
                let _ = output::tell(&format!("{what}\n"));
            }
            return Ok(End::Done);
        }
        mime_charset_archive::End::Malformed => End::NotClean,
        mime_charset_archive::End::Cancelled => {
            complain(match (arguments.dry_run, arguments.force) {
                (true, _) => "interrupted",
                // Old files still block a run that replaces nothing.
                (_, true) => "interrupted; the same command begins anew",
                _ => "interrupted; --resume goes on",
            });
            return Ok(End::Interrupted);
        }
        _ => End::Failed,
    };
    if !arguments.effort.quiet {
        let summary = Summary(&outcome.summary);
        // Ignore a closed pipe.
        let _ = output::tell(&if arguments.dry_run {
            format!("dry run, nothing is written: {summary}")
        } else {
            summary.to_string()
        });
        if !matches!(end, End::Done) && !arguments.dry_run {
            complain(way_on(arguments, &end, &outcome));
        }
    }
    Ok(end)
}

/// Advice if not all is converted.
fn way_on(arguments: &Arguments, end: &End, outcome: &Outcome) -> &'static str {
    match end {
        _ if !outcome.has_results && outcome.is_in_the_way => {
            "nothing is converted; --force replaces what is there"
        }
        _ if !outcome.has_results => "nothing is converted",
        // The cause is in the mail, which stays as it is.
        End::NotClean => "not all is converted; another --on-malformed begins anew with --force",
        _ if arguments.force => {
            "not all is converted; once the cause is gone, the same command begins anew"
        }
        _ => "not all is converted; once the cause is gone, --resume goes on",
    }
}

/// A stream can be neither looked at twice nor written whole or not at all.
pub(super) fn are_files(source: &Path, destination: &Path) -> Result<(), Stop> {
    if [source, destination].contains(&Path::new("-")) {
        return Err(Stop::Sentence(
            "expected a file or a folder, found -: mail is converted from files to files, so save \
             what a pipe brings to a file first (./- is a file of that name)"
                .to_owned(),
        ));
    }
    Ok(())
}
