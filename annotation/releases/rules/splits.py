"""Which picture goes into which split.

Splits are drawn by picture and stratified by category (W-R1): the shares of the whole are met exactly by largest
remainder, and no category is more than one picture away from its own shares. Pictures that an earlier release put into
a split stay there, and new ones fill up what is short. Everything depends on the protocol, the seed, the pictures'
numbers and the earlier splits alone, never on the order in which rows arrive.
"""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from annotation.packages.rules import seeded_order
from annotation.releases.rules.facts import (
    PerCategory,
    in_order,
)


def apportion(total: int, shares: Mapping[str, int]) -> dict[str, int]:
    """Divide ``total`` by largest remainder; of equal remainders the earlier name wins.

    Args:
        total: How many there are.
        shares: Integer weights, usually percent; they need not add up to 100.
    """
    whole = sum(shares.values())
    counts = {name: total * share // whole for name, share in shares.items()}
    rest = total - sum(counts.values())
    for name in sorted(shares, key=lambda n: -(total * shares[n] % whole))[:rest]:  # sorted() keeps equals in order
        counts[name] += 1
    return counts


@dataclass(slots=True)
class _Rounding:
    """Round a table of shares (stratum x split) to integers without moving any cell, row or column by one or more.

    Each stratum starts with the whole part of its shares and still has ``spare`` pictures to hand out, at most one to
    each split whose share is fractional. Handing one more to a split is a path of exchanges between strata, as in a
    matching of two sides; a split that was given something never loses it again.
    """

    sizes: Mapping[str, int]
    shares: Mapping[str, int]
    order: Sequence[str]  # of the strata: decides between equals
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
        """Give one more picture to a split; False when no exchange makes that possible."""
        came_from: dict[str, tuple[str, str | None]] = {}  # stratum → (split it would serve, stratum that gives it up)
        queue: list[tuple[str, str | None]] = [(split, None)]
        for wanted, giver in queue:
            open_to = [s for s in self.order if s not in came_from and wanted not in self.extra[s]]
            for stratum in sorted(open_to, key=lambda s: -self._remainder(s, wanted)):
                if not self._remainder(stratum, wanted):
                    break
                came_from[stratum] = (wanted, giver)
                if self.spare[stratum]:
                    self._carry_out(stratum, came_from)
                    return True
                queue += [(held, stratum) for held in in_order(list(self.extra[stratum]))]
        return False

    def _carry_out(self, last: str, came_from: Mapping[str, tuple[str, str | None]]) -> None:
        self.spare[last] -= 1
        stratum: str | None = last
        while stratum is not None:
            wanted, giver = came_from[stratum]
            self.extra[stratum].add(wanted)
            if giver is not None:
                self.extra[giver].discard(wanted)
            stratum = giver


def counts_by_stratum(sizes: Mapping[str, int], shares: Mapping[str, int], seed: int) -> dict[str, dict[str, int]]:
    """How many pictures of each stratum go to each split.

    Totals are :func:`apportion` of all pictures (for three splits or fewer always exactly; for more wherever the
    strata allow it), and each stratum's count is its share rounded down or up. Rounding each stratum alone would give
    small categories to the largest split every time and leave the smallest one empty.

    Args:
        sizes: Stratum → pictures.
        shares: Split → weight.
        seed: Decides which strata round up where several would do.
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
    # The last ones: first to the splits that largest remainder rounds up, then to whichever still can.
    for split in sorted(shares, key=lambda s: down[s] - targets[s]):
        if any(table.spare.values()):
            table.give_one(split)
    return {s: {split: table.whole(s, split) + (split in table.extra[s]) for split in shares} for s in names}


def counts_per_category(
    sizes: Mapping[str, int], shares: Mapping[str, int], rule: PerCategory
) -> dict[str, dict[str, int]]:
    """How many pictures of each category go to each split where the protocol gives numbers.

    The examples come first, then the test up to its minimum; of what is left the validation gets its target, or its
    share (beside the test's) where that is more, and the test the rest. A small category so has fewer for the
    validation than wanted, as two subjects of VisTai do.
    """
    open_shares = {split: shares.get(split, 0) for split in ("valid", "test")}
    counted = {}
    for stratum, size in sizes.items():
        train = min(rule.train, size)
        rest = size - train
        wanted = apportion(rest, open_shares)["valid"] if any(open_shares.values()) else 0
        valid = min(max(rule.valid_target, wanted), max(rest - rule.test_minimum, 0))
        counted[stratum] = dict.fromkeys(shares, 0) | {"train": train, "valid": valid, "test": rest - valid}
    return counted


def room_for_new(
    wanted: Mapping[str, Mapping[str, int]], kept: Mapping[str, Mapping[str, int]], new: Mapping[str, int]
) -> dict[str, dict[str, int]]:
    """Divide what is new among the splits where earlier pictures stay where they are.

    No split of a stratum gets more than it is wanted to have as long as another has less. Where earlier pictures fill
    a split beyond that, others of the stratum fall short; which of them, the whole decides: as many new pictures as at
    all possible go to splits that are short over all strata too (a greatest flow from strata to splits).

    Args:
        wanted: Stratum → split → pictures it is to have in all.
        kept: Stratum → split → pictures it has already.
        new: Stratum → pictures to divide.

    Returns:
        Stratum → split → new pictures.
    """
    splits = list(next(iter(wanted.values()), {}))
    room = {s: {n: max(wanted[s][n] - kept[s].get(n, 0), 0) for n in splits} for s in wanted}
    short = {n: max(sum(wanted[s][n] - kept[s].get(n, 0) for s in wanted), 0) for n in splits}
    given = {s: dict.fromkeys(splits, 0) for s in wanted}
    left = dict(new)
    # Where there is not enough for all, every split first gets its part of what there is.
    some = min(sum(new.values()), sum(short.values()))
    fair = apportion(some, short) if some else dict.fromkeys(splits, 0)
    _pour(left, room, given, fair)
    _pour(left, room, given, {n: short[n] - sum(given[s][n] for s in wanted) for n in splits})
    for stratum, count in left.items():  # the whole has enough of these already, the stratum has not
        for _ in range(count):
            most = max(splits, key=lambda n: room[stratum][n] - given[stratum][n])  # of equals the first
            given[stratum][most] += 1
    return given


def _pour(
    left: dict[str, int],
    room: Mapping[str, Mapping[str, int]],
    given: Mapping[str, dict[str, int]],
    short: dict[str, int],
) -> None:
    """Add to ``given`` until no way leads from a stratum with pictures left to a split that is short."""
    while way := _way(left, room, given, short):
        start, end = way[0], way[-1]
        steps = list(itertools.pairwise(way))
        amount = min(left[start], short[end])
        for here, there in steps:
            open_now = room[here][there] - given[here][there] if here in room else given[there][here]
            amount = min(amount, open_now)
        left[start] -= amount
        short[end] -= amount
        for here, there in steps:
            if here in room:
                given[here][there] += amount
            else:
                given[there][here] -= amount


def _way(
    left: Mapping[str, int],
    room: Mapping[str, Mapping[str, int]],
    given: Mapping[str, Mapping[str, int]],
    short: Mapping[str, int],
) -> list[str]:
    """The shortest way from a stratum with pictures left to a split that is short; back along what was given, too.

    Names of strata and splits alternate; strata are marked so that a category may be called ``test``.
    """
    ways = [[stratum] for stratum in room if left.get(stratum)]
    seen = {way[0] for way in ways}
    for way in ways:  # grows while it is walked: breadth first
        here = way[-1]
        onwards = (
            [n for n, most in room[here].items() if given[here][n] < most]
            if here in room
            else [s for s in room if given[s][here]]
        )
        for there in onwards:
            if there not in seen:
                seen.add(there)
                ways.append([*way, there])
                if short.get(there):
                    return ways[-1]
    return []


def draw_splits(
    strata: Mapping[int, str],
    shares: Mapping[str, int],
    seed: int,
    *,
    per_category: PerCategory | None = None,
    kept: Mapping[int, str] | None = None,
) -> dict[int, str]:
    """Put every picture into one split.

    Within its stratum a picture's place is the order of sha256("<seed>:<number>"), so anybody can repeat the draw.

    Args:
        strata: Picture number → stratum (its category's slug, or an empty text).
        shares: Split → percent, in the order of :data:`SPLIT_ORDER`.
        seed: The release's seed.
        per_category: How each stratum is divided, where not by shares alone.
        kept: Splits that pictures have already, and keep; the others are drawn so that all together come as near to
            what is wanted as the kept ones allow.

    Returns:
        Picture number → split.
    """
    drawn = {number: split for number, split in (kept or {}).items() if number in strata}
    members: dict[str, list[int]] = defaultdict(list)
    held: dict[str, Counter[str]] = defaultdict(Counter)
    sizes: Counter[str] = Counter(strata.values())
    for number, stratum in strata.items():
        if number in drawn:
            held[_stratum(stratum)][drawn[number]] += 1
        else:
            members[stratum].append(number)
    if per_category is not None:
        wanted = counts_per_category(sizes, shares, per_category)
    else:
        wanted = counts_by_stratum(sizes, shares, seed)
    counts = room_for_new(
        {_stratum(s): wanted[s] for s in sorted(wanted)},
        {_stratum(s): held[_stratum(s)] for s in wanted},
        {_stratum(s): len(members[s]) for s in wanted},
    )
    for stratum, numbers in members.items():
        places = iter(seeded_order(f"{seed}:".encode(), numbers))
        for split in shares:
            drawn.update((next(places), split) for _ in range(counts[_stratum(stratum)][split]))
    return drawn


def _stratum(name: str) -> str:
    """A stratum's mark, which is no split's name whatever the category is called."""
    return f"/{name}"
