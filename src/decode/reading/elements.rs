//! The open elements of a page, as far as the layout of its text depends on them.
//!
//! A browser builds a tree (HTML Standard, section 13.2.6). For the text it is enough to know which
//! elements are open: a stack, with the rules by which a tag closes elements whose end tags are left
//! out.

use super::lines::WhiteSpace;

/// Depth of open elements. Browsers allow 512; pages of real mail stay below 100.
const MAX_DEPTH: usize = 256;

/// Longest name of an element that is kept, in octets; longer ones are of no program.
const MAX_NAME: usize = 32;

/// How the style sheet of the HTML Standard (section 15.3) shows an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Display {
    Inline,
    /// On lines of its own.
    Block,
    /// The same, with a blank line before and after it.
    Paragraph,
    /// A cell of a table.
    Cell,
    /// Not at all.
    Hidden,
    /// Without content and end tag.
    Void,
}

/// How an element is shown.
pub(super) fn display(name: &[u8]) -> Display {
    match name {
        b"p" | b"blockquote" | b"figure" | b"listing" | b"plaintext" | b"pre" | b"xmp" | b"dl"
        | b"h1" | b"h2" | b"h3" | b"h4" | b"h5" | b"h6" | b"ul" | b"ol" | b"dir" | b"menu"
        | b"title" => Display::Paragraph,
        b"html" | b"body" | b"head" | b"div" | b"center" | b"address" | b"article" | b"aside"
        | b"details" | b"summary" | b"dialog" | b"dd" | b"dt" | b"fieldset" | b"figcaption"
        | b"footer" | b"form" | b"header" | b"hgroup" | b"legend" | b"li" | b"main" | b"nav"
        | b"optgroup" | b"option" | b"search" | b"section" | b"table" | b"caption" | b"tr"
        | b"thead" | b"tbody" | b"tfoot" | b"colgroup" => Display::Block,
        b"td" | b"th" => Display::Cell,
        b"script" | b"style" | b"noembed" | b"noframes" | b"iframe" | b"template" | b"datalist" => {
            Display::Hidden
        }
        b"area" | b"base" | b"basefont" | b"bgsound" | b"br" | b"col" | b"embed" | b"frame"
        | b"hr" | b"img" | b"image" | b"input" | b"keygen" | b"link" | b"meta" | b"param"
        | b"source" | b"track" | b"wbr" => Display::Void,
        _ => Display::Inline,
    }
}

/// What an element says of its content.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Style {
    pub(super) is_hidden: bool,
    /// That of its parent if it says none.
    pub(super) white_space: Option<WhiteSpace>,
    pub(super) is_quote: bool,
}

#[derive(Debug)]
struct Open {
    /// Where its name starts.
    name: usize,
    key: usize,
    /// What it bounds the search for.
    bounds: u8,
    style: Style,
}

/// The stack of open elements.
#[derive(Debug)]
pub(super) struct Elements {
    names: Vec<u8>,
    open: Vec<Open>,
    /// How many are open of the names that have this [`key`]: most that are looked for are not.
    counts: [u16; KEYS],
    /// Elements open that are hidden by themselves.
    hidden: usize,
    quotes: usize,
}

const KEYS: usize = 64;

/// A number that equal names have in common.
fn key(name: &[u8]) -> usize {
    let octet = |octet: Option<&u8>| octet.map_or(0, |&octet| usize::from(octet));
    (octet(name.first()) + 5 * octet(name.last()) + 11 * name.len()) % KEYS
}

impl Elements {
    pub(super) fn new() -> Self {
        Elements {
            names: Vec::new(),
            open: Vec::new(),
            counts: [0; KEYS],
            hidden: 0,
            quotes: 0,
        }
    }

    /// Changes the number of open elements with this key.
    fn count(&mut self, key: usize, change: fn(u16) -> u16) {
        if let Some(count) = self.counts.get_mut(key) {
            *count = change(*count);
        }
    }

    /// Whether the content of the innermost element is hidden.
    pub(super) fn is_hidden(&self) -> bool {
        self.hidden > 0
    }

