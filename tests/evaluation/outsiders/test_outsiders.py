"""Joining from outside, accepting terms, and files for people who accepted them."""

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from annotation.releases.models import Release
from curation.benchmarks.models import ProtocolVersion
from curation.benchmarks.rules import OUTSIDER
from curation.core.models import AuditEvent
from curation.people.models import Person, RoleGrant
from curation.people.services import grant_roles
from evaluation.publication.models import Publication, TermsAcceptance
from tests.evaluation.publication.published import TERMS, opened, world_with_release
from tests.evaluation.submissions.predictions import right, scored
from tests.evaluation.submissions.predictions import world_with_release as small_world
from tests.people import PASSWORD, key, person, send, signed_in, told

pytestmark = pytest.mark.django_db
SUBMIT = "benchmarks/cvlue/submit"
NEW = {"username": "li.lei", "name": "李雷", "password": PASSWORD, "language": "zh-Hant"}


@pytest.fixture(autouse=True)
def site(settings, tmp_path):
    settings.MEDIA_ROOT, settings.SIGN_UP = tmp_path, "open"
    cache.clear()
    return settings


def lets_sign_up(benchmark, value):
    """Adopt a protocol that says who may sign up."""
    old = benchmark.protocol
    content = old.content | {"publication": old.content.get("publication", {}) | {"sign_up": value}}
    facts = {"name": old.name, "source_sha256": old.source_sha256, "consent_sha256": old.consent_sha256}
    benchmark.protocol = ProtocolVersion.objects.create(
        benchmark=benchmark, version=old.version + 1, content=content, **facts
    )
    benchmark.save(update_fields=["protocol"])


@pytest.fixture
def here():
    """A benchmark with open pages that everybody may join."""
    team, _ = small_world(1)
    lets_sign_up(team.benchmark, "open")
    opened(team)
    return team


def sign_up(browser=None, **changes):
    return send(browser or Client(), "POST", f"{SUBMIT}/join", NEW | changes)


def page(browser=None):
    return send(browser or Client(), "GET", SUBMIT)


def outsiders():
    return list(RoleGrant.objects.filter(role=OUTSIDER).values_list("person__username", "granted_by", "ended_at"))


def test_an_account_is_created_and_joins(here):
    assert (page().json()["may_join"], page().json()["participation"]) == (True, "none")
    answer = sign_up()
    assert (answer.status_code, answer.json()) == (200, {"username": "li.lei"})
    made = Person.objects.get(username="li.lei")
    assert (made.name, made.language, made.check_password(PASSWORD)) == ("李雷", "zh-Hant", True)
    assert outsiders() == [("li.lei", None, None)]
    assert page(signed_in(made)).json()["participation"] == "outsider"
    event = AuditEvent.objects.get(action="submit_join")
    assert (event.actor_id, event.target_id, event.benchmark_id, event.data) == (
        made.pk,
        made.pk,
        here.benchmark.pk,
        {},
    )


def test_an_account_from_elsewhere_joins_once_and_a_member_stays_one(here):
    for _ in range(2):
        assert sign_up(signed_in(here.stranger)).json() == {"username": "stranger"}
    assert sign_up(signed_in(here.annotator)).json() == {"username": "annotator"}
    assert page(signed_in(here.annotator)).json()["participation"] == "member"
    assert outsiders() == [("stranger", None, None)]
    assert not Person.objects.filter(username="li.lei").exists()


def close_protocol(here, site, value):
    lets_sign_up(here.benchmark, value)


def close_site(here, site, value):
    site.SIGN_UP = value


def close_pages(here, site, value):
    Publication.objects.update(is_open=False)


@pytest.mark.parametrize(
    ("close", "value", "refusal"),
    [
        (close_protocol, "off", (403, "sign_up_closed")),
        (close_protocol, "invited", (403, "sign_up_closed")),
        (close_site, "off", (403, "sign_up_closed")),
        (close_pages, "", (404, "not_found")),
    ],
)
def test_both_settings_and_open_pages_are_needed(here, site, close, value, refusal):
    close(here, site, value)
    for browser in (Client(), signed_in(here.stranger)):
        assert told(sign_up(browser)) == refusal
    assert (outsiders(), Person.objects.filter(username="li.lei").count()) == ([], 0)
    assert told(page()) == refusal if refusal[0] == 404 else page().json()["may_join"] is False


def test_who_was_barred_comes_back_by_an_invitation_alone(here):
    assert sign_up().status_code == 200
    made = Person.objects.get(username="li.lei")
    end = f"role-grants/{made.role_grants.get().pk}/end"
    assert send(signed_in(here.admin), "POST", end, {"client_key": key()}).status_code == 200
    assert page(signed_in(made)).json()["participation"] == "barred"
    assert told(sign_up(signed_in(made))) == (403, "outsider_barred")
    body = {"roles": [OUTSIDER], "client_key": key()}
    token = send(signed_in(here.admin), "POST", "benchmarks/cvlue/invitations", body).json()["token"]
    assert send(signed_in(made), "POST", "invitations/accept", {"token": token}).status_code == 200
    assert page(signed_in(made)).json()["participation"] == "outsider"


