//! Expands compressed files: gzip (RFC 1952), zstd (RFC 8878), bzip2 and xz (The .xz File Format
//! 1.2.1).
//!
//! Everything is read as a stream, with a limit on the expanded length. If a stream is truncated or
//! has a wrong checksum, reading fails at its end, so that the writer discards the result.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::thread;

use bzip2::bufread::BzDecoder;
use flate2::bufread::GzDecoder;
use flate2::write::GzEncoder;
use lzma_rust2::XzReader;
use ruzstd::decoding::BlockDecodingStrategy;
use ruzstd::decoding::FrameDecoder;
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::encoding::{CompressionLevel, compress_to_vec};

use crate::format::Compression;

/// Maximum memory of the xz decoder in KiB: a dictionary as large as the zstd window limit, 128
/// MiB, and some overhead. `xz -9` uses 64 MiB.
const MOST_MEMORY_OF_XZ: u32 = (128 << 10) + (1 << 10);

/// Expands `source` to at most `most` octets.
pub(super) fn expand(
    source: Box<dyn Read + Send>,
    compression: Compression,
    most: u64,
) -> Box<dyn Read + Send> {
    let source = BufReader::with_capacity(64 << 10, source);
    match compression {
        Compression::None => Box::new(source),
        Compression::Gzip => {
            let members = Concatenated::new(source, 0x1F, GzDecoder::new, GzDecoder::into_inner);
            Box::new(Limited::new(ExplainErrors(members), most))
        }
        Compression::Zstd => Box::new(Limited::new(ExplainErrors(Zstd::new(source)), most)),
        Compression::Bzip2 => {
            let streams = Concatenated::new(source, b'B', BzDecoder::new, BzDecoder::into_inner);
            Box::new(Limited::new(ExplainErrors(streams), most))
        }
        Compression::Xz => {
            let xz = XzReader::new_mem_limit(source, true, MOST_MEMORY_OF_XZ);
            Box::new(Limited::new(ExplainErrors(xz), most))
        }
        // The members of a container are opened one by one.
        Compression::Zip | Compression::Tar => Box::new(Limited::new(source, 0)),
    }
}

/// A reader that fails once it would exceed a number of octets.
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
                "it expands to more than {} octets, too many for its size",
                self.most
            )));
        };
        self.left = left;
        Ok(length)
    }
}

/// A reader that replaces decoder errors with sentences.
pub(super) struct ExplainErrors<R>(pub(super) R);

impl<R: Read> Read for ExplainErrors<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer).map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => io::Error::other("its compressed data end too early"),
            io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData => {
                io::Error::other(format!("its compressed data are damaged ({error})"))
            }
            io::ErrorKind::OutOfMemory => {
                io::Error::other("its dictionary exceeds the limit of 128 MiB")
            }
            io::ErrorKind::Unsupported => {
                io::Error::other(format!("its compression is unknown ({error})"))
            }
            _ => error,
        })
    }
}

type Compressed = BufReader<Box<dyn Read + Send>>;

/// All members of a gzip file in sequence (RFC 1952, section 2.2), or all streams of a bzip2 file.
struct Concatenated<D> {
    /// The current member; `None` after the last one.
    member: Option<D>,
    open: fn(Compressed) -> D,
    close: fn(D) -> Compressed,
    /// The first octet of each member.
    first: u8,
}

impl<D> Concatenated<D> {
    fn new(
        source: Compressed,
        first: u8,
        open: fn(Compressed) -> D,
        close: fn(D) -> Compressed,
    ) -> Self {
        Concatenated {
            member: Some(open(source)),
            open,
            close,
            first,
        }
    }
}

impl<D: Read> Read for Concatenated<D> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while let Some(member) = &mut self.member {
            let length = member.read(buffer)?;
            if length > 0 || buffer.is_empty() {
                return Ok(length);
            }
            if let Some(mut source) = self.member.take().map(self.close)
                && has_next(&mut source, |octet| octet == self.first)?
            {
                self.member = Some((self.open)(source));
            }
        }
        Ok(0)
    }
}

/// Whether another member follows. Skips zeros, which pad the last block of a tape. Fails for any
/// other octets: they may be mail.
fn has_next(source: &mut impl BufRead, begins: impl Fn(u8) -> bool) -> io::Result<bool> {
    loop {
        let ahead = source.fill_buf()?;
        let zeros = ahead.iter().take_while(|octet| **octet == 0).count();
        let (is_end, next) = (ahead.is_empty(), ahead.get(zeros).copied());
        source.consume(zeros);
        match next {
            Some(octet) if begins(octet) => return Ok(true),
            Some(_) => return Err(io::Error::other("other octets follow its compressed data")),
            None if is_end => return Ok(false),
            None => {}
        }
    }
}

