//! Each option of `convert`.

use super::{KOI8, KOI8_IN_UTF8, complaints, convert, converted, lines, run, text, tree, verify};

#[test]
fn headers_are_words_or_raw_utf_8() {
    assert_eq!(converted(KOI8, &[]), KOI8_IN_UTF8.as_bytes());
    let raw = KOI8_IN_UTF8.replace("=?UTF-8?B?0J/RgNC40LLQtdGC?=", "Привет");
    assert_eq!(converted(KOI8, &["--headers=utf8"]), raw.as_bytes());
}

#[test]
fn attachments_are_converted_on_request() {
    let attachment = b"Content-Type: text/plain; charset=koi8-r\n\
        Content-Disposition: attachment\n\n\xF0\n";
    assert_eq!(converted(attachment, &[]), attachment);
    let result = converted(attachment, &["--attachments"]);
    assert!(
        result.ends_with("\n\nП\n".as_bytes()),
        "{}",
        String::from_utf8_lossy(&result)
    );
}

#[test]
fn declarations_are_corrected_unless_kept() {
    let page = b"Content-Type: text/html; charset=koi8-r\n\n<meta charset=koi8-r>\xF0\n";
    let kept = converted(page, &["--keep-declarations"]);
    assert!(kept.ends_with("<meta charset=koi8-r>П\n".as_bytes()));
    let fixed = converted(page, &[]);
    assert!(fixed.ends_with("<meta charset=UTF-8>П\n".as_bytes()));
}

#[test]
fn guesses_are_converted_on_request() {
    let unlabelled = b"Subject: x\n\ncaf\xE9 au lait\n";
    assert_eq!(converted(unlabelled, &[]), unlabelled);
    let guessed = converted(unlabelled, &["--guessed=1"]);
    assert!(guessed.ends_with("café au lait\n".as_bytes()));
    assert_eq!(
        run(&["convert", "a", "b", "--guessed=101"]).status.code(),
        Some(2)
    );
}

#[test]
fn malformed_text_is_kept_replaced_or_refused() {
    let malformed = b"Content-Type: text/plain; charset=euc-kr\n\n\xC7\xD1 \xFF\n";
    assert_eq!(converted(malformed, &[]), malformed);
    assert_eq!(converted(malformed, &["--on-malformed=keep"]), malformed);
    let replaced = converted(malformed, &["--on-malformed=replace"]);
    assert!(replaced.ends_with("\n\n한 \u{FFFD}\n".as_bytes()));

    let folder = tree(&[("s/a.eml", KOI8), ("s/b.eml", malformed), ("s/c.eml", KOI8)]);
    let (source, target) = (folder.path().join("s"), folder.path().join("t"));
    let report = folder.path().join("report.jsonl");
    let output = run(&[
        "convert",
        text(&source),
        text(&target),
        "--on-malformed=fail",
        "--report",
        text(&report),
    ]);
    assert_eq!(output.status.code(), Some(1));
    let said = complaints(&output);
    let expected = format!(
        "mime-charset: {}: expected text that can be decoded without loss, found malformed: ",
        source.join("b.eml").display()
    );
    assert!(said.starts_with(&expected), "{said}");
    assert!(!target.join("b.eml").exists() && !target.join("c.eml").exists());
    let lines = lines(&report);
    let event = lines.last().unwrap();
    assert_eq!(event["eventOutcomeInformation"]["eventOutcome"], "fail");
    assert_eq!(lines[lines.len() - 2]["outcome"], "failed");
}

/// Excess threads are not created, and do no harm.
#[test]
fn any_number_of_threads_is_accepted() {
    let folder = tree(&[("s/a.eml", KOI8)]);
    let (source, target) = (folder.path().join("s"), folder.path().join("t"));
    convert(&source, &target, &["-j60000"]);
    verify(&source, &target, &["-j60000"]);
}
