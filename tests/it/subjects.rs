//! Base subjects, by the grammar of RFC 5256, section 2.1.

use mime_charset::header::base_subject;
use proptest::prelude::*;

/// The base subject, followed by `r` for a reply and `f` for a forward.
fn base(subject: &str) -> String {
    let base = base_subject(subject);
    let reply = if base.is_reply { "r" } else { "" };
    let forward = if base.is_forward { "f" } else { "" };
    format!("{}|{reply}{forward}", base.text)
}

#[test]
fn rfc5256_2_1_the_grammar() {
    for (subject, expected) in [
        // (1): tabs and runs of white space are one space.
        ("a \t b", "a b|"),
        ("  a  ", "a|"),
        ("", "|"),
        // (2): subj-trailer = "(fwd)" / WSP
        ("a (fwd)", "a|f"),
        ("a(FWD) (fwd) ", "a|f"),
        ("(fwd)", "|f"),
        ("(fwd) a", "(fwd) a|"),
        // (3): subj-refwd = ("re" / ("fw" ["d"])) *WSP [subj-blob] ":"
        ("Re: a", "a|r"),
        ("RE:a", "a|r"),
        ("re \t : a", "a|r"),
        ("Fw: a", "a|f"),
        ("fwd: a", "a|f"),
        ("Re[2]: a", "a|r"),
        ("Re [list] : a", "a|r"),
        ("Re: Fwd: re: a", "a|rf"),
        ("Re:", "|r"),
        ("Re a", "Re a|"),
        ("Rea: b", "Rea: b|"),
        // BLOBCHAR excludes brackets.
        ("Re[[2]]: a", "Re[[2]]: a|"),
        // (3): subj-leader = (*subj-blob subj-refwd) / WSP
        ("[a] [b] Re: c", "c|r"),
        ("[a] Re:", "|r"),
        // (4): subj-blob = "[" *BLOBCHAR "]" *WSP, if that leaves text.
        ("[list] a", "a|"),
        ("[list][] a", "a|"),
        ("[list]", "[list]|"),
        ("[a] [b]", "[b]|"),
        ("[a", "[a|"),
        ("[a[b]] c", "[a[b]] c|"),
        // (5)
        ("Re: [list] Re: a", "a|r"),
        // (6): subj-fwd = "[fwd:" subject "]"
        ("[fwd: a]", "a|f"),
        ("[FWD: Re: [list] a (fwd)]", "a|rf"),
        ("Re: [fwd: [fwd: a]]", "a|rf"),
        ("[fwd: [fwd: a] (fwd)]", "a|f"),
        ("[fwd:]", "|f"),
        ("[fwd: a] b", "b|"),
        ("[fwd a]", "[fwd a]|"),
    ] {
        assert_eq!(base(subject), expected, "{subject:?}");
    }
}

/// Beyond RFC 5256: prefixes in other languages.
#[test]
fn prefixes_of_other_languages() {
    let replies = [
        "AW",
        "Antw",
        "SV",
        "VS",
        "R",
        "RIF",
        "RES",
        "Odp",
        "YNT",
        "Vá",
        "ΑΠ",
        "ΣΧΕΤ",
        "Отв",
        "ОТВЕТ",
        "השב",
        "رد",
        "답장",
        "회신",
        "回复",
        "回覆",
        "答复",
        "答覆",
        "返信",
    ];
    let forwards = [
        "WG",
        "VB",
        "VL",
        "Doorst",
        "TR",
        "RV",
        "ENC",
        "PD",
        "İLT",
        "Továbbítás",
        "ΠΡΘ",
        "Пересл",
        "전달",
        "转发",
        "轉寄",
        "轉發",
        "転送",
    ];
    let is = |prefix: &str, sign: &str| {
        for written in [
            prefix.to_owned(),
            prefix.to_lowercase(),
            format!("{prefix}[3]"),
        ] {
            assert_eq!(
                base(&format!("{written}: a")),
                format!("a|{sign}"),
                "{written}"
            );
            assert_eq!(
                base(&format!("Re: {written}：a")),
                format!("a|r{}", sign.trim_start_matches('r'))
            );
        }
    };
    for prefix in replies {
        is(prefix, "r");
    }
    for prefix in forwards {
        is(prefix, "f");
    }
    assert_eq!(base("Re^2: a"), "a|r");
    assert_eq!(base("Re(12): a"), "a|r");
    assert_eq!(base("Re\u{A0}: a"), "a|r");
    // No prefix.
    for subject in [
        "Re^x: a", "Re(2: a", "Re2: a", "Aware: a", "Reste: a", "R&D: a", "12:30", ":", "：",
    ] {
        assert_eq!(base(subject), format!("{subject}|"));
    }
}

proptest! {
    /// The base subject of a base subject is itself, without blanks at its ends.
    #[test]
    fn a_base_subject_is_stable(
        subject in "(Re|AW|İLT|回复|\\[|\\]|\\(fwd\\)|\\[fwd:|:|：|\\^2| |\t|\u{3000}|a|é|fwd|Fw ?|\\PC){0,16}",
    ) {
        let once = base_subject(&subject);
        let twice = base_subject(&once.text);
        prop_assert_eq!(&twice.text, &once.text);
        prop_assert!(!twice.is_reply && !twice.is_forward);
        prop_assert!(once.text.trim() == once.text);
    }

    /// Prefixes and suffixes added by programs do not change the base subject.
    #[test]
    fn a_reply_keeps_the_base_subject(
        subject in "[a-zé]{1,4}( [a-zé0-9]{1,5}){0,3}",
        around in prop::collection::vec(0..6_usize, 0..6),
    ) {
        let text = around.iter().fold(subject.clone(), |text, way| match way {
            0 => format!("Re: {text}"),
            1 => format!("[list] {text}"),
            2 => format!("Fwd[x]:{text}"),
            3 => format!("[fwd: {text}]"),
            4 => format!("{text} (fwd)"),
            _ => format!("  {text}\t"),
        });
        prop_assert_eq!(base_subject(&text).text, base_subject(&subject).text);
    }
}
