"""Files are there whole or not at all."""

import os

import pytest

from curation.lib import files


def test_a_staged_file_is_not_in_its_place_until_it_is_published(tmp_path):
    staged = files.stage(tmp_path, b"content")
    final = tmp_path / "renditions" / "7" / "1-clean.jpg"
    assert (staged.parent.name, staged.read_bytes(), final.exists()) == ("incoming", b"content", False)
    files.publish(staged, final)
    assert (final.read_bytes(), staged.exists()) == (b"content", False)


def test_a_web_server_in_front_may_read_what_the_umask_allows(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "_UMASK", 0o027)
    assert files.stage(tmp_path, b"content").stat().st_mode & 0o777 == 0o640


def test_two_files_staged_at_once_have_names_of_their_own(tmp_path):
    assert files.stage(tmp_path, b"1") != files.stage(tmp_path, b"1")


def test_publishing_replaces_in_one_step(tmp_path):
    final = tmp_path / "a"
    final.write_bytes(b"old")
    files.publish(files.stage(tmp_path, b"new"), final)
    assert final.read_bytes() == b"new"


def test_a_failed_write_leaves_nothing_in_place(tmp_path):
    final = tmp_path / "a"
    with pytest.raises(TypeError):
        files.publish(files.stage(tmp_path, None), final)
    assert not final.exists()


def test_only_old_files_are_found(tmp_path):
    for name, age in [("old", 1_000.0), ("young", 3_000.0)]:
        (tmp_path / "x").mkdir(exist_ok=True)
        (tmp_path / "x" / name).write_bytes(b"")
        os.utime(tmp_path / "x" / name, (age, age))
    assert [p.name for p in files.older_than(tmp_path, 2_000.0)] == ["old"]
    assert list(files.older_than(tmp_path / "missing", 2_000.0)) == []
