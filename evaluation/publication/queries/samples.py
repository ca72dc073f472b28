"""The items of a public release that everybody may look at, and their pictures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.db.models import Q, QuerySet

from annotation.items.queries import tree_of, with_pictures
from annotation.kinds.registry import label
from annotation.releases.models import Release, ReleaseEntry
from curation.core.errors import NotFound
from curation.images.models import Image, Rendition, current_renditions
from evaluation.publication.errors import NoLongerPublic
from evaluation.publication.queries.releases import facts
from evaluation.publication.rules import Part, Settings, parts_of, public_record, sample_ordinals

# Reduced sizes only: the full picture is in the files, under their terms.
ROLES: Final = (Rendition.Role.VIEW, Rendition.Role.THUMB)


@dataclass(frozen=True, slots=True)
class Sample:
    """An item that everybody may look at.

    Attributes:
        label: The item's name.
        text: Its first text; empty where the answer is withheld, and for kinds without texts.
        category: The category's code.
        width: Of the picture, in pixels; places on it are in the same.
        height: Likewise.
        files: The addresses of its picture below the release's, by role; those that exist.
        lang: The language of ``text``.
        record: What its page shows of the published record.
    """

    label: str
    kind: str
    image: str
    split: str
    category: str
    text: str
    lang: str
    dir: str
    files: Mapping[str, str]
    width: int
    height: int
    parts: list[Part]
    record: Mapping[str, Any]
    answers: bool


#: Pictures that were withdrawn, and those whose tick was taken off and that no other person has ticked since.
_HIDDEN: Final = Q(image__state=Image.State.WITHDRAWN) | Q(image__clear_no=None)


def _ordinals(release: Release, settings: Settings) -> list[int]:
    return [
        ordinal
        for own in facts(release).whole.kinds
        for split in own.splits
        if split.name in settings.splits
        for ordinal in sample_ordinals(release.seed, split.name, split.rows, settings.per_split)
    ]


def _entries(release: Release, settings: Settings) -> QuerySet[ReleaseEntry]:
    return ReleaseEntry.objects.filter(release=release, ordinal__in=_ordinals(release, settings))


def samples(release: Release, settings: Settings) -> list[Sample]:
    """All samples in the order of the release, without those whose picture is not shown now."""
    if not settings.splits:
        return []
    rows = _entries(release, settings).exclude(_HIDDEN)
    entries = with_pictures(rows.select_related("item", "image").order_by("ordinal"), "image_id")
    return [_sample(release, settings, entry) for entry in entries]


def sample(release: Release, settings: Settings, item: str) -> tuple[Sample, str, str]:
    """One sample by its item's name, with the names of the one before and the one after it; empty at the ends.

    Raises:
        NoLongerPublic: Its picture is not shown now.
        NotFound.
    """
    public = samples(release, settings)
    for n, one in enumerate(public):
        if one.label == item:
            before = public[n - 1].label if n else ""
            return one, before, public[n + 1].label if n + 1 < len(public) else ""
    if settings.splits and any(
        label(kind, number) == item for kind, number in _entries(release, settings).values_list("kind", "item__number")
    ):
        raise NoLongerPublic(label=item)
    raise NotFound


def is_sample(release: Release, item_id: int) -> bool:
    """Whether the samples of a public release show an item."""
    protocol = release.benchmark.protocol
    settings = Settings.of(protocol.content if protocol else {})
    if not settings.splits:
        return False
    rows = _entries(release, settings).filter(item=item_id)
    return rows.exclude(_HIDDEN).exists()


def _sample(release: Release, settings: Settings, entry: Any) -> Sample:
    record = entry.record
    withheld = {split.name for split in facts(release).whole.splits if split.withheld}
    tree = tree_of(release.protocol_id, entry.kind, str(record.get("language") or ""))
    answers = settings.answers and entry.split not in withheld
    public = public_record(tree, record, answers=answers)
    parts = parts_of(tree, public)
    first = next((part for part in parts if not part.is_category), Part("", 0, ""))
    return Sample(
        label=label(entry.kind, entry.item.number),
        kind=entry.kind,
        image=entry.image.label,
        split=entry.split,
        category=record.get("category") or "",
        text=first.text,
        lang=first.lang,
        dir=first.dir,
        files=_files(entry.image.number, entry.renditions),
        width=record.get("width", entry.image.width),
        height=record.get("height", entry.image.height),
        parts=parts,
        record=public,
        answers=answers,
    )


def _files(number: int, renditions: list[dict[str, Any]]) -> dict[str, str]:
    """The addresses of the newest version of each role; rows are in the order of versions."""
    return {
        row["role"]: f"pictures/{number}-{row['role']}-{row['id']}.{row['key'].rpartition('.')[2]}"
        for row in renditions
        if row["role"] in ROLES
    }


def picture(release: Release, settings: Settings, *, number: int, role: str, rendition: int) -> Rendition:
    """A reduced picture of a sample; read at every request, so that a withdrawn one is refused at once.

    Raises:
        NoLongerPublic: It was withdrawn, or covered and not looked at again.
        NotFound: It is not in a sample, or not in this size.
    """
    if not settings.splits or role not in ROLES:
        raise NotFound
    entry = _entries(release, settings).filter(image__number=number).select_related("image").first()
    if entry is None:
        raise NotFound
    if _entries(release, settings).filter(_HIDDEN, pk=entry.pk).exists():
        raise NoLongerPublic(label=entry.image.label)
    files = Rendition.objects.filter(current_renditions(), pk=rendition, image=entry.image, role=role)
    result = files.select_related("image__benchmark").first()
    if result is None:
        raise NotFound
    return result
