"""Archives are unpacked a few entries at a time, in a job that ends and is enqueued again as entries are checked."""

import io
import os
import signal
import threading
import zipfile
from datetime import timedelta

import numpy as np
import pytest
from django.db import connection, connections
from django.utils import timezone

from curation.core import jobs
from curation.core.models import Job
from curation.images import tasks
from curation.images.errors import TooManyUploads
from curation.images.models import Upload
from curation.images.services import check_upload, describe_uploads, drop_upload, sweep_uploads
from curation.images.services import unpacking as module
from curation.images.services.enqueuing import MOST_UNCHECKED, RESUME_AT
from curation.images.services.limits import used
from tests import pictures
from tests.pictures import files

pytestmark = pytest.mark.django_db
JUNK = 10_000  # bytes of an entry that is no picture, and is rejected without decoding


def archive(*entries, method=zipfile.ZIP_STORED):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as packed:
        for name, data in entries:
            packed.writestr(name, data)
    return out.getvalue()


def junk(count, size=JUNK):
    return archive(*((f"{n:03}.jpg", bytes([n % 256]) * size) for n in range(count)))


def begin(who, data):
    return pictures.begin(who, data, filename="many.zip")


def states(parent):
    found = {}
    for state in parent.entries.values_list("state", flat=True):
        found[state] = found.get(state, 0) + 1
    return found


def size_of(media):
    return sum(path.stat().st_size for path in media.rglob("*") if path.is_file() and path.name != "owner")


def work(media):
    """Do the jobs as a worker would; returns the most bytes below the media folder after any of them."""
    most = size_of(media)
    while Job.objects.filter(state="queued").exists():
        before = Job.objects.filter(state="done").count()
        tasks.check_upload()
        assert Job.objects.filter(state="done").count() == before + 1, Job.objects.values("state", "log")
        most = max(most, size_of(media))
    return most


def bytes_of(here):
    return tuple(used(here.contributor.pk, here.benchmark.pk))


def test_few_entries_are_on_the_disk_at_once(here, media):
    data = junk(50)
    parent = begin(here.contributor, data)
    tasks.check_upload()
    parent.refresh_from_db()
    assert (parent.state, states(parent)) == ("checking", {"checking": MOST_UNCHECKED})
    assert [check["state"] for check in parent.checks] == ["passed", "waiting"]
    assert size_of(media) == len(data) + MOST_UNCHECKED * JUNK
    assert Job.objects.filter(args={"upload": str(parent.pk)}).get().state == "done"
    # What waits and what is still to be unpacked is reserved.
    assert (parent.disk_bytes, bytes_of(here)[1:]) == (len(data) + 30 * JUNK, (len(data) + 50 * JUNK,) * 2)
    assert work(media) == len(data) + MOST_UNCHECKED * JUNK
    parent.refresh_from_db()
    assert (parent.state, states(parent)) == ("taken", {"refused": 50})
    assert parent.checks[1] == {"code": "entries", "state": "passed", "params": {"files": 50, "refused": 0}}
    assert (files(media), bytes_of(here)) == ([], (0, 0, 0))
    # One worker checks all twenty before it comes to the archive's next job: 20, 20 and 10, and none is doubled.
    assert Job.objects.filter(args={"upload": str(parent.pk)}).count() == 3
    assert Job.objects.count() == 3 + 50


def test_pictures_of_an_archive_are_all_ready_in_the_end(here, media, monkeypatch):
    monkeypatch.setattr(module, "MOST_UNCHECKED", 2)
    monkeypatch.setattr("curation.images.services.enqueuing.RESUME_AT", 1)
    monkeypatch.setattr(module, "RESUME_AT", 1)
    entries = [(f"{n}.jpg", pictures.jpeg(n)) for n in range(5)] + [("../out.jpg", b"1"), ("note.txt", b"hello")]
    parent = begin(here.contributor, archive(*entries))
    work(media)
    parent.refresh_from_db()
    assert (parent.state, states(parent)) == ("taken", {"ready": 5, "refused": 2})
    assert parent.checks[1] == {"code": "entries", "state": "flagged", "params": {"files": 7, "refused": 1}}
    staged = sum(parent.entries.values_list("disk_bytes", flat=True))
    assert (staged, parent.disk_bytes) == (size_of(media), 0)
    assert bytes_of(here) == (5, staged, staged)


