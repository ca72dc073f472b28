"""Dialogues: who is paired over which picture, whose turn it is, pausing and leaving, and what the last turn makes."""

import uuid
from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from annotation.bases.errors import BaseChanged
from annotation.bases.models import ItemBase
from annotation.dialogues import services
from annotation.dialogues.errors import (
    InAnotherDialogue,
    NotYourTurn,
    PausedTooOften,
    SeesEveryPicture,
    StaleTurn,
)
from annotation.dialogues.models import Dialogue, DialogueTurn, Waiting
from annotation.dialogues.queries import dialogue as shown
from annotation.dialogues.queries import lobby, turns
from annotation.dialogues.rules import drawn_caption
from annotation.items.errors import ContentRefused
from annotation.items.models import Item, ItemHand
from annotation.judging.models import Judging
from annotation.pair import services as pair
from annotation.pair.services import follow_bases
from annotation.peer import services as peer
from annotation.peer.errors import MadeInDialogue
from annotation.seats.models import Seat
from curation.core.errors import ActionNotAllowed, ClientKeyReused, NotFound, OperationNotAllowed, OwnWork
from curation.images.models import Blindfold, Exposure, Image
from curation.images.services import record_exposure, record_exposure_to_all
from curation.people.models import Person
from tests.annotation.pairs import revise
from tests.annotation.talks import (
    accept_captions,
    begun,
    dialogue_world,
    finished,
    join,
    say,
    talker,
    words,
)
from tests.sentences import five_captions

pytestmark = pytest.mark.django_db


@pytest.fixture
def here():
    return dialogue_world()


def decide(who: Person, item: Item, outcome: str, **more):
    item.refresh_from_db()
    fields = {"revision_no": item.revision_no, "client_key": uuid.uuid4()} | more
    return pair.decide_item(actor=who, item_id=item.pk, outcome=outcome, **fields)


# --- Pairing


def test_two_who_wait_are_paired_over_a_picture_that_the_questioner_never_saw(here):
    join(talker(1), "question")
    assert lobby(talker(2), "cvlue")["others"] == 1
    assert not Dialogue.objects.exists()
    join(talker(2), "answer")
    dialogue = Dialogue.objects.get()
    assert (dialogue.questioner, dialogue.answerer, dialogue.state) == (talker(1), talker(2), "open")
    assert not Waiting.objects.exists()
    assert list(Blindfold.objects.values_list("image_id", "person_id")) == [(dialogue.image_id, talker(1).pk)]
    base = ItemBase.objects.get(item=dialogue.item)
    position = drawn_caption(bytes(base.seed), 5)
    assert base.path == f"captions.{position}"
    assert dialogue.caption == five_captions(1)["captions"][position]
    assert dialogue.item.state == "todo"
    assert lobby(talker(1), "cvlue")["dialogues"][0]["part"] == "question"


def test_who_questioned_less_questions_and_who_waits_longest_comes_first():
    here = dialogue_world(3, pictures=3)
    for n in (1, 2, 3):
        Waiting.objects.create(person=talker(n), benchmark=here.benchmark, parts=["question", "answer"])
    services.pair_waiting(here.benchmark)
    first = Dialogue.objects.get()
    assert (first.questioner, first.answerer) == (talker(1), talker(2))
    finished(first)
    Waiting.objects.all().delete()
    join(talker(1))
    join(talker(2))
    second = Dialogue.objects.get(state="open")
    assert (second.questioner, second.answerer) == (talker(2), talker(1))
    assert second.image_id != first.image_id


@pytest.mark.parametrize("way", ["file", "release", "own", "wrote"])
def test_nobody_questions_a_picture_that_they_saw(here, way):
    image = here.benchmark.images.get()
    if way == "file":
        record_exposure(talker(1), image)
    elif way == "release":
        record_exposure_to_all(talker(1), here.benchmark, image.pk)
    elif way == "own":
        Image.objects.filter(pk=image.pk).update(contributor=talker(1))
    else:
        captions = Item.objects.get(kind="captions")
        revise(captions, talker(1), five_captions(1))
        Item.objects.filter(pk=captions.pk).update(state="accepted", accepted_no=captions.revision_no)
        assert not Exposure.objects.filter(person=talker(1)).exists()
    join(talker(1), "question")
    join(talker(2), "answer")
    assert not Dialogue.objects.exists()
    assert Item.objects.filter(kind="dialogue").count() == 0
    join(talker(1), "answer")
    join(talker(2), "question")
    assert Dialogue.objects.get().questioner == talker(2)


