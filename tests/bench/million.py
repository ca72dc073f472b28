"""``python -m tests.bench.million``: what people open daily, at 10,000 and at 1,000,000 items; one JSON out.

A PostgreSQL of its own holds a database for each size, filled by a handful of statements: packages of 100 captions, of
which a quarter is passed with their revisions, reviews and inspections, a fifth are being written, the rest wait; a
picture for every five items; so many annotators that each has written as much at every size. Each database has a
process that sends its requests through the whole application (middleware, session, permissions, serialisers), and the
sizes take turns, so that whatever else the machine does falls on all of them. Of each request: statements, rows that
PostgreSQL read from tables and indexes, processor time (the application's and its database connection's, median) and
how many times the smallest size's that is, then median and 95th percentile of the time that passed. On a busy machine
the processor's is the one to read.

``--sizes 10000 100000 1000000``; ``--only board items`` measures what has one of the words in its name; ``--lists``
measures every mix of the lists' filters instead (``tests.bench.lists``) and prints those above 20 ms or 1.2 times the
smallest size's; ``--keep FOLDER`` leaves the databases there, and the next run with it fills nothing anew.
"""

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator
from itertools import cycle
from pathlib import Path
from typing import Any

import psycopg

from config.launch import postgres
from tests.bench import lists
from tests.sentences import five_captions

SLUG = "million"
HERE = f"/api/v1/benchmarks/{SLUG}"
PACKAGE = 100
BY_ONE = 500  # items for each annotator
ITEMS_OF_PICTURE = 5
LOOSE = 500  # items outside packages, at every size
BARE = 100  # pictures without items, at every size
UNSEEN = 50  # pictures that nobody has judged, at every size
REVIEWED = 16  # packages in which every item is reviewed, at every size
HANDED_OVER = 20  # packages that wait for a reviewer, at least: a page of them at every size
DRAWN = 25  # items of an inspection
BLOCKS, IN_BLOCK = 4, 6

