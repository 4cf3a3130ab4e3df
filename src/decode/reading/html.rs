//! The text of a page (HTML Standard).
//!
//! Tokens are those of section 13.2.5, by the crate html5gum. Lines and blanks are those of section
//! 3.2.7, the `innerText` of a page in a browser, with two differences: an image is its `alt`, and an
//! `rp` of ruby is shown, since no text has ruby. Only what an element itself says hides it: `hidden`,
//! or `display: none` in its `style`. Style sheets are not read.

use html5gum::emitters::callback::{CallbackEmitter, CallbackEvent};
use html5gum::{Span, State, Tokenizer};

use super::elements::{Display, Elements, Style, display};
use super::lines::{Lines, WhiteSpace};
use super::options::Reading;

/// The text of `page` as a person reads it.
pub(super) fn text_of_page(page: &str, reading: Reading) -> String {
    let mut renderer = Renderer::new(reading);
    let emitter =
        CallbackEmitter::new(|event: CallbackEvent<'_>, _: Span<()>| renderer.handle(&event));
    let mut tokenizer = Tokenizer::new_with_emitter(page, emitter);
    // A text has no errors of reading.
    while let Some(Ok(state)) = tokenizer.next() {
        tokenizer.set_state(state);
    }
    drop(tokenizer);
    renderer.lines.finish()
}

/// The start tag that is being read, as far as the text depends on it.
#[derive(Default)]
struct StartTag {
    name: Vec<u8>,
    style: Style,
    has_hidden: bool,
    /// Whether its `style` hides it, if it says so.
    declared_hidden: Option<bool>,
    /// Text in its place: the `alt` of an image.
    alt: String,
    href: String,
}

/// The attribute whose value comes next.
#[derive(Clone, Copy)]
enum Attribute {
    Style,
    Alt,
    Href,
}

struct Renderer {
    reading: Reading,
    lines: Lines,
    elements: Elements,
    tag: StartTag,
    attribute: Option<Attribute>,
    /// Target of the open link, and where its text starts.
    link: Option<(String, usize)>,
    /// A line feed right after the start tag of `pre` is none.
    skips_line_feed: bool,
}

impl Renderer {
    fn new(reading: Reading) -> Self {
        Renderer {
            reading,
            lines: Lines::default(),
            elements: Elements::new(),
            tag: StartTag::default(),
            attribute: None,
            link: None,
            skips_line_feed: false,
        }
    }

    /// Takes the next token. Returns the state of the tokenizer for the content of an element whose
    /// content is no markup.
    fn handle(&mut self, event: &CallbackEvent<'_>) -> Option<State> {
        match event {
            CallbackEvent::OpenStartTag { name } => {
                self.tag = StartTag {
                    name: name.to_vec(),
                    ..StartTag::default()
                };
                self.attribute = None;
            }
            CallbackEvent::AttributeName { name } => self.begin_attribute(name),
            CallbackEvent::AttributeValue { value } => self.take_attribute(value),
            CallbackEvent::CloseStartTag { self_closing } => return self.open(*self_closing),
            CallbackEvent::EndTag { name } => self.close(name),
            CallbackEvent::String { value } => self.push_text(value),
            CallbackEvent::Comment { .. }
            | CallbackEvent::Doctype { .. }
            | CallbackEvent::Error(_) => {}
        }
        None
    }

    fn begin_attribute(&mut self, name: &[u8]) {
        self.attribute = match name {
            b"hidden" => {
                self.tag.has_hidden = true;
                None
            }
            b"style" => Some(Attribute::Style),
            b"alt" => Some(Attribute::Alt),
            b"href" => Some(Attribute::Href),
            _ => None,
        };
    }

    /// Takes the value of the attribute. The first of two with one name counts (HTML Standard, section
    /// 13.2.5.33).
    fn take_attribute(&mut self, value: &[u8]) {
        let Some(attribute) = self.attribute.take() else {
            return;
        };
        // The tokenizer hands out whole characters of a text.
        let value = String::from_utf8_lossy(value);
        match attribute {
            Attribute::Style => self.tag.declare(&value),
            Attribute::Alt if self.tag.alt.is_empty() => self.tag.alt.push_str(&value),
            Attribute::Href if self.tag.href.is_empty() => self.tag.href.push_str(value.trim()),
            Attribute::Alt | Attribute::Href => {}
        }
    }

    fn open(&mut self, self_closing: bool) -> Option<State> {
        let mut tag = std::mem::take(&mut self.tag);
        let name = tag.name.as_slice();
        let shown = display(name);
        self.elements.close_before(name, shown);
        self.lines.quotes = self.elements.quotes();
        let by_itself = shown == Display::Hidden || name == b"title" && !self.reading.title;
        // A declaration outweighs the attribute, which is a rule of the browser's own style sheet.
        tag.style.is_hidden = tag.declared_hidden.unwrap_or(tag.has_hidden || by_itself);
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
            // Elements of other languages than HTML, such as SVG, end in their start tag.
            if !(self_closing && shown == Display::Inline) {
                self.elements.push(name, tag.style);
            }
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

    fn push_text(&mut self, text: &[u8]) {
        if self.elements.is_hidden() {
            return;
        }
        // NUL is left out of text (HTML Standard, section 13.2.6.4.7).
        let without_nul;
        let text = if memchr::memchr(0, text).is_some() {
            without_nul = text
                .iter()
                .copied()
                .filter(|&octet| octet != 0)
                .collect::<Vec<_>>();
            &without_nul
        } else {
            text
        };
        let text = String::from_utf8_lossy(text);
        let mut text: &str = &text;
        if std::mem::take(&mut self.skips_line_feed) {
            text = text.strip_prefix('\n').unwrap_or(text);
        }
        self.lines.push(text, self.elements.white_space());
    }

    /// Appends the target of the link that ends here, unless its text is the target.
    fn end_link(&mut self) {
        let Some((target, start)) = self.link.take() else {
            return;
        };
        let text = self.lines.as_str().get(start..).unwrap_or_default().trim();
        let address = target.strip_prefix("mailto:").unwrap_or(&target);
        let is_place = target.starts_with('#') || target.starts_with("javascript:");
        let is_shown = !(text.is_empty() || is_place || text == target || text == address);
        if self.reading.links && is_shown {
            self.lines.append(&format!(" <{target}>"));
        }
    }
}

impl StartTag {
    /// Takes the declarations of a `style` attribute (CSS Style Attributes) that text depends on.
    fn declare(&mut self, declarations: &str) {
        for declaration in declarations.split(';') {
            let Some((property, value)) = declaration.split_once(':') else {
                continue;
            };
            let value = value.split('!').next().unwrap_or(value).trim();
            if property.trim().eq_ignore_ascii_case("display") {
                self.declared_hidden = Some(value.eq_ignore_ascii_case("none"));
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
