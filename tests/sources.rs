//! Where messages are found on disk, and how files are written: whole or not at all.

use std::fs;
use std::io::{Cursor, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use flate2::Compression;
use flate2::write::GzEncoder;
use mime_charset::archive::{Destination, Existing, Kind, Limits, Source, sources};
use tempfile::TempDir;
use zip::write::{SimpleFileOptions, ZipWriter};

const PLAIN: &[u8] = b"From: Mary <mary@example.org>\nSubject: plain\n\ntext\n";

/// A folder with these files in it.
fn tree(files: &[(&str, &[u8])]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, octets) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, octets).unwrap();
    }
    folder
}

fn found(path: &Path) -> (Vec<Source>, Vec<String>) {
    let (mut read, mut errors) = (Vec::new(), Vec::new());
    for source in sources(path, Limits::new()) {
        match source {
            Ok(source) => read.push(source),
            Err(error) => errors.push(error.to_string()),
        }
    }
    (read, errors)
}

fn listed(path: &Path) -> Vec<String> {
    let (sources, errors) = found(path);
    assert_eq!(errors, [""; 0]);
    let line =
        |source: &Source| format!("{} {}", source.kind().name(), source.relative().display());
    sources.iter().map(line).collect()
}

fn messages(source: &Source) -> Vec<Vec<u8>> {
    source
        .messages()
        .unwrap()
        .map(|stored| stored.unwrap().message().into_owned())
        .collect()
}

/// The one sentence that reading the messages ends in.
fn failure(source: &Source) -> String {
    let read = source
        .messages()
        .and_then(Iterator::collect::<Result<Vec<_>, _>>);
    read.unwrap_err().to_string()
}

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
fn kinds_are_known_by_content_and_place() {
    let mbox = b"From a@example.org Sat Jan  3 01:05:34 1996\nSubject: x\n\n";
    let folder = tree(&[
        ("a.eml", b"no header, but a name"),
        ("separator.eml", mbox),
        ("b.mbox", b"no separator, but a name"),
        ("c.txt", mbox),
        ("d", mbox),
        ("dateless", b"From a@example.org\nSubject: x\n\n"),
        ("empty", b""),
        ("empty.dat", b""),
        ("letter.txt", b"From the desk of Mary\n\nDear John,\n"),
        ("mh/1", PLAIN),
        ("mh/.mh_sequences", b"cur: 1\nunseen: 2\n"),
        ("notes.txt", b"Note: not mail\nTodo: nothing\n"),
        ("picture.png", b"\x89PNG\r\n\x1a\n\0\0\0"),
        (
            "received",
            b"Received: from a by b;\r\n\tSat, 3 Jan 1996 01:05:34 +0000\r\nX-A: b\r\n\r\n",
        ),
    ]);
    assert_eq!(
        listed(folder.path()),
        [
            "message a.eml",
            "mbox b.mbox",
            "mbox c.txt",
            "mbox d",
            "mbox dateless",
            "mbox empty",
            "other empty.dat",
            "other letter.txt",
            "other mh/.mh_sequences",
            "message mh/1",
            "other notes.txt",
            "other picture.png",
            "message received",
            "message separator.eml",
        ]
    );
    assert_eq!(listed(&folder.path().join("mh/1")), ["message 1"]);
}

#[test]
fn a_maildir_keeps_its_flags_and_leaves_out_what_was_not_delivered() {
    let folder = tree(&[
        ("box/cur/1.a:2,FS", b"whatever was delivered is a message"),
        ("box/cur/.hidden", b"dots hide"),
        ("box/new/2.b", b""),
        ("box/tmp/3.c", PLAIN),
        ("box/dovecot-uidlist", b"3 V1 N3\n"),
        ("box/.Sent/cur/4.d:2,", &gzip(PLAIN)),
        ("no-maildir/cur/5", b"just a folder"),
    ]);
    fs::create_dir_all(folder.path().join("box/.Sent/new")).unwrap();
    assert_eq!(
        listed(folder.path()),
        [
            "maildir box",
            "maildir box/.Sent",
            "message box/.Sent/cur/4.d:2,",
            "other box/cur/.hidden",
            "message box/cur/1.a:2,FS",
            "other box/dovecot-uidlist",
            "message box/new/2.b",
            "other no-maildir/cur/5",
        ]
    );
    assert_eq!(listed(&folder.path().join("box")).len(), 7);
    let (sources, _) = found(folder.path());
    assert_eq!(messages(&sources[2]), [PLAIN]);
}

