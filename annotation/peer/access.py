"""Access to the items of teams: members write and check each other's, curators check those of every team."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.db.models import (
    BigIntegerField,
    BooleanField,
    Count,
    Exists,
    ExpressionWrapper,
    F,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
)
from django.db.models.functions import Coalesce, JSONObject, Now

from annotation.draws.models import Drawn
from annotation.items.models import FREES_SLOT, Draft, Item, ItemRevision
from annotation.items.queries import guidelines_read, newest_revision, picture_facts, publishable
from annotation.items.states import Relation
from annotation.judging.models import Verdict
from annotation.kinds.registry import KINDS
from annotation.peer.errors import NotInSpotCheck, SeatHeld
from annotation.peer.rules import PURPOSE, SPOT_CHECK
from annotation.peer.states import TABLE
from annotation.seats.models import Seat
from curation.benchmarks.models import Benchmark
from curation.benchmarks.rules import Capability
from curation.core.errors import NotFound, OwnWork
from curation.core.operations import Reach
from curation.core.transitions import available_actions, check_state
from curation.images.models import Image
from curation.lib.statements import Param, Prepared
from curation.people.access import require
from curation.people.models import Person, Team
from curation.people.queries import people_who_may
from curation.people.rules import has_capability, teams_with


@dataclass(frozen=True, slots=True)
class Involvement:
    """An item of a team with a person's relations to it.

    Attributes:
        item: The item, with its benchmark and team; a row of :func:`team_items`.
        newest_author: The author of the newest revision; None before the first.
        relations: The person's relations to the item.
        held_until: The end of a colleague's lease on the item's seat; None if no one else is checking it.
    """

    item: Any
    newest_author: int | None
    relations: frozenset[Relation]
    held_until: datetime | None


def writes_for(person: Person, benchmark_id: int, kind: str | None = None) -> set[int]:
    """The teams for which a person writes items of a kind, or of any kind."""
    return teams_with(person.grants, benchmark_id, Capability.ANNOTATE, kind)


def checks_for(person: Person, benchmark_id: int, kind: str | None = None) -> set[int]:
    """The teams whose items a person checks as a member."""
    return teams_with(person.grants, benchmark_id, Capability.VERIFY, kind)


def teams_of(person: Person, benchmark_id: int, kind: str | None = None) -> set[int]:
    """The teams for which a person writes or checks items."""
    return writes_for(person, benchmark_id, kind) | checks_for(person, benchmark_id, kind)


def checks_all(person: Person, benchmark_id: int, kind: str | None = None) -> bool:
    """Whether a person checks the items of every team."""
    return has_capability(person.grants, benchmark_id, Capability.INSPECT, kind)


def _of_own_teams(person: Person) -> Q:
    """The condition on rows with ``benchmark`` and ``team`` that belong to a team of the person's."""
    condition = Q(pk__in=[])
    for benchmark_id in {g.benchmark_id for g in person.grants if g.benchmark_id is not None}:
        if teams := teams_of(person, benchmark_id):
            condition |= Q(benchmark_id=benchmark_id, team_id__in=teams)
    return condition


def items_opened_to(person: Person) -> Q:
    """The condition on items of the peer track that belong to a team of the person's."""
    return Q(track=Item.Track.PEER) & _of_own_teams(person)


def pictures_shown_to(person: Person) -> Q:
    """The condition on pictures on which a team of the person's may write items of the peer track."""
    teams_write = Q(pk__in=[])
    for kind in KINDS:
        teams_write |= Q(**{f"benchmark__protocol__content__kinds__{kind}__track": Item.Track.PEER.value})
    return publishable(shared=True) & _of_own_teams(person) & teams_write


def teams_to_check(person: Person, benchmark: Benchmark, kind: str, team_id: int | None = None) -> set[int]:
    """The teams from which the person claims items to check.

    Args:
        person: A member of teams, or a curator.
        benchmark: The benchmark.
        kind: Kind of work.
        team_id: Only this team; None: the person's own teams, for a curator without one those in which no two people
            check each other.

    Raises:
        NotFound: The person does not check that team's items.
    """
    own = checks_for(person, benchmark.pk, kind)
    if team_id is not None:
        teams = Team.objects.filter(pk=team_id, benchmark=benchmark)
        if team_id not in own and not (checks_all(person, benchmark.pk, kind) and teams.exists()):
            raise NotFound
        return {team_id}
    if own or not checks_all(person, benchmark.pk, kind):
        return own
    members = people_who_may(benchmark, "item_star", kind).filter(team_id=OuterRef("pk")).order_by()
    number = Subquery(members.values("team_id").values(n=Count("person_id", distinct=True)))
    teams = Team.objects.filter(benchmark=benchmark).alias(number=Coalesce(number, 0)).filter(number__lt=2)
    return set(teams.values_list("pk", flat=True))


