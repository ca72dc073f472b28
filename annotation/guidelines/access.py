"""Access to guidelines."""

from __future__ import annotations

from django.db.models import QuerySet, TextField
from django.db.models.functions import Cast

from annotation.guidelines.models import Guideline
from annotation.guidelines.rules import number_of
from curation.benchmarks.models import Benchmark
from curation.core.errors import NotFound
from curation.images.models import Image, Rendition, current_renditions
from curation.people.access import benchmark_for
from curation.people.models import Person


def benchmark_with(person: Person, slug: str, operation: str, kind: str, *, lock: bool = False) -> Benchmark:
    """Fetch the benchmark if the person may do the operation in it and its protocol has the kind.

    With ``lock``, new versions are published one after the other.

    Raises:
        NotFound, OperationNotAllowed.
    """
    benchmark = benchmark_for(person, slug, operation)
    if lock:
        rows = Benchmark.objects.select_related("protocol").select_for_update(of=("self",), no_key=True)
        benchmark = rows.get(pk=benchmark.pk)
    if kind not in kinds_of(benchmark):
        raise NotFound
    return benchmark


def kinds_of(benchmark: Benchmark) -> list[str]:
    """The kinds of work of the benchmark's protocol."""
    return list(benchmark.protocol.content["kinds"]) if benchmark.protocol else []


def guidelines_of(benchmark: Benchmark, kind: str) -> QuerySet[Guideline]:
    """The versions of a kind's guidelines, newest first."""
    return Guideline.objects.filter(benchmark=benchmark, kind=kind).order_by("-version")


def pictures_to_show(benchmark: Benchmark) -> QuerySet[Image]:
    """The pictures that guidelines may show to everyone who reads them."""
    return Image.objects.filter(benchmark=benchmark, state=Image.State.ACCEPTED, pii_clear_by__isnull=False)


def picture_for(person: Person, slug: str, kind: str, label: str) -> Rendition:
    """The reduced file of a picture that a version of the guidelines shows, for everyone who may read them.

    Who writes guidelines sees any picture that they may show, for the preview.

    Raises:
        NotFound: No version shows it, or it was withdrawn or refused since.
        OperationNotAllowed.
    """
    benchmark = benchmark_with(person, slug, "guideline_picture", kind)
    number = number_of(label)
    versions = guidelines_of(benchmark, kind).alias(all_text=Cast("text", TextField()))
    if number is None:
        raise NotFound
    if not (person.may(benchmark.pk, "guideline_add") or versions.filter(all_text__contains=f"]({label})").exists()):
        raise NotFound
    pictures = pictures_to_show(benchmark).filter(number=number)
    files = Rendition.objects.filter(current_renditions(), image__in=pictures, role=Rendition.Role.VIEW)
    file = files.select_related("image__benchmark").first()
    if file is None:
        raise NotFound
    return file