    /// Whether an element of another language than HTML is open.
    pub(super) fn is_foreign(&self) -> bool {
        self.find(&[b"svg", b"math"], 0).is_some()
    }

    /// Whether a tag of a table is outside of one, where it is ignored (HTML Standard, section
    /// 13.2.6.4.7).
    pub(super) fn ignores(&self, name: &[u8]) -> bool {
        name != b"table" && is_of_table(name) && self.find(&[b"table"], 0).is_none()
    }

    /// The number of quotes around the text.
    pub(super) fn quotes(&self) -> usize {
        self.quotes
    }

    pub(super) fn white_space(&self) -> WhiteSpace {
        let inner = self.open.last().and_then(|open| open.style.white_space);
        inner.unwrap_or(WhiteSpace::Collapse)
    }

    pub(super) fn push(&mut self, name: &[u8], mut style: Style) {
        style.white_space = Some(style.white_space.unwrap_or(self.white_space()));
        // What is hidden stays hidden at any depth that a page has by mistake, such as links never closed.
        let is_hidden = style.is_hidden || self.is_hidden();
        let limit = if is_hidden { 2 * MAX_DEPTH } else { MAX_DEPTH };
        if self.open.len() >= limit || name.len() > MAX_NAME {
            return;
        }
        self.hidden += usize::from(style.is_hidden);
        self.quotes += usize::from(style.is_quote);
        self.open.push(Open {
            name: self.names.len(),
            key: key(name),
            bounds: bounds(name),
            style,
        });
        self.names.extend_from_slice(name);
        self.count(key(name), |count| count + 1);
    }

    fn name(&self, index: usize) -> &[u8] {
        let start = self.open.get(index).map(|open| open.name);
        let end = self
            .open
            .get(index + 1)
            .map_or(self.names.len(), |open| open.name);
        start
            .and_then(|start| self.names.get(start..end))
            .unwrap_or_default()
    }

    /// The innermost open element with one of these names, unless one with a bound of `limit` is inside.
    fn find(&self, names: &[&[u8]], limit: u8) -> Option<usize> {
        let is_open = |name: &&[u8]| self.counts.get(key(name)).is_some_and(|&count| count > 0);
        if !names.iter().any(is_open) {
            return None;
        }
        let keys = names.iter().fold(0_u64, |keys, name| keys | 1 << key(name));
        for (index, open) in self.open.iter().enumerate().rev() {
            if keys & 1 << open.key != 0 && names.contains(&self.name(index)) {
                return Some(index);
            }
            if open.bounds & limit != 0 {
                return None;
            }
        }
        None
    }

    fn truncate(&mut self, length: usize) {
        while self.open.len() > length
            && let Some(open) = self.open.pop()
        {
            self.hidden -= usize::from(open.style.is_hidden);
            self.quotes -= usize::from(open.style.is_quote);
            self.count(open.key, |count| count - 1);
            self.names.truncate(open.name);
        }
    }

    /// Closes what the start tag of `name` closes (HTML Standard, section 13.2.6.4.7 and the tables
    /// after it).
    pub(super) fn close_before(&mut self, name: &[u8], display: Display) {
        if matches!(name, b"a" | b"nobr")
            && let Some(index) = self.find(&[name], SCOPE)
        {
            return self.close_formatting(index);
        }
        let found = match name {
            b"button" => self.find(&[b"button"], SCOPE),
            b"li" => self.find(&[b"li"], LIST | SCOPE),
            b"dd" | b"dt" => self.find(&[b"dd", b"dt"], TERMS | SCOPE),
            b"option" => self.find(&[b"option"], SELECT | SCOPE),
            b"tr" => self.find(&[b"tr"], TABLE),
            b"td" | b"th" => self.find(&[b"td", b"th"], ROW | TABLE),
            b"thead" | b"tbody" | b"tfoot" | b"colgroup" | b"caption" => {
                self.find(&TABLE_SECTIONS, TABLE)
            }
            _ => None,
        };
        if let Some(index) = found {
            self.truncate(index);
        }
        // In quirks mode, which most mail is in, a table does not close a paragraph.
        let is_in_paragraph =
            is_of_table(name) || matches!(name, b"title" | b"option" | b"optgroup" | b"legend");
        let is_block = matches!(display, Display::Block | Display::Paragraph) && !is_in_paragraph;
        if (is_block || name == b"hr")
            && let Some(index) = self.find(&[b"p"], BUTTON | SCOPE)
        {
            self.truncate(index);
        }
    }

