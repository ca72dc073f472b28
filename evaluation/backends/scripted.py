"""A system whose replies follow rules from a file: no model, no network, the same replies on every machine.

It lets the steps that ask language models run in demonstrations and tests. Its scores say nothing about any model.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from curation.prompts.rules import Picture
from curation.wire.errors import shorten
from evaluation.backends.asks import Ask, Decoding, Generated, Ranked, Ranker
from evaluation.backends.errors import BackendFilesUnfit

#: The name of the file in a system's folder.
FILE: Final = "script.json"

#: In a reply: the letter of one of the options that the prompt lists, chosen by the prompt.
CHOICE: Final = "{choice}"

# An option as prompts list it: "A. …" or "(A) …" at the start of a line, or after a blank.
_OPTION = re.compile(r"(?:^|(?<=\s))(?:\(([A-Z])\)|([A-Z])\.)(?=\s)", re.MULTILINE)

# Nats that separate a candidate that the rules reply from the others.
_PREFERENCE = 20.0


class Rule(BaseModel):
    """Replies to prompts of one kind.

    Attributes:
        when: A regular expression that is searched in the last message.
        replies: One of them is the reply, chosen by the prompt; ``{choice}`` in it stands for an option's letter.
        finish: ``refused``: the system refuses such prompts.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    when: str
    replies: Annotated[tuple[str, ...], Field(min_length=1)]
    finish: Literal["stop", "refused"] = "stop"

    @field_validator("when")
    @classmethod
    def _compiles(cls, when: str) -> str:
        try:
            re.compile(when)
        except re.error as error:
            raise ValueError(f"{when!r} is no regular expression: {error}") from error
        return when


class Script(BaseModel):
    """All rules of a system; the first one that fits a prompt makes the reply.

    Attributes:
        rules: The rules in order.
        otherwise: The reply where none fits.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    rules: tuple[Rule, ...] = ()
    otherwise: str = ""


class ScriptedSystem(Ranker):
    """Replies and ranks by a script. A token is a character, and a picture is one token."""

    def __init__(self, script: Script) -> None:
        self.script = script

    @classmethod
    def load(cls, folder: Path) -> ScriptedSystem:
        """Read ``script.json`` of a folder.

        Raises:
            BackendFilesUnfit: It is missing or does not have the documented form.
        """
        try:
            return cls(Script.model_validate_json((folder / FILE).read_bytes()))
        except (OSError, ValidationError) as error:
            reason = shorten(f"{FILE}: {error}", 300)
            raise BackendFilesUnfit(folder=folder.name, reason=reason) from error

    def generate(self, asks: Sequence[Ask], decoding: Decoding) -> list[Generated]:
        """Return one reply per ask, in their order; the seed matters above temperature 0 only."""
        return [self._reply(ask, decoding) for ask in asks]

    def rank(self, ask: Ask, candidates: Sequence[str], *, count_end: bool = True) -> Ranked:
        """Return made-up sums; the candidate that is the reply has the largest.

        A reply with a letter prefers that letter among candidates that are letters.
        """
        key = _key(ask)
        reply, _ = self._by_rule(ask, key)
        preferred = {reply, _choice(ask, key)}
        sums = [
            -_fraction(key, candidate) * 10 - (0.0 if candidate in preferred else _PREFERENCE)
            for candidate in candidates
        ]
        tokens = tuple(len(candidate) + count_end for candidate in candidates)
        return Ranked(tuple(sums), tokens, tuple(len(candidate.encode()) for candidate in candidates))

    def describe(self) -> dict[str, Any]:
        """Return facts for the run's record."""
        return {"model_type": "lantern-scripted", "device": "none", "dtype": "none", "rules": len(self.script.rules)}

    def _reply(self, ask: Ask, decoding: Decoding) -> Generated:
        key = _key(ask) if decoding.temperature == 0 else f"{decoding.seed} {_key(ask)}"
        text, finish = self._by_rule(ask, key)
        pictures = sum(isinstance(part, Picture) for message in ask.messages for part in message.parts)
        tokens = sum(len(message.text) for message in ask.messages) + pictures
        if finish == "refused":
            return Generated("", "refused", tokens, 0)
        if len(text) > decoding.max_tokens:
            return Generated(text[: decoding.max_tokens], "length", tokens, decoding.max_tokens)
        return Generated(text, "stop", tokens, len(text))

    def _by_rule(self, ask: Ask, key: str) -> tuple[str, Literal["stop", "refused"]]:
        last = ask.messages[-1].text
        rule = next((rule for rule in self.script.rules if re.search(rule.when, last)), None)
        if rule is None:
            return self.script.otherwise, "stop"
        reply = rule.replies[_number(key, "reply") % len(rule.replies)]
        return reply.replace(CHOICE, _choice(ask, key)), rule.finish


def _key(ask: Ask) -> str:
    """What a choice depends on: all texts and the question's picture."""
    return "\n".join([*(message.text for message in ask.messages), ask.picture_key])


def _choice(ask: Ask, key: str) -> str:
    """One of the letters before the options that the last message lists; empty if it lists none."""
    letters = sorted({a or b for a, b in _OPTION.findall(ask.messages[-1].text)})
    return letters[_number(key, "choice") % len(letters)] if letters else ""


def _number(key: str, what: str) -> int:
    return int.from_bytes(hashlib.sha256(f"{what}\0{key}".encode()).digest()[:8])


def _fraction(key: str, what: str) -> float:
    return _number(key, what) / 2**64
