//! Text for measuring: random words, the same on every run, so that branch predictors cannot learn
//! them.

use encoding_rs::Encoding;

/// xorshift64*.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    pub fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.next() >> 33).expect("31 bits") % limit
    }

    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }
}

const WORDS: &[&str] = &[
    "the",
    "quick",
    "brown",
    "fox",
    "jumps",
    "over",
    "lazy",
    "dog",
    "message",
    "please",
    "find",
    "attached",
    "report",
    "meeting",
    "schedule",
    "regards",
    "update",
    "project",
    "invoice",
    "thanks",
    "a",
    "of",
    "to",
    "in",
    "for",
    "on",
    "with",
    "is",
    "we",
    "you",
    "http://example.com/path",
];
const ACCENTED: &[char] = &[
    'é', 'è', 'à', 'ü', 'ö', 'ä', 'ß', 'ñ', 'ç', 'î', 'ô', 'å', 'ø', 'û',
];

/// English words in lines.
pub fn ascii(random: &mut Random, octets: usize) -> String {
    let mut text = String::new();
    let mut column = 0;
    while text.len() < octets {
        let word = *random.pick::<&str>(WORDS);
        text.push_str(word);
        column += word.len() + 1;
        if column > 64 {
            text.push_str("\r\n");
            column = 0;
        } else {
            text.push(' ');
        }
    }
    text
}

/// The same with about `percent` of the letters accented.
pub fn latin(random: &mut Random, octets: usize, percent: usize) -> String {
    ascii(random, octets)
        .chars()
        .map(|letter| {
            // Six of seven letters are lower-case ASCII.
            if letter.is_ascii_lowercase() && random.below(600) < percent * 7 {
                *random.pick(ACCENTED)
            } else {
                letter
            }
        })
        .collect()
}

/// Words of two to five Hangul syllables, with every fifth word in English.
pub fn korean(random: &mut Random, octets: usize, syllables: &[char]) -> String {
    let mut text = String::new();
    let mut column = 0;
    while text.len() < octets {
        if random.below(5) == 0 {
            text.push_str(random.pick::<&str>(WORDS));
            column += 6;
        } else {
            for _ in 0..2 + random.below(4) {
                text.push(*random.pick(syllables));
                column += 2;
            }
        }
        text.push_str(if column > 60 { ".\r\n" } else { " " });
        column = if column > 60 { 0 } else { column + 1 };
    }
    text
}

/// Kanji and kana without blanks.
pub fn japanese(random: &mut Random, octets: usize, kanji: &[char]) -> String {
    let kana: Vec<char> = ('ぁ'..='ん').chain('ァ'..='ン').collect();
    let mut text = String::new();
    let mut column = 0;
    while text.len() < octets {
        for _ in 0..=random.below(3) {
            text.push(*random.pick(kanji));
            column += 2;
        }
        for _ in 0..=random.below(4) {
            text.push(*random.pick(&kana));
            column += 2;
        }
        if column > 60 {
            text.push_str("。\r\n");
            column = 0;
        }
    }
    text
}

/// Chinese characters without blanks.
pub fn chinese(random: &mut Random, octets: usize, hanzi: &[char]) -> String {
    let mut text = String::new();
    while text.len() < octets {
        for _ in 0..12 + random.below(18) {
            text.push(*random.pick(hanzi));
        }
        text.push_str("。\r\n");
    }
    text
}

/// The 2,350 syllables of KS X 1001.
pub fn syllables() -> Vec<char> {
    rows(encoding_rs::EUC_KR, 0xB0..=0xC8)
}

/// The kanji of JIS X 0208, level 1.
pub fn kanji() -> Vec<char> {
    rows(encoding_rs::EUC_JP, 0xB0..=0xCE)
}

/// The characters of Big5, level 1, except its last row.
pub fn hanzi_of_big5() -> Vec<char> {
    rows(encoding_rs::BIG5, 0xA4..=0xC5)
}

/// The characters of GB 2312, level 1.
pub fn hanzi() -> Vec<char> {
    rows(encoding_rs::GBK, 0xB0..=0xD6)
}

