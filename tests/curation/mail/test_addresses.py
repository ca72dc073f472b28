"""Addresses: only with a mail server, only after the link in the mail, one account each, limited, never revealed."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from curation.core.models import AuditEvent
from curation.mail.models import Mail, Mailbox
from curation.mail.queries import has_verified_address, mail_configured
from curation.mail.rules import LINKS_PER_ADDRESS, LINKS_PER_PAIR, LINKS_PER_PERSON, clean_address, may_send_link
from curation.mail.services import send_mails
from tests.people import send, signed_in, told, world
from tests.protocols import captions_protocol
from tests.shared import shared
from tests.smtp_server import mail_server, use

pytestmark = pytest.mark.django_db
NOTHING = {"available": True, "address": "", "pending": "", "digest": "off", "zone": "Asia/Shanghai"}


@shared
def here():
    return world(captions_protocol())


@pytest.fixture
def site(settings):
    with mail_server() as running:
        use(settings, running)
        yield running


def name(browser, address):
    return send(browser, "POST", "session/mail/address", {"address": address})


def link_in(mail):
    return re.findall(r"https://lantern.example.org/mail/confirm#(\S+)", mail.get_content())[0]


def link_in_next_mail(site):
    send_mails()
    return link_in(site.mails[-1])


def confirm(token, browser=None):
    return send(browser or Client(), "POST", "mail/confirm", {"token": token})


def verify(site, who, address):
    name(signed_in(who), address)
    send_mails()
    return confirm(link_in(site.mails[-1]))


def test_without_a_mail_server_there_is_no_mail_anywhere(here):
    browser = signed_in(here.annotator)
    assert not mail_configured()
    assert send(browser, "GET", "session/mail").json() == NOTHING | {"available": False}
    assert told(name(browser, "li@example.org")) == (409, "mail_not_configured")
    assert (Mailbox.objects.count(), Mail.objects.count()) == (0, 0)


def test_an_address_counts_once_its_link_was_used(here, site):
    browser = signed_in(here.annotator)
    assert send(browser, "GET", "session/mail").json() == NOTHING
    waiting = NOTHING | {"pending": "li@example.org"}
    assert name(browser, " li@EXAMPLE.org ").json() == waiting
    assert send_mails() == 1
    [(recipients, mail)] = site.received
    assert (recipients, mail["To"], mail["From"]) == (
        ["li@example.org"],
        "li@example.org",
        "Lantern <lantern@example.org>",
    )
    assert (mail["Subject"], mail["Auto-Submitted"]) == ("Lantern：确认邮箱地址", "auto-generated")
    assert "https://lantern.example.org 上的账号 annotator 填写了此邮箱地址" in mail.get_content()
    assert not has_verified_address(here.annotator)
    token = link_in(mail)
    assert token not in str(list(Mailbox.objects.values()) + list(AuditEvent.objects.values()))
    # Whoever opens the link need not be signed in, and being signed in as somebody else changes nothing.
    assert confirm(token, signed_in(here.senior)).json() == {"username": "annotator", "address": "li@example.org"}
    assert (has_verified_address(here.annotator), has_verified_address(here.senior)) == (True, False)
    assert send(browser, "GET", "session/mail").json() == NOTHING | {"address": "li@example.org"}
    assert told(confirm(token)) == (404, "mail_link_unknown")
    events = (
        AuditEvent.objects.filter(action__startswith="address").order_by("id").values_list("action", "actor_id", "data")
    )
    assert list(events) == [("address_set", here.annotator.pk, {}), ("address_confirm", here.annotator.pk, {})]


@pytest.mark.parametrize(
    ("language", "subject"), [("en", "Lantern: confirm your address"), ("zh-Hant", "Lantern：確認電子郵件地址")]
)
def test_the_mail_is_in_the_language_of_its_reader(here, site, language, subject):
    here.annotator.language = language
    here.annotator.save(update_fields=["language"])
    name(signed_in(here.annotator), "li@example.org")
    send_mails()
    assert site.mails[0]["Subject"] == subject


def test_the_earlier_address_stays_until_the_new_one_is_verified(here, site):
    verify(site, here.annotator, "old@example.org")
    browser = signed_in(here.annotator)
    both = NOTHING | {"address": "old@example.org", "pending": "new@example.org"}
    assert name(browser, "new@example.org").json() == both
    send_mails()
    first = link_in(site.mails[-1])
    assert name(browser, "newer@example.org").json()["pending"] == "newer@example.org"
    assert told(confirm(first)) == (404, "mail_link_unknown")
    assert name(browser, "old@example.org").json() == both | {"pending": ""}
    assert send_mails() == 0
    assert verify(site, here.annotator, "new@example.org").json()["address"] == "new@example.org"


def test_removing_an_address_ends_its_link_and_the_mail_that_waits(here, site):
    verify(site, here.annotator, "li@example.org")
    browser = signed_in(here.annotator)
    name(browser, "two@example.org")
    assert send(browser, "POST", "session/mail/address/remove", {}).json() == NOTHING
    assert (send_mails(), len(site.mails), has_verified_address(here.annotator)) == (0, 1, False)
    assert list(Mail.objects.order_by("pk").values_list("state", flat=True)) == ["sent", "dropped"]
    assert send(browser, "POST", "session/mail/address/remove", {}).json() == NOTHING
    assert AuditEvent.objects.filter(action="address_remove").count() == 1


def test_who_has_an_address_is_told_only_to_who_reads_its_mail(here, site):
    verify(site, here.annotator, "li@example.org")
    taken, free = (name(signed_in(here.senior), a) for a in ("LI@example.org", "free@example.org"))
    assert taken.status_code == free.status_code == 200
    assert taken.json().keys() == free.json().keys()
    name(signed_in(here.senior), "LI@example.org")
    send_mails()
    assert told(confirm(link_in(site.mails[-1]))) == (409, "address_taken")
    assert (has_verified_address(here.senior), Mailbox.objects.get(person=here.annotator).address) == (
        False,
        "li@example.org",
    )


def test_links_expire_and_closed_accounts_have_none(here, site):
    browser = signed_in(here.annotator)
    name(browser, "li@example.org")
    send_mails()
    token = link_in(site.mails[-1])
    Mailbox.objects.update(pending_until=timezone.now() - timedelta(seconds=1))
    assert told(confirm(token)) == (404, "mail_link_unknown")
    Mailbox.objects.update(pending_until=timezone.now() + timedelta(hours=1))
    here.annotator.is_active = False
    here.annotator.save(update_fields=["is_active"])
    assert told(confirm(token)) == (404, "mail_link_unknown")
    assert told(confirm("")) == (400, "invalid_input")
    assert told(confirm("x" * 43)) == (404, "mail_link_unknown")
    assert Mailbox.objects.get().address == ""


def test_links_are_limited_for_a_person(here, site):
    browser = signed_in(here.annotator)
    for n in range(LINKS_PER_PERSON):
        assert name(browser, f"li{n}@example.org").status_code == 200
    assert told(name(browser, "li@example.org")) == (429, "too_many_mails")
    assert Mailbox.objects.get().pending == f"li{LINKS_PER_PERSON - 1}@example.org"
    Mail.objects.update(created_at=timezone.now() - timedelta(days=1, seconds=1))
    assert name(browser, "li@example.org").status_code == 200


def test_nobody_who_types_an_address_keeps_its_owner_from_a_link(here, site):
    address = "victim@example.org"
    for who in (here.senior, here.curator):
        browser = signed_in(who)
        answers = [name(browser, address.title()).status_code for _ in range(LINKS_PER_PAIR + 1)]
        assert answers == [200] * LINKS_PER_PAIR + [429]
    # All links of the day to the address are used up, and its owner gets one all the same, but no second.
    assert Mail.objects.count() == LINKS_PER_ADDRESS
    owner = signed_in(here.annotator)
    assert name(owner, address).status_code == 200
    token = link_in_next_mail(site)
    assert told(name(owner, address)) == (429, "too_many_mails")
    assert (Mail.objects.count(), Mailbox.objects.get(person=here.annotator).pending) == (11, address)
    assert confirm(token).json() == {"username": "annotator", "address": address}
    # Another address is not affected, nor the same one a day later.
    assert name(owner, "other@example.org").status_code == 200
    Mail.objects.update(created_at=timezone.now() - timedelta(days=1, seconds=1))
    assert name(signed_in(here.senior), address).status_code == 200


@pytest.mark.parametrize(
    ("by_person", "to_address", "both", "may"),
    [
        (9, 9, 4, True),
        (10, 0, 0, False),
        (5, 5, 5, False),
        (1, 10, 1, False),
        (9, 10_000, 0, True),
    ],
)
def test_the_limits_of_links(by_person, to_address, both, may):
    assert may_send_link(by_person=by_person, to_address=to_address, by_person_to_address=both) is may


WRONG = [
    "li",
    "li@",
    "@example.org",
    "li@example",
    "li li@example.org",
    "li@example.org\nBcc: all@example.org",
    "li@exa\r\nmple.org",
    "li@example.org,all@example.org",
    "Li <li@example.org>",
    '"li\r\n"@example.org',
    "li@[127.0.0.1]",
    "li..li@example.org",
    "李@example.org",
    f"{'l' * 65}@example.org",
    "li@-example.org",
    "",
]


@pytest.mark.parametrize("address", WRONG)
def test_what_is_no_address_is_refused(here, site, address):
    answer = name(signed_in(here.annotator), address)
    assert told(answer) in {(422, "address_invalid"), (400, "invalid_input")}
    assert (Mailbox.objects.count(), Mail.objects.count()) == (0, 0)


@pytest.mark.parametrize(
    ("address", "cleaned"),
    [
        ("Li.Lei+bench@Example.ORG", "Li.Lei+bench@example.org"),
        ("li@例子.中国", "li@xn--fsqu00a.xn--fiqs8s"),
        ("o'brien@a-b.example.museum", "o'brien@a-b.example.museum"),
    ],
)
def test_what_is_one(address, cleaned):
    assert clean_address(address) == cleaned
