"""Shapes of answers that many rooms share, and how a shape says which words a text may be.

A shape is a ``TypedDict``: queries return plain dictionaries that mypy checks, and the API's description is made from
the same types. Nothing is converted or copied for an answer (``docs/decisions/0040``).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any

from pydantic import GetJsonSchemaHandler
from pydantic_core import CoreSchema
from typing_extensions import TypedDict

from curation.core.models import Job


@dataclass(frozen=True)
class OneOf:
    """Says in a shape which words a text may be: ``Annotated[str, OneOf(Item.State)]``."""

    words: Iterable[str]

    def __get_pydantic_json_schema__(self, core: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        """List them in the API's description, with the labels that ``ENUM_NAME_OVERRIDES`` compares too."""
        words = list(self.words)
        labels = [str(getattr(word, "label", word)) for word in words]
        return {**handler(core), "enum": [str(word) for word in words], "x-enum-labels": labels}


class PersonBrief(TypedDict):
    """A person as others see them."""

    id: int
    name: str


LocalisedText = TypedDict("LocalisedText", {"zh-Hans": str, "zh-Hant": str, "en": str})
LocalisedText.__doc__ = "A name in the three interface languages."


class Paged(TypedDict):
    """What every page of a list says beside its ``results``; ``next`` is the cursor of the page after it.

    ``total`` is null where rows are not counted and at most 10,000, which ``total_is_capped`` says.
    """

    next: str | None
    total: int | None
    total_is_capped: bool


class JobAnswer(TypedDict):
    """Background work as its page shows it; ``total`` is null while nobody knows how much there is to do."""

    id: int
    kind: str
    state: Annotated[str, OneOf(Job.State)]
    done: int
    total: int | None
    error_code: str | None
    error_params: dict[str, Any]
    created_at: datetime
    finished_at: datetime | None


def job_answer(job: Job) -> JobAnswer:
    """A job as pages show it."""
    return {
        "id": job.pk,
        "kind": job.task,
        "state": job.state,
        "done": job.done,
        "total": job.total or None,
        "error_code": job.error_code or None,
        "error_params": job.error_params,
        "created_at": job.created_at,
        "finished_at": job.finished_at,
    }
