"""A system's files and the fingerprint of their content."""

from __future__ import annotations

import hashlib
import json
import math
from pathlib import Path
from typing import Any, TypedDict

from evaluation.backends.errors import BackendFilesUnfit

# The backends read these types only; a change of a README or a training log does not make another system.
_READ = frozenset({".json", ".jinja", ".model", ".safetensors", ".txt"})
_CODE = ".py"
_WEIGHTS = ".safetensors"

# The dtypes of learned numbers in safetensors headers; positions and masks have integer and boolean types.
_LEARNED = frozenset({"F64", "F32", "F16", "BF16", "F8_E4M3", "F8_E5M2"})
_LONGEST_HEADER = 100_000_000  # bytes; the format's own limit


class ModelFile(TypedDict):
    """A file that belongs to a system."""

    name: str
    bytes: int
    sha256: str


def manifest(folder: Path, *, code: bool = False, weights: bool = True) -> list[ModelFile]:
    """List every file that the backends read with its size and SHA-256, sorted by name.

    Args:
        folder: The folder of the files.
        code: Include Python modules, because this revision may run them.
        weights: Include weights; a folder that is only read for its tokenizer can hold gigabytes of them.

    Raises:
        BackendFilesUnfit: The folder does not exist, or has no such file.
    """
    read = (_READ | {_CODE} if code else _READ) - (set() if weights else {_WEIGHTS})
    files = sorted(
        (f.relative_to(folder).as_posix(), f)
        for f in folder.rglob("*")
        if f.is_file() and f.suffix in read and not any(part.startswith(".") for part in f.relative_to(folder).parts)
    )
    if not files:
        raise BackendFilesUnfit(folder=folder.name, reason="the folder is missing or holds no model files")
    return [ModelFile(name=name, bytes=file.stat().st_size, sha256=sha256_of(file)) for name, file in files]


def digest(files: list[ModelFile]) -> str:
    """Compute one SHA-256 over names and contents."""
    whole = hashlib.sha256()
    for file in files:
        whole.update(f"{file['name']}\0{file['sha256']}\n".encode())
    return whole.hexdigest()


def fingerprint(folder: Path, *, code: bool = False, weights: bool = True) -> str:
    """Compute the SHA-256 over names and contents of all files that the backends read; disk order does not matter.

    The arguments are those of :func:`manifest`.

    Raises:
        BackendFilesUnfit: The folder does not exist, or has no such file.
    """
    return digest(manifest(folder, code=code, weights=weights))


def sha256_of(file: Path) -> str:
    """Compute the SHA-256 of a file's content."""
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def parameters(folder: Path) -> int:
    """Count the learned parameters from the weights' headers.

    Raises:
        BackendFilesUnfit: A header cannot be read.
    """
    count = 0
    for file in sorted(folder.glob("*.safetensors")):
        try:
            count += _count(file)
        except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
            reason = f"the header of {file.name} cannot be read"
            raise BackendFilesUnfit(folder=folder.name, reason=reason) from error
    return count


def millions_of_parameters(folder: Path) -> float | None:
    """Count the learned parameters in millions; None if there are none or a header cannot be read."""
    try:
        return round(parameters(folder) / 1e6, 3) or None
    except BackendFilesUnfit:
        return None


def _count(file: Path) -> int:
    # The format: the header's length as eight bytes, little-endian, then JSON: name → dtype, shape, offsets.
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
