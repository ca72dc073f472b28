"""Rows of items with a person's relations to them, and what these relations allow."""

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

from annotation.bases.queries import base_row
from annotation.draws.models import Drawn
from annotation.items.models import FREES_SLOT, Draft, Item, ItemRevision
from annotation.items.queries import guidelines_read, newest_revision, picture_facts
from annotation.items.states import Relation
from annotation.judging.models import Judging, Verdict
from annotation.judging.rules import CLICKS, PANEL
from annotation.kinds.registry import LIVE
from annotation.peer.access.teams import (
    checks_all,
    checks_for,
    clicks_on,
    decides_on,
    judges,
    oversees,
    teams_of,
    writes_alone,
    writes_for,
)
from annotation.peer.errors import NotInSpotCheck, SeatHeld, UnderJudgement
from annotation.peer.rules import PURPOSE, SPOT_CHECK
from annotation.peer.states import TABLES
from annotation.seats.errors import SeatNotHeld
from annotation.seats.models import Seat
from curation.core.errors import NotFound, OwnWork
from curation.core.operations import Reach
from curation.core.transitions import available_actions, check_state
from curation.images.models import Image, hidden_from
from curation.lib.statements import Param, Prepared
from curation.people.access import require
from curation.people.models import Person


@dataclass(frozen=True, slots=True)
class Involvement:
    """An item of a team with a person's relations to it.

    Attributes:
        item: The item, with its benchmark and team; a row of :func:`team_items`.
        newest_author: The author of the newest revision; None before the first.
        relations: The person's relations to the item.
        held_until: The end of a colleague's lease on the item's seat; None if no one else is checking it, and in the
            panel track, where several people judge at the same time.
    """

    item: Any
    newest_author: int | None
    relations: frozenset[Relation]
    held_until: datetime | None


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


def team_items(person_id: Any, track: str = Item.Track.PEER) -> QuerySet[Any]:
    """Items of a track with team, newest revision, first author, picture, guidelines, and what its table asks about.

    ``person_id`` is the id of the person who acknowledged the guidelines, or an expression. ``others_draft``: someone
    else has a draft. In the peer track also ``held``, the held seat, ``in_spot_check``, and ``beside_discarded``: on
    the picture, another item of the kind was discarded. In the panel track ``is_maker``, ``holds_seat``, and
    ``judged``: a verdict of the open judging is in. In the pair track ``is_maker``, ``holds_seat``, ``drafted``: the
    person has a draft, ``clicks``: their number in the open round, None if none is open, and ``base_of``, what it rests
    on.
    """
    # The first member who wrote, also over an imported text: from then on it is theirs to discard.
    written = ItemRevision.objects.filter(item_id=OuterRef("pk")).exclude(origin="import").order_by("no")
    drafts = Draft.objects.filter(item_id=OuterRef("pk")).exclude(author_id=person_id)
    rows: QuerySet[Any] = Item.objects.filter(track=track).exclude(hidden_from(person_id, "image_id"))
    rows = rows.select_related("benchmark", "team")
    rows = rows.defer("credited", *(f"team__{name}" for name in _NOT_DISPLAYED))
    annotated: QuerySet[Any] = rows.annotate(
        newest=newest_revision("pk", "revision_no"),
        first_author=Subquery(written.values("author_id")[:1]),
        others_draft=Exists(drafts),
        facts=picture_facts("image"),
        on_withdrawn=ExpressionWrapper(Q(image__state=Image.State.WITHDRAWN), output_field=BooleanField()),
        guidelines=guidelines_read("benchmark_id", "kind", person_id),
    )
    own = {Item.Track.PEER: _of_peers, Item.Track.PANEL: _of_panel, Item.Track.PAIR: _of_pair}
    return own[Item.Track(track)](annotated, person_id)


def _of_peers(rows: QuerySet[Any], person_id: Any) -> QuerySet[Any]:
    held = Seat.objects.filter(
        item_id=OuterRef("pk"), purpose=PURPOSE, state=Seat.State.HELD, lease_until__gt=Now()
    ).values(row=JSONObject(holder_id="holder_id", until="lease_until"))
    beside = Item.objects.filter(image_id=OuterRef("image_id"), kind=OuterRef("kind"), excluded_for__in=FREES_SLOT)
    annotated: QuerySet[Any] = rows.annotate(
        held=Subquery(held[:1]),
        in_spot_check=Exists(open_spot_checks().filter(item_id=OuterRef("pk"))),
        beside_discarded=Exists(beside.exclude(pk=OuterRef("pk"))),
    )
    return annotated


