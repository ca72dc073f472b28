"""Whether an operation is open to a person, and the benchmarks and rows that it reaches."""

from __future__ import annotations

from django.db.models import Q, QuerySet

from curation.benchmarks.models import Benchmark
from curation.core.errors import NotFound, OperationNotAllowed
from curation.core.models import Job
from curation.core.operations import OPERATIONS, Reach
from curation.people.errors import (
    ConsentMissing,
)
from curation.people.models import Person


def benchmark_for(person: Person, slug: str, operation: str, kind: str | None = None) -> Benchmark:
    """The benchmark, if the person may do ``operation`` in it.

    Raises:
        NotFound: No such benchmark, or the person takes no part in it.
        OperationNotAllowed: They take part, but no role of theirs opens the operation.
        ConsentMissing: It is a contribution, and they have not agreed to the consent text.
    """
    benchmark = Benchmark.objects.select_related("protocol").filter(slug=slug).first()
    if benchmark is None:
        raise NotFound
    require(person, benchmark.pk, operation, kind)
    return benchmark


def require(person: Person, benchmark_id: int, operation: str, kind: str | None = None) -> Reach:
    """How far an operation reaches for the person in a benchmark, for one kind of work or for any.

    Raises:
        NotFound: The person takes no part in the benchmark, or is an outsider, to whom the operation is not open; or
            the page that asks is another benchmark's, and the row does not belong on it.
        OperationNotAllowed: None of their roles opens the operation, or their account was closed.
        ConsentMissing: It is a contribution, and they have not agreed to the consent text.
    """
    reach = person.reach(benchmark_id, operation, kind) if person.is_active else Reach.NONE
    if reach is Reach.NONE:
        raise OperationNotAllowed(operation=operation) if person.knows(benchmark_id) else NotFound
    if person.page_benchmark and not _is_of_page(person, benchmark_id):
        raise NotFound
    if OPERATIONS[operation].contributes and not person.consented(benchmark_id):
        raise ConsentMissing(benchmark=next(g.slug for g in person.grants if g.benchmark_id == benchmark_id))
    return reach


def _is_of_page(person: Person, benchmark_id: int) -> bool:
    slugs = {grant.slug for grant in person.grants if grant.benchmark_id == benchmark_id}
    if slugs:
        return person.page_benchmark in slugs
    return Benchmark.objects.filter(pk=benchmark_id, slug=person.page_benchmark).exists()  # the site's owner


def made_within(person: Person, benchmark_id: int, reach: Reach, maker: str, team: str | None = None) -> Q:
    """The condition on rows that a reach covers, for rows with the person who made them.

    Args:
        person: The person with that reach.
        benchmark_id: The rows' benchmark.
        reach: The result of :func:`require`.
        maker: The rows' field with the person who made them.
        team: The rows' field with the team that they belong to; None for rows that belong to no team.
    """
    match reach:
        case Reach.ALL:
            return Q()
        case Reach.TEAM if team is not None:
            return Q(**{maker: person.pk}) | Q(**{f"{team}__in": person.team_ids(benchmark_id)})
        case Reach.NONE:
            return Q(pk__in=[])
        case _:
            return Q(**{maker: person.pk})


def reaches(person: Person, benchmark_id: int, reach: Reach, maker_id: int, team_id: int | None = None) -> bool:
    """As :func:`made_within`, for one row; runs no statement."""
    if reach is Reach.ALL or (reach is not Reach.NONE and maker_id == person.pk):
        return True
    return reach is Reach.TEAM and team_id is not None and team_id in person.team_ids(benchmark_id)


def benchmark_known_to(person: Person, slug: str) -> Benchmark:
    """A benchmark in which the person takes part.

    Raises:
        NotFound.
    """
    benchmark = benchmarks_known_to(person).filter(slug=slug).first()
    if benchmark is None:
        raise NotFound
    return benchmark


def benchmarks_known_to(person: Person) -> QuerySet[Benchmark]:
    """The benchmarks in which a person takes part; all of them for a site's owner."""
    known = Benchmark.objects.all()
    if person.owns_site:
        return known
    return known.filter(pk__in=[g.benchmark_id for g in person.grants if g.is_member])


def job_for(person: Person, job_id: int) -> Job:
    """Background work of a benchmark; only the site's owner may read that of the site.

    Raises:
        NotFound, OperationNotAllowed.
    """
    job = Job.objects.filter(pk=job_id).first()
    if job is None:
        raise NotFound
    if job.benchmark_id is None:
        if not person.owns_site:
            raise NotFound
    else:
        require(person, job.benchmark_id, "job_show")
    return job
