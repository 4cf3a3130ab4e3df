//! Header fields and their parameters to text (RFC 2047, RFC 2231, RFC 6532).

use std::borrow::Cow;
use std::cell::OnceCell;
use std::ops::Range;

use memchr::memmem;

use super::context::{Context, Rest};
use super::contradiction::is_settled;
use super::few::Few;
use super::octets::Octets;
use super::weighing::{Wanted, Weighing, resolved};
use crate::charset::{self, Charset, Decoded, Options, Origin, utf8};
use crate::detect::{
    self, Guess, Likeness, OUTWEIGHS_A_GUESS, OUTWEIGHS_A_LABEL, OUTWEIGHS_NOTHING,
};
use crate::header::{
    self, EncodedWord, Found, MAX_WORD, Piece, PieceSink, Place, StrictPiece, Syntax, Text, Word,
    WordEncoding,
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

    /// Text that is what it is written as.
    const fn plain(text: &'a str) -> Self {
        FieldText {
            text: Cow::Borrowed(text),
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
    if body.is_empty() {
        // A header may have a quarter of a million of these.
        return FieldText::nothing();
    }
    // Most fields are printable ASCII on one line, which is their text.
    let plain = header::text_length(body);
    if plain == body.len()
        && let Ok(text) = std::str::from_utf8(body)
    {
        return FieldText::plain(text);
    }
    let sound = sound_field(body, plain, syntax, options);
    sound.unwrap_or_else(|| any_field(body, syntax, options))
}

/// The text of any field body.
fn any_field<'a>(body: &'a [u8], syntax: Syntax, options: &Options) -> FieldText<'a> {
    let mut assembly = Assembly::new(body, Quoting::WherePlaced(syntax), body.len(), options);
    assembly.is_printable = is_printable(body);
    let read = header::read(body, syntax, &mut assembly);
    let text = assembly.finish(read.report);
    if !assembly.is_misread() {
        return text;
    }
    let mut assembly = assembly.begun_again();
    let read = header::read(body, syntax, &mut assembly);
    assembly.finish(read.report)
}

/// The text of a field body of which there is nothing to report and in which nothing is quoted;
/// `None` for any other. It begins with `plain` octets of text.
fn sound_field<'a>(
    body: &'a [u8],
    plain: usize,
    syntax: Syntax,
    options: &Options,
) -> Option<FieldText<'a>> {
    match body.get(plain) {
        Some(0x80..) => return None,
        Some(b'=') if syntax == Syntax::Addresses => return sound_list(body, options),
        _ => {}
    }
    let mut sound = SoundText::new(body, body.len(), options);
    for piece in header::StrictPieces::new(body, plain) {
        match piece.ok()? {
            StrictPiece::Text(text) => sound.push_text(text),
            StrictPiece::Word(word) if syntax == Syntax::Unstructured => sound.push_word(&word)?,
            StrictPiece::Word(_) if syntax == Syntax::Addresses => {
                return sound_list(body, options);
            }
            StrictPiece::Word(_) => return None,
        }
    }
    sound.finish()
}

/// The same for a list of addresses, which may have encoded words in it.
fn sound_list<'a>(body: &'a [u8], options: &Options) -> Option<FieldText<'a>> {
    if !is_printable(body) {
        return None;
    }
    let mut sound = SoundText::new(body, body.len(), options);
    let read = header::read(body, Syntax::Addresses, &mut sound);
    if read.report.is_empty() {
        sound.finish()
    } else {
        None
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
    if let [Piece::Text(only)] = pieces
        && let Some(text) = plain_text(only.octets())
    {
        return FieldText::plain(text);
    }
    sound_phrase(pieces, options).unwrap_or_else(|| any_phrase(pieces, options))
}

/// The text of pieces of which there is nothing to report; `None` for any other.
fn sound_phrase<'a>(pieces: &[Piece<'a>], options: &Options) -> Option<FieldText<'a>> {
    let mut sound = SoundText::new(b"", length_of(pieces), options);
    for piece in pieces {
        match piece {
            Piece::Text(text) if text.between_words() => {}
            Piece::Text(text) => sound.push_text(plain_text(text.octets())?),
            Piece::Word(word) => sound.push_word(&Word::of(word))?,
        }
    }
    sound.finish()
}

/// The text of any pieces.
fn any_phrase<'a>(pieces: &[Piece<'a>], options: &Options) -> FieldText<'a> {
    let raw = raw_octets(pieces);
    text_of_pieces(pieces, Report::new(), &raw, Quoting::Never, options)
}

/// How many octets pieces take where they are from.
fn length_of(pieces: &[Piece<'_>]) -> usize {
    let length = |piece: &Piece<'_>| match piece {
        Piece::Text(text) => text.octets().len(),
        Piece::Word(word) => word.length(),
    };
    pieces.iter().map(length).sum()
}

/// All that stands between the words, if it may be in another charset than US-ASCII: its charset is
/// asked of all of it together.
fn raw_octets(pieces: &[Piece<'_>]) -> Vec<u8> {
    let texts = || {
        pieces.iter().filter_map(|piece| match piece {
            Piece::Text(text) => Some(text.octets()),
            _ => None,
        })
    };
    if texts().all(is_printable) {
        return Vec::new();
    }
    let raw = texts().collect::<Vec<_>>().concat();
    without_folds_in_characters(&raw, BLANKS).into_owned()
}

/// Whether octets are printable US-ASCII, blanks, tabs and line ends, so that they are text, about
/// which there is nothing to report but line ends.
fn is_printable(octets: &[u8]) -> bool {
    #[expect(
        clippy::needless_bitwise_bool,
        reason = "without branches, a block is one step of vector code"
    )]
    let is_such = |octet: u8| {
        (octet.wrapping_sub(b' ') <= b'~' - b' ')
            | (octet == b'\t')
            | (octet == b'\r')
            | (octet == b'\n')
    };
    work(octets.len());
    let (blocks, rest) = octets.as_chunks::<16>();
    let all = |octets: &[u8]| octets.iter().fold(true, |all, &octet| all & is_such(octet));
    blocks.iter().all(|block| all(block))
        && octets
            .last_chunk::<16>()
            .map_or_else(|| all(rest), |last| all(last))
}

