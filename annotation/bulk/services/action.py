"""The interface of bulk actions, which go through the services of single rows; ``registry`` has all."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Final, Protocol
from uuid import UUID

from annotation.bulk.models import Bulk, BulkTarget
from curation.benchmarks.models import Benchmark
from curation.core.errors import DomainError
from curation.people.models import Person

READ_AT_ONCE: Final = 1_000  # rows of a statement


@dataclass(frozen=True, slots=True)
class Checked:
    """A row of a preview: what it was, and the error with which the single operation would refuse it."""

    target_id: int
    label: str
    was: dict[str, Any] = field(default_factory=dict)
    refusal: DomainError | None = None


class Action(Protocol):
    """One action on the rows of a list."""

    def rows(
        self, actor: Person, benchmark: Benchmark, *, ids: Sequence[int] | None, filters: dict[str, Any], limit: int
    ) -> list[int]:
        """The ids of the chosen rows that the person sees in the list, at most ``limit``."""
        ...

    def check(
        self, actor: Person, benchmark: Benchmark, ids: Sequence[int], params: Mapping[str, Any]
    ) -> Iterable[Checked]:
        """Check rows as the single operation would; nothing changes."""
        ...

    def apply(self, actor: Person, target: BulkTarget, params: Mapping[str, Any], client_key: UUID) -> None:
        """Change a row, if it is as it was in the preview.

        Raises:
            DomainError: It cannot be changed.
        """
        ...

    def undo(self, actor: Person, target: BulkTarget, params: Mapping[str, Any], client_key: UUID) -> None:
        """Change a row back, if nobody changed it since.

        Raises:
            DomainError: It cannot be changed back.
        """
        ...

    def notify(self, bulk: Bulk, actor: Person, outcome: str) -> None:
        """Send each person one notice about all rows that got this outcome since the last notice."""
        ...


def in_blocks(ids: Sequence[int]) -> Iterator[list[int]]:
    """Split ids into blocks for one statement each."""
    remaining = iter(ids)
    while block := list(islice(remaining, READ_AT_ONCE)):
        yield block


def key_of(target: BulkTarget, step: str) -> UUID:
    """The client key with which a row is changed, the same in every attempt; the step is ``apply`` or ``undo``."""
    return uuid.uuid5(uuid.NAMESPACE_OID, f"bulk {target.bulk_id} {step} {target.target_id}")


def targets_to_notify(bulk: Bulk, outcome: str) -> list[BulkTarget]:
    """The rows that got an outcome of which nobody was notified, by id."""
    return list(bulk.targets.filter(outcome=outcome).exclude(notified_of=outcome).order_by("target_id"))
