"""Reads for people outside the team."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.db.models import Count, Exists, Max, OuterRef, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce

from curation.benchmarks.models import Benchmark
from curation.benchmarks.rules import OUTSIDER
from curation.core.pages import cut_page
from curation.people.access import benchmark_for
from curation.people.models import Person, RoleGrant
from curation.people.queries import is_barred
from curation.people.services.links import sign_up_of
from evaluation.outsiders import access, rules
from evaluation.outsiders.shapes import JoinedAnswer, OutsiderPage, OutsiderRow, SubmitPage
from evaluation.publication.models import TermsAcceptance
from evaluation.publication.queries import terms_accepted
from evaluation.submissions.models import CrewMember, Submission


def submit_page(person: Person | AnonymousUser, benchmark_slug: str) -> SubmitPage:
    """Show a benchmark to people who want to submit predictions: whether they may join, and the terms of use.

    Raises:
        NotFound: Its public pages are closed.
    """
    benchmark, publication = access.open_benchmark(benchmark_slug)
    return {
        "benchmark": {"slug": benchmark.slug, "title": benchmark.title},
        "url": f"/p/{benchmark.slug}/",
        "may_join": may_join(benchmark),
        "participation": _participation(person, benchmark),
        "terms": {
            "text": {
                "zh-Hans": publication.terms.get("zh-Hans", ""),
                "zh-Hant": publication.terms.get("zh-Hant", ""),
                "en": publication.terms.get("en", ""),
            },
            "sha256": publication.terms_sha256,
            "for_files": publication.terms_mode == publication.Terms.ACCOUNT,
            "accepted": terms_accepted(person, publication),
        },
    }


def may_join(benchmark: Benchmark) -> bool:
    """Whether anyone may join the benchmark as an outsider."""
    return rules.may_join(site=settings.SIGN_UP, benchmark=sign_up_of(benchmark))


def _participation(person: Person | AnonymousUser, benchmark: Benchmark) -> str:
    if not isinstance(person, Person):
        return "none"
    if person.knows(benchmark.pk):
        return "member"
    if any(grant.benchmark_id == benchmark.pk for grant in person.grants):
        return "outsider"
    return "barred" if is_barred(person, benchmark) else "none"


def accepted_page(person: Person, benchmark: Benchmark) -> SubmitPage:
    """As :func:`submit_page`, after the terms were accepted."""
    return submit_page(person, benchmark.slug)


def joined_answer(person: Person) -> JoinedAnswer:
    """The account that joined."""
    return {"username": person.username}


def outsider_page(
    person: Person, benchmark_slug: str, *, page_size: int, cursor: str | None = None, barred: bool | None = None
) -> OutsiderPage:
    """List the people who submit from outside the team, the newest accounts first, barred ones included.

    Args:
        person: The reader.
        benchmark_slug: The benchmark.
        page_size: Rows a page.
        cursor: ``next`` of the previous page.
        barred: Only people whose role an administrator ended, or only the others.

    Raises:
        NotFound, OperationNotAllowed.
    """
    benchmark = benchmark_for(person, benchmark_slug, "outsider_list")
    rows = outsiders_of(benchmark)
    if barred is not None:
        rows = rows.exclude(ended_at=None) if barred else rows.filter(ended_at=None)
    grants, facts = cut_page(_with_facts(rows, benchmark), by="-pk", cursor=cursor, page_size=page_size)
    return {**facts, "results": [_outsider_row(person, benchmark, grant) for grant in grants]}


def outsiders_of(benchmark: Benchmark) -> QuerySet[RoleGrant]:
    """The newest role of each person outside the team, in force or ended."""
    held = RoleGrant.objects.filter(benchmark=benchmark, role=OUTSIDER)
    newest = held.order_by().values("person_id").annotate(newest=Max("pk")).values("newest")
    return held.filter(pk__in=newest)


def outsider_row(person: Person, grant: RoleGrant) -> OutsiderRow:
    """A person outside the team whom ``person`` barred or let in again, as in the list."""
    benchmark = Benchmark.objects.get(role_grants=grant)
    return _outsider_row(person, benchmark, _with_facts(RoleGrant.objects.all(), benchmark).get(pk=grant.pk))


def _with_facts(rows: QuerySet[RoleGrant], benchmark: Benchmark) -> QuerySet[RoleGrant]:
    files = Submission.objects.filter(release__benchmark=benchmark, person=OuterRef("person_id"))
    counted = files.exclude(state=Submission.State.REFUSED).order_by().values("person_id")
    crew = CrewMember.objects.filter(benchmark=benchmark, person=OuterRef("person_id"))
    first = RoleGrant.objects.filter(benchmark=benchmark, role=OUTSIDER, person=OuterRef("person_id")).order_by("pk")
    return rows.select_related("person", "granted_by").annotate(
        since=Subquery(first.values("granted_at")[:1]),
        crew=Coalesce(Subquery(crew.values("crew__name")[:1]), Value("")),
        files=Coalesce(Subquery(counted.annotate(n=Count("pk")).values("n")), 0),
        last=Subquery(files.order_by("-pk").values("created_at")[:1]),
        accepted=Exists(
            TermsAcceptance.objects.filter(
                benchmark=benchmark,
                person=OuterRef("person_id"),
                terms_sha256=OuterRef("benchmark__publication__terms_sha256"),
            )
        ),
    )


def _outsider_row(person: Person, benchmark: Benchmark, grant: Any) -> OutsiderRow:
    is_barred = grant.ended_at is not None
    action = "outsider_readmit" if is_barred else "outsider_bar"
    return {
        "person": {"id": grant.person.pk, "name": grant.person.name},
        "username": grant.person.username,
        "since": grant.since,
        "invited_by": {"id": grant.granted_by.pk, "name": grant.granted_by.name} if grant.granted_by else None,
        "barred_at": grant.ended_at,
        "terms_accepted": grant.accepted,
        "crew": grant.crew,
        "submissions": grant.files,
        "last_submission_at": grant.last,
        "available_actions": [action] if person.may(benchmark.pk, action) else [],
    }
