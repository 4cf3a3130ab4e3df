//! Repairs labels that were damaged in transit.
//!
//! A gateway leaves quoted-printable in a label, a program copies half a field into the label, or a
//! user mistypes it. Each rule undoes one kind of damage seen in mail and is named in the finding.
//! Rules apply one after another until the result is in the list of labels, exactly or loosely.
//!
//! No rule guesses: the result must be in the list. A charset that does not exist, such as
//! ISO-8859-12 or windows-1259, stays unknown.

use super::labels::{Key, by_key, exact, loose};
use super::utf7::{NO_LETTER, sextet};

/// Repairs a damaged label. Returns its row in the list and the damage that was undone.
///
/// The label must be trimmed.
pub(super) fn repair(label: &[u8]) -> Option<(usize, String)> {
    let mut label = label.to_vec();
    let mut undone = Vec::new();
    // No known label needs more than five.
    for _ in 0..MAX_REPAIRS {
        let may_look_up = undone.is_empty() || is_long_enough(&label);
        if let Some(row) = exact(&label)
            .filter(|_| may_look_up)
            .or_else(|| loose(&label))
        {
            if undone.is_empty() {
                undone.push("blanks around it");
            }
            return Some((row, undone.join(", ")));
        }
        let (changed, what) = RULES
            .iter()
            .find_map(|(rule, what)| Some((rule(&label)?, *what)))?;
        label = changed;
        if !undone.contains(&what) {
            undone.push(what);
        }
    }
    None
}

/// The maximum number of repairs to one label.
const MAX_REPAIRS: usize = 10;

/// Undoes one kind of damage; `None` if the label has none.
type RepairRule = fn(&[u8]) -> Option<Vec<u8>>;

/// The rules, in order, and the damage that each undoes.
const RULES: [(RepairRule, &str); 14] = [
    (encoded_word, "an encoded word"),
    (quoted_printable, "quoted-printable"),
    (backslashes, "backslashes"),
    (dashes, "dashes for hyphens"),
    (ends, "punctuation around it"),
    (equals_sign, "3D, quoted-printable for an equals sign"),
    (charset_parameter, "the word charset"),
    (parentheses, "a description in parentheses"),
    (glued_word, "a word that does not belong to it"),
    (after_label, "text after it"),
    (locale, "a locale's name"),
    (private_prefix, "the prefix x-"),
    (code_page, "a code page's number"),
    (misspelling, "a misspelling"),
];

/// The row of a label that needs no further repair.
fn find(label: &[u8]) -> Option<usize> {
    exact(label)
        .filter(|_| is_long_enough(label))
        .or_else(|| loose(label))
}

/// Whether a repaired label is long enough to look up.
///
/// Damage can truncate a longer word to three characters or fewer, which may equal a short alias of
/// the registry.
fn is_long_enough(label: &[u8]) -> bool {
    label.len() > 3
        || [b"gbk", b"uhc"]
            .iter()
            .any(|short| label.eq_ignore_ascii_case(*short))
}

/// `=?utf-8?Q?utf-8?=`, from programs that encode every parameter.
fn encoded_word(label: &[u8]) -> Option<Vec<u8>> {
    let word = label.get(position(label, b"=?")? + 2..)?;
    let mut pieces = word.split(|&octet| octet == b'?').skip(1);
    Some(match (pieces.next(), pieces.next()) {
        (Some(b"q" | b"Q"), Some(text)) => hexadecimal(text, |_| true),
        (Some(b"b" | b"B"), Some(text)) => base64(text),
        // The encoded word's own charset is not the label.
        _ => Vec::new(),
    })
}

/// `=22utf-8=22`, `iso-8859=2D1`: a header encoded as quoted-printable.
///
/// Letters and digits are never encoded, so `iso=646` does not match.
fn quoted_printable(label: &[u8]) -> Option<Vec<u8>> {
    let decoded = hexadecimal(label, |octet| octet.is_ascii_punctuation());
    (decoded.len() < label.len()).then_some(decoded)
}

