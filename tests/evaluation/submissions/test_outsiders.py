"""People outside the team submit for public releases, see their own results, and nothing else."""

import uuid

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from annotation.releases.models import Release
from curation.benchmarks.rules import OUTSIDER
from curation.core.errors import NotFound
from curation.mail.models import Mailbox
from curation.people.models import RoleGrant
from evaluation.publication.models import Publication, PublicRelease, TermsAcceptance
from evaluation.submissions import services
from evaluation.submissions.models import Submission
from tests.evaluation.submissions.predictions import right, scored, submit, world_with_release
from tests.people import key, person, send, signed_in, told

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def store(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path
    return tmp_path


def public(release: Release) -> Release:
    """Publish a frozen release and open its page."""
    Release.objects.filter(pk=release.pk).update(state="published", published_at=timezone.now())
    Publication.objects.get_or_create(benchmark=release.benchmark, defaults={"is_open": True})
    PublicRelease.objects.create(release=release, benchmark=release.benchmark)
    release.refresh_from_db()
    return release


def post(browser, release, **more):
    file = SimpleUploadedFile("a.jsonl", right(1))
    form = {"system": "某模型", "profile": "cvlue-itr/paper", "client_key": key(), "file": file} | more
    return browser.post(f"/api/v1/releases/{release.pk}/submissions", form)


def test_an_outsider_submits_and_sees_only_their_own():
    team, release = world_with_release(1)
    public(release)
    other = submit(team.annotator, release, right(1))
    outsider = person("outsider", team.benchmark, OUTSIDER)
    browser = signed_in(outsider)
    answer = post(browser, release)
    assert answer.status_code == 201
    mine = answer.json()["id"]
    listing = send(browser, "GET", f"releases/{release.pk}/submissions").json()
    assert [row["id"] for row in listing["results"]] == [mine]
    assert send(browser, "GET", f"submissions/{mine}").status_code == 200
    assert send(browser, "GET", f"releases/{release.pk}/submissions/template").status_code == 200
    for address in (f"submissions/{other.pk}", f"submissions/{other.pk}/file"):
        assert told(send(browser, "GET", address)) == (404, "not_found")
    found = scored(outsider, release, right(1))
    answer = send(browser, "POST", f"submissions/{found.pk}/list-on", {"client_key": key()})
    assert (answer.status_code, answer.json()["listed"]) == (200, True)
    for address in (f"releases/{release.pk}", f"releases/{release.pk}/leaderboard", f"releases/{release.pk}/scores"):
        assert told(send(browser, "GET", address)) == (404, "not_found")


def test_who_is_barred_while_their_file_comes_in_submits_nothing(store):
    team, release = world_with_release(1)
    public(release)
    outsider = person("outsider", team.benchmark, OUTSIDER)

    def files():
        return sorted(path for path in store.rglob("*") if path.is_file())

    before = files()

    def blocks():
        yield right(1)
        RoleGrant.objects.filter(person=outsider).update(ended_at=timezone.now())

    fields = {"name": "a.jsonl", "system": "某模型", "note": "", "profile": "cvlue-itr/paper"}
    with pytest.raises(NotFound):
        services.create_submission(
            actor=outsider, release_id=release.pk, blocks=blocks(), client_key=uuid.uuid4(), **fields
        )
    assert (Submission.objects.count(), files()) == (0, before)


def test_an_outsider_accepts_the_terms_first():
    team, release = world_with_release(1)
    public(release)
    text = {"zh-Hans": "x", "zh-Hant": "x", "en": "x"}
    Publication.objects.update(terms=text, terms_sha256="5" * 64)
    outsider = person("outsider", team.benchmark, OUTSIDER)
    assert told(post(signed_in(outsider), release)) == (403, "terms_not_accepted")
    template = f"releases/{release.pk}/submissions/template"
    assert told(send(signed_in(outsider), "GET", template)) == (403, "terms_not_accepted")
    assert Submission.objects.count() == 0
    assert post(signed_in(team.annotator), release).status_code == 201  # members agreed to the consent text
    TermsAcceptance.objects.create(person=outsider, benchmark=team.benchmark, terms_sha256="5" * 64)
    assert post(signed_in(outsider), release).status_code == 201


@pytest.mark.parametrize("closed", ["pages", "release", "withdrawn", "frozen"])
def test_only_public_releases_are_there_for_outsiders(closed):
    team, release = world_with_release(1)
    public(release)
    browser = signed_in(person("outsider", team.benchmark, OUTSIDER))
    listed = f"benchmarks/{team.benchmark.slug}/submissions"
    assert [row["release"]["id"] for row in send(browser, "GET", listed).json()] == [release.pk]
    if closed == "pages":
        Publication.objects.update(is_open=False)
    elif closed == "release":
        PublicRelease.objects.update(closed_at=timezone.now())
    else:
        reason = {"withdrawn_at": timezone.now(), "withdrawn_reason": "x"} if closed == "withdrawn" else {}
        Release.objects.filter(pk=release.pk).update(state=closed, **reason)
    assert send(browser, "GET", listed).json() == []
    assert told(post(browser, release)) == (404, "not_found")
    for address in ("submissions", "submissions/template"):
        assert told(send(browser, "GET", f"releases/{release.pk}/{address}")) == (404, "not_found")
    assert Submission.objects.count() == 0
    # To members the answer says that it was withdrawn.
    wanted = {"withdrawn": (404, "release_withdrawn")}.get(closed)
    if wanted:
        assert told(post(signed_in(team.annotator), release)) == wanted


def test_an_outsider_needs_a_verified_address_where_the_site_sends_mail(settings):
    team, release = world_with_release(1)
    public(release)
    outsider = person("outsider", team.benchmark, OUTSIDER)
    browser = signed_in(outsider)
    settings.MAIL_CONFIGURED = True
    Mailbox.objects.create(person=outsider, pending="li@example.org")
    assert told(post(browser, release)) == (403, "mail_not_verified")
    assert Submission.objects.count() == 0
    assert post(signed_in(team.annotator), release).status_code == 201
    Mailbox.objects.update(address="li@example.org", verified_at=timezone.now(), pending="")
    assert post(browser, release).status_code == 201
