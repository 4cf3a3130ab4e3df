//! Builds lines of text as in CSS layout: collapses white space, and breaks lines between blocks.

use std::borrow::Cow;

/// Maximum number of quote marks per line. Without this limit, deep quotes could make the text a hundred
/// times as long as the page.
const MAX_MARKS: usize = 8;

/// The treatment of white space (CSS Text, section 3: the property `white-space`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WhiteSpace {
    /// Runs of white space are one blank.
    Collapse,
    /// Runs of white space are one blank, but line feeds are line endings.
    KeepLines,
    /// White space is kept.
    Keep,
}

/// Text that grows line by line.
#[derive(Debug, Default)]
pub(super) struct LineBuilder {
    text: String,
    /// Line endings to write before the next text.
    newlines: usize,
    /// Whether a blank line is needed before the next text.
    needs_blank_line: bool,
    /// Whether the current line has text.
    has_text: bool,
    /// The blank or tab to write before the next text of the line.
    blank: Option<char>,
    /// Whether the last white space had a line feed.
    has_line_feed: bool,
    /// The quote depth: the number of quote marks at the start of each line.
    pub(super) quotes: usize,
    /// The quote depth of the last line.
    last_quotes: usize,
}

impl LineBuilder {
    /// Ends the current line, if it has text.
    pub(super) fn end_line(&mut self) {
        if self.has_text {
            self.newline();
        }
        self.blank = None;
    }

    /// Ends the current line and requests a blank line before the next text.
    pub(super) fn end_paragraph(&mut self) {
        self.end_line();
        self.needs_blank_line = true;
    }

    /// Adds a line ending of the text itself. Two such line endings make a blank line.
    pub(super) fn newline(&mut self) {
        self.newlines += 1;
        self.has_text = false;
        self.blank = None;
    }

    /// Separates two cells of a row.
    pub(super) fn next_cell(&mut self) {
        if self.has_text {
            (self.blank, self.has_line_feed) = (Some('\t'), false);
        }
    }

    pub(super) fn push(&mut self, text: &str, white_space: WhiteSpace) {
        match white_space {
            WhiteSpace::Collapse => self.push_collapsed(text),
            WhiteSpace::KeepLines | WhiteSpace::Keep => {
                for (number, line) in text.split('\n').enumerate() {
                    if number > 0 {
                        self.newline();
                    }
                    let line = line.strip_suffix('\r').unwrap_or(line);
                    if white_space == WhiteSpace::KeepLines {
                        self.push_collapsed(line);
                    } else if !line.is_empty() {
                        self.push_words(line);
                    }
                }
            }
        }
    }

    /// Appends text, and collapses each run of ASCII white space to one blank. Removes a line feed
    /// between two wide characters (CSS Text, section 4.1.3).
    fn push_collapsed(&mut self, text: &str) {
        let mut rest = text;
        while !rest.is_empty() {
            let (words, after) = rest.split_at(length_of_words(rest.as_bytes()));
            if !words.is_empty() {
                if self.blank == Some(' ') && self.has_line_feed && self.joins_wide(words) {
                    self.blank = None;
                }
                self.push_words(words);
            }
            let octets = after.as_bytes();
            let length = octets.iter().position(|octet| !octet.is_ascii_whitespace());
            let (blanks, after) = after.split_at(length.unwrap_or(after.len()));
            if !blanks.is_empty() && self.has_text {
                self.has_line_feed = self.blank.is_some() && self.has_line_feed
                    || memchr::memchr(b'\n', blanks.as_bytes()).is_some();
                self.blank = self.blank.or(Some(' '));
            }
            rest = after;
        }
    }

    /// Writes the pending line endings or the pending blank, then the text.
    fn push_words(&mut self, words: &str) {
        if self.text.is_empty() {
            self.begin_line();
        } else {
            let blank_line = if self.needs_blank_line { 2 } else { 0 };
            for left in (0..self.newlines.max(blank_line)).rev() {
                self.text.push('\n');
                if left == 0 {
                    self.begin_line();
                } else {
                    let marks = self.quotes.min(self.last_quotes);
                    self.push_marks(marks);
                }
            }
        }
        self.text.extend(self.blank);
        self.text.push_str(words);
        (self.newlines, self.needs_blank_line) = (0, false);
        (self.has_text, self.blank) = (true, None);
        self.last_quotes = self.quotes;
    }

    /// Appends text to the last line that has text.
    pub(super) fn append(&mut self, text: &str) {
        self.text.push_str(text);
    }

    fn begin_line(&mut self) {
        self.push_marks(self.quotes);
        if self.quotes > 0 {
            self.text.push(' ');
        }
    }

    fn push_marks(&mut self, depth: usize) {
        let depth = depth.min(MAX_MARKS);
        self.text.extend(std::iter::repeat_n('>', depth));
    }

    fn joins_wide(&self, words: &str) -> bool {
        let before = self.text.chars().next_back();
        before.is_some_and(is_wide) && words.chars().next().is_some_and(is_wide)
    }

    /// The text, without trailing white space.
    pub(super) fn finish(self) -> String {
        self.text
    }

    /// The text written so far.
    pub(super) fn as_str(&self) -> &str {
        &self.text
    }
}

/// The length of the prefix of words that are separated by single blanks.
fn length_of_words(octets: &[u8]) -> usize {
    let ends = |index: usize| {
        let next = octets.get(index + 1);
        let is_followed = next.is_some_and(|next| !next.is_ascii_whitespace());
        index == 0 || !is_followed || octets.get(index) != Some(&b' ')
    };
    let mut blanks =
        (0..octets.len()).filter(|&at| octets.get(at).is_some_and(u8::is_ascii_whitespace));
    blanks.find(|&index| ends(index)).unwrap_or(octets.len())
}

/// Whether a character belongs to an East Asian script without blanks between words: Han, kana, bopomofo,
/// their punctuation and fullwidth forms. Hangul does not.
fn is_wide(character: char) -> bool {
    matches!(
        character,
        '\u{2E80}'..='\u{312F}' | '\u{3190}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}'
            | '\u{F900}'..='\u{FAFF}' | '\u{FE30}'..='\u{FE4F}' | '\u{FF01}'..='\u{FF60}'
            | '\u{20000}'..='\u{3FFFF}'
    )
}

/// Replaces each CRLF and each CR by a line feed.
pub(super) fn with_line_feeds(text: &str) -> Cow<'_, str> {
    if memchr::memchr(b'\r', text.as_bytes()).is_none() {
        return Cow::Borrowed(text);
    }
    let mut result = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((line, after)) = rest.split_once('\r') {
        result.push_str(line);
        result.push('\n');
        rest = after.strip_prefix('\n').unwrap_or(after);
    }
    result.push_str(rest);
    Cow::Owned(result)
}
