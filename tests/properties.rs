//! What holds for any octets under any charset, and for any label.

use std::borrow::Cow;

use mime_charset::charset::{Decoder, Matched, resolve};
use mime_charset::hangul::{self, HangulPolicy};
use mime_charset::utf8::{self, Profile};
use mime_charset::{Charset, Decoded, Label, Options, Reading, Within};
use proptest::prelude::*;

fn any_charset() -> impl Strategy<Value = Charset> {
    prop::sample::select(Charset::all().collect::<Vec<_>>())
}

/// The charsets with a state machine of their own, or one behind another door.
fn stateful_charset() -> impl Strategy<Value = Charset> {
    let labels = [
        "utf-8",
        "unicode-1-1-utf-8",
        "us-ascii",
        "windows-1252",
        "euc-kr",
        "shift_jis",
        "big5",
        "gb18030",
        "euc-jp",
        "iso-2022-jp",
        "iso-2022-kr",
        "hz-gb-2312",
        "utf-16be",
        "utf-16le",
        "unknown-8bit",
    ];
    prop::sample::select(
        labels
            .map(|label| Charset::for_label(label).unwrap())
            .to_vec(),
    )
}

fn any_options() -> impl Strategy<Value = Options> {
    let policies = [
        HangulPolicy::Auto,
        HangulPolicy::Always,
        HangulPolicy::Never,
    ];
    let readings = [Reading::AsPractised, Reading::AsRegistered];
    (
        prop::sample::select(policies.to_vec()),
        prop::sample::select(readings.to_vec()),
        any::<bool>(),
        any::<bool>(),
    )
        .prop_map(|(policy, reading, assume, roman)| {
            Options::new()
                .hangul(policy)
                .reading(reading)
                .assume_pre_amendment5(assume)
                .jis_roman_as_ascii(roman)
        })
}

/// Octets as broken mail has them: noise, text, escapes, pieces of sequences.
fn octets() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        3 => prop::collection::vec(any::<u8>(), 0..8),
        3 => any::<char>().prop_map(|character| character.to_string().into_bytes()),
        2 => "[a-z \r\n]{0,6}".prop_map(String::into_bytes),
        2 => "[\u{3400}-\u{4DFF}\u{AC00}-\u{D7A3}]{1,3}".prop_map(String::into_bytes),
        2 => prop::collection::vec(0xA1..=0xFE_u8, 0..5),
        1 => prop::sample::select(vec![
            b"\x1B$B".to_vec(), b"\x1B(B".to_vec(), b"\x1B$)C".to_vec(), b"\x1B(J".to_vec(),
            b"\x0E".to_vec(), b"\x0F".to_vec(), b"~{".to_vec(), b"~}".to_vec(), b"\x1B".to_vec(),
            b"\xEF\xBB\xBF".to_vec(), b"\xFF\xFE".to_vec(), b"\xFE\xFF".to_vec(),
            b"\xF0\x9F".to_vec(), b"\xED\xA0\x80".to_vec(), b"+ADw-".to_vec(), b"\0".to_vec(),
        ]),
    ];
    prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

