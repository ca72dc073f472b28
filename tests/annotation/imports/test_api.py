"""Imports over HTTP: the form, the progress, and the report."""

import json
import uuid

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from annotation.imports.models import Import
from annotation.imports.tasks import run_import
from tests.people import World, send, signed_in, told, world
from tests.pictures import files
from tests.protocols import captions_protocol
from tests.ready import accepted_pictures
from tests.sentences import five_captions

pytestmark = pytest.mark.django_db


@pytest.fixture
def here(settings, tmp_path) -> World:
    settings.MEDIA_ROOT = tmp_path
    made = world(captions_protocol(size=2))
    accepted_pictures(made.benchmark, made.contributor, made.curator, 2)
    return made


def post(browser, data: bytes, name: str = "../花灯.jsonl", **more):
    form = {"kind": "captions", "target": "items", "client_key": str(uuid.uuid4())} | more
    return browser.post("/api/v1/benchmarks/cvlue/imports", form | {"file": SimpleUploadedFile(name, data)})


def test_a_file_is_uploaded_imported_and_reported_on(here):
    browser = signed_in(here.admin)
    rows = [{"image": "img-0001"} | five_captions(1), {"image": "img-0009"} | five_captions(2)]
    answer = post(browser, "\n".join(json.dumps(row) for row in rows).encode())
    assert answer.status_code == 201
    made = answer.json()
    assert (made["format"], made["name"], made["job"]["state"]) == ("jsonl", "花灯.jsonl", "queued")
    assert made["counts"] == {"rows": 0, "made": 0, "drafted": 0, "unchanged": 0, "refused": 0}
    run_import(job_id=made["job"]["id"])
    shown = send(browser, "GET", f"imports/{made['id']}").json()
    assert shown["counts"] == {"rows": 2, "made": 1, "drafted": 0, "unchanged": 0, "refused": 1}
    assert (shown["job"]["state"], shown["job"]["done"], shown["job"]["total"]) == ("done", 2, 2)
    assert shown["created_by"] == {"id": here.admin.pk, "name": here.admin.name}
    listed = send(browser, "GET", "benchmarks/cvlue/imports").json()
    assert (listed["results"], listed["total"], listed["maximum_bytes"]) == ([shown], 1, 256_000_000)
    report = send(browser, "GET", f"imports/{made['id']}/rows?outcome=refused").json()
    assert report["results"] == [
        {
            "line": 2,
            "outcome": "refused",
            "label": "img-0009",
            "code": "image_unknown",
            "params": {"image": "img-0009"},
            "item": None,
        }
    ]
    [row] = send(browser, "GET", f"imports/{made['id']}/rows?outcome=made").json()["results"]
    assert (row["line"], row["code"], row["item"]["label"]) == (1, None, "cap-000001")


@pytest.mark.parametrize(
    ("more", "refusal"),
    [
        ({"target": "accepted"}, (400, "invalid_input")),
        ({"format": "csv"}, (400, "invalid_input")),
        ({"extra": "x"}, (400, "invalid_input")),
        ({"kind": "boxes"}, (400, "kind_not_in_protocol")),
        ({"reason": "x\u202e"}, (400, "invalid_input")),
        ({"data": b"\xff"}, (400, "import_not_utf8")),
        ({"data": b""}, (400, "import_empty")),
    ],
)
def test_an_invalid_form_is_rejected(here, more, refusal):
    data = more.pop("data", b"[]")
    assert told(post(signed_in(here.admin), data, **more)) == refusal
    assert Import.objects.count() == 0


def test_below_the_disks_floor_no_file_is_stored(here, settings):
    held = files(settings.MEDIA_ROOT)
    settings.MEDIA_FLOOR_BYTES = 10**18
    assert told(post(signed_in(here.admin), b"[]")) == (507, "storage_full")
    assert (Import.objects.count(), files(settings.MEDIA_ROOT)) == (0, held)


def test_only_heads_read_the_report_and_only_administrators_import(here):
    made = post(signed_in(here.admin), b"[]").json()
    assert told(post(signed_in(here.senior), b"[]")) == (403, "operation_not_allowed")
    assert told(send(signed_in(here.annotator), "GET", f"imports/{made['id']}/rows")) == (403, "operation_not_allowed")
    assert Import.objects.count() == 1
