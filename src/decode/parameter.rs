//! The values of parameters to text (RFC 2231; RFC 2045, section 5.1).

use std::borrow::Cow;

use super::Few;
use super::field::{
    BLANKS, CharsetUse, Decided, FieldText, Quoting, Weighed, escapes_of, flag_characters,
    is_settled, place_at, plain_text, raw_charset, raw_finding, text_of_pieces,
    without_folds_in_characters,
};
use crate::charset::{Charset, Options};
use crate::header::{self, Parameter, Piece};
use crate::report::{Kind, Report, Source};

/// The text of a parameter's value (RFC 2231; RFC 2045, section 5.1).
///
/// An extended value is read in the charset it names, unless its octets prove that wrong, as a
/// body is; like raw octets in a [`field`] where it names none. A plain one that holds encoded words, which RFC 2047, section 5, forbids and
/// many mailers write, is decoded and reported. Findings count octets of the field body and
/// stand at the parameter.
///
/// ```
/// use mime_charset::{Options, decode, header};
///
/// let disposition = header::content_disposition(b"attachment; filename*=euc-kr''%C7%D1.txt");
/// let name = decode::parameter(disposition.parameter("filename").unwrap(), &Options::new());
/// assert_eq!(name.text(), "한.txt");
/// ```
#[must_use]
pub fn parameter<'a>(parameter: &Parameter<'a>, options: &Options) -> FieldText<'a> {
    clean_parameter(parameter, options).unwrap_or_else(|| any_parameter(parameter, options))
}

/// The text of a value of which there is nothing to report; `None` where [`any_parameter`] has
/// to look closer.
fn clean_parameter<'a>(parameter: &Parameter<'a>, options: &Options) -> Option<FieldText<'a>> {
    let Some(label) = parameter.label() else {
        let text = match parameter.source_octets() {
            Some(octets) => Cow::Borrowed(plain_text(octets)?),
            None => Cow::Owned(plain_text(parameter.octets())?.to_owned()),
        };
        return Some(FieldText {
            text,
            charsets: Few::None,
            report: Report::new(),
        });
    };
    let octets = parameter.octets();
    let charset = Charset::for_label(label.as_bytes()).filter(|charset| charset.is_declarable())?;
    if header::has_opening(octets) || options.remaps(charset) {
        return None;
    }
    // UTF-8 may have been encoded twice, which the decision reports.
    let may_be_suspect = charset == Charset::UTF_8 && !octets.is_ascii();
    if may_be_suspect || !is_settled(charset, octets) {
        return None;
    }
    let decoded = charset.decode_with(octets, options);
    let (offset, length) = (parameter.offset(), parameter.length());
    let mut flagged = Report::new();
    flag_characters(decoded.text(), 0, 0, &mut flagged);
    if !decoded.report().is_empty() || !flagged.is_empty() {
        return None;
    }
    Some(FieldText {
        charsets: Few::One(CharsetUse {
            offset,
            length,
            charset: decoded.charset(),
            source: Source::Declared,
        }),
        text: Cow::Owned(decoded.into_text().into_owned()),
        report: Report::new(),
    })
}

/// The text of any parameter's value.
fn any_parameter<'a>(parameter: &Parameter<'a>, options: &Options) -> FieldText<'a> {
    let mut report = Report::new();
    let (offset, length) = (parameter.offset(), parameter.length());
    // A value that declares its charset is in it, but for what are encoded words.
    let is_wanted = |words: &header::Pieces<'_>| {
        let has_words = words
            .pieces()
            .iter()
            .any(|piece| matches!(piece, Piece::Word(_)));
        parameter.label().is_none() || has_words
    };
    if let Some(words) = parameter.words().filter(is_wanted) {
        let (pieces, words_report) = words.into_parts();
        // What counts octets of the value says nothing about the field, where there are
        // quotes, folds and sections.
        place_at(&words_report, offset, length, &mut report);
        let mut text = text_of_pieces(
            &pieces,
            Report::new(),
            parameter.octets(),
            Quoting::Never,
            options,
        )
        .into_owned();
        place_at(&text.report, offset, length, &mut report);
        text.report = report;
        for charset in text.charsets.as_mut_slice() {
            (charset.offset, charset.length) = (offset, length);
        }
        return text;
    }
    let octets = parameter.octets();
    if let Some(text) = plain_beside(parameter, options) {
        return text;
    }
    // Of a fold in a value nothing is left but its blank.
    let joined = match parameter.label() {
        Some(_) => Cow::Borrowed(octets),
        None => without_folds_in_characters(octets, BLANKS),
    };
    let was_split = joined.len() < octets.len();
    let octets: &[u8] = &joined;
    let (charset, source) = match parameter.label() {
        Some(label) => {
            let decided = Decided::of(label, octets, options, Weighed::default());
            place_at(&decided.report, offset, length, &mut report);
            (decided.charset, decided.source)
        }
        None => match escapes_of(octets) {
            Some(charset) => (charset, Source::Evidence),
            None => raw_charset(octets, options),
        },
    };
    let decoded = charset.decode_with(octets, options);
    if parameter.label().is_none() && !octets.is_ascii() {
        let is_sound = decoded.report().replacements() == 0 && !was_split;
        raw_finding(charset, source, is_sound, (offset, length), &mut report);
    } else if parameter.label().is_none() && source == Source::Evidence {
        let detail = charset.said_to_be_read();
        report.add(Kind::DetectedCharset, offset, length, detail);
    }
    place_at(decoded.report(), offset, length, &mut report);
    let charset = decoded.charset();
    let text = decoded.into_text().into_owned();
    flag_characters(&text, offset, length, &mut report);
    let charsets = if text.is_ascii() && parameter.label().is_none() {
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
        text: Cow::Owned(text),
        charsets,
        report,
    }
}

/// The text of the plain value beside an extended one that cannot be read but by guessing.
///
/// RFC 8187, section 3.2.1, lets a reader pass over an extended value that is not text in its
/// charset; the plain one is what the sender meant for those who cannot read the extended one
/// (RFC 6266, section 4.3), and in US-ASCII it is exact. What the octets prove is no guess.
fn plain_beside<'a>(parameter: &Parameter<'_>, options: &Options) -> Option<FieldText<'a>> {
    const SHOWN: usize = 64;
    let text = plain_text(parameter.plain()?)?;
    let octets = parameter.octets();
    let (charset, source) = match parameter.label() {
        Some(label) => {
            let decided = Decided::of(label, octets, options, Weighed::default());
            (decided.charset, decided.source)
        }
        None => raw_charset(octets, options),
    };
    let is_guess = !octets.is_ascii() && matches!(source, Source::Detected | Source::Default);
    if text.is_empty() || !is_guess && charset.is_decoded() && charset.reads(octets, options) {
        return None;
    }
    let mut report = Report::new();
    let shown = octets.get(..SHOWN).unwrap_or(octets).escape_ascii();
    let detail = match parameter.label() {
        Some(label) => format!("no text in {label:.64}, so that the plain value is read: {shown}"),
        None => format!("text in no charset, so that the plain value is read: {shown}"),
    };
    let (offset, length) = (parameter.offset(), parameter.length());
    report.add(Kind::ExtendedSyntax, offset, length, detail);
    Some(FieldText {
        text: Cow::Owned(text.to_owned()),
        charsets: Few::None,
        report,
    })
}
