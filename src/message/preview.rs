//! The text of a body for display, its preview, and truncated bodies.

use std::borrow::Cow;

use super::part::{Part, add_transfer};
use crate::charset::{Decoded, Options};
use crate::decode::{self, Choice, Layout, Reading};
use crate::report::Report;
use crate::transfer;

/// Number of octets that determine the octet order of UTF-16 without a mark, under any transfer
/// encoding.
const UTF16_SAMPLE: usize = 16 << 10;

/// Bodies up to this length, in octets, are decoded at once.
const SHORT: usize = 2 << 10;

impl<'m> Part<'m> {
    /// The text of the part for display, with default [`Options`]: markup removed, flowed lines joined.
    /// Charset, source and report are those of the exact [`text`](Part::text), which
    /// [`decode::reading_text`] lays out.
    ///
    /// ```
    /// use mime_charset::Message;
    ///
    /// let message = Message::parse(
    ///     b"Content-Type: text/html; charset=koi8-r\n\n<p>\xF0\xD2\xC9\xD7\xC5\xD4&#33;<br>2",
    /// );
    /// let part = message.root();
    /// assert_eq!(part.reading_text().as_str(), "Привет!\n2");
    /// assert_eq!(part.text().as_str(), "<p>Привет&#33;<br>2");
    /// ```
    #[must_use]
    pub fn reading_text(self) -> Decoded<'m> {
        self.reading_text_with(&Options::new(), Reading::new())
    }

    /// [`reading_text`](Part::reading_text) with these options.
    ///
    /// ```
    /// use mime_charset::{Message, Options, decode::Reading};
    ///
    /// let message = Message::parse(b"Content-Type: text/html\n\n<a href='http://a.example/'>a</a>");
    /// let text = message.root().reading_text_with(&Options::new(), Reading::new().links(true));
    /// assert_eq!(text.as_str(), "a <http://a.example/>");
    /// ```
    #[must_use]
    pub fn reading_text_with(self, options: &Options, reading: Reading) -> Decoded<'m> {
        self.layout().lay_out(self.text_with(options), reading)
    }

    /// The reading text of `exact`, the exact text of the part, for callers that already have it.
    ///
    /// ```
    /// use mime_charset::{Message, decode::Reading};
    ///
    /// let message = Message::parse(b"Content-Type: text/html\n\na<br>b");
    /// let exact = message.root().text();
    /// assert_eq!(message.root().reading_text_of(exact.as_str(), Reading::new()), "a\nb");
    /// ```
    #[must_use]
    pub fn reading_text_of(self, exact: &str, reading: Reading) -> Cow<'_, str> {
        self.layout().read(exact, reading)
    }

    fn layout(self) -> Layout {
        let content_type = self.content_type();
        let undivided = self.is_undivided().then(|| self.undivided_type());
        Layout::of(
            undivided.unwrap_or(content_type.media_type()),
            &content_type,
        )
    }

    /// The first `characters` of the [reading text](Part::reading_text) on one line, for a list of
    /// messages. Characters are extended grapheme clusters (Unicode Standard Annex #29), which readers
    /// perceive as characters.
    ///
    /// Each run of white space becomes one blank. Invisible characters, such as soft hyphens and
    /// the padding of newsletters, are omitted. So are quoted lines (`>`) and the lines that
    /// introduce them, unless the text has no other lines.
    ///
    /// The charset is chosen first, as by [`Part::charset`]. Then only as much of the body is decoded
    /// as the characters need. A truncated text has a finding of kind
    /// [`Kind::Partial`](crate::Kind::Partial). The other findings are those of the decoded octets,
    /// which may extend beyond the line.
    ///
    /// ```
    /// use mime_charset::{Kind, Message, Options};
    ///
    /// let source = "Content-Type: text/plain; charset=utf-8\n\n\
    ///               On 3 May 1999, Ann wrote:\n> 편지?\n\n한국어 편지\n한 통";
    /// let message = Message::parse(source.as_bytes());
    /// let part = message.parts().next().unwrap();
    /// let preview = part.preview(8, &Options::new());
    /// assert_eq!(preview.as_str(), "한국어 편지 한");
    /// assert!(preview.report().has(Kind::Partial) && !preview.report().has_loss());
    /// assert_eq!(part.preview(100, &Options::new()).as_str(), "한국어 편지 한 통");
    /// ```
    #[must_use]
    pub fn preview(self, characters: usize, options: &Options) -> Decoded<'static> {
        let body = self.body().len();
        let choice = self.choose(options);
        let layout = self.layout();
        // Two octets per character are enough for most text.
        let mut length = characters.saturating_mul(2).saturating_add(SHORT);
        if options.remaps(choice.charset) {
            // Old Hangul can only be recognized in the whole text.
            length = body;
        } else if !choice.charset.is_ascii_superset() {
            length = length.max(UTF16_SAMPLE);
        }
        while length < body {
            let decoded = self.text_of_start(length, choice, options);
            if let (line, true) = layout.preview(decoded, characters) {
                return line;
            }
            length = length.saturating_mul(4);
        }
        layout
            .preview(self.text_with(options).into_owned(), characters)
            .0
    }

    /// The text of the first octets of the body.
    fn text_of_start(self, length: usize, choice: Choice, options: &Options) -> Decoded<'static> {
        let encoding = self.transfer_encoding();
        let body = self.body().get(..length).unwrap_or(self.body());
        let body = body.get(..transfer::decided(body, encoding));
        let body = body.unwrap_or_default();
        let transferred = transfer::decode_with(body, encoding, true, &mut Vec::new());
        let (octets, report) = transferred.at(self.body_offset()).into_parts();
        let mut decoded = decode::read_start(&octets, choice, Report::new(), options);
        if !report.is_empty() {
            add_transfer(report, &mut decoded);
        }
        decoded
    }

    /// The options for this body. Only the last body of a truncated message is partial.
    #[expect(
        clippy::inline_always,
        reason = "it copies the options and tests one flag"
    )]
    #[inline(always)]
    pub(super) fn options_for_body(self, options: &Options) -> Options {
        options.partial(options.partial && self.ends_message())
    }

    /// The octets of the body that are decoded under `options`. In a partial body, these are the octets
    /// that the missing ones cannot change.
    pub(super) fn decodable_octets(self, options: &Options) -> &'m [u8] {
        let body = self.body();
        if !options.partial {
            return body;
        }
        let decided = transfer::decided(body, self.transfer_encoding());
        body.get(..decided).unwrap_or(body)
    }

    /// Whether the body ends the message, so that it is partial if the message is.
    fn ends_message(self) -> bool {
        let ends = |part: Part<'m>| part.entity().body.end >= part.buffer().len();
        let above = std::iter::successors(Some(self), |part| part.parent());
        let mut inside = self.entity().buffer;
        // Enclosing entities in the same buffer end with their last part.
        ends(self)
            && above.skip(1).all(|part| {
                let is_same = std::mem::replace(&mut inside, part.entity().buffer) == inside;
                is_same || ends(part)
            })
    }
}