#[test]
fn compressed_mail_is_the_same_mail() {
    let read = |name: &str| {
        let (sources, errors) = found(&Path::new("corpus/archive").join(name));
        assert_eq!((sources.len(), errors), (1, vec![]));
        assert_eq!(
            (sources[0].kind(), sources[0].relative()),
            (Kind::Mbox, Path::new("mboxrd.mbox"))
        );
        messages(&sources[0])
    };
    let plain = read("mboxrd.mbox");
    assert_eq!(plain.len(), 7);
    assert_eq!(read("mboxrd.mbox.gz"), plain);
    assert_eq!(read("mboxrd.mbox.zst"), plain);
    // gzip files may have several members (RFC 1952, section 2.2).
    let folder = tree(&[("two.gz", &[gzip(PLAIN), gzip(PLAIN)].concat())]);
    assert_eq!(messages(&found(folder.path()).0[0]), [PLAIN.repeat(2)]);
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

/// Cut off anywhere, a gzip file is an error; the files beside it are read.
#[test]
fn a_truncated_gzip_file_is_an_error() {
    let whole = fs::read("corpus/archive/mboxrd.mbox.gz").unwrap();
    for length in 3..whole.len() {
        let folder = tree(&[("a.mbox.gz", &whole[..length]), ("b.eml", PLAIN)]);
        let (sources, mut errors) = found(folder.path());
        errors.extend(
            sources
                .iter()
                .filter(|source| source.relative() == "a.mbox")
                .map(failure),
        );
        let path = folder.path().join("a.mbox.gz");
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
    for name in ["mboxrd.mbox.gz", "mboxrd.mbox.zst", "tree.zip"] {
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
                    messages == expected || at < 4 || name == "tree.zip",
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

/// 64 MiB of zeros in a few kilobytes or less: RFC 8878, section 3.1.1.2.2, RLE blocks.
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
        ("d.eml", PLAIN),
    ]);
    let (sources, errors) = found(folder.path());
    assert_eq!(errors.len(), 1);
    assert!(
        errors[0].contains("c.zip: it expands to 67108864 octets, more than 16777216"),
        "{errors:?}"
    );
    assert_eq!(sources.len(), 3);
    for source in &sources[..2] {
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
    assert_eq!(messages(&sources[2]), [PLAIN]);
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

#[cfg(unix)]
#[test]
fn what_is_no_file_is_one_sentence_and_the_rest_goes_on() {
    use std::os::unix::fs::symlink;
    let folder = tree(&[("0.eml", PLAIN), ("9.eml", PLAIN), ("inside/1.eml", PLAIN)]);
    let path = |name: &str| folder.path().join(name);
    symlink(path("b-loop"), path("a-loop")).unwrap();
    symlink(path("a-loop"), path("b-loop")).unwrap();
    symlink(folder.path(), path("c-above")).unwrap();
    symlink(path("nowhere"), path("d-dangling")).unwrap();
    symlink(path("9.eml"), path("e-link.eml")).unwrap();
    assert!(
        std::process::Command::new("mkfifo")
            .arg(path("f-pipe"))
            .status()
            .unwrap()
            .success()
    );
    let _socket = std::os::unix::net::UnixListener::bind(path("g-socket")).unwrap();
    let (sources, errors) = found(folder.path());
    let names: Vec<_> = sources.iter().map(Source::relative).collect();
    assert_eq!(
        names,
        ["0.eml", "9.eml", "e-link.eml", "inside/1.eml"].map(Path::new)
    );
    assert_eq!(messages(&sources[2]), [PLAIN]);
    let shown = |name: &str| path(name).display().to_string();
    let expected = [
        format!(
            "cannot open {}: Too many levels of symbolic links (os error 40)",
            shown("a-loop")
        ),
        format!(
            "cannot open {}: Too many levels of symbolic links (os error 40)",
            shown("b-loop")
        ),
        format!(
            "{} is a link to a folder, which is not followed",
            shown("c-above")
        ),
        format!(
            "cannot open {}: No such file or directory (os error 2)",
            shown("d-dangling")
        ),
        format!("expected a file, found a pipe: {}", shown("f-pipe")),
        format!("expected a file, found a socket: {}", shown("g-socket")),
    ];
    #[cfg(target_os = "linux")]
    assert_eq!(errors, expected);
    assert_eq!(errors.len(), expected.len());
}

#[test]
fn files_that_change_underneath_are_errors() {
    let folder = tree(&[
        ("a.mbox", &PLAIN.repeat(100)),
        ("b.eml", PLAIN),
        ("c.eml", PLAIN),
        ("d.eml", PLAIN),
    ]);
    let (sources, _) = found(folder.path());
    let path = |name: &str| folder.path().join(name);
    fs::OpenOptions::new()
        .write(true)
        .open(path("a.mbox"))
        .unwrap()
        .set_len(1000)
        .unwrap();
    fs::remove_file(path("b.eml")).unwrap();
    fs::write(path("c.eml"), b"").unwrap();
    let shown = |name: &str| path(name).display().to_string();
    assert_eq!(
        failure(&sources[0]),
        format!(
            "cannot read {}: it became shorter while it was read",
            shown("a.mbox")
        )
    );
    assert!(failure(&sources[1]).starts_with(&format!("cannot open {}: ", shown("b.eml"))));
    assert_eq!(
        failure(&sources[2]),
        format!(
            "cannot read {}: it became shorter while it was read",
            shown("c.eml")
        )
    );
    assert_eq!(messages(&sources[3]), [PLAIN]);
}

#[cfg(unix)]
#[test]
fn an_unreadable_file_is_one_sentence() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tree(&[("a.eml", PLAIN), ("b.eml", PLAIN)]);
    let path = folder.path().join("a.eml");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o000)).unwrap();
    if fs::read(&path).is_ok() {
        return; // Nothing is unreadable for root.
    }
    let (sources, errors) = found(folder.path());
    assert_eq!(sources.len(), 1);
    assert_eq!(
        errors,
        [format!(
            "cannot open {}: Permission denied (os error 13)",
            path.display()
        )]
    );
}

