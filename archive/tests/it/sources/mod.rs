//! Finds messages on disk.

mod compressed;

use std::fs;
use std::io::Read as _;
use std::path::Path;

use mime_charset_archive::stream;
use mime_charset_archive::{Format, Limits, MailSource, sources};
use tempfile::TempDir;

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

fn found(path: &Path) -> (Vec<MailSource>, Vec<String>) {
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
        |source: &MailSource| format!("{} {}", source.format().name(), source.relative().display());
    sources.iter().map(line).collect()
}

fn messages(source: &MailSource) -> Vec<Vec<u8>> {
    source
        .messages()
        .unwrap()
        .map(|stored| stored.unwrap().message().into_owned())
        .collect()
}

/// The error that ends reading the messages.
fn failure(source: &MailSource) -> String {
    let read = source
        .messages()
        .and_then(Iterator::collect::<Result<Vec<_>, _>>);
    read.unwrap_err().to_string()
}

/// By RFC 5322, section 2.1, a message begins with its header. Files of editors and mail stores
/// have other lines before it, and are messages too, even without an extension. Similar text is
/// not.
#[test]
fn a_message_may_begin_with_other_lines() {
    let message = "Return-Path: <mary@example.org>\nFrom: mary@example.org\nSubject: x\n\ntext\n";
    for start in [
        "",
        "\n",
        "\n\n",
        "\u{FEFF}",
        ">From mary Sat Jan  3 01:05:34 1996\n",
        "Sat Jan  3 01:05:34 1996\n",
        "Microsoft Mail Internet Headers Version 2.0\n",
        "Re\n",
    ] {
        for end in ["\n", "\r\n", "\r\r\n"] {
            let octets = format!("{start}{message}").replace('\n', end);
            let folder = tree(&[("mh/7", octets.as_bytes())]);
            assert_eq!(listed(folder.path()), ["message mh/7"], "{octets:?}");
            let (sources, _) = found(folder.path());
            assert_eq!(messages(&sources[0]), [octets.as_bytes()]);
        }
    }
    for text in [
        "Memo\nFrom: Mary\nTo: all\nDate: today\nSubject: x\n\ntext\n",
        "\nFrom: Mary\nTo: all\n\ntext\n",
        "Notes\nReferences: some\n\ntext\n",
        "Hello\n\nFrom: Mary\nReceived: x\n\ntext\n",
        "\u{FEFF}Subject: x\n\ntext\n",
        "\u{10}\u{10}\u{11}SDate: \nReceived: a\nFrom: b\nSubject: x\n\ntext\n",
    ] {
        let folder = tree(&[("mh/7", text.as_bytes())]);
        assert_eq!(listed(folder.path()), ["other mh/7"], "{text:?}");
    }
}

/// nmh, mh-sequence(5): the file with a folder's sequences. Without it, a neighbor and a field are
/// needed.
#[test]
fn an_mh_file_is_a_message_by_its_location() {
    let mbox = b"From a@example.org Sat Jan  3 01:05:34 1996\nSubject: x\n\n";
    let memo = b"Memo\nFrom: Mary\nTo: all\nDate: today\nSubject: x\n\ntext\n";
    let files: [(&str, &[u8]); 13] = [
        ("mh/.mh_sequences", b"cur: 1\n"),
        ("mh/1", b"text\n"),
        ("mh/2", mbox),
        ("mh/3", memo),
        ("mh/,4", b"text\n"),
        ("mh/notes", memo),
        ("old/7", memo),
        ("old/8", b"text\n"),
        ("old/9", mbox),
        ("old/11", memo),
        ("old/12.txt", memo),
        ("old/13", b"\0\nFrom: Mary\nSubject: x\n\n"),
        ("old/14", b""),
    ];
    let expected = [
        "other mh/,4",
        "mh mh/.mh_sequences",
        "message mh/1",
        "message mh/2",
        "message mh/3",
        "other mh/notes",
        "other old/11",
        "other old/12.txt",
        "other old/13",
        "mbox old/14",
        "message old/7",
        "other old/8",
        "mbox old/9",
    ];
    let folder = tree(&files);
    assert_eq!(listed(folder.path()), expected);
    // Each file by itself, as a piece.
    let pieces = mime_charset_archive::pieces(folder.path(), 1 << 20, Limits::new());
    let sources = pieces.flat_map(|piece| piece.unwrap().sources(Limits::new()));
    let formats: Vec<_> = sources.map(|it| it.unwrap().format().name()).collect();
    let of = |line: &&str| line.split(' ').next().unwrap().to_owned();
    assert_eq!(formats, expected.iter().map(of).collect::<Vec<_>>());
    // In a tar file.
    let mut tar = tar::Builder::new(Vec::new());
    for (name, octets) in &files[..6] {
        let mut header = tar::Header::new_gnu();
        header.set_size(octets.len() as u64);
        tar.append_data(&mut header, name, *octets).unwrap();
    }
    let folder = tree(&[("a.tar", &tar.into_inner().unwrap())]);
    let listed = listed(folder.path());
    let inside = expected[..6]
        .iter()
        .map(|line| line.replace("mh/", "a/mh/"));
    assert_eq!(listed, inside.collect::<Vec<_>>());
}

