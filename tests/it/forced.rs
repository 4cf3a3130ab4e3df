//! A charset forced by the caller, like the menu of text encodings in a mail program: Thunderbird's
//! "Text Encoding" and mutt's `edit-type` change the charset of bodies, while encoded words keep
//! their labels (RFC 2047, section 5: each word names its own charset).

use mime_charset::decode::{self, Context, EvidenceKind, Side};
use mime_charset::header::{self, Syntax};
use mime_charset::{Decoded, Effect, Kind, Label, Message, Options, Source, Within};

use super::samples::charset;

/// Decodes octets under a label.
fn decode_under<'a>(octets: &'a [u8], label: &Label<'_>, options: &Options) -> Decoded<'a> {
    let context = Context::new().label(Some(label)).options(*options);
    decode::decode(octets, &context)
}

fn forced(label: &str) -> Options {
    Options::new().force(Some(charset(label)))
}

/// "Привет" in KOI8-R (RFC 1489).
const PRIVET: &[u8] = b"\xF0\xD2\xC9\xD7\xC5\xD4";

/// It takes precedence over a label, a mark (EF BB BF), proof in the octets, and a document's
/// declaration.
#[test]
fn it_precedes_all_declarations_of_a_body() {
    let marked = [b"\xEF\xBB\xBF", PRIVET].concat();
    let page = [b"<meta charset=utf-8>", PRIVET].concat();
    let cases: [(&[u8], Option<&str>, &str, &str); 6] = [
        (PRIVET, Some("windows-1252"), "text/plain", "Привет"),
        (PRIVET, Some("x-nothing"), "text/plain", "Привет"),
        (PRIVET, None, "text/plain", "Привет"),
        // In RFC 1489 the octets EF, BB and BF are О, ╩ and ©.
        (&marked, None, "text/html", "О╩©Привет"),
        (&page, None, "text/html", "<meta charset=utf-8>Привет"),
        // C3 A9, well-formed UTF-8, is ц and ╘ in KOI8-R.
        (b"\xC3\xA9", Some("utf-8"), "text/plain", "ц╘"),
    ];
    for (octets, label, media_type, expected) in cases {
        let label = label.map(Label::new);
        let context = Context::new()
            .label(label.as_ref())
            .media_type(Some(media_type))
            .options(forced("koi8-r"));
        let decoded = decode::decode(octets, &context);
        assert_eq!(decoded.as_str(), expected);
        assert_eq!(decoded.source(), Source::Forced, "{expected}");
        let finding = decoded.report().findings().first().unwrap();
        assert_eq!(finding.kind(), Kind::CharsetForced, "{expected}");
        assert_eq!(finding.kind().effect(), Effect::Assumed);
        assert_eq!(finding.within(), Within::Octets);
        let not_asked = [
            Kind::UnknownLabel,
            Kind::NoLabel,
            Kind::DetectedCharset,
            Kind::BomConflict,
        ];
        for kind in not_asked {
            assert!(!decoded.report().has(kind), "{expected} {kind}");
        }
    }
}

/// The forced charset's own mark is removed (Unicode, section 23.8), unless the caller wants it.
#[test]
fn its_own_mark_is_removed() {
    let octets = b"\xEF\xBB\xBF\xC3\xA9";
    let label = Label::new("iso-8859-1");
    let decoded = decode_under(octets, &label, &forced("utf-8"));
    assert_eq!(decoded.as_str(), "é");
    assert!(decoded.report().has(Kind::BomRemoved));
    let kept = forced("utf-8").keep_bom(true);
    assert_eq!(decode_under(octets, &label, &kept).as_str(), "\u{FEFF}é");
    let little = decode_under(b"\xFF\xFEa\0", &label, &forced("utf-16"));
    assert_eq!(little.as_str(), "a");
}

