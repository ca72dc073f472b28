"""What happens to accounts and roles."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from curation.benchmarks.rules import OWNER
from curation.core import audit
from curation.core.errors import ClientKeyReused
from curation.people import access
from curation.people.errors import PasswordTooWeak, UsernameTaken
from curation.people.models import Person, RoleGrant


@transaction.atomic
def create_owner(*, username: str, name: str, password: str) -> Person:
    """Make the account that may create benchmarks; only from the command line.

    Raises:
        UsernameTaken, PasswordTooWeak.
    """
    person = _create_person(username=username, name=name, password=password)
    RoleGrant.objects.create(person=person, role=OWNER)
    audit.record(action="create_owner", target_type="person", target_id=person.pk, actor_id=None, benchmark_id=None)
    return person


def create_person(
    *,
    actor: Person,
    benchmark_slug: str,
    username: str,
    name: str,
    roles: Sequence[str],
    password: str,
    client_key: UUID,
) -> Person:
    """An admin makes an account with roles in their benchmark.

    Raises:
        NotFound, OperationNotAllowed: The actor may not do this here.
        UsernameTaken, PasswordTooWeak, ClientKeyReused.
    """
    benchmark = access.benchmark_for(actor, benchmark_slug, "person_create")
    try:
        with transaction.atomic():
            if earlier := _earlier_person(actor, benchmark.pk, username, name, roles, client_key):
                return earlier
            person = _create_person(username=username, name=name, password=password)
            grant_roles(person=person, benchmark_id=benchmark.pk, roles=roles, granted_by=actor)
            audit.record(
                action="person_create",
                target_type="person",
                target_id=person.pk,
                actor_id=actor.pk,
                benchmark_id=benchmark.pk,
                data={"roles": sorted(set(roles))},
                client_key=client_key,
            )
            return person
    except UsernameTaken:
        # Perhaps by this very request on another connection.
        if earlier := _earlier_person(actor, benchmark.pk, username, name, roles, client_key):
            return earlier
        raise


def _earlier_person(
    actor: Person, benchmark_id: int, username: str, name: str, roles: Sequence[str], client_key: UUID
) -> Person | None:
    done = audit.already_done(actor_id=actor.pk, client_key=client_key, action="person_create")
    if done is None:
        return None
    person = Person.objects.get(pk=done.target_id)
    told = (benchmark_id, Person.normalize_username(username), name, sorted(set(roles)))
    if (done.benchmark_id, person.username, person.name, done.data["roles"]) != told:
        raise ClientKeyReused
    return person


def grant_roles(*, person: Person, benchmark_id: int, roles: Sequence[str], granted_by: Person | None) -> None:
    """Give roles that are not held yet; the caller records why."""
    RoleGrant.objects.bulk_create(
        [RoleGrant(person=person, benchmark_id=benchmark_id, role=r, granted_by=granted_by) for r in roles],
        ignore_conflicts=True,
    )


@transaction.atomic
def set_language(*, person: Person, language: str) -> None:
    """Choose the interface's language."""
    Person.objects.filter(pk=person.pk).update(language=language)
    person.language = language


def _create_person(*, username: str, name: str, password: str) -> Person:
    try:
        validate_password(password)
    except ValidationError as error:
        raise PasswordTooWeak(reasons=[str(e.code) for e in error.error_list]) from error
    try:
        with transaction.atomic():
            return Person.objects.create_person(username=username, name=name, password=password)
    except IntegrityError as error:
        raise UsernameTaken(username=username) from error