# Foreign keys and triggers are off meanwhile; what triggers would have written is written beside.
FILL = (
    """
create temp table pack as
  select p, case when p <= %(packages)s * 0.25 then 'passed' when p <= %(packages)s * 0.26 then 'returned'
                 when p <= %(packages)s * 0.26 + greatest(%(handed_over)s, %(packages)s * 0.02) then 'handed_over'
                 when p <= %(packages)s - %(people)s - %(reviewed)s then 'available'
                 when p <= %(packages)s - %(people)s then 'reviewing' else 'working' end as state,
         1000 + p %% %(people)s as assignee
  from generate_series(1, %(packages)s) p""",
    """
create temp table place as
  select n, pack.p, (n - 1) %% %(package)s + 1 as position, pack.state, pack.assignee,
         case when pack.state = 'passed' then 'accepted' when pack.state = 'returned' and n %% 2 = 0 then 'returned'
              when pack.state in ('returned', 'handed_over', 'reviewing') then 'made'
              when pack.state = 'working' and (n - 1) %% %(package)s < 10 then 'made' else 'todo' end as item_state
  from generate_series(1, %(packed)s) n join pack on pack.p = (n - 1) / %(package)s + 1""",
    """
insert into curation_person (id, username, name, password, is_active, language, zone, last_login)
  select 1000 + n, 'annotator-' || n, 'annotator ' || n, '!', true, 'zh-Hans', 'Asia/Shanghai', now()
  from generate_series(0, %(people)s - 1) n""",
    """
insert into curation_rolegrant (person_id, benchmark_id, role)
  select 1000 + n, %(benchmark)s, 'annotator' from generate_series(0, %(people)s - 1) n""",
    """
insert into curation_consent (person_id, benchmark_id, no, given, text_version, text_sha256, eligibility, client_key)
  select 1000 + n, %(benchmark)s, 1, true, 1, %(consent)s, '{}', gen_random_uuid()
  from generate_series(0, %(people)s - 1) n""",
    """
insert into curation_category (id, benchmark_id, slug, number, name, field, field_name, distance)
  select n, %(benchmark)s, 'category-' || n, n, '{"en": "c", "zh-Hans": "c", "zh-Hant": "c"}', 'f',
         '{"en": "f", "zh-Hans": "f", "zh-Hant": "f"}', 'closest'
  from generate_series(1, 21) n""",
    """
insert into curation_image (id, benchmark_id, number, sha256, phash, phash_inner, width, height, contributor_id, source,
    licence, state, category_id, subset, verdict_no, flags, client_key, pii_clear_by_id,
    clear_no)
  select n, %(benchmark)s, n, encode(sha256(n::text::bytea), 'hex'), n, n, 800, 600, %(contributor)s, '{"kind": "own"}',
         'own-work', case when n <= %(pictures)s - %(unseen)s then 'accepted' else 'received' end, 1 + n %% 20,
         (array['', 'A', 'B'])[1 + n %% 3], 1,
         case when n %% 1000 = 0 then '[{"code": "near_duplicate"}]' else '[]' end::jsonb, gen_random_uuid(),
         case when n <= %(pictures)s - %(unseen)s then %(curator)s end,
         case when n <= %(pictures)s - %(unseen)s then 0 end
  from generate_series(1, %(pictures)s) n""",
    """
insert into curation_rendition (image_id, role, version, sha256, bytes, width, height, key)
  select image.id, role, 1, image.sha256, 1, 800, 600, image.id || '/' || role || '.webp'
  from curation_image image, unnest(array['clean', 'view', 'thumb']) role""",
    """
insert into annotation_item (id, benchmark_id, kind, image_id, slot, number, state, revision_no, accepted_no)
  select n, %(benchmark)s, 'captions', (n - 1) / %(items_of_picture)s + 1, (n - 1) %% %(items_of_picture)s, n,
         coalesce(item_state, 'todo'), case when coalesce(item_state, 'todo') = 'todo' then 0 else 1 end,
         case when item_state = 'accepted' then 1 end
  from generate_series(1, %(items)s) n left join place using (n)""",
    """
insert into annotation_package (id, benchmark_id, kind, number, protocol_id, state, assignee_id, reviewer_id, pooled,
    round, revision, state_changed_at)
  select p, %(benchmark)s, 'captions', p, %(protocol)s, state, case when state <> 'available' then assignee end,
         case when state in ('passed', 'returned', 'reviewing') then %(senior)s end, false, 1, 1,
         now() - interval '60 days' * (p::float / %(packages)s) * case when state = 'working' then 0.01 else 1 end
  from pack""",
    """
insert into annotation_packageitem (package_id, item_id, position, active) select p, n, position, true from place""",
    """
insert into annotation_itemrevision (item_id, no, author_id, origin, content, content_schema, findings, reasons,
    protocol_id, active_ms, client_key, created_at)
  select n, 1, assignee, 'annotator', %(content)s, 1, '[]', '{}', %(protocol)s, 30000, gen_random_uuid(),
         now() - interval '60 days' * ((n %% 97) / 97.0)
  from place where item_state <> 'todo'""",
    """
insert into annotation_itemhand (item_id, person_id, hand, span)
  select n, assignee, 'maker', int4range(1, null) from place where item_state <> 'todo'""",
    """
insert into annotation_verdict (item_id, revision_no, author_id, judge_id, stage, package_id, round, outcome, reasons,
    comment, client_key)
  select n, 1, assignee, %(senior)s, 'review', p, 1, case when state = 'returned' and n %% 2 = 0 then 'return'
         else 'accept' end, '{}', '', gen_random_uuid()
  from place where state in ('passed', 'returned', 'reviewing')""",
    """
insert into annotation_draw (id, benchmark_id, purpose, kind, population, criteria, seed, size, closed_at)
  overriding system value
  select p, %(benchmark)s, 'inspection', 'captions', %(package)s, '{}', decode(md5(p::text), 'hex'), %(drawn)s, now()
  from pack where state = 'passed'""",
    """
insert into annotation_inspection (id, package_id, round, draw_id, percent, pass_over_percent, errors_allowed,
    inspector_id, outcome, completed_at)
  select p, p, 1, p, 25, 97, 0, %(curator)s, 'passed', now() from pack where state = 'passed'""",
    """
insert into annotation_drawn (draw_id, item_id, revision_no, stratum, ordinal)
  select p, n, 1, 'random', position from place where state = 'passed' and position <= %(drawn)s""",
    """
insert into annotation_verdict (item_id, revision_no, author_id, judge_id, stage, package_id, round, outcome, reasons,
    comment, client_key)
  select n, 1, assignee, %(curator)s, 'inspection', p, 1, 'right', '{}', '', gen_random_uuid()
  from place where state = 'passed' and position <= %(drawn)s""",
    """
insert into annotation_itemhand (item_id, person_id, hand, span)
  select item_id, judge_id, 'judge', int4range(1, 1, '[]') from annotation_verdict""",
    """
insert into curation_auditevent (benchmark_id, actor_id, action, target_type, target_id, label, state_from, state_to,
    data, at)
  select %(benchmark)s, coalesce(assignee, %(senior)s), 'item_submit', 'item', n, 'cap-' || n, 'todo', 'made', '{}',
         now() - interval '60 days' * ((n %% 97) / 97.0)
  from place where item_state <> 'todo'""",
)


