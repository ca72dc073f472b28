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
    made = []
    for n in range(start + 1, start + count + 1):
        digest = hashlib.sha256(f"{benchmark.pk}-{n}".encode()).hexdigest()
        image = Image.objects.create(
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
        for role in ("clean", "view", "thumb"):
            Rendition.objects.create(
                image=image, role=role, sha256=digest, bytes=1, width=800, height=600, key=f"{image.pk}/{role}.webp"
            )
        made.append(image)
    return made
