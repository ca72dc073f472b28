"""Limits in bytes: what is created is reserved, what is checked is measured, what is added belongs to the benchmark."""

import io
import threading
import uuid

import pytest
from django.db import connection
from django.db.models import Sum
from django.test.utils import CaptureQueriesContext

from curation.benchmarks.models import Benchmark
from curation.core.errors import StorageFull
from curation.images import errors
from curation.images.models import Rendition, Upload
from curation.images.services import (
    append_part,
    check_upload,
    create_upload,
    describe_uploads,
    drop_upload,
    finalize_uploads,
)
from curation.images.services.limits import used
from tests import pictures
from tests.pictures import files

pytestmark = pytest.mark.django_db


def create(who, length, slug="cvlue", **more):
    values = {"filename": "photo.jpg", "client_key": uuid.uuid4()} | more
    return create_upload(actor=who, benchmark_slug=slug, length=length, **values).upload


def bytes_of(here, who=None):
    """What the person's uploads occupy, and what the benchmark holds."""
    now = used((who or here.contributor).pk, here.benchmark.pk)
    return now.person_bytes, now.benchmark_bytes


def size_of(media):
    return sum(path.stat().st_size for path in media.rglob("*") if path.is_file() and path.name != "owner")


@pytest.fixture
def small(settings):
    settings.UPLOAD_BYTES_PER_PERSON, settings.BENCHMARK_BYTES = 1_000_000, 1_500_000


def test_a_person_reserves_what_they_announce_until_it_is_dropped(here, media, small):
    first = create(here.contributor, 600_000)
    assert bytes_of(here) == (600_000, 600_000)
    held = files(media)
    with pytest.raises(errors.PersonStorageLimit) as refused:
        create(here.contributor, 400_001)
    assert (refused.value.code, refused.value.status) == ("person_storage_limit", 429)
    assert refused.value.params == {"limit": 1_000_000, "used": 600_000, "bytes": 400_001}
    assert (Upload.objects.count(), files(media), bytes_of(here)) == (1, held, (600_000, 600_000))
    create(here.contributor, 400_000)
    assert bytes_of(here) == (1_000_000, 1_000_000)
    assert create(here.contributor, 600_000, client_key=first.client_key).pk == first.pk  # a repeat reserves nothing
    drop_upload(actor=here.contributor, upload_id=first.pk)
    drop_upload(actor=here.contributor, upload_id=first.pk)
    assert bytes_of(here) == (400_000, 400_000)


def test_a_benchmark_holds_the_uploads_of_all_its_people(here, media, small):
    create(here.contributor, 900_000)
    held = files(media)
    with pytest.raises(errors.BenchmarkStorageLimit) as refused:
        create(here.curator, 600_001)
    assert (refused.value.code, refused.value.status) == ("benchmark_storage_limit", 507)
    assert refused.value.params == {"limit": 1_500_000, "used": 900_000, "bytes": 600_001}
    assert (Upload.objects.count(), files(media)) == (1, held)
    create(here.curator, 600_000)
    assert bytes_of(here, here.curator) == (600_000, 1_500_000)


def test_one_persons_bytes_are_counted_in_all_benchmarks(here, make_world, small):
    other = make_world("other", "o-")
    create(other.contributor, 700_000, slug="other")
    assert bytes_of(here, other.contributor) == (700_000, 0)
    create(here.contributor, 900_000)
    assert bytes_of(here) == (900_000, 900_000)


@pytest.mark.parametrize("keeps", [False, True])
def test_bytes_follow_a_picture_to_the_benchmark(make_world, media, keeps):
    here = make_world(keep_originals=keeps)
    data = pictures.jpeg()
    upload = pictures.begin(here.contributor, data)
    assert bytes_of(here) == (len(data), len(data))
    check_upload(upload.pk)
    upload.refresh_from_db()
    staged = sum(file["bytes"] for file in upload.cleaned["files"]) + (len(data) if keeps else 0)
    on_disk = size_of(media)
    assert (upload.disk_bytes, bytes_of(here)) == (staged, (staged, staged))
    assert on_disk == staged
    details = {"source": "own", "licence": "own-work", "category": "lantern"}
    describe_uploads(actor=here.contributor, benchmark_slug="cvlue", ids=[upload.pk], details=details)
    (result,) = finalize_uploads(actor=here.contributor, benchmark_slug="cvlue", ids=[upload.pk])
    assert result.error is None
    stored = Rendition.objects.aggregate(n=Sum("bytes"))["n"] + (len(data) if keeps else 0)
    assert stored == staged == size_of(media)
    assert bytes_of(here) == (0, staged)
    assert Benchmark.objects.get(pk=here.benchmark.pk).picture_bytes == staged
    finalize_uploads(actor=here.contributor, benchmark_slug="cvlue", ids=[upload.pk])
    assert bytes_of(here) == (0, staged)


