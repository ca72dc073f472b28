"""``python -m tests.bench.samples``: lists of a run's entries over an item set of the largest size; one JSON out.

A PostgreSQL of its own gets 200,000 entries with tags and four runs with a reply and a result for each; then each list
is read twenty times, and the median counts. ``tag_few`` is a tag that 1 of 2,000 entries have. ``--runs 50`` makes
10,000,000 replies. ``reply_bytes`` and ``reply_key_bytes`` are those of a row and of its entry in the key's index.
"""

import argparse
import json
import statistics
import time
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.bench.alone import load, machine, own_database, tell

ENTRIES, RUNS, TIMES = 200_000, 4, 20
_TEXTS = {"picture": "", "type": "", "values": {"question": "这是哪里的花灯？", "options": ["甲", "乙", "丙", "丁"]}}
_TEXTS |= {"options": ["甲", "乙", "丙", "丁"], "names": ["A", "B", "C", "D"]}
_INSERT = """
insert into evaluation_entry (set_id, no, key, line, cluster, texts, gold, tags)
select %(set)s, n, 'q' || n, n, 'p' || n / 4, %(texts)s, '"A"',
  jsonb_build_object('country', 'c' || n %% 40, 'category', 'k' || n %% 10, 'few', 'f' || n %% 2000)
from generate_series(1, %(entries)s) n;
"""
_RESULTS = """
insert into evaluation_entryresult (report_id, no, entry_id, outcome, value, extracted, rule)
select %(report)s, no, id,
  case when abs(hashint4(no + %(report)s)) %% 100 < 60 then 'right' when no %% 100 < 2 then 'unparsed' else 'wrong' end,
  0, '"A"', 'announced'
from evaluation_entry where set_id = %(set)s;
"""
_REPLIES = """
insert into evaluation_reply (run_id, entry_id, variant, sample, outcome, raw, value)
select %(run)s, id, 0, 0, 'answered', '答案：A', '{}' from evaluation_entry where set_id = %(set)s;
"""


def _report(entries: int) -> dict[str, Any]:
    """What the scores of a set read of a report."""
    counts = dict.fromkeys(("missing", "unparsable", "refused", "failed"), 0) | {"expected": entries, "scored": entries}
    figure = {"value": 0.6, "low": 0.5, "high": 0.7, "n": entries}
    return {"breakdowns": {}, "metrics": {"accuracy": figure}, **{f"n_{name}": n for name, n in counts.items()}}


def prepare(entries: int, runs_made: int) -> tuple[Any, list[int]]:
    """Make the set and its runs; return the team and the runs' ids."""
    from django.db import connection  # noqa: PLC0415  (after django.setup)

    from evaluation.runs.models import Run  # noqa: PLC0415
    from evaluation.scoring.models import SetReport  # noqa: PLC0415
    from evaluation.sets.models import ItemSet  # noqa: PLC0415
    from evaluation.systems.models import System  # noqa: PLC0415
    from tests.evaluation.accepted import benchmark  # noqa: PLC0415
    from tests.protocols import names  # noqa: PLC0415

    team = benchmark()
    files = {"gold": {"name": "x", "sha256": "0" * 64, "bytes": 1, "key": "sets/x/gold"}}
    row = ItemSet.objects.create(
        benchmark=team.benchmark, suite="tcc", name="large", files=files, created_by=team.admin
    )
    system = System.objects.create(
        slug="drawn", name="drawn", description=names("drawn"), backend="demo", revision="1", capabilities=["generate"]
    )
    settings = {"suite": "tcc", "setting": "direct", "means": "text", "side": "content", "language": "zh-Hans"}
    settings |= {"prompts": {}, "decodings": {}, "picture": None}
    runs = []
    with connection.cursor() as cursor:
        cursor.execute(_INSERT, {"set": row.pk, "entries": entries, "texts": json.dumps({"content": _TEXTS})})
        for _ in range(runs_made):
            run = Run.objects.create(
                system=system,
                benchmark=team.benchmark,
                suite="tcc",
                protocol=team.benchmark.protocol,
                set=row,
                settings=settings,
                settings_sha256=uuid.uuid4().hex * 2,
                state="closed",
            )
            report = SetReport.objects.create(run=run, set=row, profile="tcc-mcq/paper", report=_report(entries))
            cursor.execute(_RESULTS, {"report": report.pk, "set": row.pk})
            cursor.execute(_REPLIES, {"run": run.pk, "set": row.pk})
            runs.append(run.pk)
    with connection.cursor() as cursor:
        cursor.execute("vacuum analyze")
    return team, runs


