"""The board of a kind of a public release as its template shows it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import Any
from urllib.parse import urlencode

from django.http import HttpResponse

from evaluation.leaderboards.queries import Language, names_of
from evaluation.leaderboards.rules.words import WORDS as BOARD_WORDS
from evaluation.leaderboards.shapes import ProfileBoard
from evaluation.profiles.base import NO_SHARES
from evaluation.publication import queries
from evaluation.publication.api.errata import items_with_errata
from evaluation.publication.api.visit import Visit, display_date, display_number, kind_choices
from evaluation.publication.rules import WORDS
from evaluation.scoring.rules import SCOPES
from evaluation.submissions.shapes import ScoredFigure


def board(visit: Visit, language: Language, label: str) -> HttpResponse:
    """Show systems and listed submissions with intervals."""
    this = visit.release(label)
    result = queries.public_board(this, visit.site.settings, kind=visit.query.get("kind"))
    content, words = result.content, WORDS[language]
    address = f"{visit.base}/{language}/{label}/board"

    def query_of(profile: str) -> str:
        query = {**({} if this.kind else {"kind": result.kind}), **({"profile": profile} if profile else {})}
        return f"?{urlencode(query)}" if query else ""

    columns = [(scope, metric) for scope in content["scopes"] for metric in content["metrics"]]
    return visit.render(
        "board",
        language,
        path=f"{label}/board",
        release=this,
        heading=words["board"],
        kind=result.kind,
        kinds=kind_choices(this, language),
        scopes=[{"name": words.get(scope, scope), "span": len(content["metrics"])} for scope in content["scopes"]],
        metrics=[metric for _, metric in columns],
        systems=[_system(row, columns, language) for row in content["systems"]],
        groupings=[
            grouping
            for group_by in ("distance", "category")
            if (grouping := _grouping(content, group_by, language))["rows"]
        ]
        + [_tagged(one, language) for one in result.profiles if one["groups"]],
        submissions=[_listed(table, language) for table in result.submissions],
        files=[{"name": one.name, "url": f"{address}/{one.name}{query_of(one.profile)}"} for one in result.files],
        least_group=words["least_group"].format(least=result.least_group) if result.least_group else "",
        errata=items_with_errata(this, language),
        chart=next(
            (
                f"{visit.origin}{address}/{one.name}{query_of(one.profile)}"
                for one in result.files
                if one.name == "leaderboard.png"
            ),
            "",
        ),
    )


def _figure(score: Mapping[str, Any] | None) -> dict[str, str]:
    if score is None or score["value"] is None:
        return {"value": "–", "interval": ""}
    metric = score["metric"]
    interval = "" if score["low"] is None else f"[{_number(metric, score['low'])}, {_number(metric, score['high'])}]"
    return {"value": _number(metric, score["value"]), "interval": interval}


def _number(metric: str, value: float) -> str:
    """A share in percent; other numbers as they are."""
    return f"{value:.2f}" if metric in NO_SHARES else f"{100 * value:.1f}"


def _system(row: Mapping[str, Any], columns: list[tuple[str, str]], language: Language) -> dict[str, Any]:
    scores = {(s["scope"], s["metric"]): s for s in row["scores"] if not s["group_by"]}
    computed = row["computed_at"]
    return {
        "name": row["system"]["name"],
        "revision": row["system"]["revision"],
        "is_demo": row["system"]["is_demo"],
        "date": display_date(computed, language) if computed else "",
        "missing": display_number(sum(score["n_missing"] for score in scores.values())),
        "figures": [_figure(scores.get(column)) for column in columns],
    }


def _grouping(content: Mapping[str, Any], group_by: str, language: Language) -> dict[str, Any]:
    """A table of the first metric in the first direction: groups as lines, systems as columns."""
    scope, metric = next(iter(content["scopes"]), ""), next(iter(content["metrics"]), "")
    by_system = [
        {s["group"]: s for s in row["scores"] if (s["group_by"], s["scope"], s["metric"]) == (group_by, scope, metric)}
        for row in content["systems"]
    ]
    words = WORDS[language]
    return {
        "title": words[f"by_{group_by}"],
        "about": f"{words.get(scope, scope)}, {metric}",
        "counted": words["images"],
        "systems": [row["system"]["name"] for row in content["systems"]],
        "rows": [
            {
                "name": group["name"][language],
                "n": display_number(group["n"]),
                "figures": [_figure(scores.get(group["group"])) for scores in by_system],
            }
            for group in content["groups"]
            if group["group_by"] == group_by and any(group["group"] in scores for scores in by_system)
        ],
    }


def _tagged(board: ProfileBoard, language: Language) -> dict[str, Any]:
    """A table of what a profile scores: all questions and then groups as lines, systems as columns."""
    words, metric = WORDS[language], board["metric"]
    rows = board["rows"]
    has_chance = board["chance"] is not None

    def line(name: str, n: str, chance: float | None, figures: Iterable[ScoredFigure | None]) -> dict[str, Any]:
        guessed = {"value": "–" if chance is None else _number(metric, chance), "interval": ""}
        return {"name": name, "n": n, "figures": [*map(_figure, figures), *([guessed] if has_chance else [])]}

    whole = line(words["all_questions"], "", board["chance"], [row["figure"] for row in rows])
    return {
        "title": words["by"].format(tag=BOARD_WORDS[language].group[board["tag"]].lower()),
        "about": _metric_name(rows[0]["figure"], metric, language),
        "counted": words["questions"],
        "systems": [
            *names_of([(row["system"], row["manner"]) for row in rows], language),
            *([words["guessing"]] if has_chance else []),
        ],
        "rows": [
            whole,
            *(
                line(
                    group["name"][language],
                    display_number(group["n"]),
                    group["chance"],
                    [row["groups"][place] for row in rows],
                )
                for place, group in enumerate(board["groups"])
            ),
        ],
    }


def _metric_name(figure: ScoredFigure | None, metric: str, language: Language) -> str:
    words = WORDS[language]
    if figure is None or not figure["scope"]:
        return words.get(metric, metric)
    return f"{words[figure['scope']]}, {figure['metric']}"


def _listed(table: Mapping[str, Any], language: Language) -> dict[str, Any]:
    words = WORDS[language]
    every = [figure for row in table["rows"] for figure in row["figures"]]
    # A metric that no answer of a row has is not among its figures.
    columns = sorted(dict.fromkeys((figure["scope"], figure["metric"]) for figure in every), key=_direction)
    names = names_of([(row["system"], row["manner"]) for row in table["rows"]], language)
    by_run = {row["run"]: row["figures"] for row in table["rows"] if row["run"] is not None}
    of_column = {column: [one for one in every if (one["scope"], one["metric"]) == column] for column in columns}
    chances = {
        column: next((one["chance"] for one in figures if one["chance"] is not None), None)
        for column, figures in of_column.items()
    }

    def cells(row: Mapping[str, Any]) -> list[dict[str, str]]:
        own = {(figure["scope"], figure["metric"]): figure for figure in row["figures"]}
        blind = by_run.get(row["text_only"], ())
        return [
            {**_figure(own.get(column)), "text_only": _text_only(column, blind, language) if column in own else ""}
            for column in columns
        ]

    return {
        "profile": words["profile"].format(profile=words.get(table["profile"], table["profile"])),
        "code": table["profile"],
        "crews": any(row["crew"] for row in table["rows"]),
        "scopes": [
            {"name": words.get(scope, scope), "span": len(list(figures))}
            for scope, figures in groupby(columns, key=lambda column: column[0])
            if scope
        ],
        "metrics": [words.get(metric, metric) for _, metric in columns],
        "guessing": ["–" if chance is None else _number(metric, chance) for (_, metric), chance in chances.items()]
        if any(chance is not None for chance in chances.values())
        else [],
        "rows": [
            {
                "system": name,
                "is_demo": row["is_demo"],
                "crew": row["crew"],
                "date": display_date(row["created_at"], language),
                "scored": f"{display_number(row['n_scored'])} / {display_number(row['n_expected'])}",
                "missing": display_number(row["n_missing"]),
                "unparsable": display_number(row["n_unparsable"] + row["n_refused"] + row["n_failed"]),
                "figures": cells(row),
            }
            for name, row in zip(names, table["rows"], strict=True)
        ],
    }


def _direction(column: tuple[str, str]) -> int:
    """The place of a column's direction of search, so that columns of one stand together."""
    return SCOPES.index(column[0]) if column[0] in SCOPES else 0


def _text_only(column: tuple[str, str], blind: Iterable[ScoredFigure], language: Language) -> str:
    """The same figure without pictures, in words; empty where no run has it."""
    for one in blind:
        if (one["scope"], one["metric"]) == column and one["value"] is not None:
            return WORDS[language]["text_only"].format(value=_number(one["metric"], one["value"]))
    return ""
