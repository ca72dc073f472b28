"""The public pages: each turns what was read into what its template shows."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.http import HttpResponse, HttpResponseRedirect
from django.utils.safestring import SafeString, mark_safe

from annotation.releases.exporters.base import Facts
from annotation.releases.models import Release
from annotation.releases.queries import errata_of, key_of
from annotation.releases.rules import PER_PICTURE
from curation.core.errors import NotFound
from curation.core.stores import store
from evaluation.publication import queries
from evaluation.publication.api.errata import erratum_fields, report_url
from evaluation.publication.api.visit import Visit, display_bytes, display_date, display_number, kind_choices
from evaluation.publication.queries.releases import category_names
from evaluation.publication.queries.samples import Sample
from evaluation.publication.rules import WORDS, Part, licence_of, preferred_language

SAMPLES_PER_PAGE: Final = 24
# A larger description of the data set is linked, not repeated in the page.
_JSON_LD_LIMIT: Final = 200_000
_CROISSANT: Final = "croissant.json"
# As JSON escapes: browsers end the block at "</script".
_HARMLESS: Final = {ord(c): f"\\u{ord(c):04x}" for c in "<>&\u2028\u2029"}


def overview(visit: Visit, language: str) -> HttpResponse:
    """Show the benchmark: its newest release, the others, withdrawn ones, how to submit and to cite."""
    protocol = visit.site.benchmark.protocol
    meta = protocol.content.get("meta", {}) if protocol else {}
    rows = [_summary(row, language) for row in visit.site.open_releases]
    newest = visit.site.open_releases[0].release if rows else None
    return visit.render(
        "overview",
        language,
        heading=visit.title_by_language[language],
        summary=(meta.get("summary") or {}).get(language, ""),
        newest=rows[0] if rows else None,
        others=rows[1:],
        former=[
            {
                "label": row.release.label,
                "status": WORDS[language][row.status],
                "date": display_date(row.since, language),
                "reason": row.release.withdrawn_reason if row.status == "withdrawn" else "",
            }
            for row in visit.site.former_releases
        ],
        citation=visit.citation(newest, language).sentence() if newest else "",
        submit_how=visit.submit_how(language),
    )


def _summary(row: queries.Opened, language: str) -> dict[str, Any]:
    known = queries.facts(row.release)
    return {
        "label": row.release.label,
        "kind": _kinds(row.release, language),
        "date": display_date(row.published_at, language),
        "iso": f"{row.published_at:%Y-%m-%d}",
        "images": display_number(known.images),
        "items": display_number(known.items),
        "categories": display_number(len({name for rows in known.categories.values() for name, _, _ in rows if name})),
    }


def _kind(kind: str, language: str) -> str:
    return WORDS[language].get(kind, kind)


def _kinds(release: Release, language: str) -> str:
    between = ", " if language == "en" else "、"
    return between.join(_kind(own.kind, language) for own in release.kinds.all())


def release(visit: Visit, language: str, label: str) -> HttpResponse:
    """Show a release: figures, splits, categories, licences, terms, citation."""
    this = visit.release(label)
    known = queries.facts(this)
    whole, words = known.whole, WORDS[language]
    facts = whole.about
    names = category_names(this.benchmark_id)
    order = {code: place for place, code in enumerate(names)}
    cited = visit.citation(this, language)
    row = next(r for r in visit.site.releases if r.release.pk == this.pk)
    return visit.render(
        "release",
        language,
        path=f"{label}/",
        release=this,
        heading=label,
        kind=_kinds(this, language),
        figures=_summary(row, language),
        notes=facts.notes,
        content_language=words["mul"] if facts.language == "mul" else _language_name(facts.language),
        protocol=f"{facts.protocol_name} · {words['version_of'].format(version=facts.protocol_version)}",
        previous="" if whole.is_mixed else facts.previous,
        kinds=[
            {
                "name": _kind(own.kind, language),
                "images": display_number(sum(split.images for split in own.splits)),
                "items": display_number(sum(split.items for split in own.splits)),
                "previous": own.previous,
            }
            for own in whole.kinds
            if whole.is_mixed
        ],
        splits=[
            {
                "name": words[split.name],
                "share": "" if split.percent is None else f"{split.percent}%",
                "images": display_number(split.images),
                "items": display_number(split.items),
                "answers": words["withheld" if split.withheld else "given"],
            }
            for split in whole.splits
        ],
        categories=[
            {
                "kind": _kind(own.kind, language) if whole.is_mixed else "",
                "rows": [
                    {
                        "name": _category(code, names, language),
                        "images": display_number(images),
                        "items": display_number(items),
                        "share": round(100 * items / max(1, len(own.rows)), 1),
                    }
                    for code, images, items in sorted(
                        known.categories[own.kind], key=lambda c: (order.get(c[0], len(order)), c[0])
                    )
                ],
            }
            for own in whole.kinds
        ],
        licence=words["licence_per_picture"]
        if facts.licence in (PER_PICTURE, "")
        else words["licence_of_set"].format(licence=facts.licence),
        licences=[
            {"licence": licence_of(code, this.protocol.content, language), "images": display_number(n)}
            for code, n in sorted(whole.licences.items())
        ],
        citation=cited.sentence(),
        bibtex=cited.bibtex(),
        json_ld=_json_ld(this),
        description=f"{visit.title_by_language[language]} · {label}",
        **_terms(visit, language),
    )


def in_own_language(visit: Visit, label: str) -> HttpResponse:
    """Lead from a release's address without a language, which citation files hold, to the reader's language."""
    this = visit.release(label)
    language = preferred_language(visit.request.headers.get("Accept-Language", ""))
    answer = HttpResponseRedirect(f"{visit.base}/{language}/{this.label}/")
    answer["Vary"] = "Accept-Language"
    return answer


def _language_name(tag: str) -> str:
    return {"zh-Hans": "简体中文", "zh-Hant": "繁體中文", "en": "English"}.get(tag, tag)


def _category(code: str, names: Mapping[str, Mapping[str, str]], language: str) -> str:
    return names[code][language] if code in names else code or WORDS[language]["no_category"]


def _terms(visit: Visit, language: str) -> dict[str, Any]:
    publication = visit.site.publication
    return {
        "terms": publication.terms.get(language, ""),
        "terms_are_accepted": publication.terms_mode == publication.Terms.ACCOUNT,
    }


def _json_ld(release: Release) -> SafeString | str:
    """The release's Croissant description as a data block for search engines, if it was written and is small."""
    files = {file.name: file for file in queries.public_files(release)}
    if _CROISSANT not in files or files[_CROISSANT].bytes > _JSON_LD_LIMIT:
        return ""
    try:
        data = json.loads(store().read(key_of(release.pk, _CROISSANT)))
    except (FileNotFoundError, ValueError):
        return ""
    text = json.dumps(data, ensure_ascii=False).translate(_HARMLESS)
    return mark_safe(f'<script type="application/ld+json">{text}</script>')  # noqa: S308  (escaped above)


