"""Files of a frozen release: what is written, what a tampered store comes to."""

import hashlib
import json
import uuid

import pgtrigger
import pytest
from django.db import connection

from annotation.items.models import Item, ItemRevision
from annotation.releases import queries, services
from annotation.releases.errors import ReleaseContentDiffers, ReleaseFileDiffers, ReleaseFileGone
from annotation.releases.exporters import registry
from annotation.releases.models import ReleaseFile
from curation.core import jobs
from curation.core.errors import NotFound
from curation.core.models import Job
from curation.images.models import Image
from tests.annotation.releases.content import accept, captions, filled, frozen, picture, store, team
from tests.pictures import files
from tests.shared import shared

ALL = ["jsonl", "parquet", "csv", "coco_captions", "label_studio", "cvlue_published", "croissant"]
FILES = [
    "README.md",
    "archive.index",
    "captions-test-00000-of-00001.parquet",
    "captions-test.jsonl",
    "captions-train-00000-of-00001.parquet",
    "captions-train.jsonl",
    "captions-valid-00000-of-00001.parquet",
    "captions-valid.jsonl",
    "changes.jsonl",
    "checksums.txt",
    "licences.csv",
]


@pytest.fixture(autouse=True)
def media(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "media"
    return settings.MEDIA_ROOT


@shared
def here():
    return team()


def write(release):
    """Run the job that a worker would run; its state."""
    return jobs.run(release.job_id, services.write_files)


def job_of(release):
    return Job.objects.get(pk=release.job_id)


def sums(release):
    return dict(ReleaseFile.objects.filter(release=release).values_list("name", "sha256"))


def in_folder(release):
    return {path.name: path.read_bytes() for path in services.folder_of(release.pk).iterdir()}


def test_the_job_writes_every_file_and_says_how_far_it_is(here):
    filled(here, 20)
    release = frozen(here)
    assert queries.missing_files(release) == [
        job.file.name for job in registry.work(["jsonl", "parquet"], facts(release))
    ]
    assert write(release) == "done"
    files = in_folder(release)
    assert sorted(files) == sorted(sums(release)) == FILES
    for file in ReleaseFile.objects.filter(release=release):
        assert (file.bytes, file.sha256) == (len(files[file.name]), hashlib.sha256(files[file.name]).hexdigest())
    assert queries.missing_files(release) == []
    assert dict(ReleaseFile.objects.filter(release=release).values_list("name", "format"))["licences.csv"] == "licences"
    # all records for JSON lines, for Parquet, for the list of licences, for the card and for the archive
    assert (job_of(release).done, job_of(release).total) == (100, 100)


def facts(release):
    return queries.facts_of(release)


def test_the_files_check_each_other(here):
    filled(here, 20)
    release = frozen(here)
    write(release)
    files = in_folder(release)
    lines = [files[f"captions-{split}.jsonl"] for split in ("train", "valid", "test")]
    assert [text.count(b"\n") for text in lines] == [12, 2, 6]
    assert hashlib.sha256(b"".join(lines)).hexdigest() == release.digest
    late = {"checksums.txt", "archive.index"}  # written after the checksums
    listed = dict(line.split("  ")[::-1] for line in files["checksums.txt"].decode().splitlines())
    assert listed == {name: sha256 for name, sha256 in sums(release).items() if name not in late}
    first = json.loads(lines[0].splitlines()[0])
    assert first["captions"] == captions(first["id"])["captions"]


def test_same_content_and_seed_give_the_same_bytes_in_every_format(db):
    here = team(exporters=ALL)
    filled(here, 20)
    one, two, other = frozen(here), frozen(here), frozen(here, seed=8, splits_from="anew")
    for release in (one, two, other):
        assert write(release) == "done"
    assert one.digest == two.digest != other.digest
    # These name the release, its date and what it is compared with; checksums and archive name them.
    differ = {name for name, sha256 in sums(one).items() if sums(two)[name] != sha256}
    assert differ == {"README.md", "archive.index", "checksums.txt", "croissant.json"} | {
        f"captions-{split}-coco.json" for split in ("train", "valid", "test")
    }


def test_answers_of_a_withheld_split_are_in_the_key_file_only(db):
    here = team(exporters=ALL, withheld=["test"])
    filled(here, 20)
    release = frozen(here)
    assert write(release) == "done"
    files = in_folder(release)
    tested = [json.loads(line) for line in files["captions-test.jsonl"].splitlines()]
    assert [record["captions"] for record in tested] == [[]] * 6
    key = [json.loads(line) for line in files["captions-test-key.jsonl"].splitlines()]
    assert key == [
        {
            "item": r["item"],
            "revision": 2,
            "image": r["image"],
            "split": "test",
            "captions": captions(r["id"])["captions"],
        }
        for r in tested
    ]
    assert [file.name for file in ReleaseFile.objects.filter(release=release, is_key=True)] == [
        "captions-test-key.jsonl"
    ]
    secrets = [caption.encode() for row in key for caption in row["captions"]]
    # Candidates without their pictures are what a retrieval test gives out.
    open_files = files.keys() - {"captions-test-key.jsonl", "cvlue-ic-test-captions.json"}
    assert not [name for name in open_files for secret in secrets if secret in files[name]]
    assert b"-key" not in files["README.md"] + files["croissant.json"] + files["checksums.txt"]
    full = b"".join(files[f"captions-{split}.jsonl"] for split in ("train", "valid"))
    assert hashlib.sha256(full).hexdigest() != release.digest


def test_changes_name_what_came_went_and_reads_otherwise(db):
    here = team(exporters=["jsonl"])
    items = filled(here, 3)
    write(frozen(here))
    Item.objects.filter(pk=items[0].pk).update(state="returned", accepted_no=None)
    ItemRevision.objects.create(
        item=items[1],
        no=3,
        author=here.annotator,
        origin="annotator",
        content={"captions": ["新"] * 5},
        protocol=here.benchmark.protocol,
        client_key=uuid.uuid4(),
    )
    Item.objects.filter(pk=items[1].pk).update(revision_no=3, accepted_no=3)
    accept(here, picture(here, 4), 4)
    release = frozen(here)
    assert write(release) == "done"
    lines = [json.loads(line) for line in in_folder(release)["changes.jsonl"].splitlines()]
    assert sorted(lines, key=lambda line: line["item"]) == [
        {
            "change": "removed",
            "item": "cap-000001",
            "image": "img-0001",
            "revision": None,
            "previous_revision": 2,
            "fields": [],
        },
        {
            "change": "changed",
            "item": "cap-000002",
            "image": "img-0002",
            "revision": 3,
            "previous_revision": 2,
            "fields": ["captions", "revision"],
        },
        {
            "change": "added",
            "item": "cap-000004",
            "image": "img-0004",
            "revision": 2,
            "previous_revision": None,
            "fields": [],
        },
    ]
    assert b"Against `captions-v1`: 1 added, 1 removed, 1 changed." in in_folder(release)["README.md"]


def test_what_is_corrected_after_freezing_does_not_reach_the_files(here):
    items = filled(here, 6)
    release = frozen(here)
    Image.objects.filter(pk=items[0].image_id).update(licence="unclear", subset="B", source={}, category=None)
    store(items[1].image, b"a later rendition", "png", version=2)
    assert write(release) == "done"
    files = in_folder(release)
    lines = b"".join(files[f"captions-{split}.jsonl"] for split in ("train", "valid", "test"))
    assert hashlib.sha256(lines).hexdigest() == release.digest


def again(release):
    """Open the job once more, as a sweep finds it after its worker was killed."""
    Job.objects.filter(pk=release.job_id).update(state="queued", finished_at=None)
    return write(release)


def test_a_second_run_keeps_existing_files_and_replaces_missing_or_damaged_ones(here):
    filled(here, 8)
    release = frozen(here)
    write(release)
    folder = services.folder_of(release.pk)
    shard = "captions-train-00000-of-00001.parquet"
    before = {p.name: (p.read_bytes(), p.stat().st_mtime_ns) for p in folder.iterdir()}
    (folder / shard).unlink()
    (folder / "licences.csv").write_bytes(b"torn")
    assert again(release) == "done"
    after = {p.name: (p.read_bytes(), p.stat().st_mtime_ns) for p in folder.iterdir()}
    assert {n: b for n, (b, _) in after.items()} == {n: b for n, (b, _) in before.items()}
    assert {n for n in after if after[n] != before[n]} == {shard, "licences.csv"}
    assert ReleaseFile.objects.filter(release=release).count() == len(FILES)


def test_files_are_written_above_the_disks_floor_only(here, media, settings):
    filled(here, 3)
    release = frozen(here)
    held = files(media)
    settings.MEDIA_FLOOR_BYTES = 10**18
    assert write(release) == "queued"
    job = Job.objects.get(pk=release.job_id)
    assert (job.error_code, job.error_params["disk"], job.error_params["free"]) == ("storage_full", "media", 0)
    assert (files(media), ReleaseFile.objects.count()) == (held, 0)
    assert write(release) == "lost"  # it is not claimed, so its records are not read again
    settings.MEDIA_FLOOR_BYTES = 0
    assert write(release) == "done"
    job.refresh_from_db()
    assert (job.error_code, job.error_params) == ("", {})


def test_a_damaged_picture_stops_the_job_with_its_name(here, media):
    items = filled(here, 3)
    release = frozen(here)
    (media / items[1].image.renditions.get().key).write_bytes(b"not the picture")
    assert write(release) == "failed"
    assert (job_of(release).error_code, job_of(release).error_params) == (
        "release_picture_damaged",
        {"label": "img-0002"},
    )


def test_records_that_do_not_add_up_stop_the_job(here):
    filled(here, 3)
    release = frozen(here)
    forged = "update annotation_releaseentry set record = jsonb_set(record, '{licence}', '\"other\"') where ordinal = 1"
    with pgtrigger.ignore("annotation.ReleaseEntry:append_only"), connection.cursor() as cursor:
        cursor.execute(forged)  # as the database's owner could
    assert write(release) == "failed"
    assert job_of(release).error_code == ReleaseContentDiffers.code
    assert not ReleaseFile.objects.exists()


def test_bytes_other_than_the_published_ones_are_never_put_in_place(here):
    filled(here, 3)
    release = frozen(here)
    ReleaseFile.objects.create(release=release, name="licences.csv", bytes=1, sha256="0" * 64)
    assert write(release) == "failed"
    assert job_of(release).error_code == ReleaseFileDiffers.code
    assert "licences.csv" not in in_folder(release)
    assert not [name for name in in_folder(release) if name.startswith(".")]


def test_a_file_that_is_missing_from_the_store_is_reported(here):
    filled(here, 3)
    release = frozen(here)
    write(release)
    services.file_to_send(actor=here.admin, release_id=release.pk, name="licences.csv")
    (services.folder_of(release.pk) / "licences.csv").unlink()
    with pytest.raises(ReleaseFileGone):
        services.file_to_send(actor=here.admin, release_id=release.pk, name="licences.csv")
    for name in ("../../../etc/passwd", "..", "unknown.csv", ".captions-train.jsonl.part"):
        with pytest.raises(NotFound):
            services.file_to_send(actor=here.admin, release_id=release.pk, name=name)
