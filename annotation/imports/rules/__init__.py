"""Readers of files from other tools and from our releases: pure Python, one module per format."""

from annotation.imports.rules.boxes import has_boxes
from annotation.imports.rules.formats import FORMATS, detect, read
from annotation.imports.rules.rows import Fault, PictureReference, Row, TeamReference, storable
from curation.lib.json_rows import Unreadable, first_bad_byte

__all__ = [
    "FORMATS",
    "Fault",
    "PictureReference",
    "Row",
    "TeamReference",
    "Unreadable",
    "detect",
    "first_bad_byte",
    "has_boxes",
    "read",
    "storable",
]
