//! In which charset text is read, as the arguments say it.

use clap::Args;
use mime_charset::{Charset, Label, Options, charset};

/// How text is read.
#[derive(Args)]
pub(crate) struct Reading {
    /// Read bodies, and raw octets of fields, in this charset, whatever they say of themselves
    #[arg(long, value_name = "LABEL", value_parser = named)]
    charset: Option<Charset>,
}

impl Reading {
    pub(crate) fn options(&self) -> Options {
        Options::new().force(self.charset)
    }
}

/// The charset that somebody names who wants text in it.
pub(super) fn named(label: &str) -> Result<Charset, String> {
    let Some(charset) = charset::resolve(&Label::new(label)).charset else {
        return Err(format!(
            "expected a charset label, found {label:?}; mime-charset labels lists them"
        ));
    };
    if !charset.is_decoded() {
        return Err(format!("there is no decoder for {charset}"));
    }
    Ok(charset)
}
