//! bench/whole.c in Rust: the cost of the same work without the C interface.

use std::env;
use std::fs;
use std::process::ExitCode;

use mime_charset::Message;

fn read(octets: &[u8]) -> usize {
    let message = Message::parse(octets);
    let field = |name| {
        message
            .field(name)
            .map_or(0, |field| field.text().as_str().len())
    };
    let texts = message.entities().filter(|part| part.is_text());
    field("Subject") + field("From") + texts.map(|part| part.text().as_str().len()).sum::<usize>()
}

fn main() -> ExitCode {
    let mut arguments = env::args().skip(1);
    let times = arguments.next().and_then(|times| times.parse().ok());
    let Some(times) = times else {
        return ExitCode::FAILURE;
    };
    let mut sum = 0;
    for name in arguments {
        let Ok(octets) = fs::read(&name) else {
            return ExitCode::FAILURE;
        };
        sum += (0..times).map(|_| read(&octets)).sum::<usize>();
    }
    println!("{sum}");
    ExitCode::SUCCESS
}
