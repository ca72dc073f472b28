"""Checks run as jobs: seen while they go on, given up after too many tries."""

import re
import subprocess
import sys
from datetime import timedelta

import pytest
from celery import current_app
from django.conf import settings
from django.utils import timezone

from curation.benchmarks.queries import image_rules
from curation.core import jobs
from curation.core.broker import PICTURES_MEMORY_LIMIT
from curation.core.models import Job
from curation.images import tasks
from curation.images.models import Upload
from curation.images.queries import uploads_by_id
from curation.images.services import checking
from curation.lib.child_process import Limits, run_in_child
from curation.tasks import report_worker, sweep_jobs
from tests import pictures
from tests.curation.images import heic
from tests.people import signed_in

pytestmark = pytest.mark.django_db


def test_a_job_checks_an_upload_and_counts_its_checks(here):
    upload = pictures.begin(here.contributor, pictures.jpeg())
    job = Job.objects.get()
    assert (job.task, job.queue, job.args) == ("curation.check_upload", "pictures", {"upload": str(upload.pk)})
    assert upload.state == "checking"
    assert [c["state"] for c in upload.checks] == ["waiting"] * 9
    tasks.check_upload()
    job.refresh_from_db()
    upload.refresh_from_db()
    assert (job.state, job.done, job.total, upload.state) == ("done", 9, 9, "ready")
    tasks.check_upload()  # a wake-up too many
    assert Upload.objects.get().state == "ready"


def test_a_check_that_cannot_be_carried_out_is_given_up(here, monkeypatch):
    upload = pictures.begin(here.contributor, pictures.jpeg())

    def broken(*_):
        raise RuntimeError("no")

    monkeypatch.setattr(checking, "_check_picture", broken)
    for _ in range(jobs.MAX_ATTEMPTS):
        assert Upload.objects.get().state == "checking"
        tasks.check_upload()
        attempts = Job.objects.get().attempt
        tasks.check_upload()  # the message of another upload, at once
        assert Job.objects.get().attempt == attempts
        Job.objects.update(heartbeat_at=timezone.now() - timedelta(seconds=15))
    upload.refresh_from_db()
    assert (upload.state, upload.error_code) == ("failed", "internal_error")
    (row,) = signed_in(here.contributor).get("/api/v1/benchmarks/cvlue/uploads").json()["results"]
    assert (row["state"], row["error"]["code"]) == ("failed", "internal_error")


def test_a_worker_without_work_is_seen(here):
    client = signed_in(here.contributor)
    assert client.get("/api/v1/benchmarks/cvlue/uploads").json()["worker_alive"] is False
    sweep_jobs()
    assert client.get("/api/v1/benchmarks/cvlue/uploads").json()["worker_alive"] is False
    report_worker(queue="pictures")
    assert client.get("/api/v1/benchmarks/cvlue/uploads").json()["worker_alive"] is True


def test_a_picture_that_costs_too_much_is_rejected_and_its_job_is_done(here, monkeypatch):
    """The child process ends at its limit, and the person reads why; nothing is tried five times."""
    monkeypatch.setattr(checking, "CLEANING_LIMITS", Limits(processor_seconds=60, seconds=60, memory=150_000_000))
    upload = pictures.begin(here.contributor, pictures.jpeg(width=4_000, height=3_000))
    tasks.check_upload()
    upload.refresh_from_db()
    assert (upload.state, upload.error_code, upload.cleaned) == ("refused", "image_too_costly", None)
    assert {c["code"]: c["state"] for c in upload.checks if c["state"] != "waiting"} == {
        "type": "passed",
        "size": "passed",
        "duplicate": "passed",
        "sides": "refused",
    }
    assert (Job.objects.get().state, Job.objects.get().attempt) == ("done", 1)


