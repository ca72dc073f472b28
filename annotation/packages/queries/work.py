"""The work in a package: its items with their content, and the next items to write."""

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

from annotation.items.models import Draft, Item
from annotation.items.queries import (
    comments_on,
    guidelines_read,
    names_visible,
    newest_revision,
    picture,
    rules_for,
    text_language,
    with_pictures,
)
from annotation.items.shapes import PlacesAnswer
from annotation.packages import access
from annotation.packages.models import Package, PackageItem
from annotation.packages.queries.packages import package_row, package_with_counts, with_counts
from annotation.packages.shapes import NextWork, PackageDetail, ReturnReasons, SkipAnswer, WorkItem
from curation.images.models import hidden_from
from curation.lib.statements import Param, Prepared
from curation.people.access import brief_for
from curation.people.models import Person

_OF_DRAFT = ("content", "seq", "base_no", "active_ms")
# Columns of a picture that no desk shows; without them the statement of the next items is shorter to parse.
_NOT_DISPLAYED = (
    "sha256",
    "phash",
    "phash_inner",
    "source",
    "licence",
    "pii_clear_by",
    "collected_for",
    "objects_all",
    "objects_listed",
    "objects_main",
    "objects_categories",
    "verdict_no",
    "flags",
    "client_key",
    "created_at",
)
PREFETCHED = 3  # the current item, and two whose pictures the browser decodes in advance


def members(package_id: Any, person_id: Any) -> QuerySet[Any]:
    """The items of a package in order, with picture, newest revision, the assignee's draft and number of comments.

    One statement. ``package_id`` and the reader's ``person_id`` are ids or expressions. Left out are items on pictures
    that the reader may not see at the moment, because they ask about them in a dialogue.
    """
    own = Q(author_id=OuterRef("package__assignee_id"))
    # An imported draft is shown until the assignee has a draft of their own or a newer revision is written.
    imported = Q(brought_in=True, base_no=OuterRef("item__revision_no"))
    draft = Draft.objects.filter(own | imported, item_id=OuterRef("item_id")).order_by("brought_in", "author_id")
    rows = PackageItem.objects.filter(package_id=package_id, active=True).select_related(
        "item__image__category", "item__team"
    )
    rows = rows.exclude(hidden_from(person_id, "item__image_id"))
    rows = rows.defer("item__credited", *(f"item__image__{name}" for name in _NOT_DISPLAYED))
    places: QuerySet[Any] = with_pictures(rows, "item__image_id").annotate(
        newest=newest_revision("item_id", "item__revision_no"),
        draft=Subquery(draft.values(row=JSONObject(**{name: name for name in (*_OF_DRAFT, "findings")}))[:1]),
        comments=comments_on("item_id"),
        returned_by=returned_by(),
    )
    return places.order_by("position")


def returned_by() -> Subquery:
    """The name of the judge who returned an item; ``sent_back`` stores only their id."""
    judge = Cast(KeyTextTransform("by_id", OuterRef("sent_back")), BigIntegerField())
    return Subquery(Person.objects.filter(pk=judge).values("name")[:1])


def work_item(member: Any, viewer: Person, protocol_id: int, *, show_names: bool) -> WorkItem:
    """A row of :func:`members` as the workspace shows it; ``show_names`` is the result of ``names_visible``."""
    item, newest, draft, skipped = member.item, member.newest, member.draft, member.skipped
    return {
        "id": item.pk,
        "number": item.number,
        "label": item.label,
        "position": member.position,
        "state": item.state,
        "revision_no": item.revision_no,
        "image": picture(item.image, member.renditions),
        "language": text_language(protocol_id, item.team),
        "content": newest["content"] if newest else None,
        "draft": {
            "content": draft["content"],
            "seq": draft["seq"],
            "base_no": draft["base_no"],
            "active_ms": draft["active_ms"],
        }
        if draft
        else None,
        "findings": (draft or newest or {"findings": []})["findings"],
        "reasons": newest["reasons"] if newest else {},
        "returned": _returned(member, viewer, show_names=show_names) if member.sent_back else None,
        "is_restored": item.is_restored,
        "is_corrected": newest is not None and newest["origin"] == "senior",
        "skipped": {"reasons": skipped["reasons"], "comment": skipped["comment"], "at": skipped["at"]}
        if skipped
        else None,
        "comments": member.comments,
        "checked": member.checked_no is not None and member.checked_no == item.revision_no,
    }


