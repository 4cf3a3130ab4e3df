"""Short texts of the kinds in which a rare charset or a rare pair of octets is a likely mistake.

    cases.py PART COUNT

Prints a line for each text, like `sparse.py`: the set, the language, the charset, a weight of one,
and the octets in hexadecimal. The text of the octets in that charset is right. COUNT is the number of
texts of a set for each charset, and for each of its shapes if it has several.

    signs       a sign next to a digit or a letter: 25°C, 10 µm, £5m, §5, 3ª; alone and in English
    words       one word with one non-ASCII letter, alone and in English
    names       a name in English, in the charsets of its language
    brackets    names in brackets, titles in lenticular brackets, ideographic spaces before ASCII
    jamo        Korean as typed in chats, with single letters
    everyday    short Japanese and Russian, in their own charsets and in that of Chinese
    lengths     words in a charset that is rare in mail: with 1, 2, 4 and 8 non-ASCII letters

Everything is drawn from the texts of the part, by a generator seeded with the name of the set, the
charset and the number of the text.
"""

import random
import re
import sys

import samples
import sparse

# A number and a sign, which `sparse.py` puts between words, but with every possible next letter: in
# several charsets the sign and the letter form a character of two octets.
SIGNS = {
    "°": ["{n}°{l}"], "µ": ["{n} µ{m}", "{n}µ{m}"], "²": ["{n} m²", "{n} km²"], "³": ["{n} m³", "cm³"],
    "§": ["§{n}", "§ {n}{l}", "§§ {n}"], "ª": ["{n}ª", "{n}ª {w}"], "º": ["{n}º", "{n}º {w}", "N.º {n}"],
    "½": ["{n}½", "{n}½\"", "½ {w}"], "¼": ["{n}¼"], "±": ["±{n}", "{n}±{n}"], "£": ["£{n}", "£{n}m", "£{n}k"],
    "¥": ["¥{n}00"], "€": ["€{n}", "{n}€", "€{n}k"], "Ø": ["Ø{n}", "Ø {n} mm"], "№": ["№{n}", "№ {n}"],
    "×": ["{n}×{n}", "{n}×{w}"], "¹": ["{n}¹"], "·": ["{w} · {w}"], "®": ["{w}®"], "©": ["©{n} {w}"],
}
DEGREES = "CFNSEWK"
METRIC = "mgslFAVWHJM"

SIGN_CHARSETS = [
    "windows-1252", "ISO-8859-15", "windows-1250", "ISO-8859-2", "windows-1251", "windows-1253", "windows-1254",
    "windows-1257", "ISO-8859-7", "KOI8-R", "GBK", "Big5", "EUC-KR", "Shift_JIS", "EUC-JP",
]
COMMON = {
    "de": ["windows-1252"], "fr": ["windows-1252"], "es": ["windows-1252"], "pt": ["windows-1252"],
    "it": ["windows-1252"], "nl": ["windows-1252"], "sv": ["windows-1252"], "da": ["windows-1252"],
    "nb": ["windows-1252"], "fi": ["windows-1252"], "is": ["windows-1252"], "ca": ["windows-1252"],
    "et": ["windows-1252"], "pl": ["windows-1250", "ISO-8859-2"], "cs": ["windows-1250", "ISO-8859-2"],
    "hu": ["windows-1250", "ISO-8859-2"], "sk": ["windows-1250", "ISO-8859-2"], "sl": ["windows-1250", "ISO-8859-2"],
    "hr": ["windows-1250", "ISO-8859-2"], "ro": ["windows-1250", "ISO-8859-2"], "tr": ["windows-1254"],
    "lt": ["windows-1257"], "lv": ["windows-1257"], "ru": ["windows-1251", "KOI8-R"], "bg": ["windows-1251"],
    "uk": ["windows-1251", "KOI8-U"], "el": ["windows-1253", "ISO-8859-7"], "he": ["windows-1255"],
    "ar": ["windows-1256"], "th": ["windows-874"],
}
# English words with a letter of another language; `sparse.py` has more.
ENGLISH_WORDS = sparse.ENGLISH_WORDS + """clichéd coöperative Ångström Noël Théo reëlect rôle élite fête pâté
rosé blasé naïveté Gödel Möbius Schrödinger Pokémon Señor Malmö Tromsø Håkan smörgåsbord doppelgänger Übermensch
Córdoba Bogotá Perú São habitué hôtel château décor exposé melée émigré Galápagos Guantánamo Düsseldorf Köln Ørsted
Poincaré Fréchet Hölder Bézier Erdös""".split()

