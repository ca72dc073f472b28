"""What may be kept of a system's answer."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

# A unit vector in half precision is off by less than this.
_UNIT_WITHIN = 1e-2


def fault_of(vector: npt.NDArray[np.float32]) -> str:
    """The code of what is wrong with a vector, empty when it can be scored."""
    if vector.ndim != 1 or vector.size == 0 or not np.isfinite(vector).all():
        return "vector_not_finite"
    if abs(float(np.linalg.norm(vector.astype(np.float64))) - 1.0) > _UNIT_WITHIN:
        return "vector_not_unit"
    return ""


def to_bytes(vector: npt.NDArray[np.float32]) -> bytes:
    """A vector as it is stored: little-endian float32, the same on every machine."""
    return np.ascontiguousarray(vector, dtype="<f4").tobytes()


def from_bytes(stored: bytes | memoryview) -> npt.NDArray[np.float32]:
    """A stored vector."""
    return np.frombuffer(stored, dtype="<f4")
