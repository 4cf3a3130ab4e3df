//! What a conversion left as it was: what it says, before and after.
//!
//! Raw octets of a field, and text whose label leaves its charset open, are read by what stands
//! around them (RFC 7103, section 7.7). That is what a conversion changes: labels and words name
//! another charset now, and no longer the one that raw text beside them is in.

use super::allowed::Allowed;
use super::changed::Changed;
use super::fields::say_the_same;
use crate::charset::utf8;
use crate::decode;
use crate::error::Error;
use crate::header;
use crate::message::Part;

/// Proves that the fields of an entity that are raw or guessed in the result say what they said.
pub(super) fn fields_say_the_same(
    before: Part<'_>,
    after: Part<'_>,
    changed: &Changed<'_>,
    allowed: &Allowed,
) -> Result<(), Error> {
    if !is_open(after.header()) {
        return Ok(());
    }
    let readings = [before, after].map(|part| part.with_hint(&allowed.reading));
    let [one, other] = &readings;
    if one == other {
        return Ok(());
    }
    let mut old = before.fields();
    for new in after.fields() {
        if new.range().is_some_and(|range| changed.is_added(&range)) {
            continue;
        }
        let Some(old) = old.next() else { break };
        if !is_open(new.body()) {
            continue;
        }
        let syntax = header::syntax(new.name());
        if !say_the_same(new.name(), [old.body(), new.body()], syntax, [one, other]) {
            let name = String::from_utf8_lossy(new.name());
            let at = new.body_offset();
            let what = format!("raw text of {name:.64}");
            return Err(otherwise(&what, at));
        }
    }
    Ok(())
}

/// Proves that the text of a part says what it said, where neither its body nor its label was changed.
pub(super) fn body_says_the_same(
    before: Part<'_>,
    after: Part<'_>,
    allowed: &Allowed,
) -> Result<(), Error> {
    let options = &allowed.reading;
    let is_same = || before.text_with(options).as_str() == after.text_with(options).as_str();
    if before.charset(options) == after.charset(options) || is_same() {
        return Ok(());
    }
    let what = format!("the text of part {}", after.section());
    Err(otherwise(&what, after.body_offset()))
}

fn otherwise(what: &str, at: usize) -> Error {
    let sentence =
        format!("expected {what} to be read as before, found it read otherwise (at {at})");
    Error::at(at, sentence)
}

/// Whether octets of a header have something in them that is read by what stands around it.
fn is_open(octets: &[u8]) -> bool {
    utf8::well_formed(octets).is_none() || decode::may_be_guessed(octets)
}
