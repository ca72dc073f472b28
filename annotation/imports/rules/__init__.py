"""Reading files of other tools and of our own: pure Python, one module a format."""

from annotation.imports.rules.contents import fitted
from annotation.imports.rules.formats import FORMATS, detect, read
from annotation.imports.rules.rows import Fault, Named, Row, storable
from curation.lib.json_rows import Unreadable, first_bad_byte

__all__ = [
    "FORMATS",
    "Fault",
    "Named",
    "Row",
    "Unreadable",
    "detect",
    "first_bad_byte",
    "fitted",
    "read",
    "storable",
]
