//! Functions for octets that are not a whole message.

use mime_charset::decode::{self as library, Context};
use mime_charset::header::{self, Syntax};
use mime_charset::{Charset, Options, charset, detect as detection};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::Error;
use crate::octets::{GivenLabel, Octets, without_lock};
use crate::values;

/// Decodes octets, with the charset and the source of that decision.
///
/// `label` is the charset as mail declares it. Octets that disprove the label are decoded in
/// another charset, unless `trust_label` is true. `media_type` enables declarations inside
/// documents, such as `meta` in HTML. `hint` is the most likely charset of octets without evidence.
///
/// >>> import mime_charset
/// >>> mime_charset.decode(b"\xc7\xd1\xb1\xb9", "ks_c_5601-1987").text
/// '한국'
#[pyfunction]
#[pyo3(signature = (octets, label=None, *, media_type=None, hint=None, trust_label=false))]
pub(crate) fn decode(
    py: Python<'_>,
    octets: Octets,
    label: Option<GivenLabel>,
    media_type: Option<String>,
    hint: Option<GivenLabel>,
    trust_label: bool,
) -> PyResult<Bound<'_, PyAny>> {
    let options = Options::new()
        .hint(hint.map(|hint| charset_of(&hint)).transpose()?)
        .trust_label(trust_label);
    let label = label.as_ref().map(GivenLabel::label);
    let context = Context::new()
        .label(label.as_ref())
        .media_type(media_type.as_deref())
        .options(options);
    let octets = octets.as_ref();
    let decoded = without_lock(py, octets.len(), || library::decode(octets, &context));
    values::decoded(py, &decoded)
}

/// The charset of a label from the caller, which must be correct.
fn charset_of(label: &GivenLabel) -> PyResult<Charset> {
    let label = label.label();
    charset::resolve(&label)
        .charset
        .ok_or_else(|| Error::new_err(format!("expected a charset label, found \"{label}\"")))
}

/// Guesses the charset of octets without a label.
///
/// >>> import mime_charset
/// >>> mime_charset.detect("Съешь ещё этих мягких булок".encode("koi8-r")).charset
/// 'KOI8-R'
#[pyfunction]
pub(crate) fn detect(py: Python<'_>, octets: Octets) -> PyResult<Bound<'_, PyAny>> {
    let octets = octets.as_ref();
    let guess = without_lock(py, octets.len(), || detection::detect(octets));
    values::guess(py, &guess)
}

/// Parses the body of a Content-Type field (RFC 2045, section 5.1).
///
/// >>> import mime_charset
/// >>> mime_charset.content_type(b'text/plain; charset="ks_c_5601-1987"').charset
/// 'ks_c_5601-1987'
#[pyfunction]
pub(crate) fn content_type(py: Python<'_>, body: Octets) -> PyResult<Bound<'_, PyAny>> {
    values::content_type(py, &header::content_type(body.as_ref()))
}

/// The meaning of a charset label, in any spelling that mail uses.
///
/// >>> import mime_charset
/// >>> label = mime_charset.labels("x-sjis")
/// >>> label.charset, label.mibenum, label.matched
/// ('Shift_JIS', 17, 'exact')
#[pyfunction]
pub(crate) fn labels(py: Python<'_>, label: GivenLabel) -> PyResult<Bound<'_, PyAny>> {
    let label = label.label();
    values::label(py, &label, &charset::resolve(&label))
}

/// The text of a field body; `name` selects its grammar (RFC 2047, section 5).
///
/// >>> import mime_charset
/// >>> mime_charset.field(b"=?euc-kr?B?x9Gxub7u?=").text
/// '한국어'
#[pyfunction]
#[pyo3(signature = (body, name=None))]
pub(crate) fn field<'py>(
    py: Python<'py>,
    body: Octets,
    name: Option<&str>,
) -> PyResult<Bound<'py, PyAny>> {
    let syntax = name.map_or(Syntax::Unstructured, |name| header::syntax(name.as_bytes()));
    let body = body.as_ref().trim_ascii_start();
    values::field_text(py, &library::field(body, syntax, &Options::new()))
}

/// Parses the body of a Date field (RFC 5322, section 3.3), including the other forms found in
/// mail. `None` if it has no date with a time of day. Findings report repairs and assumptions.
///
/// >>> import mime_charset
/// >>> date = mime_charset.date(b"fre, 28 maj 1999 10:00:00 CEST")
/// >>> date.text, date.unix_seconds, date.weekday
/// ('1999-05-28T10:00:00+02:00', 927878400, 5)
/// >>> mime_charset.date(b"31 Feb 1999 10:00:00 +0000") is None
/// True
#[pyfunction]
pub(crate) fn date(py: Python<'_>, body: Octets) -> PyResult<Option<Bound<'_, PyAny>>> {
    let date = header::date(body.as_ref());
    date.map(|date| values::date(py, &date)).transpose()
}

/// Parses the body of an address field such as From (RFC 5322, section 3.4).
///
/// >>> import mime_charset
/// >>> [str(one) for one in mime_charset.addresses(b"Kim <kim@example.org>, G: a@example.org;")]
/// ['Kim <kim@example.org>', 'G: a@example.org;']
#[pyfunction]
pub(crate) fn addresses(py: Python<'_>, body: Octets) -> PyResult<Bound<'_, PyTuple>> {
    let list = library::addresses(body.as_ref());
    let mut all = Vec::new();
    for address in &list.list {
        all.extend(values::address(py, address)?);
    }
    PyTuple::new(py, all)
}
