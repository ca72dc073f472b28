"""The Celery application. Messages only wake workers; the database has the pending work (``core.jobs``)."""

import logging.config
import multiprocessing.process
import os
import resource
import signal
import threading
from typing import Any

import billiard
from celery import Celery, signals
from django.conf import settings

from config.checks import refuse_what_is_unsafe
from curation.core.broker import DEFAULT, MEMORY_LIMIT, PICTURES, PICTURES_MEMORY_LIMIT, TIME_LIMIT
from evaluation.backends.registry import QUEUES

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
app = Celery("lantern")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.conf.update(
    accept_content=["json"],
    task_serializer="json",
    task_ignore_result=True,
    task_default_queue=DEFAULT,
    task_time_limit=TIME_LIMIT,
    # A lost message delays work until the next sweep (15 s), so workers acknowledge early and nothing is redelivered.
    task_acks_late=False,
    worker_prefetch_multiplier=1,
    broker_connection_retry_on_startup=True,
    broker_connection_max_retries=None,
    broker_transport_options={
        "visibility_timeout": 43_200,
        "unacked_restore_interval": 2,
        "unacked_restore_throttle": 1,
    },
    # Without these limits a request that wakes a worker would hang while the broker is unavailable.
    task_publish_retry=False,
    redis_socket_connect_timeout=2,
    redis_socket_timeout=20,
    beat_scheduler="config.beat:SteadyScheduler",
    beat_schedule={
        "sweep-jobs": {"task": "curation.sweep_jobs", "schedule": 15.0},
        "sweep-predictions": {"task": "evaluation.sweep_predictions", "schedule": 15.0},
        "sweep-scores": {"task": "evaluation.sweep_scores", "schedule": 15.0},
        "destroy-files": {"task": "curation.destroy_files", "schedule": 60.0},
        "destroy-release-files": {"task": "annotation.destroy_release_files", "schedule": 60.0},
        "erase-vectors": {"task": "evaluation.erase_vectors", "schedule": 60.0},
        "follow-pictures": {"task": "annotation.follow_pictures", "schedule": 60.0},
        "follow-bases": {"task": "annotation.follow_bases", "schedule": 15.0},
        "sweep-dialogues": {"task": "annotation.sweep_dialogues", "schedule": 15.0},
        "sweep-pools": {"task": "annotation.sweep_pools", "schedule": 30.0},
        "fold-tallies": {"task": "annotation.fold_tallies", "schedule": 15.0},
        "index-texts": {"task": "annotation.index_texts", "schedule": 5.0},
        "send-mails": {"task": "curation.send_mails", "schedule": 60.0},
        "sweep-mails": {"task": "curation.sweep_mails", "schedule": 6 * 3600.0},
        "keep-figures": {"task": "annotation.keep_figures", "schedule": 300.0},
        "sweep-previews": {"task": "annotation.sweep_previews", "schedule": 600.0},
        "sweep-blind-trials": {"task": "annotation.sweep_blind_trials", "schedule": 15.0},
        "sweep-searches": {"task": "curation.sweep_searches", "schedule": 15.0},
        # Removes files of unfinished uploads after a day.
        "sweep-files": {"task": "curation.sweep_files", "schedule": 6 * 3600.0},
        "sweep-submitted-files": {"task": "evaluation.sweep_files", "schedule": 6 * 3600.0},
        "sweep-files-of-sets": {"task": "evaluation.sweep_set_files", "schedule": 6 * 3600.0},
        "report-pictures-worker": {
            "task": "curation.report_worker",
            "schedule": 15.0,
            "kwargs": {"queue": PICTURES},
            "options": {"queue": PICTURES},
        },
        # Workers of runs respond to this, so that pages can show whether there are any.
        **{
            f"report-{queue}-worker": {
                "task": "evaluation.report_worker",
                "schedule": 15.0,
                "kwargs": {"queue": queue},
                "options": {"queue": queue},
            }
            for queue in QUEUES
        },
    },
)
app.autodiscover_tasks(["curation", "annotation", "evaluation"])


@signals.setup_logging.connect
def _log_as_the_web_does(**kwargs: Any) -> None:
    """Use our log format in all processes; Celery would configure its own."""
    logging.config.dictConfig(settings.LOGGING)


@signals.worker_init.connect
@signals.beat_init.connect
def _refuse(**kwargs: Any) -> None:
    refuse_what_is_unsafe()


_main_process = multiprocessing.process.current_process()


@signals.worker_process_init.connect
def _allow_child_processes(**kwargs: Any) -> None:
    """Let this process of a pool start child processes with the standard library.

    Celery's own fork of multiprocessing puts its process object, a daemon, in the place of the standard library's, and
    a daemon may not have children. Those of ours are stopped by their limits (``curation/lib/child_process.py``).
    """
    multiprocessing.process._current_process = _main_process  # type: ignore[attr-defined]  # noqa: SLF001


@signals.worker_process_init.connect
def _limit_memory(**kwargs: Any) -> None:
    """Limit the memory of a process of a pool, so that a task fails before the machine has no memory left."""
    if billiard.current_process().name == "MainProcess":
        return
    limit = PICTURES_MEMORY_LIMIT if set(app.amqp.queues.consume_from) == {PICTURES} else MEMORY_LIMIT
    resource.setrlimit(resource.RLIMIT_DATA, (limit, resource.getrlimit(resource.RLIMIT_DATA)[1]))


_limits: dict[str, threading.Timer] = {}


@signals.task_prerun.connect
def _start_limit(task_id: str, task: Any, **kwargs: Any) -> None:
    """Limit a task in a pool that is one process, which Celery's own limits leave out: the process kills itself."""
    if task.request.is_eager or billiard.current_process().name != "MainProcess":
        return
    limit = threading.Timer(task.time_limit or app.conf.task_time_limit, os.kill, (os.getpid(), signal.SIGKILL))
    limit.daemon = True
    _limits[task_id] = limit
    limit.start()


@signals.task_postrun.connect
def _end_limit(task_id: str, **kwargs: Any) -> None:
    if limit := _limits.pop(task_id, None):
        limit.cancel()
