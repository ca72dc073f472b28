"""Sending: each mail at most once, again only while it certainly has not left, and not for ever."""

from __future__ import annotations

import logging
import secrets
import smtplib
from contextlib import suppress
from datetime import timedelta
from urllib.parse import urlsplit

from django.conf import settings
from django.core import mail
from django.db import transaction
from django.db.models.functions import Now
from django.utils import timezone

from curation.mail.models import Mail, Mailbox
from curation.mail.queries import mail_configured
from curation.mail.rules import LINK_BITS, LINK_HOURS, SENDING_FOR, Text, address_sha256, retry_after, verify_text
from curation.people.rules import secret_sha256

#: Mails that one sweep sends; the next takes the rest, so that a slow server does not hold a worker for long.
AT_ONCE = 200

log = logging.getLogger(__name__)


def send_mails() -> int:
    """Send the mails that are due; return how many left."""
    if not mail_configured():
        return 0
    _end_interrupted()
    sent = 0
    for _ in range(AT_ONCE):
        row = _claim()
        if row is None:
            break
        message = _compose(row)
        if message is None:
            _end(row, Mail.State.DROPPED)
            continue
        state = _send(row, message)
        sent += state == Mail.State.SENT
        if row.error == "server_away":
            break  # the others would find no server either, and wait without using an attempt
    return sent


def _end_interrupted() -> None:
    """End mails whose worker died while it sent them: they may have left, and none is sent twice."""
    left = Mail.objects.filter(state=Mail.State.SENDING, sending_at__lt=timezone.now() - SENDING_FOR)
    if count := left.update(state=Mail.State.FAILED, error="interrupted", ended_at=Now()):
        log.warning("%s mails were interrupted and are not sent again", count)


@transaction.atomic
def _claim() -> Mail | None:
    """Mark the mail that is due first as being sent, before anything is sent to the server."""
    due = Mail.objects.select_for_update(skip_locked=True, of=("self",)).select_related("person")
    row = due.filter(state=Mail.State.WAITING, next_at__lte=Now()).order_by("next_at").first()
    if row is not None:
        row.state, row.attempts, row.sending_at = Mail.State.SENDING, row.attempts + 1, timezone.now()
        row.save(update_fields=["state", "attempts", "sending_at"])
    return row


def _send(row: Mail, message: mail.EmailMessage) -> str:
    """Send a claimed mail; return its state, which is stored.

    A refusal by the server is certain. An error after the connection was made and without a reply is not, and counts
    as sent in vain rather than being repeated.
    """
    connection = mail.get_connection()
    try:
        connection.open()
    except (OSError, smtplib.SMTPException) as error:
        log.warning("the mail server is unavailable: %s", type(error).__name__)
        return _retry(row, "server_away")
    try:
        connection.send_messages([message])
    except smtplib.SMTPRecipientsRefused as error:
        return _refused(row, max(code for code, _ in error.recipients.values()))
    except smtplib.SMTPResponseException as error:
        return _refused(row, error.smtp_code)
    except (OSError, smtplib.SMTPException) as error:
        return _end(row, Mail.State.FAILED, f"unknown_{type(error).__name__}")
    else:
        return _end(row, Mail.State.SENT)
    finally:
        with suppress(OSError, smtplib.SMTPException):
            connection.close()


def _refused(row: Mail, code: int) -> str:
    """The server replied that it does not take the mail: for now (4xx) or for good."""
    reason = f"refused_{code}"
    return _retry(row, reason) if 400 <= code < 500 else _end(row, Mail.State.FAILED, reason)


def _retry(row: Mail, reason: str) -> str:
    pause = retry_after(row.attempts)
    if pause is None:
        return _end(row, Mail.State.FAILED, reason)
    row.state, row.error, row.next_at = Mail.State.WAITING, reason, timezone.now() + pause
    row.save(update_fields=["state", "error", "next_at"])
    return row.state


def _end(row: Mail, state: str, reason: str = "") -> str:
    row.state, row.error, row.ended_at = state, reason, timezone.now()
    row.save(update_fields=["state", "error", "ended_at"])
    if state == Mail.State.FAILED:
        log.warning("mail %s failed: %s", row.pk, reason)
    return state


def _compose(row: Mail) -> mail.EmailMessage | None:
    """Write the mail that a row stands for; None if nothing is left to say."""
    return _verification(row) if row.person.is_active else None


@transaction.atomic
def _verification(row: Mail) -> mail.EmailMessage | None:
    """The mail with a link whose secret is made now, so that it is stored nowhere but as a hash."""
    mailbox = Mailbox.objects.select_for_update(no_key=True).filter(person=row.person).first()
    if mailbox is None or not mailbox.pending or address_sha256(mailbox.pending) != row.address_sha256:
        return None
    secret = secrets.token_urlsafe(LINK_BITS // 8)
    mailbox.pending_sha256 = secret_sha256(secret)
    mailbox.pending_until = timezone.now() + timedelta(hours=LINK_HOURS)
    mailbox.save(update_fields=["pending_sha256", "pending_until"])
    text = verify_text(
        row.person.language,
        username=row.person.username,
        site=settings.SITE_URL,
        link=f"{settings.SITE_URL}/mail/confirm#{secret}",
        hours=LINK_HOURS,
    )
    return _message(row, mailbox.pending, text)


def _message(row: Mail, address: str, text: Text, headers: dict[str, str] | None = None) -> mail.EmailMessage:
    """A mail by a program: other programs do not answer it (RFC 3834), and it has the same id at each attempt."""
    host = urlsplit(settings.SITE_URL).hostname
    all_headers = {"Auto-Submitted": "auto-generated", "Message-ID": f"<{row.kind}.{row.pk}@{host}>"}
    return mail.EmailMessage(text.subject, text.body, to=[address], headers=all_headers | (headers or {}))
