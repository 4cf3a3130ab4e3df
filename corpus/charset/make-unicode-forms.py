#!/usr/bin/env python3
"""Writes how other programs encode and decode the Unicode encodings.

    python3 make-unicode-forms.py

Run it in this folder with ICU's uconv. The tests read the files and never need this script
or those programs.

Each file has the rows OCTETS and SCALARS with a tab between them, both in hexadecimal; in
SCALARS, A*3 stands for three times A. The comments between the rows describe them:
texts as encoded by the programs, and octets as decoded by the programs.

No program has UTF-1: its rows are computed here from the formulas published in ISO-IR 178; the
crate's decoder is written from their inverse.
"""

import datetime
import platform
import random
import subprocess

VERSION = subprocess.run(["uconv", "--version"], capture_output=True, text=True).stdout.split()[-1]
ICU = f"ICU {VERSION}, uconv"
PYTHON = f"CPython {platform.python_version()}"


def uconv(arguments, octets):
    run = subprocess.run(["uconv", *arguments], input=octets, capture_output=True)
    return None if run.returncode or run.stderr else run.stdout


def icu_encode(charset):
    return lambda text: uconv(["-f", "UTF-8", "-t", charset], text.encode())


def icu_decode(charset):
    def decode(octets):
        text = uconv(["-f", charset, "-t", "UTF-32BE", "--callback", "substitute"], octets)
        return None if text is None else text.decode("utf-32-be")

    return decode


def python_encode(codec):
    return lambda text: text.encode(codec)


def python_decode(codec):
    return lambda octets: octets.decode(codec, "replace")


# ISO-IR 178, "UCS Transformation Format One (UTF-1)".


def utf1_t(z):
    if z <= 0x5D:
        return z + 0x21
    if z <= 0xBD:
        return z + 0x42
    if z <= 0xDE:
        return z - 0xBE
    return z - 0x60


