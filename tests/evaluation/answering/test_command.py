"""The commands work right after the installation: no variable is set, and there is no database."""

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from evaluation.profiles.registry import PROFILES
from evaluation.suites.rules import SUITES
from tests.evaluation.answering import benchmarks

ROOT = Path(__file__).parents[3]


def manage(*words):
    clean = {name: value for name, value in os.environ.items() if name in ("PATH", "HOME", "LANG")}
    command = [sys.executable, "manage.py", *map(str, words)]
    # An address where nothing listens, in case a server of the machine has a database of the default's name.
    clean["DATABASE_URL"] = "postgresql://127.0.0.1:1/none"
    return subprocess.run(command, cwd=ROOT, env=clean, capture_output=True, text=True, check=False)


@pytest.mark.system
def test_a_system_that_ships_answers_and_is_scored(tmp_path):
    assert "--shots-from FILE" in manage("answer", "--help").stdout
    gold = benchmarks.cvlue_retrieval(tmp_path)
    pictures = benchmarks.cvlue_pictures(tmp_path / "pictures")
    out = tmp_path / "my answers.jsonl"
    done = manage("answer", "demo-dual-encoder", "retrieval", "--gold", gold, "--pictures", pictures, "--out", out)
    assert (done.returncode, "6 of 6" in done.stderr) == (0, True), done.stderr
    python, *printed = shlex.split(done.stdout)
    assert (python, printed[:2]) == (".venv/bin/python", ["manage.py", "score"])
    scored = manage(*printed[1:])
    assert (scored.returncode, '"n_scored": 6' in scored.stdout) == (0, True), scored.stderr


@pytest.mark.system
def test_a_system_that_was_added_needs_the_database(tmp_path):
    gold = benchmarks.tcc(tmp_path)
    done = manage("answer", "my-model", "tcc", "--gold", gold, "--pictures", tmp_path, "--out", tmp_path / "o.jsonl")
    assert done.returncode == 2
    assert "system_unknown: my-model does not ship with the software" in done.stderr


def test_every_suite_is_scored_by_profiles_and_together_they_use_all():
    used = [name for suite in SUITES.values() for name in suite.profiles]
    assert sorted(used) == sorted(PROFILES)
    assert len({setting.name for suite in SUITES.values() for setting in suite.settings}) >= 10
