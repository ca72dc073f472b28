"""Answers about people, roles, teams, links, consent, notices and the audit log."""

from __future__ import annotations

from curation.core.shapes import PersonBrief
from curation.people.models import Person


def person_brief(person: Person) -> PersonBrief:
    """A person as other pages name them."""
    return {"id": person.pk, "name": person.name}
