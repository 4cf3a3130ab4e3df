//! Field bodies to text, and text to field bodies.

use std::borrow::Cow;
use std::ops::Range;

use mime_charset::decode;
use mime_charset::header::{self, Parameter, Piece, Syntax, WordEncoding, encode as write};
use mime_charset::{Charset, Effect, Kind, Message, Options, Report, transfer};

use super::{Choices, assert_in_range};

/// A Content-Type, a Content-Disposition and a Content-Transfer-Encoding of any octets: findings
/// are in range, the text of a value adds no parameter, and values round-trip.
pub fn content_type(body: &[u8]) {
    let options = Options::new();
    let content_type = header::content_type(body);
    assert_in_range(content_type.report(), body.len(), 0);
    let (type_name, subtype) = (content_type.type_name(), content_type.subtype());
    assert_eq!(content_type.media_type(), format!("{type_name}/{subtype}"));
    assert!(!type_name.is_empty() && !subtype.is_empty());
    // A multipart without a subtype is a multipart (RFC 2046, section 5.1.3).
    let instead = ["text/plain", "multipart/mixed"];
    assert!(content_type.is_valid() || instead.contains(&content_type.media_type()));
    check_parameters(content_type.parameters(), body, &options);
    let charset = content_type.parameter("CHARSET").map(Parameter::octets);
    if let Some(label) = content_type.charset() {
        assert!(!label.as_bytes().is_empty());
    } else {
        assert!(charset.is_none_or(|octets| matches!(octets.trim_ascii(), b"" | b"=")));
    }

    let disposition = header::content_disposition(body);
    assert_in_range(disposition.report(), body.len(), 0);
    check_parameters(disposition.parameters(), body, &options);

    // A media type or a disposition, and its parameters.
    let given = |body: &[u8]| {
        let content_type = header::content_type(body);
        let disposition = header::content_disposition(body);
        let names = [content_type.media_type(), disposition.disposition()].map(str::to_owned);
        let parameters = [content_type.parameters(), disposition.parameters()];
        let all = parameters.into_iter().flat_map(|all| all.iter());
        let values = all.map(|one| (one.name().to_owned(), one.octets().to_vec()));
        (names, values.collect::<Vec<_>>())
    };
    for folded in folded(body) {
        assert_eq!(given(&folded), given(body), "{}", folded.escape_ascii());
    }

    let encoding = header::content_transfer_encoding(body);
    assert_in_range(encoding.report(), body.len(), 0);
    assert!(encoding.label().len() <= body.len());

    // The words of a field add no parameter to its text.
    let text = decode::field(body, Syntax::Parameters, &options);
    // The context decides whether a quotation mark in a value is literal or opens a string.
    let mut values = content_type.parameters().iter().map(Parameter::octets);
    let is_quoted_inside = values.any(|value| value.contains(&b'"'));
    if body.is_ascii() && !is_quoted_inside && is_sound_but_for_words(content_type.report()) {
        let again = header::content_type(text.as_str().as_bytes());
        for parameter in again.parameters() {
            let known = content_type.parameter(parameter.name());
            assert!(known.is_some(), "{parameter:?} in {:?}", text.as_str());
        }
    }
}

/// The body folded at each of its first blanks, if the fold is equivalent to the blank (RFC 5322,
/// section 2.2.3). A fold inside an encoded word or a character is not: it shows how the field was
/// damaged. Nor is one after an unclosed comment, because the search for its end is limited in
/// octets.
fn folded(body: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    let is_plain = body.is_ascii() && !body.contains(&0x1B);
    let has_words = body.windows(2).any(|two| two == b"=?");
    let count = |sought| body.split(|&octet| octet == sought).count();
    let is_closed = count(b'(') == count(b')');
    let blanks = body
        .iter()
        .enumerate()
        .filter(|(_, octet)| b" \t".contains(octet));
    let is_asked = is_plain && !has_words && is_closed;
    let first = blanks.take(if is_asked { 8 } else { 0 });
    first.map(|(at, _)| [&body[..at], b"\r\n", &body[at..]].concat())
}

