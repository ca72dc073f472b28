"""Grids of settings: what their cells cost and take, why some cannot be started, and starting the others."""

import json
import time
from decimal import Decimal
from types import SimpleNamespace

import pytest
from django.core.management import CommandError, call_command

from config.model_servers import read as read_servers
from curation.calls.models import Budget, Call
from curation.calls.queries import amount
from curation.core import jobs
from curation.core.errors import ClientKeyReused
from curation.core.models import AuditEvent
from evaluation.runs import services
from evaluation.runs.errors import GridTooLarge, NothingToStart
from evaluation.runs.models import Chunk, Run
from evaluation.runs.rules import Grid
from evaluation.runs.services import planning, replying, working
from evaluation.scoring import services as scoring
from evaluation.scoring.tasks import score_set_run
from evaluation.systems import services as systems
from evaluation.systems.models import System
from evaluation.systems.rules import SystemRecord
from tests.curation.calls.room import budget, offer
from tests.evaluation.accepted import benchmark
from tests.evaluation.answering import benchmarks
from tests.evaluation.sets.files import create, read, start_all, work, zipped
from tests.model_server import StandIn
from tests.people import key, send, signed_in

pytestmark = pytest.mark.django_db
ABOUT = {"zh-Hans": "x", "zh-Hant": "x", "en": "x"}
CELL = {"systems": ["demo-scripted"]}