def test_an_address_creates_five_accounts_an_hour(here):
    assert told(sign_up(password="short")) == (422, "password_too_weak")  # does not count as one
    assert told(sign_up(username="admin")) == (409, "username_taken")
    assert [sign_up(username=f"one-{n}").status_code for n in range(6)] == [200] * 5 + [429]
    assert len(outsiders()) == 5
    # Who has an account joins all the same.
    assert sign_up(signed_in(here.stranger)).status_code == 200
    other = send(Client(REMOTE_ADDR="203.0.113.9"), "POST", f"{SUBMIT}/join", NEW)
    assert other.status_code == 200


def test_an_address_tries_thirty_names_an_hour(here):
    tries = [sign_up(username="admin").status_code for _ in range(31)]
    assert tries == [409] * 30 + [429]


@pytest.mark.parametrize("missing", ["username", "name", "password"])
def test_a_new_account_needs_every_field(here, missing):
    body = {name: value for name, value in NEW.items() if name != missing}
    answer = send(Client(), "POST", f"{SUBMIT}/join", body)
    assert (told(answer), list(answer.json()["params"]["fields"])) == ((400, "invalid_input"), [missing])
    assert outsiders() == []


# --- Terms ------------------------------------------------------------------------------------------------------------


def accept(browser, sha256, client_key=None):
    body = {"terms_sha256": sha256, "client_key": client_key or key()}
    return send(browser, "POST", "benchmarks/cvlue/terms/accept", body)


def test_terms_are_accepted_once_for_each_text(here):
    browser = signed_in(here.stranger)
    assert page(browser).json()["terms"] == {
        "text": {"zh-Hans": "", "zh-Hant": "", "en": ""},
        "sha256": "",
        "for_files": False,
        "accepted": True,
    }
    assert told(accept(browser, "0" * 64)) == (409, "terms_changed")
    opened(here, terms=TERMS)
    sha256 = Publication.objects.get().terms_sha256
    assert page(browser).json()["terms"]["accepted"] is False
    same = key()
    assert accept(browser, sha256, same).json()["terms"]["accepted"] is True
    assert (accept(browser, sha256, same).status_code, accept(browser, sha256).status_code) == (200, 200)
    rows = list(TermsAcceptance.objects.values_list("person_id", "terms_sha256"))
    assert rows == [(here.stranger.pk, sha256)]
    publication = send(signed_in(here.admin), "GET", "benchmarks/cvlue/publication").json()
    assert publication["terms_accepted"] == 1
    assert [e.data for e in AuditEvent.objects.filter(action="terms_accept")] == [{"terms_sha256": sha256}]
    opened(here, terms={**TERMS, "en": "Other."})
    assert page(browser).json()["terms"]["accepted"] is False
    publication = send(signed_in(here.admin), "GET", "benchmarks/cvlue/publication").json()
    assert publication["terms_accepted"] == 0
    assert told(accept(browser, sha256)) == (409, "terms_changed")
    assert TermsAcceptance.objects.count() == 1


def test_files_under_accepted_terms_are_for_who_accepted_them():
    team, release = world_with_release(4)
    opened(team, release, terms=TERMS, terms_mode="account")
    [name, *_] = [file.name for file in release.files.filter(is_key=False, name="test.jsonl")] or ["README.md"]
    address = f"/p/cvlue/captions-v1/files/{name}"
    stranger = person("reader")
    browser, nobody = signed_in(stranger), Client()
    for who in (nobody, browser):
        for file in (address, "/p/cvlue/captions-v1/archive.zip"):
            answer = who.get(file, headers={"Accept-Language": "zh-TW"})
            assert (answer.status_code, answer["Cache-Control"]) == (403, "private, no-cache")
            body = answer.content.decode()
            assert "登入並接受使用條款後才能下載檔案。" in body
            assert 'href="/submit/cvlue"' in body
            assert 'data-code="terms_not_accepted"' in body
            assert answer.cookies == {}
    assert accept(browser, Publication.objects.get().terms_sha256).status_code == 200
    answer = browser.get(address)
    assert (answer.status_code, answer["Cache-Control"], answer.cookies) == (200, "private, no-cache", {})
    assert nobody.get(address).status_code == 403
    # Who was barred has no more of the files, and accepts nothing.
    grant_roles(person=stranger, benchmark_id=team.benchmark.pk, roles=[OUTSIDER], granted_by=None)
    assert browser.get(address).status_code == 200
    assert act(team.admin, stranger.pk, "bar").status_code == 200
    for file in (address, "/p/cvlue/captions-v1/archive.zip"):
        assert browser.get(file).status_code == 403
    assert told(accept(browser, Publication.objects.get().terms_sha256)) == (403, "outsider_barred")
    assert act(team.admin, stranger.pk, "readmit").status_code == 200
    assert browser.get(address).status_code == 200
    opened(team, terms={**TERMS, "en": "Other."})
    assert browser.get(address).status_code == 403


