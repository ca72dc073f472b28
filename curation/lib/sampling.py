"""Sampling: seeded order, sample sizes, allowed errors and pass probabilities.

Shares are compared as integers and probabilities are exact fractions. The module is below ``benchmarks`` and
``packages`` because the protocol editor and the package preview show the same warnings.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Final, NamedTuple

PREVIEWED_PERCENTS: Final = (90, 95, 97, 98)  # right items of a package whose chance to pass the page shows


class Draw(NamedTuple):
    """The sample that the inspection of a package draws.

    Attributes:
        population: Items in the package.
        size: Items in the sample.
        errors_allowed: The most wrong items in the sample with which the package passes.
    """

    population: int
    size: int
    errors_allowed: int

    def chance(self, right_percent: int) -> Fraction:
        """Return the probability that a package passes if this share is right, rounded half up: 90% of 7 are 6."""
        wrong = self.population - (self.population * right_percent * 2 + 100) // 200
        return at_most(self.errors_allowed, self.population, wrong, self.size)


def draw_from(population: int, *, sample_percent: int, pass_over_percent: int) -> Draw:
    """Return the draw from ``population`` items under a protocol's two shares."""
    size = sample_size(population, sample_percent)
    return Draw(population, size, errors_allowed(size, pass_over_percent))


def sample_size(population: int, percent: int) -> int:
    """Return the sample size for ``population`` items: rounded up, at least one."""
    return max(1, -(-population * percent // 100))


def errors_allowed(size: int, pass_over_percent: int) -> int:
    """Return the most errors with which the share of right items is still *over* ``pass_over_percent``.

    97% of 33 allows none, of 34 to 66 one, of 67 to 100 two; exactly 97% fails (CVLUE section 3.5: "over 97%").
    """
    return ((100 - pass_over_percent) * size - 1) // 100


def passes(errors: int, size: int, pass_over_percent: int) -> bool:
    """Return whether more than ``pass_over_percent`` of ``size`` items are right, given ``errors`` wrong ones."""
    return errors * 100 < (100 - pass_over_percent) * size


def pass_chance(population: int, size: int, allowed: int, right_percent: int) -> float:
    """Return the exact hypergeometric probability that a package with ``right_percent`` right items passes."""
    return float(Draw(population, size, allowed).chance(right_percent))


def at_most(limit: int, population: int, marked: int, size: int) -> Fraction:
    """Return P(at most ``limit`` of ``marked`` among ``size`` drawn without replacement)."""
    least = max(0, size - (population - marked))
    most = min(limit, marked, size)
    ways = sum(math.comb(marked, k) * math.comb(population - marked, size - k) for k in range(least, most + 1))
    return Fraction(ways, math.comb(population, size))


class PlanWarning(NamedTuple):
    """A reason why an inspection means little; the browser translates ``code``."""

    code: str
    params: dict[str, int | float]


# A package with 90% right items should rarely pass, one with 98% should usually pass.
POOR: Final = 90
GOOD: Final = 98
POOR_PASSES_AT_MOST: Final = Fraction(1, 5)
GOOD_PASSES_AT_LEAST: Final = Fraction(1, 2)


def plan_warnings(draw: Draw) -> list[PlanWarning]:
    """Return warnings about an inspection that poor work often passes, or that good work often fails."""
    numbers: dict[str, int | float] = {
        "size": draw.population,
        "sample": draw.size,
        "errors_allowed": draw.errors_allowed,
    }
    warnings = []
    if (poor := draw.chance(POOR)) > POOR_PASSES_AT_MOST:
        warnings.append(PlanWarning("inspection_weak", numbers | {"right_percent": POOR, "chance": float(poor)}))
    if (good := draw.chance(GOOD)) < GOOD_PASSES_AT_LEAST:
        warnings.append(PlanWarning("inspection_harsh", numbers | {"right_percent": GOOD, "chance": float(good)}))
    return warnings


def seeded_order(seed: bytes, ids: Sequence[int]) -> list[int]:
    """Order ids by sha256(seed ‖ id in decimal digits), so that anyone who has the seed can verify the order."""
    return sorted(ids, key=lambda i: hashlib.sha256(seed + str(i).encode()).digest())
