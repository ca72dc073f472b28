"""The peer track over HTTP: statements of the hot path, addresses and errors."""

import json
import uuid

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.items.models import Item
from annotation.seats.models import Seat
from curation.images.models import Image, Rendition
from curation.people.models import Person, RoleGrant
from curation.taxonomy.models import Category
from tests.annotation.teams import (
    create,
    discard,
    made,
    member,
    peer_protocol,
    peer_world,
    picture_of,
    send_back,
    star,
    team_of,
)
from tests.people import people, send, signed_in, world
from tests.protocols import names
from tests.sentences import five_captions

pytestmark = pytest.mark.django_db


@pytest.fixture
def here():
    return peer_world()


@pytest.fixture
def browsers(here):
    return {name: signed_in(member(here, name)) for name in ("ann", "ben", "dan")}


def submission(item, n=1, **more):
    return {"base_no": item.revision_no, "content": five_captions(n), "client_key": uuid.uuid4().hex} | more


def test_next_draft_and_submission_take_at_most_twelve_statements(here, browsers):
    item = create(member(here, "ann"))
    draft = {"base_no": 0, "seq": 1, "content": five_captions(1), "track": "peer"}
    asked = [
        ("GET", f"items/{item.pk}/peer", None),
        ("PUT", f"items/{item.pk}/draft", draft),
        ("POST", f"items/{item.pk}/submit", submission(item, track="peer")),
    ]
    counts = []
    for method, address, body in asked:
        with CaptureQueriesContext(
            connection,
        ) as statements:
            answer = send(browsers["ann"], method, address, body)
        assert answer.status_code == 200, answer.content
        counts.append(len([q for q in statements if "SAVEPOINT" not in q["sql"]]))
    assert sum(counts) <= 12, counts


def test_a_question_from_its_picture_to_the_star(here, browsers):
    image = picture_of("thai").pk
    body = {"kind": "captions", "image": image, "client_key": uuid.uuid4().hex}
    answer = send(browsers["ann"], "POST", "benchmarks/cvqa/team-items", body)
    assert answer.status_code == 201, answer.content
    item = answer.json()
    assert (item["state"], item["mine"], item["available_actions"]) == (
        "todo",
        False,
        ["item_submit", "item_discard", "draft_save"],
    )
    sent = {"base_no": 0, "content": five_captions(1), "client_key": uuid.uuid4().hex, "track": "peer"}
    assert send(browsers["ann"], "POST", f"items/{item['id']}/submit", sent).json()["state"] == "made"
    claimed = send(browsers["ben"], "POST", "benchmarks/cvqa/peer-pool/claim", {"kind": "captions"}).json()
    assert [i["id"] for i in claimed["items"]] == [item["id"]]
    seats = {"seats": [claimed["items"][0]["seat"]]}
    renewed = send(browsers["ben"], "POST", "benchmarks/cvqa/peer-pool/renew", seats).json()
    assert [kept["seat"] for kept in renewed["kept"]] == seats["seats"]
    key = uuid.uuid4().hex
    starred = send(browsers["ben"], "POST", f"items/{item['id']}/star", {"revision_no": 1, "client_key": key}).json()
    assert (starred["state"], starred["available_actions"]) == ("accepted", ["item_submit", "draft_save"])
    board = browsers["ann"].get("/api/v1/benchmarks/cvqa/team-board?kind=captions").json()
    assert (board["accepted"], board["results"][0]["items"][0]["state"]) == (1, "accepted")


