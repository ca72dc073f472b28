"""What a kind may know of an item beside its content: plain values, without Django or people."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Direction = Literal["ltr", "rtl"]


@dataclass(frozen=True, slots=True)
class Language:
    """A language that people write in.

    Attributes:
        tag: A BCP 47 tag; empty if unknown.
        direction: The direction of its script.
    """

    tag: str = ""
    direction: Direction = "ltr"


@dataclass(frozen=True, slots=True)
class Context:
    """The item that a content belongs to.

    Attributes:
        language: The language that the benchmark's texts are written in.
        translation: The language that they are also translated to; None if they are not.
    """

    language: Language = Language()
    translation: Language | None = None
