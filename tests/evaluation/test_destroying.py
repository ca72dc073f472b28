"""Killed workers destroy everything exactly once: files, staged uploads, release files and vectors."""

import io
import os
import subprocess
import sys
import uuid
from collections import Counter
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from django.core.management import call_command
from django.db import connection
from django.utils import timezone

from annotation.releases.models import ReleaseFile
from annotation.releases.services import destroy_release_files
from curation.images.models import Destruction, DestructionDone, Upload
from curation.images.rules import Region
from curation.images.services import cover_image, destroy_files
from curation.images.services.storage import upload_folder
from evaluation.runs.models import Feature
from evaluation.runs.services import erase_vectors
from evaluation.systems.models import System
from tests.evaluation.publication.published import world_with_release
from tests.pictures import files

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.system]

PLACES = ("releases", "store", "uploads", "vectors")


@pytest.mark.parametrize(("when", "killed"), [("remove", 6), ("record", 7), ("vectors", 1)])
def test_workers_that_are_killed_between_steps_destroy_everything_once(settings, tmp_path, when, killed):
    settings.MEDIA_ROOT = media = tmp_path / "media"
    here, release = world_with_release(4)
    entry = release.entries.select_related("image").order_by("ordinal")[1]
    image, old = entry.image, list(entry.image.renditions.all())
    upload = Upload.objects.create(
        benchmark=here.benchmark,
        person=here.contributor,
        filename="a.jpg",
        bytes=1,
        state="taken",
        image=image,
        client_key=uuid.uuid4(),
        expires_at=timezone.now(),
    )
    upload_folder(upload.pk).mkdir(parents=True)
    (upload_folder(upload.pk) / "clean.jpg").write_bytes(b"left by a process that was killed")
    system = System.objects.create(
        slug="tiny", name="Tiny", backend="x", locator="x", revision="1", files_sha256="0" * 64, capabilities=["embed"]
    )
    for sha256 in (next(row.sha256 for row in old if row.role == "clean"), "f" * 64):
        Feature.objects.create(system=system, input_sha256=sha256, preparation="p" * 64, vector=b"\x01" * 8)
    regions = [Region("a", (2.0, 2.0, 8.0, 8.0), "face", "fill")]
    cover_image(actor=here.curator, image_id=image.pk, no=0, regions=regions, client_key=uuid.uuid4())
    shards = {f"releases/{release.pk}/{file.name}" for file in ReleaseFile.objects.all() if ".parquet" in file.name}
    gone = {*(row.key for row in old), *shards}
    kept = {name for name in files(media) if name not in gone and "incoming" not in name}
    assert len(gone) == 6
    log = tmp_path / "log"
    log.touch()
    assert run(media, when, log) == killed
    removed = Counter(Path(line).name for line in log.read_text().splitlines())
    assert removed == Counter({Path(key).name: 1 for key in gone} | {"clean.jpg": 1})
    assert set(files(media)) == kept
    assert not upload_folder(upload.pk).exists()
    assert list(Feature.objects.values_list("input_sha256", flat=True)) == ["f" * 64]
    noted = DestructionDone.objects.order_by("place").values_list("destruction__key", "place")
    assert Counter(noted) == Counter((key, place) for key in listed() for place in PLACES)
    assert gone < set(listed())
    assert (destroy_files(), destroy_release_files(), erase_vectors()) == (0, 0, 0)


def listed():
    out = io.StringIO()
    call_command("destroyed", stdout=out)
    lines = out.getvalue().split()
    assert len(lines) == len(set(lines)) == Destruction.objects.count()
    return lines


def run(media, when, log):
    address = urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{connection.settings_dict['NAME']}")
    done = subprocess.run(
        [sys.executable, "-m", "tests.evaluation.destroyer", when, str(log)],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        env={**os.environ, "DATABASE_URL": address.geturl(), "MEDIA_ROOT": str(media)},
    )
    assert done.returncode == 0, done.stderr
    return int(done.stdout)
