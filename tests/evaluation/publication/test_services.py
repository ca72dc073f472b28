"""Opening and closing public pages: who decides, what is refused, what the log says, what heads see."""

import uuid

import pytest
from django.db import DatabaseError, IntegrityError, transaction

from curation.core.errors import ActionNotAllowed, ClientKeyReused, NotFound, OperationNotAllowed
from curation.core.models import AuditEvent
from evaluation.publication import queries, services
from evaluation.publication.errors import ReleaseNotPublished, TermsMissing
from evaluation.publication.models import Publication, PublicRelease, TermsAcceptance
from tests.annotation.releases.content import filled, frozen, team
from tests.evaluation.publication.published import TERMS, content, opened, withdraw, world_with_release
from tests.people import key, send, signed_in, told

pytestmark = pytest.mark.django_db
ADDRESS = "/api/v1/benchmarks/cvlue/publication"
UPDATE = ADDRESS.removeprefix("/api/v1/")


@pytest.fixture(autouse=True)
def media(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "media"
    return settings.MEDIA_ROOT


def update(here, *, actor=None, client_key=None, **settings):
    return services.update_publication(
        actor=actor or here.admin, benchmark_slug="cvlue", client_key=client_key or uuid.uuid4(), **settings
    )


def open_release(here, release, *, actor=None, client_key=None):
    return services.open_release(
        actor=actor or here.admin, release_id=release.pk, client_key=client_key or uuid.uuid4()
    )


def logged():
    return list(AuditEvent.objects.filter(action__contains="public").order_by("pk").values_list("action", "data"))


def test_pages_are_closed_until_an_administrator_opens_them():
    here = team(content=content())
    assert queries.publication_detail(here.admin, "cvlue")["is_open"] is False
    for person, error in (
        (here.curator, OperationNotAllowed),
        (here.owner, OperationNotAllowed),
        (here.stranger, NotFound),
    ):
        with pytest.raises(error):
            update(here, actor=person, is_open=True)
    assert (Publication.objects.count(), logged()) == (0, [])
    same = uuid.uuid4()
    update(here, is_open=True, client_key=same)
    update(here, is_open=True, client_key=same)
    assert Publication.objects.get().is_open
    assert logged() == [("publication_update", {"is_open": True, "terms_sha256": "", "changed": ["is_open"]})]
    update(here, is_open=False)
    assert not Publication.objects.get().is_open


def test_the_log_has_codes_and_no_text():
    here = team(content=content())
    citation = {"authors": ["Wang, Li"], "title": "T", "year": 2026, "url": ""}
    publication = update(here, terms=TERMS, citation=citation)
    assert logged() == [
        ("publication_update", {"terms_sha256": publication.terms_sha256, "changed": ["citation", "terms"]})
    ]


@pytest.mark.parametrize(
    "values", [{"terms_mode": "account"}, {"terms": {**TERMS, "en": ""}}, {"terms_mode": "account", "terms": {}}]
)
def test_terms_are_complete_or_there_are_none(values):
    here = team(content=content())
    with pytest.raises(TermsMissing):
        update(here, **values)
    assert (Publication.objects.count(), logged()) == (0, [])


def test_another_text_of_terms_has_another_sha256():
    here = team(content=content())
    first = update(here, terms=TERMS).terms_sha256
    second = update(here, terms={**TERMS, "en": "Anything."}).terms_sha256
    assert (len(first), first != second) == (64, True)
    TermsAcceptance.objects.create(person=here.annotator, benchmark=here.benchmark, terms_sha256=first)
    with pytest.raises(IntegrityError), transaction.atomic():
        TermsAcceptance.objects.create(person=here.annotator, benchmark=here.benchmark, terms_sha256=first)
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        TermsAcceptance.objects.update(terms_sha256=second)


def test_only_published_releases_are_opened():
    here = team(content=content())
    filled(here, 4)
    release = frozen(here)
    with pytest.raises(ReleaseNotPublished):
        open_release(here, release)
    assert (PublicRelease.objects.count(), logged()) == (0, [])


def test_a_release_is_opened_and_closed_once():
    here, release = world_with_release(4)
    same = uuid.uuid4()
    with pytest.raises(OperationNotAllowed):
        open_release(here, release, actor=here.senior)
    open_release(here, release, client_key=same)
    open_release(here, release, client_key=same)
    with pytest.raises(ActionNotAllowed):
        open_release(here, release)
    with pytest.raises(ClientKeyReused):
        services.close_release(actor=here.admin, release_id=release.pk, client_key=same)
    services.close_release(actor=here.admin, release_id=release.pk, client_key=uuid.uuid4())
    with pytest.raises(ActionNotAllowed):
        services.close_release(actor=here.admin, release_id=release.pk, client_key=uuid.uuid4())
    assert logged() == [("public_release_open", {"digest": release.digest}), ("public_release_close", {})]
    assert PublicRelease.objects.get().closed_at is not None


def test_no_benchmark_opens_anothers_release():
    _, release = world_with_release(4)
    other = team(slug="other", prefix="other-")
    with pytest.raises(NotFound):
        open_release(other, release)
    with pytest.raises(IntegrityError):
        PublicRelease.objects.create(release=release, benchmark=other.benchmark)


def test_heads_see_what_is_public_and_which_files_are_closed():
    here, release = world_with_release()
    opened(here, release, terms=TERMS)
    withdraw(here, 1)
    [row] = queries.publication_detail(here.owner, "cvlue")["releases"]
    assert (row["label"], row["is_public"], row["withdrawn_images"], row["downloads"]) == ("captions-v1", True, 1, 0)
    assert len(row["closed_files"]) == 1
    assert row["closed_files"][0].endswith("-00000-of-00001.parquet")
    assert row["available_actions"] == []  # owners decide nothing here
    [row] = queries.publication_detail(here.admin, "cvlue")["releases"]
    assert row["available_actions"] == ["public_release_close"]


def test_by_http():
    here, release = world_with_release(4)
    admin = signed_in(here.admin)
    body = {"is_open": True, "terms": TERMS, "client_key": key()}
    answer = send(admin, "PATCH", UPDATE, body)
    assert (answer.status_code, answer.json()["is_open"], answer.json()["terms"]) == (200, True, TERMS)
    answer = send(admin, "POST", f"releases/{release.pk}/open", {"client_key": key()})
    assert [row["is_public"] for row in answer.json()["releases"]] == [True]
    answer = send(admin, "POST", f"releases/{release.pk}/close", {"client_key": key()})
    assert [row["is_public"] for row in answer.json()["releases"]] == [False]
    wrong = {"authors": ["A"], "title": "", "year": 1, "url": "javascript:alert(1)"}
    answer = send(admin, "PATCH", UPDATE, {"citation": wrong, "client_key": key()})
    assert told(answer) == (400, "invalid_input")
    assert sorted(answer.json()["params"]["fields"]["citation"]) == ["url", "year"]


def test_heads_preview_pages_that_are_closed():
    here, _ = world_with_release()
    for person in (here.admin, here.owner):
        answer = signed_in(person).get(f"{ADDRESS}/preview/en/captions-v1/samples")
        assert (answer.status_code, answer["Cache-Control"]) == (200, "no-store")
        body = answer.content.decode()
        assert f'src="{ADDRESS}/preview/captions-v1/pictures/' in body
        assert "/p/cvlue" not in body
    picture = body.partition(f'src="{ADDRESS}')[2].partition('"')[0]
    assert signed_in(here.admin).get(f"{ADDRESS}{picture}").status_code == 200
    filtered = signed_in(here.admin).get(f"{ADDRESS}/preview/en/captions-v1/samples?split=train&category=&page=1")
    assert (filtered.status_code, "text/html" in filtered["Content-Type"]) == (200, True)
    assert signed_in(here.annotator).get(f"{ADDRESS}/preview/en/").status_code == 403
    assert signed_in(here.admin).get("/p/cvlue/en/").status_code == 404
