"""What a language model is asked and what comes back: the same for models in this process and on servers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Literal, NamedTuple, Protocol, TypeAlias

from PIL import Image

from curation.prompts.rules import Message, Picture


@dataclass(frozen=True, slots=True)
class Ask:
    """One question to a model, with no right answer in it.

    Attributes:
        messages: The rendered prompt; a :class:`~curation.prompts.rules.Picture` in it stands for one of the pictures.
        picture: The question's picture, RGB; None if none is sent.
        picture_key: What asks with the same picture share, e.g. its SHA-256 and size; empty without a picture.
        shots: The pictures of the examples, by their number; None where an example has none.
    """

    messages: tuple[Message, ...]
    picture: Image.Image | None = None
    picture_key: str = ""
    shots: tuple[Image.Image | None, ...] = ()

    def picture_at(self, place: Picture) -> Image.Image | None:
        """Return the picture for a place in a message; None if there is none for it."""
        return self.picture if place.shot is None else self.shots[place.shot]


Detail: TypeAlias = Literal["auto", "low", "high"]
"""How closely a hosted server looks at pictures, as OpenAI's API defines it; with ``auto`` nothing is sent."""


@dataclass(frozen=True, slots=True)
class Decoding:
    """How a reply is drawn, and what else a request says of it.

    Attributes:
        temperature: 0 always takes the most probable token.
        max_tokens: The longest reply in tokens.
        seed: The seed of a draw; one for each sample.
        detail: How closely pictures are looked at; sent to hosted servers alone.
    """

    temperature: float = 0.0
    max_tokens: int = 1024
    seed: int = 0
    detail: Detail = "auto"


class Cost(NamedTuple):
    """An amount of money; ``currency`` is its ISO 4217 code."""

    amount: Decimal
    currency: str


@dataclass(frozen=True, slots=True)
class Generated:
    """A model's reply.

    Attributes:
        text: The reply without the prompt and without special tokens, except those that mark boxes.
        finish: ``length`` if the reply was cut at ``max_tokens``; ``refused`` if a server's filter kept it back.
        tokens_in: Length of the prompt in tokens, with those of pictures.
        tokens_out: Length of the reply in tokens.
        picture_size: Width and height of the question's picture in pixels, after the model's processor resized it; None
            without a picture, and for a server, which does not say.
        cost: What the call cost when it was sent, also if that was earlier; None if it was free.
    """

    text: str
    finish: Literal["stop", "length", "refused"]
    tokens_in: int
    tokens_out: int
    picture_size: tuple[int, int] | None = None
    cost: Cost | None = None


@dataclass(frozen=True, slots=True)
class Ranked:
    """How probable a model finds each candidate as its reply, in the candidates' order.

    Attributes:
        sums: Sums of the log-probabilities of a candidate's tokens, in nats; nothing is divided by a length here.
        tokens: Numbers of tokens summed over, with the end token if the ranking counts it.
        bytes: Lengths of the candidates in UTF-8.
    """

    sums: tuple[float, ...]
    tokens: tuple[int, ...]
    bytes: tuple[int, ...]


class Generator(Protocol):
    """A loaded model, or one on a server, that replies with text."""

    def generate(self, asks: Sequence[Ask], decoding: Decoding) -> list[Generated]:
        """Return one reply per ask, in their order."""

    def describe(self) -> dict[str, Any]:
        """Return facts for the run's record: versions, number type, batch, route, what was halved."""


class Ranker(Protocol):
    """A loaded model, or one on a server, that tells how probable given replies are."""

    def rank(self, ask: Ask, candidates: Sequence[str], *, count_end: bool = True) -> Ranked:
        """Return the log-probabilities of complete candidates as the reply."""

    def rank_all(self, asks: Sequence[Ask], candidates: Sequence[str], *, count_end: bool = True) -> list[Ranked]:
        """Rank the same candidates for several prompts; one after the other unless a backend has a faster way."""
        return [self.rank(ask, candidates, count_end=count_end) for ask in asks]

    def describe(self) -> dict[str, Any]:
        """Return facts for the run's record: versions, number type, route, the largest difference to the plain one."""
