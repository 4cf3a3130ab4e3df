//! What the rest of a message says about the charset of one part, or of raw octets in a header.

use std::sync::OnceLock;

use std::borrow::Cow;

use memchr::memrchr;

use super::limits::MAX_GUESSED;
use super::{Field, Message, Part};
use crate::charset::{self, Charset, Options, Origin, Trust, utf8};
use crate::decode::{self, Rest};
use crate::detect::{self, Guess, Prior};
use crate::header::{self, Syntax};
use crate::report::Source;
use crate::work::work;

/// What the rest of a message says about one part.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Surroundings {
    siblings: Option<Charset>,
    header: Option<Charset>,
    origin: Origin,
    year: Option<u16>,
}

impl Rest for Part<'_> {
    fn siblings(&self) -> Option<Charset> {
        self.message.surroundings().siblings
    }

    fn header(&self) -> Option<Charset> {
        self.message.surroundings().header
    }

    fn origin(&self) -> Origin {
        Part::origin(*self)
    }

    fn year(&self) -> Option<u16> {
        self.message.surroundings().year
    }

    fn is_weighed_alone(&self) -> bool {
        // The message itself is the first entity.
        self.index <= MAX_GUESSED
    }

    fn guess_together(&self) -> Option<Guess> {
        self.message.guess_together()
    }

    fn raw_fields(&self) -> &[u8] {
        self.message.raw_fields()
    }
}

impl Message<'_> {
    /// The year that the Date field names, as it is written there (RFC 5322, section 3.3; years of
    /// two and three digits as section 4.3 reads them); `None` where there is none to be read.
    ///
    /// ```
    /// use mime_charset::Message;
    ///
    /// let message = Message::parse(b"Date: Sat, 3 Jan 98 01:05:34 +0900\n\n");
    /// assert_eq!(message.year(), Some(1998));
    /// ```
    #[must_use]
    pub fn year(&self) -> Option<u16> {
        let date = self.field("Date")?;
        year(date.body())
    }

    fn surroundings(&self) -> &Surroundings {
        self.surroundings.get_or_init(|| {
            let [subject, from, to] = WRITTEN;
            let found = first_fields(
                self.fields(),
                [
                    "Date",
                    "Content-Language",
                    "X-Mailer",
                    "User-Agent",
                    subject,
                    from,
                    to,
                ],
            );
            let [date, language, x_mailer, user_agent, written @ ..] = found;
            let [_, from, _] = &written;
            Surroundings {
                siblings: self.declared_charset(),
                header: header_charset(&written),
                origin: origin(language, from.as_ref(), x_mailer.or(user_agent)),
                year: date.and_then(|date| year(date.body())),
            }
        })
    }

    /// What the charsets of its parts and words, and its origin, make likelier.
    fn prior(&self) -> Prior {
        let rest = self.surroundings();
        Prior::new([rest.siblings, rest.header], rest.origin)
    }

    /// The first charset that a text part declares and that can hold more than ASCII.
    fn declared_charset(&self) -> Option<Charset> {
        self.declaring_parts().find_map(Part::declared_charset)
    }

    /// Whether one of the parts that declare this charset [bears it out](Part::bears_out).
    fn declared_is_borne_out(&self) -> bool {
        *self.declared_is_borne_out.get_or_init(|| {
            let declared = self.surroundings().siblings;
            declared.is_some_and(|it| self.declaring_parts().any(|part| part.bears_out(it)))
        })
    }

    /// Whether words in the charset that encoded words have, in the fields that people write, have
    /// more than ASCII in them.
    fn header_is_borne_out(&self) -> bool {
        *self.header_is_borne_out.get_or_init(|| {
            let written = first_fields(self.fields(), WRITTEN);
            let header = self.surroundings().header;
            header.is_some_and(|it| short(&written).any(|field| has_words_in(field, it)))
        })
    }

    /// The parts that are asked which charset they declare for their text.
    fn declaring_parts(&self) -> impl Iterator<Item = Part<'_>> {
        self.parts()
            .filter(|part| part.has_content_type() && part.is_text())
            .take(LOOKED_AT)
    }

    /// The fields that hold raw octets and are no UTF-8, with a line end between them.
    fn raw_fields(&self) -> &[u8] {
        self.raw_fields.get_or_init(|| {
            let entities = self.entities().take(LOOKED_AT);
            raw_of(entities.flat_map(Part::fields))
        })
    }

    /// What these fields look like together, each of which is short: one program wrote them. Where
    /// they leave it open, the first text without a label is asked with them.
    fn raw_charset(&self) -> Option<(Charset, u8)> {
        *self.raw_charset.get_or_init(|| {
            let raw = self.raw_fields();
            if raw.is_empty() {
                return None;
            }
            let prior = self.prior();
            let mut guess = detect::detect_with(raw, &prior);
            if guess.source() == Source::Detected
                && !guess.is_firm()
                && let Some(text) = self.first_unlabelled()
                && let Some(both) = guess.with(&text, raw, &prior, &Options::new())
            {
                guess = both;
            }
            let is_guess = guess.source() != Source::Default;
            let found = (guess.charset(), guess.confidence());
            Some(found).filter(|(charset, _)| is_guess && charset.is_decoded())
        })
    }

    /// The first text part in which octets above 7F are no UTF-8, and that names no charset.
    fn first_unlabelled(&self) -> Option<Cow<'_, [u8]>> {
        let parts = self.parts().filter(|part| part.is_text());
        let texts = parts.take(LOOKED_AT).filter(|part| part.names_no_charset());
        let mut octets = texts.map(|part| part.octets().into_octets());
        octets.find(|octets| !octets.is_ascii() && utf8::well_formed(octets).is_none())
    }

    /// What the text parts without a charset behind the first [`MAX_GUESSED`] entities look like
    /// together: the beginnings of their lines that are no UTF-8.
    fn guess_together(&self) -> Option<Guess> {
        /// Of several parts, so that the first of them does not stand for all.
        const WEIGHED: usize = 4 << 10;
        /// How much of it one line may be.
        const OF_ONE: usize = 128;
        *self.guess_together.get_or_init(|| {
            let mut together: Vec<u8> = Vec::new();
            let parts = self.parts().filter(|part| part.index > MAX_GUESSED);
            for part in parts.filter(|part| part.is_text() && part.names_no_charset()) {
                let octets = part.octets().into_octets();
                work(octets.len());
                let line = octets
                    .split(|&octet| octet == b'\n')
                    .find(|line| !line.is_ascii() && utf8::well_formed(line).is_none());
                let Some(line) = line else {
                    continue;
                };
                // Whole words: octets below 30 are inside no character, but for UTF-16.
                let start = line.get(..OF_ONE).unwrap_or(line);
                let words = start.iter().rposition(|&octet| octet < 0x30);
                let words = words.and_then(|end| start.get(..end));
                let taken = match words.filter(|words| !words.is_ascii()) {
                    _ if start.len() == line.len() => line,
                    Some(words) => words,
                    // Nothing is cut in two but the very end.
                    None if together.is_empty() => line.get(..WEIGHED).unwrap_or(line),
                    None => continue,
                };
                together.extend_from_slice(taken);
                together.push(b'\n');
                if together.len() >= WEIGHED {
                    break;
                }
            }
            let guess = detect::by_likelihood(&together, WEIGHED, &self.prior());
            guess.map(|guess| guess.at_most(SURE_OF_PARTS))
        })
    }
}

