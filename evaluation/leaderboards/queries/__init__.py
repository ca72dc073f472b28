"""Reads about leaderboards: the board and its files, two systems compared, the queries behind the numbers."""

from evaluation.leaderboards.queries.board import comparison, leaderboard
from evaluation.leaderboards.queries.files import board_file
from evaluation.leaderboards.queries.samples import sample, samples_page

__all__ = ["board_file", "comparison", "leaderboard", "sample", "samples_page"]
