"""Rendering of a prompt: every ``{{name}}`` of its text is replaced once, and values are never read as a template."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from string import ascii_uppercase
from typing import Any, Final, Literal

from curation.core.errors import DomainError
from curation.prompts.rules.template import PLACE, Body, Turn

#: The longest rendered prompt, in characters: each value may be repeated as often as the text of a prompt likes.
LONGEST_RENDERING: Final = 400_000

# Texts by variable; ``options`` is a list of texts and ``history`` one of pairs of question and answer. A text in place
# of either is printed as it is, without letters: what a preview shows where an item has no value.
Values = Mapping[str, Any]


class PromptTooLong(DomainError):
    """A rendered prompt has more than :data:`LONGEST_RENDERING` characters."""

    status = 422
    detail = "With its values the prompt has more than {maximum} characters."


@dataclass(frozen=True, slots=True)
class Picture:
    """The place of a picture in a message: that of the question, or of the example with this number from 0."""

    shot: int | None = None


@dataclass(frozen=True, slots=True)
class Message:
    """One message as it is sent; its parts are texts and places of pictures, in order."""

    role: Literal["system", "user", "assistant"]
    parts: tuple[str | Picture, ...]

    @property
    def text(self) -> str:
        """The message's text."""
        return "".join(part for part in self.parts if isinstance(part, str))


@dataclass(frozen=True, slots=True)
class Shot:
    """An example before the question: its values with ``answer`` and ``explanation``, and whether it has a picture."""

    values: Values
    has_picture: bool = True


def render(body: Body, values: Values, *, shots: Sequence[Shot] = (), picture: bool = True) -> tuple[Message, ...]:
    """Render a prompt.

    Args:
        body: The prompt.
        values: A value for each of the body's variables; others are ignored.
        shots: The examples, first to last; the body needs a ``shot`` for them.
        picture: Whether the question's picture is sent, if the body has a place for it.

    Raises:
        KeyError: A variable has no value.
        PromptTooLong: The texts together are too long.
        ValueError: There are examples, and the body has no text for one.
    """
    if shots and not body.shot:
        raise ValueError("the prompt has no text for examples")
    messages: list[Message] = []
    if body.system:
        messages.append(Message("system", (_filled(body, body.system, values),)))
    for number, shot in enumerate(shots):
        messages += _conversation(body, body.shot, shot.values, Picture(number) if shot.has_picture else None)
    messages += _conversation(body, body.turns, values, Picture() if picture else None)
    _check_length(message.text for message in messages)
    return tuple(messages)


def _conversation(body: Body, turns: Sequence[Turn], values: Values, picture: Picture | None) -> list[Message]:
    """Render turns; the first of the user's gets the picture, in the body's order."""
    messages: list[Message] = []
    for turn in turns:
        text = _filled(body, turn.text, values)
        parts: tuple[str | Picture, ...] = (text,)
        if turn.role == "user" and picture is not None:
            parts = tuple(text if part == "text" else picture for part in body.order)
            picture = None
        messages.append(Message(turn.role, parts))
    return messages


def _filled(body: Body, text: str, values: Values) -> str:
    def value(name: str) -> str:
        match name, values[name]:
            case "options", list() | tuple() as options:
                return _joined(body, body.option, [_option(i, text) for i, text in enumerate(options)])
            case "history", list() | tuple() as history:
                rounds = [{"question": question, "answer": answer} for question, answer in history]
                return _joined(body, body.round, rounds)
            case _, text:
                return str(text)

    return _replaced(text, value)


def _option(position: int, text: str) -> dict[str, str]:
    return {"letter": ascii_uppercase[position], "option": text}


def _joined(body: Body, template: str, entries: Sequence[Mapping[str, str]]) -> str:
    return body.join.join(_replaced(template, entry.__getitem__) for entry in entries)


def _replaced(template: str, value: Callable[[str], str]) -> str:
    """Replace each variable in one pass over the template, so that nothing in a value is read again."""
    parts = PLACE.split(template)  # texts, and between them the names of variables
    texts = {name: value(name) for name in parts[1::2]}
    parts[1::2] = [texts[name] for name in parts[1::2]]
    _check_length(parts)  # before the copies are made
    return "".join(parts)


def _check_length(texts: Iterable[str]) -> None:
    if sum(map(len, texts)) > LONGEST_RENDERING:
        raise PromptTooLong(maximum=LONGEST_RENDERING)
