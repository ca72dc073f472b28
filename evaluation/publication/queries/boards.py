"""The board of a public release: scored systems and listed submissions, without names of people."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from annotation.releases.models import Release
from annotation.releases.queries import settings_of
from evaluation.leaderboards.queries import (
    SUBMISSIONS_FILE,
    File,
    Language,
    board,
    group_by_of,
    made_file,
    public_boards,
    public_profile_file,
    submissions_file,
)
from evaluation.leaderboards.shapes import BoardContent, BoardGroup, ProfileBoard
from evaluation.publication.rules import Settings, of_groups, without_small_groups
from evaluation.scoring.queries import kind_with_results, label_with_kind
from evaluation.scoring.rules import NO_GROUP
from evaluation.submissions.queries import listed_submissions
from evaluation.submissions.shapes import ListedSubmissions
from evaluation.suites.rules import GALLERY_SPLIT

_WHOLE: Final = ("", "distance", "category")


class PublicFile(NamedTuple):
    """A table or a chart by its name; ``profile`` is empty where it is about retrieval or about all profiles."""

    name: str
    profile: str = ""


@dataclass(frozen=True, slots=True)
class PublicBoard:
    """The board of a kind of a release.

    Attributes:
        kind: The kind.
        content: Systems that were scored, with their figures over everything and by group.
        submissions: Submissions that their owners listed, and runs of questions.
        profiles: What the first of these profiles scores, for each tag of the questions.
        files: The tables and charts.
        least_group: Groups of fewer queries are left out; 0 if none are.
    """

    kind: str
    content: BoardContent
    submissions: list[ListedSubmissions]
    profiles: list[ProfileBoard]
    files: list[PublicFile]
    least_group: int


def public_board(release: Release, settings: Settings, *, kind: str | None = None) -> PublicBoard:
    """The board of a kind of a release, as everybody may see it; without a kind of the first that is tested.

    Raises:
        NotFound: The release does not hold the kind.
    """
    kind = kind_with_results(release, kind)
    content = _board(release, kind, settings, _WHOLE)
    submissions = listed_submissions(None, release, kind)
    least = _least_of_questions(release, settings)
    profiles = public_boards(release, kind, least_group=least)
    files = [PublicFile(file["name"]) for file in content["charts"] if content["systems"]]
    files += [PublicFile(file["name"], profiles[0]["profile"]) for file in (profiles[0]["charts"] if profiles else [])]
    return PublicBoard(
        kind=kind,
        content=content,
        submissions=submissions,
        profiles=profiles,
        files=[*files, *([PublicFile(SUBMISSIONS_FILE)] if submissions else [])],
        least_group=least,
    )


def board_file(
    release: Release, settings: Settings, *, name: str, kind: str | None, profile: str = "", lang: Language
) -> File:
    """One of the files of the board of a kind; ``profile`` as :class:`PublicFile` has it.

    Raises:
        NotFound: There is no such file or kind.
    """
    kind = kind_with_results(release, kind)
    title = label_with_kind(release, kind)
    if profile:
        least = _least_of_questions(release, settings)
        return public_profile_file(release, kind, least_group=least, name=name, profile=profile, lang=lang)
    if name == SUBMISSIONS_FILE:
        return submissions_file(title, listed_submissions(None, release, kind))
    return made_file(title, _board(release, kind, settings, (group_by_of(name),)), name=name, lang=lang)


def _least_of_questions(release: Release, settings: Settings) -> int:
    """The smallest group of questions whose figures are public: withheld splits are scored if there are any."""
    return settings.least_group if settings_of(release.protocol_id).withheld else 0


def _least_group(release: Release, settings: Settings) -> int:
    """The smallest group of retrieval whose figures are public; 0 where the texts of its gallery are public too."""
    return settings.least_group if GALLERY_SPLIT in settings_of(release.protocol_id).withheld else 0


def _board(release: Release, kind: str, settings: Settings, group_bys: tuple[str, ...]) -> BoardContent:
    content = board(release, kind, group_bys=group_bys)
    least = _least_group(release, settings)
    groups = _comparing(without_small_groups(content["groups"], least))
    systems: list[Any] = [
        {**row, "scores": of_groups(row["scores"], groups), "gaps": []} for row in content["systems"] if row["scores"]
    ]
    figures = {score["group_by"] for row in systems for score in row["scores"]}
    gallery = content["gallery"]
    return {
        **content,
        "systems": systems,
        "groups": groups,
        "charts": [file for file in content["charts"] if group_by_of(file["name"]) in figures],
        # It identifies the texts of the gallery, so it would show which of few guesses is right.
        "gallery": {**gallery, "digest": ""} if least else gallery,
    }


def _comparing(groups: list[BoardGroup]) -> list[BoardGroup]:
    """Leave out groupings of which only the pictures without a group remain: they compare nothing."""
    compared = {group["group_by"] for group in groups if group["group"] != NO_GROUP}
    return [group for group in groups if group["group_by"] in compared]
