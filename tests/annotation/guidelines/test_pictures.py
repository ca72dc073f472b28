"""Pictures in guidelines: which may be shown, who sees them, and until when."""

import pytest

from annotation.guidelines.models import Guideline
from annotation.guidelines.rules import MOST_PICTURES, number_of, pictures_in
from curation.images.models import Image, Rendition
from tests.people import key, send, signed_in, told, world
from tests.protocols import captions_protocol
from tests.ready import accepted_pictures

CAPTIONS = "benchmarks/cvlue/guidelines/captions"


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("![two lanterns](img-0042) and ![](img-12345)", {"img-0042", "img-12345"}),
        ("![a](img-42) ![b](https://example.org/img-0042) img-0042 (img-0043)", set()),
    ],
)
def test_pictures_are_named_by_their_labels(text, labels):
    assert pictures_in({"en": text, "zh-Hans": "no"}) == labels


def test_only_labels_have_a_number():
    assert [number_of(label) for label in ("img-0042", "img-12345", "img-42", "cap-0042", "img-0042)")] == [
        42,
        12345,
        None,
        None,
        None,
    ]


@pytest.fixture
def here(db, settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path
    made = world(captions_protocol())
    for image in accepted_pictures(made.benchmark, made.contributor, made.curator, 4):
        file = f"renditions/{image.pk}/1-view.webp"
        (tmp_path / file).parent.mkdir(parents=True)
        (tmp_path / file).write_bytes(b"picture %d" % image.number)
        Image.objects.filter(pk=image.pk).update(redaction_no=8, clear_no=8)
        Rendition.objects.create(
            image=image, version=9, role="view", sha256=f"{image.number:064x}", bytes=9, width=8, height=6, key=file
        )
    return made


def publish(here, text, base=0):
    body = {"base_version": base, "text": {"en": text}, "note": "", "client_key": key()}
    return send(signed_in(here.admin), "POST", CAPTIONS, body)


def fetched(who, label, **headers):
    answer = signed_in(who).get(f"/api/v1/{CAPTIONS}/pictures/{label}", headers=headers)
    return (answer.status_code, answer.getvalue() if answer.status_code == 200 else b"")


def test_readers_see_the_pictures_that_a_version_shows_and_no_others(here):
    assert publish(here, "![good](img-0001)").status_code == 201
    assert publish(here, "![better](img-0002)", 1).status_code == 201
    # Earlier versions are still read.
    for who in (here.annotator, here.curator, here.admin):
        assert fetched(who, "img-0001") == (200, b"picture 1")
        assert fetched(who, "img-0002") == (200, b"picture 2")
    assert fetched(here.annotator, "img-0003") == (404, b"")
    assert fetched(here.annotator, "img-1") == (404, b"")
    assert fetched(here.admin, "img-0003") == (200, b"picture 3")  # for the preview of the next version
    elsewhere = world(captions_protocol(), slug="other", prefix="x")
    assert fetched(elsewhere.admin, "img-0001") == (404, b"")


def test_browsers_keep_a_picture_for_themselves_and_ask_each_time(here):
    publish(here, "![good](img-0001)")
    answer = signed_in(here.annotator).get(f"/api/v1/{CAPTIONS}/pictures/img-0001")
    assert (answer["Cache-Control"], answer["Content-Type"]) == ("private, no-cache", "image/webp")
    assert answer["Content-Security-Policy"] == "default-src 'none'; sandbox; frame-ancestors 'none'"
    assert fetched(here.annotator, "img-0001", **{"If-None-Match": answer["ETag"]}) == (304, b"")


@pytest.mark.parametrize("change", [{"state": "withdrawn"}, {"state": "refused"}, {"pii_clear_by": None}])
def test_a_picture_that_is_withdrawn_is_shown_to_nobody(here, change):
    publish(here, "![good](img-0001)")
    Image.objects.filter(number=1).update(**change)
    assert [fetched(who, "img-0001") for who in (here.annotator, here.admin)] == [(404, b"")] * 2


def test_a_version_names_only_pictures_that_may_be_shown(here):
    Image.objects.filter(number=2).update(state="received")
    Image.objects.filter(number=3).update(pii_clear_by=None)
    answer = publish(here, "![a](img-0001) ![b](img-0002) ![c](img-0003) ![d](img-9999)")
    assert told(answer) == (422, "guideline_pictures_refused")
    assert answer.json()["params"] == {"pictures": ["img-0002", "img-0003", "img-9999"]}
    many = publish(here, " ".join(f"![x](img-{n:04d})" for n in range(1, MOST_PICTURES + 2)))
    assert told(many) == (422, "guideline_pictures_too_many")
    assert many.json()["params"] == {"count": 61, "maximum": 60}
    assert not Guideline.objects.exists()