impl Part<'_> {
    /// Whether its label, if it has one, leaves open what octets above 7F are.
    fn names_no_charset(self) -> bool {
        let content_type = self.content_type();
        let label = content_type.charset();
        let named = label.and_then(|label| Charset::for_label(label.as_bytes()));
        named.is_none_or(|it| it == Charset::US_ASCII || it.names_nothing())
    }

    /// `options` with what raw octets in a header are likely to be in (RFC 7103, section 7.7):
    /// the charset that the part declares for its text, or that the message uses elsewhere, in
    /// its parts or in encoded words; and what the raw fields look like together. The raw fields
    /// come first where they [outweigh](Part::outweighing) what is named.
    pub(crate) fn with_hint(self, options: &Options) -> Options {
        let mut reading = *options;
        reading.raw = self.message.raw_charset().map(|(charset, _)| charset);
        reading.origin = self.origin();
        if reading.hint.is_none() {
            reading.hint = self.named_elsewhere();
            if let Some((charset, _)) = self.outweighing(options) {
                reading.raw = reading.hint;
                reading.hint = Some(charset);
            }
        }
        reading
    }

    /// The charset that the part declares for its text, or that the message uses elsewhere, in its
    /// parts or in encoded words.
    fn named_elsewhere(self) -> Option<Charset> {
        let rest = self.message.surroundings();
        let named = [self.declared_charset(), rest.siblings, rest.header];
        // What is well-formed UTF-8 needs no hint, and nothing else is helped by this one.
        let mut named = named.into_iter().flatten();
        named.find(|&charset| !is_utf_8(charset))
    }

    /// What the raw fields look like, and how sure that is, where they say more than the charset
    /// that is named elsewhere.
    ///
    /// Many programs write ISO-8859-1 on whatever they send. A label of text that is all ASCII is
    /// no more than a prior for the weighing of the fields: those that are firmly text in another
    /// charset are read in that one, and the others as the label says.
    fn outweighing(self, options: &Options) -> Option<(Charset, u8)> {
        if options.hint.is_some() || options.trust == Trust::Label {
            return None;
        }
        self.own_outweighing().or_else(|| {
            let top = self.top();
            let is_same = top.named_elsewhere() == self.named_elsewhere();
            is_same.then(|| top.own_outweighing()).flatten()
        })
    }

    /// The same of the fields of its own header alone.
    fn own_outweighing(self) -> Option<(Charset, u8)> {
        /// One octet may be a letter of any language.
        const FEWEST: usize = 2;
        let of_entities = self.message.outweighing.get_or_init(|| {
            let first = self.message.entities().take(1 + MAX_GUESSED);
            first.map(|_| OnceLock::new()).collect()
        });
        *of_entities.get(self.index)?.get_or_init(|| {
            if self.header().is_ascii() {
                return None;
            }
            let named = self.named_elsewhere()?;
            let raw = raw_of(self.fields());
            let is_above = |octet: u8| !octet.is_ascii();
            if charset::count_of(&raw, is_above) < FEWEST || self.is_borne_out(named) {
                return None;
            }
            let header = self.message.surroundings().header;
            let prior = Prior::new([Some(named), header], self.origin()).labelled(named);
            let guess = detect::detect_with(&raw, &prior);
            let found = guess.charset();
            let is_ahead = if detect::is_weighed(named) {
                guess.is_like_text()
            } else {
                guess.is_firm()
            };
            let is_other = guess.source() == Source::Detected
                && is_ahead
                && !is_utf_8(found)
                && found.is_decoded()
                && !found.reads_as(named, &raw, &Options::new());
            is_other.then_some((found, guess.confidence()))
        })
    }

    /// The entity whose header is that of the message that the part belongs to: the whole one, or
    /// one inside it.
    fn top(self) -> Self {
        let mut top = self;
        while let Some(parent) = top.parent().filter(|parent| !parent.is_message()) {
            top = parent;
        }
        top
    }

    /// Whether there is text in a charset that is named elsewhere.
    fn is_borne_out(self, named: Charset) -> bool {
        let rest = self.message.surroundings();
        rest.header == Some(named) && self.message.header_is_borne_out()
            || rest.siblings == Some(named) && self.message.declared_is_borne_out()
            || self.bears_out(named)
    }

    /// Whether its label is this charset and its text, which is more than ASCII, is read in it.
    fn bears_out(self, label: Charset) -> bool {
        if !self.is_text() || self.declared_charset() != Some(label) {
            return false;
        }
        // Octets of ASCII are more than that in charsets with escapes alone.
        if label.is_ascii_superset() && self.has_ascii_alone() {
            return false;
        }
        let text = self.text();
        text.source() == Source::Declared && !text.as_str().is_ascii()
    }

    /// The charset that raw octets in a header are taken to be in without guessing, where they
    /// fit: that of `options`, or the one that the part, or else the first part that has one,
    /// declares for its text. What others declare is a hint, and no more.
    pub(crate) fn declared_for_raw(self, options: &Options) -> Option<Charset> {
        let siblings = || self.message.surroundings().siblings;
        let declared = || self.declared_charset().or_else(siblings);
        options
            .hint
            .or_else(|| declared().filter(|&charset| !is_utf_8(charset)))
    }

    /// The charset that its Content-Type names: a header may have thousands of raw fields that ask
    /// for it, and a Content-Type of a megabyte.
    fn declared_charset(self) -> Option<Charset> {
        *self.entity().declared_charset.get_or_init(|| {
            let (_, label) = self.type_and_charset();
            usable(label?.as_bytes())
        })
    }

    /// Where the part comes from: what its own header says, as a message inside another has one,
    /// and else what the header of the message does.
    fn origin(self) -> Origin {
        *self.entity().origin.get_or_init(|| {
            let whole = self.message.surroundings().origin;
            if self.index == 0 {
                return whole;
            }
            let [language, from] = first_fields(self.fields(), ["Content-Language", "From"]);
            origin(language, from.as_ref(), None).or(whole)
        })
    }

    /// How sure it is what the raw fields look like, in percent. They are weighed together.
    pub(crate) fn raw_confidence(self, options: &Options) -> u8 {
        let guess = self.outweighing(options);
        let guess = guess.or_else(|| self.message.raw_charset());
        guess.map_or(0, |(_, confidence)| confidence.min(SURE_OF_FIELDS))
    }
}

