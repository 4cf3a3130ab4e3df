//! A mailbox for measuring: random messages of many kinds, the same on every run.

use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use encoding_rs::{EUC_KR, Encoding, ISO_2022_JP, UTF_8, WINDOWS_1252};

use crate::text::{self, Random};

/// A message, and its expected text.
pub struct Mail {
    pub source: Vec<u8>,
    pub subject: String,
    pub from: String,
    pub to: String,
    pub texts: Vec<String>,
    /// The charset of each text, by our name for it.
    pub charsets: Vec<&'static str>,
    /// Whether every text has a correct label. Without one, readers may differ on the charset, and
    /// no answer is right or wrong.
    pub is_labelled: bool,
}

/// The encodings of an encoded word.
#[derive(Clone, Copy)]
pub enum Word {
    B,
    Q,
}

#[derive(Clone, Copy)]
pub enum Transfer {
    Identity,
    QuotedPrintable,
    Base64,
}

/// The settings of one mailer.
struct Style {
    share: usize,
    label: &'static str,
    charset: &'static Encoding,
    transfer: Transfer,
    word: Word,
    script: Script,
    has_html: bool,
}

#[derive(Clone, Copy)]
enum Script {
    Ascii,
    Latin { percent: usize },
    Korean,
    Japanese,
}

const STYLES: [Style; 8] = [
    style(
        25,
        "UTF-8",
        UTF_8,
        Transfer::QuotedPrintable,
        Word::Q,
        Script::Latin { percent: 10 },
    ),
    style(
        12,
        "utf-8",
        UTF_8,
        Transfer::Base64,
        Word::B,
        Script::Korean,
    ),
    style(
        5,
        "iso-8859-1",
        WINDOWS_1252,
        Transfer::QuotedPrintable,
        Word::Q,
        Script::Latin { percent: 10 },
    ),
    style(
        5,
        "iso-8859-1",
        WINDOWS_1252,
        Transfer::Identity,
        Word::Q,
        Script::Latin { percent: 10 },
    ),
    style(
        10,
        "euc-kr",
        EUC_KR,
        Transfer::Base64,
        Word::B,
        Script::Korean,
    ),
    style(
        10,
        "iso-2022-jp",
        ISO_2022_JP,
        Transfer::Identity,
        Word::B,
        Script::Japanese,
    ),
    style(
        25,
        "utf-8",
        UTF_8,
        Transfer::QuotedPrintable,
        Word::Q,
        Script::Latin { percent: 5 },
    )
    .html(),
    style(
        8,
        "us-ascii",
        UTF_8,
        Transfer::Identity,
        Word::Q,
        Script::Ascii,
    ),
];

const fn style(
    share: usize,
    label: &'static str,
    charset: &'static Encoding,
    transfer: Transfer,
    word: Word,
    script: Script,
) -> Style {
    Style {
        share,
        label,
        charset,
        transfer,
        word,
        script,
        has_html: false,
    }
}

impl Style {
    const fn html(mut self) -> Self {
        self.has_html = true;
        self
    }
}

/// `count` messages of about 5 KB.
pub fn mailbox(count: usize) -> Vec<Mail> {
    let writer = Writer::new();
    let mut random = Random(8);
    (0..count)
        .map(|number| writer.mail(&mut random, number))
        .collect()
}

/// Writes a mailbox of at least `octets` octets, with LF line endings.
pub fn write_mbox(octets: usize, to: &mut impl Write) -> io::Result<()> {
    let mut to = BufWriter::with_capacity(1 << 20, to);
    let writer = Writer::new();
    let mut random = Random(8);
    let mut written = 0;
    for number in 0.. {
        let mut source = writer.mail(&mut random, number).source;
        source.retain(|octet| *octet != b'\r');
        source.push(b'\n');
        let separator = b"From sender@example.com Tue Mar  3 09:41:00 2026\n";
        to.write_all(separator)?;
        to.write_all(&source)?;
        written += separator.len() + source.len();
        if written >= octets {
            break;
        }
    }
    to.flush()
}

/// Writes a Maildir of `number` messages of at most 3 KB.
pub fn write_maildir(number: usize, folder: &Path) -> io::Result<()> {
    for name in ["cur", "new", "tmp"] {
        fs::create_dir_all(folder.join(name))?;
    }
    let writer = Writer::new();
    let mut random = Random(8);
    let mut written = 0;
    while written < number {
        let mut source = writer.mail(&mut random, written).source;
        source.retain(|octet| *octet != b'\r');
        if source.len() <= 3 << 10 {
            fs::write(folder.join(format!("cur/{written}.example:2,S")), source)?;
            written += 1;
        }
    }
    Ok(())
}

