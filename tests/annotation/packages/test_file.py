"""The list of packages as a file: the list's rows in its order, read in blocks, with no cell that is a formula."""

from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.packages.models import Package
from curation.core import pages
from curation.people.models import Person
from tests.annotation.track import new_world, submitted_package
from tests.people import csv_rows, signed_in, told
from tests.shared import shared

pytestmark = pytest.mark.django_db
FILE = "benchmarks/cvlue/packages.csv"


@shared
def here():
    """Five packages of one item; the first was submitted."""
    made = new_world(pictures=5, size=1)
    submitted_package(made)
    for package in Package.objects.filter(number__gt=1):
        since = timezone.now() - timedelta(days=package.number)
        Package.objects.filter(pk=package.pk).update(state_changed_at=since)
    return made


@pytest.fixture(autouse=True)
def blocks(monkeypatch):
    monkeypatch.setattr(pages, "BLOCK", 2)


def labels(browser, filters=""):
    return [row["label"] for row in csv_rows(browser, FILE + filters)]


def test_the_file_has_the_rows_of_the_list_in_its_order(here):
    browser = signed_in(here.admin)
    for filters, number in (
        ("", 5),
        ("?sort=-number", 5),
        ("?sort=since", 5),
        ("?sort=-since&kind=captions", 5),
        ("?state=handed_over", 1),
        (f"?assignee={here.annotator.pk}", 1),
        ("?stalled=true", 0),
        ("?search=3", 1),
        ("?search=annotator", 1),
    ):
        page = browser.get("/api/v1/benchmarks/cvlue/packages" + filters).json()
        listed = labels(browser, filters)
        assert listed == [row["label"] for row in page["results"]], filters
        assert len(listed) == number, filters


def test_a_row_has_what_the_list_shows_and_no_formula(here):
    Person.objects.filter(pk=here.annotator.pk).update(name="=1+1")
    package = Package.objects.get(number=1)
    assert csv_rows(signed_in(here.admin), FILE)[0] == {
        "id": str(package.pk),
        "label": "cap-pkg-0001",
        "kind": "captions",
        "state": "handed_over",
        "round": "1",
        "items": "1",
        "written": "1",
        "checked": "1",
        "annotator": "'=1+1",
        "reviewer": "",
        "state_changed_at": package.state_changed_at.isoformat(),
    }


def test_annotators_get_their_own_packages(here):
    assert labels(signed_in(here.annotator)) == ["cap-pkg-0001"]
    assert labels(signed_in(here.annotator2)) == []
    assert told(signed_in(here.contributor).get("/api/v1/" + FILE)) == (403, "operation_not_allowed")
    assert told(signed_in(here.stranger).get("/api/v1/" + FILE)) == (403, "operation_not_allowed")
