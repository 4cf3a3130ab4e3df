//! A reader of mail for the terminal.
//!
//! `reader PATH` lists the messages of a Maildir, a mailbox or a file, a line each.
//! `reader PATH N` shows message N: its text, what is attached, and how each charset was chosen.
//! `--html` prefers the page to the plain text, and `--charset LABEL` reads text in that
//! charset, whatever it declares.

use std::env;
use std::error::Error;
use std::io::{self, Write};
use std::path::PathBuf;

use mime_charset::message::Part;
use mime_charset::{Charset, Message, Options};
use mime_charset_archive::{Limits, sources};

const USAGE: &str = "usage: reader [--html] [--charset LABEL] PATH [NUMBER]";

struct Arguments {
    path: PathBuf,
    number: Option<usize>,
    html: bool,
    options: Options,
}

impl Arguments {
    fn read() -> Result<Self, Box<dyn Error>> {
        let (mut path, mut number) = (None, None);
        let (mut html, mut options) = (false, Options::new());
        let mut arguments = env::args_os().skip(1);
        while let Some(argument) = arguments.next() {
            match argument.to_str() {
                Some("--html") => html = true,
                Some("--charset") => {
                    let label = arguments.next().ok_or(USAGE)?;
                    let charset = label.to_str().and_then(Charset::for_label);
                    options = options.force(Some(charset.ok_or("no such charset")?));
                }
                Some(text) if path.is_some() => number = Some(text.parse()?),
                _ => path = Some(PathBuf::from(argument)),
            }
        }
        let path = path.ok_or(USAGE)?;
        Ok(Arguments {
            path,
            number,
            html,
            options,
        })
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = Arguments::read()?;
    let mut output = io::stdout().lock();
    let mut number = 0;
    for source in sources(&arguments.path, Limits::new()) {
        for stored in source?.messages()? {
            number += 1;
            if arguments.number.is_some_and(|wanted| wanted != number) {
                continue;
            }
            let stored = stored?;
            let octets = stored.message();
            let message = Message::parse(&octets);
            match arguments.number {
                None => list(&mut output, number, &message, &arguments)?,
                Some(_) => return show(&mut output, &message, &arguments).map_err(Into::into),
            }
        }
    }
    match arguments.number {
        Some(wanted) => Err(format!("there is no message {wanted} among {number}").into()),
        None => Ok(()),
    }
}

fn list(
    output: &mut impl Write,
    number: usize,
    message: &Message<'_>,
    arguments: &Arguments,
) -> io::Result<()> {
    let date = line_of(message, "Date", arguments);
    let from = line_of(message, "From", arguments);
    let subject = line_of(message, "Subject", arguments);
    writeln!(output, "{number}\t{date}\t{from}\t{subject}")
}

/// A field in one line that no control can break, or nothing.
fn line_of(message: &Message<'_>, name: &str, arguments: &Arguments) -> String {
    let field = message.field(name);
    let text = field.map(|field| field.text_with(&arguments.options));
    text.map_or_else(String::new, |text| text.one_line().into_owned())
}

fn show(output: &mut impl Write, message: &Message<'_>, arguments: &Arguments) -> io::Result<()> {
    for name in ["Date", "From", "To", "Subject"] {
        writeln!(output, "{name}: {}", line_of(message, name, arguments))?;
    }
    let bodies = message.bodies();
    let shown = if arguments.html {
        bodies.html()
    } else {
        bodies.text()
    };
    for part in shown.iter().filter(|part| part.is_text()) {
        let text = part.text_with(&arguments.options);
        writeln!(output, "\n{}", for_terminal(text.as_str()).trim_end())?;
    }
    for part in bodies.attachments() {
        let name = part.filename(&arguments.options);
        let name = name.map_or_else(String::new, |name| name.one_line().into_owned());
        let media_type = part.content_type().media_type().to_owned();
        let octets = part.octets().as_bytes().len();
        let section = part.section();
        writeln!(
            output,
            "\nattachment {section}: {name} ({media_type}, {octets} octets)"
        )?;
    }
    for part in shown.iter().filter(|part| part.is_text()) {
        explain(output, *part, arguments)?;
    }
    Ok(())
}

fn explain(output: &mut impl Write, part: Part<'_>, arguments: &Arguments) -> io::Result<()> {
    let decision = part.decide(&arguments.options);
    let (charset, source) = (decision.charset(), decision.source());
    writeln!(
        output,
        "\ncharset {}: {charset}, {}",
        part.section(),
        source.name()
    )?;
    for evidence in decision.evidence() {
        writeln!(output, "  {}", for_terminal(&evidence.to_string()))?;
    }
    for finding in part.text_with(&arguments.options).report() {
        writeln!(output, "  {}", finding.kind().name())?;
    }
    Ok(())
}

/// Text without what a terminal would obey.
fn for_terminal(text: &str) -> String {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let obeyed = |c: char| c.is_control() && !matches!(c, '\n' | '\t');
    text.replace(obeyed, "\u{FFFD}")
}
