//! The commands, one in each file, and what they share.

pub(crate) mod convert;
pub(crate) mod decode;
pub(crate) mod detect;
pub(crate) mod explain;
pub(crate) mod header;
mod how;
pub(crate) mod inspect;
mod interrupt;
pub(crate) mod labels;
pub(crate) mod manual;
mod messages;
mod output;
mod progress;
pub(crate) mod reading;
mod summary;
pub(crate) mod survey;
pub(crate) mod verify;

use std::io;

use mime_charset::Remedy;

pub(crate) use messages::each_message;
pub(crate) use output::{Output, complain, tell};

/// How a command ended, short of a failure to write.
pub(crate) enum End {
    Done,
    NotClean,
    Failed,
    /// By Ctrl-C or the like.
    Interrupted,
}

/// What stops a command at once.
pub(crate) enum Stop {
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
        Stop::Sentence(match error.remedy() {
            Some(Remedy::ResumeOrReplace) => format!(
                "{error}; --resume goes on with a run that was interrupted, --force begins anew"
            ),
            Some(Remedy::Replace) => format!("{error}; --force begins anew"),
            _ => error.to_string(),
        })
    }
}