/// Text of printable ASCII, blanks and tabs, without anything like an encoded word.
pub(super) fn plain_text(octets: &[u8]) -> Option<&str> {
    if header::text_length(octets) < octets.len() {
        return None;
    }
    std::str::from_utf8(octets).ok()
}

/// The charset of the ISO 2022 family whose escapes are in raw text of seven bits, where that
/// decodes without a fault. HZ is no such: its tildes and braces are text to everybody else.
pub(super) fn escapes_of(octets: &[u8]) -> Option<Charset> {
    memchr::memchr(0x1B, octets)?;
    let charset = detect::by_escapes(octets)?.charset();
    (charset.name() != "HZ-GB-2312").then_some(charset)
}

/// Says what was done to the label of a word, or that it declares nothing.
fn tell_of_label(word: &Word<'_, '_>, report: &mut Report) {
    let (offset, length) = (word.offset(), word.length());
    if word.label().as_bytes().is_empty() {
        report.add(Kind::NoLabel, offset, length, "no charset is declared");
        return;
    }
    let mut found = Report::new();
    resolved(&word.label(), &mut found);
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
    if octets.is_ascii() {
        return (Charset::US_ASCII, Source::Default);
    }
    if utf8::well_formed(octets).is_some() {
        return (Charset::UTF_8, Source::Evidence);
    }
    let mut buffer = String::new();
    let found = guesses(octets, options).find(|(charset, source)| {
        *source != Source::Detected || charset.reads_in(octets, options, &mut buffer)
    });
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

/// How much memory is taken for the text of so many octets before they are read: of more the
/// charset says how long its text is. Two octets may be three of text.
fn capacity_for(length: usize) -> usize {
    match length {
        ..=MAX_WORD => length + length / 2,
        _ => length.min(MOST_TEXT),
    }
}

/// The most octets of memory that are taken for a text before it is read.
const MOST_TEXT: usize = 1 << 20;

/// Whether two bodies of a field say the same beyond doubt: both have the same octets around words
/// that keep the rules and have no neighbours, in a list of addresses but for blanks, and each word
/// says the same. Raw octets are not read for that: in either body they stand between the same.
pub(crate) fn differ_in_words_alone(
    one: &[u8],
    other: &[u8],
    syntax: Syntax,
    options: &Options,
) -> bool {
    let (Some(ones), Some(others)) = (lone_words(one, syntax), lone_words(other, syntax)) else {
        return false;
    };
    let text_of = |word: &EncodedWord<'_>| {
        let word = Word::of(word);
        let mut text = String::with_capacity(MAX_WORD);
        let charset = Charset::for_label(word.label_octets());
        let charset = charset.filter(|charset| charset.is_declarable())?;
        decode_word(&word, charset, options, &mut text, &mut Report::new()).then_some(text)
    };
    let is_same = |pair: (&Piece<'_>, &Piece<'_>)| match pair {
        // A phrase does not count blanks.
        (Piece::Text(text), Piece::Text(other)) if syntax == Syntax::Addresses => {
            header::trim(text.octets()) == header::trim(other.octets())
        }
        (Piece::Text(text), Piece::Text(other)) => text.octets() == other.octets(),
        (Piece::Word(word), Piece::Word(other)) => {
            let text = text_of(word);
            text.is_some() && text == text_of(other)
        }
        _ => false,
    };
    ones.len() == others.len() && ones.iter().zip(&others).all(is_same)
}

/// The pieces of a field on one line in which all words keep the rules, have no neighbours and, in a
/// list of addresses, stand in display names that nothing joins them to.
fn lone_words(body: &[u8], syntax: Syntax) -> Option<Vec<Piece<'_>>> {
    /// What is longer has limits to be looked after.
    const MOST: usize = 4096;
    let place = match syntax {
        Syntax::Unstructured => Place::Text,
        Syntax::Addresses => Place::Phrase,
        _ => return None,
    };
    if body.len() > MOST || memchr::memchr2(b'\r', b'\n', body).is_some() {
        return None;
    }
    let mut pieces = Vec::new();
    let read = header::read(body, syntax, &mut pieces);
    // An address may touch a name.
    let is_allowed = |kind| place == Place::Phrase && kind == Kind::EncodedWordPlace;
    let is_apart = |word: &EncodedWord<'_>| {
        let (offset, end) = (word.offset(), word.offset() + word.length());
        let before = offset.checked_sub(1).and_then(|at| body.get(at));
        let behind = body.get(end);
        word.place() == place
            && before.is_none_or(|&octet| is_blank(octet))
            && behind.is_none_or(|&octet| is_blank(octet) || octet == b'<')
            && !(place == Place::Phrase && Beside::of(body, offset, end, body.len()).joins)
    };
    let is_lone = |piece: &Piece<'_>| match piece {
        Piece::Text(text) => !text.between_words() && !header::has_opening(text.octets()),
        Piece::Word(word) => is_apart(word),
    };
    let mut findings = read.report.findings().iter();
    let are_lone = findings.all(|finding| is_allowed(finding.kind()))
        && !read.has_open_quote
        && pieces.iter().all(is_lone);
    are_lone.then_some(pieces)
}

/// The text of pieces; `body` is what is asked for the charset of raw octets.
pub(super) fn text_of_pieces<'a>(
    pieces: &[Piece<'a>],
    report: Report,
    body: &[u8],
    quoting: Quoting,
    options: &Options,
) -> FieldText<'a> {
    let source = |piece: &Piece<'a>| match piece {
        Piece::Text(text) => text.octets(),
        Piece::Word(word) => word.source(),
    };
    let mut assembly = Assembly::new(body, quoting, length_of(pieces), options);
    assembly.is_printable = pieces.iter().map(source).all(is_printable);
    for piece in pieces {
        match piece {
            Piece::Text(text) => assembly.text(*text),
            Piece::Word(word) => assembly.push_word(Word::of(word)),
        }
    }
    assembly.finish(report)
}

