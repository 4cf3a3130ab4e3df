//! Chooses a charset, then decodes the text.
//!
//! [`decide`] weighs the label against the octets and returns its evidence; [`decode`] decodes a body in
//! the charset that it chooses. [`field`](field()) is for header fields,
//! [`Parameter::text`](crate::header::Parameter::text) for parameters, [`addresses`](addresses()) for
//! address lists. [`header`](crate::header) parses the syntax, and [`charset`] decodes the octets.
//!
//! RFC 2045, section 5.2, RFC 2046, section 4.1.2, RFC 6657 and RFC 7303, section 3, define the meaning
//! of a label and of a missing label. RFC 7103, section 7.6, lists when to distrust a label. Declarations
//! inside a document are parsed by the rules of HTML (the prescan), XML and CSS. Not supported: the code
//! page of an RTF document, and languages.
//!
//! ```
//! use mime_charset::{Options, decode::{self, Context}, header};
//!
//! let options = Options::new();
//! let content_type = header::content_type(b"text/plain; charset=us-ascii; name*=''%C3%A9.txt");
//! let context = Context::new().label(content_type.charset());
//! let body = decode::decode(b"caf\xC3\xA9", &context);
//! assert_eq!(body.as_str(), "café");
//! let name = content_type.parameter("name").unwrap().text();
//! assert_eq!(name.as_str(), "é.txt");
//! ```

use std::borrow::Cow;
use std::ops::Range;

use crate::charset::{self, Charset, Decoded};
use crate::header::ContentType;
use crate::label::Label;

mod addresses;
mod body;
mod byte_order_mark;
mod characters;
mod context;
mod contradiction;
mod decision;
mod document;
mod evidence;
mod field;
mod field_decoder;
mod field_text;
mod octets;
mod parameter;
mod pieces;
mod quoting;
mod raw_octets;
mod reading;
mod suspicion;
mod text_reader;
mod under_label;
mod units;
mod unlabelled;
mod unneeded;
mod weighing;
mod word_joins;
mod words;

pub(crate) use addresses::address_text;
pub use addresses::{Address, Addresses, Mailbox, addresses, addresses_with};
use body::add_findings;
pub(crate) use body::read_start;
use byte_order_mark::skip_bom;
pub use context::Context;
pub(crate) use context::{Surroundings, TextForm, TextToCompare};
pub use decision::{Decision, decide};
pub use evidence::{Evidence, EvidenceKind, Side};
pub use field::field;
pub(crate) use field::phrase;
pub(crate) use field::{FieldBody, charset_of_raw_text, differ_in_words_alone};
pub use field_text::{CharsetUse, FieldText};
pub(crate) use octets::{DecisionOctets, LazyBody};
pub(crate) use pieces::{BodyFormat, ONE_PIECE, Observer, PieceSearch, TextPieces, begins_line};
pub(crate) use reading::Layout;
pub use reading::{Reading, reading_text};
pub use suspicion::encoded_once;
pub use text_reader::TextReader;
pub(crate) use under_label::{charset_of_label, may_be_guessed};
pub(crate) use unneeded::Unneeded;
pub(crate) use weighing::{Choice, Wanted, Weighing};

/// Decodes `octets`, a body without its transfer encoding, to text.
///
/// [`decide`] chooses the charset. The findings of the decision come first, then those of the text;
/// offsets are into `octets`. A byte order mark at the start is removed and reported, unless
/// [`Options::keep_bom`](crate::Options::keep_bom) keeps it.
///
/// ```
/// use mime_charset::{Label, Source, decode::{self, Context}};
///
/// let label = Label::new("ks_c_5601-1987");
/// let context = Context::new().label(Some(&label));
/// let decoded = decode::decode(b"\xC7\xD1\xB1\xB9", &context);
/// assert_eq!(decoded.as_str(), "한국");
/// assert_eq!(decoded.source(), Source::Declared);
///
/// // The label is Latin-1, but the octets are UTF-8.
/// let label = Label::new("iso-8859-1");
/// let context = Context::new().label(Some(&label));
/// let decoded = decode::decode("한국".as_bytes(), &context);
/// assert_eq!(decoded.as_str(), "한국");
/// assert_eq!(decoded.source(), Source::Evidence);
///
/// let page = b"<meta charset=euc-kr><p>\xC7\xD1\xB1\xB9";
/// let context = Context::new().media_type(Some("text/html"));
/// assert!(decode::decode(page, &context).as_str().ends_with("한국"));
/// ```
#[must_use]
pub fn decode<'a>(octets: &'a [u8], context: &Context<'_>) -> Decoded<'a> {
    read(Weighing::of(octets, context), None)
}

