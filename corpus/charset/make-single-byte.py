#!/usr/bin/env python3
"""Writes single-byte.tsv: how other programs decode single-byte charsets.

    python3 corpus/charset/make-single-byte.py > corpus/charset/single-byte.tsv

Asks, octet by octet, CPython's codecs, glibc's iconv (through libc), ICU's converters
(through libicuuc), Perl's Encode and GNU recode; reads glibc's charmaps (Debian's package `locales`)
for the sets that iconv does not convert. For charsets in which an octet may be an accent
for the next one, also asks every pair that begins with such an octet.

A second table of VPS is in the keyboard xvnkb, github.com/lamdao/xvnkb, vps.h. It has only the
letters above 7F; its octets are listed at the end too.

Three sets are in none of them and are taken from the ICU project's archive of mappings,
unicode-org/icu-data, charset/data/ucm; their octets are listed at the end of this file,
in the order of their characters.
"""

import codecs
import ctypes
import datetime
import glob
import gzip
import os
import platform
import re
import subprocess
import sys
import unicodedata

CHARMAPS = "/usr/share/i18n/charmaps/"

# The charset as named by this project, then every program that supports it with its name there.
SOURCES = """\
Adobe-Standard-Encoding perl=AdobeStandardEncoding icu=ibm-1276_P100-1995
Adobe-Symbol-Encoding perl=AdobeSymbol
ANSI_X3.110-1983 glibc=ANSI_X3.110-1983 charmap=ANSI_X3.110-1983
ARMSCII-8 glibc=ARMSCII-8 charmap=ARMSCII-8
ASMO_449 glibc=ASMO_449 charmap=ASMO_449
BRF glibc=BRF charmap=BRF
BS_4730 glibc=BS_4730 charmap=BS_4730
BS_viewdata charmap=BS_VIEWDATA
CP1125 py=CP1125 glibc=CP1125 charmap=CP1125 icu=ibm-1125_P100-1997
CSA_Z243.4-1985-1 glibc=CSA_Z243.4-1985-1 charmap=CSA_Z243.4-1985-1
CSA_Z243.4-1985-2 glibc=CSA_Z243.4-1985-2 charmap=CSA_Z243.4-1985-2
CSA_Z243.4-1985-gr charmap=CSA_Z243.4-1985-GR
CSN_369103 glibc=CSN_369103 charmap=CSN_369103
DEC-MCS glibc=DEC-MCS charmap=DEC-MCS
DIN_66003 glibc=DIN_66003 charmap=DIN_66003
DS_2089 glibc=DS_2089 charmap=DS_2089
EBCDIC-AT-DE glibc=EBCDIC-AT-DE charmap=EBCDIC-AT-DE
EBCDIC-AT-DE-A glibc=EBCDIC-AT-DE-A charmap=EBCDIC-AT-DE-A
EBCDIC-CA-FR glibc=EBCDIC-CA-FR charmap=EBCDIC-CA-FR
EBCDIC-DK-NO glibc=EBCDIC-DK-NO charmap=EBCDIC-DK-NO
EBCDIC-DK-NO-A glibc=EBCDIC-DK-NO-A charmap=EBCDIC-DK-NO-A
EBCDIC-ES glibc=EBCDIC-ES charmap=EBCDIC-ES
EBCDIC-ES-A glibc=EBCDIC-ES-A charmap=EBCDIC-ES-A
EBCDIC-ES-S glibc=EBCDIC-ES-S charmap=EBCDIC-ES-S
EBCDIC-FI-SE glibc=EBCDIC-FI-SE charmap=EBCDIC-FI-SE
EBCDIC-FI-SE-A glibc=EBCDIC-FI-SE-A charmap=EBCDIC-FI-SE-A
EBCDIC-FR glibc=EBCDIC-FR charmap=EBCDIC-FR
EBCDIC-IT glibc=EBCDIC-IT charmap=EBCDIC-IT
EBCDIC-PT glibc=EBCDIC-PT charmap=EBCDIC-PT
EBCDIC-UK glibc=EBCDIC-UK charmap=EBCDIC-UK
EBCDIC-US glibc=EBCDIC-US charmap=EBCDIC-US
ECMA-cyrillic glibc=ECMA-cyrillic charmap=ECMA-CYRILLIC
ES glibc=ES charmap=ES
ES2 glibc=ES2 charmap=ES2
GB_1988-80 glibc=GB_1988-80 charmap=GB_1988-80
GEORGIAN-ACADEMY glibc=GEORGIAN-ACADEMY charmap=GEORGIAN-ACADEMY
GEORGIAN-PS glibc=GEORGIAN-PS charmap=GEORGIAN-PS
GOST_19768-74 glibc=GOST_19768-74 charmap=GOST_19768-74
greek-ccitt glibc=greek-ccitt charmap=GREEK-CCITT
greek7 glibc=greek7 charmap=GREEK7
greek7-old glibc=greek7-old charmap=GREEK7-OLD
hp-roman8 py=hp-roman8 glibc=hp-roman8 charmap=HP-ROMAN8 perl=hp-roman8 icu=ibm-1051_P100-1995
IBM-Symbols icu-archive=IBM-Symbols
IBM-Thai icu=ibm-838_P100-1995
IBM00858 py=cp858 glibc=cp858 charmap=IBM858 perl=cp858 icu=ibm-858_P100-1997
IBM00924 icu-archive=IBM00924
IBM01140 py=cp1140 glibc=cp1140 icu=ibm-1140_P100-1997
IBM01141 glibc=cp1141 icu=ibm-1141_P100-1997
IBM01142 glibc=cp1142 icu=ibm-1142_P100-1997
IBM01143 glibc=cp1143 icu=ibm-1143_P100-1997
IBM01144 glibc=cp1144 icu=ibm-1144_P100-1997
IBM01145 glibc=cp1145 icu=ibm-1145_P100-1997
IBM01146 glibc=cp1146 icu=ibm-1146_P100-1997
IBM01147 glibc=cp1147 icu=ibm-1147_P100-1997
IBM01148 glibc=cp1148 icu=ibm-1148_P100-1997
IBM01149 glibc=cp1149 icu=ibm-1149_P100-1997
IBM037 py=IBM037 glibc=IBM037 charmap=IBM037 perl=ibm-37 icu=ibm-37_P100-1995
IBM038 glibc=IBM038 charmap=IBM038
IBM1026 py=IBM1026 glibc=IBM1026 charmap=IBM1026 perl=IBM1026 icu=ibm-1026_P100-1995
IBM1047 glibc=IBM1047 charmap=IBM1047 perl=IBM1047 icu=ibm-1047_P100-1995
IBM273 py=IBM273 glibc=IBM273 charmap=IBM273 icu=ibm-273_P100-1995
IBM274 glibc=IBM274 charmap=IBM274
IBM275 glibc=IBM275 charmap=IBM275
IBM277 glibc=IBM277 charmap=IBM277 icu=ibm-277_P100-1995
IBM278 glibc=IBM278 charmap=IBM278 icu=ibm-278_P100-1995
IBM280 glibc=IBM280 charmap=IBM280 icu=ibm-280_P100-1995
IBM281 glibc=IBM281 charmap=IBM281
IBM284 glibc=IBM284 charmap=IBM284 icu=ibm-284_P100-1995
IBM285 glibc=IBM285 charmap=IBM285 icu=ibm-285_P100-1995
IBM290 glibc=IBM290 charmap=IBM290 icu=ibm-290_P100-1995
IBM297 glibc=IBM297 charmap=IBM297 icu=ibm-297_P100-1995
IBM420 glibc=IBM420 charmap=IBM420 icu=ibm-420_X120-1999
IBM423 glibc=IBM423 charmap=IBM423
IBM424 py=IBM424 glibc=IBM424 charmap=IBM424 perl=IBM424 icu=ibm-424_P100-1995
IBM437 py=IBM437 glibc=IBM437 charmap=IBM437 perl=IBM437 icu=ibm-437_P100-1995
IBM500 py=IBM500 glibc=IBM500 charmap=IBM500 perl=IBM500 icu=ibm-500_P100-1995
IBM720 py=cp720 icu=ibm-720_P100-1997
IBM737 py=cp737 glibc=cp737 perl=IBM737 icu=ibm-737_P100-1997
IBM775 py=IBM775 glibc=IBM775 charmap=CP775 perl=IBM775 icu=ibm-775_P100-1996
IBM850 py=IBM850 glibc=IBM850 charmap=IBM850 perl=IBM850 icu=ibm-850_P100-1995
IBM851 glibc=IBM851 charmap=IBM851 icu=ibm-851_P100-1995
IBM852 py=IBM852 glibc=IBM852 charmap=IBM852 perl=IBM852 icu=ibm-852_P100-1995
IBM855 py=IBM855 glibc=IBM855 charmap=IBM855 perl=IBM855 icu=ibm-855_P100-1995
IBM857 py=IBM857 glibc=IBM857 charmap=IBM857 perl=IBM857 icu=ibm-857_P100-1995
IBM860 py=IBM860 glibc=IBM860 charmap=IBM860 perl=IBM860 icu=ibm-860_P100-1995
IBM861 py=IBM861 glibc=IBM861 charmap=IBM861 perl=IBM861 icu=ibm-861_P100-1995
IBM862 py=IBM862 glibc=IBM862 charmap=IBM862 perl=IBM862 icu=ibm-862_P100-1995
IBM863 py=IBM863 glibc=IBM863 charmap=IBM863 perl=IBM863 icu=ibm-863_P100-1995
IBM864 py=IBM864 glibc=IBM864 charmap=IBM864 perl=IBM864 icu=ibm-864_X110-1999
IBM865 py=IBM865 glibc=IBM865 charmap=IBM865 perl=IBM865 icu=ibm-865_P100-1995
IBM866 py=IBM866 glibc=IBM866 charmap=IBM866 perl=IBM866 icu=ibm-866_P100-1995
IBM868 glibc=IBM868 charmap=IBM868 icu=ibm-868_P100-1995
IBM869 py=IBM869 glibc=IBM869 charmap=IBM869 perl=IBM869 icu=ibm-869_P100-1995
IBM870 glibc=IBM870 charmap=IBM870 icu=ibm-870_P100-1995
IBM871 glibc=IBM871 charmap=IBM871 icu=ibm-871_P100-1995
IBM880 glibc=IBM880 charmap=IBM880
IBM891 glibc=IBM891 charmap=IBM891
IBM903 glibc=IBM903 charmap=IBM903
IBM904 glibc=IBM904 charmap=IBM904
IBM905 glibc=IBM905 charmap=IBM905
IBM918 glibc=IBM918 charmap=IBM918 icu=ibm-918_P100-1995
IEC_P27-1 glibc=IEC_P27-1 charmap=IEC_P27-1
INIS glibc=INIS charmap=INIS
INIS-8 glibc=INIS-8 charmap=INIS-8
INIS-cyrillic glibc=INIS-cyrillic charmap=INIS-CYRILLIC
INVARIANT charmap=INVARIANT
ISO-11548-1 glibc=ISO_11548-1 charmap=ISO_11548-1
ISO-8859-1 py=ISO-8859-1 glibc=ISO-8859-1 charmap=ISO-8859-1 perl=ISO-8859-1 icu=ISO-8859-1
ISO-8859-10 py=ISO-8859-10 glibc=ISO-8859-10 charmap=ISO-8859-10 perl=ISO-8859-10 icu=iso-8859_10-1998
ISO-8859-13 py=ISO-8859-13 glibc=ISO-8859-13 charmap=ISO-8859-13 perl=ISO-8859-13 icu=ibm-921_P100-1995
ISO-8859-14 py=ISO-8859-14 glibc=ISO-8859-14 charmap=ISO-8859-14 perl=ISO-8859-14 icu=iso-8859_14-1998
ISO-8859-15 py=ISO-8859-15 glibc=ISO-8859-15 charmap=ISO-8859-15 perl=ISO-8859-15 icu=ibm-923_P100-1998
ISO-8859-16 py=ISO-8859-16 glibc=ISO-8859-16 charmap=ISO-8859-16 perl=ISO-8859-16
ISO-8859-2 py=ISO-8859-2 glibc=ISO-8859-2 charmap=ISO-8859-2 perl=ISO-8859-2 icu=ibm-912_P100-1995
ISO-8859-3 py=ISO-8859-3 glibc=ISO-8859-3 charmap=ISO-8859-3 perl=ISO-8859-3 icu=ibm-913_P100-2000
ISO-8859-4 py=ISO-8859-4 glibc=ISO-8859-4 charmap=ISO-8859-4 perl=ISO-8859-4 icu=ibm-914_P100-1995
ISO-8859-5 py=ISO-8859-5 glibc=ISO-8859-5 charmap=ISO-8859-5 perl=ISO-8859-5 icu=ibm-915_P100-1995
ISO-8859-6 py=ISO-8859-6 glibc=ISO-8859-6 charmap=ISO-8859-6 perl=ISO-8859-6 icu=ibm-1089_P100-1995
ISO-8859-6-E icu=ibm-1089_P100-1995
ISO-8859-6-I icu=ibm-1089_P100-1995
ISO-8859-7 py=ISO-8859-7 glibc=ISO-8859-7 charmap=ISO-8859-7 perl=ISO-8859-7 icu=ibm-9005_X110-2007 icu=ibm-813_P100-1995
ISO-8859-8 py=ISO-8859-8 glibc=ISO-8859-8 charmap=ISO-8859-8 perl=ISO-8859-8 icu=ibm-5012_P100-1999 icu=ibm-916_P100-1995
ISO-8859-8-E icu=ibm-5012_P100-1999
ISO-8859-8-I icu=ibm-5012_P100-1999
ISO-8859-9 py=ISO-8859-9 glibc=ISO-8859-9 charmap=ISO-8859-9 perl=ISO-8859-9 icu=ibm-920_P100-1995
iso-ir-90 glibc=iso-ir-90 charmap=ISO-IR-90
ISO_10367-box glibc=ISO_10367-box charmap=ISO_10367-BOX
ISO_2033-1983 glibc=ISO_2033-1983 charmap=ISO_2033-1983
ISO_5427 glibc=ISO_5427 charmap=ISO_5427
ISO_5427:1981 glibc=ISO_5427:1981 charmap=ISO_5427-EXT
ISO_5428:1980 glibc=ISO_5428:1980 charmap=ISO_5428
ISO_646.basic:1983 charmap=ISO_646.BASIC
ISO_646.irv:1983 charmap=ISO_646.IRV icu=US-ASCII
ISO_6937-2-25 charmap=ISO_6937-2-25
ISO_6937-2-add glibc=ISO_6937 charmap=ISO_6937-2-ADD
ISO_8859-supp charmap=ISO_8859-SUPP
IT glibc=IT charmap=IT
JIS_C6220-1969-jp charmap=JIS_C6220-1969-JP
JIS_C6220-1969-ro glibc=JIS_C6220-1969-ro charmap=JIS_C6220-1969-RO
JIS_C6229-1984-a charmap=JIS_C6229-1984-A
JIS_C6229-1984-b glibc=JIS_C6229-1984-b charmap=JIS_C6229-1984-B
JIS_C6229-1984-b-add charmap=JIS_C6229-1984-B-ADD
JIS_C6229-1984-hand charmap=JIS_C6229-1984-HAND
JIS_C6229-1984-hand-add charmap=JIS_C6229-1984-HAND-ADD
JIS_C6229-1984-kana charmap=JIS_C6229-1984-KANA
JUS_I.B1.002 glibc=JUS_I.B1.002 charmap=JUS_I.B1.002
JUS_I.B1.003-mac charmap=JUS_I.B1.003-MAC
JUS_I.B1.003-serb charmap=JUS_I.B1.003-SERB
KOI8-R py=KOI8-R glibc=KOI8-R charmap=KOI8-R perl=KOI8-R icu=ibm-878_P100-1996
KOI8-RU glibc=KOI8-RU charmap=KOI8-RU
KOI8-T py=KOI8-T glibc=KOI8-T charmap=KOI8-T
KOI8-U py=KOI8-U glibc=KOI8-U charmap=KOI8-U perl=KOI8-U icu=ibm-1168_P100-2002
KSC5636 glibc=KSC5636 charmap=KSC5636
KZ-1048 py=KZ-1048 glibc=STRK1048-2002 charmap=RK1048
latin-greek glibc=latin-greek charmap=LATIN-GREEK
Latin-greek-1 glibc=Latin-greek-1 charmap=LATIN-GREEK-1
latin-lap charmap=SAMI
macintosh py=macintosh glibc=macintosh charmap=MACINTOSH perl=macintosh icu=macos-0_2-10.2
MIK glibc=MIK charmap=MIK
MSZ_7795.3 glibc=MSZ_7795.3 charmap=MSZ_7795.3
NATS-DANO glibc=NATS-DANO charmap=NATS-DANO
NATS-DANO-ADD charmap=NATS-DANO-ADD
NATS-SEFI glibc=NATS-SEFI charmap=NATS-SEFI
NATS-SEFI-ADD charmap=NATS-SEFI-ADD
NC_NC00-10:81 glibc=NC_NC00-10:81 charmap=NC_NC00-10
NEXTSTEP charmap=NEXTSTEP perl=NEXTSTEP
NF_Z_62-010 glibc=NF_Z_62-010 charmap=NF_Z_62-010
NF_Z_62-010_(1973) glibc=NF_Z_62-010_(1973) charmap=NF_Z_62-010_1973
NS_4551-1 glibc=NS_4551-1 charmap=NS_4551-1
NS_4551-2 glibc=NS_4551-2 charmap=NS_4551-2
OSD_EBCDIC_DF04_1 perl=posix-bc
OSD_EBCDIC_DF04_15 icu-archive=OSD_EBCDIC_DF04_15
PT glibc=PT charmap=PT
PT2 glibc=PT2 charmap=PT2
PTCP154 py=PTCP154 glibc=PT154 charmap=PT154
SEN_850200_B glibc=SEN_850200_B charmap=SEN_850200_B
SEN_850200_C glibc=SEN_850200_C charmap=SEN_850200_C
T.101-G2 charmap=T.101-G2
T.61-7bit charmap=T.61-7BIT
T.61-8bit glibc=T.61-8bit charmap=T.61-8BIT
TCVN glibc=TCVN charmap=TCVN5712-1
TIS-620 py=TIS-620 py=iso8859_11 glibc=TIS-620 glibc=ISO-8859-11 charmap=TIS-620 charmap=ISO-8859-11 perl=TIS-620 perl=iso-8859-11 icu=windows-874-2000
US-ASCII py=US-ASCII glibc=US-ASCII charmap=ANSI_X3.4-1968 perl=US-ASCII icu=US-ASCII
videotex-suppl charmap=VIDEOTEX-SUPPL
VISCII glibc=VISCII charmap=VISCII perl=VISCII
VPS recode=VPS xvnkb=VPS
windows-1250 py=windows-1250 glibc=windows-1250 charmap=CP1250 perl=windows-1250 icu=ibm-5346_P100-1998
windows-1251 py=windows-1251 glibc=windows-1251 charmap=CP1251 perl=windows-1251 icu=ibm-5347_P100-1998
windows-1252 py=windows-1252 glibc=windows-1252 charmap=CP1252 perl=windows-1252 icu=ibm-5348_P100-1997
windows-1253 py=windows-1253 glibc=windows-1253 charmap=CP1253 perl=windows-1253 icu=ibm-5349_P100-1998
windows-1254 py=windows-1254 glibc=windows-1254 charmap=CP1254 perl=windows-1254 icu=ibm-5350_P100-1998
windows-1255 py=windows-1255 glibc=windows-1255 charmap=CP1255 perl=windows-1255 icu=ibm-9447_P100-2002
windows-1256 py=windows-1256 glibc=windows-1256 charmap=CP1256 perl=windows-1256 icu=ibm-9448_X100-2005
windows-1257 py=windows-1257 glibc=windows-1257 charmap=CP1257 perl=windows-1257 icu=ibm-9449_P100-2002
windows-1258 py=windows-1258 glibc=windows-1258 charmap=CP1258 perl=windows-1258 icu=ibm-5354_P100-1998
windows-874 glibc=windows-874 perl=windows-874 icu=windows-874-2000
x-mac-arabic py=mac_arabic perl=x-mac-arabic
x-mac-ce py=mac_latin2 glibc=MAC-CENTRALEUROPE charmap=MAC-CENTRALEUROPE perl=MacCentralEurRoman icu=macos-29-10.2
x-mac-croatian py=mac_croatian perl=x-mac-croatian
x-mac-cyrillic py=mac_cyrillic glibc=MAC-CYRILLIC charmap=MAC-CYRILLIC perl=x-mac-cyrillic icu=macos-7_3-10.2
x-mac-farsi py=mac_farsi perl=x-mac-farsi
x-mac-greek py=mac_greek perl=x-mac-greek icu=macos-6_2-10.4
x-mac-icelandic py=mac_iceland glibc=MAC-IS charmap=MAC-IS perl=x-mac-icelandic
x-mac-romanian py=mac_romanian perl=x-mac-romanian
x-mac-turkish py=mac_turkish perl=x-mac-turkish icu=macos-35-10.2
"""

