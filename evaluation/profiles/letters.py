"""Readers of option letters in a model's response: one reader per source, each with its own oddities.

The published readers follow the described behaviour of their sources, oddities included, because scores are only
comparable if they are read alike. :func:`robust` is what a careful team would want instead.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from string import ascii_uppercase
from typing import Any, Final, NamedTuple

from curation.core.text import normalize
from evaluation.profiles.base import OVERRIDE


class Read(NamedTuple):
    """The result of reading a response.

    Attributes:
        letters: The letter or letters; None if the reader found none.
        rule: Name of the rule that matched; ``refused`` or empty if none did.
    """

    letters: str | None
    rule: str = ""


NOTHING: Final = Read(None)


def overridden(row: Mapping[str, Any]) -> Read | None:
    """Return what a person read in the response of a row; None if no person did."""
    return Read(row[OVERRIDE], OVERRIDE) if OVERRIDE in row else None


# --- TCC-Bench, published scorer --------------------------------------------------------------------------------------


def tcc_official(response: str) -> Read:
    r"""Read a letter as TCC-Bench's scorer does.

    The last ``答案`` at the beginning of a line counts (bare, or after two asterisks and with a full-width colon). Of
    the letters after it the first **in the alphabet** counts, not in the text. Without ``答案`` the most common letter
    A to F in brackets counts, else the most frequent one by itself; among equals, the one that first appears last. A
    Chinese character is a letter to ``\b``, so ``答案A`` gives nothing.
    """
    text = response.strip()
    if len(text) == 1 and text in "ABCD":
        return Read(text, "alone")
    for rule, marker in (("line", "\n答案"), ("bold line", "\n**答案：")):
        if marker in text:
            after = text.rsplit(marker, 1)[1]
            return next((Read(letter, rule) for letter in "ABCD" if letter in after), NOTHING)
    for rule, pattern in (("brackets", r"\(([A-F])\)"), ("word", r"\b([A-F])\b")):
        if matches := re.findall(pattern, text):
            counted = Counter(matches)
            most = max(counted.values())
            return Read([letter for letter in counted if counted[letter] == most][-1], rule)
    return NOTHING


# --- CMMU, published scorer -------------------------------------------------------------------------------------------

_CMMU_KEYWORDS: Final = ("故选", "正确选项为", "答案选", "答案为", "答案是", "答案")
# This was meant to remove [INST] and [/INST]; written as character classes, it removes every one of these characters.
_CMMU_INST: Final = re.compile(r"[INST]|[/INST]")
_CMMU_DROPPED: Final = re.compile(r"[\u4e00-\u9fff0-9a-z\W_]")


def cmmu_letters(response: str) -> str:
    """Return the capital letters that CMMU's preparation leaves of a response; one character is used as it is.

    It removes ``The`` and ``If``, and by mistake every I, N, S, T and slash. It cuts the text after the last occurrence
    of the first of its keywords that occurs at all, and removes everything that is no capital letter.
    """
    if len(response) == 1:
        return response
    text = response.replace("The", "").replace("If", "")
    text = _CMMU_INST.sub("", text)
    for keyword in _CMMU_KEYWORDS:
        if keyword in text:
            text = text.rsplit(keyword, 1)[1]
            break
    return "".join(c for c in _CMMU_DROPPED.sub("", text) if "A" <= c <= "Z")


def cmmu_single(response: str) -> Read:
    """Return the letter that CMMU compares for one right option: the first that remains."""
    letters = cmmu_letters(response)
    return Read(letters[0], "first letter") if letters else NOTHING


def cmmu_multiple(response: str) -> Read:
    """Return the letters that CMMU compares for several right options: sorted, with repetitions (``AAC`` ≠ ``AC``)."""
    letters = cmmu_letters(response)
    return Read("".join(sorted(letters)), "sorted letters") if letters else NOTHING


def last_line(response: str) -> str:
    """Return the last line that is not blank (CMMU section 3.3: only the response's last line counts)."""
    return next((line for line in reversed(response.splitlines()) if line.strip()), "")


# --- VisTai, published scorer -----------------------------------------------------------------------------------------

_VISTAI_DELETED: Final = (
    "**",
    "$\\boxed{",
    "}$",
    "\\$",
    "$\\text{",
    "$",
    "\\mathrm{",
    "\\{",
    "\\text",
    "\\(",
    "\\mathbf{",
    "{",
    "\\boxed",
)
_VISTAI_PATTERNS: Final = (("答案", re.compile(r"答案\s*:\s*(\w+)")), ("Answer", re.compile(r"Answer\s*:\s*(\w+)")))
# Letters of the Arabic and Bengali alphabets and full-width letters count as A to D.
_VISTAI_LETTERS: Final = str.maketrans(
    {"أ": "A", "ب": "B", "ج": "C", "د": "D", "অ": "A", "ব": "B", "ড": "C", "ঢ": "D"}
    | {chr(ord("Ａ") + i): chr(ord("A") + i) for i in range(26)}
)


def vistai_normalise(response: str) -> str:
    """Normalise a text as VisTai's ``normalize_response`` does: remove bold and formula marks, keep a closing brace."""
    for piece in _VISTAI_DELETED:
        response = response.replace(piece, "")
    return response


def vistai_official(response: str) -> Read:
    """Read a letter by VisTai's rules: the first word after ``答案:`` with a half-width colon, else after ``Answer:``.

    The word may continue in Chinese (``答案: A選項`` reads ``A選項``, which is then wrong without a parser model). The
    comparison is case-sensitive.
    """
    text = vistai_normalise(response)
    for rule, pattern in _VISTAI_PATTERNS:
        if match := pattern.search(text):
            return Read(match[1].translate(_VISTAI_LETTERS).strip(), rule)
    return NOTHING


# --- CVQA, letters generated through a harness ------------------------------------------------------------------------


def generated(response: str) -> Read:
    """Read a letter from a generated response as the harnesses for CVQA do, without their random last resort.

    First it looks for ``(A)``, ``A.``, ``A)``, ``A:`` or a letter before a blank or alone, then for any letter A to D.
    """
    text = response.strip()
    if match := re.search(r"(?:^|(?<=[\s(]))\(?([A-D])(?:[).:\s]|$)", text):
        return Read(match[1], "letter with a mark")
    if match := re.search(r"[A-D]", text, re.IGNORECASE):
        return Read(match[0].upper(), "any letter")
    return NOTHING


# --- robust -----------------------------------------------------------------------------------------------------------

_L: Final = r"(?<![A-Za-z])([A-Za-z])(?![A-Za-z])"
_MARKS: Final = r"[\s\"'“”‘’（(\[【「『《<*_`~]*"
_OPEN: Final = rf"{_MARKS}(?:(?:选项|選項|option|choice){_MARKS})?"
# Phrases that announce the answer; the last one in the text counts, because people correct themselves.
_BEFORE: Final = (
    r"(?:"
    r"(?:最终|最後|最后|正确|正確|标准|標準|我的)?(?:答案|選項|选项)(?:应该|應該|应当|應當)?(?:是|为|為|选|選|就是|[:=])+"
    r"|答案(?=[\s(（\[【*]*[A-Za-z](?![A-Za-z]))"
    r"|(?:故|应|應|應該|应该|因此|所以|于是|於是|我|就|还是|還是|改|而)?(?:选择|選擇|选|選)(?:的是|了|为|為|项|項|[:])*"
    r"|(?:the\s+)?(?:correct|right|best|final|my)\s+(?:answer|option|choice)\s*(?:is|would\s+be|=|:)+"
    r"|(?:the\s+)?answer\s*(?:is|would\s+be|=|:)+"
    r"|(?:i(?:'d|\s+would)?\s+)?(?:choose|pick|select|go\s+with)"
    r"|correct(?:ion|ed)?\s*[:=]|更正(?:\s*:+)?"
    r")" + _OPEN
)
# Every character that a match can begin with, looked at first: at most places of a text that is all there is to do.
_BEFORE_BEGINS: Final = r"(?=[最正标標我答選选故应應该因所于於就还還改而更tcrbfmaipsg])"
_ANNOUNCED: Final = re.compile(_BEFORE_BEGINS + _BEFORE + _L, re.IGNORECASE)
_NEGATED: Final = re.compile(
    r"(?:不是|并非|並非|不選|不选|不能选|不能選|排除|非|除了|isn't|not|neither|nor|exclude|wrong)\Z",
    re.IGNORECASE,
)
_RULED_OUT: Final = re.compile(r"rule\s+out\Z", re.IGNORECASE)
_LONGEST_NEGATION: Final = len("neither")
_NEGATIONS_END: Final = frozenset("是非选選能除了tTrReEgG")
_REFUSED: Final = re.compile(
    r"(?=[抱对對很无無不作我没沒sica])(?:抱歉|对不起|對不起|很遗憾|很遺憾|无法(?:回答|判断|确定|查看|看到|识别|提供)|無法(?:回答|判斷|確定|查看|看到|識別|提供)|不能(?:回答|提供|协助|協助)"
    r"|作为(?:一个|一個)?(?:AI|人工智能)|我没有看到|我沒有看到|没有(?:提供)?图|沒有(?:提供)?圖"
    r"|\bsorry\b|\bI(?:\s+can(?:'t|not|\s+not)|\s*'m\s+(?:un|not\s+)able)|\bcannot\s+(?:answer|determine|see|help)|as\s+an\s+AI)",
    re.IGNORECASE,
)
_CLEANED: Final = re.compile(r"\\(?:boxed|text|mathrm|mathbf|textbf)\s*\{\s*((?:[^{}\s][^{}]*)?)\}|\$|\*\*|__")
_DEEPEST: Final = 20  # formula and bold marks inside each other
# Python normalises a text of Chinese in a tenth of the time if none of its characters changes; in most, only these do.
_FULL_WIDTH: Final = tuple(zip("，：；！？（）", ",:;!?()", strict=True))
_BARE: Final = re.compile(r"[\s\"'“”‘’(\[{<【「『]*([A-Za-z])[\s\"'“”‘’)\]}>】」』.:,;!。、，；！]*", re.DOTALL)
_LEADING: Final = re.compile(
    r"[\s\"'“”‘’(\[{<【「『]*([A-Z])(?:[)\].:、，。】」』]|\s*(?=[\u4e00-\u9fff])(?![和或与與及]))"
)
_IN_BRACKETS: Final = re.compile(r"[(\[【「]\s*([A-Z])\s*[)\]】」]")
_ARTICLE: Final = re.compile(r"\bA\s+[a-z]")
_ALONE: Final = re.compile(r"(?<![A-Za-z'])([A-Z])(?![A-Za-z'])")


_SHORT: Final = 64  # characters; replies of this length repeat


def robust(response: str, options: Sequence[str] = (), *, count: int = 4) -> Read:
    """Read a letter as a careful reader would; this never guesses.

    The rules in order (``docs/profiles.md`` has examples): normalise full-width letters, colons and brackets and remove
    formula and bold marks; a response of one letter; the last announced letter (``答案：B``, ``选B``, ``the correct
    option is C``) that is not negated, so that later corrections win; the only option whose text the response
    contains, if the options are known; a leading letter (``B. 石碑``); one in brackets; one letter by itself that is
    not negated.

    Args:
        response: The model's response.
        options: Texts of the options in the order of their letters; empty if unknown.
        count: Number of options.
    """
    if len(response) <= _SHORT:
        return _robust_remembered(response, tuple(options), count)
    return _robust(response, options, count)


def _robust(response: str, options: Sequence[str], count: int) -> Read:
    valid = ascii_uppercase[: len(options) or count]
    text = response
    for full, half in _FULL_WIDTH:
        text = text.replace(full, half)
    text = normalize("NFKC", text)
    # One of these is in every match.
    has_marks = "$" in text or "\\" in text or "**" in text or "__" in text
    for _ in range(_DEEPEST if has_marks else 0):
        before, text = text, _CLEANED.sub(lambda m: m[1] or "", text)
        if text == before:
            break
    if match := _BARE.fullmatch(text):
        return Read(match[1].upper(), "one letter") if match[1].upper() in valid else NOTHING
    for match in reversed(list(_ANNOUNCED.finditer(text))):
        if match[1].upper() in valid and not _is_denied(text, match):
            return Read(match[1].upper(), "announced")
    if _REFUSED.search(text):
        return Read(None, "refused")
    if (match := _LEADING.match(text)) and match[1] in valid:
        return Read(match[1], "leading letter")
    folded = _folded(text)
    matching_options = {i for i, option in enumerate(options) if option and _names(text, folded, option)}
    matching_options -= {i for i in matching_options for j in matching_options if i != j and options[i] in options[j]}
    if len(matching_options) == 1:
        return Read(chr(ord("A") + matching_options.pop()), "text of the option")
    for rule, pattern in (("brackets", _IN_BRACKETS), ("alone", _ALONE)):
        letters = {m[1] for m in pattern.finditer(text) if m[1] in valid and not _is_denied(text, m)}
        # In "A man is shown" the letter is an article, not an answer.
        letters -= {"A"} if rule == "alone" and _ARTICLE.search(text) else set()
        if len(letters) == 1:
            return Read(letters.pop(), rule)
    return NOTHING


_robust_remembered: Final = lru_cache(maxsize=8_192)(_robust)


def _is_denied(text: str, match: re.Match[str]) -> bool:
    """Return whether the text before a letter, or before its announcement, negates it."""
    return _is_negated(text, match.start(1)) or _is_negated(text, match.start())


def _is_negated(text: str, end: int) -> bool:
    """Return whether a negation ends at a position, blanks aside. It reads a few characters, however long the text."""
    end = _before_blanks(text, end)
    if not end or text[end - 1] not in _NEGATIONS_END:
        return False
    if _NEGATED.search(text, max(0, end - _LONGEST_NEGATION), end):
        return True
    if text[end - 1] not in "tT":
        return False
    out = _before_blanks(text, max(0, end - len("out")))
    return bool(_RULED_OUT.search(text, max(0, out - len("rule")), end))


def _before_blanks(text: str, end: int) -> int:
    while end and text[end - 1].isspace():
        end -= 1
    return end


def _names(text: str, folded: str, option: str) -> bool:
    option_text = normalize("NFKC", option).strip()
    # Questions have options of their own, and a pattern for each takes longer than all the rest.
    if not option_text or _folded(option_text) not in folded:
        return False
    return any(not _is_negated(text, m.start()) for m in re.finditer(re.escape(option_text), text, re.IGNORECASE))


def _folded(text: str) -> str:
    """Return a form in which texts are equal wherever ``re.IGNORECASE`` takes them for equal, and in some more cases.

    Upper case alone tells ẞ from ß, lower case alone ı from i; only the lower case of İ has a mark more.
    """
    return text.replace("İ", "i").lower().upper()
