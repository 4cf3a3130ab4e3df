#!/usr/bin/env python3
"""Writes elsewhere.tsv: the standard and the other programs that have each charset.

    mime-charset labels --json | python3 corpus/charset/make-elsewhere.py > corpus/charset/elsewhere.tsv

A program has a charset if it has a converter under one of its labels. The other files of this folder
show whether the converter decodes the octets in the same way. The standards are from the
registrations, from the ISO-IR numbers in the aliases, and by hand.
"""

import codecs
import collections
import json
import platform
import re
import subprocess
import sys

RFC = {
    "US-ASCII": "ANSI X3.4, RFC 20", "UTF-8": "RFC 3629", "UTF-7": "RFC 2152", "UTF-7-IMAP": "RFC 3501, 5.1.3",
    "UTF-16": "RFC 2781", "UTF-16BE": "RFC 2781", "UTF-16LE": "RFC 2781", "UTF-32": "UAX #19",
    "UTF-32BE": "UAX #19", "UTF-32LE": "UAX #19", "SCSU": "UTS #6", "CESU-8": "UTR #26", "BOCU-1": "UTN #6",
    "UNICODE-1-1": "RFC 1641", "UNICODE-1-1-UTF-7": "RFC 1642", "UNICODE-1-1-UTF-8": "RFC 2044",
    "ISO-2022-JP": "RFC 1468", "ISO-2022-JP-1": "RFC 2237", "ISO-2022-JP-2": "RFC 1554",
    "ISO-2022-JP-3": "JIS X 0213:2000", "ISO-2022-JP-2004": "JIS X 0213:2004",
    "ISO-2022-KR": "RFC 1557", "ISO-2022-CN": "RFC 1922", "ISO-2022-CN-EXT": "RFC 1922",
    "HZ-GB-2312": "RFC 1843", "CN-GB-12345": "RFC 1922", "CN-GB-ISOIR165": "RFC 1922",
    "KOI8-R": "RFC 1489", "KOI8-U": "RFC 2319", "VISCII": "RFC 1456", "VIQR": "RFC 1456",
    "MNEMONIC": "RFC 1345", "MNEM": "RFC 1345", "UNKNOWN-8BIT": "RFC 1428", "ISO-10646-UTF-1": "ISO-IR 178",
    "ISO-10646-UCS-2": "ISO/IEC 10646", "ISO-10646-UCS-4": "ISO/IEC 10646",
    "ISO-10646-UCS-Basic": "ISO/IEC 10646", "ISO-10646-Unicode-Latin1": "ISO/IEC 10646",
    "ISO-10646-J-1": "ISO/IEC 10646", "GB18030": "GB 18030", "GBK": "Chinese IT Standardization Committee",
    "GB2312": "GB 2312", "EUC-KR": "KS X 2901", "JOHAB": "KS X 1001, annex 3", "EUC-TW": "CNS 11643",
    "Shift_JIS": "JIS X 0208, annex 1", "Shift_JIS-2004": "JIS X 0213:2004", "EUC-JISX0213": "JIS X 0213:2004",
    "EUC-JP": "JIS X 0208, JIS X 0212", "TIS-620": "TIS 620", "TCVN": "TCVN 5712", "ARMSCII-8": "AST 34.002",
    "TSCII": "TSCII 1.7", "KZ-1048": "STRK1048-2002", "ISO-11548-1": "ISO/TR 11548-1",
    "Big5-HKSCS": "HKSCS", "ISO-8859-6-E": "RFC 1556", "ISO-8859-6-I": "RFC 1556", "ISO-8859-8-E": "RFC 1556",
    "ISO-8859-8-I": "RFC 1556", "JIS_X0201": "JIS X 0201", "ISO_646.basic:1983": "ISO 646",
    "INVARIANT": "RFC 1345", "us-dk": "RFC 1345", "dk-us": "RFC 1345", "KSC5636": "KS X 1003",
    "x-user-defined": "Encoding Standard",
}
# Charsets without a standard: their owner.
OWNERS = {
    "Adobe-": "Adobe", "Amiga-": "Amiga", "Big5": "Institute for Information Industry", "CP1125": "RST 2018-91",
    "CP50220": "Microsoft code page 50220", "CP51932": "Microsoft code page 51932", "DEC-MCS": "Digital",
    "emacs-mule": "Emacs 20 to 22, src/charset.h",
    "DS_2089": "DS 2089", "EBCDIC-": "IBM", "HP-": "Hewlett-Packard", "hp-": "Hewlett-Packard", "IBM-": "IBM",
    "ISO-8859-1-Windows": "Hewlett-Packard", "ISO-8859-2-Windows": "Hewlett-Packard",
    "ISO-8859-9-Windows": "Hewlett-Packard", "ISO-Unicode-IBM": "IBM", "macintosh": "Apple", "x-mac-": "Apple",
    "Microsoft-Publishing": "Hewlett-Packard", "NEXTSTEP": "NeXT", "OSD_": "Siemens Nixdorf",
    "PC8-": "Hewlett-Packard", "PTCP154": "Paratype", "Ventura-": "Hewlett-Packard",
    "Windows-31J": "Microsoft code page 932",
}


