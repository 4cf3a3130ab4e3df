//! The parts of a message to show, and its attachments (RFC 8621, section 4.1.4).

use std::vec;

use super::identifiers::identifier;
use super::parse::Message;
use super::part::Part;
use crate::charset::{Decoded, Options};
use crate::decode::address_text;
use crate::transfer;

/// The parts to show in sequence, for readers that prefer plain text and for readers that prefer
/// HTML, and the attachments. These are the lists `textBody`, `htmlBody` and `attachments` of JMAP
/// (RFC 8621, section 4.1.4). An embedded message is an attachment. Its parts are in none of the
/// lists.
///
/// ```
/// use mime_charset::Message;
///
/// let message = Message::parse(
///     b"Content-Type: multipart/mixed; boundary=m\n\n\
///       --m\nContent-Type: multipart/alternative; boundary=a\n\n\
///       --a\n\nplain\n\
///       --a\nContent-Type: text/html\n\n<p>page</p>\n\
///       --a--\n\
///       --m\nContent-Type: text/plain; name=notes.txt\n\nnotes\n\
///       --m--\n",
/// );
/// let bodies = message.bodies();
/// // The best text if plain text is preferred, and if HTML is.
/// assert_eq!(bodies.text[0].text().as_str(), "plain");
/// assert_eq!(bodies.html[0].text().as_str(), "<p>page</p>");
/// let attached: Vec<_> = bodies.attachments.iter().map(|part| part.section()).collect();
/// assert_eq!(attached, ["2"]);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Bodies<'m> {
    /// The parts to show if plain text is preferred. A multipart/alternative contributes its plain
    /// text, or its HTML if it has no other text. Images, sounds and videos are included.
    pub text: Vec<Part<'m>>,
    /// The parts to show if HTML is preferred.
    pub html: Vec<Part<'m>>,
    /// The attachments. A part that is in only one of `text` and `html` may be here too, for
    /// readers of the other list.
    pub attachments: Vec<Part<'m>>,
}

impl Message<'_> {
    /// The parts that form the text of the message, those that form its HTML, and its attachments.
    /// Parses header fields; decodes no body.
    #[must_use]
    pub fn bodies(&self) -> Bodies<'_> {
        Sorting::of(self.root())
    }

    /// The part to show as the text of the message: the first text among
    /// [`Bodies::text`], which is HTML if there is no plain text.
    ///
    /// ```
    /// use mime_charset::Message;
    ///
    /// let message = Message::parse(b"Content-Type: text/html\n\n<p>Only a page.");
    /// assert_eq!(message.text_part().unwrap().media_type(), "text/html");
    /// assert_eq!(message.text_part(), message.bodies().text.first().copied());
    /// assert_eq!(message.text().unwrap().as_str(), "<p>Only a page.");
    /// ```
    #[must_use]
    pub fn text_part(&self) -> Option<Part<'_>> {
        let bodies = self.bodies();
        bodies.text.iter().copied().find(|part| part.is_text())
    }

    /// The exact text of the [`text_part`](Message::text_part), with default
    /// [`Options`].
    #[must_use]
    pub fn text(&self) -> Option<Decoded<'_>> {
        Some(self.text_part()?.text())
    }

    /// The text of the message for display: the [`reading_text`] of [`Bodies::text`], or of
    /// [`Bodies::html`] if the plain text is blank, since some programs send HTML with an empty
    /// plain text.
    ///
    /// ```
    /// use mime_charset::Message;
    ///
    /// let message = Message::parse(b"Content-Type: text/html\n\n<p>Only a page &amp; more.</p>");
    /// assert_eq!(message.reading_text(), "Only a page & more.");
    /// assert_eq!(message.preview(6), "Only a");
    /// ```
    #[must_use]
    pub fn reading_text(&self) -> String {
        let bodies = self.bodies();
        let text = reading_text(&bodies.text);
        if text.trim().is_empty() && bodies.html != bodies.text {
            reading_text(&bodies.html)
        } else {
            text
        }
    }

    /// One line for a list of messages, of at most `characters` extended grapheme clusters: the
    /// [`preview`](Part::preview) of the first text that is not blank, in [`Bodies::text`] and then in
    /// [`Bodies::html`]. Empty if all texts are blank.
    #[must_use]
    pub fn preview(&self, characters: usize) -> String {
        let bodies = self.bodies();
        let pages = (bodies.html != bodies.text).then_some(&bodies.html);
        let parts = bodies.text.iter().chain(pages.into_iter().flatten());
        let texts = parts.filter(|part| part.is_text());
        let mut previews = texts.map(|part| part.preview(characters, &Options::new()));
        let preview = previews.find(|preview| !preview.as_str().is_empty());
        preview.map(String::from).unwrap_or_default()
    }

    /// The first part with this Content-ID, given as a `cid:` URL (RFC 2392) or as the identifier itself,
    /// without angle brackets.
    ///
    /// ```
    /// use mime_charset::Message;
    ///
    /// let message = Message::parse(
    ///     b"Content-Type: multipart/related; boundary=b\n\n\
    ///       --b\nContent-Type: text/html\n\n<img src='cid:one%25two@example.org'>\n\
    ///       --b\nContent-Type: image/png\nContent-ID: <one%two@example.org>\n\n\n--b--\n",
    /// );
    /// let image = message.part_by_content_id("cid:one%25two@example.org");
    /// assert_eq!(image.unwrap().section(), "2");
    /// assert_eq!(message.part_by_content_id("one%two@example.org"), image);
    /// ```
    #[must_use]
    pub fn part_by_content_id(&self, url_or_id: &str) -> Option<Part<'_>> {
        let id = match url_or_id.split_at_checked("cid:".len()) {
            Some((scheme, id)) if scheme.eq_ignore_ascii_case("cid:") => percent_decode(id),
            _ => url_or_id.as_bytes().to_vec(),
        };
        let id = address_text(&id);
        self.entities()
            .find(|part| part.content_id().as_ref() == Some(&id))
    }
}

