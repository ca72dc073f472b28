"""Waiting for a partner when accounts and roles change meanwhile."""

import pytest

from annotation.dialogues import services
from annotation.dialogues.models import Dialogue, Waiting
from curation.people.models import Person
from tests.annotation.talks import dialogue_world, join, talker

pytestmark = pytest.mark.django_db


@pytest.fixture
def here():
    return dialogue_world(3)


def test_a_closed_account_that_still_waits_is_paired_with_nobody(here):
    join(talker(1), "question")
    Person.objects.filter(pk=talker(1).pk).update(is_active=False)
    join(talker(2))
    assert services.sweep_dialogues() == 0
    join(talker(3))
    assert {talker(2), talker(3)} == {Dialogue.objects.get().questioner, Dialogue.objects.get().answerer}
    assert Waiting.objects.get().person == talker(1)


def test_who_lost_their_role_meanwhile_is_paired_with_nobody(here):
    join(talker(1), "question")
    talker(1).role_grants.all().delete()
    join(talker(2), "answer")
    assert not Dialogue.objects.exists()