/// `\"euc-kr\"`: quoted pairs outside a quoted string.
fn backslashes(label: &[u8]) -> Option<Vec<u8>> {
    let without = label.iter().copied().filter(|&octet| octet != b'\\');
    label.contains(&b'\\').then(|| without.collect())
}

/// `utf–8` with a dash or a soft hyphen, from a word processor.
fn dashes(label: &[u8]) -> Option<Vec<u8>> {
    const DASHES: [char; 9] = [
        '\u{AD}', '\u{2010}', '\u{2011}', '\u{2012}', '\u{2013}', '\u{2014}', '\u{2015}',
        '\u{2212}', '\u{FF0D}',
    ];
    let text = std::str::from_utf8(label).ok()?;
    let replaced = || text.replace(DASHES, "-").into_bytes();
    text.contains(DASHES).then(replaced)
}

/// `'utf-8'`, `"utf-8`, `<iso-8859-5>,`, `.utf-8`, `=utf-8`, `utf-8;`.
fn ends(label: &[u8]) -> Option<Vec<u8>> {
    let start = label.iter().position(u8::is_ascii_alphanumeric)?;
    let last = label.iter().rposition(u8::is_ascii_alphanumeric)?;
    // `Cyrillic (KOI8-R)` keeps its parenthesis for `parentheses`.
    let end = match label.get(last + 1) {
        Some(b')') if label.get(start..last)?.contains(&b'(') => last + 2,
        _ => last + 1,
    };
    (end - start < label.len()).then_some(label.get(start..end)?.to_vec())
}

/// `3Dutf-8`, `3D"koi8-r"`: the equals sign of `charset=` was encoded as quoted-printable, and the
/// parser removed the first `=`.
fn equals_sign(label: &[u8]) -> Option<Vec<u8>> {
    match label {
        [b'3', b'D' | b'd', rest @ ..] if !rest.is_empty() => Some(rest.to_vec()),
        _ => None,
    }
}

/// `charset=gb2312`, `charset:utf-8`, `text/html; charset=utf-8`, `iso-8859-1; charset=utf-8`: the
/// first of two labels is used.
fn charset_parameter(label: &[u8]) -> Option<Vec<u8>> {
    const NAME: &[u8] = b"charset";
    let at = position(label, NAME)?;
    let before = label.get(..at)?;
    let first = ends(before).filter(|first| find(first).is_some());
    if let Some(first) = first.or_else(|| find(before).map(|_| before.to_vec())) {
        return Some(first);
    }
    let after = label.get(at + NAME.len()..)?.trim_ascii_start();
    match after {
        [b'=' | b':' | b'"' | b'\'', value @ ..] if !value.is_empty() => Some(value.to_vec()),
        _ => None,
    }
}

/// `Unicode (UTF-8)`, `Cyrillic (KOI8-R)`: a menu item, sent as a label.
///
/// The name before the parentheses may be a label of another charset: `Cyrillic (Windows)` is not
/// ISO-8859-5. That name is therefore used only if it contains a digit.
fn parentheses(label: &[u8]) -> Option<Vec<u8>> {
    let open = label.iter().position(|&octet| octet == b'(')?;
    let (outside, inside) = (label.get(..open)?, label.get(open + 1..)?);
    let close = inside.iter().position(|&octet| octet == b')');
    let inside = inside.get(..close.unwrap_or(inside.len()))?.trim_ascii();
    let outside = outside.trim_ascii();
    Some(match find(inside) {
        Some(_) => inside.to_vec(),
        None if outside.iter().any(u8::is_ascii_digit) => outside.to_vec(),
        None => Vec::new(),
    })
}