/// How sure a guess from several fields is at most, in percent.
const SURE_OF_FIELDS: u8 = 80;

/// How sure a guess from several parts is at most, in percent: who knows that one program wrote
/// them, and what a part says itself was not weighed.
const SURE_OF_PARTS: u8 = 50;

/// How many parts are looked at for what is true of all: messages with thousands of parts are
/// no reason to read thousands of fields.
const LOOKED_AT: usize = 16;

/// The first field of each of these names; they are read once.
fn first_fields<'m, const N: usize>(
    mut fields: impl Iterator<Item = Field<'m>>,
    names: [&str; N],
) -> [Option<Field<'m>>; N] {
    let mut found = [const { None }; N];
    let mut missing = N;
    while missing > 0
        && let Some(field) = fields.next()
    {
        let name = field.name();
        let mut places = found.iter_mut().zip(names);
        let place = places.find(|(_, wanted)| wanted.as_bytes().eq_ignore_ascii_case(name));
        if let Some((place, _)) = place.filter(|(place, _)| place.is_none()) {
            *place = Some(field);
            missing -= 1;
        }
    }
    found
}

/// What the fields of a header tell of where the mail comes from.
fn origin(
    language: Option<Field<'_>>,
    from: Option<&Field<'_>>,
    program: Option<Field<'_>>,
) -> Origin {
    /// Who has a longer one is no single sender.
    const LONGEST: usize = 4 << 10;
    if cfg!(not(feature = "detect")) {
        return Origin::UNKNOWN;
    }
    let list = from.filter(|from| from.body().len() <= LONGEST);
    let sender = list.and_then(|from| header::first_mailbox(from.body()));
    let domain = sender.as_ref().and_then(|sender| {
        let address = &*sender.addr_spec;
        address.get(memrchr(b'@', address)? + 1..)
    });
    decode::origin(
        language.map(|field| field.body()),
        domain,
        program.map(|field| field.body()),
    )
}