def test_a_rejected_file_occupies_nothing(here, media):
    upload = pictures.begin(here.contributor, b"no picture at all")
    assert bytes_of(here) == (17, 17)
    assert check_upload(upload.pk).code == "image_type_refused"
    assert (bytes_of(here), files(media)) == ((0, 0), [])


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("limited", ["person", "benchmark"])
def test_of_many_that_reserve_at_once_only_those_pass_for_which_there_is_room(make_world, media, settings, limited):
    here = make_world()
    here.contributor.grants, here.curator.grants  # noqa: B018
    people = [here.contributor] * 8 if limited == "person" else [here.contributor, here.curator] * 4
    setting = "UPLOAD_BYTES_PER_PERSON" if limited == "person" else "BENCHMARK_BYTES"
    setattr(settings, setting, 350)
    gate, ends = threading.Barrier(8), []

    def run(who):
        gate.wait()
        try:
            create(who, 100)
            ends.append("created")
        except (errors.PersonStorageLimit, errors.BenchmarkStorageLimit) as error:
            ends.append(error.code)
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=[who]) for who in people]
    [t.start() for t in threads]
    [t.join() for t in threads]
    assert sorted(ends) == sorted(["created"] * 3 + [f"{limited}_storage_limit"] * 5)
    assert (Upload.objects.count(), bytes_of(here)[1]) == (3, 300)


def test_a_limit_costs_creating_one_statement_and_a_part_none(here, small):
    with CaptureQueriesContext(connection) as created:
        upload = create(here.contributor, 900_000)
    limits = [s["sql"] for s in created if "pg_advisory" in s["sql"] or "disk_bytes > 0" in s["sql"]]
    assert len(limits) == 2  # the lock, and the sums with the number of uploads that was counted before
    with CaptureQueriesContext(connection) as part:
        append_part(actor=here.contributor, upload_id=upload.pk, offset=0, announced=3, source=io.BytesIO(b"abc"))
    assert [s["sql"].split()[0].lower() for s in part] == ["select", "savepoint", "update", "release"]


def test_a_part_never_exceeds_what_was_reserved(here, small):
    upload = create(here.contributor, 10)
    with pytest.raises(errors.UploadTooLarge):
        append_part(actor=here.contributor, upload_id=upload.pk, offset=0, announced=11, source=io.BytesIO(b""))
    source = io.BytesIO(b"x" * 1_000)
    done = append_part(actor=here.contributor, upload_id=upload.pk, offset=0, announced=None, source=source)
    assert (done.received, done.state) == (10, "checking")  # without an announced length no more is read


def test_lowering_a_limit_lets_what_was_reserved_arrive(here, settings):
    upload = create(here.contributor, 3)
    settings.UPLOAD_BYTES_PER_PERSON = settings.BENCHMARK_BYTES = 1
    done = append_part(actor=here.contributor, upload_id=upload.pk, offset=0, announced=3, source=io.BytesIO(b"abc"))
    assert done.state == "checking"
    with pytest.raises(errors.PersonStorageLimit):
        create(here.contributor, 1)


def test_the_disks_floor_is_asked_for_the_whole_file(here, monkeypatch):
    asked = []

    def full(needed):
        asked.append(needed)
        raise StorageFull(disk="media", free=0, needed=needed)

    monkeypatch.setattr("curation.images.services.receiving.require_space", full)
    with pytest.raises(StorageFull):
        create(here.contributor, 12_345)
    assert (asked, Upload.objects.count()) == ([12_345], 0)
