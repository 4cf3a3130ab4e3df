//! Text for a person to read.

use mime_charset::decode::{Reading, reading_text};
use mime_charset::{Kind, Message, Options, header};

use super::Choices;

/// Any text is laid out in every format, with at most a few times its length; text escaped in a
/// page round-trips; a preview does not depend on whether the body was decoded completely.
pub fn reading(octets: &[u8]) {
    let mut choices = Choices::new(octets);
    let content_type = choices.of(&[
        "text/html",
        "text/plain",
        "text/plain; format=flowed",
        "text/plain; format=flowed; delsp=yes",
        "text/enriched",
        "text/richtext",
    ]);
    let reading = Reading::new()
        .title(choices.is())
        .links(choices.is())
        .quotes(choices.is());
    let times = usize::from(choices.octet() >> 2) + 1;
    let characters = usize::from(choices.octet());
    let text = String::from_utf8_lossy(choices.rest());
    let layout = header::content_type(content_type.as_bytes());
    let read = reading_text(&text, &layout, reading);
    // A quote of depth 8 has eight marks in each line.
    assert!(read.len() <= 10 * text.len() + 4, "{text:?}");
    assert!(
        !read.contains('\r') || content_type == "text/html",
        "{text:?}"
    );

    let escaped = text.replace('&', "&amp;").replace('<', "&lt;");
    let html = header::content_type(b"text/html");
    let page = format!("<p><pre>\n{escaped}</pre>");
    let read = reading_text(&page, &html, reading);
    let expected = text.replace("\r\n", "\n").replace('\r', "\n");
    let expected = expected.replace('\0', "");
    assert_eq!(read, expected.trim_matches('\n'), "{page:?}");

    let source = format!(
        "Content-Type: {content_type}; charset=utf-8\n\n{}",
        text.repeat(times)
    );
    let message = Message::parse(source.as_bytes());
    let lazy = message.root().preview(characters, &Options::new());
    let whole = message.root().preview(source.len(), &Options::new());
    assert!(!whole.report().has(Kind::Partial), "{source:?}");
    assert!(whole.as_str().starts_with(lazy.as_str()), "{source:?}");
    let is_whole = lazy.as_str() == whole.as_str();
    // No preview ends with a blank.
    assert!(
        is_whole || lazy.as_str().chars().count() + 1 >= characters,
        "{source:?}"
    );
}
