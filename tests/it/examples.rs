//! The programs of `examples/`, run like their users do.

use std::env;
use std::io::Write;
use std::process::{Command, Output, Stdio};

/// The program of an example, which cargo builds next to this test's own folder.
fn example(name: &str) -> Command {
    let test = env::current_exe().unwrap();
    let built = test.parent().unwrap().parent().unwrap();
    let file = format!("{name}{}", env::consts::EXE_SUFFIX);
    Command::new(built.join("examples").join(file))
}

fn shown(output: &Output) -> &str {
    assert!(output.status.success(), "{output:?}");
    str::from_utf8(&output.stdout).unwrap()
}

fn filter(header: &[u8]) -> String {
    let mut command = example("header_filter");
    let command = command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut process = command.spawn().unwrap();
    let mut input = process.stdin.take().unwrap();
    // It may stop reading before the end.
    let _ = input.write_all(header);
    drop(input);
    shown(&process.wait_with_output().unwrap()).to_owned()
}

/// In the Encoding Standard `ks_c_5601-1987` is a label of EUC-KR. In RFC 2045, a missing label is
/// US-ASCII (section 5.2), and a missing encoding is 7bit (section 6.1).
#[test]
fn the_filter_describes_the_body_of_a_header() {
    let header = b"content-type: text/plain;\r\n\tcharset=\"ks_c_5601-1987\"\r\n\
        Content-Transfer-Encoding: Base64\r\n\r\n";
    let expected = "label: ks_c_5601-1987\ncharset: KS_C_5601-1987\nin practice: EUC-KR\n\
        transfer encoding: base64\n";
    assert_eq!(filter(header), expected);
    let expected = "label: -\ncharset: -\nin practice: -\ntransfer encoding: 7bit\n";
    assert_eq!(filter(b"Subject: no type\n"), expected);
    assert_eq!(filter(b""), expected);
}

#[test]
fn the_filter_accepts_any_octets() {
    let hostile: Vec<u8> = (0..=255).cycle().take(1 << 20).collect();
    assert_eq!(filter(&hostile).lines().count(), 4);
    let controls = b"Content-Type: text/plain; charset=\"\x1B[31mx\"\n\n";
    assert!(!filter(controls).contains('\x1B'));
}

/// Two lines for each message: date, sender and subject; preview and attachments. The texts were
/// given to the programs named in corpus/README.md.
#[test]
fn the_list_shows_what_a_mail_client_shows() {
    let letters = [
        "javamail-encodefilename-ks-c-5601-1987",
        "hand-html-meta-only",
    ];
    let paths = letters.map(|name| format!("corpus/mail/{name}.eml"));
    let output = example("list_view").args(paths).output().unwrap();
    let lines: Vec<_> = shown(&output).lines().collect();
    assert_eq!(
        lines[0],
        "2026-11-21T12:00:00+00:00  김민지 <mary@example.org>  \
         다음 주 화요일 회의 장소가 바뀌었습니다. 꼭 확인해 주세요"
    );
    let attachments =
        "[\"회의록 초안.txt\", \"关于下周二会议时间和地点变更的通知，请各位同事注意查收.eml\"]";
    assert!(lines[1].starts_with("    안녕하세요. ") && lines[1].ends_with(attachments));
    assert_eq!(lines[3], "    Яблоки с дачи  []");
    assert_eq!(lines.len(), 4);
}
