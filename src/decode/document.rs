//! Finds the charset that a document declares for itself.
//!
//! HTML: the prescan of the HTML Standard, section 13.2.3.2 ("prescan a byte stream to
//! determine its encoding"). XML: the encoding declaration, Extensible Markup Language 1.0,
//! section 4.3.3 and appendix F. CSS: `@charset`, CSS Syntax Module Level 3, section 3.2.
//! Only the first 1,024 octets are read. Not supported: RTF, which declares its code page in control
//! words.

use std::borrow::Cow;
use std::ops::Range;

use memchr::memmem;

use super::evidence::EvidenceKind;
use crate::charset::Charset;
use crate::label::Label;

/// Number of octets searched for a declaration.
pub(super) const MAX_SEARCHED: usize = 1024;

/// A declaration inside a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Declaration<'a> {
    pub(super) label: Label<'a>,
    /// The syntax of the declaration.
    pub(super) kind: EvidenceKind,
    /// The offset of the label in the document.
    pub(super) offset: usize,
    pub(super) length: usize,
}

/// The declaration in a document of this media type.
pub(super) fn declaration<'a>(octets: &'a [u8], media_type: &str) -> Option<Declaration<'a>> {
    let start = octets.get(..MAX_SEARCHED).unwrap_or(octets);
    if is_html(media_type) {
        // XHTML sent as HTML may have an XML declaration. The HTML Standard uses only the `meta`, so that
        // comes first.
        return meta(start).or_else(|| xml(start));
    }
    if is_xml(media_type) {
        return xml(start);
    }
    if media_type == "text/css" {
        return css(start);
    }
    None
}

/// Whether a document of this media type may contain a [`declaration`]. In the same types, a byte order
/// mark overrides the charset parameter (HTML Standard, section 13.2.3.2; RFC 7303, section 3.2; CSS
/// Syntax Module Level 3, section 3.2).
pub(super) fn may_declare(media_type: &str) -> bool {
    is_html(media_type) || is_xml(media_type) || media_type == "text/css"
}

pub(super) fn is_html(media_type: &str) -> bool {
    media_type == "text/html"
}

/// Whether this is a media type of XML (RFC 7303, sections 3 and 4.2).
pub(super) fn is_xml(media_type: &str) -> bool {
    matches!(
        media_type,
        "text/xml" | "application/xml" | "text/xml-external-parsed-entity"
    ) || media_type.ends_with("+xml")
}

/// The label of the first `meta` that declares a charset.
fn meta(octets: &[u8]) -> Option<Declaration<'_>> {
    // Fast path: most pages have no `meta`, and parsing their tags takes longer.
    if memmem::find(octets, b"<m").is_none() && memmem::find(octets, b"<M").is_none() {
        return None;
    }
    let mut at = 0;
    while let Some(rest) = octets.get(at..).filter(|rest| !rest.is_empty()) {
        if rest.starts_with(b"<!--") {
            // The opening dashes may also close the comment, as in `<!-->`.
            at += 2 + memmem::find(rest.get(2..)?, b"-->")? + 3;
        } else if starts_with_tag(rest, b"<meta") {
            at += 5;
            let declaration = meta_attributes(octets, &mut at);
            octets.get(at).filter(|&&octet| octet == b'>')?;
            if declaration.is_some() {
                return declaration;
            }
        } else if is_tag(rest) {
            at += rest
                .iter()
                .position(|&octet| octet.is_ascii_whitespace() || octet == b'>')?;
            while attribute(octets, &mut at).is_some() {}
            // The prescan ends if the octets end inside a tag.
            octets.get(at).filter(|&&octet| octet == b'>')?;
        } else if matches!(rest, [b'<', b'!' | b'/' | b'?', ..]) {
            at += memchr::memchr(b'>', rest)? + 1;
        } else {
            at += 1 + memchr::memchr(b'<', rest.get(1..)?)?;
        }
    }
    None
}

