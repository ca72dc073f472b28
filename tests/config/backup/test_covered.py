"""A covered picture is in no backup that was made before, and in no restore of one, by the commands that people run."""

import io
import shutil
import uuid
from pathlib import Path

import pytest
from django.core.management import call_command
from django.utils import timezone

from config.backup import making
from config.backup.destroyed import LIST, clean_backups, read_list
from curation.images.models import Destruction, Image, Rendition, Upload
from curation.images.rules import Region
from curation.images.services import (
    check_upload,
    clear_images,
    cover_image,
    describe_uploads,
    destroy_files,
    finalize_uploads,
)
from curation.images.services.storage import upload_folder
from evaluation.runs.models import Feature
from evaluation.runs.services import erase_vectors
from evaluation.systems.models import System
from tests.pictures import (
    BOX,
    MARK,
    begin,
    encode,
    files,
    files_with_pattern,
    image,
    jpeg,
    marked,
    picture_world,
    ready,
)

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.system]


def back_up(folder: Path, name: str) -> Path:
    """Make a backup by the command; it is as old as its name says."""
    call_command("backup", folder, stdout=io.StringIO())
    return making.complete_ones(folder)[-1].rename(folder / name)


def holds(data: bytes, *roots: Path) -> bool:
    """Whether a file below some folders contains these bytes: a picture, an archive, a table or a dump."""
    return any(data in path.read_bytes() for root in roots for path in root.rglob("*") if path.is_file())


@pytest.mark.parametrize("which", ["20260101T000000Z", "20260102T000000Z"], ids=["as an upload", "as a picture"])
def test_a_covered_picture_is_in_no_file_backup_restore_or_vector(which, settings, other_database, tmp_path):
    settings.MEDIA_ROOT = media = tmp_path / "media"
    media.mkdir()
    here = picture_world()
    original = encode(marked(), quality=95, comment=MARK)
    kept = ready(here.contributor, jpeg(7))  # another upload, which waits all the time
    upload = begin(here.contributor, original)
    backups = tmp_path / "backups"
    as_upload = back_up(backups, "20260101T000000Z")
    assert files_with_pattern(as_upload) == [as_upload / f"media/incoming/{upload.pk}/data"]
    check_upload(upload.pk)
    details = {"source": "own", "licence": "own-work", "category": "lantern"}
    describe_uploads(actor=here.contributor, benchmark_slug="cvlue", ids=[upload.pk], details=details)
    staged = shutil.copytree(upload_folder(upload.pk), tmp_path / "staged")
    [result] = finalize_uploads(actor=here.contributor, benchmark_slug="cvlue", ids=[upload.pk])
    shutil.copytree(staged, upload_folder(upload.pk))  # as a process leaves it that is killed here
    names = {"data", *files(staged)}
    shutil.rmtree(staged)
    picture = Image.objects.get(pk=result.image_id)
    clear_images(actor=here.curator, benchmark_slug="cvlue", marks=[(picture.pk, uuid.uuid4())])
    system = System.objects.create(
        slug="tiny", name="Tiny", backend="x", locator="x", revision="1", files_sha256="0" * 64, capabilities=["embed"]
    )
    old = list(picture.renditions.all())
    clean = (media / picture.renditions.get(role="clean").key).read_bytes()
    for sha256 in (picture.renditions.get(role="clean").sha256, "f" * 64):
        Feature.objects.create(system=system, input_sha256=sha256, preparation="p" * 64, vector=b"\x01" * 8)
    as_picture = back_up(backups, "20260102T000000Z")
    assert len(files_with_pattern(as_picture)) == len(files_with_pattern(media)) == 6
    Upload.objects.filter(pk=upload.pk).update(expires_at=timezone.now())
    elsewhere = shutil.copytree(backups, tmp_path / "another site")

    cover_image(
        actor=here.curator,
        image_id=picture.pk,
        no=0,
        regions=[Region("a", BOX, "face", "fill")],
        client_key=uuid.uuid4(),
    )
    assert (destroy_files(), erase_vectors()) == (4, 1)
    assert files_with_pattern(media) == []
    assert list(Feature.objects.values_list("input_sha256", flat=True)) == ["f" * 64]
    Upload.objects.filter(pk=upload.pk).delete()  # rows of uploads expire
    assert len(files_with_pattern(backups)) == 7
    back_up(backups, "20260103T000000Z")
    assert files_with_pattern(backups, media) == []
    assert not any(holds(data, backups, media) for data in (original, clean))
    uploaded = {f"incoming/{upload.pk}/{name}" for name in names}
    assert names == {"clean.jpg", "data", "owner", "thumb.webp", "view.webp"}
    assert read_list(backups) == {*Destruction.objects.values_list("key", flat=True), *uploaded}
    for backup in (as_upload, as_picture):
        call_command("check_backup", backup, stdout=io.StringIO())
        assert files(backup / "media/incoming" / str(kept.pk)) == files(upload_folder(kept.pk))
    listed = io.StringIO()
    call_command("destroyed", stdout=listed)
    assert {row.key for row in old} < set(listed.getvalue().split())
    call_command("destroyed", backups, stdout=(whole := io.StringIO()))
    assert set(whole.getvalue().split()) == read_list(backups)

    # A copy on another site has the files still; with the list beside it nothing of them is restored.
    shutil.copy(backups / LIST, elsewhere / LIST)
    assert len(files_with_pattern(elsewhere)) == 7
    other_database(True)
    settings.MEDIA_ROOT = restored = tmp_path / "restored"
    call_command("restore", elsewhere / which, stdout=io.StringIO())
    assert files_with_pattern(restored) == []
    assert not any(holds(data, restored) for data in (original, clean))
    assert files(restored / "incoming" / str(kept.pk)) == files(media / "incoming" / str(kept.pk))
    vectors = 1 if which == as_picture.name else 0
    assert Feature.objects.count() == 2 * vectors  # as the dump had them, until the job has run
    assert erase_vectors() == vectors
    assert Feature.objects.count() == vectors
    assert set(Destruction.objects.values_list("key", flat=True)) == {row.key for row in old if vectors}
    assert Rendition.objects.count() == 3 * vectors


def test_what_a_backup_that_was_cut_off_had_of_a_destroyed_file_is_removed(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "media"
    here = picture_world()
    key = "renditions/1/x-clean.jpg"
    Destruction.objects.create(key=key, image=image(here.contributor), reason="covered")
    part = tmp_path / "backups/20260101T000000Z.partial/media" / f"{key}.part"
    part.parent.mkdir(parents=True)
    part.write_bytes(b"half of it")
    assert clean_backups(tmp_path / "backups") == 1
    assert not part.exists()
