//! Messages: the walk, the conversion and its proof.

#[cfg(feature = "mailparse")]
use std::collections::BTreeSet;
use std::ops::Range;

use mime_charset::convert::{self as conversion, Change, Headers, OnMalformed};
use mime_charset::decode::{self, Context, Evidence, EvidenceKind};
#[cfg(feature = "mailparse")]
use mime_charset::message::Field;
use mime_charset::message::Part;
use mime_charset::{Message, Options, Source, Within};

use super::{Choices, Drawn, assert_in_range, most_text};

/// Any octets are a message: its parts are nested ranges that cover their parents to the ends, and
/// all reported ranges are valid.
pub fn message(source: &[u8]) {
    let message = Message::parse(source);
    assert_in_range(message.report(), source.len(), 0);
    let entities: Vec<_> = message.entities().collect();
    let whole = entities.first().unwrap();
    assert_eq!(whole.header_range().unwrap().start, 0);
    assert_eq!(whole.body_range().unwrap().end, source.len());
    let mut sections: Vec<String> = Vec::new();
    let mut reached = 0;
    for &part in &entities {
        sections.push(part.section());
        if let (Some(header), Some(body)) = (part.header_range(), part.body_range()) {
            assert_eq!(header.end, body.start);
            assert!(header.start >= reached, "{}", part.section());
            reached = header.end;
            assert_eq!(&source[header], part.header());
            assert_eq!(&source[body.clone()], part.body());
            if let Some(outer) = part.parent().and_then(Part::body_range) {
                assert!(outer.start <= part.header_range().unwrap().start);
                assert!(body.end <= outer.end, "{}", part.section());
            }
        }
        assert_eq!(part.source(), [part.header(), part.body()].concat());
        assert_eq!(part.children().len(), part.children().fold(0, |n, _| n + 1));
        check_fields(part, source);
        check_text(part, source);
    }
    let count = sections.len();
    sections.sort_unstable();
    sections.dedup();
    assert_eq!(sections.len(), count);
}

fn check_fields(part: Part<'_>, source: &[u8]) {
    let header = part.header_range();
    let mut reached = header.as_ref().map_or(0, |range| range.start);
    for field in part.fields() {
        assert!(!field.name().contains(&b'\n') && !field.name().contains(&b':'));
        let text = field.text();
        if let (Some(header), Some(range)) = (&header, field.range()) {
            assert!(range.start >= reached && range.end <= header.end);
            reached = range.end;
            assert_in_range(text.report(), source.len(), field.body().len());
            for used in text.charsets() {
                assert!(used.offset + used.length <= source.len());
            }
        }
    }
    let mut backward: Vec<_> = part.fields().rev().map(|field| field.body()).collect();
    backward.reverse();
    assert!(part.fields().map(|field| field.body()).eq(backward));
    assert_eq!(part.field("Subject").map(|f| f.range()), {
        let mut fields = part.fields();
        fields
            .find(|field| field.name().eq_ignore_ascii_case(b"subject"))
            .map(|f| f.range())
    });
}

fn check_text(part: Part<'_>, source: &[u8]) {
    let octets = part.octets();
    assert!(octets.as_bytes().len() <= part.body().len());
    for finding in part.mime_header().report().findings() {
        let length = match finding.within() {
            Within::Source if part.header_range().is_some() => source.len(),
            Within::Source => continue,
            _ => octets.as_bytes().len(),
        };
        assert!(finding.offset() + finding.length() <= length, "{finding:?}");
    }
    if let Some(name) = part.filename() {
        // One octet of TSCII may be four letters.
        assert!(name.as_str().len() <= 12 * part.header().len() + 4);
    }
    if part.is_text() {
        let decoded = part.text();
        assert!(decoded.as_str().len() <= most_text(decoded.charset(), octets.as_bytes().len()));
        let inside = if part.header_range().is_some() {
            source.len()
        } else {
            usize::MAX
        };
        assert_in_range(decoded.report(), inside, octets.as_bytes().len());
        let decision = part.decide(&Options::new());
        assert_eq!(decision.charset.as_practised(), decoded.charset());
        // The decision without evidence from the rest of the message.
        let content_type = part.content_type();
        let context = Context::new()
            .label(content_type.charset())
            .media_type(Some(content_type.media_type()));
        let alone = decode::decide(octets.as_bytes(), &context);
        let asks = |evidence: &Evidence| matches!(evidence.kind, EvidenceKind::Date);
        if decision.source == Source::Declared && !decision.evidence().iter().any(asks) {
            assert_eq!(decision, alone);
        }
        assert_eq!(part.charset(&Options::new()), decision.charset);
        let text = part.text();
        assert_eq!(text.charset(), decision.charset);
        assert_eq!(text.source(), decision.source);
    }
}