/// The [reading texts](Part::reading_text) of the text parts, separated by blank lines; blank texts are
/// skipped. `parts` is one of the lists of [`Bodies`].
///
/// ```
/// use mime_charset::message::{self, Message};
///
/// let message = Message::parse(
///     b"Content-Type: multipart/alternative; boundary=b\n\n\
///       --b\n\nplain\n--b\nContent-Type: text/html\n\n<p>page\n--b--\n",
/// );
/// assert_eq!(message::reading_text(&message.bodies().html), "page");
/// ```
#[must_use]
pub fn reading_text(parts: &[Part<'_>]) -> String {
    let mut all = String::new();
    for part in parts.iter().filter(|part| part.is_text()) {
        let text = part.reading_text();
        if all.trim().is_empty() {
            all = text.into_text().into_owned();
        } else if !text.as_str().trim().is_empty() {
            all.truncate(all.trim_end().len());
            all.push_str("\n\n");
            all.push_str(text.as_str());
        }
    }
    all
}

/// Decodes percent-encoding in a URL (RFC 3986, section 2.1).
fn percent_decode(url: &str) -> Vec<u8> {
    let mut octets = Vec::new();
    transfer::percent_decode(url.as_bytes(), &mut octets);
    octets
}

/// A multipart whose parts are being sorted.
struct OpenMultipart<'m> {
    children: vec::IntoIter<Part<'m>>,
    /// The number of parts sorted so far.
    sorted: usize,
    kind: Multipart,
    lists: Lists,
    /// The lengths of the lists when the multipart was opened.
    text_length: usize,
    html_length: usize,
}

/// The lists that a part goes into. Inside a multipart/alternative, plain text after HTML belongs to the
/// HTML.
#[derive(Clone, Copy)]
struct Lists {
    text: bool,
    html: bool,
    in_alternative: bool,
}

/// The relation between the parts of a multipart.
enum Multipart {
    /// One content in several forms (RFC 2046, section 5.1.4).
    Alternative,
    /// Parts to which a root refers (RFC 2387). The root has this Content-ID, or else is the first.
    Related(Option<String>),
    Other,
}

