//! Header fields and their parameters to text (RFC 2047, RFC 2231, RFC 6532).

use std::borrow::Cow;

use super::decision::resolved;
use crate::charset::{self, Charset, Decoded, Matched, Options, utf8};
use crate::header::{self, EncodedWord, Parameter, Piece, Place, Syntax, WordEncoding};
use crate::label::Label;
use crate::report::{Kind, Report, Source, Within};
use crate::transfer;

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
    text: Cow<'a, str>,
    charsets: Vec<CharsetUse>,
    report: Report,
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
    offset: usize,
    length: usize,
    charset: Charset,
    source: Source,
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
    /// The text, on one line.
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
        &self.charsets
    }

    /// What was assumed, repaired or lost.
    #[must_use]
    pub fn report(&self) -> &Report {
        &self.report
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

    /// Makes offsets count from `base` octets further ahead.
    pub(crate) fn shift(&mut self, base: usize) {
        let report = std::mem::take(&mut self.report);
        self.report.absorb(report, base);
        for charset in &mut self.charsets {
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
/// well-formed, else in the [`hint`](Options::hint) where it reads them, else windows-1252.
/// A word in a charset that is not known stays as it is written. Findings count octets of
/// `body`.
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
    let (pieces, report) = header::pieces(body, syntax).into_parts();
    if let [Piece::Text(only)] = pieces.as_slice()
        && only.octets().is_ascii()
        && let Ok(text) = utf8::decode(only.octets())
    {
        let mut report = report;
        flag_characters(text, only.offset(), only.octets().len(), &mut report);
        return FieldText {
            text: Cow::Borrowed(text),
            charsets: Vec::new(),
            report,
        };
    }
    text_of_pieces(&pieces, report, body, Quoting::WherePlaced, options)
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
    let raw: Vec<u8> = pieces
        .iter()
        .filter_map(|piece| match piece {
            Piece::Text(text) => Some(text.octets()),
            _ => None,
        })
        .flatten()
        .copied()
        .collect();
    text_of_pieces(pieces, Report::new(), &raw, Quoting::Never, options)
}

/// The text of a parameter's value (RFC 2231; RFC 2045, section 5.1).
///
/// An extended value is read in the charset it names, and like raw octets in a [`field`] where
/// it names none. A plain one that holds encoded words, which RFC 2047, section 5, forbids and
/// many mailers write, is decoded and reported. Findings count octets of the field body and
/// stand at the parameter.
///
/// ```
/// use mime_charset::{Options, decode, header};
///
/// let disposition = header::content_disposition(b"attachment; filename*=euc-kr''%C7%D1.txt");
/// let name = decode::parameter(disposition.parameter("filename").unwrap(), &Options::new());
/// assert_eq!(name.text(), "한.txt");
/// ```
#[must_use]
pub fn parameter<'a>(parameter: &Parameter<'a>, options: &Options) -> FieldText<'a> {
    let mut report = Report::new();
    let (offset, length) = (parameter.offset(), parameter.length());
    if let Some(words) = parameter.words() {
        let (pieces, words_report) = words.into_parts();
        // What counts octets of the value says nothing about the field, where there are
        // quotes, folds and sections.
        place_at(&words_report, offset, length, &mut report);
        let mut text = text_of_pieces(
            &pieces,
            Report::new(),
            parameter.octets(),
            Quoting::Never,
            options,
        )
        .into_owned();
        place_at(&text.report, offset, length, &mut report);
        text.report = report;
        for charset in &mut text.charsets {
            (charset.offset, charset.length) = (offset, length);
        }
        return text;
    }
    let octets = parameter.octets();
    let (charset, source) = match parameter.label() {
        Some(label) => match declared_here(label, offset, length, &mut report) {
            Some(charset) => (charset, Source::Declared),
            None => raw_charset(octets, options),
        },
        None => raw_charset(octets, options),
    };
    if parameter.label().is_none() && !octets.is_ascii() {
        raw_finding(charset, source, offset, length, &mut report);
    }
    let decoded = charset.decode_with(octets, options);
    let text = decoded.text().to_owned();
    place_at(decoded.report(), offset, length, &mut report);
    flag_characters(&text, offset, length, &mut report);
    let charsets = if text.is_ascii() && parameter.label().is_none() {
        Vec::new()
    } else {
        vec![CharsetUse {
            offset,
            length,
            charset: decoded.charset(),
            source,
        }]
    };
    FieldText {
        text: Cow::Owned(text),
        charsets,
        report,
    }
}

