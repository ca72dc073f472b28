"""Bodies that are refused before they are read: too long ones, and those of people who may not send one."""

import uuid
from pathlib import Path

import pytest
from django.core.files import uploadedfile
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from annotation.imports.models import Import
from curation.core.api import uploads
from curation.core.errors import StorageFull
from tests.evaluation.submissions.predictions import world_with_release
from tests.people import signed_in, told, world
from tests.pictures import files
from tests.protocols import captions_protocol

pytestmark = pytest.mark.django_db

FORM = "multipart/form-data; boundary=x"
HEAD = b'--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n'
PAGES = ["/", "/b/cvlue", "/_allauth/browser/v1/auth/login", "/_allauth/browser/v1/auth/session", "/healthz"]


class Body:
    """A form with an endless file, which counts what is read of it."""

    def __init__(self) -> None:
        self.bytes = 0

    def read(self, size: int = -1) -> bytes:
        assert size > 0
        part = HEAD if not self.bytes else b"a" * size
        self.bytes += len(part)
        return part

    def readline(self, size: int = -1) -> bytes:
        return self.read(size)


@pytest.fixture
def temporary(monkeypatch):
    """The names of temporary files that are created for files of forms, by Django's class or by ours."""
    made = []
    create = uploadedfile.tempfile.NamedTemporaryFile

    def noted(*args, **kwargs):
        file = create(*args, **kwargs)
        made.append(file.name)
        return file

    for module in (uploadedfile.tempfile, uploads.tempfile):
        monkeypatch.setattr(module, "NamedTemporaryFile", noted)
    return made


@pytest.fixture(autouse=True)
def media(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path
    return tmp_path


def stranger() -> Client:
    """Somebody with a well-formed anti-forgery cookie of their own making."""
    client = Client(enforce_csrf_checks=True, raise_request_exception=False)
    client.cookies["csrftoken"] = "a" * 32
    return client


def send(client: Client, method: str, page: str, length: int | None, declared: str = FORM, **more):
    """Send an endless body of an announced length; return the answer and how many bytes were read."""
    body = Body()
    announced = {} if length is None else {"CONTENT_LENGTH": str(length)}
    answer = client.generic(
        method, page, content_type=declared, **announced, **more, **{"wsgi.input": body, "CONTENT_TYPE": declared}
    )
    return answer, body.bytes


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("length", [2_000_000, 2_500_000, 300_000_000, None])
def test_no_byte_of_a_strangers_form_is_read(page, length, temporary):
    answer, read = send(stranger(), "POST", page, length)
    refusal = (413, "body_too_large") if length == 300_000_000 else (403, "csrf_failed")
    assert (told(answer), read, temporary) == (refusal, 0, [])


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "GET"])
def test_the_bound_is_that_of_json_for_every_method_and_type(method):
    for declared in (FORM, "application/json", "text/plain", "application/offset+octet-stream"):
        for page in ("/api/v1/session", "/api/v1/benchmarks", "/_allauth/browser/v1/auth/login", "/nowhere"):
            answer, read = send(stranger(), method, page, 2_500_001, declared)
            assert (told(answer), read) == ((413, "body_too_large"), 0)
            assert answer.json()["params"] == {"maximum": 2_500_000}
            assert answer.headers["X-Frame-Options"] == "DENY"


@pytest.mark.parametrize("length", ["-1", "1e9", "٣٠٠٠٠٠٠", "9" * 5_000, " ", "0x5"])
def test_a_length_that_is_no_number(length, temporary):
    answer, read = send(stranger(), "POST", "/", length)
    assert (answer.status_code in (403, 413), read, temporary) == (True, 0, [])


def forms(release) -> list[tuple[str, int, str]]:
    """The addresses that take a form with a file, the largest body of each, and the error of a larger one."""
    return [
        ("/api/v1/benchmarks/cvlue/imports", 256_000_000 + 2_500_000, "import_too_large"),
        (f"/api/v1/releases/{release.pk}/submissions", 128_000_000 + 2_500_000, "submission_too_large"),
    ]


