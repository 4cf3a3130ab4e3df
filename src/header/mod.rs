//! Parses the structure of field bodies.
//!
//! A field body is the text between the colon and the last line ending of a field, including its folds
//! (RFC 5322, section 2.2). Values are undecoded octets with the label of their charset: this module
//! parses the syntax of mail, and does not decode charsets. It recognizes runs of ISO-2022-JP, because
//! their octets may look like syntax, and encoded words that contain a closing quote. No function here
//! fails: each violation of a standard is a finding in the report of the result, with its offset in the
//! body.
//!
//! - [`content_type`](content_type()), [`content_disposition`](content_disposition()) and
//!   [`content_transfer_encoding`](content_transfer_encoding()) parse the fields of MIME (RFC 2045, RFC 2183,
//!   RFC 2231);
//! - [`message_ids`], [`uris`] and [`received`](received()) parse identifiers, mailing list links and trace
//!   fields (RFC 5322, section 3.6; RFC 2369; RFC 5321, section 4.4);
//! - [`base_subject`] and [`safe_filename`] derive names for threads and files (RFC 5256);
//! - [`date`](date()) parses a date with its time of day and zone (RFC 5322, section 3.3);
//! - [`pieces`] splits any field into text and encoded words (RFC 2047), for display.
//!
//! A structured field is parsed before its encoded words are decoded, and each word is one [`Piece`]. So
//! the text of a word cannot become an address, parameter, field or line.
//!
//! Each function tries the rule of the standard before the lenient rules that real mail needs.
//!
//! ```
//! use mime_charset::header;
//!
//! let field = header::content_type(b" text/plain; charset=KOI8-R (Russian)");
//! assert_eq!(field.media_type(), "text/plain");
//! assert_eq!(field.charset().unwrap().as_bytes(), b"KOI8-R");
//!
//! let field = header::content_type(b" text/plain charset=koi8-r");
//! assert_eq!(field.charset().unwrap().as_bytes(), b"koi8-r");
//! let finding = &field.report().findings()[0];
//! assert_eq!(finding.to_string(), "missing-semicolon at 12: a parameter without a semicolon before it");
//! ```

use memchr::memchr;

mod address;
mod builder;
mod classes;
mod content_disposition;
mod content_transfer_encoding;
mod content_type;
mod damaged_parameter;
mod date;
pub mod encode;
mod encoded_word;
mod few;
mod filename;
mod identifier;
mod language;
mod lexeme;
mod loose_word;
mod one_parameter;
mod opening;
mod parameter;
mod piece;
mod raw_text;
mod received;
mod section;
mod subject;
mod syntax;
mod token;
mod word_findings;

pub(crate) use address::{
    Entry, MAX_ADDRESSES, WrittenMailbox, first_mailbox, read as read_addresses,
};
use builder::Builder;
#[cfg(test)]
use builder::parameter_pieces;
pub(crate) use classes::{is_invisible, is_joiner};
pub use content_disposition::{ContentDisposition, content_disposition};
pub use content_transfer_encoding::{ContentTransferEncoding, content_transfer_encoding};
pub use content_type::{ContentType, content_type};
pub(crate) use content_type::{second_charset, type_and_boundary, type_and_charset};
pub(crate) use date::received_date;
pub use date::{Date, date};
pub use encoded_word::{EncodedWord, Place, WordEncoding};
pub(crate) use few::Few;
pub use filename::{MAX_FILENAME, safe_filename};
pub use identifier::{Identifier, Identifiers, message_ids, uris};
pub(crate) use language::language_tags;
use lexeme::{Class, Lexemes};
pub(crate) use loose_word::any_word;
pub use one_parameter::Parameter;
pub(crate) use opening::{has_opening, text_length};
pub(crate) use parameter::may_have as may_have_parameter;
pub use piece::{Piece, Pieces, Text};
pub(crate) use raw_text::raw_texts;
pub use received::{Clause, Received, received};
pub use subject::{BaseSubject, base_subject};
pub use syntax::{Syntax, syntax};
use token::slice;
pub use token::unfold;
pub(crate) use token::{lines, trim};
pub(crate) use word_findings::MAX_WORD;

