"""The only ways to get at people, sessions and the benchmarks somebody takes part in."""

from __future__ import annotations

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import OuterRef, Q, QuerySet
from django.utils import timezone

from curation.benchmarks.models import Benchmark
from curation.core.errors import NotFound, OperationNotAllowed
from curation.core.models import Job
from curation.people.errors import ConsentMissing
from curation.people.models import Person, PersonSession, RoleGrant, grants_in_force
from curation.people.rules import CONTRIBUTIONS, Grant, Reach


def load_session(key: str | None) -> PersonSession | None:
    """Fetch a live session with its person and the person's grants in one statement."""
    if not key:
        return None
    row = (
        PersonSession.objects.filter(session_key=key, expire_date__gt=timezone.now())
        .select_related("person")
        .annotate(held=ArraySubquery(grants_in_force(OuterRef("person_id"))))
        .first()
    )
    if row is not None and row.person is not None:
        row.person.grants = tuple(Grant.from_row(held) for held in row.held)
    return row


def person_signed_in(person_id: int) -> Person | None:
    """The account behind a session that was made in this very request."""
    return Person.objects.filter(pk=person_id).first()


def benchmark_for(person: Person, slug: str, operation: str, kind: str | None = None) -> Benchmark:
    """The benchmark, when the person may do ``operation`` in it.

    Raises:
        NotFound: No such benchmark, or the person takes no part in it.
        OperationNotAllowed: They take part, but no role of theirs opens the operation.
        ConsentMissing: It is a contribution, and they did not agree to the consent text.
    """
    benchmark = Benchmark.objects.select_related("protocol").filter(slug=slug).first()
    if benchmark is None or not person.knows(benchmark.pk):
        raise NotFound
    require(person, benchmark.pk, operation, kind)
    return benchmark


def require(person: Person, benchmark_id: int, operation: str, kind: str | None = None) -> Reach:
    """How far the person's operation reaches in a benchmark they may know of; a kind of work narrows it.

    Raises:
        NotFound: The person takes no part in the benchmark.
        OperationNotAllowed: None of their roles opens the operation.
        ConsentMissing: It is a contribution, and they did not agree to the consent text.
    """
    if not person.knows(benchmark_id):
        raise NotFound
    reach = person.reach(benchmark_id, operation, kind)
    if reach is Reach.NONE:
        raise OperationNotAllowed(operation=operation)
    if operation in CONTRIBUTIONS and not person.consented(benchmark_id):
        raise ConsentMissing(benchmark=next(g.slug for g in person.grants if g.benchmark_id == benchmark_id))
    return reach


def made_within(person: Person, benchmark_id: int, reach: Reach, maker: str) -> Q:
    """The condition on rows that a reach covers, for rows that know who made them.

    Args:
        person: Whose reach it is.
        benchmark_id: Where the rows are.
        reach: What :func:`require` answered.
        maker: The rows' field that names who made them.
    """
    match reach:
        case Reach.ALL:
            return Q()
        case Reach.TEAM:
            return Q(**{maker: person.pk}) | Q(**{f"{maker}__in": _team_mates(person, benchmark_id)})
        case Reach.NONE:
            return Q(pk__in=[])
        case _:
            return Q(**{maker: person.pk})


def reaches(person: Person, benchmark_id: int, reach: Reach, maker_id: int) -> bool:
    """As :func:`made_within`, for one row; asks the database only about somebody else's row within a team."""
    if reach is Reach.ALL or (reach is not Reach.NONE and maker_id == person.pk):
        return True
    return reach is Reach.TEAM and _team_mates(person, benchmark_id).filter(person_id=maker_id).exists()


def _team_mates(person: Person, benchmark_id: int) -> QuerySet[RoleGrant, int]:
    mine = {g.team_id for g in person.grants if g.benchmark_id == benchmark_id and g.team_id is not None}
    return RoleGrant.objects.filter(team_id__in=mine, ended_at=None).values_list("person_id", flat=True)


def people_of(benchmark: Benchmark) -> QuerySet[Person]:
    """Everybody who holds a role in a benchmark."""
    return Person.objects.filter(role_grants__benchmark=benchmark, role_grants__ended_at=None).distinct()


def benchmarks_known_to(person: Person) -> QuerySet[Benchmark]:
    """The benchmarks somebody takes part in; a site owner knows all."""
    known = Benchmark.objects.all()
    if person.owns_site:
        return known
    return known.filter(pk__in=[g.benchmark_id for g in person.grants])


def job_for(person: Person, job_id: int) -> Job:
    """Background work of a benchmark; the site's own is the owner's to look at.

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
