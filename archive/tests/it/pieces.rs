//! Archives in pieces: every message exactly once, whatever the size of a piece.

use std::fs;
use std::io::Cursor;
use std::ops::Range;
use std::path::{Path, PathBuf};

use mime_charset_archive::mbox::{self, Dialect, Stored};
use mime_charset_archive::{Limits, Piece, pieces, sources};

/// The path, offset and octets of a message, and how its lines are quoted.
type Row = (PathBuf, u64, Vec<u8>, Dialect);

fn row(path: &Path, stored: &Stored) -> Row {
    let dialect = stored.entry().dialect();
    (
        path.to_path_buf(),
        stored.offset(),
        stored.message().into_owned(),
        dialect,
    )
}

fn whole(path: &Path) -> Vec<Row> {
    let mut rows = Vec::new();
    for source in sources(path, Limits::new()).flatten() {
        let messages = source.messages().unwrap();
        rows.extend(messages.map(|stored| row(source.path(), &stored.unwrap())));
    }
    rows
}

fn of(pieces: &[Piece]) -> Vec<Row> {
    let mut rows = Vec::new();
    for piece in pieces {
        for source in piece.sources(Limits::new()).flatten() {
            let messages = source.messages().unwrap();
            rows.extend(messages.map(|stored| row(source.path(), &stored.unwrap())));
        }
    }
    rows
}

fn ranges(length: u64, size: u64) -> impl Iterator<Item = Range<u64>> {
    let starts = (0..length).step_by(usize::try_from(size).unwrap());
    starts.map(move |start| start..start.saturating_add(size))
}

fn mailboxes() -> Vec<PathBuf> {
    let files = fs::read_dir("../corpus/archive").unwrap();
    let paths = files.map(|file| file.unwrap().path());
    let is_mbox = |path: &PathBuf| path.extension().is_some_and(|it| it == "mbox");
    let found: Vec<_> = paths.filter(is_mbox).collect();
    assert!(found.len() > 10);
    found
}

/// Every dialect, split as `pieces` does and elsewhere: ranges honor Content-Length too.
#[test]
fn every_message_of_a_mailbox_is_in_exactly_one_range() {
    for path in mailboxes() {
        let expected = whole(&path);
        let length = fs::metadata(&path).unwrap().len();
        for size in [61, 333, 1024, 4096, 1 << 20] {
            let cut: Vec<_> = pieces(&path, size, Limits::new())
                .map(Result::unwrap)
                .collect();
            assert_eq!(of(&cut), expected, "{} by {size}", path.display());
            let forced: Vec<_> = ranges(length, size)
                .map(|range| Piece::new(&path, true, range))
                .collect();
            assert_eq!(of(&forced), expected, "{} by {size}", path.display());
        }
    }
}

/// The corpus has each dialect. A mailbox with Content-Length is one piece; otherwise the number of
/// pieces is its length divided by the size of a piece, rounded up.
#[test]
fn a_mailbox_without_content_length_is_split() {
    let count = |name: &str, size: u64| {
        let path = PathBuf::from("../corpus/archive").join(name);
        pieces(&path, size, Limits::new()).count() as u64
    };
    for name in ["mboxo", "mboxrd", "mutt", "python-mailbox", "git-mboxrd"] {
        let path = format!("../corpus/archive/{name}.mbox");
        let octets = fs::read(path).unwrap();
        let has_length = mbox::content_length(&octets).is_some();
        if !has_length {
            let name = format!("{name}.mbox");
            let length = octets.len() as u64;
            assert_eq!(count(&name, 1024), length.div_ceil(1024), "{name}");
        }
    }
    for name in ["mboxcl", "mboxcl2", "mboxcl2-crlf"] {
        assert_eq!(count(&format!("{name}.mbox"), 1024), 1, "{name}");
    }
    for name in ["mboxrd.mbox.gz", "mboxrd.mbox.zst", "tree.zip"] {
        assert_eq!(count(name, 10), 1, "{name}");
    }
}

