"""The only ways to get at pictures and their files."""

from __future__ import annotations

from collections.abc import Callable

from django.db.models import QuerySet

from curation.benchmarks.models import Benchmark
from curation.core.errors import NotFound
from curation.images.models import Image, Rendition
from curation.people.access import require
from curation.people.models import Person
from curation.people.rules import Reach


def images_visible_to(person: Person, benchmark: Benchmark, operation: str) -> QuerySet[Image]:
    """Pictures of a benchmark that the operation reaches: all, or those the person contributed.

    Raises:
        NotFound: The person takes no part in the benchmark.
        OperationNotAllowed: None of their roles opens the operation.
    """
    rows = Image.objects.filter(benchmark=benchmark)
    if require(person, benchmark.pk, operation) is Reach.ALL:
        return rows
    return rows.filter(contributor=person)


def image_for(
    person: Person, image_id: int, operation: str, *, lock: bool = False, rows: QuerySet[Image] | None = None
) -> Image:
    """One picture, when the operation reaches it; ``rows`` may bring annotations along in the same statement.

    Raises:
        NotFound: There is none, or it lies beyond the person's reach.
        OperationNotAllowed: None of their roles opens the operation.
    """
    found = Image.objects.all() if rows is None else rows
    found = found.select_related("benchmark__protocol", "category", "contributor")
    if lock:
        found = found.select_for_update(of=("self",), no_key=True)
    image = found.filter(pk=image_id).first()
    if image is None:
        raise NotFound
    if require(person, image.benchmark_id, operation) is not Reach.ALL and image.contributor_id != person.pk:
        raise NotFound
    return image


def lock_image_for(person: Person, image_id: int, operation: str) -> Image:
    """As :func:`image_for`, with the row locked until the transaction ends."""
    return image_for(person, image_id, operation, lock=True)


def rendition_for(
    person: Person, image_id: int, rendition_id: int, role: str, *, assigned: Callable[[Person, int], bool]
) -> Rendition:
    """A picture's file, when the person may see the picture.

    Staff see all, contributors their own, annotators what is in their packages; whether it is, is asked of
    ``assigned``, because packages lie above this room.

    Raises:
        NotFound: There is none, or it is not for this person; the two are answered alike.
    """
    rows = Rendition.objects.select_related("image")
    rendition = rows.filter(pk=rendition_id, image_id=image_id, role=role).first()
    if rendition is None or not person.knows(rendition.image.benchmark_id):
        raise NotFound
    match person.reach(rendition.image.benchmark_id, "media_show"):
        case Reach.ALL:
            return rendition
        case Reach.NONE:
            raise NotFound
        case reach:
            own = rendition.image.contributor_id == person.pk
            if own or (reach is Reach.ASSIGNED and assigned(person, image_id)):
                return rendition
            raise NotFound
