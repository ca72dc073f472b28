"""The records of models on model servers. This module imports little, because web processes use it too."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Annotated, Any, Final, Self, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, field_validator

from curation.wire.servers import ModelServer
from evaluation.backends.errors import NoLogprobs

#: The placeholder of the caption in a template.
TEXT: Final = "{text}"

#: A server's facts about itself, by our names: the kind of server, model, root, version, revision, limits.
ServerFacts: TypeAlias = dict[str, str | int]


class ServedModel(BaseModel):
    """A model on a server and its request settings: the ``parameters`` of such a system.

    Attributes:
        model: The model's name on the server; empty: its only model.
        text_template: The text of a request for a caption, with ``{text}`` in place of the caption.
        picture_text: The text sent with a picture; empty: none.
        normalise: Normalise the vectors to unit length.
        dimensions: The vector length to request from models that can shorten their vectors; None: full length.
        dtype: The number type as the person who added the model states it; the server's own fact takes precedence.
        facts: The server's facts when the model was added; ``said`` in stored rows and their fingerprint.
        dimension: The length of its vectors at that time.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, validate_by_name=True, serialize_by_alias=True)

    model: Annotated[str, StringConstraints(max_length=200, strip_whitespace=True)] = ""
    text_template: Annotated[str, StringConstraints(max_length=2000)] = TEXT
    picture_text: Annotated[str, StringConstraints(max_length=2000)] = ""
    normalise: bool = True
    dimensions: Annotated[int, Field(ge=1, le=65_536)] | None = None
    dtype: Annotated[str, StringConstraints(pattern=r"^([a-z0-9_]+)?$", max_length=32)] = ""
    facts: ServerFacts = Field(default_factory=dict, alias="said")
    dimension: int | None = None

    @field_validator("text_template")
    @classmethod
    def _has_one_placeholder(cls, template: str) -> str:
        if template.count(TEXT) != 1:
            raise ValueError(f"{TEXT} has to occur once")
        return template

    def text(self, caption: str) -> str:
        """Fill in the template. Nothing in the template or the caption is evaluated."""
        before, after = self.text_template.split(TEXT)
        return f"{before}{caption}{after}"

    def with_facts(self, facts: ServerFacts, dimension: int) -> Self:
        """Return a copy with the server's facts and the vectors' length."""
        return self.model_copy(update={"model": str(facts["model"]), "facts": facts, "dimension": dimension})


class ChatModel(BaseModel):
    """A language model on a server: the ``parameters`` of such a record.

    Attributes:
        model: The model's name on the server.
        tokenizer: The folder of its tokenizer and chat template, with which SGLang ranks; empty: none.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    model: Annotated[str, StringConstraints(min_length=1, max_length=200, strip_whitespace=True)]
    tokenizer: Annotated[str, StringConstraints(max_length=300)] = ""


def refuse_hosted(server: ModelServer) -> None:
    """Refuse to rank on a server of a provider; no request is sent, because requests to it are paid for.

    Raises:
        NoLogprobs: It is one.
    """
    if server.hosted:
        raise NoLogprobs(server=server.name, reason="it is a hosted server")


def identity(server: str, parameters: Mapping[str, Any]) -> str:
    """Compute the SHA-256 over the server's name and all parameters; it changes when any of them does."""
    identifying = {"server": server, "parameters": parameters}
    return hashlib.sha256(json.dumps(identifying, ensure_ascii=False, sort_keys=True).encode()).hexdigest()


def differences(before: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """List the facts that changed, as ``version 0.11.0 → 0.12.0``."""
    keys = [key for key in dict.fromkeys([*before, *now]) if before.get(key) != now.get(key)]
    return [f"{key} {before.get(key, '—')} → {now.get(key, '—')}" for key in keys]
