"""Index of the tables of this app, for Django; they are defined in the features."""

from annotation.bases.models import ItemBase
from annotation.bulk.models import Bulk, BulkTarget
from annotation.comments.models import Comment
from annotation.concepts.models import Concept
from annotation.dialogues.models import Dialogue, DialogueTurn, Waiting
from annotation.drafting.models import CandidateDecision, Drafting
from annotation.draws.models import Draw, Drawn, PopulationItem
from annotation.guidelines.models import Acknowledgement, Guideline
from annotation.imports.models import Import, ImportRow
from annotation.items.models import Draft, Exclusion, Item, ItemHand, ItemRevision
from annotation.judging.models import Judging, Verdict
from annotation.packages.models import Package, PackageItem
from annotation.pair.models import Click, ClickRound
from annotation.quality.models import Inspection
from annotation.releases.models import Release, ReleaseEntry, ReleaseFile, ReleaseImage, ReleaseKind
from annotation.search.models import ItemText, TextQueue
from annotation.seats.models import Seat
from annotation.tallies.models import PictureItems, Tally
from annotation.trials.models import BlindTrial, PendingTrial

__all__ = [
    "Acknowledgement",
    "BlindTrial",
    "Bulk",
    "BulkTarget",
    "CandidateDecision",
    "Click",
    "ClickRound",
    "Comment",
    "Concept",
    "Dialogue",
    "DialogueTurn",
    "Draft",
    "Drafting",
    "Draw",
    "Drawn",
    "Exclusion",
    "Guideline",
    "Import",
    "ImportRow",
    "Inspection",
    "Item",
    "ItemBase",
    "ItemHand",
    "ItemRevision",
    "ItemText",
    "Judging",
    "Package",
    "PackageItem",
    "PendingTrial",
    "PictureItems",
    "PopulationItem",
    "Release",
    "ReleaseEntry",
    "ReleaseFile",
    "ReleaseImage",
    "ReleaseKind",
    "Seat",
    "Tally",
    "TextQueue",
    "Verdict",
    "Waiting",
]
