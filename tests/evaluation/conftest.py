"""Backends whose answers a test can work out by hand, beside the real ones."""

import pytest

from curation.core.registry import Registry
from evaluation.backends import registry
from evaluation.runs.services import working
from evaluation.runs.services.loading import free_loaded
from evaluation.systems import services as system_services
from tests.evaluation.accepted import ByNumber, Constant, backend


@pytest.fixture(autouse=True)
def nothing_loaded():
    """The numbers of runs and systems are those of other rows in the next test."""
    yield
    free_loaded()


@pytest.fixture
def by_number(monkeypatch, tmp_path):
    """The embedder behind the backend ``by-number``; ``constant`` is there too."""
    embedder = ByNumber()
    entries = {**registry.BACKENDS, "by-number": backend(embedder), "constant": backend(Constant())}
    for module in (working, system_services):
        monkeypatch.setattr(module, "BACKENDS", Registry("backend", entries))
    return embedder
