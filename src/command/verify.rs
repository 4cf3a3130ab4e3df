//! `verify`: the proof that a conversion lost nothing.
//!
//! Source and destination are read anew and message for message. What may differ is what the
//! report says, or, without one, what converting the source again would change; whether it
//! says the same is for [`mime_charset::convert::verify`] to judge, which does not ask the
//! conversion.

use std::collections::{HashSet, VecDeque};
use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use mime_charset::archive::mbox::{self, Dialect, Stored};
use mime_charset::archive::{self, Format, Layout, Limits, MailSource};
use mime_charset::convert::{self, Conversion};

use super::convert::{are_files, number, stored_form};
use super::how::{Effort, How};
use super::interrupt::Interrupt;
use super::pipeline::{self, Batch, Feed, Step, Stopped};
use super::progress::Progress;
use super::records::{Record, Records};
use super::report::sha256;
use super::summary::counted;
use super::{End, Output, Stop, output};

#[derive(Args)]
pub(crate) struct Arguments {
    /// What was converted
    source: PathBuf,
    /// Where it was converted to
    destination: PathBuf,
    /// The report of the conversion, which says what was changed and how; without it, the
    /// source is converted once more, as these options say
    #[arg(long, value_name = "FILE", conflicts_with = "How")]
    report: Option<PathBuf>,
    #[command(flatten)]
    how: How,
    #[command(flatten)]
    effort: Effort,
}

pub(crate) fn verify(out: &mut Output, arguments: &Arguments) -> Result<End, Stop> {
    are_files(&arguments.source, &arguments.destination)?;
    let layout = Layout::new(&arguments.source, &arguments.destination)?;
    let interrupt = Interrupt::listen()?;
    let is_one = !(arguments.source.is_dir() || layout.is_zip());
    let records = arguments.report.as_deref();
    let records = records
        .map(|path| Records::open(path, is_one))
        .transpose()?;
    let options = match &records {
        Some(records) => records.options,
        None => arguments.how.options(),
    };
    let mut verifier = Verifier {
        out,
        layout: &layout,
        options,
        progress: Progress::new(&[&arguments.source], arguments.effort.quiet),
        proved: Proved::default(),
        first: None,
        damaged: 0,
        failed: 0,
    };
    let end = pipeline::run(
        arguments.effort.workers(),
        |feed: &Feed<'_, Note, VecDeque<Pair>, Vec<Checked>>| {
            let mut reader = Reader {
                feed,
                arguments,
                layout: &layout,
                is_one,
                records,
                places: HashSet::new(),
                is_unread: false,
                interrupt,
            };
            // Whoever writes has said why nobody wants more, or there is no more.
            let _ = reader.read();
        },
        |pairs| pairs.iter().map(|pair| pair.check(&options)).collect(),
        |step| verifier.take(step),
    );
    verifier.progress.finish();
    match end {
        Ok(()) => {}
        Err(Halt::Interrupted) => return Ok(End::Interrupted),
        // Nothing is printed but what does not hold, which the status has to say all the same.
        Err(Halt::Stop(Stop::Closed)) if verifier.failed == 0 => return Ok(End::NotClean),
        Err(Halt::Stop(Stop::Closed)) => return Ok(End::Failed),
        Err(Halt::Stop(stop)) => return Err(stop),
    }
    let Verifier {
        proved,
        damaged,
        failed,
        ..
    } = verifier;
    if !arguments.effort.quiet {
        let (read, held) = (counted(failed, "file"), counted(damaged, "file"));
        let what = match (failed, damaged, proved.messages) {
            (0, 0, 0) => "nothing to prove: there are no messages".to_owned(),
            (0, 0, _) => format!("proved: {proved}"),
            (0, 1, 0) => format!("nothing is proved: {held} is not as it has to be"),
            (0, _, 0) => format!("nothing is proved: {held} are not as they have to be"),
            (0, _, _) => format!("proved but for {held}: {proved}"),
            (_, _, 0) => format!("nothing is proved: {read} could not be read"),
            _ => format!("not proved, {read} could not be read: {proved}"),
        };
        // Where nobody reads it there is nobody to tell.
        let _ = output::tell(&(what + "\n"));
    }
    Ok(match (failed, damaged) {
        (0, 0) => End::Done,
        (0, _) => End::NotClean,
        _ => End::Failed,
    })
}

