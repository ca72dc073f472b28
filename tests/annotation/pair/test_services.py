"""The pair track: expressions about accepted boxes, found by a second person's clicks."""

import uuid

import pytest
from django.db import DatabaseError, transaction

from annotation.bases.errors import BaseChanged
from annotation.bases.models import ItemBase
from annotation.imports import services as imports
from annotation.imports.errors import ImportRestsOnWork
from annotation.imports.models import Import
from annotation.items.errors import ContentRefused
from annotation.items.models import Item
from annotation.judging.models import Verdict
from annotation.pair import services as pair
from annotation.pair.errors import OutOfOrder, PointNotOnPicture, SeesEveryItem
from annotation.pair.models import Click
from annotation.pair.queries import click_rounds
from annotation.peer import queries
from annotation.peer import services as peer
from annotation.peer.errors import PictureFull, UnderJudgement
from annotation.quality.errors import ContentNeeded
from annotation.seats.errors import NothingLeft, SeatNotHeld
from annotation.seats.models import Seat
from curation.core.errors import ActionNotAllowed, ClientKeyReused, NotFound, OperationNotAllowed
from curation.core.models import AuditEvent
from curation.people.models import Notice
from tests.annotation.pairs import (
    MIDDLE,
    OBJECTS,
    TEXTS,
    about,
    accept_boxes,
    answer,
    clicked,
    clicker,
    create,
    held,
    pair_world,
    revise,
    rounds,
    submit,
    take,
    written,
)
from tests.people import people, signed_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def here():
    return pair_world()


def base_of(item):
    return ItemBase.objects.get(item=item)


def test_an_item_rests_on_the_accepted_boxes_of_its_picture(here):
    item = create(here)
    boxes = Item.objects.get(kind="boxes")
    link = base_of(item)
    assert (item.track, item.kind, item.state, link.base_item, link.base_no, link.current) == (
        "pair",
        "grounding",
        "todo",
        boxes,
        1,
        True,
    )
    shown = queries.peer_item(here.annotator, item.pk)
    assert shown["base"] == {"kind": "boxes", "content": OBJECTS, "text": "", "current": True}
    with pytest.raises(PictureFull):
        create(here, here.annotator2)
    with pytest.raises(NotFound):  # it is kept for its author
        queries.peer_item(here.annotator2, item.pk)


def test_every_object_of_the_main_category_has_an_expression_of_its_own(here):
    item = create(here)
    for texts, code in (
        ({"k0": "最左边的熊猫", "k1": "抱着碗的熊猫"}, "expressions_too_few"),
        (TEXTS | {"k3": "小碗"}, "object_unknown"),  # of another category
        (TEXTS | {"k2": "最左边的 熊猫。"}, "expressions_equal"),
        (TEXTS | {"k2": " "}, "expression_empty"),
    ):
        with pytest.raises(ContentRefused) as refused:
            submit(here.annotator, item, about(texts))
        assert code in {finding["code"] for finding in refused.value.params["findings"]}
    moved = about()
    moved["expressions"][0]["box"] = [11, 10, 100, 100]
    with pytest.raises(ContentRefused):
        submit(here.annotator, item, moved)
    assert (item.state, Seat.objects.count()) == ("todo", 0)


def test_a_second_person_who_finds_everything_accepts_the_item(here):
    item = written(here)
    assert (item.state, rounds(item)) == ("made", [(1, 1, "")])
    take(clicker(1))
    shown = held(clicker(1))
    assert (shown["position"], shown["count"], shown["text"] in TEXTS.values()) == (1, 3, True)
    clicked_item = clicked(item, 1)
    assert (clicked_item.state, clicked_item.accepted_no, rounds(item)) == ("accepted", 1, [(1, 1, "passed")])
    assert sorted(Click.objects.values_list("position", "correct")) == [(1, True), (2, True), (3, True)]
    assert list(Verdict.objects.values_list("stage", "outcome", "judge")) == [("clicks", "pass", clicker(1).pk)]
    assert (held(clicker(1)), Seat.objects.get().state) == (None, "done")
    accepted = AuditEvent.objects.get(action="item_accept")
    assert (accepted.actor_id, accepted.state_to) == (None, "accepted")


