//! The command `mime-charset`: arguments in, exit status out.

use std::fmt::{self, Write as _};
use std::io::{self, BufWriter, IsTerminal, Read, StdoutLock, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use serde_json::{Value, json};

use mime_charset::archive::Limits;
use mime_charset::charset::{self, Matched};
use mime_charset::decode::{self, CharsetUse, Decision, FieldText};
use mime_charset::message::{Field, Message, Part};
use mime_charset::{
    Charset, Decoder, Effect, Kind, Label, Options, Report, Source, archive, header, utf8,
};

/// Exact text out of mail: every charset, on whose word it was chosen, what was repaired and
/// what was lost.
///
/// Exit status: 0 done; 1 done, but something asked to be strict was not clean; 2 usage or
/// input and output.
#[derive(Parser)]
#[command(name = "mime-charset", version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Show the decoded fields and the parts of messages
    Inspect {
        /// Print JSON Lines, one object for each message
        #[arg(long)]
        json: bool,
        /// Print the text of text parts too
        #[arg(long)]
        text: bool,
        /// Messages, folders of messages, or - for standard input
        #[arg(required = true, value_name = "PATH")]
        paths: Vec<PathBuf>,
    },
    /// Tell which charset each part is in, and on whose word, without its text
    Detect {
        /// Print JSON Lines, one object for each part
        #[arg(long)]
        json: bool,
        /// Messages, folders of messages, or - for standard input
        #[arg(required = true, value_name = "PATH")]
        paths: Vec<PathBuf>,
    },
    /// Tell how the charset of each part was decided, with the octets that decided
    Explain {
        /// Messages, folders of messages, or - for standard input
        #[arg(required = true, value_name = "PATH")]
        paths: Vec<PathBuf>,
    },
    /// Turn octets in a charset into UTF-8 on standard output
    Decode {
        /// The charset of the octets, by any label mail knows
        #[arg(long, value_name = "LABEL")]
        from: String,
        /// End with status 1 at malformed octets instead of writing U+FFFD
        #[arg(long)]
        strict: bool,
        /// The octets; standard input if absent or -
        #[arg(value_name = "FILE")]
        file: Option<PathBuf>,
    },
    /// Decode header lines
    Header {
        /// Print JSON Lines, one object for each field
        #[arg(long)]
        json: bool,
        /// The header; standard input if absent or -
        #[arg(value_name = "FILE")]
        file: Option<PathBuf>,
    },
    /// Tell what labels mean; without labels, all of them
    Labels {
        /// Print JSON Lines, one object for each label
        #[arg(long)]
        json: bool,
        /// Labels as mail writes them
        #[arg(value_name = "LABEL")]
        labels: Vec<String>,
    },
}

/// How a command ended, short of a failure to write.
enum End {
    Done,
    NotClean,
    Failed,
}

/// What stops a command at once.
enum Stop {
    /// A sentence for standard error.
    Sentence(String),
    /// Nobody reads standard output any more.
    Closed,
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Stop::Closed,
            _ => Stop::Sentence(format!("cannot write to standard output: {error}")),
        }
    }
}

impl From<mime_charset::Error> for Stop {
    fn from(error: mime_charset::Error) -> Self {
        Stop::Sentence(error.to_string())
    }
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let mut out = Output::new();
    let end = match &arguments.command {
        Command::Inspect { json, text, paths } => each_message(paths, |place, message| {
            if *json {
                out.json(&message_json(place, message, *text))
            } else {
                show_message(&mut out, place, message, *text)
            }
        }),
        Command::Detect { json, paths } => each_message(paths, |place, message| {
            detect(&mut out, place, message, *json)
        }),
        Command::Explain { paths } => {
            each_message(paths, |place, message| explain(&mut out, place, message))
        }
        Command::Decode { from, strict, file } => decode(&mut out, from, *strict, file.as_deref()),
        Command::Header { json, file } => header_lines(&mut out, *json, file.as_deref()),
        Command::Labels { json, labels } => print_labels(&mut out, *json, labels),
    };
    let end = end.and_then(|end| out.stream.flush().map(|()| end).map_err(Stop::from));
    match end {
        Ok(End::Done) | Err(Stop::Closed) => ExitCode::SUCCESS,
        Ok(End::NotClean) => ExitCode::from(1),
        Ok(End::Failed) => ExitCode::from(2),
        Err(Stop::Sentence(sentence)) => {
            complain(&sentence);
            ExitCode::from(2)
        }
    }
}