/// A field's text while it is put together, as long as there is nothing to report, to quote or to
/// weigh: a part of what [`Assembly`] does, by the same rules.
///
/// A subject with one encoded word takes 30 per cent fewer instructions than by [`Assembly`] and
/// [`header::read`] alone.
struct SoundText<'w> {
    /// What stands around the words of a structured field.
    body: &'w [u8],
    text: String,
    capacity: usize,
    charsets: Few<CharsetUse>,
    /// The word before, where nothing but white space has followed it.
    last: Option<LastWord<'w>>,
    /// Where in the body the last word ends.
    end: usize,
    /// Whether something was met that is not for it.
    is_odd: bool,
    options: &'w Options,
}

/// What the next word has to know of the one before.
struct LastWord<'w> {
    label: &'w [u8],
    charset: Charset,
    place: Place,
    /// Whether what follows it begins in the state in which a text begins.
    is_closed: bool,
}

impl<'a: 'w, 'w> PieceSink<'a> for SoundText<'w> {
    #[inline]
    fn text(&mut self, text: Text<'a>) {
        match std::str::from_utf8(text.octets()) {
            // It is not shown if both words are read (RFC 2047, section 6.2).
            _ if text.between_words() => {}
            Ok(text) => self.push_text(text),
            Err(_) => self.is_odd = true,
        }
    }

    #[inline]
    fn word(&mut self, word: &Found<'a>, place: Place, in_quotes: bool) {
        if self.is_odd {
            return;
        }
        let word = word.word(place, in_quotes);
        let start = self.text.len();
        self.is_odd = self.push_word(&word).is_none()
            || match place {
                Place::Text => false,
                Place::Phrase => self.bears_on_syntax(&word, start),
                _ => true,
            };
        self.end = word.offset() + word.length();
    }
}

impl<'w> SoundText<'w> {
    fn new(body: &'w [u8], length: usize, options: &'w Options) -> Self {
        SoundText {
            body,
            text: String::new(),
            capacity: capacity_for(length),
            charsets: Few::None,
            last: None,
            end: 0,
            is_odd: false,
            options,
        }
    }

    fn reserve(&mut self) {
        if self.text.capacity() == 0 {
            self.text = String::with_capacity(self.capacity);
        }
    }

    /// Appends printable text.
    fn push_text(&mut self, text: &str) {
        self.reserve();
        self.last = None;
        self.text.push_str(text);
    }

    /// Appends what a word says, if there is nothing to say of it.
    fn push_word(&mut self, word: &Word<'_, 'w>) -> Option<()> {
        let label = word.label_octets();
        let charset = match &self.last {
            Some(last) if last.label == label => last.charset,
            _ => Charset::for_label(label).filter(|charset| charset.is_declarable())?,
        };
        let mut goes_on = false;
        if let Some(last) = &self.last {
            goes_on = last.charset == charset;
            if last.place != word.place() || goes_on && !last.is_closed {
                return None;
            }
        }
        let mut buffer = [0; MAX_WORD];
        let octets = sound_octets(word, &mut buffer).filter(|_| !self.options.remaps(charset))?;
        self.reserve();
        let found = decode_settled(charset, octets, self.options, &mut self.text)?;
        if !found.is_empty() {
            return None;
        }
        let end = word.offset() + word.length();
        match self.charsets.as_mut_slice().last_mut() {
            Some(run) if goes_on => run.length = end - run.offset,
            _ => self.charsets.push(CharsetUse {
                offset: word.offset(),
                length: word.length(),
                charset: charset.as_practised(),
                source: Source::Declared,
            }),
        }
        self.last = Some(LastWord {
            label,
            charset,
            place: word.place(),
            is_closed: charset.ends_as_begun(octets),
        });
        Some(())
    }

    /// Whether the text from `start` on, which is of a word in a phrase, could be taken for syntax,
    /// or may not stand there.
    fn bears_on_syntax(&self, word: &Word<'_, '_>, start: usize) -> bool {
        let (offset, end) = (word.offset(), word.offset() + word.length());
        let said = self.text.get(start..).unwrap_or_default();
        let before = self.body.get(self.end..offset).unwrap_or_default();
        let beside = Beside::of(self.body, offset, end, self.body.len());
        needs_quotes(said, Place::Phrase)
            || beside.joins
            || is_escaped(self.body, offset)
            || header::has_opening(before)
    }

    fn finish<'f>(self) -> Option<FieldText<'f>> {
        let mut report = Report::new();
        // What is no word is printable.
        if !matches!(self.charsets, Few::None) {
            flag_characters(&self.text, 0, 0, &mut report);
        }
        let is_sound = !self.is_odd && report.is_empty();
        is_sound.then_some(FieldText {
            text: Cow::Owned(self.text),
            charsets: self.charsets,
            report,
        })
    }
}

/// What a label means.
#[derive(Clone, Copy)]
struct Named {
    /// [`Charset::UNKNOWN_8BIT`] where it declares nothing.
    charset: Charset,
    /// Whether it is in the list as it is written, and declares something.
    is_exact: bool,
}

/// Raw octets waiting to be decoded together: a character may be split by a fold.
#[derive(Default)]
struct Raw<'a> {
    octets: Cow<'a, [u8]>,
    /// Where the text of them begins that is in the assembly already, if they are more than one
    /// line of US-ASCII.
    start: Option<usize>,
    /// Where in the octets a line begins that was folded.
    folds: Vec<usize>,
    offset: usize,
    end: usize,
    /// Whether a fold inside a character was left out.
    was_split: bool,
}

