"""Fetch packages of a pinned version and a known checksum for the browser tests."""

import base64
import fcntl
import hashlib
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from tools.setup import BIN, VENV, StepError, run


@contextmanager
def one_at_a_time() -> Iterator[None]:
    """Hold the lock under which browsers and fonts are fetched into ``.venv/``."""
    VENV.mkdir(exist_ok=True)
    with (VENV / "browser.lock").open("a") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def with_node() -> dict[str, str]:
    """Return the environment in which ``node`` and ``npm`` are found; set-up has made sure of both."""
    return {"PATH": f"{BIN}{os.pathsep}{os.environ.get('PATH', '')}"}


def npm_pack(folder: Path, checksums: Mapping[str, str]) -> list[Path]:
    """Fetch npm packages into an empty folder; return their archives in the order of ``checksums``.

    Args:
        folder: where the archives are written.
        checksums: SHA-512 in base64 of each package, by ``name@version``.

    Raises:
        StepError: a package could not be fetched or has another checksum.
    """
    run("npm", "pack", *checksums, "--silent", cwd=folder, env=with_node())
    archives = []
    for package, sha512 in checksums.items():
        archive = folder / f"{package.removeprefix('@').replace('/', '-').replace('@', '-')}.tgz"
        digest = hashlib.sha512(archive.read_bytes()).digest() if archive.exists() else b""
        if base64.b64encode(digest).decode() != sha512:
            raise StepError(f"{package} is not the package that was tried.")
        archives.append(archive)
    return archives
