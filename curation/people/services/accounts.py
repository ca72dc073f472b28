"""Creating accounts, and what people change about their own."""

from __future__ import annotations

from django.contrib.auth.models import AnonymousUser
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from curation.benchmarks.rules import OWNER
from curation.core.decisions import Decision
from curation.core.errors import InvalidInput
from curation.people.errors import PasswordTooWeak, UsernameTaken
from curation.people.models import Person, RoleGrant


@transaction.atomic
def create_owner(*, username: str, name: str, password: str) -> Person:
    """Create the account that may create benchmarks; only from the command line.

    Raises:
        UsernameTaken, PasswordTooWeak.
    """
    person = create_account(username=username, name=name, password=password)
    RoleGrant.objects.create(person=person, role=OWNER)
    Decision(actor_id=None, action="create_owner", row=person, client_key=None).record()
    return person


@transaction.atomic
def update_own_account(*, actor: Person, language: str | None = None, name: str | None = None) -> Person:
    """Change the interface's language or the name that colleagues see; None leaves a value as it is.

    The audit log records a new name without the names themselves, because entries are never changed and a person may
    want their name removed.
    """
    if language is not None:
        actor.language, actor.language_chosen = language, True
    renamed = name is not None and name != actor.name
    if name is not None:
        actor.name = name
    changed = ["language", "language_chosen"] if language is not None else []
    changed += ["name"] if renamed else []
    if changed:
        actor.save(update_fields=changed)
    if renamed:
        Decision(actor_id=actor.pk, action="rename", row=actor, client_key=None).record()
    return actor


def create_account(*, username: str, name: str, password: str, language: str | None = None) -> Person:
    """Create an account without roles; the caller records it.

    Raises:
        UsernameTaken, PasswordTooWeak.
    """
    check_password(password)
    try:
        with transaction.atomic():
            return Person.objects.create_person(username=username, name=name, password=password, language=language)
    except IntegrityError as error:
        raise UsernameTaken(username=username) from error


def account_of(
    actor: Person | AnonymousUser, *, username: str, name: str, password: str, language: str | None
) -> Person:
    """The signed-in account, or a new one for a person who is not signed in; the caller records it.

    Raises:
        InvalidInput: A field of the new account is missing.
        UsernameTaken, PasswordTooWeak.
    """
    if isinstance(actor, Person):
        return actor
    fields = {"username": username, "name": name, "password": password}
    if missing := [field for field, value in fields.items() if not value]:
        raise InvalidInput(fields={field: ["Needed for a new account."] for field in missing})
    return create_account(username=username, name=name, password=password, language=language)


def check_password(password: str) -> None:
    """Refuse short and common passwords.

    Raises:
        PasswordTooWeak.
    """
    try:
        validate_password(password)
    except ValidationError as error:
        raise PasswordTooWeak(reasons=[str(e.code) for e in error.error_list]) from error
