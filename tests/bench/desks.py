"""``python -m tests.bench.desks --before FOLDER``: the desks of both tracks, and the desk of an older working tree.

Next, a draft and submit of one item after the other are sent through the whole application inside one process: of an
item in a package, in this working tree and in ``FOLDER``, which is another one of this repository; and of a team's
item, where "next" is the item's page. Each has a database of its own in one PostgreSQL, and a process; the three take
turns, so that whatever else the machine does falls on all of them. What counts is processor time, the application's and
its database connection's, the number of statements without transaction control, and that of calls of Python's
functions, which is the same on any machine. Both trees run with the packages that are installed.
"""

import argparse
import cProfile
import json
import os
import pstats
import statistics
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

STEPS = ("next", "draft", "submit")
PICTURES = 1_500
BLOCK = 20
SLUG, KIND = "cvlue", "captions"
ROOT = Path(__file__).resolve().parents[2]
CONTROL = ("SAVEPOINT", "RELEASE", "BEGIN", "COMMIT")
Step = tuple[str, str, str, Any]


class Desk:
    """A process that works at one desk in one tree."""

    def __init__(self, tree: Path, track: str, database: str) -> None:
        environment = os.environ | {
            "DATABASE_URL": database,
            "SECRET_KEY": "only-for-a-measurement-" + "x" * 30,
            "CELERY_BROKER_URL": "memory://",
            "CACHE_URL": "",
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "LOG_LEVEL": "WARNING",
            "PYTHONPATH": str(tree),
        }
        words = [sys.executable, "-P", str(Path(__file__).resolve()), "--measure", track]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True, "bufsize": 1}
        self.process: Any = subprocess.Popen(words, cwd=tree, env=environment, **pipes)
        self.times: dict[str, list[float]] = {step: [] for step in STEPS}
        self.counts: dict[str, dict[str, int]] = json.loads(self.process.stdout.readline())

    def work(self) -> None:
        """Let it write a block of items."""
        self.process.stdin.write("\n")
        for step, times in json.loads(self.process.stdout.readline()).items():
            self.times[step] += times

    def figures(self) -> dict[str, Any]:
        """Medians by step, and their sum."""
        ms = {step: round(statistics.median(times), 2) for step, times in self.times.items()}
        return {"ms": ms, "sum_ms": round(sum(ms.values()), 2)} | self.counts


# --- In the process of a desk


def send(browser: Any, method: str, address: str, body: Any = None) -> Any:
    """Ask for an address behind ``/api/v1/``, as JSON."""
    text = "" if body is None else json.dumps(body)
    kind = {"content_type": "application/json"} if body is not None else {}
    return browser.generic(method, f"/api/v1/{address}", text, HTTP_HOST="localhost", **kind)


def prepare(track: str) -> Iterator[tuple[Any, list[Step]]]:
    """Fill the database; yield a browser with the three requests of one item after the other."""
    from curation.benchmarks.queries import preset  # noqa: PLC0415  (after the settings)
    from curation.people.models import RoleGrant, Team  # noqa: PLC0415
    from tests.people import ROLES, person, signed_in, world  # noqa: PLC0415
    from tests.ready import accepted_pictures  # noqa: PLC0415

    content = preset("cvlue").content
    if track == "peer":
        content["kinds"]["captions"] |= {"track": "peer", "per_picture": {"minimum": 1, "maximum": 3}}
        content["tracks"]["peer"] = {"items_per_team": 200, "spot_check_percent": 10, "blind": False}
        name = dict.fromkeys(("zh-Hans", "zh-Hant", "en"), "member")
        content["roles"] = [*ROLES, {"code": "member", "name": name, "capabilities": ["annotate", "verify"]}]
    here = world(content, slug=SLUG)
    pictures = accepted_pictures(here.benchmark, here.contributor, here.curator, PICTURES)
    if track == "package":
        who = signed_in(here.annotator)
        command = {"kind": KIND, "seed": 7, "client_key": uuid.uuid4().hex}
        send(signed_in(here.admin), "POST", f"benchmarks/{SLUG}/packages/build", command)
        while package := send(who, "POST", f"benchmarks/{SLUG}/packages/claim", {"kind": KIND}).json()["id"]:
            for item in send(who, "GET", f"packages/{package}/sheet").json()["items"]:
                yield who, steps(item["id"], f"packages/{package}/next")
            ticks = [{"id": i["id"], "revision_no": 1} for i in send(who, "GET", f"packages/{package}").json()["items"]]
            for command, more in (("self-check", {"items": ticks}), ("hand-over", {})):
                revision = send(who, "GET", f"packages/{package}").json()["revision"]
                body = {"revision": revision, "client_key": uuid.uuid4().hex} | more
                answer = send(who, "POST", f"packages/{package}/{command}", body)
                assert answer.status_code == 200, answer.content
    member = person("member", here.benchmark, "member")
    team = Team.objects.create(benchmark=here.benchmark, name="team", lead=member)
    RoleGrant.objects.filter(person=member).update(team=team)
    type(pictures[0]).objects.filter(benchmark=here.benchmark).update(team=team)
    who = signed_in(member)
    for picture in pictures:
        body = {"kind": KIND, "image": picture.pk, "client_key": uuid.uuid4().hex}
        answer = send(who, "POST", f"benchmarks/{SLUG}/team-items", body)
        assert answer.status_code == 201, answer.content
        item = answer.json()["id"]
        yield who, steps(item, f"items/{item}/peer", track="peer")


