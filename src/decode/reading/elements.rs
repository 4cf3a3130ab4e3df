//! The stack of open elements of a page.
//!
//! A browser builds a tree (HTML Standard, section 13.2.6). The text of a page needs less: the stack of
//! open elements, and the rules by which a tag closes elements whose end tags are omitted.

use memchr::memrchr;

use super::lines::WhiteSpace;

/// Maximum depth of open elements. Browsers allow 512; pages of real mail stay below 100.
const MAX_DEPTH: usize = 256;

/// The display of an element in the style sheet of the HTML Standard (section 15.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Display {
    Inline,
    /// On lines of its own.
    Block,
    /// On lines of its own, with a blank line before and after.
    Paragraph,
    /// A cell of a table.
    Cell,
    /// Not displayed.
    Hidden,
    /// Without content and end tag.
    Void,
}

use Display::{Block, Cell, Hidden, Inline, Paragraph, Void};

/// An element, as its row in [`ELEMENTS`]. All elements outside the table count as one inline element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Element(u8);

struct Row {
    name: &'static str,
    display: Display,
    traits: u16,
}

const fn element(name: &'static str, display: Display, traits: u16) -> Row {
    Row {
        name,
        display,
        traits,
    }
}

// Traits of elements that end the search for an open element (HTML Standard, section 13.2.4.2).
const SCOPE: u16 = 1;
const LIST: u16 = 1 << 1;
const TERMS: u16 = 1 << 2;
const SELECT: u16 = 1 << 3;
const TABLE: u16 = 1 << 4;
const ROW: u16 = 1 << 5;
const BUTTON: u16 = 1 << 6;
/// Ends the search for an element that has no rule of its own.
const SPECIAL: u16 = 1 << 7;
// Traits of elements that share a rule.
const HEADING: u16 = 1 << 8;
const FORMATTING: u16 = 1 << 9;
const OF_TABLE: u16 = 1 << 10;
const SECTION: u16 = 1 << 11;
/// Blocks that do not end a paragraph.
const IN_PARAGRAPH: u16 = 1 << 12;

