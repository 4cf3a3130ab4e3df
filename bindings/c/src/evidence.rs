//! What spoke for and against a charset.

use mime_charset::decode;

use crate::border::{Terminated, Utf8, put, read, with};
use crate::charset::Charset;
use crate::status::MIME_CHARSET_INVALID;
use crate::text::Text;

/// One thing that spoke for or against a charset. Its strings belong to the text that it was asked of.
#[repr(C)]
pub struct Evidence {
    /// What it stands on, as in docs/json.md.
    pub kind: Utf8,
    /// Whether it spoke for the charset or against it.
    pub side: Utf8,
    /// The charset that it spoke of; NULL for none.
    pub charset: *const Charset,
    /// How many octets lie before those it speaks of.
    pub offset: usize,
    /// How many octets it speaks of; 0 for all or none of them.
    pub length: usize,
    /// What exactly was seen.
    pub detail: Utf8,
}

/// The same with strings of its own.
pub(crate) struct Heard {
    kind: Terminated,
    side: Terminated,
    charset: Option<&'static Charset>,
    offset: usize,
    length: usize,
    detail: Terminated,
}

impl Heard {
    pub(crate) fn new(evidence: &decode::Evidence) -> Self {
        Heard {
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

/// How much evidence there is: behind a decision, else 0.
///
/// # Safety
///
/// `text` is NULL or a text that has not been freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mime_charset_text_evidence_count(text: *const Text) -> usize {
    // SAFETY: `with` asks for NULL or a text that has not been freed, which the caller promises.
    unsafe { with(text, 0, |text| text.evidence().len()) }
}

/// A piece of evidence by its place, from 0, in the order in which it was asked for.
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
        // SAFETY: `read` asks for NULL or a text that has not been freed, which the caller promises.
        let text = unsafe { read(text) }?;
        let found = text.evidence().get(index).ok_or(MIME_CHARSET_INVALID)?;
        Ok(found.view())
    };
    // SAFETY: `put` asks for NULL or room for evidence at `out`, which the caller promises.
    unsafe { put(out, find) }
}
