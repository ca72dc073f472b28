"""The command with a double behind it."""

import json

import pytest
from django.core.management import call_command

from curation.core.registry import Registry
from evaluation.answering.services import systems
from evaluation.backends import registry
from evaluation.profiles.registry import PROFILES
from evaluation.profiles.reports import score
from tests.evaluation.answering.double import Double, Entry, record


@pytest.fixture
def double(monkeypatch):
    """The double that the backend ``double`` loads."""
    one = Double()
    monkeypatch.setattr(systems, "BACKENDS", Registry("backend", {**registry.BACKENDS, "double": Entry(one)}))
    return one


@pytest.fixture
def answered(tmp_path, double):
    """Answers a file, and returns its rows; ``can`` are the double's capabilities."""

    def run(suite, gold, *, can=("generate",), parameters=None, out="out.jsonl", pictures="pictures", **options):
        file = tmp_path / out
        folder = None if pictures is None else tmp_path / pictures
        system = str(record(tmp_path, *can, **parameters or {}))
        call_command("answer", system, suite, gold=gold, pictures=folder, out=file, **options)
        return [json.loads(line) for line in file.read_text().splitlines()]

    return run


@pytest.fixture
def scored(tmp_path):
    """The report of a file that was answered, and its figures."""

    def run(profile, gold, out="out.jsonl"):
        report = score(PROFILES[profile], gold, tmp_path / out)
        return report, {name: metric["value"] for name, metric in report["metrics"].items()}

    return run