#[cfg(test)]
mod tests {
    use crate::charset::Options;
    use crate::message::Message;
    use crate::work::work_of;

    /// A preview of a labelled body decodes about as much as it shows, however long the body is:
    /// each attempt decodes four times as much as the one before, and the text after the line is
    /// bounded.
    #[test]
    fn a_preview_decodes_only_what_it_shows() {
        for (encoding, line) in [
            ("base64", "x9Gxub7uIMfRsbm+7iA=\n"),
            ("quoted-printable", "=C7=D1=B1=B9 a=\n"),
            ("8bit", "plain words\n"),
        ] {
            let of = |lines: usize| {
                let head = format!(
                    "Content-Type: text/plain; charset=euc-kr\n\
                     Content-Transfer-Encoding: {encoding}\n\n"
                );
                let source = head + &line.repeat(lines);
                let message = Message::parse(source.as_bytes());
                let part = message.parts().next().unwrap();
                work_of(|| {
                    let preview = part.preview(100, &Options::new());
                    // No preview ends with a blank.
                    assert!([99, 100].contains(&preview.as_str().chars().count()));
                })
            };
            let (some, many) = (of(2_000), of(40_000));
            assert!(some > 0 && many < 16 << 10, "{encoding}: {some}, {many}");
            assert_eq!(some, many, "{encoding}");
        }
    }
}
