"""Sparse text, like most mail: ASCII with a few other characters.

    sparse.py PART COUNT

Prints a line for each text, separated by tabs: the set, the language, the charset, the weight and the
octets in hexadecimal. The text of the octets in that charset is right. COUNT is the number of texts of
each set in a charset that is rare in mail; common ones have more.

    symbols     the only non-ASCII characters are signs: quotation marks, dashes, ®, no-break
                spaces, £; the text is English, or a language written without its letters
    words       one to three words, a date or a name of a language, in English
    own         a language's own text with few non-ASCII letters, alone or next to English
    east-asian  a word, a date or a few signs of Chinese, Japanese or Korean, in English

Everything is drawn by a generator seeded with the name of the set, the charset and the number of the
text, so that a part is reproducible.
"""

import hashlib
import random
import re
import subprocess
import sys
from collections import Counter, defaultdict

import samples
import texts

# Declared charsets of text parts in 122 collections of public mail: the number of parts that
# declare each charset, excluding UTF-8 and parts that do not decode without errors. US-ASCII with
# octets above 7F and ISO-8859-1 count as windows-1252, GB2312 as GBK.
PARTS_OF_MAIL = {
    "windows-1252": 3789 + 1814 + 1527 + 7, "ISO-8859-2": 1127, "GBK": 810 + 795, "GB18030": 77,
    "windows-1250": 806 + 4, "ISO-8859-15": 541, "Big5": 260, "windows-1251": 190 + 177,
    "KOI8-R": 93 + 2 + 1, "EUC-KR": 68 + 21, "ISO-8859-7": 62 + 7, "ISO-8859-9": 12,
    "windows-1254": 4, "windows-1256": 8 + 1, "ISO-8859-8": 7, "ISO-8859-3": 6,
    "Shift_JIS": 5 + 2 + 1, "windows-874": 5, "windows-1258": 3, "windows-1253": 3,
    "ISO-8859-4": 2, "ISO-8859-5": 2, "x-mac-cyrillic": 2, "windows-1255": 2, "windows-1257": 1,
    "VISCII": 1, "KOI8-U": 1, "EUC-JP": 1, "ISO-2022-JP": 319, "UTF-16LE": 5 + 5, "UTF-16BE": 1,
}
# The weight of a charset that those collections lack. UTF-8 is not in that count.
SELDOM = 0.5

# The number of texts that contain each sign, of 1,938 texts with 1 to 19 non-ASCII characters:
# text parts labelled UTF-8 of 68 collections of public mail. Characters that no charset here can
# encode are left out.
SIGNS = {
    "\u00a0": 429, "’": 402, "“": 141, "”": 136, "€": 111, "©": 107, "–": 96, "—": 86, "…": 80,
    "‘": 51, "•": 40, "£": 23, "→": 13, "®": 12, "»": 12, "¹": 12, "«": 11, "·": 11, "™": 8,
    "§": 7, "´": 7, "°": 6, "²": 5, "„": 5, "№": 5, "µ": 4, "±": 3, "¦": 2, "›": 2, "×": 2,
    "●": 2,
    # Signs that occur in one text or none are not listed, and count as one.
    **dict.fromkeys("½¼¾³¢¥¶¬ªº¿¡¤÷†‡‰\u00ad", 1),
}
# The same for East Asian punctuation. U+3000 is not in that count; mail in Chinese charsets has it
# as often as the others.
FULL_WIDTH = {"，": 36, "！": 32, "）": 5, "？": 4, "。": 2, "\u3000": 36}
# The number of East Asian texts of each kind. The line above a quotation accounts for most
# ideographs of that count: 写 and 道 are in 110 texts, 年, 月 and 日 in 98, which leaves some 60 texts
# with other words. Punctuation other than the colon of that line is in some 110. The frequency of
# signs in East Asian text is unknown: the same is assumed.
EAST_ASIAN_TEXTS = {"introduced": 110, "word": 60, "full width": 110, "signs": 110}
# And for all letters, of Latin, Cyrillic, Greek and Hebrew together.
LETTERS = 1155 + 154 + 8 + 15

# The approximate frequency of a language in mail: among the languages of one charset, one with 4
# has four times as many texts as one with 1.
LANGUAGES = Counter({
    "de": 4, "fr": 4, "es": 4, "pt": 3, "it": 3, "nl": 2, "sv": 2, "da": 2, "fi": 2, "nb": 2, "pl": 3,
    "cs": 3, "hu": 3, "ru": 6, "uk": 2, "bg": 2,
})

# No sparse text is made for these: UTF-8 and the wide ones need no guess, and ISO-2022 and HZ are
# recognized by their escapes.
LEFT_OUT = set(samples.WIDE) | {"UTF-8", "ISO-2022-JP", "ISO-2022-KR", "ISO-2022-CN", "HZ-GB-2312"}
EAST_ASIAN = ("ja", "ko", "zh-Hans", "zh-Hant")
OTHER_SCRIPTS = {"ar", "be", "bg", "el", "fa", "he", "mk", "ru", "sr", "th", "uk"}

