"""The same picture is known again; different ones are kept apart."""

import io
import itertools

import numpy as np
import pytest
from PIL import Image

from curation.benchmarks.queries import preset
from curation.images.rules import SAME, agreement, hashes, overlay
from fixtures import scenes
from tests import pictures as p
from tests.curation.images.rules.hash_distance import distance

LIMIT = preset("cvlue").content["images"]["near_duplicate_distance"]
SEEDS = scenes.distinct_seeds(200)


def seen(picture):
    """What is kept of a picture: its hashes, and its thumb ready to be laid over others."""
    pixels = np.asarray(picture)
    thumb = picture.copy()
    thumb.thumbnail((320, 320), Image.Resampling.LANCZOS)
    return hashes(pixels), overlay(np.asarray(thumb))


def same(one, other):
    return distance(one[0], other[0]) <= LIMIT and agreement(one[1], other[1]) >= SAME


def cut(picture, top, bottom, left, right):
    w, h = picture.size
    return picture.crop((round(w * left), round(h * top), w - round(w * right), h - round(h * bottom)))


def versions(picture):
    yield "quality 60", Image.open(io.BytesIO(p.encode(picture, quality=60)))
    yield "half the size", picture.resize((picture.width // 2, picture.height // 2), Image.Resampling.LANCZOS)
    twentieth = (0, 0.05)
    for sides in itertools.product(twentieth, repeat=4):
        if any(sides):
            yield f"cut by {sides}", cut(picture, *sides)
    yield "cut unevenly", cut(picture, 0.02, 0.04, 0.05, 0.01)
    worse = cut(picture, 0.05, 0.05, 0.05, 0.05).resize((picture.width // 2, picture.height // 2))
    yield "everything", Image.open(io.BytesIO(p.encode(worse, quality=60)))


@pytest.mark.parametrize("seed", SEEDS[:12])
def test_a_picture_is_known_again(seed):
    picture = scenes.draw(scenes.scene(seed)).convert("RGB")
    kept = seen(picture)
    assert [name for name, version in versions(picture) if not same(kept, seen(version.convert("RGB")))] == []


def test_of_two_hundred_distinct_scenes_at_most_one_in_a_hundred_is_flagged():
    kept = [seen(scenes.draw(scenes.scene(seed), scale=0.5).convert("RGB")) for seed in SEEDS]
    flagged = {b for (_, a), (n, b) in itertools.combinations(enumerate(kept), 2) if same(a, b) for b in (n,)}
    assert len(flagged) <= 2


def test_even_surfaces_agree_with_nothing():
    flat = seen(Image.new("RGB", (400, 300), (90, 90, 90)))
    assert agreement(flat[1], flat[1]) == 0
