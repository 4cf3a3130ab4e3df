//! Shapes of hostile mail, in any size.

/// One shape.
pub(crate) struct Shape {
    pub(crate) name: &'static str,
    pub(crate) place: Place,
    /// Makes about the given number of octets.
    pub(crate) make: fn(usize) -> Vec<u8>,
}

/// The kind of input of a shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// The body of a header field: any field, since the attacker chooses its name.
    Field,
    /// A message, or a mailbox.
    Message,
    /// Octets in the charset of this label.
    Octets(&'static str),
    /// A label.
    Label,
    /// An HTML page.
    Page,
}

/// Reference for other mail: 1 MiB of these.
pub(crate) const PLAIN: [Shape; 4] = [
    message("plain text in ASCII", |n| {
        let header = "From: Kim <kim@example.org>\nTo: Lee <lee@example.org>\nSubject: Hello\n\n";
        filled(
            header,
            "The quick brown fox jumps over the lazy dog, and so on.\n",
            "",
            n,
        )
    }),
    message("plain text in UTF-8", |n| {
        let header = "Subject: =?utf-8?B?7ZWc6rWt7Ja0?=\n\
                      Content-Type: text/plain; charset=utf-8\n\
                      Content-Transfer-Encoding: 8bit\n\n";
        filled(
            header,
            "동해 물과 백두산이 마르고 닳도록, 하느님이 보우하사 우리나라 만세.\n",
            "",
            n,
        )
    }),
    message("plain text in ISO-2022-JP", |n| {
        let header = "Content-Type: text/plain; charset=iso-2022-jp\n\n";
        filled(header, "\x1B$B$3$s$K$A$O!\"@$3&!#\x1B(B Hello.\n", "", n)
    }),
    message("plain text in quoted-printable", |n| {
        let header = "Content-Type: text/plain; charset=iso-8859-1\n\
                      Content-Transfer-Encoding: quoted-printable\n\n";
        filled(
            header,
            "Le c=E9l=E8bre gar=E7on fran=E7ais d=E9j=E0 vu =E0 No=EBl.\n",
            "",
            n,
        )
    }),
];

