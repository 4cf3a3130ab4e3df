//! The changes of a conversion, collected before they are written.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use super::converted::Counts;
use super::written::DeferredBody;
use crate::charset::Charset;
use crate::decode::ONE_PIECE;
use crate::error::Error;
use crate::label::Label;
use crate::message::MAX_HEADER;
use crate::prove::{Change, ChangedText, checksum};
use crate::report::{Kind, Report};

/// Maximum number of changes in a message. A message that needs more is kept as it is, with a finding
/// of kind [`Kind::Unconverted`].
///
/// ```
/// use mime_charset::{Kind, convert::{MAX_CHANGES, Conversion, convert}};
///
/// let words = |count| "X: =?koi8-r?Q?=F0?=\n".repeat(count) + "\n";
/// let message = words(MAX_CHANGES + 1);
/// let converted = convert(message.as_bytes(), &Conversion::new());
/// assert!(converted.changes.is_empty() && converted.report.has(Kind::Unconverted));
/// ```
pub const MAX_CHANGES: usize = 65_536;

/// Maximum number of octets that all field changes together write. A message that needs more is kept as
/// it is, with a finding of kind [`Kind::Unconverted`].
///
/// ```
/// use mime_charset::{Kind, convert::{MAX_WRITTEN, Conversion, convert}};
///
/// let word = format!("=?koi8-r?Q?{}?=\n", "=F0".repeat(20));
/// let field = format!("X:{}", format!(" {word}").repeat(10_000));
/// let message = field.repeat(MAX_WRITTEN / 500_000) + "\n";
/// let converted = convert(message.as_bytes(), &Conversion::new());
/// assert!(converted.changes.is_empty() && converted.report.has(Kind::Unconverted));
/// ```
pub const MAX_WRITTEN: usize = 4 << 20;

/// A message may grow to three times its length plus this many octets. With the message itself and
/// the record of its changes, a conversion needs four times the length plus 16 MiB.
const GROWTH_ALLOWANCE: usize = 4 << 20;

/// The changes and findings for a message or for one entity.
#[derive(Debug, Default)]
pub(super) struct Draft {
    /// Until they are written, [`after`](Change::after) is a range of `octets`.
    pub(super) changes: Vec<Change>,
    octets: Vec<u8>,
    /// Start and content of each body that is not encoded until the result is written.
    deferred: Vec<(usize, DeferredBody)>,
    /// Body ranges of documents whose declaration contradicts their new text, with the declared labels.
    pub(super) conflicts: Vec<(Range<usize>, Label<'static>)>,
    pub(super) report: Report,
    pub(super) failure: Option<Error>,
    pub(super) charsets: Vec<Charset>,
    pub(super) changed: Counts,
    /// Whether the header is damaged or something was kept. Such text may depend on the rest of the
    /// message, and may change once the rest is in UTF-8, so the result has to be proved.
    pub(super) needs_proof: bool,
    /// Maximum number of octets of bodies to keep in `octets`.
    kept_limit: usize,
    /// Maximum length of the message after the changes, and its length before them.
    length_limit: usize,
    length: usize,
    /// Number of octets that the changes add and remove.
    added: usize,
    removed: usize,
    /// Number of octets added to fields.
    written: usize,
}

impl Draft {
    /// A draft without changes, for a message of this length.
    pub(super) fn new(length: usize, kept_limit: usize) -> Draft {
        Draft {
            kept_limit,
            length_limit: length.saturating_mul(3).saturating_add(GROWTH_ALLOWANCE),
            length,
            ..Draft::default()
        }
    }

    /// A draft for one entity, to be passed to [`append`](Draft::append).
    pub(super) fn for_entity(&self) -> Draft {
        Draft {
            kept_limit: self.kept_limit.saturating_sub(self.octets.len()),
            length_limit: self.length_limit,
            length: (self.length + self.added).saturating_sub(self.removed),
            ..Draft::default()
        }
    }

    /// Whether decoding a body of this length at once needs too much memory.
    pub(super) fn is_large(&self, length: usize) -> bool {
        length > ONE_PIECE.min(self.kept_limit)
    }

    /// Whether the message stays within its limit with this many octets in place of `range`.
    pub(super) fn fits(&self, range: &Range<usize>, octets: usize) -> bool {
        let length = self.length + self.added + octets;
        length.saturating_sub(self.removed + range.len()) <= self.length_limit
    }

    /// The limit on changes that the draft exceeds, if any.
    pub(super) fn exceeded_limit(&self) -> Option<String> {
        if self.written > MAX_WRITTEN {
            Some(format!(
                "a message that needs more than {MAX_WRITTEN} octets of new fields"
            ))
        } else if self.changes.len() > MAX_CHANGES {
            Some(format!(
                "a message that needs more than {MAX_CHANGES} changes"
            ))
        } else {
            None
        }
    }

