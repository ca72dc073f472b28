"""Lists of pictures: a page, or all rows for a file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.db.models import QuerySet, Subquery

from curation.benchmarks.models import Benchmark
from curation.core.pages import cut_page, in_blocks
from curation.images import access
from curation.images.models import Image
from curation.images.queries.pictures import for_lists, image_row
from curation.images.rules import number_of_label
from curation.images.shapes.pictures import ImagePage
from curation.people.access import benchmark_for, brief_for, names_visible
from curation.people.models import Person
from curation.taxonomy.queries import categories_with


@dataclass(frozen=True, slots=True)
class ImageFilters:
    """Which pictures a list has, on its page, in its file and for actions on all of them.

    Attributes:
        state: Only pictures in this state.
        category: Only pictures of this category, by its slug.
        axes: Only pictures with these values of dimensions: ``grade:high difficulty:hard``.
        subset: Only pictures of this subset.
        clear: Only pictures that are (or are not) marked as free of personal information.
        flag: Only pictures with this flag.
        search: Only the picture of this label or number, or those of categories with these words in their names.
    """

    state: str = ""
    category: str = ""
    axes: str = ""
    subset: str = ""
    clear: bool | None = None
    flag: str = ""
    search: str = ""


_ALL: Final = ImageFilters()


def image_page(
    person: Person,
    benchmark_slug: str,
    *,
    page_size: int,
    cursor: str | None = None,
    filters: ImageFilters = _ALL,
    sort: str = "-number",
) -> ImagePage:
    """List a benchmark's pictures in two statements, whatever the filters; three for a search by words.

    Args:
        person: The reader.
        benchmark_slug: The benchmark.
        page_size: Rows a page.
        cursor: ``next`` of the previous page.
        filters: Which pictures.
        sort: ``-number``, or ``number`` for the oldest first.
    """
    benchmark = benchmark_for(person, benchmark_slug, "image_list")
    rows = _filtered(person, benchmark, "image_list", filters)
    images, facts = cut_page(for_lists(rows), by=sort, cursor=cursor, page_size=page_size, count=False)
    return {**facts, "results": [image_row(person, image) for image in images]}


IMAGE_COLUMNS: Final = (
    "id",
    "label",
    "state",
    "category",
    "collected_for",
    "axes",
    "subset",
    "licence",
    "source",
    "site",
    "url",
    "author",
    "contributor",
    "clear",
    "flags",
    "width",
    "height",
    "created_at",
)


def image_cells(
    person: Person, benchmark_slug: str, *, filters: ImageFilters = _ALL, sort: str = "-number"
) -> Iterator[list[Any]]:
    """All rows of a list of pictures, in the order of :func:`image_page`, as cells of a file.

    Raises:
        NotFound, OperationNotAllowed: At once, not at the first row.
    """
    benchmark = benchmark_for(person, benchmark_slug, "image_file")
    rows = _filtered(person, benchmark, "image_file", filters)
    protocol = benchmark.protocol
    show_names = names_visible(person, benchmark.pk, protocol.content if protocol else None)
    blocks = in_blocks(rows.select_related("category", "collected_for", "contributor"), by=sort)
    return (_cells(person, image, show_names=show_names) for block in blocks for image in block)


def listed_image_ids(
    person: Person,
    benchmark: Benchmark,
    *,
    limit: int,
    ids: Sequence[int] | None = None,
    filters: ImageFilters = _ALL,
) -> list[int]:
    """The ids of a list of pictures, or of those with ``ids``, at most ``limit``.

    Raises:
        NotFound, OperationNotAllowed.
    """
    rows = _filtered(person, benchmark, "image_list", filters)
    if ids is not None:
        rows = rows.filter(pk__in=ids)
    return list(rows.order_by("pk").values_list("pk", flat=True)[:limit])


def _cells(person: Person, image: Image, *, show_names: bool) -> list[Any]:
    contributor = brief_for(person, image.contributor, show_names=show_names)
    return [
        image.pk,
        image.label,
        image.state,
        image.category.slug if image.category else "",
        image.collected_for.slug if image.collected_for else "",
        " ".join(f"{axis}:{value}" for axis, value in sorted(image.axes.items())),
        image.subset,
        image.licence,
        image.source["kind"],
        *(image.source.get(name, "") for name in ("site", "url", "author")),
        contributor["name"] if contributor else "",
        "no" if image.pii_clear_by_id is None else "yes",
        " ".join(flag["code"] for flag in image.flags),
        image.width,
        image.height,
        image.created_at.isoformat(),
    ]


def _filtered(person: Person, benchmark: Benchmark, operation: str, filters: ImageFilters) -> QuerySet[Image]:
    rows = access.images_visible_to(person, benchmark, operation)
    if filters.state:
        rows = rows.filter(state=filters.state)
    if filters.category:
        # A subquery, because with a join the planner reads every picture of the benchmark.
        rows = rows.filter(category=Subquery(benchmark.categories.filter(slug=filters.category).values("pk")[:1]))
    if filters.axes:
        rows = rows.filter(axes__contains=dict(chosen.split(":") for chosen in filters.axes.split()))
    if filters.subset:
        rows = rows.filter(subset=filters.subset)
    if filters.clear is not None:
        rows = rows.filter(pii_clear_by__isnull=not filters.clear)
    if filters.flag:
        rows = rows.filter(flags__contains=[{"code": filters.flag}])
    if filters.search:
        number = number_of_label(filters.search)
        if number is None:
            rows = rows.filter(category__in=[category.pk for category in categories_with(benchmark, filters.search)])
        else:
            rows = rows.filter(number=number)
    return rows