/// The charset of a label inside a field; findings stand at the word or parameter.
fn declared_here(
    label: &Label<'_>,
    offset: usize,
    length: usize,
    report: &mut Report,
) -> Option<Charset> {
    let mut found = Report::new();
    let charset = resolved(label, &mut found);
    place_at(&found, offset, length, report);
    charset
}

/// Takes over findings about octets that are nowhere in the source as they are: they stand
/// at what they were made from.
fn place_at(found: &Report, offset: usize, length: usize, report: &mut Report) {
    for finding in found.findings() {
        let detail = if finding.within() == Within::Octets && finding.length() > 0 {
            format!("octet {} of it: {}", finding.offset(), finding.detail())
        } else {
            finding.detail().to_owned()
        };
        report.add(finding.kind(), offset, length, detail);
    }
    report.absorb_counts(found);
}

/// What raw octets in a header are in: UTF-8 (RFC 6532, section 3.2), else the hint, else
/// windows-1252 (RFC 7103, section 7.7).
fn raw_charset(octets: &[u8], options: &Options) -> (Charset, Source) {
    if octets.is_ascii() {
        return (Charset::US_ASCII, Source::Default);
    }
    if utf8::decode(octets).is_ok() {
        return (Charset::UTF_8, Source::Evidence);
    }
    match options.hint {
        Some(hint)
            if hint != Charset::UTF_8
                && hint.decode_with(octets, options).report().replacements() == 0 =>
        {
            (hint, Source::Detected)
        }
        _ => (Charset::WINDOWS_1252, Source::Default),
    }
}

fn raw_finding(
    charset: Charset,
    source: Source,
    offset: usize,
    length: usize,
    report: &mut Report,
) {
    if source == Source::Evidence {
        report.add(Kind::RawUtf8, offset, length, "");
    } else {
        report.add(
            Kind::RawOctets,
            offset,
            length,
            format!("read as {charset}"),
        );
    }
}

/// Puts the text of pieces together.
fn text_of_pieces<'a>(
    pieces: &[Piece<'a>],
    report: Report,
    body: &[u8],
    quoting: Quoting,
    options: &Options,
) -> FieldText<'a> {
    let mut assembly = Assembly {
        body,
        text: String::with_capacity(body.len()),
        charsets: Vec::new(),
        report,
        raw: Raw::default(),
        raw_charset: raw_charset(body, options),
        quoting,
        options,
    };
    let mut at = 0;
    // Blanks between two words vanish if both words turn out to be words.
    let mut after_word = false;
    while let Some(piece) = pieces.get(at) {
        match piece {
            Piece::Text(text) if text.between_words() && after_word => {
                let next = pieces
                    .get(at + 1..)
                    .unwrap_or_default()
                    .iter()
                    .find_map(as_word);
                let vanishes = next.is_some_and(|word| charset_of(word).is_some());
                if !vanishes {
                    assembly.push_raw(text.octets(), text.offset());
                }
                at += 1;
            }
            Piece::Text(text) => {
                assembly.push_raw(text.octets(), text.offset());
                after_word = false;
                at += 1;
            }
            Piece::Word(word) => {
                if let Some(charset) = charset_of(word) {
                    let run = run_of_words(pieces.get(at..).unwrap_or_default(), charset);
                    assembly.push_words(&run.words, charset);
                    at += run.pieces;
                    after_word = true;
                } else {
                    assembly.keep(word);
                    at += 1;
                    after_word = false;
                }
            }
        }
    }
    assembly.finish()
}

/// The charset of a word that can be decoded.
fn charset_of(word: &EncodedWord<'_>) -> Option<Charset> {
    charset::resolve(word.label())
        .charset()
        .filter(|charset| charset.is_decoded())
}

fn as_word<'p, 'a>(piece: &'p Piece<'a>) -> Option<&'p EncodedWord<'a>> {
    match piece {
        Piece::Word(word) => Some(word),
        _ => None,
    }
}

