"""Access to drafts: they belong to a picture, as its concepts do."""

from __future__ import annotations

from annotation.concepts.access import image_for
from annotation.drafting.models import Drafting
from curation.core.errors import NotFound
from curation.people.models import Person


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
