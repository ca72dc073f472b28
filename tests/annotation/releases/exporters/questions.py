"""A release of choice questions in every script of CVQA: real questions of its teams, and any number made of them."""

from __future__ import annotations

import io
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from PIL import Image as Pillow

from annotation.kinds.context import Context, Language
from annotation.kinds.multiple_choice import KIND, MultipleChoiceSettings
from annotation.releases.exporters.base import Facts, Split
from annotation.releases.exporters.columns import OCCASIONAL
from annotation.releases.rules import DISTANCE
from tests.annotation.kinds.test_multiple_choice import QUESTIONS
from tests.annotation.releases.exporters.generated import Generated
from tests.annotation.releases.exporters.generated import facts as any_facts

TAXONOMIES = Path(__file__).resolve().parents[4] / "fixtures" / "taxonomies"
CATEGORIES = ("food", "objects", "geography")


@cache
def pairs() -> dict[str, dict[str, Any]]:
    """CVQA's pairs by language tag."""
    return {
        pair["tag"]: pair
        for pair in yaml.safe_load((TAXONOMIES / "cvqa-pairs.yaml").read_text(encoding="utf-8"))["pairs"]
    }


def facts(
    items: int = len(QUESTIONS), *, withheld: bool = False, explanation: bool = False, picture: int = 400
) -> Facts:
    """A release with one split, as CVQA's; the other splits are empty. ``picture``: each one's said size."""
    settings = MultipleChoiceSettings(options=4, explanation=explanation, review_reasons=[])
    tags = {tag for tag, *_ in QUESTIONS[:items]}
    return replace(
        any_facts(items=0),
        label="multiple_choice-v3",
        kind="multiple_choice",
        slug="cvqa",
        tree=KIND.tree(settings, Context(Language(""), Language("en"))),
        language="mul",
        languages=sorted(tags | {"en"}),
        columns=[name for name in OCCASIONAL if name != DISTANCE],
        licence="per-picture",
        option_seed=7,
        splits=[
            Split("train", 0, 0, 0),
            Split("valid", 0, 0, 0),
            Split("test", 100, items, items, 1, picture * items, withheld=withheld),
        ],
    )


class Questions(Generated):
    """Content of choice questions, each on a picture of its own.

    ``right``: which of the options, as the questions list them, is written as the right one.
    """

    def __init__(self, about: Facts, right: int = 0, **values: Any) -> None:
        super().__init__(about)
        self._right, self._values = right, values

    def record(self, ordinal: int) -> dict[str, Any]:
        tag = QUESTIONS[(ordinal - 1) % len(QUESTIONS)][0]
        pair = pairs()[tag]
        occasional = {
            "slot": ordinal % 3,
            "language": tag,
            "language_name": pair["language"]["en"],
            "translation_language": "en",
            "country": pair["country"]["en"],
            "continent": pair["continent"],
            "research_only": ordinal % 2 == 0,
        }
        return super().record(ordinal) | occasional | self._content(ordinal) | self._values

    def _content(self, ordinal: int) -> dict[str, Any]:
        _, question, options, translated, translated_options = QUESTIONS[(ordinal - 1) % len(QUESTIONS)]
        # Beyond the real questions each differs in all its texts.
        number = "" if ordinal <= len(QUESTIONS) else f" {ordinal}"
        both = [
            {"local": f"{one}{number}", "translated": f"{other}{number}"}
            for one, other in zip(options, translated_options, strict=True)
        ]
        both.insert(0, both.pop(self._right))
        content = {
            "category": CATEGORIES[ordinal % len(CATEGORIES)],
            "question": {"local": f"{question}{number}", "translated": f"{translated}{number}"},
            "options": both,
        }
        if "explanation" in self.facts.tree.fields:
            content["explanation"] = {key: f"because of {text}" for key, text in both[0].items()}
        return content

    def picture(self, ordinal: int) -> bytes:
        out = io.BytesIO()
        Pillow.new("RGB", (24, 16), (ordinal % 256, 9, 9)).save(out, "PNG")
        return out.getvalue()
