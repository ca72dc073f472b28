"""Confirmed mistakes of a release: their page, beside the sample, on the board, in the feed, and for programs."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import urlencode

from django.http import HttpResponse

from annotation.releases.models import Release
from annotation.releases.queries import PublicErratum, errata_of
from evaluation.publication.api.visit import Visit, display_date
from evaluation.publication.rules import WORDS, note_in


def page(visit: Visit, language: str, label: str) -> HttpResponse:
    """Show the confirmed mistakes of a release, and where to report one."""
    release = visit.release(label)
    return visit.render(
        "errata",
        language,
        path=f"{label}/errata",
        release=release,
        heading=WORDS[language]["errata"],
        rows=[erratum_fields(erratum, language) for erratum in errata_of(release)],
        report_url=report_url(visit, label),
    )


def erratum_fields(erratum: PublicErratum, language: str) -> dict[str, Any]:
    """An erratum as its template shows it; notes are in the page's language where they were written in it."""
    words = WORDS[language]
    note, note_language = note_in(erratum.note, language)
    withdrawal, withdrawal_language = note_in(erratum.withdrawn_note, language)
    withdrawn_at = erratum.withdrawn_at
    return {
        "no": erratum.no,
        "item": erratum.item or words["whole_release"],
        "date": display_date(erratum.at, language),
        "note": note,
        "lang": note_language,
        "withdrawn": words["erratum_withdrawn"].format(date=display_date(withdrawn_at, language))
        if withdrawn_at
        else "",
        "withdrawal": withdrawal,
        "withdrawal_lang": withdrawal_language,
    }


def report_url(visit: Visit, label: str, item: str = "") -> str:
    """The address where people sign in and report a mistake; members are led on to their own page."""
    query = urlencode({"release": label} | ({"item": item} if item else {}))
    return f"{visit.submit_url}/errata?{query}"


def items_with_errata(release: Release, language: str) -> str:
    """Say how many items have confirmed errata; empty if none has."""
    items = {erratum.item for erratum in errata_of(release) if erratum.item and erratum.withdrawn_at is None}
    return WORDS[language]["items_with_errata"].format(count=len(items)) if items else ""


def erratum_entries(release: Release, url: str, language: str) -> list[dict[str, Any]]:
    """The entries of a release's errata in the feed; a withdrawn one has another entry."""
    entries = []
    for erratum in errata_of(release):
        values = {"label": release.label, "no": erratum.no, "item": erratum.item or WORDS[language]["whole_release"]}
        events = [("event_erratum", "erratum", erratum.at, erratum.note)]
        if erratum.withdrawn_at:
            events.append(
                ("event_erratum_withdrawn", "erratum-withdrawn", erratum.withdrawn_at, erratum.withdrawn_note)
            )
        entries += [
            {
                "id": f"{release.label}/{name}/{erratum.no}",
                "title": WORDS[language][code].format(**values),
                "at": at,
                "url": f"{url}errata",
                "text": note_in(note, language)[0],
            }
            for code, name, at, note in events
        ]
    return entries


def lines(visit: Visit, label: str) -> HttpResponse:
    """Send the confirmed mistakes of a release as JSON lines."""
    release = visit.release(label)
    rows = [
        {
            "erratum": erratum.no,
            "release": release.label,
            "item": erratum.item or None,
            "note": erratum.note,
            "confirmed_at": erratum.at.isoformat(),
            "withdrawn_at": erratum.withdrawn_at.isoformat() if erratum.withdrawn_at else None,
            "withdrawn_note": erratum.withdrawn_note,
        }
        for erratum in errata_of(release)
    ]
    text = "".join(json.dumps(row, ensure_ascii=False, sort_keys=True) + "\n" for row in rows)
    return HttpResponse(text, content_type="application/jsonl; charset=utf-8")
