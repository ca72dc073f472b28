"""What every store promises, asked of a folder and of a bucket; and what only a bucket has to."""

import hashlib
import threading
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from curation.core.errors import StorageUnavailable, StoredFileDiffers
from curation.core.stores import Folder, is_finished_file
from curation.core.stores import bucket as buckets_module
from curation.core.stores import store as chosen

KEY = "renditions/0b5f8e8e/7-view.webp"
DATA = bytes(range(256)) * 5_000  # more than one piece


def sum_of(data):
    return hashlib.sha256(data).hexdigest()


@pytest.fixture(params=["folder", "bucket"])
def store(request, settings, tmp_path):
    if request.param == "bucket":
        request.getfixturevalue("bucket")
    else:
        settings.MEDIA_ROOT = tmp_path / "working"
    settings.MEDIA_ROOT.mkdir()
    assert isinstance(chosen(), Folder) == (request.param == "folder")
    return chosen()


@pytest.fixture
def stage(tmp_path):
    def make(data=DATA, name="staged"):
        # On the file system of the folder, as everything staged is.
        path = tmp_path / "working" / "incoming" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)  # never written into: it may have a second name in the store
        path.write_bytes(data)
        return path

    return make


def test_what_was_put_is_read_in_every_way(store, stage, tmp_path):
    staged = stage()
    assert store.put(KEY, staged, sum_of(DATA)) is True
    assert staged.read_bytes() == DATA
    assert (store.read(KEY), store.size(KEY), store.exists(KEY), store.sha256(KEY)) == (
        DATA,
        len(DATA),
        True,
        sum_of(DATA),
    )
    assert store.fetch(KEY, tmp_path / "copy") == sum_of(DATA)
    assert (tmp_path / "copy").read_bytes() == DATA
    assert b"".join(store.part(KEY, 3, 1_200_000)) == DATA[3:1_200_003]
    with store.local_path(KEY) as path:
        assert path.read_bytes() == DATA
    answer = store.response(KEY, media_type="image/webp", name="灯.webp")
    assert (answer.status_code, b"".join(answer.streaming_content)) == (200, DATA)
    assert answer.headers["Content-Length"] == str(len(DATA))
    assert answer.headers["Content-Disposition"] == "attachment; filename*=utf-8''%E7%81%AF.webp"
    store.check()


def test_nothing_is_ever_written_over(store, stage):
    store.put(KEY, stage(), sum_of(DATA))
    assert store.put(KEY, stage(name="again"), sum_of(DATA)) is False
    with pytest.raises(StoredFileDiffers):
        store.put(KEY, stage(b"other"), sum_of(b"other"))
    assert store.read(KEY) == DATA


def test_of_many_who_put_at_once_one_does(store, stage):
    staged = [(stage(text, f"{n}"), sum_of(text)) for n in range(6) for text in [b"%d" % n * 1000]]
    gate, outcomes = threading.Barrier(6), []

    def put(path, sha256):
        gate.wait()
        try:
            outcomes.append((store.put(KEY, path, sha256), sha256))
        except StoredFileDiffers:
            outcomes.append((False, ""))

    threads = [threading.Thread(target=put, args=one) for one in staged]
    [t.start() for t in threads]
    [t.join() for t in threads]
    ((_, winner),) = [one for one in outcomes if one[0]]
    assert (len(outcomes), store.sha256(KEY)) == (6, winner)


def test_replacing_makes_room_for_what_a_sum_vouches_for(store, stage):
    store.put(KEY, stage(b"damaged"), sum_of(b"damaged"))
    for _ in range(2):
        staged = stage()
        store.replace(KEY, staged, sum_of(DATA))
        assert (store.read(KEY), staged.exists()) == (DATA, False)


def test_what_is_not_there_is_said_to_be_missing(store, tmp_path):
    for ask in (store.read, store.size, store.sha256, lambda k: store.fetch(k, tmp_path / "copy")):
        with pytest.raises(FileNotFoundError):
            ask(KEY)
    with pytest.raises(FileNotFoundError):
        next(store.part(KEY, 0, 1))
    with pytest.raises(FileNotFoundError):
        store.response(KEY, media_type="image/webp")
    with pytest.raises(FileNotFoundError), store.local_path(KEY):
        pass
    assert not store.exists(KEY)
    store.remove(KEY)