/// Whether `rest` begins with `tag`, followed by a space or a slash.
fn starts_with_tag(rest: &[u8], tag: &[u8]) -> bool {
    rest.get(..tag.len())
        .is_some_and(|start| start.eq_ignore_ascii_case(tag))
        && rest
            .get(tag.len())
            .is_some_and(|&octet| octet.is_ascii_whitespace() || octet == b'/')
}

/// Whether `rest` begins with `<` or `</` and a letter.
fn is_tag(rest: &[u8]) -> bool {
    match rest {
        [b'<', b'/', letter, ..] | [b'<', letter, ..] => letter.is_ascii_alphabetic(),
        _ => false,
    }
}

/// The declaration in the attributes of one `meta`.
fn meta_attributes<'a>(octets: &'a [u8], at: &mut usize) -> Option<Declaration<'a>> {
    let mut seen: Vec<&[u8]> = Vec::new();
    let (mut pragma, mut needs_pragma) = (false, None);
    let mut found = None;
    while let Some(attribute) = attribute(octets, at) {
        let is_named = |name: &[u8]| attribute.name.eq_ignore_ascii_case(name);
        if seen.iter().any(|name| is_named(name)) {
            continue;
        }
        if is_named(b"http-equiv") {
            pragma |= attribute.value.eq_ignore_ascii_case(b"content-type");
        } else if is_named(b"content") && found.is_none() {
            if let Some(label) = charset_in_content(attribute.value) {
                found = Some((attribute.offset + label.start, label.len()));
                needs_pragma = Some(true);
            }
        } else if is_named(b"charset") {
            found = Some((attribute.offset, attribute.value.len()));
            needs_pragma = Some(false);
        }
        seen.push(attribute.name);
    }
    let (offset, length) = found?;
    if needs_pragma? && !pragma {
        return None;
    }
    let label = octets.get(offset..offset + length)?;
    let charset = Charset::for_label_octets(label.trim_ascii())?;
    let label: &[u8] = match charset {
        charset if charset.name() == "x-user-defined" => b"windows-1252",
        _ => not_utf16(label.trim_ascii()),
    };
    Some(Declaration {
        label: Label::from(Cow::Borrowed(label)),
        kind: EvidenceKind::HtmlMeta,
        offset,
        length,
    })
}

/// Replaces a label of UTF-16 by `utf-8`: a declaration readable as ASCII is not in UTF-16 (HTML
/// Standard, section 13.2.3.2; CSS Syntax Module Level 3, section 3.2).
fn not_utf16(label: &[u8]) -> &[u8] {
    match Charset::for_label_octets(label) {
        Some(charset) if charset.is_utf16() => b"utf-8",
        _ => label,
    }
}

/// One attribute of a tag.
struct Attribute<'a> {
    name: &'a [u8],
    value: &'a [u8],
    /// The offset of the value.
    offset: usize,
}

/// The HTML Standard's "get an attribute". `at` begins after the tag's name.
fn attribute<'a>(octets: &'a [u8], at: &mut usize) -> Option<Attribute<'a>> {
    let octet = |at: usize| octets.get(at).copied();
    while octet(*at).is_some_and(|octet| octet.is_ascii_whitespace() || octet == b'/') {
        *at += 1;
    }
    if octet(*at)? == b'>' {
        return None;
    }
    let name_start = *at;
    // A name may begin with an equals sign, but not contain one later.
    while octet(*at).is_some_and(|octet| {
        !(octet.is_ascii_whitespace()
            || matches!(octet, b'/' | b'>')
            || (octet == b'=' && *at > name_start))
    }) {
        *at += 1;
    }
    let name = octets.get(name_start..*at)?;
    let equals = skip_spaces(octets, *at);
    if octet(equals)? != b'=' {
        return Some(Attribute {
            name,
            value: b"",
            offset: *at,
        });
    }
    let value = value_range(octets, equals + 1, b'>')?;
    let is_quoted = matches!(octet(value.end), Some(b'"' | b'\''));
    *at = value.end + usize::from(is_quoted);
    Some(Attribute {
        name,
        value: octets.get(value.clone())?,
        offset: value.start,
    })
}

