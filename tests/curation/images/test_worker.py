"""A real pictures worker: decoding in child processes of Celery's, and another person's picture in between."""

import os
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import urlsplit

import numpy as np
import psutil
import pytest
from celery import current_app
from django.conf import settings
from django.db import connection
from kombu import Connection

from curation.core.models import Job
from curation.images.models import Upload
from tests import pictures

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.system]
ROOT = Path(__file__).parents[3]


@pytest.fixture
def worker(broker, tmp_path):
    """The pictures worker, as the launcher starts it."""
    address = urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{connection.settings_dict['NAME']}")
    environment = {
        "DATABASE_URL": address.geturl(),
        "CELERY_BROKER_URL": broker,
        "MEDIA_ROOT": str(settings.MEDIA_ROOT),
        "OMP_NUM_THREADS": "1",
    }
    words = ["worker", "-Q", "pictures", "-c", "3", "--without-mingle", "--without-gossip", "--loglevel", "INFO"]
    with (tmp_path / "worker.log").open("w") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "celery", "-A", "config", *words],
            cwd=ROOT,
            env={**os.environ, **environment},
            stdout=log,
            stderr=log,
        )
    yield psutil.Process(process.pid), tmp_path / "worker.log"
    process.terminate()
    process.wait(30)


def wait_for(what, log, seconds=120):
    deadline = time.monotonic() + seconds
    while not (answer := what()):
        assert time.monotonic() < deadline, log.read_text()[-3000:]
        time.sleep(0.02)
    return answer


def test_one_persons_large_pictures_do_not_delay_anothers(make_world, broker, worker):
    process, log = worker
    here = make_world()
    noise = np.random.default_rng(1).integers(0, 256, (4_500, 6_000, 3), dtype=np.uint8)
    large = [
        pictures.begin(here.contributor, pictures.encode(noise + n, compress_level=1), filename="a.png")
        for n in range(3)
    ]
    small = pictures.begin(here.curator, pictures.jpeg())
    bomb = pictures.begin(here.curator, pictures.scan_bomb(1_500, 3_000, 3_000))
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
    assert all(child.memory_info().rss < 300_000_000 for child in process.children(recursive=True))
