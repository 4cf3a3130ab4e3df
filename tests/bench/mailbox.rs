//! A mailbox in memory, with every message parsed.

use std::borrow::Cow;
use std::cell::RefCell;
use std::fs;
use std::hash::{DefaultHasher, Hasher};
use std::hint::black_box;
use std::io::{self, BufRead, BufReader, Read as _, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::rc::Rc;
use std::sync::LazyLock;

use mailparse::MailHeaderMap;
use memchr::{memchr, memmem};
use mime_charset::{Message, Options};

use crate::harness::{Peer, Plan, Row, number, peer_in_two, table, yardstick};
use crate::mail::{Mail, mailbox, with_attachment};
use crate::shaped;
use crate::system::Gmime;

const TITLE: &str = "Mailbox: messages to text";
const FOLDER: &str = "Mailbox: a folder of messages, answers not checked";
const GROWTH: &str = "Mailbox: one message that grows";
const LONG: &str = "Mailbox: one message with a long attachment";
const OUTSIDE: &str = "Mailbox: beside GMime and Python";

pub fn measure(plan: &Plan) {
    if !plan.wants(TITLE) {
        return;
    }
    let count = if plan.is_smoke() { 200 } else { 20_000 };
    let mails = mailbox(number("MIME_CHARSET_BENCH_MESSAGES").unwrap_or(count));
    let shaped = shaped::mailbox(mails.len());
    let row = |want: Want, peers| Row {
        name: format!("{} of {} messages", want.name(), mails.len()),
        octets: mails.iter().map(|mail| mail.source.len()).sum(),
        right: right(&mails, want),
        peers,
    };
    let mut rows: Vec<_> = [Want::All, Want::Texts, Want::Subjects, Want::Structure]
        .into_iter()
        .map(|want| row(want, peers(&mails, want)))
        .collect();
    let mut one_and_two = peers_in_two_threads(&mails);
    let on_one = yardstick("mime-charset on one core", || {
        all(&mails, ours, Want::All, &mut Nothing);
    });
    one_and_two.push(on_one.by_the_wall());
    let (name, count) = (Want::All.name(), mails.len());
    rows.push(Row {
        name: format!("{name} of {count} messages, two cores"),
        ..row(Want::All, one_and_two)
    });
    let mut decisions: Vec<_> = [
        ("mime-charset", ours as Read),
        ("mime-charset, with the evidence", ours_with_evidence),
    ]
    .map(|(name, read)| peer_of(name, read, &mails, Want::Decisions))
    .into();
    decisions.push(yardstick("mime-charset, all to text", || {
        all(&mails, ours, Want::All, &mut Nothing);
    }));
    rows.push(row(Want::Decisions, decisions));
    rows.push(Row {
        name: format!("{name} of {count} messages, shaped like real mail"),
        octets: shaped.iter().map(|mail| mail.source.len()).sum(),
        right: right(&shaped, Want::All),
        peers: peers(&shaped, Want::All),
    });
    table(plan, TITLE, rows);
}

/// The user's own messages: each file below the folder named in the environment, read into memory
/// first. Their right text is unknown, so answers are not checked.
pub fn measure_folder(plan: &Plan) -> io::Result<()> {
    let Some(folder) = std::env::var_os("MIME_CHARSET_BENCH_MAIL") else {
        return Ok(());
    };
    if !plan.wants(FOLDER) {
        return Ok(());
    }
    let mut sources = Vec::new();
    read_below(Path::new(&folder), &mut sources)?;
    let peer = |(name, read): (&'static str, Read)| {
        let sources = &sources;
        let work = move || {
            for source in sources {
                read(source, Want::All, &mut Nothing);
            }
        };
        let unchecked = move || {
            work();
            Cow::Borrowed(b"".as_slice())
        };
        peer_in_two(name, unchecked, work)
    };
    let row = Row {
        name: format!("{} of {} messages", Want::All.name(), sources.len()),
        octets: sources.iter().map(Vec::len).sum(),
        right: Cow::Borrowed(b""),
        peers: readers(Want::All).into_iter().map(peer).collect(),
    };
    table(plan, FOLDER, vec![row]);
    Ok(())
}

fn read_below(folder: &Path, sources: &mut Vec<Vec<u8>>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            read_below(&path, sources)?;
        } else {
            sources.push(fs::read(path)?);
        }
    }
    Ok(())
}