/// `windows-1252http-equivContent-Type`, `utf-8MIME-Version`, `utf-8return-path:`: a lost line
/// ending or quotation mark.
fn glued_word(label: &[u8]) -> Option<Vec<u8>> {
    const WORDS: [&[u8]; 9] = [
        b"http-equiv",
        b"mime-version",
        b"content-t",
        b"return-path",
        b"format=",
        b"delsp=",
        b"reply-type=",
        // MySQL's collations: `utf8_general_ci`, `latin1_swedish_ci`.
        b"_general_ci",
        b"_swedish_ci",
    ];
    let at = WORDS
        .iter()
        .filter_map(|word| position(label, word))
        .filter(|&at| at > 0)
        .min()?;
    Some(label.get(..at)?.to_vec())
}

/// `euc-jp;format=flowed`, `utf-8, iso-8859-1`, `utf-8*en`, `utf-8//TRANSLIT`,
/// `ISO-8859-15@euro`, `ISO-8859-5:1998` with the wrong year.
fn after_label(label: &[u8]) -> Option<Vec<u8>> {
    let ends = |octet: &u8| octet.is_ascii_whitespace() || b";,?*$&|#@<>\"'[]{}".contains(octet);
    let slashes = position(label, b"//");
    let year_suffix = label
        .len()
        .checked_sub(5)
        .filter(|&at| matches!(label.get(at..), Some([b':', year_suffix @ ..]) if year_suffix.iter().all(u8::is_ascii_digit)));
    let at = [label.iter().position(ends), slashes, year_suffix]
        .map(|at| at.unwrap_or(label.len()))
        .into_iter()
        .min()?;
    (at < label.len()).then_some(label.get(..at)?.to_vec())
}

/// `ru_RU.UTF-8`, `C.UTF-8`, `ja_JP.eucJP`: the value of LANG.
fn locale(label: &[u8]) -> Option<Vec<u8>> {
    let dot = label.iter().position(|&octet| octet == b'.')?;
    let (name, codeset) = (label.get(..dot)?, label.get(dot + 1..)?);
    let letters = |octets: &[u8]| octets.iter().all(u8::is_ascii_alphabetic);
    let is_locale = match name.iter().position(|&octet| octet == b'_') {
        Some(at) => {
            let (language, territory) = (name.get(..at)?, name.get(at + 1..)?);
            matches!(language.len(), 2 | 3)
                && territory.len() == 2
                && letters(language)
                && letters(territory)
        }
        None => matches!(name.len(), 1..=3) && letters(name),
    };
    is_locale.then_some(codeset.to_vec())
}

/// `x-utf-8`, `x-iso-8859-2`: a private name for a registered charset.
fn private_prefix(label: &[u8]) -> Option<Vec<u8>> {
    match label {
        [b'x' | b'X', b'-' | b'_', rest @ ..] => Some(rest.to_vec()),
        _ => None,
    }
}

/// `windows-28592`, `win-1250`, `cp-850`, `dos850`, `1251`: a Windows code page number after one of
/// the usual prefixes. IBM's numbers are another list, which agrees with Microsoft's only for 1250
/// to 1258.
fn code_page(label: &[u8]) -> Option<Vec<u8>> {
    let key = Key::of(label)?;
    let key = key.as_bytes();
    let letters = key.iter().take_while(|octet| octet.is_ascii_lowercase());
    let (prefix, number) = key.split_at_checked(letters.count())?;
    let value: u32 = std::str::from_utf8(number).ok()?.parse().ok()?;
    let is_known = match prefix {
        b"cp" | b"windows" | b"windowscp" | b"win" | b"ms" | b"codepage" | b"ansi" => true,
        b"dos" | b"msdos" => value < 1000,
        b"ibm" => (1250..=1258).contains(&value),
        b"" => value >= 1000,
        _ => false,
    };
    let name = format!("cp{value}").into_bytes();
    (is_known && find(&name).is_some() && name != label).then_some(name)
}

