//! `convert`: archives to UTF-8.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::ffi::OsStr;
use std::fmt;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use clap::Args;
use mime_charset::archive::mbox::{self, Dialect, Stored};
use mime_charset::archive::{
    self, Destination, Draft, Existing, Format, Layout, Limits, MailSource,
};
use mime_charset::convert::{self, Conversion};
use serde_json::{Value, json};

use super::how::{Effort, How};
use super::interrupt::Interrupt;
use super::pipeline::{self, Batch, Feed, Step, Stopped};
use super::progress::Progress;
use super::report::{self, Left, Line, NewLength, Paths, Report, Stretch, Told};
use super::summary::{COMPLAINTS, Tally};
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

pub(crate) fn convert(arguments: &Arguments) -> Result<End, Stop> {
    are_files(&arguments.source, &arguments.destination)?;
    let layout = Layout::new(&arguments.source, &arguments.destination)?;
    let interrupt = Interrupt::listen()?;
    let options = arguments.how.options();
    let (destination, mut report) = begin(arguments, &layout)?;
    let destination = destination.map(Mutex::new);
    let left = report.as_mut().and_then(Report::left);
    let mut writer = Writer {
        layout: &layout,
        destination: destination.as_ref(),
        report,
        progress: Progress::new(&[&arguments.source], arguments.effort.quiet),
        target: None,
        place: PathBuf::new(),
        file: Tally::default(),
        run: Tally::default(),
        complaints: 0,
        is_in_the_way: false,
        interrupt: interrupt.clone(),
    };
    let has_report = arguments.report.is_some();
    let rooms = Rooms::default();
    let end = pipeline::run(
        arguments.effort.workers(),
        |feed: &Feed<'_, Note, Batched, Made>| {
            // Whoever writes has said why nobody wants more.
            let _ = read(
                feed,
                &arguments.source,
                destination.as_ref(),
                left,
                &interrupt,
            );
        },
        |batch: Batched| {
            let place = || layout.shown(&layout.place(batch.source.relative()));
            let told = has_report.then(|| Paths::new(&batch.source, &place()));
            let mut made = Made::new(rooms.take());
            for stored in batch.messages {
                made.add(&batch.source, &stored, &options, told.as_ref());
                if made.failure.is_some() {
                    break;
                }
            }
            made
        },
        |step| writer.write(step, &rooms),
    );
    let Writer {
        mut report,
        progress,
        target,
        run,
        is_in_the_way,
        ..
    } = writer;
    progress.finish();
    // What is not whole goes before anything is said.
    drop(target);
    let (is_done, outcome, end) = match end {
        Ok(()) => match run.has("failed") {
            true => (false, "fail", End::Failed),
            false if run.problems() > 0 => (true, "warning", End::Done),
            false => (true, "success", End::Done),
        },
        Err(Halt::Malformed(sentence)) => {
            complain(&sentence);
            if let Some(report) = &mut report {
                report.abandon()?;
                let record = report::file_record(None, "failed", &sentence);
                report.line(&record)?;
                report.keep()?;
            }
            (false, "fail", End::NotClean)
        }
        Err(Halt::Interrupted) => {
            complain(match (arguments.dry_run, arguments.force) {
                (true, _) => "interrupted",
                // What was there before is still in the way of a run that replaces nothing.
                (_, true) => "interrupted; the same command begins anew",
                _ => "interrupted; --resume goes on",
            });
            return Ok(End::Interrupted);
        }
        Err(Halt::Stop(stop)) => {
            discard(report, destination)?;
            return Err(stop);
        }
    };
    let is_dry = arguments.dry_run;
    let has_results = finish(report, destination, &run, outcome, is_done)?;
    if !arguments.effort.quiet {
        // Where nobody reads it there is nobody to tell.
        let _ = output::tell(&if is_dry {
            format!("dry run, nothing is written: {run}")
        } else {
            run.to_string()
        });
        if !is_done && !is_dry {
            complain(way_on(arguments, &end, has_results, is_in_the_way));
        }
    }
    Ok(end)
}

