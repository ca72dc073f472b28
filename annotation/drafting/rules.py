"""The request to a model that drafts questions, and how its reply is read. Pure Python.

A reply is kept whole or not at all: each of its questions has all texts in both languages. Names that occur twice in a
JSON object are rejected before anything is read, because parsers differ in which of the two they take.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from annotation.kinds.content import LONGEST_TEXT
from annotation.kinds.scripts import is_language, letters_in, script_of
from curation.core import text
from curation.core.errors import TextRefused

#: Drafts that a person may wait for at a time.
MOST_OPEN: Final = 3
#: Drafts of a picture that a list shows, the newest.
LISTED: Final = 30
#: Questions of a reply that are kept.
MOST_CANDIDATES: Final = 20
MAX_TOKENS: Final = 4_096

#: Why a candidate is discarded. That it names the concept is none: it is replaced.
Discard = Literal[
    "wrong_fact", "several_right", "too_easy", "not_cultural", "needs_no_picture", "bad_language", "repeated"
]
Fate = Literal["used", "discarded"]

_FENCE: Final = "```"
_Text = Annotated[str, Field(max_length=LONGEST_TEXT)]


class Unusable(ValueError):
    """A reply from which nothing is kept.

    Attributes:
        fault: Why.
    """

    def __init__(self, fault: Literal["malformed", "half_bilingual", "cut_off"]) -> None:
        super().__init__(fault)
        self.fault = fault


class _Form(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class SideForm(_Form):
    """A question in one language; the first option is the right one."""

    question: _Text
    options: list[_Text]
    explanation: _Text


class CandidateForm(_Form):
    """A question in both languages."""

    chinese: SideForm
    english: SideForm


class ReplyForm(_Form):
    """What a model replies."""

    questions: list[CandidateForm]


class _RepeatedName(ValueError):
    pass


def _once(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    if len(dict(pairs)) < len(pairs):
        raise _RepeatedName
    return dict(pairs)


def languages_of(content: str, translation: str) -> dict[str, str] | None:
    """Return the sides of a content by the names that a reply has for them; None unless they are Chinese and English.

    Args:
        content: The language in which people write, as a BCP 47 tag, such as that of ``translation``.
        translation: The language that texts are also translated to.
    """
    sides = {"local": content, "translated": translation}
    side_of = {
        name: side
        for name, language in (("chinese", "zh"), ("english", "en"))
        for side, tag in sides.items()
        if is_language(tag, language)
    }
    return side_of if sorted(side_of.values()) == sorted(sides) else None


def topic(names: Iterable[str]) -> str:
    """Return a concept's names as a JSON string, in which no instruction ends the name."""
    return json.dumps(" / ".join(name for name in names if name), ensure_ascii=False)


def read_reply(
    reply: str, *, finish: str, tags: Mapping[str, str], sides: Mapping[str, str], options: int, minimum: int
) -> list[dict[str, Any]]:
    """Return the contents of a reply's questions, without a category.

    Args:
        reply: What the model wrote.
        finish: The server's reason for its end.
        tags: The language of each side of a content.
        sides: As :func:`languages_of` returns them.
        options: How many options a question has.
        minimum: Fewest questions.

    Raises:
        Unusable: It is not complete (``cut_off``); a question is not in both languages (``half_bilingual``); it has
            another form, or fewer questions (``malformed``).
    """
    if finish == "length":
        raise Unusable("cut_off")
    try:
        value = json.loads(_without_fence(reply), object_pairs_hook=_once)
    except (ValueError, RecursionError) as error:
        raise Unusable("malformed") from error
    if _is_half_bilingual(value):
        raise Unusable("half_bilingual")
    try:
        form = ReplyForm.model_validate(value)
    except ValidationError as error:
        raise Unusable("malformed") from error
    if not minimum <= len(form.questions) <= MOST_CANDIDATES:
        raise Unusable("malformed")
    return [_content(candidate, tags, sides, options) for candidate in form.questions]


def _without_fence(reply: str) -> str:
    """Return what is inside the Markdown fence around a reply, if there is one; in linear time, as replies are long."""
    inner = reply.strip()
    if len(inner) < 2 * len(_FENCE) or not (inner.startswith(_FENCE) and inner.endswith(_FENCE)):
        return reply
    return inner.removeprefix(_FENCE).removesuffix(_FENCE).removeprefix("json")


def _is_half_bilingual(value: Any) -> bool:
    questions = value.get("questions") if isinstance(value, dict) else None
    names = set(CandidateForm.model_fields)
    return any(
        isinstance(question, dict) and names & question.keys() and not names <= question.keys()
        for question in (questions if isinstance(questions, list) else ())
    )


def _content(
    candidate: CandidateForm, tags: Mapping[str, str], sides: Mapping[str, str], options: int
) -> dict[str, Any]:
    by_side: dict[str, SideForm] = {side: getattr(candidate, name) for name, side in sides.items()}
    for side, form in by_side.items():
        _check_side(form, tags[side], options)
    return {
        "question": {side: _clean(form.question) for side, form in by_side.items()},
        "options": [{side: _clean(form.options[i]) for side, form in by_side.items()} for i in range(options)],
        "explanation": {side: _clean(form.explanation) for side, form in by_side.items()},
    }


def _check_side(form: SideForm, tag: str, options: int) -> None:
    texts = [form.question, *form.options, form.explanation]
    if len(form.options) != options:
        raise Unusable("malformed")
    script = script_of(tag)
    own, letters = letters_in(" ".join(texts), script) if script else (1, 1)
    # Options may be numbers; the question and its explanation are sentences of the language.
    is_written = script is None or all(script.letters(sentence) for sentence in (form.question, form.explanation))
    if any(text.shows_nothing(value) for value in texts) or 2 * own < letters or not is_written:
        raise Unusable("half_bilingual")


def _clean(value: str) -> str:
    try:
        cleaned = text.clean(value)
    except TextRefused as error:
        raise Unusable("malformed") from error
    if len(cleaned) > LONGEST_TEXT:  # composing makes some letters longer
        raise Unusable("malformed")
    return cleaned


def difference(candidate: Mapping[str, Any], written: Mapping[str, Any]) -> int:
    """Return how many percent of a candidate's texts the written question changed; 0: it has all of them.

    A text that it no longer has is changed, but where the protocol has no explanations none is compared.
    """
    pairs = [
        (side_text, _at(written, path).get(side, ""))
        for path, record in _texts(candidate)
        for side, side_text in record.items()
        if path[0] in written
    ]
    changed = sum(not text.looks_equal(one, other) for one, other in pairs)
    return -(-100 * changed // len(pairs)) if pairs else 0


def _texts(content: Mapping[str, Any]) -> list[tuple[tuple[str, int], Mapping[str, str]]]:
    options = [(("options", i), option) for i, option in enumerate(content["options"])]
    return [(("question", 0), content["question"]), *options, (("explanation", 0), content["explanation"])]


def _at(content: Mapping[str, Any], path: tuple[str, int]) -> Mapping[str, str]:
    name, index = path
    value: Any = content[name]
    if not isinstance(value, list):
        value = [value]
    record: Mapping[str, str] = value[index] if index < len(value) else {}
    return record
