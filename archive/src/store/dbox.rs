//! A Dovecot message in its own file (single-dbox).
//!
//! Dovecot 2.3, `src/lib-storage/index/dbox-common/dbox-file.h`: a line with the file version and
//! the length of the next header, that header with the length of the message, the message, and
//! metadata lines up to a blank line. The metadata are not mail.
//!
//! ```text
//! 2 M1e C6b0a04e3
//! 01 02 N          000000000000008E
//! ```

/// Maximum length of both headers: Dovecot 2 writes 46 octets.
const LONGEST_START: usize = 64;

/// The length of the message, and its offset; `None` if the octets do not begin with these headers.
pub(super) fn begin(head: &[u8]) -> Option<(u64, usize)> {
    let head = head.get(..LONGEST_START).unwrap_or(head);
    let mut lines = head.split(|&octet| octet == b'\n');
    let first = lines.next().filter(|line| line.starts_with(b"2 M1e C"))?;
    let header = lines.next()?;
    let offset = first.len() + header.len() + 2;
    let digits = header.strip_prefix(b"\x01\x02N ")?.trim_ascii();
    let are_digits = !digits.is_empty() && digits.iter().all(u8::is_ascii_hexdigit);
    let digits = std::str::from_utf8(digits).ok().filter(|_| are_digits)?;
    let is_whole = offset <= head.len();
    Some((
        u64::from_str_radix(digits, 16).ok().filter(|_| is_whole)?,
        offset,
    ))
}

/// Fails unless only metadata follow the message.
pub(super) fn check_rest(rest: &[u8]) -> Result<(), &'static str> {
    let Some(metadata) = rest.strip_prefix(b"\n\x01\x03\n") else {
        return Err("its message does not end where its header says");
    };
    let mut lines = metadata.split(|&octet| octet == b'\n');
    let has_files = lines
        .by_ref()
        .take_while(|line| !line.is_empty())
        .any(|line| line.starts_with(b"X"));
    if has_files {
        return Err("its attachments are in other files; doveadm backup writes a complete Maildir");
    }
    Ok(())
}
