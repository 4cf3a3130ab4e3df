//! VIQR: Vietnamese in ASCII, with accents as punctuation after the letter (RFC 1456).
//!
//! A punctuation mark is an accent only if it forms a Vietnamese letter with the letter before it:
//! first the breve, circumflex or horn, then the tone. A backslash before the mark keeps it as
//! punctuation. Text begins in the Vietnamese state. The RFC's state changes, which mail does not
//! use, have no effect: their backslash is dropped like any other.

use super::codec::{Codec, Sink};
use crate::report::Kind;

/// Small letters with their toned forms, in the order of [`TONES`].
const TONED: [(char, &str); 12] = [
    ('a', "áàảãạ"),
    ('ă', "ắằẳẵặ"),
    ('â', "ấầẩẫậ"),
    ('e', "éèẻẽẹ"),
    ('ê', "ếềểễệ"),
    ('i', "íìỉĩị"),
    ('o', "óòỏõọ"),
    ('ô', "ốồổỗộ"),
    ('ơ', "ớờởỡợ"),
    ('u', "úùủũụ"),
    ('ư', "ứừửữự"),
    ('y', "ýỳỷỹỵ"),
];

/// Acute, grave, hook above, tilde, dot below.
const TONES: &str = "'`?~.";

/// Letters that combine with a mark, or with a second d.
const MARKED: [(char, char, char); 15] = [
    ('A', '(', 'Ă'),
    ('A', '^', 'Â'),
    ('D', 'D', 'Đ'),
    ('D', 'd', 'Đ'),
    ('E', '^', 'Ê'),
    ('O', '^', 'Ô'),
    ('O', '+', 'Ơ'),
    ('U', '+', 'Ư'),
    ('a', '(', 'ă'),
    ('a', '^', 'â'),
    ('d', 'd', 'đ'),
    ('e', '^', 'ê'),
    ('o', '^', 'ô'),
    ('o', '+', 'ơ'),
    ('u', '+', 'ư'),
];

/// Holds the last letter, which may still get an accent, or a pending backslash.
#[derive(Default, Clone)]
pub(super) struct ViqrCodec {
    letter: Option<char>,
    escaped: bool,
}

impl Codec for ViqrCodec {
    fn decode(&mut self, input: &[u8], last: bool, sink: &mut Sink<'_>) -> usize {
        for (&octet, offset) in input.iter().zip(sink.base..) {
            let character = char::from(octet);
            if !octet.is_ascii() {
                self.flush(sink);
                sink.replace(Kind::Malformed, offset, 1, "octet above 7F");
            } else if self.escaped {
                self.escaped = false;
                if character.is_ascii_alphabetic() {
                    self.letter = Some(character);
                } else {
                    sink.text.push(character);
                }
            } else if let Some(whole) = self.letter.and_then(|letter| combine(letter, character)) {
                self.letter = Some(whole);
            } else {
                self.flush(sink);
                match character {
                    '\\' => self.escaped = true,
                    _ if character.is_ascii_alphabetic() => self.letter = Some(character),
                    _ => sink.text.push(character),
                }
            }
        }
        if last {
            self.flush(sink);
        }
        input.len()
    }

    fn state(&self) -> Option<u128> {
        (self.letter.is_none() && !self.escaped).then_some(0)
    }
}

impl ViqrCodec {
    /// Appends the pending letter, which has all its accents.
    fn flush(&mut self, sink: &mut Sink<'_>) {
        sink.text.extend(self.letter.take());
        if std::mem::take(&mut self.escaped) {
            sink.text.push('\\');
        }
    }
}

/// Combines `letter` with `mark`.
fn combine(letter: char, mark: char) -> Option<char> {
    let marked = MARKED.iter().find(|row| (row.0, row.1) == (letter, mark));
    if let Some((_, _, whole)) = marked {
        return Some(*whole);
    }
    let tone = TONES.find(mark)?;
    let small = letter.to_lowercase().next()?;
    let (_, forms) = TONED.iter().find(|(plain, _)| *plain == small)?;
    let toned = forms.chars().nth(tone)?;
    if letter == small {
        Some(toned)
    } else {
        toned.to_uppercase().next()
    }
}

#[cfg(test)]
mod tests {
    use crate::{Charset, charset::Decoder};

    #[track_caller]
    fn check(octets: &[u8], text: &str) {
        let viqr = Charset::for_label("VIQR").unwrap();
        let decoded = viqr.decode(octets);
        assert_eq!(decoded.as_str(), text);
        for cut in 0..=octets.len() {
            let mut in_pieces = Decoder::new(viqr);
            let (first, second) = octets.split_at(cut);
            let mut pieces = in_pieces.push(first).to_owned();
            pieces += in_pieces.push(second);
            let rest = in_pieces.finish();
            pieces += rest.as_str();
            assert_eq!(pieces, text, "cut at {cut}");
            assert_eq!(rest.report(), decoded.report(), "cut at {cut}");
        }
    }

    #[test]
    fn accents_join_the_letter_before_them() {
        check(
            b"To^i ye^u tie^'ng nu+o+'c to^i tu+` khi mo+'i ra ddo+`i\\.",
            "Tôi yêu tiếng nước tôi từ khi mới ra đời.",
        );
        check(b"DDu+'c Ddu+'c", "Đức Đức");
    }

    #[test]
    fn punctuation_without_a_letter_is_kept() {
        check(b"n. x? (b) 1+1 e+ ''", "n. x? (b) 1+1 e+ ''");
        // The mark precedes the tone; a letter has one tone.
        check(b"a'^ a''", "á^ á'");
    }

    #[test]
    fn a_backslash_escapes_punctuation() {
        check(b"a\\? d\\d \\\\ a\\^", "a? dd \\ a^");
        check(b"C:\\", "C:\\");
    }

    #[test]
    fn octets_above_7f_are_malformed() {
        let viqr = Charset::for_label("VIQR").unwrap();
        let decoded = viqr.decode(b"a\xE9'");
        assert_eq!(decoded.as_str(), "a\u{FFFD}'");
        assert_eq!(decoded.report().findings()[0].offset(), 1);
    }
}
