//! Decisions and guesses.

use mime_charset::decode::{self, Context, Decision};
use mime_charset::{Charset, Kind, Label, Message, Options, Source, detect as guess, utf8};

use super::{Choices, assert_in_range};

/// A decision is deterministic, its evidence is within the octets, only a label selects UTF-7, and
/// its text is the decoding in its charset.
pub fn decide(octets: &[u8]) {
    let mut choices = Choices::new(octets);
    let media_types = [
        "text/plain",
        "text/html",
        "text/xml",
        "application/xml",
        "text/css",
        "text/enriched",
        "image/svg+xml",
        "application/json",
        "message/rfc822",
        "",
    ];
    let media_type = choices.of(&media_types);
    let trust = choices.is();
    let keep_bom = choices.is();
    let known_around = choices.octet();
    let charsets: Vec<Charset> = Charset::all().collect();
    let hint = choices.is().then(|| choices.of(&charsets));
    let known = choices.of(&charsets);
    let written = choices.octet();
    let (label, octets) = match written {
        0..=95 => (None, choices.rest()),
        96..=191 => (Some(known.name().as_bytes()), choices.rest()),
        // A label of its own at the start.
        _ => {
            let rest = choices.rest();
            let (label, octets) = rest.split_at(rest.len().min(usize::from(written) - 191));
            (Some(label), octets)
        }
    };
    let options = Options::new()
        .trust_label(trust)
        .keep_bom(keep_bom)
        .hint(hint);
    let label = label.map(Label::new);
    let context = Context::new()
        .label(label.as_ref())
        .media_type(Some(media_type))
        .siblings((known_around & 1 == 1).then_some(known))
        .options(options);
    let named = label.as_ref().and_then(charset_of);
    let decision = decode::decide(octets, &context);
    assert_eq!(decision, decode::decide(octets, &context));
    check(&decision, octets.len(), named, hint, trust);

    let decoded = decode::decode(octets, &context);
    assert_eq!(decoded.charset(), decision.charset.as_practised());
    assert_eq!(decoded.source(), decision.source);
    assert_in_range(decoded.report(), 0, octets.len());
    let nul = decoded.as_str().contains('\0');
    assert_eq!(decoded.report().has(Kind::Nul), nul);
    if decoded.charset().is_ascii_superset() && octets.is_ascii() {
        assert_eq!(decoded.as_str().as_bytes(), octets);
    }

    // The same octets under a header with evidence for charsets.
    let label = written.is_ascii().then(|| known.name());
    let header = header(known_around, known, label);
    let message = Message::of_header_and_body(header.as_bytes(), octets);
    let part = message.root();
    let decision = part.decide(&options);
    let again = Message::of_header_and_body(header.as_bytes(), octets);
    assert_eq!(decision, again.root().decide(&options));
    let named = label.map(Label::new).as_ref().and_then(charset_of);
    check(&decision, octets.len(), named, hint, trust);
}

/// A header with surrounding evidence: words in a charset, the language, the sender's country and
/// program, a date from 1950 to 2205, and a label.
fn header(known_around: u8, charset: Charset, label: Option<&str>) -> String {
    let around = [
        format!("Subject: =?{charset}?Q?=C7=D1?=\n"),
        "Content-Language: ko, ru (or Russian)\n".to_owned(),
        "From: a@mail.example.gr\n".to_owned(),
        "X-Mailer: Foxmail 4.1 [cn]\n".to_owned(),
    ];
    let mut header = format!(
        "Date: 1 Jan {} 00:00:00 +0000\n",
        1950 + u16::from(known_around)
    );
    for (bit, field) in (1..).zip(&around) {
        if known_around >> bit & 1 == 1 {
            header += field;
        }
    }
    let content_type = label.map(|it| format!("Content-Type: text/plain; charset=\"{it}\"\n"));
    header + &content_type.unwrap_or_default() + "\n"
}

/// The charset of a label; `None` for the two that declare nothing in mail.
fn charset_of(label: &Label<'_>) -> Option<Charset> {
    let charset = mime_charset::charset::resolve(label).charset?;
    let names_nothing = charset == Charset::UNKNOWN_8BIT || charset.name() == "x-user-defined";
    (!names_nothing).then_some(charset)
}

fn check(
    decision: &Decision,
    length: usize,
    named: Option<Charset>,
    hint: Option<Charset>,
    trust: bool,
) {
    assert!(decision.confidence <= 100);
    assert_in_range(&decision.report, 0, length);
    for evidence in decision.evidence() {
        assert!(evidence.offset + evidence.length <= length, "{evidence}");
    }
    if decision.source == Source::Declared {
        // KS_C_5601-1987 and GB_2312-80 name character sets; mail with these labels is in EUC.
        let practised = named.map(Charset::as_practised);
        assert!([named, practised].contains(&Some(decision.charset)));
    }
    if trust && named.is_some() {
        assert_eq!(decision.source, Source::Declared);
    }
    if decision.charset.name().starts_with("UTF-7") {
        assert!(matches!(
            decision.source,
            Source::Declared | Source::Default
        ));
        assert!(named == Some(decision.charset) || hint == Some(decision.charset));
    }
}

/// A guess is within the octets, has a decoder, and is never UTF-7 or another charset that hides
/// ASCII after a shift without an escape.
pub fn detect(octets: &[u8]) {
    let found = guess::detect(octets);
    // It is deterministic, and a single field gives the guess of its octets.
    assert_eq!(found, guess::detect_all(&[octets]));
    assert!(found.confidence <= 99);
    assert!(found.offset + found.length <= octets.len());
    assert!(found.charset.is_decoded());
    assert!(!found.charset.name().contains("UTF-7"));
    assert_ne!(found.runner_up, Some(found.charset));
    let decoded = found.charset.decode(octets);
    assert!(decoded.as_str().len() <= 4 * octets.len() + 4);
    match (found.source, utf8::decode(octets)) {
        // Well-formed UTF-8 without a declaration is UTF-8.
        (Source::Detected, Ok(text)) => assert!(text.is_ascii(), "{}", found.charset),
        (Source::Default, _) => assert!(octets.is_ascii() || found.confidence < 50),
        _ => (),
    }
    if found.charset == Charset::UTF_8 && found.source == Source::Evidence {
        assert!(utf8::decode(octets).is_ok());
    }
    if found.charset == Charset::US_ASCII {
        assert!(octets.is_ascii());
    }
}