def test_files_are_listed_below_their_folder_and_removed_one_by_one(store, stage):
    sizes = {"originals/1/ab/abc": 3, "renditions/1/2-view.webp": 5, "renditions/10/3-view.webp": 7, "renditions2/x": 1}
    for n, (key, size) in enumerate(sizes.items()):
        store.put(key, stage(b"x" * size, f"{n}"), sum_of(b"x" * size))
    assert {f.key: f.bytes for f in store.list_files("renditions")} == {
        k: s for k, s in sizes.items() if "renditions/" in k
    }
    assert {f.key for f in store.list_files() if is_finished_file(f.key)} == set(sizes)
    store.discard(["renditions/1/2-view.webp", "renditions2/x"])
    assert {f.key for f in store.list_files() if is_finished_file(f.key)} == {
        "originals/1/ab/abc",
        "renditions/10/3-view.webp",
    }


def test_many_are_read_in_the_order_given(store, stage):
    for n in range(20):
        store.put(f"a/{n}", stage(b"%d" % n, f"{n}"), sum_of(b"%d" % n))
    found = list(store.read_many((n, f"a/{n}") for n in range(24)))
    assert found == [(n, b"%d" % n if n < 20 else None) for n in range(24)]


@pytest.mark.parametrize(
    ("path", "finished"),
    [
        ("releases/1/README.md", True),
        ("renditions/9f/1-view.webp", True),
        ("releases/1/.captions.jsonl.part", False),
        ("incoming/9f/data", False),
        ("backup.restoring", False),
    ],
)
def test_what_is_in_flux_belongs_into_no_bucket(path, finished):
    assert is_finished_file(path) is finished


RANGES = [
    ("bytes=2-5", 206, slice(2, 6), "bytes 2-5/10"),
    ("bytes=7-", 206, slice(7, None), "bytes 7-9/10"),
    ("bytes=-3", 206, slice(7, None), "bytes 7-9/10"),
    ("bytes=1-2,4-5", 200, slice(None), None),
    ("lines=1-2", 200, slice(None), None),
    ("bytes=8-99", 206, slice(8, None), "bytes 8-9/10"),
    ("bytes=-99", 206, slice(None), "bytes 0-9/10"),
    ("bytes=5-2", 200, slice(None), None),
    ("bytes=10-", 416, slice(0, 0), "bytes */10"),
    ("bytes=20-", 416, slice(0, 0), "bytes */10"),
]


def test_a_range_is_sent_alone(store, stage):
    store.put(KEY, stage(b"0123456789"), sum_of(b"0123456789"))
    for header, status, expected, content_range in RANGES:
        answer = store.response(KEY, media_type="image/webp", range_header=header)
        body = b"".join(answer.streaming_content) if answer.streaming else answer.content
        assert (answer.status_code, body, answer.headers.get("Content-Range")) == (
            status,
            b"0123456789"[expected],
            content_range,
        )
        if status != 416:
            assert (answer.headers["Content-Length"], answer.headers["Accept-Ranges"]) == (str(len(body)), "bytes")


def test_the_web_server_in_front_sends_a_folder_s_files_and_names_their_downloads(settings, tmp_path, stage):
    settings.MEDIA_ROOT, settings.MEDIA_ACCEL_PREFIX = tmp_path / "working", "/protected-media/"
    store = chosen()
    store.put(KEY, stage(), sum_of(DATA))
    answer = store.response(KEY, media_type="image/webp", range_header="bytes=2-5", name="灯.webp")
    assert (answer.status_code, answer.content, answer.headers["X-Accel-Redirect"]) == (
        200,
        b"",
        f"/protected-media/{KEY}",
    )
    assert answer.headers["Content-Disposition"] == "attachment; filename*=utf-8''%E7%81%AF.webp"
    with pytest.raises(FileNotFoundError):
        store.response("a/b", media_type="image/webp", name="b")


