//! Unlabelled octets: subjects in every charset, and charsets that must never be guessed.
//!
//! `tests/eval` measures detection on real text. These sentences were written for the repository,
//! and detection must get each of them right.

use std::collections::BTreeSet;

use mime_charset::detect::{detect, detect_all};
use mime_charset::{Charset, Source};

use super::samples::subjects;

fn read(octets: &[u8]) -> (String, Charset) {
    let charset = detect(octets).charset;
    (charset.decode(octets).into_text().into_owned(), charset)
}

#[test]
fn subjects_are_detected_in_their_charset() {
    let mut wrong = Vec::new();
    for subject in subjects() {
        let (text, charset) = read(&subject.octets);
        if text != subject.text {
            wrong.push((subject.language, subject.charset, charset, text));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn subjects_are_in_many_languages_and_charsets() {
    let subjects = subjects();
    let languages: BTreeSet<_> = subjects.iter().map(|it| &it.language).collect();
    let charsets: BTreeSet<_> = subjects.iter().map(|it| it.charset).collect();
    assert!(languages.len() >= 40, "{languages:?}");
    assert!(charsets.len() >= 50, "{charsets:?}");
}

#[test]
fn confidence_grows_with_more_octets() {
    let mut short = Vec::new();
    let mut long = Vec::new();
    for subject in subjects() {
        let guess = detect(&subject.octets);
        assert!((1..=99).contains(&guess.confidence));
        if guess.source == Source::Detected {
            long.push(u32::from(guess.confidence));
            // Thai and Chinese have no spaces to split at.
            let start = subject.octets.iter().position(|octet| !octet.is_ascii());
            let start = start.unwrap();
            let end = (start + 2).min(subject.octets.len());
            short.push(u32::from(detect(&subject.octets[start..end]).confidence));
        }
    }
    let mean = |of: &[u32]| of.iter().sum::<u32>() / u32::try_from(of.len()).unwrap();
    assert!(mean(&long) >= 90, "{}", mean(&long));
    // No text in a charset has less than 56 %; one or two letters have little more.
    assert!(mean(&short) <= 80, "{}", mean(&short));
}

/// RFC 2152: UTF-7 consists of ASCII, and any ASCII text may look like it.
#[test]
fn utf_7_is_never_guessed() {
    let utf_7: [&[u8]; 5] = [
        b"Hi Mom +Jjo-!",
        b"+ZeVnLIqe-",
        b"A+ImIDkQ.",
        b"+BB8EQAQ4BDIENQRC-, +BBAEPQQ9BDA-",
        b"1 +- 1 = 2",
    ];
    for octets in utf_7 {
        let guess = detect(octets);
        assert_eq!(guess.charset, Charset::US_ASCII);
        assert_eq!(guess.source, Source::Default);
        // Octets above 7F next to it do not select UTF-7.
        let mixed = [octets, b" caf\xE9"].concat();
        assert_ne!(detect(&mixed).charset.name(), "UTF-7");
    }
    for subject in subjects() {
        assert_ne!(detect(&subject.octets).charset.name(), "UTF-7");
    }
}

/// ASCII text of even length is ASCII, even if it would be characters in UTF-16.
#[test]
fn ascii_is_never_wide() {
    for text in [
        "Bush hid the facts",
        "this app can break",
        "aaaa bbb ccc ddd",
    ] {
        assert_eq!(detect(text.as_bytes()).charset, Charset::US_ASCII);
    }
}

/// A few octets that are not letters are windows-1252, as all word processors wrote.
#[test]
fn typographic_signs_in_english_are_windows_1252() {
    let texts: [(&[u8], &str); 9] = [
        (b"I don\x92t know", "I don’t know"),
        (b"Re: Mary\x92s meeting", "Re: Mary’s meeting"),
        (b"the \x93new\x94 plan", "the “new” plan"),
        (b"Monday \x96 Friday", "Monday – Friday"),
        (b"only \x80 20 left", "only € 20 left"),
        (b"price: \xA3100 each", "price: £100 each"),
        (b"\xA9 2004 Example Inc.", "© 2004 Example Inc."),
        (
            b"two\xA0 spaces, and\xA0 two more",
            "two\u{A0} spaces, and\u{A0} two more",
        ),
        (b"to be continued\x85", "to be continued…"),
    ];
    for (octets, text) in texts {
        assert_eq!(read(octets).0, text);
    }
}

/// Mail in every language has tags and words of ASCII.
#[test]
fn markup_does_not_outweigh_the_text() {
    for subject in subjects() {
        let told = detect(&subject.octets).confidence >= 98;
        if !subject.charset.is_ascii_superset() || !told {
            continue;
        }
        let mut html = b"<html><head><meta name=\"generator\" content=\"Writer\"></head>\n\
            <body bgcolor=\"#ffffff\" style=\"font-family: sans-serif\"><table><tr><td>\n"
            .repeat(20);
        html.extend_from_slice(b"<p class=\"first\">");
        html.extend_from_slice(&subject.octets);
        html.extend_from_slice(b"</p>\n");
        html.extend_from_slice(
            &b"</td></tr></table><a href=\"http://www.example.org/\">".repeat(40),
        );
        let (text, charset) = read(&html);
        assert!(
            text.contains(&subject.text),
            "{} {} read as {charset}",
            subject.language,
            subject.charset
        );
    }
}

/// All fields of a header are detected together.
#[test]
fn fields_are_detected_together() {
    // "Ответ", "Анна" and "Москва" in KOI8-R.
    let fields: [&[u8]; 4] = [
        b"\xEF\xD4\xD7\xC5\xD4",
        b"\xE1\xCE\xCE\xC1 <anna@example.org>",
        b"plain ASCII",
        b"\xED\xCF\xD3\xCB\xD7\xC1",
    ];
    let guess = detect_all(&fields);
    assert_eq!(guess.charset.decode(fields[0]).as_str(), "Ответ");
    assert_eq!(guess.charset.decode(fields[3]).as_str(), "Москва");
    for field in fields.iter().filter(|field| !field.is_ascii()) {
        assert!(detect(field).confidence <= guess.confidence);
    }
    assert_eq!(detect_all(&[]).charset, Charset::US_ASCII);
    assert_eq!(detect_all(&[b"a", b"b"]).charset, Charset::US_ASCII);
    // UTF-8 in one field and ASCII in the others.
    assert_eq!(detect_all(&[b"a", "é".as_bytes()]).charset, Charset::UTF_8);
}

/// A preview is truncated inside characters.
#[test]
fn truncated_or_damaged_utf_8_is_still_utf_8() {
    for subject in subjects().iter().filter(|it| it.charset == Charset::UTF_8) {
        let last = subject
            .octets
            .iter()
            .rposition(|octet| *octet >= 0xC0)
            .unwrap();
        for end in last + 1..subject.octets.len() {
            if std::str::from_utf8(&subject.octets[..end]).is_err() {
                let guess = detect(&subject.octets[..end]);
                assert_eq!(guess.charset, Charset::UTF_8, "{} {end}", subject.language);
                assert_eq!(guess.source, Source::Detected);
            }
        }
        let mut damaged = subject.octets.clone();
        damaged[last] = b'?';
        if subject.text.chars().filter(|it| !it.is_ascii()).count() > 4 {
            assert_eq!(
                detect(&damaged).charset,
                Charset::UTF_8,
                "{}",
                subject.language
            );
        }
    }
}

/// For binary octets, the guess has a low confidence.
#[test]
fn binary_octets_have_low_confidence() {
    // A linear congruential generator: the same octets on every run.
    let mut state = 1_u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state.to_be_bytes()[0]
    };
    for length in [60, 100] {
        let mut believed = 0;
        for _ in 0..200 {
            let octets: Vec<u8> = (0..length).map(|_| next()).collect();
            let guess = detect(&octets);
            assert_ne!(guess.source, Source::Evidence);
            believed += u32::from(guess.confidence > 20);
        }
        assert!(believed <= 4, "{believed} of {length} octets");
    }
    // If controls show that the octets are not text, the chosen charset loses none of them:
    // windows-1252 has a character for each (Encoding Standard, index windows-1252).
    for _ in 0..200 {
        let octets: Vec<u8> = (0..500).map(|_| next()).collect();
        let guess = detect(&octets);
        assert_eq!(guess.charset, Charset::WINDOWS_1252);
        assert!(!guess.charset.decode(&octets).as_str().contains('\u{FFFD}'));
    }
}

/// ISO-2022-JP-2004 (JIS X 0213, annex 2): older charsets lack the escape to plane 1.
#[test]
fn escapes_identify_the_iso_2022_charset() {
    let texts: [(&[u8], &str); 6] = [
        (b"\x1B$BF|K\\\x1B(B", "ISO-2022-JP"),
        (b"\x1B$@F|K\\\x1B(J", "ISO-2022-JP"),
        (b"\x1B$BF|\x1B$(D0!\x1B(B", "ISO-2022-JP-2"),
        (b"\x1B$(QF|K\\\x1B(B", "ISO-2022-JP-2004"),
        (b"\x1B$)A\x0E=;;;\x0F", "ISO-2022-CN"),
        (b"\x1B$)C\x0EGQ19\x0F", "ISO-2022-KR"),
    ];
    for (octets, name) in texts {
        let guess = detect(octets);
        assert_eq!(
            (guess.charset.name(), guess.source),
            (name, Source::Evidence)
        );
        // These charsets have no octets above 7F.
        assert_ne!(detect(&[octets, b"\xE9"].concat()).charset.name(), name);
    }
    for ascii in [
        "~{ and ~}",
        "a ~ b",
        "\x1B[1mbold\x1B[0m",
        "\x1B$B",
        "\x1B$BF",
    ] {
        assert_eq!(detect(ascii.as_bytes()).charset, Charset::US_ASCII);
    }
}

/// A few signs in long ASCII text, typical of mail without a label: whole bodies from mail, or
/// modelled on them, and their text.
#[test]
fn few_octets_are_read_as_in_typical_mail() {
    let texts: [(&[u8], &str); 14] = [
        (
            b"Use the Lipitor\xAE tablets, Zocor\xAE and Crestor\xAE today.",
            "Use the Lipitor® tablets, Zocor® and Crestor® today.",
        ),
        (
            b"We sat by the pool\x97rattling and behind\x97they came.",
            "We sat by the pool—rattling and behind—they came.",
        ),
        (b"Venerd\xEC, 4 gennaio", "Venerdì, 4 gennaio"),
        (
            b"On Mercoled\xEC, marzo 6, 2002, at 11:08, Bill wrote:\n> See you at the office, then.\n\nThat is fine.",
            "On Mercoledì, marzo 6, 2002, at 11:08, Bill wrote:\n> See you at the office, then.\n\nThat is fine.",
        ),
        (
            b"<P>\xA1\xA1<B><FONT color=red>Dear friend</FONT></B>",
            "<P>\u{3000}<B><FONT color=red>Dear friend</FONT></B>",
        ),
        (
            b"he has\xA1\xA1turned aside and she\xA1\xA1smiled at him.",
            "he has\u{3000}turned aside and she\u{3000}smiled at him.",
        ),
        (
            b"I\xA1\xAFd like to know. it\xA1\xAFs fine.",
            "I’d like to know. it’s fine.",
        ),
        (b"oxyg\xE8ne", "oxygène"),
        (b"The fee is \xA350.00 (inc. VAT).", "The fee is £50.00 (inc. VAT)."),
        (b"Copyright \xA9 2003 by the authors", "Copyright © 2003 by the authors"),
        (b"It was 25\xB0 outside and 15\xBA inside", "It was 25° outside and 15º inside"),
        (b"<td>\xA0</td><td>\xA0\xA0</td>", "<td>\u{A0}</td><td>\u{A0}\u{A0}</td>"),
        (b"\x95 first\n\x95 second\n\x95 third", "• first\n• second\n• third"),
        (b"regards,\nJos\xE9", "regards,\nJosé"),
    ];
    for (octets, text) in texts {
        let (read, charset) = read(octets);
        assert_eq!(read, text, "in {charset}");
    }
}

/// Charsets that are rare in mail.
const RARE: [&str; 22] = [
    "macintosh",
    "x-mac-cyrillic",
    "x-mac-ce",
    "x-mac-greek",
    "x-mac-turkish",
    "IBM850",
    "IBM437",
    "IBM852",
    "IBM855",
    "IBM737",
    "IBM775",
    "IBM857",
    "IBM862",
    "IBM866",
    "JOHAB",
    "EUC-TW",
    "VISCII",
    "TCVN",
    "ISO-8859-14",
    "ISO-8859-16",
    "UTF-16LE",
    "UTF-16BE",
];

/// A single octet is weak evidence in any position: if only a rare charset has a letter for it, the
/// guess has a low confidence.
#[test]
fn a_single_octet_gives_a_rare_charset_low_confidence() {
    for octet in 0x80..=0xFF_u8 {
        // windows-1252 has no character there.
        if [0x81, 0x8D, 0x8F, 0x90, 0x9D].contains(&octet) {
            continue;
        }
        for (before, behind) in [
            ("See you on Monday ", " and bring the papers."),
            ("The meeting is at 10", " in the large room, as usual."),
            ("items: 4", "5 of them"),
            ("That is all ", "for now, more will follow."),
        ] {
            let octets = [before.as_bytes(), &[octet], behind.as_bytes()].concat();
            let guess = detect(&octets);
            let is_rare = RARE.contains(&guess.charset.name());
            assert!(
                !is_rare || guess.confidence < 80,
                "{octet:02X} is {guess:?}"
            );
        }
    }
}

/// Drawn texts in windows-1252: English words, with signs where writers put them.
#[test]
fn signs_among_english_words_are_read_as_written() {
    const WORDS: [&str; 40] = [
        "the",
        "report",
        "was",
        "sent",
        "on",
        "Friday",
        "please",
        "find",
        "our",
        "new",
        "price",
        "list",
        "for",
        "spring",
        "we",
        "hope",
        "to",
        "see",
        "you",
        "at",
        "conference",
        "in",
        "Boston",
        "next",
        "month",
        "thank",
        "your",
        "letter",
        "of",
        "March",
        "and",
        "all",
        "best",
        "wishes",
        "from",
        "everybody",
        "here",
        "call",
        "me",
        "tomorrow",
    ];
    // The text before the sign, the sign in windows-1252, and the text after it.
    const SIGNS: [(&str, u8, &str); 16] = [
        ("don", 0x92, "t "),
        ("the team", 0x92, "s plan "),
        ("it", 0x92, "s "),
        (" ", 0x96, " "),
        ("later", 0x97, "much "),
        (" only ", 0x80, "20 "),
        (" about ", 0xA3, "300 "),
        (" Acme", 0xAE, " "),
        (" Brand", 0x99, " "),
        ("\n", 0x95, " "),
        (" and so on", 0x85, " "),
        (" ", 0xA9, " 2004 "),
        (". ", 0xA0, "Then "),
        (" 21", 0xB0, "C "),
        (" see ", 0xA7, " 4 "),
        (" 2", 0xBD, " hours "),
    ];
    let mut state = 7_u32;
    let mut draw = |below: usize| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        usize::try_from(state >> 8).unwrap() % below
    };
    let (mut wrong, mut drawn) = (Vec::new(), 0);
    for _ in 0..400 {
        let mut octets = Vec::new();
        let (before, sign, behind) = SIGNS[draw(SIGNS.len())];
        for _ in 0..=draw(3) {
            for _ in 0..4 + draw(20) {
                octets.extend([WORDS[draw(WORDS.len())], " "].concat().bytes());
            }
            octets.extend(before.bytes().chain([sign]).chain(behind.bytes()));
        }
        let charset = detect(&octets).charset;
        let truth = Charset::WINDOWS_1252.decode(&octets).into_text();
        drawn += 1;
        if charset.decode(&octets).as_str() != truth {
            wrong.push(format!("{charset}: {truth}"));
        }
    }
    assert!(wrong.len() * 100 <= drawn, "{wrong:#?}");
}

/// A Russian text in windows-1251 and in Macintosh Cyrillic, by the tables of the Unicode
/// Consortium (CP1251.TXT, CYRILLIC.TXT): capitals from C0 and from 80, small letters from E0 in
/// both except я, and four signs.
fn russian(text: &str) -> [Vec<u8>; 2] {
    let octets = |capitals: u8, ya: u8, signs: [u8; 4]| -> Vec<u8> {
        let octet = |character: char| {
            let beyond =
                |first: char| u8::try_from(u32::from(character) - u32::from(first)).unwrap();
            match character {
                'я' => ya,
                'А'..='Я' => capitals + beyond('А'),
                'а'..='ю' => 0xE0 + beyond('а'),
                '«' => signs[0],
                '»' => signs[1],
                '—' => signs[2],
                '\u{A0}' => signs[3],
                _ => u8::try_from(character).unwrap(),
            }
        };
        text.chars().map(octet).collect()
    };
    [
        octets(0xC0, 0xFF, [0xAB, 0xBB, 0x97, 0xA0]),
        octets(0x80, 0xDF, [0xC7, 0xC8, 0xD1, 0xCA]),
    ]
}

/// К in windows-1251 is a no-break space on the Macintosh, and я is its currency sign. Most
/// non-ASCII characters in Russian are letters, so a sentence that begins with the octet of К
/// begins with a letter.
#[test]
fn among_letters_a_letter_is_likelier_than_a_sign() {
    const STARTS: [&str; 8] = [
        "К тому же я ",
        "К сожалению, ",
        "К вечеру ",
        "Кто ",
        "Как ",
        "Когда я ",
        "Книга, которую ",
        "Но я ",
    ];
    const MIDDLES: [&str; 8] = [
        "пришёл домой",
        "говорил об этом вчера",
        "не понял вопроса",
        "прочитал письмо",
        "видел этот город",
        "ещё не знает ответа",
        "открыл окно",
        "искал новую работу",
    ];
    const ENDS: [&str; 8] = [
        ".",
        " и ушёл.",
        ", а ты?",
        " — и моя семья тоже.",
        ", как «Нева».",
        " в\u{A0}9 часов.",
        ". Это я.",
        ", Коля.",
    ];
    let mut wrong = Vec::new();
    for start in STARTS {
        for middle in MIDDLES {
            for end in ENDS {
                let text = [start, middle, end].concat().replace('ё', "е");
                for octets in russian(&text) {
                    let (found, charset) = read(&octets);
                    if found != text {
                        wrong.push((charset, found));
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} {wrong:#?}", wrong.len());
}

/// ISO-8859-16 is for the languages of Central Europe, not only for Romanian. A fraction hardly ever
/// begins a word. The octets are those of `CPython`.
#[test]
fn letters_are_likelier_than_signs_at_the_start_of_a_word() {
    let texts: [(&[u8], &str); 5] = [
        (
            b"\xB4ivljenje na planetu je mogo\xB9e, ker je voda teko\xB9a.",
            "Življenje na planetu je mogoče, ker je voda tekoča.",
        ),
        (
            b"Ksi\xFD\xBFniczka \xF7piewa\xB3a pie\xF7\xF1 o \xBFo\xB3nierzach i dzieciach.",
            "Księżniczka śpiewała pieśń o żołnierzach i dzieciach.",
        ),
        (
            b"Knji\xB8evnost i \xB9ovje\xB9anstvo, \xB8ivot u gradu.",
            "Književnost i čovječanstvo, život u gradu.",
        ),
        (b"Filen kan ikke \xBEndres.", "Filen kan ikke ændres."),
        (b"Mappen er blevet \xBEndret.", "Mappen er blevet ændret."),
    ];
    for (octets, text) in texts {
        let (read, charset) = read(octets);
        assert_eq!(read, text, "in {charset}");
    }
}

/// Two East Asian characters may look like the end of one UTF-8 character and another. UTF-8 is
/// rarely truncated at its start: fetches begin there.
#[test]
fn short_east_asian_words_are_not_utf_8_truncated_at_its_start() {
    // Each word in its charset, as encoded by CPython.
    let words: [(&[u8], &str); 29] = [
        (
            b"\x82\xCC\x91\xCE\x8F\xDB\x94\xCD\x88\xCD\x82\xF0",
            "の対象範囲を",
        ),
        (
            b"\x82\xB1\x82\xC6\x82\xC9\x82\xC8\x82\xE9\x82\xA9",
            "ことになるか",
        ),
        (b"\x93\xEC\x8B\xC9\x91\xE5\x97\xA4", "南極大陸"),
        (b"\x82\xCC\x88\xCA\x92\x75", "の位置"),
        (b"\x82\xC9\x95\xD4\x90\x4D", "に返信"),
        (b"\x88\xE1\x82\xA2", "違い"),
        (b"\x82\xED\x82\xB4\x82\xED\x82\xB4", "わざわざ"),
        (
            b"\xA4\xB3\xA4\xC8\xA4\xCB\xA4\xCA\xA4\xEB\xA4\xAB",
            "ことになるか",
        ),
        (
            b"\xA4\xF2\xA4\xB9\xA4\xD9\xA4\xC6\xBE\xC3\xB5\xEE",
            "をすべて消去",
        ),
        (b"\xBD\xB5\xB4\xD6\xA5\xD3\xA5\xE5\xA1\xBC", "週間ビュー"),
        (b"\xB9\xE2\xA4\xB5", "高さ"),
        (b"\xB0\xE3\xA4\xA4", "違い"),
        (
            b"\xA4\xCE\xB7\xD9\xB9\xF0\xA4\xAC\xBD\xD0\xA4\xEB",
            "の警告が出る",
        ),
        (b"\xBA\xCA\xAC\xDD", "監看"),
        (b"\xA5\xCD\xA9\x52", "生命"),
        (b"\xA4\xE4\xB4\xA9", "支援"),
        (
            b"\xA8\xCF\xA5\xCE\xAA\xCC\xA9\xCE\xAA\xCC\xA4\x40",
            "使用者或者一",
        ),
        (b"\xB0\xD1\xA6\xD2\xBD\x75", "參考線"),
        (b"\xBE\xC7\xB2\xDF", "學習"),
        (b"\xB1\xE4\xBB\xBB\xC4\xA3\xCA\xBD", "变换模式"),
        (b"\xB6\xE0\xB3\xA4", "多长"),
        (b"\xBA\xC4\xB5\xF4", "耗掉"),
        (b"\xB9\xD9\xB2\xD9\xB1\xE2\xB8\xA6", "바꾸기를"),
        (b"\xBF\xEE\xBF\xB5", "운영"),
        (b"\xB9\xE6\xB9\xAE", "방문"),
        (b"\xB0\xEE\xBC\xB1", "곡선"),
        (b"\xB1\xB3\xC8\xAF", "교환"),
        (b"\xBE\xEE\xB6\xB2", "어떤"),
        (b"\xB6\xF3\xBA\xA7", "라벨"),
    ];
    for (octets, word) in words {
        let (found, charset) = read(octets);
        assert_eq!(found, word, "{charset}");
    }
    // Evidence for UTF-8 outweighs the truncation: "안녕하세요" without its first octet.
    let cut = &"안녕하세요".as_bytes()[1..];
    assert_eq!(read(cut).0, "\u{FFFD}\u{FFFD}녕하세요");
}