fn rows(encoding: &'static Encoding, rows: std::ops::RangeInclusive<u8>) -> Vec<char> {
    rows.flat_map(|row| (0xA1..=0xFE).map(move |cell| [row, cell]))
        .filter_map(|octets| {
            encoding
                .decode_without_bom_handling_and_without_replacement(&octets)?
                .chars()
                .next()
        })
        .collect()
}

/// Encodes `text` in quoted-printable, by the rules of RFC 2045, section 6.7.
pub fn quoted_printable(text: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    let mut column = 0;
    let mut rest = text;
    while let [octet, following @ ..] = rest {
        if let [b'\r', b'\n', following @ ..] = rest {
            body.extend_from_slice(b"\r\n");
            column = 0;
            rest = following;
            continue;
        }
        let at_line_end = following.is_empty() || following.starts_with(b"\r\n");
        let is_literal =
            matches!(octet, b'!'..=b'<' | b'>'..=b'~') || (*octet == b' ' && !at_line_end);
        if column + if is_literal { 1 } else { 3 } > 75 {
            body.extend_from_slice(b"=\r\n");
            column = 0;
        }
        if is_literal {
            body.push(*octet);
            column += 1;
        } else {
            body.extend_from_slice(format!("={octet:02X}").as_bytes());
            column += 3;
        }
        rest = following;
    }
    body
}

/// Encodes `octets` in base64, by the rules of RFC 2045, section 6.8, with `line` characters per
/// line.
pub fn base64(octets: &[u8], line: usize) -> Vec<u8> {
    const ALPHABET: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut letters = Vec::new();
    for group in octets.chunks(3) {
        let bits = (0..3).fold(0, |bits, at| {
            bits << 8 | usize::from(*group.get(at).unwrap_or(&0))
        });
        for at in 0..4 {
            let is_padding = at > group.len();
            letters.push(if is_padding {
                b'='
            } else {
                ALPHABET[bits >> (18 - 6 * at) & 63]
            });
        }
    }
    let mut body = Vec::new();
    for line in letters.chunks(line) {
        body.extend_from_slice(line);
        body.extend_from_slice(b"\r\n");
    }
    body
}

/// Words of a language, and the charset of its old mail.
pub struct Language {
    pub charset: &'static str,
    ascii: &'static [&'static str],
    /// Words with letters beyond ASCII.
    beyond: &'static [&'static str],
}

const ENGLISH: &[&str] = &[
    "the", "minutes", "of", "our", "meeting", "with", "are", "ready", "please", "send", "them",
    "to", "all", "before", "Friday", "and", "call", "me", "about", "this", "order",
];
const GERMAN: &[&str] = &[
    "der",
    "Bericht",
    "ist",
    "fertig",
    "und",
    "wir",
    "haben",
    "morgen",
    "eine",
    "Sitzung",
    "mit",
    "allen",
    "bitte",
    "nicht",
    "vergessen",
    "die",
    "Rechnung",
    "danke",
];
const GERMAN_BEYOND: &[&str] = &[
    "für",
    "über",
    "müssen",
    "können",
    "Grüße",
    "nächste",
    "später",
    "Büro",
    "München",
    "Straße",
    "schön",
    "Änderung",
    "prüfen",
    "während",
];
const CHINESE_BEYOND: &[&str] = &[
    "会议", "报告", "北京", "上海", "通知", "先生", "公司", "合同", "时间", "请问", "谢谢",
];
const RUSSIAN_BEYOND: &[&str] = &[
    "встреча",
    "отчёт",
    "Москва",
    "письмо",
    "договор",
    "спасибо",
    "завтра",
    "сегодня",
    "важно",
    "пожалуйста",
    "заказ",
    "работа",
];

