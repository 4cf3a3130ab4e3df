"""Counts the frequency tables of `src/detect/likelihood/tables` from the texts of `train`.

The first line of a letter table has the alphabet of a language: lower-case letters and the signs among
them, with a leading space for everything else. A row for each of them follows: the cost of each next
character in quarters of a bit, as the character with that number plus 33 (`!` is 0, `"` is 1).

Each line of a character table begins with the cost of its characters in bits.
"""

import math
import os
import re
import unicodedata
from collections import Counter, defaultdict

import texts

HERE = os.path.dirname(os.path.abspath(__file__))
OUT = os.path.join(HERE, "..", "..", "src", "detect", "likelihood", "tables")

# Languages with the same letters share a table.
TABLES = {
    "ar": ["ar"], "be": ["be"], "bg": ["bg"], "ca": ["ca"], "cs": ["cs"], "cy": ["cy"],
    "da": ["da", "nb"], "de": ["de"], "el": ["el"], "en": ["en"], "eo": ["eo"],
    "es": ["es", "gl"], "et": ["et"], "fa": ["fa"], "fi": ["fi"], "fr": ["fr"], "ga": ["ga"],
    "he": ["he"], "hr": ["hr", "sl"], "hu": ["hu"], "is": ["is"], "it": ["it"],
    "lt": ["lt"], "lv": ["lv"], "mk": ["mk"], "nl": ["nl"], "pl": ["pl"], "pt": ["pt"],
    "ro": ["ro"], "ru": ["ru"], "sk": ["sk"], "sq": ["sq"], "sr": ["sr"], "sv": ["sv"],
    "th": ["th"], "tr": ["tr"], "uk": ["uk"], "vi": ["vi"],
}
CHARACTERS = {"ja": "ja", "ko": "ko", "zh-Hans": "zh-Hans", "zh-Hant": "zh-Hant"}
SCRIPTS = {
    "ar": "ARABIC", "fa": "ARABIC", "be": "CYRILLIC", "bg": "CYRILLIC", "mk": "CYRILLIC",
    "ru": "CYRILLIC", "sr": "CYRILLIC", "uk": "CYRILLIC", "el": "GREEK", "he": "HEBREW",
    "th": "THAI",
}
QUOTED = {
    "cs": r"„\1“", "de": r"„\1“", "et": r"„\1“", "fi": r"”\1”", "fr": "«\u00a0\\1\u00a0»",
    "hr": r"„\1“", "hu": r"„\1”", "is": r"„\1“", "lt": r"„\1“", "pl": r"„\1”",
    "ro": r"„\1”", "sk": r"„\1“", "sq": r"«\1»", "sv": r"”\1”",
}
TONES = "\u0300\u0301\u0303\u0309\u0323"
# The weight of the frequency after any letter, in occurrences.
STRENGTH = 10
LISTED = 1000
# The share of characters in mail that are in names. The texts have hardly any names.
NAMES = 0.03


def folded(text, language):
    text = text.replace("İ", "i").lower()
    if language == "vi":
        # Separate tone marks, as in windows-1258.
        pieces = []
        for character in text:
            marks = unicodedata.normalize("NFD", character)
            tone = "".join(mark for mark in marks if mark in TONES)
            rest = unicodedata.normalize("NFC", "".join(m for m in marks if m not in TONES))
            pieces.append(rest + tone)
        text = "".join(pieces)
    if language == "fa":
        # windows-1256 has only the Arabic yeh.
        text = text + "\n" + text.replace("ی", "ي")
    if SCRIPTS.get(language) is None:
        # Replacements by word processors for typed apostrophes and quotation marks.
        printed = re.sub(r"(?<=\w)'", "’", text)
        printed = re.sub(r'"([^"]*)"', QUOTED.get(language, r"“\1”"), printed)
        if printed != text:
            text = text + "\n" + printed
    if language == "ro":
        # The charsets used in mail have only the letters with a cedilla, except ISO-8859-16.
        text = text + "\n" + text.replace("ș", "ş").replace("ț", "ţ")
    return text


