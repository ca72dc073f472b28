"""Index of the tables of this app, for Django; they are defined in the features."""

from evaluation.asking.models import Trial
from evaluation.publication.models import Download, Publication, PublicRelease, TermsAcceptance
from evaluation.runs.models import Chunk, Feature, Reply, ReplyFailure, ReplyOverride, Run
from evaluation.scoring.models import EntryResult, ReportUnits, SetReport
from evaluation.sets.models import Entry, ItemSet, SetPicture
from evaluation.submissions.models import Crew, CrewMember, Submission, SubmissionUnits
from evaluation.systems.models import System

__all__ = [
    "Chunk",
    "Crew",
    "CrewMember",
    "Download",
    "Entry",
    "EntryResult",
    "Feature",
    "ItemSet",
    "PublicRelease",
    "Publication",
    "Reply",
    "ReplyFailure",
    "ReplyOverride",
    "ReportUnits",
    "Run",
    "SetPicture",
    "SetReport",
    "Submission",
    "SubmissionUnits",
    "System",
    "TermsAcceptance",
    "Trial",
]
