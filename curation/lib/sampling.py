"""Arithmetic of sampled inspection: how many are drawn, what may be wrong, what passing then means.

Shares are compared as whole numbers and chances are exact fractions. It lies below the protocol, because a protocol's
numbers are weighed when it is written, and below the packages, because a preview says the same of another size.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Final, NamedTuple

SHOWN_PERCENTS: Final = (90, 95, 97, 98)


class Draw(NamedTuple):
    """What the inspection of a package will draw.

    Attributes:
        population: Items in the package.
        size: How many of them are drawn.
        errors_allowed: With how many wrong ones among the drawn it still passes.
    """

    population: int
    size: int
    errors_allowed: int

    def chance(self, right_percent: int) -> Fraction:
        """The chance that a package passes of which this share is right, counted half up: 90 % of 7 are 6."""
        wrong = self.population - (self.population * right_percent * 2 + 100) // 200
        return at_most(self.errors_allowed, self.population, wrong, self.size)


def draw_from(population: int, *, sample_percent: int, pass_over_percent: int) -> Draw:
    """What an inspection draws from ``population`` items under a protocol's two shares."""
    size = sample_size(population, sample_percent)
    return Draw(population, size, errors_allowed(size, pass_over_percent))


def sample_size(population: int, percent: int) -> int:
    """How many of ``population`` items are drawn: at least one, otherwise rounded up."""
    return max(1, -(-population * percent // 100))


def errors_allowed(size: int, pass_over_percent: int) -> int:
    """The most errors with which the right ones are still *over* ``pass_over_percent``.

    97 % of 33 allows none, of 34 to 66 one, of 67 to 100 two; exactly 97 % fails (CVLUE section 3.5: "over 97 %").
    """
    return ((100 - pass_over_percent) * size - 1) // 100


def passes(errors: int, size: int, pass_over_percent: int) -> bool:
    """Whether ``errors`` of ``size`` leave more than ``pass_over_percent`` right."""
    return errors * 100 < (100 - pass_over_percent) * size


def pass_chance(population: int, size: int, allowed: int, right_percent: int) -> float:
    """The chance that a package with ``right_percent`` right items passes: exact hypergeometric, as a float."""
    return float(Draw(population, size, allowed).chance(right_percent))


def at_most(limit: int, population: int, marked: int, size: int) -> Fraction:
    """P(at most ``limit`` of ``marked`` among ``size`` drawn without putting back)."""
    least = max(0, size - (population - marked))
    most = min(limit, marked, size)
    ways = sum(math.comb(marked, k) * math.comb(population - marked, size - k) for k in range(least, most + 1))
    return Fraction(ways, math.comb(population, size))


class Doubt(NamedTuple):
    """Why an inspection means little; ``code`` is translated by the browser."""

    code: str
    params: dict[str, int | float]


# Work of which this share is right should rarely pass, and of which that share is right should mostly pass.
POOR: Final = 90
GOOD: Final = 98
POOR_PASSES_AT_MOST: Final = Fraction(1, 5)
GOOD_PASSES_AT_LEAST: Final = Fraction(1, 2)


def doubts(draw: Draw) -> list[Doubt]:
    """What is wrong with an inspection that poor work passes, or that good work fails."""
    numbers: dict[str, int | float] = {
        "size": draw.population,
        "sample": draw.size,
        "errors_allowed": draw.errors_allowed,
    }
    found = []
    if (poor := draw.chance(POOR)) > POOR_PASSES_AT_MOST:
        found.append(Doubt("inspection_weak", numbers | {"right_percent": POOR, "chance": float(poor)}))
    if (good := draw.chance(GOOD)) < GOOD_PASSES_AT_LEAST:
        found.append(Doubt("inspection_harsh", numbers | {"right_percent": GOOD, "chance": float(good)}))
    return found