def test_who_can_open_every_picture_answers_and_never_questions(here):
    for name in ("curator", "admin", "senior"):
        who = getattr(here, name)
        who.role_grants.create(benchmark=here.benchmark, role="talker")
    here.curator.grants = None
    with pytest.raises(SeesEveryPicture):
        join(here.curator, "question")
    join(here.curator)
    join(talker(1))
    assert Dialogue.objects.get().questioner == talker(1)


def test_only_those_who_may_question_or_answer_wait(here):
    with pytest.raises(OperationNotAllowed):
        join(here.contributor)
    with pytest.raises(NotFound):
        join(here.stranger)


def test_who_gives_no_sign_is_not_paired_and_leaves_the_lobby(here):
    join(talker(1))
    Waiting.objects.update(seen_at=timezone.now() - timedelta(seconds=90))
    join(talker(2))
    assert not Dialogue.objects.exists()
    Waiting.objects.filter(person=talker(1)).update(seen_at=timezone.now() - timedelta(minutes=6))
    services.sweep_dialogues()
    assert list(Waiting.objects.values_list("person", flat=True)) == [talker(2).pk]
    services.leave_lobby(actor=talker(2), benchmark_slug="cvlue")
    assert not Waiting.objects.exists()


def test_a_sign_of_waiting_pairs_no_one_and_the_sweep_pairs_when_a_picture_is_free(here):
    captions = Item.objects.get(kind="captions")
    Item.objects.filter(pk=captions.pk).update(state="returned", accepted_no=None)
    join(talker(1))
    join(talker(2))
    Item.objects.filter(pk=captions.pk).update(state="accepted", accepted_no=captions.revision_no)
    join(talker(1))
    assert not Dialogue.objects.exists()
    assert services.sweep_dialogues() == 1
    assert Dialogue.objects.get().questioner == talker(1)


def test_a_full_lobby_without_pictures_is_read_by_person_and_not_by_pair(django_assert_max_num_queries):
    here = dialogue_world(12, pictures=0)
    for n in range(1, 13):
        Waiting.objects.create(person=talker(n), benchmark=here.benchmark, parts=["question", "answer"])
    with django_assert_max_num_queries(2 * 12 + 16):
        assert services.pair_waiting(here.benchmark) == []


def test_who_is_deactivated_while_waiting_keeps_no_one_from_being_paired():
    dialogue_world(3)
    join(talker(3), "question")
    Person.objects.filter(pk=talker(3).pk).update(is_active=False)
    join(talker(1), "question")
    join(talker(2), "answer")
    assert Dialogue.objects.get().questioner == talker(1)


def test_nobody_creates_an_item_alone(here):
    annotator = here.annotator
    with pytest.raises(MadeInDialogue):
        peer.create_item(
            actor=annotator,
            benchmark_slug="cvlue",
            kind="dialogue",
            image_id=here.benchmark.images.get().pk,
            client_key=uuid.uuid4(),
        )


# --- Turns


def test_turns_alternate_and_the_last_makes_the_item(here):
    dialogue = begun()
    with pytest.raises(NotYourTurn):
        say(dialogue, 1, actor=talker(2))
    say(dialogue, 1)
    with pytest.raises(NotYourTurn):
        say(dialogue, 2, actor=talker(1))
    with pytest.raises(StaleTurn) as stale:
        say(dialogue, 1)
    assert stale.value.params == {"position": 2}
    with pytest.raises(StaleTurn):
        say(dialogue, 4)
    dialogue.refresh_from_db()
    dialogue = finished(dialogue)
    assert (dialogue.state, dialogue.turn_no) == ("done", 4)
    assert not Blindfold.objects.exists()
    item = Item.objects.get(kind="dialogue")
    revision = item.revisions.get()
    assert (item.state, revision.author, revision.partner) == ("made", talker(2), talker(1))
    assert revision.content == {"rounds": [{"question": words(n), "answer": words(n + 1)} for n in (1, 3)]}
    assert set(ItemHand.objects.filter(item=item, hand="maker").values_list("person_id", flat=True)) == {
        talker(1).pk,
        talker(2).pk,
    }
    assert not Judging.objects.exists()
    assert not Seat.objects.exists()


