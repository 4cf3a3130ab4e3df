//! The usual charsets of a language's mail, and evidence of the language.
//!
//! Languages with the same charsets are one value here. Once the charsets are narrowed down, the
//! text itself shows its language. Tags are those of BCP 47 (RFC 5646). Countries are those of ISO
//! 3166-1, by their codes in domain names.

use super::value::Charset;

/// A set of languages, grouped by their charsets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Languages(u16);

const NAMES: [&str; 14] = [
    "Western",
    "Central European",
    "Cyrillic",
    "Greek",
    "Turkish",
    "Hebrew",
    "Arabic",
    "Baltic",
    "Vietnamese",
    "Thai",
    "Japanese",
    "Korean",
    "simplified Chinese",
    "traditional Chinese",
];

const WESTERN: Languages = Languages(1);
const CENTRAL: Languages = Languages(1 << 1);
const CYRILLIC: Languages = Languages(1 << 2);
const GREEK: Languages = Languages(1 << 3);
const TURKISH: Languages = Languages(1 << 4);
const HEBREW: Languages = Languages(1 << 5);
const ARABIC: Languages = Languages(1 << 6);
const BALTIC: Languages = Languages(1 << 7);
const VIETNAMESE: Languages = Languages(1 << 8);
const THAI: Languages = Languages(1 << 9);
const JAPANESE: Languages = Languages(1 << 10);
const KOREAN: Languages = Languages(1 << 11);
const SIMPLIFIED: Languages = Languages(1 << 12);
const TRADITIONAL: Languages = Languages(1 << 13);

impl Languages {
    const NONE: Languages = Languages(0);

    pub(crate) const fn is_empty(self) -> bool {
        self.0 == 0
    }

    const fn and(self, other: Languages) -> Languages {
        Languages(self.0 | other.0)
    }

    /// Whether the two sets intersect.
    pub(crate) const fn intersects(self, other: Languages) -> bool {
        self.0 & other.0 != 0
    }

    /// The number of languages in the set.
    pub(crate) const fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// The languages of these tags (RFC 5646). Uninformative tags give none: most programs write `en`
    /// by default, and English has no charset of its own.
    pub(crate) fn of_tags<'t>(tags: impl Iterator<Item = &'t str>) -> Languages {
        tags.map(Self::of_tag).fold(Languages::NONE, Languages::and)
    }

    fn of_tag(tag: &str) -> Languages {
        let mut subtags = tag.split('-');
        let language = subtags.next().unwrap_or_default();
        match &*language.to_ascii_lowercase() {
            "zh" | "yue" | "hak" | "nan" => {
                let mut scripts =
                    subtags.filter_map(|subtag| match &*subtag.to_ascii_lowercase() {
                        "hans" | "cn" | "sg" | "chs" => Some(SIMPLIFIED),
                        "hant" | "tw" | "hk" | "mo" | "cht" => Some(TRADITIONAL),
                        _ => None,
                    });
                scripts.next().unwrap_or(SIMPLIFIED.and(TRADITIONAL))
            }
            "ko" => KOREAN,
            "ja" => JAPANESE,
            "ru" | "uk" | "bg" | "be" | "mk" | "kk" | "ky" | "tg" | "mn" => CYRILLIC,
            // Written in two scripts.
            "sr" | "sh" | "cnr" => CYRILLIC.and(CENTRAL),
            "pl" | "cs" | "sk" | "hu" | "ro" | "hr" | "sl" | "bs" => CENTRAL,
            "el" => GREEK,
            "tr" | "az" => TURKISH,
            "he" | "iw" | "yi" => HEBREW,
            "ar" | "fa" | "ur" | "ps" => ARABIC,
            "lt" | "lv" => BALTIC,
            // Windows-1252 and windows-1257 both have its letters.
            "et" => BALTIC.and(WESTERN),
            "sq" => CENTRAL.and(WESTERN),
            "vi" => VIETNAMESE,
            "th" => THAI,
            "de" | "fr" | "es" | "it" | "pt" | "nl" | "da" | "sv" | "fi" | "no" | "nb" | "nn"
            | "is" | "fo" | "ca" | "gl" | "eu" | "ga" | "af" | "lb" => WESTERN,
            _ => Languages::NONE,
        }
    }

    /// The languages of a domain's country, from its last label. None if the label is not that of a
    /// country, or if the country has many languages or uses English.
    pub(crate) fn of_domain(domain: &[u8]) -> Languages {
        /// The longest label of a country is the Russian Federation's in Punycode.
        const LONGEST: usize = 8;
        let domain = domain.strip_suffix(b".").unwrap_or(domain);
        let label = domain.rsplit(|&octet| octet == b'.').next();
        let label = label.filter(|label| label.len() <= LONGEST && label.len() < domain.len());
        match &*label.unwrap_or_default().to_ascii_lowercase() {
            b"kr" | b"kp" => KOREAN,
            b"jp" => JAPANESE,
            b"cn" => SIMPLIFIED,
            b"tw" | b"hk" | b"mo" => TRADITIONAL,
            b"ru" | b"su" | b"xn--p1ai" | b"ua" | b"by" | b"bg" | b"mk" | b"kz" | b"kg" => CYRILLIC,
            b"rs" | b"yu" | b"ba" | b"me" => CYRILLIC.and(CENTRAL),
            b"gr" | b"cy" => GREEK,
            b"tr" => TURKISH,
            b"il" => HEBREW,
            b"sa" | b"eg" | b"ae" | b"jo" | b"kw" | b"lb" | b"sy" | b"iq" | b"ye" | b"om"
            | b"qa" | b"bh" | b"ly" | b"sd" | b"ps" | b"ir" => ARABIC,
            b"th" => THAI,
            b"vn" => VIETNAMESE,
            b"pl" | b"cz" | b"sk" | b"hu" | b"ro" | b"md" | b"hr" | b"si" => CENTRAL,
            b"lt" | b"lv" => BALTIC,
            b"ee" => BALTIC.and(WESTERN),
            b"de" | b"at" | b"fr" | b"it" | b"es" | b"pt" | b"nl" | b"dk" | b"se" | b"fi"
            | b"no" | b"is" | b"br" | b"mx" | b"ar" | b"cl" => WESTERN,
            _ => Languages::NONE,
        }
    }

    /// The names of the languages, for findings.
    pub(crate) fn names(self) -> String {
        let names = NAMES.iter().enumerate();
        let names_in_set = names.filter(|(place, _)| self.0 >> place & 1 == 1);
        let names_in_set: Vec<&str> = names_in_set.map(|(_, name)| *name).collect();
        names_in_set.join(", ")
    }
}

