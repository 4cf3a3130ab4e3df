//! Few octets above 7F: the guess is the common charset, not a rare one that also has the text.
//!
//! `tests/eval` measures how many such texts are right. These tests have one example of each kind,
//! with similar ones.

use mime_charset::Charset;
use mime_charset::detect::detect;

#[track_caller]
fn assert_is_read(octets: &[u8], expected: &str) {
    let guess = detect(octets);
    let text = guess.charset.decode(octets);
    assert_eq!(text.as_str(), expected, "{guess:?}");
}

/// Encodes a text in ISO-8859-1, whose octets are the first characters of Unicode (RFC 1345).
fn latin1(text: &str) -> Vec<u8> {
    let octets = text.chars().map(|it| u8::try_from(u32::from(it)));
    octets.collect::<Result<_, _>>().unwrap()
}

#[track_caller]
fn assert_is_latin1(text: &str) {
    assert_is_read(&latin1(text), text);
}

/// A sign of ISO-8859-1 and the next letter are the two octets of an ideograph in GBK and Big5.
#[test]
fn signs_next_to_digits_and_letters_are_not_ideographs() {
    for number in ["5", "25", "100"] {
        for letter in 'A'..='Z' {
            assert_is_latin1(&format!("{number}°{letter} today"));
        }
        for unit in ["m", "g", "s", "F", "l", "W", "A", "V"] {
            assert_is_latin1(&format!("{number} µ{unit} wide"));
        }
        for sign in ["m²", "m³", "ª", "º", "½", "¼"] {
            assert_is_latin1(&format!("about {number} {sign} of it"));
            assert_is_latin1(&format!("about {number}{sign} of it"));
        }
        assert_is_latin1(&format!("see §{number} of the law"));
        assert_is_latin1(&format!("it costs £{number}m now"));
        assert_is_latin1(&format!("it costs ¥{number}00 now"));
        assert_is_latin1(&format!("exact to ±{number} per cent"));
    }
}

/// One non-ASCII letter in an English word.
#[test]
fn words_with_one_accent_are_western() {
    let words = [
        "naïve",
        "façade",
        "résumé",
        "clichéd",
        "coöperative",
        "Zoë",
        "jalapeño",
        "Beyoncé",
        "Brontë",
        "Ångström",
        "Noël",
        "vis-à-vis",
        "Théo",
        "rôle",
        "fête",
        "Gödel",
        "Möbius",
        "Málaga",
        "São",
        "smörgåsbord",
        "château",
        "fiancée",
        "déjà",
    ];
    for word in words {
        assert_is_latin1(word);
        assert_is_latin1(&format!("This is a {word} question."));
        assert_is_latin1(&format!(
            "I think that {word} was here last week, and we talked of it."
        ));
        assert_is_latin1(&format!("\"{word}\", she said"));
    }
    assert_is_latin1("I´m sure you´re right about this, and I´ll be there.");
}

/// A rare charset is still detected if windows-1252 lacks the letters.
#[test]
fn a_rare_charset_is_found_if_no_common_one_has_the_text() {
    // "café für ein Bier" in IBM850; windows-1252 has no 81.
    assert_is_read(b"caf\x82 f\x81r ein Bier", "café für ein Bier");
    // In Shift_JIS two of these octets are an unpaired bracket.
    for word in ["für", "Müller", "Tür", "The word für is German."] {
        let octets: Vec<u8> = word
            .chars()
            .map(|it| if it == 'ü' { 0x81 } else { it as u8 })
            .collect();
        assert_is_read(&octets, word);
    }
    // "Rafał" and "Michał" in windows-1250, not in TCVN.
    assert_is_read(
        b"I met Rafa\xB3 and Micha\xB3 at the station yesterday.",
        "I met Rafał and Michał at the station yesterday.",
    );
}

