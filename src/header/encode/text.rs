//! Text, phrases and comments.

use super::lines::{
    COMMENT, FoldedLines, LINE, MIN_WORD, PHRASE, TextPiece, UNSTRUCTURED, pieces, written,
};
use crate::header::encoded_word::{Place, WordEncoding};

/// The body of an unstructured field, such as Subject or Comments (RFC 2047, section 5, rule 1).
///
/// Any text can be encoded. Empty text is an empty body.
///
/// ```
/// use mime_charset::header::encode;
///
/// assert_eq!(encode::unstructured("Plain text", 9), "Plain text");
/// assert_eq!(encode::unstructured("Das Café macht auf", 9), "Das =?UTF-8?B?Q2Fmw6k=?= macht auf");
/// assert_eq!(encode::unstructured("Öffnungszeiten", 9), "=?UTF-8?Q?=C3=96ffnungszeiten?=");
/// assert_eq!(encode::unstructured("invoice\r\nBcc: two", 9), "=?UTF-8?Q?invoice=0D=0ABcc:?= two");
/// assert_eq!(encode::unstructured("=?UTF-8?Q?x?=", 9), "=?UTF-8?B?PT9VVEYtOD9RP3g/PQ==?=");
/// ```
#[must_use]
pub fn unstructured(text: &str, column: usize) -> String {
    // Some readers show a fold before the first word as a blank. A first word that does not fit after the
    // field name is therefore encoded: encoded words can continue in the next line.
    let begins_here = column <= 1 || column + MIN_WORD > LINE;
    let width = if begins_here { LINE } else { LINE - column };
    written(text, column, |lines| {
        lines.pieces(pieces(text, &UNSTRUCTURED, width), &UNSTRUCTURED, 0);
    })
}

/// A phrase: a display name or a keyword (RFC 5322, section 3.2.5; RFC 2047, section 5, rule 3).
///
/// ASCII text is written as atoms or as a quoted string. Other text is written as encoded words and,
/// where possible, atoms. Empty text is the quoted string `""`.
///
/// ```
/// use mime_charset::header::encode;
///
/// assert_eq!(encode::phrase("Mary Smith", 6), "Mary Smith");
/// assert_eq!(encode::phrase("Smith, Mary \"May\"", 6), r#""Smith, Mary \"May\"""#);
/// assert_eq!(encode::phrase("Jürgensen Peter", 6), "=?UTF-8?Q?J=C3=BCrgensen?= Peter");
/// ```
#[must_use]
pub fn phrase(text: &str, column: usize) -> String {
    written(text, column, |lines| lines.phrase(text, 0))
}

/// A comment in parentheses (RFC 5322, section 3.2.2; RFC 2047, section 5, rule 2).
///
/// Any text can be encoded; parentheses and backslashes in it become quoted pairs.
///
/// ```
/// use mime_charset::header::encode;
///
/// assert_eq!(encode::comment("Central European Time", 37), "(Central European Time)");
/// assert_eq!(encode::comment("a (b)", 0), r"(a \(b\))");
/// assert_eq!(encode::comment("Größe", 0), "(=?UTF-8?B?R3LDtsOfZQ==?=)");
/// ```
#[must_use]
pub fn comment(text: &str, column: usize) -> String {
    let pieces = pieces(text, &COMMENT, LINE);
    let mut starts = pieces.clone();
    let first = match (starts.next(), starts.next()) {
        (None, _) => 1,
        (Some(piece @ TextPiece::Plain(_)), Some(_)) => piece.room(&COMMENT),
        (Some(piece), _) => piece.room(&COMMENT) + 1,
    };
    written(text, column, |lines| {
        // Readers would show a fold after the parenthesis as a blank, so the fold is before it.
        lines.make_room(1 + first, 0);
        lines.put("(");
        lines.can_fold = false;
        lines.pieces(pieces.clone(), &COMMENT, 1);
        lines.put(")");
    })
}

/// Phrases separated by commas: the body of Keywords (RFC 5322, section 3.6.5). Each phrase is written as
/// by [`phrase`].
///
/// ```
/// use mime_charset::header::encode;
///
/// let keywords = encode::phrases(["Größe", "a, b", "plain"], "Keywords: ".len());
/// assert_eq!(keywords, "=?UTF-8?B?R3LDtsOfZQ==?=, \"a, b\", plain");
/// ```
#[must_use]
pub fn phrases<'a>(phrases: impl IntoIterator<Item = &'a str>, column: usize) -> String {
    let mut lines = FoldedLines::new(column);
    for (index, phrase) in phrases.into_iter().enumerate() {
        let write = |lines: &mut FoldedLines| lines.phrase(phrase, 1);
        if index > 0 {
            lines.append_after(",", 1, write);
        } else {
            write(&mut lines);
        }
    }
    lines.written
}

/// Text as encoded words only, to be inserted into an existing line. The first word begins at
/// `column`, and each further word begins a line of its own. The words name `language` if it is not
/// empty (RFC 2231, section 5).
///
/// If no word fits after `column`, a short word is written anyway. The caller folds before it if there is
/// a blank.
pub(crate) fn words(text: &str, place: Place, language: &str, column: usize) -> String {
    let place = match place {
        Place::Text => &UNSTRUCTURED,
        _ => &PHRASE,
    };
    let starred = match language {
        "" => String::new(),
        language => format!("*{language}"),
    };
    let mut lines = FoldedLines::new(column);
    // Growth by doubling would take twice the memory. Two of three octets in a line are text.
    let length = WordEncoding::of(text, place).length(text, place);
    lines.written.reserve(length + length / 3);
    lines.encoded_words(text, place, &starred, 0);
    lines.written
}
