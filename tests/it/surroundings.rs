//! Surrounding evidence for octets without a label: other parts and fields, Content-Language (RFC
//! 3282), the sender's country and the mail program. It raises the prior of charsets, but does not
//! outweigh text that is clearly in another one.

use mime_charset::decode::{Context, Decision, Evidence, EvidenceKind, Side, decide};
use mime_charset::{Message, Options, Source, convert};

use super::samples::{Draw, charset};

// Octets in a charset, encoded by Python's codec of that name.

/// "변경" in EUC-KR; in GBK it reads as two ideographs.
const KOREAN_WORD: &[u8] = b"\xBA\xAF\xB0\xE6";
/// "При" in KOI8-R.
const RUSSIAN_WORD: &[u8] = b"\xF0\xD2\xC9";
/// "Grüße" in ISO-8859-1.
const GERMAN_WORD: &[u8] = b"Gr\xFC\xDFe";
/// "Добрый день, высылаю вам договор и счёт за прошлый месяц." in KOI8-R.
const RUSSIAN_TEXT: &[u8] = b"\xE4\xCF\xC2\xD2\xD9\xCA \xC4\xC5\xCE\xD8, \
        \xD7\xD9\xD3\xD9\xCC\xC1\xC0 \xD7\xC1\xCD \xC4\xCF\xC7\xCF\xD7\xCF\xD2 \xC9 \
        \xD3\xDE\xA3\xD4 \xDA\xC1 \xD0\xD2\xCF\xDB\xCC\xD9\xCA \xCD\xC5\xD3\xD1\xC3.";

/// The decision on a part of a message.
fn decision(source: &[u8], section: &str) -> Decision {
    let message = Message::parse(source);
    let part = message.parts().find(|it| it.section() == section).unwrap();
    part.decide(&Options::new())
}

fn side(decision: &Decision, kind: EvidenceKind) -> Option<Side> {
    let mut heard = decision.evidence().iter();
    heard
        .find(|evidence| evidence.kind == kind)
        .map(|it| it.side)
}

fn mail(header: &str, body: &[u8]) -> Vec<u8> {
    [header.as_bytes(), b"\n", body, b"\n"].concat()
}

/// The text of a body under the given header.
fn text_below(header: &str, body: &[u8]) -> String {
    let charset = decision(&mail(header, body), "1").charset;
    charset.decode(body).into_text().into_owned()
}

/// One Korean word: its octets may be Chinese, and each surrounding item decides for Korean.
#[test]
fn a_korean_word_is_read_with_its_surroundings() {
    let word = KOREAN_WORD;
    let alone = decision(&mail("Subject: x\n", word), "1");
    assert_ne!(alone.charset.name(), "EUC-KR");
    for (header, kind) in [
        ("Content-Language: ko\n", EvidenceKind::ContentLanguage),
        (
            "Content-Language: ko-KR (Korean), en\n",
            EvidenceKind::ContentLanguage,
        ),
        (
            "From: Kim <kim@mail.example.co.kr>\n",
            EvidenceKind::SenderDomain,
        ),
        ("Subject: =?euc-kr?B?uq+w5g==?=\n", EvidenceKind::Header),
        (
            "Subject: =?iso-2022-kr?B?GyQpQw46LzBmDw==?=\n",
            EvidenceKind::Header,
        ),
    ] {
        let decision = decision(&mail(header, word), "1");
        let found = (decision.charset.name(), decision.source);
        assert_eq!(found, ("EUC-KR", Source::Detected), "{header}: {decision}");
        assert!(side(&decision, kind).is_some(), "{header}: {decision}");
        assert_ne!(side(&decision, kind), Some(Side::Against), "{header}");
    }
    let labelled = "Content-Type: multipart/mixed; boundary=b\n\n--b\n\
                    Content-Type: text/plain; charset=euc-kr\n\n";
    let beside = [labelled.as_bytes(), word, b"\n--b\n\n", word, b"\n--b--\n"].concat();
    let decision = decision(&beside, "2");
    assert_eq!(decision.charset.name(), "EUC-KR", "{decision}");
    assert_eq!(side(&decision, EvidenceKind::Siblings), Some(Side::For));
}

