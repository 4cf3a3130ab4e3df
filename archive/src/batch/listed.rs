//! Names of sources in a report, and an index of its lines by these names.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::hash::{BuildHasher as _, RandomState};
use std::io::{BufRead as _, BufReader};
use std::ops::Range;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::Value;

use super::place::below;
use super::reading::is_readable;
use super::record;
use crate::error::{Error, cannot};
use crate::store::{MailSource, UnreadSource, open_report};

/// The name of a source in a report: the displayed path, with the octets that it does not show.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Name {
    /// The displayed path; for a member, `MEMBER in CONTAINER`.
    pub(super) shown: String,
    /// The path below the source of the conversion, if it is not UTF-8.
    below: Option<PathBuf>,
    /// The octets of a member's name in hexadecimal digits, if they differ from the displayed name.
    member: Option<String>,
}

impl Name {
    fn new(shown: String, below: &Path, member: Option<String>) -> Self {
        let below = below.to_str().is_none().then(|| below.to_path_buf());
        Name {
            shown,
            below,
            member,
        }
    }

    /// The name of a source found in `named`, in the report of a conversion of `root`: the archive may have
    /// been moved, or a single file renamed, since.
    pub(super) fn of(source: &MailSource, named: &Path, root: &Path) -> Self {
        let (member, below) = below(source, named);
        let shown = format!("{member}{}", join(root, below).display());
        Name::new(shown, below, source.names().member_octets.map(record::hex))
    }

    /// The names of the containers and folders that contain a source, as in [`of`](Name::of).
    pub(super) fn around(source: &MailSource, named: &Path, root: &Path) -> Vec<Self> {
        let (_, below) = below(source, named);
        let path = join(root, below);
        let location = source.names();
        let octets = location.member_octets.unwrap_or_default();
        let slashes = octets.iter().enumerate();
        let mut slashes = slashes.filter(|(_, octet)| **octet == b'/');
        // A container inside the container.
        let member = location.member.unwrap_or_default();
        let inner = member.match_indices('/').map(|(at, _)| {
            let inner = member.get(..at).unwrap_or_default();
            let octets = slashes.next().and_then(|(at, _)| octets.get(..at));
            let octets = octets.filter(|octets| *octets != inner.as_bytes());
            let shown = format!("{} in {}", inner.escape_debug(), path.display());
            Name::new(shown, below, octets.map(record::hex))
        });
        let mut around: Vec<_> = inner.collect();
        let outer = below
            .ancestors()
            .skip(usize::from(location.member.is_none()));
        around.extend(outer.map(|below| {
            let shown = join(root, below).to_string_lossy().into_owned();
            Name::new(shown, below, None)
        }));
        around
    }

    /// Reads a name from a location in the report of a conversion of `root`.
    pub(super) fn read(location: &Value, root: &Path) -> Self {
        let text = |key: &str| location.get(key).and_then(Value::as_str);
        let octets = text("path_octets").and_then(|digits| below_octets(digits, root));
        Name::new(
            text("path").unwrap_or_default().to_owned(),
            &octets.unwrap_or_default(),
            text("member_octets").map(str::to_owned),
        )
    }
}

/// The path of the file at a location in a report, below this root; for a member, the path of its
/// container.
pub(super) fn below_root(location: &Value, root: &Path) -> Option<PathBuf> {
    let text = |key: &str| location.get(key).and_then(Value::as_str);
    if let Some(digits) = text("path_octets") {
        return below_octets(digits, root);
    }
    let path = Path::new(text("container").or_else(|| text("path"))?);
    path.strip_prefix(root).ok().map(Path::to_path_buf)
}

/// The path below a root. The octets begin with those of the root, which is given as displayed.
fn below_octets(digits: &str, root: &Path) -> Option<PathBuf> {
    let path = record::path_of_octets(digits)?;
    let mut above = path.ancestors();
    let above = above.find(|above| Path::new(&*above.to_string_lossy()) == root)?;
    path.strip_prefix(above).ok().map(Path::to_path_buf)
}

/// Joins a folder and a relative path, which may be empty.
pub(super) fn join(folder: &Path, below: &Path) -> PathBuf {
    if below == Path::new("") {
        folder.to_path_buf()
    } else {
        folder.join(below)
    }
}

/// A file without messages, as a report lists it.
pub(super) struct Listed {
    outcome: String,
    detail: String,
    /// The length and SHA-256 of its octets, if it had any.
    octets: Option<(u64, String)>,
}

impl Listed {
    fn read(line: &Value) -> Option<Self> {
        let text = |key: &str| line.get(key).and_then(Value::as_str);
        let octets = || {
            let length = line.get("length")?.as_u64()?;
            Some((length, text("sha256")?.to_owned()))
        };
        Some(Listed {
            outcome: text("outcome")?.to_owned(),
            detail: text("detail")?.to_owned(),
            octets: octets(),
        })
    }

    /// Whether the caller of the conversion left it out.
    pub(super) fn is_excluded(&self) -> bool {
        self.outcome == "excluded"
    }

