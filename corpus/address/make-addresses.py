#!/usr/bin/env python3
"""Generates random address lists (RFC 5322, section 3.4), and records how Python parses them.

    python3 make-addresses.py > lists.tsv

Each list is built from its mailboxes, so the correct result is known. Columns, separated by tabs: the
rule that the list tests; the list; its mailboxes; the result of `email.utils.getaddresses` in strict
mode; and its result otherwise. A mailbox is `name<address>`, with ` | ` between two; CR LF is written `\\r\\n`.
"""

import platform
import random
from email.utils import getaddresses

ROWS = 200
WORDS = "Ann Bob Carl Dora Eve Finn Gus Hal Ida Jon Kim Lee Mia Ned".split()
TITLES = "PhD MD Esq. Jr. Sr. III".split()
LOCALS = "ann bob.b carl-c dora+d eve_e finn f.g.h i2".split()
DOMAINS = "example.org example.com mail.example.net a.b.example".split()
# Encoded words valid in a phrase (RFC 2047, section 2), and their text.
ENCODED = [
    ("=?utf-8?q?a=40evil.example=3e=00?=", "a@evil.example>\0"),
    ("=?UTF-8?B?Ym9zc0BiYW5rLmV4YW1wbGU=?=", "boss@bank.example"),
    ("=?iso-8859-1?Q?Ren=E9?=", "Ren\u00e9"),
    ("=?utf-8?q?x=2C_y?=", "x, y"),
]

rng = random.Random(5322)
pick = rng.choice


def domain():
    return pick(DOMAINS)


def plain():
    return f"{pick(LOCALS)}@{domain()}"


def name():
    return " ".join(pick(WORDS) for _ in range(rng.randint(1, 3)))


def blank():
    return pick(["", " ", " ", "\r\n "])


def joined(members, comma=","):
    """A list of these members, and its mailboxes."""
    text = ""
    for number, (written, _) in enumerate(members):
        text += (comma + pick([" ", "\r\n "]) if number else "") + written
    return text, [mailbox for _, said in members for mailbox in said]


def some(member):
    while True:
        text, mailboxes = joined([member() for _ in range(rng.randint(1, 2))])
        # A domain literal may contain anything but brackets (section 3.4.1).
        _, _, literal = text.partition("@[")
        if "," not in literal.partition("]")[0] or member is not bracket:
            return text, mailboxes


def right():
    """Lists that follow RFC 5322, section 3.4, exactly."""
    kind = rng.randrange(5)
    if kind == 0:
        address = plain()
        return address, [("", address)]
    if kind == 1:
        said, address = name(), plain()
        return f"{said} <{address}>", [(said, address)]
    if kind == 2:
        said, address = f"{name()}, {pick(WORDS)}", plain()
        return f'"{said}" <{address}>', [(said, address)]
    if kind == 3:
        said, address = name(), f"{pick(LOCALS)}@[192.0.2.{rng.randrange(256)}]"
        return f"{said}{blank()}<{address}>", [(said, address)]
    members = [plain() for _ in range(rng.randrange(3))]
    return f"{name()}: {', '.join(members)};", [("", member) for member in members]


def word():
    """An encoded word in an addr-spec, which RFC 2047, section 5, forbids."""
    (w, said), (v, _) = pick(ENCODED), pick(ENCODED)
    local, host = pick(LOCALS), domain()
    address = pick([
        f"{w}{local}@{host}", f"{local}{w}@{host}", f"{w}@{host}", f"{w}.{local}@{host}",
        f"{w}{v}@{host}", f"{w}{local}{v}@{host}", f"{local}@{w}", f"{local}@{w}.{host}",
        f"{local}@{host}{w}", f"{local}@{host}.{w}", f'"{w}"@{host}', f'"{w} {local}"@{host}',
        f"{w}@{v}", f'{local}."{w}"@{host}',
    ])
    # Blanks and comments around at signs and full stops are not part of it (section 4.4).
    loose = address
    if rng.randrange(3) == 0:
        around = pick([" @ ", " @", "@ ", "(c)@(c)", " (c) @ (c) "])
        loose = around.join(address.rsplit("@", 1))
    kind = rng.randrange(6)
    if kind == 0:
        return f"<{loose}>", [("", address)]
    if kind == 1:
        shown = name()
        return f"{shown} <{loose}>", [(shown, address)]
    if kind == 2:
        return f"{w} <{loose}>", [(said, address)]
    if kind == 3:
        return f"{name()}: {loose}, {plain_of(loose)};", [("", address), ("", address)]
    if kind == 4:
        return f"<@{v}.{host}:{loose}>", [("", address)]
    return loose, [("", address)]


