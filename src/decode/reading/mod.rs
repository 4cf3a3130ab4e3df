//! Text for people: flowed lines joined, markup removed.
//!
//! The exact text of a part is the text that its octets decode to. The reading text is the text that a
//! mail program shows to the reader:
//!
//! - text/plain: without uuencoded files, which are attachments
//!   ([`Part::uuencoded`](crate::message::Part::uuencoded));
//! - text/plain with `format=flowed`: one line per paragraph (RFC 3676, section 4);
//! - text/html: the text of the page as a browser shows it, by the tokenization of the HTML
//!   Standard and the rules of its `innerText`;
//! - text/enriched (RFC 1896) and text/richtext (RFC 1341, section 7.1.3): without their commands;
//! - other text, including RTF: the exact text.
//!
//! Every line of a reading text ends with a line feed.

use std::borrow::Cow;

use crate::charset::Decoded;
use crate::header::ContentType;
use crate::report::Kind;
use crate::transfer::uuencoded_ranges;

mod elements;
mod enriched;
mod flowed;
mod html;
mod lines;
mod options;
mod preview;

use lines::with_line_feeds;
pub use options::Reading;

/// The reading text of `text`, the exact text of a part with this Content-Type. Borrowed if it equals
/// `text`.
///
/// Markup of any depth and with any number of errors is parsed as in browsers, with two exceptions:
/// formatting elements such as `b` are not opened again after the block around them, and misplaced
/// content of a table is not moved. The time is linear in the length of the text. Beyond a depth of 256,
/// only hidden elements are tracked.
///
/// ```
/// use mime_charset::{decode::{Reading, reading_text}, header};
///
/// // RFC 3676, section 4.2, and DelSp for text without blanks between words.
/// let flowed = header::content_type(b"text/plain; format=flowed; delsp=yes");
/// let text = "これは長い \r\n段落です。\r\n";
/// assert_eq!(reading_text(text, &flowed, Reading::new()), "これは長い段落です。\n");
/// ```
#[must_use]
pub fn reading_text<'t>(
    text: &'t str,
    content_type: &ContentType<'_>,
    reading: Reading,
) -> Cow<'t, str> {
    Layout::of(content_type.media_type(), content_type).read(text, reading)
}

/// The format of an exact text, which determines the reading text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Layout {
    /// Only line endings change.
    Fixed,
    /// text/plain.
    Plain,
    /// text/plain with flowed lines (RFC 3676). If `delsp` is set, the blank that makes a line flow is
    /// deleted.
    Flowed {
        delsp: bool,
    },
    Html,
    /// RFC 1896.
    Enriched,
    /// RFC 1341, section 7.1.3.
    Richtext,
}

impl Layout {
    /// The layout for a text of this media type and Content-Type.
    pub(crate) fn of(media_type: &str, content_type: &ContentType<'_>) -> Self {
        let is = |name: &str, value: &[u8]| {
            let parameter = content_type.parameter(name);
            parameter.is_some_and(|it| it.octets().trim_ascii().eq_ignore_ascii_case(value))
        };
        match media_type {
            "text/plain" if is("format", b"flowed") => Layout::Flowed {
                delsp: is("delsp", b"yes"),
            },
            "text/plain" => Layout::Plain,
            "text/html" | "application/xhtml+xml" => Layout::Html,
            "text/enriched" => Layout::Enriched,
            "text/richtext" => Layout::Richtext,
            _ => Layout::Fixed,
        }
    }

    /// The reading text of decoded text, with its charset and its report.
    pub(crate) fn lay_out(self, decoded: Decoded<'_>, reading: Reading) -> Decoded<'_> {
        let text = match decoded.text {
            Cow::Borrowed(text) => self.read(text, reading),
            Cow::Owned(text) => match self.read(&text, reading) {
                Cow::Owned(read) => Cow::Owned(read),
                Cow::Borrowed(_) => Cow::Owned(text),
            },
        };
        Decoded { text, ..decoded }
    }

    /// The preview of decoded text, and whether it is settled: later text cannot change it.
    pub(crate) fn preview(
        self,
        mut decoded: Decoded<'_>,
        characters: usize,
    ) -> (Decoded<'static>, bool) {
        let reading = self.read(&decoded.text, Reading::new().quotes(true));
        let preview::Preview {
            line,
            is_cut,
            is_settled,
        } = preview::preview(&reading, characters);
        if is_cut && !decoded.report.has(Kind::Partial) {
            decoded.report.add_in_octets(Kind::Partial, 0, 0, "");
        }
        // A `begin` line may start a uuencoded file. Only the whole text shows whether it does.
        let may_have_file = matches!(self, Layout::Plain | Layout::Flowed { .. })
            && decoded.text.lines().any(|line| line.starts_with("begin "));
        let text = Cow::Owned(line);
        (Decoded { text, ..decoded }, is_settled && !may_have_file)
    }

    /// The reading text of `text`.
    pub(crate) fn read(self, text: &str, reading: Reading) -> Cow<'_, str> {
        match self {
            Layout::Fixed => with_line_feeds(text),
            Layout::Plain => match without_files(text) {
                Cow::Borrowed(text) => with_line_feeds(text),
                Cow::Owned(text) => Cow::Owned(with_line_feeds(&text).into_owned()),
            },
            Layout::Flowed { delsp } => Cow::Owned(flowed::join(&without_files(text), delsp)),
            Layout::Html => Cow::Owned(html::text_of_page(text, reading)),
            Layout::Enriched => Cow::Owned(enriched::text_of_enriched(text, reading)),
            Layout::Richtext => Cow::Owned(enriched::text_of_richtext(text, reading)),
        }
    }
}

/// The text without the lines of uuencoded files.
fn without_files(text: &str) -> Cow<'_, str> {
    let files = uuencoded_ranges(text);
    if files.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut result = String::with_capacity(text.len());
    let mut end = 0;
    for file in files {
        result.push_str(text.get(end..file.start).unwrap_or_default());
        end = file.end;
    }
    result.push_str(text.get(end..).unwrap_or_default());
    Cow::Owned(result)
}
