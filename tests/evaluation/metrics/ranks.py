"""The ranks alone of a search."""

from typing import Any

import numpy as np
import numpy.typing as npt

from evaluation.metrics.retrieval import search


def ranks(queries: Any, gallery: Any, **options: Any) -> npt.NDArray[np.int64]:
    return search(queries, gallery, nearest=0, **options).rank
