#!/usr/bin/env python3
"""Makes base64.tsv, quoted-printable.tsv and uuencode.tsv: encoded octets, and how other programs decode them.

Each oracle is asked only about input that it decodes by the rules of RFC 2045 and POSIX; its known
errors are noted next to the call below. The inputs are random, from a fixed seed.
"""
import base64
import binascii
import io
import platform
import random
import re
import subprocess
import uu

rng = random.Random(2045)


def run(command, octets):
    return subprocess.run(command, input=octets, capture_output=True, check=True).stdout


def perl(function, octets):
    program = f"use MIME::Base64; use MIME::QuotedPrint; local $/; binmode STDIN; binmode STDOUT; print {function}(<STDIN>)"
    return run(["perl", "-e", program], octets)


def pieces(tokens, most):
    return b"".join(rng.choice(tokens) for _ in range(rng.randint(0, most)))


def hexadecimal():
    digits = "0123456789ABCDEF0123456789abcdef"
    return ("=" + rng.choice(digits) + rng.choice(digits)).encode()


def quoted_printable():
    words = [b"a", b"The quick brown fox", b"x" * 70, b" ", b"1+1", b"\xe9", b"\xed\x95\x9c"]
    kept = [b"=G1", b"=4=41", b"==41", b"=\xe9", b"=x"]
    for _ in range(150):
        # Perl treats the CR of a line ending as a blank, and keeps an equals sign at the end of the
        # body.
        lines = [b"\n", b"=\n", b" \n", b"\t \n", b"= \n"]
        text = pieces(words + lines + kept + [hexadecimal() for _ in range(5)], 40) + b"."
        yield "perl", text, perl("decode_qp", text)
    for _ in range(150):
        # CPython does not delete blanks at line ends, swallows one of two equals signs, and drops
        # the rest of the body after an equals sign and a lone CR.
        lines = [b".\r\n", b"=\r\n", b"=\n", b".\n", b".\r."]
        text = pieces(words + lines + kept[:2] + kept[3:] + [hexadecimal() for _ in range(5)], 40) + b"."
        if b"==" in text:
            continue
        yield "cpython", text, binascii.a2b_qp(text)


def base_64():
    junk = [b"*", b"-", b"_", b"\0", b"\xe9", b"\xef\xbb\xbf", b"\r\n", b"\n", b" ", b"\t", b".,"]

    def lines(data, width, line_end):
        letters = base64.b64encode(data)
        return b"".join(letters[at : at + width] + line_end for at in range(0, len(letters), width))

    def spoilt(text, times):
        for _ in range(times):
            at = rng.randint(0, len(text))
            text = text[:at] + rng.choice(junk) + text[at:]
        return text

    for _ in range(150):
        # CPython stops at padding and rejects input without it.
        data = rng.randbytes(rng.choice([0, 1, 2, 3, 5, 20, 57, 58, 59, 200, 600]))
        text = lines(data, rng.choice([4, 60, 64, 75, 76, 1000]), rng.choice([b"\r\n", b"\n"]))
        text = spoilt(text, rng.choice([0, 0, 1, 3, 10]))
        yield "cpython", text, binascii.a2b_base64(text)
    for _ in range(60):
        # Perl stops at padding.
        data = rng.randbytes(rng.randint(0, 200))
        text = lines(data, 76, b"\r\n")
        text = spoilt(re.sub(b"=+", b"", text), rng.choice([0, 1, 3]))
        if rng.random() < 0.3:
            text = text[: rng.randint(0, len(text))]
        yield "perl", text, perl("decode_base64", text)
    for _ in range(60):
        # The base64 of coreutils rejects input without padding.
        text = b"".join(
            lines(rng.randbytes(rng.randint(0, 60)), 76, b"\r\n") for _ in range(rng.randint(1, 4))
        )
        yield "coreutils", text, run(["base64", "-d", "-i"], text)


def uuencode():
    ends = [b"\n", b"\r\n"]
    texts = [b"", b"\n\n", b"Hello,\nsee below.\n\n"]

    def body(backtick, strip, line_end, width, data):
        lines = [
            binascii.b2a_uu(data[at : at + width], backtick=backtick).rstrip(b"\n")
            for at in range(0, len(data), width)
        ]
        lines.append(b"`" if backtick or strip else b" ")
        if strip:
            lines = [line.rstrip(b" ") for line in lines]
        return b"".join(line + line_end for line in lines)

    def octets():
        # Zeros, which are blanks at the ends of lines.
        data = rng.randbytes(rng.choice([0, 1, 2, 3, 44, 45, 46, 90, 200]))
        return data + bytes(rng.choice([0, 0, 1, 2, 30, 100])) + rng.randbytes(rng.choice([0, 3]))

    def file(lines, line_end, end):
        begin = b"begin 644 a file.txt" + line_end
        return rng.choice(texts) + begin + lines + end + line_end + rng.choice(texts)

    for _ in range(100):
        # CPython decodes an empty line as 42 octets: the last line has a backtick if blanks are
        # missing.
        line_end, backtick, strip = rng.choice(ends), rng.random() < 0.3, rng.random() < 0.5
        lines = body(backtick, strip, line_end, rng.choice([1, 3, 30, 45]), octets())
        text, out = file(lines, line_end, rng.choice([b"end", b"end "])), io.BytesIO()
        uu.decode(io.BytesIO(text), out)
        yield "cpython", text, out.getvalue()
    for _ in range(60):
        # Perl decodes lines without their surroundings. A complete line comes first, in place of
        # `begin`.
        lines = body(rng.random() < 0.3, rng.random() < 0.5, b"\n", rng.choice([1, 3, 30, 45]), octets())
        lines = b"#0V%T\n" + lines
        program = 'local $/; binmode STDIN; binmode STDOUT; print unpack("u", <STDIN>)'
        yield "perl", lines, run(["perl", "-e", program], lines)
    for _ in range(100):
        # sharutils fills missing blanks from the previous line, and accepts no blank after `end`.
        line_end = rng.choice(ends)
        lines = body(rng.random() < 0.5, False, line_end, rng.choice([1, 3, 30, 45]), octets())
        text = file(lines, line_end, b"end")
        yield "sharutils", text, run(["uudecode", "-o", "/dev/stdout"], text)
    for _ in range(20):
        text = rng.choice(texts) + run(["uuencode", "-m", "a"], octets())
        yield "sharutils", text, run(["uudecode", "-o", "/dev/stdout"], text)


def version(command, pattern):
    return re.search(pattern, run(command, b"").decode()).group(1)


origin = (
    f"# oracle, encoded octets, octets; CPython {platform.python_version()}, "
    f"Perl {version(['perl', '-v'], r'v([0-9.]+)')}, "
    f"coreutils {version(['base64', '--version'], r' ([0-9.]+)')}, "
    f"sharutils {version(['uudecode', '--version'], r' ([0-9.]+)')}; corpus/transfer/make-transfer.py\n"
)
for name, rows in [
    ("quoted-printable", quoted_printable()),
    ("base64", base_64()),
    ("uuencode", uuencode()),
]:
    with open(f"{name}.tsv", "w") as file:
        file.write(origin)
        for oracle, text, octets in rows:
            file.write(f"{oracle}\t{text.hex()}\t{octets.hex()}\n")
