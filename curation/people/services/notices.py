"""Sending notices, and marking them as read."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.utils import timezone

from curation.people.models import Notice, Person
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
    """Send a notice to people: one statement, or none if no recipient remains.

    Call it in the transaction of the change that the notice is about, after the check for repeated commands.

    Args:
        person_ids: The recipients; duplicates, None and the actor are left out.
        code: A registered type (:func:`curation.people.rules.register_notices`).
        params: The parameters of its sentence, exactly those of the type.
        actor_id: The person who made the change; None for the application itself.
        benchmark_id: The benchmark; None for the whole site.
        target_type: What the notice links to, as in the type.
        target_id: The row it links to.

    Raises:
        ValueError: Target or parameters differ from the type, or it has no actor; a fault of the caller.
    """
    notice_type = NOTICES[code]
    if (target_type, frozenset(params)) != (notice_type.target, notice_type.params):
        raise ValueError(f"a notice {code} links to {notice_type.target} and has {sorted(notice_type.params)}")
    if notice_type.is_for_outsiders and actor_id is not None:
        raise ValueError(f"a notice {code} names no person")
    recipients = sorted({p for p in person_ids if p is not None} - {actor_id})
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
        for person_id in recipients
    )


def dismiss_notices(*, person_id: int, code: str, target_id: int) -> None:
    """Mark a person's notices as read, because they did what the notices ask for; one statement."""
    rows = Notice.objects.filter(person_id=person_id, read_at=None, code=code, target_id=target_id)
    rows.update(read_at=timezone.now())


def read_notices(*, actor: Person, up_to: int | None = None, ids: Iterable[int] = ()) -> int:
    """Mark the actor's own notices as read: all up to an id, or those listed; other people's are ignored.

    Returns:
        How many were marked.
    """
    rows = Notice.objects.filter(person=actor, read_at=None)
    rows = rows.filter(pk__in=list(ids)) if up_to is None else rows.filter(pk__lte=up_to)
    return rows.update(read_at=timezone.now())
