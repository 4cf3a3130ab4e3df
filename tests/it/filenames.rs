//! File names that are safe to use, by the rules of Microsoft ("Naming Files, Paths, and
//! Namespaces") and RFC 2183, section 2.3.

use mime_charset::Message;
use mime_charset::header::{MAX_FILENAME, safe_filename};
use proptest::prelude::*;

#[track_caller]
fn assert_safe_name(name: &str, safe: &str) {
    assert_eq!(safe_filename(name, "").as_deref(), Some(safe), "{name:?}");
}

#[test]
fn folder_separators_are_replaced() {
    assert_safe_name("a/b\\c.txt", "a_b_c.txt");
    assert_safe_name("/etc/passwd", "etc_passwd");
    assert_safe_name("..\\..\\a.txt", "a.txt");
    assert_safe_name("./../../a/./b", "a_b");
    assert_safe_name("C:\\Users\\joe\\a.doc", "Users_joe_a.doc");
    assert_safe_name("\\\\host\\share\\a", "host_share_a");
    assert_safe_name("C:a.doc", "C_a.doc");
    assert_safe_name("C:", "C_");
    assert_safe_name("a/", "a");
    assert_safe_name("~/.ssh/id", "~_ssh_id");
}

/// "Do not use" in Microsoft's page: the reserved characters, and integer values 0 through 31.
#[test]
fn characters_forbidden_by_windows() {
    for forbidden in ['<', '>', ':', '"', '/', '\\', '|', '?', '*'] {
        assert_safe_name(&format!("a{forbidden}b"), "a_b");
    }
    for control in (0..32_u8).chain(127..160) {
        let control = char::from(control);
        let between = if control.is_whitespace() { " " } else { "" };
        assert_safe_name(&format!("a{control}b"), &format!("a{between}b"));
    }
    // "Do not end a file or directory name with a space or a period."
    assert_safe_name(" a.txt. . ", "a.txt");
    assert_safe_name(".htaccess", "htaccess");
}

/// "Do not use the following reserved names", also "followed immediately by an extension".
#[test]
fn names_reserved_by_windows() {
    let numbered = ["COM", "LPT"].iter().flat_map(|device| {
        let numbers = "0123456789¹²³".chars();
        numbers.map(move |number| format!("{device}{number}"))
    });
    let names = ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"].map(str::to_owned);
    for name in names.into_iter().chain(numbered) {
        for name in [
            name.clone(),
            name.to_lowercase(),
            format!("{name}.txt"),
            format!("{name}.tar.gz"),
        ] {
            assert_safe_name(&name, &format!("_{name}"));
        }
        assert_safe_name(&format!("{name} .txt"), &format!("_{name} .txt"));
        assert_safe_name(&format!("x{name}"), &format!("x{name}"));
        assert_safe_name(&format!("{name}x.txt"), &format!("{name}x.txt"));
        assert_eq!(safe_filename(&name, "eml").unwrap(), format!("_{name}.eml"));
    }
    assert_safe_name("COM", "COM");
    assert_safe_name("COM10", "COM10");
}

/// Unicode Standard Annex 9, section 2: the bidirectional controls.
#[test]
fn invisible_characters() {
    for hidden in "\u{61C}\u{200E}\u{200F}\u{202A}\u{202B}\u{202C}\u{202D}\u{202E}\u{2066}\u{2067}\u{2068}\u{2069}\
                   \u{200B}\u{2060}\u{FEFF}\u{AD}\u{180E}\u{E0041}"
        .chars()
    {
        assert_safe_name(&format!("{hidden}a{hidden}fdp.exe{hidden}"), "afdp.exe");
        assert_safe_name(&format!("c{hidden}on"), "_con");
    }
    assert_safe_name("a.txt                    .exe", "a.txt .exe");
    assert_safe_name("a\u{2028}b", "a b");
    // Persian "files", and a family.
    assert_safe_name("فایل\u{200C}ها.pdf", "فایل\u{200C}ها.pdf");
    assert_safe_name("👩\u{200D}👧.png", "👩\u{200D}👧.png");
    assert_safe_name("a\u{200D}b\u{200C}.txt", "ab.txt");
    for nothing in [
        "", ".", "..", "/", " ", "\u{202E}", "\u{200D}", "../..", "\0", "C:\\",
    ] {
        assert_eq!(safe_filename(nothing, "txt"), None, "{nothing:?}");
    }
}

#[test]
fn an_extension_is_never_repeated() {
    let with = |name: &str, extension: &str| safe_filename(name, extension).unwrap();
    assert_eq!(with("a", "txt"), "a.txt");
    assert_eq!(with("a.txt", "txt"), "a.txt");
    assert_eq!(with("a.TXT", "txt"), "a.TXT");
    assert_eq!(with("a.txt. ", ".txt"), "a.txt");
    assert_eq!(with("a.html", "txt"), "a.html.txt");
    assert_eq!(with("txt", "txt"), "txt.txt");
    assert_eq!(with("atxt", "txt"), "atxt.txt");
    assert_eq!(with("a", "/../x"), "a.x");
    assert_eq!(with("a.report.json", "report.json"), "a.report.json");
}

