"""What people and workers do with runs.

The database knows what is left to do: entries of item sets in no chunk, and chunks. Sweeps find runs with work and
wake the workers that hold models; these claim chunk after chunk, each written in one transaction. A worker that is
killed loses at most its present chunk, which is computed again, and nothing is written twice.
"""

from evaluation.runs.services.embedding import loaded, open_pictures
from evaluation.runs.services.erasing import ERASE, erase_vectors
from evaluation.runs.services.grids import StartedRuns, start_set_runs
from evaluation.runs.services.lifecycle import cancel_run, pause_run, resume_run, retry_run, start_run
from evaluation.runs.services.planning import plan_set_runs
from evaluation.runs.services.requested import sweep_predictions
from evaluation.runs.services.set_runs import StartedRun
from evaluation.runs.services.working import embed_accepted, note_environment, report_worker

__all__ = [
    "ERASE",
    "StartedRun",
    "StartedRuns",
    "cancel_run",
    "embed_accepted",
    "erase_vectors",
    "loaded",
    "note_environment",
    "open_pictures",
    "pause_run",
    "plan_set_runs",
    "report_worker",
    "resume_run",
    "retry_run",
    "start_run",
    "start_set_runs",
    "sweep_predictions",
]
