//! text/enriched (RFC 1896) and the older text/richtext (RFC 1341, section 7.1.3).

use super::lines::{LineBuilder, WhiteSpace, with_line_feeds};
use super::options::Reading;

/// Maximum length of a command name, in octets (RFC 1896, section 3).
const MAX_NAME: usize = 60;

/// The text of text/enriched without its commands.
pub(super) fn text_of_enriched(text: &str, reading: Reading) -> String {
    without_commands(text, Form::Enriched, reading)
}

/// The text of text/richtext without its commands.
pub(super) fn text_of_richtext(text: &str, reading: Reading) -> String {
    without_commands(text, Form::Richtext, reading)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Enriched,
    Richtext,
}

fn without_commands(text: &str, form: Form, reading: Reading) -> String {
    let text = with_line_feeds(text);
    let mut page = Page {
        form,
        reading,
        lines: LineBuilder::default(),
        hidden: 0,
        hidden_text: String::new(),
        unfilled: 0,
    };
    let mut rest = &*text;
    while let Some((before, after)) = rest.split_once('<') {
        page.push_text(before);
        rest = if let Some(after) = after.strip_prefix('<').filter(|_| form == Form::Enriched) {
            page.push_text("<");
            after
        } else if let Some((name, after)) = command(after) {
            page.apply(&name.to_ascii_lowercase());
            after
        } else {
            page.push_text("<");
            after
        };
    }
    page.push_text(rest);
    page.show_hidden();
    page.lines.finish()
}

/// Parses the command at the start. Returns its name, which begins with `/` for an end command, and the
/// rest.
fn command(text: &str) -> Option<(&str, &str)> {
    let is_name = |octet: &u8| octet.is_ascii_alphanumeric() || matches!(octet, b'-' | b'/');
    let length = text.bytes().take(MAX_NAME + 1).take_while(is_name).count();
    let (name, after) = text.split_at_checked(length)?;
    Some((name, after.strip_prefix('>')?)).filter(|_| !name.is_empty())
}

struct Page {
    form: Form,
    reading: Reading,
    lines: LineBuilder,
    /// The number of open commands with hidden content.
    hidden: usize,
    /// Their content, which is shown after all if one of them is not closed.
    hidden_text: String,
    /// The number of open commands in which each line feed is a line ending.
    unfilled: usize,
}

impl Page {
    fn apply(&mut self, command: &str) {
        let (name, ends) = match command.strip_prefix('/') {
            Some(name) => (name, true),
            None => (command, false),
        };
        // A parameter contains no commands, so any other command ends an unclosed parameter.
        if self.form == Form::Enriched && name != "param" {
            self.show_hidden();
        }
        let change = |depth: usize| {
            if ends {
                depth.saturating_sub(1)
            } else {
                depth + 1
            }
        };
        match (name, self.form) {
            ("param", Form::Enriched) | ("comment", Form::Richtext) => {
                self.hidden = change(self.hidden);
                if self.hidden == 0 {
                    self.hidden_text.clear();
                }
            }
            ("nofill", Form::Enriched) => self.unfilled = change(self.unfilled),
            ("excerpt", _) => {
                self.lines.end_line();
                if self.reading.quotes {
                    self.lines.quotes = change(self.lines.quotes);
                }
            }
            ("center" | "flushleft" | "flushright" | "flushboth" | "indent" | "paraindent", _) => {
                self.lines.end_line();
            }
            ("lt", Form::Richtext) => self.push_text("<"),
            ("nl", Form::Richtext) => self.lines.newline(),
            ("paragraph" | "np", Form::Richtext) => self.lines.end_paragraph(),
            _ => {}
        }
    }

    /// Shows the content of a command that is not closed.
    fn show_hidden(&mut self) {
        self.hidden = 0;
        let text = std::mem::take(&mut self.hidden_text);
        self.push_text(&text);
    }

    fn push_text(&mut self, text: &str) {
        if self.hidden > 0 {
            return self.hidden_text.push_str(text);
        }
        if self.form == Form::Richtext {
            return self.lines.push(text, WhiteSpace::Collapse);
        }
        if self.unfilled > 0 {
            return self.lines.push(text, WhiteSpace::Keep);
        }
        // RFC 1896, section 2: a single line ending is a blank, and n adjacent line endings are n - 1
        // line endings.
        let mut rest = text;
        while let Some((line, after)) = rest.split_once('\n') {
            self.lines.push(line, WhiteSpace::Keep);
            rest = after.trim_start_matches('\n');
            match after.len() - rest.len() {
                0 => self.lines.push(" ", WhiteSpace::Collapse),
                more => (0..more).for_each(|_| self.lines.newline()),
            }
        }
        self.lines.push(rest, WhiteSpace::Keep);
    }
}
