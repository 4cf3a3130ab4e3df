//! A comparison with mailparse over the corpus: mailparse finds the parts, and both read them.
//!
//! If mailparse's own text differs from ours, the ledger below has the reason. Its structure read
//! through the adapter must give our text.

use std::fs;

use mime_charset::decode::{CharsetUse, FieldText};
use mime_charset::{Message, Options, Source, for_mailparse as adapter};

/// Leaf parts of a message in mailparse's order.
fn leaves<'m>(mail: &'m mailparse::ParsedMail<'m>) -> Vec<&'m mailparse::ParsedMail<'m>> {
    mail.parts()
        .filter(|part| part.subparts.is_empty())
        .collect()
}

#[test]
fn the_adapter_gives_our_text() {
    let mut compared = 0;
    for (name, octets) in corpus() {
        // mailparse does not parse embedded messages and has other rules for broken structures.
        let Ok(mail) = mailparse::parse_mail(&octets) else {
            continue;
        };
        let message = Message::parse(&octets);
        let ours: Vec<_> = message
            .parts()
            .filter(|part| part.parent().is_none_or(|p| !p.is_message()))
            .collect();
        let theirs = leaves(&mail);
        if ours.len() != theirs.len() {
            continue;
        }
        for (our, their) in ours.iter().zip(theirs).filter(|(our, _)| our.is_text()) {
            let text = adapter::text(their, &Options::new());
            assert_eq!(
                lines(text.as_str()),
                lines(our.text().as_str()),
                "{name} {}",
                our.section()
            );
            assert_eq!(adapter::octets(their).as_bytes(), our.octets().as_bytes());
            assert_eq!(
                adapter::decide(their, &Options::new())
                    .charset
                    .as_practised(),
                text.charset().as_practised(),
                "{name}"
            );
            let filename = adapter::filename(their, &Options::new());
            // Our own walk reads unlabelled text with the message's charset as a hint.
            let is_guess =
                |used: &CharsetUse| matches!(used.source, Source::Detected | Source::Default);
            let is_guessed = |name: &FieldText<'_>| name.charsets().iter().any(is_guess);
            if !filename.as_ref().is_some_and(is_guessed) {
                let our = our.filename().map(String::from);
                assert_eq!(filename.map(String::from), our, "{name}");
            }
            compared += 1;
        }
    }
    assert!(compared > 150, "{compared}");
}

#[cfg_attr(not(feature = "detect"), ignore = "it is guessed")]
#[test]
fn the_adapter_gives_our_fields() {
    for (name, octets) in corpus() {
        let Ok((fields, _)) = mailparse::parse_headers(&octets) else {
            continue;
        };
        let message = Message::parse(&octets);
        for field in fields {
            let Some(ours) = message.field(field.get_key()) else {
                continue;
            };
            let text = adapter::field(&field, &Options::new());
            // Our own walk reads unlabelled text with the message's charset as a hint.
            let is_guess =
                |used: &CharsetUse| matches!(used.source, Source::Detected | Source::Default);
            if field.get_value_raw().is_ascii()
                && !text.charsets().iter().any(is_guess)
                && field.get_value_raw() == ours.body().trim_ascii_start()
            {
                assert_eq!(
                    text.as_str(),
                    ours.text().as_str(),
                    "{name} {}",
                    field.get_key()
                );
            }
        }
    }
}

#[cfg_attr(
    not(all(feature = "detect", feature = "legacy")),
    ignore = "what is left out is in the ledger too"
)]
#[test]
fn mailparse_alone_differs_only_as_in_the_ledger() {
    let mut differing = Vec::new();
    for (name, octets) in corpus() {
        let Ok(mail) = mailparse::parse_mail(&octets) else {
            differing.push(name);
            continue;
        };
        let message = Message::parse(&octets);
        let ours: Vec<_> = message
            .parts()
            .filter(|part| part.is_text())
            .map(|part| lines(part.text().as_str()))
            .collect();
        let theirs: Vec<_> = leaves(&mail)
            .into_iter()
            .filter(|part| part.ctype.mimetype.starts_with("text/"))
            .map(|part| lines(&part.get_body().unwrap_or_default()))
            .collect();
        if ours != theirs {
            differing.push(name);
        }
    }
    let known: Vec<&str> = LEDGER
        .iter()
        .flat_map(|(_, names)| names.split_whitespace())
        .collect();
    // Before 0.17 mailparse kept quoted pairs in a value.
    let is_known = |name: &str| known.contains(&name) || name == "hand-label-quoted-pairs";
    let new: Vec<_> = differing.iter().filter(|name| !is_known(name)).collect();
    let gone: Vec<_> = known
        .iter()
        .filter(|name| !differing.iter().any(|d| d == *name))
        .collect();
    assert!(
        new.is_empty() && gone.is_empty(),
        "new: {new:#?}\ngone: {gone:#?}"
    );
}