pub const GERMAN_WINDOWS: Language = Language {
    charset: "windows-1252",
    ascii: GERMAN,
    beyond: GERMAN_BEYOND,
};
pub const GERMAN_DOS: Language = Language {
    charset: "IBM850",
    ascii: GERMAN,
    beyond: GERMAN_BEYOND,
};
pub const FRENCH: Language = Language {
    charset: "windows-1252",
    ascii: &[
        "le", "rapport", "est", "dans", "la", "lettre", "nous", "avons", "une", "question", "pour",
        "vous", "avec", "merci", "bonjour", "facture", "demain", "plus",
    ],
    beyond: &[
        "été",
        "réunion",
        "après",
        "très",
        "déjà",
        "français",
        "problème",
        "même",
        "où",
        "reçu",
        "prête",
        "années",
        "société",
        "bientôt",
    ],
};
pub const SPANISH: Language = Language {
    charset: "windows-1252",
    ascii: &[
        "el", "informe", "de", "la", "semana", "que", "viene", "con", "todos", "los", "clientes",
        "gracias", "por", "favor", "hola", "factura", "para",
    ],
    beyond: &[
        "mañana",
        "reunión",
        "también",
        "año",
        "aquí",
        "más",
        "después",
        "señor",
        "dirección",
        "número",
        "información",
        "está",
    ],
};
pub const POLISH: Language = Language {
    charset: "windows-1250",
    ascii: &[
        "raport", "jest", "w", "biurze", "prosimy", "o", "kontakt", "jutro", "i", "nie", "na",
        "dokument", "bardzo", "do", "faktura", "pani", "z", "tego",
    ],
    beyond: &[
        "będzie",
        "proszę",
        "dziękuję",
        "się",
        "również",
        "wysłać",
        "środę",
        "książka",
        "dzień",
        "następny",
        "że",
        "więcej",
        "został",
        "pieniądze",
    ],
};
pub const RUSSIAN: Language = Language {
    charset: "KOI8-R",
    ascii: ENGLISH,
    beyond: RUSSIAN_BEYOND,
};
pub const RUSSIAN_WINDOWS: Language = Language {
    charset: "windows-1251",
    ascii: ENGLISH,
    beyond: RUSSIAN_BEYOND,
};
pub const CHINESE: Language = Language {
    charset: "GBK",
    ascii: ENGLISH,
    beyond: CHINESE_BEYOND,
};

impl Language {
    /// Words in lines, with about `above` octets above 7F in about `octets` octets.
    pub fn sparse(&self, random: &mut Random, octets: usize, above: usize) -> String {
        let above_of = |word: &str| {
            let octets = encode(self.charset, word);
            octets.iter().filter(|octet| !octet.is_ascii()).count()
        };
        let mut words = Vec::new();
        let (mut length, mut left) = (0, above);
        while left > 0 {
            let word = *random.pick::<&str>(self.beyond);
            left = left.saturating_sub(above_of(word));
            length += encode(self.charset, word).len() + 1;
            words.push(word);
        }
        while length < octets {
            let word = *random.pick::<&str>(self.ascii);
            length += word.len() + 1;
            words.insert(random.below(words.len() + 1), word);
        }
        lines(&words)
    }

    /// Words in lines, about half with letters beyond ASCII.
    pub fn dense(&self, random: &mut Random, octets: usize) -> String {
        let mut words = Vec::new();
        let mut length = 0;
        while length < octets {
            let from = [self.ascii, self.beyond][random.below(2)];
            let word = *random.pick::<&str>(from);
            length += word.len() + 1;
            words.push(word);
        }
        lines(&words)
    }
}

fn lines(words: &[&str]) -> String {
    let lines: Vec<String> = words.chunks(10).map(|words| words.join(" ")).collect();
    lines.join("\r\n")
}

/// Encodes text in a charset of the Encoding Standard, or in IBM850.
pub fn encode(charset: &str, text: &str) -> Vec<u8> {
    // The letters of `GERMAN_BEYOND` in code page 850.
    const IBM850: [(char, u8); 7] = [
        ('ü', 0x81),
        ('ä', 0x84),
        ('Ä', 0x8E),
        ('ö', 0x94),
        ('Ö', 0x99),
        ('Ü', 0x9A),
        ('ß', 0xE1),
    ];
    if charset == "IBM850" {
        let octet = |letter: char| match u8::try_from(letter) {
            Ok(octet) if octet.is_ascii() => octet,
            _ => {
                let found = IBM850.iter().find(|(listed, _)| *listed == letter);
                found.expect("a German letter").1
            }
        };
        return text.chars().map(octet).collect();
    }
    let encoding = Encoding::for_label(charset.as_bytes()).expect("the Encoding Standard's");
    let (octets, _, has_unmappable) = encoding.encode(text);
    assert!(!has_unmappable, "{charset} cannot encode all of the text");
    octets.into_owned()
}
