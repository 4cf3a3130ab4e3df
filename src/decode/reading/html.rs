//! The text of a page (HTML Standard).
//!
//! Tokens are those of section 13.2.5, by the crate html5gum. Lines and blanks are those of section
//! 3.2.7, the `innerText` of a page in a browser, with two differences: an image is its `alt`, and an
//! `rp` of ruby is shown, since no text has ruby. Only what an element itself says hides it: `hidden`,
//! or `display: none` in its `style`. Style sheets are not read.

use std::convert::Infallible;

use html5gum::{Emitter, Error, State, Tokenizer};

use super::elements::{Display, Elements, Style, display};
use super::lines::{Lines, WhiteSpace};
use super::options::Reading;

/// The text of `page` as a person reads it.
pub(super) fn text_of_page(page: &str, reading: Reading) -> String {
    let mut lines = Lines::default();
    let renderer = Renderer {
        reading,
        lines: &mut lines,
        elements: Elements::new(),
        text: Vec::new(),
        tag: Tag::default(),
        last_start_tag: Vec::new(),
        link: None,
        skips_line_feed: false,
    };
    // Reading a text has no errors.
    let Ok(()) = Tokenizer::new_with_emitter(page, renderer).finish();
    lines.finish()
}

/// The tag that is being read, as far as the text depends on it.
#[derive(Default)]
struct Tag {
    is_end: bool,
    is_self_closing: bool,
    name: Vec<u8>,
    attribute: Vec<u8>,
    value: Vec<u8>,
    style: Style,
    has_hidden: bool,
    /// The last `display` in its `style`, or the first that is important.
    display: Option<Declared>,
    /// Text in its place: the `alt` of an image.
    alt: String,
    href: String,
}

/// A declaration of `display`.
#[derive(Clone, Copy)]
struct Declared {
    is_none: bool,
    is_important: bool,
}

/// Writes the text of the tokens that it is handed.
struct Renderer<'l> {
    reading: Reading,
    lines: &'l mut Lines,
    elements: Elements,
    /// Text since the last tag.
    text: Vec<u8>,
    tag: Tag,
    last_start_tag: Vec<u8>,
    /// Target of the open link, and where its text starts.
    link: Option<(String, usize)>,
    /// A line feed right after the start tag of `pre` is none.
    skips_line_feed: bool,
}

impl Emitter for Renderer<'_> {
    type Token = Infallible;

    fn set_last_start_tag(&mut self, name: Option<&[u8]>) {
        self.last_start_tag = name.unwrap_or_default().to_vec();
    }

    fn emit_eof(&mut self) {
        self.flush_text();
        self.end_link();
    }

    fn emit_error(&mut self, _: Error) {}

    #[inline]
    fn should_emit_errors(&mut self) -> bool {
        false
    }

    #[inline]
    fn pop_token(&mut self) -> Option<Infallible> {
        None
    }

    fn emit_string(&mut self, text: &[u8]) {
        if !self.elements.is_hidden() {
            self.text.extend_from_slice(text);
        }
    }

    fn init_start_tag(&mut self) {
        self.tag.begin(false);
    }

    fn init_end_tag(&mut self) {
        self.tag.begin(true);
    }

    fn set_self_closing(&mut self) {
        self.tag.is_self_closing = true;
    }

    fn push_tag_name(&mut self, name: &[u8]) {
        self.tag.name.extend_from_slice(name);
    }

    fn init_attribute(&mut self) {
        self.tag.end_attribute();
    }

    fn push_attribute_name(&mut self, name: &[u8]) {
        self.tag.attribute.extend_from_slice(name);
    }

    fn push_attribute_value(&mut self, value: &[u8]) {
        if matches!(self.tag.attribute.as_slice(), b"style" | b"alt" | b"href") {
            self.tag.value.extend_from_slice(value);
        }
    }

    fn emit_current_tag(&mut self) -> Option<State> {
        self.flush_text();
        let mut tag = std::mem::take(&mut self.tag);
        tag.end_attribute();
        self.last_start_tag.clear();
        let state = if tag.is_end {
            self.close(&tag.name);
            None
        } else {
            self.last_start_tag.extend_from_slice(&tag.name);
            self.open(&mut tag)
        };
        // Its memory is that of the next tag.
        self.tag = tag;
        state
    }

    fn current_is_appropriate_end_tag_token(&mut self) -> bool {
        self.tag.is_end && !self.tag.name.is_empty() && self.tag.name == self.last_start_tag
    }

    fn init_comment(&mut self) {}
    fn push_comment(&mut self, _: &[u8]) {}
    fn emit_current_comment(&mut self) {}
    fn init_doctype(&mut self) {}
    fn push_doctype_name(&mut self, _: &[u8]) {}
    fn set_force_quirks(&mut self) {}
    fn set_doctype_public_identifier(&mut self, _: &[u8]) {}
    fn push_doctype_public_identifier(&mut self, _: &[u8]) {}
    fn set_doctype_system_identifier(&mut self, _: &[u8]) {}
    fn push_doctype_system_identifier(&mut self, _: &[u8]) {}
    fn emit_current_doctype(&mut self) {}
}

