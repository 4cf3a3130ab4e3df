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

use super::ascii::is_gap;
use super::candidates::{COUNT, Languages};
use super::cell::{Cell, grid};
use super::damaged::Likeness;
use super::double_byte::{self, Leads};
use super::guess::{FIRM, LIKE_NO_TEXT};
use super::octets::{Octets, are_binary};
use super::prior::Prior;
use super::rivals::{Rival, rivals};
use super::single_byte::HighCells;
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

/// By how much a guess beats the next best text that nothing makes surer.
const SURE: i32 = {
    let [.., (most, _)] = CONFIDENCE;
    most
};

/// A charset that is dearer than the best by so much, as estimated, is not weighed.
const RULED_OUT: i32 = 36;

/// How sure at most a guess is that hardly any mail was in, where one octet is all that speaks for
/// it, or one that is repeated: it may be anything. In mail one in five of them is right; they are
/// so few that the lowest step of confidence is theirs too.
const MOST_FOR_RARE: u8 = 72;

/// About what a letter of ASCII costs in a word that has others.
const ASCII_LETTER: i32 = 12;

/// What octets cost about in each rival, and how rare each is.
#[derive(Debug)]
struct Estimates {
    /// For each octet, its cost in each rival, and what is added for an ASCII letter beside it.
    costs: Vec<[u8; COUNT]>,
    beside_letters: Vec<[u8; COUNT]>,
    /// How rare each rival is; far too rare where there is none.
    rarity: [i32; COUNT],
    /// Those in which an octet is no character by itself, with their lane.
    others: Vec<(usize, Option<usize>)>,
}

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
            costs: vec![[0; COUNT]; 128],
            beside_letters: vec![[0; COUNT]; 128],
            rarity: [NO_RIVAL; COUNT],
            others: Vec::new(),
        };
        for (column, rival) in rivals().iter().enumerate() {
            if let Some(rarity) = estimates.rarity.get_mut(column) {
                *rarity = rival.rarity;
            }
            let Some(cells) = &rival.cells else {
                estimates.others.push((column, rival.lane));
                continue;
            };
            let rows = estimates
                .costs
                .iter_mut()
                .zip(&mut estimates.beside_letters);
            for (row, (costs, beside)) in grid().iter().zip(rows) {
                if let (Some(cost), Some(beside)) = (costs.get_mut(column), beside.get_mut(column))
                {
                    *cost = cells.typical(row);
                    *beside = if cells.is_of_other_script(row) {
                        MIXED_SCRIPTS
                    } else {
                        0
                    };
                }
            }
        }
        estimates
    }

    /// What the octets cost about in each rival; far too much where it is more than a sum holds.
    fn of(&self, octets: &Octets<'_>) -> [u16; COUNT] {
        /// As often as the dearest octet may occur in a sum.
        const MOST: u16 = u16::MAX / u8::MAX as u16;
        let mut sums = [0; COUNT];
        let mut add = |costs: &[u8; COUNT], times: u16| {
            for (sum, cost) in sums.iter_mut().zip(costs) {
                *sum = u16::saturating_add(*sum, times.min(MOST) * u16::from(*cost));
            }
        };
        for seen in octets.distinct() {
            let at = usize::from(seen.octet & 0x7F);
            if let (Some(costs), Some(beside)) = (self.costs.get(at), self.beside_letters.get(at)) {
                add(costs, seen.count);
                if seen.letters > 0 {
                    add(beside, seen.letters);
                }
            }
        }
        sums
    }

    /// What the octets cost about in each rival, and what they cost at least, with the number of the
    /// rival in the last octet: letters that follow each other well are cheaper than each of them by
    /// itself, by a sixth, and characters of two octets by a fifth.
    fn of_rivals(&self, octets: &Octets<'_>, prior: &Prior) -> ([i32; COUNT], [i32; COUNT]) {
        /// A sixth and a fifth, of 256.
        const SIXTH: i32 = 43;
        const FIFTH: i32 = 52;
        let letters = ASCII_LETTER * octets.ascii_letters();
        let estimates = self.of(octets);
        let rarity: [i32; COUNT] = std::array::from_fn(|number| {
            let rarity = self.rarity.get(number).copied();
            rarity.unwrap_or(NO_RIVAL) - prior.of(number)
        });
        let (mut costs, mut keys) = (rarity, [0; COUNT]);
        let cells = costs.iter_mut().zip(&mut keys).zip(estimates);
        for ((number, ((cost, key), estimate)), rarity) in (0..).zip(cells).zip(rarity) {
            let estimate = i32::from(estimate) + letters;
            *cost = rarity + estimate;
            *key = (*cost - ((estimate * SIXTH) >> 8)) << 8 | number;
        }
        let leads = Leads::all().least(octets.words());
        for &(number, lane) in &self.others {
            let least = lane.and_then(|lane| leads.get(lane)).copied();
            let estimate = least.map_or(0, |least| i32::from(least) / 4 * 5);
            let cells = costs.get_mut(number).zip(keys.get_mut(number));
            if let (Some((cost, key)), Some(rarity)) = (cells, rarity.get(number)) {
                *cost = rarity + estimate;
                *key = (*cost - ((estimate * FIFTH) >> 8)) << 8 | (*key & 0xFF);
            }
        }
        (costs, keys)
    }
}