PEOPLE = [
    "Bill", "Mary", "John Smith", "Sarah", "Tom", "Karen Jones", "Mike", "Peter", "Anna", "David Brown",
    "Lisa", "Paul",
]
COMPANIES = [
    "Acme Inc", "Northwind Ltd", "Example Corp", "Contoso", "Globex", "Initech", "Blue River Media",
    "Sunset Travel",
]
PRODUCTS = [
    "Lipitor", "Windows", "Acrobat", "Zocor", "PowerBook", "Intel", "Java", "Viagra", "Excel", "Photoshop",
    "Palm", "Norton", "Teflon", "Pentium",
]
REMARKS = [
    "Thanks for your mail.", "I'll be back on Monday.", "Let me know what you think.", "See you tomorrow.",
    "I don't think that's the problem.", "It's fine with me.", "Can you send me the file again?",
    "I'm not sure we can make it on time.", "We've moved the meeting to Thursday.", "He said \"not today\" and left.",
    "That's all I know about it.", "You're right, sorry.", "Please find the report attached.", "Call me when you get this.",
    "We sat by the pool and talked.", "I didn't get your last message.", "The kids' party was great fun.",
    "I'd like to know how it went.", "What's the price for two?", "They couldn't find the \"missing\" page.",
    "Order now and save on our best offers!", "Click here to be removed from this list.", "Dear friend,",
    "Hope you're well - it's been a while.", "There's a new version -- it works for me.", "Well... maybe next year.", "\"I'm sorry,\" she said--\"but it's late...\"",
    "\"Why?\"--he asked. \"Because...\"", "Back in the '90s that was 'normal'.", "He said: \"It's a 'must have'!\"",
    "We sat by the pool--rattling and behind--they came.", "\"No.\" \"Yes!\" - and so on...", "(\"See you\")...",
    "The doctor's office called again.", "Isn't that what we agreed on?", "She'll bring the tickets.",
]
GREETINGS = ["Hi,", "Hello,", "Dear all,", "Hi Bill,", "Hello everybody,", "Dear Sir or Madam,", "Hi there,", "All,"]
PARTINGS = ["Regards,\nBill", "Thanks,\nMary", "-- \nJohn Smith\nhttp://www.example.com/", "Best,\nTom", "Cheers", "Yours sincerely,\nKaren Jones", "Bye,\nMike"]

# Words of other languages that English spells with their accents.
ENGLISH_WORDS = [
    "café", "résumé", "naïve", "façade", "cliché", "déjà vu", "fiancée", "à la carte", "Zoë", "Chloë", "Renée", "André",
    "José", "entrée", "touché", "soirée", "Beyoncé", "jalapeño", "piñata", "Nestlé", "São Paulo", "Málaga", "Zürich",
    "Curaçao", "Montréal", "Québec", "El Niño", "Citroën", "crème brûlée", "mañana", "vis-à-vis", "protégé", "Brontë",
]

