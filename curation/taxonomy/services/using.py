"""Taking a benchmark's categories from another list: the protocol's next version, made without writing YAML."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.db import transaction

from curation.benchmarks.models import ProtocolVersion
from curation.core.errors import NotFound
from curation.people.access import benchmark_for
from curation.people.models import Person
from curation.taxonomy import queries
from curation.taxonomy.services.adopting import adopt_protocol
from curation.taxonomy.services.creating import rewritten
from curation.taxonomy.services.lists import next_version, shipped_list


@transaction.atomic
def use_list(
    *,
    actor: Person,
    benchmark_slug: str,
    name: str,
    version: int,
    base_version: int,
    client_key: UUID,
    axis: Mapping[str, Any] | None = None,
) -> ProtocolVersion:
    """Adopt the protocol with a stored list as its categories or as a further dimension; nothing else of it changes.

    Args:
        actor: The person who adopts it.
        benchmark_slug: The benchmark.
        name: The list: one of the benchmark's own, or one that ships.
        version: Its version.
        base_version: The version of the protocol that is changed.
        client_key: A repeat with the same key has the same result.
        axis: The dimension, ``{code, name}``, whose values the list has, added or changed; None: the categories.

    Raises:
        NotFound: There is no such list, or no such version of the protocol; of a list that ships only the current
            version can be used.
        ProtocolNotRewritten: The text's part about categories cannot be replaced.
        StaleProtocol, ProtocolUnchanged, ProtocolLocked, CategoriesInUse, CategoriesOnlyGrow: As for adopting.
        OperationNotAllowed, ClientKeyReused.
    """
    benchmark = benchmark_for(actor, benchmark_slug, "category_list_use")
    base = ProtocolVersion.objects.filter(benchmark=benchmark, version=base_version).first()
    if base is None:
        raise NotFound
    reference: Any = {"own": name, "version": version}
    stored = queries.own_lists(benchmark).filter(name=name, version=version).first()
    if stored is None:
        if name not in queries.shipped_names() or shipped_list(name).version != version:
            raise NotFound
        reference = name
    elif axis is None and stored.origin == "board" and version == next_version(benchmark, name) - 1:
        reference = {"board": True}  # the newest, and each later one
    taxonomy = base.content["taxonomy"]
    if axis is None:
        text = rewritten(base, taxonomy | {"list": reference})
    else:
        own = {"code": axis["code"], "name": dict(axis["name"]), "list": reference}
        axes = {one["code"]: one for one in taxonomy.get("axes", [])} | {axis["code"]: own}
        text = rewritten(base, taxonomy | {"axes": list(axes.values())})
    return adopt_protocol(
        actor=actor, benchmark_slug=benchmark_slug, text=text, base_version=base_version, client_key=client_key
    )
