"""The work in a package: its items with what was written, and what comes next."""

from __future__ import annotations

from typing import Any

from django.db.models import (
    BigIntegerField,
    BooleanField,
    ExpressionWrapper,
    IntegerField,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
)
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Cast, JSONObject

from annotation.items.models import Draft, Item, ItemRevision
from annotation.items.queries import (
    comments_on,
    guidelines_read,
    kind_settings,
    newest_revision,
    picture,
    with_pictures,
)
from annotation.kinds.base import Rules
from annotation.kinds.registry import KINDS
from annotation.packages import access
from annotation.packages.models import Package, PackageItem
from annotation.packages.queries.packages import counted, package_json, with_counts
from curation.lib.statements import Param, Prepared
from curation.people.models import Person

_OF_DRAFT = ("content", "seq", "base_no", "active_ms")
PREFETCHED = 3  # the item in work and two whose pictures the browser decodes ahead


def members(package_id: Any) -> QuerySet[Any]:
    """A package's items in order with picture, newest revision, the assignee's draft and how often they are spoken of.

    One statement; the package is named by its id or an expression.
    """
    own = Q(author_id=OuterRef("package__assignee_id"))
    # A draft from a file serves while nothing was written over it and the assignee has typed nothing.
    brought_in = Q(brought_in=True, base_no=OuterRef("item__revision_no"))
    draft = Draft.objects.filter(own | brought_in, item_id=OuterRef("item_id")).order_by("brought_in", "author_id")
    rows = PackageItem.objects.filter(package_id=package_id, active=True).select_related("item__image__category")
    found: QuerySet[Any] = with_pictures(rows, "item__image_id").annotate(
        newest=newest_revision("item_id", "item__revision_no"),
        draft=Subquery(draft.values(row=JSONObject(**{name: name for name in (*_OF_DRAFT, "findings")}))[:1]),
        comments=comments_on("item_id"),
        sent_back_by=sent_back_by(),
    )
    return found.order_by("position")


def sent_back_by() -> Subquery:
    """The name of whoever sent an item back; the row itself names them by number only."""
    judge = Cast(KeyTextTransform("by_id", OuterRef("sent_back")), BigIntegerField())
    return Subquery(Person.objects.filter(pk=judge).values("name")[:1])


def work_item(member: Any, viewer: Person | None = None, *, shown: bool = False) -> dict[str, Any]:
    """A row of :func:`members` as the workspace shows it; ``shown`` is what ``access.names_shown`` says.

    Without a viewer it names nobody.
    """
    item, newest, draft = member.item, member.newest, member.draft
    returned = member.sent_back
    if returned is not None:
        # Rows of the first form hold the name beside the number.
        told = returned.get("by") or {"id": returned.get("by_id"), "name": member.sent_back_by}
        by = access.brief_for(viewer, told, shown=shown) if viewer is not None else None
        returned = {name: returned[name] for name in ("stage", "reasons", "comment")} | {"by": by}
    return {
        "id": item.pk,
        "number": item.number,
        "label": item.label,
        "position": member.position,
        "state": item.state,
        "revision_no": item.revision_no,
        "image": picture(item.image, member.renditions),
        "content": newest["content"] if newest else None,
        "draft": {name: draft[name] for name in _OF_DRAFT} if draft else None,
        "findings": (draft or newest or {"findings": []})["findings"],
        "reasons": newest["reasons"] if newest else {},
        "returned": returned,
        "skipped": member.skipped,
        "comments": member.comments,
        "checked": member.checked_no is not None and member.checked_no == item.revision_no,
    }


_PACKAGE: Prepared[Any] = Prepared(
    lambda: with_counts(Package.objects.filter(pk=Param("package", BigIntegerField()))).annotate(
        guidelines=guidelines_read("benchmark_id", "kind", Param("person", BigIntegerField()))
    )
)
_WAITING: Prepared[Any] = Prepared(
    lambda: (
        members(Param("package", BigIntegerField()))
        .filter(
            package__assignee_id=Param("person", BigIntegerField()),
            item__state__in=[Item.State.TODO, Item.State.RETURNED],
        )
        .alias(behind=ExpressionWrapper(Q(position__lte=Param("after", IntegerField())), output_field=BooleanField()))
        .order_by("behind", "position")[:PREFETCHED]
    )
)


def next_work(person: Person, package_id: int, after: int) -> dict[str, Any]:
    """The next items to write, the first to work on and the others to fetch ahead, with the rules that apply.

    Args:
        person: The assignee.
        package_id: Their working package.
        after: Position to look behind first; what lies before it comes last.

    Raises:
        NotFound, OperationNotAllowed.
    """
    package: Any = access.admitted(person, _PACKAGE.row(package=package_id, person=person.pk), "work_next")
    access.check_relation(person, package, "work_next")
    newest = next(iter(package.guidelines), None)
    shown = access.names_shown(person, package.benchmark_id, package.protocol_id)
    waiting = _WAITING.rows(package=package_id, person=person.pk, after=after)
    return {
        "package": package_json(package, person),
        "rules": rules_of(package),
        "guideline": {name: newest[name] for name in ("version", "acknowledged")} if newest else None,
        "items": [work_item(m, person, shown=shown) for m in waiting],
    }


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
