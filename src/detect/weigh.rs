//! How likely octets are in each charset: what it would cost to write them.
//!
//! A charset is chosen as Bayes has it: by how often mail is in it, and by how likely somebody
//! writes what the octets are in it. Each reading is priced letter by letter with the
//! frequencies of each language that was sent in it, and sign by sign by where signs stand: what
//! is frequent costs little, what is rare much, as in any code by Shannon. The sum is in
//! quarters of a bit, so that a difference of four is a factor of two in likelihood.
//!
//! The octets are counted once. From how often each occurs follows about what they cost in each
//! charset, for all charsets at once; those that are far too dear are ruled out, and only what is
//! left is weighed.

use std::sync::OnceLock;

use super::candidates::{CANDIDATES, Candidate, Languages};
use super::damaged::Likeness;
use super::double_byte::{self, Leads};
use super::octets::Octets;
use super::prior::Prior;
use super::single_byte::{self, Cells};
use crate::charset::Charset;

/// The likeliest charset, and how far it is before the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Verdict {
    pub(super) charset: Charset,
    /// How likely this is right, in percent.
    pub(super) confidence: u8,
    pub(super) is_firm: bool,
    /// The likeliest charset that gives another text.
    pub(super) runner_up: Option<Charset>,
}

/// By how many quarters of a bit a guess beats the next best text, and how many of such
/// guesses were right, in percent: counted on the texts that `tests/eval` sets aside for
/// tuning, as many running ones as sparse ones, and each charset as often as it is in mail.
const CONFIDENCE: [(i32, u8); 5] = [(0, 72), (12, 89), (16, 97), (28, 98), (56, 99)];

/// By how much a guess that is [firm](super::Guess::is_firm) beats the next best text, in quarters
/// of a bit: where each charset is as frequent as any other, seven eighths of those that do no
/// better are right.
const FIRM: i32 = 28;

/// The confidence, in percent, in a reading that is like no text.
pub(super) const LIKE_NO_TEXT: u8 = 20;

/// A charset that is dearer than the best by so much, as estimated, is not weighed.
const RULED_OUT: i32 = 36;

/// How sure at most a guess is that hardly any mail was in, where one octet is all that speaks for
/// it, or one that is repeated: it may be anything. In mail one in five of them is right; they are
/// so few that the lowest step of confidence is theirs too.
const MOST_FOR_RARE: u8 = 72;

/// A candidate that is decoded here.
#[derive(Debug)]
pub(super) struct Rival {
    pub(super) charset: Charset,
    pub(super) rarity: i32,
    pub(super) is_rare: bool,
    pub(super) languages: Languages,
    /// What its octets are, where each is a character.
    pub(super) cells: Option<Box<Cells>>,
    /// What its characters cost at least, where most are two octets.
    pub(super) leads: Option<Leads>,
}

/// All of them, in the order of the candidates.
pub(super) fn rivals() -> &'static [Rival] {
    static RIVALS: OnceLock<Vec<Rival>> = OnceLock::new();
    RIVALS.get_or_init(|| CANDIDATES.iter().filter_map(Rival::new).collect())
}

impl Rival {
    fn new(candidate: &Candidate) -> Option<Self> {
        let charset = Charset::for_label(candidate.label).filter(|it| it.is_decoded())?;
        Some(Rival {
            charset,
            rarity: candidate.rarity,
            is_rare: candidate.is_rare,
            languages: candidate.languages,
            cells: single_byte::cells(candidate, charset),
            leads: Leads::of(candidate.label),
        })
    }
}

/// About what a letter of ASCII costs in a word that has others.
const ASCII_LETTER: i32 = 12;

impl Rival {
    /// What the octets cost at least that are estimated to cost so much, of which the charset's
    /// rarity is a part: letters that follow each other well are cheaper than each of them by itself.
    fn at_least(&self, estimate: i32, rarity: i32) -> i32 {
        match self.cells {
            Some(_) => estimate - (estimate - rarity) / 6,
            None => estimate - (estimate - rarity) / 5,
        }
    }
}

/// About what every octet costs in each charset of one octet to a character.
#[derive(Debug)]
struct Estimates {
    /// For each octet, its cost in each rival, and what is added for an ASCII letter beside it.
    costs: Vec<[u8; COLUMNS]>,
    beside_letters: Vec<[u8; COLUMNS]>,
}

/// How many rivals there are at most.
const COLUMNS: usize = 48;
/// What it costs about that a letter of another script touches one of ASCII, and what each of
/// those costs.
const MIXED_SCRIPTS: u8 = 48;

