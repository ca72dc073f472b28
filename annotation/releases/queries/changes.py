"""How a release differs from the one before it: what came in, what went, what reads otherwise now."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from django.db.models import Exists, F, Func, JSONField, OuterRef, QuerySet, Subquery, Value

from annotation.items.queries import picture, with_pictures
from annotation.kinds.registry import KINDS, label
from annotation.releases import access
from annotation.releases.models import Release, ReleaseEntry
from curation.core.pages import page
from curation.people.models import Person

CHANGES: Final = ("added", "removed", "changed")
# A new version of the protocol is no change of what a record says.
_NOT_COMPARED: Final = "protocol_version"
_STANDING: Final = (Release.State.FROZEN, Release.State.PUBLISHED)
_AT_ONCE: Final = 500  # rows held at once


class _Without(Func):
    """A JSON object without one of its keys."""

    template = "(%(expressions)s)"
    arg_joiner = " - "
    output_field = JSONField()


def entries_changed(release: Release, change: str) -> QuerySet[Any]:
    """Entries that came in, that went (these are the earlier release's) or whose record is another one now.

    Entries of ``changed`` carry ``previous_revision`` and ``previous_record``. Without an earlier release everything
    came in.
    """
    now = ReleaseEntry.objects.filter(release=release)
    before = ReleaseEntry.objects.filter(release=release.previous_id)
    if change == "removed":
        return before.exclude(Exists(now.filter(item_id=OuterRef("item_id"))))
    same = before.filter(item_id=OuterRef("item_id"))
    if change == "added":
        return now.exclude(Exists(same))
    both = now.annotate(
        previous_revision=Subquery(same.values("revision_no")),
        previous_record=Subquery(same.values("record")),
    ).filter(previous_revision__isnull=False)
    return both.annotate(
        compared=_Without(F("record"), Value(_NOT_COMPARED)),
        compared_before=_Without(F("previous_record"), Value(_NOT_COMPARED)),
    ).exclude(compared=F("compared_before"))


def count_changes(release: Release) -> dict[str, int] | None:
    """How many entries there are of each change; None without an earlier release."""
    if release.previous_id is None:
        return None
    return {change: entries_changed(release, change).count() for change in CHANGES}


def changes_of(release: Release) -> Iterator[dict[str, Any]]:
    """Every change of a frozen release in constant memory, those of each kind by the order of their release.

    ``record`` and ``previous_record`` are the published lines after and before, None where there is none.
    """
    if release.previous_id is None:
        return
    for change in CHANGES:
        last = 0
        while batch := list(entries_changed(release, change).filter(ordinal__gt=last).order_by("ordinal")[:_AT_ONCE]):
            yield from (_change(change, entry) for entry in batch)
            last = batch[-1].ordinal


def _change(change: str, entry: Any) -> dict[str, Any]:
    gone = change == "removed"
    before = entry if gone else None
    return {
        "label": entry.record["item"],
        "change": change,
        "revision": None if gone else entry.revision_no,
        "previous_revision": before.revision_no if before else getattr(entry, "previous_revision", None),
        "record": None if gone else entry.record,
        "previous_record": before.record if before else getattr(entry, "previous_record", None),
    }


def newest_frozen(release: Release) -> Release | None:
    """The newest release of the kind that stands, which this one is compared with."""
    standing = Release.objects.filter(benchmark=release.benchmark_id, kind=release.kind, state__in=_STANDING)
    return standing.exclude(pk=release.pk).order_by("-frozen_at", "-pk").first()


def changes_page(person: Person, release_id: int, *, change: str, cursor: str | None, page_size: int) -> dict[str, Any]:
    """A page of what changed since the release before, in the order of the records.

    Raises:
        NotFound, OperationNotAllowed.
    """
    release = access.release_for(person, release_id, "release_changes")
    rows = entries_changed(release, change) if release.previous_id else ReleaseEntry.objects.none()
    pictured = with_pictures(rows, "image_id").select_related("image__category", "item")
    found = page(pictured, by="ordinal", cursor=cursor, page_size=page_size)
    return found | {"results": [_row(release.kind, change, entry) for entry in found["results"]]}


def _row(kind: str, change: str, entry: Any) -> dict[str, Any]:
    told = _change(change, entry)
    shown = picture(entry.image, entry.renditions)
    return {
        "label": label(kind, entry.item.number),
        "change": change,
        "revision": told["revision"],
        "previous_revision": told["previous_revision"],
        "image": {"label": shown["label"], "thumb_url": shown["thumb_url"]},
        "first_text": _first_text(kind, told["record"]),
        "previous_text": _first_text(kind, told["previous_record"]),
    }


def _first_text(kind: str, record: dict[str, Any] | None) -> str | None:
    """The first text of a record; None where there is no record."""
    if record is None:
        return None
    texts = KINDS[kind].texts({name: record[name] for name in KINDS[kind].columns})
    return next(iter(next(iter(texts.values()), [])), "")