def plain_of(loose):
    return f"<{loose}>"


def comment():
    """A name in a comment after the address, as in legacy implementations (section 3.4), and other comments."""
    local, host, said = pick(LOCALS), domain(), pick([name(), plain(), f"{name()} <{plain()}>"])
    address = f"{local}@{host}"
    first, _, last = host.partition(".")
    return pick([
        (f"{address} ({said})", [(said, address)]),
        (f"{address}({said})", [(said, address)]),
        (f"<{address}> ({said})", [(said, address)]),
        (f"{local}({said})@{host}", [("", address)]),
        (f"{local}@({said}){host}", [("", address)]),
        (f"{local} ({said}) @ ({said}) {host}", [("", address)]),
        (f"{local}@{first} ({said}) .{last}", [("", address)]),
        (f"<{local}({said})@{host}>", [("", address)]),
        (f"<{address} ({said})>", [("", address)]),
        (f"({said}) {address}", [("", address)]),
        (f"({said}) <{address}>", [("", address)]),
        (f"{local}({said})@{host} (Ann)", [("Ann", address)]),
        (f"Ann <{address}> ({said})", [("Ann", address)]),
    ])


def bracket():
    """Brackets where none are allowed: the rest of the address belongs to someone else."""
    local, host, other = pick(LOCALS), domain(), pick(LOCALS)
    address = pick([
        f"{local}[@{host}", f"{local}]@{host}", f"{local}[{other}@{host}", f"[{local}@{host}",
        f"]{local}@{host}", f"{local}]{other}@{host}", f"{local}[]{other}@{host}",
        f"{local}@{host}]", f"{local}@[{host}", f"{local}@{host}[", f"{local}@]{host}",
        f"{local}[.{other}@{host}", f"{local}[{other}]@{host}", f"[{local}]{other}@{host}",
    ])
    kind = rng.randrange(3)
    if kind == 0:
        return f"<{address}>", [("", address)]
    if kind == 1:
        said = name()
        return f"{said} <{address}>", [(said, address)]
    return address, [("", address)]


def comma():
    """An unquoted name with commas."""
    address = plain()
    first = pick([pick(WORDS), name(), f'"{name()}"'])
    rest = [pick([pick(WORDS), name(), pick(TITLES)]) for _ in range(rng.randint(1, 3))]
    if rng.randrange(4) == 0:
        rest[rng.randrange(len(rest))] = f'"{pick(WORDS)}"'
    between = pick([", ", ", ", ",", ",\r\n "])
    shown = between.replace("\r\n", "").join([first, *rest]).replace('"', "")
    if rng.randrange(4) == 0:
        (w, said) = pick([e for e in ENCODED if "," not in e[1]])
        first, shown = w, between.replace("\r\n", "").join([said, *rest]).replace('"', "")
    return f"{between.join([first, *rest])} <{address}>", [(shown, address)]


def shown(mailboxes):
    return " | ".join(f"{name}<{address}>" for name, address in mailboxes)


def escaped(text):
    assert "\t" not in text and "\\" not in text
    return text.replace("\r\n", "\\r\\n").replace("\0", "\\0")


def rows(rule, member):
    for number in range(ROWS):
        if rule == "comma" and number % 4 == 0:
            group, mailboxes = some(member)
            text = f"{name()}: {group};"
        elif rule == "comma" and number % 4 == 1:
            text, mailboxes = joined([member() for _ in range(2)], ";")
        else:
            text, mailboxes = some(member)
        answers = [getaddresses([text], strict=strict) for strict in (True, False)]
        row = [rule, text, shown(mailboxes), *map(shown, answers)]
        print("\t".join(map(escaped, row)))


print(f"# CPython {platform.python_version()} email.utils.getaddresses, strict and not")
for rule, member in [
    ("right", right),
    ("word", word),
    ("comment", comment),
    ("bracket", bracket),
    ("comma", comma),
]:
    rows(rule, member)
