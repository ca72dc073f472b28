"""A Celery worker as a process of its own, for tests that watch a real one."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TypeVar
from urllib.parse import urlsplit

import psutil
import pytest
from django.conf import settings
from django.db import connection

from curation.core.models import Job
from evaluation.runs.models import Chunk

ROOT = Path(__file__).resolve().parent.parent
T = TypeVar("T")


@contextmanager
def celery_worker(broker: str, log: Path, *options: str, **environment: str) -> Iterator[subprocess.Popen[bytes]]:
    """A worker on the test's database; at the end it and its pool are killed without warning.

    Args:
        broker: Address of the broker.
        log: File that what it prints is appended to.
        options: Its queues and pool, as the launcher names them.
        environment: Further settings.
    """
    address = urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{connection.settings_dict['NAME']}")
    values = {
        "DATABASE_URL": address.geturl(),
        "CELERY_BROKER_URL": broker,
        "MEDIA_ROOT": str(settings.MEDIA_ROOT),
        "OMP_NUM_THREADS": "1",
    }
    words = ("worker", *options, "--without-mingle", "--without-gossip", "--loglevel", "INFO")
    with log.open("a") as out:
        process = subprocess.Popen(
            [sys.executable, "-m", "celery", "-A", "config", *words],
            cwd=ROOT,
            env={**os.environ, **values, **environment},
            stdout=out,
            stderr=out,
        )
    try:
        yield process
    finally:
        pool = []
        with suppress(psutil.NoSuchProcess):  # a test may have killed it
            pool = psutil.Process(process.pid).children(recursive=True)
        process.kill()
        process.wait(10)
        for child in pool:
            with suppress(psutil.NoSuchProcess):
                child.kill()


def wait_for(what: Callable[[], T], log: Path, *, seconds: float = 240) -> T:
    """Wait until ``what`` is true, and return it; fails with the jobs and the worker's last words."""
    deadline = time.monotonic() + seconds
    while not (answer := what()):
        if time.monotonic() > deadline:
            seen = list(Job.objects.values_list("task", "state", "attempt", "done", "error_code", "log"))
            cut = list(Chunk.objects.values_list("no", "state", "attempt", "worker", "error_code", "log"))
            pytest.fail(
                f"waited {seconds} s in vain; jobs: {seen}; chunks: {cut}; the worker said:\n{log.read_text()[-3000:]}"
            )
        time.sleep(0.02)
    return answer
