"""Who may discard an item: no one throws away what a colleague is writing, or wrote over an imported text."""

import uuid

import pytest

from annotation.items.models import Item, ItemRevision
from annotation.peer import access
from annotation.tracks import services as writing
from curation.core.errors import NotFound
from tests.annotation.teams import create, discard, made, member, peer_world, picture_of, submit
from tests.people import signed_in
from tests.sentences import five_captions

pytestmark = pytest.mark.django_db


@pytest.fixture
def here():
    return peer_world()


@pytest.fixture
def people(here):
    """Ann, who leads the team, and two members."""
    return {name: member(here, name) for name in ("ann", "ben", "cay")}


def save(who, item):
    base_no = Item.objects.get(pk=item.pk).revision_no
    draft = {"base_no": base_no, "seq": 1, "content": five_captions(50), "track": "peer"}
    writing.save_draft(actor=who, item_id=item.pk, **draft)


def imported(here, who):
    """An item whose text the administrator imported."""
    item = create(who, picture_of("thai"))
    fields = {"origin": "import", "content": five_captions(7), "protocol": here.benchmark.protocol}
    ItemRevision.objects.create(item=item, no=1, author=here.admin, client_key=uuid.uuid4(), **fields)
    Item.objects.filter(pk=item.pk).update(state="made", revision_no=1)
    return Item.objects.get(pk=item.pk)


def may_discard(people, item):
    return {
        name
        for name, who in people.items()
        if "item_discard" in signed_in(who).get(f"/api/v1/items/{item.pk}/peer").json()["available_actions"]
    }


def test_anyone_discards_what_no_one_began_to_write(people):
    item = create(people["ben"])
    assert may_discard(people, item) == {"ann", "ben", "cay"}
    assert discard(people["cay"], item).state == "excluded"


def test_only_the_lead_and_the_writer_discard_what_is_being_written(people):
    item = create(people["cay"])
    save(people["ben"], item)
    assert may_discard(people, item) == {"ann", "ben"}
    with pytest.raises(NotFound):
        discard(people["cay"], item)
    writing.delete_draft(actor=people["ben"], item_id=item.pk)
    assert discard(people["cay"], item).state == "excluded"


def test_nor_a_first_draft_that_is_saved_while_the_item_is_locked(people, monkeypatch):
    item, locks = create(people["ben"]), []
    lock = access.lock_item_for

    def lock_before_the_draft(*arguments, track="peer"):
        involved = lock(*arguments, track=track)
        locks.append(arguments[-1])
        if len(locks) == 1:
            save(people["ben"], item)
        return involved

    monkeypatch.setattr(access, "lock_item_for", lock_before_the_draft)
    with pytest.raises(NotFound):
        discard(people["cay"], item)
    assert Item.objects.get(pk=item.pk).state == "todo"
    assert locks == ["item_discard", "draft_save", "item_discard"]


def test_of_two_who_write_neither_discards_the_others_text(people):
    item = create(people["ben"])
    save(people["ben"], item)
    save(people["cay"], item)
    assert may_discard(people, item) == {"ann"}


def test_a_draft_on_a_submitted_text_does_not_keep_its_author_from_discarding_it(people):
    item = made(people["ben"])
    save(people["cay"], item)
    assert may_discard(people, item) == {"ann", "ben"}


def test_an_imported_text_is_anyones_to_discard_until_a_member_rewrites_it(here, people):
    item = imported(here, people["ben"])
    assert may_discard(people, item) == {"ann", "ben", "cay"}
    submit(people["ben"], item, 60)
    assert may_discard(people, item) == {"ann", "ben"}
    submit(people["cay"], item, 70)
    assert may_discard(people, item) == {"ann", "ben"}


def board_item(who, item):
    answer = signed_in(who).get("/api/v1/benchmarks/cvqa/team-board?kind=captions").json()
    [row] = [each for picture in answer["results"] for each in picture["items"] if each["id"] == item.pk]
    return row["is_drafted"], row["drafted_by"]


def test_the_board_shows_who_is_writing(people):
    item = made(people["ann"])
    save(people["ben"], item)
    assert board_item(people["cay"], item) == (True, {"id": people["ben"].pk, "name": people["ben"].name})
    assert board_item(people["ben"], item) == (False, None)  # one's own draft is no news
    submit(people["cay"], item, 60)
    assert board_item(people["ann"], item) == (False, None)  # the draft is on an older version


def test_but_not_by_name_where_names_are_hidden():
    here = peer_world(blind=True)
    item = create(member(here, "ann"))
    save(member(here, "ben"), item)
    assert board_item(member(here, "cay"), item) == (True, None)
