"""What a picture's page tells about the work on it and the releases that hold it."""

from datetime import datetime

import pytest

from annotation.items.models import Item
from annotation.packages import services
from annotation.packages.models import PackageItem
from tests.annotation import track
from tests.annotation.releases import content
from tests.people import signed_in

pytestmark = pytest.mark.django_db


def test_items_name_their_package_and_state():
    here = track.new_world()
    package, _ = services.claim_package(actor=here.annotator, benchmark_slug="cvlue", kind="captions")
    item = track.items_of(package)[0]
    answer = signed_in(here.curator).get(f"/api/v1/images/{item.image_id}/items")
    assert answer.status_code == 200
    assert answer.json() == [
        {
            "id": item.pk,
            "label": item.label,
            "kind": "captions",
            "state": "todo",
            "revision_no": 0,
            "package": {"id": package.pk, "label": package.label},
        }
    ]
    PackageItem.objects.filter(item=item).update(active=False)
    assert signed_in(here.curator).get(f"/api/v1/images/{item.image_id}/items").json()[0]["package"]["id"] == package.pk
    PackageItem.objects.filter(item=item).delete()
    assert signed_in(here.curator).get(f"/api/v1/images/{item.image_id}/items").json()[0]["package"] is None
    Item.objects.filter(pk=item.pk).delete()
    assert signed_in(here.curator).get(f"/api/v1/images/{item.image_id}/items").json() == []


def test_the_list_ends_after_a_hundred_items():
    here = track.new_world()
    first = Item.objects.order_by("number").first()
    others = [
        Item(benchmark=here.benchmark, kind=first.kind, image_id=first.image_id, slot=slot, number=1_000 + slot)
        for slot in range(1, 101)
    ]
    Item.objects.bulk_create(others)
    rows = signed_in(here.curator).get(f"/api/v1/images/{first.image_id}/items").json()
    assert [row["id"] for row in rows] == [first.pk, *(item.pk for item in others[:99])]


def test_annotators_and_strangers_get_nothing():
    here = track.new_world()
    image = Item.objects.first().image_id
    for path in ("items", "releases"):
        assert signed_in(here.annotator).get(f"/api/v1/images/{image}/{path}").status_code == 403
        assert signed_in(here.stranger).get(f"/api/v1/images/{image}/{path}").status_code in (403, 404)


def test_releases_that_hold_a_picture_are_listed(tmp_path, settings):
    settings.MEDIA_ROOT = tmp_path
    here = content.team()
    items = content.filled(here, 10)
    address = f"/api/v1/images/{items[0].image_id}/releases"
    admin = signed_in(here.admin)
    assert admin.get(address).json() == []
    release = content.frozen(here)
    [row] = admin.get(address).json()
    assert (row["id"], row["label"], row["state"]) == (release.pk, "captions-v1", "frozen")
    assert row["split"] in ("train", "valid", "test")
    assert datetime.fromisoformat(row["frozen_at"]) == release.frozen_at