/// Mailboxes of 21 MB, so that ranges begin in the middle. Each dialect follows other mail, and
/// surrounds a message whose Content-Length hides a mailbox.
#[test]
fn ranges_of_a_large_mailbox_begin_in_the_middle() {
    let filler = format!(
        "From a Sat Jan  3 01:05:34 1996\nSubject: filler\n\n{}\n\n",
        "a".repeat(500_000)
    );
    let hidden = fs::read("../corpus/archive/mboxo.mbox").unwrap();
    let hider = format!(
        "From b Sat Jan  3 01:05:34 1996\nContent-Length: {}\n\n",
        hidden.len()
    );
    for name in [
        "mboxo",
        "mboxrd-dateless",
        "mboxcl-crlf",
        "mboxcl2",
        "mboxcl2-no-blank-lines",
    ] {
        let path = PathBuf::from(format!("../corpus/archive/{name}.mbox"));
        let mut file = filler.repeat(40).into_bytes();
        let from = file.len() as u64;
        file.extend(fs::read(&path).unwrap());
        while !file.ends_with(b"\n\n") {
            file.push(b'\n');
        }
        file.extend(hider.as_bytes());
        file.extend(&hidden);
        file.extend(b"\n");
        let to = file.len() as u64;
        file.extend(filler.repeat(2).as_bytes());
        let dialect = mbox::is_mboxcl2(&file[..]).unwrap();
        assert!(dialect, "the hider proves it");
        let all: Vec<_> = mbox::read(&file[..])
            .dialect(Dialect::Mboxcl2)
            .map(|stored| row(&path, &stored.unwrap()))
            .collect();
        let mut bounds = [0, from, from + 700, to - 900, to - 1, u64::MAX];
        bounds.sort_unstable();
        let mut found = Vec::new();
        for pair in bounds.windows(2) {
            let (start, end) = (pair[0], pair[1]);
            let reader = mbox::read_within(Cursor::new(&file), start..end).unwrap();
            let reader = reader.dialect(Dialect::Mboxcl2);
            found.extend(reader.map(|stored| row(&path, &stored.unwrap())));
        }
        assert!(found == all, "{}", path.display());
    }
}

/// A folder with every kind of file: files in order, Maildir messages recognized by their location,
/// a compressed mailbox and a zip file as one piece each, `tmp` left out.
#[test]
fn pieces_of_a_folder_equal_its_sources() {
    let folder = tempfile::tempdir().unwrap();
    let below = |name: &str| folder.path().join(name);
    for name in ["box/cur", "box/new", "box/tmp", "more"] {
        fs::create_dir_all(below(name)).unwrap();
    }
    fs::copy("../corpus/archive/mboxrd.mbox", below("a.mbox")).unwrap();
    fs::copy("../corpus/archive/mboxcl2.mbox", below("more/b")).unwrap();
    fs::copy("../corpus/archive/mboxrd.mbox.gz", below("c.mbox.gz")).unwrap();
    fs::copy("../corpus/archive/tree.zip", below("d.zip")).unwrap();
    fs::write(below("box/cur/1:2,S"), "no header of mail").unwrap();
    fs::write(below("box/cur/.hidden"), "no header of mail").unwrap();
    fs::write(below("box/new/2"), "Subject: new\n\n").unwrap();
    fs::write(below("box/tmp/3"), "Subject: half\n\n").unwrap();
    fs::write(below("notes.txt"), "no mail").unwrap();
    let expected = whole(folder.path());
    assert!(expected.len() > 20);
    for size in [100, 1024, 1 << 30] {
        let cut: Vec<_> = pieces(folder.path(), size, Limits::new())
            .map(Result::unwrap)
            .collect();
        assert!(cut.iter().all(|piece| !piece.is_named));
        assert_eq!(of(&cut), expected, "{size}");
    }
}

/// Octets appended after the split belong to the last range. A file that is not a mailbox has one
/// message, which begins at 0.
#[test]
fn files_that_grow_and_files_with_one_message() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("inbox");
    let entry = "From a Sat Jan  3 01:05:34 1996\nSubject: x\n\ntext\n\n";
    fs::write(&path, entry.repeat(30)).unwrap();
    let cut: Vec<_> = pieces(&path, 100, Limits::new())
        .map(Result::unwrap)
        .collect();
    fs::write(&path, entry.repeat(33)).unwrap();
    assert_eq!(of(&cut).len(), 33);

    let path = folder.path().join("one.eml");
    fs::write(&path, "Subject: x\n\ntext\n").unwrap();
    assert_eq!(of(&[Piece::new(&path, true, 0..5)]).len(), 1);
    assert_eq!(of(&[Piece::new(&path, true, 5..50)]).len(), 0);
}

/// An error of an entry belongs to the range in which the entry begins.
#[test]
fn a_message_that_is_too_long_is_reported_once() {
    let entry = |length: usize| {
        let text = "a".repeat(length);
        format!("From a Sat Jan  3 01:05:34 1996\nSubject: x\n\n{text}\n\n")
    };
    let file = [entry(10), entry(5000), entry(10)].concat();
    let (mut good, mut bad) = (0, 0);
    for range in ranges(file.len() as u64, 100) {
        for stored in mbox::read_within(Cursor::new(&file), range)
            .unwrap()
            .longest(1000)
        {
            match stored {
                Ok(_) => good += 1,
                Err(_) => bad += 1,
            }
        }
    }
    assert_eq!((good, bad), (2, 1));
}
