"""The Celery application. Messages only wake workers; the database has the pending work (``core.jobs``)."""

import logging.config
import os
from typing import Any

from celery import Celery, signals
from django.conf import settings

from config.checks import refuse_what_is_unsafe
from evaluation.backends.registry import QUEUES

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
app = Celery("lantern")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.conf.update(
    accept_content=["json"],
    task_serializer="json",
    task_ignore_result=True,
    task_default_queue="default",
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
        "follow-pictures": {"task": "annotation.follow_pictures", "schedule": 60.0},
        "sweep-pools": {"task": "annotation.sweep_pools", "schedule": 30.0},
        "fold-tallies": {"task": "annotation.fold_tallies", "schedule": 15.0},
        # Retries files of releases that did not fit on the disk.
        "sweep-full-releases": {
            "task": "annotation.sweep_full_releases",
            "schedule": 60.0,
        },
        # Removes files of unfinished uploads after a day.
        "sweep-files": {"task": "curation.sweep_files", "schedule": 6 * 3600.0},
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
