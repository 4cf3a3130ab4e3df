//! Reports: the assumptions, repairs and losses between octets and text.
//!
//! Each result of this library owns a [`Report`], a list of [`Finding`]s with the octets concerned. If a
//! report is empty, the input follows the standards and the text is exactly what was sent.

mod finding;
mod kind;
mod source;

use std::borrow::Cow;
use std::{fmt, slice};

use finding::Detail;

pub use finding::{Finding, Within};
pub use kind::{Effect, Kind};
pub use source::Source;

/// The findings about one input.
///
/// Findings are in the order of discovery. To bound memory, a report keeps at most
/// [`Report::MAX_FINDINGS`], including the first of each kind, and counts the rest.
///
/// An empty report means that the input broke no rule. [`Kind::Superset`] reports octets that only the
/// superset used in practice defines, except in multi-byte charsets such as `Shift_JIS` and GB2312. In
/// these, [`Options::as_registered`](crate::Options::as_registered) makes such octets malformed.
///
/// ```
/// use mime_charset::{Charset, Effect, Kind};
///
/// let clean = Charset::UTF_8.decode(b"caf\xC3\xA9");
/// assert!(clean.report().is_empty());
///
/// let damaged = Charset::UTF_8.decode(b"caf\xE9 \xC0\x80");
/// let report = damaged.report();
/// assert_eq!((report.findings().len(), report.omitted()), (3, 0));
/// assert!(report.iter().all(|finding| finding.kind() == Kind::Malformed) && report.has_loss());
/// assert_eq!((report.worst(), report.replacements()), (Some(Effect::Lost), 3));
/// let lines = "malformed at 3: truncated sequence\n\
///              malformed at 5: overlong sequence\n\
///              malformed at 6: stray continuation octet";
/// assert_eq!(report.to_string(), lines);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    findings: Vec<Finding>,
    /// The number of findings beyond the limit.
    omitted: usize,
    /// The kinds of the findings, one bit each.
    kinds: u128,
    /// Includes findings that are not kept.
    worst: Option<Effect>,
    replacements: usize,
}

const _: () = assert!(Kind::ALL.len() <= Report::RESERVED && Report::RESERVED <= 128);

impl Report {
    /// Maximum number of findings that a report keeps; further findings are counted. The last 128 places
    /// are reserved: each takes the first finding of a kind that the report does not have yet.
    ///
    /// ```
    /// use mime_charset::{Kind, Report, transfer};
    ///
    /// let body = "=x\n".repeat(Report::MAX_FINDINGS) + "a ";
    /// let decoded = transfer::quoted_printable(body.as_bytes());
    /// let report = decoded.report();
    /// assert_eq!(report.findings().len(), Report::MAX_FINDINGS - 128 + 1);
    /// assert_eq!(report.omitted(), 128);
    /// assert!(report.has(Kind::QuotedPrintableKept) && report.has(Kind::QuotedPrintableBlanks));
    /// ```
    pub const MAX_FINDINGS: usize = 65_536;

    /// Number of places reserved for kinds that the report does not have yet.
    const RESERVED: usize = 128;

    /// A report without findings.
    ///
    /// ```
    /// assert!(mime_charset::Report::new().is_empty());
    /// ```
    #[must_use]
    pub const fn new() -> Self {
        Report {
            findings: Vec::new(),
            omitted: 0,
            kinds: 0,
            worst: None,
            replacements: 0,
        }
    }

