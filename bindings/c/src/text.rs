//! Text with where it comes from and what was noticed.

use std::sync::OnceLock;

use mime_charset::decode::FieldText;
use mime_charset::{Charset as Value, Decoded, Report, Source};

use crate::border::{Terminated, Utf8, free, put, read, with};
use crate::change::Changed;
use crate::charset::Charset;
use crate::evidence::Heard;
use crate::status::MIME_CHARSET_INVALID;

/// What a function found: text or octets, the charset they were in, on whose word, and the findings.
/// Freed with `mime_charset_text_free`; it needs nothing else to live on.
pub struct Text {
    octets: Terminated,
    report: Report,
    charset: Option<(Value, Source)>,
    confidence: u8,
    /// What few callers ask for, for C.
    asked: OnceLock<Box<Asked>>,
    /// What few texts have.
    reasons: Option<Box<Reasons>>,
}

struct Asked {
    source: Option<Terminated>,
    findings: Vec<Noticed>,
}

/// What a decision stands on, or what a conversion changed.
#[derive(Default)]
pub(crate) struct Reasons {
    pub(crate) evidence: Vec<Heard>,
    pub(crate) changes: Vec<Changed>,
}

struct Noticed {
    kind: Terminated,
    effect: Terminated,
    within: Terminated,
    offset: usize,
    length: usize,
    detail: Terminated,
}

impl Noticed {
    fn new(finding: &mime_charset::Finding) -> Self {
        Noticed {
            kind: Terminated::new(finding.kind().name()),
            effect: Terminated::new(finding.kind().effect().name()),
            within: Terminated::new(finding.within().name()),
            offset: finding.offset(),
            length: finding.length(),
            detail: Terminated::new(finding.detail()),
        }
    }
}

/// One thing that was noticed. Its strings belong to the text that it was asked of.
#[repr(C)]
pub struct Finding {
    /// Its name, as in docs/findings.md.
    pub kind: Utf8,
    /// `noted`, `assumed`, `repaired` or `lost`.
    pub effect: Utf8,
    /// What the offset counts octets of: `source` or `octets`.
    pub within: Utf8,
    /// How many octets lie before those it speaks of.
    pub offset: usize,
    /// How many octets it speaks of.
    pub length: usize,
    /// What exactly was seen.
    pub detail: Utf8,
}

impl Text {
    pub(crate) fn new(octets: Terminated, report: Report) -> Self {
        Text {
            octets,
            report,
            charset: None,
            confidence: 0,
            asked: OnceLock::new(),
            reasons: None,
        }
    }

    fn asked(&self) -> &Asked {
        self.asked.get_or_init(|| {
            let source = self.charset.map(|(_, source)| source.name());
            Box::new(Asked {
                source: source.map(Terminated::new),
                findings: self.report.iter().map(Noticed::new).collect(),
            })
        })
    }

    pub(crate) fn evidence(&self) -> &[Heard] {
        self.reasons.as_ref().map_or(&[], |it| &it.evidence)
    }

    pub(crate) fn changes(&self) -> &[Changed] {
        self.reasons.as_ref().map_or(&[], |it| &it.changes)
    }

    pub(crate) fn because(mut self, reasons: Reasons) -> Self {
        self.reasons = Some(Box::new(reasons));
        self
    }

    pub(crate) fn plain(octets: impl AsRef<[u8]>) -> Self {
        Text::new(Terminated::new(octets), Report::new())
    }

    pub(crate) fn in_charset(mut self, charset: Value, source: Source) -> Self {
        self.charset = Some((charset, source));
        self
    }

    pub(crate) fn confidence(mut self, percent: u8) -> Self {
        self.confidence = percent;
        self
    }

    pub(crate) fn decoded(decoded: Decoded<'_>) -> Self {
        let (charset, source) = (decoded.charset(), decoded.source());
        let (text, report) = decoded.into_parts();
        Text::new(Terminated::of_text(text), report).in_charset(charset, source)
    }

