"""How much memory each exporter takes: ``python -m tests.annotation.releases.exporters.peaks FOLDER ITEMS …``.

Prints a JSON object: exporter → peak of the resident size in KB for each number of items. Each is measured
in a process of its own, forked after everything is imported, with the peak reset.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from pathlib import Path

from annotation.releases.exporters import registry
from tests.annotation.releases.exporters.generated import Generated, facts, write


def peak(folder: Path, format_: str, items: int) -> int:
    """KB that a process held at most while it wrote a format's files."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        Path("/proc/self/clear_refs").write_text("5")
        write(folder, Generated(facts("captions", items, withheld=["test"])), [format_], always=False)
        status = Path("/proc/self/status").read_text()
        os.write(writing, next(line for line in status.splitlines() if line.startswith("VmHWM")).split()[1].encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        answer = pipe.read()
    if os.waitpid(child, 0)[1]:
        raise SystemExit(f"{format_} failed at {items}")
    return int(answer)


if __name__ == "__main__":
    folder, sizes = Path(sys.argv[1]), [int(n) for n in sys.argv[2:]]
    peaks = {name: [peak(folder, name, n) for n in sizes] for name in [*registry.DATA, *registry.ALWAYS]}
    sys.stdout.write(json.dumps(peaks))
