//! Priors: the context of octets makes some charsets more likely.
//!
//! `candidates.rs` has the rarity of each charset in all mail. Next to a part in KOI8-R, or in mail
//! from Korea, charsets of that language are more frequent. All figures are in quarters of a bit,
//! like costs; a text of a few words outweighs them. The figures are estimated odds: too little
//! mail is public to measure them.

use super::candidates::COUNT;
use super::rivals::rivals;
use crate::charset::{Charset, Origin};
use crate::detect::guess::FIRM;

/// Bonus for the charsets of the language of another part or of the encoded words: 5 bits. One in
/// 33 parts is in another language: a quotation, or the footer of a mailing list.
const SAME_LANGUAGE: i16 = 20;

/// Bonus instead of [`SAME_LANGUAGE`] if that language is Western: 3 bits. Many programs label
/// everything ISO-8859-1.
const WESTERN_LANGUAGE: i16 = 12;

/// Bonus for the charsets of the language in Content-Language: 4 bits. One in 17 of these fields
/// was set by a program for all mail, not for this message.
const NAMED_LANGUAGE: i16 = 16;

/// Bonus for the charsets of the language of the sender's country: 4 bits. One in 17 messages with
/// text beyond ASCII is not in the language of its country; messages to foreigners are mostly
/// ASCII.
const LANGUAGE_OF_COUNTRY: i16 = 16;

/// Bonus for the charsets of the sending program: 3 bits. If a program is made for one language,
/// one in nine of its messages is in another. The charsets of a platform occur only in mail from
/// that platform. If one message in eight is from the platform, its charsets are eight times as
/// frequent there as in all mail.
const OF_PROGRAM: i16 = 12;

/// Reduction for each doubling of the number of named languages, since a doubling halves the
/// evidence for each language.
const EACH_DOUBLING: i16 = 4;

/// The prior of each charset relative to all mail, in quarters of a bit.
///
/// The pieces of evidence are not independent: a Korean writes Korean in each part, names it, and sends
/// from Korea. So only the strongest evidence for a charset counts.
#[derive(Debug, Clone)]
pub(crate) struct Prior {
    /// In the order of the rivals.
    bonus: [i16; COUNT],
}

impl Prior {
    /// Without evidence.
    pub(crate) const NONE: Prior = Prior { bonus: [0; COUNT] };

    /// The prior from the charsets of other parts or fields, and from the origin of the mail.
    ///
    /// A named charset loses the cost of its rarity. Other charsets of its language are more likely
    /// too, except rare ones, which hardly occur together with another charset.
    pub(crate) fn new(charsets: [Option<Charset>; 2], origin: Origin) -> Prior {
        let mut prior = Prior::NONE;
        let is_known = charsets.iter().any(Option::is_some);
        if !is_known && origin == Origin::UNKNOWN {
            return prior;
        }
        let charsets = charsets.map(|charset| charset.map(|it| (rival_of(it), it.languages())));
        let of_language = shared_bonus(NAMED_LANGUAGE, origin.language.count());
        let of_domain = shared_bonus(LANGUAGE_OF_COUNTRY, origin.domain.count());
        for (rival, bonus) in rivals().iter().zip(&mut prior.bonus) {
            let languages = rival.languages;
            let mut raise = |to: i16| *bonus = to.max(*bonus);
            for (charset, others) in charsets.into_iter().flatten() {
                let same_language = if others == Charset::WINDOWS_1252.languages() {
                    WESTERN_LANGUAGE
                } else {
                    SAME_LANGUAGE
                };
                if charset == rival.charset {
                    let rarity = i16::try_from(rival.rarity).unwrap_or_default();
                    raise(same_language + rarity);
                } else if !rival.is_rare && languages.intersects(others) {
                    raise(same_language);
                }
            }
            if languages.intersects(origin.language) {
                raise(of_language);
            }
            if languages.intersects(origin.domain) {
                raise(of_domain);
            }
            if origin.program.is_some_and(|it| it.writes(rival.charset)) {
                raise(OF_PROGRAM);
            }
        }
        prior
    }

