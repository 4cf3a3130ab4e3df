//! Selected messages, octet for octet, and the attachments of messages.

use std::fs;
use std::process::{Command, Output};

use mime_charset_archive::{Limits, mbox};
use serde_json::Value;
use tempfile::TempDir;

fn run(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mime-charset"));
    command.args(arguments).output().unwrap()
}

#[track_caller]
fn run_to(status: i32, arguments: &[&str]) -> (String, String) {
    let output = run(arguments);
    let text = |octets| String::from_utf8(octets).unwrap();
    let (out, said) = (text(output.stdout), text(output.stderr));
    assert_eq!(output.status.code(), Some(status), "{out}{said}");
    (out, said)
}

struct Archive(TempDir);

impl Archive {
    /// A compressed mailbox with a quoted line, a zip file, and a message without a final line
    /// ending.
    fn new() -> Self {
        let archive = Archive(tempfile::tempdir().unwrap());
        fs::create_dir(archive.at("old")).unwrap();
        let separator = "From a@example.org Sat Jan  3 01:05:34 1996\n";
        let mailbox = format!(
            "{separator}Subject: one\n\none\n\n{separator}Subject: two\n\n>From me\n\n\
             {separator}Subject: three\n\nthree\n\n"
        );
        let file = fs::File::create(archive.at("old/a.mbox.gz")).unwrap();
        let mut gzip = flate2::write::GzEncoder::new(file, flate2::Compression::fast());
        std::io::Write::write_all(&mut gzip, mailbox.as_bytes()).unwrap();
        gzip.finish().unwrap();
        let mut zip = zip::ZipWriter::new(fs::File::create(archive.at("old/b.zip")).unwrap());
        for name in ["1.eml", "x in y/2.eml"] {
            zip.start_file(name, zip::write::SimpleFileOptions::default())
                .unwrap();
            std::io::Write::write_all(&mut zip, format!("Subject: {name}\r\n\r\n").as_bytes())
                .unwrap();
        }
        zip.finish().unwrap();
        fs::write(archive.at("old/c.eml"), "Subject: c\n\nFrom c").unwrap();
        archive
    }

    fn at(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().to_owned()
    }

    /// Every message of the archive.
    fn messages(&self) -> Vec<Vec<u8>> {
        let sources = mime_charset_archive::sources(self.at("old").as_ref(), Limits::new());
        let messages = sources.flat_map(|source| source.unwrap().messages().unwrap());
        messages
            .map(|stored| stored.unwrap().message().into_owned())
            .collect()
    }

    /// Converts the archive, with a report of this name.
    fn report(&self, name: &str) -> String {
        let (old, new, report) = (self.at("old"), self.at("new"), self.at(name));
        run_to(0, &["convert", "--quiet", "--report", &report, &old, &new]);
        report
    }

    fn exported(&self, folder: &str) -> Vec<Vec<u8>> {
        let files = mime_charset_archive::files(self.at(folder).as_ref()).into_iter();
        files.map(|file| fs::read(file.unwrap()).unwrap()).collect()
    }
}

/// Lists may be lines of a report or of `inspect --json`.
#[test]
fn chosen_messages_are_exported_octet_for_octet() {
    let archive = Archive::new();
    let report = archive.report("r.jsonl.gz");
    let expected = archive.messages();
    assert_eq!(expected.len(), 6);
    run_to(0, &["export", &report, "--eml", &archive.at("all")]);
    assert_eq!(archive.exported("all"), expected);

    let (lines, _) = run_to(0, &["inspect", "--json", &archive.at("old")]);
    let lines: Vec<_> = lines.lines().collect();
    for chosen in [&[1][..], &[0, 2], &[4, 1], &[5, 3, 0]] {
        let list: Vec<_> = chosen.iter().map(|index| lines[*index]).collect();
        fs::write(archive.at("list"), list.join("\n")).unwrap();
        let folder = format!("some{}", chosen.len() + chosen[0] * 10);
        run_to(
            0,
            &["export", &archive.at("list"), "--eml", &archive.at(&folder)],
        );
        let chosen: Vec<_> = chosen
            .iter()
            .map(|index| expected[*index].clone())
            .collect();
        assert_eq!(archive.exported(&folder), chosen);
        // In a mailbox each message needs a final line ending.
        let mailbox = archive.at("some.mbox");
        run_to(
            0,
            &["export", "--force", &archive.at("list"), "--mbox", &mailbox],
        );
        let found = mbox::read(fs::File::open(&mailbox).unwrap());
        let found: Vec<_> = found
            .map(|stored| stored.unwrap().message().into_owned())
            .collect();
        let with_end = |mut octets: Vec<u8>| {
            if !octets.ends_with(b"\n") {
                octets.push(b'\n');
            }
            octets
        };
        assert_eq!(found, chosen.into_iter().map(with_end).collect::<Vec<_>>());
    }
    let said = run_to(
        2,
        &[
            "export",
            &archive.at("list"),
            "--mbox",
            &archive.at("some.mbox"),
        ],
    )
    .1;
    assert!(
        said.contains("some.mbox already exists; --force replaces it"),
        "{said}"
    );
}