/// `uft-8`, `widnows-1251`: two letters swapped, and the misspellings of [`MISSPELLINGS`].
///
/// Digits are never swapped: ISO-8859-15 and ISO-8859-51 are different charsets.
fn misspelling(label: &[u8]) -> Option<Vec<u8>> {
    let key = Key::of(label)?;
    let key = key.as_bytes();
    for (wrong, right) in MISSPELLINGS {
        let Some(rest) = key.strip_prefix(wrong.as_bytes()) else {
            continue;
        };
        let corrected = [right.as_bytes(), rest].concat();
        let is_whole = rest.first().is_none_or(u8::is_ascii_digit);
        if is_whole && find(&corrected).is_some() {
            return Some(corrected);
        }
    }
    // A label without digits is too ambiguous.
    if !key.iter().any(u8::is_ascii_digit) {
        return None;
    }
    let mut found: Option<(usize, Vec<u8>)> = None;
    for at in 1..key.len() {
        let mut swapped = key.to_vec();
        let letters = swapped
            .get(at - 1..=at)?
            .iter()
            .all(u8::is_ascii_alphabetic);
        swapped.swap(at - 1, at);
        let row = Key::of(&swapped).filter(|_| letters).and_then(by_key);
        match (row, &found) {
            (Some(row), None) => found = Some((row, swapped)),
            // Ambiguous: two repairs are possible.
            (Some(row), Some((first, _))) if row != *first => return None,
            (None, _) | (Some(_), Some(_)) => {}
        }
    }
    found.map(|(_, key)| key)
}

/// Misspellings listed by other programs. Each is a prefix of a key, before a digit or the end of
/// the key, with its correction.
const MISSPELLINGS: [(&str, &str); 14] = [
    ("ut8", "utf8"),
    ("utr8", "utf8"),
    ("tf8", "utf8"),
    ("uf8", "utf8"),
    ("utff8", "utf8"),
    ("uttf8", "utf8"),
    ("window", "windows"),
    ("windowds", "windows"),
    ("windos", "windows"),
    ("iso8559", "iso8859"),
    ("so8859", "iso8859"),
    ("is8859", "iso8859"),
    ("siftjis", "shiftjis"),
    ("usasci", "usascii"),
];

/// The offset of `word`, in lower case, in `label`, ignoring ASCII case.
fn position(label: &[u8], word: &[u8]) -> Option<usize> {
    label
        .windows(word.len())
        .position(|window| window.eq_ignore_ascii_case(word))
}

/// Decodes each `=HH` whose octet is `wanted`; keeps the rest.
fn hexadecimal(text: &[u8], wanted: impl Fn(u8) -> bool) -> Vec<u8> {
    let digit = |octet: u8| {
        char::from(octet)
            .to_digit(16)
            .and_then(|digit| u8::try_from(digit).ok())
    };
    let mut octets = Vec::with_capacity(text.len());
    let mut rest = text;
    while let [octet, after @ ..] = rest {
        rest = after;
        octets.push(*octet);
        if let (b'=', [high, low, after @ ..]) = (octet, after)
            && let (Some(high), Some(low)) = (digit(*high), digit(*low))
            && wanted(high << 4 | low)
        {
            octets.pop();
            octets.push(high << 4 | low);
            rest = after;
        }
    }
    octets
}

/// Decodes base64 up to the first error. The result is short, like any label.
fn base64(text: &[u8]) -> Vec<u8> {
    let mut octets = Vec::with_capacity(text.len());
    let (mut bits, mut count) = (0_u32, 0);
    let values = text.iter().map(|&octet| sextet(octet));
    for value in values.take_while(|&value| value < NO_LETTER) {
        bits = bits << 6 & 0xFFFF | u32::from(value);
        count += 6;
        if count >= 8 {
            count -= 8;
            octets.extend(u8::try_from(bits >> count & 0xFF));
        }
    }
    octets
}

#[cfg(test)]
mod tests {
    use super::{base64, hexadecimal};

    #[test]
    fn the_two_encodings() {
        // RFC 4648, section 10, and RFC 2045, section 6.7.
        for (text, octets) in [("Zg==", "f"), ("Zm8=", "fo"), ("Zm9vYmFy", "foobar")] {
            assert_eq!(base64(text.as_bytes()), octets.as_bytes());
        }
        assert_eq!(hexadecimal(b"a=3D=3d=4=", |_| true), b"a===4=");
    }
}
