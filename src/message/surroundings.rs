//! Hints from the rest of a message about the charset of a part, or of raw header octets.

use std::sync::OnceLock;

use std::borrow::Cow;

use memchr::memrchr;

use super::field::Field;
use super::limits::MAX_GUESSED;
use super::parse::Message;
use super::part::Part;
use crate::charset::{self, Charset, Languages, Options, Origin, Program, utf8};
use crate::decode::{self, Context, FieldText, Surroundings, Weighing};
use crate::detect::{self, Guess, Prior};
use crate::header::{self, Syntax};
use crate::label::Label;
use crate::report::Source;
use crate::work::work;

impl Message<'_> {
    /// The charsets of the parts and of the header, and the languages and program of the sender.
    fn surroundings(&self) -> &Surroundings<'static> {
        self.cache.surroundings.get_or_init(|| {
            let [subject, from, to] = AUTHOR_FIELDS;
            let found = first_fields(
                self.fields(),
                [
                    "Content-Language",
                    "X-Mailer",
                    "User-Agent",
                    subject,
                    from,
                    to,
                ],
            );
            let [language, x_mailer, user_agent, written @ ..] = found;
            let [_, from, _] = &written;
            Surroundings {
                siblings: self.declared_charset(),
                header: header_charset(&written),
                origin: origin(language, from.as_ref(), x_mailer.or(user_agent)),
                ..Surroundings::default()
            }
        })
    }

    /// The prior of the whole message.
    fn prior(&self) -> Prior {
        let rest = self.surroundings();
        Prior::new([rest.siblings, rest.header], rest.origin)
    }

    /// The first charset beyond ASCII that a text part declares.
    fn declared_charset(&self) -> Option<Charset> {
        self.declaring_parts().find_map(Part::declared_charset)
    }

    /// Whether a part that declares this charset [confirms](Part::confirms) it.
    fn declared_is_confirmed(&self) -> bool {
        *self.cache.declared_is_confirmed.get_or_init(|| {
            let declared = self.surroundings().siblings;
            declared.is_some_and(|it| self.declaring_parts().any(|part| part.confirms(it)))
        })
    }

    /// Whether Subject, From or To has encoded words in the header's charset with text beyond ASCII.
    fn header_is_confirmed(&self) -> bool {
        *self.cache.header_is_confirmed.get_or_init(|| {
            let written = first_fields(self.fields(), AUTHOR_FIELDS);
            let header = self.surroundings().header;
            header.is_some_and(|it| short_fields(&written).any(|field| has_words_in(field, it)))
        })
    }

    /// The first text parts that have a Content-Type.
    fn declaring_parts(&self) -> impl Iterator<Item = Part<'_>> {
        self.parts()
            .filter(|part| part.entity().content_type.is_some() && part.is_text())
            .take(MAX_EXAMINED)
    }

    /// The fields with raw octets that are not UTF-8, separated by line endings.
    fn raw_fields(&self) -> &[u8] {
        self.cache.raw_fields.get_or_init(|| {
            let entities = self.entities().take(MAX_EXAMINED);
            raw_octets(entities.flat_map(Part::fields))
        })
    }

    /// The joint guess for all raw fields: each is short, and one program wrote them. If the guess is
    /// not firm, the first unlabelled text is scored with them.
    fn raw_charset(&self) -> Option<(Charset, u8)> {
        *self.cache.raw_charset.get_or_init(|| {
            let raw = self.raw_fields();
            if raw.is_empty() {
                return None;
            }
            let prior = self.prior();
            let mut guess = detect::detect_with(raw, &prior);
            if guess.source == Source::Detected
                && !guess.is_firm
                && let Some(text) = self.first_unlabelled()
                && let Some(both) = guess.with(&text, raw, &prior, &Options::new())
            {
                guess = both;
            }
            let is_guess = guess.source != Source::Default;
            let found = (guess.charset, guess.confidence);
            Some(found).filter(|(charset, _)| is_guess && charset.is_decoded())
        })
    }

    /// The first text part without a charset whose octets are neither US-ASCII nor UTF-8.
    fn first_unlabelled(&self) -> Option<Cow<'_, [u8]>> {
        let parts = self.parts().filter(|part| part.is_text());
        let texts = parts
            .take(MAX_EXAMINED)
            .filter(|part| part.names_no_charset());
        let mut octets = texts.map(|part| part.octets().into_octets());
        octets.find(|octets| utf8::well_formed(octets).is_none())
    }

    /// The joint guess for all text parts without a charset after the first [`MAX_GUESSED`]
    /// entities. The guess scores the start of each line that is not UTF-8.
    fn guess_together(&self) -> Option<Guess> {
        /// Sample size, large enough for several parts, so that the first does not decide alone.
        const SAMPLE_SIZE: usize = 4 << 10;
        /// Maximum length taken from one line.
        const MAX_PER_LINE: usize = 128;
        *self.cache.guess_together.get_or_init(|| {
            let mut sample: Vec<u8> = Vec::new();
            let parts = self.parts().filter(|part| part.index > MAX_GUESSED);
            for part in parts.filter(|part| part.is_text() && part.names_no_charset()) {
                let octets = part.octets().into_octets();
                work(octets.len());
                let line = octets
                    .split(|&octet| octet == b'\n')
                    .find(|line| utf8::well_formed(line).is_none());
                let Some(line) = line else {
                    continue;
                };
                // Cut at a word: no scored charset has octets below 30 inside a character of
                // several octets.
                let start = line.get(..MAX_PER_LINE).unwrap_or(line);
                let words = start.iter().rposition(|&octet| octet < 0x30);
                let words = words.and_then(|end| start.get(..end));
                let taken = match words.filter(|words| !words.is_ascii()) {
                    _ if start.len() == line.len() => line,
                    Some(words) => words,
                    // Only the end of the whole sample may be cut inside a word.
                    None if sample.is_empty() => line.get(..SAMPLE_SIZE).unwrap_or(line),
                    None => continue,
                };
                sample.extend_from_slice(taken);
                sample.push(b'\n');
                if sample.len() >= SAMPLE_SIZE {
                    break;
                }
            }
            let guess = detect::by_likelihood(&sample, SAMPLE_SIZE, &self.prior());
            guess.map(|guess| guess.at_most(MAX_PARTS_CONFIDENCE))
        })
    }
}

