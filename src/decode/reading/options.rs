//! Options for a reading text.

/// Additional information that a reading text shows. Each method takes and returns the options:
///
/// ```
/// use mime_charset::{decode::{Reading, reading_text}, header};
///
/// let page = "<title>News</title><p>Read <a href='https://example.org/'>this</a>\
///             <blockquote>Really?</blockquote>";
/// let html = header::content_type(b"text/html");
/// assert_eq!(reading_text(page, &html, Reading::new()), "Read this\n\nReally?");
/// let all = Reading::new().title(true).links(true).quotes(true);
/// assert_eq!(
///     reading_text(page, &html, all),
///     "News\n\nRead this <https://example.org/>\n\n> Really?",
/// );
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Reading {
    pub(super) title: bool,
    pub(super) links: bool,
    pub(super) quotes: bool,
}

impl Reading {
    /// Options that show no additional information.
    #[must_use]
    pub const fn new() -> Self {
        Reading {
            title: false,
            links: false,
            quotes: false,
        }
    }

    /// Whether the title of a page is its first line.
    #[must_use]
    pub const fn title(mut self, shown: bool) -> Self {
        self.title = shown;
        self
    }

    /// Whether the target of a link follows the text of the link, in angle brackets. Omitted if the text
    /// is the target, or if the target is in the same page.
    #[must_use]
    pub const fn links(mut self, shown: bool) -> Self {
        self.links = shown;
        self
    }

    /// Whether each line of a quote (`blockquote` in HTML, `excerpt` in text/enriched) begins with `> `,
    /// like quotes in plain text. A `blockquote` whose `style` gives it no border is indented text, not a
    /// quote.
    #[must_use]
    pub const fn quotes(mut self, shown: bool) -> Self {
        self.quotes = shown;
        self
    }
}
