"""Making item sets: of files and of releases by a job, and of accepted work as it is accepted."""

from evaluation.sets.services.creating import FOLDER, File, create_set
from evaluation.sets.services.items import READ, follow_accepted, release_set, rolling_set
from evaluation.sets.services.reading import give_up, gold_file, read_set
from evaluation.sets.services.sweeping import sweep_files

__all__ = [
    "FOLDER",
    "READ",
    "File",
    "create_set",
    "follow_accepted",
    "give_up",
    "gold_file",
    "read_set",
    "release_set",
    "rolling_set",
    "sweep_files",
]
