//! The command `mime-charset`: arguments in, exit status out.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{CommandFactory as _, Parser, Subcommand};
use clap_complete::Shell;

mod convert;
mod decode;
mod detect;
mod explain;
mod header;
mod how;
mod inspect;
mod interrupt;
mod labels;
mod manual;
mod messages;
mod output;
mod progress;
mod reading;
mod summary;
mod survey;
mod verify;

use std::io;

use inspect::Shown;
use messages::each_message;
use mime_charset_archive::Remedy;
use output::{Output, complain, tell};
use reading::Reading;

/// Exact text out of mail: every charset, on whose word it was chosen, what was repaired and
/// what was lost.
///
/// Exit status: 0 done; 1 done, but something asked to be strict was not clean, or something
/// to be proved does not hold; 2 usage or input and output; 130 interrupted.
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
        #[command(flatten)]
        reading: Reading,
        /// Print JSON Lines, one object for each message
        #[arg(long)]
        json: bool,
        /// Print the text of text parts too
        #[arg(long)]
        text: bool,
        /// Messages, mailboxes, Maildirs, these compressed, folders of them, or - for standard
        /// input, read as a file would be
        #[arg(required = true, value_name = "PATH")]
        paths: Vec<PathBuf>,
    },
    /// Tell which charset each part is in, and on whose word, without its text
    ///
    /// Only parts of type text are read, and all of each: one octet above 7F at its end makes a
    /// label US-ASCII wrong, and one malformed sequence that text is not UTF-8.
    Detect {
        #[command(flatten)]
        reading: Reading,
        /// Print JSON Lines, one object for each part
        #[arg(long)]
        json: bool,
        /// Messages, mailboxes, Maildirs, these compressed, folders of them, or - for standard
        /// input, read as a file would be
        #[arg(required = true, value_name = "PATH")]
        paths: Vec<PathBuf>,
    },
    /// Tell how the charset of each part was decided, with the octets that decided
    Explain {
        #[command(flatten)]
        reading: Reading,
        /// Print JSON Lines, one object for each part, as `detect` does
        #[arg(long)]
        json: bool,
        /// Messages, mailboxes, Maildirs, these compressed, folders of them, or - for standard
        /// input, read as a file would be
        #[arg(required = true, value_name = "PATH")]
        paths: Vec<PathBuf>,
    },
    /// Convert archives of mail to UTF-8, and change nothing else
    Convert(convert::Arguments),
    /// Prove that what was converted is all there and says the same
    Verify(verify::Arguments),
    /// Tell what is in an archive: charsets, labels, findings, what a conversion would change
    Survey(survey::Arguments),
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
        #[command(flatten)]
        reading: Reading,
        /// Print JSON Lines, one object for each field
        #[arg(long)]
        json: bool,
        /// The header; standard input if absent or -
        #[arg(value_name = "FILE")]
        file: Option<PathBuf>,
    },
    /// Print what a shell needs to complete the arguments of this command
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Write the manual pages of this command and of each of its subcommands
    Man {
        /// The folder they go to, such as ~/.local/share/man/man1
        #[arg(value_name = "FOLDER")]
        folder: PathBuf,
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

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        // What it says of arguments has them in it, and file names are among those.
        Err(error) if error.use_stderr() => {
            // Ignore a closed pipe.
            let _ = tell(&error.render().to_string());
            return ExitCode::from(2);
        }
        Err(help) => help.exit(),
    };
    let mut out = Output::new();
    let end = match arguments.command {
        Command::Inspect {
            reading,
            json,
            text,
            paths,
        } => {
            let options = reading.options();
            let shown = Shown {
                json,
                text,
                options,
            };
            each_message(&paths, |place, message| {
                inspect::inspect(&mut out, place, message, &shown)
            })
        }
        Command::Detect {
            reading,
            json,
            paths,
        } => each_message(&paths, |place, message| {
            detect::detect(&mut out, place, message, &reading.options(), json)
        }),
        Command::Explain {
            reading,
            json,
            paths,
        } => each_message(&paths, |place, message| {
            explain::explain(&mut out, place, message, &reading.options(), json)
        }),
        Command::Convert(arguments) => convert::convert(&arguments),
        Command::Verify(arguments) => verify::verify(&mut out, &arguments),
        Command::Survey(arguments) => survey::survey(&mut out, &arguments),
        Command::Decode { from, strict, file } => {
            decode::decode(&mut out, &from, strict, file.as_deref())
        }
        Command::Completions { shell } => {
            manual::completions(&mut out, shell, Arguments::command())
        }
        Command::Man { folder } => manual::pages(&folder, Arguments::command()),
        Command::Header {
            reading,
            json,
            file,
        } => header::header_lines(&mut out, &reading.options(), json, file.as_deref()),
        Command::Labels { json, labels } => labels::print_labels(&mut out, json, &labels),
    };
    // Who reads no more of it still learns by the status what came of it.
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

/// How a command ended, short of a failure to write.
pub(crate) enum End {
    Done,
    NotClean,
    Failed,
    /// By Ctrl-C or the like.
    Interrupted,
}

/// Why a command stops early.
pub(crate) enum Stop {
    /// A sentence for standard error.
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
            Some(Remedy::ResumeOrReplace) => format!(
                "{error}; --resume goes on with a run that was interrupted, --force begins anew"
            ),
            Some(Remedy::Replace) => format!("{error}; --force begins anew"),
            _ => error.to_string(),
        })
    }
}

impl From<mime_charset::Error> for Stop {
    fn from(error: mime_charset::Error) -> Self {
        Stop::Sentence(error.to_string())
    }
}
