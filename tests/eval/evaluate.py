"""Measures the detectors on the texts of `measure` and prints the tables as Markdown."""

import os
import re
import subprocess
import sys
import tempfile
from collections import defaultdict
from concurrent.futures import ProcessPoolExecutor

import chardet
import charset_normalizer

import samples

HERE = os.path.dirname(os.path.abspath(__file__))
OURS = os.path.join(HERE, "target", "release", "mime-charset-eval")
DETECTORS = ["mime-charset", "chardetng", "uchardet", "chardet", "charset-normalizer"]

KNOWN_TO_CHARDETNG = {
    "Big5", "EUC-JP", "EUC-KR", "GB18030", "GBK", "IBM866", "ISO-2022-JP", "ISO-8859-13",
    "ISO-8859-2", "ISO-8859-4", "ISO-8859-5", "ISO-8859-6", "ISO-8859-7", "ISO-8859-8", "ISO-8859-9", "KOI8-R",
    "KOI8-U", "Shift_JIS", "UTF-8", "windows-1250", "windows-1251", "windows-1252", "windows-1253",
    "windows-1254", "windows-1255", "windows-1256", "windows-1257", "windows-1258", "windows-874",
}

# The letters that stand on the same octets in ISO-8859-16 as others in ISO-8859-2 and
# windows-1250.
CEDILLAS = str.maketrans("ȘșȚț", "ŞşŢţ")

# A guess is as good as the charset that practice reads under its name, and as the narrow one.
WIDER = {
    "ascii": "cp1252", "iso8859-1": "cp1252", "iso8859-9": "cp1254", "gb2312": "gb18030",
    "gbk": "gb18030", "shift_jis": "cp932", "euc_kr": "cp949", "big5": "cp950", "tis-620": "cp874",
    "iso8859-11": "cp874", "iso8859-8": "cp1255", "koi8-r": "koi8-u", "utf-8": "utf-8-sig",
}
ALIASES = {
    "MAC-CENTRALEUROPE": "mac_latin2", "MAC-CYRILLIC": "mac_cyrillic", "windows-874": "cp874",
    "x-mac-cyrillic": "mac_cyrillic", "ISO-8859-8-I": "iso8859-8", "KS_C_5601-1987": "cp949", "UHC": "cp949",
}


def decoded(octets, name):
    """What a detector's answer makes of the octets, in each way it may be taken."""
    if not name:
        return
    import codecs

    try:
        codec = codecs.lookup(ALIASES.get(name, name)).name
    except LookupError:
        done = subprocess.run(["iconv", "-f", name, "-t", "UTF-8"], input=octets, capture_output=True, check=False)
        if done.returncode == 0:
            yield done.stdout.decode()
        return
    for codec in (codec, WIDER.get(codec)):
        try:
            if codec:
                yield octets.decode(codec)
        except UnicodeDecodeError:
            pass


def peers(sample):
    """Whether chardet and charset-normalizer are right."""
    charset, octets = sample
    if charset in samples.ICONV:
        truth = subprocess.run(
            ["iconv", "-f", charset, "-t", "UTF-8"], input=octets, capture_output=True, check=True
        ).stdout.decode()
    else:
        truth = octets.decode(samples.PYTHON.get(charset, charset))
    best = charset_normalizer.from_bytes(octets).best()
    answers = chardet.detect(octets)["encoding"], best.encoding if best else None
    return truth, [truth in decoded(octets, answer) for answer in answers]


def uchardet(all_samples):
    """What the command answers, for a folder of files at a time."""
    answers = []
    with tempfile.TemporaryDirectory() as folder:
        for start in range(0, len(all_samples), 1000):
            paths = []
            for index, (_, octets) in enumerate(all_samples[start:start + 1000]):
                paths.append(os.path.join(folder, f"{index:04}"))
                with open(paths[-1], "wb") as file:
                    file.write(octets)
            out = subprocess.run(["uchardet", *paths], capture_output=True, text=True, check=True).stdout
            answers += [line.rsplit(": ", 1)[1] for line in out.splitlines()]
    return [None if answer == "unknown" else answer for answer in answers]


def percent(right, all_of_them):
    return f"{100 * right / all_of_them:.1f}"


