"""Which groups of a report may have figures."""

from __future__ import annotations

from collections.abc import Mapping


def large_groups(sizes: Mapping[str, int], *, total: int, least: int) -> set[str]:
    """Choose the groups whose figures reveal no single answer.

    Each has at least ``least`` members, and so do all others together, if there are any: otherwise the figure over
    everything minus those of the groups would be theirs. Where the others have fewer, the smallest groups join them.

    Args:
        sizes: Members of each group; nobody is in two.
        total: Members of all groups and of none.
        least: The smallest number with a figure; 0 chooses all groups.
    """
    chosen = sorted((group for group, n in sizes.items() if n >= least), key=lambda group: (-sizes[group], group))
    others = total - sum(sizes[group] for group in chosen)
    while chosen and 0 < others < least:
        others += sizes[chosen.pop()]
    return set(chosen)
