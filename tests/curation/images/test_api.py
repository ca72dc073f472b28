"""Pictures over HTTP."""

import base64
import hashlib
import io
import uuid
import zipfile
from pathlib import Path

import pytest

from curation.core.models import Job
from curation.images.models import Image, ImageVerdict, Upload
from curation.images.rules import Objects
from curation.images.services import check_upload
from tests import pictures
from tests.people import key, signed_in
from tests.pictures import files, image, ready

pytestmark = pytest.mark.django_db
B = "/api/v1/benchmarks/cvlue"
URL, UPLOADS = f"{B}/images", f"{B}/uploads"
PART = "application/offset+octet-stream"
TUS = {"HTTP_TUS_RESUMABLE": "1.0.0"}


def post(client, path, **body):
    return client.post(path, body, content_type="application/json")


def metadata(**told):
    values = {name: value if isinstance(value, bytes) else value.encode() for name, value in told.items()}
    return ",".join(f"{name} {base64.b64encode(value).decode()}" for name, value in values.items())


def create(client, length, name="photo.jpg", *, client_key=None, url=UPLOADS, **told):
    told = {"filename": name, "client_key": client_key or key()} | told
    return client.post(
        url, HTTP_UPLOAD_LENGTH=str(length), HTTP_UPLOAD_METADATA=metadata(**told), content_type=PART, **TUS
    )


def part(client, at, data, offset=0, **headers):
    # Named once more: the test client leaves both out where there is no body.
    told = {"CONTENT_TYPE": PART, "CONTENT_LENGTH": str(len(data)), "HTTP_UPLOAD_OFFSET": str(offset)}
    return client.generic("PATCH", at, data, **(told | TUS | headers))


def sent(client, data, name="photo.jpg"):
    """Send a file whole and have it checked; returns its row."""
    at = create(client, len(data), name)["Location"]
    assert part(client, at, data).status_code == 204
    upload_id = at.rsplit("/", 1)[1]
    check_upload(uuid.UUID(upload_id))
    return client.get(UPLOADS, {"ids": upload_id}).json()["results"][0]


def decided(client, shown, outcome="accepted", **more):
    body = {"image": shown["id"], "no": shown["verdict_no"], "outcome": outcome, "client_key": key()} | more
    (row,) = post(client, f"{URL}/judge", verdicts=[body]).json()["results"]
    return row


# --- tus


def test_a_file_in_parts(here, media):
    client, data = signed_in(here.contributor), pictures.jpeg()
    made = create(client, len(data), "花灯.jpg")
    assert (made.status_code, made["Upload-Offset"], made["Tus-Resumable"]) == (201, "0", "1.0.0")
    assert "Upload-Expires" in made
    at = made["Location"]
    assert at.startswith("/api/v1/uploads/")
    first = part(client, at, data[:10_000])
    assert (first.status_code, first["Upload-Offset"]) == (204, "10000")
    asked = client.head(at, **TUS)
    assert (asked.status_code, asked["Upload-Offset"], asked["Upload-Length"]) == (200, "10000", str(len(data)))
    assert asked["Cache-Control"] == "no-store"
    wrong = part(client, at, data[5_000:], 5_000)
    assert (wrong.status_code, wrong.json()["code"]) == (409, "upload_offset_wrong")
    assert wrong.json()["params"] == {"given": 5_000, "offset": 10_000}
    assert part(client, at, data[10_000:], 10_000)["Upload-Offset"] == str(len(data))
    row = Upload.objects.get()
    assert (row.state, row.received, row.filename) == ("checking", len(data), "花灯.jpg")
    assert (media / "incoming" / str(row.pk) / "data").read_bytes() == data
    assert Job.objects.get().args == {"upload": str(row.pk)}
    assert part(client, at, b"", len(data)).status_code == 204  # the answer was lost
    assert part(client, at, b"x", len(data)).json()["code"] == "upload_closed"


def test_what_the_server_offers(here):
    told = signed_in(here.contributor).options(UPLOADS)
    assert told.status_code == 204
    assert told["Tus-Version"] == "1.0.0"
    assert told["Tus-Extension"] == "creation,checksum,termination,expiration"
    assert told["Tus-Checksum-Algorithm"] == "sha1,sha256"
    assert int(told["Tus-Max-Size"]) > 0


