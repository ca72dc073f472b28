"""Hold a worker between computing a chunk and committing it, where a kill hurts most.

Python runs this file at its start if the folder is on ``PYTHONPATH``. ``LANTERN_TEST_HOLD`` names another folder: a
worker that has computed a chunk leaves its process id there as ``at-ID`` and goes on once the file ``hold`` is gone.
"""

import importlib.util
import os
import sys
import time
from importlib.abc import MetaPathFinder
from pathlib import Path

HELD = "evaluation.runs.services.working"


def hold() -> None:
    """Wait while the file ``hold`` is there."""
    folder = Path(os.environ["LANTERN_TEST_HOLD"])
    marker = folder / f"at-{os.getpid()}"
    marker.touch()
    while (folder / "hold").exists():
        time.sleep(0.005)
    marker.unlink(missing_ok=True)


class Patch(MetaPathFinder):
    """Wraps the function that commits a chunk, when its module is imported."""

    def find_spec(self, name, path=None, target=None):
        if name != HELD:
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        load = spec.loader.exec_module

        def load_and_patch(module):
            load(module)
            finish = module._finish

            def hold_and_finish(*args):
                hold()
                return finish(*args)

            module._finish = hold_and_finish

        spec.loader.exec_module = load_and_patch
        return spec


if "LANTERN_TEST_HOLD" in os.environ:
    sys.meta_path.insert(0, Patch())
