//! A text with its source and findings.

use std::borrow::Cow;
use std::sync::OnceLock;

use mime_charset::decode::FieldText;
use mime_charset::{Charset as Value, Decoded, Report, Source};

use crate::border::{HandleOctets, Terminated, Utf8, free, put, read, with};
use crate::change::OwnedChange;
use crate::charset::Charset;
use crate::evidence::OwnedEvidence;
use crate::status::MIME_CHARSET_INVALID;

/// A result: text or octets, their charset, the source of that decision, and the findings. Freed
/// with `mime_charset_text_free`; it does not depend on other handles.
pub struct Text {
    octets: HandleOctets,
    report: Report,
    charset: Option<(Value, Source)>,
    confidence: u8,
    more: OnceLock<Box<RareValues>>,
}

/// Rarely needed values.
#[derive(Default)]
struct RareValues {
    reasons: Reasons,
    views: OnceLock<Views>,
}

/// Values converted to C types on demand.
struct Views {
    source: Option<Terminated>,
    findings: Vec<OwnedFinding>,
}

/// The evidence of a decision, or the changes of a conversion.
#[derive(Default)]
pub(crate) struct Reasons {
    pub(crate) evidence: Vec<OwnedEvidence>,
    pub(crate) changes: Vec<OwnedChange>,
}

struct OwnedFinding {
    kind: Terminated,
    effect: Terminated,
    within: Terminated,
    offset: usize,
    length: usize,
    detail: Terminated,
}

impl OwnedFinding {
    fn new(finding: &mime_charset::Finding) -> Self {
        OwnedFinding {
            kind: Terminated::new(finding.kind().name()),
            effect: Terminated::new(finding.kind().effect().name()),
            within: Terminated::new(finding.within().name()),
            offset: finding.offset(),
            length: finding.length(),
            detail: Terminated::new(finding.detail()),
        }
    }
}

/// A finding. Its strings belong to the text that returned it.
#[repr(C)]
pub struct Finding {
    /// The kind, as in docs/findings.md.
    pub kind: Utf8,
    /// `noted`, `assumed`, `repaired` or `lost`.
    pub effect: Utf8,
    /// The octets that the offset refers to: `source` or `octets`.
    pub within: Utf8,
    /// The offset of the octets it is about.
    pub offset: usize,
    /// The number of these octets.
    pub length: usize,
    /// Details.
    pub detail: Utf8,
}

impl Text {
    /// Borrowed octets are copied into the handle.
    pub(crate) fn new(octets: Cow<'_, [u8]>, report: Report) -> Box<Self> {
        Text::with(octets, report, OnceLock::new())
    }

    /// Like [`new`](Text::new), of text.
    #[inline(always)]
    pub(crate) fn of(text: Cow<'_, str>, report: Report) -> Box<Self> {
        let octets = match text {
            Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
            Cow::Owned(text) => Cow::Owned(text.into_bytes()),
        };
        Text::with(octets, report, OnceLock::new())
    }

    /// Like [`new`](Text::new), with reasons.
    pub(crate) fn with_reasons(
        octets: Cow<'_, [u8]>,
        report: Report,
        reasons: Reasons,
    ) -> Box<Self> {
        let views = OnceLock::new();
        Text::with(
            octets,
            report,
            Box::new(RareValues { reasons, views }).into(),
        )
    }

    // Inlined into the functions that return the texts of a message, the most frequent ones.
    #[inline(always)]
    fn with(octets: Cow<'_, [u8]>, report: Report, more: OnceLock<Box<RareValues>>) -> Box<Self> {
        match octets {
            // Short ones without room for the NUL are copied too.
            Cow::Owned(octets)
                if octets.len() < octets.capacity() || octets.len() >= HandleOctets::INLINE =>
            {
                Text::from_octets(HandleOctets::owned(octets), report, more)
            }
            octets if octets.len() < HandleOctets::INLINE => {
                let mut text = Text::from_octets(HandleOctets::EMPTY, report, more);
                text.octets.copy(&octets);
                text
            }
            octets => Text::from_octets(HandleOctets::Boxed(Terminated::new(octets)), report, more),
        }
    }

    #[inline(always)]
    fn from_octets(
        octets: HandleOctets,
        report: Report,
        more: OnceLock<Box<RareValues>>,
    ) -> Box<Self> {
        // Allocate first, so that the text is written in place.
        let place = Box::new_uninit();
        Box::write(
            place,
            Text {
                octets,
                report,
                charset: None,
                confidence: 0,
                more,
            },
        )
    }

    fn views(&self) -> &Views {
        let more = self.more.get_or_init(Box::default);
        more.views.get_or_init(|| {
            let source = self.charset.map(|(_, source)| source.name());
            Views {
                source: source.map(Terminated::new),
                findings: self.report.iter().map(OwnedFinding::new).collect(),
            }
        })
    }

    pub(crate) fn evidence(&self) -> &[OwnedEvidence] {
        self.more.get().map_or(&[], |it| &it.reasons.evidence)
    }

    pub(crate) fn changes(&self) -> &[OwnedChange] {
        self.more.get().map_or(&[], |it| &it.reasons.changes)
    }