def test_another_version_of_the_protocol_is_refused(here):
    client = signed_in(here.contributor)
    for headers in ({}, {"HTTP_TUS_RESUMABLE": "0.2.2"}):
        answer = client.post(UPLOADS, HTTP_UPLOAD_LENGTH="5", HTTP_UPLOAD_METADATA="", content_type=PART, **headers)
        assert (answer.status_code, answer.json()["code"], answer["Tus-Version"]) == (412, "tus_version_wrong", "1.0.0")
    assert not Upload.objects.exists()


def test_creating_again_with_the_same_key_is_one_upload(here):
    client, same = signed_in(here.contributor), key()
    first, again = create(client, 9, client_key=same), create(client, 9, client_key=same)
    assert (first.status_code, again.status_code) == (201, 200)
    assert first["Location"] == again["Location"]
    assert create(client, 10, client_key=same).json()["code"] == "client_key_reused"
    client.delete(first["Location"], **TUS)
    assert create(client, 10, client_key=same).status_code == 201


@pytest.mark.parametrize("algorithm", ["sha1", "sha256"])
def test_a_part_that_was_damaged_on_its_way_is_thrown_away(here, media, algorithm):
    client, data = signed_in(here.contributor), pictures.jpeg()
    at = create(client, len(data))["Location"]
    good = base64.b64encode(hashlib.new(algorithm, data[:5_000]).digest()).decode()
    damaged = b"X" + data[1:5_000]
    answer = part(client, at, damaged, HTTP_UPLOAD_CHECKSUM=f"{algorithm} {good}")
    assert (answer.status_code, answer.json()["code"]) == (460, "upload_checksum_wrong")
    assert client.head(at, **TUS)["Upload-Offset"] == "0"
    assert part(client, at, data[:5_000], HTTP_UPLOAD_CHECKSUM=f"{algorithm} {good}")["Upload-Offset"] == "5000"
    assert part(client, at, data[5_000:], 5_000).status_code == 204
    assert (media / "incoming" / at.rsplit("/", 1)[1] / "data").read_bytes() == data
    for wrong in ("md5 abc", "sha256 !!", "sha256", f"sha256 {base64.b64encode(b'short').decode()}"):
        other = create(client, 5)["Location"]
        assert part(client, other, b"12345", HTTP_UPLOAD_CHECKSUM=wrong).json()["code"] == "upload_checksum_unknown"


def test_a_file_that_differs_from_its_announced_sum_is_refused(here):
    client, data = signed_in(here.contributor), pictures.jpeg()
    at = create(client, len(data), checksum="0" * 64)["Location"]
    part(client, at, data)
    error = check_upload(uuid.UUID(at.rsplit("/", 1)[1]))
    assert error.code == "upload_damaged"


class Unread:
    """A body that nobody may look at."""

    def read(self, *args):
        raise AssertionError("the body was read")

    readline = read


def test_what_is_too_large_is_refused_by_its_headers(here, settings):
    client = signed_in(here.contributor)
    settings.UPLOAD_LIMIT_BYTES, settings.UPLOAD_ZIP_LIMIT_BYTES = 1_000_000, 2_000_000
    answer = create(client, 1_000_001)
    assert (answer.status_code, answer.json()["code"]) == (413, "image_too_large")
    assert answer.json()["params"] == {"bytes": 1_000_001, "maximum": 1_000_000}
    assert create(client, 1_000_001, "a.zip").status_code == 201
    answer = create(client, 2_000_001, "a.zip")
    assert (answer.status_code, answer.json()["code"]) == (413, "upload_too_large")
    at = create(client, 1_000)["Location"]
    answer = part(client, at, b"", CONTENT_LENGTH="1001", **{"wsgi.input": Unread()})
    assert (answer.status_code, answer.json()["code"]) == (413, "upload_too_large")
    assert client.head(at, **TUS)["Upload-Offset"] == "0"


def test_headers_of_another_shape_are_refused(here):
    client = signed_in(here.contributor)
    assert create(client, "many").json()["code"] == "invalid_input"
    assert create(client, -1).json()["code"] == "invalid_input"
    assert create(client, 5, client_key="none").json()["code"] == "invalid_input"
    assert create(client, 5, checksum="abc").json()["code"] == "invalid_input"
    told = {"HTTP_UPLOAD_METADATA": "filename !!!"}
    assert (
        client.post(UPLOADS, HTTP_UPLOAD_LENGTH="5", content_type=PART, **told, **TUS).json()["code"] == "invalid_input"
    )
    at = create(client, 5)["Location"]
    assert client.patch(at, "{}", content_type="application/json", **TUS).json()["code"] == "invalid_input"
    assert part(client, at, b"1", "x").json()["code"] == "invalid_input"
    assert Upload.objects.get().received == 0


