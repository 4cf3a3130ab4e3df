//! Every message of the corpus, compared with its truth and with a readable snapshot.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use mime_charset::message::{Message, Part};
use mime_charset::{Charset, Report, utf8};

/// The messages of `corpus/mail`, sorted by name.
fn messages() -> Vec<PathBuf> {
    let files = fs::read_dir("corpus/mail").unwrap();
    let mut files: Vec<_> = files.map(|file| file.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "eml"));
    files.sort();
    files
}

#[test]
fn every_message_matches_its_truth() {
    let mut wrong = Vec::new();
    let files = messages();
    assert!(files.len() > 100);
    for file in &files {
        let octets = fs::read(file).unwrap();
        let name = file.file_stem().unwrap().to_str().unwrap();
        let truth = fs::read_to_string(format!("corpus/truth/{name}.txt")).unwrap();
        let found = as_truth(&Message::parse(&octets), &truth);
        let known = KNOWN_DIFFERENCES.iter().any(|(known, _)| *known == name);
        let same = normalized(&found) == normalized(&truth);
        if same == known {
            let state = if known { "differs no more" } else { "differs" };
            wrong.push(format!(
                "{name} {state}\n--- truth\n{truth}\n--- found\n{found}"
            ));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {}:\n{}",
        wrong.len(),
        files.len(),
        wrong.join("\n")
    );
}

/// Known differences from the truth, with the reason.
const KNOWN_DIFFERENCES: [(&str, &str); 0] = [];

/// Our reading in the format of the truth, with only the lines that the truth has.
fn as_truth(message: &Message<'_>, truth: &str) -> String {
    let mut found = String::new();
    let mut owner = message.entities().next().unwrap();
    let mut text = None;
    for line in truth.lines() {
        if let Some(rest) = line.strip_prefix("--- message ") {
            owner = part_at(message, rest)
                .and_then(Part::inner)
                .unwrap_or(owner);
            text = None;
            writeln!(found, "{line}").unwrap();
        } else if let Some(rest) = line.strip_prefix("--- part ") {
            let section = rest.split(' ').next().unwrap();
            let Some(part) = part_at(message, section) else {
                writeln!(found, "--- no part {section}").unwrap();
                continue;
            };
            let decoded = part.text();
            let charset = if rest.ends_with(" -") {
                "-"
            } else {
                decoded.charset().name()
            };
            let media_type = part.content_type().media_type().to_owned();
            writeln!(found, "--- part {section} {media_type} {charset}").unwrap();
            text = Some(part);
            if !rest.ends_with(" -") {
                if let Some(name) = part.filename() {
                    writeln!(found, "filename: {}", name.as_str()).unwrap();
                }
                found.push_str(decoded.as_str());
                if !found.ends_with('\n') {
                    found.push('\n');
                }
            } else if let Some(name) = part.filename() {
                writeln!(found, "filename: {}", name.as_str()).unwrap();
            }
        } else if text.is_none() {
            let name = line.split(':').next().unwrap();
            let value = owner
                .field(name)
                .map_or_else(String::new, |field| match name {
                    "From" => display_name(field.body()),
                    _ => field.text().as_str().to_owned(),
                });
            writeln!(found, "{name}: {value}").unwrap();
        }
    }
    found
}

fn part_at<'m>(message: &'m Message<'m>, section: &str) -> Option<Part<'m>> {
    message.parts().find(|part| part.section() == section)
}

/// The display name of the first mailbox, or else its address.
fn display_name(body: &[u8]) -> String {
    let list = mime_charset::decode::addresses(body);
    let Some(mailbox) = list.mailboxes().next() else {
        return String::new();
    };
    if mailbox.name == "" {
        utf8::decode_lossy(mailbox.octets()).into_owned()
    } else {
        mailbox.name.to_string()
    }
}

/// Normalizes line endings and removes blank lines at the end of a part.
fn normalized(text: &str) -> String {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let mut lines: Vec<&str> = Vec::new();
    for line in text.lines() {
        if line.starts_with("--- ") {
            while lines.last().is_some_and(|line| line.trim().is_empty()) {
                lines.pop();
            }
        }
        lines.push(line.trim_end());
    }
    lines.join("\n").trim_end().to_owned()
}

#[test]
fn every_message_as_people_read_it() {
    for file in messages() {
        let octets = fs::read(&file).unwrap();
        let name = file.file_stem().unwrap().to_str().unwrap().to_owned();
        insta::with_settings!({
            snapshot_path => "snapshots",
            prepend_module_to_snapshot => false,
            omit_expression => true,
        }, {
            insta::assert_snapshot!(name, rendered(&Message::parse(&octets)));
        });
    }
}

fn rendered(message: &Message<'_>) -> String {
    let mut page = String::new();
    for field in message.fields() {
        let text = field.text();
        let name = utf8::decode_lossy(field.name());
        write!(page, "{name}: {}", text.as_str().escape_debug_controls()).unwrap();
        for used in text.charsets() {
            write!(page, " [{}, {}]", used.charset, used.source.name()).unwrap();
        }
        page.push('\n');
        findings(&mut page, text.report());
    }
    findings(&mut page, message.report());
    for part in message.parts() {
        write!(
            page,
            "\n--- part {} {}",
            part.section(),
            part.content_type().media_type()
        )
        .unwrap();
        write!(page, " {}", part.transfer_encoding().name()).unwrap();
        if part.is_text() {
            let decoded = part.text();
            write!(page, " {} {}", decoded.charset(), decoded.source().name()).unwrap();
        }
        if let Some(name) = part.filename() {
            write!(page, " {:?}", name.as_str()).unwrap();
        }
        page.push('\n');
        findings(&mut page, &part.mime_header().report());
        if part.is_text() {
            let decoded = part.text();
            findings(&mut page, decoded.report());
            for line in decoded.as_str().lines() {
                writeln!(page, "| {}", line.escape_debug_controls()).unwrap();
            }
        } else {
            writeln!(page, "  {} octets", part.octets().as_bytes().len()).unwrap();
        }
    }
    page
}

fn findings(page: &mut String, report: &Report) {
    for finding in report.findings() {
        writeln!(page, "  {}: {finding}", finding.kind().effect().name()).unwrap();
    }
}

/// Escapes controls, so that a snapshot shows them.
trait EscapeControls {
    fn escape_debug_controls(&self) -> String;
}

impl EscapeControls for str {
    fn escape_debug_controls(&self) -> String {
        let mut shown = String::new();
        for character in self.chars() {
            if character.is_control() && character != '\t' {
                shown.extend(character.escape_unicode());
            } else {
                shown.push(character);
            }
        }
        shown
    }
}

#[test]
fn the_corpus_has_at_least_25_charsets() {
    let mut charsets: Vec<Charset> = Vec::new();
    for file in messages() {
        let octets = fs::read(&file).unwrap();
        let message = Message::parse(&octets);
        charsets.extend(
            message
                .parts()
                .filter(|part| part.is_text())
                .map(|part| part.text().charset()),
        );
    }
    charsets.sort();
    charsets.dedup();
    assert!(charsets.len() >= 25, "{charsets:?}");
}