def _of_panel(rows: QuerySet[Any], person_id: Any) -> QuerySet[Any]:
    mine = Seat.objects.filter(Q(holder=person_id) | Q(lapsed_holder=person_id), item_id=OuterRef("pk"))
    started = Judging.objects.filter(item_id=OuterRef("pk"), closed_at=None, done__gt=0)
    annotated: QuerySet[Any] = rows.annotate(
        is_maker=Exists(ItemRevision.objects.filter(item_id=OuterRef("pk"), author_id=person_id)),
        holds_seat=Exists(mine.filter(purpose=PANEL).exclude(state=Seat.State.DONE)),
        judged=Exists(started),
    )
    return annotated


def _of_pair(rows: QuerySet[Any], person_id: Any) -> QuerySet[Any]:
    mine = Seat.objects.filter(Q(holder=person_id) | Q(lapsed_holder=person_id), item_id=OuterRef("pk"))
    made_by = Q(author_id=person_id) | Q(partner_id=person_id)
    annotated: QuerySet[Any] = rows.annotate(
        is_maker=Exists(ItemRevision.objects.filter(made_by, item_id=OuterRef("pk"))),
        holds_seat=Exists(mine.filter(purpose=CLICKS).exclude(state=Seat.State.DONE)),
        drafted=Exists(Draft.objects.filter(item_id=OuterRef("pk"), author_id=person_id)),
        clicks=_clicks_of("pk"),
        base_of=base_row("pk"),
    )
    return annotated


def _clicks_of(item: str) -> Subquery:
    """The number of clicks in the open round of an item; null if none is open.

    Uses the reverse relation's name, because this module may not import clicks.
    """
    opened = Judging.objects.filter(item_id=OuterRef(item), purpose=CLICKS, closed_at=None)
    return Subquery(opened.values(n=Count("clicks")))


def _locking(track: str) -> Prepared[Any]:
    return Prepared(
        lambda: (
            team_items(Param("person", BigIntegerField()), track)
            .filter(pk=Param("item", BigIntegerField()))
            .select_for_update(of=("self",), no_key=True)
        )
    )


_LOCKED: Final = {track: _locking(track) for track in TABLES}


def lock_item_for(person: Person, item_id: int, operation: str, *, track: str = Item.Track.PEER) -> Involvement:
    """Lock an item of a track with the person's relations to it, in one statement.

    Raises:
        NotFound: It is not in this track, or another team's.
        OperationNotAllowed: None of the person's roles allows the operation.
    """
    item = _LOCKED[track].row(person=person.pk, item=item_id)
    if item is not None and item.revision_no and item.newest is None:
        # The statement waited for the lock while the revision was written, which its snapshot does not include.
        item = _LOCKED[track].row(person=person.pk, item=item_id)
    if item is not None and track == Item.Track.PAIR and item.state == Item.State.MADE:
        item.clicks = Item.objects.filter(pk=item.pk).values_list(_clicks_of("pk"), flat=True).get()
    if item is not None and track == Item.Track.PANEL and item.state == Item.State.MADE and not item.judged:
        # The same for the first verdict.
        item.judged = Judging.objects.filter(item_id=item.pk, closed_at=None, done__gt=0).exists()
    return check_reach(person, item, operation)


def check_reach(person: Person, item: Any, operation: str) -> Involvement:
    """Return a person's relations to a row of :func:`team_items` that the operation reaches.

    Raises:
        NotFound, OperationNotAllowed.
    """
    if item is None:
        raise NotFound
    reach = require(person, item.benchmark_id, operation, item.kind)
    of_others = item.team_id is not None and item.team_id not in teams_of(person, item.benchmark_id, item.kind)
    if reach is not Reach.ALL and (of_others or (reach is Reach.TEAM and not _is_open(item))):
        raise NotFound
    return involvement(person, item)


def _is_open(item: Any) -> bool:
    """Whether a writer may open a row of :func:`team_items`: in the pair track only items that are theirs to write.

    Everybody else may be the one who has to find what it means. What two people make in a dialogue is theirs alone.
    """
    if item.track != Item.Track.PAIR:
        return True
    if item.kind in LIVE:
        return bool(item.is_maker)
    return bool(item.is_maker or item.drafted or not (item.revision_no or item.others_draft))


def involvement(person: Person, item: Any) -> Involvement:
    """Return a person's relations to a row of :func:`team_items`; runs no statement."""
    newest_author = item.newest["author_id"] if item.newest else None
    if item.track == Item.Track.PANEL:
        return Involvement(item, newest_author, _holding(_relations_to_panel(person, item, newest_author)), None)
    if item.track == Item.Track.PAIR:
        return Involvement(item, newest_author, _holding(_relations_to_pair(person, item, newest_author)), None)
    held_by_other = item.held is not None and item.held["holder_id"] != person.pk
    return Involvement(
        item,
        newest_author,
        _holding(_relations_to_peers(person, item, newest_author) | {Relation.NOT_HELD_BY_OTHERS: not held_by_other}),
        datetime.fromisoformat(item.held["until"]) if held_by_other else None,
    )