class Size:
    """One size's database, and the process that measures in it."""

    def __init__(self, base: Path, items: int) -> None:
        self.items, self.base = items, base
        filled, measured = f"filled_{items}", f"measured_{items}"
        self.log = (base / f"{measured}.log").open("w")
        begun = time.perf_counter()
        with psycopg.connect(postgres.url(base, "postgres"), autocommit=True) as server:
            if server.execute("select 1 from pg_database where datname = %s", [filled]).fetchone() is None:
                server.execute(f"create database {filled}")
            subprocess.run(self._words("--fill"), env=self._environment(filled), stderr=self.log, check=True)
            # What is measured writes too: each run has a copy of its own.
            server.execute(f"drop database if exists {measured} with (force)")
            server.execute(f"create database {measured} template {filled} strategy file_copy")
        self.prepared_s = round(time.perf_counter() - begun, 1)
        self.process = subprocess.Popen(
            self._words("--measure"),
            env=self._environment(measured),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.log,
            text=True,
            bufsize=1,
        )

    def _words(self, what: str) -> list[str]:
        return [sys.executable, "-m", "tests.bench.million", what, str(self.items)]

    def _environment(self, database: str) -> dict[str, str]:
        return os.environ | {
            "DATABASE_URL": postgres.url(self.base, database),
            "SECRET_KEY": "only-for-a-measurement-" + "x" * 30,
            "CELERY_BROKER_URL": "memory://",
            "CACHE_URL": "",
            "LANTERN_DATA": str(self.base),
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "LOG_LEVEL": "WARNING",
        }

    def read(self) -> Any:
        """What the process says next."""
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit(f"the process for {self.items} items ended:\n{Path(self.log.name).read_text()[-3000:]}")
        return json.loads(line)

    def ask(self, name: str) -> dict[str, Any]:
        """Let the process send a request some times."""
        assert self.process.stdin is not None
        self.process.stdin.write(f"{name}\n")
        self.process.stdin.flush()
        told: dict[str, Any] = self.read()
        return told

    def end(self) -> None:
        """Let the process end."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait(30)
        self.log.close()


# --- In the process of one size


def fill(items: int) -> None:
    """Migrate the database and put everything of one size into it, unless it is there."""
    from django.core.management import call_command, get_commands  # noqa: PLC0415  (after the settings)
    from django.db import connection, transaction  # noqa: PLC0415

    from curation.benchmarks.models import Benchmark  # noqa: PLC0415

    call_command("migrate", verbosity=0)
    if Benchmark.objects.filter(slug=SLUG).exists():
        return
    with transaction.atomic():
        _fill_all(items)
    if "check_counts" in get_commands():
        call_command("check_counts", "--repair", verbosity=0)
    with connection.cursor() as cursor:
        cursor.execute("vacuum (analyze)")


def _fill_all(items: int) -> None:
    from django.db import connection  # noqa: PLC0415

    from curation.benchmarks.queries import preset  # noqa: PLC0415
    from tests.people import world  # noqa: PLC0415

    content = preset("cvlue").content
    content["tracks"]["package"]["size"] = PACKAGE
    team = world(content, slug=SLUG)
    benchmark = team.benchmark
    packed = (items - LOOSE) // PACKAGE * PACKAGE
    given = {
        "items": items,
        "packed": packed,
        "packages": packed // PACKAGE,
        "people": items // BY_ONE,
        "pictures": items // ITEMS_OF_PICTURE + BARE + UNSEEN,
        "package": PACKAGE,
        "items_of_picture": ITEMS_OF_PICTURE,
        "reviewed": REVIEWED,
        "handed_over": HANDED_OVER,
        "drawn": DRAWN,
        "unseen": UNSEEN,
        "benchmark": benchmark.pk,
        "protocol": benchmark.protocol_id,
        "consent": benchmark.protocol.consent_sha256,
        "contributor": team.contributor.pk,
        "curator": team.curator.pk,
        "senior": team.senior.pk,
        "content": json.dumps(five_captions(1)),
    }
    with connection.cursor() as cursor:
        cursor.execute("set session_replication_role = replica")
        for statement in FILL:
            cursor.execute(statement, given)
        for table in ("person", "category", "image"):
            _go_on(cursor, f"curation_{table}")
        for table in ("item", "package", "inspection"):
            _go_on(cursor, f"annotation_{table}")
        cursor.execute("set session_replication_role = origin")
        cursor.execute("drop table pack, place")


def _go_on(cursor: Any, table: str) -> None:
    cursor.execute(f"select setval(pg_get_serial_sequence('{table}', 'id'), (select max(id) from {table}))")


Request = Callable[[], tuple[Any, str, str, Any]]  # who asks, how, where, with what


def requests(items: int) -> dict[str, Request]:
    """What is measured by name; each call makes the next request."""
    from annotation.items.models import Item  # noqa: PLC0415
    from annotation.packages.models import Package, PackageItem  # noqa: PLC0415
    from annotation.quality.services import keep_figures  # noqa: PLC0415
    from annotation.releases import queries as releases  # noqa: PLC0415
    from annotation.releases.models import Release  # noqa: PLC0415
    from annotation.releases.services.checking import keep_outlook  # noqa: PLC0415
    from curation.benchmarks.models import Benchmark  # noqa: PLC0415
    from curation.people.models import Person  # noqa: PLC0415
    from tests.people import signed_in  # noqa: PLC0415

    benchmark = Benchmark.objects.get(slug=SLUG)
    browsers: dict[str, Any] = {}

    def browser(name: str) -> Any:
        if name not in browsers:
            browsers[name] = signed_in(Person.objects.get(username=name))
        return browsers[name]

    working = {p.assignee.username: p.pk for p in Package.objects.filter(state="working").select_related("assignee")}
    writer = min(working)
    todo = iter(
        PackageItem.objects.filter(package__state="working", item__state="todo")
        .order_by("item_id")
        .values_list("item_id", "package__assignee__username")
    )
    drafted = cycle(
        PackageItem.objects.filter(package_id=working[writer])
        .order_by("-position")
        .values_list("item_id", flat=True)[:40]
    )
    seqs = iter(range(1, 10**6))
    reviewed = iter(Package.objects.filter(state="reviewing").order_by("pk").values_list("pk", "revision"))
    free = iter(Package.objects.filter(state="available").order_by("-number").values_list("pk", flat=True))
    members = cycle(
        Person.objects.filter(username__startswith="annotator-").order_by("pk").values_list("pk", flat=True)
    )
    claimers = iter(_claimers(items))
    release, _ = Release.objects.get_or_create(
        benchmark=benchmark, number=1, kind="captions", protocol=benchmark.protocol, defaults={"seed": 7}
    )

    # What workers do where there is too much for a request.
    if releases.is_large(release):
        keep_outlook(release, releases.outlook(release))
    keep_figures()

    def get(who: str, path: str) -> Request:
        return lambda: (browser(who), "GET", path, None)

    def draft() -> Any:
        item = next(drafted)
        body = {"base_no": Item.objects.get(pk=item).revision_no, "content": five_captions(item), "active_ms": 1000}
        return browser(writer), "PUT", f"/api/v1/items/{item}/draft", body | {"seq": next(seqs)}

    def submit() -> Any:
        item, who = next(todo)
        body = {"base_no": 0, "content": five_captions(item), "active_ms": 1000, "client_key": str(uuid.uuid4())}
        return browser(who), "POST", f"/api/v1/items/{item}/submit", body

    def draw() -> Any:
        package, revision = next(reviewed)
        body = {"revision": revision, "client_key": str(uuid.uuid4())}
        return browser("senior"), "POST", f"/api/v1/packages/{package}/complete-review", body

    def give() -> Any:
        package = next(free)
        body = {"revision": 1, "client_key": str(uuid.uuid4()), "person": next(members)}
        return browser("admin"), "POST", f"/api/v1/packages/{package}/assign", body

    def claim() -> Any:
        return browser(next(claimers)), "POST", f"{HERE}/packages/claim", {"kind": "captions"}

    author = Person.objects.get(username=writer).pk
    people = {"writer": author, "admin": Person.objects.get(username="admin").pk}
    last = {"items": items, "packages": items // PACKAGE, "images": items // ITEMS_OF_PICTURE}
    mixes = {name: get("admin", address) for name, address in lists.list_addresses(HERE, people, last)}
    preview = {"kind": "captions", "size": 100, "seed": 7}
    return mixes | {
        "next": get(writer, f"/api/v1/packages/{working[writer]}/next"),
        "draft": draft,
        "submit": submit,
        "draw": draw,
        "claim": claim,
        "give": give,
        "package": get("admin", f"/api/v1/packages/{working[writer]}"),
        "items": get("admin", f"{HERE}/items?page_size=50"),
        "items, kind": get("admin", f"{HERE}/items?kind=captions&page_size=50"),
        "items, state": get("admin", f"{HERE}/items?state=made&page_size=50"),
        "items, kind and state": get("admin", f"{HERE}/items?kind=captions&state=made&page_size=50"),
        "items, author": get("admin", f"{HERE}/items?author={author}&page_size=50"),
        "items, kind and author": get("admin", f"{HERE}/items?kind=captions&author={author}&page_size=50"),
        "items, category": get("admin", f"{HERE}/items?category=category-7&page_size=50"),
        "items, category and state": get("admin", f"{HERE}/items?category=category-7&state=made&page_size=50"),
        "packages": get("admin", f"{HERE}/packages?page_size=50"),
        "packages, state": get("admin", f"{HERE}/packages?state=passed&page_size=20"),
        "packages, person": get("admin", f"{HERE}/packages?assignee={author}&page_size=50"),
        "packages, stalled": get("admin", f"{HERE}/packages?stalled=true&page_size=20"),
        "packages, own": get(writer, f"{HERE}/packages?page_size=50"),
        "board": get("admin", f"{HERE}/board"),
        "home, annotator": get(writer, f"{HERE}/waiting"),
        "home, senior": get("senior2", f"{HERE}/waiting"),
        "home, curator": get("curator2", f"{HERE}/waiting"),
        "home, admin": get("admin", f"{HERE}/waiting"),
        "benchmarks": get("admin", "/api/v1/benchmarks"),
        "benchmark": get("admin", HERE),
        "preview of a build": lambda: (browser("admin"), "POST", f"{HERE}/packages/preview", preview),
        "pictures": get("curator", f"{HERE}/images?page_size=50"),
        "pictures, state": get("curator", f"{HERE}/images?state=received&page_size=50"),
        "pictures, counts": get("curator", f"{HERE}/images/counts"),
        "audit log": get("admin", f"{HERE}/audit?page_size=50"),
        "quality, own": get(writer, f"{HERE}/quality"),
        "quality, all": get("admin", f"{HERE}/quality"),
        "releases": get("admin", f"{HERE}/releases"),
        "release, draft": get("admin", f"/api/v1/releases/{release.pk}"),
    }


def _claimers(items: int) -> Iterator[str]:
    """Annotators who hold nothing, made as they are asked for."""
    from curation.benchmarks.models import Benchmark  # noqa: PLC0415
    from tests.people import person  # noqa: PLC0415

    while True:
        name = f"claimer-{uuid.uuid4().hex[:8]}"
        person(name, Benchmark.objects.get(slug=SLUG), "annotator")
        yield name


ROWS_READ = """
    select (select sum(coalesce(seq_tup_read, 0)) from pg_stat_user_tables)
         + (select sum(coalesce(idx_tup_read, 0)) from pg_stat_user_indexes)
