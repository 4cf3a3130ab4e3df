//! `survey`: what is in an archive, before it is converted and after.

mod counts;
mod look;
mod page;
mod terminal;

use std::collections::VecDeque;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use mime_charset::Message;
use mime_charset::archive::mbox::Stored;

use super::how::Effort;
use super::interrupt::Interrupt;
use super::messages::{Said, each_stored};
use super::pipeline::{self, Batch, Feed, Step, Stopped};
use super::progress::Progress;
use super::{End, Output, Stop};

use counts::Survey;

#[derive(Args)]
pub(crate) struct Arguments {
    /// Print the numbers as one JSON object
    #[arg(long)]
    json: bool,
    /// Write a page with plots and examples to FILE, which a browser shows
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    #[command(flatten)]
    effort: Effort,
    /// Messages, mailboxes, Maildirs, these compressed, folders of them, or - for standard
    /// input, read as a file would be
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
}

/// Why a survey ended early.
enum Halt {
    Interrupted,
}

/// Messages of one file.
struct Batched {
    path: Arc<str>,
    messages: VecDeque<Stored>,
}

/// Reads the archive as `convert` would, on all cores, and shows what is in it.
pub(crate) fn survey(out: &mut Output, arguments: &Arguments) -> Result<End, Stop> {
    let interrupt = Interrupt::listen()?;
    let mut progress = Progress::new(&arguments.paths, arguments.effort.quiet);
    let mut survey = Survey::default();
    let mut end = End::Done;
    let run = pipeline::run(
        arguments.effort.workers(),
        |feed: &Feed<'_, Said, Batched, Survey>| {
            // Whoever adds up has said why nobody wants more.
            let _ = read(feed, &arguments.paths, &interrupt);
        },
        |batch: Batched| {
            let mut counted = Survey::default();
            for stored in &batch.messages {
                let octets = stored.message();
                let message = Message::parse(&octets);
                look::count(&mut counted, &batch.path, stored.ordinal(), &message);
            }
            counted
        },
        |step| {
            match step {
                Step::Done(counted) => {
                    progress.add(counted.messages, counted.octets, counted.losses);
                    survey.merge(counted);
                }
                Step::Note(Said::Failure(sentence)) => {
                    end = End::Failed;
                    progress.tell(&sentence);
                }
                Step::Note(Said::LeftOut(sentence)) => progress.tell(&sentence),
            }
            if interrupt.is_asked() {
                return Err(Halt::Interrupted);
            }
            Ok(())
        },
    );
    progress.finish();
    if let Err(Halt::Interrupted) = run {
        return Ok(End::Interrupted);
    }
    if let Some(file) = &arguments.html {
        write_page(file, &page::page(&survey, &arguments.paths))?;
    }
    if arguments.json {
        out.json(&survey)?;
    } else if arguments.html.is_none() || !arguments.effort.quiet {
        terminal::show(out, &survey)?;
    }
    Ok(end)
}

fn read(
    feed: &Feed<'_, Said, Batched, Survey>,
    paths: &[PathBuf],
    interrupt: &Interrupt,
) -> Result<(), Stopped> {
    let mut batch = Batch::new();
    let mut at: Option<Arc<str>> = None;
    let send = |path: &Arc<str>, (messages, octets)| {
        let path = Arc::clone(path);
        feed.work(Batched { path, messages }, octets)
    };
    each_stored(
        paths,
        |said| feed.note(said),
        |path, stored| {
            if interrupt.is_asked() {
                return Err(Stopped);
            }
            if let Some(before) = at.replace(Arc::clone(path))
                && !Arc::ptr_eq(&before, path)
            {
                send(&before, batch.take())?;
            }
            let octets = stored.octets().len();
            match batch.add(stored, octets) {
                Some(full) => send(path, full),
                None => Ok(()),
            }
        },
    )?;
    match &at {
        Some(path) => send(path, batch.take()),
        None => Ok(()),
    }
}

fn write_page(file: &Path, page: &str) -> Result<(), Stop> {
    fs::write(file, page)
        .map_err(|error| Stop::Sentence(format!("cannot write {}: {error}", file.display())))
}