def test_a_huge_alpha_plane_costs_bounded_memory_and_is_rejected(here, tmp_path):
    """3 kB of HEIC, whose picture has 400 x 300 pixels, take 2.6 GB without limits: nothing checks the plane's size."""
    small, huge = (pictures.begin(here.contributor, heic.with_alpha(n, n), filename="a.heic") for n in (500, 30_000))
    for _ in range(2):
        tasks.check_upload()
    small.refresh_from_db()
    huge.refresh_from_db()
    assert (small.state, small.cleaned["width"], small.cleaned["height"]) == ("ready", 400, 300)
    assert (huge.state, huge.error_code, huge.cleaned) == ("refused", "image_undecodable", None)
    assert set(Job.objects.values_list("state", "attempt")) == {("done", 1)}
    path, limits = tmp_path / "a.heic", image_rules(here.benchmark)
    for side, code in ((8_000, ""), (20_000, "image_undecodable"), (30_000, "image_undecodable")):
        path.write_bytes(heic.with_alpha(side, side))
        found, peak = run_in_child(heic.clean_and_measure, checking.CLEANING_LIMITS, path, limits)
        assert (found, peak < 1_200_000_000) == (code, True), (side, peak)


def test_a_check_waits_for_space_and_then_goes_on(here, settings, media):
    """The disk's floor: no picture is blamed, no attempt is used up, nothing is staged."""
    upload = pictures.begin(here.contributor, pictures.jpeg())
    held = pictures.files(media)
    settings.MEDIA_FLOOR_BYTES = 10**18
    for _ in range(2 * jobs.MAX_ATTEMPTS):
        tasks.check_upload()
        Job.objects.update(heartbeat_at=timezone.now() - jobs.COOL_DOWN)
    upload.refresh_from_db()
    assert (upload.state, upload.error_code, pictures.files(media)) == ("checking", "", held)
    (row,) = uploads_by_id(here.contributor, "cvlue", [upload.pk])
    assert (row["state"], row["job"]["state"], row["job"]["error_code"]) == ("checking", "queued", "storage_full")
    assert (row["job"]["error_params"]["needed"], row["error"]) == (upload.bytes, None)
    assert (Job.objects.get().state, Job.objects.get().attempt) == ("queued", 1)
    settings.MEDIA_FLOOR_BYTES = 0
    tasks.check_upload()
    upload.refresh_from_db()
    assert (upload.state, Job.objects.get().state) == ("ready", "done")
    assert uploads_by_id(here.contributor, "cvlue", [upload.pk])[0]["job"] is None


def test_on_a_full_disk_each_check_is_tried_once_and_sends_no_further_message(here, settings, monkeypatch):
    for n in range(3):
        pictures.begin(here.contributor, pictures.jpeg(n))
    sent = []
    monkeypatch.setattr(jobs, "send", lambda task, **_: sent.append(task))
    settings.MEDIA_FLOOR_BYTES = 10**18
    for _ in range(10):
        tasks.check_upload()
        Job.objects.update(heartbeat_at=timezone.now() - timedelta(seconds=15))
    assert (sent, set(Job.objects.values_list("attempt", "error_code"))) == ([], {(1, "storage_full")})
    claims = []
    monkeypatch.setattr(jobs, "run_claimed", lambda *args: claims.append(args))
    tasks.check_upload()
    assert claims == []
    monkeypatch.undo()
    settings.MEDIA_FLOOR_BYTES = 0
    monkeypatch.setattr(jobs, "send", lambda task, **_: sent.append(task))
    tasks.check_upload()
    assert sent == ["curation.check_upload"]
    assert sorted(Job.objects.values_list("state", flat=True)) == ["done", "queued", "queued"]


@pytest.mark.parametrize(
    ("data", "code"), [(pictures.jpeg(), None), (pictures.jpeg_of_scans(80), "image_too_many_scans")]
)
def test_a_check_that_another_run_has_ended_meanwhile_has_its_result(here, monkeypatch, data, code):
    """A command checks what it uploads itself; a worker may have taken the job of the same check."""
    upload = pictures.begin(here.contributor, data)
    clean = checking._clean

    def overtaken(*args):
        monkeypatch.setattr(checking, "_clean", clean)
        assert [error and error.code for error in [checking.check_upload(upload.pk)]] == [code]
        return clean(*args)

    monkeypatch.setattr(checking, "_clean", overtaken)
    error = checking.check_upload(upload.pk)
    assert (error and error.code) == code
    upload.refresh_from_db()
    assert (upload.state, upload.error_code) == (("ready", "") if code is None else ("refused", code))


