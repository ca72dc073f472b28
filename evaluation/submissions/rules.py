"""Limits of submissions, and which figures of their reports may be shown."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any, Final

from curation.core.folding import fold
from curation.people.rules import notice_type
from evaluation.scoring.rules import large_groups

Fields = dict[str, Any]

# A file may have this many rows for each expected id, and always ROWS_AT_LEAST; more would only take memory.
ROWS_PER_ID: Final = 10
ROWS_AT_LEAST: Final = 1_000
# Unreadable files that a person may submit a day, for each one that may be scored.
REFUSED_PER_FILE: Final = 4
CREW_NAME: Final = 60  # characters
CREW_MEMBERS: Final = 50
CREW_LINK_DAYS: Final = 7
# Why a file could not be read.
FAULTS: Final = ("wrong_row", "wrong_file", "too_many_rows", "no_known_id")


def most_rows(expected: int) -> int:
    """The number of rows a file may have, given the number of expected ids."""
    return max(ROWS_AT_LEAST, ROWS_PER_ID * expected)


def publishable_groups(report: Mapping[str, Any], least: int) -> dict[str, dict[str, Any]]:
    """The groups of a report, by what they are grouped by, without those whose figures reveal single answers.

    A group is left out if it is too small for any of its metrics (:func:`large_groups`).
    """
    return {by: _publishable(report["metrics"], groups, least) for by, groups in report["breakdowns"].items()}


def _publishable(whole: Mapping[str, Any], groups: Mapping[str, Any], least: int) -> dict[str, Any]:
    chosen = set(groups)
    for metric in {name for part in groups.values() for name in part["metrics"]}:
        ns = {group: part["metrics"][metric]["n"] for group, part in groups.items() if metric in part["metrics"]}
        sizes = {group: n for group, n in ns.items() if n}
        chosen -= sizes.keys() - large_groups(sizes, total=whole[metric]["n"], least=least)
    return {group: part for group, part in groups.items() if group in chosen}


def crew_key(name: str) -> str:
    """Identifies a crew's name: the same for names that look alike, as searches compare them."""
    return hashlib.sha256(fold(name).encode()).hexdigest()


NOTICES: Final = {
    "submission_hidden": notice_type("submission", "label", "comment", is_for_outsiders=True),
}
