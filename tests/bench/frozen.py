"""A benchmark with a frozen release, put straight into the tables: what systems are measured on."""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Callable, Sequence
from pathlib import Path

from annotation.items.models import Item, ItemRevision
from annotation.releases.models import Release, ReleaseEntry, ReleaseImage
from curation.core import audit
from curation.images.models import Image, Rendition
from curation.taxonomy.models import Category
from tests.evaluation.accepted import benchmark, draft_release
from tests.people import World
from tests.protocols import names

DISTANCES = ("coco", "moderate", "closest")
_AT_ONCE = 2_000


def frozen(
    pictures: int,
    *,
    captions: Callable[[int], Sequence[str]],
    files: tuple[Path, Callable[[int], bytes]] | None = None,
    categories: int = 0,
) -> tuple[World, Release]:
    """Make a release with one split, ``test``, and an item of each picture.

    Args:
        pictures: How many, numbered from 1.
        captions: Texts by number.
        files: The store and a picture's bytes by number; without it pictures are rows alone.
        categories: Categories to spread the pictures over, in three groups of cultural distance.
    """
    team = benchmark()
    here = team.benchmark
    of_distance = [
        Category(
            benchmark=here,
            slug=f"c{n}",
            number=n,
            name=names(f"c{n}"),
            field="f",
            field_name=names("f"),
            distance=DISTANCES[n % 3],
        )
        for n in range(1, categories + 1)
    ]
    made = Category.objects.bulk_create(of_distance)
    images = Image.objects.bulk_create(
        [
            Image(
                benchmark=here,
                number=n,
                sha256=f"{n:064x}",
                phash=n,
                width=320,
                height=240,
                contributor=team.contributor,
                source={"kind": "own"},
                licence="CC-BY-4.0",
                state="accepted",
                pii_clear_by=team.curator,
                category=made[n % categories] if made else None,
                client_key=uuid.uuid4(),
            )
            for n in range(1, pictures + 1)
        ],
        batch_size=_AT_ONCE,
    )
    renditions = Rendition.objects.bulk_create([_clean(image, files) for image in images], batch_size=_AT_ONCE)
    items = Item.objects.bulk_create(
        [
            Item(benchmark=here, kind="captions", image=image, number=image.number, state="made", revision_no=1)
            for image in images
        ],
        batch_size=_AT_ONCE,
    )
    ItemRevision.objects.bulk_create(
        [
            ItemRevision(
                item=item,
                no=1,
                author=team.annotator,
                origin="annotator",
                content={"captions": list(captions(item.number))},
                protocol=here.protocol,
                client_key=uuid.uuid4(),
            )
            for item in items
        ],
        batch_size=_AT_ONCE,
    )
    Item.objects.filter(benchmark=here).update(state="accepted", accepted_no=1)
    release = draft_release(team)
    ReleaseImage.objects.bulk_create(
        [ReleaseImage(release=release, image=image, split="test") for image in images], batch_size=_AT_ONCE
    )
    ReleaseEntry.objects.bulk_create(
        [
            ReleaseEntry(
                release=release,
                item=item,
                kind="captions",
                revision_no=1,
                image=image,
                rendition=rendition,
                split="test",
                ordinal=item.number,
                record={"category": image.category.slug if image.category else ""},
            )
            for item, image, rendition in zip(items, images, renditions, strict=True)
        ],
        batch_size=_AT_ONCE,
    )
    event = audit.record(
        action="release_freeze", target_type="release", target_id=release.pk, actor_id=None, benchmark_id=here.pk
    )
    release.state, release.event_id, release.frozen_at, release.digest = "frozen", event.pk, event.at, "0" * 64
    release.save(update_fields=["state", "event_id", "frozen_at", "digest"])
    return team, release


def _clean(image: Image, files: tuple[Path, Callable[[int], bytes]] | None) -> Rendition:
    key, sha256, size = f"renditions/{image.pk}/1-clean.jpg", f"{image.number:064x}", 1
    if files is not None:
        media, bytes_of = files
        data = bytes_of(image.number)
        sha256, size = hashlib.sha256(data).hexdigest(), len(data)
        (media / key).parent.mkdir(parents=True)
        (media / key).write_bytes(data)
    return Rendition(image=image, role="clean", version=1, sha256=sha256, bytes=size, width=320, height=240, key=key)
