//! Header fields and their parameters to text (RFC 2047, RFC 2231, RFC 6532).

use std::borrow::Cow;
use std::ops::Range;

use memchr::memmem;

use super::context::{Context, Rest};
use super::contradiction::is_settled;
use super::few::Few;
use super::octets::Octets;
use super::weighing::{Wanted, Weighing, resolved};
use crate::charset::{self, Charset, Decoded, Matched, Options, Origin, utf8};
use crate::detect::{
    self, Guess, Likeness, OUTWEIGHS_A_GUESS, OUTWEIGHS_A_LABEL, OUTWEIGHS_NOTHING,
};
use crate::header::{
    self, CleanPiece, CleanPieces, CleanWord, EncodedWord, LoneWords, MAX_WORD, Piece, Place,
    PlainAddresses, Syntax, WordEncoding,
};
use crate::label::Label;
use crate::report::{Kind, Report, Source, Within};
use crate::transfer;
use crate::work::work;

/// The decoded text of a header field, of a part of one or of a parameter.
///
/// ```
/// use mime_charset::{Kind, Options, decode, header::Syntax};
///
/// let body = b"\xC3\x9Cber =?euc-kr?B?x9Gxub7u?=";
/// let text = decode::field(body, Syntax::Unstructured, &Options::new());
/// assert_eq!(text.text(), "Über 한국어");
/// let charsets: Vec<_> = text.charsets().iter().map(|used| used.charset().name()).collect();
/// assert_eq!(charsets, ["UTF-8", "EUC-KR"]);
/// assert_eq!(text.report().findings()[0].kind(), Kind::RawUtf8);
/// assert_eq!(text.into_owned().into_text(), "Über 한국어");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldText<'a> {
    pub(super) text: Cow<'a, str>,
    pub(super) charsets: Few<CharsetUse>,
    pub(super) report: Report,
}

/// A stretch of a field that was read in one charset, and on whose word.
///
/// ```
/// use mime_charset::{Options, Source, decode, header::Syntax};
///
/// let body = b"Re: =?ks_c_5601-1987?B?x9Gxub7u?=";
/// let text = decode::field(body, Syntax::Unstructured, &Options::new());
/// let used = &text.charsets()[0];
/// assert_eq!((used.offset(), used.length()), (4, 29));
/// assert_eq!((used.charset().name(), used.source()), ("EUC-KR", Source::Declared));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CharsetUse {
    pub(super) offset: usize,
    pub(super) length: usize,
    pub(super) charset: Charset,
    pub(super) source: Source,
}

impl CharsetUse {
    /// How many octets of the source lie before the stretch: of what was decoded, or of the
    /// message where a [`Message`](crate::Message) gave the text.
    #[must_use]
    pub fn offset(&self) -> usize {
        self.offset
    }

    /// How many octets of the source it takes.
    #[must_use]
    pub fn length(&self) -> usize {
        self.length
    }

    /// The charset it was read in.
    #[must_use]
    pub fn charset(&self) -> Charset {
        self.charset
    }

    /// On whose word.
    #[must_use]
    pub fn source(&self) -> Source {
        self.source
    }
}

impl<'a> FieldText<'a> {
    /// The text, exactly: folds are undone, but an encoded word or an extended value may hold
    /// line ends and other controls, which stay, each with a finding
    /// ([`Kind::Control`]). Who writes the text where a line has a
    /// meaning, such as into a header, keeps it on one line first:
    ///
    /// ```
    /// use mime_charset::{Kind, Options, decode, header::Syntax};
    ///
    /// let body = b"=?utf-8?q?hi=0ABcc:_evil@example.org?=";
    /// let text = decode::field(body, Syntax::Unstructured, &Options::new());
    /// assert_eq!(text.text(), "hi\nBcc: evil@example.org");
    /// assert!(text.report().has(Kind::Control));
    /// let ends_a_line = |c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}');
    /// assert_eq!(text.text().replace(ends_a_line, " "), "hi Bcc: evil@example.org");
    /// ```
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text by value, borrowed from the field where nothing had to change.
    #[must_use]
    pub fn into_text(self) -> Cow<'a, str> {
        self.text
    }

    /// Where anything but plain ASCII stood, in what charset, and on whose word, in the order
    /// of the field.
    #[must_use]
    pub fn charsets(&self) -> &[CharsetUse] {
        self.charsets.as_slice()
    }

    /// What was assumed, repaired or lost.
    #[must_use]
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// Whether octets above 7F were read in a charset that is only likely, so that what is around
    /// the field should have a say.
    pub(crate) fn is_guessed(&self) -> bool {
        let is_guess = |used: &CharsetUse| match used.source {
            Source::Detected => true,
            Source::Default => used.charset != Charset::US_ASCII,
            _ => false,
        };
        self.charsets().iter().any(is_guess)
    }

    /// The same with text of its own.
    #[must_use]
    pub fn into_owned(self) -> FieldText<'static> {
        FieldText {
            text: Cow::Owned(self.text.into_owned()),
            charsets: self.charsets,
            report: self.report,
        }
    }

    /// The text of a field without a body.
    pub(crate) const fn nothing() -> Self {
        FieldText {
            text: Cow::Borrowed(""),
            charsets: Few::None,
            report: Report::new(),
        }
    }

    /// Makes offsets count from `base` octets further ahead.
    pub(crate) fn shift(&mut self, base: usize) {
        self.report.shift(base);
        for charset in self.charsets.as_mut_slice() {
            charset.offset += base;
        }
    }
}

/// The text of a field body, unfolded, its encoded words decoded (RFC 2047, section 6;
/// RFC 6532, section 3.2).
///
/// `body` is what stands behind the colon. Words are decoded only where `syntax` allows
/// them, and what they hold is quoted where it could be taken for syntax: an encoded word
/// makes no address, no parameter and no further field. Raw octets are UTF-8 where they are
/// well-formed, or where that outweighs their damage; else in the [`hint`](Options::hint) where
/// it reads them, else windows-1252. A character that a fold cuts in two is one.
/// What a word says is decided as a body is ([`decide`](super::decide)): its label is believed
/// unless the octets prove it wrong, and a label that is unknown or declares nothing leaves the
/// choice to them. A word in a charset that has no decoder stays as it is written. Findings count
/// octets of `body`.
///
/// ```
/// use mime_charset::{Options, decode, header::Syntax};
///
/// let body = b"=?utf-8?Q?Kim=2C?= <kim@example.org>";
/// let text = decode::field(body, Syntax::Addresses, &Options::new());
/// assert_eq!(text.text(), "\"Kim,\" <kim@example.org>");
/// ```
#[must_use]
pub fn field<'a>(body: &'a [u8], syntax: Syntax, options: &Options) -> FieldText<'a> {
    clean_field(body, syntax, options).unwrap_or_else(|| any_field(body, syntax, options))
}

/// The text of any field body.
pub(crate) fn any_field<'a>(body: &'a [u8], syntax: Syntax, options: &Options) -> FieldText<'a> {
    if body.is_ascii() {
        return thorough_field(body, syntax, options);
    }
    if header::is_one_text(body) {
        return raw_text(body, decode_raw(body, options));
    }
    let quick = match utf8::well_formed(body) {
        Some(_) => mixed_utf8_field(body, syntax, options),
        None => mixed_raw_field(body, syntax, options),
    };
    quick.unwrap_or_else(|| thorough_field(body, syntax, options))
}

/// [`field`] for a body with octets above 7F that is no UTF-8.
pub(crate) fn raw_field<'a>(body: &'a [u8], syntax: Syntax, options: &Options) -> FieldText<'a> {
    if header::is_one_text(body) {
        return raw_text(body, decode_guessed(body, options));
    }
    let quick = mixed_raw_field(body, syntax, options);
    quick.unwrap_or_else(|| thorough_field(body, syntax, options))
}

/// The text of any field body, from its pieces.
fn thorough_field<'a>(body: &'a [u8], syntax: Syntax, options: &Options) -> FieldText<'a> {
    let mut found = header::pieces(body, syntax);
    let mut report = found.take_report();
    let pieces = found.pieces();
    if let [Piece::Text(only)] = pieces
        && only.octets().is_ascii()
        && escapes_of(only.octets()).is_none()
        && let Ok(text) = utf8::decode(only.octets())
    {
        flag_characters(text, only.offset(), only.octets().len(), &mut report);
        return FieldText {
            text: Cow::Borrowed(text),
            charsets: Few::None,
            report,
        };
    }
    text_of_pieces(pieces, report, body, Quoting::WherePlaced, options)
}

/// The text of raw octets that are all of a field.
fn raw_text<'a>(
    body: &'a [u8],
    (charset, source, decoded): (Charset, Source, Decoded<'a>),
) -> FieldText<'a> {
    let length = body.len();
    let mut report = Report::new();
    if !decoded.report.is_empty() {
        place_at(&decoded.report, 0, length, &mut report);
    }
    let is_sound = decoded.report().replacements() == 0;
    raw_finding(charset, source, is_sound, (0, length), &mut report);
    flag_characters(&decoded.text, 0, length, &mut report);
    FieldText {
        text: decoded.text,
        charsets: Few::One(CharsetUse {
            offset: 0,
            length,
            charset,
            source,
        }),
        report,
    }
}

/// The text of a field of which there is nothing to report, such as most subjects and nearly
/// all that hold no encoded word; `None` where [`any_field`] has to look closer.
pub(crate) fn clean_field<'a>(
    body: &'a [u8],
    syntax: Syntax,
    options: &Options,
) -> Option<FieldText<'a>> {
    if body.is_empty() {
        // A header may have a quarter of a million of these.
        return Some(FieldText::nothing());
    }
    match syntax {
        Syntax::Addresses => clean_pieces::<true>(body, syntax, options),
        _ => clean_pieces::<false>(body, syntax, options),
    }
}

