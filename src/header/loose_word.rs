//! Encoded words that break the grammar, as real mailers write them.
//!
//! The grammar is tried first, then [`loose_word`].

use memchr::memchr;
use nom::IResult;
use nom::Parser;
use nom::bytes::complete::{tag, take, take_while, take_while1};
use nom::error::ErrorKind;
use nom::sequence::delimited;

use super::classes::is_blank;
use super::encoded_word::{
    EncodedWord, WordEncoding, WordForm, encoded_text, encoded_word, encoding, has_blank, word,
    word_token,
};
use super::opening::opening;
use super::token::{line_ends, lines, no_match, slice, token, trim_end, trim_start};
use crate::report::{Kind, Report};
use crate::transfer::two_hexadecimal;
use crate::work::work;

/// The encoded word at `at`, wherever it may stand.
pub(crate) fn any_word(body: &[u8], at: usize) -> Option<EncodedWord<'_>> {
    word_at(body, at, body.len(), &mut Report::new())
}

/// The encoded word at `at`, unless it extends beyond `end`. A word that cannot be parsed is reported.
#[inline]
pub(super) fn word_at<'a>(
    body: &'a [u8],
    at: usize,
    end: usize,
    report: &mut Report,
) -> Option<EncodedWord<'a>> {
    let input = slice(body, at, end);
    let word = if let Ok((rest, word)) = encoded_word(input) {
        question_mark_before_escape(input, rest, &word).unwrap_or(word)
    } else if !may_open(input) {
        return None;
    } else if let Ok((_, word)) = loose_word(input) {
        word
    } else {
        report_unparsed(input, at, report);
        return None;
    };
    let length = word.length();
    let word = word.at(at);
    if word.is_none() {
        let detail = "an encoded word of more than 8192 octets";
        report.add(Kind::EncodedWordKept, at, length, detail);
    }
    word
}

/// A word in which a bare question mark precedes an escape, as in `=?utf-8?Q?Why?=3F?=`. Two hexadecimal
/// digits follow the first `?=`, so the word continues.
///
/// PHP scripts that write Q text by hand do not escape the question mark. `None` if white space precedes
/// the second `?=`: the first `?=` ends the word.
fn question_mark_before_escape<'a>(
    input: &'a [u8],
    rest: &'a [u8],
    strict: &EncodedWord<'a>,
) -> Option<EncodedWord<'a>> {
    if strict.encoding != WordEncoding::Q || two_hexadecimal(rest).is_none() {
        return None;
    }
    let (_, longer) = loose_word(input).ok()?;
    let plain = longer.form != WordForm::Unclosed && longer.text.len() > strict.text.len();
    (plain && !longer.text.iter().copied().any(is_blank)).then_some(longer)
}

/// An encoded word that breaks the grammar. It ends with `?=`, or before the next word.
///
/// It may have white space and question marks in Q text, raw octets above 7F, a fold, or no text. Some
/// mailers write an unencoded subject between `=?utf-8?Q?` and `?=`, and some relays fold inside words.
fn loose_word(input: &[u8]) -> IResult<&[u8], EncodedWord<'_>> {
    let (after_opening, (charset, encoding, form)) = loose_opening(input)?;
    let (region, is_last) = before_next_word(after_opening);
    let (text, length, form) = if let Some(length) = closing(region, encoding) {
        (slice(region, 0, length), length + 2, form)
    } else if let Some((text, length)) = split_closing(region) {
        (text, length, form)
    } else if let Some(text) =
        unclosed_text(region, encoding).filter(|_| is_last && form == WordForm::Loose)
    {
        (text, trim_end(region).len(), WordForm::Unclosed)
    } else {
        return Err(no_match(input, ErrorKind::Tag));
    };
    let rest = after_opening.get(length..).unwrap_or_default();
    Ok((rest, word(input, rest, charset, encoding, text, form)))
}

