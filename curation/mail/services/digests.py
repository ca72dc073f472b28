"""Which notifications are mailed: choosing it, stopping it, and planning the mails of those who chose it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date, datetime

from django.contrib.auth.models import AnonymousUser
from django.core import signing
from django.db import connection, transaction
from django.db.models import Case, Exists, F, OuterRef, QuerySet, Value, When
from django.utils import timezone

from curation.mail.errors import AddressMissing, MailNotConfigured, MailStopLinkUnknown
from curation.mail.models import Digest, Mail, Mailbox, MailedNotice
from curation.mail.queries import mail_configured
from curation.mail.rules import MAILED_WITHIN, address_sha256, digest_due
from curation.mail.shapes import StoppedMail
from curation.people import access
from curation.people.models import Notice, Person

#: Notifications that one sweep puts into mails; the next takes the rest.
PLANNED_AT_ONCE = 5_000
_SALT = "curation.mail.unsubscribe"


@transaction.atomic
def set_digest(*, actor: Person, digest: str | None = None, zone: str | None = None) -> Mailbox:
    """Choose when notifications are mailed to the actor, and in which zone eight o'clock is; None keeps a value.

    Raises:
        MailNotConfigured.
        AddressMissing: The actor has no verified address.
    """
    if not mail_configured():
        raise MailNotConfigured
    person = access.lock_person(actor.pk)
    mailbox = Mailbox.objects.filter(person=person).first()
    if mailbox is None or not mailbox.address:
        raise AddressMissing
    if zone is not None:
        person.zone = actor.zone = zone
        person.save(update_fields=["zone"])
    if digest is not None:
        _switch(mailbox, digest)
    return mailbox


def stop_link(mailbox: Mailbox) -> str:
    """The signed part of the link that ends the mails to an address."""
    return signing.dumps([mailbox.person_id, address_sha256(mailbox.address)[:16]], salt=_SALT)


@transaction.atomic
def stop_mails(*, actor: Person | AnonymousUser, token: str) -> StoppedMail:
    """End the mails about notifications to the address at which the reader got one.

    Args:
        actor: The sender of the request; only the link decides whose mails end.
        token: The link's signed part.

    Raises:
        MailStopLinkUnknown: The link is not ours, or the account has another address by now.
    """
    try:
        person_id, hashed = signing.loads(token, salt=_SALT)
    except signing.BadSignature as error:
        raise MailStopLinkUnknown from error
    mailbox = Mailbox.objects.select_for_update(no_key=True).filter(person_id=person_id).first()
    if mailbox is None or address_sha256(mailbox.address)[:16] != hashed:
        raise MailStopLinkUnknown
    _switch(mailbox, Digest.OFF)
    return {"stopped": True}


def _switch(mailbox: Mailbox, digest: str) -> None:
    if digest == Digest.OFF:
        mailbox.digest_since = None
    elif mailbox.digest == Digest.OFF:
        mailbox.digest_since = timezone.now()
    mailbox.digest = digest
    mailbox.save(update_fields=["digest", "digest_since"])


@transaction.atomic
def plan_mails() -> int:
    """Add the mails about notifications that are due; return how many. One statement where nobody chose them.

    A notification is in one mail (``MailedNotice``), and a day has one digest for a person (``mail_one_digest_a_day``),
    stored together before anything is sent. Read ones are left out.
    """
    chosen = list(
        Mailbox.objects.exclude(digest=Digest.OFF)
        .filter(person__is_active=True)
        .values_list("digest", "person__zone")
        .order_by()
        .distinct()
    )
    if not chosen or not _lock_planning():
        return 0
    now = timezone.now()
    planned = 0
    if any(digest == Digest.AT_ONCE for digest, _ in chosen):
        planned += _plan(_unmailed(Digest.AT_ONCE, now), Mail.Kind.NOTICES, {})
    zones = {zone: digest_due(now, zone) for digest, zone in chosen if digest == Digest.DAILY}
    due = {zone: each for zone, each in zones.items() if each is not None}
    if due:
        # All zones in one statement, because each reads the recent unread notifications of all readers.
        rows = _unmailed(Digest.DAILY, now).annotate(
            until=Case(*(When(person__zone=zone, then=Value(until)) for zone, (_, until) in due.items())),
            day=Case(*(When(person__zone=zone, then=Value(day)) for zone, (day, _) in due.items())),
        )
        done = Mail.objects.filter(person=OuterRef("person"), day=OuterRef("day"))
        rows = rows.filter(~Exists(done), created_at__lt=F("until"))
        days = {zone: day for zone, (day, _) in due.items()}
        planned += _plan(rows, Mail.Kind.DIGEST, days)
    return planned


def _lock_planning() -> bool:
    """Let one worker plan at a time; another one would wait for the same rows and find them planned."""
    with connection.cursor() as cursor:
        cursor.execute("select pg_try_advisory_xact_lock(hashtext('curation.plan_mails'))")
        return bool(cursor.fetchone()[0])


def _unmailed(digest: str, now: datetime) -> QuerySet[Notice]:
    return Notice.objects.filter(
        read_at=None,
        created_at__gt=now - MAILED_WITHIN,
        created_at__gte=F("person__mailbox__digest_since"),
        person__mailbox__digest=digest,
        person__is_active=True,
        mailed=None,
    )


def _plan(rows: QuerySet[Notice], kind: str, days: Mapping[str, date]) -> int:
    """Add a mail for each person of ``rows``; ``days`` are those of digests, by zone."""
    by_person: dict[tuple[int, str], list[int]] = {}
    found = rows.order_by("person_id", "pk").values_list("person_id", "person__zone", "pk")
    for person_id, zone, notice_id in found[:PLANNED_AT_ONCE]:
        by_person.setdefault((person_id, zone), []).append(notice_id)
    mails = Mail.objects.bulk_create(
        Mail(person_id=person_id, kind=kind, day=days.get(zone)) for person_id, zone in by_person
    )
    MailedNotice.objects.bulk_create(_parts(mails, by_person.values()))
    return len(mails)


def _parts(mails: Iterable[Mail], notices: Iterable[list[int]]) -> Iterable[MailedNotice]:
    for mail, ids in zip(mails, notices, strict=True):
        yield from (MailedNotice(notice_id=each, mail=mail) for each in ids)