"""
SOON_MS, GROWS = 20, 1.2  # the goals of a list: milliseconds at the 95th percentile, times the smallest size's
WRITES = ("draft", "submit", "draw", "claim", "give")
SLOW = ("quality, all", "release, draft", "preview of a build")


def measure(name: str, request: Request) -> dict[str, Any]:
    """Send a request some times: milliseconds of each, and of one of them statements and rows."""
    from django.db import connection  # noqa: PLC0415
    from django.test.utils import CaptureQueriesContext  # noqa: PLC0415

    def ask(who: Any, method: str, path: str, body: Any) -> Any:
        text = json.dumps(body) if body else ""
        return who.generic(method, path, text, content_type="application/json", HTTP_HOST="localhost")

    connection.ensure_connection()
    worker = Path(f"/proc/{connection.connection.info.backend_pid}/schedstat")

    def worked() -> float:
        """Processor seconds of this process and of its database connection's so far."""
        return time.process_time() + int(worker.read_text().split()[0]) / 1e9

    def send() -> tuple[float, float]:
        """Milliseconds that passed, and those that processors worked."""
        who, method, path, body = request()
        begun, before = time.perf_counter(), worked()
        answer = ask(who, method, path, body)
        took, work = time.perf_counter() - begun, worked() - before
        if answer.status_code >= 400:
            raise SystemExit(f"{name}: {answer.status_code} {answer.content[:300]!r}")
        return took * 1000, work * 1000

    def rows() -> int:
        with connection.cursor() as cursor:
            cursor.execute("select pg_stat_force_next_flush()")
            cursor.execute("select pg_stat_clear_snapshot()")
            cursor.execute(ROWS_READ)
            return int(cursor.fetchone()[0])

    writes, slow = name in WRITES, name in SLOW
    if not slow and not writes:
        send()
    times = [send() for _ in range(1 if slow else 3 if writes else IN_BLOCK)]
    who, method, path, body = request()
    before = rows()
    with CaptureQueriesContext(connection) as captured:
        answer = ask(who, method, path, body)
    assert answer.status_code < 400, answer.content
    read = rows() - before
    control = ("SAVEPOINT", "RELEASE", "BEGIN", "COMMIT")
    statements = sum(1 for q in captured if not q["sql"].startswith(control))
    return {"ms": times, "statements": statements, "rows": read}


