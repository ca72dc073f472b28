"""Bytes that come in parts: acknowledged once on the disk, resumed after any end, swept when nobody comes back."""

import base64
import hashlib
import os
import signal
import threading
import time
import uuid
from datetime import timedelta

import pytest
from django.db import connection, connections
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from curation.core.errors import StorageFull
from curation.images import errors
from curation.images.models import Upload
from curation.images.services import append_part, create_upload, sweep_files, sweep_uploads, upload_with_offset
from curation.images.services import receiving as module
from curation.images.services.slots import PartSlots
from curation.images.services.storage import upload_data
from tests import pictures
from tests.pictures import files

DATA = bytes(range(256)) * 4_000


def create(who, data=DATA, name="photo.jpg"):
    begun = create_upload(actor=who, benchmark_slug="cvlue", filename=name, length=len(data), client_key=uuid.uuid4())
    return begun.upload


class Slow:
    """A connection whose bytes come in blocks; ``then`` is called before the block of that number."""

    def __init__(self, data, then, at=1, block=100_000):
        self.data, self.then, self.at, self.block, self.n, self.pos = data, then, at, block, 0, 0

    def read(self, size, /):
        if self.n == self.at:
            self.then()
        self.n += 1
        found = self.data[self.pos : self.pos + min(size, self.block)]
        self.pos += len(found)
        return found


def send(who, upload, data, offset=0, *, source=None, announced=None, checksum=""):
    return append_part(
        actor=who,
        upload_id=upload.pk,
        offset=offset,
        announced=len(data) if announced is None else announced,
        source=source or Slow(data, lambda: None, at=-1),
        checksum=checksum,
    )


def sum_of(data):
    return "sha256 " + base64.b64encode(hashlib.sha256(data).digest()).decode()


def test_what_came_before_the_connection_ended_is_kept(here):
    upload = create(here.contributor)

    def cut():
        raise ConnectionError

    with pytest.raises(errors.UploadIncomplete) as refused:
        send(here.contributor, upload, DATA, source=Slow(DATA, cut, at=3))
    assert refused.value.params == {"received": 300_000, "announced": len(DATA)}
    assert upload_with_offset(here.contributor, upload.pk).received == 300_000
    done = send(here.contributor, upload, DATA[300_000:], 300_000)
    assert (done.state, upload_data(upload.pk).read_bytes() == DATA) == ("checking", True)


def test_with_a_checksum_a_part_is_kept_whole_or_not_at_all(here):
    upload = create(here.contributor)

    def cut():
        raise ConnectionError

    with pytest.raises(errors.UploadIncomplete):
        send(here.contributor, upload, DATA, source=Slow(DATA, cut, at=3), checksum=sum_of(DATA))
    assert upload_with_offset(here.contributor, upload.pk).received == 0
    assert upload_data(upload.pk).stat().st_size == 300_000  # cut off by what comes next
    done = send(here.contributor, upload, DATA, checksum=sum_of(DATA))
    assert (done.state, upload_data(upload.pk).read_bytes() == DATA) == ("checking", True)


def test_of_two_that_send_at_once_the_later_goes_on_and_the_other_stops(here):
    upload = create(here.contributor)
    other = bytes(reversed(DATA))
    with pytest.raises(errors.UploadTakenOver):
        send(here.contributor, upload, other, source=Slow(other, lambda: send(here.contributor, upload, DATA), at=2))
    assert upload_data(upload.pk).read_bytes() == DATA
    assert Upload.objects.get().state == "checking"


def test_dropped_while_it_is_sent(here, media):
    upload = create(here.contributor)
    drop = lambda: module.drop_upload(actor=here.contributor, upload_id=upload.pk)  # noqa: E731
    with pytest.raises(errors.UploadGone):
        send(here.contributor, upload, DATA, source=Slow(DATA, drop, at=2))
    assert (files(media), Upload.objects.get().state) == ([], "dropped")


@pytest.mark.django_db(transaction=True)
def test_many_that_send_at_once_leave_one_whole_file(make_world, media):
    here = make_world()
    upload = create(here.contributor)
    gate, ends = threading.Barrier(6), []

    def run():
        gate.wait()
        try:
            ends.append(send(here.contributor, upload, DATA).state)
        except (
            errors.UploadTakenOver,
            errors.UploadOffsetWrong,
            errors.UploadClosed,
            errors.UploadsBusy,
        ) as error:
            ends.append(error.code)
        finally:
            connection.close()

    threads = [threading.Thread(target=run) for _ in range(6)]
    [t.start() for t in threads]
    [t.join() for t in threads]
    assert ends.count("checking") == 1, ends
    assert upload_data(upload.pk).read_bytes() == DATA


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("block", [1, 4, 9])
def test_killed_in_the_middle_it_is_resumed(make_world, media, block):
    here = make_world()
    upload = create(here.contributor)
    send(here.contributor, upload, DATA[:50_000])
    here.contributor.grants  # noqa: B018
    connections.close_all()
    child = os.fork()
    if child == 0:
        rest = DATA[50_000:]
        send(
            here.contributor,
            upload,
            rest,
            50_000,
            source=Slow(rest, lambda: os.kill(os.getpid(), signal.SIGKILL), at=block),
        )
        os._exit(0)
    assert os.WTERMSIG(os.waitpid(child, 0)[1]) == signal.SIGKILL
    known = upload_with_offset(here.contributor, upload.pk).received
    assert known == 50_000
    done = send(here.contributor, upload, DATA[known:], known)
    assert (done.state, upload_data(upload.pk).read_bytes() == DATA) == ("checking", True)


