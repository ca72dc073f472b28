"""For which teams, or without a team, a person writes and checks items; and what that opens to them."""

from __future__ import annotations

from collections.abc import Collection

from django.db.models import (
    Count,
    Exists,
    OuterRef,
    Q,
    Subquery,
)
from django.db.models.functions import Coalesce

from annotation.bases.queries import bases_for
from annotation.items.errors import TrackNotInProtocol
from annotation.items.models import Draft, Item, ItemRevision
from annotation.items.queries import protocol_content, protocol_with, publishable
from annotation.kinds.registry import KINDS, LIVE
from annotation.peer.rules import HELD, SEATS
from annotation.peer.states import TABLES
from annotation.seats.access import seats_of
from curation.benchmarks.models import Benchmark
from curation.benchmarks.rules import Capability, PairTrack, PanelTrack, track_content, work_of
from curation.core.errors import NotFound
from curation.core.operations import Reach
from curation.images.models import Image
from curation.people.models import Person, Team
from curation.people.queries import people_who_may
from curation.people.rules import has_capability, teams_with


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


def writes_alone(person: Person, benchmark_id: int, kind: str | None = None) -> bool:
    """Whether a person writes items that belong to no team."""
    return has_capability(person.grants, benchmark_id, Capability.ANNOTATE, kind)


def judges(person: Person, benchmark_id: int, kind: str | None = None) -> bool:
    """Whether a person judges items of the panel track."""
    return checks_all(person, benchmark_id, kind) or has_capability(
        person.grants, benchmark_id, Capability.VERIFY, kind
    )


def clicks_on(person: Person, benchmark_id: int, kind: str | None = None) -> bool:
    """Whether a person finds what others' items of a kind mean; no one does who can open every item."""
    kinds = [kind] if kind is not None else [name for name in KINDS if KINDS[name].base]
    return any(
        has_capability(person.grants, benchmark_id, Capability.CLICK, name)
        and person.reach(benchmark_id, "item_show", name) is not Reach.ALL
        for name in kinds
    )


def decides_on(person: Person, benchmark_id: int, kind: str | None = None) -> bool:
    """Whether a person decides about items of a kind that second people failed."""
    return person.reach(benchmark_id, "item_decide", kind) is Reach.ALL


def oversees(person: Person, benchmark_id: int, kind: str | None = None) -> bool:
    """Whether a person inspects or administers, and may take out what nobody else can."""
    return person.reach(benchmark_id, "item_reopen", kind) is Reach.ALL


def track_of(benchmark: Benchmark, kind: str, *, of: Collection[str] = TABLES.keys()) -> str:
    """The track in which people create items of a kind on pictures of their choice.

    Raises:
        KindNotInProtocol.
        TrackNotInProtocol: They are written in packages, or in another track than those ``of`` which it has to be one.
    """
    track = work_of(protocol_with(benchmark, kind).content, kind).track
    if track not in of:
        raise TrackNotInProtocol(track=next(iter(of)))
    return track


def most_held(benchmark: Benchmark, kind: str) -> int:
    """How many seats one person may hold, of a kind in one of these tracks."""
    if track_of(benchmark, kind) != Item.Track.PANEL:
        return HELD
    return panel_settings(protocol_with(benchmark, kind).pk, kind).held


def panel_settings(protocol_id: int, kind: str) -> PanelTrack:
    """The panel track's settings of a protocol version for a kind."""
    return PanelTrack.model_validate(track_content(protocol_content(protocol_id), Item.Track.PANEL, kind))


def pair_settings(protocol_id: int, kind: str) -> PairTrack:
    """The pair track's settings of a protocol version for a kind."""
    return PairTrack.model_validate(track_content(protocol_content(protocol_id), Item.Track.PAIR, kind) or {})


def track_of_item(item_id: int, *, of: Collection[str] = TABLES.keys()) -> str:
    """The track of an item in one of these tracks.

    Raises:
        NotFound: There is no such item.
    """
    track = Item.objects.filter(pk=item_id, track__in=of).values_list("track", flat=True).first()
    if track is None:
        raise NotFound
    return track


