"""Results of commands, from which queries build the answers."""

from __future__ import annotations

from typing import NamedTuple


class Member(NamedTuple):
    """A person who holds or held a role in a benchmark."""

    person_id: int
    benchmark_id: int
