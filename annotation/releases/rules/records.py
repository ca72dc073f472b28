"""The form of a published item: its record, its picture's path, its bytes for digests and files."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Final

from annotation.kinds import categories
from annotation.kinds.registry import label
from annotation.releases.rules.inputs import (
    Candidate,
    Picture,
    Settings,
)
from curation.lib.canonical import canonical_json

CHANGES: Final = ("added", "removed", "changed")
# The field for the group of cultural distance of an item's category, as it was when the release was frozen. Scoring
# profiles break down by a field of this name.
DISTANCE: Final = "distance"
# What the names of fields for further dimensions begin with: ``axis_grade``.
AXIS: Final = "axis_"
PICTURES: Final = "images"  # the folder of pictures
_SOURCE: Final = ("kind", "url", "author")


def picture_path(picture: Picture, split: str) -> str:
    """Return a picture's path inside a release in CVLUE's form: split, subset, numbered category, numbered file.

    A picture without a category is under ``0-none``; one without a subset has no subset level.
    """
    extension = picture.key.rpartition(".")[2]
    number = picture.category_number if picture.category_number is not None else 0
    folder = f"{number}-{picture.category or 'none'}"
    subset, mark = (f"{picture.subset}/", f"{picture.subset}-") if picture.subset else ("", "")
    return f"{PICTURES}/{split}/{subset}{folder}/{mark}{number}-{picture.number}.{extension}"


def distance_of(candidate: Candidate, content: Mapping[str, Any], distances: Mapping[str, str]) -> str | None:
    """Return the group of an item's category, empty for none; None if no category of the benchmark has a group."""
    return distances.get(categories.category_of(content, candidate.picture.category), "") if distances else None


def occasional_fields(
    candidate: Candidate,
    settings: Settings,
    *,
    several: bool,
    distance: str | None = None,
    required: Collection[str] = (),
) -> dict[str, Any]:
    """Build the fields of a record that only some protocols call for.

    All records of a release have the same ones. Where nothing differs they are left out, so that a benchmark's records
    do not change between two versions of this program.

    Args:
        candidate: The item.
        settings: The protocol's release settings.
        several: Whether a picture may have several items of the kind.
        distance: The group of cultural distance of its category, empty for none; None if no category has a group.
        required: Fields that one of the release's formats needs, whatever the protocol.
    """
    picture = candidate.picture
    language = picture.origin.language if settings.language == "team" else settings.language
    languages = picture.origin._asdict() | {"language": language, "translation_language": settings.translation}
    research_only = picture.declared_research_only or picture.licensed_research_only
    groups: list[tuple[bool, dict[str, Any]]] = [
        (several, {"slot": candidate.slot}),
        (settings.names_languages, languages),
        (settings.licences_differ, {"research_only": research_only}),
        (distance is not None, {DISTANCE: distance}),
        (bool(settings.axes), {f"{AXIS}{axis}": picture.axes.get(axis, "") for axis in settings.axes}),
    ]
    return {
        name: value for called_for, fields in groups for name, value in fields.items() if called_for or name in required
    }


def record(
    candidate: Candidate,
    content: Mapping[str, Any],
    *,
    kind: str,
    split: str,
    protocol_version: int,
    occasional: Mapping[str, Any] | None = None,
    names_contributors: bool = False,
) -> dict[str, Any]:
    """Build one record of the published data: the item's content and its origin.

    Records have only numbers that people know from the benchmark, no row ids, and no person except the author that a
    picture's licence requires to name. They do not have the release's number, so that equal content has equal bytes in
    every release.

    ``names_contributors``: people who took a picture themselves and named no author are its author, as the page of
    uploads says.
    """
    p = candidate.picture
    source = {name: str(p.source.get(name) or "") for name in _SOURCE}
    if names_contributors and source["kind"] == "own":
        source["author"] = source["author"] or p.contributor
    facts = {
        "id": p.number,
        "label": p.label,
        "item": label(kind, candidate.item_number),
        "revision": candidate.revision_no,
        "image": picture_path(p, split),
        "image_sha256": p.sha256,
        "width": p.width,
        "height": p.height,
        categories.FIELD: categories.category_of(content, p.category),
        "subset": p.subset,
        "licence": p.licence,
        "source": source,
        "split": split,
        "protocol_version": protocol_version,
        **(occasional or {}),
    }
    own = {name: value for name, value in content.items() if name != categories.FIELD}
    if clash := facts.keys() & own.keys():
        raise ValueError(f"content of {kind} uses names of the record: {sorted(clash)}")
    return facts | own


def canonical(record: Mapping[str, Any]) -> bytes:
    """Encode a record as UTF-8 JSON with sorted keys and no blanks, and a line feed at the end."""
    return canonical_json(record) + b"\n"