/// Decodes the octets of `weighing`; `buffer` receives the text.
pub(crate) fn read<'a>(
    mut weighing: Weighing<'a, '_>,
    buffer: Option<&'a mut String>,
) -> Decoded<'a> {
    let octets = weighing.octets();
    let options = &weighing.context.options;
    let choice = weighing.decide();
    let mut report = std::mem::take(&mut weighing.report);
    if options.partial {
        return read_start(octets, choice, report, options);
    }
    let charset = choice.charset;
    let (skipped, body) = if options.keeps_bom {
        (0, octets)
    } else {
        skip_bom(octets, charset)
    };
    // UTF-8 that the decision has validated needs no decoding.
    let validated = if charset == Charset::UTF_8 && !options.remaps(charset) {
        weighing.facts.utf8().and_then(|text| text.get(skipped..))
    } else {
        None
    };
    let mut decoded = match (validated, buffer) {
        (Some(text), _) => Decoded::borrowed(text, charset),
        (None, Some(buffer)) => charset.decode_into(body, options, buffer),
        (None, None) => charset.decode_with(body, options),
    };
    decoded.source = choice.source;
    // Borrowed text equals its octets, so it is ASCII if they are.
    let is_ascii = weighing.facts.is_ascii() && matches!(decoded.text, Cow::Borrowed(_));
    let mut unneeded = Unneeded::default();
    unneeded.add(&decoded.text, is_ascii);
    let found = std::mem::take(&mut decoded.report);
    add_findings(&mut report, skipped, found);
    unneeded.into_report(&mut report);
    decoded.report = report;
    decoded
}

/// The charset declaration inside a document (HTML, XML, CSS), with its range and its label. `None` if
/// the declaration names UTF-8.
pub(crate) fn other_declaration(
    text: &str,
    media_type: &str,
) -> Option<(Range<usize>, Label<'static>)> {
    let found = document::declaration(text.as_bytes(), media_type)?;
    let range = found.offset..found.offset + found.length;
    // HTML in ASCII octets that declares UTF-16 is decoded as UTF-8, but the declaration is wrong.
    let written = text.as_bytes().get(range.clone())?;
    let named = charset::resolve(&Label::new(written.trim_ascii())).charset;
    (named != Some(Charset::UTF_8)).then(|| (range, found.label.into_owned()))
}

/// Changes the charset declaration of a document, in the `meta` element of HTML, in XML or in CSS, to
/// UTF-8, so that the text can be saved or displayed. Borrowed if the document declares no other charset.
///
/// ```
/// use mime_charset::{decode::declare_utf8, header};
///
/// let html = header::content_type(b"text/html; charset=koi8-r");
/// let page = declare_utf8("<meta charset=koi8-r>Привет", &html);
/// assert_eq!(page, "<meta charset=UTF-8>Привет");
/// ```
#[must_use]
pub fn declare_utf8<'t>(text: &'t str, content_type: &ContentType<'_>) -> Cow<'t, str> {
    let Some((range, _)) = other_declaration(text, content_type.media_type()) else {
        return Cow::Borrowed(text);
    };
    let mut text = text.to_owned();
    text.replace_range(range, "UTF-8");
    Cow::Owned(text)
}
