"""Panels: several people judge an item, and nobody learns a verdict before all are in."""

import uuid
from pathlib import Path

import pytest
from django.conf import settings
from django.db import DatabaseError, IntegrityError, connection, transaction

from annotation.items.errors import ReasonNeeded, ReasonUnknown
from annotation.items.models import Item
from annotation.judging.errors import FormFieldUnknown, FormValueInvalid, FormValueMissing
from annotation.judging.models import Judging, Verdict
from annotation.packages.services import follow_pictures
from annotation.peer import queries
from annotation.peer import services as peer
from annotation.peer.errors import UnderJudgement
from annotation.quality.queries import quality
from annotation.quality.rules import agreement
from annotation.seats.errors import NothingLeft, SeatNotHeld
from annotation.seats.models import Seat
from annotation.tracks import services as writing
from annotation.tracks.queries import history
from curation.core.errors import ActionNotAllowed, ClientKeyReused, NotFound, OperationNotAllowed, StaleRow
from curation.core.models import AuditEvent
from curation.images.models import Image
from curation.people.models import Notice
from tests.annotation.imports.test_services import import_rows, line
from tests.annotation.panels import (
    LEVEL,
    PASS,
    create,
    judge,
    panel_protocol,
    panel_world,
    settled,
    submit,
    take,
    verifier,
    written,
)
from tests.annotation.withdrawals import restore, withdraw
from tests.people import person, signed_in, world
from tests.ready import accepted_pictures

pytestmark = pytest.mark.django_db


@pytest.fixture
def here():
    return panel_world()


def judgings(item):
    return list(Judging.objects.filter(item=item).order_by("no").values_list("no", "people", "done", "outcome"))


def test_all_of_a_panel_pass_an_item(here):
    item = written(here)
    assert (item.state, judgings(item)) == ("made", [(1, 2, 0, "")])
    settled(item, "pass")
    assert (item.state, judgings(item)) == ("made", [(1, 2, 1, "")])
    take(verifier(2))
    judge(verifier(2), item)
    assert (item.state, item.accepted_no, judgings(item)) == ("accepted", 1, [(1, 2, 2, "passed")])
    assert list(Verdict.objects.order_by("pk").values_list("stage", "round", "outcome")) == [
        ("panel", 1, "pass"),
        ("panel", 2, "pass"),
    ]
    assert set(Seat.objects.values_list("state", flat=True)) == {"done"}


def test_one_failure_excludes_an_item_and_frees_its_slot(here):
    item = settled(written(here), "fail", "pass")
    assert (item.state, item.excluded_for, judgings(item)) == ("excluded", "panel", [(1, 2, 2, "failed")])
    assert list(Notice.objects.values_list("code", "person__username", "actor")) == [
        ("item_panel_excluded", here.annotator.username, None)
    ]
    assert create(here).slot == item.slot


def test_a_failure_returns_an_item_with_all_reasons_until_the_attempts_are_over():
    here = panel_world(on_failure="return", attempts=2)
    item = written(here)
    take(verifier(1))
    judge(verifier(1), item, "fail", comment="朝代不对")
    take(verifier(2))
    judge(verifier(2), item, "fail", comment="𠮷字写错了")
    assert item.state == "returned"
    shown = queries.peer_item(here.annotator, item.pk)
    assert shown["sent_back"] == {
        "stage": "panel",
        "reasons": ["wrong_fact"],
        "comment": "朝代不对\n𠮷字写错了",
        "by": None,
    }
    submit(here.annotator, item, 2)
    assert judgings(item) == [(1, 2, 2, "failed"), (2, 2, 0, "")]
    settled(item, "pass", "fail")
    assert (item.state, item.excluded_for) == ("excluded", "panel")
    assert list(Notice.objects.order_by("pk").values_list("code", flat=True)) == [
        "item_panel_returned",
        "item_panel_excluded",
    ]


