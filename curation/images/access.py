"""Access to pictures, their files and uploads: rows that a person may see or change."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final
from uuid import UUID

from django.db.models import QuerySet

from curation.benchmarks.models import Benchmark
from curation.core.errors import NotFound
from curation.core.operations import Reach
from curation.core.shapes import PersonBrief
from curation.core.transitions import available_actions, relations_for
from curation.images.models import Image, Rendition, Upload, current_renditions, hidden_from
from curation.images.states import TABLE, TICKS, Relation
from curation.people.access import brief_for, made_within, names_visible, reaches, require
from curation.people.models import Person

_OF_TICKS: Final = frozenset(row.operation for row in TICKS.values())


def images_visible_to(person: Person, benchmark: Benchmark, operation: str) -> QuerySet[Image]:
    """Return the pictures that the operation reaches: all, or those that the person contributed or their teams have.

    Raises:
        NotFound: The person takes no part in the benchmark.
        OperationNotAllowed: None of their roles allows the operation.
    """
    reach = require(person, benchmark.pk, operation)
    rows = Image.objects.filter(made_within(person, benchmark.pk, reach, "contributor", "team"), benchmark=benchmark)
    return rows.exclude(hidden_from(person.pk))


def image_for(
    person: Person, image_id: int, operation: str, *, lock: bool = False, rows: QuerySet[Image] | None = None
) -> Image:
    """Return one picture if the operation reaches it; ``rows`` may add annotations to the same statement.

    Raises:
        NotFound: There is none, or it is beyond the person's reach.
        OperationNotAllowed: None of their roles allows the operation.
    """
    rows = Image.objects.all() if rows is None else rows
    rows = rows.select_related("benchmark__protocol", "category", "contributor")
    if lock:
        rows = rows.select_for_update(of=("self",), no_key=True)
    image = rows.filter(pk=image_id).exclude(hidden_from(person.pk)).first()
    if image is None:
        raise NotFound
    check_reach(person, image, operation)
    return image


def check_reach(person: Person, image: Image, operation: str) -> None:
    """Check that the operation reaches a picture that was fetched.

    Raises:
        NotFound, OperationNotAllowed.
    """
    reach = require(person, image.benchmark_id, operation)
    if not reaches(person, image.benchmark_id, reach, image.contributor_id, image.team_id):
        raise NotFound


def contributor_for(person: Person, image: Any) -> PersonBrief | None:
    """Return the contributor of a picture with the protocol's ``tracks``; None if these hide names from the person."""
    show_names = names_visible(person, image.benchmark_id, {"tracks": image.tracks})
    return brief_for(person, image.contributor, show_names=show_names)


def may_see(person: Person, image: Image) -> bool:
    """Return whether a person may open a picture's page."""
    reach = person.reach(image.benchmark_id, "image_show")
    return reaches(person, image.benchmark_id, reach, image.contributor_id, image.team_id)


def relations(person: Person, image: Image) -> set[Relation]:
    """Return the person's relations to a picture, as the state tables name them."""
    held = {Relation.CONTRIBUTOR if image.contributor_id == person.pk else Relation.NOT_CONTRIBUTOR}
    if person.reach(image.benchmark_id, "image_cover") is Reach.ALL:
        held.add(Relation.CURATOR)
    return held


def has_relation(person: Person, image: Image, operation: str) -> bool:
    """Return whether a person has the relations that the state table requires; no one judges their own picture."""
    return relations(person, image).issuperset(relations_for(TABLE, operation, image.state))


def may_tick(person: Person, image: Image, operation: str) -> bool:
    """Return whether the person has the relations that the table of ticks requires for an operation now."""
    return relations(person, image).issuperset(relations_for(TICKS, operation, image.tick))


def actions(person: Person, image: Image, *, shares: bool = False) -> list[str]:
    """Return the operations that a person may do on a picture now.

    Args:
        person: The person.
        image: The picture.
        shares: Whether the protocol lets contributors tick their own pictures.
    """
    held = relations(person, image)
    open_ticks = available_actions(TICKS, image.tick, may=lambda _: True, relations=held)

    def may(operation: str) -> bool:
        if operation in _OF_TICKS and operation not in open_ticks:
            return False
        if operation == "image_share" and not shares:
            return False
        reach = person.reach(image.benchmark_id, operation)
        return reach is Reach.ALL or (reach is not Reach.NONE and Relation.CONTRIBUTOR in held)

    return available_actions(TABLE, image.state, may=may, relations=held)


def lock_image_for(person: Person, image_id: int, operation: str) -> Image:
    """Return the picture of :func:`image_for`, with its row locked until the transaction ends."""
    return image_for(person, image_id, operation, lock=True)


def rendition_for(
    person: Person, image_id: int, rendition_id: int, role: str, *, assigned: Callable[[Person, int], bool]
) -> Rendition:
    """Return a current file of a picture if the person may see the picture.

    Only its contributor and curators see a picture that nobody ticked yet. Staff see all others, contributors their
    own, annotators those in their packages. Packages are above this room,
    so the caller passes ``assigned``, which returns whether a picture is in a person's packages.

    Raises:
        NotFound: There is none, or the person may not see it.
    """
    rows = Rendition.objects.select_related("image__benchmark")
    rows = rows.filter(current_renditions(), pk=rendition_id, image_id=image_id, role=role)
    rendition = rows.exclude(hidden_from(person.pk, "image_id")).first()
    if rendition is None or not person.knows(rendition.image.benchmark_id):
        raise NotFound
    reach, image = person.reach(rendition.image.benchmark_id, "media_show"), rendition.image
    if image.tick == "unticked" and not sees_unticked(person, image):
        raise NotFound
    if reach is Reach.ALL:
        return rendition
    # Only staff see a withdrawn picture, not even its contributor.
    if image.state == Image.State.WITHDRAWN:
        raise NotFound
    if reaches(person, image.benchmark_id, reach, image.contributor_id, image.team_id):
        return rendition
    if person.has_exact_reach(image.benchmark_id, "media_show", Reach.ASSIGNED) and assigned(person, image_id):
        return rendition
    raise NotFound


def sees_unticked(person: Person, image: Image) -> bool:
    """Return whether a person may see a picture before its tick: its contributor, and those who cover and tick."""
    return reaches(person, image.benchmark_id, person.reach(image.benchmark_id, "image_cover"), image.contributor_id)


def caching_of(image: Image, caching: str = "max-age=86400, immutable") -> str:
    """Return how long browsers may keep the files of a picture, as in ``Cache-Control``.

    A day at most, because something in it may be covered later; a picture that nobody looked at yet is never kept.
    """
    return "no-store" if image.tick == "unticked" else caching


def upload_for(person: Person, upload_id: UUID, operation: str, *, lock: bool = False) -> Upload:
    """Return one of the person's own uploads, with its benchmark and protocol.

    Raises:
        NotFound: The person has no such upload.
        OperationNotAllowed: They may not upload there any more.
    """
    rows = Upload.objects.select_related("benchmark__protocol")
    if lock:
        rows = rows.select_for_update(of=("self",), no_key=True)
    upload = rows.filter(pk=upload_id, person=person).first()
    if upload is None:
        raise NotFound
    require(person, upload.benchmark_id, operation)
    return upload


def uploads_of(person: Person, benchmark: Benchmark, operation: str) -> QuerySet[Upload]:
    """Return the person's own uploads to a benchmark.

    Raises:
        NotFound, OperationNotAllowed: See :func:`upload_for`.
    """
    require(person, benchmark.pk, operation)
    return Upload.objects.filter(person=person, benchmark=benchmark)