/// A function of its own for addresses: what they need would keep the compiler from making one
/// of what a subject needs.
fn clean_pieces<'a, const ADDRESSES: bool>(
    body: &'a [u8],
    syntax: Syntax,
    options: &Options,
) -> Option<FieldText<'a>> {
    /// What is longer has limits to be looked after.
    const MAX_LIST: usize = 4096;
    let mut field = CleanField::new(options);
    let mut addresses = PlainAddresses::Name;
    let mut has_words = false;
    for piece in CleanPieces::new(body) {
        match piece.ok()? {
            CleanPiece::Text(text) => {
                if text.len() == body.len() {
                    return Some(FieldText {
                        text: Cow::Borrowed(text),
                        charsets: Few::None,
                        report: Report::new(),
                    });
                }
                if ADDRESSES {
                    addresses = addresses.text(text.as_bytes());
                }
                field.reserve(body.len());
                let is_blank = |octet| matches!(octet, b' ' | b'\t');
                field.text(text, text.bytes().all(is_blank));
            }
            CleanPiece::Word(word) => {
                if ADDRESSES && body.len() <= MAX_LIST {
                    has_words = true;
                    addresses = addresses.word(&word);
                } else if ADDRESSES || syntax != Syntax::Unstructured {
                    return None;
                }
                field.reserve(body.len());
                let said = field.word(&word)?;
                if ADDRESSES
                    && (addresses == PlainAddresses::Other || needs_quotes(said, Place::Phrase))
                {
                    return None;
                }
            }
        }
    }
    if has_words && addresses != PlainAddresses::Over {
        return None;
    }
    field.finish()
}

/// A field's text while it is put together, as long as there is nothing to report.
struct CleanField<'b, 'o> {
    text: String,
    charsets: Few<CharsetUse>,
    /// The word before, where nothing but blanks has followed it.
    last: Option<LastWord<'b>>,
    options: &'o Options,
}

/// What the next word has to know of the one before.
struct LastWord<'b> {
    label: &'b [u8],
    charset: Charset,
    /// Where its text ends.
    end: usize,
    /// Whether what follows it begins in the state in which a text begins.
    is_closed: bool,
}

impl<'b, 'o> CleanField<'b, 'o> {
    fn new(options: &'o Options) -> Self {
        CleanField {
            text: String::new(),
            charsets: Few::None,
            last: None,
            options,
        }
    }

    fn finish<'a>(self) -> Option<FieldText<'a>> {
        let mut report = Report::new();
        flag_characters(&self.text, 0, 0, &mut report);
        report.is_empty().then_some(FieldText {
            text: Cow::Owned(self.text),
            charsets: self.charsets,
            report,
        })
    }

    /// Appends plain text, which may be what stands between two words.
    fn text(&mut self, text: &str, between_words: bool) {
        if !between_words {
            self.last = None;
        }
        self.text.push_str(text);
    }

    fn reserve(&mut self, length: usize) {
        if self.text.capacity() == 0 {
            self.text = String::with_capacity(length);
        }
    }

    /// Appends what a word says, and gives it.
    fn word(&mut self, word: &CleanWord<'b>) -> Option<&str> {
        let last = self.last.take();
        let charset = match &last {
            Some(last) if last.label == word.label => last.charset,
            _ => Charset::for_label(word.label).filter(|charset| charset.is_declarable())?,
        };
        if self.options.remaps(charset) {
            return None;
        }
        let mut room = [0; MAX_WORD];
        let octets = match word.encoding {
            WordEncoding::B => transfer::clean_b(word.encoded_text, &mut room),
            WordEncoding::Q => transfer::clean_q(word.encoded_text, &mut room),
        }?;
        let mut goes_on = false;
        if let Some(last) = last {
            goes_on = last.charset == charset;
            if goes_on && !last.is_closed {
                return None;
            }
            // Blanks between two words are not shown (RFC 2047, section 6.2).
            self.text.truncate(last.end);
        }
        let start = self.text.len();
        if charset == Charset::UTF_8 {
            self.text.push_str(utf8::decode(octets).ok()?);
        } else if is_settled(charset, octets) {
            charset.append_clean(octets, self.options, &mut self.text)?;
        } else {
            return None;
        }
        match self.charsets.as_mut_slice().last_mut() {
            Some(run) if goes_on => run.length = word.offset + word.length - run.offset,
            _ => self.charsets.push(CharsetUse {
                offset: word.offset,
                length: word.length,
                charset: charset.as_practised(),
                source: Source::Declared,
            }),
        }
        self.last = Some(LastWord {
            label: word.label,
            charset,
            end: self.text.len(),
            is_closed: charset.ends_as_begun(octets),
        });
        self.text.get(start..)
    }
}

/// The text of a display name, a comment or any other pieces of a field, for people: nothing
/// in it is quoted (RFC 2047, section 6.2). Findings count octets of the field body that the
/// pieces are from.
///
/// ```
/// use mime_charset::{Options, decode, header};
///
/// let list = header::addresses(b"=?utf-8?Q?Kim=2C_Min?= <kim@example.org>");
/// let name = list.mailboxes().next().unwrap().display_name();
/// assert_eq!(decode::phrase(name, &Options::new()).text(), "Kim, Min");
/// ```
#[must_use]
pub fn phrase<'a>(pieces: &[Piece<'a>], options: &Options) -> FieldText<'a> {
    clean_phrase(pieces, options).unwrap_or_else(|| any_phrase(pieces, options))
}

/// The text of pieces of which there is nothing to report; `None` where [`any_phrase`] has to
/// look closer.
fn clean_phrase<'a>(pieces: &[Piece<'a>], options: &Options) -> Option<FieldText<'a>> {
    let borrowed = match pieces {
        [] => Some(""),
        [Piece::Text(only)] => Some(plain_text(only.octets())?),
        _ => None,
    };
    if let Some(text) = borrowed {
        return Some(FieldText {
            text: Cow::Borrowed(text),
            charsets: Few::None,
            report: Report::new(),
        });
    }
    let mut field = CleanField::new(options);
    let mut place = None;
    for piece in pieces {
        match piece {
            Piece::Text(text) => field.text(plain_text(text.octets())?, text.between_words()),
            Piece::Word(word) => {
                // Words of two kinds of places are no neighbours.
                if *place.get_or_insert(word.place()) != word.place() {
                    return None;
                }
                field.reserve(word.length());
                field.word(&clean_word(word))?;
            }
        }
    }
    field.finish()
}

/// The text of any pieces.
fn any_phrase<'a>(pieces: &[Piece<'a>], options: &Options) -> FieldText<'a> {
    let raw: Vec<u8> = pieces
        .iter()
        .filter_map(|piece| match piece {
            Piece::Text(text) => Some(text.octets()),
            _ => None,
        })
        .flatten()
        .copied()
        .collect();
    let raw = without_folds_in_characters(&raw, BLANKS);
    text_of_pieces(pieces, Report::new(), &raw, Quoting::Never, options)
}

/// Text of printable ASCII, blanks and tabs, without anything like an encoded word.
pub(super) fn plain_text(octets: &[u8]) -> Option<&str> {
    let is_plain = header::text_length(octets) == octets.len();
    std::str::from_utf8(octets).ok().filter(|_| is_plain)
}

/// The charset of the ISO 2022 family whose escapes are in raw text of seven bits, where that
/// decodes without a fault. HZ is no such: its tildes and braces are text to everybody else.
pub(super) fn escapes_of(octets: &[u8]) -> Option<Charset> {
    memchr::memchr(0x1B, octets)?;
    let charset = detect::by_escapes(octets)?.charset();
    (charset.name() != "HZ-GB-2312").then_some(charset)
}

/// Says what was done to the label of a word, or that it declares nothing.
fn tell_of_label(word: &EncodedWord<'_>, report: &mut Report) {
    let (offset, length) = (word.offset(), word.length());
    if word.label().as_bytes().is_empty() {
        report.add(Kind::NoLabel, offset, length, "no charset is declared");
        return;
    }
    let mut found = Report::new();
    resolved(word.label(), &mut found);
    place_at(&found, offset, length, report);
}

/// What the label of a word or a value names, where the text can be read;
/// [`Charset::UNKNOWN_8BIT`] where it names nothing that is known, so that the octets are asked.
pub(crate) fn charset_of_label(label: &Label<'_>) -> Option<Charset> {
    let charset = charset::resolve(label).charset();
    can_be_read(charset.unwrap_or(Charset::UNKNOWN_8BIT))
}

/// The charset, if octets under a label that names it can be read, if only by themselves.
fn can_be_read(charset: Charset) -> Option<Charset> {
    (charset.is_decoded() || charset.names_nothing()).then_some(charset)
}

/// Whether a field of US-ASCII has a label in it that may leave the choice to the octets: in a
/// word, or in an extended value.
pub(crate) fn may_be_guessed(body: &[u8]) -> bool {
    let is_open = |at: usize| {
        let behind = body.get(at + 2..).unwrap_or_default();
        let length = memchr::memchr2(b'?', b'*', behind).unwrap_or(behind.len());
        let label = behind.get(..length).unwrap_or_default();
        work(length);
        !matches!(Charset::for_label(label), Some(charset) if charset.is_declarable() && charset != Charset::US_ASCII)
    };
    memmem::find_iter(body, b"=?").any(is_open) || memmem::find(body, b"*=").is_some()
}

/// What octets under a label in a field are in, decided as a body is.
pub(super) struct Decided {
    pub(super) charset: Charset,
    pub(super) source: Source,
    pub(super) report: Report,
}

impl Decided {
    pub(super) fn of(
        label: &Label<'_>,
        octets: &[u8],
        options: &Options,
        weighed: Weighed,
    ) -> Self {
        let label = Some(label).filter(|label| !label.as_bytes().is_empty());
        let context = Context::new()
            .label(label)
            .header(weighed.last.or(options.raw))
            .options(*options);
        let rest: Option<&dyn Rest> = (weighed.count >= Weighed::MOST).then_some(&weighed);
        let mut weighing = Weighing::new(Octets::All(octets), &context, rest, Wanted::Report);
        let (charset, source, _) = weighing.decide();
        Decided {
            charset,
            source,
            report: weighing.report,
        }
    }
}

/// The words of a field that were weighed by what they look like, which takes a hundred times as
/// long as to read them.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Weighed {
    count: usize,
    /// What the last of them was read in.
    last: Option<Charset>,
}

impl Weighed {
    /// Of more words in one field each is read like the last one, if it can be.
    const MOST: usize = 16;
}

impl Rest for Weighed {
    fn siblings(&self) -> Option<Charset> {
        None
    }

    fn header(&self) -> Option<Charset> {
        None
    }

    fn origin(&self) -> Origin {
        Origin::UNKNOWN
    }

    fn year(&self) -> Option<u16> {
        None
    }

    fn is_weighed_alone(&self) -> bool {
        false
    }

    fn guess_together(&self) -> Option<Guess> {
        None
    }

    fn raw_fields(&self) -> &[u8] {
        &[]
    }
}

/// Takes over findings about octets that are nowhere in the source as they are: they stand
/// at what they were made from.
pub(super) fn place_at(found: &Report, offset: usize, length: usize, report: &mut Report) {
    place_others_at(found, |_| false, offset, length, report);
}