/// The same task by libraries in other languages, if installed.
pub fn measure_outside(plan: &Plan) {
    if !plan.wants(OUTSIDE) {
        return;
    }
    let mails = mailbox(if plan.is_smoke() { 20 } else { 400 });
    let (gmime, python) = (Gmime::load(), Python::start(&mails));
    let mut peers = vec![peer_of("mime-charset", ours, &mails, Want::All)];
    if let Some(gmime) = &gmime {
        let answer = || {
            let mut digest = Digest::default();
            for mail in &mails {
                gmime.read(&mail.source, &mut |octets| digest.octets(octets));
            }
            digest.0.finish().to_le_bytes().to_vec().into()
        };
        peers.push(peer_in_two("GMime 3", answer, || {
            for mail in &mails {
                gmime.read(&mail.source, &mut |octets| {
                    black_box(octets);
                });
            }
        }));
    }
    if let Some(python) = python {
        let python = Rc::new(RefCell::new(python));
        let asked = Rc::clone(&python);
        let answer = move || {
            let mut digest = Digest::default();
            let mut show = |text: &[u8]| digest.octets(text);
            // On any failure the answer is wrong.
            let _ = asked.borrow_mut().ask("answer", &mut show);
            digest.0.finish().to_le_bytes().to_vec().into()
        };
        let work = move || {
            let _ = python.borrow_mut().ask("again", &mut |_| {});
        };
        peers.push(peer_in_two("Python's email", answer, work).by_the_wall());
    }
    let row = Row {
        name: format!("{} of {} messages", Want::All.name(), mails.len()),
        octets: mails.iter().map(|mail| mail.source.len()).sum(),
        right: right(&mails, Want::All),
        peers,
    };
    table(plan, OUTSIDE, vec![row]);
}

/// A Python process that holds the messages and waits for commands.
struct Python {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
}

impl Python {
    fn start(mails: &[Mail]) -> Option<Python> {
        let mut child = Command::new("python3")
            .args(["-c", include_str!("outside.py")])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .ok()?;
        let (mut to, from) = (child.stdin.take()?, child.stdout.take()?);
        writeln!(to, "{}", mails.len()).ok()?;
        for mail in mails {
            writeln!(to, "{}", mail.source.len()).ok()?;
            to.write_all(&mail.source).ok()?;
        }
        to.flush().ok()?;
        let from = BufReader::new(from);
        Some(Python { child, to, from })
    }

    fn ask(&mut self, command: &str, show: &mut dyn FnMut(&[u8])) -> io::Result<()> {
        writeln!(self.to, "{command}")?;
        self.to.flush()?;
        let mut line = String::new();
        loop {
            line.clear();
            let read = self.from.read_line(&mut line)?;
            let Ok(length) = line.trim_end().parse() else {
                // A line that is not a number ends the answer; end of file means the process ended.
                return (read > 0)
                    .then_some(())
                    .ok_or(io::ErrorKind::UnexpectedEof.into());
            };
            let mut text = vec![0; length];
            self.from.read_exact(&mut text)?;
            show(&text);
        }
    }
}

