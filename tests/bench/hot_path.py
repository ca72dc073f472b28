"""``python -m tests.bench.hot_path``: where each millisecond of next, draft and submit goes; one table out.

Next, a draft with the rules' findings and submit are sent through the whole application inside one process, over a
PostgreSQL of its own with 10,000 items. First unobserved: processor time of the application and of its database
connection, which is what limits a machine that serves many at once. Then under a profiler that counts processor time
alone: its shares, by what the code is for, are laid over the first figures, because a profiler makes calls dearer.
Functions of the language itself count for whoever called them. How many calls there are is the same on any machine.
"""

import argparse
import cProfile
import json
import pstats
import statistics
import time
from collections import Counter, defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.bench import million
from tests.bench.alone import load, machine, own_database, tell

ITEMS = 10_000
STEPS = ("next", "draft", "submit")
# What code is for, by where it lies; the first that fits counts.
PARTS = (
    ("asking the database", ("/psycopg", "/django/db/", "/curation/lib/statements", "/curation/lib/postgresql")),
    ("session, roles", ("/curation/people/", "/django/contrib/", "/allauth/")),
    ("rules of the kind", ("/annotation/kinds/", "/curation/core/text", "/regex/", "/unicodedata")),
    ("the work itself", ("/annotation/", "/curation/", "/evaluation/")),
    ("reading and answering", ("/rest_framework/", "/json/", "/zoneinfo", "/_strptime", "/datetime", "/decimal")),
    ("watching", ("/config/watch/", "/logging/", "/prometheus_client/")),
    ("handling a request", ("/django/", "/config/", "/asgiref/", "/http/", "/urllib/", "/email/")),
)
OURS = "/curation/core/api/"
Function = tuple[str, int, str]


def _part(function: Function) -> str | None:
    file = function[0]
    if file == "~" or file.startswith("<"):
        return None
    if OURS in file:
        return "reading and answering"
    return next((name for name, places in PARTS if any(place in file for place in places)), "Python's library")


def parts(profile: cProfile.Profile) -> Counter[str]:
    """Seconds by what they were for."""
    told: Counter[str] = Counter()
    stats: dict[Function, Any] = pstats.Stats(profile).stats  # type: ignore[attr-defined]  # in no stub, but documented
    for function, (_, _, own, _, callers) in stats.items():
        part = _part(function)
        if part is not None:
            told[part] += own
            continue
        for caller, (_, _, share, _) in callers.items():
            told[_part(caller) or "Python's library"] += share
    return told


class Watched:
    """Stands in for a test client's handler: counts what passes through, with a profiler or without."""

    def __init__(self, worked: Callable[[], tuple[float, float]]) -> None:
        self.worked = worked
        self.profile: cProfile.Profile | None = None
        self.spent: list[tuple[float, float]] = []

    def around(self, handler: Any) -> Any:
        def handle(environ: Any) -> Any:
            if self.profile is not None:
                self.profile.enable()
                try:
                    return handler(environ)
                finally:
                    self.profile.disable()
            before = self.worked()
            answer = handler(environ)
            after = self.worked()
            self.spent.append((after[0] - before[0], after[1] - before[1]))
            return answer

        return handle


def measure(times: int) -> dict[str, Any]:
    """Milliseconds of processor time by step and by what they were for."""
    from django.db import connection  # noqa: PLC0415  (after the settings)

    million.fill(ITEMS)
    known = million.requests(ITEMS)
    connection.ensure_connection()
    backend = Path(f"/proc/{connection.connection.info.backend_pid}/schedstat")
    watched = Watched(lambda: (time.process_time(), int(backend.read_text().split()[0]) / 1e9))
    seen: set[int] = set()

    def send(step: str) -> None:
        who, method, path, body = known[step]()
        if id(who) not in seen:
            who.handler = watched.around(who.handler)
            seen.add(id(who))
        given = {"content_type": "application/json"} if body else {}
        answer = who.generic(method, path, json.dumps(body) if body else "", HTTP_HOST="localhost", **given)
        if answer.status_code >= 400:
            raise SystemExit(f"{step}: {answer.status_code} {answer.content[:300]!r}")

    figures: dict[str, Any] = {}
    for step in STEPS:
        for _ in range(20):
            send(step)
        watched.spent.clear()
        for _ in range(times):
            send(step)
        web, database = (statistics.median(spent) * 1000 for spent in zip(*watched.spent, strict=True))
        watched.profile = cProfile.Profile(time.thread_time)
        for _ in range(times):
            send(step)
        found, calls = parts(watched.profile), pstats.Stats(watched.profile).total_calls  # type: ignore[attr-defined]  # as above
        watched.profile = None
        whole = sum(found.values())
        figures[step] = {
            "application_ms": round(web, 2),
            "database_ms": round(database, 2),
            "calls": round(calls / times),
            "of_which": {name: round(web * seconds / whole, 2) for name, seconds in found.most_common()},
        }
    return figures


def table(figures: dict[str, Any]) -> str:
    """The figures as Markdown, the dearest part first."""
    rows: defaultdict[str, dict[str, float]] = defaultdict(dict)
    for step, told in figures.items():
        for name, ms in told["of_which"].items():
            rows[name][step] = ms
        rows["the application in all"][step] = told["application_ms"]
        rows["PostgreSQL"][step] = told["database_ms"]
    calls = " | ".join(str(told["calls"]) for told in figures.values())
    ordered = sorted(rows.items(), key=lambda row: -sum(row[1].values()))
    lines = [f"| processor time, ms | {' | '.join(STEPS)} |", "| --- " * (len(STEPS) + 1) + "|"]
    lines += [f"| {name} | {' | '.join(str(of.get(step, 0)) for step in STEPS)} |" for name, of in ordered]
    lines.append(f"| calls of functions | {calls} |")
    return "\n".join(lines)


def main() -> None:
    """Fill, measure, tell."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--times", type=int, default=200, help="how often each is sent, twice (default 200)")
    parser.add_argument("--out", type=Path, help="where the figures go as JSON")
    given = parser.parse_args()
    with own_database("hot-path"):
        import django  # noqa: PLC0415

        django.setup()
        figures = {"machine": machine(), "load": load()} | measure(given.times)
        print(table({step: figures[step] for step in STEPS}))
        tell(figures, given.out)


if __name__ == "__main__":
    main()