def test_as_many_wait_as_may(here, settings):
    settings.UPLOADS_OPEN_PER_PERSON = 2
    client = signed_in(here.contributor)
    first = create(client, 5)["Location"]
    create(client, 5)
    answer = create(client, 5)
    assert (answer.status_code, answer.json()["code"]) == (429, "too_many_uploads")
    assert answer.json()["params"] == {"open": 2, "maximum": 2}
    assert create(signed_in(here.curator), 5).status_code == 201
    assert client.delete(first, **TUS).status_code == 204
    assert create(client, 5).status_code == 201


def test_a_file_beyond_a_limit_in_bytes_is_refused_by_its_headers(here, media, settings):
    settings.UPLOAD_BYTES_PER_PERSON, settings.BENCHMARK_BYTES = 100, 130
    client = signed_in(here.contributor)
    assert create(client, 60).status_code == 201
    answer = create(client, 41)
    assert (answer.status_code, answer.json()["code"]) == (429, "person_storage_limit")
    assert answer.json()["params"] == {"limit": 100, "used": 60, "bytes": 41}
    answer = create(signed_in(here.curator), 71)
    assert (answer.status_code, answer.json()["code"]) == (507, "benchmark_storage_limit")
    assert answer.json()["params"] == {"limit": 130, "used": 60, "bytes": 71}
    assert (Upload.objects.count(), len(files(media))) == (1, 1)


def test_dropping(here, media):
    client = signed_in(here.contributor)
    at = create(client, 5)["Location"]
    part(client, at, b"12")
    assert client.delete(at, **TUS).status_code == 204
    assert client.delete(at, **TUS).status_code == 204
    assert files(media) == []
    gone = client.head(at, **TUS)
    assert gone.status_code == 410
    assert part(client, at, b"345", 2).json()["code"] == "upload_gone"
    assert client.get(UPLOADS).json()["results"] == []


def test_somebody_elses_upload_is_not_there(here):
    at = create(signed_in(here.contributor), 5)["Location"]
    curator = signed_in(here.curator)
    for answer in (
        curator.head(at, **TUS),
        part(curator, at, b"1"),
        curator.delete(at, **TUS),
        curator.get(f"{at}/thumb"),
    ):
        assert answer.status_code == 404
    assert Upload.objects.get().state == "receiving"
    assert create(signed_in(here.annotator), 5).status_code == 403


# --- checks, details, taking


def test_from_file_to_picture(here, media, django_assert_num_queries):
    client = signed_in(here.contributor)
    row = sent(client, pictures.loaded_jpeg(6))
    assert [(c["code"], c["state"]) for c in row["checks"]] == [
        (name, "passed")
        for name in (
            "type",
            "size",
            "duplicate",
            "sides",
            "aspect",
            "decodable",
            "metadata",
            "near_duplicate",
            "blurred",
        )
    ]
    assert (row["state"], row["width"], row["height"], row["near"]) == ("ready", 480, 640, [])
    assert row["missing"] == ["source", "licence", "category"]
    assert client.get(row["thumb_url"])["Content-Type"] == "image/webp"
    assert pictures.MARK not in b"".join(client.get(row["thumb_url"]).streaming_content)
    assert signed_in(here.curator).get(row["thumb_url"]).status_code == 404
    untaken = post(client, f"{UPLOADS}/take", ids=[row["id"]], client_key=key()).json()["results"]
    assert (untaken[0]["image"], untaken[0]["error"]["code"]) == (None, "details_missing")
    assert untaken[0]["error"]["params"] == {"fields": ["source", "licence", "category"]}
    said = {"source": "external", "url": "https://example.org/a.jpg", "licence": "CC-BY-4.0", "category": "lantern"}
    (described,) = post(client, f"{UPLOADS}/describe", ids=[row["id"]], details=said).json()
    assert described["missing"] == ["author"]
    (described,) = post(client, f"{UPLOADS}/describe", ids=[row["id"]], details={"author": "李雷"}).json()
    assert (described["missing"], described["details"]) == ([], said | {"author": "李雷"})
    (taken,) = post(client, f"{UPLOADS}/take", ids=[row["id"]], client_key=key()).json()["results"]
    assert (taken["image"]["label"], taken["error"]) == ("img-0001", None)
    again = post(client, f"{UPLOADS}/take", ids=[row["id"]], client_key=key()).json()["results"]
    assert again[0]["image"] == taken["image"]
    curator = signed_in(here.curator)
    with django_assert_num_queries(5):  # session, picture, verdicts, takedowns, near ones
        shown = curator.get(f"/api/v1/images/{taken['image']['id']}").json()
    assert shown["source"] == {
        "kind": "external",
        "site": "",
        "url": "https://example.org/a.jpg",
        "author": "李雷",
        "uses": None,
        "waived": False,
        "donor_consent": False,
    }
    assert (shown["category"]["slug"], shown["collected_for"]["slug"]) == ("lantern", "lantern")
    assert (shown["verdict_no"], shown["objects"], shown["original_kept"]) == (0, None, False)
    assert shown["available_actions"] == [
        "image_judge",
        "image_take_down",
        "image_correct",
        "image_clear",
        "image_cover",
    ]
    folder = f"renditions/{row['id']}"
    assert files(media) == sorted(f"{folder}/{r['url'].rpartition('/')[2]}" for r in shown["renditions"])