def test_entries_unpacked_later_have_the_details_given_since(here, media):
    parent = begin(here.contributor, junk(MOST_UNCHECKED + 1))
    tasks.check_upload()
    describe_uploads(actor=here.contributor, benchmark_slug="cvlue", ids=[parent.pk], details={"licence": "own-work"})
    work(media)
    details = list(parent.entries.order_by("filename").values_list("details", flat=True))
    assert details == [{}] * MOST_UNCHECKED + [{"licence": "own-work"}]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("step", ["_create", "_write", "blocks", "_pause"])
def test_killed_in_the_middle_it_goes_on_without_doubling_anything(make_world, media, monkeypatch, step):
    here = make_world()
    data = junk(30)
    parent = begin(here.contributor, data)
    connections.close_all()
    if (child := os.fork()) == 0:
        owner = module.rules.Archive if step == "blocks" else module
        real, calls = getattr(owner, step), []

        def dies(*args, **more):
            calls.append(args)
            if step == "_pause" or len(calls) == 4:
                os.kill(os.getpid(), signal.SIGKILL)
            return real(*args, **more)

        monkeypatch.setattr(owner, step, dies)
        tasks.check_upload()
        os._exit(0)
    assert os.WTERMSIG(os.waitpid(child, 0)[1]) == signal.SIGKILL
    job = Job.objects.get(args={"upload": str(parent.pk)})
    assert job.state == "running"
    assert bytes_of(here)[1] == len(data) + 30 * JUNK
    Job.objects.filter(pk=job.pk).update(lease_until=timezone.now() - timedelta(seconds=1), attempt=0)
    tasks.check_upload()
    assert states(parent) == {"checking": MOST_UNCHECKED}
    work(media)
    parent.refresh_from_db()
    assert (parent.state, states(parent)) == ("taken", {"refused": 30})
    assert sorted(parent.entries.values_list("filename", flat=True)) == [f"{n:03}.jpg" for n in range(30)]
    assert (files(media), bytes_of(here)) == ([], (0, 0, 0))


@pytest.mark.parametrize("ends", ["checked", "dropped", "failed"])
def test_the_last_entries_to_end_always_enqueue_the_rest(here, media, monkeypatch, ends):
    parent = begin(here.contributor, junk(MOST_UNCHECKED + 1))
    tasks.check_upload()
    entries = list(parent.entries.values_list("pk", flat=True))
    own = Job.objects.filter(args={"upload": str(parent.pk)})
    for n, entry in enumerate(entries, 1):
        if ends == "checked":
            check_upload(entry)
        elif ends == "dropped":
            drop_upload(actor=here.contributor, upload_id=entry)
        else:
            tasks.services.mark_check_failed(Job.objects.get(args={"upload": str(entry)}).pk)
        assert own.filter(state="queued").count() == (n >= MOST_UNCHECKED - RESUME_AT)
    assert states(parent) == {"checked": {"refused": 20}, "dropped": {"dropped": 20}, "failed": {"failed": 20}}[ends]
    work(media)
    parent.refresh_from_db()
    assert (parent.state, parent.entries.count()) == ("taken", MOST_UNCHECKED + 1)


def test_entries_that_end_while_the_job_is_about_to_are_noticed(here, media, monkeypatch):
    """Otherwise their checks would find the job's row open, and nobody would unpack the rest."""
    parent = begin(here.contributor, junk(MOST_UNCHECKED + 5))
    lock = module.lock_archive

    def late(archive_id):
        monkeypatch.setattr(module, "lock_archive", lock)
        for entry in list(parent.entries.values_list("pk", flat=True)):
            check_upload(entry)
        lock(archive_id)

    monkeypatch.setattr(module, "lock_archive", late)
    tasks.check_upload()
    parent.refresh_from_db()
    assert (parent.state, states(parent)) == ("taken", {"refused": MOST_UNCHECKED, "checking": 5})


def test_a_dropped_archive_stops_at_its_next_entry(here, media, monkeypatch):
    parent = begin(here.contributor, junk(15))
    real, calls = module._write, []

    def drops(*args):
        calls.append(args)
        if len(calls) == 3:
            drop_upload(actor=here.contributor, upload_id=parent.pk)
        return real(*args)

    monkeypatch.setattr(module, "_write", drops)
    tasks.check_upload()
    parent.refresh_from_db()
    assert (parent.state, parent.disk_bytes, states(parent)) == ("dropped", 0, {"checking": 3})
    assert bytes_of(here)[1] == 3 * JUNK == size_of(media)
    work(media)
    assert (states(parent), files(media)) == ({"refused": 3}, [])


