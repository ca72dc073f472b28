"""The demo's dialogues: written by two people through the services, one of them blindfolded meanwhile."""

import uuid

import pytest

from annotation.dialogues import services as dialogues
from annotation.dialogues.models import Dialogue
from annotation.items.models import Item, ItemRevision
from curation.images.models import Blindfold
from evaluation.management import demo_dialogues
from fixtures import scenes
from tests.annotation.talks import dialogue_world, talker

pytestmark = pytest.mark.django_db


def key(*what):
    return uuid.uuid5(uuid.NAMESPACE_URL, "/".join(map(str, what)))


@pytest.fixture
def here():
    return dialogue_world(2, pictures=6, rounds=10)


def fill(here):
    people = {"annotator": talker(1), "annotator2": talker(2), "senior": here.senior}
    seed_of = {pk: n for n, pk in enumerate(here.benchmark.images.order_by("pk").values_list("pk", flat=True))}
    demo_dialogues.fill(here.benchmark, people, seed_of, key)
    return seed_of


def test_the_two_question_in_turn_without_the_picture_and_the_last_one_waits(here, monkeypatch):
    blindfolds = []

    def say(*, actor, dialogue_id, **turn):
        before = Dialogue.objects.get(pk=dialogue_id)
        blindfolds.append(Blindfold.objects.filter(image=before.image_id, person=before.questioner_id).count())
        return plain(actor=actor, dialogue_id=dialogue_id, **turn)

    plain = dialogues.say
    monkeypatch.setattr(dialogues, "say", say)
    seed_of = fill(here)
    rows = Dialogue.objects.order_by("pk")
    assert [(row.questioner.username, row.state) for row in rows] == [
        *(("t1", "done"), ("t2", "done"), ("t1", "done"), ("t2", "done"))
    ]
    assert blindfolds == [1] * 80
    assert not Blindfold.objects.exists()
    states = Item.objects.filter(kind="dialogue").order_by("number").values_list("state", flat=True)
    assert list(states) == ["accepted", "accepted", "accepted", "made"]
    for row in rows:
        content = ItemRevision.objects.get(item=row.item_id).content
        said = [(one["question"], one["answer"]) for one in content["rounds"]]
        assert said == scenes.dialogue(scenes.scene(seed_of[row.image_id]))
    fill(here)
    assert Dialogue.objects.count() == 4


def test_one_that_was_cut_off_goes_on_where_it_stopped(here, monkeypatch):
    def say(*, no, **turn):
        if no == 7:
            raise KeyboardInterrupt
        return plain(no=no, **turn)

    plain = dialogues.say
    monkeypatch.setattr(dialogues, "say", say)
    with pytest.raises(KeyboardInterrupt):
        fill(here)
    assert [row.turn_no for row in Dialogue.objects.all()] == [6]
    monkeypatch.setattr(dialogues, "say", plain)
    fill(here)
    assert [row.turn_no for row in Dialogue.objects.all()] == [20] * 4
