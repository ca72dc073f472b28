"""Switching uploads by addresses on, submitting lists, and fetching their files."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final
from uuid import UUID

from django.conf import settings
from django.db import connection, transaction
from django.utils import timezone

from curation.benchmarks.models import Benchmark
from curation.benchmarks.queries import image_rules
from curation.core import jobs
from curation.core.broker import PICTURES
from curation.core.decisions import Decision
from curation.core.errors import ActionNotAllowed, DomainError, StorageUnavailable
from curation.core.models import Job
from curation.core.stores.space import disk_full_as_error, require_space
from curation.images.services import add_fetched_file, require_room
from curation.lib import files
from curation.people.access import benchmark_for, require
from curation.people.models import Person
from curation.url_lists import access, queries, rules
from curation.url_lists.errors import UrlContactMissing, UrlListHasNoValidLine, UrlUploadsOff
from curation.url_lists.models import UrlList, UrlRow, UrlSetting
from curation.url_lists.rules import Line
from curation.wire.public_web import FetchFailed, fetch

FETCH_TASK: Final = "curation.fetch_url_list"
#: Seconds of one run of a list's job; then other people's lists have their turn.
SLICE: Final = 20.0
#: Seconds for one file, redirects included.
FETCH_SECONDS: Final = 60.0
#: Seconds between the end of a request to a host and the next one.
HOST_PAUSE: Final = 1.0
_POLL: Final = 0.2  # seconds

# Takes a host's turn until the request has certainly ended. A time further ahead than any turn counts as past: the
# database's clock was set back since.
_TAKE_TURN: Final = """
    insert into curation_urlhost as h (host, free_at)
    values (%(host)s, statement_timestamp() + make_interval(secs => %(hold)s))
    on conflict (host) do update set free_at = excluded.free_at
    where h.free_at <= statement_timestamp() or h.free_at > statement_timestamp() + make_interval(secs => %(longest)s)