def test_entries_are_not_swept_and_unpacked_again_while_their_archive_is_checked(here, media):
    """As when the disk is full for days: what was checked and refused in the meantime expires."""
    parent = begin(here.contributor, junk(MOST_UNCHECKED + 5))
    tasks.check_upload()
    for entry in parent.entries.all():
        check_upload(entry.pk)
    assert states(parent) == {"refused": MOST_UNCHECKED}
    Upload.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    assert sweep_uploads() == 0
    work(media)
    parent.refresh_from_db()
    assert (parent.state, parent.entries.count()) == ("taken", MOST_UNCHECKED + 5)
    assert (
        Job.objects.filter(args__upload__in=[str(pk) for pk in parent.entries.values_list("pk", flat=True)]).count()
        == 25
    )
    Upload.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    assert (sweep_uploads(), Upload.objects.count()) == (MOST_UNCHECKED + 6, 0)


def test_an_archive_that_a_person_has_no_room_for_is_rejected_as_a_whole(here, media, settings):
    data = junk(5)
    settings.UPLOAD_BYTES_PER_PERSON = len(data) + 5 * JUNK - 1
    parent = begin(here.contributor, data)
    work(media)
    parent.refresh_from_db()
    assert (parent.state, parent.error_code) == ("refused", "person_storage_limit")
    assert parent.error_params == {"limit": len(data) + 5 * JUNK - 1, "used": len(data), "bytes": 5 * JUNK}
    assert (parent.entries.count(), files(media), bytes_of(here)) == (0, [], (0, 0, 0))
    settings.UPLOAD_BYTES_PER_PERSON, settings.BENCHMARK_BYTES = 10**9, len(data) + 5 * JUNK
    begin(here.contributor, data)
    work(media)
    assert Upload.objects.filter(kind="zip").order_by("created_at").last().state == "taken"


def test_entries_are_rejected_once_renditions_have_exceeded_the_limit(here, media, settings):
    parent = begin(here.contributor, junk(MOST_UNCHECKED + 5))
    tasks.check_upload()
    settings.BENCHMARK_BYTES = 1_000
    work(media)
    assert states(parent) == {"refused": MOST_UNCHECKED + 5}
    late = parent.entries.filter(error_code="benchmark_storage_limit")
    assert sorted(late.values_list("filename", flat=True)) == [f"{n:03}.jpg" for n in range(20, 25)]
    assert (files(media), bytes_of(here)) == ([], (0, 0, 0))


def test_limits_are_asked_once_for_twenty_entries(here, media, monkeypatch):
    """Each time the sums of all uploads are taken."""
    calls = []
    monkeypatch.setattr(module, "used", lambda *of: calls.append(of) or used(*of))
    parent = begin(here.contributor, junk(2 * MOST_UNCHECKED + 5))
    check_upload(parent.pk)  # without a lease: everything at once
    parent.refresh_from_db()
    assert (parent.state, states(parent)) == ("taken", {"checking": 2 * MOST_UNCHECKED + 5})
    assert len(calls) == 1 + 3  # to reserve, and for 20, 20 and 5 entries


def test_an_archive_of_more_files_than_a_person_may_have_waiting_is_rejected_as_a_whole(here, media, settings):
    parent = begin(here.contributor, junk(5))
    settings.UPLOADS_OPEN_PER_PERSON = 5  # with the archive itself six
    work(media)
    parent.refresh_from_db()
    assert (parent.state, parent.error_code) == ("refused", "too_many_uploads")
    assert parent.error_params == {"open": 1, "maximum": 5}
    assert (parent.entries.count(), files(media), bytes_of(here)) == (0, [], (0, 0, 0))
    settings.UPLOADS_OPEN_PER_PERSON = 6
    parent = begin(here.contributor, junk(5))
    work(media)
    parent.refresh_from_db()
    assert parent.state == "taken"


def test_the_entries_of_an_open_archive_are_reserved(here, media, settings):
    parent = begin(here.contributor, junk(MOST_UNCHECKED + 5))
    assert bytes_of(here)[0] == 1
    tasks.check_upload()
    parent.refresh_from_db()
    assert (parent.entries_to_unpack, bytes_of(here)[0]) == (5, 1 + MOST_UNCHECKED + 5)
    settings.UPLOADS_OPEN_PER_PERSON = 1 + MOST_UNCHECKED + 5
    with pytest.raises(TooManyUploads) as refused:
        begin(here.contributor, pictures.jpeg())
    assert refused.value.params == {"open": 26, "maximum": 26}
    settings.UPLOADS_OPEN_PER_PERSON = 1  # what was promised stays
    work(media)
    assert not parent.entries.filter(error_code="too_many_uploads").exists()
    assert (states(parent), files(media), bytes_of(here)) == ({"refused": MOST_UNCHECKED + 5}, [], (0, 0, 0))


