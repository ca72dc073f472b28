"""The demo's third benchmark: a category board in progress, whose last proposals are left to the visitor.

Like ``manage.py demo_data``, which calls it, it uses the services of real work, and each command carries a key derived
from what it does.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import Any, Final

from curation.benchmarks.models import Benchmark
from curation.board import services as board
from curation.board.models import Board, BoardEntry
from curation.board.rules import VOUCHINGS
from curation.core.models import AuditEvent
from curation.people import services as people
from curation.people.models import Person
from curation.taxonomy.services import create_benchmark

SLUG: Final = "lantern-board"
TITLE: Final = {
    "zh-Hans": "花灯示例：类别评议",
    "zh-Hant": "花燈範例：類別評議",
    "en": "Lantern demo: category board",
}
_FIELDS: Final = {"festivals": ("节庆", "節慶", "Festivals"), "food": ("饮食", "飲食", "Food")}
# Names by field and proposer; in each field one is everyone's, and some are of one person only.
_PROPOSED: Final[Mapping[str, Mapping[str, tuple[tuple[str, str, str], ...]]]] = {
    "contributor": {
        "festivals": (("花灯", "花燈", "lantern"), ("龙舟", "龍舟", "dragon boat"), ("热闹", "熱鬧", "bustle")),
        "food": (("月饼", "月餅", "mooncake"), ("粽子", "粽子", "zongzi"), ("火锅", "火鍋", "hot pot")),
    },
    "annotator2": {
        "festivals": (("花灯", "花燈", "lantern"), ("舞狮", "舞獅", "lion dance"), ("灯笼", "燈籠", "paper lantern")),
        "food": (("月饼", "月餅", "mooncake"), ("小吃", "小吃", "snack"), ("汤圆", "湯圓", "tangyuan")),
    },
}
# What the curator decided already: name, action, reason, and the category it is merged into.
_DECIDED: Final = (
    ("花灯", "keep", "", ""),
    ("灯笼", "merge", "同物异名", "花灯"),
    ("热闹", "remove", "不是有形之物", ""),
    ("月饼", "keep", "", ""),
    ("小吃", "remove", "过于宽泛", ""),
    ("火锅", "regroup", "WordNet 中只有炖菜之义", ""),
    ("火锅", "keep", "", ""),
    ("舞狮", "keep", "", ""),
)


# Those of the reasons that the page offers, so that every visitor reads them in their language.
_USUAL: Final = {"同物异名": "same_thing", "不是有形之物": "not_physical", "过于宽泛": "too_general"}


def _key(*what: object) -> uuid.UUID:
    """The client key of one step."""
    return uuid.uuid5(uuid.NAMESPACE_URL, f"{SLUG}/{'/'.join(map(str, what))}")


def fill(persons: Mapping[str, Person]) -> None:
    """Make the benchmark, or the rest of it.

    Args:
        persons: the demo's, by user name.
    """
    benchmark = Benchmark.objects.filter(slug=SLUG).first()
    if benchmark is None:
        fields = [
            {"code": code, "name": dict(zip(("zh-Hans", "zh-Hant", "en"), names, strict=True))}
            for code, names in _FIELDS.items()
        ]
        settings = {"proposers": 3, "per_field": {"minimum": 3, "maximum": 6}, "semantic_fields": fields}
        benchmark = create_benchmark(
            actor=persons["owner"],
            slug=SLUG,
            title=TITLE,
            preset="demo",
            categories={"board": settings},
            client_key=_key("benchmark"),
        )
    for name, role in (("admin", "admin"), ("curator", "curator"), *((one, "contributor") for one in _PROPOSED)):
        people.grant_roles(person=persons[name], benchmark_id=benchmark.pk, roles=[role], granted_by=None)
        persons[name].grants = None
    for name, proposed in _PROPOSED.items():
        _propose(persons[name], proposed)
    for step, (zh, action, reason, into) in enumerate(_DECIDED):
        _decide(persons["curator"], benchmark, step, zh, action, reason, into)


def _propose(person: Person, proposed: Mapping[str, tuple[tuple[str, str, str], ...]]) -> None:
    draft = Board.objects.filter(benchmark__slug=SLUG, drafts__person=person).values("drafts__submitted_at").first()
    if draft and draft["drafts__submitted_at"]:
        return
    rows = [
        {"field": field, "name": dict(zip(("zh-Hans", "zh-Hant", "en"), names, strict=True)), "vouched": VOUCHINGS}
        for field, categories in proposed.items()
        for names in categories
    ]
    revision = 0 if draft is None else 1
    if revision == 0:
        board.save_draft(actor=person, benchmark_slug=SLUG, revision=revision, rows=rows)
    board.submit_proposals(actor=person, benchmark_slug=SLUG, client_key=_key("submit", person.username))


def _decide(curator: Person, benchmark: Benchmark, step: int, zh: str, action: str, reason: str, into: str) -> None:
    entries = BoardEntry.objects.filter(board__benchmark=benchmark)
    entry = entries.get(key=zh)
    more: dict[str, Any] = {"into": entries.get(key=into).pk} if into else {}
    if action == "regroup":
        more["group"] = "closest"
    if _is_done(curator, step):
        return
    board.decide(
        actor=curator,
        entry_id=entry.pk,
        revision=entry.revision,
        action=action,
        reason=reason,
        usual=_USUAL.get(reason, ""),
        client_key=_key("decide", step),
        **more,
    )


def _is_done(curator: Person, step: int) -> bool:
    return AuditEvent.objects.filter(actor_id=curator.pk, client_key=_key("decide", step)).exists()
