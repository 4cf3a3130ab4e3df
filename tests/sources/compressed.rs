//! Compressed files and zip files: the same mail, and nothing beyond the limits.

use std::fs;
use std::io::{Cursor, Write as _};
use std::ops::Range;
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use mime_charset::archive::{Format, Limits, sources};
use zip::write::{SimpleFileOptions, ZipWriter};

use super::{PLAIN, failure, found, listed, messages, tree};

fn gzip(octets: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(octets).unwrap();
    encoder.finish().unwrap()
}

fn zip(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, octets) in files {
        writer
            .start_file(
                *name,
                SimpleFileOptions::default().compression_method(zip::CompressionMethod::Deflated),
            )
            .unwrap();
        writer.write_all(octets).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

#[test]
fn compressed_mail_is_the_same_mail() {
    let read = |name: &str| {
        let (sources, errors) = found(&Path::new("corpus/archive").join(name));
        assert_eq!((sources.len(), errors), (1, vec![]));
        assert_eq!(
            (sources[0].format(), sources[0].relative()),
            (Format::Mbox, Path::new("mboxrd.mbox"))
        );
        messages(&sources[0])
    };
    let plain = read("mboxrd.mbox");
    assert_eq!(plain.len(), 7);
    assert_eq!(read("mboxrd.mbox.gz"), plain);
    assert_eq!(read("mboxrd.mbox.zst"), plain);
    assert_eq!(read("mboxrd.mbox.bz2"), plain);
    assert_eq!(read("mboxrd.mbox.xz"), plain);
    // A file of Apple Mail is looked for in it as well.
    let emlx = [format!("{}\n", PLAIN.len()).as_bytes(), PLAIN].concat();
    let folder = tree(&[("1.emlx.gz", &gzip(&emlx))]);
    let source = &found(folder.path()).0[0];
    assert_eq!(source.relative(), Path::new("1.eml"));
    assert_eq!(messages(source), [PLAIN]);
    // gzip files may have several members (RFC 1952, section 2.2).
    let folder = tree(&[("two.gz", &[gzip(PLAIN), gzip(PLAIN)].concat())]);
    assert_eq!(messages(&found(folder.path()).0[0]), [PLAIN.repeat(2)]);
}

/// Servers compress what they deliver and keep its name.
#[test]
fn a_message_in_a_maildir_may_be_compressed() {
    let folder = tree(&[("box/cur/1.a:2,S", &gzip(PLAIN)), ("box/new/2.b", PLAIN)]);
    assert_eq!(
        listed(folder.path()),
        [
            "maildir box",
            "message box/cur/1.a:2,S",
            "message box/new/2.b"
        ]
    );
    let (sources, _) = found(folder.path());
    assert_eq!(messages(&sources[1]), [PLAIN]);
}

#[test]
fn a_zip_file_is_a_folder() {
    let path = Path::new("corpus/archive/tree.zip");
    assert_eq!(
        listed(path),
        [
            "mbox tree/all.mbox",
            "message tree/box/cur/1:2,S",
            "message tree/box/new/2",
            "mbox tree/nested.mbox"
        ]
    );
    let (sources, _) = found(path);
    assert_eq!(messages(&sources[0]).len(), 7);
    assert_eq!(
        messages(&sources[1]),
        [fs::read("corpus/archive/messages/plain.eml").unwrap()]
    );
    // mboxcl2 in gzip in zip: quoted lines are as they are, which later messages prove.
    assert_eq!(messages(&sources[3]).len(), 7);
    assert!(
        messages(&sources[3])[2]
            .ends_with(b"\n>From one\n>>From two\n>>>From three\n> From none\n>\n>From the last\n")
    );
}

#[test]
fn names_in_a_zip_file_lead_nowhere() {
    let names = [
        "../../evil.eml",
        "/etc/evil.eml",
        "a/../../b.eml",
        "C:\\c\\..\\d.eml",
        "..",
        "e\0\r\nf.eml",
        "//",
        "./g.eml",
    ];
    let folder = tree(&[("x.zip", &zip(&names.map(|name| (name, PLAIN))))]);
    let (sources, errors) = found(folder.path());
    assert_eq!(errors, [""; 0]);
    let mut places: Vec<_> = sources
        .iter()
        .map(|source| source.relative().to_str().unwrap())
        .collect();
    places.sort_unstable();
    assert_eq!(
        places,
        [
            "x/C:/c/_/d.eml",
            "x/_",
            "x/_/_/evil.eml",
            "x/a/_/_/b.eml",
            "x/e___f.eml",
            "x/etc/evil.eml",
            "x/g.eml"
        ]
    );
    assert!(sources.iter().all(|source| messages(source) == [PLAIN]));
}

#[test]
fn a_zip_file_in_a_zip_file_is_not_read() {
    let inner = zip(&[("a.eml", PLAIN)]);
    let folder = tree(&[("x.zip", &zip(&[("a.eml", PLAIN), ("inner.zip", &inner)]))]);
    let (sources, errors) = found(folder.path());
    assert_eq!(sources.len(), 1);
    let zip = folder.path().join("x.zip");
    assert_eq!(
        errors,
        [format!(
            "cannot read inner.zip in {}: it is a zip file in a zip file",
            zip.display()
        )]
    );
}

/// Cut off anywhere behind the octets that say what it is, a compressed file is an error; the files
/// beside it are read.
#[test]
fn a_truncated_compressed_file_is_an_error() {
    a_cut_is_an_error("gz", 3, 0..0);
    // Behind the stream of 355 octets a file may end. Ten say what it is.
    a_cut_is_an_error("bz2", 10, 355..356);
    // Behind a stream, and behind its padding, a file may end (The .xz File Format, section 2.2).
    // Where it ends within the padding or the first six octets of a stream, it is damaged.
    let first = fs::read("corpus/archive/mboxrd.mbox.xz").unwrap();
    let magic = b"\xFD7zXZ\0";
    let second = first.windows(6).rposition(|six| six == magic).unwrap();
    a_cut_is_an_error("xz", 6, second - 4..second + 6);
    for (length, is_whole) in [(-4, true), (-2, false), (0, true), (3, false)] {
        let folder = tree(&[(
            "a.mbox.xz",
            &first[..second.checked_add_signed(length).unwrap()],
        )]);
        let error = found(folder.path()).1.concat();
        let is_damaged = error.contains("its compressed data are damaged");
        assert_eq!(
            (is_damaged, error.is_empty()),
            (!is_whole, is_whole),
            "{length}: {error}"
        );
    }
}

#[track_caller]
fn a_cut_is_an_error(extension: &str, shortest: usize, whole_at: Range<usize>) {
    let file = format!("a.mbox.{extension}");
    let whole = fs::read(format!("corpus/archive/mboxrd.mbox.{extension}")).unwrap();
    for length in (shortest..whole.len()).filter(|length| !whole_at.contains(length)) {
        let folder = tree(&[(&file, &whole[..length]), ("b.eml", PLAIN)]);
        let (sources, mut errors) = found(folder.path());
        errors.extend(
            sources
                .iter()
                .filter(|source| source.relative().as_os_str() == "a.mbox")
                .map(failure),
        );
        let path = folder.path().join(&file);
        assert_eq!(
            errors,
            [format!(
                "cannot read {}: its compressed data end too early",
                path.display()
            )],
            "{length}"
        );
        assert_eq!(messages(sources.last().unwrap()), [PLAIN]);
    }
}

/// No damage to compressed octets goes unnoticed.
#[test]
fn damaged_compressed_files_are_errors() {
    let names = ["gz", "zst", "bz2", "xz"].map(|extension| format!("mboxrd.mbox.{extension}"));
    for name in names.iter().map(String::as_str).chain(["tree.zip"]) {
        let whole = fs::read(Path::new("corpus/archive").join(name)).unwrap();
        let read = |octets: &[u8]| {
            let folder = tree(&[(name, octets)]);
            let mut all = Vec::new();
            for source in sources(folder.path(), Limits::new()) {
                let Ok(source) = source else { return None };
                let Ok(messages) = source.messages() else {
                    return None;
                };
                for stored in messages {
                    all.push(stored.ok()?.message().into_owned());
                }
            }
            Some(all)
        };
        let expected = read(&whole).unwrap();
        let mut noticed = 0;
        for at in 0..whole.len() {
            let mut damaged = whole.clone();
            damaged[at] ^= 0x41;
            match read(&damaged) {
                None => noticed += 1,
                // Times, names and other such fields may be anything; the first octets decide
                // that it is compressed at all; a zip file need not say everything twice.
                Some(messages) => assert!(
                    messages == expected || at < 10 || name == "tree.zip",
                    "{name} {at}"
                ),
            }
        }
        assert!(
            noticed > whole.len() / 2,
            "{name} {noticed} of {}",
            whole.len()
        );
    }
}

/// Zeros without end in a few kilobytes or less: RFC 8878, section 3.1.1.2.2, RLE blocks. Those of
/// bzip2 and xz are 16,777,217 octets, one more than is free (`bz2.compress(bytes(16777217))` and
/// `lzma.compress(bytes(16777217))` of Python 3.11).
#[test]
fn bombs_do_not_go_off() {
    let zeros = vec![0; 64 << 20];
    let mut zst = vec![0x28, 0xB5, 0x2F, 0xFD, 0x00, 0x38];
    for block in 0..512 {
        let header = u32::from(block == 511) | 1 << 1 | (128 << 10) << 3;
        zst.extend_from_slice(&header.to_le_bytes()[..3]);
        zst.push(0);
    }
    let folder = tree(&[
        ("a.eml.gz", &gzip(&zeros)),
        ("b.eml.zst", &zst),
        ("c.zip", &zip(&[("c.eml", &zeros)])),
        ("d.eml.bz2", include_bytes!("zeros.bz2")),
        ("e.eml.xz", include_bytes!("zeros.xz")),
        ("f.eml", PLAIN),
    ]);
    let (sources, errors) = found(folder.path());
    assert_eq!(errors.len(), 1);
    assert!(
        errors[0].contains("c.zip: it expands to 67108864 octets, more than 16777216"),
        "{errors:?}"
    );
    assert_eq!(sources.len(), 5);
    for source in &sources[..4] {
        let error = failure(source);
        assert!(error.contains("it expands to more than "), "{error}");
        // What was read until then is bounded.
        let mut read = 0;
        let mut reader = source.open().unwrap();
        let mut buffer = vec![0; 1 << 16];
        while let Ok(length) = reader.read(&mut buffer) {
            read += length as u64;
        }
        assert!(read <= (16 << 20).max(200 * source.size()), "{read}");
    }
    assert_eq!(messages(&sources[4]), [PLAIN]);
}

#[test]
fn limits_are_kept() {
    let folder = tree(&[("a.eml.gz", &gzip(PLAIN)), ("b.eml", PLAIN)]);
    let read = |limits: Limits| -> Vec<bool> {
        sources(folder.path(), limits)
            .map(|source| {
                source
                    .and_then(|source| source.messages()?.collect::<Result<Vec<_>, _>>())
                    .is_ok()
            })
            .collect()
    };
    let length = PLAIN.len();
    assert_eq!(read(Limits::new().octets(length as u64)), [true, true]);
    assert_eq!(read(Limits::new().octets(length as u64 - 1)), [false, true]);
    assert_eq!(read(Limits::new().message(length)), [true, true]);
    assert_eq!(read(Limits::new().message(length - 1)), [false, false]);
}