/// The elements of the HTML Standard that affect the text, by name.
const ELEMENTS: [Row; 105] = [
    element("a", Inline, FORMATTING),
    element("address", Block, SPECIAL),
    element("applet", Inline, SCOPE),
    element("area", Void, 0),
    element("article", Block, SPECIAL),
    element("aside", Block, SPECIAL),
    element("b", Inline, FORMATTING),
    element("base", Void, 0),
    element("basefont", Void, 0),
    element("bgsound", Void, 0),
    element("big", Inline, FORMATTING),
    element("blockquote", Paragraph, SPECIAL),
    element("body", Block, SPECIAL),
    element("br", Void, 0),
    element("button", Inline, BUTTON),
    element("caption", Block, SPECIAL | SCOPE | OF_TABLE | SECTION),
    element("center", Block, SPECIAL),
    element("code", Inline, FORMATTING),
    element("col", Void, 0),
    element("colgroup", Block, SPECIAL | OF_TABLE | SECTION),
    element("datalist", Hidden, 0),
    element("dd", Block, SPECIAL),
    element("details", Block, SPECIAL),
    element("dialog", Block, SPECIAL),
    element("dir", Paragraph, SPECIAL | LIST),
    element("div", Block, SPECIAL),
    element("dl", Paragraph, SPECIAL | TERMS),
    element("dt", Block, SPECIAL),
    element("em", Inline, FORMATTING),
    element("embed", Void, 0),
    element("fieldset", Block, SPECIAL),
    element("figcaption", Block, SPECIAL),
    element("figure", Paragraph, SPECIAL),
    element("font", Inline, FORMATTING),
    element("footer", Block, SPECIAL),
    element("foreignobject", Inline, SCOPE),
    element("form", Block, SPECIAL),
    element("frame", Void, 0),
    element("frameset", Block, SPECIAL),
    element("h1", Paragraph, SPECIAL | HEADING),
    element("h2", Paragraph, SPECIAL | HEADING),
    element("h3", Paragraph, SPECIAL | HEADING),
    element("h4", Paragraph, SPECIAL | HEADING),
    element("h5", Paragraph, SPECIAL | HEADING),
    element("h6", Paragraph, SPECIAL | HEADING),
    element("head", Block, SPECIAL),
    element("header", Block, SPECIAL),
    element("hgroup", Block, SPECIAL),
    element("hr", Void, 0),
    element("html", Block, SPECIAL | SCOPE),
    element("i", Inline, FORMATTING),
    element("iframe", Hidden, 0),
    element("image", Void, 0),
    element("img", Void, 0),
    element("input", Void, 0),
    element("keygen", Void, 0),
    element("legend", Block, SPECIAL | IN_PARAGRAPH),
    element("li", Block, SPECIAL),
    element("link", Void, 0),
    element("listing", Paragraph, SPECIAL),
    element("main", Block, SPECIAL),
    element("marquee", Inline, SCOPE),
    element("math", Inline, 0),
    element("menu", Paragraph, SPECIAL | LIST),
    element("meta", Void, 0),
    element("nav", Block, SPECIAL),
    element("nobr", Inline, FORMATTING),
    element("noembed", Hidden, 0),
    element("noframes", Hidden, 0),
    element("object", Inline, SCOPE),
    element("ol", Paragraph, SPECIAL | LIST),
    element("optgroup", Block, SPECIAL | IN_PARAGRAPH),
    element("option", Block, SPECIAL | IN_PARAGRAPH),
    element("p", Paragraph, SPECIAL),
    element("param", Void, 0),
    element("plaintext", Paragraph, SPECIAL),
    element("pre", Paragraph, SPECIAL),
    element("s", Inline, FORMATTING),
    element("script", Hidden, 0),
    element("search", Block, SPECIAL),
    element("section", Block, SPECIAL),
    element("select", Inline, SELECT),
    element("small", Inline, FORMATTING),
    element("source", Void, 0),
    element("span", Inline, 0),
    element("strike", Inline, FORMATTING),
    element("strong", Inline, FORMATTING),
    element("style", Hidden, 0),
    element("summary", Block, SPECIAL),
    element("svg", Inline, 0),
    element("table", Block, SPECIAL | SCOPE | TABLE | OF_TABLE),
    element("tbody", Block, SPECIAL | OF_TABLE | SECTION),
    element("td", Cell, SPECIAL | SCOPE | OF_TABLE),
    element("template", Hidden, SCOPE),
    element("tfoot", Block, SPECIAL | OF_TABLE | SECTION),
    element("th", Cell, SPECIAL | SCOPE | OF_TABLE),
    element("thead", Block, SPECIAL | OF_TABLE | SECTION),
    element("title", Paragraph, SPECIAL | IN_PARAGRAPH),
    element("tr", Block, SPECIAL | ROW | OF_TABLE),
    element("track", Void, 0),
    element("tt", Inline, FORMATTING),
    element("u", Inline, FORMATTING),
    element("ul", Paragraph, SPECIAL | LIST),
    element("wbr", Void, 0),
    element("xmp", Paragraph, SPECIAL),
];

// Elements with their own rules.
const A: Element = Element::of("a");
const BUTTON_ELEMENT: Element = Element::of("button");
const DD: Element = Element::of("dd");
const DT: Element = Element::of("dt");
const HR: Element = Element::of("hr");
const IMAGE: Element = Element::of("image");
const LI: Element = Element::of("li");
const MATH: Element = Element::of("math");
const NOBR: Element = Element::of("nobr");
const OPTION: Element = Element::of("option");
const P: Element = Element::of("p");
const SVG: Element = Element::of("svg");
const TABLE_ELEMENT: Element = Element::of("table");
const TD: Element = Element::of("td");
const TEMPLATE: Element = Element::of("template");
const TH: Element = Element::of("th");
const TITLE: Element = Element::of("title");
const TR: Element = Element::of("tr");

/// Any element that is not in the table.
const OTHER: Element = Element(u8::MAX);

/// A formatting element that was closed while elements inside it are still open.
const CLOSED: Element = Element(u8::MAX - 1);

impl Element {
    /// The element with this name in lower case.
    pub(super) fn named(name: &[u8]) -> Self {
        let found = ELEMENTS.binary_search_by(|row| row.name.as_bytes().cmp(name));
        let index = found.ok().and_then(|index| u8::try_from(index).ok());
        index.map_or(OTHER, Element)
    }

