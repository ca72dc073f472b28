"""The page of one item, whatever its track: what its reader may do with it."""

import uuid
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotation.judging.models import Verdict
from annotation.seats.models import Seat
from curation.images.models import Image, Redaction
from tests.annotation.teams import draw, made, member, peer_world, send_back, star
from tests.people import key, send, signed_in

pytestmark = pytest.mark.django_db

READS = ["item_history", "comment_list", "comment_add"]


@pytest.fixture
def here():
    return peer_world(percent=100)


def shown(who, item):
    answer = signed_in(who).get(f"/api/v1/items/{item.pk}")
    assert answer.status_code == 200, answer.content
    return answer.json()


def offered(who, item):
    actions = shown(who, item)["available_actions"]
    assert actions[-3:] == READS
    return {action for action in actions[:-3] if action != "draft_save"}


def test_an_item_of_a_team_shows_its_team_and_what_each_member_may_do(here):
    ann, ben, cay = (member(here, name) for name in ("ann", "ben", "cay"))
    item = made(ben)
    page = shown(ben, item)
    assert (page["track"], page["package"], page["team"]["name"]) == ("peer", None, "thai")
    assert offered(ben, item) == {"item_submit", "item_discard"}
    assert offered(cay, item) == {"item_submit", "item_star", "item_send_back"}
    assert offered(ann, item) == offered(cay, item) | {"item_discard"}  # leads the team
    assert offered(here.curator, item) == offered(cay, item)
    assert signed_in(member(here, "dan")).get(f"/api/v1/items/{item.pk}").status_code == 404


def test_what_is_offered_follows_the_items_state(here):
    ann, ben, cay = (member(here, name) for name in ("ann", "ben", "cay"))
    item = send_back(cay, made(ben))
    assert offered(cay, item) == {"item_submit"}
    assert offered(ben, item) == {"item_submit", "item_discard"}
    other = star(ann, made(cay))
    assert (offered(cay, other), offered(ben, other)) == (set(), {"item_submit"})
    assert "item_spot_check" not in offered(here.curator, other)
    draw(here.curator)
    assert "item_spot_check" in offered(here.curator, other)


def test_nothing_that_a_colleague_is_checking_is_offered_to_others(here):
    ann, ben, cay = (member(here, name) for name in ("ann", "ben", "cay"))
    item = made(ben)
    Seat.objects.filter(item=item).update(
        state=Seat.State.HELD, holder=ann, hold_no=1, lease_until=timezone.now() + timedelta(minutes=5)
    )
    assert offered(cay, item) == set()
    assert offered(ann, item) >= {"item_star", "item_send_back"}


def test_what_is_offered_is_what_the_operations_accept(here):
    ben, cay = member(here, "ben"), member(here, "cay")
    item = made(ben)
    assert "item_star" in offered(cay, item)
    assert star(cay, item).state == "accepted"


def test_the_page_takes_few_statements(here):
    browser, item = signed_in(member(here, "ben")), made(member(here, "ben"))
    browser.get(f"/api/v1/items/{item.pk}")
    with CaptureQueriesContext(connection) as statements:
        browser.get(f"/api/v1/items/{item.pk}")
    assert len(statements) <= 5, [q["sql"][:80] for q in statements]


def test_a_teams_item_is_confirmed_after_its_picture_was_covered(here):
    item = star(member(here, "cay"), made(member(here, "ben")))
    assert "item_confirm" not in offered(here.curator, item)
    picture = Image.objects.get(pk=item.image_id)
    Image.objects.filter(pk=picture.pk).update(redaction_no=1, pii_clear_by=None, shared_at=None)
    Redaction.objects.create(
        image=picture, no=1, covers=True, by=here.curator, regions=[{"key": "a"}], client_key=uuid.uuid4()
    )
    Image.objects.filter(pk=picture.pk).update(pii_clear_by=here.curator)
    assert "item_confirm" in offered(here.curator, item)
    body = {"revision_no": item.revision_no, "picture_no": 1, "client_key": key()}
    assert send(signed_in(here.curator), "POST", f"items/{item.pk}/confirm", body).status_code == 200
    assert "item_confirm" not in offered(here.curator, item)
    verdict = Verdict.objects.get(item=item, judge=here.curator)
    assert (verdict.stage, verdict.outcome, verdict.revision_no) == ("spot_check", "right", item.revision_no)


def test_those_who_only_read_are_offered_nothing_else(here):
    item = made(member(here, "ben"))
    assert offered(here.admin, item) == set()
