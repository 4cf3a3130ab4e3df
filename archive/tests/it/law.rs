//! Properties of any file read as a mailbox. `properties.rs` checks random files, `tests/fuzz`
//! those that a fuzzer finds.

use std::io::{self, Read};

use mime_charset_archive::mbox::{self, Dialect, Stored};

/// The entries of a mailbox cover it without gaps, a stream returns the same ones, and writing them
/// restores the file. The first octet chooses where reads end; the rest is the file.
pub fn mbox(octets: &[u8]) {
    let (first, file) = octets.split_first().unwrap_or((&0, &[]));
    let drawn = Random(u64::from(*first));
    let is_mboxcl2 = mbox::is_mboxcl2(file).unwrap();
    let all = stored(file, is_mboxcl2);
    let mut reached = 0;
    for stored in &all {
        let (entry, octets) = (stored.entry(), stored.octets());
        assert_eq!(stored.offset(), reached as u64);
        assert!(!octets.is_empty());
        assert_eq!(octets, &file[reached..][..octets.len()]);
        assert!(entry.separator().end <= entry.message().start);
        assert!(entry.message().end <= octets.len());
        reached += octets.len();
        let separator = &octets[entry.separator()];
        let begins: &[u8] = match entry.dialect() {
            Dialect::Mmdf => b"\x01\x01\x01\x01",
            Dialect::Babyl => b"\x0C",
            // The line begins with the day of a date.
            Dialect::Mbx => b"",
            Dialect::Rnews => b"#! rnews ",
            Dialect::Listserv => b"=====",
            _ => b"From ",
        };
        assert!(separator.is_empty() || separator.starts_with(begins));
        let quoted = &octets[entry.message()];
        let message = entry.dialect().unquote(quoted);
        assert_eq!(stored.message(), message);
        assert!(message.len() <= quoted.len());
        if matches!(
            entry.dialect(),
            Dialect::Mboxcl2 | Dialect::Mmdf | Dialect::Mbx | Dialect::Rnews | Dialect::Listserv
        ) {
            assert_eq!(message, quoted);
        }
    }
    assert_eq!(reached, file.len());

    assert_eq!(stored(Slow { file, drawn }, is_mboxcl2), all);
    let mut writer = mbox::Writer::new(Vec::new());
    for stored in &all {
        let (entry, message) = (stored.entry(), stored.message());
        if entry.dialect() == Dialect::Babyl {
            // Octets around the message are kept, whatever replaces its text.
            assert_eq!(*stored.written(&message), stored.octets()[entry.message()]);
            let text = |octet: &u8| if *octet == b'x' { b'y' } else { *octet };
            let other: Vec<u8> = message.iter().map(text).collect();
            assert_eq!(*Dialect::Babyl.unquote(&stored.written(&other)), other);
        }
        if !is_mboxcl2 {
            writer.write(stored, &message).unwrap();
        }
    }

    let quoted = mbox::quote(file);
    assert_eq!(*Dialect::Mboxrd.unquote(&quoted), *file);
    assert!(!quoted.starts_with(b"From "));
    assert!(!quoted.windows(6).any(|octets| octets == b"\nFrom "));
}

fn stored(source: impl Read, is_mboxcl2: bool) -> Vec<Stored> {
    let mut stream = mbox::read(source);
    if is_mboxcl2 {
        stream = stream.dialect(Dialect::Mboxcl2);
    }
    stream.map(Result::unwrap).collect()
}

/// A source that returns a few octets per read, and is sometimes interrupted.
struct Slow<'a> {
    file: &'a [u8],
    drawn: Random,
}

impl Read for Slow<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.drawn.below(8) == 0 {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let most = (self.drawn.below(40) + 1).min(buffer.len());
        let read = self.file.take(most as u64).read(buffer)?;
        self.file = &self.file[read..];
        Ok(read)
    }
}

/// Pseudorandom numbers from a seed (Knuth's MMIX generator).
struct Random(u64);

impl Random {
    /// A number below `limit`, which must not be 0.
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % limit
    }
}
