"""Making item sets: the files are stored, and a job reads them."""

from evaluation.sets.services.creating import FOLDER, READ, File, create_set
from evaluation.sets.services.reading import give_up, gold_file, read_set

__all__ = ["FOLDER", "READ", "File", "create_set", "give_up", "gold_file", "read_set"]