# Given and family names that need letters of their language, in each half.
NAMES = {
    "de": "Jürgen Günther Jörg Björn Käthe Sören Müller Schröder Krüger Böhm Schäfer Weiß Köhler Groß Jäger Löffler Hübner Strauß",
    "fr": "François Frédéric Hélène André Jérôme Sébastien Benoît Chloé Zoé Lefèvre Bérenger Valérie Château Stéphane Côté Prévost Gérard Noël Desprès",
    "es": "José María Andrés Ramón Íñigo Begoña Jesús Rodríguez García Martínez Núñez Peña Muñoz Sánchez Álvarez Gómez Ibáñez Ordóñez",
    "pt": "João Conceição Luís Mônica António Sérgio Simão Araújo Gonçalves Magalhães Simões Falcão Guimarães Assunção Conceição Patrício",
    "it": "Niccolò Nicolò Mosè Noè Salomè Giosuè Cantù Forlì Cefalù Salò Nardò Barnabò",
    "nl": "Daniël Michaël Joël Zoë Noël Chloë Daniëlle Rafaël Renée Hélène Gaëlle Curaçao Andrée",
    "sv": "Åsa Göran Björn Håkan Jörgen Örjan Märta Sjöberg Lindström Åkesson Öberg Nyström Bäckman Hägg Sjölund",
    "da": "Søren Jørgen Bjørn Kåre Åse Lærke Sørensen Jørgensen Nørgaard Bødker Kjær Møller Højgaard Ågård",
    "nb": "Håkon Bjørn Øystein Åse Jørn Torbjørn Sæther Bråten Ødegård Løvås Næss Grønn Mæland Skår",
    "fi": "Väinö Päivi Yrjö Seppälä Mäkinen Hämäläinen Lehtimäki Järvinen Hyvönen Väisänen Häkkinen Mäkelä Särkkä",
    "is": "Guðrún Þór Björk Sigríður Jón Ólafur Guðmundsson Jónsdóttir Ásgeirsson Þorvaldsdóttir Sæmundsson",
    "ca": "Núria Òscar Llúcia Mònica Adrià Güell Solà Puigcercós Masó Farré Sabaté Bartolí",
    "gl": "Xosé Uxía Antón Iría Xermán Castiñeira Vázquez Fariña Outeiriño Lóuzara",
    "ga": "Séamus Áine Pádraig Síle Máire Ó_Súilleabháin Ní_Dhómhnaill Mac_Séafraidh Ó_Cléirigh",
    "sq": "Çlirim Përparim Shpëtim Këlliçi Çabej Çollaku Përmeti Gërmenji Dërguti",
    "et": "Jüri Õnne Ülle Märt Tõnu Põder Jõgi Mägi Rätsep Külm Õunapuu Käär",
    "pl": "Łukasz Paweł Michał Stanisław Małgorzata Bożena Rafał Wałęsa Kowalczyński Wiśniewski Żak Ząbek Dąbrowska Wójcik Kamiński Jóźwiak",
    "cs": "Jiří Tomáš Lukáš Zdeněk Věra Dvořák Novák Černý Procházka Kučera Růžička Hájek Šimek Beneš Němec Kříž",
    "sk": "Ján Ľubomír Mária Štefan Miloš Kováč Horváth Ďuriš Šťastný Hlaváč Tóth Kľačan Žiak",
    "hu": "László György Zoltán Gábor Zsófia Béla Szőke Kovács Tóth Szabó Ferencné Győri Dési Erdős Fülöp Csűrös",
    "sl": "Matjaž Boštjan Žiga Aleš Špela Kovač Župančič Prešeren Čop Zajšek Hočevar",
    "hr": "Željko Siniša Đorđe Krešimir Božica Jurić Petrović Šimić Ćosić Horvatić Žuljević",
    "ro": "Ștefan Ionuț Mădălina Cătălin Răzvan Țurcanu Brâncuși Ionță Dănilă Pârvu Năstase",
    "tr": "Ömer Gülşen Çağlar İsmail Şükrü Yılmaz Öztürk Çelik Doğan Aydın Şahin Koç Güneş Kılıç",
    "lt": "Jūratė Žydrūnas Rūta Eglė Šarūnas Petrauskaitė Jankūnas Žukauskas Čepaitė Stankevičius",
    "lv": "Jānis Ģirts Līga Kārlis Māra Bērziņš Kalniņa Liepiņš Ozoliņa Vītols Krūmiņš",
    "vi": "Nguyễn Trần Phạm Đặng Vũ Lê Hùng Dũng Tuấn Hằng Thủy Phương Đức Bình",
    "ru": "Иван Сергей Ольга Дмитрий Наталья Андрей Петров Иванова Кузнецов Смирнов Попов Соколова Морозов Волков",
    "uk": "Олексій Андрій Оксана Сергій Юрій Тетяна Шевченко Бондаренко Ткачук Коваль Кравчук Лисенко Мельник",
    "bg": "Георги Иван Димитър Елена Николай Петрова Димитров Иванов Стоянова Тодоров Ангелов Колева",
    "sr": "Милош Јелена Драган Зоран Бранко Петровић Јовановић Николић Ђорђевић Илић Павловић",
    "mk": "Јован Никола Елена Драган Ѓорѓи Петровски Николовска Трајковски Стојанов Јовановска",
    "be": "Алесь Янка Святлана Зміцер Марыя Лукашэвіч Коўш Багдановіч Шумовіч Ліс",
    "el": "Γιώργος Νίκος Μαρία Κώστας Ελένη Παπαδόπουλος Νικολάου Γεωργίου Δημητρίου Ιωάννου Βασιλείου",
    "he": "דוד יוסף שרה משה רחל יעל כהן לוי מזרחי פרץ אברהם גולן שרון",
    "ar": "محمد أحمد خالد فاطمة يوسف حسن علي إبراهيم عبدالله السعيد المصري حداد",
    "fa": "محمد رضا علی زهرا حسین مریم احمدی کریمی رضایی حسینی",
    "th": "สมชาย สมศักดิ์ วิชัย มาลี ประเสริฐ ใจดี แสงทอง รักไทย ศรีสุข",
    "eo": "Ĉiela Ŝarlo Aŭgusto Ĵeromo Ĝojo Antaŭulo",
    "cy": "Siân Siôn Llŷr Ynys_Môn Caersŵs Rhôs Tŷ-croes",
    "ja": "田中 鈴木 佐藤 高橋 山本 渡辺 太郎 花子 健一 裕子 直樹 美香",
    "ko": "김철수 이영희 박민수 최지현 정수진 강동원 조은영 윤상호 임재범 한지민",
    "zh-Hans": "王伟 李娜 张敏 刘洋 陈静 杨勇 赵磊 黄强 周杰 吴芳 徐明 孙丽",
    "zh-Hant": "王偉 李娜 張敏 劉洋 陳靜 楊勇 趙磊 黃強 周傑 吳芳 林志明 蔡麗華",
}

# Days and months that need such letters, as programs write them in the line above a quotation.
DATES = {
    "it": "Lunedì Martedì Mercoledì Giovedì Venerdì", "fr": "février août décembre", "de": "März",
    "es": "miércoles sábado Miércoles", "pt": "março terça-feira sábado", "sv": "lördag söndag måndag",
    "da": "lørdag søndag", "nb": "lørdag søndag", "ca": "març", "fi": "heinäkuuta kesäkuuta päivä",
    "pl": "października września środa piątek", "cs": "září října úterý čtvrtek pátek února", "sk": "február október štvrtok",
    "hu": "március április hétfő csütörtök február", "hr": "ožujak siječanj četvrtak", "sl": "četrtek",
    "ro": "marți sâmbătă duminică", "tr": "Çarşamba Şubat Ağustos Perşembe Salı", "ru": "марта января Среда пятница",
    "uk": "січня вівторок середа", "bg": "март сряда януари", "el": "Μαρτίου Δευτέρα Παρασκευή", "is": "þriðjudagur október ágúst",
    "lt": "šeštadienis rugsėjis", "lv": "jūlijs sestdiena otrdiena novembrī", "sr": "март среда", "et": "märts jaanuar reede laupäev pühapäev",
    "vi": "Tháng Một Thứ Hai", "he": "יום שני מרץ", "ar": "مارس الأحد", "th": "มีนาคม วันจันทร์",
}

QUOTED = defaultdict(lambda: "“{}”", {
    "cs": "„{}“", "de": "„{}“", "et": "„{}“", "fi": "”{}”", "fr": "«\u00a0{}\u00a0»", "hr": "„{}“",
    "hu": "„{}”", "is": "„{}“", "lt": "„{}“", "pl": "„{}”", "ro": "„{}”", "sk": "„{}“", "sq": "«{}»",
    "sv": "”{}”",
})


def above(text):
    return sum(not character.isascii() for character in text)


def prose(text):
    """Whether a person could have written this in a message."""
    return bool(re.fullmatch(r"\w[^%{}\\|=<>$_/@#]*[.?!…。？！]", text)) and text.count(" ") >= 4