/// The reason for each difference from mailparse's text, and the messages.
const LEDGER: [(&str, &str); 7] = [
    (
        "it has no decoder for the charset, or the web's, which stops at a redundant \
         escape or reads the whole body as one U+FFFD",
        "emacs-hz-gb-2312 emacs-iso-2022-cn-g0-escapes emacs-iso-2022-jp-2 emacs-iso-2022-kr-g0-escapes emacs-viscii hand-hz-soft-line-break-and-tilde hand-iso-2022-cn-plane-2-single-shift hand-iso-2022-cn-switch-inside-shift hand-iso-2022-jp-missing-escape-back hand-johab-and-euc-tw-parts hand-macroman-and-ibm852-parts hand-viscii-letters-in-control-range javamail-euc-tw javamail-ibm855 javamail-iso-2022-jp-2 javamail-iso-2022-kr mutt-iso-2022-cn-cns mutt-iso-2022-cn mutt-iso-2022-kr perl-mime-tools-iso-2022-jp-1 php-mb-send-mail-korean php-mb-send-mail-simplified-chinese python-cp437-base64 python-cp850-quoted-printable python-iso-2022-kr python-johab",
    ),
    (
        "it does not know the label, damaged or not",
        "hand-label-3d-and-quotes hand-label-3d hand-label-angle-brackets-and-comma hand-label-charset-twice-in-value hand-label-cp932 hand-label-empty hand-label-escaped-quotes hand-label-format-flowed-inside-quotes hand-label-http-equiv-glued hand-label-iso8859-1-underscores hand-label-leading-dot hand-label-locale-ru-ru-koi8-r hand-label-locale-ru-ru-utf-8 hand-label-single-quotes hand-label-uft-8 hand-label-win1251 nodemailer-cp874-attachment",
    ),
    (
        "it reads Hangul before Amendment 5 as today's ideographs, or not at all",
        "hand-unicode-1-1-utf-7-korean hand-unicode-1-1-utf-8-block-edges hand-unicode-1-1-utf-8-korean",
    ),
    (
        "it obeys the label where the octets prove another charset, or takes US-ASCII \
         where none is declared",
        "hand-html-meta-only hand-label-iso-8859-1-is-utf-8 hand-label-unknown-8bit-is-utf-8 hand-label-us-ascii-is-utf-8 hand-label-utf-8-is-windows-1252 hand-label-x-unknown-is-iso-2022-jp hand-no-content-type-hz hand-no-content-type-utf-8 \
         symfony-mime-iso-8859-15",
    ),
    (
        "it takes comments, wrong separators and unclosed quotes for part of the value, \
         and the last of two charsets",
        "hand-label-colon-for-equals hand-label-comments hand-label-double-equals hand-label-missing-semicolon hand-label-two-charset-parameters hand-label-unterminated-quote",
    ),
    (
        "one octet outside the alphabet fails its base64, and its quoted-printable is \
         another dialect",
        "hand-base64-dirty hand-quoted-printable-dialects",
    ),
    (
        "it enters no messages inside messages",
        "hand-multipart-digest-defaults javamail-encodefilename-ks-c-5601-1987 makemime-mixed-three-charsets mutt-forwarded-koi8-r-in-windows-1251 nmh-multipart-digest \
         python-base64-message-rfc822",
    ),
];

fn lines(text: &str) -> Vec<String> {
    text.trim_end()
        .lines()
        .map(|line| line.trim_end_matches('\r').to_owned())
        .collect()
}

fn corpus() -> Vec<(String, Vec<u8>)> {
    let files = fs::read_dir("corpus/mail").unwrap();
    let mut files: Vec<_> = files.map(|file| file.unwrap().path()).collect();
    files.sort();
    files
        .into_iter()
        .filter(|file| file.extension().is_some_and(|extension| extension == "eml"))
        .map(|file| {
            let name = file.file_stem().unwrap().to_str().unwrap().to_owned();
            let octets = fs::read(&file).unwrap();
            (name, octets)
        })
        .collect()
}
