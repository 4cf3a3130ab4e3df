//! A charset's name as written in mail.

use std::borrow::Cow;
use std::fmt;

/// The octets in the place of a charset name, exactly as found.
///
/// A label is not yet a charset: [`Charset::for_label`](crate::Charset::for_label) and
/// [`charset::resolve`](crate::charset::resolve) resolve it. RFC 2978, section 2.3, defines the form of
/// registered names; mail has many others, so a label may have any octets.
///
/// ```
/// use mime_charset::{Label, charset};
///
/// let label = Label::new("ks_c_5601-1987");
/// assert_eq!(label.as_bytes(), b"ks_c_5601-1987");
/// let named = charset::resolve(&label).charset.unwrap();
/// assert_eq!(named.as_practised().name(), "EUC-KR");
/// assert_eq!(format!("{label:?}"), "Label(\"ks_c_5601-1987\")");
/// assert_eq!(Label::new(b"utf\xAD8").to_string(), "utf\u{FFFD}8");
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Label<'a>(Cow<'a, [u8]>);

impl<'a> Label<'a> {
    /// A label that borrows its octets, from text or octets.
    #[must_use]
    pub fn new(octets: &'a (impl AsRef<[u8]> + ?Sized)) -> Self {
        Label(Cow::Borrowed(octets.as_ref()))
    }

    /// The octets as found.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// The same label with owned octets.
    pub(crate) fn into_owned(self) -> Label<'static> {
        Label(Cow::Owned(self.0.into_owned()))
    }
}

impl AsRef<[u8]> for Label<'_> {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl<'a> From<Cow<'a, [u8]>> for Label<'a> {
    fn from(octets: Cow<'a, [u8]>) -> Self {
        Label(octets)
    }
}

/// The octets as text, with escapes for non-ASCII octets.
impl fmt::Debug for Label<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Label(\"{}\")", self.0.escape_ascii())
    }
}

/// Well-formed UTF-8, with U+FFFD for anything else; `{:.64}` writes at most 64 characters.
impl fmt::Display for Label<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A character has at most four octets (RFC 3629, section 3).
        let most = f.precision().map_or(self.0.len(), |most| 4 * most);
        f.pad(&String::from_utf8_lossy(
            self.0.get(..most).unwrap_or(&self.0),
        ))
    }
}