/// What to do once not all is converted.
fn way_on(
    arguments: &Arguments,
    end: &End,
    has_results: bool,
    is_in_the_way: bool,
) -> &'static str {
    match end {
        _ if !has_results && is_in_the_way => {
            "nothing is converted; --force replaces what is there"
        }
        _ if !has_results => "nothing is converted",
        // The cause is in the mail, which is nobody's to repair.
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

/// Leaves nothing of a run that has written nothing.
fn discard(report: Option<Report>, destination: Option<Mutex<Destination>>) -> Result<(), Stop> {
    let Some(destination) = destination else {
        return Ok(());
    };
    let destination = destination
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner);
    if destination.has_results() {
        return Ok(());
    }
    if let Some(report) = report {
        let leftover = report.leftover();
        drop(report);
        // It may be in a folder that was made for the results.
        let _ = fs::remove_file(leftover);
    }
    Ok(destination.abandon()?)
}

/// Opens what is to be written, where it may be.
fn begin(
    arguments: &Arguments,
    layout: &Layout,
) -> Result<(Option<Destination>, Option<Report>), Stop> {
    let first = report::run_record(
        &arguments.source,
        &arguments.destination,
        arguments.dry_run,
        &arguments.how.to_json(),
    );
    let path = arguments.report.as_deref();
    let part = path.map(report::part_of);
    let places = path.into_iter().chain(part.as_deref());
    let real: Vec<_> = places
        .clone()
        .map(|place| check_report(place, layout))
        .collect::<Result<_, _>>()?;
    let is_there = |place: &&Path| {
        let is_dry = Some(*place) == path && report::is_of_dry_run(place);
        fs::symlink_metadata(place).is_ok() && !is_dry
    };
    let refuse = |place: &Path| {
        let shown = place.display();
        Err(Stop::Sentence(format!(
            "{shown} is there already; --resume goes on with a run that was interrupted, --force \
             replaces it"
        )))
    };
    if arguments.dry_run {
        if let Some(path) = path.filter(is_there) {
            return refuse(path);
        }
        let report = path.map(|path| Report::trial(path, &first));
        return Ok((None, report.transpose()?));
    }
    if !(arguments.force || arguments.resume)
        && let Some(place) = places.clone().find(is_there)
    {
        return refuse(place);
    }
    let mut destination = open_destination(arguments)?;
    let goes_on = destination.goes_on();
    let is_ours = |place: &&Path| {
        // What a crash has left of an unfinished report may begin with anything.
        goes_on && (Some(*place) != path || report::begins_with(place, &first))
    };
    if arguments.resume
        && let Some(place) = places.filter(is_there).find(|place| !is_ours(place))
    {
        destination.abandon()?;
        return refuse(place);
    }
    for place in real {
        destination.leave(place);
    }
    let existing = match (arguments.force, goes_on) {
        (true, _) => Existing::Replace,
        (_, true) => Existing::Resume,
        _ => Existing::Refuse,
    };
    let report = path.map(|path| Report::open(path, existing, &first));
    match report.transpose() {
        Ok(report) => Ok((Some(destination), report)),
        Err(stop) => {
            destination.abandon()?;
            Err(stop)
        }
    }
}

/// The report first, then the journal: killed in between, a run can be taken up again. `false` if
/// there was nothing to take up, and nothing is left of the run.
fn finish(
    report: Option<Report>,
    destination: Option<Mutex<Destination>>,
    run: &Tally,
    outcome: &str,
    is_done: bool,
) -> Result<bool, Stop> {
    let is_dry = destination.is_none();
    let has_results = destination
        .as_ref()
        .is_none_or(|destination| locked(destination).has_results());
    if !(is_done || has_results) {
        discard(report, destination)?;
        return Ok(false);
    }
    let leftover = report.as_ref().map(Report::leftover);
    if let Some(report) = report {
        let last = if is_dry {
            report::dry_run_record(outcome, run)
        } else {
            report::event_record(outcome, run)
        };
        report.finish(&last, is_done || is_dry)?;
    }
    if let Some(destination) = destination.filter(|_| is_done) {
        destination
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner)
            .finish()?;
    }
    if let Some(leftover) = leftover.filter(|_| is_done || is_dry) {
        // Gone already where it has become the report.
        let _ = fs::remove_file(leftover);
    }
    Ok(true)
}

