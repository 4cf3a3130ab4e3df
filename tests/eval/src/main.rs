//! Reads samples, one per line: a charset label and hex octets. Writes the guesses of this library
//! and of chardetng, and whether each gives the right text.

use std::io::{BufRead, BufWriter, Write};

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use mime_charset::{Charset, detect};

fn main() {
    let mut out = BufWriter::new(std::io::stdout().lock());
    for line in std::io::stdin().lock().lines() {
        let line = line.expect("standard input is text");
        let (label, hex) = line.split_once('\t').expect("a label, a tab and octets");
        let octets: Vec<u8> = (0..hex.len())
            .step_by(2)
            .map(|at| u8::from_str_radix(&hex[at..at + 2], 16).expect("hex octets"))
            .collect();
        let truth = Charset::for_label(label).expect("a label");
        let read = |charset: Charset| {
            let text = charset.decode(&octets).into_text();
            text.trim_start_matches('\u{FEFF}').to_owned()
        };
        let truth = read(truth);
        let guess = detect::detect(&octets);
        let ours = read(guess.charset) == truth;

        let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
        detector.feed(&octets, true);
        let alone = detector.guess(None, Utf8Detection::Allow).name();
        let theirs = Charset::for_label(alone).is_some_and(|charset| read(charset) == truth);
        writeln!(
            out,
            "{}\t{}\t{}\t{}\t{}",
            guess.charset,
            u8::from(ours),
            guess.confidence,
            alone,
            u8::from(theirs)
        )
        .expect("standard output takes the lines");
    }
}
