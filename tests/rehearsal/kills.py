"""``make kills``: kill -9 at random moments while many people write, round after round.

Every client keeps a note, outside the database, of each text before it is sent and of each answer that came. After each
round, and once more after the last, the tables are compared with the notes: what was acknowledged is there once, as it
was sent; what was not acknowledged is there once or not at all; what was refused is not there. Meanwhile members of
teams of one, two and three, and a curator, create items, write, edit, star and return them: none is accepted without
another person's star.
"""

from __future__ import annotations

import argparse
import random
import sys
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import psycopg

from config.launch.supervision import DEATHS, WINDOW_SECONDS
from tests.bench import desk
from tests.bench.installation import OWNER, Installation
from tests.rehearsal.faults import kill
from tests.rehearsal.notes import Differences, Notes, Text, compare, texts_of
from tests.rehearsal.session import GaveUp, Network, Refused, Session, key
from tests.rehearsal.team_client import TeamClient
from tests.rehearsal.teams import Teams
from tests.sentences import five_captions

VICTIMS = ("web process", "worker", "broker", "database")
LONGEST_WAIT = 2.0  # seconds of load before a kill
PATIENCE = 120.0  # seconds until everybody writes again after a kill
PICTURES = 10
PACKAGE = 10
TEXTS_EACH = 10_000  # numbers that each client has for texts of its own
# How often, of a hundred.
DRAFTED, LEFT_AS_DRAFT, CUT, ABANDONED = 60, 30, 6, 25


class Client(threading.Thread):
    """Somebody with a package of their own who writes its items again and again, without a pause.

    Every text is another, so that a text that is stored twice is seen as such. A request that is not answered is sent
    again as it was. Now and then the connection is cut on purpose, or the window closed on a submission whose answer
    never came: nobody asks for it again.
    """

    def __init__(self, who: Session, package: dict[str, Any], place: int, seed: int) -> None:
        super().__init__(daemon=True)
        self.who, self.package, self.chance = who, package["id"], random.Random(f"{seed}/{place}")
        self.notes, self.over = Notes(), threading.Event()
        self.error: BaseException | None = None
        self.number, self.end = place * TEXTS_EACH, (place + 1) * TEXTS_EACH
        self.base: dict[int, int] = {}
        self.uncertain: set[int] = set()  # items with a submission that may still arrive

    def run(self) -> None:
        """Write until told to stop; what no client should meet ends it and is told by :func:`rounds`."""
        try:
            self.look()
            items = sorted(self.base)
            while not self.over.is_set():
                self.write(self.chance.choice(items))
        except BaseException as error:  # noqa: BLE001  (told by the main thread)
            self.error = error

    def look(self) -> None:
        """Read which revision each item has, as a reopened window does."""
        told = self.who.send("GET", f"/api/v1/packages/{self.package}")
        self.base = {item["id"]: item["revision_no"] for item in told["items"]}

    def happens(self, percent: int) -> bool:
        """Throw the dice."""
        return self.chance.randrange(100) < percent

    def write(self, item: int) -> None:
        """One item: mostly a draft first, then the text; or a draft that is left for later."""
        assert self.number < self.end, "the client has no numbers left for its texts"
        content = five_captions(self.number)
        self.number += 1
        body = {"base_no": self.base[item], "content": content}
        try:
            if self.happens(DRAFTED):
                self.draft(item, body)
                if self.happens(LEFT_AS_DRAFT):
                    return
            self.submit(item, body)
        except Refused as refused:
            # Only a submission that was given up and arrived all the same can have made ours late.
            if refused.code != "stale_revision" or item not in self.uncertain:
                raise
            self.look()

    def draft(self, item: int, body: dict[str, Any]) -> None:
        """Save what is typed until the server says that it is kept."""
        seq = self.number
        told = self.who.send("PUT", f"/api/v1/items/{item}/draft", body | {"seq": seq})
        if told["seq"] != seq:
            raise AssertionError(f"{self.who.username}: draft {seq} of item {item} was answered with {told['seq']}")
        self.notes.saved += 1
        if item not in self.uncertain:
            self.notes.drafts[item] = (seq, texts_of(body["content"]))

    def submit(self, item: int, body: dict[str, Any]) -> None:
        """Hand in under one key until it is answered, or give up after the first broken try."""
        client_key = key()
        self.notes.sent[client_key] = Text(self.who.username, item, texts_of(body["content"]))
        self.notes.drafts.pop(item, None)
        if self.happens(CUT):
            self.who.cut.append("answer" if self.happens(50) else "half")
        try:
            told = self.who.send(
                "POST",
                f"/api/v1/items/{item}/submit",
                body | {"client_key": client_key},
                tries=1 if self.happens(ABANDONED) else None,
            )
        except GaveUp:
            self.notes.abandoned += 1
            self.uncertain.add(item)
            self.look()
        except Refused:
            self.notes.refused.add(client_key)
            raise
        else:
            self.notes.replayed += told["replayed"]
            self.notes.acknowledged[client_key] = self.base[item] = told["revision_no"]
            self.uncertain.discard(item)