/// A field's text while it is put together from its pieces.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is another thing that is known of the field"
)]
struct Assembly<'a, 'o> {
    /// The octets that offsets count, where words are quoted by what stands around them.
    body: &'o [u8],
    text: String,
    /// How much memory is taken for the text, once some is needed.
    capacity: usize,
    charsets: Few<CharsetUse>,
    report: Report,
    raw: Raw<'a>,
    /// What the field's raw octets are in, once that is asked; one answer for the whole field.
    raw_charset: RawCharset,
    /// Whether all of the field is [printable](is_printable).
    is_printable: bool,
    /// Neighbouring words in one charset and at one kind of place, to which more may come.
    run: Few<Word<'a, 'o>>,
    run_charset: Charset,
    /// What the label of the last of them means.
    named: Named,
    /// Whether all their labels are in the list as they are written.
    are_exact: bool,
    /// The white space before them, if it has another word before it.
    blanks_before: Few<Text<'a>>,
    /// The white space behind the last word, until it is known whether it is shown.
    blanks: Few<Text<'a>>,
    /// Whether a word that was read came last, blanks aside.
    after_word: bool,
    quoting: Quoting,
    /// Whether something that begins like an encoded word was met in text.
    has_opening: bool,
    around: OnceCell<Around>,
    /// The last label that is not in the list as it is written.
    last_odd: Option<(Label<'static>, Named)>,
    weighed: Weighed,
    options: &'o Options,
}

/// What the raw octets of a field are in.
#[derive(Clone, Copy)]
enum RawCharset {
    /// None were met.
    Unknown,
    /// The first guess that reads those met so far.
    Tried(Charset, Source),
    /// The first guess did not read what came later.
    Misread,
    /// What [`raw_charset`] says of the whole field.
    Known(Charset, Source),
}

/// Whether what words hold is quoted where it could be taken for syntax.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Quoting {
    /// In a field of that syntax.
    WherePlaced(Syntax),
    Never,
}

/// What bears on the words of a structured field and is known once all of it has been read.
struct Around {
    /// From where something that begins like an encoded word stands in the text around words, to
    /// where one might end: what is written between could become part of one.
    open_word: Range<usize>,
    /// Whether a quotation mark stands open in the field, which a second one would close.
    has_open_quote: bool,
}

impl Around {
    fn of(body: &[u8], syntax: Syntax) -> Self {
        let mut open = OpenWord::default();
        let read = header::read(body, syntax, &mut open);
        Around {
            open_word: match (open.start, open.end) {
                (Some(start), Some(end)) => start..end,
                _ => 0..0,
            },
            has_open_quote: read.has_open_quote,
        }
    }
}

/// The first text with an `=?` in it, and the last with a `?=`, by their offsets.
#[derive(Default)]
struct OpenWord {
    start: Option<usize>,
    end: Option<usize>,
}

impl<'a> PieceSink<'a> for OpenWord {
    fn text(&mut self, text: Text<'a>) {
        let has = |octets: &[u8]| memmem::find(text.octets(), octets).is_some();
        if self.start.is_none() && has(b"=?") {
            self.start = Some(text.offset());
        }
        if has(b"?=") {
            self.end = Some(text.offset());
        }
    }

    fn word(&mut self, _: &Found<'a>, _: Place, _: bool) {}
}

impl<'a: 'o, 'o> PieceSink<'a> for Assembly<'a, 'o> {
    fn text(&mut self, text: Text<'a>) {
        if text.between_words() && (self.after_word || self.has_run()) {
            self.blanks.push(text);
            return;
        }
        self.end_run();
        self.show_blanks_between_words();
        self.after_word = false;
        if self.quoting != Quoting::WherePlaced(Syntax::Unstructured) && !self.has_opening {
            self.has_opening = header::has_opening(text.octets());
        }
        self.push_raw(text.octets(), text.offset());
    }

    fn word(&mut self, word: &Found<'a>, place: Place, in_quotes: bool) {
        self.push_word(word.word(place, in_quotes));
    }
}

impl<'a, 'o> Assembly<'a, 'o> {
    /// One for text of about `length` octets.
    fn new(body: &'o [u8], quoting: Quoting, length: usize, options: &'o Options) -> Self {
        Assembly {
            body,
            text: String::new(),
            capacity: capacity_for(length),
            charsets: Few::None,
            report: Report::new(),
            raw: Raw::default(),
            raw_charset: RawCharset::Unknown,
            is_printable: false,
            run: Few::None,
            run_charset: Charset::US_ASCII,
            named: Named {
                charset: Charset::US_ASCII,
                is_exact: true,
            },
            are_exact: true,
            blanks_before: Few::None,
            blanks: Few::None,
            after_word: false,
            quoting,
            has_opening: false,
            around: OnceCell::new(),
            last_odd: None,
            weighed: Weighed::default(),
            options,
        }
    }

    /// Takes a word, which waits for others of its charset.
    fn push_word(&mut self, word: Word<'a, 'o>) {
        if !self.is_printable && !word.source().is_ascii() {
            // They count among the raw octets of the field.
            self.raw_charset();
        }
        let last = self.run.as_slice().last();
        let named = match last {
            // Words that follow each other mostly have the same label.
            Some(last) if last.label() == word.label() => self.named,
            _ => self.meaning(&word.label()),
        };
        let charset = can_be_read(named.charset);
        let last = self.run.as_slice().last();
        let goes_on = last.is_some_and(|last| last.place() == word.place());
        if goes_on && charset == Some(self.run_charset) {
            // White space between words of one run is not shown (RFC 2047, section 6.2).
            self.blanks = Few::None;
            self.named = named;
            self.are_exact &= named.is_exact;
            self.run.push(word);
            return;
        }
        self.end_run();
        if charset.is_none() || !self.after_word {
            self.show_blanks_between_words();
        }
        let Some(charset) = charset else {
            self.keep(&word, named.charset);
            self.after_word = false;
            return;
        };
        self.blanks_before = std::mem::take(&mut self.blanks);
        self.run = Few::One(word);
        self.run_charset = charset;
        self.named = named;
        self.are_exact = named.is_exact;
    }

