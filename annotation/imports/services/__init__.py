"""Importing texts written elsewhere: a file is uploaded, and a job turns its rows into items or drafts."""

from annotation.imports.services.creating import RUN_IMPORT, create_import
from annotation.imports.services.running import end_failed, run_import

__all__ = ["RUN_IMPORT", "create_import", "end_failed", "run_import"]