impl Renderer<'_> {
    /// Opens an element. Returns the state of the tokenizer for content that is no markup.
    fn open(&mut self, tag: &mut Tag) -> Option<State> {
        let name = tag.name.as_slice();
        let shown = display(name);
        if self.elements.ignores(name) {
            return None;
        }
        let is_whole =
            tag.is_self_closing && (shown == Display::Inline || self.elements.is_foreign());
        self.elements.close_before(name, shown);
        self.lines.quotes = self.elements.quotes();
        let by_itself = shown == Display::Hidden || name == b"title" && !self.reading.title;
        // A declaration outweighs the attribute, which is a rule of the browser's own style sheet.
        tag.style.is_hidden = tag
            .display
            .map_or(tag.has_hidden || by_itself, |display| display.is_none);
        if shown == Display::Void {
            if !(self.elements.is_hidden() || tag.style.is_hidden) {
                self.show_void(name, &tag.alt);
            }
        } else {
            if name == b"a" {
                self.end_link();
            }
            self.add_defaults(name, &mut tag.style);
            self.break_around(shown, tag.style.is_hidden);
            // An element of another language than HTML, such as SVG, may end in its start tag.
            if is_whole {
                return None;
            }
            self.elements.push(name, tag.style);
            self.lines.quotes = self.elements.quotes();
            if name == b"a" && !tag.href.is_empty() && !self.elements.is_hidden() {
                self.link = Some((std::mem::take(&mut tag.href), self.lines.as_str().len()));
            }
        }
        self.skips_line_feed = matches!(name, b"pre" | b"listing" | b"textarea");
        match name {
            b"script" => Some(State::ScriptData),
            b"style" | b"xmp" | b"iframe" | b"noembed" | b"noframes" => Some(State::RawText),
            b"title" | b"textarea" => Some(State::RcData),
            b"plaintext" => Some(State::PlainText),
            _ => None,
        }
    }

    /// Adds what the style sheet of the HTML Standard says of an element.
    fn add_defaults(&self, name: &[u8], style: &mut Style) {
        style.is_quote = name == b"blockquote" && self.reading.quotes;
        if matches!(
            name,
            b"pre" | b"listing" | b"plaintext" | b"xmp" | b"textarea"
        ) {
            style.white_space = style.white_space.or(Some(WhiteSpace::Keep));
        }
    }

    fn close(&mut self, name: &[u8]) {
        let shown = display(name);
        match name {
            // Both are errors that browsers read (HTML Standard, section 13.2.6.4.7).
            b"br" => return self.show_void(name, ""),
            b"a" => self.end_link(),
            _ => {}
        }
        self.skips_line_feed = false;
        let was_hidden = self.elements.is_hidden();
        if self.elements.close(name, shown) || name == b"p" {
            self.break_around(shown, was_hidden);
        }
        self.lines.quotes = self.elements.quotes();
    }

    /// Breaks the line at the start or the end of an element that is not hidden.
    fn break_around(&mut self, shown: Display, is_hidden: bool) {
        if is_hidden || self.elements.is_hidden() {
            return;
        }
        match shown {
            Display::Block => self.lines.end_line(),
            Display::Paragraph => self.lines.end_paragraph(),
            Display::Cell => self.lines.next_cell(),
            Display::Inline | Display::Hidden | Display::Void => {}
        }
    }

    fn show_void(&mut self, name: &[u8], alt: &str) {
        if self.elements.is_hidden() {
            return;
        }
        match name {
            b"br" => self.lines.newline(),
            b"hr" => self.lines.end_paragraph(),
            b"img" | b"image" | b"area" | b"input" => self.lines.push(alt, WhiteSpace::Collapse),
            _ => {}
        }
    }

    /// Shows the text since the last tag.
    fn flush_text(&mut self) {
        let mut text = std::mem::take(&mut self.text);
        if text.is_empty() {
            return;
        }
        // NUL is left out of text (HTML Standard, section 13.2.6.4.7).
        if memchr::memchr(0, &text).is_some() {
            text.retain(|&octet| octet != 0);
        }
        let is_first = std::mem::take(&mut self.skips_line_feed);
        let shown = text
            .strip_prefix(b"\n")
            .filter(|_| is_first)
            .unwrap_or(&text);
        // The tokenizer hands out the octets of a text, so they are UTF-8.
        let shown = str::from_utf8(shown).unwrap_or_default();
        self.lines.push(shown, self.elements.white_space());
        text.clear();
        self.text = text;
    }

    /// Appends the target of the link that ends here, unless its text is the target.
    fn end_link(&mut self) {
        let Some((target, start)) = self.link.take() else {
            return;
        };
        let text = self.lines.as_str().get(start..).unwrap_or_default().trim();
        let address = target.strip_prefix("mailto:").unwrap_or(&target);
        let is_place = target.starts_with('#') || target.starts_with("javascript:");
        if !self.reading.links || is_place || text == target || text == address {
        } else if text.is_empty() {
            self.lines
                .push(&format!("<{target}>"), WhiteSpace::Collapse);
        } else {
            self.lines.append(&format!(" <{target}>"));
        }
    }
}

