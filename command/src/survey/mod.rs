//! `survey`: shows the contents of an archive, or the results of a conversion.

mod page;
mod terminal;

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::env;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::SystemTime;

use clap::Args;
use mime_charset_archive::{Counts, Event, Limits, Subject, Survey, stream_as};
use serde::Serialize;

use super::interrupt::Interrupt;
use super::messages::{Input, LeftOut, no_mail, standard_input_failed};
use super::options::RunArguments;
use super::output::{self, is_free, is_outside};
use super::progress::Progress;
use super::summary::counted;
use super::{End, Output, Stop, complain};

#[derive(Args)]
pub(crate) struct Arguments {
    /// Print the numbers as one JSON object
    #[arg(long)]
    json: bool,
    /// Write an HTML page with plots and examples to FILE
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Replace an existing page
    #[arg(long, requires = "html")]
    force: bool,
    #[command(flatten)]
    input: Input,
    #[command(flatten)]
    run: RunArguments,
    /// Messages, mailboxes, Maildirs, any of these compressed; folders, zip files or tar files of
    /// them; or - for standard input. Standard input and named pipes are read to their end first, and
    /// then treated like files. Or a single report of a conversion
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
}

/// Surveys the report of a conversion, or an archive, which is read as by `convert`, on all cores.
pub(crate) fn survey(out: &mut Output, arguments: &Arguments) -> Result<End, Stop> {
    if let Some(file) = &arguments.html {
        let paths: Vec<_> = arguments.paths.iter().map(PathBuf::as_path).collect();
        is_outside(file, &paths)?;
        if !arguments.force {
            is_free(file)?;
        }
    }
    let interrupt = Interrupt::listen()?;
    let mut progress = Progress::new(arguments.run.quiet);
    let mut left_out = LeftOut::NOT_MAIL;
    let mut undelivered = LeftOut::UNDELIVERED;
    let mut end = End::Done;
    let observe = |event: Event<'_>| match event {
        Event::Progress(done) => progress.show(done),
        Event::Failed(sentence) => {
            end = End::Failed;
            progress.tell(sentence);
        }
        Event::Doubtful(sentence) => progress.tell(sentence),
        Event::NoMail(path) => left_out.add(path),
        Event::Undelivered(path) => undelivered.add(path),
        _ => {}
    };
    let counts = match report(&arguments.paths)? {
        Some(path) => mime_charset_archive::survey_report(path, interrupt.flag(), observe),
        None => Ok(prepared(arguments)?.run(interrupt.flag(), observe)),
    };
    progress.finish();
    let counts = counts?;
    if interrupt.flag().load(Ordering::Relaxed) {
        return Ok(End::Interrupted);
    }
    for sentence in [left_out, undelivered].iter().filter_map(LeftOut::sentence) {
        complain(&sentence);
    }
    if counts.messages == 0 && counts.files.is_empty() {
        complain(&no_mail(&arguments.paths));
    }
    let run = Run::now();
    if let Some(file) = &arguments.html {
        write_page(file, &page::page(&counts, &arguments.paths, &run))?;
    }
    if arguments.json {
        out.json(&SurveyJson {
            run: &run,
            counts: &counts,
        })?;
    } else if arguments.html.is_none() || !arguments.run.quiet {
        terminal::show(out, &counts)?;
    }
    Ok(end)
}

/// The run that made the survey.
#[derive(Serialize)]
struct Run {
    /// The program and its version.
    agent: &'static str,
    /// RFC 3339, in UTC.
    date: String,
    command: String,
}

#[derive(Serialize)]
struct SurveyJson<'s> {
    run: &'s Run,
    #[serde(flatten)]
    counts: &'s Counts,
}

impl Run {
    fn now() -> Self {
        let mut words = vec!["mime-charset".to_owned()];
        let arguments = env::args_os().skip(1);
        words.extend(arguments.map(|argument| quoted(&argument.to_string_lossy())));
        Run {
            agent: concat!("mime-charset ", env!("CARGO_PKG_VERSION")),
            date: humantime::format_rfc3339_seconds(SystemTime::now()).to_string(),
            command: words.join(" "),
        }
    }
}

/// Quotes an argument for a shell (POSIX.1-2017, Shell Command Language, section 2.2.2).
fn quoted(argument: &str) -> String {
    let is_plain = |octet: u8| octet.is_ascii_alphanumeric() || b"-_./=,:@%+".contains(&octet);
    if !argument.is_empty() && argument.bytes().all(is_plain) {
        return argument.to_owned();
    }
    format!("'{}'", argument.replace('\'', "'\\''"))
}

