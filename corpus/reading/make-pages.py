#!/usr/bin/env python3
"""Generates random pages with omitted and misplaced tags, and records which words html5lib displays.

    python3 make-pages.py > pages.tsv

html5lib builds the tree of a page like a browser (HTML Standard, section 13.2.6). Columns, separated by a
tab: the page, and its displayed words in alphabetical order. Each text of a page is a word of its own. A
word is displayed unless an element around it is hidden.

Some elements are never hidden, since a stack of open elements cannot tell what a tree does with them:
formatting elements such as `b`, which a browser opens again after the block around them; tables and rows,
whose misplaced content a browser moves before the table; `html`, `head` and `body`, which a browser opens
by itself. Only options are put in a `select`: the standard was changed for other elements in it.
"""

import random
import sys

import html5lib

ROWS = 600
DOCTYPES = [
    "",
    "<!DOCTYPE html>",
    '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.0 Transitional//EN">',
    '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">',
]
FORMATTING = ["a", "b", "font"]
NEVER_HIDDEN = [*FORMATTING, "table", "colgroup", "tbody", "tr", "html", "head", "body"]
GROUPS = [
    ["span", "label", "ins", *FORMATTING],
    ["div", "p", "h1", "h2", "blockquote", "form", "address", "fieldset", "legend", "center"],
    ["ul", "ol", "li", "dl", "dt", "dd", "div"],
    ["table", "caption", "colgroup", "tbody", "tr", "td", "th"],
    ["object", "button", "marquee", "ruby", "rt", "rp"],
    ["html", "head", "body"],
]
HIDDEN = ["iframe", "noembed", "noframes", "script", "style", "template", "title", "datalist"]

rng = random.Random(13)
pick = rng.choice


def start(tag):
    is_hidden = tag not in NEVER_HIDDEN and rng.random() < 0.3
    return f"<{tag} hidden>" if is_hidden else f"<{tag}>"


def options():
    tags = ["option", "option", "optgroup"]
    inside = "".join(pick([start(pick(tags)), f"</{pick(tags)}>", " w "]) for _ in range(rng.randint(1, 5)))
    return start("select") + inside + "</select>"


def page():
    groups = rng.sample(GROUPS, rng.randint(1, 3))
    tags = [tag for group in groups for tag in group]
    text = pick(DOCTYPES)
    for _ in range(rng.randint(3, 10)):
        tag = pick(tags)
        text += pick([start(tag), start(tag), f"</{tag}>", f"</{tag}>", " w ", " w ", " w "])
        if rng.random() < 0.05:
            text += options()
    text += " w "
    count = iter(range(text.count(" w ")))
    return "".join(f"w{next(count)}" if part == " w " else part for part in pieces(text))


def pieces(text):
    """Splits off each word."""
    before, *others = text.split(" w ")
    yield before
    for other in others:
        yield " w "
        yield other


def words(element):
    """The displayed words of an element of the tree."""
    if not isinstance(element.tag, str) or "hidden" in element.attrib or element.tag in HIDDEN:
        return
    yield from (element.text or "").replace("w", " w").split()
    for child in element:
        yield from words(child)
        yield from (child.tail or "").replace("w", " w").split()


print(f"# html5lib {html5lib.__version__}, Python {sys.version.split()[0]}, make-pages.py")
print("# page\tdisplayed words")
seen = set()
while len(seen) < ROWS:
    drawn = page()
    if drawn in seen:
        continue
    seen.add(drawn)
    tree = html5lib.parse(drawn, namespaceHTMLElements=False)
    print(drawn, " ".join(sorted(words(tree))), sep="\t")