/// All shapes.
pub(crate) const SHAPES: &[Shape] = &[
    // Comments, quotes, groups and angle brackets (RFC 5322, section 3.2.2 and 3.4).
    field("comments nested, unclosed", |n| repeated("(", n)),
    field("comments nested, closed", |n| {
        let half = n / 2;
        ["(".repeat(half), ")".repeat(half)].concat().into_bytes()
    }),
    field("comments closed too often", |n| repeated(")", n)),
    field("comments, many", |n| repeated("(a) ", n)),
    field("date with comments nested", |n| {
        let half = repeated("(", n / 2 - 30);
        let closed = repeated(")", n / 2 - 30);
        [
            b"Thu, 4 ",
            half.as_slice(),
            closed.as_slice(),
            b" Mar 1999 10:00 +0100",
        ]
        .concat()
    }),
    field("date with comments unclosed", |n| {
        filled("; Thu, 4 Mar 1999 10:00 ", "( ", "", n)
    }),
    field("dates, many", |n| repeated("4 Mar 1999 10:00; ", n)),
    field("date of many digits", |n| {
        filled("; 4 Mar 1999 10:00:00.", "0", "", n)
    }),
    field("date of a long word", |n| filled("; 4 ", "\u{e4}", "", n)),
    field("comments between all atoms", |n| {
        repeated("a (b) . (c) ", n)
    }),
    field("comments that end in a backslash", |n| repeated("(\\", n)),
    field("quote unclosed", |n| filled("\"", "a b ", "", n)),
    field("quotes, empty", |n| repeated("\"\"", n)),
    field("quotes, many", |n| repeated("\"a\" ", n)),
    field("quote of backslashes", |n| filled("\"", "\\", "", n)),
    field("quotes and parentheses that open each other", |n| {
        repeated("(\"", n)
    }),
    field("groups unclosed", |n| repeated("g: ", n)),
    field("groups, empty", |n| repeated("g:;", n)),
    field("group of many", |n| filled("g: ", "a@b, ", ";", n)),
    field("angle brackets unclosed", |n| repeated("<", n)),
    field("angle brackets, empty", |n| repeated("<>", n)),
    field("angle brackets without commas", |n| repeated("a <b@c> ", n)),
    field("angle bracket open over commas", |n| {
        filled("<", "a@b,", "", n)
    }),
    field("route without end", |n| filled("<", "@a,", "", n)),
    field("addresses", |n| repeated("a@b,", n)),
    field("at signs", |n| repeated("a@", n)),
    field("commas", |n| repeated(",", n)),
    field("full stops", |n| repeated("a.", n)),
    field("domain literals unclosed", |n| repeated("[", n)),
    field("name without an address", |n| repeated("a ", n)),
    field("names in encoded words", |n| {
        repeated("=?utf-8?Q?a=2C?= <b@c>, ", n)
    }),
    // Encoded words (RFC 2047).
    field("words adjacent", |n| repeated("=?utf-8?Q?a?= ", n)),
    field("words that touch", |n| repeated("=?utf-8?Q?a?=", n)),
    field("words unclosed", |n| repeated("=?utf-8?Q?a ", n)),
    field("words unclosed, without blanks", |n| {
        repeated("=?utf-8?Q?a", n)
    }),
    field("words, empty", |n| repeated("=?utf-8?Q??= ", n)),
    field("words without a charset", |n| repeated("=??Q?a?= ", n)),
    field("word beginnings", |n| repeated("=?", n)),
    field("word beginnings and blanks", |n| repeated("=? ", n)),
    field("question marks", |n| filled("=?", "?", "", n)),
    field("words that split characters", |n| {
        repeated("=?utf-8?B?4g==?= =?utf-8?B?mIM=?= ", n)
    }),
    field("words that designate and stop", |n| {
        repeated("=?iso-2022-jp?B?GyRC?= ", n)
    }),
    field("words of an unknown charset", |n| {
        repeated("=?x-none?Q?a?= ", n)
    }),
    field("words of labels that differ", |n| {
        numbered(n, |i| format!("=?x-{i}?Q?a?= "))
    }),
    field("words of many charsets", |n| {
        let labels = [
            "koi8-r",
            "euc-kr",
            "utf-7",
            "iso-2022-jp",
            "utf-8",
            "ibm037",
        ];
        numbered(n, |i| format!("=?{}?Q?a=C1?= ", labels[i % labels.len()]))
    }),
    field("words of many languages", |n| {
        numbered(n, |i| format!("=?latin1*x{i}?Q?=E9?= "))
    }),
    field("words in comments", |n| repeated("(=?utf-8?Q?a?=) ", n)),
    field("words in nested comments", |n| {
        repeated("(=?latin1?Q?=E9?= ", n)
    }),
    field("words in quotes", |n| repeated("\"=?latin1?Q?=E9?=\" ", n)),
    field("word without end", |n| filled("=?utf-8?Q?", "=", "", n)),
    field("word longer than any", |n| {
        filled("=?utf-8?Q?", "=E2", "?=", n)
    }),
    field("words with escapes of no digits", |n| {
        repeated("=?utf-8?Q?=XX=?= ", n)
    }),
    field("words of bad base64", |n| repeated("=?utf-8?B?=A=?= ", n)),
    field("label of a word without end", |n| {
        filled("=?", "x", "?Q?a?=", n)
    }),
    field("words and raw octets", |n| {
        repeated("=?koi8-r?Q?=C1?= \u{e9} ", n)
    }),
    field("words in raw octets", |n| {
        octets(b"", b"=?koi8-r?Q?=C1?= \xE9 ", n)
    }),
    // Parameters (RFC 2045, section 5.1; RFC 2231).
    field("sections in reverse", |n| {
        let count = n / 12;
        let mut body = b"text/plain".to_vec();
        for number in (0..count).rev() {
            body.extend_from_slice(format!("; a*{number}=x").as_bytes());
        }
        body
    }),
    field("sections in order", |n| {
        parameters(n, |i| format!("; a*{i}=x"))
    }),
    field("sections in order, extended", |n| {
        parameters(n, |i| format!("; a*{i}*=%41"))
    }),
    field("sections with gaps", |n| {
        parameters(n, |i| format!("; a*{}=x", i * 2))
    }),
    field("sections of many parameters, mixed", |n| {
        parameters(n, |i| format!("; p{}*{}=x", i % 128, i / 128))
    }),
    field("sections of huge numbers", |n| {
        parameters(n, |i| format!("; a*9999999999{i}*=x"))
    }),
    field("section of a number without end", |n| {
        filled("text/plain; a*", "9", "*=x", n)
    }),
    field("section a*0*= by the thousand", |n| {
        filled("text/plain; ", "a*0*=", "", n)
    }),
    field("section a*0*=x by the thousand", |n| {
        filled("text/plain", "; a*0*=utf-8''x", "", n)
    }),
    field("sections of a charset", |n| {
        filled("text/plain; charset*0*=utf-8''a", "; charset*1*=%41", "", n)
    }),
    field("percent signs", |n| {
        filled("text/plain; name*=utf-8''", "%", "", n)
    }),
    field("percent escapes", |n| {
        filled("text/plain; name*=iso-2022-jp''", "%1B$B", "", n)
    }),
    field("parameters", |n| parameters(n, |i| format!("; p{i}=x"))),
    field("parameters of one name", |n| {
        filled("text/plain", "; a=b", "", n)
    }),
    field("parameters without semicolons", |n| {
        filled("text/plain; ", "a=b ", "", n)
    }),
    field("parameters without values", |n| {
        filled("text/plain", "; a=", "", n)
    }),
    field("parameters without names", |n| {
        filled("text/plain", "; =a", "", n)
    }),
    field("parameter of a name without end", |n| {
        filled("text/plain; ", "a", "=b", n)
    }),
    field("parameter of words", |n| {
        filled("text/plain; name=\"", "=?latin1?Q?=E9?= ", "\"", n)
    }),
    field("parameter of raw octets", |n| {
        octets(b"text/plain; name=\"", b"\xC3\x28\xE9", n)
    }),
    field("semicolons", |n| filled("text/plain", ";", "", n)),
    field("equals signs", |n| filled("text/plain; a", "=", "", n)),
    field("slashes", |n| repeated("/", n)),
    field("comments between parameters", |n| {
        filled("text/plain", "; (c) a (d) = (e) b", "", n)
    }),
    field("quotes between parameters", |n| {
        filled("text/plain", "; \"a\"=\"b", "", n)
    }),
    // Folds, blanks and raw octets.
    field("folds", |n| filled("a", "\n b", "", n)),
    field("folds of blanks", |n| filled("a", "\n \n\t", "", n)),
    field("blanks", |n| repeated(" ", n)),
    field("blanks after a raw octet", |n| {
        filled("text/plain; name=\"é", " ", "\"", n)
    }),
    field("one atom", |n| repeated("a", n)),
    field("controls", |n| repeated("\0\x01\u{7F}", n)),
    field("bidirectional controls", |n| repeated("\u{202E}", n)),
    field("raw UTF-8", |n| repeated("\u{ac00}", n)),
    field("raw octets, malformed", |n| octets(b"", b"\xFF", n)),
    field("raw octets, every other", |n| octets(b"", b"a\xE9", n)),
    field("escapes", |n| repeated("\x1B$B", n)),
    // Messages (RFC 5322, section 2; RFC 2046).
    message("fields", |n| repeated("x: y\n", n)),
    message("fields without bodies", |n| repeated(":\n", n)),
    message("fields of one octet", |n| repeated("a:\n", n)),
    message("fields of words", |n| {
        repeated("Subject: =?latin1?Q?=E9?=\n", n)
    }),
    message("fields of raw octets", |n| {
        octets(b"", b"Subject: \xE9\n", n)
    }),
    message("fields of raw octets, and a label", |n| {
        let end = "Content-Type: text/plain; charset=koi8-r\n\n\u{e9}";
        [octets(b"", b"Subject: \xE9\n", n), end.into()].concat()
    }),
    message("fields of addresses", |n| {
        repeated("To: =?latin1?Q?=E9?= <a@b>\n", n)
    }),
    message("fields of raw text and a word", |n| {
        octets(b"", b"X:\xB0\xA1 =?gbk?B?sKE=?=\n", n)
    }),
    message("fields of a raw letter and a word", |n| {
        octets(b"", b"Subject:\xE9 =?gbk?Q?=B0=A1?=\n", n)
    }),
    message("addresses of a raw name and a word", |n| {
        octets(b"", b"To:\xB0\xA1 =?gbk?B?sKE=?=<a@b>\n", n)
    }),
    message("fields of parameters", |n| {
        repeated(
            "Content-Disposition: attachment; filename*=latin1''%E9\n",
            n,
        )
    }),
    message("Content-Type fields", |n| {
        repeated("Content-Type: multipart/mixed; boundary=b\n", n)
    }),
    message("Content-Transfer-Encoding fields", |n| {
        repeated("Content-Transfer-Encoding: base64\n", n)
    }),
    message("names of fields without end", |n| repeated("a", n)),
    message("header without end", |n| {
        filled("Subject: a", "\n b", "", n)
    }),
    message("header lines that are not fields", |n| repeated("x\n", n)),
    message("header lines that are not fields, between fields", |n| {
        repeated("x\na: b\n", n)
    }),
    // A header may continue after such lines, up to eight lines and 32 KiB.
    message("header lines that are not fields, in pairs", |n| {
        filled("Received: a\n", "x\ny\nX-A: b\n", "Subject: x\n\n", n)
    }),
    message("parts with such headers", |n| {
        let part = [
            "--b\nA: b\n",
            &"x\ny\nX-A: b\n".repeat(3000),
            "Content-Type: a\n\n",
        ];
        filled(
            "Content-Type: multipart/mixed; boundary=b\n\n",
            &part.concat(),
            "",
            n,
        )
    }),
    message("messages in each other with such headers", |n| {
        let header = "Content-Type: message/rfc822\nx\ny\nSubject: a\n\n";
        filled("", header, "", n)
    }),
    message("header lines that continue without indent", |n| {
        filled("", "Content-Type: a/b;\nc=d;\ne=f;\n", "\n", n)
    }),
    message("header of open words", |n| {
        filled("", "Subject: =?utf-8?B?QUJD\nQUJD\n", "\n", n)
    }),
    message("header of one open word", |n| {
        filled("Subject: =?utf-8?B?", "QUJD\n", "\n", n)
    }),
    message("multiparts whose boundary differs in case", |n| {
        let part = "Content-Type: multipart/mixed; boundary=AA\n\n--aa\n";
        filled("", part, "", n)
    }),
    message("multiparts whose boundaries differ in case", |n| {
        let nested: Vec<_> = (0..90)
            .map(|level| {
                format!("Content-Type: multipart/mixed; boundary=A{level}\n\n--a{level}\n")
            })
            .collect();
        filled(&nested.concat(), "--x\n", "", n)
    }),
    message("header of blank folds", |n| repeated(" \n", n)),
    message("separators of mailboxes", |n| repeated("From x\n", n)),
    message("line ends", |n| repeated("\n", n)),
    message("line ends, CR alone", |n| repeated("\r", n)),
    message("line ends, CR before CRLF", |n| repeated("\r\r\n", n)),
    message("one line", |n| filled("\n", "a", "", n)),
    message("one line of octets above 7F", |n| octets(b"\n", b"\xE9", n)),
    message("one line of blanks", |n| filled("\n", " ", "", n)),
    message("boundaries, empty parts", |n| {
        filled(MULTIPART, "--b\n", "", n)
    }),
    message("boundaries, small parts", |n| {
        filled(MULTIPART, "--b\n\nx\n", "", n)
    }),
    message("boundaries, closed again and again", |n| {
        filled(MULTIPART, "--b--\n", "", n)
    }),
    message("boundaries, parts of raw octets", |n| {
        octets(MULTIPART.as_bytes(), b"--b\n\n\xE9\n", n)
    }),
    message("boundaries, parts with labels", |n| {
        let part = b"--b\nContent-Type: text/plain; charset=euc-kr\n\n\xB0\xA1\n";
        octets(MULTIPART.as_bytes(), part, n)
    }),
    message("boundaries, parts with duplicate fields", |n| {
        let part = "--b\nContent-Type: text/plain\nContent-Type: text/html\n\nx\n";
        filled(MULTIPART, part, "", n)
    }),
    message("boundaries, attachments", |n| {
        let part = "--b\nContent-Disposition: attachment; filename*=latin1''%E9\n\
                    Content-Type: image/png\nContent-Transfer-Encoding: base64\n\nAA==\n";
        filled(MULTIPART, part, "", n)
    }),
    message("hyphens before blanks, in quoted-printable", |n| {
        let header = b"Content-Type: text/plain; charset=koi8-r\n\
                       Content-Transfer-Encoding: quoted-printable\n\n=F0\n";
        let (hyphens, blanks) = (b"-".repeat(n / 2), b" ".repeat(n / 2));
        [header, hyphens.as_slice(), &blanks, b"=20\n"].concat()
    }),
    message("boundary-like lines", |n| filled(MULTIPART, "--c\n", "", n)),
    message("boundary-like lines, longer", |n| {
        filled(MULTIPART, "--bb\n", "", n)
    }),
    message("boundary-like lines without end", |n| {
        filled(MULTIPART, "--b", "", n)
    }),
    message("boundary-like lines, empty", |n| {
        filled(MULTIPART, "\n--", "", n)
    }),
    message("boundary-like lines with blanks", |n| {
        filled(MULTIPART, "\n--b  \t x", "", n)
    }),
    message("boundary without end", |n| {
        let boundary = "b".repeat(n / 2);
        let delimiter = format!("--{}\n", "b".repeat(60));
        let header = format!("Content-Type: multipart/mixed; boundary={boundary}\n\n");
        filled(&header, &delimiter, "", n)
    }),
    message("boundaries that begin alike", |n| {
        let count = (n / 400).clamp(1, 100);
        let level = |i: usize| {
            let boundary = "b".repeat(i + 1);
            format!("Content-Type: multipart/mixed; boundary={boundary}\n\n--{boundary}\n")
        };
        let start: String = (0..count).map(level).collect();
        // The middle one, whatever their number.
        let line = format!("--{} \n", "b".repeat(count.div_ceil(2)));
        filled(&start, &line, "", n)
    }),
    message("multiparts nested", |n| {
        let level = "Content-Type: multipart/mixed; boundary=b\n\n--b\n";
        repeated(level, n)
    }),
    message("multiparts nested, boundaries of their own", |n| {
        let level = |i| format!("Content-Type: multipart/mixed; boundary=b{i}\n\n--b{i}\n");
        numbered(n, level)
    }),
    message("multiparts nested, and closed", |n| {
        let level = |i| format!("Content-Type: multipart/mixed; boundary=b{i}\n\n--b{i}\n");
        let start: String = (0..100).map(level).collect();
        let close = |i| format!("\n--b{i}--\n");
        let end: String = (0..100).rev().map(close).collect();
        filled(&start, "text\n", &end, n)
    }),
    message("multiparts nested, and opened again from outside", |n| {
        let level = |i| format!("Content-Type: multipart/mixed; boundary=b{i}\n\n--b{i}\n");
        let tower: String = (0..90).map(level).collect();
        repeated(&tower, n)
    }),
    message("multiparts that are empty", |n| {
        let part = "--b\nContent-Type: multipart/mixed; boundary=c\n\n";
        filled(MULTIPART, part, "", n)
    }),
    message("digests", |n| {
        let start = "Content-Type: multipart/digest; boundary=b\n\n";
        filled(start, "--b\n\nSubject: x\n\ny\n", "", n)
    }),
    message("messages nested", |n| {
        repeated("Content-Type: message/rfc822\n\n", n)
    }),
    message("messages nested, with text in an old charset", |n| {
        let start = "Content-Type: message/rfc822\n\n".repeat(99);
        let start = format!("{start}Content-Type: text/plain; charset=koi8-r\n\n");
        octets(start.as_bytes(), b"\xF0\xD2\xC9\n", n)
    }),
    message("messages in a multipart", |n| {
        filled(
            MULTIPART,
            "--b\nContent-Type: message/rfc822\n\nSubject: x\n\ny\n",
            "",
            n,
        )
    }),
    message("messages in base64, nested", |n| {
        let mut inner = b"Subject: x\n\ny".to_vec();
        for _ in 0..5 {
            inner = [
                b"Content-Type: message/global\nContent-Transfer-Encoding: base64\n\n".to_vec(),
                base64(&inner),
            ]
            .concat();
        }
        let room = n.saturating_sub(inner.len()) / 5;
        let text = "text\n".repeat(room);
        let mut inner = format!("Subject: x\n\n{text}").into_bytes();
        // Five times a third more is about four times as much.
        inner.truncate(n / 4);
        for _ in 0..5 {
            inner = [
                b"Content-Type: message/global\nContent-Transfer-Encoding: base64\n\n".to_vec(),
                base64(&inner),
            ]
            .concat();
        }
        inner
    }),
    message("messages in quoted-printable, nested", |n| {
        let level = "Content-Type: message/global\n\
                     Content-Transfer-Encoding: quoted-printable\n\n";
        filled(&level.repeat(4), "=\n", "", n)
    }),
    message("messages in base64, many", |n| {
        let part = "--b\nContent-Type: message/global\nContent-Transfer-Encoding: base64\n\n\
                    U3ViamVjdDogeAoKeQ==\n";
        filled(MULTIPART, part, "", n)
    }),
    message("messages in base64, many, each of many parts", |n| {
        let inner = format!("{MULTIPART}{}", "--b\n\n".repeat(n / 40));
        let part = format!(
            "--c\nContent-Type: message/global\nContent-Transfer-Encoding: base64\n\n{}\n",
            String::from_utf8_lossy(&base64(inner.as_bytes()))
        );
        filled(
            "Content-Type: multipart/mixed; boundary=c\n\n",
            &part,
            "",
            n,
        )
    }),
    message("base64 of nothing", |n| filled(BASE64, "====", "", n)),
    message("base64 of other characters", |n| {
        filled(BASE64, "!\n", "", n)
    }),
    message("base64, each quantum padded", |n| {
        filled(BASE64, "QQ==", "", n)
    }),
    message("base64 of line ends", |n| filled(BASE64, "Cg\n", "", n)),
    message("uuencode of begin lines", |n| {
        filled(UUENCODE, "begin 644 a\n", "", n)
    }),
    message("uuencode of lines without their blanks", |n| {
        filled(UUENCODE, "M\n", "", n)
    }),
    message("uuencode of nothing", |n| filled(UUENCODE, "x", "", n)),
    message("uuencoded files that never end, in a text", |n| {
        repeated("\nbegin 644 a\n#0V%T", n)
    }),
    message("uuencoded files in a text", |n| {
        repeated("\nbegin 644 a\n#0V%T\n`\nend", n)
    }),
    message("quoted-printable of equals signs", |n| {
        filled(QUOTED_PRINTABLE, "=", "", n)
    }),
    message("quoted-printable of soft line ends", |n| {
        filled(QUOTED_PRINTABLE, "=\n", "", n)
    }),
    message("quoted-printable of blanks", |n| {
        filled(QUOTED_PRINTABLE, " \t", "", n)
    }),
    message("quoted-printable of blanks and equals signs", |n| {
        filled(QUOTED_PRINTABLE, "= ", "", n)
    }),
    message("quoted-printable of blanks before each line end", |n| {
        filled(QUOTED_PRINTABLE, "a \n", "", n)
    }),
    message("quoted-printable without hexadecimal digits", |n| {
        filled(QUOTED_PRINTABLE, "=XY", "", n)
    }),
    message("quoted-printable of octets above 7F", |n| {
        filled(QUOTED_PRINTABLE, "=FF", "", n)
    }),
    message("HTML of meta elements", |n| {
        filled(
            "Content-Type: text/html\n\n",
            "<meta charset=\"koi8-r\">\u{e9}",
            "",
            n,
        )
    }),
    message("HTML of tags without end", |n| {
        filled("Content-Type: text/html\n\n", "<meta <", "\u{e9}", n)
    }),
    message("HTML of comments without end", |n| {
        filled(
            "Content-Type: text/html; charset=latin1\n\n\u{e9}",
            "<!--",
            "",
            n,
        )
    }),
    message("HTML in an old charset with meta elements", |n| {
        let start = "Content-Type: text/html; charset=koi8-r\n\n";
        octets(start.as_bytes(), b"<meta charset=koi8-r>\xE9\n", n)
    }),
    message("XML of declarations", |n| {
        filled(
            "Content-Type: text/xml\n\n",
            "<?xml encoding='koi8-r'?>\u{e9}",
            "",
            n,
        )
    }),
    message("CSS of declarations", |n| {
        filled(
            "Content-Type: text/css\n\n",
            "@charset \"koi8-r\";\u{e9}",
            "",
            n,
        )
    }),
    message("PGP armour again and again", |n| {
        let start = "Content-Type: text/plain; charset=latin1\n\n";
        octets(start.as_bytes(), b"-----BEGIN PGP MESSAGE-----\n\xE9\n", n)
    }),
    message("euro signs", |n| {
        octets(
            b"Content-Type: text/plain; charset=windows-1252\n\
              Content-Transfer-Encoding: binary\n\n",
            b"\x80",
            n,
        )
    }),
    message("euro signs in base64", |n| {
        let start = BASE64.replace("latin1", "windows-1252");
        let lines = base64(&octets(b"", b"\x80", n / 4 * 3));
        [start.into_bytes(), lines].concat()
    }),
    message("euro signs in quoted-printable", |n| {
        let start = QUOTED_PRINTABLE.replace("utf-8", "windows-1252");
        filled(&start, "=80", "", n)
    }),
    message("katakana of seven bits", |n| {
        let start = "Content-Type: text/plain; charset=iso-2022-jp\n\n\x1B(I";
        filled(start, "1", "\x1B(B", n)
    }),
    message("parts of euro signs", |n| {
        let part = "--b\nContent-Type: text/plain; charset=windows-1252\n\n";
        let part = octets(part.as_bytes(), b"\x80", (n / 4).min(100 << 10));
        octets(MULTIPART.as_bytes(), &[part, b"\n".to_vec()].concat(), n)
    }),
    message("fields of one octet behind one in an old charset", |n| {
        filled("Subject: =?koi8-r?Q?=F0?=\n", "a:\n", "", n)
    }),
    message("fields of words in an old charset", |n| {
        let word = format!(" =?koi8-r?Q?{}?=\n", "=F0".repeat(20));
        repeated(&format!("X:{}", word.repeat(1000)), n)
    }),
    message("comments of raw octets in a message/global", |n| {
        let start = "Content-Type: message/global\n\nContent-Type: text/plain; a=b";
        octets(start.as_bytes(), b" (\xE9)", n)
    }),
    message("old Hangul", |n| {
        let start = "Content-Type: text/plain; charset=unicode-1-1-utf-8\n\n";
        filled(start, "\u{3400}\u{4dfe}", "", n)
    }),
    // Mailboxes.
    message("mailbox of separators", |n| {
        repeated("From a@b Sat Jan  3 01:05:34 1996\n\n", n)
    }),
    message("mailbox of separators without blank lines", |n| {
        filled(
            "From a@b Sat Jan  3 01:05:34 1996\na: b\n\n",
            "From a@b Sat Jan  3 01:05:34 1996\n",
            "",
            n,
        )
    }),
    message("mailbox of separators without dates", |n| {
        filled(
            "From a@b Sat Jan  3 01:05:34 1996\na: b\n\n",
            "\nFrom x\n",
            "",
            n,
        )
    }),
    message("mailbox of quoted separators", |n| {
        filled(
            "From a@b Sat Jan  3 01:05:34 1996\na: b\n\n",
            ">From x\n",
            "",
            n,
        )
    }),
    message("mailbox of lines of angle brackets", |n| {
        filled(
            "From a@b Sat Jan  3 01:05:34 1996\na: b\n\n",
            ">",
            "From x\n",
            n,
        )
    }),
    message("mailbox of huge lengths", |n| {
        repeated(
            "From a@b Sat Jan  3 01:05:34 1996\nContent-Length: 99999999999999\n\nx\n\n",
            n,
        )
    }),
    message("mailbox of lengths that lead to no separator", |n| {
        let length = n / 2;
        let entry = format!("From a@b Sat Jan  3 01:05:34 1996\nContent-Length: {length}\n\nx\n\n");
        repeated(&entry, n)
    }),
    message("mailbox of lengths that lead into each other", |n| {
        repeated(
            "From a@b Sat Jan  3 01:05:34 1996\nContent-Length: 70\n\nx\n\n",
            n,
        )
    }),
    message("mailbox with a header without end", |n| {
        filled("From a@b Sat Jan  3 01:05:34 1996\n", "a: b\n", "", n)
    }),
    message("mailbox with a line without end", |n| {
        filled("From a@b Sat Jan  3 01:05:34 1996\n\n", "a", "", n)
    }),
    message("mailbox of header starts behind blank lines", |n| {
        filled(
            "From a@b Sat Jan  3 01:05:34 1996\na: b\n\n",
            "\nFrom x\na",
            "",
            n,
        )
    }),
    // Charsets.
    in_charset("escapes without end", "iso-2022-jp", |n| {
        repeated("\x1B", n)
    }),
    in_charset("escapes, unknown", "iso-2022-jp", |n| repeated("\x1B$%", n)),
    in_charset("escapes, again and again", "iso-2022-jp", |n| {
        repeated("\x1B$B", n)
    }),
    in_charset("escapes that flip", "iso-2022-jp", |n| {
        repeated("\x1B$B!!\x1B(B", n)
    }),
    in_charset("escapes of ISO-2022-KR", "iso-2022-kr", |n| {
        repeated("\x1B$)C\x0E\x0F", n)
    }),
    in_charset("escapes of ISO-2022-CN", "iso-2022-cn", |n| {
        repeated("\x1B$)A\x1B$*H\x0E\x1BN", n)
    }),
    in_charset("escapes of ISO-2022-JP-2", "iso-2022-jp-2", |n| {
        repeated("\x1B.A\x1BN", n)
    }),
    in_charset("shifts at each octet", "iso-2022-kr", |n| {
        repeated("\x0E\x0F", n)
    }),
    in_charset("shifts at each octet of EBCDIC", "ibm930", |n| {
        repeated("\x0E\x0F", n)
    }),
    in_charset("HZ braces", "hz-gb-2312", |n| repeated("~{~}", n)),
    in_charset("HZ tildes", "hz-gb-2312", |n| repeated("~", n)),
    in_charset("HZ unclosed", "hz-gb-2312", |n| repeated("~{!", n - n % 12)),
    in_charset("UTF-7 runs", "utf-7", |n| repeated("+AGE-", n)),
    in_charset("UTF-7 run without end", "utf-7", |n| {
        filled("+", "AGEA", "", n)
    }),
    in_charset("UTF-7 beginnings", "utf-7", |n| repeated("+", n)),
    in_charset("UTF-7 empty runs", "utf-7", |n| repeated("+-", n)),
    in_charset("UTF-7 surrogate halves", "utf-7", |n| repeated("+2AA-", n)),
    in_charset("surrogate halves in UTF-8", "utf-8", |n| {
        octets(b"", b"\xED\xA0\x80", n)
    }),
    in_charset("surrogate halves in CESU-8", "cesu-8", |n| {
        octets(b"", b"\xED\xA0\x80", n)
    }),
    in_charset("surrogate halves in UTF-16", "utf-16be", |n| {
        octets(b"", b"\xD8\x00", n)
    }),
    in_charset("surrogate halves in UTF-32", "utf-32be", |n| {
        octets(b"", b"\0\0\xD8\x00", n)
    }),
    in_charset("UTF-16 of an odd order", "utf-16", |n| {
        octets(b"", b"\0a\0", n - n % 6)
    }),
    in_charset("byte order marks", "utf-16", |n| {
        octets(b"", b"\xFE\xFF\xFF\xFE", n)
    }),
    in_charset("UTF-8 continuation octets", "utf-8", |n| {
        octets(b"", b"\x80", n)
    }),
    in_charset("UTF-8 lead octets", "utf-8", |n| octets(b"", b"\xF4", n)),
    in_charset("UTF-8 truncated", "utf-8", |n| octets(b"", b"\xE2\x98", n)),
    in_charset("UTF-8 cut by ASCII", "utf-8", |n| {
        octets(b"", b"\xE2\x98a", n)
    }),
    in_charset("UTF-8 overlong", "utf-8", |n| octets(b"", b"\xC0\x80", n)),
    in_charset("UTF-8 of noncharacters", "utf-8", |n| {
        repeated("\u{FFFE}", n)
    }),
    in_charset("UTF-8 of UTF-8", "utf-8", |n| repeated("Ã©â‚¬", n)),
    in_charset("old Hangul syllables", "unicode-1-1-utf-8", |n| {
        repeated("\u{3d2e}", n)
    }),
    in_charset("old Hangul and new", "unicode-1-1-utf-8", |n| {
        repeated("\u{3d2e}\u{ac00}", n)
    }),
    in_charset("Extension A without a label", "utf-8", |n| {
        repeated("\u{3d2e}\u{4e00}", n)
    }),
    in_charset("lead octets of EUC-KR", "euc-kr", |n| {
        octets(b"", b"\xB0", n)
    }),
    in_charset("lead octets of Shift_JIS", "shift_jis", |n| {
        octets(b"", b"\x81", n)
    }),
    in_charset("lead octets of GB 18030", "gb18030", |n| {
        octets(b"", b"\x81\x30\x81", n)
    }),
    in_charset("lead octets of Big5", "big5", |n| octets(b"", b"\xFE", n)),
    in_charset("lead octets of EUC-TW", "euc-tw", |n| {
        octets(b"", b"\x8E\xA2", n)
    }),
    in_charset("Johab", "johab", |n| octets(b"", b"\xD9\x31\x84", n)),
    in_charset("accents without letters", "iso_6937-2-add", |n| {
        octets(b"", b"\xC1\xC2\xC3", n)
    }),
    in_charset("accents of T.61", "t.61-8bit", |n| octets(b"", b"\xC1", n)),
    in_charset("VIQR marks", "viqr", |n| repeated("a^'", n)),
    in_charset("VIQR backslashes", "viqr", |n| repeated("\\", n)),
    in_charset("SCSU windows", "scsu", |n| {
        octets(b"", b"\x0B\xFF\xFF\x18", n)
    }),
    in_charset("BOCU-1 jumps", "bocu-1", |n| {
        octets(b"", b"\xFE\x21\xFF", n)
    }),
    in_charset("UTF-1", "iso-10646-utf-1", |n| octets(b"", b"\xFC\xA0", n)),
    in_charset("octets that no charset has", "us-ascii", |n| {
        octets(b"", b"\xFF", n)
    }),
    in_charset("octets of a charset without a decoder", "iso-ir-90", |n| {
        octets(b"", b"\xFF", n)
    }),
    in_charset("EBCDIC", "ibm037", |n| octets(b"", b"\x3F\x15\x25", n)),
    in_charset("Windows-1252 unlabelled", "unknown-8bit", |n| {
        octets(b"", b"na\xEFve ", n)
    }),
    in_charset("zeros", "unknown-8bit", |n| octets(b"", b"\0", n)),
    in_charset("zeros and letters", "unknown-8bit", |n| {
        octets(b"", b"\0a", n)
    }),
    // Labels.
    label("label", |n| repeated("x", n)),
    label("label of quotes and blanks", |n| repeated("\" '", n)),
    label("label of charset=", |n| repeated("charset=", n)),
    label("label of dashes", |n| repeated("utf-8-", n)),
    label("label of digits", |n| repeated("8859", n)),
    label("label of raw octets", |n| octets(b"", b"\xFF", n)),
    label("label behind blanks", |n| filled("", " ", "utf-8", n)),
    label("label before blanks", |n| filled("utf-8", " ", "", n)),
    label("label of percent escapes", |n| repeated("%2D", n)),
    label("label of an encoded word", |n| {
        filled("=?utf-8?Q?", "utf", "?=", n)
    }),
    // Pages.
    page("page of less-than signs", |n| repeated("<", n)),
    page("page of ampersands", |n| repeated("&", n)),
    page("page of references", |n| repeated("&eacute;&#x41;&lt", n)),
    page("page of a long reference", |n| filled("&#", "0", "65;", n)),
    page("page of nested tables", |n| repeated("<table><tr><td>", n)),
    page("page of nested blocks", |n| repeated("<div>a", n)),
    page("page of nested quotes", |n| repeated("<blockquote>a", n)),
    page("page of paragraphs in blocks", |n| {
        filled(&"<div>".repeat(600), "<p>a", "", n)
    }),
    page("page of end tags under a paragraph outside", |n| {
        filled(
            &("<p><table><td>".to_owned() + &"<b>".repeat(600)),
            "</p>",
            "",
            n,
        )
    }),
    page("page of attributes", |n| {
        filled("<a ", "style=a:b; ", ">", n)
    }),
    page("page of declarations", |n| {
        filled("<a style='", "display:none;", "'>", n)
    }),
    page("page of an open comment", |n| filled("<!--", "-", "", n)),
    page("page of an open script", |n| {
        filled("<script>", "</scrip", "", n)
    }),
    page("page of line ends", |n| filled("<pre>", "\n<br>", "", n)),
    page("page of padding", |n| repeated("&zwnj;&nbsp;\u{AD}", n)),
    page("page of links", |n| {
        repeated("<a href=http://a.example>b", n)
    }),
    page("page of marks on one letter", |n| {
        filled("a", "\u{301}", "", n)
    }),
];

