"""Health, figures and logs: what they say, to whom, and what they never say."""

import io
import json
import logging
import threading

import pytest
from django.db import DatabaseError, connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from prometheus_client.parser import text_string_to_metric_families

from config.watch import health, metrics
from config.watch.logs import JsonLines
from curation.core import jobs
from curation.people.models import Person
from tests.annotation import track
from tests.people import key, send, signed_in

OK = {"database": "ok", "migrations": "ok", "broker": "ok", "cache": "ok", "storage": "ok"}
TOKEN = "a-token-for-figures-of-32-letters"


def ready():
    """What readiness tells who has the token for metrics."""
    return Client().get("/readyz", headers={"Authorization": f"Bearer {TOKEN}"})


@pytest.fixture(autouse=True)
def asked_afresh(monkeypatch, settings):
    settings.METRICS_TOKEN = TOKEN
    monkeypatch.setattr(health, "_last", None)
    monkeypatch.setattr(health, "_hanging", {})


@pytest.fixture
def told_of(monkeypatch):
    """Replace one part's check; returns what readiness answers."""

    def replace(name, check):
        monkeypatch.setitem(health.CHECKS, name, check)
        answer = ready()
        return answer.status_code, answer.json()

    return replace


@pytest.fixture
def lines():
    """Everything logged, as it would be written in service."""
    written = io.StringIO()
    handler = logging.StreamHandler(written)
    handler.setFormatter(JsonLines())
    root = logging.getLogger()
    root.addHandler(handler)
    yield lambda: [json.loads(line) for line in written.getvalue().splitlines()]
    root.removeHandler(handler)


def fail():
    raise DatabaseError("password=hunter2 host=db.internal")


def test_a_line_can_be_written_whatever_its_text():
    record = logging.LogRecord("lantern", logging.WARNING, "", 0, "灯 %s", ("\ud800\0",), None)
    assert json.loads(JsonLines().format(record).encode())["message"] == "灯 ��"


# --- Health and readiness ---


def test_health_touches_nothing():
    answer = Client().get("/healthz")  # without the database fixture a query would fail the test
    assert (answer.status_code, answer.content, answer.cookies) == (200, b"ok", {})


@pytest.mark.django_db(transaction=True)
def test_ready_when_every_part_answers():
    answer = ready()
    assert (answer.status_code, answer.json()) == (200, {"ready": True, "parts": OK})
    assert answer.headers["Cache-Control"] == "no-store"


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("authorization", ["", "Bearer ", "Bearer guessed"])
def test_strangers_learn_whether_it_is_ready_and_nothing_of_its_parts(monkeypatch, authorization):
    headers = {"Authorization": authorization}
    assert Client().get("/readyz", headers=headers).json() == {"ready": True}
    monkeypatch.setitem(health.CHECKS, "cache", fail)
    monkeypatch.setattr(health, "_last", None)
    answer = Client().get("/readyz", headers=headers)
    assert (answer.status_code, answer.json()) == (503, {"ready": False})


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("part", ["database", "migrations", "cache", "storage"])
def test_health_names_a_failing_part_and_nothing_else(told_of, part):
    assert told_of(part, fail) == (503, {"ready": False, "parts": OK | {part: "failed"}})


@pytest.mark.django_db(transaction=True)
def test_without_a_broker_requests_are_served_all_the_same(told_of):
    assert told_of("broker", fail) == (200, {"ready": True, "parts": OK | {"broker": "failed"}})


@pytest.mark.django_db(transaction=True)
def test_a_version_whose_migrations_are_missing_is_not_ready(monkeypatch):
    wanted = health._expected_migrations() | {("curation", "9999_of_tomorrow")}
    monkeypatch.setattr(health, "_expected_migrations", lambda: wanted)
    answer = ready()
    assert (answer.status_code, answer.json()["parts"]) == (503, OK | {"migrations": "behind"})


@pytest.mark.django_db(transaction=True)
def test_a_storage_folder_that_cannot_be_written_is_not_ready(settings, tmp_path):
    (tmp_path / "file").write_text("no folder")
    settings.MEDIA_ROOT = tmp_path / "file" / "media"
    answer = ready()
    assert (answer.status_code, answer.json()["parts"]) == (503, OK | {"storage": "failed"})


