//! Text for a person to read: pages without markup, previews, and a list of messages.

use std::borrow::Cow;
use std::hint::black_box;

use mail_parser::MessageParser;
use mail_parser::decoders::html::html_to_text;
use mime_charset::decode::{Reading, reading_text};
use mime_charset::{Message, header};

use crate::harness::{Plan, Row, peer, peer_in_two, table};
use crate::mail::{self, Mail};
use crate::shaped;
use crate::text::{self, Random};

const TITLE: &str = "Reading text: pages without their markup";
const SIZE: usize = 64 << 10;

/// Answers are compared by words, since peers break lines differently.
fn words(text: &str) -> Cow<'static, [u8]> {
    Cow::Owned(words_of(text).into_bytes())
}

/// Cells of nested tables with styles, as in newsletters.
fn newsletter(text: &str) -> String {
    let cells: Vec<String> = text
        .lines()
        .map(|line| {
            format!(
                "<table width=\"100%\" cellpadding=\"0\" border=\"0\"><tr><td style=\"padding:0 10px; \
                 font-family:Arial,sans-serif; color:#333333\" align=\"left\">\r\n<a \
                 href=\"https://news.example/r?id=1234567890&amp;m=abc\" style=\"color:#06c\">{line}</a>\
                 &nbsp;&ndash;</td></tr></table>\r\n"
            )
        })
        .collect();
    format!("<html><body bgcolor=white>{}</body></html>", cells.concat())
}

pub fn measure(plan: &Plan) {
    if !plan.wants(TITLE) {
        return;
    }
    let text = text::latin(&mut Random(1), SIZE, 10);
    let paragraphs = mail::html(&text);
    let newsletter = newsletter(&text);
    let with_dashes = text.replace('\n', " –\n") + " –";
    let pages = [
        ("paragraphs", &paragraphs, &text),
        ("a newsletter of nested tables", &newsletter, &with_dashes),
    ];
    let ascii = text::latin(&mut Random(2), SIZE, 0);
    let messages = [("in French", &text), ("in ASCII", &ascii)].map(|(name, text)| {
        let page = mail::html(text).repeat(12);
        let source = format!("Content-Type: text/html; charset=utf-8\r\n\r\n{page}");
        (name, source, text)
    });
    let html = header::content_type(b"text/html");
    let mut rows: Vec<Row<'_>> = pages
        .into_iter()
        .map(|(name, page, text)| Row {
            name: name.to_owned(),
            octets: page.len(),
            right: words(text),
            peers: vec![
                peer_in_two(
                    "mime-charset",
                    || words(&reading_text(page, &html, Reading::new())),
                    || drop(black_box(reading_text(page, &html, Reading::new()))),
                ),
                peer_in_two(
                    "mail-parser 0.11",
                    || words(&html_to_text(page)),
                    || drop(black_box(html_to_text(page))),
                ),
                #[cfg(rival)]
                peer_in_two(
                    "mail-parser 1.0",
                    || words(&rival::decoders::html::html_to_text(page)),
                    || drop(black_box(rival::decoders::html::html_to_text(page))),
                ),
            ],
        })
        .collect();
    for (name, source, text) in &messages {
        let ours = || Message::parse(source.as_bytes()).preview(100);
        let theirs = || {
            let message = MessageParser::default().parse(source.as_bytes());
            let preview = message
                .as_ref()
                .and_then(|message| message.body_preview(100));
            preview.unwrap_or_default().into_owned()
        };
        #[cfg(rival)]
        let newest = || {
            let message = rival::MessageParser::new().parse(source.as_bytes());
            let preview = message
                .as_ref()
                .and_then(|message| message.body_preview(100));
            preview.unwrap_or_default().into_owned()
        };
        rows.push(Row {
            name: format!("100 characters of a message of 1 MB {name}"),
            octets: 0,
            right: first_words(&words_of(text)),
            peers: vec![
                peer_in_two(
                    "mime-charset",
                    move || first_words(&ours()),
                    move || drop(black_box(ours())),
                ),
                peer_in_two(
                    "mail-parser 0.11",
                    move || first_words(&words_of(&theirs())),
                    move || drop(black_box(theirs())),
                ),
                #[cfg(rival)]
                peer_in_two(
                    "mail-parser 1.0",
                    move || first_words(&words_of(&newest())),
                    move || drop(black_box(newest())),
                ),
            ],
        });
    }
    table(plan, TITLE, rows);
}

/// The fields of a message list: subject, sender, date, preview, number of attachments.
pub fn measure_list(plan: &Plan) {
    const TITLE: &str = "A list of messages: subject, sender, date, preview, attachments";
    if !plan.wants(TITLE) {
        return;
    }
    let mailbox = shaped::mailbox(if plan.is_smoke() { 20 } else { 400 });
    let octets = mailbox.iter().map(|mail| mail.source.len()).sum();
    let subjects: Vec<u8> = mailbox
        .iter()
        .flat_map(|mail| mail.subject.bytes())
        .collect();
    let ours = |mail: &Mail, shown: &mut Vec<u8>| {
        let message = Message::parse(&mail.source);
        let subject = message.subject();
        shown.extend(
            subject
                .as_ref()
                .map_or(&b""[..], |subject| subject.as_str().as_bytes()),
        );
        let from = message.from();
        let attachments = message.bodies().attachments.len();
        let date = message.date().map(|date| date.unix_seconds());
        black_box((from, date, message.preview(100), attachments));
    };
    let theirs = |mail: &Mail, shown: &mut Vec<u8>| {
        let message = MessageParser::default().parse(&mail.source);
        let Some(message) = message.as_ref() else {
            return;
        };
        shown.extend(message.subject().unwrap_or_default().as_bytes());
        let date = message.date().map(mail_parser::DateTime::to_timestamp);
        let preview = message.body_preview(100);
        black_box((message.from(), date, preview, message.attachment_count()));
    };
    #[cfg(rival)]
    let newest = |mail: &Mail, shown: &mut Vec<u8>| {
        let message = rival::MessageParser::new().parse(&mail.source);
        let Some(message) = message.as_ref() else {
            return;
        };
        shown.extend(message.subject().unwrap_or_default().as_bytes());
        let date = message.date().map(|date| date.to_timestamp());
        let preview = message.body_preview(100);
        black_box((message.from(), date, preview, message.attachments().count()));
    };
    let all = |read: &dyn Fn(&Mail, &mut Vec<u8>)| {
        let mut shown = Vec::new();
        for mail in &mailbox {
            read(mail, &mut shown);
        }
        Cow::Owned(shown)
    };
    let row = Row {
        name: "shaped mailbox".to_owned(),
        octets,
        right: Cow::Owned(subjects),
        peers: vec![
            peer("mime-charset", || all(&ours)),
            peer("mail-parser 0.11", || all(&theirs)),
            #[cfg(rival)]
            peer("mail-parser 1.0", || all(&newest)),
        ],
    };
    table(plan, TITLE, vec![row]);
}

/// The first words of a preview: a peer counts octets and appends dots.
fn first_words(preview: &str) -> Cow<'static, [u8]> {
    let first: String = preview.chars().take(60).collect();
    Cow::Owned(first.into_bytes())
}

fn words_of(text: &str) -> String {
    let words: Vec<_> = text.split_whitespace().collect();
    words.join(" ")
}
