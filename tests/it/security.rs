//! Attacks by mail: each test names the class of attack that it stops.

use mime_charset::convert::{self, convert};
use mime_charset::decode::{self, Context, decide, field};
use mime_charset::header::{self, Syntax, encode};
use mime_charset::{Charset, Decoder, Kind, Label, Message, Options, Source, detect};

use super::samples::charset;

/// Filters that inspect text before decoding miss other spellings of `/`, `.`, NUL and quotes (RFC
/// 3629, section 10).
#[test]
fn overlong_forms_never_yield_ascii() {
    for octets in [
        b"/\xC0\xAE./".as_slice(),
        b"\xC0\x80",
        b"\xE0\x80\xAF",
        b"\xF0\x80\x80\xAE",
        b"\xC0\xA2",
        b"\xF8\x80\x80\x80\xAF",
    ] {
        let text = Charset::UTF_8.decode(octets);
        let plain: String = text.as_str().chars().filter(|&c| c != '\u{FFFD}').collect();
        let given: Vec<u8> = octets.iter().copied().filter(u8::is_ascii).collect();
        assert_eq!(plain.as_bytes(), given, "{octets:X?}");
        assert!(text.report().has_loss());
    }
}

/// Surrogates in UTF-8 are a second spelling of characters above U+FFFF (RFC 3629, section 3).
#[test]
fn surrogate_pairs_are_not_utf_8() {
    let text = Charset::UTF_8.decode(b"\xED\xA0\xBD\xED\xB8\x80");
    assert_eq!(text.as_str(), "\u{FFFD}".repeat(6));
}

/// The same for variants of UTF-8: CESU-8 (UTR #26) has surrogate pairs, and Java's UTF-8 has C0 80
/// for NUL. Neither yields ASCII from longer sequences, and neither is taken for UTF-8. CESU-8 is
/// guessed only from whole pairs, Java's variant never.
#[test]
fn no_variant_of_utf_8_has_two_spellings_of_ascii() {
    for label in ["utf-8", "unicode-1-1-utf-8", "cesu-8"] {
        for lead in 0xC0..=0xFF_u8 {
            for ascii in 0..=0x7F_u8 {
                let tail = 0x80 | ascii & 0x3F;
                let two = [0xC0 | ascii >> 6, tail];
                let three = [0xE0, 0x80 | ascii >> 6, tail];
                let four = [0xF0, 0x80, 0x80 | ascii >> 6, tail];
                let other = [lead, ascii];
                for octets in [&two[..], &three, &four] {
                    let decoded = charset(label).decode(octets);
                    assert!(
                        !decoded.as_str().bytes().any(|octet| octet.is_ascii()),
                        "{octets:X?}"
                    );
                    assert!(decoded.report().has_loss());
                }
                let decoded = charset(label).decode(&other);
                let found = decoded.as_str().chars().filter(char::is_ascii);
                assert!(found.eq([char::from(ascii)]), "{label} {other:X?}");
            }
        }
    }
    let pair = b"\xED\xA0\xBD\xED\xB8\x80";
    assert_eq!(charset("cesu-8").decode(pair).as_str(), "\u{1F600}");
    assert_eq!(detect::detect(pair).charset, charset("cesu-8"));
    for other in [&pair[..3], b"\xC0\x80", b"\xC0\x80\xED\xA0\xBD\xED\xB8\x80"] {
        let found = detect::detect(other).charset;
        assert!(
            ![charset("cesu-8"), Charset::UTF_8].contains(&found),
            "{other:02X?}"
        );
    }
}

/// A lead octet that swallows the next octet hides a quote, a tag or a line ending: the classic
/// cross-site scripting with malformed multi-octet text.
#[test]
#[cfg_attr(not(feature = "legacy"), ignore = "the charsets are left out")]
fn lead_octets_never_swallow_ascii() {
    let mut asked = 0;
    for charset in Charset::all().filter(|charset| charset.is_decoded()) {
        if !charset.is_ascii_superset() {
            continue;
        }
        asked += 1;
        for lead in 0x80..=0xFF {
            for special in *b"<>\"'&=\r\n;,()\0" {
                let octets = [b'a', lead, special, b'b'];
                let decoded = charset.decode(&octets);
                let ends = format!("{}b", char::from(special));
                // JOHAB and UTF-1 have trail octets from 31 and from 21: they too are kept as text
                // if the pair is not a character.
                let has_low_halves = matches!(charset.name(), "JOHAB" | "ISO-10646-UTF-1");
                let is_character = has_low_halves && !decoded.report().has_loss();
                let kept = decoded.as_str().ends_with(&ends) || is_character;
                assert!(kept, "{charset} {octets:X?} {:?}", decoded.as_str());
            }
            // 5C is a trail octet in Shift_JIS, Big5 and GBK. It is kept as text if the pair is not
            // a character.
            let octets = [b'a', lead, b'\\', b'b'];
            let decoded = charset.decode(&octets);
            let kept = decoded.as_str().contains('\\');
            assert!(
                kept || !decoded.report().has_loss(),
                "{charset} {octets:X?}"
            );
        }
    }
    assert!(asked > 100, "{asked}");
}

