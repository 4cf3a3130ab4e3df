//! Partial octets: a fetch that ended early is not damage, wherever it ended.

use std::fs;
use std::io::BufReader;

use mime_charset::decode::{Context, TextReader};
use mime_charset::transfer::{self, TransferEncoding};
use mime_charset::{
    Charset, Decoded, Decoder, Finding, Kind, Label, Message, Options, Report, decode,
};
use proptest::prelude::*;

use super::samples::base64;

fn partial() -> Options {
    Options::new().partial(true).trust_label(true)
}

/// Decodes octets under a label.
fn decode_under<'a>(octets: &'a [u8], label: &Label<'_>, options: &Options) -> Decoded<'a> {
    let context = Context::new().label(Some(label)).options(*options);
    decode::decode(octets, &context)
}

/// Text in each decodable charset: the decoding of all octets in pairs, and the escapes of ISO
/// 2022, HZ and UTF-7 with text between them. Malformed octets in it stay malformed.
fn sample(charset: Charset) -> Vec<u8> {
    let mut octets = b"ab ".to_vec();
    match charset.name() {
        name if name.contains("UTF-7") => octets.extend(b"+AGEAZAA-Hi Mom -+Jjo--! &- +2D3eAA- A"),
        name if name.contains("2022") || name.contains("JIS_Enc") || name.contains("CP5022") => {
            octets.extend(b"\x1B$B8l$\"\x1B(B a\x1B$)C\x0E0!0\"\x0F b\n c \x1B(Jd\x1B(B");
        }
        name if name.contains("HZ") => octets.extend(b"~~ ~{<:Ky~} b ~{VP~}\nc"),
        name if name.contains("UTF-16") || name.contains("UCS-2") || name == "UNICODE-1-1" => {
            octets = b"\xFE\xFF\0a\xD5\x5C\xD8\x3D\xDE\0\0b".to_vec();
        }
        name if name.contains("UTF-32") || name.contains("UCS-4") => {
            octets = b"\0\0\xFE\xFF\0\0\0a\0\x01\xF6\0\0\0\0b".to_vec();
        }
        _ => {
            octets.extend("한é\u{1F600} z".as_bytes());
            octets.extend(b"\xC7\xD1\xB1\xB9 \x8F\xA2\xAF \x8E\xA2\xA1\xA1 \x81\x30\x81\x30 a");
            octets.extend(
                (0x20..=0xFF)
                    .step_by(5)
                    .flat_map(|octet: u8| [octet, octet ^ 0x15]),
            );
        }
    }
    octets
}

/// In every charset, truncated at every octet: the text is a prefix of the whole text, without
/// findings of damage that the whole does not have. A decoder that continues gives the whole.
#[cfg_attr(not(feature = "legacy"), ignore = "the charsets are left out")]
#[test]
fn in_every_charset_at_every_octet() {
    let mut tried = 0;
    for charset in Charset::all().filter(|charset| charset.is_decoded()) {
        // Only the whole text shows whether Hangul is old or modern.
        if charset.name().starts_with("UNICODE-1-1") {
            continue;
        }
        let octets = sample(charset);
        let label = Label::new(charset.name());
        let whole = decode_under(&octets, &label, &partial().partial(false));
        if whole.charset() != charset.decode(b"").charset() {
            // Its label lets the octets decide.
            continue;
        }
        let lost = whole.report().replacements();
        for cut in 0..=octets.len() {
            let start = &octets[..cut];
            let decoded = decode_under(start, &label, &partial());
            let text = decoded.as_str();
            // Without a mark, the byte order is guessed from the octets present.
            if !decoded.report().has(Kind::ByteOrderAssumed) {
                let name = format!("{charset} at {cut}: {text:?}, {:?}", whole.as_str());
                assert!(whole.as_str().starts_with(text), "{name}");
                assert!(decoded.report().replacements() <= lost, "{name}");
                let replaced = text.matches('\u{FFFD}').count();
                let of_whole = whole.as_str()[..text.len()].matches('\u{FFFD}').count();
                assert_eq!(replaced, of_whole, "{name}");
            }
            let rest = decoded
                .report()
                .iter()
                .find(|found| found.kind() == Kind::Partial);
            let rest = rest.unwrap();
            assert_eq!(rest.offset() + rest.length(), cut, "{charset} at {cut}");
            tried += 1;
        }
        // A decoder continues from any position.
        let skipped = octets.len().min(7);
        let mut decoder = Decoder::new(charset);
        let mut text = decoder.push(&octets[..skipped]).to_owned();
        text += decoder.push(&octets[skipped..]);
        text += decoder.finish().as_str();
        let direct = charset.decode(&octets);
        assert_eq!(text, direct.as_str(), "{charset}");
    }
    assert!(tried > 20_000, "{tried}");
}