/// Windows does not allow colons in names: `InfoDelimiter` of mbsync(1), and what other programs
/// write.
#[test]
fn maildir_flags_have_several_separators() {
    let folder = tree(&[
        ("a/cur/1.x:2,S", b"text"),
        ("a/cur/2.x;2,", b"text"),
        ("a/cur/3.x!2,RS", b"text"),
        ("a/cur/4.x_2,S", b"text"),
        ("a/cur/5.x-2,S", b"text"),
        ("b/6.x;2,S", b"text"),
    ]);
    let formats: Vec<_> = listed(folder.path());
    let of = |line: &String| line.split(' ').next().unwrap().to_owned();
    assert_eq!(
        formats.iter().map(of).collect::<Vec<_>>(),
        ["message", "message", "message", "message", "other", "other"]
    );
}

#[test]
fn formats_are_detected_by_content_and_location() {
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
            "mh mh/.mh_sequences",
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
fn a_maildir_keeps_flags_and_skips_tmp() {
    let folder = tree(&[
        ("box/cur/1.a:2,FS", b"whatever was delivered is a message"),
        ("box/cur/.hidden", b"dots hide"),
        ("box/new/2.b", b""),
        ("box/tmp/3.c", PLAIN),
        ("box/dovecot-uidlist", b"3 V1 N3\n"),
        ("box/.Sent/cur/4.d:2,", PLAIN),
        ("no-cur/new/1041379200.M5P6.host", b"a unique name"),
        ("no-maildir/cur/5", b"just a folder"),
        ("no-new/cur/6.e:2,S", b"a copy without empty folders"),
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
            "other box/tmp/3.c",
            "message no-cur/new/1041379200.M5P6.host",
            "other no-maildir/cur/5",
            "message no-new/cur/6.e:2,S",
        ]
    );
    assert_eq!(listed(&folder.path().join("box")).len(), 8);
    let (sources, _) = found(folder.path());
    assert_eq!(messages(&sources[2]), [PLAIN]);
    let undelivered = |sources: &[MailSource]| -> Vec<_> {
        let sources = sources.iter().filter(|source| source.is_undelivered());
        sources
            .map(|source| source.relative().display().to_string())
            .collect()
    };
    assert_eq!(undelivered(&sources), ["box/tmp/3.c"]);
    let pieces = mime_charset_archive::pieces(folder.path(), 1 << 20, Limits::new());
    let sources = pieces.flat_map(|piece| piece.unwrap().sources(Limits::new()));
    let sources: Vec<_> = sources.map(Result::unwrap).collect();
    assert_eq!(undelivered(&sources), ["3.c"]);
    // A caller that names the folder or the file reads it.
    for named in ["box/tmp", "box/tmp/3.c"] {
        assert_eq!(listed(&folder.path().join(named)), ["message 3.c"]);
    }
}

/// A container may lack empty folders: one of `cur` and `new` makes a Maildir if it has a message with
/// a unique name. Its result has both, so that it is read as a Maildir again.
#[test]
fn a_container_may_have_a_maildir() {
    let mut tar = tar::Builder::new(Vec::new());
    for (name, octets) in [
        ("box/new/1041379200.M1P2.host", &b"text\n"[..]),
        ("box/new/.hidden", b"dots hide"),
        ("box/tmp/2", PLAIN),
        ("tmp/3", PLAIN),
    ] {
        let mut header = tar::Header::new_gnu();
        header.set_size(octets.len() as u64);
        tar.append_data(&mut header, name, octets).unwrap();
    }
    let folder = tree(&[("a.tar", &tar.into_inner().unwrap())]);
    assert_eq!(
        listed(folder.path()),
        [
            "maildir a/box",
            "other a/box/new/.hidden",
            "message a/box/new/1041379200.M1P2.host",
            "other a/box/tmp/2",
            "message a/tmp/3",
        ]
    );
    let (sources, _) = found(folder.path());
    assert!(sources[3].is_undelivered());
}

/// The files in a folder are read alike on disk and in a tar file of the folder, whatever the names of
/// folders that are no Maildir.
#[test]
fn a_container_is_read_like_its_folder() {
    let two = b"From - Sat Jan  3 01:05:34 1996\nSubject: one\n\n\
                From - Sat Jan  3 01:05:35 1996\nSubject: two\n\n";
    let folder = tree(&[
        ("mail/archive/new/1999", two),
        ("mail/archive/new/2000.mbox", two),
        ("mail/archive/new/notes.txt", b"no mail"),
        ("mail/archive/tmp/3", PLAIN),
        ("mail/box/cur/4", b"text\n"),
        ("mail/box/tmp/5", PLAIN),
        ("mail/cur/6", two),
        ("mail/cur/7:2,S", two),
        ("mail/new/1041379200.M5P6.host", two),
        ("mail/new/8", two),
    ]);
    fs::create_dir_all(folder.path().join("mail/box/new")).unwrap();
    let file = folder.path().join("mail.tar");
    let mut tar = tar::Builder::new(fs::File::create(&file).unwrap());
    tar.append_dir_all("", folder.path().join("mail")).unwrap();
    tar.finish().unwrap();
    let all = |path: &Path| {
        let (sources, errors) = found(path);
        assert_eq!(errors, [""; 0]);
        let line = |source: &MailSource| {
            let relative = source.relative();
            let below = relative.strip_prefix("mail").unwrap_or(relative);
            let (format, place) = (source.format().name(), below.display());
            (format!("{place} {format}"), messages(source))
        };
        let mut all: Vec<_> = sources.iter().map(line).collect();
        all.sort();
        all
    };
    assert_eq!(all(&file), all(&folder.path().join("mail")));
}

/// Other formats have lines like header fields: YAML 1.2.2, section 8.2.2; a response of HTTP (RFC
/// 9112, section 4) and a request of SIP (RFC 3261, section 7.1); debian-policy, section 5.3 and
/// 5.5; core metadata of Python; JAR File Specification; metadata of `MultiMarkdown`.
#[test]
fn other_files_with_fields_are_not_mail() {
    let letter = "date: 2001-01-03\nsubject: x\nto: Mary\nfrom: a@example.org\n";
    let http = "Date: Tue, 15 Nov 1994 08:12:31 GMT\nContent-Type: text/html\n\n<p>\n";
    let sip =
        "From: <sip:a@example.org>\nTo: <sip:b@example.org>\nContent-Type: application/sdp\n\n";
    let response = format!("HTTP/1.1 200 OK\r\n{http}");
    let request = format!("INVITE sip:b@example.org SIP/2.0\r\nVia: SIP/2.0/UDP a\r\n{sip}");
    let files = [
        ("letter.yaml", letter),
        ("letter.YML", letter),
        ("letter.md", letter),
        ("letter.properties", letter),
        ("saved.http", http),
        ("response", &response),
        ("request", &request),
        ("control", "Package: a\nVersion: 1\nDescription: x\n long\n"),
        (
            "a_1.changes",
            "Format: 1.8\nDate: Tue, 15 Nov 1994 08:12:31 +0000\nSource: a\n",
        ),
        (
            "METADATA",
            "Metadata-Version: 2.1\nName: a\nVersion: 1\n\ntext\n",
        ),
        (
            "MANIFEST.MF",
            "Manifest-Version: 1.0\r\nCreated-By: 1.8\r\n\r\n",
        ),
    ];
    for (name, text) in files {
        let folder = tree(&[(name, text.as_bytes())]);
        assert_eq!(listed(folder.path()), [format!("other {name}")]);
    }
    // A message is one under any name.
    for name in [
        "letter",
        "letter.txt",
        "letter.1998",
        "letter.yaml",
        "letter.md",
        "a.http",
    ] {
        let text = format!("Message-ID: <1@example.org>\n{letter}\ntext\n");
        let folder = tree(&[(name, text.as_bytes())]);
        assert_eq!(listed(folder.path()), [format!("message {name}")]);
    }
    for text in [
        "Subject: x\n\n",
        "To: Mary\n",
        "from: a\n\n",
        "Content-Type: text/html\n\n<p>",
    ] {
        let folder = tree(&[("letter", text.as_bytes())]);
        assert_eq!(listed(folder.path()), ["message letter"]);
    }
}

#[cfg(unix)]
#[test]
fn paths_that_are_not_files_are_errors() {
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
    let names: Vec<_> = sources.iter().map(MailSource::relative).collect();
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
        format!("{} is a link to a missing file", shown("d-dangling")),
        format!("expected a file, found a pipe: {}", shown("f-pipe")),
        format!("expected a file, found a socket: {}", shown("g-socket")),
    ];
    #[cfg(target_os = "linux")]
    assert_eq!(errors, expected);
    assert_eq!(errors.len(), expected.len());
}

