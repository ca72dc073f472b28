"""What the rooms above register: counts of a benchmark and the kinds of work that have items; notices and states."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from types import MappingProxyType
from typing import Any, Final

from curation.people.rules import notice_type

_counts: dict[str, Any] = {}
# The counts in the list of benchmarks by name: expressions on a row of Benchmark.
COUNTS: Final[Mapping[str, Any]] = MappingProxyType(_counts)
# Each returns the kinds of which a benchmark has items.
KINDS_IN_USE: Final[list[Callable[[Any], Collection[str]]]] = []
# Each returns the values of further dimensions that a benchmark's pictures have, by the code of the dimension.
AXIS_VALUES_IN_USE: Final[list[Callable[[Any], Mapping[str, Collection[str]]]]] = []
# Withdrawn by its proposer, rejected by another administrator; outdated: another version was adopted since.
PROPOSAL_STATES: Final = ("open", "adopted", "withdrawn", "rejected", "outdated")
NOTICES: Final = {
    "roles_changed": notice_type("protocol", "version", "before"),
    "protocol_proposed": notice_type("protocol_proposal", "version"),
    "proposal_rejected": notice_type("protocol_proposal", "version"),
}


def register_counts(counts: Mapping[str, Any]) -> None:
    """Add numbers to each row of the list of benchmarks.

    Args:
        counts: Expressions on a row of Benchmark (``OuterRef("pk")``) by the names that the answer gives them.
    """
    _counts.update(counts)


def register_kinds_in_use(kinds_in_use: Callable[[Any], Collection[str]]) -> None:
    """Add a function that returns the kinds of which a benchmark has items, which fix parts of its protocol."""
    if kinds_in_use not in KINDS_IN_USE:
        KINDS_IN_USE.append(kinds_in_use)


def register_axis_values_in_use(values_in_use: Callable[[Any], Mapping[str, Collection[str]]]) -> None:
    """Add a function that returns the values of dimensions in use, which a benchmark's next protocol must have too."""
    if values_in_use not in AXIS_VALUES_IN_USE:
        AXIS_VALUES_IN_USE.append(values_in_use)