/// Well-formed text loses at most the truncated character; no complete character is withheld.
#[test]
fn the_text_ends_at_the_last_whole_character() {
    let cases: [(&str, &[u8], &[&str]); 6] = [
        // RFC 3629, section 3: two, three and four octets.
        (
            "utf-8",
            "é한\u{1F600}".as_bytes(),
            &[
                "",
                "",
                "é",
                "é",
                "é",
                "é한",
                "é한",
                "é한",
                "é한",
                "é한\u{1F600}",
            ],
        ),
        ("euc-kr", b"a\xC7\xD1", &["", "a", "a", "a한"]),
        // RFC 1468: an incomplete escape is not text.
        (
            "iso-2022-jp",
            b"\x1B$B8l\x1B(Ba",
            &["", "", "", "", "", "語", "語", "語", "語", "語a"],
        ),
        (
            "utf-16le",
            b"a\0=\xD8\0\xDE",
            &["", "", "a", "a", "a", "a", "a\u{1F600}"],
        ),
        (
            "utf-16",
            b"\xFF\xFEa\0b\0",
            &["", "", "", "", "a", "a", "ab"],
        ),
        ("gb18030", b"\x81\x30\x81\x30", &["", "", "", "", "\u{80}"]),
    ];
    for (label, octets, texts) in cases {
        let label = Label::new(label);
        // One more text than octets: the first is of zero octets.
        let from = octets.len() + 1 - texts.len();
        for (cut, text) in (from..).zip(texts) {
            let decoded = decode_under(&octets[..cut], &label, &partial());
            assert_eq!(decoded.as_str(), *text, "{label} {cut}");
            assert!(!decoded.report().has_loss(), "{label} {cut}");
        }
    }
}

/// Without a label too: UTF-8 with a truncated last character is UTF-8.
#[test]
fn a_truncated_character_is_not_evidence() {
    let decoded = decode::decode(
        b"caf\xC3\xA9 \xED\x95",
        &Context::new().options(Options::new().partial(true)),
    );
    assert_eq!(decoded.as_str(), "café ");
    assert_eq!(decoded.charset(), Charset::UTF_8);
    assert!(!decoded.report().has_loss());
}

/// Each transfer encoding, truncated at every octet (RFC 2045, sections 6.7 and 6.8): the text is a
/// prefix of the whole text, without damage or repairs.
#[test]
fn in_every_transfer_encoding_at_every_octet() {
    let bodies: [(&str, &[u8], usize); 6] = [
        ("base64", b"7ZWc6rWt7Ja0\r\nIO2OuA==\r\n", 5),
        ("base64", b"7ZWc6rWt7Ja0\r\nIO2OuOyngAo=", 5),
        ("base64", b"7Z Wc\n6\nrWt", 5),
        (
            "quoted-printable",
            b"=ED=95=9C  a=20 =\r\n b  \r\nc=3D= \t\r\n",
            9,
        ),
        ("quoted-printable", b"a= \r\nb=\nc \t d\r\n", 4),
        ("8bit", "한국 어\r\n".as_bytes(), 3),
    ];
    for (encoding, body, most) in bodies {
        let head = format!(
            "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: {encoding}\n\n"
        );
        let source = [head.as_bytes(), body].concat();
        let message = Message::parse(&source);
        let whole = message.parts().next().unwrap().text();
        let mut longest = 0;
        for cut in 0..=body.len() {
            let source = &source[..head.len() + cut];
            let message = Message::parse(source);
            let part = message.parts().next().unwrap();
            let decoded = part.text_with(&partial());
            let name = format!(
                "{encoding} {:?}",
                &String::from_utf8_lossy(source)[head.len()..]
            );
            assert!(
                whole.as_str().starts_with(decoded.as_str()),
                "{name} {decoded}"
            );
            let worse = decoded.report().iter().find(|finding| {
                !whole.report().has(finding.kind()) && finding.kind() != Kind::Partial
            });
            assert_eq!(worse, None, "{name}");
            // At most two octets of a group and three of a character are withheld, or a run of
            // blanks.
            let octets = transfer::decode(&body[..cut], encoding_of(encoding));
            longest = longest.max(
                octets
                    .as_bytes()
                    .len()
                    .saturating_sub(decoded.as_str().len()),
            );
            assert_eq!(part.decide(&partial()).charset, Charset::UTF_8);
            assert_eq!(
                part.mime_header().text(&part.octets(), &partial()),
                decoded,
                "{name}"
            );
        }
        assert!(longest <= most, "{encoding}: {longest}");
    }
}