def median_ms(read: Callable[[], Any]) -> float:
    """Milliseconds that a read takes."""
    read()
    times = []
    for _ in range(TIMES):
        begun = time.perf_counter()
        read()
        times.append((time.perf_counter() - begun) * 1000)
    return round(statistics.median(times), 1)


def sizes(entries: int, runs_made: int) -> dict[str, Any]:
    """Bytes of a reply."""
    from django.db import connection  # noqa: PLC0415

    with connection.cursor() as cursor:
        cursor.execute("select pg_table_size('evaluation_reply'), pg_indexes_size('evaluation_reply')")
        table, key = cursor.fetchone()
    rows = entries * runs_made
    return {"replies": rows, "reply_bytes": round(table / rows), "reply_key_bytes": round(key / rows)}


def measure(entries: int, runs_made: int) -> dict[str, Any]:
    """Read each list."""
    import django  # noqa: PLC0415
    from django.core.management import call_command  # noqa: PLC0415

    django.setup()
    call_command("migrate", verbosity=0)
    from curation.core.pages import encode_cursor  # noqa: PLC0415
    from evaluation.runs.models import Run  # noqa: PLC0415
    from evaluation.runs.queries import prediction_rows, run_list  # noqa: PLC0415
    from evaluation.samples import queries  # noqa: PLC0415
    from evaluation.samples.rules import SampleFilters  # noqa: PLC0415
    from evaluation.scoring.queries.sets import set_scores  # noqa: PLC0415

    begun = time.perf_counter()
    team, (run, other, *_) = prepare(entries, runs_made)
    figures: dict[str, Any] = {"laid_s": round(time.perf_counter() - begun), **sizes(entries, runs_made)}
    person = team.senior
    middle = entries // 2
    lists = {
        "first_page": (SampleFilters(), None),
        "middle": (SampleFilters(), middle),
        "unparsed_middle": (SampleFilters(outcome="unparsed"), middle),
        "tag_many": (SampleFilters(tag="category", value="k3", outcome="wrong"), middle),
        "tag_few": (SampleFilters(tag="few", value="f3"), None),
        "tag_of_none": (SampleFilters(tag="few", value="none"), None),
        "better": (SampleFilters(against=other), middle),
        "worse": (SampleFilters(against=other, than="worse", tag="country", value="c7"), None),
    }

    def page(filters: Any, after: int | None) -> Any:
        cursor = None if after is None else encode_cursor(after)
        return queries.prediction_list(person, run, page_size=50, filters=filters, cursor=cursor)

    figures |= {name: median_ms(lambda one=one: page(*one)) for name, one in lists.items()}
    shown = SampleFilters(outcome="wrong", against=other, than="worse")
    figures["one_entry"] = median_ms(lambda: queries.prediction(person, run, middle, filters=shown))
    figures["filters"] = median_ms(lambda: queries.prediction_filters(person, run))
    set_id = Run.objects.get(pk=run).set_id
    figures["runs_of_the_set"] = median_ms(lambda: run_list(team.admin, team.benchmark.slug, item_set=set_id))
    figures["scores_of_the_set"] = median_ms(lambda: set_scores(team.admin, set_id))
    begun = time.perf_counter()
    rows = sum(1 for _ in prediction_rows(Run.objects.get(pk=run)))
    figures["predictions_of_a_run_s"] = round(time.perf_counter() - begun, 2)
    if rows != entries:
        raise SystemExit(f"{rows} rows instead of {entries}")
    return figures


def main() -> None:
    """Prepare, measure, write the figures down."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--entries", type=int, default=ENTRIES, help=f"entries of the set (default {ENTRIES})")
    parser.add_argument("--runs", type=int, default=RUNS, help=f"runs over it (default {RUNS})")
    parser.add_argument("--out", type=Path, default=Path("bench-samples.json"))
    given = parser.parse_args()
    before = load()
    with own_database("samples"):
        figures = {
            "machine": machine(),
            "load_before": before,
            "entries": given.entries,
            **measure(given.entries, given.runs),
        }
    tell(figures, given.out)


if __name__ == "__main__":
    main()