def versions():
    lock = open(os.path.join(HERE, "Cargo.lock")).read()
    chardetng = re.search(r'name = "chardetng"\nversion = "([^"]+)"', lock).group(1)
    tool = subprocess.run(["uchardet", "--version"], capture_output=True, text=True, check=True).stdout
    tool = re.search(r"\d+\.\d+\.\d+", tool).group(0)
    return f"chardetng {chardetng}, uchardet {tool}, chardet {chardet.__version__}, charset-normalizer {charset_normalizer.__version__}"


def main():
    count = int(sys.argv[1])
    part = sys.argv[2] if len(sys.argv) > 2 else "measure"
    found = list(samples.samples(part, count))
    pairs = [(charset, octets) for _, charset, _, octets in found]
    lines = "".join(f"{charset}\t{octets.hex()}\n" for charset, octets in pairs)
    out = subprocess.run([OURS], input=lines, capture_output=True, text=True, check=True).stdout
    rust = [line.split("\t") for line in out.splitlines()]
    command = uchardet(pairs)
    with ProcessPoolExecutor() as pool:
        python = list(pool.map(peers, pairs, chunksize=200))

    languages = {language for language, *_ in found}
    charsets = {charset for _, charset, *_ in found}
    cells = defaultdict(lambda: [0] * 6)
    # Romanian in ISO-8859-16, where both letters with a cedilla and with a comma are right.
    comma = [0, 0]
    confidence = defaultdict(lambda: [0, 0])
    for (language, charset, length, octets), ours, tool, (truth, theirs) in zip(found, rust, command, python, strict=True):
        right = [ours[1] == "1", ours[4] == "1", truth in decoded(octets, tool), *theirs]
        if language in samples.STRANGERS:
            group = "languages without a table"
        else:
            group = "those chardetng knows" if charset in KNOWN_TO_CHARDETNG else "those beyond"
        keys = [(language, charset), (language, "all"), ("all", group)]
        if language not in samples.STRANGERS:
            keys.append(("all", charset))
        for key in ((*key, length) for key in keys):
            cells[key][0] += 1
            for index, is_right in enumerate(right):
                cells[key][index + 1] += is_right
        if charset == "ISO-8859-16":
            comma[0] += 1
            comma[1] += truth.translate(CEDILLAS) in (text.translate(CEDILLAS) for text in decoded(octets, ours[0]))
        confidence[int(ours[2])][0] += 1
        confidence[int(ours[2])][1] += right[0]

    print(f"{len(found)} samples in {len(languages)} languages and {len(charsets)} charsets, at most {count} for each language, charset and length, of texts that tuned nothing. {versions()}.\n")

    def table(title, wanted):
        keys = sorted({key[:2] for key in cells if wanted(key)}, key=lambda key: (key[0], " " not in key[1], key[1].lower()))
        print(f"### {title}\n")
        print("| language | charset | octets | samples | " + " | ".join(DETECTORS) + " |")
        print("|---|---|--:|--:|" + "--:|" * len(DETECTORS))
        for language, charset in keys:
            for length in samples.LENGTHS:
                cell = cells.get((language, charset, length))
                if cell:
                    best = max(cell[1:])
                    shown = [f"**{percent(n, cell[0])}**" if n == best else percent(n, cell[0]) for n in cell[1:]]
                    print(f"| {language} | {charset} | {length} | {cell[0]} | " + " | ".join(shown) + " |")
        print()

    table("All languages together", lambda key: key[0] == "all")
    print(f"Romanian in ISO-8859-16 with commas below taken for the cedillas that other charsets have there: {percent(comma[1], comma[0])} right.\n")
    print("### Confidence\n\n| confidence | guesses | right | this or more | right |\n|--:|--:|--:|--:|--:|")
    for least in sorted(confidence):
        number, right = confidence[least]
        above = [cell for value, cell in confidence.items() if value >= least]
        numbers, rights = map(sum, zip(*above))
        print(f"| {least} | {number} | {percent(right, number)} | {numbers} | {percent(rights, numbers)} |")
    print()
    table("Each language in all its charsets", lambda key: key[0] != "all" and key[1] == "all")
    table("Each language in each charset", lambda key: key[0] != "all" and key[1] != "all")
    worse = [key for key, cell in cells.items() if key[0] != "all" and key[1] != "all" and cell[1] < cell[2]]
    print(f"Cells of a language, a charset and a length in which chardetng alone is better: {len(worse)}.\n")
    for key in worse:
        print(f"- {key[0]} in {key[1]}, {key[2]} octets: {cells[key][1]} to {cells[key][2]} of {cells[key][0]}")


if __name__ == "__main__":
    main()