impl Estimates {
    fn all() -> &'static Self {
        static ESTIMATES: OnceLock<Estimates> = OnceLock::new();
        ESTIMATES.get_or_init(Self::new)
    }

    fn new() -> Self {
        let mut estimates = Estimates {
            costs: vec![[0; COLUMNS]; 128],
            beside_letters: vec![[0; COLUMNS]; 128],
        };
        for (column, rival) in rivals().iter().enumerate() {
            let Some(cells) = &rival.cells else { continue };
            let rows = estimates
                .costs
                .iter_mut()
                .zip(&mut estimates.beside_letters);
            for (octet, (costs, beside)) in (0x80..=u8::MAX).zip(rows) {
                if let (Some(cost), Some(beside)) = (costs.get_mut(column), beside.get_mut(column))
                {
                    *cost = cells.typical(octet);
                    *beside = if cells.is_of_other_script(octet) {
                        MIXED_SCRIPTS
                    } else {
                        0
                    };
                }
            }
        }
        estimates
    }

    fn of(&self, octets: &Octets<'_>) -> [u32; COLUMNS] {
        let mut sums = [0; COLUMNS];
        for seen in octets.distinct() {
            let at = usize::from(seen.octet & 0x7F);
            let (Some(costs), Some(beside)) = (self.costs.get(at), self.beside_letters.get(at))
            else {
                continue;
            };
            let (count, letters) = (u32::from(seen.count), u32::from(seen.letters));
            for (sum, (&cost, &mixed)) in sums.iter_mut().zip(costs.iter().zip(beside)) {
                *sum += count * u32::from(cost) + letters * u32::from(mixed);
            }
        }
        sums
    }
}

/// A charset, and what the octets cost in it.
#[derive(Debug)]
struct Entry {
    rival: &'static Rival,
    /// What of the cost is for the charset, and not for its text.
    rarity: i32,
    cost: i32,
    /// What they say, where that had to be decoded.
    text: Option<String>,
}

/// The charset that `octets` are most likely in, where some are likelier than they are in all mail.
pub(super) fn weigh(octets: &[u8], prior: &Prior) -> Option<Verdict> {
    let octets = &Octets::new(octets);
    let mut entries: Vec<Entry> = Vec::with_capacity(COLUMNS);
    let estimates = Estimates::all().of(octets);
    let mut order = [(i32::MAX, 0_usize); COLUMNS];
    for (cell, (at, rival)) in order.iter_mut().zip(rivals().iter().enumerate()) {
        let estimate = estimates.get(at).copied().unwrap_or(0);
        *cell = (
            start(rival, rival.rarity - prior.of(at), estimate, octets),
            at,
        );
    }
    // The likeliest first, so that most of the rest is ruled out.
    order.sort_unstable();
    let mut best = i32::MAX;
    let mut ruled_out = Vec::with_capacity(COLUMNS);
    for (estimate, at) in order {
        let Some(rival) = rivals().get(at).filter(|_| estimate < i32::MAX) else {
            break;
        };
        let most = best.saturating_add(RULED_OUT);
        let rarity = rival.rarity - prior.of(at);
        if rival.at_least(estimate, rarity) > most {
            ruled_out.push((estimate, rival));
        } else if !entries.iter().any(|it| it.covers(rival, rarity, octets))
            && let Some(entry) = weighed(rival, rarity, octets, most)
        {
            best = best.min(entry.cost);
            entries.push(entry);
        }
    }
    entries.sort_by_key(|entry| entry.cost);
    verdict(&entries, &ruled_out, octets)
}

impl Entry {
    /// Whether another charset makes the same text of the octets, is rarer, and could not be
    /// cheaper: it was sent in the same languages, or the text has no letters but ASCII.
    fn covers(&self, rival: &Rival, rarity: i32, octets: &Octets<'_>) -> bool {
        let (Some(cells), Some(others)) = (&self.rival.cells, &rival.cells) else {
            return false;
        };
        self.rarity <= rarity
            && cells.are_same(others, octets)
            && (cells.has_scripts_of(others) || cells.are_signs(octets))
    }
}

/// About what the octets cost at least.
fn start(rival: &Rival, rarity: i32, estimate: u32, octets: &Octets<'_>) -> i32 {
    let cost = match (&rival.cells, &rival.leads) {
        (Some(_), _) => {
            let estimate = i32::try_from(estimate).unwrap_or(i32::MAX / 2);
            estimate.saturating_add(ASCII_LETTER * octets.ascii_letters())
        }
        (None, Some(leads)) => leads.least(octets.words()) / 4 * 5,
        (None, None) => 0,
    };
    cost.saturating_add(rarity)
}

