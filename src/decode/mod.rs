//! Which charset, and on whose word; then the text.
//!
//! [`decide`] weighs what a label says against what the octets prove, and shows its evidence;
//! [`decode`] reads a body as decided. [`field`] is for header fields,
//! [`Parameter::text`](crate::header::Parameter::text) for parameters, [`addresses`] for lists of addresses. Syntax comes from
//! [`header`](crate::header), meaning from [`charset`](crate::charset).
//!
//! RFC 2045, section 5.2, RFC 2046, section 4.1.2, RFC 6657 and RFC 7303, section 3, say what a
//! label means, and what it means that there is none. RFC 7103, section 7.6, says when not to
//! believe a label. Declarations inside a document are read as the prescan of the HTML Standard,
//! XML and CSS prescribe. Left out: the code page of an RTF document, and languages.
//!
//! ```
//! use mime_charset::{Options, decode, header};
//!
//! let options = Options::new();
//! let content_type = header::content_type(b"text/plain; charset=us-ascii; name*=''%C3%A9.txt");
//! let body = decode::decode(b"caf\xC3\xA9", content_type.charset(), &options);
//! assert_eq!(body.as_str(), "café");
//! let name = content_type.parameter("name").unwrap().text();
//! assert_eq!(name.as_str(), "é.txt");
//! ```

use std::borrow::Cow;
use std::ops::Range;

use crate::charset::{Bom, Charset, Decoded, Options};
use crate::label::Label;
use crate::report::{Kind, Report};

mod addresses;
mod assembly;
mod byte_order_mark;
mod characters;
mod context;
mod contradiction;
mod decision;
mod document;
mod evidence;
mod few;
mod field;
mod field_text;
mod octets;
mod parameter;
mod pieces;
mod quoting;
mod raw_octets;
mod strict_text;
mod suspicion;
mod text_reader;
mod under_label;
mod units;
mod unlabelled;
mod unneeded;
mod weighing;
mod words;

pub use addresses::{Address, Addresses, Group, Mailbox, addresses, addresses_with};
use byte_order_mark::skip_bom;
pub use context::Context;
pub(crate) use context::{Rest, origin};
pub use decision::{ChosenCharset, Decision, decide};
pub(crate) use decision::{choose_in, decide_in};
pub use evidence::{Evidence, EvidenceKind, Side};
pub use field::field;
pub(crate) use field::phrase;
pub(crate) use field::{FieldBody, charset_of_raw_text, differ_in_words_alone};
pub use field_text::{CharsetUse, FieldText};
pub(crate) use octets::{Body, Octets};
pub(crate) use pieces::{Before, How, ONE_PIECE, Observer, Seam, TextPieces};
pub use text_reader::TextReader;
pub(crate) use under_label::{charset_of_label, may_be_guessed};
pub(crate) use unneeded::Unneeded;
use weighing::{Wanted, Weighing};

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
/// assert_eq!(decoded.as_str(), "한국");
/// assert_eq!(decoded.source(), Source::Declared);
///
/// // The label says Latin-1, the octets say otherwise.
/// let label = Label::new("iso-8859-1");
/// let decoded = decode::decode("한국".as_bytes(), Some(&label), &Options::new());
/// assert_eq!(decoded.as_str(), "한국");
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
/// assert!(decode::decode_in(page, &context).as_str().ends_with("한국"));
/// ```
#[must_use]
pub fn decode_in<'a>(octets: &'a [u8], context: &Context<'_>) -> Decoded<'a> {
    read(octets, context, None, None)
}

/// [`decode_in`] for callers who read millions of texts: the text is in `buffers` where it is
/// not the octets themselves, so that no memory is taken for it once they have grown.
///
/// ```
/// use mime_charset::decode::{self, Buffers, Context};
/// use mime_charset::Label;
///
/// let label = Label::new("koi8-r");
/// let context = Context::new().label(Some(&label));
/// let mut buffers = Buffers::new();
/// let mut letters = 0;
/// for octets in [b"\xF0\xD2\xC9", b"\xD7\xC5\xD4"] {
///     letters += decode::decode_into(octets, &context, &mut buffers).as_str().chars().count();
/// }
/// assert_eq!(letters, 6);
/// ```
#[must_use]
pub fn decode_into<'b>(
    octets: &'b [u8],
    context: &Context<'_>,
    buffers: &'b mut Buffers,
) -> Decoded<'b> {
    read(octets, context, None, Some(&mut buffers.text))
}

