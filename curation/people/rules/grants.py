"""What a person may do where: the roles they hold, and how far an operation reaches for them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple, Self

from curation.benchmarks.rules import OUTSIDER, Capability
from curation.core.operations import OPERATIONS, Operation, Reach
from curation.people.rules.audiences import LEAD, MEMBER

_WIDTH: Final = (Reach.NONE, Reach.OWN, Reach.ASSIGNED, Reach.TEAM, Reach.ALL)


class Grant(NamedTuple):
    """A role in force, with what it allows under the benchmark's current protocol.

    Attributes:
        benchmark_id: None for the site's owner.
        role: A code of the protocol's roles, ``owner``, or ``outsider``.
        capabilities: ``name`` or ``name:kind``.
        consented: Whether its holder agreed to the protocol's consent text, or the protocol has none.
        only: The only operations it allows, because the request came with a token; None: no limit.
        answering: The writing operation that was carried out and is answered; reads reach at least as far, see
            :func:`reach`.
    """

    benchmark_id: int | None
    slug: str | None
    role: str
    team_id: int | None = None
    capabilities: tuple[str, ...] = ()
    consented: bool = True
    only: frozenset[str] | None = None
    answering: str = ""

    @classmethod
    def from_row(cls, row: Mapping[str, Any]) -> Self:
        """Read what ``curation.people.models.grants_in_force`` selects."""
        if row["benchmark_id"] is None:
            return cls(benchmark_id=None, slug=None, role=row["role"], capabilities=(Capability.OWN.value,))
        if row["role"] == OUTSIDER:
            # Whatever the protocol is: outsiders need no consent, they accept terms.
            return cls(row["benchmark_id"], row["slug"], OUTSIDER, capabilities=(OUTSIDER,))
        capabilities = tuple(row["capabilities"] or ())
        return cls(
            benchmark_id=row["benchmark_id"],
            slug=row["slug"],
            role=row["role"],
            team_id=row["team_id"],
            capabilities=(*capabilities, LEAD) if row["lead"] and row["leads_invite"] else capabilities,
            consented=row["required_consent"] in ("", None, row["newest_consent"]),
        )

    @property
    def is_member(self) -> bool:
        """Whether its holder takes part in the benchmark; outsiders only submit predictions."""
        return self.role != OUTSIDER


def planned_capabilities() -> list[str]:
    """Capabilities that open no operation yet: those of kinds and tracks that are not built."""
    used = {name for operation in OPERATIONS.values() for name in operation.reaches}
    return [c.value for c in Capability if c.value not in used]


def reach(grants: Iterable[Grant], benchmark_id: int | None, operation: str, kind: str | None = None) -> Reach:
    """The widest reach that grants give for an operation in a benchmark; an unknown operation reaches nothing.

    While a write is answered, reads reach as far as the write: the answer shows the row that it changed, and a refusal
    at that point would deny what is already stored.

    Args:
        grants: Roles in force.
        benchmark_id: The benchmark; None for the whole site.
        operation: The name of a declared operation.
        kind: The kind of work; without one, a capability for any kind counts.
    """
    declared = OPERATIONS.get(operation)
    if declared is None:
        return Reach.NONE
    widest = Reach.NONE
    for grant in grants:
        if grant.benchmark_id is not None and benchmark_id not in (grant.benchmark_id, None):
            continue
        widest = max(widest, _reach_of(grant, declared, kind), key=_WIDTH.index)
        if grant.answering and declared.shows:
            widest = max(widest, _reach_of(grant, OPERATIONS[grant.answering], kind), key=_WIDTH.index)
    return widest


def _reach_of(grant: Grant, operation: Operation, kind: str | None) -> Reach:
    """How far one grant opens an operation, whatever the benchmark."""
    widest = Reach.NONE
    if grant.only is not None and operation.name not in grant.only:
        return widest
    for capability in (MEMBER, *grant.capabilities) if grant.is_member else grant.capabilities:
        name, _, only_kind = capability.partition(":")
        if only_kind and kind is not None and only_kind != kind:
            continue
        widest = max(widest, operation.reaches.get(name, Reach.NONE), key=_WIDTH.index)
    return widest


def has_exact_reach(grants: Iterable[Grant], benchmark_id: int, operation: str, exactly: Reach) -> bool:
    """Whether some capability gives an operation exactly this reach, even if another one gives a wider reach.

    The rows of a team and the assigned rows overlap only in part, so the widest reach alone does not include both. A
    role may have both, such as one that collects pictures and writes.
    """
    single = (grant._replace(capabilities=(one,)) for grant in grants for one in grant.capabilities)
    return any(reach([grant], benchmark_id, operation) is exactly for grant in single)


def teams_with(grants: Iterable[Grant], benchmark_id: int, capability: Capability, kind: str | None = None) -> set[int]:
    """The teams of a benchmark for which some role has a capability, for one kind of work or for any."""
    return {
        g.team_id
        for g in grants
        if g.team_id is not None and g.benchmark_id == benchmark_id and _has(g, capability, kind)
    }


def has_capability(grants: Iterable[Grant], benchmark_id: int, capability: Capability, kind: str | None = None) -> bool:
    """Whether some role in a benchmark has a capability, for one kind of work or for any."""
    return any(g.benchmark_id == benchmark_id and _has(g, capability, kind) for g in grants)


def _has(grant: Grant, capability: Capability, kind: str | None) -> bool:
    if kind is None:
        return any(held.partition(":")[0] == capability for held in grant.capabilities)
    return not {capability.value, f"{capability}:{kind}"}.isdisjoint(grant.capabilities)


def operations_of(grants: Iterable[Grant], benchmark_id: int | None) -> list[str]:
    """Every operation open in a benchmark, in the order of declaration."""
    held = [grant._replace(answering="") for grant in grants]
    return [op for op in OPERATIONS if reach(held, benchmark_id, op) is not Reach.NONE]


def narrowed(grants: Iterable[Grant], *, benchmark_id: int, slug: str, operations: Iterable[str]) -> tuple[Grant, ...]:
    """The grants that a token has: in one benchmark, for the listed operations that tokens may use.

    A grant for the whole site becomes one for that benchmark.
    """
    only = frozenset(name for name in operations if name in OPERATIONS and OPERATIONS[name].by_token)
    return tuple(
        grant._replace(benchmark_id=benchmark_id, slug=slug, only=only)
        for grant in grants
        if grant.benchmark_id in (benchmark_id, None)
    )


def digest(grants: Iterable[Grant]) -> str:
    """Twelve hexadecimal digits that change when a person's grants do; open pages compare them to notice it."""
    rows = sorted(
        (str(g.benchmark_id), g.role, str(g.team_id), *sorted(g.capabilities), str(g.consented)) for g in grants
    )
    return hashlib.sha256(repr(rows).encode()).hexdigest()[:12]