/// The path of the report, or of its lines while it is not finished, without links, if it may be
/// there.
fn check_report(path: &Path, layout: &Layout) -> Result<PathBuf, Stop> {
    let shown = path.display();
    if layout.is_source(path) {
        return Err(Stop::Sentence(format!(
            "expected a report outside of the source, found {shown}"
        )));
    }
    if layout.is_destination(path) {
        return Err(Stop::Sentence(format!(
            "expected another place for the report than the destination, found {shown}"
        )));
    }
    // Those are of results and journals that are not finished.
    let is_hidden = |name: &OsStr| name.as_encoded_bytes().starts_with(b".mime-charset-");
    if path.file_name().is_some_and(is_hidden) {
        return Err(Stop::Sentence(format!(
            "expected another name for the report than those of unfinished files, found {shown}"
        )));
    }
    let folder = path.parent().filter(|folder| *folder != Path::new(""));
    match (
        folder.unwrap_or(Path::new(".")).canonicalize(),
        path.file_name(),
    ) {
        (Ok(folder), Some(name)) => Ok(folder.join(name)),
        (Ok(_), None) => Err(Stop::Sentence(format!("expected a file, found {shown}"))),
        (Err(error), _) => Err(Stop::Sentence(format!("cannot write {shown}: {error}"))),
    }
}

fn open_destination(arguments: &Arguments) -> Result<Destination, Stop> {
    let existing = match (arguments.force, arguments.resume) {
        (true, _) => Existing::Replace,
        (_, true) => Existing::Resume,
        _ => Existing::Refuse,
    };
    Ok(Destination::new(
        &arguments.source,
        &arguments.destination,
        existing,
        &settings(arguments),
    )?)
}

/// What a run that goes on has to have in common with the one it takes up, line by line.
fn settings(arguments: &Arguments) -> String {
    let mut lines = vec![format!("version={}", env!("CARGO_PKG_VERSION"))];
    for (name, value) in arguments.how.to_json().as_object().into_iter().flatten() {
        lines.push(match value.as_str() {
            Some(value) => format!("--{name}={value}"),
            None => format!("--{name}={value}"),
        });
    }
    if let Some(report) = &arguments.report {
        // It has the paths as they were named.
        for (name, path) in [
            ("--report", report),
            ("SOURCE", &arguments.source),
            ("DESTINATION", &arguments.destination),
        ] {
            // With its line ends written out.
            lines.push(format!("{name}={}", Value::from(path.to_string_lossy())));
        }
    }
    lines.join("\n")
}

/// What is said of the sources between their messages.
enum Note {
    Begin(Arc<MailSource>),
    End(Arc<MailSource>, Result<(), mime_charset::Error>),
    /// Done by a run that was interrupted.
    Resumed(Arc<MailSource>, Done),
    Maildir(PathBuf),
    /// Neither mail nor a folder of it, and whether it was asked for by its name.
    NoMail(Arc<MailSource>, bool),
    Failed(mime_charset::Error),
    Interrupted,
}

/// What a run notes of a source for one that goes on.
struct Done {
    /// Where its lines are in the report, if there is one.
    report: Option<Stretch>,
    tally: Tally,
}

impl Done {
    fn note(report: Option<&Stretch>, tally: &Tally) -> String {
        let report = report.map(Stretch::to_json);
        json!({ "report": report, "tally": tally.to_json() }).to_string()
    }

    fn read(note: &str) -> Option<Done> {
        let note: Value = serde_json::from_str(note).ok()?;
        Some(Done {
            report: Stretch::from_json(note.get("report")?),
            tally: Tally::from_json(note.get("tally")?)?,
        })
    }
}

struct Batched {
    source: Arc<MailSource>,
    messages: VecDeque<Stored>,
}

/// Messages that only have to be written.
struct Made {
    /// All of them, as they are going to be stored.
    stored: mbox::Writer<Vec<u8>>,
    /// Their lines in the report, if there is one, with the places of the messages in `stored`.
    lines: Vec<u8>,
    told: Vec<(Line, u64)>,
    tally: Tally,
    /// Why one of them stopped the run.
    failure: Option<String>,
}

/// The memory of what has been written, for what is made next.
#[derive(Default)]
struct Rooms(Mutex<Vec<Room>>);

#[derive(Default)]
struct Room {
    stored: Vec<u8>,
    lines: Vec<u8>,
}

impl Rooms {
    /// What a long message took is not kept.
    const LARGEST: usize = 2 << 20;