class Sources:
    """The sources of a part's texts."""

    def __init__(self, part):
        self.part = part
        loaded = texts.load(wanted=(part,))[part]
        english = sorted({**loaded["en"], **loaded["en-guides"]})
        # Paragraphs in which all non-ASCII characters are typographic.
        self.printed = [
            text for text in english if prose(text) and set(text) - ASCII and set(text) - ASCII <= set(SIGNS)
        ]
        found = {
            sentence
            for text in english
            if prose(text)
            for sentence in sentences(text.translate(samples.PLAIN))
        }
        self.english = sorted(text for text in found if text.isascii() and len(text) < 300)
        self.own = {}
        self.plain = {}
        for language in loaded:
            own = sorted(loaded[language])
            if language in EAST_ASIAN:
                self.own[language] = [text for text in own if above(text) >= 4]
                continue
            written = [text for text in own if prose(text) and above(text)]
            # A language with few guides uses messages instead.
            if len(written) < 100:
                written = [text for text in own if above(text) and not re.search(r"[%{}\\|=<>$@#]", text)]
            self.own[language] = written
            self.plain[language] = [text for text in own if prose(text) and text.isascii()]
        self.names = {
            language: [name.replace("_", " ") for name in self.half(names.split())]
            for language, names in NAMES.items()
        }
        self.foreign = self.half(ENGLISH_WORDS)

    def half(self, items):
        """The items of a list that belong to this part: tune has one half, measure the other."""
        wanted = self.part != "measure"
        kept = [item for item in items if (hashlib.sha256(item.encode()).digest()[0] % 2 == 0) == wanted]
        return kept or items


ASCII = set(map(chr, range(128)))


def sentences(text):
    return [found.strip() for found in re.split(r"(?<=[.?!]) +(?=[A-Z])", text) if found.strip()]


def length(draw):
    """The approximate size of a text in octets: from 40 to 900, short ones as often as long ones."""
    return int(40 * 22 ** draw.random())


def english(draw, sources, size):
    """English text of about this size, from sentences of a guide and from remarks."""
    found = []
    while sum(map(len, found)) < size:
        if draw.random() < 0.35:
            found.append(draw.choice(REMARKS))
        else:
            start = draw.randrange(len(sources.english))
            found.append(sources.english[start])
    return found


def wrapped(text):
    """Lines of at most 72 characters."""
    lines = []
    for paragraph in text.split("\n"):
        if paragraph.startswith(">"):
            lines.append(paragraph)
            continue
        line = ""
        for word in paragraph.split(" "):
            if line and len(line) + len(word) > 71:
                lines.append(line)
                line = word
            else:
                line = f"{line} {word}" if line else word
        lines.append(line)
    return "\n".join(lines)


def laid_out(draw, text):
    """The text as in mail: in lines, in paragraphs of one line, or in HTML."""
    form = draw.random()
    if form < 0.45:
        return wrapped(text)
    if form < 0.75:
        return text
    return hypertext(draw, text)


def hypertext(draw, text):
    tag = draw.choice(
        [
            "p",
            "P",
            "div",
            "TD",
            "p class=MsoNormal",
            "FONT face=Arial size=2",
            "td width=200",
            "span style='font-size:10.0pt'",
        ]
    )
    lines = re.sub(r"(?m)^>", "&gt;", text).split("\n")
    body = "\n".join(f"<{tag}>{line}</{tag.split()[0]}>" for line in lines)
    if draw.random() < 0.4:
        head = f"<html><head><title>{draw.choice(COMPANIES)}</title></head>"
        body = f'{head}\n<body bgcolor="#FFFFFF">\n{body}\n</body></html>'
    return body


def letter(draw, parts, size):
    """Parts of a message with a greeting before them and a closing after them, if there is room."""
    text = "\n".join(parts)
    if draw.random() < 0.3 and size > 80:
        text = draw.choice(GREETINGS) + "\n\n" + text
    if draw.random() < 0.3 and size > 120:
        text = text + "\n\n" + draw.choice(PARTINGS)
    return laid_out(draw, text)


def attribution(draw):
    day = draw.choice(["Mon", "Tue", "Wed", "Fri"])
    return f"On {day}, {draw.randint(1, 28)} Mar {draw.randint(1999, 2012)}, {draw.choice(PEOPLE)} wrote:"


def quotation(draw, sources, size):
    lines = wrapped(" ".join(english(draw, sources, size))).split("\n")
    return attribution(draw) + "\n" + "\n".join("> " + line for line in lines)


# ---- signs


def apostrophes(text, draw):
    done = re.sub(r"(?<=\w)'(?=\w|\s)", "’", text)
    if done != text:
        return done
    for plain, short in (
        ("do not", "don’t"),
        ("cannot", "can’t"),
        ("is not", "isn’t"),
        ("it is", "it’s"),
        ("It is", "It’s"),
        ("you are", "you’re"),
        ("will not", "won’t"),
        ("you have", "you’ve"),
        ("I am", "I’m"),
    ):
        if plain in text:
            return text.replace(plain, short, 1)
    return between(text, draw, f" {draw.choice(PEOPLE)}’s ")


def with_word(text, draw, change, shape=r"[A-Za-z]{3,}"):
    """The text with one of its words changed."""
    found = list(re.finditer(r"(?<![\w<&])" + shape + r"(?![\w>])", text))
    if not found:
        return text + " " + change("it")
    one = draw.choice(found)
    return text[: one.start()] + change(one.group(0)) + text[one.end() :]


