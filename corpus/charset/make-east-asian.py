#!/usr/bin/env python3
"""Writes how other programs decode every octet sequence of the East Asian charsets.

    python3 make-east-asian.py

Run it in this folder on Linux with glibc's iconv and, for one file, ICU's uconv. The tests
read the files and never need this script or those programs.

Each file has the rows PREFIX, FIRST and CELLS, with tabs between them. PREFIX is the octets
before the last in hexadecimal, "-" if there are none; FIRST is the last octet of the
first cell. CELLS has one cell for each octet from there on: a scalar value, A..B for that
many cells with that many scalar values, A+B for two scalar values, "-" for none and "-*12"
for twelve cells of none. Sequences in no row are unassigned.
"""

import ctypes
import datetime
import platform
import subprocess

LIBC = ctypes.CDLL("libc.so.6")
LIBC.iconv_open.restype = ctypes.c_void_p
LIBC.iconv_open.argtypes = [ctypes.c_char_p] * 2
LIBC.iconv.restype = ctypes.c_size_t
LIBC.gnu_get_libc_version.restype = ctypes.c_char_p


class Python:
    def __init__(self, codec):
        self.codec = codec
        self.tool = f"CPython {platform.python_version()}, codec {codec}"

    def __call__(self, octets):
        try:
            return octets.decode(self.codec)
        except UnicodeDecodeError:
            return None


class Glibc:
    def __init__(self, charset):
        self.descriptor = ctypes.c_void_p(LIBC.iconv_open(b"UTF-32BE", charset.encode()))
        assert self.descriptor.value != 2**64 - 1, charset
        self.tool = f"glibc {LIBC.gnu_get_libc_version().decode()}, iconv -f {charset}"

    def __call__(self, octets):
        LIBC.iconv(self.descriptor, None, None, None, None)
        source = ctypes.create_string_buffer(octets, len(octets))
        target = ctypes.create_string_buffer(256)
        at = ctypes.c_void_p(ctypes.addressof(source))
        left = ctypes.c_size_t(len(octets))
        to = ctypes.c_void_p(ctypes.addressof(target))
        room = ctypes.c_size_t(256)
        arguments = [ctypes.byref(each) for each in (at, left, to, room)]
        if LIBC.iconv(self.descriptor, *arguments) == 2**64 - 1 or left.value:
            return None
        LIBC.iconv(self.descriptor, None, None, *arguments[2:])
        return target.raw[: 256 - room.value].decode("utf-32-be")


class IcuSet:
    """A set of 94 by 94, decoded through the charset that designates it."""

    def __init__(self, charset, before, after):
        version = subprocess.run(["uconv", "--version"], capture_output=True, text=True).stdout
        self.tool = f"ICU {version.split()[-1]}, uconv -f {charset} between {before!r} and {after!r}"
        pairs = [bytes([a, b]) for a in range(0x21, 0x7F) for b in range(0x21, 0x7F)]
        source = b"".join(before + pair + after + b"\n" for pair in pairs)
        command = ["uconv", "-f", charset, "-t", "UTF-8", "--callback", "substitute"]
        text = subprocess.run(command, input=source, capture_output=True).stdout.decode()
        self.cells = dict(zip(pairs, text.split("\n")))

    def __call__(self, octets):
        if len(octets) == 1 and octets[0] < 0x80:
            return octets.decode()
        pair = bytes(octet & 0x7F for octet in octets)
        cell = self.cells.get(pair) if min(octets, default=0) >= 0x80 else None
        return None if not cell or "\ufffd" in cell else cell


class PerlSet:
    """A set of 94 by 94, decoded from octets 21 to 7E."""

    def __init__(self, charset):
        program = (
            "binmode STDOUT, ':utf8'; print $Encode::VERSION, qq(\\n);"
            "my $set = Encode::find_encoding($ARGV[0]);"
            "chomp(my @lines = <STDIN>);"
            "for my $octets (map { pack 'H*', $_ } @lines) {"
            "my $text = eval { $set->decode($octets, Encode::FB_CROAK) };"
            "print defined $text && length $text == 1 ? $text : '', qq(\\n) }"
        )
        pairs = [bytes([a, b]) for a in range(0x21, 0x7F) for b in range(0x21, 0x7F)]
        text = subprocess.run(
            ["perl", "-MEncode", "-e", program, charset],
            input="\n".join(pair.hex() for pair in pairs).encode(),
            capture_output=True,
        ).stdout.decode()
        version, *cells = text.split("\n")
        self.tool = f"Perl Encode {version}, {charset}"
        self.cells = dict(zip(pairs, cells))

    def __call__(self, octets):
        if len(octets) == 1 and octets[0] < 0x80:
            return octets.decode()
        pair = bytes(octet & 0x7F for octet in octets)
        return self.cells.get(pair) or None if min(octets, default=0) >= 0x80 else None