impl<'m> Part<'m> {
    /// Adds hints from the rest of the message, if the part's charset may depend on them.
    pub(super) fn surround<'w>(self, weighing: &mut Weighing<'_, 'w>)
    where
        'm: 'w,
    {
        if weighing.needs_surroundings() {
            weighing.surround(self.surroundings());
        }
    }

    /// Hints from the rest of the message about the part's charset.
    fn surroundings(self) -> Surroundings<'m> {
        // The first entity is the message itself.
        let is_one_of_many = self.index > MAX_GUESSED;
        let guess = || self.message.guess_together().unwrap_or_else(Guess::unknown);
        Surroundings {
            second: self
                .second_charset()
                .and_then(|label| usable_charset(label.as_bytes())),
            origin: self.origin(),
            raw_fields: self.message.raw_fields(),
            guess_of_many: is_one_of_many.then(guess),
            ..*self.message.surroundings()
        }
    }

    /// The second charset of the Content-Type field, or the charset of a second Content-Type field.
    fn second_charset(self) -> Option<Label<'m>> {
        header::second_charset(self.content_type_body()).or_else(|| {
            let field = self.fields_named("Content-Type").nth(1)?;
            header::type_and_charset(field.body()).1
        })
    }

    /// Whether the part has no label, or a label that does not determine octets above 7F.
    fn names_no_charset(self) -> bool {
        let content_type = self.content_type();
        let label = content_type.charset();
        let named = label.and_then(|label| Charset::for_label_octets(label.as_bytes()));
        named.is_none_or(|it| it == Charset::US_ASCII || it.names_nothing())
    }

    /// `options` with the likely charsets of raw octets in a header (RFC 7103, section 7.7). First
    /// comes the hint: the charset that the part declares for its text, or a charset that the
    /// message uses in other parts or encoded words. Then comes the guess for the raw fields. The
    /// guess comes first if it [overrides](Part::raw_override) the charset named elsewhere.
    pub(crate) fn with_hint(self, options: &Options) -> Options {
        let mut reading = *options;
        reading.raw = self.message.raw_charset().map(|(charset, _)| charset);
        reading.origin = self.origin();
        if reading.hint.is_none() {
            reading.hint = self.named_elsewhere();
            if let Some((charset, _)) = self.raw_override(options) {
                reading.raw = reading.hint;
                reading.hint = Some(charset);
            }
        }
        reading
    }

    /// The charset that the part declares for its text, or that the message uses in other parts or
    /// encoded words.
    fn named_elsewhere(self) -> Option<Charset> {
        let rest = self.message.surroundings();
        let named = [self.declared_charset(), rest.siblings, rest.header];
        // Well-formed UTF-8 needs no hint, and a hint of UTF-8 does not help with other octets.
        let mut named = named.into_iter().flatten();
        named.find(|&charset| !is_utf_8(charset))
    }

    /// The charset of the raw fields and its confidence, if it overrides the charset named elsewhere.
    ///
    /// Many programs label everything ISO-8859-1. So the label of an ASCII-only text is only a
    /// prior for the fields. Fields that are firmly text in another charset are read in that
    /// charset; other fields are read as labelled.
    fn raw_override(self, options: &Options) -> Option<(Charset, u8)> {
        if options.hint.is_some() || options.trusts_label {
            return None;
        }
        self.own_override().or_else(|| {
            let top = self.top();
            let is_same = top.named_elsewhere() == self.named_elsewhere();
            is_same.then(|| top.own_override()).flatten()
        })
    }

    /// `raw_override` for the fields of its own header.
    fn own_override(self) -> Option<(Charset, u8)> {
        /// A single octet may be a letter of any language.
        const FEWEST: usize = 2;
        let of_entities = self.message.cache.raw_override.get_or_init(|| {
            let first = self.message.entities().take(1 + MAX_GUESSED);
            first.map(|_| OnceLock::new()).collect()
        });
        *of_entities.get(self.index)?.get_or_init(|| {
            if self.header().is_ascii() {
                return None;
            }
            let named = self.named_elsewhere()?;
            let raw = raw_octets(self.fields());
            let is_above = |octet: u8| !octet.is_ascii();
            if charset::count_of(&raw, is_above) < FEWEST || self.is_confirmed(named) {
                return None;
            }
            let header = self.message.surroundings().header;
            let prior = Prior::new([Some(named), header], self.origin()).labelled(named);
            let guess = detect::detect_with(&raw, &prior);
            let found = guess.charset;
            let outweighs_label = if detect::is_weighed(named) {
                guess.is_like_text()
            } else {
                guess.is_firm
            };
            let is_other = guess.source == Source::Detected
                && outweighs_label
                && !is_utf_8(found)
                && found.is_decoded()
                && !found.reads_as(named, &raw, &Options::new());
            is_other.then_some((found, guess.confidence))
        })
    }

    /// The root of the message that the part belongs to: the whole message, or an embedded one.
    fn top(self) -> Self {
        let mut top = self;
        while let Some(parent) = top.parent().filter(|parent| !parent.is_message()) {
            top = parent;
        }
        top
    }

    /// Whether text beyond ASCII confirms a charset that is named elsewhere.
    fn is_confirmed(self, named: Charset) -> bool {
        let rest = self.message.surroundings();
        rest.header == Some(named) && self.message.header_is_confirmed()
            || rest.siblings == Some(named) && self.message.declared_is_confirmed()
            || self.confirms(named)
    }

    /// Whether the label is this charset and the text, decoded in it, is more than ASCII.
    fn confirms(self, label: Charset) -> bool {
        if !self.is_text() || self.declared_charset() != Some(label) {
            return false;
        }
        // Octets of ASCII can be other characters only in charsets with escapes.
        if label.is_ascii_superset() && self.has_ascii_alone() {
            return false;
        }
        let (octets, context) = (self.octets(), Context::new());
        let (media_type, named) = self.type_and_charset();
        let context = context.label(named.as_ref()).media_type(Some(&media_type));
        let text = decode::decode(octets.as_bytes(), &context);
        text.source() == Source::Declared && !text.as_str().is_ascii()
    }

    /// The charset to try for raw header octets before guessing: the hint of `options`, else the
    /// charset that the part declares for its text, else the first charset that another part
    /// declares. The charsets of other parts are only hints.
    pub(crate) fn declared_for_raw(self, options: &Options) -> Option<Charset> {
        let siblings = || self.message.surroundings().siblings;
        let declared = || self.declared_charset().or_else(siblings);
        options
            .hint
            .or_else(|| declared().filter(|&charset| !is_utf_8(charset)))
    }

    /// The charset that its Content-Type names. Cached, since a header may have a Content-Type of a
    /// megabyte, and thousands of raw fields that each need its charset.
    fn declared_charset(self) -> Option<Charset> {
        *self.entity().declared_charset.get_or_init(|| {
            let (_, label) = self.type_and_charset();
            usable_charset(label?.as_bytes())
        })
    }

    /// The languages and the program of the sender. They come from the header of the part (an
    /// embedded message has its own sender), or else from the header of the message.
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

    /// The confidence in the charset of the raw fields, which are scored together, in percent.
    pub(crate) fn raw_confidence(self, options: &Options) -> u8 {
        let guess = self.raw_override(options);
        let guess = guess.or_else(|| self.message.raw_charset());
        guess.map_or(0, |(_, confidence)| confidence.min(MAX_FIELDS_CONFIDENCE))
    }
}

