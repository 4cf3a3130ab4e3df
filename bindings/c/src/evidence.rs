//! Evidence for and against a charset.

use mime_charset::decode;

use crate::border::{Terminated, Utf8, put, read, with};
use crate::charset::Charset;
use crate::status::MIME_CHARSET_INVALID;
use crate::text::Text;

/// A piece of evidence for or against a charset. Its strings belong to the text that returned it.
#[repr(C)]
pub struct Evidence {
    /// The kind of evidence, as in docs/json.md.
    pub kind: Utf8,
    /// Whether it is for or against the charset.
    pub side: Utf8,
    /// The charset that it indicates; NULL for none.
    pub charset: *const Charset,
    /// The offset of the octets it is based on.
    pub offset: usize,
    /// The number of these octets; 0 if it is based on all of them or on none.
    pub length: usize,
    /// Details.
    pub detail: Utf8,
}

/// The same with owned strings.
pub(crate) struct OwnedEvidence {
    kind: Terminated,
    side: Terminated,
    charset: Option<&'static Charset>,
    offset: usize,
    length: usize,
    detail: Terminated,
}

impl OwnedEvidence {
    pub(crate) fn new(evidence: &decode::Evidence) -> Self {
        OwnedEvidence {
            kind: Terminated::new(evidence.kind.name()),
            side: Terminated::new(evidence.side.name()),
            charset: evidence.charset.and_then(Charset::of),
            offset: evidence.offset,
            length: evidence.length,
            detail: Terminated::new(evidence.detail.clone()),
        }
    }

    fn view(&self) -> Evidence {
        Evidence {
            kind: self.kind.view(),
            side: self.side.view(),
            charset: self.charset.map_or(std::ptr::null(), std::ptr::from_ref),
            offset: self.offset,
            length: self.length,
            detail: self.detail.view(),
        }
    }
}

/// The number of pieces of evidence of a decision; 0 for other texts.
///
/// # Safety
///
/// `text` is NULL or a text that has not been freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mime_charset_text_evidence_count(text: *const Text) -> usize {
    // SAFETY: `with` requires NULL or a text that has not been freed: the caller guarantees it.
    unsafe { with(text, 0, |text| text.evidence().len()) }
}

/// A piece of evidence by index, from 0, in the order of evaluation.
///
/// # Safety
///
/// `text` is NULL or a text that has not been freed; evidence may be written to `out`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mime_charset_text_evidence(
    text: *const Text,
    index: usize,
    out: *mut Evidence,
) -> i32 {
    let find = || {
        // SAFETY: `read` requires NULL or a text that has not been freed: the caller guarantees it.
        let text = unsafe { read(text) }?;
        let found = text.evidence().get(index).ok_or(MIME_CHARSET_INVALID)?;
        Ok(found.view())
    };
    // SAFETY: `put` requires NULL or room for evidence at `out`: the caller guarantees it.
    unsafe { put(out, find) }
}
