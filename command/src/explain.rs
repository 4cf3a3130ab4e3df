//! `explain`: how each charset was decided, and by what.

use std::fmt::Write as _;

use mime_charset::{Message, Options, Source};

use super::detect::detect;
use super::messages::Place;
use super::output::show_findings;
use super::{Output, Stop};

/// Prints each decision with its evidence and the octets that it is based on.
pub(crate) fn explain(
    out: &mut Output,
    place: &Place<'_>,
    message: &Message<'_>,
    options: &Options,
    json: bool,
) -> Result<(), Stop> {
    if json {
        // The JSON of `detect` has the evidence too.
        return detect(out, place, message, options, json);
    }
    out.line(&place.to_string())?;
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

/// The first of these octets, in hexadecimal and as printable ASCII.
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
        let _ = write!(line, " and {} more octets", octets.len() - SHOWN);
    }
    line
}
