"""Bringing in what was written elsewhere: a file is taken, and a job turns its rows into items or drafts."""

from annotation.imports.services.running import run_import
from annotation.imports.services.taking import RUN_IMPORT, create_import

__all__ = ["RUN_IMPORT", "create_import", "run_import"]