    fn take(&self) -> Room {
        let mut rooms = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        rooms.pop().unwrap_or_default()
    }

    fn give_back(&self, mut room: Room) {
        room.stored.clear();
        room.lines.clear();
        if room.stored.capacity() + room.lines.capacity() <= Self::LARGEST {
            let mut rooms = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            rooms.push(room);
        }
    }
}

/// Reads the sources and their messages.
fn read(
    feed: &Feed<'_, Note, Batched, Made>,
    path: &Path,
    destination: Option<&Mutex<Destination>>,
    mut left: Option<Left>,
    interrupt: &Interrupt,
) -> Result<(), Stopped> {
    for source in archive::sources(path, Limits::new()) {
        if interrupt.is_asked() {
            return feed.note(Note::Interrupted);
        }
        let source = match source {
            Ok(source) => Arc::new(source),
            Err(error) => {
                feed.note(Note::Failed(error))?;
                continue;
            }
        };
        match source.format() {
            Format::Maildir => {
                feed.note(Note::Maildir(source.relative().to_path_buf()))?;
                continue;
            }
            Format::Other => {
                let is_named = source.path() == path;
                feed.note(Note::NoMail(source, is_named))?;
                continue;
            }
            _ => {}
        }
        let done = destination
            .and_then(|destination| Done::read(locked(destination).done(source.relative())?));
        // A crash of the machine may have taken some of the report.
        let done = done.filter(|done| {
            let stretch = done.report.as_ref();
            let has = |left: &mut Left| stretch.is_some_and(|stretch| left.has(stretch));
            left.as_mut().is_none_or(has)
        });
        if let Some(done) = done {
            feed.note(Note::Resumed(source, done))?;
            continue;
        }
        feed.note(Note::Begin(Arc::clone(&source)))?;
        let end = match source.messages() {
            Ok(messages) => read_messages(feed, &source, messages, interrupt)?,
            Err(error) => Err(error),
        };
        feed.note(Note::End(source, end))?;
    }
    Ok(())
}

fn read_messages(
    feed: &Feed<'_, Note, Batched, Made>,
    source: &Arc<MailSource>,
    messages: archive::Messages,
    interrupt: &Interrupt,
) -> Result<Result<(), mime_charset::Error>, Stopped> {
    let mut batch = Batch::new();
    let send = |(messages, octets)| {
        let source = Arc::clone(source);
        feed.work(Batched { source, messages }, octets)
    };
    for stored in messages {
        if interrupt.is_asked() {
            feed.note(Note::Interrupted)?;
            return Err(Stopped);
        }
        let stored = match stored {
            Ok(stored) => stored,
            // The file is not going to be written, whatever else is in it.
            Err(error) => return Ok(Err(error)),
        };
        let octets = stored.octets().len();
        if let Some(full) = batch.add(stored, octets) {
            send(full)?;
        }
    }
    send(batch.take())?;
    Ok(Ok(()))
}

impl Made {
    fn new(room: Room) -> Self {
        Made {
            stored: mbox::Writer::new(room.stored),
            lines: room.lines,
            told: Vec::new(),
            tally: Tally::default(),
            failure: None,
        }
    }

    /// Converts one message. `told` is where it is and is going to be, if there is a report.
    fn add(
        &mut self,
        source: &MailSource,
        stored: &Stored,
        options: &Conversion,
        told: Option<&Paths>,
    ) {
        let message = stored.message();
        let converted = convert::convert(&message, options);
        let place = Place(source, stored);
        if let Some(failure) = converted.failure() {
            self.failure = Some(format!("{place}: {failure}"));
            return;
        }
        self.tally
            .message(&place, stored.octets().len(), &converted);
        let (result, length) = stored_form(source, stored, converted.as_bytes());
        let was = stored.octets().get(stored.entry().message());
        // Writing to memory does not fail.
        let Ok(place) = self.stored.write_quoted(stored, &result) else {
            return;
        };
        if let Some(paths) = told {
            let line = Line::add(
                &mut self.lines,
                &Told {
                    stored,
                    message: &message,
                    converted: &converted,
                    length: length.as_ref(),
                    result: &result,
                    is_same: was == Some(&*result),
                    paths,
                },
            );
            self.told.push((line, place.start));
        }
    }
}