/// The language of a part is that of its own header field, or else of the message's.
#[test]
fn rfc3282_content_language_of_the_part_comes_first() {
    let word = KOREAN_WORD;
    let parts = |of_message: &str, of_part: &str| {
        let header =
            format!("{of_message}Content-Type: multipart/mixed; boundary=b\n\n--b\n{of_part}\n");
        let source = [header.as_bytes(), word, b"\n--b--\n"].concat();
        decision(&source, "1").charset.name()
    };
    assert_eq!(
        parts("Content-Language: zh-CN\n", "Content-Language: ko\n"),
        "EUC-KR"
    );
    assert_eq!(parts("Content-Language: ko\n", ""), "EUC-KR");
    assert_ne!(
        parts("Content-Language: ko\n", "Content-Language: zh-CN\n"),
        "EUC-KR"
    );
    // An embedded message has its own sender.
    let header = "From: a@example.com\nContent-Type: message/rfc822\n\nFrom: b@example.kr\n\n";
    let forwarded = decision(&[header.as_bytes(), word].concat(), "1.1");
    assert_eq!(forwarded.charset.name(), "EUC-KR", "{forwarded}");
}

/// "При", which reads as "Ðòé" in windows-1252.
#[test]
fn a_russian_word_is_read_with_its_surroundings() {
    for header in [
        "From: ivan@example.ru\n",
        "Content-Language: ru\n",
        // Another charset of the same language is evidence for the language.
        "Subject: =?windows-1251?B?z/Do?=\n",
    ] {
        assert_eq!(text_below(header, RUSSIAN_WORD), "При", "{header}");
    }
}

/// Neither the sender's country nor Content-Language changes the decoding of Western text.
#[test]
fn a_german_word_stays_german() {
    for header in [
        "",
        "From: Jürgen <j@example.de>\n",
        "Content-Language: de\n",
        "Content-Language: en\n",
        "From: a@example.com\n",
        "From: a@example.ru\n",
        "From: a@example.kr\n",
    ] {
        assert_eq!(text_below(header, GERMAN_WORD), "Grüße", "{header}");
    }
}

/// Text clearly in another charset is read in that one, and the contrary evidence is reported.
#[test]
fn a_text_outweighs_its_surroundings() {
    let text = RUSSIAN_TEXT;
    for header in [
        "From: ivan@example.kr\nContent-Language: ko\n",
        "Subject: =?euc-kr?B?uq+w5g==?=\nFrom: ivan@example.kr\n",
        "X-Mailer: Foxmail 4.1 [cn]\n",
    ] {
        let decision = decision(&mail(header, text), "1");
        let read = decision.charset.decode(text);
        assert!(
            read.as_str().starts_with("Добрый день"),
            "{header}: {decision}"
        );
        let against = |it: &Evidence| it.side == Side::For && it.kind != EvidenceKind::Detector;
        assert!(!decision.evidence().iter().any(against), "{decision}");
    }
}

/// The mail program is evidence if it implies one language or one platform.
#[test]
fn programs_of_one_language_are_evidence() {
    // "資料" in Shift_JIS, which reads as Korean too.
    let word = b"\x8E\x91\x97\xBF";
    let decision = decision(&mail("X-Mailer: Becky! ver. 2.05.06\n", word), "1");
    assert_eq!(decision.charset.decode(word).as_str(), "資料", "{decision}");
    assert_eq!(side(&decision, EvidenceKind::Program), Some(Side::For));
    let heard = |header| {
        let decided = self::decision(&mail(header, RUSSIAN_TEXT), "1");
        side(&decided, EvidenceKind::Program)
    };
    assert_eq!(heard("User-Agent: Mutt/1.5.21\n"), None);
    assert_eq!(heard("User-Agent: Foxmail 7\n"), Some(Side::Neither));
}

