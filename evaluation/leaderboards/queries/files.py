"""The board as files: tables and charts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal, NamedTuple

from django.conf import settings

from annotation.releases import access
from curation.charts.drawing import png, svg, writes_chinese
from curation.core.errors import NotFound
from curation.people.models import Person
from evaluation.leaderboards.queries.board import SUBMISSIONS_FILE, board
from evaluation.leaderboards.rules.cells import Board, Cell, Group, System
from evaluation.leaderboards.rules.chart import define
from evaluation.leaderboards.rules.tables import submissions_to_csv, to_csv, to_latex
from evaluation.leaderboards.shapes import BoardContent
from evaluation.scoring.queries import kind_with_results, label_with_kind
from evaluation.submissions.queries import listed_submissions
from evaluation.submissions.shapes import ListedSubmissions

CONTENT_TYPES = {
    "csv": "text/csv; charset=utf-8",
    "tex": "application/x-tex; charset=utf-8",
    "svg": "image/svg+xml; charset=utf-8",
    "png": "image/png",
}
Language = Literal["zh-Hans", "zh-Hant", "en"]


class File(NamedTuple):
    """A file to send."""

    name: str
    content_type: str
    content: bytes


def board_file(
    person: Person,
    release_id: int,
    *,
    name: str,
    kind: str | None = None,
    theme: str = "light",
    lang: Language = "zh-Hans",
) -> File:
    """One of the files of retrieval's board; it contains nothing but scores, so equal scores give equal bytes.

    Raises:
        NotFound: There is no such file.
        OperationNotAllowed, ReleaseWithdrawn.
    """
    release = access.available_release_for(person, release_id, "leaderboard_file")
    kind = kind_with_results(release, kind)
    title = label_with_kind(release, kind)
    if name == SUBMISSIONS_FILE:
        return submissions_file(title, listed_submissions(person, release, kind))
    return made_file(title, board(release, kind, group_bys=(group_by_of(name),)), name=name, theme=theme, lang=lang)


def submissions_file(title: str, tables: list[ListedSubmissions]) -> File:
    """Write the listed submissions of a board.

    Raises:
        NotFound: There are none.
    """
    if not tables:
        raise NotFound
    content = submissions_to_csv(title, tables)
    return File(f"{title}-{SUBMISSIONS_FILE}", CONTENT_TYPES["csv"], content)


def group_by_of(name: str) -> str:
    """By what the figures of a file are grouped.

    Raises:
        NotFound: There is no such file.
    """
    stem = name.rpartition(".")[0]
    group_by = stem.removeprefix("groups-") if stem.startswith("groups-") else ""
    if group_by not in {"", "category", "distance"}:
        raise NotFound
    return group_by


def made_file(title: str, content: BoardContent, *, name: str, theme: str = "light", lang: Language) -> File:
    """Write a table or a chart of a board.

    Args:
        title: The board's name, with which the file's begins.
        content: The board with the figures of one grouping.
        name: The file's name.
        theme: The chart's colours.
        lang: The language of its words.

    Raises:
        NotFound: There is no such file.
    """
    if name not in {file["name"] for file in content["charts"]}:
        raise NotFound
    group_by = group_by_of(name)
    return written(lambda words: _board(title, content, group_by, words), title, name, theme=theme, lang=lang)


def written(board_in: Callable[[Language], Board], stem: str, name: str, *, theme: str, lang: Language) -> File:
    """Write a board as a table or a chart, by the ending of the file's name.

    Args:
        board_in: Returns the board in a language; the text of a PNG is English on a machine without a Chinese font.
        stem: What the name of the download begins with.
        name: The file's name.
        theme: The chart's colours.
        lang: The language of its words.
    """
    ending = name.rpartition(".")[2]
    fonts = settings.DATA / "fonts"  # an installation may put fonts here that its machine lacks
    if ending == "png" and not writes_chinese(fonts):
        lang = "en"
    displayed = board_in(lang)
    match ending:
        case "csv":
            data = to_csv(displayed)
        case "tex":
            data = to_latex(displayed, lang=lang)
        case "svg":
            data = svg(define(displayed, lang=lang, theme=theme))
        case _:
            data = png(define(displayed, lang=lang, theme=theme), fonts=fonts)
    return File(f"{stem}-{name}", CONTENT_TYPES[ending], data)


def _board(title: str, content: BoardContent, group_by: str, lang: Language) -> Board:
    scored = [row for row in content["systems"] if row["scores"]]
    cells: list[tuple[int, Mapping[str, Any]]] = [
        (row["scoring"] or 0, score) for row in scored for score in row["scores"]
    ]
    return Board(
        title=title,
        profile=content["profile"],
        digest=content["gallery"]["digest"],
        group_by=group_by,
        scopes=content["scopes"],
        metrics=content["metrics"],
        systems=[
            System(
                key=row["scoring"] or 0,
                name=row["system"]["name"],
                slug=row["system"]["slug"],
                revision=row["system"]["revision"],
                is_demo=row["system"]["is_demo"],
                lacks=any(score["n_missing"] for score in row["scores"]),
                row=f"run-{row['run']}",
            )
            for row in scored
        ],
        groups=[Group(group["group"], group["name"][lang]) for group in content["groups"]],
        cells=[
            Cell(scoring, **{field: score[field] for field in Cell._fields[1:] if field in score})
            for scoring, score in cells
        ],
    )