# --- A bucket


def test_each_write_carries_its_sum_and_its_condition(bucket, stage):
    carried, store = [], chosen()
    store._client.meta.events.register("before-send.s3.PutObject", lambda request, **_: carried.append(request.headers))
    store.put(KEY, stage(b"hello"), sum_of(b"hello"))
    (headers,) = carried
    assert headers["If-None-Match"] == b"*"
    assert headers["x-amz-checksum-sha256"] == b"LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ="
    with pytest.raises(StoredFileDiffers):
        store.put("a/b", stage(b"hellO"), sum_of(b"hello"))  # changed on the disk since it was looked at
    assert not store.exists("a/b")


def test_the_web_server_in_front_is_given_an_address_for_a_minute(bucket, stage, settings):
    settings.MEDIA_ACCEL_PREFIX = "/protected-media/"
    store = chosen()
    store.put(KEY, stage(), sum_of(DATA))
    answer = store.response(KEY, media_type="image/webp", name="lantern.webp")
    path = answer.headers["X-Accel-Redirect"]
    assert path.startswith(f"/protected-media/{bucket['bucket']}/a/team/{KEY}?")
    assert "&X-Amz-Expires=60&" in path
    assert answer.content == b""
    with urllib.request.urlopen(bucket["endpoint"] + path.removeprefix("/protected-media")) as sent:
        assert sent.read() == DATA
        assert sent.headers["Content-Type"] == "image/webp"
        assert sent.headers["Content-Disposition"] == 'attachment; filename="lantern.webp"'
    with pytest.raises(FileNotFoundError):
        store.response("a/b", media_type="image/webp", name="b")


class Broken(BaseHTTPRequestHandler):
    """A server that answers everything with the same failure, or not at all."""

    answer: tuple[int, bytes] | None = None

    def fail(self):
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if self.answer is None:
            self.server.gate.wait(5)
            return
        status, body = self.answer
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def __getattr__(self, name):
        if name.startswith("do_"):
            return self.fail
        raise AttributeError(name)

    def log_message(self, *_):
        pass


@pytest.fixture
def broken(bucket, settings, monkeypatch):
    monkeypatch.setattr(buckets_module, "TRIES", 1)
    monkeypatch.setattr(buckets_module, "READ_SECONDS", 0.2)
    server = ThreadingHTTPServer(("127.0.0.1", 0), Broken)
    server.gate = threading.Event()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    settings.OBJECT_STORE = bucket | {"endpoint": f"http://127.0.0.1:{server.server_port}"}
    yield server
    server.gate.set()
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_store_that_fails_says_nothing_of_any_file(broken, stage, monkeypatch):
    store, staged = chosen(), stage(b"hello")
    no_bucket, denied = b"<Error><Code>NoSuchBucket</Code></Error>", b"<Error><Code>AccessDenied</Code></Error>"
    for answer in [(503, b""), (500, b"no XML"), (403, denied), (404, no_bucket), None]:
        monkeypatch.setattr(Broken, "answer", answer)
        for ask in (
            lambda: store.read(KEY),
            lambda: store.put(KEY, staged, sum_of(b"hello")),
            lambda: list(store.list_files()),
        ):
            with pytest.raises(StorageUnavailable):
                ask()


def test_nobody_listening_is_told_by_every_question(bucket, stop_storage, stage, tmp_path):
    stop_storage()
    store = chosen()
    for ask in (
        lambda: store.read(KEY),
        lambda: store.size(KEY),
        lambda: store.fetch(KEY, tmp_path / "copy"),
        lambda: store.put(KEY, stage(), sum_of(DATA)),
        lambda: store.remove(KEY),
        lambda: store.response(KEY, media_type="image/webp"),
        lambda: list(store.read_many([(1, KEY)])),
        store.check,
    ):
        with pytest.raises(StorageUnavailable):
            ask()
    store.discard([KEY])


def test_a_folder_that_is_not_mounted_says_nothing_of_any_file(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "not-mounted"
    with pytest.raises(StorageUnavailable):
        chosen().read(KEY)
