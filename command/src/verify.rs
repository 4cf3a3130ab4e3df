//! `verify`: proves that a conversion lost nothing.

use std::path::PathBuf;

use clap::Args;
use mime_charset_archive::{Error, Event, Proof, Verify};

use super::convert::are_files;
use super::interrupt::Interrupt;
use super::options::{ConversionArguments, FileSelection, RunArguments};
use super::progress::Progress;
use super::summary::counted;
use super::{End, Output, Stop, output};

#[derive(Args)]
pub(crate) struct Arguments {
    /// The source of the conversion
    source: PathBuf,
    /// The destination of the conversion
    destination: PathBuf,
    /// The report of the conversion, which has its options and changes; without it, the source is
    /// converted again with the conversion options given here
    #[arg(long, value_name = "FILE", conflicts_with = "ConversionArguments")]
    report: Option<PathBuf>,
    #[command(flatten)]
    conversion: ConversionArguments,
    #[command(flatten)]
    files: FileSelection,
    #[command(flatten)]
    run: RunArguments,
}

impl Arguments {
    fn comparison(&self) -> Result<Verify, Error> {
        let mut comparison = Verify::new(&self.source, &self.destination)
            .options(self.conversion.options())
            .selection(self.files.selection()?)
            .accept_unread(self.files.accepts_unread())
            .threads(self.run.jobs);
        if let Some(path) = &self.report {
            comparison = comparison.report(path);
        }
        Ok(comparison)
    }
}

pub(crate) fn verify(out: &mut Output, arguments: &Arguments) -> Result<End, Stop> {
    are_files(&arguments.source, &arguments.destination)?;
    let interrupt = Interrupt::listen()?;
    let mut progress = Progress::new(arguments.run.quiet);
    let mut stop = None;
    let mut failed = 0;
    let proof = arguments
        .comparison()?
        .run(interrupt.flag(), |event| match event {
            // Standard output is closed.
            _ if stop.is_some() => {}
            Event::Progress(done) => progress.show(done),
            Event::Failed(sentence) => {
                failed += 1;
                progress.tell(sentence);
            }
            Event::Mismatch(mismatch) => {
                if let Err(error) = out.line(&mismatch.to_string()) {
                    stop = Some(error);
                    interrupt.request();
                }
            }
            _ => {}
        });
    progress.finish();
    let proof = proof?;
    match stop {
        // Output is written only for mismatches, so there was a mismatch, and the exit status
        // reports it.
        Some(Stop::Closed) if failed == 0 => return Ok(End::NotClean),
        Some(Stop::Closed) => return Ok(End::Failed),
        Some(stop) => return Err(stop),
        None if proof.is_cancelled => return Ok(End::Interrupted),
        None => {}
    }
    if !arguments.run.quiet {
        // Ignore a closed pipe.
        let _ = output::tell(&(result(&proof) + "\n"));
    }
    Ok(match (proof.unread, proof.mismatches) {
        (0, 0) => End::Done,
        (0, _) => End::NotClean,
        _ => End::Failed,
    })
}

/// Formats the result as one line for people.
fn result(proof: &Proof) -> String {
    let read = counted(proof.unread, "file");
    let wrong = match proof.mismatches {
        1 => "1 mismatch".to_owned(),
        count => format!("{count} mismatches"),
    };
    match (proof.unread, proof.mismatches, proof.messages) {
        (0, 0, 0) => "nothing to prove: there are no messages".to_owned(),
        (0, 0, _) => format!("proved: {proof}"),
        (0, _, 0) => format!("nothing proved: {wrong}"),
        (0, _, _) => format!("not proved: {wrong}; correct: {proof}"),
        (_, _, 0) => format!("nothing proved: {read} could not be read"),
        _ => format!("not proved: {read} could not be read; correct: {proof}"),
    }
}
