//! Shared by the adapters: reads cases and writes answers as `corpus/suite/README.md` describes.

use std::error::Error;
use std::io::{self, Write};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

/// A question about `octets`.
pub struct Case {
    keys: Value,
    pub octets: Vec<u8>,
}

impl Case {
    pub fn ask(&self) -> &str {
        self.text("ask")
    }

    pub fn field(&self) -> &str {
        self.text("field")
    }

    pub fn parameter(&self) -> &str {
        self.text("parameter")
    }

    pub fn charset(&self) -> &str {
        self.text("charset")
    }

    /// The number of the message in the mailbox, if the input is a mailbox.
    pub fn message(&self) -> Option<usize> {
        self.keys["message"].as_u64()?.try_into().ok()
    }

    /// The numbers of the part, from the outside in.
    pub fn part(&self) -> impl Iterator<Item = usize> {
        self.text("part")
            .split('.')
            .filter_map(|number| number.parse().ok())
    }

    fn text(&self, key: &str) -> &str {
        self.keys[key].as_str().unwrap_or_default()
    }
}

/// Answers all cases of standard input. `Err` is the error of the library.
pub fn run(
    name: &str,
    version: &str,
    asks: &[&str],
    answer: impl Fn(&Case) -> Result<Value, Box<dyn Error>>,
) -> io::Result<()> {
    let mut output = io::stdout();
    writeln!(
        output,
        "{}",
        json!({ "name": name, "version": version, "asks": asks })
    )?;
    for line in io::stdin().lines() {
        let keys: Value = serde_json::from_str(&line?)?;
        let encoded = keys["base64"].as_str().unwrap_or_default();
        let octets = STANDARD.decode(encoded).map_err(io::Error::other)?;
        let id = keys["id"].clone();
        let reply = match answer(&Case { keys, octets }) {
            Ok(answer) => json!({ "id": id, "answer": answer }),
            Err(error) => json!({ "id": id, "error": error.to_string() }),
        };
        writeln!(output, "{reply}")?;
    }
    Ok(())
}

/// The version of a dependency, from the lock file.
pub fn version(package: &str, prefix: &str) -> &'static str {
    let name = format!("name = \"{package}\"\nversion = \"");
    let mut versions = include_str!("../Cargo.lock")
        .split("[[package]]")
        .filter_map(|entry| {
            let version = entry.trim_start().strip_prefix(&name)?;
            Some(&version[..version.find('"')?])
        });
    versions
        .find(|version| version.starts_with(prefix))
        .unwrap_or("unknown")
}

/// Octets in the form of an answer.
pub fn base64(octets: &[u8]) -> Value {
    json!(STANDARD.encode(octets))
}

/// The text of a field without surrounding white space.
pub fn trimmed(text: &str) -> &str {
    text.trim_matches([' ', '\t', '\r', '\n'])
}

/// The answer to a question that the adapter does not support.
pub fn not_offered(case: &Case) -> Result<Value, Box<dyn Error>> {
    Err(format!("{} is not offered", case.ask()).into())
}
