"""The order in which releases print the options of a question, and so the letter of the right one.

Authors write the right option first. The letters are drawn by a seed that later releases inherit, so that the letters
of an unchanged question never change.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Final, NamedTuple

LETTERS: Final = "ABCDEFGHIJ"


class LetterSpread(NamedTuple):
    """How often each letter is the right one, compared with equal numbers.

    Attributes:
        counts: Questions by the letter of their right option, in the order of the letters.
        statistic: Pearson's chi-square with one degree of freedom less than there are letters.
        p_value: The probability of this statistic or a larger one if every letter is equally likely.
    """

    counts: tuple[int, ...]
    statistic: float
    p_value: float


def drawn_order(options: Sequence[str], *, seed: int, number: int) -> list[int]:
    """Return the positions of options in the order in which they are printed.

    They are ordered by sha256("<seed>:<number>:<option>"), so that anybody can repeat the draw, and a change of one
    option does not change the order of the others.

    Args:
        options: The texts of the options in the main language, the right one first.
        seed: The seed of the first release.
        number: The item's number.
    """

    def digest(position: int) -> bytes:
        return hashlib.sha256(f"{seed}:{number}:{options[position]}".encode()).digest()

    return sorted(range(len(options)), key=digest)


def spread_of(counts: Sequence[int]) -> LetterSpread:
    """Compare the letters of the right options with equal numbers.

    Args:
        counts: Questions by the letter of their right option, which all have as many options as there are counts.
    """
    questions = sum(counts)
    if not questions:
        return LetterSpread(tuple(counts), 0.0, 1.0)
    from scipy.special import chdtrc  # noqa: PLC0415  (slow to import, and needed by releases alone)

    expected = questions / len(counts)
    statistic = sum((count - expected) ** 2 for count in counts) / expected
    return LetterSpread(tuple(counts), statistic, float(chdtrc(len(counts) - 1, statistic)))