/// Neighbouring words in one charset and at one kind of place.
struct Run<'p, 'a> {
    words: Vec<&'p EncodedWord<'a>>,
    /// How many pieces they take, the blanks between them included.
    pieces: usize,
}

fn run_of_words<'p, 'a>(pieces: &'p [Piece<'a>], charset: Charset) -> Run<'p, 'a> {
    let mut run = Run {
        words: Vec::new(),
        pieces: 0,
    };
    for (at, piece) in pieces.iter().enumerate() {
        match piece {
            Piece::Word(word) => {
                let same_place = run
                    .words
                    .first()
                    .is_none_or(|first| first.place() == word.place());
                if !same_place || charset_of(word) != Some(charset) {
                    break;
                }
                run.words.push(word);
                run.pieces = at + 1;
            }
            Piece::Text(text) if text.between_words() => {}
            Piece::Text(_) => break,
        }
    }
    run
}

/// Raw octets waiting to be decoded together: a character may be split by a fold.
#[derive(Default)]
struct Raw {
    octets: Vec<u8>,
    offset: usize,
    end: usize,
}

/// A field's text while it is put together.
struct Assembly<'o> {
    /// The octets that offsets count, where words are quoted by what stands around them.
    body: &'o [u8],
    text: String,
    charsets: Vec<CharsetUse>,
    report: Report,
    raw: Raw,
    /// What the field's raw octets are in; one answer for the whole field.
    raw_charset: (Charset, Source),
    quoting: Quoting,
    options: &'o Options,
}

/// Whether what words hold is quoted where it could be taken for syntax.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Quoting {
    WherePlaced,
    Never,
}