fn encoding_of(name: &str) -> TransferEncoding {
    match name {
        "base64" => TransferEncoding::Base64,
        "quoted-printable" => TransferEncoding::QuotedPrintable,
        _ => TransferEncoding::EightBit,
    }
}

/// In a partial message only the last body is partial; damage in a body before it is damage.
#[test]
fn only_the_last_body_is_partial() {
    let source = b"Content-Type: multipart/mixed; boundary=b\n\n\
        --b\nContent-Type: text/plain; charset=utf-8\n\na\xC3\n\
        --b\nContent-Type: text/plain; charset=utf-8\n\nb\xC3";
    let message = Message::parse(source);
    let texts: Vec<_> = message
        .parts()
        .map(|part| part.text_with(&partial()))
        .collect();
    assert_eq!(texts[0].as_str(), "a\u{FFFD}");
    assert!(!texts[0].report().has(Kind::Partial));
    assert_eq!(texts[1].as_str(), "b");
    let rest = texts[1]
        .report()
        .iter()
        .find(|found| found.kind() == Kind::Partial)
        .unwrap();
    assert_eq!((rest.offset(), rest.length()), (1, 1));
    // The same in an embedded message that is itself encoded (in base64).
    let inner = b"Content-Type: text/plain; charset=utf-8\n\nb\xC3";
    let encoded = base64(inner);
    let outer = [
        "Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n",
        &encoded,
    ]
    .concat();
    let message = Message::parse(outer.as_bytes());
    let part = message.parts().find(|part| part.is_text()).unwrap();
    assert_eq!(part.text_with(&partial()).as_str(), "b");
}

/// A preview is a prefix of a longer one, with the charset of the text and a finding if it is
/// truncated; for all mail in the corpus.
#[test]
fn a_preview_is_a_prefix_of_a_longer_one() {
    let mut shown = 0;
    for file in fs::read_dir("corpus/mail").unwrap() {
        let source = fs::read(file.unwrap().path()).unwrap();
        let message = Message::parse(&source);
        for part in message.parts().filter(|part| part.is_text()) {
            let text = part.text();
            // More characters than any text has, so none is truncated.
            let whole = part.preview(1 << 20, &Options::new());
            for characters in [0, 1, 7, 100, 1000] {
                let preview = part.preview(characters, &Options::new());
                assert!(whole.as_str().starts_with(preview.as_str()));
                let is_cut = whole.as_str().len() > preview.as_str().len();
                assert!(!is_cut || preview.report().has(Kind::Partial));
                assert_eq!(
                    (preview.charset(), preview.source()),
                    (text.charset(), text.source())
                );
                shown += 1;
            }
        }
    }
    assert!(shown > 500, "{shown}");
}

/// The text and the report of a body read a given number of octets at a time.
fn read_in_pieces(
    body: &[u8],
    (encoding, charset): (TransferEncoding, Charset),
    options: &Options,
    octets: usize,
) -> (String, Report) {
    let source = BufReader::with_capacity(octets, body);
    let mut reader = TextReader::new(source, encoding, charset, options);
    let mut text = String::new();
    while let Some(piece) = reader.piece().unwrap() {
        text += piece;
    }
    (text, reader.finish().unwrap())
}