impl Charset {
    /// The languages for which the charset was made. Empty if it was made for all languages, or for
    /// languages that are not listed here.
    pub(crate) fn languages(self) -> Languages {
        match self.name() {
            "windows-1252" | "ISO-8859-1" | "ISO-8859-15" | "macintosh" | "IBM850" | "IBM437"
            | "IBM858" | "hp-roman8" => WESTERN,
            "windows-1250" | "ISO-8859-2" | "ISO-8859-16" | "x-mac-ce" | "IBM852" => CENTRAL,
            "windows-1251" | "KOI8-R" | "KOI8-U" | "ISO-8859-5" | "IBM866" | "IBM855"
            | "x-mac-cyrillic" => CYRILLIC,
            "windows-1253" | "ISO-8859-7" | "x-mac-greek" | "IBM737" | "IBM869" => GREEK,
            "windows-1254" | "ISO-8859-9" | "x-mac-turkish" | "IBM857" => TURKISH,
            "windows-1255" | "ISO-8859-8" | "ISO-8859-8-I" | "ISO-8859-8-E" | "IBM862" => HEBREW,
            "windows-1256" | "ISO-8859-6" | "ISO-8859-6-I" | "ISO-8859-6-E" | "IBM864" => ARABIC,
            "windows-1257" | "ISO-8859-13" | "ISO-8859-4" | "IBM775" => BALTIC,
            "windows-1258" | "VISCII" | "TCVN" => VIETNAMESE,
            "windows-874" | "TIS-620" | "ISO-8859-11" => THAI,
            "Shift_JIS" | "Windows-31J" | "EUC-JP" | "ISO-2022-JP" | "ISO-2022-JP-2" => JAPANESE,
            "EUC-KR" | "KS_C_5601-1987" | "ISO-2022-KR" | "JOHAB" => KOREAN,
            "GB18030" | "GBK" | "GB2312" | "GB_2312-80" | "HZ-GB-2312" | "ISO-2022-CN" => {
                SIMPLIFIED
            }
            "Big5" | "Big5-HKSCS" | "EUC-TW" => TRADITIONAL,
            _ => Languages::NONE,
        }
    }
}