impl Assembly<'_> {
    fn push_raw(&mut self, octets: &[u8], offset: usize) {
        if self.raw.octets.is_empty() {
            self.raw.offset = offset;
        }
        self.raw.octets.extend_from_slice(octets);
        self.raw.end = offset + octets.len();
    }

    fn flush_raw(&mut self) {
        let raw = std::mem::take(&mut self.raw);
        if raw.octets.is_empty() {
            return;
        }
        let (offset, length) = (raw.offset, raw.end - raw.offset);
        let (charset, source) = self.raw_charset;
        let start = self.text.len();
        if raw.octets.is_ascii() {
            self.text.push_str(&utf8::decode_lossy(&raw.octets));
        } else {
            let decoded = charset.decode_with(&raw.octets, self.options);
            self.text.push_str(decoded.text());
            place_at(decoded.report(), offset, length, &mut self.report);
            raw_finding(charset, source, offset, length, &mut self.report);
            self.charsets.push(CharsetUse {
                offset,
                length,
                charset,
                source,
            });
        }
        flag_characters(
            self.text.get(start..).unwrap_or_default(),
            offset,
            length,
            &mut self.report,
        );
    }

    /// A word that cannot be decoded stands as it is (RFC 2047, section 6.2).
    fn keep(&mut self, word: &EncodedWord<'_>) {
        self.push_raw(word.source(), word.offset());
        let detail = match charset::resolve(word.label()).charset() {
            Some(charset) => format!("no decoder for {charset}"),
            None => format!("unknown charset {:.64}", word.label()),
        };
        self.report
            .add(Kind::EncodedWordKept, word.offset(), word.length(), detail);
    }

    /// Words stand as they are where quotes around their text would close a quotation mark
    /// that stands open in the field.
    fn keep_all(&mut self, words: &[&EncodedWord<'_>]) {
        for (at, word) in words.iter().enumerate() {
            if at > 0 {
                self.push_raw(b" ", word.offset());
            }
            self.push_raw(word.source(), word.offset());
            let detail = "a quotation mark or a bracket stands open in the field";
            let (offset, length) = (word.offset(), word.length());
            self.report
                .add(Kind::EncodedWordKept, offset, length, detail);
        }
    }

    fn push_words(&mut self, words: &[&EncodedWord<'_>], charset: Charset) {
        self.flush_raw();
        let (Some(first), Some(last)) = (words.first(), words.last()) else {
            return;
        };
        let (offset, end) = (first.offset(), last.offset() + last.length());
        let text = self.decode_words(words, charset);
        flag_characters(&text, offset, end - offset, &mut self.report);
        match self.quoting {
            Quoting::Never => self.text.push_str(&text),
            Quoting::WherePlaced => {
                let place = match first.place() {
                    Place::Parameter if first.in_quotes => Place::QuotedString,
                    place => place,
                };
                let needs_quotes = is_glued(self.body, offset, end) || needs_quotes(&text, place);
                if first.has_open_quote && needs_quotes && place != Place::Text {
                    self.keep_all(words);
                    return;
                }
                quote(&text, place, needs_quotes, &mut self.text);
            }
        }
        for word in words {
            if let Matched::Loose | Matched::Repaired = charset::resolve(word.label()).matched() {
                declared_here(word.label(), word.offset(), word.length(), &mut self.report);
            }
        }
        self.charsets.push(CharsetUse {
            offset,
            length: end - offset,
            charset: charset.as_practised(),
            source: Source::Declared,
        });
    }

    /// The text of neighbouring words in one charset.
    ///
    /// RFC 2047, section 5, has each word stand for itself, and each is decoded so. Many
    /// mailers cut words inside a character all the same, some inside a base64 quantum:
    /// where words alone leave malformed octets they are joined, as octets, then as base64,
    /// and the joint is kept if it is better.
    fn decode_words(&mut self, words: &[&EncodedWord<'_>], charset: Charset) -> String {
        let alone: Vec<Cow<'_, [u8]>> = words.iter().map(|word| self.octets_of(word)).collect();
        let whole_text_counts = self.options.remaps(charset);
        let separate = self.decode_separately(words, &alone, charset);
        if words.len() == 1 || (separate.report().replacements() == 0 && !whole_text_counts) {
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
        let transferred = transfer_of(word);
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

/// Whether a word sets no state of its own.
fn lacks_escape(word: &EncodedWord<'_>) -> bool {
    let octets = transfer_of(word).into_octets();
    !matches!(octets.first(), Some(0x1B | 0x0E | b'~' | b'+'))
}

fn transfer_of<'w>(word: &'w EncodedWord<'_>) -> transfer::Transferred<'w> {
    match word.encoding() {
        WordEncoding::B => transfer::b(word.encoded_text()),
        _ => transfer::q(word.encoded_text()),
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

/// Whether text in the place of a word would be joined to what stands around it: to an atom,
/// or to an address (RFC 5322, section 4.4: `obs-local-part` and `obs-domain` have white space
/// and comments around their full stops).
fn is_glued(body: &[u8], offset: usize, end: usize) -> bool {
    let is_text = |&octet: &u8| octet >= 0x80 || !is_blank(octet) && !is_special(char::from(octet));
    let before = body.get(..offset).unwrap_or_default();
    let behind = body.get(end..).unwrap_or_default();
    before.last().is_some_and(is_text)
        || behind.first().is_some_and(is_text)
        || matches!(before.trim_ascii_end().last(), Some(b'@' | b'.' | b')'))
        || matches!(without_comments(behind).first(), Some(b'@' | b'.'))
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
fn flag_characters(text: &str, offset: usize, length: usize, report: &mut Report) {
    let control = |character: char| character.is_control() && !matches!(character, '\t' | '\0');
    let bidi = |character: char| matches!(character, '\u{200E}' | '\u{200F}' | '\u{061C}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}');
    // Controls, bidirectional controls and noncharacters begin with one of these octets in
    // UTF-8.
    let may_matter = |octet: &u8| matches!(octet, 0..0x20 | 0x7F | 0xC2 | 0xD8 | 0xE2 | 0xEF..);
    if !text.as_bytes().iter().any(may_matter) {
        return;
    }
    let tests: [(Kind, &dyn Fn(char) -> bool); 4] = [
        (Kind::Nul, &|character| character == '\0'),
        (Kind::Control, &control),
        (Kind::BidiControl, &bidi),
        (Kind::Noncharacter, &super::is_noncharacter),
    ];
    for (kind, is_kind) in tests {
        if let Some(first) = text.chars().find(|&character| is_kind(character)) {
            let detail = format!("U+{:04X}", u32::from(first));
            report.add(kind, offset, length, detail);
        }
    }
}
