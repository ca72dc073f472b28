"""Sockets lie beside the data, or in a private folder that nobody else could have put there."""

import os
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

from config.launch.errors import LaunchError
from config.launch.sockets import LONGEST_FOLDER, make_socket_folder, socket_folder


@pytest.fixture
def folder(make_open_folder: Callable[[], Path]) -> Path:
    return make_open_folder()


def test_a_short_path_is_used_as_it_is() -> None:
    near = Path("/" + "a" * (LONGEST_FOLDER - 1))
    assert socket_folder(near) == near


def test_a_path_is_measured_in_bytes_and_a_long_one_moves_to_the_temporary_folder() -> None:
    near = Path("/" + "灯" * 27)  # 28 characters, 82 bytes
    moved = socket_folder(near)
    assert moved.parent == Path(tempfile.gettempdir())
    assert moved == socket_folder(near)
    assert moved != socket_folder(Path("/" + "花" * 27))
    assert len(os.fsencode(str(moved))) <= LONGEST_FOLDER


def test_the_folder_is_closed_to_others(folder: Path) -> None:
    near = folder / "sock"
    near.mkdir(mode=0o777)
    assert make_socket_folder(near) == near
    assert near.stat().st_mode & 0o777 == 0o700


def test_a_link_in_the_folders_place_is_refused(folder: Path) -> None:
    elsewhere = folder / "elsewhere"
    elsewhere.mkdir(mode=0o755)
    (folder / "sock").symlink_to(elsewhere)
    with pytest.raises(LaunchError, match="belongs to another user: set LANTERN_DATA to a folder with a shorter path"):
        make_socket_folder(folder / "sock")
    assert elsewhere.stat().st_mode & 0o777 == 0o755


def test_a_folder_of_another_user_is_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    near = folder / "sock"
    near.mkdir()
    owner = near.stat().st_uid
    monkeypatch.setattr(os, "getuid", lambda: owner + 1)
    monkeypatch.setattr(os, "geteuid", lambda: owner + 1)
    with pytest.raises(LaunchError, match="belongs to another user"):
        make_socket_folder(near)