/// The number of a rival fits into one octet, beside its cost.
const _: () = assert!(COUNT < 0xFF);

/// More than anything costs.
const NO_RIVAL: i32 = 1 << 22;

/// A rival, and how rare it is where this is known of what stands around the octets.
#[derive(Debug, Clone, Copy)]
struct Standing {
    rival: &'static Rival,
    /// Its place among the rivals.
    number: usize,
    rarity: i32,
}

/// A charset, and what the octets cost in it.
#[derive(Debug)]
struct Entry {
    of: Standing,
    cost: i32,
    /// Whether it was not priced to its end, so that they cost that much or more.
    is_dearer: bool,
    /// The same for all charsets in which they say the same, where each octet is a character.
    fingerprint: u64,
    /// What they say, where that had to be decoded.
    text: Option<String>,
}

/// What came of weighing octets.
#[derive(Debug)]
struct Weighing<'p> {
    prior: &'p Prior,
    /// What was weighed.
    entries: Vec<Entry>,
    /// What was ruled out before, and about how much dearer than the best it is.
    ruled_out: Vec<(i32, &'static Rival)>,
    /// What the octets may be in, as far as is known.
    left: [bool; COUNT],
}

/// The charset that `octets` are most likely in, where some are likelier than they are in all mail.
pub(super) fn weigh(octets: &[u8], prior: &Prior) -> Option<Verdict> {
    let mut known = Weighing {
        prior,
        entries: Vec::new(),
        ruled_out: Vec::new(),
        left: [true; COUNT],
    };
    let is_wide = known.rule_wide_out(octets);
    if are_binary(octets) && !is_wide {
        // No text in any charset; this one loses none of it.
        return Some(Verdict {
            charset: Charset::WINDOWS_1252,
            confidence: LIKE_NO_TEXT,
            is_firm: false,
            runner_up: None,
        });
    }
    // The start of a long text tells most charsets from what it is in.
    if octets.len() >= 2 * FIRST_LOOK && !is_wide {
        let start = &Octets::new(octets.get(..start_of(octets)).unwrap_or(octets));
        known = known.weigh_left(start, RULED_OUT_BY_START);
        known.rule_out_dear();
        if known.is_settled(octets) {
            return known.verdict(start);
        }
    }
    let all = &Octets::new(octets);
    known.weigh_left(all, RULED_OUT).verdict(all)
}

/// How many octets of a long text are weighed first, about.
const FIRST_LOOK: usize = 96;
/// A charset in which the start of a text is dearer by so much than in the best is not weighed with
/// the rest.
const RULED_OUT_BY_START: i32 = 120;

/// How many octets the start of a text has: whole words, where they are short.
fn start_of(octets: &[u8]) -> usize {
    let most = octets.get(..FIRST_LOOK).unwrap_or(octets);
    let end = most.iter().rposition(|octet| is_gap(*octet));
    end.filter(|end| *end > FIRST_LOOK / 2)
        .unwrap_or(most.len())
}

