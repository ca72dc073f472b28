"""Setting, verifying and removing a person's address."""

from __future__ import annotations

from django.contrib.auth.models import AnonymousUser
from django.db import IntegrityError, transaction
from django.utils import timezone

from curation.core import jobs
from curation.core.decisions import Decision
from curation.mail.errors import AddressInvalid, AddressTaken, MailLinkUnknown, MailNotConfigured, TooManyMails
from curation.mail.models import Digest, Mail, Mailbox
from curation.mail.queries import mail_configured
from curation.mail.rules import LINKS_PERIOD, address_sha256, clean_address, may_send_link
from curation.people import access
from curation.people.models import Person
from curation.people.rules import secret_sha256

SEND_TASK = "curation.send_mails"


@transaction.atomic
def set_address(*, actor: Person, address: str) -> Mailbox:
    """Send a link to an address; it becomes the actor's when the link is used, and their earlier one stays until then.

    Whether another account has the address is not revealed: the link goes to whoever reads its mail.

    Raises:
        MailNotConfigured, AddressInvalid.
        TooManyMails: For this person, or by them or in all for this address, within a day.
    """
    if not mail_configured():
        raise MailNotConfigured
    cleaned = clean_address(address)
    if cleaned is None:
        raise AddressInvalid
    access.lock_person(actor.pk)
    mailbox, _ = Mailbox.objects.get_or_create(person=actor)
    if mailbox.address == cleaned:
        return _without_pending(mailbox)
    sha256 = address_sha256(cleaned)
    recent = Mail.objects.filter(kind=Mail.Kind.VERIFY, created_at__gt=timezone.now() - LINKS_PERIOD)
    if not may_send_link(
        by_person=recent.filter(person=actor).count(),
        to_address=recent.filter(address_sha256=sha256).count(),
        by_person_to_address=recent.filter(person=actor, address_sha256=sha256).count(),
    ):
        raise TooManyMails
    _without_pending(mailbox)
    mailbox.pending = cleaned
    mailbox.save(update_fields=["pending"])
    Mail.objects.create(person=actor, kind=Mail.Kind.VERIFY, address_sha256=sha256)
    Decision(actor_id=actor.pk, action="address_set", row=actor, client_key=None).record()
    transaction.on_commit(lambda: jobs.send(SEND_TASK))
    return mailbox


@transaction.atomic
def remove_address(*, actor: Person) -> Mailbox | None:
    """Remove the actor's address and the one that waits for its link; no more mail is sent to them."""
    access.lock_person(actor.pk)
    mailbox = Mailbox.objects.filter(person=actor).first()
    if mailbox is None or not (mailbox.address or mailbox.pending):
        return mailbox
    _without_pending(mailbox)
    mailbox.address, mailbox.verified_at = "", None
    mailbox.digest, mailbox.digest_since = Digest.OFF, None
    mailbox.save(update_fields=["address", "verified_at", "digest", "digest_since"])
    Decision(actor_id=actor.pk, action="address_remove", row=actor, client_key=None).record()
    return mailbox


@transaction.atomic
def confirm_address(*, actor: Person | AnonymousUser, token: str) -> Mailbox:
    """Make the address to which a link was sent the address of the account that named it.

    Args:
        actor: The sender of the request; only the link decides whose address is verified.
        token: The link's secret.

    Raises:
        MailLinkUnknown: The link is unknown, was used or replaced, or has expired; or the account is closed.
        AddressTaken: Another account has verified the address.
    """
    mailboxes = Mailbox.objects.select_related("person").select_for_update(of=("self",), no_key=True)
    mailbox = mailboxes.filter(
        pending_sha256=secret_sha256(token), pending_until__gt=timezone.now(), person__is_active=True
    ).first()
    if mailbox is None:
        raise MailLinkUnknown
    confirmed = mailbox.pending
    _without_pending(mailbox)
    mailbox.address, mailbox.verified_at = confirmed, timezone.now()
    try:
        with transaction.atomic():
            mailbox.save(update_fields=["address", "verified_at"])
    except IntegrityError as error:
        raise AddressTaken from error
    Decision(actor_id=mailbox.person_id, action="address_confirm", row=mailbox.person, client_key=None).record()
    return mailbox


def _without_pending(mailbox: Mailbox) -> Mailbox:
    """Forget the address that waits for its link, and the mail with the link if it has not left yet."""
    mailbox.pending, mailbox.pending_sha256, mailbox.pending_until = "", "", None
    mailbox.save(update_fields=["pending", "pending_sha256", "pending_until"])
    waiting = Mail.objects.filter(person_id=mailbox.person_id, kind=Mail.Kind.VERIFY, state=Mail.State.WAITING)
    waiting.update(state=Mail.State.DROPPED, ended_at=timezone.now())
    return mailbox