/// Every file below a folder, with its octets.
fn files(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(self::files(&path));
        } else {
            files.push((path.clone(), fs::read(path).unwrap()));
        }
    }
    files.sort();
    files
}

fn write(
    destination: &mut Destination,
    relative: &str,
    octets: &[u8],
) -> Result<(), mime_charset::Error> {
    let mut draft = destination.create(relative.as_ref())?;
    draft.write_all(octets).unwrap();
    draft.keep(destination, relative)
}

#[test]
fn files_are_there_whole_or_not_at_all() {
    let source = tree(&[("a.eml", PLAIN)]);
    let target = tempfile::tempdir().unwrap();
    let mut destination =
        Destination::new(source.path(), target.path(), Existing::Refuse, "").unwrap();
    let mut draft = destination.create("x/a.eml".as_ref()).unwrap();
    draft.write_all(&PLAIN.repeat(100_000)).unwrap();
    assert!(!target.path().join("x/a.eml").exists());
    drop(draft);
    assert_eq!(fs::read_dir(target.path().join("x")).unwrap().count(), 0);
    write(&mut destination, "b.eml", PLAIN).unwrap();
    let time = SystemTime::UNIX_EPOCH + Duration::from_secs(820_631_134);
    let draft = destination.create("c.eml".as_ref()).unwrap();
    draft
        .keep_with_time(&mut destination, "", Some(time))
        .unwrap();
    assert_eq!(
        fs::metadata(target.path().join("c.eml"))
            .unwrap()
            .modified()
            .unwrap(),
        time
    );
    destination.maildir("box".as_ref()).unwrap();
    for name in ["cur", "new", "tmp"] {
        assert!(target.path().join("box").join(name).is_dir());
    }
    destination.finish().unwrap();
    let expected = [("b.eml", PLAIN.to_vec()), ("c.eml", vec![])]
        .map(|(name, octets)| (target.path().join(name), octets));
    assert_eq!(files(target.path()), expected);
}

#[test]
fn the_source_is_no_destination() {
    let folder = tree(&[("source/a.eml", PLAIN), ("other/b.eml", PLAIN)]);
    let path = |name: &str| folder.path().join(name);
    let open = |source: &str, target: &str| {
        Destination::new(&path(source), &path(target), Existing::Replace, "")
    };
    for (source, target) in [
        ("source", "source"),
        ("source", "source/"),
        ("source", "other/../source"),
        ("source", "source/below"),
        ("source", "source/not/there/yet"),
        ("source", "."),
        ("source", "other/b.eml"),
        ("source/a.eml", "source/a.eml"),
    ] {
        let before = files(folder.path());
        assert!(open(source, target).is_err(), "{source} {target}");
        assert_eq!(files(folder.path()), before);
    }
    // The folder of the source may get files beside it, but not in its place.
    let mut destination = open("source/a.eml", "source").unwrap();
    assert!(write(&mut destination, "a.eml", b"").is_err());
    write(&mut destination, "c.eml", PLAIN).unwrap();
    assert_eq!(fs::read(path("source/a.eml")).unwrap(), PLAIN);
    destination.finish().unwrap();
    let mut destination = open("source/a.eml", "new/name.eml").unwrap();
    write(&mut destination, "a.eml", PLAIN).unwrap();
    destination.finish().unwrap();
    assert_eq!(
        files(&path("new")),
        [(
            path("new").canonicalize().unwrap().join("name.eml"),
            PLAIN.to_vec()
        )]
    );
}

