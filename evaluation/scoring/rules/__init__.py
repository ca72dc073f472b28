"""Rules of scores: what a search finds, its report, and which groups may have figures. Values in, values out."""

from evaluation.scoring.rules.documents import lines_of, report_of
from evaluation.scoring.rules.groups import large_groups
from evaluation.scoring.rules.search import (
    GROUP_BYS,
    IMAGE,
    NO_GROUP,
    PROFILE,
    SCOPES,
    Answer,
    Entry,
    Gallery,
    Line,
    Rank,
    bootstrap_seed,
    cutoffs_of,
    gallery_digest,
    metrics_of,
    score,
    text_variant,
)

__all__ = [
    "GROUP_BYS",
    "IMAGE",
    "NO_GROUP",
    "PROFILE",
    "SCOPES",
    "Answer",
    "Entry",
    "Gallery",
    "Line",
    "Rank",
    "bootstrap_seed",
    "cutoffs_of",
    "gallery_digest",
    "large_groups",
    "lines_of",
    "metrics_of",
    "report_of",
    "score",
    "text_variant",
]
