//! Labels, all variants of UTF-8, and the decoder of every charset.

use std::borrow::Cow;
use std::sync::LazyLock;

use encoding_rs::Encoding;
use mime_charset::charset::{Decoder, Matched, resolve};
use mime_charset::hangul::HangulPolicy;
use mime_charset::utf8::{self as forms, Profile};
use mime_charset::{Charset, Kind, Label, Options};

use super::{Choices, Drawn, assert_in_range, assert_no_overlap, most_text};

static ALL: LazyLock<Vec<Charset>> = LazyLock::new(|| Charset::all().collect());

/// Any octets name a listed charset or none, in any case and with any blanks.
pub fn label(octets: &[u8]) {
    let resolved = resolve(&Label::new(octets));
    let charset = resolved.charset;
    assert_eq!(charset.is_none(), resolved.matched == Matched::Unknown);
    assert_eq!(resolved.label.and_then(Charset::for_label), charset);
    assert!(charset.is_none_or(|charset| ALL.contains(&charset)));
    let exact = str::from_utf8(octets).ok().and_then(Charset::for_label);
    assert_eq!(exact.is_some(), resolved.matched == Matched::Exact);
    assert!(exact.is_none() || exact == charset);
    assert!(resolved.detail().len() < 1024);

    // An encoded word in base64 is case-sensitive: another case decodes to something else.
    let in_base64 = |octets: &[u8]| octets.eq_ignore_ascii_case(b"?b?");
    if !octets.windows(3).any(in_base64) {
        let upper = resolve(&Label::new(&octets.to_ascii_uppercase())).charset;
        let lower = resolve(&Label::new(&octets.to_ascii_lowercase())).charset;
        assert_eq!((upper, lower), (charset, charset), "its case");
    }
    let padded = [b" \t", octets, b"\r\n "].concat();
    assert_eq!(resolve(&Label::new(&padded)).charset, charset, "its blanks");
    if let Ok(name) = std::str::from_utf8(octets) {
        let typed = name.parse::<Charset>().ok();
        let plain = matches!(resolved.matched, Matched::Exact | Matched::Loose);
        assert_eq!(typed, charset.filter(|_| plain));
    }
}

/// UTF-8, its three profiles and its variants, compared with the standard library and with a naive
/// implementation of the table in RFC 2279, section 2.
pub fn utf8(octets: &[u8]) {
    let std = std::str::from_utf8(octets);
    match (forms::decode(octets), std) {
        (Ok(text), Ok(expected)) => {
            assert_eq!(text.as_ptr(), octets.as_ptr());
            assert_eq!(text, expected);
        }
        (Err(malformed), Err(error)) => assert_eq!(malformed.offset, error.valid_up_to()),
        (found, _) => panic!("{found:?}, and not so for the standard library"),
    }
    let lossy = forms::decode_lossy(octets);
    assert_eq!(lossy, String::from_utf8_lossy(octets));
    assert_eq!(matches!(lossy, Cow::Borrowed(_)), std.is_ok());
    let mut rebuilt = String::new();
    let mut reached = 0;
    for malformed in forms::malformed(octets) {
        let valid = &octets[reached..malformed.offset];
        rebuilt += std::str::from_utf8(valid).unwrap();
        rebuilt.push('\u{FFFD}');
        reached = malformed.offset + malformed.length;
    }
    rebuilt += std::str::from_utf8(&octets[reached..]).unwrap();
    assert_eq!(rebuilt, lossy);

    let values: Vec<u32> = octets
        .chunks_exact(4)
        .map(|chunk| u32::from_be_bytes(chunk.try_into().unwrap()))
        .collect();
    for profile in [Profile::Rfc2044, Profile::Rfc2279, Profile::Rfc3629] {
        let decoded = profile.decode(octets);
        match (&decoded, naive(octets, profile)) {
            (Ok(values), Ok(expected)) => assert_eq!(*values, expected),
            (Err(malformed), Err(at)) => assert_eq!(malformed.offset, at),
            (found, expected) => panic!("{profile:?}: {found:?}, expected {expected:?}"),
        }
        if let Ok(values) = decoded {
            assert_eq!(profile.encode(&values).unwrap(), octets);
        }
        let legal =
            |&value: &u32| value <= profile.max_value() && !(0xD800..=0xDFFF).contains(&value);
        match profile.encode(&values) {
            Ok(octets) => assert_eq!(profile.decode(&octets).as_ref(), Ok(&values)),
            Err(error) => {
                let at = values.iter().position(|value| !legal(value));
                assert_eq!(error.offset(), at);
                assert!(at.is_some());
            }
        }
    }
}

/// The values, or the offset of the first malformed sequence.
fn naive(octets: &[u8], profile: Profile) -> Result<Vec<u32>, usize> {
    let mut values = Vec::new();
    let mut at = 0;
    while at < octets.len() {
        let lead = octets[at];
        let length = match lead.leading_ones() {
            0 => 1,
            ones @ 2..=6 => ones as usize,
            _ => return Err(at),
        };
        let sequence = octets.get(at..at + length).ok_or(at)?;
        let mut value = match length {
            1 => u32::from(lead),
            _ => u32::from(lead) & ((1 << (7 - length)) - 1),
        };
        for &octet in &sequence[1..] {
            if octet & 0xC0 != 0x80 {
                return Err(at);
            }
            value = value << 6 | u32::from(octet & 0x3F);
        }
        let shortest = match value {
            0..=0x7F => 1,
            0x80..=0x7FF => 2,
            0x800..=0xFFFF => 3,
            0x1_0000..=0x1F_FFFF => 4,
            0x20_0000..=0x3FF_FFFF => 5,
            _ => 6,
        };
        if length != shortest || value > profile.max_value() || value & 0xFFFF_F800 == 0xD800 {
            return Err(at);
        }
        values.push(value);
        at += length;
    }
    Ok(values)
}

