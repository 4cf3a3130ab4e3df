//! Performance of mime-charset compared with its peers, as Markdown tables.
//!
//! `cargo bench` measures all tables, `cargo bench -- transfer` those with that word in their
//! title, `cargo bench -- transfer base64` only their rows with that in their names. `cargo bench
//! -- --test` runs each case once. `MIME_CHARSET_BENCH_MESSAGES` is the size of the mailbox,
//! `MIME_CHARSET_BENCH_ROUNDS` the number of turns. `RUSTFLAGS="--cfg rival" cargo bench
//! --ignore-rust-version` includes the newest mail-parser. Compare ratios within one run: the rates
//! of two runs differ by chance.
//!
//! `cargo bench -- TABLE ROW --peer NAME --times N` runs one case N times and measures nothing, for
//! tools that count instructions. The difference between two such runs is the cost of the
//! additional cases.
//!
//! To measure the command, `cargo bench -- --mbox OCTETS > FILE` writes a mailbox of OCTETS octets,
//! `cargo bench -- --maildir NUMBER FOLDER` a Maildir of NUMBER messages of about 2 KB, and `cargo
//! bench -- --message OCTETS > FILE` a message with an attachment, OCTETS long in all.

mod charsets;
mod detect;
mod harness;
mod header;
mod machine;
mod mail;
mod mailbox;
mod reading;
mod shaped;
mod system;
mod text;
mod transfer;

use std::io::{self, Write as _};

use harness::{Plan, argument};

fn main() -> io::Result<()> {
    if let Some(octets) = argument("--mbox", 1).and_then(|octets| octets.parse().ok()) {
        return mail::write_mbox(octets, &mut io::stdout().lock());
    }
    if let Some(octets) = argument("--message", 1).and_then(|octets| octets.parse().ok()) {
        return io::stdout().write_all(&mail::with_attachment(octets).source);
    }
    if let Some(number) = argument("--maildir", 1).and_then(|number| number.parse().ok()) {
        let folder = argument("--maildir", 2).filter(|folder| !folder.starts_with('-'));
        let folder = folder.ok_or_else(|| io::Error::other("expected a folder for the Maildir"))?;
        return mail::write_maildir(number, folder.as_ref());
    }
    let plan = Plan::from_arguments();
    println!("{}", machine::description());
    charsets::measure(&plan);
    charsets::measure_families(&plan);
    transfer::measure(&plan);
    transfer::measure_growth(&plan);
    header::measure(&plan);
    reading::measure(&plan);
    reading::measure_list(&plan);
    detect::measure(&plan);
    detect::measure_sparse(&plan);
    detect::measure_noise(&plan);
    mailbox::measure(&plan);
    mailbox::measure_folder(&plan)?;
    mailbox::measure_outside(&plan);
    mailbox::measure_growth(&plan);
    mailbox::measure_long(&plan);
    Ok(())
}