/// Buffers for octets and text, used again for the next text; they grow to what the longest
/// needs.
///
/// [`decode_into`] and [`Part::text_into`](crate::message::Part::text_into) lend a text from
/// them, until the next.
///
/// ```
/// use mime_charset::{Message, Options, decode::Buffers};
///
/// let mut buffers = Buffers::new();
/// for source in [&b"Subject: 1\n\none"[..], b"Content-Transfer-Encoding: base64\n\ndHdv"] {
///     let message = Message::parse(source);
///     for part in message.parts() {
///         let decoded = part.text_into(&Options::new(), &mut buffers);
///         assert!(["one", "two"].contains(&decoded.as_str()));
///     }
/// }
/// ```
#[derive(Debug, Clone, Default)]
pub struct Buffers {
    pub(crate) octets: Vec<u8>,
    pub(crate) text: String,
}

impl Buffers {
    /// Buffers without capacity.
    ///
    /// ```
    /// use mime_charset::decode::{self, Buffers, Context};
    ///
    /// let mut buffers = Buffers::new();
    /// let decoded = decode::decode_into(b"caf\xC3\xA9", &Context::new(), &mut buffers);
    /// assert_eq!(decoded.as_str(), "café");
    /// ```
    #[must_use]
    pub const fn new() -> Self {
        Buffers {
            octets: Vec::new(),
            text: String::new(),
        }
    }
}

/// [`decode_in`], with a message to ask about what the context leaves out, and with a buffer
/// for the text.
pub(crate) fn read<'a>(
    octets: &'a [u8],
    context: &Context<'_>,
    rest: Option<&dyn Rest>,
    buffer: Option<&'a mut String>,
) -> Decoded<'a> {
    let mut weighing = Weighing::new(Octets::All(octets), context, rest, Wanted::Report);
    let (charset, source, _) = weighing.decide();
    let options = &context.options;
    let is_utf8 = charset == Charset::UTF_8 && !options.remaps(charset) && !options.partial;
    let known = Validated {
        // What the decision has validated is text already.
        text: if is_utf8 { weighing.known.utf8() } else { None },
        is_ascii: weighing.known.is_ascii(),
    };
    let report = std::mem::take(&mut weighing.report);
    read_as(
        octets,
        ChosenCharset::new(charset, source),
        &known,
        report,
        options,
        buffer,
    )
}

/// The text of octets that go on, in a charset that was chosen by more of them.
pub(crate) fn read_start<'a>(
    octets: &'a [u8],
    chosen: ChosenCharset,
    options: &Options,
) -> Decoded<'a> {
    let options = options.partial(true);
    read_as(
        octets,
        chosen,
        &Validated::default(),
        Report::new(),
        &options,
        None,
    )
}

/// What a decision has found out about octets.
#[derive(Default)]
struct Validated<'a> {
    /// They are this text.
    text: Option<&'a str>,
    is_ascii: bool,
}

/// The text of octets in the charset that was chosen, with what was found in choosing it.
fn read_as<'a>(
    octets: &'a [u8],
    chosen: ChosenCharset,
    known: &Validated<'a>,
    mut report: Report,
    options: &Options,
    buffer: Option<&'a mut String>,
) -> Decoded<'a> {
    let charset = chosen.charset();
    let (skipped, body) = match options.bom {
        Bom::Strip => skip_bom(octets, charset),
        Bom::Keep => (0, octets),
    };
    let text = known.text.and_then(|text| text.get(skipped..));
    let mut unread = None;
    let mut decoded = match (text, buffer) {
        _ if options.partial => {
            let (decoded, used) = charset.decode_start(body, options);
            unread = Some(skipped + used..octets.len());
            decoded
        }
        (Some(text), _) => Decoded::borrowed(text, charset),
        (None, Some(buffer)) => charset.decode_into(body, options, buffer),
        (None, None) => charset.decode_with(body, options),
    };
    decoded.source = chosen.source();
    if skipped > 0 {
        report.add_in_octets(Kind::BomRemoved, 0, skipped, "");
    }
    if !decoded.report.is_empty() {
        report.absorb_octets(std::mem::take(&mut decoded.report), skipped);
    }
    if let Some(unread) = unread {
        report.add_in_octets(Kind::Partial, unread.start, unread.len(), "");
    }
    // Text that is the octets is ASCII where they are.
    let is_ascii = known.is_ascii && matches!(decoded.text, Cow::Borrowed(_));
    let mut unneeded = Unneeded::default();
    unneeded.look(&decoded.text, is_ascii);
    unneeded.into_report(&mut report);
    decoded.report = report;
    decoded
}

/// Where a document declares its own charset, and what the declaration says.
pub(crate) fn declaration(
    octets: &[u8],
    media_type: &str,
) -> Option<(Range<usize>, Label<'static>)> {
    let found = document::declaration(octets, media_type)?;
    let range = found.offset..found.offset + found.length;
    Some((range, found.label.into_owned()))
}
