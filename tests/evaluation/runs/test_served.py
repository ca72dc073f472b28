"""Models on servers, from the owner's word to the figures, through a server that speaks for real."""

from pathlib import Path

import numpy as np
import pytest

from config.model_servers import read
from curation.core import jobs
from curation.core.models import AuditEvent, Job, WorkerSeen
from curation.wire import transport
from evaluation.backends.demo_encoder import DemoEncoder
from evaluation.runs import queries, services
from evaluation.runs.models import Chunk, Feature, Reply, ReplyFailure, Run
from evaluation.runs.services import embedding
from evaluation.scoring import queries as scores
from evaluation.scoring import services as scoring
from evaluation.systems import services as system_services
from evaluation.systems.models import System
from tests.evaluation.accepted import accepted_item, benchmark, figures, frozen_release, revise, set_of
from tests.model_server import MODEL, StandIn, with_nan
from tests.people import Role, key, person, signed_in
from tests.shared import shared

pytestmark = pytest.mark.django_db
ROOT = Path(__file__).parents[3]
KEY = "sesame-open-up"
SERVE = {"slug": "big", "name": "Big", "server": "big"}


@pytest.fixture(scope="module")
def encoder():
    return DemoEncoder.load(ROOT / "fixtures/models/demo-dual-encoder")


@pytest.fixture(params=["vllm"])
def server(request, encoder, settings, monkeypatch):
    monkeypatch.setattr(transport, "_FIRST_PAUSE", 0.001)
    with StandIn(encoder, request.param, key=KEY) as running:
        settings.MODEL_SERVERS = read([f"big={running.address}/v1"], {"MODEL_SERVER_KEY_BIG": KEY})
        settings.MODEL_SERVER_RETRIES = 1
        settings.EMBED_ITEMS_AT_ONCE = 2
        yield running


@shared
def team():
    return benchmark("big")


@pytest.fixture
def owner():
    return signed_in(person("head", None, Role.OWNER))


def ask(client, **body):
    return client.post("/api/v1/systems", {"client_key": key(), **SERVE, **body}, content_type="application/json")


def add(client, **body) -> Job:
    """Add the model as an owner does, and carry the job out as a worker does."""
    answer = ask(client, **body)
    assert answer.status_code == 200, answer.content
    jobs.run(answer.json()["job"]["id"], system_services.serve_system)
    return Job.objects.get(pk=answer.json()["job"]["id"])


def work_off() -> list[str]:
    return [services.embed_accepted(run_id) for run_id in services.sweep_predictions()]


def test_an_owner_adds_a_model_on_a_server_and_sees_what_it_said(server, owner, settings):
    assert owner.get("/api/v1/model-servers").json() == [{"name": "big"}]
    body = ask(owner, text_template="Query: {text}", dtype="bfloat16").json()
    job = Job.objects.get()
    assert (body["state"], body["server"], body["worker"]) == ("fetching", "big", {"alive": False, "last_seen": None})
    assert (job.queue, server.asked) == ("served", [])  # the web process asked nobody
    assert jobs.run(job.pk, system_services.serve_system) == "done"
    body = owner.get("/api/v1/systems/big").json()
    said = {"speaks": "vllm", "model": MODEL, "root": f"/models/{MODEL}", "max_model_len": 120, "version": "0.12.0"}
    assert (body["state"], body["backend"], body["files"], len(body["files_sha256"])) == ("ready", "served", [], 64)
    assert body["parameters"] == {
        "model": MODEL,
        "text_template": "Query: {text}",
        "picture_text": "",
        "normalise": True,
        "dimensions": None,
        "dtype": "bfloat16",
        "said": said,
        "dimension": 64,
    }
    # Neither the address nor the key stands anywhere that people see.
    kept = [
        str(body),
        *(str(e.data) for e in AuditEvent.objects.all()),
        *(str(j.args) + j.log for j in Job.objects.all()),
    ]
    assert not [text for text in kept if KEY in text or server.address in text]
    # Asked again, it is the same; where it says otherwise, another revision.
    add(owner, text_template="Query: {text}", dtype="bfloat16")
    assert System.objects.count() == 1
    server.version = "0.13.0"
    add(owner, text_template="Query: {text}", dtype="bfloat16")
    assert [r["parameters"]["said"]["version"] for r in owner.get("/api/v1/systems/big").json()["revisions"]] == [
        "0.13.0",
        "0.12.0",
    ]


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"server": "http://10.0.0.1"}, "model_server_unknown"),
        ({"server": "other"}, "model_server_unknown"),
        ({"slug": "demo-dual-encoder"}, "system_slug_taken"),
        ({"text_template": "no place"}, "invalid_input"),
        ({"text_template": "{text}{text}"}, "invalid_input"),
        ({"url": "http://10.0.0.1"}, "invalid_input"),
    ],
)
def test_what_cannot_be_asked_is_refused_at_once(server, owner, body, code):
    assert ask(owner, **body).json()["code"] == code
    assert (Job.objects.count(), System.objects.count()) == (0, 0)


def test_a_server_that_cannot_be_asked_is_told_and_nothing_is_added(server, owner):
    server.key = "another"
    job = add(owner)
    assert (job.state, job.error_code) == ("failed", "model_server_refused")
    body = owner.get("/api/v1/systems/big").json()
    assert (body["state"], body["revisions"], System.objects.count()) == ("failed", [], 0)
    server.key = KEY
    assert add(owner, model="nobody/knows").error_code == "model_not_served"
    assert add(owner).state == "done"