const MULTIPART: &str = "Content-Type: multipart/mixed; boundary=b\n\n";
const UUENCODE: &str = "Content-Type: text/plain; charset=latin1\nContent-Transfer-Encoding: x-uuencode\n\n\
     begin 644 a\n";
const BASE64: &str =
    "Content-Type: text/plain; charset=latin1\nContent-Transfer-Encoding: base64\n\n";
const QUOTED_PRINTABLE: &str =
    "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n\n";

const fn field(name: &'static str, make: fn(usize) -> Vec<u8>) -> Shape {
    let place = Place::Field;
    Shape { name, place, make }
}

const fn message(name: &'static str, make: fn(usize) -> Vec<u8>) -> Shape {
    let place = Place::Message;
    Shape { name, place, make }
}

const fn in_charset(name: &'static str, label: &'static str, make: fn(usize) -> Vec<u8>) -> Shape {
    let place = Place::Octets(label);
    Shape { name, place, make }
}

const fn label(name: &'static str, make: fn(usize) -> Vec<u8>) -> Shape {
    let place = Place::Label;
    Shape { name, place, make }
}

const fn page(name: &'static str, make: fn(usize) -> Vec<u8>) -> Shape {
    let place = Place::Page;
    Shape { name, place, make }
}

fn repeated(piece: &str, size: usize) -> Vec<u8> {
    filled("", piece, "", size)
}

