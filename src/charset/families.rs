//! Maps families of charsets to decoders.

use super::codec::{Codec, Sink};
use super::octet_order::OrderCodec;
use super::options::Options;
use super::registry::{Family, UnicodeForm};
use super::usage::Usage;
use super::{
    big5, cesu8, euc_jp, euc_kr, euc_tw, gb, hz, iso2022, jisx0213, shift_jis, single_byte,
    unicode11, utf7, utf8_codec, utf16, utf32,
};
#[cfg(feature = "legacy")]
use super::{bocu1, emacs_mule, iscii, iso6937, johab, mac_hebrew, scsu, tscii, utf1, viqr};
use crate::report::Kind;

/// Runs `task` with the codec of a family.
pub(super) fn with_codec<W: WithCodec>(family: Family, options: &Options, task: W) -> W::Output {
    match family {
        Family::Undecoded(_) => task.with(UNDECODED),
        Family::Ascii => task.with(AsciiCodec {
            kind: Kind::Malformed,
        }),
        Family::Unicode(unicode) if !options.assume_pre_amendment5 => {
            with_form(unicode, options, task)
        }
        Family::Unicode(unicode) | Family::Unicode11(unicode) => {
            let is_labelled = matches!(family, Family::Unicode11(_));
            let form = with_form(unicode, options, Boxed);
            let policy = options.hangul;
            task.with(unicode11::wrap(unicode, form, policy, is_labelled))
        }
        Family::Big5 => task.with(big5::codec(options.usage)),
        Family::Big5Hkscs => task.with(big5::hkscs()),
        Family::EucJp { microsoft } => task.with(euc_jp::codec(options.usage, microsoft)),
        Family::EucJis2004 => task.with(jisx0213::euc()),
        Family::EucKr => task.with(euc_kr::codec(options.usage)),
        Family::EucTw => task.with(euc_tw::codec()),
        Family::Gb2312 if options.usage == Usage::AsRegistered => {
            task.with(gb::gb2312_as_registered())
        }
        Family::Gbk if options.usage == Usage::AsRegistered => task.with(gb::gbk_as_registered()),
        Family::Gb2312 | Family::Gbk | Family::Gb18030 => task.with(gb::gb18030(options.usage)),
        Family::Hz => task.with(hz::HzCodec::new(options.usage)),
        Family::Iso2022(variant) => task.with(iso2022::Iso2022Codec::new(
            variant,
            options.usage,
            options.jis_roman_as_ascii,
        )),
        Family::IsoIr165 => task.with(gb::iso_ir_165()),
        Family::ShiftJis { microsoft } => task.with(shift_jis::codec(options.usage, microsoft)),
        Family::ShiftJis2004 => task.with(jisx0213::shift_jis()),
        Family::SingleByte(set) => task.with(single_byte::codec(
            set,
            options.usage,
            options.jis_roman_as_ascii,
        )),
        Family::Accents(_)
        | Family::EmacsMule
        | Family::Gb12345
        | Family::Iscii(_)
        | Family::Johab
        | Family::MacHebrew
        | Family::Tscii
        | Family::Viqr => with_legacy(family, options, task),
    }
}

/// [`with_codec`] for families of the feature `legacy`.
#[cfg(feature = "legacy")]
fn with_legacy<W: WithCodec>(family: Family, options: &Options, task: W) -> W::Output {
    match family {
        Family::Accents(set) => task.with(iso6937::AccentCodec::new(set, options.usage)),
        Family::EmacsMule => task.with(emacs_mule::EmacsMuleCodec),
        Family::Gb12345 => task.with(gb::gb12345()),
        Family::Iscii(script) => task.with(iscii::IsciiCodec::new(script, options.usage)),
        Family::Johab => task.with(johab::codec()),
        Family::MacHebrew => task.with(mac_hebrew::MacHebrewCodec::new(options.usage)),
        Family::Tscii => task.with(tscii::TsciiCodec),
        Family::Viqr => task.with(viqr::ViqrCodec::default()),
        _ => task.with(UNDECODED),
    }
}

/// Unreachable: without the feature no charset has these families.
#[cfg(not(feature = "legacy"))]
fn with_legacy<W: WithCodec>(_family: Family, _options: &Options, task: W) -> W::Output {
    task.with(UNDECODED)
}

/// Runs `task` with the codec of a form of Unicode.
fn with_form<W: WithCodec>(form: UnicodeForm, options: &Options, task: W) -> W::Output {
    match form {
        #[cfg(feature = "legacy")]
        UnicodeForm::Bocu1 => task.with(bocu1::Bocu1Codec::new()),
        #[cfg(not(feature = "legacy"))]
        UnicodeForm::Bocu1 | UnicodeForm::Scsu | UnicodeForm::Utf1 => task.with(UNDECODED),
        UnicodeForm::Cesu8 => task.with(cesu8::Cesu8Codec::new(options.usage)),
        #[cfg(feature = "legacy")]
        UnicodeForm::Scsu => task.with(scsu::ScsuCodec::new()),
        #[cfg(feature = "legacy")]
        UnicodeForm::Utf1 => task.with(utf1::Utf1Codec),
        UnicodeForm::Utf7(dialect) => task.with(utf7::Utf7Codec::new(dialect)),
        UnicodeForm::Utf8 => task.with(utf8_codec::Utf8Codec),
        UnicodeForm::Utf16(declared) => {
            task.with(OrderCodec::<utf16::Utf16>::new(declared, options.bom))
        }
        UnicodeForm::Utf32(declared) => {
            task.with(OrderCodec::<utf32::Utf32>::new(declared, options.bom))
        }
    }
}

/// A task for any codec.
pub(super) trait WithCodec {
    type Output;

    fn with(self, codec: impl Codec + 'static) -> Self::Output;
}

/// Boxes the codec for a decoder.
pub(super) struct Boxed;

impl WithCodec for Boxed {
    type Output = Box<dyn Codec>;

    fn with(self, codec: impl Codec + 'static) -> Box<dyn Codec> {
        Box::new(codec)
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
