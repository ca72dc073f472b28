"""Teams of three countries, of one, two and three members: their benchmark, their pictures, and the questions on them.

One of the languages is written from right to left.
"""

from __future__ import annotations

import json
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fixtures import scenes
from tests.bench.pictures import Sender
from tests.rehearsal.session import Network, Session, join, key

SLUG, KIND = "countries", "multiple_choice"
HERE = f"/api/v1/benchmarks/{SLUG}"
QUESTIONS = 3  # at most on a picture, as the protocol says
# Pair of the protocol, its language, members.
COUNTRIES = (("egypt_egyptian_arabic", "arz-EG", 1), ("china_chinese", "zh-Hans-CN", 2), ("india_hindi", "hi-IN", 3))
_SCRIPTS = Path(__file__).parents[1] / "data" / "questions" / "scripts.json"
_WRITTEN = {row["tag"]: row for row in json.loads(_SCRIPTS.read_text(encoding="utf-8"))}


def question(language: str, n: int, form: str = "right") -> dict[str, Any]:
    """Content of question number ``n`` in a language: ``right``, ``edited``, or ``wrong``: another option is first."""
    row = _WRITTEN[language]
    mark = "*" if form == "edited" else ""
    asked = {side: f"{n}{mark}. {text}" for side, text in row["question"].items()}
    first, second, *others = row["options"]
    options = [second, first, *others] if form == "wrong" else row["options"]
    return {"category": "food", "question": asked, "options": options}


@dataclass
class Team:
    """A team with the sessions of its members, and its pictures in the order of their upload."""

    pair: str
    language: str
    id: int
    members: list[Session] = field(default_factory=list)
    images: list[int] = field(default_factory=list)


class Teams:
    """The benchmark with its people."""

    def __init__(self, base: str, network: Network, owner: Session) -> None:
        self.base, self.network = base, network
        title = dict.fromkeys(("zh-Hans", "zh-Hant", "en"), SLUG)
        owner.send("POST", "/api/v1/benchmarks", {"slug": SLUG, "title": title, "preset": "cvqa", "client_key": key()})
        self.admin = self.join(owner, "admin", roles=["admin"])
        self.curator = self.join(self.admin, "curator", roles=["curator"])
        self.teams = [self._team(*country) for country in COUNTRIES]

    def join(self, inviting: Session, name: str, **link: Any) -> Session:
        """One person comes by a link."""
        return join(self.base, self.network, inviting, HERE, f"{SLUG}-{name}", **link)

    def _team(self, pair: str, language: str, members: int) -> Team:
        body = {"name": pair, "pair": pair, "client_key": key()}
        made = Team(pair, language, self.admin.send("POST", f"{HERE}/teams", body)["id"])
        for n in range(members):
            link = {"roles": ["annotator"], "team": made.id, "lead": n == 0}
            made.members.append(self.join(self.admin, f"{pair}-{n + 1}", **link))
        return made

    @property
    def people(self) -> list[tuple[Session, Team]]:
        """Every member with their team."""
        return [(who, team) for team in self.teams for who in team.members]

    def bring(self, each: int) -> None:
        """The first member of each team uploads so many pictures, and the curator accepts them."""
        seeds = iter(scenes.distinct_seeds(each * len(self.teams)))
        uses = {"research": True, "commercial": True}
        details = {"source": "own", "author": "A", "licence": "own-open", "category": "food", "uses": uses}
        brought = []
        for team in self.teams:
            sender = Sender(self.base, team.members[0].username, None, SLUG)
            brought.append((team, sender, [self._upload(sender, next(seeds)) for _ in range(each)]))
        for team, sender, ids in brought:
            while sender.patient("GET", f"{HERE}/uploads?page_size=1")["waiting"]:
                time.sleep(0.2)
            sender.patient("POST", f"{HERE}/uploads/describe", {"ids": ids, "details": details})
            for upload in ids:  # one at a time, which keeps their order
                body = {"ids": [upload], "client_key": key()}
                [row] = sender.patient("POST", f"{HERE}/uploads/take", body)["results"]
                team.images.append(row["image"]["id"])
        images = [image for team in self.teams for image in team.images]
        verdicts = [{"image": i, "no": 0, "outcome": "accepted", "client_key": key()} for i in images]
        self.curator.send("POST", f"{HERE}/images/judge", {"verdicts": verdicts})
        marks = [{"image": i, "no": 0, "client_key": key()} for i in images]
        self.curator.send("POST", f"{HERE}/images/clear-personal-information", {"images": marks})

    @staticmethod
    def _upload(sender: Sender, seed: int) -> str:
        return sender.upload(f"{seed}.png", scenes.encode(scenes.scene(seed)))
