"""Whether a person sees the names of their colleagues."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from curation.benchmarks.rules import Capability, is_blind
from curation.core.shapes import PersonBrief
from curation.people.models import Person


def names_visible(person: Person, benchmark_id: int, protocol: Mapping[str, Any] | None) -> bool:
    """Whether a person may see their colleagues' names in a benchmark.

    Where a track of the protocol is ``blind``, only people who administer may; everyone sees their own name.

    Args:
        person: The reader.
        benchmark_id: The benchmark.
        protocol: The content of the protocol version under which the rows were made.
    """
    if not is_blind(protocol):
        return True
    heads = {Capability.OWN.value, Capability.ADMINISTER.value}
    here = (g for g in person.grants if g.benchmark_id in (benchmark_id, None))
    return any(heads.intersection(g.capabilities) for g in here)


def brief_for(viewer: Person, colleague: Mapping[str, Any] | Person | None, *, show_names: bool) -> PersonBrief | None:
    """A person as answers show them, ``{"id", "name"}``; None for no person and for one whose name is hidden.

    Args:
        viewer: The person who reads the answer; they always see their own name.
        colleague: A person, or ``{"id", "name"}`` from a query.
        show_names: The result of :func:`names_visible`.
    """
    if colleague is None:
        return None
    id_, name = (
        (colleague.pk, colleague.name) if isinstance(colleague, Person) else (colleague["id"], colleague["name"])
    )
    return {"id": id_, "name": name} if id_ is not None and (show_names or id_ == viewer.pk) else None
