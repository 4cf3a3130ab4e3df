//! Which charset, and on whose word; then the text.
//!
//! [`decide`] weighs what a label says against what the octets prove, and shows its evidence;
//! [`decode`] reads a body as decided. [`field`] is for header fields, [`parameter`] for the
//! values of their parameters, [`phrase`] for display names. Syntax comes from
//! [`header`](crate::header), meaning from [`charset`](crate::charset).
//!
//! RFC 2045, section 5.2, RFC 2046, section 4.1.2, RFC 6657 and RFC 7303, section 3, say what
//! a label and its absence mean, RFC 7103, section 7.6, when not to believe one. What a
//! document says of itself is read as the HTML standard's prescan, XML and CSS have it. Left
//! out: the code page of an RTF document, and languages.
//!
//! ```
//! use mime_charset::{Options, decode, header};
//!
//! let options = Options::new();
//! let content_type = header::content_type(b"text/plain; charset=us-ascii; name*=''%C3%A9.txt");
//! let body = decode::decode(b"caf\xC3\xA9", content_type.charset(), &options);
//! assert_eq!(body.text(), "café");
//! let name = decode::parameter(content_type.parameter("name").unwrap(), &options);
//! assert_eq!(name.text(), "é.txt");
//! ```

use crate::charset::{Bom, Charset, Decoded, Options};
use crate::label::Label;
use crate::report::{Kind, Report};

mod decision;
mod document;
mod field;

pub use decision::{Context, Decision, Evidence, Stance, Witness, decide};
pub use field::{CharsetUse, FieldText, field, parameter, phrase};

/// The text of a body: `octets` as they are when the transfer encoding is undone.
///
/// `label` is the value of the charset parameter, if there is one. [`decide`] says in which
/// order a charset is looked for and what may override the label; [`decode_in`] takes more to
/// go by than a label. A byte order mark at the start is left out of the text and reported,
/// unless [`Options::bom`] keeps it.
///
/// ```
/// use mime_charset::{Label, Options, Source, decode};
///
/// let label = Label::new("ks_c_5601-1987");
/// let decoded = decode::decode(b"\xC7\xD1\xB1\xB9", Some(&label), &Options::new());
/// assert_eq!(decoded.text(), "한국");
/// assert_eq!(decoded.source(), Source::Declared);
///
/// // The label says Latin-1, the octets say otherwise.
/// let label = Label::new("iso-8859-1");
/// let decoded = decode::decode("한국".as_bytes(), Some(&label), &Options::new());
/// assert_eq!(decoded.text(), "한국");
/// assert_eq!(decoded.source(), Source::Evidence);
/// ```
#[must_use]
pub fn decode<'a>(octets: &'a [u8], label: Option<&Label<'_>>, options: &Options) -> Decoded<'a> {
    decode_in(octets, &Context::new().label(label).options(*options))
}

/// The text of a body, with everything around it that bears on its charset.
///
/// The charset is the one that [`decide`] chooses; the findings are those of the decision,
/// then those of the text, and count `octets`.
///
/// ```
/// use mime_charset::decode::{self, Context};
///
/// let page = b"<meta charset=euc-kr><p>\xC7\xD1\xB1\xB9";
/// let context = Context::new().media_type(Some("text/html"));
/// assert!(decode::decode_in(page, &context).text().ends_with("한국"));
/// ```
#[must_use]
pub fn decode_in<'a>(octets: &'a [u8], context: &Context<'_>) -> Decoded<'a> {
    let decision = decide(octets, context);
    let options = context.settings();
    let (skipped, body) = match options.bom {
        Bom::Strip => skip_bom(octets, decision.charset()),
        Bom::Keep => (0, octets),
    };
    let mut decoded = decision.charset().decode_with(body, options);
    decoded.source = decision.source();
    let mut report = decision.into_report();
    if skipped > 0 {
        report.add_in_octets(Kind::BomRemoved, 0, skipped, "");
    }
    report.absorb_octets(std::mem::take(&mut decoded.report), skipped);
    flag_nul(&decoded.text, &mut report);
    decoded.report = report;
    decoded
}

/// The byte order mark that a body in `charset` begins with: how many octets it has, and
/// what is behind it. UTF-16 and UTF-32 without a fixed order read theirs themselves.
fn skip_bom(octets: &[u8], charset: Charset) -> (usize, &[u8]) {
    let mark: &[u8] = match charset.name() {
        "UTF-8" | "UNICODE-1-1-UTF-8" | "CESU-8" => b"\xEF\xBB\xBF",
        "UTF-16BE" => b"\xFE\xFF",
        "UTF-16LE" => b"\xFF\xFE",
        "UTF-32BE" => b"\x00\x00\xFE\xFF",
        "UTF-32LE" => b"\xFF\xFE\x00\x00",
        _ => return (0, octets),
    };
    octets
        .strip_prefix(mark)
        .map_or((0, octets), |body| (mark.len(), body))
}

/// NUL stays in the text, since what is exact leaves nothing out, and is reported once with
/// its number (RFC 5322, section 4; RFC 7103, section 7.6).
fn flag_nul(text: &str, report: &mut Report) {
    if let Some(first) = memchr::memchr(0, text.as_bytes()) {
        let count = memchr::memchr_iter(0, text.as_bytes()).count();
        let detail = format!("{count} of them, the first behind {first} octets of the text");
        report.add_in_octets(Kind::Nul, 0, 0, detail);
    }
}