/// Tag, country, charset of the words, other charsets of the language, and the words.
const LANGUAGES: [(&str, &str, &str, &[&str], &str); 8] = [
    (
        "ko",
        "kr",
        "euc-kr",
        &["iso-2022-kr"],
        "회의 자료 첨부 확인 부탁 일정 변경 안내 견적 계약 내일 오전 주문 결과",
    ),
    (
        "ja",
        "jp",
        "shift_jis",
        &["euc-jp", "iso-2022-jp"],
        "会議 資料 添付 確認 お願い 日程 変更 案内 見積 契約 明日 午前 注文 結果",
    ),
    (
        "zh-CN",
        "cn",
        "gb2312",
        &["gbk"],
        "会议 资料 附件 确认 请问 日程 变更 通知 报价 合同 明天 上午 订单 结果",
    ),
    (
        "zh-TW",
        "tw",
        "big5",
        &["big5-hkscs"],
        "會議 資料 附件 確認 請問 日程 變更 通知 報價 合約 明天 上午 訂單 結果",
    ),
    (
        "ru",
        "ru",
        "koi8-r",
        &["windows-1251", "iso-8859-5"],
        "встреча файл письмо завтра договор ответ счёт заказ итог время день люди слово дело",
    ),
    (
        "pl",
        "pl",
        "iso-8859-2",
        &["windows-1250"],
        "załącznik proszę jutro zamówienie środa że być może część następny później łódź gdańsk",
    ),
    (
        "el",
        "gr",
        "windows-1253",
        &["iso-8859-7"],
        "συνάντηση αρχείο αύριο παραγγελία απάντηση ημέρα χρόνος λόγος νέα όνομα θέμα",
    ),
    (
        "he",
        "il",
        "windows-1255",
        &["iso-8859-8"],
        "פגישה קובץ מחר הזמנה תשובה יום זמן מילה חדש שם נושא",
    ),
];

/// Words in several languages, with charsets of their language and in mail from their country.
#[test]
fn drawn_words_are_not_harmed_by_true_evidence() {
    let mut draw = Draw::new(0x2545_F491_4F6C_DD1D);
    let (mut count, mut alone, mut around) = (0, 0, 0);
    for _ in 0..30 {
        for (tag, country, label, relatives, words) in LANGUAGES {
            let words: Vec<&str> = words.split(' ').collect();
            let mut text = words[draw.below(words.len())].to_owned();
            if draw.below(3) == 0 {
                text = format!("{text} {}", words[draw.below(words.len())]);
            }
            let octets = encoded(&text, label);
            let is_right = |decision: &Decision| {
                usize::from(decision.charset.decode(&octets).as_str() == text)
            };
            let below = |header: &str| is_right(&decision(&mail(header, &octets), "1"));
            let beside = |sibling| {
                let context = Context::new().siblings(Some(sibling));
                is_right(&decide(&octets, &context))
            };
            let relative = relatives[draw.below(relatives.len())];
            let word = encoded(&text, relative);
            let word: Vec<_> = word.iter().map(|octet| format!("={octet:02X}")).collect();
            let word = word.concat();
            let around_it = [
                below(&format!("Content-Language: {tag}\n")),
                below(&format!("From: a@mail.example.{country}\n")),
                beside(charset(label)),
                below(&format!("Subject: =?{relative}?Q?{word}?=\n")),
            ];
            let without = is_right(&decide(&octets, &Context::new()));
            for (place, with) in around_it.into_iter().enumerate() {
                // Evidence for another charset of the same language may change the charset.
                let is_other = place == 3;
                assert!(is_other || with >= without, "{text} {place}");
                around += with;
                alone += without;
                count += 1;
            }
        }
    }
    assert!(
        count >= 200 && around > alone,
        "{alone} and {around} of {count}"
    );
    assert!(
        100 * around >= 95 * count,
        "{alone} and {around} of {count}"
    );
}

/// Encodes text with `encoding_rs`, whose encoder the library does not use.
fn encoded(text: &str, label: &str) -> Vec<u8> {
    let encoding = encoding_rs::Encoding::for_label(label.as_bytes()).unwrap();
    let (octets, _, has_unmappable) = encoding.encode(text);
    assert!(!has_unmappable, "{text} in {label}");
    octets.into_owned()
}

