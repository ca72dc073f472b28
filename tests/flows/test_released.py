"""Each kind in each track, from a picture to a released record that says exactly what was submitted.

Kinds and tracks come from their registries. A new kind gives a content in ``tests.kinds.CONTENTS``, a new track its way
of creating and of accepting an item in ``WAYS``.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pyarrow.parquet as pq
import pytest

from annotation.dialogues.models import Dialogue
from annotation.items.models import Item
from annotation.kinds.published import columns
from annotation.kinds.registry import KINDS, LIVE, label, tracks_of
from annotation.releases import services as releases
from annotation.releases.rules import scored_round
from annotation.tracks.registry import TRACKS
from curation.core import jobs
from curation.images.models import Image
from curation.people.models import RoleGrant, Team
from tests.annotation.pairs import CLICKER, accept_boxes
from tests.annotation.releases.content import picture, protocol, team
from tests.annotation.talks import TALKER
from tests.annotation.teams import MEMBER
from tests.kinds import CONTENTS, numbers_of, tree_of
from tests.people import ROLES, people, send, signed_in
from tests.people import key as new_key
from tests.protocols import names

pytestmark = pytest.mark.django_db


class Flow:
    """A benchmark with one picture, worked on by a team of two, whose only kind is in one track."""

    def __init__(self, kind: str, track: str) -> None:
        self.kind, self.track = kind, track
        content = protocol(splits={"train": 0, "valid": 0, "test": 100})
        content["languages"] = {"content": "team", "translation": "en"}
        content["kinds"] = {kind: numbers_of(kind) | {"track": track, "per_picture": {"minimum": 1, "maximum": 1}}}
        content["tracks"]["package"] |= {"size": 1, "sample_percent": 100}
        content["tracks"]["peer"] = {"items_per_team": 200, "spot_check_percent": 10, "blind": False}
        content["tracks"]["panel"] = {"people": 2, "on_failure": "exclude"}
        content["roles"] = [*ROLES, MEMBER, CLICKER, TALKER]
        if base := KINDS[kind].base:
            content["kinds"][base] = numbers_of(base)
        self.here = team(content=content)
        members = people({"author": ["member"], "colleague": ["member"]}, self.here.benchmark)
        [clicker] = people({"clicker": ["clicker", "talker"]}, self.here.benchmark)
        RoleGrant.objects.create(person=members[0], benchmark=self.here.benchmark, role="talker")
        language = {"language": "zh-Hans-CN", "language_name": names("Mandarin"), "script": "han"}
        place = {"pair": "china_chinese", "country": names("China"), "continent": "asia"}
        one = Team.objects.create(benchmark=self.here.benchmark, name="one", lead=members[0], **language, **place)
        RoleGrant.objects.filter(person__in=members, role="member").update(team=one)
        self.image: Image = picture(self.here, 1, team=one)
        roles = {name: getattr(self.here, name) for name in ("admin", "senior", "curator")}
        everyone = roles | {"clicker": clicker} | dict(zip(("author", "colleague"), members, strict=True))
        self.browsers = {name: signed_in(who) for name, who in everyone.items()}
        self.b = f"benchmarks/{self.here.benchmark.slug}"

    def ask(self, who: str, method: str, address: str, **body: Any) -> Any:
        """Send a request as somebody; a refusal fails with the answer."""
        answer = send(self.browsers[who], method, address, body or None)
        assert answer.status_code < 300, f"{who}: {method} {address}: {answer.content.decode()}"
        return answer.json() if answer.content else None

    def command(self, who: str, address: str, **body: Any) -> Any:
        """Send a command under a client key of its own."""
        return self.ask(who, "POST", address, **body, client_key=new_key())

    def on_package(self, who: str, item: int, name: str, **body: Any) -> Any:
        """Give a command on the package of an item at its current revision."""
        package = self.ask("admin", "GET", f"items/{item}")["package"]["id"]
        revision = self.ask("admin", "GET", f"packages/{package}")["revision"]
        return self.command(who, f"packages/{package}/{name}", revision=revision, **body)


def create_in_package(flow: Flow) -> int:
    """Build a package of the picture and claim it."""
    flow.command("admin", f"{flow.b}/packages/build", kind=flow.kind, seed=7)
    package = flow.ask("author", "POST", f"{flow.b}/packages/claim", kind=flow.kind)["id"]
    [item] = flow.ask("author", "GET", f"packages/{package}/next")["items"]
    return int(item["id"])


def accept_in_package(flow: Flow, item: int) -> None:
    """Submit the package; a reviewer accepts the item and an inspector finds it right."""
    flow.on_package("author", item, "self-check", items=[{"id": item, "revision_no": 1}])
    flow.on_package("author", item, "hand-over")
    flow.on_package("senior", item, "take-review")
    flow.command("senior", f"items/{item}/review", revision_no=1, outcome="accept")
    flow.on_package("senior", item, "complete-review")
    flow.command("curator", f"items/{item}/inspect", revision_no=1, outcome="right")
    flow.on_package("curator", item, "complete-inspection")


def create_for_team(flow: Flow) -> int:
    """Create an item on the team's picture."""
    return int(flow.command("author", f"{flow.b}/team-items", kind=flow.kind, image=flow.image.pk)["id"])


