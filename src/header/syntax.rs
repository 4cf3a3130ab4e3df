//! The grammar of a field body.

/// The grammar of a field body. It decides where encoded words are allowed (RFC 2047, section 5).
///
/// ```
/// use mime_charset::header::{Piece, Syntax, pieces};
///
/// let words = |syntax| {
///     let body = pieces(b"=?utf-8?Q?a?= <=?utf-8?Q?b?=>", syntax);
///     body.as_slice().iter().filter(|piece| matches!(piece, Piece::Word(_))).count()
/// };
/// assert_eq!(words(Syntax::Unstructured), 2);
/// // Not in the address.
/// assert_eq!(words(Syntax::Addresses), 1);
/// assert_eq!(words(Syntax::Opaque), 0);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Syntax {
    /// Unstructured text: encoded words anywhere.
    Unstructured,
    /// Addresses: encoded words in display names, group names and comments.
    Addresses,
    /// Comma-separated phrases, as in Keywords.
    Phrases,
    /// A value and parameters: encoded words in comments and, though forbidden, in values.
    Parameters,
    /// Message identifiers, dates, trace fields and the like: encoded words only in comments.
    Opaque,
}

/// The syntax of the field with this name, ignoring ASCII case. The name has no colon.
///
/// A field that no standard structures is [`Syntax::Unstructured`]; so are all `X-` fields.
///
/// ```
/// use mime_charset::header::{Syntax, syntax};
///
/// assert_eq!(syntax(b"Subject"), Syntax::Unstructured);
/// assert_eq!(syntax(b"RESENT-TO"), Syntax::Addresses);
/// assert_eq!(syntax(b"Message-ID"), Syntax::Opaque);
/// ```
#[must_use]
pub fn syntax(field_name: &[u8]) -> Syntax {
    // The longest name below has 27 octets.
    let mut buffer = [0; 32];
    let Some(lower) = buffer.get_mut(..field_name.len()) else {
        return Syntax::Unstructured;
    };
    lower.copy_from_slice(field_name);
    lower.make_ascii_lowercase();
    syntax_of(lower)
}

/// The syntax of the field with this lower-case name.
fn syntax_of(lower: &[u8]) -> Syntax {
    match lower {
        // RFC 5322, sections 3.6.2, 3.6.3, 3.6.6 and 3.6.7; RFC 3798; RFC 2919, section 3 (List-ID, a
        // phrase and an identifier in angle brackets); and fields in use.
        b"from"
        | b"sender"
        | b"reply-to"
        | b"to"
        | b"cc"
        | b"bcc"
        | b"resent-from"
        | b"resent-sender"
        | b"resent-reply-to"
        | b"resent-to"
        | b"resent-cc"
        | b"resent-bcc"
        | b"return-path"
        | b"disposition-notification-to"
        | b"return-receipt-to"
        | b"mail-followup-to"
        | b"mail-reply-to"
        | b"errors-to"
        | b"apparently-to"
        | b"delivered-to"
        | b"envelope-to"
        | b"original-sender"
        | b"list-id" => Syntax::Addresses,
        b"keywords" => Syntax::Phrases,
        b"content-type" | b"content-disposition" | b"content-transfer-encoding" => {
            Syntax::Parameters
        }
        // RFC 5322, sections 3.6.1, 3.6.4 and 3.6.7; RFC 2045, sections 4 and 7; RFC 1864;
        // RFC 3282; RFC 2369; RFC 8601; RFC 7208; RFC 6376; RFC 8617; RFC 5536; RFC 3464.
        b"date"
        | b"resent-date"
        | b"delivery-date"
        | b"expires"
        | b"expiry-date"
        | b"message-id"
        | b"resent-message-id"
        | b"in-reply-to"
        | b"references"
        | b"supersedes"
        | b"received"
        | b"mime-version"
        | b"content-id"
        | b"content-base"
        | b"content-location"
        | b"content-md5"
        | b"content-language"
        | b"content-duration"
        | b"content-features"
        | b"accept-language"
        | b"list-help"
        | b"list-unsubscribe"
        | b"list-unsubscribe-post"
        | b"list-subscribe"
        | b"list-post"
        | b"list-owner"
        | b"list-archive"
        | b"authentication-results"
        | b"received-spf"
        | b"dkim-signature"
        | b"domainkey-signature"
        | b"arc-seal"
        | b"arc-message-signature"
        | b"arc-authentication-results"
        | b"autocrypt"
        | b"newsgroups"
        | b"followup-to"
        | b"path"
        | b"xref"
        | b"lines"
        | b"control"
        | b"original-recipient"
        | b"final-recipient"
        | b"reporting-mta" => Syntax::Opaque,
        _ => Syntax::Unstructured,
    }
}