    pub(crate) fn plain<'a>(text: impl Into<Cow<'a, str>>) -> Box<Self> {
        Text::of(text.into(), Report::new())
    }

    pub(crate) fn in_charset(mut self: Box<Self>, charset: Value, source: Source) -> Box<Self> {
        self.charset = Some((charset, source));
        self
    }

    pub(crate) fn confidence(mut self: Box<Self>, percent: u8) -> Box<Self> {
        self.confidence = percent;
        self
    }

    #[inline(always)]
    pub(crate) fn decoded(decoded: Decoded<'_>) -> Box<Self> {
        let (charset, source) = (decoded.charset(), decoded.source());
        let (text, report) = decoded.into_parts();
        Text::of(text, report).in_charset(charset, source)
    }

    #[inline(always)]
    pub(crate) fn of_field(text: FieldText<'_>) -> Box<Self> {
        let (text, report) = text.into_parts();
        Text::of(text, report)
    }
}

/// The text, or the octets if the function that made it says so. Belongs to `text`.
///
/// # Safety
///
/// `text` is NULL or a text that has not been freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mime_charset_text_string(text: *const Text) -> Utf8 {
    // SAFETY: `with` requires NULL or a handle of this kind that has not been freed: the caller
    // guarantees it.
    unsafe { with(text, Utf8::NONE, |text| text.octets.view()) }
}

/// The charset of the text; NULL if there is none, for example for a field, which may have several.
///
/// # Safety
///
/// `text` is NULL or a text that has not been freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mime_charset_text_charset(text: *const Text) -> *const Charset {
    let none = std::ptr::null();
    // SAFETY: `with` requires NULL or a handle of this kind that has not been freed: the caller
    // guarantees it.
    unsafe {
        with(text, none, |text| {
            let charset = text.charset.and_then(|(value, _)| Charset::of(value));
            charset.map_or(none, std::ptr::from_ref)
        })
    }
}

/// The source of the charset: `forced`, `declared`, `bom`, `document`, `evidence`, `detected` or
/// `default`. Belongs to `text`; `data` is NULL if there is no charset.
///
/// # Safety
///
/// `text` is NULL or a text that has not been freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mime_charset_text_source(text: *const Text) -> Utf8 {
    // SAFETY: `with` requires NULL or a handle of this kind that has not been freed: the caller
    // guarantees it.
    unsafe {
        with(text, Utf8::NONE, |text| {
            let source = text.views().source.as_ref();
            source.map_or(Utf8::NONE, Terminated::view)
        })
    }
}

/// The confidence in the charset, in percent, for a decision or a detected charset; otherwise 0.
///
/// # Safety
///
/// `text` is NULL or a text that has not been freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mime_charset_text_confidence(text: *const Text) -> u8 {
    // SAFETY: `with` requires NULL or a handle of this kind that has not been freed: the caller
    // guarantees it.
    unsafe { with(text, 0, |text| text.confidence) }
}

/// Whether part of the input is missing from the text.
///
/// # Safety
///
/// `text` is NULL or a text that has not been freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mime_charset_text_has_loss(text: *const Text) -> bool {
    // SAFETY: `with` requires NULL or a handle of this kind that has not been freed: the caller
    // guarantees it.
    unsafe { with(text, false, |text| text.report.has_loss()) }
}

/// The number of findings that are kept.
///
/// # Safety
///
/// `text` is NULL or a text that has not been freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mime_charset_text_finding_count(text: *const Text) -> usize {
    // SAFETY: `with` requires NULL or a handle of this kind that has not been freed: the caller
    // guarantees it.
    unsafe { with(text, 0, |text| text.report.findings().len()) }
}

/// The number of findings that were counted but not kept.
///
/// # Safety
///
/// `text` is NULL or a text that has not been freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mime_charset_text_findings_omitted(text: *const Text) -> usize {
    // SAFETY: `with` requires NULL or a handle of this kind that has not been freed: the caller
    // guarantees it.
    unsafe { with(text, 0, |text| text.report.omitted()) }
}

/// A finding by index, from 0.
///
/// # Safety
///
/// `text` is NULL or a text that has not been freed; a finding may be written to `out`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mime_charset_text_finding(
    text: *const Text,
    index: usize,
    out: *mut Finding,
) -> i32 {
    let find = || {
        // SAFETY: `read` requires NULL or a handle of this kind that has not been freed: the caller
        // guarantees it.
        let text = unsafe { read(text) }?;
        let found = text.views().findings.get(index);
        let found = found.ok_or(MIME_CHARSET_INVALID)?;
        Ok(Finding {
            kind: found.kind.view(),
            effect: found.effect.view(),
            within: found.within.view(),
            offset: found.offset,
            length: found.length,
            detail: found.detail.view(),
        })
    };
    // SAFETY: `put` requires NULL or room for the value at `out`: the caller guarantees it.
    unsafe { put(out, find) }
}

/// Frees a text and everything that belongs to it.
///
/// # Safety
///
/// `text` is NULL or a text that has not been freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mime_charset_text_free(text: *mut Text) {
    // SAFETY: `free` requires NULL or a handle of this kind not used again: the caller
    // guarantees it.
    unsafe { free(text) }
}
