"""Shapes of answers that many rooms share, and the annotation for texts with a fixed set of values.

A shape is a ``TypedDict``: queries return plain dictionaries that mypy checks, and the API's description is made from
the same types. Nothing is converted or copied for an answer (``docs/decisions/0040``).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any

from pydantic import GetJsonSchemaHandler
from pydantic_core import CoreSchema
from typing_extensions import TypedDict

from curation.core.models import Job


@dataclass(frozen=True)
class OneOf:
    """Restricts a text in a shape to a set of values: ``Annotated[str, OneOf(Item.State)]``."""

    words: Iterable[str]

    def __get_pydantic_json_schema__(self, core: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        """List the values in the API's description, with the labels, which ``ENUM_NAME_OVERRIDES`` compares as well."""
        words = list(self.words)
        labels = [str(getattr(word, "label", word)) for word in words]
        return {**handler(core), "enum": [str(word) for word in words], "x-enum-labels": labels}


class PersonBrief(TypedDict):
    """A person as others see them."""

    id: int
    name: str


LocalisedText = TypedDict("LocalisedText", {"zh-Hans": str, "zh-Hant": str, "en": str})
LocalisedText.__doc__ = "A name in the three interface languages."


def localised_text(names: Mapping[str, str]) -> LocalisedText:
    """A name in the three interface languages, from rules or a column."""
    return {"zh-Hans": names["zh-Hans"], "zh-Hant": names["zh-Hant"], "en": names["en"]}


class Paged(TypedDict):
    """The fields of every page of a list besides its ``results``; ``next`` is the cursor of the following page.

    ``total`` is null if the rows are not counted. Counting stops at 1,000; ``total_is_capped``: there are more.
    """

    next: str | None
    total: int | None
    total_is_capped: bool


class JobAnswer(TypedDict):
    """Background work as its page shows it; ``total`` is null until the steps are counted."""

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