/// A body of one raw word is detected with the raw fields of its header, and a short raw subject
/// with the body: one program wrote both.
#[test]
fn raw_words_of_header_and_body_are_read_together() {
    let read = |subject: &[u8], body: &[u8]| {
        let source = [b"Subject: ", subject, b"\n\n", body].concat();
        let message = Message::parse(&source);
        let subject = message.field("Subject").unwrap().text().as_str().to_owned();
        let body = message.parts().next().unwrap().text().as_str().to_owned();
        (subject, body)
    };
    let expected = |subject: &str, body: &str| (subject.to_owned(), body.to_owned());
    // "내일 회의 자료를 보내 드립니다" in EUC-KR with "변경", either way round.
    let long = b"\xB3\xBB\xC0\xCF \xC8\xB8\xC0\xC7 \xC0\xDA\xB7\xE1\xB8\xA6 \
        \xBA\xB8\xB3\xBB \xB5\xE5\xB8\xB3\xB4\xCF\xB4\xD9";
    let text = "내일 회의 자료를 보내 드립니다";
    assert_eq!(read(KOREAN_WORD, long), expected("변경", text));
    assert_eq!(read(long, KOREAN_WORD), expected(text, "변경"));
    // A German name in the header does not affect Russian text.
    let (subject, body) = read(b"Gr\xFC\xDFe aus M\xFCnchen von J\xFCrgen", RUSSIAN_TEXT);
    assert_eq!(subject, "Grüße aus München von Jürgen");
    assert!(body.starts_with("Добрый день"), "{body}");
    // Labelled text, UTF-8 and ASCII are no evidence.
    let utf_8 = "Grüße".as_bytes();
    assert_eq!(read(utf_8, GERMAN_WORD), expected("Grüße", "Grüße"));
}

/// One word in the header or the body, and four more of the same language in the other, for eight
/// languages.
#[test]
fn drawn_words_of_header_and_body_are_read_together() {
    let mut draw = Draw::new(0x1234_5678_9ABC_DEF1);
    let (mut alone, mut together, mut count) = (0, 0, 0);
    for _ in 0..26 {
        for (_, _, label, _, words) in LANGUAGES {
            let words: Vec<&str> = words.split(' ').collect();
            let mut word = || words[draw.below(words.len())];
            let short = word();
            let long = [word(), word(), word(), word()].join(" ");
            let (octets, others) = (encoded(short, label), encoded(&long, label));
            let source =
                |subject: &[u8], body: &[u8]| [b"Subject: ", subject, b"\n\n", body].concat();
            let text = |source: &[u8]| {
                let message = Message::parse(source);
                let part = message.parts().next().unwrap();
                let subject = message.field("Subject").unwrap();
                [part.text().as_str(), subject.text().as_str()].contains(&short)
            };
            alone += usize::from(text(&source(b"x", &octets)));
            together += usize::from(text(&source(&others, &octets)));
            together += usize::from(text(&source(&octets, &others)));
            count += 1;
        }
    }
    assert!(
        count >= 200 && together > 2 * alone,
        "{alone}, {together} of {count}"
    );
    assert!(
        100 * together >= 2 * 95 * count,
        "{alone}, {together} of {count}"
    );
}

/// A conversion removes evidence for a guess: words and labels in other charsets. It must still
/// verify, and a second conversion must change nothing.
#[test]
fn conversions_do_not_depend_on_evidence_they_remove() {
    let word = KOREAN_WORD;
    let headers = [
        "Subject: =?euc-kr?B?uq+w5g==?=\n",
        "Subject: \u{1}\nContent-Language: ko\n",
        "Subject: =?unknown-8bit?Q?=BA=AF=B0=E6?=\nFrom: a@example.kr\n",
        "Content-Type: multipart/mixed; boundary=b\n\n--b\n\
         Content-Type: text/plain; charset=euc-kr\nContent-Transfer-Encoding: base64\n\nuq+w5g==\n\
         --b\n",
    ];
    let mut converted_guesses = 0;
    for header in headers {
        for raw_subject in [false, true] {
            let mut source = Vec::new();
            if raw_subject {
                source.extend_from_slice(b"Comments: \xBE\xC8\xB3\xE7 \xBA\xAF\xB0\xE6\n");
            }
            source.extend_from_slice(&mail(header, word));
            for guessed in [None, Some(1), Some(60), Some(80), Some(95)] {
                let options = convert::Conversion {
                    guessed,
                    ..convert::Conversion::new()
                };
                let first = convert::convert(&source, &options);
                let proof = convert::verify(&source, first.as_bytes(), &first.changes, &options);
                assert!(proof.is_ok(), "{header}: {proof:?}");
                let again = convert::convert(first.as_bytes(), &options);
                assert!(again.changes.is_empty(), "{header} {guessed:?}");
                if guessed.is_some() && first.as_bytes().ends_with("변경\n".as_bytes()) {
                    converted_guesses += 1;
                }
            }
        }
    }
    assert!(converted_guesses > 8, "{converted_guesses}");
}

