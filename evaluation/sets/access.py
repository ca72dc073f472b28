"""Who may read and make item sets."""

from __future__ import annotations

from django.db.models import QuerySet

from curation.core.errors import NotFound
from curation.people import access as people
from curation.people.models import Person
from evaluation.sets.models import ItemSet, SetPicture


def sets_visible_to(person: Person, slug: str, operation: str) -> QuerySet[ItemSet]:
    """A benchmark's item sets.

    Raises:
        NotFound: No such benchmark, or the person takes no part in it.
        OperationNotAllowed: None of their roles opens the operation.
    """
    benchmark = people.benchmark_for(person, slug, operation)
    return ItemSet.objects.filter(benchmark=benchmark).select_related("created_by", "release")


def set_for(person: Person, set_id: int, operation: str, *, lock: bool = False) -> ItemSet:
    """One item set; ``lock`` locks its row until the transaction ends.

    Raises:
        NotFound: There is none, or the person takes no part in its benchmark.
        OperationNotAllowed: No role of theirs opens the operation.
    """
    rows = ItemSet.objects.select_related("created_by", "benchmark", "release")
    if lock:
        rows = rows.select_for_update(of=("self",), no_key=True)
    row = rows.filter(pk=set_id).first()
    if row is None:
        raise NotFound
    people.require(person, row.benchmark_id, operation)
    return row


def picture_for(person: Person, set_id: int, picture_id: int) -> SetPicture:
    """A picture of an item set, for its bytes.

    Raises:
        NotFound: There is none, or the person takes no part in its benchmark.
        OperationNotAllowed: No role of theirs opens the operation.
    """
    row = SetPicture.objects.filter(pk=picture_id, set=set_for(person, set_id, "set_picture")).first()
    if row is None:
        raise NotFound
    return row
