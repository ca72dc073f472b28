"""Pictures over HTTP."""

import uuid

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from curation.images.models import Image, ImageVerdict
from tests import pictures
from tests.people import key, signed_in
from tests.pictures import files, image

pytestmark = pytest.mark.django_db
URL = "/api/v1/benchmarks/cvlue/images"


def post(client, data=None, *, name="photo.jpg", declared="image/jpeg", url=URL, **changes):
    given = {"source": "own", "licence": "own-work", "category": "lantern", "client_key": key()} | changes
    file = SimpleUploadedFile(name, pictures.jpeg() if data is None else data, declared)
    return client.post(url, {**given, "file": file})


def command(client, path, **body):
    return client.post(f"/api/v1/images/{path}", {"client_key": key()} | body, content_type="application/json")


def test_upload_and_show(here, django_assert_num_queries):
    contributor, curator = signed_in(here.contributor), signed_in(here.curator)
    answer = post(contributor, source="external", source_url="https://example.org/a.jpg", author="李雷")
    assert answer.status_code == 201, answer.json()
    made = answer.json()
    assert (made["label"], made["state"], made["width"], made["height"]) == ("img-0001", "received", 640, 480)
    assert made["source"] == {"kind": "external", "url": "https://example.org/a.jpg", "author": "李雷"}
    assert made["category"]["slug"] == "lantern"
    assert made["contributor"] == {"id": here.contributor.pk, "name": here.contributor.name}
    assert (made["personal_information_clear"], made["flags"], made["near"]) == (False, [], [])
    assert made["available_actions"] == []  # one's own
    command(curator, f"{made['id']}/judge", outcome="refused", reasons=["iconic"])
    with django_assert_num_queries(3):  # session, picture with files and neighbours, verdicts
        shown = curator.get(f"/api/v1/images/{made['id']}").json()
    assert shown["state"] == "refused"
    assert [(v["outcome"], v["reasons"], v["judge"]["id"]) for v in shown["verdicts"]] == [
        ("refused", ["iconic"], here.curator.pk)
    ]
    assert {r["role"]: r["url"] for r in shown["renditions"]} == {
        "clean": made["clean_url"],
        "view": made["view_url"],
        "thumb": made["thumb_url"],
    }
    assert shown["available_actions"] == ["image_judge", "image_clear"]


def test_a_repeat_answers_200_with_the_same_picture(here):
    contributor, same = signed_in(here.contributor), key()
    first, again = post(contributor, client_key=same), post(contributor, client_key=same)
    assert (first.status_code, again.status_code) == (201, 200)
    assert first.json() == again.json()
    assert post(contributor, pictures.jpeg(2), client_key=same).json()["code"] == "client_key_reused"
    assert Image.objects.count() == 1


def test_the_name_and_declared_type_of_a_file_mean_nothing(here):
    contributor = signed_in(here.contributor)
    odd = ["x.php.jpg", "../../etc/passwd", "a\u202egpj.exe", "empty", "照片.HEIC"]
    for seed, name in enumerate(odd, start=1):
        answer = post(contributor, pictures.jpeg(seed), name=name, declared="text/html")
        assert answer.status_code == 201, (name, answer.json())
    html = post(contributor, b"<script>alert(1)</script>" * 500, name="photo.jpg", declared="image/jpeg")
    assert (html.status_code, html.json()["code"]) == (415, "image_type_refused")


@pytest.mark.parametrize(
    ("data", "changes", "status", "code", "params"),
    [
        (pictures.jpeg()[:9000], {}, 422, "image_undecodable", {}),
        (
            pictures.jpeg(width=200, height=200),
            {},
            422,
            "image_too_small",
            {"width": 200, "height": 200, "minimum": 256},
        ),
        (
            pictures.jpeg(width=1200, height=300),
            {},
            422,
            "image_aspect",
            {"width": 1200, "height": 300, "maximum_percent": 300},
        ),
        (
            pictures.png_claiming(9_000, 9_000) + bytes(4_000),
            {},
            422,
            "image_bomb",
            {"width": 9000, "height": 9000, "maximum": 60_000_000},
        ),
        (None, {"category": "panda"}, 422, "category_unknown", {"category": "panda"}),
        (None, {"source": "external"}, 422, "source_address_missing", {}),
    ],
)
def test_each_refusal_has_its_code_and_leaves_nothing(here, media, data, changes, status, code, params):
    answer = post(signed_in(here.contributor), data, **changes)
    assert (answer.status_code, answer.json()["code"], answer.json()["params"]) == (status, code, params)
    assert not Image.objects.exists()
    assert files(media) == []


def test_a_licence_that_is_not_listed_is_told_with_the_list(here):
    answer = post(signed_in(here.contributor), licence="stolen").json()
    assert (answer["code"], answer["params"]["licence"]) == ("licence_not_allowed", "stolen")
    assert "CC-BY-4.0" in answer["params"]["allowed"]


def test_the_twin_is_named(here):
    first = post(signed_in(here.contributor)).json()
    answer = post(signed_in(here.curator))
    assert answer.status_code == 409
    assert answer.json()["code"] == "image_duplicate"
    assert answer.json()["params"] == {"twin": "img-0001", "twin_id": first["id"]}


@pytest.mark.parametrize(
    "changes",
    [
        {"source_url": "javascript:alert(1)", "source": "external"},
        {"source_url": "file:///etc/passwd", "source": "external"},
        {"source": "stolen"},
        {"client_key": "no-key"},
        {"state": "accepted"},
        {"contributor": "1"},
        {"author": "a\u202eb"},
    ],
)
def test_a_form_of_another_shape_is_refused(here, changes):
    answer = post(signed_in(here.contributor), **changes)
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_input")
    assert not Image.objects.exists()