/// As in docs/archives.md: quoting the lines of a written file again gives the octets of the report, unless
/// the message also has unquoted lines; then the file has them as stored.
#[cfg(unix)]
#[test]
fn the_checksum_of_an_exported_message_follows_from_the_report() {
    let archive = Archive::new();
    let separator = "From a@example.org Sat Jan  3 01:05:34 1996\n";
    let quoted = "Subject: one\n\n>From me\n>>From you\n";
    let mixed = "Subject: two\n\nFrom here on\n>From me\n";
    let mailbox = format!("{separator}{quoted}\n{separator}{mixed}\n");
    fs::write(archive.at("old/d.mbox"), &mailbox).unwrap();
    let report = fs::read_to_string(archive.report("r.jsonl")).unwrap();
    let of_mailbox = |line: &&str| line.contains("d.mbox\"");
    let lines: Vec<_> = report.lines().filter(of_mailbox).collect();
    let list = archive.at("list");
    fs::write(&list, lines.join("\n")).unwrap();
    run_to(0, &["export", &list, "--eml", &archive.at("d")]);
    let unquoted = "Subject: one\n\nFrom me\n>From you\n";
    let exported = archive.exported("d");
    assert_eq!(exported, [unquoted.as_bytes(), mixed.as_bytes()]);
    for (line, file, program) in [
        (
            lines[0],
            "d/000001.eml",
            "sed 's/^>*From />&/' \"$0\" | sha256sum",
        ),
        (lines[1], "d/000002.eml", "sha256sum <\"$0\""),
    ] {
        let mut shell = Command::new("sh");
        let output = shell.args(["-c", program, &archive.at(file)]).output();
        let sum = String::from_utf8(output.unwrap().stdout).unwrap();
        let line: Value = serde_json::from_str(line).unwrap();
        let recorded = line["source"]["sha256"].as_str().unwrap();
        assert_eq!(sum.split(' ').next(), Some(recorded), "{file}");
    }
    // Read as mboxrd, the exported mailbox has the same messages.
    run_to(0, &["export", &list, "--mbox", &archive.at("d.mbox")]);
    let found = mbox::read(fs::File::open(archive.at("d.mbox")).unwrap());
    let found: Vec<_> = found
        .map(|stored| stored.unwrap().message().into_owned())
        .collect();
    assert_eq!(found, exported);
}

/// Messages that are missing, or differ from the report, are errors. The others are written.
#[test]
fn messages_that_cannot_be_exported_are_reported() {
    let archive = Archive::new();
    let report = archive.report("r.jsonl");
    fs::write(archive.at("old/c.eml"), "Subject: c\n\nFrom d").unwrap();
    let said = run_to(2, &["export", &report, "--eml", &archive.at("all")]).1;
    let expected = format!(
        "message 0 of {} differs from the list",
        archive.at("old/c.eml")
    );
    assert_eq!(said, format!("mime-charset: {expected}\n"));
    assert_eq!(archive.exported("all").len(), 5);

    let list = archive.at("list");
    let mailbox = archive.at("old/a.mbox.gz");
    fs::write(&list, format!("{{\"path\":\"{mailbox}\",\"index\":7}}\n")).unwrap();
    let said = run_to(2, &["export", &list, "--eml", &archive.at("none")]).1;
    assert!(
        said.contains(&format!("{mailbox} has no message 7")),
        "{said}"
    );
    for (line, why) in [
        ("{}", "line 1: expected a path and an index"),
        ("a.eml", "line 1: expected value"),
        (
            "{\"path\":\"a\",\"index\":0,\"path_octets\":\"xy\"}",
            "line 1: expected a path",
        ),
    ] {
        fs::write(&list, line).unwrap();
        let said = run_to(2, &["export", &list, "--eml", &archive.at("none")]).1;
        assert!(said.contains(why), "{said}");
    }
}