/// The same, but for what is told elsewhere.
fn place_others_at(
    found: &Report,
    is_told: impl Fn(Kind) -> bool,
    offset: usize,
    length: usize,
    report: &mut Report,
) {
    if *found == Report::new() {
        return;
    }
    let findings = found.findings().iter();
    for finding in findings.filter(|finding| !is_told(finding.kind())) {
        let counts_octets = finding.within() == Within::Octets && finding.length() > 0;
        if counts_octets && report.keeps(finding.kind()) {
            let detail = format!("octet {} of it: {}", finding.offset(), finding.detail());
            report.add(finding.kind(), offset, length, detail);
        } else {
            report.add_again(finding, offset, length);
        }
    }
    report.absorb_counts(found);
}

/// What raw octets that are not all UTF-8 may be in, the likelier before the others: what was
/// detected has to read them, and the last reads all.
///
/// The hint, else what the fields of the message look like together, else windows-1252 (RFC 7103,
/// section 7.7); and before each of them UTF-8, where so much in them is well-formed that they
/// are UTF-8 that was cut or damaged (RFC 6532, section 3.2).
fn guesses(octets: &[u8], options: &Options) -> impl Iterator<Item = (Charset, Source)> + use<> {
    let damaged =
        |bits: i64, needed: i64| (bits >= needed).then_some((Charset::UTF_8, Source::Evidence));
    let other = |guess: Option<Charset>| {
        let other = guess.filter(|charset| *charset != Charset::UTF_8)?;
        Some((other, Source::Detected))
    };
    let is_expected = [options.hint, options.raw].contains(&Some(Charset::UTF_8));
    let bits = Likeness::of(&without_folds_in_characters(octets, LINE_ENDS)).bits;
    let outweighs_a_guess = if is_expected { 1 } else { OUTWEIGHS_A_GUESS };
    let guesses = [
        damaged(bits, OUTWEIGHS_A_LABEL),
        other(options.hint),
        damaged(bits, outweighs_a_guess),
        other(options.raw),
        damaged(bits, OUTWEIGHS_NOTHING),
        Some((Charset::WINDOWS_1252, Source::Default)),
    ];
    guesses.into_iter().flatten()
}

/// What raw octets in a header are in: UTF-8 (RFC 6532, section 3.2), else the first guess that
/// reads them.
pub(super) fn raw_charset(octets: &[u8], options: &Options) -> (Charset, Source) {
    raw_charset_in(octets, options, &mut String::new())
}

/// The same, with room that a text is read into and that is left as it was.
fn raw_charset_in(octets: &[u8], options: &Options, room: &mut String) -> (Charset, Source) {
    if octets.is_ascii() {
        return (Charset::US_ASCII, Source::Default);
    }
    if utf8::well_formed(octets).is_some() {
        return (Charset::UTF_8, Source::Evidence);
    }
    let reads = |guess: &(Charset, Source)| {
        guess.1 != Source::Detected || guess.0.reads_in(octets, options, room)
    };
    let found = guesses(octets, options).find(reads);
    found.unwrap_or((Charset::WINDOWS_1252, Source::Default))
}

/// What a fold begins with.
const LINE_ENDS: [u8; 2] = *b"\r\n";
/// What is left of one where its line end is gone.
pub(super) const BLANKS: [u8; 2] = *b" \t";

/// Octets without the folds that stand inside a character of UTF-8, which begin with one of two.
pub(super) fn without_folds_in_characters(octets: &[u8], begin: [u8; 2]) -> Cow<'_, [u8]> {
    let [one, other] = begin;
    let mut joined = Cow::Borrowed(octets);
    let mut from = 0;
    let mut kept = Vec::new();
    if octets.is_ascii() {
        return joined;
    }
    for end in memchr::memchr2_iter(one, other, octets) {
        if end < from {
            continue;
        }
        let (before, fold) = octets.split_at_checked(end).unwrap_or((octets, &[]));
        let blanks = fold.iter().position(|octet| !octet.is_ascii_whitespace());
        let behind = fold.get(blanks.unwrap_or(fold.len())..).unwrap_or_default();
        if is_split(before, behind) {
            kept.extend_from_slice(before.get(from..).unwrap_or_default());
            from = octets.len() - behind.len();
        }
    }
    if from > 0 {
        kept.extend_from_slice(octets.get(from..).unwrap_or_default());
        joined = Cow::Owned(kept);
    }
    joined
}

/// Whether a character of UTF-8 begins where `before` ends, and goes on where `behind` begins.
fn is_split(before: &[u8], behind: &[u8]) -> bool {
    /// The longest character.
    const LONGEST: usize = 4;
    if !matches!(behind.first(), Some(0x80..=0xBF)) {
        return false;
    }
    let last = before.get(before.len().saturating_sub(LONGEST - 1)..);
    let last = last.unwrap_or(before);
    let Some(lead) = last.iter().rposition(|&octet| octet >= 0xC0) else {
        return false;
    };
    let begun = last.get(lead..).unwrap_or_default();
    let joined: Vec<u8> = begun
        .iter()
        .chain(behind.iter().take(LONGEST))
        .copied()
        .collect();
    let first = joined.utf8_chunks().next();
    let first = first.and_then(|chunk| chunk.valid().chars().next());
    first.is_some_and(|character| character.len_utf8() > begun.len())
}

/// What [`field`] reads the raw text of a field body in that has these pieces, if it has some.
pub(crate) fn charset_of_raw_text(
    body: &[u8],
    syntax: Syntax,
    pieces: &[Piece<'_>],
    options: &Options,
) -> Option<(Charset, Source)> {
    let is_raw = |piece: &Piece<'_>| match piece {
        Piece::Text(text) => !text.octets().is_ascii(),
        Piece::Word(_) => false,
    };
    if pieces.iter().any(is_raw) {
        return Some(raw_charset(body, options));
    }
    if body.is_ascii() {
        return charset_of_escapes(body, syntax, options);
    }
    // A word that is left as it is written is raw text too.
    let all = field(body, syntax, options);
    let raw = raw_charset(body, options);
    let is_raw = |used: &CharsetUse| {
        let octets = body.get(used.offset()..used.offset() + used.length());
        (used.charset(), used.source()) == raw && octets.is_some_and(|octets| !octets.is_ascii())
    };
    all.charsets().iter().any(is_raw).then_some(raw)
}

/// What [`field`] reads the escapes of ISO 2022 in raw text of a field in, where that is one charset.
fn charset_of_escapes(body: &[u8], syntax: Syntax, options: &Options) -> Option<(Charset, Source)> {
    memchr::memchr(0x1B, body)?;
    let all = field(body, syntax, options);
    let has_escape = |used: &&CharsetUse| {
        let octets = body.get(used.offset()..used.offset() + used.length());
        octets.is_some_and(|octets| memchr::memchr(0x1B, octets).is_some())
    };
    let mut raw = all.charsets().iter().filter(has_escape);
    let found = raw.next().map(|used| (used.charset(), used.source()))?;
    raw.all(|used| (used.charset(), used.source()) == found)
        .then_some(found)
}

/// The charset of [`raw_charset`], and what octets above 7F say in it.
fn decode_raw<'a>(octets: &'a [u8], options: &Options) -> (Charset, Source, Decoded<'a>) {
    if utf8::well_formed(octets).is_some() {
        let charset = Charset::UTF_8;
        return (
            charset,
            Source::Evidence,
            charset.decode_with(octets, options),
        );
    }
    decode_guessed(octets, options)
}

/// The same for octets that are no UTF-8.
fn decode_guessed<'a>(octets: &'a [u8], options: &Options) -> (Charset, Source, Decoded<'a>) {
    for (charset, source) in guesses(octets, options) {
        let decoded = charset.decode_with(octets, options);
        if source != Source::Detected || decoded.report().replacements() == 0 {
            return (charset, source, decoded);
        }
    }
    let charset = Charset::WINDOWS_1252;
    (
        charset,
        Source::Default,
        charset.decode_with(octets, options),
    )
}

/// What is to be said of raw octets; `is_sound` where they are the text as they stand.
pub(super) fn raw_finding(
    charset: Charset,
    source: Source,
    is_sound: bool,
    (offset, length): (usize, usize),
    report: &mut Report,
) {
    if source == Source::Evidence && is_sound {
        report.add(Kind::RawUtf8, offset, length, "");
    } else {
        report.add(Kind::RawOctets, offset, length, charset.said_to_be_read());
    }
}

/// The most octets of room that are taken for a text before it is read.
const MOST_ROOM: usize = 1 << 20;

/// The text of a field with [`LoneWords`] and raw UTF-8 around them (RFC 6532, section 3.2).
fn mixed_utf8_field<'a>(
    body: &'a [u8],
    syntax: Syntax,
    options: &Options,
) -> Option<FieldText<'a>> {
    mixed_field(body, syntax, [(Charset::UTF_8, Source::Evidence)], options)
}

/// The text of a field with [`LoneWords`] and octets above 7F around them that are no UTF-8.
fn mixed_raw_field<'a>(body: &'a [u8], syntax: Syntax, options: &Options) -> Option<FieldText<'a>> {
    // A fold inside a character is for the thorough reading to join.
    if matches!(without_folds_in_characters(body, LINE_ENDS), Cow::Owned(_)) {
        return None;
    }
    mixed_field(body, syntax, guesses(body, options), options)
}

/// The text of a field with [`LoneWords`] and octets above 7F around them, in the first of `guesses`
/// that reads those; `None` where [`thorough_field`] has to look closer.
fn mixed_field<'a>(
    body: &'a [u8],
    syntax: Syntax,
    guesses: impl IntoIterator<Item = (Charset, Source)>,
    options: &Options,
) -> Option<FieldText<'a>> {
    // A stretch that ends with a blank is read by itself as in all of the body: in such charsets
    // no blank is the second half of anything.
    let mut guesses = guesses
        .into_iter()
        .map_while(|guess| guess.0.is_ascii_superset().then_some(guess));
    let words = LoneWords::new(body, syntax)?;
    let mut assembly = Assembly::in_charset(guesses.next()?, body, options);
    let mut places = Report::new();
    let mut at = 0;
    let mut is_known = false;
    for item in words {
        let (before, word) = item.ok()?;
        while !assembly.read_raw(before, at..at + before.len(), assembly.is_guessed(), false) {
            // What the last stretch was read in is no answer for all of them.
            assembly.raw_charset = guesses.next().filter(|_| !is_known)?;
        }
        is_known |= !before.is_ascii();
        let Some(word) = word else { continue };
        let charset = charset_of_word(&word)?;
        let start = assembly.text.len();
        if !assembly.push_word(&word, charset) {
            return None;
        }
        let said = assembly.text.get(start..).unwrap_or_default();
        if syntax == Syntax::Addresses {
            if needs_quotes(said, Place::Phrase) {
                return None;
            }
            word.report_place(body, &mut places);
        }
        at = word.offset + word.length;
        assembly.tell_of_words(&[], true, (charset, Source::Declared), word.offset..at);
    }
    let mut text = assembly.finish();
    if !places.is_empty() {
        // What is told of all words comes before what is told of their text.
        places.absorb(text.report, 0);
        text.report = places;
    }
    Some(text)
}

