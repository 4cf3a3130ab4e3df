//! A mailbox in memory, every message taken apart.

use std::hash::{DefaultHasher, Hasher};
use std::hint::black_box;

use mailparse::MailHeaderMap;
use mime_charset::Message;

use crate::harness::{Peer, Plan, Row, number, peer_in_two, table};
use crate::mail::{Mail, mailbox};

const TITLE: &str = "Mailbox: messages to text";

pub fn measure(plan: &Plan) {
    if !plan.wants(TITLE) {
        return;
    }
    let count = if plan.is_smoke() { 200 } else { 20_000 };
    let mails = mailbox(number("MIME_CHARSET_BENCH_MESSAGES").unwrap_or(count));
    let octets = mails.iter().map(|mail| mail.source.len()).sum();
    let rows = [Want::Texts, Want::Subjects]
        .into_iter()
        .map(|want| {
            let mut right = Digest::default();
            for mail in &mails {
                match want {
                    Want::Texts => mail.texts.iter().for_each(|text| right.see(text)),
                    Want::Subjects => right.see(&mail.subject),
                }
            }
            Row {
                name: format!("{} of {} messages", want.name(), mails.len()),
                octets,
                right: right.0.finish().to_le_bytes().to_vec().into(),
                peers: peers(&mails, want),
            }
        })
        .collect();
    table(plan, TITLE, rows);
}

#[derive(Clone, Copy)]
enum Want {
    Texts,
    Subjects,
}

impl Want {
    fn name(self) -> &'static str {
        match self {
            Want::Texts => "text of every part",
            Want::Subjects => "subject",
        }
    }
}

/// What becomes of each text.
trait Sink {
    fn see(&mut self, text: &str);
}

/// For checking: all that is seen, but for line ends, which libraries keep or normalize.
#[derive(Default)]
struct Digest(DefaultHasher);

impl Sink for Digest {
    fn see(&mut self, text: &str) {
        text.bytes()
            .filter(|octet| !matches!(octet, b'\r' | b'\n'))
            .for_each(|octet| self.0.write_u8(octet));
        self.0.write_u8(0xFF);
    }
}

/// For measuring: nothing, but the text is there.
struct Nothing;

impl Sink for Nothing {
    fn see(&mut self, text: &str) {
        black_box(text);
    }
}

/// Shows a sink what is wanted of one message.
type Read = fn(&[u8], Want, &mut dyn Sink);

fn peers(mails: &[Mail], want: Want) -> Vec<Peer<'_>> {
    let readers: &[(&'static str, Read)] = &[
        ("mime-charset", ours),
        ("mailparse 0.18", mailparse),
        ("mail-parser 0.11", mail_parser),
        #[cfg(rival)]
        ("mail-parser 1.0", rival),
    ];
    readers
        .iter()
        .map(|&(name, read)| {
            let all = move |sink: &mut dyn Sink| {
                for mail in mails {
                    read(&mail.source, want, sink);
                }
            };
            let answer = move || {
                let mut digest = Digest::default();
                all(&mut digest);
                digest.0.finish().to_le_bytes().to_vec().into()
            };
            peer_in_two(name, answer, move || all(&mut Nothing))
        })
        .collect()
}

fn ours(source: &[u8], want: Want, sink: &mut dyn Sink) {
    let message = Message::parse(source);
    match want {
        Want::Texts => message
            .parts()
            .filter(|part| part.is_text())
            .for_each(|part| sink.see(part.text().text())),
        Want::Subjects => {
            let field = message.field("Subject").expect("a subject");
            sink.see(field.text().text());
        }
    }
}

fn mailparse(source: &[u8], want: Want, sink: &mut dyn Sink) {
    let message = mailparse::parse_mail(source).expect("a message");
    match want {
        Want::Texts => message
            .parts()
            .filter(|part| part.ctype.mimetype.starts_with("text/"))
            .for_each(|part| sink.see(&part.get_body().unwrap_or_default())),
        Want::Subjects => {
            sink.see(
                &message
                    .headers
                    .get_first_value("Subject")
                    .unwrap_or_default(),
            );
        }
    }
}

fn mail_parser(source: &[u8], want: Want, sink: &mut dyn Sink) {
    use mail_parser::{MessageParser, PartType};

    let message = MessageParser::default().parse(source).expect("a message");
    match want {
        Want::Texts => message.parts.iter().for_each(|part| {
            if let PartType::Text(text) | PartType::Html(text) = &part.body {
                sink.see(text);
            }
        }),
        Want::Subjects => sink.see(message.subject().unwrap_or_default()),
    }
}

#[cfg(rival)]
fn rival(source: &[u8], want: Want, sink: &mut dyn Sink) {
    let parser = rival::MessageParser::new();
    let message = parser.parse(source).expect("a message");
    match want {
        Want::Texts => message
            .parts()
            .filter(rival::MessagePart::is_text)
            .for_each(|part| sink.see(&part.text().unwrap_or_default())),
        Want::Subjects => sink.see(message.subject().unwrap_or_default()),
    }
}