def _holding(relations: dict[Relation, bool]) -> frozenset[Relation]:
    return frozenset(relation for relation, holds in relations.items() if holds)


def _relations_to_peers(person: Person, item: Any, newest_author: int | None) -> dict[Relation, bool]:
    writes = item.team_id in writes_for(person, item.benchmark_id, item.kind)
    curates = checks_all(person, item.benchmark_id, item.kind)
    checks = curates or item.team_id in checks_for(person, item.benchmark_id, item.kind)
    return {
        Relation.TEAM_MEMBER: writes,
        Relation.NEWEST_AUTHOR: writes and person.pk == newest_author,
        # Before a member submits a text anyone of the team is, unless a colleague's draft would be lost.
        Relation.FIRST_AUTHOR_OR_LEAD: writes
        and (person.pk in (item.first_author, item.team.lead_id) or not (item.first_author or item.others_draft)),
        Relation.CURATOR_OF_CLOSED_TEAM: curates and item.team.closed_at is not None,
        Relation.NOT_NEWEST_AUTHOR: checks and newest_author not in (None, person.pk),
        Relation.DRAWN: item.in_spot_check,
    }


def _relations_to_panel(person: Person, item: Any, newest_author: int | None) -> dict[Relation, bool]:
    writes = writes_alone(person, item.benchmark_id, item.kind)
    return {
        Relation.TEAM_MEMBER: writes,
        Relation.NEWEST_AUTHOR: writes and person.pk == newest_author,
        Relation.FIRST_AUTHOR_OR_LEAD: writes
        and (person.pk == item.first_author or not (item.first_author or item.others_draft)),
        Relation.NO_VERDICT_YET: not item.judged,
        Relation.OVERSEER: oversees(person, item.benchmark_id, item.kind),
        Relation.NOT_MAKER: not item.is_maker
        and (judges(person, item.benchmark_id, item.kind) or oversees(person, item.benchmark_id, item.kind)),
        Relation.SEAT_HOLDER: item.holds_seat,
    }


def _relations_to_pair(person: Person, item: Any, newest_author: int | None) -> dict[Relation, bool]:
    writes = writes_alone(person, item.benchmark_id, item.kind)
    decides = decides_on(person, item.benchmark_id, item.kind)
    sees_all = decides or oversees(person, item.benchmark_id, item.kind)
    return {
        Relation.TEAM_MEMBER: writes and _is_open(item),
        Relation.NEWEST_AUTHOR: writes and person.pk == newest_author,
        Relation.FIRST_AUTHOR_OR_LEAD: writes
        and (person.pk == item.first_author or not (item.first_author or item.others_draft or item.kind in LIVE)),
        Relation.NO_VERDICT_YET: item.clicks == 0,
        Relation.OVERSEER: oversees(person, item.benchmark_id, item.kind),
        Relation.NOT_MAKER: not item.is_maker and (sees_all or clicks_on(person, item.benchmark_id, item.kind)),
        Relation.SEAT_HOLDER: item.holds_seat,
        Relation.DECIDES: decides and item.clicks is None,
    }


def actions(person: Person, involved: Involvement) -> list[str]:
    """The operations that a person may do on an item now."""
    item = involved.item
    if item.on_withdrawn:
        return []
    return available_actions(
        TABLES[item.track],
        item.state,
        may=lambda operation: person.may(item.benchmark_id, operation, item.kind),
        relations=involved.relations,
    )


def check_action(person: Person, involved: Involvement, operation: str) -> str:
    """Return the row of the table by which the person may do an operation on the item now.

    Raises:
        ActionNotAllowed: The item's state allows it to no one, or its picture was withdrawn and the sweep that excludes
            its items has not come to this one yet.
        OwnWork, SeatHeld, NotInSpotCheck, SeatNotHeld, UnderJudgement, NotFound.
    """
    state = Item.State.EXCLUDED.value if involved.item.on_withdrawn else involved.item.state
    table = TABLES[involved.item.track]
    rows = [(name, row) for name, row in table.items() if row.operation == operation and state in row.sources]
    for name, row in rows:
        if involved.relations.issuperset(row.by):
            return name
    check_state(table, operation, state)
    # Only these rows have errors that say why the person may not do it now.
    for _, row in rows:
        if _EXPLAINED.intersection(row.by):
            _raise_missing(person, involved, row.by)
    raise NotFound


_EXPLAINED: Final = frozenset({Relation.NOT_NEWEST_AUTHOR, Relation.NOT_MAKER, Relation.NO_VERDICT_YET})


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
        if relation == Relation.NOT_MAKER and involved.item.is_maker:
            raise OwnWork
        if relation == Relation.SEAT_HOLDER:
            raise SeatNotHeld
        if relation == Relation.NO_VERDICT_YET:
            raise UnderJudgement
        raise NotFound