def test_nobody_learns_a_verdict_before_all_are_in(here):
    item = written(here)
    take(verifier(1))
    judge(verifier(1), item, "fail", comment="朝代不对")
    everybody = [here.owner, here.admin, here.curator, here.annotator, verifier(2)]
    for who in everybody:
        assert history(who, item.pk)["verdicts"] == []
        assert "朝代不对" not in str(queries.peer_item(who, item.pk))
    assert [v["outcome"] for v in history(verifier(1), item.pk)["verdicts"]] == ["fail"]
    events = AuditEvent.objects.filter(action="item_judge")
    assert [event.data for event in events] == [{"revision_no": 1, "round": 1}]
    assert Notice.objects.count() == 0
    figures = quality(here.owner, "tcc")
    assert (figures["judges"], figures["rounds"], figures["agreement"]) == ([], [], [])
    take(verifier(2))
    judge(verifier(2), item)
    for who in everybody:
        assert [v["outcome"] for v in history(who, item.pk)["verdicts"]] == ["fail", "pass"]


def test_figures_per_round_and_person():
    here = panel_world(pictures=4)
    for picture, outcomes in enumerate([("pass", "pass"), ("pass", "fail"), ("fail", "fail"), ("pass", "pass")]):
        settled(written(here, n=picture, picture=picture), *outcomes)
    figures = quality(here.owner, "tcc")
    assert [(row["round"], row["judged"], row["passed"], row["rate"]) for row in figures["rounds"]] == [
        (1, 4, 3, 0.75),
        (2, 4, 2, 0.5),
    ]
    [row] = figures["agreement"]
    assert (row["between"], row["items"], row["observed"]) == ("panel-panel", 4, 0.75)
    # Cohen: (0.75 - 0.5) / (1 - 0.5). Fleiss: 5 of 8 pass, so chance is 0.53125. Alpha: 1 - 7 · 2 / (64 - 34).
    values = {m["name"]: round(m["value"], 6) for m in row["measures"]}
    assert values == {"cohen_kappa": 0.5, "fleiss_kappa": 0.466667, "krippendorff_alpha": 0.533333}
    assert all(m["low"] <= m["value"] <= m["high"] for m in row["measures"])
    judges = {row["person"]["name"]: (row["judged"], row["checked"], row["upheld"]) for row in figures["judges"]}
    assert judges == {verifier(1).name: (4, 4, 3), verifier(2).name: (4, 4, 3)}
    [writer] = figures["people"]
    assert (writer["judged"], writer["accepted_first"], writer["returned_reasons"]) == (
        4,
        2,
        [{"code": "wrong_fact", "n": 3}],
    )


def test_seats_are_for_different_people_who_wrote_nothing_of_the_item(here):
    item = written(here)
    with pytest.raises(OperationNotAllowed):
        take(here.annotator)
    take(verifier(1))
    with pytest.raises(NothingLeft):  # the other seat of an item is another person's
        take(verifier(1), 2)
    judge(verifier(1), item)
    with pytest.raises(NothingLeft):
        take(verifier(1))
    with pytest.raises(SeatNotHeld):
        judge(verifier(1), item)
    with pytest.raises(SeatNotHeld):
        judge(verifier(2), item)
    with pytest.raises(OperationNotAllowed):
        judge(here.annotator, item)
    with pytest.raises(NotFound):
        judge(here.stranger, item)
    assert judgings(item) == [(1, 2, 1, "")]


def test_an_author_corrects_until_the_first_verdict_is_in(here):
    item = written(here)
    take(verifier(1))
    submit(here.annotator, item, 2)
    assert judgings(item) == [(1, 2, 0, "dropped"), (2, 2, 0, "")]
    with pytest.raises(SeatNotHeld):  # the seat was of the judging before
        judge(verifier(1), item)
    with pytest.raises(StaleRow):
        judge(verifier(1), item, revision_no=1)
    take(verifier(1))
    judge(verifier(1), item)
    with pytest.raises(UnderJudgement):
        submit(here.annotator, item, 3)
    with pytest.raises(UnderJudgement):
        peer.discard_item(actor=here.annotator, item_id=item.pk, revision_no=item.revision_no, client_key=uuid.uuid4())
    assert (item.revision_no, judgings(item)[-1]) == (2, (2, 2, 1, ""))
    assert set(queries.peer_item(here.annotator, item.pk)["available_actions"]) == set()


