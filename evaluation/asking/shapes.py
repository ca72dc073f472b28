"""Answers about trying prompts on models."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from typing_extensions import TypedDict

from curation.calls.models import Call
from curation.core.models import Job
from curation.core.shapes import OneOf


class AnswerPrice(TypedDict):
    """What sending a prompt costs at most; ``currency`` is null where it costs nothing.

    ``left``: what the benchmark's budget has left in this currency, null without one. ``covered``: whether it is
    enough. ``picture``: whether a picture is sent. ``worker_alive``: whether a worker sends requests at present.
    """

    estimate: str
    currency: str | None
    left: str | None
    covered: bool
    picture: bool
    worker_alive: bool


class TrialReply(TypedDict):
    """A model's reply, null if a content filter refused; ``paid_before``: this call was made earlier and costs nothing.

    ``cost`` and ``currency`` are those of the call when it was made; ``cost_is_estimate`` as in the list of calls.
    """

    call_id: int | None
    state: Annotated[str, OneOf(Call.State)]
    text: str | None
    finish: str
    served_model: str
    tokens_in: int | None
    tokens_out: int | None
    cost: str | None
    cost_is_estimate: bool
    currency: str | None
    ms: int | None
    paid_before: bool


class TrialAnswer(TypedDict):
    """A prompt that was sent to a model; ``reply`` is null until its job is done, and where it failed.

    ``limited_until``: the server limits requests, so that it is sent again until then; null otherwise. ``waits_until``:
    an equal call is in progress, of another trial or of a worker that was killed; its reply is awaited until then at
    most. ``unknown_calls``: calls of this trial that got no reply and count as paid.
    """

    id: int
    server: str
    model: str
    state: Annotated[str, OneOf(Job.State)]
    error_code: str | None
    error_params: dict[str, Any]
    limited_until: datetime | None
    waits_until: datetime | None
    unknown_calls: list[int]
    worker_alive: bool
    created_at: datetime
    reply: TrialReply | None
