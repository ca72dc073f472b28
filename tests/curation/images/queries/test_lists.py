"""The list of pictures as a file: the list's rows in its order, read in blocks, with no cell that is a formula."""

import pytest

from curation.core import pages
from curation.images.models import Image
from curation.taxonomy.models import Category
from tests.people import csv_rows, signed_in, told, world
from tests.protocols import captions_protocol, names
from tests.ready import accepted_pictures
from tests.shared import shared

pytestmark = pytest.mark.django_db
FILE = "benchmarks/cvlue/pictures.csv"


@shared
def here():
    made = world(captions_protocol())
    accepted_pictures(made.benchmark, made.contributor, made.curator, 5)
    return made


@pytest.fixture(autouse=True)
def blocks(monkeypatch):
    monkeypatch.setattr(pages, "BLOCK", 2)


def labels(browser, filters=""):
    return [row["label"] for row in csv_rows(browser, FILE + filters)]


def test_the_file_has_the_rows_of_the_list_in_its_order(here):
    Image.objects.filter(number=2).update(state="received", flags=[{"code": "blurred", "params": {}}], subset="A")
    lantern = Category.objects.create(
        benchmark=here.benchmark, number=1, slug="lantern", name=names("Lantern"), field="a", field_name={}
    )
    Image.objects.filter(number=3).update(category=lantern)
    browser = signed_in(here.curator)
    for filters, number in (
        ("", 5),
        ("?sort=number", 5),
        ("?state=accepted", 4),
        ("?category=lantern", 1),
        ("?subset=A", 1),
        ("?flag=blurred", 1),
        ("?clear=true&sort=number", Image.objects.filter(pii_clear_by__isnull=False).count()),
        ("?search=3", 1),
    ):
        page = browser.get("/api/v1/benchmarks/cvlue/images" + filters).json()
        listed = labels(browser, filters)
        assert listed == [row["label"] for row in page["results"]], filters
        assert len(listed) == number, filters


def test_a_row_has_what_the_list_shows_and_no_formula(here):
    image = Image.objects.order_by("-number").first()
    image.source = {**image.source, "author": "@SUM(1)", "site": ""}
    image.save(update_fields=["source"])
    assert csv_rows(signed_in(here.curator), FILE)[0] == {
        "id": str(image.pk),
        "label": "img-0005",
        "state": "accepted",
        "category": "",
        "collected_for": "",
        "axes": "",
        "subset": image.subset,
        "licence": image.licence,
        "source": image.source["kind"],
        "site": "",
        "url": image.source.get("url", ""),
        "author": "'@SUM(1)",
        "contributor": here.contributor.name,
        "clear": "yes",
        "flags": "",
        "width": str(image.width),
        "height": str(image.height),
        "created_at": image.created_at.isoformat(),
    }


def test_contributors_get_their_own_pictures(here):
    assert len(labels(signed_in(here.contributor))) == 5
    assert labels(signed_in(here.admin), "?search=1") == ["img-0001"]
    assert told(signed_in(here.annotator).get("/api/v1/" + FILE)) == (403, "operation_not_allowed")
    assert told(signed_in(here.stranger).get("/api/v1/" + FILE)) == (403, "operation_not_allowed")