/// Isolated Korean letters, brackets and blanks as wide as ideographs, kana in EUC-JP and GBK.
/// `CPython`'s codecs wrote the octets.
#[test]
fn east_asian_text_with_unusual_characters_is_read() {
    let texts: [(&[u8], &str); 22] = [
        (b"\xA4\xD0\xA4\xD0 \xBF\xC0\xB4\xC3 \xB3\xCA\xB9\xAB \xC8\xFB\xB5\xE9\xB4\xD9 \xA4\xBB\xA4\xBB\xA4\xBB", "ㅠㅠ 오늘 너무 힘들다 ㅋㅋㅋ"),
        (b"\xA4\xBB\xA4\xBB\xA4\xBB \xA4\xBE\xA4\xBE\xA4\xBE", "ㅋㅋㅋ ㅎㅎㅎ"),
        (b"\xBF\xC0\xB4\xC3\xC0\xBA \xB8\xF8 \xB0\xA1\xBF\xE4 \xA4\xCC\xA4\xCC", "오늘은 못 가요 ㅜㅜ"),
        (b"\xA1iLeave Something\xA1j", "【Leave Something】"),
        (b"\xA1uLeave Something\xA1v", "「Leave Something」"),
        (b"\xA1\xBAThe second part\xA1\xBB", "『The second part』"),
        (b"\xA1\xB6The third part\xA1\xB7", "《The third part》"),
        (b"\x81yCannot convert image\x81z", "【Cannot convert image】"),
        (b"\xA1@\xA1@Hello there\n\xA1@\xA1@and again\n", "　　Hello there\n　　and again\n"),
        (b"(\xA4\xFD\xAE\xB6\xA6t)", "(王振宇)"),
        (b"\x93\xEC\x96\xEC\x83\x80\x83\x8B\x83V\x83G\x83\x89\x83S", "南野ムルシエラゴ"),
        (b"\xC6\xEE\xCC\xEE\xA5\xE0\xA5\xEB\xA5\xB7\xA5\xA8\xA5\xE9\xA5\xB4", "南野ムルシエラゴ"),
        (b"\xA4\xAA\xCA\xC0\xD4\x92\xA4\xCB\xA4\xCA\xA4\xC3\xA4\xC6\xA4\xAA\xA4\xEA\xA4\xDE\xA4\xB9\xA1\xA3", "お世話になっております。"),
        (b"\xC1\xCB\xBD\xE2\xA4\xB7\xA4\xDE\xA4\xB7\xA4\xBF\xA1\xA3", "了解しました。"),
        (b"\xA4\xE8\xA4\xED\xA4\xB7\xA4\xAF\xA4\xAA\xEE\x8A\xA4\xA4\xA4\xB7\xA4\xDE\xA4\xB9\xA1\xA3", "よろしくお願いします。"),
        (b"\xBB\xE1\xD7h\xA4\xCF\xC8\xFD\x95r\xA4\xAB\xA4\xE9\xA4\xC7\xA4\xB9\xA1\xA3", "会議は三時からです。"),
        (b"\xD0\xB4\xD5\xE6\xA4\xF2\xCB\xCD\xA4\xEA\xA4\xDE\xA4\xB9\xA1\xA3", "写真を送ります。"),
        (b"\xA7\xB1\xA7\xE2\xA7\xDA\xA7\xD3\xA7\xD6\xA7\xE4, \xA7\xDC\xA7\xD1\xA7\xDC \xA7\xD5\xA7\xD6\xA7\xDD\xA7\xD1?", "Привет, как дела?"),
        (b"\xA7\xB3\xA7\xE1\xA7\xD1\xA7\xE3\xA7\xDA\xA7\xD2\xA7\xE0 \xA7\xD9\xA7\xD1 \xA7\xE1\xA7\xDA\xA7\xE3\xA7\xEE\xA7\xDE\xA7\xE0.", "Спасибо за письмо."),
        (b"\xA4\xAA\xC0\xA4\xCF\xC3\xA4\xCB\xA4\xCA\xA4\xC3\xA4\xC6\xA4\xAA\xA4\xEA\xA4\xDE\xA4\xB9\xA1\xA3", "お世話になっております。"),
        (b"\xCE\xBB\xB2\xF2\xA4\xB7\xA4\xDE\xA4\xB7\xA4\xBF\xA1\xA3", "了解しました。"),
        (b"\xB2\xF1\xB5\xC4\xA4\xCF\xBB\xB0\xBB\xFE\xA4\xAB\xA4\xE9\xA4\xC7\xA4\xB9\xA1\xA3", "会議は三時からです。"),
    ];
    for (octets, expected) in texts {
        assert_is_read(octets, expected);
        // Twice, with a line ending between.
        let twice = [octets, b"\n", octets].concat();
        assert_is_read(&twice, &format!("{expected}\n{expected}"));
    }
}

/// A file appended to a text does not decide its charset.
#[test]
fn binary_octets_after_a_text_do_not_outweigh_it() {
    // Encoded by `CPython` in windows-1254.
    let turkish = b"Say\xFDn M\xFC\xFEterimiz, sipari\xFEiniz bug\xFCn kargoya verilmi\xFEtir. \
        \xDDyi g\xFCnler dileriz.\n";
    // Octets of Knuth's MMIX generator, similar to a compressed file.
    let mut state = 1_u64;
    let mut tail = b"\0".to_vec();
    tail.extend(
        std::iter::repeat_with(|| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            state.to_be_bytes()[0]
        })
        .take(400),
    );
    let octets = [&turkish[..], &tail].concat();
    let windows_1254 = Charset::for_label("windows-1254").unwrap();
    assert_eq!(
        detect(&octets).charset,
        windows_1254,
        "{:?}",
        detect(&octets)
    );
}