    /// Adds a label that the text does not confirm: any other charset then needs the margin of a
    /// firm guess.
    pub(crate) fn labelled(mut self, label: Charset) -> Prior {
        let label = rival_of(label);
        let rivals = rivals().iter().zip(&mut self.bonus);
        for (_, bonus) in rivals.filter(|(rival, _)| rival.charset == label) {
            *bonus = bonus.saturating_add(FIRM);
        }
        self
    }

    /// The bonus of the rival with this index.
    pub(super) fn of(&self, place: usize) -> i32 {
        self.bonus.get(place).copied().map_or(0, i32::from)
    }
}

/// The bonus of each language if several are named.
fn shared_bonus(one: i16, count: u32) -> i16 {
    let doublings = count.max(1).ilog2();
    let less = EACH_DOUBLING.saturating_mul(i16::try_from(doublings).unwrap_or(i16::MAX));
    one.saturating_sub(less).max(0)
}

/// Whether a charset, or one that contains it, is scored.
pub(crate) fn is_weighed(charset: Charset) -> bool {
    let charset = rival_of(charset);
    rivals().iter().any(|rival| rival.charset == charset)
}

/// The rival that represents a charset: a superset of it, or itself.
fn rival_of(charset: Charset) -> Charset {
    let charset = charset.as_practised();
    let name = match charset.name() {
        "ISO-8859-1" => "windows-1252",
        "ISO-8859-9" => "windows-1254",
        "TIS-620" | "ISO-8859-11" => "windows-874",
        "ISO-8859-8-I" | "ISO-8859-8-E" => "ISO-8859-8",
        "ISO-8859-6-I" | "ISO-8859-6-E" => "ISO-8859-6",
        "GBK" | "GB2312" => "GB18030",
        "Windows-31J" => "Shift_JIS",
        "Big5-HKSCS" => "Big5",
        _ => return charset,
    };
    Charset::for_label(name).unwrap_or(charset)
}

#[cfg(test)]
mod tests {
    use super::super::rivals::rivals;
    use super::{Prior, is_weighed};
    use crate::charset::{Charset, Languages, Origin, Program};

    fn charset(label: &str) -> Charset {
        Charset::for_label(label).unwrap()
    }

    fn raised(prior: &Prior, label: &str) -> i32 {
        let place = rivals().iter().position(|it| it.charset == charset(label));
        prior.of(place.unwrap())
    }

    #[test]
    fn a_charset_raises_charsets_of_its_language() {
        let prior = Prior::new([Some(charset("iso-8859-2")), None], Origin::UNKNOWN);
        assert!(raised(&prior, "iso-8859-2") > raised(&prior, "windows-1250"));
        assert!(raised(&prior, "windows-1250") > 0);
        assert_eq!(raised(&prior, "ibm852"), 0);
        assert_eq!(raised(&prior, "koi8-r"), 0);
        // A charset that is not scored raises the charsets of its language.
        let prior = Prior::new([None, Some(charset("iso-2022-jp"))], Origin::UNKNOWN);
        assert_eq!(raised(&prior, "euc-jp"), raised(&prior, "shift_jis"));
        assert!(raised(&prior, "euc-jp") > 0);
        assert!(!is_weighed(charset("iso-2022-jp")) && is_weighed(charset("gb2312")));
    }

    /// Repeated evidence counts once, and evidence for many languages is weak for each.
    #[test]
    fn raises_are_bounded() {
        let korean = Languages::of_tags(["ko"].into_iter());
        let many = Languages::of_tags(["ko", "ja", "ru", "el", "th", "he", "ar", "vi"].into_iter());
        let origin = |language| Origin {
            language,
            domain: korean,
            program: Some(Program::ForLanguages(korean)),
        };
        let once = Prior::new([Some(charset("euc-kr")), None], Origin::UNKNOWN);
        let often = Prior::new([Some(charset("euc-kr")); 2], origin(korean));
        assert_eq!(raised(&once, "euc-kr"), raised(&often, "euc-kr"));
        let of_many = Prior::new([None, None], origin(many));
        assert!(raised(&of_many, "windows-874") < raised(&of_many, "euc-kr"));
    }
}
