"""Teams of one, two and three people at once, each person on a connection of their own.

Nothing is accepted without a colleague's star on that very revision, nothing that was acknowledged is lost, and when
everybody stops, each item can still be finished.
"""

import os
import random
import threading
import time
import uuid
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection, connections
from django.db.models import F

from annotation.items.errors import NothingChanged, StaleRevision
from annotation.items.models import Item, ItemRevision
from annotation.judging.models import Verdict
from annotation.peer import services as peer
from annotation.peer.errors import NotInSpotCheck, PictureFull, SeatHeld
from annotation.seats.errors import NothingLeft, PoolEmpty, TryAgain
from annotation.seats.models import Seat
from annotation.tracks import services as writing
from curation.core.errors import ActionNotAllowed, NotFound, OperationNotAllowed, OwnWork, StaleRow
from curation.images.models import Image
from curation.people.models import Person
from tests.annotation.teams import create, made, member, peer_world, picture_of, star
from tests.sentences import five_captions

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.system]

# PEER_SECONDS=300 makes it as long as one likes.
SECONDS = float(os.environ.get("PEER_SECONDS", "6"))
SIZES = (1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3, 3)  # people of each team: 27, and three curators
REFUSALS = (
    ActionNotAllowed,
    NotFound,
    NothingChanged,
    NothingLeft,
    OperationNotAllowed,
    OwnWork,
    PictureFull,
    PoolEmpty,
    SeatHeld,
    StaleRevision,
    StaleRow,
    TryAgain,
)


class Client(threading.Thread):
    """Somebody who does one thing after the other, mostly what is open to them, until the time is over."""

    def __init__(self, who: Person, images: list[int], until: float, seed: int) -> None:
        super().__init__()
        self.who, self.images, self.until, self.random = who, images, until, random.Random(seed)
        self.done: Counter[str] = Counter()
        self.written: list[tuple[int, int, int]] = []
        self.failure: Exception | None = None

    def run(self) -> None:
        try:
            while time.monotonic() < self.until:
                name = self.random.choice(
                    ["create", "submit", "submit", "star", "star", "claim", "send_back", "discard"]
                )
                try:
                    getattr(self, name)()
                    self.done[name] += 1
                except REFUSALS as refusal:
                    self.done[type(refusal).__name__] += 1
        except Exception as error:  # noqa: BLE001
            self.failure = error
        finally:
            connections.close_all()

    def item(self) -> Item:
        items = list(Item.objects.filter(image_id__in=self.images).exclude(state="excluded").order_by("?")[:1])
        if not items:
            raise NothingLeft
        return items[0]

    def create(self) -> None:
        fields = {"benchmark_slug": "cvqa", "kind": "captions", "client_key": uuid.uuid4()}
        peer.create_item(actor=self.who, image_id=self.random.choice(self.images), **fields)

    def submit(self) -> None:
        item, content = self.item(), five_captions(self.random.randrange(10**6))
        _, revision, _ = writing.submit_item(
            actor=self.who,
            item_id=item.pk,
            base_no=item.revision_no,
            content=content,
            reasons={},
            client_key=uuid.uuid4(),
            track="peer",
        )
        self.written.append((item.pk, revision.no, revision.pk))

    def star(self) -> None:
        item = self.item()
        peer.star_item(actor=self.who, item_id=item.pk, revision_no=item.revision_no, client_key=uuid.uuid4())

    def send_back(self) -> None:
        item = self.item()
        given = {"revision_no": item.revision_no, "client_key": uuid.uuid4(), "reasons": ["wrong_fact"]}
        peer.send_back_item(actor=self.who, item_id=item.pk, **given)

    def discard(self) -> None:
        if self.random.random() < 0.2:
            item = self.item()
            key = uuid.uuid4()
            peer.discard_item(actor=self.who, item_id=item.pk, revision_no=item.revision_no, client_key=key)

    def claim(self) -> None:
        peer.claim_items(actor=self.who, benchmark_slug="cvqa", kind="captions")
        for seat in Seat.objects.filter(holder=self.who, state="held").select_related("item"):
            given = {"revision_no": seat.item.revision_no, "client_key": uuid.uuid4()}
            peer.star_item(actor=self.who, item_id=seat.item_id, **given)