def between(text, draw, what):
    """The text with a blank between two words changed."""
    found = list(re.finditer(r"(?<=[\w,]) (?=\w)", text))
    if not found:
        return text + what + "thanks"
    one = draw.choice(found)
    return text[: one.start()] + what + text[one.end() :]


def quoted(text, draw, language):
    pair = QUOTED[language]
    if text.count('"') >= 2:
        return re.sub(r'"([^"\n]*)"', lambda found: pair.format(found.group(1)), text)
    return with_word(text, draw, pair.format, r"[A-Za-z]{3,}(?: [a-z]+){0,3}")


def printed(text, language, writable):
    """The text with the typographic characters of a word processor, as far as the charset has them."""
    if "<" in text:
        return text
    for shape, put in (
        (r"\.\.\.", "…"),
        (r" --? ", " – "),
        (r"--", "—"),
        (r"(?<=\w)'|'(?=\d\ds)", "’"),
        (r"(?<![\w.,!?…])'(?=\w)", "‘"),
        (r"(?<=[\w.,!?…])'", "’"),
    ):
        if put.strip() in writable:
            text = re.sub(shape, put, text)
    opening, closing = QUOTED[language].split("{}")
    if opening[0] in writable and closing[-1] in writable:
        text = re.sub(r'"([^"\n]*)"', lambda found: opening + found.group(1) + closing, text)
    return text


def bullets(text, draw, sign):
    items = [line for line in re.split(r"(?<=[.?!]) |\n", text) if line][: draw.randint(1, 6)]
    blank = draw.choice([" ", " ", "  ", "\t", ""])
    if sign == "·" and draw.random() < 0.6:
        # Lists of word processors in plain text.
        blank = "\u00a0" * draw.randint(1, 8) + " "
    return "\n".join(sign + blank + item for item in items)


def no_break(text, draw):
    kind = draw.random()
    if kind < 0.25:
        # Word processors and web mail keep two blanks after a full stop.
        put = draw.choice([". \u00a0", ".\u00a0 "])
        done = re.sub(r"\. (?=[A-Z])", put, text, count=draw.randint(1, 8))
        return done if done != text else text + "\n\u00a0"
    if kind < 0.45:
        return (
            text.replace("\n", draw.choice(["\n\u00a0\n", "\n \u00a0 \n"]), draw.randint(1, 4)) + "\n\u00a0"
        )
    if kind < 0.75:
        cells = re.split(r"(?<=[.?!]) |\n", text)
        rows = []
        for cell in cells[: draw.randint(1, 5)]:
            rows.append(f"<tr><td>{draw.choice(['', '', ' '])}\u00a0</td><td>{cell}</td></tr>")
        return (
            "<table border=0>\n" + "\n".join(rows) + "\n</table>"
            if draw.random() < 0.6
            else "\n".join(cells[:4]) + "\n<P>\u00a0</P>" * draw.randint(1, 3)
        )
    if kind < 0.85:
        unit = draw.choice(["MB", "km", "%", "000", "GHz", "kg", "EUR", "pm", "hours"])
        return between(text, draw, f" {draw.randint(1, 90)}\u00a0{unit} ")
    if kind < 0.93:
        # Indented paragraphs.
        indent = "\u00a0" * draw.randint(1, 8) + draw.choice(["", " "])
        return "\n".join(indent + line for line in text.split("\n")[:2])
    for _ in range(draw.randint(1, 5)):
        text = between(text, draw, draw.choice(["\u00a0", "\u00a0 ", " \u00a0"]))
    return text


def numbers(draw):
    return draw.choice(
        [
            str(draw.randint(1, 99)),
            f"{draw.randint(1, 9)}00",
            f"{draw.randint(1, 99)}.{draw.choice(['99', '50', '00'])}",
            f"{draw.randint(1, 9)},{draw.randint(100, 999)}",
        ]
    )


def sign(text, draw, character, language):
    """The text with this sign in a typical place."""
    if character == "\u00a0":
        return no_break(text, draw)
    if character == "’":
        return apostrophes(text, draw)
    if character in "“”„":
        return quoted(text, draw, language if character != "„" else "de")
    if character == "‘":
        return with_word(text, draw, "‘{}’".format)
    if character == "–":
        done = re.sub(r" --? ", " – ", text)
        return (
            done
            if done != text
            else between(
                text, draw, draw.choice([" – ", " – ", f" {draw.randint(2, 9)}–{draw.randint(10, 20)} "])
            )
        )
    if character == "—":
        done = text.replace("--", "—", 2)
        return done if done != text else between(text, draw, draw.choice(["—", "—", " — "]))
    if character == "…":
        done = text.replace("...", "…")
        return done if done != text else re.sub(r"\.(?=\s|$)|$", draw.choice(["…", "…."]), text, count=1)
    if character in "•·●":
        return bullets(text, draw, character)
    if character in "»›→":
        return draw.choice(
            [
                f"{text}\n{character} Read more",
                between(text, draw, f" {character} "),
                f"Home {character} News\n{text}",
            ]
        )
    if character == "«":
        return with_word(text, draw, draw.choice(["«{}»", "« {} »"]).format)
    if character in "€£":
        price = draw.choice(
            [
                f"{character}{numbers(draw)}",
                f"{character}{numbers(draw)}",
                f"{numbers(draw)} {character}",
                f"{numbers(draw)}{character}",
            ]
        )
        if character == "£":
            price = f"£{numbers(draw)}"
        return between(text, draw, f" {price} ")
    if character == "©":
        line = draw.choice(
            ["© {1} {0}", "Copyright © {1} {0}. All rights reserved.", "© {1}-{2} {0}", "©{1} {0}"]
        )
        return (
            text
            + "\n"
            + line.format(draw.choice(COMPANIES), draw.randint(1996, 2005), draw.randint(2006, 2014))
        )
    if character in "®™":
        put = between(text, draw, f" {draw.choice(PRODUCTS)}{character} ")
        return (
            put
            if draw.random() < 0.6
            else between(
                put, draw, f" {draw.choice(PRODUCTS)}{character}, {draw.choice(PRODUCTS)}{character} and "
            )
        )
    if character == "´":
        done = text.replace("'", "´")
        return done if done != text else with_word(text, draw, lambda word: word + "´s")
    if character == "№":
        return between(text, draw, f" № {draw.randint(1, 400)} ")
    put = {
        "§": [" § {} ", " §{} "],
        "°": [" {}°C ", " {}° ", " {} °F ", " N°{} "],
        "²": [" {} m² ", " {} km² "],
        "µ": [" {} µm ", " {}µs "],
        "½": [" {}½ "],
        "¼": [" {}¼ "],
        "¾": [" {}¾ "],
        "³": [" {} m³ "],
        "¢": [" {}¢ "],
        "¥": [" ¥{}00 "],
        "¶": [" ¶ ", "¶"],
        "¬": [" ¬ "],
        "ª": [" {}ª "],
        "º": [" {}º ", " {}º C "],
        "¿": [" ¿{} ", " ¿What? "],
        "¡": [" ¡Hola! "],
        "¤": [" {} ¤ "],
        "÷": [" {} ÷ 3 "],
        "†": ["† "],
        "‡": ["‡ "],
        "‰": [" {}‰ ", " {} ‰ "],
        "\u00ad": ["\u00ad", "-\u00ad"],
        "±": [" ±{} ", " ± {} "],
        "×": [" {}×2 ", " {} × 4 "],
        "¹": [" {}¹ ", " km¹ {} "],
        "¦": [" ¦ {} ", "¦"],
    }[character]
    return between(text, draw, draw.choice(put).format(draw.randint(1, 90)))