/// Most file systems allow 255 octets; `MAX_FILENAME` is 240. The characters here have three or four
/// octets.
#[test]
fn long_names_are_truncated_before_their_extension() {
    let long = |character: &str| character.repeat(200);
    let safe = safe_filename(&format!("{}.tar", long("漢")), "gz").unwrap();
    // 240 - 3 octets for ".gz", at three octets per character.
    assert_eq!(safe, format!("{}.gz", "漢".repeat(79)));
    let safe = safe_filename(&long("😀"), "").unwrap();
    assert_eq!(safe, "😀".repeat(60));
    // A decomposed "é" (three octets, as macOS writes it) is not split: 80 fit into 240 octets, or 79 and
    // ".a".
    let safe = safe_filename(&format!("{}.a", long("e\u{301}")), "").unwrap();
    assert_eq!(safe, format!("{}.a", "e\u{301}".repeat(79)));
    // Text that is too long is not an extension.
    let safe = safe_filename(&format!("a.{}", long("b")), "c").unwrap();
    assert_eq!(safe.len(), 204);
    let safe = safe_filename(&format!("a.{}{}", long("b"), long("b")), "").unwrap();
    assert_eq!(safe.len(), MAX_FILENAME);
    // An unlimited run of marks.
    assert!(safe_filename(&long("\u{301}"), "").unwrap().len() > 200);
}

/// A plain value and an extended value of the same parameter are two names.
#[test]
fn the_names_of_a_part_in_order() {
    let names = |header: &str| {
        let source = format!("{header}\n\n");
        let message = Message::parse(source.as_bytes());
        let names = message.root().filenames();
        names
            .iter()
            .map(|name| name.as_str().to_owned())
            .collect::<Vec<_>>()
    };
    let both = "Content-Disposition: attachment; filename=\"=?utf-8?Q?b=C3=A4?=\"; filename*=utf-8''%C3%A4\n\
                Content-Type: a/b; name=\"c\"; name*=iso-8859-1''%E9";
    assert_eq!(names(both), ["ä", "bä", "é", "c"]);
    assert_eq!(
        names("Content-Disposition: inline; filename=a\nContent-Type: a/b; name=a"),
        ["a"]
    );
    assert!(names("Content-Type: text/plain; charset=utf-8").is_empty());
}

#[test]
fn parts_without_a_usable_name() {
    let name = |source: &str| Message::parse(source.as_bytes()).root().filename_to_save();
    assert_eq!(name("Content-Type: text/html\n\nx"), "part-1.html");
    assert_eq!(name("Content-Type: TEXT/X-Any\n\nx"), "part-1.txt");
    assert_eq!(name("Content-Type: application/x-any\n\nx"), "part-1.bin");
    assert_eq!(
        name("Content-Disposition: attachment; filename=\"..\"\n\nx"),
        "part-1.txt"
    );
    assert_eq!(
        name("Content-Type: text/plain; name=b\nContent-Disposition: a; filename=\"/\"\n\n"),
        "b"
    );
    let forwarded = "Content-Type: message/rfc822\n\n";
    assert_eq!(name(&format!("{forwarded}Subject: a.eml\n\n")), "a.eml");
    assert_eq!(name(&format!("{forwarded}Subject: aux\n\n")), "_aux.eml");
    assert_eq!(name(&format!("{forwarded}Subject: .\n\n")), "part-1.eml");
    assert_eq!(
        name("Content-Type: multipart/mixed; boundary=b\n\n--b\n\nx\n--b--"),
        "part-TEXT.bin"
    );
}

/// Hostile names.
fn any_name() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => prop::sample::select(vec![
            ".", "..", "/", "\\", ":", " ", "\u{3000}", "\t", "con", "NUL", "com1", "a", "é", "e\u{301}", "漢",
            "😀", "\u{200D}", "\u{200C}", "\u{202E}", "\u{FEFF}", "_", ".txt", ".tar.gz", "C:",
        ]).prop_map(str::to_owned),
        2 => any::<char>().prop_map(String::from),
        1 => ("[a漢 .]", 1..400_usize).prop_map(|(piece, times)| piece.repeat(times)),
    ];
    prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn a_safe_name_is_safe(name in any_name(), extension in "(|txt|eml|\\PC{0,4})") {
        let Some(safe) = safe_filename(&name, &extension) else {
            return Ok(());
        };
        prop_assert!(!safe.is_empty() && safe.len() <= MAX_FILENAME);
        prop_assert!(!safe.contains(['/', '\\', '<', '>', ':', '"', '|', '?', '*']));
        prop_assert!(!safe.chars().any(char::is_control));
        let at_ends = |it: char| it == '.' || it.is_whitespace();
        prop_assert!(!safe.starts_with(at_ends) && !safe.ends_with(at_ends), "{:?}", safe);
        // A safe name is stable.
        prop_assert_eq!(safe_filename(&safe, ""), Some(safe.clone()));
        prop_assert_eq!(safe_filename(&safe, &extension), Some(safe.clone()));
        if extension == "txt" {
            prop_assert!(safe.to_ascii_lowercase().ends_with(".txt"));
        }
    }

    /// A name that is safe on every system is kept.
    #[test]
    fn a_harmless_name_is_kept(name in "[A-Za-z0-9éü漢_-]{1,20}( [A-Za-z0-9()+,;=@#é-]{1,9}){0,3}(\\.[a-z0-9]{1,4})?") {
        let base = name.split('.').next().unwrap().to_ascii_lowercase();
        let devices = ["con", "prn", "aux", "nul"];
        prop_assume!(!devices.contains(&base.as_str()) && !base.starts_with("com") && !base.starts_with("lpt"));
        prop_assert_eq!(safe_filename(&name, ""), Some(name));
    }
}