impl Drop for Python {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The same task on messages of one, two, four and eight times the size: one message forwards all
/// messages of a mailbox.
pub fn measure_growth(plan: &Plan) {
    if !plan.wants(GROWTH) {
        return;
    }
    let count = if plan.is_smoke() { 20 } else { 400 };
    let all: Vec<Mail> = mailbox(8 * count);
    let digests: Vec<_> = [1, 2, 4, 8]
        .map(|times| (times, digest(&all[..times * count])))
        .into();
    let mut rows = Vec::new();
    for want in [Want::Texts, Want::Structure, Want::Decisions] {
        for (times, mail) in &digests {
            let mails = std::slice::from_ref(mail);
            rows.push(Row {
                name: format!("{}, {times} times {count} messages", want.name()),
                octets: mail.source.len(),
                right: right(mails, want),
                peers: vec![peer_of("mime-charset", ours, mails, want)],
            });
        }
    }
    table(plan, GROWTH, rows);
}

/// The visible text of a message whose attachment is not requested.
pub fn measure_long(plan: &Plan) {
    if !plan.wants(LONG) {
        return;
    }
    let length = if plan.is_smoke() { 250_000 } else { 25_000_000 };
    let mail = with_attachment(length);
    let mails = std::slice::from_ref(&mail);
    let row = Row {
        name: format!("{} of a message of {length} octets", Want::All.name()),
        octets: 0,
        right: right(mails, Want::All),
        peers: peers(mails, Want::All),
    };
    table(plan, LONG, vec![row]);
}

/// One message that forwards all of `mails` (RFC 2046, section 5.1.5).
fn digest(mails: &[Mail]) -> Mail {
    let header = "Subject: Digest\r\nFrom: a <a@b>\r\nTo: c <c@d>\r\n\
                  Content-Type: multipart/digest; boundary=\"=_digest\"\r\n\r\n";
    let mut source = header.as_bytes().to_vec();
    for mail in mails {
        source.extend_from_slice(b"--=_digest\r\n\r\n");
        source.extend_from_slice(&mail.source);
        source.extend_from_slice(b"\r\n");
    }
    source.extend_from_slice(b"--=_digest--\r\n");
    Mail {
        source,
        subject: "Digest".into(),
        from: "a <a@b>".into(),
        to: "c <c@d>".into(),
        texts: mails.iter().flat_map(|mail| mail.texts.clone()).collect(),
        charsets: mails.iter().flat_map(|m| m.charsets.clone()).collect(),
        is_labelled: true,
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Want {
    All,
    Texts,
    Subjects,
    Structure,
    Decisions,
}

impl Want {
    fn name(self) -> &'static str {
        match self {
            Want::All => "Subject, From, To and all text",
            Want::Texts => "text of every part",
            Want::Subjects => "Subject",
            Want::Structure => "fields and parts as they stand",
            Want::Decisions => "the charset of every text",
        }
    }
}

/// The expected answer, for messages with correct labels.
fn right(mails: &[Mail], want: Want) -> Cow<'static, [u8]> {
    let mut right = Digest::default();
    for mail in mails.iter().filter(|mail| mail.is_labelled) {
        match want {
            Want::All => {
                right.text(&mail.subject);
                right.text(&mail.from);
                right.text(&mail.to);
                mail.texts.iter().for_each(|text| right.text(text));
            }
            Want::Texts => mail.texts.iter().for_each(|text| right.text(text)),
            Want::Subjects => right.text(&mail.subject),
            Want::Structure => split(&mail.source, &mut right),
            Want::Decisions => mail.charsets.iter().for_each(|name| right.text(name)),
        }
    }
    right.0.finish().to_le_bytes().to_vec().into()
}

/// The fields and parts of a generated message, split in the most obvious way.
fn split(source: &[u8], right: &mut Digest) {
    let end = memmem::find(source, b"\r\n\r\n").expect("a blank line");
    let (header, body) = (&source[..end], &source[end + 4..]);
    let unfolded = String::from_utf8(header.to_vec()).expect("ASCII");
    let joined = |fold: char| format!("\u{0}{fold}");
    let marked = unfolded
        .replace("\r\n ", &joined(' '))
        .replace("\r\n\t", &joined('\t'));
    let mut boundary = None;
    let mut in_digest = false;
    for line in marked.split("\r\n").filter(|line| !line.is_empty()) {
        let (name, value) = line.split_once(':').expect("a field");
        let value = value.replace('\u{0}', "\r\n");
        right.field(name.as_bytes(), value.as_bytes());
        if let Some((before, quoted)) = value.split_once("boundary=\"") {
            boundary = quoted.strip_suffix('"').map(str::to_owned);
            in_digest = before.contains("digest");
        }
    }
    let Some(boundary) = boundary else {
        right.body(body);
        return;
    };
    let delimiter = format!("\r\n--{boundary}");
    let body = [b"\r\n", body].concat();
    let at: Vec<_> = memmem::find_iter(&body, &delimiter).collect();
    for pair in at.windows(2) {
        let part = &body[pair[0] + delimiter.len() + 2..pair[1]];
        if in_digest {
            right.body(&part[2..]);
            split(&part[2..], right);
        } else {
            split(part, right);
        }
    }
}

/// Receives the results of a reader.
trait Sink {
    fn text(&mut self, text: &str);
    fn mailbox(&mut self, name: &str, address: &str);
    fn field(&mut self, name: &[u8], value: &[u8]);
    fn body(&mut self, body: &[u8]);
}

/// For checking: hashes all results, except line endings, which libraries keep or normalize, and
/// blanks around values and bodies.
#[derive(Default)]
struct Digest(DefaultHasher);

impl Digest {
    fn octets(&mut self, octets: &[u8]) {
        octets
            .trim_ascii()
            .iter()
            .filter(|octet| !matches!(octet, b'\r' | b'\n'))
            .for_each(|octet| self.0.write_u8(*octet));
        self.0.write_u8(0xFF);
    }
}

impl Sink for Digest {
    fn text(&mut self, text: &str) {
        self.octets(text.as_bytes());
    }

