"""``python -m tests.bench``: how fast the desk, the lists and imports are, in an installation of its own; one JSON out.

Everything runs on this machine, the clients included: production's processes (``docs/deploy.md``), a real PostgreSQL,
200 drawn pictures that came in as all pictures do, 10,000 items made of them by import, packages of 100. ``--serve``
prepares the same and waits, for another program to measure.
"""

import argparse
import json
import os
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from curation.people.rules import DEMO_PASSWORD
from tests.bench import desk
from tests.bench.alone import machine
from tests.bench.installation import OWNER, Installation

ITEMS = 10_000
MORE_ITEMS = 50_000
PACKAGE = 100
CROWDS = (1, 8, 32)


def measure(
    here: Installation, world: desk.World, pictures: int, seconds: float, crowds: Sequence[int]
) -> dict[str, Any]:
    """Take every figure; the import of 10,000 items and the build have been measured before."""
    figures: dict[str, Any] = {"desk": [], "lists": []}
    for annotators in crowds:
        # Once for the statements to be planned and the processes to be warm, as they are on any working day.
        desk.write(world, here.database, annotators, 3)
        for drafts in (True, False):
            load, worked = os.getloadavg()[0], here.seconds_worked()
            told = desk.write(world, here.database, annotators, seconds, drafts=drafts)
            spent = {
                name: round((s - worked[name]) * 1000 / told["submits"], 2) for name, s in here.seconds_worked().items()
            }
            figures["desk"].append(told | {"load_before": round(load, 2), "processor_ms_per_submit": spent})
            print(json.dumps(figures["desk"][-1]))
    slots = (range(ITEMS // pictures), range(ITEMS // pictures, (ITEMS + MORE_ITEMS) // pictures))
    for more in slots:
        if more.start:
            figures["import_more"] = desk.import_items(world, pictures, more)
            print(json.dumps(figures["import_more"]))
        for clients in (1, 8):
            figures["lists"].append({"items": more.stop * pictures} | desk.lists(world, clients, 160))
            print(json.dumps(figures["lists"][-1]))
    return figures


def main() -> None:
    """Prepare, measure, write the figures down."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=10, help="of each measurement at the desk (default 10)")
    parser.add_argument(
        "--out", type=Path, default=Path("bench.json"), help="where the figures go (default bench.json)"
    )
    parser.add_argument("--pictures", type=int, default=200, help="the items are spread over so many (default 200)")
    parser.add_argument("--serve", action="store_true", help="prepare, say where it is, wait for Ctrl-C")
    parser.add_argument("--web", type=int, nargs=2, metavar=("PROCESSES", "THREADS"), help="of the web server")
    parser.add_argument("--crowds", type=int, nargs="+", default=CROWDS, help="annotators of each measurement")
    given = parser.parse_args()
    begun = time.perf_counter()
    with Installation(*[tuple(given.web)] if given.web else []) as here:
        world = desk.new_world(here.base, OWNER, given.pictures, max(given.crowds))
        imported = desk.import_items(world, given.pictures, range(ITEMS // given.pictures))
        built = desk.build(world, PACKAGE)
        print(json.dumps({"import": imported, "build": built}))
        if given.serve:
            print(f"BENCH_URL={here.base} BENCH_SLUG={world.slug} BENCH_PASSWORD={DEMO_PASSWORD}", flush=True)
            print(f"BENCH_DATABASE='{here.database}'", flush=True)
            print(json.dumps({n: [p.pid for p in ps] for n, ps in here.processes().items()}), flush=True)
            try:
                while True:
                    time.sleep(1)
            except KeyboardInterrupt:
                return
        figures = {
            "at": datetime.now(UTC).isoformat(timespec="seconds"),
            "machine": machine(),
            "import": imported,
            "build": built,
            **measure(here, world, given.pictures, given.seconds, given.crowds),
            "whole_s": round(time.perf_counter() - begun),
        }
    given.out.write_text(json.dumps(figures, indent=1) + "\n")
    print(f"the figures are in {given.out}")


if __name__ == "__main__":
    main()
