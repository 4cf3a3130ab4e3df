//! Ways of reading mail, each through one public entry.

use std::io::Read;

use mime_charset::charset::{self, Decoder};
use mime_charset::convert::{self, convert, verify};
use mime_charset::decode::{self, Reading, addresses};
use mime_charset::header::{self, Syntax, encode};
use mime_charset::{Charset, Label, Message, Options, detect};
use mime_charset_archive::mbox;

use crate::shapes::Place;

/// One way of reading.
pub(crate) struct Way {
    pub(crate) name: &'static str,
    of: Of,
    /// Embeds a shape in the input.
    pub(crate) dress: fn(Place, &[u8]) -> Vec<u8>,
    /// Reads the input; the result keeps the compiler from removing the work.
    pub(crate) read: fn(&[u8], &'static str) -> usize,
}

/// The inputs of a way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Of {
    Fields,
    /// Messages, and octets as the body of one.
    Messages,
    Octets,
    Labels,
    Pages,
}

impl Way {
    /// The way of reading plain text as reference for this one.
    pub(crate) fn peer(&self) -> &'static str {
        if self.name == "written as fields" {
            self.name
        } else if self.of == Of::Pages {
            "reading text"
        } else if self.name.ends_with("convert and verify") {
            "convert and verify"
        } else {
            "walk and text"
        }
    }

    pub(crate) fn fits(&self, place: Place) -> bool {
        matches!(
            (self.of, place),
            (Of::Fields, Place::Field)
                | (Of::Messages, Place::Message | Place::Octets(_))
                | (Of::Octets, Place::Octets(_))
                | (Of::Labels, Place::Label)
                | (Of::Pages, Place::Page)
        )
    }
}

impl Place {
    pub(crate) fn label(self) -> &'static str {
        match self {
            Place::Octets(label) => label,
            _ => "utf-8",
        }
    }
}

/// All ways.
pub(crate) const WAYS: &[Way] = &[
    Way::new("walk and text", Of::Messages, message, |mail, _| walk(mail)),
    Way::new("convert and verify", Of::Messages, message, |mail, _| {
        converted(mail)
    }),
    Way::new("detect", Of::Messages, bare, |mail, _| {
        usize::from(detect::detect(mail).confidence)
    }),
    Way::new("mailbox", Of::Messages, mailbox, |mail, _| {
        read_mailbox(mail)
    }),
    Way::new("octets to text", Of::Octets, bare, |mail, label| {
        Charset::for_label(label).map_or(0, |charset| charset.decode(mail).as_str().len())
    }),
    Way::new(
        "octets to text, in pieces of 7",
        Of::Octets,
        bare,
        |mail, label| {
            // Pieces of 7 split characters of every length.
            pieces(mail, label, 7)
        },
    ),
    Way::new(
        "octets to text, in pieces of 4096",
        Of::Octets,
        bare,
        |mail, label| pieces(mail, label, 4096),
    ),
    Way::new("text", Of::Fields, bare, |mail, _| {
        text(mail, Syntax::Unstructured)
    }),
    Way::new("addresses", Of::Fields, bare, |mail, _| {
        let list = addresses(mail);
        list.mailboxes()
            .map(|mailbox| mailbox.name.as_str().len())
            .sum()
    }),
    Way::new("text of addresses", Of::Fields, bare, |mail, _| {
        text(mail, Syntax::Addresses)
    }),
    Way::new("phrases", Of::Fields, bare, |mail, _| {
        text(mail, Syntax::Phrases)
    }),
    Way::new("comments", Of::Fields, bare, |mail, _| {
        text(mail, Syntax::Opaque)
    }),
    Way::new("dates", Of::Fields, bare, |mail, _| {
        header::date(mail).map_or(0, |date| usize::from(date.year))
    }),
    Way::new("parameters", Of::Fields, bare, |mail, _| {
        let field = header::content_type(mail);
        let read = |parameter: &header::Parameter<'_>| parameter.text().as_str().len();
        let disposition = header::content_disposition(mail);
        let encoding = header::content_transfer_encoding(mail);
        field.parameters().iter().map(read).sum::<usize>()
            + disposition.parameters().iter().map(read).sum::<usize>()
            + encoding.label().len()
            + text(mail, Syntax::Parameters)
    }),
    Way::new("Subject, walk", Of::Fields, subject, |mail, _| walk(mail)),
    Way::new("From, walk", Of::Fields, from, |mail, _| walk(mail)),
    Way::new("Received", Of::Fields, received, |mail, _| {
        let date = Message::parse(mail).received_date();
        date.map_or(0, |date| usize::from(date.year))
    }),
    Way::new("Content-Type, walk", Of::Fields, content_type, |mail, _| {
        walk(mail)
    }),
    Way::new(
        "Subject, convert and verify",
        Of::Fields,
        subject,
        |mail, _| converted(mail),
    ),
    Way::new("From, convert and verify", Of::Fields, from, |mail, _| {
        converted(mail)
    }),
    Way::new(
        "Content-Type, convert and verify",
        Of::Fields,
        content_type,
        |mail, _| converted(mail),
    ),
    Way::new("written as fields", Of::Fields, lossy, |mail, _| {
        let text = str::from_utf8(mail).unwrap_or_default();
        let mut length = encode::unstructured(text, 9).len();
        length += encode::phrase(text, 6).len();
        length += encode::comment(text, 6).len();
        length += encode::parameter("name", text, 14).map_or(0, |written| written.len());
        length
    }),
    Way::new("label", Of::Labels, bare, |mail, _| {
        let resolved = charset::resolve(&Label::new(mail));
        resolved.detail().len() + resolved.undone.as_str().len()
    }),
    Way::new(
        "charset parameter",
        Of::Labels,
        charset_parameter,
        |mail, _| walk(mail),
    ),
    Way::new("charset of a document", Of::Labels, document, |mail, _| {
        walk(mail)
    }),
    Way::new("reading text", Of::Pages, page, |mail, _| {
        let message = Message::parse(mail);
        let reading = Reading::new().title(true).links(true).quotes(true);
        let text = message.root().reading_text_with(&Options::new(), reading);
        text.as_str().len()
    }),
    Way::new("preview", Of::Pages, page, |mail, _| {
        Message::parse(mail).preview(100).len()
    }),
];