def standard(name, labels):
    if name in RFC:
        return RFC[name]
    if match := re.fullmatch(r"ISO-8859-(\d+)", name):
        return f"ISO/IEC 8859-{match[1]}"
    if name.startswith("x-iscii"):
        return "IS 13194"
    for label in labels:
        if match := re.fullmatch(r"iso-ir-([\d-]+)", label):
            return f"ISO-IR {match[1]}"
    if match := re.fullmatch(r"IBM0*(\d+)", name):
        return f"IBM code page {match[1]}"
    if match := re.fullmatch(r"windows-(\d+)", name, re.I):
        return f"Microsoft code page {match[1]}"
    for begins, of in OWNERS.items():
        if name.startswith(begins):
            return of
    return ""


def output(*command):
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


def python(label):
    try:
        return codecs.lookup(label)._is_text_encoding
    except (LookupError, UnicodeError):
        return False


GLIBC = {name.strip().rstrip("/").split("//")[0].lower() for name in re.split(r"[\n,]", output("iconv", "-l"))}
ICU = {name.lower() for name in output("uconv", "-l").split()}


def perl(labels):
    program = "for (<STDIN>) { chomp; print find_encoding($_) ? 1 : 0, qq(\\n) }"
    found = subprocess.run(["perl", "-MEncode", "-e", program],
                           input="\n".join(labels), capture_output=True, text=True, check=True).stdout
    return dict(zip(labels, found.split()))


def java(labels):
    program = "\n".join(
        f'try {{ if (java.nio.charset.Charset.isSupported("{label}")) System.out.println("KNOWS {label}"); }}'
        " catch (IllegalArgumentException e) { }" for label in labels) + "\n/exit\n"
    found = subprocess.run(["jshell", "-s", "-"], input=program, capture_output=True, text=True, check=True).stdout
    return set(re.findall(r"KNOWS (\S+)", found))


def main():
    charsets = collections.OrderedDict()
    for line in sys.stdin:
        row = json.loads(line)
        charsets.setdefault(row["charset"], []).append(row["label"])
    # A bare number means something different in each program.
    names = {charset: [label for label in labels if not label.isdigit() and re.fullmatch(r"[\w:.+()/-]+", label)]
             for charset, labels in charsets.items()}
    every = [label for labels in names.values() for label in labels]
    in_perl, in_java = perl(every), java(every)
    glibc = output("ldd", "--version").split("\n")[0].split()[-1]
    icu = output("uconv", "--version").split("ICU ")[-1].split()[0].rstrip(",)")
    in_version = output("perl", "-MEncode", "-e", "print $Encode::VERSION")
    jdk = re.search(r'"(\d+)', subprocess.run(["java", "-version"], capture_output=True, text=True).stderr)[1]
    print(f"# CPython {platform.python_version()}, glibc {glibc}, ICU {icu}, Perl Encode {in_version}, Java {jdk}")
    print("# charset, standard, programs that have a converter of that name")
    for charset, labels in names.items():
        known = [program for program, knows in (
            ("CPython", any(map(python, labels))),
            ("glibc", any(label in GLIBC for label in labels)),
            ("ICU", any(label in ICU for label in labels)),
            ("Perl", any(in_perl[label] == "1" for label in labels)),
            ("Java", any(label in in_java for label in labels)),
        ) if knows]
        print(charset, standard(charset, labels), ",".join(known), sep="\t")


main()
