"""Every filter of a list leaves the same rows on its page, in its file and for actions on all that match."""

from dataclasses import fields
from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.bulk.models import BulkTarget
from annotation.packages.api.serializers import PackageFilters
from annotation.packages.models import Package
from annotation.packages.services import build_packages
from annotation.search import services as search
from annotation.tracks.api.serializers import ItemFilters
from curation.benchmarks.queries import preset
from curation.images.api.serializers import ImageFilters
from curation.images.models import Image
from curation.taxonomy.models import Category
from curation.taxonomy.services.lists import note_lists, shipped_list
from tests.annotation.bulk.bulk import prepare
from tests.annotation.track import submitted_package
from tests.people import csv_rows, key, signed_in, world
from tests.protocols import captions_protocol, names
from tests.ready import accepted_pictures
from tests.shared import shared

pytestmark = pytest.mark.django_db
# What each filter leaves of four rows; a filter without a line here fails the last test.
ITEMS = {"kind": ("captions", 4), "state": ("made", 1), "category": ("tea", 1), "author": ("annotator", 1)}
ITEMS |= {"search": ("cap-3", 1)}
PACKAGES = {"state": ("handed_over", 1), "kind": ("captions", 4), "assignee": ("annotator", 1), "stalled": (True, 1)}
PACKAGES |= {"search": ("cap-pkg-0003", 1)}
IMAGES = {"state": ("refused", 1), "category": ("tea", 1), "subset": ("B", 1), "clear": (False, 1)}
IMAGES |= {"axes": ("grade:high", 1), "flag": ("blurred", 1), "search": ("3", 1)}
LISTS = {
    "items": (ItemFilters, ITEMS, "items", "items.csv", "exclude", {"reason": "Blurred"}),
    "packages": (PackageFilters, PACKAGES, "packages", "packages.csv", "revoke", {}),
    "pictures": (ImageFilters, IMAGES, "images", "pictures.csv", "category", {"category": "tea"}),
}


@shared
def here():
    """Four pictures, items and packages; the first of each differs from the others."""
    made = world(captions_protocol(size=1) | {"images": preset("cvlue").content["images"]})
    accepted_pictures(made.benchmark, made.contributor, made.curator, 4)
    build_packages(
        actor=made.admin,
        benchmark_slug="cvlue",
        kind="captions",
        size=None,
        seed=7,
        complete_only=False,
        client_key=key(),
    )
    submitted_package(made)
    Package.objects.filter(number=1).update(state_changed_at=timezone.now() - timedelta(days=99))
    tea = Category.objects.create(
        benchmark=made.benchmark, number=9, slug="tea", name=names("Tea"), field="a", field_name=names("A")
    )
    first = Image.objects.filter(number=1)
    note_lists(made.benchmark.protocol, {"grade": shipped_list("cmmu-grades")})
    first.update(axes={"grade": "high"})
    first.update(category=tea, subset="B", pii_clear_by=None, flags=[{"code": "blurred", "params": {}}])
    Image.objects.filter(number=2).update(state="refused")
    search.sweep()
    return made


@pytest.mark.parametrize(("listed", "name"), [(one, name) for one, parts in LISTS.items() for name in parts[1]])
def test_page_file_and_action_have_the_same_rows(here, listed, name):
    _, table, address, file, action, params = LISTS[listed]
    value, expected = table[name]
    value = here.annotator.pk if value == "annotator" else value
    browser = signed_in(here.admin)
    sent = f"?{name}={str(value).lower() if isinstance(value, bool) else value}"
    page = browser.get(f"/api/v1/benchmarks/cvlue/{address}{sent}").json()
    preview = prepare(browser, action, params, filters={name: value})
    rows = {row["id"] for row in page["results"]}
    assert len(rows) == expected
    assert {int(row["id"]) for row in csv_rows(browser, f"benchmarks/cvlue/{file}{sent}")} == rows
    assert set(BulkTarget.objects.filter(bulk_id=preview["id"]).values_list("target_id", flat=True)) == rows


@pytest.mark.parametrize("listed", LISTS)
def test_every_filter_is_in_the_table_and_can_be_sent(listed):
    form, table, *_ = LISTS[listed]
    assert {field.name for field in fields(form.filters)} == set(table) == set(form().fields) - {"sort"}
