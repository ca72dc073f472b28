"""A team makes all kinds of CVLUE of drawn pictures, up to the leaderboard, while processes are killed.

Captions, visual questions and boxes come in packages; on what is accepted two people write expressions and dialogues
(:mod:`tests.rehearsal.pair_play`). At the same time the teams of three countries write and check questions
(:mod:`tests.rehearsal.team_play`).
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial
from typing import Any

import psycopg

from fixtures import scenes
from tests.bench.installation import OWNER, ROOT, Installation
from tests.bench.pictures import Sender
from tests.rehearsal.faults import Director, kill, wait_until_up
from tests.rehearsal.ledger import PERCENT, Size, counted, expected
from tests.rehearsal.pair_play import PairPlay
from tests.rehearsal.scripts import boxes, captions, questions, subsets
from tests.rehearsal.session import ACCIDENT, Network, Refused, Session, join, key
from tests.rehearsal.team_play import TeamPlay
from tests.rehearsal.team_play import expected as expected_of_teams

SLUG, SYSTEM = "rehearsal", "demo-dual-encoder"
HERE = f"/api/v1/benchmarks/{SLUG}"
PROTOCOL = ROOT / "fixtures" / "protocols" / "demo.yaml"
AT_ONCE = 100  # pictures in one request
# Nothing is left, or something came back in this moment.
NOT_NOW = {"no_package_left", "returned_package_waits"}


def drawn(seed: int) -> tuple[int, bytes]:
    """One scene as a file."""
    return seed, scenes.encode(scenes.scene(seed))


class Rehearsal:
    """One run of the script."""

    def __init__(self, installation: Installation, size: Size, say: Callable[[str], None]) -> None:
        self.installation, self.size, self.say = installation, size, say
        self.network = Network()
        self.scene_of: dict[int, int] = {}
        self.category = ""  # of all pictures
        scripts = (captions(size, self.scene_of), questions(size), boxes(size, self.scene_of, lambda: self.category))
        self.scripts = {script.kind: script for script in scripts}
        boxes_of = self.scripts["boxes"].truth
        self.pairs = PairPlay(installation.database, HERE, size, self.scene_of, boxes_of)
        self.people: dict[str, list[Session]] = {}
        self.over = threading.Event()
        self.failed: list[BaseException] = []

    # --- From nothing to packages ---

    def found(self) -> None:
        """The owner makes the benchmark; everybody is invited, joins and agrees; the protocol draws 25%."""
        owner = self.session(OWNER)
        title = {"zh-Hans": "彩排", "zh-Hant": "彩排", "en": "Rehearsal"}
        owner.send("POST", "/api/v1/benchmarks", {"slug": SLUG, "title": title, "preset": "demo", "client_key": key()})
        for role in ("admin", "curator", "senior", "annotator"):
            inviting = self.people["admin"][0] if "admin" in self.people else owner
            self.people[role] = [self.join(inviting, role, n) for n in range(getattr(self.size, f"{role}s"))]
        text = PROTOCOL.read_text().replace("sample_percent: 30", f"sample_percent: {PERCENT}", 1)
        self.people["admin"][-1].send(
            "POST", f"{HERE}/protocols", {"text": text, "base_version": 1, "client_key": key()}
        )
        self.say(f"{sum(map(len, self.people.values()))} people have joined")

    def session(self, username: str) -> Session:
        """Sign somebody in."""
        return Session(self.installation.base, self.network, username)

    def join(self, inviting: Session, role: str, n: int) -> Session:
        """One person comes by a link."""
        return join(self.installation.base, self.network, inviting, HERE, f"{role}-{n + 1}", roles=[role])

    def bring(self) -> None:
        """One curator brings the pictures, another looks through them."""
        sender = Sender(self.installation.base, "curator-1", None, SLUG)
        judge = self.people["curator"][1]
        seed_of: dict[str, int] = {}
        subset_of = subsets(scenes.distinct_seeds(self.size.pictures), self.pairs.size.dialogues)
        with ProcessPoolExecutor(2) as pool:
            for seed, data in pool.map(drawn, scenes.distinct_seeds(self.size.pictures), chunksize=4):
                seed_of[sender.upload(f"{seed}.png", data)] = seed
        if self.size.worker_dies_checking:
            kill(self.installation, "worker")
            self.say("killed a worker while pictures are checked")
        self.wait("pictures are checked", lambda: not sender.patient("GET", f"{HERE}/uploads?page_size=1")["waiting"])
        ids = list(seed_of)
        self.category = judge.send("GET", HERE)["categories"][0]["slug"]
        details = {"source": "own", "licence": "own-work", "category": self.category}
        for at in range(0, len(ids), AT_ONCE):
            some = ids[at : at + AT_ONCE]
            sender.patient("POST", f"{HERE}/uploads/describe", {"ids": some, "details": details})
            taken = sender.patient("POST", f"{HERE}/uploads/take", {"ids": some, "client_key": key()})["results"]
            images = [row["image"]["id"] for row in taken]
            self.scene_of |= {row["image"]["id"]: seed_of[row["id"]] for row in taken}
            accepted = {"no": 0, "outcome": "accepted"}
            verdicts = [{"image": i, "client_key": key()} | accepted | subset_of[self.scene_of[i]] for i in images]
            judge.send("POST", f"{HERE}/images/judge", {"verdicts": verdicts})
            marks = [{"image": i, "no": 0, "client_key": key()} for i in images]
            judge.send("POST", f"{HERE}/images/clear-personal-information", {"images": marks})
        for script in self.scripts.values():
            rule = {"kind": script.kind, "seed": 7, "maximum": script.size.packages, "complete_only": True}
            built = self.people["admin"][0].send("POST", f"{HERE}/packages/build", rule | {"client_key": key()})
            self.say(f"{len(self.scene_of)} pictures accepted, {len(built['made'])} packages of {script.kind}")
        self.pairs.plan()

    # --- The days of the team ---

    def work(self, teams: TeamPlay) -> None:
        """Everybody at once, teams beside, until every package has passed and every question is accepted."""
        of_teams, of_kinds = expected_of_teams(), [expected(script.size) for script in self.scripts.values()]
        stages = ("revisions", "verdicts of review", "items drawn at random")
        planned = sum(each[stage] for each in of_kinds for stage in stages)
        planned += of_teams["teams: revisions"] + of_teams["teams: stars"] + of_teams["teams: sent back"]
        planned += self.pairs.work()
        ledgers = (*(script.ledger for script in self.scripts.values()), teams.ledger, self.pairs.ledger)
        director = Director(self.installation, lambda: sum(each.progress() for each in ledgers) / planned, self.say)
        turns = [
            partial(turn, who, n, len(self.people[role]))
            for role, turn in (("annotator", self.annotate), ("senior", self.review), ("curator", self.inspect))
            for n, who in enumerate(self.people[role])
        ]
        threads = [threading.Thread(target=self._on, args=(turn,), daemon=True) for turn in (*turns, *teams.turns())]
        director.start()
        for thread in threads:
            thread.start()
        admin = self.people["admin"][-1]
        self.wait("every package has passed", lambda: self._passed(admin) == self.packages, 420)
        self.wait("every question of the teams is accepted", lambda: self.over.is_set() or teams.is_over())
        self.wait("every expression and dialogue is accepted", lambda: self.over.is_set() or self.pairs.is_over())
        if self.failed:
            raise self.failed[0]
        self.over.set()
        for thread in threads:
            thread.join(60)
        director.join(60)
        director.over.set()
        if director.error is not None:
            raise director.error
        self.say(f"all packages passed; {len(director.killed)} processes were killed meanwhile")

    @property
    def packages(self) -> int:
        """The packages of all kinds."""
        return sum(script.size.packages for script in self.scripts.values())

    def _passed(self, admin: Session) -> int:
        if self.failed:
            raise self.failed[0]
        return int(admin.send("GET", f"{HERE}/packages?page_size=1")["counts"].get("passed", 0))

    def _on(self, turn: Callable[[], bool]) -> None:
        """One person: does what there is, waits a moment where there is nothing."""
        try:
            while not self.over.is_set():
                if not turn():
                    self.over.wait(0.4)
        except BaseException as error:  # noqa: BLE001  (told by the main thread)
            self.failed.append(error)
            self.over.set()

    def annotate(self, who: Session, n: int, of: int) -> bool:
        """Continue a dialogue; mend what came back, otherwise write and hand over a new package; then work in pairs."""
        if self.pairs.talk(who):
            return True
        waiting = who.send("GET", f"{HERE}/waiting")
        if waiting["working"]:
            package = waiting["working"][0]
        elif waiting["returned"]:
            package = self.command(who, waiting["returned"][0], "resume")
        else:
            # Half of them begin with the questions.
            kinds = sorted(self.scripts, reverse=n % 2 == 1)
            claimed = next(filter(None, (self.claim(who, kind) for kind in kinds)), None)
            if claimed is None:
                return self.pairs.turn(who)
            package = claimed
        script, number = self.scripts[package["kind"]], package["number"]
        at = f"/api/v1/packages/{package['id']}"
        # The network of each person fails twice a package: an answer is lost, a request is cut in two.
        accidents = {1: "answer", 4: "half"}
        for place, item in enumerate(who.send("GET", f"{at}/sheet")["items"]):
            image, no = item["image"]["id"], item["revision_no"]
            if no > 0 and item["state"] != "returned" and not script.is_false(image, item["content"]):
                continue
            planned = (
                number in script.size.wrong
                or (number in script.size.sent_back and place in (2, 3))
                or (number in script.size.corrected and place == 1)
            )
            content = script.mistake(image) if no == 0 and planned else script.truth(image)
            if place in accidents and no == 0:
                who.cut.append(accidents[place])
            told = who.send(
                "POST",
                f"/api/v1/items/{item['id']}/submit",
                {"base_no": no, "content": content, "reasons": script.overrides, "client_key": key()},
            )
            script.ledger.revision(item["id"], told["revision_no"])
            if script.kind == "boxes":
                self.pairs.boxed_by.setdefault(image, who.username)
        package = who.send("GET", at)
        ticks = [{"id": i["id"], "revision_no": i["revision_no"]} for i in package["items"]]
        package = self.command(who, package, "self-check", items=ticks)
        self.command(who, package, "hand-over")
        return True

    def claim(self, who: Session, kind: str) -> dict[str, Any] | None:
        """The next package of a kind; None if there is none at the moment."""
        try:
            package: dict[str, Any] = who.send("POST", f"{HERE}/packages/claim", {"kind": kind})
        except Refused as refused:
            if refused.code in NOT_NOW:
                return None
            raise
        return package

    def command(self, who: Session, package: dict[str, Any], what: str, **more: Any) -> dict[str, Any]:
        """Give a command on a package as it was last seen."""
        body = {"revision": package["revision"], "client_key": key()} | more
        told: dict[str, Any] = who.send("POST", f"/api/v1/packages/{package['id']}/{what}", body)
        return told

    def mine(self, who: Session, what: str, n: int, of: int) -> list[dict[str, Any]]:
        """What waits for a judge: each of them has packages by number, so that nobody waits for another."""
        return [p for p in who.send("GET", f"{HERE}/waiting")[what] if p["number"] % of == n]

    def review(self, who: Session, n: int, of: int) -> bool:
        """Accept, put right or send back, as the scene says; overlook what the plan lets through."""
        found = self.mine(who, "to_review", n, of)
        for package in found:
            if package["state"] == "handed_over":
                self.command(who, package, "take-review")
            sheet, script = who.send("GET", f"/api/v1/packages/{package['id']}/sheet"), self.scripts[package["kind"]]
            for item in sheet["items"]:
                if item["review"] is not None or item["state"] != "made":
                    continue
                image, number = item["image"]["id"], sheet["number"]
                false = script.is_false(image, item["content"]) and number not in script.size.wrong
                outcome = "accept"
                if false:
                    outcome = "correct" if number in script.size.corrected else "return"
                body = {"revision_no": item["revision_no"], "outcome": outcome, "client_key": key()}
                body |= {"reasons": [script.reason]} if outcome == "return" else {}
                if outcome == "correct":
                    body["content"] = script.truth(image)
                told = who.send("POST", f"/api/v1/items/{item['id']}/review", body)
                script.ledger.verdict("review", item["id"], item["revision_no"])
                if outcome == "correct":
                    script.ledger.revision(item["id"], told["revision_no"])
            self.command(who, who.send("GET", f"/api/v1/packages/{package['id']}"), "complete-review")
        return bool(found) or self.pairs.decide(who, n, of)

    def inspect(self, who: Session, n: int, of: int) -> bool:
        """Judge what was drawn by the scenes' truth."""
        found = self.mine(who, "to_inspect", n, of)
        for package in found:
            sheet, script = (
                who.send("GET", f"/api/v1/packages/{package['id']}/inspection"),
                self.scripts[package["kind"]],
            )
            for item in sheet["items"]:
                if item["inspection_verdict"] is not None:
                    continue
                false = script.is_false(item["image"]["id"], item["content"])
                body = {"revision_no": item["revision_no"], "outcome": "wrong" if false else "right"}
                body |= {"reasons": [script.reason] if false else [], "client_key": key()}
                who.send("POST", f"/api/v1/items/{item['id']}/inspect", body)
                script.ledger.verdict("inspection", item["id"], item["revision_no"])
            self.command(who, who.send("GET", f"/api/v1/packages/{package['id']}"), "complete-inspection")
        return bool(found)

    # --- What comes out ---

    def release(self, *kinds: str) -> int:
        """Draft, check, freeze, files, publish."""
        admin = self.people["admin"][0]
        body = {"kinds": kinds, "seed": "2026", "client_key": key()}
        made = admin.send("POST", f"{HERE}/releases", body)
        at = f"/api/v1/releases/{made['id']}"
        for what in ("check", "freeze"):
            admin.send("POST", f"{at}/{what}", {"client_key": key()})

        def written() -> bool:
            told = admin.send("GET", at)
            if told["job"] is not None and told["job"]["state"] == "failed":
                raise AssertionError(f"the release's files failed: {told['job']}")
            names = {file["name"] for file in told["files"]}
            over = told["job"] is None or told["job"]["state"] in ("done", "succeeded")
            return told["state"] == "frozen" and over and "checksums.txt" in names and not told["missing_files"]

        self.wait("the release is written", written)
        told = admin.send("POST", f"{at}/publish", {"client_key": key()})
        self.say(f"{told['label']} is published: {told['items']} items, {len(told['files'])} files")
        return int(made["id"])

    def evaluate(self, release: int) -> dict[str, Any]:
        """A system answers, its worker dies on the way; it is scored and stands on the leaderboard."""
        admin = self.people["admin"][0]
        body = {"system": SYSTEM, "suite": "retrieval", "release": release, "client_key": key()}
        run = admin.send("POST", f"{HERE}/runs", body)
        at = f"/api/v1/runs/{run['id']}"
        self.wait("the run has begun", lambda: admin.send("GET", at)["done"] > 0)
        kill(self.installation, "gpu worker")
        self.say("killed the worker that answers")
        self.wait("the run is done", lambda: admin.send("GET", at)["status"] == "done")
        admin.send("POST", f"/api/v1/releases/{release}/score", {"client_key": key()})

        def rows() -> list[dict[str, Any]]:
            board = admin.send("GET", f"/api/v1/releases/{release}/leaderboard")
            return [row for row in board["systems"] if row["scores"]]

        self.wait("the leaderboard has its row", rows)
        return {"run": admin.send("GET", at), "board": admin.send("GET", f"/api/v1/releases/{release}/leaderboard")}

    def wait(self, told: str, until: Callable[[], Any], seconds: float = 180) -> None:
        """Ask until it is so."""
        end = time.monotonic() + seconds
        while not until():
            if time.monotonic() > end:
                raise AssertionError(f"waited {seconds:.0f} s in vain until {told}")
            time.sleep(0.2)

    def play(self) -> tuple[dict[str, int], dict[str, int]]:
        """The whole; expected and counted figures."""
        with ThreadPoolExecutor(1) as beside:
            founded = beside.submit(TeamPlay, self.installation, self.say)
            self.found()
            self.bring()
            teams = founded.result()
            self.work(teams)
            opened = beside.submit(teams.release, self.wait)
            of_captions, of_questions = self.release("captions"), self.release("vqa")
            mixed = self.release("captions", "vqa", "boxes", "grounding", "dialogue")
            [agreed] = self.people["admin"][0].send("GET", f"{HERE}/quality?kind=boxes")["doubles"]
            told = self.evaluate(mixed)
            wait_until_up(self.installation)
            rows = opened.result()
        planned = expected_of_teams() | self.pairs.expected()
        seen = teams.counted(rows) | self.pairs.counted(SLUG)
        for script in self.scripts.values():
            planned |= {f"{script.kind}: {name}": n for name, n in expected(script.size).items()}
            counts = counted(self.installation.database, SLUG, script)
            seen |= {f"{script.kind}: {name}": n for name, n in counts.items()}
        with psycopg.connect(self.installation.database) as connection:

            def one(statement: str, *given: Any) -> int:
                row = connection.execute(statement, given).fetchone()  # type: ignore[arg-type]
                return int(row[0]) if row else 0

            entries = "select count(*) from annotation_releaseentry where release_id = %s"
            seen["items in the release"] = one(entries, of_captions)
            seen["items in the release of questions"] = one(entries, of_questions)
            seen["items in the release of all kinds"] = one(entries, mixed)
            seen["boxes in the release of all kinds"] = one(f"{entries} and kind = 'boxes'", mixed)
            seen["pictures with another split in it"] = one(
                "select count(*) from annotation_releaseimage a join annotation_releaseimage b using (image_id)"
                " where a.release_id in (%s, %s) and b.release_id = %s and a.split <> b.split",
                of_captions,
                of_questions,
                mixed,
            )
            seen["kinds compared with an earlier release"] = one(
                "select count(*) from annotation_releasekind where release_id = %s and previous_id in (%s, %s)"
                ' and changes = \'{"added": 0, "changed": 0, "removed": 0}\'',
                mixed,
                of_captions,
                of_questions,
            )
            seen["pictures whose agreement is shown"] = agreed["pictures"]
            seen["questions on pictures outside subset A"] = one(
                "select count(*) from annotation_releaseentry e join curation_image i on i.id = e.image_id"
                " where e.release_id = %s and i.subset <> 'A'",
                of_questions,
            )
            of_test = one(
                "select 5 * count(*) from annotation_releaseentry"
                " where release_id = %s and kind = 'captions' and split = 'test'",
                mixed,
            )
            seen["replies of the run"] = one(
                "select count(*) from evaluation_reply where run_id = %s", told["run"]["id"]
            )
            seen["replies counted by the run"] = told["run"]["done"]
        planned |= {"items in the release": self.size.pictures}
        planned |= {"replies of the run": of_test, "replies counted by the run": of_test}
        planned |= {
            "items in the release of questions": self.scripts["vqa"].size.pictures,
            "questions on pictures outside subset A": 0,
            "items in the release of all kinds": sum(
                self.scripts[kind].size.pictures for kind in ("captions", "vqa", "boxes")
            )
            + self.pairs.size.pictures
            + self.pairs.size.dialogues,
            "boxes in the release of all kinds": self.scripts["boxes"].size.pictures,
            "pictures with another split in it": 0,
            "kinds compared with an earlier release": 2,
            "pictures whose agreement is shown": self.scripts["boxes"].size.copies,
        }
        planned |= {"systems on the leaderboard": 1, "queries not answered": 0}
        planned |= {"accidents of the network": 2 * self.packages + self.pairs.size.accidents}
        seen["systems on the leaderboard"] = len([row for row in told["board"]["systems"] if row["scores"]])
        seen["queries not answered"] = sum(s["n_missing"] for row in told["board"]["systems"] for s in row["scores"])
        seen["accidents of the network"] = self.network.seen[ACCIDENT]
        return planned, seen


def table(planned: dict[str, int], seen: dict[str, int]) -> str:
    """Both figures side by side; what differs is marked."""
    lines = [f"{'':40}{'expected':>10}{'counted':>10}"]
    for name, number in planned.items():
        mark = "" if seen.get(name) == number else "   <- differs"
        lines.append(f"{name:40}{number:>10}{seen.get(name, -1):>10}{mark}")
    return "\n".join(lines)


def rehearse(size: Size, say: Callable[[str], None]) -> tuple[dict[str, int], dict[str, int]]:
    """Start an installation, play, end it."""
    begun = time.monotonic()

    def tell(sentence: str) -> None:
        say(f"[{time.monotonic() - begun:6.1f} s] {sentence}")

    with Installation() as installation:
        tell("the installation is up")
        rehearsal = Rehearsal(installation, size, tell)
        planned, seen = rehearsal.play()
        tell("over; on the way: " + ", ".join(f"{n} x {what}" for what, n in rehearsal.network.seen.most_common()))
    return planned, seen
