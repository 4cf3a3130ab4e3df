"""Measures how many short East Asian names are detected: alone, and as the name in a From field.

Each of 300 names is one of the 20 most frequent family names of its language with one of 15 frequent
given names, less the names that `sparse.py` composes texts of. Nothing was tuned with them.
"""

import os
import subprocess
from collections import defaultdict

import sparse

HERE = os.path.dirname(os.path.abspath(__file__))
OURS = os.path.join(HERE, "target", "release", "mime-charset-eval")

NAMES = {
    "zh-Hans": ("王 李 张 刘 陈 杨 赵 黄 周 吴 徐 孙 胡 朱 高 林 何 郭 马 罗", "伟 芳 娜 秀英 敏 静 丽 强 磊 军 洋 建国 艳 杰 桂英"),
    "zh-Hant": ("陳 林 黃 張 李 王 吳 劉 蔡 楊 許 鄭 謝 洪 郭 邱 曾 廖 賴 徐", "家豪 志明 淑芬 淑惠 美玲 雅婷 怡君 俊傑 建宏 俊宏 志豪 淑娟 雅雯 承翰 冠宇"),
    "ja": ("佐藤 鈴木 高橋 田中 伊藤 渡辺 山本 中村 小林 加藤 吉田 山田 佐々木 山口 松本 井上 木村 林 斎藤 清水", "翔太 蓮 拓也 健太 誠 浩 学 直人 翼 美咲 愛 恵 陽子 久美子 由美"),
    "ko": ("김 이 박 최 정 강 조 윤 장 임 한 오 서 신 권 황 안 송 전 홍", "민준 서준 도윤 예준 지훈 현우 준서 서연 지우 서현 민서 수빈 영숙 정숙 미영"),
}
CHARSETS = [("zh-Hant", "Big5"), ("zh-Hans", "GBK"), ("ko", "EUC-KR"), ("ja", "EUC-JP"), ("ja", "Shift_JIS")]


def names(language):
    family, given = NAMES[language]
    tuned = set(sparse.NAMES[language].split())
    return [one for name in family.split() for other in given.split() if (one := name + other) not in tuned]


def main():
    found = []
    for language, charset in CHARSETS:
        for name in names(language):
            octets = name.encode("cp932" if charset == "Shift_JIS" else charset)
            found.append((charset, "alone", len(name), octets))
            found.append((charset, "in From", len(name), octets + b" <info@example.com>"))
    lines = "".join(f"{charset}\t{octets.hex()}\n" for charset, _, _, octets in found)
    out = subprocess.run([OURS], input=lines, capture_output=True, text=True, check=True).stdout
    counted = defaultdict(lambda: [0, 0, 0])
    guesses = defaultdict(lambda: defaultdict(int))
    for (charset, form, length, _), line in zip(found, out.splitlines(), strict=True):
        guess, ours, _, _, chardetng = line.split("\t")
        for key in ((charset, form, str(length)), (charset, form, "all")):
            counted[key][0] += 1
            counted[key][1] += ours == "1"
            counted[key][2] += chardetng == "1"
        if ours != "1":
            guesses[charset, form][guess] += 1
    print("### Names\n")
    print("| charset | form | characters | names | mime-charset | chardetng | wrong guesses |\n|---|---|--:|--:|--:|--:|---|")
    for (charset, form, length), (number, ours, chardetng) in counted.items():
        wrong = sorted(guesses[charset, form].items(), key=lambda it: -it[1]) if length == "all" else []
        wrong = ", ".join(f"{guess} {count}" for guess, count in wrong)
        print(f"| {charset} | {form} | {length} | {number} | {100 * ours / number:.1f} | {100 * chardetng / number:.1f} | {wrong} |")
    print()


if __name__ == "__main__":
    main()
