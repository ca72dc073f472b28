"""Which lines of text look as if they name a person, a place where someone lives, or a secret.

The rules know how such lines are written in mainland China, Hong Kong, Macau and Taiwan, and the commonest forms
elsewhere. They see one line as it was read, with the blanks that reading adds or loses. What they find is only proposed
to a person, so they rather propose one line too many; a shop's name, a price or a year is none.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final, Literal

#: What a line may be.
Sort = Literal["plate", "telephone", "email", "password", "address", "identity"]

_WHITE: Final = re.compile(r"\s+")
# Blanks beside a Chinese character mean nothing: reading puts them where characters are far apart.
_BETWEEN: Final = re.compile(r"(?<=[\u2e80-\u9fff]) (?=\S)|(?<=\S) (?=[\u2e80-\u9fff])")

# --- Plates. I and O are not used in most places, because they look like digits.

_PROVINCES: Final = "京津沪滬渝冀豫云雲辽遼黑湘皖鲁魯新苏蘇浙赣贛鄂桂甘晋晉蒙陕陝吉闽閩贵貴粤粵青藏川宁寧琼瓊"
_PLATES: Final = tuple(
    re.compile(pattern)
    for pattern in (
        # Mainland: 京A·12345, new energy 沪AD12345, 粤Z·1234港, 川A1234警; embassies 使014·578.
        rf"(?<![A-Z0-9])[{_PROVINCES}][A-Z][·•・.\- ]?[A-HJ-NP-Z0-9]{{4,6}}[挂掛学學警港澳领領使]?(?![A-Z0-9])",
        r"^使ʻ?[0-9]{3}[·•・.\- ]?[0-9]{3}$",
        # Hong Kong: AB 1234, and Macau: MA-12-34.
        r"^(?!AD|BC|CE|AM|PM|FM)[A-HJ-NPR-Z]{2} ?[0-9]{3,4}$",
        r"^(?:M|A)[A-Z][ -]?[0-9]{2}[ -][0-9]{2}$",
        # Taiwan: ABC-1234, 1234-AB, AB-1234, motorcycles ABC-123, 123-ABC; electric EAB-1234.
        r"^[A-Z]{3}[-·•. ]?[0-9]{4}$",
        r"^[A-Z]{3}[-·•.][0-9]{3}$",
        r"^[0-9]{3,4}[-·•.][A-Z]{2,3}$",
        r"^(?:[A-Z]{2}|[A-Z][0-9]|[0-9][A-Z])[-·•.][0-9]{4}$",
        # India: KA 01 AB 1234. Great Britain: AB12 CDE. France, Italy: AB-123-CD. Germany: B AB 1234, M-XY 123.
        r"^[A-Z]{2}[ -]?[0-9]{1,2}[ -]?[A-Z]{1,3}[ -]?[0-9]{4}$",
        r"^[A-Z]{2}[0-9]{2} ?[A-HJ-PR-Z]{3}$",
        r"^[A-Z]{2}[ -][0-9]{3}[ -][A-Z]{2}$",
        r"^[A-ZÄÖÜ]{1,3}[ -][A-Z]{1,2} ?[0-9]{1,4}[EH]?$",
        # California: 7ABC123. Singapore: SBA 1234 A. Malaysia: WXY 1234 is like Taiwan's. Russia: A123BC 77.
        r"^[0-9][A-Z]{3}[0-9]{3}$",
        r"^[A-Z]{2,3} ?[0-9]{3,4} ?[A-Z]$",
        r"^[ABCEHKMOPTXYАВЕКМНОРСТУХ] ?[0-9]{3} ?[ABCEHKMOPTXYАВЕКМНОРСТУХ]{2} ?[0-9]{2,3}$",
        # Japan: 品川300 あ12-34. South Korea: 123가 4567.
        r"[\u4e00-\u9fff]{1,4}[0-9]{3}[ぁ-ん][0-9・·.]{1,2}[- ]?[0-9]{2}$",
        r"^[0-9]{2,3}[가-힣] ?[0-9]{4}$",
    )
)

# --- Telephone numbers, in digits whose separators were removed.

_TELEPHONE_WORDS: Final = (
    r"(?:tel|phone|mobile|mob\.|cell|fax|hotline|whatsapp|wechat|weixin|\bqq\b|line\s?id"
    r"|电话|電話|手机|手機|热线|熱線|专线|專線|联系|聯絡|聯繫|致电|致電|传真|傳真|微信|加微|[☎☏✆📞📱])"
)
_LABELLED_NUMBER: Final = re.compile(rf"{_TELEPHONE_WORDS}[^0-9]{{0,14}}\+?[0-9]{{5,15}}(?![0-9])", re.IGNORECASE)
_SEPARATORS: Final = re.compile(r"(?<=[0-9)])[ \-.·•–—()/]{1,3}(?=[0-9(])|(?<=\()(?=[0-9])|(?<=[0-9])\)")
_NUMBERS: Final = tuple(
    re.compile(rf"(?<![0-9.,¥$€£]){pattern}(?![0-9,%])")
    for pattern in (
        r"(?:\+?86)?1[3-9][0-9]{9}",  # mainland, mobile
        r"400[0-9]{7}|800[0-9]{7}",  # mainland, service numbers
        r"(?:\+?886|0)9[0-9]{8}",  # Taiwan, mobile
        r"\+[1-9][0-9]{7,14}",  # any country, with its code
        r"00(?:1|7|20|33|34|39|44|49|60|61|65|8[1246]|852|853|886|9[0-9])[0-9]{7,11}",
    )
)
# Landlines are told from other numbers only by how they are written: an area code apart.
_WRITTEN_NUMBERS: Final = tuple(
    re.compile(rf"(?<![0-9.,¥$€£-]){pattern}(?![0-9,%-])")
    for pattern in (
        # 010-12345678, (02) 2345-6789, 0571-87654321
        r"(?:\(0[1-9][0-9]{0,2}\)[ \-–—]?|0[1-9][0-9]{0,2}[ \-–—]{1,2})[0-9]{3,4}[ \-]?[0-9]{3,4}",
        r"\([0-9]{3}\) ?[0-9]{3}[ \-.][0-9]{4}",  # (415) 555-0123
        r"[2-9][0-9]{2}-[0-9]{3}-[0-9]{4}",  # 415-555-0123
        r"0[0-9]{3,4} [0-9]{3} ?[0-9]{3,4}",  # 020 7946 0123, 01632 960 123
        r"0[0-9]{2} [0-9]{4} ?[0-9]{4}",
    )
)
_EIGHT_DIGITS: Final = re.compile(r"^(?P<first>[235-9][0-9]{3})[ \-](?P<second>[0-9]{4})$")  # Hong Kong, Macau
_FIRST_YEAR, _LAST_YEAR = 1500, 2099

# --- The others

_EMAIL: Final = re.compile(r"[A-Z0-9][\w.+\-]*\s?@\s?[A-Z0-9][A-Z0-9\-]*(?:\s?\.\s?[A-Z]{2,}){1,3}", re.IGNORECASE)
_KEY_WORDS: Final = (
    r"(?:密码|密碼|口令|pass\s?word|passwd|passcode|passphrase|\bpwd\b|\bpw\b|\bpin\b(?:\s?code)?"
    r"|(?:wpa|wep|network|security)\s?key)"
)
_WIFI_WORDS: Final = r"(?:wi-?\s?fi|wlan|ssid|无线网(?:络)?|無線網(?:路)?|热点|熱點)"
_SAID: Final = r"\s?(?:[:：=＝]|是|为|為|(?<=[a-z])\s(?=\S*[0-9]))\s?"
_PASSWORD: Final = re.compile(
    rf"(?:{_KEY_WORDS}{_SAID}[!-~]{{4,}}|{_KEY_WORDS}\s?[0-9][!-~]{{3,}}|{_WIFI_WORDS}\s?[:：=＝]\s?\S{{3,}})",
    re.IGNORECASE,
)
_PASSWORD_LABEL: Final = re.compile(rf"{_KEY_WORDS}\s?[:：=＝]?$", re.IGNORECASE)

_HAN_NUMBER: Final = "[0-9０-９〇零一二三四五六七八九十百]"
_ADDRESSES: Final = (
    # 世纪大道100号, 松仁路100號5樓, 中山北路二段12巷3弄5號, 弥敦道 132-134 号
    re.compile(
        rf"[\u4e00-\u9fff](?:路|街|道|巷|弄|胡同|里|村|段|坊|园|園|苑|屯|组|組|社区|小区|工业区)[东西南北中東]?"
        rf"[^\s,，。]{{0,6}}?{_HAN_NUMBER}{{1,5}}(?:[-–之][0-9]{{1,4}})?[甲乙丙]?(?:号|號|弄)(?!线|線|楼梯|站|店|窗)"
    ),
    # 3栋2单元501室, 12樓B室
    re.compile(
        rf"{_HAN_NUMBER}{{1,4}}[A-Z]?(?:栋|幢|棟|座|号楼|號樓|单元|單元|樓|楼|层|層)[\s\-]?"
        rf"(?:{_HAN_NUMBER}{{1,4}}(?:单元|單元))?[A-Z0-9]{{1,5}}(?:室|户|戶|房)"
    ),
    re.compile(
        r"(?:^|[\s,:])(?:no\.?\s?)?[0-9]{1,5}(?:[-–/][0-9]{1,4})?[a-z]?,?\s(?:[a-z][\w'.\-]*\s){0,4}"
        r"(?:street|st|road|rd|avenue|ave|lane|ln|boulevard|blvd|drive|dr|court|ct|place|pl|square|sq|highway|hwy"
        r"|terrace|crescent|close|alley)\b\.?",
        re.IGNORECASE,
    ),
    re.compile(
        r"\b(?:flat|room|rm|apt|apartment|unit|suite)\.?\s?[0-9]{1,5}[a-z]?,\s?(?:[0-9]{1,3}(?:/f|th|st|nd|rd)|block|tower|[0-9])",
        re.IGNORECASE,
    ),
    re.compile(r"\bp\.?\s?o\.?\s?box\s?[0-9]{1,6}", re.IGNORECASE),
)

_IDENTITIES: Final = (
    # Mainland: region, date of birth, number. Hong Kong: A123456(7). Taiwan: A123456789.
    re.compile(
        r"(?<![0-9])[1-9][0-9]{5}(?:19|20)[0-9]{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])[0-9]{3}[0-9X](?!\d)"
    ),
    re.compile(r"(?<![A-Z0-9])[A-Z]{1,2}[0-9]{6}\([0-9A]\)"),
    re.compile(r"(?<![A-Z0-9])[A-Z][1289][0-9]{8}(?![0-9])"),
)


def plain(text: str) -> str:
    """Return a line with ordinary letters and digits, and no blanks beside Chinese characters."""
    text = _WHITE.sub(" ", unicodedata.normalize("NFKC", text)).strip()
    return _BETWEEN.sub("", text)


def personal(text: str) -> Sort | None:
    """Return what a line of text looks like; None if it is nothing that has to be covered.

    Args:
        text: The line as it was read.
    """
    line = plain(text)
    if any(pattern.search(line) for pattern in _IDENTITIES):
        return "identity"
    if _EMAIL.search(line):
        return "email"
    if _PASSWORD.search(line):
        return "password"
    if is_telephone(line):
        return "telephone"
    if any(pattern.search(line) for pattern in _PLATES):
        return "plate"
    if any(pattern.search(line) for pattern in _ADDRESSES):
        return "address"
    return None


def is_password_label(text: str) -> bool:
    """Whether a line only announces a password, which stands in the next one."""
    return bool(_PASSWORD_LABEL.search(plain(text)))


def is_telephone(line: str) -> bool:
    """Whether a line has a telephone number in it."""
    if match := _EIGHT_DIGITS.match(line):
        return not all(_FIRST_YEAR <= int(part) <= _LAST_YEAR for part in match.groups())  # a span of years
    digits = _SEPARATORS.sub("", line)
    return (
        _LABELLED_NUMBER.search(digits) is not None
        or any(pattern.search(digits) for pattern in _NUMBERS)
        or any(pattern.search(line) for pattern in _WRITTEN_NUMBERS)
    )
