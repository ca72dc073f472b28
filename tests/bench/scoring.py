"""``python -m tests.bench.scoring``: one run scored over a release of CVLUE's size, as a worker does it; one JSON out.

8,973 pictures with five texts each, in 92 categories of three groups, and a system's 53,838 stored answers of 512
numbers. A PostgreSQL of its own gets the rows; then the job reads the gallery and the answers, searches both ways,
scores everything and each group with intervals, and writes a report and a result of each of the 53,838 queries with
its ten nearest. ``memory_mb`` is what a step took at its worst beyond what was there before the job.
"""

import argparse
import json
import time
import uuid
from pathlib import Path
from typing import Any

import psutil

from tests.bench.alone import load, machine, own_database, tell
from tests.bench.retrieval import EACH, PICTURES, WIDTH, drawn, watched

STEPS = ("read_gallery", "read_answers", "score", "write")


def answers(run: Any, pictures: int, width: int) -> None:
    """Store a system's answers: a vector for each picture, and one for each text that lies about it."""
    from django.db import connection  # noqa: PLC0415  (after django.setup)

    from evaluation.runs.rules import to_bytes  # noqa: PLC0415

    seen, read = drawn(pictures, width, 4.0, 0)
    preparation = "p" * 64
    entries = list(run.set.entries.order_by("line").values_list("pk", "part"))
    with connection.cursor() as cursor:
        features = "copy evaluation_feature (system_id, input_sha256, preparation, vector) from stdin"
        with cursor.copy(features) as copy:
            for name, vectors in (("picture", seen), ("text", read)):
                for n, vector in enumerate(vectors):
                    copy.write_row((run.system_id, f"{name} {n}", preparation, to_bytes(vector)))
        replies = "copy evaluation_reply (run_id, entry_id, variant, sample, outcome, raw, value) from stdin"
        with cursor.copy(replies) as copy:
            for n, (entry, _) in enumerate(entries):
                value = {"text": [f"text {n}", preparation], "picture": [f"picture {n // EACH}", preparation]}
                copy.write_row((run.pk, entry, 0, 0, "answered", "", json.dumps(value)))


def measure(pictures: int, width: int) -> dict[str, Any]:
    """Lay the rows and score them."""
    import django  # noqa: PLC0415
    from django.core.management import call_command  # noqa: PLC0415

    django.setup()
    call_command("migrate", verbosity=0)
    from django.db import connection  # noqa: PLC0415

    from curation.core import jobs  # noqa: PLC0415
    from curation.core.models import Job  # noqa: PLC0415
    from evaluation.runs.models import Run  # noqa: PLC0415
    from evaluation.scoring import services  # noqa: PLC0415
    from evaluation.scoring.models import EntryResult  # noqa: PLC0415
    from evaluation.systems.models import System  # noqa: PLC0415
    from tests.bench.frozen import frozen  # noqa: PLC0415
    from tests.evaluation.accepted import RETRIEVAL, set_of  # noqa: PLC0415
    from tests.protocols import names  # noqa: PLC0415

    begun = time.perf_counter()
    team, release = frozen(pictures, captions=lambda n: [f"第{n}张图的第{i}句话" for i in range(EACH)], categories=92)
    system = System.objects.create(
        slug="drawn", name="drawn", description=names("drawn"), backend="demo", revision="1", capabilities=["embed"]
    )
    row = set_of(release)
    run = Run.objects.create(
        system=system,
        benchmark=team.benchmark,
        suite="retrieval",
        protocol=team.benchmark.protocol,
        set=row,
        settings=RETRIEVAL,
        settings_sha256=uuid.uuid4().hex * 2,
        cut_to=row.size,
        expected=row.size,
        answered=row.size,
        state="closed",
    )
    answers(run, pictures, width)
    with connection.cursor() as cursor:
        cursor.execute("analyze")
    figures: dict[str, Any] = {"laid_s": round(time.perf_counter() - begun)}
    (job_id,) = services.sweep_scores()
    marks: list[tuple[float, int, float]] = []
    process = psutil.Process()

    def score(lease: jobs.Lease) -> None:
        marked = lease.progress

        def progress(done: int, total: int) -> None:
            marks.append((time.perf_counter(), process.memory_info().rss, time.process_time()))
            marked(done, total)

        lease.progress = progress  # type: ignore[method-assign]
        marks.append((time.perf_counter(), process.memory_info().rss, time.process_time()))
        services.score_set_run(lease)

    with watched() as whole:
        state = jobs.run(job_id, score)
    if state != "done":
        raise SystemExit(f"scoring ended {state}: {Job.objects.get(pk=job_id).log}")
    figures["whole"] = whole
    figures["steps_s"] = {
        step: round(after[0] - before[0], 2) for step, before, after in zip(STEPS, marks[:-1], marks[1:], strict=True)
    }
    figures["steps_cpu_s"] = {
        step: round(after[2] - before[2], 2) for step, before, after in zip(STEPS, marks[:-1], marks[1:], strict=True)
    }
    figures["held_mb"] = {step: round((at[1] - marks[0][1]) / 1e6) for step, at in zip(STEPS, marks[1:], strict=True)}
    figures["rows"] = {"results": EntryResult.objects.count()}
    with connection.cursor() as cursor:
        cursor.execute("select pg_total_relation_size('evaluation_entryresult')")
        figures["results_table_mb"] = round(cursor.fetchone()[0] / 1e6)
    return figures


def main() -> None:
    """Prepare, measure, write the figures down."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pictures", type=int, default=PICTURES, help=f"with five texts each (default {PICTURES})")
    parser.add_argument("--width", type=int, default=WIDTH, help=f"numbers a vector (default {WIDTH})")
    parser.add_argument("--out", type=Path, default=Path("bench-scoring.json"))
    given = parser.parse_args()
    before = load()
    with own_database("scoring"):
        figures = {
            "machine": machine(),
            "load_before": before,
            "pictures": given.pictures,
            "texts": given.pictures * EACH,
            "width": given.width,
            **measure(given.pictures, given.width),
        }
    tell(figures, given.out)


if __name__ == "__main__":
    main()
