//! The likelihood of octets in each charset, as a cost.
//!
//! The charset is chosen by Bayes' rule: by its frequency in mail, and by the likelihood of the text in
//! it. Each text is scored letter by letter with the frequencies of each language that was sent in the
//! charset, and symbol by symbol by its neighbours. Frequent characters are cheap and rare ones
//! expensive, as in a Shannon code. Costs are in quarters of a bit, so a difference of four is a factor
//! of two in likelihood.
//!
//! The octets are counted once. Their counts give an estimate of the cost in all charsets at once.
//! Charsets that are far too expensive are ruled out, and only the rest are scored.

use std::sync::OnceLock;

use super::ascii::separates_words;
use super::damaged::Likeness;
use super::guess::{FIRM, Guess, LIKE_NO_TEXT};
use crate::charset::Charset;
use crate::report::Source;

use candidates::{COUNT, DOUBT, LanguageModels};
use cell::{Cell, GridRow, grid};
use double_byte::LeadCosts;
pub(crate) use prior::{Prior, is_weighed};
use rivals::{Rival, rivals};
use sample::{Sample, are_binary, is_never_text};
use single_byte::{Cells, HighCells};

mod ascii_words;
mod candidates;
mod cases;
mod cell;
mod double_byte;
mod prior;
mod rivals;
mod rows;
mod sample;
mod scripts;
mod single_byte;
mod symbols;
mod tables;

/// Confidence by margin: the margin over the second-best text in quarters of a bit, and the
/// percentage of guesses with this margin that were right. Measured on the texts that `tests/eval`
/// sets aside for tuning, with equal numbers of running and sparse texts, and each charset in
/// proportion to its share of mail. The lowest value is between the shares of two sets: 59 % in the
/// texts for tuning, and 54 % in the texts for testing. Few guesses have so low a margin, so their
/// share varies.
const CONFIDENCE: [(i32, u8); 5] = [(0, 56), (9, 89), (16, 97), (28, 98), (56, 99)];

/// Margin above which confidence no longer rises.
const TOP_MARGIN: i32 = {
    let [.., (most, _)] = CONFIDENCE;
    most
};

/// Candidates whose estimated cost exceeds the best by more than this are not scored.
const MAX_EXCESS: i32 = 36;

/// Maximum confidence for a rare charset supported by a single distinct octet: the lowest
/// confidence of all, since one octet may be anything.
const MAX_CONFIDENCE_RARE: u8 = {
    let [(_, lowest), ..] = CONFIDENCE;
    lowest
};

/// Typical cost of an ASCII letter in a word that is not all ASCII.
const ASCII_LETTER: i32 = 12;

/// Estimated costs of octets in each rival.
#[derive(Debug)]
struct Estimates {
    /// For each octet, its cost in each rival, and the extra cost of an adjacent ASCII letter.
    costs: Vec<[u8; COUNT]>,
    next_to_letters: Vec<[u8; COUNT]>,
}

/// Estimated cost of a letter of another script next to an ASCII letter.
const MIXED_SCRIPTS: u8 = 48;

