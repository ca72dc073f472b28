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


# Five captions that obey the rules, different for each ``n``.
_PARTS = [
    ("院子{n}里站着一只黄色舞狮", "黄狮"),
    ("门口{n}挂起两盏大红灯笼", "灯笼"),
    ("灰色地面{n}铺满方形石板", "石板"),
    ("远方屋顶{n}盖着青黑瓦片", "瓦片"),
    ("桌上摆放{n}四只白瓷茶碗", "茶碗"),
]
_DIGITS = "甲乙丙丁戊己庚辛壬癸"


def five_captions(n: int) -> dict[str, list[str]]:
    """Content of a captions item."""
    word = "".join(_DIGITS[int(d)] for d in str(n))
    return {"captions": [text.format(n=word) for text, _ in _PARTS]}
