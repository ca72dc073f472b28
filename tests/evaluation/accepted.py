"""Accepted items with real picture files, and embedders whose answers a test can work out by hand."""

from __future__ import annotations

import hashlib
import io
import uuid
from typing import Any, NamedTuple

import numpy as np
from django.conf import settings
from PIL import Image as Picture

from annotation.items.models import Item, ItemRevision
from annotation.releases.models import Release, ReleaseEntry, ReleaseImage
from curation.core import audit, jobs
from curation.images.models import Image, Rendition
from evaluation.backends.registry import Backend
from evaluation.runs.models import Feature, Reply, ReplyFailure, Run
from evaluation.runs.rules import to_bytes
from evaluation.scoring.models import SetReport
from evaluation.scoring.rules import PROFILE, Line, lines_of
from evaluation.sets import services as set_services
from evaluation.sets.models import ItemSet
from evaluation.systems import services as system_services
from evaluation.systems.rules import SystemRecord
from tests.people import World, world
from tests.protocols import captions_protocol, names

DIMENSION = 8


class Figure(NamedTuple):
    """A figure of a report."""

    report: SetReport
    line: Line


def protocol(*systems: str) -> dict:
    return {
        **captions_protocol(),
        "release": {"splits": {"train": 60, "valid": 10, "test": 30}},
        "evaluation": {"systems": list(systems), "suites": ["retrieval"]},
    }


def benchmark(*systems: str, slug: str = "cvlue", prefix: str = "") -> World:
    return world(protocol(*systems), slug=slug, prefix=prefix)


def png(number: int) -> bytes:
    """A small picture whose first pixel's red is ``number``."""
    picture = Picture.new("RGB", (24, 16), (number, 40, 90))
    stream = io.BytesIO()
    picture.save(stream, "PNG")
    return stream.getvalue()


def image(team: World, number: int, content: bytes = b"") -> Image:
    content = content or png(number)
    digest = hashlib.sha256(content).hexdigest()
    made = Image.objects.create(
        benchmark=team.benchmark,
        number=number,
        sha256=digest,
        phash=number,
        width=24,
        height=16,
        contributor=team.contributor,
        source={"kind": "own"},
        licence="CC-BY-4.0",
        state="accepted",
        pii_clear_by=team.curator,
        client_key=uuid.uuid4(),
    )
    key = f"renditions/{made.pk}/{number}-clean.png"
    file = settings.MEDIA_ROOT / key
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content)
    Rendition.objects.create(image=made, role="clean", sha256=digest, bytes=len(content), width=24, height=16, key=key)
    return made


def captions(number: int) -> list[str]:
    """Five texts that begin with the picture's number."""
    return [f"{number:03d} 号图中的第 {i} 句话" for i in range(5)]


def revise(item: Item, author, *, content: dict | None = None) -> ItemRevision:
    item.revision_no += 1
    item.save(update_fields=["revision_no"])
    return ItemRevision.objects.create(
        item=item,
        no=item.revision_no,
        author=author,
        origin="annotator",
        content=content or {"captions": captions(item.number)},
        protocol=item.benchmark.protocol,
        client_key=uuid.uuid4(),
    )


def accept(item: Item) -> None:
    item.state, item.accepted_no = "accepted", item.revision_no
    item.save(update_fields=["state", "accepted_no"])


def reopen(item: Item) -> None:
    item.state, item.accepted_no = "made", None
    item.save(update_fields=["state", "accepted_no"])


def made_item(team: World, number: int) -> Item:
    """A written item that nobody vouched for yet."""
    item = Item.objects.create(
        benchmark=team.benchmark, kind="captions", image=image(team, number), number=number, state="made"
    )
    revise(item, team.annotator)
    return item


def accepted_item(team: World, number: int) -> Item:
    item = made_item(team, number)
    accept(item)
    return item


def draft_release(team: World, *, number: int = 1, kind: str = "captions") -> Release:
    return Release.objects.create(
        benchmark=team.benchmark, number=number, kind=kind, protocol=team.benchmark.protocol, seed=7
    )


def frozen_release(
    team: World,
    items: list[Item],
    *,
    number: int = 1,
    split: str = "test",
    kind: str = "captions",
    records: dict[int, dict] | None = None,
) -> Release:
    """A frozen release of the items' newest revisions, all in one split; ``records``: what is published, by item."""
    event = audit.record(
        action="release_freeze", target_type="release", target_id=number, actor_id=None, benchmark_id=team.benchmark.pk
    )
    release = draft_release(team, number=number, kind=kind)
    for ordinal, item in enumerate(items):
        ReleaseImage.objects.create(release=release, image=item.image, split=split)
        ReleaseEntry.objects.create(
            release=release,
            item=item,
            kind=kind,
            revision_no=item.revision_no,
            image=item.image,
            rendition=item.image.renditions.get(role="clean"),
            split=split,
            ordinal=ordinal,
            record=(records or {}).get(item.pk, {}),
        )
    release.state, release.event_id, release.frozen_at = "frozen", event.pk, event.at
    release.digest = hashlib.sha256(f"{number}".encode()).hexdigest()
    release.save(update_fields=["state", "event_id", "frozen_at", "digest"])
    return release


