//! Stores many names in one string.
//!
//! A thousand `&str` need a thousand addresses and lengths, and as many relocations: three times the
//! size of the names themselves.

/// Concatenated texts with the end of each, built at compile time.
pub(super) struct Joined<const COUNT: usize, const LENGTH: usize> {
    octets: [u8; LENGTH],
    ends: [u16; COUNT],
    count: usize,
    length: usize,
}

#[expect(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::cast_possible_truncation,
    reason = "runs at compile time, where a panic is the intended build error"
)]
impl<const COUNT: usize, const LENGTH: usize> Joined<COUNT, LENGTH> {
    pub(super) const fn new() -> Self {
        Joined {
            octets: [0; LENGTH],
            ends: [0; COUNT],
            count: 0,
            length: 0,
        }
    }

    /// Appends a text.
    pub(super) const fn push(&mut self, text: &str) {
        self.extend(text);
        assert!(self.length <= u16::MAX as usize);
        self.ends[self.count] = self.length as u16;
        self.count += 1;
    }

    /// Appends the first part of a text.
    pub(super) const fn extend(&mut self, text: &str) {
        let text = text.as_bytes();
        let mut at = 0;
        while at < text.len() {
            self.octets[self.length] = text[at];
            self.length += 1;
            at += 1;
        }
    }

    /// The texts for lookup, once all are appended.
    pub(super) const fn texts(&'static self) -> Texts {
        assert!(self.count == COUNT && self.length == LENGTH);
        match std::str::from_utf8(&self.octets) {
            Ok(text) => Texts {
                text,
                ends: &self.ends,
            },
            Err(_) => panic!("text was put in"),
        }
    }
}

/// The texts of a [`Joined`].
pub(super) struct Texts {
    text: &'static str,
    ends: &'static [u16],
}

impl Texts {
    /// The octets of the text at this index, which must exist.
    #[expect(clippy::indexing_slicing, reason = "for tables of the same length")]
    pub(super) const fn octets(&self, place: usize) -> &'static [u8] {
        let start = if place == 0 { 0 } else { self.ends[place - 1] };
        let (before, _) = self.text.as_bytes().split_at(self.ends[place] as usize);
        before.split_at(start as usize).1
    }

    /// The text at this index.
    pub(super) fn get(&self, place: usize) -> Option<&'static str> {
        let end = *self.ends.get(place)?;
        let before = place.checked_sub(1).and_then(|place| self.ends.get(place));
        let start = before.copied().unwrap_or_default();
        self.text.get(usize::from(start)..usize::from(end))
    }
}

#[cfg(test)]
mod tests {
    use super::Joined;

    #[test]
    fn joined_texts_are_unchanged() {
        static JOINED: Joined<3, 6> = {
            let mut joined = Joined::new();
            joined.push("é");
            joined.push("");
            joined.extend("ab");
            joined.push("cd");
            joined
        };
        let texts = JOINED.texts();
        let found: Vec<_> = (0..4).map(|place| texts.get(place)).collect();
        assert_eq!(found, [Some("é"), Some(""), Some("abcd"), None]);
    }
}
