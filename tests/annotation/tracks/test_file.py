"""The list of items as a file: the list's rows in its order, read in blocks, with no cell that is a formula."""

import uuid

import pytest

from annotation.items.models import Item, ItemRevision
from annotation.search import services as search
from curation.core import pages
from tests.annotation.track import new_world, submitted_package
from tests.people import csv_rows, signed_in, told
from tests.shared import shared

pytestmark = pytest.mark.django_db
FILE = "benchmarks/cvlue/items.csv"


@shared
def here():
    """Six items; the first four are written."""
    made = new_world(pictures=6, size=4)
    submitted_package(made)
    search.sweep()
    return made


@pytest.fixture(autouse=True)
def blocks(monkeypatch):
    monkeypatch.setattr(pages, "BLOCK", 2)
    monkeypatch.setattr("annotation.tracks.queries.items.SEARCHED", 2)


def labels(browser, filters=""):
    return [row["label"] for row in csv_rows(browser, FILE + filters)]


def test_the_file_has_the_rows_of_the_list_in_its_order(here):
    browser = signed_in(here.admin)
    for filters in (
        "",
        "?sort=-number",
        "?kind=captions&sort=-number",
        "?state=todo",
        "?category=lantern",
        f"?author={here.annotator.pk}",
        f"?author={here.admin.pk}",
        "?search=cap-3",
        "?search=3",
    ):
        page = browser.get("/api/v1/benchmarks/cvlue/items" + filters).json()
        assert labels(browser, filters) == [row["label"] for row in page["results"]], filters
    assert len(labels(browser)) == 6
    assert len(labels(browser, "?state=todo")) == 2
    assert labels(browser, f"?author={here.admin.pk}") == []


def test_a_search_goes_through_all_blocks(here):
    word = Item.objects.filter(revision_no=1).first().revisions.get().content["captions"][0][:2]
    found = labels(signed_in(here.admin), f"?search={word}")
    assert len(found) == 4
    assert found == sorted(found, reverse=True)


def test_a_row_has_what_the_list_shows(here):
    item = Item.objects.select_related("image").filter(revision_no=1).order_by("number").first()
    row = csv_rows(signed_in(here.admin), FILE)[0]
    text = item.revisions.get().content["captions"][0]
    assert row == {
        "id": str(item.pk),
        "label": "cap-000001",
        "kind": "captions",
        "state": "made",
        "slot": "0",
        "revision_no": "1",
        "image": item.image.label,
        "category": "",
        "package": "cap-pkg-0001",
        "language": "",
        "text": text[:120],
    }


def test_a_text_is_no_formula(here):
    item = Item.objects.filter(revision_no=0).first()
    ItemRevision.objects.create(
        item=item, no=1, author=here.annotator, origin="annotator", protocol=here.benchmark.protocol,
        content={"captions": ['=HYPERLINK("https://example.org")', *"bcde"]}, client_key=uuid.uuid4(),
    )  # fmt: skip
    Item.objects.filter(pk=item.pk).update(revision_no=1)
    rows = {row["id"]: row for row in csv_rows(signed_in(here.admin), FILE)}
    assert rows[str(item.pk)]["text"] == '\'=HYPERLINK("https://example.org")'


def test_only_people_who_see_the_list_get_the_file(here):
    for who in (here.annotator, here.contributor):
        assert told(signed_in(who).get("/api/v1/" + FILE)) == (403, "operation_not_allowed")
    assert told(signed_in(here.stranger).get("/api/v1/" + FILE)) == (403, "operation_not_allowed")
    assert told(signed_in(here.admin).get("/api/v1/" + FILE + "?state=gone")) == (400, "invalid_input")
    assert told(signed_in(here.admin).get("/api/v1/" + FILE + "?cursor=1")) == (400, "invalid_input")