/// An encoded word at the start of a phrase, with characters that a phrase may not have: quotes, commas,
/// parentheses, white space.
///
/// Some scripts write an unencoded name between `=?utf-8?Q?` and `?=`: `=?utf-8?Q?"Doe, Joe"?=
/// <joe@example.org>`. The word is accepted only if its text cannot be an address or a group, and if
/// white space, `<`, `(`, a comma or the end of the field follows.
pub(super) fn loose_phrase_word(input: &[u8]) -> IResult<&[u8], ()> {
    let (region, (_, encoding, _)) = loose_opening(input)?;
    let (near, _) = before_next_word(region);
    let is_syntax = |octet: &u8| matches!(octet, b'<' | b'>' | b'@' | b':' | b';');
    let end = near.iter().position(is_syntax).unwrap_or(near.len());
    let length = closing(slice(near, 0, end), encoding).map(|length| length + 2);
    let rest = length.and_then(|length| region.get(length..));
    let separates = |octet: &u8| is_blank(*octet) || matches!(octet, b'<' | b'(' | b',');
    match rest {
        Some(rest) if rest.first().is_none_or(separates) => Ok((rest, ())),
        _ => Err(no_match(input, ErrorKind::Tag)),
    }
}

/// Whether `input`, which begins with `=?`, may be a loose word.
pub(super) fn may_open(input: &[u8]) -> bool {
    match input {
        // `=?=?` is the start of another word, unless the second equals sign is the charset.
        [b'=', b'?', b'=', rest @ ..] if rest.starts_with(b"?") => encoding(rest).is_ok(),
        [b'=', b'?', next, ..] if is_blank(*next) => spaced_opening(input).is_ok(),
        [b'=', b'?', next, ..] => *next > b' ' && *next != 0x7F,
        _ => false,
    }
}

/// Charset, encoding and form of a word, from its opening.
type Opening<'a> = (&'a [u8], WordEncoding, WordForm);

/// `=?charset?encoding?` with any charset. It may be empty, in quotes, or have characters that RFC 2047,
/// section 2, excludes.
///
/// glibc calls US-ASCII `ANSI_X3.4-1968`, and cron writes that name in subjects, though a full stop is
/// not allowed. Old PHP mailers leave the charset empty.
fn loose_opening(input: &[u8]) -> IResult<&[u8], Opening<'_>> {
    let (rest, _) = tag("=?")(input)?;
    let (rest, charset) =
        take_while(|octet: u8| octet > b' ' && octet != 0x7F && octet != b'?')(rest)?;
    work(charset.len());
    let Ok((rest, encoding)) = encoding(rest).or_else(|_| encoding_by_name(rest)) else {
        return spaced_opening(input);
    };
    Ok((rest, (charset, encoding, WordForm::Loose)))
}

/// The name of a Content-Transfer-Encoding, or `qp`, instead of the letter B or Q (RFC 2047, section 4).
fn encoding_by_name(input: &[u8]) -> IResult<&[u8], WordEncoding> {
    let (rest, name) = delimited(tag("?"), word_token, tag("?")).parse(input)?;
    let is_any = |names: &[&str]| {
        names
            .iter()
            .any(|it| name.eq_ignore_ascii_case(it.as_bytes()))
    };
    if is_any(&["base64"]) {
        Ok((rest, WordEncoding::B))
    } else if is_any(&["quoted-printable", "qp"]) {
        Ok((rest, WordEncoding::Q))
    } else {
        Err(no_match(input, ErrorKind::OneOf))
    }
}

/// Like [`loose_opening`], with white space or folds around the charset or the encoding. Some templates
/// write blanks there, and some relays fold at any question mark. The charset must look like a label,
/// since prose has question marks and single letters too.
fn spaced_opening(input: &[u8]) -> IResult<&[u8], Opening<'_>> {
    let blanks = |input| Ok((trim_start(input), ()));
    let charset = delimited((tag("=?"), blanks), word_token, (blanks, tag("?")));
    let letter = delimited(blanks, take(1_usize), (blanks, tag("?")));
    let (rest, (charset, letter)) = (charset, letter).parse(input)?;
    let looks_like_charset = |octet: &u8| octet.is_ascii_digit() || *octet == b'-';
    let encoding = match letter {
        b"B" | b"b" => WordEncoding::B,
        b"Q" | b"q" => WordEncoding::Q,
        _ => return Err(no_match(input, ErrorKind::OneOf)),
    };
    if !charset.iter().any(looks_like_charset) {
        return Err(no_match(input, ErrorKind::Verify));
    }
    Ok((rest, (charset, encoding, WordForm::Spaced)))
}

