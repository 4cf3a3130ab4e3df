//! Containers that may hold text but that this library does not open.

use memchr::memmem;

use super::part::Part;
use crate::decode::begins_line;
use crate::header::ContentType;
use crate::report::{Kind, Report};

/// Reports a container, by its Content-Type or by a line in its body, and names a program that opens
/// it.
pub(super) fn report_closed(part: Part<'_>, content_type: &ContentType<'_>, report: &mut Report) {
    if let Some(range) = &part.entity().content_type
        && let Some(detail) = by_type(content_type)
    {
        report.add(Kind::ClosedContent, range.start, range.len(), detail);
    }
    if part.is_text() && part.transfer_encoding().is_identity() {
        let start = part.body();
        let start = start.get(..SEARCH_LIMIT).unwrap_or(start);
        for (line, detail) in FIRST_LINES {
            if let Some(at) = find_line(start, line) {
                let offset = part.body_offset() + at;
                report.add(Kind::ClosedContent, offset, line.len(), detail);
            }
        }
    }
}

/// By the media type: S/MIME (RFC 8551, section 3.2.2), TNEF (MS-OXTNEF), or `BinHex` (RFC 1741).
fn by_type(content_type: &ContentType<'_>) -> Option<&'static str> {
    match content_type.media_type() {
        "application/pkcs7-mime" | "application/x-pkcs7-mime" => {
            let kind = content_type.parameter("smime-type");
            let kind = kind.map(|kind| kind.text().as_str().to_ascii_lowercase());
            match kind.as_deref() {
                Some("certs-only") => None,
                Some("enveloped-data" | "authenveloped-data") => {
                    Some("encrypted S/MIME, which openssl cms -decrypt opens with the key")
                }
                Some("compressed-data") => {
                    Some("compressed S/MIME, which openssl cms -uncompress opens")
                }
                _ => Some("signed S/MIME, which openssl cms -verify opens"),
            }
        }
        "application/ms-tnef" | "application/vnd.ms-tnef" => {
            Some("TNEF (winmail.dat), which a TNEF reader such as ytnef opens")
        }
        "application/mac-binhex40" | "application/mac-binhex" | "application/x-binhex40" => {
            Some(BINHEX)
        }
        // Some programs give the type only by file name (RFC 8551, section 3.2.1).
        "application/octet-stream" => {
            let name = content_type.parameter("name")?.text();
            let name = name.as_str().to_ascii_lowercase();
            if name == "winmail.dat" {
                Some("TNEF (winmail.dat), which a TNEF reader such as ytnef opens")
            } else {
                (name.rsplit('.').next() == Some("p7m"))
                    .then_some("S/MIME, which openssl cms opens")
            }
        }
        _ => None,
    }
}

const BINHEX: &str = "BinHex, which a BinHex reader such as unar opens";

/// First lines of containers inside text.
const FIRST_LINES: [(&[u8], &str); 2] = [
    (
        b"=ybegin ",
        "yEnc, which a yEnc reader such as ydecode opens",
    ),
    (b"(This file must be converted with BinHex", BINHEX),
];

/// The number of octets of a text that are searched for [`FIRST_LINES`].
const SEARCH_LIMIT: usize = 64 << 10;

/// The offset of the first line with this prefix.
fn find_line(text: &[u8], line: &[u8]) -> Option<usize> {
    memmem::find_iter(text, line).find(|&at| begins_line(None, text, at))
}
