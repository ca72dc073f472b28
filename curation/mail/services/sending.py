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
from django.db.models import Count
from django.db.models.functions import Now
from django.utils import timezone

from curation.mail import rules
from curation.mail.models import Digest, Mail, Mailbox
from curation.mail.queries import mail_configured
from curation.mail.services.digests import plan_mails, stop_link
from curation.people.models import Person
from curation.people.queries import visible_notices
from curation.people.rules import secret_sha256

#: Mails that one sweep sends; the next takes the rest, so that a slow server does not hold a worker for long.
AT_ONCE = 200
_DELETED_AT_ONCE = 1_000

log = logging.getLogger(__name__)


def send_mails() -> int:
    """Plan the mails about notifications, and send what is due; return how many left."""
    if not mail_configured():
        return 0
    _end_interrupted()
    plan_mails()
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


def delete_ended_mails() -> int:
    """Delete the rows of mails that ended more than :data:`rules.KEPT_FOR` ago; return how many."""
    ended = Mail.objects.filter(ended_at__lt=timezone.now() - rules.KEPT_FOR).order_by("pk")
    deleted = 0
    while ids := list(ended.values_list("pk", flat=True)[:_DELETED_AT_ONCE]):
        deleted += Mail.objects.filter(pk__in=ids).delete()[1][Mail._meta.label]
    return deleted


def _end_interrupted() -> None:
    """End mails whose worker died while it sent them: they may have left, and none is sent twice."""
    left = Mail.objects.filter(state=Mail.State.SENDING, sending_at__lt=timezone.now() - rules.SENDING_FOR)
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
    pause = rules.retry_after(row.attempts)
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
    if not row.person.is_active:
        return None
    return _verification(row) if row.kind == Mail.Kind.VERIFY else _notifications(row)


@transaction.atomic
def _verification(row: Mail) -> mail.EmailMessage | None:
    """The mail with a link whose secret is made now, so that it is stored nowhere but as a hash."""
    mailbox = Mailbox.objects.select_for_update(no_key=True).filter(person=row.person).first()
    if mailbox is None or not mailbox.pending or rules.address_sha256(mailbox.pending) != row.address_sha256:
        return None
    secret = secrets.token_urlsafe(rules.LINK_BITS // 8)
    mailbox.pending_sha256 = secret_sha256(secret)
    mailbox.pending_until = timezone.now() + timedelta(hours=rules.LINK_HOURS)
    mailbox.save(update_fields=["pending_sha256", "pending_until"])
    text = rules.verify_text(
        row.person.language,
        username=row.person.username,
        site=settings.SITE_URL,
        link=f"{settings.SITE_URL}/mail/confirm#{secret}",
        hours=rules.LINK_HOURS,
    )
    return _message(row, mailbox.pending, text)


def _notifications(row: Mail) -> mail.EmailMessage | None:
    """The mail about notifications that are still unread, and that the person may still see."""
    mailbox = Mailbox.objects.filter(person=row.person).exclude(digest=Digest.OFF).first()
    if mailbox is None:
        return None
    rows = visible_notices(row.person).filter(mailed__mail=row, read_at=None)
    counted = rows.values_list("benchmark_id", "benchmark__slug", "code").annotate(number=Count("pk"))
    counts = [
        rules.Count(_page_for(row.person, benchmark_id, slug), code, number)
        for benchmark_id, slug, code, number in counted.order_by("benchmark_id", "code")
    ]
    if not counts:
        return None
    stop = f"{settings.SITE_URL}/mail/stop/{stop_link(mailbox)}"
    text = rules.digest_text(row.person.language, counts, site=settings.SITE_URL, stop=stop)
    one_click = {"List-Unsubscribe": f"<{stop}>", "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"}  # RFC 8058
    return _message(row, mailbox.address, text, one_click)


def _page_for(person: Person, benchmark_id: int | None, slug: str | None) -> str:
    """The address of a benchmark's page, which is another one for people outside the team; empty for the site."""
    if benchmark_id is None:
        return ""
    return f"/b/{slug}" if person.knows(benchmark_id) else f"/submit/{slug}"


def _message(row: Mail, address: str, text: rules.Text, headers: dict[str, str] | None = None) -> mail.EmailMessage:
    """A mail by a program: other programs do not answer it (RFC 3834), and it has the same id at each attempt."""
    host = urlsplit(settings.SITE_URL).hostname
    all_headers = {"Auto-Submitted": "auto-generated", "Message-ID": f"<{row.kind}.{row.pk}@{host}>"}
    return mail.EmailMessage(text.subject, text.body, to=[address], headers=all_headers | (headers or {}))