/// A whole field body as text and encoded words, on one line.
///
/// The texts and the sources of the words, joined, are the whole body, including quotes, comments,
/// addresses and the white space after the colon. Two things are removed: the line endings of folds, and
/// the `?=` after a quoted string that ends inside an encoded word, as in `"=?utf-8?Q?=C3=A9"?=`. Encoded
/// words are recognized where RFC 2047, section 5, allows them in this syntax. In quoted strings, in
/// parameters, and without surrounding white space, they are recognized with a finding. Elsewhere they
/// are text. Accepts any octets.
///
/// ```
/// use mime_charset::header::{Piece, Place, Syntax, pieces};
///
/// let from = pieces(b" =?utf-8?Q?J=C3=B8rn?= <joern@example.org>", Syntax::Addresses);
/// let Piece::Word(word) = &from.as_slice()[1] else { unreachable!() };
/// assert_eq!((word.place(), &*word.encoded_text()), (Place::Phrase, &b"J=C3=B8rn"[..]));
/// let Piece::Text(text) = &from.as_slice()[2] else { unreachable!() };
/// assert_eq!(text.octets(), b" <joern@example.org>");
/// assert!(from.report().is_empty());
/// ```
#[must_use]
pub fn pieces(body: &[u8], syntax: Syntax) -> Pieces<'_> {
    let mut builder = Builder::new(body);
    add_words(&mut builder, syntax);
    builder.finish()
}

/// Adds the encoded words of the whole body, and the text before each, to a builder.
fn add_words(builder: &mut Builder<'_>, syntax: Syntax) {
    let body = builder.body;
    match syntax {
        Syntax::Unstructured => builder.add_words_in(0, body.len(), Place::Text),
        _ if !has_opening(body) => {}
        Syntax::Addresses => address::words(body, builder),
        Syntax::Phrases | Syntax::Parameters | Syntax::Opaque => {
            structured_words(body, syntax, builder);
        }
    }
}

/// Finds the encoded words of a structured field other than an address list.
fn structured_words<'a>(body: &'a [u8], syntax: Syntax, builder: &mut Builder<'a>) {
    let (quoted, atoms) = match syntax {
        Syntax::Phrases => (Some(Place::QuotedString), Some(Place::Phrase)),
        Syntax::Parameters => (Some(Place::Parameter), Some(Place::Parameter)),
        _ => (None, None),
    };
    let mut lexemes = Lexemes::new(body);
    lexemes.words = atoms.is_some();
    lexemes.parameters = syntax == Syntax::Parameters;
    // The range of consecutive atoms and white space.
    let mut run = (0, 0);
    // Whether the lexeme is in the name of a parameter. The equals sign after the name begins no encoded
    // word.
    let mut in_name = false;
    builder.value = (syntax == Syntax::Parameters).then_some(0);
    while let Some(lexeme) = lexemes.next() {
        if in_name
            && matches!(lexeme.class, Class::Atom | Class::Word)
            && let Some(found) = memchr(b'=', slice(body, lexeme.start, lexeme.end))
        {
            in_name = false;
            let value = lexeme.start + found + 1;
            builder.value = Some(value);
            run = (value, value);
            lexemes.resume_at(slice(body, value, body.len()));
            continue;
        }
        in_name |= syntax == Syntax::Parameters && lexeme.class == Class::Special(b';');
        if matches!(lexeme.class, Class::Atom | Class::Word | Class::Blank) {
            run.1 = lexeme.end;
            continue;
        }
        builder.add_words_or_text(run.0, run.1, atoms);
        run = (lexeme.end, lexeme.end);
        match lexeme.class {
            Class::Comment => {
                builder.add_words_in(lexeme.inner().0, lexeme.inner().1, Place::Comment);
            }
            Class::Quoted => {
                builder.in_quotes = true;
                builder.add_words_or_text(lexeme.inner().0, lexeme.inner().1, quoted);
                builder.in_quotes = false;
                builder.end_quotes(&lexeme);
            }
            _ => {}
        }
    }
    builder.add_words_or_text(run.0, run.1, atoms);
    builder.record_open_quotes(&lexemes.field.report);
}

