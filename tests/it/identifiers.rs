//! Identifiers, threads, traces and list links, by the standards' examples.

use mime_charset::{Message, header};
use proptest::prelude::*;

#[track_caller]
fn ids(body: &str) -> Vec<String> {
    let found = header::message_ids(body.as_bytes());
    let list = found.list.into_iter();
    list.map(|id| String::from_utf8(id.octets.into_owned()).unwrap())
        .collect()
}

/// RFC 5322, appendix A.2: a message and its two replies are one thread.
#[test]
fn rfc5322_a_2_replies() {
    let messages: [&[u8]; 3] = [
        b"Message-ID: <1234@local.machine.example>\n\n",
        b"Message-ID: <3456@example.net>\nIn-Reply-To: <1234@local.machine.example>\n\
          References: <1234@local.machine.example>\n\n",
        b"Message-ID: <abcd.1234@local.machine.test>\nIn-Reply-To: <3456@example.net>\n\
          References: <1234@local.machine.example> <3456@example.net>\n\n",
    ];
    let messages = messages.map(Message::parse);
    for message in &messages {
        assert_eq!(
            message.thread_key().as_deref(),
            Some("1234@local.machine.example")
        );
    }
    let [_, _, last] = &messages;
    assert_eq!(
        last.message_id().as_deref(),
        Some("abcd.1234@local.machine.test")
    );
    assert_eq!(last.in_reply_to(), ["3456@example.net"]);
    assert_eq!(
        last.references(),
        ["1234@local.machine.example", "3456@example.net"]
    );
}

/// RFC 5256, section 3: In-Reply-To is used if References has no valid identifier.
#[test]
fn rfc5256_3_the_key_of_a_thread() {
    for (header, key) in [
        (
            "References: <a@x> <b@x>\nIn-Reply-To: <c@x>\nMessage-ID: <d@x>\n",
            Some("a@x"),
        ),
        (
            "References: none\nIn-Reply-To: <c@x> <e@x>\nMessage-ID: <d@x>\n",
            Some("c@x"),
        ),
        (
            "In-Reply-To: Your letter of 3 January\nMessage-ID: <d@x>\n",
            Some("d@x"),
        ),
        ("Subject: x\n", None),
    ] {
        let source = format!("{header}\n");
        let message = Message::parse(source.as_bytes());
        assert_eq!(message.thread_key().as_deref(), key, "{header}");
    }
}

/// Octets that are not UTF-8 remain distinct, as in addresses.
#[test]
fn raw_octets_of_identifiers_differ() {
    let of = |octet: u8| {
        let source = [b"Message-ID: <a", &[octet][..], b"@x>\n\n"].concat();
        Message::parse(&source).message_id().unwrap().into_owned()
    };
    assert_eq!(of(0xE9), "a\u{FFFD}E9@x");
    assert_ne!(of(0xE9), of(0xE8));
}

/// RFC 2369, section 3, and its appendix.
#[test]
fn rfc2369_3_examples() {
    let uris = |body: &str| {
        let found = header::uris(body.as_bytes());
        assert!(found.list.is_empty() || found.report.is_empty(), "{body}");
        let list = found.list.into_iter();
        list.map(|uri| String::from_utf8(uri.octets.into_owned()).unwrap())
            .collect::<Vec<_>>()
    };
    assert_eq!(
        uris("<mailto:list@host.com?subject=help> (List Instructions)"),
        ["mailto:list@host.com?subject=help"]
    );
    assert_eq!(
        uris("<ftp://ftp.host.com/list.txt> (FTP),\r\n <mailto:list@host.com?subject=help>"),
        [
            "ftp://ftp.host.com/list.txt",
            "mailto:list@host.com?subject=help"
        ]
    );
    assert_eq!(
        uris(
            "(Use this command to get off the list)\r\n <mailto:list-manager@host.com?body=unsubscribe%20list>"
        ),
        ["mailto:list-manager@host.com?body=unsubscribe%20list"]
    );
    assert!(uris("NO (posting not allowed on this list)").is_empty());
}