    /// Whether there are words to which more may come.
    fn has_run(&self) -> bool {
        !matches!(self.run, Few::None)
    }

    /// What a label means.
    fn meaning(&mut self, label: &Label<'_>) -> Named {
        if let Some(charset) = Charset::for_label(label.as_bytes()) {
            return Named {
                charset,
                is_exact: !charset.names_nothing(),
            };
        }
        match &self.last_odd {
            Some((last, named)) if last == label => *named,
            _ => {
                let charset = charset::resolve(label).charset();
                let named = Named {
                    charset: charset.unwrap_or(Charset::UNKNOWN_8BIT),
                    is_exact: false,
                };
                self.last_odd = Some((label.clone().into_owned(), named));
                named
            }
        }
    }

    /// Whether the text was read in a charset that does not read all of it.
    fn is_misread(&self) -> bool {
        matches!(self.raw_charset, RawCharset::Misread)
    }

    /// One for the same field, for which the charset of its raw octets is looked for in all of it.
    fn begun_again(self) -> Self {
        let (charset, source) = raw_charset(self.body, self.options);
        Assembly {
            raw_charset: RawCharset::Known(charset, source),
            is_printable: self.is_printable,
            ..Assembly::new(self.body, self.quoting, self.capacity, self.options)
        }
    }

    /// Appends what the words say that wait for others of their charset, if there are some.
    #[inline]
    fn end_run(&mut self) {
        if self.has_run() {
            let words = std::mem::take(&mut self.run);
            self.after_word = self.push_words(words.as_slice());
            self.blanks_before = Few::None;
        }
    }

    /// Appends the white space behind the last word.
    ///
    /// RFC 2047, section 6.2, has white space between two encoded words not shown. It is shown
    /// where one of them stays as it is written, or what follows is none.
    #[inline]
    fn show_blanks_between_words(&mut self) {
        if matches!(self.blanks, Few::None) {
            return;
        }
        for blank in std::mem::take(&mut self.blanks).as_slice() {
            self.push_raw(blank.octets(), blank.offset());
        }
    }

    /// Takes memory for the text, where there is none.
    fn reserve(&mut self) {
        if self.text.capacity() == 0 {
            self.text = String::with_capacity(self.capacity);
        }
    }

    fn push_raw(&mut self, octets: &'a [u8], offset: usize) {
        if self.raw.octets.is_empty() && self.raw.start.is_none() {
            self.raw.offset = offset;
            self.raw.octets = Cow::Borrowed(octets);
        } else if self.is_printable {
            self.reserve();
            let start = self.text.len();
            self.raw.start.get_or_insert(start);
            let first = std::mem::take(&mut self.raw.octets);
            self.text.push_str(&utf8::decode_lossy(&first));
            self.text.push_str(&utf8::decode_lossy(octets));
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
    fn behind_fold(&mut self, octets: &'a [u8], offset: usize) -> Option<&'a [u8]> {
        let is_line_end = match (self.quoting, offset.checked_sub(self.raw.end)?) {
            // Offsets of a name count a body that is not there.
            (Quoting::Never, 1 | 2) => true,
            (Quoting::WherePlaced(_), 1 | 2) => {
                let between = self.body.get(self.raw.end..offset)?;
                between.iter().all(|octet| LINE_ENDS.contains(octet))
            }
            _ => false,
        };
        if !is_line_end || self.raw_charset().0 != Charset::UTF_8 {
            return None;
        }
        let blanks = octets.iter().position(|&octet| !is_blank(octet))?;
        let behind = octets.get(blanks..).filter(|_| blanks > 0)?;
        is_split(&self.raw.octets, behind).then_some(behind)
    }

    fn flush_raw(&mut self) {
        if self.is_printable {
            return self.flush_printable();
        }
        if self.raw.octets.is_empty() {
            return;
        }
        let raw = std::mem::take(&mut self.raw);
        let place = raw.offset..raw.end;
        self.reserve();
        let text = if let Some(unfolded) = with_whole_runs(&raw.octets, &raw.folds) {
            self.raw_text(&unfolded, &place, false).into_owned().into()
        } else {
            self.raw_text(&raw.octets, &place, raw.was_split)
        };
        self.text.push_str(&text);
    }

    /// Appends raw octets that are text; of more than one line all are there already.
    fn flush_printable(&mut self) {
        if let octets @ [_, ..] = &*std::mem::take(&mut self.raw.octets) {
            self.reserve();
            self.raw.start = Some(self.text.len());
            self.text.push_str(&utf8::decode_lossy(octets));
        }
        if let Some(start) = self.raw.start.take() {
            let said = self.text.get(start..).unwrap_or_default();
            let place = self.raw.offset..self.raw.end;
            flag_line_ends(said, &place, &mut self.report);
        }
    }

    /// What raw octets say that are in that place; borrowed where they are text.
    fn raw_text<'r>(
        &mut self,
        octets: &'r [u8],
        place: &Range<usize>,
        was_split: bool,
    ) -> Cow<'r, str> {
        if self.is_printable {
            let text = utf8::decode_lossy(octets);
            flag_line_ends(&text, place, &mut self.report);
            return text;
        }
        let (offset, length) = (place.start, place.len());
        let text = if !octets.is_ascii() {
            let (charset, source, decoded) = self.decode_raw(octets, place);
            let report = &mut self.report;
            place_at(&decoded.report, offset, length, report);
            let is_sound = decoded.report.replacements() == 0 && !was_split;
            raw_finding(charset, source, is_sound, (offset, length), report);
            self.charsets.push(CharsetUse {
                offset,
                length,
                charset,
                source,
            });
            decoded.text
        } else if let Some(charset) = escapes_of(octets) {
            let decoded = charset.decode_with(octets, self.options);
            place_at(&decoded.report, offset, length, &mut self.report);
            let detail = charset.said_to_be_read();
            self.report
                .add(Kind::DetectedCharset, offset, length, detail);
            self.charsets.push(CharsetUse {
                offset,
                length,
                charset,
                source: Source::Evidence,
            });
            decoded.text
        } else {
            utf8::decode_lossy(octets)
        };
        flag_characters(&text, offset, length, &mut self.report);
        text
    }

    /// What octets above 7F say, in the charset of all that the field has.
    fn decode_raw<'r>(
        &mut self,
        octets: &'r [u8],
        place: &Range<usize>,
    ) -> (Charset, Source, Decoded<'r>) {
        let is_whole = octets == self.body;
        // With a blank at the end it is read by itself as in all of the body: in supersets of
        // US-ASCII no blank is the second half of anything.
        let is_apart = is_whole
            || self.quoting != Quoting::Never
                && octets.len() == place.len()
                && (place.end == self.body.len() || octets.last().copied().is_some_and(is_blank));
        let is_unknown = matches!(self.raw_charset, RawCharset::Unknown);
        if is_unknown && utf8::well_formed(self.body).is_some() {
            self.raw_charset = RawCharset::Known(Charset::UTF_8, Source::Evidence);
        } else if is_unknown && is_apart {
            // To read them is to know whether a guess reads them.
            for (charset, source) in guesses(self.body, self.options) {
                if !is_whole && !charset.is_ascii_superset() {
                    break;
                }
                let decoded = charset.decode_with(octets, self.options);
                if source != Source::Detected || decoded.report.replacements() == 0 {
                    self.raw_charset = RawCharset::Tried(charset, source);
                    return (charset, source, decoded);
                }
            }
        }
        let (charset, source) = match self.raw_charset {
            RawCharset::Tried(charset, source) if is_apart => (charset, source),
            _ => self.raw_charset(),
        };
        let decoded = charset.decode_with(octets, self.options);
        if let RawCharset::Tried(_, Source::Detected) = self.raw_charset
            && decoded.report.replacements() > 0
        {
            self.raw_charset = RawCharset::Misread;
        }
        (charset, source, decoded)
    }

