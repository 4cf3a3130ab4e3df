//! Strings shared by many values.
//!
//! Names of fields and charsets repeat in every message. A small table caches recent ones, so that
//! most are not created and stored again. Its size is bounded: at most 512 strings of 32 octets.

use std::sync::{Mutex, PoisonError};

use mime_charset::utf8;
use pyo3::prelude::*;
use pyo3::types::PyString;

/// Maximum length of a string in the table. In real mail one field in fifty has a longer name.
const MOST: usize = 32;

/// The number of strings in the table, each at the index given by its hash.
const PLACES: usize = 512;

struct Kept {
    octets: [u8; MOST],
    length: usize,
    string: Py<PyString>,
}

static KEPT: [Mutex<Option<Kept>>; PLACES] = [const { Mutex::new(None) }; PLACES];

/// This text as a Python string, possibly shared.
pub(crate) fn shared<'py>(py: Python<'py>, text: &str) -> Bound<'py, PyString> {
    shared_lossy(py, text.as_bytes())
}

/// The same for octets that should be UTF-8; malformed ones are replaced.
pub(crate) fn shared_lossy<'py>(py: Python<'py>, octets: &[u8]) -> Bound<'py, PyString> {
    let make = || PyString::new(py, &utf8::decode_lossy(octets));
    let place = KEPT.get(place_of(octets)).filter(|_| octets.len() <= MOST);
    let Some(place) = place else {
        return make();
    };
    // A thread never waits for Python's lock while holding one of these.
    let mut kept = place.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(kept) = &*kept
        && kept.octets.get(..kept.length) == Some(octets)
    {
        return kept.string.bind(py).clone();
    }
    let string = make();
    let mut copy = [0; MOST];
    if let Some(copy) = copy.get_mut(..octets.len()) {
        copy.copy_from_slice(octets);
    }
    *kept = Some(Kept {
        octets: copy,
        length: octets.len(),
        string: string.clone().unbind(),
    });
    string
}

/// The index of a string, from its first and last octets and its length.
fn place_of(octets: &[u8]) -> usize {
    let ends = octets.first_chunk().zip(octets.last_chunk());
    let (first, last) = if let Some((&first, &last)) = ends {
        (u64::from_le_bytes(first), u64::from_le_bytes(last))
    } else {
        // Fewer than eight.
        let short = octets.iter().rev();
        (short.fold(0, |sum, &octet| sum << 8 | u64::from(octet)), 0)
    };
    // Fibonacci hashing (Knuth, The Art of Computer Programming, section 6.4).
    let mixed =
        (first ^ last.rotate_left(25) ^ octets.len() as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    usize::try_from(mixed >> 55).unwrap_or_default() % PLACES
}
