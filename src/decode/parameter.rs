//! Decodes the values of parameters (RFC 2231; RFC 2045, section 5.1).

use std::borrow::Cow;

use super::characters::{flag_characters, is_printable, place_at, plain_text};
use super::contradiction::is_settled;
use super::field_decoder::{FieldPieces, Quoting};
use super::field_text::{CharsetUse, FieldText};
use super::raw_octets::{
    BLANKS, charset_with_escapes, flag_kept_escapes, raw_charset, raw_finding,
    without_folds_in_characters,
};
use super::under_label::{DetectedWords, FieldDecision, report_label};
use crate::charset::{Charset, Options};
use crate::header::{self, Few, Parameter, Piece};
use crate::label::Label;
use crate::report::{Kind, Report, Source};

impl<'a> Parameter<'a> {
    /// The text of the value with default [`Options`] (RFC 2231; RFC 2045, section 5.1). It borrows from
    /// the field body, not from the parameter.
    ///
    /// ```
    /// use mime_charset::header;
    ///
    /// let field = header::content_disposition(b"attachment; filename*=euc-kr''%C7%D1.txt; Size=1");
    /// assert_eq!(field.parameter("Filename").unwrap().text(), "한.txt");
    ///
    /// // All of them, as BODYSTRUCTURE in IMAP has them (RFC 3501, section 7.4.2).
    /// let pairs: Vec<_> = field.parameters().iter().map(|one| (one.name(), one.text())).collect();
    /// assert_eq!((pairs[1].0, pairs[1].1.as_str()), ("size", "1"));
    /// ```
    #[must_use]
    pub fn text(&self) -> FieldText<'a> {
        self.text_with(&Options::new())
    }

    /// The text of the value with these options.
    ///
    /// An extended value is decoded in the charset that it names, unless the octets disprove that label,
    /// as for a body. An extended value that names no charset is decoded like an unlabelled body. Octets
    /// above 7F in other values are decoded like raw octets of a [`field`](super::field()). RFC 2047,
    /// section 5, forbids encoded words in a value, but many mailers write them: they are decoded and
    /// reported. Findings have the offset of the parameter in the field body.
    ///
    /// ```
    /// use mime_charset::{Charset, Options, header};
    ///
    /// let field = header::content_disposition(b"inline; filename=\"\xC1\xED\xED\xE1\"");
    /// let greek = Options::new().hint(Charset::for_label("iso-8859-7"));
    /// assert_eq!(field.parameter("filename").unwrap().text_with(&greek), "Αννα");
    /// ```
    #[must_use]
    pub fn text_with(&self, options: &Options) -> FieldText<'a> {
        printable(self)
            .or_else(|| encoded_words(self, options))
            .unwrap_or_else(|| octets_in_charset(self, options))
    }
}

/// Fast path for most values: if a value names no charset and is printable ASCII without encoded words,
/// it is its own text.
fn printable<'a>(parameter: &Parameter<'a>) -> Option<FieldText<'a>> {
    if parameter.label().is_some() {
        return None;
    }
    match parameter.source_octets() {
        Some(octets) => plain_text(octets).map(FieldText::plain),
        None => plain_text(parameter.octets()).map(|text| FieldText::owned(text.to_owned())),
    }
}

/// The text of a value with encoded words. If the value names a charset and has `=?` but no complete
/// encoded word, returns `None`: the value is text in that charset.
fn encoded_words(parameter: &Parameter<'_>, options: &Options) -> Option<FieldText<'static>> {
    let words = parameter.words()?;
    let is_word = |piece: &Piece<'_>| matches!(piece, Piece::Word(_));
    if parameter.label().is_some() && !words.as_slice().iter().any(is_word) {
        return None;
    }
    let (offset, length) = (parameter.offset(), parameter.length());
    let (pieces, words_report) = words.into_parts();
    // Quotes, folds and sections separate offsets in the value from those in the field, so findings get
    // the place of the whole parameter.
    let mut report = Report::new();
    place_at(&words_report, offset, length, &mut report);
    let octets = parameter.octets();
    let text = FieldPieces {
        pieces: &pieces,
        body: octets,
        quoting: Quoting::Never,
    }
    .decode(Report::new(), options);
    let mut text = text.into_owned();
    place_at(&text.report, offset, length, &mut report);
    text.report = report;
    for charset in text.charsets.as_mut_slice() {
        (charset.offset, charset.length) = (offset, length);
    }
    Some(text)
}

/// The text of a value without encoded words. An extended value is decoded in the charset that it names,
/// unless its octets disprove it; raw octets are decoded in the most likely charset.
fn octets_in_charset<'a>(parameter: &Parameter<'a>, options: &Options) -> FieldText<'a> {
    let octets = parameter.octets();
    let mut whole = Cow::Borrowed(octets);
    let mut report = Report::new();
    let decided = if let Some(label) = label_of(parameter) {
        match Charset::for_label_octets(label.as_bytes()) {
            Some(charset) if is_certain(charset, octets, options) => (charset, Source::Declared),
            _ => {
                let decided = FieldDecision::of(&label, octets, options, DetectedWords::default());
                let place = (parameter.offset(), parameter.length());
                if decided.source != Source::Forced {
                    report_label(&label, place, &mut report);
                }
                place_at(&decided.report, place.0, place.1, &mut report);
                (decided.charset, decided.source)
            }
        }
    } else {
        let decide = |octets: &[u8]| {
            let escaped = charset_with_escapes(octets, options);
            escaped.unwrap_or_else(|| raw_charset(octets, options))
        };
        // The value is already unfolded: a fold inside a character has left only its blank.
        whole = without_folds_in_characters(octets, BLANKS);
        let decided = decide(&whole);
        if whole.len() < octets.len() && decided.0 != Charset::UTF_8 {
            // In a charset other than UTF-8, the blank is not inside a character.
            whole = Cow::Borrowed(octets);
            decide(octets)
        } else {
            decided
        }
    };
    plain_instead(parameter, decided, options)
        .unwrap_or_else(|| decode_in_charset(parameter, &whole, decided, report, options))
}