/// Hostile evidence, meant to force a wrong charset or to waste time: many fields, long lists, long
/// senders. None is read beyond a limit, and none outweighs the text.
#[test]
fn hostile_surroundings_are_ignored() {
    let word = KOREAN_WORD;
    let many_tags = format!("Content-Language: {}\n", "ko, ".repeat(250_000));
    let many_fields = "Content-Language: en\n".repeat(20_000);
    let many_senders = format!("From: {}\n", "a@example.kr, ".repeat(70_000));
    let long_domain = format!("From: a@{}kr\n", "x.".repeat(500_000));
    let long_program = format!("X-Mailer: {}Foxmail\n", " ".repeat(1 << 20));
    let alone = decision(&mail("Subject: x\n", word), "1");
    for header in [
        many_tags,
        many_fields,
        many_senders,
        long_domain,
        long_program,
    ] {
        let heard = decision(&mail(&header, word), "1");
        let shown: String = header.chars().take(40).collect();
        assert_eq!(heard.charset, alone.charset, "{shown}: {heard}");
        assert_eq!(side(&heard, EvidenceKind::ContentLanguage), None, "{shown}");
        assert_eq!(side(&heard, EvidenceKind::SenderDomain), None, "{shown}");
        assert_eq!(side(&heard, EvidenceKind::Program), None, "{shown}");
    }
    // The first of two fields counts, as for other fields.
    let two = "Content-Language: ko\nContent-Language: zh-CN\n";
    assert_eq!(decision(&mail(two, word), "1").charset.name(), "EUC-KR");
}

/// Sentences in several languages, and their charsets in mail.
const SENTENCES: [(&[&str], &str); 8] = [
    (
        &["windows-1251", "koi8-r"],
        "Приглашаем на собрание жильцов дома",
    ),
    (
        &["iso-8859-2", "windows-1250"],
        "Proszę o przesłanie załączników w środę",
    ),
    (
        &["iso-8859-7", "windows-1253"],
        "Πρόσκληση για την ετήσια συνάντηση",
    ),
    (&["windows-1255"], "הזמנה לפגישה השנתית של החברה"),
    (&["euc-kr"], "내일 오전 회의 자료를 보내 드립니다"),
    (&["gbk"], "关于明天上午会议时间变更的通知"),
    (&["big5"], "關於明天上午會議時間變更的通知"),
    (&["shift_jis", "euc-jp"], "明日の会議の資料をお送りします"),
];

/// Labels that programs write regardless of the content.
const CARELESS: [&str; 3] = ["iso-8859-1", "windows-1252", "iso-8859-15"];

/// RFC 7103, section 7.7: raw octets of a field are read in the charset of the body. If the body
/// has no octets above 7F to support its label, the octets of the field are better evidence: in
/// Subject, in a name, in a parameter.
#[test]
fn rfc7103_7_7_raw_fields_with_an_unsupported_label() {
    let options = Options::new();
    for (charsets, sentence) in SENTENCES {
        for label in charsets {
            for named in CARELESS {
                let raw = encoded(sentence, label);
                let below = |header: &[u8]| {
                    let rest = format!(
                        "\nContent-Type: text/plain; charset={named}\n\nSee the attachment.\n"
                    );
                    [header, rest.as_bytes()].concat()
                };
                let source = below(&[b"Subject: ", &*raw].concat());
                let message = Message::parse(&source);
                let subject = message.field("Subject").unwrap().text();
                assert_eq!(subject.as_str(), sentence, "{label} beside {named}");
                assert_eq!(subject.charsets()[0].source, Source::Detected);

                let source = below(&[b"To: \"", &*raw, b"\" <a@example.org>"].concat());
                let message = Message::parse(&source);
                let list = message.field("To").unwrap().addresses_with(&options);
                let name = list.mailboxes().next().unwrap().name.clone();
                assert_eq!(name, sentence, "{label} beside {named}");

                let file = b"Content-Disposition: inline; filename=\"";
                let source = below(&[file, &*raw, b"\""].concat());
                let message = Message::parse(&source);
                let name = message.parts().next().unwrap().filename_with(&options);
                assert_eq!(name.unwrap().as_str(), sentence, "{label} beside {named}");
            }
        }
    }
}

