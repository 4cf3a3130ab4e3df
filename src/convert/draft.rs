//! A conversion while it is made.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use super::converted::Counts;
use super::written::Later;
use crate::charset::Charset;
use crate::decode::ONE_PIECE;
use crate::error::Error;
use crate::label::Label;
use crate::message::MAX_HEADER;
use crate::prove::{Change, What, checksum};
use crate::report::{Kind, Report};

/// How many changes a message may need; one that needs more stays as it is, which is an
/// [`Kind::Unconverted`].
///
/// ```
/// use mime_charset::{Kind, convert::{MAX_CHANGES, Conversion, convert}};
///
/// let words = |count| "X: =?koi8-r?Q?=F0?=\n".repeat(count) + "\n";
/// let message = words(MAX_CHANGES + 1);
/// let converted = convert(message.as_bytes(), &Conversion::new());
/// assert!(converted.changes().is_empty() && converted.report().has(Kind::Unconverted));
/// ```
pub const MAX_CHANGES: usize = 65_536;

/// How many octets the changed ranges of all fields may have; a message that needs more
/// stays as it is, which is a [`Kind::Unconverted`].
///
/// ```
/// use mime_charset::{Kind, convert::{MAX_WRITTEN, Conversion, convert}};
///
/// let word = format!("=?koi8-r?Q?{}?=\n", "=F0".repeat(20));
/// let field = format!("X:{}", format!(" {word}").repeat(10_000));
/// let message = field.repeat(MAX_WRITTEN / 500_000) + "\n";
/// let converted = convert(message.as_bytes(), &Conversion::new());
/// assert!(converted.changes().is_empty() && converted.report().has(Kind::Unconverted));
/// ```
pub const MAX_WRITTEN: usize = 4 << 20;

/// A conversion while it is made.
#[derive(Debug, Default)]
pub(super) struct Draft {
    /// What they put in is in `octets`, which their [`after`](Change::after) counts until they
    /// are applied.
    pub(super) changes: Vec<Change>,
    pub(super) octets: Vec<u8>,
    /// Documents that say otherwise than their text is going to be, and what they say.
    pub(super) conflicts: Vec<(Range<usize>, Label<'static>)>,
    pub(super) report: Report,
    pub(super) failure: Option<Error>,
    pub(super) charsets: Vec<Charset>,
    /// Where bodies begin whose octets are made when they are put in.
    pub(super) later: Vec<(usize, Later)>,
    /// How many octets of bodies may be kept here.
    pub(super) most_kept: usize,
    /// How long the message may become, and how long it was before these changes.
    pub(super) most: usize,
    pub(super) before: usize,
    /// How many octets these changes put in, and how many they take out.
    pub(super) more: usize,
    pub(super) gone: usize,
    /// How many octets of those put in are of fields.
    pub(super) written: usize,
    pub(super) changed: Counts,
    /// Whether a field is broken, or something was left as it is. How that is read may depend on what
    /// stands around it, and change once that is in UTF-8.
    pub(super) needs_proof: bool,
}

/// How much longer than three times its length a message may become. With the message itself, and
/// what is kept of its changes, that is four times its length and 16 MiB.
pub(super) const SPARE: usize = 4 << 20;

impl Draft {
    /// One for the changes of an entity, which this one is going to take.
    pub(super) fn of_entity(&self) -> Draft {
        Draft {
            most_kept: self.most_kept.saturating_sub(self.octets.len()),
            most: self.most,
            before: (self.before + self.more).saturating_sub(self.gone),
            ..Draft::default()
        }
    }

    /// Whether a body of so many octets takes too much memory to be made at once.
    pub(super) fn is_large(&self, length: usize) -> bool {
        length > ONE_PIECE.min(self.most_kept)
    }

    /// Whether the result stays short enough with so many octets in the place of `range`.
    pub(super) fn fits(&self, range: &Range<usize>, octets: usize) -> bool {
        let length = self.before + self.more + octets;
        length.saturating_sub(self.gone + range.len()) <= self.most
    }

    pub(super) fn has_written_much(&self) -> bool {
        self.written > MAX_WRITTEN
    }

    /// A body whose octets are made when they are put in.
    pub(super) fn change_later(&mut self, range: Range<usize>, later: Later, what: What) {
        let start = self.octets.len();
        self.more += later.length;
        self.gone += range.len();
        self.later.push((range.start, later));
        self.push(range, start, what);
    }

    /// Takes the changes back if they would make more of a header than is read of one, or if no
    /// more of it was read.
    pub(super) fn keep_within_limit(&mut self, header: &Range<usize>) {
        let fields = || {
            self.changes
                .iter()
                .filter(|change| change.field().is_some())
        };
        let gone: usize = fields().map(|change| change.before.len()).sum();
        let more: usize = fields().map(|change| change.after.len()).sum();
        let length = header.len().max((header.len() + more).saturating_sub(gone));
        if !self.changes.is_empty() && length >= MAX_HEADER {
            self.take_back();
            self.leave(header, "a header that would take more than is read of one");
        }
    }

