//! The tables of docs/charsets.md match the library's registry.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;

use mime_charset::charset::resolve;
use mime_charset::{Charset, Label};

const PAGE: &str = include_str!("../../docs/charsets.md");
const README: &str = include_str!("../../README.md");
const ELSEWHERE: &str = include_str!("../../corpus/charset/elsewhere.tsv");
const IN_MAIL: &str = include_str!("../../corpus/labels/in-mail.tsv");

fn rows(table: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    let lines = table.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| line.split('\t').collect())
}

/// The number of text parts of public mail declared in each charset.
fn parts() -> HashMap<&'static str, u32> {
    let mut parts = HashMap::new();
    for row in rows(IN_MAIL) {
        let charset = resolve(&Label::new(row[0])).charset.unwrap();
        *parts.entry(charset.name()).or_default() += row[1].parse::<u32>().unwrap();
    }
    parts
}

/// The labels of a charset except its name, which has its own column.
fn labels(charset: Charset) -> String {
    let other = |label: &&str| !label.eq_ignore_ascii_case(charset.name());
    charset.labels().filter(other).collect::<Vec<_>>().join(" ")
}

fn number(charset: Charset) -> String {
    let number = charset.mibenum();
    number.map_or_else(String::new, |number| number.to_string())
}

/// Both tables, from the registry and from published data.
fn tables() -> (String, String) {
    let elsewhere: BTreeMap<_, _> = rows(ELSEWHERE).map(|row| (row[0], row)).collect();
    let parts = parts();
    let mut decoded = String::from(
        "| charset | MIBenum | standard or vendor | also decoded by | in mail | other labels |\n\
         |---|---:|---|---|---:|---|\n",
    );
    let mut undecoded = String::from(
        "| charset | MIBenum | other labels | why not, and what is wanted |\n|---|---:|---|---|\n",
    );
    for charset in Charset::all() {
        let (name, number, labels) = (charset.name(), number(charset), labels(charset));
        if let Some(reason) = charset.undecoded_reason() {
            writeln!(undecoded, "| {name} | {number} | {labels} | {reason} |").unwrap();
            continue;
        }
        let row = &elsewhere[name];
        let mut programs: Vec<_> = row[2].split(',').filter(|it| !it.is_empty()).collect();
        let mut every = charset.labels();
        if every.any(|label| encoding_rs::Encoding::for_label(label.as_bytes()).is_some()) {
            programs.push("encoding_rs");
        }
        let programs = programs.join(", ");
        let in_mail = parts.get(name).map_or_else(String::new, u32::to_string);
        let standard = row[1];
        writeln!(
            decoded,
            "| {name} | {number} | {standard} | {programs} | {in_mail} | {labels} |"
        )
        .unwrap();
    }
    (decoded, undecoded)
}

/// The rows of the table below a heading of the page.
fn table_below(heading: &str) -> &'static str {
    let section = PAGE.split(&format!("\n## {heading}\n")).nth(1).unwrap();
    let start = section.find("\n|").unwrap() + 1;
    let table = &section[start..];
    &table[..table.find("\n\n").map_or(table.len(), |end| end + 1)]
}

#[test]
fn the_page_has_a_row_for_each_charset() {
    let (decoded, undecoded) = tables();
    for (heading, made) in [("Decoded", decoded), ("Known by name", undecoded)] {
        let written = table_below(heading);
        if written != made {
            let path = std::env::temp_dir().join("mime-charset-charsets.md");
            std::fs::write(&path, &made).unwrap();
            let odd = made.lines().find(|row| !written.contains(row));
            panic!(
                "{heading}: the registry makes another table, now in {}: {odd:?}",
                path.display()
            );
        }
    }
}

/// The counts in the page's first paragraph, and in the README.
#[test]
fn the_counts_match_the_registry() {
    let registered = |charset: &Charset| charset.mibenum().is_some();
    let (of_registry, others): (Vec<_>, Vec<_>) = Charset::all().partition(registered);
    let decoded = |charsets: &[Charset]| charsets.iter().filter(|it| it.is_decoded()).count();
    let labels: usize = Charset::all().map(|charset| charset.labels().count()).sum();
    let thousands = format!("{},{:03}", labels / 1000, labels % 1000);
    assert_eq!(of_registry.len(), 258, "RFC 2978: the registry of 2026");
    for count in [
        format!("All {} charsets", of_registry.len()),
        format!("{} of them are decoded", decoded(&of_registry)),
        format!("{} more", decoded(&others)),
        format!("{thousands} labels"),
    ] {
        assert!(PAGE.contains(&count), "{count}");
    }
    let count = format!(
        "{} of the {} registered ones, and {} more",
        decoded(&of_registry),
        of_registry.len(),
        decoded(&others)
    );
    assert!(README.contains(&count), "{count}");
}