/// What was found to hold.
#[derive(Default)]
struct Proved {
    files: u64,
    messages: u64,
    unchanged: u64,
    fields: u64,
    parts: u64,
    relabelled: u64,
    second_readings: u64,
}

impl Proved {
    fn add(&mut self, other: &Proved) {
        self.files += other.files;
        self.messages += other.messages;
        self.unchanged += other.unchanged;
        self.fields += other.fields;
        self.parts += other.parts;
        self.relabelled += other.relabelled;
        self.second_readings += other.second_readings;
    }
}

impl std::fmt::Display for Proved {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{} in {} are there; {} the same; {} and {} were changed, {} labelled anew, \
             and say the same, of which mailparse reads {} as we do",
            counted(self.messages, "message"),
            counted(self.files, "file"),
            counted(self.unchanged, "octet"),
            counted(self.fields, "field"),
            counted(self.parts, "part"),
            counted(self.relabelled, "part"),
            self.second_readings,
        )
    }
}

enum Note {
    Begin,
    /// The end of a file, and what is wrong with its messages' number.
    End(Arc<MailSource>, PathBuf, Option<Wrong>),
    /// A file that could not be read to its end, or what the report says of it.
    Unread(Arc<MailSource>, PathBuf),
    /// Something does not hold that is no one file's affair.
    Wrong(String),
    Failed(String),
    Interrupted,
}

/// What does not hold of a message.
struct Wrong {
    ordinal: u64,
    /// Where in the file of the destination; `None` where the report tells of another source.
    offset: Option<u64>,
    sentence: String,
}

enum Halt {
    Interrupted,
    Stop(Stop),
}

/// Gathers what was found.
struct Verifier<'o> {
    out: &'o mut Output,
    layout: &'o Layout,
    options: Conversion,
    progress: Progress,
    proved: Proved,
    /// The first thing that does not hold in the file at hand.
    first: Option<Wrong>,
    damaged: u64,
    failed: u64,
}

impl Verifier<'_> {
    fn take(&mut self, step: Step<Note, Vec<Checked>>) -> Result<(), Halt> {
        match step {
            Step::Done(checked) => {
                for Checked { octets, result } in checked {
                    let is_wrong = result.is_err();
                    match result {
                        Ok(proved) => self.proved.add(&proved),
                        Err(wrong) if self.first.is_none() => self.first = Some(wrong),
                        Err(_) => {}
                    }
                    self.progress.add(1, octets, u64::from(is_wrong));
                }
            }
            Step::Note(Note::Begin) => self.first = None,
            Step::Note(Note::End(source, place, wrong)) => {
                let is_whole = self.first.is_none() && wrong.is_none();
                self.proved.files += u64::from(is_whole);
                self.end(&source, &place, wrong)?;
            }
            Step::Note(Note::Unread(source, place)) => self.end(&source, &place, None)?,
            Step::Note(Note::Wrong(sentence)) => self.wrong(&sentence)?,
            Step::Note(Note::Failed(sentence)) => {
                self.failed += 1;
                self.progress.tell(&sentence);
            }
            Step::Note(Note::Interrupted) => return Err(Halt::Interrupted),
        }
        Ok(())
    }

    /// Tells what is wrong in a file, if something is.
    fn end(&mut self, source: &MailSource, place: &Path, wrong: Option<Wrong>) -> Result<(), Halt> {
        let Some(wrong) = self.first.take().or(wrong) else {
            return Ok(());
        };
        if wrong.offset.is_none() {
            let Wrong {
                ordinal, sentence, ..
            } = wrong;
            return self.wrong(&format!("{source}{}: {sentence}", number(source, ordinal)));
        }
        // Octet by octet from the start, which finds the very one.
        let Wrong {
            ordinal,
            offset,
            sentence,
        } = locate(source, place, &self.options).unwrap_or(wrong);
        let (number, offset) = (number(source, ordinal), offset.unwrap_or_default());
        let place = self.layout.shown(place);
        let place = place.display();
        self.wrong(&format!("{place}{number}, octet {offset}: {sentence}"))
    }

    fn wrong(&mut self, sentence: &str) -> Result<(), Halt> {
        self.damaged += 1;
        self.out.line(sentence).map_err(Halt::Stop)
    }
}

