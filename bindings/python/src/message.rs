//! `Message`: a message and its parts.

use std::borrow::Cow;

use mime_charset::Message as Parsed;
use mime_charset::message::{Part as ParsedPart, reading_text};
use mime_charset_archive::StoredState;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDateTime, PyString, PyTuple};

use crate::Error;
use crate::archive::{Names, PickledPlace, Place};
use crate::entity::Entity;
use crate::octets::{Octets, without_lock};
use crate::part::{Part, parts};
use crate::values;

/// A message, parsed from its octets (RFC 5322, RFC 2045, RFC 2046). Malformed octets never raise.
///
/// A bytes object is borrowed; other buffers are copied. Texts are decoded on first use and cached.
///
/// >>> import mime_charset
/// >>> message = mime_charset.Message(b"Subject: =?euc-kr?B?x9Gxub7u?=\n\ncaf\xc3\xa9")
/// >>> message["subject"], message.best_text()
/// ('한국어', 'café')
/// >>> message["Date"] is None
/// True
#[pyclass(frozen, module = "mime_charset")]
pub(crate) struct Message(Entity);

impl Message {
    pub(crate) fn parse(
        octets: impl AsRef<[u8]> + Send + Sync + 'static,
        place: Option<Place>,
    ) -> Self {
        Message(Entity::root(Parsed::from_owner(octets), place))
    }
}

#[pymethods]
impl Message {
    #[new]
    fn new(py: Python<'_>, octets: Octets) -> Self {
        restore(py, octets, None)
    }

    /// The message as an entity, which contains all others.
    #[getter]
    fn root(&self) -> Part {
        self.0.clone().into()
    }

