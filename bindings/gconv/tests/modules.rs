//! `gconv-modules` and `gconv-modules.replace` are made of the crate's registry and of what glibc has.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use mime_charset::Charset;

/// Where mail needs another reading than glibc's: its name there, and why. `replaced.tsv` shows each
/// by octets.
const REPLACED: [(&str, &str); 11] = [
    (
        "BIG5",
        "mail has the ETEN and Microsoft characters that glibc's table leaves out",
    ),
    (
        "EUC-CN",
        "what mail calls GB2312 is GBK and GB 18030: glibc stops at their characters",
    ),
    (
        "EUC-JP",
        "mail has row 13 of NEC and the IBM characters, the (1) and the No. of every price list",
    ),
    (
        "EUC-KR",
        "mail has the other 8,822 syllables, as Windows writes them: glibc has 2,350 of 11,172",
    ),
    (
        "ISO-2022-CN",
        "Emacs writes GB 2312 and JIS X 0208 by escapes to G0: glibc stops at the first",
    ),
    (
        "ISO-2022-JP",
        "mail has row 13 of NEC, katakana of JIS X 0201 and their escapes",
    ),
    (
        "ISO-2022-KR",
        "mail often lacks the header ESC $ ) C, or has octets of EUC-KR in it",
    ),
    (
        "ISO-8859-1",
        "80 to 9F are quotes, dashes and the euro, as in windows-1252, and no controls",
    ),
    (
        "ISO-8859-9",
        "80 to 9F are quotes, dashes and the euro, as in windows-1254, and no controls",
    ),
    (
        "SJIS",
        "mail has row 13 of NEC and the IBM characters; 5C is a backslash in every program",
    ),
    (
        "TIS-620",
        "80 to 9F are quotes and dashes, as in windows-874; glibc has none",
    ),
];

fn folder() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// What glibc knows, in capitals.
fn of_glibc() -> BTreeSet<String> {
    let text = fs::read_to_string(folder().join("glibc-2.36.txt")).unwrap();
    let names = text.lines().filter(|line| !line.starts_with('#'));
    names.map(str::to_owned).collect()
}

/// A label as glibc would look for it; `None` where it would drop some character of it.
fn name(label: &str) -> Option<String> {
    let is_kept = |c: char| c.is_ascii_alphanumeric() || "_-.,:".contains(c);
    label
        .chars()
        .all(is_kept)
        .then(|| label.to_ascii_uppercase())
}

/// The charsets that glibc knows by none of their labels, each with its name and its other labels.
fn lacking() -> Vec<(Charset, String, BTreeSet<String>)> {
    let of_glibc = of_glibc();
    let mut lacking = Vec::new();
    for charset in Charset::all().filter(|charset| charset.is_decoded()) {
        let labels = charset.labels().filter_map(name);
        let mut names: BTreeSet<_> = name(charset.name()).into_iter().chain(labels).collect();
        // One name has parentheses: `NF_Z_62-010_(1973)`.
        let own = name(charset.name()).or_else(|| names.first().cloned());
        let own = own.unwrap();
        if names.is_disjoint(&of_glibc) {
            names.remove(&own);
            lacking.push((charset, own, names));
        }
    }
    lacking
}

/// Compares a file with what it should be, or writes it where `MIME_CHARSET_WRITE` is set.
#[track_caller]
fn check(file: &str, made: &str) {
    let file = folder().join(file);
    if std::env::var_os("MIME_CHARSET_WRITE").is_some() {
        fs::write(&file, made).unwrap();
    }
    assert_eq!(fs::read_to_string(&file).unwrap_or_default(), made);
}

const MADE: &str = "# Made by `MIME_CHARSET_WRITE=1 cargo test --package mime-charset-gconv --test modules`; do not edit.\n";

#[test]
fn the_modules_are_those_of_the_registry() {
    let mut made =
        "# Charsets of mime-charset that glibc 2.36 has not, by any name, each to UTF-8.\n"
            .to_owned()
            + MADE;
    made += "#\tfrom\tto\tmodule\tcost\n";
    for (_, name, aliases) in lacking() {
        writeln!(made, "module\t{name}//\tISO-10646/UTF8/\tMIME-CHARSET\t1").unwrap();
        for alias in aliases {
            writeln!(made, "alias\t{alias}//\t{name}//").unwrap();
        }
    }
    check("gconv-modules", &made);
}

#[test]
fn the_replaced_have_their_reasons() {
    let mut made =
        "# Charsets that glibc 2.36 reads otherwise than mail needs it, each with the reason.\n\
         # Not in effect unless it is chosen: append it to `gconv-modules`.\n"
            .to_owned()
            + MADE;
    let of_glibc = of_glibc();
    for (name, why) in REPLACED {
        assert!(of_glibc.contains(name), "{name}");
        assert!(Charset::for_label(name).unwrap().is_decoded(), "{name}");
        writeln!(made, "# {name}: {why}.").unwrap();
        writeln!(made, "module\t{name}//\tISO-10646/UTF8/\tMIME-CHARSET\t1").unwrap();
    }
    check("gconv-modules.replace", &made);
}

/// The module is told the name in capitals, and looks it up as a label.
#[test]
fn each_name_leads_to_its_charset_and_no_two_are_the_same() {
    let mut seen = BTreeSet::new();
    for (charset, name, aliases) in lacking() {
        assert_eq!(Charset::for_label(&name), Some(charset), "{name}");
        for alias in aliases {
            assert_eq!(Charset::for_label(&alias), Some(charset), "{alias}");
            assert!(seen.insert(alias.clone()), "{alias}");
        }
        assert!(seen.insert(name.clone()), "{name}");
    }
    // Those that issue of old mail in them led here.
    for name in [
        "UNICODE-1-1-UTF-8",
        "UNICODE-1-1-UTF-7",
        "HZ-GB-2312",
        "VIQR",
        "SCSU",
        "BOCU-1",
    ] {
        assert!(seen.contains(name), "{name}");
    }
}

#[test]
fn the_list_of_names_is_that_of_this_glibc() {
    let Ok(list) = std::process::Command::new("iconv").arg("--list").output() else {
        println!("skipped: iconv is not installed");
        return;
    };
    let version = std::process::Command::new("iconv")
        .arg("--version")
        .output()
        .unwrap();
    let version = String::from_utf8(version.stdout).unwrap();
    if !version
        .lines()
        .next()
        .is_some_and(|line| line.ends_with(" 2.36") && line.contains("GLIBC"))
    {
        println!("skipped: this is not iconv of glibc 2.36");
        return;
    }
    let list = String::from_utf8(list.stdout).unwrap();
    let names: BTreeSet<_> = list
        .lines()
        .map(|line| line.trim().trim_end_matches("//").to_owned())
        .collect();
    assert_eq!(names, of_glibc());
}
