"""An audit that got no answer, or only half of one, is not a good one."""

from tools.audit import front_end_packages, python_packages

CLEAN = {"name": "django", "version": "6.0", "vulns": []}


def test_every_package_known_and_none_named_passes():
    assert python_packages({"dependencies": [CLEAN]}, "") == []
    assert front_end_packages({"vulnerabilities": {}}, "") == []


def test_what_an_advisory_names_is_told():
    bad = {"name": "x", "version": "1", "vulns": [{"id": "CVE-1", "fix_versions": ["2"]}]}
    assert python_packages({"dependencies": [CLEAN, bad]}, "") == ["Python: x 1: CVE-1, mended in 2"]
    assert front_end_packages({"vulnerabilities": {"y": {"severity": "high"}}}, "") == ["front end: y: high"]


def test_no_answer_is_told_and_fails():
    assert python_packages(None, "a\nno route") == ["Python: no advisory service answered (no route)"]
    assert front_end_packages({"message": "405"}, "") == ["front end: no advisory service answered (405)"]
    skipped = {"name": "z", "version": "1", "skip_reason": "not found"}
    assert python_packages({"dependencies": [CLEAN, skipped]}, "") == ["Python: 1 of 2 packages were not audited: z …"]
