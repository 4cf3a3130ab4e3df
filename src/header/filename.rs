//! Safe file names (RFC 2183, section 2.3; Microsoft, "Naming Files, Paths, and Namespaces").

use super::classes::{is_invisible, is_joiner};

/// Maximum length of a file name in octets of UTF-8. File systems allow 255 octets or UTF-16 units; the
/// difference leaves room for suffixes that programs append, such as ` (1)` and `.part`.
///
/// ```
/// use mime_charset::header::{MAX_FILENAME, safe_filename};
///
/// let name = safe_filename(&format!("{}.pdf", "é".repeat(500)), "").unwrap();
/// assert!(name.len() <= MAX_FILENAME && name.ends_with("é.pdf"));
/// ```
pub const MAX_FILENAME: usize = 240;

/// Maximum length of an extension in octets; a longer one is part of the name.
const MAX_EXTENSION: usize = 32;

/// Makes a file name safe on any system. `None` if no part of `name` is usable.
///
/// Folders become part of the name, separated by `_`. `.`, `..`, drives, control characters,
/// bidirectional controls, zero-width characters, and leading and trailing full stops and white space are
/// removed. Other characters that Windows forbids become `_`, and a reserved name such as `CON` or
/// `nul.txt` gets the prefix `_`. A long name is truncated before its extension, to [`MAX_FILENAME`]
/// octets.
///
/// If `extension` is not empty, the result ends in a full stop and the extension, which are added if
/// missing. An extension has at most 32 octets. Different names may become the same: ask before you
/// overwrite a file.
///
/// ```
/// use mime_charset::header::safe_filename;
///
/// let safe = |name| safe_filename(name, "");
/// assert_eq!(safe("../../etc/passwd").as_deref(), Some("etc_passwd"));
/// assert_eq!(safe("invoice\u{202E}fdp.exe").as_deref(), Some("invoicefdp.exe"));
/// assert_eq!(safe("con.txt").as_deref(), Some("_con.txt"));
/// assert_eq!(safe(" ... "), None);
/// assert_eq!(safe_filename("Größe.TXT", "txt").as_deref(), Some("Größe.TXT"));
/// assert_eq!(safe_filename("Bericht 3/99", "txt").as_deref(), Some("Bericht 3_99.txt"));
/// ```
#[must_use]
pub fn safe_filename(name: &str, extension: &str) -> Option<String> {
    let mut safe = allowed(name)?;
    let mut ending = 0;
    if let Some(extension) = allowed(extension).filter(|it| it.len() <= MAX_EXTENSION) {
        ending = extension.len() + 1;
        let dot = safe.len().checked_sub(ending);
        let has = |at: usize| {
            let end = safe.get(at..).and_then(|end| end.strip_prefix('.'));
            at > 0 && end.is_some_and(|end| end.eq_ignore_ascii_case(&extension))
        };
        if !dot.is_some_and(has) {
            safe = format!("{safe}.{extension}");
        }
    }
    if is_reserved(&safe) {
        safe.insert(0, '_');
    }
    if safe.len() > MAX_FILENAME {
        safe = truncate(&safe, ending);
        // Truncation before white space may leave a reserved name.
        if is_reserved(&safe) {
            safe.insert(0, '_');
        }
    }
    Some(safe)
}

/// The allowed characters of a name, trimmed at both ends.
fn allowed(name: &str) -> Option<String> {
    let mut safe = String::with_capacity(name.len());
    for (index, folder) in name.split(['/', '\\']).enumerate() {
        let is_drive = |folder: &str| matches!(folder.as_bytes(), [_, b':']);
        if index == 0 && is_drive(folder) && folder.len() < name.len() {
            continue;
        }
        let start = safe.len();
        for character in folder.chars() {
            let last = safe.get(start..).and_then(|text| text.chars().next_back());
            push_allowed(&mut safe, last, character);
        }
        let folder = trim(safe.get(start..).unwrap_or_default()).to_owned();
        safe.truncate(start);
        if !folder.is_empty() {
            if start > 0 {
                safe.push('_');
            }
            safe.push_str(&folder);
        }
    }
    Some(safe).filter(|safe| !safe.is_empty())
}