# --- The rounds ---


class Dice:
    """Who dies next: each of the four once in every four rounds, in random order."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.bag: list[str] = []
        self.died = {what: deque[float](maxlen=DEATHS - 1) for what in VICTIMS}

    def next(self) -> tuple[str, float]:
        """The victim and the seconds of load before its death.

        The launcher takes a program that dies five times within a minute for broken and stops everything, as it should:
        a victim that would be the fifth is left alive until the minute is over.
        """
        if not self.bag:
            self.bag = self.chance.sample(VICTIMS, len(VICTIMS))
        what, moment = self.bag.pop(), self.chance.uniform(0, LONGEST_WAIT)
        died = self.died[what]
        spared = died[0] + WINDOW_SECONDS + 1 - time.monotonic() if len(died) == died.maxlen else 0.0
        return what, max(moment, spared)

    def note(self, what: str) -> None:
        """It is dead."""
        self.died[what].append(time.monotonic())


def acknowledged(clients: Sequence[Client | TeamClient]) -> list[int]:
    """How many answers each client has had; what one of them should not have met is raised."""
    for client in clients:
        if client.error is not None:
            raise client.error
    return [len(client.notes.acknowledged) + len(client.notes.done) for client in clients]


def everybody_writes(clients: Sequence[Client | TeamClient]) -> float:
    """Wait until each client has had an answer more; the seconds that took."""
    begun, before = time.monotonic(), acknowledged(clients)
    while not all(now > was for now, was in zip(acknowledged(clients), before, strict=True)):
        if time.monotonic() - begun > PATIENCE:
            raise AssertionError(f"{PATIENCE:.0f} s after a kill somebody still waits for an answer")
        time.sleep(0.05)
    return time.monotonic() - begun


def prepare(installation: Installation, count: int, network: Network, seed: int) -> list[Client]:
    """A benchmark with a package for each of so many people."""
    world = desk.new_world(installation.base, OWNER, PICTURES, count)
    desk.import_items(world, PICTURES, range(-(-count * PACKAGE // PICTURES)))
    desk.build(world, PACKAGE)
    clients = []
    for place, browser in enumerate(world.annotators):
        package = browser.send("POST", f"{world.here}/packages/claim", {"kind": desk.KIND})
        who = Session(installation.base, network)
        who.cookies, who.username = dict(browser.cookies), f"{world.slug}-annotator{place}"
        clients.append(Client(who, package, place, seed))
    return clients


def asked_to_keep(database: str) -> None:
    """An answer is worth something only where the database waits for the disk."""
    with psycopg.connect(database) as connection:
        for setting in ("synchronous_commit", "fsync", "full_page_writes"):
            [(value,)] = connection.execute("select current_setting(%s)", [setting]).fetchall()
            if value != "on":
                raise AssertionError(f"the database has {setting} = {value}")


def prepare_teams(installation: Installation, network: Network, seed: int) -> list[TeamClient]:
    """A benchmark with teams of one, two and three members and a picture each, and a curator who works for all."""
    teams = Teams(installation.base, network, Session(installation.base, network, OWNER))
    teams.bring(1)
    people = [(who, [team]) for who, team in teams.people] + [(teams.curator, teams.teams)]
    return [TeamClient(who, of, place, seed) for place, (who, of) in enumerate(people)]


@dataclass(frozen=True)
class Outcome:
    """What :func:`rounds` prints."""

    killed: Counter[str]
    sent: int
    acknowledged: int
    drafts: int
    replayed: int
    abandoned: int
    refused: int
    of_teams: Counter[str]
    differences: Differences


def rounds(count: int, clients: int, seed: int, say: Callable[[str], None]) -> Outcome:
    """Start an installation, let everybody write, kill and compare so many times.

    The first round after which the tables differ is the last.

    Raises:
        AssertionError: The installation did not come back, or a client met what none should.
    """
    begun, dice, killed, network = time.monotonic(), Dice(seed), Counter[str](), Network()

    def tell(sentence: str) -> None:
        say(f"[{time.monotonic() - begun:6.1f} s] {sentence}")

    with Installation() as installation:
        tell("the installation is up")
        asked_to_keep(installation.database)
        people: list[Client | TeamClient] = [*prepare(installation, clients, network, seed)]
        people += prepare_teams(installation, network, seed)
        tell(f"{clients} clients begin to write, and {len(people) - clients} work for teams")
        for client in people:
            client.start()
        everybody_writes(people)
        for n in range(count):
            what, moment = dice.next()
            time.sleep(moment)
            before = network.seen.copy()
            pid = kill(installation, what)
            dice.note(what)
            killed[what] += 1
            back = everybody_writes(people)
            found = compare(installation.database, [c.notes for c in people], over=False)
            tell(
                f"round {n + 1}: killed a {what} ({pid}) after {moment:.2f} s, all were answered {back:.1f} s later,"
                f" {sum(acknowledged(people))} acknowledged; {told(network.seen - before)}"
            )
            if found != Differences():
                tell(f"the tables differ from the notes: {found}")
                break
        for client in people:
            client.over.set()
        for client in people:
            client.join(PATIENCE)
            assert not client.is_alive(), "a client still waits for an answer"
        outcome = Outcome(
            killed=killed,
            sent=sum(len(c.notes.sent) + len(c.notes.deeds) for c in people),
            acknowledged=sum(acknowledged(people)),
            drafts=sum(c.notes.saved for c in people),
            replayed=sum(c.notes.replayed for c in people),
            abandoned=sum(c.notes.abandoned for c in people),
            refused=sum(len(c.notes.refused) for c in people),
            of_teams=sum((c.counts() for c in people if isinstance(c, TeamClient)), Counter()),
            differences=compare(installation.database, [c.notes for c in people], over=True),
        )
        tell(f"over; on the way: {told(network.seen)}")
    return outcome


def told(seen: Counter[str]) -> str:
    """What happened how often."""
    return ", ".join(f"{n} x {what}" for what, n in seen.most_common()) or "nothing failed"


def table(outcome: Outcome) -> str:
    """The figures, one a line."""
    found = outcome.differences
    figures = {
        "rounds": outcome.killed.total(),
        **{f"killed: {what}": outcome.killed[what] for what in VICTIMS},
        "sent: submissions, and what teams do": outcome.sent,
        "acknowledged": outcome.acknowledged,
        "acknowledged when sent again": outcome.replayed,
        "given up without an answer": outcome.abandoned,
        "refused: others, or one's own, came first": outcome.refused,
        "drafts acknowledged": outcome.drafts,
        **{f"of these in teams: {what}": n for what, n in sorted(outcome.of_teams.items())},
        "doubled": found.doubled,
        "lost": found.lost,
        "drafts lost": found.drafts_lost,
        "stored otherwise than sent": found.strange,
        "items out of step with their history": found.out_of_step,
        "accepted without another person's star": found.without_star,
    }
    return "\n".join(f"{name:40}{number:>10}" for name, number in figures.items())


def main() -> int:
    """Kill, compare, print."""

    def say(line: str) -> None:
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=100, help="one kill each (default 100)")
    parser.add_argument("--clients", type=int, default=32, help="people who write at once (default 32)")
    parser.add_argument("--seed", type=int, default=1, help="of victims, moments and what people do (default 1)")
    given = parser.parse_args()
    begun = time.monotonic()
    outcome = rounds(given.rounds, given.clients, given.seed, say)
    say(f"\n{table(outcome)}\n{'seconds':40}{time.monotonic() - begun:>10.0f}")
    return 0 if outcome.differences == Differences() and outcome.killed.total() == given.rounds else 1


if __name__ == "__main__":
    sys.exit(main())
