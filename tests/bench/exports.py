"""``python -m tests.bench.exports``: writing a release of 30,000 pictures with 150,000 captions; one JSON out.

A PostgreSQL of its own gets the rows, a folder the pictures: 100 drawn ones, each made different by a few bytes behind
its end. The release is frozen as a worker freezes it, then written as a worker writes it, a format at a time, every
picture compared with its sha256 and every file flushed to the disk and summed. Beside it, in the same run:

* Parquet by pyarrow alone, from records in memory, with the same shards, row groups and compression; and once more
  with what ours does besides: every picture compared with its sha256, every file flushed and summed;
* JSON lines by the ``json`` module alone, from records in memory;
* COCO by Datumaro, from its own items in memory, where ``--datumaro`` names a Python that has it, beside our writer
  alone from records in memory: all pictures in one file, with 190,000 captions, as many annotations as CVLUE has boxes.

``memory_mb`` is what a step took at its worst beyond what was there before it. A format of boxes does not exist yet.
"""

import argparse
import hashlib
import io
import json
import os
import subprocess
import textwrap
import time
import uuid
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from PIL import Image as Pillow

from tests.bench.alone import load, machine, own_database, tell
from tests.bench.retrieval import timed

FORMATS = ("jsonl", "parquet", "coco_captions")
PICTURES, ANNOTATIONS = 30_000, 190_000  # so many pictures of CVLUE have so many boxes
# Run by another Python: reads a COCO file that we wrote and writes it again; times of reading and of writing.
DATUMARO = textwrap.dedent("""
    import json, resource, sys, time
    import datumaro as dm
    from datumaro.components.annotation import Caption
    source, target = sys.argv[1:]
    told = json.load(open(source, encoding="utf-8"))
    texts = {}
    for row in told["annotations"]:
        texts.setdefault(row["image_id"], []).append(Caption(row["caption"]))
    items = [
        dm.DatasetItem(id=str(row["id"]), annotations=texts[row["id"]], attributes={"id": row["id"]})
        for row in told["images"]
    ]
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    begun = time.perf_counter()
    made = dm.Dataset.from_iterable(items, media_type=dm.components.media.Image)
    made.export(target, "coco_captions", save_media=False)
    seconds = round(time.perf_counter() - begun, 2)
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(json.dumps({"seconds": seconds, "memory_mb": round((after - before) / 1e3), "version": dm.__version__}))
""")


def drawn(count: int) -> list[bytes]:
    """Different JPEG files of about 30 KB."""
    rng, found = np.random.default_rng(0), []
    for _ in range(count):
        small = rng.integers(0, 256, (60, 80, 3), dtype=np.uint8)
        out = io.BytesIO()
        Pillow.fromarray(small).resize((320, 240), Pillow.Resampling.BICUBIC).save(out, "JPEG", quality=95)
        found.append(out.getvalue())
    return found


def lay(pictures: int, media: Path) -> int:
    """Put a benchmark with so many accepted items into tables and store; the release's id."""
    # Django's models need its settings, which need the database's address first.
    from annotation.items.models import Item, ItemRevision  # noqa: PLC0415
    from annotation.releases import services  # noqa: PLC0415
    from curation.images.models import Image, Rendition  # noqa: PLC0415
    from tests.annotation.releases.content import team  # noqa: PLC0415

    here = team(exporters=list(FORMATS))
    categories = list(here.benchmark.categories.order_by("number"))
    base = drawn(100)
    numbers = range(1, pictures + 1)
    made = [
        Image(
            benchmark=here.benchmark,
            number=n,
            sha256=f"{n:064x}",
            phash=n,
            width=320,
            height=240,
            contributor=here.contributor,
            source={"kind": "external", "url": f"https://example.org/{n}", "author": "摄影者"},
            licence="CC-BY-4.0",
            state="accepted",
            pii_clear_by=here.curator,
            category=categories[n % 3],
            subset="A",
            client_key=uuid.uuid4(),
        )
        for n in numbers
    ]
    images = Image.objects.bulk_create(made, batch_size=2_000)
    renditions = []
    for image in images:
        data = base[image.number % 100] + image.number.to_bytes(4)
        key = f"renditions/{image.pk}/1-clean.jpg"
        path = media / key
        path.parent.mkdir(parents=True)
        path.write_bytes(data)
        renditions.append(
            Rendition(
                image=image,
                role="clean",
                version=1,
                sha256=hashlib.sha256(data).hexdigest(),
                bytes=len(data),
                width=320,
                height=240,
                key=key,
            )
        )
    Rendition.objects.bulk_create(renditions, batch_size=2_000)
    items = Item.objects.bulk_create(
        [
            Item(
                benchmark=here.benchmark,
                kind="captions",
                image=image,
                number=image.number,
                state="made",
                revision_no=1,
            )
            for image in images
        ],
        batch_size=2_000,
    )
    revisions = [
        ItemRevision(
            item=item,
            no=1,
            author=here.annotator,
            origin="annotator",
            content={"captions": [f"第{item.number}张图片里有第{i}样东西，在一盏红色的灯下面" for i in range(5)]},
            protocol=here.benchmark.protocol,
            client_key=uuid.uuid4(),
        )
        for item in items
    ]
    ItemRevision.objects.bulk_create(revisions, batch_size=2_000)
    Item.objects.filter(benchmark=here.benchmark).update(state="accepted", accepted_no=1)
    release = services.create_release(
        actor=here.admin, benchmark_slug=here.benchmark.slug, kinds=["captions"], seed=7, client_key=uuid.uuid4()
    )
    services.check_release(actor=here.admin, release_id=release.pk, client_key=uuid.uuid4())
    return release.pk


