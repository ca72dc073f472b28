"""Details that contributors give about pictures, for many uploads at once."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any
from uuid import UUID

from django.db import transaction

from curation.benchmarks.queries import image_rules
from curation.images import access, rules
from curation.images.errors import DETAIL_ERRORS
from curation.images.models import Upload
from curation.people.access import benchmark_for
from curation.people.models import Person
from curation.taxonomy.models import Category
from curation.taxonomy.queries import axis_values

_DESCRIBABLE = (Upload.State.RECEIVING, Upload.State.CHECKING, Upload.State.READY)


@transaction.atomic
def describe_uploads(
    *, actor: Person, benchmark_slug: str, ids: Sequence[UUID], details: Mapping[str, Any]
) -> list[UUID]:
    """Set some details of some uploads; an error leaves all of them unchanged.

    Three statements for any number of uploads: the rows, the category, the change. Entries of a ZIP archive that is not
    unpacked yet inherit its details.

    Returns:
        Ids of the changed uploads; those that were finalized, refused or dropped are left out.

    Raises:
        NotFound, OperationNotAllowed: The actor may not upload here.
        DomainError: A detail that the protocol does not allow (``errors.DETAIL_ERRORS``).
    """
    benchmark = benchmark_for(actor, benchmark_slug, "upload_describe")
    rows = access.uploads_of(actor, benchmark, "upload_describe").filter(pk__in=ids, state__in=_DESCRIBABLE)
    uploads = list(rows.select_for_update(of=("self",), no_key=True).order_by("pk"))
    limits = image_rules(benchmark)
    categories = _known_categories(benchmark.pk, details.get("category"))
    teams = actor.team_ids(benchmark.pk)
    chosen_axes: Mapping[str, str] = details.get("axes", {})
    known_axes = axis_values(benchmark, chosen_axes)
    for upload in uploads:
        axes = rules.merged_axes(upload.details.get("axes", {}), chosen_axes)
        merged = {
            key: value
            for key, value in (upload.details | details | {"axes": axes}).items()
            if value not in (None, "", {})
        }
        try:
            # Only what is new is checked; an older category, team or value was when it was set.
            rules.check_details(
                merged,
                limits,
                categories=categories if details.get("category") else [merged.get("category", "")],
                teams=teams if details.get("team") else [merged.get("team", 0)],
                axes={
                    axis: known_axes.get(axis, ()) if axis in chosen_axes else [value] for axis, value in axes.items()
                },
            )
        except rules.InvalidDetail as invalid:
            raise DETAIL_ERRORS[invalid.code](**invalid.params) from invalid
        upload.details = merged
    Upload.objects.bulk_update(uploads, ["details"])
    return [upload.pk for upload in uploads]


def _known_categories(benchmark_id: int, slug: str | None) -> Collection[str]:
    """Return the slug if the benchmark has such a category."""
    if not slug:
        return []
    return list(Category.objects.filter(benchmark_id=benchmark_id, slug=slug).values_list("slug", flat=True))
