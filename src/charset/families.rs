//! Maps families of charsets to decoders.

use super::codec::{Codec, Sink};
use super::octet_order::OrderCodec;
use super::options::Options;
use super::registry::{Family, UnicodeForm};
#[cfg(feature = "legacy")]
use super::{bocu1, emacs_mule, iscii, iso6937, mac_hebrew, scsu, tscii, utf1, viqr};
use super::{cesu8, hz, iso2022, single_byte, unicode11, utf7, utf8_codec, utf16, utf32};
use crate::report::Kind;

/// Runs `task` with the codec of a family. The codec is on the stack: allocating it takes longer than
/// decoding a subject.
pub(super) fn with_codec<R>(
    family: Family,
    options: &Options,
    task: impl FnOnce(&mut dyn Codec) -> R,
) -> R {
    match family {
        Family::Undecoded(_) => task(&mut { UNDECODED }),
        Family::Ascii => task(&mut AsciiCodec {
            kind: Kind::Malformed,
        }),
        Family::Unicode(unicode) if !options.assume_pre_amendment5 => {
            with_form(unicode, options, task)
        }
        Family::Unicode(unicode) | Family::Unicode11(unicode) => {
            let is_labelled = matches!(family, Family::Unicode11(_));
            let form = with_form(unicode, options, |form| form.clone_boxed());
            let policy = options.hangul;
            task(&mut *unicode11::wrap(unicode, form, policy, is_labelled))
        }
        Family::Pairs(codec) => task(&mut codec(options.usage)),
        Family::Hz => task(&mut hz::HzCodec::new(options.usage)),
        Family::Iso2022(variant) => task(&mut iso2022::Iso2022Codec::new(
            variant,
            options.usage,
            options.jis_roman_as_ascii,
        )),
        Family::SingleByte(set) => task(&mut single_byte::codec(
            set,
            options.usage,
            options.jis_roman_as_ascii,
        )),
        Family::Accents(_)
        | Family::EmacsMule
        | Family::Iscii(_)
        | Family::MacHebrew
        | Family::Tscii
        | Family::Viqr => with_legacy(family, options, task),
    }
}

/// [`with_codec`] for families of the feature `legacy`.
#[cfg(feature = "legacy")]
fn with_legacy<R>(family: Family, options: &Options, task: impl FnOnce(&mut dyn Codec) -> R) -> R {
    match family {
        Family::Accents(set) => task(&mut iso6937::AccentCodec::new(set, options.usage)),
        Family::EmacsMule => task(&mut emacs_mule::EmacsMuleCodec),
        Family::Iscii(script) => task(&mut iscii::IsciiCodec::new(script, options.usage)),
        Family::MacHebrew => task(&mut mac_hebrew::MacHebrewCodec::new(options.usage)),
        Family::Tscii => task(&mut tscii::TsciiCodec),
        Family::Viqr => task(&mut viqr::ViqrCodec::default()),
        _ => task(&mut { UNDECODED }),
    }
}

/// Unreachable: without the feature no charset has these families.
#[cfg(not(feature = "legacy"))]
fn with_legacy<R>(
    _family: Family,
    _options: &Options,
    task: impl FnOnce(&mut dyn Codec) -> R,
) -> R {
    task(&mut { UNDECODED })
}

/// Runs `task` with the codec of a form of Unicode.
fn with_form<R>(form: UnicodeForm, options: &Options, task: impl FnOnce(&mut dyn Codec) -> R) -> R {
    match form {
        #[cfg(feature = "legacy")]
        UnicodeForm::Bocu1 => task(&mut bocu1::Bocu1Codec::new()),
        #[cfg(not(feature = "legacy"))]
        UnicodeForm::Bocu1 | UnicodeForm::Scsu | UnicodeForm::Utf1 => task(&mut { UNDECODED }),
        UnicodeForm::Cesu8 => task(&mut cesu8::Cesu8Codec::new(options.usage)),
        #[cfg(feature = "legacy")]
        UnicodeForm::Scsu => task(&mut scsu::ScsuCodec::new()),
        #[cfg(feature = "legacy")]
        UnicodeForm::Utf1 => task(&mut utf1::Utf1Codec),
        UnicodeForm::Utf7(dialect) => task(&mut utf7::Utf7Codec::new(dialect)),
        UnicodeForm::Utf8 => task(&mut utf8_codec::Utf8Codec),
        UnicodeForm::Utf16(declared) => task(&mut OrderCodec::<utf16::Utf16>::new(
            declared,
            options.keeps_bom,
        )),
        UnicodeForm::Utf32(declared) => task(&mut OrderCodec::<utf32::Utf32>::new(
            declared,
            options.keeps_bom,
        )),
    }
}

const UNDECODED: AsciiCodec = AsciiCodec {
    kind: Kind::Undecoded,
};

/// US-ASCII (RFC 2046, section 4.1.2), and the ASCII of charsets without a decoder.
#[derive(Clone)]
struct AsciiCodec {
    /// The finding for an octet above 7F.
    kind: Kind,
}

impl Codec for AsciiCodec {
    fn decode(&mut self, input: &[u8], _last: bool, sink: &mut Sink<'_>) -> usize {
        let what = match self.kind {
            Kind::Undecoded => "octet of a charset without a decoder",
            _ => "octet above 7F",
        };
        let mut at = 0;
        for run in input.chunk_by(|a, b| a.is_ascii() == b.is_ascii()) {
            match std::str::from_utf8(run) {
                Ok(text) if text.is_ascii() => sink.text.push_str(text),
                _ => {
                    for offset in at..at + run.len() {
                        sink.replace(self.kind, sink.base + offset, 1, what);
                    }
                }
            }
            at += run.len();
        }
        input.len()
    }
}
