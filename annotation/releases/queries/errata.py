"""Errata: as those who decide and reporters see them, as everyone reads them, and which a release corrects."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Exists, F, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce

from annotation.releases import access, rules, states
from annotation.releases.models import Erratum, ErratumEvent, Release, ReleaseEntry, ReleaseKind
from annotation.releases.rules import GateFailure, Snapshot
from annotation.releases.shapes import ErratumEventRow, ErratumPage, ErratumRow
from curation.benchmarks.models import Benchmark
from curation.core.operations import Reach
from curation.core.pages import cut_page
from curation.core.shapes import localised_text
from curation.core.transitions import available_actions
from curation.people.access import benchmark_for, brief_for, names_visible
from curation.people.models import Person

_LANGUAGES = ("zh-Hans", "zh-Hant", "en")


@dataclass(slots=True)
class ErratumState:
    """The state of an erratum, which its events determine."""

    state: str


def state_of_erratum(erratum: Erratum) -> ErratumState:
    """The state of an erratum now."""
    action = ErratumEvent.objects.filter(erratum=erratum).order_by("-no").values_list("action", flat=True).first()
    return ErratumState(rules.STATE_AFTER[action or ""])


def _with_state(rows: QuerySet[Erratum]) -> QuerySet[Any]:
    """Annotate ``action``, the newest event's, and ``revision_no``, the item's revision in the release."""
    newest = ErratumEvent.objects.filter(erratum=OuterRef("pk")).order_by("-no").values("action")[:1]
    entry = ReleaseEntry.objects.filter(release=OuterRef("release_id"), item=OuterRef("item_id"))
    return rows.annotate(
        action=Coalesce(Subquery(newest), Value("")), revision_no=Subquery(entry.values("revision_no")[:1])
    )


def erratum_page(
    person: Person, benchmark_slug: str, *, state: str | None = None, cursor: str | None = None, page_size: int
) -> ErratumPage:
    """List the errata of a benchmark, newest first: all for those who decide, their own for other people.

    Raises:
        NotFound, OperationNotAllowed.
    """
    benchmark = benchmark_for(person, benchmark_slug, "erratum_list")
    rows = _with_state(access.errata_visible_to(person, benchmark, "erratum_list"))
    if state:
        rows = rows.filter(action=next(action for action, after in rules.STATE_AFTER.items() if after == state))
    rows = rows.select_related("release", "item", "reported_by").prefetch_related("events__by")
    errata, page = cut_page(rows, by="-no", cursor=cursor, page_size=page_size)
    return {"results": [_row(person, benchmark, erratum) for erratum in errata], **page}


def changed_erratum(person: Person, erratum: Erratum) -> ErratumRow:
    """An erratum after a report or a decision."""
    rows = _with_state(Erratum.objects.filter(pk=erratum.pk)).select_related("release", "item", "reported_by")
    benchmark = Benchmark.objects.select_related("protocol").get(pk=erratum.benchmark_id)
    return _row(person, benchmark, rows.prefetch_related("events__by").get())


def _row(viewer: Person, benchmark: Benchmark, erratum: Any) -> ErratumRow:
    reads_all = viewer.reach(benchmark.pk, "erratum_list") is Reach.ALL
    with_names = reads_all and names_visible(
        viewer, benchmark.pk, benchmark.protocol.content if benchmark.protocol else None
    )
    state = rules.STATE_AFTER[erratum.action]
    actions = available_actions(
        states.ERRATA,
        state,
        may=lambda operation: viewer.may(benchmark.pk, operation),
        relations=access.relations_of(viewer, erratum),
    )
    events: list[ErratumEventRow] = [
        {
            "action": event.action,
            "by": brief_for(viewer, event.by, show_names=with_names),
            "note": localised_text(dict.fromkeys(_LANGUAGES, "") | event.note),
            "at": event.at,
        }
        for event in sorted(erratum.events.all(), key=lambda event: event.no)
    ]
    return {
        "id": erratum.pk,
        "no": erratum.no,
        "state": state,
        "release": {"id": erratum.release_id, "label": erratum.release.label},
        "item": erratum.item.label if erratum.item else None,
        "item_id": erratum.item_id if reads_all else None,
        "text": erratum.text,
        "reported_by": brief_for(viewer, erratum.reported_by, show_names=with_names),
        "reported_at": erratum.at,
        "events": events,
        "available_actions": actions,
    }


# --- What everyone reads ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PublicErratum:
    """A confirmed or withdrawn erratum of a release; the report itself is not part of it.

    Attributes:
        item: The item's label; empty if it is about the release as a whole.
        note: By language, in those that it was written in.
        withdrawn_note: The same of its withdrawal; empty while it is confirmed.
    """

    no: int
    item: str
    note: Mapping[str, str]
    at: datetime
    withdrawn_note: Mapping[str, str]
    withdrawn_at: datetime | None


def _of_content(release: Release) -> QuerySet[Any]:
    """Errata of a release, and those of other releases about an item that this one has in the same revision."""
    same = ReleaseEntry.objects.filter(release=release, item=OuterRef("item_id"), revision_no=OuterRef("revision_no"))
    rows = _with_state(Erratum.objects.filter(benchmark=release.benchmark_id))
    return rows.filter(Q(release=release) | Exists(same)).select_related("item").order_by("no")


def errata_of(release: Release) -> list[PublicErratum]:
    """The errata of a release that everyone reads, by number."""
    rows = _of_content(release).filter(action__in=["confirm", "withdraw"]).prefetch_related("events")
    return [_public(erratum) for erratum in rows]


def _public(erratum: Any) -> PublicErratum:
    events = {event.action: event for event in erratum.events.all()}
    withdrawn = events.get("withdraw")
    return PublicErratum(
        no=erratum.no,
        item=erratum.item.label if erratum.item else "",
        note=events["confirm"].note,
        at=events["confirm"].at,
        withdrawn_note=withdrawn.note if withdrawn else {},
        withdrawn_at=withdrawn.at if withdrawn else None,
    )


# --- The next release -------------------------------------------------------------------------------------------------


def corrected_errata(release: Release, kinds: Sequence[ReleaseKind]) -> dict[str, list[int]] | None:
    """The confirmed errata that a release corrects whose entries were just inserted: item label → numbers.

    It corrects those of the previous release with an item's kind where it has the item in another revision, or no
    longer.
    """
    corrected: dict[str, list[int]] = {}
    entry = ReleaseEntry.objects.filter(release=release, item=OuterRef("item_id"))
    unchanged = Q(now=F("revision_no"))
    for own in kinds:
        if own.previous is None:
            continue
        confirmed = _of_content(own.previous).filter(action="confirm", item__kind=own.kind)
        for erratum in confirmed.annotate(now=Subquery(entry.values("revision_no")[:1])).exclude(
            unchanged, now__isnull=False
        ):
            corrected.setdefault(erratum.item.label, []).append(erratum.no)
    return corrected or None


def erratum_warnings(release: Release, now: Snapshot) -> list[GateFailure]:
    """List errata of the kinds that are not decided, and confirmed ones whose item would be released unchanged.

    One statement; none of them prevents a release.
    """
    accepted = {c.item_id: c.revision_no for own in now.kinds for c in own.candidates}
    kinds = [own.kind for own in now.kinds]
    with_kind = ReleaseKind.objects.filter(release=OuterRef("release_id"), kind__in=kinds)
    of_kinds = Q(item__kind__in=kinds) | Q(item=None) & Exists(with_kind)
    rows = _with_state(Erratum.objects.filter(of_kinds, benchmark=release.benchmark_id))
    errata = list(rows.filter(action__in=["", "confirm"]).select_related("item", "release").order_by("no"))
    uncorrected = [e for e in errata if e.action and e.item_id and accepted.get(e.item_id) == e.revision_no]
    return [
        GateFailure(code, {"no": erratum.no, "total": len(of_code)}, _label_of(erratum), "/errata")
        for code, of_code in (
            ("erratum_waiting", [e for e in errata if not e.action]),
            ("erratum_uncorrected", uncorrected),
        )
        for erratum in of_code[: rules.MOST_LISTED]
    ]


def _label_of(erratum: Erratum) -> str:
    return erratum.item.label if erratum.item else erratum.release.label
