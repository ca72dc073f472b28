"""Spot checks: a curator draws a sample of what the teams accepted, and judges it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.db import transaction

from annotation.draws.services import draw_by_team
from annotation.items import services as items
from annotation.items.models import Item
from annotation.items.queries import protocol_with
from annotation.items.services import lock_benchmark
from annotation.judging.models import Verdict
from annotation.judging.services import Judgement, check_reasons, replayed_verdict, write_verdict
from annotation.peer import access
from annotation.peer.errors import NoSpotChecks, NothingToDraw, NotInSpotCheck
from annotation.peer.queries.spot_checks import next_population
from annotation.peer.rules import ROUND, SPOT_CHECK
from annotation.peer.services.checking import record_outcome
from annotation.peer.states import TABLE
from curation.benchmarks.models import Benchmark
from curation.benchmarks.rules import track_content
from curation.core.decisions import Decision
from curation.core.errors import StaleRow
from curation.people.access import benchmark_for
from curation.people.models import Person
from curation.people.queries import people_who_may
from curation.people.services import notify


@transaction.atomic
def draw_spot_check(*, actor: Person, benchmark_slug: str, kind: str, client_key: UUID) -> tuple[Benchmark, str]:
    """Draw the protocol's share of the items of each team that were accepted since the last draw.

    Returns:
        The benchmark and the kind, for the answer.

    Raises:
        NoSpotChecks: The protocol asks for none.
        NothingToDraw: No item was accepted since the last draw.
        KindNotInProtocol, ClientKeyReused, NotFound, OperationNotAllowed.
    """
    # The lock keeps two people from drawing from the same items.
    benchmark = lock_benchmark(benchmark_for(actor, benchmark_slug, "spot_check_draw", kind))
    settings = track_content(protocol_with(benchmark, kind).content, Item.Track.PEER, kind) or {}
    decision = Decision(
        actor_id=actor.pk,
        action="spot_check_draw",
        client_key=client_key,
        benchmark_id=benchmark.pk,
        target_type="spot_check",
    )
    if decision.earlier(kind=kind):
        return benchmark, kind
    percent = settings.get("spot_check_percent", 0)
    if not percent:
        raise NoSpotChecks
    teams = next_population(benchmark, kind)
    if not teams:
        raise NothingToDraw
    draw = draw_by_team(
        benchmark_id=benchmark.pk,
        kind=kind,
        purpose=SPOT_CHECK,
        teams=teams,
        percent=percent,
        drawn_by_id=actor.pk,
    )
    decision.row = draw
    decision.record(kind=kind, population=draw.population, size=draw.size)
    return benchmark, kind


@transaction.atomic
def judge_spot_check(
    *,
    actor: Person,
    item_id: int,
    revision_no: int,
    outcome: str,
    client_key: UUID,
    reasons: Sequence[str] = (),
    comment: str = "",
    picture_no: int | None = None,
) -> Item:
    """Judge a drawn item ``right`` or, with a reason, ``wrong``: then it is returned, and its team is notified.

    Raises:
        OwnWork: The actor wrote the newest revision.
        NotInSpotCheck: It was not drawn as it is now, or another curator judged it.
        ReasonNeeded, ReasonUnknown, StaleRow, ActionNotAllowed, ClientKeyReused, NotFound, OperationNotAllowed.
    """
    judgement = Judgement(item_id, revision_no, SPOT_CHECK, outcome, list(reasons), comment, client_key, picture_no)
    if replayed_verdict(actor, judgement):
        return Item.objects.get(pk=item_id)
    involved = access.lock_item_for(actor, item_id, "item_spot_check")
    if replayed_verdict(actor, judgement):  # the same request on another connection held the lock
        return Item.objects.get(pk=item_id)
    item = involved.item
    if item.revision_no != revision_no:
        raise StaleRow(revision=item.revision_no, named=revision_no)
    access.check_action(actor, involved, "item_spot_check")
    if Verdict.objects.filter(item=item, revision_no=revision_no, stage=SPOT_CHECK).exists():
        raise NotInSpotCheck  # a colleague judged it while this transaction waited for the lock
    check_reasons(item.kind, item.benchmark.protocol_id, reasons, comment, needed=outcome == "wrong")
    write_verdict(actor, item, judgement, round_no=ROUND)
    if outcome == "wrong":
        _return_to_team(actor, item)
    judged: Item = item
    return judged


def _return_to_team(actor: Person, item: Any) -> None:
    [former] = items.send_back([item], "spot_wrong", table=TABLE)
    record_outcome(item, "item_return", former, actor)
    notify(
        person_ids=people_who_may(item.benchmark, "item_submit", item.kind).filter(team_id=item.team_id),
        code="item_spot_wrong",
        params={"item": item.label},
        actor_id=actor.pk,
        benchmark_id=item.benchmark_id,
        target_type="item",
        target_id=item.pk,
    )
