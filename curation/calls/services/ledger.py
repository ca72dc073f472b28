"""The ledger of calls: insert the row, commit it, send, settle.

A committed reply is never paid again: an equal request finds its row, and while one is under way others wait for it. A
killed holder leaves a row that is ``sent``; whoever wants the same after its time sets it to ``unknown``, counts it as
paid and sends again. So what is paid twice is at most what was under way when something was killed, and each such call
has a row that says so.

The calls here wait for servers for minutes: only workers of the queue ``served`` make them.
"""

from __future__ import annotations

import logging
import math
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from typing import Any, Final, NoReturn, TypeVar

from django.db import DatabaseError, InterfaceError, OperationalError, connection
from django.db.models import BooleanField, ExpressionWrapper, F, Q
from django.db.models.functions import Now
from psycopg.types.json import Jsonb

from curation.calls.errors import CallFailed, NoBudget, error_of
from curation.calls.models import NO_BUDGET, Call
from curation.calls.queries import amount
from curation.calls.rules import SLACK, Price, digest
from curation.core.jobs import worker_name
from curation.wire.errors import Limited, Rejected, ReplyLost, RequestFailed
from curation.wire.replies import FILTERED, Reply

T = TypeVar("T")
#: Sends a request; calls its argument with the seconds until it calls it again or the reply is there.
Send = Callable[[Callable[[float], None]], Reply]

log = logging.getLogger(__name__)

_FIRST_LOOK: Final = 0.05  # seconds between looks at another holder's call, growing up to the next
_LONGEST_LOOK: Final = 1.0
_OPEN: Final = (Call.State.SENT, Call.State.ANSWERED, Call.State.REFUSED)


@dataclass(frozen=True)
class CallRequest:
    """What is asked, by whom and at which price.

    Attributes:
        request: The rendered request, with a picture as its SHA-256.
        price: None: it costs nothing.
        max_tokens: Tokens of the reply at most.
        take: See :func:`curation.calls.rules.digest`.
        sample: See :class:`curation.calls.models.Call`, as for the other fields.
    """

    benchmark_id: int
    purpose: str
    server: str
    model: str
    request: dict[str, Any]
    price: Price | None
    max_tokens: int
    take: str = ""
    sample: int = 0
    pictures: int = 0
    actor_id: int | None = None
    prompt_id: int | None = None

    @property
    def sha256(self) -> bytes:
        """The digest of the request."""
        return digest(self.server, self.request, self.take)

    @property
    def estimate(self) -> Decimal:
        """The most that the call can cost."""
        if self.price is None:
            return Decimal(0)
        return self.price.highest_cost(self.request, self.max_tokens, self.pictures)


class _AlreadyOpen(Exception):
    """Another holder inserted the same request, or settled it."""


class _HoldLost(Exception):
    """The row is no longer held: it took longer than its time and counts as unknown."""


def pay(
    asked: CallRequest,
    send: Send,
    on_settled: Callable[[Call], None] = lambda _: None,
    on_wait: Callable[[Call], None] = lambda _: None,
) -> Call:
    """Return the settled call of a request, sending it only if no equal one is answered or under way.

    Call it outside of a transaction: the row has to be committed before the request is sent.

    Args:
        asked: The request.
        send: Sends it.
        on_settled: Receives each call that this one sent, also those without a usable reply; not a call that was found.
        on_wait: Receives the call of an equal request before its reply is waited for.

    Raises:
        NoBudget: No budget covers the highest cost; nothing was sent.
        CallWaits: The server limits requests or cannot be reached; nothing was paid.
        CallFailed: The server refuses the request; nothing was paid.
        CallInDoubt: No usable reply came; it counts as paid.
    """
    if connection.in_atomic_block:
        raise RuntimeError("a call is paid outside of a transaction, so that its row is committed before it is sent")
    while True:
        known = Call.objects.filter(request_sha256=asked.sha256, sample=asked.sample, state__in=_OPEN).first()
        if known is not None and known.state != Call.State.SENT:
            return known
        if known is not None:
            on_wait(known)
            _wait_for(known.pk)
            continue
        holder = _Holder(asked)
        try:
            reply = send(holder.hold)
        except (_AlreadyOpen, _HoldLost):
            continue
        except RequestFailed as error:
            if not holder.call_id:  # without a row nothing was sent
                _raise(asked.server, error)
            settled = holder.settle_failure(error)
            if settled is None:
                continue
            on_settled(settled)
            if settled.state == Call.State.REFUSED:
                return settled
            _raise(asked.server, error)
        settled = holder.settle_reply(reply)
        if settled is not None:
            on_settled(settled)
            return settled


def _raise(server: str, error: RequestFailed) -> NoReturn:
    more: dict[str, Any] = {}
    if isinstance(error, Rejected):
        more["status"] = error.status
    elif isinstance(error, Limited):
        more["seconds"] = math.ceil(error.pause)
    raise error_of(error)(server=server, reason=error.reason, **more) from None


