"""Destroys what was covered, as the three tasks do: ``python -m tests.evaluation.destroyer WHEN LOG``.

Child processes are killed (SIGKILL), and the next one goes on; the last one ends by itself. WHEN is ``remove``: before
the second file that a process removes; ``record``: between a file's removal and the statement that records it; or
``vectors``: once, between the erasure of vectors and its record. LOG gets the path of each file that was removed, one a
line. Prints how many processes were killed.
"""

import os
import signal
import sys
from pathlib import Path
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from django.db import connection  # noqa: E402 - models need Django to be set up

from annotation.releases.services import destroy_release_files  # noqa: E402
from curation.images.services import destroy_files  # noqa: E402
from evaluation.runs.services import erase_vectors  # noqa: E402


class Steps:
    """Sees the steps of this process, and ends it at one of them."""

    def __init__(self, when: str, log: Path) -> None:
        self.when, self.log, self.removed = when, log, 0

    def die(self) -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    def hook(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event != "os.remove":
            return
        path, folder = os.fsdecode(arguments[0]), arguments[1] if arguments[1] != -1 else None
        try:
            os.stat(path, dir_fd=folder)
        except FileNotFoundError:
            return
        if self.when == "remove" and self.removed == 1:
            self.die()
        self.removed += 1
        with self.log.open("a") as lines:
            lines.write(f"{path}\n")

    def statement(self, execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        is_record = sql.startswith("INSERT") and "curation_destructiondone" in sql
        if is_record and (self.removed if self.when == "record" else self.when in params):
            self.die()
        return execute(sql, params, many, context)


def run(steps: Steps) -> None:
    """Do what the three tasks do, and once more, because files of releases are found while they run."""
    sys.addaudithook(steps.hook)
    with connection.execute_wrapper(steps.statement):
        for _ in range(2):
            destroy_files()
            destroy_release_files()
            erase_vectors()


if __name__ == "__main__":
    killed, when = 0, sys.argv[1]
    while True:
        child = os.fork()
        if child == 0:
            run(Steps("" if killed and when == "vectors" else when, Path(sys.argv[2])))
            os._exit(0)
        _, status = os.waitpid(child, 0)
        if os.waitstatus_to_exitcode(status) != -signal.SIGKILL:
            break
        killed += 1
    sys.stdout.write(str(killed))
    sys.exit(os.waitstatus_to_exitcode(status))