#[cfg(unix)]
#[test]
fn links_do_not_lead_back_into_the_source() {
    use std::os::unix::fs::symlink;
    let folder = tree(&[("source/x/a.eml", PLAIN), ("target/b.eml", PLAIN)]);
    let path = |name: &str| folder.path().join(name);
    symlink(path("source"), path("link")).unwrap();
    assert!(Destination::new(&path("source"), &path("link"), Existing::Replace, "").is_err());
    assert!(Destination::new(&path("source"), &path("link/x"), Existing::Replace, "").is_err());
    symlink(path("source/x"), path("target/x")).unwrap();
    let mut destination =
        Destination::new(&path("source"), &path("target"), Existing::Replace, "").unwrap();
    assert!(destination.create("x/a.eml".as_ref()).is_err());
    for outside in ["../a.eml", "/a.eml", "a/../../b.eml"] {
        assert!(destination.create(outside.as_ref()).is_err(), "{outside}");
    }
    assert_eq!(fs::read(path("source/x/a.eml")).unwrap(), PLAIN);
}

#[test]
fn what_exists_stays() {
    let source = tree(&[("a.eml", PLAIN)]);
    let target = tree(&[("a.eml", b"old")]);
    let open = |existing| Destination::new(source.path(), target.path(), existing, "").unwrap();
    let mut destination = open(Existing::Refuse);
    let error = write(&mut destination, "a.eml", b"new").unwrap_err();
    assert_eq!(
        error.to_string(),
        format!(
            "{} is there already",
            target
                .path()
                .canonicalize()
                .unwrap()
                .join("a.eml")
                .display()
        )
    );
    assert_eq!(fs::read(target.path().join("a.eml")).unwrap(), b"old");
    // One that appears while it is written stays too.
    let draft = destination.create("b.eml".as_ref()).unwrap();
    fs::write(target.path().join("b.eml"), b"other").unwrap();
    assert!(draft.keep(&mut destination, "").is_err());
    assert_eq!(fs::read(target.path().join("b.eml")).unwrap(), b"other");
    destination.finish().unwrap();
    let mut destination = open(Existing::Replace);
    write(&mut destination, "a.eml", b"new").unwrap();
    assert!(write(&mut destination, "a.eml", b"twice").is_err());
    destination.finish().unwrap();
    assert_eq!(fs::read(target.path().join("a.eml")).unwrap(), b"new");
}

/// Killed anywhere, a run that is taken up again ends as if it had not been.
#[test]
fn an_interrupted_run_goes_on() {
    let source = tree(&[("a.eml", PLAIN)]);
    let names = ["a.eml", "x/b c.eml", "x/d\tä.eml", "y/e.eml"];
    let work = |destination: &mut Destination, stop: usize| {
        let mut steps = 0;
        for name in names {
            if destination
                .done(name.as_ref())
                .is_some_and(|note| note == name)
            {
                continue;
            }
            let mut draft = destination.create(name.as_ref()).unwrap();
            draft.write_all(name.as_bytes()).unwrap();
            steps += 1;
            if steps > stop {
                // As if killed: the draft stays.
                std::mem::forget(draft);
                return;
            }
            draft.keep(destination, name).unwrap();
        }
    };
    for stop in 0..=names.len() {
        let target = tempfile::tempdir().unwrap();
        let open =
            |existing, settings| Destination::new(source.path(), target.path(), existing, settings);
        let mut destination = open(Existing::Refuse, "a b").unwrap();
        work(&mut destination, stop);
        drop(destination);
        assert!(open(Existing::Refuse, "a b").is_err());
        assert!(open(Existing::Resume, "c").is_err());
        // The last line of the journal may be cut off, with the file renamed already.
        let journal = target.path().join(".mime-charset-journal");
        let text = fs::read(&journal).unwrap();
        fs::write(&journal, &text[..text.len() - 1]).unwrap();
        let mut destination = open(Existing::Resume, "a b").unwrap();
        let done = names
            .iter()
            .filter(|name| destination.done(name.as_ref()).is_some())
            .count();
        assert!(done + 1 >= stop, "{done} {stop}");
        work(&mut destination, usize::MAX);
        destination.finish().unwrap();
        let expected: Vec<_> = names
            .iter()
            .map(|name| (target.path().join(name), name.as_bytes().to_vec()))
            .collect();
        assert_eq!(files(target.path()), expected, "{stop}");
    }
}