/// The same after two octets, and after three in charsets with four-octet characters: an ASCII
/// octet ends any incomplete character.
#[test]
fn incomplete_long_characters_never_swallow_ascii() {
    let pairs: [&[u8]; 3] = [b"\xB0\xA1", b"\x82\xA0", b"\xC3\xA9"];
    let is_one = |charset: &Charset| {
        let is_one = |pair: &&[u8]| charset.decode(pair).as_str().chars().count() == 1;
        charset.is_ascii_superset() && charset.is_decoded() && pairs.iter().any(is_one)
    };
    // Trail octets of JOHAB and UTF-1 begin below 40 and are tested above.
    let low = |charset: &Charset| matches!(charset.name(), "JOHAB" | "ISO-10646-UTF-1");
    let charsets: Vec<_> = Charset::all()
        .filter(is_one)
        .filter(|charset| !low(charset))
        .collect();
    assert!(charsets.len() > 12, "{charsets:?}");
    for charset in charsets {
        let ask = |start: &[u8], special: u8| {
            let octets = [start, &[special, b'b']].concat();
            let decoded = charset.decode(&octets);
            let ends = [char::from(special), 'b'];
            let found: Vec<_> = decoded.as_str().chars().rev().take(2).collect();
            assert!(
                found.iter().rev().eq(&ends),
                "{charset} {octets:X?} {:?}",
                decoded.as_str()
            );
        };
        let mut specials = b"<>\"'&=\r\n;,()\0".iter().cycle();
        let mut ask_next = |start: &[u8]| ask(start, *specials.next().unwrap());
        for lead in 0x80..=0xFF_u8 {
            for second in 0x80..=0xFF_u8 {
                ask_next(&[lead, second]);
            }
            for digit in b'0'..=b'9' {
                ask_next(&[lead, digit]);
                for third in [0x80, 0x81, 0xA1, 0xFE, 0xFF] {
                    ask_next(&[lead, digit, third]);
                }
            }
            for third in 0x80..=0xFF_u8 {
                for start in [
                    [0x8E, lead, third],
                    [0x8F, lead, third],
                    [0xF0, lead, third],
                ] {
                    ask_next(&start);
                }
            }
        }
    }
}

/// The same after a shift that makes ASCII octets lead octets: half a character before a line
/// ending does not swallow it (RFC 1468, RFC 1557, RFC 1922, RFC 1843).
#[test]
fn half_a_character_never_swallows_a_line_end() {
    for (label, shift) in [
        ("iso-2022-jp", b"\x1B$B".as_slice()),
        ("iso-2022-jp-2", b"\x1B$(C"),
        ("iso-2022-kr", b"\x1B$)C\x0E"),
        ("iso-2022-cn", b"\x1B$)A\x0E"),
        ("hz-gb-2312", b"~{"),
    ] {
        for lead in 0x21..=0x7D_u8 {
            let octets = [shift, &[lead], b"\n<b>"].concat();
            let decoded = charset(label).decode(&octets);
            let lines: Vec<_> = decoded.as_str().split('\n').collect();
            assert_eq!(lines.len(), 2, "{label} {octets:X?} {:?}", decoded.as_str());
        }
    }
}

