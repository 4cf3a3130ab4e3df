//! `completions` and `man`: completion scripts and manual pages, generated from the argument
//! definitions.

use std::fs;
use std::path::Path;

use clap_complete::Shell;

use super::{End, Output, Stop};

/// Prints the completion script for a shell.
pub(crate) fn completions(
    out: &mut Output,
    shell: Shell,
    mut definitions: clap::Command,
) -> Result<End, Stop> {
    let mut script = Vec::new();
    let name = definitions.get_name().to_owned();
    clap_complete::generate(shell, &mut definitions, name, &mut script);
    out.text(&String::from_utf8_lossy(&script))?;
    Ok(End::Done)
}

/// Writes the manual pages to a folder, which is created if necessary.
pub(crate) fn pages(folder: &Path, definitions: clap::Command) -> Result<End, Stop> {
    let written =
        fs::create_dir_all(folder).and_then(|()| clap_mangen::generate_to(definitions, folder));
    written.map_err(|error| {
        let shown = folder.display();
        Stop::Sentence(format!("cannot write the manual to {shown}: {error}"))
    })?;
    Ok(End::Done)
}
