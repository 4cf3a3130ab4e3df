//! Fuzzing finds, each reduced to the smallest octets that show it, in `corpus/malformed/`.
//!
//! The laws of `tests/it/laws/` hold for all of them; each has a test of its own for its correct
//! result.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use mime_charset::charset::{Decoder, resolve};
use mime_charset::convert::{Conversion, Headers, OnMalformed, convert, verify};
use mime_charset::decode::Mailbox;
use mime_charset::header::{self, Parameter, Syntax, encode};
use mime_charset::message::Part;
use mime_charset::{Charset, Kind, Label, Message, Options, decode, utf8};

use crate::laws;

fn octets(name: &str) -> Vec<u8> {
    fs::read(Path::new("corpus/malformed").join(name)).unwrap()
}

/// Fuzz targets take their charset or options from the first octets: all targets read each file,
/// with several such prefixes.
#[test]
fn every_law_holds_for_every_file() {
    for file in fs::read_dir("corpus/malformed").unwrap() {
        let file = fs::read(file.unwrap().path()).unwrap();
        laws::label(&file);
        laws::utf8(&file);
        laws::transfer(&file);
        laws::content_type(&file);
        laws::addresses(&file);
        laws::detect(&file);
        laws::message(&file);
        #[cfg(feature = "mailparse")]
        laws::mailparse(&file);
        for choice in 0..8_u8 {
            let with = |count| [vec![choice; count], file.clone()].concat();
            laws::field(&with(1));
            laws::encode(&with(1));
            laws::convert(&with(2));
            laws::encoding_rs(&with(2));
            laws::charset(&with(4));
            laws::decide(&with(12));
        }
    }
}

/// Each file is described in the corpus README.
#[test]
fn every_file_has_its_caption() {
    let captions = fs::read_to_string("corpus/README.md").unwrap();
    for file in fs::read_dir("corpus/malformed").unwrap() {
        let name = file.unwrap().file_name().into_string().unwrap();
        assert!(captions.contains(&format!("| `{name}` |")), "{name}");
    }
}

/// Blanks are not damage that could have shortened a longer label to two letters. `l1` is an alias
/// of `ISO_8859-1:1987` in the IANA Character Sets registry.
#[test]
fn blanks_around_a_short_label() {
    let resolved = resolve(&Label::new(&octets("label-short-between-blanks.txt")));
    assert_eq!(
        resolved.charset.unwrap().registered_name(),
        "ISO_8859-1:1987"
    );
    assert_eq!(resolved.undone, "blanks around it");
}

/// RFC 2045, section 5.1: a value has at least one character. An equals sign left in it by a
/// template is not part of a charset's name.
#[test]
fn an_equals_sign_alone_is_not_a_charset() {
    let body = octets("charset-of-equals-sign-alone.txt");
    let content_type = header::content_type(&body);
    assert_eq!(content_type.charset(), None);
    assert!(content_type.report().has(Kind::MissingValue));
}

/// RFC 2231, section 4: `%0A%20` is two octets of the value, not a fold.
#[test]
fn a_line_end_in_a_value_is_kept() {
    let body = octets("parameter-line-end-beside-opening.txt");
    let disposition = header::content_disposition(&body);
    let name = disposition.parameter("filename").unwrap().text();
    assert_eq!(name.as_str(), "=?\n x");
    assert!(name.report().has(Kind::Control));
}

/// The addresses in `octets`, and those in their decoded text.
fn addresses(octets: &[u8]) -> (Vec<Vec<u8>>, Vec<Vec<u8>>) {
    let of = |octets: &[u8]| {
        let list = decode::addresses(octets);
        list.mailboxes()
            .map(Mailbox::octets)
            .map(<[u8]>::to_vec)
            .collect()
    };
    let text = decode::field(octets, Syntax::Addresses, &Options::new());
    (of(octets), of(text.as_str().as_bytes()))
}

/// RFC 2047, section 5, rule 3: an `addr-spec` has no encoded words. A word that touches one is
/// kept verbatim, and the text of another word must not join it when the decoded field is parsed
/// again.
#[test]
fn words_next_to_an_address_do_not_join_it() {
    for (name, address) in [
        (
            "address-word-glued-to-local-part.txt",
            "=?euc-kr?B?x9Gxub7u?==?@example.org",
        ),
        ("address-word-ends-in-dot.txt", "kim@example.org"),
        (
            "address-word-before-dot.txt",
            "=?utf-8?Q?chief?=.kim@example.org",
        ),
        ("address-word-begins-with-dot.txt", "kim@example"),
        ("address-empty-word-before-dot.txt", "kim@example"),
        ("address-backslash-before-word.txt", "kim@example.org"),
        ("address-word-in-open-word.txt", "?=kim@example.org"),
        ("address-two-words-in-open-word.txt", "?=@"),
    ] {
        let (written, read) = addresses(&octets(name));
        assert_eq!(written, [address.as_bytes()], "{name}");
        assert_eq!(read, written, "{name}");
    }
}

