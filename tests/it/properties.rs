//! Properties of any octets under any charset, and of any label, field and message: the laws that
//! `tests/fuzz/` checks for a fuzzer's inputs, here for random cases.

use mime_charset::hangul;
use mime_charset::hangul::HangulPolicy;
use mime_charset::{Charset, Decoder, Label, Options, charset::resolve};
use proptest::prelude::*;

use crate::laws;

/// Octets of broken mail: noise, text, escapes, fragments of sequences.
fn octets() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        3 => prop::collection::vec(any::<u8>(), 0..8),
        3 => any::<char>().prop_map(|character| character.to_string().into_bytes()),
        2 => "[a-z \r\n]{0,6}".prop_map(String::into_bytes),
        2 => "[\u{3400}-\u{4DFF}\u{AC00}-\u{D7A3}]{1,3}".prop_map(String::into_bytes),
        2 => prop::collection::vec(0xA1..=0xFE_u8, 0..5),
        2 => of(&[
            b"\x1B$B", b"\x1B(B", b"\x1B$)C", b"\x1B(J", b"\x0E", b"\x0F", b"~{", b"~}", b"\x1B",
            b"\xEF\xBB\xBF", b"\xFF\xFE", b"\xFE\xFF", b"\xF0\x9F", b"\xED\xA0\x80", b"+ADw-",
            b"\0", b"\xC0\x80", b"\x8F\xA2", b"\x84\x31\xA4\x37",
        ]),
    ];
    prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

/// Dates and text like dates: their fragments in any order.
fn date() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        4 => (0..10_000_u16).prop_map(|number| number.to_string().into_bytes()),
        4 => (0..60_u8, 0..60_u8).prop_map(|(a, b)| format!(" {a:02}:{b:02}").into_bytes()),
        3 => of(&[b"Thu", b"Jan", b" Mar ", b"maj", b" 1999", b" 99", b"19100", b"20000101", b" 4 "]),
        3 => of(&[b" +0100", b" -0000", b" GMT", b"Z", b" KST", b" DST", b" PM", b"T", b"+", b"-"]),
        3 => of(&[b" ", b",", b":", b"-", b"/", b".", b"(", b")", b"(PST)", b"\r\n ", b";", b"\xE4"]),
    ];
    prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

/// Field bodies: fragments of every grammar, in any order.
fn body() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        4 => of(&[
            b"=?utf-8?Q?", b"=?utf-8?B?w6k=?=", b"=?euc-kr?B?x9Gxub7u?=", b"?=", b"=?", b"?Q?",
            b"=?x?Q?=0D=0ABcc:_a=40b?=", b"=?utf-8?Q?=22=2C_<a@b>=3B?=", b"_", b"=40",
            b"\"=?utf-8?Q?", b"\"?=",
        ]),
        4 => of(&[
            b"\r\n ", b"\n\t", b"\r", b"(", b")", b"\\", b"\"", b"<", b">", b"<a@b.c>", b", ",
            b";", b":", b"@", b"g:", b" ", b".", b"[", b"]", b"a@example.org",
        ]),
        4 => of(&[
            b"text/plain", b"; charset=", b"; charset*=utf-8''", b"; name*0*=utf-8'en'%C3",
            b"; name*1*=%A9", b"; name*1=\"", b"attachment", b"; filename=", b"%0D%0A", b"%",
            b"utf-8", b"=", b"*", b"base64",
        ]),
        2 => "[a-zA-Z0-9 ]{1,8}".prop_map(String::into_bytes),
        1 => any::<char>().prop_map(|character| character.to_string().into_bytes()),
        1 => prop::collection::vec(any::<u8>(), 0..4),
    ];
    prop::collection::vec(piece, 0..16).prop_map(|pieces| pieces.concat())
}

/// Choices, then pages or texts: fragments of each, in any order.
fn page() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        4 => of(&[
            b"<p>", b"</p>", b"<div hidden>", b"</div>", b"<br>", b"<pre>", b"<table><tr><td>",
            b"<li>", b"<script>", b"</script>", b"<title>", b"<textarea>", b"</textarea>",
            b"<blockquote>", b"</blockquote>", b"<a href=b>", b"</a>", b"<img alt=c>", b"<!--",
            b"<b style='display:none'>", b"</b>", b"<plaintext>", b"<", b"&", b"&amp;", b"&#65",
        ]),
        2 => of(&[
            b"> ", b">", b"-- ", b" \n", b"\r\n", b"\n\n", b"On 3 May 1999, Ann wrote:\n", b":\n",
            b"____________________\n", b"<<", b"<nofill>", b"<param>", b"<nl>", b"\0", b"\r",
        ]),
        3 => "[a-z ]{1,30}".prop_map(String::into_bytes),
        1 => any::<char>().prop_map(|character| character.to_string().into_bytes()),
    ];
    let choices = prop::collection::vec(any::<u8>(), 6);
    let pieces = prop::collection::vec(piece, 0..16);
    (choices, pieces).prop_map(|(choices, pieces)| [choices, pieces.concat()].concat())
}

