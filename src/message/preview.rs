//! The beginning of a body: its first characters, and bodies of which only the start is there.

use std::borrow::Cow;

use super::part::{Part, add_transfer};
use crate::charset::{Decoded, Options};
use crate::decode::{self, Choice};
use crate::report::{Kind, Report};
use crate::transfer;

/// Number of octets that determine the octet order of UTF-16 without a mark, under any transfer
/// encoding.
const TELLS_ORDER: usize = 16 << 10;

impl<'m> Part<'m> {
    /// The first `characters` (Unicode scalar values) of the [text](Part::text_with), or all of it if it
    /// has no more: for a list of messages. A line end of two characters counts as two.
    ///
    /// The charset is chosen first, as [`Part::charset`] does. Then only as much of the body is decoded
    /// as the characters need. A text that is cut has a finding of kind [`Kind::Partial`]. The other
    /// findings are those of the decoded octets, which may reach a little further than the text.
    ///
    /// ```
    /// use mime_charset::{Kind, Message, Options};
    ///
    /// let source = "Content-Type: text/plain; charset=utf-8\n\n한국어 편지 한 통";
    /// let message = Message::parse(source.as_bytes());
    /// let part = message.parts().next().unwrap();
    /// let preview = part.preview(5, &Options::new());
    /// assert_eq!(preview.as_str(), "한국어 편");
    /// assert!(preview.report().has(Kind::Partial) && !preview.report().has_loss());
    /// assert_eq!(part.preview(100, &Options::new()).as_str(), part.text().as_str());
    /// ```
    #[must_use]
    pub fn preview(self, characters: usize, options: &Options) -> Decoded<'static> {
        let body = self.body().len();
        let choice = self.choose(options);
        // Two octets for each character are enough for most text.
        let mut length = characters.saturating_mul(2).saturating_add(256);
        if options.remaps(choice.charset) {
            // Old Hangul can only be recognized in the whole text.
            length = body;
        } else if !choice.charset.is_ascii_superset() {
            length = length.max(TELLS_ORDER);
        }
        while length < body {
            let mut decoded = self.text_of_start(length, choice, options);
            if shorten(&mut decoded, characters) {
                return decoded;
            }
            length = length.saturating_mul(2);
        }
        let mut decoded = self.text_with(options).into_owned();
        shorten(&mut decoded, characters);
        decoded
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

    /// `options` for this body; `place` keeps them if they are not the caller's. If only the start of a
    /// message is there, its last body is partial and the others are complete.
    #[expect(clippy::inline_always, reason = "it is a look at one flag")]
    #[inline(always)]
    pub(super) fn of_body<'o>(
        self,
        options: &'o Options,
        place: &'o mut Option<Options>,
    ) -> &'o Options {
        if options.partial && !self.goes_on() {
            place.insert(options.partial(false))
        } else {
            options
        }
    }

    /// The octets of the body that are decoded under `options`: of a partial body, those that the missing
    /// octets cannot change.
    pub(super) fn what_is_read(self, options: &Options) -> &'m [u8] {
        let body = self.body();
        if !options.partial {
            return body;
        }
        let decided = transfer::decided(body, self.transfer_encoding());
        body.get(..decided).unwrap_or(body)
    }

    /// Whether the message ends with this body, so that the body is partial if the message is.
    fn goes_on(self) -> bool {
        let ends = |part: Part<'m>| part.entity().body.end >= part.buffer().len();
        let above = std::iter::successors(Some(self), |part| part.parent());
        let mut inside = self.entity().buffer;
        // Enclosing entities in the same buffer end where their last part does.
        ends(self)
            && above.skip(1).all(|part| {
                let is_same = std::mem::replace(&mut inside, part.entity().buffer) == inside;
                is_same || ends(part)
            })
    }
}

/// Truncates a text to this many characters. Returns whether it had as many.
fn shorten(decoded: &mut Decoded<'static>, characters: usize) -> bool {
    let mut rest = decoded.text.char_indices().skip(characters);
    let Some((end, _)) = rest.next() else {
        return decoded.text.chars().count() == characters;
    };
    if !decoded.report.has(Kind::Partial) {
        decoded.report.add_in_octets(Kind::Partial, 0, 0, "");
    }
    let mut text = std::mem::take(&mut decoded.text).into_owned();
    text.truncate(end);
    text.shrink_to_fit();
    decoded.text = Cow::Owned(text);
    true
}

#[cfg(test)]
mod tests {
    use crate::charset::Options;
    use crate::message::Message;
    use crate::work::work_of;

    /// A preview of a labelled body reads about as much of it as it shows, however long it is: each
    /// start of the body is twice the one before, and the last is less than twice what is shown and
    /// 256 octets beyond.
    #[test]
    fn a_preview_decodes_no_more_than_it_shows() {
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
                    assert_eq!(preview.as_str().chars().count(), 100);
                })
            };
            let (some, many) = (of(2_000), of(40_000));
            assert!(some > 0 && many < 16 << 10, "{encoding}: {some}, {many}");
            assert_eq!(some, many, "{encoding}");
        }
    }
}
