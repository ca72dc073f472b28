"""Index of the tables of this app, for Django; they are defined in the features."""

from evaluation.asking.models import Trial
from evaluation.runs.models import Chunk, Failure, Feature, Prediction, Run
from evaluation.scoring.models import QueryRank, Score, Scoring
from evaluation.submissions.models import Submission
from evaluation.systems.models import System

__all__ = [
    "Chunk",
    "Failure",
    "Feature",
    "Prediction",
    "QueryRank",
    "Run",
    "Score",
    "Scoring",
    "Submission",
    "System",
    "Trial",
]
