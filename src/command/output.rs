//! What a command prints.

use std::fmt::Write as _;
use std::io::{self, BufWriter, IsTerminal, StdoutLock, Write};

use mime_charset::Report;
use serde_json::Value;

use super::Stop;

/// Lines for people on standard error.
pub(super) fn tell(lines: &str) -> io::Result<()> {
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

    /// Writes what it still holds.
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

    pub(super) fn line(&mut self, text: &str) -> Result<(), Stop> {
        self.text(text)?;
        self.stream.write_all(b"\n")?;
        Ok(())
    }

    pub(super) fn json(&mut self, value: &Value) -> Result<(), Stop> {
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

/// Text with control characters and bidirectional controls written out, so that mail can
/// not steer a terminal. Line ends and tabs stay.
fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\n' | '\t' => shown.push(character),
            '\r' => {}
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

fn steers(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{200E}' | '\u{200F}' | '\u{061C}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}'
        )
}

/// One sentence on standard error. Where even that is closed there is nobody to tell.
pub(crate) fn complain(sentence: &str) {
    let sentence = if io::stderr().is_terminal() {
        visible(sentence)
    } else {
        sentence.into()
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
