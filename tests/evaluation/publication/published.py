"""A benchmark with a published release whose pages tests open: files, pictures in every size, samples by protocol."""

from __future__ import annotations

import hashlib
import io
import uuid
from pathlib import Path

from django.conf import settings
from PIL import Image as Pillow

from annotation.releases import services as releases
from annotation.releases.models import Release
from curation.benchmarks.queries import preset
from curation.core import jobs
from curation.images.models import Image, Rendition
from curation.images.services import restore_image, withdraw_image
from evaluation.publication import services
from tests.annotation.releases.content import filled, frozen, protocol, team
from tests.people import World

SAMPLES = {"splits": ["train", "valid"], "answers": True, "per_split": 200}
REASON = preset("cvlue").content["images"]["takedown_reasons"][0]["code"]
TERMS = {"zh-Hans": "仅供研究。", "zh-Hant": "僅供研究。", "en": "For research only."}


def content(**samples: object) -> dict:
    """A protocol whose test answers are withheld, with samples of the others."""
    base = protocol(withheld=["test"], exporters=["jsonl", "parquet", "croissant"])
    return base | {
        "images": preset("cvlue").content["images"],
        "publication": {"samples": SAMPLES | samples, "least_group": 20},
        "meta": {"summary": {"zh-Hans": "中文图文评测", "zh-Hant": "中文圖文評測", "en": "A benchmark of pictures"}},
    }


def reduced(image: Image) -> None:
    """Put the sizes of a picture that pages show into the store."""
    for role, side in (("view", 24), ("thumb", 12)):
        out = io.BytesIO()
        Pillow.new("RGB", (side, side), (image.number % 256, 90, 40)).save(out, "WEBP")
        data = out.getvalue()
        key = f"renditions/{image.pk}/1-{role}.webp"
        path = Path(settings.MEDIA_ROOT) / key
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        sizes = {"bytes": len(data), "width": side, "height": side}
        Rendition.objects.create(image=image, role=role, sha256=hashlib.sha256(data).hexdigest(), key=key, **sizes)


def published_release(here: World, *kinds: str, **values: object) -> Release:
    """Freeze what is accepted, write the files, publish."""
    release = frozen(here, *kinds, **values)
    assert jobs.run(release.job_id, releases.write_files) == "done"
    return releases.publish_release(actor=here.admin, release_id=release.pk, client_key=uuid.uuid4())


def world_with_release(pictures: int = 12, **samples: object) -> tuple[World, Release]:
    """A benchmark with a published release that nobody has opened yet."""
    here = team(content=content(**samples))
    for item in filled(here, pictures):
        reduced(item.image)
    return here, published_release(here)


def opened(here: World, release: Release | None = None, **settings: object) -> None:
    """Open the pages, and a release on them."""
    values = {"is_open": True, **settings}
    services.update_publication(actor=here.admin, benchmark_slug=here.benchmark.slug, client_key=uuid.uuid4(), **values)
    if release is not None:
        services.open_release(actor=here.admin, release_id=release.pk, client_key=uuid.uuid4())


def withdraw(here: World, number: int) -> Image:
    """Withdraw a picture by its number."""
    image = Image.objects.get(benchmark=here.benchmark, number=number)
    withdraw_image(actor=here.admin, image_id=image.pk, reason=REASON, comment="", client_key=uuid.uuid4())
    return image


def restore(here: World, image: Image) -> None:
    """Restore a withdrawn picture."""
    restore_image(actor=here.admin, image_id=image.pk, reason=REASON, comment="", client_key=uuid.uuid4())
