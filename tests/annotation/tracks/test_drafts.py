"""Putting away what a person typed and did not submit: their own draft, whatever became of the item meanwhile."""

import uuid

import pytest

from annotation.items.models import Draft, ItemRevision
from tests.annotation.teams import discard, made, member, peer_world, star, submit
from tests.people import send, signed_in
from tests.sentences import five_captions

pytestmark = pytest.mark.django_db


@pytest.fixture
def here():
    return peer_world()


def save(who, item, base_no=1):
    body = {"base_no": base_no, "seq": 1, "content": five_captions(50), "track": "peer"}
    assert send(signed_in(who), "PUT", f"items/{item.pk}/draft", body).status_code == 200


def delete(who, item):
    return signed_in(who).delete(f"/api/v1/items/{item.pk}/draft")


def draft_of(who, item):
    return signed_in(who).get(f"/api/v1/items/{item.pk}/peer").json()["draft"]


def test_a_draft_on_an_older_version_is_put_away_and_the_newer_one_stays(here):
    ann, ben, cay = (member(here, name) for name in ("ann", "ben", "cay"))
    item = made(ann)
    save(ann, item)
    item = submit(ben, item, 99)
    save(cay, item, base_no=2)
    same = {"base_no": 2, "content": five_captions(99), "client_key": uuid.uuid4().hex, "track": "peer"}
    refused = send(signed_in(ann), "POST", f"items/{item.pk}/submit", same)
    assert (refused.json()["code"], draft_of(ann, item)["base_no"]) == ("nothing_changed", 1)
    assert [delete(ann, item).status_code for _ in range(2)] == [204, 204]  # a repeat changes nothing
    assert draft_of(ann, item) is None
    assert list(Draft.objects.values_list("author_id", flat=True)) == [cay.pk]
    assert list(ItemRevision.objects.order_by("no").values_list("author_id", flat=True)) == [ann.pk, ben.pk]


@pytest.mark.parametrize("end", ["accepted", "excluded"])
def test_so_is_a_draft_of_an_item_that_can_no_longer_be_written(here, end):
    ann, ben = member(here, "ann"), member(here, "ben")
    item = made(ann)
    save(ann, item)
    item = star(ben, item) if end == "accepted" else discard(ann, item)
    assert item.state == end
    assert delete(ann, item).status_code == 204
    assert not Draft.objects.exists()


def test_no_one_deletes_the_draft_of_another(here):
    ann, ben, dan = (member(here, name) for name in ("ann", "ben", "dan"))
    item = made(ann)
    save(ann, item)
    answers = [delete(who, item) for who in (ben, here.curator, dan, here.admin)]
    assert [answer.status_code for answer in answers] == [204, 204, 404, 403]
    assert Draft.objects.get().author_id == ann.pk
