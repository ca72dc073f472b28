"""Variables of the environment."""

from pathlib import Path

from config.environment import Environment

USUAL = [Path("/var/models")]


def test_folders_are_separated_as_in_path_so_that_a_name_may_have_a_comma(monkeypatch):
    for written, folders in (
        ("", USUAL),
        ("/srv/模型, large/models", [Path("/srv/模型, large/models")]),
        ("/srv/a:/srv/b, c:", [Path("/srv/a"), Path("/srv/b, c")]),
    ):
        monkeypatch.setenv("MODEL_DIRS", written)
        assert Environment().folders("MODEL_DIRS", default=USUAL) == folders
    monkeypatch.delenv("MODEL_DIRS")
    assert Environment().folders("MODEL_DIRS", default=USUAL) == USUAL