def _returned(member: Any, viewer: Person, *, show_names: bool) -> ReturnReasons:
    returned = member.sent_back
    # Rows written before names could be hidden contain id and name in ``by``.
    judge = returned.get("by") or {"id": returned.get("by_id"), "name": member.returned_by}
    return {
        "stage": returned["stage"],
        "reasons": returned["reasons"],
        "comment": returned["comment"],
        "by": brief_for(viewer, judge, show_names=show_names),
    }


_PACKAGE: Prepared[Any] = Prepared(
    lambda: with_counts(Package.objects.filter(pk=Param("package", BigIntegerField()))).annotate(
        guidelines=guidelines_read("benchmark_id", "kind", Param("person", BigIntegerField()))
    )
)
_WAITING: Prepared[Any] = Prepared(
    lambda: (
        members(Param("package", BigIntegerField()), Param("person", BigIntegerField()))
        .filter(
            package__assignee_id=Param("person", BigIntegerField()),
            item__state__in=[Item.State.TODO, Item.State.RETURNED],
        )
        .alias(behind=ExpressionWrapper(Q(position__lte=Param("after", IntegerField())), output_field=BooleanField()))
        .order_by("behind", "position")[:PREFETCHED]
    )
)


def next_work(person: Person, package_id: int, after: int = 0) -> NextWork:
    """Show the next items to write, with the rules that apply.

    The first item is the one to write; the page fetches the pictures of the others in advance.

    Args:
        person: The assignee.
        package_id: Their working package.
        after: The position after which to continue; items up to it come last.

    Raises:
        NotFound, OperationNotAllowed.
    """
    package: Any = access.check_reach(person, _PACKAGE.row(package=package_id, person=person.pk), "work_next")
    access.check_relation(person, package, "work_next")
    newest = next(iter(package.guidelines), None)
    show_names = names_visible(person, package.benchmark_id, package.protocol_id)
    waiting = _WAITING.rows(package=package_id, person=person.pk, after=after)
    return {
        "package": package_row(package, person),
        "rules": rules_for(package.protocol_id, package.kind),
        "guideline": {"version": newest["version"], "acknowledged": newest["acknowledged"]} if newest else None,
        "items": [work_item(m, person, package.protocol_id, show_names=show_names) for m in waiting],
    }


def package_detail(person: Person, package_id: int) -> PackageDetail:
    """Show a package with its items and the rules that apply to them.

    Raises:
        NotFound, OperationNotAllowed.
    """
    package = package_with_counts(person, package_id, "package_show")
    show_names = names_visible(person, package.benchmark_id, package.protocol_id)
    items = [work_item(m, person, package.protocol_id, show_names=show_names) for m in members(package_id, person.pk)]
    rules = rules_for(package.protocol_id, package.kind)
    return {**package_row(package, person), "rules": rules, "items": items}


def package_places(person: Person, package_id: int) -> PlacesAnswer:
    """List a package's items with their states and without their contents, for moving around in it.

    Raises:
        NotFound, OperationNotAllowed.
    """
    package = access.package_for(person, package_id, "package_items")
    places = PackageItem.objects.filter(package=package, active=True).select_related("item").order_by("position")
    places = places.exclude(hidden_from(person.pk, "item__image_id"))
    rows = places.only("position", "item__kind", "item__number", "item__state")
    return {
        "items": [
            {"id": row.item_id, "label": row.item.label, "position": row.position, "state": row.item.state}
            for row in rows
        ]
    }


def checked_package(person: Person, package: Package) -> PackageDetail:
    """A package with its items after a self-check."""
    return package_detail(person, package.pk)


def skip_answer(person: Person, skipped: tuple[Item, bool]) -> SkipAnswer:
    """The item that was skipped, and whether this was a repeat."""
    item, replayed = skipped
    return {"item_id": item.pk, "state": item.state, "replayed": replayed}
