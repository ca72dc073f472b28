"""The values that an item's content gives to the variables of prompts (``curation.prompts.rules.VARIABLES``)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from annotation.kinds.option_order import LETTERS


@dataclass(frozen=True, slots=True)
class QuestionValues:
    """The values of an item.

    Attributes:
        parts: The values of each of its questions, or of each text where it has no questions; never empty for content
            that was accepted.
        sides: The languages that they can be in: ``local`` and ``translated``; one where there is only one.
    """

    parts: tuple[dict[str, Any], ...]
    sides: tuple[str, ...] = ("local",)


def prompt_values(
    kind: str, content: Mapping[str, Any], *, side: str, order: Callable[[Sequence[str]], list[int]]
) -> QuestionValues:
    """Return the values of an item.

    Args:
        kind: The item's kind; one without an entry below has no values.
        content: The accepted content.
        side: ``local`` or ``translated``; another or an absent one: the first.
        order: Returns the positions of options in the order of their letters (``option_order.drawn_order``).
    """
    read = _KINDS.get(kind)
    return read(content, side, order) if read else QuestionValues(({},))


def _captions(content: Mapping[str, Any], side: str, order: object) -> QuestionValues:
    return QuestionValues(tuple({"caption": caption} for caption in content["captions"]))


def _vqa(content: Mapping[str, Any], side: str, order: object) -> QuestionValues:
    return QuestionValues(tuple({"question": pair["question"], "answer": pair["answer"]} for pair in content["pairs"]))


def _multiple_choice(
    content: Mapping[str, Any], side: str, order: Callable[[Sequence[str]], list[int]]
) -> QuestionValues:
    sides = tuple(name for name in ("local", "translated") if name in content["question"])
    name = side if side in sides else sides[0]
    # Letters follow the main language, so that a question has the same ones in both.
    positions = order([option[sides[0]] for option in content["options"]])
    values = {
        "question": content["question"][name],
        "options": [content["options"][position][name] for position in positions],
        "answer": LETTERS[positions.index(0)],
    }
    return QuestionValues((values,), sides)


def _grounding(content: Mapping[str, Any], side: str, order: object) -> QuestionValues:
    return QuestionValues(tuple({"expression": expression["text"]} for expression in content["expressions"]))


def _dialogue(content: Mapping[str, Any], side: str, order: object) -> QuestionValues:
    rounds = [(one["question"], one["answer"]) for one in content["rounds"]]
    return QuestionValues(
        tuple(
            {"question": question, "answer": answer, "history": rounds[:n]}
            for n, (question, answer) in enumerate(rounds)
        )
    )


_KINDS: Final[Mapping[str, Callable[..., QuestionValues]]] = {
    "captions": _captions,
    "vqa": _vqa,
    "multiple_choice": _multiple_choice,
    "grounding": _grounding,
    "dialogue": _dialogue,
}
#: The variables for which each of them has values.
VARIABLES_OF: Final[Mapping[str, frozenset[str]]] = {
    "captions": frozenset({"caption"}),
    "vqa": frozenset({"question", "answer"}),
    "multiple_choice": frozenset({"question", "options", "answer"}),
    "grounding": frozenset({"expression"}),
    "dialogue": frozenset({"question", "answer", "history"}),
}