/// A reader gives the text of the part, however the octets are split; for all mail in the corpus.
#[test]
fn a_reader_gives_the_text_of_the_part() {
    let mut read = 0;
    for folder in ["corpus/mail", "corpus/malformed"] {
        for file in fs::read_dir(folder).unwrap() {
            let source = fs::read(file.unwrap().path()).unwrap();
            let message = Message::parse(&source);
            for part in message.parts().filter(|part| part.is_text()) {
                let whole = part.text();
                let how = (part.transfer_encoding(), whole.charset());
                for octets in [1, 3, 64, 10_000] {
                    let (text, report) = read_in_pieces(part.body(), how, &Options::new(), octets);
                    assert_eq!(text, whole.as_str());
                    let of_whole = whole.report();
                    assert_eq!(report.replacements(), of_whole.replacements());
                    for finding in of_whole.iter().filter(|it| it.kind() == Kind::Malformed) {
                        assert!(report.iter().any(|found| found == finding), "{finding}");
                    }
                    read += 1;
                }
            }
        }
    }
    assert!(read > 500, "{read}");
}

/// Bodies of many pieces, split at every place of a pattern, with the findings of the whole.
#[test]
fn a_reader_has_the_findings_of_the_whole() {
    let cases: [(TransferEncoding, &[u8], &[Kind]); 6] = [
        (
            TransferEncoding::Base64,
            b"7ZWc\r\n6rW t",
            &[Kind::LineLength],
        ),
        (
            TransferEncoding::Base64,
            b"7ZWcIA==\n",
            &[Kind::Base64AfterPadding],
        ),
        (TransferEncoding::Base64, b"7ZWc!", &[Kind::Base64Skipped]),
        (
            TransferEncoding::QuotedPrintable,
            b"=ED=95=9C \r\na=\n",
            &[Kind::QuotedPrintableBlanks],
        ),
        (
            TransferEncoding::QuotedPrintable,
            b"=ED=95=9C=X b",
            &[Kind::QuotedPrintableKept, Kind::LineLength],
        ),
        (
            TransferEncoding::SevenBit,
            "한 ".as_bytes(),
            &[Kind::EightBitData],
        ),
    ];
    for (encoding, pattern, kinds) in cases {
        let body = pattern.repeat(30_000 / pattern.len());
        let octets = transfer::decode(&body, encoding);
        let whole = Charset::UTF_8.decode(octets.as_bytes());
        let how = (encoding, Charset::UTF_8);
        let (text, report) = read_in_pieces(&body, how, &Options::new(), 4096);
        assert!(
            text == whole.as_str(),
            "{encoding} {}",
            pattern.escape_ascii()
        );
        for kind in kinds.iter().filter(|kind| octets.report().has(**kind)) {
            let first = |report: &Report| {
                let finding = report.iter().find(|finding| finding.kind() == *kind);
                finding.map(|it| (it.offset(), it.length(), it.detail().to_owned()))
            };
            assert_eq!(first(&report), first(octets.report()), "{encoding} {kind}");
        }
    }
}

/// The findings in base64, with their offsets.
fn found_in_base64(report: &Report) -> Vec<(Kind, usize, usize)> {
    let of_base64 = |kind: &Kind| {
        let name = kind.name();
        name.starts_with("base64-") || *kind == Kind::LineLength
    };
    let found = report.iter().filter(|finding| of_base64(&finding.kind()));
    let place = |finding: &Finding| (finding.kind(), finding.offset(), finding.length());
    found.map(place).collect()
}

