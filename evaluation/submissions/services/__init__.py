"""What people do with submissions, and the job that scores them."""

from evaluation.submissions.services.creating import FOLDER, SCORE, create_submission
from evaluation.submissions.services.crews import create_crew_link, join_crew, leave_crew, name_crew
from evaluation.submissions.services.listing import (
    hide_submission,
    list_submission,
    submission_to_download,
    unhide_submission,
    unlist_submission,
)
from evaluation.submissions.services.scoring import score_submission, sweep_files

__all__ = [
    "FOLDER",
    "SCORE",
    "create_crew_link",
    "create_submission",
    "hide_submission",
    "join_crew",
    "leave_crew",
    "list_submission",
    "name_crew",
    "score_submission",
    "submission_to_download",
    "sweep_files",
    "unhide_submission",
    "unlist_submission",
]