/// Messages and mailboxes: lines of both, in any order.
fn message() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        6 => of(&[
            b"Subject: =?koi8-r?Q?=F0?=\n", b"From: a <a@b.c>\n", b"MIME-Version: 1.0\r\n",
            b"Content-Type: text/plain; charset=koi8-r\n", b"Content-Type: message/rfc822\n",
            b"Content-Type: multipart/mixed; boundary=b\n",
            b"Content-Type: multipart/digest; boundary=\"c\"\r\n",
            b"Content-Type: text/html; charset=iso-8859-1\n",
            b"Content-Type: text/plain; charset=iso-2022-jp;\r\n name*0*=koi8-r''%F0\r\n",
            b"Content-Transfer-Encoding: base64\n", b"Content-Transfer-Encoding: 8bit\r\n",
            b"Content-Transfer-Encoding: quoted-printable\n", b"Content-Length: 8\n",
            b"Content-Disposition: attachment; filename=\"=?euc-kr?B?x9E=?=\"\n",
        ]),
        5 => of(&[b"\n", b"\r\n", b"\n\n", b"\r\n\r\n", b"\r", b" "]),
        4 => of(&[b"--b\n", b"\n--b\r\n", b"\n--b--\n", b"--c\n", b"\n--c--\n"]),
        2 => of(&[
            b"From a@b Sat Jan  3 01:05:34 1996\n", b"\nFrom ", b">From ", b"\n>>From me\n",
            b"\n\nFrom - Sat Jan  3 01:05:34 1996\r\n",
        ]),
        2 => octets(),
        1 => body(),
    ];
    prop::collection::vec(piece, 0..16).prop_map(|pieces| pieces.concat())
}