/// What the octets cost in a charset, if no more than `most`.
fn weighed(rival: &'static Rival, rarity: i32, octets: &Octets<'_>, most: i32) -> Option<Entry> {
    let (cost, text) = match (&rival.cells, rival.languages) {
        (Some(cells), _) => {
            let signs = rarity + cells.cost_of_signs(octets);
            if signs > most {
                return None;
            }
            let scripts = 0..cells.scripts().len();
            let letters = scripts
                .filter_map(|script| cells.cost_in(script, octets))
                .min()?;
            (signs + letters, None)
        }
        (None, Languages::Characters(languages)) => {
            if rival.leads.is_none() && !is_east_asian(octets.all(), rival.charset) {
                return None;
            }
            let text = rival.charset.decode(octets.all()).into_text();
            let above = octets.places().len();
            let trails = rival
                .leads
                .as_ref()
                .map_or(0, |leads| leads.ascii_trails(&text, above));
            let cost = double_byte::cost(&text, languages)?.saturating_add(trails);
            (rarity + octets.foreign() + cost, Some(text.into_owned()))
        }
        (None, Languages::Letters(_)) => return None,
    };
    Some(Entry {
        rival,
        rarity,
        cost,
        text,
    })
}

fn is_same_text(a: &Entry, b: &Entry, octets: &Octets<'_>) -> bool {
    if let (Some(a), Some(b)) = (&a.rival.cells, &b.rival.cells) {
        return a.are_same(b, octets);
    }
    let text = |entry: &Entry| match &entry.text {
        Some(text) => text.clone(),
        None => entry
            .rival
            .charset
            .decode(octets.all())
            .into_text()
            .into_owned(),
    };
    text(a) == text(b)
}

/// The cheapest, and by how much it is before the first that gives another text.
fn verdict(entries: &[Entry], ruled_out: &[(i32, &Rival)], octets: &Octets<'_>) -> Option<Verdict> {
    let damaged = Likeness::of(octets.all()).cost();
    let best = entries.first();
    if let Some(cost) = damaged
        && best.is_none_or(|best| cost <= best.cost)
    {
        let margin = best.map_or(i32::MAX, |best| best.cost - cost);
        return Some(Verdict {
            charset: Charset::UTF_8,
            confidence: confidence(margin),
            is_firm: margin >= FIRM,
            runner_up: best.map(|best| best.rival.charset),
        });
    }
    let (best, others) = entries.split_first()?;
    let other = others
        .iter()
        .find(|other| !is_same_text(best, other, octets));
    let (mut runner_up, mut next) = (
        other.map(|other| other.rival.charset),
        other.map_or(i32::MAX, |other| other.cost),
    );
    if let Some(cost) = damaged.filter(|cost| *cost < next) {
        (runner_up, next) = (Some(Charset::UTF_8), cost);
    }
    let is_other = |rival: &Rival| match (&best.rival.cells, &rival.cells) {
        (Some(cells), Some(others)) => !cells.are_same(others, octets),
        _ => true,
    };
    // What was ruled out costs about that much.
    let cheaper = ruled_out
        .iter()
        .filter(|(cost, rival)| *cost < next && is_other(rival));
    if let Some((cost, rival)) = cheaper.min_by_key(|(cost, _)| *cost) {
        (runner_up, next) = (Some(rival.charset), (best.cost + RULED_OUT).max(*cost));
    }
    // What is no text is not made one by what stands around it.
    let cost_alone = best.cost - best.rarity + best.rival.rarity;
    let is_text = cost_alone <= most_of_text(octets, best.rival);
    let above = octets.places().len();
    let is_little = above == 1 || octets.runs() <= above / 4;
    let is_doubtful = best.rival.is_rare && is_little;
    let margin = next.saturating_sub(best.cost);
    Some(Verdict {
        charset: best.rival.charset,
        confidence: match confidence(margin) {
            _ if !is_text => LIKE_NO_TEXT,
            confidence if is_doubtful => confidence.min(MOST_FOR_RARE),
            confidence => confidence,
        },
        is_firm: is_text && !is_doubtful && margin >= FIRM,
        runner_up,
    })
}

fn confidence(margin: i32) -> u8 {
    let row = CONFIDENCE.iter().rfind(|(least, _)| *least <= margin);
    row.map_or(LIKE_NO_TEXT, |&(_, confidence)| confidence)
}

/// What octets in words that are not ASCII cost at most where they are text. Of two thousand
/// real texts one costs more; of stretches of compressed files of 60 octets one in five
/// hundred costs less, and of those of 20, which say little, one in fifteen.
fn most_of_text(octets: &Octets<'_>, rival: &Rival) -> i32 {
    let above: i32 = octets
        .distinct()
        .iter()
        .map(|seen| i32::from(seen.count))
        .sum();
    let priced = match rival.leads {
        None if rival.cells.is_none() => i32::try_from(octets.all().len()).unwrap_or(i32::MAX),
        _ => octets.ascii_letters().saturating_add(above),
    };
    match rival.languages {
        Languages::Characters(_) => priced.saturating_mul(22).saturating_add(60),
        Languages::Letters(_) => priced.saturating_mul(24).saturating_add(150),
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
