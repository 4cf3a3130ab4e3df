//! The stack of open elements of a page.
//!
//! A browser builds a tree (HTML Standard, section 13.2.6). The text of a page needs less: the stack of
//! open elements, and the rules by which a tag closes elements whose end tags are omitted.

use memchr::memrchr;

use super::lines::WhiteSpace;

/// Maximum depth of open elements. Browsers allow 512; pages of real mail stay below 100.
const MAX_DEPTH: usize = 256;

/// The display of an element in the style sheet of the HTML Standard (section 15.3). The later ones
/// separate more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Display {
    /// Not displayed.
    Hidden,
    /// Without content and end tag.
    Void,
    Inline,
    /// A cell of a table.
    Cell,
    /// On lines of its own.
    Block,
    /// On lines of its own, with a blank line before and after.
    Paragraph,
}

use Display::{Block, Cell, Hidden, Inline, Paragraph, Void};

/// An element, as its row in [`ELEMENTS`]. Elements outside the table are inline, and a hash of the name
/// tells them apart: names with the same hash count as one.
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
const TABLE: u16 = 1 << 2;
const BUTTON: u16 = 1 << 3;
/// Ends the search for an element that is not special itself.
const SPECIAL: u16 = 1 << 4;
// Traits of elements that share a rule.
const HEADING: u16 = 1 << 5;
const FORMATTING: u16 = 1 << 6;
const OF_TABLE: u16 = 1 << 7;
const SECTION: u16 = 1 << 8;
/// Blocks that do not end a paragraph.
const IN_PARAGRAPH: u16 = 1 << 9;
/// Elements whose end tag is implied (section 13.2.6.3).
const IMPLIED: u16 = 1 << 10;
/// Special elements through which a new item closes the item before it (section 13.2.6.4.7, `li`).
const IN_ITEM: u16 = 1 << 11;
/// Elements of a table with content of the page.
const CELL: u16 = 1 << 12;

/// The elements of the HTML Standard that affect the text, by name.
const ELEMENTS: [Row; 111] = [
    element("a", Inline, FORMATTING),
    element("address", Block, SPECIAL | IN_ITEM),
    element("applet", Inline, SPECIAL | SCOPE),
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
    element("button", Inline, SPECIAL | BUTTON),
    element(
        "caption",
        Block,
        SPECIAL | SCOPE | OF_TABLE | SECTION | CELL,
    ),
    element("center", Block, SPECIAL),
    element("code", Inline, FORMATTING),
    element("col", Void, 0),
    element("colgroup", Block, SPECIAL | OF_TABLE | SECTION),
    element("datalist", Hidden, 0),
    element("dd", Block, SPECIAL | IMPLIED),
    element("details", Block, SPECIAL),
    element("dialog", Block, SPECIAL),
    element("dir", Paragraph, SPECIAL | LIST),
    element("div", Block, SPECIAL | IN_ITEM),
    element("dl", Paragraph, SPECIAL),
    element("dt", Block, SPECIAL | IMPLIED),
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
    element("legend", Block, IN_PARAGRAPH),
    element("li", Block, SPECIAL | IMPLIED),
    element("link", Void, 0),
    element("listing", Paragraph, SPECIAL),
    element("main", Block, SPECIAL),
    element("marquee", Inline, SPECIAL | SCOPE),
    element("math", Inline, 0),
    element("menu", Paragraph, SPECIAL | LIST),
    element("meta", Void, 0),
    element("nav", Block, SPECIAL),
    element("nobr", Inline, FORMATTING),
    element("noembed", Hidden, 0),
    element("noframes", Hidden, 0),
    element("noscript", Inline, SPECIAL),
    element("object", Inline, SPECIAL | SCOPE),
    element("ol", Paragraph, SPECIAL | LIST),
    element("optgroup", Block, IMPLIED | IN_PARAGRAPH),
    element("option", Block, IMPLIED | IN_PARAGRAPH),
    element("p", Paragraph, SPECIAL | IMPLIED | IN_ITEM),
    element("param", Void, 0),
    element("plaintext", Paragraph, SPECIAL),
    element("pre", Paragraph, SPECIAL),
    element("rb", Inline, IMPLIED),
    element("rp", Inline, IMPLIED),
    element("rt", Inline, IMPLIED),
    element("rtc", Inline, IMPLIED),
    element("ruby", Inline, 0),
    element("s", Inline, FORMATTING),
    element("script", Hidden, 0),
    element("search", Block, SPECIAL),
    element("section", Block, SPECIAL),
    element("select", Inline, SPECIAL),
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
    element("td", Cell, SPECIAL | SCOPE | OF_TABLE | CELL),
    element("template", Hidden, SPECIAL | SCOPE),
    element("tfoot", Block, SPECIAL | OF_TABLE | SECTION),
    element("th", Cell, SPECIAL | SCOPE | OF_TABLE | CELL),
    element("thead", Block, SPECIAL | OF_TABLE | SECTION),
    element("title", Paragraph, SPECIAL | IN_PARAGRAPH),
    element("tr", Block, SPECIAL | OF_TABLE),
    element("track", Void, 0),
    element("tt", Inline, FORMATTING),
    element("u", Inline, FORMATTING),
    element("ul", Paragraph, SPECIAL | LIST),
    element("wbr", Void, 0),
    element("xmp", Paragraph, SPECIAL),
];

