//! The candidates that are decoded here, with what weighing takes from their tables.

use std::sync::OnceLock;

use super::candidates::{CANDIDATES, Candidate, Languages};
use super::double_byte::Leads;
use super::octets::Octets;
use super::single_byte::Cells;
use crate::charset::Charset;

/// A candidate that is decoded here.
#[derive(Debug)]
pub(super) struct Rival {
    pub(super) charset: Charset,
    pub(super) rarity: i32,
    pub(super) is_rare: bool,
    pub(super) languages: Languages,
    /// What its octets are, where each is a character.
    pub(super) cells: Option<Cells>,
    /// The lane of what its characters cost at least, where most are two octets.
    pub(super) lane: Option<usize>,
}

/// All of them, in the order of the candidates.
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
    /// A candidate, which has that place among all of them.
    fn new(candidate: &Candidate, place: usize) -> Option<Self> {
        let charset = Charset::for_label(candidate.label).filter(|it| it.is_decoded())?;
        let cells = match candidate.languages {
            Languages::Letters(scripts) => Cells::new(scripts, place),
            Languages::Characters(_) => None,
        };
        Some(Rival {
            charset,
            rarity: candidate.rarity,
            is_rare: candidate.is_rare,
            languages: candidate.languages,
            cells,
            lane: Leads::all().lane(candidate.label),
        })
    }
}

impl Rival {
    /// What is decoded of the octets: all of them for UTF-16, and else the words that are not ASCII.
    /// Words of ASCII say nothing there, and no character goes beyond the octet behind a word.
    pub(super) fn octets_to_read<'o>(&self, octets: &'o Octets<'_>) -> &'o [u8] {
        if self.cells.is_none() && self.lane.is_none() {
            octets.all()
        } else {
            octets.words()
        }
    }
}
