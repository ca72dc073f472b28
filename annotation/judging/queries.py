"""Which verdicts a person may learn."""

from __future__ import annotations

from django.db.models import Q

from annotation.judging.models import SETTLED
from curation.people.models import Person


def unseen_of_panels(person: Person) -> Q:
    """The condition on others' verdicts in judgings that are open, or were dropped: nobody learns them.

    A dropped judging never became complete, and the same people may judge the next one.
    """
    return Q(judging__isnull=False) & ~Q(judging__outcome__in=SETTLED) & ~Q(judge=person)