// Elements with their own rules.
const A: Element = Element::of("a");
const BODY: Element = Element::of("body");
const BUTTON_ELEMENT: Element = Element::of("button");
const DD: Element = Element::of("dd");
const DT: Element = Element::of("dt");
const FORM: Element = Element::of("form");
const HEAD: Element = Element::of("head");
const HR: Element = Element::of("hr");
const HTML: Element = Element::of("html");
const IMAGE: Element = Element::of("image");
const LI: Element = Element::of("li");
const MATH: Element = Element::of("math");
const NOBR: Element = Element::of("nobr");
const NOSCRIPT: Element = Element::of("noscript");
const OPTGROUP: Element = Element::of("optgroup");
const OPTION: Element = Element::of("option");
const P: Element = Element::of("p");
const RB: Element = Element::of("rb");
const RP: Element = Element::of("rp");
const RT: Element = Element::of("rt");
const RTC: Element = Element::of("rtc");
const RUBY: Element = Element::of("ruby");
const SELECT: Element = Element::of("select");
const SVG: Element = Element::of("svg");
const TABLE_ELEMENT: Element = Element::of("table");
const TBODY: Element = Element::of("tbody");
const TD: Element = Element::of("td");
const TEMPLATE: Element = Element::of("template");
const TFOOT: Element = Element::of("tfoot");
const TH: Element = Element::of("th");
const THEAD: Element = Element::of("thead");
const TITLE: Element = Element::of("title");
const TR: Element = Element::of("tr");

/// The first number of elements that are not in the table.
const OTHERS: u8 = 128;

impl Element {
    /// The element with this name in lower case.
    pub(super) fn named(name: &[u8]) -> Self {
        let found = ELEMENTS.binary_search_by(|row| row.name.as_bytes().cmp(name));
        let index = found.ok().and_then(|index| u8::try_from(index).ok());
        let hash = |hash: u8, &octet: &u8| hash.wrapping_mul(31).wrapping_add(octet);
        Element(index.unwrap_or_else(|| OTHERS | name.iter().fold(0, hash)))
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
    /// Whether the page has the doctype of a standard. In quirks mode, which most mail is in, a table
    /// does not close a paragraph.
    pub(super) is_standard: bool,
    /// The strongest separation among the displayed elements that were closed since the last call of
    /// [`take_ended`](Self::take_ended).
    ended: Option<Display>,
}

impl Elements {
    /// Whether the content of the innermost element is hidden.
    pub(super) fn is_hidden(&self) -> bool {
        self.hidden > 0
    }