#[cfg(test)]
mod tests {
    use super::{
        Piece, Syntax, content_transfer_encoding, content_type, pieces, read_addresses, syntax,
    };
    use std::ops::ControlFlow;

    use crate::report::Report;
    use crate::work::work_of;

    /// Pieces in one line: texts verbatim, words in braces, `~` before white space between words.
    pub(super) fn shown(pieces: &[Piece<'_>]) -> String {
        let one = |piece: &Piece<'_>| match piece {
            Piece::Text(text) => {
                let mark = if text.between_words() { "~" } else { "" };
                format!("{mark}{}", String::from_utf8_lossy(text.octets()))
            }
            Piece::Word(word) => {
                let (text, label) = (word.encoded_text(), word.label());
                let text = text.escape_ascii();
                format!(
                    "{{{:?} {label} {:?} {text}}}",
                    word.place(),
                    word.encoding()
                )
            }
        };
        pieces.iter().map(one).collect()
    }

    /// The kinds of the findings, in order.
    pub(super) fn kinds(report: &Report) -> String {
        let kinds: Vec<_> = report
            .findings()
            .iter()
            .map(|finding| finding.kind().name())
            .collect();
        kinds.join(" ")
    }

    #[track_caller]
    fn read(body: &str, syntax: Syntax, expected: &str, findings: &str) {
        let found = pieces(body.as_bytes(), syntax);
        assert_eq!(shown(found.as_slice()), expected);
        assert_eq!(kinds(found.report()), findings);
    }

    const ALL: [Syntax; 5] = [
        Syntax::Unstructured,
        Syntax::Addresses,
        Syntax::Phrases,
        Syntax::Parameters,
        Syntax::Opaque,
    ];

    #[test]
    fn names_of_fields() {
        let of = |names: &[&str], expected| {
            for name in names {
                assert_eq!(syntax(name.as_bytes()), expected, "{name}");
            }
        };
        of(
            &[
                "Subject",
                "Comments",
                "Content-Description",
                "X-To",
                "",
                "Organization",
            ],
            Syntax::Unstructured,
        );
        let long = "x".repeat(100);
        of(&[&long], Syntax::Unstructured);
        of(
            &[
                "From",
                "SENDER",
                "reply-to",
                "To",
                "Cc",
                "Bcc",
                "Resent-From",
                "Return-Path",
            ],
            Syntax::Addresses,
        );
        of(
            &[
                "Disposition-Notification-To",
                "Errors-To",
                "Delivered-To",
                "Apparently-To",
            ],
            Syntax::Addresses,
        );
        of(&["Keywords"], Syntax::Phrases);
        of(
            &[
                "Content-Type",
                "Content-Disposition",
                "Content-Transfer-Encoding",
            ],
            Syntax::Parameters,
        );
        of(
            &[
                "Date",
                "Message-ID",
                "References",
                "Received",
                "MIME-Version",
                "Content-ID",
            ],
            Syntax::Opaque,
        );
    }

    #[test]
    fn plain_text_is_one_piece_of_any_syntax() {
        for syntax in ALL {
            read(
                " a \"b\" <c@d.test> (e); f=g",
                syntax,
                " a \"b\" <c@d.test> (e); f=g",
                "",
            );
            let found = pieces(b" plain", syntax);
            assert!(matches!(found.list, super::Few::One(_)));
            assert!(pieces(b"", syntax).as_slice().is_empty());
        }
    }

    #[test]
    fn folds_separate_texts() {
        for ends in ["\r\n", "\n", "\r", "\r\r\n", "\r\n\r\n"] {
            let body = format!(" a{ends} b{ends}\tc");
            for syntax in ALL {
                let found = pieces(body.as_bytes(), syntax);
                assert_eq!(found.as_slice().len(), 3, "{body:?}");
                assert_eq!(shown(found.as_slice()), " a b\tc");
                assert!(found.report().is_empty());
            }
            assert_eq!(*super::unfold(body.as_bytes()), *b" a b\tc");
        }
    }

    #[test]
    fn line_endings_that_are_not_folds_are_kept() {
        read(
            "a\rb\n c\r",
            Syntax::Unstructured,
            "a\rb c\r",
            "bare-line-end bare-line-end",
        );
        assert_eq!(*super::unfold(b"a\rb\n c\r"), *b"a\rb c\r");
    }