/// The evidence shows that the caller forced it, and what contradicted it.
#[test]
fn the_evidence_shows_the_forced_charset() {
    let label = Label::new("iso-8859-1");
    let context = Context::new().label(Some(&label)).options(forced("koi8-r"));
    let decision = decode::decide(b"\xEF\xBB\xBFa", &context);
    assert_eq!(decision.charset.name(), "KOI8-R");
    assert_eq!(
        (decision.source, decision.confidence),
        (Source::Forced, 100)
    );
    let evidence: Vec<_> = decision
        .evidence()
        .iter()
        .map(|evidence| (evidence.kind, evidence.side))
        .collect();
    let expected = [
        (EvidenceKind::Label, Side::Against),
        (EvidenceKind::Bom, Side::Against),
        (EvidenceKind::Forced, Side::For),
    ];
    assert_eq!(evidence, expected);
    let detail = decision.report.findings().first().unwrap().detail();
    assert_eq!(detail, "labelled ISO-8859-1, read as KOI8-R");
}

/// Raw octets of a field, even UTF-8, are read in it; encoded words and ASCII are not.
#[test]
fn it_applies_to_raw_octets_in_fields() {
    let read =
        |body: &[u8], label| decode::field(body, Syntax::Unstructured, &forced(label)).into_owned();
    let text = read(b"=?iso-8859-1?Q?=E9?= \xF0\xD2", "koi8-r");
    assert_eq!(text.as_str(), "é Пр");
    let sources: Vec<_> = text.charsets().iter().map(|it| it.source).collect();
    assert_eq!(sources, [Source::Declared, Source::Forced]);
    assert!(text.report().has(Kind::CharsetForced) && !text.report().has(Kind::RawOctets));

    assert_eq!(read(b"\xC3\xA9", "koi8-r").as_str(), "ц╘");
    assert_eq!(read(b"plain", "koi8-r").report().findings(), []);
    // A word without a valid label is as raw as its surroundings (RFC 1428).
    let unknown = read(b"=?unknown-8bit?Q?=F0=D2?=", "koi8-r");
    assert_eq!(unknown.as_str(), "Пр");
    assert!(unknown.report().has(Kind::CharsetForced));
    // If ISO-2022-KR (RFC 1557) is forced, the escapes of ISO 2022-JP (RFC 1468) are read in it.
    assert_eq!(read(b"\x1B$B8l\x1B(B", "iso-2022-jp").as_str(), "語");
    assert_ne!(read(b"\x1B$B8l\x1B(B", "koi8-r").as_str(), "語");
    // A line of ASCII is not UTF-16.
    assert_eq!(read(b"a\xC3\xA9", "utf-16be").as_str(), "aé");
}

/// The same for display names, plain parameters and file names; an extended value (RFC 2231,
/// section 4) keeps its own charset.
#[test]
fn it_applies_to_parameters_and_names() {
    let options = forced("koi8-r");
    let list = decode::addresses_with(b"\"\xF0\xD2\" <a@example.org>", &options);
    assert_eq!(list.mailboxes().next().unwrap().name, "Пр");
    for (body, expected) in [
        (&b"attachment; filename=\"\xF0\xD2\""[..], "Пр"),
        (b"attachment; filename*=''%F0%D2", "Пр"),
        (b"attachment; filename*=utf-8''%C3%A9", "é"),
    ] {
        let disposition = header::content_disposition(body);
        let value = disposition.parameter("filename").unwrap();
        assert_eq!(value.text_with(&options).as_str(), expected);
    }
}

/// Every method of reading a part gives the same text.
#[test]
fn every_method_of_reading_a_part_agrees() {
    let source = b"Content-Type: text/plain; charset=iso-8859-1\n\
                   Content-Transfer-Encoding: base64\n\n8NLJ18XU";
    let message = Message::parse(source);
    let part = message.parts().next().unwrap();
    let options = forced("koi8-r");
    let text = part.text_with(&options);
    assert_eq!(text.as_str(), "Привет");
    let decision = part.decide(&options);
    assert_eq!(part.charset(&options), decision.charset);
    assert_eq!(
        (text.source(), decision.source),
        (Source::Forced, Source::Forced)
    );
}

/// A label that declares nothing (RFC 1428) forces nothing.
#[test]
fn unknown_8bit_forces_nothing() {
    let options = forced("unknown-8bit");
    let label = Label::new("koi8-r");
    let decoded = decode_under(PRIVET, &label, &options);
    assert_eq!(
        (decoded.as_str(), decoded.source()),
        ("Привет", Source::Declared)
    );
}
