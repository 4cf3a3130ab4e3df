//! The octets of a message, borrowed or owned.

pub(super) enum MessageOctets<'a> {
    Borrowed(&'a [u8]),
    Owned(Box<dyn AsRef<[u8]> + Send + Sync>),
}

impl MessageOctets<'_> {
    pub(super) fn as_bytes(&self) -> &[u8] {
        match self {
            MessageOctets::Borrowed(octets) => octets,
            MessageOctets::Owned(owner) => (**owner).as_ref(),
        }
    }

    pub(super) fn into_owned(self) -> MessageOctets<'static> {
        match self {
            MessageOctets::Borrowed(octets) => MessageOctets::Owned(Box::new(octets.to_vec())),
            MessageOctets::Owned(owner) => MessageOctets::Owned(owner),
        }
    }
}

/// The line endings that are missing between `header` and a body: none if the header ends in a
/// blank line or is only a blank line. They have the form of the line endings in the header.
pub(super) fn missing_blank_line(header: &[u8]) -> &'static [u8] {
    let first = header.iter().position(|&octet| octet == b'\n');
    let (end, twice) = match first {
        Some(at) if at == 0 || header.get(at - 1) != Some(&b'\r') => ("\n", "\n\n"),
        None if header.contains(&b'\r') => ("\r", "\r\r"),
        _ => ("\r\n", "\r\n\r\n"),
    };
    let (end, twice) = (end.as_bytes(), twice.as_bytes());
    if header == end || header.ends_with(twice) || header.ends_with(b"\n\r\n") {
        b""
    } else if header.is_empty() || header.ends_with(end) {
        end
    } else {
        twice
    }
}

#[cfg(test)]
mod tests {
    use super::missing_blank_line;
    use crate::message::Message;

    /// RFC 5322, section 2.1: a blank line separates the header from the body.
    #[test]
    fn a_header_ends_with_its_own_line_ending() {
        for (header, missing) in [
            ("", "\r\n"),
            ("\n", ""),
            ("\r\n", ""),
            ("A: b", "\r\n\r\n"),
            ("A: b\r\n", "\r\n"),
            ("A: b\r\n\r\n", ""),
            ("A: b\n", "\n"),
            ("A: b\nC: d", "\n\n"),
            ("A: b\n\n", ""),
            ("A: b\r", "\r"),
            ("A: b\rC: d", "\r\r"),
            ("A: b\r\r", ""),
        ] {
            assert_eq!(
                missing_blank_line(header.as_bytes()),
                missing.as_bytes(),
                "{header:?}"
            );
            let message = Message::of_header_and_body(header.as_bytes(), b"x: y");
            assert_eq!(message.root().body(), b"x: y", "{header:?}");
        }
    }

    #[test]
    fn a_message_may_be_sent_to_another_thread_and_kept() {
        fn kept<T: Send + Sync + 'static>() {}
        kept::<Message<'static>>();
        kept::<crate::Decoded<'static>>();
        kept::<crate::decode::FieldText<'static>>();
        kept::<crate::decode::Decision>();
        kept::<crate::Decoder>();
        kept::<crate::Report>();
        kept::<crate::Error>();
    }
}