/// What is raw in these fields and is no UTF-8, with a line end between them.
fn raw_of<'m>(fields: impl Iterator<Item = Field<'m>>) -> Vec<u8> {
    /// More octets make no guess better.
    const ENOUGH: usize = 16 << 10;
    let mut left = ENOUGH;
    let raw: Vec<&[u8]> = fields
        .map(|field| field.body())
        .filter(|body| !body.is_ascii() && utf8::well_formed(body).is_none())
        .map_while(|body| {
            let taken = body.get(..left).unwrap_or(body);
            left -= taken.len();
            (!taken.is_empty()).then_some(taken)
        })
        .collect();
    raw.join(&b'\n')
}

/// The fields that people write.
const WRITTEN: [&str; 3] = ["Subject", "From", "To"];

/// The charset of the first encoded word in the fields that people write.
fn header_charset(written: &[Option<Field<'_>>]) -> Option<Charset> {
    short(written).find_map(|field| {
        let text = field.text_without_hint();
        let mut used = text.charsets().iter();
        let declared = used.find(|used| used.source() == Source::Declared)?;
        Some(declared.charset())
    })
}

/// Those of the fields that are worth the memory to read them: one of more octets says nothing.
fn short<'f, 'm>(written: &'f [Option<Field<'m>>]) -> impl Iterator<Item = &'f Field<'m>> {
    const LONGEST: usize = 1 << 20;
    let fields = written.iter().flatten();
    fields.filter(|field| field.body().len() <= LONGEST)
}

/// Whether encoded words of a field are in this charset and have more than ASCII in them.
fn has_words_in(field: &Field<'_>, charset: Charset) -> bool {
    let text = field.text_without_hint();
    let mut used = text.charsets().iter();
    used.any(|used| {
        let start = used.offset().saturating_sub(field.body_offset());
        let words = field.body().get(start..start + used.length());
        let is_in_it = used.source() == Source::Declared && used.charset() == charset;
        is_in_it && {
            let words = words.unwrap_or_default();
            let text = decode::field(words, Syntax::Unstructured, &Options::new());
            !text.as_str().is_ascii()
        }
    })
}

fn is_utf_8(charset: Charset) -> bool {
    [Charset::UTF_8, Charset::UNICODE_1_1_UTF_8].contains(&charset)
}

/// The charset of a label, if it is decoded and holds more than ASCII.
fn usable(label: &[u8]) -> Option<Charset> {
    Charset::for_label(label)
        .filter(|&charset| charset != Charset::US_ASCII && charset.is_declarable())
}

/// The year of a Date field's body (RFC 5322, section 3.3; two digits and three as section
/// 4.3 reads them).
fn year(date: &[u8]) -> Option<u16> {
    const MONTHS: &[u8] = b"JanFebMarAprMayJunJulAugSepOctNovDec";
    let mut words = date.split(|octet| octet.is_ascii_whitespace() || *octet == b'-');
    words.find(|word| {
        MONTHS
            .chunks(3)
            .any(|month| month.eq_ignore_ascii_case(word))
    })?;
    let word = words.find(|word| !word.is_empty())?;
    let year: u16 = std::str::from_utf8(word).ok()?.parse().ok()?;
    match year {
        0..50 => Some(year + 2000),
        50..1000 => Some(year + 1900),
        _ => Some(year),
    }
}