    fn mailbox(&mut self, name: &str, address: &str) {
        self.octets(format!("{name} <{address}>").as_bytes());
    }

    fn field(&mut self, name: &[u8], value: &[u8]) {
        self.octets(name);
        self.octets(value);
    }

    fn body(&mut self, body: &[u8]) {
        self.octets(body);
    }
}

/// For measuring: discards the results.
struct Nothing;

impl Sink for Nothing {
    fn text(&mut self, text: &str) {
        black_box(text);
    }

    fn mailbox(&mut self, name: &str, address: &str) {
        black_box((name, address));
    }

    fn field(&mut self, name: &[u8], value: &[u8]) {
        black_box((name, value));
    }

    fn body(&mut self, body: &[u8]) {
        black_box(body);
    }
}

/// Passes the requested content of one message to a sink.
type Read = fn(&[u8], Want, &mut dyn Sink);

const READERS: &[(&str, Read)] = &[
    ("mime-charset", ours),
    ("mailparse 0.18", mailparse),
    ("mail-parser 0.11", mail_parser),
    #[cfg(rival)]
    ("mail-parser 1.0", rival),
    #[cfg(rival)]
    ("mail-parser 1.0, told what is wanted", rival_tuned),
];

/// The readers above, with variants of ours and of mail-parser that make a difference.
fn readers(want: Want) -> Vec<(&'static str, Read)> {
    let mut readers = READERS.to_vec();
    if matches!(want, Want::All | Want::Texts) {
        readers.insert(1, ("mime-charset, buffers kept", ours_kept));
        #[cfg(rival)]
        readers.push(("mail-parser 1.0 with chardetng", rival_that_guesses));
    }
    readers
}

fn all(mails: &[Mail], read: Read, want: Want, sink: &mut dyn Sink) {
    for mail in mails {
        read(&mail.source, want, sink);
    }
}

fn peers(mails: &[Mail], want: Want) -> Vec<Peer<'_>> {
    let mut peers: Vec<_> = readers(want)
        .into_iter()
        .map(|(name, read)| peer_of(name, read, mails, want))
        .collect();
    if want == Want::Structure {
        peers.push(yardstick(
            "a scan for line ends and delimiters",
            move || {
                for mail in mails {
                    black_box(scan(&mail.source));
                }
            },
        ));
    }
    peers
}

fn peer_of<'m>(name: &'static str, read: Read, mails: &'m [Mail], want: Want) -> Peer<'m> {
    let answer = move || {
        let mut digest = Digest::default();
        for mail in mails.iter().filter(|mail| mail.is_labelled) {
            read(&mail.source, want, &mut digest);
        }
        digest.0.finish().to_le_bytes().to_vec().into()
    };
    peer_in_two(name, answer, move || all(mails, read, want, &mut Nothing))
}

/// The same readers, with two threads for half of the messages each.
fn peers_in_two_threads(mails: &[Mail]) -> Vec<Peer<'_>> {
    let (first, second) = mails.split_at(mails.len() / 2);
    readers(Want::All)
        .into_iter()
        .map(|(name, read)| {
            let alone = peer_of(name, read, mails, Want::All);
            let both = move || {
                std::thread::scope(|scope| {
                    scope.spawn(|| all(first, read, Want::All, &mut Nothing));
                    all(second, read, Want::All, &mut Nothing);
                });
            };
            alone.with_work(both).by_the_wall()
        })
        .collect()
}

/// The minimum for any reader: finds each line ending of the header, and each delimiter of the
/// body.
fn scan(source: &[u8]) -> usize {
    static DELIMITER: LazyLock<memmem::Finder<'static>> =
        LazyLock::new(|| memmem::Finder::new(b"\n--"));
    let (mut at, mut lines) = (0, 0);
    while let Some(length) = memchr(b'\n', &source[at..]) {
        at += length + 1;
        lines += 1;
        if length <= 1 {
            break;
        }
    }
    lines + DELIMITER.find_iter(&source[at..]).count()
}

