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

import cases
import names
import others
import samples
import sparse

HERE = os.path.dirname(os.path.abspath(__file__))
OURS = os.path.join(HERE, "target", "release", "mime-charset-eval")
DETECTORS = ["mime-charset", "chardetng", "uchardet", "chardet", "charset-normalizer"]

NUMBERS = {"samples", "share of mail", *DETECTORS}

KNOWN_TO_CHARDETNG = {
    "Big5", "EUC-JP", "EUC-KR", "GB18030", "GBK", "IBM866", "ISO-2022-JP", "ISO-8859-13",
    "ISO-8859-2", "ISO-8859-4", "ISO-8859-5", "ISO-8859-6", "ISO-8859-7", "ISO-8859-8", "ISO-8859-9", "KOI8-R",
    "KOI8-U", "Shift_JIS", "UTF-8", "windows-1250", "windows-1251", "windows-1252", "windows-1253",
    "windows-1254", "windows-1255", "windows-1256", "windows-1257", "windows-1258", "windows-874",
}

# The letters whose octets in ISO-8859-16 are other letters in ISO-8859-2 and windows-1250.
CEDILLAS = str.maketrans("ȘșȚț", "ŞşŢţ")

# A guess counts as right if it names the superset used in practice, or the subset.
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
    """The texts of the octets in a detector's answer, in each possible reading."""
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
    truth = sparse.decoded(octets, charset)
    best = charset_normalizer.from_bytes(octets).best()
    answers = chardet.detect(octets)["encoding"], best.encoding if best else None
    return truth, [truth in decoded(octets, answer) for answer in answers]


def uchardet(all_samples):
    """The answers of the command, for a folder of files at a time."""
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


def asked(pairs):
    """For each pair of a charset and octets: the text, the charset guessed by this library with its
    confidence, and the detectors that are right."""
    lines = "".join(f"{charset}\t{octets.hex()}\n" for charset, octets in pairs)
    out = subprocess.run([OURS], input=lines, capture_output=True, text=True, check=True).stdout
    command = uchardet(pairs)
    with ProcessPoolExecutor() as pool:
        python = list(pool.map(peers, pairs, chunksize=200))
    for (_, octets), line, tool, (truth, theirs) in zip(pairs, out.splitlines(), command, python, strict=True):
        guess, ours, confidence, _, chardetng = line.split("\t")
        yield truth, guess, int(confidence), [ours == "1", chardetng == "1", truth in decoded(octets, tool), *theirs]


def shown(rights, whole):
    """The shares of the detectors, with the best in bold."""
    best = max(rights)
    return " | ".join(f"**{percent(n, whole)}**" if n == best else percent(n, whole) for n in rights)


def heading(*columns):
    print("| " + " | ".join([*columns, *DETECTORS]) + " |")
    print("|" + "".join("--:|" if column in NUMBERS else "---|" for column in [*columns, *DETECTORS]))


class Confidence:
    """How often guesses of each confidence are right: counted, and weighted by the frequency of the
    charset in mail."""

    def __init__(self):
        self.steps = defaultdict(lambda: [0, 0, 0.0, 0.0])

    def count(self, confidence, weight, is_right):
        step = self.steps[confidence]
        step[0] += 1
        step[1] += is_right
        step[2] += weight
        step[3] += weight * is_right

    def show(self):
        whole = sum(step[2] for step in self.steps.values())
        print("### Confidence\n\nThe running and the sparse text together, as many texts of mail of the one as of the other: first counted, then weighted by how often mail is in the charset.\n")
        print("| confidence | guesses | right | share of mail | right, weighted | this or more: guesses | right | share of mail | right, weighted |")
        print("|--:|--:|--:|--:|--:|--:|--:|--:|--:|")
        off = []
        for least in sorted(self.steps):
            row = []
            for above in ([self.steps[least]], [step for value, step in self.steps.items() if value >= least]):
                number, right, weight, weighted = map(sum, zip(*above))
                row += [str(number), percent(right, number), percent(weight, whole), percent(weighted, weight)]
            print(f"| {least} | " + " | ".join(row) + " |")
            number, _, weight, weighted = self.steps[least]
            if number >= 50 and abs(100 * weighted / weight - least) > 3:
                off.append(str(least))
        print(f"\nConfidences of at least 50 guesses that are more than 3 points from how often these are right, weighted: {', '.join(off) or 'none'}.\n")