impl Multipart {
    fn of(part: Part<'_>) -> Self {
        let content_type = part.content_type();
        match content_type.subtype() {
            "alternative" => Multipart::Alternative,
            "related" => {
                let start = content_type.parameter("start");
                let start = start.and_then(|start| Some(identifier(start.octets())?.into_owned()));
                let is_there = |id: &String| {
                    let mut children = part.children();
                    children.any(|child| child.content_id().as_deref() == Some(id))
                };
                Multipart::Related(start.filter(is_there))
            }
            _ => Multipart::Other,
        }
    }
}

/// Sorts the parts into the lists in document order, as RFC 8621 does.
struct Sorting<'m> {
    open: Vec<OpenMultipart<'m>>,
    bodies: Bodies<'m>,
}

impl<'m> Sorting<'m> {
    fn of(message: Part<'m>) -> Bodies<'m> {
        let lists = Lists {
            text: true,
            html: true,
            in_alternative: false,
        };
        let mut sorting = Sorting {
            open: Vec::new(),
            bodies: Bodies {
                text: Vec::new(),
                html: Vec::new(),
                attachments: Vec::new(),
            },
        };
        // A message that only wraps another message is read as that message.
        let mut root = message;
        while let Some(inner) = root.inner() {
            root = inner;
        }
        if root.is_multipart() {
            sorting.enter(root, lists);
        } else {
            sorting.sort(root, 0, &Multipart::Other, lists);
        }
        while let Some(mut open) = sorting.open.pop() {
            let Some(part) = open.children.next() else {
                sorting.leave(&open);
                continue;
            };
            let place = open.sorted;
            open.sorted += 1;
            if part.is_multipart() {
                let lists = open.lists;
                sorting.open.push(open);
                sorting.enter(part, lists);
            } else {
                open.lists = sorting.sort(part, place, &open.kind, open.lists);
                sorting.open.push(open);
            }
        }
        sorting.bodies
    }

    fn enter(&mut self, multipart: Part<'m>, lists: Lists) {
        let kind = Multipart::of(multipart);
        let is_alternative = matches!(kind, Multipart::Alternative);
        let children: Vec<_> = multipart.children().collect();
        self.open.push(OpenMultipart {
            children: children.into_iter(),
            sorted: 0,
            kind,
            lists: Lists {
                in_alternative: lists.in_alternative || is_alternative,
                ..lists
            },
            text_length: self.bodies.text.len(),
            html_length: self.bodies.html.len(),
        });
    }

    /// Adds a part to the lists. Returns the lists for the parts that follow.
    fn sort(&mut self, part: Part<'m>, place: usize, kind: &Multipart, mut lists: Lists) -> Lists {
        let Bodies {
            text,
            html,
            attachments,
        } = &mut self.bodies;
        let shown = shown_as(part, place, kind);
        if matches!(kind, Multipart::Alternative) {
            match shown {
                Some(Shown::Text) if lists.text => text.push(part),
                Some(Shown::Html) if lists.html => html.push(part),
                _ => attachments.push(part),
            }
            return lists;
        }
        let Some(shown) = shown else {
            attachments.push(part);
            return lists;
        };
        if lists.in_alternative {
            lists.html &= shown != Shown::Text;
            lists.text &= shown != Shown::Html;
        }
        if lists.text {
            text.push(part);
        }
        if lists.html {
            html.push(part);
        }
        if !(lists.text || lists.html) || shown == Shown::Media && !(lists.text && lists.html) {
            attachments.push(part);
        }
        lists
    }

    /// If all alternatives have the same form, they are listed for the other form too.
    fn leave(&mut self, multipart: &OpenMultipart<'m>) {
        let is_alternative = matches!(multipart.kind, Multipart::Alternative);
        if !(is_alternative && multipart.lists.text && multipart.lists.html) {
            return;
        }
        let Bodies { text, html, .. } = &mut self.bodies;
        let new_text = text.get(multipart.text_length..).unwrap_or_default();
        let new_html = html.get(multipart.html_length..).unwrap_or_default();
        match (new_text.is_empty(), new_html.is_empty()) {
            (true, false) => text.extend_from_slice(new_html),
            (false, true) => html.extend_from_slice(new_text),
            _ => {}
        }
    }
}

/// The form in which a part is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shown {
    Text,
    Html,
    /// An image, a sound or a video.
    Media,
}

