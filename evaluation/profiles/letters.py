"""Reading the letters of options out of what a model said: one reader a source, each with its own oddities.

The published readers are built after the description of their behaviour, oddities included, because a score is only
comparable when it was read alike; :func:`robust` is what a careful team would want instead.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from typing import Final, NamedTuple


class Read(NamedTuple):
    """What was found in an answer.

    Attributes:
        letters: The letter or letters, None where nothing was found.
        rule: Name of the rule that found it; ``refused`` or empty where none did.
    """

    letters: str | None
    rule: str = ""


NOTHING: Final = Read(None)

# --- TCC-Bench, published scorer --------------------------------------------------------------------------------------


def tcc_official(response: str) -> Read:
    r"""Read a letter as TCC-Bench's scorer does.

    The last ``答案`` that begins a line counts (bare, or behind two asterisks and with a full-width colon); of the
    letters after it the first **in the alphabet**, not in the text. Without it the commonest letter A to F counts that
    stands in brackets, else by itself; of equally common ones the one whose first appearance is last. A Chinese
    character is a letter to ``\b``: ``答案A`` gives nothing.
    """
    text = response.strip()
    if len(text) == 1 and text in "ABCD":
        return Read(text, "alone")
    for rule, marker in (("line", "\n答案"), ("bold line", "\n**答案：")):
        if marker in text:
            after = text.rsplit(marker, 1)[1]
            return next((Read(letter, rule) for letter in "ABCD" if letter in after), NOTHING)
    for rule, pattern in (("brackets", r"\(([A-F])\)"), ("word", r"\b([A-F])\b")):
        if found := re.findall(pattern, text):
            counted = Counter(found)
            most = max(counted.values())
            return Read([letter for letter in counted if counted[letter] == most][-1], rule)
    return NOTHING


# --- CMMU, published scorer -------------------------------------------------------------------------------------------

_CMMU_KEYWORDS: Final = ("故选", "正确选项为", "答案选", "答案为", "答案是", "答案")
# Meant to take out [INST] and [/INST]; written as classes of characters they take out every one of these.
_CMMU_INST: Final = re.compile(r"[INST]|[/INST]")
_CMMU_DROPPED: Final = re.compile(r"[\u4e00-\u9fff0-9a-z\W_]")


def cmmu_letters(response: str) -> str:
    """All capital letters that CMMU's preparation leaves of an answer; one character is used as it is.

    ``The`` and ``If`` go, and by a slip every I, N, S, T and stroke; the text is cut after the last appearance of the
    first of its keywords that is there at all; what is neither a capital letter nor anything it knows of goes.
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
    """The letter CMMU compares for one right option: the first that is left."""
    left = cmmu_letters(response)
    return Read(left[0], "first letter") if left else NOTHING


def cmmu_multiple(response: str) -> Read:
    """The letters CMMU compares for several right options: sorted, with repetitions (``AAC`` is not ``AC``)."""
    left = cmmu_letters(response)
    return Read("".join(sorted(left)), "sorted letters") if left else NOTHING


def last_line(response: str) -> str:
    """The last line that is not blank (CMMU section 3.3: only the answer's last line counts)."""
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
# Letters of the Arabic and Bengali alphabets and full-width ones stand for A to D.
_VISTAI_LETTERS: Final = str.maketrans(
    {"أ": "A", "ب": "B", "ج": "C", "د": "D", "অ": "A", "ব": "B", "ড": "C", "ঢ": "D"}
    | {chr(ord("Ａ") + i): chr(ord("A") + i) for i in range(26)}
)


def vistai_normalise(response: str) -> str:
    """What VisTai's ``normalize_response`` leaves: marks of bold and of formulas go, a closing brace stays."""
    for piece in _VISTAI_DELETED:
        response = response.replace(piece, "")
    return response


def vistai_official(response: str) -> Read:
    """Read a letter as VisTai's rules do: the first word behind ``答案:`` with a half-width colon, else ``Answer:``.

    A word may run on in Chinese (``答案: A選項`` reads ``A選項``, which is then wrong without asking a model). What is
    found is compared as it is, case included.
    """
    text = vistai_normalise(response)
    for rule, pattern in _VISTAI_PATTERNS:
        if match := pattern.search(text):
            return Read(match[1].translate(_VISTAI_LETTERS).strip(), rule)
    return NOTHING


# --- CVQA, letters that a harness generated ---------------------------------------------------------------------------


