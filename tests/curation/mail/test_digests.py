"""Notifications by mail: each once, a day's at eight in the reader's zone, with numbers and links and nothing else."""

import re
from datetime import UTC, date, datetime, timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from curation.mail.models import Mail, Mailbox, MailedNotice
from curation.mail.rules import MAILED_WITHIN, TITLES, digest_due
from curation.mail.services import plan_mails, send_mails, set_digest
from curation.people.models import Notice, RoleGrant
from curation.people.rules import NOTICES
from curation.people.services import notify
from tests.people import send, signed_in, told, world
from tests.protocols import captions_protocol
from tests.shared import shared
from tests.smtp_server import mail_server, use

pytestmark = pytest.mark.django_db
SECRET = "nobody may read this in a mail"


@shared
def here():
    return world(captions_protocol())


@pytest.fixture
def site(settings):
    with mail_server() as running:
        use(settings, running)
        yield running


def reader(who, digest, *, since_hours=48):
    """Give a person a verified address, and mails about notifications."""
    now = timezone.now()
    Mailbox.objects.create(person=who, address=f"{who.username}@example.org", verified_at=now)
    set_digest(actor=who, digest=digest)
    Mailbox.objects.filter(person=who).update(digest_since=now - timedelta(hours=since_hours))
    return who


def tell(here, *whom, code="package_returned", number=7):
    params = {"package": f"cap-pkg-{number:04d}"}
    if code == "package_taken_back":
        params["comment"] = SECRET
    notify(
        person_ids=[p.pk for p in whom],
        code=code,
        params=params,
        actor_id=here.admin.pk,
        benchmark_id=here.benchmark.pk,
        target_type="package",
        target_id=number,
    )


def at(monkeypatch, moment):
    """Let the application's clock show a time of 24 November 2026, in UTC."""
    now = datetime(2026, 11, 24, *moment, tzinfo=UTC) if isinstance(moment, tuple) else moment
    monkeypatch.setattr(timezone, "now", lambda: now)
    return now


def test_nobody_gets_any_unless_they_choose_it(here, site):
    now = timezone.now()
    Mailbox.objects.create(person=here.annotator, address="li@example.org", verified_at=now)
    tell(here, here.annotator, here.senior)
    with CaptureQueriesContext(connection) as seen:
        assert plan_mails() == 0
    assert len([q for q in seen if "curation_" in q["sql"]]) == 1
    assert (send_mails(), Mail.objects.count()) == (0, 0)


def test_at_once_each_notification_is_in_one_mail(here, site):
    reader(here.annotator, "at_once")
    tell(here, here.annotator, here.senior)
    tell(here, here.annotator, number=8)
    tell(here, here.annotator, code="package_taken_back")
    assert [send_mails(), send_mails()] == [1, 0]
    [(recipients, mail)] = site.received
    assert (recipients, mail["Subject"]) == (["annotator@example.org"], "Lantern：3 条新通知")
    stop = re.findall(r"<(\S+)>", mail["List-Unsubscribe"])[0]
    assert mail.get_content().splitlines() == [
        "https://lantern.example.org/b/cvlue",
        "- 退回给你的任务包：2",
        "- 收回的任务包：1",
        "",
        "查看通知：https://lantern.example.org/notices",
        "",
        "选择何时接收邮件：https://lantern.example.org/account",
        f"停止接收：{stop}",
    ]
    tell(here, here.annotator, number=9)
    assert (send_mails(), site.mails[1]["Subject"]) == (1, "Lantern：1 条新通知")
    assert MailedNotice.objects.count() == 4


@pytest.mark.parametrize(
    ("language", "numbers"),
    [("en", ["one new notification", "2 new notifications"]), ("zh-Hant", ["1 則新通知", "2 則新通知"])],
)
def test_mails_are_in_the_readers_language(here, site, language, numbers):
    here.annotator.language = language
    here.annotator.save(update_fields=["language"])
    reader(here.annotator, "at_once")
    tell(here, here.annotator)
    send_mails()
    tell(here, here.annotator)
    tell(here, here.annotator)
    send_mails()
    assert [mail["Subject"].partition("：" if language != "en" else ": ")[2] for mail in site.mails] == numbers


def test_no_text_and_no_name_is_in_a_mail(here, site):
    reader(here.annotator, "at_once")
    tell(here, here.annotator, code="package_taken_back")
    send_mails()
    whole = site.mails[0].as_string() + site.mails[0].get_content()
    for hidden in (SECRET, here.admin.name, here.admin.username, here.annotator.name, "cap-pkg"):
        assert hidden not in whole


def test_read_ones_old_ones_and_those_of_before_are_not_mailed(here, site):
    reader(here.annotator, "at_once", since_hours=1)
    reader(here.senior, "at_once", since_hours=24 * 30)
    reader(here.curator, "at_once")
    tell(here, here.annotator, here.senior, here.curator)
    now = timezone.now()
    Notice.objects.filter(person=here.annotator).update(created_at=now - timedelta(hours=2))
    Notice.objects.filter(person=here.senior).update(created_at=now - MAILED_WITHIN - timedelta(minutes=1))
    Notice.objects.filter(person=here.curator).update(read_at=now)
    assert (send_mails(), Mail.objects.count()) == (0, 0)


def test_what_was_read_or_left_behind_before_sending_is_dropped(here, site):
    for who in (here.annotator, here.senior, here.curator):
        reader(who, "at_once")
    tell(here, here.annotator, here.senior, here.curator)
    assert plan_mails() == 3
    Notice.objects.filter(person=here.annotator).update(read_at=timezone.now())
    RoleGrant.objects.filter(person=here.senior).update(ended_at=timezone.now())
    here.curator.is_active = False
    here.curator.save(update_fields=["is_active"])
    assert (send_mails(), site.connections) == (0, 0)
    assert set(Mail.objects.values_list("state", flat=True)) == {"dropped"}