def seats_open_to(person: Person, benchmark_id: int) -> Q:
    """The condition on a benchmark's seats of items that a person checks now, as a member of the team or a curator."""
    condition = Q(pk__in=[])
    for kind in KINDS:
        all_teams = checks_all(person, benchmark_id, kind)
        of_teams = Q() if all_teams else Q(group_id__in=checks_for(person, benchmark_id, kind))
        condition |= Q(kind=kind) & of_teams
    return condition


def author_of(item: str, no: str) -> Subquery:
    """The author of the revision whose item id and number are in columns of the outer query."""
    return Subquery(ItemRevision.objects.filter(item_id=OuterRef(item), no=OuterRef(no)).values("author_id")[:1])


def credited_author() -> Subquery:
    """The author of the first revision of an item of the outer query, or of the discarded one whose text it repeats.

    Null if the revision was imported: the person who imported a text did not write it.
    """
    item = Coalesce(OuterRef("credited_id"), OuterRef("pk"))
    first = ItemRevision.objects.filter(item_id=item, no=1).exclude(origin="import")
    return Subquery(first.values("author_id"))


def open_spot_checks() -> QuerySet[Drawn]:
    """Drawn items that wait to be judged in a spot check: still accepted as they were drawn, and not judged yet."""
    judged = Verdict.objects.filter(item_id=OuterRef("item_id"), revision_no=OuterRef("revision_no"), stage=SPOT_CHECK)
    drawn = Drawn.objects.filter(draw__purpose=SPOT_CHECK, item__accepted_no=F("revision_no"))
    return drawn.exclude(Exists(judged))


# Columns of a team that its work does not need. Without them the statement that locks an item stays below the 4,096
# characters up to which psycopg keeps a statement it has parsed.
_NOT_DISPLAYED: Final = ("pair", "country", "language_name", "script", "continent")


def team_items(person_id: Any) -> QuerySet[Any]:
    """Items of the peer track with team, newest revision, first author, held seat, spot check, picture and guidelines.

    ``person_id`` is the id of the person who acknowledged the guidelines, or an expression. ``others_draft``: someone
    else has a draft. ``beside_discarded``: on its picture, another item of the kind was discarded.
    """
    held = Seat.objects.filter(
        item_id=OuterRef("pk"), purpose=PURPOSE, state=Seat.State.HELD, lease_until__gt=Now()
    ).values(row=JSONObject(holder_id="holder_id", until="lease_until"))
    # The first member who wrote, also over an imported text: from then on it is theirs to discard.
    written = ItemRevision.objects.filter(item_id=OuterRef("pk")).exclude(origin="import").order_by("no")
    drafts = Draft.objects.filter(item_id=OuterRef("pk")).exclude(author_id=person_id)
    rows: QuerySet[Any] = Item.objects.filter(track=Item.Track.PEER).select_related("benchmark", "team")
    rows = rows.defer("credited", *(f"team__{name}" for name in _NOT_DISPLAYED))
    annotated: QuerySet[Any] = rows.annotate(
        newest=newest_revision("pk", "revision_no"),
        first_author=Subquery(written.values("author_id")[:1]),
        others_draft=Exists(drafts),
        held=Subquery(held[:1]),
        in_spot_check=Exists(open_spot_checks().filter(item_id=OuterRef("pk"))),
        facts=picture_facts("image"),
        on_withdrawn=ExpressionWrapper(Q(image__state=Image.State.WITHDRAWN), output_field=BooleanField()),
        beside_discarded=Exists(
            Item.objects.filter(
                image_id=OuterRef("image_id"), kind=OuterRef("kind"), excluded_for__in=FREES_SLOT
            ).exclude(pk=OuterRef("pk"))
        ),
        guidelines=guidelines_read("benchmark_id", "kind", person_id),
    )
    return annotated


_LOCKED: Prepared[Any] = Prepared(
    lambda: (
        team_items(Param("person", BigIntegerField()))
        .filter(pk=Param("item", BigIntegerField()))
        .select_for_update(of=("self",), no_key=True)
    )
)


