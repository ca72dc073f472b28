"""Preparing, applying and undoing bulk actions."""

from annotation.bulk.services.applying import apply_bulk, undo_bulk
from annotation.bulk.services.preparing import prepare_bulk, sweep_previews
from annotation.bulk.services.running import RUN_BULK, end_failed, run_bulk

__all__ = ["RUN_BULK", "apply_bulk", "end_failed", "prepare_bulk", "run_bulk", "sweep_previews", "undo_bulk"]
