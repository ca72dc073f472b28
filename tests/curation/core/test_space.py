"""The floor of free space: asked for in bytes, of the disk that is written to."""

import errno
from types import SimpleNamespace

import pytest
from django.utils import timezone

from curation.core import jobs
from curation.core.errors import StorageFull, StorageUnavailable
from curation.core.models import Job
from curation.core.stores import Folder, space

DISK = {"disk": "media", "free": 3_096_000, "needed": 3_096_001}


@pytest.fixture
def disk(settings, tmp_path, monkeypatch):
    """A disk with 1,000 free blocks of 4,096 bytes, of which one million bytes may not be used."""
    settings.MEDIA_ROOT, settings.MEDIA_FLOOR_BYTES = tmp_path / "not" / "yet" / "made", 1_000_000
    asked = []

    def statvfs(path):
        asked.append(path)
        path.stat()
        return SimpleNamespace(f_bavail=1_000, f_frsize=4_096)

    monkeypatch.setattr(space.os, "statvfs", statvfs)
    return asked


def test_what_is_above_the_floor_may_be_written(disk, settings, tmp_path):
    assert space.writable_bytes() == 4_096_000 - 1_000_000
    assert disk[-1] == tmp_path  # the nearest folder that exists
    space.require_space(3_096_000)
    with pytest.raises(StorageFull) as full:
        space.require_space(3_096_001)
    assert (full.value.code, full.value.status, full.value.params) == ("storage_full", 507, DISK)
    settings.MEDIA_FLOOR_BYTES = 4_096_000
    assert space.writable_bytes() == 0
    with pytest.raises(StorageFull):
        space.require_space()
    settings.MEDIA_FLOOR_BYTES = 5_000_000
    assert space.writable_bytes() == 0


def test_models_may_be_on_a_disk_of_their_own(disk, settings, tmp_path):
    settings.MODEL_DIRS = [tmp_path / "models"]
    settings.MODEL_DIRS[0].mkdir()
    with pytest.raises(StorageFull) as full:
        space.require_space(3_096_001, "models")
    assert (disk[-1], full.value.params) == (settings.MODEL_DIRS[0], DISK | {"disk": "models"})
    settings.MODEL_DIRS = []
    assert space.writable_bytes("models") == 3_096_000


def test_a_disk_that_does_not_answer_is_unavailable_not_full(settings, tmp_path, monkeypatch):
    def broken(path):
        raise OSError(errno.ESTALE, "Stale file handle")

    monkeypatch.setattr(space.os, "statvfs", broken)
    with pytest.raises(StorageUnavailable) as unavailable:
        space.writable_bytes()
    assert unavailable.value.code == "storage_unavailable"


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT])
def test_the_systems_own_error_is_the_same_error_and_needs_more_than_is_free(disk, number):
    with pytest.raises(StorageFull) as full, space.disk_full_as_error():
        raise OSError(number, "full")
    assert full.value.params == DISK


def test_other_errors_of_the_system_are_no_full_disk():
    with pytest.raises(FileNotFoundError), space.disk_full_as_error():
        raise FileNotFoundError


def test_a_folder_without_hard_links_copies_only_with_room_for_the_copy(settings, tmp_path, monkeypatch):
    settings.MEDIA_ROOT = tmp_path / "media"
    settings.MEDIA_FLOOR_BYTES = 10**18
    folder = Folder(settings.MEDIA_ROOT)
    staged = settings.MEDIA_ROOT / "incoming" / "staged"
    staged.parent.mkdir(parents=True)
    staged.write_bytes(b"picture")
    sha256 = "0" * 64
    assert folder.put("linked", staged, sha256) is True  # a second name takes no space

    def no_links(*_):
        raise OSError(errno.EPERM, "no hard links")

    monkeypatch.setattr("curation.core.stores.folder.os.link", no_links)
    with pytest.raises(StorageFull):
        folder.put("copied", staged, sha256)
    assert sorted(p.name for p in settings.MEDIA_ROOT.rglob("*") if p.is_file()) == ["linked", "staged"]


@pytest.mark.django_db
def test_a_job_waits_for_space_however_long_and_counts_no_attempt():
    job = jobs.enqueue(task="test.task", args={}, dedupe_key="one")

    def full(lease):
        raise StorageFull(**DISK)

    for _ in range(3 * jobs.MAX_ATTEMPTS):
        assert jobs.run(job.pk, full) == "queued"
        Job.objects.update(heartbeat_at=timezone.now() - jobs.COOL_DOWN)  # quotas do not show: it is tried anyway
    waiting = Job.objects.get()
    assert (waiting.state, waiting.attempt, waiting.lease_until) == ("queued", 1, None)
    assert (waiting.error_code, waiting.error_params) == ("storage_full", DISK)
    assert waiting.log.startswith("StorageFull: The server has no room for more files: 3096000 bytes are free")
    assert jobs.run(job.pk, lambda lease: None) == "done"
    done = Job.objects.get()
    assert (done.attempt, done.log, done.error_code, done.error_params) == (2, "", "", {})


@pytest.mark.django_db
def test_a_job_is_not_claimed_before_the_disk_has_what_it_needs(disk, settings, monkeypatch):
    job = jobs.enqueue(task="test.task", args={}, dedupe_key="one")
    jobs.run(job.pk, lambda lease: space.require_space(3_096_001))
    tries = []
    for _ in range(3):
        assert jobs.run(job.pk, tries.append) == "lost"
        assert jobs.claim_fairly("test.task", 2) is None
    assert (tries, Job.objects.get().attempt) == ([], 1)
    Job.objects.update(error_params=DISK | {"disk": "models"})
    assert jobs.run(job.pk, tries.append) == "lost"
    settings.MEDIA_FLOOR_BYTES -= 1
    assert jobs.run(job.pk, lambda lease: space.require_space(3_096_001)) == "done"


@pytest.mark.django_db
def test_where_no_size_is_known_none_is_named_and_any_free_byte_is_enough(disk, settings):
    job = jobs.enqueue(task="test.task", args={}, dedupe_key="one")
    floor, settings.MEDIA_FLOOR_BYTES = settings.MEDIA_FLOOR_BYTES, 4_096_000
    jobs.run(job.pk, lambda lease: space.require_space())
    assert Job.objects.get().error_params == {"disk": "media", "free": 0, "needed": None}
    tries = []
    assert (jobs.run(job.pk, tries.append), tries) == ("lost", [])
    settings.MEDIA_FLOOR_BYTES = floor
    assert jobs.run(job.pk, lambda lease: space.require_space()) == "done"


@pytest.mark.django_db
def test_a_disk_that_does_not_answer_has_no_space(settings, monkeypatch):
    job = jobs.enqueue(task="test.task", args={}, dedupe_key="one")
    Job.objects.update(error_code="storage_full", error_params=DISK, heartbeat_at=timezone.now())

    def broken(path):
        raise OSError(errno.ESTALE, "Stale file handle")

    monkeypatch.setattr(space.os, "statvfs", broken)
    assert jobs.run(job.pk, lambda lease: None) == "lost"