@pytest.mark.django_db(transaction=True)
def test_a_hanging_part_occupies_one_thread_for_any_number_of_requests(monkeypatch):
    entered, free = [], threading.Event()

    def hang():
        entered.append(1)
        free.wait(30)
        return "ok"

    monkeypatch.setitem(health.CHECKS, "database", hang)
    monkeypatch.setattr(health, "TIMEOUT_SECONDS", 0.05)
    monkeypatch.setattr(health, "CACHE_SECONDS", 0.0)
    told = [ready().json()["parts"]["database"] for _ in range(3)]
    free.set()
    assert (told, len(entered)) == (["slow"] * 3, 1)


@pytest.mark.django_db(transaction=True)
def test_asking_often_asks_the_parts_once_a_second(monkeypatch):
    asked = []
    monkeypatch.setitem(health.CHECKS, "cache", lambda: asked.append(1) or "ok")
    monkeypatch.setattr(health, "CACHE_SECONDS", 60.0)
    assert [ready().status_code for _ in range(5)] == [200] * 5
    assert len(asked) == 1


# --- Figures ---


def figures(text):
    return {
        (sample.name, *sorted(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


@pytest.mark.parametrize("token", ["", TOKEN])
def test_metrics_need_the_token(settings, token):
    settings.METRICS_TOKEN = token
    for sent in ({}, {"Authorization": "Bearer "}, {"Authorization": "Bearer wrong"}, {"Authorization": TOKEN}):
        answer = Client().get("/metrics", headers=sent)
        assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


def test_figures_count_requests_by_operation_and_jobs_by_state(settings, db):
    settings.METRICS_TOKEN = TOKEN
    with_token = {"Authorization": f"Bearer {TOKEN}"}
    client = Client()
    before = figures(client.get("/metrics", headers=with_token).content.decode())
    client.get("/api/v1/session")
    client.get("/api/v1/somebody@example.org")
    jobs.enqueue(task="curation.nothing", args={}, dedupe_key="one")
    jobs.worker_seen("default")
    after = figures(client.get("/metrics", headers=with_token).content.decode())
    shown = ("lantern_requests_total", ("operation", "session_show"), ("status", "401"))
    missing = ("lantern_requests_total", ("operation", "none"), ("status", "404"))
    assert after[shown] == before.get(shown, 0) + 1
    assert after[missing] == before.get(missing, 0) + 1
    assert after["lantern_jobs_open", ("queue", "default"), ("state", "queued")] == 1
    assert after["lantern_worker_silent_seconds", ("queue", "default")] < 60
    assert abs(after["lantern_clock_offset_seconds",]) < 60
    assert after["lantern_database_up",] == 1
    assert not any("example.org" in str(name) for name in after)


def test_metrics_are_served_without_the_database(settings, monkeypatch):
    settings.METRICS_TOKEN = TOKEN
    monkeypatch.setattr(metrics, "_ask", fail)
    answer = Client().get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"})
    assert answer.status_code == 200
    assert figures(answer.content.decode())["lantern_database_up",] == 0


# --- Logs ---


def test_a_request_is_one_line_with_the_id_that_its_answer_carries(db, lines):
    answer = Client().get("/api/v1/session", headers={"X-Request-Id": "0123456789abcdef" * 2})
    [line] = [line for line in lines() if line["logger"] == "lantern.request"]
    assert answer.headers["X-Request-Id"] == line["request_id"] == "0123456789abcdef" * 2
    assert isinstance(line.pop("ms"), float)
    assert line.pop("time").endswith("+00:00")
    assert line == {
        "level": "info",
        "logger": "lantern.request",
        "message": "answered",
        "request_id": "0123456789abcdef" * 2,
        "operation": "session_show",
        "method": "GET",
        "status": 401,
    }


@pytest.mark.parametrize("sent", ["anna@example.org-anna@example.org", "0" * 65, "", '"}\n{"level": "error"'])
def test_an_id_that_is_none_is_replaced(sent, lines):
    answer = Client().get("/healthz", headers={"X-Request-Id": sent})
    assert answer.headers["X-Request-Id"] != sent
    assert len(answer.headers["X-Request-Id"]) == 32


def test_watching_costs_no_statement(db):
    with CaptureQueriesContext(connection) as made:
        Client().get("/api/v1/session")
    assert len(made) == 0


SECRETS = {
    "username": "wanglihua1987",
    "name": "王丽华 Lihua",
    "password": "correct-horse-battery",
    "wrong": "wrong-horse-battery-1",
    "email": "lihua@example.org",
    "text": "一个穿红衣的邻居王师傅",
    "telephone": "13800138000",
}


@pytest.fixture
def walked(lines):
    """Requests of many kinds that carry what nobody may find in a log."""
    here = track.new_world(pictures=2)
    admin = signed_in(here.admin)
    asked = {"roles": ["annotator"], "note": SECRETS["email"], "client_key": key()}
    token = send(admin, "POST", "benchmarks/cvlue/invitations", asked).json()["token"]
    person = {name: SECRETS[name] for name in ("username", "name", "password")} | {"token": token}
    broken = send(Client(), "POST", "invitations/accept", person | {SECRETS["email"]: SECRETS["telephone"]})
    made = send(Client(), "POST", "invitations/accept", person)
    assert (made.status_code, broken.status_code) == (200, 400), made.content
    stranger = Client(raise_request_exception=False)
    log_in = "/_allauth/browser/v1/auth/login"
    for password, status in ((SECRETS["wrong"], 400), (SECRETS["password"], 200)):
        body = {"username": SECRETS["username"], "password": password}
        answer = stranger.post(log_in, json.dumps(body), content_type="application/json")
        assert answer.status_code == status
    send(stranger, "POST", "invitations/read", {"token": SECRETS["password"]})
    stranger.get(f"/api/v1/people/{SECRETS['email']}?telephone={SECRETS['telephone']}")
    stranger.get("/api/v1/session", headers={"Host": SECRETS["email"].replace("@", ".")})
    stranger.get(
        "/api/v1/session", headers={"Authorization": f"Bearer {SECRETS['password']}", "User-Agent": SECRETS["name"]}
    )
    annotator = signed_in(here.annotator)
    package = send(annotator, "POST", "benchmarks/cvlue/packages/claim", {"kind": "captions"}).json()["id"]
    [item, *_] = send(annotator, "GET", f"packages/{package}/next?after=0").json()["items"]
    content = {"captions": [SECRETS["text"]] * 5}
    send(annotator, "PUT", f"items/{item['id']}/draft", {"base_no": 0, "seq": 1, "content": content})

    return here, annotator, lines


@pytest.mark.django_db
def test_no_line_holds_what_people_typed(walked):
    _, _, lines = walked
    written = lines()
    text = "\n".join(json.dumps(line, ensure_ascii=False) for line in written)
    assert {line["operation"] for line in written if "operation" in line} >= {
        "invitation_accept", "invitation_create", "invitation_read", "draft_save", "package_claim",
        "session_show", "none",
    }  # fmt: skip
    assert [name for name, secret in SECRETS.items() if secret in text] == []
    known = {"time", "level", "logger", "message", "request_id", "operation", "method", "status", "ms", "error"}
    assert set().union(*written) <= known


@pytest.mark.django_db
def test_an_unexpected_error_is_logged_by_type_and_place_without_its_text(lines, monkeypatch):
    here = track.new_world(pictures=1)
    taken = here.annotator.username

    def refuse(self, request):
        Person.objects.create(username=taken, name=SECRETS["name"])

    monkeypatch.setattr("curation.people.api.views.SessionView.get", refuse)
    answer = send(signed_in(here.annotator), "GET", "session")
    assert answer.status_code == 500
    [told] = [line["error"] for line in lines() if "error" in line and line["logger"] == "curation.core.api.views"]
    assert (told["type"], told["sqlstate"]) == ("django.db.utils.IntegrityError", "23505")
    assert told["constraint"].startswith("curation_person")
    assert any(" refuse" in place for place in told["where"])
    text = json.dumps(lines(), ensure_ascii=False)
    assert (SECRETS["name"] in text, taken in text) == (False, False)


def test_a_tasks_arguments_and_answers_stay_out(lines):
    told = {
        "name": "curation.check",
        "id": "1",
        "runtime": 0.5,
        "return_value": SECRETS["name"],
        "args": SECRETS["text"],
    }
    logging.getLogger("celery.app.trace").warning("%(name)s[%(id)s] in %(runtime)s: %(return_value)s %(args)s", told)
    assert [line["message"] for line in lines()] == ["curation.check[1] in 0.5: ... ..."]
