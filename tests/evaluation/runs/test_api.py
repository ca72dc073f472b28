"""The page of acceptance runs: what it says, whom it tells, what it costs."""

import uuid
from datetime import timedelta

import pytest
from django.conf import settings
from django.utils import timezone

from annotation.releases.models import Release
from curation.core import jobs
from curation.core.models import WorkerSeen
from evaluation.runs import services
from evaluation.runs.models import Chunk, Run
from evaluation.runs.services import chunks
from tests.evaluation.accepted import accepted_item, add_system, benchmark, frozen_release, set_of, set_of_work
from tests.people import send, signed_in
from tests.protocols import names

pytestmark = pytest.mark.django_db
ADDRESS = "/api/v1/benchmarks/cvlue/runs"


@pytest.fixture
def team(by_number, tmp_path):
    made = benchmark("by-number")
    add_system(tmp_path, "by-number", "by-number")
    return made


def work_off() -> list[str]:
    return [services.embed_accepted(run_id) for run_id in services.sweep_predictions()]


def test_before_a_worker_came_the_run_waits(team):
    for number in (1, 2):
        accepted_item(team, number)
    services.sweep_predictions()
    run = Run.objects.get()
    answer = signed_in(team.senior).get(ADDRESS)
    assert answer.status_code == 200
    (row,) = answer.json()
    assert row.pop("updated_at").startswith(run.created_at.isoformat()[:19])
    assert row.pop("created_at").startswith(run.created_at.isoformat()[:19])
    assert row == {
        "id": run.pk,
        "system": {
            "slug": "by-number",
            "name": "by-number",
            "revision": run.system.revision,
            "description": names("by-number"),
            "is_demo": False,
        },
        "suite": "retrieval",
        "release": None,
        "state": "open",
        "status": "no_worker",
        "silent_s": None,
        "expected": 10,
        "done": 0,
        "failed": 0,
        "refused": 0,
        "cost": None,
        "set": {"id": run.set_id, "name": "", "origin": "rolling"},
        "manner": {
            "setting": "both",
            "means": "similarity",
            "side": "content",
            "language": "zh-Hans",
            "prompt": None,
            "scale": "1",
            "shots": 0,
        },
        "per_minute": None,
        "seconds_left": None,
        "last_error": None,
        "errors": [],
        "worker": {"alive": False, "last_seen": None, "workers": 0},
        "round": 0,
        "started_by": None,
        "available_actions": [],
    }


def test_after_a_worker_came_items_are_done_and_some_failed(team, django_assert_num_queries):
    items = [accepted_item(team, number) for number in (1, 2, 3)]
    (settings.MEDIA_ROOT / items[0].image.renditions.get().key).unlink()
    work_off()
    accepted_item(team, 4)
    set_of_work(team)
    chunks.cut_pending(Run.objects.get().pk)
    client = signed_in(team.admin)
    with django_assert_num_queries(7):  # session, benchmark, runs, workers, chunks, failures, errors
        (row,) = client.get(ADDRESS).json()
    assert (row["expected"], row["done"], row["failed"], row["status"]) == (20, 15, 5, "queued")
    assert row["errors"] == [{"code": "picture_missing", "n": 1}]
    assert (row["worker"]["alive"], row["worker"]["workers"]) == (True, 1)
    assert row["available_actions"] == ["run_pause", "run_cancel", "run_retry"]
    for number in (1, 2, 3):  # the same statements for more runs
        start(client, frozen_release(team, items, number=number))
    with django_assert_num_queries(7):
        assert len(client.get(ADDRESS).json()) == 4


def start(client, release) -> dict:
    set_of(release)
    body = {"system": "by-number", "suite": "retrieval", "release": release.pk, "client_key": uuid.uuid4().hex}
    return send(client, "POST", "benchmarks/cvlue/runs", body).json()


