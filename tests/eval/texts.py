"""The texts of the evaluation, divided into parts for training, tuning and measuring.

A text is a paragraph of a guide or a manual page, a fortune, or one translated message.
Every file belongs to one of three parts by the hash of its name. So nobody chose, and all
translations of a document are in the same part:

    train    six of ten   counted into the frequency tables
    tune     two of ten   weights and the confidence curve
    measure  two of ten   the figures of the README, and nothing else

A text of `tune` that is also in `train`, and a text of `measure` that is also in either, is left
out: catalogues share strings such as "Cancel".
"""

import gzip
import hashlib
import html
import os
import re
import struct
import sys
import unicodedata
from collections import defaultdict

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "work", "root", "usr")

# A text in several parts counts only for the first of them.
PARTS = ("train", "tune", "measure")

# The language for each locale.
LANGUAGES = {
    "ar": "ar", "be": "be", "bg": "bg", "bs": "hr", "ca": "ca", "cs": "cs", "cy": "cy",
    "da": "da", "de": "de", "el": "el", "en": "en", "eo": "eo", "es": "es", "et": "et", "eu": "eu",
    "fa": "fa", "fi": "fi", "fr": "fr", "ga": "ga", "gl": "gl", "he": "he", "hr": "hr",
    "hu": "hu", "is": "is", "it": "it", "ja": "ja", "ko": "ko", "lt": "lt", "lv": "lv",
    "mk": "mk", "mt": "mt", "nb": "nb", "no": "nb", "nl": "nl", "nn": "nb", "pl": "pl", "pt": "pt",
    "pt_BR": "pt", "pt_PT": "pt", "pt-br": "pt", "ro": "ro", "ru": "ru", "sk": "sk",
    "sl": "sl", "sq": "sq", "sr": "sr", "sv": "sv", "th": "th", "tr": "tr", "uk": "uk",
    "vi": "vi", "zh_CN": "zh-Hans", "zh_TW": "zh-Hant", "zh-cn": "zh-Hans",
    "zh-tw": "zh-Hant", "zh_HK": "zh-Hant",
    # English guides with typographic characters. They are used for sparse text only, so that the
    # tables and the running text stay the same.
    "C": "en-guides", "en_GB": "en-guides",
    # Languages without a table.
    "af": "af", "an": "an", "ast": "ast", "br": "br", "csb": "csb", "fo": "fo", "fur": "fur",
    "fy": "fy", "li": "li", "nds": "nds", "oc": "oc", "wa": "wa",
}

FORTUNES = {
    "bg": "bg", "brasil": "pt", "cs": "cs", "de": "de", "es": "es", "eo": "eo", "ga": "ga",
    "it": "it", "pl": "pl", "ru": "ru", "tang300": "zh-Hans", "song100": "zh-Hans",
}


def part_of(name):
    """The part that contains the file of this name."""
    digit = hashlib.sha256(name.encode()).digest()[0] % 10
    return "train" if digit < 6 else "tune" if digit < 8 else "measure"


def catalogue(data, english=False):
    """The translations of a compiled message catalogue, or its English originals."""
    order = "<" if data[:4] == b"\xde\x12\x04\x95" else ">"
    count, originals, translations = struct.unpack(order + "8xIII", data[:20])
    texts, charset = [], "utf-8"
    for index in range(count):
        length, offset = struct.unpack_from(order + "II", data, translations + 8 * index)
        source_length, source_offset = struct.unpack_from(order + "II", data, originals + 8 * index)
        text = data[offset:offset + length]
        source = data[source_offset:source_offset + source_length]
        if not source:
            found = re.search(rb"charset=([\w-]+)", text)
            charset = found.group(1).decode() if found else charset
        elif text != source:
            texts += (source if english else text).split(b"\0")
    for text in texts:
        try:
            yield re.sub(r"[_&](?=\w)", "", text.decode(charset))
        except (UnicodeDecodeError, LookupError):
            pass


