//! `Part`: one entity of a message.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString, PyTuple};

use crate::entity::Entity;
use crate::octets::without_lock;
use crate::shared::shared;

/// One entity of a message: its header and its body (RFC 2045, section 2.4).
///
/// Two are equal if they are the same entity of the same message.
#[pyclass(frozen, module = "mime_charset")]
pub(crate) struct Part(Entity);

/// Python's parts of a list of entities.
pub(crate) fn parts(py: Python<'_>, entities: Vec<Entity>) -> PyResult<Bound<'_, PyTuple>> {
    let parts = entities.into_iter().map(|it| Py::new(py, Part(it)));
    PyTuple::new(py, parts.collect::<PyResult<Vec<_>>>()?)
}

impl From<Entity> for Part {
    fn from(entity: Entity) -> Self {
        Part(entity)
    }
}

#[pymethods]
impl Part {
    /// The section number of IMAP, such as `1.2` (RFC 9051, section 6.4.5.1); `TEXT` for a multipart that is
    /// the whole body.
    #[getter]
    fn section(&self) -> String {
        self.0.part().section()
    }

    /// Type and subtype, in lower case.
    #[getter]
    fn media_type(&self) -> String {
        self.0.part().content_type().media_type().to_owned()
    }

    /// The charset as declared, or None.
    #[getter]
    fn label(&self) -> Option<String> {
        let content_type = self.0.part().content_type();
        content_type.charset().map(ToString::to_string)
    }

    /// The preferred MIME name of the charset of the text; None if the part is not text.
    #[getter]
    fn charset<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyString>> {
        Some(shared(py, self.0.text(py)?.charset.name()))
    }

    /// The source of the charset: `declared`, `bom`, `document`, `evidence`, `detected` or `default`; None if
    /// the part is not text.
    #[getter]
    fn source<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyString>> {
        Some(shared(py, self.0.text(py)?.source.name()))
    }

    /// The exact text, decoded; None if the part is not text.
    #[getter]
    fn text<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyString>> {
        Some(self.0.text(py)?.text.bind(py).clone())
    }

    /// The text as a person reads it, without markup and with flowed lines joined; None if the part is not text.
    #[getter]
    fn reading_text(&self, py: Python<'_>) -> Option<String> {
        let part = self.0.part();
        let text = || part.reading_text().into();
        part.is_text()
            .then(|| without_lock(py, part.body().len(), text))
    }

    /// The decoded octets of the body.
    #[getter]
    fn octets<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        self.0.octets(py)
    }

    /// `7bit`, `8bit`, `binary`, `quoted-printable`, `base64`, `x-uuencode` or `unknown`.
    #[getter]
    fn transfer_encoding<'py>(&self, py: Python<'py>) -> Bound<'py, PyString> {
        shared(py, self.0.part().transfer_encoding().name())
    }

    /// `inline`, `attachment` or another declared disposition, or None.
    #[getter]
    fn disposition(&self) -> Option<String> {
        let disposition = self.0.part().content_disposition()?;
        Some(disposition.disposition().to_owned())
    }

    /// The decoded file name, as the sender wrote it; not safe to save under.
    #[getter]
    fn filename<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyString>> {
        let read = || self.0.part().filename();
        let name = self.0.filename(read)?;
        Some(PyString::new(py, name.as_str()))
    }

    /// The uuencoded files in the text. Their lines stay in `text`.
    #[getter]
    fn uuencoded<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        self.0.uuencoded(py)
    }

    /// A file name that is safe to save the part under, never empty: from `filename`, the subject of a
    /// forwarded message, or the section and the media type.
    ///
    /// >>> import mime_charset
    /// >>> message = mime_charset.Message(b"Content-Disposition: inline; filename=\"..\\\\nul.txt\"\n\n")
    /// >>> message.parts[0].filename, message.parts[0].filename_to_save
    /// ('..\\nul.txt', '_nul.txt')
    #[getter]
    fn filename_to_save(&self) -> String {
        self.0.part().filename_to_save()
    }

    /// Assumptions, repairs and losses.
    #[getter]
    fn findings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        self.0.findings(py)
    }

    /// The charset decision for the body, with the evidence; None if the part is not text.
    #[getter]
    fn decision<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.0.decision(py)
    }

    /// The fields of the header, in order.
    #[getter]
    fn fields<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        self.0.fields(py)
    }

    /// The header as written, with the blank line after it.
    #[getter]
    fn header<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.0.part().header())
    }

    /// The body as written, in its transfer encoding.
    #[getter]
    fn body<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.0.part().body())
    }

    /// The range of the header in the source; None in a message with a transfer encoding.
    #[getter]
    fn header_range(&self) -> Option<(usize, usize)> {
        let range = self.0.part().header_range()?;
        Some((range.start, range.end))
    }

    /// The range of the body in the source; None in a message with a transfer encoding.
    #[getter]
    fn body_range(&self) -> Option<(usize, usize)> {
        let range = self.0.part().body_range()?;
        Some((range.start, range.end))
    }

    /// Whether the body is text.
    #[getter]
    fn is_text(&self) -> bool {
        self.0.part().is_text()
    }

    /// Whether it is a multipart with at least one part.
    #[getter]
    fn is_multipart(&self) -> bool {
        self.0.part().is_multipart()
    }

    /// Whether it contains a message, which is its only child.
    #[getter]
    fn is_message(&self) -> bool {
        self.0.part().is_message()
    }

    /// The parts of a multipart, or the message in a part of type message.
    #[getter]
    fn children<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        parts(py, self.0.children())
    }

    /// The entity that contains it; None for the message itself.
    #[getter]
    fn parent(&self) -> Option<Part> {
        self.0.parent().map(Part)
    }

    /// The text of the first field of this name, or `default`.
    #[pyo3(signature = (name, default=None))]
    fn get<'py>(
        &self,
        py: Python<'py>,
        name: &str,
        default: Option<Bound<'py, PyAny>>,
    ) -> Option<Bound<'py, PyAny>> {
        let text = self.0.first_text(py, name);
        text.map(Bound::into_any).or(default)
    }

    /// The texts of all fields of this name, in order.
    fn get_all<'py>(&self, py: Python<'py>, name: &str) -> Vec<Bound<'py, PyString>> {
        self.0.all_texts(py, name)
    }

    /// The mailboxes and groups of all fields of this name (RFC 5322, section 3.4).
    fn addresses<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyTuple>> {
        self.0.addresses(py, name)
    }

    fn __getitem__<'py>(&self, py: Python<'py>, name: &str) -> Option<Bound<'py, PyString>> {
        self.0.first_text(py, name)
    }

    fn __contains__(&self, name: &str) -> bool {
        self.0.part().field(name).is_some()
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Part>().is_ok_and(|other| {
            let other = &other.get().0;
            self.0.index == other.index && Arc::ptr_eq(&self.0.read, &other.read)
        })
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (Arc::as_ptr(&self.0.read).addr(), self.0.index).hash(&mut hasher);
        hasher.finish()
    }

    fn __repr__(&self) -> String {
        let part = self.0.part();
        let (section, length) = (part.section(), part.body().len());
        let content_type = part.content_type();
        let media_type = content_type.media_type().escape_debug();
        format!("<Part {section} {media_type}, {length} octets>")
    }
}