# In these an accent precedes its letter.
ACCENTS = {
    "ANSI_X3.110-1983": range(0xC0, 0xD0),
    "iso-ir-90": range(0xC0, 0xD0),
    "ISO_6937-2-add": range(0xC0, 0xD0),
    "T.101-G2": range(0xC0, 0xD0),
    "T.61-8bit": range(0xC0, 0xD0),
    "videotex-suppl": range(0xC0, 0xD0),
}


def ask_python(name, inputs):
    codec = codecs.lookup(name)
    texts = []
    for octets in inputs:
        try:
            texts.append(codec.decode(octets, "strict")[0])
        except UnicodeDecodeError:
            texts.append(None)
    return texts


libc = ctypes.CDLL(None, use_errno=True)
libc.iconv_open.restype = ctypes.c_void_p
libc.iconv_open.argtypes = [ctypes.c_char_p, ctypes.c_char_p]
libc.iconv.restype = ctypes.c_size_t
libc.iconv.argtypes = [ctypes.c_void_p] * 5
libc.gnu_get_libc_version.restype = ctypes.c_char_p


def ask_glibc(name, inputs):
    handle = libc.iconv_open(b"UTF-32BE", name.encode())
    assert handle not in (None, ctypes.c_void_p(-1).value), name
    texts = []
    for octets in inputs:
        source = ctypes.create_string_buffer(octets, len(octets))
        target = ctypes.create_string_buffer(256)
        source_at = ctypes.c_void_p(ctypes.addressof(source))
        target_at = ctypes.c_void_p(ctypes.addressof(target))
        left, room = ctypes.c_size_t(len(octets)), ctypes.c_size_t(256)
        result = libc.iconv(
            handle,
            ctypes.byref(source_at),
            ctypes.byref(left),
            ctypes.byref(target_at),
            ctypes.byref(room),
        )
        good = result == 0 and left.value == 0
        # Some converters hold back the last character.
        good = good and 0 == libc.iconv(
            handle, None, None, ctypes.byref(target_at), ctypes.byref(room)
        )
        libc.iconv(handle, None, None, None, None)
        texts.append(target.raw[: 256 - room.value].decode("utf-32-be") if good else None)
    return texts