/// Reads source and destination side by side.
struct Reader<'r> {
    feed: &'r Feed<'r, Note, VecDeque<Pair>, Vec<Checked>>,
    arguments: &'r Arguments,
    layout: &'r Layout,
    /// Whether the source is one file by itself, and no zip file.
    is_one: bool,
    records: Option<Records>,
    places: HashSet<PathBuf>,
    /// Whether something in the source could not be read.
    is_unread: bool,
    interrupt: Interrupt,
}

impl Reader<'_> {
    fn read(&mut self) -> Result<(), Stopped> {
        for source in archive::sources(&self.arguments.source, Limits::new()) {
            let source = match source {
                Ok(source) => source,
                Err(error) => {
                    self.is_unread = true;
                    self.feed.note(Note::Failed(error.to_string()))?;
                    continue;
                }
            };
            match source.format() {
                Format::Message | Format::Mbox => self.source(source)?,
                _ if self.is_one => {
                    let sentence = format!("expected mail, found something else: {source}");
                    self.feed.note(Note::Failed(sentence))?;
                }
                _ => {}
            }
        }
        self.not_in_source()?;
        self.others()
    }

    fn source(&mut self, source: MailSource) -> Result<(), Stopped> {
        let place = self.layout.place(source.relative());
        let shown = self.layout.shown(&place);
        let shown = shown.display();
        if !self.places.insert(place.clone()) {
            let sentence = format!("expected one source for {shown}, found another: {source}");
            return self.feed.note(Note::Wrong(sentence));
        }
        let is_told = match &mut self.records {
            None => true,
            Some(records) => {
                let path = records.source_path(&source, &self.arguments.source);
                let is_told = records.begin(&path);
                is_told.or_else(|sentence| self.no_report(sentence))?
            }
        };
        match File::open(&place) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let sentence = match &self.records {
                    Some(records) if !is_told => {
                        let report = records.path.display();
                        format!("{source}: {report} does not tell of it, and {shown} is missing")
                    }
                    _ => format!("{shown} is missing, made of {source}"),
                };
                self.feed.note(Note::Wrong(sentence))
            }
            Err(error) => {
                let sentence = format!("cannot open {shown}: {error}");
                self.feed.note(Note::Failed(sentence))
            }
            Ok(file) => self.file(source, place, file),
        }
    }

    /// Ends it all where the report cannot be read.
    fn no_report<T>(&self, sentence: String) -> Result<T, Stopped> {
        self.feed.note(Note::Failed(sentence))?;
        Err(Stopped)
    }

    /// Names the files that the report tells of and the source does not have.
    fn not_in_source(&mut self) -> Result<(), Stopped> {
        let Some(mut records) = self.records.take() else {
            return Ok(());
        };
        let rest = records.rest();
        for offset in rest.or_else(|sentence| self.no_report(sentence))? {
            let found = records.at(offset).map(|_| ());
            found.or_else(|sentence| self.no_report(sentence))?;
            let Some(told) = records.next.take() else {
                continue;
            };
            // What could not be read has been named.
            if self.is_unread && records.is_there(&told.path, &self.arguments.source) {
                continue;
            }
            // What was made of it is no second thing that does not hold.
            if let Some(below) = records.below_destination(&told.line) {
                self.places
                    .insert(self.layout.place(Path::new("")).join(below));
            }
            let (path, report) = (&told.path, records.path.display());
            let sentence = format!("{path}: {report} tells of it, and it is not in the source");
            self.feed.note(Note::Wrong(sentence))?;
        }
        Ok(())
    }

    /// Names what else there is at the destination.
    fn others(&self) -> Result<(), Stopped> {
        // A file may be put into any folder, and what else is there is its owner's affair.
        if self.is_one {
            return Ok(());
        }
        let real = |path: &Path| path.canonicalize().ok();
        let report = self.arguments.report.as_deref().and_then(real);
        for file in archive::files(&self.arguments.destination)
            .into_iter()
            .flatten()
        {
            let Some(there) = real(&file) else { continue };
            let is_known = self.places.contains(&there) || self.layout.is_source(&there);
            if !is_known && report.as_ref() != Some(&there) {
                let name = there.file_name().unwrap_or_default().to_string_lossy();
                let what = if name.starts_with(".mime-charset-") {
                    "is left of a run that did not finish"
                } else {
                    "is not of the source"
                };
                let sentence = format!("{} {what}", file.display());
                self.feed.note(Note::Wrong(sentence))?;
            }
        }
        Ok(())
    }

    fn file(&mut self, source: MailSource, place: PathBuf, file: File) -> Result<(), Stopped> {
        let source = Arc::new(source);
        self.feed.note(Note::Begin)?;
        match self.pairs(&source, &place, file) {
            Ok(wrong) => self.feed.note(Note::End(source, place, wrong)),
            Err(Unread::Stopped) => Err(Stopped),
            Err(Unread::File(sentence)) => {
                self.feed.note(Note::Failed(sentence))?;
                self.feed.note(Note::Unread(source, place))
            }
            Err(Unread::Report(sentence)) => {
                self.feed.note(Note::Unread(source, place))?;
                self.no_report(sentence)
            }
        }
    }

    fn pairs(
        &mut self,
        source: &Arc<MailSource>,
        place: &Path,
        file: File,
    ) -> Result<Option<Wrong>, Unread> {
        let shown = self.layout.shown(place);
        let root = self.layout.place(Path::new(""));
        let below = place.strip_prefix(root).unwrap_or(place);
        let failed = |error: mime_charset::Error| Unread::File(error.to_string());
        let unread =
            |error: String| Unread::File(format!("cannot read {}: {error}", shown.display()));
        let mut old = source.messages().map_err(failed)?;
        // What is damaged may be one message where there were two.
        let longest = mbox::Reader::<File>::LONGEST.saturating_mul(2);
        let mut new = match source.format() {
            Format::Mbox => {
                let entries = mbox::read(file).longest(longest).dialect(Dialect::Mboxrd);
                New::Mbox(Box::new(entries))
            }
            _ => New::Message(Some(file)),
        };
        let mut batch = Batch::new();
        let mut offset = 0;
        let mut ordinal = 0;
        let mut waiting: Option<Pair> = None;
        let wrong = loop {
            if self.interrupt.is_asked() {
                self.feed.note(Note::Interrupted)?;
                return Err(Unread::Stopped);
            }
            let stored = old.next().transpose().map_err(failed)?;
            let length = stored.as_ref().map_or(0, |stored| stored.octets().len());
            let octets = new.next(length).transpose();
            let records = self.records.as_mut();
            let told = records.map(|records| records.of(stored.as_ref(), below));
            let told = match told.transpose().map_err(Unread::Report)?.transpose() {
                Ok(told) => told.flatten(),
                Err(sentence) => {
                    break Some(Wrong {
                        ordinal,
                        offset: None,
                        sentence,
                    });
                }
            };
            let pair = match (stored, octets.map_err(unread)?) {
                (None, None) => break None,
                (Some(stored), Some(octets)) => Pair {
                    source: Arc::clone(source),
                    stored,
                    octets,
                    offset,
                    joints: vec![b""],
                    told,
                },
                (missing, _) => {
                    let than = if missing.is_some() { "fewer" } else { "more" };
                    break Some(Wrong {
                        ordinal,
                        offset: Some(offset),
                        sentence: format!("expected the messages of the source, found {than}"),
                    });
                }
            };
            offset += pair.octets.len() as u64;
            ordinal += 1;
            if let Some(mut before) = waiting.replace(pair)
                && let Some(next) = &waiting
            {
                before.joints = joints(&before.octets, next);
                self.add(&mut batch, before)?;
            }
        };
        if let Some(last) = waiting {
            self.add(&mut batch, last)?;
        }
        let (pairs, octets) = batch.take();
        self.feed.work(pairs, octets)?;
        Ok(wrong)
    }

    fn add(&self, batch: &mut Batch<Pair>, pair: Pair) -> Result<(), Stopped> {
        let octets = pair.stored.octets().len() + pair.octets.len();
        match batch.add(pair, octets) {
            Some((pairs, octets)) => self.feed.work(pairs, octets),
            None => Ok(()),
        }
    }
}

