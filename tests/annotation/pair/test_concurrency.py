"""Many second people, corrections and changing boxes at once: each round is decided once, nothing is lost or stuck."""

import random
import threading
import time
import uuid
from collections import Counter

import pytest
from django.db import connections

from annotation.bases.errors import BaseChanged
from annotation.bases.models import ItemBase
from annotation.items.errors import StaleRevision
from annotation.items.models import Item
from annotation.judging.errors import AlreadyJudged
from annotation.judging.models import Judging, Verdict
from annotation.pair import services as pair
from annotation.pair.errors import OutOfOrder
from annotation.pair.models import Click
from annotation.peer.errors import UnderJudgement
from annotation.seats.errors import NothingLeft, PoolEmpty, SeatNotHeld, TryAgain
from annotation.seats.models import Seat
from curation.core.errors import ActionNotAllowed, NotFound, StaleRow
from curation.people.models import Person
from tests.annotation.pairs import (
    MIDDLE,
    OBJECTS,
    TEXTS,
    accept_boxes,
    answer,
    clicker,
    create,
    held,
    pair_world,
    submit,
)

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.system]

ITEMS, PEOPLE, CLIENTS = 24, 8, 16
REFUSALS = (
    ActionNotAllowed, AlreadyJudged, BaseChanged, NotFound, OutOfOrder, PoolEmpty, SeatNotHeld, StaleRevision, StaleRow,
    TryAgain, UnderJudgement,
)  # fmt: skip


class Client(threading.Thread):
    """Somebody who works until nothing is left."""

    def __init__(self, who: Person, seed: int) -> None:
        super().__init__()
        self.who, self.random = who, random.Random(seed)
        self.done: Counter[str] = Counter()
        self.failure: Exception | None = None

    def run(self) -> None:
        try:
            self.work()
        except Exception as error:  # noqa: BLE001
            self.failure = error
        finally:
            connections.close_all()

    def work(self) -> None:
        raise NotImplementedError


class Clicker(Client):
    """Claims items and answers, mostly right; two clients work as the same person."""

    def work(self) -> None:
        texts = {text: key for key, text in TEXTS.items()}
        idle = 0
        while idle < 6:
            try:
                pair.claim_clicking(actor=self.who, benchmark_slug="cvlue", kind="grounding")
            except NothingLeft:
                idle += 1
                time.sleep(0.1)
            except (PoolEmpty, TryAgain):
                idle += 0.1
                time.sleep(0.02)
            shown = held(self.who)
            if shown is None:
                continue
            point = MIDDLE[texts[shown["text"]]] if self.random.random() < 0.8 else "several"
            item = Item(pk=shown["id"])
            try:
                answer(self.who, item, shown["position"], point)
                self.done["answered"] += 1
            except REFUSALS as refusal:
                self.done[type(refusal).__name__] += 1


class Author(Client):
    """Submits what came back again, as it was."""

    def work(self) -> None:
        for _ in range(60):
            for item in Item.objects.filter(kind="grounding", state="returned"):
                try:
                    submit(self.who, item)
                    self.done["submitted"] += 1
                except REFUSALS as refusal:
                    self.done[type(refusal).__name__] += 1
            time.sleep(0.05)


class Drawer(Client):
    """Reopens boxes and accepts them again, equal ones."""

    def __init__(self, here, seed: int) -> None:
        super().__init__(here.senior, seed)
        self.here = here

    def work(self) -> None:
        for _ in range(15):
            boxes = self.random.choice(list(Item.objects.filter(kind="boxes")))
            accept_boxes(self.here, boxes, OBJECTS)
            self.done["redrawn"] += 1
            pair.follow_bases()
            time.sleep(0.05)


def test_each_round_is_decided_once_and_no_item_is_stuck():
    here = pair_world(PEOPLE, pictures=ITEMS, attempts=2)
    for n in range(ITEMS):
        submit(here.annotator, create(here, picture=n))
    clients: list[Client] = [Clicker(clicker(n % PEOPLE + 1), n) for n in range(CLIENTS)]
    clients += [Author(here.annotator, 99), Drawer(here, 100)]
    for client in clients:
        client.start()
    for client in clients:
        client.join(240)
    assert [client.failure for client in clients if client.failure] == []
    pair.follow_bases()
    done = sum((client.done for client in clients), Counter())

    for item in Item.objects.filter(kind="grounding"):
        assert item.state in {"accepted", "made", "returned"}
        judgings = list(Judging.objects.filter(item=item).order_by("no"))
        failed = [one for one in judgings if one.outcome == "failed"]
        settled = [one for one in judgings if one.outcome in ("passed", "failed")]
        # Nobody decides twice, and each decision rests on all the answers of one person about that revision.
        verdicts = Verdict.objects.filter(item=item, stage="clicks")
        assert len({v.judge_id for v in verdicts}) == len(verdicts) == len(settled)
        for one in settled:
            [verdict] = Verdict.objects.filter(judging=one)
            answers = list(Click.objects.filter(judging=one, person=verdict.judge_id).order_by("position"))
            assert [click.position for click in answers] == [1, 2, 3]
            assert all(click.correct for click in answers) == (one.outcome == "passed")
        assert len(failed) <= 2
        if item.state == "accepted":
            assert (judgings[-1].outcome, judgings[-1].revision_no) == ("passed", item.accepted_no)
        if item.state == "made" and len(failed) == 2:
            assert not any(one.outcome == "" for one in judgings)
    assert Item.objects.filter(kind="grounding", state="accepted").count() > ITEMS // 3
    assert not ItemBase.objects.filter(current=False).exists()
    assert not Seat.objects.filter(state="held", item__state="accepted").exists()
    assert (done["redrawn"], Click.objects.count()) == (15, done["answered"])


def test_of_many_answers_at_once_one_counts():
    here = pair_world(1)
    item = submit(here.annotator, create(here))
    pair.claim_clicking(actor=clicker(1), benchmark_slug="cvlue", kind="grounding")
    outcomes: list[str] = []

    def send() -> None:
        try:
            answer(clicker(1), item, 1, "several", client_key=uuid.uuid4())
            outcomes.append("taken")
        except OutOfOrder:
            outcomes.append("out_of_order")
        finally:
            connections.close_all()

    threads = [threading.Thread(target=send) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert Counter(outcomes) == {"taken": 1, "out_of_order": 19}
    assert Click.objects.count() == 1
