"""Two systems side by side, unit by unit."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from evaluation.profiles.results import Rights


def fourfold(one: Rights, other: Rights) -> npt.NDArray[np.int64]:
    """Count the common units of each picture: all, right in both, in the first alone, in the other alone."""
    rows = []
    for picture in sorted(one.keys() & other.keys()):
        first, second = one[picture], other[picture]
        pairs = [(first[unit], second[unit]) for unit in first.keys() & second.keys()]
        if pairs:
            rows.append([len(pairs), pairs.count((1, 1)), pairs.count((1, 0)), pairs.count((0, 1))])
    return np.array(rows, dtype=np.int64).reshape(-1, 4)