/// The octets before the next `=?charset?encoding?`, and whether there is no next one.
fn before_next_word(region: &[u8]) -> (&[u8], bool) {
    let mut from = 0;
    while let Some(at) = opening(region.get(from..).unwrap_or_default()) {
        let at = from + at;
        if loose_opening(region.get(at..).unwrap_or_default()).is_ok() {
            return (slice(region, 0, at), false);
        }
        from = at + 2;
    }
    (region, true)
}

/// The offset of the `?=` that ends a word: the first `?=`. In Q, a `?=` followed by two hexadecimal
/// digits may be a bare question mark before an escape, so the first `?=` without digits is preferred.
fn closing(region: &[u8], encoding: WordEncoding) -> Option<usize> {
    work(region.len());
    let mut last = None;
    let mut from = 0;
    // Preparing a search for both octets takes longer than searching most words.
    while let Some(found) = memchr(b'?', region.get(from..).unwrap_or_default()) {
        let at = from + found;
        from = at + 1;
        if region.get(from) != Some(&b'=') {
            continue;
        }
        last = Some(at);
        let after = region.get(at + 2..).unwrap_or_default();
        if encoding == WordEncoding::B || two_hexadecimal(after).is_none() {
            break;
        }
    }
    last
}

/// The text of a word whose `?=` is split by a fold or a blank, and the length of the text with the split
/// `?=`. Some relays fold anywhere. The text must follow the grammar, since prose has question marks and
/// equals signs too.
fn split_closing(region: &[u8]) -> Option<(&[u8], usize)> {
    let (rest, text) = encoded_text(region).ok()?;
    let following = rest.strip_prefix(b"?")?;
    let after = trim_start(following).strip_prefix(b"=")?;
    let is_split = following.first().copied().is_some_and(is_blank);
    (is_split && two_hexadecimal(after).is_none()).then_some((text, region.len() - after.len()))
}

/// The text of a word without its `?=`, or with half of it: some mailers truncate subjects. Q text with
/// white space or folds may be prose and is rejected.
fn unclosed_text(region: &[u8], encoding: WordEncoding) -> Option<&[u8]> {
    work(region.len());
    let text = trim_end(region);
    let text = text.strip_suffix(b"?").unwrap_or(text);
    let unfolded = |(at, line)| match encoding {
        WordEncoding::B if at > 0 => trim_start(line),
        _ => line,
    };
    let prose = text.is_empty() || lines(text).map(unfolded).any(has_blank);
    (!prose).then_some(text)
}

/// Reports octets that are clearly meant as an encoded word but cannot be parsed as one.
fn report_unparsed(input: &[u8], at: usize, report: &mut Report) {
    if let Ok((rest, _)) = loose_opening(input) {
        let length = input.len() - rest.len();
        let detail = "an encoded word that does not end";
        report.add(Kind::EncodedWordKept, at, length, detail);
    } else if let Ok((rest, ())) = unknown_encoding(input) {
        let length = input.len() - rest.len();
        let detail = "an encoded word with an encoding other than B and Q";
        report.add(Kind::EncodedWordKept, at, length, detail);
    } else if let Ok((rest, ())) = folded_charset(input) {
        let length = input.len() - rest.len();
        let detail = "an encoded word with a fold in its charset";
        report.add(Kind::EncodedWordKept, at, length, detail);
    }
}