/// The form in which the part at `place` of a multipart is shown; `None` for an attachment.
fn shown_as(part: Part<'_>, place: usize, kind: &Multipart) -> Option<Shown> {
    let header = part.mime_header();
    let (content_type, disposition) = (&header.content_type, header.content_disposition.as_ref());
    let is_first = match kind {
        Multipart::Related(Some(root)) => part.content_id().as_deref() == Some(root),
        _ => place == 0,
    };
    let shown = match content_type.media_type() {
        "text/html" => Shown::Html,
        "text/plain" => Shown::Text,
        // Other text, such as text/enriched, is shown only as the first part of its multipart, or
        // as the root of a multipart/related.
        _ if part.is_text() && is_first => Shown::Text,
        _ => match content_type.type_name() {
            "image" | "audio" | "video" => Shown::Media,
            _ => return None,
        },
    };
    let has_name = || {
        disposition.is_some_and(|field| field.parameter("filename").is_some())
            || content_type.parameter("name").is_some()
    };
    let is_attached = disposition.is_some_and(|field| field.disposition() == "attachment");
    let is_related = matches!(kind, Multipart::Related(_));
    let may_follow = || !is_related && (shown == Shown::Media || !has_name());
    (!is_attached && (is_first || may_follow())).then_some(shown)
}

#[cfg(test)]
mod tests {
    use super::{Message, percent_decode};
    use crate::message::Part;

    /// The sections of the three lists.
    fn lists(message: &Message<'_>) -> String {
        let bodies = message.bodies();
        let sections = |parts: &[Part<'_>]| {
            let sections: Vec<_> = parts.iter().map(|part| part.section()).collect();
            sections.join(" ")
        };
        let (text, html) = (sections(&bodies.text), sections(&bodies.html));
        format!("{text} / {html} / {}", sections(&bodies.attachments))
    }

    /// A multipart of `subtype` with `parts`, and a boundary that occurs in none of them.
    fn multipart(subtype: &str, parts: &[&str]) -> String {
        let boundary = format!("b{}", parts.concat().matches("boundary=").count());
        let header = format!("Content-Type: multipart/{subtype}; boundary={boundary}\n\n");
        let part = |part: &&str| format!("--{boundary}\n{part}\n");
        let parts: String = parts.iter().map(part).collect();
        format!("{header}{parts}--{boundary}--\n")
    }

    const PLAIN: &str = "Content-Type: text/plain\n\nx";
    const PAGE: &str = "Content-Type: text/html\n\nx";
    const IMAGE: &str = "Content-Type: image/png\n\nx";

    /// The example of RFC 8621, section 4.1.4. Its parts A to K are here, by their sections: A 1, B
    /// 2.1.1.1, C 2.1.1.2, D 2.1.1.3, E 2.1.2.1, F 2.1.2.2, G 2.2, H 2.3, J 2.4, K 3. It gives
    /// `textBody` A B C D K, `htmlBody` A E K, `attachments` C F G H J.
    #[test]
    fn the_example_of_the_standard() {
        let with = |media_type: &str, disposition: &str| {
            format!("Content-Type: {media_type}\nContent-Disposition: {disposition}\n\nx")
        };
        let text = with("text/plain", "inline");
        let alternative = multipart(
            "alternative",
            &[
                &multipart("mixed", &[&text, &with("image/jpeg", "inline"), &text]),
                &multipart("related", &[PAGE, IMAGE]),
            ],
        );
        let inner = multipart(
            "mixed",
            &[
                &alternative,
                &with("image/jpeg", "attachment"),
                "Content-Type: application/x-excel\n\nx",
                "Content-Type: message/rfc822\n\nSubject: inner\n\nx",
            ],
        );
        let source = multipart("mixed", &[&text, &inner, &text]);
        let message = Message::parse(source.as_bytes());
        assert_eq!(
            lists(&message),
            "1 2.1.1.1 2.1.1.2 2.1.1.3 3 / 1 2.1.2.1 3 / 2.1.1.2 2.1.2.2 2.2 2.3 2.4"
        );
    }

