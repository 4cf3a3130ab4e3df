//! Compressed files and zip files have the same mail, within the limits.

use std::fs;
use std::io::{Cursor, Write as _};
use std::ops::Range;
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use mime_charset_archive::{Format, Limits, MailSource, sources};
use zip::write::{SimpleFileOptions, ZipWriter};

use super::{PLAIN, failure, found, listed, messages, tree};

fn gzip(octets: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(octets).unwrap();
    encoder.finish().unwrap()
}

/// A zip file may have several files of one name, or follow another zip file. What cannot be read is an
/// error, and the rest is read.
#[test]
fn zip_files_with_unreachable_files_are_errors() {
    let other = PLAIN.repeat(2);
    let mut twice = zip(&[("1.eml", PLAIN), ("2.eml", &other), ("3.eml", PLAIN)]);
    let is_second = |at: &usize| twice[*at..].starts_with(b"2.eml");
    let places: Vec<_> = (0..twice.len()).filter(is_second).collect();
    for place in places {
        twice[place] = b'1';
    }
    let one = zip(&[("4.eml", PLAIN)]);
    let joined = [&twice[..], &one].concat();
    let folder = tree(&[("a.zip", &twice), ("b.zip", &joined)]);
    let (sources, errors) = found(folder.path());
    let places: Vec<_> = sources.iter().map(MailSource::relative).collect();
    let expected = ["a/1.eml", "a/3.eml", "b/4.eml"];
    assert_eq!(places, expected.map(Path::new), "{errors:?}");
    assert_eq!(messages(&sources[0]), [&*other]);
    let [same, before] = <[String; 2]>::try_from(errors).unwrap();
    assert!(
        same.ends_with("a.zip: it has several files with one name; only the last is read"),
        "{same}"
    );
    assert!(
        before.ends_with("b.zip: the zip file before it in this file is not read"),
        "{before}"
    );
}

/// APPNOTE.TXT, section 4.3.16: the end record and its comment end a zip file.
#[test]
fn octets_after_a_zip_file_are_an_error() {
    let mut file = zip(&[("1.eml", PLAIN)]);
    let with = |file: &[u8], after: &[u8]| {
        let folder = tree(&[("a.zip", &[file, after].concat())]);
        let (sources, errors) = found(folder.path());
        assert_eq!(messages(&sources[0]), [PLAIN]);
        errors.concat()
    };
    for after in [&b"x"[..], b"\n", PLAIN, b"\0\0From a"] {
        let error = with(&file, after);
        let expected = "a.zip: octets after the zip file in this file are not read";
        assert!(error.ends_with(expected), "{after:?}: {error}");
    }
    assert_eq!(with(&file, b""), "");
    assert_eq!(with(&file, &[0; 10240]), "");
    // The last two octets of the record are the length of the comment.
    let length = file.len();
    file[length - 2..].copy_from_slice(&5_u16.to_le_bytes());
    assert_eq!(with(&file, b"notes"), "");
    assert!(!with(&file, b"notes, and more").is_empty());
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
        let (sources, errors) = found(&Path::new("../corpus/archive").join(name));
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
    // A compressed Apple Mail file is recognized too.
    let emlx = [format!("{}\n", PLAIN.len()).as_bytes(), PLAIN].concat();
    let folder = tree(&[("1.emlx.gz", &gzip(&emlx))]);
    let source = &found(folder.path()).0[0];
    assert_eq!(source.relative(), Path::new("1.eml"));
    assert_eq!(messages(source), [PLAIN]);
    // gzip files may have several members (RFC 1952, section 2.2).
    let folder = tree(&[("two.gz", &[gzip(PLAIN), gzip(PLAIN)].concat())]);
    assert_eq!(messages(&found(folder.path()).0[0]), [PLAIN.repeat(2)]);

    // The last block of a tape is padded with zeros, which gzip and Python ignore.
    let tape = [gzip(PLAIN), vec![0; 100_000], gzip(PLAIN), vec![0; 512]].concat();
    let folder = tree(&[("tape.gz", &tape)]);
    assert_eq!(messages(&found(folder.path()).0[0]), [PLAIN.repeat(2)]);
    // Any other trailing data are damage.
    let folder = tree(&[("a.gz", &[gzip(PLAIN), b"\0\0text".to_vec()].concat())]);
    let (sources, errors) = found(folder.path());
    let read = sources.iter().flat_map(|source| source.messages().unwrap());
    assert!(read.filter(Result::is_err).count() + errors.len() == 1);
}

