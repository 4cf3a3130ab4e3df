//! glibc's iconv with the module gives the same text as the library.
//!
//! `bindings/gconv/run` builds the module and `pieces.c` and sets their paths; without them the
//! test does nothing.

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;

use mime_charset::hangul::HangulPolicy;
use mime_charset::{Charset, Effect, Options};

/// The module's options: text cannot wait for later octets.
const OPTIONS: Options = Options::new().hangul(HangulPolicy::Always);

/// Charsets whose octet order depends on the text; up to 4,096 octets are buffered.
const WAITING: [&str; 8] = [
    "ISO-10646-J-1",
    "ISO-10646-UCS-BASIC",
    "ISO-UNICODE-IBM-1261",
    "ISO-UNICODE-IBM-1264",
    "ISO-UNICODE-IBM-1265",
    "ISO-UNICODE-IBM-1268",
    "ISO-UNICODE-IBM-1276",
    "UNICODE-1-1",
];

/// The names in `gconv-modules`.
fn names() -> Vec<String> {
    let text = fs::read_to_string("gconv-modules").unwrap();
    let modules = text
        .lines()
        .filter_map(|line| line.strip_prefix("module\t"));
    modules
        .map(|line| line.split("//").next().unwrap().to_owned())
        .collect()
}

fn octets_of(hexadecimal: &str) -> Option<Vec<u8>> {
    let is_octets = hexadecimal.len().is_multiple_of(2)
        && hexadecimal.bytes().all(|digit| digit.is_ascii_hexdigit());
    let octet = |at| u8::from_str_radix(&hexadecimal[at..at + 2], 16).unwrap();
    is_octets.then(|| (0..hexadecimal.len()).step_by(2).map(octet).collect())
}

/// The octets of the corpus for a charset, with their text if the file gives it in scalar values.
fn of_corpus(charset: Charset) -> Vec<(Vec<u8>, Option<String>)> {
    let (file, has_text) = match charset.name() {
        "BOCU-1" | "CESU-8" | "SCSU" => (charset.name().to_lowercase(), true),
        "ISO-10646-UTF-1" => ("utf-1".to_owned(), true),
        "UNICODE-1-1-UTF-7" => ("utf-7".to_owned(), false),
        "UNICODE-1-1" => ("utf-16be".to_owned(), false),
        name if name.starts_with("x-iscii") => ("iscii".to_owned(), false),
        "x-mac-hebrew" => ("mac-hebrew".to_owned(), false),
        _ => return Vec::new(),
    };
    let text = fs::read_to_string(format!("../../corpus/charset/{file}.tsv")).unwrap();
    let mut rows = Vec::new();
    for row in text.lines().filter(|line| !line.starts_with('#')) {
        let columns: Vec<_> = row.split('\t').collect();
        let (octets, text) = match columns[..] {
            [octets, text] => (octets, has_text.then(|| scalars(text)).flatten()),
            [name, _, octets, _] if name == charset.name() => (octets, None),
            _ => continue,
        };
        rows.push((octets_of(octets).unwrap(), text));
    }
    assert!(rows.len() > 20, "{} rows of {file}", rows.len());
    rows
}

/// Parses `41 2262*3`; `None` if the text has a replacement character.
fn scalars(text: &str) -> Option<String> {
    let mut made = String::new();
    for scalar in text.split(' ').filter(|scalar| !scalar.is_empty()) {
        let (scalar, times) = scalar.split_once('*').unwrap_or((scalar, "1"));
        let scalar = char::from_u32(u32::from_str_radix(scalar, 16).unwrap()).unwrap();
        (0..times.parse().unwrap()).for_each(|_| made.push(scalar));
    }
    (!made.contains('\u{FFFD}')).then_some(made)
}

/// Every octet, every pair of some octets, and octets from a deterministic generator.
fn drawn() -> Vec<Vec<u8>> {
    let mut lines: Vec<_> = (0..=255).map(|octet| vec![octet]).collect();
    for first in (0x21..=0xFE).step_by(7) {
        lines.extend(
            (0x20..=0xFF)
                .step_by(9)
                .map(|second| vec![first, second, b'a']),
        );
    }
    // Knuth's MMIX generator.
    let mut state = 20_261_123_u64;
    let mut next = |below: u64| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    const MARKS: &[u8] = b"a '^(.+-~{}\x1B$B(J\x0E\x0F\xEF\xD9\xA1\xC7\xB0\xE3\x0A";
    for _ in 0..300 {
        let length = 1 + next(60);
        let octet = |_| match next(3) {
            0 => next(256) as u8,
            _ => MARKS[next(MARKS.len() as u64) as usize],
        };
        lines.push((0..length).map(octet).collect());
    }
    lines
}