fn ours(source: &[u8], want: Want, sink: &mut dyn Sink) {
    let message = Message::parse(source);
    let mut field = |name: &str| {
        if let Some(field) = message.field(name) {
            sink.text(field.text().as_str());
        }
    };
    match want {
        Want::Subjects => field("Subject"),
        Want::All => ["Subject", "From", "To"].into_iter().for_each(field),
        _ => {}
    }
    match want {
        Want::All | Want::Texts => message
            .parts()
            .filter(|part| part.is_text())
            .for_each(|part| sink.text(part.text().as_str())),
        Want::Structure => {
            for entity in message.entities() {
                entity
                    .fields()
                    .for_each(|field| sink.field(field.name(), field.body()));
                if !entity.is_multipart() {
                    sink.body(entity.body());
                }
            }
        }
        Want::Decisions => message
            .parts()
            .filter(|part| part.is_text())
            .for_each(|part| sink.text(part.charset(&Options::new()).name())),
        Want::Subjects => {}
    }
}

/// The same with buffers reused for the next part.
fn ours_kept(source: &[u8], want: Want, sink: &mut dyn Sink) {
    use std::cell::RefCell;

    thread_local! {
        static KEPT: RefCell<(Vec<u8>, String)> = RefCell::default();
    }
    let message = Message::parse(source);
    if want == Want::All {
        for name in ["Subject", "From", "To"] {
            if let Some(field) = message.field(name) {
                sink.text(field.text().as_str());
            }
        }
    }
    KEPT.with_borrow_mut(|(octets, text)| {
        message
            .parts()
            .filter(|part| part.is_text())
            .for_each(|part| sink.text(part.text_into(&Options::new(), octets, text).as_str()));
    });
}

/// Decisions for display, with all evidence.
fn ours_with_evidence(source: &[u8], _: Want, sink: &mut dyn Sink) {
    Message::parse(source)
        .parts()
        .filter(|part| part.is_text())
        .for_each(|part| sink.text(part.decide(&Options::new()).charset.name()));
}

fn mailparse(source: &[u8], want: Want, sink: &mut dyn Sink) {
    let Ok(message) = mailparse::parse_mail(source) else {
        return;
    };
    let mut field = |name: &str| {
        let value = message.headers.get_first_value(name);
        sink.text(&value.unwrap_or_default());
    };
    match want {
        Want::Subjects => field("Subject"),
        Want::All => ["Subject", "From", "To"].into_iter().for_each(field),
        _ => {}
    }
    match want {
        Want::All | Want::Texts => message
            .parts()
            .filter(|part| part.ctype.mimetype.starts_with("text/"))
            .for_each(|part| sink.text(&part.get_body().unwrap_or_default())),
        Want::Structure => {
            for part in message.parts() {
                for field in &part.headers {
                    sink.field(field.get_key_raw(), field.get_value_raw());
                }
                if part.subparts.is_empty() {
                    use mailparse::body::Body;
                    sink.body(match part.get_body_encoded() {
                        Body::Base64(body) | Body::QuotedPrintable(body) => body.get_raw(),
                        Body::SevenBit(body) | Body::EightBit(body) => body.get_raw(),
                        Body::Binary(body) => body.get_raw(),
                    });
                }
            }
        }
        _ => {}
    }
}

fn mail_parser(source: &[u8], want: Want, sink: &mut dyn Sink) {
    use mail_parser::{MessageParser, PartType};

    let Some(message) = MessageParser::default().parse(source) else {
        return;
    };
    if matches!(want, Want::Subjects | Want::All) {
        sink.text(message.subject().unwrap_or_default());
    }
    if want == Want::All {
        for addresses in [message.from(), message.to()].into_iter().flatten() {
            for address in addresses.iter() {
                let name = address.name().unwrap_or_default();
                sink.mailbox(name, address.address().unwrap_or_default());
            }
        }
    }
    let raw = |from: u32, to: u32| &source[from as usize..to as usize];
    for part in &message.parts {
        match (want, &part.body) {
            (Want::All | Want::Texts, PartType::Text(text) | PartType::Html(text)) => {
                sink.text(text);
            }
            (Want::Structure, body) => {
                for field in &part.headers {
                    let name = raw(field.offset_field, field.offset_start);
                    let name = name.trim_ascii_end().strip_suffix(b":").unwrap_or(name);
                    sink.field(name, raw(field.offset_start, field.offset_end));
                }
                if !matches!(body, PartType::Multipart(_)) {
                    sink.body(raw(part.offset_body, part.offset_end));
                }
            }
            _ => {}
        }
    }
}

#[cfg(rival)]
fn rival(source: &[u8], want: Want, sink: &mut dyn Sink) {
    rival_with(source, want, sink, |part, sink| {
        sink.text(&part.text().unwrap_or_default());
    });
}