    /// Like [`named`](Self::named), at compile time, for a name in the table.
    #[expect(
        clippy::panic,
        reason = "a name missing from the table is a build error"
    )]
    const fn of(name: &str) -> Self {
        let (mut rows, mut index): (&[Row], u8) = (&ELEMENTS, 0);
        while let [row, rest @ ..] = rows {
            if equal(row.name.as_bytes(), name.as_bytes()) {
                return Element(index);
            }
            (rows, index) = (rest, index + 1);
        }
        panic!("an element that is not in the table")
    }

    pub(super) fn display(self) -> Display {
        ELEMENTS
            .get(usize::from(self.0))
            .map_or(Inline, |row| row.display)
    }

    fn traits(self) -> u16 {
        ELEMENTS
            .get(usize::from(self.0))
            .map_or(0, |row| row.traits)
    }

    fn is(self, traits: u16) -> bool {
        self.traits() & traits != 0
    }
}

const fn equal(mut one: &[u8], mut other: &[u8]) -> bool {
    while let ([first, rest @ ..], [second, others @ ..]) = (one, other) {
        if *first != *second {
            return false;
        }
        (one, other) = (rest, others);
    }
    one.is_empty() && other.is_empty()
}

/// The style of an element.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Style {
    pub(super) is_hidden: bool,
    /// `None` inherits the value of the parent.
    pub(super) white_space: Option<WhiteSpace>,
    pub(super) is_quote: bool,
}

/// The stack of open elements.
#[derive(Debug, Default)]
pub(super) struct Elements {
    /// The elements, as octets to search.
    open: Vec<u8>,
    traits: Vec<u16>,
    styles: Vec<Style>,
    /// The number of open elements hidden by their own style.
    hidden: usize,
    quotes: usize,
    /// Whether an SVG or `MathML` element was ever open. Most pages need no search for one.
    has_foreign: bool,
}

impl Elements {
    /// Whether the content of the innermost element is hidden.
    pub(super) fn is_hidden(&self) -> bool {
        self.hidden > 0
    }

    /// Whether the innermost element is inside SVG or `MathML`, which are not HTML.
    pub(super) fn is_foreign(&self) -> bool {
        self.foreign().is_some()
    }

    fn foreign(&self) -> Option<usize> {
        self.has_foreign.then(|| self.find(&[SVG, MATH], SCOPE))?
    }

    /// Whether a table tag is outside any table and therefore ignored (HTML Standard, section
    /// 13.2.6.4.7).
    pub(super) fn ignores(&self, element: Element) -> bool {
        element.is(OF_TABLE) && !element.is(TABLE) && self.find(&[TABLE_ELEMENT], 0).is_none()
    }

    /// The number of quotes around the text.
    pub(super) fn quotes(&self) -> usize {
        self.quotes
    }

    pub(super) fn white_space(&self) -> WhiteSpace {
        let inner = self.styles.last().and_then(|style| style.white_space);
        inner.unwrap_or(WhiteSpace::Collapse)
    }

    pub(super) fn push(&mut self, element: Element, mut style: Style) {
        style.white_space = Some(style.white_space.unwrap_or(self.white_space()));
        // A page that never closes its links reaches the limit. Hidden elements are tracked to twice the
        // depth, so that they stay hidden.
        let is_hidden = style.is_hidden || self.is_hidden();
        let limit = if is_hidden { 2 * MAX_DEPTH } else { MAX_DEPTH };
        if self.open.len() >= limit {
            return;
        }
        self.hidden += usize::from(style.is_hidden);
        self.quotes += usize::from(style.is_quote);
        self.has_foreign |= matches!(element, SVG | MATH);
        self.open.push(element.0);
        self.traits.push(element.traits());
        self.styles.push(style);
    }

    /// The innermost open element among `elements`. `None` if an element with a trait of `limit` is open
    /// inside it.
    fn find(&self, elements: &[Element], limit: u16) -> Option<usize> {
        let open = elements.iter().filter_map(|it| memrchr(it.0, &self.open));
        self.in_reach(open.max()?, limit)
    }

