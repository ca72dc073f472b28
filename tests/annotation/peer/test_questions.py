"""Questions of teams: two on a picture that say the same get a warning."""

import uuid

import pytest

from annotation.items.models import Item
from annotation.peer import queries
from annotation.peer import services as peer
from annotation.tracks import services as writing
from tests.annotation.teams import discard, member, peer_protocol, picture_of, team_of
from tests.kinds import CONTENTS, numbers_of
from tests.people import world
from tests.protocols import names

pytestmark = pytest.mark.django_db
KIND = "multiple_choice"


@pytest.fixture
def here():
    content = peer_protocol()
    places = {"track": "peer", "per_picture": {"minimum": 1, "maximum": 3}}
    content["kinds"] = {KIND: numbers_of(KIND) | places}
    content["languages"] = {"content": "zh-Hans", "translation": "en"}
    here = world(content, slug="cvqa")
    category = {
        "slug": "tea",
        "number": 1,
        "name": names("tea"),
        "field": "food",
        "field_name": names("food"),
        "distance": "closest",
    }
    here.benchmark.categories.create(**category)
    team_of(here, "thai", ["ann", "ben"])
    return here


@pytest.fixture
def people(here):
    return member(here, "ann"), member(here, "ben")


def asked(who, n):
    """An item with a question that ``n`` chooses."""
    image = picture_of("thai")
    item = peer.create_item(actor=who, benchmark_slug="cvqa", kind=KIND, image_id=image.pk, client_key=uuid.uuid4())
    return submitted(who, item, n)


def submitted(who, item, n):
    base_no = Item.objects.get(pk=item.pk).revision_no
    fields = {"base_no": base_no, "content": CONTENTS[KIND](n), "client_key": uuid.uuid4()}
    writing.submit_item(actor=who, item_id=item.pk, reasons={}, track="peer", **fields)
    return Item.objects.get(pk=item.pk)


def warnings(who, item):
    return [f["params"]["item"] for f in queries.peer_item(who, item.pk)["findings"] if f["code"] == "question_twice"]


def test_who_writes_and_who_validates_see_that_a_question_was_asked(people):
    ann, ben = people
    first, second = asked(ann, 1), asked(ben, 1)
    assert (second.state, warnings(ann, second), warnings(ben, second)) == ("made", [first.label], [first.label])
    assert warnings(ben, first) == []


def test_it_is_said_while_typing(people):
    ann, ben = people
    first, second = asked(ann, 1), asked(ben, 2)
    draft = {"base_no": 1, "seq": 1, "content": CONTENTS[KIND](1), "track": "peer"}
    found = writing.save_draft(actor=ben, item_id=second.pk, **draft)["findings"]
    assert [f["params"] for f in found if f["code"] == "question_twice"] == [{"item": first.label}]


def test_neither_its_own_text_nor_a_discarded_item_counts(people):
    ann, _ = people
    discard(ann, asked(ann, 1))
    item = submitted(ann, asked(ann, 1), 1)
    assert warnings(ann, item) == []
