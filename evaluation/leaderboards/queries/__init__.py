"""Reads about leaderboards: the board and its files, two systems compared, the queries behind the numbers."""

from evaluation.leaderboards.queries.board import SUBMISSIONS_FILE, board, comparison, leaderboard
from evaluation.leaderboards.queries.files import File, Language, board_file, group_by_of, made_file, submissions_file
from evaluation.leaderboards.queries.samples import sample, samples_page

__all__ = [
    "SUBMISSIONS_FILE",
    "File",
    "Language",
    "board",
    "board_file",
    "comparison",
    "group_by_of",
    "leaderboard",
    "made_file",
    "sample",
    "samples_page",
    "submissions_file",
]