REPEATED = set("£€®™°º²½´–—…‘’“§")


def symbols(draw, sources, language, writable):
    size = length(draw)
    if language == "en":
        if sources.printed and draw.random() < 0.15:
            start = draw.choice(sources.printed)
            return letter(draw, [start[:size]], size)
        parts = english(draw, sources, size)
    else:
        parts, plain = [], sources.plain[language]
        while sum(map(len, parts)) < size:
            parts.append(draw.choice(plain))
    parts = [" ".join(parts[at : at + 3]) for at in range(0, len(parts), 3)]
    text = "\n".join(parts)
    signs = [one for one in SIGNS if one in writable]
    weights = [SIGNS[one] for one in signs]
    wanted = draw.choices(signs, weights)[0]
    text = sign(text, draw, wanted, language)
    # A sign seldom comes alone: texts have several prices, products and apostrophes.
    while wanted in REPEATED and draw.random() < 0.45:
        text = sign(text, draw, wanted, language)
    if draw.random() < 0.25:
        text = sign(text, draw, draw.choices(signs, weights)[0], language)
    # A word processor converts all of them.
    if wanted in "’“”‘–—…" and draw.random() < 0.7:
        text = printed(text, language, writable)
    if "<" in text:
        return text
    return letter(draw, [text], size)


# ---- words


def word_group(draw, sources, language):
    """One to three adjacent words, one of them with a non-ASCII character; or a name, or the name of a
    day or a month."""
    kind = draw.random()
    if kind < 0.45 and language in sources.names:
        names = sources.names[language]
        chosen = [draw.choice(names) for _ in range(draw.choice([1, 1, 2]))]
        if len(chosen) == 1 and draw.random() < 0.5 and language not in OTHER_SCRIPTS:
            chosen.append(draw.choice(["Martin", "Anna", "Simon", "Eva", "Peter", "Maria"]))
            draw.shuffle(chosen)
        return " ".join(chosen), "name"
    if kind < 0.52 and language in DATES:
        return draw.choice(DATES[language].split()), "date"
    for _ in range(50):
        text = draw.choice(sources.own[language])
        words = text.split(" ")
        places = [at for at, word in enumerate(words) if any(c.isalpha() and not c.isascii() for c in word)]
        if not places:
            continue
        at = draw.choice(places)
        before = draw.choice([0, 0, 1, 2])
        group = words[max(0, at - before) : max(0, at - before) + draw.choice([1, 2, 3])]
        group = " ".join(group).strip(" .,;:!?\"'()[]«»„“”‚‘’…")
        if above(group) and len(group) < 60:
            return group, "words"
    return text[:30], "words"


def placed(draw, text, group, kind):
    """English with a group of words in it."""
    if kind == "date":
        start, day = draw.choice(["On ", "Sent: ", "", "Am "]), draw.randint(1, 28)
        year, hour = draw.choice(["2002", "2004", "Mar 2001", "03.2005"]), draw.choice(["at 11:08", "10:42"])
        return f"{start}{group}, {day} {year} {hour}, {draw.choice(PEOPLE)} wrote:\n> {text}"
    if kind == "name":
        put = draw.randrange(7)
        if put == 0:
            return f"Dear {group},\n\n{text}"
        if put == 1:
            return f"{text}\n\nRegards,\n{group}"
        if put == 2:
            return f"{text}\n\n-- \n{group}\nhttp://www.example.com/"
        if put == 3:
            return f"{group} wrote:\n> {text}"
        if put == 4:
            return f"From: {group} <user@example.com>\nSubject: Re: meeting\n\n{text}"
        if put == 5:
            return between(text, draw, f" {group} ")
        return f"{text} {group} said so."
    put = draw.random()
    if put < 0.5:
        return between(text, draw, f" {group} ")
    if put < 0.75:
        return between(text, draw, f' "{group}" ')
    if put < 0.9:
        return between(text, draw, f" ({group}) ")
    return f"Subject: {group}\n\n{text}"