def charmap_pairs(name):
    with gzip.open(f"{CHARMAPS}{name}.gz", "rt", encoding="latin-1") as file:
        for line in file:
            octets = r"((?:/x[0-9a-fA-F]{2})+)"
            plain = re.match(rf"<U([0-9A-F]{{4,}})>(?:\.\.<U([0-9A-F]+)>)?\s+{octets}", line)
            named = re.match(rf"<\S+>\s+{octets}\s+<U([0-9A-F]+)>", line)
            if plain:
                first = int(plain[1], 16)
                last = int(plain[2], 16) if plain[2] else first
                code = bytes.fromhex(plain[3].replace("/x", ""))
                for step in range(last - first + 1):
                    yield code[:-1] + bytes([code[-1] + step]), chr(first + step)
            elif named:
                yield bytes.fromhex(named[1].replace("/x", "")), chr(int(named[2], 16))


def ask_charmap(name, inputs):
    texts = {}
    for octets, text in charmap_pairs(name):
        # Some charmaps list the controls a second time, all as octet 00.
        texts.setdefault(octets, text)
    return [texts.get(octets) for octets in inputs]


PERL = r"""
my $codec = Encode::find_encoding($ARGV[0]) or die "unknown: $ARGV[0]";
while (<STDIN>) {
    chomp;
    my $octets = pack("H*", $_);
    my $text = eval { $codec->decode($octets, Encode::FB_CROAK) };
    print defined $text && !length $octets ? join("+", map { sprintf "%04X", ord } split //, $text) : "-", "\n";
}
"""


