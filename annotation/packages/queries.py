"""Reads about packages and the work in them."""

from __future__ import annotations

from typing import Any

from django.db.models import Count, F, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import JSONObject

from annotation.items.models import Draft, Item, ItemRevision
from annotation.items.queries import kind_settings, newest_revision, picture, with_pictures
from annotation.kinds.base import Rules
from annotation.kinds.registry import KINDS, package_label
from annotation.packages import access, states
from annotation.packages.models import Package, PackageItem
from curation.core.errors import NotFound
from curation.core.pages import page
from curation.core.transitions import available_actions
from curation.images.access import image_for
from curation.people.access import benchmark_for
from curation.people.models import Person
from curation.people.queries import brief

PREFETCHED = 3  # the item in work and two whose pictures the browser decodes ahead


def with_counts(rows: QuerySet[Package]) -> QuerySet[Package]:
    """Add how many items a package has, how many are written, how many ticked, within the same statement."""
    live = Q(members__active=True)
    unwritten = Q(members__item__state__in=[Item.State.TODO, Item.State.RETURNED])
    return rows.select_related("assignee", "reviewer").annotate(
        size=Count("members__item_id", filter=live),
        written=Count("members__item_id", filter=live & ~unwritten),
        checked=Count("members__item_id", filter=live & Q(members__checked_no=F("members__item__revision_no"))),
    )


def package_json(package: Any, viewer: Person) -> dict[str, Any]:
    """A package of :func:`with_counts` as JSON; buttons come from the state table and the viewer's part in it."""
    return {
        "id": package.pk,
        "number": package.number,
        "label": package.label,
        "kind": package.kind,
        "state": package.state,
        "round": package.round,
        "revision": package.revision,
        "size": package.size,
        "written": package.written,
        "checked": package.checked,
        "assignee": brief(package.assignee),
        "reviewer": brief(package.reviewer),
        "state_changed_at": package.state_changed_at,
        "available_actions": actions(package, viewer),
    }


# Besides moving the package: what is done to its items in each state.
_ITEM_WORK = {
    Package.State.WORKING: ("work_next", "item_submit", "package_self_check"),
    Package.State.REVIEWING: ("item_review",),
    Package.State.INSPECTING: ("item_inspect",),
}
_BY_ASSIGNEE = {"package_resume", "package_hand_over", "work_next", "item_submit", "package_self_check"}
_BY_REVIEWER = {"item_review", "package_review_complete"}
_BY_OTHERS = {"package_review_take", "item_inspect", "package_inspection_complete"}


def actions(package: Package, viewer: Person) -> list[str]:
    """What the viewer may do to a package now."""

    def may(operation: str) -> bool:
        if not viewer.may(package.benchmark_id, operation, package.kind):
            return False
        if operation in _BY_ASSIGNEE:
            return viewer.pk == package.assignee_id
        if operation in _BY_REVIEWER:
            return viewer.pk == package.reviewer_id
        if operation in _BY_OTHERS:
            taking_part = {package.assignee_id}
            if operation != "package_review_take":
                taking_part.add(package.reviewer_id)
            return viewer.pk not in taking_part
        return True

    on_items = [op for op in _ITEM_WORK.get(Package.State(package.state), ()) if may(op)]
    return [*available_actions(states.TABLE, package.state, may), *on_items, *_readable_draw(package, viewer)]


def _readable_draw(package: Package, viewer: Person) -> list[str]:
    """The draw is open to everybody in reach once it is decided, before that only to those it does not judge."""
    if not viewer.may(package.benchmark_id, "inspection_show", package.kind):
        return []
    blind = package.state == Package.State.INSPECTING and viewer.pk in {package.assignee_id, package.reviewer_id}
    drawn = package.state in (Package.State.INSPECTING, Package.State.PASSED)
    return ["inspection_show"] if drawn and not blind else []


def counted(person: Person, package_id: int, operation: str) -> Package:
    """One package with its counts, when the operation reaches it: one statement.

    Raises:
        NotFound, OperationNotAllowed.
    """
    return access.package_for(person, package_id, operation, rows=with_counts(Package.objects.all()))


def one(person: Person, package_id: int, operation: str) -> dict[str, Any]:
    """As :func:`counted`, as JSON."""
    return package_json(counted(person, package_id, operation), person)


def packages_json(rows: QuerySet[Package], viewer: Person, limit: int = 50) -> list[dict[str, Any]]:
    """Some packages, oldest change first."""
    return [package_json(p, viewer) for p in with_counts(rows).order_by("state_changed_at", "pk")[:limit]]


def package_page(
    person: Person, slug: str, *, state: str | None, kind: str | None, cursor: str | None, page_size: int
) -> dict[str, Any]:
    """A page of a benchmark's packages by number, with the number in each state."""
    benchmark = benchmark_for(person, slug, "package_list")
    visible = access.packages_visible_to(person, benchmark, "package_list")
    if kind is not None:
        visible = visible.filter(kind=kind)
    counts = dict(visible.order_by().values_list("state").annotate(n=Count("pk")))
    rows = visible if state is None else visible.filter(state=state)
    found = page(with_counts(rows), by="number", cursor=cursor, page_size=page_size, count=False)
    total = sum(counts.values()) if state is None else counts.get(state, 0)
    return {
        **found,
        "results": [package_json(p, person) for p in found["results"]],
        "total": total,
        "counts": {s.value: counts.get(s.value, 0) for s in Package.State},
    }


