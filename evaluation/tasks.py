"""Celery entry points of this app, gathered from its features."""

from evaluation.runs.tasks import embed_accepted, report_worker, sweep_predictions

__all__ = ["embed_accepted", "report_worker", "sweep_predictions"]
