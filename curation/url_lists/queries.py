"""Reads about lists of addresses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final
from uuid import UUID

from django.conf import settings
from django.db.models import Count

from curation.benchmarks.models import Benchmark
from curation.benchmarks.queries import image_rules
from curation.core import jobs
from curation.core.broker import PICTURES
from curation.core.models import Job
from curation.core.pages import cut_page
from curation.core.shapes import job_answer
from curation.images.models import Image, Upload
from curation.images.shapes import ImageRef, RowError
from curation.people.access import benchmark_for
from curation.people.models import Person
from curation.taxonomy.models import Category
from curation.url_lists import access, rules
from curation.url_lists.errors import LIST_ERRORS, UrlUploadsOff
from curation.url_lists.models import UrlList, UrlRow, UrlSetting
from curation.url_lists.rules import Fault, Line
from curation.url_lists.shapes import (
    UrlLinePreview,
    UrlLineRow,
    UrlListAnswer,
    UrlListPage,
    UrlListPreview,
    UrlListRow,
    UrlSettingAnswer,
)

_STATE_OF_UPLOAD: Final[Mapping[str, str]] = {
    Upload.State.CHECKING: "checking",
    Upload.State.READY: "ready",
    Upload.State.REFUSED: "refused",
    Upload.State.FAILED: "refused",
    Upload.State.TAKEN: "added",
    Upload.State.DROPPED: "removed",
}


def is_on(benchmark_id: int) -> bool:
    """Whether addresses of a benchmark are fetched: the operator allows it and an administrator switched it on."""
    return bool(settings.URL_UPLOAD_CONTACT) and UrlSetting.objects.filter(benchmark=benchmark_id, is_on=True).exists()


def require_on(benchmark_id: int) -> None:
    """Refuse what needs the switch.

    Raises:
        UrlUploadsOff.
    """
    if not is_on(benchmark_id):
        raise UrlUploadsOff


def setting_detail(person: Person, benchmark_slug: str) -> UrlSettingAnswer:
    """Show whether pictures can be uploaded by their addresses."""
    benchmark = benchmark_for(person, benchmark_slug, "url_setting_show")
    return _setting(person, benchmark)


def changed_setting(person: Person, setting: UrlSetting) -> UrlSettingAnswer:
    """Answer with the setting after a change."""
    return _setting(person, setting.benchmark)


def _setting(person: Person, benchmark: Benchmark) -> UrlSettingAnswer:
    return {
        "is_on": is_on(benchmark.pk),
        "is_configured": bool(settings.URL_UPLOAD_CONTACT),
        "most_lines": rules.MOST_LINES,
        "available_actions": [
            name for name in ("url_setting_update", "url_list_create") if person.may(benchmark.pk, name)
        ],
    }


# --- Reading a list


def read_list(person: Person, benchmark: Benchmark, text: str) -> list[Line]:
    """Read a list with all errors of its lines, also those that need the database.

    Raises:
        DomainError: The list as a whole is refused (``errors.LIST_ERRORS``).
    """
    try:
        lines = rules.read_lines(text, image_rules(benchmark), categories=_categories(benchmark.pk))
    except rules.ListRefused as refused:
        raise LIST_ERRORS[refused.code](**refused.params) from refused
    earlier = _fetched_before(person, benchmark, [line.url for line in lines if not line.faults])
    for line in lines:
        if not line.faults and line.url in earlier:
            line.faults.append(Fault("url_fetched_before", earlier[line.url]))
    return lines


def preview(person: Person, lines: Sequence[Line]) -> UrlListPreview:
    """Answer with a list as it was read."""
    return {"valid": sum(not line.faults for line in lines), "lines": [_preview_of(line) for line in lines]}


def _preview_of(line: Line) -> UrlLinePreview:
    details = line.details
    return {
        "line": line.number,
        "url": line.url,
        "licence": details.get("licence", ""),
        "author": details.get("author", ""),
        "category": details.get("category", ""),
        "page": details.get("url", "") if details.get("url") != line.url else "",
        "errors": [{"code": fault.code, "params": fault.params} for fault in line.faults],
    }


def _categories(benchmark_id: int) -> dict[str, str]:
    """The slug of each category by its slug and its names, case-folded."""
    rows = list(Category.objects.filter(benchmark_id=benchmark_id).values_list("slug", "name"))
    by_name = {text.casefold(): slug for slug, name in rows for text in name.values() if text}
    return by_name | {slug.casefold(): slug for slug, _ in rows}


def _fetched_before(person: Person, benchmark: Benchmark, urls: Sequence[str]) -> dict[str, dict[str, Any]]:
    """List and line of addresses that the person submitted before, unless nothing is left of them."""
    rows = list(
        UrlRow.objects.filter(url_list__in=access.lists_of(person, benchmark), url__in=urls)
        .exclude(state=UrlRow.State.FAILED)
        .order_by("url_list_id", "line")
    )
    states = _line_states(person, rows)
    return {
        row.url: {"list": row.url_list_id, "line": row.line}
        for row in rows
        if states[row.key].state in ("waiting", "checking", "ready", "added")
    }


# --- Lists


def list_page(person: Person, benchmark_slug: str, *, page_size: int, cursor: str | None = None) -> UrlListPage:
    """List the person's lists of addresses, newest first.

    Four statements: benchmark, page, numbers, jobs.

    Raises:
        NotFound, OperationNotAllowed.
    """
    benchmark = benchmark_for(person, benchmark_slug, "url_list_list")
    rows = access.lists_of(person, benchmark)
    lists, facts = cut_page(rows, by="-id", cursor=cursor, page_size=page_size, count=False)
    numbers = _numbers(lists)
    open_jobs = jobs.open_jobs(url_list.job_key for url_list in lists)
    return {
        **facts,
        "results": [
            _list_row(person, one, numbers.get(one.pk, Counter()), open_jobs.get(one.job_key)) for one in lists
        ],
    }


def list_detail(person: Person, list_id: int) -> UrlListAnswer:
    """Show a list with what became of each line.

    Raises:
        NotFound, OperationNotAllowed.
    """
    url_list = access.list_for(person, list_id, "url_list_show")
    return updated_list(person, url_list)


def updated_list(person: Person, url_list: UrlList) -> UrlListAnswer:
    """Answer with a list after a change."""
    rows = list(UrlRow.objects.filter(url_list=url_list).order_by("line"))
    numbers = Counter(row.state for row in rows)
    results = _line_states(person, rows)
    return {
        **_list_row(person, url_list, numbers, jobs.open_jobs([url_list.job_key]).get(url_list.job_key)),
        "rows": [results[row.key].answer(row) for row in rows],
        "worker_alive": jobs.last_seen(PICTURES)["alive"],
    }


def _numbers(lists: Sequence[UrlList]) -> dict[int, Counter[str]]:
    """The number of lines of each list by state."""
    numbers: dict[int, Counter[str]] = {}
    rows = UrlRow.objects.filter(url_list__in=lists).order_by().values_list("url_list_id", "state")
    for list_id, state, n in rows.annotate(n=Count("line")):
        numbers.setdefault(list_id, Counter())[state] = n
    return numbers


def _list_row(person: Person, url_list: UrlList, numbers: Mapping[str, int], job: Job | None) -> UrlListRow:
    may_retry = numbers.get(UrlRow.State.FAILED, 0) > 0 and person.may(url_list.benchmark_id, "url_list_retry")
    return {
        "id": url_list.pk,
        "created_at": url_list.created_at,
        "lines": sum(numbers.values()),
        "waiting": numbers.get(UrlRow.State.WAITING, 0),
        "fetched": numbers.get(UrlRow.State.FETCHED, 0),
        "failed": numbers.get(UrlRow.State.FAILED, 0),
        "job": job_answer(job) if job else None,
        "available_actions": ["url_list_retry"] if may_retry else [],
    }


class _Result:
    """What became of a line: a state of ``shapes.LINE_STATES``, the error, the upload and the picture."""

    def __init__(
        self, state: str, *, error: RowError | None = None, upload: UUID | None = None, image: ImageRef | None = None
    ) -> None:
        self.state, self.error, self.upload, self.image = state, error, upload, image

    def answer(self, row: UrlRow) -> UrlLineRow:
        """The line as it is answered."""
        return {
            "line": row.line,
            "url": row.url,
            "state": self.state,
            "error": self.error,
            "upload": self.upload,
            "image": self.image,
        }


def _line_states(person: Person, rows: Sequence[UrlRow]) -> dict[UUID, _Result]:
    """What became of lines of the person's lists, by their keys. Two statements: uploads, pictures."""
    keys = [row.key for row in rows if row.state == UrlRow.State.FETCHED]
    uploads = Upload.objects.in_bulk(keys) if keys else {}
    # An upload is removed some days after it was added; the picture has its key.
    pictures = Image.objects.filter(contributor=person, client_key__in=keys) if keys else Image.objects.none()
    images: dict[UUID, ImageRef] = {
        image.client_key: {"id": image.pk, "label": image.label} for image in pictures.only("client_key", "number")
    }
    return {row.key: _result_of(row, uploads.get(row.key), images.get(row.key)) for row in rows}


def _result_of(row: UrlRow, upload: Upload | None, image: ImageRef | None) -> _Result:
    if row.state == UrlRow.State.WAITING:
        return _Result("waiting")
    if row.state == UrlRow.State.FAILED:
        return _Result("failed", error={"code": row.error_code, "params": row.error_params})
    if image is not None:
        return _Result("added", image=image)
    if upload is None:
        return _Result("removed")
    error: RowError | None = {"code": upload.error_code, "params": upload.error_params} if upload.error_code else None
    return _Result(_STATE_OF_UPLOAD.get(upload.state, "checking"), error=error, upload=upload.pk)
