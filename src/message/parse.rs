//! A message, parsed from borrowed or owned octets.

use std::sync::OnceLock;

use super::source::{MessageOctets, missing_blank_line};
use super::walk::WalkResult;
use crate::charset::Charset;
use crate::decode::Surroundings;
use crate::detect::Guess;
use crate::report::Report;

/// A parsed message.
///
/// ```
/// use mime_charset::{Kind, Message};
///
/// let source = b"Subject: =?euc-kr?B?x9Gxub7u?=\nContent-Type: multipart/mixed; boundary=b\n\n\
///                --b\n\nHello\n--b\n\nGoodbye\n";
/// let message = Message::parse(source);
/// assert_eq!(message.source(), source);
/// assert_eq!(message.field("subject").unwrap().text().as_str(), "한국어");
/// let names: Vec<_> = message.fields().map(|field| field.name()).collect();
/// assert_eq!(names, [&b"Subject"[..], b"Content-Type"]);
/// let texts: Vec<_> = message.parts().map(|part| part.text().as_str().to_owned()).collect();
/// assert_eq!(texts, ["Hello", "Goodbye\n"]);
/// // The multipart itself is an entity too, and its closing delimiter is missing.
/// assert_eq!(message.entities().count(), 3);
/// assert!(message.report().has(Kind::UnclosedMultipart));
/// ```
pub struct Message<'a> {
    source: MessageOctets<'a>,
    pub(super) found: WalkResult,
    pub(super) cache: Cache,
}

/// Results for the whole message, each computed at most once for all parts and fields.
#[derive(Default)]
pub(super) struct Cache {
    pub(super) surroundings: OnceLock<Surroundings<'static>>,
    /// Whether some text confirms the charset that the parts declare.
    pub(super) declared_is_confirmed: OnceLock<bool>,
    /// Whether some text confirms the charset of the encoded words.
    pub(super) header_is_confirmed: OnceLock<bool>,
    /// For the message and each of its first [`MAX_GUESSED`](super::MAX_GUESSED) entities: the charset of
    /// its raw fields, if that overrides the declared one.
    pub(super) raw_override: OnceLock<Box<[RawCharset]>>,
    /// The raw octets in the fields.
    pub(super) raw_fields: OnceLock<Vec<u8>>,
    /// The guess for the raw octets in the fields.
    pub(super) raw_charset: RawCharset,
    /// The guess for the parts after the first [`MAX_GUESSED`](super::MAX_GUESSED).
    pub(super) guess_together: OnceLock<Option<Guess>>,
    /// The whole report, if it has more findings than the walk's report.
    pub(super) report: OnceLock<Option<Box<Report>>>,
}

/// The charset of raw octets in fields, and the confidence in percent.
pub(super) type RawCharset = OnceLock<Option<(Charset, u8)>>;

impl<'a> Message<'a> {
    /// Parses a message. Any octets are a message; findings are in the [`report`](Message::report).
    #[must_use]
    pub fn parse(source: &'a [u8]) -> Self {
        Message::of(MessageOctets::Borrowed(source), WalkResult::of(source))
    }

    /// Parses a message and keeps the owner of its octets: a `Vec<u8>`, an `Arc<[u8]>`, a file
    /// mapped into memory. The octets are not copied.
    ///
    /// If the octets change while the message is in use, the text may be wrong. There is no other
    /// effect.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use mime_charset::Message;
    ///
    /// let octets: Arc<[u8]> = Arc::from(&b"Subject: caf\xC3\xA9\n\n"[..]);
    /// let message: Message<'static> = Message::from_owner(Arc::clone(&octets));
    /// let subject = std::thread::spawn(move || message.field("Subject").unwrap().text().to_string());
    /// assert_eq!(subject.join().unwrap(), "café");
    /// ```
    #[must_use]
    pub fn from_owner(owner: impl AsRef<[u8]> + Send + Sync + 'static) -> Message<'static> {
        let owner: Box<dyn AsRef<[u8]> + Send + Sync> = Box::new(owner);
        let found = WalkResult::of((*owner).as_ref());
        Message::of(MessageOctets::Owned(owner), found)
    }

    /// Parses one part whose header and body were fetched separately, as `BODY[2.MIME]` and `BODY[2]`
    /// of IMAP (RFC 9051, section 6.4.5). Offsets are into the source of the message: the header, a
    /// blank line if it is missing, and the body.
    ///
    /// ```
    /// use mime_charset::Message;
    ///
    /// let header = b"Content-Type: text/plain; charset=euc-kr\r\n\
    ///                Content-Transfer-Encoding: base64\r\n\r\n";
    /// let part = Message::of_header_and_body(header, b"x9Gxub7u");
    /// assert_eq!(part.root().text().as_str(), "한국어");
    /// ```
    #[must_use]
    pub fn of_header_and_body(header: &[u8], body: &[u8]) -> Message<'static> {
        let mut octets = Vec::with_capacity(header.len() + b"\r\n\r\n".len() + body.len());
        octets.extend_from_slice(header);
        octets.extend_from_slice(missing_blank_line(header));
        octets.extend_from_slice(body);
        Message::from_owner(octets)
    }

    /// The same message, owning its octets. Borrowed octets are copied.
    ///
    /// ```
    /// use mime_charset::Message;
    ///
    /// fn read() -> Message<'static> {
    ///     let octets = b"Subject: kept\n\n".to_vec();
    ///     Message::parse(&octets).into_owned()
    /// }
    /// assert_eq!(read().field("Subject").unwrap().text().as_str(), "kept");
    /// ```
    #[must_use]
    pub fn into_owned(self) -> Message<'static> {
        Message {
            source: self.source.into_owned(),
            found: self.found,
            cache: self.cache,
        }
    }

    #[inline]
    fn of(source: MessageOctets<'a>, found: WalkResult) -> Self {
        Message {
            source,
            found,
            cache: Cache::default(),
        }
    }

    /// The octets of the message.
    #[must_use]
    pub fn source(&self) -> &[u8] {
        self.source.as_bytes()
    }
}
