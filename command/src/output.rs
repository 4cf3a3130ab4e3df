//! The output of a command.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::{self, BufWriter, IsTerminal, StdoutLock, Write};

use mime_charset::Report;
use serde::Serialize;

use super::Stop;

/// Lines for people on standard error.
pub(crate) fn tell(lines: &str) -> io::Result<()> {
    let mut stderr = io::stderr().lock();
    let lines = if stderr.is_terminal() {
        visible(lines)
    } else {
        lines.into()
    };
    stderr.write_all(lines.as_bytes())
}

/// Standard output, which shows no control characters to a terminal.
pub(crate) struct Output {
    stream: BufWriter<StdoutLock<'static>>,
    terminal: bool,
}

impl Output {
    pub(crate) fn new() -> Self {
        let stream = io::stdout().lock();
        let terminal = stream.is_terminal();
        Output {
            stream: BufWriter::with_capacity(1 << 16, stream),
            terminal,
        }
    }

    /// Flushes the buffer.
    pub(crate) fn flush(&mut self) -> Result<(), Stop> {
        self.stream.flush().map_err(Stop::from)
    }

    pub(super) fn text(&mut self, text: &str) -> Result<(), Stop> {
        if self.terminal {
            self.stream.write_all(visible(text).as_bytes())?;
        } else {
            self.stream.write_all(text.as_bytes())?;
        }
        Ok(())
    }

    /// One line, whatever is in the text. Tabs stay: they separate nothing here, and fields are
    /// folded with them.
    pub(super) fn line(&mut self, text: &str) -> Result<(), Stop> {
        self.text(&written_out(text, ends_a_line))?;
        self.stream.write_all(b"\n")?;
        Ok(())
    }

    /// One line with a tab between the texts, and nowhere else.
    pub(super) fn columns(&mut self, texts: &[&str]) -> Result<(), Stop> {
        let texts: Vec<_> = texts
            .iter()
            .map(|text| {
                written_out(text, |character| {
                    ends_a_line(character) || character == '\t'
                })
            })
            .collect();
        self.text(&texts.join("\t"))?;
        self.stream.write_all(b"\n")?;
        Ok(())
    }

    pub(super) fn json(&mut self, value: &impl Serialize) -> Result<(), Stop> {
        if self.terminal {
            let text = serde_json::to_string(value).map_err(io::Error::from)?;
            self.stream.write_all(visible_json(&text).as_bytes())?;
        } else {
            serde_json::to_writer(&mut self.stream, value).map_err(io::Error::from)?;
        }
        self.stream.write_all(b"\n")?;
        Ok(())
    }
}

/// Text with some characters written out: for a pipe too, since one that reads lines would take
/// what stands in mail for lines of ours.
fn written_out(text: &str, is_meant: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&is_meant) {
        return text.into();
    }
    let mut shown = String::with_capacity(text.len() + 8);
    for character in text.chars() {
        if is_meant(character) {
            shown.extend(character.escape_unicode());
        } else {
            shown.push(character);
        }
    }
    shown.into()
}

/// Whether some program takes the line to end there, or a terminal does otherwise than show it.
fn ends_a_line(character: char) -> bool {
    character != '\t' && character.is_control() || matches!(character, '\u{2028}' | '\u{2029}')
}

/// Text with control characters and bidirectional controls written out, so that mail can
/// not steer a terminal. Line ends and tabs stay; a CR that ends no line with an LF would have what
/// follows written over what came before.
fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '\n' | '\t' => shown.push(character),
            // What follows the last may be the LF.
            '\r' if characters.peek().is_none_or(|next| *next == '\n') => {}
            _ if steers(character) => shown.extend(character.escape_unicode()),
            _ => shown.push(character),
        }
    }
    shown
}

/// The same of JSON, which has its own way to write them and is JSON still: of itself it
/// writes out those below U+0020 (RFC 8259, section 7), and a terminal heeds U+009B too.
fn visible_json(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        if steers(character) {
            let _ = write!(shown, "\\u{:04x}", u32::from(character));
        } else {
            shown.push(character);
        }
    }
    shown
}

pub(super) fn steers(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{200E}' | '\u{200F}' | '\u{061C}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}'
        )
}

/// Writes a sentence to standard error. If that is closed too, it is lost.
pub(crate) fn complain(sentence: &str) {
    let sentence = written_out(sentence, ends_a_line);
    let sentence = if io::stderr().is_terminal() {
        visible(&sentence).into()
    } else {
        sentence
    };
    let _ = writeln!(io::stderr(), "mime-charset: {sentence}");
}

pub(super) fn show_findings(out: &mut Output, report: &Report) -> Result<(), Stop> {
    /// Damage comes in crowds; a person wants to know where it begins and how much there is.
    const SHOWN: usize = 8;
    for finding in report.findings().iter().take(SHOWN) {
        out.line(&format!(
            "    {}: {finding}",
            finding.kind().effect().name()
        ))?;
    }
    let more = report.findings().len().saturating_sub(SHOWN) + report.omitted();
    if more > 0 {
        out.line(&format!("    and {more} more"))?;
    }
    Ok(())
}