/// An unclosed quotation mark does not end at a quote inside a word.
#[test]
fn an_open_quote_is_not_closed_by_a_word() {
    let body = octets("address-open-quote-before-word.txt");
    let (_, read) = addresses(&body);
    assert!(
        read.iter().all(|address| !address.contains(&b'@')),
        "{read:?}"
    );
}

/// RFC 5321, section 2.3.8: in SMTP, CR and LF occur only as a line ending. An address that
/// contains one would be sent as two lines.
#[test]
fn an_address_is_on_one_line() {
    let body = octets("address-line-end-in-literal.txt");
    let list = decode::addresses(&body);
    let mailbox = list.mailboxes().next().unwrap();
    assert_eq!(mailbox.octets(), b"kim@[192.0.2.1]");
    assert!(list.report.has(Kind::SkippedText));
}

/// RFC 2047, section 5: parameters have no encoded words. One that occurs there adds no parameter.
#[test]
fn words_add_no_parameter() {
    for name in [
        "parameter-word-with-parameter.txt",
        "parameter-open-quote-before-word.txt",
        "parameter-backslash-before-word.txt",
        "parameter-word-before-backslash.txt",
        "parameter-word-before-bracket.txt",
    ] {
        let body = octets(name);
        let text = decode::field(&body, Syntax::Parameters, &Options::new());
        assert!(text.as_str().contains("charset"), "{name}");
        for octets in [body.as_slice(), text.as_str().as_bytes()] {
            let content_type = header::content_type(octets);
            let names: BTreeSet<_> = content_type
                .parameters()
                .iter()
                .map(Parameter::name)
                .collect();
            assert_eq!(
                names,
                BTreeSet::from(["name"]),
                "{name} {:?}",
                text.as_str()
            );
        }
    }
}

/// The finding's offsets are in the text's octets and lead to the Hangul: U+3400 to U+4DFF (RFC
/// 2279, section 5), after four malformed octets.
#[test]
fn old_hangul_has_the_right_offset() {
    let source = octets("old-hangul-behind-malformed.eml");
    let message = Message::parse(&source);
    let part = message.parts().next().unwrap();
    let decoded = part.text();
    let found = decoded.report().findings().iter();
    let mut found = found.filter(|finding| finding.kind() == Kind::SuspectedOldHangul);
    let finding = found.next().unwrap();
    let range = finding.offset()..finding.offset() + finding.length();
    let named = utf8::decode(part.body().get(range).unwrap()).unwrap();
    let is_old = |character: Option<char>| {
        character.is_some_and(|character| ('\u{3400}'..='\u{4DFF}').contains(&character))
    };
    assert!(
        named.starts_with('㳢') && is_old(named.chars().next_back()),
        "{named}"
    );
}

/// RFC 6532, section 3.2, requires UTF-8 in the whole field: next to other octets, converted text
/// would be read in their charset.
#[test]
fn raw_octets_are_converted_entirely_or_not_at_all() {
    let source = octets("raw-octets-half-converted.eml");
    let options = Conversion {
        headers: Headers::Utf8,
        ..Conversion::new()
    };
    let converted = convert(&source, &options);
    assert!(verify(&source, converted.as_bytes(), &converted.changes, &options).is_ok());
    for field in Message::parse(converted.as_bytes()).fields() {
        let was_raw = source
            .windows(field.body().len())
            .any(|octets| octets == field.body());
        assert!(was_raw || utf8::decode(field.body()).is_ok());
    }
    assert_eq!(
        convert(converted.as_bytes(), &options).as_bytes(),
        converted.as_bytes()
    );
}

/// RFC 5322, section 3.4: an `addr-spec` alone and in angle brackets is the same mailbox. RFC 2047,
/// section 5, rule 3: an `addr-spec` has no encoded words, so an address that looks like one is
/// written in brackets.
#[test]
fn an_address_that_looks_like_a_word_is_written_in_brackets() {
    let body = octets("address-that-looks-like-a-word.txt");
    let of = |body: &[u8]| -> Vec<Vec<u8>> {
        let list = decode::addresses(body);
        list.mailboxes()
            .map(|mailbox| mailbox.octets().to_vec())
            .collect()
    };
    assert_eq!(of(&body), [b"=?@?Q??="]);
    let written = encode::mailbox("", "=?@?Q??=", 6).unwrap();
    assert_eq!(written, "<=?@?Q??=>");
    assert_eq!(of(written.as_bytes()), [b"=?@?Q??="]);
}

