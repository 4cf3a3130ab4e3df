//! Reports encoded words that depart from RFC 2047.

use super::classes::{is_blank, may_be_in_phrase};
use super::encoded_word::{
    EncodedWord, Place, WordEncoding, WordForm, is_encoded_text, is_word_token, label_and_language,
    quoted_charset,
};
use crate::report::{Kind, Report};

impl EncodedWord<'_> {
    /// Reports each departure of the word from RFC 2047, including the rules for its place.
    #[inline]
    pub(super) fn report(&self, body: &[u8], report: &mut Report) {
        let mut add = |kind, detail| report.add(kind, self.offset(), self.length(), detail);
        if let Some(detail) = place_violation(
            body,
            self.offset(),
            self.offset() + self.length(),
            self.place(),
        ) {
            add(Kind::EncodedWordPlace, detail);
        }
        let is_strict = self.form == WordForm::Strict;
        if !is_strict || self.charset.contains(&b'*') {
            for detail in charset_violations(self.charset) {
                add(Kind::EncodedWordSyntax, detail);
            }
        }
        if !is_strict {
            for detail in text_violations(self) {
                add(Kind::EncodedWordSyntax, detail);
            }
        }
        let mut octets = self.text.iter().copied();
        let must_be_encoded = self.encoding() == WordEncoding::Q
            && match self.place() {
                Place::Comment => octets.any(|octet| matches!(octet, b'(' | b')' | b'\\')),
                Place::Phrase if is_strict => !octets.all(may_be_in_phrase),
                Place::Phrase => {
                    octets.any(|octet| is_encoded_text(octet) && !may_be_in_phrase(octet))
                }
                _ => false,
            };
        if must_be_encoded {
            let detail = "characters that must be encoded in this place";
            add(Kind::EncodedWordSyntax, detail);
        }
        if self.length() > MAX_WORD {
            add(Kind::EncodedWordLength, "more than 75 characters");
        }
    }
}

/// Maximum length of an encoded word in octets (RFC 2047, section 2).
pub(crate) const MAX_WORD: usize = 75;

/// The rule of RFC 2047, section 5, that the word at `at..end` violates, if any.
fn place_violation(body: &[u8], at: usize, end: usize, place: Place) -> Option<&'static str> {
    let in_comment = place == Place::Comment;
    match place {
        Place::QuotedString => return Some("an encoded word in a quoted string"),
        Place::Parameter => return Some("an encoded word in a parameter"),
        Place::Text | Place::Comment | Place::Phrase => {}
    }
    let before = at.checked_sub(1).and_then(|before| body.get(before));
    let after = body.get(end);
    let separates = |octet: Option<&u8>, parenthesis: u8| {
        octet.is_none_or(|&octet| is_blank(octet) || (in_comment && octet == parenthesis))
    };
    if !separates(before, b'(') {
        Some("no white space before an encoded word")
    } else if !separates(after, b')') {
        Some("no white space after an encoded word")
    } else {
        None
    }
}

fn charset_violations(charset: &[u8]) -> impl Iterator<Item = &'static str> {
    let (label, language) = label_and_language(charset);
    let has_star = charset.contains(&b'*');
    [
        (quoted_charset(charset).is_ok()).then_some("a charset in quotes"),
        label
            .is_empty()
            .then_some("an encoded word without a charset"),
        (!label.iter().copied().all(is_word_token))
            .then_some("a charset with characters that an encoded word may not have"),
        (has_star && language.is_none()).then_some("a star without a language"),
    ]
    .into_iter()
    .flatten()
}

fn text_violations(word: &EncodedWord<'_>) -> impl Iterator<Item = &'static str> {
    let (text, form) = (word.text, word.form);
    // A word of this form may also have a blank inside its final `?=`.
    let whole = if form == WordForm::Spaced {
        text
    } else {
        word.source()
    };
    let has_blank = |of: fn(u8) -> bool| whole.iter().copied().any(of);
    let has = |of: fn(u8) -> bool| text.iter().copied().any(of);
    let is_line_end = |octet: u8| matches!(octet, b'\r' | b'\n');
    let is_white = |octet: u8| matches!(octet, b' ' | b'\t');
    let is_odd = |octet: u8| octet >= 0x7F || (octet < b' ' && !is_blank(octet));
    let folded = has_blank(is_line_end);
    let is_break = |two: &[u8]| matches!(two, [b'=', blank] if is_blank(*blank));
    let breaks = word.encoding() == WordEncoding::Q && text.windows(2).any(is_break);
    [
        text.is_empty().then_some("an encoded word without text"),
        word.has_encoding_name()
            .then_some("the name of an encoding in place of its letter"),
        folded.then_some("a fold inside an encoded word"),
        (!folded && has_blank(is_white)).then_some("white space inside an encoded word"),
        has(|octet| octet == b'?').then_some("a question mark inside an encoded word"),
        has(is_odd).then_some("octets inside an encoded word that are not printable ASCII"),
        breaks.then_some("an equals sign before white space inside an encoded word"),
        (form == WordForm::Spaced).then_some("white space around the charset or the encoding"),
        (form == WordForm::Unclosed).then_some("an encoded word without its last ?="),
    ]
    .into_iter()
    .flatten()
}
