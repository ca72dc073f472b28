"""Scoring runs over item sets, by themselves and on request."""

from evaluation.scoring.services.releases import request_scores
from evaluation.scoring.services.sets import SCORE_SET, score_set_run
from evaluation.scoring.services.sweeping import sweep_scores

__all__ = ["SCORE_SET", "request_scores", "score_set_run", "sweep_scores"]
