"""The demo's benchmark of TCC-Bench: concepts, questions that a scripted model drafts, and panels that judge them.

Like ``manage.py demo_data``, which calls it, it uses the services of real work, and each command carries a key derived
from what it does. The protocol is the preset with three differences, which fit drawn scenes and a model that ships.
"""

from __future__ import annotations

import io
import uuid
from collections.abc import Callable, Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any, Final

from django.conf import settings

from annotation.concepts.services import add_concept
from annotation.items.models import Item
from annotation.kinds.multiple_choice import KIND
from annotation.panel import services as panel
from annotation.peer import services as peer
from annotation.seats.models import Seat
from annotation.tracks import services as writing
from curation.benchmarks.models import Benchmark
from curation.calls.services import add_offer
from curation.images import services as images
from curation.people import services as people
from curation.people.models import Person
from curation.taxonomy.services import create_benchmark
from evaluation.management.demo_search import store_empty_searches
from fixtures.drafts import FREE, TOPICS, Topic
from fixtures.scripted_model import MODEL

SLUG: Final = "lantern-questions"
TITLE: Final = {
    "zh-Hans": "花灯示例：起草与独立评审",
    "zh-Hant": "花燈範例：起草與獨立評審",
    "en": "Lantern demo: drafting and panels",
}
#: The name under which the launcher lists the scripted model's server.
SERVER: Final = "demo"
_PRESET: Final = Path(__file__).resolve().parents[2] / "fixtures" / "protocols" / "tcc-bench.yaml"
# Drawn scenes are one's own, and a scripted model drafts.
_DIFFERENCES: Final = {
    "model: gpt-4o": f"model: {MODEL}",
    "sources: [external]": "sources: [external, own]",
    "name: tcc-bench\n": "name: tcc-bench-demo\n",
}
_ROLES: Final = {
    "admin": ["admin"],
    "curator": ["curator"],
    "annotator": ["annotator"],
    "annotator2": ["annotator"],
    "senior": ["verifier"],
    "contributor": ["verifier"],
}


def _key(*what: object) -> uuid.UUID:
    """The client key of one step."""
    return uuid.uuid5(uuid.NAMESPACE_URL, f"{SLUG}/{'/'.join(map(str, what))}")


def seeds() -> list[int]:
    """Return the scenes."""
    return [*(topic.seed for topic in TOPICS), *FREE]


def protocol_text() -> str:
    """Return the protocol: the preset's text with the differences."""
    text = _PRESET.read_text(encoding="utf-8")
    for before, after in _DIFFERENCES.items():
        if before not in text:
            raise ValueError(f"the preset has no {before!r}")
        text = text.replace(before, after)
    return text


def fill(persons: Mapping[str, Person], file_of: Callable[[int], bytes]) -> None:
    """Make the benchmark, or the rest of it.

    Args:
        persons: the demo's, by user name.
        file_of: returns the scene of a seed as a file.
    """
    benchmark = Benchmark.objects.filter(slug=SLUG).first()
    if benchmark is None:
        benchmark = create_benchmark(
            actor=persons["owner"], slug=SLUG, title=TITLE, text=protocol_text(), client_key=_key("benchmark")
        )
    if SERVER in settings.MODEL_SERVERS:
        free = {"million_in": Decimal(0), "million_out": Decimal(0), "per_picture": Decimal(0)}
        add_offer(actor=persons["owner"], server=SERVER, model=MODEL, currency="USD", **free, client_key=_key("offer"))
    for name, roles in _ROLES.items():
        _admit(persons[name], benchmark, roles)
    pictures = _pictures(benchmark, persons, file_of)
    for topic in TOPICS:
        _concept(persons["annotator2"], topic, pictures[topic.seed])
    first, second, third, _ = TOPICS
    # One passed, one failed, and one that has the first of two verdicts; the last topic is left to the visitor. The
    # right option of the first repeats words of its question, so blind trials flag it.
    for topic, n, outcomes in (
        (first, 1, {"senior": "pass", "contributor": "pass"}),
        (second, 1, {"senior": "pass", "contributor": "fail"}),
        (third, 0, {"contributor": "pass"}),
    ):
        item = _submitted(persons["annotator2"], topic, n, pictures[topic.seed])
        for name, outcome in outcomes.items():
            _judge(persons[name], item, outcome)


