"""Index of the tables of this app, for Django; they are defined in the features."""

from evaluation.runs.models import Prediction, Run
from evaluation.scoring.models import Score
from evaluation.systems.models import System

__all__ = ["Prediction", "Run", "Score", "System"]
