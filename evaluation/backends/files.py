"""A system's files: what belongs to it, and one number that names their content."""

from __future__ import annotations

import hashlib
import json
import math
from pathlib import Path
from typing import Any, TypedDict

from evaluation.backends.errors import BackendFilesUnfit

# What the backends read; a README or a training log may change without making another system of it.
_READ = frozenset({".json", ".jinja", ".model", ".safetensors", ".txt"})
_CODE = ".py"

# How safetensors' headers call numbers that are learned; positions and masks are stored as integers and booleans.
_LEARNED = frozenset({"F64", "F32", "F16", "BF16", "F8_E4M3", "F8_E5M2"})
_LONGEST_HEADER = 100_000_000  # bytes; the format's own limit


class ModelFile(TypedDict):
    """A file that belongs to a system."""

    name: str
    bytes: int
    sha256: str


def manifest(folder: Path, *, code: bool = False) -> list[ModelFile]:
    """Name, size and SHA-256 of every file the backends read, by name.

    Args:
        folder: Where they lie.
        code: Count Python modules too, because this revision may run them.

    Raises:
        BackendFilesUnfit: There is no such folder, or nothing to read in it.
    """
    read = _READ | {_CODE} if code else _READ
    files = sorted(
        (f.relative_to(folder).as_posix(), f)
        for f in folder.rglob("*")
        if f.is_file() and f.suffix in read and not any(part.startswith(".") for part in f.relative_to(folder).parts)
    )
    if not files:
        raise BackendFilesUnfit(folder=folder.name, reason="the folder is missing or holds no model files")
    return [ModelFile(name=name, bytes=file.stat().st_size, sha256=sha256_of(file)) for name, file in files]


def digest(files: list[ModelFile]) -> str:
    """One SHA-256 over names and contents."""
    whole = hashlib.sha256()
    for file in files:
        whole.update(f"{file['name']}\0{file['sha256']}\n".encode())
    return whole.hexdigest()


def fingerprint(folder: Path, *, code: bool = False) -> str:
    """SHA-256 over names and contents of all files the backends read, independent of their order on disk.

    Raises:
        BackendFilesUnfit: There is no such folder, or nothing to read in it.
    """
    return digest(manifest(folder, code=code))


def sha256_of(file: Path) -> str:
    """SHA-256 of a file's content."""
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def millions_of_parameters(folder: Path) -> float | None:
    """How many numbers the weights hold, in millions, read from the files' headers; None where they have none."""
    try:
        count = sum(_count(file) for file in folder.glob("*.safetensors"))
    except (OSError, ValueError, TypeError, KeyError):
        return None
    return round(count / 1e6, 3) or None


def _count(file: Path) -> int:
    # The header's length as eight bytes, little-endian, then JSON: name → dtype, shape, place.
    with file.open("rb") as stream:
        length = int.from_bytes(stream.read(8), "little")
        if length > _LONGEST_HEADER:
            raise ValueError("no header of safetensors")
        header: dict[str, Any] = json.loads(stream.read(length))
    return sum(
        math.prod(tensor["shape"])
        for name, tensor in header.items()
        if name != "__metadata__" and tensor["dtype"] in _LEARNED
    )