/// Maximum confidence of a guess from several fields, in percent.
const MAX_FIELDS_CONFIDENCE: u8 = 80;

/// Maximum confidence of a guess from several parts, in percent: different programs may have written
/// them, and no part was scored by itself.
const MAX_PARTS_CONFIDENCE: u8 = 50;

/// Maximum number of parts examined, so that a message of thousands of parts does not cost thousands of
/// fields.
const MAX_EXAMINED: usize = 16;

/// The first field of each of these names, found in one pass.
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

/// The languages and the program of the sender, from the fields of a header.
fn origin(
    language: Option<Field<'_>>,
    from: Option<&Field<'_>>,
    program: Option<Field<'_>>,
) -> Origin {
    /// A longer field does not name a single sender.
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
    let tags = language.map(|field| header::language_tags(field.body()));
    Origin {
        language: Languages::of_tags(tags.unwrap_or_default().into_iter()),
        domain: domain.map(Languages::of_domain).unwrap_or_default(),
        program: program.and_then(|field| Program::of(field.body())),
    }
}

/// The raw octets in these fields that are not UTF-8, separated by line endings.
fn raw_octets<'m>(fields: impl Iterator<Item = Field<'m>>) -> Vec<u8> {
    /// More octets do not improve a guess.
    const MAX_OCTETS: usize = 16 << 10;
    let mut left = MAX_OCTETS;
    let raw: Vec<&[u8]> = fields
        .map(|field| field.body())
        .filter(|body| utf8::well_formed(body).is_none())
        .map_while(|body| {
            let taken = body.get(..left).unwrap_or(body);
            left -= taken.len();
            (!taken.is_empty()).then_some(taken)
        })
        .collect();
    raw.join(&b'\n')
}

