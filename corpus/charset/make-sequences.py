#!/usr/bin/env python3
"""Writes how other programs decode charsets with multi-octet sequences: iscii.tsv, tscii.tsv and
mac-hebrew.tsv.

    pip install open-tamil
    python3 make-sequences.py

Run it in this folder with ICU, glibc, Perl's Encode and Java, called as in
make-single-byte.py. The tests read the files and never need this script or those programs.

Each row has the charset, the program, octets and scalar values, in hexadecimal, `-` if the program
has no character. There is a row for each single octet, and for each pair and some longer sequences
if they differ from their octets decoded separately.

Microsoft's table of ISCII is from the source of .NET (github.com/dotnet/runtime, MIT licence),
ISCIIEncoding.cs, which cannot be run here: its letters are listed at the end, its pairs are not.
"""

import datetime
import importlib.util
import subprocess
import tempfile

import tamil.tscii as open_tamil

spec = importlib.util.spec_from_file_location("single_byte", "make-single-byte.py")
single_byte = importlib.util.module_from_spec(spec)
spec.loader.exec_module(single_byte)

JAVA = """
import java.nio.ByteBuffer;
import java.nio.charset.*;
public class Ask {
    public static void main(String[] names) throws Exception {
        CharsetDecoder decoder = Charset.forName(names[0]).newDecoder();
        for (String line : new String(System.in.readAllBytes()).split("\\n")) {
            byte[] octets = new byte[line.length() / 2];
            for (int at = 0; at < octets.length; at++) {
                octets[at] = (byte) Integer.parseInt(line.substring(2 * at, 2 * at + 2), 16);
            }
            StringBuilder text = new StringBuilder();
            try {
                decoder.decode(ByteBuffer.wrap(octets)).chars()
                    .forEach(unit -> text.append(String.format(" %04X", unit)));
            } catch (CharacterCodingException malformed) {
                text.append("-");
            }
            System.out.println(text.toString().trim());
        }
    }
}
"""


def ask_java(name, inputs):
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/Ask.java"
        with open(path, "w") as file:
            file.write(JAVA)
        run = subprocess.run(
            ["java", path, name],
            input="".join(octets.hex() + "\n" for octets in inputs),
            capture_output=True,
            text=True,
            check=True,
        )
    return [
        None if line == "-" else "".join(chr(int(code, 16)) for code in line.split())
        for line in run.stdout.splitlines()
    ]


def followed(ask):
    """The same, for programs that hold back characters that the next octet could change."""

    def ask_followed(name, inputs):
        texts = ask(name, [octets + b"|" for octets in inputs])
        return [text.removesuffix("|") if text is not None else None for text in texts]

    return ask_followed


def rows(charset, program, ask, name, sequences):
    octets = [bytes([octet]) for octet in range(0x80, 0x100)]
    alone = dict(zip(octets, ask(name, octets)))
    for octet, text in alone.items():
        yield row(charset, program, octet, text)
    for octets, text in zip(sequences, ask(name, sequences)):
        pieces = [alone.get(bytes([octet]), chr(octet)) for octet in octets]
        together = None if None in pieces else "".join(pieces)
        if text != together:
            yield row(charset, program, octets, text)


def row(charset, program, octets, text):
    scalars = "-" if text is None else "+".join(f"{ord(c):04X}" for c in text)
    return f"{charset}\t{program}\t{octets.hex().upper()}\t{scalars}"


def write(name, programs, rows):
    with open(name, "w") as file:
        today = datetime.date.today().isoformat()
        print(f"# {programs}; python3 make-sequences.py; {today}", file=file)
        print("# charset, program, octets, scalar values", file=file)
        for line in rows:
            print(line, file=file)


SCRIPTS = {
    "x-iscii-de": 0, "x-iscii-be": 1, "x-iscii-as": 1, "x-iscii-pa": 2, "x-iscii-gu": 3,
    "x-iscii-or": 4, "x-iscii-ta": 5, "x-iscii-te": 6, "x-iscii-ka": 7, "x-iscii-ma": 8,
}