/// A pipe named by the caller is read like a file; one in a folder is not opened.
#[cfg(unix)]
#[test]
fn a_pipe_named_by_the_caller_is_read_as_a_stream() {
    let folder = tree(&[]);
    let pipe = folder.path().join("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.unwrap().success());
    let octets = fs::read("../corpus/archive/mboxrd.mbox.gz").unwrap();
    let writer = std::thread::spawn({
        let pipe = pipe.clone();
        move || fs::write(pipe, octets).unwrap()
    });
    let (found, errors) = found(&pipe);
    writer.join().unwrap();
    assert!(errors.is_empty(), "{errors:?}");
    assert_eq!((found.len(), found[0].path()), (1, pipe.as_path()));
    assert_eq!(messages(&found[0]).len(), 7);
}

/// An Apple Mail file: the number of octets, the message, a property list.
#[test]
fn an_emlx_file_is_the_message_in_it() {
    const PROPERTIES: &[u8] = b"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<plist></plist>\n";
    let length = PLAIN.len();
    let emlx = |first: String, rest: &[u8]| [first.as_bytes(), PLAIN, rest].concat();
    let whole = emlx(format!("{length}\n"), PROPERTIES);
    let folder = tree(&[
        // Apple Mail pads the line with blanks.
        ("1.emlx", &emlx(format!("{length:<10}\n"), PROPERTIES)),
        ("2.partial.emlx", &emlx(format!("{length}\r\n"), b"")),
        (
            "3.EMLX",
            &emlx(format!("{length}\n"), &[b"\n", PROPERTIES].concat()),
        ),
        // The name is that of an Apple Mail file, but the octets are a message.
        ("5.emlx", PLAIN),
        // The number is wrong.
        ("6.emlx", &emlx(format!("{}\n", length - 2), PROPERTIES)),
        ("7.emlx", &emlx(format!("{}\n", length + 1), b"")),
        ("8.emlx", &emlx(format!("{}\n", u64::MAX), b"")),
        // Without a valid number, or under another name, the file is not mail.
        (
            "9.emlx",
            &emlx(format!("{length}{length}0000000000000000000\n"), b""),
        ),
        ("a.dat", &whole),
        // The line is longer than a padded number.
        ("b.emlx", &emlx(format!("{length:<80}\n"), PROPERTIES)),
    ]);
    let (sources, errors) = found(folder.path());
    assert!(errors.is_empty(), "{errors:?}");
    let names: Vec<_> = sources
        .iter()
        .map(|it| it.relative().to_str().unwrap())
        .collect();
    // The offset in the file, not in the part that was read.
    for source in &sources[..3] {
        let stored = source.messages().unwrap().next().unwrap().unwrap();
        let file = fs::read(source.path()).unwrap();
        let at = usize::try_from(stored.offset()).unwrap();
        assert_eq!(file[at..at + stored.octets().len()], *PLAIN);
    }
    let expected = [
        "1.eml",
        "2.partial.eml",
        "3.eml",
        "5.emlx",
        "6.eml",
        "7.eml",
        "8.eml",
        "9.emlx",
        "a.dat",
        "b.emlx",
    ];
    assert_eq!(names, expected);
    for source in &sources[..4] {
        assert_eq!(source.format(), Format::Message);
        assert_eq!(messages(source), [PLAIN]);
    }
    for (source, why) in
        sources[4..7]
            .iter()
            .zip(["other than a property list", "shorter", "shorter"])
    {
        let error = failure(source);
        assert!(error.contains(why) && error.contains(".emlx"), "{error}");
    }
    for source in &sources[7..] {
        assert_eq!(source.format(), Format::Other, "{source}");
    }
}

/// A file that begins like Rmail's is a mailbox, compressed or not, whatever its name.
#[test]
fn an_rmail_file_is_a_mailbox() {
    let options = b"BABYL OPTIONS: -*- rmail -*-\nVersion: 5\nLabels:\n\x1F";
    let section = [b"\x0C\n0,,\n*** EOOH ***\n", PLAIN, b"\x1F"].concat();
    let file = [options, &section[..], &section].concat();
    let folder = tree(&[
        ("RMAIL", &file),
        ("a.rmail", &section),
        ("b.babyl", options),
        ("c.txt", b"BABYL OPTIONS are none of these\n"),
        ("d.eml", &file),
    ]);
    let (sources, errors) = found(folder.path());
    assert!(errors.is_empty(), "{errors:?}");
    let formats: Vec<_> = sources
        .iter()
        .map(|source| (source.format(), messages(source).len()))
        .collect();
    assert_eq!(
        formats,
        [
            (Format::Mbox, 2),
            (Format::Mbox, 1),
            (Format::Mbox, 0),
            (Format::Other, 0),
            (Format::Message, 1)
        ]
    );
    assert_eq!(messages(&sources[0]), [PLAIN, PLAIN]);
}

/// Files that begin like these formats are rejected by name; a message next to them is read.
#[test]
fn unsupported_formats_are_named() {
    // [MS-PST] 2.2.2.6, [MS-CFB] 2.2, [MS-OXTNEF] 2.1.3.1. The others: file(1), and the named
    // programs.
    let octets: [(&str, &[u8], &str); 14] = [
        ("a.pst", b"!BDN\0\0\0\0", "readpst"),
        ("b.msg", b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1\0", "msgconvert"),
        ("c.dat", b"\x78\x9F\x3E\x22\0", "TNEF"),
        (
            "f.mbx",
            b"JMF9\0\0\x01\0From: a@b.c\r\n\r\n",
            "Outlook Express 4",
        ),
        ("h.dbx", b"\xCF\xAD\x12\xFE\xC5\xFD\x74\x6F", "undbx"),
        ("i.1", b"2 M1e C4bd83f2b\n\x01\x02N ", "Dovecot"),
        ("l.nsf", b"\x1A\0\0\x04\0\0\0\0", "Notes"),
        ("m.pmm", b"INBOX\0\0\0", "Pegasus"),
        ("n.json", b"{\"ygData\":{}}", "jq"),
        ("o.7z", b"7z\xBC\xAF\x27\x1C\0\x04", "7z x"),
        ("p.rar", b"Rar!\x1A\x07\x01\0", "unrar"),
        ("q.lzh", b"\x21\x5B-lh5-", "lha"),
        ("r.Z", b"\x1F\x9D\x90\0", "uncompress"),
        ("s.lz4", b"\x04\x22\x4D\x18\x64", "lz4"),
    ];
    let folder = tree(&[("f.eml", PLAIN)]);
    for (name, octets, _) in octets {
        fs::write(folder.path().join(name), octets).unwrap();
    }
    // Other documents begin like a .msg file.
    fs::write(folder.path().join("report.doc"), octets[1].1).unwrap();
    let (sources, errors) = found(folder.path());
    assert_eq!(errors.len(), octets.len(), "{errors:?}");
    for (error, (name, _, word)) in errors.iter().zip(octets) {
        assert!(error.contains(name) && error.contains(word), "{error}");
    }
    assert_eq!(sources.len(), 2);
    assert_eq!(sources[1].format(), Format::Other);
}

/// Bags: RFC 8493, section 2. `AppleDouble`: RFC 1740, appendix B.
#[test]
fn auxiliary_files_of_programs_are_not_mail() {
    let apple = b"\0\x05\x16\x07\0\x02\0\0Mac OS X";
    let page = b"<html>\nFrom: a@b.c\nSubject: x\n\n";
    let utf_16 = b"\xFF\xFEF\0r\0o\0m\0 \0";
    let folder = tree(&[
        ("._1.eml", apple),
        ("._2.mbox", apple),
        (".DS_Store", b"\0\0\0\x01Bud1"),
        ("M/cur/1:2,", PLAIN),
        ("M/cur/Thumbs.db", b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"),
        ("M/dovecot-uidlist", b""),
        ("M/maildirfolder", b""),
        ("M/new/2", PLAIN),
        ("M/subscriptions", b""),
        ("bag-info.txt", b"Date: 2022-01-01\nContact-Email: a@b.c\n"),
        ("bagit.txt", b"BagIt-Version: 0.97\n"),
        (
            "cut.mbox",
            b"the rest\0\n\nFrom - Sat Jan  3 01:05:34 1996\nSubject: x\n\n",
        ),
        ("empty.mbox", b""),
        ("manifest-sha256.txt", b"00  data/1\n"),
        ("page.mbox", page),
        ("picture.mbox", b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR"),
        ("rest.mbox", b"text of a message that was cut\n"),
        ("wide.mbox", utf_16),
    ]);
    let listed = listed(folder.path());
    let mail: Vec<_> = listed
        .iter()
        .filter(|it| !it.starts_with("other "))
        .collect();
    assert_eq!(
        mail,
        [
            "maildir M",
            "message M/cur/1:2,",
            "message M/new/2",
            "mbox cut.mbox",
            "mbox empty.mbox",
            "mbox rest.mbox",
        ]
    );
}

#[test]
fn files_that_change_while_read_are_errors() {
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
fn an_unreadable_file_is_one_error() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tree(&[("a.eml", PLAIN), ("b.eml", PLAIN)]);
    let path = folder.path().join("a.eml");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o000)).unwrap();
    if fs::read(&path).is_ok() {
        return; // Root can read any file.
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

/// An endless stream with a single message is read only up to the limit.
#[test]
fn a_stream_is_read_up_to_the_message_limit() {
    let endless = PLAIN.chain(std::io::repeat(b'x'));
    let limits = Limits::new().message(200_000);
    let mut found = stream(endless, Path::new("-"), limits).unwrap();
    let source = found.next().unwrap().unwrap();
    assert_eq!(source.size(), 200_001);
    assert_eq!(
        failure(&source),
        "cannot read -: expected messages of at most 200000 octets, found a longer one"
    );
    assert!(found.next().is_none());
}

/// A file that is not mail but read as a message must not exceed the maximum length of a message.
#[test]
fn a_file_read_as_a_message_is_limited() {
    let folder = tree(&[("note", b"0123456789a")]);
    let read = |most| {
        let limits = Limits::new().message(most);
        let source = sources(&folder.path().join("note"), limits).next().unwrap();
        source.unwrap().as_message()
    };
    assert_eq!(messages(&read(11)), [b"0123456789a"]);
    assert!(
        failure(&read(10)).ends_with("expected messages of at most 10 octets, found a longer one")
    );
}