/// RFC 5322, section 3.2.2: a comment between a local part and its at sign may have any length.
#[test]
fn a_word_before_a_comment_and_an_at_sign_is_a_local_part() {
    for length in (0..100).chain([1_000, 100_000]) {
        let body = format!("=?utf-8?Q?a?= ({}) @example.org", "c".repeat(length));
        let list = decode::addresses(body.as_bytes());
        let found: Vec<_> = list.mailboxes().map(|it| it.octets().to_vec()).collect();
        assert_eq!(found, [b"=?utf-8?Q?a?=@example.org"], "{length}");
    }
}

/// CNS 11643 in EUC-TW (ISO 2022 with a single shift two): four octets are one character, known or
/// not, however the text is split.
#[test]
fn an_invalid_plane_is_one_character_in_any_pieces() {
    let octets = octets("euc-tw-plane-without-number.txt");
    let charset = Charset::for_label("euc-tw").unwrap();
    assert_eq!(charset.decode(&octets).as_str(), "\u{FFFD}");
    for cut in 0..=octets.len() {
        let (before, behind) = octets.split_at(cut);
        let mut decoder = Decoder::new(charset);
        let mut text = decoder.push(before).to_owned();
        text += decoder.push(behind);
        text += decoder.finish().as_str();
        assert_eq!(text, "\u{FFFD}", "{cut}");
    }
}

/// RFC 2045, section 5.1: the equals sign after an attribute separates it from its value, and does
/// not begin a word.
#[test]
fn an_equals_sign_after_a_name_begins_no_word() {
    let body = octets("parameter-equals-sign-before-question-mark.txt");
    let content_type = header::content_type(&body);
    assert_eq!(
        content_type.parameter("m").map(Parameter::octets),
        Some(&b"?US?Q?s?==8"[..])
    );
    let text = decode::field(&body, Syntax::Parameters, &Options::new());
    assert_eq!(text.as_str().as_bytes(), body);
    // The second one begins a word, as mailers write them.
    let text = decode::field(b"t/n; m==?US?Q?s?=", Syntax::Parameters, &Options::new());
    assert_eq!(text.as_str(), "t/n; m=s");
}

/// RFC 822, section 3.1.4: blanks are allowed between the tokens of a structured field.
#[test]
fn blanks_may_surround_a_slash() {
    let source = octets("type-with-blanks-around-slash.eml");
    let message = Message::parse(&source);
    assert_eq!(
        message.parts().next().unwrap().content_type().media_type(),
        "t/b"
    );
}

/// RFC 2047, section 2: base64 is case-sensitive, charset names are not. `x111Ri0cOO` decodes to a
/// label that ends in `uF-`, a control and `8`; `X111RI0COO` to one that ends in `uD`, an octet
/// above 7F, a control and `8`.
#[test]
fn a_label_in_base64_is_case_sensitive() {
    let label = octets("label-word-in-base64.txt");
    let charset = |label: &[u8]| resolve(&Label::new(label)).charset;
    assert_ne!(charset(&label), charset(&label.to_ascii_uppercase()));
    // `VVRGLTg=` is the base64 of `UTF-8`.
    assert_eq!(charset(b"=??B?VVRGLTg=?="), Some(Charset::UTF_8));
    assert_eq!(charset(b"=??b?VVRGLTg=?="), Some(Charset::UTF_8));
}

/// RFC 2046, section 5.1: only the exact type `multipart` is a multipart.
#[test]
fn a_type_named_like_a_multipart_is_not_one() {
    let source = octets("type-named-like-multipart.eml");
    let message = Message::parse(&source);
    let part = message.parts().next().unwrap();
    assert!(!part.is_multipart());
    assert_eq!(
        (part.content_type().type_name(), part.body()),
        ("multipart2", &b"-"[..])
    );
}

/// RFC 2045, section 6.7, rule 5: an equals sign at the end of a line is a soft line break. Some
/// messages have lines that end in a bare CR.
#[test]
fn a_bare_cr_ends_a_soft_line_break() {
    let source = octets("soft-line-break-of-bare-cr.eml");
    let message = Message::parse(&source);
    assert_eq!(message.parts().next().unwrap().octets().as_bytes(), b"y");
}