def test_the_smallest_box_that_holds_a_click_decides(here):
    item = written(here)
    take(clicker(1))
    texts = {text: key for key, text in TEXTS.items()}
    while (shown := held(clicker(1))) is not None:
        key = texts[shown["text"]]
        # The edge belongs to the box; in the bowl's box the panda is not meant, though its box holds the point, too.
        answer(clicker(1), item, shown["position"], {"k0": (110, 110), "k1": (220, 30), "k2": (500, 10)}[key])
    assert dict(Click.objects.values_list("key", "hit")) == {"k0": "k0", "k1": "k3", "k2": "k2"}
    item.refresh_from_db()
    assert item.state == "returned"


def test_the_first_failure_returns_it_with_the_clicks_and_the_second_asks_for_a_decision(here):
    item = clicked(written(here), 1, wrong=2)
    assert (item.state, rounds(item)) == ("returned", [(1, 1, "failed")])
    assert list(Notice.objects.values_list("code", "person", "actor")) == [
        ("item_click_failed", here.annotator.pk, None)
    ]
    [shown] = click_rounds(here.annotator, item.pk)["rounds"]
    assert [(row["position"], row["answer"], row["correct"]) for row in shown["clicks"]] == [
        (1, "point", True),
        (2, "not_found", False),
        (3, "point", True),
    ]
    assert {row["key"]: row["text"] for row in shown["clicks"]} == TEXTS
    with pytest.raises(NotFound):
        click_rounds(here.annotator2, item.pk)

    def returned_to(who):
        return queries.team_board(who, "cvlue", kind="grounding", page_size=10)["mine_returned"]

    assert (returned_to(here.annotator), returned_to(here.annotator2)) == (1, 0)
    submit(here.annotator, item)
    assert returned_to(here.annotator) == 0
    with pytest.raises(NothingLeft):  # not the one who tried before
        take(clicker(1))
    clicked(item, 2, wrong=1)
    assert (item.state, rounds(item)) == ("made", [(1, 1, "failed"), (2, 2, "failed")])
    with pytest.raises(UnderJudgement):
        submit(here.annotator, item)
    with pytest.raises(NothingLeft):
        take(clicker(3))
    assert queries.team_board(here.curator, "cvlue", kind="grounding", page_size=10)["to_check"] == 1


def test_a_file_of_expressions_is_refused_because_it_names_no_boxes(here):
    before = Item.objects.count()
    with pytest.raises(ImportRestsOnWork):
        imports.create_import(
            actor=here.admin,
            benchmark_slug="cvlue",
            blocks=[b'{"image": "img-0001"}\n'],
            name="x.jsonl",
            format="auto",
            kind="grounding",
            target="items",
            reason="",
            client_key=uuid.uuid4(),
        )
    assert (Item.objects.count(), Import.objects.count()) == (before, 0)


def test_where_names_are_hidden_no_one_but_administrators_learns_who_clicked():
    here = pair_world(blind=True)
    item = clicked(written(here), 1, wrong=1)
    [hidden], [named] = (click_rounds(who, item.pk)["rounds"] for who in (here.annotator, here.admin))
    assert (hidden["by"], named["by"]["id"]) == (None, clicker(1).pk)


def failed_twice(here):
    item = clicked(written(here), 1, wrong=1)
    return clicked(submit(here.annotator, item), 2, wrong=3)


def decide(who, item, outcome, **more):
    fields = {"revision_no": item.revision_no, "client_key": uuid.uuid4()} | more
    pair.decide_item(actor=who, item_id=item.pk, outcome=outcome, **fields)
    item.refresh_from_db()
    return item


def test_a_person_who_reviews_decides_after_the_last_failure(here):
    item = failed_twice(here)
    key = uuid.uuid4()
    for _ in range(2):
        decide(here.senior2, item, "right", client_key=key)
    assert (item.state, item.accepted_no, Verdict.objects.filter(stage="inspection").count()) == ("accepted", 2, 1)
    with pytest.raises(ActionNotAllowed):
        decide(here.senior2, item, "wrong", comment="说不清")


