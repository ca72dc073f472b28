"""Celery entry points of this app, gathered from its features."""

from celery import shared_task

from curation.calls.services import mark_lost_calls
from curation.core import jobs
from curation.core.broker import DEFAULT
from curation.images.tasks import check_upload, sweep_files
from curation.mail.tasks import send_due_mails
from curation.url_lists.tasks import fetch_url_list

__all__ = ["check_upload", "fetch_url_list", "report_worker", "send_due_mails", "sweep_files", "sweep_jobs"]


@shared_task(name="curation.sweep_jobs")
def sweep_jobs(**_: object) -> None:
    """Wake open jobs whose message was lost, and settle calls whose holder is gone; shows that a worker is alive."""
    jobs.worker_seen(DEFAULT)
    jobs.sweep()
    mark_lost_calls()


@shared_task(name="curation.report_worker")
def report_worker(*, queue: str, **_: object) -> None:
    """Record that a worker of a queue takes messages."""
    jobs.worker_seen(queue)
