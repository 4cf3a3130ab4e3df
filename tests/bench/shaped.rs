//! A mailbox shaped like real mail: small messages, short texts, few letters beyond ASCII, and some
//! text with a wrong or missing label.
//!
//! Sizes and counts are from 518 messages in the test suites of twelve public mail programs;
//! nothing else is taken from them. Quartiles: fields per message 6, 9, 17; octets per header 237,
//! 406, 1244; octets per body 39, 556, 2008; entities 1, 2, 3; octets per text 13, 46, 404; octets
//! per attachment 61, 524, 1325. Of the messages, 50 % are a single text, 15 %
//! multipart/alternative and 35 % multipart/mixed or similar. Of the texts, 22 % are HTML. A
//! seventh of the messages have encoded words.

use crate::mail::{Mail, Transfer, Word, encoded_words, html, transferred};
use crate::text::{self, Language, Random};

/// The encoding of a text, and its label.
struct Kind {
    /// Per thousand.
    share: usize,
    label: Option<&'static str>,
    transfer: Transfer,
    script: Script,
}

#[derive(Clone, Copy)]
enum Script {
    Ascii,
    Latin,
    Language(&'static Language),
    Chinese,
    TraditionalChinese,
    Japanese,
    Korean,
    /// Without a correct label: 1 to 40 octets above 7F in a few hundred.
    Sparse(&'static Language),
}

const fn kind(share: usize, label: &'static str, transfer: Transfer, script: Script) -> Kind {
    Kind {
        share,
        label: Some(label),
        transfer,
        script,
    }
}

const fn unlabelled(share: usize, script: Script) -> Kind {
    Kind {
        share,
        label: None,
        transfer: Transfer::Identity,
        script,
    }
}

const KINDS: [Kind; 24] = [
    kind(180, "us-ascii", Transfer::Identity, Script::Ascii),
    unlabelled(120, Script::Ascii),
    kind(200, "utf-8", Transfer::QuotedPrintable, Script::Latin),
    kind(60, "UTF-8", Transfer::Base64, Script::Latin),
    kind(30, "utf-8", Transfer::Base64, Script::Korean),
    kind(50, "utf-8", Transfer::Identity, Script::Latin),
    kind(110, "iso-8859-1", Transfer::QuotedPrintable, Script::Latin),
    kind(40, "ISO-8859-1", Transfer::Identity, Script::Latin),
    kind(43, "windows-1252", Transfer::QuotedPrintable, Script::Latin),
    kind(
        25,
        "iso-8859-2",
        Transfer::QuotedPrintable,
        Script::Language(&text::POLISH),
    ),
    kind(20, "gb2312", Transfer::Base64, Script::Chinese),
    kind(20, "iso-2022-jp", Transfer::Identity, Script::Japanese),
    kind(
        15,
        "koi8-r",
        Transfer::Identity,
        Script::Language(&text::RUSSIAN),
    ),
    kind(10, "euc-kr", Transfer::Base64, Script::Korean),
    kind(10, "big5", Transfer::Base64, Script::TraditionalChinese),
    unlabelled(14, Script::Sparse(&text::GERMAN_WINDOWS)),
    unlabelled(10, Script::Sparse(&text::FRENCH)),
    unlabelled(8, Script::Sparse(&text::SPANISH)),
    unlabelled(8, Script::Sparse(&text::POLISH)),
    unlabelled(6, Script::Sparse(&text::RUSSIAN)),
    unlabelled(4, Script::Sparse(&text::RUSSIAN_WINDOWS)),
    unlabelled(4, Script::Sparse(&text::CHINESE)),
    kind(
        8,
        "us-ascii",
        Transfer::Identity,
        Script::Sparse(&text::FRENCH),
    ),
    kind(
        5,
        "US-ASCII",
        Transfer::Identity,
        Script::Sparse(&text::GERMAN_WINDOWS),
    ),
];

/// A random number with the given minimum, quartiles and maximum; in the last quarter, small
/// numbers are more frequent.
fn quartiles(random: &mut Random, marks: [usize; 5]) -> usize {
    let quarter = random.below(4);
    let (from, to) = (marks[quarter], marks[quarter + 1]);
    let mut at = random.below(1000);
    if quarter == 3 {
        at = at * at * at / 1_000_000;
    }
    from + (to - from) * at / 1000
}

/// `count` messages.
pub fn mailbox(count: usize) -> Vec<Mail> {
    let writer = Writer {
        syllables: text::syllables(),
        kanji: text::kanji(),
        hanzi: text::hanzi(),
        hanzi_of_big5: text::hanzi_of_big5(),
    };
    let mut random = Random(9);
    (0..count)
        .map(|number| writer.mail(&mut random, number))
        .collect()
}

struct Writer {
    syllables: Vec<char>,
    kanji: Vec<char>,
    hanzi: Vec<char>,
    hanzi_of_big5: Vec<char>,
}

impl Writer {
    fn mail(&self, random: &mut Random, number: usize) -> Mail {
        let mut share = random.below(1000);
        let mut kinds = KINDS.iter();
        let kind = loop {
            let kind = kinds.next().expect("shares of a thousand");
            match share.checked_sub(kind.share) {
                Some(rest) => share = rest,
                None => break kind,
            }
        };
        let is_labelled = !matches!(kind.script, Script::Sparse(_));
        let (subject, from, to) = self.phrases(random, kind);
        let mut source = header(random, number, kind, [&subject, &from, &to]).into_bytes();
        let mut texts = Vec::new();
        let draw = random.below(100);
        let (is_mixed, has_html) = match draw {
            0..35 => (true, draw < 10),
            35..50 => (false, true),
            _ => (false, false),
        };
        let mixed = is_mixed.then(|| open(&mut source, "mixed", random));
        if let Some(mixed) = &mixed {
            delimiter(&mut source, mixed, "");
        }
        let plain = self.text(random, kind.script);
        if has_html {
            let alternative = open(&mut source, "alternative", random);
            delimiter(&mut source, &alternative, "");
            part(&mut source, kind, "plain", &plain);
            delimiter(&mut source, &alternative, "");
            texts.push(plain);
            texts.push(html(&texts[0]));
            part(&mut source, kind, "html", &texts[1]);
            delimiter(&mut source, &alternative, "--");
        } else if !is_mixed && draw < 54 {
            texts.push(html(&plain));
            part(&mut source, kind, "html", &texts[0]);
        } else {
            part(&mut source, kind, "plain", &plain);
            texts.push(plain);
        }
        if let Some(mixed) = &mixed {
            for _ in 0..random.below(3) {
                delimiter(&mut source, mixed, "");
                attachment(&mut source, random);
            }
            delimiter(&mut source, mixed, "--");
        }
        Mail {
            source,
            subject,
            from: format!("{from} <sender@example.com>"),
            to: format!("{to} <list@example.org>"),
            // Only the other mailbox is asked for charsets.
            charsets: Vec::new(),
            texts,
            is_labelled,
        }
    }

    fn text(&self, random: &mut Random, script: Script) -> String {
        if let Script::Sparse(language) = script {
            let (octets, above) = (200 + random.below(400), 1 + random.below(40));
            return format!("{}\r\n", language.sparse(random, octets, above));
        }
        let octets = quartiles(random, [4, 13, 46, 404, 30_000]);
        format!("{}\r\n", self.words(random, script, octets).trim_end())
    }

    fn words(&self, random: &mut Random, script: Script, octets: usize) -> String {
        match script {
            Script::Ascii | Script::Sparse(_) => text::ascii(random, octets),
            Script::Latin => text::latin(random, octets, 3),
            Script::Language(language) => language.dense(random, octets),
            Script::Chinese => text::chinese(random, octets, &self.hanzi),
            Script::TraditionalChinese => text::chinese(random, octets, &self.hanzi_of_big5),
            Script::Japanese => text::japanese(random, octets, &self.kanji),
            Script::Korean => text::korean(random, octets, &self.syllables),
        }
    }

    /// A subject and two names, in ASCII except for a seventh of the messages.
    fn phrases(&self, random: &mut Random, kind: &Kind) -> (String, String, String) {
        let script = match random.below(4) {
            0 => kind.script,
            _ => Script::Ascii,
        };
        let mut phrase = |characters: usize| {
            let text = self.words(random, script, characters * 4);
            let letters = text.chars().filter(|c| c.is_alphanumeric() || *c == ' ');
            let phrase: String = letters.take(characters).collect();
            phrase.trim().to_owned()
        };
        (phrase(28), phrase(8), phrase(6))
    }
}

/// All fields except those of the body.
fn header(random: &mut Random, number: usize, kind: &Kind, phrases: [&str; 3]) -> String {
    let [subject, from, to] = phrases.map(|phrase| match kind.label {
        Some(label) if !phrase.is_ascii() => {
            let encoding = encoding_rs::Encoding::for_label(label.as_bytes());
            let encoding = encoding.expect("a label of the Encoding Standard");
            encoded_words(phrase, encoding, label, word(kind.transfer), 10)
        }
        _ => phrase.to_owned(),
    });
    // Including the two or three fields of the body.
    let wanted = quartiles(random, [5, 6, 9, 17, 40]).saturating_sub(2);
    let mut fields = vec![
        format!("From: {from} <sender@example.com>\r\n"),
        format!("To: {to} <list@example.org>\r\n"),
        format!("Subject: {subject}\r\n"),
        "Date: Tue, 3 Mar 2026 09:41:00 +0900\r\n".to_owned(),
    ];
    let id = random.next();
    let more = [
        format!("Message-ID: <{id:016x}.{number}@mail.example.com>\r\n"),
        "Return-Path: <sender@example.com>\r\n".to_owned(),
        "Reply-To: <answers@example.com>\r\n".to_owned(),
        "X-Mailer: Example Mailer 16.0.1\r\n".to_owned(),
    ];
    let few = wanted.saturating_sub(fields.len());
    fields.extend(more.into_iter().take(few));
    while fields.len() < wanted {
        let field = match random.below(4) {
            0 => format!(
                "Received: from mx.example.net (mx.example.net [192.0.2.{}])\r\n\
                 \tby mail.example.org (Postfix) with ESMTPS id {:012X}\r\n\
                 \tfor <user@example.org>; Tue, 3 Mar 2026 09:41:07 +0900 (KST)\r\n",
                random.below(255),
                random.next() >> 16,
            ),
            1 => format!("X-Spam-Score: {}\r\n", random.below(100)),
            2 => format!("References: <{:016x}@mail.example.com>\r\n", random.next()),
            _ => format!(
                "X-Trace-{}: {:016x}; checked by example.org\r\n",
                random.below(9),
                random.next()
            ),
        };
        // Newest first.
        fields.insert(0, field);
    }
    fields.push("MIME-Version: 1.0\r\n".to_owned());
    fields.concat()
}

fn word(transfer: Transfer) -> Word {
    match transfer {
        Transfer::QuotedPrintable => Word::Q,
        Transfer::Identity | Transfer::Base64 => Word::B,
    }
}

/// The field of a multipart, and its boundary.
fn open(source: &mut Vec<u8>, subtype: &str, random: &mut Random) -> String {
    let boundary = format!("----=_Part_{:016X}", random.next());
    let field = format!("Content-Type: multipart/{subtype}; boundary=\"{boundary}\"\r\n");
    source.extend_from_slice(field.as_bytes());
    boundary
}

fn delimiter(source: &mut Vec<u8>, boundary: &str, end: &str) {
    source.extend_from_slice(format!("\r\n--{boundary}{end}\r\n").as_bytes());
}

fn part(source: &mut Vec<u8>, kind: &Kind, subtype: &str, text: &str) {
    let charset = match (kind.script, kind.label) {
        (Script::Sparse(language), _) => language.charset,
        (_, label) => label.unwrap_or("us-ascii"),
    };
    let (name, body) = transferred(&text::encode(charset, text), kind.transfer);
    let label = kind.label.map(|label| format!("; charset={label}"));
    let fields = format!(
        "Content-Type: text/{subtype}{}\r\nContent-Transfer-Encoding: {name}\r\n\r\n",
        label.unwrap_or_default(),
    );
    source.extend_from_slice(fields.as_bytes());
    source.extend_from_slice(&body);
}

fn attachment(source: &mut Vec<u8>, random: &mut Random) {
    let length = quartiles(random, [1, 61, 524, 1325, 60_000]);
    let octets: Vec<u8> = (0..length)
        .map(|_| random.next().to_be_bytes()[0])
        .collect();
    let fields = "Content-Type: application/octet-stream\r\n\
                  Content-Transfer-Encoding: base64\r\n\
                  Content-Disposition: attachment; filename=\"file.bin\"\r\n\r\n";
    source.extend_from_slice(fields.as_bytes());
    source.extend_from_slice(&text::base64(&octets, 76));
}
