"""Who learns what at once: the two of a dialogue, those who could be partners, and nobody else; never a text."""

import uuid
from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.dialogues import services
from annotation.dialogues.models import Dialogue, DialogueTurn
from annotation.dialogues.queries import dialogue as shown
from annotation.dialogues.queries import turns
from annotation.dialogues.services import telling
from curation.core import live
from curation.core.errors import NotFound
from curation.core.models import Presence
from tests.annotation.talks import begun, dialogue_world, finished, join, say, talker

pytestmark = pytest.mark.django_db


@pytest.fixture
def here():
    return dialogue_world(4, pictures=2)


@pytest.fixture
def sent(monkeypatch):
    """The events since the last look at them, each with the user names of its people."""
    events = []

    def note(channel, payload):
        event = live.parse(payload)
        names = sorted(talker(n).username for n in range(1, 5) if talker(n).pk in event.people)
        events.append((names, event.topic, event.target, event.n))

    monkeypatch.setattr(live, "notify", note)
    monkeypatch.setattr(telling, "_typing", telling._Limit(60))

    def since():
        found, events[:] = list(events), []
        return found

    return since


def ago(**since):
    return timezone.now() - timedelta(**since)


def test_a_turn_a_pause_a_return_and_leaving_reach_the_two(here, sent):
    dialogue = begun()
    sent()
    both = ["t1", "t2"]
    say(dialogue, 1)
    assert sent() == [(both, "dialogue", dialogue.pk, 1)]
    services.pause(actor=talker(1), dialogue_id=dialogue.pk, client_key=uuid.uuid4())
    services.resume(actor=talker(2), dialogue_id=dialogue.pk)
    services.resume(actor=talker(1), dialogue_id=dialogue.pk)
    services.leave(actor=talker(1), dialogue_id=dialogue.pk, reason="other", client_key=uuid.uuid4())
    assert sent() == [(both, "dialogue", dialogue.pk, 1)] * 4


def test_the_lobby_is_told_to_those_who_have_a_page_open_and_could_be_partners(here, sent):
    live.record_presence([talker(3).pk, here.contributor.pk, here.stranger.pk])
    Presence.objects.create(person_id=talker(4).pk, seen_at=ago(minutes=5))
    lobby = ("lobby", here.benchmark.pk, 0)
    join(talker(1), "question")
    assert sent() == [(["t3"], *lobby)]
    join(talker(1), "question")  # a sign of waiting still
    assert sent() == []
    join(talker(1), "answer")
    assert sent() == [(["t3"], *lobby)]
    services.leave_lobby(actor=talker(1), benchmark_slug="cvlue")
    services.leave_lobby(actor=talker(1), benchmark_slug="cvlue")
    assert sent() == [(["t3"], *lobby)]
    begun()  # the two learn that they are paired, the third that nobody waits any more
    assert sent()[-1] == (["t1", "t2", "t3"], *lobby)


def test_who_is_in_a_dialogue_learns_nothing_of_the_lobby(here, sent):
    begun()
    live.record_presence([talker(n).pk for n in (1, 2, 3)])
    sent()
    join(talker(4))
    assert sent() == [(["t3"], "lobby", here.benchmark.pk, 0)]


def test_typing_reaches_the_partner_alone_now_and_then_and_is_stored_nowhere(here, sent):
    dialogue = begun()
    say(dialogue, 1)
    sent()
    for _ in range(3):
        services.give_sign(actor=talker(2), dialogue_id=dialogue.pk, typing=True)
    assert sent() == [(["t1"], "typing", dialogue.pk, 2)]
    services.give_sign(actor=talker(1), dialogue_id=dialogue.pk, typing=True)  # not their turn
    assert sent() == []
    assert not Presence.objects.exists()
    assert DialogueTurn.objects.count() == 1
    with pytest.raises(NotFound):
        services.give_sign(actor=talker(3), dialogue_id=dialogue.pk, typing=True)


def test_a_sign_of_a_page_without_events_counts_as_one_with_them(here, sent):
    dialogue = begun()
    Dialogue.objects.update(questioner_at=ago(minutes=12), answerer_at=ago(minutes=12))
    for n in (1, 2):
        services.give_sign(actor=talker(n), dialogue_id=dialogue.pk, typing=False)
    assert turns(talker(1), dialogue.pk)["partner_away_seconds"] < 60
    assert services.sweep_dialogues() == 0
    Presence.objects.filter(person_id=talker(1).pk).update(seen_at=ago(minutes=11))
    assert shown(talker(2), dialogue.pk)["partner_away_seconds"] >= 660
    assert services.sweep_dialogues() == 1
    finished_signs = Presence.objects.count()
    services.leave(actor=talker(2), dialogue_id=dialogue.pk, reason="partner", client_key=uuid.uuid4())
    services.give_sign(actor=talker(2), dialogue_id=dialogue.pk, typing=False)
    assert Presence.objects.count() == finished_signs


def test_an_open_page_in_which_nobody_writes_is_no_dialogue(here, sent):
    dialogue = begun()
    live.record_presence([talker(1).pk, talker(2).pk])
    Dialogue.objects.update(questioner_at=ago(minutes=31), answerer_at=ago(minutes=31))
    assert services.sweep_dialogues() == 1
    dialogue.refresh_from_db()
    assert (dialogue.state, dialogue.paused_by) == ("paused", None)


def test_who_came_back_is_shown_to_the_other(here, sent):
    dialogue = begun()
    services.pause(actor=talker(1), dialogue_id=dialogue.pk, client_key=uuid.uuid4())
    services.resume(actor=talker(2), dialogue_id=dialogue.pk)
    assert turns(talker(1), dialogue.pk)["partner_is_ready"]
    assert shown(talker(2), dialogue.pk)["is_ready"]
    assert not shown(talker(2), dialogue.pk)["partner_is_ready"]
    services.resume(actor=talker(1), dialogue_id=dialogue.pk)
    dialogue = finished(Dialogue.objects.get(pk=dialogue.pk))
    assert not turns(talker(1), dialogue.pk)["partner_is_ready"]