class _Holder:
    """One attempt: the row that it inserts, keeps and settles."""

    def __init__(self, asked: CallRequest) -> None:
        self.asked = asked
        self.call_id = 0  # no row yet
        self._name = f"{worker_name()}:{uuid.uuid4().hex[:12]}"

    def hold(self, seconds: float) -> None:
        """Insert the row, or keep it for so many more seconds and :data:`SLACK`.

        Raises:
            NoBudget, _AlreadyOpen, _HoldLost.
        """
        until = timedelta(seconds=seconds) + SLACK
        if not self.call_id:
            self._insert(until)
        elif not _insist(lambda: self._own().update(held_until=Now() + until)):
            raise _HoldLost

    def _insert(self, until: timedelta) -> None:
        asked, estimate = self.asked, self.asked.estimate
        values: dict[str, Any] = {
            "benchmark_id": asked.benchmark_id,
            "purpose": asked.purpose,
            "actor_id": asked.actor_id,
            "server": asked.server,
            "model": asked.model,
            "prompt_id": asked.prompt_id,
            "request_sha256": asked.sha256,
            "sample": asked.sample,
            "request": Jsonb(asked.request),
            "state": Call.State.SENT.value,
            "holder": self._name,
            "price": Jsonb(asked.price.as_json()) if estimate and asked.price else None,
            "estimate": estimate,
            # The row is inserted right before the first send; a killed holder writes nothing more.
            "tries": 1,
        }
        params: list[Any] = [*values.values(), until]
        try:
            with connection.cursor() as cursor:
                cursor.execute(_INSERT, params)
                row = cursor.fetchone()
        except DatabaseError as error:
            if getattr(error.__cause__, "sqlstate", None) != NO_BUDGET:
                raise
            currency = asked.price.currency if asked.price else ""
            raise NoBudget(estimate=amount(estimate), currency=currency) from None
        if row is None:
            raise _AlreadyOpen
        self.call_id = row[0]

    def _own(self) -> Any:
        return Call.objects.filter(pk=self.call_id, state=Call.State.SENT, holder=self._name)

    def settle_reply(self, reply: Reply) -> Call | None:
        """Write the reply; None if the row was lost."""
        price, cost = self.asked.price, Decimal(0)
        if price is not None:
            if reply.tokens_in is None or reply.tokens_out is None:
                cost = self.asked.estimate
            else:
                cost = price.cost(reply.tokens_in, reply.tokens_out, self.asked.pictures)
        return self._settle(
            state=Call.State.REFUSED if reply.refused else Call.State.ANSWERED,
            reply=None if reply.refused else reply.text,
            code="content_filter" if reply.refused else "",
            finish=reply.finish,
            served_model=reply.served_model,
            tokens_in=reply.tokens_in,
            tokens_out=reply.tokens_out,
            cost=cost,
            ms=reply.ms,
            tries=reply.sends,
        )

    def settle_failure(self, error: RequestFailed) -> Call | None:
        """Write why there is no reply; None if the row was lost."""
        state, cost, code = Call.State.FAILED, Decimal(0), error_of(error).code
        if isinstance(error, ReplyLost):
            state, cost = Call.State.UNKNOWN, self.asked.estimate
        elif isinstance(error, Rejected) and error.code in FILTERED:
            state, code = Call.State.REFUSED, "content_filter"
        elif isinstance(error, Rejected) and code == CallFailed.code:
            code = f"http_{error.status}"
        return self._settle(state=state, cost=cost, code=code, tries=error.sends)

    def _settle(self, **fields: Any) -> Call | None:
        if not _insist(lambda: self._own().update(held_until=None, settled_at=Now(), **fields)):
            return None
        return Call.objects.get(pk=self.call_id)


_COLUMNS = (
    *("benchmark_id", "purpose", "actor_id", "server", "model", "prompt_id", "request_sha256", "sample", "request"),
    *("state", "holder", "price", "estimate", "tries"),
)
_INSERT = f"""
    insert into {Call._meta.db_table} ({", ".join(_COLUMNS)}, held_until)
    values ({", ".join(["%s"] * len(_COLUMNS))}, now() + %s)
    on conflict (request_sha256, sample) where state in ('sent', 'answered', 'refused') do nothing
    returning id
"""  # noqa: S608  (names of this module)


def _insist(write: Callable[[], T]) -> T:
    """Repeat a write while the database is unavailable, as long as the row is certainly still held.

    If the connection breaks after the commit, the repeat finds nothing to change, and the caller looks the row up.
    """
    until = time.monotonic() + SLACK.total_seconds() * 0.8
    while True:
        try:
            return write()
        except (OperationalError, InterfaceError) as error:
            if time.monotonic() > until:
                raise
            log.warning("a call is not settled yet: %s", type(error).__name__)
            connection.close()
            time.sleep(0.5)


def _wait_for(call_id: int) -> None:
    """Wait until another holder's call is settled, or its time is over."""
    lost = ExpressionWrapper(Q(held_until__lt=Now()), output_field=BooleanField())
    pause = _FIRST_LOOK
    while True:
        row = Call.objects.filter(pk=call_id, state=Call.State.SENT).annotate(lost=lost).values_list("lost").first()
        if row is None:
            return
        if row[0]:
            mark_lost_calls(Q(pk=call_id))
            return
        time.sleep(pause)
        pause = min(_LONGEST_LOOK, pause * 1.5)


def mark_lost_calls(which: Q | None = None) -> int:
    """Set calls whose holder let its time pass to ``unknown``, counted as paid; return how many."""
    rows = Call.objects.filter(which or Q(), state=Call.State.SENT, held_until__lt=Now())
    return rows.update(
        state=Call.State.UNKNOWN, cost=F("estimate"), code="holder_expired", held_until=None, settled_at=Now()
    )