def test_pictures_of_the_person_with_the_fewest_running_come_first(here):
    mine = [pictures.begin(here.contributor, pictures.jpeg(seed=n)) for n in range(4)]
    other = pictures.begin(here.curator, pictures.jpeg(seed=9))
    jobs_of = {job.args["upload"]: job.pk for job in Job.objects.all()}
    claimed = [jobs.claim_fairly("curation.check_upload", 2) for _ in range(4)]
    assert [job and job.pk for job in claimed] == [
        jobs_of[str(mine[0].pk)],
        jobs_of[str(other.pk)],
        jobs_of[str(mine[1].pk)],
        None,
    ]
    jobs.finish(claimed[0])
    assert jobs.claim_fairly("curation.check_upload", 2).pk == jobs_of[str(mine[2].pk)]
    assert jobs.claim_fairly("curation.check_upload", 2) is None


def test_every_task_has_a_hard_time_limit():
    current_app.loader.import_default_modules()
    own = {name: task for name, task in current_app.tasks.items() if not name.startswith("celery.")}
    limits = {name: task.time_limit or current_app.conf.task_time_limit for name, task in own.items()}
    assert {name for name, limit in limits.items() if limit == 6 * 3600} == {
        "annotation.freeze_release",
        "annotation.run_bulk",
        "annotation.run_import",
        "annotation.write_release_files",
        "evaluation.embed_accepted",
        "evaluation.fetch_system",
        "evaluation.read_item_set",
        "evaluation.score_set_run",
        "evaluation.score_submission",
        "evaluation.serve_system",
    }
    assert {limit for limit in limits.values() if limit != 6 * 3600} == {15 * 60}


@pytest.mark.parametrize(("ends", "code"), [(False, -9), (True, 0)])
def test_a_worker_that_is_one_process_kills_itself_at_the_limit(ends, code):
    """Celery enforces limits by killing processes of a pool, which such a worker has not."""
    script = (
        "import time; from types import SimpleNamespace as N; from config import celery\n"
        "celery._start_limit('1', N(request=N(is_eager=False), time_limit=0.3))\n"
        f"{ends} and celery._end_limit('1')\n"
        "time.sleep(1)"
    )
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == code


@pytest.mark.parametrize(
    ("process", "queues", "printed"),
    [
        ("ForkPoolWorker-1", ["default"], ["MemoryError", "1"]),
        ("ForkPoolWorker-1", ["default", "pictures"], ["MemoryError", "1"]),
        ("ForkPoolWorker-1", ["pictures"], ["MemoryError", "MemoryError"]),
        ("MainProcess", ["gpu"], ["unlimited"]),
    ],
)
def test_a_process_of_a_pool_may_allocate_so_much_memory(process, queues, printed):
    """A worker that is one process has a model's weights in memory and no such limit."""
    script = (
        "import resource; from types import SimpleNamespace as N; from config import celery\n"
        f"celery.billiard.current_process = lambda: N(name={process!r})\n"
        f"celery.app.amqp.queues.select({queues})\n"
        "celery.signals.worker_process_init.send(sender=None)\n"
        "if resource.getrlimit(resource.RLIMIT_DATA)[0] == resource.RLIM_INFINITY: print('unlimited')\n"
        "else:\n"
        "    for size in (2 << 30, 1 << 30):\n"
        "        try: print(len(bytearray(size)) >> 30)\n"
        "        except MemoryError: print('MemoryError')\n"
    )
    done = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)
    assert done.stdout.split() == printed


def test_the_limits_of_picture_workers_fit_their_service():
    """Three pictures of the size of the largest at once; each process's own limit alone is below the service's."""
    unit = (settings.ROOT / "docs/deploy/lantern-pictures.service").read_text()
    (maximum,) = re.findall(r"^MemoryMax=(\d+)G$", unit, re.MULTILINE)
    (processes,) = re.findall(r" -c (\d+) ", unit)
    largest, worker = 660_000_000, 150_000_000  # measured, docs/performance.md
    assert int(processes) * (largest + worker) < int(maximum) << 30
    assert int(processes) * PICTURES_MEMORY_LIMIT <= int(maximum) << 30
    assert "OOMPolicy=continue" in unit
