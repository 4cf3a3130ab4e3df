//! Opens and writes reports, which may be compressed.

use std::fs::File;
use std::io::{Read, Seek as _, Write};
use std::path::Path;

use super::compressed::{self, Compressor};
use super::limits::Limits;
use super::members::Anywhere;
use super::stream::StoredStream;
use crate::error::{Error, cannot};
use crate::format::{Compression, compression, has_extension};

/// Opens a report, expanding it if it is compressed (gzip, zstd, bzip2 or xz). Reading fails if the
/// compressed data are damaged or truncated.
///
/// # Errors
///
/// One sentence that names the file.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use std::{fs, io::Read};
/// use mime_charset_archive::{Convert, open_report};
///
/// # let folder = tempfile::tempdir()?;
/// let path = |name: &str| folder.path().join(name);
/// fs::write(path("old.eml"), "Subject: one\n\n")?;
/// let conversion = Convert::new(path("old.eml"), path("new.eml")).report(path("report.jsonl.zst"));
/// conversion.run(&false.into(), |_| ())?;
/// let mut lines = String::new();
/// open_report(&path("report.jsonl.zst"))?.read_to_string(&mut lines)?;
/// assert!(lines.starts_with("{\"record\":\"run\","));
/// # Ok(())
/// # }
/// ```
pub fn open_report(path: &Path) -> Result<Box<dyn Read + Send>, Error> {
    let (file, compression) = open(path)?;
    if compression == Compression::None {
        return Ok(Box::new(file));
    }
    let size = file.metadata().map_err(cannot("read", path))?.len();
    let most = Limits::new().most(size);
    Ok(compressed::expand(Box::new(file), compression, most))
}

/// Like [`open_report`], with random access: a compressed report is expanded to a temporary file.
pub(crate) fn open_report_anywhere(path: &Path) -> Result<Box<dyn Anywhere>, Error> {
    let (file, compression) = open(path)?;
    if compression == Compression::None {
        return Ok(Box::new(file));
    }
    let octets = StoredStream::new(open_report(path)?).map_err(cannot("read", path))?;
    Ok(Box::new(octets))
}

fn open(path: &Path) -> Result<(File, Compression), Error> {
    let file = File::open(path).map_err(cannot("open", path))?;
    let mut head = Vec::new();
    let mut read = || {
        // Ten octets: the longest magic number, which is bzip2's with the first block.
        (&file).take(10).read_to_end(&mut head)?;
        (&file).rewind()
    };
    read().map_err(cannot("read", path))?;
    let compression = match compression(&head) {
        found if found.has_members() => Compression::None,
        found => found,
    };
    Ok((file, compression))
}

/// Writes a report, compressed if its name ends in `.gz` or `.zst`.
pub(crate) fn report_writer<W: Write>(path: &Path, target: W) -> Compressor<W> {
    if has_extension(path, &["gz", "gzip"]) {
        Compressor::gzip(target)
    } else if has_extension(path, &["zst", "zstd"]) {
        Compressor::zstd(target)
    } else {
        Compressor::Plain(target)
    }
}

/// Fails if the report's name has the extension of a format that can only be read.
pub(crate) fn check_report_name(path: &Path) -> Result<(), Error> {
    if has_extension(path, &["bz2", "bzip2", "xz", "zip"]) {
        return Err(Error::new(format!(
            "a report can be uncompressed, .gz or .zst, not {}",
            path.display()
        )));
    }
    Ok(())
}
