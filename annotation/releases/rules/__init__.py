"""Splits, gates and records of a release: pure functions of a snapshot."""

from annotation.releases.rules.gates import (
    ALWAYS,
    GATES,
    LEFT_OUT,
    MOST_LISTED,
    Check,
    GateFailure,
    Snapshot,
    count_failures,
    gate_failures,
)
from annotation.releases.rules.inputs import (
    SPLIT_ORDER,
    Candidate,
    PerCategory,
    Picture,
    Settings,
    Stock,
    Unfinished,
    in_order,
)
from annotation.releases.rules.records import CHANGES, canonical, picture_path, record
from annotation.releases.rules.splits import (
    allocate_new_pictures,
    apportion,
    counts_by_stratum,
    counts_per_category,
    draw_splits,
)

__all__ = [
    "ALWAYS",
    "CHANGES",
    "GATES",
    "LEFT_OUT",
    "MOST_LISTED",
    "SPLIT_ORDER",
    "Candidate",
    "Check",
    "GateFailure",
    "PerCategory",
    "Picture",
    "Settings",
    "Snapshot",
    "Stock",
    "Unfinished",
    "allocate_new_pictures",
    "apportion",
    "canonical",
    "count_failures",
    "counts_by_stratum",
    "counts_per_category",
    "draw_splits",
    "gate_failures",
    "in_order",
    "picture_path",
    "record",
]
