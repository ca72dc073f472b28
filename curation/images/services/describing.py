"""What the contributor says about pictures, for many uploads at once."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any
from uuid import UUID

from django.db import transaction

from curation.benchmarks.queries import image_rules
from curation.images import access, rules
from curation.images.errors import DETAILS
from curation.images.models import Upload
from curation.people.access import benchmark_for
from curation.people.models import Person
from curation.taxonomy.models import Category

_SAYABLE = (Upload.State.RECEIVING, Upload.State.CHECKING, Upload.State.READY)


@transaction.atomic
def describe_uploads(
    *, actor: Person, benchmark_slug: str, ids: Sequence[UUID], details: Mapping[str, Any]
) -> list[UUID]:
    """Set the given details of some uploads, the others stay; all or none.

    Three statements for any number of uploads: the rows, the category, the change. Entries of a ZIP archive that is
    still to be unpacked inherit what is said of it.

    Returns:
        Ids of those that were changed; what was taken, refused or dropped is passed over.

    Raises:
        NotFound, OperationNotAllowed: The actor may not upload here.
        DomainError: Something that the protocol does not allow (``errors.DETAILS``).
    """
    benchmark = benchmark_for(actor, benchmark_slug, "upload_describe")
    rows = access.uploads_of(actor, benchmark, "upload_describe").filter(pk__in=ids, state__in=_SAYABLE)
    uploads = list(rows.select_for_update(of=("self",), no_key=True).order_by("pk"))
    limits = image_rules(benchmark)
    categories = known_categories(benchmark.pk, details.get("category"))
    for upload in uploads:
        merged = {key: value for key, value in (upload.details | details).items() if value not in (None, "")}
        try:
            # A category said before was looked up then.
            rules.check_details(
                merged, limits, categories=categories if details.get("category") else [merged.get("category", "")]
            )
        except rules.Refused as refused:
            raise DETAILS[refused.code](**refused.params) from refused
        upload.details = merged
    Upload.objects.bulk_update(uploads, ["details"])
    return [upload.pk for upload in uploads]


def known_categories(benchmark_id: int, slug: str | None) -> Collection[str]:
    """The slug, when the benchmark has such a category."""
    if not slug:
        return []
    return list(Category.objects.filter(benchmark_id=benchmark_id, slug=slug).values_list("slug", flat=True))
