"""The only ways to get at people, sessions and the benchmarks somebody takes part in."""

from __future__ import annotations

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import OuterRef, QuerySet
from django.db.models.functions import JSONObject
from django.utils import timezone

from curation.benchmarks.models import Benchmark
from curation.core.errors import NotFound, OperationNotAllowed
from curation.core.models import Job
from curation.people.models import Person, PersonSession, RoleGrant
from curation.people.rules import Grant, Reach, Role

_IN_FORCE = ArraySubquery(
    RoleGrant.objects.filter(person=OuterRef("person_id"), ended_at=None).values(
        row=JSONObject(benchmark_id="benchmark_id", slug="benchmark__slug", role="role", team_id="team_id")
    )
)


def load_session(key: str | None) -> PersonSession | None:
    """Fetch a live session with its person and the person's grants in one statement."""
    if not key:
        return None
    row = (
        PersonSession.objects.filter(session_key=key, expire_date__gt=timezone.now())
        .select_related("person")
        .annotate(held=_IN_FORCE)
        .first()
    )
    if row is not None and row.person is not None:
        row.person.grants = tuple(
            Grant(benchmark_id=g["benchmark_id"], slug=g["slug"], role=Role(g["role"]), team_id=g["team_id"])
            for g in row.held
        )
    return row


def person_signed_in(person_id: int) -> Person | None:
    """The account behind a session that was made in this very request."""
    return Person.objects.filter(pk=person_id).first()


def benchmark_for(person: Person, slug: str, operation: str) -> Benchmark:
    """The benchmark, when the person may do ``operation`` in it.

    Raises:
        NotFound: No such benchmark, or the person takes no part in it.
        OperationNotAllowed: They take part, but no role of theirs opens the operation.
    """
    benchmark = Benchmark.objects.select_related("protocol").filter(slug=slug).first()
    if benchmark is None or not person.knows(benchmark.pk):
        raise NotFound
    require(person, benchmark.pk, operation)
    return benchmark


def require(person: Person, benchmark_id: int, operation: str) -> Reach:
    """How far the person's operation reaches in a benchmark they may know of.

    Raises:
        NotFound: The person takes no part in the benchmark.
        OperationNotAllowed: None of their roles opens the operation.
    """
    if not person.knows(benchmark_id):
        raise NotFound
    reach = person.reach(benchmark_id, operation)
    if reach is Reach.NONE:
        raise OperationNotAllowed(operation=operation)
    return reach


def people_of(benchmark: Benchmark) -> QuerySet[Person]:
    """Everybody who holds a role in a benchmark."""
    return Person.objects.filter(role_grants__benchmark=benchmark, role_grants__ended_at=None).distinct()


def benchmarks_known_to(person: Person) -> QuerySet[Benchmark]:
    """The benchmarks somebody takes part in; a site owner knows all."""
    known = Benchmark.objects.all()
    if any(g.benchmark_id is None for g in person.grants):
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
        if not any(g.benchmark_id is None for g in person.grants):
            raise NotFound
    else:
        require(person, job.benchmark_id, "job_show")
    return job