/// Whether a field is grammatical, except for the places of its words. The reading of unclosed
/// quotes and brackets, and of skipped text, depends on every surrounding octet. The text of such a
/// field is for display; values come from the parsed field.
fn is_sound_but_for_words(report: &Report) -> bool {
    report.findings().iter().all(|finding| {
        finding.kind().effect() < Effect::Repaired
            || matches!(
                finding.kind(),
                Kind::UnquotedSpecial
                    | Kind::EncodedWordPlace
                    | Kind::EncodedWordSyntax
                    | Kind::EncodedWordJoined
            )
    })
}

fn check_parameters(parameters: &[Parameter<'_>], body: &[u8], options: &Options) {
    assert!(parameters.len() <= Parameter::MAX_COUNT + Parameter::MAX_SECTION);
    for (index, parameter) in parameters.iter().enumerate() {
        assert!(parameter.offset() + parameter.length() <= body.len());
        let same = |other: &Parameter<'_>| other.name() == parameter.name();
        assert_eq!(parameters.iter().position(same), Some(index));
        // Percent signs and quoted pairs only shorten values.
        assert!(parameter.octets().len() <= body.len());
        let text = parameter.text_with(options);
        assert_in_range(text.report(), body.len(), body.len());
        for used in text.charsets() {
            assert!(used.offset + used.length <= body.len());
        }
        written_parameter(text.as_str());
    }
}

/// Any field body, in each grammar: pieces cover it, findings are in range, and its text
/// round-trips through a field that we write.
pub fn field(octets: &[u8]) {
    let mut choices = Choices::new(octets);
    let syntaxes = [
        Syntax::Unstructured,
        Syntax::Addresses,
        Syntax::Phrases,
        Syntax::Parameters,
        Syntax::Opaque,
    ];
    let syntax = syntaxes[usize::from(choices.octet()) % syntaxes.len()];
    let body = choices.rest();
    let options = Options::new();
    let pieces = header::pieces(body, syntax);
    assert_in_range(pieces.report(), body.len(), 0);
    let mut joined = Vec::new();
    let mut reached = 0;
    let mut word_end = None;
    // Two pieces are separated by the line ending of a fold, or by the rest of a word that has the
    // closing quote of a quoted string in it.
    let between = |range: Range<usize>, word_end: Option<usize>| {
        let octets = &body[range.clone()];
        let before = word_end.and_then(|end| body.get(end..range.start));
        let is_blank = |octet: &u8| b" \t\r\n".contains(octet);
        let quote = before.and_then(|before| before.strip_suffix(b"\""));
        let rest = match octets.strip_prefix(b"?=") {
            Some(rest) if quote.is_some_and(|blanks| blanks.iter().all(is_blank)) => rest,
            _ => octets,
        };
        assert!(rest.iter().all(|octet| b"\r\n".contains(octet)));
        octets
    };
    for piece in pieces.as_slice() {
        let (offset, octets) = match piece {
            Piece::Text(text) => (text.offset(), text.octets()),
            Piece::Word(word) => (word.offset(), word.source()),
            other => panic!("{other:?}"),
        };
        assert!(offset >= reached);
        assert_eq!(&body[offset..offset + octets.len()], octets);
        joined.extend_from_slice(between(reached..offset, word_end));
        reached = offset + octets.len();
        joined.extend_from_slice(octets);
        if matches!(piece, Piece::Word(_)) {
            word_end = Some(reached);
        }
    }
    joined.extend_from_slice(between(reached..body.len(), word_end));
    let lines = |octets: &[u8]| -> Vec<u8> {
        let is_text = |octet: &u8| !b"\r\n".contains(octet);
        octets.iter().copied().filter(is_text).collect()
    };
    assert_eq!(lines(&joined), lines(body));

    let text = decode::field(body, syntax, &options);
    assert_in_range(text.report(), body.len(), body.len());
    for folded in folded(body) {
        assert_eq!(decode::field(&folded, syntax, &options), text.as_str());
    }
    let mut reached = 0;
    for used in text.charsets() {
        assert!(used.offset >= reached);
        reached = used.offset + used.length;
        assert!(reached <= body.len());
    }
    // Escapes that decode are read, and their charset is reported.
    let has_escapes = body.contains(&0x1B) && !text.charsets().is_empty();
    let plain = body.is_ascii() && !has_escapes && !body.windows(2).any(|two| two == b"=?");
    if plain && !body.iter().any(|octet| b"\r\n".contains(octet)) {
        assert_eq!(text.as_str().as_bytes(), body);
        let borrowed = matches!(text.clone().into_text(), Cow::Borrowed(_));
        assert!(borrowed || body.is_empty());
    }
    // A line ending in the text is not a fold, unless a word contained it.
    let line_ends = |octets: &[u8]| octets.iter().any(|octet| b"\r\n".contains(octet));
    let may_bring_one = |piece: &Piece<'_>| match piece {
        Piece::Word(word) => {
            let label = word.label();
            let label = str::from_utf8(label.as_bytes());
            let charset = label.ok().and_then(Charset::for_label);
            charset.is_some_and(|charset| !charset.is_ascii_superset())
                || word.encoding() != WordEncoding::Q
                || line_ends(&transfer::q(&word.encoded_text()).into_octets())
        }
        _ => false,
    };
    if !line_ends(&header::unfold(body)) && !pieces.as_slice().iter().any(may_bring_one) {
        assert!(!line_ends(text.as_str().as_bytes()), "{:?}", text.as_str());
    }
    let controls = |text: &str| text.chars().any(|c| "\r\n".contains(c));
    if controls(text.as_str()) && !body.iter().any(|octet| b"\r\n".contains(octet)) {
        assert!(text.report().has(Kind::Control), "{:?}", text.as_str());
    }
    assert_eq!(text.report().has(Kind::Nul), text.as_str().contains('\0'));
    written_field(text.as_str());
}

