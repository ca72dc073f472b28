"""Division of pictures into splits.

Splits are drawn by picture and stratified by category. The shares of the whole are met exactly by largest remainder,
and no category is more than one picture away from its own shares. Pictures with a split in an earlier release keep it,
and new pictures fill the gaps. The result depends only on the protocol, the seed, the pictures' numbers and the earlier
splits, never on the order of rows.
"""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from annotation.releases.rules.inputs import (
    PerCategory,
    in_order,
)
from curation.lib.sampling import seeded_order


def apportion(total: int, shares: Mapping[str, int]) -> dict[str, int]:
    """Divide ``total`` by largest remainder; among equal remainders the earlier name wins.

    Args:
        total: The number to divide.
        shares: Integer weights, usually percent; their sum may differ from 100.
    """
    whole = sum(shares.values())
    counts = {name: total * share // whole for name, share in shares.items()}
    rest = total - sum(counts.values())
    for name in sorted(shares, key=lambda n: -(total * shares[n] % whole))[:rest]:  # sorted() is stable
        counts[name] += 1
    return counts


@dataclass(slots=True)
class _Rounding:
    """Round a table of shares (stratum x split) to integers so that no cell, row or column changes by one or more.

    Each stratum starts with the integer part of its shares and has ``spare`` pictures left, at most one for each split
    with a fractional share. Giving a split one more picture is a path of exchanges between strata, as in bipartite
    matching; a split never loses a picture again.
    """

    sizes: Mapping[str, int]
    shares: Mapping[str, int]
    order: Sequence[str]  # of the strata, to break ties
    spare: dict[str, int] = field(init=False)
    extra: dict[str, set[str]] = field(init=False)  # stratum → splits that got one more

    def __post_init__(self) -> None:
        self.spare = {s: n - sum(self.whole(s, split) for split in self.shares) for s, n in self.sizes.items()}
        self.extra = {s: set() for s in self.sizes}

    def whole(self, stratum: str, split: str) -> int:
        return self.sizes[stratum] * self.shares[split] // sum(self.shares.values())

    def _remainder(self, stratum: str, split: str) -> int:
        return self.sizes[stratum] * self.shares[split] % sum(self.shares.values())

    def give_one(self, split: str) -> bool:
        """Give one more picture to a split; return False if no exchange makes that possible."""
        previous: dict[str, tuple[str, str | None]] = {}  # stratum → (split to serve, stratum that gives it up)
        queue: list[tuple[str, str | None]] = [(split, None)]
        for target, giver in queue:
            open_to = [s for s in self.order if s not in previous and target not in self.extra[s]]
            for stratum in sorted(open_to, key=lambda s: -self._remainder(s, target)):
                if not self._remainder(stratum, target):
                    break
                previous[stratum] = (target, giver)
                if self.spare[stratum]:
                    self._apply_exchanges(stratum, previous)
                    return True
                queue += [(current, stratum) for current in in_order(list(self.extra[stratum]))]
        return False

    def _apply_exchanges(self, last: str, previous: Mapping[str, tuple[str, str | None]]) -> None:
        self.spare[last] -= 1
        stratum: str | None = last
        while stratum is not None:
            target, giver = previous[stratum]
            self.extra[stratum].add(target)
            if giver is not None:
                self.extra[giver].discard(target)
            stratum = giver


def counts_by_stratum(sizes: Mapping[str, int], shares: Mapping[str, int], seed: int) -> dict[str, dict[str, int]]:
    """Return the number of pictures of each stratum in each split.

    The totals are :func:`apportion` of all pictures: always for up to three splits, and for more wherever the strata
    allow it. Each count of a stratum is its share, rounded down or up. Rounding each stratum separately would always
    favour the largest split in small categories and leave the smallest split empty.

    Args:
        sizes: Stratum → pictures.
        shares: Split → weight.
        seed: Decides which strata round up among equals.
    """
    names = sorted(sizes)
    order = [names[i] for i in seeded_order(f"{seed}:".encode(), range(len(names)))]
    table = _Rounding(sizes, shares, order)
    total = sum(sizes.values())
    targets = apportion(total, shares)
    down = {split: total * share // sum(shares.values()) for split, share in shares.items()}
    have = {split: sum(table.whole(s, split) for s in names) for split in shares}
    for split in shares:
        for _ in range(down[split] - have[split]):
            table.give_one(split)
    # The rest: first to the splits that largest remainder rounds up, then to any split that can take more.
    for split in sorted(shares, key=lambda s: down[s] - targets[s]):
        if any(table.spare.values()):
            table.give_one(split)
    return {s: {split: table.whole(s, split) + (split in table.extra[s]) for split in shares} for s in names}


def counts_per_category(
    sizes: Mapping[str, int], shares: Mapping[str, int], rule: PerCategory
) -> dict[str, dict[str, int]]:
    """Return the number of pictures of each category in each split for a protocol with counts.

    The examples come first, then the test up to its minimum. Of the rest the validation gets its target, or its share
    (relative to the test's) if that is more, and the test gets what remains. So a small category may miss its target
    for the validation, as two subjects of VisTai do.
    """
    open_shares = {split: shares.get(split, 0) for split in ("valid", "test")}
    counted = {}
    for stratum, size in sizes.items():
        train = min(rule.train, size)
        rest = size - train
        valid_share = apportion(rest, open_shares)["valid"] if any(open_shares.values()) else 0
        valid = min(max(rule.valid_target, valid_share), max(rest - rule.test_minimum, 0))
        counted[stratum] = dict.fromkeys(shares, 0) | {"train": train, "valid": valid, "test": rest - valid}
    return counted


def allocate_new_pictures(
    targets: Mapping[str, Mapping[str, int]], existing: Mapping[str, Mapping[str, int]], new: Mapping[str, int]
) -> dict[str, dict[str, int]]:
    """Divide new pictures among the splits while earlier pictures keep theirs.

    No split of a stratum exceeds its target while another is below its own. Earlier pictures may fill one split beyond
    its target; then others fall short. Which ones depends on the totals: as many new pictures as possible go to splits
    that are also short over all strata (a maximum flow from strata to splits).

    Args:
        targets: Stratum → split → total pictures.
        existing: Stratum → split → earlier pictures.
        new: Stratum → pictures to divide.

    Returns:
        Stratum → split → new pictures.
    """
    splits = list(next(iter(targets.values()), {}))
    room = {s: {n: max(targets[s][n] - existing[s].get(n, 0), 0) for n in splits} for s in targets}
    short = {n: max(sum(targets[s][n] - existing[s].get(n, 0) for s in targets), 0) for n in splits}
    allocation = {s: dict.fromkeys(splits, 0) for s in targets}
    remaining = dict(new)
    # If there are too few pictures, every split first gets its fair part of them.
    available = min(sum(new.values()), sum(short.values()))
    fair_shares = apportion(available, short) if available else dict.fromkeys(splits, 0)
    _push_flow(remaining, room, allocation, fair_shares)
    _push_flow(remaining, room, allocation, {n: short[n] - sum(allocation[s][n] for s in targets) for n in splits})
    for stratum, count in remaining.items():  # the totals of these splits are met, the stratum's are not
        for _ in range(count):
            most = max(splits, key=lambda n: room[stratum][n] - allocation[stratum][n])  # among equals the first
            allocation[stratum][most] += 1
    return allocation


def _push_flow(
    remaining: dict[str, int],
    room: Mapping[str, Mapping[str, int]],
    allocation: Mapping[str, dict[str, int]],
    short: dict[str, int],
) -> None:
    """Add to ``allocation`` until no path leads from a stratum with remaining pictures to a split that is short."""
    while path := _augmenting_path(remaining, room, allocation, short):
        start, end = path[0], path[-1]
        steps = list(itertools.pairwise(path))
        amount = min(remaining[start], short[end])
        for node, next_node in steps:
            capacity = (
                room[node][next_node] - allocation[node][next_node] if node in room else allocation[next_node][node]
            )
            amount = min(amount, capacity)
        remaining[start] -= amount
        short[end] -= amount
        for node, next_node in steps:
            if node in room:
                allocation[node][next_node] += amount
            else:
                allocation[next_node][node] -= amount


def _augmenting_path(
    remaining: Mapping[str, int],
    room: Mapping[str, Mapping[str, int]],
    allocation: Mapping[str, Mapping[str, int]],
    short: Mapping[str, int],
) -> list[str]:
    """Find the shortest path from a stratum with remaining pictures to a short split, also back along allocations.

    Names of strata and splits alternate; strata are marked because a category may be called ``test``.
    """
    paths = [[stratum] for stratum in room if remaining.get(stratum)]
    visited = {path[0] for path in paths}
    for path in paths:  # breadth first: the list grows during the loop
        node = path[-1]
        neighbours = (
            [n for n, most in room[node].items() if allocation[node][n] < most]
            if node in room
            else [s for s in room if allocation[s][node]]
        )
        for next_node in neighbours:
            if next_node not in visited:
                visited.add(next_node)
                paths.append([*path, next_node])
                if short.get(next_node):
                    return paths[-1]
    return []


def draw_splits(
    strata: Mapping[int, str],
    shares: Mapping[str, int],
    seed: int,
    *,
    per_category: PerCategory | None = None,
    previous: Mapping[int, str] | None = None,
) -> dict[int, str]:
    """Assign every picture to one split.

    Within a stratum pictures are ordered by sha256("<seed>:<number>"), so that anybody can repeat the draw.

    Args:
        strata: Picture number → stratum (its category's slug, or an empty text).
        shares: Split → percent, in the order of :data:`SPLIT_ORDER`.
        seed: The release's seed.
        per_category: The division of each stratum by counts, instead of shares alone.
        previous: Splits that pictures have and keep; the others are drawn so that the totals come as close to the
            targets as these allow.

    Returns:
        Picture number → split.
    """
    splits = {number: split for number, split in (previous or {}).items() if number in strata}
    members: dict[str, list[int]] = defaultdict(list)
    existing: dict[str, Counter[str]] = defaultdict(Counter)
    sizes: Counter[str] = Counter(strata.values())
    for number, stratum in strata.items():
        if number in splits:
            existing[_stratum(stratum)][splits[number]] += 1
        else:
            members[stratum].append(number)
    if per_category is not None:
        targets = counts_per_category(sizes, shares, per_category)
    else:
        targets = counts_by_stratum(sizes, shares, seed)
    counts = allocate_new_pictures(
        {_stratum(s): targets[s] for s in sorted(targets)},
        {_stratum(s): existing[_stratum(s)] for s in targets},
        {_stratum(s): len(members[s]) for s in targets},
    )
    for stratum, numbers in members.items():
        places = iter(seeded_order(f"{seed}:".encode(), numbers))
        for split in shares:
            splits.update((next(places), split) for _ in range(counts[_stratum(stratum)][split]))
    return splits


def _stratum(name: str) -> str:
    """Mark a stratum's name, so that it differs from every split's name."""
    return f"/{name}"
