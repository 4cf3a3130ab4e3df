//! Proves that unchanged fields and bodies are still decoded in the same way.
//!
//! The charset of raw octets in a field, and of text without a usable label, is inferred from the rest
//! of the message (RFC 7103, section 7.7). A conversion changes the rest: labels and words now name
//! UTF-8, not the charset of the raw text next to them.

use super::change::Change;
use super::changed;
use super::fields::{FieldReading, have_same_meaning};
use super::options::Conversion;
use crate::charset::utf8;
use crate::decode;
use crate::error::Error;
use crate::header;
use crate::message::Part;

/// Proves that fields with raw or guessed text in the result mean the same.
pub(super) fn check_fields_decode_alike(
    before: Part<'_>,
    after: Part<'_>,
    changes: &[Change],
    options: &Conversion,
) -> Result<(), Error> {
    if !depends_on_surroundings(after.header()) {
        return Ok(());
    }
    let readings = [before, after].map(|part| FieldReading {
        options: &options.decoding,
        hinted: part.with_hint(&options.decoding),
    });
    let [one, other] = &readings;
    if one.hinted == other.hinted {
        return Ok(());
    }
    let mut old = before.fields();
    for new in after.fields() {
        let range = new.range();
        if range.is_some_and(|range| changed::is_added(changes, &range)) {
            continue;
        }
        let Some(old) = old.next() else { break };
        // A new transfer encoding is not compared: the body is.
        let is_reencoded = new
            .name()
            .eq_ignore_ascii_case(b"Content-Transfer-Encoding")
            && before.transfer_encoding() != after.transfer_encoding();
        if is_reencoded || !depends_on_surroundings(new.body()) {
            continue;
        }
        let syntax = header::syntax(new.name());
        if !have_same_meaning(new.name(), [old.body(), new.body()], syntax, [one, other]) {
            let name = String::from_utf8_lossy(new.name());
            let at = new.body_offset();
            let what = format!("raw text of {name:.64}");
            return Err(decoded_differently(&what, at));
        }
    }
    Ok(())
}

/// Proves that a part has the same text if neither its body nor its label was changed.
pub(super) fn check_body_decodes_alike(
    before: Part<'_>,
    after: Part<'_>,
    options: &Conversion,
) -> Result<(), Error> {
    let decoding = &options.decoding;
    let is_same = || before.text_with(decoding).as_str() == after.text_with(decoding).as_str();
    if before.charset(decoding) == after.charset(decoding) || is_same() {
        return Ok(());
    }
    let what = format!("the text of part {}", after.section());
    Err(decoded_differently(&what, after.body_offset()))
}

fn decoded_differently(what: &str, at: usize) -> Error {
    let sentence = format!("expected {what} to decode as before, found different text (at {at})");
    Error::at(at, sentence)
}

/// Whether a header or a field body contains text whose charset is inferred from the rest of the
/// message.
fn depends_on_surroundings(octets: &[u8]) -> bool {
    utf8::well_formed(octets).is_none() || decode::may_be_guessed(octets)
}
