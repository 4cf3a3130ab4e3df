//! Identifiers of a message and of the messages that it answers (RFC 5322, section 3.6.4), and the
//! links of mailing lists (RFC 2369, RFC 8058).

use std::borrow::Cow;

use super::parse::Message;
use super::part::Part;
use crate::decode::address_text;
use crate::header::{self, Identifiers};

impl Message<'_> {
    /// The identifier of the first Message-ID field without its angle brackets, or `None`.
    ///
    /// [`header::message_ids`] documents how identifiers are parsed, and returns the findings; it
    /// parses Resent-Message-ID too. Identifiers with different octets never have the same text: octets
    /// that are not UTF-8 are escaped as in an [address](crate::decode::Mailbox::address).
    ///
    /// ```
    /// use mime_charset::Message;
    ///
    /// let message = Message::parse(
    ///     b"Message-ID: <3@x.example>\nReferences: <1@x.example> <2@x.example>\n\
    ///       In-Reply-To: Your message <2@x.example>\n\n",
    /// );
    /// assert_eq!(message.message_id().as_deref(), Some("3@x.example"));
    /// assert_eq!(message.in_reply_to(), ["2@x.example"]);
    /// assert_eq!(message.references(), ["1@x.example", "2@x.example"]);
    /// assert_eq!(message.thread_key().as_deref(), Some("1@x.example"));
    /// ```
    #[must_use]
    pub fn message_id(&self) -> Option<Cow<'_, str>> {
        first_text(self.root(), "Message-ID")
    }

    /// The identifiers of the first In-Reply-To field, in order: the messages that this one answers.
    #[must_use]
    pub fn in_reply_to(&self) -> Vec<Cow<'_, str>> {
        all_texts(self.root(), "In-Reply-To", header::message_ids)
    }

    /// The identifiers of the first References field, in order: the preceding messages of the thread,
    /// oldest first.
    #[must_use]
    pub fn references(&self) -> Vec<Cow<'_, str>> {
        all_texts(self.root(), "References", header::message_ids)
    }

    /// The identifier of the message that began the thread: the first in References, or else the first
    /// in In-Reply-To, or else the message's own (RFC 5256, section 3, REFERENCES, step 1, Jamie
    /// Zawinski's algorithm). `None` if the message has no identifier at all.
    ///
    /// Messages with equal keys belong to one thread. Keys of one thread may differ if a program
    /// shortened or omitted References. A program that has all messages can join these threads by
    /// the other steps of RFC 5256. Some steps need [`header::base_subject`].
    #[must_use]
    pub fn thread_key(&self) -> Option<Cow<'_, str>> {
        let of = |name| first_text(self.root(), name);
        of("References")
            .or_else(|| of("In-Reply-To"))
            .or_else(|| of("Message-ID"))
    }

    /// The URIs of the first List-Unsubscribe field, the preferred one first (RFC 2369, section 3.2).
    ///
    /// [`header::uris`] documents how they are parsed, and parses the other fields of RFC 2369.
    /// [`Field::addresses`](super::Field::addresses) parses List-ID (RFC 2919): the display name is the
    /// list's name, the address its identifier.
    ///
    /// ```
    /// use mime_charset::Message;
    ///
    /// let message = Message::parse(
    ///     b"List-ID: Rust users <users.rust.example>\n\
    ///       List-Unsubscribe: <mailto:off@rust.example>, <https://rust.example/off?id=1>\n\
    ///       List-Unsubscribe-Post: List-Unsubscribe=One-Click\n\n",
    /// );
    /// assert_eq!(message.list_unsubscribe()[0], "mailto:off@rust.example");
    /// assert_eq!(message.one_click_unsubscribe().as_deref(), Some("https://rust.example/off?id=1"));
    /// let list_id = message.field("List-ID").unwrap().addresses();
    /// let list = list_id.mailboxes().next().unwrap();
    /// assert_eq!((list.name.as_str(), &*list.address), ("Rust users", "users.rust.example"));
    /// ```
    #[must_use]
    pub fn list_unsubscribe(&self) -> Vec<Cow<'_, str>> {
        all_texts(self.root(), "List-Unsubscribe", header::uris)
    }

    /// The URI to which a client posts `List-Unsubscribe=One-Click` (RFC 8058, section 3.1): the first of
    /// List-Unsubscribe with the scheme `https`, if List-Unsubscribe-Post allows it.
    ///
    /// A client must not post unless a valid DKIM signature covers both fields (section 4). This
    /// library does not check that.
    #[must_use]
    pub fn one_click_unsubscribe(&self) -> Option<Cow<'_, str>> {
        const POST: &[u8] = b"List-Unsubscribe=One-Click";
        let post = self.field("List-Unsubscribe-Post")?;
        let allows = post.body().trim_ascii().eq_ignore_ascii_case(POST);
        let is_https = |uri: &Cow<'_, str>| {
            let scheme = uri.get(.."https:".len());
            scheme.is_some_and(|scheme| scheme.eq_ignore_ascii_case("https:"))
        };
        let mut uris = self.list_unsubscribe().into_iter();
        uris.find(is_https).filter(|_| allows)
    }
}

impl<'m> Part<'m> {
    /// The identifier of the Content-ID field (RFC 2045, section 7; RFC 2392), without its angle
    /// brackets, or `None`. A field without brackets is itself the identifier, as in `Content-ID:
    /// logo`. [`Message::part_by_content_id`] finds the part by it.
    ///
    /// ```
    /// use mime_charset::Message;
    ///
    /// let message = Message::parse(b"Content-ID: <logo@example.org> (the logo)\n\n");
    /// assert_eq!(message.root().content_id().as_deref(), Some("logo@example.org"));
    /// ```
    #[must_use]
    pub fn content_id(self) -> Option<Cow<'m, str>> {
        identifier(self.field("Content-ID")?.body())
    }
}

/// The first identifier in `octets`; if there is none, the octets on one line, or `None` if blank.
pub(super) fn identifier(octets: &[u8]) -> Option<Cow<'_, str>> {
    let first = header::message_ids(octets).list.into_iter().next();
    let octets = first.map_or_else(|| header::unfold(octets.trim_ascii()), |id| id.octets);
    Some(text(octets)).filter(|id| !id.is_empty())
}

fn first_text<'m>(part: Part<'m>, name: &str) -> Option<Cow<'m, str>> {
    all_texts(part, name, header::message_ids)
        .into_iter()
        .next()
}

fn all_texts<'m>(
    part: Part<'m>,
    name: &str,
    parse: impl FnOnce(&'m [u8]) -> Identifiers<'m>,
) -> Vec<Cow<'m, str>> {
    let list = part.field(name).map(|field| parse(field.body()).list);
    list.unwrap_or_default()
        .into_iter()
        .map(|id| text(id.octets))
        .collect()
}

fn text(octets: Cow<'_, [u8]>) -> Cow<'_, str> {
    match octets {
        Cow::Borrowed(octets) => address_text(octets),
        Cow::Owned(octets) => Cow::Owned(address_text(&octets).into_owned()),
    }
}