def test_what_a_disk_lost_is_asked_for_again(here):
    upload = create(here.contributor)
    send(here.contributor, upload, DATA[:500_000])
    with upload_data(upload.pk).open("r+b") as file:
        file.truncate(200_000)
    assert upload_with_offset(here.contributor, upload.pk).received == 200_000
    assert send(here.contributor, upload, DATA[200_000:], 200_000).state == "checking"


def test_no_more_parts_at_once_than_there_are_slots(here, monkeypatch):
    monkeypatch.setattr(module, "slots", PartSlots(total=1, per_person=1))
    one, two = create(here.contributor), create(here.curator)

    def second():
        with pytest.raises(errors.UploadsBusy):
            send(here.curator, two, DATA)

    assert send(here.contributor, one, DATA, source=Slow(DATA, second)).state == "checking"
    assert send(here.curator, two, DATA).state == "checking"


def test_one_person_never_holds_the_last_slot(here, monkeypatch):
    monkeypatch.setattr(module, "slots", PartSlots(total=3, per_person=2))
    mine, theirs = [create(here.contributor) for _ in range(3)], create(here.curator)

    def third():
        with pytest.raises(errors.UploadsBusy):
            send(here.contributor, mine[2], DATA)
        assert send(here.curator, theirs, DATA).state == "checking"

    def second():
        assert send(here.contributor, mine[1], DATA, source=Slow(DATA, third)).state == "checking"

    assert send(here.contributor, mine[0], DATA, source=Slow(DATA, second)).state == "checking"
    assert send(here.contributor, mine[2], DATA).state == "checking"


def test_a_full_disk_is_said_so(here, monkeypatch):
    upload = create(here.contributor)

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(module, "_write", full)
    with pytest.raises(StorageFull):
        send(here.contributor, upload, DATA)
    assert upload_with_offset(here.contributor, upload.pk).received == 0


def test_below_the_floor_nothing_is_created_or_received(here, media, settings):
    upload = create(here.contributor)
    send(here.contributor, upload, DATA[:10])
    held = files(media)

    def fill_disk():
        settings.MEDIA_FLOOR_BYTES = 10**18

    rest = DATA[10:]
    with pytest.raises(StorageFull):  # in the middle of a part, at the next block
        send(here.contributor, upload, rest, 10, source=Slow(rest, fill_disk, at=3))
    assert upload_with_offset(here.contributor, upload.pk).received == 10
    with pytest.raises(StorageFull):
        send(here.contributor, upload, rest, 10, source=Slow(rest, pytest.fail, at=0))  # none of it is read
    with pytest.raises(StorageFull):
        create(here.contributor)
    assert (Upload.objects.count(), files(media)) == (1, held)
    settings.MEDIA_FLOOR_BYTES = 0
    assert send(here.contributor, upload, rest, 10).state == "checking"
    assert upload_data(upload.pk).read_bytes() == DATA


def test_space_is_asked_for_once_a_block_and_never_by_a_statement(here, monkeypatch):
    upload, asked = create(here.contributor), []
    monkeypatch.setattr(module, "require_space", asked.append)
    with CaptureQueriesContext(connection) as statements:
        send(here.contributor, upload, DATA[:600_000], source=Slow(DATA, lambda: None, block=module.BLOCK))
    assert asked == [600_000, 262_144, 262_144, 75_712]
    assert [s["sql"].split()[0].lower() for s in statements] == ["select", "savepoint", "update", "release"]


def test_uploads_that_nobody_came_back_to_are_swept_with_their_bytes(here, media):
    kept, old = create(here.contributor), create(here.contributor)
    send(here.contributor, kept, DATA[:10])
    send(here.contributor, old, DATA[:10])
    waiting = pictures.ready(here.contributor)
    Upload.objects.filter(pk__in=[old.pk, waiting.pk]).update(expires_at=timezone.now() - timedelta(seconds=1))
    assert sweep_uploads() == 2
    assert list(Upload.objects.values_list("pk", flat=True)) == [kept.pk]
    assert {f.split("/")[1] for f in files(media)} == {str(kept.pk)}
    # The sweep of files leaves alone what an upload names, however old, and removes what none does.
    stray = media / "incoming" / str(uuid.uuid4()) / "data"
    stray.parent.mkdir()
    stray.write_bytes(b"left behind")
    for path in media.rglob("*"):
        os.utime(path, (time.time() - 90_000,) * 2)
    assert sweep_files() == 1
    assert upload_with_offset(here.contributor, kept.pk).received == 10