/// Programs whose unlabelled mail suggests a charset.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Program {
    /// Used by speakers of one language.
    ForLanguages(Languages),
    /// For the Macintosh, before its programs wrote Unicode.
    Macintosh,
    /// For DOS.
    Dos,
}

impl Program {
    /// The program in an X-Mailer or User-Agent field.
    ///
    /// Most are uninformative. The charsets of a platform occur only in mail from the platform, and
    /// are therefore less rare there. A program written in one language, and hardly used outside
    /// it, suggests that language.
    pub(crate) fn of(field: &[u8]) -> Option<Program> {
        /// The name is at the start, and a platform follows soon.
        const PREFIX: usize = 256;
        let field = field.get(..PREFIX).unwrap_or(field);
        let field = field.trim_ascii_start().to_ascii_lowercase();
        let has = |word: &[u8]| memchr::memmem::find(&field, word).is_some();
        // Made in Guangzhou.
        if field.starts_with(b"foxmail") {
            return Some(Program::ForLanguages(SIMPLIFIED));
        }
        // By RimArts and CREARHYTHM, sold in Japan.
        if field.starts_with(b"becky!") || field.starts_with(b"al-mail") {
            return Some(Program::ForLanguages(JAPANESE));
        }
        // Mozilla's programs name the system but have always labelled their text, and so have all
        // programs of Mac OS X.
        if has(b"mozilla") || has(b"thunderbird") || has(b"mac os x") {
            return None;
        }
        if has(b"macintosh") || has(b"macos ") || has(b"for mac") {
            return Some(Program::Macintosh);
        }
        let is_dos = has(b"ms-dos") || has(b"msdos") || has(b"ms/dos") || has(b"for dos");
        is_dos.then_some(Program::Dos)
    }

    /// The name of the evidence, for findings.
    pub(crate) fn name(self) -> String {
        match self {
            Program::ForLanguages(languages) => languages.names(),
            Program::Macintosh => "the Macintosh".into(),
            Program::Dos => "DOS".into(),
        }
    }

    /// Whether it makes a charset more likely.
    pub(crate) fn writes(self, charset: Charset) -> bool {
        match self {
            Program::ForLanguages(languages) => languages.intersects(charset.languages()),
            Program::Macintosh => {
                charset.name() == "macintosh" || charset.name().starts_with("x-mac-")
            }
            Program::Dos => charset.name().starts_with("IBM"),
        }
    }
}

/// The origin of mail, as evidence of its charset.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Origin {
    /// The languages in Content-Language (RFC 3282).
    pub(crate) language: Languages,
    /// The languages of the sender's country, from the domain.
    pub(crate) domain: Languages,
    pub(crate) program: Option<Program>,
}

impl Origin {
    pub(crate) const UNKNOWN: Origin = Origin {
        language: Languages::NONE,
        domain: Languages::NONE,
        program: None,
    };