/// RFC 2046, section 5.1.1: only blanks and tabs (`transport-padding`) may follow a boundary; a
/// form feed is neither.
#[test]
fn a_boundary_with_a_form_feed_is_text() {
    let source = octets("delimiter-before-form-feed.eml");
    let message = Message::parse(&source);
    let bodies: Vec<_> = message.parts().map(Part::body).collect();
    assert_eq!(bodies, [b"--b\x0C"]);
}

/// RFC 2046, section 5.2.1: the body of a `message/rfc822` is a message, with parts of its own.
#[test]
fn a_multipart_inside_a_message_has_parts() {
    let source = octets("message-around-multipart.eml");
    let message = Message::parse(&source);
    let sections: Vec<_> = message.entities().map(Part::section).collect();
    assert_eq!(sections.len(), 3, "{sections:?}");
    assert_eq!(message.parts().filter(|part| !part.is_message()).count(), 1);
}

/// RFC 2047, section 5, rule 2: a word in a comment has no parentheses. Parentheses in a word
/// delimit the comment.
#[test]
fn parentheses_in_a_word_delimit_the_comment() {
    let body = octets("address-comment-of-word-with-parenthesis.txt");
    let text = decode::field(&body, Syntax::Addresses, &Options::new());
    assert_eq!(text.as_str().as_bytes(), body);
    assert!(text.report().has(Kind::EncodedWordKept));
    // Balanced pairs delimit nothing, and are quoted in the text.
    let text = decode::field(
        b"a@b (=?utf-8?Q?c(d)?=)",
        Syntax::Addresses,
        &Options::new(),
    );
    assert_eq!(text.as_str(), "a@b (c\\(d\\))");
}

/// RFC 5322, section 2.2.3: unfolding removes only the line ending. White space between words kept
/// verbatim is kept.
#[test]
fn white_space_between_kept_words_is_kept() {
    for between in [
        "",
        " ",
        "  ",
        "\t",
        " \t ",
        "\r\n ",
        " \r\n\t ",
        "\n ",
        "\r\n\r\n  ",
    ] {
        let body = format!("=?utf-8?Q?a=2C?={between}=?utf-8?Q?=C3=A9?=.b <c@example.org>");
        let text = decode::field(body.as_bytes(), Syntax::Addresses, &Options::new());
        let blanks = between.replace(['\r', '\n'], "");
        let kept = format!("=?utf-8?Q?a=2C?={blanks}=?utf-8?Q?=C3=A9?=.b <c@example.org>");
        assert_eq!(text.as_str(), kept);
        assert!(text.report().has(Kind::EncodedWordKept), "{between:?}");
    }
}

/// RFC 2045, section 5.1: a parameter is an attribute, an equals sign and a value. A word after a
/// second equals sign, decoded and quoted, would become the value of a parameter that does not
/// exist.
#[test]
fn a_word_after_a_second_equals_sign_is_kept() {
    let body = octets("parameter-word-behind-second-equals-sign.txt");
    let (one, two) = (header::content_type(&body), "B r==?euckr?B?x");
    assert_eq!(
        one.parameter("name").map(Parameter::octets),
        Some(two.as_bytes())
    );
    for body in [body, octets("parameter-word-behind-text.txt")] {
        let text = decode::field(&body, Syntax::Parameters, &Options::new());
        assert_eq!(text.as_str().as_bytes(), body);
        assert!(text.report().has(Kind::EncodedWordKept));
    }
    // At the beginning of a value, words are decoded, with folds.
    let folded = b"t/n; name=\r\n =?us-ascii?Q?a=3Bb?=\r\n =?us-ascii?Q?=3D?=; x=y";
    let text = decode::field(folded, Syntax::Parameters, &Options::new());
    assert_eq!(text.as_str(), "t/n; name= \"a;b=\"; x=y");
}

/// RFC 2047, section 5, rule 3: a word in a phrase has no angle bracket. One that has is read the
/// same as mailbox and as text: as a word if a blank separates it from the address, and verbatim as
/// part of the address if it touches one.
#[test]
fn an_angle_bracket_in_a_word_is_read_consistently() {
    for name in [
        "address-word-with-angle-bracket.txt",
        "address-word-behind-an-opening.txt",
    ] {
        let mut body = octets(name);
        let (in_field, in_text) = addresses(&body);
        assert_eq!(in_field, [body.strip_suffix(b">").unwrap()]);
        assert_eq!(in_text, in_field);
        let behind = body.len() - "=@b>".len();
        body.insert(behind, b' ');
        let (in_field, in_text) = addresses(&body);
        assert_eq!(in_field, [b"=@b"]);
        assert_eq!(in_text, in_field);
    }
}

