//! How likely octets are in each charset: what it would cost to write them.
//!
//! Each candidate's reading of the octets is priced letter by letter with the frequencies of
//! each language that was sent in it: a frequent pair of letters costs little, a rare one
//! much, as in any code by Shannon. The sum is in quarters of a bit, so that a difference of
//! four is a factor of two in likelihood. Where that leaves the text in doubt, chardetng's
//! answer makes its charset cheaper.
//!
//! Only the best two texts are of interest, so that pricing a charset stops where it is
//! dearer than both; charsets of one octet to a character are not decoded for it.

use super::candidates::Languages;
use super::octets::{Cells, Octets, Rival, rivals};
use super::reading;
use crate::charset::{Charset, utf8};
use crate::work::work;

/// The likeliest charset, and how far it is before the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Verdict {
    pub(super) charset: Charset,
    /// How likely this is right, in percent.
    pub(super) confidence: u8,
    /// The likeliest charset that gives another text.
    pub(super) runner_up: Option<Charset>,
}

/// By how many quarters of a bit a guess beats the next best text, and how many of such
/// guesses were right, in percent: counted on the texts that `tests/eval` sets aside for
/// tuning, cut to 20, 60 and 300 octets.
const CONFIDENCE: [(i32, u8); 6] = [(0, 56), (16, 76), (28, 82), (36, 90), (56, 97), (80, 98)];

/// The confidence, in percent, in a reading that is like no text.
pub(super) const LIKE_NO_TEXT: u8 = 20;

/// What chardetng's answer takes off the cost of its charset.
const TRUST_IN_CHARDETNG: i32 = 12;

/// The charset that `octets` are most likely in. chardetng is asked where the text is in doubt
/// without it.
pub(super) fn weigh(octets: &[u8], chardetng: impl FnOnce() -> Option<Charset>) -> Option<Verdict> {
    let octets = &Octets::new(octets);
    let mut race = Race {
        octets,
        best: None,
        other: None,
        reached: Vec::new(),
    };
    if let Some(cost) = damaged_utf8_cost(octets.all()) {
        let text = utf8::decode_lossy(octets.all()).into_owned();
        race.enter(Entry {
            place: 0,
            charset: Charset::UTF_8,
            rarity: 0,
            cost,
            most: i32::MAX,
            text: Text::Decoded(text),
        });
    }
    // The sooner the best two are known, the sooner all others are too dear.
    let mut order: Vec<(i32, &Rival)> = rivals()
        .iter()
        .map(|rival| (octets.start(rival, &mut race.reached), rival))
        .collect();
    order.sort_unstable_by_key(|(estimate, _)| *estimate);
    for (start, rival) in order {
        if race.other.as_ref().is_none_or(|other| start <= other.cost) {
            race.run(rival, None);
        }
    }
    if race.is_in_doubt()
        && let Some(favourite) = chardetng()
        && let Some(rival) = rivals().iter().find(|rival| rival.charset == favourite)
    {
        race.run(rival, Some(TRUST_IN_CHARDETNG));
    }
    race.verdict()
}

/// What the octets cost in the best charset, and in the best of those that make another text
/// of them.
#[derive(Debug)]
struct Race<'o> {
    octets: &'o Octets<'o>,
    best: Option<Entry>,
    other: Option<Entry>,
    /// Room for what was priced on the way.
    reached: Vec<i32>,
}

/// A charset, what the octets cost in it, and what they say.
#[derive(Debug)]
struct Entry {
    /// Of two that cost the same the first is preferred.
    place: usize,
    charset: Charset,
    rarity: i32,
    cost: i32,
    /// The most that so many octets cost in text.
    most: i32,
    text: Text,
}

/// What a charset makes of the octets.
#[derive(Debug)]
enum Text {
    Of(&'static Cells),
    Decoded(String),
}

impl Race<'_> {
    /// Prices the octets in a charset, as far as it may still be one of the best two; with
    /// `trust`, which is taken off, to the end, and in a language without a table too.
    fn run(&mut self, rival: &'static Rival, trust: Option<i32>) {
        let head_start = rival.rarity - trust.unwrap_or(0);
        let cells = rival.cells.as_deref().filter(|it| it.reads(self.octets));
        let limit = match &self.best {
            Some(best) if trust.is_none() => match (cells, &best.text) {
                (Some(cells), Text::Of(of_best)) if cells.are_same(of_best, self.octets) => {
                    let is_rarer = (rival.rarity, rival.place) > (best.rarity, best.place);
                    if is_rarer && cells.has_script_of(of_best) {
                        return;
                    }
                    best.cost
                }
                _ => self.other.as_ref().map_or(i32::MAX, |other| other.cost),
            },
            _ => i32::MAX,
        };
        let limit = limit.saturating_sub(head_start);
        let octets = self.octets.all();
        let (known, unknown, text) = if let Some(cells) = cells {
            let known = self.octets.cost(cells, limit, &mut self.reached);
            let unknown = trust.map(|_| self.octets.unknown(cells));
            (known, unknown, Text::Of(cells))
        } else {
            let is_hopeless = match &rival.leads {
                Some(leads) => self.octets.least(leads) > limit,
                None => rival.is_utf16() && !is_east_asian(octets, rival.charset),
            };
            if is_hopeless {
                return;
            }
            let text = rival.charset.decode(octets).into_text();
            let known = reading::cost(&text, rival.languages, limit);
            let unknown = trust.map(|_| reading::unknown(&text));
            (known, unknown, Text::Decoded(text.into_owned()))
        };
        if let Some(cost) = known.into_iter().chain(unknown).min() {
            self.enter(Entry {
                place: rival.place,
                charset: rival.charset,
                rarity: rival.rarity,
                cost: cost + head_start,
                most: most_of_text(octets, rival),
                text,
            });
        }
    }