/// The charset of a word whose label is in the list as it is written, if it can be decoded.
fn charset_of_word(word: &CleanWord<'_>) -> Option<Charset> {
    Charset::for_label(word.label).filter(|charset| charset.is_declarable())
}

/// Whether two bodies of a field say the same beyond doubt: both have [`LoneWords`], the octets
/// around them are the same, in a list of addresses but for blanks, and so is what each says. Raw
/// octets are not read for that: in either body they stand between the same.
pub(crate) fn differ_in_words_alone(
    one: &[u8],
    other: &[u8],
    syntax: Syntax,
    options: &Options,
) -> bool {
    let (Some(ones), Some(mut others)) =
        (LoneWords::new(one, syntax), LoneWords::new(other, syntax))
    else {
        return false;
    };
    let text_of = |word: &CleanWord<'_>| {
        let mut text = String::with_capacity(MAX_WORD);
        let charset = charset_of_word(word)?;
        decode_word(word, charset, options, &mut text, &mut Report::new()).then_some(text)
    };
    for item in ones {
        let (Ok((before, word)), Some(Ok((other_before, other_word)))) = (item, others.next())
        else {
            return false;
        };
        let is_same = match (word, other_word) {
            (None, None) => true,
            (Some(word), Some(other)) => {
                let text = text_of(&word);
                text.is_some() && text == text_of(&other)
            }
            _ => false,
        };
        let is_same_around = match syntax {
            // A phrase does not count them.
            Syntax::Addresses => header::trim(before) == header::trim(other_before),
            _ => before == other_before,
        };
        if !(is_same && is_same_around) {
            return false;
        }
    }
    true
}

/// Puts the text of pieces together.
pub(super) fn text_of_pieces<'a>(
    pieces: &[Piece<'a>],
    report: Report,
    body: &[u8],
    quoting: Quoting,
    options: &Options,
) -> FieldText<'a> {
    let mut assembly = Assembly::new(body, report, quoting, options);
    if quoting == Quoting::WherePlaced {
        assembly.open_word = open_word(pieces);
    }
    let labels = Labels::of(pieces);
    let mut at = 0;
    // Blanks between two words vanish if both words turn out to be words.
    let mut after_word = false;
    let mut next_word = 0;
    let mut left_out = 0..0;
    while let Some(piece) = pieces.get(at) {
        match piece {
            Piece::Text(text) if text.between_words() && after_word => {
                next_word = next_word.max(at);
                while matches!(pieces.get(next_word), Some(Piece::Text(_))) {
                    next_word += 1;
                    work(1);
                }
                if labels.charset(next_word).is_none() {
                    assembly.push_raw(text.octets(), text.offset());
                } else {
                    let start = if left_out.end == at {
                        left_out.start
                    } else {
                        at
                    };
                    left_out = start..at + 1;
                }
                at += 1;
            }
            Piece::Text(text) => {
                assembly.push_raw(text.octets(), text.offset());
                after_word = false;
                at += 1;
            }
            Piece::Word(word) => {
                if let Some(charset) = labels.charset(at) {
                    let run = run_of_words(pieces, at, &labels, charset);
                    let blanks = pieces.get(left_out.clone()).filter(|_| left_out.end == at);
                    let blanks = blanks.unwrap_or_default();
                    after_word =
                        assembly.push_words(blanks, run.words.as_slice(), run.are_exact, charset);
                    at += run.pieces;
                } else {
                    assembly.keep(word, labels.named(at));
                    at += 1;
                    after_word = false;
                }
            }
        }
    }
    assembly.finish()
}

/// From where something that begins like an encoded word stands in the text around words, to
/// where one might end: what is written between could become part of one.
fn open_word(pieces: &[Piece<'_>]) -> Range<usize> {
    let has = |octets: &'static [u8]| {
        move |piece: &Piece<'_>| match piece {
            Piece::Text(text) if memmem::find(text.octets(), octets).is_some() => {
                Some(text.offset())
            }
            _ => None,
        }
    };
    let start = pieces.iter().find_map(has(b"=?"));
    let end = pieces.iter().rev().find_map(has(b"?="));
    match (start, end) {
        (Some(start), Some(end)) => start..end,
        _ => 0..0,
    }
}

/// What the labels of a field's words mean, each looked up once.
struct Labels {
    /// Of each piece; nothing of text.
    few: [Named; Labels::FEW],
    /// The same of those behind.
    more: Vec<Named>,
}

/// What a label means.
#[derive(Clone, Copy)]
struct Named {
    /// [`Charset::UNKNOWN_8BIT`] where it declares nothing; `None` where there is no label.
    charset: Option<Charset>,
    /// Whether it is in the list as it is written, and declares something.
    is_exact: bool,
}

impl Named {
    const NOTHING: Named = Named {
        charset: None,
        is_exact: true,
    };
}

impl Labels {
    /// A field with a word in it mostly has no more pieces, for which no memory is taken.
    const FEW: usize = 8;

    fn of(pieces: &[Piece<'_>]) -> Self {
        let mut last = (&b""[..], None);
        let mut labels = Labels {
            few: [Named::NOTHING; Labels::FEW],
            more: vec![Named::NOTHING; pieces.len().saturating_sub(Labels::FEW)],
        };
        let places = labels.few.iter_mut().chain(&mut labels.more);
        for (piece, place) in pieces.iter().zip(places) {
            let Piece::Word(word) = piece else {
                continue;
            };
            let label = word.label().as_bytes();
            // Words that follow each other mostly have the same.
            let named = match last {
                (same, Some(named)) if same == label => named,
                _ => {
                    let resolved = charset::resolve(word.label());
                    let charset = resolved.charset().unwrap_or(Charset::UNKNOWN_8BIT);
                    let is_exact = resolved.matched() == Matched::Exact;
                    Named {
                        charset: Some(charset),
                        is_exact: is_exact && !charset.names_nothing(),
                    }
                }
            };
            last = (label, Some(named));
            *place = named;
        }
        labels
    }

    fn get(&self, at: usize) -> Option<&Named> {
        match at.checked_sub(Labels::FEW) {
            None => self.few.get(at),
            Some(behind) => self.more.get(behind),
        }
    }

    /// The charset of the piece at `at`, if it is a word that can be decoded, if only by its
    /// octets.
    fn charset(&self, at: usize) -> Option<Charset> {
        self.named(at).and_then(can_be_read)
    }

    /// The charset that the piece at `at` names, if it is a word that names one.
    fn named(&self, at: usize) -> Option<Charset> {
        self.get(at).and_then(|named| named.charset)
    }

    fn is_exact(&self, at: usize) -> bool {
        self.get(at).is_some_and(|named| named.is_exact)
    }
}

/// Neighbouring words in one charset and at one kind of place.
struct Run<'p, 'a> {
    words: Few<&'p EncodedWord<'a>>,
    /// Whether all their labels are in the list as they are written.
    are_exact: bool,
    /// How many pieces they take, the blanks between them included.
    pieces: usize,
}

fn run_of_words<'p, 'a>(
    pieces: &'p [Piece<'a>],
    start: usize,
    labels: &Labels,
    charset: Charset,
) -> Run<'p, 'a> {
    let mut run = Run {
        words: Few::None,
        are_exact: true,
        pieces: 0,
    };
    for (at, piece) in pieces.iter().enumerate().skip(start) {
        match piece {
            Piece::Word(word) => {
                let same_place = run
                    .words
                    .as_slice()
                    .first()
                    .is_none_or(|first| first.place() == word.place());
                if !same_place || labels.charset(at) != Some(charset) {
                    break;
                }
                run.words.push(word);
                run.are_exact &= labels.is_exact(at);
                run.pieces = at + 1 - start;
            }
            Piece::Text(text) if text.between_words() => {}
            Piece::Text(_) => break,
        }
    }
    run
}

/// Raw octets waiting to be decoded together: a character may be split by a fold.
#[derive(Default)]
struct Raw<'o> {
    octets: Cow<'o, [u8]>,
    /// Where in the octets a line begins that was folded.
    folds: Vec<usize>,
    offset: usize,
    end: usize,
    /// Whether a fold inside a character was left out.
    was_split: bool,
}

/// A field's text while it is put together.
struct Assembly<'o> {
    /// The octets that offsets count, where words are quoted by what stands around them.
    body: &'o [u8],
    text: String,
    charsets: Few<CharsetUse>,
    report: Report,
    raw: Raw<'o>,
    /// What the field's raw octets are in; one answer for the whole field.
    raw_charset: (Charset, Source),
    quoting: Quoting,
    /// Words in here stay as they are written, but in text.
    open_word: Range<usize>,
    weighed: Weighed,
    options: &'o Options,
}

/// Whether what words hold is quoted where it could be taken for syntax.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Quoting {
    WherePlaced,
    Never,
}

impl<'o> Assembly<'o> {
    fn new(body: &'o [u8], report: Report, quoting: Quoting, options: &'o Options) -> Self {
        let nothing = (Charset::US_ASCII, Source::Default);
        let mut assembly = Assembly {
            report,
            quoting,
            ..Assembly::in_charset(nothing, body, options)
        };
        assembly.raw_charset = raw_charset_in(body, options, &mut assembly.text);
        assembly
    }

    /// One whose raw octets are in that charset.
    fn in_charset(raw_charset: (Charset, Source), body: &'o [u8], options: &'o Options) -> Self {
        // Of more the charset says how long its text is. Two octets may be three of text.
        let room = match body.len() {
            length @ ..=MAX_WORD => length + length / 2,
            length => length.min(MOST_ROOM),
        };
        Assembly {
            body,
            text: String::with_capacity(room),
            charsets: Few::None,
            report: Report::new(),
            raw: Raw::default(),
            raw_charset,
            quoting: Quoting::WherePlaced,
            open_word: 0..0,
            weighed: Weighed::default(),
            options,
        }
    }

