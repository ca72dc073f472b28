"""The card's section on what a model answered without the pictures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from annotation.releases.exporters.base import Facts
from annotation.releases.exporters.card.markdown import cell
from curation.lib.intervals import wilson


def blind_trials(facts: Facts) -> Iterator[str]:
    """Yield the section; nothing without trials."""
    trials = facts.blind_trials
    if not trials:
        return
    without = len(facts.rows) - trials["questions"]
    yield from ("", "## Answers without the picture", "")
    yield "A model that read the text alone answered each question in each language as often as it has options. The"
    yield "right option was printed once at each letter; a reply without a letter counts as wrong. A question is"
    yield "flagged if the model was right as often as the protocol says in one of its languages:"
    yield f"{trials['flagged']} of {trials['questions']} questions are. None was excluded for that."
    if without:
        yield f"Questions without such trials: {without}."
    yield from (
        "",
        "| language | model | prompt | questions | right | tries | no letter | accuracy | 95% interval | flagged |",
        "| --- | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
    )
    for row in trials["languages"]:
        yield f"| {' | '.join(_cells(row))} |"
    yield from (
        "",
        "The intervals are Wilson's, with n²/Σm² for the number of independent trials: n questions, m of them on each",
        "picture. So neither the tries of a question nor the questions of a picture count as independent.",
    )


def _cells(row: Mapping[str, Any]) -> Iterator[str]:
    yield from (cell(row["language"]), cell(row["model"]), cell(row["prompt"]))
    yield from (str(row[name]) for name in ("questions", "hits", "tries", "unread"))
    share = row["hits"] / row["tries"]
    interval = wilson(share, row["questions"] ** 2 / row["squares"])
    yield f"{100 * share:.1f}%"
    yield f"{100 * interval.low:.1f}–{100 * interval.high:.1f}%"
    yield str(row["flagged"])
