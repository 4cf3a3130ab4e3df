//! Creates instances of tuple subclasses in place.
//!
//! `tuple.__new__(cls, values)` creates three additional tuples: its arguments, its arguments
//! without the class, and the values. A header has a dozen fields, each such an instance. Filling
//! in place makes reading every field and finding of a message some 8 % faster.
//!
//! The only file of the binding with `unsafe`: PyO3 has no safe way to fill an existing tuple.

#![expect(unsafe_code, reason = "Python's C interface has a function for it")]

use std::ffi::c_int;
use std::{mem, ptr};

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyTuple, PyType};
use pyo3::{PyTypeInfo as _, ffi};

/// A subclass of tuple with instances of `N` values.
pub(crate) struct Subclass<const N: usize> {
    class: Py<PyType>,
    /// The arguments of `tuple.__new__` after the class: a tuple of `N` times `None`.
    blank: Py<PyTuple>,
}

impl<const N: usize> Subclass<N> {
    pub(crate) fn new(class: &Bound<'_, PyType>) -> PyResult<Self> {
        let py = class.py();
        if !class.is_subclass_of::<PyTuple>()? {
            let sentence = format!("expected a subclass of tuple, found {class}");
            return Err(PyTypeError::new_err(sentence));
        }
        let blank = PyTuple::new(py, [const { None::<()> }; N])?;
        Ok(Subclass {
            class: class.clone().unbind(),
            blank: PyTuple::new(py, [blank])?.unbind(),
        })
    }

    /// Makes an instance with these values.
    pub(crate) fn make<'py>(
        &self,
        py: Python<'py>,
        values: [Bound<'py, PyAny>; N],
    ) -> PyResult<Bound<'py, PyAny>> {
        let new = tuple_new(py)?;
        let class = self.class.bind(py).as_type_ptr();
        // SAFETY: `tuple.__new__` calls the same function, with a subclass of tuple and a tuple of
        // one argument, and Python's lock is held. The result is new and owned, or null with an
        // exception set.
        let made = unsafe {
            let made = new(class, self.blank.as_ptr(), ptr::null_mut());
            Bound::from_owned_ptr_or_err(py, made)?
        };
        for (place, value) in (0..).zip(values) {
            // SAFETY: `made` is an instance of a subclass of tuple without other references. The
            // function takes ownership of `value`, even if it fails, and checks the bounds itself.
            let failed = unsafe { ffi::PyTuple_SetItem(made.as_ptr(), place, value.into_ptr()) };
            if failed != 0 {
                return Err(PyErr::fetch(py));
            }
        }
        Ok(made)
    }
}

/// The constructor of tuples of a class (`tp_new`).
fn tuple_new(py: Python<'_>) -> PyResult<ffi::newfunc> {
    static NEW: PyOnceLock<ffi::newfunc> = PyOnceLock::new();
    let new = NEW.get_or_try_init(py, || {
        let tuple = PyTuple::type_object_raw(py);
        // SAFETY: since Python 3.10 a slot can be read from any type. This slot is null or a
        // function of this type.
        let new = unsafe {
            let slot = ffi::PyType_GetSlot(tuple, ffi::Py_tp_new as c_int);
            mem::transmute::<*mut std::ffi::c_void, Option<ffi::newfunc>>(slot)
        };
        new.ok_or_else(|| PyTypeError::new_err("tuple has no __new__"))
    })?;
    Ok(*new)
}
