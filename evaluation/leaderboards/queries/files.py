"""The board as files: tables and charts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, cast

from django.conf import settings

from annotation.releases import access
from curation.core.errors import NotFound
from curation.people.models import Person
from evaluation.charts.cells import Board, Cell, Group, System
from evaluation.charts.definition import define
from evaluation.charts.drawing import png, svg, writes_chinese
from evaluation.charts.tables import handed_in_to_csv, to_csv, to_latex
from evaluation.leaderboards.queries.board import HANDED_IN, board
from evaluation.leaderboards.shapes import BoardContent
from evaluation.submissions.queries import listed

CONTENT_TYPES = {
    "csv": "text/csv; charset=utf-8",
    "tex": "application/x-tex; charset=utf-8",
    "svg": "image/svg+xml; charset=utf-8",
    "png": "image/png",
}


class File(NamedTuple):
    """A file to send."""

    name: str
    content_type: str
    content: bytes


def board_file(person: Person, release_id: int, *, name: str, theme: str = "light", lang: str = "zh-Hans") -> File:
    """One of the files that the board offers; it holds scores alone, so equal scores give equal bytes.

    A PNG carries its letters as pixels: on a machine without a Chinese font its words are English.

    Raises:
        NotFound: There is no such file.
        OperationNotAllowed, ReleaseWithdrawn.
    """
    release = access.available_release_for(person, release_id, "leaderboard_file")
    if name == HANDED_IN:
        if not (tables := listed(person, release)):
            raise NotFound
        return File(f"{release.label}-{name}", CONTENT_TYPES["csv"], handed_in_to_csv(release.label, tables))
    stem, _, ending = name.rpartition(".")
    group_by = stem.removeprefix("groups-") if stem.startswith("groups-") else ""
    if group_by not in {"", "category", "distance"}:
        raise NotFound
    found = board(release, group_bys=(group_by,))
    if name not in {file["name"] for file in found["charts"]}:
        raise NotFound
    fonts = settings.DATA / "fonts"  # where an installation may lay fonts that its machine lacks
    if ending == "png" and not writes_chinese(fonts):
        lang = "en"
    shown = _board(release.label, found, group_by, lang)
    match ending:
        case "csv":
            content = to_csv(shown)
        case "tex":
            content = to_latex(shown, lang=lang)
        case "svg":
            content = svg(define(shown, lang=lang, theme=theme))
        case _:
            content = png(define(shown, lang=lang, theme=theme), fonts=fonts)
    return File(f"{release.label}-{name}", CONTENT_TYPES[ending], content)


def _board(title: str, found: BoardContent, group_by: str, lang: str) -> Board:
    scored = [row for row in found["systems"] if row["scores"]]
    cells: list[tuple[int, Mapping[str, Any]]] = [
        (row["scoring"] or 0, score) for row in scored for score in row["scores"]
    ]
    return Board(
        title=title,
        profile=found["profile"],
        digest=found["gallery"]["digest"],
        group_by=group_by,
        scopes=found["scopes"],
        metrics=found["metrics"],
        systems=[
            System(
                key=row["scoring"] or 0,
                name=row["system"]["name"],
                slug=row["system"]["slug"],
                revision=row["system"]["revision"],
                is_demo=row["system"]["is_demo"],
                lacks=any(score["n_missing"] for score in row["scores"]),
            )
            for row in scored
        ],
        groups=[Group(group["group"], cast(Mapping[str, str], group["name"])[lang]) for group in found["groups"]],
        cells=[Cell(scoring, *(score[field] for field in Cell._fields[1:])) for scoring, score in cells],
    )