def utf1_scalar(x):
    if x <= 0x9F:
        return bytes([x])
    if x <= 0xFF:
        return bytes([0xA0, x])
    if x <= 0x4015:
        y = x - 0x100
        return bytes([0xA1 + y // 0xBE, utf1_t(y % 0xBE)])
    if x <= 0x38E2D:
        y = x - 0x4016
        return bytes([0xF6 + y // 0xBE**2, utf1_t(y // 0xBE % 0xBE), utf1_t(y % 0xBE)])
    y = x - 0x38E2E
    digits = [utf1_t(y // 0xBE**place % 0xBE) for place in (3, 2, 1, 0)]
    return bytes([0xFC + y // 0xBE**4, *digits])


def utf1(text):
    return b"".join(utf1_scalar(ord(each)) for each in text)


# Texts.

# The examples of Unicode Technical Standard #6, section 9.
UTS_6 = [
    "Öl fließt",
    "Москва",
    "　♪リンゴ可愛いや可愛いやリンゴ。半世紀も前に流行した「リンゴの歌」がぴったりするかも"
    "しれない。米アップルコンピュータ社のパソコン「マック（マッキントッシュ）」を、こよなく"
    "愛する人たちのことだ。「アップル信者」なんて言い方まである。",
]
# The octets of its sections 9.1, 9.2 and 9.4: German, Russian, and a text with all features.
UTS_6_OCTETS = [
    "D6 6C 20 66 6C 69 65 DF 74",
    "12 9C BE C1 BA B2 B0",
    "41 DF 12 81 03 5F 10 DF 1B 03 DF 1C 88 80 0B BF FF FF 0D 0A 41 10 DF 12 81 03 5F 10 DF 13"
    "DF 14 80 15 FF",
]
MORE = [
    "",
    "A≢Α.",
    "Hi Mom -☺-!",
    "Item 3 is £1.",
    "日本語",
    "한국어 메일과 文字",
    "A😀",
    "\\~+&/,-=",
    "1+1=2 & 3~4",
    "\ufeffmark",
    "line\r\nend\ttab\n",
    "\u2262\u0391-\u2262+\u0391/",
    "ÄÖÜ абв αβγ עברית عربي हिन्दी ไทย ქართული",
    "\U0001f4a9\U0001f600\U00010400\U0001d11e",
]
# The boundaries of rows, blocks and surrogate pairs.
EDGES = [
    0x00, 0x1F, 0x20, 0x21, 0x3F, 0x40, 0x7E, 0x7F, 0x80, 0x9F, 0xA0, 0xBF, 0xC0, 0xFF, 0x100,
    0x15D, 0x15E, 0x1BD, 0x1BE, 0x7FF, 0x800, 0xFFF, 0x1000, 0x3040, 0x309F, 0x30A0, 0x33FF,
    0x3400, 0x4015, 0x4016, 0x4DFF, 0x4E00, 0x9FA5, 0x9FA6, 0xABFF, 0xAC00, 0xD7A3, 0xD7A4,
    0xD7FF, 0xE000, 0xF8FF, 0xFDD0, 0xFDEF, 0xFEFF, 0xFFFD, 0xFFFE, 0xFFFF, 0x10000, 0x103FF,
    0x10400, 0x1FFFF, 0x20000, 0x38E2D, 0x38E2E, 0xFFFFF, 0x100000, 0x10FBFF, 0x10FC00, 0x10FFFF,
]  # fmt: skip
BLOCKS = [
    (0x20, 0x7E), (0xA0, 0xFF), (0x100, 0x24F), (0x370, 0x3FF), (0x400, 0x4FF), (0x530, 0x58F),
    (0x590, 0x5FF), (0x600, 0x6FF), (0x900, 0x97F), (0xE00, 0xE7F), (0x1100, 0x11FF),
    (0x2000, 0x206F), (0x2100, 0x214F), (0x3040, 0x309F), (0x30A0, 0x30FF), (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF), (0xAC00, 0xD7A3), (0xE000, 0xF8FF), (0xFF00, 0xFFEF), (0x10000, 0x103FF),
    (0x1F300, 0x1F6FF), (0x20000, 0x2A6DF), (0xE0000, 0xE007F), (0x100000, 0x10FFFF),
]  # fmt: skip


def texts(count):
    """Strings of words, most from a single block, some from any."""
    draw = random.Random(2152)
    chosen = []
    for _ in range(count):
        text = ""
        for _ in range(draw.randint(1, 4)):
            first, last = draw.choice(BLOCKS)
            text += "".join(chr(draw.randint(first, last)) for _ in range(draw.randint(1, 6)))
            text += draw.choice(["", " ", ", ", "-", "+", "\r\n"])
        chosen.append(text)
    return chosen


def all_texts(count=120):
    edges = [chr(value) for value in EDGES]
    pairs = [a + b for a, b in zip(edges, edges[1:])]
    pairs += [a + b for a, b in zip(edges, edges[7:])]
    return MORE + edges + pairs + texts(count)


def halves(order):
    """Every boundary of the surrogates next to every other, and next to a letter."""
    units = [0xD7FF, 0xD800, 0xD83D, 0xDBFF, 0xDC00, 0xDE00, 0xDFFF, 0xE000, 0x41]
    return [a.to_bytes(2, order) + b.to_bytes(2, order) for a in units for b in units]


# Files.


def scalars(text):
    cells, at = [], 0
    while at < len(text):
        end = at + 1
        while end < len(text) and text[end] == text[at]:
            end += 1
        cells.append(f"{ord(text[at]):X}" + (f"*{end - at}" if end - at > 1 else ""))
        at = end
    return " ".join(cells)


def write(name, tool, *parts):
    today = datetime.date.today()
    with open(f"{name}.tsv", "w") as file:
        file.write(f"# {name}; {tool}; python3 make-unicode-forms.py; {today}\n")
        for title, rows in parts:
            file.write(f"# {title}\n")
            seen = set()
            for octets, text in rows:
                if octets is None or text is None or octets in seen:
                    continue
                # A decoder that passes lone surrogates through has not rejected them.
                if any("\ud800" <= each <= "\udfff" for each in text):
                    continue
                seen.add(octets)
                file.write(f"{octets.hex().upper()}\t{scalars(text)}\n")


def encoded(encode, chosen):
    return [(encode(text), text) for text in chosen]


def decoded(decode, chosen):
    return [(octets, decode(octets)) for octets in chosen]


def single_octets(decode):
    return "single octets", decoded(decode, [bytes([octet]) for octet in range(256)])


def hexed(rows):
    return [bytes.fromhex(row) for row in rows]


def main():
    icu, tool = icu_decode("UTF-7"), f"{ICU} -t UTF-7 and {PYTHON}, codec utf-7"
    seven = [b"+", b"+ x", b"+AKM", b"+AKM=", b"+AKM=-", b"+AKN-x", b"+AKM\x80-", b"+A-", b"+AK-b"]
    seven += [b"+AGEAYg-c", b"+AGE-+AGI-", b"+-+-", b"+AKM--", b"+2D3cqQ-", b"+1VytbcW0-", b"+/v8-a"]
    write(
        "utf-7",
        tool,
        ("written by ICU", encoded(icu_encode("UTF-7"), all_texts())),
        ("written by CPython", encoded(python_encode("utf-7"), all_texts(60))),
        ("octets on which ICU and CPython agree", [
            (octets, icu(octets))
            for octets in [bytes([octet]) for octet in range(256)] + seven
            if icu(octets) == python_decode("utf-7")(octets)
        ]),
    )
    imap = "IMAP-mailbox-name"
    write(
        "utf-7-imap",
        f"{ICU} -t and -f {imap}",
        ("written by ICU", encoded(icu_encode(imap), all_texts())),
        single_octets(icu_decode(imap)),
    )
    write(
        "cesu-8",
        f"{ICU} -t and -f CESU-8",
        ("written by ICU", encoded(icu_encode("CESU-8"), all_texts())),
        single_octets(icu_decode("CESU-8")),
        ("malformed", decoded(icu_decode("CESU-8"), hexed([
            "EDA080", "EDB080", "EDA08041", "EDB08041", "EDA080EDA080EDB080", "C080", "E180C3",
            "E18041", "C241", "EDA0BDEDB880EDB880", "80BF", "E0A0", "C1BF41", "E0808041",
        ]))),
    )  # fmt: skip
    for name, order in (("utf-16be", "big"), ("utf-16le", "little")):
        write(
            name,
            f"{PYTHON}, codec {name}; {ICU} -f {name}",
            ("written by CPython", encoded(python_encode(name), all_texts(60))),
            ("halves, read by ICU", decoded(icu_decode(name), halves(order))),
        )
    for name, order in (("utf-32be", "big"), ("utf-32le", "little")):
        values = [0xD7FF, 0xD800, 0xDFFF, 0xE000, 0x10FFFF, 0x110000, 0xFFFFFFFF, 0x80000041]
        write(
            name,
            f"{PYTHON}, codec {name}; {ICU} -f {name}",
            ("written by CPython", encoded(python_encode(name), all_texts(60))),
            ("values, read by ICU", decoded(
                icu_decode(name),
                [value.to_bytes(4, order) + (0x41).to_bytes(4, order) for value in values],
            )),
        )  # fmt: skip
    for codec in ("utf-16", "utf-32"):
        write(
            codec,
            f"{ICU} -t {codec}; -f {codec}",
            ("written with a byte order mark", encoded(icu_encode(codec), MORE[1:] + texts(20))),
            ("marks, read by ICU", decoded(icu_decode(codec), [
                mark.encode(order)
                for order in (f"{codec}-be", f"{codec}-le")
                for mark in ("\ufeffA", "\ufeff한", "\ufeff\ufeffA", "\ufeff\U0001f600")
            ])),
        )  # fmt: skip
    reserved = {0x0C, 0x0B, 0x0E, 0x0F} | set(range(1, 9)) | set(range(0x10, 0x20))
    write(
        "scsu",
        f"{ICU} -t and -f SCSU",
        ("sample texts of UTS #6, section 9", encoded(icu_encode("SCSU"), UTS_6)),
        ("sample octets of the same, read by ICU", decoded(icu_decode("SCSU"), hexed(UTS_6_OCTETS))),
        ("written by ICU", encoded(icu_encode("SCSU"), all_texts())),
        ("one octet", decoded(
            icu_decode("SCSU"), [bytes([octet]) for octet in range(256) if octet not in reserved]
        )),
        ("an octet of each window, static and dynamic, moved or not", decoded(
            icu_decode("SCSU"),
            [bytes([tag, octet]) for tag in range(1, 9) for octet in (0x00, 0x41, 0x80, 0xFF)]
            + [bytes([tag, octet]) for tag in range(0x10, 0x18) for octet in (0x41, 0x80, 0xFF)]
            + [bytes([0x18 + at % 8, at, 0x80, 0xFF]) for at in (*range(1, 0xA8), *range(0xF9, 0x100))]
            + [bytes([0x0B, high, 0x7F, 0x80, 0xFF]) for high in range(0x00, 0x100, 7)],
        )),
        ("Unicode mode", decoded(
            icu_decode("SCSU"),
            [bytes([0x0F, octet, 0x41]) for octet in (*range(0xE0), *range(0xF3, 0x100))]
            + [bytes([0x0F, tag, 0x80]) for tag in range(0xE0, 0xE8)]
            + [bytes([0x0F, tag, 0x0A, 0x80]) for tag in range(0xE8, 0xF0)]
            + [bytes([0x0F, 0xF0, octet, 0x41, 0x04, 0x10]) for octet in range(0xDC)]
            + [bytes([0x0F, 0xF1, 0x3F, 0xFF, 0xFF])],
        )),
        ("pairs, and halves without the other", decoded(icu_decode("SCSU"), hexed([
            "0ED83D0EDE00", "0ED83D41", "0FD83DE0DE", "0FD83DDE00E041", "0EDE0041", "0ED83D0ED83D0EDE00",
        ]))),
        ("reserved and truncated", decoded(icu_decode("SCSU"), hexed([
            "0C41", "0FF204100410", "0E41", "0B01", "01", "18", "0F04", "0FE8",
        ]))),
    )  # fmt: skip
    leads = [bytes([octet, 0x41]) for octet in range(0x21, 0x100)]
    write(
        "bocu-1",
        f"{ICU} -t and -f BOCU-1",
        ("written by ICU", encoded(icu_encode("BOCU-1"), all_texts(200) + UTS_6)),
        ("ASCII and what is written as itself", decoded(
            icu_decode("BOCU-1"), [bytes([octet, 0x91]) for octet in range(0x21)]
        )),
        ("a lead and a trail octet", [
            (octets, text)
            for octets, text in decoded(icu_decode("BOCU-1"), leads)
            # ICU decodes controls and spaces that it does not encode as themselves.
            if text is not None and min(text, default="A") > " "
        ]),
        ("every trail octet", decoded(
            icu_decode("BOCU-1"),
            [bytes([0xD5, octet]) for octet in range(256) if octet not in (0, *range(7, 16), 26, 27, 32)],
        )),
        ("reset, range and truncation", decoded(icu_decode("BOCU-1"), hexed([
            "FFFF91", "D3FFFF91", "FE19B45491", "FE19B45591", "2101010191", "D0", "24FFFF", "FB01", "D1FF2091",
        ]))),
    )  # fmt: skip
    write(
        "utf-1",
        "the formulas of ISO-IR 178, computed by this script",
        ("written", encoded(utf1, all_texts())),
    )


if __name__ == "__main__":
    main()