def test_there_is_no_further_round(here):
    dialogue = finished()
    with pytest.raises(ActionNotAllowed):
        say(dialogue, 5)
    with pytest.raises(IntegrityError), transaction.atomic():
        DialogueTurn.objects.create(dialogue=dialogue, no=5, author=talker(1), text="?", client_key=uuid.uuid4())


def test_a_repeat_with_the_same_key_changes_nothing(here):
    dialogue, key = begun(), uuid.uuid4()
    say(dialogue, 1, "左边有什么？", client_key=key)
    say(dialogue, 1, "左边有什么？", client_key=key)  # its answer was lost
    say(dialogue, 2)
    say(dialogue, 1, "左边有什么？", client_key=key)
    assert DialogueTurn.objects.count() == 2
    with pytest.raises(ClientKeyReused):
        say(dialogue, 3, client_key=key)


def test_what_is_pointed_out_and_what_is_refused(here):
    dialogue = begun()
    say(dialogue, 1, "为什么他在笑？")
    say(dialogue, 2, "两只。")
    assert list(DialogueTurn.objects.order_by("no").values_list("flags", flat=True)) == [
        ["question_reason"],
        ["answer_fragment"],
    ]
    with pytest.raises(ContentRefused):
        say(dialogue, 3, "\u200b")
    assert [turn["text"] for turn in turns(talker(1), dialogue.pk, after=1)["turns"]] == ["两只。"]


def test_others_know_nothing_of_a_dialogue(here):
    dialogue = begun()
    for who in (here.admin, here.curator, here.annotator):
        with pytest.raises(NotFound):
            shown(who, dialogue.pk)


# --- Blindness


def test_the_questioner_is_not_told_which_picture_it_is(here):
    dialogue = begun()
    questioner, answerer = shown(talker(1), dialogue.pk), shown(talker(2), dialogue.pk)
    assert (questioner["image"], questioner["item"], questioner["turns_left"]) == (None, None, 4)
    assert answerer["image"]["id"] == dialogue.image_id
    with pytest.raises(NotFound):
        record_exposure(talker(1), here.benchmark.images.get())
    finished(dialogue)
    record_exposure(talker(1), here.benchmark.images.get())
    assert shown(talker(1), dialogue.pk)["item"]["label"] == dialogue.item.label


def test_an_open_dialogue_needs_the_blindfold(here):
    begun()
    with pytest.raises(IntegrityError, match="dialogue_questioner_is_blindfolded"), transaction.atomic():
        Blindfold.objects.all().delete()


# --- Pausing and leaving


def test_a_pause_frees_both_and_needs_both_to_end(here):
    dialogue = begun()
    say(dialogue, 1)
    services.pause(actor=talker(1), dialogue_id=dialogue.pk, client_key=uuid.uuid4())
    with pytest.raises(ActionNotAllowed):
        say(dialogue, 2)
    assert Blindfold.objects.exists()
    assert services.resume(actor=talker(2), dialogue_id=dialogue.pk).state == "paused"
    assert services.resume(actor=talker(1), dialogue_id=dialogue.pk).state == "open"
    dialogue.refresh_from_db()
    assert finished(dialogue).state == "done"


def test_nobody_pauses_more_often_than_the_protocol_says(here):
    dialogue = begun()
    for _ in range(3):
        services.pause(actor=talker(1), dialogue_id=dialogue.pk, client_key=uuid.uuid4())
        services.resume(actor=talker(1), dialogue_id=dialogue.pk)
        services.resume(actor=talker(2), dialogue_id=dialogue.pk)
    with pytest.raises(PausedTooOften):
        services.pause(actor=talker(1), dialogue_id=dialogue.pk, client_key=uuid.uuid4())
    assert "dialogue_pause" not in shown(talker(1), dialogue.pk)["available_actions"]
    services.pause(actor=talker(2), dialogue_id=dialogue.pk, client_key=uuid.uuid4())


def test_who_is_in_another_dialogue_does_not_go_on_with_a_paused_one():
    dialogue_world(3, pictures=2)
    first = begun()
    services.pause(actor=talker(1), dialogue_id=first.pk, client_key=uuid.uuid4())
    join(talker(1), "question")
    join(talker(3), "answer")
    assert Dialogue.objects.filter(state="open").get().answerer == talker(3)
    services.resume(actor=talker(2), dialogue_id=first.pk)
    with pytest.raises(InAnotherDialogue):
        services.resume(actor=talker(1), dialogue_id=first.pk)


