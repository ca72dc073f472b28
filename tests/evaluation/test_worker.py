"""A real worker with a model of the demo's kind: whatever happened to messages and processes, predictions appear."""

import signal
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import torch
from celery import current_app
from kombu import Connection
from redis import Redis

from curation.core import jobs
from curation.core.models import WorkerSeen
from evaluation.backends.demo_encoder import DemoEncoder, DualEncoderNetwork, Shape
from evaluation.runs.models import Chunk, Feature, Reply, ReplyFailure, Run
from evaluation.scoring.models import SetReport
from evaluation.sets.models import ItemSet
from tests.evaluation.accepted import accepted_item, benchmark, frozen_release
from tests.evaluation.answering import benchmarks
from tests.evaluation.sets.files import create, start, zipped
from tests.worker import celery_worker, wait_for


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    """A folder with the demo's network, untrained."""
    folder = tmp_path_factory.mktemp("models")
    torch.manual_seed(0)
    DemoEncoder(DualEncoderNetwork(Shape())).save(folder / "demo-dual-encoder", {})
    return folder


pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.system]
ROOT = Path(__file__).parents[2]
HELD = ROOT / "tests" / "evaluation" / "held"


def worker(broker: str, models: Path, log: Path, **environment: str):
    """A process that serves both queues, as the launcher starts them; killed without warning at the end."""
    options = ("-Q", "default,gpu", "-P", "solo", "-c", "1")
    return celery_worker(broker, log, *options, MODEL_DIRS=str(models), **environment)


def tick(broker: str, *tasks: str):
    """Send what the scheduler sends every 15 s."""
    # The application of this process sends to memory; its connection is named here instead.
    with Connection(broker) as connected:
        for task in tasks:
            current_app.send_task(task, queue="default", connection=connected)


def empty(broker: str):
    Redis(unix_socket_path=urlsplit(broker).path).flushall()


def test_a_worker_that_comes_late_to_an_emptied_broker_finds_everything(broker, models, tmp_path):
    log = tmp_path / "worker.log"
    team = benchmark("demo-dual-encoder")
    items = [accepted_item(team, n) for n in range(1, 8)]
    frozen_release(team, items)
    tick(broker, "evaluation.sweep_predictions")  # the wake-up after acceptance, with nobody there …
    empty(broker)  # … and then it is lost
    assert (Reply.objects.count(), jobs.last_seen("gpu")["alive"]) == (0, False)
    with worker(broker, models, log):
        tick(broker, "evaluation.sweep_predictions")
        wait_for(SetReport.objects.exists, log)
        # As accepted work, and as a release, whose vectors are there already.
        wait_for(lambda: Reply.objects.count() == 2 * 7 * 5, log)
        assert Feature.objects.count() == 7 * 6
        run = Run.objects.select_related("system").get(set__origin="rolling")
        assert (run.system.slug, run.system.is_demo) == ("demo-dual-encoder", True)
        assert run.environment["workers"][0]["embedder"]["dimension"] == 64
        assert {len(bytes(v)) for v in Feature.objects.values_list("vector", flat=True)} == {64 * 4}
        assert jobs.last_seen("gpu")["alive"] is True
        # The model is loaded now: what is accepted next is embedded at once.
        accepted_item(team, 8)
        tick(broker, "evaluation.sweep_predictions")
        wait_for(lambda: Feature.objects.count() == 8 * 6, log)
    assert log.read_text().count("loading demo-dual-encoder") == 1


def test_two_workers_take_up_what_a_killed_one_left_and_share_the_rest(broker, models, tmp_path):
    log = tmp_path / "worker.log"
    team = benchmark("demo-dual-encoder")
    for number in range(1, 61):
        accepted_item(team, number)
    hold = tmp_path / "hold"
    hold.mkdir()
    each = {"EMBED_ITEMS_AT_ONCE": "1", "LANTERN_TEST_HOLD": str(hold), "PYTHONPATH": str(HELD)}
    with worker(broker, models, log, **each) as first:
        tick(broker, "evaluation.sweep_predictions")
        wait_for(Reply.objects.exists, log)
        (hold / "hold").touch()
        wait_for(lambda: list(hold.glob("at-*")), log)
        first.send_signal(signal.SIGKILL)  # between computing and committing
        first.wait(10)
    kept = set(Reply.objects.values_list("entry_id", "created_at"))
    assert 0 < len(kept) < 60 * 5
    assert len(kept) % 5 == 0  # whole pictures only
    (hold / f"at-{first.pid}").unlink()
    lost = Chunk.objects.get(state="running")
    assert lost.attempt == 1
    empty(broker)
    # Nobody waits for the dead one's leases: the new ones are on the same machine and see that it is gone.
    with worker(broker, models, log, **each), worker(broker, models, log, **each):
        wait_for(lambda: jobs.last_seen("gpu")["alive"] and WorkerSeen.objects.filter(queue="gpu").count() == 2, log)
        tick(broker, "evaluation.sweep_predictions")
        wait_for(lambda: len(list(hold.glob("at-*"))) == 2, log)
        (hold / "hold").unlink()
        wait_for(lambda: not Chunk.objects.exclude(state="done").exists(), log)
    assert (Reply.objects.count(), Feature.objects.count()) == (60 * 5, 60 * 6)
    assert kept <= set(Reply.objects.values_list("entry_id", "created_at"))
    assert ReplyFailure.objects.count() == 0
    assert Run.objects.get().answered == 60 * 5
    # The killed one's chunk was taken twice, every other once, and both workers did their part.
    assert sorted(Chunk.objects.values_list("attempt", flat=True)) == [1] * 59 + [2]
    workers = Chunk.objects.filter(finished_at__gt=lost.heartbeat_at).values_list("worker", flat=True)
    assert len(set(workers) - {lost.worker}) == 2


def test_a_run_over_a_set_ends_with_one_reply_for_each_entry_though_its_worker_is_killed(broker, tmp_path):
    log, hold, folder = tmp_path / "worker.log", tmp_path / "hold", tmp_path / "pictures"
    team = benchmark()
    rows = [
        {"image": f"{n}.png", "question_id": n, "question": f"{n} 号图里是什么？", "answer": "灯"} for n in range(1, 61)
    ]
    for row in rows:
        benchmarks.picture(folder / row["image"], (row["question_id"], 0, 0))
    item_set = create(team, "vqa", benchmarks.array(tmp_path / "gold.json", rows), zipped(folder))
    hold.mkdir()
    each = {"LANTERN_TEST_HOLD": str(hold), "PYTHONPATH": str(HELD)}
    scripted = ROOT / "fixtures" / "models"
    with worker(broker, scripted, log, **each) as first:
        tick(broker, "curation.sweep_jobs")
        wait_for(lambda: ItemSet.objects.filter(state="ready").exists(), log)
        (hold / "hold").touch()
        run = start(team, item_set, "demo-scripted")
        tick(broker, "evaluation.sweep_predictions")
        wait_for(lambda: list(hold.glob("at-*")), log)
        first.send_signal(signal.SIGKILL)  # between computing and committing
        first.wait(10)
    assert Reply.objects.count() == 0
    (hold / "hold").unlink()
    empty(broker)
    with worker(broker, scripted, log, **each):
        tick(broker, "evaluation.sweep_predictions")
        wait_for(SetReport.objects.exists, log)
    run.refresh_from_db()
    assert (run.state, run.expected, run.answered, run.failed) == ("closed", 60, 60, 0)
    assert (Reply.objects.count(), Chunk.objects.count()) == (60, 4)
    assert sorted(Chunk.objects.values_list("attempt", flat=True)) == [1, 1, 1, 2]