def own(character, script):
    """Whether this character may be in the alphabet of a language of this script."""
    if character == " " or character.isascii() and not character.isalpha():
        return False
    category = unicodedata.category(character)
    if category[0] == "L" or category == "Mn":
        name = unicodedata.name(character, "")
        return name.startswith(script) or category == "Mn" and (script != "LATIN" or character in TONES)
    return category[0] in "PS" or character == "\u00a0"


def letter_table(name, languages, loaded):
    script = SCRIPTS.get(name, "LATIN")
    counts, pairs = Counter(), defaultdict(Counter)
    for language in languages:
        for text in loaded[language]:
            for line in folded(text, name).split("\n"):
                counts.update(character for character in line if own(character, script))
    total = sum(counts.values())
    alphabet = {c for c, n in counts.items() if n >= total * (1e-4 if c.isalpha() else 2e-4)}
    if script == "LATIN":
        alphabet |= set("abcdefghijklmnopqrstuvwxyz")
    alphabet = [" "] + sorted(alphabet)
    known = set(alphabet)
    for language in languages:
        for text in loaded[language]:
            for line in folded(text, name).split("\n"):
                before = " "
                for character in line + " ":
                    character = character if character in known else " "
                    if before != " " or character != " ":
                        pairs[before][character] += 1
                    before = character
    # For rare pairs, estimate from the letter's frequency after any letter.
    after = Counter()
    for row in pairs.values():
        after.update(row)
    whole_after = sum(after.values())
    rows = []
    for before in alphabet:
        row = pairs[before]
        whole = sum(row.values())
        costs = []
        for character in alphabet:
            expected = (after[character] + 0.5) / (whole_after + 0.5 * len(alphabet))
            bits = -math.log2((row[character] + STRENGTH * expected) / (whole + STRENGTH))
            costs.append(chr(33 + min(round(4 * bits), 60)))
        rows.append("".join(costs))
    return "".join(alphabet) + "\n" + "\n".join(rows) + "\n"


def of_names(language):
    """The share of each character among the characters of names (names.txt)."""
    counts = Counter()
    with open(os.path.join(os.path.dirname(__file__), "names.txt")) as lines:
        for line in lines:
            of, kind, *names = line.split()
            if of != language:
                continue
            # The shares of family names fall with their rank.
            weights = [1 / (rank + 6) if kind == "family" else 1 for rank, _ in enumerate(names)]
            for name, weight in zip(names, weights, strict=True):
                for character in name:
                    counts[character] += weight / sum(weights)
    return Counter({character: count / counts.total() for character, count in counts.items()})


def character_table(loaded, language):
    counts = Counter(
        character for text in loaded for character in text
        if ord(character) > 0x2000 and unicodedata.category(character)[0] in "LPSNZ"
    )
    total, names = sum(counts.values()), of_names(language)
    lines = defaultdict(list)
    for character in sorted({character for character, _ in counts.most_common(LISTED)} | names.keys()):
        share = (1 - NAMES) * counts[character] / total + NAMES * names[character]
        lines[round(-math.log2(share))].append(character)
    return "".join(f"{bits} {''.join(found)}\n" for bits, found in sorted(lines.items()))


if __name__ == "__main__":
    loaded = texts.load(wanted=("train",))["train"]
    for folder in ("letters", "characters"):
        os.makedirs(os.path.join(OUT, folder), exist_ok=True)
    size = 0
    for name, languages in TABLES.items():
        table = letter_table(name, languages, loaded)
        size += len(table.encode())
        print(name, len(table.split("\n")[0]), table.split("\n")[0])
        with open(os.path.join(OUT, "letters", name + ".txt"), "w") as file:
            file.write(table)
    for name, language in CHARACTERS.items():
        table = character_table(loaded[language], name)
        size += len(table.encode())
        print(name, table[:100].replace("\n", " | "))
        with open(os.path.join(OUT, "characters", name + ".txt"), "w") as file:
            file.write(table)
    print(size, "octets")
