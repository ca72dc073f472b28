"""Recording who was sent which pictures: the only thing that a GET writes, beside the count of public downloads.

Callers record before the first byte, also where the answer is 304, because the browser shows what it has.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.db import IntegrityError, connection, transaction
from django.db.models import QuerySet

from curation.benchmarks.models import Benchmark
from curation.benchmarks.queries import names_dialogue
from curation.core.errors import NotFound
from curation.images.errors import PicturesInDialogue
from curation.images.models import Image, image_label
from curation.images.models.exposures import BLINDFOLDED
from curation.lib.statements import prepared_cursor
from curation.people.models import Person

_LISTED_PICTURES = 20  # pictures in the error
_SEEN = "select 1 from curation_exposure where person_id = %s and image_id = %s"
_RECORD = """
    insert into curation_exposure (person_id, image_id) values (%s, %s) on conflict (person_id, image_id) do nothing
"""
_RECORD_ALL = """
    insert into curation_exposureall (person_id, benchmark_id, up_to_image_id) values (%s, %s, %s)
    on conflict (person_id, benchmark_id) do update set up_to_image_id = excluded.up_to_image_id
    where curation_exposureall.up_to_image_id < excluded.up_to_image_id
"""
_SHOW = """
    insert into curation_imagepublic (image_id)
    select shown.id from curation_image shown where shown.id in ({images}) order by shown.id on conflict do nothing
"""


def record_exposure(person: Person, image: Image) -> None:
    """Record that a person is sent a file of a picture, where the benchmark's protocol names dialogue.

    One statement if the person has seen it before. ``image`` comes with its benchmark.

    Raises:
        NotFound: They may not see it, because they are asking about it.
    """
    if not _is_recorded(image.benchmark):
        return
    with prepared_cursor() as cursor:
        cursor.execute(_SEEN, [person.pk, image.pk])
        if cursor.fetchall():
            return
    _insert(_RECORD, [person.pk, image.pk])


def record_exposure_to_all(person: Person, benchmark: Benchmark, up_to_image_id: int) -> None:
    """Record that a person is sent many of a benchmark's pictures at once: at most those up to an id.

    Raises:
        NotFound: They are asking about one of these.
    """
    if _is_recorded(benchmark):
        _insert(_RECORD_ALL, [person.pk, benchmark.pk, up_to_image_id])


def show_to_everybody(images: QuerySet[Any, int]) -> None:
    """Record that everybody may have seen pictures from now on; the caller's transaction makes them public.

    Args:
        images: The ids of the pictures.

    Raises:
        PicturesInDialogue: A person is asking about one of them.
    """
    statement, params = images.query.sql_with_params()

    def show() -> None:
        with connection.cursor() as cursor:
            cursor.execute(_SHOW.format(images=statement), params)

    if not _passes(show):
        hidden = Image.objects.filter(pk__in=images, blindfolds__isnull=False).order_by("number")
        labels = [image_label(number) for number in hidden.values_list("number", flat=True).distinct()]
        raise PicturesInDialogue(images=labels[:_LISTED_PICTURES], count=len(labels))


def _is_recorded(benchmark: Benchmark) -> bool:
    return benchmark.protocol_id is not None and names_dialogue(benchmark.protocol_id)


def _insert(statement: str, params: list[int]) -> None:
    def insert() -> None:
        with prepared_cursor() as cursor:
            cursor.execute(statement, params)

    if not _passes(insert):
        raise NotFound


def _passes(write: Callable[[], None]) -> bool:
    """Run a statement; return False if it was refused because of a blindfold."""
    try:
        with transaction.atomic():
            write()
    except IntegrityError as error:
        if BLINDFOLDED not in str(error):
            raise
        return False
    return True
