//! A list of messages, as a mail client shows it:
//! `cargo run --example list_view -- corpus/mail/*.eml`

use std::{env, fs, io};

use mime_charset::Message;
use mime_charset::message::Part;

fn main() -> io::Result<()> {
    for path in env::args_os().skip(1) {
        let source = fs::read(path)?;
        let message = Message::parse(&source);
        let date = message.date().or_else(|| message.received_date());
        let date = date.map(|date| date.to_string()).unwrap_or_default();
        let from = message.from().into_iter().flat_map(|from| from.list);
        let from: Vec<_> = from.map(|address| address.to_string()).collect();
        let subject = message
            .subject()
            .map(|subject| subject.one_line().into_owned());
        let attachments = message.bodies().attachments.into_iter();
        let attachments: Vec<_> = attachments.map(Part::filename_to_save).collect();
        println!(
            "{date}  {}  {}",
            from.join(", "),
            subject.unwrap_or_default()
        );
        println!("    {}  {attachments:?}", message.preview(80));
    }
    Ok(())
}