/// One sentence on standard error. Where even that is closed there is nobody to tell.
fn complain(sentence: &str) {
    let sentence = if io::stderr().is_terminal() {
        visible(sentence)
    } else {
        sentence.into()
    };
    let _ = writeln!(io::stderr(), "mime-charset: {sentence}");
}

/// Standard output, which shows no control characters to a terminal.
struct Output {
    stream: BufWriter<StdoutLock<'static>>,
    terminal: bool,
}

impl Output {
    fn new() -> Self {
        let stream = io::stdout().lock();
        let terminal = stream.is_terminal();
        Output {
            stream: BufWriter::with_capacity(1 << 16, stream),
            terminal,
        }
    }

    fn text(&mut self, text: &str) -> Result<(), Stop> {
        if self.terminal {
            self.stream.write_all(visible(text).as_bytes())?;
        } else {
            self.stream.write_all(text.as_bytes())?;
        }
        Ok(())
    }

    fn line(&mut self, text: &str) -> Result<(), Stop> {
        self.text(text)?;
        self.stream.write_all(b"\n")?;
        Ok(())
    }

    fn json(&mut self, value: &Value) -> Result<(), Stop> {
        serde_json::to_writer(&mut self.stream, value).map_err(io::Error::from)?;
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
            '\u{200E}'
            | '\u{200F}'
            | '\u{061C}'
            | '\u{202A}'..='\u{202E}'
            | '\u{2066}'..='\u{2069}' => shown.extend(character.escape_unicode()),
            _ if character.is_control() => shown.extend(character.escape_unicode()),
            _ => shown.push(character),
        }
    }
    shown
}

/// The octets of a file, or of standard input where there is none or it is `-`.
fn read(file: Option<&Path>) -> Result<Vec<u8>, Stop> {
    match file {
        Some(path) if path != Path::new("-") => Ok(archive::read(path)?),
        _ => {
            let mut octets = Vec::new();
            io::stdin()
                .read_to_end(&mut octets)
                .map_err(|error| Stop::Sentence(format!("cannot read standard input: {error}")))?;
            Ok(octets)
        }
    }
}

/// Reads every message that the paths name, with its place in its file. What cannot be read
/// is told, and the rest goes on.
fn each_message(
    paths: &[PathBuf],
    mut act: impl FnMut(&Place<'_>, &Message<'_>) -> Result<(), Stop>,
) -> Result<End, Stop> {
    let mut end = End::Done;
    let mut tell = |sentence: &str| {
        complain(sentence);
        end = End::Failed;
    };
    for path in paths {
        if path == Path::new("-") {
            let octets = read(None)?;
            act(
                &Place {
                    path: "-",
                    index: 0,
                },
                &Message::parse(&octets),
            )?;
            continue;
        }
        for source in archive::sources(path, Limits::new()) {
            match source.and_then(|source| Ok((whole(&source)?, source))) {
                Ok((Some(octets), source)) => {
                    let path = source.to_string();
                    act(
                        &Place {
                            path: &path,
                            index: 0,
                        },
                        &Message::parse(&octets),
                    )?;
                }
                Ok((None, source)) => {
                    let path = source.to_string();
                    for stored in source.messages()? {
                        match stored {
                            Ok(stored) => {
                                let index = stored.ordinal();
                                let octets = stored.message();
                                act(&Place { path: &path, index }, &Message::parse(&octets))?;
                            }
                            Err(error) => tell(&error.to_string()),
                        }
                    }
                }
                Err(error) => tell(&error.to_string()),
            }
        }
    }
    Ok(end)
}

/// The octets of a source that is one message. What looks like no mail at all is shown as one
/// too: the person who named it knows better.
fn whole(source: &archive::Source) -> Result<Option<Vec<u8>>, mime_charset::Error> {
    match source.kind() {
        archive::Kind::Other => archive::read(source.path()).map(Some),
        _ => Ok(None),
    }
}

/// Where a message stands.
struct Place<'p> {
    path: &'p str,
    index: u64,
}

/// The path, and behind the first message of a file its number.
impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.path)?;
        if self.index > 0 {
            write!(f, "#{}", self.index)
        } else {
            Ok(())
        }
    }
}

