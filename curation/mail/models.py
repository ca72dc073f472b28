"""The address at which a person gets mail, and every mail before it is sent."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower, Now

from curation.people.models import Notice, Person

ADDRESS_LENGTH = 254  # characters, RFC 5321


class Digest(models.TextChoices):
    """When a person gets notifications by mail: never, once a day at eight, or with the next sweep."""

    OFF = "off"
    DAILY = "daily"
    AT_ONCE = "at_once"


class Mailbox(models.Model):
    """A person's address. Only the verified one gets mail, apart from the link that verifies ``pending``.

    ``pending`` replaces ``address`` when the link in its mail is used. ``pending_sha256`` is the hash of the link's
    secret, empty until a worker has sent the mail: the secret itself is not stored.
    """

    person = models.OneToOneField(Person, on_delete=models.CASCADE, primary_key=True, related_name="mailbox")
    address = models.CharField(max_length=ADDRESS_LENGTH, blank=True, default="", db_default="")
    verified_at = models.DateTimeField(null=True)
    pending = models.CharField(max_length=ADDRESS_LENGTH, blank=True, default="", db_default="")
    pending_sha256 = models.CharField(max_length=64, blank=True, default="", db_default="")
    pending_until = models.DateTimeField(null=True)
    digest = models.CharField(max_length=8, choices=Digest, default=Digest.OFF, db_default="off")
    digest_since = models.DateTimeField(null=True)  # earlier notifications are not mailed

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(digest="off", digest_since=None)
                | (Q(digest__in=["daily", "at_once"], digest_since__isnull=False) & ~Q(address="")),
                name="mailbox_digest",
            ),
            # One account for each address: limits that count people cannot be multiplied with one mailbox.
            models.UniqueConstraint(Lower("address"), condition=~Q(address=""), name="mailbox_address_once"),
            models.UniqueConstraint(
                fields=["pending_sha256"], condition=~Q(pending_sha256=""), name="mailbox_link_once"
            ),
            models.CheckConstraint(
                condition=Q(address="", verified_at=None) | (~Q(address="") & Q(verified_at__isnull=False)),
                name="mailbox_address_verified",
            ),
            models.CheckConstraint(
                condition=~Q(pending="") | Q(pending_sha256="", pending_until=None), name="mailbox_pending"
            ),
        ]
        indexes = [models.Index(fields=["digest"], condition=~Q(digest="off"), name="mailbox_digest_on")]


class Mail(models.Model):
    """A mail to a person, stored before it is sent. A worker writes what it says at the moment of sending.

    A worker commits ``sending`` before it connects to the server. If it dies then, the mail may have left, and is not
    sent again: each is sent at most once.
    """

    class Kind(models.TextChoices):
        """What the mail says."""

        VERIFY = "verify"
        NOTICES = "notices"
        DIGEST = "digest"

    class State(models.TextChoices):
        """Waiting, being sent, or how that ended; ``dropped``: there was nothing left to say."""

        WAITING = "waiting"
        SENDING = "sending"
        SENT = "sent"
        FAILED = "failed"
        DROPPED = "dropped"

    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="mails")
    kind = models.CharField(max_length=8, choices=Kind)
    # SHA-256 of the address in lower case, by which links to one address are limited, whoever asks for them.
    address_sha256 = models.CharField(max_length=64, blank=True, default="")
    day = models.DateField(null=True)  # of a digest, in the person's zone
    state = models.CharField(max_length=8, choices=State, default=State.WAITING)
    attempts = models.PositiveSmallIntegerField(default=0)
    next_at = models.DateTimeField(db_default=Now())
    error = models.CharField(max_length=64, blank=True, default="")
    created_at = models.DateTimeField(db_default=Now())
    sending_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(state__in=["waiting", "sending"], ended_at=None)
                | (~Q(state__in=["waiting", "sending"]) & Q(ended_at__isnull=False)),
                name="mail_ended",
            ),
            models.UniqueConstraint(fields=["person", "day"], name="mail_one_digest_a_day"),
            models.CheckConstraint(
                condition=Q(kind="digest", day__isnull=False) | (~Q(kind="digest") & Q(day=None)), name="mail_day"
            ),
            models.UniqueConstraint(
                fields=["person"], condition=Q(kind="verify", state="waiting"), name="mail_one_link_waits"
            ),
        ]
        indexes = [
            models.Index(fields=["next_at"], condition=Q(state__in=["waiting", "sending"]), name="mail_due"),
            models.Index(fields=["person", "kind", "created_at"], name="mail_of_person"),
            models.Index(fields=["address_sha256", "created_at"], condition=Q(kind="verify"), name="mail_to_address"),
        ]


class MailedNotice(models.Model):
    """The mail in which a notification is; none is in two."""

    notice = models.OneToOneField(Notice, on_delete=models.CASCADE, primary_key=True, related_name="mailed")
    mail = models.ForeignKey(Mail, on_delete=models.CASCADE, related_name="notices")
