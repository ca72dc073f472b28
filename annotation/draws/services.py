"""Drawing samples."""

from __future__ import annotations

import secrets
from collections.abc import Collection, Mapping
from typing import Any

from annotation.draws.models import Draw, Drawn, PopulationItem
from curation.lib.sampling import sample_size, seeded_order


def draw_sample(
    *,
    benchmark_id: int,
    kind: str,
    purpose: str,
    revisions: Mapping[int, int],
    size: int,
    criteria: Mapping[str, Any],
    drawn_by_id: int | None = None,
    added: Collection[int] = (),
) -> tuple[Draw, list[Drawn]]:
    """Draw a sample by a seed of 16 random bytes, so that no one can predict or repeat the draw.

    Args:
        benchmark_id: The benchmark.
        kind: The items' kind.
        purpose: ``inspection`` or ``spot_check``.
        revisions: The population: the newest revision of each item.
        size: Items in the sample.
        criteria: What belongs to the population, and the share.
        drawn_by_id: The person who draws; None for the application.
        added: Items that are judged even if they are not drawn.

    Returns:
        The draw, and its items in order: the sample, then those that were added.
    """
    seed = secrets.token_bytes(16)
    draw = Draw.objects.create(
        benchmark_id=benchmark_id,
        kind=kind,
        purpose=purpose,
        population=len(revisions),
        criteria=dict(criteria),
        seed=seed,
        size=size,
        drawn_by_id=drawn_by_id,
    )
    order = seeded_order(seed, list(revisions))
    chosen = order[:size] + [item_id for item_id in order[size:] if item_id in added]
    drawn = Drawn.objects.bulk_create(
        Drawn(
            draw=draw,
            item_id=item_id,
            revision_no=revisions[item_id],
            stratum="random" if ordinal <= size else "corrected",
            ordinal=ordinal,
        )
        for ordinal, item_id in enumerate(chosen, 1)
    )
    return draw, drawn


def draw_by_team(
    *,
    benchmark_id: int,
    kind: str,
    purpose: str,
    teams: Mapping[int, Mapping[int, int]],
    percent: int,
    drawn_by_id: int | None = None,
) -> Draw:
    """Draw the same share of each team's items, rounded up, by one seed.

    Args:
        benchmark_id: The benchmark.
        kind: The items' kind.
        purpose: ``spot_check``.
        teams: The population: by team, the accepted revision of each item, from which nothing was drawn yet.
        percent: The share.
        drawn_by_id: The person who draws; None for the application.
    """
    seed = secrets.token_bytes(16)
    chosen = [
        (item_id, revisions[item_id])
        for _, revisions in sorted(teams.items())
        for item_id in seeded_order(seed, list(revisions))[: sample_size(len(revisions), percent)]
    ]
    draw = Draw.objects.create(
        benchmark_id=benchmark_id,
        kind=kind,
        purpose=purpose,
        population=sum(map(len, teams.values())),
        criteria={"percent": percent, "populations": {team: len(revisions) for team, revisions in teams.items()}},
        seed=seed,
        size=len(chosen),
        drawn_by_id=drawn_by_id,
    )
    PopulationItem.objects.bulk_create(
        (
            PopulationItem(draw=draw, item_id=item_id, revision_no=no)
            for revisions in teams.values()
            for item_id, no in revisions.items()
        ),
        batch_size=5_000,
    )
    Drawn.objects.bulk_create(
        Drawn(draw=draw, item_id=item_id, revision_no=no, stratum="random", ordinal=ordinal)
        for ordinal, (item_id, no) in enumerate(chosen, 1)
    )
    return draw