/// A conversion verifies with its own counts, a second conversion changes nothing, octets outside
/// the changes are unchanged, and any damage is rejected.
pub fn convert(octets: &[u8]) {
    let mut choices = Choices::new(octets);
    let octet = choices.octet();
    let bit = |number: u8| octet >> number & 1 == 1;
    let mut drawn = Drawn(u64::from(choices.octet()));
    let source = choices.rest();
    let options = conversion::Conversion {
        headers: if bit(0) {
            Headers::Utf8
        } else {
            Headers::Words
        },
        on_malformed: match octet >> 1 & 3 {
            0 | 1 => OnMalformed::Keep,
            2 => OnMalformed::Replace,
            _ => OnMalformed::Fail,
        },
        attachments: bit(3),
        keep_declarations: bit(4),
        guessed: bit(5).then_some(if bit(6) { 81 } else { 30 }),
        ..conversion::Conversion::new()
    };
    let converted = conversion::convert(source, &options);
    assert_in_range(&converted.report, source.len(), 0);
    let (result, changes) = (converted.as_bytes(), &converted.changes);
    assert_eq!(changes.is_empty(), result == source);
    if converted.failure.is_some() {
        assert_eq!(result, source);
    }
    let (mut before, mut after) = (0, 0);
    for change in changes {
        assert_eq!(
            source[before..change.before.start],
            result[after..change.after.start]
        );
        assert_ne!(source[change.before.clone()], result[change.after.clone()]);
        (before, after) = (change.before.end, change.after.end);
    }
    assert_eq!(source[before..], result[after..]);

    match conversion::verify(source, result, changes, &options) {
        Err(error) => panic!("refused: {error}\n{:?}", String::from_utf8_lossy(result)),
        Ok(proof) => assert_eq!(
            (proof.fields, proof.parts, proof.relabelled),
            (
                converted.changed_fields,
                converted.changed_parts,
                converted.relabelled_parts
            )
        ),
    }
    if converted.failure.is_none() {
        let twice = conversion::convert(result, &options);
        assert_eq!(
            String::from_utf8_lossy(twice.as_bytes()),
            String::from_utf8_lossy(result),
            "converted twice"
        );
    }
    for _ in 0..4 {
        let damaged = damaged(result, &mut drawn);
        if damaged != result {
            let proof = conversion::verify(source, &damaged, changes, &options);
            assert!(proof.is_err(), "{damaged:X?}");
        }
        if let Some((damaged, told, place)) =
            with_listed_change(source, result, changes, &mut drawn)
            && is_outside_text(source, &place)
        {
            let proof = conversion::verify(source, &damaged, &told, &options);
            assert!(proof.is_err(), "{told:?}\n{damaged:X?}");
        }
    }
}

/// Whether a place neither touches a header nor the body of a text. A field may be folded
/// differently, and a text encoded differently, with the same content.
fn is_outside_text(source: &[u8], place: &Range<usize>) -> bool {
    let message = Message::parse(source);
    let mut is_text = false;
    for part in message.entities() {
        let touches = |range: Option<Range<usize>>| {
            range.is_none_or(|range| range.start <= place.end && place.start <= range.end)
        };
        is_text |= touches(part.header_range()) || part.is_text() && touches(part.body_range());
    }
    !is_text
}

/// Changes some octets that the conversion left alone, and adds the change to the list with a
/// correct checksum and its range in the source; `None` if there is no change.
fn with_listed_change(
    source: &[u8],
    result: &[u8],
    changes: &[Change],
    drawn: &mut Drawn,
) -> Option<(Vec<u8>, Vec<Change>, Range<usize>)> {
    let place = drawn.below(changes.len() + 1);
    let (ahead, behind) = changes.split_at(place);
    let last = ahead.last();
    let (before, after) = last.map_or((0, 0), |last| (last.before.end, last.after.end));
    // Next to a change of the conversion, the two could merge.
    let first = before + usize::from(last.is_some());
    let limit = match behind.first() {
        Some(next) => next.before.start.checked_sub(1)?,
        None => source.len(),
    };
    let start = first + drawn.below((limit + 1).checked_sub(first).filter(|&room| room > 0)?);
    let end = limit.min(start + drawn.below(4));
    let octets: Vec<_> = (0..drawn.below(4))
        .map(|_| match source.get(drawn.below(source.len() + 1)) {
            Some(&octet) if drawn.below(2) == 0 => octet,
            _ => u8::try_from(drawn.below(256)).unwrap(),
        })
        .collect();
    if octets == source[start..end] {
        return None;
    }
    let at = after + (start - before);
    let mut damaged = result.to_vec();
    damaged.splice(at..at + (end - start), octets.iter().copied());
    let moved = |at: usize| at + octets.len() - (end - start);
    let own = Change::new(start..end, at..at + octets.len(), crc64(&octets));
    let behind = behind.iter().map(|change| {
        let after = &change.after;
        Change::new(
            change.before.clone(),
            moved(after.start)..moved(after.end),
            change.checksum,
        )
    });
    let told = ahead.iter().cloned().chain([own]).chain(behind);
    Some((damaged, told.collect(), start..end))
}

