"""Comments on an item of a team: its members can be mentioned, people of other teams cannot."""

import uuid

import pytest

from annotation.comments import access
from annotation.comments.models import Comment
from annotation.judging.models import Verdict
from annotation.peer import services as peer
from annotation.seats.models import PURPOSES
from curation.people.models import Notice
from tests.annotation.teams import draw, judge, made, member, peer_world, star
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
    body |= {"mentions": [dan.pk], "client_key": uuid.uuid4().hex}
    refused = send(signed_in(ben), "POST", f"items/{item.pk}/comments", body)
    assert (refused.status_code, refused.json()["code"]) == (422, "cannot_mention")
    assert Comment.objects.filter(item=item).count() == 1
    assert not Notice.objects.filter(person=dan).exists()


def parts_seen_by(who, item):
    answer = signed_in(who).get(f"/api/v1/items/{item.pk}/people")
    return {person["name"]: person["part"] for person in answer.json()}


def test_those_who_judged_an_item_of_a_team_can_be_asked_why():
    here = peer_world(percent=100)
    ann, ben = member(here, "ann"), member(here, "ben")
    item = made(ann)
    assert here.curator.name not in parts_seen_by(ann, item)
    star(here.curator, item)
    assert parts_seen_by(ann, item)[here.curator.name] == "reviewer"
    other = star(ben, made(ann))
    draw(here.curator2)
    judge(here.curator2, other, "wrong")
    people = parts_seen_by(ann, other)
    assert (people[ben.name], people[here.curator2.name]) == ("reviewer", "inspector")


def test_whoever_checks_an_item_now_is_among_its_people():
    here = peer_world()
    item = made(member(here, "ann"))
    peer.claim_items(actor=here.curator, benchmark_slug="cvqa", kind="captions", team=item.team_id)
    assert parts_seen_by(member(here, "ann"), item)[here.curator.name] == "reviewer"


def test_every_stage_and_purpose_has_a_part():
    [constraint] = [one for one in Verdict._meta.constraints if one.name == "verdict_stage"]
    stages = {stage for _, each in constraint.condition.children for stage in each}
    assert stages == {stage for each in access._STAGES.values() for stage in each}
    # Who looks for what an item means is no one to write to before they have answered.
    assert set(PURPOSES) == {*access._SEATS_OF_REVIEWERS, "inspection", "clicks"}
