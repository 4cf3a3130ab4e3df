//! `explain`: shows how each charset was decided, with the evidence.

use std::fmt::Write as _;

use mime_charset::message::{Field, Part};
use mime_charset::{Message, Options, Source, utf8};

use super::detect::detect;
use super::messages::Place;
use super::output::show_findings;
use super::{Output, Stop};

/// Prints each decision with its evidence and the octets it is based on.
pub(crate) fn explain(
    out: &mut Output,
    place: &Place<'_>,
    message: &Message<'_>,
    options: &Options,
    json: bool,
) -> Result<(), Stop> {
    if json {
        // The JSON of `detect` includes the evidence.
        return detect(out, place, message, options, json);
    }
    out.line(&place.to_string())?;
    for entity in message.entities() {
        for field in entity.fields() {
            explain_field(out, message, entity, &field, options)?;
        }
    }
    for part in message.parts().filter(|part| part.is_text()) {
        let decision = part.decide(options);
        let media_type = part.content_type().media_type().to_owned();
        out.line(&format!(
            "  part {}, {media_type}: {}, {}, {}% sure",
            part.section(),
            decision.charset,
            source_in_words(decision.source),
            decision.confidence,
        ))?;
        let octets = part.octets().into_octets();
        for evidence in decision.evidence() {
            out.line(&format!("    {evidence}"))?;
            let end = (evidence.offset + evidence.length).min(octets.len());
            if let Some(at_place) = octets.get(evidence.offset..end).filter(|s| !s.is_empty()) {
                out.line(&format!("      {}", dump(at_place)))?;
            }
        }
        show_findings(out, &decision.report)?;
    }
    Ok(())
}

/// Prints the charset of each encoded word and of raw octets in a field, with these octets and the
/// findings. Prints nothing for plain ASCII.
fn explain_field(
    out: &mut Output,
    message: &Message<'_>,
    entity: Part<'_>,
    field: &Field<'_>,
    options: &Options,
) -> Result<(), Stop> {
    let text = field.text_with(options);
    if text.charsets().is_empty() && text.report().is_empty() {
        return Ok(());
    }
    let section = entity.parent().map(|_| entity.section());
    let place = section.map_or(String::new(), |section| format!(" of part {section}"));
    let name = utf8::decode_lossy(field.name());
    out.line(&format!("  field {name}{place}: {}", text.as_str()))?;
    for used in text.charsets() {
        let (charset, source) = (used.charset, source_in_words(used.source));
        out.line(&format!("    {charset}, {source}"))?;
        // In an embedded message with a transfer encoding, offsets are into its decoded octets, not into
        // the source.
        let source = field.range().map(|_| message.source());
        let octets = source.and_then(|it| it.get(used.offset..used.offset + used.length));
        if let Some(octets) = octets {
            out.line(&format!("      {}", dump(octets)))?;
        }
    }
    show_findings(out, text.report())
}

fn source_in_words(source: Source) -> &'static str {
    match source {
        Source::Forced => "as forced",
        Source::Declared => "as declared",
        Source::Bom => "by its byte order mark",
        Source::Document => "as the document declares",
        Source::Evidence => "as the octets prove",
        Source::Detected => "as the octets suggest",
        _ => "by default",
    }
}

/// The first octets, in hexadecimal and as printable ASCII.
fn dump(octets: &[u8]) -> String {
    const SHOWN: usize = 16;
    let mut line = String::new();
    for octet in octets.iter().take(SHOWN) {
        // Writing to a String does not fail.
        let _ = write!(line, "{octet:02X} ");
    }
    let visible = octets.iter().take(SHOWN).map(|&octet| {
        if octet.is_ascii_graphic() || octet == b' ' {
            char::from(octet)
        } else {
            '.'
        }
    });
    line.push_str(" |");
    line.extend(visible);
    line.push('|');
    if octets.len() > SHOWN {
        // Writing to a String does not fail.
        let more = octets.len() - SHOWN;
        let noun = if more == 1 { "octet" } else { "octets" };
        let _ = write!(line, " and {more} more {noun}");
    }
    line
}