def iscii():
    high = range(0xA0, 0x100)
    pairs = [bytes([a, b]) for a in high for b in high if a != 0xEF]
    switches = [bytes([0xEF, attribute, 0xB3]) for attribute in range(0x20, 0x80)]
    switches += [b"\xEF\x45\xB3\x0A\xB3", b"\xEF\x45\xB3\x0D\xB3", b"\xEF\x45\xEF\x40\xB3"]
    doubled = [bytes([a, 0xE8, a]) for a in high if a not in (0xEF, 0xF0)]
    ask_icu = followed(single_byte.ask_icu)
    for charset, version in SCRIPTS.items():
        name = f"ISCII,version={version}"
        yield from rows(charset, "icu", ask_icu, name, pairs + switches + doubled)
        letters = DOTNET[charset].split()
        for octet, letter in enumerate(letters, 0xA1):
            yield row(charset, "dotnet", bytes([octet]), None if letter == "-" else chr(int(letter, 16)))
    # Java converts undefined octets to noncharacters, and a halant before a letter to an invisible
    # joiner.
    nukta = [bytes([a, 0xE9]) for a in (*range(0xA1, 0xD9), *range(0xDA, 0xEB))]
    yield from rows("x-iscii-de", "java", ask_java, "x-ISCII91", [*nukta, b"\xE8\xE8"])


def tscii():
    high = range(0x80, 0x100)
    sequences = [bytes([a, b]) for a in high for b in high]
    sequences += [
        bytes([a, b, c])
        for a in (0xA6, 0xA7, 0xA8)
        for b in high
        for c in (0xA1, 0xA2, 0xA6, 0xAA, 0xB8)
    ]
    yield from rows("TSCII", "glibc", single_byte.ask_glibc, "TSCII", sequences)

    def ask_open_tamil(_, inputs):
        texts = []
        for octets in inputs:
            if len(octets) == 1:
                text = open_tamil.TSCII[octets[0]]
                texts.append(None if text == "?" else text)
            else:
                texts.append(open_tamil.convert_to_unicode_from_bytes(octets))
        return texts

    prefixed = [bytes([a, b]) for a in (0xA6, 0xA7, 0xA8) for b in (*range(0x83, 0x88), *range(0xB8, 0xCA))]
    yield from rows("TSCII", "open-tamil", ask_open_tamil, None, prefixed)


def mac_hebrew():
    yield from rows("x-mac-hebrew", "perl", single_byte.ask_perl, "MacHebrew", [])
    yield from rows("x-mac-hebrew", "java", ask_java, "x-MacHebrew", [])


def main():
    icu = f"ICU {single_byte.ICU_VERSION}"
    glibc = f"glibc {single_byte.libc.gnu_get_libc_version().decode()}"
    write("iscii.tsv", f"{icu}; OpenJDK 17; .NET, ISCIIEncoding.cs", iscii())
    write("tscii.tsv", f"{glibc}; open-tamil 1.1", tscii())
    write("mac-hebrew.tsv", "Perl Encode 3.17; OpenJDK 17", mac_hebrew())