def test_only_the_author_writes_on(here):
    item = written(here)
    with pytest.raises(NotFound):
        submit(here.annotator2, item, 2)
    assert queries.peer_item(here.annotator2, item.pk)["available_actions"] == []
    peer.discard_item(actor=here.annotator, item_id=item.pk, revision_no=1, client_key=uuid.uuid4())
    item.refresh_from_db()
    assert (item.state, item.excluded_for, judgings(item)) == ("excluded", "discard", [(1, 2, 0, "dropped")])
    assert Seat.objects.count() == 0


def test_a_failure_needs_a_reason_that_the_protocol_has(here):
    item = written(here)
    take(verifier(1))
    with pytest.raises(ReasonNeeded):
        judge(verifier(1), item, "fail", reasons=[])
    with pytest.raises(ReasonUnknown):
        judge(verifier(1), item, "fail", reasons=["no_such"])
    assert (Verdict.objects.count(), judgings(item)) == (0, [(1, 2, 0, "")])


def test_the_form_has_other_fields():
    here = panel_world(form=[PASS, LEVEL])
    item = written(here)
    take(verifier(1))
    for values, refusal in (
        ({}, FormValueMissing),
        ({"difficulty": "odd"}, FormValueInvalid),
        ({"difficulty": 1}, FormValueInvalid),
        ({"difficulty": "easy", "m" * 200_000: 1}, FormFieldUnknown),
    ):
        with pytest.raises(refusal) as refused:
            judge(verifier(1), item, values=values)
        assert len(refused.value.params["field"]) <= 48
    assert Verdict.objects.count() == 0
    judge(verifier(1), item, values={"difficulty": "hard"})
    assert Verdict.objects.get().values == {"difficulty": "hard"}
    [held] = queries.peer_pool(verifier(1), "tcc", kind="captions")["items"] or [None]
    assert held is None


def test_a_repeat_has_the_result_of_the_first_try():
    here = panel_world(form=[PASS, LEVEL])
    item = written(here)
    take(verifier(1))
    key = {"client_key": uuid.uuid4(), "values": {"difficulty": "easy"}}
    judge(verifier(1), item, **key)
    judge(verifier(1), item, **key)
    assert judgings(item) == [(1, 2, 1, "")]
    with pytest.raises(ClientKeyReused):
        judge(verifier(1), item, "fail", **key)
    with pytest.raises(ClientKeyReused):
        judge(verifier(1), item, **key | {"values": {"difficulty": "hard"}})


def test_an_inspector_reopens_an_accepted_item(here):
    item = settled(written(here), "pass", "pass")
    fields = {"item_id": item.pk, "revision_no": 1, "client_key": uuid.uuid4()}
    with pytest.raises(OperationNotAllowed):
        peer.reopen_item(actor=verifier(3), comment="年代不对", **fields)
    with pytest.raises(ReasonNeeded):
        peer.reopen_item(actor=here.curator, **fields)
    assert "item_reopen" in queries.peer_item(here.admin, item.pk)["available_actions"]
    peer.reopen_item(actor=here.curator, comment="年代不对", **fields)
    item.refresh_from_db()
    assert (item.state, item.accepted_no) == ("returned", None)
    back = queries.peer_item(here.annotator, item.pk)["sent_back"]
    assert (back["stage"], back["comment"], back["by"]["name"]) == ("inspection", "年代不对", here.curator.name)
    assert Notice.objects.filter(code="item_reopened", person=here.annotator).count() == 1
    with pytest.raises(ActionNotAllowed):
        peer.reopen_item(actor=here.curator, comment="年代不对", **fields | {"client_key": uuid.uuid4()})
    submit(here.annotator, item, 2)
    settled(item, "pass", "pass")
    assert (item.state, item.accepted_no) == ("accepted", 2)


