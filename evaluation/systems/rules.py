"""Form of a system's description file."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

Line = Annotated[str, StringConstraints(min_length=1, max_length=120, strip_whitespace=True)]


class Description(BaseModel):
    """What a system is, in the three interface languages, in plain words."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    zh_hans: str = Field(alias="zh-Hans", min_length=1, max_length=1000)
    zh_hant: str = Field(alias="zh-Hant", min_length=1, max_length=1000)
    en: str = Field(min_length=1, max_length=1000)


class SystemRecord(BaseModel):
    """One system (W-E1), as ``fixtures/systems/*.yaml`` and ``manage.py add_system`` describe it.

    Attributes:
        slug: Name in addresses and protocols.
        backend: Entry of ``evaluation.backends.registry``.
        locator: Folder of its files, inside one of the settings' ``MODEL_DIRS`` or an absolute path.
        revision: Name of this state of the files; None names it by their content.
        parameters: Handed to the backend.
        capabilities: What it can do; only what can embed is asked for retrieval.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    slug: Annotated[str, StringConstraints(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=64)]
    name: Line
    description: Description
    organisation: Annotated[str, StringConstraints(max_length=120)] = ""
    backend: Annotated[str, StringConstraints(min_length=1, max_length=32)]
    locator: Annotated[str, StringConstraints(min_length=1, max_length=300)]
    revision: Annotated[str, StringConstraints(min_length=1, max_length=64)] | None = None
    parameters: dict[str, Any] = Field(default_factory=dict)
    capabilities: tuple[Literal["embed"], ...] = ("embed",)
    languages: tuple[Annotated[str, StringConstraints(max_length=16)], ...] = ()
    licence: Annotated[str, StringConstraints(max_length=64)] = ""
    is_demo: bool = False
