"""What a release expects of a submission, and the releases that take some."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime
from functools import lru_cache
from typing import Any, NamedTuple, cast

from django.db.models import Count, Exists, OuterRef, Q

from annotation.releases.access import kind_in, release_ids_open_to, releases_visible_to
from annotation.releases.models import Release, ReleaseKind
from curation.people.access import benchmark_for
from curation.people.models import Person
from evaluation.profiles.rows import Row
from evaluation.scoring.queries import label_with_kind
from evaluation.sets.queries import release_rows, scored_entries
from evaluation.submissions import access
from evaluation.submissions.errors import ReleaseNotScorable
from evaluation.submissions.models import Submission
from evaluation.submissions.shapes import AnsweredRelease, OpenRelease
from evaluation.suites.rules import PUBLISHED, Published

# States of a release that takes submissions.
OPEN = frozenset({Release.State.FROZEN, Release.State.PUBLISHED})
# Releases on the list; older ones are reached from their own pages.
OPEN_LISTED = 50


def _records(own: ReleaseKind) -> Iterator[dict[str, Any]]:
    for entry in scored_entries(own):
        yield entry.record


def release_settings(release: Release) -> dict[str, Any]:
    """What the release's protocol says about releases."""
    settings: dict[str, Any] = release.protocol.content.get("release", {})
    return settings


def answered_kind(release: Release, kind: str | None) -> ReleaseKind:
    """The kind of a release that is answered: the given one, else the first that takes submissions, else the first.

    Raises:
        NotFound: The release does not hold the kind.
    """
    if kind is None:
        kind = next((own.kind for own in release.kinds.all() if own.kind in PUBLISHED), None)
    return kind_in(release, kind)


def published(own: ReleaseKind) -> Published:
    """How a kind of a release that takes submissions is published.

    Raises:
        ReleaseNotScorable: No profile scores it, or its evaluated splits are empty.
    """
    if own.kind not in PUBLISHED or not expected(own):
        raise ReleaseNotScorable(label=own.release.label)
    return PUBLISHED[own.kind]


def gold_rows(own: ReleaseKind) -> Iterator[Row]:
    """The gold rows of a kind of a release: those of the runs over it."""
    for number, row in enumerate(release_rows(own), 1):
        yield Row("gold", number, row.gold)


def expected(own: ReleaseKind) -> int:
    """The number of ids that a submission for a kind of a frozen release must answer; 0 if it takes none."""
    is_answered = own.release.frozen_at is not None and own.kind in PUBLISHED
    return _expected(own.release_id, own.kind, own.release.digest) if is_answered else 0


@lru_cache(maxsize=256)  # a frozen release never changes
def _expected(release_id: int, kind: str, digest: str) -> int:
    own = ReleaseKind.objects.select_related("release__protocol").get(release=release_id, kind=kind)
    published_as, seed = PUBLISHED[kind], own.option_seed or 0
    return len({row["id"] for record in _records(own) for row in published_as.gold(record, seed)})


class File(NamedTuple):
    """A file to send."""

    name: str
    content: bytes


def template(person: Person, release_id: int, *, kind: str | None = None) -> File:
    """The expected rows of a file of predictions for a kind of a release, with empty responses, as JSON lines.

    Raises:
        TermsNotAccepted: An outsider has not accepted the terms of use, which hold for the questions too.
        ReleaseNotScorable, ReleaseWithdrawn, NotFound, OperationNotAllowed.
    """
    release = access.available_release_open_to(person, release_id, "submission_template")
    access.check_terms(person, release.benchmark_id)
    own = answered_kind(release, kind)
    rows = published(own).template(_records(own), own.option_seed or 0)
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    return File(f"{label_with_kind(release, own.kind)}-predictions.jsonl", text.encode())


def open_releases(person: Person, benchmark_slug: str) -> list[OpenRelease]:
    """List the frozen releases that take submissions, newest first.

    Raises:
        NotFound, OperationNotAllowed.
    """
    benchmark = benchmark_for(person, benchmark_slug, "submission_releases")
    rows = releases_visible_to(person, benchmark, "submission_releases").filter(
        Exists(ReleaseKind.objects.filter(release=OuterRef("pk"), kind__in=PUBLISHED)),
        state__in=OPEN,
        frozen_at__isnull=False,
    )
    open_ids = release_ids_open_to(person, benchmark.pk)
    rows = rows if open_ids is None else rows.filter(pk__in=open_ids)
    mine = Count("submissions", filter=Q(submissions__in=Submission.objects.filter(access.own_submissions(person))))
    return [
        {"release": release_answer(row), "frozen_at": cast(datetime, row.frozen_at), "mine": row.mine}
        for row in rows.annotate(mine=mine).prefetch_related("kinds").order_by("-pk")[:OPEN_LISTED]
    ]


def release_answer(release: Release) -> AnsweredRelease:
    """A release as answers about submissions name it."""
    kinds = [own.kind for own in release.kinds.all()]
    return {"id": release.pk, "label": release.label, "kinds": kinds, "state": release.state}
