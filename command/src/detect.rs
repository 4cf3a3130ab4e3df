//! `detect`: shows the charset of each text part.

use mime_charset::decode::Decision;
use mime_charset::{Message, Options};
use serde::Serialize;

use super::messages::Place;
use super::{Output, Stop};

/// Prints one line per text part: the decision without the text.
pub(crate) fn detect(
    out: &mut Output,
    place: &Place<'_>,
    message: &Message<'_>,
    options: &Options,
    json: bool,
) -> Result<(), Stop> {
    for part in message.parts().filter(|part| part.is_text()) {
        let decision = part.decide(options);
        let content_type = part.content_type();
        let label = content_type.charset().map(ToString::to_string);
        if json {
            out.json(&PartJson {
                place,
                part: &part.section(),
                media_type: content_type.media_type(),
                label,
                decision: &decision,
            })?;
        } else {
            out.columns(&[
                &place.to_string(),
                &part.section(),
                label.as_deref().unwrap_or("-"),
                decision.charset.name(),
                decision.source.name(),
                &format!("{}%", decision.confidence),
            ])?;
        }
    }
    Ok(())
}

/// The decision about a part, with its location.
#[derive(Serialize)]
struct PartJson<'p> {
    #[serde(flatten)]
    place: &'p Place<'p>,
    part: &'p str,
    media_type: &'p str,
    label: Option<String>,
    #[serde(flatten)]
    decision: &'p Decision,
}
