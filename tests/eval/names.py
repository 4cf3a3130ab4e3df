"""Measures how many short East Asian names are detected, alone and without a label.

A name is a family name and a given name of the package Faker, drawn by their shares of people if Faker
has them. `names.txt`, which the tables of characters count as text, was written independently, but has
the most frequent family names too.
"""

import os
import random
import subprocess
from collections import Counter, defaultdict
from importlib import import_module

HERE = os.path.dirname(os.path.abspath(__file__))
OURS = os.path.join(HERE, "target", "release", "mime-charset-eval")
LOCALES = [
    ("zh_TW", ["Big5"]), ("zh_CN", ["GBK"]), ("ko_KR", ["EUC-KR"]), ("ja_JP", ["EUC-JP", "Shift_JIS"]),
]
COUNT = 1000


def names(locale):
    provider = import_module("faker.providers.person." + locale).Provider
    family, given = getattr(provider, "last_name_pairs", provider.last_names), provider.first_names
    # A Japanese name is a tuple of its spellings.
    family = {name if isinstance(name, str) else name[0]: share for name, share in family.items()}
    given = given if isinstance(given, dict) else dict.fromkeys(given, 1)
    draw, found = random.Random(7), set()
    while len(found) < COUNT:
        parts = (draw.choices(list(shares), list(shares.values()))[0] for shares in (family, given))
        found.add("".join(parts))
    return sorted(found)


def main():
    found = []
    for locale, charsets in LOCALES:
        for charset in charsets:
            for name in names(locale):
                try:
                    octets = name.encode("cp932" if charset == "Shift_JIS" else charset)
                except UnicodeEncodeError:
                    continue
                found.append((charset, octets))
    lines = "".join(f"{charset}\t{octets.hex()}\n" for charset, octets in found)
    out = subprocess.run([OURS], input=lines, capture_output=True, text=True, check=True).stdout
    counted, wrong = defaultdict(Counter), defaultdict(Counter)
    for (charset, _), line in zip(found, out.splitlines(), strict=True):
        guess, ours, _, _, chardetng = line.split("\t")
        counted[charset].update({"names": 1, "ours": ours == "1", "chardetng": chardetng == "1"})
        if ours != "1":
            wrong[charset][guess] += 1
    print("### Names\n")
    print("| charset | names | mime-charset | chardetng | wrong guesses |\n|---|--:|--:|--:|---|")
    for charset, count in counted.items():
        ours, chardetng = (100 * count[key] / count["names"] for key in ("ours", "chardetng"))
        guesses = ", ".join(f"{guess} {number}" for guess, number in wrong[charset].most_common())
        print(f"| {charset} | {count['names']} | {ours:.1f} | {chardetng:.1f} | {guesses} |")
    print()


if __name__ == "__main__":
    main()
