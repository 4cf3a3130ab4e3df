//! The text of a page (HTML Standard).
//!
//! The crate html5gum splits a page into tokens (section 13.2.5). Lines and blanks follow the `innerText`
//! of a page in a browser (section 3.2.7), with two differences: an image is shown as its `alt`, and the
//! `rp` elements of ruby are shown, since plain text has no ruby. Only the attributes of an element hide
//! it: `hidden`, or `display: none` in its `style`. Style sheets are not read.

use std::borrow::Cow;
use std::convert::Infallible;

use html5gum::{Emitter, Error, State, Tokenizer};

use super::elements::{Display, Element, Elements, Style};
use super::lines::{LineBuilder, WhiteSpace};
use super::options::Reading;

/// The text of `page` as people read it.
pub(super) fn text_of_page(page: &str, reading: Reading) -> String {
    let mut lines = LineBuilder::default();
    let renderer = Renderer {
        reading,
        lines: &mut lines,
        elements: Elements::default(),
        text: Vec::new(),
        tag: Tag::default(),
        doctype: Doctype::default(),
        last_start_tag: Vec::new(),
        link: None,
        skips_line_feed: false,
    };
    // Reading from a string cannot fail.
    let Ok(()) = Tokenizer::new_with_emitter(page, renderer).finish();
    lines.finish()
}

/// The current tag, with the attributes that affect the text.
#[derive(Default)]
struct Tag {
    is_end: bool,
    is_self_closing: bool,
    name: Vec<u8>,
    attribute: Vec<u8>,
    value: Vec<u8>,
    style: Style,
    /// Whether the tag has a `style`.
    has_style: bool,
    /// The last `display` in the `style`, or the first important one. Without either, the effect of
    /// `hidden`, which is a rule of the browser's own style sheet.
    display: Option<Declared>,
    /// Whether the `style` has a left border; `None` if it does not say.
    border: Option<bool>,
    /// The `alt` of an image, shown instead of the image.
    alt: Option<String>,
    href: Option<String>,
}

/// A declaration of `display`.
#[derive(Clone, Copy)]
struct Declared {
    is_none: bool,
    is_important: bool,
}

/// Turns tokens into text.
struct Renderer<'l> {
    reading: Reading,
    lines: &'l mut LineBuilder,
    elements: Elements,
    /// Text since the last tag.
    text: Vec<u8>,
    tag: Tag,
    doctype: Doctype,
    last_start_tag: Vec<u8>,
    /// The target of the open link, and the offset of the link's text.
    link: Option<(String, usize)>,
    /// Whether to drop a line feed that comes next. Directly after the start tag of `pre`, a line feed is
    /// not text.
    skips_line_feed: bool,
}

impl Emitter for Renderer<'_> {
    type Token = Infallible;

    fn set_last_start_tag(&mut self, name: Option<&[u8]>) {
        self.last_start_tag = name.unwrap_or_default().to_vec();
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&mut self) -> bool {
        self.elements.is_foreign()
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
        // The next tag reuses its memory.
        self.tag = tag;
        state
    }

    fn current_is_appropriate_end_tag_token(&mut self) -> bool {
        self.tag.is_end && !self.tag.name.is_empty() && self.tag.name == self.last_start_tag
    }

    fn init_comment(&mut self) {}
    fn push_comment(&mut self, _: &[u8]) {}
    fn emit_current_comment(&mut self) {}

    fn init_doctype(&mut self) {
        self.doctype = Doctype::default();
    }

    fn push_doctype_name(&mut self, name: &[u8]) {
        self.doctype.name.extend_from_slice(name);
    }

    fn set_force_quirks(&mut self) {
        self.doctype.is_damaged = true;
    }

    fn set_doctype_public_identifier(&mut self, identifier: &[u8]) {
        self.doctype.public = identifier.to_vec();
    }

    fn push_doctype_public_identifier(&mut self, identifier: &[u8]) {
        self.doctype.public.extend_from_slice(identifier);
    }

    fn set_doctype_system_identifier(&mut self, _: &[u8]) {
        self.doctype.has_system = true;
    }

    fn push_doctype_system_identifier(&mut self, _: &[u8]) {}

    fn emit_current_doctype(&mut self) {
        self.flush_text();
        if self.elements.is_empty() && self.lines.as_str().is_empty() {
            self.elements.is_standard = self.doctype.is_standard();
        }
    }
}