/// Identifiers, URIs, a trace, a subject and a file name of any octets: ranges are valid and in
/// order; identifiers without a finding round-trip; a base subject and a safe name are stable.
pub fn identifiers(body: &[u8]) {
    for (found, is_uri) in [
        (header::message_ids(body), false),
        (header::uris(body), true),
    ] {
        assert_in_range(&found.report, body.len(), 0);
        let mut reached = 0;
        let mut written = Vec::new();
        for id in &found.list {
            assert!(!id.octets.is_empty() && id.offset >= reached);
            reached = id.offset + id.length;
            let has_line = id.octets.iter().any(|octet| b"\r\n".contains(octet));
            assert!(reached <= body.len() && !has_line, "{:?}", id.octets);
            let comma: &[u8] = if is_uri { b"," } else { b"" };
            written.push([b"<", &*id.octets, b">"].concat());
            written.push([comma, b"\r\n "].concat());
        }
        if found.report.is_empty() {
            let written = written.concat();
            let again = if is_uri {
                header::uris(&written)
            } else {
                header::message_ids(&written)
            };
            let octets = |of: &header::Identifiers<'_>| -> Vec<Vec<u8>> {
                of.list.iter().map(|id| id.octets.to_vec()).collect()
            };
            assert_eq!(octets(&again), octets(&found), "{}", written.escape_ascii());
        }
    }
    let received = header::received(body);
    assert_in_range(&received.report, body.len(), 0);
    assert!(received.date.is_none_or(|date| body.get(date).is_some()));
    let text = String::from_utf8_lossy(body);
    let base = header::base_subject(&text).text;
    assert_eq!(header::base_subject(&base).text, base);
    if let Some(safe) = header::safe_filename(&text, "") {
        assert!(!safe.is_empty() && safe.len() <= header::MAX_FILENAME);
        assert!(!safe.contains(['/', '\\']) && !safe.starts_with('.'));
        assert_eq!(header::safe_filename(&safe, ""), Some(safe));
    }
}

