//! The state shared by a Python message and its parts: the parsed message, and cached results.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use mime_charset::decode::FieldText;
use mime_charset::message::{Field, Part};
use mime_charset::{Charset, Decoded, Message, Options, Report, Source};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyString, PyTuple};

use crate::archive::Place;
use crate::octets::{is_worth_it, without_lock};
use crate::values;

/// A message and its cached results. It holds no Python object that refers to it.
pub(crate) struct Read {
    pub(crate) message: Message<'static>,
    /// Its location, if it has one.
    pub(crate) place: Option<Place>,
    parts: OnceLock<Box<[PartRead]>>,
    /// The texts of single fields, by the addresses of the field bodies.
    texts: Mutex<BTreeMap<usize, Py<PyString>>>,
    tree: OnceLock<Vec<Links>>,
}

/// Cached results for one entity.
struct PartRead {
    octets: PyOnceLock<Py<PyBytes>>,
    text: PyOnceLock<TextRead>,
    findings: PyOnceLock<Py<PyTuple>>,
    fields: PyOnceLock<FieldsRead>,
    decision: PyOnceLock<Py<PyAny>>,
    filename: OnceLock<Option<FieldText<'static>>>,
}

impl PartRead {
    const fn new() -> Self {
        PartRead {
            octets: PyOnceLock::new(),
            text: PyOnceLock::new(),
            findings: PyOnceLock::new(),
            fields: PyOnceLock::new(),
            decision: PyOnceLock::new(),
            filename: OnceLock::new(),
        }
    }
}

/// The text of a part.
pub(crate) struct TextRead {
    pub(crate) text: Py<PyString>,
    pub(crate) charset: Charset,
    pub(crate) source: Source,
    report: Report,
}

impl TextRead {
    fn of(py: Python<'_>, decoded: &Decoded<'_>) -> Self {
        TextRead {
            text: PyString::new(py, decoded.as_str()).unbind(),
            charset: decoded.charset(),
            source: decoded.source(),
            report: decoded.report().clone(),
        }
    }
}

thread_local! {
    /// Buffers for short texts, which are decoded while holding Python's lock.
    static SHORT: RefCell<(Vec<u8>, String)> = RefCell::default();
}

/// The fields of a header.
struct FieldsRead {
    fields: Py<PyTuple>,
    /// The address of each body, in order.
    places: Box<[usize]>,
}

/// The position of an entity in the tree, by indexes in document order.
#[derive(Default, Clone)]
struct Links {
    parent: Option<usize>,
    children: Vec<usize>,
}

/// One entity of a message.
#[derive(Clone)]
pub(crate) struct Entity {
    pub(crate) read: Arc<Read>,
    pub(crate) index: usize,
}

impl Entity {
    /// The message itself.
    pub(crate) fn root(message: Message<'static>, place: Option<Place>) -> Self {
        let read = Read {
            message,
            place,
            parts: OnceLock::new(),
            texts: Mutex::default(),
            tree: OnceLock::new(),
        };
        Entity {
            read: Arc::new(read),
            index: 0,
        }
    }

    fn at(&self, index: usize) -> Self {
        Entity {
            read: Arc::clone(&self.read),
            index,
        }
    }

