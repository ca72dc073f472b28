"""The task that a worker runs."""

import uuid

import pytest
from celery import current_app

from annotation.releases import services
from annotation.releases.tasks import write_release_files
from curation.core.models import Job
from tests.annotation.releases.content import filled, team


@pytest.mark.django_db
def test_a_wake_up_has_the_files_written_and_one_too_many_is_harmless(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path
    here = team()
    filled(here, 3)
    release = services.create_release(
        actor=here.admin, benchmark_slug="cvlue", kind="captions", seed=1, client_key=uuid.uuid4()
    )
    release = services.freeze_release(actor=here.admin, release_id=release.pk, client_key=uuid.uuid4())
    for _ in range(2):
        write_release_files(job_id=release.job_id)
    job = Job.objects.get(pk=release.job_id)
    assert (job.state, job.attempt) == ("done", 1)
    assert (services.folder_of(release.pk) / "README.md").exists()


def test_the_name_in_the_job_is_a_task_that_workers_know():
    current_app.loader.import_default_modules()
    assert services.WRITE_FILES in current_app.tasks
