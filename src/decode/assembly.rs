//! The text of a field, put together from its pieces (RFC 2047, sections 2, 5 and 6).

use std::borrow::Cow;
use std::cell::OnceCell;
use std::ops::Range;

use memchr::memmem;

use super::characters::{flag_characters, flag_line_ends, is_printable, place_at, place_others_at};
use super::contradiction::is_settled;
use super::few::Few;
use super::field_text::{CharsetUse, FieldText};
use super::quoting::{Beside, is_blank, is_escaped, needs_quotes, quote};
use super::raw_octets::{
    LINE_ENDS, charset_with_escapes, escapes_finding, guesses, is_split, raw_charset, raw_finding,
};
use super::under_label::{Decided, Weighed, can_be_read, tell_of_label};
use super::words::{
    capacity_for, decode_strict_words, decode_word, joined_base64, lacks_escape, leaves_state_open,
    octets_of, with_whole_runs,
};
use crate::charset::{self, Charset, Decoded, Options, utf8};
use crate::header::{self, Found, Piece, PieceSink, Place, Syntax, Text, Word};
use crate::label::Label;
use crate::report::{Kind, Report, Source, Within};

/// How many octets pieces take where they are from.
pub(super) fn length_of(pieces: &[Piece<'_>]) -> usize {
    let length = |piece: &Piece<'_>| match piece {
        Piece::Text(text) => text.octets().len(),
        Piece::Word(word) => word.length(),
    };
    pieces.iter().map(length).sum()
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
pub(super) struct Assembly<'a, 'o> {
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
    pub(super) is_printable: bool,
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
pub(super) enum RawCharset {
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
    pub(super) fn of(body: &[u8], syntax: Syntax) -> Self {
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
    pub(super) fn new(
        body: &'o [u8],
        quoting: Quoting,
        length: usize,
        options: &'o Options,
    ) -> Self {
        Assembly {
            body,
            text: String::new(),
            capacity: capacity_for(length),
            charsets: Few::None,
            report: Report::new(),
            raw: Raw::default(),
            raw_charset: match options.forced_in_fields() {
                Some(forced) => RawCharset::Known(forced, Source::Forced),
                None => RawCharset::Unknown,
            },
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
    pub(super) fn push_word(&mut self, word: Word<'a, 'o>) {
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
        if let Some(charset) = Charset::for_label_octets(label.as_bytes()) {
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
    pub(super) fn is_misread(&self) -> bool {
        matches!(self.raw_charset, RawCharset::Misread)
    }

    /// One for the same field, for which the charset of its raw octets is looked for in all of it.
    pub(super) fn begun_again(self) -> Self {
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
    pub(super) fn reserve(&mut self) {
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
            let is_exact = decoded.report.replacements() == 0 && !was_split;
            raw_finding(charset, source, is_exact, (offset, length), report);
            self.charsets.push(CharsetUse {
                offset,
                length,
                charset,
                source,
            });
            decoded.text
        } else if let Some((charset, source)) = charset_with_escapes(octets, self.options) {
            let decoded = charset.decode_with(octets, self.options);
            place_at(&decoded.report, offset, length, &mut self.report);
            escapes_finding(charset, source, (offset, length), &mut self.report);
            self.charsets.push(CharsetUse {
                offset,
                length,
                charset,
                source,
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
    pub(super) fn raw_charset(&mut self) -> (Charset, Source) {
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

    /// Appends a word as it is written, line by line as any text of the field.
    fn push_source(&mut self, word: &Word<'a, 'o>) {
        for (at, line) in header::lines(word.source()) {
            self.push_raw(line, word.offset() + at);
        }
    }

    /// A word that cannot be decoded stands as it is (RFC 2047, section 6.2).
    fn keep(&mut self, word: &Word<'a, 'o>, charset: Charset) {
        self.push_source(word);
        let (offset, length) = (word.offset(), word.length());
        let detail = if self.report.keeps(Kind::EncodedWordKept) {
            Cow::Owned(format!("no decoder for {charset}"))
        } else {
            Cow::Borrowed("a charset without a decoder")
        };
        self.report
            .add(Kind::EncodedWordKept, offset, length, detail);
    }

    /// Words stand as they are, and the white space between them, where no quotes around their text
    /// would keep it apart.
    fn keep_all(&mut self, words: &[Word<'a, 'o>], detail: &'static str) {
        let mut end = None;
        for word in words {
            let (offset, length) = (word.offset(), word.length());
            let start = end.unwrap_or(offset);
            let between = self.body.get(start..offset).unwrap_or_default();
            for &octet in &*header::unfold(between) {
                let one: &[u8] = match octet {
                    b'\r' => b"\r",
                    b'\n' => b"\n",
                    b'\t' => b"\t",
                    _ => b" ",
                };
                self.push_raw(one, start);
            }
            self.push_source(word);
            self.report
                .add(Kind::EncodedWordKept, offset, length, detail);
            end = Some(offset + length);
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
            words => decode_strict_words(words, charset, self.options, &mut self.text),
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
    pub(super) fn decode_in(
        &mut self,
        words: &[Word<'_, '_>],
        alone: &[Cow<'_, [u8]>],
        charset: Charset,
    ) -> String {
        if let ([word], [octets]) = (words, alone) {
            let mut text = String::with_capacity(word.length());
            let mut found = Report::new();
            charset.decode_onto(octets, self.options, &mut text, &mut found);
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
    /// on in the next one that does not set its own; such words are reported.
    fn decode_separately(
        &self,
        words: &[Word<'_, '_>],
        octets: &[Cow<'_, [u8]>],
        charset: Charset,
    ) -> Decoded<'static> {
        let mut text = String::new();
        let mut report = Report::new();
        let mut open: Vec<u8> = Vec::new();
        let (mut open_from, mut open_offset) = (0, 0);
        for (at, (octets, word)) in octets.iter().zip(words).enumerate() {
            if open.is_empty() {
                (open_from, open_offset) = (at, word.offset());
            }
            open.extend_from_slice(octets);
            let next_goes_on = at + 1 < words.len()
                && !charset.is_ascii_superset()
                && leaves_state_open(&open, charset, self.options)
                && words.get(at + 1).is_some_and(lacks_escape);
            if !next_goes_on {
                let decoded = charset.decode_with(&open, self.options);
                text.push_str(decoded.as_str());
                let length = word.offset() + word.length() - open_offset;
                if at > open_from {
                    report.add(
                        Kind::EncodedWordJoined,
                        open_offset,
                        length,
                        joined_words(at + 1 - open_from),
                    );
                }
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

    pub(super) fn octets_of<'w>(&mut self, word: &Word<'_, 'w>) -> Cow<'w, [u8]> {
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
            let detail = joined_words(words.len());
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
        decoded.as_str().to_owned()
    }

    /// The text, with the findings of its pieces before its own.
    pub(super) fn finish(&mut self, mut report: Report) -> FieldText<'a> {
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

fn joined_words(count: usize) -> String {
    format!("{count} words joined")
}

#[cfg(test)]
mod tests {
    use super::{Assembly, Quoting, RawCharset, raw_charset};
    use crate::charset::{Charset, Options};
    use crate::decode::field;
    use crate::header::{self, Syntax};

    /// Raw octets are read in one charset, whether it is found by reading the first of them or by a
    /// look at all of the field.
    #[track_caller]
    fn raw_octets_are_in_one_charset(syntax: Syntax, behind: &[u8]) {
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
        let (mut guessed, mut number_of_words) = (0, 0);
        for number in 0..pieces.len().pow(5) {
            let piece = |place| pieces[number / pieces.len().pow(place) % pieces.len()];
            let mut body = (0..5).map(piece).collect::<Vec<_>>().concat();
            body.extend_from_slice(behind);
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

    #[test]
    fn raw_octets_of_text_are_in_one_charset() {
        raw_octets_are_in_one_charset(Syntax::Unstructured, b"");
    }

    #[test]
    fn raw_octets_of_addresses_are_in_one_charset() {
        raw_octets_are_in_one_charset(Syntax::Addresses, b"<c@d>");
    }
}
