"""Blind trials: how a question is put to a model without its picture, and which letter a reply has. Pure Python.

A question with n options is sent n times in each language. The options keep their cyclic order and move on by one
position each time, so that the right option is printed once at each letter, and so is every other option. A model that
prefers a letter is then right exactly once.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta
from typing import Any, Final, NamedTuple

from annotation.kinds.option_order import LETTERS
from annotation.kinds.scripts import is_language
from curation.core import text

#: Most tokens of a reply, which has to be one letter.
MAX_TOKENS: Final = 256
#: Characters of a reply that are kept beside the letter; the ledger of calls has all of them.
LONGEST_REPLY: Final = 1_000
#: What a prompt of blind trials may have values for.
VARIABLES: Final = frozenset({"question", "options"})
_FIRST_PAUSE: Final = timedelta(minutes=10)
_LONGEST_PAUSE: Final = timedelta(days=7)

_MARKS: Final = str.maketrans(dict.fromkeys("*_`\"'“”‘’「」『』《》", ""))
_ANSWER: Final = (
    r"(?:(?:the )?(?:correct |right )?(?:answer|option)(?: is)?|(?:正确|正確)?(?:答案|选项|選項)(?:是|为|為)?)"
)
_REPLY: Final = re.compile(
    rf"{_ANSWER}?\s*:?\s*[(\[【]?\s*(?P<letter>[a-z])(?:[)\]】.、:,\s]+(?P<rest>.*))?", re.DOTALL
)
_LAST_LINE: Final = re.compile(rf"{_ANSWER}\s*:.*")


class Answer(NamedTuple):
    """A reply of a model to a question.

    Attributes:
        right: The letter at which the right option was printed.
        letter: The letter that the reply has; None if it has none.
        reply: The beginning of the reply; empty if a filter refused it.
        call: The id of its call.
    """

    right: str
    letter: str | None
    reply: str
    call: int

    @property
    def is_hit(self) -> bool:
        """Whether the reply has the letter of the right option."""
        return self.letter == self.right

    def as_json(self) -> dict[str, Any]:
        """The answer as a trial keeps it."""
        return self._asdict()


def arrangements(options: int) -> list[list[int]]:
    """Return for each try the positions of the options in the order of their letters.

    In the first try the right option, which is at position 0, has the first letter, in the second the second, and so
    on; the others follow it in their order.

    Args:
        options: How many options the question has.
    """
    return [[(letter - attempt) % options for letter in range(options)] for attempt in range(options)]


def letter_in(reply: str, options: Sequence[str]) -> str | None:
    """Return the letter of a reply; None if it does not have exactly one.

    Case, width, quotation marks and asterisks do not count. The reply is the letter, which may have a word such as
    ``Answer:`` or ``答案：`` before it, be in brackets, and be followed by a mark and the text of that option.
    Otherwise the last line counts, if it is that and begins with such a word and a colon. Nothing is read in other
    replies: those that hedge, explain without such a line or have another option's text.

    Args:
        reply: What the model wrote.
        options: The texts of the options in the order of their letters.
    """
    plain = _plain(reply)
    if letter := _whole(plain, options):
        return letter
    last = plain.rpartition("\n")[2].strip()
    return _whole(last, options) if _LAST_LINE.fullmatch(last) else None


def _whole(reply: str, options: Sequence[str]) -> str | None:
    # The pattern takes the cube of the length of a run of blanks.
    match = _REPLY.fullmatch(_single_blanks(reply))
    if match is None:
        return None
    position = LETTERS.lower().find(match["letter"])
    if not 0 <= position < len(options):
        return None
    rest = (match["rest"] or "").strip(" .。")
    is_own = not rest or text.looks_equal(rest, _single_blanks(_plain(options[position])).strip(" .。"))
    return LETTERS[position] if is_own else None


def _single_blanks(value: str) -> str:
    """Return a text with one blank for each run of blanks and line breaks."""
    return " ".join(value.split())


def _plain(value: str) -> str:
    """Return a text in one case and width, without marks around words; ``。`` is a full stop like any other."""
    return text.normalize("NFKC", value).casefold().translate(_MARKS).replace("。", ".").strip()


def prompt_languages(tag: str, available: Iterable[str]) -> list[str]:
    """Return the languages of a prompt for texts in a language, the best first: its own, for others English."""
    chinese = ["zh-Hans", "zh-Hant"]
    if any(part in tag.lower().split("-") for part in ("hant", "tw", "hk", "mo")):
        chinese.reverse()
    order = [*(chinese if is_language(tag, "zh") else []), "en"]
    return sorted(
        available, key=lambda language: (order.index(language) if language in order else len(order), language)
    )


def pause_after(attempts: int) -> timedelta:
    """Return how long a question rests after so many attempts that failed, at least one: twice as long each time."""
    doublings: int = 2 ** min(attempts - 1, 20)
    return min(_LONGEST_PAUSE, _FIRST_PAUSE * doublings)


def texts_of(content: Mapping[str, Any], side: str, positions: Sequence[int]) -> dict[str, Any]:
    """Return the values of a prompt: a question in one of its languages, with the options in an order."""
    options = content["options"]
    return {"question": content["question"][side], "options": [options[position][side] for position in positions]}