/// RFC 2045, section 6.8: an equals sign after a complete group is not padding, so no data follows
/// padding, however the octets are split.
#[test]
fn rfc2045_6_8_a_superfluous_equals_sign_is_not_padding() {
    let how = (TransferEncoding::Base64, Charset::UTF_8);
    for octets in [1, 100, 4096, 10_000] {
        let body = b"QUJD=\r\n".repeat(3000);
        let (text, report) = read_in_pieces(&body, how, &Options::new(), octets);
        assert_eq!(text, "ABC".repeat(3000));
        assert!(!report.has(Kind::Base64AfterPadding), "{octets}");
        // One finding per equals sign, as many as the report keeps.
        let signs = report.iter().filter(|it| it.kind() == Kind::Base64Padding);
        assert_eq!(signs.count() + report.omitted(), 3000);

        let body = [&b"Q".repeat(8188)[..], b"=QUJDQUJDQUJDQUJD"].concat();
        let (text, report) = read_in_pieces(&body, how, &Options::new(), octets);
        assert!(text.ends_with("ABCABCABCABC"));
        assert!(!report.has(Kind::Base64AfterPadding), "{octets}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    /// A reader's findings in base64 are those of the whole, however the octets are split.
    #[test]
    fn a_reader_has_the_findings_of_the_whole_base64(
        drawn in prop::collection::vec(
            prop::sample::select(
                vec!["QUJD", "QQ==", "QUI=", "Q", "QU", "=", "==", "!", " ", "\r\n", "\n"],
            ),
            0..24,
        ),
        before in 0..48_usize,
        line in prop::sample::select(vec![64, 76, 80, 20_000]),
    ) {
        // The first piece ends within the drawn octets.
        const PIECE: usize = 8 << 10;
        let letters = "QUJD".repeat(PIECE / 4);
        let lines: Vec<_> = letters.as_bytes().chunks(line).collect();
        let mut body = lines.join(&b"\r\n"[..]);
        body.truncate(PIECE - before);
        body.extend(drawn.concat().bytes());
        body.extend(b"QUJD".repeat(2));
        let how = (TransferEncoding::Base64, Charset::UTF_8);
        let whole = transfer::decode(&body, how.0);
        let text = how.1.decode(whole.as_bytes());
        for octets in [7, 10_000] {
            let (read, report) = read_in_pieces(&body, how, &Options::new(), octets);
            prop_assert_eq!(&read, text.as_str());
            prop_assert_eq!(found_in_base64(&report), found_in_base64(whole.report()));
        }
    }
}

/// Skipped octets are one finding however the octets are split, even in data after padding that
/// continues in the next piece.
#[test]
fn skipped_octets_after_padding_are_one_finding() {
    let how = (TransferEncoding::Base64, Charset::UTF_8);
    for at in 8190..8194 {
        // `QQ==`, letters up to `at`, the two octets to skip, and the rest of the last group.
        let letters = "QUJD".repeat(at);
        let (first, rest) = letters.split_at(at - 4);
        let body = format!("QQ=={first}!!{}", &rest[..4 + rest.len() % 4]);
        let skipped = (Kind::Base64Skipped, at, 2);
        let whole = transfer::decode(body.as_bytes(), how.0);
        assert!(found_in_base64(whole.report()).contains(&skipped));
        for octets in [7, 10_000] {
            let (_, report) = read_in_pieces(body.as_bytes(), how, &Options::new(), octets);
            assert!(
                found_in_base64(&report).contains(&skipped),
                "{at}, {octets}"
            );
        }
    }
}

/// A byte order mark is removed, however it is split; a body that ends early ends like partial
/// text.
#[test]
fn a_reader_removes_a_mark_and_may_end_early() {
    let body = b"77u/7ZWc6r";
    let how = (TransferEncoding::Base64, Charset::UTF_8);
    for octets in 1..5 {
        let (text, report) = read_in_pieces(body, how, &partial(), octets);
        assert_eq!(text, "한");
        assert!(report.has(Kind::BomRemoved) && !report.has_loss());
        let places: Vec<_> = report
            .iter()
            .filter(|finding| finding.kind() == Kind::Partial)
            .map(|finding| (finding.offset(), finding.length()))
            .collect();
        // The group at offset 8 of the body is incomplete, and all six octets are text.
        assert_eq!(places, [(8, 2), (6, 0)]);
        let kept = partial().keep_bom(true);
        assert_eq!(read_in_pieces(body, how, &kept, octets).0, "\u{FEFF}한");
    }
}
