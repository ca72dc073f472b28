"""Whether a system prefers some letters to others (CMMU section 4.4)."""

from __future__ import annotations

from collections.abc import Iterable


def bias_rate(letters: Iterable[str | None], *, of: int) -> float | None:
    """The population variance of the shares of A, B, C and D, in percent squared.

    Args:
        letters: The answers; one that is not A, B, C or D counts in no share.
        of: The number of questions, the denominator of the shares.

    Returns:
        0 for a system that answers each letter equally often; None without questions.
    """
    if of <= 0:
        return None
    counts = dict.fromkeys("ABCD", 0)
    for letter in letters:
        if letter in counts:
            counts[letter] += 1
    shares = [100 * count / of for count in counts.values()]
    mean = sum(shares) / 4
    return sum((share - mean) ** 2 for share in shares) / 4