@pytest.mark.parametrize(
    ("site_open", "sign_up", "sentence"),
    [
        ("open", "open", "Anyone can create an account."),
        ("off", "open", "Accounts are by invitation."),
        ("open", "invited", "Accounts are by invitation."),
        ("open", "off", "For now only members of the team can submit."),
    ],
)
def test_public_pages_lead_to_the_page_for_submissions(site, site_open, sign_up, sentence):
    team, release = world_with_release(4)
    lets_sign_up(team.benchmark, sign_up)
    site.SIGN_UP = site_open
    opened(team, release)
    body = Client().get("/p/cvlue/en/").content.decode()
    assert sentence in body
    assert 'href="/submit/cvlue"' in body


# --- The list for administrators --------------------------------------------------------------------------------------


def outsider_list(who, query=""):
    return send(signed_in(who), "GET", f"benchmarks/cvlue/outsiders{query}")


def act(who, person_id, action, client_key=None):
    return send(
        signed_in(who), "POST", f"benchmarks/cvlue/outsiders/{person_id}/{action}", {"client_key": client_key or key()}
    )


def test_administrators_see_who_submits_from_outside(here):
    release = Release.objects.get()
    assert sign_up().status_code == 200
    made = Person.objects.get(username="li.lei")
    invited = person("invited", here.benchmark, OUTSIDER)
    RoleGrant.objects.filter(person=invited).update(granted_by=here.admin)
    Release.objects.update(state="published", published_at=timezone.now())
    opened(here, release, terms=TERMS)
    assert accept(signed_in(made), Publication.objects.get().terms_sha256).status_code == 200
    assert (
        send(signed_in(made), "PUT", "benchmarks/cvlue/crew", {"name": "灯会组", "client_key": key()}).status_code
        == 200
    )
    scored(made, release, right(1))
    scored(made, release, b"not readable")
    first, second = outsider_list(here.admin).json()["results"]
    assert (first["username"], first["invited_by"]["id"], first["submissions"], first["crew"]) == (
        "invited",
        here.admin.pk,
        0,
        "",
    )
    assert (first["terms_accepted"], first["last_submission_at"], first["barred_at"]) == (False, None, None)
    assert (second["person"], second["invited_by"], second["submissions"], second["crew"]) == (
        {"id": made.pk, "name": "李雷"},
        None,
        1,
        "灯会组",
    )
    assert (second["terms_accepted"], second["last_submission_at"] is None) == (True, False)
    assert {tuple(row["available_actions"]) for row in (first, second)} == {("outsider_bar",)}
    for who, refusal in ((here.annotator, (403, "operation_not_allowed")), (made, (404, "not_found"))):
        assert told(outsider_list(who)) == refusal
    assert here.annotator.pk not in {row["person"]["id"] for row in (first, second)}


def test_an_administrator_bars_and_readmits_an_outsider(here):
    assert sign_up().status_code == 200
    made = Person.objects.get(username="li.lei")
    same = key()
    for _ in range(2):
        assert act(here.admin, made.pk, "bar", same).json()["available_actions"] == ["outsider_readmit"]
    assert told(act(here.admin, made.pk, "bar")) == (409, "action_not_allowed")
    assert page(signed_in(made)).json()["participation"] == "barred"
    assert told(sign_up(signed_in(made))) == (403, "outsider_barred")
    assert [row["username"] for row in outsider_list(here.admin, "?barred=true").json()["results"]] == ["li.lei"]
    assert outsider_list(here.admin, "?barred=false").json()["results"] == []
    row = act(here.admin, made.pk, "readmit").json()
    assert (row["barred_at"], row["invited_by"]["id"]) == (None, here.admin.pk)
    assert told(act(here.admin, made.pk, "readmit")) == (409, "action_not_allowed")
    assert page(signed_in(made)).json()["participation"] == "outsider"
    assert [row["username"] for row in outsider_list(here.admin).json()["results"]] == ["li.lei"]  # one row a person
    log = AuditEvent.objects.filter(action__startswith="outsider_").order_by("pk")
    assert [(e.action, e.actor_id, e.target_type, e.target_id, e.state_to) for e in log] == [
        ("outsider_bar", here.admin.pk, "outsider", made.pk, "barred"),
        ("outsider_readmit", here.admin.pk, "outsider", made.pk, "outsider"),
    ]


def test_members_are_not_barred_as_outsiders(here):
    for action in ("bar", "readmit"):
        assert told(act(here.admin, here.annotator.pk, action)) == (404, "not_found")
        assert told(act(here.annotator, here.annotator.pk, action)) == (403, "operation_not_allowed")
    assert not RoleGrant.objects.filter(person=here.annotator).exclude(ended_at=None).exists()
