"""Reads of addresses: the person's own, and what other rooms ask."""

from __future__ import annotations

from django.conf import settings

from curation.mail.models import Digest, Mailbox
from curation.mail.shapes import ConfirmedAddress, MailboxAnswer
from curation.people.models import Person


def mail_configured() -> bool:
    """Whether this site sends mail; without a mail server nothing about mail is offered."""
    return bool(settings.MAIL_CONFIGURED)


def has_verified_address(person: Person) -> bool:
    """Whether the person has shown that mail to an address of theirs reaches them."""
    return Mailbox.objects.filter(person=person).exclude(address="").exists()


def mailbox_answer(person: Person) -> MailboxAnswer:
    """Show the signed-in person's address. One statement."""
    mailbox = Mailbox.objects.filter(person=person).first() if mail_configured() else None
    return {
        "available": mail_configured(),
        "address": mailbox.address if mailbox else "",
        "pending": mailbox.pending if mailbox else "",
        "digest": mailbox.digest if mailbox else Digest.OFF.value,
        "zone": person.zone,
    }


def updated_mailbox(person: Person, _: Mailbox | None) -> MailboxAnswer:
    """The person's address after they changed it."""
    return mailbox_answer(person)


def confirmed_address(_: object, mailbox: Mailbox) -> ConfirmedAddress:
    """Whose address a link has verified."""
    return {"username": mailbox.person.username, "address": mailbox.address}