/// An address list of any octets: its words form no address, and each mailbox round-trips through a
/// field that we write.
pub fn addresses(body: &[u8]) {
    let options = Options::new();
    let list = decode::addresses_with(body, &options);
    assert_in_range(&list.report, body.len(), body.len());
    let mut reached = 0;
    for mailbox in list.mailboxes() {
        assert!(mailbox.offset >= reached);
        reached = mailbox.offset + mailbox.length;
        assert!(reached <= body.len());
        // An address has no line ending and no header: folds and comments are removed.
        let mut octets = mailbox.octets().iter();
        let has_line = octets.any(|octet| b"\r\n".contains(octet));
        assert!(!has_line, "{:?}", mailbox.octets());
        assert_in_range(mailbox.name.report(), body.len(), body.len());
        if let Ok(address) = std::str::from_utf8(mailbox.octets()) {
            written_mailbox(mailbox.name.as_str(), address);
        }
    }
    let shown = |body: &[u8]| -> Vec<String> {
        let list = decode::addresses(body);
        list.list.iter().map(ToString::to_string).collect()
    };
    for folded in folded(body) {
        assert_eq!(shown(&folded), shown(body), "{}", folded.escape_ascii());
    }
    // A character of ISO 2022 in an address is one character in the text, but its octets in the
    // list.
    let is_plain = body.is_ascii() && !body.contains(&0x1B);
    if is_plain && is_sound_but_for_words(&list.report) {
        let text = decode::field(body, Syntax::Addresses, &options);
        let again = decode::addresses(text.as_str().as_bytes());
        let given: Vec<_> = list.mailboxes().map(decode::Mailbox::octets).collect();
        for address in again.mailboxes().map(decode::Mailbox::octets) {
            let is_known = given.contains(&address) || !address.contains(&b'@');
            assert!(is_known, "{address:?} in {:?}", text.as_str());
        }
        assert!(
            again.mailboxes().count() <= given.len(),
            "{:?}",
            text.as_str()
        );
    }
}

/// A date of any octets is valid in calendar and clock. It round-trips in the formats of RFC 5322,
/// section 3.3, and RFC 3339; folds, and the text before it in Received, change nothing.
pub fn date(body: &[u8]) {
    const MONTHS: &str = "JanFebMarAprMayJunJulAugSepOctNovDec";
    let read = |body: &[u8]| {
        let date = header::date(body)?;
        assert_in_range(&date.report, body.len(), body.len());
        let (day, time) = (
            (date.year, date.month, date.day),
            (date.hour, date.minute, date.second),
        );
        Some((day, time, date.offset, date.unix_seconds()))
    };
    let found = read(body);
    for folded in folded(body) {
        assert_eq!(read(&folded), found, "{}", folded.escape_ascii());
    }
    // No semicolons, and no end of the header.
    if body.is_ascii() && !body.iter().any(|octet| b";()\\\r\n".contains(octet)) {
        let received = [b"Received: by a (b; c);".as_slice(), body, b"\n\n"].concat();
        let received = Message::parse(&received).received_date();
        assert_eq!(
            received.map(|date| date.unix_seconds()),
            found.map(|it| it.3)
        );
    }
    let Some(((year, month, day), (hour, minute, second), offset, _)) = found else {
        return;
    };
    assert!((1900..=9999).contains(&year) && (1..=12).contains(&month) && (1..=31).contains(&day));
    assert!(hour < 24 && minute < 60 && second <= 60);
    assert!(offset.is_none_or(|offset| offset.abs() < 24 * 60));
    let name = &MONTHS[usize::from(month - 1) * 3..][..3];
    let sign = if offset.is_some_and(|offset| offset >= 0) {
        '+'
    } else {
        '-'
    };
    let east = offset.unwrap_or(0).unsigned_abs();
    let zone = format!("{sign}{:02}{:02}", east / 60, east % 60);
    let standard = format!("{day} {name} {year} {hour:02}:{minute:02}:{second:02} {zone}");
    assert_eq!(read(standard.as_bytes()), found, "{standard}");
    let standard = header::date(standard.as_bytes()).unwrap();
    assert!(standard.report.is_empty(), "{:?}", standard.report);
    assert_eq!(read(standard.to_string().as_bytes()), found, "{standard}");
}