/// The HTML Standard's "extracting a character encoding from a meta element": the range of the
/// label in `content`.
fn charset_in_content(content: &[u8]) -> Option<Range<usize>> {
    let mut at = 0;
    loop {
        let mut windows = content.get(at..)?.windows(b"charset".len());
        let found = windows.position(|window| window.eq_ignore_ascii_case(b"charset"))?;
        at += found + b"charset".len();
        let equals = skip_spaces(content, at);
        if content.get(equals) == Some(&b'=') {
            return value_range(content, equals + 1, b';');
        }
    }
}

/// The offset after the spaces at `at`.
fn skip_spaces(octets: &[u8], at: usize) -> usize {
    let rest = octets.get(at..).unwrap_or_default();
    let spaces = rest.iter().take_while(|octet| octet.is_ascii_whitespace());
    at + spaces.count()
}

/// The range of the value that follows an equals sign at `at - 1`: the text in quotes, or the text up to a
/// space or `end`.
fn value_range(octets: &[u8], at: usize, end: u8) -> Option<Range<usize>> {
    let start = skip_spaces(octets, at);
    if let quote @ (b'"' | b'\'') = *octets.get(start)? {
        let length = memchr::memchr(quote, octets.get(start + 1..)?)?;
        return Some(start + 1..start + 1 + length);
    }
    let is_inside = |octet: &&u8| !octet.is_ascii_whitespace() && **octet != end;
    let length = octets.get(start..)?.iter().take_while(is_inside).count();
    Some(start..start + length)
}

/// The encoding in an XML declaration in ASCII.
///
/// > XMLDecl ::= '<?xml' VersionInfo EncodingDecl? SDDecl? S? '?>'
fn xml(octets: &[u8]) -> Option<Declaration<'_>> {
    let body = octets.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(octets);
    let skipped = octets.len() - body.len();
    let inside = body
        .strip_prefix(b"<?xml")
        .filter(|rest| rest.first().is_some_and(u8::is_ascii_whitespace))?;
    let end = memmem::find(inside, b"?>")?;
    let inside = inside.get(..end)?;
    let at = memmem::find(inside, b"encoding")? + b"encoding".len();
    let rest = inside
        .get(at..)?
        .trim_ascii_start()
        .strip_prefix(b"=")?
        .trim_ascii_start();
    let (&quote, rest) = rest
        .split_first()
        .filter(|(quote, _)| matches!(quote, b'"' | b'\''))?;
    let length = memchr::memchr(quote, rest)?;
    let label = rest.get(..length)?;
    let offset = skipped + b"<?xml".len() + (inside.len() - rest.len());
    Some(Declaration {
        label: Label::from(Cow::Borrowed(label)),
        kind: EvidenceKind::XmlDeclaration,
        offset,
        length,
    })
}

/// `@charset "label";`, exactly in this form, as the first octets.
fn css(octets: &[u8]) -> Option<Declaration<'_>> {
    const START: &[u8] = b"@charset \"";
    let body = octets.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(octets);
    let skipped = octets.len() - body.len();
    let rest = body.strip_prefix(START)?;
    let length = memchr::memchr(b'"', rest)?;
    if rest.get(length + 1) != Some(&b';') {
        return None;
    }
    let label = rest.get(..length)?;
    let offset = skipped + START.len();
    Some(Declaration {
        label: Label::from(Cow::Borrowed(not_utf16(label))),
        kind: EvidenceKind::CssCharset,
        offset,
        length,
    })
}

/// The encoding of an XML document, guessed from the first octets of its declaration, if there is neither
/// a byte order mark nor a label (Extensible Markup Language 1.0, appendix F.1).
pub(super) fn xml_form(octets: &[u8]) -> Option<Charset> {
    let starts: [(&[u8], &str); 5] = [
        (b"\x00\x00\x00<", "UTF-32BE"),
        (b"<\x00\x00\x00", "UTF-32LE"),
        (b"\x00<\x00?", "UTF-16BE"),
        (b"<\x00?\x00", "UTF-16LE"),
        (b"\x4C\x6F\xA7\x94", "IBM037"),
    ];
    let (_, name) = starts
        .into_iter()
        .find(|(start, _)| octets.starts_with(start))?;
    Charset::for_label(name)
}