def manual(data):
    """The paragraphs of a manual page, without roff."""
    text = data.decode("utf-8", "ignore")
    text = re.sub(r"\\f(\(..|\[[^]]*\]|.)", "", text)
    text = re.sub(r"\\(\(..|\[[^]]*\]|\*.|s[+-]?\d)", "", text)
    text = text.replace("\\-", "-").replace("\\&", "").replace("\\ ", " ").replace("\\e", "\\")
    for block in re.split(r"\n(?:[.'][^\n]*\n)+|\n\s*\n", text):
        yield " ".join(line for line in block.splitlines() if line[:1] not in (".", "'"))


def markup(data):
    """The paragraphs of HTML or XML, without tags."""
    text = data.decode("utf-8", "ignore")
    text = re.sub(r"(?s)<(script|style|head)\b.*?</\1>|<!--.*?-->", "", text)
    text = re.sub(r"(?s)</?(p|div|li|h\d|title|td|th|dt|dd|tr|item|section|note|br|pre)\b[^>]*>", "\0", text)
    text = html.unescape(re.sub(r"(?s)<[^>]*>", "", text))
    return text.split("\0")


def fortunes(data):
    return data.decode("utf-8", "ignore").split("\n%\n")


def files():
    """Every file: its language, the name that determines its part, and its texts."""
    for folder, _, names in os.walk(ROOT):
        for name in names:
            path = os.path.join(folder, name)
            place = os.path.relpath(path, ROOT).split(os.sep)
            found = None
            if name.endswith(".mo"):
                locale = place[place.index("LC_MESSAGES") - 1] if "LC_MESSAGES" in place else ""
                found = locale, "catalogue/" + name, catalogue
            elif place[:2] == ["share", "man"] and len(place) == 5 and name.endswith(".gz"):
                found = place[2].split(".")[0], "manual/" + name, manual
            elif place[:2] == ["share", "help"]:
                found = place[2], "help/" + name, markup if name.endswith(".page") else None
            elif name.endswith(".html"):
                pieces = name.split(".")
                if "installation-guide-amd64" in place:
                    found = place[place.index("installation-guide-amd64") + 1].split(".")[0], "guide/" + name, markup
                elif len(pieces) == 3:
                    found = pieces[1], "book/" + pieces[0], markup
            elif "fortunes" in place and name.endswith(".u8"):
                key = place[-2] if place[-2] != "fortunes" else name.split(".")[0]
                found = "fortune-" + key, "fortune/" + name, fortunes
            if not found or found[2] is None:
                continue
            locale = found[0]
            if locale.startswith("fortune-"):
                language = FORTUNES.get(locale[8:])
            else:
                language = LANGUAGES.get(locale)
            if language and not os.path.islink(path):
                yield language, found[1], path, found[2]
                if language == "de" and found[2] is catalogue:
                    yield "en", found[1], path, lambda data: catalogue(data, english=True)


def letters(text):
    return sum(character.isalpha() for character in text)


def load(wanted=PARTS):
    """For each part, the texts of each language; for parts that are not wanted, only the texts that the
    others must leave out."""
    wanted = PARTS[:1 + max(map(PARTS.index, wanted))]
    texts = {part: defaultdict(dict) for part in PARTS}
    for language, name, path, reader in sorted(files(), key=lambda file: file[:3]):
        part = part_of(name)
        if part not in wanted:
            continue
        with (gzip.open if path.endswith(".gz") else open)(path, "rb") as file:
            data = file.read()
        for text in reader(data):
            text = unicodedata.normalize("NFC", " ".join(text.split()))
            # A text without a non-ASCII letter shows nothing about a charset.
            if letters(text) >= 4 and "\ufffd" not in text:
                texts[part][language].setdefault(text, name)
    for index, part in enumerate(PARTS):
        for language in texts[part]:
            known = [texts[before][language] for before in PARTS[:index]]
            texts[part][language] = {
                text: name
                for text, name in texts[part][language].items()
                if not any(text in others for others in known)
            }
    return texts


if __name__ == "__main__":
    loaded = load()
    for language in sorted(set(LANGUAGES.values())):
        row = [language]
        for part in loaded:
            found = [text for text in loaded[part][language] if not text.isascii()]
            row.append(f"{part} {len(found)} texts, {sum(map(len, found)) // 1000} k")
        print("\t".join(row))