def set_of(release: Release) -> ItemSet:
    """The captions of a release as an item set, made as its job makes it."""
    row = set_services.release_set(release, "retrieval")
    if row.state == ItemSet.State.WAITING:
        assert jobs.run(row.job_id, set_services.read_set) == "done"
        row.refresh_from_db()
    return row


def set_of_work(team: World) -> ItemSet:
    """The captions of accepted work as an item set."""
    given = {"state": "ready", "sides": ["content"]}
    row, _ = ItemSet.objects.get_or_create(
        benchmark=team.benchmark, suite="retrieval", origin="rolling", defaults=given
    )
    set_services.follow_accepted(row.pk)
    row.refresh_from_db()
    return row


#: The complete setting of a run of retrieval.
RETRIEVAL = {
    "suite": "retrieval",
    "setting": "both",
    "means": "similarity",
    "side": "content",
    "language": "zh-Hans",
    "prompts": {},
    "decodings": {},
    "ranked": ["names", False],
    "picture": ["1", "Lanczos"],
    "preprocessing": {},
}


def answer_captions(run: Run, item_id: int, picture: np.ndarray, texts: list[np.ndarray | None]) -> None:
    """Answer the first captions of an item with given vectors; None is a failure."""
    entries = run.set.entries.filter(item=item_id).order_by("part")
    for entry, text in zip(entries, texts, strict=False):
        value = {}
        for which, vector in (("picture", picture), ("text", text)):
            if vector is not None:
                of = [hashlib.sha256(f"{which} {entry.pk} {run.pk}".encode()).hexdigest(), "p" * 64]
                Feature.objects.create(
                    system=run.system, input_sha256=of[0], preparation=of[1], vector=to_bytes(vector)
                )
                value[which] = of
        about = {"run": run, "entry": entry, "value": value}
        if text is None:
            ReplyFailure.objects.create(**about, round=0, code="system_refused_input", input="text")
        else:
            Reply.objects.create(**about, outcome="answered")
    run.cut_to = run.expected = run.set.size
    run.answered, run.failed = run.replies.count(), run.reply_failures.count()
    run.save()


class ByNumber:
    """Gives a picture and its texts the same vector, read from the first pixel and the first three digits."""

    def __init__(self) -> None:
        self.seen: list[int] = []

    @staticmethod
    def vector(number: int) -> np.ndarray:
        drawn = np.random.default_rng(number).normal(size=DIMENSION)
        return (drawn / np.linalg.norm(drawn)).astype(np.float32)

    def embed_images(self, images) -> np.ndarray:
        numbers = [picture.getpixel((0, 0))[0] for picture in images]
        self.seen += numbers
        return np.stack([self.vector(n) for n in numbers])

    def embed_texts(self, texts) -> np.ndarray:
        return np.stack([self.vector(int(t[:3]) if t[:3].isdigit() else 0) for t in texts])

    def describe(self) -> dict:
        return {"device": "cpu", "dimension": DIMENSION}


class Constant(ByNumber):
    """Cannot tell anything apart."""

    @staticmethod
    def vector(number: int) -> np.ndarray:
        return ByNumber.vector(1)


def figures(scope: str | None = None, metric: str | None = None, **of: Any) -> list[Figure]:
    """The figures of retrieval in stored reports, the oldest report first."""
    rows = SetReport.objects.filter(profile=PROFILE, **of).select_related("run__system").order_by("pk")
    every = [Figure(row, line) for row in rows for line in lines_of(row.report)]
    return [one for one in every if scope in (None, one.line.scope) and metric in (None, one.line.metric)]


def figure(scope: str, metric: str, **of: Any) -> Line:
    """The only figure of a direction over everything, or that of the newest report."""
    return [one.line for one in figures(scope, metric, **of) if not one.line.group_by][-1]


def backend(embedder) -> Backend:
    return Backend(lambda folder, parameters: embedder, ("numpy",))


def add_system(folder, slug: str, backend_name: str, *, config: str = "{}"):
    """A system whose only file is ``config``."""
    (folder / slug).mkdir(exist_ok=True)
    (folder / slug / "config.json").write_text(config)
    return system_services.add_system(
        SystemRecord.model_validate(
            {
                "slug": slug,
                "name": slug,
                "description": names(slug),
                "backend": backend_name,
                "locator": str(folder / slug),
            }
        )
    )