def words(draw, sources, language, writable):
    size = length(draw)
    text = " ".join(english(draw, sources, max(30, size - 20)))[:size]
    if language == "en":
        group, kind = draw.choice(sources.foreign), "words"
    else:
        group, kind = word_group(draw, sources, language)
    return letter(draw, [placed(draw, text, group, kind)], size)


# ---- own


def pieces(text):
    """The offsets of a text at which a piece of it may begin or end."""
    if re.search(r"[\u3040-\u30ff\u3400-\u9fff]", text):
        return (
            [0]
            + [found.end() for found in re.finditer(r"[，。！？、：；,.!?:\n）]|(?<=[a-z]) ", text)]
            + [len(text)]
        )
    return [0] + [found.end() for found in re.finditer(r"\s+", text)] + [len(text)]


def few(draw, text, most, size):
    """A piece of the text with at least one non-ASCII character, at most `most` if possible, and at most
    `size` characters."""
    at = pieces(text)
    starts = [start for start in at[:-1] if not text[start:].isascii()]
    # Mostly begin at the start of a paragraph.
    start = (
        draw.choice(starts)
        if above(text[:size]) > most and draw.random() < 0.7 or text[:size].isascii()
        else 0
    )
    end = start
    for place in at:
        if place > start and (
            above(text[start:end]) == 0 or above(text[start:place]) <= most and place - start <= size
        ):
            end = place
    return text[start:end].strip()


def own(draw, sources, language, writable):
    size = length(draw)
    # Few characters are as likely as many.
    most = int(20 ** draw.random())
    text = draw.choice(sources.own[language])
    plain = sources.plain.get(language, [])
    for _ in range(6):
        if len(text) >= size:
            break
        more = draw.choice(plain if plain and draw.random() < 0.5 else sources.own[language])
        text = text + draw.choice(["\n", " "]) + more
    cut = few(draw, text, most, size)
    parts = [cut]
    short = size - len(cut)
    if len(cut) < 45 or (short > 60 and draw.random() < 0.35):
        extra = draw.random()
        if extra < 0.55:
            parts.append(quotation(draw, sources, max(30, min(short, 300))))
        elif extra < 0.75:
            parts.append(draw.choice(PARTINGS) + "\n" + draw.choice(COMPANIES) + ", tel. 555-0199")
        elif extra < 0.9:
            parts.insert(0, " ".join(english(draw, sources, 30)))
        else:
            parts.append(
                "\n________________\nThis e-mail is confidential. " + " ".join(english(draw, sources, 30))
            )
    return laid_out(draw, "\n".join(parts))


# ---- East Asian


def introduced(draw, language):
    """The line above a quotation, as written by programs in these languages."""
    year, month, day = draw.randint(1999, 2012), draw.randint(1, 12), draw.randint(1, 28)
    person = draw.choice(PEOPLE)
    mailbox = f"{person} <{person.split()[0].lower()}@example.com>"
    week = draw.choice("一二三四五六日")
    return draw.choice(
        {
            "zh-Hans": [
                f"{mailbox} 于{year}年{month}月{day}日周{week} 上午10:42写道：",
                f"{mailbox} 于{year}年{month}月{day}日周{week} 下午3:08写道：",
                f'在 {year}-{month:02}-{day:02} 10:42:00，"{person}" 写道：',
                f"{year}/{month}/{day} {mailbox} 写道：",
                f"在{year}年{month}月{day}日，{person} 写道：",
                f"发件人: {mailbox}\n发送时间: {year}-{month}-{day} 10:42\n主题: Re: meeting\n",
                f"======= {year}-{month:02}-{day:02} 您在来信中写道: =======",
            ],
            "zh-Hant": [
                f"{mailbox} 於 {year}年{month}月{day}日 週{week} 上午10:42寫道：",
                f"{mailbox} 於 {year}年{month}月{day}日 下午3:08 寫道：",
                f"{year}/{month}/{day} {mailbox} 寫道：",
                f"寄件者: {mailbox}\n主旨: Re: meeting\n",
                f"{person} 提到:",
            ],
            "ja": [
                f"{year}年{month}月{day}日10:42 {mailbox}:",
                f"{year}年{month}月{day}日({week.replace('一', '月').replace('二', '火')}) 10:42 {mailbox}:",
                f"{person} さんは書きました:",
                f"差出人: {mailbox}\n件名: Re: meeting\n",
                f"{mailbox} wrote ({year}年{month}月):",
            ],
            "ko": [
                f"{year}년 {month}월 {day}일 오전 10:42, {mailbox}님의 말:",
                f"{year}년 {month}월 {day}일 (월) 오후 3:08, {mailbox}님이 작성:",
                f"보낸 사람: {mailbox}\n제목: Re: meeting\n",
                f"{year}-{month:02}-{day:02}, {person} 작성:",
            ],
        }[language]
    )


