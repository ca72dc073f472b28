"""Pictures for tests of what comes after intake: rows without files."""

from __future__ import annotations

import hashlib
import uuid

from curation.benchmarks.models import Benchmark
from curation.images.models import Image, Rendition
from curation.people.models import Person


def accepted_pictures(benchmark: Benchmark, contributor: Person, curator: Person, count: int) -> list[Image]:
    """Insert accepted pictures, cleared of personal information, with their three renditions."""
    start = Image.objects.filter(benchmark=benchmark).count()
    digests = {
        n: hashlib.sha256(f"{benchmark.pk}-{n}".encode()).hexdigest() for n in range(start + 1, start + count + 1)
    }
    made = Image.objects.bulk_create(
        Image(
            benchmark=benchmark,
            number=n,
            sha256=digest,
            phash=int(digest[:15], 16),
            width=800,
            height=600,
            contributor=contributor,
            source={"kind": "own"},
            licence="own-work",
            state="accepted",
            pii_clear_by=curator,
            client_key=uuid.uuid4(),
        )
        for n, digest in digests.items()
    )
    Rendition.objects.bulk_create(
        Rendition(
            image=image, role=role, sha256=image.sha256, bytes=1, width=800, height=600, key=f"{image.pk}/{role}.webp"
        )
        for image in made
        for role in ("clean", "view", "thumb")
    )
    return made
