"""The rows of every format: a reference to a picture, and texts."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple
from urllib.parse import parse_qs, unquote, urlsplit

from curation.core.text import replace_unshowable

LONGEST_LABEL: Final = 200
MOST_SLOTS: Final = 100  # items of one kind on one picture

_SHA256: Final = re.compile(r"[0-9a-fA-F]{64}")
_LABEL: Final = re.compile(r"(?:img-)?([0-9]{1,9})")
# Label Studio puts eight hexadecimal digits before the name of an uploaded file.
_UPLOADED: Final = re.compile(r"[0-9a-f]{8}-(.+)")
_PICTURE_FILE: Final = re.compile(r"\.(?:jpe?g|png|webp|heic|heif|gif|bmp|tiff?)$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class PictureReference:
    """A row's reference to a picture. The digest takes precedence, then the label, then the file name.

    Attributes:
        sha256: The digest of the file as uploaded or as cleaned; empty if unknown.
        number: The number of the label.
        files: Possible names of the uploaded file.
        display: The reference as the file spells it, for the report.
    """

    sha256: str = ""
    number: int | None = None
    files: tuple[str, ...] = ()
    display: str = ""

    @property
    def has_reference(self) -> bool:
        """Whether the row refers to a picture at all."""
        return bool(self.sha256 or self.number is not None or self.files)


class TeamReference(NamedTuple):
    """A row's reference to a team: its name, its pair's slug, or the pair's country and language; others are empty."""

    name: str = ""
    pair: str = ""
    country: str = ""
    language: str = ""


class Fault(NamedTuple):
    """Why a row is rejected; the browser translates ``code``."""

    code: str
    params: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a file.

    Attributes:
        line: Its number in the file: a line, or the place in an array, counted from 1.
        picture: The reference to its picture.
        slot: The slot among the picture's items of the kind; None if the row has none.
        content: The kind's content as in the file, not checked yet; None with a fault.
        fault: Why the row is unusable.
        team: The team whose item it becomes, as far as the row names one.
        size: Width and height of the picture to which coordinates refer; None if the row has none or does not say.
    """

    line: int
    picture: PictureReference = field(default_factory=PictureReference)
    slot: int | None = None
    content: Mapping[str, Any] | None = None
    fault: Fault | None = None
    team: TeamReference | None = None
    size: tuple[int, int] | None = None


def storable(value: str) -> str:
    """Return the first :data:`LONGEST_LABEL` characters of a text, with U+FFFD for those that no column stores.

    What a report repeats from a file goes through this.
    """
    return replace_unshowable(value[:LONGEST_LABEL])


def picture_reference(*, sha256: Any = None, label: Any = None, reference: Any = None) -> PictureReference:
    """Read a row's reference to a picture.

    Args:
        sha256: A possible digest.
        label: A possible label (``img-0042``) or number.
        reference: A label, a digest, a file name, a path or an address.
    """
    digest = sha256.lower() if isinstance(sha256, str) and _SHA256.fullmatch(sha256) else ""
    number = _number(label)
    files: tuple[str, ...] = ()
    if isinstance(reference, int):
        number = _number(reference) if number is None else number
    if isinstance(reference, str) and reference:
        name = _last_part(reference)
        files = (name,) if (uploaded := _UPLOADED.fullmatch(name)) is None else (name, uploaded[1])
        for stem in {file.rpartition(".")[0] or file for file in files}:
            if _SHA256.fullmatch(stem):
                digest = digest or stem.lower()
            elif stem.startswith("img-") or stem == reference:
                number = _number(stem) if number is None else number
    display = next((str(v) for v in (reference, label, sha256) if isinstance(v, str | int) and str(v)), "")
    return PictureReference(digest, number, files, storable(display))


def _number(value: Any) -> int | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value if 0 <= value < 10**9 else None
    match = _LABEL.fullmatch(value.strip()) if isinstance(value, str) else None
    return int(match[1]) if match else None


def _last_part(reference: str) -> str:
    """Return the file name at the end of a path or an address; Label Studio serves local files as ``?d=path``."""
    try:
        parts = urlsplit(reference)
        path = (parse_qs(parts.query).get("d") or [parts.path])[0]
    except ValueError:  # brackets that are not part of an address
        path = reference
    name = unquote(path).replace("\\", "/").rstrip("/").rpartition("/")[2]
    return name if _is_file(name) else reference.rpartition("/")[2][:255]


def _is_file(name: str) -> bool:
    return 0 < len(name) <= 255


def reference_in(values: Mapping[str, Any], names: Sequence[str]) -> Any:
    """Find the reference to the picture in a row: under one of the usual names, else a value like a picture file."""
    for name in names:
        if isinstance(values.get(name), str | int) and not isinstance(values[name], bool):
            return values[name]
    looks = (v for v in values.values() if isinstance(v, str) and len(v) < 2_000 and _PICTURE_FILE.search(v))
    return next(looks, None)


def team_reference(values: Mapping[str, Any]) -> TeamReference | None:
    """Read a row's reference to a team; None if it has none. ``language`` is a BCP 47 tag, as in our releases."""
    texts = (values.get(name) for name in ("team", "pair", "country", "language"))
    name, pair, country, language = (storable(text.strip()) if isinstance(text, str) else "" for text in texts)
    if name or pair:
        return TeamReference(name, pair)
    return TeamReference(country=country, language=language) if country and language else None


def slot_of(value: Any) -> int | Fault | None:
    """Read a row's slot; None if it has none."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < MOST_SLOTS:
        return Fault("slot_refused", {"maximum": MOST_SLOTS - 1})
    return value
