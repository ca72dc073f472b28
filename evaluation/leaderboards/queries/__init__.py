"""Reads about leaderboards: the board and its files, two systems compared, the queries behind the numbers."""

from evaluation.leaderboards.queries.board import SUBMISSIONS_FILE, board, comparison, leaderboard
from evaluation.leaderboards.queries.files import File, Language, group_by_of, made_file, submissions_file
from evaluation.leaderboards.queries.profile_files import names_of
from evaluation.leaderboards.queries.profiles import (
    public_boards,
    public_profile_file,
    release_board,
    release_comparison,
    release_file,
    set_board,
    set_board_file,
    set_comparison,
)
from evaluation.leaderboards.queries.samples import sample, samples_page

__all__ = [
    "SUBMISSIONS_FILE",
    "File",
    "Language",
    "board",
    "comparison",
    "group_by_of",
    "leaderboard",
    "made_file",
    "names_of",
    "public_boards",
    "public_profile_file",
    "release_board",
    "release_comparison",
    "release_file",
    "sample",
    "samples_page",
    "set_board",
    "set_board_file",
    "set_comparison",
    "submissions_file",
]