/// Fields that authors write.
const AUTHOR_FIELDS: [&str; 3] = ["Subject", "From", "To"];

/// The charset of the first encoded word in [`AUTHOR_FIELDS`].
fn header_charset(written: &[Option<Field<'_>>]) -> Option<Charset> {
    short_fields(written).find_map(|field| {
        let text = decode_alone(field.body().trim_ascii_start(), field);
        let mut used = text.charsets().iter();
        let declared = used.find(|used| used.source == Source::Declared)?;
        Some(declared.charset)
    })
}

/// The fields that are short enough to decode: longer ones are no evidence.
fn short_fields<'f, 'm>(written: &'f [Option<Field<'m>>]) -> impl Iterator<Item = &'f Field<'m>> {
    const LONGEST: usize = 1 << 20;
    let fields = written.iter().flatten();
    fields.filter(|field| field.body().len() <= LONGEST)
}

/// Whether a field has encoded words in this charset with text beyond ASCII.
fn has_words_in(field: &Field<'_>, charset: Charset) -> bool {
    let body = field.body().trim_ascii_start();
    let text = decode_alone(body, field);
    let mut used = text.charsets().iter();
    used.any(|used| {
        let is_declared = used.source == Source::Declared && used.charset == charset;
        is_declared && {
            let end = used.offset + used.length;
            let words = body.get(used.offset..end).unwrap_or_default();
            let text = decode::field(words, Syntax::Unstructured, &Options::new());
            !text.as_str().is_ascii()
        }
    })
}

/// Decodes a field body without hints from the rest of the message.
fn decode_alone<'m>(body: &'m [u8], field: &Field<'m>) -> FieldText<'m> {
    decode::field(body, header::syntax(field.name()), &Options::new())
}

fn is_utf_8(charset: Charset) -> bool {
    [Charset::UTF_8, Charset::UNICODE_1_1_UTF_8].contains(&charset)
}

/// The charset of a label, if it is decodable and goes beyond ASCII.
fn usable_charset(label: &[u8]) -> Option<Charset> {
    Charset::for_label_octets(label)
        .filter(|&charset| charset != Charset::US_ASCII && charset.is_declarable())
}
