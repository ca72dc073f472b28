"""Reads about submissions: what a release expects, limits, crews, results."""

from evaluation.submissions.queries.crews import crew_invitation, crew_link, crew_page, own_crew
from evaluation.submissions.queries.expected import (
    OPEN,
    answered_kind,
    expected,
    gold_rows,
    open_releases,
    published,
    template,
)
from evaluation.submissions.queries.limits import day_of, stored_bytes, submissions_of, total_of
from evaluation.submissions.queries.listed import ScoredRow, by_profile, listed_submissions, rows_of_runs, scored_rows
from evaluation.submissions.queries.results import (
    breakdowns,
    changed_submission,
    figures,
    least_group_of,
    owner_ids,
    submission_detail,
    submissions_page,
)

__all__ = [
    "OPEN",
    "ScoredRow",
    "answered_kind",
    "breakdowns",
    "by_profile",
    "changed_submission",
    "crew_invitation",
    "crew_link",
    "crew_page",
    "day_of",
    "expected",
    "figures",
    "gold_rows",
    "least_group_of",
    "listed_submissions",
    "open_releases",
    "own_crew",
    "owner_ids",
    "published",
    "rows_of_runs",
    "scored_rows",
    "stored_bytes",
    "submission_detail",
    "submissions_of",
    "submissions_page",
    "template",
    "total_of",
]
