//! Stores streams, such as standard input, so that they can be read more than once.

use std::io::{self, Read, Seek, SeekFrom, Write};
use std::sync::{Arc, Mutex, PoisonError};

use tempfile::SpooledTempFile;

/// Longer streams are stored in an unnamed file, which the system deletes even if the program is
/// killed.
const IN_MEMORY: usize = 64 << 10;

/// The octets of a stream, for several readers with random access.
#[derive(Debug, Clone)]
pub(super) struct StoredStream {
    octets: Arc<Mutex<SpooledTempFile>>,
    length: u64,
    at: u64,
}

impl StoredStream {
    /// Reads a stream to its end.
    pub(super) fn new(mut stream: impl Read) -> io::Result<Self> {
        let mut octets = tempfile::spooled_tempfile(IN_MEMORY);
        let mut buffer = vec![0; IN_MEMORY];
        let mut length = 0;
        loop {
            let read = match stream.read(&mut buffer) {
                Ok(0) => break,
                Ok(read) => read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            let read = buffer.get(..read).unwrap_or_default();
            octets.write_all(read).map_err(|error| {
                io::Error::other(format!("it does not fit in a temporary file: {error}"))
            })?;
            length += read.len() as u64;
        }
        Ok(StoredStream {
            octets: Arc::new(Mutex::new(octets)),
            length,
            at: 0,
        })
    }

    /// The number of octets.
    pub(super) fn length(&self) -> u64 {
        self.length
    }

    /// A new reader of the same stream, from its start.
    pub(super) fn rewound(&self) -> Self {
        StoredStream {
            octets: Arc::clone(&self.octets),
            length: self.length,
            at: 0,
        }
    }
}

impl Read for StoredStream {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut octets = self.octets.lock().unwrap_or_else(PoisonError::into_inner);
        octets.seek(SeekFrom::Start(self.at))?;
        let length = octets.read(buffer)?;
        self.at += length as u64;
        Ok(length)
    }
}

impl Seek for StoredStream {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let at = match to {
            SeekFrom::Start(at) => Some(at),
            SeekFrom::End(offset) => self.length.checked_add_signed(offset),
            SeekFrom::Current(offset) => self.at.checked_add_signed(offset),
        };
        self.at = at.ok_or(io::ErrorKind::InvalidInput)?;
        Ok(self.at)
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Seek, SeekFrom};

    use super::{IN_MEMORY, StoredStream};

    /// Readers have independent offsets, both in memory and in a file.
    #[test]
    fn a_stored_stream_has_independent_readers() {
        for length in [0, 5, IN_MEMORY, 3 * IN_MEMORY + 1] {
            let octets: Vec<u8> = (0..length).map(|n| (n % 251).to_le_bytes()[0]).collect();
            let kept = StoredStream::new(octets.as_slice()).unwrap();
            assert_eq!(kept.length(), length as u64);
            let mut first = kept.rewound();
            let mut start = vec![0; length.min(3)];
            first.read_exact(&mut start).unwrap();
            let mut all = Vec::new();
            kept.rewound().read_to_end(&mut all).unwrap();
            assert_eq!(all, octets);
            let mut rest = Vec::new();
            first.read_to_end(&mut rest).unwrap();
            assert_eq!([start, rest].concat(), octets);
            let mut last = Vec::new();
            first.seek(SeekFrom::End(-2)).unwrap_or_default();
            first.read_to_end(&mut last).unwrap();
            assert_eq!(last, octets[length.saturating_sub(2)..]);
            assert!(first.seek(SeekFrom::Current(i64::MIN)).is_err());
        }
    }
}