def test_thirty_people_in_teams_of_one_to_three(capsys):
    teams = {f"team{n}": [f"t{n}-{i}" for i in range(size)] for n, size in enumerate(SIZES)}
    here = peer_world(teams, pictures=2)
    until = time.monotonic() + SECONDS
    clients = [
        Client(member(here, name), list(Image.objects.filter(team__name=team).values_list("pk", flat=True)), until, n)
        for team, members in teams.items()
        for n, name in enumerate(members, len(team))
    ]
    everything = list(Image.objects.values_list("pk", flat=True))
    clients += [Client(who, everything, until, n) for n, who in enumerate((here.curator, here.curator2, here.curator))]
    for client in clients:
        client.start()
    for client in clients:
        client.join()
    assert [client.failure for client in clients if client.failure] == []
    done = sum((client.done for client in clients), Counter())
    with capsys.disabled():
        print(f"\n{len(clients)} people, {SECONDS:.0f} s: {dict(done.most_common())}")  # noqa: T201
    for name in ("create", "submit", "star", "claim", "send_back", "OwnWork"):
        assert done[name], f"nobody came to {name}"

    # Nothing is accepted without a colleague's star on that revision, and each revision that was acknowledged is there.
    for item in Item.objects.filter(state="accepted"):
        stars = Verdict.objects.filter(item=item, revision_no=item.accepted_no, stage="peer", outcome="star")
        assert stars.exclude(judge_id=F("author_id")).exists()
        assert item.accepted_no == item.revision_no
    written = {each for client in clients for each in client.written}
    assert written == set(ItemRevision.objects.values_list("item_id", "no", "pk"))
    assert dict(Counter(item_id for item_id, *_ in written)) == dict(
        Item.objects.filter(revision_no__gt=0).values_list("pk", "revision_no")
    )
    on_picture = Counter(Item.objects.exclude(excluded_for="discard").values_list("image_id", flat=True))
    assert max(on_picture.values()) <= 3
    # An item waits exactly if there is a seat for it.
    open_seats = set(Seat.objects.exclude(state="done").values_list("item_id", flat=True))
    assert open_seats == set(Item.objects.filter(state="made").values_list("pk", flat=True))

    # Nothing is stuck: after the leases somebody in the team writes what is open, and another or a curator stars it.
    Seat.objects.filter(state="held").update(state="free", holder=None, hold_no=None, lease_until=None)
    for item in Item.objects.exclude(state__in=["accepted", "excluded"]).select_related("team"):
        finish(here, item)
    assert set(Item.objects.values_list("state", flat=True)) <= {"accepted", "excluded"}


def finish(here, item: Item) -> None:
    """One of the team writes, then any other who may star it does."""
    team = [Person.objects.get(pk=pk) for pk in item.team.role_grants.values_list("person_id", flat=True)]
    if item.state in ("todo", "returned"):
        content = five_captions(10**6 + item.pk)
        given = {"base_no": item.revision_no, "content": content, "reasons": {}, "client_key": uuid.uuid4()}
        writing.submit_item(actor=team[0], item_id=item.pk, track="peer", **given)
    item.refresh_from_db()
    author = ItemRevision.objects.get(item=item, no=item.revision_no).author_id
    star(next(who for who in (*team, here.curator) if who.pk != author), item)


def at_once(*calls):
    """Run calls at the same moment, each on a connection of its own; return what each returned or raised."""
    gate = threading.Barrier(len(calls))

    def run(call):
        gate.wait()
        try:
            return call()
        except Exception as error:  # noqa: BLE001
            return error
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(run, calls))


def test_a_star_and_an_edit_at_once():
    here = peer_world()
    ann, ben, cay = (member(here, name) for name in ("ann", "ben", "cay"))
    image = picture_of("thai")
    for _ in range(3):
        item = made(ann, image)
        edit = {"item_id": item.pk, "base_no": 1, "reasons": {}, "client_key": uuid.uuid4(), "track": "peer"}
        starred, edited = at_once(
            lambda item=item: peer.star_item(actor=ben, item_id=item.pk, revision_no=1, client_key=uuid.uuid4()),
            lambda edit=edit: writing.submit_item(actor=cay, content=five_captions(99), **edit),
        )
        item.refresh_from_db()
        # The edit always succeeds: before the star, which is stale then, or after it, which voids it.
        assert not isinstance(edited, Exception)
        assert isinstance(starred, (Item, StaleRow))
        assert (item.state, item.revision_no, item.accepted_no) == ("made", 2, None)


def test_the_last_slot_of_a_picture_is_taken_once():
    here = peer_world()
    people = [member(here, name) for name in ("ann", "ben", "cay")]
    image = picture_of("thai")
    create(people[0], image)
    results = at_once(*(lambda who=who: create(who, image) for who in (*people, *people)))
    assert Counter(type(result).__name__ for result in results) == {"Item": 2, "PictureFull": 4}
    assert sorted(Item.objects.values_list("slot", flat=True)) == [0, 1, 2]
    connection.close()


def test_two_inspectors_at_once():
    here = peer_world()
    ann, ben = member(here, "ann"), member(here, "ben")
    first, second = here.curator, here.curator2
    captions = {"benchmark_slug": "cvqa", "kind": "captions"}
    for outcomes in (("right", "right"), ("right", "wrong"), ("wrong", "wrong")):
        item = star(ben, made(ann))
        drawn = at_once(
            *(
                lambda who=who: peer.draw_spot_check(actor=who, client_key=uuid.uuid4(), **captions)
                for who in (first, second)
            )
        )
        assert sorted(type(each).__name__ for each in drawn) == ["NothingToDraw", "tuple"]
        judged = {"item_id": item.pk, "revision_no": 1, "reasons": ["wrong_fact"]}
        answers = at_once(
            *(
                lambda who=who, outcome=outcome, judged=judged: peer.judge_spot_check(
                    actor=who, outcome=outcome, client_key=uuid.uuid4(), **judged
                )
                for who, outcome in zip((first, second), outcomes, strict=True)
            )
        )
        # Exactly one of them judged it, and the item is in the state that follows; to the other it is judged already.
        [refusal] = [answer for answer in answers if not isinstance(answer, Item)]
        assert isinstance(refusal, (NotInSpotCheck, ActionNotAllowed))
        verdict = Verdict.objects.get(item=item, stage="spot_check")
        item.refresh_from_db()
        assert item.state == ("accepted" if verdict.outcome == "right" else "returned")
    connection.close()
