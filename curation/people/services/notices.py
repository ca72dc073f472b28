"""Telling people what happened elsewhere and concerns them, and remembering what they have read."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.utils import timezone

from curation.people.models import Notice, Person
from curation.people.queries import unread_notices
from curation.people.rules import NOTICES


def notify(
    *,
    person_ids: Iterable[int | None],
    code: str,
    params: dict[str, Any],
    actor_id: int | None,
    benchmark_id: int | None,
    target_type: str,
    target_id: int,
) -> None:
    """Leave a notice for each of some people; one statement, or none when nobody is left to tell.

    Call it inside the transaction that did what it tells of, behind the check for repeated commands.

    Args:
        person_ids: Whom to tell; doubles, None and the actor are left out.
        code: A key of :data:`curation.people.rules.NOTICES`.
        params: What fills its sentence; just the names that the table lists.
        actor_id: Who did it; None for the application itself.
        benchmark_id: Where; None for the whole site.
        target_type: What the notice leads to, as the table says.
        target_id: Its row.

    Raises:
        ValueError: The code's form is another; a fault of the caller.
    """
    form = NOTICES[code]
    if (target_type, frozenset(params)) != (form.target, form.params):
        raise ValueError(f"a notice {code} leads to {form.target} and names {sorted(form.params)}")
    whom = sorted({p for p in person_ids if p is not None} - {actor_id})
    Notice.objects.bulk_create(
        Notice(
            person_id=person_id,
            benchmark_id=benchmark_id,
            code=code,
            params=params,
            actor_id=actor_id,
            target_type=target_type,
            target_id=target_id,
        )
        for person_id in whom
    )


def settle_notices(*, person_id: int, code: str, target_id: int) -> None:
    """Mark what somebody was told as read, because they have just done what it asks for; one statement."""
    rows = Notice.objects.filter(person_id=person_id, read_at=None, code=code, target_id=target_id)
    rows.update(read_at=timezone.now())


def read_notices(*, person: Person, up_to: int | None = None, ids: Iterable[int] = ()) -> int:
    """Mark somebody's own notices as read: all up to one, or those named; others' are passed over.

    Returns:
        How many are still unread.
    """
    rows = Notice.objects.filter(person=person, read_at=None)
    rows = rows.filter(pk__in=list(ids)) if up_to is None else rows.filter(pk__lte=up_to)
    rows.update(read_at=timezone.now())
    return unread_notices(person)