fn of(pieces: &[&'static [u8]]) -> impl Strategy<Value = Vec<u8>> + use<> {
    prop::sample::select(pieces.to_vec()).prop_map(<[u8]>::to_vec)
}

/// Prefixed with octets that choose a charset, options, and where to split.
fn chosen(count: usize, octets: impl Strategy<Value = Vec<u8>>) -> impl Strategy<Value = Vec<u8>> {
    let choices = prop::collection::vec(any::<u8>(), count);
    (choices, octets).prop_map(|(choices, octets)| [choices, octets].concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn labels(octets in prop_oneof![octets(), body()]) {
        laws::label(&octets);
    }

    #[test]
    fn utf_8(octets in octets()) {
        laws::utf8(&octets);
    }

    #[test]
    fn utf_8_of_text(text in any::<String>()) {
        laws::utf8(text.as_bytes());
    }

    #[test]
    fn every_decoder(octets in chosen(4, octets())) {
        laws::charset(&octets);
    }

    /// Pending octets can be taken back and pushed again, and a clone continues like its original.
    #[test]
    fn octets_taken_back_can_be_pushed_again(octets in octets(), at in any::<prop::sample::Index>()) {
        let at = at.index(octets.len() + 1);
        for charset in Charset::all() {
            let mut decoder = Decoder::new(charset);
            let mut text = decoder.push(&octets[..at]).to_owned();
            let report = decoder.take_report();
            let back = decoder.take_back();
            assert_eq!(decoder.decided() + back, at);
            let mut clone = decoder.clone();
            for decoder in [&mut decoder, &mut clone] {
                assert_eq!(decoder.take_report().findings().len(), 0);
                let _ = decoder.push(&octets[at - back..at]);
            }
            text += clone.push(&octets[at..]);
            let end = clone.finish();
            let whole = charset.decode_with(&octets, &Options::new());
            assert_eq!(text + end.as_str(), whole.as_str(), "{charset} {octets:02X?} at {at}");
            let found = report.replacements() + end.report().replacements();
            assert_eq!(found, whole.report().replacements(), "{charset}");
            let _ = decoder.push(&octets[at..]);
            assert_eq!(decoder.finish(), end, "{charset}");
        }
    }

    /// A decoder resumed from a state continues like the original, and other numbers are rejected.
    #[test]
    fn a_state_determines_the_decoder(
        octets in octets(),
        at in any::<prop::sample::Index>(),
        numbers in prop::collection::vec((any::<u128>(), 0..128_u32), 4),
    ) {
        let at = at.index(octets.len() + 1);
        let options = Options::new().hangul(HangulPolicy::Always);
        for charset in Charset::all() {
            let mut decoder = Decoder::with_options(charset, &options);
            assert_eq!(decoder.state(), Some(0), "{charset}");
            let _ = decoder.push(&octets[..at]);
            let back = decoder.take_back();
            let _ = decoder.take_report();
            if let Some(state) = decoder.state() {
                let mut other = Decoder::resume(charset, &options, state).unwrap();
                let [one, two] = [&mut decoder, &mut other].map(|decoder| {
                    let mut text = decoder.push(&octets[at - back..]).to_owned();
                    let end = decoder.clone().finish();
                    text += end.as_str();
                    (text, end.report().replacements(), decoder.state())
                });
                assert_eq!(one, two, "{charset} {octets:02X?} at {at}");
            }
            for (number, right) in &numbers {
                let number = number >> right;
                if let Some(mut decoder) = Decoder::resume(charset, &options, number) {
                    assert_eq!(decoder.state(), Some(number), "{charset}");
                    let _ = decoder.push(&octets);
                    let _ = decoder.finish();
                }
            }
        }
    }

    #[test]
    fn every_decoder_reads_ascii(octets in chosen(4, "[ -~\r\n\t]{0,40}".prop_map(String::into_bytes))) {
        laws::charset(&octets);
    }

    #[test]
    fn decoders_agree_with_encoding_rs(octets in chosen(2, octets())) {
        laws::encoding_rs(&octets);
    }

    #[test]
    fn transfer_encodings(octets in prop_oneof![octets(), body(), message()]) {
        laws::transfer(&octets);
    }

    #[test]
    fn reading_text(octets in page()) {
        laws::reading(&octets);
    }

    #[test]
    fn uuencode(octets in prop_oneof![octets(), body(), message()]) {
        laws::uuencode(&octets);
    }

    #[test]
    fn fields_of_mime(body in body()) {
        laws::content_type(&body);
    }

    #[test]
    fn fields(body in chosen(1, body())) {
        laws::field(&body);
    }

    #[test]
    fn addresses(body in body()) {
        laws::addresses(&body);
    }

    #[test]
    fn identifiers(body in body()) {
        laws::identifiers(&body);
    }

    #[test]
    fn dates(body in prop_oneof![body(), date()]) {
        laws::date(&body);
    }

    #[test]
    fn written_fields(text in chosen(1, prop_oneof![octets(), body()])) {
        laws::encode(&text);
    }
}

proptest! {
    // Each of these reads its octets many times.
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn decisions(octets in chosen(14, octets())) {
        laws::decide(&octets);
    }

    #[test]
    fn guesses(octets in octets()) {
        laws::detect(&octets);
    }

    #[test]
    fn messages(source in message()) {
        laws::message(&source);
    }

    #[test]
    fn conversions(source in chosen(2, message())) {
        laws::convert(&source);
    }

    #[test]
    #[cfg(feature = "mailparse")]
    fn mailparse_agrees(source in message()) {
        laws::mailparse(&source);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn the_hangul_remap_is_reversible(old in "[\u{3400}-\u{4DFF}]{1,12}") {
        let decoded = Charset::UNICODE_1_1_UTF_8.decode(old.as_bytes());
        let back: Option<String> = decoded.as_str().chars().map(hangul::before_amendment5).collect();
        prop_assert_eq!(back, Some(old));
    }

    #[test]
    fn damage_around_a_label_never_yields_another(
        charset in prop::sample::select(Charset::all().collect::<Vec<_>>()),
        at in any::<prop::sample::Index>(),
        before in "[\"'=<. ]{0,3}", after in "[\"';>,. ]{0,3}",
    ) {
        let labels: Vec<_> = charset.labels().collect();
        let label = at.get(&labels);
        let resolved = resolve(&Label::new(&format!("{before}{label}{after}")));
        prop_assert!(resolved.charset.is_none_or(|found| found == charset));
        // `=8bit` could be quoted-printable for an octet and `it`, and may be left alone.
        let digits = label.bytes().take(2).filter(u8::is_ascii_hexdigit).count();
        let is_ambiguous = before.ends_with('=') && digits == 2;
        if label.len() > 3 && !is_ambiguous {
            prop_assert_eq!(resolved.charset, Some(charset));
        }
    }
}

/// Every charset that contains ASCII borrows it.
#[test]
fn every_charset_borrows_ascii() {
    for number in 0..u16::try_from(Charset::all().count()).unwrap() {
        for octet in 0..=255 {
            let [high, low] = number.to_be_bytes();
            laws::charset(&[high, low, 0, octet, octet, b'a', octet]);
        }
    }
}