/// Any text round-trips through every kind of field body that we write, and adds nothing.
pub fn encode(octets: &[u8]) {
    let mut choices = Choices::new(octets);
    let column = usize::from(choices.octet()) % 90;
    let text = String::from_utf8_lossy(choices.rest());
    for body in [
        write::unstructured(&text, column),
        write::phrase(&text, column),
        write::comment(&text, column),
        write::mailbox(&text, "a@example.org", column).unwrap(),
        write::parameter("name", &text, column).unwrap(),
    ] {
        check_lines(&body, column);
    }
    written_field(&text);
    written_mailbox(&text, "a@example.org");
    written_parameter(&text);

    let comment = write::comment(&text, 0);
    let body = format!("{comment} <a@example.org>");
    let list = decode::addresses(body.as_bytes());
    let found: Vec<_> = list.mailboxes().map(decode::Mailbox::octets).collect();
    assert_eq!(found, [b"a@example.org"], "{body:?}");
}

/// Only US-ASCII, in lines of at most 76 characters. Each fold is followed by a blank (RFC 2047,
/// section 2; RFC 5322, section 2.2.3), and there are no other controls.
fn check_lines(body: &str, column: usize) {
    let mut before = column;
    for (index, line) in body.split("\r\n").enumerate() {
        assert!(
            line.bytes().all(|octet| (b' '..=b'~').contains(&octet)),
            "{line:?}"
        );
        assert!(index == 0 || line.starts_with(' '), "{body:?}");
        assert!(
            before + line.len() <= 76.max(column + 16),
            "{line:?} at {before}"
        );
        before = 0;
    }
}

/// The text as the whole unstructured field of a message.
fn written_field(text: &str) {
    let body = write::unstructured(text, "Subject: ".len());
    let message = format!("Subject: {body}\r\n\r\n");
    let message = Message::parse(message.as_bytes());
    let fields: Vec<_> = message.fields().collect();
    let [field] = fields.as_slice() else {
        panic!("{} fields of {text:?}", fields.len());
    };
    assert_eq!(field.name(), b"Subject");
    assert_eq!(field.text().as_str(), text, "{body:?}");
    assert!(message.parts().all(|part| part.body().is_empty()));
}

/// The text as the name of a mailbox in a message, if `address` can be written.
fn written_mailbox(name: &str, address: &str) {
    let Ok(body) = write::mailbox(name, address, "From: ".len()) else {
        return;
    };
    let message = format!("From: {body}\r\n\r\n");
    let message = Message::parse(message.as_bytes());
    assert_eq!(message.fields().count(), 1, "{name:?}");
    let list = message.field("From").unwrap().addresses();
    let mailboxes: Vec<_> = list.mailboxes().collect();
    let [mailbox] = mailboxes.as_slice() else {
        panic!("{} mailboxes of {name:?} {address:?}", mailboxes.len());
    };
    assert_eq!(mailbox.octets(), address.as_bytes(), "{body:?}");
    assert_eq!(mailbox.name, name, "{body:?}");
}

/// The text as a file name in a message.
fn written_parameter(text: &str) {
    let before = "Content-Disposition: attachment";
    let written = write::parameter("filename", text, before.len()).unwrap();
    let message = format!("{before}{written}\r\n\r\n");
    let message = Message::parse(message.as_bytes());
    assert_eq!(message.fields().count(), 1, "{text:?}");
    let disposition =
        header::content_disposition(message.field("Content-Disposition").unwrap().body());
    assert_eq!(disposition.disposition(), "attachment");
    let [parameter] = disposition.parameters() else {
        panic!("{} parameters of {text:?}", disposition.parameters().len());
    };
    assert_eq!(
        (parameter.name(), parameter.octets()),
        ("filename", text.as_bytes())
    );
    let found = parameter.text();
    assert_eq!(found.as_str(), text);
}