/// A message as it is stored at the destination: quoted in a mailbox, and with a
/// Content-Length that still is right if it was right before.
pub(super) fn stored_form<'m>(
    source: &MailSource,
    stored: &Stored,
    message: &'m [u8],
) -> (Cow<'m, [u8]>, Option<NewLength>) {
    if source.format() != Format::Mbox {
        return (Cow::Borrowed(message), None);
    }
    let quoted = mbox::quote(message);
    let dialect = stored.entry().dialect();
    let was_right = matches!(dialect, Dialect::Mboxcl | Dialect::Mboxcl2);
    if was_right
        && let Some((_, octets)) = mbox::right_length(&quoted)
        && let Some((digits, _)) = mbox::content_length(message)
        && let Some((before, _)) = mbox::content_length(&stored.message())
    {
        let number = octets.to_string();
        let mut changed = message.get(..digits.start).unwrap_or_default().to_vec();
        changed.extend_from_slice(number.as_bytes());
        changed.extend_from_slice(message.get(digits.end..).unwrap_or_default());
        let after = digits.start..digits.start + number.len();
        let changed = mbox::quote(&changed).into_owned();
        return (Cow::Owned(changed), Some(NewLength { before, after }));
    }
    (quoted, None)
}

/// A message in what is said to people.
pub(super) struct Place<'s>(pub(super) &'s MailSource, pub(super) &'s Stored);

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)?;
        f.write_str(&number(self.0, self.1.ordinal()))
    }
}

/// What stands behind the path of a source for one of its messages: nothing for the first, as
/// wherever messages are listed.
pub(super) fn number(source: &MailSource, ordinal: u64) -> String {
    if source.format() == Format::Mbox && ordinal > 0 {
        format!("#{ordinal}")
    } else {
        String::new()
    }
}

/// Why a run ends early.
enum Halt {
    Malformed(String),
    Interrupted,
    Stop(Stop),
}

impl<E: Into<Stop>> From<E> for Halt {
    fn from(stop: E) -> Self {
        Halt::Stop(stop.into())
    }
}

/// Writes what the others have made.
struct Writer<'r> {
    layout: &'r Layout,
    /// `None` if only the report is to be written.
    destination: Option<&'r Mutex<Destination>>,
    report: Option<Report>,
    progress: Progress,
    target: Option<mbox::Writer<Target>>,
    /// Where the file at hand is going to be.
    place: PathBuf,
    /// What the file at hand comes to, and all of them.
    file: Tally,
    run: Tally,
    complaints: u64,
    /// Whether a file that was there before is in the place of a result.
    is_in_the_way: bool,
    interrupt: Interrupt,
}

/// A file of the destination, or nothing.
enum Target {
    Draft(Box<Draft>),
    Dry,
}

impl Write for Target {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        match self {
            Target::Draft(draft) => draft.write(octets),
            Target::Dry => Ok(octets.len()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Target::Draft(draft) => draft.flush(),
            Target::Dry => Ok(()),
        }
    }
}