    /// All parts but multiparts, in document order, as numbered by IMAP (RFC 9051, section 6.4.5.1).
    #[getter]
    fn parts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        parts(py, self.0.all(|part| !part.is_multipart()))
    }

    /// All entities including multiparts, in document order.
    #[getter]
    fn entities<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        parts(py, self.0.all(|_| true))
    }

    /// The time in the first Date field (RFC 5322, section 3.6.1), or None. It is naive if the offset from UTC
    /// is unknown, as for `-0000` (see `email.utils.parsedate_to_datetime`). A second 60 becomes 59.
    ///
    /// >>> import mime_charset
    /// >>> message = mime_charset.Message(b"Date: Thu Mar  4 10:00:00 EST 1999\n\n")
    /// >>> message.date.isoformat()
    /// '1999-03-04T10:00:00-05:00'
    #[getter]
    fn date<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDateTime>>> {
        let date = self.0.read.message.date();
        date.map(|date| values::datetime(py, &date)).transpose()
    }

    /// The time in the first Received field, which the last host added, or None. It is naive if the offset from
    /// UTC is unknown.
    #[getter]
    fn received_date<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDateTime>>> {
        let date = self.0.read.message.received_date();
        date.map(|date| values::datetime(py, &date)).transpose()
    }

    /// `date` and `received_date` with their findings, for the JSON of `inspect`.
    #[getter]
    #[pyo3(name = "_dates")]
    fn dates<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let message = &self.0.read.message;
        let dates = [message.date(), message.received_date()];
        let dates = dates.map(|date| date.map(|date| values::date(py, &date)).transpose());
        PyTuple::new(py, dates.into_iter().collect::<PyResult<Vec<_>>>()?)
    }

    /// The parts to show if plain text is preferred (RFC 8621, section 4.1.4).
    #[getter]
    fn text_parts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        parts(py, self.0.those(&self.0.read.message.bodies().text))
    }

    /// The parts to show if HTML is preferred (RFC 8621, section 4.1.4).
    #[getter]
    fn html_parts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        parts(py, self.0.those(&self.0.read.message.bodies().html))
    }

    /// The attachments (RFC 8621, section 4.1.4).
    #[getter]
    fn attachments<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        parts(py, self.0.those(&self.0.read.message.bodies().attachments))
    }

    /// The text of the message as a person reads it, without markup and with flowed lines joined;
    /// None if it has no text. Among alternatives, plain text is preferred, or HTML if `prefer` is
    /// `"html"`. A blank line separates the texts of several parts. `part.text` is the exact text.
    ///
    /// Raises Error for another value of `prefer`.
    #[pyo3(signature = (prefer="plain"))]
    fn best_text(&self, py: Python<'_>, prefer: &str) -> PyResult<Option<String>> {
        let message = &self.0.read.message;
        let is_html = match prefer {
            "plain" => false,
            "html" => true,
            _ => {
                let sentence = format!("expected \"plain\" or \"html\", found {prefer:?}");
                return Err(Error::new_err(sentence));
            }
        };
        if !message.parts().any(ParsedPart::is_text) {
            return Ok(None);
        }
        let text = || {
            if is_html {
                reading_text(&message.bodies().html)
            } else {
                message.reading_text()
            }
        };
        Ok(Some(without_lock(py, message.source().len(), text)))
    }

    /// The first characters of the text on one line, for a list of messages: without markup, invisible
    /// padding and quoted lines. Counts characters as a person does (Unicode Standard Annex #29). Decodes no more
    /// than needed.
    ///
    /// >>> import mime_charset
    /// >>> message = mime_charset.Message(b"Content-Type: text/html\n\n<style>p{}</style><p>Hello, <b>you")
    /// >>> message.preview(8), message.best_text()
    /// ('Hello, y', 'Hello, you')
    #[pyo3(signature = (characters=100))]
    fn preview(&self, py: Python<'_>, characters: usize) -> String {
        let message = &self.0.read.message;
        without_lock(py, message.source().len(), || message.preview(characters))
    }

    /// The part with this section number, or None.
    fn part(&self, section: &str) -> Option<Part> {
        let found: ParsedPart<'_> = self.0.read.message.part(section)?;
        self.0.those(&[found]).pop().map(Part::from)
    }

    /// The Message-ID without its angle brackets, or None (RFC 5322, section 3.6.4).
    ///
    /// >>> import mime_charset
    /// >>> message = mime_charset.Message(b"Message-ID: <2@x.example>\nReferences: <1@x.example>\n\n")
    /// >>> message.message_id, message.references, message.in_reply_to, message.thread_key
    /// ('2@x.example', ['1@x.example'], [], '1@x.example')
    #[getter]
    fn message_id(&self) -> Option<Cow<'_, str>> {
        self.0.read.message.message_id()
    }

    /// The identifiers in In-Reply-To: the messages that this one answers.
    #[getter]
    fn in_reply_to(&self) -> Vec<Cow<'_, str>> {
        self.0.read.message.in_reply_to()
    }

    /// The identifiers in References: earlier messages of the thread, oldest first.
    #[getter]
    fn references(&self) -> Vec<Cow<'_, str>> {
        self.0.read.message.references()
    }

    /// The identifier of the message that started the thread: the first of References, else the first of
    /// In-Reply-To, else the message's own (RFC 5256, section 3).
    #[getter]
    fn thread_key(&self) -> Option<Cow<'_, str>> {
        self.0.read.message.thread_key()
    }

    /// The fields of the message's own header, in order.
    #[getter]
    fn fields<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        self.0.fields(py)
    }

    /// Findings about the structure, such as lines without a field name and parts without an end.
    #[getter]
    fn findings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        values::findings(py, [self.0.read.message.report()])
    }

    /// The octets of the message.
    #[getter]
    fn source<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.0.read.message.source())
    }

    /// The file it was read from by `messages`; None for a message from octets.
    #[getter]
    fn path(&self) -> Option<&str> {
        self.names().map(|names| names.path.as_str())
    }

    /// The zip or tar file that contains it, or None.
    #[getter]
    fn container(&self) -> Option<&str> {
        self.names()?.container.as_deref()
    }

    /// The name of its file in the zip or tar file, or None.
    #[getter]
    fn member(&self) -> Option<&str> {
        self.names()?.member.as_deref()
    }

    /// The octets of the path on disk; None if they are UTF-8.
    #[getter]
    fn path_octets(&self) -> Option<&[u8]> {
        self.names()?.path_octets.as_deref()
    }

    /// The octets of the name in the zip or tar file; None if they equal `member`.
    #[getter]
    fn member_octets(&self) -> Option<&[u8]> {
        self.names()?.member_octets.as_deref()
    }

    /// The flags set by a mail store: seen, answered, forwarded, flagged, draft and deleted.
    ///
    /// >>> import mime_charset
    /// >>> mime_charset.Message(b"X-Mozilla-Status: 0009\n\n").store_flags
    /// ['seen', 'deleted']
    #[getter]
    fn store_flags(&self) -> Vec<&'static str> {
        self.state().flags
    }

    /// The Gmail labels, decoded.
    #[getter]
    fn store_labels(&self) -> Vec<String> {
        self.state().labels
    }

    /// The Gmail thread, or None.
    #[getter]
    fn store_thread(&self) -> Option<String> {
        self.state().thread
    }

    /// The index of the message in its file; None for a message from octets, and in a piece that begins in the
    /// middle of a mailbox.
    #[getter]
    fn index(&self) -> Option<u64> {
        self.0.read.place.as_ref().and_then(|place| place.index)
    }

    /// The offset of its entry in the file, after decompression; None for a message from octets.
    #[getter]
    fn offset(&self) -> Option<u64> {
        self.0.read.place.as_ref().map(|place| place.offset)
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
    ///
    /// >>> import mime_charset
    /// >>> message = mime_charset.Message(b"To: =?utf-8?Q?J=C3=B8rn?= <joern@example.org>\n\n")
    /// >>> message.addresses("To")
    /// (Mailbox(name='Jørn', address='joern@example.org', octets=b'joern@example.org'),)
    fn addresses<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyTuple>> {
        self.0.addresses(py, name)
    }

    /// The text of the first field of this name, or None, as in the standard library.
    fn __getitem__<'py>(&self, py: Python<'py>, name: &str) -> Option<Bound<'py, PyString>> {
        self.0.first_text(py, name)
    }

    fn __contains__(&self, name: &str) -> bool {
        self.0.part().field(name).is_some()
    }

    /// The message itself, which never changes.
    fn __copy__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    /// The message itself, which never changes.
    fn __deepcopy__<'py>(slf: Bound<'py, Self>, _memo: &Bound<'py, PyAny>) -> Bound<'py, Self> {
        slf
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let restore = py.import("mime_charset._native")?.getattr("_message")?;
        let place = self.0.read.place.as_ref().map(Place::to_pickled);
        (restore, (self.source(py), place)).into_pyobject(py)
    }

    fn __repr__(&self) -> String {
        let message = &self.0.read.message;
        let (length, parts) = (message.source().len(), message.parts().count());
        match &self.0.read.place {
            Some(Place {
                names,
                index: Some(index),
                ..
            }) => format!(
                "<Message {:?} #{index}, {length} octets, parts: {parts}>",
                names.path
            ),
            Some(Place { names, offset, .. }) => format!(
                "<Message {:?} at {offset}, {length} octets, parts: {parts}>",
                names.path
            ),
            None => format!("<Message {length} octets, parts: {parts}>"),
        }
    }
}

/// Restores a message that was pickled, with its place.
#[pyfunction(name = "_message")]
pub(crate) fn restore(py: Python<'_>, octets: Octets, place: Option<PickledPlace>) -> Message {
    let place = place.map(Place::from_pickled);
    let length = octets.as_ref().len();
    without_lock(py, length, || Message::parse(octets, place))
}

impl Message {
    fn state(&self) -> StoredState {
        let name = self.names().map_or("", Names::name);
        StoredState::of(name.as_ref(), &self.0.read.message)
    }

    fn names(&self) -> Option<&Names> {
        self.0.read.place.as_ref().map(|place| &*place.names)
    }
}
