"""Who was sent which picture's bytes, and who may not be sent them while they ask about the picture.

An exposure and a blindfold on the same person and picture exclude each other: the second of the two rows is refused,
whatever inserts it (docs/decisions/0071). Locks are released when the transaction ends.
"""

from __future__ import annotations

from typing import Any, Final

import pgtrigger
from django.db import models
from django.db.models import Exists, OuterRef
from django.db.models.functions import Now

from curation.benchmarks.models import Benchmark
from curation.core.models import AppendOnly
from curation.images.models.pictures import Image
from curation.people.models import Person

BLINDFOLDED: Final = "exposure_blindfolded"
HAS_SEEN: Final = "blindfold_has_seen"


def _refuse(constraint: str) -> str:
    return f"raise exception using errcode = 'check_violation', constraint = '{constraint}', message = '{constraint}';"


def _lock(name: str, *parts: str, shared: bool = False) -> str:
    function = "pg_advisory_xact_lock_shared" if shared else "pg_advisory_xact_lock"
    text = " || ':' || ".join((f"'{name}'", *parts))
    return f"perform {function}(hashtextextended({text}, 0));"


class Exposure(AppendOnly):
    """A person was sent a file of a picture; written before the first byte. Also where the answer was 304."""

    pk = models.CompositePrimaryKey("person_id", "image_id")
    person = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="+", db_index=False)
    image = models.ForeignKey(Image, on_delete=models.PROTECT, related_name="+", db_index=False)
    first_at = models.DateTimeField(db_default=Now())

    class Meta(AppendOnly.Meta):
        triggers = [
            *AppendOnly.Meta.triggers,
            pgtrigger.Trigger(
                name="eye",
                when=pgtrigger.Before,
                operation=pgtrigger.Insert,
                func=(
                    f"{_lock('eye', 'new.person_id', 'new.image_id')} "
                    "if exists (select from curation_blindfold b where b.image_id = new.image_id "
                    f"and b.person_id = new.person_id) then {_refuse(BLINDFOLDED)} end if; return new;"
                ),
            ),
        ]


class ExposureAll(models.Model):
    """A person was sent many pictures of a benchmark at once, such as a release's archive: all up to an id."""

    pk = models.CompositePrimaryKey("person_id", "benchmark_id")
    person = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="+", db_index=False)
    benchmark = models.ForeignKey(Benchmark, on_delete=models.PROTECT, related_name="+", db_index=False)
    up_to_image_id = models.BigIntegerField()
    first_at = models.DateTimeField(db_default=Now())

    class Meta:
        triggers = [
            pgtrigger.Trigger(
                name="eye",
                when=pgtrigger.Before,
                operation=pgtrigger.Insert | pgtrigger.Update,
                func=(
                    f"{_lock('eyes', 'new.person_id')} "
                    "if exists (select from curation_blindfold b join curation_image i on i.id = b.image_id "
                    "where b.person_id = new.person_id and i.benchmark_id = new.benchmark_id "
                    f"and b.image_id <= new.up_to_image_id) then {_refuse(BLINDFOLDED)} end if; return new;"
                ),
            ),
        ]


class ImagePublic(AppendOnly):
    """Everybody may have seen a picture: it is in a release that was opened to the public."""

    image = models.OneToOneField(Image, on_delete=models.PROTECT, primary_key=True, related_name="+")
    since = models.DateTimeField(db_default=Now())

    class Meta(AppendOnly.Meta):
        triggers = [
            *AppendOnly.Meta.triggers,
            # One lock for all: one for each picture of a release would not fit into PostgreSQL's table of locks.
            pgtrigger.Trigger(
                name="eye",
                level=pgtrigger.Statement,
                when=pgtrigger.After,
                operation=pgtrigger.Insert,
                referencing=pgtrigger.Referencing(new="new_rows"),  # type: ignore[no-untyped-call]
                func=(
                    f"{_lock('eyes of all')} "
                    "if exists (select from curation_blindfold b join new_rows n on n.image_id = b.image_id) then "
                    f"{_refuse(BLINDFOLDED)} end if; return null;"
                ),
            ),
        ]


class Blindfold(models.Model):
    """A person may not be sent a picture, because they ask about it. Deleted when the dialogue ends."""

    pk = models.CompositePrimaryKey("image_id", "person_id")
    image = models.ForeignKey(Image, on_delete=models.PROTECT, related_name="blindfolds", db_index=False)
    person = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="+")
    since = models.DateTimeField(db_default=Now())

    class Meta:
        triggers = [
            pgtrigger.Trigger(
                name="eye",
                when=pgtrigger.Before,
                operation=pgtrigger.Insert,
                func=(  # only constants are put in
                    f"{_lock('eyes of all', shared=True)} {_lock('eyes', 'new.person_id')} "  # noqa: S608
                    f"{_lock('eye', 'new.person_id', 'new.image_id')} "
                    "if exists (select from curation_exposure e where e.person_id = new.person_id "
                    "and e.image_id = new.image_id) "
                    "or exists (select from curation_exposureall e join curation_image i "
                    "on i.benchmark_id = e.benchmark_id where i.id = new.image_id "
                    "and e.person_id = new.person_id and e.up_to_image_id >= i.id) "
                    "or exists (select from curation_imagepublic p where p.image_id = new.image_id) "
                    "or exists (select from curation_image i where i.id = new.image_id "
                    "and i.contributor_id = new.person_id) then "
                    f"{_refuse(HAS_SEEN)} end if; return new;"
                ),
            ),
        ]


def hidden_from(person: Any, image: str = "pk") -> Exists:
    """The condition that a person is blindfolded for a row's picture: nothing on it reaches them, whatever their role.

    Args:
        person: The person's id, or an expression.
        image: The row's column with the picture's id.
    """
    return Exists(Blindfold.objects.filter(person_id=person, image_id=OuterRef(image)))
