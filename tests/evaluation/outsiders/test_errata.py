"""People outside the team report mistakes in what the public pages show, read their own, and learn what was decided."""

import uuid

import pytest
from django.core.cache import cache
from django.utils import timezone

from annotation.releases import services
from annotation.releases.models import Erratum, ReleaseEntry
from curation.benchmarks.models import ProtocolVersion
from curation.benchmarks.rules import OUTSIDER
from curation.images.models import Image
from curation.mail.models import Mailbox
from curation.mail.services import send_mails, set_digest
from curation.people.models import Notice, RoleGrant
from evaluation.publication.models import Publication, PublicRelease
from tests.evaluation.publication.published import opened, published_release, withdraw, world_with_release
from tests.people import key, person, send, signed_in, told
from tests.smtp_server import mail_server, use

pytestmark = pytest.mark.django_db
ERRATA = "benchmarks/cvlue/errata"
SECRET = "第三句不对"
LABEL = "captions-v1"


@pytest.fixture(autouse=True)
def media(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "media"
    cache.clear()


@pytest.fixture
def here():
    """A benchmark with a public release whose samples are of two of its three splits."""
    team, release = world_with_release(per_split=2)
    opened(team, release)
    return team


@pytest.fixture
def outsider(here):
    return person("outsider", here.benchmark, OUTSIDER)


def sampled(browser):
    """The items that the public pages show, and the others."""
    labels = [entry.item.label for entry in ReleaseEntry.objects.select_related("item").order_by("ordinal")]
    shown = [label for label in labels if browser.get(f"/p/cvlue/en/{LABEL}/samples/{label}").status_code == 200]
    return shown, [label for label in labels if label not in shown]


def report(browser, item="", release=LABEL, client_key=None):
    body = {"item": item, "release": release, "text": SECRET, "client_key": client_key or key()}
    return send(browser, "POST", ERRATA, body)


def decide(here, action, erratum, note=None):
    command = getattr(services, f"{action}_erratum")
    return command(actor=here.curator, erratum_id=erratum, note=note or {"en": "Noted."}, client_key=uuid.uuid4())


def test_an_outsider_reports_what_the_samples_show_and_nothing_else(here, outsider):
    browser = signed_in(outsider)
    shown, others = sampled(browser)
    assert (len(shown), len(others)) == (3, 9)
    for item in shown:
        assert report(browser, item).status_code == 201
    assert report(browser, shown[0], release="").status_code == 201
    assert report(browser).status_code == 201  # the release as a whole
    assert Erratum.objects.count() == 5
    hidden = [*others, "cap-999", "vqa-1", "x"]
    answers = [report(browser, item, release) for item in hidden for release in (LABEL, "")]
    assert {(answer.status_code, answer.content) for answer in answers} == {
        (404, b'{"code":"reported_unknown","params":{},"detail":"No published release has this."}')
    }
    assert report(signed_in(here.annotator), others[0]).status_code == 201
    assert Erratum.objects.filter(reported_by=outsider).count() == 5


def close_pages(team):
    Publication.objects.update(is_open=False)


def close_release(team):
    PublicRelease.objects.update(closed_at=timezone.now())


def show_no_samples(team):
    """Adopt a protocol under which no split has samples."""
    old = team.benchmark.protocol
    content = old.content | {"publication": {"samples": {"splits": []}}}
    facts = {"name": old.name, "source_sha256": old.source_sha256, "consent_sha256": old.consent_sha256}
    team.benchmark.protocol = ProtocolVersion.objects.create(
        benchmark=team.benchmark, version=old.version + 1, content=content, **facts
    )
    team.benchmark.save(update_fields=["protocol"])


def withdraw_pictures(team):
    for number in Image.objects.filter(benchmark=team.benchmark).values_list("number", flat=True):
        withdraw(team, number)


@pytest.mark.parametrize("close", [close_pages, close_release, show_no_samples, withdraw_pictures])
def test_nothing_is_reported_that_is_public_no_longer(here, outsider, close):
    browser = signed_in(outsider)
    shown, _ = sampled(browser)
    close(here)
    assert told(report(browser, shown[0])) == (404, "reported_unknown")
    assert not Erratum.objects.exists()


def test_a_later_release_that_is_not_open_is_not_there(here, outsider):
    later = published_release(here)
    browser = signed_in(outsider)
    shown, _ = sampled(browser)
    assert told(report(browser, shown[0], release=later.label)) == (404, "reported_unknown")
    assert report(browser, shown[0], release="").json()["release"]["label"] == LABEL
    assert [row.release.label for row in Erratum.objects.all()] == [LABEL]


def test_an_outsider_reads_their_own_and_decides_about_none(here, outsider):
    browser = signed_in(outsider)
    [item, *_], _ = sampled(browser)
    mine, other = report(browser, item).json(), report(signed_in(here.annotator), item).json()
    decide(here, "confirm", mine["id"])
    [row] = send(browser, "GET", ERRATA).json()["results"]
    assert (row["no"], row["state"], row["item"], row["item_id"], row["text"]) == (1, "confirmed", item, None, SECRET)
    assert (row["reported_by"]["id"], row["available_actions"]) == (outsider.pk, [])
    assert [(event["by"], event["note"]["en"]) for event in row["events"]] == [(None, "Noted.")]
    for erratum in (mine, other):
        for action in ("confirm", "reject", "withdraw"):
            answer = send(
                browser, "POST", f"errata/{erratum['id']}/{action}", {"note": {"en": "x"}, "client_key": key()}
            )
            assert told(answer) == (404, "not_found")
    RoleGrant.objects.filter(person=outsider).update(ended_at=timezone.now())
    for answer in (send(browser, "GET", ERRATA), report(browser, item)):
        assert told(answer) == (403, "operation_not_allowed")  # as any operation for an account without a role
    assert Erratum.objects.count() == 2


def test_a_decision_reaches_the_outsider_and_no_other_notice_does(here, outsider):
    browser = signed_in(outsider)
    [item, *_], _ = sampled(browser)
    erratum = report(browser, item).json()["id"]
    # From when they were a member.
    Notice.objects.create(
        person=outsider, benchmark=here.benchmark, code="mentioned", target_type="item", target_id=1, actor=here.admin
    )
    decide(here, "reject", erratum)
    page = send(browser, "GET", "notices").json()
    [row] = page["results"]
    assert (row["code"], row["params"], row["actor"]) == ("erratum_rejected", {"no": 1, "label": item}, None)
    assert (row["target_type"], row["target_id"], page["unread"]) == ("erratum", erratum, 1)
    RoleGrant.objects.filter(person=outsider).update(ended_at=timezone.now())
    assert send(browser, "GET", "notices").json()["results"] == []


def test_mails_lead_the_outsider_to_the_page_for_people_outside(here, outsider, settings):
    browser = signed_in(outsider)
    [item, *_], _ = sampled(browser)
    with mail_server() as site:
        use(settings, site)
        for who in (outsider, here.annotator):
            Mailbox.objects.create(person=who, address=f"{who.username}@example.org", verified_at=timezone.now())
            set_digest(actor=who, digest="at_once")
            decide(here, "confirm", report(signed_in(who), item).json()["id"])
        assert send_mails() == 2
    pages = {to: mail.get_content().splitlines()[:2] for [to], mail in site.received}
    assert pages == {
        f"{name}@example.org": [f"https://lantern.example.org/{page}/cvlue", "- 你报告的错误的处理结果：1"]
        for name, page in (("outsider", "submit"), ("annotator", "b"))
    }
