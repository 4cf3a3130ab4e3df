//! The output of a command.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{self, BufWriter, IsTerminal, StdoutLock, Write};
use std::path::{Path, PathBuf};

use mime_charset::Report;
use serde::Serialize;

use super::Stop;

/// Writes lines to standard error.
pub(crate) fn tell(lines: &str) -> io::Result<()> {
    let mut stderr = io::stderr().lock();
    let lines = if stderr.is_terminal() {
        visible(lines)
    } else {
        lines.into()
    };
    stderr.write_all(lines.as_bytes())
}

/// Fails if the file exists.
pub(super) fn is_free(file: &Path) -> Result<(), Stop> {
    match fs::symlink_metadata(file) {
        Ok(_) => Err(Stop::Sentence(format!(
            "{} already exists; --force replaces it",
            file.display()
        ))),
        Err(_) => Ok(()),
    }
}

/// Creates an output file. A file that has the name already is removed first, since it may be a hard link
/// to an input.
pub(super) fn create(file: &Path) -> io::Result<File> {
    if fs::symlink_metadata(file).is_ok_and(|found| found.is_file()) {
        fs::remove_file(file)?;
    }
    File::create(file)
}

/// Fails if the output file is one of the inputs, or in an input folder.
pub(super) fn is_outside(file: &Path, read: &[&Path]) -> Result<(), Stop> {
    let place = without_links(file);
    let is_in = |folder: &Path| {
        let folder = without_links(folder);
        folder.is_some_and(|folder| place.as_ref().is_some_and(|it| it.starts_with(folder)))
    };
    match read.iter().find(|path| is_in(path)) {
        Some(path) => Err(Stop::Sentence(format!(
            "{} must be outside {}",
            file.display(),
            path.display()
        ))),
        None => Ok(()),
    }
}

/// Resolves links in a path; the file itself need not exist.
fn without_links(path: &Path) -> Option<PathBuf> {
    path.canonicalize().ok().or_else(|| {
        let folder = path.parent().filter(|folder| *folder != Path::new(""));
        let folder = folder.unwrap_or(Path::new(".")).canonicalize().ok()?;
        Some(folder.join(path.file_name()?))
    })
}

/// Standard output. On a terminal, control characters are escaped.
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

    /// Writes text as one line. Keeps tabs: folded fields have them, and they are not separators
    /// here.
    pub(super) fn line(&mut self, text: &str) -> Result<(), Stop> {
        self.text(&in_one_line(text))?;
        self.stream.write_all(b"\n")?;
        Ok(())
    }

    /// Writes a line of tab-separated columns; escapes tabs in them.
    pub(super) fn columns(&mut self, texts: &[&str]) -> Result<(), Stop> {
        let texts: Vec<_> = texts
            .iter()
            .map(|text| {
                escape(text, |character| {
                    breaks_line(character) || character == '\t'
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

/// Escapes line separators and control characters except tabs. Everything printed for people that
/// is not the text of mail goes through this function: a file name may have a line ending.
pub(crate) fn in_one_line(text: &str) -> Cow<'_, str> {
    escape(text, breaks_line)
}

/// Escapes the characters that need it, for pipes too: otherwise a program that reads lines could
/// mistake text from mail for output of this command.
fn escape(text: &str, needs_escape: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&needs_escape) {
        return text.into();
    }
    let mut shown = String::with_capacity(text.len() + 8);
    for character in text.chars() {
        if needs_escape(character) {
            shown.extend(character.escape_unicode());
        } else {
            shown.push(character);
        }
    }
    shown.into()
}

/// Whether a character ends a line for some program, or controls a terminal.
fn breaks_line(character: char) -> bool {
    character != '\t' && character.is_control() || matches!(character, '\u{2028}' | '\u{2029}')
}

/// Escapes control characters and bidirectional controls, so that mail cannot control a terminal.
/// Keeps line endings and tabs, but escapes a CR without an LF, which would overwrite the text
/// before it.
fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '\n' | '\t' => shown.push(character),
            // The LF may follow in the next piece.
            '\r' if characters.peek().is_none_or(|next| *next == '\n') => {}
            _ if controls_display(character) => shown.extend(character.escape_unicode()),
            _ => shown.push(character),
        }
    }
    shown
}

/// Like [`visible`], with JSON's own escapes. JSON requires them only below U+0020 (RFC 8259,
/// section 7), but a terminal obeys U+009B too.
fn visible_json(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        if controls_display(character) {
            let _ = write!(shown, "\\u{:04x}", u32::from(character));
        } else {
            shown.push(character);
        }
    }
    shown
}

pub(super) fn controls_display(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{200E}' | '\u{200F}' | '\u{061C}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}'
        )
}

/// Writes a sentence to standard error. Ignores a closed standard error.
pub(crate) fn complain(sentence: &str) {
    let sentence = in_one_line(sentence);
    let sentence = if io::stderr().is_terminal() {
        visible(&sentence).into()
    } else {
        sentence
    };
    let _ = writeln!(io::stderr(), "mime-charset: {sentence}");
}

pub(super) fn show_findings(out: &mut Output, report: &Report) -> Result<(), Stop> {
    /// Damaged text can have many findings; the first ones and their number suffice.
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
