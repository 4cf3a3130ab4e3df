//! What holds for any file read as a mailbox: `properties.rs` checks drawn files, `tests/fuzz` those
//! that a fuzzer finds.

use std::io::{self, Read};

use mime_charset_archive::mbox::{self, Dialect};

/// The messages of a mailbox tile it, a stream gives the same ones, and what is written from
/// them is the file again. The first octet chooses where reads end; the rest is the file.
pub fn mbox(octets: &[u8]) {
    let (first, file) = octets.split_first().unwrap_or((&0, &[]));
    let drawn = Drawn(u64::from(*first));
    let entries: Vec<_> = mbox::messages(file).collect();
    let mut reached = 0;
    for entry in &entries {
        assert_eq!(entry.range().start, reached);
        assert!(entry.range().start < entry.range().end);
        assert!(entry.range().start <= entry.separator().start);
        assert!(entry.separator().end <= entry.message().start);
        assert!(entry.message().end <= entry.range().end);
        reached = entry.range().end;
        let separator = &file[entry.separator()];
        let begins: &[u8] = match entry.dialect() {
            Dialect::Mmdf => b"\x01\x01\x01\x01",
            Dialect::Babyl => b"\x0C",
            _ => b"From ",
        };
        assert!(separator.is_empty() || separator.starts_with(begins));
        let stored = &file[entry.message()];
        let message = entry.dialect().unquote(stored);
        assert!(message.len() <= stored.len());
        if matches!(entry.dialect(), Dialect::Mboxcl2 | Dialect::Mmdf) {
            assert_eq!(message, stored);
        }
    }
    assert_eq!(reached, file.len());

    let is_mboxcl2 = mbox::is_mboxcl2(file).unwrap();
    let mut stream = mbox::read(Slow { file, drawn });
    if is_mboxcl2 {
        stream = stream.dialect(Dialect::Mboxcl2);
    }
    let mut writer = mbox::Writer::new(Vec::new());
    let mut count = 0;
    for (stored, entry) in stream.zip(&entries) {
        let stored = stored.unwrap();
        let offset = usize::try_from(stored.offset()).unwrap();
        assert_eq!(offset, entry.range().start);
        assert_eq!(stored.octets(), &file[entry.range()]);
        assert_eq!(stored.entry().dialect(), entry.dialect());
        let message = entry.dialect().unquote(&file[entry.message()]);
        assert_eq!(stored.message(), message);
        if entry.dialect() == Dialect::Babyl {
            // What stands beside the message stays there, whatever comes in place of its text.
            assert_eq!(*stored.written(&message), file[entry.message()]);
            let text = |octet: &u8| if *octet == b'x' { b'y' } else { *octet };
            let other: Vec<u8> = message.iter().map(text).collect();
            assert_eq!(*Dialect::Babyl.unquote(&stored.written(&other)), other);
        }
        if !is_mboxcl2 {
            writer.write(&stored, &message).unwrap();
        }
        count += 1;
    }
    assert_eq!(count, entries.len());

    let quoted = mbox::quote(file);
    assert_eq!(*Dialect::Mboxrd.unquote(&quoted), *file);
    assert!(!quoted.starts_with(b"From "));
    assert!(!quoted.windows(6).any(|octets| octets == b"\nFrom "));
}

/// A source that gives a few octets at a time, and is interrupted now and then.
struct Slow<'a> {
    file: &'a [u8],
    drawn: Drawn,
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

/// Numbers that look drawn, from a seed (Knuth's MMIX generator).
struct Drawn(u64);

impl Drawn {
    /// A number below `limit`, which is not 0.
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % limit
    }
}
