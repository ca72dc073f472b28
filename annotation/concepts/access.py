"""Access to concepts: people who see a picture in their work, and those who see all pictures."""

from __future__ import annotations

from annotation.concepts.models import Concept
from annotation.tracks.access import holds_picture
from curation.core.errors import NotFound
from curation.core.operations import Reach
from curation.images.models import Image, hidden_from
from curation.people.access import require
from curation.people.models import Person


def image_for(person: Person, image_id: int, operation: str, *, kind: str | None = None, lock: bool = False) -> Image:
    """Fetch a picture whose concepts the operation reaches.

    Args:
        person: The person.
        image_id: The picture.
        operation: The operation.
        kind: The kind of work that it belongs to; None for any.
        lock: Whether the picture is locked until the transaction ends.

    Raises:
        NotFound: There is none, it was withdrawn, or the person does not see it in their work.
        OperationNotAllowed.
    """
    rows = Image.objects.exclude(state=Image.State.WITHDRAWN).select_related("benchmark", "team")
    if lock:
        rows = rows.select_for_update(of=("self",), no_key=True)
    image = rows.filter(pk=image_id).exclude(hidden_from(person.pk)).first()
    if image is None:
        raise NotFound
    reach = require(person, image.benchmark_id, operation, kind)
    if reach is not Reach.ALL and not holds_picture(person, image_id):
        raise NotFound
    return image


def may_retire(person: Person, concept: Concept, benchmark_id: int) -> bool:
    """Return whether a person may retire a concept of a picture that they see.

    They may retire their own, and any if they inspect or administer.
    """
    reach = person.reach(benchmark_id, "concept_retire")
    return reach is Reach.ALL or (reach is not Reach.NONE and concept.author_id == person.pk)