    /// Like [`find`](Self::find), for the elements with one of these traits.
    fn find_trait(&self, traits: u16, limit: u16) -> Option<usize> {
        let index = self.traits.iter().rposition(|it| it & traits != 0)?;
        self.in_reach(index, limit)
    }

    /// Returns `index`, unless an element with a trait of `limit` is open inside that element.
    fn in_reach(&self, index: usize, limit: u16) -> Option<usize> {
        let inside = self.traits.get(index + 1..).unwrap_or_default();
        let traits = inside.iter().fold(0, |all, traits| all | traits);
        (traits & limit == 0).then_some(index)
    }

    /// Closes the elements from this index.
    fn truncate(&mut self, length: usize) {
        for style in self.styles.drain(length..) {
            self.hidden -= usize::from(style.is_hidden);
            self.quotes -= usize::from(style.is_quote);
        }
        self.open.truncate(length);
        self.traits.truncate(length);
    }

    /// Closes the elements that a start tag closes (HTML Standard, section 13.2.6.4.7 and the table
    /// sections after it).
    pub(super) fn close_before(&mut self, element: Element) {
        // These HTML elements end SVG and MathML (section 13.2.6.5).
        let is_block = matches!(element.display(), Block | Paragraph);
        let is_shown = is_block || element.display() == Void || element.is(FORMATTING);
        if is_shown
            && !matches!(element, A | IMAGE | TITLE)
            && let Some(index) = self.foreign()
        {
            self.truncate(index);
        }
        // A link closes an open link, and a `nobr` an open `nobr`.
        if matches!(element, A | NOBR) {
            self.close(element);
        }
        let found = match element {
            BUTTON_ELEMENT => self.find(&[BUTTON_ELEMENT], SCOPE),
            LI => self.find(&[LI], LIST | SCOPE),
            DD | DT => self.find(&[DD, DT], TERMS | SCOPE),
            OPTION => self.find(&[OPTION], SELECT | SCOPE),
            TR => self.find(&[TR], TABLE),
            TD | TH => self.find(&[TD, TH], ROW | TABLE),
            _ if element.is(SECTION) => self.find_trait(SECTION, TABLE),
            _ => None,
        };
        if let Some(index) = found {
            self.truncate(index);
        }
        // Most mail is in quirks mode, in which a table does not close a paragraph.
        let ends_paragraph = is_block && !element.is(OF_TABLE | IN_PARAGRAPH);
        if (ends_paragraph || element == HR)
            && let Some(index) = self.find(&[P], BUTTON | SCOPE)
        {
            self.truncate(index);
        }
    }

    /// Closes the element of an end tag, and the elements inside it. Returns whether such an element was
    /// open.
    pub(super) fn close(&mut self, element: Element) -> bool {
        let limit = match element.display() {
            _ if element == TEMPLATE => 0,
            _ if element.is(OF_TABLE) => TABLE,
            _ if element.is(FORMATTING) || matches!(element, SVG | MATH) => SCOPE,
            Inline => SPECIAL,
            _ if element == P => BUTTON | SCOPE,
            _ => SCOPE,
        };
        let found = if element.is(HEADING) {
            self.find_trait(HEADING, limit)
        } else {
            self.find(&[element], limit)
        };
        match found {
            Some(index) if element.is(FORMATTING) => self.close_formatting(index),
            Some(index) => self.truncate(index),
            None => {}
        }
        found.is_some()
    }

    /// Closes a formatting element, but not the blocks inside it, as in the adoption agency algorithm
    /// (HTML Standard, section 13.2.6.4.7).
    fn close_formatting(&mut self, index: usize) {
        if index + 1 == self.open.len() {
            return self.truncate(index);
        }
        if let (Some(open), Some(style)) = (self.open.get_mut(index), self.styles.get_mut(index)) {
            *open = CLOSED.0;
            self.hidden -= usize::from(std::mem::take(&mut style.is_hidden));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{CLOSED, ELEMENTS};

    /// The table is binary-searched, and its indices are octets.
    #[test]
    fn the_table_is_sorted() {
        assert!(ELEMENTS.is_sorted_by(|one, next| one.name < next.name));
        assert!(ELEMENTS.len() < usize::from(CLOSED.0));
    }
}
