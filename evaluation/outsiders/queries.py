"""Reads for people outside the team."""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth.models import AnonymousUser

from curation.benchmarks.models import Benchmark
from curation.people.models import Person
from curation.people.queries import is_barred
from curation.people.services.links import sign_up_of
from evaluation.outsiders import access, rules
from evaluation.outsiders.shapes import JoinedAnswer, SubmitPage
from evaluation.publication.queries import terms_accepted


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
