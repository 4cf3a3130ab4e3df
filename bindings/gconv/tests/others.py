"""Text written by ICU and Perl's Encode, decoded by iconv through the module, and text that glibc decodes too.

    GCONV_PATH=FOLDER python3 others.py REPLACED

REPLACED is a folder whose gconv-modules includes the charsets of gconv-modules.replace. Missing programs are
reported and skipped.
"""

import os
import shutil
import subprocess
import sys

LATIN = "Grüße aus Zürich, café"
SAMPLES = {
    # charset of the module: the program that writes it, its name there, and a text that it can
    # encode
    "BOCU-1": ("uconv", "BOCU-1", LATIN + " Привет 한국어 \U0001F600\n"),
    "SCSU": ("uconv", "SCSU", LATIN + " Привет 한국어 \U0001F600\n"),
    "CESU-8": ("uconv", "CESU-8", LATIN + " Привет 한국어 \U0001F600\n"),
    "HZ-GB-2312": ("uconv", "HZ-GB-2312", "星期六我们回家包饺子 ~ abc\n"),
    "IBM720": ("uconv", "IBM720", "مرحبا بك\n"),
    "IBM01140": ("uconv", "IBM01140", "euro € abc\n"),
    "ISO-2022-JP-1": ("uconv", "ISO-2022-JP-1", "日本語 丂\n"),
    "KS_C_5601-1987": ("uconv", "windows-949", "현관문에서 또 쀍 하는 소리\n"),
    "X-ISCII-DE": ("uconv", "x-iscii-de", "नमस्ते दुनिया\n"),
    "X-ISCII-BE": ("uconv", "x-iscii-be", "নমস্কার\n"),
    "X-ISCII-GU": ("uconv", "x-iscii-gu", "નમસ્તે\n"),
    "X-ISCII-TA": ("uconv", "x-iscii-ta", "வணக்கம்\n"),
    "X-MAC-CE": ("perl", "MacCentralEurRoman", "Příliš žluťoučký kůň"),
    "X-MAC-CROATIAN": ("perl", "MacCroatian", "Čakavci žive"),
    "X-MAC-GREEK": ("perl", "MacGreek", "Καλημέρα κόσμε"),
    "X-MAC-ICELANDIC": ("perl", "MacIcelandic", "Góðan daginn, þú"),
    "X-MAC-ROMANIAN": ("perl", "MacRomanian", "Bună ziua, țară"),
    "X-MAC-TURKISH": ("perl", "MacTurkish", "Günaydın, şöyle ığ"),
    "X-MAC-HEBREW": ("perl", "MacHebrew", "שלום"),
    "X-MAC-ARABIC": ("perl", "MacArabic", "مرحبا"),
    "NEXTSTEP": ("perl", "nextstep", LATIN),
}
# Octets as mail has them under a label, and Python's name for the charset that decodes them, unlike
# glibc.
REPLACED = {
    "EUC-KR": ("90CE", "cp949"),
    "EUC-CN": ("814E", "gb18030"),
    "BIG5": ("C6E7", "big5hkscs"),
    "SJIS": ("8740", "cp932"),
    "EUC-JP": ("ADA1", None, "①"),  # row 13 of NEC: its first cell, as 8740 in Shift_JIS
    "ISO-2022-JP": ("1B24422D211B2842", None, "①"),
    "ISO-2022-KR": ("C7D1", "euc_kr"),
    "ISO-2022-CN": ("1B2441565056501B2842", None, "中中"),  # 5650 of GB 2312
    "ISO-8859-1": ("8093", "cp1252"),
    "ISO-8859-9": ("8093", "cp1254"),
    "TIS-620": ("8593", "cp874"),
}
failed = []


def iconv(charset, octets, path):
    surroundings = {**os.environ, "LC_ALL": "C.UTF-8"}
    surroundings.pop("GCONV_PATH", None)
    if path:
        surroundings["GCONV_PATH"] = path
    done = subprocess.run(["iconv", "-f", charset, "-t", "UTF-8"], input=octets, capture_output=True, env=surroundings)
    return done.stdout.decode()


def written(writer, name, text):
    """The octets of a text, as encoded by another program; None if it is not installed."""
    if writer == "uconv":
        command = ["uconv", "-f", "UTF-8", "-t", name]
    else:
        code = f"use Encode; local $/; print encode('{name}', decode('UTF-8', <STDIN>), Encode::FB_CROAK)"
        command = ["perl", "-MEncode", "-e", code]
    if not shutil.which(command[0]):
        return None
    return subprocess.run(command, input=text.encode(), capture_output=True, check=True).stdout


def main():
    module, replaced = os.environ["GCONV_PATH"], sys.argv[1]
    skipped, count = set(), 0
    for charset, (writer, name, text) in SAMPLES.items():
        octets = written(writer, name, text)
        if octets is None:
            skipped.add(writer)
            continue
        count += 1
        if (read := iconv(charset, octets, module)) != text:
            failed.append(f"{charset}: {octets.hex()} of {writer} is {read!r} and not {text!r}")
    for charset, (octets, codec, *text) in REPLACED.items():
        octets = bytes.fromhex(octets)
        text = text[0] if text else octets.decode(codec)
        if (read := iconv(charset, octets, replaced)) != text:
            failed.append(f"{charset}: {octets.hex()} is {read!r} and not {text!r}")
        if iconv(charset, octets, None) == text:
            failed.append(f"{charset}: glibc reads {octets.hex()} as well")
    print(f"read what others wrote: {count} charsets; replaced: {len(REPLACED)}")
    print(*(f"skipped: {program} is not installed" for program in skipped), *failed, sep="\n")
    return bool(failed)


sys.exit(main())