def test_forms_with_a_file_have_bounds_of_their_own(temporary):
    team, release = world_with_release(1)
    for page, maximum, code in forms(release):
        answer, read = send(signed_in(team.admin), "POST", page, maximum + 1)
        assert (told(answer), read, temporary) == ((413, code), 0, [])


def test_a_form_of_somebody_who_may_not_send_it_is_not_read(temporary):
    team, release = world_with_release(1)
    for page, maximum, _ in forms(release):
        answer, read = send(signed_in(team.stranger), "POST", page, maximum)
        assert (told(answer), read, temporary) == ((403, "operation_not_allowed"), 0, [])
        answer, read = send(stranger(), "POST", page, maximum)
        assert (told(answer), read, temporary) == ((401, "not_signed_in"), 0, [])
        without_token = Client(enforce_csrf_checks=True, raise_request_exception=False)
        without_token.cookies = signed_in(team.admin).cookies
        answer, read = send(without_token, "POST", page, maximum)
        assert (told(answer), read, temporary) == ((403, "csrf_failed"), 0, [])
    answer, read = send(signed_in(team.senior), "POST", forms(release)[0][0], 256_000_000)
    assert (told(answer), read, temporary) == ((403, "operation_not_allowed"), 0, [])


def test_a_form_with_the_token_in_the_header_is_accepted(temporary):
    team, release = world_with_release(1)
    client = Client(enforce_csrf_checks=True)
    client.cookies = signed_in(team.admin).cookies
    client.cookies["csrftoken"] = "a" * 32
    form = {"kind": "captions", "target": "items", "client_key": str(uuid.uuid4())}
    body = {**form, "file": SimpleUploadedFile("a.jsonl", b"[" + b" " * 3_000_000 + b"]")}
    page = forms(release)[0][0]
    assert client.post(page, body, headers={"X-CSRFToken": "a" * 32}).status_code == 201
    assert (Import.objects.count(), len(temporary)) == (1, 1)


def test_temporary_files_are_on_the_disk_whose_floor_is_asked(media, temporary):
    team, release = world_with_release(1)
    held = files(media)
    answer, read = send(signed_in(team.admin), "POST", forms(release)[0][0], 3_000_000)
    assert (answer.status_code, read > 2_500_000) == (400, True)  # the form never ends
    assert [Path(name).parent for name in temporary] == [media / "incoming" / "forms"]
    assert Path(temporary[0]).parent.stat().st_mode & 0o777 == 0o700
    assert files(media) == held


def test_the_disk_is_asked_before_a_temporary_file_is_written(settings, media, temporary, monkeypatch):
    team, release = world_with_release(1)
    held = files(media)
    settings.MEDIA_FLOOR_BYTES = 10**18
    for page, maximum, _ in forms(release):
        answer, read = send(signed_in(team.admin), "POST", page, maximum)
        assert (told(answer), temporary, files(media)) == ((507, "storage_full"), [], held)
        assert read < 1_000_000
    settings.MEDIA_FLOOR_BYTES = 0
    asked = []

    def full_after_five_blocks(needed: int = 1) -> None:
        asked.append(needed)
        if len(asked) == 6:
            raise StorageFull

    monkeypatch.setattr(uploads, "require_space", full_after_five_blocks)
    answer, read = send(signed_in(team.admin), "POST", forms(release)[0][0], 256_000_000)
    assert told(answer) == (507, "storage_full")
    assert read < 1_000_000
    assert [Path(name).exists() for name in temporary] == [False]
    assert files(media) == held


def test_parts_of_uploads_may_be_longer():
    address = f"/api/v1/uploads/{uuid.uuid4()}"
    headers = {"Tus-Resumable": "1.0.0", "Upload-Offset": "0"}
    person = signed_in(world(captions_protocol()).contributor)
    answer, read = send(person, "PATCH", address, 4_000_000, "application/offset+octet-stream", headers=headers)
    assert (told(answer), read) == ((404, "not_found"), 0)  # bounded by the length of the upload, if there is one
