//! The charset of octets without a label, compared with chardetng.

use std::borrow::Cow;
use std::hint::black_box;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::Encoding;
use mime_charset::Charset;

use crate::harness::{Peer, Plan, Row, peer, peer_in_two, table, utf8};
use crate::text::{self, Language, Random};

const TITLE: &str = "Detection: the charset of octets without a label";
const SPARSE: &str = "Detection: text without a label, few of its octets above 7F";
const NOISE: &str = "Detection: random octets, which are text in no charset";
const SIZE: usize = 1 << 20;

/// A sentence of the length of a subject, and its charset.
const SUBJECTS: [(&str, &str, &str); 4] = [
    (
        "windows-1252",
        "windows-1252",
        "Gr\u{FC}\u{DF}e aus M\u{FC}nchen an alle",
    ),
    ("KOI8-U", "KOI8-U", "Письмо из Москвы, важное"),
    ("Shift_JIS", "Shift_JIS", "会議の日程についてのお知らせ"),
    ("EUC-KR", "EUC-KR", "다음 주 회의 일정 안내"),
];

pub fn measure(plan: &Plan) {
    if !plan.wants(TITLE) {
        return;
    }
    let latin = text::latin(&mut Random(1), SIZE, 10);
    let japanese = text::japanese(&mut Random(2), SIZE, &text::kanji());
    let korean = text::korean(&mut Random(3), SIZE, &text::syllables());
    let long: Vec<(&str, Vec<u8>)> = vec![
        ("UTF-8", korean.clone().into_bytes()),
        ("windows-1252", text::encode("windows-1252", &latin)),
        ("Shift_JIS", text::encode("Shift_JIS", &japanese)),
        ("EUC-KR", text::encode("EUC-KR", &korean)),
    ];
    let short = SUBJECTS.map(|(name, label, text)| (name, text::encode(label, text)));
    let mut rows = Vec::new();
    for (name, octets) in &long {
        rows.push(row(format!("{name}, 1 MiB"), name, octets, octets.len()));
    }
    for (name, octets) in &short {
        rows.push(row(
            format!("{name}, {} octets", octets.len()),
            name,
            octets,
            0,
        ));
    }
    table(plan, TITLE, rows);
}

/// Text with few letters beyond ASCII, like most mail without a label. The decoded text counts, not
/// the name of the guess.
pub fn measure_sparse(plan: &Plan) {
    if !plan.wants(SPARSE) {
        return;
    }
    let languages: [(&str, &Language); 5] = [
        ("German in windows-1252", &text::GERMAN_WINDOWS),
        ("Polish in windows-1250", &text::POLISH),
        ("German in IBM850", &text::GERMAN_DOS),
        ("Chinese names in GBK", &text::CHINESE),
        ("Russian words in KOI8-R", &text::RUSSIAN),
    ];
    let mut texts = Vec::new();
    for (name, language) in languages {
        for octets in [20, 60, 150, 300, 512] {
            // Two Chinese characters alone are as plausible in Big5 as in GBK.
            let least = if language.charset == "GBK" { 10 } else { 1 };
            let above = least.max(octets / 15);
            let text = language.sparse(&mut Random(octets as u64), octets - 5, above);
            let octets = text::encode(language.charset, &text);
            let above = octets.iter().filter(|octet| !octet.is_ascii()).count();
            let name = format!("{name}, {above} of {} octets above 7F", octets.len());
            texts.push((name, octets, text));
        }
    }
    let rows = texts.iter().map(|(name, octets, text)| Row {
        name: name.clone(),
        octets: 0,
        right: text.as_bytes().into(),
        peers: peers_by_text(octets),
    });
    table(plan, SPARSE, rows.collect());
}

/// Octets that fit no charset, the slowest to judge. Any answer is as right as another.
pub fn measure_noise(plan: &Plan) {
    if !plan.wants(NOISE) {
        return;
    }
    let letters: Vec<u8> = (b'a'..=b'z').collect();
    let mut texts = Vec::new();
    for (name, range, every) in [
        ("any octets", 0..=0xFF_u8, 1),
        ("octets above 9F", 0xA0..=0xFF, 1),
        ("octets above 7F", 0x80..=0xFF, 1),
        ("letters, each tenth octet above 7F", 0x80..=0xFF, 10),
    ] {
        let range: Vec<u8> = range.collect();
        for count in [256, 2048, 5120, 65536] {
            let mut random = Random(7);
            let octet = |at: usize| match at % every {
                0 => *random.pick(&range),
                _ => *random.pick(&letters),
            };
            let octets: Vec<u8> = (0..count).map(octet).collect();
            texts.push((format!("{name}, {count} of them"), octets));
        }
    }
    let rows = texts.iter().map(|(name, octets)| Row {
        name: name.clone(),
        octets: 0,
        right: b"".into(),
        peers: peers_that_guess(octets, |_| Cow::Borrowed(b""), |_| Cow::Borrowed(b"")),
    });
    table(plan, NOISE, rows.collect());
}

fn row<'a>(title: String, name: &'a str, octets: &'a [u8], weighed: usize) -> Row<'a> {
    Row {
        name: title,
        octets: weighed,
        right: name.as_bytes().into(),
        peers: peers(octets),
    }
}

fn peers(octets: &[u8]) -> Vec<Peer<'_>> {
    vec![
        peer("mime-charset", || {
            let guess = mime_charset::detect::detect(octets);
            Cow::Borrowed(guess.charset.name().as_bytes())
        }),
        peer("chardetng 1.0", || {
            let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
            detector.feed(octets, true);
            let name = detector.guess(None, Utf8Detection::Allow).name();
            Cow::Borrowed(name.as_bytes())
        }),
    ]
}

/// The same peers, checked by their text and timed only for the guess.
fn peers_by_text(octets: &[u8]) -> Vec<Peer<'_>> {
    peers_that_guess(
        octets,
        |charset| utf8(charset.decode(octets).into_text()),
        |encoding| utf8(encoding.decode_without_bom_handling(octets).0),
    )
}

/// The same peers, timed only for the guess. `of_charset` and `of_encoding` give the octets that are
/// checked.
fn peers_that_guess<'a>(
    octets: &'a [u8],
    of_charset: impl Fn(Charset) -> Cow<'a, [u8]> + 'a,
    of_encoding: impl Fn(&'static Encoding) -> Cow<'a, [u8]> + 'a,
) -> Vec<Peer<'a>> {
    let ours = || mime_charset::detect::detect(octets).charset;
    let chardetng = || {
        let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
        detector.feed(octets, true);
        detector.guess(None, Utf8Detection::Allow)
    };
    vec![
        peer_in_two(
            "mime-charset",
            move || of_charset(ours()),
            move || {
                black_box(ours());
            },
        ),
        peer_in_two(
            "chardetng 1.0",
            move || of_encoding(chardetng()),
            move || {
                black_box(chardetng());
            },
        ),
    ]
}
