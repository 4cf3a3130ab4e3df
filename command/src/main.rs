//! The command `mime-charset`: arguments in, exit status out.

use std::env;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};
use clap_complete::Shell;

mod convert;
mod decode;
mod detect;
mod explain;
mod export;
mod header;
mod inspect;
mod interrupt;
mod labels;
mod manual;
mod messages;
mod options;
mod output;
mod progress;
mod reading;
mod report_csv;
mod summary;
mod sums;
mod survey;
mod verify;

use std::io;

use messages::{Messages, each_message};
use mime_charset_archive::Remedy;
use output::{Output, complain, in_one_line, tell};
use reading::Reading;

/// Exact text from mail: every charset with the source of the decision, and everything repaired or
/// lost.
#[derive(Parser)]
#[command(name = "mime-charset", version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Show the decoded fields and the parts of messages
    Inspect(inspect::Arguments),
    /// Show the charset of each text part and the source of the decision, without the text
    ///
    /// Reads only parts of type text, most of them to their end: a single octet above 7F disproves a
    /// US-ASCII label.
    Detect {
        #[command(flatten)]
        messages: Messages,
        /// Print JSON Lines, one object per text part
        #[arg(long)]
        json: bool,
    },
    /// Show how each charset was decided, with the octets that decided it
    Explain {
        #[command(flatten)]
        messages: Messages,
        /// Print JSON Lines, one object per text part, as `detect` does
        #[arg(long)]
        json: bool,
    },
    /// Convert archives of mail to UTF-8, and change nothing else
    Convert(convert::Arguments),
    /// Prove that a conversion lost nothing and changed no text
    Verify(verify::Arguments),
    /// Survey an archive: charsets, labels, findings, and what a conversion would change
    Survey(survey::Arguments),
    /// Copy selected messages from archives to a mailbox or to files, octet for octet
    Export(export::Arguments),
    /// Decode octets in a charset to UTF-8 on standard output
    Decode {
        /// The charset of the octets: any label used in mail
        #[arg(long, value_name = "LABEL")]
        from: String,
        /// Exit with status 1 at malformed octets, instead of writing U+FFFD
        #[arg(long)]
        strict: bool,
        /// The octets; standard input if absent or -
        #[arg(value_name = "FILE")]
        file: Option<PathBuf>,
    },
    /// Decode header lines
    Header {
        #[command(flatten)]
        reading: Reading,
        /// Print JSON Lines, one object per field
        #[arg(long)]
        json: bool,
        /// The header; standard input if absent or -
        #[arg(value_name = "FILE")]
        file: Option<PathBuf>,
    },
    /// Print a shell's completion script for this command
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Write the manual pages of this command and its subcommands
    Man {
        /// The output folder, such as ~/.local/share/man/man1
        #[arg(value_name = "FOLDER")]
        folder: PathBuf,
    },
    /// Show the charset of each label, or list all labels
    Labels {
        /// Print JSON Lines, one object per label
        #[arg(long)]
        json: bool,
        /// Labels as written in mail
        #[arg(value_name = "LABEL")]
        labels: Vec<String>,
    },
}

/// The argument definitions, with the exit statuses in each help text.
fn definitions() -> clap::Command {
    let definitions = Arguments::command().after_help(exit_statuses(None));
    definitions.mut_subcommands(|command| {
        let statuses = exit_statuses(Some(command.get_name()));
        command.after_help(statuses)
    })
}

fn parse(arguments: impl Iterator<Item = OsString>) -> Result<Arguments, clap::Error> {
    let mut definitions = definitions();
    let found = definitions.try_get_matches_from_mut(arguments)?;
    Arguments::from_arg_matches(&found).map_err(|error| error.format(&mut definitions))
}

