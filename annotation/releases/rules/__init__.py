"""Splits, gates and records of a release: pure functions of a snapshot."""

from annotation.releases.rules.errata import ERRATUM_STATES, MOST_WAITING, NOTICES, STATE_AFTER
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
    repeated_questions,
)
from annotation.releases.rules.inputs import (
    PER_PICTURE,
    SPLIT_ORDER,
    Candidate,
    Origin,
    PerCategory,
    Picture,
    Settings,
    Stock,
    Unfinished,
    in_order,
)
from annotation.releases.rules.labels import canary, next_label
from annotation.releases.rules.options import drawn_options
from annotation.releases.rules.records import CHANGES, canonical, occasional_fields, picture_path, record
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
    "ERRATUM_STATES",
    "GATES",
    "LEFT_OUT",
    "MOST_LISTED",
    "MOST_WAITING",
    "NOTICES",
    "PER_PICTURE",
    "SPLIT_ORDER",
    "STATE_AFTER",
    "Candidate",
    "Check",
    "GateFailure",
    "Origin",
    "PerCategory",
    "Picture",
    "Settings",
    "Snapshot",
    "Stock",
    "Unfinished",
    "allocate_new_pictures",
    "apportion",
    "canary",
    "canonical",
    "count_failures",
    "counts_by_stratum",
    "counts_per_category",
    "draw_splits",
    "drawn_options",
    "gate_failures",
    "in_order",
    "next_label",
    "occasional_fields",
    "picture_path",
    "record",
    "repeated_questions",
]
