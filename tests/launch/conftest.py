"""Folders for servers."""

import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def make_open_folder() -> Iterator[Callable[[], Path]]:
    """Make folders that every user may pass through.

    Where user namespaces are forbidden root runs PostgreSQL as the user nobody, and pytest's own folders are closed.
    """
    made: list[Path] = []

    def make() -> Path:
        folder = Path(tempfile.mkdtemp(prefix="lantern-launch-"))
        folder.chmod(0o711)
        made.append(folder)
        return folder

    yield make
    for folder in made:
        shutil.rmtree(folder, ignore_errors=True)