/// All frames of a zstd file in sequence (RFC 8878, section 3).
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
                // The magic numbers of a frame and of a skippable frame.
                let begins = |octet| matches!(octet, 0x28 | 0x50..=0x5F);
                if !has_next(&mut self.source, begins)? {
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

/// Reads a frame header; `None` for a skippable frame (RFC 8878, section 3.1.2).
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
    // The decoder's errors distinguish truncation from other damage only in deeply nested variants.
    io::Error::other(format!(
        "its compressed data are damaged or end too early ({error})"
    ))
}

/// Writes octets as they are, or compressed with gzip or zstd.
pub(crate) enum Compressor<W: Write> {
    Plain(W),
    Gzip(GzEncoder<W>),
    Zstd(Frames<W>),
}

impl<W: Write> Compressor<W> {
    pub(super) fn gzip(target: W) -> Self {
        let level = flate2::Compression::default();
        Compressor::Gzip(GzEncoder::new(target, level))
    }

    pub(super) fn zstd(target: W) -> Self {
        let pending = Vec::new();
        Compressor::Zstd(Frames { target, pending })
    }

    /// Ends the compressed stream. Returns the target, not flushed.
    pub(crate) fn finish(self) -> io::Result<W> {
        match self {
            Compressor::Plain(target) => Ok(target),
            Compressor::Gzip(gzip) => gzip.finish(),
            Compressor::Zstd(mut frames) => {
                frames.end_frame()?;
                Ok(frames.target)
            }
        }
    }
}

impl<W: Write> Write for Compressor<W> {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        match self {
            Compressor::Plain(target) => target.write(octets),
            Compressor::Gzip(gzip) => gzip.write(octets),
            Compressor::Zstd(frames) => frames.write(octets),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Compressor::Plain(target) => target.flush(),
            Compressor::Gzip(gzip) => gzip.flush(),
            Compressor::Zstd(frames) => frames.flush(),
        }
    }
}

/// Writes zstd frames with a checksum (RFC 8878, section 3.1.1). The encoder panics if its target
/// fails, so each frame is built in memory.
pub(crate) struct Frames<W> {
    target: W,
    pending: Vec<u8>,
}

impl<W: Write> Frames<W> {
    /// The number of octets in a frame.
    const LENGTH: usize = 1 << 20;

    fn end_frame(&mut self) -> io::Result<()> {
        if self.pending.is_empty() {
            return Ok(());
        }
        let frame = frame_of(&self.pending)?;
        self.pending.clear();
        self.target.write_all(&frame)
    }
}

/// Compresses a frame on a thread whose stack is large enough for the encoder.
fn frame_of(octets: &[u8]) -> io::Result<Vec<u8>> {
    const STACK: usize = 2 << 20;
    thread::scope(|scope| {
        let encoder = thread::Builder::new().stack_size(STACK);
        let frame =
            encoder.spawn_scoped(scope, || compress_to_vec(octets, CompressionLevel::Fastest))?;
        let panicked = |_| io::Error::other("the zstd encoder panicked");
        frame.join().map_err(panicked)
    })
}

impl<W: Write> Write for Frames<W> {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        let room = Self::LENGTH.saturating_sub(self.pending.len());
        let (taken, _) = octets.split_at(room.min(octets.len()));
        self.pending.extend_from_slice(taken);
        if self.pending.len() == Self::LENGTH {
            self.end_frame()?;
        }
        Ok(taken.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.end_frame()?;
        self.target.flush()
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Read as _, Write as _};

    use super::{Compressor, Frames, expand};
    use crate::format::Compression;

    /// Compressed text expands to itself, at each length around that of a frame.
    #[test]
    fn compressed_text_expands_to_itself() {
        let frame = Frames::<Vec<u8>>::LENGTH;
        for compression in [Compression::None, Compression::Gzip, Compression::Zstd] {
            for length in [0, 1, frame - 1, frame, frame + 1, 2 * frame + 7] {
                // Numbers as text, which compress well but do not repeat.
                let digits = (0_u32..).flat_map(|n| n.to_string().into_bytes());
                let octets: Vec<u8> = digits.take(length).collect();
                let mut writer = match compression {
                    Compression::Gzip => Compressor::gzip(Vec::new()),
                    Compression::Zstd => Compressor::zstd(Vec::new()),
                    _ => Compressor::Plain(Vec::new()),
                };
                writer.write_all(&octets).unwrap();
                let written = writer.finish().unwrap();
                let mut read = Vec::new();
                let mut reader = expand(Box::new(Cursor::new(written)), compression, u64::MAX);
                reader.read_to_end(&mut read).unwrap();
                assert!(read == octets, "{compression:?}, {length} octets");
            }
        }
    }
}
