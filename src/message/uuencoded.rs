//! Uuencoded files in plain text: attachments before MIME.

use super::part::Part;
use crate::transfer::{self, Uuencoded};

impl Part<'_> {
    /// The uuencoded files in `text`, the text of this part. Empty if its type is not text/plain.
    ///
    /// The text is not changed. The lines of a file in it are [`Uuencoded::range`].
    /// [`uuencoded_ranges`](transfer::uuencoded_ranges) documents which lines count as a file.
    ///
    /// ```
    /// use mime_charset::Message;
    ///
    /// let message = Message::parse(b"Subject: Cat\n\nbegin 644 cat.txt\n#0V%T\n`\nend\n");
    /// let part = message.parts().next().unwrap();
    /// let text = part.text();
    /// let files = part.uuencoded(text.as_str());
    /// assert_eq!((&*files[0].name, &*files[0].octets), ("cat.txt", &b"Cat"[..]));
    /// assert_eq!(files[0].range, 0..text.as_str().len());
    /// ```
    #[must_use]
    pub fn uuencoded(self, text: &str) -> Vec<Uuencoded> {
        if self.is_text() && self.type_and_charset().0 == "text/plain" {
            transfer::uuencoded(text)
        } else {
            Vec::new()
        }
    }
}
