"""Scripts of the languages that people write in: letters, direction, and marks at the end of sentences.

They are the thirteen scripts of CVQA's 39 pairs of country and language (Table 8), under the names of its list of
pairs. A language that is not listed has no script here, and no rule that needs one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

import regex

from annotation.kinds.context import Direction

_SENTENCE: Final = ".!…"
_QUESTION: Final = "?？﹖"  # accepted in every script, because keyboards have it
_CJK_SENTENCE: Final = "。｡．！？…!?"
# What may follow the last mark of a text: white space, closing brackets and quotation marks, invisible characters.
_CLOSING: Final = " \t\n\u00a0\u3000" + "」』”’\"'）)】》〉］]»›" + "\u061c\u200b\u200c\u200d\u200e\u200f\u2060\ufeff"


@dataclass(frozen=True, slots=True)
class Script:
    """A script as one or more languages write it.

    Attributes:
        name: Its name in the list of pairs.
        unicode: The values of Unicode's property Script that its letters have.
        direction: In which direction it is written.
        sentence_marks: Marks that end statements.
        question_marks: Marks that end questions.
        question_endings: Words that end questions without a mark.
    """

    name: str
    unicode: tuple[str, ...]
    direction: Direction = "ltr"
    sentence_marks: str = _SENTENCE
    question_marks: str = _QUESTION
    question_endings: tuple[str, ...] = ()
    _letter: regex.Pattern[str] = field(init=False, repr=False, compare=False)
    _end: regex.Pattern[str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        scripts = "".join(rf"\p{{Script={name}}}" for name in self.unicode)
        object.__setattr__(self, "_letter", regex.compile(rf"(?V1)[\p{{L}}&&[{scripts}]]"))
        object.__setattr__(self, "_end", _end_of_sentence(self.sentence_marks + self.question_marks))

    def letters(self, value: str) -> int:
        """Return the number of letters of this script in a text."""
        return len(self._letter.findall(value))

    def sentences(self, value: str) -> Iterator[tuple[int, str]]:
        """Yield the sentences of a text without their marks, each with its first position."""
        start = 0
        for match in self._end.finditer(value):
            yield start, value[start : match.start()]
            start = match.end()
        yield start, value[start:]

    def ends_question(self, value: str) -> bool:
        """Return whether a text ends like a question; closing brackets and exclamation marks may follow the mark."""
        end = value.rstrip(_CLOSING).rstrip("!！").rstrip(_CLOSING)
        if end.endswith(tuple(self.question_marks)):
            return True
        return bool(self.question_endings) and end.rstrip(self.sentence_marks).endswith(self.question_endings)


def _end_of_sentence(marks: str) -> regex.Pattern[str]:
    """Compile the end of a sentence; a full stop inside a number or a name ("2.5", "example.com") ends none."""
    others = "".join(sorted(set(marks) - {"."}))
    return regex.compile(rf"[{regex.escape(others)}]|\.(?![\p{{L}}\p{{N}}])")


_ARABIC_SENTENCE: Final = _SENTENCE + "۔"
_ARABIC_QUESTION: Final = _QUESTION + "؟"
_INDIC_SENTENCE: Final = _SENTENCE + "।॥"
_ALL: Final = (
    Script("amharic", ("Ethiopic",), sentence_marks=_SENTENCE + "።፨", question_marks=_QUESTION + "፧"),
    Script("arabic", ("Arabic",), "rtl", _ARABIC_SENTENCE, _ARABIC_QUESTION),
    Script("bengali", ("Bengali",), sentence_marks=_INDIC_SENTENCE),
    Script("chinese", ("Han",), sentence_marks=_CJK_SENTENCE),
    Script("cyrillic", ("Cyrillic",)),
    Script("devanagari", ("Devanagari",), sentence_marks=_INDIC_SENTENCE),
    Script("hangul", ("Hangul",)),
    # Questions in formal Japanese end in か。 without a question mark.
    Script("japanese", ("Han", "Hiragana", "Katakana"), sentence_marks=_CJK_SENTENCE, question_endings=("か",)),
    Script("latin", ("Latin",)),
    Script("perso_arabic", ("Arabic",), "rtl", _ARABIC_SENTENCE, _ARABIC_QUESTION),
    Script("sinhalese", ("Sinhala",), sentence_marks=_SENTENCE + "෴"),
    Script("tamil", ("Tamil",)),
    Script("telugu", ("Telugu",)),
)
SCRIPTS: Final = {script.name: script for script in _ALL}

# Languages by the first part of their tags, and scripts by their ISO 15924 codes, which a tag may name.
_LANGUAGES: Final = {
    "amharic": "am",
    "arabic": "ar arz",
    "bengali": "bn",
    "chinese": "zh",
    "cyrillic": "bg mn ru",
    "devanagari": "hi mr",
    "hangul": "ko",
    "japanese": "ja",
    "latin": "br en es fil ga id ig jv min ms nb nn no om pt ro rw su sw tl",
    "perso_arabic": "ur",
    "sinhalese": "si",
    "tamil": "ta",
    "telugu": "te",
}
_BY_LANGUAGE: Final = {tag: SCRIPTS[name] for name, tags in _LANGUAGES.items() for tag in tags.split()}
_CODES: Final = {
    "amharic": "ethi",
    "arabic": "arab",
    "bengali": "beng",
    "chinese": "hani hans hant",
    "cyrillic": "cyrl",
    "devanagari": "deva",
    "hangul": "hang kore",
    "japanese": "jpan",
    "latin": "latn",
    "perso_arabic": "aran",
    "sinhalese": "sinh",
    "tamil": "taml",
    "telugu": "telu",
}
_BY_CODE: Final = {code: SCRIPTS[name] for name, codes in _CODES.items() for code in codes.split()}

# Letters that belong to a script, unlike the mathematical letters or the Japanese sign for a long vowel.
_LETTER: Final = regex.compile(r"(?V1)[\p{L}--[\p{Script=Common}\p{Script=Inherited}\p{DI}]]")
_ANY: Final = Script(
    "any",
    tuple(dict.fromkeys(name for script in _ALL for name in script.unicode)),
    sentence_marks="".join(dict.fromkeys(mark for script in _ALL for mark in script.sentence_marks)),
    question_marks="".join(dict.fromkeys(mark for script in _ALL for mark in script.question_marks)),
    question_endings=("か",),
)


def script_of(tag: str) -> Script | None:
    """Return the script of a language by its BCP 47 tag, or None for one that is not listed here."""
    language, code = _language_and_code(tag)
    return _BY_CODE.get(code) if code else _BY_LANGUAGE.get(language)


def _language_and_code(tag: str) -> tuple[str, str]:
    """Split a tag into its language and the code of the script that it names, empty if it names none."""
    language, *others = tag.lower().split("-")
    return language, next((part for part in others if len(part) == 4 and part.isalpha()), "")


def marks_of(tag: str) -> Script:
    """Return the script of a language; all scripts together for one that is not listed, so that each mark counts."""
    return script_of(tag) or _ANY


def direction_of(tag: str) -> Direction:
    """Return the direction in which a language is written; left to right for one that is not listed."""
    return marks_of(tag).direction


def is_language(tag: str, language: str) -> bool:
    """Return whether a tag is one of a language, whatever its region and script: ``en-GB`` is ``en``."""
    return _language_and_code(tag)[0] == language


def same_language(one: str, other: str) -> bool:
    """Return whether two tags name the same language in the same script, in whatever regions."""
    return _language_and_code(one) == _language_and_code(other)


def letters_in(value: str, script: Script) -> tuple[int, int]:
    """Return how many letters of a text are of a script, and how many there are; those of no script do not count."""
    return script.letters(value), len(_LETTER.findall(value))
