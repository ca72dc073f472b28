"""``python -m tests.bench.live_turns --dialogues 50 200``: how long a turn takes from its writer to the partner's page.

Real processes on this machine, the clients included: the launcher's web server, PostgreSQL and the live channel's
process. Each of the two people of a dialogue has a stream of events open; one writes after some seconds of thought, the
time runs from the request to the moment at which the other has read the turn's text.
"""

import argparse
import asyncio
import json
import math
import os
import urllib.parse

from tests.bench.alone import machine
from tests.bench.installation import Installation
from tests.live_talks import hold, prepare


def share(ordered: list[float], percent: float) -> float:
    """The smallest value that so many percent do not exceed, in milliseconds."""
    return round(1000 * ordered[max(0, math.ceil(len(ordered) * percent / 100) - 1)], 1)


def main() -> None:
    """Measure each number of dialogues in an installation of its own."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dialogues", type=int, nargs="+", default=[50, 200])
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--pause", type=float, default=8, help="seconds of thought before a turn (default 8)")
    parser.add_argument("--typing", action="store_true", help="send a sign of typing before each turn")
    given = parser.parse_args()
    print(json.dumps(machine()))
    for count in given.dialogues:
        with Installation() as here:
            people = prepare(here.database, here.environment, count)
            host = urllib.parse.urlsplit(here.base)
            live = f"http://{host.hostname}:{here.port + 1}/events/"
            load, worked = os.getloadavg()[0], here.seconds_worked()
            how = {"seconds": given.seconds, "pause": given.pause, "types": given.typing}
            notes = asyncio.run(hold(here.base, live, people, **how))
            spent = {name: round(s - worked[name], 1) for name, s in here.seconds_worked().items()}
        delays = notes.delays()
        figures = {
            "dialogues": count,
            "turns": len(notes.acknowledged),
            "turns_per_second": round(len(notes.acknowledged) / given.seconds, 1),
            "p50_ms": share(delays, 50),
            "p95_ms": share(delays, 95),
            "longest_ms": share(delays, 100),
            "repeats": dict(notes.repeats),
            "polled": notes.polled,
            "processor_s": spent,
            "load_before": round(load, 2),
        }
        print(json.dumps(figures), flush=True)


if __name__ == "__main__":
    main()
