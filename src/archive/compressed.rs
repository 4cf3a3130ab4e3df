//! Files that are compressed: gzip (RFC 1952), zstd (RFC 8878), bzip2, xz (The .xz File Format
//! 1.2.1) and the entries of zip.
//!
//! Everything is read as a stream, with a limit on what may come out of it. A stream that
//! ends early or whose checksum is wrong is an error at its end, so that whoever has written
//! what came before knows to throw it away.

use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::Path;

use bzip2::bufread::MultiBzDecoder;
use flate2::Crc;
use flate2::bufread::MultiGzDecoder;
use flate2::read::DeflateDecoder;
use lzma_rust2::XzReader;
use ruzstd::decoding::BlockDecodingStrategy;
use ruzstd::decoding::FrameDecoder;
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use zip::{CompressionMethod, ZipArchive};

use super::format::Compression;
use super::limits::Limits;
use crate::error::Error;

/// A zip file has no more entries than this, or none is read: their names are in memory.
const MOST_ENTRIES: usize = 1_000_000;

/// The largest dictionary of xz that is kept in memory, as the largest window of zstd is 128 MiB;
/// `xz -9` has 64 MiB. In KiB, with what the decoder needs beside it.
const MOST_MEMORY_OF_XZ: u32 = (128 << 10) + (1 << 10);

/// What is compressed in `source`, at most `most` octets.
pub(super) fn expand(
    source: Box<dyn Read + Send>,
    compression: Compression,
    most: u64,
) -> Box<dyn Read + Send> {
    let source = BufReader::with_capacity(64 << 10, source);
    match compression {
        Compression::None => Box::new(source),
        Compression::Gzip => Box::new(Limited::new(Whole(MultiGzDecoder::new(source)), most)),
        Compression::Zstd => Box::new(Limited::new(Whole(Zstd::new(source)), most)),
        Compression::Bzip2 => Box::new(Limited::new(Whole(MultiBzDecoder::new(source)), most)),
        Compression::Xz => {
            let xz = XzReader::new_mem_limit(source, true, MOST_MEMORY_OF_XZ);
            Box::new(Limited::new(Whole(xz), most))
        }
        // The entries of a zip file are opened one by one.
        Compression::Zip => Box::new(Limited::new(source, 0)),
    }
}

/// One file in a zip file, without its octets.
#[derive(Debug, Clone)]
pub(super) struct ZipEntry {
    /// As it stands in the file; nothing is ever written by this name as it is.
    pub(super) name: String,
    start: u64,
    compressed: u64,
    expanded: u64,
    crc: u32,
    method: Method,
}

#[derive(Debug, Clone, Copy)]
enum Method {
    Stored,
    Deflated,
}

/// What can be read from any place.
pub(super) trait Anywhere: Read + Seek + Send {}

impl<T: Read + Seek + Send + ?Sized> Anywhere for T {}

/// The files in a zip file of that size, by name; each may be an error of its own.
pub(super) fn zip_entries(
    file: impl Anywhere,
    size: u64,
    path: &Path,
    limits: Limits,
) -> Result<Vec<Result<ZipEntry, Error>>, Error> {
    let failed = |what: String| Error::new(format!("cannot read {}: {what}", path.display()));
    let mut archive =
        ZipArchive::new(BufReader::new(file)).map_err(|error| failed(error.to_string()))?;
    if archive.len() > MOST_ENTRIES {
        return Err(failed(format!(
            "it has {} files, more than {MOST_ENTRIES}",
            archive.len()
        )));
    }
    let mut entries = Vec::new();
    let mut sum = 0_u64;
    for index in 0..archive.len() {
        let entry = match archive.by_index_raw(index) {
            Ok(entry) => entry,
            Err(error) => {
                entries.push((String::new(), Err(failed(error.to_string()))));
                continue;
            }
        };
        if entry.is_dir() {
            continue;
        }
        let name = match entry.name() {
            Ok(name) => name.into_owned(),
            Err(_) => String::from_utf8_lossy(entry.name_raw()).into_owned(),
        };
        let failed = |what: &str| {
            Error::new(format!(
                "cannot read {} in {}: {what}",
                name.escape_debug(),
                path.display()
            ))
        };
        sum = sum.saturating_add(entry.size());
        let method = match entry.compression() {
            _ if entry.encrypted() => Err(failed("it is encrypted")),
            _ if entry.is_symlink() => Err(failed("it is a link")),
            CompressionMethod::Stored => Ok(Method::Stored),
            CompressionMethod::Deflated => Ok(Method::Deflated),
            other => Err(failed(&format!("its compression, {other}, is not known"))),
        };
        let read = match (method, entry.data_start()) {
            (Ok(method), Some(start)) => Ok(ZipEntry {
                name: name.clone(),
                start,
                compressed: entry.compressed_size(),
                expanded: entry.size(),
                crc: entry.crc32(),
                method,
            }),
            (Err(error), _) => Err(error),
            (_, None) => Err(failed("it has no local header")),
        };
        entries.push((name, read));
    }
    // Entries that share their octets expand to more than their file could alone.
    if sum > limits.most(size) {
        return Err(failed(format!(
            "it expands to {sum} octets, more than {}",
            limits.most(size)
        )));
    }
    entries.sort_by(|(a, _), (b, _)| a.cmp(b));
    Ok(entries.into_iter().map(|(_, entry)| entry).collect())
}