/// The messages of a file of the destination.
enum New {
    Mbox(Box<mbox::Reader<File>>),
    /// `None` once it was read.
    Message(Option<File>),
}

impl New {
    /// The octets of the next one, which was made of one with `length` octets.
    fn next(&mut self, length: usize) -> Option<Result<Vec<u8>, String>> {
        match self {
            New::Mbox(entries) => {
                let entry = entries.next()?;
                let octets = entry.map(|entry| entry.octets().to_vec());
                Some(octets.map_err(|error| error.to_string()))
            }
            New::Message(file) => Some(whole(file.take()?, length)),
        }
    }
}

/// The octets of a file, or the first of one that is longer than any result.
fn whole(file: File, length: usize) -> Result<Vec<u8>, String> {
    /// An octet is at most two characters, each of them nine of quoted-printable, and a short
    /// message gets fields and line ends.
    const GROWTH: u64 = 64;
    let most = (length as u64)
        .saturating_add(1 << 14)
        .saturating_mul(GROWTH);
    let mut octets = Vec::new();
    let read = file.take(most).read_to_end(&mut octets);
    read.map_err(|error| error.to_string())?;
    Ok(octets)
}

enum Unread {
    Stopped,
    File(String),
    /// The report, without which nothing further is proved.
    Report(String),
}

