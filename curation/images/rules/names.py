"""File names from clients: for display, never for paths on disk."""

from __future__ import annotations

import unicodedata
from typing import Final

from curation.core.text import BIDI_CONTROLS, normalize
from curation.images.rules.cleaning import InvalidFile

LONGEST: Final = 200  # characters
PICTURES: Final = frozenset({"jpg", "jpeg", "jpe", "jfif", "png", "webp", "heic", "heif"})
ARCHIVES: Final = frozenset({"zip"})
# Extensions that a server or desktop would execute; anywhere in a name they are an attack.
_SCRIPTS: Final = frozenset({"asp", "aspx", "htm", "html", "js", "jsp", "mjs", "php", "phtml", "pl", "py", "shtml"})
_PROGRAMS: Final = frozenset({"bat", "cmd", "com", "dll", "exe", "hta", "jar", "lnk", "msi", "ps1", "scr", "sh", "vbs"})
_DOCUMENTS: Final = frozenset({"svg", "svgz", "swf", "xhtml", "xml"})
_ACTIVE: Final = _SCRIPTS | _PROGRAMS | _DOCUMENTS


def check_name(name: str) -> str:
    """Return the name to store, in NFC.

    Raises:
        InvalidFile: The name would deceive a reader or a program.
    """
    if any("\ud800" <= c <= "\udfff" for c in name):
        raise InvalidFile("filename_unreadable")
    name = normalize("NFC", name).strip()
    if any(unicodedata.category(c) == "Cc" for c in name):
        raise InvalidFile("filename_control_character")
    if any(c in BIDI_CONTROLS or c in "\u200e\u200f\u061c" for c in name):
        raise InvalidFile("filename_direction_control")
    if "/" in name or "\\" in name or name in {"", ".", ".."}:
        raise InvalidFile("filename_path")
    if len(name) > LONGEST:
        raise InvalidFile("filename_too_long", maximum=LONGEST)
    endings = [part.strip().casefold() for part in name.split(".")[1:]]
    if len(endings) > 1 and _ACTIVE.intersection(endings):
        raise InvalidFile("filename_double_extension", filename=name)
    return name


def has_archive_extension(name: str) -> bool:
    """Return whether a name has the extension of a ZIP; the content decides later."""
    return "." in name and name.rpartition(".")[2].casefold() in ARCHIVES


def has_picture_extension(name: str) -> bool:
    """Return whether a name has the extension of a picture, or none."""
    return "." not in name or name.rpartition(".")[2].casefold() in PICTURES
