//! `export`: copies selected messages from archives, octet for octet but for the quoting of mailboxes.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs::{self, File};
use std::io::{self, BufRead as _, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use mime_charset_archive::mbox::{self, Dialect, Stored};
use mime_charset_archive::{Format, Limits, MailSource, MailSources, open_report, path_of_octets};
use serde_json::Value;

use super::options::ReadAs;
use super::output::{self, is_free};
use super::sums::sha256;
use super::{End, Stop, complain};

#[derive(Args)]
pub(crate) struct Arguments {
    /// The messages to export: JSON Lines with the path and index of each, such as the lines of a
    /// report or of `inspect --json`; - is standard input
    list: PathBuf,
    /// Write them to a mailbox (mboxrd)
    #[arg(long, value_name = "FILE", required_unless_present = "eml")]
    mbox: Option<PathBuf>,
    /// Write each message to a file in this folder, without the quoting of its mailbox: the first in the
    /// list to 000001.eml, and so on
    #[arg(long, value_name = "FOLDER", conflicts_with = "mbox")]
    eml: Option<PathBuf>,
    #[command(flatten)]
    read_as: ReadAs,
    /// Replace existing files
    #[arg(long)]
    force: bool,
}

/// Writes the messages file by file in the order of the list, and within a file by index.
pub(crate) fn export(arguments: &Arguments) -> Result<End, Stop> {
    let list = List::read(&arguments.list)?;
    let mut target = Target::new(arguments, &list)?;
    let mut end = End::Done;
    for path in &list.order {
        let selected = list.files.get(path).cloned().unwrap_or_default();
        let selection = arguments.read_as.selection();
        let sources = || mime_charset_archive::sources(path, Limits::new()).select(&selection);
        for error in export_file(sources, selected, &mut target)? {
            complain(&error);
            end = End::Failed;
        }
    }
    target.flush()?;
    Ok(end)
}

/// Writes the selected messages of one file, and returns why some of them were not written.
fn export_file(
    sources: impl Fn() -> MailSources,
    mut selected: Sources,
    target: &mut Target<'_>,
) -> Result<Vec<String>, Stop> {
    // Errors of all members of a zip or tar file.
    let mut unread = Vec::new();
    let mut lines = selected.values().flat_map(BTreeMap::values).flatten();
    let mut left = lines.clone().count();
    // Only a checksum tells apart members with one name.
    let repeated = if lines.any(|line| line.sum.is_none()) {
        repeated(sources())
    } else {
        HashSet::new()
    };
    for source in sources() {
        if left == 0 {
            break;
        }
        let source = match source {
            Ok(source) if source.format() == Format::Other && source.is_named() => {
                source.as_message()
            }
            Ok(source) => source,
            Err(error) => {
                unread.push(error.to_string());
                continue;
            }
        };
        let Some(name) = name_of(&source) else {
            continue;
        };
        let is_only = !repeated.contains(&name);
        let Some(wanted) = selected.get_mut(&name) else {
            continue;
        };
        let messages = match source.messages() {
            Ok(messages) => messages,
            Err(error) => {
                unread.push(error.to_string());
                continue;
            }
        };
        for stored in messages {
            let stored = match stored {
                Ok(stored) => stored,
                Err(error) => {
                    unread.push(error.to_string());
                    continue;
                }
            };
            let index = stored.ordinal();
            let lines = wanted.get_mut(&index).into_iter().flatten();
            for line in lines.filter(|line| line.end != Ending::Written) {
                line.end = match &line.sum {
                    Some(sum) if *sum != sha256(stored.as_stored()) => {
                        Ending::Refused("differs from the list")
                    }
                    None if !is_only => Ending::Refused(AMBIGUOUS),
                    _ => target.write(line.number, &stored)?,
                };
                left -= usize::from(line.end == Ending::Written);
            }
            if wanted.range(index + 1..).next().is_none() {
                break;
            }
        }
    }
    let mut errors = Vec::new();
    let mut is_missing = false;
    for ((path, _), wanted) in selected {
        for (index, line) in wanted
            .iter()
            .flat_map(|(index, lines)| lines.iter().map(move |line| (index, line)))
        {
            match line.end {
                Ending::Written => {}
                Ending::Refused(why) => errors.push(format!("message {index} of {path} {why}")),
                Ending::Missing => {
                    is_missing = true;
                    errors.push(format!("{path} has no message {index}"));
                }
            }
        }
    }
    if is_missing {
        errors.extend(unread);
    }
    Ok(errors)
}

/// The names shared by several sources, such as members of a tar file.
fn repeated(sources: MailSources) -> HashSet<Name> {
    let mut names = HashSet::new();
    let found = sources.filter_map(|source| name_of(&source.ok()?));
    found.filter(|name| !names.insert(name.clone())).collect()
}

fn name_of(source: &MailSource) -> Option<Name> {
    name(&serde_json::to_value(source.names()).ok()?)
}

/// Why a line without a checksum is not enough.
const AMBIGUOUS: &str = "is ambiguous, since several members have this name; use a line of a report, which has a \
                         checksum";

/// The selected messages of each file or member, by index.
type Sources = BTreeMap<Name, BTreeMap<u64, Vec<Wanted>>>;

/// The displayed path of a file or member, and the octets of the member's name if they differ, in
/// hexadecimal digits.
type Name = (String, Option<String>);

/// The name in a location (docs/json.md).
fn name(place: &Value) -> Option<Name> {
    let text = |key: &str| place.get(key).and_then(Value::as_str).map(str::to_owned);
    Some((text("path")?, text("member_octets")))
}

/// A line of the list.
#[derive(Clone)]
struct Wanted {
    /// Its position in the list, from 1.
    number: usize,
    /// The SHA-256 of its message, if it has one.
    sum: Option<String>,
    end: Ending,
}

/// What became of a line of the list.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ending {
    /// No message at this location was found.
    Missing,
    Written,
    /// The messages at this location were not written, for this reason.
    Refused(&'static str),
}

/// The selected messages.
#[derive(Default)]
struct List {
    /// Files on disk, in list order.
    order: Vec<PathBuf>,
    files: HashMap<PathBuf, Sources>,
    /// The canonical paths of the files.
    canonical: HashSet<PathBuf>,
    /// The number of messages.
    count: usize,
}

impl List {
    fn read(path: &Path) -> Result<Self, Stop> {
        let standard_input = path == Path::new("-");
        let lines: Box<dyn Read> = if standard_input {
            Box::new(io::stdin().lock())
        } else {
            open_report(path)?
        };
        let mut list = List::default();
        for (number, line) in BufReader::new(lines).lines().enumerate() {
            let sentence = |why: &str| {
                Stop::Sentence(format!("{}, line {}: {why}", path.display(), number + 1))
            };
            let line = line.map_err(|error| sentence(&error.to_string()))?;
            let line: Value =
                serde_json::from_str(&line).map_err(|error| sentence(&error.to_string()))?;
            if line.get("record").is_some_and(|record| record != "message") {
                continue;
            }
            let place = line.get("source").filter(|it| it.is_object());
            list.add(place.unwrap_or(&line))
                .ok_or_else(|| sentence("expected a path and an index"))?;
        }
        let canonical = list
            .order
            .iter()
            .filter_map(|file| fs::canonicalize(file).ok());
        list.canonical = canonical.collect();
        Ok(list)
    }

    fn add(&mut self, place: &Value) -> Option<()> {
        let text = |key: &str| place.get(key).and_then(Value::as_str);
        let name = name(place)?;
        let index = place.get("index")?.as_u64()?;
        let file = match text("path_octets") {
            Some(octets) => path_of_octets(octets)?,
            None => text("container").unwrap_or(&name.0).into(),
        };
        if !self.files.contains_key(&file) {
            self.order.push(file.clone());
        }
        self.count += 1;
        let sources = self.files.entry(file).or_default();
        let messages = sources.entry(name).or_default();
        messages.entry(index).or_default().push(Wanted {
            number: self.count,
            sum: text("sha256").map(str::to_owned),
            end: Ending::Missing,
        });
        Some(())
    }

    /// Fails if the output file is one of the input files, which it would replace.
    fn check_target(&self, target: &Path) -> Result<(), Stop> {
        let Ok(target) = fs::canonicalize(target) else {
            return Ok(());
        };
        if !self.canonical.contains(&target) {
            return Ok(());
        }
        Err(Stop::Sentence(format!(
            "{} contains messages of the list; choose another file or folder",
            target.display()
        )))
    }
}

enum Target<'a> {
    Mailbox(&'a Path, BufWriter<File>),
    Folder {
        path: &'a Path,
        force: bool,
        list: &'a List,
    },
}

impl<'a> Target<'a> {
    fn new(arguments: &'a Arguments, list: &'a List) -> Result<Self, Stop> {
        let force = arguments.force;
        if let Some(folder) = &arguments.eml {
            fs::create_dir_all(folder).map_err(|error| cannot_write(folder, &error))?;
            return Ok(Target::Folder {
                path: folder,
                force,
                list,
            });
        }
        let file = arguments.mbox.as_deref().unwrap_or(Path::new(""));
        if !force {
            is_free(file)?;
        }
        list.check_target(file)?;
        let target = output::create(file).map_err(|error| cannot_write(file, &error))?;
        Ok(Target::Mailbox(file, BufWriter::new(target)))
    }

    fn write(&mut self, number: usize, stored: &Stored) -> Result<Ending, Stop> {
        let message = without_quoting(stored);
        match self {
            // CRs end lines only in a message without LF. A mailbox adds an LF, so they would end
            // none.
            Target::Mailbox(..) if message.contains(&b'\r') && !message.contains(&b'\n') => {
                let why = "has lines that end in CR, which a mailbox cannot keep; use --eml";
                return Ok(Ending::Refused(why));
            }
            Target::Mailbox(path, target) => {
                write_entry(target, stored, &message).map_err(|error| cannot_write(path, &error))
            }
            Target::Folder { path, force, list } => {
                let path = path.join(format!("{number:06}.eml"));
                list.check_target(&path)?;
                let created = if *force {
                    output::create(&path)
                } else {
                    File::create_new(&path)
                };
                created
                    .and_then(|mut file| file.write_all(&message))
                    .map_err(|error| cannot_write(&path, &error))
            }
        }?;
        Ok(Ending::Written)
    }

    fn flush(self) -> Result<(), Stop> {
        match self {
            Target::Mailbox(path, mut target) => {
                target.flush().map_err(|error| cannot_write(path, &error))
            }
            Target::Folder { .. } => Ok(()),
        }
    }
}

/// The octets of a message without the quoting of its mailbox, if quoting them again restores the stored
/// octets. Otherwise the mailbox also has unquoted lines that begin with `From `, so a `>From ` may be text.
fn without_quoting(stored: &Stored) -> Cow<'_, [u8]> {
    let (message, dialect) = (stored.message(), stored.entry().dialect());
    if dialect == Dialect::Babyl || *dialect.written(&message) == *stored.as_stored() {
        message
    } else {
        Cow::Borrowed(stored.as_stored())
    }
}

