"""A real pictures worker: decoding in child processes of Celery's, and another person's picture in between."""

import numpy as np
import psutil
import pytest
from celery import current_app
from kombu import Connection

from curation.core.broker import PICTURES_MEMORY_LIMIT
from curation.core.models import Job
from curation.images.models import Upload
from tests import pictures
from tests.worker import celery_worker, wait_for

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.system]


@pytest.fixture
def worker(broker, tmp_path):
    """The pictures worker, as the launcher starts it."""
    log = tmp_path / "worker.log"
    with celery_worker(broker, log, "-Q", "pictures", "-c", "3") as process:
        yield psutil.Process(process.pid), log


def test_one_persons_large_pictures_do_not_delay_anothers(make_world, broker, worker):
    process, log = worker
    here = make_world()
    noise = np.random.default_rng(1).integers(0, 256, (4_500, 6_000, 3), dtype=np.uint8)
    large = [
        pictures.begin(here.contributor, pictures.encode(noise + n, compress_level=1), filename="a.png")
        for n in range(3)
    ]
    small = pictures.begin(here.curator, pictures.jpeg())
    bomb = pictures.begin(here.curator, pictures.jpeg_of_scans(1_500, 3_000, 3_000))
    with Connection(broker) as connected:
        for _ in range(5):
            current_app.send_task("curation.check_upload", queue="pictures", connection=connected)

    def state(upload):
        return Upload.objects.get(pk=upload.pk).state

    wait_for(lambda: state(small) == "ready" and state(bomb) == "refused", log)
    assert Upload.objects.get(pk=bomb.pk).error_code == "image_too_many_scans"
    assert "checking" in {state(upload) for upload in large}
    wait_for(lambda: {state(upload) for upload in large} == {"ready"}, log)
    wait_for(lambda: set(Job.objects.values_list("state", flat=True)) == {"done"}, log)
    assert set(Job.objects.values_list("attempt", flat=True)) == {1}
    # The pool's processes and their servers of child processes remain; none of them decoded a picture.
    remaining = process.children(recursive=True)
    assert all(child.memory_info().rss < 300_000_000 for child in remaining)
    assert {child.rlimit(psutil.RLIMIT_DATA)[0] for child in remaining} == {PICTURES_MEMORY_LIMIT}
