"""The board of a kind of a public release as its template shows it."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import groupby
from typing import Any

from django.http import HttpResponse

from evaluation.publication import queries
from evaluation.publication.api.errata import items_with_errata
from evaluation.publication.api.visit import Visit, display_date, display_number, kind_choices
from evaluation.publication.rules import WORDS


def board(visit: Visit, language: str, label: str) -> HttpResponse:
    """Show systems and listed submissions with intervals."""
    this = visit.release(label)
    result = queries.public_board(this, visit.site.settings, kind=visit.query.get("kind"))
    content, words = result.content, WORDS[language]
    which = "" if this.kind else f"?kind={result.kind}"
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
        ],
        submissions=[_listed(table, language) for table in result.submissions],
        files=[{"name": name, "url": f"{visit.base}/{language}/{label}/board/{name}{which}"} for name in result.files],
        least_group=words["least_group"].format(least=result.least_group) if result.least_group else "",
        errata=items_with_errata(this, language),
        chart=f"{visit.origin}{visit.base}/{language}/{label}/board/leaderboard.png{which}"
        if "leaderboard.png" in result.files
        else "",
    )


def _figure(score: Mapping[str, Any] | None) -> dict[str, str]:
    if score is None or score["value"] is None:
        return {"value": "–", "interval": ""}
    interval = "" if score["low"] is None else f"[{100 * score['low']:.1f}, {100 * score['high']:.1f}]"
    return {"value": f"{100 * score['value']:.1f}", "interval": interval}


def _system(row: Mapping[str, Any], columns: list[tuple[str, str]], language: str) -> dict[str, Any]:
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


def _grouping(content: Mapping[str, Any], group_by: str, language: str) -> dict[str, Any]:
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


def _listed(table: Mapping[str, Any], language: str) -> dict[str, Any]:
    words = WORDS[language]
    first = table["rows"][0]["figures"]
    return {
        "profile": words["profile"].format(profile=words.get(table["profile"], table["profile"])),
        "code": table["profile"],
        "crews": any(row["crew"] for row in table["rows"]),
        "scopes": [
            {"name": words.get(scope, scope), "span": len(list(figures))}
            for scope, figures in groupby(first, key=lambda figure: figure["scope"])
            if scope
        ],
        "metrics": [words.get(figure["metric"], figure["metric"]) for figure in first],
        "rows": [
            {
                "system": row["system"],
                "is_demo": row["is_demo"],
                "crew": row["crew"],
                "date": display_date(row["created_at"], language),
                "scored": f"{display_number(row['n_scored'])} / {display_number(row['n_expected'])}",
                "missing": display_number(row["n_missing"]),
                "figures": [_figure(figure) for figure in row["figures"]],
            }
            for row in table["rows"]
        ],
    }