def test_a_run_is_started_watched_held_and_resumed(team, settings):
    settings.EMBED_ITEMS_AT_ONCE = 1
    release = frozen_release(team, [accepted_item(team, number) for number in (1, 2, 3, 4)])
    client = signed_in(team.admin)
    set_of(release)
    body = {"system": "by-number", "suite": "retrieval", "release": release.pk, "client_key": uuid.uuid4().hex}
    answer = send(client, "POST", "benchmarks/cvlue/runs", body)
    row = answer.json()
    assert (answer.status_code, row["status"], row["expected"]) == (201, "no_worker", 20)
    assert (row["release"], row["started_by"]["id"]) == ({"id": release.pk, "label": "captions-v1"}, team.admin.pk)
    assert send(client, "POST", "benchmarks/cvlue/runs", body | {"client_key": uuid.uuid4().hex}).status_code == 200
    address = f"runs/{row['id']}"
    stop = iter([False, True])
    services.embed_accepted(row["id"], stop=lambda: next(stop))
    chunks.claim_chunk(row["id"])
    now = client.get(f"/api/v1/{address}").json()
    assert (now["status"], now["done"], now["chunks"]) == (
        "running",
        5,
        {"queued": 2, "running": 1, "done": 1, "failed": 0},
    )
    assert now["per_minute"] > 0
    assert now["seconds_left"] == pytest.approx(15 * 60 / now["per_minute"], abs=1)
    assert now["settings"]["suite"] == "retrieval"
    assert now["environment"]["workers"][0]["embedder"] == {"device": "cpu", "dimension": 8}
    Chunk.objects.filter(state="running").update(heartbeat_at=timezone.now() - timedelta(seconds=45))
    now = client.get(f"/api/v1/{address}").json()
    assert (now["status"], now["silent_s"], now["per_minute"]) == ("silent", 45, None)
    paused = send(client, "POST", f"{address}/pause", {"client_key": uuid.uuid4().hex}).json()
    assert (paused["status"], paused["available_actions"]) == ("paused", ["run_resume", "run_cancel"])
    assert send(client, "POST", f"{address}/pause", {"client_key": uuid.uuid4().hex}).status_code == 409
    resumed = send(client, "POST", f"{address}/resume", {"client_key": uuid.uuid4().hex}).json()
    assert (resumed["state"], resumed["status"]) == ("open", "silent")
    cancelled = send(client, "POST", f"{address}/cancel", {"client_key": uuid.uuid4().hex}).json()
    assert (cancelled["status"], cancelled["available_actions"]) == ("cancelled", [])
    refused = send(client, "POST", f"{address}/retry", {"client_key": uuid.uuid4().hex})
    assert (refused.status_code, refused.json()["code"]) == (409, "action_not_allowed")


def test_failures_are_listed_by_item_with_their_messages(team, django_assert_num_queries):
    items = [accepted_item(team, number) for number in (1, 2, 3)]
    for item in items[:2]:
        (settings.MEDIA_ROOT / item.image.renditions.get().key).unlink()
    (settings.MEDIA_ROOT / items[2].image.renditions.get().key).write_bytes(b"no picture")
    release = frozen_release(team, items)
    client = signed_in(team.admin)
    run = start(client, release)
    services.embed_accepted(run["id"])
    address = f"/api/v1/runs/{run['id']}/failures"
    with django_assert_num_queries(4):  # session, run, count, rows
        first = client.get(f"{address}?page_size=2").json()
    assert (first["total"], first["total_is_capped"]) == (3, False)
    assert first["results"][0] == {
        "item": {"id": items[0].pk, "label": "cap-000001"},
        "revision_no": 1,
        "variant": "image",
        "code": "picture_missing",
        "message": "",
        "round": 0,
        "image": {"id": items[0].image_id, "label": "img-0001", "thumb_url": ""},
    }
    second = client.get(f"{address}?page_size=2&cursor={first['next']}").json()
    assert [(r["item"]["id"], r["code"]) for r in second["results"]] == [(items[2].pk, "picture_altered")]
    assert second["next"] is None
    assert client.get(f"{address}?code=picture_altered").json()["total"] == 1
    for cursor in ("x", "WzEsMl0", "WyJhIiwxLCJ4Il0"):
        assert client.get(f"{address}?cursor={cursor}").json()["code"] == "invalid_input"
    retried = send(client, "POST", f"runs/{run['id']}/retry", {"client_key": uuid.uuid4().hex}).json()
    assert (retried["state"], retried["round"], retried["status"], retried["failed"]) == ("open", 1, "queued", 15)


@pytest.mark.parametrize(("state", "offered"), [("frozen", True), ("published", True), ("withdrawn", False)])
def test_failures_over_a_withdrawn_release_cannot_be_retried(team, state, offered):
    item = accepted_item(team, 1)
    (settings.MEDIA_ROOT / item.image.renditions.get().key).unlink()
    release = frozen_release(team, [item])
    client = signed_in(team.admin)
    run = start(client, release)
    services.embed_accepted(run["id"])
    times = {"published": {"published_at": timezone.now()}, "withdrawn": {"withdrawn_at": timezone.now()}}
    Release.objects.update(state=state, **times.get(state, {}), withdrawn_reason="x" if state == "withdrawn" else "")
    shown = client.get(f"/api/v1/runs/{run['id']}").json()
    assert (shown["state"], shown["failed"]) == ("closed", 5)
    assert shown["available_actions"] == (["run_retry"] if offered else [])


