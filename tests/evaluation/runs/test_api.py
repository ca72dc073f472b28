"""The page of acceptance runs: what it says, whom it tells, what it costs."""

import pytest
from django.utils import timezone

from curation.core import jobs
from curation.core.models import Job, WorkerSeen
from evaluation.runs import services
from evaluation.runs.models import Run
from tests.evaluation.accepted import accepted_item, add_system, benchmark
from tests.people import signed_in
from tests.protocols import names

pytestmark = pytest.mark.django_db
ADDRESS = "/api/v1/benchmarks/cvlue/runs"


@pytest.fixture
def team(by_number, tmp_path):
    made = benchmark("by-number")
    add_system(tmp_path, "by-number", "by-number")
    return made


def test_before_a_worker_came_the_run_waits(team):
    for number in (1, 2):
        accepted_item(team, number)
    services.sweep_predictions()
    run, job = Run.objects.get(), Job.objects.get()
    answer = signed_in(team.senior).get(ADDRESS)
    assert answer.status_code == 200
    (row,) = answer.json()
    assert row.pop("updated_at").startswith(job.created_at.isoformat()[:19])
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
        "state": "open",
        "expected": 2,
        "done": 0,
        "failed": 0,
        "last_error": None,
        "job": {"id": job.pk, "state": "queued", "done": 0, "total": 0},
        "worker": {"alive": False, "last_seen": None},
    }


def test_after_a_worker_came_items_are_done_and_some_failed(team, django_assert_num_queries):
    items = [accepted_item(team, number) for number in (1, 2, 3)]
    (services.settings.MEDIA_ROOT / items[0].image.renditions.get().key).unlink()
    (job_id,) = services.sweep_predictions()
    jobs.run(job_id, services.embed_accepted)
    accepted_item(team, 4)
    client = signed_in(team.admin)
    with django_assert_num_queries(6):  # session, benchmark, runs, counts, jobs, worker
        (row,) = client.get(ADDRESS).json()
    assert (row["expected"], row["done"], row["failed"]) == (4, 3, 1)
    assert row["worker"]["alive"] is True
    assert row["job"] == {"id": job_id, "state": "done", "done": 3, "total": 3}


def test_a_failed_job_says_why_and_a_silent_worker_shows(team, tmp_path):
    accepted_item(team, 1)
    (tmp_path / "by-number" / "config.json").write_text('{"retouched": true}')
    (job_id,) = services.sweep_predictions()
    jobs.run(job_id, services.embed_accepted)
    WorkerSeen.objects.update(seen_at=timezone.now() - jobs.WORKER_SILENT_AFTER)
    (row,) = signed_in(team.curator).get(ADDRESS).json()
    assert row["last_error"] == {
        "code": "system_files_changed",
        "params": {"slug": "by-number", "revision": Run.objects.get().system.revision},
    }
    assert row["worker"]["alive"] is False


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
