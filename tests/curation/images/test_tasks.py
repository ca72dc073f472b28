"""Checks run as jobs: seen while they go on, given up after too many tries."""

import pytest

from curation.core import jobs
from curation.core.models import Job
from curation.images import tasks
from curation.images.models import Upload
from curation.images.services import checking
from curation.tasks import sweep_jobs
from tests import pictures
from tests.people import signed_in

pytestmark = pytest.mark.django_db


def test_a_job_checks_an_upload_and_counts_its_checks(here):
    upload = pictures.begin(here.contributor, pictures.jpeg())
    job = Job.objects.get()
    assert (job.task, job.args, upload.state) == ("curation.check_upload", {"upload": str(upload.pk)}, "checking")
    assert [c["state"] for c in upload.checks] == ["waiting"] * 9
    tasks.check_upload(job.pk)
    job.refresh_from_db()
    upload.refresh_from_db()
    assert (job.state, job.done, job.total, upload.state) == ("done", 9, 9, "ready")
    tasks.check_upload(job.pk)  # a wake-up too many
    assert Upload.objects.get().state == "ready"


def test_a_check_that_cannot_be_carried_out_is_given_up(here, monkeypatch):
    upload = pictures.begin(here.contributor, pictures.jpeg())

    def broken(*_):
        raise RuntimeError("no")

    monkeypatch.setattr(checking, "_check_picture", broken)
    for _ in range(jobs.MAX_ATTEMPTS):
        assert Upload.objects.get().state == "checking"
        tasks.check_upload(Job.objects.get().pk)
    upload.refresh_from_db()
    assert (upload.state, upload.error_code) == ("failed", "internal_error")
    (row,) = signed_in(here.contributor).get("/api/v1/benchmarks/cvlue/uploads").json()["results"]
    assert (row["state"], row["error"]["code"]) == ("failed", "internal_error")


def test_a_worker_without_work_is_seen(here):
    client = signed_in(here.contributor)
    assert client.get("/api/v1/benchmarks/cvlue/uploads").json()["worker_alive"] is False
    sweep_jobs()
    assert client.get("/api/v1/benchmarks/cvlue/uploads").json()["worker_alive"] is True