    /// RFC 8621, section 4.1.4, and RFC 2387, section 3.2.
    #[test]
    fn shown_and_attached_parts() {
        let named = "Content-Type: text/plain; name=a.txt\n\nx";
        let filename = "Content-Disposition: inline; filename=a.html\nContent-Type: text/html\n\nx";
        let attached = "Content-Disposition: attachment\nContent-Type: text/plain\n\nx";
        let root = "Content-Type: text/html\nContent-ID: <root@x>\n\nx";
        let started = multipart("related", &[IMAGE, root])
            .replace("boundary", "start=\"<root@x>\"; boundary");
        let nobody = multipart("related", &[PAGE, IMAGE])
            .replace("boundary", "start=\"<gone@x>\"; boundary");
        for (source, expected) in [
            (PLAIN.to_owned(), "1 / 1 / "),
            (PAGE.to_owned(), "1 / 1 / "),
            (IMAGE.to_owned(), "1 / 1 / "),
            (attached.to_owned(), " /  / 1"),
            (named.to_owned(), "1 / 1 / "),
            ("Content-Type: application/pdf\n\nx".to_owned(), " /  / 1"),
            ("Content-Type: text/enriched\n\nx".to_owned(), "1 / 1 / "),
            (multipart("alternative", &[PLAIN, PAGE]), "1 / 2 / "),
            (multipart("alternative", &[PAGE]), "1 / 1 / "),
            (multipart("alternative", &[PLAIN]), "1 / 1 / "),
            (
                multipart(
                    "alternative",
                    &[PLAIN, PAGE, "Content-Type: text/calendar\n\nx"],
                ),
                "1 / 2 / 3",
            ),
            (
                multipart("mixed", &[PLAIN, PAGE, named, filename]),
                "1 2 / 1 2 / 3 4",
            ),
            (multipart("mixed", &[named, PLAIN]), "1 2 / 1 2 / "),
            (multipart("related", &[PAGE, IMAGE]), "1 / 1 / 2"),
            (started, "2 / 2 / 1"),
            (nobody, "1 / 1 / 2"),
            (
                multipart(
                    "alternative",
                    &[PLAIN, &multipart("related", &[PAGE, IMAGE])],
                ),
                "1 / 2.1 / 2.2",
            ),
            (
                "Content-Type: message/rfc822\n\nSubject: x\n\nText".to_owned(),
                "1.1 / 1.1 / ",
            ),
            (
                multipart(
                    "mixed",
                    &[PLAIN, "Content-Type: message/rfc822\n\nSubject: x\n\nText"],
                ),
                "1 / 1 / 2",
            ),
            // No part begins in it, so its body is text.
            (
                "Content-Type: multipart/mixed; boundary=b\n\nText".to_owned(),
                "1 / 1 / ",
            ),
            (String::new(), "1 / 1 / "),
        ] {
            assert_eq!(
                lists(&Message::parse(source.as_bytes())),
                expected,
                "{source}"
            );
        }
    }

    /// RFC 3986, section 2.1.
    #[test]
    fn percent_signs_are_decoded() {
        for (url, octets) in [
            ("a%40b", &b"a@b"[..]),
            ("%C3%a9", b"\xC3\xA9"),
            ("100%", b"100%"),
            ("%4", b"%4"),
            ("%+4%zz%2541", b"%+4%zz%41"),
        ] {
            assert_eq!(percent_decode(url), octets, "{url}");
        }
    }

    #[test]
    fn a_link_finds_its_part() {
        let source = multipart(
            "related",
            &[
                PAGE,
                "Content-ID:\n <a%b@x>\n\none",
                "Content-ID: c@x\n\ntwo",
            ],
        );
        let message = Message::parse(source.as_bytes());
        let section = |link: &str| message.part_by_content_id(link).map(Part::section);
        assert_eq!(section("CID:a%25b@x").as_deref(), Some("2"));
        assert_eq!(section("a%b@x").as_deref(), Some("2"));
        assert_eq!(section("cid:c@x").as_deref(), Some("3"));
        assert_eq!(section("cid:"), None);
        assert_eq!(section("c@X"), None);
    }
}