def test_the_pool_has_the_form_and_how_many_are_in(here):
    item = written(here)
    pool = queries.peer_pool(verifier(1), "tcc", kind="captions")
    assert (pool["free"], pool["held"], pool["held_maximum"], pool["items"]) == (1, 0, 3, [])
    take(verifier(1))
    [held] = queries.peer_pool(verifier(1), "tcc", kind="captions")["items"]
    assert held["judging"] == {"no": 1, "people": 2, "done": 0, "form": [PASS]}
    assert (held["track"], held["team"], held["available_actions"]) == ("panel", None, ["item_judge"])
    assert held["id"] == item.pk
    judge(verifier(1), item)
    pool = queries.peer_pool(verifier(1), "tcc", kind="captions")
    assert (pool["free"], pool["items"]) == (0, [])
    assert queries.peer_pool(verifier(2), "tcc", kind="captions")["free"] == 1


def test_the_board_has_everybodys_items(here):
    item = written(here)
    board = queries.team_board(here.annotator2, "tcc", kind="captions", page_size=10)
    assert (board["team"], board["available_actions"], board["to_check"]) == (None, ["item_create"], 0)
    assert [row["id"] for row in board["results"][0]["items"]] == [item.pk]
    judging = queries.team_board(verifier(1), "tcc", kind="captions", page_size=10)
    assert (judging["available_actions"], judging["to_check"]) == (["item_judge"], 1)
    take(verifier(1))
    judge(verifier(1), item)
    assert queries.team_board(verifier(1), "tcc", kind="captions", page_size=10)["to_check"] == 0
    assert queries.team_places(here.annotator2, "tcc", kind="captions")["items"] == []
    assert [row["id"] for row in queries.team_places(here.annotator, "tcc", kind="captions")["items"]] == [item.pk]


def test_the_database_keeps_what_services_promise(here):
    item = written(here)
    opened = Judging.objects.get()
    for refused in (
        "update annotation_judging set closed_at = now(), outcome = 'passed'",
        "update annotation_item set state = 'accepted', accepted_no = 1; set constraints all immediate",
        "delete from annotation_judging",
    ):
        with pytest.raises(DatabaseError), transaction.atomic():
            connection.cursor().execute(refused)
    settled(item, "pass", "pass")
    values = {
        "item": item,
        "revision_no": 1,
        "author_id": here.annotator.pk,
        "judge": verifier(3),
        "stage": "panel",
        "round": 3,
        "outcome": "fail",
        "client_key": uuid.uuid4(),
    }
    with pytest.raises(IntegrityError, match="verdict_of_open_judging"), transaction.atomic():
        Verdict.objects.create(judging=opened, **values)
    with pytest.raises(IntegrityError, match="verdict_of_judging"), transaction.atomic():
        Verdict.objects.create(**values)


def test_a_draft_is_the_authors(here):
    item = create(here)
    writing.save_draft(
        actor=here.annotator,
        item_id=item.pk,
        base_no=0,
        seq=1,
        content={"captions": ["一", "", "", "", ""]},
        track="panel",
    )
    assert queries.peer_item(here.annotator, item.pk)["draft"]["seq"] == 1
    assert queries.peer_item(here.annotator2, item.pk)["draft"] is None
    assert Item.objects.get(pk=item.pk).state == "todo"


def test_who_collects_and_writes_sees_the_pictures_of_others(here):
    both = person("tcc-both", here.benchmark, "writer")
    image = here.benchmark.images.first()
    thumb = image.renditions.get(role="thumb")
    (Path(settings.MEDIA_ROOT) / thumb.key).parent.mkdir(parents=True, exist_ok=True)
    (Path(settings.MEDIA_ROOT) / thumb.key).write_bytes(b"x")
    address = f"/media/{image.pk}/{thumb.pk}-thumb.webp"
    assert signed_in(both).get(address).status_code == 200
    assert signed_in(verifier(1)).get(address).status_code == 200
    assert signed_in(here.stranger).get(address).status_code == 403