def steps(item: int, following: str, **track: str) -> list[Step]:
    """The three requests about an item."""
    from tests.sentences import five_captions  # noqa: PLC0415

    body = {"base_no": 0, "content": five_captions(item), "active_ms": 1000} | track
    return [
        ("next", "GET", following, None),
        ("draft", "PUT", f"items/{item}/draft", body | {"seq": 1}),
        ("submit", "POST", f"items/{item}/submit", body | {"client_key": uuid.uuid4().hex}),
    ]


def measure(track: str) -> None:
    """Answer each line of the input with the milliseconds of a block of items; before, count their statements."""
    import django  # noqa: PLC0415

    django.setup()
    from django.core.management import call_command  # noqa: PLC0415
    from django.db import connection  # noqa: PLC0415
    from django.test.utils import CaptureQueriesContext  # noqa: PLC0415

    call_command("migrate", verbosity=0)
    items = prepare(track)
    connection.ensure_connection()
    backend = Path(f"/proc/{connection.connection.info.backend_pid}/schedstat")

    def worked() -> float:
        return time.process_time() + int(backend.read_text().split()[0]) / 1e9

    def block() -> dict[str, list[float]]:
        times: dict[str, list[float]] = {step: [] for step in STEPS}
        for _ in range(BLOCK):
            who, asked = next(items)
            for step, method, address, body in asked:
                before = worked()
                answer = send(who, method, address, body)
                times[step].append((worked() - before) * 1000)
                assert answer.status_code == 200, answer.content
        return times

    block()
    statements, calls = {}, {}
    who, asked = next(items)
    for step, method, address, body in asked:
        with CaptureQueriesContext(connection) as captured:
            send(who, method, address, body)
        statements[step] = sum(1 for query in captured if not query["sql"].startswith(CONTROL))
    who, asked = next(items)
    for step, method, address, body in asked:
        with cProfile.Profile() as profile:
            send(who, method, address, body)
        calls[step] = pstats.Stats(profile).total_calls
    print(json.dumps({"statements": statements, "calls": calls}), flush=True)
    for _ in sys.stdin:
        print(json.dumps(block()), flush=True)


def main() -> None:
    """Let the desks take turns; print medians and what each is of the first."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--before", type=Path, help="an older working tree of this repository")
    parser.add_argument("--rounds", type=int, default=12, help=f"turns of each desk, {BLOCK} items each (default 12)")
    parser.add_argument("--measure", metavar="TRACK", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.measure:
        measure(given.measure)
        return
    from tests.bench.alone import load, machine, own_server  # noqa: PLC0415  (not in the older tree)

    with own_server("desks") as database:
        desks = {"package before": Desk(given.before.resolve(), "package", database("before"))} if given.before else {}
        desks |= {
            "package": Desk(ROOT, "package", database("package")),
            "peer": Desk(ROOT, "peer", database("peer")),
        }
        for _ in range(given.rounds):
            for desk in desks.values():
                desk.work()
        figures = {name: desk.figures() for name, desk in desks.items()}
        for desk in desks.values():
            desk.process.stdin.close()
            desk.process.wait(30)
    first = next(iter(figures.values()))["sum_ms"]
    ratios = {name: round(row["sum_ms"] / first, 2) for name, row in figures.items()}
    print(json.dumps({"machine": machine(), "load": load(), "desks": figures, "of the first": ratios}, indent=1))


if __name__ == "__main__":
    main()