def _in_panels(person: Person) -> dict[int, list[str]]:
    """The kinds of which a person writes or judges items without a team, by benchmark."""
    benchmarks = {g.benchmark_id for g in person.grants if g.benchmark_id is not None}
    return {
        pk: [kind for kind in KINDS if writes_alone(person, pk, kind) or judges(person, pk, kind)] for pk in benchmarks
    }


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


def panel_items_opened_to(person: Person) -> Q:
    """The condition on items of the panel track that the person writes or judges."""
    condition = Q(pk__in=[])
    for benchmark_id, kinds in _in_panels(person).items():
        condition |= Q(benchmark_id=benchmark_id, kind__in=kinds)
    return Q(track=Item.Track.PANEL) & condition


def pair_items_opened_to(person: Person) -> Q:
    """The condition on items of the pair track that the person writes or wrote; what others wrote stays hidden.

    Who finds what an item means gets its texts one by one, by an operation of their own.
    """
    wrote = ItemRevision.objects.filter(Q(author=person) | Q(partner=person), item_id=OuterRef("pk"))
    drafted = Draft.objects.filter(item_id=OuterRef("pk"), author=person)
    return Q(track=Item.Track.PAIR) & (Q(Exists(wrote)) | Q(Exists(drafted)))


def pair_pictures_shown_to(person: Person) -> Q:
    """The condition on pictures on which a person may write items of the pair track, or of which they hold a seat.

    The picture of a dialogue is shown to the person who answers, and to both once it is done. Uses the reverse
    relation's name, because this module may not import dialogues.
    """
    condition = Q(pk__in=[])
    for benchmark_id in {g.benchmark_id for g in person.grants if g.benchmark_id is not None}:
        for kind in (name for name in KINDS if KINDS[name].base and name not in LIVE):
            track = {f"benchmark__protocol__content__kinds__{kind}__track": Item.Track.PAIR.value}
            if writes_alone(person, benchmark_id, kind):
                has_base = Exists(bases_for(kind).filter(image_id=OuterRef("pk")))
                condition |= Q(has_base, benchmark_id=benchmark_id, **track)
    held = seats_of(person, SEATS[Item.Track.PAIR]).filter(item__image_id=OuterRef("pk"))
    talked = Image.objects.filter(
        Q(dialogues__answerer=person) | Q(dialogues__questioner=person, dialogues__state="done")
    )
    return publishable() & (condition | Q(Exists(held)) | Q(pk__in=talked.values("pk")))


def pictures_shown_to(person: Person) -> Q:
    """The condition on pictures on which a team of the person's may write items of the peer track."""
    teams_write = Q(pk__in=[])
    for kind in KINDS:
        teams_write |= Q(**{f"benchmark__protocol__content__kinds__{kind}__track": Item.Track.PEER.value})
    return publishable(shared=True) & _of_own_teams(person) & teams_write


def panel_pictures_shown_to(person: Person) -> Q:
    """The condition on pictures on which a person writes or judges items of the panel track."""
    condition = Q(pk__in=[])
    for benchmark_id, kinds in _in_panels(person).items():
        for kind in kinds:
            track = {f"benchmark__protocol__content__kinds__{kind}__track": Item.Track.PANEL.value}
            condition |= Q(benchmark_id=benchmark_id, **track)
    return publishable() & condition


def teams_to_check(person: Person, benchmark: Benchmark, kind: str, team_id: int | None = None) -> set[int]:
    """The teams from which the person claims items to check.

    Args:
        person: A member of teams, or a curator.
        benchmark: The benchmark.
        kind: Kind of work in the peer track.
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
    """The condition on a benchmark's seats of items that a person checks or judges now."""
    condition = Q(pk__in=[])
    for kind in KINDS:
        all_teams = checks_all(person, benchmark_id, kind)
        of_teams = Q() if all_teams else Q(group_id__in=checks_for(person, benchmark_id, kind))
        condition |= Q(kind=kind, purpose=SEATS[Item.Track.PEER]) & of_teams
        if judges(person, benchmark_id, kind):
            condition |= Q(kind=kind, purpose=SEATS[Item.Track.PANEL])
        if clicks_on(person, benchmark_id, kind):
            condition |= Q(kind=kind, purpose=SEATS[Item.Track.PAIR])
    return condition