    /// Whether it could not be read and the caller of the conversion accepted that.
    pub(super) fn is_accepted(&self) -> bool {
        self.outcome == "unread"
    }

    /// Whether a file that could not be read has changed. If the report does not have the SHA-256 of
    /// its octets: whether it can be read now.
    pub(super) fn has_changed(&self, found: &Result<MailSource, UnreadSource>) -> bool {
        match &self.octets {
            Some(was) => {
                let now = source_of(found).whole_file().ok();
                now.and_then(record::digest).is_some_and(|now| now != *was)
            }
            None => found.as_ref().is_ok_and(is_readable),
        }
    }
}

/// Formats the end of a sentence, after "lists it".
impl fmt::Display for Listed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "as {} ({})", self.outcome, self.detail)
    }
}

/// The source, whether or not it can be opened.
pub(super) fn source_of(found: &Result<MailSource, UnreadSource>) -> &MailSource {
    match found {
        Ok(source) => source,
        Err(unread) => &unread.source,
    }
}

/// An index of the lines of a report.
pub(super) struct Index {
    /// The files without messages, including containers that could not be read to their end.
    pub(super) files: HashMap<Name, Listed>,
    /// For each file on disk, relative to the source: the number of its entries accepted as unread.
    pub(super) accepted: BTreeMap<PathBuf, usize>,
    /// The files with messages. The key is a hash of the name (an archive can have millions of names)
    /// and the offset of the first line; the value is the offset after the last line.
    lines: BTreeMap<(u64, u64), u64>,
    hashes: RandomState,
    /// The error of the first line that is not JSON.
    pub(super) damage: Option<Error>,
}

/// The parts of a line that the index needs.
#[derive(Deserialize)]
struct LineHead {
    #[serde(default)]
    record: Value,
    #[serde(default)]
    source: Value,
}

impl Index {
    /// Reads the report of a conversion of `root`; fails if it is incomplete.
    pub(super) fn read(path: &Path, root: &Path) -> Result<Self, Error> {
        let mut lines = BufReader::new(open_report(path)?);
        let mut index = Index {
            files: HashMap::new(),
            accepted: BTreeMap::new(),
            lines: BTreeMap::new(),
            hashes: RandomState::new(),
            damage: None,
        };
        let (mut line, mut end, mut is_whole) = (Vec::new(), 0, false);
        // The current file, and its first line.
        let (mut file, mut key) = (None, (0, 0));
        loop {
            line.clear();
            let start = end;
            let read = lines.read_until(b'\n', &mut line);
            match read.map_err(cannot("read", path))? {
                0 => break,
                octets => end += octets as u64,
            }
            let head = serde_json::from_slice::<LineHead>(&line);
            is_whole = head.as_ref().is_ok_and(|head| head.record == "event");
            match head {
                // JSON other than an object is skipped.
                Err(error) if error.is_data() && !line.starts_with(b"{") => {}
                Err(error) if index.damage.is_none() => {
                    index.damage = Some(not_json(path, &error));
                }
                Ok(head) if head.record == "message" => {
                    let name = Name::read(&head.source, root);
                    let is_first = head.source.get("index").is_some_and(|index| *index == 0);
                    if is_first || file.as_ref() != Some(&name) {
                        key = (index.hashes.hash_one(&name), start);
                        file = Some(name);
                    }
                    index.lines.insert(key, end);
                }
                Ok(head) if head.record == "file" => {
                    let line = serde_json::from_slice(&line).unwrap_or_default();
                    index.add_listed(&line, root);
                }
                _ => {}
            }
        }
        if is_whole {
            return Ok(index);
        }
        let path = path.display();
        let sentence = format!("the report {path} is incomplete: it does not end with an event");
        Err(Error::new(sentence))
    }

    fn add_listed(&mut self, line: &Value, root: &Path) {
        if let Some(listed) = Listed::read(line)
            && let Entry::Vacant(entry) = self.files.entry(Name::read(line, root))
        {
            if listed.is_accepted()
                && let Some(below) = below_root(line, root)
            {
                *self.accepted.entry(below).or_default() += 1;
            }
            entry.insert(listed);
        }
    }

    /// Removes a file and returns the range of its lines, in octets of the report.
    pub(super) fn take(&mut self, name: &Name) -> Option<Range<u64>> {
        let hash = self.hashes.hash_one(name);
        let (&key, _) = self.lines.range((hash, 0)..=(hash, u64::MAX)).next()?;
        let end = self.lines.remove(&key)?;
        Some(key.1..end)
    }

    /// The offset of the first line of each remaining file, in order.
    pub(super) fn rest(&self) -> Vec<u64> {
        let mut starts: Vec<_> = self.lines.keys().map(|(_, start)| *start).collect();
        starts.sort_unstable();
        starts
    }
}

/// The error of a line that is not JSON.
pub(super) fn not_json(path: &Path, error: &serde_json::Error) -> Error {
    let path = path.display();
    Error::new(format!("expected JSON Lines in {path}: {error}"))
}
