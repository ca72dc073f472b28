"""An installation whose finished files lie in a bucket: from a picture that comes in to what is computed over it."""

import io
import json
import shutil

import pytest
from django.core.management import CommandError, call_command

from annotation.imports.models import Import
from annotation.items.models import Item
from annotation.releases import queries as release_queries
from annotation.releases import services as releases
from annotation.releases.models import ReleaseFile
from curation.core import jobs
from curation.core.errors import StorageUnavailable
from curation.core.models import AuditEvent, Job
from curation.core.stores import media_folder, store
from curation.images.models import Image, Rendition, Upload, media_url
from curation.images.rules import Region
from curation.images.services import cover_image, destroy_files, sweep_files
from evaluation.runs import services as runs
from evaluation.runs.models import Chunk, Feature, Reply, ReplyFailure
from evaluation.submissions.models import Submission
from tests import buckets, pictures
from tests.annotation.imports.test_services import import_rows, line, upload
from tests.annotation.releases.content import filled, frozen
from tests.annotation.releases.content import team as release_team
from tests.evaluation.accepted import accepted_item, add_system, benchmark
from tests.evaluation.submissions.predictions import right, scored, submit, world_with_release
from tests.people import key, send, signed_in

pytestmark = pytest.mark.django_db


def moved():
    """Bring what a helper wrote into the folder to the bucket."""
    call_command("move_to_bucket", remove=True, stdout=io.StringIO())


def finished_here():
    """Finished files that lie in the working folder."""
    return [path for path in pictures.files(media_folder().root) if not path.startswith("incoming/")]


def counts():
    return [model.objects.count() for model in (Image, Rendition, Item, Import, Submission, Job, AuditEvent)]


def test_a_picture_goes_to_the_bucket_and_from_there_to_who_may_see_it(bucket):
    here = pictures.picture_world(keep_originals=True)
    image = Image.objects.get(pk=pictures.upload(here.contributor, pictures.loaded_jpeg(1)).image_id)
    keys = set(Rendition.objects.values_list("key", flat=True))
    original = f"originals/{here.benchmark.pk}/{image.sha256[:2]}/{image.sha256}"
    assert set(buckets.keys(bucket)) == {f"a/team/{key}" for key in keys | {original}}
    assert pictures.files(media_folder().root) == []
    view = image.renditions.get(role="view")
    address = media_url(image.pk, view.pk, "view", view.key)
    client = signed_in(here.curator)
    answer = client.get(address)
    data = b"".join(answer.streaming_content)
    assert (answer.status_code, len(data), answer.headers["ETag"]) == (200, view.bytes, f'"{view.sha256}"')
    assert data == store().read(view.key)
    assert pictures.MARK not in data
    part = client.get(address, HTTP_RANGE="bytes=4-9")
    assert (part.status_code, b"".join(part.streaming_content)) == (206, data[4:10])
    whole = client.get(address, HTTP_RANGE="bytes=4-9", HTTP_IF_RANGE='"another"')
    assert (whole.status_code, b"".join(whole.streaming_content)) == (200, data)
    elsewhere = pictures.picture_world(slug="other", prefix="x")
    assert signed_in(elsewhere.curator).get(address).status_code == 404
    # A second picture like it is found by what lies in the bucket.
    paler = pictures.encode(pictures.pixels(), quality=60)
    second = Image.objects.get(pk=pictures.upload(here.curator, paler).image_id)
    assert [flag["code"] for flag in second.flags] == ["near_duplicate"]
    stray = "renditions/9/99-clean.jpg"
    assert buckets.client().put_object(Bucket=bucket["bucket"], Key=f"a/team/{stray}", Body=b"left behind")
    assert sweep_files() == 0  # too young
    assert sweep_files(now=4e9) == 1
    assert not store().exists(stray)
    store().remove(view.key)
    assert client.get(address).status_code == 404