/// The opening of an encoded word with a fold inside its charset. The halves do not name a charset.
fn folded_charset(input: &[u8]) -> IResult<&[u8], ()> {
    let (input, _) = tag("=?")(input)?;
    let (input, _) = word_token(input)?;
    let (rest, _) = line_ends(input).ok_or_else(|| no_match(input, ErrorKind::CrLf))?;
    let (rest, _) = take_while1(is_blank)(rest)?;
    let (rest, _) = word_token(rest)?;
    let (rest, _) = encoding(rest)?;
    Ok((rest, ()))
}

/// An encoded word with an encoding other than B and Q, which is kept verbatim (RFC 2047, section 6.2).
fn unknown_encoding(input: &[u8]) -> IResult<&[u8], ()> {
    let (input, _) = tag("=?")(input)?;
    let (input, _) = word_token(input)?;
    let (input, _) = delimited(tag("?"), token, tag("?")).parse(input)?;
    let (input, _) = encoded_text(input)?;
    let (input, _) = tag("?=")(input)?;
    Ok((input, ()))
}

#[cfg(test)]
mod tests {
    use super::EncodedWord;
    use crate::header::tests::{kinds, shown};
    use crate::header::{Piece, Syntax, pieces};

    #[track_caller]
    fn read(body: &str, expected: &str, findings: &str) {
        let found = pieces(body.as_bytes(), Syntax::Unstructured);
        assert_eq!(shown(found.as_slice()), expected);
        assert_eq!(kinds(found.report()), findings);
    }

    #[test]
    fn letters_of_either_case() {
        read(
            "=?UTF-8?b?YQ==?= =?utf-8?q?a?=",
            "{Text UTF-8 B YQ==}~ {Text utf-8 Q a}",
            "",
        );
    }

    #[test]
    fn no_white_space_around() {
        read(
            "a=?utf-8?Q?b?=c",
            "a{Text utf-8 Q b}c",
            "encoded-word-place",
        );
        read(
            "=?utf-8?Q?a?==?utf-8?Q?b?=",
            "{Text utf-8 Q a}{Text utf-8 Q b}",
            "encoded-word-place encoded-word-place",
        );
    }

    #[test]
    fn empty_encoded_text() {
        read("=?utf-8?Q??= a", "{Text utf-8 Q } a", "encoded-word-syntax");
        read("=?utf-8?B??=", "{Text utf-8 B }", "encoded-word-syntax");
    }

    #[test]
    fn white_space_and_question_marks_in_the_text() {
        read(
            "=?utf-8?Q?a b?= c",
            "{Text utf-8 Q a b} c",
            "encoded-word-syntax",
        );
        read(
            "=?utf-8?Q?a?b?= c",
            "{Text utf-8 Q a?b} c",
            "encoded-word-syntax",
        );
        read(
            "=?utf-8?Q?a??= c",
            "{Text utf-8 Q a?} c",
            "encoded-word-syntax",
        );
        let both = "encoded-word-syntax encoded-word-syntax";
        read("=?utf-8?Q?Who? Me?=", "{Text utf-8 Q Who? Me}", both);
        read(
            "=?utf-8?Q?a b?= =?utf-8?Q?c d?=",
            "{Text utf-8 Q a b}~ {Text utf-8 Q c d}",
            both,
        );
    }

    #[test]
    fn question_mark_before_an_escape() {
        read(
            "=?utf-8?Q?Why?=3F?= a",
            "{Text utf-8 Q Why?=3F} a",
            "encoded-word-syntax",
        );
        // White space ends the word; text follows.
        read(
            "=?utf-8?Q?a?=20 b?=",
            "{Text utf-8 Q a}20 b?=",
            "encoded-word-place",
        );
        read(
            "=?utf-8?Q?a?=20",
            "{Text utf-8 Q a}20",
            "encoded-word-place",
        );
    }