/// One encoded word with octets above 7F supports its charset as that of the header, in any field, and
/// even if earlier words are ASCII only.
#[test]
fn rfc7103_7_7_any_word_supports_the_charset_of_words() {
    let raw = encoded("Приглашаем на собрание жильцов дома", "koi8-r");
    let western: String = raw.iter().copied().map(char::from).collect();
    for words in [
        "Subject: =?iso-8859-1?Q?Re?= x\nFrom: =?iso-8859-1?Q?Jos=E9?= <a@example.org>\n",
        "Subject: =?iso-8859-1?Q?Re?= x =?iso-8859-1?Q?caf=E9?=\n",
        "To: =?iso-8859-1?Q?Jos=E9?= <a@example.org>\nSubject: =?iso-8859-1?Q?Re?= x\n",
    ] {
        let source = [words.as_bytes(), b"Comments: ", &*raw, b"\n\n"].concat();
        let message = Message::parse(&source);
        let comments = message.field("Comments").unwrap().text();
        assert_eq!(comments.as_str(), western, "{words}");
    }
}

/// The body's charset is used if a field's octets are inconclusive, if the body supports its label,
/// or if the caller trusts labels or names a charset.
#[test]
fn rfc7103_7_7_raw_fields_follow_the_label_of_the_body() {
    let text = |subject: &[u8], label: &str, body: &[u8], options: &Options| {
        let header = format!("\nContent-Type: text/plain; charset={label}\n\n");
        let source = [b"Subject: ", subject, header.as_bytes(), body].concat();
        let message = Message::parse(&source);
        let subject = message.field("Subject").unwrap();
        subject.text_with(options).as_str().to_owned()
    };
    let new = Options::new();
    // "café", "naïve", "Žižek", "Да" and "변경", as encoded by Python.
    for (subject, label, expected) in [
        (&b"caf\xE9"[..], "iso-8859-1", "caf\u{e9}"),
        (b"caf\xE9", "windows-1252", "caf\u{e9}"),
        (b"na\xEFve", "iso-8859-15", "na\u{ef}ve"),
        (b"\xAEi\xBEek", "iso-8859-2", "\u{17d}i\u{17e}ek"),
        (b"\xE4\xC1", "koi8-r", "Да"),
        (b"\xC4\xE0", "windows-1251", "Да"),
        (KOREAN_WORD, "euc-kr", "변경"),
        (GERMAN_WORD, "iso-8859-1", "Grüße"),
    ] {
        assert_eq!(text(subject, label, b"text\n", &new), expected, "{label}");
    }
    let raw = encoded("Приглашаем на собрание жильцов дома", "windows-1251");
    let western: String = raw.iter().copied().map(char::from).collect();
    assert_eq!(text(&raw, "iso-8859-1", b"caf\xE9\n", &new), western);
    let hinted = new.hint(Some(charset("iso-8859-1")));
    assert_eq!(text(&raw, "iso-8859-1", b"text\n", &hinted), western);
    let trusting = new.trust_label(true);
    assert_eq!(text(&raw, "iso-8859-1", b"text\n", &trusting), western);
    // A label that matches the fields is used, even if other charsets give the same text.
    let source = [
        b"Subject: ",
        &*raw,
        b"\nContent-Type: text/plain; charset=windows-1251\n\ntext\n",
    ];
    let source = source.concat();
    let message = Message::parse(&source);
    let subject = message.field("Subject").unwrap().text();
    assert_eq!(subject.charsets()[0].charset, charset("windows-1251"));
}

/// Each embedded message is read with its own fields.
#[test]
fn rfc7103_7_7_a_forwarded_message_has_fields_of_its_own() {
    let russian = encoded("Приглашаем на собрание жильцов дома", "windows-1251");
    let header = b"\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\
        Content-Type: text/plain; charset=iso-8859-1\n\ntext\n--b\n\
        Content-Type: message/rfc822\n\n\
        Subject: R\xE9sum\xE9 de la r\xE9union\n\
        Content-Type: text/plain; charset=iso-8859-1\n\ntext\n--b--\n";
    let source = [b"Subject: ", &*russian, header].concat();
    let message = Message::parse(&source);
    let subjects: Vec<String> = message
        .entities()
        .filter_map(|entity| entity.field("Subject"))
        .map(|subject| subject.text().as_str().to_owned())
        .collect();
    let expected = [
        "Приглашаем на собрание жильцов дома",
        "Résumé de la réunion",
    ];
    assert_eq!(subjects, expected);
}
