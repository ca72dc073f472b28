"""Names of the places and scripts that questions are grouped by; the interface has the same words in its locales."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

_LANGUAGES: Final = ("zh-Hans", "zh-Hant", "en")
_CONTINENTS: Final[Mapping[str, tuple[str, str, str]]] = {
    "africa": ("非洲", "非洲", "Africa"),
    "asia": ("亚洲", "亞洲", "Asia"),
    "europe": ("欧洲", "歐洲", "Europe"),
    "latin_america": ("拉丁美洲", "拉丁美洲", "Latin America"),
}
_SCRIPTS: Final[Mapping[str, tuple[str, str, str]]] = {
    "amharic": ("阿姆哈拉文", "阿姆哈拉文", "Amharic"),
    "arabic": ("阿拉伯文", "阿拉伯文", "Arabic"),
    "bengali": ("孟加拉文", "孟加拉文", "Bengali"),
    "chinese": ("汉字", "漢字", "Chinese"),
    "cyrillic": ("西里尔字母", "西里爾字母", "Cyrillic"),
    "devanagari": ("天城文", "天城文", "Devanagari"),
    "hangul": ("谚文", "諺文", "Hangul"),
    "japanese": ("日文", "日文", "Japanese"),
    "latin": ("拉丁字母", "拉丁字母", "Latin"),
    "perso_arabic": ("波斯-阿拉伯文", "波斯-阿拉伯文", "Perso-Arabic"),
    "sinhalese": ("僧伽罗文", "僧伽羅文", "Sinhalese"),
    "tamil": ("泰米尔文", "坦米爾文", "Tamil"),
    "telugu": ("泰卢固文", "泰盧固文", "Telugu"),
}
#: Tag → group → its name in each language.
NAMES: Final[Mapping[str, Mapping[str, Mapping[str, str]]]] = {
    tag: {group: dict(zip(_LANGUAGES, names, strict=True)) for group, names in of.items()}
    for tag, of in (("continent", _CONTINENTS), ("script", _SCRIPTS))
}