/// `export` too recognizes messages by their location: an empty MH file, and one that begins like a
/// mailbox. Each has the number of its line, and its octets.
#[test]
fn messages_of_mh_and_of_a_maildir_are_exported() {
    let archive = Archive::new();
    let files = [
        ("mh/1", "Subject: one\n\n"),
        ("mh/2", ""),
        (
            "mh/3",
            "From a@example.org Sat Jan  3 01:05:34 1996\nSubject: three\n\n",
        ),
        (
            "mail/cur/1:2,S",
            "From b@example.org Sat Jan  3 01:05:34 1996\nSubject: four\n\n",
        ),
    ];
    for folder in ["mh", "mail/cur", "mail/new"] {
        fs::create_dir_all(archive.at("old").as_str().to_owned() + "/" + folder).unwrap();
    }
    fs::write(archive.at("old/mh/.mh_sequences"), "").unwrap();
    for (name, octets) in files {
        fs::write(archive.at(&format!("old/{name}")), octets).unwrap();
    }
    let report = archive.report("r.jsonl");
    let list = |names: &[&str]| {
        let lines = fs::read_to_string(&report).unwrap();
        let of = |name: &&str| {
            let path = format!("\"path\":\"{}\"", archive.at(&format!("old/{name}")));
            lines
                .lines()
                .find(|line| line.contains(&path))
                .unwrap()
                .to_owned()
        };
        names.iter().map(of).collect::<Vec<_>>().join("\n")
    };
    let names = files.map(|(name, _)| name);
    fs::write(archive.at("list"), list(&names)).unwrap();
    run_to(
        0,
        &["export", &archive.at("list"), "--eml", &archive.at("all")],
    );
    let octets = files.map(|(_, octets)| octets.as_bytes().to_vec());
    assert_eq!(archive.exported("all"), octets);

    // A missing message does not change the numbers of the others.
    fs::remove_file(archive.at("old/mh/2")).unwrap();
    let said = run_to(
        2,
        &["export", &archive.at("list"), "--eml", &archive.at("some")],
    )
    .1;
    assert!(said.contains(" has no message 0"), "{said}");
    let found = mime_charset_archive::files(archive.at("some").as_ref()).into_iter();
    let found: Vec<_> = found
        .map(|file| file.unwrap().file_name().unwrap().to_owned())
        .collect();
    assert_eq!(found, ["000001.eml", "000003.eml", "000004.eml"]);
}

/// Errors in members that were not selected do not fail an export.
#[test]
fn other_members_may_be_unreadable() {
    let archive = Archive::new();
    let mut tar = tar::Builder::new(fs::File::create(archive.at("old/d.tar")).unwrap());
    let mut header = tar::Header::new_gnu();
    header.set_entry_type(tar::EntryType::Symlink);
    header.set_size(0);
    tar.append_link(&mut header, "a.eml", "b.eml").unwrap();
    let octets = b"Subject: b\n\n";
    header = tar::Header::new_gnu();
    header.set_size(octets.len() as u64);
    tar.append_data(&mut header, "b.eml", &octets[..]).unwrap();
    tar.finish().unwrap();
    let container = archive.at("old/d.tar");
    let line = |member: &str| {
        format!(
            "{{\"path\":\"{member} in {container}\",\"container\":\"{container}\",\"index\":0}}\n"
        )
    };
    let list = archive.at("list");
    fs::write(&list, line("b.eml")).unwrap();
    let said = run_to(0, &["export", &list, "--eml", &archive.at("b")]).1;
    assert_eq!(
        (said.as_str(), archive.exported("b")),
        ("", vec![octets.to_vec()])
    );
    fs::write(&list, line("a.eml") + &line("b.eml")).unwrap();
    let said = run_to(2, &["export", &list, "--eml", &archive.at("both")]).1;
    assert!(
        said.contains("a.eml in") && said.contains("it is a link"),
        "{said}"
    );
    assert_eq!(archive.exported("both"), [octets.to_vec()]);
}