impl From<Stopped> for Unread {
    fn from(_: Stopped) -> Self {
        Unread::Stopped
    }
}

/// What may stand between an entry, which `octets` end with, and the next one.
fn joints(octets: &[u8], next: &Pair) -> Vec<&'static [u8]> {
    let quoted = next.octets.get(next.stored.before().len()..);
    let possible: [&'static [u8]; 5] = [b"", b"\n", b"\r\n", b"\n\n", b"\r\n\r\n"];
    possible
        .into_iter()
        .filter(|joint| {
            octets.strip_suffix(*joint).is_some_and(|entry| {
                mbox::joint(entry, &next.stored, quoted.unwrap_or_default()) == *joint
            })
        })
        .collect()
}

/// A message of the source, and what is in its place at the destination.
struct Pair {
    source: Arc<MailSource>,
    stored: Stored,
    /// The entry at the destination as it is in the file, and the octets before it.
    octets: Vec<u8>,
    offset: u64,
    /// What may stand behind it in front of the next.
    joints: Vec<&'static [u8]>,
    told: Option<Record>,
}

struct Checked {
    octets: u64,
    result: Result<Proved, Wrong>,
}

impl Pair {
    fn check(&self, options: &Conversion) -> Checked {
        let result = self
            .is_told_of()
            .and_then(|()| {
                self.prove(options)
                    .map_err(|(offset, sentence)| (Some(self.offset + offset as u64), sentence))
            })
            .map_err(|(offset, sentence)| Wrong {
                ordinal: self.stored.ordinal(),
                offset,
                sentence,
            });
        Checked {
            octets: self.stored.octets().len() as u64,
            result,
        }
    }

    /// Whether the message of the source has the octets that the report tells of.
    fn is_told_of(&self) -> Result<(), (Option<u64>, String)> {
        let Some(told) = &self.told else {
            return Ok(());
        };
        let was = self.stored.octets().get(self.stored.entry().message());
        if sha256(was.unwrap_or_default()) == told.source_sum {
            return Ok(());
        }
        let sentence = "expected the source of the report, found another";
        Err((None, sentence.to_owned()))
    }