    /// Closes the element that the end tag of `name` ends, with all in it. Returns whether one is open.
    pub(super) fn close(&mut self, name: &[u8], display: Display) -> bool {
        let found = match name {
            b"h1" | b"h2" | b"h3" | b"h4" | b"h5" | b"h6" => self.find(&HEADINGS, SCOPE),
            b"p" => self.find(&[b"p"], BUTTON | SCOPE),
            _ if is_of_table(name) => self.find(&[name], TABLE),
            _ if is_formatting(name) => {
                if let Some(index) = self.find(&[name], SCOPE) {
                    self.close_formatting(index);
                    return true;
                }
                None
            }
            _ if display == Display::Inline => self.find(&[name], SPECIAL),
            _ => self.find(&[name], SCOPE),
        };
        if let Some(index) = found {
            self.truncate(index);
        }
        found.is_some()
    }

    /// Closes a formatting element alone: blocks in it stay open, as by the adoption agency algorithm
    /// (HTML Standard, section 13.2.6.4.7).
    fn close_formatting(&mut self, index: usize) {
        if index + 1 == self.open.len() {
            return self.truncate(index);
        }
        let end = self.open.get(index + 1).map_or(0, |next| next.name);
        if let Some(open) = self.open.get_mut(index) {
            self.hidden -= usize::from(std::mem::take(&mut open.style.is_hidden));
            // Without a name it closes with its parent.
            if let Some(name) = self.names.get_mut(open.name..end) {
                name.fill(0);
            }
        }
    }
}

// Bounds of the search for an open element (HTML Standard, section 13.2.4.2).
const SCOPE: u8 = 1;
const LIST: u8 = 1 << 1;
const TERMS: u8 = 1 << 2;
const SELECT: u8 = 1 << 3;
const TABLE: u8 = 1 << 4;
const ROW: u8 = 1 << 5;
const BUTTON: u8 = 1 << 6;
/// For end tags that the standard has no rule for.
const SPECIAL: u8 = 1 << 7;

fn bounds(name: &[u8]) -> u8 {
    let special = match display(name) {
        Display::Inline | Display::Hidden => 0,
        _ => SPECIAL,
    };
    special
        | match name {
            b"table" => SCOPE | TABLE,
            b"applet" | b"caption" | b"html" | b"td" | b"th" | b"marquee" | b"object"
            | b"template" => SCOPE,
            b"ul" | b"ol" | b"dir" | b"menu" => LIST,
            b"dl" => TERMS,
            b"select" => SELECT,
            b"tr" => ROW,
            b"button" => BUTTON,
            _ => 0,
        }
}

const HEADINGS: [&[u8]; 6] = [b"h1", b"h2", b"h3", b"h4", b"h5", b"h6"];

const TABLE_SECTIONS: [&[u8]; 5] = [b"thead", b"tbody", b"tfoot", b"colgroup", b"caption"];

fn is_of_table(name: &[u8]) -> bool {
    matches!(
        name,
        b"table"
            | b"caption"
            | b"colgroup"
            | b"thead"
            | b"tbody"
            | b"tfoot"
            | b"tr"
            | b"td"
            | b"th"
    )
}

/// Formatting elements (HTML Standard, section 13.2.4.3).
fn is_formatting(name: &[u8]) -> bool {
    matches!(
        name,
        b"a" | b"b"
            | b"big"
            | b"code"
            | b"em"
            | b"font"
            | b"i"
            | b"nobr"
            | b"s"
            | b"small"
            | b"strike"
            | b"strong"
            | b"tt"
            | b"u"
    )
}