    /// Each property of `self`, or of `other` if unknown.
    pub(crate) fn or(self, other: Origin) -> Origin {
        let either = |own: Languages, other| if own.is_empty() { other } else { own };
        Origin {
            language: either(self.language, other.language),
            domain: either(self.domain, other.domain),
            program: self.program.or(other.program),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{
        ARABIC, BALTIC, CENTRAL, CYRILLIC, Charset, GREEK, HEBREW, JAPANESE, KOREAN, Languages,
        NAMES, Program, SIMPLIFIED, THAI, TRADITIONAL, TURKISH, VIETNAMESE, WESTERN,
    };

    /// RFC 5646, section 2.1.1: tags are case-insensitive; section 2.2.3 and 2.2.4: the script and
    /// the region follow the language.
    #[test]
    fn tags_name_languages() {
        let of = |tags: &[&str]| Languages::of_tags(tags.iter().copied());
        for (tag, languages) in [
            ("ko", KOREAN),
            ("KO-kr", KOREAN),
            ("zh-Hant", TRADITIONAL),
            ("zh-Hant-CN", TRADITIONAL),
            ("zh-cn", SIMPLIFIED),
            ("zh", SIMPLIFIED.and(TRADITIONAL)),
            ("sr-Latn-RS", CYRILLIC.and(CENTRAL)),
            ("en-US", Languages::NONE),
            ("kok", Languages::NONE),
            ("", Languages::NONE),
        ] {
            assert_eq!(of(&[tag]), languages, "{tag}");
        }
        assert_eq!(of(&["ko", "en"]), KOREAN);
        assert_eq!(of(&["ko", "ja"]).count(), 2);
        assert_eq!(KOREAN.and(WESTERN).names(), "Western, Korean");
    }

    /// ISO 3166-1 by the last label of a domain (RFC 1591, section 2).
    #[test]
    fn domains_name_countries() {
        for (domain, languages) in [
            ("mail.example.co.kr", KOREAN),
            ("EXAMPLE.JP.", JAPANESE),
            ("example.com", Languages::NONE),
            ("example.uk", Languages::NONE),
            ("xn--e1afmkfd.xn--p1ai", CYRILLIC),
            // Not a country: a host of that name, an address literal, an empty label.
            ("kr", Languages::NONE),
            ("[192.0.2.1]", Languages::NONE),
            ("", Languages::NONE),
        ] {
            assert_eq!(
                Languages::of_domain(domain.as_bytes()),
                languages,
                "{domain}"
            );
        }
    }

    #[test]
    fn programs_are_recognized_by_their_fields() {
        for (field, program) in [
            (" Foxmail 4.1 [cn]", Some(Program::ForLanguages(SIMPLIFIED))),
            (
                " Becky! ver. 2.05.06",
                Some(Program::ForLanguages(JAPANESE)),
            ),
            (
                " AL-Mail32 Version 1.13",
                Some(Program::ForLanguages(JAPANESE)),
            ),
            (
                " Macintosh Eudora Pro Version 3.1",
                Some(Program::Macintosh),
            ),
            (
                " QUALCOMM MacOS Eudora Version 6.0",
                Some(Program::Macintosh),
            ),
            (" dMail [Demos Mail for DOS v1.23]", Some(Program::Dos)),
            (" Thunderbird 2.0.0.6 (Macintosh/20070728)", None),
            (" Mozilla/5.0 (Macintosh; U; PPC; en-US)", None),
            (" Microsoft Outlook Express 6.00", None),
            ("", None),
        ] {
            assert_eq!(Program::of(field.as_bytes()), program, "{field}");
        }
    }

    /// Every charset name in these rules is known.
    #[test]
    fn charsets_have_languages() {
        let groups = [
            (
                WESTERN,
                "ISO-8859-1 windows-1252 ISO-8859-15 macintosh IBM850 IBM437",
            ),
            (
                CENTRAL,
                "ISO-8859-2 windows-1250 ISO-8859-16 x-mac-ce IBM852",
            ),
            (
                CYRILLIC,
                "KOI8-R KOI8-U windows-1251 ISO-8859-5 IBM866 IBM855 x-mac-cyrillic",
            ),
            (GREEK, "ISO-8859-7 windows-1253 x-mac-greek IBM737"),
            (TURKISH, "ISO-8859-9 windows-1254 x-mac-turkish IBM857"),
            (HEBREW, "ISO-8859-8 ISO-8859-8-I windows-1255 IBM862"),
            (ARABIC, "ISO-8859-6 windows-1256"),
            (BALTIC, "ISO-8859-13 ISO-8859-4 windows-1257 IBM775"),
            (VIETNAMESE, "windows-1258 VISCII TCVN"),
            (THAI, "TIS-620 windows-874"),
            (
                JAPANESE,
                "Shift_JIS EUC-JP ISO-2022-JP ISO-2022-JP-2 Windows-31J",
            ),
            (KOREAN, "EUC-KR KS_C_5601-1987 ISO-2022-KR JOHAB"),
            (
                SIMPLIFIED,
                "GB18030 GBK GB2312 GB_2312-80 HZ-GB-2312 ISO-2022-CN",
            ),
            (TRADITIONAL, "Big5 Big5-HKSCS EUC-TW"),
        ];
        assert_eq!(groups.len(), NAMES.len());
        for (languages, labels) in groups {
            for label in labels.split(' ') {
                let charset = Charset::for_label(label).unwrap();
                assert_eq!(charset.languages(), languages, "{label}: {charset}");
            }
        }
        assert!(Charset::UTF_8.languages().is_empty());
    }
}