    fn prove(&self, options: &Conversion) -> Result<Proved, (usize, String)> {
        let source = self.stored.message();
        let before = self.stored.before();
        let Some(rest) = self.octets.strip_prefix(before) else {
            return Err((0, "expected the separator of the source".to_owned()));
        };
        let changes = match &self.told {
            Some(told) => told.changes.clone(),
            None => convert::convert(&source, options).changes().to_vec(),
        };
        let grown: usize = changes.iter().map(|change| change.after().len()).sum();
        let shrunk: usize = changes.iter().map(|change| change.before().len()).sum();
        let length = (source.len() + grown).saturating_sub(shrunk);
        let is_mbox = self.source.format() == Format::Mbox;
        let found = self.joints.iter().find_map(|joint| {
            let quoted = rest.strip_suffix(*joint)?;
            let quoted = quoted.strip_suffix(self.stored.after())?;
            let message = if is_mbox {
                Dialect::Mboxrd.unquote(quoted)
            } else {
                quoted.into()
            };
            let digits = self.new_digits(&source, &message);
            let mut original = message.to_vec();
            if let Some((old, new)) = &digits {
                original.splice(new.clone(), source.get(old.clone())?.iter().copied());
            }
            (original.len() == length).then_some((quoted, message, original, digits))
        });
        let Some((quoted, message, original, digits)) = found else {
            let sentence = format!("expected a message of {length} octets, found another");
            return Err((before.len(), sentence));
        };
        let proof = convert::verify(&source, &original, &changes, options).map_err(|error| {
            let mut at = error.offset().unwrap_or_default();
            if let Some((old, new)) = &digits
                && at >= new.start + old.len()
            {
                at = at + new.len() - old.len();
            }
            let until = message.get(..at).unwrap_or_default();
            if is_mbox {
                // What stands in front of `From ` in the file and not in the message.
                at += mbox::quote(until).len() - until.len();
            }
            (before.len() + at, error.to_string())
        })?;
        let (stored, _) = stored_form(&self.source, &self.stored, &original);
        if *stored != *quoted {
            let same = stored
                .iter()
                .zip(quoted)
                .take_while(|(a, b)| a == b)
                .count();
            return Err((before.len() + same, "expected mboxrd".to_owned()));
        }
        if let Some(told) = &self.told {
            let place = (self.offset + before.len() as u64, quoted.len() as u64);
            if told.result != place {
                let sentence = "expected the result in the place that the report says";
                return Err((before.len(), sentence.to_owned()));
            }
            if sha256(quoted) != told.result_sum {
                let sentence = "expected the result of the report, found another";
                return Err((before.len(), sentence.to_owned()));
            }
        }
        Ok(Proved {
            files: 0,
            messages: 1,
            unchanged: (proof.unchanged() + before.len() + self.stored.after().len()) as u64,
            fields: proof.fields() as u64,
            parts: proof.parts() as u64,
            relabelled: proof.relabelled() as u64,
            second_readings: proof.second_readings() as u64,
        })
    }

    /// Where the digits of a Content-Length are that had to change, in source and result.
    fn new_digits(&self, source: &[u8], result: &[u8]) -> Option<(Range<usize>, Range<usize>)> {
        let dialect = self.stored.entry().dialect();
        let was_right = matches!(dialect, Dialect::Mboxcl | Dialect::Mboxcl2);
        if self.source.format() != Format::Mbox || !was_right {
            return None;
        }
        let (old, was) = mbox::content_length(source)?;
        let (new, is) = mbox::content_length(result)?;
        (was != is).then_some((old, new))
    }
}

/// The first octet of a file that is not as converting its source makes it.
fn locate(source: &MailSource, place: &Path, options: &Conversion) -> Option<Wrong> {
    let file = File::open(place).ok()?;
    let mut writer = mbox::Writer::new(Compare {
        file: BufReader::new(file),
        offset: 0,
        wrong: None,
    });
    let mut ordinal = 0;
    for stored in source.messages().ok()? {
        let stored = stored.ok()?;
        ordinal = stored.ordinal();
        let message = stored.message();
        let converted = convert::convert(&message, options);
        let (result, _) = stored_form(source, &stored, converted.as_bytes());
        if writer.write_quoted(&stored, &result).is_err() {
            break;
        }
    }
    let mut compare = writer.into_inner();
    let mut more = [0];
    if compare.wrong.is_none() && compare.file.read(&mut more).ok()? > 0 {
        let sentence = format!("expected the end, found 0x{:02X}", more[0]);
        compare.wrong = Some((compare.offset, sentence));
    }
    let (offset, sentence) = compare.wrong?;
    Some(Wrong {
        ordinal,
        offset: Some(offset),
        sentence,
    })
}

/// Takes what should be in a file, and fails at the first octet that is another.
struct Compare {
    file: BufReader<File>,
    offset: u64,
    wrong: Option<(u64, String)>,
}

impl Write for Compare {
    fn write(&mut self, expected: &[u8]) -> io::Result<usize> {
        let mut found = Vec::new();
        let length = expected.len() as u64;
        self.file.by_ref().take(length).read_to_end(&mut found)?;
        let same = expected
            .iter()
            .zip(&found)
            .take_while(|(expected, found)| expected == found)
            .count();
        if same < expected.len() {
            let expected = expected.get(same).copied().unwrap_or_default();
            let found = match found.get(same) {
                Some(octet) => format!("0x{octet:02X}"),
                None => "the end".to_owned(),
            };
            let sentence = format!("expected 0x{expected:02X}, found {found}");
            self.wrong = Some((self.offset + same as u64, sentence));
            return Err(io::Error::other("another octet"));
        }
        self.offset += length;
        Ok(expected.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
