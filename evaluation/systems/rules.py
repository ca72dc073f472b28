"""Form of a system's description file, and what the states of a system are."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Any, Final, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, field_validator, model_validator

from evaluation.backends.registry import CHAT
from evaluation.backends.serving import ChatModel
from evaluation.profiles.boxes import FORMS

Line = Annotated[str, StringConstraints(min_length=1, max_length=120, strip_whitespace=True)]

#: The field of a backend's parameters that lets a folder's own code run. Only an owner can set it, never a file.
RUNS_CODE: Final = "trust_remote_code"

#: The field of a system's parameters that says how it writes boxes; backends do not get it.
BOX_FORM: Final = "box_form"

_COMMIT: Final = re.compile(r"[0-9a-f]{40}")


class Access(StrEnum):
    """Whether the weights can be had."""

    OPEN = "open"
    CLOSED = "closed"


class SystemState(StrEnum):
    """State of a system on this site.

    Ready: its files are here and were loaded once. Not fetched: they were never requested. Failed: the last fetch
    failed and there is no earlier revision. No backend: nothing here can run it.
    """

    READY = "ready"
    NOT_FETCHED = "not_fetched"
    FETCHING = "fetching"
    FAILED = "failed"
    NO_BACKEND = "no_backend"


#: The states as plain words, by which the API's description names them.
SYSTEM_STATES: Final = tuple(state.value for state in SystemState)


class Description(BaseModel):
    """What a system is, in the three interface languages, in plain words."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    zh_hans: str = Field(alias="zh-Hans", min_length=1, max_length=1000)
    zh_hant: str = Field(alias="zh-Hant", min_length=1, max_length=1000)
    en: str = Field(min_length=1, max_length=1000)


class SystemRecord(BaseModel):
    """One system, as ``fixtures/systems/*.yaml`` and ``manage.py add_system`` describe it.

    Unknown facts are empty; numbers are the record author's, not measured here.

    Attributes:
        slug: Name in addresses and protocols.
        access: Whether its weights can be had.
        architecture: The family's name, as its makers write it.
        size_millions: Parameters; None: unknown, and counted from the weights once they are here.
        group: What it is listed under.
        homepage: Where its makers describe it.
        hub_id: ``owner/name`` on the model hub, where its files are fetched from.
        backend: Entry of ``evaluation.backends.registry``; empty: nothing here can run it.
        locator: Folder of its files, inside one of the settings' ``MODEL_DIRS`` or an absolute path; empty for one that
            has to be fetched first.
        revision: Name of this state of the files; None names it by their content.
        parameters: Handed to the backend; of a model on a server, those of ``evaluation/backends/serving.py``.
            ``box_form`` is not handed on: replies are read by it, one of :data:`evaluation.profiles.boxes.FORMS`.
        capabilities: What it can do; only what can embed is asked for retrieval.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    slug: Annotated[str, StringConstraints(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=64)]
    name: Line
    description: Description
    organisation: Annotated[str, StringConstraints(max_length=120)] = ""
    access: Access = Access.OPEN
    architecture: Annotated[str, StringConstraints(max_length=64)] = ""
    size_millions: Annotated[float, Field(gt=0)] | None = None
    group: Annotated[str, StringConstraints(max_length=64)] = ""
    homepage: Annotated[str, StringConstraints(pattern=r"^(https?://\S+)?$", max_length=300)] = ""
    hub_id: Annotated[str, StringConstraints(pattern=r"^([\w-][\w.-]*/[\w-][\w.-]*)?$", max_length=120)] = ""
    backend: Annotated[str, StringConstraints(max_length=32)] = ""
    locator: Annotated[str, StringConstraints(max_length=300)] = ""
    revision: Annotated[str, StringConstraints(min_length=1, max_length=64)] | None = None
    parameters: dict[str, Any] = Field(default_factory=dict)
    capabilities: tuple[Literal["embed", "generate", "likelihood", "ground"], ...] = ("embed",)
    languages: tuple[Annotated[str, StringConstraints(max_length=16)], ...] = ()
    licence: Annotated[str, StringConstraints(max_length=64)] = ""
    is_demo: bool = False

    @field_validator("parameters")
    @classmethod
    def _no_code_by_file(cls, parameters: dict[str, Any]) -> dict[str, Any]:
        if RUNS_CODE in parameters:
            raise ValueError(f"{RUNS_CODE} is an owner's decision about one revision and not allowed in a file")
        return parameters

    @model_validator(mode="after")
    def _names_model(self) -> Self:
        if self.backend == CHAT:
            ChatModel.model_validate(loading_parameters(self.parameters))
        return self

    @model_validator(mode="after")
    def _has_a_known_form_of_boxes(self) -> Self:
        if BOX_FORM not in self.parameters:
            return self
        if self.parameters[BOX_FORM] not in FORMS:
            raise ValueError(f"{BOX_FORM} is one of {', '.join(FORMS)}")
        if "generate" not in self.capabilities:
            raise ValueError(f"{BOX_FORM} is for systems that generate replies")
        return self

    @model_validator(mode="after")
    def _has_files(self) -> Self:
        if self.backend and not self.locator and not self.hub_id:
            raise ValueError("what a backend runs needs a locator or a hub_id")
        return self


def loading_parameters(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters with which a backend loads a system."""
    return {name: value for name, value in parameters.items() if name != BOX_FORM}


def is_commit(revision: str) -> bool:
    """Whether a revision names one state of a repository for ever: a full commit, no branch and no tag."""
    return _COMMIT.fullmatch(revision) is not None


def state_of(*, has_backend: bool, is_here: bool, job_state: str | None) -> SystemState:
    """The state of a system.

    Args:
        has_backend: Something here can run it.
        is_here: Some revision of it was added.
        job_state: State of the newest job that fetches it, None without one.
    """
    if job_state in ("queued", "running"):
        return SystemState.FETCHING
    if is_here:
        return SystemState.READY
    if not has_backend:
        return SystemState.NO_BACKEND
    return SystemState.FAILED if job_state == "failed" else SystemState.NOT_FETCHED


def listing_order(group: str, state: str, name: str) -> tuple[str, int, str]:
    """Sort key of the list of systems: by group, in it what can be run before what cannot, then by name."""
    return group, list(SystemState).index(SystemState(state)), name.casefold()
