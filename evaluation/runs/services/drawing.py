"""Drawing the examples that come before the questions of a run over a set."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from django.db.models import QuerySet

from curation.prompts.queries import Version
from evaluation.answering.rules.shots import group_name, sample
from evaluation.runs.errors import RunExamplesTooFew, RunExamplesUnfit
from evaluation.runs.rules import Chosen
from evaluation.sets.models import Entry, ItemSet, SetPicture
from evaluation.sets.queries import example_sets
from evaluation.suites.rules import Suite

_Rows = TypeVar("_Rows", bound=QuerySet[Entry])


def drawn(
    row: ItemSet, suite: Suite, side: str, versions: Mapping[str, Version], chosen: Chosen
) -> dict[str, Any] | None:
    """Draw the examples of a setting; return them as the setting keeps them, None where there are none.

    They are entries of another set of files whose picture no question has, for each group of questions: those of a
    type, and of a subject where the suite says so.

    Raises:
        RunExamplesUnfit: The set of examples is no other set of files of the suite that was read.
        RunExamplesTooFew: It has too few examples for a group.
    """
    if not chosen.shots or not versions:
        return None
    if not example_sets(row).filter(pk=chosen.examples or 0).exists():
        raise RunExamplesUnfit(suite=suite.name)
    by_group = _examples(row, suite, side, versions, chosen)
    picked: dict[str, list[int]] = {}
    for type_, subject in sorted(_groups_of(row, suite, side, versions)):
        group = group_name(type_, subject)
        examples = sorted(by_group.get(group, {}).items())
        if len(examples) < chosen.shots:
            raise RunExamplesTooFew(shots=chosen.shots, group=group, available=len(examples))
        picked[group] = [pk for _, pk in sample(examples, chosen.shots, chosen.seed, group)]
    return {"number": chosen.shots, "seed": chosen.seed, "set": chosen.examples, "drawn": picked}


def _examples(
    row: ItemSet, suite: Suite, side: str, versions: Mapping[str, Version], chosen: Chosen
) -> dict[str, dict[str, int]]:
    """The entries that may be examples, by group and key; of a row with several the first."""
    answered = Entry.objects.filter(set=chosen.examples).exclude(gold=None)
    entries = _without_questions_of(row, answered.exclude(picture=None) if chosen.picture else answered)
    explained = {type_ for type_, version in versions.items() if version.body.shows_explanations}
    text = f"texts__{side}"
    fields = ("key", "pk", f"{text}__type", f"tags__{suite.shots_within or '-'}", f"{text}__explanation")
    by_group: dict[str, dict[str, int]] = {}
    for key, pk, type_, subject, explanation in entries.order_by("line", "no").distinct("line").values_list(*fields):
        if type_ in versions and (explanation or type_ not in explained):
            by_group.setdefault(group_name(type_, subject or ""), {})[key] = pk
    return by_group


def _without_questions_of(row: ItemSet, examples: _Rows) -> _Rows:
    """Leave out examples that are asked, or whose picture is."""
    questions = Entry.objects.filter(set=row)
    examples = examples.exclude(key__in=questions.values("key"))
    if row.origin == ItemSet.Origin.FILE:
        return examples.exclude(picture__sha256__in=SetPicture.objects.filter(set=row).values("sha256"))
    # Pictures of items are encoded differently, but have the names that the files of a release give them.
    return examples.exclude(cluster__in=questions.values("cluster"))


def _groups_of(row: ItemSet, suite: Suite, side: str, versions: Mapping[str, Version]) -> set[tuple[str, str]]:
    fields = (f"texts__{side}__type", f"tags__{suite.shots_within or '-'}")
    groups = Entry.objects.filter(set=row, ended_at=None).values_list(*fields).distinct()
    return {(type_, subject or "") for type_, subject in groups if type_ in versions}