def ask_perl(name, inputs):
    run = subprocess.run(
        ["perl", "-MEncode", "-e", PERL, name],
        input="".join(octets.hex() + "\n" for octets in inputs),
        capture_output=True,
        text=True,
        check=True,
    )
    return [
        None if line == "-" else "".join(chr(int(code, 16)) for code in line.split("+"))
        for line in run.stdout.splitlines()
    ]


icu_path = sorted(
    path
    for directory in ["/usr/lib/*", "/usr/lib", "/usr/local/lib"]
    for path in glob.glob(f"{directory}/libicuuc.so.[0-9][0-9]")
)[-1]
icu = ctypes.CDLL(icu_path)
ICU_VERSION = icu_path.rsplit(".", 1)[1]


def icu_function(name):
    return getattr(icu, f"{name}_{ICU_VERSION}")


icu_function("ucnv_open").restype = ctypes.c_void_p
STOP = ctypes.cast(icu_function("UCNV_TO_U_CALLBACK_STOP"), ctypes.c_void_p)


def ask_icu(name, inputs):
    status = ctypes.c_int(0)
    converter = ctypes.c_void_p(icu_function("ucnv_open")(name.encode(), ctypes.byref(status)))
    assert status.value <= 0 and converter.value, name
    icu_function("ucnv_setToUCallBack")(converter, STOP, None, None, None, ctypes.byref(status))
    texts = []
    for octets in inputs:
        units = (ctypes.c_uint16 * 64)()
        status = ctypes.c_int(0)
        count = icu_function("ucnv_toUChars")(
            converter, units, 64, octets, len(octets), ctypes.byref(status)
        )
        text = bytes(bytearray(units))[: 2 * count].decode("utf-16-le", "surrogatepass")
        texts.append(None if status.value > 0 else text)
    return texts


