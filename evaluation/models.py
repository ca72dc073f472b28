"""Index of the tables of this app, for Django; they are defined in the features."""

from evaluation.asking.models import Trial
from evaluation.publication.models import Download, Publication, PublicRelease, TermsAcceptance
from evaluation.runs.models import Chunk, Failure, Feature, Prediction, Run
from evaluation.scoring.models import QueryRank, Score, Scoring
from evaluation.submissions.models import Crew, CrewMember, Submission
from evaluation.systems.models import System

__all__ = [
    "Chunk",
    "Crew",
    "CrewMember",
    "Download",
    "Failure",
    "Feature",
    "Prediction",
    "PublicRelease",
    "Publication",
    "QueryRank",
    "Run",
    "Score",
    "Scoring",
    "Submission",
    "System",
    "TermsAcceptance",
    "Trial",
]