    /// Reverts the changes if the header would exceed [`MAX_HEADER`], or already does.
    pub(super) fn keep_within_limit(&mut self, header: &Range<usize>) {
        let changes_field = |change: &&Change| change.field().is_some();
        let fields = || self.changes.iter().filter(changes_field);
        let removed: usize = fields().map(|change| change.before.len()).sum();
        let added: usize = fields().map(|change| change.after.len()).sum();
        let length = header
            .len()
            .max((header.len() + added).saturating_sub(removed));
        if !self.changes.is_empty() && length >= MAX_HEADER {
            self.revert();
            self.leave(header, "a header that would exceed the limit on its length");
        }
    }

    /// Reverts all changes.
    pub(super) fn revert(&mut self) {
        self.changes.clear();
        self.conflicts.clear();
        self.octets.clear();
        self.deferred.clear();
        (self.added, self.removed, self.written) = (0, 0, 0);
        self.changed = Counts::default();
    }

    /// Replaces `range` by `octets`.
    pub(super) fn change(&mut self, range: Range<usize>, octets: &[u8], text: ChangedText) {
        let start = self.octets.len();
        self.octets.extend_from_slice(octets);
        self.add(range, start, text);
    }

    /// Replaces a body by octets that are encoded when the result is written.
    pub(super) fn change_later(
        &mut self,
        range: Range<usize>,
        later: DeferredBody,
        text: ChangedText,
    ) {
        self.added += later.length;
        self.removed += range.len();
        self.deferred.push((range.start, later));
        self.push(range, self.octets.len(), text);
    }

    fn add(&mut self, before: Range<usize>, start: usize, text: ChangedText) {
        let length = self.octets.len().saturating_sub(start);
        self.added += length;
        self.removed += before.len();
        if text.field.is_some() {
            self.written += length;
        }
        self.push(before, start, text);
    }

    fn push(&mut self, before: Range<usize>, start: usize, text: ChangedText) {
        let last = self.changes.last().and_then(|last| last.text.as_ref());
        let text = match last.filter(|last| ***last == text) {
            Some(last) => Arc::clone(last),
            None => Arc::new(text),
        };
        let octets = self.octets.get(start..).unwrap_or_default();
        self.changes.push(Change {
            before,
            after: start..self.octets.len(),
            checksum: checksum::of(octets),
            text: Some(text),
        });
    }

    /// Appends the changes and findings of an entity, or of some of its fields.
    pub(super) fn append(&mut self, other: Draft) {
        self.added += other.added;
        self.removed += other.removed;
        self.written += other.written;
        self.changed.fields += other.changed.fields;
        self.changed.parts += other.changed.parts;
        self.changed.labels += other.changed.labels;
        self.deferred.extend(other.deferred);
        let by = self.octets.len();
        self.octets.extend_from_slice(&other.octets);
        let changes = other.changes.into_iter().map(|change| Change {
            after: change.after.start + by..change.after.end + by,
            ..change
        });
        self.changes.extend(changes);
        self.conflicts.extend(other.conflicts);
        self.report.absorb(other.report, 0);
        self.failure = self.failure.take().or(other.failure);
        self.charsets.extend(other.charsets);
        self.needs_proof |= other.needs_proof;
    }

    /// Reports the documents whose declaration contradicts their new text.
    pub(super) fn report_conflicts(&self, report: &mut Report) {
        for (range, label) in &self.conflicts {
            let detail = format!("the document declares {label:.64}, but its text is now in UTF-8");
            report.add(Kind::DocumentConflict, range.start, range.len(), detail);
        }
    }

    /// The source with all changes; borrowed if there are none.
    pub(super) fn write<'a>(&mut self, source: &'a [u8]) -> Cow<'a, [u8]> {
        if self.changes.is_empty() {
            return Cow::Borrowed(source);
        }
        // The sort is stable: additions at one place stay in order, and precede the change of the
        // octets that follow.
        let place = |change: &Change| (change.before.start, change.before.end);
        if !self.changes.is_sorted_by_key(place) {
            self.changes.sort_by_key(place);
        }
        self.changes.shrink_to_fit();
        Cow::Owned(self.replace_in(source))
    }

    /// Applies the changes in order. [`after`](Change::after) becomes a range of the result.
    fn replace_in(&mut self, source: &[u8]) -> Vec<u8> {
        let length = (source.len() + self.added).saturating_sub(self.removed);
        self.deferred.sort_by_key(|(start, _)| *start);
        let mut deferred = self.deferred.iter().peekable();
        let mut octets = Vec::with_capacity(length);
        let mut at = 0;
        for change in &mut self.changes {
            octets.extend_from_slice(source.get(at..change.before.start).unwrap_or_default());
            at = change.before.end;
            let start = octets.len();
            let is_body = change.field().is_none();
            let later = deferred.next_if(|(start, _)| is_body && *start == change.before.start);
            if let Some((_, later)) = later {
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
