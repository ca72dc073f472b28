"""``python -m tests.bench.embedding``: a run over 2,000 pictures with 10,000 texts beside a plain loop; one JSON out.

An installation of production's processes gets the rows and the pictures (200 drawn scenes, each made different by a few
bytes behind its end). A run of the demo's system is started as an admin starts it, and its worker takes it chunk by
chunk: pictures held against their sha256, vectors kept for later runs, answers committed with every chunk. Beside it
the same model in the plainest loop: open, decode, embed 64 at a time, keep in memory. Seconds are those between the
first chunk's end and the last one's, so neither loads a model in them; ``ratio`` is the run's over the quicker of two
loops. With other work on the machine the processor's time by picture is the steadier figure: the worker's and the
loop's own, without the database's.
"""

import argparse
import json
import os
import subprocess
import sys
import time
import uuid
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import psutil

from config.launch import valkey
from tests.bench.alone import load, machine, tell
from tests.bench.installation import ROOT, Installation

SCENES, AT_ONCE, EACH = 200, 64, 5
PATIENCE = 900.0


def scene(seed: int) -> tuple[bytes, list[str]]:
    """A drawn picture as a file, and its captions."""
    from fixtures import scenes  # noqa: PLC0415  (each process of the pool loads it)

    drawn = scenes.scene(seed)
    return scenes.encode(drawn), scenes.captions(drawn)


def run(pictures: int) -> dict[str, Any]:
    """Lay the release, start the run, wait for its end; the figures, and where the pictures lie."""
    import django  # noqa: PLC0415

    django.setup()
    from django.conf import settings  # noqa: PLC0415  (after django.setup)

    from curation.core import jobs  # noqa: PLC0415
    from curation.core.models import WorkerSeen  # noqa: PLC0415
    from evaluation.runs import services  # noqa: PLC0415
    from evaluation.runs.models import Chunk, Feature, Run  # noqa: PLC0415
    from tests.bench.frozen import frozen  # noqa: PLC0415
    from tests.evaluation.accepted import set_of  # noqa: PLC0415

    with ProcessPoolExecutor(2) as pool:
        drawn = list(pool.map(scene, range(1, min(SCENES, pictures) + 1), chunksize=8))

    def file(n: int) -> bytes:
        return drawn[n % len(drawn)][0] + n.to_bytes(4)

    def captions(n: int) -> list[str]:
        return [f"{text}{n}" for text in drawn[n % len(drawn)][1]]

    team, release = frozen(pictures, captions=captions, files=(settings.MEDIA_ROOT, file))
    set_of(release)
    until = time.monotonic() + PATIENCE
    while not jobs.last_seen("gpu")["alive"] and time.monotonic() < until:
        time.sleep(0.1)
    started = services.start_run(
        actor=team.admin,
        benchmark_slug=team.benchmark.slug,
        system_slug="demo-dual-encoder",
        suite_name="retrieval",
        release_id=release.pk,
        client_key=uuid.uuid4(),
    )
    (worker,) = (
        psutil.Process(int(name.rpartition(":")[2]))
        for name in WorkerSeen.objects.filter(queue="gpu").values_list("name", flat=True)
    )
    of_run = Chunk.objects.filter(run_id=started.run_id)
    while not (before := of_run.filter(state=Chunk.State.DONE).count()):
        time.sleep(0.02)
    spent = sum(worker.cpu_times()[:2])
    while Run.objects.get(pk=started.run_id).state != Run.State.CLOSED:
        if time.monotonic() > until:
            raise SystemExit("the run did not end")
        time.sleep(0.2)
    spent = sum(worker.cpu_times()[:2]) - spent
    # The first chunk has the model's loading in it.
    chunks = list(of_run.order_by("finished_at").values_list("finished_at", "size", "ms"))
    rest = chunks[1:]
    seconds = (rest[-1][0] - chunks[0][0]).total_seconds()
    # Chunks count captions.
    done = sum(size for _, size, _ in rest) // EACH
    (environment,) = Run.objects.get(pk=started.run_id).environment["workers"]
    return {
        "pictures": done,
        "texts": done * EACH,
        "vectors": Feature.objects.count(),
        "chunks": len(chunks),
        "items_at_once": environment["items_at_once"],
        "seconds": round(seconds, 2),
        "pictures_a_second": round(done / seconds, 1),
        "processor_ms_a_picture": round(1e3 * spent * EACH / sum(size for _, size, _ in chunks[before:]), 2),
        "computing_s": round(sum(ms for _, _, ms in rest) / 1e3, 2),
    }