def serve(items: int) -> None:
    """Measure what standard input asks for, a line each."""
    known = requests(items)
    for line in sys.stdin:
        name = line.strip()
        told = {"names": list(known)} if name == "?" else measure(name, known[name])
        print(json.dumps(told), flush=True)


# --- In front of them


def compare(sizes: list[Size], only: list[str], *, mixes: bool) -> dict[str, Any]:
    """Measure every request at every size by turns, or the lists' mixes of filters; figures by name."""
    figures: dict[str, Any] = {}
    for name in sizes[0].ask("?")["names"]:
        if name.startswith(lists.PREFIX) != mixes:
            continue
        if only and not any(word in name for word in only):
            continue
        rounds: dict[int, list[dict[str, Any]]] = {size.items: [] for size in sizes}
        for _ in range(2 if name in SLOW else BLOCKS):
            for size in sizes:
                rounds[size.items].append(size.ask(name))
        figures[name] = told = {}
        for items, blocks in rounds.items():
            times = sorted(t for block in blocks for t, _ in block["ms"])
            told[str(items)] = {
                "n": len(times),
                "processor_ms": round(statistics.median(work for block in blocks for _, work in block["ms"]), 2),
                "median_ms": round(statistics.median(times), 2),
                "p95_ms": round(times[min(len(times) - 1, int(len(times) * 0.95))], 2),
                "statements": blocks[-1]["statements"],
                "rows": min(block["rows"] for block in blocks),
            }
        smallest = told[str(sizes[0].items)]
        for row in told.values():
            row["times"] = round(row["processor_ms"] / smallest["processor_ms"], 2)
            row["times_median"] = round(row["median_ms"] / smallest["median_ms"], 2)
        if mixes and told[str(sizes[-1].items)]["p95_ms"] <= SOON_MS and row["times"] <= GROWS:
            continue
        print(f"{name:28}", " | ".join(_line(items, row) for items, row in told.items()), flush=True)
    if mixes:
        print(_summary(figures, str(sizes[-1].items)))
    return figures