/// A message of a few lines and an attachment, `octets` long in all (RFC 2046, section 5.1.3).
pub fn with_attachment(octets: usize) -> Mail {
    let mut random = Random(12);
    let mut source = b"Subject: Report\r\nFrom: a <a@b>\r\nTo: c <c@d>\r\nMIME-Version: 1.0\r\n\
        Content-Type: multipart/mixed; boundary=\"=_mixed\"\r\n\r\n\
        --=_mixed\r\nContent-Type: text/plain; charset=utf-8\r\n\
        Content-Transfer-Encoding: quoted-printable\r\n\r\nHere it is, J=C3=B6rg.\r\n--=_mixed\r\n\
        Content-Type: application/octet-stream; name=report.bin\r\n\
        Content-Transfer-Encoding: base64\r\n\
        Content-Disposition: attachment; filename=report.bin\r\n\r\n"
        .to_vec();
    // A line of 76 letters and its ending encode 57 octets.
    let lines = octets.saturating_sub(source.len()) / 78;
    let attached: Vec<u8> = (0..lines * 57)
        .map(|_| random.next().to_le_bytes()[0])
        .collect();
    let (_, body) = transferred(&attached, Transfer::Base64);
    source.extend_from_slice(&body);
    source.extend_from_slice(b"--=_mixed--\r\n");
    Mail {
        source,
        subject: "Report".into(),
        from: "a <a@b>".into(),
        to: "c <c@d>".into(),
        texts: vec!["Here it is, J\u{F6}rg.".into()],
        charsets: vec!["UTF-8"],
        is_labelled: true,
    }
}

struct Writer {
    syllables: Vec<char>,
    kanji: Vec<char>,
}

impl Writer {
    fn new() -> Self {
        Writer {
            syllables: text::syllables(),
            kanji: text::kanji(),
        }
    }

    fn text(&self, random: &mut Random, script: Script, octets: usize) -> String {
        match script {
            Script::Ascii => text::ascii(random, octets),
            Script::Latin { percent } => text::latin(random, octets, percent),
            Script::Korean => text::korean(random, octets, &self.syllables),
            Script::Japanese => text::japanese(random, octets, &self.kanji),
        }
    }

    /// A few words in one line, with a letter that needs an encoded word unless all text is ASCII.
    fn phrase(&self, random: &mut Random, script: Script, characters: usize) -> String {
        let text = self.text(random, script, characters * 4);
        let letters = text.chars().filter(|c| c.is_alphanumeric() || *c == ' ');
        let phrase: String = letters.take(characters).collect();
        match script {
            Script::Latin { .. } => format!("{} é", phrase.trim()),
            _ => phrase.trim().to_owned(),
        }
    }

    fn mail(&self, random: &mut Random, number: usize) -> Mail {
        let style = style_of(random.below(100));
        let more = if random.below(4) == 0 { 8000 } else { 1 };
        let length = 400 + random.below(1000) + random.below(more);
        let text = self.text(random, style.script, length);
        let mut texts = vec![format!("{}\r\n", text.trim_end())];
        let length = 8 + random.below(24);
        let subject = self.phrase(random, style.script, length);

        let header = self.header(random, style, &subject, number);
        let mut source = header.fields.into_bytes();
        if style.has_html {
            let boundary = format!("----=_Part_{:016X}_{number}", random.next());
            let field = format!("Content-Type: multipart/alternative; boundary=\"{boundary}\"");
            source.extend_from_slice(format!("{field}\r\n\r\n--{boundary}\r\n").as_bytes());
            part(&mut source, style, "plain", &texts[0]);
            source.extend_from_slice(format!("\r\n--{boundary}\r\n").as_bytes());
            texts.push(html(&texts[0]));
            part(&mut source, style, "html", &texts[1]);
            source.extend_from_slice(format!("\r\n--{boundary}--\r\n").as_bytes());
        } else {
            part(&mut source, style, "plain", &texts[0]);
        }
        let charset = match style.label {
            "UTF-8" | "utf-8" => "UTF-8",
            "iso-8859-1" => "ISO-8859-1",
            "euc-kr" => "EUC-KR",
            "iso-2022-jp" => "ISO-2022-JP",
            _ => "US-ASCII",
        };
        Mail {
            source,
            subject,
            from: format!("{} <sender@example.com>", header.from),
            to: format!("{} <list@example.org>", header.to),
            charsets: vec![charset; texts.len()],
            texts,
            is_labelled: true,
        }
    }

