//! `convert`: converts archives to UTF-8.

use std::path::{Path, PathBuf};

use clap::Args;
use mime_charset_archive::{Convert, Error, Event, Existing, Outcome};

use super::interrupt::Interrupt;
use super::options::{ConversionArguments, FileSelection, RunArguments};
use super::progress::Progress;
use super::summary::{COMPLAINTS, Summary};
use super::{End, Stop, complain, output, report_csv};

#[derive(Args)]
pub(crate) struct Arguments {
    /// A message, a mailbox, a Maildir, one of these compressed, or a folder, zip file or tar file of
    /// them
    source: PathBuf,
    /// Where to write the result in UTF-8: a file or folder outside the source
    destination: PathBuf,
    /// Write all decisions and changes, message by message, as JSON Lines (schema:
    /// schema/report.schema.json in the repository); compressed if FILE ends in .gz or .zst
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// Also write the messages and files of the report as a table (CSV), for a spreadsheet
    #[arg(long, value_name = "FILE", requires = "report")]
    csv: Option<PathBuf>,
    #[command(flatten)]
    conversion: ConversionArguments,
    #[command(flatten)]
    files: FileSelection,
    /// Replace existing files
    #[arg(long, conflicts_with = "resume")]
    force: bool,
    /// Continue an interrupted run; only the selection of files may change
    #[arg(long)]
    resume: bool,
    /// Convert nothing: print the summary, and write the report if --report names one
    #[arg(long, conflicts_with_all = ["force", "resume"])]
    dry_run: bool,
    #[command(flatten)]
    run: RunArguments,
}

impl Arguments {
    fn conversion(&self) -> Result<Convert, Error> {
        let existing = match (self.force, self.resume) {
            (true, _) => Existing::Replace,
            (_, true) => Existing::Resume,
            _ => Existing::Refuse,
        };
        let mut conversion = Convert::new(&self.source, &self.destination)
            .options(self.conversion.options())
            .existing(existing)
            .selection(self.files.selection()?)
            .accept_unread(self.files.accepts_unread())
            .dry_run(self.dry_run)
            .threads(self.run.jobs);
        if let Some(path) = &self.report {
            conversion = conversion.report(path);
        }
        Ok(conversion)
    }
}

pub(crate) fn convert(arguments: &Arguments) -> Result<End, Stop> {
    are_files(&arguments.source, &arguments.destination)?;
    if let Some(file) = &arguments.csv {
        if !(arguments.force || arguments.resume) {
            output::is_free(file)?;
        }
        let result = Some(&arguments.destination).filter(|result| !result.is_dir());
        let others = [Some(&arguments.source), arguments.report.as_ref(), result];
        let others: Vec<_> = others.into_iter().flatten().map(PathBuf::as_path).collect();
        output::is_outside(file, &others)?;
        report_csv::check(file, &arguments.destination)?;
    }
    let interrupt = Interrupt::listen()?;
    let mut progress = Progress::new(arguments.run.quiet);
    let mut complaints = 0;
    let outcome = arguments
        .conversion()?
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
    if let (Some(report), Some(file)) = (&arguments.report, &arguments.csv)
        && outcome.has_results
        && outcome.end != mime_charset_archive::End::Cancelled
    {
        report_csv::check(file, &arguments.destination)?;
        report_csv::write(report, file)?;
    }
    let end = match outcome.end {
        mime_charset_archive::End::Done => End::Done,
        mime_charset_archive::End::NothingLeft => {
            if !arguments.run.quiet {
                let what = "nothing to do: the report is complete";
                let _ = output::tell(&format!("{what}\n"));
            }
            return Ok(End::Done);
        }
        mime_charset_archive::End::Malformed => End::NotClean,
        mime_charset_archive::End::Cancelled => {
            complain(match (arguments.dry_run, arguments.force) {
                (true, _) => "interrupted",
                // An interrupted run with --force left the old files, which block --resume.
                (_, true) => "interrupted; run the same command to start over",
                _ => "interrupted; continue with --resume",
            });
            return Ok(End::Interrupted);
        }
        _ => End::Failed,
    };
    if !arguments.run.quiet {
        let summary = Summary(&outcome.summary);
        // Ignore a closed pipe.
        let _ = output::tell(&if arguments.dry_run {
            format!("dry run, nothing was converted: {summary}")
        } else {
            summary.to_string()
        });
        if !matches!(end, End::Done) && !arguments.dry_run {
            complain(&advice(arguments, &end, &outcome));
        }
    }
    Ok(end)
}

/// Advice for an incomplete conversion.
fn advice(arguments: &Arguments, end: &End, outcome: &Outcome) -> String {
    if !outcome.has_results {
        let how = if outcome.is_in_the_way {
            "; --force replaces existing files"
        } else {
            ""
        };
        return format!("nothing converted{how}");
    }
    // A resumed run would meet the same malformed text.
    if matches!(end, End::NotClean) {
        let how = "to use another --on-malformed, start over with --force";
        return format!("conversion incomplete; {how}");
    }
    let left_out = if arguments.files.accepts_unread() {
        "--exclude"
    } else {
        "--exclude or --accept-unread"
    };
    let next = if arguments.force {
        "run the same command to start over"
    } else {
        "continue with --resume"
    };
    format!(
        "conversion incomplete; fix the cause, or leave the files out with {left_out}, then {next}"
    )
}

/// Streams are refused: they can be neither read twice nor written atomically.
pub(super) fn are_files(source: &Path, destination: &Path) -> Result<(), Stop> {
    if [source, destination].contains(&Path::new("-")) {
        return Err(Stop::Sentence(
            "expected a file or a folder, found -: save the input of a pipe to a file first (./- is a \
             file named -)"
                .to_owned(),
        ));
    }
    Ok(())
}
