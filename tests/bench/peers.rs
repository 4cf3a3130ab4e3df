//! What mime-charset costs beside its peers, as Markdown tables.
//!
//! `cargo bench` measures all, `cargo bench -- transfer` the tables with that word in their
//! title, `cargo bench -- transfer base64` of them the rows with that in their names, `cargo
//! bench -- --test` runs each case once. `MIME_CHARSET_BENCH_MESSAGES` is the
//! size of the mailbox, `MIME_CHARSET_BENCH_ROUNDS` the number of turns. With
//! `RUSTFLAGS="--cfg rival" cargo bench --ignore-rust-version` the newest mail-parser takes
//! part. Compare ratios of one run; rates of two runs differ by the weather.
//!
//! `cargo bench -- TABLE ROW --peer NAME --times N` runs one case so often and measures nothing: for
//! what counts instructions. What two such runs differ by is what the cases of one take more.
//!
//! To measure the command with, `cargo bench -- --mbox OCTETS > FILE` writes a mailbox of that many
//! octets, `cargo bench -- --maildir NUMBER FOLDER` a Maildir of so many messages of some 2 KB, and
//! `cargo bench -- --message OCTETS > FILE` a message with an attachment, so long in all.

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
    mailbox::measure(&plan);
    mailbox::measure_folder(&plan)?;
    mailbox::measure_outside(&plan);
    mailbox::measure_growth(&plan);
    mailbox::measure_long(&plan);
    Ok(())
}