def accept_by_star(flow: Flow, item: int) -> None:
    """A colleague stars the item."""
    flow.command("colleague", f"items/{item}/star", revision_no=1)


def accept_by_panel(flow: Flow, item: int) -> None:
    """Two people pass the item."""
    for who in ("colleague", "curator"):
        flow.ask(who, "POST", f"{flow.b}/peer-pool/claim", kind=flow.kind)
        flow.command(who, f"items/{item}/judge", revision_no=1, outcome="pass")


def create_on_boxes(flow: Flow) -> int:
    """Create an item that rests on accepted boxes of the picture."""
    boxes = Item.objects.create(benchmark=flow.here.benchmark, kind="boxes", image=flow.image, number=1)
    accept_boxes(flow.here, boxes, CONTENTS["boxes"](1))
    return create_for_team(flow)


def accept_by_clicks(flow: Flow, item: int) -> None:
    """A second person finds the only object."""
    held = flow.ask("clicker", "POST", f"{flow.b}/clicking/claim", kind=flow.kind)["item"]
    x, y, width, height = CONTENTS["boxes"](1)["boxes"][0]["box"]
    middle = {"x": x + width / 2, "y": y + height / 2}
    assert (held["id"], held["count"]) == (item, 1)
    flow.command("clicker", f"items/{item}/click", position=1, answer="point", **middle)


def write_alone(flow: Flow, item: int) -> None:
    """Save a draft and submit the content."""
    content, track = CONTENTS[flow.kind](1), flow.track
    flow.ask("author", "PUT", f"items/{item}/draft", base_no=0, seq=1, content=CONTENTS[flow.kind](2), track=track)
    flow.command("author", f"items/{item}/submit", base_no=0, content=content, track=track)


def pair_on_captions(flow: Flow) -> int:
    """Wait in the lobby with a partner until the two are paired over the picture's caption."""
    captions = Item.objects.create(benchmark=flow.here.benchmark, kind="captions", image=flow.image, number=1)
    accept_boxes(flow.here, captions, CONTENTS["captions"](1))
    flow.ask("clicker", "POST", f"{flow.b}/lobby", parts=["question"])
    flow.ask("author", "POST", f"{flow.b}/lobby", parts=["answer"])
    return Item.objects.get(kind=flow.kind).pk


def write_in_turns(flow: Flow, item: int) -> None:
    """Question and answer to the end."""
    [dialogue] = flow.ask("author", "GET", f"{flow.b}/lobby")["dialogues"]
    for n, one in enumerate(CONTENTS[flow.kind](1)["rounds"]):
        at = f"dialogues/{dialogue['id']}/turns"
        flow.command("clicker", at, no=2 * n + 1, text=one["question"])
        flow.command("author", at, no=2 * n + 2, text=one["answer"])