/// Findings about the octets lie inside them, and those of one kind stand in order.
fn findings_are_in_place(decoded: &Decoded<'_>, length: usize) -> Result<(), TestCaseError> {
    let mut reached = 0;
    for finding in decoded.report().findings() {
        prop_assert_eq!(finding.within(), Within::Octets);
        prop_assert!(finding.offset() + finding.length() <= length, "{}", finding);
        if finding.kind() == mime_charset::Kind::Malformed {
            prop_assert!(finding.offset() >= reached, "{}", finding);
            reached = finding.offset() + finding.length();
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn any_octets_decode_under_any_charset(
        charset in any_charset(), options in any_options(), octets in octets(),
    ) {
        let decoded = charset.decode_with(&octets, &options);
        findings_are_in_place(&decoded, octets.len())?;
        let replacements = decoded.text().matches('\u{FFFD}').count();
        prop_assert!(decoded.report().replacements() <= replacements);
        prop_assert_eq!(decoded.report().has_loss(), decoded.report().replacements() > 0);
    }

    #[test]
    fn any_cutting_gives_the_same(
        charset in any_charset(), stateful in stateful_charset(), options in any_options(),
        octets in octets(), sizes in prop::collection::vec(0..9_usize, 1..20),
    ) {
        for charset in [charset, stateful] {
            let whole = charset.decode_with(&octets, &options);
            let mut decoder = Decoder::with_options(charset, &options);
            let mut text = String::new();
            let mut rest = octets.as_slice();
            for &size in sizes.iter().cycle().take(octets.len() + sizes.len()) {
                let (piece, after) = rest.split_at(size.min(rest.len()));
                text += decoder.push(piece);
                rest = after;
            }
            text += decoder.push(rest);
            let last = decoder.finish();
            text += last.text();
            prop_assert_eq!(&text, whole.text(), "{:?}", charset);
            prop_assert_eq!(last.report(), whole.report(), "{:?}", charset);
        }
    }

    #[test]
    fn ascii_is_borrowed_wherever_it_is_text(charset in any_charset(), text in "[ -~\r\n\t]{0,40}") {
        if charset.is_ascii_superset() && !charset.name().starts_with("UNICODE-1-1") {
            let decoded = charset.decode(text.as_bytes());
            prop_assert_eq!(decoded.text(), &text);
            prop_assert!(matches!(decoded.into_text(), Cow::Borrowed(_)));
        }
    }

    #[test]
    fn utf_8_that_is_valid_is_borrowed(text in any::<String>()) {
        let octets = text.as_bytes();
        prop_assert_eq!(utf8::decode(octets), Ok(&*text));
        prop_assert!(matches!(utf8::decode_lossy(octets), Cow::Borrowed(_)));
        prop_assert_eq!(utf8::malformed(octets).next(), None);
        let decoded = Charset::UTF_8.decode(octets);
        prop_assert!(decoded.report().is_empty());
        let Cow::Borrowed(borrowed) = decoded.into_text() else {
            return Err(TestCaseError::fail("owned"));
        };
        prop_assert_eq!(borrowed.as_ptr(), octets.as_ptr());
    }

    #[test]
    fn utf_8_that_is_not_is_replaced_as_others_do(octets in octets()) {
        let expected = String::from_utf8_lossy(&octets);
        let decoded = Charset::UTF_8.decode(&octets);
        prop_assert_eq!(decoded.text(), &*expected);
        prop_assert_eq!(&*utf8::decode_lossy(&octets), &*expected);
        let (web, _) = encoding_rs::UTF_8.decode_without_bom_handling(&octets);
        prop_assert_eq!(&*web, &*expected);
        let first = std::str::from_utf8(&octets).err().map(|error| error.valid_up_to());
        prop_assert_eq!(utf8::decode(&octets).err().map(|m| m.offset()), first);
    }

    #[test]
    fn values_go_out_and_come_back(values in prop::collection::vec(any::<u32>(), 0..9)) {
        for profile in [Profile::Rfc2044, Profile::Rfc2279, Profile::Rfc3629] {
            let legal = |value: &u32| {
                *value <= profile.max_value() && !(0xD800..=0xDFFF).contains(value)
            };
            let encoded = profile.encode(&values);
            prop_assert_eq!(
                encoded.as_ref().err().and_then(mime_charset::Error::offset),
                values.iter().position(|value| !legal(value))
            );
            if let Ok(octets) = encoded {
                prop_assert_eq!(profile.decode(&octets), Ok(values.clone()));
            }
        }
    }

    #[test]
    fn the_remap_has_a_way_back(old in "[\u{3400}-\u{4DFF}]{1,12}") {
        let decoded = Charset::UNICODE_1_1_UTF_8.decode(old.as_bytes());
        let back: Option<String> = decoded.text().chars().map(hangul::before_amendment5).collect();
        prop_assert_eq!(back, Some(old));
    }

    #[test]
    fn any_label_names_a_charset_of_the_list_or_none(label in prop::collection::vec(any::<u8>(), 0..300)) {
        let resolved = resolve(&Label::new(&label));
        prop_assert_eq!(resolved.charset().is_none(), resolved.matched() == Matched::Unknown);
        prop_assert_eq!(resolved.label().and_then(Charset::for_label), resolved.charset());
    }

    #[test]
    fn damage_around_a_label_never_makes_it_another(
        charset in any_charset(), at in any::<prop::sample::Index>(),
        before in "[\"'=<. ]{0,3}", after in "[\"';>,. ]{0,3}",
    ) {
        let labels: Vec<_> = charset.labels().collect();
        let label = at.get(&labels);
        let resolved = resolve(&Label::new(&format!("{before}{label}{after}")));
        prop_assert!(resolved.charset().is_none_or(|found| found == charset));
        // `=8bit` could be quoted-printable for an octet and `it`: it may be left alone.
        let digits = label.bytes().take(2).filter(u8::is_ascii_hexdigit).count();
        let is_ambiguous = before.ends_with('=') && digits == 2;
        if label.len() > 3 && !is_ambiguous {
            prop_assert_eq!(resolved.charset(), Some(charset));
        }
    }
}
