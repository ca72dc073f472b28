"""Roles that change while people are in a dialogue: each turn is checked against those of now."""

import pytest

from annotation.dialogues import services
from annotation.dialogues.errors import SeesEveryPicture
from annotation.dialogues.models import DialogueTurn
from curation.core.errors import OperationNotAllowed
from tests.annotation.talks import begun, dialogue_world, say, talker

pytestmark = pytest.mark.django_db


@pytest.fixture
def here():
    return dialogue_world()


@pytest.mark.parametrize("role", ["admin", "senior"])
def test_who_gets_a_role_that_sees_every_picture_asks_no_further(here, role):
    dialogue = begun()
    say(dialogue, 1)
    say(dialogue, 2)
    talker(1).role_grants.create(benchmark=here.benchmark, role=role)
    with pytest.raises(SeesEveryPicture):
        say(dialogue, 3, actor=talker(1))
    assert services.sweep_dialogues() == 1
    dialogue.refresh_from_db()
    assert (dialogue.state, dialogue.reason, dialogue.left_by) == ("left", "seen", None)
    assert services.sweep_dialogues() == 0


def test_such_a_role_ends_no_dialogue_of_the_person_who_answers(here):
    dialogue = begun()
    talker(2).role_grants.create(benchmark=here.benchmark, role="senior")
    say(dialogue, 1)
    assert services.sweep_dialogues() == 0
    assert say(dialogue, 2, actor=talker(2)).turn_no == 2


def test_who_may_only_ask_now_answers_no_further(here):
    dialogue = begun()
    say(dialogue, 1)
    talker(2).role_grants.create(benchmark=here.benchmark, role="asker")
    talker(2).role_grants.filter(role="talker").delete()
    with pytest.raises(OperationNotAllowed):
        say(dialogue, 2, actor=talker(2))
    assert DialogueTurn.objects.count() == 1
