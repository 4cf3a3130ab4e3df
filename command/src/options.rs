//! Arguments for conversion options.

use std::num::NonZeroUsize;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use mime_charset::convert::{Conversion, Headers, OnMalformed};
use mime_charset_archive::{Error, Format, Selection};

/// Options that affect the written octets.
#[derive(Args)]
pub(super) struct ConversionArguments {
    /// How to write header text that is not ASCII: as encoded words or as raw UTF-8 (RFC 6532)
    #[arg(long, value_parser = one_of(HEADERS), default_value = "words", value_name = "HOW")]
    headers: Headers,
    /// What to do with text that cannot be decoded without loss: keep it unchanged, replace
    /// malformed octets with U+FFFD, or fail
    #[arg(long, value_parser = one_of(ON_MALFORMED), default_value = "keep", value_name = "WHAT")]
    on_malformed: OnMalformed,
    /// Also convert text attachments
    #[arg(long)]
    attachments: bool,
    /// Keep charset declarations inside documents, although they name the old charset
    #[arg(long)]
    keep_declarations: bool,
    /// Also convert text in a guessed charset, if the confidence is at least this percentage
    #[arg(long, value_name = "PERCENT", value_parser = clap::value_parser!(u8).range(0..=100))]
    guessed: Option<u8>,
}

const HEADERS: [(&str, Headers); 2] = [("words", Headers::Words), ("utf8", Headers::Utf8)];

const ON_MALFORMED: [(&str, OnMalformed); 3] = [
    ("keep", OnMalformed::Keep),
    ("replace", OnMalformed::Replace),
    ("fail", OnMalformed::Fail),
];

const FORMATS: [(&str, Format); 3] = [
    ("mbox", Format::Mbox),
    ("message", Format::Message),
    ("maildir", Format::Maildir),
];

/// Parses one of these names.
fn one_of<T: Copy + Send + Sync + 'static, const N: usize>(
    names: [(&'static str, T); N],
) -> impl TypedValueParser<Value = T> {
    let parser = PossibleValuesParser::new(names.map(|(name, _)| name));
    parser.try_map(move |found| {
        let row = names.iter().find(|(name, _)| *name == found);
        row.map(|(_, value)| *value).ok_or("unknown name")
    })
}

impl ConversionArguments {
    pub(super) fn options(&self) -> Conversion {
        Conversion {
            headers: self.headers,
            on_malformed: self.on_malformed,
            attachments: self.attachments,
            keep_declarations: self.keep_declarations,
            guessed: self.guessed,
            ..Conversion::new()
        }
    }
}

/// The format to read files in.
#[derive(Args)]
pub(crate) struct ReadAs {
    /// The format of files whose start does not show it, such as pieces of a mailbox made by split
    ///
    /// mbox and message apply to all files except mail stores and containers of other programs.
    /// maildir applies to folders with cur or new; their files are messages.
    #[arg(long = "as", value_parser = one_of(FORMATS), value_name = "FORMAT")]
    format: Option<Format>,
}

impl ReadAs {
    /// Selects all files, in this format.
    pub(super) fn selection(&self) -> Selection {
        let all = Selection::new();
        match self.format {
            Some(format) => all.read_as(format),
            None => all,
        }
    }
}

/// The files to read.
#[derive(Args)]
pub(super) struct FileSelection {
    #[command(flatten)]
    read_as: ReadAs,
    /// Leave out files and folders whose name matches the pattern; a pattern with a slash is
    /// matched against the path
    #[arg(long, value_name = "GLOB")]
    exclude: Vec<String>,
    /// Leave out all files except those whose name or path matches the pattern
    #[arg(long, value_name = "GLOB")]
    only: Vec<String>,
    /// Consider the run complete even if some files cannot be read; the report lists them
    #[arg(long)]
    accept_unread: bool,
}

impl FileSelection {
    pub(super) fn selection(&self) -> Result<Selection, Error> {
        let all = Ok(self.read_as.selection());
        let selection = self
            .exclude
            .iter()
            .fold(all, |it, pattern| it?.exclude(pattern));
        self.only
            .iter()
            .fold(selection, |it, pattern| it?.only(pattern))
    }

    pub(super) fn accepts_unread(&self) -> bool {
        self.accept_unread
    }
}

/// Number of threads, and verbosity.
#[derive(Args)]
pub(super) struct RunArguments {
    /// Number of threads that process messages, one message each; by default the number of cores
    #[arg(short = 'j', long = "jobs", value_name = "N", value_parser = at_least_one)]
    pub(super) jobs: Option<NonZeroUsize>,
    /// Show no progress and no summary
    #[arg(long, short)]
    pub(super) quiet: bool,
}

fn at_least_one(jobs: &str) -> Result<NonZeroUsize, String> {
    let expected = |_| "expected a number of at least 1".to_owned();
    jobs.parse().map_err(expected)
}
