//! `decode`: decodes octets in a charset to UTF-8.

use std::io::{self, Read};
use std::path::Path;

use mime_charset::{Decoder, Effect};

use super::messages::{called, read};
use super::reading::named;
use super::{End, Output, Stop, complain};

pub(crate) fn decode(
    out: &mut Output,
    from: &str,
    strict: bool,
    file: Option<&Path>,
) -> Result<End, Stop> {
    let charset = named(from).map_err(Stop::Sentence)?;
    if strict {
        let octets = read(file)?;
        let decoded = charset.decode(&octets);
        let malformed = decoded
            .report()
            .findings()
            .iter()
            .find(|finding| finding.kind().effect() == Effect::Lost);
        if let Some(finding) = malformed {
            complain(&format!("{}: {finding}", called(file)));
            return Ok(End::NotClean);
        }
        out.text(decoded.as_str())?;
        return Ok(End::Done);
    }
    let mut input: Box<dyn Read> = match file {
        Some(path) if path != Path::new("-") => Box::new(mime_charset_archive::open(path)?),
        _ => Box::new(io::stdin().lock()),
    };
    let mut decoder = Decoder::new(charset);
    let mut buffer = vec![0; 1 << 16];
    loop {
        let length = match input.read(&mut buffer) {
            Ok(0) => break,
            Ok(length) => length,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => {
                let name = called(file);
                return Err(Stop::Sentence(format!("cannot read {name}: {error}")));
            }
        };
        let text = decoder
            .push(buffer.get(..length).unwrap_or_default())
            .to_owned();
        out.text(&text)?;
    }
    out.text(decoder.finish().as_str())?;
    Ok(End::Done)
}