def _admit(person: Person, benchmark: Benchmark, roles: list[str]) -> None:
    """Grant roles and agree to the benchmark's text."""
    people.grant_roles(person=person, benchmark_id=benchmark.pk, roles=roles, granted_by=None)
    person.grants = None
    version = benchmark.protocol
    if version is not None and version.consent_sha256:
        people.give_consent(
            actor=person,
            benchmark_slug=SLUG,
            text_sha256=version.consent_sha256,
            eligibility=[entry["code"] for entry in version.content["consent"]["eligibility"]],
            client_key=_key("consent", person.username, version.version),
        )
        person.grants = None


def _pictures(benchmark: Benchmark, persons: Mapping[str, Person], file_of: Callable[[int], bytes]) -> dict[int, int]:
    """Upload the scenes and accept them; return seed → picture."""
    domains = {topic.seed: topic.category for topic in TOPICS} | FREE
    pictures = {
        seed: images.upload_image(
            actor=persons["annotator2"],
            benchmark_slug=SLUG,
            file=io.BytesIO(file_of(seed)),
            source="own",
            licence="CC0-1.0",
            category=domain,
            client_key=_key("upload", seed),
        ).image_id
        for seed, domain in domains.items()
    }
    verdicts = [
        images.Verdict(image_id=image_id, no=0, outcome="accepted", client_key=_key("judge", seed))
        for seed, image_id in pictures.items()
    ]
    marks = [images.Mark(image_id, _key("clear", seed)) for seed, image_id in pictures.items()]
    store_empty_searches(benchmark, pictures.values())
    curator = persons["curator"]
    for done in (
        *images.judge_images(actor=curator, benchmark_slug=SLUG, verdicts=verdicts),
        *images.clear_images(actor=curator, benchmark_slug=SLUG, marks=marks),
    ):
        if done.error is not None:
            raise done.error
    return pictures


def _concept(author: Person, topic: Topic, image_id: int) -> None:
    local, translated = topic.names
    add_concept(
        actor=author,
        image_id=image_id,
        local=local,
        translated=translated,
        aliases=[],
        noun_local=topic.generic[0],
        noun_translated=topic.generic[1],
        explanation="",
        client_key=_key("concept", topic.seed),
    )


def _submitted(author: Person, topic: Topic, n: int, image_id: int) -> Item:
    """A question of the topic that waits for its panel, or was judged in an earlier run."""
    item = peer.create_item(
        actor=author, benchmark_slug=SLUG, kind=KIND.name, image_id=image_id, client_key=_key("create", topic.seed)
    )
    if item.revision_no == 0:
        content: dict[str, Any] = topic.drafts[n].as_json(topic.category)
        item, _, _ = writing.submit_item(
            actor=author,
            item_id=item.pk,
            base_no=0,
            content=content,
            reasons={},
            track=Item.Track.PANEL.value,
            client_key=_key("submit", topic.seed),
        )
    return item


def _judge(judge: Person, item: Item, outcome: str) -> None:
    """Claim a seat of the item and judge it, unless an earlier run did."""
    mine = Seat.objects.filter(item=item, holder=judge)
    if mine.filter(state=Seat.State.DONE).exists():
        return
    if not mine.exists():
        peer.claim_items(actor=judge, benchmark_slug=SLUG, kind=item.kind)
    panel.judge_item(
        actor=judge,
        item_id=item.pk,
        revision_no=item.revision_no,
        outcome=outcome,
        reasons=["wrong_fact"] if outcome == "fail" else [],
        comment="不同地方的习俗不一样，选项不止一个说得通。" if outcome == "fail" else "",
        client_key=_key("judge item", item.number, judge.username),
    )