/// Every charset's decoder: whole equals pieces, findings are in range, losses are reported, and
/// unchanged text is borrowed.
pub fn charset(octets: &[u8]) {
    let mut choices = Choices::new(octets);
    let charset = choices.of(&ALL);
    let options = options(&mut choices);
    let mut sizes = Drawn(u64::from(choices.octet()));
    let octets = choices.rest();

    let whole = charset.decode_with(octets, &options);
    assert_in_range(whole.report(), 0, octets.len());
    // A letter of a UTF-7 run has bits of two characters.
    if !whole.charset().name().contains("UTF-7") {
        assert_no_overlap(whole.report());
    }
    let replacements = whole.report().replacements();
    assert!(replacements <= whole.as_str().matches('\u{FFFD}').count());
    assert_eq!(whole.report().has_loss(), replacements > 0);
    assert!(whole.as_str().len() <= most_text(whole.charset(), octets.len()));
    assert_eq!(whole, charset.decode_with(octets, &options));

    let mut decoder = Decoder::with_options(charset, &options);
    let mut text = String::new();
    let mut rest = octets;
    while !rest.is_empty() {
        let (piece, after) = rest.split_at(sizes.below(7).min(rest.len()));
        text += decoder.push(piece);
        rest = after;
    }
    let last = decoder.finish();
    text += last.as_str();
    assert_eq!(text, whole.as_str(), "{charset} in pieces");
    assert_eq!(last.report(), whole.report(), "{charset} in pieces");
    assert_eq!(last.charset(), whole.charset());

    let as_practised = whole.charset();
    let is_unicode_11 = as_practised.name().starts_with("UNICODE-1-1")
        || options != options.assume_pre_amendment5(false);
    if octets.is_ascii() && as_practised.is_ascii_superset() {
        assert_eq!(whole.as_str().as_bytes(), octets);
    }
    if let Ok(text) = std::str::from_utf8(octets)
        && (charset == Charset::UTF_8 || text.is_ascii() && as_practised.is_ascii_superset())
        && !is_unicode_11
    {
        assert_eq!(whole.as_str(), text);
        assert!(whole.report().is_empty());
        let borrowed = matches!(whole.into_text(), Cow::Borrowed(_));
        assert!(borrowed, "{charset}");
    }
}

fn options(choices: &mut Choices<'_>) -> Options {
    let octet = choices.octet();
    let bit = |number: u8| octet >> number & 1 == 1;
    let policies = [
        HangulPolicy::Auto,
        HangulPolicy::Always,
        HangulPolicy::Never,
        HangulPolicy::Auto,
    ];
    Options::new()
        .hangul(policies[usize::from(octet & 3)])
        .as_registered(bit(2))
        .assume_pre_amendment5(bit(3))
        .jis_roman_as_ascii(bit(4))
        .keep_bom(bit(5))
}

/// Text that `encoding_rs` decodes without an error under these names is decoded to the same text.
pub fn encoding_rs(octets: &[u8]) {
    let mut choices = Choices::new(octets);
    let (charset, encoding) = choices.of(&AGREEING);
    let octets = choices.rest();
    let options = Options::new().keep_bom(true);
    let ours = charset.decode_with(octets, &options);
    let theirs = encoding.decode_without_bom_handling_and_without_replacement(octets);
    if let Some(theirs) = theirs {
        assert_eq!(ours.as_str(), theirs, "{charset}");
        assert_eq!(ours.report().replacements(), 0, "{charset}");
    } else if !reads_more(charset, octets) {
        assert!(ours.report().has(Kind::Malformed), "{charset}");
    }
}

/// Text that the web's decoder wrongly rejects: in ISO-2022-JP the further sets, in EUC-KR the
/// postal mark of KS X 1001:2002, and in EUC-JP IBM's characters after JIS X 0212, which eucJP-ms
/// and Windows have.
fn reads_more(charset: Charset, octets: &[u8]) -> bool {
    let has = |is_one: fn(&[u8]) -> bool| octets.windows(2).any(is_one);
    match charset.name() {
        "ISO-2022-JP" => octets
            .iter()
            .any(|octet| b"\x0E\x0F\x1B".contains(octet) || !octet.is_ascii()),
        "EUC-KR" => has(|pair| pair == b"\xA2\xE8"),
        "EUC-JP" => has(|pair| matches!(pair, [0x8F, 0xF3 | 0xF4])),
        _ => false,
    }
}

/// The charsets known to both by the same name.
static AGREEING: LazyLock<Vec<(Charset, &'static Encoding)>> = LazyLock::new(|| {
    ALL.iter()
        .filter_map(|&charset| {
            let encoding = Encoding::for_label(charset.name().as_bytes())?;
            let same = encoding.name().eq_ignore_ascii_case(charset.name());
            same.then_some((charset, encoding))
        })
        .collect()
});