/// The line that `pieces` prints for each input line.
fn ask(pieces: &str, path: &str, name: &str, lines: &[Vec<u8>]) -> Vec<String> {
    let mut child = Command::new(pieces)
        .arg(name)
        .env("GCONV_PATH", path)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut input = String::new();
    for line in lines {
        line.iter()
            .for_each(|octet| write!(input, "{octet:02X}").unwrap());
        input.push('\n');
    }
    let writer = thread::spawn(move || stdin.write_all(input.as_bytes()));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    assert!(output.status.success(), "{name}");
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(str::to_owned).collect()
}

fn text_of(hexadecimal: &str) -> String {
    String::from_utf8(octets_of(hexadecimal.trim_matches('-')).unwrap()).unwrap()
}

/// Compares an answer with the library's result.
fn check(name: &str, charset: Charset, octets: &[u8], answer: &str) {
    let decoded = charset.decode_with(octets, &OPTIONS);
    let columns: Vec<_> = answer.split(' ').collect();
    let [text, status, place, ignoring, left] = columns[..] else {
        panic!("{name}: {answer}")
    };
    let (text, place): (_, usize) = (text_of(text), place.parse().unwrap());
    let shown = format!("{name} {octets:02X?} {answer}: {decoded:?}");
    let lost = decoded
        .report()
        .iter()
        .filter(|finding| finding.kind().effect() == Effect::Lost);
    if decoded.report().replacements() == 0 {
        assert_eq!((text.as_str(), status), (decoded.as_str(), "OK"), "{shown}");
        assert_eq!(
            (place, text_of(ignoring).as_str()),
            (octets.len(), text.as_str()),
            "{shown}"
        );
        return;
    }
    let before = decoded.as_str().split('\u{FFFD}').next().unwrap();
    // Without its end, octets that wait for their order may be decoded in another one.
    assert!(
        text == before || (status == "EINVAL" && WAITING.contains(&name)),
        "{shown}"
    );
    let first = lost.clone().min_by_key(|finding| finding.offset()).unwrap();
    match status {
        // The library's finding is about the last digit of a run. That digit also has bits of the
        // previous character and was consumed with it: iconv stops after it, like glibc's UTF-7
        // (`run`).
        "EILSEQ" if name == "UNICODE-1-1-UTF-7" && place > first.offset() => {
            assert_eq!(place, first.offset() + first.length(), "{shown}");
        }
        "EILSEQ" => assert_eq!(place, first.offset(), "{shown}"),
        "EINVAL" if WAITING.contains(&name) => {
            assert!(
                lost.clone().any(|finding| finding.offset() == place),
                "{shown}"
            );
        }
        // Octets that may become a character; no charset has one of more than eight octets.
        "EINVAL" => {
            let is_shift = name == "UNICODE-1-1-UTF-7" && place < first.offset();
            assert!(is_shift || place == first.offset(), "{shown}");
            assert!(octets.len() - place <= 8, "{shown}");
        }
        // If the octets wait for their order, it is decided at the end.
        "FLUSH" => assert!(WAITING.contains(&name), "{shown}"),
        _ => panic!("{shown}"),
    }
    let (ignoring, without) = (text_of(ignoring), decoded.as_str().replace('\u{FFFD}', ""));
    if left == "0" {
        assert_eq!(ignoring, without, "{shown}");
    } else if !WAITING.contains(&name) {
        // An incomplete sequence at the end is not malformed, and is left to the caller.
        assert!(without.starts_with(&ignoring), "{shown}");
    }
}

#[test]
fn iconv_gives_the_text_of_the_library() {
    let place = |name| {
        std::env::var(name)
            .ok()
            .filter(|place| Path::new(place).exists())
    };
    let (Some(pieces), Some(path)) = (place("MIME_CHARSET_PIECES"), place("MIME_CHARSET_GCONV"))
    else {
        println!("skipped: bindings/gconv/run runs it");
        return;
    };
    let drawn = drawn();
    let names = names();
    for name in &names {
        let charset = Charset::for_label(name).unwrap();
        let corpus = of_corpus(charset);
        let mut lines: Vec<_> = corpus.iter().map(|(octets, _)| octets.clone()).collect();
        lines.extend(drawn.iter().cloned());
        let answers = ask(&pieces, &path, name, &lines);
        assert_eq!(answers.len(), lines.len());
        for (octets, answer) in lines.iter().zip(&answers) {
            check(name, charset, octets, answer);
        }
        for ((octets, text), answer) in corpus.iter().zip(&answers) {
            if let Some(text) = text {
                let read = text_of(answer.split(' ').next().unwrap());
                assert_eq!(&read, text, "{name} {octets:02X?}");
            }
        }
    }
    assert!(names.len() > 90);
}