def east_asian(draw, sources, language, writable):
    size = length(draw)
    parts = english(draw, sources, size)
    text = " ".join(parts)[:size]
    shared = {one: SIGNS[one] for one in "’“”…—‘→·×°±§●" if one in writable}
    kind = draw.choices(list(EAST_ASIAN_TEXTS), list(EAST_ASIAN_TEXTS.values()))[0]
    if kind == "signs":
        wanted = draw.choices(list(shared), list(shared.values()))[0]
        text = sign(text, draw, wanted, "en")
        if wanted in "’“”‘—…" and draw.random() < 0.7:
            text = printed(text, "en", set(shared))
        return letter(draw, [text], size)
    if kind == "full width":
        if draw.random() < FULL_WIDTH["\u3000"] / sum(FULL_WIDTH.values()):
            put = draw.random()
            blanks = "\u3000" * draw.choice([1, 1, 2])
            if put < 0.3:
                return f"<P>{blanks}<B><FONT color=red>Dear friend</FONT></B>\n<P>{text}</P>"
            if put < 0.6:
                return letter(draw, ["\n".join(blanks + line for line in text.split("\n"))], size)
            for _ in range(draw.randint(1, 4)):
                text = between(text, draw, blanks)
            return letter(draw, [text], size)
        mark = draw.choices(list(FULL_WIDTH)[:-1], list(FULL_WIDTH.values())[:-1])[0]
        plain = {"，": ",", "！": "!", "）": ")", "？": "?", "。": "."}[mark]
        if plain in text:
            text = re.sub(re.escape(plain) + " ?", mark, text, count=draw.randint(1, 5))
        else:
            text = between(text, draw, mark)
        if mark == "）":
            text = between(text, draw, " （1") if "（" not in text else text
        return letter(draw, [text], size)
    if kind == "introduced":
        quote = "\n".join("> " + line for line in wrapped(text).split("\n")) if draw.random() < 0.6 else text
        return letter(draw, [*parts[: draw.randint(0, 1)], introduced(draw, language) + "\n" + quote], size)
    chosen = []
    for _ in range(draw.choice([1, 1, 2])):
        if draw.random() < 0.4:
            chosen.append((draw.choice(sources.names[language]), "name"))
            continue
        run = []
        while not run:
            run = re.findall(
                r"[\u3005-\u30ff\u3400-\u9fff\uac00-\ud7a3]{2,}(?: [\uac00-\ud7a3]{2,})?",
                draw.choice(sources.own[language]),
            )
        piece = draw.choice(run)
        chosen.append((piece if language == "ko" else piece[: draw.randint(2, 6)], "words"))
    for group, kind in chosen:
        text = placed(draw, text, group, kind)
    return letter(draw, [text], size)


# ---- the whole


SETS = {"symbols": symbols, "words": words, "own": own, "east-asian": east_asian}


def parts_of_mail(charset):
    return PARTS_OF_MAIL.get(charset, SELDOM)


def charsets(left_out=LEFT_OUT):
    """For each charset, the languages used in it in mail, with their frequencies."""
    found = defaultdict(dict)
    for language, names in (samples.CHARSETS | samples.STRANGERS).items():
        for name in names:
            if name not in left_out:
                found[name][language] = 0.25 if language in samples.STRANGERS else LANGUAGES[language] or 1
    return found


def shares(languages, writable):
    """Of the mail in a charset, how much belongs to each set: as many symbols as the counts of
    the signs that the charset has are of those and of all letters. Of texts with letters, one
    half has words in English, the other is the language's own. Of East Asian text, a quarter
    is the language's own."""
    if set(languages) & set(EAST_ASIAN):
        return {"east-asian": 0.75, "own": 0.25}
    signs = sum(SIGNS[one] for one in writable)
    share = signs / (signs + LETTERS)
    found = {"symbols": share, "words": (1 - share) / 2, "own": (1 - share) / 2}
    return {name: share for name, share in found.items() if share}


def decoded(octets, charset):
    """The text of octets in a charset."""
    if charset in samples.ICONV:
        done = subprocess.run(
            ["iconv", "-f", charset, "-t", "UTF-8"], input=octets, capture_output=True, check=True
        )
        return done.stdout.decode()
    return octets.decode(samples.PYTHON.get(charset, charset))


def writes(charset):
    """The signs that a charset can encode."""
    written = {one: samples.encode(one, charset) for one in SIGNS}
    return {one for one, octets in written.items() if octets and decoded(octets, charset) == one}


def make(part, count):
    """The lines of a part."""
    sources = Sources(part)
    found = charsets()
    whole = sum(map(parts_of_mail, found))
    for charset, languages in found.items():
        parts = parts_of_mail(charset)
        writable = writes(charset)
        number = count * max(1, round((parts / 20) ** 0.5))
        for name, share in shares(languages, writable).items():
            if name == "symbols":
                drawn = {"en": 6}
                latin = {
                    language: often
                    for language, often in languages.items()
                    if len(sources.plain.get(language, ())) >= 20
                    and language != "en"
                    and language not in OTHER_SCRIPTS
                }
                drawn |= {language: 4 * often / sum(latin.values()) for language, often in latin.items()}
            else:
                drawn = {
                    language: often
                    for language, often in languages.items()
                    if language == "en" and name == "words" or language != "en" and sources.own.get(language)
                }
            lines, tries = [], 0
            while len(lines) < number and tries < 12 * number:
                draw = random.Random(f"{part} {name} {charset} {tries}")
                tries += 1
                language = draw.choices(list(drawn), list(drawn.values()))[0]
                text = SETS[name](draw, sources, language, writable)
                octets = samples.encode(text, charset)
                if octets is None or not 40 <= len(octets) <= 900 or octets in lines:
                    continue
                if not 1 <= above(decoded(octets, charset)) <= 19:
                    continue
                if name == "symbols" and any(
                    c.isalpha() and not c.isascii() for c in decoded(octets, charset).replace("µ", "")
                ):
                    continue
                lines.append((language, octets))
            for language, octets in lines:
                yield name, language, charset, 100 * parts / whole * share / len(lines), octets


if __name__ == "__main__":
    for name, language, charset, weight, octets in make(sys.argv[1], int(sys.argv[2])):
        print(name, language, charset, f"{weight:.8f}", octets.hex(), sep="\t")
