//! The Python module `mime_charset._native`, exported by `python/mime_charset` as `mime_charset`.
//!
//! It makes no decisions about mail: each class calls the library and returns its results as Python
//! values. `bindings/python/README.md` shows how to use it.

mod archive;
mod batch;
mod codec;
mod columns;
mod decode;
mod entity;
mod message;
mod octets;
mod part;
mod rows;
mod shared;
mod shares;
mod tuple;
mod values;

use pyo3::create_exception;
use pyo3::exceptions::PyValueError;

create_exception!(
    mime_charset,
    Error,
    PyValueError,
    "Invalid argument, such as a hint that is not a charset. Malformed mail never raises it."
);

#[pyo3::pymodule(name = "_native")]
mod native {
    #[pymodule_export]
    use super::Error;
    #[pymodule_export]
    use super::archive::{Messages, messages, pieces};
    #[pymodule_export]
    use super::batch::{convert, verify};
    #[pymodule_export]
    use super::codec::{TextDecoder, labels as codec_labels, mailbox_name};
    #[pymodule_export]
    use super::columns::{Batches, read};
    #[pymodule_export]
    use super::decode::{addresses, content_type, date, decode, detect, field, labels};
    #[pymodule_export]
    use super::message::{Message, restore};
    #[pymodule_export]
    use super::part::Part;
    #[pymodule_export]
    use super::shares::{convert_step, verify_step};

    /// The version of the wheel.
    #[pymodule_export]
    #[expect(non_upper_case_globals, reason = "Python's name for it")]
    const __version__: &str = env!("CARGO_PKG_VERSION");
}