    /// The findings, in the order of discovery.
    #[must_use]
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// Iterates over the findings, in the order of discovery.
    pub fn iter(&self) -> slice::Iter<'_, Finding> {
        self.findings.iter()
    }

    /// The number of findings counted but not kept.
    #[must_use]
    pub fn omitted(&self) -> usize {
        self.omitted
    }

    /// A finding of kind [`Kind::LimitReached`] with the number of findings counted but not kept; `None`
    /// if all are kept. In JSON it follows the kept findings.
    ///
    /// ```
    /// use mime_charset::{Kind, Report, charset::Charset};
    ///
    /// let many = Report::MAX_FINDINGS + 7;
    /// let report = Charset::UTF_8.decode(&b"\xFF ".repeat(many)).report().clone();
    /// let more = report.omitted_finding().unwrap();
    /// let left = many - report.findings().len();
    /// assert_eq!((more.kind(), more.detail()), (Kind::LimitReached, &*format!("{left} further findings")));
    /// assert!(Report::new().omitted_finding().is_none());
    /// ```
    #[must_use]
    pub fn omitted_finding(&self) -> Option<Finding> {
        (self.omitted() > 0).then(|| {
            let detail = format!("{} further findings", self.omitted());
            Finding::new(Kind::LimitReached, Within::Octets, 0, 0, detail.into())
        })
    }

    /// The number of U+FFFD in the text that replace malformed octets. Includes replacements whose
    /// findings are not kept.
    #[must_use]
    pub fn replacements(&self) -> usize {
        self.replacements
    }

    /// Whether there are no findings.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.findings.is_empty()
    }

    /// The most serious effect of all findings, kept or not; `None` without findings.
    #[must_use]
    pub fn worst(&self) -> Option<Effect> {
        self.worst
    }

    /// Whether part of the input is missing from the text.
    #[must_use]
    pub fn has_loss(&self) -> bool {
        self.worst == Some(Effect::Lost)
    }

    /// Whether there is a finding of `kind`.
    #[must_use]
    pub fn has(&self, kind: Kind) -> bool {
        self.kinds & bit(kind) != 0
    }

    /// Adds a finding about `length` octets at `offset` of the source.
    pub(crate) fn add(
        &mut self,
        kind: Kind,
        offset: usize,
        length: usize,
        detail: impl Into<Cow<'static, str>>,
    ) {
        self.add_within(Within::Source, kind, offset, length, detail);
    }

    /// Adds a copy of `finding`, moved to `length` octets at `offset` of the source.
    pub(crate) fn add_moved(&mut self, finding: &Finding, offset: usize, length: usize) {
        let kind = finding.kind;
        match &finding.stored {
            Detail::Static(words) => self.add(kind, offset, length, *words),
            Detail::Shared(_) if !self.keeps(kind) => self.omitted += 1,
            Detail::Shared(other) => self.add(kind, offset, length, other.detail.clone()),
        }
    }

    /// Adds a finding about `length` octets at `offset` of the decoded octets.
    pub(crate) fn add_in_octets(
        &mut self,
        kind: Kind,
        offset: usize,
        length: usize,
        detail: impl Into<Cow<'static, str>>,
    ) {
        self.add_within(Within::Octets, kind, offset, length, detail);
    }

    fn add_within(
        &mut self,
        within: Within,
        kind: Kind,
        offset: usize,
        length: usize,
        detail: impl Into<Cow<'static, str>>,
    ) {
        if !self.keeps(kind) {
            self.omitted += 1;
            return;
        }
        self.push(Finding::new(kind, within, offset, length, detail.into()));
    }

    /// Adds a finding about `length` octets at `offset` of the decoded octets. One U+FFFD replaces them
    /// in the text.
    ///
    /// Inlined, so that the finding is written in place: damaged text has many findings, and copying them
    /// would cost more than decoding.
    #[inline]
    pub(crate) fn add_replaced(
        &mut self,
        kind: Kind,
        offset: usize,
        length: usize,
        detail: &'static str,
    ) {
        self.replacements += 1;
        if let (Ok(offset), Ok(length), true) = (
            u32::try_from(offset),
            u16::try_from(length),
            self.has_room(),
        ) {
            self.kinds |= bit(kind);
            self.worst = self.worst.max(Some(kind.effect()));
            self.findings.push(Finding {
                kind,
                within: Within::Octets,
                length,
                offset,
                stored: Detail::Static(detail),
            });
        } else {
            self.add_in_octets(kind, offset, length, detail);
        }
    }

    /// Whether another finding of `kind` would be kept. If not, the caller need not format its detail.
    pub(crate) fn keeps(&self, kind: Kind) -> bool {
        self.has_room() || !self.has(kind)
    }

    fn has_room(&self) -> bool {
        self.findings.len() < Self::MAX_FINDINGS - Self::RESERVED
    }

    /// Appends the first findings to a line that displays their result.
    pub(crate) fn describe(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 3;
        for finding in self.findings.iter().take(SHOWN) {
            write!(f, "; {finding}")?;
        }
        match self.count().saturating_sub(SHOWN) {
            0 => Ok(()),
            more => write!(f, "; {more} more"),
        }
    }

    /// Frees unused capacity.
    pub(crate) fn shrink(&mut self) {
        self.findings.shrink_to_fit();
    }

    /// Sets the length of the last finding of a kind at an offset.
    pub(crate) fn lengthen(&mut self, kind: Kind, offset: usize, length: usize) {
        let mut findings = self.findings.iter_mut().rev();
        if let Some(finding) = findings.find(|it| it.kind == kind && it.offset() == offset) {
            finding.set_place(offset, length);
        }
    }

    /// The number of findings, kept or not.
    pub(crate) fn count(&self) -> usize {
        self.findings.len() + self.omitted()
    }

    /// Keeps a finding. The caller checks that the report [keeps](Report::keeps) its kind.
    #[inline]
    fn push(&mut self, finding: Finding) {
        self.kinds |= bit(finding.kind);
        self.worst = self.worst.max(Some(finding.kind.effect()));
        let finding = match &finding.stored {
            Detail::Static(_) => finding,
            Detail::Shared(_) => finding.share_detail(&self.findings),
        };
        self.findings.push(finding);
    }

    /// Appends the findings of `part`, whose decoded octets begin at `base`.
    pub(crate) fn absorb_octets(&mut self, part: Report, base: usize) {
        self.absorb_moved(part, base, |finding| {
            finding.within == Within::Octets && finding.length() > 0
        });
    }

    /// Moves all findings by `base` octets of the source.
    pub(crate) fn shift(&mut self, base: usize) {
        if base == 0 {
            return;
        }
        for finding in &mut self.findings {
            if finding.within == Within::Source {
                finding.move_by(base);
            }
        }
    }

    /// Appends the findings of `part`, whose source begins at `base`.
    pub(crate) fn absorb(&mut self, part: Report, base: usize) {
        self.absorb_moved(part, base, |finding| finding.within == Within::Source);
    }

    /// Appends the findings of `part`. Adds `base` to the offset of each finding for which `moves`
    /// returns true.
    fn absorb_moved(&mut self, part: Report, base: usize, moves: impl Fn(&Finding) -> bool) {
        self.absorb_counts(&part);
        if self.findings.is_empty() {
            (self.findings, self.kinds) = (part.findings, part.kinds);
            for finding in self.findings.iter_mut().filter(|_| base > 0) {
                if moves(finding) {
                    finding.move_by(base);
                }
            }
            return;
        }
        for mut finding in part.findings {
            if !self.keeps(finding.kind) {
                self.omitted += 1;
                continue;
            }
            if base > 0 && moves(&finding) {
                finding.move_by(base);
            }
            self.push(finding);
        }
    }

    /// Adds the counts of `part`. The caller adds the findings of `part` itself, in another form.
    pub(crate) fn absorb_counts(&mut self, part: &Report) {
        self.worst = self.worst.max(part.worst);
        self.omitted += part.omitted;
        self.replacements += part.replacements;
    }
}

