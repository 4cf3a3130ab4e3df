//! Octets owned by Python, and functions that release Python's lock.

use mime_charset::Label;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyMemoryView, PyString};

use crate::Error;

/// The octets of a bytes object, borrowed; or a copy of any other buffer, since such a buffer may
/// change later.
pub(crate) struct Octets(PyBackedBytes);

impl AsRef<[u8]> for Octets {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl Octets {
    /// Raises TypeError for an object that is not a buffer, with what was `expected`.
    fn of(given: &Bound<'_, PyAny>, expected: &str) -> PyResult<Self> {
        if let Ok(bytes) = given.cast::<PyBytes>() {
            return Ok(Octets(bytes.to_owned().into()));
        }
        let py = given.py();
        let copy = PyMemoryView::from(given).and_then(|view| view.call_method0("tobytes"));
        match copy {
            Ok(copy) => Ok(Octets(copy.cast_into::<PyBytes>()?.into())),
            Err(error) if error.is_instance_of::<PyTypeError>(py) => {
                Err(unexpected(expected, given))
            }
            // A released view, or a closed mmap.
            Err(error) => {
                let sentence =
                    Error::new_err(format!("cannot read the buffer: {}", error.value(py)));
                sentence.set_cause(py, Some(error));
                Err(sentence)
            }
        }
    }
}

impl<'a, 'py> FromPyObject<'a, 'py> for Octets {
    type Error = PyErr;

    fn extract(given: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        Octets::of(&given, "bytes, bytearray, memoryview or mmap")
    }
}

/// A TypeError for an argument of another type.
pub(crate) fn unexpected(expected: &str, found: &Bound<'_, PyAny>) -> PyErr {
    let found = found.get_type().qualname();
    let found = found.map_or_else(|_| "another type".to_owned(), |name| name.to_string());
    PyTypeError::new_err(format!("expected {expected}, found {found}"))
}

/// A label from a program: text, or octets from mail.
pub(crate) struct GivenLabel(Vec<u8>);

impl GivenLabel {
    pub(crate) fn label(&self) -> Label<'_> {
        Label::new(&self.0)
    }
}

impl<'a, 'py> FromPyObject<'a, 'py> for GivenLabel {
    type Error = PyErr;

    fn extract(given: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(text) = given.cast::<PyString>() {
            // No label contains lone surrogates.
            return Ok(GivenLabel(text.to_string_lossy().into_owned().into_bytes()));
        }
        let octets = Octets::of(&given, "str, bytes, bytearray, memoryview or mmap")?;
        Ok(GivenLabel(octets.as_ref().to_vec()))
    }
}

/// Whether processing that many octets takes longer than handing over Python's lock.
pub(crate) fn is_worth_it(octets: usize) -> bool {
    octets >= 1 << 15
}

/// Runs `work` on that many octets, releasing Python's lock if it is worth it.
pub(crate) fn without_lock<T: Send>(
    py: Python<'_>,
    octets: usize,
    work: impl FnOnce() -> T + Send,
) -> T {
    if is_worth_it(octets) {
        py.detach(work)
    } else {
        work()
    }
}
