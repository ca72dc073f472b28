"""Access to drafts: they belong to a picture, as its concepts do, and to the work on multiple choice."""

from __future__ import annotations

from typing import Final

from annotation.concepts import access as concepts
from annotation.drafting.models import Drafting
from curation.core.errors import NotFound
from curation.images.models import Image
from curation.people.models import Person

KIND: Final = "multiple_choice"


def image_for(person: Person, image_id: int, operation: str) -> Image:
    """Fetch a picture whose drafts the operation reaches.

    Raises:
        NotFound, OperationNotAllowed: As for concepts; a role for another kind does not count.
    """
    return concepts.image_for(person, image_id, operation, kind=KIND)


def lock_drafting_for(person: Person, drafting_id: int, operation: str) -> Drafting:
    """Lock a draft of a picture that the operation reaches, until the transaction ends.

    Raises:
        NotFound, OperationNotAllowed.
    """
    row = Drafting.objects.filter(pk=drafting_id).first()
    if row is None:
        raise NotFound
    image_for(person, row.image_id, operation)
    return Drafting.objects.select_for_update(of=("self",), no_key=True).get(pk=drafting_id)