    #[test]
    fn pieces_cover_an_address_list() {
        read(
            " =?utf-8?Q?a?= (=?utf-8?Q?b?=) <=?utf-8?Q?c?=@d.test>,\r\n \"=?utf-8?Q?e?=\" <f@d.test>",
            Syntax::Addresses,
            " {Phrase utf-8 Q a} ({Comment utf-8 Q b}) <=?utf-8?Q?c?=@d.test>, \
             \"{QuotedString utf-8 Q e}\" <f@d.test>",
            "encoded-word-kept encoded-word-place",
        );
        read(
            "=?utf-8?Q?a?=@d.test, b =?utf-8?Q?c?= d@d.test",
            Syntax::Addresses,
            "=?utf-8?Q?a?=@d.test, b {Phrase utf-8 Q c} d@d.test",
            "encoded-word-kept",
        );
        read(
            "\"=?utf-8?Q?a?=\"@d.test",
            Syntax::Addresses,
            "\"=?utf-8?Q?a?=\"@d.test",
            "encoded-word-kept",
        );
    }

    #[test]
    fn words_after_the_last_piece_have_no_findings() {
        let word = "=?utf-8?Q??=";
        let count = super::Pieces::MAX_COUNT;
        let body = word.repeat(count + 1000);
        let found = pieces(body.as_bytes(), Syntax::Unstructured);
        assert_eq!(found.as_slice().len(), count);
        let last = found.report().findings().last().unwrap();
        assert_eq!(last.kind(), crate::Kind::LimitReached);
        assert_eq!(last.offset(), count * word.len());
        assert_eq!(last.length(), 1000 * word.len());
    }

    #[test]
    fn phrases_between_commas() {
        read(
            "=?utf-8?Q?a?= b, \"=?utf-8?Q?c?=\" (=?utf-8?Q?d?=)",
            Syntax::Phrases,
            "{Phrase utf-8 Q a} b, \"{QuotedString utf-8 Q c}\" ({Comment utf-8 Q d})",
            "encoded-word-place",
        );
    }

    #[test]
    fn words_in_parameters_are_read_and_reported() {
        read(
            "a/b; c=\"=?utf-8?Q?d?=\"; e==?utf-8?Q?f?=; (=?utf-8?Q?g?=)",
            Syntax::Parameters,
            "a/b; c=\"{Parameter utf-8 Q d}\"; e={Parameter utf-8 Q f}; ({Comment utf-8 Q g})",
            "encoded-word-place encoded-word-place",
        );
    }

    #[test]
    fn opaque_fields_have_words_only_in_comments() {
        read(
            "<=?utf-8?Q?a?=@d.test> \"=?utf-8?Q?b?=\" (=?utf-8?Q?c?= (=?utf-8?Q?d?=))",
            Syntax::Opaque,
            "<=?utf-8?Q?a?=@d.test> \"=?utf-8?Q?b?=\" ({Comment utf-8 Q c} ({Comment utf-8 Q d}))",
            "encoded-word-kept encoded-word-kept",
        );
    }