impl Tag {
    fn begin(&mut self, is_end: bool) {
        self.is_end = is_end;
        self.is_self_closing = false;
        for octets in [&mut self.name, &mut self.attribute, &mut self.value] {
            octets.clear();
        }
        self.style = Style::default();
        (self.has_hidden, self.display) = (false, None);
        self.alt.clear();
        self.href.clear();
    }

    /// Takes the attribute that ends here. The first of two with one name counts (HTML Standard, section
    /// 13.2.5.33).
    fn end_attribute(&mut self) {
        let value = std::mem::take(&mut self.value);
        let text = str::from_utf8(&value).unwrap_or_default();
        match self.attribute.as_slice() {
            b"hidden" => self.has_hidden = true,
            b"style" => self.declare(text),
            b"alt" if self.alt.is_empty() => self.alt.push_str(text),
            b"href" if self.href.is_empty() => self.href.push_str(text.trim()),
            _ => {}
        }
        self.value = value;
        self.value.clear();
        self.attribute.clear();
    }

    /// Takes the declarations of a `style` attribute (CSS Style Attributes) that text depends on.
    fn declare(&mut self, declarations: &str) {
        for declaration in declarations.split(';') {
            let Some((property, value)) = declaration.split_once(':') else {
                continue;
            };
            let (value, important) = value.split_once('!').unwrap_or((value, ""));
            // A comment may follow the value.
            let value = value.split("/*").next().unwrap_or(value).trim();
            if property.trim().eq_ignore_ascii_case("display") {
                let before = self.display.filter(|before| before.is_important);
                self.display = before.or(Some(Declared {
                    is_none: value.eq_ignore_ascii_case("none"),
                    is_important: !important.is_empty(),
                }));
            } else if property.trim().eq_ignore_ascii_case("white-space") {
                self.style.white_space = match value.to_ascii_lowercase().as_str() {
                    "pre" | "pre-wrap" | "break-spaces" => Some(WhiteSpace::Keep),
                    "pre-line" => Some(WhiteSpace::KeepLines),
                    "normal" | "nowrap" => Some(WhiteSpace::Collapse),
                    _ => self.style.white_space,
                };
            }
        }
    }
}