impl Weighing<'_> {
    /// Rules UTF-16 out unless the octets are Chinese, Japanese or Korean in it, and says whether
    /// they are.
    fn rule_wide_out(&mut self, octets: &[u8]) -> bool {
        let mut is_any = false;
        for (rival, left) in rivals().iter().zip(&mut self.left) {
            if rival.cells.is_none() && rival.lane.is_none() {
                *left = is_east_asian(octets, rival.charset);
                is_any |= *left;
            }
        }
        is_any
    }

    /// Weighs octets in what is left, but for what is dearer than the best by more than `slack`, as
    /// estimated.
    fn weigh_left(self, octets: &Octets<'_>, slack: i32) -> Self {
        let Weighing {
            prior,
            mut ruled_out,
            mut left,
            ..
        } = self;
        let (costs, mut keys) = Estimates::all().of_rivals(octets, prior);
        for (key, _) in keys.iter_mut().zip(left).filter(|(_, is_left)| !is_left) {
            *key = i32::MAX;
        }
        let number = |key: i32| usize::try_from(key & 0xFF).unwrap_or(COUNT);
        // The likeliest first, so that most of the rest is ruled out.
        keys.sort_unstable();
        let mut entries: Vec<Entry> = Vec::with_capacity(16);
        let mut scratch = [*Cell::NONE; 128];
        let mut best = i32::MAX;
        let mut asked = 0;
        for key in keys {
            let most = best.saturating_add(slack);
            let standing = Standing::of(number(key), prior);
            let Some(standing) = standing.filter(|_| key >> 8 <= most) else {
                break;
            };
            asked += 1;
            let cells = standing.rival.cells.as_ref();
            let fingerprint = cells.map_or(0, |cells| cells.fingerprint(octets));
            let mut same = entries
                .iter()
                .filter(|entry| entry.fingerprint == fingerprint);
            if same.any(|entry| entry.covers(standing, octets)) {
                continue;
            }
            match weighed(standing, (octets, fingerprint), (best, slack), &mut scratch) {
                Some(entry) => {
                    best = best.min(entry.cost);
                    entries.push(entry);
                }
                None => rule_out(&mut left, standing.number),
            }
        }
        ruled_out.reserve_exact(COUNT);
        for key in keys.iter().skip(asked) {
            let number = number(*key);
            if let (Some(rival), Some(cost)) = (rivals().get(number), costs.get(number)) {
                rule_out(&mut left, number);
                ruled_out.push((cost.saturating_sub(best), rival));
            }
        }
        Weighing {
            prior,
            entries,
            ruled_out,
            left,
        }
    }

    /// Rules out what was weighed and is far too dear.
    fn rule_out_dear(&mut self) {
        let best = self.entries.iter().map(|entry| entry.cost).min();
        for entry in &self.entries {
            let dearer = entry.cost.saturating_sub(best.unwrap_or(0));
            if dearer > RULED_OUT_BY_START {
                self.ruled_out.push((dearer, entry.of.rival));
                rule_out(&mut self.left, entry.of.number);
            }
        }
    }

    /// Whether all that is left gives the same text.
    fn is_settled(&self, octets: &[u8]) -> bool {
        let mut left = rivals().iter().zip(self.left).filter(|(_, left)| *left);
        let Some((first, _)) = left.next() else {
            return false;
        };
        let mut occur = [false; 256];
        for octet in octets {
            if let Some(occurs) = occur.get_mut(usize::from(*octet)) {
                *occurs = true;
            }
        }
        let above = occur.iter().skip(0x80).zip(grid());
        let rows = above.filter(|(occurs, _)| **occurs).map(|(_, row)| row);
        left.all(|(rival, _)| match (&first.cells, &rival.cells) {
            (Some(cells), Some(others)) => rows.clone().all(|row| cells.is_same(others, row)),
            _ => false,
        })
    }
}

fn rule_out(left: &mut [bool; COUNT], number: usize) {
    if let Some(left) = left.get_mut(number) {
        *left = false;
    }
}

impl Entry {
    /// Whether another charset makes the same text of the octets, is rarer, and could not be
    /// cheaper: it was sent in the same languages, or the text has no letters but ASCII.
    fn covers(&self, other: Standing, octets: &Octets<'_>) -> bool {
        let (Some(cells), Some(others)) = (&self.of.rival.cells, &other.rival.cells) else {
            return false;
        };
        self.of.rarity <= other.rarity
            && cells.are_same(others, octets)
            && (cells.has_scripts_of(others) || cells.are_signs(octets))
    }
}

impl Standing {
    fn of(number: usize, prior: &Prior) -> Option<Standing> {
        let rival = rivals().get(number)?;
        Some(Standing {
            rival,
            number,
            rarity: rival.rarity - prior.of(number),
        })
    }
}

