"""What is known of a model that a server on the network holds. Light: web processes read and write it too."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Final, Self, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, field_validator

#: Stands in a template for the caption.
TEXT: Final = "{text}"

#: What a server says of itself, by our names: the kind of server, model, root, version, revision, limits.
Said: TypeAlias = dict[str, str | int]


@dataclass(frozen=True, slots=True)
class ModelServer:
    """A server that the operator has set up: vLLM, or SGLang.

    Attributes:
        name: What people see of it.
        url: Its root, where ``/v1`` begins.
        key: Sent to it alone; empty: it wants none.
    """

    name: str
    url: str = field(repr=False)
    key: str = field(default="", repr=False)


class ServedModel(BaseModel):
    """A model on a server, and how it is asked: the ``parameters`` of such a system.

    Attributes:
        model: The name the server serves it under; empty: the only one it serves.
        text_template: What is sent for a caption, with ``{text}`` where the caption goes.
        picture_text: What is sent beside a picture; empty: nothing.
        normalise: Bring vectors to unit length here.
        dimensions: How many numbers to ask for, of models that can shorten their vectors; None: all.
        dtype: The number type it computes in, as whoever added it knows it; a server's own word comes before.
        said: What the server said of itself when it was added.
        dimension: Length of the vectors it gave then.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    model: Annotated[str, StringConstraints(max_length=200, strip_whitespace=True)] = ""
    text_template: Annotated[str, StringConstraints(max_length=2000)] = TEXT
    picture_text: Annotated[str, StringConstraints(max_length=2000)] = ""
    normalise: bool = True
    dimensions: Annotated[int, Field(ge=1, le=65_536)] | None = None
    dtype: Annotated[str, StringConstraints(pattern=r"^([a-z0-9_]+)?$", max_length=32)] = ""
    said: Said = Field(default_factory=dict)
    dimension: int | None = None

    @field_validator("text_template")
    @classmethod
    def _holds_the_text_once(cls, template: str) -> str:
        if template.count(TEXT) != 1:
            raise ValueError(f"{TEXT} has to stand in it once")
        return template

    def text(self, caption: str) -> str:
        """What is sent for a caption. The template is data: nothing in it or in the caption is evaluated."""
        before, after = self.text_template.split(TEXT)
        return f"{before}{caption}{after}"

    def answered(self, said: Said, dimension: int) -> Self:
        """With what the server said and gave."""
        return self.model_copy(update={"model": str(said["model"]), "said": said, "dimension": dimension})


def identity(server: str, parameters: Mapping[str, Any]) -> str:
    """SHA-256 over the server's name and everything known of the model: it changes when any of it does."""
    known = {"server": server, "parameters": parameters}
    return hashlib.sha256(json.dumps(known, ensure_ascii=False, sort_keys=True).encode()).hexdigest()


def differences(before: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """What a server says otherwise than before, as ``version 0.11.0 → 0.12.0``."""
    keys = [key for key in dict.fromkeys([*before, *now]) if before.get(key) != now.get(key)]
    return [f"{key} {before.get(key, '—')} → {now.get(key, '—')}" for key in keys]