/// The bit of a kind in [`Report::kinds`].
const fn bit(kind: Kind) -> u128 {
    1 << kind as u32
}

/// The findings, in the order of discovery.
impl<'r> IntoIterator for &'r Report {
    type Item = &'r Finding;
    type IntoIter = slice::Iter<'r, Finding>;

    fn into_iter(self) -> Self::IntoIter {
        self.findings.iter()
    }
}

/// The findings, one per line, as [`Finding`] displays them.
impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        for finding in self.iter().chain(&self.omitted_finding()) {
            write!(f, "{separator}{finding}")?;
            separator = "\n";
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{Effect, Finding, Kind, Report};

    /// `has` must not miss a kind because findings of other kinds filled the report.
    #[test]
    fn the_first_finding_of_a_kind_is_kept() {
        let common = Report::MAX_FINDINGS - Report::RESERVED;
        let mut report = Report::new();
        for offset in 0..common + 2 {
            report.add(Kind::Nul, offset, 1, "");
        }
        for offset in [7, 9] {
            report.add(Kind::Control, offset, 1, "");
            report.add(Kind::Malformed, offset, 1, format!("octet {offset}"));
        }
        let mut whole = Report::new();
        whole.add(Kind::Unterminated, 0, 1, "");
        whole.absorb(report.clone(), 10);
        for (report, base, omitted) in [(report, 0, 4), (whole, 10, 5)] {
            let beyond = report.findings().iter().skip(common);
            let beyond: Vec<_> = beyond.map(|it| (it.kind(), it.offset() - base)).collect();
            assert_eq!(beyond, [(Kind::Control, 7), (Kind::Malformed, 7)]);
            assert_eq!(report.omitted(), omitted);
            assert_eq!(report.worst(), Some(Effect::Lost));
        }
    }

    /// The memory of a report is bounded.
    #[test]
    fn a_report_is_bounded() {
        let mut report = Report::new();
        for kind in Kind::ALL.iter().cycle().take(2 * Report::MAX_FINDINGS) {
            report.add(*kind, 0, 0, "");
        }
        for _ in 0..2 {
            report.absorb(report.clone(), 1);
        }
        assert!(report.findings().len() <= Report::MAX_FINDINGS);
        assert_eq!(report.count(), 8 * Report::MAX_FINDINGS);
    }

    #[test]
    fn findings_are_small() {
        // A report on damaged text reaches the limit: 1.5 MB.
        assert_eq!(size_of::<Finding>(), 24);
    }

    #[test]
    #[cfg(target_pointer_width = "64")]
    fn place_and_detail_survive_any_offset_and_length() {
        const FAR: usize = u32::MAX as usize;
        const LONG: usize = u16::MAX as usize;
        for offset in [0, 1, FAR - 1, FAR, FAR + 1, FAR * 5] {
            for length in [0, 1, LONG, LONG + 1, FAR + 7] {
                for detail in ["", "some words"] {
                    let mut said = Report::new();
                    said.add(Kind::Nul, offset, length, detail);
                    let mut made = Report::new();
                    made.add(Kind::Nul, offset, length, detail.to_owned());
                    for report in [said, made] {
                        for base in [0, 1, FAR] {
                            let mut whole = Report::new();
                            whole.add(Kind::Malformed, 0, 0, "");
                            whole.absorb(report.clone(), base);
                            let finding = &whole.findings()[1];
                            assert_eq!(
                                (finding.kind(), finding.offset(), finding.length()),
                                (Kind::Nul, offset + base, length)
                            );
                            assert_eq!(finding.detail(), detail);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn names_are_unique() {
        let mut names: Vec<_> = Kind::ALL.iter().map(|kind| kind.name()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), Kind::ALL.len());
    }
}
