"""Sending, against a server that speaks SMTP: at most once, again only while nothing left, and not for ever."""

import os
import signal
import socket
import subprocess
import sys
import threading
from datetime import timedelta
from pathlib import Path

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from curation.mail import rules
from curation.mail.models import Mail, Mailbox, MailedNotice
from curation.mail.rules import MAX_ATTEMPTS
from curation.mail.services import delete_ended_mails, send_mails, set_address
from curation.people.models import Notice
from tests.people import world
from tests.protocols import captions_protocol
from tests.smtp_server import mail_server, use

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def here(db):
    return world(captions_protocol())


@pytest.fixture
def site(settings):
    with mail_server() as running:
        use(settings, running)
        yield running


def row():
    mail = Mail.objects.latest("pk")
    return mail.state, mail.attempts, mail.error


def due():
    """Let the pause before the next attempt pass."""
    Mail.objects.update(next_at=timezone.now() - timedelta(seconds=1))


def test_nothing_to_send_takes_three_statements(here, site):
    with CaptureQueriesContext(connection) as seen:
        assert send_mails() == 0
    assert (len([q for q in seen if "mail" in q["sql"]]), site.connections) == (3, 0)


def test_a_mail_is_sent_once(here, site):
    set_address(actor=here.annotator, address="li@example.org")
    assert [send_mails(), send_mails()] == [1, 0]
    assert (row(), len(site.mails)) == (("sent", 1, ""), 1)
    assert site.mails[0]["Message-ID"] == f"<verify.{Mail.objects.get().pk}@lantern.example.org>"


def test_while_the_server_is_away_mails_wait_and_only_one_tries(here, site, settings):
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        settings.EMAIL_PORT = probe.getsockname()[1]
    for who in (here.annotator, here.senior):
        set_address(actor=who, address=f"{who.username}@example.org")
    assert send_mails() == 0
    assert sorted(Mail.objects.values_list("state", "attempts", "error")) == [
        ("waiting", 0, ""),
        ("waiting", 1, "server_away"),
    ]
    settings.EMAIL_PORT = site.port
    assert send_mails() == 1
    due()
    assert send_mails() == 1
    assert sorted(recipients for recipients, _ in site.received) == [
        ["annotator@example.org"],
        ["senior@example.org"],
    ]


def test_attempts_end(here, site):
    site.replies["HELLO"] = "554 Not today"
    set_address(actor=here.annotator, address="li@example.org")
    for _ in range(MAX_ATTEMPTS + 2):
        send_mails()
        due()
    assert (row(), site.connections) == (("failed", MAX_ATTEMPTS, "server_away"), MAX_ATTEMPTS)


@pytest.mark.parametrize("command", ["MAIL", "RCPT", "DATA", "BODY"])
def test_a_refusal_for_now_is_tried_again_and_one_for_good_is_not(here, site, command):
    set_address(actor=here.annotator, address="li@example.org")
    site.replies[command] = "451 Later"
    assert send_mails() == 0
    assert row() == ("waiting", 1, "refused_451")
    assert send_mails() == 0
    assert row() == ("waiting", 1, "refused_451")  # not before its time
    due()
    site.replies[command] = "550 Never"
    assert send_mails() == 0
    assert row() == ("failed", 2, "refused_550")
    due()
    site.replies.clear()
    assert (send_mails(), row()) == (0, ("failed", 2, "refused_550"))


def test_a_connection_that_breaks_after_the_mail_is_not_repeated(here, site):
    site.replies["BODY"] = ""
    set_address(actor=here.annotator, address="li@example.org")
    send_mails()
    assert row() == ("failed", 1, "unknown_SMTPServerDisconnected")
    site.replies.clear()
    due()
    assert (send_mails(), len(site.mails)) == (0, 1)


def test_a_mail_that_lost_its_reason_is_dropped(here, site):
    set_address(actor=here.annotator, address="li@example.org")
    Mailbox.objects.update(pending="")
    assert (send_mails(), row(), site.connections) == (0, ("dropped", 1, ""), 0)


@pytest.mark.django_db(transaction=True)
def test_a_killed_worker_sends_no_mail_twice(site, transactional_db):
    here = world(captions_protocol())
    set_address(actor=here.annotator, address="li@example.org")
    site.hold = threading.Event()
    program = "import django; django.setup(); from curation.mail.services import send_mails; send_mails()"
    address, _, options = os.environ["DATABASE_URL"].partition("?")
    database = f"{address.rpartition('/')[0]}/{connection.settings_dict['NAME']}{'?' + options if options else ''}"
    environment = {
        **os.environ,
        "DATABASE_URL": database,
        "EMAIL_URL": site.url,
        "SITE_URL": "https://lantern.example.org",
        "EMAIL_FROM": "lantern@example.org",
    }
    process = subprocess.Popen([sys.executable, "-c", program], cwd=ROOT, env=environment)
    assert site.whole.wait(60)  # the server has the whole mail and has not replied
    process.send_signal(signal.SIGKILL)
    process.wait(10)
    site.hold.set()
    assert (row(), send_mails(), len(site.mails)) == (("sending", 1, ""), 0, 1)
    Mail.objects.update(sending_at=timezone.now() - timedelta(hours=1))
    assert (send_mails(), row(), len(site.mails)) == (0, ("failed", 1, "interrupted"), 1)


def test_rows_of_mails_are_deleted_long_after_they_ended(here, site):
    assert max(rules.MAILED_WITHIN, rules.LINKS_PERIOD) < rules.KEPT_FOR
    now = timezone.now()
    ages = {"over": timedelta(seconds=1), "kept": -timedelta(hours=1)}
    rows = {}
    for n, (state, age) in enumerate(
        [("sent", "over"), ("failed", "over"), ("dropped", "over"), ("sent", "kept"), ("waiting", "over")]
    ):
        at = now - rules.KEPT_FOR - ages[age]
        ended = None if state == "waiting" else at
        row = Mail.objects.create(person=here.annotator, kind="notices", state=state, ended_at=ended)
        Mail.objects.filter(pk=row.pk).update(created_at=at)
        notice = Notice.objects.create(person=here.annotator, code="x", target_type="package", target_id=n)
        MailedNotice.objects.create(notice=notice, mail=row)
        rows[state, age] = row.pk
    assert delete_ended_mails() == 3
    left = {rows["sent", "kept"], rows["waiting", "over"]}
    assert set(Mail.objects.values_list("pk", flat=True)) == left
    assert set(MailedNotice.objects.values_list("mail_id", flat=True)) == left
    assert Notice.objects.count() == 5
    assert delete_ended_mails() == 0
