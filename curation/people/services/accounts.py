"""Accounts: made, and what people choose about their own."""

from __future__ import annotations

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from curation.benchmarks.rules import OWNER
from curation.core import audit
from curation.people.errors import PasswordTooWeak, UsernameTaken
from curation.people.models import Person, RoleGrant


@transaction.atomic
def create_owner(*, username: str, name: str, password: str) -> Person:
    """Make the account that may create benchmarks; only from the command line.

    Raises:
        UsernameTaken, PasswordTooWeak.
    """
    person = make_person(username=username, name=name, password=password)
    RoleGrant.objects.create(person=person, role=OWNER)
    audit.record(action="create_owner", target_type="person", target_id=person.pk, actor_id=None, benchmark_id=None)
    return person


@transaction.atomic
def change_oneself(*, person: Person, language: str | None = None, name: str | None = None) -> None:
    """Choose the interface's language, or the name that colleagues see; what is None stays.

    A new name goes on record without either name: the trail is never rewritten, and somebody may want theirs gone.
    """
    changed = {"language": language, "name": None if name == person.name else name}
    given = {field: value for field, value in changed.items() if value is not None}
    if not given:
        return
    Person.objects.filter(pk=person.pk).update(**given)
    for field, value in given.items():
        setattr(person, field, value)
    if "name" in given:
        audit.record(action="rename", target_type="person", target_id=person.pk, actor_id=person.pk, benchmark_id=None)


def make_person(*, username: str, name: str, password: str, language: str = "zh-Hans") -> Person:
    """Make an account without roles; the caller records why.

    Raises:
        UsernameTaken, PasswordTooWeak.
    """
    check_password(password)
    try:
        with transaction.atomic():
            return Person.objects.create_person(username=username, name=name, password=password, language=language)
    except IntegrityError as error:
        raise UsernameTaken(username=username) from error


def check_password(password: str) -> None:
    """Refuse short and common passwords.

    Raises:
        PasswordTooWeak.
    """
    try:
        validate_password(password)
    except ValidationError as error:
        raise PasswordTooWeak(reasons=[str(e.code) for e in error.error_list]) from error