/// The label of an extended value (RFC 2231, section 4); empty if the value has octets above 7F but names
/// no charset. `None` for other values.
fn label_of<'p>(parameter: &'p Parameter<'_>) -> Option<Cow<'p, Label<'p>>> {
    let is_unnamed = parameter.is_extended() && !parameter.octets().is_ascii();
    let label = parameter.label().map(Cow::Borrowed);
    label.or_else(|| is_unnamed.then(|| Cow::Owned(Label::new(""))))
}

/// Fast path: whether the declared charset is certain, so that the decision would neither change it nor
/// report anything.
fn is_certain(charset: Charset, octets: &[u8], options: &Options) -> bool {
    charset.is_declarable()
        && !options.remaps(charset)
        && is_settled(charset, octets)
        && !(charset == Charset::UTF_8 && may_be_suspect(octets))
}

/// Whether the decision may report UTF-8 as encoded twice (two characters that begin with C3) or as
/// Hangul from before Amendment 5 (U+3400 to U+4DFF).
fn may_be_suspect(octets: &[u8]) -> bool {
    let Some(first) = memchr::memchr3(0xC3, 0xE3, 0xE4, octets) else {
        return false;
    };
    let rest = octets.get(first..).unwrap_or_default();
    let old_hangul = &b"\xE3\x90"[..]..=&b"\xE4\xB7"[..];
    let is_old_hangul = |at: usize| {
        let lead = rest.get(at..at + 2);
        lead.is_some_and(|lead| old_hangul.contains(&lead))
    };
    memchr::memchr_iter(0xC3, rest).nth(1).is_some()
        || memchr::memchr2_iter(0xE3, 0xE4, rest).any(is_old_hangul)
}

/// Decodes `octets`, the value without blanks that split a character, in the chosen charset. `report` has
/// the findings of that choice.
fn decode_in_charset<'a>(
    parameter: &Parameter<'a>,
    octets: &[u8],
    (charset, source): (Charset, Source),
    mut report: Report,
    options: &Options,
) -> FieldText<'a> {
    let (offset, length) = (parameter.offset(), parameter.length());
    let has_label = label_of(parameter).is_some();
    let was_split = octets.len() < parameter.octets().len();
    let decoded = match parameter.source_octets().filter(|_| !was_split) {
        Some(octets) => charset.decode_with(octets, options),
        None => charset.decode_with(octets, options).into_owned(),
    };
    let is_default = (charset, source) == (Charset::US_ASCII, Source::Default);
    if !has_label && is_default {
        flag_kept_escapes(octets, (offset, length), &mut report);
    } else if !has_label {
        let is_exact = decoded.report().replacements() == 0 && !was_split;
        raw_finding(
            octets,
            (charset, source),
            is_exact,
            (offset, length),
            &mut report,
        );
    }
    place_at(decoded.report(), offset, length, &mut report);
    let charset = decoded.charset();
    let text = decoded.into_text();
    flag_characters(&text, offset, length, &mut report);
    let charsets = if text.is_ascii() && !has_label {
        Few::None
    } else {
        Few::One(CharsetUse {
            offset,
            length,
            charset,
            source,
        })
    };
    FieldText {
        text,
        charsets,
        report,
    }
}

/// The text of the plain value, if the charset of the extended value is only a guess.
///
/// RFC 8187, section 3.2.1, lets a reader ignore an extended value whose octets are malformed in its
/// charset. The sender added the plain value for readers that cannot decode the extended value (RFC
/// 6266, section 4.3). If the plain value is US-ASCII, its text is certain. A charset proved by the
/// octets is not a guess.
fn plain_instead(
    parameter: &Parameter<'_>,
    (charset, source): (Charset, Source),
    options: &Options,
) -> Option<FieldText<'static>> {
    const SHOWN: usize = 64;
    let plain = parameter.plain()?;
    let is_line = is_printable(plain) && memchr::memchr2(b'\r', b'\n', plain).is_none();
    let is_text = is_line && !header::has_opening(plain);
    let text = std::str::from_utf8(plain).ok().filter(|_| is_text)?;
    let octets = parameter.octets();
    let is_guess = !octets.is_ascii() && matches!(source, Source::Detected | Source::Default);
    if text.is_empty() || !is_guess && charset.is_decoded() && charset.reads(octets, options) {
        return None;
    }
    let mut report = Report::new();
    let shown = octets.get(..SHOWN).unwrap_or(octets).escape_ascii();
    let detail = match parameter.label() {
        Some(label) => format!("no text in {label:.64}, so the plain value is used: {shown}"),
        None => format!("text in no charset, so the plain value is used: {shown}"),
    };
    let (offset, length) = (parameter.offset(), parameter.length());
    report.add(Kind::ExtendedSyntax, offset, length, detail);
    flag_kept_escapes(plain, (offset, length), &mut report);
    Some(FieldText {
        text: Cow::Owned(text.to_owned()),
        charsets: Few::None,
        report,
    })
}
