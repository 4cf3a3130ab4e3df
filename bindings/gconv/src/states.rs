//! The active conversions of one step.
//!
//! glibc shares a step among all descriptors that convert between the same two charsets, and gives
//! each descriptor eight octets of state, which it zeroes and copies at will. A decoder needs more
//! state, so the eight octets are the number of a conversion in this table. glibc calls nothing
//! when one descriptor is closed: unless that descriptor was flushed or reset, its conversion is
//! freed only when the last descriptor of the step is closed.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use mime_charset::Charset;

use crate::conversion::Conversion;

/// The state of a descriptor as stored by glibc: zero at the start of a text, otherwise a number.
pub(crate) type Key = u64;

/// The data of a step.
pub(crate) struct States {
    charset: Charset,
    conversions: Mutex<Conversions>,
}

#[derive(Default)]
struct Conversions {
    under_way: HashMap<Key, Conversion>,
    last: Key,
}

impl States {
    pub(crate) fn new(charset: Charset) -> Self {
        States {
            charset,
            conversions: Mutex::default(),
        }
    }

    /// Takes a conversion out of the table, or creates one at the start of a text. `None` if the
    /// number is unknown: glibc did not get it from this module.
    pub(crate) fn take(&self, key: Key) -> Option<Conversion> {
        match key {
            0 => Some(Conversion::new(self.charset)),
            _ => self.lock().under_way.remove(&key),
        }
    }

    /// Puts a conversion back, and returns its number.
    pub(crate) fn keep(&self, key: Key, conversion: Conversion) -> Key {
        let mut conversions = self.lock();
        let key = if key == 0 { conversions.last + 1 } else { key };
        conversions.last = conversions.last.max(key);
        conversions.under_way.insert(key, conversion);
        key
    }

    /// A panic leaves the table valid: the conversion that panicked is not in it.
    fn lock(&self) -> MutexGuard<'_, Conversions> {
        self.conversions
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::States;
    use mime_charset::Charset;

    #[test]
    fn a_conversion_is_in_one_place() {
        let states = States::new(Charset::for_label("VIQR").unwrap());
        let key = states.keep(0, states.take(0).unwrap());
        let other = states.keep(0, states.take(0).unwrap());
        assert!(key != 0 && other != 0 && key != other);
        let conversion = states.take(key).unwrap();
        assert!(states.take(key).is_none());
        assert_eq!(states.keep(key, conversion), key);
        assert!(states.take(key).is_some());
    }
}