def running_weights(found):
    """The weight of each sample of running text: the share of its charset in mail, divided among its
    languages, and then among their samples."""
    languages = sparse.charsets(left_out=())
    number = defaultdict(int)
    for language, charset, *_ in found:
        number[charset, language] += 1
    present = {charset for _, charset, *_ in found}
    whole = sum(sparse.parts_of_mail(charset) for charset in present)
    for language, charset, *_ in found:
        often = {other: weight for other, weight in languages[charset].items() if (charset, other) in number}
        yield 100 * sparse.parts_of_mail(charset) / whole * often[language] / sum(often.values()) / number[charset, language]


def show_sparse(found, answers):
    """Prints the tables of sparse text."""
    weighted = defaultdict(lambda: [0.0, 0.0] + [0.0] * len(DETECTORS))
    counted = defaultdict(lambda: [0] * (1 + len(DETECTORS)))
    for (name, _, charset, weight, _), (_, _, _, right) in zip(found, answers, strict=True):
        groups = ["all charsets"] + ["those chardetng knows"] * (charset in KNOWN_TO_CHARDETNG)
        for key in [(which, group) for which in (name, "all") for group in groups]:
            cell = weighted[key]
            cell[0] += 1
            cell[1] += weight
            for index, is_right in enumerate(right):
                cell[index + 2] += weight * is_right
        for key in ((charset, "all"), (charset, name)):
            counted[key][0] += 1
            for index, is_right in enumerate(right):
                counted[key][index + 1] += is_right
    print("### Sparse text\n")
    print(f"{len(found)} texts with 1 to 19 characters that are not ASCII, weighted by how often mail is in a charset: how many in a hundred are right.\n")
    heading("set", "charsets", "share of mail", "samples")
    for group in ("those chardetng knows", "all charsets"):
        for name in ("all", *sparse.SETS):
            number, weight, *rights = weighted[name, group]
            print(f"| {name} | {group} | {weight:.1f} | {number:.0f} | " + shown(rights, weight) + " |")
    print("\nEach charset, counted:\n")
    heading("charset", "set", "samples")
    for charset in sorted({key[0] for key in counted}, key=str.lower):
        for name in ("all", *sparse.SETS):
            if (charset, name) in counted:
                number, *rights = counted[charset, name]
                print(f"| {charset} | {name} | {number} | " + shown(rights, number) + " |")
    worse = [key for key, cell in sorted(counted.items()) if key[1] != "all" and cell[1] < cell[2]]
    print(f"\nCells of a set and a charset in which chardetng alone is better: {len(worse)}.\n")
    for charset, name in worse:
        number, ours, chardetng, *_ = counted[charset, name]
        print(f"- {name} in {charset}: {ours} to {chardetng} of {number}")
    print()


def show_cases(found, answers):
    """Prints the table of short texts for which a rare charset is a likely mistake."""
    counted = defaultdict(lambda: [0] * (1 + len(DETECTORS)))
    for (name, _, charset, _, _), (_, _, _, right) in zip(found, answers, strict=True):
        for key in ((name, "all"), (name, charset)):
            counted[key][0] += 1
            for index, is_right in enumerate(right):
                counted[key][index + 1] += is_right
    print("### Few octets\n\nShort texts of the kinds that `cases.py` lists: how many in a hundred are right.\n")
    heading("set", "charset", "samples")
    for (name, charset), (number, *rights) in counted.items():
        print(f"| {name} | {charset} | {number} | " + shown(rights, number) + " |")
    print()


def answer_to_file(octets):
    """The answers of chardet and charset-normalizer."""
    best = charset_normalizer.from_bytes(octets).best()
    return chardet.detect(octets)["encoding"], best.encoding if best else None