RARE = {
    "macintosh": "de fr es pt it sv da nl", "IBM850": "de fr es pt it sv da nl", "IBM437": "de fr es it sv",
    "IBM852": "pl cs hu", "x-mac-ce": "pl cs hu", "IBM866": "ru", "x-mac-cyrillic": "ru", "IBM775": "lt lv",
    "IBM857": "tr", "IBM737": "el", "x-mac-greek": "el", "IBM862": "he", "VISCII": "vi", "TCVN": "vi",
    "ISO-8859-13": "lt lv", "ISO-8859-4": "lt lv", "ISO-8859-3": "eo", "JOHAB": "ko", "EUC-TW": "zh-Hant",
}
LENGTHS = (1, 2, 4, 8)

JAMO = ["ㅠㅠ", "ㅜㅜ", "ㅋㅋ", "ㅋㅋㅋ", "ㅎㅎ", "ㅎㅎㅎ", "ㅋㅋㅋㅋ", "ㅇㅇ", "ㅡㅡ", "ㄱㅅ", "ㅠ", "ㅎ"]
JAPANESE = """お世話になっております。 了解しました。 よろしくお願いします。 ありがとうございます。 おはようございます。
お疲れ様です。 会議は三時からです。 明日は休みます。 すみません、遅れます。 写真を送ります。 資料を添付します。
ご確認ください。 また連絡します。 お元気ですか。 東京に行きました。 電話をください。 返事が遅くなりました。
来週の予定です。 ご飯を食べましょう。 新年あけましておめでとうございます。 大丈夫です。 お誕生日おめでとう。
今日は寒いですね。 楽しみにしています。 至急お返事ください。 メールを受け取りました。 荷物が届きました。""".split()
KATAKANA = "ムルシエラゴ コンピュータ テレビ メール サービス アンナ ピーター マリア ロボット プログラム ニュース".split()
RUSSIAN = [
    "Привет, как дела?", "Спасибо за письмо.", "С новым годом!", "Завтра не приду.", "Позвони мне вечером.",
    "Документы во вложении.", "До свидания", "Иван Петров", "Хорошо, договорились.", "Жду ответа.",
]


def filled(draw, shape):
    word = draw.choice("pages total order north metres left size wide".split())
    return shape.format(n=draw.randint(1, 99), l=draw.choice(DEGREES), m=draw.choice(METRIC), w=word)


def in_english(draw, sources, what):
    """The text alone, or, equally often, between the words of a sentence."""
    if draw.random() < 0.4:
        return what
    sentence = draw.choice([text for text in draw.sample(sources.english, 20) if len(text) < 120] or ["It is here."])
    return sparse.between(sentence, draw, f" {what} ") if draw.random() < 0.7 else f"{what} {sentence}"


def signs(draw, sources, language, charset):
    written = [one for one in SIGNS if one in WRITES[charset]]
    one = draw.choice(written)
    return in_english(draw, sources, filled(draw, draw.choice(SIGNS[one])))


def accented(sources, language, number):
    """The words of a language with this number of non-ASCII letters."""
    key = language, number
    if key not in WORDS:
        found = set()
        for text in sources.own[language]:
            found.update(re.findall(r"[^\W\d_]{3,14}", text))
        WORDS[key] = sorted(word for word in found if sparse.above(word) == number or number is None and sparse.above(word))
    return WORDS[key]


WORDS = {}
WRITES = {}


def words(draw, sources, language, charset):
    if language == "en":
        return in_english(draw, sources, draw.choice(sources.half(ENGLISH_WORDS)))
    return in_english(draw, sources, draw.choice(accented(sources, language, 1)))


def names(draw, sources, language, charset):
    return in_english(draw, sources, draw.choice(sources.names[language]))


