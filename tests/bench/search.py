"""``python -m tests.bench.search --keep FOLDER``: finding items by text at 1,000,000 items; one JSON out.

FOLDER is that of ``tests.bench.million``, whose database of a size is copied once and gets texts for every item: five
captions of words drawn with frequencies that fall as in a language, from frequent ones that most items have to words
that a handful has. Then one client sends searches of several sorts through the whole application, in turns: hits
among all items, only among the oldest, none, two frequent pairs that never meet, a single character, the palette and
the list with filters, as staff and as an annotator. Of each: statements, hits, processor time of the
application and its database connection (on a busy machine the one to read), median and 95th percentile of the time
that passed, in milliseconds. At last, what the trigger costs a submission, what the sweep costs an item, and the sizes
on disk.

``--items 10000`` measures another size.
"""

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import time
from itertools import accumulate
from pathlib import Path
from typing import Any

import psycopg

from config.launch import postgres
from tests.bench.million import HERE, SLUG

CHARACTERS = "".join(chr(0x4E00 + 7 * n) for n in range(2_800))
WORDS = 30_000
CAPTIONS, IN_CAPTION = 5, 8  # captions of an item, words of a caption
OLDEST = 20  # one in so many items is among the oldest, which alone have some words
ROUNDS = 40
# Words of their own, in a share of the items; no other word has their characters.
EVERYWHERE, OFTEN, SELDOM, RARE, OLD = "龘靐", "齉齾", "爩麤", "鱻灥", "厵驫"
SHARES = {EVERYWHERE: 0.95, OFTEN: 0.05, SELDOM: 0.002, RARE: 0.00001}
# Both pairs are frequent, and no text has the three characters in a row.
UNLUCKY = ("飝飍", "飍雥", "飝飍雥")


def vocabulary(chance: random.Random) -> tuple[list[str], list[float]]:
    """Words of two and three characters, and the sums of their frequencies."""
    words = ["".join(chance.choices(CHARACTERS, k=chance.choice((2, 2, 3)))) for _ in range(WORDS)]
    return words, list(accumulate(1 / (rank + 20) for rank in range(WORDS)))


def caption_texts(n: int, items: int, chance: random.Random, words: list[str], sums: list[float]) -> list[str]:
    """The captions of item ``n`` of so many."""
    drawn = chance.choices(words, cum_weights=sums, k=CAPTIONS * IN_CAPTION)
    captions = ["".join(drawn[start : start + IN_CAPTION]) for start in range(0, len(drawn), IN_CAPTION)]
    captions[0] += "".join(word for word, share in SHARES.items() if chance.random() < share)
    captions[1] += UNLUCKY[n % 2] if chance.random() < 0.3 else ""
    captions[2] += OLD if n <= items // OLDEST else ""
    return captions


def fill(items: int) -> float:
    """Write the index of every item's texts; return the seconds that it took."""
    from django.db import connection  # noqa: PLC0415  (after the settings)

    from annotation.search.rules import grams  # noqa: PLC0415
    from curation.benchmarks.models import Benchmark  # noqa: PLC0415
    from curation.core.folding import fold  # noqa: PLC0415

    benchmark = Benchmark.objects.get(slug=SLUG).pk
    chance = random.Random(7)
    words, sums = vocabulary(chance)
    begun = time.perf_counter()
    with connection.cursor() as cursor:
        cursor.execute("drop index item_text_grams")
        cursor.execute("truncate annotation_itemtext, annotation_textqueue")
        columns = "item_id, benchmark_id, kind, revision_no, text, grams"
        with cursor.copy(f"copy annotation_itemtext ({columns}) from stdin") as copy:
            for n in range(1, items + 1):
                texts = [fold(text) for text in caption_texts(n, items, chance, words, sums)]
                copy.write_row((n, benchmark, "captions", 1, "\n".join(texts), grams(texts)))
        cursor.execute("create index item_text_grams on annotation_itemtext using gin (grams) with (fastupdate = off)")
        cursor.execute("vacuum (analyze) annotation_itemtext")
    return time.perf_counter() - begun


