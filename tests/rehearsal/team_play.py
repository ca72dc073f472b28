"""Three countries' teams from their uploads to a release in CVQA's format that ``datasets`` opens without a network.

Each team has pictures with three questions. By the plan a question is wrong at first and sent back, or edited by a
colleague, or discarded and asked again; all are starred in the end. The team of one is checked by the curator.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import psycopg

from tests.bench.installation import OWNER, Installation
from tests.bench.pictures import Sender
from tests.rehearsal.ledger import Ledger
from tests.rehearsal.notes import WITHOUT_STAR
from tests.rehearsal.session import ACCIDENT, Network, Refused, Session, key
from tests.rehearsal.teams import COUNTRIES, HERE, KIND, QUESTIONS, SLUG, Team, Teams, question

PICTURES = 3  # of each team
# (Picture of the team, place on it) → what happens to that question; all others are starred at once.
PLAN = {(0, 1): "wrong", (1, 0): "edited", (1, 2): "discarded"}
# What the network does to the author's requests about a question, by its place.
ACCIDENTS = {0: ("create", "answer"), 1: ("submit", "half"), 2: ("submit", "answer")}
NOTHING_TO_CHECK = {"pool_empty", "nothing_left"}
READ = """
import json, sys
from datasets import load_dataset
rows = load_dataset(sys.argv[1], "cvqa_hub", split="test")
print(json.dumps([{**row, "image": row["image"].size} for row in rows]))
"""


def expected() -> dict[str, int]:
    """What has to be there when everybody has done their part once."""
    teams = len(COUNTRIES)
    each = PICTURES * QUESTIONS
    planned = Counter(PLAN.values())
    revisions = teams * (each + planned["wrong"] + planned["edited"])
    return {
        "teams: pictures accepted": teams * PICTURES,
        "teams: questions accepted": teams * each,
        "teams: questions discarded": teams * planned["discarded"],
        "teams: revisions": revisions,
        "teams: by a colleague or the curator": teams * planned["edited"],
        "teams: sent back": teams * planned["wrong"],
        "teams: stars": teams * each,
        "teams: accepted without another's star": 0,
        "teams: doubled": 0,
        "teams: lost": 0,
        "teams: accidents of the network": teams * each,
        **{f"teams: rows in {language}": each for _, language, _ in COUNTRIES},
        "teams: rows not as written": 0,
    }


class TeamPlay:
    """One run of the teams' script, beside the packages'."""

    def __init__(self, installation: Installation, say: Callable[[str], None]) -> None:
        self.installation, self.say = installation, say
        self.network, self.ledger = Network(), Ledger()
        self.teams = Teams(installation.base, self.network, Session(installation.base, self.network, OWNER))
        self.teams.bring(PICTURES)
        self.place = {image: (team, n) for team in self.teams.teams for n, image in enumerate(team.images)}
        self.discarded: set[int] = set()  # pictures whose planned question was discarded

    def turns(self) -> list[Callable[[], bool]]:
        """What each person does again and again; false where there was nothing to do."""
        members = [partial(self.turn, who, team) for who, team in self.teams.people]
        return [*members, partial(self.check, self.teams.curator)]

    def turn(self, who: Session, team: Team) -> bool:
        """Write first, then check."""
        return self.write(who, team) or self.check(who)

    def is_over(self) -> bool:
        """Whether every question is accepted."""
        return self._stars() == expected()["teams: stars"]

    def _stars(self) -> int:
        return sum(1 for stage, _, _ in self.ledger.verdicts if stage == "star")

    def content(self, image: int, slot: int, form: str = "right") -> dict[str, Any]:
        """What is asked about a picture in a place."""
        team, n = self.place[image]
        return question(team.language, n * QUESTIONS + slot + 1, form)

    def final(self, image: int, slot: int) -> dict[str, Any]:
        """The same as it is released."""
        form = "edited" if PLAN.get((self.place[image][1], slot)) == "edited" else "right"
        return self.content(image, slot, form)

    def write(self, who: Session, team: Team) -> bool:
        """Correct what was sent back, or ask the next question about one of one's own pictures."""
        board = who.send("GET", f"{HERE}/team-board?kind={KIND}&team={team.id}&page_size=100")
        for row in board["results"]:
            image = row["image"]["id"]
            if team.images.index(image) % len(team.members) != team.members.index(who):
                continue
            for item in row["items"]:
                if item["state"] in ("todo", "returned"):
                    self.submit(who, image, item)
                    return True
            if len(row["items"]) < QUESTIONS:
                self.create(who, image, len(row["items"]))
                return True
        return False

    def create(self, who: Session, image: int, slot: int) -> None:
        """Create the item in the next place."""
        self._accident(who, image, slot, "create")
        item = who.send("POST", f"{HERE}/team-items", {"kind": KIND, "image": image, "client_key": key()})
        assert item["slot"] == slot, f"{who.username}: place {item['slot']} instead of {slot}"
        if PLAN.get((self.place[image][1], slot)) == "discarded" and image not in self.discarded:
            self.discarded.add(image)
            body = {"revision_no": 0, "client_key": key()}
            who.send("POST", f"/api/v1/items/{item['id']}/discard", body)
            return
        self._accident(who, image, slot, "submit")
        self.submit(who, image, item)

    def _accident(self, who: Session, image: int, slot: int, what: str) -> None:
        planned, accident = ACCIDENTS[slot]
        if what == planned:
            who.cut.append(accident)

    def submit(self, who: Session, image: int, item: dict[str, Any], form: str = "right") -> None:
        """Submit a text; the first one is wrong where it is planned so."""
        if item["revision_no"] == 0 and PLAN.get((self.place[image][1], item["slot"])) == "wrong":
            form = "wrong"
        content = self.content(image, item["slot"], form)
        body = {"base_no": item["revision_no"], "content": content, "track": "peer", "client_key": key()}
        told = who.send("POST", f"/api/v1/items/{item['id']}/submit", body)
        self.ledger.revision(item["id"], told["revision_no"])

    def check(self, who: Session) -> bool:
        """Claim what a colleague wrote: send back what is wrong, edit or star by the plan."""
        # A claim whose answer was lost is found among what one holds.
        pool = who.send("GET", f"{HERE}/peer-pool?kind={KIND}")
        try:
            pool = pool if pool["items"] else who.send("POST", f"{HERE}/peer-pool/claim", {"kind": KIND})
        except Refused as refused:
            if refused.code in NOTHING_TO_CHECK:
                return False
            raise
        for item in pool["items"]:
            image, slot, no = item["image"]["id"], item["slot"], item["revision_no"]
            at, body = f"/api/v1/items/{item['id']}", {"revision_no": no, "client_key": key()}
            if item["content"] == self.content(image, slot, "wrong"):
                who.send("POST", f"{at}/send-back", body | {"reasons": ["language"]})
                self.ledger.verdict("return", item["id"], no)
            elif item["content"] != self.final(image, slot):
                self.submit(who, image, item, "edited")
            else:
                who.send("POST", f"{at}/star", body)
                self.ledger.verdict("star", item["id"], no)
        return bool(pool["items"])

    # --- What comes out ---

    def release(self, wait: Callable[[str, Callable[[], Any]], None]) -> list[dict[str, Any]]:
        """Draft, check, freeze, wait for the files; the rows that ``datasets`` reads of what an admin downloads."""
        admin = self.teams.admin
        made = admin.send("POST", f"{HERE}/releases", {"kinds": [KIND], "seed": "2026", "client_key": key()})
        at = f"/api/v1/releases/{made['id']}"
        for what in ("check", "freeze"):
            admin.send("POST", f"{at}/{what}", {"client_key": key()})

        def written() -> bool:
            told = admin.send("GET", at)
            return told["state"] == "frozen" and bool(told["files"]) and not told["missing_files"]

        wait("the teams' release is written", written)
        names = [file["name"] for file in admin.send("GET", at)["files"]]
        sender = Sender(self.installation.base, admin.username, None, SLUG)
        with tempfile.TemporaryDirectory(prefix="lantern-cvqa-") as folder:
            for name in names:
                with sender.opener.open(f"{self.installation.base}{at}/files/{name}", timeout=120) as answer:
                    Path(folder, name).write_bytes(answer.read())
            rows = opened(folder)
        self.say(f"datasets opens the teams' release: {len(rows)} rows")
        return rows

    def counted(self, rows: list[dict[str, Any]]) -> dict[str, int]:
        """The same figures as :func:`expected`, read from the tables and the opened release."""
        with psycopg.connect(self.installation.database) as connection:

            def one(statement: str) -> int:
                row = connection.execute(statement).fetchone()  # type: ignore[arg-type]
                return int(row[0]) if row else 0

            def pairs(statement: str) -> Counter[Any]:
                return Counter(tuple(row) for row in connection.execute(statement).fetchall())  # type: ignore[arg-type]

            here = f"benchmark_id = (select id from curation_benchmark where slug = '{SLUG}')"
            of_items = f"item_id in (select id from annotation_item where {here})"
            revisions = pairs(f"select item_id, no from annotation_itemrevision where {of_items}")
            verdicts = pairs(
                "select case outcome when 'star' then 'star' else 'return' end, item_id, revision_no"
                f" from annotation_verdict where {of_items}"
            )
            numbers = dict(connection.execute(f"select number, id from curation_image where {here}").fetchall())
            seen = {
                "teams: pictures accepted": one(
                    f"select count(*) from curation_image where state = 'accepted' and {here}"
                ),
                "teams: questions accepted": one(
                    f"select count(*) from annotation_item where state = 'accepted' and {here}"
                ),
                "teams: questions discarded": one(
                    f"select count(*) from annotation_item where excluded_for = 'discard' and {here}"
                ),
                "teams: revisions": sum(revisions.values()),
                "teams: by a colleague or the curator": one(
                    "select count(*) from annotation_itemrevision r join annotation_itemrevision before"
                    " on before.item_id = r.item_id and before.no = r.no - 1 and before.author_id <> r.author_id"
                    f" where r.{of_items}"
                ),
                "teams: sent back": sum(1 for what, _, _ in verdicts.elements() if what == "return"),
                "teams: stars": sum(1 for what, _, _ in verdicts.elements() if what == "star"),
                "teams: accepted without another's star": one(WITHOUT_STAR),
            }
        kept, judged = self.ledger.revisions, self.ledger.verdicts
        languages: Counter[str] = Counter()
        strange = 0
        for row in rows:
            number, slot = (int(part) for part in row["ID"].split("_"))
            image = numbers[number]
            team, _ = self.place[image]
            languages[team.language] += 1
            strange += not as_written(row, self.final(image, slot))
        return seen | {
            "teams: doubled": sum((revisions - kept).values()) + sum((verdicts - judged).values()),
            "teams: lost": sum((kept - revisions).values()) + sum((judged - verdicts).values()),
            "teams: accidents of the network": self.network.seen[ACCIDENT],
            **{f"teams: rows in {team.language}": languages[team.language] for team in self.teams.teams},
            "teams: rows not as written": strange,
        }


def as_written(row: dict[str, Any], content: dict[str, Any]) -> bool:
    """Whether a row of the opened release says what the team wrote; the options are in an order of the release's."""
    options = content["options"]
    asked = (row["Question"], row["Translated Question"]) == (
        content["question"]["local"],
        content["question"]["translated"],
    )
    offered = list(zip(row["Options"], row["Translated Options"], strict=True))
    right = offered[row["Label"]] == (options[0]["local"], options[0]["translated"])
    return asked and right and sorted(offered) == sorted((o["local"], o["translated"]) for o in options)


def opened(folder: str) -> list[dict[str, Any]]:
    """The rows that ``datasets`` reads in a folder, without a network."""
    offline = {"HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1", "HF_HOME": f"{folder}/home"}
    command = [sys.executable, "-c", READ, folder]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=os.environ | offline, cwd=folder)
    assert done.returncode == 0, done.stderr
    rows: list[dict[str, Any]] = json.loads(done.stdout.splitlines()[-1])
    return rows