def row(decode, prefix):
    """One row: the prefix followed by each possible last octet."""
    cells = [decode(prefix + bytes([last])) for last in range(256)]
    known = [last for last, cell in enumerate(cells) if cell is not None]
    if not known:
        return None
    out, last = [], known[0]
    while last <= known[-1]:
        cell, end = cells[last], last + 1
        if cell is None:
            while cells[end] is None:
                end += 1
            out.append("-" if end - last == 1 else f"-*{end - last}")
        else:
            while end < 256 and cells[end] is not None and len(cell + cells[end]) == 2 and (
                ord(cells[end]) == ord(cell) + end - last
            ):
                end += 1
            if end - last > 1:
                out.append(f"{ord(cell):04X}..{ord(cell) + end - last - 1:04X}")
            else:
                out.append("+".join(f"{ord(scalar):04X}" for scalar in cell))
        last = end
    return f"{prefix.hex().upper() or '-'}\t{known[0]:02X}\t{' '.join(out)}"


def write(name, decode, prefixes):
    singles = [bytes([octet]) for octet in range(256)]
    leads = [single for single in singles if decode(single) is None and single[0] >= 0x80]
    rows = [row(decode, b"")]
    rows += [row(decode, lead) for lead in leads]
    rows += [row(decode, prefix) for prefix in prefixes]
    with open(f"{name}.tsv", "w") as file:
        file.write(f"# {name}; {decode.tool}; python3 make-east-asian.py; {datetime.date.today()}\n")
        file.writelines(f"{each}\n" for each in rows if each)


def gb18030_sample():
    """Prefixes of four octets: the ends of the ranges, and some in between."""
    between = [
        bytes([a, b, c])
        for a in range(0x81, 0xFF)
        for b in range(0x30, 0x3A)
        for c in range(0x81, 0xFF)
    ]
    ends = ["8130 81", "8135 F4", "8136 A5", "8336 C7", "8336 D0", "8431 A4", "8431 A5", "9030 81"]
    ends += ["E332 9A", "E332 9B", "FE39 FE", "8230 81", "8432 81", "8F39 FE"]
    chosen = set(between[: 4 * 1260 : 41] + between[4 * 1260 :: 1009])
    return sorted(chosen | {bytes.fromhex(end.replace(" ", "")) for end in ends})


def main():
    code_set_3 = [bytes([0x8F, octet]) for octet in range(0xA1, 0xFF)]
    planes = [bytes([0x8E, plane, octet]) for plane in (0xA1, 0xA2) for octet in range(0xA1, 0xFF)]
    write("euc-jp", Python("euc_jp"), code_set_3)
    write("euc-jp-ms", Glibc("EUC-JP-MS"), code_set_3)
    write("euc-jis-2004", Glibc("EUC-JISX0213"), code_set_3)
    write("shift_jis", Python("shift_jis"), [])
    write("windows-31j", Python("cp932"), [])
    write("shift_jis-2004", Python("shift_jis_2004"), [])
    write("euc-kr", Glibc("EUC-KR"), [])
    write("uhc", Python("cp949"), [])
    write("johab", Python("johab"), [])
    write("gb2312", Python("gb2312"), [])
    write("gbk", Python("gbk"), [])
    write("gb18030", Glibc("GB18030"), gb18030_sample())
    write("iso-ir-165", IcuSet("ISO-2022-CN-EXT", b"\x1b$)E\x0e", b"\x0f"), [])
    write("gb12345", PerlSet("gb12345-raw"), [])
    write("big5", Python("big5"), [])
    write("big5-hkscs", Glibc("BIG5-HKSCS"), [])
    write("euc-tw", Glibc("EUC-TW"), planes)


if __name__ == "__main__":
    main()