/// One line for each text part: the decision without the text.
fn detect(
    out: &mut Output,
    place: &Place<'_>,
    message: &Message<'_>,
    json: bool,
) -> Result<(), Stop> {
    for part in message.parts().filter(|part| part.is_text()) {
        let decision = part.decide(&Options::new());
        let content_type = part.content_type();
        let label = content_type.charset().map(ToString::to_string);
        if json {
            out.json(&json!({
                "path": place.path,
                "index": place.index,
                "part": part.section(),
                "media_type": content_type.media_type(),
                "label": label,
                "charset": decision.charset().name(),
                "source": decision.source().name(),
                "confidence": decision.confidence(),
                "evidence": evidence_json(&decision),
                "findings": findings_json(decision.report()),
            }))?;
        } else {
            out.line(&format!(
                "{}\t{}\t{}\t{}\t{}\t{}%",
                place,
                part.section(),
                label.as_deref().unwrap_or("-"),
                decision.charset(),
                decision.source().name(),
                decision.confidence(),
            ))?;
        }
    }
    Ok(())
}

fn evidence_json(decision: &Decision) -> Vec<Value> {
    decision
        .evidence()
        .iter()
        .map(|evidence| {
            json!({
                "witness": evidence.witness().name(),
                "stance": evidence.stance().name(),
                "charset": evidence.charset().map(Charset::name),
                "offset": evidence.offset(),
                "length": evidence.length(),
                "detail": evidence.detail(),
            })
        })
        .collect()
}

/// The decisions told for a person, with the octets that decided.
fn explain(out: &mut Output, place: &Place<'_>, message: &Message<'_>) -> Result<(), Stop> {
    out.line(&place.to_string())?;
    for part in message.parts().filter(|part| part.is_text()) {
        let decision = part.decide(&Options::new());
        let media_type = part.content_type().media_type().to_owned();
        out.line(&format!(
            "  part {}, {media_type}: {}, {}, {}% sure",
            part.section(),
            decision.charset(),
            told_source(decision.source()),
            decision.confidence(),
        ))?;
        let octets = part.octets().into_octets();
        for evidence in decision.evidence() {
            out.line(&format!("    {evidence}"))?;
            let end = (evidence.offset() + evidence.length()).min(octets.len());
            if let Some(stretch) = octets.get(evidence.offset()..end).filter(|s| !s.is_empty()) {
                out.line(&format!("      {}", dump(stretch)))?;
            }
        }
        show_findings(out, decision.report())?;
    }
    Ok(())
}

fn told_source(source: Source) -> &'static str {
    match source {
        Source::Declared => "as declared",
        Source::Bom => "by its byte order mark",
        Source::Document => "as the document says",
        Source::Evidence => "as the octets prove",
        Source::Detected => "as the octets suggest",
        _ => "by default",
    }
}

/// The first octets of a stretch, in hexadecimal and as what is visible of them.
fn dump(octets: &[u8]) -> String {
    const SHOWN: usize = 16;
    let mut line = String::new();
    for octet in octets.iter().take(SHOWN) {
        // Writing to a String does not fail.
        let _ = write!(line, "{octet:02X} ");
    }
    let visible = octets.iter().take(SHOWN).map(|&octet| {
        if octet.is_ascii_graphic() || octet == b' ' {
            char::from(octet)
        } else {
            '.'
        }
    });
    line.push_str(" |");
    line.extend(visible);
    line.push('|');
    if octets.len() > SHOWN {
        // Writing to a String does not fail.
        let _ = write!(line, " and {} more octets", octets.len() - SHOWN);
    }
    line
}

fn message_json(place: &Place<'_>, message: &Message<'_>, text: bool) -> Value {
    json!({
        "path": place.path,
        "index": place.index,
        "fields": message.fields().map(|field| field_json(&field)).collect::<Vec<_>>(),
        "parts": message.parts().map(|part| part_json(part, text)).collect::<Vec<_>>(),
        "findings": findings_json(message.report()),
    })
}

fn field_json(field: &Field<'_>) -> Value {
    let text = field.text();
    json!({
        "name": utf8::decode_lossy(field.name()),
        "text": text.text(),
        "charsets": charsets_json(text.charsets()),
        "findings": findings_json(text.report()),
    })
}

fn charsets_json(charsets: &[CharsetUse]) -> Vec<Value> {
    charsets
        .iter()
        .map(|used| {
            json!({
                "offset": used.offset(),
                "length": used.length(),
                "charset": used.charset().name(),
                "source": used.source().name(),
            })
        })
        .collect()
}

