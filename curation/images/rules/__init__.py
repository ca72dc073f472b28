"""Rules for pictures: validation, cleaning, details and verdicts; pure functions."""

from curation.images.rules.archives import Archive, Entry, open_archive
from curation.images.rules.cleaning import (
    CHECKS,
    Cleaned,
    Encoded,
    Unfit,
    check_bytes,
    clean,
    fitting_type,
    other_type_name,
    sharpness,
    sniff,
)
from curation.images.rules.details import Refused, check_details, missing
from curation.images.rules.likeness import (
    CANDIDATES,
    SAME,
    Hashes,
    Overlay,
    agreement,
    bits_between,
    distance,
    hashes,
    overlay,
)
from curation.images.rules.names import check_name
from curation.images.rules.results import (
    CHECK_STATES,
    FLAGS,
    OUTCOMES,
    SOURCES,
    FinalizedUpload,
    HeldBatch,
    Judged,
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
    "Encoded",
    "Entry",
    "FinalizedUpload",
    "Hashes",
    "HeldBatch",
    "Judged",
    "Objects",
    "Overlay",
    "Refused",
    "Unfit",
    "agreement",
    "bits_between",
    "check_bytes",
    "check_details",
    "check_name",
    "clean",
    "distance",
    "fitting_type",
    "hashes",
    "missing",
    "open_archive",
    "other_type_name",
    "overlay",
    "sharpness",
    "sniff",
    "subset_faults",
]