def accept_by_decision(flow: Flow, item: int) -> None:
    """A person who reviews decides that it is right."""
    flow.command("senior", f"items/{item}/decide", revision_no=1, outcome="right")


@dataclass(frozen=True)
class Way:
    """How an item of a track is created by ``author`` and accepted by the others."""

    create: Callable[[Flow], int]
    accept: Callable[[Flow, int], None]
    write: Callable[[Flow, int], None] = write_alone


WAYS = {
    "package": Way(create_in_package, accept_in_package),
    "peer": Way(create_for_team, accept_by_star),
    "panel": Way(create_for_team, accept_by_panel),
    "pair": Way(create_on_boxes, accept_by_clicks),
}
# Of kinds that two people write live.
LIVE_WAY = Way(pair_on_captions, accept_by_decision, write_in_turns)


def test_no_kind_and_no_track_is_missing():
    assert (set(CONTENTS), set(WAYS)) == (set(KINDS), set(TRACKS))
    assert {track for kind in KINDS for track in tracks_of(kind)} == set(TRACKS)


@pytest.mark.parametrize(("kind", "track"), [(kind, track) for kind in KINDS for track in tracks_of(kind)])
def test_the_released_record_says_what_was_submitted(kind, track, settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "media"
    flow, content = Flow(kind, track), CONTENTS[kind](1)
    way = LIVE_WAY if kind in LIVE else WAYS[track]
    item = way.create(flow)
    way.write(flow, item)
    assert flow.ask("admin", "GET", f"items/{item}")["state"] == "made"
    way.accept(flow, item)
    shown = flow.ask("admin", "GET", f"items/{item}")
    assert (shown["state"], shown["accepted_no"], shown["track"]) == ("accepted", 1, track)

    release = flow.command("admin", f"{flow.b}/releases", kinds=[kind], seed="7")["id"]
    flow.command("admin", f"releases/{release}/check")
    asked = flow.command("admin", f"releases/{release}/freeze")
    assert jobs.run(asked["job"]["id"], releases.freeze) == "done"
    frozen = flow.ask("admin", "GET", f"releases/{release}")
    assert jobs.run(frozen["job"]["id"], releases.write_files) == "done"

    folder = releases.folder_of(release)
    [line] = (folder / f"{kind}-test.jsonl").read_text(encoding="utf-8").splitlines()
    record = json.loads(line)
    more = {}
    if kind in LIVE:  # dialogues are scored at one round
        answers = {one["answer"] for one in content["rounds"]}
        assert (set(record["candidates"]), len(record["candidates"])) == (answers, len(answers))
        more = {
            "caption": Dialogue.objects.get(item=item).caption,
            "scored_round": scored_round(7, shown["number"], 10),
            "candidates": record["candidates"],
        }
    assert record == {
        "id": 1,
        "label": flow.image.label,
        "item": label(kind, shown["number"]),
        "revision": 1,
        "image": "images/test/A/2-tea/A-2-1.png",
        "image_sha256": flow.image.renditions.get(role="clean").sha256,
        "width": 24,
        "height": 16,
        "category": "tea",
        "subset": "A",
        "licence": "CC-BY-4.0",
        "source": {"kind": "external", "url": "https://example.org/1", "author": "摄影者, 甲"},
        "split": "test",
        "protocol_version": 1,
        "language": "zh-Hans-CN",
        "language_name": "Mandarin",
        "translation_language": "en",
        "country": "China",
        "continent": "asia",
        "distance": "closest",
        **more,
        **content,
    }
    [row] = pq.read_table(folder / f"{kind}-test-00000-of-00001.parquet").to_pylist()
    assert {name: row[name] for name in columns(tree_of(kind))} == content