    pub(crate) fn of_field(text: FieldText<'_>) -> Self {
        let (text, report) = text.into_parts();
        Text::new(Terminated::of_text(text), report)
    }
}

/// The text, or the octets where the function that made it says so. Belongs to `text`.
///
/// # Safety
///
/// `text` is NULL or a text that has not been freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mime_charset_text_string(text: *const Text) -> Utf8 {
    // SAFETY: `with` asks for NULL or a handle of this kind that has not been freed: the caller
    // promises it.
    unsafe { with(text, Utf8::NONE, |text| text.octets.view()) }
}

/// The charset that it was in; NULL where there is none to speak of, as of a field, which may be in
/// several.
///
/// # Safety
///
/// `text` is NULL or a text that has not been freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mime_charset_text_charset(text: *const Text) -> *const Charset {
    let none = std::ptr::null();
    // SAFETY: `with` asks for NULL or a handle of this kind that has not been freed: the caller
    // promises it.
    unsafe {
        with(text, none, |text| {
            let charset = text.charset.and_then(|(value, _)| Charset::of(value));
            charset.map_or(none, std::ptr::from_ref)
        })
    }
}

/// On whose word the charset was chosen: `forced`, `declared`, `bom`, `document`, `evidence`,
/// `detected` or `default`. Belongs to `text`; `data` is NULL where there is no charset.
///
/// # Safety
///
/// `text` is NULL or a text that has not been freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mime_charset_text_source(text: *const Text) -> Utf8 {
    // SAFETY: `with` asks for NULL or a handle of this kind that has not been freed: the caller
    // promises it.
    unsafe {
        with(text, Utf8::NONE, |text| {
            let source = text.asked().source.as_ref();
            source.map_or(Utf8::NONE, Terminated::view)
        })
    }
}

/// How sure the charset is, in percent: of a decision and of what was detected, else 0.
///
/// # Safety
///
/// `text` is NULL or a text that has not been freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mime_charset_text_confidence(text: *const Text) -> u8 {
    // SAFETY: `with` asks for NULL or a handle of this kind that has not been freed: the caller
    // promises it.
    unsafe { with(text, 0, |text| text.confidence) }
}

/// Whether anything of what was sent is not in the text.
///
/// # Safety
///
/// `text` is NULL or a text that has not been freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mime_charset_text_has_loss(text: *const Text) -> bool {
    // SAFETY: `with` asks for NULL or a handle of this kind that has not been freed: the caller
    // promises it.
    unsafe { with(text, false, |text| text.report.has_loss()) }
}

/// How many findings are kept.
///
/// # Safety
///
/// `text` is NULL or a text that has not been freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mime_charset_text_finding_count(text: *const Text) -> usize {
    // SAFETY: `with` asks for NULL or a handle of this kind that has not been freed: the caller
    // promises it.
    unsafe { with(text, 0, |text| text.report.findings().len()) }
}

/// How many more findings there were than are kept.
///
/// # Safety
///
/// `text` is NULL or a text that has not been freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mime_charset_text_findings_omitted(text: *const Text) -> usize {
    // SAFETY: `with` asks for NULL or a handle of this kind that has not been freed: the caller
    // promises it.
    unsafe { with(text, 0, |text| text.report.omitted()) }
}

/// A finding by its place, from 0.
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
        // SAFETY: `read` asks for NULL or a handle of this kind that has not been freed: the caller
        // promises it.
        let text = unsafe { read(text) }?;
        let found = text.asked().findings.get(index);
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
    // SAFETY: `put` asks for NULL or room for the value at `out`: the caller promises it.
    unsafe { put(out, find) }
}

/// Frees a text and all that belongs to it.
///
/// # Safety
///
/// `text` is NULL or a text that has not been freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mime_charset_text_free(text: *mut Text) {
    // SAFETY: `free` asks for NULL or a handle of this kind that nobody uses again: the caller
    // promises it.
    unsafe { free(text) }
}