fn findings_json(report: &Report) -> Vec<Value> {
    let mut findings: Vec<Value> = report
        .findings()
        .iter()
        .map(|finding| {
            json!({
                "kind": finding.kind().name(),
                "effect": finding.kind().effect().name(),
                "in": finding.within().name(),
                "offset": finding.offset(),
                "length": finding.length(),
                "detail": finding.detail(),
            })
        })
        .collect();
    if report.omitted() > 0 {
        findings.push(json!({
            "kind": Kind::LimitReached.name(),
            "effect": Effect::Noted.name(),
            "in": "octets",
            "offset": 0,
            "length": 0,
            "detail": format!("{} further findings", report.omitted()),
        }));
    }
    findings
}

fn part_json(part: Part<'_>, with_text: bool) -> Value {
    let options = Options::new();
    let content_type = part.content_type();
    let disposition = part.content_disposition();
    let filename = part.filename(&options);
    let mut findings = findings_json(&part.report());
    if let Some(filename) = &filename {
        findings.extend(findings_json(filename.report()));
    }
    let mut value = json!({
        "part": part.section(),
        "media_type": content_type.media_type(),
        "label": content_type.charset().map(ToString::to_string),
        "charset": null,
        "source": null,
        "transfer_encoding": part.transfer_encoding().name(),
        "disposition": disposition.as_ref().map(header::ContentDisposition::disposition),
        "filename": filename.as_ref().map(FieldText::text),
        "octets": null,
    });
    if part.is_text() {
        let decoded = part.text();
        value["charset"] = decoded.charset().name().into();
        value["source"] = decoded.source().name().into();
        value["octets"] = part.octets().octets().len().into();
        if with_text {
            value["text"] = decoded.text().into();
        }
        findings.extend(findings_json(decoded.report()));
    } else {
        let octets = part.octets();
        value["octets"] = octets.octets().len().into();
        findings.extend(findings_json(octets.report()));
    }
    if part.is_message()
        && let Some(inner) = part.inner()
    {
        value["fields"] = inner.fields().map(|field| field_json(&field)).collect();
    }
    value["findings"] = findings.into();
    value
}

fn show_message(
    out: &mut Output,
    place: &Place<'_>,
    message: &Message<'_>,
    with_text: bool,
) -> Result<(), Stop> {
    out.line(&place.to_string())?;
    for field in message.fields() {
        let text = field.text();
        let name = utf8::decode_lossy(field.name());
        out.line(&format!(
            "  {name:<26}{}{}",
            text.text(),
            told(text.charsets())
        ))?;
        show_findings(out, text.report())?;
    }
    show_findings(out, message.report())?;
    for part in message.parts() {
        show_part(out, part, with_text)?;
    }
    out.line("")
}

fn show_part(out: &mut Output, part: Part<'_>, with_text: bool) -> Result<(), Stop> {
    let content_type = part.content_type();
    let transferred = part.octets();
    let mut line = format!(
        "  part {:<8}{:<26}{:<18}{:>9} octets",
        part.section(),
        content_type.media_type(),
        part.transfer_encoding().name(),
        transferred.octets().len(),
    );
    let decoded = part.is_text().then(|| part.text());
    if let Some(decoded) = &decoded {
        // Writing to a String does not fail.
        let _ = write!(line, "  {}, {}", decoded.charset(), decoded.source().name());
        if let Some(label) = content_type.charset()
            && !label
                .as_bytes()
                .eq_ignore_ascii_case(decoded.charset().name().as_bytes())
        {
            let _ = write!(line, " as {label}");
        }
    }
    let filename = part.filename(&Options::new());
    if let Some(filename) = &filename {
        let _ = write!(line, "  {:?}", filename.text());
    }
    out.line(&line)?;
    show_findings(out, &part.report())?;
    if let Some(filename) = &filename {
        show_findings(out, filename.report())?;
    }
    match &decoded {
        Some(decoded) => {
            show_findings(out, decoded.report())?;
            if with_text {
                for line in decoded.text().lines() {
                    out.line(&format!("    | {line}"))?;
                }
            }
        }
        None => show_findings(out, transferred.report())?,
    }
    Ok(())
}