/// CRC-64 (ECMA-182) bit by bit, by the XZ file format, section 6.
fn crc64(octets: &[u8]) -> u64 {
    let of_octet = |sum: u64, octet: &u8| {
        (0..8).fold(sum ^ u64::from(*octet), |sum, _| {
            sum >> 1
                ^ if sum & 1 == 1 {
                    0xC96C_5795_D787_0F42
                } else {
                    0
                }
        })
    };
    !octets.iter().fold(!0, of_octet)
}

/// With one octet changed, removed or inserted, a range doubled, or the end truncated.
fn damaged(octets: &[u8], drawn: &mut Drawn) -> Vec<u8> {
    let mut damaged = octets.to_vec();
    let at = drawn.below(octets.len() + 1);
    let octet = u8::try_from(drawn.below(256)).unwrap();
    match drawn.below(5) {
        0 if at < octets.len() => damaged[at] ^= octet,
        1 if at < octets.len() => {
            damaged.remove(at);
        }
        2 => damaged.insert(at, octet),
        3 => {
            let end = at + drawn.below(octets.len() - at + 1);
            damaged.splice(at..at, octets[at..end].iter().copied());
        }
        _ => damaged.truncate(at),
    }
    damaged
}

/// In a valid message, mailparse finds the same parts with the same octets.
#[cfg(feature = "mailparse")]
pub fn mailparse(source: &[u8]) {
    let Ok(mail) = ::mailparse::parse_mail(source) else {
        return;
    };
    let message = Message::parse(source);
    // Where the standards leave the structure open, parsers differ.
    if !message.report().is_empty() {
        return;
    }
    let ours: Vec<_> = message
        .parts()
        .filter(|part| {
            // mailparse does not parse embedded messages.
            let mut around = std::iter::successors(part.parent(), |&part| part.parent());
            !around.any(Part::is_message)
        })
        .collect();
    if ours
        .iter()
        .any(|part| !part.mime_header().report().is_empty())
    {
        return;
    }
    if !(reads_fields_alike(&message) && reads_delimiters_alike(&message)) {
        return;
    }
    let theirs: Vec<_> = mail
        .parts()
        .filter(|part| part.subparts.is_empty())
        .collect();
    assert_eq!(ours.len(), theirs.len());
    for (our, their) in ours.iter().zip(&theirs) {
        // mailparse has no default type except text/plain.
        let type_of = our.content_type();
        if our.field("Content-Type").is_some()
            && type_of.report().is_empty()
            && our.fields().all(|field| has_no_comment(&field))
        {
            // Blanks around the slash are allowed (RFC 822, section 3.1.4); mailparse keeps them.
            let their_type = &their.ctype.mimetype;
            let their_type: String = their_type.split_ascii_whitespace().collect();
            assert_eq!(type_of.media_type(), their_type);
        }
        assert_eq!(our.fields().count(), their.headers.len());
        for (field, header) in our.fields().zip(&their.headers) {
            assert_eq!(field.name(), header.get_key_raw());
            assert_eq!(
                field.body().trim_ascii(),
                header.get_value_raw().trim_ascii()
            );
        }
        // mailparse requires an encoding's name alone on one line.
        let is_named = our.fields().all(|field| {
            let names = field
                .name()
                .eq_ignore_ascii_case(b"Content-Transfer-Encoding");
            let is_part = |octet: &u8| octet.is_ascii_alphanumeric() || *octet == b'-';
            let name = field.body().trim_ascii_start();
            let is_alone = name.iter().all(is_part) && !field.body().contains(&b'\n');
            !names || is_alone
        });
        // mailparse drops, keeps or rejects encoding errors in its own way; in quoted-printable it
        // ends all lines in CRLF, and none at a bare CR.
        let mut around_cr = our.body().split(|&octet| octet == b'\r').skip(1);
        let is_bare = around_cr.any(|behind| behind.first() != Some(&b'\n'));
        if is_named && our.octets().report().is_empty() && !is_bare {
            let raw = their.get_body_raw().unwrap();
            let (our, their) = (lines(our.octets().as_bytes()), lines(&raw));
            assert_eq!(our, their);
        }
    }
}

