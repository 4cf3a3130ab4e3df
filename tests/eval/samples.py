"""Cuts samples from the texts: each language in each charset used for it in mail."""

import hashlib
import subprocess
import unicodedata

import texts

LENGTHS = (20, 60, 300)

# ISO-8859-1, GB2312, KS_C_5601-1987 and TIS-620 are subsets of windows-1252, GBK, EUC-KR and
# windows-874, so their samples would be the same.
WESTERN = ["windows-1252", "ISO-8859-15", "macintosh", "IBM850", "IBM437"]
CENTRAL = ["windows-1250", "ISO-8859-2", "IBM852", "x-mac-ce"]
BALTIC = ["windows-1257", "ISO-8859-13", "ISO-8859-4", "IBM775"]
CYRILLIC = ["windows-1251", "ISO-8859-5", "IBM855", "x-mac-cyrillic"]
WIDE = ["UTF-16LE", "UTF-16BE", "UTF-32LE", "UTF-32BE"]

CHARSETS = {
    "ar": ["windows-1256", "ISO-8859-6"] + WIDE,
    "be": CYRILLIC,
    "bg": CYRILLIC + ["KOI8-R", "IBM866"],
    "ca": WESTERN, "cs": CENTRAL + ["UTF-8"], "cy": ["ISO-8859-14"],
    "da": WESTERN, "de": WESTERN + ["UTF-8"] + WIDE,
    "el": ["windows-1253", "ISO-8859-7", "IBM737", "x-mac-greek", "UTF-8"] + WIDE,
    "en": WESTERN[:3], "eo": ["ISO-8859-3"], "es": WESTERN, "et": ["windows-1252", "windows-1257", "ISO-8859-15", "ISO-8859-4"],
    "fa": ["windows-1256"], "fi": WESTERN, "fr": WESTERN + ["UTF-8"], "ga": WESTERN, "gl": WESTERN,
    "he": ["windows-1255", "ISO-8859-8", "IBM862", "UTF-8"],
    "hr": CENTRAL, "hu": CENTRAL, "is": WESTERN[:4], "it": WESTERN,
    "ja": ["Shift_JIS", "EUC-JP", "ISO-2022-JP", "UTF-8"] + WIDE,
    "ko": ["EUC-KR", "JOHAB", "ISO-2022-KR", "UTF-8"] + WIDE,
    "lt": BALTIC, "lv": BALTIC, "mk": CYRILLIC, "nb": WESTERN, "nl": WESTERN,
    "pl": CENTRAL, "pt": WESTERN, "ro": ["windows-1250", "ISO-8859-2", "IBM852", "ISO-8859-16"],
    "ru": CYRILLIC + ["KOI8-R", "KOI8-U", "IBM866", "UTF-8"] + WIDE,
    "sk": CENTRAL, "sl": CENTRAL, "sq": WESTERN, "sr": CYRILLIC, "sv": WESTERN,
    "th": ["windows-874"] + WIDE[:2],
    "tr": ["windows-1254", "ISO-8859-9", "ISO-8859-3", "IBM857", "x-mac-turkish"],
    "uk": CYRILLIC + ["KOI8-U"], "vi": ["windows-1258", "VISCII", "TCVN"],
    "zh-Hans": ["GBK", "GB18030", "HZ-GB-2312", "ISO-2022-CN", "UTF-8"] + WIDE,
    "zh-Hant": ["Big5", "EUC-TW", "UTF-8"] + WIDE[:2],
}

# Languages without a table, to check that detection is not worse for them: their texts match none
# of our tables.
STRANGERS = {
    "af": WESTERN, "an": WESTERN, "ast": WESTERN, "br": WESTERN, "csb": CENTRAL, "eu": WESTERN,
    "fo": WESTERN, "fur": WESTERN, "fy": WESTERN, "li": WESTERN, "nds": WESTERN, "oc": WESTERN,
    "wa": WESTERN,
}

# Python's name of a charset; the others are encoded by iconv.
PYTHON = {
    "macintosh": "mac_roman", "IBM850": "cp850", "IBM437": "cp437", "x-mac-ce": "mac_latin2",
    "IBM852": "cp852", "IBM775": "cp775", "IBM855": "cp855", "x-mac-cyrillic": "mac_cyrillic",
    "IBM737": "cp737", "x-mac-greek": "mac_greek", "IBM862": "cp862", "IBM866": "cp866",
    "IBM857": "cp857", "x-mac-turkish": "mac_turkish", "windows-874": "cp874",
    "Shift_JIS": "cp932", "EUC-KR": "cp949", "JOHAB": "johab", "Big5": "cp950",
    "HZ-GB-2312": "hz", "ISO-2022-KR": "iso2022_kr", "ISO-2022-JP": "iso2022_jp",
}
ICONV = {"VISCII", "TCVN", "EUC-TW", "ISO-2022-CN"}

