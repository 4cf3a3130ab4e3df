//! What mime-charset costs beside its peers, as Markdown tables.
//!
//! `cargo bench` measures all, `cargo bench -- transfer` the tables with that word in their
//! title, `cargo bench -- transfer base64` of them the rows with that in their names, `cargo
//! bench -- --test` runs each case once. `MIME_CHARSET_BENCH_MESSAGES` is the
//! size of the mailbox, `MIME_CHARSET_BENCH_ROUNDS` the number of turns. With
//! `RUSTFLAGS="--cfg rival" cargo bench --ignore-rust-version` the newest mail-parser takes
//! part. Compare ratios of one run; rates of two runs differ by the weather.
//!
//! `cargo bench -- --mbox OCTETS > FILE` writes a mailbox of that many octets, to measure the
//! command with.

mod charsets;
mod detect;
mod harness;
mod header;
mod machine;
mod mail;
mod mailbox;
mod shaped;
mod system;
mod text;
mod transfer;

use std::io;

use harness::Plan;

fn main() -> io::Result<()> {
    if let Some(octets) = harness::mbox_from_arguments() {
        return mail::write_mbox(octets, &mut io::stdout().lock());
    }
    let plan = Plan::from_arguments();
    println!("{}", machine::description());
    charsets::measure(&plan);
    charsets::measure_families(&plan);
    transfer::measure(&plan);
    transfer::measure_growth(&plan);
    header::measure(&plan);
    detect::measure(&plan);
    detect::measure_sparse(&plan);
    mailbox::measure(&plan);
    mailbox::measure_folder(&plan)?;
    mailbox::measure_outside(&plan);
    mailbox::measure_growth(&plan);
    Ok(())
}