    /// All fields except those of the body.
    fn header(&self, random: &mut Random, style: &Style, subject: &str, number: usize) -> Header {
        let words = |text: &str| match style.script {
            Script::Ascii => text.to_owned(),
            _ => encoded_words(text, style.charset, style.label, style.word, 10),
        };
        let mut fields = Vec::new();
        for hop in 0..2 + random.below(3) {
            fields.push(format!(
                "Received: from mx{hop}.example.net (mx{hop}.example.net [192.0.2.{}])\r\n\
                 \tby mail{hop}.example.org (Postfix) with ESMTPS id {:012X}\r\n\
                 \tfor <user{}@example.org>; Tue, 3 Mar 2026 {:02}:{:02}:{:02} +0900 (KST)\r\n",
                random.below(255),
                random.next() >> 16,
                random.below(999),
                random.below(24),
                random.below(60),
                random.below(60),
            ));
        }
        fields.push(format!(
            "DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=example.com; s=sel{};\r\n\
             \th=from:to:subject:date:message-id:mime-version:content-type;\r\n\
             \tbh={:x}{:x};\r\n\tb={:x}{:x}{:x}\r\n",
            random.below(9),
            random.next(),
            random.next(),
            random.next(),
            random.next(),
            random.next(),
        ));
        let from = self.phrase(random, style.script, 6);
        let to = self.phrase(random, style.script, 4);
        fields.push("Date: Tue, 3 Mar 2026 09:41:00 +0900\r\n".to_owned());
        fields.push(format!("From: {} <sender@example.com>\r\n", words(&from)));
        fields.push(format!("To: {} <list@example.org>\r\n", words(&to)));
        fields.push(format!("Subject: {}\r\n", words(subject)));
        let id = random.next();
        fields.push(format!(
            "Message-ID: <{id:016x}.{number}@mail.example.com>\r\n"
        ));
        fields.push("MIME-Version: 1.0\r\nX-Mailer: Example Mailer 16.0.1\r\n".to_owned());
        Header {
            fields: fields.concat(),
            from,
            to,
        }
    }
}

/// A header, and the names in it.
struct Header {
    fields: String,
    from: String,
    to: String,
}

/// The style at a percentile of all mail.
fn style_of(percent: usize) -> &'static Style {
    let mut below = 0;
    let find = |style: &&Style| {
        below += style.share;
        percent < below
    };
    STYLES.iter().find(find).expect("shares of a hundred")
}

fn part(source: &mut Vec<u8>, style: &Style, subtype: &str, text: &str) {
    let (name, body) = transferred(&style.charset.encode(text).0, style.transfer);
    let label = style.label;
    let header = format!(
        "Content-Type: text/{subtype}; charset=\"{label}\"; format=flowed\r\n\
         Content-Transfer-Encoding: {name}\r\n\r\n"
    );
    source.extend_from_slice(header.as_bytes());
    source.extend_from_slice(&body);
}

/// The name of the transfer encoding, and `octets` encoded in it.
pub fn transferred(octets: &[u8], transfer: Transfer) -> (&'static str, Vec<u8>) {
    match transfer {
        Transfer::Identity if octets.is_ascii() => ("7bit", octets.to_vec()),
        Transfer::Identity => ("8bit", octets.to_vec()),
        Transfer::QuotedPrintable => ("quoted-printable", text::quoted_printable(octets)),
        Transfer::Base64 => ("base64", text::base64(octets, 76)),
    }
}

pub fn html(text: &str) -> String {
    let paragraphs: Vec<String> = text
        .lines()
        .map(|line| {
            format!("<p class=\"MsoNormal\"><span style=\"color:#333333\">{line}</span></p>\r\n")
        })
        .collect();
    let head = "<html><head><style type=\"text/css\">p{margin:0}</style></head>";
    format!("{head}<body>\r\n{}</body></html>\r\n", paragraphs.concat())
}

/// `text` as folded encoded words of at most `characters` characters each (RFC 2047).
pub fn encoded_words(
    text: &str,
    charset: &'static Encoding,
    label: &str,
    word: Word,
    characters: usize,
) -> String {
    let characters_of_text: Vec<char> = text.chars().collect();
    let words: Vec<String> = characters_of_text
        .chunks(characters)
        .map(|characters| {
            let characters: String = characters.iter().collect();
            let octets = charset.encode(&characters).0;
            match word {
                Word::B => {
                    let letters = text::base64(&octets, usize::MAX);
                    let letters = String::from_utf8(letters).expect("ASCII");
                    format!("=?{label}?B?{}?=", letters.trim_end())
                }
                Word::Q => {
                    let text: String = octets
                        .iter()
                        .map(|octet| match octet {
                            b' ' => "_".to_owned(),
                            octet if octet.is_ascii_alphanumeric() => {
                                char::from(*octet).to_string()
                            }
                            octet => format!("={octet:02X}"),
                        })
                        .collect();
                    format!("=?{label}?Q?{text}?=")
                }
            }
        })
        .collect();
    words.join("\r\n ")
}
