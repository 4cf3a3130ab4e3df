//! 256 KiB of stack is enough for any mail: no recursion depends on the nesting of a message.

use std::env;
use std::hint::black_box;
use std::process::Command;
use std::thread;

use mime_charset::convert::{self, convert, verify};
use mime_charset::header::{self, Syntax, encode};
use mime_charset::{Charset, Label, Message, Options, charset, decode, detect};

const STACK: usize = 256 << 10;

/// Reads a message with every method.
fn read(octets: &[u8]) {
    let options = Options::new();
    let message = Message::parse(octets);
    for entity in message.entities() {
        drop((entity.section(), entity.mime_header().report()));
        for field in entity.fields() {
            drop(field.text());
        }
    }
    for part in message.parts() {
        drop((part.text(), part.filename_with(&options)));
    }
    let options = convert::Conversion::new();
    let converted = convert(octets, &options);
    verify(octets, converted.as_bytes(), &converted.changes, &options).unwrap();
}

/// Reads a field body with every method.
fn read_field(body: &[u8]) {
    let options = Options::new();
    for syntax in [
        Syntax::Unstructured,
        Syntax::Addresses,
        Syntax::Phrases,
        Syntax::Parameters,
        Syntax::Opaque,
    ] {
        drop(decode::field(body, syntax, &options));
    }
    drop((decode::addresses(body), header::content_type(body)));
    let text = String::from_utf8_lossy(body);
    drop((
        encode::unstructured(&text, 9),
        encode::phrase(&text, 6),
        encode::comment(&text, 6),
    ));
    drop(charset::resolve(&Label::new(body)).detail());
    let _ = detect::detect(body);
    for charset in Charset::all() {
        drop(charset.decode(body.get(..4096).unwrap_or(body)));
    }
}

fn on_a_small_stack(task: impl FnOnce() + Send + 'static) {
    let thread = thread::Builder::new().stack_size(STACK).spawn(task);
    thread.unwrap().join().unwrap();
}

#[test]
fn the_deepest_messages_need_little_stack() {
    let multipart = |i| {
        format!(
            "Content-Type: multipart/mixed; boundary=b{i}\nSubject: =?latin1?Q?=E9?=\n\n--b{i}\n"
        )
    };
    let forwarded = "Content-Type: message/rfc822\nSubject: =?latin1?Q?=E9?=\n\n";
    let quoted = "Content-Type: message/global\n\
                  Content-Transfer-Encoding: quoted-printable\n\
                  Subject: =?latin1?Q?=3DE9?=\n\n";
    let alternating = |i| multipart(i) + forwarded;
    let shapes = [
        (0..1000).map(multipart).collect::<String>(),
        multipart(0).repeat(1000),
        forwarded.repeat(1000),
        quoted.repeat(1000),
        (0..500).map(alternating).collect(),
    ];
    on_a_small_stack(move || shapes.iter().for_each(|shape| read(shape.as_bytes())));
}

#[test]
fn the_deepest_fields_need_little_stack() {
    let shapes = [
        "(",
        "(\\(",
        "((a)",
        "\"(",
        "<",
        "<a:",
        "g:",
        "[",
        "=?",
        "=?a?b?",
        "(=?utf-8?q?a?= ",
        "\u{1B}$B",
        "~{",
        "+",
    ];
    let deep = |shape: &str| shape.repeat((64 << 10) / shape.len());
    on_a_small_stack(move || {
        for shape in shapes {
            read_field(deep(shape).as_bytes());
            for name in ["Subject", "From", "Content-Type", "Content-Disposition"] {
                read(format!("{name}: {}\n\ntext\n", deep(shape)).as_bytes());
            }
        }
    });
}

/// Test threads obey `RUST_MIN_STACK`, which the gate sets for all tests. Run again with `TAKES`
/// set, this test takes a mebibyte, which fits only the larger stack.
#[test]
fn the_stack_of_tests_can_be_made_small() {
    const TAKES: &str = "MIME_CHARSET_TEST_TAKES_STACK";
    if env::var_os(TAKES).is_some() {
        take_a_mebibyte_of_stack();
        return;
    }
    let run = |stack: &str| {
        let mut command = Command::new(env::current_exe().unwrap());
        command.args(["--exact", "stack::the_stack_of_tests_can_be_made_small"]);
        command.args(["--test-threads", "2"]);
        command.env("RUST_MIN_STACK", stack).env(TAKES, "");
        command.output().unwrap()
    };
    let large = run("4194304");
    assert!(large.status.success());
    assert!(String::from_utf8_lossy(&large.stdout).contains("1 passed"));
    let small = run(&STACK.to_string());
    assert!(!small.status.success());
    assert!(String::from_utf8_lossy(&small.stderr).contains("overflowed its stack"));
}

#[inline(never)]
#[expect(clippy::large_stack_arrays, reason = "that is the point")]
fn take_a_mebibyte_of_stack() {
    let large = [1_u8; 1 << 20];
    assert_eq!(black_box(&large)[black_box(1000)], 1);
}
