//! Decodes whole texts, and tests whether octets can be decoded.

use std::borrow::Cow;

use super::codec::{SHORT, Sink};
use super::decoded::Decoded;
use super::decoder::Decoder;
use super::families::with_codec;
use super::hangul::HangulPolicy;
use super::options::Options;
use super::registry::{Family, UnicodeForm};
use super::usage::Usage;
use super::value::Charset;
use super::{sets, web};
use crate::report::Report;
use crate::work::work;

impl Charset {
    /// The text of `octets`, with default [`Options`].
    ///
    /// Malformed octets become U+FFFD and a finding of kind
    /// [`Kind::Malformed`](crate::Kind::Malformed), with its offset in `octets`. A byte order mark
    /// is an ordinary character, except in UTF-16 and UTF-32. Valid UTF-8 is borrowed, and so is
    /// ASCII in every charset that contains it.
    ///
    /// ```
    /// use mime_charset::Charset;
    ///
    /// let euc_kr = Charset::for_label("euc-kr").unwrap();
    /// assert_eq!(euc_kr.decode(b"\xC7\xD1\xB1\xB9\xBE\xEE").as_str(), "한국어");
    /// ```
    #[must_use]
    #[inline]
    pub fn decode(self, octets: &[u8]) -> Decoded<'_> {
        self.decode_with(octets, &Options::new())
    }

    /// The text of `octets`, decoded by `options`: [`Options::hangul`], [`Options::as_registered`],
    /// [`Options::assume_pre_amendment5`] and [`Options::jis_roman_as_ascii`]. The other options are for
    /// [`decode`](crate::decode).
    ///
    /// ```
    /// use mime_charset::{Charset, Options, hangul::HangulPolicy};
    ///
    /// let old = "\u{3CA2}\u{3476}\u{3971}".as_bytes();
    /// let never = Options::new().hangul(HangulPolicy::Never);
    /// assert_eq!(Charset::UNICODE_1_1_UTF_8.decode(old).as_str(), "한국어");
    /// assert_eq!(Charset::UNICODE_1_1_UTF_8.decode_with(old, &never).as_str().as_bytes(), old);
    /// ```
    #[must_use]
    #[inline]
    pub fn decode_with<'a>(self, octets: &'a [u8], options: &Options) -> Decoded<'a> {
        match self.unchanged(octets, options) {
            Some((text, charset)) => Decoded::borrowed(text, charset),
            None => self.changed(octets, options),
        }
    }

    /// Like [`decode_with`](Charset::decode_with), but text that differs from the octets is written to
    /// `buffer`, replacing its content.
    #[inline]
    pub(crate) fn decode_into<'a>(
        self,
        octets: &'a [u8],
        options: &Options,
        buffer: &'a mut String,
    ) -> Decoded<'a> {
        if let Some((text, charset)) = self.unchanged(octets, options) {
            return Decoded::borrowed(text, charset);
        }
        buffer.clear();
        let mut report = Report::new();
        let charset = self.append(octets, options, buffer, &mut report);
        Decoded::new(Cow::Borrowed(buffer), charset, report)
    }

    /// Fast path: the octets as text, if they need no decoding and no finding, and their charset.
    ///
    /// The case of UTF-8 is inlined into the caller, since validating the octets of a header takes less
    /// time than a call takes to return its result.
    #[inline]
    fn unchanged<'a>(self, octets: &'a [u8], options: &Options) -> Option<(&'a str, Charset)> {
        work(octets.len());
        if self == Charset::UTF_8 && !options.assume_pre_amendment5 {
            return Some((web::utf8(octets)?, self));
        }
        self.unchanged_in_its_family(octets, options)
    }

    #[inline(never)]
    fn unchanged_in_its_family<'a>(
        self,
        octets: &'a [u8],
        options: &Options,
    ) -> Option<(&'a str, Charset)> {
        let charset = self.read_as(options);
        if options.remaps(charset) {
            return None;
        }
        Some((charset.borrowed(octets)?, charset))
    }

    /// Decodes octets that differ from their text.
    #[inline(never)]
    fn changed(self, octets: &[u8], options: &Options) -> Decoded<'static> {
        /// The smallest block of an allocator.
        const LEAST: usize = 16;
        // For a body, the codec estimates the length better.
        let length = octets.len();
        let mut text = match length {
            ..=SHORT => String::with_capacity(LEAST.max(length + length / 2)),
            _ => String::new(),
        };
        let mut report = Report::new();
        let charset = self.append(octets, options, &mut text, &mut report);
        Decoded::new(Cow::Owned(text), charset, report)
    }

    /// Appends the text of `octets` to `text`, and the findings to `report`. Returning the report by
    /// value would slow a one-word subject down by 8 per cent.
    #[inline]
    pub(crate) fn decode_onto(
        self,
        octets: &[u8],
        options: &Options,
        text: &mut String,
        report: &mut Report,
    ) {
        match self.unchanged(octets, options) {
            Some((plain, _)) => text.push_str(plain),
            None => _ = self.append(octets, options, text, report),
        }
    }

    /// Appends the text of `octets` and the findings. Returns the charset used.
    fn append(
        self,
        octets: &[u8],
        options: &Options,
        text: &mut String,
        report: &mut Report,
    ) -> Charset {
        let charset = self.read_as(options);
        if octets.len() > LONG {
            // Reserve enough, so that neither the text nor a codec has to extend the capacity: a
            // text three times as long as the input would then take three times its memory.
            let estimate = octets.len() + octets.len() / 2 + PIECE;
            text.reserve_exact(charset.max_text_length(octets, options).max(estimate));
        }
        let mut sink = Sink {
            text,
            report,
            base: 0,
        };
        with_codec(charset.about().family, options, |codec| {
            codec.decode(octets, true, &mut sink)
        });
        charset
    }

    /// Whether the octets can be decoded without a U+FFFD for malformed ones.
    pub(crate) fn reads(self, octets: &[u8], options: &Options) -> bool {
        self.reads_with(octets, options, |_| {})
    }

    /// [`reads`](Charset::reads), passing the text to `look`, in pieces if it is long.
    pub(crate) fn reads_with(
        self,
        octets: &[u8],
        options: &Options,
        mut look: impl FnMut(&str),
    ) -> bool {
        if octets.len() <= LONG {
            let decoded = self.decode_with(octets, options);
            look(&decoded.text);
            return decoded.report.replacements() == 0;
        }
        // Without remapping, no text is held back. Remapping does not change which octets are
        // malformed.
        let options = options.hangul(HangulPolicy::Never);
        let mut decoder = Decoder::with_options(self, &options);
        work(octets.len());
        let mut pieces = octets.chunks(PIECE);
        let is_read = pieces.all(|piece| {
            look(decoder.push(piece));
            decoder.report.replacements() == 0
        });
        if !is_read {
            return false;
        }
        let rest = decoder.finish();
        look(&rest.text);
        rest.report.replacements() == 0
    }

    /// Whether octets decode to the same text in both charsets. Compares the texts piece by piece.
    pub(crate) fn reads_as(self, other: Charset, octets: &[u8], options: &Options) -> bool {
        let mut decoders = [self, other].map(|charset| Decoder::with_options(charset, options));
        work(2 * octets.len());
        let (mut one, mut next) = (String::new(), String::new());
        for piece in octets.chunks(PIECE) {
            let [first, second] = &mut decoders;
            one.push_str(first.push(piece));
            next.push_str(second.push(piece));
            let common = one.len().min(next.len());
            if one.as_bytes().get(..common) != next.as_bytes().get(..common) {
                return false;
            }
            // The common prefix ends at a character boundary in both texts.
            one.drain(..common);
            next.drain(..common);
        }
        let [first, second] = decoders.map(Decoder::finish);
        one + first.as_str() == next + second.as_str()
    }

    /// An upper bound of the length of a long text.
    fn max_text_length(self, octets: &[u8], options: &Options) -> usize {
        let is_at_most_three = !matches!(self.about().family, Family::Tscii | Family::MacHebrew);
        if self.is_ascii_superset() && is_at_most_three {
            // U+FFFD and most characters that are not ASCII have three octets.
            let above = count_of(octets, |octet| !octet.is_ascii());
            return octets.len() + 2 * above;
        }
        // Remapping does not change the length.
        let options = options.hangul(HangulPolicy::Never);
        let mut decoder = Decoder::with_options(self, &options);
        let pieces = octets.chunks(PIECE);
        let length: usize = pieces.map(|piece| decoder.push(piece).len()).sum();
        length + decoder.finish().text.len()
    }

    /// The charset to decode with.
    pub(crate) fn read_as(self, options: &Options) -> Charset {
        match options.usage {
            Usage::AsPractised => self.as_practised(),
            Usage::AsRegistered => self,
        }
    }

    /// The octets, if they equal the text.
    fn borrowed(self, octets: &[u8]) -> Option<&str> {
        match self.about().family {
            Family::Unicode(UnicodeForm::Utf8) => web::utf8(octets),
            // Text without Hangul under a Unicode 1.1 label needs a finding.
            Family::Unicode11(_) => None,
            Family::Iso2022(variant)
                if variant.starts_in_ascii()
                    && sets::is_plain_ascii(octets)
                    && !(variant.is_japanese() && octets.contains(&b'$')) =>
            {
                web::utf8(octets)
            }
            // Checking the octets is cheaper than checking the family.
            _ if octets.is_ascii() && self.is_ascii_superset() => web::utf8(octets),
            _ => None,
        }
    }
}