fn filled(start: &str, piece: &str, end: &str, size: usize) -> Vec<u8> {
    let room = size.saturating_sub(start.len() + end.len());
    let mut octets = octets(start.as_bytes(), piece.as_bytes(), room + start.len());
    octets.extend_from_slice(end.as_bytes());
    octets
}

fn octets(start: &[u8], piece: &[u8], size: usize) -> Vec<u8> {
    let mut octets = start.to_vec();
    octets.reserve_exact(size.saturating_sub(start.len()) + piece.len());
    while octets.len() < size {
        octets.extend_from_slice(piece);
    }
    octets
}

fn numbered(size: usize, piece: impl Fn(usize) -> String) -> Vec<u8> {
    let mut text = Vec::new();
    let mut number = 0;
    while text.len() < size {
        text.extend_from_slice(piece(number).as_bytes());
        number += 1;
    }
    text
}

fn parameters(size: usize, piece: impl Fn(usize) -> String) -> Vec<u8> {
    let mut body = b"text/plain".to_vec();
    body.append(&mut numbered(size, piece));
    body
}

/// Base64 in lines (RFC 2045, section 6.8); nothing else in this crate writes it.
fn base64(octets: &[u8]) -> Vec<u8> {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = Vec::new();
    for line in octets.chunks(57) {
        for group in line.chunks(3) {
            let value = |at: usize| u32::from(group.get(at).copied().unwrap_or_default());
            let bits = value(0) << 16 | value(1) << 8 | value(2);
            for place in 0..4 {
                let letter = LETTERS[(bits >> (18 - 6 * place) & 63) as usize];
                text.push(if place <= group.len() { letter } else { b'=' });
            }
        }
        text.push(b'\n');
    }
    text
}
