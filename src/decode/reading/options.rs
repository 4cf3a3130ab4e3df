//! Options for a reading text.

/// What a reading text shows additionally. Built by value:
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
    /// Shows none of them.
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

    /// Whether the target of a link follows its text in angle brackets, unless the text is the target or
    /// the target is in the same page.
    #[must_use]
    pub const fn links(mut self, shown: bool) -> Self {
        self.links = shown;
        self
    }

    /// Whether each line of a quote (`blockquote` in HTML, `excerpt` in text/enriched) begins with `> `,
    /// like quotes in plain text. A `blockquote` with a style without border is only indented.
    #[must_use]
    pub const fn quotes(mut self, shown: bool) -> Self {
        self.quotes = shown;
        self
    }
}