def ours(release_id: int) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Freeze the release and write its files as a worker does; the figures, and the records for the others."""
    from annotation.releases import queries, services  # noqa: PLC0415
    from annotation.releases.exporters import registry  # noqa: PLC0415
    from annotation.releases.models import Release  # noqa: PLC0415
    from annotation.releases.services import writing  # noqa: PLC0415
    from annotation.releases.services.content import StoredContent  # noqa: PLC0415
    from curation.core import jobs  # noqa: PLC0415
    from curation.core.models import Job  # noqa: PLC0415

    told: dict[str, Any] = {}
    job = jobs.enqueue(task=services.FREEZE, args={"release_id": release_id}, dedupe_key="bench")
    state, told["freeze"] = timed(lambda: jobs.run(job.pk, services.freeze))
    if state != "done":
        raise SystemExit(f"freezing ended {state}: {Job.objects.get(pk=job.pk).log}")
    release = Release.objects.select_related("benchmark", "protocol", "previous").get(pk=release_id)

    def write(lease: jobs.Lease) -> None:
        content = StoredContent(release, lease)
        services.folder_of(release.pk).mkdir(parents=True)
        _, told["digest"] = timed(content.verify_records)
        for name in FORMATS:
            work = [job for job in registry.work([name], content.whole) if job.format == name]
            begun = {"load_before": load()}
            made, took = timed(lambda work=work: [writing._write(release.pk, job, content, None) for job in work])
            told[name] = begun | took | {"files": len(work), "mb": round(sum(w.bytes for w in made) / 1e6, 1)}

    if (state := jobs.run(release.job_id, write)) != "done":
        raise SystemExit(f"writing ended {state}: {Job.objects.get(pk=release.job_id).log}")
    return told, [record for record, _ in queries.records(release.pk, queries.facts_of(release).rows)]


def pyarrow_alone(
    records: list[dict[str, Any]], stored: list[Path], facts: Any, folder: Path, *, checked: bool
) -> None:
    """Write the same shards without telling anybody; ``checked``: compare pictures, flush and sum files as ours do."""
    from annotation.releases.exporters import parquet  # noqa: PLC0415

    schema = parquet.schema_of(facts)
    texts = [field.name for field in schema if field.type == pa.string()]
    for split in facts.splits:
        for shard in parquet.shards_of("captions", split):
            zstd = dict.fromkeys(texts, "ZSTD")
            options = {"compression": zstd, "use_dictionary": texts, "write_statistics": texts}
            with pq.ParquetWriter(folder / shard.name, schema, **options) as writer:
                for start in range(shard.rows.start, shard.rows.stop, parquet.ROWS):
                    some = range(start - 1, min(start + parquet.ROWS, shard.rows.stop) - 1)
                    rows = []
                    for i in some:
                        data = stored[i].read_bytes()
                        if checked and hashlib.sha256(data).hexdigest() != records[i]["image_sha256"]:
                            raise SystemExit(f"{stored[i]} was changed")
                        rows.append(records[i] | {"image": {"bytes": data, "path": records[i]["image"]}})
                    writer.write_table(pa.Table.from_pylist(rows, schema=schema))
            if checked:
                with (folder / shard.name).open("r+b") as written:
                    os.fdatasync(written.fileno())
                    hashlib.file_digest(written, "sha256")


def json_alone(records: list[dict[str, Any]], path: Path) -> None:
    """Write the same lines."""
    with path.open("w", encoding="utf-8") as out:
        for record in records:
            out.write(json.dumps(record, ensure_ascii=False, sort_keys=True, separators=(",", ":")) + "\n")


def datumaro(python: Path, source: Path, target: Path) -> dict[str, Any]:
    """Have Datumaro write the pictures and captions of a COCO file of ours."""
    done = subprocess.run(
        [python, "-c", DATUMARO, source, target], capture_output=True, text=True, check=False, cwd=target.parent
    )
    if done.returncode:
        raise SystemExit(f"Datumaro failed:\n{done.stderr[-2_000:]}")
    answer: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return answer


def measure(pictures: int, root: Path, python: Path | None) -> dict[str, Any]:
    """Take every figure."""
    import django  # noqa: PLC0415
    from django.core.management import call_command  # noqa: PLC0415

    django.setup()
    call_command("migrate", verbosity=0)
    from annotation.releases import queries  # noqa: PLC0415
    from annotation.releases.exporters import registry  # noqa: PLC0415
    from annotation.releases.exporters.base import File  # noqa: PLC0415
    from annotation.releases.exporters.parts import Part  # noqa: PLC0415
    from annotation.releases.models import Release, ReleaseEntry  # noqa: PLC0415

    # pyarrow looks for pandas at its first conversion, which takes seconds and belongs to nobody's figure.
    pa.Table.from_pylist([{"warm": 1}])
    media = Path(os.environ["MEDIA_ROOT"])
    begun = time.perf_counter()
    release_id = lay(pictures, media)
    figures: dict[str, Any] = {"laid_s": round(time.perf_counter() - begun)}
    figures["lantern"], records = ours(release_id)
    facts = queries.facts_of(Release.objects.select_related("benchmark", "protocol", "previous").get(pk=release_id))
    keys = (
        ReleaseEntry.objects.filter(release_id=release_id).order_by("ordinal").values_list("rendition__key", flat=True)
    )
    stored = [media / key for key in keys]
    beside = root / "beside"
    beside.mkdir()
    others: dict[str, Callable[[], None]] = {
        "pyarrow": lambda: pyarrow_alone(records, stored, facts, beside, checked=False),
        "pyarrow_checked": lambda: pyarrow_alone(records, stored, facts, beside, checked=True),
        "json": lambda: json_alone(records, beside / "lines.jsonl"),
    }
    for name, work in others.items():
        busy = load()
        _, took = timed(work)
        figures[name] = {"load_before": busy} | took
    each, more = divmod(ANNOTATIONS * pictures // PICTURES, pictures)
    wider = [
        record | {"captions": [f"{i} {record['captions'][i % 5]}" for i in range(each + (n < more))]}
        for n, record in enumerate(records)
    ]
    content: Any = SimpleNamespace(facts=facts, records=lambda rows: (wider[i - 1] for i in rows))
    file = File("all-coco.json", facts.rows, passes=2)

    def coco() -> None:
        with Part(beside / file.name, steps=file.steps, identity="") as part:
            registry.DATA["coco_captions"].write(file, content, part)
            part.publish()

    _, figures["coco_writer_alone"] = timed(coco)
    figures["coco_writer_alone"]["annotations"] = sum(len(record["captions"]) for record in wider)
    if python is not None:
        figures["datumaro_coco"] = datumaro(python, beside / file.name, beside / "dm")
    return figures


def main() -> None:
    """Prepare, measure, write the figures down."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pictures", type=int, default=PICTURES, help=f"with five captions each (default {PICTURES})")
    parser.add_argument("--datumaro", type=Path, help="a Python that has datumaro")
    parser.add_argument("--out", type=Path, default=Path("bench-exports.json"))
    given = parser.parse_args()
    before = load()
    with own_database("exports") as root:
        figures = {
            "machine": machine(),
            "pyarrow_version": version("pyarrow"),
            "load_before": before,
            "pictures": given.pictures,
            "captions": given.pictures * 5,
            **measure(given.pictures, root, given.datumaro),
        }
    tell(figures, given.out)


if __name__ == "__main__":
    main()