def test_the_list_of_one_release_holds_its_runs_alone(team):
    item = accepted_item(team, 1)
    services.sweep_predictions()
    client = signed_in(team.admin)
    runs = [start(client, frozen_release(team, [item], number=number)) for number in (1, 2)]
    (row,) = client.get(f"{ADDRESS}?release={runs[0]['release']['id']}").json()
    assert row["id"] == runs[0]["id"]
    assert client.get(f"{ADDRESS}?release=x").json()["code"] == "invalid_input"


def test_sets_of_captions_are_listed_and_started_as_those_of_questions(team):
    release = frozen_release(team, [accepted_item(team, number) for number in (1, 2)])
    services.sweep_predictions()
    row = set_of(release)
    client = signed_in(team.admin)
    listed = {one["origin"]: one for one in client.get("/api/v1/benchmarks/cvlue/sets").json()["sets"]}
    assert {name: (one["suite"], one["size"], one["pictures"]) for name, one in listed.items()} == {
        "rolling": ("retrieval", 10, 2),
        "release": ("retrieval", 10, 2),
    }
    shown = client.get(f"/api/v1/sets/{row.pk}").json()
    assert (shown["release"]["label"], shown["available_actions"]) == ("captions-v1", ["set_run_start"])
    assert [(setting["name"], setting["prompts"]) for setting in shown["asks"]["settings"]] == [("both", [])]
    WorkerSeen.objects.create(queue="gpu", name="one:1", seen_at=timezone.now())
    grid = {"systems": ["by-number"]}
    [cell] = send(client, "POST", f"sets/{row.pk}/run-plans", grid).json()["cells"]
    assert (cell["state"], cell["questions"], cell["cost"], cell["means"]) == ("start", 10, "0", "similarity")
    for pictures, code in (["none"], "run_needs_picture"), (["1/2"], "run_setting_unknown"):
        [cell] = send(client, "POST", f"sets/{row.pk}/run-plans", grid | {"pictures": pictures}).json()["cells"]
        assert (cell["state"], cell["reason"]["code"]) == ("blocked", code)
    [started] = send(client, "POST", f"sets/{row.pk}/runs", grid | {"client_key": uuid.uuid4().hex}).json()["runs"]
    assert start(client, release)["id"] == started["id"]  # one system answers a setting once
    services.embed_accepted(started["id"])
    # Its vectors are searched; no profile reads them.
    for what in ("samples", "samples/1", "predictions", "report"):
        assert client.get(f"/api/v1/runs/{started['id']}/{what}").status_code == 404
    assert client.get(f"/api/v1/sets/{row.pk}/scores").json() == []


def test_a_failed_chunk_says_why_and_a_silent_worker_shows(team, tmp_path):
    accepted_item(team, 1)
    (tmp_path / "by-number" / "config.json").write_text('{"retouched": true}')
    work_off()
    WorkerSeen.objects.update(seen_at=timezone.now() - jobs.WORKER_SILENT_AFTER)
    (row,) = signed_in(team.curator).get(ADDRESS).json()
    assert row["last_error"] == {
        "code": "system_files_changed",
        "params": {"slug": "by-number", "revision": Run.objects.get().system.revision},
    }
    assert (row["status"], row["worker"]["alive"]) == ("failed", False)


def test_the_chunks_of_open_runs_are_counted_by_queue_for_prometheus(team, settings, client):
    settings.METRICS_TOKEN = "token"
    settings.EMBED_ITEMS_AT_ONCE = 1
    for number in (1, 2, 3):
        accepted_item(team, number)
    (run_id,) = services.sweep_predictions()
    chunks.claim_chunk(run_id)
    shown = client.get("/metrics", headers={"Authorization": "Bearer token"}).content.decode()
    assert [line for line in shown.splitlines() if line.startswith("lantern_chunks{")] == [
        'lantern_chunks{queue="gpu",state="queued"} 2.0',
        'lantern_chunks{queue="gpu",state="running"} 1.0',
    ]


@pytest.mark.parametrize(
    ("who", "status", "code"),
    [
        ("annotator", 403, "operation_not_allowed"),
        ("contributor", 403, "operation_not_allowed"),
        ("stranger", 403, "operation_not_allowed"),
    ],
)
def test_others_are_refused(team, who, status, code):
    answer = signed_in(getattr(team, who)).get(ADDRESS)
    assert (answer.status_code, answer.json()["code"]) == (status, code)


def test_a_senior_of_another_benchmark_learns_nothing(team):
    elsewhere = benchmark("by-number", slug="elsewhere", prefix="e-")
    answer = signed_in(elsewhere.senior).get(ADDRESS)
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


def test_without_a_session_nothing_is_told(team, client):
    assert client.get(ADDRESS).json()["code"] == "not_signed_in"
