"""Helpers for dialogues: a benchmark with accepted captions and people who question and answer."""

from __future__ import annotations

import uuid
from typing import Any

from annotation.dialogues import services
from annotation.dialogues.models import Dialogue
from annotation.items.models import Item
from curation.images.models import Image
from curation.people.models import Person
from tests.annotation.pairs import revise
from tests.kinds import numbers_of
from tests.people import ROLES, World, people, world
from tests.protocols import captions_protocol, names
from tests.ready import accepted_pictures
from tests.sentences import five_captions

TALKER = {"code": "talker", "name": names("talker"), "capabilities": ["question:dialogue", "answer:dialogue"]}
ASKER = {"code": "asker", "name": names("asker"), "capabilities": ["question:dialogue"]}


def dialogue_protocol(**settings: Any) -> dict[str, Any]:
    """Content of a protocol version with captions, and with dialogues of two rounds about them."""
    content = captions_protocol(size=4)
    own = numbers_of("dialogue") | {"rounds": 2} | settings
    content["kinds"]["dialogue"] = {"track": "pair", "subset": "B"} | own
    content["tracks"]["pair"] = {"attempts": 2, "blind": False}
    content["images"] = {"subsets": [{"code": "B", "name": names("B"), "rule": names("any")}]}
    return content | {"roles": [*ROLES, TALKER, ASKER]}


def dialogue_world(talkers: int = 2, *, pictures: int = 1, roles: tuple[str, ...] = ("talker",), **more: Any) -> World:
    """A benchmark with accepted captions on every picture and people ``t1`` … who question and answer."""
    here = world(dialogue_protocol(**more))
    images = accepted_pictures(here.benchmark, here.contributor, here.curator, pictures)
    Image.objects.filter(pk__in=[image.pk for image in images]).update(subset="B")
    people({f"t{n}": roles for n in range(1, talkers + 1)}, here.benchmark)
    for n, image in enumerate(images, 1):
        accepted_captions(here, image, n)
    return here


def accepted_captions(here: World, image: Image, n: int) -> Item:
    """An item of accepted captions, as a passed package leaves it; the senior wrote them."""
    item = Item.objects.create(benchmark=here.benchmark, kind="captions", image=image, number=n)
    return accept_captions(here, item, five_captions(n))


def accept_captions(here: World, item: Item, content: dict[str, Any]) -> Item:
    """The item of captions, accepted with another content."""
    revise(item, here.senior, content)
    Item.objects.filter(pk=item.pk).update(state="accepted", accepted_no=item.revision_no)
    item.refresh_from_db()
    return item


def talker(n: int) -> Person:
    """The n-th person who questions and answers, from 1, with the roles of now."""
    return Person.objects.get(username=f"t{n}")


def join(who: Person, *parts: str) -> None:
    """Wait in the lobby."""
    services.join_lobby(actor=who, benchmark_slug="cvlue", parts=parts or ("question", "answer"))


def begun() -> Dialogue:
    """An open dialogue in which ``t1`` questions and ``t2`` answers."""
    join(talker(1), "question")
    join(talker(2), "answer")
    return Dialogue.objects.get(state="open", questioner=talker(1))


def say(dialogue: Dialogue, no: int, text: str | None = None, **more: Any) -> Dialogue:
    """Write a turn, by the person whose turn that number is."""
    who = dialogue.questioner if no % 2 else dialogue.answerer
    fields: dict[str, Any] = {"actor": who, "no": no, "text": text or words(no), "client_key": uuid.uuid4()} | more
    return services.say(dialogue_id=dialogue.pk, **fields)


def words(no: int) -> str:
    """A question or an answer of the right form, different for each number."""
    return f"第{no}个问题：左边有什么？" if no % 2 else f"左边有{no}只熊猫。"


def finished(dialogue: Dialogue | None = None) -> Dialogue:
    """A dialogue with all turns."""
    dialogue = dialogue or begun()
    for no in range(dialogue.turn_no + 1, 2 * dialogue.rounds + 1):
        dialogue = say(dialogue, no)
    return dialogue