@pytest.mark.django_db(transaction=True)
def test_of_two_archives_opened_at_once_one_is_rejected_as_a_whole(make_world, media, settings, monkeypatch):
    here = make_world()
    parents = [begin(here.contributor, junk(5)) for _ in range(2)]
    settings.UPLOADS_OPEN_PER_PERSON = 2 + 5 + 4  # both archives, all entries of one and nearly all of the other
    gate, ended = threading.Barrier(2), []
    real = module._reserve

    def together(*args):
        gate.wait(20)
        try:
            real(*args)
        finally:
            gate.wait(20)  # neither has created an entry before both have asked

    monkeypatch.setattr(module, "_reserve", together)

    def run(upload):
        try:
            error = check_upload(upload.pk)
            ended.append("" if error is None else error.code)
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=[upload]) for upload in parents]
    [t.start() for t in threads]
    [t.join() for t in threads]
    assert sorted(ended) == ["", "too_many_uploads"]
    assert sorted(Upload.objects.filter(kind="zip").values_list("state", flat=True)) == ["refused", "taken"]
    assert [sorted(states(parent).items()) for parent in sorted(parents, key=lambda p: -p.entries.count())] == [
        [("checking", 5)],
        [],
    ]


def test_an_archive_that_was_open_before_entries_were_reserved_reserves_the_rest(here, media):
    parent = begin(here.contributor, junk(MOST_UNCHECKED + 5))
    tasks.check_upload()
    Upload.objects.filter(pk=parent.pk).update(entries_to_unpack=0)
    work(media)
    parent.refresh_from_db()
    assert (parent.state, parent.entries_to_unpack) == ("taken", 0)
    assert (states(parent), bytes_of(here)) == ({"refused": MOST_UNCHECKED + 5}, (0, 0, 0))


def test_archives_of_junk_leave_a_bounded_number_of_rows(here, media, monkeypatch):
    monkeypatch.setattr(module, "MOST_REFUSED", 4)
    data = archive(*((f"../{n}.jpg", b"1") for n in range(3)), ("junk.jpg", b"junk"))
    for _ in range(3):
        newest = begin(here.contributor, data)
        other = begin(here.curator, data)
        work(media)
    for last in (newest, other):  # each person for themselves: of earlier archives four
        person = Upload.objects.filter(person=last.person_id, kind="picture")
        assert (states(last), person.count()) == ({"refused": 4}, 4 + 4)


def test_without_space_the_archive_waits(here, media, settings):
    parent = begin(here.contributor, junk(3))
    held = files(media)
    settings.MEDIA_FLOOR_BYTES = 10**18
    for _ in range(2 * jobs.MAX_ATTEMPTS):
        tasks.check_upload()
        Job.objects.update(heartbeat_at=timezone.now() - jobs.COOL_DOWN)
    parent.refresh_from_db()
    assert (parent.state, states(parent), files(media)) == ("checking", {}, held)
    settings.MEDIA_FLOOR_BYTES = 0
    work(media)
    parent.refresh_from_db()
    assert (parent.state, states(parent)) == ("taken", {"refused": 3})


def test_three_archives_of_junk_keep_the_disk_and_the_queue_small(here, media):
    """As in an attack: of 0.4 MB each, of 30 MB unpacked; another person's picture is not behind their 600 entries."""
    size = 150_000
    random = np.random.default_rng(1)
    entries = [(f"{n:03}.jpg", random.bytes(size // 100) + bytes(size - size // 100)) for n in range(200)]
    data = archive(*entries, method=zipfile.ZIP_DEFLATED)
    assert len(data) < 400_000
    parents = [begin(here.contributor, data) for _ in range(3)]
    tasks.check_upload()
    tasks.check_upload()
    other = pictures.begin(here.curator, pictures.jpeg())
    claimed = [jobs.claim_fairly("curation.check_upload", 2) for _ in range(2)]
    assert [job.args for job in claimed] == [{"upload": str(upload.pk)} for upload in (parents[2], other)]
    for job in claimed:
        jobs.run_claimed(job, tasks._check)
    staged = size_of(media / "incoming" / str(other.pk))
    assert work(media) == staged + 3 * len(data) + 3 * MOST_UNCHECKED * size  # 10.3 MB, not 91
    assert [parent.entries.count() for parent in parents] == [200] * 3
    assert set(Upload.objects.filter(kind="zip").values_list("state", flat=True)) == {"taken"}
    assert size_of(media) == staged