/// The octets of an entry; an error at the end where there are more or fewer than the zip
/// file says, or others.
pub(super) fn open_entry(
    mut file: impl Anywhere + 'static,
    entry: &ZipEntry,
) -> io::Result<Box<dyn Read + Send>> {
    file.seek(SeekFrom::Start(entry.start))?;
    let compressed = file.take(entry.compressed);
    let expanded: Box<dyn Read + Send> = match entry.method {
        Method::Stored => Box::new(compressed),
        Method::Deflated => Box::new(Whole(DeflateDecoder::new(compressed))),
    };
    Ok(Box::new(Checked {
        source: expanded,
        left: entry.expanded,
        crc: Crc::new(),
        expected: entry.crc,
    }))
}

/// Gives no more than a number of octets, and an error instead of the next.
struct Limited<R> {
    source: R,
    most: u64,
    left: u64,
}

impl<R> Limited<R> {
    fn new(source: R, most: u64) -> Self {
        Limited {
            source,
            most,
            left: most,
        }
    }
}

impl<R: Read> Read for Limited<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.source.read(buffer)?;
        let Some(left) = self.left.checked_sub(length as u64) else {
            self.left = 0;
            return Err(io::Error::other(format!(
                "it expands to more than {} octets, which its size does not warrant",
                self.most
            )));
        };
        self.left = left;
        Ok(length)
    }
}

/// Says of an early end what it is.
struct Whole<R>(R);

impl<R: Read> Read for Whole<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer).map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => io::Error::other("its compressed data end too early"),
            io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData => {
                io::Error::other(format!("its compressed data are damaged ({error})"))
            }
            io::ErrorKind::OutOfMemory => {
                io::Error::other("its dictionary is larger than the 128 MiB that are kept")
            }
            io::ErrorKind::Unsupported => {
                io::Error::other(format!("its compression is not known ({error})"))
            }
            _ => error,
        })
    }
}

/// Holds an entry to the length and the checksum that the zip file gives for it.
struct Checked<R> {
    source: R,
    left: u64,
    crc: Crc,
    expected: u32,
}

impl<R: Read> Read for Checked<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        let length = self.source.read(buffer)?;
        self.crc.update(buffer.get(..length).unwrap_or_default());
        let Some(left) = self.left.checked_sub(length as u64) else {
            return Err(io::Error::other("it is longer than its zip file says"));
        };
        self.left = left;
        if length == 0 && left > 0 {
            return Err(io::Error::other("it is shorter than its zip file says"));
        }
        if length == 0 && self.crc.sum() != self.expected {
            return Err(io::Error::other(
                "its checksum is not the one in its zip file",
            ));
        }
        Ok(length)
    }
}

/// All frames of a zstd file, one after the other (RFC 8878, section 3).
struct Zstd<R> {
    source: R,
    frame: Option<Box<FrameDecoder>>,
}

impl<R> Zstd<R> {
    fn new(source: R) -> Self {
        Zstd {
            source,
            frame: None,
        }
    }
}

impl<R: BufRead> Read for Zstd<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        loop {
            let Some(frame) = &mut self.frame else {
                if self.source.fill_buf()?.is_empty() {
                    return Ok(0);
                }
                self.frame = begin(&mut self.source)?;
                continue;
            };
            while frame.can_collect() == 0 && !frame.is_finished() {
                frame
                    .decode_blocks(&mut self.source, BlockDecodingStrategy::UptoBlocks(1))
                    .map_err(|error| damaged(&error))?;
            }
            let length = frame.read(buffer)?;
            if length > 0 {
                return Ok(length);
            }
            if let Some(expected) = frame.get_checksum_from_data()
                && frame.get_calculated_checksum() != Some(expected)
            {
                return Err(io::Error::other("its checksum is wrong"));
            }
            self.frame = None;
        }
    }
}

/// Reads the header of a frame; nothing comes of a skippable one (RFC 8878, section 3.1.2).
fn begin(source: &mut impl Read) -> io::Result<Option<Box<FrameDecoder>>> {
    let mut frame = Box::new(FrameDecoder::new());
    match frame.init(&mut *source) {
        Ok(()) => Ok(Some(frame)),
        Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
            length,
            ..
        })) => {
            let length = u64::from(length);
            let skipped = io::copy(&mut source.take(length), &mut io::sink())?;
            if skipped < length {
                return Err(io::Error::other("its compressed data end too early"));
            }
            Ok(None)
        }
        Err(error) => Err(damaged(&error)),
    }
}

fn damaged(error: &FrameDecoderError) -> io::Error {
    // The decoder does not tell an early end from other damage but deep in its errors.
    io::Error::other(format!(
        "its compressed data are damaged or end too early ({error})"
    ))
}
