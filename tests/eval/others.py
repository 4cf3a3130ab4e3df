"""The test files of chardet and uchardet: real pages, feeds and texts that tuned nothing here."""

import codecs
import glob
import os
import re
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))

# The language after the charset in a folder of chardet.
LANGUAGE = re.compile(
    "-(arabic|bulgarian|croatian|czech|greek|hebrew|hungarian|polish|romanian|russian|slovak|slovene|turkish)$"
)

# Labels that are names of codecs, by the name that mail has for them.
LABELS = {
    "cp932": "Shift_JIS", "cp949": "EUC-KR", "uhc": "EUC-KR", "maccyrillic": "x-mac-cyrillic",
    "mac-cyrillic": "x-mac-cyrillic", "macroman": "macintosh", "mac-centraleurope": "x-mac-ce", "utf-8-sig": "UTF-8",
}

# The codecs of Python for labels and for the detectors' answers.
CODECS = {
    "mac-centraleurope": "mac_latin2", "x-mac-ce": "mac_latin2", "mac-cyrillic": "mac_cyrillic",
    "x-mac-cyrillic": "mac_cyrillic", "maccyrillic": "mac_cyrillic", "macintosh": "mac_roman",
    "macroman": "mac_roman", "windows-874": "cp874", "iso-8859-8-i": "iso8859-8", "ks_c_5601-1987": "cp949",
    "uhc": "cp949",
}


def files():
    """The program, the path, the label and the octets of each file."""
    found = []
    for path in sorted(glob.glob(os.path.join(HERE, "work", "chardet", "*", "*"))):
        found.append(("chardet", path, LANGUAGE.sub("", os.path.basename(os.path.dirname(path)).lower())))
    for path in sorted(glob.glob(os.path.join(HERE, "work", "uchardet", "*", "*"))):
        stem, ending = os.path.splitext(os.path.basename(path))
        found.append(("uchardet", path, stem + ending[1:] if ending in (".be", ".le") else stem))
    for program, path, label in found:
        with open(path, "rb") as file:
            yield program, os.path.relpath(path, os.path.join(HERE, "work")), LABELS.get(label, label), file.read()


def texts(octets, name, wider):
    """The readings of the octets under a label or a detector's answer, each malformed octet replaced."""
    if not name:
        return set()
    try:
        codec = codecs.lookup(CODECS.get(name.lower(), name)).name
    except LookupError:
        done = subprocess.run(["iconv", "-c", "-f", name, "-t", "UTF-8"], input=octets, capture_output=True, check=False)
        return {done.stdout.decode(errors="replace").lstrip("\ufeff")} - {""}
    names = {codec, wider.get(codec) or codec}
    return {octets.decode(name, "replace").lstrip("\ufeff") for name in names}
