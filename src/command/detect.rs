//! `detect`: which charset each part is in.

use mime_charset::decode::Decision;
use mime_charset::{Charset, Message, Options};
use serde_json::{Value, json};

use super::json::findings_json;
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
                "charset": decision.charset().name(),
                "source": decision.source().name(),
                "confidence": decision.confidence(),
                "evidence": evidence_json(&decision),
                "findings": findings_json(decision.report()),
            }))?;
        } else {
            out.columns(&[
                &place.to_string(),
                &part.section(),
                label.as_deref().unwrap_or("-"),
                decision.charset().name(),
                decision.source().name(),
                &format!("{}%", decision.confidence()),
            ])?;
        }
    }
    Ok(())
}

fn evidence_json(decision: &Decision) -> Vec<Value> {
    decision
        .evidence()
        .iter()
        .map(|evidence| {
            json!({
                "kind": evidence.kind().name(),
                "side": evidence.side().name(),
                "charset": evidence.charset().map(Charset::name),
                "offset": evidence.offset(),
                "length": evidence.length(),
                "detail": evidence.detail(),
            })
        })
        .collect()
}