/// A document type declaration.
#[derive(Default)]
struct Doctype {
    name: Vec<u8>,
    public: Vec<u8>,
    has_system: bool,
    is_damaged: bool,
}

impl Doctype {
    /// Whether the page is not in quirks mode (HTML Standard, section 13.2.6.4.1). Public identifiers that
    /// the standard does not mention count as old ones.
    fn is_standard(&self) -> bool {
        let begins = |prefix: &[u8]| {
            let start = self.public.get(..prefix.len());
            start.is_some_and(|start| start.eq_ignore_ascii_case(prefix))
        };
        let is_known = self.public.is_empty()
            || begins(b"-//W3C//DTD XHTML 1.")
            || begins(b"-//W3C//DTD HTML 4.01//")
            || begins(b"-//W3C//DTD HTML 4.01 ") && self.has_system;
        is_known && !self.is_damaged && self.name == b"html"
    }
}

impl Renderer<'_> {
    /// Opens an element. Returns the tokenizer state for elements whose content is not markup, such as
    /// `script`.
    fn open(&mut self, tag: &mut Tag) -> Option<State> {
        let name = tag.name.as_slice();
        let element = Element::named(name);
        let shown = element.display();
        if self.elements.ignores(element) {
            return None;
        }
        self.elements.close_before(element);
        let ended = self.elements.take_ended();
        self.break_line(ended);
        let is_foreign = self.elements.is_foreign();
        let is_whole = tag.is_self_closing && (shown == Display::Inline || is_foreign);
        self.lines.quotes = self.elements.quotes();
        let is_hidden = shown == Display::Hidden || name == b"title" && !self.reading.title;
        tag.style.is_hidden = tag.display.map_or(is_hidden, |display| display.is_none);
        if shown == Display::Void {
            if !(self.elements.is_hidden() || tag.style.is_hidden) {
                self.show_void(name, tag.alt.as_deref().unwrap_or_default());
            }
        } else {
            if name == b"a" {
                self.end_link();
            }
            self.add_defaults(name, tag.border == Some(false), &mut tag.style);
            if !(tag.style.is_hidden || self.elements.is_hidden()) {
                self.break_line(shown);
            }
            // An SVG or MathML element may be self-closing.
            if is_whole {
                return None;
            }
            self.elements.push(element, tag.style);
            self.lines.quotes = self.elements.quotes();
            if name == b"a" && !self.elements.is_hidden() {
                let target = tag.href.take().filter(|target| !target.is_empty());
                self.link = target.map(|target| (target, self.lines.as_str().len()));
            }
        }
        self.skips_line_feed = matches!(name, b"pre" | b"listing" | b"textarea");
        match name {
            _ if is_foreign => None,
            b"script" => Some(State::ScriptData),
            b"style" | b"xmp" | b"iframe" | b"noembed" | b"noframes" => Some(State::RawText),
            b"title" | b"textarea" => Some(State::RcData),
            b"plaintext" => Some(State::PlainText),
            _ => None,
        }
    }

    /// Adds the default style of the element, from the style sheet of the HTML Standard. Gmail writes a
    /// `blockquote` without a border for text that is only indented.
    fn add_defaults(&self, name: &[u8], is_indented: bool, style: &mut Style) {
        style.is_quote = name == b"blockquote" && self.reading.quotes && !is_indented;
        if matches!(
            name,
            b"pre" | b"listing" | b"plaintext" | b"xmp" | b"textarea"
        ) {
            style.white_space = style.white_space.or(Some(WhiteSpace::Keep));
        }
    }

    fn close(&mut self, name: &[u8]) {
        let element = Element::named(name);
        match name {
            // Browsers accept these end tags, though they are errors (HTML Standard, section 13.2.6.4.7).
            b"br" => return self.show_void(name, ""),
            b"a" => self.end_link(),
            _ => {}
        }
        self.skips_line_feed = false;
        // An end tag `p` without its start tag is an empty paragraph.
        if !self.elements.close(element) && name == b"p" && !self.elements.is_hidden() {
            self.break_line(Display::Paragraph);
        }
        let ended = self.elements.take_ended();
        self.break_line(ended);
        self.lines.quotes = self.elements.quotes();
    }

    /// Breaks the line at the start or the end of an element.
    fn break_line(&mut self, shown: Display) {
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
        // NUL is dropped from text (HTML Standard, section 13.2.6.4.7).
        if memchr::memchr(0, &text).is_some() {
            text.retain(|&octet| octet != 0);
        }
        let is_first = std::mem::take(&mut self.skips_line_feed);
        let shown = text
            .strip_prefix(b"\n")
            .filter(|_| is_first)
            .unwrap_or(&text);
        self.lines
            .push(&String::from_utf8_lossy(shown), self.elements.white_space());
        text.clear();
        self.text = text;
    }

    /// Ends a link. Appends its target, unless the text of the link is the target.
    fn end_link(&mut self) {
        let Some((target, start)) = self.link.take() else {
            return;
        };
        let text = self.lines.as_str().get(start..).unwrap_or_default().trim();
        let address = target.strip_prefix("mailto:").unwrap_or(&target);
        let is_place = target.starts_with('#') || target.starts_with("javascript:");
        if !self.reading.links || is_place || text == target || text == address {
            return;
        }
        if text.is_empty() {
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
        (self.has_style, self.display, self.border) = (false, None, None);
        (self.alt, self.href) = (None, None);
    }

    /// Stores the current attribute at its end. If two attributes have one name, the first is used (HTML
    /// Standard, section 13.2.5.33).
    fn end_attribute(&mut self) {
        let value = std::mem::take(&mut self.value);
        let text = String::from_utf8_lossy(&value);
        match self.attribute.as_slice() {
            b"hidden" => {
                self.display.get_or_insert(Declared {
                    is_none: true,
                    is_important: false,
                });
            }
            b"style" if !self.has_style => {
                self.has_style = true;
                self.apply_style(&text);
            }
            b"alt" => drop(self.alt.get_or_insert_with(|| text.into_owned())),
            b"href" => drop(self.href.get_or_insert_with(|| text.trim().to_owned())),
            _ => {}
        }
        self.value = value;
        self.value.clear();
        self.attribute.clear();
    }

    /// Applies the declarations of a `style` attribute (CSS Style Attributes) that affect text.
    fn apply_style(&mut self, declarations: &str) {
        let declarations = without_comments(declarations);
        for declaration in declarations.split(';') {
            let Some((property, value)) = declaration.split_once(':') else {
                continue;
            };
            let (value, important) = value.split_once('!').unwrap_or((value, ""));
            let value = value.trim();
            let property = property.trim().to_ascii_lowercase();
            if property == "border" {
                self.border = Some(!matches!(value, "none" | "0" | "0px"));
            } else if property.starts_with("border-left") {
                self.border = Some(true);
            } else if property == "display" && !value.is_empty() {
                let before = self.display.filter(|before| before.is_important);
                self.display = before.or(Some(Declared {
                    is_none: value.eq_ignore_ascii_case("none"),
                    is_important: !important.is_empty(),
                }));
            } else if property == "white-space" {
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

/// Replaces each comment by a blank (CSS Syntax, section 4.3.2), except in strings and addresses.
fn without_comments(text: &str) -> Cow<'_, str> {
    if !text.contains("/*") {
        return Cow::Borrowed(text);
    }
    let (mut kept, mut rest, mut end) = (String::new(), text, None);
    while let Some(character) = rest.chars().next() {
        if end.is_none() && rest.starts_with("/*") {
            let comment = rest.get(2..).unwrap_or_default();
            rest = comment.split_once("*/").map_or("", |(_, after)| after);
            kept.push(' ');
            continue;
        }
        end = match (end, character) {
            (None, '"' | '\'') => Some(character),
            (None, '(') => Some(')'),
            (Some(quote), _) if quote == character => None,
            _ => end,
        };
        kept.push(character);
        rest = rest.get(character.len_utf8()..).unwrap_or_default();
    }
    Cow::Owned(kept)
}