/// RFC 8058, section 8: with one URI, and with two.
#[test]
fn rfc8058_8_examples() {
    let post = "List-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n";
    let one = "List-Unsubscribe: <https://example.com/unsubscribe/opaquepart>\r\n";
    let two = "List-Unsubscribe:\r\n <mailto:listrequest@example.com?subject=unsubscribe>,\r\n \
               <https://example.com/unsubscribe.html?opaque=123456789>\r\n";
    let mail = "List-Unsubscribe: <mailto:listrequest@example.com>\r\n";
    for (header, uri) in [
        (
            [one, post],
            Some("https://example.com/unsubscribe/opaquepart"),
        ),
        (
            [two, post],
            Some("https://example.com/unsubscribe.html?opaque=123456789"),
        ),
        ([two, ""], None),
        ([mail, post], None),
        (["", post], None),
    ] {
        let source = format!("{}\r\n", header.concat());
        let message = Message::parse(source.as_bytes());
        assert_eq!(message.one_click_unsubscribe().as_deref(), uri, "{source}");
    }
}

/// RFC 2919, section 3: `Field::addresses` reads the phrase and the identifier.
#[test]
fn rfc2919_3_examples() {
    for (body, name, id) in [
        (
            "List Header Mailing List <list-header.nisto.com>",
            "List Header Mailing List",
            "list-header.nisto.com",
        ),
        (
            "<commonspace-users.list-id.within.com>",
            "",
            "commonspace-users.list-id.within.com",
        ),
        (
            "\"Lena's Personal Joke List\"\r\n <lenas-jokes.da39efc25c530ad145d41b86f7420c3b.021999.localhost>",
            "Lena's Personal Joke List",
            "lenas-jokes.da39efc25c530ad145d41b86f7420c3b.021999.localhost",
        ),
    ] {
        let source = format!("List-Id: {body}\r\n\r\n");
        let message = Message::parse(source.as_bytes());
        let list = message.field("List-ID").unwrap().addresses();
        let mailbox = list.mailboxes().next().unwrap();
        assert_eq!((mailbox.name.as_str(), &*mailbox.address), (name, id));
    }
}

/// A clause, as its value and its comment.
fn clause(clause: Option<&header::Clause<'_>>) -> String {
    let text = |octets: &[u8]| String::from_utf8_lossy(octets).into_owned();
    let shown = |it: &header::Clause<'_>| format!("{}|{}", text(&it.value), text(&it.comment));
    clause.map(shown).unwrap_or_default()
}

/// RFC 5322, appendix A.4; the traces of Sendmail, Exim, qmail and Exchange.
#[test]
fn traces_of_programs() {
    for (body, clauses, date) in [
        (
            "from x.y.test\r\n by example.net\r\n via TCP\r\n with ESMTP\r\n id ABC12345\r\n \
             for <mary@example.net>;  21 Nov 1997 10:05:43 -0600",
            [
                "x.y.test|",
                "example.net|",
                "TCP|",
                "ESMTP|",
                "ABC12345|",
                "mary@example.net|",
            ],
            "21 Nov 1997 10:05:43 -0600",
        ),
        (
            "from node.example by x.y.test; 21 Nov 1997 10:01:22 -0600",
            ["node.example|", "x.y.test|", "", "", "", ""],
            "21 Nov 1997 10:01:22 -0600",
        ),
        (
            "from [192.0.2.1] (helo=[x]; y)\n by h.test with esmtp (Exim 4.9)\n\t(envelope-from <a@b>) \
             id 1A-0 for c@d; Sat, 3 Jan 1998 01:05:34 +0100 (MET; no)",
            [
                "[192.0.2.1]|(helo=[x]; y)",
                "h.test|",
                "",
                "esmtp|(Exim 4.9) (envelope-from <a@b>)",
                "1A-0|",
                "c@d|",
            ],
            "Sat, 3 Jan 1998 01:05:34 +0100 (MET; no)",
        ),
        (
            "from unknown (HELO from) (192.0.2.1) by with with SMTP; 3 Jan 1998 00:05:34 -0000",
            [
                "unknown|(HELO from) (192.0.2.1)",
                "with|",
                "",
                "SMTP|",
                "",
                "",
            ],
            "3 Jan 1998 00:05:34 -0000",
        ),
        (
            "from  (192.0.2.1) by a.test (::1) with Microsoft SMTP Server (TLS) id 15.1.2 via Frontend\r\n Transport; x",
            [
                "|(192.0.2.1)",
                "a.test|(::1)",
                "Frontend Transport|",
                "Microsoft SMTP Server|(TLS)",
                "15.1.2|",
                "",
            ],
            "x",
        ),
    ] {
        let found = header::received(body.as_bytes());
        let of = [
            &found.from,
            &found.by,
            &found.via,
            &found.with,
            &found.id,
            &found.recipient,
        ];
        assert_eq!(of.map(|it| clause(it.as_ref())), clauses, "{body}");
        assert_eq!(&body[found.date.unwrap()], date);
        assert!(found.report.is_empty(), "{}", found.report);
    }
}