/// The exit statuses of a subcommand, or of all.
fn exit_statuses(subcommand: Option<&str>) -> String {
    /// The meaning of status 1, for each subcommand that has it.
    const NOT_CLEAN: [(&str, &str); 3] = [
        (
            "convert",
            "text that cannot be decoded without loss, with --on-malformed=fail",
        ),
        ("decode", "malformed octets, with --strict"),
        ("verify", "a mismatch"),
    ];
    let is_shown = |(name, _): &&(&str, &str)| subcommand.is_none_or(|it| it == *name);
    let rows = NOT_CLEAN.iter().filter(is_shown).map(|(name, meaning)| {
        let of = subcommand.map_or_else(|| format!("{name}: "), |_| String::new());
        format!("  1    {of}{meaning}\n")
    });
    let rows = rows.collect::<Vec<_>>().concat();
    format!(
        "Exit status:\n  0    success\n{rows}  2    usage error, or input or output error\n  130  interrupted"
    )
}

fn main() -> ExitCode {
    let arguments = match parse(env::args_os()) {
        Ok(arguments) => arguments,
        Err(error) if error.use_stderr() => {
            // The message contains arguments, including file names. The same arguments without line
            // endings have the same error.
            let shown = env::args_os().map(|argument| {
                let argument = argument.to_string_lossy();
                in_one_line(&argument).into_owned().into()
            });
            let error = parse(shown).err().unwrap_or(error);
            // Ignore a closed pipe.
            let _ = tell(&error.render().to_string());
            return ExitCode::from(2);
        }
        Err(help) => help.exit(),
    };
    let mut out = Output::new();
    let end = match arguments.command {
        Command::Inspect(arguments) => each_message(&arguments.messages, |place, message| {
            inspect::inspect(&mut out, place, message, &arguments)
        }),
        Command::Detect { messages, json } => each_message(&messages, |place, message| {
            detect::detect(&mut out, place, message, &messages.options(), json)
        }),
        Command::Explain { messages, json } => each_message(&messages, |place, message| {
            explain::explain(&mut out, place, message, &messages.options(), json)
        }),
        Command::Convert(arguments) => convert::convert(&arguments),
        Command::Verify(arguments) => verify::verify(&mut out, &arguments),
        Command::Survey(arguments) => survey::survey(&mut out, &arguments),
        Command::Export(arguments) => export::export(&arguments),
        Command::Decode { from, strict, file } => {
            decode::decode(&mut out, &from, strict, file.as_deref())
        }
        Command::Completions { shell } => manual::completions(&mut out, shell, definitions()),
        Command::Man { folder } => manual::pages(&folder, definitions()),
        Command::Header {
            reading,
            json,
            file,
        } => header::header_lines(&mut out, &reading.options(), json, file.as_deref()),
        Command::Labels { json, labels } => labels::print_labels(&mut out, json, &labels),
    };
    // If standard output is closed, the exit status still shows the result.
    let end = end.and_then(|end| match out.flush() {
        Err(Stop::Closed) => Ok(end),
        flushed => flushed.map(|()| end),
    });
    match end {
        Ok(End::Done) | Err(Stop::Closed) => ExitCode::SUCCESS,
        Ok(End::NotClean) => ExitCode::from(1),
        Ok(End::Failed) => ExitCode::from(2),
        Ok(End::Interrupted) => ExitCode::from(130),
        Err(Stop::Sentence(sentence)) => {
            complain(&sentence);
            ExitCode::from(2)
        }
    }
}

/// How a command ended, unless writing failed.
pub(crate) enum End {
    Done,
    NotClean,
    Failed,
    /// Interrupted by a signal, such as Ctrl-C.
    Interrupted,
}

/// The reason that a command stops early.
pub(crate) enum Stop {
    /// An error sentence for standard error.
    Sentence(String),
    /// Standard output is closed.
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

impl From<mime_charset_archive::Error> for Stop {
    fn from(error: mime_charset_archive::Error) -> Self {
        Stop::Sentence(match error.remedy() {
            Some(Remedy::ResumeOrReplace) => {
                format!("{error}; --resume continues an interrupted run, --force starts over")
            }
            Some(Remedy::Replace) => format!("{error}; --force starts over"),
            _ => error.to_string(),
        })
    }
}

impl From<mime_charset::Error> for Stop {
    fn from(error: mime_charset::Error) -> Self {
        Stop::Sentence(error.to_string())
    }
}
