//! Classes of octets in structured fields (RFC 5322, section 3.2; RFC 2045, section 5.1).

const TOKEN: u8 = 1;
const BLANK: u8 = 2;
const SPECIAL: u8 = 4;
/// An octet allowed unescaped in a Q word of a phrase.
const PHRASE_TEXT: u8 = 8;
/// An octet of an atom that begins neither an encoded word nor an ISO 2022 run.
const PLAIN_ATOM: u8 = 16;
/// An octet that ends a quoted string, or begins a quoted pair, a fold or an ISO 2022 run in it.
const QUOTE_STOP: u8 = 32;

const CLASSES: [u8; 256] = {
    let mut classes = [0; 256];
    let mut octet = 0_u8;
    loop {
        let class = match octet {
            b' ' | b'\t' | b'\r' | b'\n' => BLANK,
            // An escape counts as special: the octets after it may belong to an ISO 2022 run and not be
            // syntax.
            b'\\' | ESCAPE | b'(' | b')' | b'"' | b'<' | b'>' | b'@' | b',' | b';' | b':'
            | b'[' | b']' => SPECIAL,
            b'/' | b'?' | b'=' => 0,
            0x21..=0x7E => TOKEN,
            _ => 0,
        };
        let class = match class & (BLANK | SPECIAL) {
            0 if octet != b'=' => class | PLAIN_ATOM,
            _ => class,
        };
        let class = match octet {
            b'0'..=b'9'
            | b'A'..=b'Z'
            | b'a'..=b'z'
            | b'!'
            | b'*'
            | b'+'
            | b'-'
            | b'/'
            | b'='
            | b'_' => class | PHRASE_TEXT,
            _ => class,
        };
        let class = match octet {
            b'"' | b'\\' | ESCAPE | b'\r' | b'\n' => class | QUOTE_STOP,
            _ => class,
        };
        #[expect(
            clippy::indexing_slicing,
            reason = "the array has an element for every octet, and the compiler runs this"
        )]
        {
            classes[octet as usize] = class;
        }
        if octet == u8::MAX {
            break;
        }
        octet += 1;
    }
    classes
};

fn is(octet: u8, class: u8) -> bool {
    let classes = CLASSES.get(usize::from(octet)).copied().unwrap_or(0);
    classes & class != 0
}

/// The first octet of an ISO 2022 escape.
pub(super) const ESCAPE: u8 = 0x1B;

/// An octet of a token: 21 to 7E except tspecials.
pub(super) fn is_token(octet: u8) -> bool {
    is(octet, TOKEN)
}

/// Whether an octet may be literal in a Q word of a phrase (RFC 2047, section 5, rule 3).
pub(super) fn may_be_in_phrase(octet: u8) -> bool {
    is(octet, PHRASE_TEXT)
}

/// Linear white space, including line endings.
pub(super) fn is_blank(octet: u8) -> bool {
    is(octet, BLANK)
}

/// Whether an octet belongs to an atom and needs no further check. Includes the full stop, octets above
/// 7F (RFC 6532, section 3.2) and controls: no rule allows controls, but an address with a control should
/// not be lost. Excludes white space, other specials, and the equals sign, which may begin an encoded
/// word.
pub(super) fn is_plain_atom(octet: u8) -> bool {
    is(octet, PLAIN_ATOM)
}

/// Whether an octet ends a quoted string, or begins a quoted pair, a fold or an ISO 2022 run in it.
pub(super) fn is_quote_stop(octet: u8) -> bool {
    is(octet, QUOTE_STOP)
}

/// Whether an octet is a special other than the full stop. Such an octet ends an atom.
pub(super) fn is_special(octet: u8) -> bool {
    is(octet, SPECIAL)
}

/// Whether a character has no glyph: controls, soft hyphens, zero-width characters except the joiners,
/// and bidirectional controls.
pub(crate) fn is_invisible(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{AD}' | '\u{34F}' | '\u{61C}' | '\u{180E}' | '\u{200B}' | '\u{200E}' | '\u{200F}'
                | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{FEFF}'
                | '\u{FFF9}'..='\u{FFFB}'
        )
}

/// Zero width non-joiner and joiner.
pub(crate) fn is_joiner(character: char) -> bool {
    matches!(character, '\u{200C}' | '\u{200D}')
}
