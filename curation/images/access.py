"""The only ways to get at pictures and their files."""

from __future__ import annotations

from collections.abc import Callable
from uuid import UUID

from django.db.models import QuerySet

from curation.benchmarks.models import Benchmark
from curation.core.errors import NotFound
from curation.core.operations import Reach
from curation.core.transitions import available_actions, relations_for
from curation.images.models import Image, Rendition, Upload
from curation.images.states import TABLE, Relation
from curation.people.access import made_within, reaches, require
from curation.people.models import Person


def images_visible_to(person: Person, benchmark: Benchmark, operation: str) -> QuerySet[Image]:
    """Pictures of a benchmark that the operation reaches: all, or those the person or their team contributed.

    Raises:
        NotFound: The person takes no part in the benchmark.
        OperationNotAllowed: None of their roles opens the operation.
    """
    reach = require(person, benchmark.pk, operation)
    return Image.objects.filter(made_within(person, benchmark.pk, reach, "contributor"), benchmark=benchmark)


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
    reach = require(person, image.benchmark_id, operation)
    if not reaches(person, image.benchmark_id, reach, image.contributor_id):
        raise NotFound
    return image


def relations(person: Person, image: Image) -> set[Relation]:
    """How somebody relates to a picture."""
    return {Relation.CONTRIBUTOR if image.contributor_id == person.pk else Relation.NOT_CONTRIBUTOR}


def has_relation(person: Person, image: Image, operation: str) -> bool:
    """Whether somebody has the relations to a picture that the state table asks for; nobody judges their own."""
    return relations(person, image).issuperset(relations_for(TABLE, operation, image.state))


def actions(person: Person, image: Image) -> list[str]:
    """The operations that a person may do on a picture now."""
    theirs = relations(person, image)

    def may(operation: str) -> bool:
        if operation == "image_clear" and image.pii_clear_by_id is not None:
            return False  # done before
        reach = person.reach(image.benchmark_id, operation)
        return reach is Reach.ALL or (reach is not Reach.NONE and Relation.CONTRIBUTOR in theirs)

    return available_actions(TABLE, image.state, may=may, relations=theirs)


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
    reach, image = person.reach(rendition.image.benchmark_id, "media_show"), rendition.image
    if reach is Reach.ALL:
        return rendition
    # What was taken down is the staff's to look at, not even its contributor's any more.
    if image.state == Image.State.WITHDRAWN:
        raise NotFound
    if reaches(person, image.benchmark_id, reach, image.contributor_id):
        return rendition
    if person.reaches_just(image.benchmark_id, "media_show", Reach.ASSIGNED) and assigned(person, image_id):
        return rendition
    raise NotFound


def upload_for(person: Person, upload_id: UUID, operation: str, *, lock: bool = False) -> Upload:
    """One of the person's own uploads, with its benchmark and protocol.

    Raises:
        NotFound: There is none of theirs.
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
    """The person's own uploads to a benchmark.

    Raises:
        NotFound, OperationNotAllowed: See :func:`upload_for`.
    """
    require(person, benchmark.pk, operation)
    return Upload.objects.filter(person=person, benchmark=benchmark)