#[cfg(rival)]
fn rival_with(
    source: &[u8],
    want: Want,
    sink: &mut dyn Sink,
    text: impl FnMut(&rival::MessagePart<'_>, &mut dyn Sink),
) {
    let parser = rival::MessageParser::new();
    let Some(message) = parser.parse(source) else {
        return;
    };
    if matches!(want, Want::Subjects | Want::All) {
        sink.text(message.subject().unwrap_or_default());
    }
    if want == Want::All {
        for addresses in [message.from(), message.to()].into_iter().flatten() {
            for mailbox in addresses.mailboxes() {
                let name = mailbox.name().unwrap_or_default();
                sink.mailbox(name, mailbox.address().unwrap_or_default());
            }
        }
    }
    rival_parts(&message, want, sink, text);
}

/// The same, with chardetng guessing the charset of texts without a label or with octets above 7F
/// under US-ASCII, like we do.
#[cfg(rival)]
fn rival_that_guesses(source: &[u8], want: Want, sink: &mut dyn Sink) {
    use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};

    rival_with(source, want, sink, |part, sink| {
        let content_type = part.content_type();
        let label = content_type.as_ref().and_then(|it| it.attribute("charset"));
        if label.is_some_and(|label| !label.eq_ignore_ascii_case("us-ascii")) {
            return sink.text(&part.text().unwrap_or_default());
        }
        let octets = part.decoded();
        if octets.is_ascii() {
            return sink.text(&part.text().unwrap_or_default());
        }
        let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
        detector.feed(&octets, true);
        let encoding = detector.guess(None, Utf8Detection::Allow);
        sink.text(&encoding.decode_without_bom_handling(&octets).0);
    });
}

#[cfg(rival)]
fn rival_parts(
    message: &rival::Message<'_>,
    want: Want,
    sink: &mut dyn Sink,
    mut text: impl FnMut(&rival::MessagePart<'_>, &mut dyn Sink),
) {
    for part in message.parts() {
        match want {
            Want::All | Want::Texts if part.is_text() => text(&part, sink),
            Want::Structure => {
                for field in part.headers().iter() {
                    sink.field(field.raw_name().as_bytes(), field.raw_value());
                }
                if !part.is_multipart() {
                    sink.body(part.raw_body());
                }
            }
            _ => {}
        }
    }
}

/// The same library at its best: it reuses buffers between messages, ignores unneeded fields, and
/// returns From and To as text, like we do.
#[cfg(rival)]
fn rival_tuned(source: &[u8], want: Want, sink: &mut dyn Sink) {
    use std::cell::RefCell;

    use rival::{HeaderForm, HeaderName, MessageBuffers, MessageParser};

    const WANTED: [HeaderName<'static>; 3] =
        [HeaderName::Subject, HeaderName::From, HeaderName::To];
    static PARSER: LazyLock<MessageParser> = LazyLock::new(|| {
        let parser = MessageParser::new().unknown_headers(HeaderForm::Ignore);
        let ignored = [
            HeaderName::Received,
            HeaderName::DkimSignature,
            HeaderName::Date,
            HeaderName::MessageId,
            HeaderName::MimeVersion,
            HeaderName::XMailer,
        ];
        let parser = ignored.into_iter().fold(parser, |parser, name| {
            parser.header(name, HeaderForm::Ignore)
        });
        WANTED
            .into_iter()
            .fold(parser, |parser, name| parser.header(name, HeaderForm::Text))
    });
    static STRUCTURE: LazyLock<MessageParser> = LazyLock::new(|| {
        WANTED.into_iter().fold(PARSER.clone(), |parser, name| {
            parser.header(name, HeaderForm::Ignore)
        })
    });
    thread_local! {
        static KEPT: RefCell<(Option<MessageBuffers>, String)> = RefCell::default();
    }
    KEPT.with_borrow_mut(|(buffers, room)| {
        let mut kept = buffers.take().unwrap_or_default();
        let parser = match want {
            Want::Structure | Want::Texts => &STRUCTURE,
            _ => &PARSER,
        };
        let Some(message) = parser.parse_with(source, &mut kept) else {
            return;
        };
        let wanted: &[_] = match want {
            Want::All => &WANTED,
            Want::Subjects => &WANTED[..1],
            _ => &[],
        };
        for name in wanted {
            let value = message.headers().value(name.clone());
            sink.text(value.and_then(|value| value.as_text()).unwrap_or_default());
        }
        rival_parts(&message, want, sink, |part, sink| {
            room.clear();
            part.text_into(room);
            sink.text(room);
        });
        *buffers = Some(message.into_buffers());
    });
}