# Replacements that mail programs use if a charset lacks a typographic character.
PLAIN = str.maketrans({
    "‘": "'", "’": "'", "‚": "'", "“": '"', "”": '"', "„": '"', "‟": '"', "«": '"', "»": '"',
    "–": "-", "—": "-", "−": "-", "‑": "-", "‐": "-", "…": "...", "•": "*", "·": "*",
    "\u00a0": " ", "\u202f": " ", "\u2009": " ", "→": "->", "©": "(c)", "®": "(R)", "™": "(TM)",
    "\u200b": "", "\u200e": "", "\u200f": "", "\u00ad": "", "\u2026": "...", "\u200c": "",
})
TONES = "\u0300\u0301\u0303\u0309\u0323"


def encode(text, charset):
    """The octets of a text, or None if the charset cannot encode it."""
    if charset == "windows-1258":
        text = "".join(
            unicodedata.normalize("NFC", "".join(m for m in unicodedata.normalize("NFD", c) if m not in TONES))
            + "".join(m for m in unicodedata.normalize("NFD", c) if m in TONES)
            for c in text
        )
    if charset == "windows-1256":
        text = text.translate({0x6CC: 0x64A})
    if charset in ("windows-1250", "ISO-8859-2", "IBM852"):
        text = text.translate({0x218: 0x15E, 0x219: 0x15F, 0x21A: 0x162, 0x21B: 0x163})
    for form in (text, text.translate(PLAIN)):
        if charset in ICONV:
            done = subprocess.run(
                ["iconv", "-f", "UTF-8", "-t", charset], input=form.encode(), capture_output=True, check=False
            )
            if done.returncode == 0:
                return done.stdout
            continue
        try:
            return form.encode(PYTHON.get(charset, charset))
        except UnicodeEncodeError:
            pass
    return None


def telling(text, charset):
    """Whether there is anything to detect."""
    return charset in WIDE or not text.isascii()


def window(text, length):
    """The text from a word near its first non-ASCII character."""
    first = next((at for at, c in enumerate(text) if not c.isascii()), 0)
    start = 0
    if first > length // 2:
        start = text.rfind(" ", 0, max(0, first - length // 4)) + 1
    return text[start:start + length]


def sample(text, charset, length):
    """At most `length` octets of complete characters, and their text."""
    text = window(text, length)
    if not telling(text, charset):
        return None
    octets = encode(text, charset)
    if octets is None or len(octets) < length * 3 // 4:
        return None
    # A stateful charset must return to ASCII at the end, so each length is encoded separately.
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if len(encode(text[:middle], charset) or b"x" * 9999) <= length:
            low = middle
        else:
            high = middle - 1
    text = text[:low]
    if charset == "windows-1258" or not telling(text, charset) or texts.letters(text) < 3:
        if charset != "windows-1258" or not telling(text, charset):
            return None
    return encode(text, charset)


def samples(part, count):
    """For each language, charset and length, up to `count` samples of a part."""
    loaded = texts.load(wanted=(part,))[part]
    for language, charsets in (CHARSETS | STRANGERS).items():
        order = sorted(
            (text for text in loaded[language] if not text.isascii()),
            key=lambda text: hashlib.sha256(text.encode()).digest(),
        )
        for length in LENGTHS:
            # Messages are short: join several, as lines, to reach the length.
            joined, run = [], ""
            for text in order:
                run = f"{run}\n{text}" if run else text
                if len(run.encode("utf-16-le")) // 2 >= length:
                    joined.append(run)
                    run = ""
                if len(joined) >= 6 * count:
                    break
            for charset in charsets:
                found = 0
                for text in joined:
                    octets = sample(text, charset, length)
                    if octets:
                        yield language, charset, length, octets
                        found += 1
                        if found >= count:
                            break


if __name__ == "__main__":
    import sys

    for language, charset, length, octets in samples(sys.argv[1], int(sys.argv[2])):
        print(language, charset, length, octets.hex(), sep="\t")