/// Nor does a single shift to an undesignated set (RFC 1554; RFC 1922), which other readers ignore,
/// whole or in pieces.
#[test]
fn undesignated_single_shifts_never_swallow_ascii() {
    let names: Vec<_> = Charset::all()
        .filter(|charset| charset.name().starts_with("ISO-2022") || charset.name() == "CP50220")
        .collect();
    assert!(names.len() > 7, "{names:?}");
    for charset in names {
        for shift in ["\x1BN", "\x1BO"] {
            for special in ["\"<b>", "<b>", "\\<b>", "\r\n<b>", "\n<b>", "\0<b>"] {
                let text = format!("a{shift}{special}");
                let whole = charset.decode(text.as_bytes());
                assert!(
                    whole.as_str().ends_with(special),
                    "{charset} {text:?} {:?}",
                    whole.as_str()
                );
                assert!(whole.report().has_loss());
                let mut decoder = Decoder::new(charset);
                let mut pieces: String = text
                    .bytes()
                    .fold(String::new(), |said, octet| said + decoder.push(&[octet]));
                pieces += decoder.finish().as_str();
                assert_eq!(pieces, whole.as_str());
            }
        }
    }
}

/// UTF-7 hides markup from filters. It is decoded only under its label, and is not treated as a
/// superset of ASCII.
#[test]
fn utf_7_is_decoded_only_under_its_label() {
    let script = b"+ADw-script+AD4-";
    assert_eq!(
        Message::parse(&[b"\n\n".as_slice(), script].concat())
            .parts()
            .next()
            .unwrap()
            .text()
            .as_str()
            .trim(),
        "+ADw-script+AD4-"
    );
    assert!(!charset("utf-7").is_ascii_superset());
    assert_eq!(charset("utf-7").decode(script).as_str(), "<script>");
    assert_eq!(detect::detect(script).charset, Charset::US_ASCII);
    // A document's declaration cannot select it either, nor any other charset in which the
    // declaration would not be readable.
    for label in [
        "utf-7",
        "unicode-1-1-utf-7",
        "utf-7-imap",
        "utf-16",
        "ibm037",
    ] {
        let page = format!("<meta charset={label}>+ADw-script+AD4-");
        let context = Context::new().media_type(Some("text/html"));
        let decision = decide(page.as_bytes(), &context);
        assert!(decision.charset.is_ascii_superset(), "{label}: {decision}");
    }
    let label = Label::new("utf-7");
    let decision = decide(script, &Context::new().label(Some(&label)));
    assert_eq!(decision.charset, charset("utf-7"));
}

/// JIS X 0201 Roman in `ESC ( J` replaces only `\` by a yen sign and `~` by an overline: it cannot
/// hide markup (RFC 1468).
#[test]
fn iso_2022_jp_roman_hides_no_markup() {
    let ascii: Vec<u8> = (0x20..=0x7E).collect();
    let octets = [b"\x1B(J".as_slice(), &ascii].concat();
    let decoded = charset("iso-2022-jp").decode(&octets);
    let expected: String = ascii
        .iter()
        .map(|&octet| match octet {
            b'\\' => '\u{A5}',
            b'~' => '\u{203E}',
            octet => char::from(octet),
        })
        .collect();
    assert_eq!(decoded.as_str(), expected);
}

/// An open designation must not affect the next lines (RFC 1468).
#[test]
fn iso_2022_designations_end_with_the_line() {
    let decoded = charset("iso-2022-jp").decode(b"\x1B$B0!\r\n<b>plain</b>");
    assert_eq!(decoded.as_str(), "亜\r\n<b>plain</b>");
}

/// "Splitting the email atom": the text of an encoded word never becomes an address.
#[test]
fn encoded_words_add_no_address() {
    let body =
        b"=?utf-8?Q?boss=40bank.example=2C?= =?utf-8?Q?_=3Cx=40y=2Eexample=3E?= <evil@example.org>";
    let list = decode::addresses(body);
    let found: Vec<_> = list
        .mailboxes()
        .map(|mailbox| mailbox.octets().to_vec())
        .collect();
    assert_eq!(found, [b"evil@example.org".to_vec()]);
    // The decoded field, parsed again, has the same single address.
    let text = field(body, Syntax::Addresses, &Options::new());
    let again = decode::addresses(text.as_str().as_bytes());
    let found: Vec<_> = again
        .mailboxes()
        .map(|mailbox| mailbox.octets().to_vec())
        .collect();
    assert_eq!(found, [b"evil@example.org".to_vec()]);
    // Inside an address a word is kept verbatim.
    let list = decode::addresses(b"=?utf-8?Q?boss=40bank.example?=@example.org");
    for mailbox in list.mailboxes() {
        assert!(!mailbox.octets().windows(9).any(|part| part == b"boss@bank"));
    }
}