impl Writer<'_> {
    fn write(&mut self, step: Step<Note, Made>, rooms: &Rooms) -> Result<(), Halt> {
        if self.interrupt.is_asked() {
            return Err(Halt::Interrupted);
        }
        match step {
            Step::Done(made) => self.messages(made, rooms),
            Step::Note(note) => self.note(note),
        }
    }

    fn messages(&mut self, made: Made, rooms: &Rooms) -> Result<(), Halt> {
        // A file that could not be begun.
        let Some(target) = &mut self.target else {
            return Ok(());
        };
        let written = target.append(&made.stored).map_err(|error| {
            let place = self.layout.shown(&self.place);
            Stop::Sentence(format!("cannot write {}: {error}", place.display()))
        });
        let start = written?;
        if let Some(report) = &mut self.report {
            for (line, place) in &made.told {
                report.message(&made.lines, line, start + place)?;
            }
        }
        if let Some(failure) = made.failure {
            return Err(Halt::Malformed(failure));
        }
        let tally = made.tally;
        self.progress
            .add(tally.messages, tally.octets, tally.problems());
        self.file.add(tally);
        rooms.give_back(Room {
            stored: made.stored.into_inner(),
            lines: made.lines,
        });
        Ok(())
    }

    fn note(&mut self, note: Note) -> Result<(), Halt> {
        match note {
            Note::Begin(source) => self.begin(&source),
            Note::End(source, end) => self.end(&source, end),
            Note::Resumed(source, done) => {
                self.resumed(&source, done);
                Ok(())
            }
            Note::Maildir(relative) => match self.destination {
                Some(destination) => Ok(locked(destination).maildir(&relative)?),
                None => Ok(()),
            },
            Note::NoMail(source, true) => {
                let sentence = format!("expected mail, found something else: {source}");
                self.missing(Some(&source.to_string()), "failed", &sentence)
            }
            Note::NoMail(source, false) => {
                let sentence = source.to_string();
                self.missing(Some(&sentence), "no-mail", &sentence)
            }
            Note::Failed(error) => self.missing(None, "failed", &error.to_string()),
            Note::Interrupted => Err(Halt::Interrupted),
        }
    }

    fn begin(&mut self, source: &MailSource) -> Result<(), Halt> {
        self.file = Tally::default();
        self.place = self.layout.place(source.relative());
        let Some(destination) = self.destination else {
            self.target = Some(mbox::Writer::new(Target::Dry));
            return Ok(());
        };
        match locked(destination).create(source.relative()) {
            Ok(draft) => {
                let target = Target::Draft(Box::new(draft));
                self.target = Some(mbox::Writer::new(target));
                Ok(())
            }
            // What is there already is one file's affair, anything else everyone's.
            Err(error) => match fs::symlink_metadata(&self.place) {
                Ok(there) => {
                    self.is_in_the_way |= !there.is_dir();
                    let sentence = format!("cannot convert {source}: {error}");
                    self.missing(Some(&source.to_string()), "failed", &sentence)
                }
                Err(_) => Err(error.into()),
            },
        }
    }

    fn end(
        &mut self,
        source: &MailSource,
        end: Result<(), mime_charset::Error>,
    ) -> Result<(), Halt> {
        let Some(target) = self.target.take() else {
            return Ok(());
        };
        let mut tally = std::mem::take(&mut self.file);
        if let Err(error) = end {
            drop(target);
            if let Some(report) = &mut self.report {
                report.abandon()?;
            }
            return self.missing(Some(&source.to_string()), "failed", &error.to_string());
        }
        let mut target = target.into_inner();
        if let (Target::Draft(draft), Some(destination)) = (&mut target, self.destination)
            && let Err(error) = draft.check(&locked(destination))
        {
            if let Some(report) = &mut self.report {
                report.abandon()?;
            }
            let sentence = format!("cannot convert {source}: {error}");
            return self.missing(Some(&source.to_string()), "failed", &sentence);
        }
        tally.files = 1;
        let stretch = self.report.as_mut().map(Report::keep).transpose()?;
        if let (Target::Draft(draft), Some(destination)) = (target, self.destination) {
            let note = Done::note(stretch.as_ref(), &tally);
            // A message was delivered when its file was written; a mailbox says it itself.
            let time = source
                .modified()
                .filter(|_| source.format() == Format::Message);
            draft.keep_with_time(&mut locked(destination), &note, time)?;
        }
        self.run.add(tally);
        Ok(())
    }

    fn resumed(&mut self, source: &MailSource, done: Done) {
        let Done { report, tally } = done;
        if let (Some(lines), Some(stretch)) = (&mut self.report, report) {
            lines.take_up(stretch);
        }
        if let Some(destination) = self.destination {
            locked(destination).leave(self.layout.place(source.relative()));
        }
        self.progress
            .add(tally.messages, tally.octets, tally.problems());
        self.run.add(tally);
    }

    /// A file of which nothing is going to be at the destination.
    fn missing(
        &mut self,
        path: Option<&str>,
        outcome: &'static str,
        sentence: &str,
    ) -> Result<(), Halt> {
        if outcome == "failed" && self.complaints < COMPLAINTS {
            self.complaints += 1;
            self.progress.tell(sentence);
        }
        self.run.missing(outcome, sentence);
        self.progress.add(0, 0, 1);
        if let Some(report) = &mut self.report {
            report.line(&report::file_record(path, outcome, sentence))?;
            report.keep()?;
        }
        Ok(())
    }
}

fn locked(destination: &Mutex<Destination>) -> MutexGuard<'_, Destination> {
    destination.lock().unwrap_or_else(PoisonError::into_inner)
}
