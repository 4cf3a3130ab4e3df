//! Detects messages whose text Rmail of Emacs has decoded.
//!
//! From version 20 on, Rmail decoded the text of messages on import, recorded the coding system in
//! the field X-Coding-System, and wrote the file in one coding system: Emacs's own, emacs-mule, or
//! another. The octets in such a file may differ from those delivered, and the declared charset
//! does not apply. Only Emacs can restore them: `unrmail` does.

use super::headers::header;
use super::lines::{Lines, after_name, part};
use crate::error::Error;

/// ESC, which begins the escape sequences of ISO-2022 charsets.
const ESCAPE: u8 = 0x1B;

/// The evidence, if any, that the octets of a message in a Babyl file differ from the delivered
/// ones.
///
/// Escape sequences are doubtful if the field X-Coding-System names a coding system. Octets above
/// 7F are doubtful if the field names one, or if all of these octets are characters of emacs-mule.
pub(super) fn decoding(message: &[u8]) -> Option<Error> {
    let is_plain = message.is_ascii() && !message.contains(&ESCAPE);
    if is_plain {
        return None;
    }
    let name = coding_system(message).filter(|name| !is_raw(name));
    let from = match name {
        Some(name) => String::from_utf8_lossy(name).into_owned(),
        None if !message.is_ascii() && is_emacs_mule(message) => "another charset".to_owned(),
        None => return None,
    };
    Some(Error::new(format!(
        "Rmail of Emacs decoded its text from {from}, so its octets may differ from those \
         delivered; M-x unrmail in Emacs restores them in a new mailbox"
    )))
}

/// The body of the field X-Coding-System.
fn coding_system(message: &[u8]) -> Option<&[u8]> {
    const NAME: &[u8] = b"X-Coding-System:";
    let octets = part(message, 0..header(message).1);
    Lines::new(octets, 0)
        .find_map(|line| after_name(part(octets, line), NAME).map(<[u8]>::trim_ascii))
}

/// Whether an Emacs coding system leaves octets unchanged, or the name means none.
fn is_raw(name: &[u8]) -> bool {
    let name = [&b"-unix"[..], b"-dos", b"-mac"]
        .iter()
        .find_map(|line_ends| name.strip_suffix(*line_ends))
        .unwrap_or(name);
    matches!(
        name,
        b"" | b"nil" | b"undecided" | b"raw-text" | b"no-conversion" | b"binary"
    )
}

/// Whether all octets above 7F are characters of emacs-mule (Emacs 22, `src/charset.h`): an octet
/// for the charset, then as many octets from A0 on as that charset requires.
fn is_emacs_mule(octets: &[u8]) -> bool {
    let mut rest = octets;
    while let Some(at) = rest.iter().position(|octet| !octet.is_ascii()) {
        let [first, after @ ..] = part(rest, at..rest.len()) else {
            break;
        };
        let length = match first {
            0x81..=0x8F => 1,
            0x90..=0x9B => 2,
            0x9C | 0x9D => 3,
            _ => return false,
        };
        let Some((character, after)) = after.split_at_checked(length) else {
            return false;
        };
        if character.iter().any(|octet| *octet < 0xA0) {
            return false;
        }
        rest = after;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::super::read;
    use super::{is_emacs_mule, is_raw};

    const OPTIONS: &str = "BABYL OPTIONS: -*- rmail -*-\nVersion: 5\nLabels:\n\u{1F}";

    /// Emacs 28.2 writes these characters of the Latin, Greek and Cyrillic scripts, of Thai,
    /// Hangul, Chinese, Vietnamese, and Braille as these octets in emacs-mule.
    #[test]
    fn emacs_mule_is_recognized_by_its_octets() {
        let characters = b"\x81\xE9 \x82\xBF \x83\xB1\x84\xA2 \x85\xA1 \x86\xE1 \x87\xD9 \x89\xB6 \x8C\xCF \
              \x95\xE9\xC7\x93\xC7\xD1\x91\xBA\xBA \x9A\xA2\xD5 \x8F\xF0 \x9C\xF2\xA8\xA0 \x9D\xF7\xA1\xA6";
        assert!(is_emacs_mule(characters));
        // "Привет" in KOI8-R, "é" in UTF-8, quotation marks of windows-1252, "日" in Shift_JIS.
        for other in [
            &b"\xF0\xD2\xC9\xD7\xC5\xD4"[..],
            b"\xC3\xA9",
            b"\x93a\x94",
            b"\x93\xFA",
            b"\x81",
        ] {
            assert!(!is_emacs_mule(other), "{other:?}");
        }
        assert!(is_raw(b"raw-text-unix") && is_raw(b"nil") && !is_raw(b"cyrillic-koi8-unix"));
    }

    #[test]
    fn text_decoded_by_rmail_is_detected() {
        let told = |name: &str, text: &[u8]| {
            let (head, tail) = (
                format!("{OPTIONS}\u{C}\n0,,\n*** EOOH ***\n{name}\n\n"),
                "\n\u{1F}",
            );
            let file = [head.as_bytes(), text, tail.as_bytes()].concat();
            let stored = read(&file[..]).next().unwrap().unwrap();
            let error = stored.decoded_by_rmail();
            error.map(|error| error.to_string())
        };
        let koi8 = b"\xF0\xD2";
        let mule = b"\x8C\xBF\x8C\xE0";
        assert!(
            told("X-Coding-System: cyrillic-koi8", mule)
                .unwrap()
                .contains("cyrillic-koi8")
        );
        // The file's coding system may be koi8-r as well.
        assert!(
            told("x-coding-system:koi8-r-unix", koi8)
                .unwrap()
                .contains("koi8-r-unix")
        );
        assert!(told("X: y", mule).unwrap().contains("another charset"));
        assert_eq!(told("X-Coding-System: nil", koi8), None);
        assert_eq!(told("X: y", koi8), None);
        assert_eq!(told("X-Coding-System: koi8-r", b"text"), None);
        assert_eq!(told("X: y", b"\x1B$BF|\x1B(B"), None);
        let named = told("X-Coding-System: iso-2022-jp", b"\x1B$BF|\x1B(B");
        assert!(named.unwrap().contains("iso-2022-jp"));
        let mbox = [b"From a Sat Jan  3 01:05:34 1996\n\n", &mule[..]].concat();
        assert_eq!(
            read(&mbox[..]).next().unwrap().unwrap().decoded_by_rmail(),
            None
        );
    }
}