def lock_item_for(person: Person, item_id: int, operation: str) -> Involvement:
    """Lock an item of a team with the person's relations to it, in one statement.

    Raises:
        NotFound: It is not in this track, or another team's.
        OperationNotAllowed: None of the person's roles allows the operation.
    """
    item = _LOCKED.row(person=person.pk, item=item_id)
    if item is not None and item.revision_no and item.newest is None:
        # The statement waited for the lock while the revision was written, which its snapshot does not include.
        item = _LOCKED.row(person=person.pk, item=item_id)
    return check_reach(person, item, operation)


def check_reach(person: Person, item: Any, operation: str) -> Involvement:
    """Return a person's relations to a row of :func:`team_items` that the operation reaches.

    Raises:
        NotFound, OperationNotAllowed.
    """
    if item is None:
        raise NotFound
    reach = require(person, item.benchmark_id, operation, item.kind)
    if reach is not Reach.ALL and item.team_id not in teams_of(person, item.benchmark_id, item.kind):
        raise NotFound
    return involvement(person, item)


def involvement(person: Person, item: Any) -> Involvement:
    """Return a person's relations to a row of :func:`team_items`; runs no statement."""
    writes = item.team_id in writes_for(person, item.benchmark_id, item.kind)
    curates = checks_all(person, item.benchmark_id, item.kind)
    checks = curates or item.team_id in checks_for(person, item.benchmark_id, item.kind)
    newest_author = item.newest["author_id"] if item.newest else None
    held_by_other = item.held is not None and item.held["holder_id"] != person.pk
    relations = {
        Relation.TEAM_MEMBER: writes,
        Relation.NEWEST_AUTHOR: writes and person.pk == newest_author,
        # Before a member submits a text anyone of the team is, unless a colleague's draft would be lost.
        Relation.FIRST_AUTHOR_OR_LEAD: writes
        and (person.pk in (item.first_author, item.team.lead_id) or not (item.first_author or item.others_draft)),
        Relation.CURATOR_OF_CLOSED_TEAM: curates and item.team.closed_at is not None,
        Relation.NOT_NEWEST_AUTHOR: checks and newest_author not in (None, person.pk),
        Relation.NOT_HELD_BY_OTHERS: not held_by_other,
        Relation.DRAWN: item.in_spot_check,
    }
    return Involvement(
        item,
        newest_author,
        frozenset(relation for relation, holds in relations.items() if holds),
        datetime.fromisoformat(item.held["until"]) if held_by_other else None,
    )


def actions(person: Person, involved: Involvement) -> list[str]:
    """The operations that a person may do on an item now."""
    item = involved.item
    if item.on_withdrawn:
        return []
    return available_actions(
        TABLE,
        item.state,
        may=lambda operation: person.may(item.benchmark_id, operation, item.kind),
        relations=involved.relations,
    )


def check_action(person: Person, involved: Involvement, operation: str) -> str:
    """Return the row of the table by which the person may do an operation on the item now.

    Raises:
        ActionNotAllowed: The item's state allows it to no one, or its picture was withdrawn and the sweep that excludes
            its items has not come to this one yet.
        OwnWork, SeatHeld, NotInSpotCheck, NotFound.
    """
    state = Item.State.EXCLUDED.value if involved.item.on_withdrawn else involved.item.state
    rows = [(name, row) for name, row in TABLE.items() if row.operation == operation and state in row.sources]
    for name, row in rows:
        if involved.relations.issuperset(Relation(r) for r in row.by):
            return name
    check_state(TABLE, operation, state)
    # Only the row of colleagues has errors that say why they may not do it now.
    for _, row in rows:
        if Relation.NOT_NEWEST_AUTHOR in row.by:
            _raise_missing(person, involved, row.by)
    raise NotFound


def _raise_missing(person: Person, involved: Involvement, required: tuple[str, ...]) -> None:
    for relation in required:
        if relation in involved.relations:
            continue
        if relation == Relation.NOT_NEWEST_AUTHOR and involved.newest_author == person.pk:
            raise OwnWork
        if relation == Relation.NOT_HELD_BY_OTHERS and involved.held_until is not None:
            raise SeatHeld(until=involved.held_until.isoformat())
        if relation == Relation.DRAWN:
            raise NotInSpotCheck
        raise NotFound
