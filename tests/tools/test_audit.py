"""An audit with missing answers fails; ``make check`` only reports them, and asks once a day."""

import json
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.error import URLError

import pytest

from tools import audit
from tools.audit import DAY, HOUR, AuditResult, daily_result, front_end_packages, main, pins, python_packages

CLEAN = {"name": "django", "version": "6.0", "vulns": []}
GOOD, BAD, SILENT = (
    AuditResult([], []),
    AuditResult(["Python: x 1: CVE-1, fixed in 2"], []),
    AuditResult([], ["front end: no service"]),
)


def answer(monkeypatch: pytest.MonkeyPatch, result: Any, complaint: str = "") -> None:
    monkeypatch.setattr(audit, "run", lambda *_: (result, complaint))


def index(monkeypatch: pytest.MonkeyPatch, pages: dict[str, Any]) -> None:
    def page(address: str, timeout: int) -> BytesIO:
        name = address.split("/")[-2]
        if name not in pages:
            raise URLError("no route")
        return BytesIO(json.dumps(pages[name]).encode())

    monkeypatch.setattr("urllib.request.urlopen", page)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[AuditResult]:
    """The results that the services will return, one after another; with an empty list, asking fails the test."""
    answers: list[AuditResult] = []
    lock = tmp_path / "requirements.lock"
    lock.write_text("x==1")
    monkeypatch.setattr(audit, "LOCKS", (lock,))
    monkeypatch.setattr(audit, "MEMORY", tmp_path / "audit.json")
    monkeypatch.setattr(audit, "ask", lambda: answers.pop(0))
    return answers


def test_every_pin_is_asked_about_torch_too() -> None:
    assert {"django", "torch", "celery", "ruff"} <= pins().keys()
    assert len(pins()) > 100


def test_every_package_known_and_none_named_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    answer(monkeypatch, {"dependencies": [CLEAN]})
    assert python_packages({"django": "6.0"}) == GOOD
    answer(monkeypatch, {"vulnerabilities": {}})
    assert front_end_packages() == GOOD


def test_advisories_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    bad = {"name": "x", "version": "1", "vulns": [{"id": "CVE-1", "fix_versions": ["2"]}]}
    answer(monkeypatch, {"dependencies": [CLEAN, bad]})
    assert python_packages({"django": "6.0", "x": "1"}) == BAD
    answer(monkeypatch, {"vulnerabilities": {"y": {"severity": "high"}}})
    assert front_end_packages() == AuditResult(["front end: y: high"], [])


def test_a_packages_page_answers_for_its_newest_release_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    skipped = [{"name": name, "version": "1", "skip_reason": "not found"} for name in ("x", "old", "gone")]
    answer(monkeypatch, {"dependencies": [CLEAN, *skipped]})
    advisories = [{"id": "CVE-1", "fixed_in": ["2"]}, {"id": "CVE-0", "withdrawn": "2026-01-01"}]
    index(
        monkeypatch,
        {
            "x": {"info": {"version": "1"}, "vulnerabilities": advisories},
            "old": {"info": {"version": "2"}, "vulnerabilities": []},
        },
    )
    result = python_packages({"django": "6.0", "x": "1", "old": "1", "gone": "1"})
    assert result == AuditResult(BAD.advisories, ["Python: 2 of 4 packages (gone, old …)"])


def test_a_missing_answer_is_reported_and_fails(
    monkeypatch: pytest.MonkeyPatch, asked: list[AuditResult], capsys: pytest.CaptureFixture[str]
) -> None:
    answer(monkeypatch, None, "a\nno route")
    assert python_packages({"x": "1"}) == AuditResult([], ["Python: no service answered (no route)"])
    answer(monkeypatch, {"message": "405"})
    assert front_end_packages() == AuditResult([], ["front end: no service answered (405)"])
    asked += [SILENT, BAD, GOOD]
    assert [main([]), main([]), main([])] == [1, 1, 0]
    assert capsys.readouterr().out.splitlines() == [
        "not checked for advisories: front end: no service",
        *BAD.advisories,
        "no advisory names a package that is used here",
    ]


def test_the_daily_check_goes_on_in_silence_and_stops_at_a_finding(
    asked: list[AuditResult], capsys: pytest.CaptureFixture[str]
) -> None:
    asked += [SILENT]
    assert [main(["--daily"]), main(["--daily"])] == [0, 0]
    assert capsys.readouterr().out == "not checked for advisories: front end: no service\n" * 2
    audit.MEMORY.unlink()
    asked += [BAD]
    assert [main(["--daily"]), main(["--daily"])] == [1, 1]
    assert capsys.readouterr().out == f"{BAD.advisories[0]}\n" * 2
    audit.LOCKS[0].write_text("x==2")
    asked += [GOOD]
    assert main(["--daily"]) == 0
    assert capsys.readouterr().out == ""


def test_an_answer_is_good_for_a_day_and_half_of_one_for_an_hour(asked: list[AuditResult]) -> None:
    asked += [GOOD, SILENT, GOOD]
    assert [daily_result(0), daily_result(DAY - 1)] == [GOOD, GOOD]
    assert [daily_result(DAY), daily_result(DAY + HOUR - 1)] == [SILENT, SILENT]
    assert daily_result(DAY + HOUR) == GOOD
    audit.MEMORY.write_text("{")
    asked += [BAD]
    assert daily_result(DAY + HOUR) == BAD
    assert asked == []
