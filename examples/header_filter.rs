//! Reads header fields from standard input, and says in what charset the text behind them is.
//!
//! One line each: the label as it is written, the charset that it names, the charset that mail
//! under it is in in practice, and the transfer encoding. What is not there is `-`.

use std::io::{self, Read};

use mime_charset::charset::resolve;
use mime_charset::message::{MAX_HEADER, Message};

fn main() -> io::Result<()> {
    let mut header = Vec::new();
    // More of it no message has, and what feeds us may never end.
    io::stdin()
        .take(MAX_HEADER as u64)
        .read_to_end(&mut header)?;
    let message = Message::of_header_and_body(&header, b"");
    let part = message.root();
    let content_type = part.content_type();
    let label = content_type.charset();
    let charset = label.and_then(|label| resolve(label).charset);
    // The label is whatever the message says: on a terminal it shows, and does nothing.
    let written = label.map_or("-".into(), |label| {
        label.as_bytes().escape_ascii().to_string()
    });
    println!("label: {written}");
    println!("charset: {}", charset.map_or("-", |charset| charset.name()));
    println!(
        "in practice: {}",
        charset.map_or("-", |charset| charset.as_practised().name())
    );
    println!("transfer encoding: {}", part.transfer_encoding().name());
    Ok(())
}
