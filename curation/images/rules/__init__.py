"""Rules for pictures: validation, cleaning, details and verdicts; pure functions."""

from curation.images.rules.archives import Archive, Entry, open_archive
from curation.images.rules.cleaning import (
    CHECKS,
    Cleaned,
    CleaningResult,
    Encoded,
    InvalidFile,
    accepted_type,
    check_bytes,
    clean,
    clean_file,
    other_type_name,
    sharpness,
    sniff,
)
from curation.images.rules.details import InvalidDetail, check_details, missing, team_of
from curation.images.rules.labels import number_of_label
from curation.images.rules.names import check_name
from curation.images.rules.near_duplicates import (
    CANDIDATES,
    SAME,
    Hashes,
    Overlay,
    agreement,
    hashes,
    overlay,
)
from curation.images.rules.results import (
    CHECK_STATES,
    FLAGS,
    OUTCOMES,
    SOURCES,
    DecisionResult,
    FinalizedUpload,
    HeldBatch,
)
from curation.images.rules.subsets import Objects, subset_faults

__all__ = [
    "CANDIDATES",
    "CHECKS",
    "CHECK_STATES",
    "FLAGS",
    "OUTCOMES",
    "SAME",
    "SOURCES",
    "Archive",
    "Cleaned",
    "CleaningResult",
    "DecisionResult",
    "Encoded",
    "Entry",
    "FinalizedUpload",
    "Hashes",
    "HeldBatch",
    "InvalidDetail",
    "InvalidFile",
    "Objects",
    "Overlay",
    "accepted_type",
    "agreement",
    "check_bytes",
    "check_details",
    "check_name",
    "clean",
    "clean_file",
    "hashes",
    "missing",
    "number_of_label",
    "open_archive",
    "other_type_name",
    "overlay",
    "sharpness",
    "sniff",
    "subset_faults",
    "team_of",
]
