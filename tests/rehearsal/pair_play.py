"""Two people over one picture, beside the packages: expressions with clicks, and dialogues, by the same annotators.

Who boxed a picture writes about its objects, others click. By the plan some click wrongly: once, so that the author
submits again, or twice, so that a senior decides. Dialogues are written turn by turn over pictures of subset B.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import psycopg

from annotation.pair.rules import object_at
from fixtures import scenes
from tests.rehearsal.ledger import FULL, SMALL, Size
from tests.rehearsal.session import Refused, Session, key

GROUNDING, DIALOGUE = "grounding", "dialogue"
ROUNDS = 10
MOST = 4  # expressions of a picture
CUT = {3: "answer", 6: "half"}  # what the network does to a turn
# Somebody was quicker, or what it rests on is not there yet.
NOT_NOW = {"picture_full", "pool_empty", "nothing_left", "base_missing", "base_changed", "not_found", "own_work"}
TOO_LATE = {"already_judged", "action_not_allowed", "stale_revision", "not_found"}
PLACES = ("左上角", "右上角", "左下角", "右下角", "正中间", "最前面", "最后面", "左侧", "右侧", "背景里")
Content = dict[str, Any]


@dataclass(frozen=True)
class PairSize:
    """How many pictures get expressions and dialogues, and how many of the first are failed once and twice."""

    pictures: int
    failed_once: int
    failed_twice: int
    dialogues: int

    def failures(self, n: int) -> int:
        """How many second people fail the n-th picture."""
        return 2 if n < self.failed_twice else 1 if n < self.failed_twice + self.failed_once else 0

    def rounds(self, n: int) -> int:
        """How often it is clicked on, each time another revision; after the second failure a person decides."""
        failures = self.failures(n)
        return failures if failures == 2 else failures + 1

    @property
    def accidents(self) -> int:
        """Accidents of the network: one a picture, two a dialogue."""
        return self.pictures + len(CUT) * self.dialogues


PAIRS: dict[Size, PairSize] = {FULL: PairSize(24, 3, 2, 12), SMALL: PairSize(5, 1, 1, 2)}


def question(no: int) -> str:
    """What is asked in the round."""
    return f"画面{PLACES[no - 1]}有什么东西？"


def answer(seed: int, no: int) -> str:
    """What is answered."""
    things = scenes.captions(scenes.scene(seed))
    return f"画面{PLACES[no - 1]}是这样的：{things[no % len(things)]}"


@dataclass
class Done:
    """What the server acknowledged: revisions of expressions, clicks, and the texts of turns."""

    revisions: Counter[tuple[int, int]] = field(default_factory=Counter)
    clicks: Counter[tuple[int, str, int]] = field(default_factory=Counter)
    turns: Counter[tuple[int, int, str, str]] = field(default_factory=Counter)
    decisions: Counter[int] = field(default_factory=Counter)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def note(self, kept: Counter[Any], what: Any) -> None:
        """Count one more."""
        with self.lock:
            kept[what] += 1

    def progress(self) -> int:
        """All of it so far."""
        with self.lock:
            return sum(sum(kept.values()) for kept in (self.revisions, self.clicks, self.turns, self.decisions))


class PairPlay:
    """One run of the script of two people.

    Args:
        database: its address.
        here: where the benchmark's addresses begin.
        size: the size of the rehearsal.
        scene_of: the scene of each picture.
        truth: returns the boxes that are accepted in the end.
    """

    def __init__(
        self, database: str, here: str, size: Size, scene_of: dict[int, int], truth: Callable[[int], Content]
    ) -> None:
        self.database, self.here, self.size = database, here, PAIRS[size]
        self.scene_of, self.truth = scene_of, truth
        self.ledger = Done()
        self.boxed_by: dict[int, str] = {}  # who boxed a picture first
        self.planned: list[int] = []  # pictures with expressions
        self.written: set[int] = set()
        self.failed: Counter[int] = Counter()
        self.decided: set[int] = set()
        self.ended: set[int] = set()  # dialogues

    # --- The plan ---

    def plan(self) -> None:
        """Choose pictures that are boxed by one person, and whose boxes can all be clicked on."""
        with psycopg.connect(self.database) as connection:
            rows = connection.execute(
                "select i.image_id from annotation_packageitem p join annotation_item i on i.id = p.item_id"
                " where i.kind = 'boxes' group by 1 having count(*) = 1 order by 1"
            ).fetchall()
        fit = [image for (image,) in rows if self.points(image) is not None]
        self.planned = fit[: self.size.pictures]
        assert len(self.planned) == self.size.pictures, f"only {len(fit)} pictures fit"

    def points(self, image: int) -> dict[str, tuple[str, float, float]] | None:
        """For each text the object's key and a point in its box that lies in no smaller box.

        None if an object that needs a text has no such point.
        """
        boxes = sorted(self.truth(image)["boxes"], key=lambda box: (box["box"][0], box["box"][1], box["key"]))
        places: dict[str, tuple[str, float, float]] = {}
        for n, box in enumerate(boxes):
            left, top, width, height = box["box"]
            grid = ((left + width * i / 10, top + height * j / 10) for i in range(1, 10) for j in range(1, 10))
            point = next((at for at in grid if object_at(boxes, *at) == box["key"]), None)
            if point is not None:
                places[f"从左边数第{n + 1}个物体"] = (box["key"], *point)
        if len(places) < min(len(boxes), MOST):
            return None
        return dict(list(places.items())[:MOST])

    def expected(self) -> dict[str, int]:
        """What has to be there when everybody has done their part once."""
        rounds = sum(self.size.rounds(n) for n in range(self.size.pictures))
        return {
            "grounding: items accepted": self.size.pictures,
            "grounding: revisions": rounds,
            "grounding: rounds of clicks": rounds,
            "grounding: clicks": self._clicks(),
            "grounding: rounds by the author or twice by one person": 0,
            "grounding: decided by a senior": self.size.failed_twice,
            "dialogue: items accepted": self.size.dialogues,
            "dialogue: turns": 2 * ROUNDS * self.size.dialogues,
            "dialogue: questioners who were sent the picture": 0,
            "dialogue: texts not as written": 0,
            "pairs: doubled": 0,
            "pairs: lost": 0,
        }

    def work(self) -> int:
        """How many revisions, clicks, turns and decisions there will be."""
        told = self.expected()
        decisions = told["grounding: decided by a senior"] + told["dialogue: items accepted"]
        return told["grounding: revisions"] + told["grounding: clicks"] + told["dialogue: turns"] + decisions

    def _clicks(self) -> int:
        return sum(self.size.rounds(n) * len(self.points(image) or ()) for n, image in enumerate(self.planned))

    def is_over(self) -> bool:
        """Whether every dialogue and every expression is accepted."""
        return self.ledger.progress() >= self.work()

    # --- The days ---

    def turn(self, who: Session) -> bool:
        """One step of an annotator beside dialogues; false if there was nothing to do."""
        return self.write(who) or self.click(who)

    def write(self, who: Session) -> bool:
        """Write about a picture whose boxes are one's own, or submit again what came back."""
        mine = [image for image in self.planned if self.boxed_by.get(image) == who.username]
        if not mine:
            return False
        board = who.send("GET", f"{self.here}/team-board?kind={GROUNDING}&page_size=100")
        for row in board["results"]:
            image = row["image"]["id"]
            if image not in mine:
                continue
            for item in row["items"]:
                if item["state"] in ("todo", "returned"):
                    self.submit(who, image, item["id"], item["revision_no"])
                    return True
            if not row["items"] and image not in self.written:
                return self.create(who, image)
        return False

    def create(self, who: Session, image: int) -> bool:
        """Create the item of a picture and submit it; the answer to one of the requests is lost."""
        who.cut.append("answer")
        try:
            item = who.send("POST", f"{self.here}/team-items", {"kind": GROUNDING, "image": image, "client_key": key()})
        except Refused as refused:
            if refused.code in NOT_NOW:
                return False
            raise
        self.written.add(image)
        self.submit(who, image, item["id"], 0)
        return True

    def submit(self, who: Session, image: int, item: int, no: int) -> None:
        """Submit the expressions."""
        boxes = {box["key"]: box["box"] for box in self.truth(image)["boxes"]}
        rows = [{"key": k, "text": text, "box": boxes[k]} for text, (k, _, _) in (self.points(image) or {}).items()]
        body = {"base_no": no, "content": {"expressions": rows}, "reasons": {}, "track": "pair", "client_key": key()}
        told = who.send("POST", f"/api/v1/items/{item}/submit", body)
        self.ledger.note(self.ledger.revisions, (item, told["revision_no"]))

    def click(self, who: Session) -> bool:
        """Claim an item and answer all its expressions; the first one wrongly where it is planned."""
        at = f"{self.here}/clicking"
        held = who.send("GET", f"{at}?kind={GROUNDING}")
        if held["item"] is None:
            if held["waiting"] == 0:
                return False
            try:
                held = who.send("POST", f"{at}/claim", {"kind": GROUNDING})
            except Refused as refused:
                if refused.code in NOT_NOW:
                    return False
                raise
        if (item := held["item"]) is None:
            return False
        image = item["image"]["id"]
        points = self.points(image) or {}
        fails = self.failed[image] < self.size.failures(self.planned.index(image))
        while item is not None:
            position = item["position"]
            _, x, y = points[item["text"]]
            said = {"answer": "several"} if fails and position == 1 else {"answer": "point", "x": x, "y": y}
            who.send("POST", f"/api/v1/items/{item['id']}/click", said | {"position": position, "client_key": key()})
            self.ledger.note(self.ledger.clicks, (item["id"], who.username, position))
            if fails and position == item["count"]:
                self.failed[image] += 1
            item = who.send("GET", f"{at}?kind={GROUNDING}")["item"]
        return True

    def talk(self, who: Session) -> bool:
        """Say the next turn of one's dialogue, or wait in the lobby while there are pictures left."""
        if len(self.ended) >= self.size.dialogues:
            return False
        lobby = who.send("GET", f"{self.here}/lobby")
        running = [one["id"] for one in lobby["dialogues"] if one["state"] == "open"]
        if not running:
            lobby = who.send("POST", f"{self.here}/lobby", {"parts": ["question", "answer"]})
            running = [one["id"] for one in lobby["dialogues"] if one["state"] == "open"]
        return any(self.say(who, dialogue) for dialogue in running)

    def say(self, who: Session, dialogue: int) -> bool:
        """Write the next turn, if it is one's own."""
        at = f"/api/v1/dialogues/{dialogue}"
        told = who.send("GET", at)
        if not told["is_my_turn"]:
            return False
        no = told["turn_no"] + 1
        position = (no + 1) // 2
        if no in CUT:
            who.cut.append(CUT[no])
        # The questioner learns nothing of the picture; the answerer gets it with the dialogue.
        text = question(position) if no % 2 else answer(self.scene_of[told["image"]["id"]], position)
        told = who.send("POST", f"{at}/turns", {"no": no, "text": text, "client_key": key()})
        self.ledger.note(self.ledger.turns, (dialogue, no, who.username, text))
        if told["state"] == "done":
            self.ended.add(dialogue)
        return True

    def decide(self, who: Session, n: int, of: int) -> bool:
        """A senior decides about what second people failed twice, and accepts dialogues; each has items by number."""
        did = False
        for kind in (GROUNDING, DIALOGUE):
            board = who.send("GET", f"{self.here}/team-board?kind={kind}&show=to_check&page_size=100")
            for item in _items(board, "made"):
                if item["id"] % of != n or item["id"] in self.decided:
                    continue
                body = {"revision_no": item["revision_no"], "outcome": "right", "client_key": key()}
                try:
                    who.send("POST", f"/api/v1/items/{item['id']}/decide", body)
                except Refused as refused:
                    if refused.code not in TOO_LATE:
                        raise
                    continue
                self.decided.add(item["id"])
                self.ledger.note(self.ledger.decisions, item["id"])
                did = True
        return did

    # --- What comes out ---

    def counted(self, slug: str) -> dict[str, int]:
        """The same figures as :meth:`expected`, read from the tables."""
        with psycopg.connect(self.database) as connection:

            def all_of(statement: str) -> list[Any]:
                return connection.execute(statement).fetchall()  # type: ignore[arg-type]

            here = f"benchmark_id = (select id from curation_benchmark where slug = '{slug}')"
            of = f"(select id from annotation_item where {here} and kind = '{GROUNDING}')"
            accepted = Counter(
                kind for (kind,) in all_of(f"select kind from annotation_item where state = 'accepted' and {here}")
            )
            revisions = Counter(all_of(f"select item_id, no from annotation_itemrevision where item_id in {of}"))
            clicks = Counter(
                all_of(
                    "select j.item_id, p.username, c.position from annotation_click c"
                    " join annotation_judging j on j.id = c.judging_id join curation_person p on p.id = c.person_id"
                )
            )
            rounds = all_of(
                "select distinct j.item_id, c.person_id, v.author_id, j.id from annotation_click c"
                " join annotation_judging j on j.id = c.judging_id"
                " join annotation_itemrevision v on v.item_id = j.item_id and v.no = j.revision_no"
            )
            decided = all_of(f"select 1 from annotation_verdict where stage = 'inspection' and item_id in {of}")
            turns = Counter(
                all_of(
                    "select t.dialogue_id, t.no, p.username, t.text from annotation_dialogueturn t"
                    " join curation_person p on p.id = t.author_id"
                )
            )
            exposed = all_of(
                "select 1 from annotation_dialogue d join curation_exposure e"
                " on e.image_id = d.image_id and e.person_id = d.questioner_id where d.state <> 'left'"
            )
            texts = all_of(
                "select i.image_id, r.content from annotation_item i join annotation_itemrevision r"
                f" on r.item_id = i.id and r.no = i.accepted_no where i.kind = '{DIALOGUE}' and i.{here}"
            )
        pairs = Counter((item, clicker) for item, clicker, *_ in rounds)
        kept = (self.ledger.revisions, self.ledger.clicks, self.ledger.turns)
        there = (revisions, clicks, turns)
        return {
            "grounding: items accepted": accepted[GROUNDING],
            "grounding: revisions": revisions.total(),
            "grounding: rounds of clicks": len(rounds),
            "grounding: clicks": clicks.total(),
            "grounding: rounds by the author or twice by one person": sum(n - 1 for n in pairs.values())
            + sum(clicker == author for _, clicker, author, _ in rounds),
            "grounding: decided by a senior": len(decided),
            "dialogue: items accepted": accepted[DIALOGUE],
            "dialogue: turns": turns.total(),
            "dialogue: questioners who were sent the picture": len(exposed),
            "dialogue: texts not as written": sum(content != self.dialogue_of(image) for image, content in texts),
            "pairs: doubled": sum((real - known).total() for real, known in zip(there, kept, strict=True)),
            "pairs: lost": sum((known - real).total() for real, known in zip(there, kept, strict=True)),
        }

    def dialogue_of(self, image: int) -> Content:
        """What two people wrote about a picture."""
        seed = self.scene_of[image]
        return {"rounds": [{"question": question(no), "answer": answer(seed, no)} for no in range(1, ROUNDS + 1)]}


def _items(board: dict[str, Any], state: str) -> Iterable[dict[str, Any]]:
    return [item for row in board["results"] for item in row["items"] if item["state"] == state]
