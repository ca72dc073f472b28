"""What answers about calls, spending and offers look like."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from typing_extensions import TypedDict

from curation.calls.models import Call
from curation.core.shapes import OneOf, Paged, PersonBrief


class CallRow(TypedDict):
    """A call in the list; ``cost`` is null until it is settled, ``currency`` where it cost nothing.

    ``cost_is_estimate``: the highest cost was booked, because the server did not say believably what it used.
    ``lost``: its holder let its time pass, so it will count as unknown.
    """

    id: int
    purpose: str
    server: str
    model: str
    sample: int
    state: Annotated[str, OneOf(Call.State)]
    lost: bool
    code: str
    tries: int
    tokens_in: int | None
    tokens_out: int | None
    estimate: str
    cost: str | None
    cost_is_estimate: bool
    currency: str | None
    ms: int | None
    sent_at: datetime
    settled_at: datetime | None


class CallPage(Paged):
    """A page of a benchmark's calls, newest first."""

    results: list[CallRow]


class CallDetail(CallRow):
    """A call with what was sent and what came back; ``actor`` is null for the application itself."""

    actor: PersonBrief | None
    prompt_id: int | None
    request_sha256: str
    request: dict[str, Any]
    reply: str | None
    finish: str
    served_model: str


class OfferRow(TypedDict):
    """A model that may be called; prices are per million tokens and per picture.

    ``configured``: whether the environment still names its server.
    """

    id: int
    server: str
    model: str
    currency: str
    million_in: str
    million_out: str
    per_picture: str
    at: datetime
    configured: bool


class BudgetRow(TypedDict):
    """What a benchmark may spend; ``reserved`` is held for calls under way, ``left`` is not below zero."""

    currency: str
    ceiling: str
    spent: str
    reserved: str
    left: str


class ModelSpending(TypedDict):
    """The calls of one model and state, with their cost in the currency they were made in."""

    server: str
    model: str
    state: Annotated[str, OneOf(Call.State)]
    calls: int
    tokens_in: int
    tokens_out: int
    cost: str


class Spending(TypedDict):
    """A benchmark's budget, null if it has none, its calls by model, and the models that may be called.

    ``servers``: the servers for which the site's owner may add an offer, and ``currencies``: those that prices and
    budgets can be in; both empty for others.
    """

    budget: BudgetRow | None
    by_model: list[ModelSpending]
    offers: list[OfferRow]
    servers: list[str]
    currencies: list[str]