/// RFC 2046, section 5.1.1: the line ending before a delimiter belongs to the delimiter. An
/// embedded message ends with its part, even if the line ending would end its header or its last
/// field.
#[test]
fn a_message_in_a_digest_ends_with_its_part() {
    let empty = octets("digest-line-end-of-delimiter.eml");
    let with_field =
        b"Content-Type: multipart/digest; boundary=d\r\n\r\n--d\r\n\r\nSubject: x\r\n--d--";
    for (mail, header) in [
        (empty.as_slice(), b"".as_slice()),
        (with_field, b"Subject: x"),
    ] {
        let message = Message::parse(mail);
        let part = message.entities().find(|it| it.section() == "1").unwrap();
        let inner = message.entities().find(|it| it.section() == "1.1").unwrap();
        assert_eq!((part.body(), inner.header()), (header, header));
        let body = part.body_range().unwrap();
        assert_eq!(inner.header_range().unwrap(), body);
        assert_eq!(inner.body_range().unwrap(), body.end..body.end);
        assert!(inner.fields().all(|it| it.range().unwrap() == body));
        assert_eq!(inner.fields().count(), usize::from(!header.is_empty()));
    }
}

/// The line ending after a header at the end of a part belongs to the delimiter; an empty body is
/// before it.
#[test]
fn an_empty_message_ends_with_its_part() {
    let mail = octets("digest-message-around-nothing.eml");
    let message = Message::parse(&mail);
    let mut around = 0..mail.len();
    for section in ["1", "1.1", "1.1.1"] {
        let mut entities = message.entities();
        let part = entities.find(|it| it.section() == section).unwrap();
        let (header, body) = (part.header_range().unwrap(), part.body_range().unwrap());
        assert!(
            around.start <= header.start && body.end <= around.end,
            "{section}"
        );
        around = body;
    }
    let delimiter = mail.len() - "\n--d".len();
    assert_eq!(around, delimiter..delimiter);
}

/// Content-Transfer-Encoding changes for the body, and for the word in its comment.
#[test]
fn a_field_changed_twice_is_counted_once() {
    let source = octets("transfer-encoding-beside-a-word.eml");
    let converted = convert(&source, &Conversion::new());
    let body = b"Content-Type: text/plain; charset=UTF-8\n\
        Content-Transfer-Encoding: base64 (=?UTF-8?B?5ryi?=)\n\n5ryiDQo=\n";
    assert_eq!(converted.as_bytes(), body);
    let proof = verify(
        &source,
        converted.as_bytes(),
        &converted.changes,
        &Conversion::new(),
    );
    assert_eq!((converted.changed_fields, proof.unwrap().fields), (2, 2));
}

/// The conversion verifies, and a second conversion changes nothing.
#[test]
fn raw_text_next_to_other_text_is_converted_once() {
    let sources = [
        "content-type-raw-comment-and-word.eml",
        "raw-text-beside-unclosed-word.eml",
        "raw-text-behind-another-label.eml",
        "raw-text-behind-another-word.eml",
        "raw-text-touching-a-word-of-a-phrase.eml",
        "raw-text-touching-two-words.eml",
        "content-type-word-beside-raw-comment.eml",
        "content-type-word-touching-raw-comment.eml",
        "content-type-parameter-in-open-comment.eml",
        "content-type-of-a-raw-word.eml",
        "content-type-charset-twice.eml",
        "content-type-charset-twice-in-comment.eml",
        "parameter-extended-twice.eml",
        "bare-cr-and-one-line-feed.eml",
        "content-type-raw-label-beside-raw-word.eml",
        "multipart-delimiter-for-blank-line.eml",
        "message-inside-for-blank-line.eml",
    ];
    let of_headers = [Headers::Words, Headers::Utf8];
    let of_malformed = [OnMalformed::Keep, OnMalformed::Replace];
    for name in sources {
        let source = octets(name);
        // The bits of the number select the options.
        for choices in 0..16 {
            let options = Conversion {
                headers: of_headers[choices & 1],
                on_malformed: of_malformed[choices >> 1 & 1],
                attachments: choices & 4 != 0,
                guessed: (choices & 8 != 0).then_some(1),
                ..Conversion::new()
            };
            let converted = convert(&source, &options);
            let (result, changes) = (converted.as_bytes(), &converted.changes);
            verify(&source, result, changes, &options).expect(name);
            for change in changes {
                assert_ne!(
                    source[change.before.clone()],
                    result[change.after.clone()],
                    "{name}"
                );
            }
            let twice = convert(result, &options);
            assert_eq!(twice.as_bytes(), result, "{name}, {options:?}");
        }
    }
}