/// Mailsploit: line endings and NUL in a display name are returned and flagged, and begin no field.
#[test]
fn encoded_words_add_no_field() {
    let message = Message::parse(
        b"From: =?utf-8?Q?boss=40bank.example=0D=0ABcc=3A_x=40y.example=00?= <evil@example.org>\r\n\r\n",
    );
    assert_eq!(message.fields().count(), 1);
    let text = message.field("From").unwrap().text();
    assert!(text.report().has(Kind::Control));
    assert!(text.report().has(Kind::Nul));
    let list = message.field("From").unwrap().addresses();
    assert_eq!(list.mailboxes().count(), 1);
}

/// The text of a word adds no parameter, and a file name stays one value.
#[test]
fn encoded_words_add_no_parameter() {
    let body = b"text/plain; name=\"=?utf-8?Q?a=22=3B_charset=3Dutf-7?=\"; charset=utf-8";
    let content_type = header::content_type(body);
    assert_eq!(content_type.charset().unwrap().as_bytes(), b"utf-8");
    assert_eq!(content_type.parameters().len(), 2);
    let name = content_type.parameter("name").unwrap().text();
    assert_eq!(name.as_str(), "a\"; charset=utf-7");
}

/// A word whose quotes would end the value early is kept: otherwise its remainder would be read
/// outside the value (RFC 2045, section 5.1: a value is one token or one quoted string).
#[test]
fn quotes_in_an_encoded_word_do_not_end_a_value() {
    for (written, text) in [
        // Nothing follows in the value.
        ("name==?utf-8?Q?a=20b?=; x=y", "name=\"a b\"; x=y"),
        ("name==?utf-8?Q?=22a_b=22?= (c)", "name=\"a b\" (c)"),
        // The last semicolon is in a second word of the same value.
        ("name==?utf-8?Q?=22_=22?= )=?u?Q?;_charset=x?=", ""),
        ("name==?utf-8?Q?a_b?= c )=?u?Q?;_charset=x?=", ""),
    ] {
        let body = format!("text/plain; {written}");
        let read = field(body.as_bytes(), Syntax::Parameters, &Options::new());
        let kept = text.is_empty();
        assert_eq!(read.report().has(Kind::EncodedWordKept), kept, "{written}");
        let text = if kept { written } else { text };
        assert_eq!(read.as_str(), format!("text/plain; {text}"));
        let again = header::content_type(read.as_str().as_bytes());
        let names = |parameters: &[header::Parameter<'_>]| -> Vec<String> {
            let names = parameters.iter().map(header::Parameter::name);
            names.map(str::to_string).collect()
        };
        let first = header::content_type(body.as_bytes());
        assert_eq!(names(again.parameters()), names(first.parameters()));
    }
}

/// Right-to-left text can make `txt.exe` look like `exe.txt`.
#[test]
fn bidirectional_controls_are_returned_and_flagged() {
    let disposition =
        header::content_disposition(b"attachment; filename*=utf-8''a%E2%80%AEtxt.exe");
    let name = disposition.parameter("filename").unwrap().text();
    assert_eq!(name.as_str(), "a\u{202E}txt.exe");
    assert!(name.report().has(Kind::BidiControl));
}

/// Of two conflicting declarations the first is used, and the conflict is reported: filter and
/// reader must not differ silently (RFC 7103, section 7.5).
#[test]
fn conflicting_declarations_are_flagged() {
    let content_type = header::content_type(b"text/html; charset=us-ascii; charset=utf-7");
    assert_eq!(content_type.charset().unwrap().as_bytes(), b"us-ascii");
    assert!(content_type.report().has(Kind::DuplicateParameter));
}

/// A label names only listed charsets: no path, no program's own codec.
#[test]
fn labels_name_only_charsets() {
    for label in [
        "../../etc/passwd",
        "rot13",
        "idna",
        "punycode",
        "hex",
        "zlib",
        "base64",
        "locale",
        "char",
    ] {
        let resolved = mime_charset::charset::resolve(&Label::new(label));
        assert_eq!(resolved.charset, None, "{label}");
    }
}

