"""Confidence intervals of shares; ``curation.lib.sampling`` draws the samples of populations."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

from curation.lib.sampling import at_most

LEVEL = Fraction(1, 20)  # 95% two-sided
Z_95 = 1.959963984540054  # that of the standard normal distribution


class Interval(NamedTuple):
    """A 95% interval for the share of right items, with the name of its method."""

    method: str
    low: float
    high: float


def wilson(share: float, n: float) -> Interval:
    """Compute Wilson's (1927) interval of a share of ``n`` independent trials; it stays in 0..1 and has a width always.

    Args:
        share: The share, 0..1.
        n: How many trials, not necessarily a whole number.

    Raises:
        ValueError: There are no trials, or the share is none.
    """
    if n <= 0 or not 0 <= share <= 1:
        raise ValueError(f"{share} of {n}")
    z2 = Z_95 * Z_95
    center = (share + z2 / (2 * n)) / (1 + z2 / n)
    half = Z_95 / (1 + z2 / n) * math.sqrt(share * (1 - share) / n + z2 / (4 * n * n))
    # At the ends the formula is exact on paper and off by rounding in floating point.
    return Interval("wilson", 0.0 if share == 0 else center - half, 1.0 if share == 1 else center + half)


def interval(right: int, size: int, population: int) -> Interval:
    """The exact interval for the share of right items in the whole population.

    Hypergeometric, for a finite population, if more than 5% were drawn; otherwise Clopper-Pearson.

    Args:
        right: Right items in the sample.
        size: Items in the sample.
        population: Items from which the sample was drawn.
    """
    if size * 20 > population:
        return _hypergeometric(right, size, population)
    return clopper_pearson(right, size)


def _first(low: int, high: int, holds: Callable[[int], bool]) -> int:
    """The smallest number in [low, high] for which a monotone condition holds; ``high`` if it holds for none below."""
    while low < high:
        middle = (low + high) // 2
        if holds(middle):
            high = middle
        else:
            low = middle + 1
    return low


def _hypergeometric(right: int, size: int, population: int) -> Interval:
    tail = LEVEL / 2
    # The smallest count of right items for which drawing at least this many right ones is likely enough.
    low = _first(right, population, lambda k: 1 - at_most(right - 1, population, k, size) > tail)
    # The largest count of right items for which drawing at most this many right ones is likely enough.
    top = population - (size - right)
    above = _first(right, top + 1, lambda k: k > top or at_most(right, population, k, size) <= tail)
    return Interval("hypergeometric", low / population, (above - 1) / population)


def clopper_pearson(right: int, size: int) -> Interval:
    """The exact binomial interval, to double precision for any size (Clopper and Pearson 1934)."""
    tail = float(LEVEL / 2)

    def binomial(k: int, p: float) -> float:
        return _beta_share(size - k, k + 1, 1 - p)

    low = 0.0 if right == 0 else _root(lambda p: (1 - binomial(right - 1, p)) > tail)
    high = 1.0 if right == size else _root(lambda p: binomial(right, p) < tail)
    return Interval("clopper-pearson", low, high)


def _beta_share(a: float, b: float, x: float) -> float:
    """The regularised incomplete beta function by its continued fraction (Abramowitz and Stegun 26.5.8)."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):  # here the fraction converges slowly, but that of the other tail does not
        return 1 - _beta_share(b, a, 1 - x)
    log_front = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    tiny = 1e-300
    fraction, c, d = 1.0, 1.0, 0.0
    for n in range(1, 10_000):
        m = n // 2
        term = (
            -(a + m) * (a + b + m) * x / ((a + n - 1) * (a + n)) if n % 2 else m * (b - m) * x / ((a + n - 1) * (a + n))
        )
        d = 1 / (1 + term * d or tiny)
        c = 1 + term / c or tiny
        fraction *= c * d
        if abs(c * d - 1) < 1e-15:
            break
    return math.exp(log_front) / (a * fraction)


def _root(holds: Callable[[float], bool]) -> float:
    """The smallest number in [0, 1] for which a monotone condition holds, by bisection."""
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return (low + high) / 2