    pub(crate) fn part(&self) -> Part<'_> {
        let message = &self.read.message;
        let part = message.entities().nth(self.index);
        part.unwrap_or_else(|| message.root())
    }

    /// The entities that `is_wanted` accepts, in document order.
    pub(crate) fn all(&self, is_wanted: impl Fn(Part<'_>) -> bool) -> Vec<Entity> {
        let entities = self.read.message.entities().enumerate();
        let wanted = entities.filter(|(_, part)| is_wanted(*part));
        wanted.map(|(index, _)| self.at(index)).collect()
    }

    /// The entities of a list from the library, in its order.
    #[expect(
        clippy::mutable_key_type,
        reason = "parts hash by where their message lies, and what it keeps changes no place"
    )]
    pub(crate) fn those(&self, parts: &[Part<'_>]) -> Vec<Entity> {
        let entities = self.read.message.entities().enumerate();
        let places: HashMap<_, _> = entities.map(|(index, part)| (part, index)).collect();
        let found = parts.iter().filter_map(|part| places.get(part));
        found.map(|index| self.at(*index)).collect()
    }

    pub(crate) fn parent(&self) -> Option<Entity> {
        let parent = self.links()?.parent?;
        Some(self.at(parent))
    }

    pub(crate) fn children(&self) -> Vec<Entity> {
        let links = self.links();
        let children = links.map_or(&[][..], |links| &links.children);
        children.iter().map(|index| self.at(*index)).collect()
    }

    #[expect(
        clippy::mutable_key_type,
        reason = "parts hash by where their message lies, and what it keeps changes no place"
    )]
    fn links(&self) -> Option<&Links> {
        let tree = self.read.tree.get_or_init(|| {
            let entities = || self.read.message.entities().enumerate();
            let places: HashMap<_, _> = entities().map(|(index, part)| (part, index)).collect();
            let mut tree = vec![Links::default(); places.len()];
            for (index, part) in entities() {
                let parent = part.parent().and_then(|parent| places.get(&parent));
                let Some(&parent) = parent else { continue };
                if let Some(links) = tree.get_mut(index) {
                    links.parent = Some(parent);
                }
                if let Some(links) = tree.get_mut(parent) {
                    links.children.push(index);
                }
            }
            tree
        });
        tree.get(self.index)
    }

    fn kept(&self) -> Option<&PartRead> {
        let parts = self.read.parts.get_or_init(|| {
            let count = self.read.message.entities().len();
            (0..count).map(|_| PartRead::new()).collect()
        });
        parts.get(self.index)
    }

    /// The text of the part, decoded once; `None` if the part is not text.
    pub(crate) fn text(&self, py: Python<'_>) -> Option<&TextRead> {
        let part = self.part();
        if !part.is_text() {
            return None;
        }
        let text = self.kept()?.text.get_or_init(py, || {
            let length = part.body().len();
            if is_worth_it(length) {
                TextRead::of(py, &py.detach(|| part.text()))
            } else {
                // Python's string is the only copy.
                SHORT.with_borrow_mut(|(octets, text)| {
                    TextRead::of(py, &part.text_into(&Options::new(), octets, text))
                })
            }
        });
        Some(text)
    }

    /// The octets of the body, decoded once.
    pub(crate) fn octets<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let part = self.part();
        let make = || {
            let octets = without_lock(py, part.body().len(), || part.octets());
            PyBytes::new(py, octets.as_bytes()).unbind()
        };
        match self.kept() {
            Some(kept) => kept.octets.get_or_init(py, make).bind(py).clone(),
            None => make().into_bound(py),
        }
    }

    /// The uuencoded files in the text.
    pub(crate) fn uuencoded<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let Some(read) = self.text(py) else {
            return Ok(PyTuple::empty(py));
        };
        let text = read.text.bind(py).to_str()?;
        let files = without_lock(py, text.len(), || self.part().uuencoded(text));
        values::uuencoded(py, text, &files)
    }

    /// The findings on the MIME fields, the file name and the body.
    pub(crate) fn findings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let make = || {
            let part = self.part();
            let header = part.mime_header();
            let name = self.filename(|| header.filename(&Options::new()));
            let header = header.report();
            let mut reports = vec![&header];
            reports.extend(name.as_deref().map(FieldText::report));
            let transferred;
            if let Some(text) = self.text(py) {
                reports.push(&text.report);
            } else {
                transferred = without_lock(py, part.body().len(), || part.octets());
                reports.push(transferred.report());
            }
            values::findings(py, reports).map(Bound::unbind)
        };
        match self.kept() {
            Some(kept) => Ok(kept.findings.get_or_try_init(py, make)?.bind(py).clone()),
            None => Ok(make()?.into_bound(py)),
        }
    }

    /// The file name, cached by `read`.
    pub(crate) fn filename(
        &self,
        read: impl FnOnce() -> Option<FieldText<'static>>,
    ) -> Option<Cow<'_, FieldText<'static>>> {
        match self.kept() {
            Some(kept) => kept.filename.get_or_init(read).as_ref().map(Cow::Borrowed),
            None => read().map(Cow::Owned),
        }
    }

    /// The charset decision for the body; `None` if it is not text.
    pub(crate) fn decision<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let part = self.part();
        let Some(kept) = self.kept().filter(|_| part.is_text()) else {
            return Ok(None);
        };
        let decision = kept.decision.get_or_try_init(py, || {
            let length = part.body().len();
            let decision = without_lock(py, length, || part.decide(&Options::new()));
            values::decision(py, &decision).map(Bound::unbind)
        })?;
        Ok(Some(decision.bind(py).clone()))
    }

    /// Every field of the header, decoded.
    pub(crate) fn fields<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let part = self.part();
        let Some(kept) = self.kept() else {
            return values::fields(py, part.fields());
        };
        let read = kept.fields.get_or_try_init(py, || {
            let fields = values::fields(py, part.fields())?.unbind();
            let places = part.fields().map(|field| place_of(&field)).collect();
            PyResult::Ok(FieldsRead { fields, places })
        })?;
        Ok(read.fields.bind(py).clone())
    }

    /// The text of the first field of this name.
    pub(crate) fn first_text<'py>(
        &self,
        py: Python<'py>,
        name: &str,
    ) -> Option<Bound<'py, PyString>> {
        Some(self.field_text(py, &self.part().field(name)?))
    }

    /// The texts of all fields of this name.
    pub(crate) fn all_texts<'py>(&self, py: Python<'py>, name: &str) -> Vec<Bound<'py, PyString>> {
        let fields = self.part().fields_named(name);
        fields.map(|field| self.field_text(py, &field)).collect()
    }

    fn field_text<'py>(&self, py: Python<'py>, field: &Field<'_>) -> Bound<'py, PyString> {
        let place = place_of(field);
        let texts = || {
            let texts = self.read.texts.lock();
            texts.unwrap_or_else(PoisonError::into_inner)
        };
        if let Some(text) = texts().get(&place) {
            return text.bind(py).clone();
        }
        if let Some(text) = self.text_among_fields(py, place) {
            return text;
        }
        // Release the cache lock while the field is decoded.
        let text = PyString::new(py, field.text().as_str());
        texts().insert(place, text.clone().unbind());
        text
    }

    /// The text of the field whose body is at this address, if all fields were read.
    fn text_among_fields<'py>(
        &self,
        py: Python<'py>,
        place: usize,
    ) -> Option<Bound<'py, PyString>> {
        let read = self.kept()?.fields.get(py)?;
        let number = read.places.binary_search(&place).ok()?;
        let field = read.fields.bind(py).get_item(number).ok()?;
        let text = field.cast_into::<PyTuple>().ok()?.get_item(1).ok()?;
        text.cast_into().ok()
    }

    /// The mailboxes and groups of all fields of this name.
    pub(crate) fn addresses<'py>(
        &self,
        py: Python<'py>,
        name: &str,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let mut all = Vec::new();
        for field in self.part().fields_named(name) {
            for address in &field.addresses().list {
                all.extend(values::address(py, address)?);
            }
        }
        PyTuple::new(py, all)
    }
}

/// The address of a field's body, which identifies it in a message.
fn place_of(field: &Field<'_>) -> usize {
    field.body().as_ptr().addr()
}