/// Appends a character, or its replacement, after `last`.
fn push_allowed(safe: &mut String, last: Option<char>, character: char) {
    let joins = is_joiner(character);
    match character {
        '<' | '>' | ':' | '"' | '|' | '?' | '*' => safe.push('_'),
        // A run of blanks could push the extension out of view.
        _ if character.is_whitespace() => match last {
            Some(last) if last.is_whitespace() => {}
            _ if character.is_control() || matches!(character, '\u{2028}' | '\u{2029}') => {
                safe.push(' ');
            }
            _ => safe.push(character),
        },
        // Joiners spell words in Persian and Indic scripts, and join emoji.
        _ if joins && last.is_none_or(|last| last.is_ascii() || is_joiner(last)) => {}
        _ if is_hidden(character) => {}
        _ => safe.push(character),
    }
}

/// Trims the characters that Windows removes from both ends of a name; on Unix, a leading full stop
/// hides a file.
fn trim(name: &str) -> &str {
    name.trim_matches(|it: char| it == '.' || it.is_whitespace() || is_joiner(it))
}

/// Whether a character is invisible, blank like the Hangul fillers, or one of the tags that spell flags.
fn is_hidden(character: char) -> bool {
    is_invisible(character)
        || matches!(
            character,
            '\u{E0000}'
                ..='\u{E007F}' | '\u{115F}' | '\u{1160}' | '\u{2800}' | '\u{3164}' | '\u{FFA0}'
        )
}

/// Whether Windows reserves a name, with any extension.
fn is_reserved(name: &str) -> bool {
    const DEVICES: [&str; 6] = ["con", "prn", "aux", "nul", "conin$", "conout$"];
    const NUMBERED: [&str; 2] = ["com", "lpt"];
    let base = name.split('.').next().unwrap_or_default().trim_end();
    let is = |device: &&str| base.eq_ignore_ascii_case(device);
    let is_numbered = |device: &&str| {
        let (start, number) = base.split_at_checked(device.len()).unwrap_or_default();
        let is_digit = |it: char| it.is_ascii_digit() || matches!(it, '¹' | '²' | '³');
        start.eq_ignore_ascii_case(device)
            && number.chars().count() == 1
            && number.starts_with(is_digit)
    };
    DEVICES.iter().any(is) || NUMBERED.iter().any(is_numbered)
}

/// Truncates a name to [`MAX_FILENAME`], keeping its last `ending` octets, or its extension if `ending`
/// is 0.
fn truncate(name: &str, ending: usize) -> String {
    /// Maximum number of combining marks kept with their letter.
    const MAX_MARKS: usize = 16;
    let dot = name
        .rfind('.')
        .filter(|dot| name.len() - dot <= MAX_EXTENSION);
    let end = if ending > 0 {
        name.len() - ending
    } else {
        dot.unwrap_or(name.len())
    };
    let (stem, extension) = name.split_at_checked(end).unwrap_or((name, ""));
    let most = MAX_FILENAME.saturating_sub(extension.len());
    let ends = stem
        .char_indices()
        .map(|(at, next)| (at, continues_letter(next)));
    let ends = ends.rev().skip_while(|(at, _)| *at > most);
    let mut ends = ends.take(MAX_MARKS).peekable();
    let last = ends.peek().map_or(0, |(at, _)| *at);
    let end = ends
        .find(|(_, continues)| !continues)
        .map_or(last, |(at, _)| at);
    let stem = trim(stem.get(..end).unwrap_or_default());
    format!("{stem}{extension}")
}

/// Whether a character belongs to the preceding letter: most combining marks, vowels and final
/// consonants of conjoining Hangul, joiners, and emoji modifiers.
fn continues_letter(character: char) -> bool {
    is_joiner(character)
        || matches!(
            character,
            '\u{300}'..='\u{36F}' | '\u{1160}'..='\u{11FF}' | '\u{1AB0}'..='\u{1AFF}'
            | '\u{1DC0}'..='\u{1DFF}' | '\u{20D0}'..='\u{20FF}' | '\u{3099}' | '\u{309A}'
            | '\u{FE00}'..='\u{FE0F}' | '\u{FE20}'..='\u{FE2F}' | '\u{1F3FB}'..='\u{1F3FF}'
        )
}