def test_a_correction_without_content_changes_nothing(here):
    item = failed_twice(here)
    with pytest.raises(ContentNeeded):
        decide(here.senior2, item, "correct")
    item.refresh_from_db()
    assert (item.state, item.revision_no, Verdict.objects.filter(stage="inspection").count()) == ("made", 2, 0)


def test_a_wrong_item_is_excluded_and_its_slot_is_free(here):
    item = decide(here.curator, failed_twice(here), "wrong", comment="两个都像")
    assert (item.state, item.excluded_for) == ("excluded", "decision")
    assert create(here, here.annotator2).slot == item.slot


def test_a_correction_gets_another_second_person(here):
    item = failed_twice(here)
    key = uuid.uuid4()
    for _ in range(2):
        decide(here.senior2, item, "correct", content=about(TEXTS | {"k1": "端着碗的熊猫"}), client_key=key)
    assert (item.state, item.revision_no, rounds(item)[-1]) == ("made", 3, (3, 3, ""))
    take(clicker(3))
    for _ in range(3):
        shown = held(clicker(3))
        place = {**{text: MIDDLE[k] for k, text in TEXTS.items()}, "端着碗的熊猫": MIDDLE["k1"]}[shown["text"]]
        answer(clicker(3), item, shown["position"], place)
    item.refresh_from_db()
    assert (item.state, item.accepted_no) == ("accepted", 3)


def test_answers_come_in_order_once_and_from_the_seat_s_holder(here):
    item = written(here)
    take(clicker(1))
    with pytest.raises(OutOfOrder) as refused:
        answer(clicker(1), item, 2, (1, 1))
    assert refused.value.params == {"position": 1}
    for place in ((-1, 5), (5, 601), (801, 5)):
        with pytest.raises(PointNotOnPicture):
            answer(clicker(1), item, 1, place)
    with pytest.raises(PointNotOnPicture):
        answer(clicker(1), item, 1, "several", x=1, y=1)
    with pytest.raises(SeatNotHeld):
        answer(clicker(2), item, 1, (1, 1))
    with pytest.raises(OperationNotAllowed):
        answer(here.annotator2, item, 1, (1, 1))
    assert Click.objects.count() == 0
    key = uuid.uuid4()
    for _ in range(2):
        answer(clicker(1), item, 1, (60, 60), client_key=key)
    with pytest.raises(ClientKeyReused):
        answer(clicker(1), item, 1, (61, 60), client_key=key)
    assert Click.objects.count() == 1
    with pytest.raises(UnderJudgement):
        submit(here.annotator, item)


def test_who_takes_over_a_seat_starts_at_the_first_expression(here):
    item = written(here)
    take(clicker(1))
    answer(clicker(1), item, 1, "several")
    seat = Seat.objects.get()
    peer.release_seats(actor=clicker(1), benchmark_slug="cvlue", seat_ids=[seat.pk])
    with pytest.raises(SeatNotHeld):
        answer(clicker(1), item, 2, "several")
    assert clicked(item, 2).state == "accepted"
    assert Click.objects.filter(person=clicker(1)).count() == 1


def test_no_one_is_the_second_person_who_knows_the_item_or_its_boxes(here):
    item = written(here)
    for who in (here.senior, here.curator):
        with pytest.raises(OperationNotAllowed):
            take(who)
    [both] = people({"both": ["clicker", "senior"]}, here.benchmark)
    with pytest.raises(SeesEveryItem):
        take(both)
    boxes = Item.objects.get(kind="boxes")
    revise(boxes, clicker(2), OBJECTS)
    Item.objects.filter(pk=boxes.pk).update(state="accepted", accepted_no=2)
    pair.follow_bases()
    with pytest.raises(NothingLeft):  # drew the boxes
        take(clicker(2))
    assert clicked(item, 3).state == "accepted"