/// The path of a report to survey, if there is one.
fn report(paths: &[PathBuf]) -> Result<Option<&Path>, Stop> {
    let report = paths
        .iter()
        .find(|path| mime_charset_archive::is_report(path));
    match report {
        Some(report) if paths.len() > 1 => Err(Stop::Sentence(format!(
            "the report {} must be the only path",
            report.display()
        ))),
        report => Ok(report.map(PathBuf::as_path)),
    }
}

fn prepared(arguments: &Arguments) -> Result<Survey, Stop> {
    let standard_input = Path::new("-");
    let is_file = |path: &&PathBuf| *path != standard_input;
    let files: Vec<_> = arguments.paths.iter().filter(is_file).collect();
    let selection = arguments.input.read_as.selection();
    let mut survey = Survey::new(&files)
        .selection(selection.clone())
        .skip_deleted(arguments.input.skip_deleted)
        .threads(arguments.run.jobs);
    if files.len() < arguments.paths.len() {
        let stream = stream_as(
            io::stdin().lock(),
            standard_input,
            &selection,
            Limits::new(),
        )
        .map_err(|error| Stop::Sentence(standard_input_failed(&error)))?;
        survey = survey.stream(stream);
    }
    Ok(survey)
}

fn write_page(file: &Path, page: &str) -> Result<(), Stop> {
    output::create(file)
        .and_then(|mut target| target.write_all(page.as_bytes()))
        .map_err(|error| Stop::Sentence(format!("cannot write {}: {error}", file.display())))
}

/// The heading of a table, and the unit of its numbers.
fn heading(subject: Subject) -> (&'static str, &'static str) {
    match subject {
        Subject::Charsets => ("Charsets of text parts", "parts"),
        Subject::CharsetsAfter => ("Charsets of text parts after the conversion", "parts"),
        Subject::FieldCharsets => ("Charsets in header fields", "uses"),
        Subject::Labels => ("Labels and the charsets they were decoded in", "parts"),
        Subject::Sources => ("Sources of decisions", "parts"),
        Subject::Confidence => ("Confidence of guesses", "parts"),
        Subject::Findings => ("Findings", "findings"),
        Subject::Conversion => ("Effects of a conversion", "messages, fields or parts"),
        Subject::Programs => ("Programs that wrote the mail", "messages"),
        Subject::Years => ("Years", "messages"),
        Subject::Flags => ("Flags of the mail store", "messages"),
        Subject::StoreLabels => ("Labels of Gmail", "messages"),
        _ => ("Others", "of them"),
    }
}

/// The charsets of text parts before and after a conversion, most frequent first; empty without a
/// report.
fn before_and_after(counts: &Counts) -> Vec<(&str, u64, u64)> {
    if counts.summary.is_none() {
        return Vec::new();
    }
    let mut both: BTreeMap<&str, (u64, u64)> = BTreeMap::new();
    for (name, row) in counts.rows(Subject::Charsets) {
        both.entry(name).or_default().0 = row.count;
    }
    for (name, row) in counts.rows(Subject::CharsetsAfter) {
        both.entry(name).or_default().1 = row.count;
    }
    let mut both: Vec<_> = both
        .into_iter()
        .map(|(name, (a, b))| (name, a, b))
        .collect();
    both.sort_by_key(|&(_, before, after)| Reverse(before.max(after)));
    both
}

/// Summarizes the archive or the conversion in one line.
fn totals(counts: &Counts) -> String {
    let lost = format!("text lost in {}", counted(counts.losses, "place"));
    match &counts.summary {
        Some(summary) => format!("{summary}; {lost}"),
        None => format!(
            "{}, {}, {}, {}, {} of them text; {lost}",
            counted(counts.messages, "message"),
            counted(counts.octets, "octet"),
            counted(counts.fields, "field"),
            counted(counts.parts, "part"),
            counts.text_parts,
        ),
    }
}

/// The number of duplicate messages, in words; `None` if there are none.
fn duplicates(counts: &Counts) -> Option<String> {
    let found = &counts.duplicates;
    let limit = if found.is_complete {
        ""
    } else {
        ", compared only with the first 1,000,000 different messages"
    };
    (found.octets + found.message_ids > 0).then(|| {
        format!(
            "duplicates: {} identical to an earlier message, {} with the Message-ID of an earlier \
             message but other octets{limit}",
            found.octets, found.message_ids,
        )
    })
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn a_shell_reads_the_same_arguments() {
        assert_eq!(quoted("--html=a.html"), "--html=a.html");
        assert_eq!(quoted(""), "''");
        assert_eq!(quoted("it's *"), "'it'\\''s *'");
    }
}