    /// Takes in an entry; one that was in already has become cheaper.
    fn enter(&mut self, entry: Entry) {
        let Some(best) = &self.best else {
            self.best = Some(entry);
            return;
        };
        let is_before =
            |entry: &Entry, other: &Entry| (entry.cost, entry.place) < (other.cost, other.place);
        let is_same = best.place == entry.place || self.is_same_text(best, &entry);
        if is_before(&entry, best) {
            let best = self.best.replace(entry);
            if !is_same {
                self.other = best;
            }
        } else if !is_same
            && self
                .other
                .as_ref()
                .is_none_or(|other| is_before(&entry, other))
        {
            self.other = Some(entry);
        }
    }

    fn is_same_text(&self, a: &Entry, b: &Entry) -> bool {
        match (&a.text, &b.text) {
            (Text::Of(a), Text::Of(b)) => a.are_same(b, self.octets),
            (Text::Decoded(a), Text::Decoded(b)) => a == b,
            (Text::Of(_), Text::Decoded(text)) => {
                a.charset.decode(self.octets.all()).text() == text
            }
            (Text::Decoded(text), Text::Of(_)) => {
                b.charset.decode(self.octets.all()).text() == text
            }
        }
    }

    /// By how much the best text is before the next one.
    fn margin(&self) -> i32 {
        match (&self.best, &self.other) {
            (Some(best), Some(other)) => other.cost - best.cost,
            _ => i32::MAX,
        }
    }

    /// Whether a word for another text could change which is best, or how sure that is.
    fn is_in_doubt(&self) -> bool {
        let [.., (sure, _)] = CONFIDENCE;
        let Some(best) = &self.best else {
            return true;
        };
        let unknown = self.octets.least_unknown() - best.cost;
        best.cost > best.most || self.margin().min(unknown) < sure + TRUST_IN_CHARDETNG
    }

    fn verdict(self) -> Option<Verdict> {
        let margin = self.margin();
        let best = self.best?;
        let row = CONFIDENCE.iter().rfind(|(least, _)| *least <= margin);
        let confidence = match row {
            Some(&(_, confidence)) if best.cost <= best.most => confidence,
            _ => LIKE_NO_TEXT,
        };
        Some(Verdict {
            charset: best.charset,
            confidence,
            runner_up: self.other.map(|other| other.charset),
        })
    }
}

/// What `octets` in words that are not ASCII cost at most where they are text. Of two thousand
/// real texts one costs more; of stretches of compressed files of 60 octets one in five
/// hundred costs less, and of those of 20, which say little, one in fifteen.
fn most_of_text(octets: &[u8], rival: &Rival) -> i32 {
    let words = octets.split(|&octet| octet < 0x30);
    let priced: usize = if rival.is_utf16() {
        octets.len()
    } else {
        words.filter(|word| !word.is_ascii()).map(<[u8]>::len).sum()
    };
    let priced = i32::try_from(priced).unwrap_or(i32::MAX);
    match rival.languages {
        Languages::Characters(_) => priced.saturating_mul(22).saturating_add(60),
        Languages::Letters(_) => priced.saturating_mul(24).saturating_add(120),
    }
}

/// Whether the octets are Chinese, Japanese or Korean as UTF-16 in one order. In it almost any
/// two octets are some character.
fn is_east_asian(octets: &[u8], charset: Charset) -> bool {
    let (units, rest) = octets.as_chunks::<2>();
    let order = if charset.name() == "UTF-16LE" {
        u16::from_le_bytes
    } else {
        u16::from_be_bytes
    };
    rest.is_empty()
        && units.iter().all(|&unit| {
            matches!(order(unit),
                0x09 | 0x0A | 0x0D | 0x20..=0x7E | 0x2010..=0x2026 | 0x3000..=0x30FF
                | 0x4E00..=0x9FFF | 0xAC00..=0xD7A3 | 0xFF00..=0xFFEF)
        })
}

/// What the octets cost as UTF-8 that was cut in the middle of a character or damaged on the
/// way. Characters of several octets are so seldom well-formed by accident that they settle
/// it where they are the most by far.
fn damaged_utf8_cost(octets: &[u8]) -> Option<i32> {
    let (mut whole, mut broken, mut cost) = (0, 0, 0);
    work(octets.len());
    for chunk in octets.utf8_chunks() {
        for character in chunk.valid().chars().filter(|it| !it.is_ascii()) {
            whole += 1;
            cost += 18 * i32::try_from(character.len_utf8()).unwrap_or(4);
        }
        match std::str::from_utf8(chunk.invalid()) {
            Ok(_) => {}
            // The first octets of a character, at the end of all of them or not.
            Err(error) if error.error_len().is_none() => {
                cost += 60;
                broken += i32::from(!octets.ends_with(chunk.invalid()));
            }
            Err(_) => {
                cost += 120;
                broken += 1;
            }
        }
    }
    (whole > 0 && whole >= 3 * broken).then_some(cost)
}