def test_while_the_bucket_is_away_nothing_changes_and_nothing_is_lost(bucket, stop_storage):
    here = pictures.picture_world()
    image = pictures.image(here.contributor)
    waiting = pictures.ready(here.contributor, pictures.jpeg(2))
    view = image.renditions.get(role="view")
    address, client = media_url(image.pk, view.pk, "view", view.key), signed_in(here.contributor)
    before, lying = counts(), set(buckets.keys(bucket))
    restart = stop_storage()
    url, asked = "benchmarks/cvlue/uploads/take", {"ids": [str(waiting.pk)], "client_key": key()}
    answers = [
        client.get(address),
        send(client, "POST", url, asked),
    ]
    for answer in answers:
        assert (answer.status_code, answer.json()["code"]) == (503, "storage_unavailable")
        assert answer.headers["Retry-After"] == "2"
    assert (counts(), Upload.objects.get(pk=waiting.pk).state) == (before, "ready")
    restart()
    assert set(buckets.keys(bucket)) == lying
    (taken,) = send(client, "POST", url, asked).json()["results"]
    assert (taken["error"], taken["image"]["label"]) == (None, "img-0002")
    assert client.get(address).status_code == 200


def test_a_release_is_written_to_the_bucket_and_read_from_it(bucket, stop_storage):
    here = release_team()
    filled(here, 4)
    moved()
    release = frozen(here)
    restart = stop_storage()
    assert jobs.run(release.job_id, releases.write_files) == "queued"  # it passes by itself
    restart()
    assert jobs.run(release.job_id, releases.write_files) == "done"
    assert finished_here() == []
    written = ReleaseFile.objects.filter(release=release)
    assert written.count() > 5
    client = signed_in(here.admin)
    for file in written:
        assert store().sha256(release_queries.key_of(release.pk, file.name)) == file.sha256
    card = release_queries.key_of(release.pk, "README.md")
    answer = client.get(f"/api/v1/releases/{release.pk}/files/README.md")
    assert b"".join(answer.streaming_content) == store().read(card)
    assert answer.headers["Content-Disposition"] == 'attachment; filename="README.md"'
    assert signed_in(here.stranger).get(f"/api/v1/releases/{release.pk}/files/README.md").status_code == 403
    # Damaged, it is written anew to its published sum; what is whole is left alone.
    published, came = store().sha256(card), {f.key: f.mtime_ns for f in store().list_files("releases")}
    buckets.client().put_object(Bucket=bucket["bucket"], Key=f"a/team/{card}", Body=b"tampered with")
    Job.objects.filter(pk=release.job_id).update(state="queued")
    assert jobs.run(release.job_id, releases.write_files) == "done"
    assert store().sha256(card) == published
    assert {f.key: f.mtime_ns for f in store().list_files("releases") if f.key != card}.items() <= came.items()
    store().remove(card)
    gone = client.get(f"/api/v1/releases/{release.pk}/files/README.md")
    assert (gone.status_code, gone.json()["code"]) == (404, "release_file_gone")


def test_a_gpu_worker_reads_pictures_from_the_bucket_with_no_folder_to_share(
    bucket, by_number, tmp_path, settings, stop_storage
):
    team = benchmark("by-number")
    add_system(tmp_path, "by-number", "by-number")
    items = [accepted_item(team, number) for number in (1, 2, 3)]
    moved()
    store().remove(items[2].image.renditions.get().key)
    shutil.rmtree(settings.MEDIA_ROOT)
    assert [runs.embed_accepted(run_id) for run_id in runs.sweep_predictions()] == ["done"]
    assert not settings.MEDIA_ROOT.exists()
    assert (Reply.objects.count(), Feature.objects.count()) == (10, 17)
    assert {(f.entry.item, f.code) for f in ReplyFailure.objects.all()} == {(items[2], "picture_missing")}
    assert by_number.seen == [1, 2]
    accepted_item(team, 4)
    moved()
    stop_storage()
    assert [runs.embed_accepted(run_id) for run_id in runs.sweep_predictions()] == ["failed"]
    assert Chunk.objects.order_by("pk").last().error_code == "picture_store_unreachable"
    assert ReplyFailure.objects.count() == 5  # no picture is blamed


