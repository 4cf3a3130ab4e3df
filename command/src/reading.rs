//! Arguments for the charset to decode in.

use clap::Args;
use mime_charset::{Charset, Label, Options, charset};

/// How to decode text.
#[derive(Args)]
pub(crate) struct Reading {
    /// Decode bodies and raw octets of fields in this charset, ignoring what they declare
    #[arg(long, value_name = "LABEL", value_parser = named)]
    charset: Option<Charset>,
}

impl Reading {
    pub(crate) fn options(&self) -> Options {
        Options::new().force(self.charset)
    }
}

/// Parses the charset of `--charset`.
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
