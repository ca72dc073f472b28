"""A worker's process with one job in it: ``python -m tests.annotation.releases.services.worker JOB [OPTION …]``.

Options: ``--die-at NAME COUNT`` kills the process (SIGKILL) when it renames a file of that name the COUNTth time;
``--room BYTES`` mounts a file system with that many bytes free over ``MEDIA_ROOT``, runs the job until it is full,
runs it again, frees the rest, and runs it once more. The mount needs a namespace (``unshare --user --map-root-user
--mount``).

Prints a JSON object: the job's state, its error, how often each name was renamed, and what ``--room`` saw.
"""

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from mmap import PAGESIZE
from pathlib import Path
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from django.conf import settings  # noqa: E402 - models need Django to be set up

from annotation.releases import services  # noqa: E402
from annotation.releases.models import Release, ReleaseFile  # noqa: E402
from curation.core import jobs  # noqa: E402
from curation.core.models import Job  # noqa: E402

DISK_BYTES = 64 << 20


def watch(name: str, count: int) -> Counter[str]:
    """Count renames by what is renamed; die at one of them."""
    renamed: Counter[str] = Counter()

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if event == "os.rename":
            source = Path(os.fsdecode(arguments[0])).name
            renamed[source] += 1
            if source == name and renamed[source] == count:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(hook)
    return renamed


def run(job_id: int) -> dict[str, Any]:
    """Do the job as the task does."""
    state = jobs.run(job_id, services.write_files)
    job = Job.objects.get(pk=job_id)
    return {"state": state, "error": job.error_code, "params": job.error_params, "done": job.done}


def with_little_space(job_id: int, size: int) -> dict[str, Any]:
    """Run the job on a full file system, then again after space is freed."""
    root = Path(settings.MEDIA_ROOT)
    with tempfile.TemporaryDirectory() as copy:
        shutil.copytree(root, copy, dirs_exist_ok=True)
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={DISK_BYTES}", "tmpfs", root], check=True)
        shutil.copytree(copy, root, dirs_exist_ok=True)
    # A file takes the rest of the disk. Growing the mount instead fails for an ordinary user: its options name a user
    # id that does not exist in the namespace.
    ballast = root / ".ballast"
    with ballast.open("wb") as file:
        os.posix_fallocate(file.fileno(), 0, shutil.disk_usage(root).free - size - -size % PAGESIZE)
    release = Release.objects.get(job_id=job_id)
    result: dict[str, Any] = {"full": run(job_id)}
    folder = services.folder_of(release.pk)
    result["in_folder"] = sorted(path.name for path in folder.iterdir())
    result["rows"] = sorted(ReleaseFile.objects.filter(release=release).values_list("name", flat=True))
    result["too_early"] = run(job_id)
    ballast.unlink()
    result["retried"] = run(job_id)
    result["files"] = sorted(path.name for path in folder.iterdir())
    return result


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("job", type=int)
    parser.add_argument("--die-at", nargs=2, default=["", "0"])
    parser.add_argument("--room", type=int)
    options = parser.parse_args()
    renames = watch(options.die_at[0], int(options.die_at[1]))
    answer = with_little_space(options.job, options.room) if options.room else run(options.job)
    sys.stdout.write(json.dumps(answer | {"renames": renames}))