fn show_findings(out: &mut Output, report: &Report) -> Result<(), Stop> {
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

/// The charsets a field was read in, in brackets.
fn told(charsets: &[CharsetUse]) -> String {
    let mut names: Vec<String> = charsets
        .iter()
        .map(|used| format!("{}, {}", used.charset(), used.source().name()))
        .collect();
    names.dedup();
    if names.is_empty() {
        String::new()
    } else {
        format!("  [{}]", names.join("; "))
    }
}

fn decode(out: &mut Output, from: &str, strict: bool, file: Option<&Path>) -> Result<End, Stop> {
    let resolved = charset::resolve(&Label::new(from));
    let Some(charset) = resolved.charset() else {
        return Err(Stop::Sentence(format!(
            "expected a charset label, found {from:?}"
        )));
    };
    if !charset.is_decoded() {
        return Err(Stop::Sentence(format!("there is no decoder for {charset}")));
    }
    if strict {
        let octets = read(file)?;
        let decoded = charset.decode(&octets);
        let malformed = decoded
            .report()
            .findings()
            .iter()
            .find(|finding| finding.kind().effect() == Effect::Lost);
        if let Some(finding) = malformed {
            let name = file.map_or_else(|| "standard input".into(), Path::to_string_lossy);
            complain(&format!("{name}: {finding}"));
            return Ok(End::NotClean);
        }
        out.text(decoded.text())?;
        return Ok(End::Done);
    }
    let mut input: Box<dyn Read> = match file {
        Some(path) if path != Path::new("-") => Box::new(archive::open(path)?),
        _ => Box::new(io::stdin().lock()),
    };
    let mut decoder = Decoder::new(charset);
    let mut buffer = vec![0; 1 << 16];
    loop {
        let length = match input.read(&mut buffer) {
            Ok(0) => break,
            Ok(length) => length,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => {
                let name = file.map_or_else(|| "standard input".into(), Path::to_string_lossy);
                return Err(Stop::Sentence(format!("cannot read {name}: {error}")));
            }
        };
        let text = decoder
            .push(buffer.get(..length).unwrap_or_default())
            .to_owned();
        out.text(&text)?;
    }
    out.text(decoder.finish().text())?;
    Ok(End::Done)
}

fn header_lines(out: &mut Output, json: bool, file: Option<&Path>) -> Result<End, Stop> {
    let octets = read(file)?;
    let message = Message::parse(&octets);
    if message.fields().next().is_none() {
        // Not a field: the text of one, such as an encoded word on its own.
        let line = octets.trim_ascii_end();
        let text = decode::field(line, header::Syntax::Unstructured, &Options::new());
        return show_field(out, json, None, &text).map(|()| End::Done);
    }
    for field in message.fields() {
        show_field(
            out,
            json,
            Some(&utf8::decode_lossy(field.name())),
            &field.text(),
        )?;
    }
    Ok(End::Done)
}

fn show_field(
    out: &mut Output,
    json: bool,
    name: Option<&str>,
    text: &FieldText<'_>,
) -> Result<(), Stop> {
    if json {
        return out.json(&json!({
            "name": name,
            "text": text.text(),
            "charsets": charsets_json(text.charsets()),
            "findings": findings_json(text.report()),
        }));
    }
    match name {
        Some(name) => out.line(&format!("{name}: {}", text.text())),
        None => out.line(text.text()),
    }
}

fn print_labels(out: &mut Output, json: bool, labels: &[String]) -> Result<End, Stop> {
    if labels.is_empty() {
        for charset in Charset::all() {
            for label in charset.labels() {
                show_label(out, json, label, Some(charset), Matched::Exact)?;
            }
        }
        return Ok(End::Done);
    }
    for label in labels {
        let resolved = charset::resolve(&Label::new(label));
        show_label(out, json, label, resolved.charset(), resolved.matched())?;
    }
    Ok(End::Done)
}

fn show_label(
    out: &mut Output,
    json: bool,
    label: &str,
    charset: Option<Charset>,
    matched: Matched,
) -> Result<(), Stop> {
    let decoded = charset.is_some_and(Charset::is_decoded);
    if json {
        return out.json(&json!({
            "label": label,
            "charset": charset.map(Charset::name),
            "mibenum": charset.and_then(Charset::mibenum),
            "matched": matched.name(),
            "decoded": decoded,
        }));
    }
    let name = charset.map_or("-", Charset::name);
    let number = charset
        .and_then(Charset::mibenum)
        .map_or_else(|| "-".into(), |n| n.to_string());
    let decoded = match charset.and_then(Charset::undecoded_reason) {
        Some(reason) => format!("not decoded: {reason}"),
        None if decoded => "decoded".to_owned(),
        None => "no charset".to_owned(),
    };
    out.line(&format!(
        "{label:<40}{name:<40}{number:>5}  {:<9}{decoded}",
        matched.name()
    ))
}