def test_who_is_away_frees_the_other_and_after_days_the_picture(here):
    dialogue = begun()
    assert services.sweep_dialogues() == 0
    long_ago = timezone.now() - timedelta(minutes=11)
    Dialogue.objects.update(questioner_at=long_ago, answerer_at=long_ago)
    assert services.sweep_dialogues() == 1
    dialogue.refresh_from_db()
    assert (dialogue.state, dialogue.paused_by) == ("paused", None)
    assert (dialogue.questioner_pauses, dialogue.answerer_pauses) == (0, 0)
    Dialogue.objects.update(paused_at=timezone.now() - timedelta(days=15))
    services.sweep_dialogues()
    dialogue.refresh_from_db()
    assert (dialogue.state, dialogue.reason) == ("left", "stale")
    assert not Blindfold.objects.exists()


def test_who_leaves_ends_it_and_two_others_begin_anew_with_the_caption():
    dialogue_world(4)
    dialogue = begun()
    say(dialogue, 1)
    key = uuid.uuid4()
    for _ in range(2):
        services.leave(actor=talker(2), dialogue_id=dialogue.pk, reason="no_time", client_key=key)
    dialogue.refresh_from_db()
    assert (dialogue.state, dialogue.turns.count()) == ("left", 1)
    join(talker(2), "answer")
    join(talker(1), "question")
    assert not Dialogue.objects.filter(state="open").exists()  # not those who gave the picture up
    join(talker(3), "answer")
    again = Dialogue.objects.get(state="open")
    assert (again.item, again.caption, again.turn_no) == (dialogue.item, dialogue.caption, 0)


@pytest.mark.parametrize(("leaves", "stays"), [(2, 1), (1, 2)])
def test_who_got_an_answer_or_gave_it_does_not_question_the_picture_anew(leaves, stays):
    dialogue_world(3)
    dialogue = begun()
    say(dialogue, 1)
    say(dialogue, 2)
    services.leave(actor=talker(leaves), dialogue_id=dialogue.pk, reason="no_time", client_key=uuid.uuid4())
    join(talker(stays), "question")
    join(talker(3))
    assert not Dialogue.objects.filter(state="open").exists()
    join(talker(stays), "answer")
    assert Dialogue.objects.get(state="open").questioner == talker(3)


def test_who_knows_the_picture_says_so_and_never_questions_it(here):
    dialogue = begun()
    services.leave(actor=talker(1), dialogue_id=dialogue.pk, reason="seen", client_key=uuid.uuid4())
    assert Exposure.objects.filter(person=talker(1), image=dialogue.image).exists()


# --- What it rests on


def test_a_changed_caption_ends_the_dialogue(here):
    dialogue = begun()
    captions = Item.objects.get(kind="captions")
    accept_captions(here, captions, five_captions(7))
    follow_bases()
    with pytest.raises(BaseChanged):
        say(dialogue, 1)
    services.sweep_dialogues()
    dialogue.refresh_from_db()
    assert (dialogue.state, dialogue.reason) == ("left", "base_changed")


def test_other_captions_may_change(here):
    dialogue = begun()
    captions = Item.objects.get(kind="captions")
    content = five_captions(1)
    position = content["captions"].index(dialogue.caption)
    content["captions"][(position + 1) % 5] = five_captions(9)["captions"][0]
    accept_captions(here, captions, content)
    dialogue = finished(dialogue)
    follow_bases()
    dialogue.item.refresh_from_db()
    assert (dialogue.item.state, ItemBase.objects.get(item=dialogue.item).current) == ("made", True)


# --- Deciding


def test_a_person_who_reviews_decides_and_neither_of_the_two(here):
    item = finished().item
    for n in (1, 2):
        talker(n).role_grants.create(benchmark=here.benchmark, role="senior")
        with pytest.raises(OwnWork):
            decide(talker(n), item, "right")
    decide(here.senior2, item, "right")
    item.refresh_from_db()
    assert (item.state, item.accepted_no) == ("accepted", 1)


def test_a_correction_waits_for_another_decision_without_clicks(here):
    item = finished().item
    content = item.revisions.get().content
    content["rounds"][0]["answer"] = "左边有三只大熊猫。"
    decide(here.senior2, item, "correct", content=content)
    assert not Judging.objects.exists()
    with pytest.raises(OwnWork):
        decide(here.senior2, item, "right")
    decide(here.curator, item, "right")
    item.refresh_from_db()
    assert (item.state, item.accepted_no) == ("accepted", 2)
