"""Picture files: to whom they are sent, and how."""

import io
from pathlib import Path

import pytest
from PIL import Image as Pillow

from annotation.items.models import Item
from annotation.packages.models import Package, PackageItem
from curation.images.models import Image, Rendition, media_url
from tests import pictures
from tests.people import signed_in
from tests.pictures import picture_world, upload

pytestmark = pytest.mark.django_db


@pytest.fixture
def media(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "media"
    return settings.MEDIA_ROOT


@pytest.fixture
def here(media):
    return picture_world()


@pytest.fixture
def picture(here):
    return Image.objects.get(pk=upload(here.contributor, pictures.loaded_jpeg()).image_id)


def address(picture, role="view"):
    found = picture.renditions.get(role=role)
    return media_url(picture.pk, found.pk, role, found.key)


def give(here, picture, who, *, active=True, state="working"):
    Image.objects.filter(pk=picture.pk).update(pii_clear_by=here.curator)
    item = Item.objects.create(benchmark=here.benchmark, kind="captions", image=picture, number=1)
    package = Package.objects.create(
        benchmark=here.benchmark,
        kind="captions",
        number=1,
        protocol=here.benchmark.protocol,
        state=state,
        assignee=who,
    )
    PackageItem.objects.create(package=package, item=item, position=1, active=active)


def body(answer):
    return b"".join(answer.streaming_content)


@pytest.mark.parametrize(
    ("role", "media_type", "form"),
    [("clean", "image/jpeg", "JPEG"), ("view", "image/webp", "WEBP"), ("thumb", "image/webp", "WEBP")],
)
def test_the_bytes_and_their_headers(here, picture, role, media_type, form, django_assert_num_queries):
    client, url = signed_in(here.curator), address(picture, role)
    Image.objects.filter(pk=picture.pk).update(pii_clear_by=here.curator)
    client.get(url)  # the first time is recorded, and reads the protocol
    with django_assert_num_queries(3):  # session, file with its picture, who was sent it
        answer = client.get(url, HTTP_ACCEPT="image/webp")
    data = body(answer)
    assert answer.status_code == 200
    assert answer.headers["Content-Type"] == media_type
    assert answer.headers["Content-Length"] == str(len(data))
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Cache-Control"] == "private, max-age=86400, immutable"
    assert answer.headers["Content-Security-Policy"] == "default-src 'none'; sandbox; frame-ancestors 'none'"
    assert answer.headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert "Vary" in answer.headers
    rendition = picture.renditions.get(role=role)
    assert (len(data), answer.headers["ETag"]) == (rendition.bytes, f'"{rendition.sha256}"')
    assert pictures.MARK not in data
    assert Pillow.open(io.BytesIO(data)).format == form


def test_a_known_file_is_not_sent_again(here, picture):
    client = signed_in(here.curator)
    Image.objects.filter(pk=picture.pk).update(pii_clear_by=here.curator)
    tag = client.get(address(picture)).headers["ETag"]
    for known, status in [(tag, 304), (f'"other", {tag}', 304), ('"other"', 200)]:
        answer = client.get(address(picture), HTTP_IF_NONE_MATCH=known)
        assert (answer.status_code, answer.headers["ETag"]) == (status, tag)
        assert answer.headers["Cache-Control"] == "private, max-age=86400, immutable"


def test_a_picture_that_nobody_looked_at_is_never_kept(here, picture):
    answer = signed_in(here.curator).get(address(picture))
    assert answer.headers["Cache-Control"] == "private, no-store"


def test_behind_a_web_server_the_file_is_only_named(here, picture, settings):
    settings.MEDIA_ACCEL_PREFIX = "/protected/"
    answer = signed_in(here.curator).get(address(picture))
    assert answer.headers["X-Accel-Redirect"] == f"/protected/{picture.renditions.get(role='view').key}"
    assert answer.content == b""
    assert answer.headers["Content-Type"] == "image/webp"


def test_strangers_cannot_tell_a_picture_from_nothing(here, picture):
    elsewhere = picture_world(slug="other", prefix="x")
    foreign = signed_in(elsewhere.curator)
    there, nowhere = foreign.get(address(picture)), foreign.get("/media/1/99999-view.webp")
    assert (there.status_code, nowhere.status_code) == (404, 404)
    assert there.json() == nowhere.json()
    assert signed_in(here.stranger).get(address(picture)).status_code == 403
    from_nobody = foreign.__class__().get(address(picture))
    assert (from_nobody.status_code, from_nobody.json()["code"]) == (401, "not_signed_in")


def test_contributors_see_their_own_files(here, picture):
    other = Image.objects.get(pk=upload(here.curator, pictures.jpeg(9)).image_id)
    client = signed_in(here.contributor)
    assert client.get(address(picture)).status_code == 200
    assert client.get(address(other)).status_code == 404


def test_annotators_see_what_is_in_their_packages(here, picture, django_assert_num_queries):
    client, url = signed_in(here.annotator), address(picture)
    assert client.get(url).status_code == 404
    give(here, picture, here.annotator)
    assert client.get(url).status_code == 200
    with django_assert_num_queries(4):  # session, file with its picture, package, who was sent it
        assert client.get(url).status_code == 200
    assert signed_in(here.annotator2).get(address(picture)).status_code == 404


def test_annotators_do_not_see_items_removed_from_their_package(here, picture):
    give(here, picture, here.annotator, active=False)
    assert signed_in(here.annotator).get(address(picture)).status_code == 404


def test_only_the_exact_address_answers(here, picture):
    client = signed_in(here.curator)
    rendition = picture.renditions.get(role="view")
    other = Image.objects.get(pk=upload(here.contributor, pictures.jpeg(9)).image_id)
    for wrong in [
        f"/media/{picture.pk}/{rendition.pk}-clean.webp",
        f"/media/{picture.pk}/{rendition.pk}-view.jpg",
        f"/media/{picture.pk}/{rendition.pk}-view.p",
        f"/media/{other.pk}/{rendition.pk}-view.webp",
        f"/media/{picture.pk}/{rendition.pk + 100}-view.webp",
        f"/media/../originals/{picture.pk}",
        f"/media/originals/1/{picture.sha256[:2]}/{picture.sha256}",
    ]:
        assert client.get(wrong).status_code == 404, wrong
    assert client.post(address(picture)).status_code == 405


def test_a_file_that_is_gone_is_not_found(here, picture, media):
    Path(media / picture.renditions.get(role="view").key).unlink()
    answer = signed_in(here.curator).get(address(picture))
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
    assert Rendition.objects.filter(image=picture).count() == 3
