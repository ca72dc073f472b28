"""What people and workers do with runs.

The database knows what is left to do: revisions without answers, and chunks of them. Sweeps find it and note jobs; the
workers that hold models take chunk after chunk, each one transaction. Killed anywhere, a worker has lost at most the
chunk in hand, which is taken up again and which nobody sees twice.
"""

from evaluation.runs.services.embedding import loaded, open_pictures, predict
from evaluation.runs.services.life import Started, cancel_run, pause_run, resume_run, retry_run, start_run
from evaluation.runs.services.sweeping import open_rolling_runs, sweep_predictions
from evaluation.runs.services.working import embed_accepted, note_environment, show_worker

__all__ = [
    "Started",
    "cancel_run",
    "embed_accepted",
    "loaded",
    "note_environment",
    "open_pictures",
    "open_rolling_runs",
    "pause_run",
    "predict",
    "resume_run",
    "retry_run",
    "show_worker",
    "start_run",
    "sweep_predictions",
]
