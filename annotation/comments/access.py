"""Who is around an item: who may open it, and which part each takes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.db.models import F, Func, Q, QuerySet, Value

from annotation.comments.models import Comment
from annotation.comments.rules import ORDER, Colleague, Part
from annotation.items.models import Item, ItemRevision
from annotation.packages.access import item_for
from annotation.packages.models import Package, PackageItem
from annotation.quality.models import Inspection, Verdict
from annotation.seats.models import Seat
from curation.benchmarks.models import Benchmark
from curation.benchmarks.rules import OWNER, Capability
from curation.core.operations import Reach
from curation.people.models import Person, RoleGrant
from curation.people.rules import Grant, reach

_BY_OPERATION = (
    (Part.REVIEWER, "item_review"),
    (Part.INSPECTOR, "item_inspect"),
    (Part.ANNOTATOR, "item_submit"),
)


def item_and_benchmark(person: Person, item_id: int, operation: str) -> tuple[Item, Benchmark]:
    """An item that the operation reaches, and where it is, with the protocol.

    Raises:
        NotFound, OperationNotAllowed.
    """
    item = item_for(person, item_id, operation)
    return item, Benchmark.objects.select_related("protocol").get(pk=item.benchmark_id)


def colleagues(item: Item, benchmark: Benchmark, viewer: Person) -> dict[int, Colleague]:
    """Everybody who has to do with an item, by id; two statements.

    Those who write it or wrote it, judge it or judged it, said something about it or were named, and who administers.
    Who inspects is left out for those who do not inspect themselves, as long as the inspection goes on.
    """
    content = benchmark.protocol.content if benchmark.protocol else {}
    capabilities = {role["code"]: tuple(role["capabilities"]) for role in content.get("roles", [])}
    capabilities[OWNER] = (Capability.OWN.value,)
    parts: dict[int, set[str]] = {}
    for person_id, part in _taking_part(item, viewer):
        parts.setdefault(person_id, set()).add(part)
    administers = [code for code in capabilities if code != OWNER and _opens(code, capabilities, item, "guideline_add")]
    rows = RoleGrant.objects.filter(Q(benchmark=benchmark) | Q(benchmark=None)).filter(
        Q(person_id__in=parts) | Q(role__in=administers, ended_at=None)
    )
    roles: dict[int, set[str]] = {}
    held: dict[int, set[str]] = {}
    names: dict[int, str] = {}
    fields = ("person_id", "person__name", "person__is_active", "role", "ended_at")
    for person_id, name, active, role, ended_at in rows.values_list(*fields):
        names[person_id] = name
        roles.setdefault(person_id, set()).add(role)
        if active and ended_at is None:
            held.setdefault(person_id, set()).add(role)
    found = {}
    for person_id, name in names.items():
        took = parts.get(person_id, set())
        widest = {_opens(role, capabilities, item, "comment_list") for role in held.get(person_id, ())}
        found[person_id] = Colleague(
            id=person_id,
            name=name,
            part=_part(took, roles[person_id], capabilities, item),
            sees=Reach.ALL in widest or (Reach.ASSIGNED in widest and _ASSIGNED in took),
            asked=bool(took & {_WRITES, _SAID}),
        )
    return found


# Beside the parts, what else a row tells of somebody.
_ASSIGNED = "assigned"
_WRITES = "writes"
_SAID = "said"


def _taking_part(item: Item, viewer: Person) -> Iterator[tuple[int, str]]:
    """Ids with a part or one of the marks above: one statement."""
    here = PackageItem.objects.filter(item=item)
    judged = Verdict.objects.filter(item=item)
    inspected = Inspection.objects.filter(package__members__item=item)
    inspects = viewer.may(item.benchmark_id, "item_inspect", item.kind)
    if not inspects:
        judged = judged.exclude(stage="inspection", package__state=Package.State.INSPECTING, round=F("package__round"))
        inspected = inspected.exclude(outcome="")
    seats = Seat.objects.filter(item=item, holder__isnull=False)
    made = ItemRevision.objects.filter(item=item)
    newest = made.filter(no=item.revision_no)
    said = Comment.objects.filter(item=item)
    sources: list[QuerySet[Any, Any]] = [
        _marked(here, "package__assignee_id", Part.ANNOTATOR),
        _marked(here, "package__assignee_id", _ASSIGNED),
        _marked(here.filter(active=True), "package__assignee_id", _WRITES),
        _marked(here, "package__reviewer_id", Part.REVIEWER),
        _marked(here, "package__reviewer_id", _ASSIGNED),
        _marked(made.filter(origin="annotator"), "author_id", Part.ANNOTATOR),
        _marked(newest.filter(origin="annotator"), "author_id", _WRITES),
        _marked(judged.filter(stage="review"), "judge_id", Part.REVIEWER),
        _marked(judged.filter(stage="inspection"), "judge_id", Part.INSPECTOR),
        _marked(inspected, "inspector_id", Part.INSPECTOR),
        _marked(seats.filter(purpose="review"), "holder_id", Part.REVIEWER),
        _marked(said, "author_id", _SAID),
        said.order_by().values_list(Func("mentions", function="unnest"), Value("named")),
    ]
    if inspects:
        sources.append(_marked(seats.filter(purpose="inspection"), "holder_id", Part.INSPECTOR))
    for person_id, part in sources[0].union(*sources[1:]):
        if person_id is not None:
            yield person_id, part


def _marked(rows: QuerySet[Any, Any], column: str, mark: str) -> QuerySet[Any, Any]:
    return rows.order_by().values_list(F(column), Value(str(mark)))


def _opens(role: str, capabilities: dict[str, tuple[str, ...]], item: Item, operation: str) -> Reach | None:
    """How far a role carries an operation on the item's kind; None: not at all."""
    grant = Grant(None, None, role, capabilities=capabilities.get(role, ()))
    found = reach([grant], None, operation, item.kind)
    return None if found is Reach.NONE else found


def _part(took: set[str], roles: set[str], capabilities: dict[str, tuple[str, ...]], item: Item) -> Part:
    """The part somebody took, or else the one their roles are for, those that ended included."""
    for part in ORDER:
        if part in took:
            return part
    for part, operation in _BY_OPERATION:
        if any(_opens(role, capabilities, item, operation) for role in roles):
            return part
    return Part.ADMINISTRATOR