    /// What the field's raw octets are in, asked of all of it.
    fn raw_charset(&mut self) -> (Charset, Source) {
        match self.raw_charset {
            RawCharset::Known(charset, source) => (charset, source),
            // What is read here is read again.
            RawCharset::Misread => (Charset::WINDOWS_1252, Source::Default),
            tried => {
                let (charset, source) = raw_charset(self.body, self.options);
                self.raw_charset = match tried {
                    RawCharset::Tried(guess, _) if guess != charset => RawCharset::Misread,
                    _ => RawCharset::Known(charset, source),
                };
                (charset, source)
            }
        }
    }

    /// A word that cannot be decoded stands as it is (RFC 2047, section 6.2).
    fn keep(&mut self, word: &Word<'a, 'o>, charset: Charset) {
        self.push_raw(word.source(), word.offset());
        let (offset, length) = (word.offset(), word.length());
        let detail = if self.report.keeps(Kind::EncodedWordKept) {
            Cow::Owned(format!("no decoder for {charset}"))
        } else {
            Cow::Borrowed("a charset without a decoder")
        };
        self.report
            .add(Kind::EncodedWordKept, offset, length, detail);
    }

    /// Words stand as they are where no quotes around their text would keep it apart.
    fn keep_all(&mut self, words: &[Word<'a, 'o>], detail: &'static str) {
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
    /// written, so do the blanks between them and another word before them.
    fn push_words(&mut self, words: &[Word<'a, 'o>]) -> bool {
        self.flush_raw();
        self.reserve();
        let (Some(first), Some(last)) = (words.first(), words.last()) else {
            return true;
        };
        let place = first.offset()..last.offset() + last.length();
        let start = self.text.len();
        let read_in = self.decode_words(words, self.run_charset);
        if let Quoting::WherePlaced(syntax) = self.quoting
            && first.place() != Place::Text
            && let Err(detail) = self.keep_apart(first, start, &place, syntax)
        {
            self.text.truncate(start);
            for blank in std::mem::take(&mut self.blanks_before).as_slice() {
                self.push_raw(blank.octets(), blank.offset());
            }
            self.keep_all(words, detail);
            return false;
        }
        let said = self.text.get(start..).unwrap_or_default();
        flag_characters(said, place.start, place.len(), &mut self.report);
        self.tell_of_words(words, read_in, place);
        true
    }

    /// Quotes the text from `start` on, which is of words in that place, where it could be taken
    /// for syntax; else says why no quotes would keep it apart from what stands around it.
    fn keep_apart(
        &mut self,
        first: &Word<'_, '_>,
        start: usize,
        range: &Range<usize>,
        syntax: Syntax,
    ) -> Result<(), &'static str> {
        let said = self.text.get(start..).unwrap_or_default();
        let place = match first.place() {
            Place::Parameter if first.is_in_quotes() => Place::QuotedString,
            place => place,
        };
        let looked_at = match place {
            Place::Phrase => self.body.len(),
            // Parentheses in here need not close in here: words before each of many would each
            // look at all the rest.
            _ => Beside::NEAR,
        };
        let beside = Beside::of(self.body, range.start, range.end, looked_at);
        let is_marked = needs_quotes(said, place);
        let around = || self.around.get_or_init(|| Around::of(self.body, syntax));
        // It would make a pair with the one that keeps the text apart.
        if is_escaped(self.body, range.start) {
            return Err("a backslash stands before it");
        }
        if self.has_opening && around().open_word.contains(&range.start) {
            return Err("something like an encoded word stands open around it");
        }
        // A quoted string is a word of a local part as well.
        if place == Place::Phrase && beside.next == Some(b'.') {
            return Err("a full stop follows it");
        }
        // Two values side by side are two parameters to some.
        if place == Place::Parameter && (beside.before || !beside.is_apart && is_marked) {
            return Err("text of a parameter stands beside it");
        }
        // Quotes would close the one that stands open.
        if (is_marked || beside.joins) && around().has_open_quote {
            return Err("a quotation mark or a bracket stands open in the field");
        }
        let is_marked = is_marked || place == Place::Phrase && beside.joins;
        if is_marked || matches!(place, Place::Comment | Place::QuotedString) {
            let said = self.text.split_off(start);
            quote(&said, place, is_marked, &mut self.text);
        }
        Ok(())
    }