def files(visit: Visit, language: str, label: str) -> HttpResponse:
    """List the files with their checksums and terms."""
    this = visit.release(label)
    closed, covered = queries.closed_files(this), queries.covered_files(this)
    rows = [
        {
            "name": file.name,
            "size": display_bytes(file.bytes),
            "bytes": file.bytes,
            "sha256": file.sha256,
            "url": f"{visit.base}/{label}/files/{file.name}",
            "closed": WORDS[language]["file_covered" if file.name in covered else "file_closed"]
            if file.name in closed
            else "",
        }
        for file in queries.public_files(this)
    ]
    whole = None if covered else queries.public_archive(this)
    archive = whole and {
        "url": f"{visit.base}/{label}/archive.zip",
        "text": WORDS[language]["archive"].format(files=display_number(whole.files), size=display_bytes(whole.size)),
    }
    return visit.render(
        "files",
        language,
        path=f"{label}/files",
        release=this,
        heading=WORDS[language]["files"],
        rows=rows,
        archive=archive,
        covered=covered,
        canary=visit.site.publication.canary,
        outsiders_submit=visit.outsiders_submit,
        submit_how=visit.submit_how(language),
        no_index=True,
        **_terms(visit, language),
    )


def samples(visit: Visit, language: str, label: str) -> HttpResponse:
    """List the samples, by split and category."""
    this = visit.release(label)
    every = queries.samples(this, visit.site.settings)
    names = category_names(this.benchmark_id)
    kind, split, category = (visit.query.get(name, "") for name in ("kind", "split", "category"))
    chosen = [
        one for one in every if kind in ("", one.kind) and split in ("", one.split) and category in ("", one.category)
    ]
    pages = max(1, -(-len(chosen) // SAMPLES_PER_PAGE))
    number = visit.query.get("page", "1")
    if not number.isdigit() or len(number) > 4 or not 1 <= int(number) <= pages:
        raise NotFound
    first = SAMPLES_PER_PAGE * (int(number) - 1)
    words = WORDS[language]
    order = {code: place for place, code in enumerate(names)}
    categories = sorted({one.category for one in every}, key=lambda code: (order.get(code, len(order)), code))
    return visit.render(
        "samples",
        language,
        path=f"{label}/samples",
        release=this,
        heading=words["samples"],
        cards=[_card(visit, label, one, names, language) for one in chosen[first : first + SAMPLES_PER_PAGE]],
        splits=[{"code": code, "name": words[code]} for code in dict.fromkeys(one.split for one in every)],
        categories=[{"code": code, "name": _category(code, names, language)} for code in categories if code],
        kinds=kind_choices(this, language),
        kind=kind,
        split=split,
        category=category,
        pages=words["page"].format(page=number, pages=pages) if pages > 1 else "",
        before=int(number) - 1 if int(number) > 1 else 0,
        after=int(number) + 1 if int(number) < pages else 0,
        canary=visit.site.publication.canary,
        no_index=True,
    )


def _card(
    visit: Visit, label: str, one: Sample, names: Mapping[str, Mapping[str, str]], language: str
) -> dict[str, Any]:
    thumb = one.files.get("thumb") or one.files.get("view", "")
    marks = _marks(one.parts, names, language)
    between = ", " if language == "en" else "、"
    counts = Counter(mark["name"] for mark in marks if mark["name"])
    return {
        "label": one.label,
        "url": f"{visit.base}/{language}/{label}/samples/{one.label}",
        "thumb": f"{visit.base}/{label}/{thumb}" if thumb else "",
        "alt": WORDS[language]["picture"].format(label=one.image),
        "category": _category(one.category, names, language),
        "split": WORDS[language][one.split],
        "text": one.text or between.join(f"{name} × {n}" if n > 1 else name for name, n in counts.items()),
        "lang": one.lang if one.text else language,
        "dir": one.dir,
        "marks": marks,
        "width": one.width,
        "height": one.height,
    }


def _marks(parts: Sequence[Part], names: Mapping[str, Mapping[str, str]], language: str) -> list[dict[str, Any]]:
    """The boxes of a sample to be drawn on its picture, each with its number and its category's name."""
    categories = {part.number: _category(part.text, names, language) for part in parts if part.is_category}
    return [
        dict(zip(("x", "y", "width", "height"), map(str, part.box), strict=True))
        | {"number": part.number, "name": categories.get(part.number, "")}
        for part in parts
        if part.box
    ]


def sample(visit: Visit, language: str, label: str, item: str) -> HttpResponse:
    """Show one sample."""
    this = visit.release(label)
    one, before, after = queries.sample(this, visit.site.settings, item)
    names, words = category_names(this.benchmark_id), WORDS[language]
    view = one.files.get("view") or one.files.get("thumb", "")
    source = one.record.get("source") or {}
    return visit.render(
        "sample",
        language,
        path=f"{label}/samples/{item}",
        release=this,
        heading=item,
        view=f"{visit.base}/{label}/{view}" if view else "",
        alt=words["picture"].format(label=one.image),
        width=one.width,
        height=one.height,
        parts=[_part(part, names, language) for part in one.parts if not part.box],
        marks=_marks(one.parts, names, language),
        answers=one.answers,
        split=words[one.split],
        category=_category(one.category, names, language),
        licence=licence_of(one.record.get("licence", ""), this.protocol.content, language),
        author=source.get("author", ""),
        source=source.get("url", ""),
        before=before,
        after=after,
        errata=[erratum_fields(erratum, language) for erratum in errata_of(this) if erratum.item == item],
        report_url=report_url(visit, label, item),
        canary=visit.site.publication.canary,
        no_index=True,
    )


def _part(part: Part, names: Mapping[str, Mapping[str, str]], language: str) -> dict[str, Any]:
    name = WORDS[language].get(f"part_{part.name}", part.name)
    text = _category(part.text, names, language) if part.is_category else part.text
    lang = language if part.is_category else part.lang
    return {"name": f"{name} {part.number}" if part.number else name, "text": text, "lang": lang, "dir": part.dir}


def changes(visit: Visit, language: str, label: str) -> HttpResponse:
    """Show what changed since the previous release, and which pictures were withdrawn."""
    this = visit.release(label)
    whole, words = queries.facts(this).whole, WORDS[language]
    rows = queries.change_list(this)
    counts = {name: sum(own.changes.get(name, 0) for own in whole.kinds) for name in ("added", "removed", "changed")}
    total = sum(counts.values())
    row = next(r for r in visit.site.releases if r.release.pk == this.pk)
    return visit.render(
        "changes",
        language,
        path=f"{label}/changes",
        release=this,
        heading=words["changes"],
        date=display_date(row.published_at, language),
        since=_since(whole.about, language)
        if not whole.is_mixed
        else " · ".join(f"{_kind(own.kind, language)}: {_since(own, language)}" for own in whole.kinds),
        counts=[
            {"name": words[name], "n": display_number(n)}
            for name, n in counts.items()
            if any(own.previous for own in whole.kinds)
        ],
        rows=[{**one, "change": words[one["change"]], "fields": ", ".join(one["fields"])} for one in rows],
        corrects=bool(this.corrected),
        more=words["more_changes"].format(count=len(rows)) if total > len(rows) else "",
        notes=whole.about.notes,
        gone=[{"label": image.label, "date": display_date(image.at, language)} for image in queries.gone_images(this)],
    )


def _since(facts: Facts, language: str) -> str:
    words = WORDS[language]
    return words["since"].format(previous=facts.previous) if facts.previous else words["first_release"]
