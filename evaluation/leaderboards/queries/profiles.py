"""Boards of what profiles score: runs over an item set, and for a release submissions too.

A board reads the reports of at most 200 runs, and of what was submitted those that are listed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from annotation.releases import access as releases
from annotation.releases.models import Release
from curation.core.errors import NotFound
from curation.people.models import Person
from evaluation.leaderboards.errors import RowNotComparable
from evaluation.leaderboards.queries.board import compared
from evaluation.leaderboards.queries.files import File, Language, board_file
from evaluation.leaderboards.queries.profile_files import files_of, profile_file
from evaluation.leaderboards.queries.profile_tables import (
    MOST_ROWS,
    Tables,
    chance_of,
    groups_of,
    headline_of,
    tables_of_release,
    tables_of_set,
    tags_of,
    text_only_of,
)
from evaluation.leaderboards.rules.pairs import fourfold
from evaluation.leaderboards.shapes import ProfileBoard, ProfileGroup, ProfileRow, SystemsCompared
from evaluation.profiles.reports import SEED
from evaluation.profiles.results import Rights
from evaluation.scoring.models import ReportUnits
from evaluation.submissions.models import SubmissionUnits
from evaluation.submissions.queries import ScoredRow, figures
from evaluation.submissions.shapes import ScoredFigure


def set_board(person: Person, set_id: int, *, profile: str | None = None, tag: str | None = None) -> ProfileBoard:
    """Show what runs score on an item set, by one tag of its questions.

    Raises:
        NotFound, OperationNotAllowed.
    """
    return content(tables_of_set(person, set_id, "set_board"), profile=profile, tag=tag)


def release_board(
    person: Person, release_id: int, *, kind: str | None = None, profile: str | None = None, tag: str | None = None
) -> ProfileBoard:
    """Show what runs and listed submissions score on a kind of a release, by one tag of its questions.

    Raises:
        NotFound, OperationNotAllowed, ReleaseWithdrawn.
    """
    release = releases.available_release_for(person, release_id, "leaderboard_profile")
    return content(tables_of_release(person, release, kind), profile=profile, tag=tag)


def set_board_file(
    person: Person, set_id: int, *, name: str, profile: str | None = None, theme: str = "light", lang: Language
) -> File:
    """One of the files of a set's board.

    Raises:
        NotFound, OperationNotAllowed.
    """
    return profile_file(
        tables_of_set(person, set_id, "set_board_file"), name=name, profile=profile, theme=theme, lang=lang
    )


def release_file(
    person: Person,
    release_id: int,
    *,
    name: str,
    kind: str | None = None,
    profile: str | None = None,
    theme: str = "light",
    lang: Language,
) -> File:
    """One of the files of a release's board; with a profile of its board of what that scores.

    Raises:
        NotFound: There is no such file.
        OperationNotAllowed, ReleaseWithdrawn.
    """
    if profile is None:
        return board_file(person, release_id, name=name, kind=kind, theme=theme, lang=lang)
    release = releases.available_release_for(person, release_id, "leaderboard_file")
    return profile_file(tables_of_release(person, release, kind), name=name, profile=profile, theme=theme, lang=lang)


def public_boards(release: Release, kind: str, *, least_group: int) -> list[ProfileBoard]:
    """The boards of the first profile with rows, one for each tag of its questions, as everybody may see them."""
    tables = _public_tables(release, kind, least_group)
    if not tables.rows:
        return []
    first = content(tables, profile=None, tag=None)
    return [
        first,
        *(content(tables, profile=first["profile"], tag=tag) for tag in first["tags"] if tag != first["tag"]),
    ]


def public_profile_file(
    release: Release, kind: str, *, least_group: int, name: str, profile: str, lang: Language
) -> File:
    """One of the files of :func:`public_boards`.

    Raises:
        NotFound: There is no such file.
    """
    return profile_file(_public_tables(release, kind, least_group), name=name, profile=profile, lang=lang)


def _public_tables(release: Release, kind: str, least_group: int) -> Tables:
    return tables_of_release(None, release, kind)._replace(least_group=least_group)


def set_comparison(person: Person, set_id: int, *, one: str, other: str, profile: str | None = None) -> SystemsCompared:
    """Compare two runs over a set question by question, with pictures as the independent units.

    Raises:
        NotFound, OperationNotAllowed, RowNotComparable.
    """
    return _compared(tables_of_set(person, set_id, "set_board_compare"), profile, one, other)


def release_comparison(
    person: Person, release_id: int, *, one: str, other: str, profile: str | None = None, kind: str | None = None
) -> SystemsCompared:
    """Compare two runs or submissions for a release question by question, with pictures as the independent units.

    Raises:
        NotFound, OperationNotAllowed, ReleaseWithdrawn, RowNotComparable.
    """
    release = releases.available_release_for(person, release_id, "leaderboard_profile_compare")
    return _compared(tables_of_release(person, release, kind), profile, one, other)


def content(tables: Tables, *, profile: str | None, tag: str | None) -> ProfileBoard:
    """The board of a profile, broken down by a tag; without one by the first of several values.

    Raises:
        NotFound: The profile has no rows, or their questions do not have the tag.
    """
    name, rows = tables.board(profile)
    tags = tags_of(rows)
    if tag is not None and tag not in tags:
        raise NotFound
    tag = next(iter(tags), "") if tag is None else tag
    best = rows[:MOST_ROWS]
    groups, n_groups = groups_of(tables, best, tag)
    metric = headline_of(rows)
    blind, comparable = text_only_of(rows), _comparable(best)
    return {
        "profiles": list(tables.rows),
        "profile": name,
        "metric": metric,
        "tags": tags,
        "tag": tag,
        "chance": chance_of(rows, metric),
        "groups": groups,
        "n_groups": n_groups,
        "least_group": tables.least_group,
        "rows": [_row(row, blind.get(row.key), groups, tag, row.key in comparable) for row in best],
        "n_rows": len(rows),
        "charts": files_of(tables, name, rows, tags),
    }


def _figure(part: Mapping[str, Any], metric: str) -> ScoredFigure | None:
    value = part["metrics"].get(metric)
    return figures({metric: value})[0] if value is not None and value.get("value") is not None else None


def _row(
    row: ScoredRow, text_only: ScoredRow | None, groups: Sequence[ProfileGroup], tag: str, is_comparable: bool
) -> ProfileRow:
    metric = headline_of([row])
    members = row.report["breakdowns"].get(tag, {})
    blind = _figure(text_only.report, metric) if text_only else None
    return {
        "key": row.key,
        "run": row.run,
        "submission": row.submission,
        "system": row.system,
        "crew": row.crew,
        "manner": row.manner,
        "is_demo": row.is_demo,
        "is_comparable": is_comparable,
        "has_samples": row.has_samples,
        "figure": next(iter(figures(row.report["metrics"])), None),
        "text_only": blind["value"] if blind else None,
        "groups": [_figure(members[group["group"]], metric) if group["group"] in members else None for group in groups],
    }


# --- comparison -------------------------------------------------------------------------------------------------------


def _comparable(rows: Sequence[ScoredRow]) -> set[str]:
    """The keys of rows with results by question."""
    reports = {row.scored: row.key for row in rows if row.run is not None}
    submitted = {row.scored: row.key for row in rows if row.run is None}
    with_units = ReportUnits.objects.filter(pk__in=reports).exclude(rights={}).values_list("pk", flat=True)
    others = SubmissionUnits.objects.filter(pk__in=submitted).exclude(rights={}).values_list("pk", flat=True)
    return {*(reports[pk] for pk in with_units), *(submitted[pk] for pk in others)}


def _rights(row: ScoredRow) -> Rights:
    units = (ReportUnits if row.run is not None else SubmissionUnits).objects.filter(pk=row.scored)
    rights: Rights | None = units.values_list("rights", flat=True).first()
    if not rights:
        raise RowNotComparable(row=row.key)
    return rights


def _compared(tables: Tables, profile: str | None, one: str, other: str) -> SystemsCompared:
    _, rows = tables.board(profile)
    by_key = {row.key: row for row in rows}
    if one not in by_key or other not in by_key:
        raise NotFound
    return compared(fourfold(_rights(by_key[one]), _rights(by_key[other])), seed=SEED)