/// The separator of a message that has none, with placeholders for sender and date (RFC 4155,
/// appendix A).
const SEPARATOR: &[u8] = b"From MAILER-DAEMON Thu Jan  1 00:00:00 1970\n";

/// Writes a message as an mboxrd entry, with its own separator if readers recognize it in any mailbox.
fn write_entry(target: &mut impl Write, stored: &Stored, message: &[u8]) -> io::Result<()> {
    let quoted = mbox::quote(message);
    let separator = stored.octets().get(stored.entry().separator());
    let separator = separator.filter(|line| is_separator(line, &quoted));
    target.write_all(separator.unwrap_or(SEPARATOR))?;
    target.write_all(&quoted)?;
    if !quoted.ends_with(b"\n") {
        target.write_all(b"\n")?;
    }
    target.write_all(b"\n")
}

/// Whether a line before the message begins a second message of a mailbox.
fn is_separator(line: &[u8], quoted: &[u8]) -> bool {
    /// A reader looks at fewer octets.
    const NEAR: usize = 16 << 10;
    let near = quoted.get(..NEAR).unwrap_or(quoted);
    let mailbox = [SEPARATOR, b"\n", line, near].concat();
    line.ends_with(b"\n") && mbox::read(&*mailbox).nth(1).is_some()
}

fn cannot_write(path: &Path, error: &io::Error) -> Stop {
    Stop::Sentence(format!("cannot write {}: {error}", path.display()))
}