/// Servers compress delivered messages and keep their names.
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
    let path = Path::new("../corpus/archive/tree.zip");
    assert_eq!(
        listed(path),
        [
            "maildir tree/box",
            "mbox tree/all.mbox",
            "message tree/box/cur/1:2,S",
            "message tree/box/new/2",
            "mbox tree/nested.mbox"
        ]
    );
    let (sources, _) = found(path);
    assert_eq!(messages(&sources[1]).len(), 7);
    assert_eq!(
        messages(&sources[2]),
        [fs::read("../corpus/archive/messages/plain.eml").unwrap()]
    );
    // mboxcl2 in gzip in zip: quoted lines are kept, since later messages prove the dialect.
    assert_eq!(messages(&sources[4]).len(), 7);
    assert!(
        messages(&sources[4])[2]
            .ends_with(b"\n>From one\n>>From two\n>>>From three\n> From none\n>\n>From the last\n")
    );
}

#[test]
fn names_in_a_zip_file_stay_below_the_destination() {
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

/// A container inside another one is a folder in its folder; a further level is not read.
#[test]
fn a_container_in_a_container_is_read() {
    let innermost = zip(&[("c.eml", PLAIN)]);
    let inner = zip(&[("b.eml", PLAIN), ("innermost.zip", &innermost)]);
    let members: [(&str, &[u8]); 5] = [
        ("a.eml", PLAIN),
        ("d/inner.zip", &inner),
        ("e.tar", &tar(&[("b.eml", PLAIN)])),
        ("f.tar.gz", &gzip(&tar(&[("b.eml", PLAIN)]))),
        ("g.tgz", &gzip(&tar(&[("b.eml", PLAIN)]))),
    ];
    for (name, outer) in [
        ("x.zip", zip(&members)),
        ("x.tar", tar(&members)),
        ("x.tar.gz", gzip(&tar(&members))),
    ] {
        let folder = tree(&[(name, &outer)]);
        let (sources, errors) = found(folder.path());
        let container = folder.path().join(name);
        let container = container.display();
        let kind = if name == "x.zip" { "zip" } else { "tar" };
        assert_eq!(
            errors,
            [format!(
                "cannot read d/inner.zip/innermost.zip in {container}: \
                 it is a zip file in a zip file in a {kind} file"
            )]
        );
        let places: Vec<_> = sources.iter().map(MailSource::relative).collect();
        let expected = [
            "x/a.eml",
            "x/d/inner/b.eml",
            "x/e/b.eml",
            "x/f/b.eml",
            "x/g/b.eml",
        ];
        assert_eq!(places, expected.map(Path::new), "{name}");
        assert!(sources.iter().all(|source| messages(source) == [PLAIN]));
        let names = sources[1].names();
        assert_eq!(names.member, Some("d/inner.zip/b.eml"));
        assert_eq!(names.path, format!("d/inner.zip/b.eml in {container}"));
    }
}

/// A file inside a zip file has the same limit as a file on disk: 200 times its length.
#[test]
fn a_container_in_a_container_has_the_limits_of_its_length() {
    let zeros = vec![b'x'; 17 << 20];
    let folder = tree(&[("x.zip", &zip(&[("inner.zip", &zip(&[("a", &zeros)]))]))]);
    let (sources, errors) = found(folder.path());
    assert_eq!(sources.len(), 0);
    let zip = folder.path().join("x.zip");
    let expected = format!(
        "cannot read inner.zip in {}: it expands to 17825792 octets, more than 16777216",
        zip.display()
    );
    assert_eq!(errors, [expected]);
}

/// A compressed file truncated anywhere after its magic number is an error; the other files are
/// read.
#[test]
fn a_truncated_compressed_file_is_an_error() {
    a_cut_is_an_error("gz", 3, 0..0);
    // A file may end after the stream of 355 octets. Ten octets identify the format.
    a_cut_is_an_error("bz2", 10, 355..356);
    // A file may end after a stream and after its padding (The .xz File Format, section 2.2). If it
    // ends within the padding or within the first six octets of a stream, it is damaged.
    let first = fs::read("../corpus/archive/mboxrd.mbox.xz").unwrap();
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

/// gzip(1) and bzip2(1) warn about other octets after the compressed data and ignore them; xz(1) and
/// zstd(1) fail. Here they are an error: they may be mail. Zeros pad the last block of a tape.
#[test]
fn octets_after_compressed_data_are_an_error() {
    for extension in ["gz", "bz2", "xz", "zst"] {
        let file = format!("a.mbox.{extension}");
        let whole = fs::read(format!("../corpus/archive/mboxrd.mbox.{extension}")).unwrap();
        let read = |after: &[u8]| {
            let folder = tree(&[(&file, &[&whole, after].concat())]);
            let source = sources(folder.path(), Limits::new()).next().unwrap();
            source.and_then(|source| source.messages()?.collect::<Result<Vec<_>, _>>())
        };
        assert_eq!(read(&[0; 512]).unwrap().len(), 7, "{extension}");
        for after in [&b"garbage"[..], b"\n", b"\0\0\0\0From a", PLAIN] {
            let error = read(after).unwrap_err().to_string();
            let expected = match extension {
                "xz" => "its compressed data are damaged (invalid data after stream)",
                _ => "other octets follow its compressed data",
            };
            assert!(error.ends_with(expected), "{extension}, {after:?}: {error}");
        }
    }
}

#[track_caller]
fn a_cut_is_an_error(extension: &str, shortest: usize, whole_at: Range<usize>) {
    let file = format!("a.mbox.{extension}");
    let whole = fs::read(format!("../corpus/archive/mboxrd.mbox.{extension}")).unwrap();
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

/// All damage to compressed octets is detected.
#[test]
fn damaged_compressed_files_are_errors() {
    let names = ["gz", "zst", "bz2", "xz"].map(|extension| format!("mboxrd.mbox.{extension}"));
    for name in names.iter().map(String::as_str).chain(["tree.zip"]) {
        let whole = fs::read(Path::new("../corpus/archive").join(name)).unwrap();
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
                // Some damage is harmless: times, names and other such fields may have any value,
                // the first octets decide whether the file is compressed at all, and a zip file
                // stores some values twice.
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

/// Endless zeros in a few kilobytes or less: RFC 8878, section 3.1.1.2.2, RLE blocks. Those of
/// bzip2 and xz expand to 16,777,217 octets, one more than is always allowed
/// (`bz2.compress(bytes(16777217))` and `lzma.compress(bytes(16777217))` of Python 3.11).
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
        // The number of octets read before the error is bounded.
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
fn limits_are_enforced() {
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

/// A tar header and its octets (POSIX.1-2017, pax, "ustar Interchange Format"): a name, the size in
/// octal digits, the checksum of all 512 octets with blanks for itself, the type.
fn tar_member(name: &[u8], kind: u8, octets: &[u8]) -> Vec<u8> {
    tar_link(name, kind, b"", octets)
}

/// The same for a link, with the name of its target.
fn tar_link(name: &[u8], kind: u8, target: &[u8], octets: &[u8]) -> Vec<u8> {
    let mut header = vec![0; 512];
    header[..name.len()].copy_from_slice(name);
    header[100..107].copy_from_slice(b"0000644");
    let size = format!("{:011o}", octets.len());
    header[124..135].copy_from_slice(size.as_bytes());
    if kind == b'S' {
        // GNU tar: the length of a sparse file including its zeros.
        header[483..494].copy_from_slice(b"00000000000");
    }
    header[148..156].fill(b' ');
    header[156] = kind;
    header[157..157 + target.len()].copy_from_slice(target);
    let is_gnu = matches!(kind, b'L' | b'S');
    header[257..265].copy_from_slice(if is_gnu { b"ustar  \0" } else { b"ustar\x0000" });
    let sum: u32 = header.iter().map(|&octet| u32::from(octet)).sum();
    header[148..155].copy_from_slice(format!("{sum:06o}\0").as_bytes());
    header.extend_from_slice(octets);
    header.resize(header.len().next_multiple_of(512), 0);
    header
}

/// The members, and the two blocks of zeros that end a tar file.
fn tar(members: &[(&str, &[u8])]) -> Vec<u8> {
    let members = members
        .iter()
        .map(|(name, octets)| tar_member(name.as_bytes(), b'0', octets));
    let mut file = members.collect::<Vec<_>>().concat();
    file.resize(file.len() + 1024, 0);
    file
}

#[test]
fn a_tar_file_is_a_folder() {
    let mbox = fs::read("../corpus/archive/mboxrd.mbox").unwrap();
    let members: &[(&str, &[u8])] = &[
        ("mail/all.mbox", &mbox),
        ("mail/box/cur/1:2,S", PLAIN),
        ("mail/nested.mbox.gz", &gzip(&mbox)),
        ("mail/notes", b"no mail"),
    ];
    let file = tar(members);
    let folder = tree(&[
        ("a.tar", &file),
        ("b.tar.gz", &gzip(&file)),
        ("c.tgz", &gzip(&file)),
        // Recognized by its octets, not by its name.
        ("d.mail", &file),
    ]);
    let expected = |root: &str| {
        [
            "maildir %/box",
            "mbox %/all.mbox",
            "message %/box/cur/1:2,S",
            "mbox %/nested.mbox",
            "other %/notes",
        ]
        .map(|line| line.replace('%', &format!("{root}/mail")))
    };
    let all = ["a", "b", "c", "d.mail"].map(expected).concat();
    assert_eq!(listed(folder.path()), all);
    let (sources, errors) = found(folder.path());
    assert_eq!(errors, [""; 0]);
    for five in sources.chunks(5) {
        assert_eq!(messages(&five[1]).len(), 7);
        assert_eq!(messages(&five[2]), [PLAIN]);
        assert_eq!(messages(&five[3]), messages(&five[1]));
    }
    let shown = format!("mail/notes in {}", folder.path().join("b.tar.gz").display());
    assert_eq!(sources[9].to_string(), shown);
}

/// Long names of GNU tar and of pax (POSIX.1-2017, pax, "pax Extended Header": a record begins with
/// its own length), headers older than ustar, and concatenated archives.
#[test]
fn tar_files_written_by_other_programs_are_read() {
    let long = format!("{}/long.eml", "n".repeat(120));
    let gnu = [
        tar_member(b"././@LongLink", b'L', format!("{long}\0").as_bytes()),
        tar_member(&long.as_bytes()[..100], b'0', PLAIN),
    ];
    // "18 path=\u{E9}/pax.eml\n": 2 + 1 + 5 + 2 + 8 + 1 octets are 19.
    let pax = [
        tar_member(b"PaxHeaders/x", b'x', "19 path=\u{E9}/pax.eml\n".as_bytes()),
        tar_member(b"short", b'0', PLAIN),
    ];
    let mut old = tar_member(b"old.eml", 0, PLAIN);
    // No magic number: eight octets of 0 for "ustar", 0, "00", whose sum is 117 + 115 + 116 + 97 +
    // 114 + 48 + 48.
    old[257..265].fill(0);
    let written = u32::from_str_radix(std::str::from_utf8(&old[148..154]).unwrap(), 8).unwrap();
    old[148..154].copy_from_slice(format!("{:06o}", written - 655).as_bytes());
    let end = vec![0; 1024];
    let folder_entry = tar_member(b"folder/", b'5', b"");
    let global = tar_member(b"pax_global_header", b'g', b"16 comment=abcd\n");
    let file = [
        old,
        end.clone(),
        global,
        folder_entry,
        gnu.concat(),
        end.clone(),
        pax.concat(),
        end,
    ]
    .concat();
    let folder = tree(&[("x.tar", &file)]);
    let expected = [
        format!("message x/{long}"),
        "message x/old.eml".to_owned(),
        "message x/\u{E9}/pax.eml".to_owned(),
    ];
    assert_eq!(listed(folder.path()), expected);
    let (sources, _) = found(folder.path());
    assert!(sources.iter().all(|source| messages(source) == [PLAIN]));
}

#[test]
fn names_in_a_tar_file_stay_below_the_destination() {
    let names = [
        "../../evil.eml",
        "./a.eml",
        "/etc/evil.eml",
        "a/../../b.eml",
        "..",
    ];
    let folder = tree(&[("x.tar", &tar(&names.map(|name| (name, PLAIN))))]);
    let (sources, errors) = found(folder.path());
    assert_eq!(errors, [""; 0]);
    let places: Vec<_> = sources.iter().map(MailSource::relative).collect();
    let expected = [
        "x/_",
        "x/_/_/evil.eml",
        "x/a.eml",
        "x/etc/evil.eml",
        "x/a/_/_/b.eml",
    ]
    .map(Path::new);
    assert_eq!(places, expected);
}

/// A member that is not a file, or is truncated, is an error with its name; the members before and
/// after it are read.
#[test]
fn members_that_are_not_files_are_errors() {
    let members = [
        tar_member(b"a.eml", b'0', PLAIN),
        tar_link(b"symbolic", b'2', b"a.eml", b""),
        tar_link(b"hard.eml", b'1', b"a.eml", b""),
        tar_link(b"early", b'1', b"z.eml", b""),
        tar_member(b"device", b'3', b""),
        tar_member(b"sparse", b'S', b""),
        tar_member(b"PaxHeaders/y", b'x', b"22 GNU.sparse.major=1\n"),
        tar_member(b"sparse2", b'0', b"1\n0\n512\n"),
        tar_member(b"z.eml", b'0', PLAIN),
        vec![0; 1024],
    ];
    let folder = tree(&[("x.tar", &members.concat())]);
    let (sources, errors) = found(folder.path());
    let places: Vec<_> = sources.iter().map(MailSource::relative).collect();
    assert_eq!(
        places,
        ["x/a.eml", "x/hard.eml", "x/z.eml"].map(Path::new),
        "{errors:?}"
    );
    let at = folder.path().join("x.tar");
    let expected = [
        ("device", "it is not a file"),
        ("early", "it is a link whose target does not precede it"),
        ("sparse", "it is a sparse file, stored without its zeros"),
        ("sparse2", "it is a sparse file, stored without its zeros"),
        ("symbolic", "it is a link"),
    ];
    let expected =
        expected.map(|(name, why)| format!("cannot read {name} in {}: {why}", at.display()));
    assert_eq!(errors, expected);
    assert!(sources.iter().all(|source| messages(source) == [PLAIN]));
}

/// A tar file truncated anywhere is an error, also between two members: blocks of zeros end the whole file
/// (POSIX.1-2017, pax, "ustar Interchange Format").
#[test]
fn a_truncated_tar_file_is_an_error() {
    let long = PLAIN.repeat(40);
    let file = tar(&[("a.eml", PLAIN), ("b.eml", &long), ("c.eml", PLAIN)]);
    let ends = |length: usize| 512 + length.next_multiple_of(512);
    let first = ends(PLAIN.len());
    let second = first + ends(long.len());
    // In steps, and at each octet before and after a boundary.
    let near = |at: &usize| {
        [512, first, first + 512]
            .iter()
            .any(|end| end.abs_diff(*at) < 3)
    };
    for cut in (512..second).filter(|cut| cut % 41 == 0 || near(cut)) {
        let folder = tree(&[("x.tar", &file[..cut])]);
        let (sources, mut errors) = found(folder.path());
        for source in &sources {
            match source.messages().unwrap().next() {
                Some(Err(error)) => errors.push(error.to_string()),
                Some(Ok(stored)) => assert!(stored.octets() == PLAIN || stored.octets() == long),
                None => panic!("{cut}: {source} holds nothing"),
            }
        }
        assert!(!errors.is_empty(), "{cut}");
    }
}

/// Trailing octets that are not a tar file are an error, and names and runs of zeros are read only
/// up to 16 MiB.
#[test]
fn octets_after_the_end_of_a_tar_file_are_an_error() {
    let mut file = tar(&[("a.eml", PLAIN)]);
    file.extend_from_slice(&[b'x'; 512]);
    let mut name = tar_member(b"././@LongLink", b'L', &vec![b'n'; 17 << 20]);
    name.extend_from_slice(&tar_member(b"n", b'0', PLAIN));
    let mut zeros = tar(&[("a.eml", PLAIN)]);
    zeros.resize(zeros.len() + (17 << 20), 0);
    let folder = tree(&[("a.tar", &file), ("b.tar", &name), ("c.tar", &zeros)]);
    let (sources, errors) = found(folder.path());
    assert_eq!(sources.len(), 2);
    let [behind, long, zeros] = <[String; 3]>::try_from(errors).unwrap();
    assert!(behind.contains("a.tar: "), "{behind}");
    let expected = "more than 16777216 octets precede its next file";
    assert!(long.ends_with(&format!("b.tar: {expected}")), "{long}");
    assert!(zeros.ends_with(&format!("c.tar: {expected}")), "{zeros}");
}