/// As in docs/archives.md: messages that Thunderbird (X-Mozilla-Status, 0008) or a Maildir (T)
/// marks as deleted.
#[test]
fn deleted_messages_are_left_out_before_a_conversion() {
    let archive = Archive::new();
    let separator = "From - Sat Jan  3 01:05:34 1996\n";
    let kept = format!("{separator}X-Mozilla-Status: 0001\n\nkept\n\n");
    let deleted = format!("{separator}X-Mozilla-Status: 0009\n\ndeleted\n\n");
    let mailbox = archive.at("old.mbox");
    fs::write(&mailbox, format!("{kept}{deleted}{kept}")).unwrap();
    let (lines, _) = run_to(0, &["inspect", "--json", "--skip-deleted", &mailbox]);
    let list = archive.at("list");
    fs::write(&list, lines).unwrap();
    let target = archive.at("kept.mbox");
    run_to(0, &["export", &list, "--mbox", &target]);
    assert_eq!(fs::read_to_string(target).unwrap(), format!("{kept}{kept}"));

    for folder in ["mail/cur", "mail/new", "mail/tmp"] {
        fs::create_dir_all(archive.at(folder)).unwrap();
    }
    for name in ["1:2,S", "2:2,ST", "3:2,T", "4:2,STa"] {
        fs::write(archive.at(&format!("mail/cur/{name}")), "Subject: one\n\n").unwrap();
    }
    let (old, new) = (archive.at("mail"), archive.at("new"));
    let (_, said) = run_to(0, &["convert", "--exclude", "*:2,*T*", &old, &new]);
    assert!(
        said.contains("0 of 1 message in 1 file") && said.contains("\n3 files or"),
        "{said}"
    );
    run_to(0, &["verify", "--exclude", "*:2,*T*", &old, &new]);
}

/// Each exported message is one message of the mailbox: a separator that is recognized only in its own
/// mailbox, without a date or with CR as line end, is replaced. A mailbox cannot keep lines that end
/// in CR.
#[test]
fn an_exported_mailbox_has_every_message() {
    let archive = Archive::new();
    let dated = "From a@example.org Sat Jan  3 01:05:34 1996\n";
    let placeholder = "From MAILER-DAEMON Thu Jan  1 00:00:00 1970\n";
    let cr = |text: &str| text.replace('\n', "\r");
    let with_lf = cr(&format!("{dated}Subject: three\n\n")) + "a\nb\r\r";
    let undated = "From bob smith\nSubject: four\n\nfour\n\n";
    let unwritten = cr(&format!("{dated}Subject: five\n\n>From me\n"));
    for (name, octets) in [
        ("1.mbox", format!("{dated}Subject: one\n\n>From me\n\n")),
        ("2.mbox", with_lf),
        ("3.mbox", undated.repeat(2)),
        ("4.mbox", unwritten.repeat(2)),
    ] {
        fs::write(archive.at(name), octets).unwrap();
    }
    let names = ["1.mbox", "2.mbox", "3.mbox", "4.mbox"].map(|name| archive.at(name));
    let mut arguments = vec!["inspect", "--json"];
    arguments.extend(names.iter().map(String::as_str));
    let list = archive.at("list");
    fs::write(&list, run_to(0, &arguments).0).unwrap();
    let target = archive.at("new.mbox");
    let (_, said) = run_to(2, &["export", &list, "--mbox", &target]);
    let refused = |index: u64| {
        let (four, why) = (&names[3], "has lines that end in CR");
        format!(
            "mime-charset: message {index} of {four} {why}, which a mailbox cannot keep; use --eml\n"
        )
    };
    assert_eq!(said, refused(0) + &refused(1));
    let four = "Subject: four\n\nfour\n\n";
    assert_eq!(
        fs::read_to_string(&target).unwrap(),
        format!(
            "{dated}Subject: one\n\n>From me\n\n{placeholder}Subject: three\r\ra\nb\r\n\n\
             {placeholder}{four}{placeholder}{four}"
        )
    );
    assert_eq!(mbox::read(fs::File::open(target).unwrap()).count(), 4);
    run_to(0, &["export", &list, "--eml", &archive.at("new")]);
    let five = cr("Subject: five\n\nFrom me\n");
    assert_eq!(
        archive.exported("new")[4..],
        [five.as_bytes(), five.as_bytes()]
    );
}

