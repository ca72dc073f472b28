"""The tasks that workers run."""

import uuid

import pytest
from celery import current_app

from annotation.releases import services
from annotation.releases.models import Release
from annotation.releases.tasks import freeze_release, write_release_files
from curation.core.models import Job
from tests.annotation.releases.content import filled, team


@pytest.mark.django_db
def test_a_wake_up_has_a_release_frozen_and_written_and_one_too_many_is_harmless(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path
    here = team()
    filled(here, 3)
    release = services.create_release(
        actor=here.admin, benchmark_slug="cvlue", kinds=["captions"], seed=1, client_key=uuid.uuid4()
    )
    services.check_release(actor=here.admin, release_id=release.pk, client_key=uuid.uuid4())
    release = services.freeze_release(actor=here.admin, release_id=release.pk, client_key=uuid.uuid4())
    freezing = release.job_id
    for _ in range(2):
        freeze_release(job_id=freezing)
    writing = Release.objects.get().job_id
    assert writing != freezing
    for _ in range(2):
        write_release_files(job_id=writing)
    assert list(Job.objects.order_by("pk").values_list("task", "state", "attempt")) == [
        (services.FREEZE, "done", 1),
        (services.WRITE_FILES, "done", 1),
    ]
    assert (services.folder_of(release.pk) / "README.md").exists()


def test_the_names_in_the_jobs_are_tasks_that_workers_know():
    current_app.loader.import_default_modules()
    assert {services.FREEZE, services.WRITE_FILES} <= set(current_app.tasks)