ATTACKS = [
    (b"<!DOCTYPE html><script>alert(1)</script>" * 100, "photo.jpg", "file_is_web_page"),
    (b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>" * 100, "photo.png", "file_is_svg"),
    (pictures.jpeg() + b"<script>alert(1)</script>", "photo.jpg", "file_is_two_things"),
    (pictures.jpeg()[:9_000], "photo.jpg", "image_undecodable"),
    (pictures.png_claiming(9_000, 9_000) + bytes(4_000), "photo.png", "image_bomb"),
    (pictures.encode(pictures.pixels(), "GIF"), "photo.jpg", "image_type_refused"),
    (pictures.jpeg(width=200, height=200), "photo.jpg", "image_too_small"),
    (pictures.jpeg(width=1200, height=300), "photo.jpg", "image_aspect"),
    (b"\xff\xd8\xff", "photo.jpg", "image_too_few_bytes"),
    (b"PK\x03\x04 no archive at all", "photo.zip", "archive_undecodable"),
]


@pytest.mark.parametrize(("data", "name", "code"), ATTACKS, ids=[f"{a[2]}" for a in ATTACKS])
def test_each_refusal_has_its_code_and_leaves_nothing(here, media, data, name, code):
    row = sent(signed_in(here.contributor), data, name)
    assert (row["state"], row["error"]["code"]) == ("refused", code)
    assert sum(c["state"] == "refused" for c in row["checks"]) == 1
    assert files(media) == []
    assert not Image.objects.exists()


@pytest.mark.parametrize(
    ("name", "code"),
    [
        (b"a\0.jpg", "filename_control_character"),
        ("photo\u202egpj.exe", "filename_direction_control"),
        (b"\xff\xfe.jpg", "filename_unreadable"),
        ("../../etc/passwd", "filename_path"),
        ("photo.php.jpg", "filename_double_extension"),
        ("photo.txt", "filename_not_picture"),
        ("x" * 300 + ".jpg", "filename_too_long"),
    ],
)
def test_names_that_deceive_are_refused(here, name, code):
    answer = create(signed_in(here.contributor), 5, name)
    assert (answer.status_code, answer.json()["code"]) == (422, code)
    assert not Upload.objects.exists()


def archive(*entries):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as packed:
        for name, data in entries:
            packed.writestr(name, data)
    return out.getvalue()


def test_a_zip_becomes_an_upload_of_each_entry(here, media):
    client = signed_in(here.contributor)
    data = archive(
        ("a/one.jpg", pictures.jpeg(1)), ("../two.jpg", pictures.jpeg(2)), ("x.zip", b"PK"), ("b.txt", b"hello")
    )
    parent = sent(client, data, "many.zip")
    assert (parent["state"], parent["kind"], parent["missing"]) == ("taken", "zip", [])
    assert parent["checks"][1] == {"code": "entries", "state": "flagged", "params": {"files": 4, "refused": 2}}
    children = {u.filename: u for u in Upload.objects.filter(parent=parent["id"])}
    assert {name: (u.state, u.error_code) for name, u in children.items()} == {
        "one.jpg": ("checking", ""),
        "../two.jpg": ("refused", "archive_entry_outside"),
        "x.zip": ("refused", "archive_entry_nested"),
        "b.txt": ("checking", ""),
    }
    for child in children.values():
        check_upload(child.pk)
    states = {u["filename"]: u["state"] for u in client.get(UPLOADS).json()["results"]}
    assert (states["one.jpg"], states["b.txt"], len(states)) == ("ready", "refused", 5)
    assert {Path(f).parts[1] for f in files(media)} == {str(children["one.jpg"].pk)}
    check_upload(uuid.UUID(parent["id"]))
    assert Upload.objects.count() == 5


def test_the_same_file_again_is_refused_with_its_twin(here):
    client = signed_in(here.contributor)
    taken = image(here.contributor)
    row = sent(client, pictures.jpeg())
    assert row["error"] == {"code": "image_duplicate", "params": {"twin": "img-0001", "twin_id": taken.pk}}
    waiting = sent(client, pictures.jpeg(2), "first.jpg")
    assert sent(client, pictures.jpeg(2), "second.jpg")["error"]["params"] == {"twin": "first.jpg", "twin_id": None}
    assert waiting["state"] == "ready"


def test_near_pictures_are_shown_before_and_after_taking(here):
    first = image(here.contributor, 1)
    client = signed_in(here.contributor)
    row = sent(client, pictures.encode(pictures.pixels(seed=1), quality=40))
    flagged = next(c for c in row["checks"] if c["code"] == "near_duplicate")
    # Which pictures are near is listed for those alone who may see them.
    assert (flagged["state"], list(flagged["params"])) == ("flagged", ["distance"])
    assert [(n["id"], n["label"]) for n in row["near"]] == [(first.pk, "img-0001")]
    assert client.get(row["near"][0]["thumb_url"]).status_code == 200
    details = {"source": "own", "licence": "own-work", "category": "lantern"}
    post(client, f"{UPLOADS}/describe", ids=[row["id"]], details=details)
    (taken,) = post(client, f"{UPLOADS}/take", ids=[row["id"]], client_key=key()).json()["results"]
    shown = client.get(f"/api/v1/images/{first.pk}").json()
    assert [(n["id"], n["state"]) for n in shown["near"]] == [(taken["image"]["id"], "received")]
    assert {"thumb_url", "view_url", "contributor", "distance"} <= set(shown["near"][0])


def test_two_alike_that_are_taken_together_are_flagged_too(here):
    one = ready(here.contributor, pictures.jpeg(1))
    two = ready(here.contributor, pictures.encode(pictures.pixels(seed=1), quality=40))
    client = signed_in(here.contributor)
    post(client, f"{UPLOADS}/take", ids=[str(one.pk), str(two.pk)], client_key=key())
    assert [f["code"] for f in Image.objects.get(number=2).flags] == ["near_duplicate"]


@pytest.mark.parametrize(
    ("details", "code"),
    [
        ({"licence": "stolen"}, "licence_not_allowed"),
        ({"category": "panda"}, "category_unknown"),
        ({"source": "external", "site": "nowhere"}, "site_unknown"),
        ({"url": "javascript:alert(1)"}, "invalid_input"),
        ({"url": "file:///etc/passwd"}, "invalid_input"),
        ({"url": "https://example.org/\u202egpj.exe"}, "invalid_input"),
        ({"source": "stolen"}, "invalid_input"),
        ({"author": "a\u202eb"}, "invalid_input"),
        ({"state": "accepted"}, "invalid_input"),
    ],
)
def test_details_that_cannot_be_change_nothing(here, details, code):
    waiting = ready(here.contributor)
    answer = post(signed_in(here.contributor), f"{UPLOADS}/describe", ids=[str(waiting.pk)], details=details)
    assert answer.json()["code"] == code
    assert Upload.objects.get().details == waiting.details


def test_another_persons_uploads_are_neither_described_nor_taken(here):
    waiting = ready(here.contributor)
    curator = signed_in(here.curator)
    assert post(curator, f"{UPLOADS}/describe", ids=[str(waiting.pk)], details={"author": "x"}).json() == []
    (row,) = post(curator, f"{UPLOADS}/take", ids=[str(waiting.pk)], client_key=key()).json()["results"]
    assert row["error"]["code"] == "not_found"
    assert not Image.objects.exists()


# --- lists


def test_the_list_reads_the_same_statements_whatever_is_asked(here, django_assert_num_queries):
    ones = [image(here.contributor, seed) for seed in (1, 2, 3)]
    curator = signed_in(here.curator)
    pictures.judge(here.curator, ones[0])
    pictures.clear(here.curator, ones[0])
    with django_assert_num_queries(3):  # session, benchmark, page
        answer = curator.get(URL).json()
    assert [i["label"] for i in answer["results"]] == ["img-0003", "img-0002", "img-0001"]
    assert (answer["total"], answer["next"], "counts" in answer) == (None, None, False)

    def numbers(**query):
        return [i["number"] for i in curator.get(URL, query).json()["results"]]

    assert numbers(state="accepted") == [1]
    assert numbers(clear="true") == [1]
    assert numbers(clear="false") == [3, 2]
    assert numbers(search="img-0002") == [2]
    assert numbers(search="3") == [3]
    assert numbers(search="lantern") == [3, 2, 1]
    assert numbers(search="img-lantern") == []
    assert numbers(flag="blurred") == []
    assert numbers(subset="A") == []
    listed = curator.get(URL, {"category": "lantern", "page_size": 2}).json()
    assert [i["number"] for i in listed["results"]] == [3, 2]
    assert numbers(category="lantern", cursor=listed["next"]) == [1]
    for wrong in ({"state": "gone"}, {"ordering": "phash"}, {"page_size": 1000}, {"cursor": "x"}, {"subset": "ab"}):
        assert curator.get(URL, wrong).json()["code"] == "invalid_input"


PARTS = [
    {"subset": "A", "accepted": 1, "minimum": 80, "target": 262},
    {"subset": "B", "accepted": 0, "minimum": 20, "target": 64},
]


def test_counts_against_the_quota(here, django_assert_num_queries):
    one = image(here.contributor, 1)
    image(here.contributor, 2)
    image(here.curator, 3)
    pictures.judge(here.curator, one, subset="A", objects=Objects(4, 3, 2))
    curator = signed_in(here.curator)
    with django_assert_num_queries(5):
        counts = curator.get(f"{URL}/counts").json()
    assert counts == {
        "received": 2,
        "accepted": 1,
        "refused": 0,
        "withdrawn": 0,
        "clear": 0,
        "to_judge": 1,
        "to_check": 3,
        "by_category": [
            {"slug": "lantern", "accepted": 1, "received": 2, "minimum": 100, "target": 326, "subsets": PARTS}
        ],
        "by_subset": PARTS,
    }


def test_contributors_see_only_their_own(here):
    mine, other = image(here.contributor, 1), image(here.curator, 2)
    contributor = signed_in(here.contributor)
    assert [i["id"] for i in contributor.get(URL).json()["results"]] == [mine.pk]
    assert contributor.get(f"{URL}/counts").json()["received"] == 1
    assert contributor.get(f"/api/v1/images/{other.pk}").status_code == 404
    assert contributor.get(f"/api/v1/images/{mine.pk}").status_code == 200


def test_others_see_nothing(here, make_world):
    taken = image(here.contributor)
    elsewhere = make_world(slug="other", prefix="x")
    for who, status in [(here.annotator, 403), (here.stranger, 403), (elsewhere.curator, 404)]:
        client = signed_in(who)
        assert client.get(URL).status_code == status
        assert client.get(f"/api/v1/images/{taken.pk}").status_code == status
        assert post(client, f"{URL}/judge", verdicts=[]).status_code in (status, 400)
    assert ImageVerdict.objects.count() == 0


# --- judging


def test_a_batch_is_judged_and_marked(here):
    ones = [image(here.contributor, seed) for seed in (1, 2)]
    curator = signed_in(here.curator)
    held = post(curator, f"{URL}/hold", size=10).json()
    assert [i["id"] for i in held["images"]] == [i.pk for i in ones]
    verdicts = [
        {
            "image": ones[0].pk,
            "no": 0,
            "outcome": "accepted",
            "subset": "A",
            "objects": {"all": 4, "listed": 3, "main": 2},
            "client_key": key(),
        },
        {"image": ones[1].pk, "no": 0, "outcome": "refused", "reasons": ["iconic"], "client_key": key()},
    ]
    rows = post(curator, f"{URL}/judge", verdicts=verdicts).json()["results"]
    assert [(r["image"]["state"], r["image"]["verdict_no"], r["error"]) for r in rows] == [
        ("accepted", 1, None),
        ("refused", 1, None),
    ]
    counts = {"all": 4, "listed": 3, "main": 2, "categories": None}
    assert (rows[0]["image"]["subset"], rows[0]["image"]["objects"]) == ("A", counts)
    assert post(curator, f"{URL}/judge", verdicts=verdicts).json()["results"] == rows
    marks = [{"image": i.pk, "no": 0, "client_key": key()} for i in ones]
    cleared = post(curator, f"{URL}/clear-personal-information", images=marks).json()["results"]
    assert [r["image"]["personal_information_clear"] for r in cleared] == [True, True]
    assert ImageVerdict.objects.count() == 2


def test_ones_own_is_refused_over_http_too(here):
    mine = image(here.curator)
    curator = signed_in(here.curator)
    shown = curator.get(f"/api/v1/images/{mine.pk}").json()
    assert shown["available_actions"] == ["image_take_down", "image_correct", "image_cover"]
    assert decided(curator, shown)["error"]["code"] == "own_work"
    marks = [{"image": mine.pk, "no": 0, "client_key": key()}]
    (row,) = post(curator, f"{URL}/clear-personal-information", images=marks).json()["results"]
    assert row["error"]["code"] == "own_work"
    mine.refresh_from_db()
    assert (mine.state, mine.pii_clear_by_id) == ("received", None)


def test_who_comes_second_is_told_who_was_first(here):
    taken = image(here.contributor)
    one, two = signed_in(here.curator), signed_in(here.curator2)
    shown = two.get(f"/api/v1/images/{taken.pk}").json()
    assert decided(one, shown)["error"] is None
    row = decided(two, shown, "refused", reasons=["iconic"])
    assert row["error"]["code"] == "judged_meanwhile"
    assert row["error"]["params"] == {"by": here.curator.name, "outcome": "accepted"}


def test_a_body_of_another_shape_is_refused(here):
    taken = image(here.contributor)
    curator = signed_in(here.curator)
    good = {"image": taken.pk, "no": 0, "outcome": "accepted", "client_key": key()}
    for wrong in (
        {"outcome": "perhaps"},
        {"no": -1},
        {"judge": 1},
        {"objects": {"all": 1, "listed": 2}},
        {"objects": {"all": 3, "listed": 1, "main": 2}},
        {"subset": "long"},
    ):
        assert post(curator, f"{URL}/judge", verdicts=[good | wrong]).json()["code"] == "invalid_input", wrong
    assert post(curator, f"{URL}/judge", verdicts=[good] * 201).json()["code"] == "invalid_input"
    assert post(curator, f"{URL}/hold", size=201).json()["code"] == "invalid_input"


# --- withdrawing


def test_a_withdrawn_picture_is_the_staffs_alone(here):
    taken = image(here.contributor)
    contributor, admin = signed_in(here.contributor), signed_in(here.admin)
    shown = contributor.get(f"/api/v1/images/{taken.pk}").json()
    assert contributor.get(shown["view_url"]).status_code == 200
    body = {"reason": "contributor_asks", "comment": "不再同意", "client_key": key()}
    done = post(contributor, f"/api/v1/images/{taken.pk}/take-down", **body)
    assert (done.status_code, done.json()["state"]) == (200, "withdrawn")
    assert [(t["reason"], t["comment"], t["restored"]) for t in done.json()["takedowns"]] == [
        ("contributor_asks", "不再同意", False)
    ]
    assert contributor.get(shown["view_url"]).status_code == 404
    assert admin.get(shown["view_url"]).status_code == 200
    assert post(contributor, f"/api/v1/images/{taken.pk}/restore", client_key=key()).status_code == 403
    back = post(admin, f"/api/v1/images/{taken.pk}/restore", client_key=key())
    assert (back.status_code, back.json()["state"]) == (200, "received")
    assert contributor.get(shown["view_url"]).status_code == 200


def test_a_picture_is_served_as_nothing_but_a_picture(here, make_world):
    taken = image(here.contributor)
    shown = signed_in(here.curator).get(f"/api/v1/images/{taken.pk}").json()
    answer = signed_in(here.curator).get(shown["clean_url"])
    assert answer["Content-Type"] == "image/jpeg"
    assert answer["Cache-Control"] == "private, no-store"
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer["Content-Security-Policy"] == "default-src 'none'; sandbox; frame-ancestors 'none'"
    elsewhere = make_world(slug="other", prefix="x")
    assert signed_in(elsewhere.curator).get(shown["clean_url"]).status_code == 404