# From A1 to EA, and from F1 to FA, after the six undefined ones.
DOTNET = {
    "x-iscii-de": """
0901 0902 0903 0905 0906 0907 0908 0909 090A 090B 090E 090F 0910 090D 0912 0913 0914 0911
0915 0916 0917 0918 0919 091A 091B 091C 091D 091E 091F 0920 0921 0922 0923 0924 0925 0926
0927 0928 0929 092A 092B 092C 092D 092E 092F 095F 0930 0931 0932 0933 0934 0935 0936 0937
0938 0939 - 093E 093F 0940 0941 0942 0943 0946 0947 0948 0945 094A 094B 094C 0949 094D
093C 0964 - - - - - - 0966 0967 0968 0969 096A 096B 096C 096D 096E 096F
""",
    "x-iscii-be": """
0981 0982 0983 0985 0986 0987 0988 0989 098A 098B 098F 098F 0990 0990 0993 0993 0994 0994
0995 0996 0997 0998 0999 099A 099B 099C 099D 099E 099F 09A0 09A1 09A2 09A3 09A4 09A5 09A6
09A7 09A8 09A8 09AA 09AB 09AC 09AD 09AE 09AF 09DF 09B0 09B0 09B2 09B2 09B2 09AC 09B6 09B7
09B8 09B9 - 09BE 09BF 09C0 09C1 09C2 09C3 09C7 09C7 09C8 09C8 09CB 09CB 09CC 09CC 09CD
09BC 002E - - - - - - 09E6 09E7 09E8 09E9 09EA 09EB 09EC 09ED 09EE 09EF
""",
    # Same as Bengali.
    "x-iscii-as": """
0981 0982 0983 0985 0986 0987 0988 0989 098A 098B 098F 098F 0990 0990 0993 0993 0994 0994
0995 0996 0997 0998 0999 099A 099B 099C 099D 099E 099F 09A0 09A1 09A2 09A3 09A4 09A5 09A6
09A7 09A8 09A8 09AA 09AB 09AC 09AD 09AE 09AF 09DF 09B0 09B0 09B2 09B2 09B2 09AC 09B6 09B7
09B8 09B9 - 09BE 09BF 09C0 09C1 09C2 09C3 09C7 09C7 09C8 09C8 09CB 09CB 09CC 09CC 09CD
09BC 002E - - - - - - 09E6 09E7 09E8 09E9 09EA 09EB 09EC 09ED 09EE 09EF
""",
    "x-iscii-pa": """
- 0A02 - 0A05 0A06 0A07 0A08 0A09 0A0A - 0A0F 0A0F 0A10 0A10 0A10 0A13 0A14 0A14 0A15
0A16 0A17 0A18 0A19 0A1A 0A1B 0A1C 0A1D 0A1E 0A1F 0A20 0A21 0A22 0A23 0A24 0A25 0A26 0A27
0A28 0A28 0A2A 0A2B 0A2C 0A2D 0A2E 0A2F 0A2F 0A30 0A30 0A32 0A33 0A33 0A35 0A36 0A36 0A38
0A39 - 0A3E 0A3F 0A40 0A41 0A42 - 0A47 0A47 0A48 0A48 0A4B 0A4B 0A4C 0A4C 0A4D 0A3C 002E
- - - - - - 0A66 0A67 0A68 0A69 0A6A 0A6B 0A6C 0A6D 0A6E 0A6F
""",
    "x-iscii-gu": """
0A81 0A82 0A83 0A85 0A86 0A87 0A88 0A89 0A8A 0A8B 0A8F 0A8F 0A90 0A8D 0A8D 0A93 0A94 0A91
0A95 0A96 0A97 0A98 0A99 0A9A 0A9B 0A9C 0A9D 0A9E 0A9F 0AA0 0AA1 0AA2 0AA3 0AA4 0AA5 0AA6
0AA7 0AA8 0AA8 0AAA 0AAB 0AAC 0AAD 0AAE 0AAF 0AAF 0AB0 0AB0 0AB2 0AB3 0AB3 0AB5 0AB6 0AB7
0AB8 0AB9 - 0ABE 0ABF 0AC0 0AC1 0AC2 0AC3 0AC7 0AC7 0AC8 0AC5 0ACB 0ACB 0ACC 0AC9 0ACD
0ABC 002E - - - - - - 0AE6 0AE7 0AE8 0AE9 0AEA 0AEB 0AEC 0AED 0AEE 0AEF
""",
    "x-iscii-or": """
0B01 0B02 0B03 0B05 0B06 0B07 0B08 0B09 0B0A 0B0B 0B0F 0B0F 0B10 0B10 0B10 0B13 0B14 0B14
0B15 0B16 0B17 0B18 0B19 0B1A 0B1B 0B1C 0B1D 0B1E 0B1F 0B20 0B21 0B22 0B23 0B24 0B25 0B26
0B27 0B28 0B28 0B2A 0B2B 0B2C 0B2D 0B2E 0B2F 0B5F 0B30 0B30 0B32 0B33 0B33 0B2C 0B36 0B37
0B38 0B39 - 0B3E 0B3F 0B40 0B41 0B42 0B43 0B47 0B47 0B48 0B48 0B4B 0B4B 0B4C 0B4C 0B4D
0B3C 002E - - - - - - 0B66 0B67 0B68 0B69 0B6A 0B6B 0B6C 0B6D 0B6E 0B6F
""",
    "x-iscii-ta": """
- 0B82 0B83 0B85 0B86 0B87 0B88 0B89 0B8A - 0B8F 0B8F 0B90 0B90 0B92 0B93 0B94 0B94 0B95
0B95 0B95 0B95 0B99 0B9A 0B9A 0B9C 0B9C 0B9E 0B9F 0B9F 0B9F 0B9F 0BA3 0BA4 0BA4 0BA4 0BA4
0BA8 0BA9 0BAA 0BAA 0BAA 0BAA 0BAE 0BAF 0BAF 0BB0 0BB1 0BB2 0BB3 0BB4 0BB5 0BB7 0BB7 0BB8
0BB9 - 0BBE 0BBF 0BC0 0BC1 0BC2 - 0BC6 0BC7 0BC8 0BC8 0BCA 0BCB 0BCC 0BCC 0BCD - 002E - -
- - - - 0030 0BE7 0BE8 0BE9 0BEA 0BEB 0BEC 0BED 0BEE 0BEF
""",
    "x-iscii-te": """
0C01 0C02 0C03 0C05 0C06 0C07 0C08 0C09 0C0A 0C0B 0C0E 0C0F 0C10 0C10 0C12 0C13 0C14 0C14
0C15 0C16 0C17 0C18 0C19 0C1A 0C1B 0C1C 0C1D 0C1E 0C1F 0C20 0C21 0C22 0C23 0C24 0C25 0C26
0C27 0C28 0C28 0C2A 0C2B 0C2C 0C2D 0C2E 0C2F 0C2F 0C30 0C31 0C32 0C33 0C33 0C35 0C36 0C37
0C38 0C39 - 0C3E 0C3F 0C40 0C41 0C42 0C43 0C46 0C47 0C48 0C48 0C4A 0C4B 0C4C 0C4C 0C4D -
002E - - - - - - 0C66 0C67 0C68 0C69 0C6A 0C6B 0C6C 0C6D 0C6E 0C6F
""",
    "x-iscii-ka": """
- 0C82 0C83 0C85 0C86 0C87 0C88 0C89 0C8A 0C8B 0C8E 0C8F 0C90 0C90 0C92 0C93 0C94 0C94
0C95 0C96 0C97 0C98 0C99 0C9A 0C9B 0C9C 0C9D 0C9E 0C9F 0CA0 0CA1 0CA2 0CA3 0CA4 0CA5 0CA6
0CA7 0CA8 0CA8 0CAA 0CAB 0CAC 0CAD 0CAE 0CAF 0CAF 0CB0 0CB1 0CB2 0CB3 0CB3 0CB5 0CB6 0CB7
0CB8 0CB9 - 0CBE 0CBF 0CC0 0CC1 0CC2 0CC3 0CC6 0CC7 0CC8 0CC8 0CCA 0CCB 0CCC 0CCC 0CCD -
002E - - - - - - 0CE6 0CE7 0CE8 0CE9 0CEA 0CEB 0CEC 0CED 0CEE 0CEF
""",
    "x-iscii-ma": """
- 0D02 0D03 0D05 0D06 0D07 0D08 0D09 0D0A 0D0B 0D0E 0D0F 0D10 0D10 0D12 0D13 0D14 0D14
0D15 0D16 0D17 0D18 0D19 0D1A 0D1B 0D1C 0D1D 0D1E 0D1F 0D20 0D21 0D22 0D23 0D24 0D25 0D26
0D27 0D28 0D28 0D2A 0D2B 0D2C 0D2D 0D2E 0D2F 0D2F 0D30 0D31 0D32 0D33 0D34 0D35 0D36 0D37
0D38 0D39 - 0D3E 0D3F 0D40 0D41 0D42 0D43 0D46 0D47 0D48 0D48 0D4A 0D4B 0D4C 0D4C 0D4D -
002E - - - - - - 0D66 0D67 0D68 0D69 0D6A 0D6B 0D6C 0D6D 0D6E 0D6F
""",
}

if __name__ == "__main__":
    main()