/// Whether mailparse reads the fields of a message like we do.
#[cfg(feature = "mailparse")]
fn reads_fields_alike(message: &Message<'_>) -> bool {
    // mailparse reads a line that is not a field as one; for us the body begins there, or it is a
    // finding.
    let has_end = |part: Part<'_>| ends_in_blank_line(part.header());
    // For mailparse, blanks before the colon belong to the name, which is then unknown.
    let is_padded = |field: Field<'_>| {
        let start = field.range().map_or(0, |range| range.start);
        message.source().get(start + field.name().len()) != Some(&b':')
    };
    let is_multipart = |part: Part<'_>| part.content_type().type_name() == "multipart";
    // For mailparse, any type that begins so is a multipart.
    let is_named_alike = |part: Part<'_>| {
        let of_type = part.content_type();
        is_multipart(part) || !of_type.type_name().starts_with("multipart")
    };
    // mailparse reads an invalid type in its own way, and has no comments.
    let is_sound = |part: Part<'_>| {
        part.content_type().report().is_empty() && part.fields().all(|field| has_no_comment(&field))
    };
    // For mailparse, a multipart without parts is a part, or has one made of the text after it.
    let parents: Vec<_> = message.entities().filter_map(Part::parent).collect();
    let has_parts = |part: Part<'_>| {
        let is_parent = |parent: &Part<'_>| parent.header_range() == part.header_range();
        parents.iter().any(is_parent)
    };
    message.entities().all(|part| {
        has_end(part)
            && !part.fields().any(is_padded)
            && is_named_alike(part)
            && (!is_multipart(part) || is_sound(part) && has_parts(part))
    })
}

#[cfg(feature = "mailparse")]
fn has_no_comment(field: &Field<'_>) -> bool {
    let is_type = field.name().eq_ignore_ascii_case(b"Content-Type");
    !is_type || !field.body().contains(&b'(')
}

/// Whether mailparse splits a message at the same lines.
#[cfg(feature = "mailparse")]
fn reads_delimiters_alike(message: &Message<'_>) -> bool {
    let boundary =
        |part: Part<'_>| Some(part.content_type().parameter("boundary")?.octets().to_vec());
    let boundaries: Vec<_> = message.entities().filter_map(boundary).collect();
    // For us, a boundary shared by nested multiparts belongs to the inner one; for mailparse it
    // depends on the position.
    let distinct: BTreeSet<_> = boundaries.iter().collect();
    // For us, a boundary ends before trailing white space.
    let is_padded = |boundary: &Vec<u8>| boundary.trim_ascii_end().len() < boundary.len();
    // mailparse accepts any line that begins with a delimiter; we allow only blanks after it, so
    // one delimiter may be a prefix of another.
    let goes_on = |line: &[u8]| {
        boundaries.iter().any(|boundary| {
            let behind = line
                .strip_prefix(b"--")
                .and_then(|line| line.strip_prefix(boundary.as_slice()))
                .map(|behind| behind.strip_prefix(b"--").unwrap_or(behind));
            let is_blank = |octet: &u8| b" \t\r".contains(octet);
            behind.is_some_and(|behind| !behind.iter().all(is_blank))
        })
    };
    let mut lines = message.source().split(|&octet| octet == b'\n');
    distinct.len() == boundaries.len() && !boundaries.iter().any(is_padded) && !lines.any(goes_on)
}

#[cfg(feature = "mailparse")]
fn lines(octets: &[u8]) -> Vec<u8> {
    let octets = octets.trim_ascii_end().iter().copied();
    octets.filter(|&octet| octet != b'\r').collect()
}

#[cfg(feature = "mailparse")]
fn ends_in_blank_line(header: &[u8]) -> bool {
    let line_end = |octets: &[u8]| {
        let rest = octets.strip_suffix(b"\n")?;
        Some(rest.strip_suffix(b"\r").unwrap_or(rest).to_vec())
    };
    line_end(header).is_some_and(|rest| rest.is_empty() || rest.ends_with(b"\n"))
}
