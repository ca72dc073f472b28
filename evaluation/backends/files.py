"""A system's files: what belongs to it, and one number that names their content."""

from __future__ import annotations

import hashlib
from pathlib import Path

from evaluation.backends.errors import BackendFilesUnfit

# What the backends read; a README or a training log may change without making another system of it.
_READ = frozenset({".json", ".jinja", ".model", ".safetensors", ".txt"})


def fingerprint(folder: Path) -> str:
    """SHA-256 over names and contents of all files the backends read, independent of their order on disk.

    Raises:
        BackendFilesUnfit: There is no such folder, or nothing to read in it.
    """
    files = sorted(
        (f.relative_to(folder).as_posix(), f)
        for f in folder.rglob("*")
        if f.is_file() and f.suffix in _READ and not any(part.startswith(".") for part in f.relative_to(folder).parts)
    )
    if not files:
        raise BackendFilesUnfit(folder=folder.name, reason="the folder is missing or holds no model files")
    whole = hashlib.sha256()
    for name, file in files:
        with file.open("rb") as stream:
            whole.update(f"{name}\0{hashlib.file_digest(stream, 'sha256').hexdigest()}\n".encode())
    return whole.hexdigest()
