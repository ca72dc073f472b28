"""A frozen release of three pictures, and files of predictions for it whose figures a test can work out by hand."""

from __future__ import annotations

import json
import uuid
from collections.abc import Sequence
from typing import Any

from annotation.releases.models import Release
from curation.taxonomy.models import Category
from evaluation.submissions import services
from evaluation.submissions.models import Submission
from evaluation.submissions.tasks import score_submission
from tests.evaluation.accepted import accepted_item, frozen_release, protocol
from tests.people import World, world
from tests.protocols import names


def picture(number: int) -> str:
    """A picture's id."""
    return f"images/test/1-lantern/1-{number}.png"


def texts(number: int) -> list[str]:
    """Two captions of a picture."""
    return [f"第 {number} 盏灯", f"{number} 号花灯挂在门前"]


def world_with_release(
    pictures: int = 3,
    *,
    content: dict[str, Any] | None = None,
    slug: str = "cvlue",
    prefix: str = "",
    **evaluation: Any,
) -> tuple[World, Release]:
    content = content or protocol("x")
    team = world(content | {"evaluation": content["evaluation"] | evaluation}, slug=slug, prefix=prefix)
    Category.objects.create(
        benchmark=team.benchmark,
        slug="lantern",
        number=1,
        name=names("灯"),
        field="f",
        field_name=names("f"),
        distance="closest",
    )
    items = [accepted_item(team, n) for n in range(1, pictures + 1)]
    records = {
        item.pk: {"item": item.label, "image": picture(n), "category": "lantern", "split": "test", "captions": texts(n)}
        for n, item in enumerate(items, 1)
    }
    return team, frozen_release(team, items, records=records)


def rows(*rows: dict[str, Any]) -> bytes:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()


def right(pictures: int = 3) -> bytes:
    """Correct answers to every query."""
    numbers = range(1, pictures + 1)
    return rows(
        *({"id": picture(n), "response": [texts(n)[0]]} for n in numbers),
        *({"id": text, "response": [picture(n)]} for n in numbers for text in texts(n)),
    )


def submit(who: Any, release: Release, data: bytes, **more: Any) -> Submission:
    """Submit a file; its job does not run."""
    fields: dict[str, Any] = {"name": "answers.jsonl", "system": "某模型", "note": "", "profile": "cvlue-itr/paper"}
    fields |= {"client_key": uuid.uuid4()} | more
    return services.create_submission(actor=who, release_id=release.pk, blocks=[data], **fields)


def scored(who: Any, release: Release, data: bytes, **more: Any) -> Submission:
    """Submit a file and run its job."""
    submission = submit(who, release, data, **more)
    score_submission(job_id=submission.job_id)
    submission.refresh_from_db()
    return submission


def release_of_choices(team: World, countries: Sequence[str] = ("China", "Singapore")) -> Release:
    """A question with four options from each of the countries."""
    items = [accepted_item(team, n) for n in range(8, 8 + len(countries))]
    records = {
        item.pk: {
            "id": str(item.number),
            "item": f"mcq-{item.number:06d}",
            "image": f"images/test/{item.number}.png",
            "category": "lantern",
            "split": "test",
            "language_name": "Chinese",
            "country": country,
            "question": {"local": "这是什么？"},
            "options": [{"local": text} for text in ("RIGHT", "ONE", "TWO", "THREE")],
        }
        for item, country in zip(items, countries, strict=True)
    }
    return frozen_release(team, items, number=2, kind="multiple_choice", records=records)