/// Above this length, memory is reserved for the exact length of the text.
const LONG: usize = 2 << 20;

/// The number of octets of a long text decoded at a time.
const PIECE: usize = 64 << 10;

/// The number of octets that satisfy `predicate`. The inner counter is one octet wide, for runs of 255, so
/// that the loop compiles to vector instructions.
pub(crate) fn count_of(octets: &[u8], predicate: impl Fn(u8) -> bool) -> usize {
    let of = |octets: &[u8]| {
        let count = octets.iter().fold(0_u8, |count, &octet| {
            count.wrapping_add(u8::from(predicate(octet)))
        });
        usize::from(count)
    };
    octets.chunks(usize::from(u8::MAX)).map(of).sum()
}

/// Whether any octet is `wanted`. Tests a block of octets in one step of vector code. The last block may
/// overlap the previous one, and a short input is padded to a block.
pub(crate) fn has_any(octets: &[u8], wanted: impl Fn(u8) -> bool) -> bool {
    const BLOCK: usize = 16;
    let (blocks, rest) = octets.as_chunks::<BLOCK>();
    let last = octets.last_chunk().copied().or_else(|| {
        let mut padded = [*rest.first()?; BLOCK];
        padded.get_mut(..rest.len())?.copy_from_slice(rest);
        Some(padded)
    });
    let mut any = [0; BLOCK];
    for block in blocks.iter().chain(&last) {
        for (any, &octet) in any.iter_mut().zip(block) {
            *any |= u8::from(wanted(octet));
        }
    }
    any != [0; BLOCK]
}

#[cfg(test)]
mod tests {
    use super::{Charset, Options, Report};

    #[test]
    fn appending_equals_decoding() {
        let options = Options::new();
        let high: Vec<u8> = (0x80..=0xFF).collect();
        for charset in Charset::all() {
            for octets in [&b"a"[..], b"\xC7\xD1", b"\x1B$B8l\x1B(B", b"+rB0-", &high] {
                let decoded = charset.decode_with(octets, &options);
                let mut text = String::from("é");
                let mut report = Report::new();
                charset.decode_onto(octets, &options, &mut text, &mut report);
                assert_eq!(&report, decoded.report(), "{charset}");
                assert_eq!(text, format!("é{}", decoded.as_str()), "{charset}");
            }
        }
    }
}