def test_an_item_says_whether_another_may_be_created_on_its_picture(here, browsers):
    ann, ben = member(here, "ann"), member(here, "ben")
    first, second = made(ann), made(ben)

    def may_create(browser):
        return browser.get(f"/api/v1/items/{first.pk}/peer").json()["may_create"]

    def create_another():
        body = {"kind": "captions", "image": first.image_id, "client_key": uuid.uuid4().hex}
        return send(browsers["ben"], "POST", "benchmarks/cvqa/team-items", body)

    assert (may_create(browsers["ben"]), may_create(signed_in(here.curator))) == (True, False)
    assert create_another().status_code == 201
    assert may_create(browsers["ben"]) is False  # the picture is full
    assert create_another().json()["code"] == "picture_full"
    discard(ben, second)
    assert may_create(browsers["ben"]) is True
    Image.objects.filter(pk=first.image_id).update(pii_clear_by=None)
    assert may_create(browsers["ben"]) is False
    assert create_another().status_code == 404


def test_only_those_who_may_star_are_shown_what_waits_for_a_star():
    content = peer_protocol()
    content["roles"] += [{"code": "writer", "name": names("writer"), "capabilities": ["annotate"]}]
    here = world(content, slug="cvqa")
    team = team_of(here, "thai", ["ann", "ben"])
    writer = people({"cvqa-writer": ["writer"]}, here.benchmark)
    RoleGrant.objects.filter(person__in=writer).update(team=team)
    made(member(here, "ann"))

    def board(who, show="all"):
        query = {"kind": "captions", "team": team.pk, "show": show}
        answer = signed_in(who).get("/api/v1/benchmarks/cvqa/team-board", query).json()
        return answer["available_actions"], answer["to_check"], len(answer["results"])

    seen = {
        "author": (member(here, "ann"), ["item_create", "item_star"], 0, 0),
        "colleague": (member(here, "ben"), ["item_create", "item_star"], 1, 1),
        "writer": (writer[0], ["item_create"], 0, 0),
        "curator": (here.curator, ["item_star"], 1, 1),
        "admin": (here.admin, [], 0, 0),
    }
    for name, (who, actions, count, pictures) in seen.items():
        assert board(who) == (actions, count, 1), name
        assert board(who, show="to_check")[2] == pictures, name


def test_the_board_is_filtered_by_category_author_and_reason():
    here = peer_world(pictures=3)
    ann, ben = member(here, "ann"), member(here, "ben")
    first, second, third = Image.objects.filter(team__name="thai").order_by("pk")
    food = Category.objects.create(
        benchmark=here.benchmark, slug="food", number=1, name=names("food"), field="f", field_name=names("f")
    )
    Image.objects.filter(pk=first.pk).update(category=food)
    made(ann, first)
    send_back(ann, made(ben, second))
    browser = signed_in(ann)

    def shown(**filters):
        answer = browser.get("/api/v1/benchmarks/cvqa/team-board", {"kind": "captions"} | filters)
        assert answer.status_code == 200, answer.content
        return [row["image"]["id"] for row in answer.json()["results"]]

    assert shown() == [third.pk, second.pk, first.pk]
    assert (shown(author=ann.pk), shown(author=ben.pk)) == ([first.pk], [second.pk])
    assert (shown(reason="wrong_fact"), shown(reason="vague")) == ([second.pk], [])
    assert (shown(category=food.slug), shown(category=food.slug, author=ben.pk)) == ([first.pk], [])
    assert shown(category="no-such") == []


def test_no_one_is_sent_a_colleagues_name_where_the_track_is_blind():
    here = peer_world(blind=True)
    ann, ben = member(here, "ann"), member(here, "ben")
    Person.objects.filter(pk=ann.pk).update(name="隐名某某")
    browser, item = signed_in(ben), made(ann)
    board = "benchmarks/cvqa/team-board"

    def answered(method, address, body=None, status=200):
        answer = send(browser, method, address, body)
        assert answer.status_code == status, answer.content
        assert "隐名某某" not in json.dumps(answer.json(), ensure_ascii=False)
        assert ann.username not in answer.content.decode()
        return answer.json()

    def shown(**filters):
        answer = browser.get(f"/api/v1/{board}", {"kind": "captions"} | filters)
        assert "隐名某某" not in json.dumps(answer.json(), ensure_ascii=False)
        return [row["image"]["id"] for row in answer.json()["results"]]

    assert (shown(), shown(author=ann.pk)) == ([item.image_id], [])
    for address in (f"items/{item.pk}/peer", f"items/{item.pk}", f"items/{item.pk}/history"):
        answered("GET", address)
    claimed = answered("POST", "benchmarks/cvqa/peer-pool/claim", {"kind": "captions"})
    seats = {"seats": [claimed["items"][0]["seat"]]}
    answered("GET", "benchmarks/cvqa/peer-pool?kind=captions")
    answered("POST", "benchmarks/cvqa/peer-pool/renew", seats)
    judged = {"revision_no": 1, "client_key": uuid.uuid4().hex}
    answered("POST", f"items/{item.pk}/send-back", judged | {"reasons": ["wrong_fact"]})
    made(ann, item.image)
    item = Item.objects.get(number=2)
    answered("POST", f"items/{item.pk}/star", judged | {"client_key": uuid.uuid4().hex})


