//! What octets without a label are in, beside chardetng alone.

use std::borrow::Cow;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::Encoding;

use crate::harness::{Peer, Plan, Row, peer, table};
use crate::text::{self, Random};

const TITLE: &str = "Detection: the charset of octets without a label";
const SIZE: usize = 1 << 20;

/// A sentence as long as a subject, and the charset it is sent in.
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
        ("windows-1252", encoded("windows-1252", &latin)),
        ("Shift_JIS", encoded("Shift_JIS", &japanese)),
        ("EUC-KR", encoded("EUC-KR", &korean)),
    ];
    let short = SUBJECTS.map(|(name, label, text)| (name, encoded(label, text)));
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
            Cow::Borrowed(guess.charset().name().as_bytes())
        }),
        peer("chardetng 1.0", || {
            let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
            detector.feed(octets, true);
            let name = detector.guess(None, Utf8Detection::Allow).name();
            Cow::Borrowed(name.as_bytes())
        }),
    ]
}

fn encoded(label: &str, text: &str) -> Vec<u8> {
    let encoding = Encoding::for_label(label.as_bytes()).expect("a label of the Encoding Standard");
    let (octets, _, has_unmappable) = encoding.encode(text);
    assert!(!has_unmappable, "{label} has no room for all of the text");
    octets.into_owned()
}
