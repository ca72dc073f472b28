"""Reads of notices."""

from __future__ import annotations

from typing import Any

from django.db.models import F, Q, QuerySet

from curation.benchmarks.models import Benchmark
from curation.core.pages import COUNT_LIMIT, cut_page
from curation.people import access
from curation.people.models import Notice, Person
from curation.people.rules import NOTICES
from curation.people.shapes import NoticePage, NoticeRow, UnreadNotices, person_brief


def notice_page(person: Person, *, page_size: int, unread: bool = False, cursor: str | None = None) -> NoticePage:
    """List the signed-in person's notices, newest first, with the number of unread ones.

    Actors are left out where the protocol hides colleagues' names and the reader does not administer.
    """
    rows = visible_notices(person)
    rows = rows.filter(read_at=None) if unread else rows
    notices, facts = cut_page(rows.select_related("actor"), by="-id", cursor=cursor, page_size=page_size)
    benchmarks = Benchmark.objects.filter(pk__in={n.benchmark_id for n in notices if n.benchmark_id is not None})
    tracks = F("protocol__content__tracks")
    by_id: dict[int | None, dict[str, Any]] = {
        row["id"]: dict(row) for row in benchmarks.values("id", "slug", "title", tracks=tracks)
    }
    return {
        **facts,
        "results": [_notice_row(notice, by_id.get(notice.benchmark_id), person) for notice in notices],
        "unread": _unread(person),
    }


def unread_notices(person: Person, marked: int) -> UnreadNotices:
    """How many notices are unread after ``marked`` of them were marked as read."""
    return {"unread": _unread(person)}


def _unread(person: Person) -> int:
    return visible_notices(person).filter(read_at=None)[:COUNT_LIMIT].count()


def _notice_row(notice: Notice, benchmark: dict[str, Any] | None, reader: Person) -> NoticeRow:
    names_visible = benchmark is None or access.names_visible(reader, benchmark["id"], {"tracks": benchmark["tracks"]})
    return {
        "id": notice.pk,
        "code": notice.code,
        "params": notice.params,
        "benchmark": {"slug": benchmark["slug"], "title": benchmark["title"]} if benchmark else None,
        "actor": person_brief(notice.actor) if notice.actor and names_visible else None,
        "target_type": notice.target_type,
        "target_id": notice.target_id,
        "created_at": notice.created_at,
        "read_at": notice.read_at,
    }


def visible_notices(person: Person) -> QuerySet[Notice]:
    """A person's own notices, without those of benchmarks in which they no longer hold a role.

    Where they are outsiders, they see those for outsiders alone: earlier ones may be from when they were members.
    """
    rows = Notice.objects.filter(person=person)
    if person.owns_site:
        return rows
    here = {g.benchmark_id for g in person.grants if g.is_member}
    outside = {g.benchmark_id for g in person.grants} - here
    codes = [code for code, notice_type in NOTICES.items() if notice_type.is_for_outsiders]
    return rows.filter(Q(benchmark=None) | Q(benchmark__in=here) | Q(benchmark__in=outside, code__in=codes))