/// Mailsploit again: the decoded text of a word, written by our encoder, is the same text in one
/// field, recipient or parameter.
#[test]
fn re_encoded_text_adds_nothing() {
    let payloads = [
        "a\r\nBcc: x@example.org",
        "a\r\n\r\n<script>",
        "a\0b",
        "a, x@example.org",
        "x@example.org",
        "<x@example.org>",
        "a\"; charset=utf-7; b=\"",
        "=?utf-8?Q?x=40example.org?=",
        "\u{202E}gro.elpmaxe@x",
    ];
    for payload in payloads {
        let word: Vec<String> = payload
            .bytes()
            .map(|octet| format!("={octet:02X}"))
            .collect();
        let word = word.concat();
        let body = format!("=?utf-8?Q?{word}?= <kim@example.org>");
        let list = decode::addresses(body.as_bytes());
        assert_eq!(list.mailboxes().next().unwrap().name, payload);
        let source = format!(
            "Subject: {}\r\nTo: {}\r\nContent-Disposition: inline{}\r\n\r\nbody",
            encode::unstructured(payload, 9),
            encode::mailbox(payload, "kim@example.org", 4).unwrap(),
            encode::parameter("filename", payload, 27).unwrap(),
        );
        let message = Message::parse(source.as_bytes());
        assert_eq!(message.fields().count(), 3, "{source}");
        assert_eq!(message.parts().next().unwrap().body(), b"body");
        assert_eq!(message.field("Subject").unwrap().text().as_str(), payload);
        let list = message.field("To").unwrap().addresses();
        let addresses: Vec<_> = list.mailboxes().map(decode::Mailbox::octets).collect();
        assert_eq!(addresses, [b"kim@example.org"], "{source}");
        let disposition = message.field("Content-Disposition").unwrap();
        let disposition = header::content_disposition(disposition.body());
        assert_eq!(disposition.parameters().len(), 1, "{source}");
        assert_eq!(disposition.parameters()[0].octets(), payload.as_bytes());
    }
}

/// The decoded field has the same addresses as the field: the text of a word never becomes an
/// address, whatever its context.
#[test]
fn decoded_fields_have_the_addresses_of_the_field() {
    let held = [
        "boss=40bank.example",
        "boss=40bank.example=2C",
        "=3Cboss=40bank.example=3E",
        "=22_=3Cboss=40bank.example=3E=2C",
        "=29_=3Cboss=40bank.example=3E=2C",
        "x=2E",
        "=2Ex",
        "",
        "_",
        "=22",
        "=28",
        "=29",
        "=5C",
        "=3B",
        "=3A",
        "=5B",
        "=0D=0A",
        "=00",
        "x=40",
    ];
    let around = [
        "{} <kim@example.org>",
        "{}<kim@example.org>",
        "{}kim@example.org",
        "{} kim@example.org",
        "kim@example.org {}",
        "kim@example.org{}",
        "kim@example {} .org",
        "kim@{}",
        "kim@ {}",
        "kim (x) . {}",
        "kim@(x){}",
        "{}(x)@example.org",
        "\"Kim\" {} <kim@example.org>",
        "({}) kim@example.org",
        "\"{}\" <kim@example.org>",
        "kim@example.org, {}, lee@example.org",
        "team: {} <kim@example.org>;",
        "\"x {} <kim@example.org>",
        "\"\\{}\" <kim@example.org>",
        "\"\\\\\\{}\" <kim@example.org>",
        "(\\{}) kim@example.org",
        "[x {} kim@example.org",
    ];
    for held in held {
        for around in around {
            let body = around.replace("{}", &format!("=?utf-8?Q?{held}?="));
            let text = field(body.as_bytes(), Syntax::Addresses, &Options::new());
            let of = |octets: &[u8]| -> Vec<Vec<u8>> {
                let list = decode::addresses(octets);
                let all = list.mailboxes().map(decode::Mailbox::octets);
                all.filter(|address| address.contains(&b'@'))
                    .map(<[u8]>::to_vec)
                    .collect()
            };
            let given = of(body.as_bytes());
            for address in of(text.as_str().as_bytes()) {
                assert!(given.contains(&address), "{body:?} {:?}", text.as_str());
            }
        }
    }
}

