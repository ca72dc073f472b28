"""Every byte of every address, for those who may judge: no blind trial is in it while the judging is open."""

import pytest
from django.db import transaction

from annotation.peer import services as peer
from annotation.trials.models import BlindTrial
from curation.prompts.queries import Key
from curation.prompts.services import stored_prompt
from tests.annotation.panel.test_marks import answers
from tests.annotation.panels import verifier
from tests.annotation.trials.room import KIND, question, trials_world

pytestmark = pytest.mark.django_db


def trial(here, item, hits):
    """Trials in both languages with so many right tries."""
    prompt = stored_prompt(here.benchmark, Key("choice-text-only", "en", 1))
    letters = [*"ABCD"[:hits], *[None] * (4 - hits)]
    tries = [
        {"right": right, "letter": letter, "reply": letter or "?"}
        for right, letter in zip("ABCD", letters, strict=True)
    ]
    facts = {
        "revision": item.revisions.get(),
        "model": "m",
        "prompt": prompt,
        "tries": 4,
        "hits": hits,
        "flagged_from": 4,
    }
    for language in ("zh-Hans", "en"):
        BlindTrial.objects.create(language=language, answers=tries, **facts)


def read_by_hits(here, item, people):
    """What people read at every address where the model was never right, and where it always was."""
    read = []
    for hits in (0, 4):
        with transaction.atomic():
            trial(here, item, hits)
            read.append(answers(here, people))
            transaction.set_rollback(True)
    return read


def test_no_answer_to_who_may_judge_differs_by_the_trials():
    here = trials_world()
    item = question(here)
    peer.claim_items(actor=verifier(1), benchmark_slug="tcc", kind=KIND, count=1)
    missed, flagged = read_by_hits(here, item, [verifier(1), verifier(2), here.curator])
    assert [place for place, body in missed.items() if body != flagged[place]] == []
    missed, flagged = read_by_hits(here, item, [here.annotator])
    assert [at for (_, at), body in missed.items() if body != flagged[here.annotator.username, at]] == [
        f"/api/v1/items/{item.pk}/blind-trials"
    ]
