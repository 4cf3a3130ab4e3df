//! A finding and its place.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use super::kind::Kind;

/// The octets into which the offset of a finding points.
///
/// ```
/// use mime_charset::{Kind, Message, Within};
///
/// let message = b"Content-Type: text/plain; charset=utf-8\n\
///                 Content-Transfer-Encoding: base64\n\n\
///                 w4n/QQ";
/// let message = Message::parse(message);
/// let decoded = message.parts().next().unwrap().text();
/// assert_eq!(decoded.as_str(), "É\u{FFFD}A");
/// let [padding, malformed] = decoded.report().findings() else { unreachable!() };
/// // The end of the base64 in the message; the octet FF after C3 89.
/// assert_eq!((padding.within(), padding.offset()), (Within::Source, 81));
/// assert_eq!((malformed.within(), malformed.offset()), (Within::Octets, 2));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Within {
    /// The input of the reporting function, such as a field body or the encoded body of a part. For a
    /// [`Message`](crate::Message), its parts and its fields, it is the whole message, or the embedded
    /// message if a transfer encoding had to be decoded first.
    Source,
    /// The octets after transfer decoding, which encode characters.
    Octets,
}

impl Within {
    /// The name in JSON: `source` or `octets`.
    ///
    /// ```
    /// assert_eq!(mime_charset::Within::Octets.name(), "octets");
    /// ```
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Within::Source => "source",
            Within::Octets => "octets",
        }
    }
}

/// One observation about the input, with the range of the octets concerned.
///
/// ```
/// use mime_charset::{Charset, Kind, Within};
///
/// let decoded = Charset::UTF_8.decode(b"caf\xE9");
/// let finding = &decoded.report().findings()[0];
/// assert_eq!((finding.kind(), finding.within()), (Kind::Malformed, Within::Octets));
/// assert_eq!((finding.offset(), finding.length()), (3, 1));
/// assert_eq!(finding.detail(), "truncated sequence");
/// assert_eq!(finding.to_string(), "malformed at 3: truncated sequence");
/// ```
#[derive(Clone)]
pub struct Finding {
    pub(super) kind: Kind,
    pub(super) within: Within,
    /// If `stored` holds the place, this and `offset` are 0.
    pub(super) length: u16,
    pub(super) offset: u32,
    pub(super) stored: Detail,
}

/// The detail of a finding, and its place if that does not fit in the finding itself. Damaged text has
/// tens of thousands of findings, nearly all with a small offset and length and a static detail. A
/// finding is small, since otherwise writing findings would dominate the cost of decoding.
#[derive(Clone)]
pub(super) enum Detail {
    Static(&'static str),
    /// A formatted detail, or a large offset or length; shared between findings.
    Shared(Arc<SharedDetail>),
}

#[derive(Clone)]
pub(super) struct SharedDetail {
    /// Offset and length, if they do not fit in the finding.
    place: Option<(usize, usize)>,
    pub(super) detail: Cow<'static, str>,
}

impl Finding {
    #[inline]
    pub(super) fn new(
        kind: Kind,
        within: Within,
        offset: usize,
        length: usize,
        detail: Cow<'static, str>,
    ) -> Finding {
        let near = u32::try_from(offset).ok().zip(u16::try_from(length).ok());
        let place = near.is_none().then_some((offset, length));
        let (offset, length) = near.unwrap_or_default();
        Finding {
            kind,
            within,
            length,
            offset,
            stored: match detail {
                Cow::Borrowed(words) if place.is_none() => Detail::Static(words),
                detail => Detail::Shared(Arc::new(SharedDetail { place, detail })),
            },
        }
    }

    /// The offset and length, if they do not fit in the finding itself.
    fn large_place(&self) -> Option<(usize, usize)> {
        match &self.stored {
            Detail::Static(_) => None,
            Detail::Shared(other) => other.place,
        }
    }

    /// Adds `base` to the offset.
    #[inline]
    pub(super) fn move_by(&mut self, base: usize) {
        let (offset, length) = (self.offset() + base, self.length());
        if let (None, Ok(near)) = (self.large_place(), u32::try_from(offset)) {
            self.offset = near;
            return;
        }
        self.set_place(offset, length);
    }

    /// Sets the offset and the length.
    pub(super) fn set_place(&mut self, offset: usize, length: usize) {
        let detail = match &self.stored {
            Detail::Static(words) => Cow::Borrowed(*words),
            Detail::Shared(other) => other.detail.clone(),
        };
        *self = Finding::new(self.kind, self.within, offset, length, detail);
    }

    /// Shares the detail of a recent finding in `before`, if the details are equal.
    pub(super) fn share_detail(mut self, before: &[Finding]) -> Finding {
        const RECENT: usize = 4;
        if let Detail::Shared(own) = &self.stored {
            let same = before.iter().rev().take(RECENT).find_map(|finding| {
                let Detail::Shared(other) = &finding.stored else {
                    return None;
                };
                (other.place == own.place && other.detail == own.detail).then_some(other)
            });
            if let Some(same) = same {
                self.stored = Detail::Shared(Arc::clone(same));
            }
        }
        self
    }

    /// The kind of the finding.
    #[must_use]
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The octets in which [`offset`](Finding::offset) and [`length`](Finding::length) are counted.
    #[must_use]
    pub fn within(&self) -> Within {
        self.within
    }

    /// The offset of the octets concerned.
    #[must_use]
    pub fn offset(&self) -> usize {
        self.large_place()
            .map_or(self.offset as usize, |(offset, _)| offset)
    }

    /// The number of octets concerned; 0 if something is missing.
    #[must_use]
    pub fn length(&self) -> usize {
        self.large_place()
            .map_or(usize::from(self.length), |(_, length)| length)
    }

    /// The range of the octets concerned.
    pub(crate) fn range(&self) -> Range<usize> {
        self.offset()..self.offset() + self.length()
    }

    /// The details; empty if the kind is enough.
    #[must_use]
    pub fn detail(&self) -> &str {
        match &self.stored {
            Detail::Static(words) => words,
            Detail::Shared(other) => &other.detail,
        }
    }
}

/// Compares kind, place and detail, regardless of how they are stored.
impl PartialEq for Finding {
    fn eq(&self, other: &Finding) -> bool {
        let place = |finding: &Finding| (finding.within, finding.offset(), finding.length());
        self.kind == other.kind && place(self) == place(other) && self.detail() == other.detail()
    }
}

impl Eq for Finding {}

#[expect(
    clippy::missing_fields_in_debug,
    reason = "`stored` is shown as place and detail"
)]
impl fmt::Debug for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Finding")
            .field("kind", &self.kind)
            .field("within", &self.within)
            .field("offset", &self.offset())
            .field("length", &self.length())
            .field("detail", &self.detail())
            .finish()
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at {}", self.kind, self.offset())?;
        if !self.detail().is_empty() {
            write!(f, ": {}", self.detail())?;
        }
        Ok(())
    }
}

/// The [`name`](Within::name).
impl fmt::Display for Within {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
