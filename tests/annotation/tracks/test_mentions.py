"""Comments on an item of a team: its members can be mentioned, people of other teams cannot."""

import uuid

import pytest

from curation.people.models import Notice
from tests.annotation.teams import made, member, peer_world
from tests.people import send, signed_in

pytestmark = pytest.mark.django_db


def test_a_member_mentions_colleagues_of_the_team_and_no_one_of_another():
    here = peer_world()
    ann, ben, cay, dan = (member(here, name) for name in ("ann", "ben", "cay", "dan"))
    item = made(ann)
    people = {person["id"] for person in signed_in(ben).get(f"/api/v1/items/{item.pk}/people").json()}
    assert people >= {ann.pk, cay.pk}
    assert people.isdisjoint({ben.pk, dan.pk})
    body = {"text": "Which river?", "mentions": [cay.pk], "client_key": uuid.uuid4().hex}
    answer = send(signed_in(ben), "POST", f"items/{item.pk}/comments", body)
    assert answer.status_code == 201, answer.content
    assert Notice.objects.filter(person=cay, code="mentioned", target_id=item.pk).count() == 1
    refused = send(
        signed_in(ben),
        "POST",
        f"items/{item.pk}/comments",
        body | {"mentions": [dan.pk], "client_key": uuid.uuid4().hex},
    )
    assert refused.status_code >= 400