#[cfg(test)]
mod tests {
    use super::declaration;

    #[track_caller]
    fn html(document: &str) -> Option<(String, usize)> {
        declaration(document.as_bytes(), "text/html")
            .map(|found| (found.label.to_string(), found.offset))
    }

    #[test]
    fn html_meta() {
        let label = |label: &str, offset| Some((label.to_owned(), offset));
        assert_eq!(html("<meta charset=euc-kr>"), label("euc-kr", 14));
        assert_eq!(html("<META CHARSET = 'koi8-r' >"), label("koi8-r", 17));
        assert_eq!(
            html("<meta http-equiv=Content-Type content='text/html; charset=big5'>"),
            label("big5", 58)
        );
        assert_eq!(
            html("<meta content=\"text/html;charset=gbk;x\" http-equiv='content-type'>"),
            label("gbk", 33)
        );
    }

    #[test]
    fn html_meta_that_declares_nothing() {
        // Without the pragma the content attribute is ignored.
        assert_eq!(html("<meta content='text/html; charset=big5'>"), None);
        assert_eq!(html("<!-- <meta charset=euc-kr> -->"), None);
        assert_eq!(html("<p title='<meta charset=euc-kr>'>"), None);
        assert_eq!(html("<metal charset=euc-kr>"), None);
        assert_eq!(html("<meta charset=klingon>"), None);
        assert_eq!(
            html(&format!("{}<meta charset=euc-kr>", " ".repeat(1024))),
            None
        );
    }

    /// "If at any point the user agent runs out of bytes, abort": a truncated label is ignored.
    #[test]
    fn html_that_ends_inside_a_tag_declares_nothing() {
        assert_eq!(html("<meta charset=euc-kr"), None);
        assert_eq!(html("<meta charset='euc-kr'"), None);
        assert_eq!(html("<meta charset=euc-kr "), None);
        assert_eq!(html("<meta charset='euc-kr"), None);
        assert_eq!(html("<p title='open> <meta charset=euc-kr>"), None);
        assert_eq!(html("<meta name=\"open> <meta charset=euc-kr>"), None);
        // ISO-8859-15 truncated after the 1,024th octet, to ISO-8859-1.
        let label = "<meta charset=iso-8859-1";
        let page = format!("{}{label}5>", " ".repeat(1024 - label.len()));
        assert_eq!(html(&page), None);
    }

    #[test]
    fn html_first_meta_and_first_attribute_count() {
        let both = "<!--><meta charset=gbk charset=big5><meta charset=utf-8>";
        assert_eq!(html(both).unwrap().0, "gbk");
        assert_eq!(html("<meta charset=utf-16le>").unwrap().0, "utf-8");
        assert_eq!(
            html("<meta charset=x-user-defined>").unwrap().0,
            "windows-1252"
        );
    }

    #[test]
    fn xml_and_css() {
        let found = |text: &[u8], media_type: &str| {
            declaration(text, media_type).map(|found| (found.label.to_string(), found.offset))
        };
        let label = |label: &str, offset| Some((label.to_owned(), offset));
        let xml = b"<?xml version=\"1.0\" encoding='shift_jis' standalone='yes'?><a/>";
        assert_eq!(found(xml, "application/rss+xml"), label("shift_jis", 30));
        assert_eq!(found(b"<?xmlx encoding='x'?>", "text/xml"), None);
        assert_eq!(
            found(b"@charset \"koi8-r\";", "text/css"),
            label("koi8-r", 10)
        );
        assert_eq!(found(b"@charset 'koi8-r';", "text/css"), None);
        assert_eq!(found(b"@charset \"koi8-r\" ;", "text/css"), None);
    }
}
