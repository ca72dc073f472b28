"""A benchmark whose panel judges questions, with a model that tries each without its picture."""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable
from typing import Any

from annotation.items.models import Item
from annotation.peer import services as peer
from annotation.tracks import services as writing
from annotation.trials import services
from annotation.trials.queries import TRY_BLIND
from annotation.trials.tasks import try_blind
from curation.core.models import Job
from curation.people.models import Person
from tests.annotation.panels import panel_protocol
from tests.kinds import CONTENTS, numbers_of
from tests.people import World, people, send, signed_in, world
from tests.protocols import names
from tests.ready import accepted_pictures

KIND = "multiple_choice"
TRIALS = {"model": "m", "prompt": "choice-text-only", "tries": 4, "flagged_from": 4}


def trials_protocol(**changes: Any) -> dict[str, Any]:
    """Content of a protocol version whose questions a panel judges and a model tries."""
    work = {"track": "panel", "per_picture": {"minimum": 1, "maximum": 3}}
    kinds = {KIND: numbers_of(KIND) | work | {"blind_trials": TRIALS | changes}}
    return panel_protocol() | {"kinds": kinds, "languages": {"content": "zh-Hans", "translation": "en"}}


def trials_world(pictures: int = 1, *, content: dict[str, Any] | None = None) -> World:
    """A benchmark with verifiers ``v1`` … and pictures to write about."""
    here = world(content or trials_protocol(), slug="tcc")
    people({f"tcc-v{n}": ["verifier"] for n in (1, 2, 3)}, here.benchmark)
    category = {"slug": "tea", "number": 1, "name": names("tea"), "field": "food", "field_name": names("food")}
    here.benchmark.categories.create(**category, distance="closest")
    accepted_pictures(here.benchmark, here.contributor, here.curator, pictures)
    return here


def question(here: World, picture: int = 0, n: int = 1) -> Item:
    """A submitted question."""
    image = here.benchmark.images.order_by("pk")[picture]
    facts = {"actor": here.annotator, "benchmark_slug": "tcc", "kind": KIND, "image_id": image.pk}
    return submit(here.annotator, peer.create_item(**facts, client_key=uuid.uuid4()), CONTENTS[KIND](n))


def submit(who: Person, item: Item, content: dict[str, Any]) -> Item:
    """The item with a text."""
    fields = {"base_no": Item.objects.get(pk=item.pk).revision_no, "content": content, "reasons": {}, "track": "panel"}
    writing.submit_item(actor=who, item_id=item.pk, client_key=uuid.uuid4(), **fields)
    return Item.objects.get(pk=item.pk)


def work() -> int:
    """What beat and a worker of the queue ``served`` do; return how many jobs were started."""
    started = services.sweep()
    for job in Job.objects.filter(task=TRY_BLIND, state="queued").order_by("pk"):
        try_blind(job_id=job.pk)
    return started


def shown(who: Person, item: Item) -> dict[str, Any]:
    """The trials of an item as a person gets them."""
    answer = send(signed_in(who), "GET", f"items/{item.pk}/blind-trials")
    assert answer.status_code == 200, answer.json()
    return dict(answer.json())


def knows(*right: str, otherwise: str = "none of them") -> Callable[[dict[str, Any]], str]:
    """A model that finds any of some texts among the options, and replies with its letter."""

    def says(body: dict[str, Any]) -> str:
        text = body["messages"][-1]["content"]
        letters = {option: letter for letter, option in re.findall(r"^([A-J])\. (.*)$", text, re.MULTILINE)}
        return next((letters[option] for option in right if option in letters), otherwise)

    return says
