"""The bytes that a benchmark stores are compared with its rows and files, and repaired."""

import uuid

import pytest
from django.db.models import F

from curation.benchmarks.models import Benchmark
from curation.images.models import Image, Rendition
from curation.images.rules import Region
from curation.images.services import cover_image, destroy_files, measuring
from curation.images.services.measuring import check_picture_bytes
from tests import pictures

pytestmark = pytest.mark.django_db


def bytes_of(here):
    return Benchmark.objects.get(pk=here.benchmark.pk).picture_bytes


def stored(media):
    return sum(path.stat().st_size for path in media.rglob("*") if path.is_file())


@pytest.mark.parametrize("keeps", [False, True])
def test_what_drifted_is_found_and_repaired(make_world, media, keeps):
    here, other = make_world(keep_originals=keeps), make_world("other", "o-")
    for seed in (1, 2):
        pictures.image(here.contributor, seed)
    true_bytes = bytes_of(here)
    assert true_bytes == stored(media) > 0
    assert check_picture_bytes(repair=False) == []
    Benchmark.objects.update(picture_bytes=F("picture_bytes") + 5)
    wrong = [{"benchmark_id": b.pk, "of": "picture_bytes", "n": -5} for b in (here.benchmark, other.benchmark)]
    assert check_picture_bytes(repair=False) == wrong
    assert (bytes_of(here), bytes_of(other)) == (true_bytes + 5, 5)
    assert check_picture_bytes(repair=True) == wrong
    assert (bytes_of(here), bytes_of(other)) == (true_bytes, 0)
    assert check_picture_bytes(repair=True) == []


def test_files_that_covering_destroyed_do_not_count(make_world, media):
    here = make_world()
    picture = pictures.image(here.contributor, 1)
    regions = [Region("a", (2.0, 2.0, 8.0, 8.0), "face", "fill")]
    cover_image(actor=here.curator, image_id=picture.pk, no=0, regions=regions, client_key=uuid.uuid4())
    destroy_files()
    assert bytes_of(here) == stored(media)
    assert check_picture_bytes(repair=False) == []


@pytest.mark.parametrize("keeps", [False, True])
def test_pictures_that_are_added_while_the_store_is_listed_count(make_world, media, monkeypatch, keeps):
    here = make_world(keep_originals=keeps)
    pictures.image(here.contributor, 1)
    lock = measuring.lock_numbering

    def late(benchmark_id):
        if Image.objects.count() == 1:
            pictures.image(here.contributor, 2)
        lock(benchmark_id)

    monkeypatch.setattr(measuring, "lock_numbering", late)
    assert check_picture_bytes(repair=True) == []
    assert (Image.objects.count(), bytes_of(here)) == (2, stored(media))


def test_an_original_without_a_picture_does_not_count(make_world, media):
    """Such as one that a killed process left; the sweep of files removes it."""
    here = make_world(keep_originals=True)
    pictures.image(here.contributor)
    sha256 = "0" * 64
    stray = media / "originals" / str(here.benchmark.pk) / sha256[:2] / sha256
    stray.parent.mkdir(parents=True)
    stray.write_bytes(b"stray")
    assert check_picture_bytes(repair=False) == []
    next((media / "originals").rglob(Image.objects.get().sha256)).unlink()
    (wrong,) = check_picture_bytes(repair=True)
    assert wrong["n"] == -len(pictures.jpeg(1))
    assert bytes_of(here) == sum(Rendition.objects.values_list("bytes", flat=True))
