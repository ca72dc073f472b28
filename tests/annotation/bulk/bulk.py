"""Helpers: a bulk action over HTTP, with its job carried out in between."""

from __future__ import annotations

from typing import Any

from django.test import Client

from annotation.bulk import services
from curation.core import jobs
from curation.core.models import Job
from tests.people import key, send


def prepare(browser: Client, action: str, params: dict[str, Any] | None = None, **chosen: Any) -> dict[str, Any]:
    """The preview of an action."""
    body = {"action": action, "params": params or {}} | (chosen or {"filters": {}})
    answer = send(browser, "POST", "benchmarks/cvlue/bulk", body)
    assert answer.status_code == 201, answer.json()
    return dict(answer.json())


def run() -> str:
    """Carry out the newest job, as a worker does."""
    return jobs.run(Job.objects.latest("pk").pk, services.run_bulk)


def finish(browser: Client, bulk: dict[str, Any], way: str = "apply") -> dict[str, Any]:
    """Apply or undo a bulk action, carry out its job, and read it again."""
    answer = send(browser, "POST", f"bulk/{bulk['id']}/{way}", {"client_key": key()})
    assert answer.status_code == 200, answer.json()
    assert answer.json()["state"] == {"apply": "running", "undo": "undoing"}[way]
    run()
    return dict(send(browser, "GET", f"bulk/{bulk['id']}").json())


def counts(bulk: dict[str, Any]) -> dict[str, int]:
    """The numbers of rows that are not zero."""
    return {name: n for name, n in bulk["counts"].items() if n}