@pytest.fixture
def team(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "media"
    systems.ensure_fixture_systems()
    return benchmark()


@pytest.fixture
def made(team, tmp_path):
    def one(suite):
        gold = benchmarks.of_suite(suite, tmp_path)
        return read(create(team, suite, gold, zipped(tmp_path / "pictures")))

    return one


@pytest.fixture
def alive():
    for queue in ("gpu", "served"):
        jobs.worker_seen(queue)


def plan(team, row, **grid):
    return services.plan_set_runs(team.admin, row.pk, grid=Grid(**grid))


def cells(team, row, *names, **grid):
    return [tuple(cell[name] for name in names) for cell in plan(team, row, **grid)["cells"]]


def reasons(team, row, **grid):
    return [cell["reason"] and cell["reason"]["code"] for cell in plan(team, row, **grid)["cells"]]


def counts():
    return Run.objects.count(), Chunk.objects.count(), AuditEvent.objects.count()


def chat(settings, *, capabilities=("generate",), address="http://127.0.0.1:9", hosted=False, slug="large"):
    """A language model on a server, as it is added to the site."""
    servers = [f"big={address}"]
    settings.MODEL_SERVERS = read_servers([] if hosted else servers, {}, servers if hosted else [])
    record = {"slug": slug, "name": "Large", "description": ABOUT, "backend": "chat", "locator": "big"}
    record |= {"parameters": {"model": "m"}, "capabilities": capabilities}
    return systems.add_system(SystemRecord.model_validate(record))


def test_every_cell_says_how_it_asks_and_what_cannot_be_says_why(team, made, alive):
    row = made("cvqa")
    answer = plan(
        team,
        row,
        systems=["demo-scripted", "demo-dual-encoder", "nobody"],
        settings=["located", "open"],
        pictures=["1", "none"],
    )
    first = answer["cells"][0]
    assert {name: first[name] for name in ("system", "setting", "means", "side", "language", "prompt", "scale")} == {
        "system": "demo-scripted",
        "setting": "located",
        "means": "likelihood",
        "side": "content",
        "language": "en",
        "prompt": 1,
        "scale": "1",
    }
    assert [(c["state"], c["reason"] and c["reason"]["code"]) for c in answer["cells"]] == [
        *[("start", None)] * 4,
        ("start", None),
        ("blocked", "run_needs_picture"),
        *[("blocked", "system_not_for_suite")] * 2,  # options' texts are ranked by likelihood
        *[("blocked", "system_not_for_suite")] * 4,
    ]
    assert (answer["starts"], answer["questions"], answer["costs"]) == (5, 10, [])
    assert counts()[:2] == (0, 0)


@pytest.mark.parametrize(
    ("suite", "grid", "code"),
    [
        ("vqa", {"languages": ["fr"]}, "run_prompt_missing"),
        ("vqa", {"prompts": [99]}, "run_prompt_missing"),
        ("vqa", {"settings": ["no"]}, "run_setting_unknown"),
        ("vqa", {"sides": ["en"]}, "run_setting_unknown"),
        ("vqa", {"systems": ["demo-dual-encoder"]}, "system_not_for_suite"),
    ],
)
def test_the_reason_is_a_code(team, made, alive, suite, grid, code):
    assert reasons(team, made(suite), **CELL | grid) == [code]


def test_cells_that_ask_the_same_are_one_run(team, made, alive):
    row = made("cvqa")
    usual = {"systems": ["demo-dual-encoder"], "means": ["similarity"], "languages": ["en", "zh-Hans"]}
    assert reasons(team, row, **usual) == [None, "run_cell_repeats"]


def test_without_a_worker_nothing_starts(team, made):
    row = made("vqa")
    before = counts()
    assert cells(team, row, "state", "questions", **CELL) == [("blocked", 3)]
    assert reasons(team, row, **CELL) == ["run_needs_worker"]
    with pytest.raises(NothingToStart, match="run_needs_worker"):
        start_all(team, row, alive=False, **CELL)
    assert counts() == before


def test_a_grid_is_started_once_in_one_decision(team, made, alive):
    row, same = made("tcc"), key()
    grid = {"systems": ["demo-scripted"], "settings": ["direct", "cot"], "pictures": ["1", "none"]}
    first = start_all(team, row, key=same, **grid)
    assert (first.created, len(set(first.run_ids))) == (4, 4)
    after = counts()
    assert start_all(team, row, key=same, **grid) == first._replace(created=0)
    assert counts() == after
    with pytest.raises(ClientKeyReused):
        start_all(team, row, key=same, **grid | {"again": True})
    assert counts() == after
    event = AuditEvent.objects.get(action="set_run_start")
    assert (event.target_type, event.target_id, event.data["runs"]) == ("itemset", row.pk, list(first.run_ids))
    # Another command starts what is not open, and names the others.
    more = start_all(team, row, **grid | {"pictures": ["1", "none", "1/2"]})
    assert (more.created, set(first.run_ids) < set(more.run_ids), len(more.run_ids)) == (2, True, 6)
    assert cells(team, row, "state", **grid) == [("open",)] * 4


def test_what_has_ended_is_started_again_only_on_request(team, made, alive):
    row = made("vqa")
    run = work(Run.objects.get(pk=start_all(team, row, **CELL).run_ids[0]))
    assert cells(team, row, "state", "run", **CELL) == [("closed", run.pk)]
    with pytest.raises(NothingToStart, match="closed"):
        start_all(team, row, **CELL)
    # The pace is that of the chunks that were done.
    Chunk.objects.filter(run=run).update(ms=6_000)
    ((state, seconds),) = cells(team, row, "state", "seconds", again=True, **CELL)
    assert (state, seconds) == ("start", 6)
    assert start_all(team, row, again=True, **CELL).created == 1
    services.cancel_run(actor=team.admin, run_id=Run.objects.latest("pk").pk, client_key=key())
    assert cells(team, row, "state", "run", **CELL) == [("closed", run.pk)]


def test_loading_says_nothing_of_the_pace(team, made, alive, monkeypatch):
    clock = [0.0]
    load = replying._open

    def slow(run_id):
        clock[0] += 60
        return load(run_id)

    monkeypatch.setattr(replying, "_open", slow)
    monkeypatch.setattr(
        working, "time", SimpleNamespace(perf_counter=lambda: clock[0], monotonic=time.monotonic, sleep=time.sleep)
    )
    run = work(Run.objects.get(pk=start_all(team, made("vqa"), **CELL).run_ids[0]))
    assert clock == [60.0]
    assert set(Chunk.objects.filter(run=run).values_list("ms", flat=True)) == {0}


def test_a_model_on_a_server_needs_an_offer_a_budget_and_enough_of_it(team, made, alive, settings):
    row = made("vqa")
    chat(settings)
    grid = {"systems": ["large"], "pictures": ["1", "none"]}
    assert reasons(team, row, **grid) == ["model_not_offered"] * 2
    offer()
    assert reasons(team, row, **grid) == ["run_needs_budget"] * 2
    mine = budget(team.benchmark, "0.001")
    assert reasons(team, row, **grid) == ["run_over_budget"] * 2
    with pytest.raises(NothingToStart, match="run_over_budget"):
        start_all(team, row, **grid)
    (one, _) = plan(team, row, **grid)["cells"]
    Budget.objects.filter(pk=mine.pk).update(ceiling=Decimal(one["cost"]) * Decimal("1.5"))
    # The budget is enough for the first cell alone.
    assert reasons(team, row, **grid) == [None, "run_over_budget"]
    answer = plan(team, row, **grid)
    assert [(c["currency"], c["cost"]) for c in answer["costs"]] == [("USD", one["cost"])]
    assert start_all(team, row, **grid).created == 1
    offer(million_out=0)
    assert cells(team, row, "cost", "currency", **grid | {"pictures": ["none"]}) == [("0", None)]


def test_a_provider_s_model_ranks_nothing(team, made, alive, settings):
    row = made("cvqa")
    chat(settings, capabilities=("generate", "likelihood"), hosted=True)
    grid = {"systems": ["large"], "settings": ["located", "open"], "means": ["likelihood"]}
    assert reasons(team, row, **grid) == ["system_gives_no_log_probabilities"] * 2
    chat(settings, capabilities=("generate", "likelihood"))
    assert reasons(team, row, **grid) == [None, None]  # ranking on an own server costs nothing


def test_one_start_asks_a_limited_number_of_questions(team, made, alive, monkeypatch):
    row = made("vqa")
    monkeypatch.setattr(planning, "MOST_QUESTIONS", 7)
    grid = CELL | {"pictures": ["1", "none", "1/2"]}
    assert reasons(team, row, **grid) == [None, None, "run_start_too_large"]
    assert start_all(team, row, **grid).created == 2
    with pytest.raises(GridTooLarge):
        plan(team, row, systems=[f"s{i}" for i in range(201)])


@pytest.mark.parametrize("team_of", ["senior", "curator", "annotator", "stranger"])
def test_others_are_told_no_and_nothing_changes(team, made, alive, team_of):
    row = made("vqa")
    before = counts()
    for path, body in ((f"sets/{row.pk}/run-plans", CELL), (f"sets/{row.pk}/runs", CELL | {"client_key": key()})):
        answer = send(signed_in(getattr(team, team_of)), "POST", path, body)
        assert answer.status_code in (403, 404)
    assert counts() == before


def test_the_api_plans_starts_and_refuses(team, made, alive):
    row, client = made("vqa"), signed_in(team.admin)
    path = f"sets/{row.pk}/runs"
    planned = send(client, "POST", f"sets/{row.pk}/run-plans", CELL)
    assert (planned.status_code, planned.json()["starts"]) == (200, 1)
    assert counts()[0] == 0
    for body in ({"systems": []}, CELL | {"pictures": ["3"]}, CELL | {"system": "x"}, {"systems": ["a"] * 201}):
        assert send(client, "POST", path, body | {"client_key": key()}).status_code == 400
    assert counts()[0] == 0
    body = CELL | {"client_key": key()}
    started = send(client, "POST", path, body)
    assert (started.status_code, started.json()["created"]) == (201, 1)
    (run,) = started.json()["runs"]
    assert (run["set"]["id"], run["state"]) == (row.pk, "open")
    again = send(client, "POST", path, body)
    assert (again.status_code, again.json()["created"], [r["id"] for r in again.json()["runs"]]) == (
        200,
        0,
        [run["id"]],
    )


@pytest.mark.django_db(transaction=True)
def test_a_run_on_a_server_is_paid_and_costs_no_more_than_was_planned(team, tmp_path, settings):
    with StandIn(model="m", says=lambda _: "B") as server:
        chat(settings, address=server.address)
        offer(million_in=3, million_out=15, per_picture="0.002")
        budget(team.benchmark, "1000")
        jobs.worker_seen("served")
        for suite in ("cmmu",):
            folder = tmp_path / suite
            folder.mkdir()
            row = read(create(team, suite, benchmarks.of_suite(suite, folder), zipped(folder / "pictures"), name=suite))
            grid = {"systems": ["large"], "means": ["text"]}
            (cell,) = plan(team, row, **grid)["cells"]
            (run_id,) = start_all(team, row, **grid).run_ids
            run = work(Run.objects.get(pk=run_id))
            assert (run.failed, run.answered) == (0, run.expected)
            calls = Call.objects.filter(purpose="answer", pk__gt=0)
            highest = sum(call.estimate for call in calls)
            assert len(calls) == run.expected
            assert highest <= Decimal(cell["cost"]) < highest * Decimal("1.3")
            assert json.loads(json.dumps(run.environment["workers"]))[0]["generator"]["model"] == "m"
            paid = sum(call.cost for call in calls)
            assert 0 < paid == run.cost == sum(reply.cost for reply in run.replies.all())
            # The same replies again are paid no second time, and cost what they did.
            (again_id,) = start_all(team, row, **grid, again=True).run_ids
            again = work(Run.objects.get(pk=again_id))
            assert (again.cost, again.currency, again.answered) == (paid, "USD", run.expected)
            assert Call.objects.filter(purpose="answer").count() == len(calls)
    for job_id in scoring.sweep_scores():
        score_set_run(job_id=job_id)
    cost = {"amount": amount(paid), "currency": "USD"}
    for person, seen in ((team.admin, cost), (team.senior, None)):
        client = signed_in(person)
        assert client.get(f"/api/v1/runs/{run.pk}").json()["cost"] == seen
        assert [one["cost"] for one in client.get(f"/api/v1/sets/{row.pk}/scores").json()] == [seen] * 2
        file = client.get(f"/api/v1/sets/{row.pk}/board/leaderboard.csv").content.decode("utf-8-sig")
        ends = {tuple(line.split(",")[-2:]) for line in file.splitlines()[1:]}
        assert ends == {(cost["amount"], "USD") if seen else ("", "")}


def test_a_language_model_on_a_server_is_added_by_the_command(team, settings):
    settings.MODEL_SERVERS = read_servers(["big=http://127.0.0.1:9"], {})
    options = {"slug": "large", "name": "Large", "backend": "chat", "model": "m"}
    call_command("add_system", locator="big", **options)
    row = System.objects.get(slug="large")
    assert (row.backend, row.locator, row.parameters, row.capabilities) == ("chat", "big", {"model": "m"}, ["generate"])
    call_command("add_system", locator="big", **options)  # the same again is the same row
    assert System.objects.filter(slug="large").count() == 1
    with pytest.raises(CommandError, match="model_server_unknown"):
        call_command("add_system", locator="small", **options)