def searches() -> dict[str, tuple[str, str, dict[str, str]]]:
    """What is asked, by name: who, where, with which parameters."""
    words, _ = vocabulary(random.Random(7))
    queries = {
        "in 95 % of items": EVERYWHERE,
        "in 5 %": OFTEN,
        "in 0.2 %": SELDOM,
        "in ten of a million": RARE,
        "in the oldest 5 % only": OLD,
        "frequent and seldom": f"{EVERYWHERE} {SELDOM}",
        "two frequent pairs that never meet": UNLUCKY[2],
        "frequent word": words[0],
        "frequent word with another": words[0] + words[1],
        "word of rank 1,000": words[1_000],
        "rarest word": words[-1],
        "one character": words[0][0],
        "a character that no text has": "鬱",
        "nowhere": "麣麣",
        "fourteen characters": words[3] + words[40] + words[500] + words[6] + words[2],
        "label": "cap-123",
    }
    asked = {f"palette, {name}": ("admin", "find", {"q": q}) for name, q in queries.items()}
    asked |= {f"list, {name}": ("admin", "items", {"search": q}) for name, q in queries.items()}
    filters = {"state": "accepted", "category": "category-7"}
    for name in ("in 95 % of items", "in 0.2 %", "in the oldest 5 % only"):
        for key, value in filters.items():
            asked[f"list of one {key}, {name}"] = ("admin", "items", {"search": queries[name], key: value})
    asked["palette, an annotator's own"] = ("annotator-0", "find", {"q": words[0]})
    asked["palette, an annotator's own, nowhere"] = ("annotator-0", "find", {"q": "麣麣"})
    return asked


def measure(items: int) -> dict[str, Any]:
    """Send all searches in turns, then write."""
    from django.db import connection  # noqa: PLC0415
    from django.test.utils import CaptureQueriesContext  # noqa: PLC0415

    from curation.people.models import Person  # noqa: PLC0415
    from tests.people import signed_in  # noqa: PLC0415

    asked = searches()
    browsers = {who: signed_in(Person.objects.get(username=who)) for who, _, _ in asked.values()}
    times: dict[str, list[float]] = {name: [] for name in asked}
    work: dict[str, list[float]] = {name: [] for name in asked}
    figures: dict[str, Any] = {}
    connection.ensure_connection()
    backend = Path(f"/proc/{connection.connection.info.backend_pid}/schedstat")

    def worked() -> float:
        """Processor milliseconds of this process and of its database connection's so far."""
        return time.process_time() * 1000 + int(backend.read_text().split()[0]) / 1e6

    for turn in range(ROUNDS):
        for name, (who, path, parameters) in asked.items():
            begun, before = time.perf_counter(), worked()
            answer = browsers[who].get(f"{HERE}/{path}", parameters, HTTP_HOST="localhost")
            times[name].append((time.perf_counter() - begun) * 1000)
            work[name].append(worked() - before)
            if answer.status_code != 200:
                raise SystemExit(f"{name}: {answer.status_code} {answer.content[:300]!r}")
            if turn == 0:
                times[name].clear()
                work[name].clear()
                with CaptureQueriesContext(connection) as captured:
                    answer = browsers[who].get(f"{HERE}/{path}", parameters, HTTP_HOST="localhost")
                rows = answer.json()
                hits = len(rows["items"] if path == "find" else rows["results"])
                figures[name] = {"statements": len(captured), "hits": hits}
    for name, row in figures.items():
        ms = sorted(times[name])
        row["processor_ms"] = round(statistics.median(work[name]), 1)
        row["median_ms"] = round(statistics.median(ms), 1)
        row["p95_ms"] = round(ms[int(len(ms) * 0.95)], 1)
        passed = f"{row['median_ms']:>7} / {row['p95_ms']:>7} ms"
        print(f"{name:48} {row['statements']} st {row['hits']:>3} hits {row['processor_ms']:>7} ms ({passed})")
    return figures | _writing(items)


