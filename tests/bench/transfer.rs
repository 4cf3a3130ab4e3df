//! Decoding of transfer encodings.

use mime_charset::transfer;

use crate::harness::{Peer, Plan, Row, peer, table};
use crate::text::{self, Random};

const TITLE: &str = "Transfer encodings: octets of the body";
const GROWTH: &str = "Transfer encodings: one body that grows";

pub fn measure(plan: &Plan) {
    if !plan.wants(TITLE) {
        return;
    }
    let syllables = text::syllables();
    let texts = [
        ("1 % accented", text::latin(&mut Random(1), 64 << 10, 1)),
        ("10 % accented", text::latin(&mut Random(2), 64 << 10, 10)),
        (
            "Korean UTF-8",
            text::korean(&mut Random(3), 64 << 10, &syllables),
        ),
    ];
    let mut random = Random(4);
    let data: Vec<u8> = (0..96 << 10)
        .map(|_| random.next().to_le_bytes()[7])
        .collect();

    let mut bodies = Vec::new();
    for (name, text) in &texts {
        let name = format!("quoted-printable, {name}, 64 KiB");
        let body = text::quoted_printable(text.as_bytes());
        bodies.push(Body::new(name, "quoted-printable", &body, text.as_bytes()));
    }
    for (name, length, line) in [
        ("base64, 96 KiB", 96 << 10, 76),
        ("base64, 3 KiB", 3 << 10, 76),
        ("base64, 48 octets", 48, 76),
        ("base64 in one line, 96 KiB", 96 << 10, usize::MAX),
    ] {
        let data = &data[..length];
        bodies.push(Body::new(
            name.into(),
            "base64",
            &text::base64(data, line),
            data,
        ));
    }
    table(plan, TITLE, bodies.iter().map(Body::row).collect());
}

/// The same task on bodies of one, two, four and eight times the size, clean and with a finding in
/// every line: a constant rate means linear time.
pub fn measure_growth(plan: &Plan) {
    if !plan.wants(GROWTH) {
        return;
    }
    let text = text::latin(&mut Random(2), 16 << 10, 10);
    let mut random = Random(4);
    // 300 full lines.
    let data: Vec<u8> = (0..300 * 57)
        .map(|_| random.next().to_le_bytes()[7])
        .collect();
    let mut bodies = Vec::new();
    for (name, encoding, behind) in [
        ("quoted-printable", "quoted-printable", ""),
        (
            "quoted-printable, blanks at line ends",
            "quoted-printable",
            " ",
        ),
        ("base64", "base64", ""),
        ("base64, no letter at line ends", "base64", "*"),
    ] {
        for times in [1, 2, 4, 8] {
            let (body, right) = if encoding == "base64" {
                let right = data.repeat(times);
                (text::base64(&right, 76), right)
            } else {
                let right = text.repeat(times).into_bytes();
                (text::quoted_printable(&right), right)
            };
            let body = String::from_utf8(body).expect("US-ASCII");
            let body = body.replace("\r\n", &format!("{behind}\r\n"));
            let name = format!("{name}, {times} times {} KiB", (right.len() / times) >> 10);
            bodies.push((name, encoding, body, right));
        }
    }
    let rows = bodies.iter().map(|(name, encoding, body, right)| Row {
        name: name.clone(),
        octets: body.len(),
        right: right.into(),
        peers: vec![peer("mime-charset", || {
            let decode = match *encoding {
                "base64" => transfer::base64,
                _ => transfer::quoted_printable,
            };
            decode(body.as_bytes()).into_octets()
        })],
    });
    table(plan, GROWTH, rows.collect());
}

/// A body, placed at the end of a message for libraries that only decode messages.
struct Body<'a> {
    name: String,
    encoding: &'static str,
    message: Vec<u8>,
    header: usize,
    right: &'a [u8],
}

impl<'a> Body<'a> {
    fn new(name: String, encoding: &'static str, body: &[u8], right: &'a [u8]) -> Self {
        let header = format!("Content-Transfer-Encoding: {encoding}\r\n\r\n");
        Body {
            name,
            encoding,
            message: [header.as_bytes(), body].concat(),
            header: header.len(),
            right,
        }
    }

    fn row(&self) -> Row<'_> {
        let (_, body) = self.message.split_at(self.header);
        let mut peers = if self.encoding == "base64" {
            base64(body)
        } else {
            quoted_printable(body)
        };
        peers.push(peer("mailparse 0.18", || {
            let message = mailparse::parse_mail(&self.message).expect("a message");
            message.get_body_raw().unwrap_or_default().into()
        }));
        Row {
            name: self.name.clone(),
            octets: body.len(),
            right: self.right.into(),
            peers,
        }
    }
}

fn quoted_printable(body: &[u8]) -> Vec<Peer<'_>> {
    vec![
        peer("mime-charset", || {
            transfer::quoted_printable(body).into_octets()
        }),
        peer("mail-parser 0.11", || {
            let decode = mail_parser::decoders::quoted_printable::quoted_printable_decode;
            decode(body).unwrap_or_default().into()
        }),
        #[cfg(rival)]
        peer("mail-parser 1.0 (encodify)", move || {
            let mut octets = Vec::with_capacity(body.len());
            let _ = encodify::qp::BODY.decode_append(body, &mut octets);
            octets.into()
        }),
    ]
}

fn base64(body: &[u8]) -> Vec<Peer<'_>> {
    vec![
        peer("mime-charset", || transfer::base64(body).into_octets()),
        peer("mail-parser 0.11", || {
            let decode = mail_parser::decoders::base64::base64_decode;
            decode(body).unwrap_or_default().into()
        }),
        #[cfg(rival)]
        peer("mail-parser 1.0 (encodify)", move || {
            let mut octets = Vec::with_capacity(body.len());
            let _ = encodify::base64::MIME.decode_append(body, &mut octets);
            octets.into()
        }),
    ]
}
