"""Somebody in a team, or a curator, who creates items, writes, edits, stars and returns them without a pause."""

from __future__ import annotations

import random
import threading
from collections import Counter
from typing import Any

from tests.rehearsal.notes import Deed, Notes, Text, texts_of
from tests.rehearsal.session import GaveUp, Refused, Session, key
from tests.rehearsal.teams import HERE, KIND, Team, question

# How often, of a hundred.
CUT, ABANDONED, DISCARDED = 6, 25, 10
TEXTS_EACH = 10_000
# Of a colleague's item: what is done with it.
WITH_A_COLLEAGUES = ("star",) * 4 + ("edit",) * 4 + ("return",) * 2
# A colleague was quicker, or a request that was given up arrived all the same.
TOO_LATE = {
    "action_not_allowed",
    "already_judged",
    "not_found",
    "nothing_changed",
    "own_work",
    "picture_full",
    "stale_revision",
    "stale_row",
}


class TeamClient(threading.Thread):
    """One person with notes of what was sent and answered, as :class:`tests.rehearsal.kills.Client`.

    ``teams``: the person's own team, or those that a curator checks.
    """

    def __init__(self, who: Session, teams: list[Team], place: int, seed: int) -> None:
        super().__init__(daemon=True)
        self.who, self.teams, self.chance = who, teams, random.Random(f"{seed}/team/{place}")
        self.is_curator = len(teams) > 1
        self.notes, self.over = Notes(), threading.Event()
        self.error: BaseException | None = None
        self.number = place * TEXTS_EACH
        self.written: Counter[str] = Counter()

    def run(self) -> None:
        """Work until told to stop; what nobody should meet ends it."""
        try:
            while not self.over.is_set():
                self.turn(self.chance.choice(self.teams))
        except BaseException as error:  # noqa: BLE001  (told by the main thread)
            self.error = error

    def turn(self, team: Team) -> None:
        """Look at the board and do one thing there."""
        board = self.who.send("GET", f"{HERE}/team-board?kind={KIND}&team={team.id}")
        for row in self.chance.sample(board["results"], len(board["results"])):
            room = len(row["items"]) < board["maximum"]
            if not self.is_curator and room and self.happens(50 if row["items"] else 100):
                self.create(row["image"]["id"])
                return
            for item in self.chance.sample(row["items"], len(row["items"])):
                if self.work_on(item, team):
                    return
        self.over.wait(0.05)

    def work_on(self, item: dict[str, Any], team: Team) -> bool:
        """Do something with an item; whether there was something to do."""
        state = item["state"]
        if not self.is_curator and item["mine"] and state == "made" and self.happens(DISCARDED):
            self.discard(item)
        elif not self.is_curator and (state in ("todo", "returned") or (item["mine"] and state == "made")):
            self.submit(item, team, "write" if item["revision_no"] == 0 else "write again")
        elif not item["mine"] and state == "made":
            what = self.chance.choice(WITH_A_COLLEAGUES)
            if what == "edit":
                self.submit(item, team, "edit")
            else:
                self.judge(item, what)
        elif not item["mine"] and state == "accepted" and self.happens(30):
            self.submit(item, team, "edit what is accepted")
        else:
            return False
        return True

    def happens(self, percent: int) -> bool:
        """Throw the dice."""
        return self.chance.randrange(100) < percent

    def create(self, image: int) -> None:
        """Create an item on a picture."""
        client_key = key()
        self.notes.deeds[client_key] = Deed(self.who.username, "create", image)
        told = self.send(client_key, f"{HERE}/team-items", {"kind": KIND, "image": image})
        if told is not None:
            self.notes.done[client_key] = told["id"]

    def judge(self, item: dict[str, Any], outcome: str) -> None:
        """Star or return the revision that the board showed."""
        client_key = key()
        self.notes.deeds[client_key] = Deed(self.who.username, outcome, item["id"], item["revision_no"])
        at, body = f"/api/v1/items/{item['id']}", {"revision_no": item["revision_no"]}
        if outcome == "star":
            told = self.send(client_key, f"{at}/star", body)
        else:
            told = self.send(client_key, f"{at}/send-back", body | {"reasons": ["language"]})
        if told is not None:
            self.notes.done[client_key] = item["id"]

    def discard(self, item: dict[str, Any]) -> None:
        """Discard an item, so that its place is free; its revisions stay."""
        client_key = key()
        self.notes.deeds[client_key] = Deed(self.who.username, "discard", item["id"], item["revision_no"])
        body = {"revision_no": item["revision_no"]}
        if self.send(client_key, f"/api/v1/items/{item['id']}/discard", body) is not None:
            self.notes.done[client_key] = item["id"]

    def submit(self, item: dict[str, Any], team: Team, what: str) -> None:
        """Submit a text that nobody has submitted before."""
        content, client_key = question(team.language, self.number), key()
        self.number += 1
        self.notes.sent[client_key] = Text(self.who.username, item["id"], texts_of(content))
        body = {"base_no": item["revision_no"], "content": content, "track": "peer"}
        told = self.send(client_key, f"/api/v1/items/{item['id']}/submit", body)
        if told is not None:
            self.notes.replayed += told["replayed"]
            self.notes.acknowledged[client_key] = told["revision_no"]
            self.written[what] += 1

    def send(self, client_key: str, address: str, body: dict[str, Any]) -> Any:
        """Send until it is answered, or give up after the first broken try; None without an answer or if refused."""
        if self.happens(CUT):
            self.who.cut.append("answer" if self.happens(50) else "half")
        tries = 1 if self.happens(ABANDONED) else None
        try:
            return self.who.send("POST", address, body | {"client_key": client_key}, tries=tries)
        except GaveUp:
            self.notes.abandoned += 1
        except Refused as refused:
            if refused.code not in TOO_LATE:
                raise
            self.notes.refused.add(client_key)
        return None

    def counts(self) -> Counter[str]:
        """What was acknowledged, by what it was."""
        return self.written + Counter(self.notes.deeds[k].what for k in self.notes.done)