def _writing(items: int) -> dict[str, Any]:
    """Milliseconds that the trigger costs a revision and the sweep an item, and sizes in bytes."""
    from django.db import connection, transaction  # noqa: PLC0415

    from annotation.search import services  # noqa: PLC0415

    told: dict[str, Any] = {}
    with connection.cursor() as cursor:
        for table in ("annotation_itemtext", "item_text_grams", "item_text_in_order", "annotation_itemtext_pkey"):
            cursor.execute("select pg_relation_size(%s)", [table])
            told[table] = cursor.fetchone()[0]
        written = "select id from annotation_item where revision_no > 0 order by md5(id::text) limit %s"
        triggers: list[float] = []
        for _ in range(200):
            with transaction.atomic():
                cursor.execute(f"""
                    explain (analyze, format json) insert into annotation_itemrevision (item_id, no, author_id, origin,
                      content, content_schema, findings, reasons, protocol_id, active_ms, client_key, created_at)
                    select item_id, 2, author_id, origin, content, 1, '[]', '{{}}', protocol_id, 1, gen_random_uuid(),
                      now() from annotation_itemrevision where item_id = {1 + random.randrange(items // 5)}
                """)
                plan = cursor.fetchone()[0]
                plan = json.loads(plan) if isinstance(plan, str) else plan
                triggers += [t["Time"] for t in plan[0]["Triggers"] if "text_queue" in t["Trigger Name"]]
                transaction.set_rollback(True)
        told["trigger_ms"] = round(statistics.median(triggers), 3)
        sweeps = []
        for _ in range(3):
            cursor.execute(f"insert into annotation_textqueue (item_id) {written}", [services.PER_SWEEP])
            begun = time.perf_counter()
            handled = services.sweep()
            sweeps.append((time.perf_counter() - begun) * 1000 / handled)
        told["sweep_ms_an_item"] = round(statistics.median(sweeps), 3)
    print(json.dumps(told, indent=1))
    return told


def main() -> None:
    """Make the database unless it is there, and measure in a process of its own."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--items", type=int, default=1_000_000, help="items of the database")
    parser.add_argument("--keep", type=Path, required=True, help="where the databases of tests.bench.million are")
    parser.add_argument("--out", type=Path, help="where the figures go as JSON")
    parser.add_argument("--fill", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--measure", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.fill or given.measure:
        import django  # noqa: PLC0415

        django.setup()
        if given.fill:
            print(f"texts of {given.items:,} items indexed in {fill(given.items):.1f} s", flush=True)
            return
        figures = measure(given.items)
        if given.out:
            given.out.write_text(json.dumps(figures, indent=1, ensure_ascii=False) + "\n")
        return
    postgres.ensure(given.keep)
    try:
        _run(given)
    finally:
        postgres.stop(given.keep)


def _run(given: argparse.Namespace) -> None:
    filled, searched = f"filled_{given.items}", f"searched_{given.items}"

    def run(module: str, database: str, *words: str) -> None:
        environment = os.environ | {
            "DATABASE_URL": postgres.url(given.keep, database),
            "SECRET_KEY": "only-for-a-measurement-" + "x" * 30,
            "CELERY_BROKER_URL": "memory://",
            "CACHE_URL": "",
            "LANTERN_DATA": str(given.keep),
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "LOG_LEVEL": "WARNING",
        }
        subprocess.run([sys.executable, "-m", module, *words], env=environment, check=True)

    with psycopg.connect(postgres.url(given.keep, "postgres"), autocommit=True) as server:
        known = {name for (name,) in server.execute("select datname from pg_database").fetchall()}
        if filled not in known:
            server.execute(f"create database {filled}")
        run("tests.bench.million", filled, "--fill", str(given.items))
        own = ["--keep", str(given.keep), "--items", str(given.items)]
        if searched not in known:
            server.execute(f"create database {searched} template {filled} strategy file_copy")
            run("tests.bench.search", searched, "--fill", *own)
        run("tests.bench.million", searched, "--fill", str(given.items))  # migrates
    run("tests.bench.search", searched, "--measure", *own, *(["--out", str(given.out)] if given.out else []))


if __name__ == "__main__":
    main()