/// What the octets cost in a charset. One in which signs alone cost more than `slack` above the best is
/// left out; one that is dearer than the best by more than makes a guess surer is not priced to its end.
fn weighed(
    of: Standing,
    (octets, fingerprint): (&Octets<'_>, u64),
    (best, slack): (i32, i32),
    scratch: &mut HighCells,
) -> Option<Entry> {
    let Standing { rival, rarity, .. } = of;
    let most = best.saturating_add(slack.max(SURE));
    let too_much = most.saturating_add(1);
    let (cost, text) = match (&rival.cells, rival.languages) {
        (Some(cells), _) => {
            let reading = cells.read(octets, scratch);
            let signs = rarity + reading.cost_of_signs();
            if signs > best.saturating_add(slack) {
                return None;
            }
            let letters = reading.cost_of_letters(most.saturating_sub(signs));
            let cost = letters.map(|letters| signs + letters);
            (cost.unwrap_or(too_much), None)
        }
        (None, Languages::Characters(languages)) => {
            let text = rival
                .charset
                .decode(rival.octets_to_read(octets))
                .into_text();
            let above = octets.places().len();
            let trails = double_byte::ascii_trails(rival.charset.name(), &text, above);
            let besides = rarity
                .saturating_add(octets.foreign())
                .saturating_add(trails);
            let cost = double_byte::cost(&text, languages, most.saturating_sub(besides))?;
            (besides.saturating_add(cost), Some(text.into_owned()))
        }
        (None, Languages::Letters(_)) => return None,
    };
    Some(Entry {
        of,
        cost,
        is_dearer: cost == too_much,
        fingerprint,
        text,
    })
}

fn is_same_text(a: &Entry, b: &Entry, octets: &Octets<'_>) -> bool {
    if let (Some(a), Some(b)) = (&a.of.rival.cells, &b.of.rival.cells) {
        return a.are_same(b, octets);
    }
    let text = |entry: &Entry| match &entry.text {
        Some(text) => text.clone(),
        None => entry
            .of
            .rival
            .charset
            .decode(entry.of.rival.octets_to_read(octets))
            .into_text()
            .into_owned(),
    };
    text(a) == text(b)
}

impl Weighing<'_> {
    /// The cheapest, and by how much it is before the first that gives another text.
    fn verdict(mut self, octets: &Octets<'_>) -> Option<Verdict> {
        self.entries
            .sort_unstable_by_key(|entry| (entry.is_dearer, entry.cost, entry.of.number));
        let entries = &self.entries;
        let damaged = Likeness::of(octets.all()).cost();
        let best = entries.first();
        if let Some(cost) = damaged
            && best.is_none_or(|best| cost <= best.cost)
        {
            let margin = best.map_or(i32::MAX, |best| best.cost - cost);
            return Some(Verdict {
                charset: Charset::UTF_8,
                confidence: confidence(margin),
                is_firm: margin >= i32::from(FIRM),
                runner_up: best.map(|best| best.of.rival.charset),
            });
        }
        let (best, others) = entries.split_first()?;
        let other = others
            .iter()
            .find(|other| !is_same_text(best, other, octets));
        let (mut runner_up, mut next) = (
            other.map(|other| other.of.rival.charset),
            other.map_or(i32::MAX, |other| other.cost),
        );
        if let Some(cost) = damaged.filter(|cost| *cost < next) {
            (runner_up, next) = (Some(Charset::UTF_8), cost);
        }
        let chosen = best.of.rival;
        let is_other = |rival: &Rival| match (&chosen.cells, &rival.cells) {
            (Some(cells), Some(others)) => !cells.are_same(others, octets),
            _ => true,
        };
        // What was ruled out costs about that much.
        let mut margin = next.saturating_sub(best.cost);
        let cheaper = self
            .ruled_out
            .iter()
            .filter(|(dearer, rival)| *dearer < margin && is_other(rival));
        if let Some((dearer, rival)) = cheaper.min_by_key(|(dearer, _)| *dearer) {
            (runner_up, margin) = (Some(rival.charset), RULED_OUT.max(*dearer));
        }
        // What is no text is not made one by what stands around it.
        let cost_alone = best.cost - best.of.rarity + chosen.rarity;
        let is_text = cost_alone <= most_of_text(octets, chosen);
        let above = octets.places().len();
        let is_little = above == 1 || octets.runs() <= above / 4;
        let is_doubtful = chosen.is_rare && is_little;
        Some(Verdict {
            charset: chosen.charset,
            confidence: match confidence(margin) {
                _ if !is_text => LIKE_NO_TEXT,
                confidence if is_doubtful => confidence.min(MOST_FOR_RARE),
                confidence => confidence,
            },
            is_firm: is_text && !is_doubtful && margin >= i32::from(FIRM),
            runner_up,
        })
    }
}

fn confidence(margin: i32) -> u8 {
    let row = CONFIDENCE.iter().rfind(|(least, _)| *least <= margin);
    row.map_or(LIKE_NO_TEXT, |&(_, confidence)| confidence)
}

/// What octets in words that are not ASCII cost at most where they are text. Of two thousand
/// real texts one costs more; of pieces of compressed files of 60 octets one in five
/// hundred costs less, and of those of 20, which say little, one in fifteen.
fn most_of_text(octets: &Octets<'_>, rival: &Rival) -> i32 {
    let above: i32 = octets
        .distinct()
        .iter()
        .map(|seen| i32::from(seen.count))
        .sum();
    let priced = match rival.lane {
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