def _summary(figures: dict[str, Any], largest: str) -> str:
    """The mixes of each list at the largest size: how many, and the slowest."""
    lines = []
    for what in lists.LISTS:
        rows = [row[largest] for name, row in figures.items() if name.startswith(f"{lists.PREFIX}{what} ")]
        if rows:
            worst = {key: max(row[key] for row in rows) for key in ("processor_ms", "median_ms", "p95_ms", "times")}
            above = sum(row["p95_ms"] > SOON_MS for row in rows)
            lines.append(f"{what}: {len(rows)} mixes, {above} above {SOON_MS} ms at the 95th percentile, most {worst}")
    return "\n".join(lines)


def _line(items: str, row: dict[str, Any]) -> str:
    return (
        f"{int(items):>9,}: {row['statements']:>2} st {row['rows']:>9,} rows {row['processor_ms']:>7.1f} ms"
        f" ×{row['times']:.2f} ({row['median_ms']:>7.1f} / {row['p95_ms']:>7.1f} ms, ×{row['times_median']:.2f})"
    )


def main() -> None:
    """Start the server, fill what is not there, measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=[10_000, 1_000_000], help="items of each database")
    parser.add_argument("--lists", action="store_true", help="measure every mix of the lists' filters")
    parser.add_argument("--only", nargs="+", default=[], help="words in the names of what is measured")
    parser.add_argument("--keep", type=Path, help="where the databases stay for the next run")
    parser.add_argument("--out", type=Path, help="where the figures go as JSON")
    parser.add_argument("--fill", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--measure", type=int, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.fill or given.measure:
        import django  # noqa: PLC0415  (with the settings of one size)

        django.setup()
        fill(given.fill) if given.fill else serve(given.measure)
        return
    base = given.keep or Path(tempfile.mkdtemp(prefix="lantern-million-"))
    postgres.ensure(base)
    sizes: list[Size] = []
    try:
        for items in sorted(given.sizes):
            sizes.append(Size(base, items))
            print(f"{items:,} items prepared in {sizes[-1].prepared_s} s", flush=True)
        figures = compare(sizes, given.only, mixes=given.lists)
    finally:
        for size in sizes:
            size.end()
        postgres.stop(base)
        if given.keep is None:
            shutil.rmtree(base, ignore_errors=True)
    if given.out:
        given.out.write_text(json.dumps(figures, indent=1) + "\n")


if __name__ == "__main__":
    main()
