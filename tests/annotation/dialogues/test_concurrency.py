"""Many people at once: nobody is paired twice, nobody questions a seen picture, each turn is taken once."""

import threading
import uuid
from collections import Counter
from collections.abc import Callable

import pytest
from django.db import connections

from annotation.dialogues import services
from annotation.dialogues.errors import NotYourTurn, StaleTurn
from annotation.dialogues.models import Dialogue, DialogueTurn, Waiting
from annotation.items.models import Item
from curation.images.models import Blindfold, Exposure, Image
from curation.images.services import record_exposure
from curation.people.models import Person
from tests.annotation.talks import begun, dialogue_world, finished, join, say, talker

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.system]

PEOPLE, PICTURES = 50, 30


def at_once(*calls: Callable[[], object]) -> Counter[str]:
    """Run all calls at the same moment, each on a connection of its own; count results and refusals."""
    done: Counter[str] = Counter()
    start = threading.Barrier(len(calls))

    def run(call: Callable[[], object]) -> None:
        try:
            start.wait(30)
            call()
            done["done"] += 1
        except Exception as error:  # noqa: BLE001
            done[type(error).__name__] += 1
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run, args=(call,)) for call in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    return done


def test_fifty_who_join_at_once_are_paired_without_doubles_over_pictures_that_they_never_saw():
    dialogue_world(PEOPLE, pictures=PICTURES)
    people = [talker(n) for n in range(1, PEOPLE + 1)]
    images = list(Image.objects.select_related("benchmark__protocol").order_by("pk"))
    for n, who in enumerate(people):
        for image in images[n % 5 :: 5]:  # each has seen a fifth
            record_exposure(who, image)
    assert at_once(*(lambda who=who: join(who) for who in people)) == {"done": PEOPLE}
    made = list(Dialogue.objects.filter(state="open"))
    assert len(made) == PEOPLE // 2
    parties = [p for d in made for p in (d.questioner_id, d.answerer_id)]
    assert sorted(parties) == sorted(who.pk for who in people)
    assert len({d.image_id for d in made}) == len({d.item_id for d in made}) == len(made)
    seen = set(Exposure.objects.values_list("person_id", "image_id"))
    assert seen.isdisjoint((d.questioner_id, d.image_id) for d in made)
    assert set(Blindfold.objects.values_list("person_id", "image_id")) == {(d.questioner_id, d.image_id) for d in made}
    assert not Waiting.objects.exists()


def test_of_fifty_sends_of_one_turn_one_is_taken():
    dialogue_world()
    dialogue, key = begun(), uuid.uuid4()
    same = [lambda: say(dialogue, 1, client_key=key) for _ in range(25)]
    others = [lambda: say(dialogue, 1) for _ in range(15)]
    partners = [lambda: say(dialogue, 1, actor=dialogue.answerer) for _ in range(10)]
    done = at_once(*same, *others, *partners)
    assert DialogueTurn.objects.count() == 1
    assert set(done) <= {"done", StaleTurn.__name__, NotYourTurn.__name__}
    taken = DialogueTurn.objects.get()
    # The request that was taken and its repeats are answered alike.
    assert done["done"] == (25 if taken.client_key == key else 1)
    dialogue.refresh_from_db()
    assert (dialogue.turn_no, dialogue.state) == (1, "open")


def test_the_last_turn_ends_the_dialogue_once_whoever_leaves_or_sweeps_meanwhile():
    dialogue_world()
    dialogue = begun()
    for no in (1, 2, 3):
        say(dialogue, no)
    done = at_once(
        *(lambda: say(dialogue, 4) for _ in range(8)),
        *(
            lambda who=who: services.leave(actor=who, dialogue_id=dialogue.pk, reason="other", client_key=uuid.uuid4())
            for who in (dialogue.questioner, dialogue.answerer)
        ),
        *(services.sweep_dialogues for _ in range(4)),
    )
    dialogue.refresh_from_db()
    item = Item.objects.get(kind="dialogue")
    assert (dialogue.state, item.state) in {("done", "made"), ("left", "todo")}
    assert item.revisions.count() == (1 if dialogue.state == "done" else 0)
    assert not Blindfold.objects.exists()
    assert set(done) <= {"done", StaleTurn.__name__, "ActionNotAllowed", NotYourTurn.__name__}


def test_a_picture_that_is_opened_while_people_are_paired_is_never_asked_about():
    dialogue_world(20, pictures=10)
    images = list(Image.objects.select_related("benchmark__protocol").order_by("pk"))

    def open_all(who: Person) -> None:
        for image in images:
            try:
                record_exposure(who, image)
            except Exception as error:
                if type(error).__name__ != "NotFound":
                    raise

    people = [talker(n) for n in range(1, 21)]
    done = at_once(
        *(lambda who=who: join(who) for who in people), *(lambda who=who: open_all(who) for who in people[::2])
    )
    assert done == {"done": 30}
    seen = set(Exposure.objects.values_list("person_id", "image_id"))
    open_ones = Dialogue.objects.filter(state="open")
    assert seen.isdisjoint(open_ones.values_list("questioner_id", "image_id"))
    for dialogue in open_ones:
        assert finished(dialogue).state == "done"