/// RFC 5321, section 4.4: one semicolon precedes the date. Text between two is reported, and a
/// semicolon after the date is ignored.
#[test]
fn semicolons_of_a_trace_hide_nothing() {
    for (body, date, skipped) in [
        (
            "by b; 3 Jan 1998 00:05:34 -0000;",
            "3 Jan 1998 00:05:34 -0000",
            "",
        ),
        (
            "by b; 3 Jan 1998 00:05:34 -0000 ; ; ",
            "3 Jan 1998 00:05:34 -0000",
            "",
        ),
        ("by b id <x;y@z> for <q>; x", "x", "y@z> for <q>"),
        ("by b; c ; d; x", "x", "c ; d"),
        ("d by b; c; x", "x", "d by b; c"),
    ] {
        let found = header::received(body.as_bytes());
        assert_eq!(&body[found.date.unwrap()], date, "{body}");
        let reported: Vec<_> = found
            .report
            .iter()
            .map(|it| &body[it.offset()..it.offset() + it.length()])
            .collect();
        let expected: Vec<_> = Some(skipped)
            .filter(|it| !it.is_empty())
            .into_iter()
            .collect();
        assert_eq!(reported, expected, "{body}");
    }
}

/// An identifier as written, and its value.
fn msg_id() -> impl Strategy<Value = (String, String)> {
    let atom = "[a-zA-Z0-9!#$%&'*+/=?^_`{|}~-]{1,6}";
    let dot_atom = prop::collection::vec(atom, 1..4).prop_map(|atoms| atoms.join("."));
    let left = prop_oneof![
        dot_atom.clone().prop_map(|atom| (atom.clone(), atom)),
        // Superfluous quotes.
        dot_atom
            .clone()
            .prop_map(|atom| (format!("\"{atom}\""), atom)),
        "\"[a-z <>@,()]{0,6} \"".prop_map(|quoted| (quoted.clone(), quoted)),
    ];
    let right = prop_oneof![dot_atom, "\\[[0-9a-f:.]{1,9}\\]"];
    (left, right).prop_map(|((written, meant), right)| {
        (format!("<{written}@{right}>"), format!("{meant}@{right}"))
    })
}

proptest! {
    /// RFC 5322, section 3.6.4: identifiers round-trip in any grammatical field.
    #[test]
    fn written_identifiers_are_read(
        list in prop::collection::vec((msg_id(), "( |\t|\r\n |\\((a|<b@c>|\\\\\\))?\\)){0,3}"), 0..6),
    ) {
        let body: Vec<_> = list.iter().map(|((written, _), gap)| [written.as_str(), gap].concat()).collect();
        let body = body.concat();
        let found = header::message_ids(body.as_bytes());
        prop_assert!(found.report.is_empty(), "{body:?}: {}", found.report);
        let meant: Vec<_> = list.iter().map(|((_, meant), _)| meant.clone()).collect();
        prop_assert_eq!(ids(&body), meant);
        for (id, ((written, _), _)) in found.list.iter().zip(&list) {
            prop_assert_eq!(&body[id.offset..id.offset + id.length], written);
        }
    }
}