@pytest.mark.parametrize(
    ("zone", "before", "after"),
    [
        ("Asia/Shanghai", (23, 59), (0, 0)),  # 07:59 of the 25th, 08:00 of the 24th
        ("Europe/Berlin", (6, 59), (7, 0)),
        ("America/New_York", (12, 59), (13, 0)),
        ("Asia/Kathmandu", (2, 14), (2, 15)),
        ("Nowhere/Unknown", (7, 59), (8, 0)),
    ],
)
def test_a_day_begins_at_eight_in_the_readers_zone(zone, before, after):
    due = digest_due(datetime(2026, 11, 24, *after, tzinfo=UTC), zone)
    assert due is not None
    assert due == (date(2026, 11, 24), datetime(2026, 11, 24, *after, tzinfo=UTC))
    assert digest_due(datetime(2026, 11, 24, *before, tzinfo=UTC), zone) is None


def test_a_digest_is_sent_once_a_day_whatever_comes_later(here, site, monkeypatch):
    reader(here.annotator, "daily", since_hours=24 * 365)
    here.annotator.zone = "Europe/Berlin"
    here.annotator.save(update_fields=["zone"])
    tell(here, here.annotator)
    Mailbox.objects.update(digest_since=datetime(2026, 11, 1, tzinfo=UTC))
    Notice.objects.update(created_at=datetime(2026, 11, 23, 20, tzinfo=UTC))
    at(monkeypatch, (6, 59))
    assert plan_mails() == 0
    at(monkeypatch, (7, 1))
    assert [plan_mails(), plan_mails()] == [1, 0]
    tell(here, here.annotator, number=8)
    Notice.objects.filter(target_id=8).update(created_at=datetime(2026, 11, 24, 7, 30, tzinfo=UTC))
    at(monkeypatch, (20, 0))
    assert plan_mails() == 0
    # One that was stored late, for a moment before eight, is in the next day's.
    tell(here, here.annotator, number=9)
    Notice.objects.filter(target_id=9).update(created_at=datetime(2026, 11, 24, 6, 59, tzinfo=UTC))
    assert plan_mails() == 0
    at(monkeypatch, datetime(2026, 11, 25, 7, 0, tzinfo=UTC))
    assert plan_mails() == 1
    days = Mail.objects.order_by("day").values_list("day", "notices__notice__target_id")
    assert sorted(days) == [(date(2026, 11, 24), 7), (date(2026, 11, 25), 8), (date(2026, 11, 25), 9)]
    assert send_mails() == 2


def test_choosing_needs_a_verified_address(here, site):
    browser = signed_in(here.annotator)
    assert told(send(browser, "PATCH", "session/mail", {"digest": "daily"})) == (409, "address_missing")
    Mailbox.objects.create(person=here.annotator, pending="li@example.org")
    assert told(send(browser, "PATCH", "session/mail", {"digest": "daily"})) == (409, "address_missing")
    Mailbox.objects.update(pending="", address="li@example.org", verified_at=timezone.now())
    answer = send(browser, "PATCH", "session/mail", {"digest": "daily", "zone": "Europe/Berlin"}).json()
    assert answer == {
        "available": True,
        "address": "li@example.org",
        "pending": "",
        "digest": "daily",
        "zone": "Europe/Berlin",
    }
    for wrong in ({}, {"digest": "hourly"}, {"zone": "Mars/Olympus"}, {"zone": "../../etc/passwd"}):
        assert told(send(browser, "PATCH", "session/mail", wrong)) == (400, "invalid_input")
    removed = send(browser, "POST", "session/mail/address/remove", {}).json()
    assert (removed["address"], removed["digest"]) == ("", "off")


def test_mails_are_stopped_by_their_link_without_signing_in(here, site):
    reader(here.annotator, "at_once")
    tell(here, here.annotator)
    send_mails()
    mail = site.mails[0]
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    token = re.findall(r"<https://lantern.example.org/mail/stop/(\S+)>", mail["List-Unsubscribe"])[0]
    # As a mail program does: a form, no cookie, no anti-forgery token.
    program = Client(enforce_csrf_checks=True)
    posted = program.post(f"/mail/stop/{token}", {"List-Unsubscribe": "One-Click"})
    assert (posted.status_code, posted.content) == (204, b"")
    assert Mailbox.objects.values_list("digest", "digest_since", "address").get() == (
        "off",
        None,
        "annotator@example.org",
    )
    tell(here, here.annotator)
    assert send_mails() == 0
    set_digest(actor=here.annotator, digest="daily")
    assert send(Client(), "POST", "mail/stop", {"token": token}).json() == {"stopped": True}
    assert send(Client(), "POST", "mail/stop", {"token": token}).json() == {"stopped": True}
    assert Mailbox.objects.get().digest == "off"


def test_a_forged_link_and_one_to_an_earlier_address_stop_nothing(here, site):
    reader(here.annotator, "at_once")
    tell(here, here.annotator)
    send_mails()
    token = re.findall(r"/mail/stop/(\S+)>", site.mails[0]["List-Unsubscribe"])[0]
    for forged in (token[:-1] + ("a" if token[-1] != "a" else "b"), "x", token.partition(":")[2]):
        assert told(send(Client(), "POST", "mail/stop", {"token": forged})) == (404, "mail_stop_link_unknown")
        assert Client().post(f"/mail/stop/{forged}").status_code == 404
    Mailbox.objects.update(address="other@example.org")
    assert Client().post(f"/mail/stop/{token}").status_code == 404
    assert Mailbox.objects.get().digest == "at_once"


def test_every_type_of_notification_has_a_title():
    assert set(NOTICES) - set(TITLES) == set()
