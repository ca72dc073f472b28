"""Systems over HTTP: what was added, what only a record tells of, and asking for a fetch."""

from datetime import timedelta

import pytest
from django.utils import timezone

from curation.core.models import AuditEvent, Job, WorkerSeen
from evaluation.systems import services
from evaluation.systems.models import System
from tests.evaluation.accepted import add_system, benchmark
from tests.people import Role, key, person, signed_in, told

pytestmark = pytest.mark.django_db

COMMIT = "0123456789abcdef0123456789abcdef01234567"
RECORD = """
slug: {slug}
name: {name}
group: {group}
description: {{zh-Hans: 甲, zh-Hant: 甲, en: a}}
"""


@pytest.fixture
def shipped(settings, tmp_path):
    """Two records: one that the hub has and the backend ``clip`` runs, one that nothing here runs."""
    settings.FIXTURES = tmp_path
    (tmp_path / "systems").mkdir()
    for slug, more in (("zh-clip", "backend: clip\nhub_id: org/zh-clip\nlicence: MIT"), ("chatty", "access: closed")):
        text = RECORD.format(slug=slug, name=slug.title(), group="b") + more
        (tmp_path / "systems" / f"{slug}.yaml").write_text(text, encoding="utf-8")


def test_systems_that_were_added_and_records_that_were_not(by_number, shipped, tmp_path, django_assert_num_queries):
    team = benchmark()
    add_system(tmp_path, "first", "by-number")
    add_system(tmp_path, "first", "by-number", config='{"later": 1}')
    client = signed_in(team.senior)
    with django_assert_num_queries(4):  # session, systems, those asked for on servers, fetches
        rows = client.get("/api/v1/systems").json()
    assert [(r["slug"], r["state"], r["id"] is None) for r in rows] == [
        ("first", "ready", False),
        ("zh-clip", "not_fetched", True),
        ("chatty", "no_backend", True),
    ]
    first = System.objects.order_by("-pk")[0]
    (file,) = first.files
    assert file["name"] == "config.json"
    assert rows[0] | {"created_at": ""} == {
        "id": first.pk,
        "slug": "first",
        "name": "first",
        "revision": first.files_sha256[:12],
        "description": {"zh-Hans": "first", "zh-Hant": "first", "en": "first"},
        "is_demo": False,
        "organisation": "",
        "access": "open",
        "architecture": "",
        "size_millions": None,
        "group": "",
        "homepage": "",
        "hub_id": "",
        "backend": "by-number",
        "server": "",
        "files": [{"name": "config.json", "bytes": 12, "sha256": file["sha256"]}],
        "files_sha256": first.files_sha256,
        "runs_code": False,
        "parameters": {},
        "capabilities": ["embed"],
        "languages": [],
        "licence": "",
        "created_at": "",
        "state": "ready",
        "job": None,
        "worker": None,
        "runs": 0,
    }
    detail = client.get("/api/v1/systems/first").json()
    assert [r["revision"] for r in detail["revisions"]] == [
        s.revision for s in System.objects.filter(slug="first").order_by("-pk")
    ]
    assert client.get("/api/v1/systems/zh-clip").json()["revisions"] == []
    assert client.get("/api/v1/systems/nowhere").status_code == 404


def test_annotators_see_no_systems(by_number):
    answer = signed_in(benchmark().annotator).get("/api/v1/systems")
    assert (answer.status_code, answer.json()["code"]) == (403, "operation_not_allowed")


def owner():
    return person("head", None, Role.OWNER)


def fetches():
    return AuditEvent.objects.filter(action="system_fetch")


def ask(client, slug="zh-clip", **body):
    return client.post(f"/api/v1/systems/{slug}/fetch", {"client_key": key(), **body}, content_type="application/json")