def test_predictions_and_imports_are_kept_in_the_bucket(bucket, stop_storage):
    team, release = world_with_release()
    moved()
    found = scored(team.contributor, release, right())
    assert found.state == "scored"
    answer = signed_in(team.contributor).get(f"/api/v1/submissions/{found.pk}/file")
    assert b"".join(answer.streaming_content) == store().read(found.key) == right()
    here = pictures.picture_world(slug="imports", prefix="b")
    pictures.judge(here.curator, pictures.image(here.contributor, slug="imports"))
    imported = import_rows(here, line(1), benchmark_slug="imports")
    assert (imported.counts["rows"], store().exists(imported.key)) == (1, False)
    before, lying = counts(), set(buckets.keys(bucket))
    restart = stop_storage()
    for bring in (
        lambda: submit(team.contributor, release, right()),
        lambda: upload(here, json.dumps(line(1)), benchmark_slug="imports"),
    ):
        with pytest.raises(StorageUnavailable):
            bring()
    restart()
    assert (counts(), set(buckets.keys(bucket)), finished_here()) == (before, lying, [])
    assert pictures.files(media_folder().root) == []


def test_a_folder_is_moved_into_a_bucket_in_as_many_tries_as_it_takes(bucket, settings, stop_storage, monkeypatch):
    root = media_folder().root
    wanted = {f"renditions/{n}/1-view.webp": b"%d" % n * 100 for n in range(5)}
    for path, data in (wanted | {"incoming/tmp1": b"in flux", "releases/1/.a.part": b"in flux"}).items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(data)
    real, sent = type(store()).put, []

    def cut(self, key, *args):
        if len(sent) == 2:
            raise KeyboardInterrupt
        sent.append(key)
        return real(self, key, *args)

    monkeypatch.setattr(type(store()), "put", cut)
    with pytest.raises(KeyboardInterrupt):
        call_command("move_to_bucket", stdout=io.StringIO())
    monkeypatch.undo()
    restart = stop_storage()
    with pytest.raises(CommandError, match="0 sent, 0 were there: run it again"):
        call_command("move_to_bucket", stdout=io.StringIO())
    restart()
    out = io.StringIO()
    call_command("move_to_bucket", stdout=out)
    assert out.getvalue() == "3 sent, 2 were there\n"
    assert {key: store().read(key) for key in wanted} == wanted
    assert len(pictures.files(root)) == 7
    (root / "renditions/3/1-view.webp").write_bytes(b"another")
    with pytest.raises(
        CommandError, match=r"another file under renditions/3/1-view\.webp\..* 0 sent, 1 were there: run it again"
    ):
        call_command("move_to_bucket", remove=True, stdout=io.StringIO())
    assert store().read("renditions/3/1-view.webp") == wanted["renditions/3/1-view.webp"]
    assert len(pictures.files(root)) == 6
    settings.OBJECT_STORE = settings.OBJECT_STORE | {"bucket": ""}
    with pytest.raises(CommandError, match="OBJECT_STORE_BUCKET missing"):
        call_command("move_to_bucket")


@pytest.mark.parametrize("site", ["folder", "bucket"])
def test_what_is_covered_between_two_moves_is_left_in_neither_place(bucket, settings, site):
    """The site still works on the folder after the first move, or on the bucket while the folder keeps its copies."""
    in_bucket, root = settings.OBJECT_STORE, media_folder().root
    settings.OBJECT_STORE = in_bucket | {"bucket": ""}
    here = pictures.picture_world()
    data = pictures.encode(pictures.marked(), quality=95)
    image = Image.objects.get(pk=pictures.upload(here.contributor, data).image_id)

    def move():
        settings.OBJECT_STORE = in_bucket
        call_command("move_to_bucket", stdout=io.StringIO())

    def with_pattern():
        objects = [buckets.client().get_object(Bucket=bucket["bucket"], Key=key) for key in buckets.keys(bucket)]
        in_objects = sum(pictures.shows_pattern(one["Body"].read()) for one in objects)
        return len(pictures.files_with_pattern(root)), in_objects

    move()
    assert with_pattern() == (3, 3)
    settings.OBJECT_STORE = in_bucket | ({"bucket": ""} if site == "folder" else {})
    regions = [Region("a", pictures.BOX, "face", "fill")]
    cover_image(actor=here.curator, image_id=image.pk, no=0, regions=regions, client_key=key())
    destroy_files()
    assert with_pattern() == ((0, 3) if site == "folder" else (0, 0))
    move()
    assert with_pattern() == (0, 0)
    assert all(store().exists(file.key) for file in image.renditions.filter(version=2))