def show_others():
    """Prints the table of other programs' test files, and lists the files that another program alone
    answers rightly."""
    files = list(others.files())
    lines = "".join(f"{label}\t{octets.hex()}\n" for _, _, label, octets in files)
    out = subprocess.run([OURS], input=lines, capture_output=True, text=True, check=True).stdout
    command = uchardet([(label, octets) for _, _, label, octets in files])
    with ProcessPoolExecutor() as pool:
        python = list(pool.map(answer_to_file, [octets for *_, octets in files], chunksize=8))
    counted = defaultdict(lambda: [0] * (1 + len(DETECTORS)))
    worse = []
    for (program, path, label, octets), line, tool, theirs in zip(files, out.splitlines(), command, python, strict=True):
        guess, ours, _, _, chardetng = line.split("\t")
        truth = others.texts(octets, label, WIDER)
        right = [ours == "1", chardetng == "1", *(bool(truth & others.texts(octets, answer, WIDER)) for answer in (tool, *theirs))]
        counted[program][0] += 1
        for index, is_right in enumerate(right):
            counted[program][index + 1] += is_right
        if not right[0]:
            names = [name for name, is_right in zip(DETECTORS, right) if is_right]
            worse.append(f"- {path}: {guess}; right: {', '.join(names) or 'none'}")
    print("### Other programs' test files\n\nCorrect answers in percent. The label is the name of the folder or of the file.\n")
    heading("files of", "samples")
    for program, (number, *rights) in counted.items():
        print(f"| {program} | {number} | " + shown(rights, number) + " |")
    print(f"\nFiles that this library answers otherwise: {len(worse)}.\n")
    print("\n".join(worse) + "\n")


def main():
    count = int(sys.argv[1])
    part = sys.argv[2] if len(sys.argv) > 2 else "measure"
    found = list(samples.samples(part, count))
    few = list(sparse.make(part, max(1, count // 2)))
    short = list(cases.make(part, count))
    answers = list(asked([(charset, octets) for _, charset, _, octets in found] + [(charset, octets) for _, _, charset, _, octets in few + short]))
    answers, few_answers, short_answers = answers[:len(found)], answers[len(found):-len(short)], answers[-len(short):]

    languages = {language for language, *_ in found}
    charsets = {charset for _, charset, *_ in found}
    cells = defaultdict(lambda: [0] * 6)
    # Romanian in ISO-8859-16: letters with a cedilla and with a comma are both right.
    comma = [0, 0]
    confidence = Confidence()
    for weight, (language, charset, length, octets), (truth, guess, sure, right) in zip(running_weights(found), found, answers, strict=True):
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
            comma[1] += truth.translate(CEDILLAS) in (text.translate(CEDILLAS) for text in decoded(octets, guess))
        confidence.count(sure, weight, right[0])
    for (*_, weight, _), (_, _, sure, right) in zip(few, few_answers, strict=True):
        confidence.count(sure, weight, right[0])

    print(f"{len(found)} samples of running text in {len(languages)} languages and {len(charsets)} charsets, at most {count} for each language, charset and length, and {len(few)} sparse texts; of texts that tuned nothing. {versions()}.\n")

    def table(title, wanted):
        keys = sorted({key[:2] for key in cells if wanted(key)}, key=lambda key: (key[0], " " not in key[1], key[1].lower()))
        print(f"### {title}\n")
        print("| language | charset | octets | samples | " + " | ".join(DETECTORS) + " |")
        print("|---|---|--:|--:|" + "--:|" * len(DETECTORS))
        for language, charset in keys:
            for length in samples.LENGTHS:
                cell = cells.get((language, charset, length))
                if cell:
                    print(f"| {language} | {charset} | {length} | {cell[0]} | " + shown(cell[1:], cell[0]) + " |")
        print()

    table("All languages together", lambda key: key[0] == "all")
    print(f"Romanian in ISO-8859-16 with commas below taken for the cedillas that other charsets have there: {percent(comma[1], comma[0])} right.\n")
    show_sparse(few, few_answers)
    show_cases(short, short_answers)
    show_others()
    names.main()
    confidence.show()
    table("Each language in all its charsets", lambda key: key[0] != "all" and key[1] == "all")
    table("Each language in each charset", lambda key: key[0] != "all" and key[1] != "all")
    worse = [key for key, cell in cells.items() if key[0] != "all" and key[1] != "all" and cell[1] < cell[2]]
    print(f"Cells of a language, a charset and a length in which chardetng alone is better: {len(worse)}.\n")
    for key in worse:
        print(f"- {key[0]} in {key[1]}, {key[2]} octets: {cells[key][1]} to {cells[key][2]} of {cells[key][0]}")


if __name__ == "__main__":
    main()
