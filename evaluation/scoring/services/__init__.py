"""Scoring runs: over frozen releases, and over item sets."""

from evaluation.scoring.services.releases import SCORE, request_scores, score_release
from evaluation.scoring.services.sets import SCORE_SET, score_set_run
from evaluation.scoring.services.sweeping import sweep_scores

__all__ = ["SCORE", "SCORE_SET", "request_scores", "score_release", "score_set_run", "sweep_scores"]
