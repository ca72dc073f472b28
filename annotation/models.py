"""Index of the tables of this app, for Django; they are defined in the features."""

from annotation.items.models import Draft, Item, ItemHand, ItemRevision
from annotation.packages.models import Package, PackageItem
from annotation.quality.models import Inspection, InspectionSample, Verdict
from annotation.releases.models import Release, ReleaseEntry, ReleaseFile, ReleaseImage

__all__ = [
    "Draft",
    "Inspection",
    "InspectionSample",
    "Item",
    "ItemHand",
    "ItemRevision",
    "Package",
    "PackageItem",
    "Release",
    "ReleaseEntry",
    "ReleaseFile",
    "ReleaseImage",
    "Verdict",
]