def test_what_a_second_person_gets_has_neither_boxes_nor_keys_nor_verdicts(here):
    item = written(here)
    browser = signed_in(clicker(1))
    taken = browser.post("/api/v1/benchmarks/cvlue/clicking/claim", {"kind": "grounding"}, "application/json")
    assert taken.status_code == 200
    shown = taken.json()["item"]
    assert set(shown) == {"id", "seat", "lease_until", "image", "position", "count", "text", "language"}
    assert set(shown["image"]) == {"id", "view_url", "clean_url", "width", "height", "redaction_no"}
    body = {"position": 1, "answer": "point", "x": 1, "y": 1, "client_key": str(uuid.uuid4())}
    clicked_answer = browser.post(f"/api/v1/items/{item.pk}/click", body, "application/json")
    assert (clicked_answer.status_code, clicked_answer.content) == (204, b"")
    for address in (f"items/{item.pk}", f"items/{item.pk}/peer", f"items/{item.pk}/clicks", f"items/{item.pk}/history"):
        assert browser.get(f"/api/v1/{address}").status_code in {403, 404}, address


def test_while_its_base_is_reopened_an_item_waits(here):
    item = written(here)
    boxes = Item.objects.get(kind="boxes")
    take(clicker(1))
    revise(boxes, here.senior, OBJECTS)
    assert base_of(item).current is False
    with pytest.raises(BaseChanged):
        answer(clicker(1), item, 1, (1, 1))
    with pytest.raises(NothingLeft):
        take(clicker(2))
    with pytest.raises(BaseChanged):
        submit(here.annotator, item)
    assert pair.follow_bases() == 0
    Item.objects.filter(pk=boxes.pk).update(state="accepted", accepted_no=2)
    assert (pair.follow_bases(), base_of(item).base_no, base_of(item).current) == (1, 2, True)
    assert clicked(item, 1).state == "accepted"  # equal boxes: bound to the new revision


def test_changed_boxes_return_what_rests_on_them(here):
    item = clicked(written(here), 1)
    boxes = Item.objects.get(kind="boxes")
    changed = {"boxes": [*OBJECTS["boxes"][:2], {"key": "k2", "category": "panda", "box": [401, 10, 100, 100]}]}
    accept_boxes(here, boxes, changed)
    assert pair.follow_bases() == 1
    item.refresh_from_db()
    assert (item.state, item.accepted_no, base_of(item).base_no) == ("returned", None, 2)
    assert Notice.objects.values_list("code", "person").get() == ("item_base_changed", here.annotator.pk)
    with pytest.raises(ContentRefused):
        submit(here.annotator, item)
    assert submit(here.annotator, item, about(objects=changed)).state == "made"


def test_an_excluded_base_excludes_what_rests_on_it(here):
    item = written(here)
    boxes = Item.objects.get(kind="boxes")
    Item.objects.filter(pk=boxes.pk).update(state="excluded", accepted_no=None, excluded_for="decision")
    assert pair.follow_bases() == 1
    item.refresh_from_db()
    assert (item.state, item.excluded_for, Seat.objects.count()) == ("excluded", "base", 0)
    assert pair.follow_bases() == 0


def accept_at_once(item):
    Item.objects.filter(pk=item.pk).update(state="accepted", accepted_no=1)
    transaction.get_connection().check_constraints()


def test_the_database_refuses_what_the_services_do_not_do(here):
    item = written(here)
    boxes = Item.objects.get(kind="boxes")
    for statement in (
        lambda: accept_at_once(item),
        lambda: ItemBase.objects.filter(item=item).update(base_no=2),
        lambda: ItemBase.objects.filter(item=item).update(base_item=item),
    ):
        with pytest.raises(DatabaseError), transaction.atomic():
            statement()
    Item.objects.filter(pk=boxes.pk).update(state="returned", accepted_no=None)
    other = Item.objects.create(benchmark=here.benchmark, kind="grounding", image=item.image, number=9, slot=1)
    with pytest.raises(DatabaseError), transaction.atomic():
        ItemBase.objects.create(item=other, base_item=boxes, base_no=1)
