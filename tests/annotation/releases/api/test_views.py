"""Releases over HTTP: shapes, permissions, downloads, statements."""

import csv
import hashlib
import io
import json
import uuid
import zipfile

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.releases import rules, services
from annotation.releases.models import Release
from annotation.releases.queries import archives
from curation.core import jobs
from curation.images.models import Image
from tests.annotation.releases.content import accepted, filled, frozen, picture, team
from tests.people import key, signed_in
from tests.shared import shared

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def media(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "media"
    return settings.MEDIA_ROOT


@shared
def here():
    return team()


def post(browser, address, **body):
    return browser.post(f"/api/v1/{address}", body, content_type="application/json")


def release_of(here, *, freeze=False, write=False):
    if freeze:
        release = frozen(here)
    else:
        release = services.create_release(
            actor=here.admin, benchmark_slug="cvlue", kinds=["captions"], seed=7, client_key=uuid.uuid4()
        )
    if write:
        assert jobs.run(release.job_id, services.write_files) == "done"
    return release


SPLITS = [
    {"name": "train", "images": 7, "items": 7, "withheld": False},
    {"name": "valid", "images": 1, "items": 1, "withheld": False},
    {"name": "test", "images": 3, "items": 3, "withheld": False},
]


def test_a_draft_is_made_and_shown_with_what_it_would_hold(here):
    filled(here, 10)
    accepted(here, 11, pii_clear_by=None)
    picture(here, 12)
    admin = signed_in(here.admin)
    made = post(admin, "benchmarks/cvlue/releases", kinds=["captions"], seed="9007199254740993", client_key=key())
    assert made.status_code == 201
    release = Release.objects.get()
    brief = made.json()
    assert brief | {"created_at": ""} == {
        "id": release.pk,
        "number": 1,
        "label": "captions-v1",
        "kinds": ["captions"],
        "state": "draft",
        "checking": False,
        "freezing": False,
        "seed": "9007199254740993",
        "created_at": "",
        "frozen_at": None,
        "published_at": None,
        "digest": None,
        "images": 11,
        "items": 11,
        "available_actions": ["release_update", "release_check", "release_withdraw"],
    }
    detail = admin.get(f"/api/v1/releases/{release.pk}").json()
    image = release.benchmark.images.get(number=11)
    assert detail == brief | {
        "protocol_version": 1,
        "splits_from": "earlier",
        "notes": "",
        "checked_at": None,
        "withdrawn_at": None,
        "withdrawn_reason": "",
        "is_computed": True,
        "as_of": None,
        "gates": [
            {
                "code": "personal_information",
                "params": {"total": 1},
                "label": "img-0011",
                "link": f"/b/cvlue/pictures/{image.pk}",
            }
        ],
        "gate_counts": [{"code": "personal_information", "n": 1}],
        "warnings": [],
        "by_kind": [
            {
                "kind": "captions",
                "digest": None,
                "images": 11,
                "items": 11,
                "previous": None,
                "left_out": [{"code": "picture_without_item", "n": 1, "link": "/b/cvlue/pictures?state=accepted"}],
                "splits": SPLITS,
                "formats": ["jsonl", "parquet"],
                "changes": None,
            }
        ],
        "splits": SPLITS,
        "formats": ["jsonl", "parquet"],
        "files": [],
        "archive": None,
        "missing_files": [],
        "covered_pictures": 0,
        "changes": None,
        "job": None,
    }


def test_a_draft_is_changed_checked_reopened_over_http(here):
    filled(here, 3)
    admin, release = signed_in(here.admin), release_of(here)
    address = f"/api/v1/releases/{release.pk}"
    body = {"seed": "12", "splits_from": "anew", "notes": "第一行\n第二行", "client_key": key()}
    changed = admin.patch(address, body, content_type="application/json")
    assert (changed.status_code, changed.json()["seed"]) == (200, "12")
    checked = post(admin, f"releases/{release.pk}/check", client_key=key()).json()
    assert (checked["state"], checked["splits_from"], checked["notes"]) == ("checked", "anew", "第一行\n第二行")
    assert checked["available_actions"] == ["release_reopen", "release_freeze", "release_withdraw"]
    assert post(admin, f"releases/{release.pk}/reopen", client_key=key()).json()["state"] == "draft"
    refused = admin.patch(address, {"splits_from": "other", "client_key": key()}, content_type="application/json")
    assert (refused.status_code, refused.json()["code"]) == (400, "invalid_input")


def test_a_release_is_frozen_its_files_written_downloaded_published_and_withdrawn(here, media):
    filled(here, 10)
    admin, curator = signed_in(here.admin), signed_in(here.curator)
    release = release_of(here)
    before = post(admin, f"releases/{release.pk}/check", client_key=key()).json()
    requested = post(admin, f"releases/{release.pk}/freeze", client_key=key()).json()
    assert (requested["state"], requested["freezing"], requested["available_actions"]) == ("checked", True, [])
    assert requested["job"]["kind"] == "annotation.freeze_release"
    assert post(admin, f"releases/{release.pk}/reopen", client_key=key()).json()["code"] == "release_busy"
    assert jobs.run(requested["job"]["id"], services.freeze) == "done"
    waiting = curator.get(f"/api/v1/releases/{release.pk}").json()
    assert (waiting["state"], waiting["images"], waiting["items"]) == ("frozen", 10, 10)
    assert waiting["splits"] == before["splits"]
    assert (waiting["gates"], waiting["files"], waiting["available_actions"]) == ([], [], [])
    assert len(waiting["missing_files"]) == 11
    refused = post(admin, f"releases/{release.pk}/publish", client_key=key())
    assert (refused.status_code, refused.json()["code"]) == (409, "release_not_written")
    assert refused.json()["params"] == {"missing": waiting["missing_files"]}
    job = waiting["job"]
    assert (job["kind"], job["state"], job["total"], job["error_code"]) == (
        "annotation.write_release_files",
        "queued",
        None,
        None,
    )
    assert post(admin, f"releases/{release.pk}/write", client_key=key()).json()["job"]["id"] == job["id"]
    assert jobs.run(job["id"], services.write_files) == "done"
    assert curator.get(f"/api/v1/jobs/{job['id']}").json()["state"] == "done"
    written = admin.get(f"/api/v1/releases/{release.pk}").json()
    assert (len(written["files"]), written["missing_files"]) == (10, [])
    assert written["available_actions"] == ["release_write", "release_publish", "release_withdraw"]
    for file in written["files"]:
        answer = admin.get(file["url"])
        assert answer.status_code == 200
        data = b"".join(answer.streaming_content)
        assert data == (media / "releases" / str(release.pk) / file["name"]).read_bytes()
        assert len(data) == file["bytes"]
        assert answer["Content-Disposition"] == f'attachment; filename="{file["name"]}"'
        assert answer["ETag"] == f'"{file["sha256"]}"'
        assert answer["X-Content-Type-Options"] == "nosniff"
    published = post(admin, f"releases/{release.pk}/publish", client_key=key()).json()
    assert (published["state"], published["published_at"] is None) == ("published", False)
    assert post(admin, f"releases/{release.pk}/withdraw", reason=" ", client_key=key()).status_code == 400
    gone = post(admin, f"releases/{release.pk}/withdraw", reason="授权有误", client_key=key()).json()
    assert (gone["state"], gone["withdrawn_reason"], gone["available_actions"]) == ("withdrawn", "授权有误", [])
    answer = admin.get(written["files"][0]["url"])
    assert (answer.status_code, answer.json()["code"]) == (404, "release_withdrawn")


def test_a_release_comes_as_one_archive_without_withdrawn_pictures(db, media):
    here = team(exporters=["jsonl", "parquet"], withheld=["test"])
    filled(here, 10)
    release = frozen(here)
    admin, curator = signed_in(here.admin), signed_in(here.curator)
    address = f"/api/v1/releases/{release.pk}/archive.zip"
    assert (admin.get(address).status_code, admin.get(address).json()["code"]) == (409, "release_not_written")
    assert admin.get(f"/api/v1/releases/{release.pk}").json()["archive"] is None
    jobs.run(release.job_id, services.write_files)
    answer = curator.get(address)
    whole = b"".join(answer.streaming_content)
    assert (answer.status_code, answer["Content-Length"], answer["Accept-Ranges"]) == (200, str(len(whole)), "bytes")
    assert answer["Content-Disposition"] == 'attachment; filename="captions-v1.zip"'
    page = curator.get(f"/api/v1/releases/{release.pk}").json()
    assert page["archive"] == {"files": 17, "bytes": len(whole), "url": address}
    assert not [file["name"] for file in page["files"] if file["format"] == "archive"]
    assert curator.get(f"/api/v1/releases/{release.pk}/files/archive.index").status_code == 404
    with zipfile.ZipFile(io.BytesIO(whole)) as read:
        assert read.testzip() is None
        names = {name.removeprefix("captions-v1/") for name in read.namelist()}
        records = [
            json.loads(line)
            for split in ("train", "valid", "test")
            for line in read.read(f"captions-v1/captions-{split}.jsonl").splitlines()
        ]
        assert names == {record["image"] for record in records} | {
            "README.md",
            "captions-train.jsonl",
            "captions-valid.jsonl",
            "captions-test.jsonl",
            "licences.csv",
            "changes.jsonl",
            "checksums.txt",
        }
        for record in records:
            assert hashlib.sha256(read.read(f"captions-v1/{record['image']}")).hexdigest() == record["image_sha256"]

    def part(header, **more):
        sent = curator.get(address, HTTP_RANGE=header, **more)
        return sent.status_code, b"".join(sent.streaming_content), sent.headers.get("Content-Range")

    assert part("bytes=100-4999") == (206, whole[100:5000], f"bytes 100-4999/{len(whole)}")
    assert part("bytes=-70", HTTP_IF_RANGE=answer["ETag"])[1] == whole[-70:]
    assert curator.get(address, HTTP_RANGE=f"bytes={len(whole)}-").status_code == 416
    taken = Image.objects.get(number=records[0]["id"])
    Image.objects.filter(pk=taken.pk).update(state="withdrawn")
    status, rest, _ = part("bytes=100-4999", HTTP_IF_RANGE=answer["ETag"])
    assert status == 200  # it is another file now
    with zipfile.ZipFile(io.BytesIO(rest)) as read:
        assert names - {name.removeprefix("captions-v1/") for name in read.namelist()} == {records[0]["image"]}


def test_a_process_sends_two_archives_at_a_time(here, media, monkeypatch):
    monkeypatch.setattr(archives, "WAIT", 0)
    filled(here, 4)
    release = frozen(here)
    jobs.run(release.job_id, services.write_files)
    admin, address = signed_in(here.admin), f"/api/v1/releases/{release.pk}/archive.zip"
    one, two = admin.get(address), admin.get(address)
    busy = admin.get(address)
    assert (busy.status_code, busy.json()["code"]) == (503, "archive_busy")
    assert len(b"".join(one.streaming_content)) == int(one["Content-Length"])
    three = admin.get(address)
    assert three.status_code == 200
    for answer in (two, three):
        b"".join(answer.streaming_content)
    for _ in range(3):  # a reader who leaves at once frees the place, too
        archives.archive_of(release).parts(range(10)).close()


def test_answers_that_are_withheld_are_for_heads_alone(db, media):
    here = team(withheld=["test"])
    filled(here, 10)
    release = frozen(here)
    jobs.run(release.job_id, services.write_files)
    admin, curator = signed_in(here.admin), signed_in(here.curator)
    files = {file["name"]: file["url"] for file in curator.get(f"/api/v1/releases/{release.pk}").json()["files"]}
    key_file = files["captions-test-key.jsonl"]
    assert key_file == f"/api/v1/releases/{release.pk}/keys/captions-test-key.jsonl"
    assert (curator.get(key_file).status_code, curator.get(files["README.md"]).status_code) == (403, 200)
    assert (admin.get(key_file).status_code, admin.get(key_file.replace("keys", "files")).status_code) == (200, 404)


def test_every_failure_is_in_the_table(here, monkeypatch):
    monkeypatch.setitem(rules.gate_failures.__kwdefaults__, "most", 1)
    for number in (1, 2, 3):
        accepted(here, number, pii_clear_by=None)
    release = release_of(here)
    admin = signed_in(here.admin)
    page = admin.get(f"/api/v1/releases/{release.pk}").json()
    assert [(g["label"], g["params"]["total"]) for g in page["gates"]] == [("img-0001", 3)]
    answer = admin.get(f"/api/v1/releases/{release.pk}/gates.csv")
    assert answer["Content-Disposition"] == 'attachment; filename="captions-v1-gates.csv"'
    rows = list(csv.DictReader(io.StringIO(answer.content.decode())))
    assert [(row["gate"], row["object"]) for row in rows] == [
        ("personal_information", f"img-000{n}") for n in (1, 2, 3)
    ]
    assert rows[0]["page"] == page["gates"][0]["link"]
    assert json.loads(rows[0]["values"]) == {k: v for k, v in page["gates"][0]["params"].items() if k != "total"}


def test_a_frozen_release_has_no_failures(here):
    filled(here, 4)
    answer = signed_in(here.admin).get(f"/api/v1/releases/{release_of(here, freeze=True).pk}/gates.csv")
    assert answer.content == b"gate,object,page,values\n"


def test_failed_gates_are_the_answer(here):
    release = release_of(here)
    refused = post(signed_in(here.admin), f"releases/{release.pk}/check", client_key=key())
    assert refused.status_code == 409
    assert refused.json()["code"] == "gates_failed"
    assert [g["code"] for g in refused.json()["params"]["gates"]] == ["nothing_accepted"]
    release.refresh_from_db()
    assert release.state == "draft"


def test_changes_are_listed_one_sort_at_a_time(here):
    filled(here, 3)
    frozen(here)
    accepted(here, 4)
    second = frozen(here)
    curator = signed_in(here.curator)
    detail = curator.get(f"/api/v1/releases/{second.pk}").json()
    [own] = detail["by_kind"]
    previous = own["previous"]["id"]
    assert own["previous"] == {"id": previous, "label": "captions-v1"}
    assert detail["changes"] == own["changes"]
    assert detail["changes"] == {"added": 1, "removed": 0, "changed": 0}
    added = curator.get(f"/api/v1/releases/{second.pk}/changes?change=added").json()
    assert added == {
        "results": [
            {
                "label": "cap-000004",
                "change": "added",
                "revision": 2,
                "previous_revision": None,
                "image": {"label": "img-0004", "thumb_url": ""},
                "language": None,
                "first_text": "第4张图片的第1句描述",
                "previous_text": None,
                "errata": [],
            }
        ],
        "next": None,
        "total": 1,
        "total_is_capped": False,
    }
    # The first of its kind changes nothing; which changes is always said.
    first = curator.get(f"/api/v1/releases/{previous}/changes?change=added").json()
    assert (first["results"], first["total"]) == ([], 0)
    assert curator.get(f"/api/v1/releases/{second.pk}/changes").status_code == 400
    assert signed_in(here.annotator).get(f"/api/v1/releases/{second.pk}/changes?change=added").status_code == 403


@pytest.mark.parametrize("seed", ["-1", "1.5", "x", "1" * 19, "１"])
def test_a_seed_is_up_to_eighteen_digits(here, seed):
    refused = post(signed_in(here.admin), "benchmarks/cvlue/releases", kinds=["captions"], seed=seed, client_key=key())
    assert (refused.status_code, refused.json()["code"]) == (400, "invalid_input")
    assert not Release.objects.exists()


# Who may read, download, draft and freeze.
WHO = {
    "owner": (200, 200, 403),
    "admin": (200, 200, 200),
    "curator": (200, 200, 403),
    "senior": (200, 403, 403),
    "annotator": (403, 403, 403),
    "contributor": (403, 403, 403),
}


@pytest.mark.parametrize("who", WHO)
def test_each_role_gets_what_the_table_says(here, who):
    filled(here, 3)
    release = release_of(here, freeze=True, write=True)
    browser = signed_in(getattr(here, who))
    reads, downloads, writes = WHO[who]
    job = Release.objects.get(pk=release.pk).job_id
    assert browser.get("/api/v1/benchmarks/cvlue/releases").status_code == reads
    assert browser.get(f"/api/v1/releases/{release.pk}").status_code == reads
    assert browser.get(f"/api/v1/jobs/{job}").status_code == reads
    assert browser.get(f"/api/v1/releases/{release.pk}/files/README.md").status_code == downloads
    made = post(browser, "benchmarks/cvlue/releases", kinds=["captions"], client_key=key())
    assert made.status_code == (201 if writes == 200 else writes)
    draft = release_of(here)
    assert post(browser, f"releases/{draft.pk}/check", client_key=key()).status_code == writes


def test_people_without_a_role_see_nothing(here):
    filled(here, 3)
    release = release_of(here, freeze=True, write=True)
    draft = release_of(here)
    other = signed_in(team(slug="other", prefix="x").admin)
    job = Release.objects.get(pk=release.pk).job_id
    for address in (
        "benchmarks/cvlue/releases",
        f"releases/{release.pk}",
        f"releases/{release.pk}/files/README.md",
        f"jobs/{job}",
    ):
        assert other.get(f"/api/v1/{address}").status_code == 404
    assert post(other, "benchmarks/cvlue/releases", kinds=["captions"], client_key=key()).status_code == 404
    for command in ("check", "reopen", "freeze", "write", "publish"):
        assert post(other, f"releases/{draft.pk}/{command}", client_key=key()).status_code == 404
    for address in ("releases/999999999", "jobs/999999999", f"releases/{release.pk}/files/other.txt"):
        assert signed_in(here.admin).get(f"/api/v1/{address}").status_code == 404


def test_lists_are_cut_into_pages_newest_first(here):
    for _ in range(3):
        release_of(here)
    admin = signed_in(here.admin)
    first = admin.get("/api/v1/benchmarks/cvlue/releases?page_size=2").json()
    assert ([r["number"] for r in first["results"]], first["total"], first["total_is_capped"]) == ([3, 2], 3, False)
    rest = admin.get(f"/api/v1/benchmarks/cvlue/releases?page_size=2&cursor={first['next']}").json()
    assert ([r["number"] for r in rest["results"]], rest["next"]) == ([1], None)


def statements(browser, address):
    browser.get(address)  # the first request of a process reads the protocol once
    with CaptureQueriesContext(connection) as seen:
        assert browser.get(address).status_code == 200
    return [q["sql"] for q in seen]


def test_statements_do_not_grow_with_what_is_shown(here):
    filled(here, 5)
    draft, written = release_of(here), release_of(here, freeze=True, write=True)
    admin = signed_in(here.admin)
    addresses = ["/api/v1/benchmarks/cvlue/releases", f"/api/v1/releases/{draft.pk}", f"/api/v1/releases/{written.pk}"]
    # session; then benchmark, count, page · release, its kinds, tallies, snapshot, near pairs, kept splits, unfinished,
    # left out, quotas, errata · release, its kinds, job, files, withdrawn pictures
    assert [len(statements(admin, a)) for a in addresses] == [4, 11, 7]
    for number in range(6, 30):
        accepted(here, number)
    for _ in range(5):
        release_of(here, freeze=True)
    assert [len(statements(admin, a)) for a in addresses] == [4, 11, 7]