def brackets(draw, sources, language, charset):
    sentence = draw.choice(sources.english)
    name = draw.choice(sources.names[language])
    shape = draw.randrange(5)
    if shape == 0:
        return f"({name})" if draw.random() < 0.5 else f"{sentence} ({name})"
    if shape == 1:
        left, right = draw.choice(["【】", "「」", "『』", "《》", "〈〉"])
        return left + " ".join(sentence.split()[:4]) + right
    if shape == 2:
        return "\n".join("\u3000\u3000" + part for part in [sentence, draw.choice(sources.english)])
    if shape == 3:
        left, right = draw.choice(["【】", "「」", "《》"])
        return f"{left}{name}{right}{sentence}"
    return f"{name} <{draw.choice('abcdef')}@example.com>"


def jamo(draw, sources, language, charset):
    run = draw.choice(JAMO)
    if draw.random() < 0.3:
        return " ".join(draw.choice(JAMO) for _ in range(draw.randint(2, 3)))
    text = draw.choice([text for text in draw.sample(sources.own["ko"], 20) if len(text) < 40] or ["오늘은 안 갑니다"])
    return f"{text} {run}" if draw.random() < 0.6 else f"{run} {text}"


def everyday(draw, sources, language, charset):
    if language == "ru":
        return draw.choice(sources.half(RUSSIAN))
    if draw.random() < 0.25:
        return draw.choice(sources.names["ja"]) + draw.choice(KATAKANA)
    return draw.choice(sources.half(JAPANESE))


def few(draw, sources, language, number):
    """Words with this number of non-ASCII letters, with a few plain ones between them."""
    if language == "zh-Hant":
        text = "".join(re.findall(r"[\u4e00-\u9fff]+", draw.choice(sources.own[language])))
        return text[:number]
    plain = re.findall(r"[A-Za-z]{2,9}", draw.choice(sources.plain.get(language) or ["ok"]))
    found, above = [], 0
    while above < number:
        word = draw.choice(accented(sources, language, None))
        if language in sparse.OTHER_SCRIPTS | {"ko", "vi"} or above + sparse.above(word) <= number:
            found.append(word)
            above += sparse.above(word)
            if plain and draw.random() < 0.6:
                found.append(draw.choice(plain))
    return " ".join(found)


SETS = {
    "signs": (signs, [("en", charset) for charset in SIGN_CHARSETS]),
    "words": (words, [("en", "windows-1252"), ("en", "windows-1252")]
              + [(language, charset) for language in "de fr es pt it sv da nl pl cs hu tr".split() for charset in COMMON[language]]),
    "names": (names, [(language, charset) for language, charsets in COMMON.items() for charset in charsets]),
    "brackets": (brackets, [("zh-Hant", "Big5"), ("zh-Hans", "GBK"), ("ja", "Shift_JIS"), ("ja", "EUC-JP"), ("ko", "EUC-KR")]),
    "jamo": (jamo, [("ko", "EUC-KR")]),
    "everyday": (everyday, [("ja", "Shift_JIS"), ("ja", "EUC-JP"), ("ja", "GBK"), ("ru", "GBK"), ("ru", "windows-1251"), ("ru", "KOI8-R")]),
}
LENGTH_SETS = {f"{number} above ASCII": number for number in LENGTHS}


def drawn(part, name, charset, language, count, make):
    """Up to `count` different texts with something to detect."""
    lines, tries = [], 0
    while len(lines) < count and tries < 8 * count:
        draw = random.Random(f"{part} cases {name} {charset} {language} {tries}")
        tries += 1
        octets = samples.encode(make(draw), charset)
        if octets and any(octet > 0x7F for octet in octets) and octets not in lines:
            lines.append(octets)
    for octets in lines:
        yield name, language, charset, 1, octets


def make(part, count, sources=None):
    """The lines of a part."""
    sources = sources or sparse.Sources(part)
    for charset in SIGN_CHARSETS:
        WRITES[charset] = {
            one for one in SIGNS
            if (octets := samples.encode(one, charset)) and sparse.decoded(octets, charset) == one
        }
    for name, (shape, pairs) in SETS.items():
        for language, charset in pairs:
            yield from drawn(part, name, charset, language, count, lambda draw: shape(draw, sources, language, charset))
    for name, number in LENGTH_SETS.items():
        for charset, languages in RARE.items():
            for language in languages.split():
                each = max(4, count // len(languages.split()))
                yield from drawn(part, name, charset, language, each, lambda draw: few(draw, sources, language, number))


if __name__ == "__main__":
    for name, language, charset, weight, octets in make(sys.argv[1], int(sys.argv[2])):
        print(name, language, charset, weight, octets.hex(), sep="\t")