def test_a_kind_may_have_all_settings_of_its_own():
    content = panel_protocol()
    content["kinds"]["captions"]["panel"] = {"people": 1, "on_failure": "exclude"}
    del content["tracks"]["panel"]
    here = world(content, slug="tcc")
    accepted_pictures(here.benchmark, here.contributor, here.curator, 1)
    alone = person("tcc-v1", here.benchmark, "verifier")
    item = written(here)
    take(alone)
    judge(alone, item)
    assert (item.state, judgings(item)) == ("accepted", [(1, 1, 1, "passed")])


def test_corrections_and_reopening_use_up_no_attempt():
    here = panel_world(on_failure="return", attempts=2)
    item = written(here)
    submit(here.annotator, item, 2)  # before any verdict
    settled(item, "pass", "pass")
    fields = {"item_id": item.pk, "revision_no": 2, "client_key": uuid.uuid4()}
    peer.reopen_item(actor=here.curator, comment="年代不对", **fields)
    settled(submit(here.annotator, item, 3), "pass", "fail")
    assert item.state == "returned"
    settled(submit(here.annotator, item, 4), "fail", "pass")
    assert (item.state, item.excluded_for) == ("excluded", "panel")


def test_no_one_learns_a_verdict_of_a_judging_that_was_dropped(here):
    item = written(here)
    take(verifier(1))
    judge(verifier(1), item, "fail", comment="朝代不对")
    withdraw(item.image, here.curator)
    follow_pictures()
    assert judgings(item) == [(1, 2, 1, "dropped")]
    restore(item.image, here.curator)
    follow_pictures()
    submit(here.annotator, item, 1)
    assert judgings(item) == [(1, 2, 1, "dropped"), (2, 2, 0, "")]
    for who in (here.owner, here.admin, here.annotator, verifier(2)):
        assert history(who, item.pk)["verdicts"] == []
        assert "朝代不对" not in str(queries.peer_item(who, item.pk))


def test_who_oversees_takes_out_what_no_one_else_can(here):
    item = written(here)
    take(verifier(1))
    judge(verifier(1), item)
    for who in (here.owner, here.admin, here.curator):
        assert "item_discard" in queries.peer_item(who, item.pk)["available_actions"]
    assert queries.peer_item(verifier(2), item.pk)["available_actions"] == []
    peer.discard_item(actor=here.admin, item_id=item.pk, revision_no=1, client_key=uuid.uuid4())
    item.refresh_from_db()
    assert (item.state, item.excluded_for, judgings(item)) == ("excluded", "discard", [(1, 2, 1, "dropped")])


def test_items_on_pictures_without_a_tick_keep_no_judge_busy():
    here = panel_world(pictures=2)
    waiting, ready = written(here), written(here, n=2, picture=1)
    Image.objects.filter(pk=waiting.image_id).update(pii_clear_by=None)
    assert queries.peer_pool(verifier(1), "tcc", kind="captions")["free"] == 1
    assert queries.team_board(verifier(1), "tcc", kind="captions", page_size=9)["to_check"] == 1
    take(verifier(1), 3)
    assert list(Seat.objects.filter(holder=verifier(1)).values_list("item", flat=True)) == [ready.pk]


def test_agreement_over_many_pictures_is_computed_in_blocks(monkeypatch):
    units = [agreement.Unit(n, ("right", "wrong" if n % 3 else "right")) for n in range(40)]
    whole = agreement.measures(units)
    monkeypatch.setattr(agreement, "_NUMBERS_PER_BLOCK", 120)
    assert agreement.measures(units) == whole


def test_imported_texts_take_the_free_slots_of_their_picture():
    here = panel_world(pictures=2)
    import_rows(here, line(1, 1), line(1, 2), line(2, 3), line(2, 4, slot=50), benchmark_slug="tcc")
    places = Item.objects.order_by("image_id", "slot").values_list("image__number", "slot", "state")
    assert list(places) == [(1, 0, "made"), (1, 1, "made"), (2, 0, "made")]