    #[test]
    fn truncated_final_delimiter() {
        read("=?utf-8?Q?abc", "{Text utf-8 Q abc}", "encoded-word-syntax");
        read(
            "=?utf-8?B?YWJj?",
            "{Text utf-8 B YWJj}",
            "encoded-word-syntax",
        );
        read(
            "=?utf-8?B?YW\r\n Jj",
            "{Text utf-8 B YWJj}",
            "encoded-word-syntax encoded-word-syntax",
        );
        read(
            "=?utf-8?Q?is how words begin",
            "=?utf-8?Q?is how words begin",
            "encoded-word-kept",
        );
        read("=?utf-8?Q?", "=?utf-8?Q?", "encoded-word-kept");
    }

    #[test]
    fn folded_in_the_middle() {
        read(
            "=?utf-8?B?YW\r\n Jj?=",
            "{Text utf-8 B YWJj}",
            "encoded-word-syntax",
        );
        read(
            "=?utf-8?Q?a_b\r\n\tc?=",
            "{Text utf-8 Q a_bc}",
            "encoded-word-syntax",
        );
        read(
            "=?utf-8?Q?a b\r\n c?=",
            "{Text utf-8 Q a b c}",
            "encoded-word-syntax",
        );
    }

    #[test]
    fn raw_octets_in_the_text() {
        read(
            "=?utf-8?Q?\u{e9}?=",
            "{Text utf-8 Q \\xc3\\xa9}",
            "encoded-word-syntax",
        );
    }

    #[test]
    fn charsets_not_allowed_in_words() {
        read(
            "=?\"utf-8\"?Q?a?=",
            "{Text utf-8 Q a}",
            "encoded-word-syntax",
        );
        read("=??Q?a?=", "{Text  Q a}", "encoded-word-syntax");
        read(
            "=?ANSI_X3.4-1968?Q?a?=",
            "{Text ANSI_X3.4-1968 Q a}",
            "encoded-word-syntax",
        );
        read(
            "=?ISO_8859-1:1987?Q?a?=",
            "{Text ISO_8859-1:1987 Q a}",
            "encoded-word-syntax",
        );
        read("=?utf-8*?Q?a?=", "{Text utf-8 Q a}", "encoded-word-syntax");
    }

    #[test]
    fn lookalikes_of_words_are_kept() {
        for text in ["=?", "=? =?", "a =?= b", "=?utf-8?=", "=?utf-8?a?=", "1=?2"] {
            read(text, text, "");
        }
        read("=?utf-8?X?a?=", "=?utf-8?X?a?=", "encoded-word-kept");
    }

    #[test]
    fn words_of_any_length_up_to_the_limit() {
        let word = |length: usize| format!("=?utf-8?Q?{}?=", "a".repeat(length - 12));
        read(
            &word(75),
            &format!("{{Text utf-8 Q {}}}", "a".repeat(63)),
            "",
        );
        read(
            &word(76),
            &format!("{{Text utf-8 Q {}}}", "a".repeat(64)),
            "encoded-word-length",
        );
        let longest = word(EncodedWord::MAX_LENGTH);
        let found = pieces(longest.as_bytes(), Syntax::Unstructured);
        assert!(matches!(found.as_slice(), [Piece::Word(word)] if word.length() == 8192));
        let longer = word(EncodedWord::MAX_LENGTH + 1);
        read(&longer, &longer, "encoded-word-kept");
    }

    #[test]
    fn a_word_has_its_source() {
        let body = b"one\r\n =?utf-8*en?q?t=77o?= three";
        let found = pieces(body, Syntax::Unstructured);
        let [
            Piece::Text(one),
            Piece::Text(blank),
            Piece::Word(two),
            Piece::Text(three),
        ] = found.as_slice()
        else {
            panic!("{found:?}");
        };
        assert_eq!((one.octets(), one.offset()), (&b"one"[..], 0));
        assert_eq!((blank.octets(), blank.offset()), (&b" "[..], 5));
        assert_eq!(
            (two.source(), two.offset()),
            (&b"=?utf-8*en?q?t=77o?="[..], 6)
        );
        assert_eq!((two.language(), two.length()), (Some(&b"en"[..]), 20));
        assert_eq!((three.octets(), three.offset()), (&b" three"[..], 26));
    }
}
