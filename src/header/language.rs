//! Content-Language (RFC 3282).

use super::token::FieldReader;

/// Maximum length of a field in octets. A longer field names too many languages to be evidence.
const MAX_LENGTH: usize = 1024;

/// Maximum number of languages in a field. If a field names more, it is not evidence.
const MAX_LANGUAGES: usize = 8;

/// The tags of a Content-Language field, without comments and white space. Empty if there are more than
/// [`MAX_LANGUAGES`].
///
/// > Content-Language = "Content-Language" ":" 1#Language-tag
///
/// Other text is skipped, up to the next comma.
pub(crate) fn language_tags(body: &[u8]) -> Vec<&str> {
    let mut tags = Vec::new();
    let Some(start) = body.get(..MAX_LENGTH.min(body.len())) else {
        return tags;
    };
    let mut field = FieldReader::new(start);
    let mut rest = start;
    while !rest.is_empty() {
        rest = field.skip_cfws(rest);
        let length = rest
            .iter()
            .take_while(|octet| is_tag_octet(**octet))
            .count();
        let (tag, following) = rest.split_at_checked(length).unwrap_or((rest, &[]));
        let following = field.skip_cfws(following);
        let is_whole = matches!(following.first(), None | Some(b','));
        if let Ok(tag) = std::str::from_utf8(tag)
            && is_whole
            && !tag.is_empty()
        {
            tags.push(tag);
        }
        let end = memchr::memchr(b',', following).map_or(following.len(), |comma| comma + 1);
        rest = following.get(end..).unwrap_or_default();
    }
    if tags.len() > MAX_LANGUAGES || body.len() > MAX_LENGTH {
        tags.clear();
    }
    tags
}

/// > alphanum = (ALPHA / DIGIT)
fn is_tag_octet(octet: u8) -> bool {
    octet.is_ascii_alphanumeric() || octet == b'-'
}

#[cfg(test)]
mod tests {
    use super::language_tags;
    use crate::work::work_of;

    /// RFC 3282, section 2, and its examples; comments and folds by RFC 5322, section 3.2.2.
    #[test]
    fn rfc3282_2_tags_are_read() {
        for (body, tags) in [
            (&b" en"[..], &["en"][..]),
            (b" mi, en", &["mi", "en"]),
            (b" i-klingon", &["i-klingon"]),
            (
                b" ko (Korean, of Korea),\r\n zh-Hant(\\))",
                &["ko", "zh-Hant"],
            ),
            (b"", &[]),
            (b" ,, ,", &[]),
            // Invalid tags.
            (b" Korean language, ja", &["ja"]),
            (b" \"ko\"", &[]),
            (b" k\xC3\xB6, ko", &["ko"]),
            (b" (ko", &[]),
        ] {
            assert_eq!(language_tags(body), tags, "{}", body.escape_ascii());
        }
    }

    #[test]
    fn too_many_languages_are_ignored() {
        assert_eq!(language_tags(&b"ko, ".repeat(8)).len(), 8);
        assert!(language_tags(&b"ko, ".repeat(9)).is_empty());
        assert!(language_tags(&b"ko".repeat(1 << 20)).is_empty());
        for shape in [&b"ko, "[..], b"(", b"((a)", b"ko (x),"] {
            let work = work_of(|| drop(language_tags(&shape.repeat(1 << 20))));
            assert!(work <= 1 << 16, "{work}");
        }
    }
}