@pytest.mark.parametrize("server", ["vllm", "sglang"], indirect=True)
def test_figures_are_those_of_the_same_encoder_in_the_worker(server, owner):
    team = benchmark("big", "demo-dual-encoder")
    add(owner)
    items = [accepted_item(team, n) for n in (1, 2, 3)]
    release = frozen_release(team, items)
    set_of(release)
    services.sweep_predictions()
    assert {run.queue for run in queries.pending_runs()} == {"gpu", "served"}
    assert work_off() == ["done"] * 4
    served, local = (Run.objects.get(system__slug=slug, set__release=release) for slug in ("big", "demo-dual-encoder"))
    answers = [{(one.item_id, one.variant): one.vector for one in scores.answers(run)} for run in (served, local)]
    far, near = (np.stack([of[key] for key in sorted(of)]) for of in answers)
    assert far.shape == (18, 64)
    np.testing.assert_allclose(far, near, atol=1e-6)
    assert [jobs.run(job, scoring.score_set_run) for job in scoring.sweep_scores()] == ["done", "done"]
    found = [
        [(line.scope, line.metric, line.value) for _, line in figures(run=run, set__release=release)]
        for run in (served, local)
    ]
    assert found[0] == found[1] != []
    (worker,) = served.environment["workers"]
    assert worker["embedder"]["device"] == "model server big"
    assert set(worker["packages"]) == {"openai", "httpx2", "numpy", "pillow"}


def test_one_input_the_server_refuses_is_its_own_failure(server, owner, team):
    add(owner)
    item = accepted_item(team, 1)
    content = {"captions": ["灯" * 121, "一", "二", "三", "四"]}
    revise(item, team.annotator, content=content)
    item.accepted_no = item.revision_no
    item.save(update_fields=["accepted_no"])
    assert work_off() == ["done"]
    failed = ReplyFailure.objects.get()
    assert (failed.input, failed.entry.part, failed.code) == ("text", 0, "input_too_long")
    assert "121 tokens" in failed.message
    assert Reply.objects.count() == 4


def test_nan_is_the_inputs_failure(server, owner, team):
    add(owner)
    accepted_item(team, 1)
    server.bend = with_nan
    assert work_off() == ["done"]
    assert set(ReplyFailure.objects.values_list("code", flat=True)) == {"vector_not_finite"}


def test_a_server_given_another_model_stops_the_run_until_it_is_added_again(server, owner, team):
    add(owner)
    for number in (1, 2, 3):
        accepted_item(team, number)
    (run_id,) = services.sweep_predictions()
    embed, chunks = server.embedded, []

    def swapped_after_the_first_chunk(body):
        chunks.append(body)
        if len(chunks) == 12:
            server.version = "0.13.0"
        return embed(body)

    server.embedded = swapped_after_the_first_chunk
    assert services.embed_accepted(run_id) == "failed"
    chunk = Chunk.objects.get(state="failed")
    assert chunk.error_params == {"server": "big", "changes": "version 0.12.0 → 0.13.0"}
    assert (chunk.error_code, Reply.objects.count(), ReplyFailure.objects.count()) == ("model_server_changed", 10, 0)
    add(owner)
    assert work_off() == ["done"]
    assert [r.replies.count() for r in Run.objects.order_by("pk")] == [10, 15]


def test_a_server_that_comes_back_finds_the_run_where_it_was(server, owner, team):
    add(owner)
    for number in (1, 2, 3):
        accepted_item(team, number)
    (run_id,) = services.sweep_predictions()
    embed, asked = server.embedded, []

    def goes_away(body):
        asked.append(body)
        if len(asked) == 14:
            server.faults += ["drop"] * 99
        return embed(body)

    server.embedded = goes_away
    assert services.embed_accepted(run_id) == "failed"
    assert Chunk.objects.get(state="failed").error_code == "model_server_unreachable"
    assert (Reply.objects.count(), ReplyFailure.objects.count()) == (10, 0)  # nobody is blamed for it
    server.faults.clear()
    Chunk.objects.filter(state="failed").update(finished_at="2020-01-01T00:00:00Z")
    assert work_off() == ["done"]
    assert (Reply.objects.count(), Feature.objects.count(), Run.objects.get().round) == (15, 18, 0)


def test_a_worker_killed_at_a_request_repeats_its_chunk_and_nothing_twice(server, owner, team, monkeypatch):
    add(owner)
    for number in (1, 2, 3):
        accepted_item(team, number)
    (run_id,) = services.sweep_predictions()
    monkeypatch.setattr(embedding, "unanswered", dies_at_the_second(embedding.unanswered))
    with pytest.raises(KeyboardInterrupt):
        services.embed_accepted(run_id)
    assert Reply.objects.count() == 10
    assert (services.embed_accepted(run_id), Reply.objects.count()) == ("done", 10)  # its lease still runs
    Chunk.objects.exclude(lease_until=None).update(lease_until="2020-01-01T00:00:00Z")
    assert services.embed_accepted(run_id) == "done"
    assert Reply.objects.count() == 15
    assert len(server.asked) == 2 + 18  # the owner's word, then each input once


def dies_at_the_second(unanswered):
    calls = []

    def wrapped(run, chunk):
        calls.append(chunk)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return unanswered(run, chunk)

    return wrapped


def test_who_serves_a_queue_is_told_for_its_runs_alone(server, owner, team):
    add(owner)
    accepted_item(team, 1)
    services.sweep_predictions()
    WorkerSeen.objects.all().delete()
    services.report_worker("gpu")
    assert queries.run_list(team.admin, "cvlue")[0]["status"] == "no_worker"
    services.report_worker("served")
    assert queries.run_list(team.admin, "cvlue")[0]["status"] == "queued"
    assert set(WorkerSeen.objects.values_list("queue", flat=True)) == {"gpu", "served"}
