//! `detect`: the charset of each part.

use mime_charset::{Message, Options};
use serde_json::json;

use super::messages::Place;
use super::{Output, Stop};

/// One line for each text part: the decision without the text.
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
            out.json(&json!({
                "path": place.path,
                "index": place.index,
                "part": part.section(),
                "media_type": content_type.media_type(),
                "label": label,
                "charset": decision.charset,
                "source": decision.source,
                "confidence": decision.confidence,
                "evidence": decision.evidence(),
                "findings": decision.report,
            }))?;
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
