"""The changes of a release since the previous one of its kind: items that were added, removed or changed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from django.db.models import Exists, F, Func, JSONField, OuterRef, QuerySet, Subquery, Value
from typing_extensions import TypedDict

from annotation.items.queries import picture, text_language, tree_of, with_pictures
from annotation.kinds.registry import label
from annotation.kinds.texts import first_text
from annotation.kinds.tree import RecordNode
from annotation.releases import access, rules, states
from annotation.releases.models import Release, ReleaseEntry
from annotation.releases.shapes import ChangeCounts, ChangeRow, ReleaseChangePage
from curation.core.pages import cut_page
from curation.people.models import Person

# Records that differ only in the protocol's version are equal.
_NOT_COMPARED: Final = "protocol_version"
_BATCH: Final = 500  # rows in memory at a time


class Change(TypedDict):
    """A change; ``record`` and ``previous_record`` are the published records after and before it, None without one.

    ``errata`` are the numbers of the confirmed errata that it corrects.
    """

    label: str
    change: str
    revision: int | None
    previous_revision: int | None
    record: dict[str, Any] | None
    previous_record: dict[str, Any] | None
    errata: list[int]


class _Without(Func):
    """A JSON object without one of its keys."""

    template = "(%(expressions)s)"
    arg_joiner = " - "
    output_field = JSONField()


def changed_entries(release: Release, change: str) -> QuerySet[Any]:
    """Entries that were added, removed (these are the previous release's) or whose record differs.

    Entries of ``changed`` have ``previous_revision`` and ``previous_record``. Without a previous release every entry
    was added.
    """
    entries = ReleaseEntry.objects.filter(release=release)
    previous = ReleaseEntry.objects.filter(release=release.previous_id)
    if change == "removed":
        return previous.exclude(Exists(entries.filter(item_id=OuterRef("item_id"))))
    same_item = previous.filter(item_id=OuterRef("item_id"))
    if change == "added":
        return entries.exclude(Exists(same_item))
    in_both = entries.annotate(
        previous_revision=Subquery(same_item.values("revision_no")),
        previous_record=Subquery(same_item.values("record")),
    ).filter(previous_revision__isnull=False)
    return in_both.annotate(
        compared=_Without(F("record"), Value(_NOT_COMPARED)),
        compared_previous=_Without(F("previous_record"), Value(_NOT_COMPARED)),
    ).exclude(compared=F("compared_previous"))


def count_changes(release: Release) -> ChangeCounts | None:
    """Count the entries of each change; None without a previous release."""
    if release.previous_id is None:
        return None
    return {
        "added": changed_entries(release, "added").count(),
        "removed": changed_entries(release, "removed").count(),
        "changed": changed_entries(release, "changed").count(),
    }


def changes_of(release: Release) -> Iterator[Change]:
    """Yield every change of a frozen release in constant memory, sorted by change, then by ordinal."""
    if release.previous_id is None:
        return
    for change in rules.CHANGES:
        last = 0
        while batch := list(changed_entries(release, change).filter(ordinal__gt=last).order_by("ordinal")[:_BATCH]):
            yield from (_change(release, change, entry) for entry in batch)
            last = batch[-1].ordinal


def _change(release: Release, change: str, entry: Any) -> Change:
    removed = change == "removed"
    return {
        "label": entry.record["item"],
        "change": change,
        "revision": None if removed else entry.revision_no,
        "previous_revision": entry.revision_no if removed else getattr(entry, "previous_revision", None),
        "record": None if removed else entry.record,
        "previous_record": entry.record if removed else getattr(entry, "previous_record", None),
        "errata": (release.corrected or {}).get(entry.record["item"], []),
    }


def newest_frozen(release: Release) -> Release | None:
    """The newest other release of the kind that is frozen and not withdrawn; a freeze compares with it."""
    frozen = Release.objects.filter(benchmark=release.benchmark_id, kind=release.kind, state__in=states.WRITTEN)
    return frozen.exclude(pk=release.pk).order_by("-frozen_at", "-pk").first()


def inherited_option_seed(release: Release) -> int:
    """The seed by which the first frozen release of the kind orders options, withdrawn or not; without one its own."""
    earlier = Release.objects.filter(
        benchmark=release.benchmark_id, kind=release.kind, option_seed__isnull=False
    ).exclude(pk=release.pk)
    first = earlier.order_by("frozen_at", "pk").values_list("option_seed", flat=True).first()
    return release.seed if first is None else first


def change_page(
    person: Person, release_id: int, *, change: str, cursor: str | None = None, page_size: int
) -> ReleaseChangePage:
    """List the changes since the previous release, in the order of the records.

    Raises:
        NotFound, OperationNotAllowed.
    """
    release = access.release_for(person, release_id, "release_changes")
    rows = changed_entries(release, change) if release.previous_id else ReleaseEntry.objects.none()
    with_images = with_pictures(rows, "image_id").select_related("image__category", "item__team")
    entries, page = cut_page(with_images, by="ordinal", cursor=cursor, page_size=page_size)
    tree = tree_of(release.protocol_id, release.kind)
    return {"results": [_row(release, tree, change, entry) for entry in entries], **page}


def _row(release: Release, tree: RecordNode, change: str, entry: Any) -> ChangeRow:
    changed = _change(release, change, entry)
    image = picture(entry.image, entry.renditions)
    return {
        "label": label(release.kind, entry.item.number),
        "change": change,
        "revision": changed["revision"],
        "previous_revision": changed["previous_revision"],
        "image": {"label": image["label"], "thumb_url": image["thumb_url"]},
        "language": text_language(release.protocol_id, entry.item.team),
        "first_text": _first_text(tree, changed["record"]),
        "previous_text": _first_text(tree, changed["previous_record"]),
        "errata": changed["errata"],
    }


def _first_text(tree: RecordNode, record: dict[str, Any] | None) -> str | None:
    """The first text of a record; None without a record."""
    return None if record is None else first_text(tree, record)