def members(package_id: int) -> QuerySet[Any]:
    """A package's items in order with picture, newest revision and the assignee's draft: one statement."""
    draft = Draft.objects.filter(item_id=OuterRef("item_id"), author_id=OuterRef("package__assignee_id"))
    rows = PackageItem.objects.filter(package_id=package_id, active=True).select_related("item__image__category")
    found: QuerySet[Any] = with_pictures(rows, "item__image_id").annotate(
        newest=newest_revision("item_id", "item__revision_no"),
        draft=Subquery(
            draft.values(row=JSONObject(content="content", seq="seq", base_no="base_no", findings="findings"))[:1]
        ),
    )
    return found.order_by("position")


def work_item(member: Any) -> dict[str, Any]:
    """A row of :func:`members` as the workspace shows it."""
    item, newest, draft = member.item, member.newest, member.draft
    return {
        "id": item.pk,
        "number": item.number,
        "label": item.label,
        "position": member.position,
        "state": item.state,
        "revision_no": item.revision_no,
        "image": picture(item.image, member.renditions),
        "content": newest["content"] if newest else None,
        "draft": {k: draft[k] for k in ("content", "seq", "base_no")} if draft else None,
        "findings": (draft or newest or {"findings": []})["findings"],
        "reasons": newest["reasons"] if newest else {},
        "returned": member.sent_back,
        "checked": member.checked_no is not None and member.checked_no == item.revision_no,
    }


def next_work(person: Person, package_id: int, after: int) -> dict[str, Any]:
    """The next items to write, the first to work on and the others to fetch ahead, with the rules that apply.

    Args:
        person: The assignee.
        package_id: Their working package.
        after: Position to look behind first; what lies before it comes last.

    Raises:
        NotFound, OperationNotAllowed.
    """
    package = counted(person, package_id, "work_next")
    if package.assignee_id != person.pk:
        raise NotFound
    waiting = members(package_id).filter(
        package__assignee=person, item__state__in=[Item.State.TODO, Item.State.RETURNED]
    )
    found = list(waiting.filter(position__gt=after)[:PREFETCHED])
    if len(found) < PREFETCHED and after:
        found += list(waiting.filter(position__lte=after)[: PREFETCHED - len(found)])
    items = [work_item(m) for m in found]
    return {"package": package_json(package, person), "rules": rules_of(package), "items": items}


def rules_of(package: Package) -> Rules:
    """The protocol's rules for a package, for showing."""
    return KINDS[package.kind].rules(kind_settings(package.protocol_id, package.kind))


def board(benchmark_id: int) -> list[dict[str, Any]]:
    """How many packages of each kind are in each state."""
    found: dict[str, dict[str, int]] = {}
    rows = Package.objects.filter(benchmark_id=benchmark_id).order_by().values_list("kind", "state")
    for kind, state, n in rows.annotate(n=Count("pk")):
        found.setdefault(kind, dict.fromkeys(Package.State.values, 0))[state] = n
    return [{"kind": kind, "states": states_} for kind, states_ in sorted(found.items())]


def items_of_image(person: Person, image_id: int) -> list[dict[str, Any]]:
    """The items made on a picture, with the package each is in or was in last.

    Raises:
        NotFound, OperationNotAllowed.
    """
    image = image_for(person, image_id, "image_items")
    place = PackageItem.objects.filter(item_id=OuterRef("pk")).order_by("-active", "-package_id")
    rows = Item.objects.filter(image=image).annotate(
        place=Subquery(place.values(row=JSONObject(id="package_id", number=F("package__number"), active="active"))[:1])
    )
    return [
        {
            "id": item.pk,
            "label": item.label,
            "kind": item.kind,
            "state": item.state,
            "revision_no": item.revision_no,
            "package": {"id": item.place["id"], "label": package_label(item.kind, item.place["number"])}
            if item.place
            else None,
        }
        for item in rows.order_by("kind", "slot", "number")[:100]
    ]


def detail(person: Person, package_id: int) -> dict[str, Any]:
    """A package with its items.

    Raises:
        NotFound, OperationNotAllowed.
    """
    package = one(person, package_id, "package_show")
    return package | {"items": [work_item(m) for m in members(package_id)]}


def build_json(made: list[Package], left_over: int, viewer: Person) -> dict[str, Any]:
    """What a build made."""
    rows = with_counts(Package.objects.filter(pk__in=[p.pk for p in made])).order_by("number")
    packages = [package_json(p, viewer) for p in rows]
    return {"made": packages, "items": sum(p["size"] for p in packages), "left_over": left_over}


def submit_json(item: Item, revision: ItemRevision, *, replayed: bool) -> dict[str, Any]:
    """What handing in answers; a repeat tells what the first try wrote."""
    return {
        "item_id": item.pk,
        "state": item.state,
        "revision_no": revision.no,
        "findings": revision.findings,
        "replayed": replayed,
    }
