"""Runs over sets inside of a test's transaction."""

import pytest

from evaluation.runs.services import working


@pytest.fixture(autouse=True)
def no_heartbeats(monkeypatch):
    """The heartbeat's own connection would wait for the row of the worker that the test's transaction has written."""
    monkeypatch.setattr(working, "HEARTBEAT_SECONDS", 3_600)