def ask_recode(name, inputs):
    texts = []
    for octets in inputs:
        run = subprocess.run(
            ["recode", f"{name}..UTF-16BE"], input=octets, capture_output=True
        )
        text = run.stdout.decode("utf-16-be").removeprefix("\uFEFF")
        texts.append(text if text and run.returncode == 0 else None)
    return texts


def ask_xvnkb(name, inputs):
    # A capital whose octet is below 20 shares the octet of the small letter, which takes
    # precedence.
    letters = dict(zip(bytes.fromhex(XVNKB), XVNKB_LETTERS))
    return [letters[octets[0]] if octets >= b"\x80" and octets[0] in letters else None for octets in inputs]


def ask_icu_archive(name, inputs):
    texts = {}
    for line in ICU_ARCHIVE[name].split("\n"):
        first, *octets = line.split()
        for place, octet in enumerate(octets):
            if octet != "--":
                texts[bytes.fromhex(octet)] = chr(int(first, 16) + place)
    return [texts.get(octets) for octets in inputs]


ASK = {
    "py": ask_python,
    "glibc": ask_glibc,
    "charmap": ask_charmap,
    "perl": ask_perl,
    "icu": ask_icu,
    "recode": ask_recode,
    "xvnkb": ask_xvnkb,
    "icu-archive": ask_icu_archive,
}