def test_an_owner_asks_for_a_fetch_and_sees_how_far_it_is(shipped):
    head = owner()
    client = signed_in(head)
    sent = {"client_key": key(), "revision": "refs/pr/3"}
    body = ask(client, **sent).json()
    job = Job.objects.get()
    assert (body["state"], body["job"]["id"], body["job"]["state"]) == ("fetching", job.pk, "queued")
    assert body["worker"] == {"alive": False, "last_seen": None}
    assert (job.task, job.queue, job.actor_id) == ("evaluation.fetch_system", "gpu", head.pk)
    assert job.args == {"slug": "zh-clip", "revision": "refs/pr/3", "allow_code": False}
    event = fetches().get()
    assert (event.action, event.target_type, event.target_id, event.label) == ("system_fetch", "job", job.pk, "zh-clip")
    assert event.data == {**job.args, "hub_id": "org/zh-clip"}
    # The same command again, and a second press: one job. The key serves no other revision.
    assert ask(client, **sent).json()["job"]["id"] == job.pk
    assert told(ask(client, **sent | {"revision": "main"})) == (422, "client_key_reused")
    assert ask(client, revision="refs/pr/3").json()["job"]["id"] == job.pk
    now = timezone.now()
    WorkerSeen.objects.create(queue="gpu", name="w", seen_at=now)
    Job.objects.update(
        state="running", done=1024, total=4096, lease_until=now + timedelta(minutes=1), worker="w", attempt=1
    )
    (row,) = [r for r in client.get("/api/v1/systems").json() if r["slug"] == "zh-clip"]
    assert (row["job"]["done"], row["job"]["total"], row["worker"]["alive"]) == (1024, 4096, True)
    Job.objects.update(state="failed", error_code="hub_not_found", error_params={"hub_id": "org/zh-clip"})
    row = client.get("/api/v1/systems/zh-clip").json()
    assert (row["state"], row["job"]["error_code"], row["worker"]) == ("failed", "hub_not_found", None)


@pytest.mark.parametrize(
    ("slug", "body", "code"),
    [
        ("nowhere", {}, "not_found"),
        ("chatty", {}, "system_has_no_backend"),
        ("local", {}, "system_not_on_hub"),
        ("zh-clip", {"allow_code": True}, "code_needs_commit"),
        ("zh-clip", {"allow_code": True, "revision": COMMIT[:39]}, "code_needs_commit"),
        ("zh-clip", {"allow_code": True, "revision": COMMIT.upper()}, "code_needs_commit"),
        ("zh-clip", {"revision": "../../x"}, "invalid_input"),
        ("zh-clip", {"colour": "red"}, "invalid_input"),
    ],
)
def test_what_cannot_be_fetched_is_refused_and_changes_nothing(by_number, shipped, tmp_path, slug, body, code):
    add_system(tmp_path, "local", "by-number")
    assert ask(signed_in(owner()), slug, **body).json()["code"] == code
    assert (Job.objects.count(), fetches().count()) == (0, 0)


def test_one_revision_at_a_time(shipped):
    client = signed_in(owner())
    ask(client, revision="v1")
    answer = ask(client, revision="v2")
    assert (answer.status_code, answer.json()["code"]) == (409, "system_fetch_busy")
    assert answer.json()["params"] == {"slug": "zh-clip", "revision": "v1"}
    assert (Job.objects.count(), fetches().count()) == (1, 1)


def test_code_is_allowed_for_one_commit_and_noted(shipped):
    head = owner()
    assert ask(signed_in(head), revision=COMMIT, allow_code=True).status_code == 200
    event = fetches().get()
    assert (event.actor_id, event.data["allow_code"], event.data["revision"]) == (head.pk, True, COMMIT)


def test_a_commit_keeps_its_answer_about_code(by_number, shipped, tmp_path):
    folder = tmp_path / "zh-clip"
    folder.mkdir()
    (folder / "config.json").write_text("{}")
    record = services.queries.record_of("zh-clip")
    services.add_system(record.model_copy(update={"locator": str(folder), "revision": COMMIT}))
    answer = ask(signed_in(owner()), revision=COMMIT, allow_code=True)
    assert (answer.status_code, answer.json()["code"]) == (409, "system_code_differs")
    assert Job.objects.count() == 0


def test_only_an_owner_fetches(shipped):
    answer = ask(signed_in(benchmark().admin))
    assert (answer.status_code, answer.json()["code"]) == (403, "operation_not_allowed")
    assert Job.objects.count() == 0
