//! The candidates that have a decoder, with their tables for scoring.

use std::borrow::Cow;
use std::sync::OnceLock;

use super::candidates::{CANDIDATES, Candidate, LanguageModels};
use super::double_byte::LeadCosts;
use super::sample::Sample;
use super::single_byte::Cells;
use crate::charset::{Charset, Languages};

/// A candidate that has a decoder.
#[derive(Debug)]
pub(super) struct Rival {
    pub(super) charset: Charset,
    pub(super) rarity: i32,
    pub(super) is_rare: bool,
    pub(super) models: LanguageModels,
    pub(super) languages: Languages,
    /// The characters of its octets, if it is a single-byte charset.
    pub(super) cells: Option<Cells>,
    /// Its lane in [`LeadCosts`], if most characters have two octets.
    pub(super) lane: Option<usize>,
}

/// All rivals, in the order of the candidates.
pub(super) fn rivals() -> &'static [Rival] {
    static RIVALS: OnceLock<Vec<Rival>> = OnceLock::new();
    let all = || CANDIDATES.iter().enumerate();
    RIVALS.get_or_init(|| {
        all()
            .filter_map(|(place, it)| Rival::new(it, place))
            .collect()
    })
}

impl Rival {
    /// The rival of the candidate with this index.
    fn new(candidate: &Candidate, place: usize) -> Option<Self> {
        let charset = Charset::for_label(candidate.label).filter(|it| it.is_decoded())?;
        let cells = match candidate.languages {
            LanguageModels::Letters(scripts) => Cells::new(charset, scripts, place),
            LanguageModels::Characters(_) => None,
        };
        Some(Rival {
            charset,
            rarity: candidate.rarity,
            is_rare: candidate.is_rare,
            models: candidate.languages,
            languages: charset.languages(),
            cells,
            lane: LeadCosts::all().lane(candidate.label),
        })
    }
}

impl Rival {
    /// In UTF-16, decodes all octets. In other charsets, decodes only words that are not ASCII: ASCII words
    /// are no evidence there, and no character extends beyond the octet after a word.
    pub(super) fn text<'o>(&self, octets: &'o Sample<'_>) -> Cow<'o, str> {
        let is_wide = self.cells.is_none() && self.lane.is_none();
        let read: &[u8] = if is_wide { octets.all } else { &octets.words };
        self.charset.decode(read).into_text()
    }
}