impl Estimates {
    fn all() -> &'static Self {
        static ESTIMATES: OnceLock<Estimates> = OnceLock::new();
        ESTIMATES.get_or_init(Self::new)
    }

    fn new() -> Self {
        let costs_by = |of: fn(&Cells, &GridRow) -> u8| {
            let in_rivals = |row: &GridRow| {
                let mut costs = [0; COUNT];
                for (cost, rival) in costs.iter_mut().zip(rivals()) {
                    *cost = rival.cells.as_ref().map_or(0, |cells| of(cells, row));
                }
                costs
            };
            grid().iter().map(in_rivals).collect()
        };
        Estimates {
            costs: costs_by(Cells::typical),
            next_to_letters: costs_by(|cells, row| {
                u8::from(cells.is_of_other_script(row)) * MIXED_SCRIPTS
            }),
        }
    }

    /// The estimated cost of the octets in each rival. The sums saturate.
    fn of(&self, octets: &Sample<'_>) -> [u16; COUNT] {
        /// Maximum count of the most expensive octet that does not overflow a sum.
        const MOST: u16 = u16::MAX / u8::MAX as u16;
        let mut sums = [0; COUNT];
        let mut add = |costs: &[u8; COUNT], times: u16| {
            for (sum, cost) in sums.iter_mut().zip(costs) {
                *sum = u16::saturating_add(*sum, times.min(MOST) * u16::from(*cost));
            }
        };
        for seen in &octets.distinct {
            let at = usize::from(seen.octet & 0x7F);
            if let (Some(costs), Some(next_to_letter)) =
                (self.costs.get(at), self.next_to_letters.get(at))
            {
                add(costs, seen.count);
                if seen.letters > 0 {
                    add(next_to_letter, seen.letters);
                }
            }
        }
        sums
    }

    /// The rarity of each rival, adjusted by the prior. Rare rivals that the prior does not name
    /// also cost [`DOUBT`].
    fn adjusted_rarity(octets: &Sample<'_>, prior: &Prior) -> [i32; COUNT] {
        let few = octets.runs(DOUBT.len() + 1).saturating_sub(1);
        let doubt = DOUBT.get(few).copied().unwrap_or(0);
        let mut rarity = [NO_RIVAL; COUNT];
        for (number, (rarity, rival)) in rarity.iter_mut().zip(rivals()).enumerate() {
            let bonus = prior.of(number);
            *rarity = rival.rarity - bonus;
            if rival.is_rare && bonus < rival.rarity {
                *rarity += doubt;
            }
        }
        rarity
    }

    /// The estimated cost of the octets in each rival, and a sort key: a lower bound of the cost,
    /// with the number of the rival in the lowest eight bits. Letters that often follow each other
    /// cost up to a sixth less than estimated, and double-byte characters cost up to a fifth less.
    fn of_rivals(
        &self,
        octets: &Sample<'_>,
        rarity: &[i32; COUNT],
    ) -> ([i32; COUNT], [i32; COUNT]) {
        /// A sixth and a fifth, in 256ths.
        const SIXTH: i32 = 43;
        const FIFTH: i32 = 52;
        let letters = ASCII_LETTER * octets.ascii_letters;
        let estimates = self.of(octets);
        let (mut costs, mut keys) = (*rarity, [0; COUNT]);
        let cells = costs.iter_mut().zip(&mut keys).zip(estimates);
        for ((number, ((cost, key), estimate)), rarity) in (0..).zip(cells).zip(rarity) {
            let estimate = i32::from(estimate) + letters;
            *cost = rarity + estimate;
            *key = (*cost - ((estimate * SIXTH) >> 8)) << 8 | number;
        }
        let leads = LeadCosts::all().least(&octets.words);
        let others = rivals().iter().enumerate();
        for (number, rival) in others.filter(|(_, rival)| rival.cells.is_none()) {
            let least = rival.lane.and_then(|lane| leads.get(lane)).copied();
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

/// The number of a rival fits into one octet, next to its cost.
const _: () = assert!(COUNT < 0xFF);

/// More than any cost.
const NO_RIVAL: i32 = 1 << 22;

/// A rival and its rarity, adjusted by the prior.
#[derive(Debug, Clone, Copy)]
struct AdjustedRival {
    rival: &'static Rival,
    /// Its index among the rivals.
    number: usize,
    rarity: i32,
}

/// A charset and the cost of the octets in it.
#[derive(Debug)]
struct Score {
    adjusted: AdjustedRival,
    cost: i32,
    /// Whether scoring stopped early, so that the cost is a lower bound.
    is_lower_bound: bool,
}

/// The scores of octets.
#[derive(Debug)]
struct Scoring<'p> {
    prior: &'p Prior,
    /// The charsets that were scored.
    entries: Vec<Score>,
    /// The charsets that were ruled out, with their estimated distance from the best.
    ruled_out: Vec<(i32, &'static Rival)>,
    /// The charsets that are not ruled out.
    remaining: [bool; COUNT],
}

/// The most likely charset of `octets`, given a prior. If they are not like text, the text before the
/// first control character decides, since a file may have been appended to it.
pub(super) fn weigh(octets: &[u8], prior: &Prior) -> Option<Guess> {
    /// Random octets have a control within this many octets.
    const FEWEST: usize = 64;
    let guess = weigh_all(octets, prior);
    if guess.is_some_and(|guess| guess.is_like_text()) {
        return guess;
    }
    let text = octets.iter().position(|octet| is_never_text(*octet));
    let text = text.and_then(|end| octets.get(..end));
    let text = text.filter(|text| text.len() >= FEWEST && !text.is_ascii());
    let of_text = text.and_then(|text| weigh_all(text, prior));
    of_text.filter(Guess::is_like_text).or(guess)
}

/// [`weigh`] for all of the octets.
fn weigh_all(octets: &[u8], prior: &Prior) -> Option<Guess> {
    let mut known = Scoring {
        prior,
        entries: Vec::new(),
        ruled_out: Vec::new(),
        remaining: [true; COUNT],
    };
    let is_wide = known.rule_wide_out(octets);
    if are_binary(octets) && !is_wide {
        // The octets are not text in any charset. The charset chosen here loses no octet.
        return Some(Guess {
            confidence: LIKE_NO_TEXT,
            is_firm: false,
            ..guess_of(Charset::WINDOWS_1252)
        });
    }
    // The start of a long text rules out most charsets.
    if octets.len() >= 2 * START_LENGTH && !is_wide {
        let start = &Sample::new(octets.get(..start_of(octets)).unwrap_or(octets));
        known.score_remaining(start, MAX_EXCESS_OF_START);
        known.rule_out_expensive();
        if known.is_settled(octets) {
            return known.verdict(start);
        }
    }
    let all = &Sample::new(octets);
    known.score_remaining(all, MAX_EXCESS);
    known.verdict(all)
}

/// Approximate number of octets of a long text that are scored first.
const START_LENGTH: usize = 96;
/// Candidates in which the start of a text exceeds the best by more than this are not scored with
/// the rest of the text.
const MAX_EXCESS_OF_START: i32 = 120;

/// The length of the start of a text: whole words if they are short.
fn start_of(octets: &[u8]) -> usize {
    let most = octets.get(..START_LENGTH).unwrap_or(octets);
    let end = most.iter().rposition(|octet| separates_words(*octet));
    end.filter(|end| *end > START_LENGTH / 2)
        .unwrap_or(most.len())
}

impl Scoring<'_> {
    /// Rules out UTF-16 unless the octets are Chinese, Japanese or Korean in it. Returns whether they
    /// are.
    fn rule_wide_out(&mut self, octets: &[u8]) -> bool {
        let mut is_any = false;
        for (rival, remaining) in rivals().iter().zip(&mut self.remaining) {
            if rival.cells.is_none() && rival.lane.is_none() {
                *remaining = is_east_asian(octets, rival.charset);
                is_any |= *remaining;
            }
        }
        is_any
    }

    /// Scores octets in the remaining charsets, except those whose estimate exceeds the best by more
    /// than `slack`.
    fn score_remaining(&mut self, octets: &Sample<'_>, slack: i32) {
        let rarity = Estimates::adjusted_rarity(octets, self.prior);
        let (costs, mut keys) = Estimates::all().of_rivals(octets, &rarity);
        for (key, is_remaining) in keys.iter_mut().zip(self.remaining) {
            if !is_remaining {
                *key = i32::MAX;
            }
        }
        let number = |key: i32| usize::try_from(key & 0xFF).unwrap_or(COUNT);
        // Score the most likely rival first, so that most other rivals are ruled out.
        keys.sort_unstable();
        self.entries = Vec::with_capacity(16);
        let mut scratch = [*Cell::NONE; 128];
        let mut best = i32::MAX;
        let mut scored = 0;
        for key in keys {
            let most = best.saturating_add(slack);
            let rival = AdjustedRival::of(number(key), &rarity);
            let Some(rival) = rival.filter(|_| key >> 8 <= most) else {
                break;
            };
            scored += 1;
            if self.entries.iter().any(|entry| entry.covers(rival, octets)) {
                continue;
            }
            match score(rival, octets, (best, slack), &mut scratch) {
                Some(entry) => {
                    best = best.min(entry.cost);
                    self.entries.push(entry);
                }
                None => rule_out(&mut self.remaining, rival.number),
            }
        }
        self.ruled_out.reserve_exact(COUNT);
        for key in keys.iter().skip(scored) {
            let number = number(*key);
            if let (Some(rival), Some(cost)) = (rivals().get(number), costs.get(number)) {
                rule_out(&mut self.remaining, number);
                self.ruled_out.push((cost.saturating_sub(best), rival));
            }
        }
    }

    /// Rules out charsets whose score is far too high.
    fn rule_out_expensive(&mut self) {
        let best = self.entries.iter().map(|entry| entry.cost).min();
        for entry in &self.entries {
            let distance = entry.cost.saturating_sub(best.unwrap_or(0));
            if distance > MAX_EXCESS_OF_START {
                self.ruled_out.push((distance, entry.adjusted.rival));
                rule_out(&mut self.remaining, entry.adjusted.number);
            }
        }
    }

    /// Whether all remaining charsets give the same text.
    fn is_settled(&self, octets: &[u8]) -> bool {
        let mut remaining = rivals()
            .iter()
            .zip(self.remaining)
            .filter(|(_, remaining)| *remaining);
        let Some((first, _)) = remaining.next() else {
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
        remaining.all(|(rival, _)| match (&first.cells, &rival.cells) {
            (Some(cells), Some(others)) => rows.clone().all(|row| cells.is_same(others, row)),
            _ => false,
        })
    }
}

fn rule_out(remaining: &mut [bool; COUNT], number: usize) {
    if let Some(remaining) = remaining.get_mut(number) {
        *remaining = false;
    }
}

impl Score {
    /// Whether the octets are like text in the charset, ignoring the prior: context cannot make
    /// text of octets that are not text.
    fn is_text(&self, octets: &Sample<'_>) -> bool {
        let cost_alone = self.cost - self.adjusted.rarity + self.adjusted.rival.rarity;
        cost_alone <= maximum_of_text(octets, self.adjusted.rival)
    }

    /// Whether another charset gives the same text, is rarer, and cannot be cheaper: both were used
    /// for the same languages, or the text has only ASCII letters.
    fn covers(&self, other: AdjustedRival, octets: &Sample<'_>) -> bool {
        let (Some(cells), Some(others)) = (&self.adjusted.rival.cells, &other.rival.cells) else {
            return false;
        };
        self.adjusted.rarity <= other.rarity
            && cells.are_same(others, octets)
            && (cells.has_scripts_of(others) || cells.are_symbols(octets))
    }
}

impl AdjustedRival {
    fn of(number: usize, rarity: &[i32; COUNT]) -> Option<AdjustedRival> {
        Some(AdjustedRival {
            rival: rivals().get(number)?,
            number,
            rarity: *rarity.get(number)?,
        })
    }
}

/// The cost of the octets in a charset; `None` if symbols alone exceed the best by more than `slack`.
/// Scoring stops early if the cost exceeds the best by more than [`TOP_MARGIN`].
fn score(
    adjusted: AdjustedRival,
    octets: &Sample<'_>,
    (best, slack): (i32, i32),
    scratch: &mut HighCells,
) -> Option<Score> {
    let AdjustedRival { rival, rarity, .. } = adjusted;
    let most = best.saturating_add(slack.max(TOP_MARGIN));
    let too_much = most.saturating_add(1);
    let cost = match (&rival.cells, rival.models) {
        (Some(cells), _) => {
            let reading = cells.read(octets, scratch);
            let most_symbols = best.saturating_add(slack).saturating_sub(rarity);
            let symbols = rarity + reading.cost_of_symbols(most_symbols)?;
            let letters = reading.cost_of_letters(most.saturating_sub(symbols));
            letters.map_or(too_much, |letters| symbols + letters)
        }
        (None, LanguageModels::Characters(languages)) => {
            let text = rival.text(octets);
            let above = octets.places.len();
            let trails = double_byte::ascii_trails(rival.charset.name(), &text, above);
            let extra_cost = rarity
                .saturating_add(octets.foreign())
                .saturating_add(trails);
            let cost = double_byte::cost(&text, languages, most.saturating_sub(extra_cost))?;
            extra_cost.saturating_add(cost)
        }
        (None, LanguageModels::Letters(_)) => return None,
    };
    Some(Score {
        adjusted,
        cost,
        is_lower_bound: cost == too_much,
    })
}

fn is_same_text(a: &Score, b: &Score, octets: &Sample<'_>) -> bool {
    if let (Some(a), Some(b)) = (&a.adjusted.rival.cells, &b.adjusted.rival.cells) {
        return a.are_same(b, octets);
    }
    a.adjusted.rival.text(octets) == b.adjusted.rival.text(octets)
}

impl Scoring<'_> {
    /// The cheapest charset, with its margin over the cheapest charset that gives another text.
    fn verdict(mut self, octets: &Sample<'_>) -> Option<Guess> {
        self.entries.sort_unstable_by_key(|entry| {
            (entry.is_lower_bound, entry.cost, entry.adjusted.number)
        });
        // Prefer a common charset if the octets are not like text in the rare one.
        let is_likely = |entry: &Score| {
            !entry.is_lower_bound && (!entry.adjusted.rival.is_rare || entry.is_text(octets))
        };
        if let Some(at) = self.entries.iter().position(is_likely)
            && let Some(start) = self.entries.get_mut(..=at)
        {
            start.rotate_right(1);
        }
        let entries = &self.entries;
        let damaged = Likeness::of(octets.all).cost();
        let best = entries.first();
        if let Some(cost) = damaged
            && best.is_none_or(|best| cost <= best.cost)
        {
            let margin = best.map_or(i32::MAX, |best| best.cost - cost);
            return Some(Guess {
                confidence: confidence(margin),
                is_firm: margin >= i32::from(FIRM),
                runner_up: best.map(|best| best.adjusted.rival.charset),
                ..guess_of(Charset::UTF_8)
            });
        }
        let (best, others) = entries.split_first()?;
        let other = others
            .iter()
            .find(|other| !is_same_text(best, other, octets));
        let (mut runner_up, mut next) = (
            other.map(|other| other.adjusted.rival.charset),
            other.map_or(i32::MAX, |other| other.cost),
        );
        if let Some(cost) = damaged.filter(|cost| *cost < next) {
            (runner_up, next) = (Some(Charset::UTF_8), cost);
        }
        let chosen = best.adjusted.rival;
        let is_other = |rival: &Rival| match (&chosen.cells, &rival.cells) {
            (Some(cells), Some(others)) => !cells.are_same(others, octets),
            _ => true,
        };
        // Charsets that were ruled out have estimated costs.
        let mut margin = next.saturating_sub(best.cost);
        let cheaper = self
            .ruled_out
            .iter()
            .filter(|(distance, rival)| *distance < margin && is_other(rival));
        if let Some((distance, rival)) = cheaper.min_by_key(|(distance, _)| *distance) {
            (runner_up, margin) = (Some(rival.charset), MAX_EXCESS.max(*distance));
        }
        let is_text = best.is_text(octets);
        let above = octets.places.len();
        let few = above / 4;
        let has_few_octets = above == 1 || octets.runs(few + 1) <= few;
        let is_doubtful = chosen.is_rare && has_few_octets;
        Some(Guess {
            confidence: match confidence(margin) {
                _ if !is_text => LIKE_NO_TEXT,
                confidence if is_doubtful => confidence.min(MAX_CONFIDENCE_RARE),
                confidence => confidence,
            },
            is_firm: is_text && !is_doubtful && margin >= i32::from(FIRM),
            runner_up,
            ..guess_of(chosen.charset)
        })
    }
}

fn confidence(margin: i32) -> u8 {
    let row = CONFIDENCE.iter().rfind(|(least, _)| *least <= margin);
    row.map_or(LIKE_NO_TEXT, |&(_, confidence)| confidence)
}

/// A guess for octets whose position the caller knows.
fn guess_of(charset: Charset) -> Guess {
    Guess::certain(charset, Source::Detected, 0, 1)
}

/// Maximum cost of text in words that are not ASCII. One in two thousand real texts costs more.
/// Fragments of compressed files usually cost more. Only one in five hundred fragments of 60 octets
/// costs less. Of fragments of 20 octets, which prove little, one in fifteen costs less.
fn maximum_of_text(octets: &Sample<'_>, rival: &Rival) -> i32 {
    let above: i32 = octets
        .distinct
        .iter()
        .map(|seen| i32::from(seen.count))
        .sum();
    let scaled = match rival.lane {
        None if rival.cells.is_none() => i32::try_from(octets.all.len()).unwrap_or(i32::MAX),
        _ => octets.ascii_letters.saturating_add(above),
    };
    match rival.models {
        LanguageModels::Characters(_) => scaled.saturating_mul(22).saturating_add(60),
        LanguageModels::Letters(_) => scaled.saturating_mul(24).saturating_add(150),
    }
}

/// Whether the octets are Chinese, Japanese or Korean in UTF-16 of one order, in which almost any two
/// octets are some character.
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