def generated(response: str) -> Read:
    """Read a letter from a generated answer as the harnesses for CVQA do, without their random last resort.

    First ``(A)``, ``A.``, ``A)``, ``A:`` or a letter before a blank or alone; then any letter A to D whatever its case.
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
_OPEN: Final = rf"{_MARKS}(?:选项|選項|option|choice)?{_MARKS}"
# What announces the answer; whichever stands last in the text counts, because people correct themselves.
_BEFORE: Final = (
    r"(?:"
    r"(?:最终|最後|最后|正确|正確|标准|標準|我的)?(?:答案|選項|选项)(?:应该|應該|应当|應當)?(?:是|为|為|选|選|就是|[:=])+"
    r"|答案(?=[\s(（\[【*]*[A-Za-z](?![A-Za-z]))"
    r"|(?:故|应|應|應該|应该|因此|所以|于是|於是|我|就|还是|還是|改|而)?(?:选择|選擇|选|選)(?:的是|了|为|為|项|項|[:])*"
    r"|(?:the\s+)?(?:correct|right|best|final|my)\s+(?:answer|option|choice)\s*(?:is|would\s+be|=|:)+"
    r"|(?:the\s+)?answer\s*(?:is|would\s+be|=|:)+"
    r"|(?:i(?:'d|\s+would)?\s+)?(?:choose|pick|select|go\s+with)"
    r"|correct(?:ion|ed)?\s*[:=]|更正\s*[:]*"
    r")" + _OPEN
)
_ANNOUNCED: Final = re.compile(_BEFORE + _L, re.IGNORECASE)
_NEGATED: Final = re.compile(
    r"(?:不是|并非|並非|不選|不选|不能选|不能選|排除|非|除了|isn't|is\s+not|not|neither|nor|rule\s+out|exclude|wrong)\s*$",
    re.IGNORECASE,
)
_REFUSED: Final = re.compile(
    r"抱歉|对不起|對不起|很遗憾|很遺憾|无法(?:回答|判断|确定|查看|看到|识别|提供)|無法(?:回答|判斷|確定|查看|看到|識別|提供)|不能(?:回答|提供|协助|協助)"
    r"|作为(?:一个|一個)?(?:AI|人工智能)|我没有看到|我沒有看到|没有(?:提供)?图|沒有(?:提供)?圖"
    r"|\bsorry\b|\bI(?:\s+can(?:'t|not|\s+not)|\s*'m\s+(?:un|not\s+)able)|\bcannot\s+(?:answer|determine|see|help)|as\s+an\s+AI",
    re.IGNORECASE,
)
_CLEANED: Final = re.compile(r"\\(?:boxed|text|mathrm|mathbf|textbf)\s*\{\s*([^{}]*)\}|\$|\*\*|__")
_BARE: Final = re.compile(r"[\s\"'“”‘’(\[{<【「『]*([A-Za-z])[\s\"'“”‘’)\]}>】」』.:,;!。、，；！]*", re.DOTALL)
_LEADING: Final = re.compile(
    r"[\s\"'“”‘’(\[{<【「『]*([A-Z])(?:[)\].:、，。】」』]|\s*(?=[\u4e00-\u9fff])(?![和或与與及]))"
)
_IN_BRACKETS: Final = re.compile(r"[(\[【「]\s*([A-Z])\s*[)\]】」]")
_ALONE: Final = re.compile(r"(?<![A-Za-z'])([A-Z])(?![A-Za-z'])")


def robust(response: str, options: Sequence[str] = (), *, count: int = 4) -> Read:
    """Read a letter as a careful reader would.

    In this order (``docs/profiles.md`` lists the rules with examples): full-width letters, colons and brackets are made
    half-width and marks of formulas and bold are taken off; an answer that is one letter; the last announced letter
    (``答案：B``, ``选B``, ``the correct option is C``) that is not denied, so that later corrections win; the option
    that alone is named by its text, when the text of the options is known; a leading letter (``B. 石碑``); one in
    brackets; one letter standing alone that is not denied. Nothing is guessed.

    Args:
        response: What the model said.
        options: Texts of the options in the order of their letters; empty where they are not known.
        count: How many options there are.
    """
    given = options or [""] * count
    valid = {chr(ord("A") + i) for i in range(len(given))}
    text = unicodedata.normalize("NFKC", response)
    while (cleaned := _CLEANED.sub(lambda m: m[1] or "", text)) != text:
        text = cleaned
    if match := _BARE.fullmatch(text):
        return Read(match[1].upper(), "one letter") if match[1].upper() in valid else NOTHING
    announced = [m for m in _ANNOUNCED.finditer(text) if m[1].upper() in valid and not _is_denied(text, m)]
    if announced:
        return Read(announced[-1][1].upper(), "announced")
    if _REFUSED.search(text):
        return Read(None, "refused")
    if (match := _LEADING.match(text)) and match[1] in valid:
        return Read(match[1], "leading letter")
    named = {i for i, option in enumerate(options) if option and _names(text, option)}
    named -= {i for i in named for j in named if i != j and options[i] in options[j]}
    if len(named) == 1:
        return Read(chr(ord("A") + named.pop()), "text of the option")
    for rule, pattern in (("brackets", _IN_BRACKETS), ("alone", _ALONE)):
        found = {m[1] for m in pattern.finditer(text) if m[1] in valid and not _is_denied(text, m)}
        # "A man is shown": an article is no answer.
        found -= {"A"} if rule == "alone" and re.search(r"\bA\s+[a-z]", text) else set()
        if len(found) == 1:
            return Read(found.pop(), rule)
    return NOTHING


def _is_denied(text: str, match: re.Match[str]) -> bool:
    """Whether what stands before a letter, or before what announces it, says that it is not the one."""
    return bool(_NEGATED.search(text[: match.start(1)]) or _NEGATED.search(text[: match.start()]))


def _names(text: str, option: str) -> bool:
    wanted = unicodedata.normalize("NFKC", option).strip()
    return bool(wanted) and any(
        not _NEGATED.search(text[: m.start()]) for m in re.finditer(re.escape(wanted), text, re.IGNORECASE)
    )