def cells(texts):
    """`-` no character, `-*n` n times none, `A..B` consecutive characters, `A+B` a sequence."""
    out, at = [], 0
    while at < len(texts):
        end = at + 1
        if texts[at] is None:
            while end < len(texts) and texts[end] is None:
                end += 1
            out.append("-" if end == at + 1 else f"-*{end - at}")
        elif len(texts[at]) == 1:
            while (
                end < len(texts)
                and texts[end] is not None
                and len(texts[end]) == 1
                and ord(texts[end]) == ord(texts[end - 1]) + 1
            ):
                end += 1
            if end < at + 3:
                end = at + 1
            first, last = ord(texts[at]), ord(texts[end - 1])
            out.append(f"{first:04X}" if end == at + 1 else f"{first:04X}..{last:04X}")
        else:
            out.append("+".join(f"{ord(c):04X}" for c in texts[at]) or "empty")
        at = end
    return " ".join(out)


def rows(charset, names):
    prefixes = [b""] + [bytes([octet]) for octet in ACCENTS.get(charset, [])]
    for prefix in prefixes:
        inputs = [prefix + bytes([octet]) for octet in range(256)]
        answers = {}
        for name in names:
            tool, _, codec = name.partition("=")
            answers.setdefault(cells(ASK[tool](codec, inputs)), []).append(name)
        for text, who in answers.items():
            if prefix and text == "-*256":
                continue
            yield f"{charset}\t{','.join(who)}\t{prefix.hex().upper() or '-'}\t00\t{text}"


