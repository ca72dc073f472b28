"""The pictures of a benchmark on disk."""

from __future__ import annotations

import hashlib
import io
import json
import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path, PurePosixPath
from typing import Final, Protocol

from PIL import Image

from curation.images.rules.decoding import DECODER_FAULTS, bare_srgb, orientation, upright
from evaluation.answering.rules.refusal import AnswerRefused
from evaluation.profiles.gold_files import embedded_pictures
from evaluation.suites.rules import Entry

#: How pictures are resized. VisTai enlarged with SwinIR, which is not here.
METHOD: Final = "Lanczos"
SCALES: Final = tuple(Fraction(text) for text in ("4", "2", "1", "1/2", "1/4", "1/8"))

#: Most pixels of a picture as it is sent, 89 million: Pillow's own limit, which is about files and knows no scale.
MOST_PIXELS: Final = 2**30 // 4 // 3

_SUFFIXES: Final = (".jpg", ".jpeg", ".png", ".webp", ".JPG", ".JPEG", ".PNG", ".WEBP")


@dataclass(frozen=True, slots=True)
class Loaded:
    """A picture as it is sent.

    Attributes:
        image: sRGB of 8 bits, transparency on white, upright, scaled.
        key: The SHA-256 of its file with the scale; asks with the same picture share it.
    """

    image: Image.Image
    key: str


class Source(Protocol):
    """Where pictures are."""

    def load(self, name: str) -> Loaded:
        """Read the picture that a gold file names."""


def loaded(content: bytes, scale: Fraction) -> Loaded:
    """Decode a picture file and scale it, as it is sent.

    Raises:
        OSError, ValueError, …: What decoders raise, of :data:`curation.images.rules.decoding.DECODER_FAULTS`.
    """
    with Image.open(io.BytesIO(content)) as opened:
        image = upright(bare_srgb(opened), orientation(opened))
    if scale != 1:
        width, height = (max(1, round(side * scale)) for side in image.size)
        image = image.resize((width, height), Image.Resampling.LANCZOS)
    return Loaded(image, f"{hashlib.sha256(content).hexdigest()}:{scale}")


class Finder:
    """Finds the files of pictures by the names in a gold file.

    A name without a suffix gets those of pictures, and names may begin in a folder above ours, as CVLUE's
    ``images/val/…`` do in a copy of ``val``.

    Args:
        is_file: Whether there is a file at a path with forward slashes.
    """

    def __init__(self, is_file: Callable[[str], bool]) -> None:
        self._is_file = is_file
        self._skipped: int | None = None  # leading parts of names that are above the folder, the same for all

    def find(self, name: str) -> str | None:
        """Return the path of a picture; None if there is none inside the folder."""
        parts = PurePosixPath(name).parts
        if not parts or PurePosixPath(name).is_absolute() or ".." in parts:
            return None
        for skipped in range(len(parts)) if self._skipped is None else (self._skipped,):
            path = "/".join(parts[skipped:])
            for candidate in (path, *(path + suffix for suffix in _SUFFIXES)):
                if self._is_file(candidate):
                    self._skipped = skipped
                    return candidate
        return None


class Pictures:
    """A folder of pictures.

    Args:
        folder: Where the names in the gold file begin.
        scale: The factor of both sides.
    """

    def __init__(self, folder: Path, scale: Fraction = Fraction(1)) -> None:
        self.folder = folder
        self.scale = scale
        self._paths: dict[str, Path] = {}
        self._finder = Finder(lambda path: _is_file(folder / path))

    def check(self, entries: Iterable[Entry], file: str) -> None:
        """Find the pictures of all entries and read their headers, before anything is sent.

        Raises:
            AnswerRefused: One is missing, is no picture, or is too large at the scale; with file, line and field.
        """
        for entry in entries:
            if entry.picture in self._paths or not entry.picture:
                continue
            place = f"{file}, line {entry.line}, field image: "
            inside = self._finder.find(entry.picture)
            if inside is None:
                raise AnswerRefused("picture_missing", f"{place}{entry.picture} is not in {self.folder}")
            path = self.folder / inside
            try:
                with Image.open(path) as opened:
                    width, height = opened.size
            except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
                reason = f"{entry.picture} cannot be read as a picture ({type(error).__name__})"
                raise AnswerRefused("picture_unreadable", place + reason) from error
            if width * height * self.scale**2 > MOST_PIXELS:
                at = "" if self.scale == 1 else f" at scale {self.scale}"
                reason = f"{entry.picture} has {width} × {height} pixels, and{at} at most {MOST_PIXELS:,} are sent"
                raise AnswerRefused("picture_too_large", place + reason)
            self._paths[entry.picture] = path
        files: dict[Path, str] = {}
        for name, path in self._paths.items():
            if files.setdefault(path, name) != name:
                raise AnswerRefused("picture_ambiguous", f"{files[path]} and {name} are the same file, {path}")

    def load(self, name: str) -> Loaded:
        """Read a picture that was checked.

        Raises:
            AnswerRefused: It cannot be decoded.
        """
        try:
            return loaded(self._paths[name].read_bytes(), self.scale)
        except (*DECODER_FAULTS, Image.DecompressionBombError) as error:
            reason = f"{name} cannot be decoded ({type(error).__name__})"
            raise AnswerRefused("picture_unreadable", reason) from error

    def digests(self) -> set[tuple[str, str]]:
        """Return the names of all pictures that were checked, each with the SHA-256 of its file.

        Raises:
            AnswerRefused: One cannot be read.
        """
        try:
            return {(name, _digest(path).hex()) for name, path in self._paths.items()}
        except OSError as error:
            reason = f"{error.filename} cannot be read ({error.strerror})"
            raise AnswerRefused("picture_unreadable", reason) from error

    def files(self) -> dict[Path, str]:
        """Return the files that were checked, with their names in the gold."""
        return {path: name for name, path in self._paths.items()}


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # a name that is too long for a file, or a folder that may not be read
        return False


def unpack(file: Path, entries: Iterable[Entry], folder: Path) -> None:
    """Write the pictures inside of a gold file that entries need into a folder; those that are there are kept.

    Raises:
        AnswerRefused: One cannot be written.
        WrongInput: The file cannot be read.
    """
    missing = {entry.picture for entry in entries}
    try:
        folder.mkdir(exist_ok=True)
        for name, content in embedded_pictures(file):
            if name not in missing:
                continue
            missing.remove(name)
            if not (path := folder / name).exists():
                partial = folder / f".{name}.{os.getpid()}"
                partial.write_bytes(content)
                partial.replace(path)
    except OSError as error:
        raise AnswerRefused("out_not_writable", f"{folder} cannot be written ({error.strerror})") from error


def sha256_of_all(folders: Iterable[Pictures | None]) -> str | None:
    """Return one SHA-256 over all names and contents of pictures; None without any folder.

    Raises:
        AnswerRefused: One cannot be read.
    """
    present = [folder for folder in folders if folder is not None]
    if not present:
        return None
    pairs = sorted({pair for folder in present for pair in folder.digests()})
    return hashlib.sha256(json.dumps(pairs).encode()).hexdigest()


def shared_files(one: Iterable[Path], other: Iterable[Path]) -> list[Path]:
    """Return the files of the second list whose content is also in the first.

    Files of other sizes are not read.
    """
    of_size: dict[int, list[Path]] = {}
    for path in one:
        of_size.setdefault(path.stat().st_size, []).append(path)
    return [
        path
        for path in other
        if any(path == twin or _digest(path) == _digest(twin) for twin in of_size.get(path.stat().st_size, []))
    ]


def _digest(path: Path) -> bytes:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").digest()
