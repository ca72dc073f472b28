"""Three judges for each of many items at once: each item is settled once, by different people, and none early."""

import os
import random
import threading
import time
import uuid
from collections import Counter

import pytest
from django.db import connections

from annotation.items.errors import StaleRevision
from annotation.items.models import Item, ItemRevision
from annotation.judging.errors import AlreadyJudged
from annotation.judging.models import Judging, Verdict
from annotation.panel import services as panel
from annotation.peer import services as peer
from annotation.peer.errors import UnderJudgement
from annotation.seats.errors import NothingLeft, PoolEmpty, SeatNotHeld, TryAgain
from annotation.seats.models import Seat
from annotation.tracks import services as writing
from annotation.tracks.queries import history
from curation.core.errors import ActionNotAllowed, StaleRow
from curation.core.models import AuditEvent
from curation.people.models import Person
from tests.annotation.panels import create, panel_world, submit, verifier
from tests.sentences import five_captions

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.system]

# PANEL_ITEMS=300 makes it as large as one likes.
ITEMS = int(os.environ.get("PANEL_ITEMS", "60"))
JUDGES, CLIENTS = 10, 20
REFUSALS = (ActionNotAllowed, AlreadyJudged, PoolEmpty, SeatNotHeld, StaleRevision, StaleRow, TryAgain, UnderJudgement)


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


class Judge(Client):
    """Claims items and judges them; two clients work as the same person."""

    def work(self) -> None:
        idle = 0
        while idle < 5:
            try:
                peer.claim_items(actor=self.who, benchmark_slug="tcc", kind="captions", count=2)
            except NothingLeft:
                idle += 1
                time.sleep(0.05)
            except (PoolEmpty, TryAgain):
                time.sleep(0.01)
            for seat in Seat.objects.filter(holder=self.who, state="held").select_related("item"):
                outcome = self.random.choice(["pass", "pass", "pass", "fail"])
                fields = {"revision_no": seat.item.revision_no, "outcome": outcome, "client_key": uuid.uuid4()}
                try:
                    panel.judge_item(actor=self.who, item_id=seat.item_id, comment="朝代不对", **fields)
                    self.done[outcome] += 1
                except REFUSALS as refusal:
                    self.done[type(refusal).__name__] += 1


class Author(Client):
    """Corrects items, which is refused once a verdict is in."""

    def work(self) -> None:
        for item in Item.objects.order_by("?")[: ITEMS // 2]:
            content = five_captions(self.random.randrange(10**6))
            fields = {"content": content, "reasons": {}, "client_key": uuid.uuid4(), "track": "panel"}
            try:
                writing.submit_item(actor=self.who, item_id=item.pk, base_no=item.revision_no, **fields)
                self.done["corrected"] += 1
            except REFUSALS as refusal:
                self.done[type(refusal).__name__] += 1


class Reader(Client):
    """Reads histories as an administrator, who may not learn a verdict before all are in."""

    def work(self) -> None:
        for item in Item.objects.order_by("?")[: 2 * ITEMS]:
            shown = history(self.who, item.pk)["verdicts"]
            self.done["read"] += 1
            # Verdicts are shown in whole panels: at every moment three, six, …, for each judging that was closed.
            assert len(shown) % 3 == 0, shown


def test_each_item_is_settled_once_and_none_early():
    here = panel_world(JUDGES, pictures=ITEMS, people=3, held=4)
    for n in range(ITEMS):
        submit(here.annotator, create(here, picture=n), n)
    clients: list[Client] = [Judge(verifier(n % JUDGES + 1), n) for n in range(CLIENTS)]
    clients += [Author(here.annotator, 99), Reader(here.admin, 100), Reader(here.owner, 101)]
    for client in clients:
        client.start()
    for client in clients:
        client.join(240)
    assert [client.failure for client in clients if client.failure] == []
    done = sum((client.done for client in clients), Counter())

    assert Counter(Item.objects.values_list("state", flat=True)).keys() <= {"accepted", "excluded"}
    for item in Item.objects.all():
        judgings = list(Judging.objects.filter(item=item).order_by("no"))
        assert all(one.outcome == "dropped" and one.done == 0 for one in judgings[:-1])
        last = judgings[-1]
        verdicts = list(Verdict.objects.filter(judging=last))
        assert (last.done, last.revision_no, len(verdicts)) == (3, item.revision_no, 3)
        assert len({verdict.judge_id for verdict in verdicts}) == 3
        assert {verdict.round for verdict in verdicts} == {1, 2, 3}
        passed = all(verdict.outcome == "pass" for verdict in verdicts)
        expected = ("accepted", "passed", item.revision_no) if passed else ("excluded", "failed", None)
        assert (item.state, last.outcome, item.accepted_no) == expected
        decided = AuditEvent.objects.filter(target_id=item.pk, action__in=["item_accept", "item_exclude"])
        assert [event.actor_id for event in decided] == [None]
    assert Verdict.objects.count() == 3 * ITEMS == done["pass"] + done["fail"]
    assert ItemRevision.objects.count() == ITEMS + done["corrected"]
    assert not Seat.objects.exclude(state="done").exists()
    # What the test is about did happen: verdicts and corrections met.
    assert done["UnderJudgement"] + done["ActionNotAllowed"] > 0
    assert done["read"] > ITEMS