impl Way {
    const fn new(
        name: &'static str,
        of: Of,
        dress: fn(Place, &[u8]) -> Vec<u8>,
        read: fn(&[u8], &'static str) -> usize,
    ) -> Way {
        Way {
            name,
            of,
            dress,
            read,
        }
    }
}

fn bare(_: Place, shape: &[u8]) -> Vec<u8> {
    shape.to_vec()
}

fn page(_: Place, shape: &[u8]) -> Vec<u8> {
    let header = b"Content-Type: text/html; charset=utf-8\n\n";
    [header, shape].concat()
}

fn lossy(_: Place, shape: &[u8]) -> Vec<u8> {
    String::from_utf8_lossy(shape).into_owned().into_bytes()
}

fn message(place: Place, shape: &[u8]) -> Vec<u8> {
    match place {
        Place::Octets(label) => {
            let header = format!(
                "Content-Type: text/plain; charset={label}\nContent-Transfer-Encoding: binary\n\n"
            );
            around(&header, shape, "")
        }
        _ => shape.to_vec(),
    }
}

fn mailbox(place: Place, shape: &[u8]) -> Vec<u8> {
    around(
        "From a@b Sat Jan  3 01:05:34 1996\n",
        &message(place, shape),
        "",
    )
}

fn around(start: &str, shape: &[u8], end: &str) -> Vec<u8> {
    [start.as_bytes(), shape, end.as_bytes()].concat()
}

fn subject(_: Place, shape: &[u8]) -> Vec<u8> {
    around("Subject: ", shape, "\n\ntext\n")
}

fn from(_: Place, shape: &[u8]) -> Vec<u8> {
    around("From: ", shape, "\n\ntext\n")
}

fn received(_: Place, shape: &[u8]) -> Vec<u8> {
    around("Received: ", shape, "\n\ntext\n")
}

fn content_type(_: Place, shape: &[u8]) -> Vec<u8> {
    around("Content-Type: ", shape, "\n\ntext \u{e9}\n")
}

fn charset_parameter(_: Place, shape: &[u8]) -> Vec<u8> {
    around(
        "Content-Type: text/plain; charset=\"",
        shape,
        "\"\n\ntext \u{e9}\n",
    )
}

fn document(_: Place, shape: &[u8]) -> Vec<u8> {
    around(
        "Content-Type: text/html\n\n<meta charset=\"",
        shape,
        "\">\u{e9}\n",
    )
}

/// Reads all content of a message.
fn walk(octets: &[u8]) -> usize {
    let options = Options::new();
    let message = Message::parse(octets);
    let mut length = message.report().findings().len();
    for entity in message.entities() {
        length += entity.section().len() + entity.mime_header().report().findings().len();
        for field in entity.fields() {
            length += field.text().as_str().len();
        }
    }
    for part in message.parts() {
        length += part
            .filename_with(&options)
            .map_or(0, |name| name.as_str().len());
        length += if part.is_text() {
            let text = part.text();
            text.as_str().len() + part.uuencoded(text.as_str()).len()
        } else {
            part.octets().as_bytes().len()
        };
    }
    length
}

fn converted(octets: &[u8]) -> usize {
    let options = convert::Conversion::new();
    let converted = convert(octets, &options);
    let proof = verify(octets, converted.as_bytes(), &converted.changes, &options);
    let proof = proof.expect("a conversion that holds");
    converted.as_bytes().len() + proof.fields
}

fn text(octets: &[u8], syntax: Syntax) -> usize {
    decode::field(octets, syntax, &Options::new())
        .as_str()
        .len()
}

fn pieces(octets: &[u8], label: &'static str, size: usize) -> usize {
    let Some(charset) = Charset::for_label(label) else {
        return 0;
    };
    let mut decoder = Decoder::new(charset);
    let pushed = octets.chunks(size).map(|piece| decoder.push(piece).len());
    let length = pushed.sum::<usize>();
    length + decoder.finish().as_str().len()
}

/// At once, and in pieces.
fn read_mailbox(octets: &[u8]) -> usize {
    mbox::read(octets)
        .chain(mbox::read(Short(octets)))
        .map(|stored| stored.map_or(1, |stored| stored.message().len()))
        .sum()
}

struct Short<'o>(&'o [u8]);

impl Read for Short<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let length = buffer.len().min(4096);
        self.0.read(&mut buffer[..length])
    }
}
