"""Which verdicts a person may learn."""

from __future__ import annotations

from django.db.models import Q

from curation.people.models import Person


def unseen_of_panels(person: Person) -> Q:
    """The condition on others' verdicts in open judgings: nobody learns them, whatever their role."""
    return Q(judging__isnull=False, judging__closed_at__isnull=True) & ~Q(judge=person)
