"""The changes of a release, kind by kind, since the previous one with the kind: items added, removed or changed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from django.db.models import Case, Exists, F, Func, JSONField, OuterRef, QuerySet, Subquery, Value, When
from typing_extensions import TypedDict

from annotation.items.queries import picture, text_language, tree_of, with_pictures
from annotation.kinds.registry import label
from annotation.kinds.texts import first_text
from annotation.kinds.tree import RecordNode
from annotation.releases import access, rules, states
from annotation.releases.models import Release, ReleaseEntry, ReleaseKind
from annotation.releases.queries.snapshots import kinds_of
from annotation.releases.shapes import ChangeCounts, ChangeRow, ReleaseChangePage
from curation.core.pages import cut_page
from curation.people.models import Person

# Records that differ only in the protocol's version, or in what is drawn from all items, are equal.
_NOT_COMPARED: Final = ("protocol_version", rules.CANDIDATES)
# The group of cultural distance is compared only if the previous record has it: older releases have no such field.
_COMPARED_DISTANCE: Final = Case(
    When(previous_record__has_key=rules.DISTANCE, then=Value("")), default=Value(rules.DISTANCE)
)
_BATCH: Final = 500  # rows in memory at a time


class Change(TypedDict):
    """A change; ``record`` and ``previous_record`` are the published records after and before it, None without one.

    ``errata`` are the numbers of the confirmed errata that it corrects.
    """

    kind: str
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


def changed_entries(own: ReleaseKind, change: str) -> QuerySet[Any]:
    """Entries of a kind that were added, removed (these are the previous release's) or whose record differs.

    Entries of ``changed`` have ``previous_revision`` and ``previous_record``. Without a previous release every entry
    was added.
    """
    entries = ReleaseEntry.objects.filter(release=own.release_id, kind=own.kind)
    previous = ReleaseEntry.objects.filter(release=own.previous_id, kind=own.kind)
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
        compared=_Without(F("record"), *map(Value, _NOT_COMPARED), _COMPARED_DISTANCE),
        compared_previous=_Without(F("previous_record"), *map(Value, _NOT_COMPARED)),
    ).exclude(compared=F("compared_previous"))


def count_changes(own: ReleaseKind) -> ChangeCounts | None:
    """Count the entries of each change of a kind; None without a previous release."""
    if own.previous_id is None:
        return None
    return {
        "added": changed_entries(own, "added").count(),
        "removed": changed_entries(own, "removed").count(),
        "changed": changed_entries(own, "changed").count(),
    }


def total_changes(kinds: Sequence[ReleaseKind]) -> ChangeCounts | None:
    """Add up the changes of kinds; None if none has a previous release."""
    counts = [own.changes for own in kinds if own.changes is not None]
    if not counts:
        return None
    return {
        "added": sum(n["added"] for n in counts),
        "removed": sum(n["removed"] for n in counts),
        "changed": sum(n["changed"] for n in counts),
    }


def changes_of(release: Release) -> Iterator[Change]:
    """Yield every change of a frozen release in constant memory: kind by kind, sorted by change, then by ordinal."""
    for own in kinds_of(release):
        if own.previous_id is None:
            continue
        for change in rules.CHANGES:
            last = 0
            while batch := list(changed_entries(own, change).filter(ordinal__gt=last).order_by("ordinal")[:_BATCH]):
                yield from (_change(release, change, entry) for entry in batch)
                last = batch[-1].ordinal


def _change(release: Release, change: str, entry: Any) -> Change:
    removed = change == "removed"
    return {
        "kind": entry.kind,
        "label": entry.record["item"],
        "change": change,
        "revision": None if removed else entry.revision_no,
        "previous_revision": entry.revision_no if removed else getattr(entry, "previous_revision", None),
        "record": None if removed else entry.record,
        "previous_record": entry.record if removed else getattr(entry, "previous_record", None),
        "errata": (release.corrected or {}).get(entry.record["item"], []),
    }


def newest_frozen(release: Release, kind: str) -> Release | None:
    """The newest other release with a kind that is frozen and not withdrawn; a freeze compares with it."""
    frozen = Release.objects.filter(benchmark=release.benchmark_id, kinds__kind=kind, state__in=states.WRITTEN)
    return frozen.exclude(pk=release.pk).order_by("-frozen_at", "-pk").first()


def inherited_option_seed(release: Release, kind: str) -> int:
    """The seed by which the first frozen release with a kind orders options, withdrawn or not; without one its own."""
    earlier = ReleaseKind.objects.filter(
        release__benchmark=release.benchmark_id, kind=kind, option_seed__isnull=False
    ).exclude(release=release)
    first = earlier.order_by("release__frozen_at", "release").values_list("option_seed", flat=True).first()
    return release.seed if first is None else first


def change_page(
    person: Person,
    release_id: int,
    *,
    change: str,
    kind: str | None = None,
    cursor: str | None = None,
    page_size: int,
) -> ReleaseChangePage:
    """List the changes of a kind since the previous release with it, in the order of the records.

    Without a kind they are those of the release's first kind.

    Raises:
        NotFound: The release does not hold the kind, or there is no such release.
        OperationNotAllowed.
    """
    release = access.release_for(person, release_id, "release_changes")
    own = access.kind_in(release, kind)
    rows = changed_entries(own, change) if own.previous_id else ReleaseEntry.objects.none()
    with_images = with_pictures(rows, "image_id").select_related("image__category", "item__team")
    entries, page = cut_page(with_images, by="ordinal", cursor=cursor, page_size=page_size)
    tree = tree_of(release.protocol_id, own.kind)
    return {"results": [_row(release, tree, change, entry) for entry in entries], **page}


def _row(release: Release, tree: RecordNode, change: str, entry: Any) -> ChangeRow:
    changed = _change(release, change, entry)
    image = picture(entry.image, entry.renditions)
    return {
        "label": label(entry.kind, entry.item.number),
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
