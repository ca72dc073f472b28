"""The card's section on the order of the options."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from annotation.kinds.option_order import LETTERS, spread_of
from annotation.releases.exporters.base import Facts


def letters(facts: Facts, files: Sequence[str], positions: Mapping[int, Mapping[int, int]]) -> Iterator[str]:
    """Yield the section.

    Args:
        facts: The release.
        files: The files, as patterns, that print options in this order.
        positions: Number of options → position of the right one → questions, of answers that the files give. The
            counts of a small withheld split would tell of its answers.
    """
    yield from ("", "## Order of the options", "")
    names = ", ".join(f"`{name}`" for name in files)
    yield f"In the files {names} the options of each question are ordered by the sha256 of"
    yield f'"{facts.option_seed}:<number of the item>:<option>". The seed is that of the first release of this kind, so'
    yield "that an unchanged question keeps its order."
    if any(split.withheld for split in facts.splits):
        yield "Questions whose answers are withheld are not counted here."
    for count, places in sorted(positions.items()):
        spread = spread_of([places.get(place, 0) for place in range(count)])
        counts = ", ".join(f"{letter} {n}" for letter, n in zip(LETTERS, spread.counts, strict=False))
        yield from ("", f"Letters of the right option among {count}: {counts}. Chi-square against equal numbers is")
        yield f"{spread.statistic:.2f} with {count - 1} degrees of freedom (p = {spread.p_value:.3f})."