"""
_END_TURN: Final = (
    "update curation_urlhost set free_at = statement_timestamp() + make_interval(secs => %s) where host = %s"
)
_HOLD: Final = FETCH_SECONDS + 10
_LONGEST: Final = 2 * _HOLD


@transaction.atomic
def update_setting(*, actor: Person, benchmark_slug: str, is_on: bool, client_key: UUID) -> UrlSetting:
    """Switch uploads by addresses on or off; what is being fetched ends with its file.

    Raises:
        UrlContactMissing: The operator does not allow it.
        ClientKeyReused, NotFound, OperationNotAllowed.
    """
    benchmark = benchmark_for(actor, benchmark_slug, "url_setting_update")
    Benchmark.objects.select_for_update(of=("self",), no_key=True).get(pk=benchmark.pk)
    setting, _ = UrlSetting.objects.get_or_create(benchmark=benchmark)
    decision = Decision(
        actor_id=actor.pk,
        action="url_setting_update",
        row=setting,
        client_key=client_key,
        label=benchmark.slug,
        benchmark_id=benchmark.pk,
    )
    if decision.is_repeat(is_on=is_on):
        return setting
    if is_on and not settings.URL_UPLOAD_CONTACT:
        raise UrlContactMissing
    setting.is_on, setting.changed_at = is_on, timezone.now()
    setting.save()
    decision.record(is_on=is_on)
    return setting


def preview_list(*, actor: Person, benchmark_slug: str, text: str) -> list[Line]:
    """Read a list of addresses and report all errors by line; nothing is stored or fetched.

    Raises:
        UrlUploadsOff, NotFound, OperationNotAllowed.
        DomainError: The list as a whole is refused (``errors.LIST_ERRORS``).
    """
    benchmark = benchmark_for(actor, benchmark_slug, "url_list_preview")
    queries.require_on(benchmark.pk)
    return queries.read_list(actor, benchmark, text)


@transaction.atomic
def create_list(*, actor: Person, benchmark_slug: str, text: str, client_key: UUID) -> UrlList:
    """Submit a list of addresses; a job fetches the lines without errors, each as an upload.

    Raises:
        UrlUploadsOff, NotFound, OperationNotAllowed, ClientKeyReused.
        UrlListHasNoValidLine: Every line has an error.
        TooManyUploads: With the lines that wait, the person would have too many uploads.
        PersonStorageLimit, BenchmarkStorageLimit.
        DomainError: The list as a whole is refused (``errors.LIST_ERRORS``).
    """
    benchmark = benchmark_for(actor, benchmark_slug, "url_list_create")
    Person.objects.select_for_update(of=("self",), no_key=True).get(pk=actor.pk)  # one list of a person at a time
    decision = Decision(actor_id=actor.pk, action="url_list_create", client_key=client_key, benchmark_id=benchmark.pk)
    # The text itself is not kept.
    text_sha256 = hashlib.sha256(text.encode()).hexdigest()
    if earlier := decision.earlier(text_sha256=text_sha256):
        return UrlList.objects.get(pk=earlier.target_id)
    queries.require_on(benchmark.pk)
    lines = queries.read_list(actor, benchmark, text)
    valid = [line for line in lines if not line.faults]
    if not valid:
        raise UrlListHasNoValidLine(lines=len(lines))
    waiting = UrlRow.objects.filter(url_list__in=access.lists_of(actor, benchmark), state=UrlRow.State.WAITING).count()
    require_room(actor, benchmark, waiting=waiting, needed=len(valid))
    url_list = UrlList.objects.create(benchmark=benchmark, person=actor)
    UrlRow.objects.bulk_create(
        UrlRow(url_list=url_list, line=line.number, url=line.url, details=line.details) for line in valid
    )
    _enqueue(url_list)
    decision.row = url_list
    decision.record(lines=len(lines), valid=len(valid), text_sha256=text_sha256)
    return url_list


@transaction.atomic
def retry_list(*, actor: Person, list_id: int, client_key: UUID) -> UrlList:
    """Fetch the failed lines of a list again.

    Raises:
        ActionNotAllowed: No line failed.
        UrlUploadsOff, NotFound, OperationNotAllowed, ClientKeyReused.
    """
    url_list = access.list_for(actor, list_id, "url_list_retry", lock=True)
    decision = Decision(actor_id=actor.pk, action="url_list_retry", row=url_list, client_key=client_key)
    if decision.is_repeat():
        return url_list
    queries.require_on(url_list.benchmark_id)
    failed = UrlRow.objects.filter(url_list=url_list, state=UrlRow.State.FAILED)
    lines = failed.update(state=UrlRow.State.WAITING, error_code="", error_params={})
    if not lines:
        raise ActionNotAllowed(action="retry", state="fetched")
    _enqueue(url_list)
    decision.record(lines=lines)
    return url_list


def _enqueue(url_list: UrlList) -> None:
    jobs.enqueue(
        task=FETCH_TASK,
        args={"url_list": url_list.pk},
        dedupe_key=url_list.job_key,
        queue=PICTURES,
        benchmark_id=url_list.benchmark_id,
        actor_id=url_list.person_id,
    )


# --- Fetching


def fetch_list(lease: jobs.Lease) -> None:
    """Fetch files of a list for :data:`SLICE` seconds; what is left is enqueued again.

    Safe to run twice: a line is fetched in the transaction that creates its upload.

    Raises:
        LeaseLost: Another worker has the job.
        StorageUnavailable: The job waits.
    """
    url_list = UrlList.objects.select_related("benchmark__protocol", "person").get(pk=lease.args["url_list"])
    rows = UrlRow.objects.filter(url_list=url_list)
    total, ends = rows.count(), time.monotonic() + SLICE
    waiting = rows.filter(state=UrlRow.State.WAITING).order_by("line")
    while (row := waiting.first()) is not None:
        done = total - waiting.count()
        lease.progress(done, total)
        if (refusal := _refusal(url_list)) is not None:
            for remaining in waiting:
                _fail(remaining, refusal.code, refusal.params)
            return
        try:
            _fetch_row(url_list, row, lambda: lease.progress(done, total))  # noqa: B023  (called at once)
        except FetchFailed as failure:
            _fail(row, failure.code, failure.params)
        except StorageUnavailable:
            raise
        except DomainError as error:
            _fail(row, error.code, error.params)
        if time.monotonic() > ends and waiting.exists():
            _continue_later(url_list, lease)
            return
    lease.progress(total, total)


def end_failed(job_id: int) -> None:
    """Mark the waiting lines of a job that failed for good; their submitter may retry."""
    job = Job.objects.get(pk=job_id)
    for row in UrlRow.objects.filter(url_list=job.args["url_list"], state=UrlRow.State.WAITING):
        _fail(row, job.error_code, job.error_params)


@transaction.atomic
def _continue_later(url_list: UrlList, lease: jobs.Lease) -> None:
    """End the job and enqueue another for the lines that are left.

    Raises:
        LeaseLost: Another worker has the job.
    """
    if not jobs.finish(lease.job):
        raise jobs.LeaseLost
    _enqueue(url_list)


def _refusal(url_list: UrlList) -> DomainError | None:
    """Why nothing of the list is fetched any more: it was switched off, or the submitter may not upload now."""
    if not queries.is_on(url_list.benchmark_id):
        return UrlUploadsOff()
    person = Person.objects.get(pk=url_list.person_id)  # with the roles of now
    try:
        require(person, url_list.benchmark_id, "url_list_create")
        require_room(person, url_list.benchmark)
    except DomainError as error:
        return error
    return None


def _fetch_row(url_list: UrlList, row: UrlRow, renew: Callable[[], None]) -> None:
    """Fetch a line's file and make an upload of it.

    Raises:
        FetchFailed: The file was not fetched.
        TooManyUploads, PersonStorageLimit, BenchmarkStorageLimit, StorageFull, LeaseLost.
    """
    limits = image_rules(url_list.benchmark)
    turns = _Turns(renew)

    def check_size(_: int) -> None:
        require_space()

    blocks = fetch(
        row.url,
        largest=min(limits.bytes.maximum, settings.UPLOAD_LIMIT_BYTES),
        seconds=FETCH_SECONDS,
        user_agent=f"Lantern ({settings.URL_UPLOAD_CONTACT})",
        blocked=settings.URL_UPLOAD_BLOCKED_NETWORKS,
        before_request=turns.take,
    )
    try:
        with disk_full_as_error():
            staged, size, _ = files.stage_blocks(Path(settings.MEDIA_ROOT), blocks, check_size)
    except FetchFailed as failure:
        turns.end(failure.pause)
        raise
    finally:
        turns.end()
    try:
        with transaction.atomic():
            still_waiting = UrlRow.objects.select_for_update().filter(pk=row.pk, state=UrlRow.State.WAITING)
            if still_waiting.first() is None:  # another run of the job was faster
                return
            add_fetched_file(
                person=url_list.person,
                benchmark=url_list.benchmark,
                key=row.key,
                filename=rules.filename_of(row.url),
                file=staged,
                size=size,
                details=row.details,
            )
            UrlRow.objects.filter(pk=row.pk).update(state=UrlRow.State.FETCHED)
    finally:
        staged.unlink(missing_ok=True)


def _fail(row: UrlRow, code: str, params: dict[str, Any]) -> None:
    waiting = UrlRow.objects.filter(pk=row.pk, state=UrlRow.State.WAITING)
    waiting.update(state=UrlRow.State.FAILED, error_code=code, error_params=params)


class _Turns:
    """The turns that a file's requests take, so that a host gets one request of this site at a time, with pauses."""

    def __init__(self, renew: Callable[[], None]) -> None:
        self._renew = renew
        self._host = ""

    def take(self, host: str) -> None:
        """End the turn of the host before, and wait for that of ``host``.

        Raises:
            LeaseLost: Another worker has the job.
        """
        self.end()
        values: dict[str, str | float] = {"host": host, "hold": _HOLD, "longest": _LONGEST}
        while True:
            with connection.cursor() as cursor:
                cursor.execute(_TAKE_TURN, values)
                if cursor.rowcount:
                    break
            time.sleep(_POLL)
            self._renew()
        self._host = host

    def end(self, pause: float = 0.0) -> None:
        """Let the next request to the host follow after ``pause`` seconds, at least :data:`HOST_PAUSE`."""
        if self._host:
            with connection.cursor() as cursor:
                cursor.execute(_END_TURN, [max(HOST_PAUSE, pause), self._host])
            self._host = ""
