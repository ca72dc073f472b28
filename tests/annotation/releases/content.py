"""A benchmark with accepted captions for tests of releases, written straight into the tables."""

from __future__ import annotations

import hashlib
import io
import uuid
from pathlib import Path
from typing import Any

import numpy as np
from django.conf import settings
from PIL import Image as Pillow

from annotation.bases.models import ItemBase
from annotation.items.models import Item, ItemRevision
from annotation.releases import services
from annotation.releases.models import Release
from curation.core import jobs
from curation.images.models import Image, Rendition
from curation.people.models import Person
from curation.taxonomy.models import Category
from tests.people import World, world
from tests.protocols import captions_protocol, names

LICENCES = [("CC-BY-4.0", True), ("own-work", True), ("unclear", False)]


def protocol(**release: object) -> dict:
    """A protocol with the parts that releases read."""
    return captions_protocol() | {
        "languages": {"content": "zh-Hans"},
        "images": {
            "licences": [{"code": code, "name": names(code), "releasable": ok} for code, ok in LICENCES],
        },
        "release": {
            "licence": "CC-BY-NC-ND-4.0",
            "splits": {"train": 60, "valid": 10, "test": 30},
            "gates": [
                "nothing_accepted",
                "image_not_accepted",
                "personal_information",
                "licence",
                "near_duplicate_across_splits",
            ],
            "exporters": ["jsonl", "parquet"],
        }
        | release,
    }


def team(
    slug: str = "cvlue", prefix: str = "", content: dict | None = None, distance: str = "closest", **release: object
) -> World:
    """A benchmark with people and three categories of a group, under ``content`` or else :func:`protocol`."""
    here = world(content or protocol(**release), slug=slug, prefix=prefix)
    for number, category in enumerate(("panda", "tea", "kite"), start=1):
        Category.objects.create(
            benchmark=here.benchmark,
            slug=category,
            name=names(category),
            field="things",
            field_name=names("things"),
            distance=distance,
            number=number,
        )
    return here


def picture(here: World, number: int, *, clean: bool = True, **values: object) -> Image:
    """An accepted picture with its file in the store."""
    category = ("panda", "tea", "kite", None)[number % 4]
    image = Image.objects.create(
        **{
            "benchmark": here.benchmark,
            "number": number,
            "sha256": hashlib.sha256(f"upload {here.benchmark.slug} {number}".encode()).hexdigest(),
            "phash": number,
            "width": 24,
            "height": 16,
            "contributor": here.contributor,
            "source": {"kind": "external", "url": f"https://example.org/{number}", "author": "摄影者, 甲"},
            "licence": "CC-BY-4.0",
            "state": "accepted",
            "pii_clear_by": here.curator,
            "category": here.benchmark.categories.get(slug=category) if category else None,
            "subset": "A",
            "client_key": uuid.uuid4(),
        }
        | values
    )
    if clean:
        noise = np.random.default_rng(number).integers(0, 256, (16, 24, 3), dtype=np.uint8)
        out = io.BytesIO()
        Pillow.fromarray(noise).save(out, "PNG" if number % 2 else "JPEG")
        store(image, out.getvalue(), "png" if number % 2 else "jpg")
    return image


def store(image: Image, data: bytes, extension: str, version: int = 1) -> Rendition:
    """Put a clean file into the store."""
    key = f"renditions/{image.pk}/{version}-clean.{extension}"
    path = Path(settings.MEDIA_ROOT) / key
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return Rendition.objects.create(
        image=image,
        role="clean",
        version=version,
        sha256=hashlib.sha256(data).hexdigest(),
        bytes=len(data),
        width=24,
        height=16,
        key=key,
    )


def captions(number: int) -> dict:
    """Content of an item."""
    return {"captions": [f"第{number}张图片的第{i}句描述" for i in range(1, 6)]}


def accepted(here: World, number: int, **values: object) -> Item:
    """An accepted item on a picture of its own, at its second revision; a tick that is left out was there before."""
    ticked = {"pii_clear_by": here.curator} if values.get("pii_clear_by", here.curator) is None else {}
    image = picture(here, number, **values | ticked)
    item = accept(here, image, number)
    if ticked:
        Image.objects.filter(pk=image.pk).update(pii_clear_by=None)
    return item


def questions(number: int) -> dict:
    """Content of an item of visual questions."""
    return {
        "pairs": [
            {"question": f"第{number}张图片里的第{i}样东西是什么？", "answer": f"{number}号东西{i}"}
            for i in range(1, 4)
        ]
    }


def accept(
    here: World,
    image: Image,
    number: int,
    slot: int = 0,
    kind: str = "captions",
    content: dict[str, Any] | None = None,
) -> Item:
    """An accepted item on a picture; without ``content``, one of the kind by the number."""
    newest = content or (captions if kind == "captions" else questions)(number)
    item = Item.objects.create(
        benchmark=here.benchmark,
        kind=kind,
        image=image,
        slot=slot,
        number=number,
        state="accepted",
        revision_no=2,
        accepted_no=2,
    )
    for no, own in ((1, {"captions": ["旧"] * 5}), (2, newest)):
        ItemRevision.objects.create(
            item=item,
            no=no,
            author=here.annotator,
            origin="annotator",
            content=own,
            protocol=here.benchmark.protocol,
            client_key=uuid.uuid4(),
        )
    return item


def rounds(number: int, count: int = 10) -> dict:
    """Content of a dialogue; its texts are in no other."""
    return {
        "rounds": [
            {"question": f"第{number}张图片里的第{i}样东西是什么？", "answer": f"第{i}样是{number}号灯。"}
            for i in range(1, count + 1)
        ]
    }


def accept_dialogue(here: World, image: Image, number: int, content: dict[str, Any] | None = None) -> Item:
    """An accepted dialogue that began with the third of the picture's accepted captions."""
    base = Item.objects.filter(benchmark=here.benchmark, kind="captions", image=image).first()
    base = base or accept(here, image, number)
    item = accept(here, image, number, kind="dialogue", content=content or rounds(number))
    ItemBase.objects.create(item=item, base_item=base, base_no=base.accepted_no, path="captions.2", seed=b"7" * 16)
    return item


def filled(here: World, count: int = 20) -> list[Item]:
    """So many accepted items."""
    return [accepted(here, number) for number in range(1, count + 1)]


def frozen(here: World, *kinds: str, seed: int = 7, **settings: Any) -> Release:
    """Draft, check and freeze a release at once, as an admin and a worker do; its files are still to be written."""
    release = services.create_release(
        actor=here.admin,
        benchmark_slug=here.benchmark.slug,
        kinds=kinds or ["captions"],
        seed=seed,
        client_key=uuid.uuid4(),
        **settings,
    )
    return freeze(here.admin, release)


def freeze(actor: Person, release: Release) -> Release:
    """Check a draft and freeze it, as an admin and a worker do."""
    services.check_release(actor=actor, release_id=release.pk, client_key=uuid.uuid4())
    requested = services.freeze_release(actor=actor, release_id=release.pk, client_key=uuid.uuid4())
    assert jobs.run(requested.job_id, services.freeze) == "done"
    return Release.objects.select_related("benchmark", "protocol").get(pk=release.pk)