    fn push_raw(&mut self, octets: &'o [u8], offset: usize) {
        if self.raw.octets.is_empty() {
            self.raw.offset = offset;
            self.raw.octets = Cow::Borrowed(octets);
        } else {
            if offset > self.raw.end {
                self.raw.folds.push(self.raw.octets.len());
            }
            let goes_on = self.behind_fold(octets, offset);
            self.raw.was_split |= goes_on.is_some();
            let octets = goes_on.unwrap_or(octets);
            self.raw.octets.to_mut().extend_from_slice(octets);
        }
        self.raw.end = offset + octets.len();
    }

    /// The octets without their blanks, where a fold stands before them, inside a character of
    /// UTF-8. Programs that fold at a number of octets write a line end and a blank there, which
    /// are no part of the text: the halves are one character again, as those are that encoded
    /// words cut in two. Halves that fit are not found by chance.
    fn behind_fold(&self, octets: &'o [u8], offset: usize) -> Option<&'o [u8]> {
        let is_line_end = match (self.quoting, offset.checked_sub(self.raw.end)?) {
            // Offsets of a name count a body that is not there.
            (Quoting::Never, 1 | 2) => true,
            (Quoting::WherePlaced, 1 | 2) => {
                let between = self.body.get(self.raw.end..offset)?;
                between.iter().all(|octet| LINE_ENDS.contains(octet))
            }
            _ => false,
        };
        if self.raw_charset.0 != Charset::UTF_8 || !is_line_end {
            return None;
        }
        let blanks = octets.iter().position(|&octet| !is_blank(octet))?;
        let behind = octets.get(blanks..).filter(|_| blanks > 0)?;
        is_split(&self.raw.octets, behind).then_some(behind)
    }

    fn flush_raw(&mut self) {
        let raw = std::mem::take(&mut self.raw);
        if raw.octets.is_empty() {
            return;
        }
        let place = raw.offset..raw.end;
        if let Some(unfolded) = with_whole_runs(&raw.octets, &raw.folds) {
            self.read_raw(&unfolded, place, false, raw.was_split);
        } else {
            self.read_raw(&raw.octets, place, false, raw.was_split);
        }
    }

    /// Whether raw octets are read in a charset that has to read them.
    fn is_guessed(&self) -> bool {
        self.raw_charset.1 == Source::Detected
    }

    /// Appends what raw octets say, which are in that place; `false`, and nothing, where they
    /// cannot be read and `must_be_read`.
    fn read_raw(
        &mut self,
        octets: &[u8],
        place: Range<usize>,
        must_be_read: bool,
        was_split: bool,
    ) -> bool {
        let (offset, length) = (place.start, place.len());
        let (charset, source) = self.raw_charset;
        let start = self.text.len();
        if let Some(charset) = escapes_of(octets) {
            let report = charset.decode_onto(octets, self.options, &mut self.text);
            place_at(&report, offset, length, &mut self.report);
            let detail = charset.said_to_be_read();
            self.report
                .add(Kind::DetectedCharset, offset, length, detail);
            self.charsets.push(CharsetUse {
                offset,
                length,
                charset,
                source: Source::Evidence,
            });
        } else if octets.is_ascii() {
            self.text.push_str(&utf8::decode_lossy(octets));
        } else {
            let report = charset.decode_onto(octets, self.options, &mut self.text);
            if must_be_read && report.replacements() > 0 {
                self.text.truncate(start);
                return false;
            }
            place_at(&report, offset, length, &mut self.report);
            let is_sound = report.replacements() == 0 && !was_split;
            raw_finding(
                charset,
                source,
                is_sound,
                (offset, length),
                &mut self.report,
            );
            self.charsets.push(CharsetUse {
                offset,
                length,
                charset,
                source,
            });
        }
        let said = self.text.get(start..).unwrap_or_default();
        flag_characters(said, offset, length, &mut self.report);
        true
    }

    /// A word that cannot be decoded stands as it is (RFC 2047, section 6.2).
    fn keep(&mut self, word: &EncodedWord<'o>, charset: Option<Charset>) {
        self.push_raw(word.source(), word.offset());
        let (offset, length) = (word.offset(), word.length());
        let detail = match charset.filter(|_| self.report.keeps(Kind::EncodedWordKept)) {
            Some(charset) => Cow::Owned(format!("no decoder for {charset}")),
            None => Cow::Borrowed("a charset without a decoder"),
        };
        self.report
            .add(Kind::EncodedWordKept, offset, length, detail);
    }

    /// Words stand as they are where no quotes around their text would keep it apart.
    fn keep_all(&mut self, words: &[&EncodedWord<'o>], detail: &'static str) {
        for (at, word) in words.iter().enumerate() {
            if at > 0 {
                self.push_raw(b" ", word.offset());
            }
            self.push_raw(word.source(), word.offset());
            let (offset, length) = (word.offset(), word.length());
            self.report
                .add(Kind::EncodedWordKept, offset, length, detail);
        }
    }

    /// Appends what neighbouring words say, and whether they are read: where they stay as they are
    /// written, the `blanks` between them and another word before them are shown. `are_exact` says
    /// whether nothing has to be told of their labels.
    fn push_words(
        &mut self,
        blanks: &[Piece<'o>],
        words: &[&EncodedWord<'o>],
        are_exact: bool,
        charset: Charset,
    ) -> bool {
        self.flush_raw();
        let (Some(first), Some(last)) = (words.first(), words.last()) else {
            return true;
        };
        let (offset, end) = (first.offset(), last.offset() + last.length());
        let is_never_quoted = self.quoting == Quoting::Never || first.place() == Place::Text;
        if let ([word], true) = (words, is_never_quoted)
            && self.push_word(&clean_word(word), charset)
        {
            let declared = (charset, Source::Declared);
            self.tell_of_words(words, are_exact, declared, offset..end);
            return true;
        }
        let (text, read_in) = self.decode_words(words, charset);
        match self.quoting {
            Quoting::Never => self.text.push_str(&text),
            Quoting::WherePlaced => {
                let place = match first.place() {
                    Place::Parameter if first.in_quotes => Place::QuotedString,
                    place => place,
                };
                let looked_at = match place {
                    Place::Phrase => self.body.len(),
                    // Parentheses in here need not close in here: words before each of many
                    // would each look at all the rest.
                    Place::Parameter => Beside::NEAR,
                    _ if first.has_open_quote => Beside::NEAR,
                    _ => 0,
                };
                let beside = Beside::of(self.body, offset, end, looked_at);
                let is_marked = needs_quotes(&text, place);
                let kept = match place {
                    Place::Text => None,
                    // It would make a pair with the one that keeps the text apart.
                    _ if is_escaped(self.body, offset) => Some("a backslash stands before it"),
                    _ if self.open_word.contains(&offset) => {
                        Some("something like an encoded word stands open around it")
                    }
                    // A quoted string is a word of a local part as well.
                    Place::Phrase if beside.next == Some(b'.') => Some("a full stop follows it"),
                    // Two values side by side are two parameters to some.
                    Place::Parameter if beside.before || !beside.is_apart && is_marked => {
                        Some("text of a parameter stands beside it")
                    }
                    // Quotes would close the one that stands open.
                    _ if first.has_open_quote && (is_marked || beside.joins) => {
                        Some("a quotation mark or a bracket stands open in the field")
                    }
                    _ => None,
                };
                let needs_quotes = is_marked || place == Place::Phrase && beside.joins;
                if let Some(detail) = kept {
                    for blank in blanks {
                        if let Piece::Text(blank) = blank {
                            self.push_raw(blank.octets(), blank.offset());
                        }
                    }
                    self.keep_all(words, detail);
                    return false;
                }
                quote(&text, place, needs_quotes, &mut self.text);
            }
        }
        flag_characters(&text, offset, end - offset, &mut self.report);
        self.tell_of_words(words, are_exact, read_in, offset..end);
        true
    }

    /// Appends what a word says that has no neighbour, where nothing is quoted; `false`, and
    /// nothing, where its octets may prove the label wrong.
    fn push_word(&mut self, word: &CleanWord<'_>, charset: Charset) -> bool {
        let start = self.text.len();
        let (text, report) = (&mut self.text, &mut self.report);
        if !decode_word(word, charset, self.options, text, report) {
            return false;
        }
        let said = self.text.get(start..).unwrap_or_default();
        flag_characters(said, word.offset, word.length, &mut self.report);
        true
    }

    /// Says in what charset words were read, on whose word, and what was done to their labels for
    /// it.
    fn tell_of_words(
        &mut self,
        words: &[&EncodedWord<'o>],
        are_exact: bool,
        (charset, source): (Charset, Source),
        place: Range<usize>,
    ) {
        for word in words.iter().filter(|_| !are_exact) {
            tell_of_label(word, &mut self.report);
        }
        self.charsets.push(CharsetUse {
            offset: place.start,
            length: place.len(),
            charset: charset.as_practised(),
            source,
        });
    }

    /// What neighbouring words are in whose labels name `charset`, by the octets of each: their
    /// labels are all there is to be asked, unless the octets prove them wrong.
    fn read_in(
        &mut self,
        words: &[&EncodedWord<'_>],
        alone: &[Cow<'_, [u8]>],
        charset: Charset,
    ) -> (Charset, Source) {
        let joined = match alone {
            [only] => Cow::Borrowed(&**only),
            all => Cow::Owned(all.concat()),
        };
        let is_base64_of_it = || {
            let joined = joined_base64(words).filter(|_| words.len() > 1);
            joined.is_some_and(|octets| is_settled(charset, &octets))
        };
        let (Some(first), Some(last)) = (words.first(), words.last()) else {
            return (charset, Source::Declared);
        };
        if is_settled(charset, &joined) || is_base64_of_it() {
            return (charset, Source::Declared);
        }
        let decided = Decided::of(first.label(), &joined, self.options, self.weighed);
        if matches!(decided.source, Source::Detected | Source::Default) && !joined.is_ascii() {
            self.weighed.count += 1;
            self.weighed.last = Some(decided.charset);
        }
        let of_label = [
            Kind::UnknownLabel,
            Kind::NoLabel,
            Kind::LooseLabel,
            Kind::RepairedLabel,
        ];
        let offset = first.offset();
        let length = last.offset() + last.length() - offset;
        // They are told of each word.
        let is_told = |kind| of_label.contains(&kind);
        place_others_at(&decided.report, is_told, offset, length, &mut self.report);
        (decided.charset, decided.source)
    }

    /// The text of neighbouring words whose labels name one charset, and what they were read in.
    ///
    /// RFC 2047, section 5, has each word stand for itself, and each is decoded so. Many
    /// mailers cut words inside a character all the same, some inside a base64 quantum:
    /// where words alone leave malformed octets they are joined, as octets, then as base64,
    /// and the joint is kept if it is better.
    fn decode_words(
        &mut self,
        words: &[&EncodedWord<'_>],
        charset: Charset,
    ) -> (String, (Charset, Source)) {
        let alone: Vec<Cow<'_, [u8]>> = words.iter().map(|word| self.octets_of(word)).collect();
        let (charset, source) = self.read_in(words, &alone, charset);
        let text = self.decode_in(words, &alone, charset);
        (text, (charset, source))
    }

    /// The text of neighbouring words that have these octets, in a charset.
    fn decode_in(
        &mut self,
        words: &[&EncodedWord<'_>],
        alone: &[Cow<'_, [u8]>],
        charset: Charset,
    ) -> String {
        if let ([word], [octets]) = (words, alone) {
            let mut text = String::with_capacity(word.length());
            let found = charset.decode_onto(octets, self.options, &mut text);
            place_at(&found, word.offset(), word.length(), &mut self.report);
            return text;
        }
        let whole_text_counts = self.options.remaps(charset);
        let separate = self.decode_separately(words, alone, charset);
        if separate.report().replacements() == 0 && !whole_text_counts {
            return self.settle(words, &separate, false);
        }
        let joined = charset
            .decode_with(&alone.concat(), self.options)
            .into_owned();
        let mut best = if joined.report().replacements() < separate.report().replacements()
            || (whole_text_counts && joined.report().replacements() == 0)
        {
            (joined, true)
        } else {
            (separate, false)
        };
        if best.0.report().replacements() > 0
            && let Some(octets) = joined_base64(words)
        {
            let decoded = charset.decode_with(&octets, self.options).into_owned();
            if decoded.report().replacements() < best.0.report().replacements() {
                best = (decoded, true);
            }
        }
        self.settle(words, &best.0, best.1 && !whole_text_counts)
    }

    /// Each word from the initial state, except that a state which a word leaves open goes
    /// on in the next one that does not set its own.
    fn decode_separately(
        &self,
        words: &[&EncodedWord<'_>],
        octets: &[Cow<'_, [u8]>],
        charset: Charset,
    ) -> Decoded<'static> {
        let mut text = String::new();
        let mut report = Report::new();
        let mut open: Vec<u8> = Vec::new();
        let mut open_offset = 0;
        for (at, (octets, word)) in octets.iter().zip(words).enumerate() {
            if open.is_empty() {
                open_offset = word.offset();
            }
            open.extend_from_slice(octets);
            let next_goes_on = at + 1 < words.len()
                && !charset.is_ascii_superset()
                && leaves_state_open(&open, charset, self.options)
                && words.get(at + 1).copied().is_some_and(lacks_escape);
            if !next_goes_on {
                let decoded = charset.decode_with(&open, self.options);
                text.push_str(decoded.text());
                let length = word.offset() + word.length() - open_offset;
                place_at(decoded.report(), open_offset, length, &mut report);
                open.clear();
            }
        }
        Decoded {
            text: Cow::Owned(text),
            charset,
            source: Source::Declared,
            report,
        }
    }

    fn octets_of<'w>(&mut self, word: &'w EncodedWord<'_>) -> Cow<'w, [u8]> {
        let transferred = transfer_of(word.encoding(), word.encoded_text());
        let (octets, report) = transferred.into_parts();
        place_at(&report, word.offset(), word.length(), &mut self.report);
        octets
    }

    fn settle(
        &mut self,
        words: &[&EncodedWord<'_>],
        decoded: &Decoded<'_>,
        joined: bool,
    ) -> String {
        let (Some(first), Some(last)) = (words.first(), words.last()) else {
            return String::new();
        };
        let (offset, length) = (
            first.offset(),
            last.offset() + last.length() - first.offset(),
        );
        if joined {
            let detail = format!("{} words joined", words.len());
            self.report
                .add(Kind::EncodedWordJoined, offset, length, detail);
            place_at(decoded.report(), offset, length, &mut self.report);
        } else if decoded
            .report()
            .findings()
            .iter()
            .all(|finding| finding.within() == Within::Source)
        {
            self.report.absorb(decoded.report().clone(), 0);
        } else {
            place_at(decoded.report(), offset, length, &mut self.report);
        }
        decoded.text().to_owned()
    }

    fn finish<'a>(mut self) -> FieldText<'a> {
        self.flush_raw();
        FieldText {
            text: Cow::Owned(self.text),
            charsets: self.charsets,
            report: self.report,
        }
    }
}

/// Appends the text of a word that has no neighbour; `false`, and nothing, where its octets may
/// prove the label wrong.
fn decode_word(
    word: &CleanWord<'_>,
    charset: Charset,
    options: &Options,
    text: &mut String,
    report: &mut Report,
) -> bool {
    let encoded_text = word.encoded_text;
    let mut room = [0; MAX_WORD];
    let clean = match word.encoding {
        WordEncoding::B => transfer::clean_b(encoded_text, &mut room),
        // It looks at what is escaped alone.
        _ if !encoded_text.iter().all(u8::is_ascii_graphic) => None,
        _ => transfer::clean_q(encoded_text, &mut room),
    };
    let (octets, found) = match clean {
        Some(octets) => (Cow::Borrowed(octets), Report::new()),
        None => transfer_of(word.encoding, encoded_text).into_parts(),
    };
    if !is_settled(charset, &octets) {
        return false;
    }
    place_at(&found, word.offset, word.length, report);
    let found = charset.decode_onto(&octets, options, text);
    place_at(&found, word.offset, word.length, report);
    true
}

/// What leads back to US-ASCII at the end of a line of ISO 2022: nothing where it has come back;
/// `None` where nothing in it shifts.
fn way_back(line: &[u8]) -> Option<&'static [u8]> {
    let mut found: Option<&'static [u8]> = None;
    for at in memchr::memchr3_iter(0x1B, 0x0E, 0x0F, line) {
        found = Some(match line.get(at..).unwrap_or_default() {
            [0x0E, ..] => b"\x0F",
            // A set that SO shifts to.
            [0x1B, b'$', b')' | b'*' | b'+', ..] => found.unwrap_or_default(),
            [0x1B, b'$', ..] => b"\x1B(B",
            _ => b"",
        });
    }
    found
}

/// Raw text with escapes of ISO 2022 that lines were folded in, as it was before that; `None` where
/// it has none, or does not read without a fault.
///
/// A line goes on in the state in which the one before ended, and then the blank came with the
/// fold; or it begins in US-ASCII, as every line does by RFC 1468.
fn with_whole_runs(octets: &[u8], folds: &[usize]) -> Option<Vec<u8>> {
    if folds.is_empty() || memchr::memchr(0x1B, octets).is_none() || !octets.is_ascii() {
        return None;
    }
    let unfolded = |goes_on: bool| {
        let mut whole: Vec<u8> = Vec::with_capacity(octets.len());
        let mut back: &[u8] = b"";
        let ends = folds.iter().copied().chain([octets.len()]);
        let mut start = 0;
        for end in ends {
            let line = octets.get(start..end).unwrap_or_default();
            work(line.len());
            let text = line.trim_ascii_start();
            if !back.is_empty() && goes_on && !text.starts_with(b"\x1B") {
                whole.extend_from_slice(text);
            } else {
                whole.extend_from_slice(back);
                back = b"";
                whole.extend_from_slice(line);
            }
            back = way_back(line).unwrap_or(back);
            start = end;
        }
        Some(whole).filter(|whole| escapes_of(whole).is_some())
    };
    unfolded(true).or_else(|| unfolded(false))
}

/// Whether a word sets no state of its own.
fn lacks_escape(word: &EncodedWord<'_>) -> bool {
    let octets = transfer_of(word.encoding(), word.encoded_text()).into_octets();
    !matches!(octets.first(), Some(0x1B | 0x0E | b'~' | b'+'))
}

fn transfer_of(encoding: WordEncoding, encoded_text: &[u8]) -> transfer::Transferred<'_> {
    match encoding {
        WordEncoding::B => transfer::b(encoded_text),
        _ => transfer::q(encoded_text),
    }
}

/// What there is to decode of a word.
fn clean_word<'w>(word: &'w EncodedWord<'_>) -> CleanWord<'w> {
    CleanWord {
        label: word.label().as_bytes(),
        encoding: word.encoding(),
        encoded_text: word.encoded_text(),
        offset: word.offset(),
        length: word.length(),
    }
}

/// Whether more octets would be read in another state than at the start of a text: a pair
/// of letters is put to the test.
fn leaves_state_open(octets: &[u8], charset: Charset, options: &Options) -> bool {
    const PROBE: &str = "AA";
    let mut probed = octets.to_vec();
    probed.extend_from_slice(PROBE.as_bytes());
    !charset
        .decode_with(&probed, options)
        .text()
        .ends_with(PROBE)
}

/// The octets of words whose base64 was cut without regard to its groups of four.
fn joined_base64(words: &[&EncodedWord<'_>]) -> Option<Vec<u8>> {
    if words.iter().any(|word| word.encoding() != WordEncoding::B) {
        return None;
    }
    let mut octets = Vec::new();
    let mut text: Vec<u8> = Vec::new();
    for (at, word) in words.iter().enumerate() {
        text.extend_from_slice(word.encoded_text());
        let goes_on = words
            .get(at + 1)
            .is_some_and(|next| transfer::b_continues(&text, next.encoded_text()));
        if !goes_on {
            octets.extend_from_slice(&transfer::b(&text).into_octets());
            text.clear();
        }
    }
    Some(octets)
}

/// Appends decoded text such that it stays text where it stands (RFC 2047, section 5: "a
/// mail reader MUST NOT" take what words hold for syntax; RFC 5322, sections 3.2.2 to 3.2.5).
fn quote(text: &str, place: Place, needs_quotes: bool, out: &mut String) {
    let mut escape = |special: &[char]| {
        for character in text.chars() {
            if special.contains(&character) {
                out.push('\\');
            }
            out.push(character);
        }
    };
    match place {
        Place::Comment => escape(&['(', ')', '\\']),
        Place::QuotedString => escape(&['"', '\\']),
        // Mailers put whole quoted strings into words; as syntax it says the same.
        Place::Phrase | Place::Parameter if needs_quotes && !is_quoted_string(text) => {
            out.push('"');
            for character in text.chars() {
                if matches!(character, '"' | '\\') {
                    out.push('\\');
                }
                out.push(character);
            }
            out.push('"');
        }
        _ => out.push_str(text),
    }
}

/// Whether text could be taken for syntax in that place: it has specials in it, it ends in a
/// full stop, which joins what stands around it, or there is nothing to keep that apart.
fn needs_quotes(text: &str, place: Place) -> bool {
    text.trim().is_empty()
        || text.starts_with('.')
        || text.ends_with('.')
        || text.chars().any(is_special)
        || place == Place::Parameter && text.contains(['=', ' ', '/', '?'])
}

/// Whether text is one quoted string, from its first character to its last.
fn is_quoted_string(text: &str) -> bool {
    let content = text
        .strip_prefix('"')
        .and_then(|rest| rest.strip_suffix('"'));
    content.is_some_and(|content| {
        let mut escaped = false;
        let plain = content.chars().all(|character| {
            let closes = character == '"' && !escaped;
            escaped = character == '\\' && !escaped;
            !closes && !character.is_control()
        });
        plain && !escaped
    })
}

/// What stands around an encoded word that its text could be joined to.
struct Beside {
    /// Text of an atom before it without a blank between, other than the equals sign of a parameter.
    before: bool,
    /// Whether it begins and ends where a value of a parameter may.
    is_apart: bool,
    /// What comes next, white space and comments aside.
    next: Option<u8>,
    /// It would be joined to an atom, or to an address (RFC 5322, section 4.4:
    /// `obs-local-part` and `obs-domain` have white space and comments around full stops).
    joins: bool,
}

impl Beside {
    const NEAR: usize = 1024;

    /// What stands beside a word, up to `most` octets behind it.
    fn of(body: &[u8], offset: usize, end: usize, most: usize) -> Self {
        let before = body.get(..offset).unwrap_or_default();
        let behind = body.get(end..).unwrap_or_default();
        let behind = behind.get(..most).unwrap_or(behind);
        let next = without_comments(behind).first();
        let is_before = before.last().copied().is_some_and(is_text);
        let is_behind = behind
            .first()
            .is_some_and(|&octet| is_text(octet) || octet == b'\\');
        let begins = before
            .last()
            .is_none_or(|octet| b"= \t\r\n".contains(octet));
        let ends = behind
            .first()
            .is_none_or(|octet| b"; \t\r\n(".contains(octet));
        Beside {
            before: is_before && before.last() != Some(&b'='),
            is_apart: begins && ends,
            next: next.copied(),
            joins: is_before
                || is_behind
                || matches!(before.trim_ascii_end().last(), Some(b'@' | b'.' | b')'))
                || matches!(next, Some(b'@' | b'.')),
        }
    }
}

/// Whether a backslash makes a quoted pair of what stands there (RFC 5322, section 3.2.1).
fn is_escaped(body: &[u8], offset: usize) -> bool {
    let before = body.get(..offset).unwrap_or_default().iter().rev();
    before.take_while(|octet| **octet == b'\\').count() % 2 == 1
}

fn is_text(octet: u8) -> bool {
    !octet.is_ascii() || !is_blank(octet) && !is_special(char::from(octet))
}

/// What is left behind white space and comments (RFC 5322, section 3.2.2).
fn without_comments(octets: &[u8]) -> &[u8] {
    let (mut depth, mut escaped) = (0_usize, false);
    let at = octets.iter().position(|&octet| {
        match octet {
            _ if escaped => escaped = false,
            b'\\' if depth > 0 => escaped = true,
            b'(' => depth += 1,
            b')' if depth > 0 => depth -= 1,
            _ => return depth == 0 && !is_blank(octet),
        }
        false
    });
    work(at.unwrap_or(octets.len()));
    at.and_then(|at| octets.get(at..)).unwrap_or_default()
}

fn is_blank(octet: u8) -> bool {
    b" \t\r\n".contains(&octet)
}

/// Characters that have a meaning in structured fields (RFC 5322, section 3.2.3), without the
/// dot, which `obs-phrase` allows; and controls.
fn is_special(character: char) -> bool {
    matches!(
        character,
        '(' | ')' | '<' | '>' | '[' | ']' | ':' | ';' | '@' | '\\' | ',' | '"'
    ) || character.is_control()
}

/// Characters that can make a header look like something else are returned and flagged.
pub(super) fn flag_characters(text: &str, offset: usize, length: usize, report: &mut Report) {
    // Controls, bidirectional controls and noncharacters begin with one of these octets in
    // UTF-8.
    #[expect(
        clippy::needless_bitwise_bool,
        reason = "without branches, octets are looked at sixteen at a time"
    )]
    let may_matter = |octet: u8| {
        (octet < b' ') & (octet != b'\t')
            | (octet == 0x7F)
            | (octet == 0xC2)
            | (octet == 0xD8)
            | (octet == 0xE2)
            | (octet >= 0xEF)
    };
    work(text.len());
    if !has_any(text.as_bytes(), may_matter) {
        return;
    }
    let kinds = [
        Kind::Nul,
        Kind::Control,
        Kind::BidiControl,
        Kind::Noncharacter,
    ];
    let mut found = kinds.map(|kind| (kind, None));
    for character in text.chars() {
        let Some(kind) = kind_of(character) else {
            continue;
        };
        if let Some((_, first)) = found.iter_mut().find(|(of, _)| *of == kind) {
            first.get_or_insert(character);
        }
    }
    for (kind, first) in found {
        if let Some(first) = first {
            let detail = format!("U+{:04X}", u32::from(first));
            report.add(kind, offset, length, detail);
        }
    }
}

/// Whether any octet is `wanted`. Blocks without a way out are one step of vector code each, and
/// the last may overlap the one before.
fn has_any(octets: &[u8], wanted: impl Fn(u8) -> bool) -> bool {
    const BLOCK: usize = 16;
    let (blocks, rest) = octets.as_chunks::<BLOCK>();
    let Some(last) = octets.last_chunk() else {
        return rest.iter().any(|&octet| wanted(octet));
    };
    let mut any = [0; BLOCK];
    for block in blocks.iter().chain([last]) {
        for (any, &octet) in any.iter_mut().zip(block) {
            *any |= u8::from(wanted(octet));
        }
    }
    any != [0; BLOCK]
}

/// What is to be said of a character in a header.
fn kind_of(character: char) -> Option<Kind> {
    match character {
        '\t' | ' '..='~' => None,
        '\0' => Some(Kind::Nul),
        '\u{200E}'
        | '\u{200F}'
        | '\u{061C}'
        | '\u{202A}'..='\u{202E}'
        | '\u{2066}'..='\u{2069}' => Some(Kind::BidiControl),
        _ if character.is_control() => Some(Kind::Control),
        _ if super::unneeded::is_noncharacter(character) => Some(Kind::Noncharacter),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{Strategy, any, prop, prop_oneof};
    use proptest::proptest;

    use super::{
        any_field, any_phrase, clean_field, clean_phrase, differ_in_words_alone, mixed_raw_field,
        mixed_utf8_field, thorough_field,
    };
    use crate::charset::{Charset, Options, utf8};
    use crate::header::{self, Syntax};
    use crate::work::work_of;

    /// Time is linear: what stands beside a word is not looked for up to the end of the field.
    #[test]
    fn the_work_of_words_doubles_with_their_number() {
        let shapes = [
            "(=?latin1?Q?=E9?= ",
            "(=?latin1?Q?\"=E9?= ",
            "\"=?latin1?Q?=E9?= ( ",
            "=?latin1?Q?=E9?= (( ",
            "=?latin1?Q?=E9?= (a) ",
        ];
        for syntax in ALL {
            for shape in shapes {
                // An odd number of quotes leaves one of them open.
                for odd in [0, 1] {
                    let of = |length: usize| {
                        let body = shape.repeat(length / shape.len() / 2 * 2 + odd);
                        work_of(|| drop(any_field(body.as_bytes(), syntax, &Options::new())))
                    };
                    let (small, large) = (of(64 << 10), of(128 << 10));
                    assert!(
                        large <= small * 9 / 4 + 16384,
                        "{shape:?} {syntax:?} {odd}: {small}, then {large}"
                    );
                }
            }
        }
    }

    /// Whether white space between words is shown is asked of each line of it.
    #[test]
    fn the_work_of_folds_between_words_doubles_with_their_number() {
        let options = Options::new();
        let of = |folds: usize| {
            let body = format!("=?latin1?Q?=E9?={}=?latin1?Q?=E9?=", "\n ".repeat(folds));
            work_of(|| drop(any_field(body.as_bytes(), Syntax::Unstructured, &options)))
        };
        let (small, large) = (of(4 << 10), of(8 << 10));
        assert!(large <= small * 9 / 4, "{small}, then {large}");
    }

    const ALL: [Syntax; 5] = [
        Syntax::Unstructured,
        Syntax::Addresses,
        Syntax::Phrases,
        Syntax::Parameters,
        Syntax::Opaque,
    ];

    /// Whatever is read the quick way is read the same way by the thorough one, and how many of
    /// these there are.
    fn compare(body: &[u8], options: &Options) -> usize {
        let mut clean = 0;
        for syntax in ALL {
            if let Some(quick) = clean_field(body, syntax, options) {
                assert_eq!(
                    quick,
                    any_field(body, syntax, options),
                    "{:?}",
                    body.escape_ascii()
                );
                clean += 1;
            }
        }
        for mailbox in header::addresses(body).mailboxes() {
            if let Some(quick) = clean_phrase(mailbox.display_name(), options) {
                assert_eq!(quick, any_phrase(mailbox.display_name(), options));
                clean += 1;
            }
        }
        clean
    }

    /// Every field of every message in the corpus.
    #[test]
    fn the_corpus_is_read_the_same_either_way() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/corpus/mail");
        let (mut fields, mut clean) = (0, 0);
        for file in std::fs::read_dir(folder).unwrap() {
            let octets = std::fs::read(file.unwrap().path()).unwrap();
            let header = octets.split(|&octet| octet == b'\n');
            let mut body: Vec<u8> = Vec::new();
            for line in header {
                if !line.starts_with(b" ") && !line.starts_with(b"\t") {
                    fields += 1;
                    clean += usize::from(compare(&body, &Options::new()) > 0);
                    body.clear();
                    let colon = line.iter().position(|&octet| octet == b':');
                    body.extend(&line[colon.map_or(0, |colon| colon + 1)..]);
                } else {
                    body.push(b'\n');
                    body.extend(line);
                }
            }
        }
        assert!(fields > 1000 && clean > fields / 2, "{clean} of {fields}");
    }

    /// Words whole and broken, in charsets with and without states, between all there is to be
    /// met between words.
    fn body() -> impl Strategy<Value = Vec<u8>> {
        let piece = prop_oneof![
            4 => prop::sample::select(vec![
                &b"=?utf-8?Q?caf=C3=A9?="[..], b"=?UTF-8?b?7ZWc7Ja0?=", b"=?euc-kr?B?x9Gxub7u?=",
                b"=?iso-2022-jp?B?GyRCOGwbKEI=?=", b"=?iso-2022-jp?B?GyRCOGw=?=",
                b"=?iso-2022-jp?Q?=1B$B8l?=", b"=?iso-8859-1?Q?=E9=80?=", b"=?us-ascii?Q?a_b?=",
                b"=?utf-8?Q?=E2=80=AE?=", b"=?utf-8?Q?=00=01?=", b"=?utf-8?B?7ZWc7J?=",
                b"=?utf-8?B?+A==?=", b"=?utf-7?Q?+rB0-?=", b"=?hz-gb-2312?Q?~{VPND~}?=",
                b"=?hz-gb-2312?Q?~{VP?=", b"=?utf-16?B?/v8A6Q==?=", b"=?utf-16le?Q?a=00?=",
                b"=?ks_c_5601-1987?Q?=C7=D1?=", b"=?UNICODE-1-1-UTF-8?B?47Ki?=",
                b"=?utf-8*en?Q?a?=", b"=?unknown-8bit?Q?=E9?=", b"=?utf-8?Q?a b?=",
                b"=?iso-2022-kr?B?GyQpQw5HUA8=?=", b"=?nothing?Q?a?=", b"=?utf-8?Q?=EF=BF=BE?=",
            ]),
            4 => prop::sample::select(vec![
                &b" "[..], b"\r\n ", b"\n\t", b"a", b" b ", b"\r\n", b"\t", b"=", b"=?", b"?=",
                b"\x08", b"\xC3\xA9", b"\xE9", b"\"", b"(", b")", b",", b"<a@b.c>", b";", b"; c=",
                b" <a@b.c>", b" <a@b>, ", b"@", b".", b"<", b">", b":", b" <a@[b]>", b"<@a:b@c>",
                b"a/b", b"; d*=utf-8''%C3%A9", b"; e*0*=iso-2022-jp''%1B$B8l", b"\\", b"\x7F",
                b"the quick brown fox jumps over the lazy dog",
            ]),
            1 => prop::collection::vec(any::<u8>(), 0..6).prop_map(|octets| octets.leak() as &[u8]),
        ];
        prop::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #[test]
        fn any_field_is_read_the_same_either_way(body in body()) {
            compare(&body, &Options::new());
            compare(&body, &Options::new().assume_pre_amendment5(true));
            compare(&body, &Options::new().reading(crate::charset::Reading::AsRegistered));
        }
    }

    /// Names, addresses and what stands between them, in every order that is one of a few steps
    /// away from a list of mailboxes.
    #[test]
    fn lists_of_addresses_are_read_the_same_either_way() {
        let steps: [&[u8]; 12] = [
            b"=?utf-8?Q?caf=C3=A9?=",
            b"=?utf-8?B?YS5i?=",
            b"=?utf-8?B?YSxi?=",
            b"=?utf-8?Q?.?=",
            b"=?utf-8?Q?_?=",
            b"=?utf-8?Q?a.b?=",
            b" <a@b.c>",
            b" ",
            b",",
            b"a",
            b".",
            b"@",
        ];
        let (count, mut clean) = (steps.len(), 0);
        for number in 0..count.pow(4) {
            let of = |place: u32| steps[number / count.pow(place) % count];
            let start = [of(0), of(1), of(2), of(3)].concat();
            for body in [&start[..], &[&start[..], b" <a@b.c>"].concat()] {
                compare(body, &Options::new());
                let quick = clean_field(body, Syntax::Addresses, &Options::new());
                clean += usize::from(quick.is_some_and(|quick| !quick.charsets().is_empty()));
            }
        }
        assert!(clean > 50, "{clean}");
    }

    /// Raw text and words, read quickly or not, say the same.
    #[test]
    fn raw_text_and_words_are_read_the_same_quickly() {
        let pieces: [&[u8]; 13] = [
            b"\xB0\xA1",
            b"\xE9",
            b" ",
            b"=?gbk?B?sKE=?=",
            b"=?utf-8?Q?=C3=A9?=",
            b"=?koi8-r?Q?=F0=00=F?=",
            b"=?iso-2022-jp?B?GyRCOGw=?=",
            b"=?gbk?B?sK?=",
            b"=?x?Q?a?=",
            b"\r\n b",
            b"a=",
            b"<a@b>",
            b", ",
        ];
        let hints = [
            "gbk",
            "iso-8859-3",
            "utf-8",
            "johab",
            "iso-2022-jp",
            "windows-1252",
        ];
        let hints = hints.map(Charset::for_label);
        for syntax in [Syntax::Unstructured, Syntax::Addresses] {
            let (mut quick, mut number_of_words) = (0, 0);
            for number in 0..pieces.len().pow(5) {
                let piece = |place| pieces[number / pieces.len().pow(place) % pieces.len()];
                let mut body = (0..5).map(piece).collect::<Vec<_>>().concat();
                if syntax == Syntax::Addresses {
                    body.extend_from_slice(b"<c@d>");
                }
                if body.is_ascii() {
                    continue;
                }
                let mut options = Options::new().hint(hints[number % hints.len()]);
                options.raw = hints[number / 2 % hints.len()];
                let mixed = match utf8::well_formed(&body) {
                    Some(_) => mixed_utf8_field(&body, syntax, &options),
                    None => mixed_raw_field(&body, syntax, &options),
                };
                let Some(text) = mixed else {
                    continue;
                };
                let thorough = thorough_field(&body, syntax, &options);
                assert_eq!(text, thorough, "{}", body.escape_ascii());
                quick += 1;
                number_of_words += usize::from(text.charsets().len() > 1);
            }
            assert!(
                quick > 1000 && number_of_words > 100,
                "{quick}, {number_of_words}"
            );
        }
    }

    /// Fields that differ in words alone say the same, and have the same names and addresses.
    #[test]
    fn what_differs_in_words_alone_says_the_same() {
        let pieces: [[&[u8]; 2]; 17] = [
            [b"=?gbk?B?sKE=?=", b"=?UTF-8?B?5ZWK?="],
            [b"=?gbk?B?sKE=?=<", b"=?UTF-8?B?5ZWK?= <"],
            [b"=?gbk?Q?=B0=A1?=", b"=?utf-8?Q?=E5=95=8A?="],
            [b"=?latin1?Q?=E9=2C?=", b"=?UTF-8?Q?=C3=A9=2C?="],
            [b"=?latin1?Q?a.?=", b"=?utf-8?Q?a.?="],
            [b"=?latin1?Q?a,?=", b"=?utf-8?Q?a,?="],
            [b"=?latin1?Q?=E9?=", b"=?UTF-8?Q?e?="],
            [b" "; 2],
            [b"\xE9"; 2],
            [b"a"; 2],
            [b"<a@b>"; 2],
            [b", "; 2],
            [b"."; 2],
            [b"\""; 2],
            [b"("; 2],
            [b"?="; 2],
            [b" :;"; 2],
        ];
        let options = Options::new().hint(Some(Charset::WINDOWS_1252));
        // A phrase does not count blanks.
        let said = |text: &str, syntax| match syntax {
            Syntax::Addresses => text.replace(' ', ""),
            _ => text.to_owned(),
        };
        let text = |body: &[u8], syntax| said(super::field(body, syntax, &options).text(), syntax);
        let names = |body: &[u8]| -> Vec<_> {
            let list = header::addresses(body);
            let name = |it: &header::Mailbox<'_>| {
                let name = super::phrase(it.display_name(), &options);
                (
                    it.addr_spec().to_vec(),
                    said(name.text(), Syntax::Addresses),
                )
            };
            list.mailboxes().map(name).collect()
        };
        for syntax in [Syntax::Unstructured, Syntax::Addresses] {
            let (mut same, mut with_words) = (0, 0);
            for number in 0..pieces.len().pow(4) {
                let body = |column: usize| -> Vec<u8> {
                    let piece = |place| pieces[number / pieces.len().pow(place) % pieces.len()];
                    let pieces = (0..4).flat_map(|place| piece(place)[column]);
                    let end: &[u8] = match syntax {
                        Syntax::Addresses => b"<c@d>",
                        _ => b"",
                    };
                    pieces.chain(end).copied().collect()
                };
                let (one, other) = (body(0), body(1));
                if !differ_in_words_alone(&one, &other, syntax, &options) {
                    continue;
                }
                let shown = one.escape_ascii();
                assert_eq!(text(&one, syntax), text(&other, syntax), "{shown}");
                assert!(
                    syntax != Syntax::Addresses || names(&one) == names(&other),
                    "{shown}"
                );
                same += 1;
                with_words += usize::from(one != other);
            }
            assert!(same > 400 && with_words > 100, "{same}, {with_words}");
        }
    }

    /// What most mail consists of must not be for the thorough way.
    #[test]
    fn what_is_common_is_read_quickly() {
        let options = Options::new();
        let bodies = [
            "Re: quarterly meeting",
            "a long subject\r\n that is folded",
            " =?utf-8?Q?Caf=C3=A9?=",
            "[list] =?iso-8859-1?Q?Caf=E9?= notes",
            "=?utf-8?B?7ZWc?=\r\n =?utf-8?B?7Ja0?=",
            "=?euc-kr?B?x9Gxub7u?=",
            "=?iso-2022-jp?B?GyRCOGwbKEI=?= =?iso-2022-jp?B?GyRCOGwbKEI=?=",
        ];
        for body in bodies {
            let quick = clean_field(body.as_bytes(), Syntax::Unstructured, &options);
            assert!(quick.is_some(), "{body:?}");
        }
        let lists = [
            "a@example.org, \"b, c\" <d@example.org>",
            "=?utf-8?B?7ZWc?= <a.b@example.org>",
            "Kim =?utf-8?Q?Caf=C3=A9?=\r\n =?utf-8?Q?bar?= <a@b>,\r\n\t=?euc-kr?B?x9Gxub7u?= <c@d>",
        ];
        for list in lists {
            let quick = clean_field(list.as_bytes(), Syntax::Addresses, &options);
            assert!(quick.is_some(), "{list:?}");
        }
    }
}