def main():
    perl = subprocess.run(
        ["perl", "-MEncode", "-e", "print $Encode::VERSION"], capture_output=True, text=True
    ).stdout
    print("# 256 cells of every single-byte charset, as other programs read them")
    print(
        f"# py: CPython {platform.python_version()}; glibc, charmap: glibc"
        f" {libc.gnu_get_libc_version().decode()}; perl: Encode {perl};"
        f" icu: ICU {ICU_VERSION}; recode: GNU recode 3.6; xvnkb: vps.h of 2002;"
        " icu-archive: unicode-org/icu-data"
    )
    print("# python3 corpus/charset/make-single-byte.py > corpus/charset/single-byte.tsv")
    print(f"# {datetime.date.today().isoformat()}")
    print("# charset, programs and their names for it, prefix, first octet, cells")
    for line in SOURCES.splitlines():
        charset, *names = line.split(" ")
        for row in rows(charset, names):
            print(row)


C0 = "00 01 02 03 37 2D 2E 2F 16 05 {lf} 0B 0C 0D 0E 0F 10 11 12 13 3C 3D 32 26 18 19 3F 27 1C 1D 1E 1F"

ICU_ARCHIVE = {
    # ibm-924_P100-1998.ucm
    "IBM00924": f"0000 {C0.format(lf=25)}"
    """
0020 40 5A 7F 7B 5B 6C 50 7D 4D 5D 5C 4E 6B 60 4B 61 F0 F1 F2 F3 F4 F5 F6 F7 F8 F9 7A 5E 4C 7E 6E 6F
0040 7C C1 C2 C3 C4 C5 C6 C7 C8 C9 D1 D2 D3 D4 D5 D6 D7 D8 D9 E2 E3 E4 E5 E6 E7 E8 E9 AD E0 BD 5F 6D
0060 79 81 82 83 84 85 86 87 88 89 91 92 93 94 95 96 97 98 99 A2 A3 A4 A5 A6 A7 A8 A9 C0 4F D0 A1 07
0080 20 21 22 23 24 15 06 17 28 29 2A 2B 2C 09 0A 1B 30 31 1A 33 34 35 36 08 38 39 3A 3B 04 14 3E FF
00A0 41 AA B0 B1 -- B2 -- B5 -- B4 9A 8A BA CA AF BC 90 8F EA FA -- A0 B6 B3 -- DA 9B 8B -- -- -- AB
00C0 64 65 62 66 63 67 9E 68 74 71 72 73 78 75 76 77 AC 69 ED EE EB EF EC BF 80 FD FE FB FC 4A AE 59
00E0 44 45 42 46 43 47 9C 48 54 51 52 53 58 55 56 57 8C 49 CD CE CB CF CC E1 70 DD DE DB DC 8D 8E DF
0152 B7 B8
0160 6A BB
0178 B9
017D BE 9D
20AC 9F""",
    # osd-EBCDIC-DF04-15.ucm
    "OSD_EBCDIC_DF04_15": f"0000 {C0.format(lf=15)}"
    """
0020 40 5A 7F 7B 5B 6C 50 7D 4D 5D 5C 4E 6B 60 4B 61 F0 F1 F2 F3 F4 F5 F6 F7 F8 F9 7A 5E 4C 7E 6E 6F
0040 7C C1 C2 C3 C4 C5 C6 C7 C8 C9 D1 D2 D3 D4 D5 D6 D7 D8 D9 E2 E3 E4 E5 E6 E7 E8 E9 BB BC BD 6A 6D
0060 4A 81 82 83 84 85 86 87 88 89 91 92 93 94 95 96 97 98 99 A2 A3 A4 A5 A6 A7 A8 A9 FB 4F FD FF 07
0080 20 21 22 23 24 04 06 08 28 29 2A 2B 2C 09 0A 14 30 31 25 33 34 35 36 17 38 39 3A 3B 1A 1B 3E 5F
00A0 41 AA B0 B1 -- B2 -- B5 -- B4 9A 8A BA CA AF A1 90 8F EA FA -- A0 B6 B3 -- DA 9B 8B -- -- -- AB
00C0 64 65 62 66 63 67 9E 68 74 71 72 73 78 75 76 77 AC 69 ED EE EB EF EC BF 80 E0 FE DD FC AD AE 59
00E0 44 45 42 46 43 47 9C 48 54 51 52 53 58 55 56 57 8C 49 CD CE CB CF CC E1 70 C0 DE DB DC 8D 8E DF
0152 B7 B8
0160 D0 79
0178 B9
017D BE 9D
20AC 9F""",
    # ibm-259_P100-1995.ucm, without its private-use characters
    "IBM-Symbols": f"0000 {C0.format(lf=25)}"
    """
0020 40
0028 4D 5D
002D 60
003C 4C
003E 6E
005B 4A E0 5A 5F 6D 79
007B C0 CE D0 A1 07
0080 20 21 22 23 24 15 06 17 28 29 2A 2B 2C 09 0A 1B 30 31 1A 33 34 35 36 08 38 39 3A 3B 04 14 3E FF
00A0 41
00A3 BD BE BF -- D2 5E 4E
00AC EB CA 7F 51 7C 7B F2 F3 7D -- C8
00B9 F1
00D7 A5
00F7 7A
02C7 CC
02D8 78
0393 D8 E6
0398 D9
039B C7
039E E4
03A0 C6
03A3 E2 -- E8 C4 -- C3 D3
03B1 81 82 98 A6 85 A9 88 99 89 92 87 94 95 A4 96 86 97
03C3 A2 A3 A8 -- A7 83 93
03D1 91
03D5 84
2007 E1
2015 AD
2017 D1
2020 4B 59
2030 90
2032 6A 7E
203E DD
2070 F0
2074 F4 F5 F6 F7 F8 F9 44 43 42
2080 B0 B1 B2 B3 B4 B5 B6 B7 B8 B9
2113 D7
211E 54
2122 9D
215B FB FC FD FE
2190 C5 C9 E3 D6
2197 57 58
2202 D4
2207 C1
2209 55
2213 68
2219 5B 4F
221D E5 C2 75 65
2225 64
2229 70 71 6F
2234 56
223C EA
223F D5
2243 E9
2245 A0
2260 5C E7
2264 50 61
2282 72 73
2295 74
2297 77
22A5 BA
22C0 63 62
2311 69
2320 EE EF
2329 66 67
2341 DC
235A BB
2422 CF
2502 8D
250C 8A
2510 AA
2514 8C
2518 AC
251C 8B
2524 AB
252C 9A
2534 9C
253C 9B
25A0 DB DA
25B2 ED
25BA EC
25C6 CB
25CF BC
25DC 8E 9E 9F 8F
2640 6B
2642 6C
FE64 52 53""",
}

# vps.h of xvnkb, by the letters of its utf.h: each vowel plain, acute, grave, with hook, tilde and
# dot. Small letters come last, so that they take precedence over a capital with the same octet.
XVNKB = """
41C1808182E5C2838485C5C6888D8E8FF0A545C9D7DEFECBCA909394958C4FB9BCBDBE86D496979899B6F79D9E9FA6AE
55DAA8D1ACF8D0ADAFB1BBBF49B4B5B7B8CE59DDB2FDB39CF161E1E0E4E3E5E2C3C0C4C5C6E6A1A2A3A4A565E9E8C8EB
CBEA898A8BCD8C6FF3F2D5F586F4D3D2B087B6D6A7A9AAABAE75FAF9FBDBF8DCD9D8BABBBF69EDECCCEFCE799AFF9BCF
9CC7
"""
XVNKB_LETTERS = [
    unicodedata.normalize("NFC", letter)
    for vowels, d in (("AÂĂEÊOÔƠUƯIY", "Đ"), ("aâăeêoôơuưiy", "đ"))
    for letter in [
        *(vowel + tone for vowel in vowels for tone in ["", *"\u0301\u0300\u0309\u0303\u0323"]),
        d,
    ]
]

if __name__ == "__main__":
    sys.exit(main())
