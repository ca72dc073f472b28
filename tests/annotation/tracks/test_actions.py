"""The page of one item, whatever its track: what its reader may do with it."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotation.seats.models import Seat
from tests.annotation.teams import draw, made, member, peer_world, send_back, star
from tests.people import signed_in

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


def test_those_who_only_read_are_offered_nothing_else(here):
    item = made(member(here, "ben"))
    assert offered(here.admin, item) == set()