    /// The joined pieces are the field without the line endings of its folds.
    #[test]
    fn no_octet_is_lost_or_doubled() {
        let bodies = [
            "",
            " ",
            "=?",
            "=?a?Q?b?=",
            "=?a?Q?b?= =?a?B?c?=",
            "\"=?a?Q?b?=\" <a@b>, c",
            "((=?a?Q?b?=",
            "\"=?a?Q?b",
            "a/b; c=\"=?a?Q?b?=; d",
            "\\\"=?a?Q?b?=",
            "<=?a?Q?b>?=>",
            "[=?a?Q?b?=",
            "=?a?Q?b c?= d\r\n e",
            ":;,<>@=?a?Q?b?=;:",
            "=?a?Q?,<?=@x",
            "a=?a?Q?(?=b(c)",
        ];
        for body in bodies {
            for syntax in ALL {
                let found = pieces(body.as_bytes(), syntax);
                let source = |piece: &Piece<'_>| match piece {
                    Piece::Text(text) => text.octets().to_vec(),
                    Piece::Word(word) => word.source().to_vec(),
                };
                let all: Vec<u8> = found.as_slice().iter().flat_map(source).collect();
                assert_eq!(all, *super::unfold(body.as_bytes()), "{body:?} {syntax:?}");
            }
        }
    }

    type ReadField<'r> = &'r dyn Fn(&[u8]);

    /// Fragments of hostile fields.
    const SHAPES: [&str; 70] = [
        "=? ",
        "=?utf-8?Q?",
        "=?utf-8?Q?a?=",
        "=?utf-8?Q?a b ",
        "=?utf-8?Q?a?=20",
        "=?a",
        "=",
        "=?utf-8?X?a",
        "?=",
        "(",
        ")",
        "()",
        "(\\",
        "\"",
        "\"\"",
        "\"\\",
        "\\\"",
        "\"(",
        "(\"",
        ";",
        ";;\"",
        "a*0*=",
        "a*9999=x;",
        "a=x;",
        "a*1=b(c ",
        "a*1=\"b\"c ",
        "a=\"b\"c ",
        "a=\"b\";",
        "a*0=b ",
        "<",
        ">",
        "<>",
        "<a>",
        ",",
        "<@,",
        ":;",
        ":",
        "@",
        "a@",
        ".@",
        "a ",
        "a\r\n ",
        "\r\n",
        "\r",
        " ",
        "[",
        "[]",
        "\"[",
        "=?a?Q?\\?= \"",
        "y =?a?Q?b?=",
        "(a) ",
        "a:",
        "a@b:",
        "<a> b ",
        "=?a?Q?b?=@",
        "=?a?Q?b?= @",
        "=?a?Q?b?= (@",
        "*",
        "a**=",
        "'",
        "%",
        "a*=''%;",
        "a=",
        "a:",
        "/",
        "a/b;",
        "a(",
        "a=(",
        "\0",
        "\u{e9}",
    ];

    /// Time is linear: doubling the field about doubles the work, and all parsers together read
    /// each octet at most a hundred times.
    #[test]
    fn the_work_of_hostile_fields_is_linear() {
        let text = |body: &[u8]| {
            for syntax in ALL {
                drop(pieces(body, syntax));
            }
            drop(read_addresses(body, |_| ControlFlow::Continue(())));
            drop(super::unfold(body));
        };
        let dates = |body: &[u8]| drop((super::date(body), super::received_date(body)));
        let parameters = |body: &[u8]| {
            drop((content_type(body), content_transfer_encoding(body)));
            drop(super::parameter_pieces(
                body,
                std::iter::once(0..body.len()),
            ));
        };
        // The first half of the field, if it is not all shape: octets read once must not be read
        // again.
        let alone = [""].as_slice();
        let behind = ["", " ", "a ", "("].as_slice();
        let readings: [(&str, &[&str], ReadField<'_>); 9] = [
            ("", behind, &dates),
            ("; 4 Mar 1999 10:00:00 ", behind, &dates),
            ("", behind, &text),
            ("=?utf-8?Q?", alone, &text),
            ("<@", alone, &text),
            ("a/b; c=", behind, &text),
            ("a/b; ", alone, &parameters),
            ("a/b; c=\"", alone, &parameters),
            ("a/b; c*0*=", alone, &parameters),
        ];
        for (opening, all_before, read) in readings {
            for (before, shape) in all_before
                .iter()
                .flat_map(|it| SHAPES.map(|shape| (it, shape)))
            {
                let of = |length: usize| {
                    let (first, second) = match before.len() {
                        0 => (0, length),
                        _ => (length / 2 / before.len(), length / 2),
                    };
                    let second = shape.repeat(second / shape.len());
                    let body = format!("{opening}{}{second}", before.repeat(first));
                    work_of(|| read(body.as_bytes()))
                };
                // Longer than the longest word, so that both sizes take the same path.
                let (small, large) = (of(9 << 10), of(18 << 10));
                let message = format!("{opening:?} {before:?} {shape:?}: {small}, then {large}");
                assert!(large <= small * 9 / 4 + 4096, "{message}");
                assert!(large <= (18 << 10) * 100, "{message}");
            }
        }
    }
}