/// A tar file may have members whose names are displayed alike, or several members of one name. Each line
/// of a list gives one message or an error.
#[test]
fn each_line_of_a_list_is_exported() {
    let archive = Archive::new();
    let container = archive.at("d.tar");
    let mut tar = tar::Builder::new(fs::File::create(&container).unwrap());
    let octets = |at: u8| format!("Subject: {at}\n\n").into_bytes();
    let names = [&b"\xE8.eml"[..], b"\xE9.eml", b"same.eml", b"same.eml"];
    for (at, name) in (1..).zip(names) {
        let mut header = tar::Header::new_gnu();
        header.as_mut_bytes()[..name.len()].copy_from_slice(name);
        header.set_mode(0o644);
        header.set_size(octets(at).len() as u64);
        header.set_cksum();
        tar.append(&header, &octets(at)[..]).unwrap();
    }
    tar.finish().unwrap();
    let list = archive.at("list");
    let (inspected, _) = run_to(0, &["inspect", "--json", &container]);
    // Members are sorted by displayed name.
    let lines: Vec<_> = inspected.lines().collect();
    fs::write(&list, [lines[3], lines[2], lines[3]].join("\n")).unwrap();
    run_to(0, &["export", &list, "--eml", &archive.at("alike")]);
    assert_eq!(archive.exported("alike"), [octets(2), octets(1), octets(2)]);
    // Without a checksum nothing tells members of one name apart.
    fs::write(&list, &inspected).unwrap();
    let (_, said) = run_to(2, &["export", &list, "--eml", &archive.at("inspected")]);
    let sentence = format!(
        "mime-charset: message 0 of same.eml in {container} is ambiguous, since several members have this name; use a \
         line of a report, which has a checksum\n"
    );
    assert_eq!(said, sentence.repeat(2));
    assert_eq!(archive.exported("inspected"), [octets(1), octets(2)]);
    let with_sum = |line: &str, at: u8| {
        let file = archive.at("one");
        fs::write(&file, octets(at)).unwrap();
        let sum = Command::new("sha256sum").arg(&file).output().unwrap();
        let sum = String::from_utf8(sum.stdout).unwrap();
        let mut line: Value = serde_json::from_str(line).unwrap();
        line["sha256"] = sum.split(' ').next().unwrap().into();
        line.to_string()
    };
    fs::write(
        &list,
        [with_sum(lines[0], 4), with_sum(lines[1], 3)].join("\n"),
    )
    .unwrap();
    run_to(0, &["export", &list, "--eml", &archive.at("same")]);
    assert_eq!(archive.exported("same"), [octets(4), octets(3)]);
}

/// A list made with a named format refers to the same messages when read in that format.
#[test]
fn export_reads_in_the_format_of_the_list() {
    let archive = Archive::new();
    let piece = "of a text\n\nFrom - Sat Jan  3 01:05:34 1996\nSubject: two\n\ntwo\n\n";
    fs::write(archive.at("xab"), piece).unwrap();
    let (lines, _) = run_to(
        0,
        &["inspect", "--json", "--as", "mbox", &archive.at("xab")],
    );
    let list = archive.at("list");
    fs::write(&list, lines.lines().nth(1).unwrap()).unwrap();
    let folder = archive.at("new");
    run_to(0, &["export", "--as", "mbox", &list, "--eml", &folder]);
    assert_eq!(archive.exported("new"), [b"Subject: two\n\ntwo\n".to_vec()]);
}

/// Attachments have the SHA-256 of their octets: FIPS 180-2, appendix B.1, the example "abc".
#[test]
fn attachments_have_their_checksum() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.eml");
    let mail = "Content-Type: multipart/mixed; boundary=m\n\n--m\n\ntext\n--m\n\
                Content-Type: application/octet-stream; name=abc.bin\n\
                Content-Disposition: attachment; filename*=utf-8''%E2%82%AC.bin\n\
                Content-Transfer-Encoding: base64\n\nYWJj\n--m--\n";
    fs::write(&path, mail).unwrap();
    let (line, _) = run_to(
        0,
        &["inspect", "--json", "--attachments", path.to_str().unwrap()],
    );
    let message: Value = serde_json::from_str(&line).unwrap();
    let expected = serde_json::json!([{
        "part": "2",
        "filename": "€.bin",
        "media_type": "application/octet-stream",
        "octets": 3,
        "sha256": "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    }]);
    assert_eq!(message["attachments"], expected);
    let (line, _) = run_to(0, &["inspect", "--json", path.to_str().unwrap()]);
    assert!(!line.contains("\"attachments\""));
}

/// A list may contain the files that it would replace, even under another path.
#[test]
fn sources_are_never_replaced() {
    let archive = Archive::new();
    let source = archive.at("old/c.eml");
    fs::rename(&source, archive.at("old/000001.eml")).unwrap();
    let source = archive.at("old/000001.eml");
    let octets = fs::read(&source).unwrap();
    let list = archive.at("list");
    let other = archive.at("old/../old/000001.eml");
    for name in [&source, &other] {
        let (lines, _) = run_to(0, &["inspect", "--json", name]);
        fs::write(&list, lines).unwrap();
        for target in [
            ["--mbox", &source],
            ["--mbox", &other],
            ["--eml", &archive.at("old")],
        ] {
            let (_, said) = run_to(2, &["export", &list, target[0], target[1], "--force"]);
            assert!(said.contains("contains messages of the list"), "{said}");
            assert_eq!(fs::read(&source).unwrap(), octets);
        }
    }
    run_to(0, &["export", &list, "--eml", &archive.at("new")]);
    assert_eq!(archive.exported("new"), [octets]);
}
