"""The work in a package: its items with what was written, and what comes next."""

from __future__ import annotations

from typing import Any

from django.db.models import OuterRef, QuerySet, Subquery
from django.db.models.functions import JSONObject

from annotation.items.models import Draft, Item, ItemRevision
from annotation.items.queries import kind_settings, newest_revision, picture, with_pictures
from annotation.kinds.base import Rules
from annotation.kinds.registry import KINDS
from annotation.packages import access
from annotation.packages.models import Package, PackageItem
from annotation.packages.queries.packages import counted, package_json
from curation.core.errors import NotFound
from curation.people.models import Person

PREFETCHED = 3  # the item in work and two whose pictures the browser decodes ahead


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


def work_item(member: Any, viewer: Person | None = None, *, shown: bool = False) -> dict[str, Any]:
    """A row of :func:`members` as the workspace shows it; ``shown`` is what ``access.names_shown`` says.

    Without a viewer it names nobody.
    """
    item, newest, draft = member.item, member.newest, member.draft
    returned = member.sent_back
    if returned is not None:
        by = access.brief_for(viewer, returned["by"], shown=shown) if viewer is not None else None
        returned = returned | {"by": by}
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
        "returned": returned,
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
    shown = access.names_shown(person, package.benchmark_id, package.protocol_id)
    items = [work_item(m, person, shown=shown) for m in found]
    return {"package": package_json(package, person), "rules": rules_of(package), "items": items}


def rules_of(package: Package) -> Rules:
    """The protocol's rules for a package, for showing."""
    return KINDS[package.kind].rules(kind_settings(package.protocol_id, package.kind))


def detail(person: Person, package_id: int) -> dict[str, Any]:
    """A package with its items.

    Raises:
        NotFound, OperationNotAllowed.
    """
    package = counted(person, package_id, "package_show")
    shown = access.names_shown(person, package.benchmark_id, package.protocol_id)
    items = [work_item(m, person, shown=shown) for m in members(package_id)]
    return package_json(package, person) | {"items": items}


def submit_json(item: Item, revision: ItemRevision, *, replayed: bool) -> dict[str, Any]:
    """What handing in answers; a repeat tells what the first try wrote."""
    return {
        "item_id": item.pk,
        "state": item.state,
        "revision_no": revision.no,
        "findings": revision.findings,
        "replayed": replayed,
    }