    /// Says in what charset words were read, on whose word, and what was done to their labels for
    /// it.
    fn tell_of_words(
        &mut self,
        words: &[Word<'_, '_>],
        (charset, source): (Charset, Source),
        place: Range<usize>,
    ) {
        if !self.are_exact {
            for word in words {
                tell_of_label(word, &mut self.report);
            }
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
        words: &[Word<'_, '_>],
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
        let decided = Decided::of(&first.label(), &joined, self.options, self.weighed);
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

    /// Appends the text of neighbouring words whose labels name one charset; gives what they were
    /// read in.
    ///
    /// RFC 2047, section 5, has each word stand for itself, and each is decoded so. Many
    /// mailers cut words inside a character all the same, some inside a base64 quantum:
    /// where words alone leave malformed octets they are joined, as octets, then as base64,
    /// and the text of the joined words is taken if it is better.
    fn decode_words(&mut self, words: &[Word<'_, '_>], charset: Charset) -> (Charset, Source) {
        let is_read = match words {
            [word] => decode_word(
                word,
                charset,
                self.options,
                &mut self.text,
                &mut self.report,
            ),
            words => decode_sound_words(words, charset, self.options, &mut self.text),
        };
        if is_read {
            return (charset, Source::Declared);
        }
        let alone: Vec<Cow<'_, [u8]>> = words.iter().map(|word| self.octets_of(word)).collect();
        let (charset, source) = self.read_in(words, &alone, charset);
        let text = self.decode_in(words, &alone, charset);
        self.text.push_str(&text);
        (charset, source)
    }

    /// The text of neighbouring words that have these octets, in a charset.
    fn decode_in(
        &mut self,
        words: &[Word<'_, '_>],
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
        words: &[Word<'_, '_>],
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
                && words.get(at + 1).is_some_and(lacks_escape);
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

    fn octets_of<'w>(&mut self, word: &Word<'_, 'w>) -> Cow<'w, [u8]> {
        let (octets, report) = octets_of(word);
        place_at(&report, word.offset(), word.length(), &mut self.report);
        octets
    }

    fn settle(&mut self, words: &[Word<'_, '_>], decoded: &Decoded<'_>, joined: bool) -> String {
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

    /// The text, with the findings of its pieces before its own.
    fn finish(&mut self, mut report: Report) -> FieldText<'a> {
        self.end_run();
        self.show_blanks_between_words();
        let text = match std::mem::take(&mut self.raw.octets) {
            Cow::Borrowed(octets) if self.text.is_empty() && !octets.is_empty() => {
                self.raw_text(octets, &(self.raw.offset..self.raw.end), false)
            }
            octets => {
                self.raw.octets = octets;
                self.flush_raw();
                Cow::Owned(std::mem::take(&mut self.text))
            }
        };
        let own = std::mem::take(&mut self.report);
        if report.is_empty() {
            report = own;
        } else {
            report.absorb(own, 0);
        }
        FieldText {
            text,
            charsets: std::mem::take(&mut self.charsets),
            report,
        }
    }
}

/// Appends the text of a word that has no neighbour; `false`, and nothing, where its octets may
/// prove the label wrong.
fn decode_word(
    word: &Word<'_, '_>,
    charset: Charset,
    options: &Options,
    text: &mut String,
    report: &mut Report,
) -> bool {
    let mut buffer = [0; MAX_WORD];
    let (octets, found) = match sound_octets(word, &mut buffer) {
        Some(octets) => (Cow::Borrowed(octets), Report::new()),
        None => octets_of(word),
    };
    let Some(found_in_octets) = decode_settled(charset, &octets, options, text) else {
        return false;
    };
    for found in [found, found_in_octets] {
        if !found.is_empty() {
            place_at(&found, word.offset(), word.length(), report);
        }
    }
    true
}

/// Appends the text of neighbouring words in one charset; `false`, and nothing, where there is
/// anything to report about them, or one leaves a state open for the next.
fn decode_sound_words(
    words: &[Word<'_, '_>],
    charset: Charset,
    options: &Options,
    text: &mut String,
) -> bool {
    let start = text.len();
    let mut is_closed = true;
    let mut is_sound = |word: &Word<'_, '_>| {
        let mut buffer = [0; MAX_WORD];
        let octets = sound_octets(word, &mut buffer).filter(|_| is_closed);
        octets.is_some_and(|octets| {
            is_closed = charset.ends_as_begun(octets);
            decode_settled(charset, octets, options, text).is_some_and(|found| found.is_empty())
        })
    };
    let are_sound = !options.remaps(charset) && words.iter().all(&mut is_sound);
    if !are_sound {
        text.truncate(start);
    }
    are_sound
}

/// The octets of a word whose encoded text keeps the rules (RFC 2047, section 4).
#[inline]
fn sound_octets<'b>(word: &Word<'_, '_>, buffer: &'b mut [u8]) -> Option<&'b [u8]> {
    match (word.encoding(), word.strict_text()) {
        (WordEncoding::B, Some(text)) => transfer::clean_b(text, buffer),
        (WordEncoding::B, None) => transfer::clean_b(&word.encoded_text(), buffer),
        // It looks at what is escaped alone.
        (_, text) => transfer::clean_q(text?, buffer),
    }
}

/// The octets of any word, and what was found in its encoded text.
fn octets_of<'w>(word: &Word<'_, 'w>) -> (Cow<'w, [u8]>, Report) {
    let transferred = |text: &'w [u8]| match word.encoding() {
        WordEncoding::B => transfer::b(text),
        _ => transfer::q(text),
    };
    match word.encoded_text() {
        Cow::Borrowed(text) => transferred(text).into_parts(),
        Cow::Owned(text) => {
            let (octets, report) = match word.encoding() {
                WordEncoding::B => transfer::b(&text).into_parts(),
                _ => transfer::q(&text).into_parts(),
            };
            (Cow::Owned(octets.into_owned()), report)
        }
    }
}

