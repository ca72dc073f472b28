"""Item sets made of small files, and runs over them worked off as a woken worker does."""

from __future__ import annotations

import io
import uuid
import zipfile
from pathlib import Path

from curation.core import jobs
from curation.core.models import Job
from evaluation.backends.registry import QUEUES
from evaluation.runs import services as runs
from evaluation.runs.models import Run
from evaluation.runs.rules import Grid
from evaluation.scoring import services as scoring
from evaluation.scoring.tasks import score_set_run
from evaluation.sets import services
from evaluation.sets.models import ItemSet
from evaluation.sets.services import File
from evaluation.sets.tasks import read_item_set


def zipped(folder: Path) -> bytes:
    """A ZIP of every file below a folder, by its path there."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for path in sorted(folder.rglob("*.*")):
            archive.writestr(path.relative_to(folder).as_posix(), path.read_bytes())
    return stream.getvalue()


def create(
    team,
    suite: str,
    gold: Path | bytes,
    pictures: bytes | None,
    *,
    name="A benchmark",
    key=None,
    dialogues: Path | None = None,
) -> ItemSet:
    content = gold.read_bytes() if isinstance(gold, Path) else gold
    return services.create_set(
        actor=team.admin,
        benchmark_slug=team.benchmark.slug,
        suite=suite,
        name=name,
        gold=File(gold.name if isinstance(gold, Path) else "gold.json", [content]),
        pictures=None if pictures is None else File("pictures.zip", [pictures]),
        client_key=key or uuid.uuid4(),
        dialogues=None if dialogues is None else File(dialogues.name, [dialogues.read_bytes()]),
    )


def read(row: ItemSet) -> ItemSet:
    """The set after the job that reads its files."""
    read_item_set(job_id=row.job_id)
    row.refresh_from_db()
    return row


def start(team, row: ItemSet, system: str, *, key=None, **choices) -> Run:
    """The one run of a grid with one cell, also if an equal one has ended; each choice is the only one of its list."""
    started = start_all(team, row, key=key, systems=[system], again=True, **{n: [one] for n, one in choices.items()})
    (run_id,) = started.run_ids
    return Run.objects.get(pk=run_id)


def start_all(team, row: ItemSet, *, key=None, alive=True, **choices) -> runs.StartedRuns:
    """Start a grid, by default with workers for every system."""
    for queue in QUEUES if alive else ():
        jobs.worker_seen(queue)
    return runs.start_set_runs(actor=team.admin, set_id=row.pk, grid=Grid(**choices), client_key=key or uuid.uuid4())


def work(run: Run) -> Run:
    """The run after a worker did all of it and it was scored."""
    assert runs.embed_accepted(run.pk) == "done"
    for job_id in scoring.sweep_scores():
        score_set_run(job_id=job_id)
    assert not Job.objects.filter(task__startswith="evaluation.").exclude(state=Job.State.DONE).exists()
    run.refresh_from_db()
    return run
