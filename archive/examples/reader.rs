//! A terminal mail reader.
//!
//! `reader PATH` lists the messages of a Maildir, mailbox or file, one per line. `reader PATH N`
//! shows message N: its text, its attachments, and how each charset was chosen. `--html` prefers
//! HTML to plain text; `--charset LABEL` decodes text in that charset, whatever it declares.

use std::env;
use std::error::Error;
use std::io::{self, Write};
use std::path::PathBuf;

use mime_charset::{Charset, Message, Options};
use mime_charset_archive::{Limits, sources};

const USAGE: &str = "usage: reader [--html] [--charset LABEL] PATH [NUMBER]";

#[derive(Default)]
struct Arguments {
    path: Option<PathBuf>,
    number: Option<usize>,
    html: bool,
    options: Options,
}

impl Arguments {
    fn parse() -> Result<Self, Box<dyn Error>> {
        let mut parsed = Arguments::default();
        let mut arguments = env::args_os().skip(1);
        while let Some(argument) = arguments.next() {
            match argument.to_str() {
                Some("--html") => parsed.html = true,
                Some("--charset") => {
                    let label = arguments.next().ok_or(USAGE)?;
                    let charset = label.to_str().and_then(Charset::for_label);
                    parsed.options = Options::new().force(Some(charset.ok_or("no such charset")?));
                }
                Some(text) if parsed.path.is_some() => parsed.number = Some(text.parse()?),
                _ => parsed.path = Some(PathBuf::from(argument)),
            }
        }
        Ok(parsed)
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = Arguments::parse()?;
    let path = arguments.path.as_deref().ok_or(USAGE)?;
    let mut output = io::stdout().lock();
    let mut number = 0;
    for source in sources(path, Limits::new()) {
        for stored in source?.messages()? {
            let stored = stored?;
            let octets = stored.message();
            number += 1;
            match arguments.number {
                None => {
                    let message = Message::parse(&octets);
                    let [date, from, subject] = ["Date", "From", "Subject"]
                        .map(|name| one_line(&message, name, &arguments.options));
                    writeln!(output, "{number}\t{date}\t{from}\t{subject}")?;
                }
                Some(wanted) if wanted == number => {
                    return Ok(show(&mut output, &Message::parse(&octets), &arguments)?);
                }
                Some(_) => {}
            }
        }
    }
    match arguments.number {
        Some(wanted) => Err(format!("there is no message {wanted} among {number}").into()),
        None => Ok(()),
    }
}

/// The text of a field on one line, without control characters; empty if the field is missing.
fn one_line(message: &Message<'_>, name: &str, options: &Options) -> String {
    let text = message.field(name).map(|field| field.text_with(options));
    text.map_or_else(String::new, |text| text.one_line().into_owned())
}

fn show(output: &mut impl Write, message: &Message<'_>, arguments: &Arguments) -> io::Result<()> {
    let options = &arguments.options;
    for name in ["Date", "From", "To", "Subject"] {
        writeln!(output, "{name}: {}", one_line(message, name, options))?;
    }
    let bodies = message.bodies();
    let shown = if arguments.html {
        bodies.html
    } else {
        bodies.text
    };
    let texts = || shown.iter().filter(|part| part.is_text());
    for part in texts() {
        let text = part.text_with(options);
        writeln!(output, "\n{}", for_terminal(text.as_str()).trim_end())?;
    }
    for part in bodies.attachments {
        let name = part.filename_with(options);
        let name = name.map_or_else(String::new, |name| name.one_line().into_owned());
        let (section, media_type) = (part.section(), part.media_type());
        let octets = part.octets().as_bytes().len();
        writeln!(
            output,
            "\nattachment {section}: {name} ({media_type}, {octets} octets)"
        )?;
    }
    for part in texts() {
        let decision = part.decide(options);
        let (charset, source) = (decision.charset, decision.source.name());
        writeln!(output, "\ncharset {}: {charset}, {source}", part.section())?;
        for evidence in decision.evidence() {
            writeln!(output, "  {}", for_terminal(&evidence.to_string()))?;
        }
        for finding in part.text_with(options).report() {
            writeln!(output, "  {}", finding.kind().name())?;
        }
    }
    Ok(())
}

/// Removes the control characters that a terminal would act on.
fn for_terminal(text: &str) -> String {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let obeyed = |c: char| c.is_control() && !matches!(c, '\n' | '\t');
    text.replace(obeyed, "\u{FFFD}")
}