@pytest.mark.parametrize(
    ("who", "method", "address", "body"),
    [
        ("dan", "GET", "items/{item}/peer", None),
        ("dan", "GET", "items/{item}", None),
        ("dan", "GET", "items/{item}/history", None),
        ("dan", "GET", "items/{item}/comments", None),
        ("dan", "POST", "items/{item}/comments", {"text": "看", "mentions": [], "client_key": uuid.uuid4().hex}),
        ("dan", "GET", "items/{item}/people", None),
        ("dan", "PUT", "items/{item}/draft", {"base_no": 1, "seq": 1, "content": five_captions(2), "track": "peer"}),
        ("dan", "POST", "items/{item}/star", {"revision_no": 1, "client_key": uuid.uuid4().hex}),
        ("dan", "POST", "items/{item}/discard", {"revision_no": 1, "client_key": uuid.uuid4().hex}),
        ("dan", "GET", "benchmarks/cvqa/team-board?kind=captions&team={team}", None),
        ("dan", "GET", "benchmarks/cvqa/peer-pool?kind=captions&team={team}", None),
        ("dan", "GET", "images/{image}", None),
        ("dan", "GET", "images/{image}/items", None),
        ("ann", "PUT", "items/{item}/draft", {"base_no": 1, "seq": 1, "content": five_captions(2)}),
    ],
)
def test_another_teams_work_is_not_found(here, browsers, who, method, address, body):
    item = made(member(here, "ann"))
    address = address.format(item=item.pk, team=item.team_id, image=item.image_id)
    answer = send(browsers[who], method, address, body)
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


def test_the_pictures_of_other_teams_are_not_found(here, browsers):
    item = made(member(here, "ann"))
    for rendition in Rendition.objects.filter(image=item.image):
        answer = browsers["dan"].get(f"/media/{item.image_id}/{rendition.pk}-{rendition.role}.webp")
        assert answer.status_code == 404


def test_errors_have_codes(here, browsers):
    ann, ben = member(here, "ann"), member(here, "ben")
    item = made(ann)
    judged = {"revision_no": 1, "client_key": uuid.uuid4().hex}

    def refused(who, action, body):
        answer = send(browsers[who], "POST", f"items/{item.pk}/{action}", body)
        return answer.status_code, answer.json()["code"]

    assert refused("ann", "star", judged) == (403, "own_work")
    assert refused("ben", "submit", submission(item, item.number, track="peer")) == (409, "nothing_changed")
    assert refused("ben", "star", judged | {"revision_no": 2}) == (409, "stale_row")
    Seat.objects.update(state="held", holder=here.curator, hold_no=1, lease_until="2999-01-01T00:00Z")
    assert refused("ben", "star", judged) == (409, "seat_held")
    Seat.objects.update(state="free", holder=None, hold_no=None, lease_until=None)
    star(ben, item)
    assert refused("ann", "discard", judged) == (409, "action_not_allowed")
    assert refused("ann", "submit", submission(item, 7, base_no=1, track="peer")) == (403, "own_work")