def loop(pictures: int) -> dict[str, Any]:
    """The same files and texts through the same model, and nothing else; ``pictures`` at least 1."""
    import django  # noqa: PLC0415

    django.setup()
    from django.conf import settings  # noqa: PLC0415  (after django.setup)
    from PIL import Image  # noqa: PLC0415

    from annotation.items.models import ItemRevision  # noqa: PLC0415
    from curation.images.models import Rendition  # noqa: PLC0415
    from evaluation.systems import queries, services  # noqa: PLC0415

    embedder = services.open_system(queries.newest_by_slug(["demo-dual-encoder"])["demo-dual-encoder"])
    embedder.embed_texts(["花灯"])
    paths = [settings.MEDIA_ROOT / key for key in Rendition.objects.order_by("pk").values_list("key", flat=True)]
    contents = ItemRevision.objects.order_by("item_id").values_list("content", flat=True)
    texts = sorted((text for content in contents for text in content["captions"]), key=len)
    begun, spent = time.perf_counter(), time.process_time()
    kept = []
    for start in range(0, pictures, AT_ONCE):
        opened = [Image.open(path).convert("RGB") for path in paths[start : min(start + AT_ONCE, pictures)]]
        kept.append(embedder.embed_images(opened))
    lines = range(0, pictures * EACH, AT_ONCE)
    kept += [embedder.embed_texts(texts[start : min(start + AT_ONCE, pictures * EACH)]) for start in lines]
    seconds, spent = time.perf_counter() - begun, time.process_time() - spent
    return {
        "pictures": pictures,
        "vectors": sum(len(some) for some in kept),
        "seconds": round(seconds, 2),
        "pictures_a_second": round(pictures / seconds, 1),
        "processor_ms_a_picture": round(1e3 * spent / pictures, 2),
    }


def part(name: str, pictures: int, environment: dict[str, str]) -> dict[str, Any]:
    """Have a process of its own measure a part."""
    words = [sys.executable, "-m", "tests.bench.embedding", "--part", name, "--pictures", str(pictures)]
    done = subprocess.run(words, cwd=ROOT, env=environment, check=True, stdout=subprocess.PIPE, timeout=2 * PATIENCE)
    told: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return told | {"load_after": round(os.getloadavg()[0], 2)}


def main() -> None:
    """Prepare, measure, write the figures down."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pictures", type=int, default=2_000, help=f"with {EACH} texts each (default 2,000)")
    parser.add_argument("--out", type=Path, default=Path("bench-embedding.json"))
    parser.add_argument("--part", choices=["run", "loop"], help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.part:
        print(json.dumps({"run": run, "loop": loop}[given.part](given.pictures)))
        return
    before = load()
    with Installation() as here:
        environment = here.environment | {
            "DATABASE_URL": here.database,
            "CELERY_BROKER_URL": valkey.broker_url(here.folder / "valkey"),
            "DJANGO_SETTINGS_MODULE": "config.settings",
        }
        ours = part("run", given.pictures, environment)
        # Twice, for the machine is never quite the same; over as many as the run's seconds count.
        plain = [part("loop", ours["pictures"], environment) for _ in range(2)]
    best = {name: min(one[name] for one in plain) for name in ("seconds", "processor_ms_a_picture")}
    figures = {
        "machine": machine(),
        "load_before": before,
        "run": ours,
        "loop": plain,
        "ratio": round(ours["seconds"] / best["seconds"], 2),
        "processor_ratio": round(ours["processor_ms_a_picture"] / best["processor_ms_a_picture"], 2),
    }
    tell(figures, given.out)


if __name__ == "__main__":
    main()