/// Controls and right-to-left overrides in a subject or a name are kept, since they were sent, and
/// flagged, since they can disguise a line.
#[test]
fn controls_in_names_and_subjects_are_flagged() {
    for (word, kind) in [
        ("=1B=5B2J", Kind::Control),
        ("=C2=9B2J", Kind::Control),
        ("=0D=0A", Kind::Control),
        ("=7F", Kind::Control),
        ("=00", Kind::Nul),
        ("=E2=80=AE", Kind::BidiControl),
        ("=E2=81=A6", Kind::BidiControl),
    ] {
        let source =
            format!("Subject: =?utf-8?Q?{word}?=\nFrom: =?utf-8?Q?{word}?= <a@example.org>\n\n");
        let message = Message::parse(source.as_bytes());
        for field in message.fields() {
            assert!(
                field.text().report().has(kind),
                "{word} {:?}",
                field.text().as_str()
            );
        }
        let body = format!("inline; filename*=utf-8''{}", word.replace('=', "%"));
        let disposition = header::content_disposition(body.as_bytes());
        let name = disposition.parameters()[0].text();
        assert!(name.report().has(kind), "{word}");
        assert!(!name.as_str().is_empty());
    }
}

/// Every pair of conflicting declarations is read by one rule and is a finding. The first of two
/// fields or parameters counts; an extended parameter precedes a plain one (RFC 2231); a label
/// precedes the document's declaration, and a contradicting mark unless the octets disprove the
/// label.
#[test]
fn every_conflict_is_flagged() {
    let twice = Message::parse(
        b"Content-Type: text/plain; charset=koi8-r\nContent-Type: text/html; charset=utf-7\n\n\xF0",
    );
    let part = twice.parts().next().unwrap();
    assert_eq!(part.content_type().media_type(), "text/plain");
    assert_eq!(part.text().charset().name(), "KOI8-R");
    assert!(twice.report().has(Kind::DuplicateField));

    let extended = header::content_type(b"text/plain; charset=koi8-r; charset*=''utf-8");
    assert_eq!(extended.charset().unwrap().as_bytes(), b"utf-8");
    assert!(extended.report().has(Kind::DuplicateParameter));

    let label = Label::new("koi8-r");
    let context = Context::new()
        .label(Some(&label))
        .media_type(Some("text/html"));
    let decision = decide(b"<meta charset=windows-1251>\xF0\xD2", &context);
    assert_eq!(
        (decision.charset.name(), decision.source),
        ("KOI8-R", Source::Declared)
    );
    assert!(decision.report.has(Kind::DocumentConflict));

    let context = Context::new().label(Some(&label));
    let decision = decide(b"\xEF\xBB\xBF\xED\x95\x9C", &context);
    assert_eq!(
        (decision.charset.name(), decision.source),
        ("UTF-8", Source::Bom)
    );
    assert!(decision.report.has(Kind::BomConflict));
}

/// HTML in another charset than it declares runs scripts in programs that trust the declaration. A
/// conversion is labelled UTF-8; a document with another declaration is either reported or, on
/// request, rewritten.
#[test]
fn converted_html_declares_its_charset() {
    for (media_type, declaration) in [
        ("text/html", "<meta charset=koi8-r>"),
        (
            "text/html",
            "<meta http-equiv=\"Content-Type\" content=\"text/html; charset=koi8-r\">",
        ),
        ("text/xml", "<?xml version=\"1.0\" encoding=\"koi8-r\"?>"),
        ("text/css", "@charset \"koi8-r\";"),
    ] {
        let of = |media_type: &str| {
            let header = format!("Content-Type: {media_type}; charset=koi8-r\n\n{declaration}");
            [header.as_bytes(), b"\xF0\xD2\xC9"].concat()
        };
        let source = of(media_type);
        let fixed = convert(&source, &convert::Conversion::new());
        let plain = convert(
            &source,
            &convert::Conversion {
                keep_declarations: true,
                ..convert::Conversion::new()
            },
        );
        for converted in [&plain, &fixed] {
            let message = Message::parse(converted.as_bytes());
            let part = message.parts().next().unwrap();
            let label = part
                .content_type()
                .charset()
                .unwrap()
                .as_bytes()
                .to_ascii_lowercase();
            assert_eq!(label, b"utf-8", "{declaration}");
            assert!(part.text().as_str().ends_with("При"), "{declaration}");
        }
        assert!(plain.report.has(Kind::DocumentConflict), "{declaration}");
        let page = String::from_utf8_lossy(fixed.as_bytes()).to_lowercase();
        assert!(!page.contains("koi8-r"), "{page}");
        // A type that is not text is not changed.
        let source = of("application/xhtml+xml");
        assert_eq!(
            convert(&source, &convert::Conversion::new()).as_bytes(),
            source
        );
    }
}