/// Spam in English with accents on capitals, written to pass filters.
#[test]
fn decorated_capitals_are_western() {
    for text in [
        "MÈDlCÃTlÕNS",
        "Buy MÈDlCÃTlÕNS online",
        "VÍÀGRA",
        "VÍÀGRA at low prices",
        "CÎÀLÎS",
        "PHÂRMÂCY",
        "lÓW PRlCÈS",
        "RÉFINANCE YOÜR HOÜSE",
        "PÈNÌS ÈNLÃRGEMENT",
        "ÔNLÎNE CÃSÎNÔ",
    ] {
        assert_is_latin1(text);
    }
    let words = [
        "PHARMACY",
        "MORTGAGE",
        "REFINANCE",
        "DISCOUNT",
        "CASINO",
        "MEDICATIONS",
        "SOFTWARE",
        "WATCHES",
        "INVESTMENT",
        "PRESCRIPTION",
        "DIPLOMA",
        "UNIVERSITY",
        "ENLARGEMENT",
        "APPROVED",
        "INTEREST",
        "LOTTERY",
        "WINNER",
    ];
    let accented = ["AÀÁÂÃÄÅ", "EÈÉÊË", "IÌÍÎÏ", "OÒÓÔÕÖ", "UÙÚÛÜ"];
    let mut seed = 5_u32;
    let mut draw = |below: usize| {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 16) as usize % below
    };
    let (mut drawn, mut right) = (0, 0);
    while drawn < 200 {
        let word = words[draw(words.len())];
        let decorate = |letter: char| {
            let forms: Vec<char> = match accented.iter().find(|it| it.starts_with(letter)) {
                Some(forms) => forms.chars().collect(),
                None => return letter,
            };
            forms[draw(forms.len())]
        };
        let word: String = word.chars().map(decorate).collect();
        if word.chars().filter(|it| !it.is_ascii()).count() < 2 {
            continue;
        }
        drawn += 1;
        let octets = latin1(&word);
        right += usize::from(detect(&octets).charset.decode(&octets).as_str() == word);
    }
    // Two accents next to each other may be one ideograph.
    assert!(right >= 190, "{right} of {drawn}");
}

/// Names of well-known people: of twenty in each charset, at least this many are detected. A few octets
/// in EUC-JP may be plausible Chinese or Korean too.
#[test]
fn names_of_two_to_five_characters_are_detected() {
    const JAPANESE: &str = "黒澤明 三船敏郎 夏目漱石 樋口一葉 芥川龍之介 宮崎駿 高倉健 村上春樹 北野武 大江健三郎 川端康成 \
                            手塚治虫 小津安二郎 坂本龍一 安藤忠雄 長嶋茂雄 王貞治 羽生善治 吉永小百合 美空ひばり";
    const SIMPLIFIED: &str = "王菲 刘德华 张艺谋 陈凯歌 李连杰 巩俐 姚明 郭晶晶 赵薇 章子怡 葛优 冯小刚 莫言 鲁迅 老舍 \
                              巴金 梅兰芳 李宁 刘翔 周迅";
    const TRADITIONAL: &str = "林志玲 蔡依林 周杰倫 鄧麗君 侯孝賢 李安 張惠妹 王建民 蔡明亮 楊德昌 梁朝偉 張國榮 周潤發 \
                               劉嘉玲 羅大佑 齊秦 伍佰 陳水扁 馬英九 金庸";
    const KOREAN: &str = "김연아 박지성 손흥민 이영애 송강호 배용준 조용필 황정민 봉준호 박찬욱 전도연 최민식 안성기 장동건 \
                          이병헌 김혜자 윤여정 유재석 강호동 차범근";
    for (encoding, names, least) in [
        (encoding_rs::EUC_JP, JAPANESE, 14),
        (encoding_rs::SHIFT_JIS, JAPANESE, 18),
        (encoding_rs::GBK, SIMPLIFIED, 17),
        (encoding_rs::BIG5, TRADITIONAL, 18),
        (encoding_rs::EUC_KR, KOREAN, 20),
    ] {
        let is_detected = |name: &&str| {
            let (octets, _, has_unmappable) = encoding.encode(name);
            assert!(!has_unmappable, "{name}");
            detect(&octets).charset.decode(&octets).as_str() == *name
        };
        assert_eq!(names.split_whitespace().count(), 20);
        let count = names.split_whitespace().filter(is_detected).count();
        assert!(count >= least, "{}: {count}", encoding.name());
    }
}
