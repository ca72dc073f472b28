"""The people involved in an item: each person's part, and whether they may open it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from django.db.models import Exists, F, Func, OuterRef, Q, QuerySet, Value

from annotation.comments.models import Comment
from annotation.comments.rules import ORDER, Colleague, Part
from annotation.items.models import Item, ItemRevision
from annotation.judging.models import Verdict
from annotation.packages.models import Package, PackageItem
from annotation.quality.models import Inspection
from annotation.seats.models import Seat
from annotation.tracks.access import item_for
from curation.benchmarks.models import Benchmark
from curation.benchmarks.rules import OUTSIDER, OWNER, Capability
from curation.core.operations import Reach
from curation.people.models import Person, RoleGrant
from curation.people.rules import Grant, reach

_BY_OPERATION = (
    (Part.REVIEWER, "item_review"),
    (Part.INSPECTOR, "item_inspect"),
    (Part.ANNOTATOR, "item_submit"),
)


def item_and_benchmark(person: Person, item_id: int, operation: str) -> tuple[Item, Benchmark]:
    """Fetch an item that the operation reaches, and its benchmark with the protocol.

    Raises:
        NotFound, OperationNotAllowed.
    """
    item = item_for(person, item_id, operation)
    return item, Benchmark.objects.select_related("protocol").get(pk=item.benchmark_id)


def colleagues(item: Item, benchmark: Benchmark, viewer: Person) -> dict[int, Colleague]:
    """All people involved in an item, by id; two statements.

    These are its present and former annotators and judges, authors of comments and people mentioned in them, and the
    administrators. While the inspection lasts, only inspectors see who inspects.
    """
    content = benchmark.protocol.content if benchmark.protocol else {}
    capabilities = {role["code"]: tuple(role["capabilities"]) for role in content.get("roles", [])}
    capabilities[OWNER] = (Capability.OWN.value,)
    parts: dict[int, set[str]] = {}
    for person_id, part in _involved(item, viewer):
        parts.setdefault(person_id, set()).add(part)
    administers = [
        code for code in capabilities if code != OWNER and _reach_of_role(code, capabilities, item, "guideline_add")
    ]
    rows = RoleGrant.objects.filter(Q(benchmark=benchmark) | Q(benchmark=None)).exclude(role=OUTSIDER)
    rows = rows.filter(Q(person_id__in=parts) | Q(role__in=administers, ended_at=None))
    roles: dict[int, set[str]] = {}
    held: dict[int, set[str]] = {}
    names: dict[int, str] = {}
    fields = ("person_id", "person__name", "person__is_active", "role", "ended_at")
    for person_id, name, active, role, ended_at in rows.values_list(*fields):
        names[person_id] = name
        roles.setdefault(person_id, set()).add(role)
        if active and ended_at is None:
            held.setdefault(person_id, set()).add(role)
    people = {}
    for person_id, name in names.items():
        own_parts = parts.get(person_id, set())
        reaches = {_reach_of_role(role, capabilities, item, "comment_list") for role in held.get(person_id, ())}
        people[person_id] = Colleague(
            id=person_id,
            name=name,
            part=_part(own_parts, roles[person_id], capabilities, item),
            can_open=Reach.ALL in reaches or (_ASSIGNED in own_parts and bool(reaches & {Reach.ASSIGNED, Reach.TEAM})),
            gets_all_comments=bool(own_parts & {_WRITES, _COMMENTED}),
        )
    return people


# Marks of a person in addition to the parts: assigned to the item's package or in its team, writes the item, commented
# on it.
_ASSIGNED = "assigned"
_WRITES = "writes"
_COMMENTED = "commented"
_MENTIONED = "mentioned"

# The stages of verdicts by the part of those who give them, and the purposes of seats that everyone may see taken.
_STAGES: Final = {Part.REVIEWER: ("review", "peer", "panel", "clicks"), Part.INSPECTOR: ("inspection", "spot_check")}
_SEATS_OF_REVIEWERS: Final = ("review", "peer", "panel")


def _involved(item: Item, viewer: Person) -> Iterator[tuple[int, str]]:
    """Ids of people, each with a part or one of the marks above; one statement."""
    memberships = PackageItem.objects.filter(item=item)
    judged = Verdict.objects.filter(item=item)
    inspected = Inspection.objects.filter(package__members__item=item)
    inspects = viewer.may(item.benchmark_id, "item_inspect", item.kind)
    if not inspects:
        running = Package.objects.filter(
            pk=OuterRef("package_id"), round=OuterRef("round"), state=Package.State.INSPECTING
        )
        judged = judged.exclude(Exists(running), stage="inspection")
        inspected = inspected.exclude(outcome="")
    seats = Seat.objects.filter(item=item, holder__isnull=False)
    revisions = ItemRevision.objects.filter(item=item)
    newest = revisions.filter(no=item.revision_no)
    comments = Comment.objects.filter(item=item)
    sources: list[QuerySet[Any, Any]] = [
        _marked(memberships, "package__assignee_id", Part.ANNOTATOR),
        _marked(memberships, "package__assignee_id", _ASSIGNED),
        _marked(memberships.filter(active=True), "package__assignee_id", _WRITES),
        _marked(memberships, "package__reviewer_id", Part.REVIEWER),
        _marked(memberships, "package__reviewer_id", _ASSIGNED),
        _marked(revisions.filter(origin="annotator"), "author_id", Part.ANNOTATOR),
        _marked(newest.filter(origin="annotator"), "author_id", _WRITES),
        *(_marked(judged.filter(stage__in=stages), "judge_id", part) for part, stages in _STAGES.items()),
        _marked(inspected, "inspector_id", Part.INSPECTOR),
        _marked(seats.filter(purpose__in=_SEATS_OF_REVIEWERS), "holder_id", Part.REVIEWER),
        _marked(comments, "author_id", _COMMENTED),
        comments.order_by().values_list(Func("mentions", function="unnest"), Value(_MENTIONED)),
    ]
    if item.team_id is not None:
        members = RoleGrant.objects.filter(team_id=item.team_id, ended_at=None)
        sources.append(_marked(members, "person_id", _ASSIGNED))
    if inspects:
        sources.append(_marked(seats.filter(purpose="inspection"), "holder_id", Part.INSPECTOR))
    for person_id, part in sources[0].union(*sources[1:]):
        if person_id is not None:
            yield person_id, part


def _marked(rows: QuerySet[Any, Any], column: str, mark: str) -> QuerySet[Any, Any]:
    return rows.order_by().values_list(F(column), Value(str(mark)))


def _reach_of_role(role: str, capabilities: dict[str, tuple[str, ...]], item: Item, operation: str) -> Reach | None:
    """How far an operation on the item's kind reaches with a role; None if the role does not allow it."""
    grant = Grant(None, None, role, capabilities=capabilities.get(role, ()))
    role_reach = reach([grant], None, operation, item.kind)
    return None if role_reach is Reach.NONE else role_reach


def _part(own_parts: set[str], roles: set[str], capabilities: dict[str, tuple[str, ...]], item: Item) -> Part:
    """A person's part in the item; for a person without one, the part that their present and former roles are for."""
    for part in ORDER:
        if part in own_parts:
            return part
    for part, operation in _BY_OPERATION:
        if any(_reach_of_role(role, capabilities, item, operation) for role in roles):
            return part
    return Part.ADMINISTRATOR
