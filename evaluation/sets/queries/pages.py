"""Reads about item sets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from django.conf import settings
from django.db.models import Count, QuerySet

from curation.core.models import Job
from curation.core.shapes import job_answer
from curation.people.access import benchmark_for
from curation.people.models import Person
from curation.prompts.queries import shipped
from evaluation.sets import access
from evaluation.sets.models import Entry, ItemSet, SetPicture
from evaluation.sets.rules import suites_of_files
from evaluation.sets.shapes import SetDetail, SetFault, SetFile, SetPromptVersion, SetRow, SetsPage, SetSuite
from evaluation.suites.rules import SUITES, Suite

_CHANGES = ("set_create", "set_run_start")
_MOST_EXAMPLE_SETS = 100  # the newest that are offered


def set_list(person: Person, benchmark_slug: str) -> SetsPage:
    """List the item sets of a benchmark, newest first, and what more can be made of.

    Raises:
        NotFound, OperationNotAllowed.
    """
    rows = list(access.sets_visible_to(person, benchmark_slug, "set_list").order_by("-pk"))
    benchmark = benchmark_for(person, benchmark_slug, "set_list")
    return {
        "sets": _rows(rows),
        "suites": [suite_answer(suite) for suite in suites_of_files().values()],
        "limit_bytes": int(settings.SET_LIMIT_BYTES),
        "available_actions": [name for name in _CHANGES if person.may(benchmark.pk, name)],
    }


def set_detail(person: Person, set_id: int) -> SetDetail:
    """Show an item set with what its runs may be asked.

    Raises:
        NotFound, OperationNotAllowed.
    """
    return _detail(person, access.set_for(person, set_id, "set_show"))


def created_set(person: Person, row: ItemSet) -> SetDetail:
    """As :func:`set_detail`, for a set that the person has just made."""
    return set_detail(person, row.pk)


def _detail(person: Person, row: ItemSet) -> SetDetail:
    (answer,) = _rows([row])
    actions = [name for name in _CHANGES[1:] if person.may(row.benchmark_id, name) and row.state == ItemSet.State.READY]
    examples = example_sets(row).order_by("-pk")[:_MOST_EXAMPLE_SETS]
    return {
        **answer,
        "asks": suite_answer(SUITES[row.suite]),
        "examples": [{"id": one.pk, "name": one.name, "size": one.size} for one in examples],
        "available_actions": actions,
    }


def example_sets(row: ItemSet) -> QuerySet[ItemSet]:
    """The sets from which examples for a set's questions may be drawn: other sets of files of its suite."""
    files = ItemSet.objects.filter(benchmark=row.benchmark_id, suite=row.suite, origin=ItemSet.Origin.FILE)
    return files.filter(state=ItemSet.State.READY).exclude(pk=row.pk)


def suite_answer(suite: Suite) -> SetSuite:
    """A suite as forms need it."""
    versions: dict[str, list[SetPromptVersion]] = {}
    for key, version in sorted(shipped().items()):
        versions.setdefault(key.name, []).append(
            {"no": key.no, "language": key.language, "reading": version.reading, "shots": bool(version.body.shot)}
        )
    return {
        "name": suite.name,
        "language": suite.language,
        "profiles": list(suite.profiles),
        "has_dialogues": suite.needs_dialogues,
        "settings": [
            {
                "name": setting.name,
                "means": list(setting.means),
                "prompts": [
                    {"type": type_, "name": name, "versions": versions.get(name, [])}
                    for type_, name in setting.prompts.items()
                ],
            }
            for setting in suite.settings
        ],
    }


def _rows(rows: Sequence[ItemSet]) -> list[SetRow]:
    """The sets as lists show them; the statements are the same whatever their number."""
    stored = SetPicture.objects.filter(set__in=rows).values_list("set").annotate(n=Count("pk"))
    of_items = Entry.objects.filter(set__in=rows, item__isnull=False, ended_at=None).values_list("set")
    pictures = dict(stored.order_by()) | dict(of_items.annotate(n=Count("image_id", distinct=True)).order_by())
    waiting = [row.job_id for row in rows if row.state == ItemSet.State.WAITING]
    jobs = Job.objects.in_bulk([job_id for job_id in waiting if job_id is not None]) if waiting else {}
    return [_row(row, pictures.get(row.pk, 0), jobs.get(row.job_id or 0)) for row in rows]


def _row(row: ItemSet, pictures: int, job: Job | None) -> SetRow:
    return {
        "id": row.pk,
        "origin": row.origin,
        "release": {"id": row.release.pk, "label": row.release.label} if row.release else None,
        "name": row.name,
        "suite": row.suite,
        "state": row.state,
        "fault": _fault(row),
        "size": row.size,
        "pictures": 0 if row.state == ItemSet.State.REFUSED else pictures,
        "sides": row.sides,
        "digest": row.digest,
        "gold": _file(row, "gold"),
        "zip": _file(row, "pictures"),
        "dialogues": _file(row, "dialogues"),
        "job": job_answer(job) if job else None,
        "created_by": {"id": row.created_by.pk, "name": row.created_by.name} if row.created_by else None,
        "created_at": row.created_at,
    }


def _fault(row: ItemSet) -> SetFault | None:
    """Why the files were refused; sets of an earlier version have no parameters."""
    return cast(SetFault, {"params": {}, **row.fault}) if row.fault is not None else None


def _file(row: ItemSet, part: str) -> SetFile | None:
    if part not in row.files:
        return None
    facts = row.files[part]
    return {"name": facts["name"], "bytes": facts["bytes"], "sha256": facts["sha256"]}