    /// Takes all changes back.
    pub(super) fn take_back(&mut self) {
        self.changes.clear();
        self.conflicts.clear();
        self.octets.clear();
        self.later.clear();
        (self.more, self.gone, self.written) = (0, 0, 0);
        self.changed = Counts::default();
    }

    /// Takes `octets` for those in `range`.
    pub(super) fn change(&mut self, range: Range<usize>, octets: &[u8], what: What) {
        let start = self.octets.len();
        self.octets.extend_from_slice(octets);
        self.add(range, start, what);
    }

    /// The same of many octets, which are not copied if they are the first.
    pub(super) fn change_body(&mut self, range: Range<usize>, octets: Vec<u8>, what: What) {
        if self.octets.is_empty() {
            self.octets = octets;
            self.add(range, 0, what);
        } else {
            self.change(range, &octets, what);
        }
    }

    fn add(&mut self, before: Range<usize>, start: usize, what: What) {
        let length = self.octets.len().saturating_sub(start);
        self.more += length;
        self.gone += before.len();
        if what.field.is_some() {
            self.written += length;
        }
        self.push(before, start, what);
    }

    fn push(&mut self, before: Range<usize>, start: usize, what: What) {
        let last = self.changes.last().and_then(|last| last.what.as_ref());
        let what = match last.filter(|last| ***last == what) {
            Some(last) => Arc::clone(last),
            None => Arc::new(what),
        };
        let octets = self.octets.get(start..).unwrap_or_default();
        self.changes.push(Change {
            before,
            after: start..self.octets.len(),
            checksum: checksum::of(octets),
            what: Some(what),
        });
    }

    pub(super) fn take(&mut self, other: Draft) {
        self.more += other.more;
        self.gone += other.gone;
        self.written += other.written;
        self.changed.fields += other.changed.fields;
        self.changed.parts += other.changed.parts;
        self.changed.labels += other.changed.labels;
        self.later.extend(other.later);
        if self.changes.is_empty() {
            (self.changes, self.octets) = (other.changes, other.octets);
        } else {
            let by = self.octets.len();
            self.octets.extend_from_slice(&other.octets);
            self.changes
                .extend(other.changes.into_iter().map(|change| Change {
                    after: change.after.start + by..change.after.end + by,
                    ..change
                }));
        }
        self.conflicts.extend(other.conflicts);
        self.report.absorb(other.report, 0);
        self.failure = self.failure.take().or(other.failure);
        self.charsets.extend(other.charsets);
        self.needs_proof |= other.needs_proof;
    }

    /// Reports the documents that name another charset than their text is in now.
    pub(super) fn report_conflicts(&mut self) {
        for (range, label) in std::mem::take(&mut self.conflicts) {
            let detail = format!("the document says {label:.64}, its text is now in UTF-8");
            self.report
                .add(Kind::DocumentConflict, range.start, range.len(), detail);
        }
    }

    /// The source with the changes, if there are some.
    pub(super) fn apply<'a>(&mut self, source: &'a [u8]) -> Cow<'a, [u8]> {
        if self.changes.is_empty() {
            return Cow::Borrowed(source);
        }
        // Stable, so that what is added in one place stays in its order, and what it is added
        // to comes behind it.
        let place = |change: &Change| (change.before.start, change.before.end);
        if !self.changes.is_sorted_by_key(place) {
            self.changes.sort_by_key(place);
        }
        self.changes.shrink_to_fit();
        Cow::Owned(self.put_in(source))
    }

    /// The source with the changes, which are in order; they count its octets then.
    fn put_in(&mut self, source: &[u8]) -> Vec<u8> {
        let gone: usize = self.changes.iter().map(|change| change.before.len()).sum();
        let later: usize = self.later.iter().map(|(_, later)| later.length).sum();
        let length = (source.len() + self.octets.len() + later).saturating_sub(gone);
        self.later.sort_by_key(|(start, _)| *start);
        let mut later = self.later.iter().peekable();
        let mut octets = Vec::with_capacity(length);
        let mut at = 0;
        for change in &mut self.changes {
            octets.extend_from_slice(source.get(at..change.before.start).unwrap_or_default());
            at = change.before.end;
            let start = octets.len();
            let is_body = change.field().is_none();
            let own = later.next_if(|(start, _)| is_body && *start == change.before.start);
            if let Some((_, later)) = own {
                let body = source.get(change.before.clone()).unwrap_or_default();
                later.write(body, &mut |piece| octets.extend_from_slice(piece));
                change.checksum = checksum::of(octets.get(start..).unwrap_or_default());
            } else {
                octets.extend_from_slice(self.octets.get(change.after.clone()).unwrap_or_default());
            }
            change.after = start..octets.len();
        }
        octets.extend_from_slice(source.get(at..).unwrap_or_default());
        octets
    }
}
