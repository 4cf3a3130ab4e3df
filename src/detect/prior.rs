//! How much likelier what stands around octets makes each charset.
//!
//! In mail a charset is as rare as `candidates.rs` says. Beside a part in KOI8-R, or in mail from
//! Korea, it is not: whoever writes Russian in one part writes it in the other. All figures are
//! quarters of a bit, as those of the weighing are, and no more than a text of a few words makes up
//! for. None was counted, since nobody has the mail to count them in; each is the odds that seem
//! right.

use std::sync::OnceLock;

use super::candidates::COUNT;
use super::guess::FIRM;
use super::rivals::rivals;
use crate::charset::{Charset, Languages, Origin};

/// A charset of the language that another part, or the words of the header, are in: 5 bits. Of 33
/// parts beside such a one, one is in a language that nothing tells of: a quotation, a list's footer.
const SAME_LANGUAGE: i16 = 20;

/// The same for Western languages: 3 bits. Many programs write ISO-8859-1 on whatever they send.
const WESTERN_LANGUAGE: i16 = 12;

/// A charset of the language that Content-Language names: 4 bits. Of 17 fields one was set by a
/// program for all mail, and not for this one.
const NAMED_LANGUAGE: i16 = 16;

/// A charset of the language of the sender's country: 4 bits. Of 17 such mails one that is not all
/// ASCII is in another language; what people write to foreigners is mostly ASCII.
const LANGUAGE_OF_COUNTRY: i16 = 16;

/// What the program makes likelier: 3 bits. Of mail by programs of a language one in nine is in
/// another. Charsets of one platform are in its mail alone: where one mail in eight comes from it,
/// they are eight times as frequent there.
const OF_PROGRAM: i16 = 12;

/// What is taken off for each doubling of the languages that are named: as much says half as much
/// of each.
const EACH_DOUBLING: i16 = 4;

/// How much likelier each charset is than it is in all mail, in quarters of a bit; nothing where
/// nothing is known.
///
/// What says the same twice says it once: a Korean writes Korean in each part, names it, and sends
/// from Korea. So the strongest of all that speaks for a charset counts, and the others do not.
#[derive(Debug, Clone)]
pub(crate) struct Prior {
    /// In the order of the rivals.
    likelier: [i16; COUNT],
}

impl Prior {
    /// Nothing is known.
    pub(crate) const NONE: Prior = Prior {
        likelier: [0; COUNT],
    };

    /// What the charsets of other parts or fields say, and where the mail comes from.
    ///
    /// The charset itself is named: that it is rare in other mail does not count. Others that mail
    /// in its language is in may be it too, but for those that hardly any mail was in: nobody
    /// writes one of these beside another charset.
    pub(crate) fn new(charsets: [Option<Charset>; 2], origin: Origin) -> Prior {
        let mut prior = Prior::NONE;
        let is_known = charsets.iter().any(Option::is_some);
        if !is_known && origin == Origin::UNKNOWN {
            return prior;
        }
        let charsets = charsets.map(|charset| charset.map(|it| (weighed_as(it), it.languages())));
        let of_language = most_of(NAMED_LANGUAGE, origin.language.count());
        let of_domain = most_of(LANGUAGE_OF_COUNTRY, origin.domain.count());
        let rivals = rivals().iter().zip(languages());
        for ((rival, &languages), likelier) in rivals.zip(&mut prior.likelier) {
            let mut raise = |to: i16| *likelier = to.max(*likelier);
            for (charset, others) in charsets.into_iter().flatten() {
                let same_language = if others == Charset::WINDOWS_1252.languages() {
                    WESTERN_LANGUAGE
                } else {
                    SAME_LANGUAGE
                };
                if charset == rival.charset {
                    let rarity = i16::try_from(rival.rarity).unwrap_or_default();
                    raise(same_language + rarity);
                } else if !rival.is_rare && languages.meet(others) {
                    raise(same_language);
                }
            }
            if languages.meet(origin.language) {
                raise(of_language);
            }
            if languages.meet(origin.domain) {
                raise(of_domain);
            }
            if origin.program.is_some_and(|it| it.writes(rival.charset)) {
                raise(OF_PROGRAM);
            }
        }
        prior
    }

    /// The same where a label names this charset that nothing bears out: a text is in another only
    /// where it is ahead by as much as makes a guess firm.
    pub(crate) fn labelled(mut self, label: Charset) -> Prior {
        let label = weighed_as(label);
        let rivals = rivals().iter().zip(&mut self.likelier);
        for (_, likelier) in rivals.filter(|(rival, _)| rival.charset == label) {
            *likelier = likelier.saturating_add(FIRM);
        }
        self
    }

    /// How much likelier the charset in that place among the rivals is.
    pub(super) fn of(&self, place: usize) -> i32 {
        self.likelier.get(place).copied().map_or(0, i32::from)
    }
}

/// The languages of each rival.
fn languages() -> &'static [Languages] {
    static LANGUAGES: OnceLock<Vec<Languages>> = OnceLock::new();
    LANGUAGES.get_or_init(|| rivals().iter().map(|it| it.charset.languages()).collect())
}

/// What each of so many languages is raised by.
fn most_of(one: i16, count: u32) -> i16 {
    let doublings = count.max(1).ilog2();
    let less = EACH_DOUBLING.saturating_mul(i16::try_from(doublings).unwrap_or(i16::MAX));
    one.saturating_sub(less).max(0)
}

/// Whether a charset, or one that reads all of its text alike, is weighed with the others.
pub(crate) fn is_weighed(charset: Charset) -> bool {
    let charset = weighed_as(charset);
    rivals().iter().any(|rival| rival.charset == charset)
}

/// The one among the rivals that text in a charset is found in: a superset of what it is in
/// practice, or that itself.
fn weighed_as(charset: Charset) -> Charset {
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
    fn a_charset_raises_those_of_its_language() {
        let prior = Prior::new([Some(charset("iso-8859-2")), None], Origin::UNKNOWN);
        assert!(raised(&prior, "iso-8859-2") > raised(&prior, "windows-1250"));
        assert!(raised(&prior, "windows-1250") > 0);
        assert_eq!(raised(&prior, "ibm852"), 0);
        assert_eq!(raised(&prior, "koi8-r"), 0);
        // None of the charsets that are weighed, but one in a language that they are in.
        let prior = Prior::new([None, Some(charset("iso-2022-jp"))], Origin::UNKNOWN);
        assert_eq!(raised(&prior, "euc-jp"), raised(&prior, "shift_jis"));
        assert!(raised(&prior, "euc-jp") > 0);
        assert!(!is_weighed(charset("iso-2022-jp")) && is_weighed(charset("gb2312")));
    }

    /// What is said twice counts once, and what is said of many is little of each.
    #[test]
    fn no_raise_is_larger_than_the_largest() {
        let korean = Languages::of_tags(["ko"].into_iter());
        let many = Languages::of_tags(["ko", "ja", "ru", "el", "th", "he", "ar", "vi"].into_iter());
        let origin = |language| Origin {
            language,
            domain: korean,
            program: Some(Program::Of(korean)),
        };
        let once = Prior::new([Some(charset("euc-kr")), None], Origin::UNKNOWN);
        let often = Prior::new([Some(charset("euc-kr")); 2], origin(korean));
        assert_eq!(raised(&once, "euc-kr"), raised(&often, "euc-kr"));
        let of_many = Prior::new([None, None], origin(many));
        assert!(raised(&of_many, "windows-874") < raised(&of_many, "euc-kr"));
    }
}