    /// Whether no element is open.
    pub(super) fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    /// Whether the innermost element is inside SVG or `MathML`, which are not HTML.
    pub(super) fn is_foreign(&self) -> bool {
        self.foreign().is_some()
    }

    fn foreign(&self) -> Option<usize> {
        self.has_foreign.then(|| self.find(&[SVG, MATH], SCOPE))?
    }

    /// Whether a start tag is ignored (HTML Standard, section 13.2.6.4.7): that of part of a table outside
    /// any table, of a page or a form inside another.
    pub(super) fn ignores(&self, element: Element) -> bool {
        let is_open = |element| self.find(&[element], 0).is_some();
        match element {
            HTML => !self.open.is_empty(),
            HEAD | BODY => self.open.iter().any(|&it| it != HTML.0 && it != HEAD.0),
            // A form between the cells of a table is empty.
            FORM => is_open(FORM) || self.find(&[TABLE_ELEMENT], CELL).is_some(),
            _ => element.is(OF_TABLE) && !element.is(TABLE) && !is_open(TABLE_ELEMENT),
        }
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

    /// Like [`find`](Self::find), for an item of a list: special elements inside it end the search, except
    /// `address`, `div` and `p`.
    fn find_item(&self, elements: &[Element]) -> Option<usize> {
        let index = self.find(elements, 0)?;
        let mut inside = self.traits.get(index + 1..)?.iter();
        inside
            .all(|traits| traits & SPECIAL == 0 || traits & IN_ITEM != 0)
            .then_some(index)
    }

    /// Closes the elements from this index.
    fn truncate(&mut self, length: usize) {
        self.traits.truncate(length);
        while self.open.len() > length
            && let (Some(open), Some(style)) = (self.open.pop(), self.styles.pop())
        {
            if !self.is_hidden() {
                self.ended = self.ended.max(Some(Element(open).display()));
            }
            self.hidden -= usize::from(style.is_hidden);
            self.quotes -= usize::from(style.is_quote);
        }
    }

    /// Closes the element at this index, and those inside it, if there is one.
    fn close_from(&mut self, index: Option<usize>) {
        if let Some(index) = index {
            self.truncate(index);
        }
    }

    /// Closes the element at this index, and those inside it with traits that `keeps` refuses.
    fn close_around(&mut self, index: usize, keeps: impl Fn(u16) -> bool) {
        let mut end = index;
        for at in index + 1..self.open.len() {
            if self.traits.get(at).is_some_and(|&traits| keeps(traits)) {
                self.open.swap(end, at);
                self.traits.swap(end, at);
                self.styles.swap(end, at);
                end += 1;
            }
        }
        self.truncate(end);
    }

    /// Closes the form at this index. Other elements inside it stay open, and are still part of it.
    fn close_form(&mut self, index: usize) {
        self.close_implied(None);
        if let Some([form, inside, ..]) = self.styles.get_mut(index..)
            && form.is_hidden
            && !inside.is_hidden
        {
            std::mem::swap(&mut form.is_hidden, &mut inside.is_hidden);
        }
        self.close_around(index, |_| true);
    }

    /// The strongest separation among the displayed elements that were closed since the last call.
    pub(super) fn take_ended(&mut self) -> Display {
        self.ended.take().unwrap_or(Inline)
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
        let is_of_head =
            matches!(element.display(), Void | Hidden) || matches!(element, TITLE | NOSCRIPT);
        if !is_of_head && self.open.last() == Some(&HEAD.0) {
            self.truncate(self.open.len() - 1);
        }
        match element {
            // A link closes an open link, and a `nobr` closes an open `nobr`.
            A | NOBR => {
                self.close(element);
            }
            BUTTON_ELEMENT => self.close_from(self.find(&[BUTTON_ELEMENT], SCOPE)),
            LI => self.close_from(self.find_item(&[LI])),
            DD | DT => self.close_from(self.find_item(&[DD, DT])),
            OPTION | OPTGROUP if self.find(&[SELECT], SCOPE).is_some() => {
                self.close_implied((element == OPTION).then_some(OPTGROUP));
            }
            RB | RP | RT | RTC if self.find(&[RUBY], SCOPE).is_some() => {
                self.close_implied(matches!(element, RP | RT).then_some(RTC));
            }
            TABLE_ELEMENT => self.close_from(self.find(&[TABLE_ELEMENT], CELL)),
            _ if element.is(OF_TABLE) => self.close_to_table(element),
            _ => {}
        }
        let ends_paragraph = match element {
            HR => true,
            TABLE_ELEMENT => self.is_standard,
            _ => is_block && !element.is(OF_TABLE | IN_PARAGRAPH),
        };
        if ends_paragraph {
            self.close_from(self.find(&[P], BUTTON | SCOPE));
        }
        if element.is(HEADING) && self.traits.last().is_some_and(|it| it & HEADING != 0) {
            self.truncate(self.open.len() - 1);
        }
    }

    /// Closes the elements up to the one that may contain this part of a table, and opens the section and
    /// the row of a cell if their tags are omitted (HTML Standard, sections 13.2.6.4.9 to 13.2.6.4.15).
    fn close_to_table(&mut self, part: Element) {
        let is_cell = matches!(part, TD | TH);
        if is_cell && self.close_inside(&[TR]) {
            return;
        }
        let is_in_section = is_cell || part == TR;
        if !(is_in_section && self.close_inside(&[TBODY, TFOOT, THEAD])) {
            self.close_inside(&[TABLE_ELEMENT]);
            if is_in_section {
                self.push(TBODY, Style::default());
            }
        }
        if is_cell {
            self.push(TR, Style::default());
        }
    }

    /// Closes the elements inside the innermost of `elements` in the current table. Returns whether there
    /// is one.
    fn close_inside(&mut self, elements: &[Element]) -> bool {
        let outer = self.find(elements, TABLE);
        self.close_from(outer.map(|index| index + 1));
        outer.is_some()
    }

    /// Closes the innermost elements whose end tags are implied, up to `except` (HTML Standard, section
    /// 13.2.6.3).
    fn close_implied(&mut self, except: Option<Element>) {
        let is_implied = |(&open, traits): (&u8, &u16)| {
            traits & IMPLIED != 0 && except.is_none_or(|except| open != except.0)
        };
        let open = self.open.iter().zip(&self.traits);
        let last = open.rev().position(|it| !is_implied(it));
        self.truncate(self.open.len() - last.unwrap_or(self.open.len()));
    }

    /// Closes the element of an end tag, and the elements inside it. Returns whether such an element was
    /// open.
    pub(super) fn close(&mut self, element: Element) -> bool {
        let limit = match element {
            TEMPLATE => 0,
            P => BUTTON | SCOPE,
            LI => LIST | SCOPE,
            SVG | MATH => SCOPE,
            _ if element.is(OF_TABLE) => TABLE,
            _ if element.is(SPECIAL | FORMATTING) => SCOPE,
            _ => SPECIAL,
        };
        let found = if element.is(HEADING) {
            self.find_trait(HEADING, limit)
        } else {
            self.find(&[element], limit)
        };
        match found {
            // Text after these end tags is still in the body.
            Some(_) if matches!(element, BODY | HTML) => {
                self.ended = (!self.is_hidden()).then_some(Block);
            }
            Some(index) if element == FORM => self.close_form(index),
            // The adoption agency algorithm leaves blocks and formatting elements open.
            Some(index) if element.is(FORMATTING) => {
                self.close_around(index, |traits| traits & (SPECIAL | FORMATTING) != 0);
            }
            _ => self.close_from(found),
        }
        found.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::{ELEMENTS, OTHERS};

    /// The table is binary-searched, and its indices are octets.
    #[test]
    fn the_table_is_sorted() {
        assert!(ELEMENTS.is_sorted_by(|one, next| one.name < next.name));
        assert!(ELEMENTS.len() <= usize::from(OTHERS));
    }
}