/// Appends the text of octets; `None`, and nothing, where they may prove the label wrong.
#[inline]
fn decode_settled(
    charset: Charset,
    octets: &[u8],
    options: &Options,
    text: &mut String,
) -> Option<Report> {
    if charset == Charset::UTF_8 && !options.remaps(charset) {
        text.push_str(utf8::well_formed(octets)?);
        return Some(Report::new());
    }
    is_settled(charset, octets).then(|| charset.decode_onto(octets, options, text))
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
fn lacks_escape(word: &Word<'_, '_>) -> bool {
    let (octets, _) = octets_of(word);
    !matches!(octets.first(), Some(0x1B | 0x0E | b'~' | b'+'))
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
fn joined_base64(words: &[Word<'_, '_>]) -> Option<Vec<u8>> {
    if words.iter().any(|word| word.encoding() != WordEncoding::B) {
        return None;
    }
    let mut octets = Vec::new();
    let mut text: Vec<u8> = Vec::new();
    for (at, word) in words.iter().enumerate() {
        text.extend_from_slice(&word.encoded_text());
        let goes_on = words
            .get(at + 1)
            .is_some_and(|next| transfer::b_continues(&text, &next.encoded_text()));
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

/// The same for text that is otherwise printable.
#[inline]
fn flag_line_ends(text: &str, place: &Range<usize>, report: &mut Report) {
    if memchr::memchr2(b'\r', b'\n', text.as_bytes()).is_some() {
        flag_characters(text, place.start, place.len(), report);
    }
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
        Assembly, FieldText, Quoting, RawCharset, any_field, any_phrase, differ_in_words_alone,
        field, raw_charset, sound_field, sound_phrase,
    };
    use crate::charset::{Charset, Options};
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
                        work_of(|| drop(field(body.as_bytes(), syntax, &Options::new())))
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
            work_of(|| drop(field(body.as_bytes(), Syntax::Unstructured, &options)))
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

    fn sound<'a>(body: &'a [u8], syntax: Syntax, options: &Options) -> Option<FieldText<'a>> {
        sound_field(body, header::text_length(body), syntax, options)
    }

    /// Whatever the fast paths read they read as the others do, and how many of these there are.
    fn compare(body: &[u8], options: &Options) -> usize {
        let mut clean = 0;
        for syntax in ALL {
            if let Some(sound) = sound(body, syntax, options) {
                let any = any_field(body, syntax, options);
                assert_eq!(sound, any, "{syntax:?} {:?}", body.escape_ascii());
                clean += 1;
            }
        }
        let list = header::addresses(body);
        let names = list.mailboxes().map(header::Mailbox::display_name);
        let pieces = header::pieces(body, Syntax::Unstructured);
        for pieces in names.chain([pieces.pieces()]) {
            if let Some(sound) = sound_phrase(pieces, options) {
                assert_eq!(
                    sound,
                    any_phrase(pieces, options),
                    "{:?}",
                    body.escape_ascii()
                );
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
                let quick = sound(body, Syntax::Addresses, &Options::new());
                clean += usize::from(quick.is_some_and(|quick| !quick.charsets().is_empty()));
            }
        }
        assert!(clean > 50, "{clean}");
    }

    /// Raw octets are read in one charset, whether it is found by reading the first of them or by a
    /// look at all of the field.
    #[test]
    fn raw_octets_are_in_one_charset() {
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
            let (mut guessed, mut number_of_words) = (0, 0);
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
                let text = field(&body, syntax, &options);
                let quoting = Quoting::WherePlaced(syntax);
                let mut assembly = Assembly::new(&body, quoting, body.len(), &options);
                let (charset, source) = raw_charset(&body, &options);
                assembly.raw_charset = RawCharset::Known(charset, source);
                let read = header::read(&body, syntax, &mut assembly);
                let known = assembly.finish(read.report);
                assert_eq!(text, known, "{}", body.escape_ascii());
                guessed += usize::from(text.is_guessed());
                number_of_words += usize::from(text.charsets().len() > 1);
            }
            assert!(
                guessed > 1000 && number_of_words > 100,
                "{guessed}, {number_of_words}"
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
        let text = |body: &[u8], syntax| said(field(body, syntax, &options).text(), syntax);
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

    /// What most mail consists of is for the fast path.
    #[test]
    fn what_is_common_is_sound() {
        let options = Options::new();
        let bodies = [
            "a long subject\r\n that is folded",
            " =?utf-8?Q?Caf=C3=A9?=",
            "[list] =?iso-8859-1?Q?Caf=E9?= notes",
            "=?utf-8?B?7ZWc?=\r\n =?utf-8?B?7Ja0?=",
            "=?euc-kr?B?x9Gxub7u?=",
            "=?iso-2022-jp?B?GyRCOGwbKEI=?= =?iso-2022-jp?B?GyRCOGwbKEI=?=",
        ];
        for body in bodies {
            let quick = sound(body.as_bytes(), Syntax::Unstructured, &options);
            assert!(quick.is_some(), "{body:?}");
        }
        let lists = [
            "a@example.org, \"b, c\" <d@example.org>",
            "=?utf-8?B?7ZWc?= <a.b@example.org>",
            "Kim =?utf-8?Q?Caf=C3=A9?=\r\n =?utf-8?Q?bar?= <a@b>,\r\n\t=?euc-kr?B?x9Gxub7u?= <c@d>",
        ];
        for list in lists {
            let quick = sound(list.as_bytes(), Syntax::Addresses, &options);
            assert!(quick.is_some(), "{list:?}");
        }
    }
}