def test_an_empty_file_and_none_at_all(here):
    contributor = signed_in(here.contributor)
    assert post(contributor, b"").json()["code"] == "invalid_input"
    assert contributor.post(URL, {"source": "own"}).json()["code"] == "invalid_input"
    assert contributor.post(URL, {}, content_type="application/json").json()["code"] == "invalid_input"


def test_what_announces_too_many_bytes_is_refused_before_the_body_is_read(here, settings):
    settings.UPLOAD_LIMIT_BYTES = 1_000

    class Unread:
        def read(self, *args):
            raise AssertionError("the body was read")

        readline = read

    client = signed_in(here.contributor)
    answer = client.generic(
        "POST",
        URL,
        b"",
        content_type="multipart/form-data; boundary=x",
        CONTENT_LENGTH=200_000,
        **{"wsgi.input": Unread()},
    )
    assert (answer.status_code, answer.json()["code"]) == (413, "image_too_large")
    assert answer.json()["params"] == {"bytes": 200_000, "maximum": 1_000}


def test_the_list(here, django_assert_num_queries):
    ones = [image(here.contributor, seed) for seed in (1, 2, 3)]
    image(here.curator, 4, category="")
    curator = signed_in(here.curator)
    command(curator, f"{ones[0].pk}/judge", outcome="accepted")
    command(curator, f"{ones[0].pk}/clear-personal-information")
    with django_assert_num_queries(4):  # session, benchmark, counts, page
        answer = curator.get(URL).json()
    assert [i["label"] for i in answer["results"]] == ["img-0004", "img-0003", "img-0002", "img-0001"]
    assert answer["counts"] == {"received": 3, "accepted": 1, "refused": 0, "personal_information_clear": 1}
    assert (answer["total"], answer["total_is_capped"], answer["next"]) == (4, False, None)
    assert curator.get(URL, {"state": "accepted"}).json()["total"] == 1
    listed = curator.get(URL, {"category": "lantern", "page_size": 2}).json()
    assert ([i["number"] for i in listed["results"]], listed["total"]) == ([3, 2], 3)
    assert [
        i["number"] for i in curator.get(URL, {"category": "lantern", "cursor": listed["next"]}).json()["results"]
    ] == [1]
    for wrong in ({"state": "gone"}, {"ordering": "phash"}, {"page_size": 1000}, {"cursor": "x"}):
        assert curator.get(URL, wrong).json()["code"] == "invalid_input"


def test_near_pictures_stand_beside_each_other(here):
    first = image(here.contributor, 1)
    contributor = signed_in(here.contributor)
    worse = post(contributor, pictures.encode(pictures.pixels(seed=1), quality=40)).json()
    assert [f["code"] for f in worse["flags"]] == ["near_duplicate"]
    assert [n["label"] for n in worse["near"]] == ["img-0001"]
    assert [n["id"] for n in contributor.get(f"/api/v1/images/{first.pk}").json()["near"]] == [worse["id"]]
    command(signed_in(here.curator), f"{worse['id']}/judge", outcome="refused", reasons=["duplicate"])
    assert contributor.get(f"/api/v1/images/{first.pk}").json()["near"] == []


def test_contributors_see_and_count_only_their_own(here):
    mine, other = image(here.contributor, 1), image(here.curator, 2)
    contributor = signed_in(here.contributor)
    listed = contributor.get(URL).json()
    assert [i["id"] for i in listed["results"]] == [mine.pk]
    assert (listed["total"], listed["counts"]["received"]) == (1, 1)
    assert contributor.get(f"/api/v1/images/{other.pk}").status_code == 404
    assert contributor.get(f"/api/v1/images/{mine.pk}").status_code == 200


def test_others_see_nothing(here, make_world):
    taken = image(here.contributor)
    elsewhere = make_world(slug="other", prefix="x")
    for who, status in [(here.annotator, 403), (here.stranger, 403), (elsewhere.curator, 404)]:
        client = signed_in(who)
        assert client.get(URL).status_code == status
        assert client.get(f"/api/v1/images/{taken.pk}").status_code == status
        assert command(client, f"{taken.pk}/judge", outcome="accepted").status_code == status
    assert ImageVerdict.objects.count() == 0


def test_judging_and_clearing(here):
    taken = image(here.contributor)
    curator = signed_in(here.curator)
    answer = command(curator, f"{taken.pk}/judge", outcome="accepted", reasons=[])
    assert (answer.status_code, answer.json()["state"]) == (200, "accepted")
    assert answer.json()["available_actions"] == ["image_judge", "image_clear"]
    cleared = command(curator, f"{taken.pk}/clear-personal-information")
    assert (cleared.status_code, cleared.json()["personal_information_clear"]) == (200, True)
    assert cleared.json()["available_actions"] == ["image_judge"]
    assert command(curator, f"{taken.pk}/judge", outcome="perhaps").json()["code"] == "invalid_input"


def test_ones_own_is_refused_over_http_too(here):
    mine = image(here.curator)
    curator = signed_in(here.curator)
    assert curator.get(f"/api/v1/images/{mine.pk}").json()["available_actions"] == []
    for path, body in [("judge", {"outcome": "accepted"}), ("clear-personal-information", {})]:
        answer = command(curator, f"{mine.pk}/{path}", **body)
        assert (answer.status_code, answer.json()["code"]) == (403, "own_work")
    mine.refresh_from_db()
    assert (mine.state, mine.pii_clear_by_id) == ("received", None)


def test_a_get_changes_nothing(here):
    taken = image(here.contributor)
    curator = signed_in(here.curator)
    assert curator.get(f"/api/v1/images/{taken.pk}/judge").status_code == 405
    assert curator.get(f"/api/v1/images/{uuid.uuid4().int % 10**9}").status_code == 404
